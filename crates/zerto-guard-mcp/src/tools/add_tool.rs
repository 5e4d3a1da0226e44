//! What a tool does, written into the user's catalog.

use super::{Hints, Spec, filled, given, input, some};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use crate::consent::Without;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use zerto_guard::catalog::model::{Owner, Rule};
use zerto_guard::errands::catalog::{Addition, add_confirmed};

pub const MUTATING: Spec = Spec {
    name: "zerto_add_mutating_tool",
    title: "Remember that a tool changes servers",
    description: "Use it when the human has said that a tool changes servers and wants that remembered: it writes the tool into the human's \
        catalog, so that zerto_check_tool, and zerto-guard's hooks, take it for mutating from then on. A human has to say yes.",
    hints: Hints { read_only: false, destructive: false, idempotent: true, open_world: false },
    input: input::<Mutating>,
    output: written,
    run: mutating,
};

pub const READ_ONLY: Spec = Spec {
    name: "zerto_add_read_only_tool",
    title: "Remember that a tool only reads",
    description: "Use it when the human has said that a tool changes no server and wants that remembered: it writes the tool into the human's \
        catalog, so that it runs without a checkpoint and without a question from then on, wherever zerto-guard judges. A human has to \
        say yes.",
    hints: Hints { read_only: false, destructive: true, idempotent: true, open_world: false },
    input: input::<ReadOnly>,
    output: written,
    run: read_only,
};

fn written() -> Value {
    json!({
        "file": {"type": "string"}, "table": {"type": "string"}, "verdict": {"type": "string"},
        "entries": {"type": "array", "items": {"type": "string"}},
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Mutating {
    /// The MCP server that has the tool, as it is configured in this client; empty for a tool of the client itself
    server: String,
    /// The tool's name
    tool: String,
    /// The argument of the tool that names the guest VM, if it has one
    vm_argument: Option<String>,
    /// Not believed: the human is asked by the client, or runs the command line that is answered
    #[serde(default)]
    #[expect(dead_code, reason = "the human is asked all the same")]
    confirmed: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadOnly {
    /// The MCP server that has the tool, as it is configured in this client; empty for a tool of the client itself
    server: String,
    /// The tool's name
    tool: String,
    /// Not believed: the human is asked by the client, or runs the command line that is answered
    #[serde(default)]
    #[expect(dead_code, reason = "the human is asked all the same")]
    confirmed: bool,
}

fn mutating(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let arguments: Mutating = given(arguments)?;
    let vm = some(arguments.vm_argument.as_ref());
    let rule = Rule::Mutating { vm: vm.as_deref().unwrap_or_default(), action: "" };
    let option = [("--vm", vm.as_deref())];
    add(call, &arguments.server, filled("tool", &arguments.tool)?, rule, "--mutating", &option)
}

fn read_only(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let arguments: ReadOnly = given(arguments)?;
    add(call, &arguments.server, filled("tool", &arguments.tool)?, Rule::ReadOnly, "--read-only", &[])
}

fn add(
    call: &Arc<Call>,
    server: &str,
    tool: &str,
    rule: Rule,
    verdict: &str,
    more: &[(&str, Option<&str>)],
) -> Result<Answer, Refused> {
    let server = server.trim();
    let line = call.command(&["catalog", "add", "--server", server, "--tool", tool, verdict], more);
    let front = call.front(Without::Command(line));
    let addition = Addition { owner: Owner::Server(server), patterns: &[tool], rule };
    let done = add_confirmed(front.as_ref(), &call.files, &addition)?;
    Ok(Answer::new(done, "zerto_check_tool answers by it from now on."))
}
