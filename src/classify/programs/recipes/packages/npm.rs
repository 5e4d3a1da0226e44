//! Words of `npm`: which script of which package it is to run. Pure.

use super::super::elsewhere;
use super::{Call, call, report};
use crate::classify::effect::{Command, Facts, Report};
use crate::classify::programs::options::{self, Spec};
use crate::classify::word::Word;

const NPM: Spec = Spec {
    flags: "sdgq",
    values: "wC",
    long_flags: &[
        "silent",
        "quiet",
        "verbose",
        "workspaces",
        "ws",
        "include-workspace-root",
        "if-present",
        "ignore-scripts",
        "foreground-scripts",
        "no-color",
        "color",
        "no-audit",
        "no-fund",
        "offline",
        "prefer-offline",
        "json",
        "yes",
        "no-update-notifier",
        "no-progress",
        "progress",
        "timing",
        "force",
    ],
    long_values: &["workspace", "prefix", "loglevel", "cache", "registry", "omit", "include"],
    stops: true,
    glued: "",
    single_dash: false,
};

/// Settings of npm's that name a program to run, or other settings; npm takes a shorter form of each as well.
const NPM_CHOOSES: &[&str] =
    &["script-shell", "shell", "node-options", "userconfig", "globalconfig", "git", "editor", "viewer", "browser"];

pub(super) fn npm(command: &Command, facts: &Facts) -> Result<Option<Report>, String> {
    let Ok(parsed) = options::parse(command.arguments(), &NPM) else { return Ok(None) };
    let Some((verb, rest)) = parsed.operands.split_first() else { return Ok(None) };
    let Some(verb) = verb.known() else { return Ok(None) };
    let (mut operands, mut ws, mut all, mut if_present): (Vec<Word>, Vec<Word>, bool, bool) =
        (vec![], vec![], parsed.has(&["workspaces", "ws"]), parsed.has(&["if-present"]));
    ws.extend(parsed.values(&["w", "workspace"]).cloned());
    let mut folders: Vec<Word> = parsed.values(&["C", "prefix"]).cloned().collect();
    match verb {
        "run" | "run-script" | "rum" | "urn" | "test" | "t" | "tst" | "start" | "stop" | "restart" => {}
        _ => return Ok(None),
    }
    if !facts.own {
        return Ok(Some(elsewhere(command)));
    }
    let mut words = rest.iter();
    let mut behind = vec![];
    while let Some(word) = words.next() {
        let Some(text) = word.known() else {
            if word.may_be_option() {
                return Err(format!("whether `{}` is an option of npm's can't be told before it runs", word.shown()));
            }
            operands.push(word.clone());
            continue;
        };
        if text == "--" {
            behind.extend(words.by_ref().cloned());
            break;
        }
        let Some(name) = text.strip_prefix('-').filter(|name| !name.is_empty()) else {
            operands.push(word.clone());
            continue;
        };
        let name = name.trim_start_matches('-');
        let (name, glued) = match name.split_once('=') {
            Some((name, value)) => (name, Some(Word::from(value))),
            None => (name, None),
        };
        let mut value = || glued.clone().or_else(|| words.next().cloned()).ok_or("its last option has no value");
        match name.replace('_', "-").as_str() {
            "w" | "workspace" => ws.push(value()?),
            "C" | "prefix" => folders.push(value()?),
            "workspaces" | "ws" => all = true,
            "if-present" => if_present = true,
            "loglevel" | "cache" | "registry" | "omit" | "include" => {
                value()?;
            }
            flag if NPM.long_flags.contains(&flag) || matches!(flag, "s" | "d" | "q") => {}
            other => {
                let chooses = NPM_CHOOSES.iter().any(|setting| setting.starts_with(other));
                // npm takes what it doesn't know for a setting, perhaps with the next word as its value.
                let followed = glued.is_none() && words.clone().next().is_some_and(|next| !next.begins_with("-"));
                if chooses || followed {
                    return Err(format!("whether `{}` is meant for npm itself can't be told", word.shown()));
                }
            }
        }
    }
    let runs = matches!(verb, "run" | "run-script" | "rum" | "urn");
    let name = match (runs, verb) {
        (true, _) if operands.is_empty() => return Ok(None),
        (true, _) => operands.remove(0),
        (_, "t" | "tst") => Word::from("test"),
        (_, verb) => Word::from(verb),
    };
    operands.extend(behind);
    let folders: Vec<&Word> = folders.iter().collect();
    let mut call = call(facts, &folders, &name, operands)?;
    call.if_present = if_present || verb == "restart";
    if all || !ws.is_empty() {
        call.packages = Some(ws);
    }
    let mut done = report(&call, command, facts)?;
    if verb == "restart" && done.effects.len() <= 1 {
        for name in ["stop", "start"] {
            let call = Call {
                script: name.into(),
                if_present: true,
                arguments: vec![],
                ..self::call(facts, &folders, &"x".into(), vec![])?
            };
            done.effects.extend(report(&call, command, facts)?.effects);
        }
    }
    Ok(Some(done))
}
