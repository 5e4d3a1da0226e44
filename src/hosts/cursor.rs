//! Cursor: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "cursor",
    agent: "cursor",
    timeout: 60,
    settings: &["/.cursor/hooks.json"],
    folders: &["/etc/cursor"],
    ..Dialect::UNREAD
};
