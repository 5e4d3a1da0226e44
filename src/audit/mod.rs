//! The audit log: what was decided of each call that the guard had something to say about, and how the call ended.
//!
//! Owns: what a line holds (docs/audit.md is its description for people), that none holds a secret or a question's id, and how
//! a call and its end are joined. Must not: decide anything, or know how lines are kept (`state::log`).

mod by_tag;
mod filter;
mod story;
mod summary;

pub use by_tag::{Fate, fates};
pub use filter::Filter;
pub use story::{Ending, Story, stories};
pub use summary::{Count, Row, Summary, summary};

use crate::decide::Would;
use crate::guard::{Guarded, redact};
use crate::state::{StateDir, StateError, log};
use crate::text::clean;
use jiff::{Timestamp, Unit};
use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Line {
    /// What was decided of a call.
    Call(Box<Call>),
    /// How a call ended that was let run.
    Outcome(Outcome),
    /// A guard by hand (`zerto-guard guard`).
    ByHand(Box<Call>),
    /// A human answered a question.
    Answer(Answer),
    /// A human paused the guard.
    Pause(Pause),
    /// A human ended the pause.
    PauseEnded {
        /// When.
        time: Timestamp,
    },
}

/// What became of a call before it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It was let run once a tag stood.
    Guarded,
    /// It was let run without a tag, as a human had answered.
    Unguarded,
    /// It was let run without a tag, in a pause.
    Paused,
    /// It was let run, since the guard only observes.
    Observed,
    /// The host's own prompt was put before the human.
    Prompted,
    /// It was stopped with a question.
    Asked,
    /// It was stopped.
    Stopped,
}

impl Decision {
    /// Whether the call may have run after it.
    #[must_use]
    pub fn may_run(self) -> bool {
        !matches!(self, Self::Asked | Self::Stopped)
    }

    /// Its name, as the log and `--json` spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Guarded => "guarded",
            Self::Unguarded => "unguarded",
            Self::Paused => "paused",
            Self::Observed => "observed",
            Self::Prompted => "prompted",
            Self::Asked => "asked",
            Self::Stopped => "stopped",
        }
    }
}

/// What was decided of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// When.
    pub time: Timestamp,
    /// The agent host, as `--host` names it.
    pub host: String,
    /// The agent's name in a tag.
    pub agent: String,
    /// The agent's session, if the host told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The host's identifier of the call, if it told one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What the line of the call's end has too. None: its end can't be told from another's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The tool, as the host names it.
    pub tool: String,
    /// The folder in which it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// `read_only`, `mutating` or `unknown`; none if it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// What became of it.
    pub decision: Decision,
    /// What would have become of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would: Option<Would>,
    /// Why.
    pub reason: String,
    /// The guests that it changes or may change, as they were typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guests: Vec<String>,
    /// What it does, in the words of a tag.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub action: String,
    /// Which entry of a catalog decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// The tag. Of a call that was stopped it may stand in some VPGs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The VMs that were found for the guests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vms: Vec<String>,
    /// The VPGs in which the tag stands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vpgs: Vec<String>,
    /// Whether an earlier tag served (`guard.reuse`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
    /// Whether a part of it runs without a tag, as a human had answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rest_unguarded: bool,
    /// The commands that would enter into the catalog what nobody knows of it, should it be harmless.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<String>,
}

impl Call {
    /// A call of this agent, now, of which nothing else is known yet: it was stopped.
    #[must_use]
    pub fn new(host: &str, agent: &str, tool: &str) -> Self {
        Self {
            time: now(),
            host: host.to_owned(),
            agent: text(agent),
            session: None,
            id: None,
            key: None,
            tool: text(tool),
            cwd: None,
            verdict: None,
            decision: Decision::Stopped,
            would: None,
            reason: String::new(),
            guests: vec![],
            action: String::new(),
            decided_by: None,
            tag: None,
            vms: vec![],
            vpgs: vec![],
            reused: false,
            rest_unguarded: false,
            entries: vec![],
        }
    }

    /// A tag stands for it.
    pub fn guarded(&mut self, guarded: &Guarded) {
        self.decision = Decision::Guarded;
        self.tag = Some(guarded.tag.clone());
        self.vms = texts(guarded.vms.iter().map(|vm| &vm.name));
        self.vpgs = texts(guarded.vpgs.iter().map(|vpg| &vpg.name));
        self.reused = guarded.reused;
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// When that was told.
    pub time: Timestamp,
    /// That of the call.
    pub key: String,
    /// Whether the tool succeeded, as the host tells it.
    pub outcome: How,
    /// How long it took, in milliseconds, if the host told that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

/// Whether a tool did what it was asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The host took it for a success. What a command printed or ended with is not looked at.
    Succeeded,
    /// The host told a failure.
    Failed,
    /// The user broke it off.
    Interrupted,
}

impl How {
    /// Its name, as the log and `--json` spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }
}

/// An answer that a human gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// When.
    pub time: Timestamp,
    /// Guarded, or not.
    pub guard: bool,
    /// The tool or command that was asked about.
    pub tool: String,
    /// The VMs that the human named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vms: Vec<String>,
    /// Whether it was written into the catalog.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remembered: bool,
}

/// A pause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// When it was ordered.
    pub time: Timestamp,
    /// When it ends.
    pub until: Timestamp,
    /// Why, in the human's words.
    pub reason: String,
}

/// Appends a line.
///
/// # Errors
/// It cannot be written.
pub fn append(state: &StateDir, line: &Line) -> Result<(), StateError> {
    log::append(state, line)
}

/// All lines that can be read, oldest first. Makes nothing.
///
/// # Errors
/// The state folder is there, but can't be used.
pub fn read(state: &StateDir) -> Result<log::Contents<Line>, StateError> {
    log::read(state)
}

/// This moment, as a line tells it: to the millisecond.
#[must_use]
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    now.round(Unit::Millisecond).unwrap_or(now)
}

/// The longest text of a field, in characters.
const LONGEST: usize = 400;

/// Of more guests, VMs, VPGs or entries, that many are kept.
const MOST: usize = 64;

/// A text as it may stand in a line: secrets and questions' ids taken out as a tag's are, in one line, cut.
#[must_use]
pub fn text(text: &str) -> String {
    // As much as a tag's action is looked at: what is cut before it is redacted could leave half a secret that no rule knows.
    let text: String = text.chars().take(20_000).collect();
    without_ids(&clean(&redact(&clean(&redact(&text), usize::MAX)), LONGEST))
}

/// Texts of a list, as they may stand in a line.
#[must_use]
pub fn texts<'t>(list: impl IntoIterator<Item = &'t String>) -> Vec<String> {
    list.into_iter().take(MOST).map(|item| text(item)).collect()
}

/// The text with every question's id in it masked.
fn without_ids(text: &str) -> String {
    const BEGIN: &str = "zgq-";
    let mut parts = text.split(BEGIN);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let id: usize = part.chars().take_while(char::is_ascii_alphanumeric).map(char::len_utf8).sum();
        kept.push_str(BEGIN);
        kept.push_str(if id == 0 { "" } else { "***" });
        kept.push_str(part.get(id..).unwrap_or_default());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call that the tests of this room change as they need it.
    pub(super) fn call(time: Timestamp) -> Call {
        let text = r#"{"time":"2026-09-21T14:13:20Z","host":"claude-code","agent":"claude","tool":"Bash",
                       "decision":"guarded","reason":"why"}"#;
        Call { time, ..serde_json::from_str(text).unwrap() }
    }

    #[test]
    fn no_secret_and_no_questions_id_gets_into_a_line() {
        for (given, kept) in [
            ("restart nginx", "restart nginx"),
            ("mysql --password=hunter2 -e x", "mysql --password=*** -e x"),
            ("it is `zerto-guard answer zgq-k3v9x0q2m7a1b guard`", "it is `zerto-guard answer zgq-*** guard`"),
            ("zgq-a zgq- zgq-zgq-b", "zgq-*** zgq- zgq-zgq-***"),
            ("a\nb\u{1b}[31mc\u{202e}", "a bc"),
        ] {
            assert_eq!(text(given), kept);
        }
        assert_eq!(text(&"x".repeat(500)).chars().count(), LONGEST);
        assert_eq!(texts(&vec!["x".to_owned(); 100]).len(), MOST);
    }

    #[test]
    fn a_line_says_what_it_is_and_leaves_out_what_is_not_so() {
        let time = Timestamp::from_second(1_790_000_000).unwrap();
        let line = Line::Outcome(Outcome { time, key: "k".into(), outcome: How::Failed, duration_ms: None });
        let text = serde_json::to_string(&line).unwrap();
        assert_eq!(text, r#"{"event":"outcome","time":"2026-09-21T14:13:20Z","key":"k","outcome":"failed"}"#);
        assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line);
        assert!(
            serde_json::from_str::<Line>(r#"{"event":"of a later version","time":"2026-09-21T14:13:20Z"}"#).is_err()
        );
    }
}
