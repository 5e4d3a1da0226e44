//! File level restore sessions: which there are, and the end of one.

use super::{Hints, Spec, filled, given, input, list_of, maybe};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use crate::consent::Without;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use zerto_guard::errands::{end_session, sessions};

pub const LIST: Spec = Spec {
    name: "zerto_list_flr_sessions",
    title: "List file level restore sessions",
    description: "Use it when a recovery, a clone or a failover test is refused because the VM is mounted already, or to see that nothing was \
        left mounted: the file level restore sessions of all ZVMs, by default those that still hold a mount. It changes nothing.",
    hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: true },
    input: input::<List>,
    output: || {
        json!({
            "sessions": list_of(json!({
                "id": {"type": "string"}, "vm": maybe("string"), "vpg": maybe("string"), "checkpoint": maybe("string"),
                "status": {"type": "string"}, "live": {"type": "boolean"}, "started": maybe("string"),
                "zvms": {"type": "array", "items": {"type": "string"}},
            })),
        })
    },
    run: list,
};

pub const END: Spec = Spec {
    name: "zerto_end_flr_session",
    title: "End a file level restore session",
    description: "Use it to clear a mount that was left behind, once the human says that nobody needs it any more: it ends a file level \
        restore session, whosever it is, and waits for its end. Whoever looks into it or downloads from it is cut off, so a human has \
        to say yes.",
    hints: Hints { read_only: false, destructive: true, idempotent: true, open_world: true },
    input: input::<End>,
    output: || {
        json!({
            "session_id": {"type": "string"},
            "ended": {"type": "boolean", "description": "false if it was over already"},
            "vm": {"type": "string"}, "vpg": {"type": "string"}, "checkpoint": {"type": "string"},
        })
    },
    run: end,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct List {
    /// Only those that still hold a mount
    #[serde(default = "yes")]
    live_only: bool,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct End {
    /// The session, as zerto_list_flr_sessions lists it
    session_id: String,
    /// Not believed: the human is asked by the client, or runs the command line that is answered
    #[serde(default)]
    #[expect(dead_code, reason = "the human is asked all the same")]
    confirmed: bool,
}

fn list(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let List { live_only } = given(arguments)?;
    let done = sessions::run(call.plain().as_ref(), call.desk()?.as_ref(), !live_only)?;
    let live = |session: &Value| session.get("live") == Some(&json!(true));
    let any = done.object.as_array().is_some_and(|sessions| sessions.iter().any(live));
    let next = if any {
        "A live session may be somebody's work. If it is nobody's, zerto_end_flr_session ends it, once the human says so."
    } else if call.has_notes() {
        "Nothing is mounted as far as is known; the notes say what could not be read."
    } else {
        "Nothing is mounted: nothing has to be ended."
    };
    Ok(Answer::list(done, "sessions", next))
}

fn end(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let arguments: End = given(arguments)?;
    let id = filled("session_id", &arguments.session_id)?;
    let front = call.front(Without::Command(call.command(&["rewind", "end-session", id], &[])));
    let done = end_session::run(front.as_ref(), &call.desk()?, id)?;
    Ok(Answer::new(done, "What was refused because of the mount can be tried again."))
}
