//! The agent hosts' own words: each file here turns one host's JSON into a `ToolCall`, and an `Answer` into that host's
//! stdout, stderr and exit code. Must not: judge anything.
//!
//! A host is one file with a `Dialect` in it, and one line in [`Host::ALL`] and `Host::dialect`.

mod answers;
mod claude_code;
mod cline;
mod codex;
mod copilot_cli;
mod cursor;
mod droid;
mod fields;
mod gemini_cli;
mod kiro;
mod opencode;
mod patch;
mod qwen;
mod vscode;
mod windsurf;

pub use answers::deny;

use crate::call::ToolCall;
use crate::json::Json;
use crate::text::printable;
use std::path::Path;
use std::time::Duration;

/// An agent host whose hook this program can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// GitHub Copilot CLI.
    CopilotCli,
    /// The agent of VS Code.
    VsCode,
    /// Cursor.
    Cursor,
    /// Windsurf.
    Windsurf,
    /// Qwen Code.
    Qwen,
    /// Factory Droid.
    Droid,
    /// Kiro CLI, and Amazon Q Developer CLI from which it came.
    Kiro,
    /// Cline.
    Cline,
    /// OpenCode, through the shim in `hooks/opencode`.
    OpenCode,
}

/// What one host says and understands.
struct Dialect {
    /// Its name, as `--host` takes it.
    name: &'static str,
    /// The agent's name in a tag.
    agent: &'static str,
    /// How long the host waits for a hook unless it is told otherwise, in seconds.
    timeout: u64,
    /// How the paths of files end in which the host's hooks are set or switched off, in small letters.
    settings: &'static [&'static str],
    /// How the paths of folders end in which every file is one of those, in small letters.
    folders: &'static [&'static str],
    /// Whether the input's fields are this host's.
    fits: fn(&Json) -> Fit,
    /// Reads an event, an object.
    read: fn(Json) -> Result<Event, String>,
    /// Puts an answer into the host's words.
    answer: fn(&Answer) -> Output,
    /// See [`canonical_input`].
    canonical_input: fn(&[u8], &ToolCall) -> Result<String, String>,
    /// See [`Host::prompt`].
    prompt: fn(&ToolCall, Option<&Path>) -> Option<Vec<String>>,
}

impl Dialect {
    /// See [`Host::is_settings`]; the path is in small letters.
    fn is_settings(&self, path: &str) -> bool {
        self.settings.iter().any(|end| path.ends_with(end))
            // Every path that is written comes here: to compare ends is cheaper than to search.
            || folders_of(path).any(|above| self.folders.iter().any(|folder| above.ends_with(folder)))
    }

    /// See [`Host::holds_settings`]; the path is in small letters.
    fn holds_settings(&self, path: &str) -> bool {
        // A folder `hooks` may be anyone's, `.claude` is the host's.
        let parents = self.settings.iter().chain(self.folders).filter_map(|end| end.rsplit_once('/'));
        parents.filter(|(parent, _)| parent.starts_with("/.")).any(|(parent, _)| path.ends_with(parent))
    }
}

/// A path, and every folder above it.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at)).filter(|above| !above.is_empty());
    std::iter::once(path).chain(above)
}

/// How well an input's fields fit a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// That host does not send such an input.
    No,
    /// It may: others send the same.
    May,
    /// It does, and no other known one.
    Sure,
}

impl Fit {
    fn sure(sure: bool) -> Self {
        if sure { Self::Sure } else { Self::No }
    }

    fn may(may: bool) -> Self {
        if may { Self::May } else { Self::No }
    }
}

impl Host {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::CopilotCli,
        Self::VsCode,
        Self::Cursor,
        Self::Windsurf,
        Self::Qwen,
        Self::Droid,
        Self::Kiro,
        Self::Cline,
        Self::OpenCode,
    ];

    /// The one place where a host and its file meet.
    fn dialect(self) -> &'static Dialect {
        match self {
            Self::ClaudeCode => &claude_code::DIALECT,
            Self::Codex => &codex::DIALECT,
            Self::GeminiCli => &gemini_cli::DIALECT,
            Self::CopilotCli => &copilot_cli::DIALECT,
            Self::VsCode => &vscode::DIALECT,
            Self::Cursor => &cursor::DIALECT,
            Self::Windsurf => &windsurf::DIALECT,
            Self::Qwen => &qwen::DIALECT,
            Self::Droid => &droid::DIALECT,
            Self::Kiro => &kiro::DIALECT,
            Self::Cline => &cline::DIALECT,
            Self::OpenCode => &opencode::DIALECT,
        }
    }

    /// The host of that name, as `--host` takes it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// The names of all of them, for people.
    #[must_use]
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// The agent's name in a tag.
    #[must_use]
    pub fn agent(self) -> &'static str {
        self.dialect().agent
    }

    /// Its name, as `--host` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.dialect().name
    }

    /// Whether a path is that of a file in which the host's hooks are set, whoever's and wherever. The case of letters does
    /// not matter, since it does not on some disks.
    #[must_use]
    pub fn is_settings(self, path: &str) -> bool {
        self.dialect().is_settings(&path.to_lowercase())
    }

    /// Whether a path is that of a folder that holds such files, and few others.
    #[must_use]
    pub fn holds_settings(self, path: &str) -> bool {
        self.dialect().holds_settings(&path.to_lowercase())
    }

    /// Where the file may be that the call expands, for a call that does so; see [`ToolCall::prompt`].
    #[must_use]
    pub fn prompt(self, call: &ToolCall, home: Option<&Path>) -> Option<Vec<String>> {
        (self.dialect().prompt)(call, home)
    }

    /// How long the host waits for a hook unless it is told otherwise, in seconds; where the host doesn't say, a time that no
    /// other is known to fall short of.
    #[must_use]
    pub fn default_timeout(self) -> u64 {
        self.dialect().timeout
    }

    /// The same, as a span.
    #[must_use]
    pub fn time_limit(self) -> Duration {
        Duration::from_secs(self.default_timeout())
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

impl Event {
    /// The call, if it is about one.
    fn call_mut(&mut self) -> Option<&mut ToolCall> {
        match self {
            Self::Pending(call) | Self::Answered { call, .. } | Self::Failed { call, .. } => Some(call),
            Self::Started { .. } | Self::Other => None,
        }
    }

    /// The end of a call, with what more the host tells of it.
    fn ended(self, took: Option<Duration>, interrupted: bool) -> Self {
        match self {
            Self::Answered { call, response, .. } => Self::Answered { call, response, took },
            Self::Failed { call, .. } => Self::Failed { call, interrupted, took },
            other => other,
        }
    }
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
    /// 0 or 2. A deny for Cline is 0 (see `cline`).
    pub code: u8,
    /// All of stdout.
    pub stdout: String,
    /// All of stderr.
    pub stderr: String,
}

/// The fields in which hosts name their event; with `toolName` Copilot CLI says that it is a tool's call, and names none.
const EVENT_FIELDS: &[&str] = &["hook_event_name", "hookEventName", "hookName", "agent_action_name", "toolName"];

/// Reads a host's JSON. The host is the one that was named, unless the fields are another's: some hosts run what was set up
/// for Claude Code. Where none was named, it is told by the fields.
///
/// # Errors
/// The host, if it is known all the same, and a sentence on what was not understood.
pub fn read(named: Option<Host>, json: Json) -> Result<(Host, Event), (Option<Host>, String)> {
    if !json.is_object() {
        return Err((named, "the hook's input is no JSON object".into()));
    }
    // Which of them counts would be a guess: one may decide nothing, and another be a call.
    if EVENT_FIELDS.iter().filter(|field| json.get(field).is_some()).count() > 1 {
        return Err((named, format!("the hook's input has more than one of {}", EVENT_FIELDS.join(", "))));
    }
    let fit = |host: &Host| (host.dialect().fits)(&json);
    // Where several send the same, it does not matter whose it is as long as nothing is decided.
    let idle = |host: &Host| {
        fit(host) == Fit::May && matches!((host.dialect().read)(json.clone()), Ok(Event::Other | Event::Failed { .. }))
    };
    let sure = |host: &Host| fit(host) == Fit::Sure;
    let told = || Host::ALL.into_iter().find(sure).or_else(|| Host::ALL.into_iter().find(idle));
    let host = match named {
        Some(named) if fit(&named) != Fit::No => Some(named),
        named => told().or(named),
    };
    let Some(host) = host else {
        return Err((None, "no agent host known to this version sends such an input".into()));
    };
    let mut event = (host.dialect().read)(json).map_err(|why| (Some(host), why))?;
    if let Some(call) = event.call_mut() {
        patch::name_files(call);
    }
    Ok((host, event))
}

/// The call's input in canonical form, as answers are bound to it.
///
/// # Errors
/// If it cannot be read again.
pub fn canonical_input(host: Host, bytes: &[u8], call: &ToolCall) -> Result<String, String> {
    (host.dialect().canonical_input)(bytes, call)
}

/// Whether a path is that of a file in which any host's hooks are set: one machine may have several.
#[must_use]
pub fn is_settings(path: &str) -> bool {
    let path = path.to_lowercase();
    Host::ALL.into_iter().any(|host| host.dialect().is_settings(&path))
}

/// Whether a path is that of a folder that holds such files.
#[must_use]
pub fn holds_settings(path: &str) -> bool {
    let path = path.to_lowercase();
    Host::ALL.into_iter().any(|host| host.dialect().holds_settings(&path))
}

/// The files in which a host's hooks are set, as they lie below a project's folder or the user's: each begins with `/`.
pub fn settings_below() -> impl Iterator<Item = &'static str> {
    let all = Host::ALL.into_iter().flat_map(|host| host.dialect().settings);
    all.copied().filter(|file| file.starts_with("/."))
}

/// Puts an answer into the host's words.
#[must_use]
pub fn answer(host: Host, answer: &Answer) -> Output {
    let text = |text: &str| printable(text).into_owned();
    let answer = match answer {
        Answer::Pass => Answer::Pass,
        Answer::Told { model, user } => Answer::Told { model: text(model), user: text(user) },
        Answer::Deny(why) => Answer::Deny(text(why)),
        Answer::Ask(why) => Answer::Ask(text(why)),
    };
    (host.dialect().answer)(&answer)
}

/// What is said as a session begins: one line for the user, and one for the model. Nothing on a host that has no words for it.
#[must_use]
pub fn started(host: Host, user: &str, model: &str) -> Output {
    match host {
        Host::ClaudeCode => claude_code::started(&printable(user), &printable(model)),
        _ => answers::pass(),
    }
}

/// A deny in the words of the host, if it is known.
#[must_use]
pub fn deny_to(host: Option<Host>, text: &str) -> Output {
    host.map_or_else(|| deny(text), |host| answer(host, &Answer::Deny(text.to_owned())))
}
