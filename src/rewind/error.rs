//! Why something could not be rewound: data, a text, a hint and an exit code.

use super::select::{Tagged, Unsure};
use crate::text::clean;
use crate::zvm::error::{ZvmError, ZvmErrorKind};
use thiserror::Error;

/// Why something could not be rewound.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RewindError {
    /// No ZVM is configured.
    #[error("No ZVM is configured.")]
    NoZvm,
    /// A ZVM could not be asked.
    #[error("{}", .0.message)]
    Zvm(ZvmError),
    /// No VM of that name is in a VPG.
    #[error("No VM for \"{}\" is in a VPG that a configured ZVM lists.", clean(vm, 100))]
    NoVm {
        /// As it was typed.
        vm: String,
        /// What a ZVM did not answer.
        warnings: Vec<String>,
    },
    /// Two or more VMs are meant.
    #[error("\"{}\" is more than one VM: {}.", clean(vm, 100), listed(vms))]
    SeveralVms {
        /// As it was typed.
        vm: String,
        /// Names and identifiers.
        vms: Vec<(String, String)>,
    },
    /// No tag, or more than one.
    #[error("{}", unsure(.0))]
    Tag(Unsure),
}

impl RewindError {
    /// Where a thread broke off.
    pub(super) fn broken_off() -> ZvmError {
        ZvmError {
            kind: ZvmErrorKind::Nonsense,
            message: "A fault of zerto-guard broke off a question to a ZVM.".into(),
            hint: "Please report it.".into(),
        }
    }

    /// 3 nothing matched, 4 more than one, 6 a ZVM can't be reached.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoZvm => 6,
            Self::Zvm(error) => error.exit_code(),
            Self::NoVm { .. } | Self::Tag(Unsure::Nothing { .. }) => 3,
            Self::SeveralVms { .. } | Self::Tag(Unsure::Several { .. }) => 4,
        }
    }

    /// What to do now.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoZvm => "Add a [[zvm]] to the config; `zerto-guard trust URL` prints one.".into(),
            Self::Zvm(error) => error.hint.clone(),
            Self::NoVm { warnings, .. } if warnings.is_empty() => {
                "`zerto-guard rewind log` without a name lists the tags of all VMs; [hosts] of the config maps a host's \
                 name to its VM's."
                    .into()
            }
            Self::NoVm { warnings, .. } => format!("It may be one of a ZVM that did not answer: {}", warnings.join(" ")),
            Self::SeveralVms { .. } => "Name it by its identifier.".into(),
            Self::Tag(Unsure::Nothing { .. }) => "`zerto-guard rewind log` lists the tags.".into(),
            Self::Tag(Unsure::Several { .. }) => {
                "Name one of them: the whole tag in quotes, or --vm and --vpg to narrow it.".into()
            }
        }
    }
}

fn listed(vms: &[(String, String)]) -> String {
    vms.iter()
        .map(|(name, identifier)| format!("{} ({})", clean(name, 80), clean(identifier, 100)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn unsure(unsure: &Unsure) -> String {
    match unsure {
        Unsure::Nothing { wanted } => format!("No tag is \"{}\".", clean(wanted, 300)),
        Unsure::Several { wanted, tags } => {
            const SHOWN: usize = 20;
            let line = |tagged: &Tagged| {
                let places = tagged
                    .places
                    .iter()
                    .map(|place| format!("{} checkpoint {}", clean(&place.vpg, 60), clean(&place.checkpoint, 30)));
                format!("\n  {}  ({})", clean(&tagged.tag, 300), places.collect::<Vec<_>>().join(", "))
            };
            let lines: String = tags.iter().take(SHOWN).map(line).collect();
            let more = tags.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
            format!("\"{}\" is more than one tag:{lines}{more}", clean(wanted, 300))
        }
    }
}
