//! `zerto-guard check`: the verdict for a command or a tool call, and which entry of which layer decided.

use super::{Context, cwd};
use crate::call::{Tool, ToolCall};
use crate::catalog::Catalog;
use crate::classify::targets::Places;
use crate::classify::{Classification, DecidedBy, Part, Verdict, classify};
use crate::guard::redact;
use crate::json::Json;
use crate::surroundings::{Disk, places};
use crate::text::{clean, json_line, shell_word};
use crate::ui::{Failure, Printer, Tone};
use clap::Args;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard check -- ssh web01 uptime
  zerto-guard check --tool copy_file --server winrm --input '{\"host\": \"web01\"}'
  zerto-guard check --stdin < calls.jsonl        # {\"tool_name\", \"tool_input\", \"cwd\"?, \"mcp_server\"?} a line")]
pub struct Check {
    /// The tool's name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["command", "stdin"])]
    tool: Option<String>,
    /// The MCP server that has the tool
    #[arg(long, value_name = "NAME", requires = "tool")]
    server: Option<String>,
    /// The tool's input, a JSON object
    #[arg(long, value_name = "JSON", requires = "tool")]
    input: Option<String>,
    /// Read calls from stdin, one JSON object a line; print a verdict object a line, in the same order
    #[arg(long, conflicts_with = "command")]
    stdin: bool,
    /// The command: one argument is shell text, several are its words
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// What judging needs besides the call.
struct Judge {
    catalog: Catalog,
    places: Places,
    disk: Disk,
}

impl Check {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let cwd = cwd();
        let judge = Judge {
            catalog: context.catalog(cwd.as_deref())?,
            places: places(&context.config()?),
            disk: Disk { home: context.files.home.clone(), sessions: None },
        };
        if self.stdin {
            return stream(&judge, cwd.as_deref());
        }
        let call = match (self.tool, self.command.as_slice()) {
            (Some(name), _) => {
                let input = self.input.as_deref().unwrap_or("{}");
                let input =
                    Json::parse(input.as_bytes()).map_err(|error| usage(format!("--input is no JSON: {error}")))?;
                if !input.is_object() {
                    return Err(usage("--input is no JSON object"));
                }
                call(&judge.catalog, name, self.server, input, cwd)
            }
            (None, []) => return Err(usage("nothing to check: give -- COMMAND, --tool NAME or --stdin")),
            (None, [text]) => shell(text.clone(), cwd),
            (None, words) => shell(words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" "), cwd),
        };
        let known = judge.judge(&call);
        let text = explain(&known, &context.printer);
        context.printer.result(&text, &verdict_object(&known))?;
        Ok(0)
    }
}

impl Judge {
    fn judge(&self, call: &ToolCall) -> Classification {
        classify(call, &self.catalog, &self.places, &self.disk)
    }
}

fn usage(message: impl Into<String>) -> Failure {
    Failure::new(64, message, "Try `zerto-guard check --help`.")
}

/// The shell text as an agent's own shell tool would run it.
fn shell(text: String, cwd: Option<String>) -> ToolCall {
    let input = Json::Object(vec![("command".into(), Json::Text(text))]);
    ToolCall {
        tool: Tool::Own("Bash".into()),
        name: "Bash".into(),
        input,
        cwd,
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    }
}

fn call(catalog: &Catalog, name: String, server: Option<String>, input: Json, cwd: Option<String>) -> ToolCall {
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

/// A verdict object a line, in the order of the input; a line that can't be read is unknown, as it would be in the hook.
fn stream(judge: &Judge, cwd: Option<&str>) -> Result<u8, Failure> {
    const LONGEST: u64 = 32 << 20;
    let mut lines = BufReader::with_capacity(64 * 1024, std::io::stdin().lock());
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut code = 0;
    loop {
        // Whoever waits for an answer gets it at once; a long list of calls is not held up by each.
        if lines.buffer().is_empty() {
            out.flush()?;
        }
        let mut line = Vec::new();
        let read = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let read = read.map_err(|error| Failure::new(1, format!("stdin can't be read: {error}"), ""))?;
        if read == 0 {
            out.flush()?;
            return Ok(code);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let object = match parse_line(judge, &line, cwd) {
            Ok(call) => verdict_object(&judge.judge(&call)),
            Err(why) => {
                code = 1;
                json!({"verdict": Verdict::Unknown.name(), "reason": why, "targets": [], "action": "", "decided_by": null,
                    "commands": [], "error": why})
            }
        };
        writeln!(out, "{}", json_line(&object))?;
    }
}

fn parse_line(judge: &Judge, line: &[u8], cwd: Option<&str>) -> Result<ToolCall, String> {
    let json = Json::parse(line).map_err(|error| format!("the line is no JSON document: {error}"))?;
    let name = json.text("tool_name").filter(|name| !name.is_empty()).ok_or("the line has no tool_name")?.to_owned();
    let server = match json.get("mcp_server") {
        None | Some(Json::Null) => None,
        Some(Json::Text(name)) => Some(name.clone()),
        Some(server) => Some(server.text("name").ok_or("the mcp_server has no name")?.to_owned()),
    };
    let input = json.get("tool_input").cloned().unwrap_or(Json::Object(vec![]));
    if !input.is_object() {
        return Err("the tool_input is no JSON object".into());
    }
    let cwd = json.text("cwd").or(cwd).map(str::to_owned);
    // With its server named the tool may still carry the joined name.
    let name = match &server {
        Some(server) => {
            let joined = format!("mcp__{}__", crate::catalog::prepared::server_key(server));
            name.strip_prefix(&joined).map_or(name.clone(), str::to_owned)
        }
        None => name,
    };
    Ok(call(&judge.catalog, name, server, input, cwd))
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
fn explain(known: &Classification, printer: &Printer) -> String {
    let verdict = printer.paint(tone(known.verdict), known.verdict.name());
    let mut text = format!("{verdict}: {}", clean(&known.reason, 400));
    if let Some(doubt) = &known.doubt {
        let verdict = printer.paint(tone(Verdict::Unknown), "a part of it unknown");
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
    text.push_str(&format!("\n  decided  {}", printer.paint(Tone::Faint, &by)));
    match tree(known, printer) {
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
fn tree(known: &Classification, printer: &Printer) -> String {
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
        let verdict = printer.paint(tone(part.verdict), &format!("{:9}", part.verdict.name()));
        let place =
            if part.location.is_empty() { String::new() } else { format!("  on {}", clean(&part.location, 60)) };
        let by = part.by.as_ref().map(|by| format!("  {}", printer.paint(Tone::Faint, &by.entry))).unwrap_or_default();
        text.push_str(&format!("\n  {head:8}  {indent}{verdict}  {}{place}{by}", clean(&part.text, 100)));
        // What runs others has its reason from them.
        let runs = parts.get(nr + 1).is_some_and(|next| next.depth > part.depth);
        if part.verdict != Verdict::ReadOnly && !runs {
            for line in [Some(part.reason.clone()), mend(part).map(|mend| format!("to have it understood: {mend}"))] {
                let Some(line) = line else { continue };
                let line = printer.paint(Tone::Faint, &clean(&line, 200));
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
