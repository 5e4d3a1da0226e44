//! Other agents: what one of them does can't be told from the words that start it, and its calls may run without this guard.
//! Pure.

use super::carry;
use crate::classify::effect::{Command, Facts, Report};
use crate::classify::word::Word;

/// The agents, and the beginnings of their command lines that only show something.
#[rustfmt::skip]
const AGENTS: &[(&str, &[&[&str]])] = &[
    ("aider", &[&["--list-models"], &["--show-repo-map"]]),
    ("amp", &[&["threads", "list"], &["mcp", "list"], &["tools", "list"]]),
    ("auggie", &[&["mcp", "list"]]),
    ("claude", &[&["mcp", "list"], &["mcp", "get"], &["config", "list"], &["config", "get"], &["doctor"], &["auth", "status"], &["plugin", "list"], &["plugin", "validate"], &["agents"]]),
    ("cline", &[&["config", "list"], &["config", "get"], &["instance", "list"], &["task", "list"]]),
    ("codex", &[&["login", "status"], &["mcp", "list"], &["mcp", "get"], &["features", "list"], &["completion"]]),
    ("copilot", &[&["help"]]),
    ("crush", &[&["dirs"], &["logs"], &["models"], &["schema"]]),
    ("cursor-agent", &[&["status"], &["whoami"], &["ls"], &["models"], &["mcp", "list"], &["mcp", "list-tools"], &["about"]]),
    ("droid", &[&["mcp", "list"]]),
    ("gemini", &[&["mcp", "list"], &["extensions", "list"], &["--list-extensions"], &["--list-sessions"]]),
    ("goose", &[&["info"], &["session", "list"], &["recipe", "list"], &["recipe", "validate"], &["schedule", "list"]]),
    ("interpreter", &[]),
    ("kiro", &[]),
    ("kiro-cli", &[&["whoami"], &["doctor"], &["mcp", "list"], &["mcp", "status"], &["agent", "list"], &["settings", "list"]]),
    ("llm", &[&["models"], &["models", "list"], &["plugins"], &["keys"], &["keys", "list"], &["keys", "path"], &["logs"], &["logs", "list"], &["logs", "path"], &["logs", "status"], &["templates"], &["templates", "list"], &["templates", "show"], &["aliases"], &["aliases", "list"], &["tools", "list"]]),
    ("opencode", &[&["models"], &["mcp", "list"], &["mcp", "ls"], &["auth", "list"], &["auth", "ls"], &["session", "list"], &["stats"], &["agent", "list"]]),
    ("openhands", &[]),
    ("plandex", &[&["plans"], &["current"], &["diff"], &["models"], &["version"]]),
    ("q", &[&["whoami"], &["doctor"], &["mcp", "list"], &["mcp", "status"], &["settings", "list"]]),
    ("qwen", &[&["mcp", "list"], &["extensions", "list"]]),
];

/// Whether a program is one of them.
#[must_use]
pub fn knows(program: &str) -> bool {
    AGENTS.iter().any(|(name, _)| *name == program)
}

/// Judges a command of one of them.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let name = carry::name(command);
    let words: Option<Vec<&str>> = command.arguments().iter().map(Word::known).collect();
    let shows = words.as_deref().is_some_and(|words| match words {
        ["--version" | "-v" | "-V" | "--help" | "-h" | "help" | "version"] => true,
        // The help of a sub-command, as long as nothing else is said.
        [subs @ .., "--help" | "-h"] => subs.len() <= 2 && subs.iter().all(|sub| is_name(sub)),
        words => AGENTS.iter().filter(|(known, _)| *known == name).flat_map(|(_, shows)| *shows).any(|shows| {
            words.strip_prefix(*shows).is_some_and(|rest| rest.iter().all(|word| is_harmless(word)) && rest.len() <= 3)
        }),
    });
    if shows {
        return Report::reads();
    }
    Report::unknown(format!("`{name}` is an agent of its own, and what it does can't be seen from here"))
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('-') && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// A name, or an option that shapes what is shown.
fn is_harmless(word: &str) -> bool {
    let shapes = ["--json", "--verbose", "--all", "-n", "--format", "--output-format", "--options", "-l"];
    shapes.contains(&word) || is_name(word)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn what_shows_and_what_works() {
        check(
            judge,
            &[
                ("claude --version", "reads"),
                ("claude -v", "reads"),
                ("claude mcp list", "reads"),
                ("claude mcp get zerto", "reads"),
                ("claude mcp add --help", "reads"),
                ("codex --version", "reads"),
                ("codex mcp list --json", "reads"),
                ("gemini --help", "reads"),
                ("aider --list-models gpt", "reads"),
                ("llm models list", "reads"),
                ("opencode models", "reads"),
                ("cursor-agent status", "reads"),
            ],
        );
        check_unknown(
            judge,
            &[
                "claude",
                "claude -p 'fix it'",
                "claude -p --help",
                "claude mcp add x -- y",
                "claude mcp list; x",
                "claude mcp get …",
                "claude plugin install x",
                "claude config set x y",
                "claude update",
                "claude mcp list --settings /tmp/x",
                "codex exec 'x'",
                "codex",
                "codex mcp add x",
                "gemini -p x",
                "gemini mcp add x",
                "copilot -p x --allow-all-tools",
                "aider --message x",
                "goose run -t x",
                "llm 'do it'",
                "llm -m x 'y'",
                "opencode run x",
                "droid exec x",
                "q chat x",
                "amp -x y",
                "crush run x",
                "claude $*",
            ],
        );
    }

    #[test]
    fn each_is_registered_and_in_order() {
        assert!(AGENTS.is_sorted_by_key(|(name, _)| name));
        for (name, _) in AGENTS {
            assert!(super::super::of(name).is_some(), "{name}");
        }
    }
}
