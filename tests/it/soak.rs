//! Thousands of calls of all kinds, and what is left of them: nothing but what the state folder may keep.
//!
//! `ZERTO_GUARD_SOAK=2000` says how many; without it they are few, as a test that everybody runs has to be short.

use crate::audit::numbered;
use crate::env::Env;
use crate::guard_story::{change, home, told};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use zvm_sim::{Guest, Sim, VmSpec, VpgSpec};

const TAG: &str = "ai:claude | edit /etc/app.yaml | vm=web01 | change=chg-412 | 20260921T150405Z";
const FEW: usize = 60;

/// All files and folders below this one, by their paths from there.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut rest = vec![folder.to_owned()];
    while let Some(next) = rest.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().map(Result::unwrap) {
            let is_folder = entry.file_type().unwrap().is_dir();
            found.push(entry.path().strip_prefix(folder).unwrap().to_owned());
            if is_folder {
                rest.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

/// What may stand in the state folder, and how much of it.
const MAY_STAY: [(&str, usize); 8] = [
    // The log, and what of it was put aside.
    ("audit", 8),
    // One for each VPG, VM and purpose. Never deleted, since two could then hold "the same" lock.
    ("locks/", 12),
    // One for each ZVM and login.
    ("tokens/", 1),
    // The stamps of the last tags.
    ("tags/", 1),
    // Calls that run, whose end nobody has told; the oldest go.
    ("running/", 500),
    // Open questions; the oldest go, and each after a day.
    ("questions/", 200),
    ("answers/", 200),
    ("sessions/", 500),
];

/// Does the nth call of the soak.
fn call(env: &Env, nr: usize) {
    let temporary = env.path("tmp");
    let hook = |input: String| {
        env.command(&["hook"]).env("TMPDIR", &temporary).write_stdin(input).output().map(crate::env::Ran::from).unwrap()
    };
    let id = nr.to_string();
    match nr % 10 {
        0..=3 => drop(hook(env.call("Bash", json!({"command": "git status && cargo test"}))).passed_silently()),
        4 | 5 => drop(hook(numbered(&env.call("Workflow", json!({"nr": nr})), &id)).denied("answer zgq-")),
        6..=8 => {
            let call = numbered(&change(env, if nr.is_multiple_of(2) { "web01" } else { "db01" }), &id);
            told(&hook(call.clone()));
            // Of some nobody hears how they ended.
            if !nr.is_multiple_of(3) {
                let mut after: Value = serde_json::from_str(&call).unwrap();
                after["hook_event_name"] = "PostToolUse".into();
                after["tool_response"] = json!({"stdout": "x"});
                hook(after.to_string()).passed_silently();
            }
        }
        _ => {
            let output = format!("got{nr}");
            let what = format!("{TAG}:/etc/app.yaml");
            let arguments = match nr % 20 {
                9 => vec!["rewind", "recover", "--yes", "--output", &output, &what],
                _ => vec!["rewind", "cat", "--yes", &what],
            };
            let ran = env.command(&arguments).env("TMPDIR", &temporary).output().unwrap();
            assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
            if nr % 20 == 9 {
                fs::remove_file(env.project().join(output)).unwrap();
            }
        }
    }
}

#[test]
fn nothing_is_left_but_what_the_state_folder_may_keep() {
    let count = std::env::var("ZERTO_GUARD_SOAK").map_or(FEW, |count| count.parse().unwrap());
    let sim = Sim::builder()
        .vm(VmSpec::new("web01").vpg(VpgSpec::local("gold")).vpg(VpgSpec::local("silver")).guest(Guest::linux("web01")))
        .vm(VmSpec::new("db01").vpg(VpgSpec::local("bronze")))
        .settings(|s| s.token_life = Duration::from_secs(10))
        .start();
    sim.put_tag("gold", Duration::from_secs(120), TAG).unwrap();
    let env = home(&sim);
    fs::create_dir(env.path("tmp")).unwrap();
    let before = everything(&env.path(""));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let nr = next.fetch_add(1, Ordering::Relaxed);
                    if nr >= count {
                        break;
                    }
                    call(&env, nr);
                }
            });
        }
    });
    let state = env.state_dir();
    let inside = everything(&state);
    for path in &inside {
        let text = path.to_str().unwrap();
        let known = MAY_STAY.iter().any(|(kind, _)| text.starts_with(kind) || *kind == format!("{text}/"));
        assert!(known && !text.contains(".tmp"), "{text} was left in the state folder");
    }
    for (kind, most) in MAY_STAY {
        let those = inside.iter().filter(|path| path.to_str().unwrap().starts_with(kind)).count();
        assert!(those <= most, "{those} of {kind}, and {most} may stay");
    }
    let state = state.strip_prefix(env.path("")).unwrap().to_owned();
    let left: Vec<PathBuf> = everything(&env.path(""))
        .into_iter()
        .filter(|path| !before.contains(path) && !path.starts_with(&state) && !state.starts_with(path))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(sim.live_sessions().is_empty(), "{:?}", sim.live_sessions());
    assert!(
        sim.wait_until(Duration::from_secs(5), |sim| sim.connections().iter().all(|one| one.closed)),
        "open sockets"
    );
    // Each guarded call has its tag in each VPG: a tenth of all for db01 or web01, three times.
    let guarded = (0..count).filter(|nr| (6..=8).contains(&(nr % 10)));
    let (of_web, of_db): (Vec<usize>, Vec<usize>) = guarded.partition(|nr| nr.is_multiple_of(2));
    assert_eq!(
        (sim.tags("gold").len(), sim.tags("silver").len(), sim.tags("bronze").len()),
        (of_web.len() + 1, of_web.len(), of_db.len())
    );
}
