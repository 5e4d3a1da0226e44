//! VS Code's agent: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "vscode",
    agent: "vscode",
    timeout: 30,
    settings: &[],
    folders: &["/.github/hooks", "/.copilot/hooks"],
    ..Dialect::UNREAD
};
