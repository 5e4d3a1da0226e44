//! The guard's own commands as tool calls of an agent: the host's own prompt where that is a real one, else a deny.

use super::Hook;
use crate::call::ToolCall;
use crate::classify::own::{self, Own, ids};
use crate::hosts::Answer;
use crate::path::joined;
use crate::state::StateDir;
use crate::state::questions::Questions;
use crate::text::clean;
use jiff::Timestamp;

/// The answer to a call that is, runs or holds something of our own; none for every other call.
pub(super) fn answer(hook: &Hook, call: &ToolCall) -> Option<Answer> {
    let words = match own::own(call, &hook.catalog)? {
        Own::Never(why) => return Some(Answer::Deny(refused(call, &why))),
        Own::Alone(words) => words,
    };
    let shown = clean(&words.join(" "), 300);
    if let Some(program) = words.first().filter(|word| word.contains('/'))
        && !is_this_program(program, call.cwd.as_deref())
    {
        let why = format!("{} is named like the guard, but is another program than this one", clean(program, 200));
        return Some(Answer::Deny(refused(call, &why)));
    }
    if !call.asks_human {
        return Some(Answer::Deny(refused(call, &format!("it is `{shown}`"))));
    }
    Some(Answer::Ask(format!("zerto-guard: the agent wants to run `{shown}`. {}", effect(hook, &words))))
}

/// Whether a path leads to the program that runs as this hook: one that only has its name is the agent's own.
fn is_this_program(path: &str, cwd: Option<&str>) -> bool {
    let asked = joined(path, cwd).and_then(|path| std::fs::canonicalize(path).ok());
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    asked.is_some() && asked == own
}

fn refused(call: &ToolCall, why: &str) -> String {
    format!(
        "stopped {}: {why}, and a human must run this.\nAsk the human to run it in a terminal, or here with `!` before it.",
        clean(&call.name, 120)
    )
}

/// What the human is about to allow.
fn effect(hook: &Hook, words: &[String]) -> String {
    let has = |word: &str| words.iter().any(|w| w == word);
    if has("answer") {
        let asked = words.iter().flat_map(|word| ids(word)).next().and_then(|id| {
            let questions = Questions::of(&StateDir::at(hook.files.state.clone())).ok()?;
            questions.find(id, Timestamp::now()).ok()?
        });
        let Some(asked) = asked else {
            return "That answers a question in your place, but no such question is open.".into();
        };
        let guests = asked.guests.iter().map(|guest| clean(guest, 80)).collect::<Vec<_>>().join(", ");
        let on = if guests.is_empty() { String::new() } else { format!(" on {guests}") };
        let then = if has("unguarded") {
            "run once WITHOUT a checkpoint: Zerto cannot rewind what it does"
        } else {
            "run once, after a tagged checkpoint"
        };
        let always = if has("--remember") { ", and every later call of it is guarded without a question" } else { "" };
        return format!("Allow it, and {}{on} may {then}{always}.", clean(&asked.what, 120));
    }
    let effect = if has("catalog") {
        "Allow it, and your catalog is changed: later calls of that tool are judged by the new entry, without a question."
    } else if has("install") || has("uninstall") {
        "Allow it, and the agent host's settings are changed: whether calls are guarded at all depends on them."
    } else if has("end-session") || has("zerto_end_flr_session") {
        "Allow it, and a recovery session is ended, perhaps somebody else's."
    } else if has("recover") || has("zerto_recover_file") || has("ls") || has("cat") || has("diff") {
        "Allow it, and a disk of the VM is mounted at the recovery site as it was at the tag, read, and unmounted."
    } else {
        "Allow it, and the ZVM clones VMs or starts or stops a failover test."
    };
    effect.into()
}
