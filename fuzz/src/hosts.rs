//! Any JSON is what an agent host sends, under any host's name or none: no panic, no stack overflow, and each deny is one in
//! the words of the host that was told. A call that is read can be read again for an answer to be bound to it, and never
//! passes with a word that lets it.

use super::ground::first;
use zerto_guard::hosts::{self, Answer, Event, Host};
use zerto_guard::json::Json;

fn refuses(host: Option<Host>) {
    let output = hosts::deny_to(host, "why");
    if host == Some(Host::Cline) {
        assert_eq!((output.code, output.stderr.as_str()), (0, ""));
        assert_eq!(output.stdout, "{\"cancel\":true,\"errorMessage\":\"zerto-guard: why\"}\n");
    } else {
        assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (2, "", "zerto-guard: why\n"));
    }
}

fn answers(host: Host, model: &str) {
    let told = Answer::Told { model: model.to_owned(), user: model.to_owned() };
    for answer in [Answer::Pass, told] {
        let output = hosts::answer(host, &answer);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""));
        if !output.stdout.is_empty() {
            let json = Json::parse(output.stdout.as_bytes()).unwrap();
            assert!(json.get("decision").is_none() && json.get("permission").is_none());
            let specific = json.get("hookSpecificOutput");
            assert!(specific.is_none_or(|specific| specific.get("permissionDecision").is_none()));
        }
    }
}

/// Runs one input: a byte for the host, then its JSON.
pub fn run(bytes: &[u8]) {
    let (name, bytes) = first(bytes);
    let named = Host::ALL.get(usize::from(name)).copied();
    refuses(named);
    let Ok(json) = Json::parse(bytes) else { return };
    let text = json.shown();
    match hosts::read(named, json) {
        Ok((host, event)) => {
            answers(host, &text);
            refuses(Some(host));
            if let Event::Pending(call) = event {
                assert!(!call.name.is_empty() && call.input.is_object());
                hosts::canonical_input(host, bytes, &call).unwrap();
                let _ = host.prompt(&call, None);
                // A name of no host's own is told by its fields alone.
                if named.is_none() {
                    let again = Json::parse(bytes).unwrap();
                    assert!(matches!(hosts::read(Some(host), again), Ok((same, _)) if same == host));
                }
            }
        }
        Err((host, why)) => {
            assert!(!why.is_empty());
            refuses(host);
        }
    }
    let _ = (hosts::is_settings(&text), hosts::holds_settings(&text));
}
