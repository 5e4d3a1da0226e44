//! `zerto-guard guard`: a guard by hand, for scripts and CI.

use super::Context;
use crate::audit::{self, Call, Line};
use crate::deadline::Deadline;
use crate::guard::{GuardError, Guarded, Request, appliance, guard, report};
use crate::state::StateDir;
use crate::text::{clean, printable};
use crate::ui::{Failure, Tone};
use clap::Args;
use jiff::Timestamp;
use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  zerto-guard guard --vm web01 --action \"upgrade nginx\" --change chg-412 && ./upgrade.sh\n\n\
Exit codes: 0 the tag stands in every taggable VPG; 1 it does not, or not in all; 3 no VM of that name is protected; \
4 it is more than one VM; 5 no VPG can be tagged now; 6 a ZVM can't be reached, is not trusted, or refused the login or the \
right."
)]
pub struct Guard {
    /// The VM: its name, its vmIdentifier, or a host name or address as an agent would use it; may be given more than once
    #[arg(long, required = true, value_name = "VM")]
    vm: Vec<String>,
    /// What is about to be done, for the tag
    #[arg(long, value_name = "TEXT")]
    action: String,
    /// The change it belongs to [default: ZERTO_GUARD_CHANGE, or an id of its own]
    #[arg(long, value_name = "ID")]
    change: Option<String>,
    /// Who does it, for the tag
    #[arg(long, value_name = "NAME", default_value = "cli")]
    agent: String,
}

impl Guard {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        if let Some(empty) =
            [("--vm", self.vm.iter().any(|vm| vm.trim().is_empty())), ("--action", self.action.trim().is_empty())]
                .into_iter()
                .find_map(|(option, empty)| empty.then_some(option))
        {
            return Err(Failure::new(
                64,
                format!("{option} is empty", option = empty),
                "Try `zerto-guard guard --help`.",
            ));
        }
        let config = context.config()?;
        let state = StateDir::at(context.files.state.clone());
        let deadline = Deadline::after(config.guard.deadline);
        let appliances = appliance::guarding(&config.zvms, &state, deadline)?;
        let change =
            self.change.or_else(|| std::env::var("ZERTO_GUARD_CHANGE").ok()).filter(|change| !change.is_empty());
        let change = match change {
            Some(change) => change,
            None => crate::state::random_word(8).map_err(|why| Failure::new(1, why, ""))?,
        };
        let request = Request {
            targets: &self.vm,
            hosts: &config.hosts,
            agent: &self.agent,
            action: &self.action,
            change: &change,
            reuse: config.guard.reuse,
            deadline,
            now: &Timestamp::now,
        };
        let waiting = format!("waiting for the checkpoint in {}", clean(&self.vm.join(", "), 80));
        let quiet = context.printer.is_json();
        let done = while_waiting(quiet, &waiting, Some(config.guard.deadline), || guard(&request, &appliances, &state));
        if let Err(error) = audit::append(&state, &Line::ByHand(Box::new(logged(&request, &done)))) {
            // Whether a tag stands is known all the same.
            context.printer.note(&format!("zerto-guard: this is not in the audit log: {error} {}", error.hint()));
        }
        match done {
            Ok(guarded) => {
                let stands = report::where_it_stands(&guarded);
                let text = format!("{}: {stands}\n{}", context.printer.paint(Tone::Good, "guarded"), guarded.tag);
                context.printer.result(&text, &report::object(&guarded))?;
                Ok(0)
            }
            Err(error) => {
                let code = error.exit_code();
                if context.printer.is_json() {
                    let object = report::failure_object(&error, &self.vm);
                    context.printer.result("", &object)?;
                    context.printer.note(&format!("zerto-guard: {error}\n{}", error.hint()));
                    return Ok(code);
                }
                Err(error.into())
            }
        }
    }
}

/// The audit log's line.
fn logged(request: &Request, done: &Result<Guarded, GuardError>) -> Call {
    let mut line = Call::new("cli", request.agent, "zerto-guard guard");
    line.guests = audit::texts(request.targets);
    line.action = audit::text(request.action);
    match done {
        Ok(guarded) => line.guarded(guarded),
        Err(error) => {
            line.reason = audit::text(&error.to_string());
            line.tag = error.tag().map(str::to_owned);
        }
    }
    line
}

/// Does the work, and says on stderr now and then that it is still going on; nothing where a program reads the output.
pub(super) fn while_waiting<T>(quiet: bool, what: &str, limit: Option<Duration>, work: impl FnOnce() -> T) -> T {
    let terminal = std::io::stderr().is_terminal();
    let pauses = if terminal { (2, 5) } else { (15, 15) };
    waiting(quiet, pauses, work, |waited| {
        let of = limit.map(|limit| format!(" of {} s", limit.as_secs())).unwrap_or_default();
        let _ = writeln!(std::io::stderr(), "still {} ({} s{of})", printable(what), waited.as_secs());
    })
}

/// Does the work, and calls `say` after the first of these pauses (in seconds) and then after each of the second.
fn waiting<T>(quiet: bool, pauses: (u64, u64), work: impl FnOnce() -> T, say: impl Fn(Duration) + Send) -> T {
    if quiet {
        return work();
    }
    thread::scope(|scope| {
        // Dropped when the work is over, a panic included, which ends the thread.
        let (_over, ended) = mpsc::channel::<()>();
        let began = Instant::now();
        let ticks = move || {
            let mut pause = pauses.0;
            while ended.recv_timeout(Duration::from_secs(pause)) == Err(RecvTimeoutError::Timeout) {
                say(began.elapsed());
                pause = pauses.1;
            }
        };
        // Without a thread the work is done all the same, only in silence.
        let _ = thread::Builder::new().spawn_scoped(scope, ticks);
        work()
    })
}

impl From<GuardError> for Failure {
    fn from(error: GuardError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn it_is_said_now_and_then_that_it_takes_long() {
        let said = AtomicUsize::new(0);
        let count = |_: Duration| {
            said.fetch_add(1, Ordering::Relaxed);
        };
        assert_eq!(waiting(false, (60, 60), || 7, count), 7);
        assert_eq!(
            waiting(
                true,
                (0, 1),
                || {
                    thread::sleep(Duration::from_millis(50));
                    7
                },
                count
            ),
            7
        );
        assert_eq!(said.load(Ordering::Relaxed), 0);
        waiting(false, (0, 60), || thread::sleep(Duration::from_millis(300)), count);
        assert_eq!(said.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_panic_ends_the_waiting_too() {
        let caught =
            std::panic::catch_unwind(|| waiting(false, (60, 60), || assert!(pause_is_short(), "on purpose"), |_| ()));
        assert!(caught.is_err());
    }

    fn pause_is_short() -> bool {
        false
    }
}
