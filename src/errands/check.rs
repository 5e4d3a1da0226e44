//! The verdict for a tool call, and which entry of which layer decided.

use crate::call::{Tool, ToolCall};
use crate::catalog::Catalog;
use crate::classify::targets::Places;
use crate::classify::{Classification, DecidedBy, Part, Verdict, classify};
use crate::config::files::Files;
use crate::guard::redact;
use crate::json::Json;
use crate::surroundings::{Disk, places};
use crate::text::clean;
use crate::ui::{Failure, Paint, Tone};
use serde_json::{Value, json};

/// What judging needs besides the call.
pub struct Judge {
    /// Every layer of it.
    pub catalog: Catalog,
    places: Places,
    disk: Disk,
}

impl Judge {
    /// By these files, and the project's catalog above `cwd`.
    ///
    /// # Errors
    /// The config or a catalog is broken, or can't be trusted.
    pub fn new(files: &Files, cwd: Option<&str>) -> Result<Self, Failure> {
        Ok(Self {
            catalog: files.catalog(cwd).map_err(|fault| Failure::new(1, fault.0, ""))?,
            places: places(&super::config(files)?),
            disk: Disk { home: files.home.clone(), sessions: None },
        })
    }

    /// The verdict.
    #[must_use]
    pub fn judge(&self, call: &ToolCall) -> Classification {
        classify(call, &self.catalog, &self.places, &self.disk)
    }
}

/// The call of a tool by its name, and its server's where that is known.
#[must_use]
pub fn call(catalog: &Catalog, name: String, server: Option<String>, input: Json, cwd: Option<String>) -> ToolCall {
    let tool = match server {
        Some(server) if server.is_empty() => Tool::Own(name.clone()),
        Some(server) => Tool::OfServer { server, tool: name.clone() },
        None => match name.strip_prefix("mcp__") {
            Some(joined) => Tool::Joined(joined.to_owned()),
            None if catalog.find("", &name).base.is_some() => Tool::Own(name.clone()),
            None => Tool::OfSomeServer(name.clone()),
        },
    };
    ToolCall { tool, name, input, cwd, session: None, id: None, prompt: None, asks_human: false }
}

/// The verdict as scripts read it.
#[must_use]
pub fn verdict_object(known: &Classification) -> Value {
    let decided = decided_by(known.decided_by.as_ref());
    let commands: Vec<Value> = known
        .parts
        .iter()
        .map(|part| {
            json!({
                "text": part.text,
                "where": part.location,
                "verdict": part.verdict.name(),
                "reason": part.reason,
                "decided_by": decided_by(part.by.as_ref()),
                "understood_if": mend(part),
            })
        })
        .collect();
    json!({
        "verdict": known.verdict.name(),
        "reason": known.reason,
        "targets": known.targets,
        "action": redact(&known.action),
        "decided_by": decided,
        "understood_if": known.mend,
        "commands": commands,
    })
}

/// What would make an unknown part known.
fn mend(part: &Part) -> Option<String> {
    let entry = || Some(format!("{}, if it only reads", part.missing.as_ref()?.read_only()));
    part.mend.clone().or_else(entry)
}

fn decided_by(by: Option<&DecidedBy>) -> Value {
    by.map_or(Value::Null, |by| json!({"layer": by.layer.name(), "entry": by.entry}))
}

/// The verdict as people read it.
#[must_use]
pub fn explain(known: &Classification, paint: Paint) -> String {
    let verdict = paint.paint(tone(known.verdict), known.verdict.name());
    let mut text = format!("{verdict}: {}", clean(&known.reason, 400));
    if let Some(doubt) = &known.doubt {
        let verdict = paint.paint(tone(Verdict::Unknown), "a part of it unknown");
        text.push_str(&format!("\n  {verdict}: {}", clean(&doubt.reason, 400)));
    }
    let guests = known.guests();
    if !guests.is_empty() {
        let targets: Vec<_> = guests.iter().map(|target| clean(target, 120)).collect();
        text.push_str(&format!("\n  guests   {}", targets.join(", ")));
    }
    if known.verdict != Verdict::ReadOnly {
        text.push_str(&format!("\n  action   {}", clean(&redact(&known.action), 200)));
    }
    let by = match &known.decided_by {
        Some(by) => format!("{} catalog, {}", by.layer.name(), by.entry),
        None => "no entry of any catalog".into(),
    };
    text.push_str(&format!("\n  decided  {}", paint.paint(Tone::Faint, &by)));
    match tree(known, paint) {
        tree if !tree.is_empty() => text.push_str(&tree),
        _ => {
            for mend in known.parts.iter().filter_map(mend) {
                text.push_str(&format!("\n  to have it understood: {}", clean(&mend, 300)));
            }
        }
    }
    text
}

fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::ReadOnly => Tone::Good,
        Verdict::Unknown => Tone::Doubt,
        Verdict::Mutating => Tone::Bad,
    }
}

/// Each command of shell text, those that another one runs below it: its verdict, where it runs, and why if that matters.
fn tree(known: &Classification, paint: Paint) -> String {
    const SHOWN: usize = 60;
    let parts: Vec<_> = known.parts.iter().filter(|part| !part.text.is_empty()).collect();
    // A tool is no text, and has been explained above.
    if known.parts.len() < 2 && known.parts.iter().all(|part| part.by.is_some() && part.by == known.decided_by) {
        return String::new();
    }
    let mut text = String::new();
    for (nr, part) in parts.iter().take(SHOWN).enumerate() {
        let head = if nr == 0 { "commands" } else { "" };
        let indent = "  ".repeat(part.depth.min(20));
        let verdict = paint.paint(tone(part.verdict), &format!("{:9}", part.verdict.name()));
        let place =
            if part.location.is_empty() { String::new() } else { format!("  on {}", clean(&part.location, 60)) };
        let by = part.by.as_ref().map(|by| format!("  {}", paint.paint(Tone::Faint, &by.entry))).unwrap_or_default();
        text.push_str(&format!("\n  {head:8}  {indent}{verdict}  {}{place}{by}", clean(&part.text, 100)));
        // What runs others has its reason from them.
        let runs = parts.get(nr + 1).is_some_and(|next| next.depth > part.depth);
        if part.verdict != Verdict::ReadOnly && !runs {
            for line in [Some(part.reason.clone()), mend(part).map(|mend| format!("to have it understood: {mend}"))] {
                let Some(line) = line else { continue };
                let line = paint.paint(Tone::Faint, &clean(&line, 200));
                text.push_str(&format!("\n  {:8}  {indent}           {line}", ""));
            }
        }
    }
    let more = parts.len().saturating_sub(SHOWN);
    if more > 0 {
        text.push_str(&format!("\n            and {more} more"));
    }
    text
}
