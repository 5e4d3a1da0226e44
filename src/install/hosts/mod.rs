//! One file an agent host: where its settings are and how they hold a hook, each with the document that says so. A new
//! host is a new file here and a line in [`recipe`].

mod claude_code;
mod cline;
mod codex;
mod copilot_cli;
mod cursor;
mod droid;
mod gemini_cli;
mod kiro;
mod opencode;
mod qwen;
mod vscode;
mod windsurf;

use super::Scope;
use super::recipe::{Event, Fields, Fixed, Kind, NoPlace, Recipe, Unit, Waits};
use crate::hosts::Host;
use std::path::PathBuf;

/// What is known of the host's settings.
#[must_use]
pub fn recipe(host: Host) -> &'static Recipe {
    match host {
        Host::ClaudeCode => &claude_code::RECIPE,
        Host::Codex => &codex::RECIPE,
        Host::GeminiCli => &gemini_cli::RECIPE,
        Host::CopilotCli => &copilot_cli::RECIPE,
        Host::VsCode => &vscode::RECIPE,
        Host::Cursor => &cursor::RECIPE,
        Host::Windsurf => &windsurf::RECIPE,
        Host::Qwen => &qwen::RECIPE,
        Host::Droid => &droid::RECIPE,
        Host::Kiro => &kiro::RECIPE,
        Host::Cline => &cline::RECIPE,
        Host::OpenCode => &opencode::RECIPE,
    }
}

/// Those of all hosts.
pub fn recipes() -> impl Iterator<Item = &'static Recipe> {
    Host::ALL.into_iter().map(recipe)
}

/// What is shown while a call is judged.
const STATUS: &str = "zerto-guard: judging this call";

/// The fields of Claude Code, which others took over.
const CLAUDE_LIKE: Fields = Fields {
    typed: true,
    command: "command",
    timeout: &["timeout"],
    unit: Unit::Seconds,
    more: &[("statusMessage", Fixed::Text(STATUS))],
};

/// What is so with most hosts.
const COMMON: Recipe = Recipe {
    host: Host::ClaudeCode,
    title: "",
    variables: &[],
    place: |_, _| Err(NoPlace::NoHome),
    rival: |_, _| None,
    kind: |_| Kind::Grouped,
    events: &[],
    fields: CLAUDE_LIKE,
    version: None,
    strict: false,
    says_host: true,
    waits: Waits::AsSet(60),
    holes: "",
    by_hand: |_| Vec::new(),
    sample: |_| serde_json::Value::Null,
};

/// A place that isn't there.
fn none(why: &str) -> Result<PathBuf, NoPlace> {
    Err(NoPlace::None(why.to_owned()))
}
