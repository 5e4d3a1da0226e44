//! A human has paused the guard: the call runs, and that is told each time.

use super::Hook;
use crate::call::ToolCall;
use crate::hosts::Answer;
use crate::state::pause::Pause;
use crate::state::{StateDir, StateError};
use crate::text::{clean, foreign};
use jiff::Timestamp;

/// The answer while a pause is on; none else. A managed hook hears no pause: it is there for those who may not order one.
///
/// # Errors
/// A text for the deny: whether there is a pause can't be told.
pub(super) fn answer(hook: &Hook, call: &ToolCall) -> Result<Option<Answer>, String> {
    if hook.args.given.managed {
        return Ok(None);
    }
    let state = StateDir::at(hook.files.state.clone());
    let now = Timestamp::now();
    let failed = |error: StateError| {
        format!(
            "stopped {}: whether the guard is paused can't be told, since {error}\n{}",
            foreign(&call.name, 120),
            error.hint()
        )
    };
    let Some(pause) = Pause::current(&state, now).map_err(failed)? else {
        return Ok(None);
    };
    let name = foreign(&call.name, 120);
    let text = format!(
        "zerto-guard is paused until {} ({}): {name} runs without a checkpoint, and Zerto cannot rewind what it changes.",
        pause.until.strftime("%H:%M:%S UTC"),
        clean(&pause.reason, 200)
    );
    Ok(Some(Answer::Told { model: text.clone(), user: text }))
}
