//! The texts of the errors: what is shown to people and agents.
//!
//! Owns the words. Names and reasons come from a ZVM and go to an agent, so each is made one clean line. Must not:
//! decide anything.

use super::{Candidate, Elsewhere, LeftOut, SiteKind};
use crate::guard::checkpoint::{Outcome, VpgResult};
use crate::guard::taggable::NO_TAGS;
use crate::text::{clean, foreign, inside};
use crate::zvm::model::TaskState;

/// The longest text of others that stands in a sentence.
const LONGEST: usize = 300;

/// Text from a ZVM or a call between quotation marks: one clean line, not too long.
pub(super) fn plain(text: &str) -> String {
    inside(&one_line(text), LONGEST)
}

/// The same where there are no quotation marks around it.
fn apart(text: &str) -> String {
    foreign(&one_line(text), LONGEST)
}

/// A text of ours in which such texts stand.
pub(super) fn one_line(text: &str) -> String {
    clean(text, LONGEST).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many things a text lists; whoever needs all has `--json`.
const LISTED: usize = 10;

/// The first of these, and how many more there are.
pub(in crate::guard) fn first<T>(all: &[T], text: impl Fn(&T) -> String, separator: &str) -> String {
    let mut parts: Vec<String> = all.iter().take(LISTED).map(text).collect();
    if all.len() > LISTED {
        parts.push(format!("and {} more", all.len() - LISTED));
    }
    parts.join(separator)
}

/// A line for each of the first of these.
fn lines<T>(all: &[T], text: impl Fn(&T) -> String) -> String {
    format!("\n  {}", first(all, text, "\n  "))
}

fn quoted(names: &[String]) -> String {
    first(names, |name| format!("\"{}\"", plain(name)), ", ")
}

pub(super) fn not_protected(target: &str, looked_for: &[String], zvms: &[String], elsewhere: &[Elsewhere]) -> String {
    let target = plain(target);
    let asked = first(zvms, |zvm| apart(zvm), ", ");
    if elsewhere.is_empty() {
        let looked_for = looked_for.iter().map(|what| one_line(what)).collect::<Vec<_>>();
        let looked_for = match looked_for.as_slice() {
            [] => "nothing to look for in it".to_owned(),
            some => format!("looked for {}", some.join(", ")),
        };
        return format!("No VM for \"{target}\" is protected by a VPG of the configured ZVMs ({asked}); {looked_for}.");
    }
    let text = format!("\"{target}\" is protected, but not at the site of a configured ZVM ({asked}):");
    let place = |place: &Elsewhere| {
        let site = if place.site.is_empty() {
            "another site, whose name the ZVM did not tell".to_owned()
        } else {
            format!("site \"{}\"", plain(&place.site))
        };
        let so = match &place.kind {
            SiteKind::Usual => "; a tag has to be inserted at that site's ZVM".to_owned(),
            SiteKind::PublicCloud(kind) => format!(", a public cloud ({}), {NO_TAGS}", apart(kind)),
            SiteKind::Unknown(kind) => format!(
                ", a site of a kind that this tool does not know ({}): if it is Azure or AWS, no tag can be inserted there, else at that site's ZVM",
                apart(kind)
            ),
        };
        format!(
            "VM \"{}\" in VPG \"{}\" (listed by ZVM {}) is protected at {site}{so}.",
            plain(&place.vm),
            plain(&place.vpg),
            apart(&place.zvm),
        )
    };
    text + &lines(elsewhere, place)
}

pub(super) fn ambiguous(target: &str, vms: &[Candidate]) -> String {
    let candidate = |vm: &Candidate| {
        format!(
            "\"{}\", vmIdentifier {}, VPG \"{}\", ZVM {}",
            plain(&vm.name),
            apart(&vm.identifier),
            plain(&vm.vpg),
            apart(&vm.zvm)
        )
    };
    format!("\"{}\" is more than one VM:{}", plain(target), lines(vms, candidate))
}

pub(super) fn not_taggable(target: &str, vm: &str, vpgs: &[LeftOut]) -> String {
    let called = if target.eq_ignore_ascii_case(vm) { String::new() } else { format!(" (\"{}\")", plain(target)) };
    format!(
        "VM \"{}\"{called} has no VPG at which a tagged checkpoint can be inserted now:{}",
        plain(vm),
        lines(vpgs, LeftOut::line)
    )
}

impl LeftOut {
    /// One line: the VPG, its state, why not.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "VPG \"{}\" at ZVM {} ({}): {}.",
            plain(&self.vpg),
            apart(&self.zvm),
            one_line(&self.status),
            one_line(&self.why)
        )
    }
}

pub(super) fn inserts(what: &str, vms: &[String], tag: &str, vpgs: &[VpgResult]) -> String {
    let mut vpgs: Vec<&VpgResult> = vpgs.iter().collect();
    if vpgs.len() > LISTED {
        // Those that went wrong must not be among those that are not shown.
        vpgs.sort_by_key(|vpg| vpg.checkpoint().is_some());
    }
    format!("{what} of {} (tag \"{}\"):{}", quoted(vms), inside(tag, 260), lines(&vpgs, |vpg| vpg.line()))
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
        format!("VPG \"{}\" at ZVM {}: {}", plain(&self.name), apart(&self.zvm), self.story())
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
                Some(_) => format!("{task}, checkpoint {} stands.", apart(checkpoint)),
                None => {
                    format!(
                        "the ZVM's answer to the insert was lost, but the tag stands (checkpoint {}).",
                        apart(checkpoint)
                    )
                }
            },
            Outcome::Failed => format!("{task}{}. No checkpoint was made.", self.because()),
            Outcome::Busy(other) => format!(
                "{task}{}; another insert (task {}) was running at this VPG until the deadline.",
                self.because(),
                apart(other)
            ),
            Outcome::Refused(error) => {
                format!("the insert was refused: {}", sentence(&error.message))
            }
            Outcome::Lost(error) => format!(
                "what the ZVM did with the insert is not known, since its answer was lost or may not be its own, and no checkpoint with this tag was listed since; nothing was sent again, and it may still appear. {}",
                sentence(&error.message)
            ),
            // How a task stands of which nothing could be read is not known either.
            Outcome::Unread(error) => match (&self.task_id, self.task_state) {
                (Some(id), None) => format!(
                    "what became of task {}, and whether the tag stands, could not be read. {}",
                    apart(id),
                    sentence(&error.message)
                ),
                _ => format!("{task}; whether the tag stands could not be read. {}", sentence(&error.message)),
            },
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
        let id = apart(id);
        match self.task_state {
            None => format!("task {id} was not known to the ZVM yet"),
            Some(TaskState::Other(number)) => format!("task {id} in an unknown state ({number})"),
            Some(state) => format!("task {id} {}", state.name()),
        }
    }

    fn because(&self) -> String {
        let reason = apart(self.reason.trim_end_matches('.'));
        if reason.is_empty() { " without a reason".to_owned() } else { format!(": {reason}") }
    }
}

fn sentence(text: &str) -> String {
    let text = one_line(text);
    if text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}
