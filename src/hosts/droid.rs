//! Factory Droid: its hook JSON and its ways to be answered.

use super::Dialect;

/// What this host says and understands.
pub(super) static DIALECT: Dialect = Dialect {
    name: "droid",
    agent: "droid",
    timeout: 60,
    settings: &["/.factory/settings.json", "/.factory/settings.local.json", "/.factory/hooks.json"],
    folders: &["/etc/factory"],
    ..Dialect::UNREAD
};
