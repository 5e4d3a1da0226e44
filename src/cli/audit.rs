//! `zerto-guard audit`: what was decided of the agents' calls, and how each ended.

use super::Context;
use super::moment::moment;
use crate::audit::{self, Call, Count, Decision, Filter, Line, Row, Story, Summary, stories, summary};
use crate::decide::Would;
use crate::state::{StateDir, StateError, counts};
use crate::text::{clean, foreign, path_text};
use crate::ui::{Failure, Printer, Tone, pager, table, terminal};
use clap::{Args, ValueEnum};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard audit --since 2d
  zerto-guard audit --vm web01 --json
  zerto-guard audit --summary --since 7d        # after a week of mode = \"observe\"

Newest first; times are UTC. ENDED says what the host told of a call that was let run: `not seen` is one whose end it did
not tell, since it or the user denied the call all the same, it was broken off or still runs, or there is no entry after
a call (see `zerto-guard doctor`). Calls that only read are not in it; while the guard only observes they are counted, for
--summary. It is this machine's and this user's log: docs/audit.md describes its format.
Exit codes: 0 listed, or there is nothing; 1 the log can't be read.")]
pub struct Audit {
    /// Not older: 90m, 2d, or 2026-09-21T15:00:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Not younger: 90m, 2d, or 2026-09-21T15:00:00Z
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Only calls that change this VM, or may change it: as the agent typed it, or as Zerto calls it
    #[arg(long, value_name = "VM")]
    vm: Option<String>,
    /// Only calls of this agent (claude) or host (claude-code)
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only calls with this verdict
    #[arg(long, value_enum)]
    verdict: Option<Verdict>,
    /// In figures: calls of each verdict, and the catalog entries that would spare questions
    #[arg(long)]
    summary: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Verdict {
    #[value(name = "read_only")]
    ReadOnly,
    Mutating,
    Unknown,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::Mutating => "mutating",
            Self::Unknown => "unknown",
        }
    }
}

impl Audit {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let now = Timestamp::now();
        let filter = Filter {
            since: self.since.map(|text| moment("--since", &text, now)).transpose()?,
            until: self.until.map(|text| moment("--until", &text, now)).transpose()?,
            vm: self.vm,
            agent: self.agent,
            verdict: self.verdict.map(|verdict| verdict.name().to_owned()),
        };
        let state = StateDir::at(context.files.state.clone());
        let read = audit::read(&state).map_err(failed)?;
        for (path, why) in &read.unread {
            context.printer.note(&format!("zerto-guard: {} was not read: {why}", path_text(path)));
        }
        if read.odd > 0 {
            let lines = if read.odd == 1 { "1 line" } else { &format!("{} lines", read.odd) };
            context.printer.note(&format!("zerto-guard: {lines} of the log can't be understood, and were left out"));
        }
        let mut stories = stories(read.lines);
        stories.retain(|story| filter.wants(story));
        if self.summary {
            let reading = reading(&state, &filter);
            let figures = summary(&stories);
            let text = summary_text(&figures, reading, &context.printer);
            let object = summary_object(&figures, reading, &filter);
            if context.printer.is_json() {
                context.printer.result("", &object)?;
            } else {
                pager::show(&text, &mut context.printer)?;
            }
            return Ok(0);
        }
        stories.reverse();
        if context.printer.is_json() {
            let objects: Vec<Value> = stories.iter().map(object).collect();
            context.printer.result("", &Value::Array(objects))?;
        } else if stories.is_empty() {
            context.printer.note("nothing; calls that only read are not written down");
        } else {
            let text = text(&stories, &context.printer);
            pager::show(&text, &mut context.printer)?;
        }
        Ok(0)
    }
}

fn failed(error: StateError) -> Failure {
    let hint = error.hint();
    Failure::new(1, error.to_string(), hint)
}

/// How many reading calls were counted; by the day, so that the days at both ends count whole. None where it is asked for
/// calls of one kind: of what was counted nothing else is known.
fn reading(state: &StateDir, filter: &Filter) -> Option<u64> {
    let Filter { since, until, vm: None, agent: None, verdict: None } = filter else { return None };
    let day = |time: &Timestamp| TimeZone::UTC.to_datetime(*time).date();
    let (since, until) = (since.as_ref().map(day), until.as_ref().map(day));
    let inside =
        |day: jiff::civil::Date| since.is_none_or(|since| day >= since) && until.is_none_or(|until| day <= until);
    Some(counts::counted(state).into_iter().filter(|(day, _)| inside(*day)).map(|(_, calls)| calls).sum())
}

fn text(stories: &[Story], printer: &Printer) -> String {
    let rows: Vec<Vec<String>> = stories.iter().map(row).collect();
    let whole = table::columns(&["TIME (UTC)", "AGENT", "VERDICT", "DECISION", "ENDED", "GUESTS", "WHAT"], &rows);
    let width = terminal::width();
    let mut lines = whole.lines().map(|line| terminal::cut(line, width));
    let head = lines.next().map(|line| printer.paint(Tone::Strong, &line)).unwrap_or_default();
    std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n")
}

fn row(story: &Story) -> Vec<String> {
    let time = story.time().strftime("%Y-%m-%d %H:%M:%S").to_string();
    let human = |decision: &str, what: String| {
        vec![time.clone(), "human".into(), "-".into(), decision.into(), "-".into(), "-".into(), what]
    };
    match story {
        Story::Call(call, ending) => of_call(time.clone(), call, decision(call), ending.shown()),
        Story::ByHand(call) if call.decision == Decision::Guarded => {
            of_call(time.clone(), call, "guarded by hand", "-")
        }
        Story::ByHand(call) => of_call(time.clone(), call, "not guarded", "-"),
        Story::Answer(answer) => {
            let vms = if answer.vms.is_empty() { String::new() } else { format!(" of {}", answer.vms.join(", ")) };
            let said = if answer.guard { "answered guard" } else { "answered unguarded" };
            let remembered = if answer.remembered { ", and so from now on" } else { "" };
            human(said, clean(&format!("{}{vms}{remembered}", answer.tool), 300))
        }
        Story::Pause(pause) => {
            human("pause", clean(&format!("until {}: {}", pause.until.strftime("%H:%M:%S"), pause.reason), 300))
        }
        Story::PauseEnded(_) => human("pause ended", String::new()),
    }
}

fn of_call(time: String, call: &Call, decision: &str, ended: &str) -> Vec<String> {
    let guests = if call.vms.is_empty() { &call.guests } else { &call.vms };
    let what = match call.decision {
        // The text names the tool.
        Decision::Stopped => call.reason.clone(),
        Decision::Guarded | Decision::Unguarded | Decision::Paused if !call.action.is_empty() => call.action.clone(),
        _ if call.action.is_empty() || call.action == call.tool => format!("{}: {}", call.tool, call.reason),
        _ => format!("{}: {}", call.action, call.reason),
    };
    vec![
        time,
        foreign(&call.agent, 24),
        call.verdict.as_deref().map_or_else(|| "-".into(), |verdict| clean(verdict, 12)),
        decision.to_owned(),
        ended.to_owned(),
        if guests.is_empty() { "-".into() } else { foreign(&guests.join(","), 40) },
        clean(&what, 500),
    ]
}

fn decision(call: &Call) -> &'static str {
    match (call.decision, call.would) {
        (Decision::Observed, Some(Would::Guard)) => "would guard",
        (Decision::Observed, Some(Would::Ask)) => "would ask",
        (Decision::Guarded, _) if call.rest_unguarded => "guarded in part",
        (Decision::Guarded, _) if call.reused => "guarded before",
        (decision, _) => decision.name(),
    }
}

/// A row for programs: the log's own line, and how the call ended.
fn object(story: &Story) -> Value {
    let (line, ending) = match story.clone() {
        Story::Call(call, ending) => (Line::Call(call), Some(ending)),
        Story::ByHand(call) => (Line::ByHand(call), None),
        Story::Answer(answer) => (Line::Answer(answer), None),
        Story::Pause(pause) => (Line::Pause(pause), None),
        Story::PauseEnded(time) => (Line::PauseEnded { time }, None),
    };
    let mut object = serde_json::to_value(line).unwrap_or_default();
    if let (Some(fields), Some(ending)) = (object.as_object_mut(), ending) {
        let took = if let audit::Ending::Seen(_, took) = ending { took } else { None };
        fields.insert("outcome".into(), json!(ending.name()));
        fields.insert("duration_ms".into(), json!(took));
    }
    object
}

/// Of entries and reasons, that many are shown to people.
const SHOWN: usize = 40;

fn summary_text(figures: &Summary, reading: Option<u64>, printer: &Printer) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    if let Some(calls) = reading.filter(|calls| *calls > 0) {
        let what = "ran; counted while the guard only observed".to_owned();
        rows.push(vec!["read_only".into(), calls.to_string(), what]);
    }
    for (verdict, row) in &figures.verdicts {
        let verdict = verdict.as_deref().map_or_else(|| "not judged".into(), |verdict| clean(verdict, 12));
        rows.push(vec![verdict, row.calls.to_string(), became(row)]);
    }
    if rows.is_empty() {
        return "no calls".to_owned();
    }
    let table = table::columns(&["VERDICT", "CALLS", "WHAT BECAME OF THEM"], &rows);
    let mut parts = vec![table];
    let list = |counts: &[Count]| {
        let width = terminal::width();
        let line = |count: &Count| terminal::cut(&format!("{:>6}  {}", count.calls, clean(&count.text, 500)), width);
        let mut lines: Vec<String> = counts.iter().take(SHOWN).map(line).collect();
        if counts.len() > SHOWN {
            lines.push(format!("        and {} more (--json has all)", counts.len() - SHOWN));
        }
        lines.join("\n")
    };
    if !figures.entries.is_empty() {
        let head = "Asked about, or would have been. If it is harmless, this says so for good:";
        parts.push(format!("{}\n{}", printer.paint(Tone::Strong, head), list(&figures.entries)));
    }
    if !figures.others.is_empty() {
        let head = "Asked about, or would have been, and no one entry says what it is:";
        parts.push(format!("{}\n{}", printer.paint(Tone::Strong, head), list(&figures.others)));
    }
    parts.join("\n\n")
}

/// What became of the calls of one verdict, in words.
fn became(row: &Row) -> String {
    let mut parts = Vec::new();
    for (decision, calls) in &row.decisions {
        match decision {
            Decision::Observed => {
                for (would, calls) in [("would be guarded", row.would_guard), ("would be asked about", row.would_ask)] {
                    if calls > 0 {
                        parts.push(format!("{calls} {would}"));
                    }
                }
            }
            Decision::Unguarded => parts.push(format!("{calls} unguarded as answered")),
            Decision::Paused => parts.push(format!("{calls} ran in a pause")),
            Decision::Prompted => parts.push(format!("{calls} left to the host's prompt")),
            Decision::Asked => parts.push(format!("{calls} asked about")),
            Decision::Guarded | Decision::Stopped => parts.push(format!("{calls} {}", decision.name())),
        }
    }
    let ends: Vec<String> = [("succeeded", row.succeeded), ("failed", row.failed), ("not seen to end", row.not_seen)]
        .into_iter()
        .filter(|(_, calls)| *calls > 0)
        .map(|(how, calls)| format!("{calls} {how}"))
        .collect();
    let ends = if ends.is_empty() { String::new() } else { format!("; of those that ran, {}", ends.join(", ")) };
    format!("{}{ends}", parts.join(", "))
}

fn summary_object(figures: &Summary, reading: Option<u64>, filter: &Filter) -> Value {
    let counts = |counts: &[Count], name: &str| -> Vec<Value> {
        counts.iter().map(|count| json!({"calls": count.calls, name: count.text})).collect()
    };
    let verdicts: serde_json::Map<String, Value> = figures
        .verdicts
        .iter()
        .map(|(verdict, row)| {
            let decisions: serde_json::Map<String, Value> =
                row.decisions.iter().map(|(decision, calls)| (decision.name().to_owned(), json!(calls))).collect();
            let object = json!({
                "calls": row.calls,
                "decisions": decisions,
                "would_guard": row.would_guard,
                "would_ask": row.would_ask,
                "outcomes": {"succeeded": row.succeeded, "failed": row.failed, "not_seen": row.not_seen},
            });
            (verdict.clone().unwrap_or_else(|| "not_judged".into()), object)
        })
        .collect();
    json!({
        "since": filter.since,
        "until": filter.until,
        "read_only_observed": reading,
        "verdicts": verdicts,
        "entries": counts(&figures.entries, "command"),
        "others": counts(&figures.others, "what"),
    })
}
