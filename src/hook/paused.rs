//! A human has paused the guard: the call runs, and that is told and logged each time.

use super::Hook;
use crate::call::ToolCall;
use crate::hosts::Answer;
use crate::state::pause::Pause;
use crate::state::{StateDir, StateError, log};
use crate::text::clean;
use jiff::Timestamp;
use serde_json::json;

/// The answer while a pause is on; none else. A managed hook hears no pause: it is there for those who may not order one.
///
/// # Errors
/// A text for the deny: what runs unguarded and unlogged does not run.
pub(super) fn answer(hook: &Hook, call: &ToolCall) -> Result<Option<Answer>, String> {
    if hook.args.given.managed {
        return Ok(None);
    }
    let state = StateDir::at(hook.files.state.clone());
    let now = Timestamp::now();
    let failed = |error: StateError| {
        format!(
            "stopped {}: whether the guard is paused can't be told or logged, since {error}\n{}",
            clean(&call.name, 120),
            error.hint()
        )
    };
    let Some(pause) = Pause::current(&state, now).map_err(failed)? else {
        return Ok(None);
    };
    let name = clean(&call.name, 120);
    log::append(&state, &json!({"time": now, "event": "paused", "tool": name, "session": call.session, "id": call.id}))
        .map_err(failed)?;
    let text = format!(
        "zerto-guard is paused until {} ({}): {name} runs without a checkpoint, and Zerto cannot rewind what it changes.",
        pause.until.strftime("%H:%M:%S UTC"),
        clean(&pause.reason, 200)
    );
    Ok(Some(Answer::Told { model: text.clone(), user: text }))
}
