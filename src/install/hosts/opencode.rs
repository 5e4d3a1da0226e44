//! OpenCode's plugins: sst/opencode, `packages/web/src/content/docs/plugins.mdx` (31e22f6): a file in a folder, loaded when it starts;
//! `tool.execute.before` stops a call by throwing.

use super::{COMMON, Event, Kind, Recipe, Scope, Waits, none};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::OpenCode,
    title: "OpenCode",
    variables: &["XDG_CONFIG_HOME"],
    place: |places, scope| match scope {
        Scope::User => {
            places.folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("opencode/plugins/zerto-guard.js"))
        }
        Scope::Project => Ok(places.project.join(".opencode/plugins/zerto-guard.js")),
        Scope::Managed => none(
            "OpenCode has no machine-wide folder for plugins that its documents name. Install it for the user or the project.",
        ),
    },
    kind: |_| Kind::Script,
    events: &[Event::before("tool.execute.before", None)],
    waits: Waits::AsSet(0),
    holes: "A missing, crashed, killed or slow guard stops the call: the plugin throws unless the guard ended with 0 in time. \
            A plugin that OpenCode doesn't load guards nothing.",
    by_hand: |_| vec!["Restart OpenCode: it loads plugins when it starts."],
    sample: |cwd| {
        json!({
            "plugin": "zerto-guard", "event": "tool.execute.before", "tool": "bash", "sessionID": "zerto-guard-doctor",
            "callID": "doctor", "directory": cwd, "args": {"command": "pwd"},
        })
    },
    ..COMMON
};
