//! Cline: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "cline",
    agent: "cline",
    timeout: 30,
    settings: &[],
    folders: &["/.clinerules/hooks", "/cline/hooks"],
    ..Dialect::UNREAD
};
