//! A guest's file as it was, onto this machine's disk.

use super::{Hints, Spec, filled, given, input, list_of, maybe, some};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use crate::consent::Without;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use zerto_guard::errands::recover::{self, Own};
use zerto_guard::rewind::find::Narrow;
use zerto_guard::rewind::recover::Order;
use zerto_guard::text::clean;
use zerto_guard::ui::Failure;

pub const RECOVER: Spec = Spec {
    name: "zerto_recover_file",
    title: "Recover a file as it was",
    description: "Use it when a change has to be undone and the human wants a file back: it brings a file of the guest, as it was at a tag, to \
        the disk of the machine on which this server runs, and says how to put it back. It mounts the VM's disks at the recovery site for \
        that and unmounts them whatever happens; the VM itself is not touched, and an existing file is never replaced. A human has to \
        say yes first.",
    hints: Hints { read_only: false, destructive: false, idempotent: false, open_world: true },
    input: input::<Arguments>,
    output: || {
        json!({
            "file": {"type": "string", "description": "where it is now"},
            "path": {"type": "string"},
            "size": {"type": "integer"},
            "sha256": maybe("string"),
            "kept": maybe("string"),
            "files": list_of(json!({"path": {"type": "string"}, "file": {"type": "string"}, "size": {"type": "integer"},
                "sha256": {"type": "string"}})),
            "left_out": list_of(json!({"path": {"type": "string"}, "why": {"type": "string"}})),
            "put_back": {"type": ["string", "null"], "description": "the command line that would put it back; it was not run"},
            "unmount": {
                "type": "object",
                "description": "how the mount ended; if not ok, it is still up and has to be cleared",
                "properties": {"ok": {"type": "boolean"}, "session_id": {"type": "string"}, "error": maybe("string")},
            },
            "warnings": {"type": "array", "items": {"type": "string"}},
        })
    },
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The VM, where the tag is of several: a name, a vmIdentifier, or a host name or address
    vm: Option<String>,
    /// The VPG, where the tag stands in several: a name or an identifier
    vpg: Option<String>,
    /// The whole tag, a change id, latest, latest~N, or a checkpoint's number
    tag: String,
    /// The guest's own path: /etc/app.yaml, C:\Users\j\app.conf
    path: String,
    /// The file to write on this machine, by its absolute path. Nothing may stand there, and it is none of the guard's own files
    destination: String,
    /// Bring a folder, with all that is in it
    #[serde(default)]
    recursive: bool,
    /// Whether the human has said yes to this. Not believed where the client can ask the human itself
    #[serde(default)]
    confirmed: bool,
}

fn run(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let Arguments { vm, vpg, tag, path, destination, recursive, confirmed } = given(arguments)?;
    let goal = PathBuf::from(filled("destination", &destination)?);
    if !goal.is_absolute() {
        let message = format!("{} is no absolute path.", clean(&destination, 300));
        return Err(
            Failure::new(64, message, "This server's folder is not yours: name the file from the root on.").into()
        );
    }
    let own = Own::kept_off(&call.files, &goal, recursive)?;
    let narrow = Narrow { vm: some(vm.as_ref()), vpg: some(vpg.as_ref()) };
    let front = call.front(Without::Flag(confirmed));
    let desk = call.desk()?;
    let (found, path) = recover::find(front.as_ref(), &desk, filled("tag", &tag)?, filled("path", &path)?, &narrow)?;
    let order = Order { path, goal, recursive, force: false };
    let done = recover::run(&front, &desk, &found, &order, Some(own))?;
    let up = done.object.get("unmount").and_then(|unmount| unmount.get("ok")).and_then(serde_json::Value::as_bool);
    let next = if up == Some(false) {
        "The file has come, and the mount is still up: tell the human, and clear it as the warning says (zerto_end_flr_session)."
    } else {
        "Show the human what has come, and compare it with what is there now. Putting it back is a change: \
         zerto_guard_before_mutate first, then the line that is shown."
    };
    Ok(Answer::new(done, next))
}
