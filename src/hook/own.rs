//! The guard's own commands as tool calls of an agent: the host's own prompt where that is a real one, else a deny.

use super::Hook;
use crate::call::ToolCall;
use crate::classify::Classification;
use crate::classify::own::{self, Alone, Command, Own};
use crate::hosts::Answer;
use crate::path::joined;
use crate::state::StateDir;
use crate::state::questions::{Question, Questions};
use crate::text::{clean, foreign};
use jiff::Timestamp;

/// The answer to a call that is, runs or holds something of our own; none for every other call.
pub(super) fn answer(hook: &Hook, call: &ToolCall, known: &Classification) -> Option<Answer> {
    let alone = match own::own(call, &hook.catalog, known)? {
        Own::Alone(alone) => alone,
        Own::Never(why) => return Some(Answer::Deny(refused(call, &why))),
        // What only looks like an id is none: documents may show one.
        Own::HoldsIds(ids) => {
            let open = ids.iter().any(|id| open_question(hook, id).is_some());
            return open.then(|| Answer::Deny(refused(call, "it holds the id of a question that is put to a human")));
        }
    };
    let effect = match effect(hook, call, &alone) {
        Ok(effect) => effect,
        Err(why) => return Some(Answer::Deny(refused(call, &why))),
    };
    if !call.asks_human {
        let why = format!("it is `{}`", alone.shown);
        return Some(Answer::Deny(match &alone.command {
            Command::Tool(tool) => {
                let by_hand = tool.by_hand.join(" ");
                let now = format!("Ask the human to do it in a terminal: `zerto-guard {by_hand}` does the same.");
                refused_but(call, &why, &now)
            }
            _ => refused(call, &why),
        }));
    }
    Some(Answer::Ask(format!("zerto-guard: the agent wants to run `{}`. {effect}", alone.shown)))
}

fn refused(call: &ToolCall, why: &str) -> String {
    refused_but(call, why, "Ask the human to run it in a terminal, or here with `!` before it.")
}

fn refused_but(call: &ToolCall, why: &str, now: &str) -> String {
    format!("stopped {}: {why}, and a human must run this.\n{now}", foreign(&call.name, 120))
}

fn open_question(hook: &Hook, id: &str) -> Option<Question> {
    let state = StateDir::at(hook.files.state.clone());
    if !state.path().join("questions").exists() {
        return None;
    }
    Questions::of(&state).ok()?.find(id, Timestamp::now()).ok()?
}

/// What the human is about to allow, or why no prompt could say it.
fn effect(hook: &Hook, call: &ToolCall, alone: &Alone) -> Result<String, String> {
    if alone.program.contains('/') && !is_this_program(&alone.program, call.cwd.as_deref()) {
        return Err(format!("{} is named like the guard, but is another program than this one", alone.program));
    }
    // With other files it would be another guard's question, catalog or state.
    let given = &hook.args.given;
    for (option, value) in &alone.places {
        let ours = match option.as_str() {
            "--config" => &given.config,
            "--catalog" => &given.catalog,
            _ => &given.state,
        };
        if ours.as_ref().is_none_or(|ours| ours.to_string_lossy() != value.as_str()) {
            return Err(format!("its `{option} {}` is not the one that this hook uses", clean(value, 200)));
        }
    }
    Ok(match &alone.command {
        Command::Answer { id, guard, vms, remember } => {
            let Some(asked) = open_question(hook, id) else {
                return Ok("That answers a question in your place, but no such question is open.".into());
            };
            let guests: Vec<String> = asked.guests.iter().chain(vms).map(|guest| foreign(guest, 80)).collect();
            let on = if guests.is_empty() { String::new() } else { format!(" of {}", guests.join(", ")) };
            let then = if *guard {
                format!("run once, after a tagged checkpoint{on}")
            } else {
                "run once WITHOUT a checkpoint: Zerto cannot rewind what it does".into()
            };
            let always = if *remember { ", and every later call of it is guarded without a question" } else { "" };
            format!(
                "Allow it, and {} may {then}{always}. It would run: {}",
                foreign(&asked.what, 120),
                clean(&asked.input, 300)
            )
        }
        Command::Catalog => CATALOG.into(),
        Command::Install => {
            "Allow it, and the agent host's settings are changed: whether calls are guarded at all depends on them."
                .into()
        }
        Command::Rewind(what) => rewind(what).into(),
        Command::Tool(tool) => match tool.by_hand {
            ["rewind", what] => rewind(what).into(),
            _ => CATALOG.into(),
        },
    })
}

/// What a change of the catalog comes to.
const CATALOG: &str =
    "Allow it, and your catalog is changed: later calls of that tool are judged by the new entry, without a question.";

fn rewind(what: &str) -> &'static str {
    match what {
        "end-session" => "Allow it, and a recovery session is ended, perhaps somebody else's.",
        "ls" | "cat" | "diff" | "recover" => {
            "Allow it, and a disk of the VM is mounted at the recovery site as it was at the tag, read, and unmounted."
        }
        _ => "Allow it, and the ZVM clones VMs, or starts or stops a failover test.",
    }
}

/// Whether a path leads to the program that runs as this hook: one that only has its name is the agent's own.
fn is_this_program(path: &str, cwd: Option<&str>) -> bool {
    let asked = joined(path, cwd).and_then(|path| std::fs::canonicalize(path).ok());
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    asked.is_some() && asked == own
}
