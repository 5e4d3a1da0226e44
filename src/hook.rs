//! The enforcer, from stdin to exit code.
//!
//! Owns: the order of the steps, and that each way out of them but a pass is a deny. Must not: judge, guard or know a
//! host's JSON itself.

pub mod args;
mod guarding;
mod question;

pub use question::random_word;

use crate::classify::classify;
use crate::classify::targets::Places;
use crate::config::Config;
use crate::config::files::Files;
use crate::decide::{Decision, Policy, decide};
use crate::fail_closed;
use crate::hosts::{self, Answer, Event, Host, Output};
use crate::json::Json;
use crate::surroundings::Disk;
use crate::text::clean;
use args::Args;
use std::ffi::OsString;
use std::io::Read;
use std::time::{Duration, Instant};

/// More than any host sends, and little enough to be read well within the deadline.
const MOST: u64 = 32 << 20;

/// The time in which a deny is still written, before the deadline's own timer ends the process.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Judges the pending call on `stdin` and guards it.
#[must_use]
pub fn run(arguments: &[OsString], stdin: impl Read, change: Option<String>, home: Option<OsString>) -> Output {
    let start = Instant::now();
    match enforce(arguments, stdin, change, home, start) {
        Ok((host, answer)) => hosts::answer(host, &answer),
        Err(text) => hosts::deny(&text),
    }
}

fn enforce(
    arguments: &[OsString],
    stdin: impl Read,
    change: Option<String>,
    home: Option<OsString>,
    start: Instant,
) -> Result<(Host, Answer), String> {
    let mut args =
        Args::parse(arguments).map_err(|why| not_judged(&why, "mend the hook's entry in the host's settings"))?;
    args.given.home = home.map(Into::into);
    let bytes = read_all(stdin)?;
    let json = Json::parse(&bytes).map_err(|error| {
        not_judged(&format!("the hook's input is not one JSON document ({})", clean(&error.to_string(), 200)), REPORT)
    })?;
    let (host, event) = hosts::read(args.host, json).map_err(|why| not_judged(&why, REPORT))?;
    let Event::Pending(call) = event else {
        return Ok((host, Answer::Pass));
    };
    const MEND: &str = "mend it in a terminal, which no hook watches";
    let files = Files::find(args.given.clone()).map_err(|fault| not_judged(&fault.0, MEND))?;
    let config = files.config().map_err(|fault| not_judged(&fault.0, MEND))?;
    let deadline = deadline(&config, &args, host);
    fail_closed::rearm(start, deadline);
    let catalog = files.catalog(call.cwd.as_deref()).map_err(|fault| not_judged(&fault.0, MEND))?;
    let known = classify(&call, &catalog, &places(&config), &Disk);
    let policy = Policy { unknown: config.guard.unknown, mode: config.guard.mode };
    let answer = match decide(&known, policy) {
        Decision::Pass => Answer::Pass,
        Decision::Observe(what) => observed(&call.name, &known.reason, what),
        Decision::Ask => {
            let id = question::new_id().map_err(|why| not_judged(&why, REPORT))?;
            Answer::Deny(question::text(&call, &known, &id, &args.given))
        }
        Decision::Guard => {
            let agent = config.guard.agent.as_deref().unwrap_or(host.agent());
            let end = crate::deadline::Deadline::from(start, deadline.saturating_sub(LAST_WORDS.min(deadline / 10)));
            let asking = guarding::Asking { agent, change: change.as_deref(), deadline: end };
            guarding::answer(&call, &known, &config, &files, &asking)
        }
    };
    Ok((host, answer))
}

const REPORT: &str = "if the agent host is a supported one, report this as a fault of zerto-guard";

fn not_judged(why: &str, now: &str) -> String {
    format!("stopped this call, since it could not be judged: {why}.\n{}.", capital(now))
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// All of stdin: nothing is decided before its end.
fn read_all(stdin: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(4096);
    stdin
        .take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| not_judged(&format!("the hook's input can't be read: {error}"), REPORT))?;
    if bytes.len() as u64 > MOST {
        return Err(not_judged(&format!("the hook's input is longer than {} MiB", MOST >> 20), REPORT));
    }
    Ok(bytes)
}

/// How long the call may be held: as set, but below the time after which the host lets it run.
fn deadline(config: &Config, args: &Args, host: Host) -> Duration {
    config.guard.deadline.min(below(args.host_timeout.unwrap_or(Duration::from_secs(host.default_timeout()))))
}

/// A deadline that lies below a host's time limit by a tenth, at most five seconds.
#[must_use]
pub fn below(host_timeout: Duration) -> Duration {
    host_timeout.saturating_sub((host_timeout / 10).min(Duration::from_secs(5)))
}

/// What a person has said of machines and folders, as judging wants it.
#[must_use]
pub fn places(config: &Config) -> Places {
    Places {
        hosts: config.hosts.clone(),
        unguarded: config.unguarded.clone(),
        mounts: config.mounts.clone(),
        this_vm: config.guard.this_vm.clone(),
    }
}

fn observed(name: &str, reason: &str, what: &str) -> Answer {
    let user = format!(
        "zerto-guard only observes (mode = \"observe\"): {} ran unguarded; enforced, it would have been {what}: {}.",
        clean(name, 120),
        clean(reason, 300)
    );
    Answer::Told { model: String::new(), user }
}
