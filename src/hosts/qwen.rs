//! Qwen Code: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "qwen",
    agent: "qwen",
    timeout: 60,
    settings: &["/.qwen/settings.json"],
    folders: &["/etc/qwen-code"],
    ..Dialect::UNREAD
};
