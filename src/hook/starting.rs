//! What is said as a session of the agent begins: whether the guard is on. One line, and nothing is decided.

use super::args::Args;
use crate::config::Mode;
use crate::config::files::Files;
use crate::hosts::{self, Host, Output};
use crate::state::StateDir;
use crate::state::pause::Pause;
use crate::text::clean;
use jiff::Timestamp;

/// The line for the user and the one for the model.
pub(super) fn said(args: &Args, host: Host, cwd: Option<&str>) -> Output {
    let (user, model) = match state(args, cwd) {
        Ok(State::On) => (
            "zerto-guard is on: a change of a guest waits for a Zerto tagged checkpoint, and an unknown call is asked about."
                .to_owned(),
            "zerto-guard is on: before a tool call changes a guest, a Zerto tagged checkpoint is inserted; a call that \
             is not known is stopped with a question, which you put to the human and don't answer yourself."
                .to_owned(),
        ),
        Ok(State::WithoutZvm) => {
            let text = "zerto-guard is on, but no ZVM is configured: every change of a guest is stopped.";
            (text.to_owned(), text.to_owned())
        }
        Ok(State::Observing) => {
            let text = "zerto-guard only observes (mode = \"observe\"): it judges and logs, and no checkpoint is inserted.";
            (text.to_owned(), text.to_owned())
        }
        Ok(State::Paused(pause)) => {
            let text = format!(
                "zerto-guard is paused until {} ({}): till then changes of guests run without a checkpoint.",
                pause.until.strftime("%H:%M:%S UTC"),
                clean(&pause.reason, 200)
            );
            (text.clone(), text)
        }
        Err(why) => {
            let text = format!("zerto-guard will stop every call: {}; a human has to mend it.", clean(&why, 300));
            (text.clone(), text)
        }
    };
    hosts::started(host, &user, &model)
}

enum State {
    On,
    WithoutZvm,
    Observing,
    Paused(Pause),
}

/// As the next call will find it.
fn state(args: &Args, cwd: Option<&str>) -> Result<State, String> {
    let files = Files::find(args.given.clone()).map_err(|fault| fault.0)?;
    let config = files.config().map_err(|fault| fault.0)?;
    files.catalog(cwd).map_err(|fault| fault.0)?;
    if config.guard.mode == Mode::Observe {
        return Ok(State::Observing);
    }
    let pause = Pause::current(&StateDir::at(files.state.clone()), Timestamp::now()).ok().flatten();
    Ok(match pause.filter(|_| !args.given.managed) {
        Some(pause) => State::Paused(pause),
        None if config.zvms.iter().any(|zvm| zvm.guards) => State::On,
        None => State::WithoutZvm,
    })
}
