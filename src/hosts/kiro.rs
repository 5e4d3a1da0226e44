//! Kiro CLI and Amazon Q Developer CLI: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "kiro",
    agent: "kiro",
    timeout: 30,
    settings: &[],
    folders: &["/.kiro/agents", "/.kiro/hooks", "/.aws/amazonq/cli-agents", "/.amazonq/cli-agents"],
    ..Dialect::UNREAD
};
