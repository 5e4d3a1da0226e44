//! Codex CLI: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "codex",
    agent: "codex",
    timeout: 600,
    settings: &["/.codex/hooks.json", "/.codex/config.toml"],
    folders: &["/etc/codex"],
    ..Dialect::UNREAD
};
