//! Windsurf: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "windsurf",
    agent: "windsurf",
    timeout: 60,
    settings: &["/.windsurf/hooks.json", "/.codeium/windsurf/hooks.json"],
    folders: &["/etc/windsurf"],
    ..Dialect::UNREAD
};
