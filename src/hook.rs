//! The enforcer, from stdin to exit code.
//!
//! Owns: the order of the steps, and that each way out of them but a pass is a deny. A call that has run is not judged: its
//! answer is looked at for the id of a session. Must not: judge, guard or know a
//! host's JSON itself.

pub mod args;
mod asking;
mod guarding;
mod noting;
mod own;
mod paused;
mod protect;
mod question;

use crate::call::ToolCall;
use crate::catalog::Catalog;
use crate::classify::{Classification, Verdict, classify};
use crate::config::files::Files;
use crate::config::{Config, GuardConfig};
use crate::deadline::Deadline;
use crate::decide::{Decision, Policy, decide};
use crate::fail_closed;
use crate::hosts::{self, Answer, Event, Host, Output};
use crate::json::Json;
use crate::state::StateDir;
use crate::state::sessions::Sessions;
use crate::surroundings::{Disk, places};
use crate::text::clean;
use args::Args;
use std::ffi::OsString;
use std::io::Read;
use std::time::{Duration, Instant};

/// More than any host sends, and little enough to be read well within the deadline.
const MOST: u64 = 32 << 20;

/// The time in which a deny is still written, before the deadline's own timer ends the process.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What a run of the hook knows besides the call.
struct Hook<'a> {
    host: Host,
    args: Args,
    files: Files,
    config: Config,
    catalog: Catalog,
    /// The host's JSON as it came.
    input: &'a [u8],
    change: Option<&'a str>,
    deadline: Deadline,
}

/// Judges the pending call on `stdin` and guards it.
#[must_use]
pub fn run(arguments: &[OsString], stdin: impl Read, change: Option<String>, home: Option<OsString>) -> Output {
    let start = Instant::now();
    let args = Args::parse(arguments);
    // The host's time limit counts from the start, while stdin may take its time.
    if let Some(limit) = args.as_ref().ok().and_then(|args| args.host_timeout) {
        fail_closed::rearm(start, GuardConfig::default().deadline.min(below(limit)));
    }
    // Which host is to be answered, as far as it is known.
    let mut host = args::host_in(arguments);
    let outcome = read_all(stdin).and_then(|input| {
        let args = args.map_err(|why| not_judged(&why, ARGUMENTS))?;
        enforce(args, &input, change.as_deref(), home, start, &mut host)
    });
    match outcome {
        Ok((host, answer)) => hosts::answer(host, &answer),
        Err(text) => hosts::deny_to(host, &text),
    }
}

fn enforce(
    mut args: Args,
    input: &[u8],
    change: Option<&str>,
    home: Option<OsString>,
    start: Instant,
    told: &mut Option<Host>,
) -> Result<(Host, Answer), String> {
    args.given.home = home.map(Into::into);
    if input.iter().all(u8::is_ascii_whitespace) {
        return Err(not_judged("nothing came on stdin", REPORT));
    }
    let json = Json::parse(input).map_err(|error| {
        not_judged(&format!("the hook's input is not one JSON document ({})", clean(&error.to_string(), 200)), REPORT)
    })?;
    let read = hosts::read(args.host, json);
    *told = read.as_ref().map_or_else(|(host, _)| *host, |(host, _)| Some(*host));
    fail_closed::speak_to(*told);
    let (host, event) = read.map_err(|(_, why)| not_judged(&why, REPORT))?;
    let mut call = match event {
        Event::Pending(call) => call,
        Event::Answered { call, response } => {
            noting::note(&args, host, &call, &response);
            return Ok((host, Answer::Pass));
        }
        Event::Other => return Ok((host, Answer::Pass)),
    };
    let files = Files::find(args.given.clone()).map_err(|fault| not_judged(&fault.0, MEND))?;
    let config = files.config().map_err(|fault| not_judged(&fault.0, MEND))?;
    let span = deadline(&config, &args, host);
    fail_closed::rearm(start, span);
    call.prompt = host.prompt(&call, files.home.as_deref());
    let catalog = files.catalog(call.cwd.as_deref()).map_err(|fault| not_judged(&fault.0, MEND))?;
    let sessions = Sessions::of(StateDir::at(files.state.clone()), host.name(), call.session.as_deref());
    let disk = Disk { home: files.home.clone(), sessions: Some(sessions) };
    let known = classify(&call, &catalog, &places(&config), &disk);
    let deadline = Deadline::from(start, span.saturating_sub(LAST_WORDS.min(span / 10)));
    let hook = Hook { host, args, files, config, catalog, input, change, deadline };
    let answer = match own::answer(&hook, &call, &known).or_else(|| protect::answer(&hook, &call, &known)) {
        Some(answer) => answer,
        None => act(&hook, &call, &known)?,
    };
    Ok((host, answer))
}

/// Does what is to be done about the call's verdict.
fn act(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<Answer, String> {
    let policy = Policy { unknown: hook.config.guard.unknown, mode: hook.config.guard.mode };
    let decision = decide(known, policy);
    if matches!(decision, Decision::Guard | Decision::Ask)
        && let Some(answer) = paused::answer(hook, call)?
    {
        return Ok(answer);
    }
    Ok(match decision {
        Decision::Pass => Answer::Pass,
        Decision::Observe(what) => observed(&call.name, &known.reason, what),
        Decision::Guard => guarding::answer(hook, call, known, &known.guests()),
        Decision::Ask => match asking::given(hook, call, known)? {
            None => asking::ask(hook, call, known),
            Some(given) if given.guard => {
                // What the call itself names is guarded whatever the human adds.
                let named = known.guests();
                let more = given.vms.iter().filter(|vm| !named.contains(vm));
                let guests: Vec<String> = named.iter().chain(more).cloned().collect();
                let answer = guarding::answer(hook, call, known, &guests);
                if matches!(answer, Answer::Deny(_)) {
                    asking::give_back(hook, call, known, &given);
                }
                answer
            }
            // What is known to be a change is guarded whatever a human says of the rest.
            Some(given) if known.verdict == Verdict::Mutating && !known.targets.is_empty() => {
                let answer = guarding::answer(hook, call, known, &known.targets);
                if matches!(answer, Answer::Deny(_)) {
                    asking::give_back(hook, call, known, &given);
                }
                but_the_rest(answer)
            }
            Some(_) => unguarded(&call.name),
        },
    })
}

const MEND: &str = "mend it in a terminal, which no hook watches";
const ARGUMENTS: &str = "see `zerto-guard help hook`, and mend the hook's entry in the host's settings";
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

/// A call that a human has let run without a checkpoint.
fn unguarded(name: &str) -> Answer {
    let name = clean(name, 120);
    Answer::Told {
        model: format!(
            "zerto-guard: a human let this call of {name} run unguarded: Zerto cannot rewind what it changes."
        ),
        user: format!("zerto-guard: {name} runs unguarded, as you answered: Zerto cannot rewind what it changes."),
    }
}

/// A guarded call of which a human has let a part run without a checkpoint.
fn but_the_rest(answer: Answer) -> Answer {
    const REST: &str = "What else it does runs unguarded, as a human answered: Zerto cannot rewind that.";
    match answer {
        Answer::Told { model, user } => {
            Answer::Told { model: format!("{model} {REST}"), user: format!("{user} {REST}") }
        }
        other => other,
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
