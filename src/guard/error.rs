//! Why a call could not be guarded: data, a text for people and agents, a hint, an exit code.
//!
//! The texts (in `text`) name the target, the VM, the VPG and the ZVM, and say why; the hints say what to do now.

mod text;

use super::checkpoint::{Outcome, VpgResult};
use super::target::typed_as;
use crate::state::StateError;
use crate::zvm::error::{ZvmError, ZvmErrorKind};
pub(super) use text::first;
use text::{after_inserts, ambiguous, inserts, not_protected, not_taggable, one_line, plain};
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
    /// What kind of site that is.
    pub kind: SiteKind,
}

/// Whether the ZVM of a site could insert a tag there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteKind {
    /// It could, as far as was told.
    Usual,
    /// It could not: a public cloud of this kind.
    PublicCloud(String),
    /// Nobody knows: a kind without a published name.
    Unknown(String),
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
    /// More targets than one call is guarded for.
    #[error("{count} different targets are named, and no more than {most} are guarded at once.")]
    TooMany {
        /// How many.
        count: usize,
        /// How many would do.
        most: usize,
    },
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
    /// The deadline has passed before anything was inserted.
    #[error("The deadline passed: {}", one_line(doing))]
    Late {
        /// What was being done, as a sentence.
        doing: String,
    },
    /// This machine's turn at a VPG did not come, or too late.
    #[error(
        "The deadline passed: this call waited {} s for its turn at VPG \"{}\", where other calls of this machine were inserting (one at a time). Nothing was inserted.",
        waited.as_secs(),
        plain(vpg)
    )]
    NoTurn {
        /// The VPG's name.
        vpg: String,
        /// How long it was waited for.
        waited: std::time::Duration,
    },
    /// The deadline has passed, and the tag does not stand in every VPG.
    #[error("{}", inserts("The deadline passed before the tagged checkpoint stood in every VPG", vms, tag, vpgs))]
    Deadline {
        /// The tag.
        tag: String,
        /// The VMs' names.
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

/// What to do about a VM that is protected at another site: its ZVM serves, unless that site takes no tags.
fn elsewhere_hint(elsewhere: &[Elsewhere]) -> String {
    const ADD: &str = "Add the ZVM of the protected site to config.toml as a [[zvm]].";
    let any = |is: fn(&SiteKind) -> bool| elsewhere.iter().any(|place| is(&place.kind));
    let usual = any(|kind| *kind == SiteKind::Usual);
    if usual {
        ADD.to_owned()
    } else if any(|kind| matches!(kind, SiteKind::Unknown(_))) {
        format!(
            "If that site is Azure or AWS, use the vSphere site's ZVM: no tag can be inserted there. If it is not: {ADD}"
        )
    } else {
        "Use the vSphere site's ZVM: the VM can be guarded only while it runs at a vSphere site, through that site's ZVM. \
         Zerto inserts no tagged checkpoint where the protected site is Azure or AWS."
            .to_owned()
    }
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
    /// The deadline passed before anything was inserted.
    pub(super) fn late(doing: &str) -> Self {
        Self::Late { doing: doing.to_owned() }
    }

    /// What to do now.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoTarget => "Name the VM, with --vm or [hosts] in config.toml.".to_owned(),
            Self::NoZvm => "Add a [[zvm]] without `guards = false` to config.toml: `zerto-guard trust URL` prints one, and `zerto-guard -v find VM` says which file is read.".to_owned(),
            Self::TooMany { most, .. } => {
                format!("Split the call into several that change no more than {most} machines each.")
            }
            Self::NotProtected { elsewhere, .. } if !elsewhere.is_empty() => elsewhere_hint(elsewhere),
            Self::NotProtected { target, .. } => {
                let (did_you_mean, name) = match typed_as(target) {
                    Some((form, host)) => (
                        format!("It looks like {form}; did you mean \"{}\"? ", plain(&host)),
                        plain(&host),
                    ),
                    None => (String::new(), plain(target)),
                };
                format!(
                    "{did_you_mean}Zerto cannot rewind a change there. Protect the VM in a VPG, or map the name to its VM in [hosts] of config.toml (\"{name}\" = \"<VM name or vmIdentifier>\"); if no VM is behind it, a human can add it to `unguarded` there.",
                )
            }
            Self::Ambiguous { target, .. } => format!(
                "Use the vmIdentifier of the one that is meant, or map the name to it in [hosts] of config.toml (\"{}\" = \"<vmIdentifier>\").",
                plain(target)
            ),
            Self::NotTaggable { .. } => {
                "Wait until what is in the way has passed, or mend it in the ZVM, then try again.".to_owned()
            }
            Self::Zvm(error) => error.hint.clone(),
            Self::State(error) => error.hint(),
            Self::Insert { vpgs, .. } | Self::Deadline { vpgs, .. } => after_inserts(vpgs),
            Self::Late { .. } => {
                "See whether the ZVM is slow or out of reach (`zerto-guard find VM`), then try again; guard.deadline in config.toml sets how long is waited.".to_owned()
            }
            Self::NoTurn { .. } => "Try again once fewer calls change VMs of this VPG at the same time; guard.deadline in config.toml sets how long is waited.".to_owned(),
            Self::Broken { .. } => "Try again; if it happens again, report it with what was called.".to_owned(),
        }
    }

    /// The tag that may stand in some of the VPGs.
    #[must_use]
    pub fn tag(&self) -> Option<&str> {
        match self {
            Self::Insert { tag, .. } | Self::Deadline { tag, .. } => Some(tag),
            _ => None,
        }
    }

    /// The exit code of every command but `hook`.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoTarget | Self::NotProtected { .. } => 3,
            Self::Ambiguous { .. } => 4,
            Self::NotTaggable { .. } | Self::TooMany { .. } => 5,
            Self::Zvm(error) => error.exit_code(),
            Self::Insert { vpgs, .. } => {
                let mut failed = vpgs.iter().filter(|vpg| vpg.checkpoint().is_none()).peekable();
                let reach = failed.peek().is_some()
                    && failed.all(
                        |vpg| matches!(&vpg.outcome, Outcome::Refused(e) | Outcome::Unread(e) if e.exit_code() == 6),
                    );
                if reach { 6 } else { 1 }
            }
            Self::NoZvm
            | Self::State(_)
            | Self::Late { .. }
            | Self::NoTurn { .. }
            | Self::Deadline { .. }
            | Self::Broken { .. } => 1,
        }
    }
}
