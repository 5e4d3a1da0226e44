//! The name of a tagged checkpoint: the only field Zerto's API takes (measured on a live ZVM 10.x), so all that has
//! to be known later stands in it.
//!
//! `ai:<agent> | <action> | vm=<vm>,<vm> | change=<change-id> | <utc>`, at most 255 characters of printable ASCII.
//! Zerto documents no length or character rule; 255 printable ASCII characters is what this tool promises.
//!
//! Must not: know a file, clock, network or environment (pure); put a secret into a tag.

use super::redact::redact;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// The longest tag.
pub const LONGEST: usize = 255;
/// The action keeps at least this much, however much the VMs' names would take.
const ACTION_AT_LEAST: usize = 40;
const LONGEST_AGENT: usize = 24;
const LONGEST_CHANGE: usize = 64;
const CUT: &str = "...";
const SEPARATOR: &str = " | ";
const STAMP_LENGTH: usize = 16;
const STAMP_FORMAT: &str = "%Y%m%dT%H%M%SZ";

/// A tag that was read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The agent, as in `ai:claude`.
    pub agent: String,
    /// What was about to be done.
    pub action: String,
    /// The VMs' names.
    pub vms: Vec<String>,
    /// How many further VMs the tag had no room for (`,+N`).
    pub more: usize,
    /// The change it belongs to.
    pub change: String,
    /// When it was inserted, to the second.
    pub time: Timestamp,
}

/// A tag that only lacks its time stamp: each field is cleaned, cut and fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    agent: String,
    action: String,
    vms: String,
    change: String,
    faithful: bool,
}

impl Draft {
    /// Cleans the fields and cuts them so that any time stamp fits behind them.
    #[must_use]
    pub fn new(agent: &str, action: &str, vms: &[&str], change: &str) -> Self {
        let fixed = "ai:".len() + " | ".len() + " | vm=".len() + " | change=".len() + SEPARATOR.len() + STAMP_LENGTH;
        let names: Vec<String> = vms.iter().map(|vm| vm_name(vm)).collect();
        let action = action_text(action);

        let agent_field = agent_name(agent);
        let change_field = change_id(change);
        let room = LONGEST.saturating_sub(fixed).saturating_sub(agent_field.len()).saturating_sub(change_field.len());
        let vms_field = list(&names, room.saturating_sub(action.len().min(ACTION_AT_LEAST)));
        let action = cut(&action, room.saturating_sub(vms_field.len()));

        let faithful = agent_field == agent
            && change_field == change
            && names.iter().zip(vms).all(|(name, vm)| name == vm)
            && vms_field == names.join(",");
        Self { agent: agent_field, action, vms: vms_field, change: change_field, faithful }
    }

    /// The tag with this time stamp.
    #[must_use]
    pub fn stamped(&self, time: Timestamp) -> String {
        format!("{}{SEPARATOR}{}", self.unstamped(), stamp(time))
    }

    /// All of the tag but its time stamp: two tags of one second are the same if this is the same.
    #[must_use]
    pub fn unstamped(&self) -> String {
        format!("ai:{} | {} | vm={} | change={}", self.agent, self.action, self.vms, self.change)
    }

    /// Whether `tag` is of the same VMs, agent and change. False where one of these was cut or had characters
    /// replaced here, since another one may look the same then.
    #[must_use]
    pub fn is_same_change(&self, tag: &Tag) -> bool {
        let mut ours: Vec<&str> = self.vms.split(',').collect();
        let mut theirs: Vec<&str> = tag.vms.iter().map(String::as_str).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        self.faithful && tag.more == 0 && ours == theirs && self.agent == tag.agent && self.change == tag.change
    }
}

/// Reads a tag that this tool has made; none for any other checkpoint's name.
#[must_use]
pub fn parse(text: &str) -> Option<Tag> {
    if text.len() > LONGEST || !text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
        return None;
    }
    let mut parts = text.strip_prefix("ai:")?.split(SEPARATOR);
    let agent = parts.next()?.to_owned();
    let action = parts.next()?.to_owned();
    let names = parts.next()?.strip_prefix("vm=")?;
    let change = parts.next()?.strip_prefix("change=")?.to_owned();
    let time = parse_stamp(parts.next()?)?;
    if parts.next().is_some() || agent.is_empty() || action.is_empty() || names.is_empty() || change.is_empty() {
        return None;
    }
    let (names, more) = match names.rsplit_once(",+") {
        Some((names, more)) => (names, more.parse().ok()?),
        None => (names, 0),
    };
    let vms: Vec<String> = names.split(',').map(str::to_owned).collect();
    Some(Tag { agent, action, vms, more, change, time })
}

/// A change id as it stands in a tag. `:` becomes `-`, because the short form `change:PATH` ends at a colon.
#[must_use]
pub fn change_id(text: &str) -> String {
    cut(&clean(&text.replace(':', "-")), LONGEST_CHANGE)
}

/// An agent's name as it stands in a tag.
#[must_use]
pub fn agent_name(text: &str) -> String {
    cut(&clean(text), LONGEST_AGENT)
}

/// `20260921T150405Z`. Kept within the years that have four digits, whatever the clock says.
#[must_use]
pub fn stamp(time: Timestamp) -> String {
    // 9999-12-30T00:00:00Z
    const LAST: i64 = 253_402_128_000;
    let seconds = time.as_second().clamp(0, LAST);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH).strftime(STAMP_FORMAT).to_string()
}

fn parse_stamp(text: &str) -> Option<Timestamp> {
    if text.len() != STAMP_LENGTH {
        return None;
    }
    let civil = DateTime::strptime(STAMP_FORMAT, text).ok()?;
    let time = TimeZone::UTC.to_timestamp(civil).ok()?;
    // Nothing but the very form that `stamp` writes: strptime is more generous.
    (stamp(time) == text).then_some(time)
}

/// One line of printable ASCII without `|`: white space and control characters become one space, `|` becomes `/`,
/// anything beyond ASCII `?`. Never empty.
fn clean(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| match c {
            '|' => '/',
            c if c.is_whitespace() || c.is_control() => ' ',
            c if c.is_ascii_graphic() => c,
            _ => '?',
        })
        .collect();
    let text = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Redacted twice: as it was, where line breaks and quotes still mean something, and as it will stand in the tag.
fn action_text(text: &str) -> String {
    // A script may be megabytes; what is looked at is far more than what can stand in the tag.
    let text: String = text.chars().take(4096).collect();
    clean(&redact(&clean(&redact(&text))))
}

/// A VM's name as it stands in a tag. A comma would make one VM two, and a plus at the start would look like a count.
#[must_use]
pub fn vm_name(text: &str) -> String {
    let name = clean(text).replace(',', "_");
    match name.strip_prefix('+') {
        Some(rest) => format!("_{rest}"),
        None => name,
    }
}

/// The text, or as much of it as fits with `...` behind it. Never ends with a space.
fn cut(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let keep = room.saturating_sub(CUT.len());
    let head: String = text.chars().take(keep).collect();
    let dots: String = CUT.chars().take(room).collect();
    format!("{}{dots}", head.trim_end())
}

/// As many of the names as fit, then `,+N`. At least one stands there, cut if it has to be.
fn list(names: &[String], room: usize) -> String {
    let all = names.join(",");
    if all.len() <= room {
        return if all.is_empty() { "-".to_owned() } else { all };
    }
    for kept in (1..names.len()).rev() {
        let head: Vec<&str> = names.iter().take(kept).map(String::as_str).collect();
        let text = format!("{},+{}", head.join(","), names.len() - kept);
        if text.len() <= room {
            return text;
        }
    }
    let count = match names.len() {
        0 | 1 => String::new(),
        more => format!(",+{}", more - 1),
    };
    let first = names.first().map_or("-", String::as_str);
    format!("{}{count}", cut(first, room.saturating_sub(count.len())))
}

#[cfg(test)]
#[path = "tests/tag.rs"]
mod tests;
