//! GitHub Copilot CLI: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "copilot-cli",
    agent: "copilot",
    timeout: 30,
    settings: &["/.copilot/config.json"],
    folders: &["/.github/hooks", "/.copilot/hooks", "/etc/github-copilot"],
    ..Dialect::UNREAD
};
