//! `zerto-guard check`: the verdict for a command or a tool call, and which entry of which layer decided.

use super::{Context, cwd};
use crate::call::{Tool, ToolCall};
use crate::classify::Verdict;
use crate::errands::check::{Judge, call, explain, verdict_object};
use crate::json::Json;
use crate::text::{json_line, shell_word};
use crate::ui::Failure;
use clap::Args;
use serde_json::json;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard check -- ssh web01 uptime
  zerto-guard check --tool copy_file --server winrm --input '{\"host\": \"web01\"}'
  zerto-guard check --stdin < calls.jsonl        # {\"tool_name\", \"tool_input\", \"cwd\"?, \"mcp_server\"?} a line

Exit codes: 0 judged, whatever the verdict; 1 a config, a catalog or a line of --stdin can't be read; 64 usage.")]
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

impl Check {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let cwd = cwd();
        let judge = Judge::new(&context.files, cwd.as_deref())?;
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
        let text = explain(&known, context.printer.colours());
        context.printer.result(&text, &verdict_object(&known))?;
        Ok(0)
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
