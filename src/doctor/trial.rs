//! The installed entry, really run as the host would: broken input has to be stopped, a reading call has to pass.

use super::Check;
use super::hook::Settings;
use crate::hosts::Host;
use crate::process::{self, Ended};
use crate::text::clean;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Far more than a reading call takes.
const PATIENCE: Duration = Duration::from_secs(10);

/// How an entry is started.
pub(super) enum Start<'a> {
    /// The program with these arguments.
    Exec(&'a str, &'a [String]),
    /// This text by a shell.
    Shell(&'a str),
}

/// Runs it twice.
pub(super) fn run(name: &str, settings: &Settings, start: &Start, cwd: &Path) -> Check {
    let recipe = settings.recipe;
    let again = format!("Run the entry's command by hand; zerto-guard install {} writes it anew.", recipe.host.name());
    let call = (recipe.sample)(&cwd.to_string_lossy());
    let broken = match one(start, b"{ this is no call", cwd) {
        Ok(ended) => ended,
        Err(why) => return Check::fault(name, format!("the entry can't be started: {why}"), again),
    };
    // Cline goes by an answer.
    let cancelled = |ended: &Ended| recipe.host == Host::Cline && ended.stdout.starts_with("{\"cancel\":true");
    let stopped = code(&broken) == Some(2) && broken.stdout.is_empty();
    if !stopped && !cancelled(&broken) {
        let text = format!("a call that can't be read is not stopped: the entry {}", told(&broken));
        return Check::fault(name, text, again);
    }
    // Shell text ends with 2 without the program too; then the reading call is the one that fails.
    let reading = match one(start, format!("{call}\n").as_bytes(), cwd) {
        Ok(ended) => ended,
        Err(why) => return Check::fault(name, format!("the entry can't be started: {why}"), again),
    };
    // Some hosts want a word on stdout for a call that may run.
    let silent = reading.stdout.is_empty() || recipe.host != Host::ClaudeCode;
    if code(&reading) != Some(0) || !silent || reading.stdout.contains("\"cancel\":true") || !reading.stderr.is_empty()
    {
        let text = format!("a call that only reads does not pass in silence: the entry {}", told(&reading));
        return Check::fault(name, text, again);
    }
    Check::ok(name, "the entry was run: it stops a call that can't be read, and lets one that only reads pass")
}

fn one(start: &Start, stdin: &[u8], cwd: &Path) -> Result<Ended, String> {
    let mut command = match start {
        Start::Exec(program, arguments) => {
            let mut command = Command::new(program);
            command.args(*arguments);
            command
        }
        Start::Shell(text) => {
            let mut command = Command::new("/bin/sh");
            command.arg("-c").arg(text);
            command
        }
    };
    process::run(command.current_dir(cwd), stdin, PATIENCE).map_err(|error| error.to_string())
}

fn code(ended: &Ended) -> Option<i32> {
    ended.status.and_then(|status| status.code())
}

fn told(ended: &Ended) -> String {
    let how = match ended.status {
        None => format!("did not end within {} s", PATIENCE.as_secs()),
        Some(status) => {
            format!("ended with {}", status.code().map_or_else(|| status.to_string(), |code| code.to_string()))
        }
    };
    let said = clean(ended.stderr.trim(), 300);
    let printed = clean(ended.stdout.trim(), 100);
    match (said.is_empty(), printed.is_empty()) {
        (true, true) => how,
        (false, _) => format!("{how} and said: {said}"),
        (true, false) => format!("{how} and printed: {printed}"),
    }
}
