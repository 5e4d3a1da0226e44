//! The entry that makes an agent host start `hook`: its two forms, how it is written, and how one is told from others.
//!
//! Pure. Must not: know where it is put.

use super::recipe::{Event, Fields, Recipe, When};
use super::tree::Node;
use serde_json::{Value, json};
use std::path::Path;

/// How the host starts the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The program and its arguments, without a shell; a missing, killed or slow hook is a deny. Claude Code 2.1.295
    /// and newer.
    Exec,
    /// Shell text that ends with 2 whatever becomes of the hook. Every host, and any version of Claude Code; a hook that
    /// takes longer than the host waits lets the call run on the older ones.
    Shell,
}

/// A version of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u64, pub u64, pub u64);

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

impl Version {
    /// The first Claude Code that heeds `onFailure`.
    pub const ON_FAILURE: Self = Self(2, 1, 295);

    /// The first word of the text that is a version: `2.1.332 (Claude Code)`.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        text.split_whitespace().find_map(|word| {
            let word = word.trim_start_matches('v');
            let word = word.split(['-', '+']).next().unwrap_or(word);
            let mut parts = word.split('.').map(|part| part.parse().ok());
            let version = Self(parts.next()??, parts.next()??, parts.next()??);
            parts.next().is_none().then_some(version)
        })
    }
}

impl Form {
    /// The strongest form that is safe: an older host ignores `onFailure` in silence, so an unknown one is taken for old.
    #[must_use]
    pub fn for_version(version: Option<Version>) -> Self {
        if version.is_some_and(|version| version >= Version::ON_FAILURE) { Self::Exec } else { Self::Shell }
    }
}

/// The entry.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Whose settings it is for.
    pub recipe: &'static Recipe,
    /// At which of the host's events.
    pub event: &'static Event,
    /// The guard's absolute path.
    pub command: String,
    /// `hook` and its options.
    pub arguments: Vec<String>,
    /// How long the host waits, in seconds.
    pub timeout: u64,
    /// How it is started.
    pub form: Form,
}

/// What ends shell text of ours, so that it ends with 2 if the hook does not do its work.
pub const STOPS: &str = " || exit 2";

/// What ends shell text of ours where nothing can be stopped any more: whatever becomes of the hook, the host's work goes on.
const GOES_ON: &str = " || exit 0";

impl Entry {
    /// The entry as the settings hold it, in the order in which it is written.
    pub(super) fn members(&self) -> Vec<(&'static str, Value)> {
        let Fields { typed, command, timeout, unit, more } = &self.recipe.fields;
        let mut members = Vec::new();
        if *typed {
            members.push(("type", json!("command")));
        }
        match self.form {
            Form::Exec => members.extend([(*command, json!(self.command)), ("args", json!(self.arguments))]),
            Form::Shell => members.push((command, json!(self.shell_text()))),
        }
        members.extend(timeout.iter().map(|name| (*name, json!(unit.of_seconds(self.timeout)))));
        if self.event.when == When::Before {
            members.extend(more.iter().map(|(name, value)| (*name, value.value())));
        }
        members
    }

    /// The entry as a value.
    #[must_use]
    pub fn value(&self) -> Value {
        self.members().into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Its command line for a shell.
    #[must_use]
    pub fn shell_text(&self) -> String {
        let end = if self.event.when == When::Before { STOPS } else { GOES_ON };
        format!("{}{end}", self.words())
    }

    /// The program and its arguments, as a shell takes them.
    pub(super) fn words(&self) -> String {
        shell_line(std::iter::once(&self.command).chain(&self.arguments))
    }

    /// The entry's text, its first line not indented.
    pub(super) fn text(&self, indent: &str, unit: &str, newline: &str) -> String {
        let members = self.members().into_iter().map(|(name, value)| (name, inline(&value)));
        object(members, indent, unit, newline)
    }
}

/// The words as a shell takes each of them whole.
pub(super) fn shell_line<'a>(words: impl IntoIterator<Item = &'a String>) -> String {
    words.into_iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// All fields that an entry of that host may have.
pub(super) fn names(fields: &Fields) -> Vec<&'static str> {
    let more = fields.more.iter().map(|(name, _)| *name);
    ["type", fields.command, "args"].into_iter().chain(fields.timeout.iter().copied()).chain(more).collect()
}

/// An object's text, a member a line.
pub(super) fn object<'a>(
    members: impl IntoIterator<Item = (&'a str, String)>,
    indent: &str,
    unit: &str,
    newline: &str,
) -> String {
    let lines: Vec<String> =
        members.into_iter().map(|(name, value)| format!("{indent}{unit}\"{name}\": {value}")).collect();
    format!("{{{newline}{}{newline}{indent}}}", lines.join(&format!(",{newline}")))
}

/// A list's text with one element.
pub(super) fn list(element: &str, indent: &str, unit: &str, newline: &str) -> String {
    format!("[{newline}{indent}{unit}{element}{newline}{indent}]")
}

/// A value in one line, with a space after each comma.
pub(super) fn inline(value: &Value) -> String {
    match value {
        Value::Array(elements) => format!("[{}]", elements.iter().map(inline).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// The word as a POSIX shell takes it whole.
fn quoted(word: &str) -> String {
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Whether a shell takes the character as it is, wherever it stands.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c)
}

/// The words that shell text of our own making starts: the program and its arguments. None of any other text, whatever
/// else it may do.
#[must_use]
pub fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut words = vec![String::new()];
    let bare = [STOPS, GOES_ON].into_iter().find_map(|end| text.strip_suffix(end));
    let mut rest = bare.unwrap_or(text).trim().chars();
    while let Some(c) = rest.next() {
        let word = words.last_mut()?;
        match c {
            ' ' => words.push(String::new()),
            '\'' => loop {
                match rest.next()? {
                    '\'' => break,
                    quoted => word.push(quoted),
                }
            },
            '\\' => word.push(rest.next().filter(|c| *c == '\'')?),
            c if is_plain(c) => word.push(c),
            _ => return None,
        }
    }
    words.retain(|word| !word.is_empty());
    Some(words)
}

/// What a hook's entry has to do with us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kin {
    /// It starts our program (one of our name, or the one at our own path) as `hook`, whatever else it says.
    Ours,
    /// It starts our program as something else.
    Misused,
    /// Somebody else's, though it may mention our name.
    Foreign,
}

impl Kin {
    /// What the entry of which the command line stands in that field is.
    pub fn of(handler: &Node, field: &str, own: &str) -> Self {
        let text = |name: &str| handler.get(name).map(Node::value).and_then(|value| value.as_str().map(str::to_owned));
        let Some(command) = text(field) else { return Self::Foreign };
        match handler.get("args").filter(|args| args.is_array()) {
            Some(args) => {
                let hooks = args.elements().first().is_some_and(|word| word.value() == "hook");
                Self::told(Some(&command), hooks, own)
            }
            None => Self::of_text(&command, own),
        }
    }

    /// What shell text is.
    pub fn of_text(command: &str, own: &str) -> Self {
        let mut words = first_command(command).into_iter().skip_while(|word| word == "exec");
        let program = words.next();
        let hooks = first_operand(words).is_some_and(|word| word == "hook");
        Self::told(program.as_deref(), hooks, own)
    }

    fn told(program: Option<&str>, hooks: bool, own: &str) -> Self {
        match program.is_some_and(|program| is_our_name(program, own)) {
            true if hooks => Self::Ours,
            true => Self::Misused,
            false => Self::Foreign,
        }
    }
}

/// The options of `hook` that take a value behind them.
const WITH_VALUE: &[&str] = &["--config", "--catalog", "--state-dir", "--host", "--host-timeout"];

/// The first word that is neither an option nor the value of one of ours.
fn first_operand(mut words: impl Iterator<Item = String>) -> Option<String> {
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            return Some(word);
        }
        if WITH_VALUE.contains(&word.as_str()) {
            words.next();
        }
    }
    None
}

/// The words of the first command of a shell's text, with what stands in quotes taken as it is; a variable stays its name.
/// None of text that never closes a quote.
fn first_command(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.trim_start().chars();
    while let Some(c) = rest.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            ';' | '&' | '|' | '(' | ')' | '<' | '>' | '`' | '\n' => break,
            '#' if word.is_none() => break,
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => word.extend(rest.next()),
                        Some(quoted) => word.push(quoted),
                        None => return Vec::new(),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(rest.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn is_our_name(program: &str, own: &str) -> bool {
    (!own.is_empty() && program == own) || Path::new(program).file_name().is_some_and(|name| name == "zerto-guard")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::Host;

    fn entry(when: When, command: &str, arguments: Vec<String>) -> Entry {
        let recipe = crate::install::recipe(Host::ClaudeCode);
        let event = recipe.at(when).next().unwrap();
        Entry { recipe, event, command: command.into(), arguments, timeout: 1, form: Form::Shell }
    }

    #[test]
    fn versions() {
        for (text, version) in [
            ("2.1.332 (Claude Code)\n", Some(Version(2, 1, 332))),
            ("claude v2.1.197-beta.1", Some(Version(2, 1, 197))),
            ("2.1", None),
            ("1.2.3.4", None),
            ("command not found", None),
            ("99999999999999999999.1.1", None),
        ] {
            assert_eq!(Version::find(text), version, "{text}");
        }
        assert_eq!(Form::for_version(Some(Version(2, 1, 295))), Form::Exec);
        assert_eq!(Form::for_version(Some(Version(3, 0, 0))), Form::Exec);
        assert_eq!(Form::for_version(Some(Version(2, 1, 294))), Form::Shell);
        assert_eq!(Form::for_version(None), Form::Shell);
    }

    #[test]
    fn a_shell_takes_the_words_as_they_are() {
        let words = ["plain", "", "a b", "it's", "$HOME `x`", "a;b|c&d", "\"q\"", "ä", "-n", "~", "*", "a\\b"];
        let entry = entry(When::Before, "/bin/echo", words.iter().map(|word| format!("[{word}]")).collect());
        let output = std::process::Command::new("/bin/sh").arg("-c").arg(entry.shell_text()).output().unwrap();
        let expected = words.iter().map(|word| format!("[{word}]")).collect::<Vec<_>>().join(" ");
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), expected.trim_end());
    }

    #[test]
    fn our_own_shell_text_is_read_back_and_no_other() {
        let arguments = vec!["hook".into(), "--config".into(), "/a b".into()];
        let entry = entry(When::Before, "/my tools/it's/zerto-guard", arguments);
        let words: Vec<String> = std::iter::once(entry.command.clone()).chain(entry.arguments.clone()).collect();
        assert_eq!(shell_words(&entry.shell_text()), Some(words.clone()));
        let after = Entry { event: entry.recipe.at(When::After).next().unwrap(), ..entry };
        assert!(after.shell_text().ends_with("|| exit 0"));
        assert_eq!(shell_words(&after.shell_text()), Some(words));
        for text in [
            "rm -rf x; zerto-guard hook",
            "zerto-guard hook $(id)",
            "zerto-guard hook && x",
            "'a",
            "~/zerto-guard hook",
        ] {
            assert_eq!(shell_words(text), None, "{text}");
        }
    }

    #[test]
    fn ours_is_told_from_others_in_any_form() {
        let ours = [
            r#"{"type":"command","command":"/usr/local/bin/zerto-guard","args":["hook"]}"#,
            r#"{"command":"/opt/x/zerto-guard","args":["hook","--config","/c"],"timeout":5}"#,
            r#"{"command":"/a/zg","args":["hook"]}"#,
            r#"{"command":"zerto-guard hook"}"#,
            r#"{"command":"  exec zerto-guard hook"}"#,
            r#"{"command":"/a/zg hook || exit 2"}"#,
            r#"{"command":"'/my tools/zerto-guard' hook --host claude-code || exit 2"}"#,
            r#"{"command":"/my\\ tools/zerto-guard hook"}"#,
            r#"{"command":"\"$HOME\"/.cargo/bin/zerto-guard --state-dir /s -v hook||exit 2"}"#,
            r#"{"command":"/b/zerto-guard hook & exit 0 || exit 2"}"#,
            r#"{"type":"prompt","command":"zerto-guard hook"}"#,
        ];
        let misused = [
            r#"{"command":"/usr/local/bin/zerto-guard","args":["check"]}"#,
            r#"{"command":"/b/zerto-guard","args":["answer","ID","unguarded","--catalog","hook"]}"#,
            r#"{"command":"/b/zerto-guard","args":["catalog","add","--server","hook","x"]}"#,
            r#"{"command":"/b/zerto-guard","args":["--catalog","hook"]}"#,
            r#"{"command":"/b/zerto-guard","args":[]}"#,
            r#"{"command":"/b/zerto-guard --catalog hook uninstall claude-code || exit 2"}"#,
            r#"{"command":"/b/zerto-guard --version || ./x hook"}"#,
            r#"{"command":"/a/zg check; zerto-guard hook"}"#,
        ];
        let foreign = [
            r#"{"command":"/usr/bin/zerto","args":["hook"]}"#,
            r#"{"command":"/opt/zerto-guard-audit","args":["hook"]}"#,
            r#"{"command":"/opt/zerto-guard-audit hook"}"#,
            r#"{"command":"/a/zg-x hook || exit 2"}"#,
            r#"{"command":"cd /src/zerto-guard && ./lint.sh hook"}"#,
            r#"{"command":"logger zerto-guard hook fired"}"#,
            r#"{"command":"logger 'zerto-guard' hook"}"#,
            r#"{"command":"'zerto-guard hook"}"#,
            r##"{"command":"# zerto-guard hook"}"##,
            r#"{"command":"(zerto-guard hook)"}"#,
            r#"{"command":"true || /b/zerto-guard hook || exit 2"}"#,
            r#"{"command":"/b/zerto-guard hook","args":[]}"#,
            r#"{"command":"audit.sh zerto-guard.log --hook"}"#,
            r#"{"command":"echo hook zerto-guard"}"#,
            r#"{"type":"prompt","prompt":"zerto-guard hook"}"#,
            r#"{"command":7}"#,
            r#"{"command":""}"#,
            r#""zerto-guard hook""#,
        ];
        for (texts, kin) in [(&ours[..], Kin::Ours), (&misused[..], Kin::Misused), (&foreign[..], Kin::Foreign)] {
            for text in texts {
                let tree = super::super::tree::Tree::parse(text).unwrap();
                assert_eq!(Kin::of(&tree.root, "command", "/a/zg"), kin, "{text}");
            }
        }
    }
}
