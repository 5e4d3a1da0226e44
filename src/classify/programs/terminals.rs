//! Other terminals that are told what to do from outside: `zellij`, `wezterm`, `kitty`; and small ones that hold a program:
//! `dtach`, `abduco`. Pure.

use super::carry::{self, report, words, writes};
use super::host;
use super::options::{self, Spec};
use super::typed;
use crate::classify::effect::{At, Command, Facts, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// The texts of the leading words, as far as they are known.
fn leading(words: &[Word]) -> Vec<&str> {
    words.iter().map_while(Word::known).collect()
}

/// What stands behind `--`; none without it.
fn behind_dashes(words: &[Word]) -> Option<&[Word]> {
    let at = words.iter().position(|word| word.known() == Some("--"))?;
    words.get(at + 1..)
}

fn asks_itself(words: &[Word]) -> bool {
    matches!(leading(words).as_slice(), ["--version" | "-V" | "--help" | "-h" | "help" | "-v" | "version", ..])
}

/// Judges a command of `zellij`.
#[must_use]
pub fn zellij(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    if all.is_empty() || asks_itself(all) {
        return Report::reads();
    }
    // Which session is meant stands before what is done.
    let all = match leading(all).as_slice() {
        ["-s" | "--session", _, ..] => all.get(2..).unwrap_or_default(),
        _ => all,
    };
    let texts = leading(all);
    match texts.as_slice() {
        [] if all.is_empty() => Report::reads(),
        ["list-sessions" | "ls" | "list-aliases" | "la" | "attach" | "a" | "watch", ..] => Report::reads(),
        [
            "setup",
            "--check" | "--dump-config" | "--dump-layout" | "--generate-completion" | "--dump-swap-layout",
            ..,
        ] => Report::reads(),
        [
            "kill-session" | "kill-all-sessions" | "delete-session" | "delete-all-sessions" | "k" | "ka" | "d" | "da",
            ..,
        ] => Report::changes("ends what runs in a terminal"),
        ["run" | "r", ..] | ["action" | "ac", "new-pane" | "new-tab", ..] => match behind_dashes(all) {
            Some(carried) => report(words(carried, At::Child, Stdin::Nothing)),
            None if texts.first() == Some(&"action") && texts.iter().all(|text| !text.contains("layout")) => {
                match texts.len() == all.len()
                    && texts.get(2..).unwrap_or_default().iter().all(|text| text.starts_with('-'))
                {
                    true => Report::reads(),
                    false => Report::unknown("what runs in the pane that it opens can't be told"),
                }
            }
            None => Report::unknown("what runs in the pane that it opens can't be told"),
        },
        ["action" | "ac", "write-chars", ..] => {
            let text = all.get(2..).unwrap_or_default().last().cloned().unwrap_or_default();
            report(typed::text(&text, "that is typed into"))
        }
        ["action" | "ac", "dump-screen", ..] => report(
            all.get(2..).unwrap_or_default().iter().filter_map(
                |word| {
                    if word.begins_with("-") { None } else { writes(word) }
                },
            ),
        ),
        [
            "action" | "ac",
            "list-clients"
            | "query-tab-names"
            | "dump-layout"
            | "move-focus"
            | "focus-next-pane"
            | "focus-previous-pane"
            | "go-to-tab"
            | "go-to-tab-name"
            | "go-to-next-tab"
            | "go-to-previous-tab"
            | "rename-pane"
            | "rename-tab"
            | "rename-session"
            | "resize"
            | "scroll-up"
            | "scroll-down"
            | "scroll-to-top"
            | "scroll-to-bottom"
            | "page-scroll-up"
            | "page-scroll-down"
            | "toggle-fullscreen"
            | "toggle-floating-panes"
            | "toggle-pane-frames"
            | "undo-rename-pane"
            | "undo-rename-tab"
            | "move-pane"
            | "move-tab"
            | "list-panes"
            | "list-tabs",
            ..,
        ] => Report::reads(),
        ["action" | "ac", "close-pane" | "close-tab", ..] => Report::changes("ends what runs in a terminal"),
        _ => Report::unknown("what zellij is told to do is not known"),
    }
}

/// Judges a command of `wezterm`.
#[must_use]
pub fn wezterm(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    if asks_itself(all) {
        return Report::reads();
    }
    let texts = leading(all);
    match texts.as_slice() {
        ["cli", "list" | "list-clients" | "get-text" | "get-pane-direction", ..]
        | ["ls-fonts" | "show-keys" | "imgcat", ..] => Report::reads(),
        [
            "cli",
            "activate-pane"
            | "activate-tab"
            | "activate-pane-direction"
            | "adjust-pane-size"
            | "zoom-pane"
            | "set-tab-title"
            | "set-window-title"
            | "rename-workspace"
            | "move-pane-to-new-tab",
            ..,
        ] => Report::reads(),
        ["cli", "kill-pane", ..] => Report::changes("ends what runs in a terminal"),
        ["cli", "send-text", ..] => {
            let spec = Spec { flags: "h", long_flags: &["no-paste", "help"], long_values: &["pane-id"], ..Spec::MIXED };
            match options::parse(all.get(2..).unwrap_or_default(), &spec) {
                Ok(parsed) => match parsed.operands.first() {
                    Some(text) => report(typed::text(text, "that is typed into")),
                    None => match &command.stdin {
                        Stdin::Text(text) => report(typed::text(text, "that is typed into")),
                        _ => report(typed::text(&Word::unknown(), "that is typed into")),
                    },
                },
                Err(why) => Report::unknown(why),
            }
        }
        ["cli", "spawn" | "split-pane", ..] | ["start", ..] => {
            let from = if texts.first() == Some(&"cli") { 2 } else { 1 };
            let spec = Spec {
                long_flags: &[
                    "new-window",
                    "horizontal",
                    "left",
                    "right",
                    "top",
                    "bottom",
                    "top-level",
                    "help",
                    "no-auto-connect",
                    "always-new-process",
                    "new-tab",
                ],
                long_values: &[
                    "pane-id",
                    "window-id",
                    "domain-name",
                    "cwd",
                    "workspace",
                    "cells",
                    "percent",
                    "move-pane-id",
                    "class",
                    "domain",
                    "position",
                ],
                ..Spec::CARRIER
            };
            match options::parse(all.get(from..).unwrap_or_default(), &spec) {
                // Another domain is another machine.
                Ok(parsed) if parsed.has(&["domain-name", "domain"]) => {
                    Report::unknown("on which machine that domain lies can't be told")
                }
                Ok(parsed) => report(words(&parsed.operands, At::Child, Stdin::Nothing)),
                Err(why) => Report::unknown(why),
            }
        }
        ["ssh", ..] => {
            let spec = Spec {
                flags: "vo",
                long_flags: &["verbose", "help"],
                long_values: &["class", "position"],
                ..Spec::CARRIER
            };
            let parsed = match options::parse(all.get(1..).unwrap_or_default(), &spec) {
                Ok(parsed) if !parsed.has(&["o"]) => parsed,
                Ok(_) => return Report::unknown("what its options for ssh do can't be told"),
                Err(why) => return Report::unknown(why),
            };
            let Some((target, rest)) = parsed.operands.split_first() else {
                return Report::unknown("it names no machine");
            };
            let host = host::host(&host::with_port(target).host);
            let what = match rest {
                [] => What::ShellStdin,
                rest => What::Shell { text: Word::joined(rest), arguments: vec![] },
            };
            Report::runs(Run { what, at: At::Hosts(vec![host]), stdin: Stdin::Nothing })
        }
        _ => Report::unknown("what wezterm is told to do is not known"),
    }
}

/// Judges a command of `kitty` or `kitten`.
#[must_use]
pub fn kitty(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    if asks_itself(all) {
        return Report::reads();
    }
    let remote = leading(all).first().is_some_and(|first| *first == "@");
    let spec = Spec {
        values: "mt",
        long_values: &["to", "match", "password", "use-password", "password-file"],
        ..Spec::CARRIER
    };
    let rest = all.get(1..).unwrap_or_default();
    let parsed = match options::parse(rest, &spec) {
        Ok(parsed) if remote => parsed,
        _ => return Report::unknown("what kitty is told to do is not known"),
    };
    match leading(&parsed.operands).as_slice() {
        [
            "ls"
            | "get-text"
            | "get-colors"
            | "focus-window"
            | "focus-tab"
            | "scroll-window"
            | "resize-window"
            | "set-tab-title"
            | "set-window-title"
            | "goto-layout"
            | "last-used-layout"
            | "set-font-size"
            | "set-background-opacity"
            | "set-colors"
            | "resize-os-window",
            ..,
        ] => Report::reads(),
        ["close-window" | "close-tab" | "signal-child", ..] => Report::changes("ends what runs in a terminal"),
        ["send-text" | "send-key", ..] => {
            let spec = Spec {
                values: "mt",
                long_flags: &["all", "exclude-active", "from-file", "stdin"],
                long_values: &["match", "match-tab", "bracketed-paste"],
                ..Spec::MIXED
            };
            match options::parse(parsed.operands.get(1..).unwrap_or_default(), &spec) {
                Ok(parsed) if !parsed.has(&["from-file", "stdin"]) => {
                    let mut text = Word::default();
                    parsed.operands.iter().for_each(|word| text.push_word(word));
                    report(typed::text(&text, "that is typed into"))
                }
                _ => report(typed::text(&Word::unknown(), "that is typed into")),
            }
        }
        _ => Report::unknown("what kitty is told to do is not known"),
    }
}

/// Judges a command of `dtach`: its letter, a socket, and a program.
#[must_use]
pub fn dtach(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    let (first, rest) = carry::first(all);
    match first.and_then(Word::known) {
        Some("--help" | "--version" | "-a") => Report::reads(),
        Some("-p") => report(typed::text(&Word::unknown(), "that is typed into")),
        Some("-A" | "-c" | "-n" | "-N") => {
            let carried = rest.get(1..).unwrap_or_default();
            match options::parse(carried, &Spec { flags: "Ez", values: "er", long_flags: &[], ..Spec::CARRIER }) {
                Ok(parsed) => report(words(&parsed.operands, At::Child, Stdin::Nothing)),
                Err(why) => Report::unknown(why),
            }
        }
        _ => Report::unknown("what it runs can't be told from its words"),
    }
}

/// Judges a command of `abduco`: without a name it lists.
#[must_use]
pub fn abduco(command: &Command, _: &Facts) -> Report {
    match options::parse(command.arguments(), &Spec { flags: "aAcnflqrvp", values: "e", ..Spec::CARRIER }) {
        Ok(parsed) if parsed.has(&["p"]) => report(typed::text(&Word::unknown(), "that is typed into")),
        Ok(parsed) => report(words(parsed.operands.get(1..).unwrap_or_default(), At::Child, Stdin::Nothing)),
        Err(why) => Report::unknown(why),
    }
}

#[cfg(test)]
#[path = "tests/terminals.rs"]
mod tests;
