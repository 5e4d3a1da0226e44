//! Why a call could not be guarded: data, a text for people and agents, a hint, an exit code.
//!
//! The texts name the target, the VM, the VPG and the ZVM, and say why and what to do now. Names and reasons come
//! from a ZVM and go to an agent, so they are made one plain line each.

use super::checkpoint::{Outcome, VpgResult};
use crate::state::StateError;
use crate::text::clean;
use crate::zvm::error::{ZvmError, ZvmErrorKind};
use crate::zvm::model::TaskState;
use std::fmt::Write as _;
use thiserror::Error;

/// A VM that a target may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// `<server guid>.<moref>`: the name to be used instead.
    pub identifier: String,
    /// A VPG of it.
    pub vpg: String,
    /// The ZVM that lists it.
    pub zvm: String,
}

/// A VPG that protects a VM at a site that none of the configured ZVMs is local to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The VM's name.
    pub vm: String,
    /// The VPG's name.
    pub vpg: String,
    /// The ZVM that lists it.
    pub zvm: String,
    /// The site that protects it, empty where it could not be learnt.
    pub site: String,
}

/// A VPG that cannot be tagged, or was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The VPG's name.
    pub vpg: String,
    /// Its identifier.
    pub identifier: String,
    /// The ZVM that protects it.
    pub zvm: String,
    /// Its state as Zerto names it.
    pub status: String,
    /// Why it cannot be tagged.
    pub why: String,
}

/// Why a call could not be guarded. Nothing may pass on any of these.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GuardError {
    /// No target was named.
    #[error("No VM is named that could be guarded.")]
    NoTarget,
    /// No ZVM is configured that guards.
    #[error("No ZVM is configured that could insert a tagged checkpoint.")]
    NoZvm,
    /// No VM that a configured ZVM protects is known under this name.
    #[error("{}", not_protected(target, looked_for, zvms, elsewhere))]
    NotProtected {
        /// As it was typed.
        target: String,
        /// What was looked for in its stead, in order.
        looked_for: Vec<String>,
        /// The ZVMs that were asked.
        zvms: Vec<String>,
        /// Where such a VM is protected instead.
        elsewhere: Vec<Elsewhere>,
    },
    /// Two or more VMs are meant.
    #[error("{}", ambiguous(target, vms))]
    Ambiguous {
        /// As it was typed.
        target: String,
        /// The VMs, one row for each VPG.
        vms: Vec<Candidate>,
    },
    /// A VM has no VPG at which a checkpoint can be inserted now.
    #[error("{}", not_taggable(target, vm, vpgs))]
    NotTaggable {
        /// As it was typed.
        target: String,
        /// The VM's name.
        vm: String,
        /// Its VPGs and why not.
        vpgs: Vec<LeftOut>,
    },
    /// A ZVM could not be asked.
    #[error("{}", .0.message)]
    Zvm(ZvmError),
    /// The state folder cannot be used.
    #[error("{}", .0)]
    State(StateError),
    /// A tag does not stand in every VPG.
    #[error("{}", inserts("The tagged checkpoint does not stand in every VPG", vms, tag, vpgs))]
    Insert {
        /// The tag.
        tag: String,
        /// The VMs' names.
        vms: Vec<String>,
        /// How it went at each VPG.
        vpgs: Vec<VpgResult>,
    },
    /// The deadline has passed.
    #[error("{}", late(doing, tag, vms, vpgs))]
    Deadline {
        /// What was being done.
        doing: String,
        /// The tag, once there was one.
        tag: Option<String>,
        /// The VMs' names, as far as they were known.
        vms: Vec<String>,
        /// How far each VPG got.
        vpgs: Vec<VpgResult>,
    },
    /// A thread panicked.
    #[error("zerto-guard broke off while {doing}: this is a fault of its own.")]
    Broken {
        /// What was being done.
        doing: String,
    },
}

impl From<ZvmError> for GuardError {
    fn from(error: ZvmError) -> Self {
        match error.kind {
            ZvmErrorKind::Deadline => Self::late(&error.message),
            _ => Self::Zvm(error),
        }
    }
}

impl GuardError {
    /// The deadline passed before there was a tag.
    pub(super) fn late(doing: &str) -> Self {
        Self::Deadline { doing: doing.to_owned(), tag: None, vms: Vec::new(), vpgs: Vec::new() }
    }

    /// What to do now.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoTarget => "Name the VM, with --vm or [hosts] in config.toml.".to_owned(),
            Self::NoZvm => "Add a [[zvm]] without `guards = false` to config.toml.".to_owned(),
            Self::NotProtected { elsewhere, .. } if !elsewhere.is_empty() => {
                "Add the ZVM of the protected site to config.toml as a [[zvm]].".to_owned()
            }
            Self::NotProtected { target, .. } => format!(
                "Zerto cannot rewind a change there. Protect the VM in a VPG, or map the name to its VM in [hosts] of config.toml (\"{}\" = \"<VM name or vmIdentifier>\"); if no VM is behind it, a human can add it to `unguarded` there.",
                plain(target)
            ),
            Self::Ambiguous { target, .. } => format!(
                "Use the vmIdentifier of the one that is meant, or map the name to it in [hosts] of config.toml (\"{}\" = \"<vmIdentifier>\").",
                plain(target)
            ),
            Self::NotTaggable { .. } => {
                "Wait until a VPG meets its SLA again, or mend it in the ZVM, then try again.".to_owned()
            }
            Self::Zvm(error) => error.hint.clone(),
            Self::State(error) => error.hint(),
            Self::Insert { vpgs, .. } | Self::Deadline { vpgs, .. } if !vpgs.is_empty() => after_inserts(vpgs),
            Self::Insert { .. } | Self::Deadline { .. } => {
                "See whether the ZVM is slow or out of reach (`zerto-guard doctor`), then try again; guard.deadline in config.toml sets how long is waited.".to_owned()
            }
            Self::Broken { .. } => "Try again; if it happens again, report it with what was called.".to_owned(),
        }
    }

    /// The exit code of every command but `hook`.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoTarget | Self::NotProtected { .. } => 3,
            Self::Ambiguous { .. } => 4,
            Self::NotTaggable { .. } => 5,
            Self::Zvm(error) => error.exit_code(),
            Self::Insert { vpgs, .. } => {
                let mut failed = vpgs.iter().filter(|vpg| vpg.checkpoint().is_none()).peekable();
                let reach = failed.peek().is_some()
                    && failed.all(
                        |vpg| matches!(&vpg.outcome, Outcome::Refused(e) | Outcome::Unread(e) if e.exit_code() == 6),
                    );
                if reach { 6 } else { 1 }
            }
            Self::NoZvm | Self::State(_) | Self::Deadline { .. } | Self::Broken { .. } => 1,
        }
    }
}

/// Text from a ZVM or a call as part of a sentence: one clean line, not too long.
pub(super) fn plain(text: &str) -> String {
    const LONGEST: usize = 300;
    clean(text, LONGEST).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{}\"", plain(name))).collect::<Vec<_>>().join(", ")
}

fn not_protected(target: &str, looked_for: &[String], zvms: &[String], elsewhere: &[Elsewhere]) -> String {
    let target = plain(target);
    let asked = zvms.iter().map(|zvm| plain(zvm)).collect::<Vec<_>>().join(", ");
    if elsewhere.is_empty() {
        return format!(
            "No VM for \"{target}\" is protected by a VPG of the configured ZVMs ({asked}); looked for {}.",
            looked_for.join(", ")
        );
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

fn ambiguous(target: &str, vms: &[Candidate]) -> String {
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

fn not_taggable(target: &str, vm: &str, vpgs: &[LeftOut]) -> String {
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

fn inserts(what: &str, vms: &[String], tag: &str, vpgs: &[VpgResult]) -> String {
    let mut text = format!("{what} of {} (tag \"{tag}\"):", quoted(vms));
    for vpg in vpgs {
        let _ = write!(text, "\n  {}", vpg.line());
    }
    text
}

fn late(doing: &str, tag: &Option<String>, vms: &[String], vpgs: &[VpgResult]) -> String {
    match tag {
        Some(tag) => inserts("The deadline passed before the tagged checkpoint stood in every VPG", vms, tag, vpgs),
        None => format!("The deadline passed before a tagged checkpoint could be inserted: {}", plain(doing)),
    }
}

fn after_inserts(vpgs: &[VpgResult]) -> String {
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
