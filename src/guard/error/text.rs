//! The texts of the errors: what is shown to people and agents.
//!
//! Owns the words. Names and reasons come from a ZVM and go to an agent, so each is made one clean line. Must not:
//! decide anything.

use super::{Candidate, Elsewhere, LeftOut};
use crate::guard::checkpoint::{Outcome, VpgResult};
use crate::text::clean;
use crate::zvm::model::TaskState;
use std::fmt::Write as _;

/// Text from a ZVM or a call as part of a sentence: one clean line, not too long.
pub(super) fn plain(text: &str) -> String {
    const LONGEST: usize = 300;
    clean(text, LONGEST).split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{}\"", plain(name))).collect::<Vec<_>>().join(", ")
}

pub(super) fn not_protected(target: &str, looked_for: &[String], zvms: &[String], elsewhere: &[Elsewhere]) -> String {
    let target = plain(target);
    let asked = zvms.iter().map(|zvm| plain(zvm)).collect::<Vec<_>>().join(", ");
    if elsewhere.is_empty() {
        let looked_for = looked_for.iter().map(|what| plain(what)).collect::<Vec<_>>();
        let looked_for = match looked_for.as_slice() {
            [] => "nothing to look for in it".to_owned(),
            some => format!("looked for {}", some.join(", ")),
        };
        return format!("No VM for \"{target}\" is protected by a VPG of the configured ZVMs ({asked}); {looked_for}.");
    }
    let mut text = format!("\"{target}\" is protected, but not at the site of a configured ZVM ({asked}):");
    for place in elsewhere {
        let site = if place.site.is_empty() {
            "another site, whose name the ZVM did not tell".to_owned()
        } else {
            format!("site \"{}\"", plain(&place.site))
        };
        let _ = write!(
            text,
            "\n  VM \"{}\" in VPG \"{}\" (listed by ZVM {}) is protected at {site}; a tag has to be inserted at that site's ZVM.",
            plain(&place.vm),
            plain(&place.vpg),
            plain(&place.zvm),
        );
    }
    text
}

pub(super) fn ambiguous(target: &str, vms: &[Candidate]) -> String {
    let mut text = format!("\"{}\" is more than one VM:", plain(target));
    for vm in vms {
        let _ = write!(
            text,
            "\n  \"{}\", vmIdentifier {}, VPG \"{}\", ZVM {}",
            plain(&vm.name),
            plain(&vm.identifier),
            plain(&vm.vpg),
            plain(&vm.zvm)
        );
    }
    text
}

pub(super) fn not_taggable(target: &str, vm: &str, vpgs: &[LeftOut]) -> String {
    let called = if target.eq_ignore_ascii_case(vm) { String::new() } else { format!(" (\"{}\")", plain(target)) };
    let mut text = format!("VM \"{}\"{called} has no VPG at which a tagged checkpoint can be inserted now:", plain(vm));
    for vpg in vpgs {
        let _ = write!(text, "\n  {}", vpg.line());
    }
    text
}

impl LeftOut {
    /// One line: the VPG, its state, why not.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "VPG \"{}\" at ZVM {} ({}): {}.",
            plain(&self.vpg),
            plain(&self.zvm),
            plain(&self.status),
            plain(&self.why)
        )
    }
}

pub(super) fn inserts(what: &str, vms: &[String], tag: &str, vpgs: &[VpgResult]) -> String {
    let mut text = format!("{what} of {} (tag \"{tag}\"):", quoted(vms));
    for vpg in vpgs {
        let _ = write!(text, "\n  {}", vpg.line());
    }
    text
}

pub(super) fn late(doing: &str, tag: &Option<String>, vms: &[String], vpgs: &[VpgResult]) -> String {
    match tag {
        Some(tag) => inserts("The deadline passed before the tagged checkpoint stood in every VPG", vms, tag, vpgs),
        None => format!("The deadline passed before a tagged checkpoint could be inserted: {}", plain(doing)),
    }
}

pub(super) fn after_inserts(vpgs: &[VpgResult]) -> String {
    let mut hint = String::new();
    if vpgs.iter().any(|vpg| matches!(vpg.outcome, Outcome::Lost(_))) {
        hint.push_str("Look into the VPG's checkpoints in the ZVM before trying again: one with this tag may still appear, which does no harm. ");
    }
    if vpgs.iter().any(|vpg| vpg.task_state == Some(TaskState::Failed)) {
        hint.push_str("The ZVM's task list says more about a failed task. ");
    }
    let first_error = vpgs.iter().find_map(|vpg| match &vpg.outcome {
        Outcome::Refused(error) | Outcome::Unread(error) | Outcome::Lost(error) if !error.hint.is_empty() => {
            Some(&error.hint)
        }
        _ => None,
    });
    if let Some(error) = first_error {
        hint.push_str(error);
        hint.push(' ');
    }
    hint.push_str("Checkpoints that stand stay in their journals. Once the VPGs can be tagged (`zerto-guard find VM`), try again.");
    hint
}

impl VpgResult {
    /// One line: the VPG, its task's identifier, state and reason, and what that means.
    #[must_use]
    pub fn line(&self) -> String {
        format!("VPG \"{}\" at ZVM {}: {}", plain(&self.name), plain(&self.zvm), self.story())
    }

    /// What went wrong here; none if the tag stands.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.checkpoint().is_none().then(|| self.story())
    }

    fn story(&self) -> String {
        let task = self.task();
        match &self.outcome {
            Outcome::Stands { checkpoint, .. } => match &self.task_id {
                Some(_) => format!("{task}, checkpoint {checkpoint} stands."),
                None => format!("the answer to the insert was lost, but the tag stands (checkpoint {checkpoint})."),
            },
            Outcome::Failed => format!("{task}{}. No checkpoint was made.", self.because()),
            Outcome::Busy(other) => format!(
                "{task}{}; another insert (task {}) was running at this VPG until the deadline.",
                self.because(),
                plain(other)
            ),
            Outcome::Refused(error) => {
                format!("the insert was refused: {}", sentence(&error.message))
            }
            Outcome::Lost(error) => format!(
                "the answer to the insert was lost, and no checkpoint with this tag was listed since; nothing was sent again, and it may still appear. {}",
                sentence(&error.message)
            ),
            Outcome::Unread(error) => {
                format!("{task}; whether the tag stands could not be read. {}", sentence(&error.message))
            }
            Outcome::OutOfTime => match (&self.task_id, self.task_state) {
                (None, _) => "no insert was sent before the deadline.".to_owned(),
                (Some(_), Some(TaskState::Completed)) => {
                    format!("{task}, but its checkpoint was not listed before the deadline.")
                }
                (Some(_), Some(state)) if state.is_over() => {
                    format!("{task}{}, and the deadline passed.", self.because())
                }
                _ => format!("{task} at the deadline."),
            },
            Outcome::NotSent => "no insert was sent, since another VPG had failed.".to_owned(),
            Outcome::NotWaited => {
                format!("{task}; not waited for any longer, since another VPG had failed.")
            }
            Outcome::Broken => format!("{task}; zerto-guard broke off here, a fault of its own."),
        }
    }

    fn task(&self) -> String {
        let Some(id) = &self.task_id else {
            return "no task known".to_owned();
        };
        let id = plain(id);
        match self.task_state {
            None => format!("task {id} was not known to the ZVM yet"),
            Some(TaskState::Other(number)) => format!("task {id} in an unknown state ({number})"),
            Some(state) => format!("task {id} {}", state.name()),
        }
    }

    fn because(&self) -> String {
        let reason = plain(&self.reason);
        if reason.is_empty() { " without a reason".to_owned() } else { format!(": {}", reason.trim_end_matches('.')) }
    }
}

fn sentence(text: &str) -> String {
    let text = plain(text);
    if text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}
