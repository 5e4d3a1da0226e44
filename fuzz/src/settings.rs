//! Any text is an agent host's settings: installed and taken out again it is that text, byte for byte; in between the guard stands
//! there, once, and everything else where it was.

use super::ground::{first, text, within};
use zerto_guard::hosts::Host;
use zerto_guard::install::change::{Change, add, remove};
use zerto_guard::install::inspect::inspect;
use zerto_guard::install::{Entry, Form, Kind, Scope, recipe, shell_words};

const OWN: &str = "/usr/local/bin/zerto-guard";

/// Runs one input: a byte for host, scope and form, then the settings.
pub fn run(bytes: &[u8]) {
    let (which, bytes) = first(bytes);
    within(5, || any(which, text(bytes)));
}

fn any(which: u8, text: &str) {
    let host = Host::ALL[usize::from(which) % Host::ALL.len()];
    let scope = [Scope::User, Scope::Project, Scope::Managed][usize::from(which) / Host::ALL.len() % 3];
    let form = if host == Host::ClaudeCode && which >= 128 { Form::Exec } else { Form::Shell };
    let recipe = recipe(host);
    let kind = (recipe.kind)(scope);
    let arguments: Vec<String> = ["hook", "--host", host.name()].map(str::to_owned).to_vec();
    let entries: Vec<Entry> = recipe
        .events
        .iter()
        .map(|event| Entry { recipe, event, command: OWN.into(), arguments: arguments.clone(), timeout: 180, form })
        .collect();
    let _ = shell_words(text);
    let before = inspect(text, recipe, kind, OWN);
    let added = match add(Some(text), kind, &entries) {
        Ok(Change::Write(added)) => added,
        Ok(Change::None) => {
            assert!(before.unwrap().guards());
            return;
        }
        Ok(Change::Remove) => panic!("to install took the file away"),
        Err(why) => return assert!(!why.is_empty()),
    };
    let seen = inspect(&added, recipe, kind, OWN).unwrap_or_else(|why| panic!("{why}: {added}"));
    assert!(seen.guards(), "{added}");
    assert_eq!(add(Some(&added), kind, &entries), Ok(Change::None), "a second time: {added}");
    if kind == Kind::Script {
        return;
    }
    let before = before.unwrap_or_else(|why| panic!("what is put in can't be read before: {why}"));
    assert_eq!(seen.others.len(), before.others.len(), "{added}");
    // What stood there of ours is brought up to date, and is not what was before.
    if before.ours.is_empty() && before.misused.is_empty() && remove(text, recipe, kind, OWN) == Ok(Change::None) {
        assert_eq!(remove(&added, recipe, kind, OWN), Ok(Change::Write(text.to_owned())), "{added}");
        let mut rest = added.chars();
        assert!(text.chars().all(|old| rest.any(|new| new == old)), "{added}");
    } else {
        remove(&added, recipe, kind, OWN).unwrap();
    }
}
