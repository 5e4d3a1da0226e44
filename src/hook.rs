//! The enforcer, from stdin to exit code.
//!
//! Owns: the order of the steps, and that each way out of them but a pass is a deny. A call that has run is not judged: how it
//! ended is noted. Must not: judge, guard or know a host's JSON itself.

mod after;
pub mod args;
mod asking;
mod guarding;
mod noting;
mod own;
mod paused;
mod protect;
mod question;
mod record;
mod starting;
pub mod stdin;

use crate::audit::{Decision, How};
use crate::call::ToolCall;
use crate::catalog::Catalog;
use crate::classify::{Classification, Verdict, classify};
use crate::config::files::{ConfigFault, Files};
use crate::config::{Config, GuardConfig, Mode};
use crate::deadline::Deadline;
use crate::decide::{Decision as Wanted, Policy, Would, decide};
use crate::fail_closed;
use crate::hosts::{self, Answer, Event, Host, Output};
use crate::json::Json;
use crate::state::questions::Answer as Given;
use crate::state::sessions::Sessions;
use crate::state::{StateDir, counts};
use crate::surroundings::{Disk, places};
use crate::text::{clean, foreign};
use after::End;
use args::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use record::{Done, Said};
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

impl Hook<'_> {
    /// The agent's name in a tag.
    fn agent(&self) -> &str {
        self.config.guard.agent.as_deref().unwrap_or(self.host.agent())
    }

    fn state(&self) -> StateDir {
        StateDir::at(self.files.state.clone())
    }
}

/// Judges the pending call on `stdin` and guards it.
#[must_use]
pub fn run(arguments: &[OsString], stdin: impl Read, change: Option<String>, home: Option<OsString>) -> Output {
    let start = Instant::now();
    let args = Args::parse(arguments);
    // Which host is to be answered, as far as it is known.
    let mut host = args::host_in(arguments);
    // The host's time limit counts from the start, while stdin may take its time.
    let told = args.as_ref().ok().and_then(|args| args.host_timeout);
    if let Some(limit) = told.or_else(|| host.map(Host::time_limit)) {
        fail_closed::rearm(start, GuardConfig::default().deadline.min(below(limit)));
    }
    let outcome = read_all(stdin).and_then(|input| {
        let args = args.map_err(|why| not_judged(&why, ARGUMENTS))?;
        answered(args, &input, change.as_deref(), home, start, &mut host)
    });
    outcome.unwrap_or_else(|text| hosts::deny_to(host, &text))
}

/// What the host is told of what it has sent.
fn answered(
    mut args: Args,
    input: &[u8],
    change: Option<&str>,
    home: Option<OsString>,
    start: Instant,
    told: &mut Option<Host>,
) -> Result<Output, String> {
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
    if !matches!(event, Event::Pending(_)) {
        fail_closed::nothing_to_stop(start);
    }
    let end = |call: &ToolCall, how, took, response: Option<&Json>| {
        after::ended(&args, host, call, &End { how, took, response }, input);
    };
    match &event {
        Event::Pending(_) => {}
        Event::Answered { call, response, took } => end(call, How::Succeeded, *took, Some(response)),
        Event::Failed { call, interrupted: false, took } => end(call, How::Failed, *took, None),
        Event::Failed { call, interrupted: true, took } => end(call, How::Interrupted, *took, None),
        Event::Started { cwd } => return Ok(starting::said(&args, host, cwd.as_deref())),
        Event::Other => {}
    }
    let Event::Pending(mut call) = event else { return Ok(hosts::answer(host, &Answer::Pass)) };
    let files = Files::find(args.given.clone()).map_err(|fault| not_judged(&fault.0, MEND))?;
    let answer = enforce(args, files.clone(), host, &mut call, input, change, start).unwrap_or_else(|fault| {
        let text = not_judged(&fault.0, MEND);
        record::unjudged(&files, host, &call, input, &text);
        Answer::Deny(text)
    });
    Ok(hosts::answer(host, &answer))
}

/// Judges the call, does what is to be done about it, and writes that down.
fn enforce(
    args: Args,
    files: Files,
    host: Host,
    call: &mut ToolCall,
    input: &[u8],
    change: Option<&str>,
    start: Instant,
) -> Result<Answer, ConfigFault> {
    let config = files.config()?;
    let span = deadline(&config, &args, host);
    fail_closed::rearm(start, span);
    call.prompt = host.prompt(call, files.home.as_deref());
    let catalog = files.catalog(call.cwd.as_deref())?;
    let sessions = Sessions::of(StateDir::at(files.state.clone()), host.name(), call.session.as_deref());
    let disk = Disk { home: files.home.clone(), sessions: Some(sessions) };
    let known = classify(call, &catalog, &places(&config), &disk);
    let deadline = Deadline::from(start, span.saturating_sub(LAST_WORDS.min(span / 10)));
    let hook = Hook { host, args, files, config, catalog, input, change, deadline };
    let mut said = match own::answer(&hook, call, &known).or_else(|| protect::answer(&hook, call, &known)) {
        Some(answer @ Answer::Ask(_)) => Said::of(answer, Done::Plainly(Decision::Prompted)),
        Some(answer) => Said::stopped(answer),
        None => act(&hook, call, &known).unwrap_or_else(|text| Said::stopped(Answer::Deny(text))),
    };
    let taken = said.taken.take();
    if !matches!(said.answer, Answer::Deny(_))
        && let Err(text) = noting::opening(&hook, call, &known, &disk)
    {
        said = Said::stopped(Answer::Deny(text));
    }
    let answer = record::keep(&hook, call, &known, said);
    if let (Answer::Deny(_), Some(given)) = (&answer, &taken) {
        asking::give_back(&hook, call, &known, given);
    }
    Ok(answer)
}

/// Does what is to be done about the call's verdict.
fn act(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<Said, String> {
    let policy = Policy { unknown: hook.config.guard.unknown, mode: hook.config.guard.mode };
    let wanted = decide(known, policy);
    if matches!(wanted, Wanted::Guard | Wanted::Ask)
        && let Some(answer) = paused::answer(hook, call)?
    {
        return Ok(Said::of(answer, Done::Plainly(Decision::Paused)));
    }
    Ok(match wanted {
        Wanted::Pass => {
            if policy.mode == Mode::Observe {
                // What can't be counted runs all the same, as everything does that is only observed.
                let _ = counts::count(&hook.state(), TimeZone::UTC.to_datetime(Timestamp::now()).date());
            }
            Said::of(Answer::Pass, Done::Passed)
        }
        Wanted::Observe(would) => Said::of(observed(&call.name, &known.reason, would), Done::Observed(would)),
        Wanted::Guard => guarding::answer(hook, call, known, &known.guests()),
        Wanted::Ask => match asking::given(hook, call, known)? {
            None => asking::ask(hook, call, known),
            Some(given) => Said { taken: Some(given.clone()), ..as_answered(hook, call, known, &given) },
        },
    })
}

/// Does what a human has answered.
fn as_answered(hook: &Hook, call: &ToolCall, known: &Classification, given: &Given) -> Said {
    if given.guard {
        // What the call itself names is guarded whatever the human adds.
        let named = known.guests();
        let more = given.vms.iter().filter(|vm| !named.contains(vm));
        let guests: Vec<String> = named.iter().chain(more).cloned().collect();
        return guarding::answer(hook, call, known, &guests);
    }
    // What is known to be a change is guarded whatever a human says of the rest.
    if known.verdict == Verdict::Mutating && !known.targets.is_empty() {
        return but_the_rest(guarding::answer(hook, call, known, &known.targets));
    }
    Said::of(unguarded(&call.name), Done::Plainly(Decision::Unguarded))
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
    let mut bytes = Vec::with_capacity(1024);
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
    config.guard.deadline.min(below(args.host_timeout.unwrap_or(host.time_limit())))
}

/// A deadline that lies below a host's time limit by a tenth, at most five seconds.
#[must_use]
pub fn below(host_timeout: Duration) -> Duration {
    host_timeout.saturating_sub((host_timeout / 10).min(Duration::from_secs(5)))
}

/// A call that a human has let run without a checkpoint.
fn unguarded(name: &str) -> Answer {
    let name = foreign(name, 120);
    Answer::Told {
        model: format!(
            "zerto-guard: a human let this call of {name} run unguarded: Zerto cannot rewind what it changes."
        ),
        user: format!("zerto-guard: {name} runs unguarded, as you answered: Zerto cannot rewind what it changes."),
    }
}

/// A guarded call of which a human has let a part run without a checkpoint.
fn but_the_rest(mut said: Said) -> Said {
    const REST: &str = "What else it does runs unguarded, as a human answered: Zerto cannot rewind that.";
    if let (Answer::Told { model, user }, Done::Guarded { rest_unguarded, .. }) = (&mut said.answer, &mut said.done) {
        *rest_unguarded = true;
        // The tag is the rest of its line.
        *model = format!("{model}\n{REST}");
        *user = format!("{user}\n{REST}");
    }
    said
}

fn observed(name: &str, reason: &str, would: Would) -> Answer {
    let what = match would {
        Would::Guard => "guarded by a tagged checkpoint first",
        Would::Ask => "stopped with a question",
    };
    let user = format!(
        "zerto-guard only observes (mode = \"observe\"): {} runs unguarded; enforced, it would have been {what}: {}.",
        foreign(name, 120),
        clean(reason, 300)
    );
    Answer::Told { model: String::new(), user }
}
