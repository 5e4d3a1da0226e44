//! OpenCode, through the shim in `hooks/opencode`: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "opencode",
    agent: "opencode",
    timeout: 60,
    settings: &["/opencode.json", "/opencode.jsonc"],
    folders: &["/.opencode/plugin", "/.opencode/plugins", "/opencode/plugin", "/opencode/plugins"],
    ..Dialect::UNREAD
};
