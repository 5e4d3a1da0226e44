//! Gemini CLI: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "gemini-cli",
    agent: "gemini",
    timeout: 60,
    settings: &["/.gemini/settings.json"],
    folders: &["/etc/gemini-cli"],
    ..Dialect::UNREAD
};
