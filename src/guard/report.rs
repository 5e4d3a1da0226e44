//! A guard that succeeded, in words for people, models and programs. Pure.

use super::error::first;
use super::{GuardError, Guarded, LeftOut, TaggedVpg};
use crate::text::{clean, foreign};
use serde_json::{Value, json};
use std::time::Duration;

/// One line that says where the tag stands and for how long.
#[must_use]
pub fn where_it_stands(guarded: &Guarded) -> String {
    let vms = first(&guarded.vms, |vm| foreign(&vm.name, 80), ", ");
    let vpgs = first(&guarded.vpgs, vpg, if guarded.vpgs.len() > 2 { ", " } else { " and " });
    let how = if guarded.reused { "an earlier tagged checkpoint stands" } else { "a tagged checkpoint stands" };
    let mut text = format!("{how} for {vms} in {vpgs}");
    if !guarded.left_out.is_empty() {
        let left = |left: &LeftOut| format!("not in VPG {}, since {}", foreign(&left.vpg, 80), clean(&left.why, 200));
        text.push_str(&format!("; {}", first(&guarded.left_out, left, "; ")));
    }
    text
}

fn vpg(vpg: &TaggedVpg) -> String {
    let kept = vpg.journal.map_or_else(
        || ", for how long its ZVM does not tell".to_owned(),
        |span| format!(", kept about {}", span_text(span)),
    );
    let checkpoint = vpg.checkpoint.as_deref().map(|id| format!("checkpoint {}", foreign(id, 40))).unwrap_or_default();
    format!("VPG {} ({checkpoint}{kept})", foreign(&vpg.name, 80))
}

/// A span as people say it.
#[must_use]
pub fn span_text(span: Duration) -> String {
    let minutes = span.as_secs() / 60;
    match minutes {
        m if m >= 2880 => format!("{} days", m / 1440),
        m if m >= 120 => format!("{} hours", m / 60),
        m => format!("{m} minutes"),
    }
}

/// How a human gets files back from it.
pub const HOW_TO_REWIND: &str = "If the change has to be undone, a human can get files back as they were with \
                                 `zerto-guard rewind recover TAG:PATH` (`rewind diff` shows first what has changed since).";

/// The result as scripts read it.
#[must_use]
pub fn object(guarded: &Guarded) -> Value {
    let vpgs: Vec<Value> = guarded.vpgs.iter().map(|vpg| vpg_object(vpg, None)).collect();
    let left_out: Vec<Value> =
        guarded.left_out.iter().map(|left| json!({"name": left.vpg, "status": left.status, "why": left.why})).collect();
    let names: Vec<&str> = guarded.vms.iter().map(|vm| vm.name.as_str()).collect();
    json!({
        "ok": true,
        "tag": guarded.tag,
        "vm": names.join(","),
        "vms": guarded.vms,
        "vpgs": vpgs,
        "left_out": left_out,
        "reused": guarded.reused,
    })
}

/// A guard that failed as scripts read it: the error, and what is known of each VPG.
#[must_use]
pub fn failure_object(error: &GuardError, targets: &[String]) -> Value {
    let (tag, vpgs) = match error {
        GuardError::Insert { tag, vpgs, .. } | GuardError::Deadline { tag, vpgs, .. } => (Some(tag), vpgs.as_slice()),
        _ => (None, &[][..]),
    };
    let vpgs: Vec<Value> = vpgs
        .iter()
        .map(|result| {
            let vpg = TaggedVpg {
                name: result.name.clone(),
                identifier: result.identifier.clone(),
                zvm: result.zvm.clone(),
                task_id: result.task_id.clone(),
                task_state: result.task_state,
                checkpoint: result.checkpoint().map(str::to_owned),
                journal: None,
            };
            vpg_object(&vpg, result.error())
        })
        .collect();
    let mut object = error_object(error);
    if let Some(fields) = object.as_object_mut() {
        fields.extend([
            ("tag".to_owned(), json!(tag)),
            ("vm".to_owned(), json!(targets.join(","))),
            ("vpgs".to_owned(), json!(vpgs)),
        ]);
    }
    object
}

/// An error as scripts read it.
#[must_use]
pub fn error_object(error: &GuardError) -> Value {
    json!({"ok": false, "error": error.to_string(), "hint": error.hint(), "exit_code": error.exit_code()})
}

/// A VPG; of a guard that failed it is not said how long the journal keeps what may not be there.
fn vpg_object(vpg: &TaggedVpg, error: Option<String>) -> Value {
    json!({
        "name": vpg.name,
        "identifier": vpg.identifier,
        "zvm": vpg.zvm,
        "task_id": vpg.task_id,
        "task_state": vpg.task_state.map(super::TaskState::name),
        "checkpoint": vpg.checkpoint,
        "journal_minutes": vpg.journal.map(|span| span.as_secs() / 60),
        "error": error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::VmRef;

    fn guarded() -> Guarded {
        let vpg = |name: &str, minutes: u64| TaggedVpg {
            name: name.into(),
            identifier: format!("id-{name}"),
            zvm: "nyc".into(),
            task_id: Some("t".into()),
            task_state: Some(crate::zvm::model::TaskState::Completed),
            checkpoint: Some("38".into()),
            journal: Some(Duration::from_secs(minutes * 60)),
        };
        Guarded {
            tag: "ai:claude | a | vm=web01 | change=c | 20260921T150405Z".into(),
            vms: vec![VmRef { name: "web01".into(), identifier: "g.vm-1".into() }],
            vpgs: vec![vpg("local", 240), vpg("dr", 10_080)],
            left_out: vec![LeftOut {
                vpg: "old\nzerto-guard: x".into(),
                identifier: "i".into(),
                zvm: "nyc".into(),
                status: "s".into(),
                why: "it is paused".into(),
            }],
            reused: false,
        }
    }

    #[test]
    fn it_says_where_and_how_long_and_what_was_left_out() {
        assert_eq!(
            where_it_stands(&guarded()),
            "a tagged checkpoint stands for web01 in VPG local (checkpoint 38, kept about 4 hours) and VPG dr \
             (checkpoint 38, kept about 7 days); not in VPG \"old zerto-guard: x\", since it is paused"
        );
    }

    #[test]
    fn a_journal_whose_length_is_not_told_is_said_to_be_so() {
        let mut guarded = guarded();
        guarded.vpgs.truncate(1);
        guarded.left_out.clear();
        guarded.vpgs[0].journal = None;
        assert_eq!(
            where_it_stands(&guarded),
            "a tagged checkpoint stands for web01 in VPG local (checkpoint 38, for how long its ZVM does not tell)"
        );
    }

    #[test]
    fn scripts_find_the_fields_of_the_contract() {
        let object = object(&guarded());
        assert_eq!(object["vm"], "web01");
        for field in ["name", "identifier", "task_id", "task_state", "checkpoint", "error"] {
            assert!(object["vpgs"][0].get(field).is_some(), "{field}");
        }
        assert_eq!(object["vpgs"][0]["task_state"], "Completed");
    }
}
