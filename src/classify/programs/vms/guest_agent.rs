//! What QEMU's agent in a guest is told, as JSON: what it only answers, and the program that it starts. Pure.

use super::{by_tools, changes, is_windows, unknown_in};
use crate::classify::effect::{At, Effect, Host, Report, Stdin};
use crate::classify::programs::carry;
use crate::classify::word::Word;
use crate::json::Json;

/// Judges one command to the agent of a virtual machine.
#[must_use]
pub fn judge(vm: Host, text: &Word) -> Report {
    let Some(json) = text.known().and_then(|text| Json::parse(text.trim().as_bytes()).ok()) else {
        return Report::of(unknown_in(vm, format!("what `{}` tells its agent can't be read", text.shown())));
    };
    let arguments = json.get("arguments");
    match json.text("execute") {
        Some("guest-exec") => match exec(arguments) {
            Some((words, stdin)) => carry::report(started(vm, &words, stdin)),
            None => Report::of(unknown_in(vm, "the program that its agent starts can't be read")),
        },
        Some(name) if only_answers(name, arguments) => Report::reads(),
        Some(name) => Report::of(changes(vec![vm], name)),
        None => Report::of(unknown_in(vm, "its agent is told nothing that is known")),
    }
}

/// A program that the agent starts, without a shell between.
#[must_use]
pub fn started(vm: Host, words: &[Word], stdin: Stdin) -> Vec<Effect> {
    if words.first().is_some_and(is_windows) {
        return by_tools(vm, words, stdin);
    }
    carry::words(words, At::Hosts(vec![vm]), stdin).into_iter().collect()
}

fn exec(arguments: Option<&Json>) -> Option<(Vec<Word>, Stdin)> {
    let arguments = arguments?;
    let mut words = vec![Word::known_as(arguments.text("path")?)];
    match arguments.get("arg") {
        None => {}
        Some(Json::List(list)) => {
            for word in list {
                words.push(Word::known_as(word.as_text()?));
            }
        }
        Some(_) => return None,
    }
    // A variable may choose what the program loads.
    match arguments.get("env") {
        None => {}
        Some(Json::List(list)) if list.is_empty() => {}
        Some(_) => return None,
    }
    let stdin = if arguments.get("input-data").is_some() { Stdin::Unknown } else { Stdin::Nothing };
    Some((words, stdin))
}

fn only_answers(name: &str, arguments: Option<&Json>) -> bool {
    match name {
        "guest-ping"
        | "guest-info"
        | "guest-sync"
        | "guest-sync-delimited"
        | "guest-network-get-interfaces"
        | "guest-network-get-route"
        | "guest-exec-status"
        | "guest-file-read"
        | "guest-file-seek"
        | "guest-file-close"
        | "guest-fsfreeze-status"
        | "guest-ssh-get-authorized-keys" => true,
        "guest-file-open" => {
            let mode = arguments.and_then(|arguments| arguments.get("mode"));
            mode.is_none_or(|mode| matches!(mode.as_text(), Some("r" | "rb")))
        }
        _ => name.starts_with("guest-get-"),
    }
}
