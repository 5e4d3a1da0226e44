//! The agent hosts' own words: each file here turns one host's JSON into a `ToolCall`, and an `Answer` into that host's
//! stdout, stderr and exit code. Must not: judge anything.

mod claude_code;

use crate::call::ToolCall;
use crate::json::Json;
use std::path::Path;
use std::time::Duration;

/// An agent host whose hook this program can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
}

impl Host {
    /// The host of that name, as `--host` takes it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        (name == "claude-code").then_some(Self::ClaudeCode)
    }

    /// The agent's name in a tag.
    #[must_use]
    pub fn agent(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
        }
    }

    /// Its name, as `--host` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
        }
    }

    /// Whether a path is that of a file in which the host's hooks are set, whoever's and wherever.
    #[must_use]
    pub fn is_settings(self, path: &str) -> bool {
        match self {
            Self::ClaudeCode => claude_code::is_settings(path),
        }
    }

    /// Whether a path is that of a folder that holds such files.
    #[must_use]
    pub fn holds_settings(self, path: &str) -> bool {
        match self {
            Self::ClaudeCode => claude_code::holds_settings(path),
        }
    }

    /// Where the file may be that the call expands, for a call that does so; see [`ToolCall::prompt`].
    #[must_use]
    pub fn prompt(self, call: &ToolCall, home: Option<&Path>) -> Option<Vec<String>> {
        match self {
            Self::ClaudeCode => claude_code::prompt(call, home),
        }
    }

    /// How long the host waits for a hook unless it is told otherwise, in seconds (Claude Code: by its documents).
    #[must_use]
    pub fn default_timeout(self) -> u64 {
        match self {
            Self::ClaudeCode => 600,
        }
    }
}

/// What a host has sent.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one in a process, and it is moved once")]
pub enum Event {
    /// A tool is about to be called.
    Pending(ToolCall),
    /// A tool was called, and answered.
    Answered {
        /// The call.
        call: ToolCall,
        /// The answer, as the host tells it.
        response: Json,
        /// How long it took, if the host told that.
        took: Option<Duration>,
    },
    /// A tool was called, and failed.
    Failed {
        /// The call.
        call: ToolCall,
        /// Whether the user broke it off.
        interrupted: bool,
        /// How long it took, if the host told that.
        took: Option<Duration>,
    },
    /// A session of the agent begins, or goes on.
    Started {
        /// The folder in which it is, if the host told it.
        cwd: Option<String>,
    },
    /// Something that decides nothing.
    Other,
}

/// What the host is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The call may run; nothing is said.
    Pass,
    /// The call may run, and the model and the user are told something.
    Told {
        /// For the model; empty: nothing.
        model: String,
        /// For the user; empty: nothing.
        user: String,
    },
    /// The call is stopped, with the text why and what to do.
    Deny(String),
    /// The host's own prompt is put before the human, with this text. Only for a call whose host has a real one.
    Ask(String),
}

/// What this process gives back to the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// 0 or 2.
    pub code: u8,
    /// All of stdout.
    pub stdout: String,
    /// All of stderr.
    pub stderr: String,
}

/// Reads a host's JSON. The host is the one that was named, else it is told by the fields.
///
/// # Errors
/// A sentence on what was not understood.
pub fn read(named: Option<Host>, json: Json) -> Result<(Host, Event), String> {
    if !json.is_object() {
        return Err("the hook's input is no JSON object".into());
    }
    match named {
        Some(Host::ClaudeCode) => claude_code::read(json).map(|event| (Host::ClaudeCode, event)),
        None if claude_code::is_from(&json) => claude_code::read(json).map(|event| (Host::ClaudeCode, event)),
        None => Err("no agent host known to this version sends such an input".into()),
    }
}

/// The call's input in canonical form, as answers are bound to it.
///
/// # Errors
/// If it cannot be read again.
pub fn canonical_input(host: Host, bytes: &[u8], call: &ToolCall) -> Result<String, String> {
    match host {
        Host::ClaudeCode => claude_code::canonical_input(bytes, call),
    }
}

/// Puts an answer into the host's words.
#[must_use]
pub fn answer(host: Host, answer: &Answer) -> Output {
    match host {
        Host::ClaudeCode => claude_code::answer(answer),
    }
}

/// What is said as a session begins: one line for the user, and one for the model. Nothing on a host that has no words for it.
#[must_use]
pub fn started(host: Host, user: &str, model: &str) -> Output {
    match host {
        Host::ClaudeCode => claude_code::started(user, model),
    }
}

/// A deny in the words that nearly every host understands, for when the host itself is not known:
/// exit 2, empty stdout, text on stderr (measured on Claude Code, Codex CLI and Gemini CLI).
#[must_use]
pub fn deny(text: &str) -> Output {
    Output { code: 2, stdout: String::new(), stderr: format!("zerto-guard: {}\n", text.trim_end()) }
}
