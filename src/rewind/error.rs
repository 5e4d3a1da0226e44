//! Why something could not be rewound: data, a text, a hint and an exit code.

mod words;

use super::ending::Unmounted;
use super::path::GuestPath;
use super::select::Unsure;
use super::trouble::SaveError;
use crate::state::StateError;
use crate::text::{clean, foreign, inside};
use crate::zvm::error::{ZvmError, ZvmErrorKind};
use thiserror::Error;
use words::{
    after_signal, because, holds, lines, listed, live_text, lost_text, on_vm, sites, some_lines, unsure, vm_text,
};

/// A VPG whose files come from a site that none of the configured ZVMs is local to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The VPG.
    pub vpg: String,
    /// Its recovery site.
    pub site: String,
}

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
    #[error("No VM for \"{}\" is in a VPG that a configured ZVM lists.", inside(vm, 100))]
    NoVm {
        /// As it was typed.
        vm: String,
        /// What a ZVM did not answer.
        warnings: Vec<String>,
    },
    /// Two or more VMs are meant.
    #[error("\"{}\" is more than one VM: {}.", inside(vm, 100), listed(vms))]
    SeveralVms {
        /// As it was typed.
        vm: String,
        /// Names and identifiers.
        vms: Vec<(String, String)>,
    },
    /// No tag, or more than one.
    #[error("{}", unsure(.0))]
    Tag(Unsure),
    /// No tag, as far as those that answered tell.
    #[error("No tag \"{}\" was found, and not every ZVM and journal could be read.", inside(wanted, 300))]
    MaybeTag {
        /// As it was typed.
        wanted: String,
        /// What a ZVM did not answer.
        warnings: Vec<String>,
    },
    /// Which tag is the newest of all can't be told, since not all could be read.
    #[error(
        "Which tag is \"{}\" of all can't be told, since not every ZVM and journal could be read.",
        inside(wanted, 40)
    )]
    MaybeLatest {
        /// As it was typed.
        wanted: String,
        /// What a ZVM did not answer.
        warnings: Vec<String>,
    },
    /// What was typed can't be read.
    #[error("\"{}\": {why}.", inside(given, 300))]
    Usage {
        /// As it was typed.
        given: String,
        /// What is wrong with it.
        why: String,
    },
    /// No VPG of that name is among those that were looked at.
    #[error("No VPG that was looked at is called \"{}\".", inside(vpg, 100))]
    NoVpg {
        /// As it was typed.
        vpg: String,
        /// Those that were looked at.
        known: Vec<String>,
    },
    /// The VM that a tag names is in none of its VPGs any more.
    #[error("The tag names {}, which is in none of its VPGs (any more): {}", vm_text(named), clean(tag, 260))]
    VmGone {
        /// As the tag names it.
        named: String,
        /// The tag.
        tag: String,
    },
    /// No configured ZVM is local to a recovery site.
    #[error("Files are restored at the recovery site, and no configured ZVM {}is local to it: {}.", if warnings.is_empty() { "" } else { "that answered " }, sites(vpgs))]
    NoLocalZvm {
        /// The VPGs and their sites.
        vpgs: Vec<Elsewhere>,
        /// What a ZVM did not answer.
        warnings: Vec<String>,
    },
    /// The ZVM says that the checkpoint can't be mounted.
    #[error("The disks of {} can't be mounted as they were at \"{}\": {}.", foreign(vm, 80), inside(checkpoint, 260), reasons.join("; "))]
    NotMountable {
        /// The VM.
        vm: String,
        /// The tag.
        checkpoint: String,
        /// The reason for each VPG.
        reasons: Vec<String>,
    },
    /// The ZVM refused to mount.
    #[error("{}{}", error.message, live_text(live))]
    MountRefused {
        /// What it said.
        error: ZvmError,
        /// The sessions of the VM that were live before.
        live: Vec<String>,
    },
    /// The ZVM's answer to the mount was lost.
    #[error("{} {}", error.message, lost_text(ended.as_ref()))]
    MountLost {
        /// How.
        error: ZvmError,
        /// What became of the session, if one was there.
        ended: Option<Unmounted>,
    },
    /// The mount failed or did not come.
    #[error("The disks of {vm} could not be mounted (FLR session {}): {why}.", foreign(session, 100))]
    MountFailed {
        /// The VM.
        vm: String,
        /// The session.
        session: String,
        /// What is known.
        why: String,
    },
    /// The path is not there.
    #[error("{} is not there{}.", foreign(path, 300), on_vm(vm, exists.as_deref()))]
    NoPath {
        /// As it was typed.
        path: String,
        /// The VM.
        vm: String,
        /// The deepest folder above it that is there, where that is known.
        exists: Option<String>,
        /// What may explain it, in sentences.
        beside: Vec<String>,
    },
    /// The place that `[paths]` names is not there.
    #[error(
        "[paths] of the config says that {} of {} lies in \"{}\", which is not there.",
        foreign(path, 300),
        foreign(vm, 80),
        inside(place, 200)
    )]
    PinGone {
        /// As it was typed.
        path: String,
        /// The VM.
        vm: String,
        /// The place.
        place: String,
        /// The partitions that are there.
        partitions: Vec<String>,
    },
    /// The path is on more than one partition, or twice on one.
    #[error("{} may be more than one thing on the disks of {}:{}", foreign(path, 300), foreign(vm, 80), lines(places))]
    SeveralPlaces {
        /// As it was typed.
        path: String,
        /// The VM.
        vm: String,
        /// Where, in the FLR name space.
        places: Vec<String>,
    },
    /// The path is a folder, and a file was asked for.
    #[error("{} on {} is a folder{}", foreign(path, 300), foreign(vm, 80), holds(entries, *more))]
    IsFolder {
        /// As it was typed.
        path: String,
        /// The VM.
        vm: String,
        /// What it holds, some of it.
        entries: Vec<String>,
        /// Whether it holds more.
        more: bool,
    },
    /// The path is a folder, and a file is needed.
    #[error("{} on {} is a folder.", foreign(path, 300), foreign(vm, 80))]
    NoFile {
        /// As it was typed.
        path: String,
        /// The VM.
        vm: String,
    },
    /// The path is one that can't be downloaded.
    #[error("{} on {} can't be downloaded{}", foreign(path, 300), foreign(vm, 80), because(remark))]
    NoDownload {
        /// As it was typed.
        path: String,
        /// The VM.
        vm: String,
        /// Why, in the ZVM's words.
        remark: String,
    },
    /// A folder holds more than can be brought at once.
    #[error("{} holds more than {most} files and folders.", foreign(path, 300))]
    TooMany {
        /// As it was typed.
        path: String,
        /// How many can be brought.
        most: usize,
    },
    /// A file did not arrive.
    #[error("{0}")]
    Save(SaveError),
    /// Not all of a folder arrived.
    #[error(
        "{brought} of {of} files were brought to {folder}, each of them whole. These were not:{}",
        some_lines(failed)
    )]
    Incomplete {
        /// Where they are.
        folder: String,
        /// How many arrived.
        brought: usize,
        /// How many there are.
        of: usize,
        /// Those that did not, and why.
        failed: Vec<String>,
        /// The exit code of what broke it off; else 1.
        code: u8,
    },
    /// Another recovery of this VM runs on this machine.
    #[error("Another recovery of {vm} is running on this machine, and there is one at a time.")]
    Turn {
        /// The VM.
        vm: String,
    },
    /// The state folder can't be used.
    #[error("{0}")]
    State(StateError),
    /// It was told to stop.
    #[error("Interrupted.")]
    Stopped,
    /// A signal came.
    #[error("Interrupted{}.", after_signal(unmounted.as_ref()))]
    Signal {
        /// Its number.
        signal: i32,
        /// What became of the session, if one was there.
        unmounted: Option<Unmounted>,
    },
    /// The machine, or a limit of the process, gives a recovery too little: it would break off with the mount up.
    #[error("{what}. Nothing was mounted.")]
    Machine {
        /// What is too little.
        what: String,
    },
    /// A fault of this program.
    #[error("A fault of zerto-guard broke off the work: {}.", clean(what, 300))]
    Fault {
        /// What is known of it.
        what: String,
    },
}

impl RewindError {
    /// Whether no tag was found.
    pub(super) fn is_no_tag(&self) -> bool {
        matches!(self, Self::Tag(Unsure::Nothing { .. }) | Self::MaybeTag { .. })
    }

    /// Where a thread broke off.
    pub(super) fn broken_off() -> ZvmError {
        ZvmError {
            kind: ZvmErrorKind::Nonsense,
            message: "A fault of zerto-guard broke off a question to a ZVM.".into(),
            hint: "Please report it.".into(),
            wait: None,
        }
    }

    /// 3 nothing matched, 4 more than one, 6 a ZVM can't be reached.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoZvm | Self::MaybeTag { .. } | Self::MaybeLatest { .. } => 6,
            // The ZVM that is needed may be the one that is silent.
            Self::NoLocalZvm { warnings, .. } if !warnings.is_empty() => 6,
            Self::Zvm(error) | Self::MountRefused { error, .. } | Self::MountLost { error, .. } => error.exit_code(),
            Self::NoVm { .. }
            | Self::NoVpg { .. }
            | Self::VmGone { .. }
            | Self::NoPath { .. }
            | Self::PinGone { .. }
            | Self::Tag(Unsure::Nothing { .. }) => 3,
            Self::SeveralVms { .. } | Self::SeveralPlaces { .. } | Self::Tag(Unsure::Several { .. }) => 4,
            Self::NoLocalZvm { .. } | Self::Turn { .. } | Self::IsFolder { .. } | Self::NoFile { .. } => 5,
            Self::Save(error) => error.exit_code(),
            Self::Incomplete { code, .. } => *code,
            Self::Usage { .. } => 64,
            Self::NotMountable { .. }
            | Self::MountFailed { .. }
            | Self::NoDownload { .. }
            | Self::TooMany { .. }
            | Self::State(_)
            | Self::Machine { .. }
            | Self::Fault { .. } => 1,
            Self::Stopped => 130,
            // As a shell says it of a program that a signal has ended.
            Self::Signal { signal, .. } => u8::try_from(128 + signal).unwrap_or(130),
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
            Self::SeveralVms { .. } => {
                "Say which with --vm (to `rewind log` as its argument): a name, or an identifier as shown.".into()
            }
            Self::Usage { .. } => "For example: zerto-guard rewind cat latest:/etc/app.yaml".into(),
            Self::NoVpg { known, .. } => {
                let known: Vec<String> = known.iter().take(20).map(|vpg| foreign(vpg, 60)).collect();
                format!("There are: {}.", known.join(", "))
            }
            Self::VmGone { .. } => {
                "It may have been renamed or taken out of the VPG; --vm names another VM of these VPGs.".into()
            }
            Self::NoLocalZvm { warnings, .. } => {
                let add = "Add that site's ZVM to the config as a [[zvm]], with guards = false if it protects nothing.";
                match warnings.as_slice() {
                    [] => add.into(),
                    _ => format!("Its ZVM may be one that did not answer: {} If it is not configured: {add}", warnings.join(" ")),
                }
            }
            Self::MountRefused { live, error } if live.is_empty() => error.hint.clone(),
            Self::NotMountable { .. } | Self::MountRefused { .. } => {
                "`zerto-guard rewind sessions` lists what is mounted. A session that is left mounted blocks the next one; if it is \
                 nobody's any more, end it: zerto-guard rewind end-session ID"
                    .into()
            }
            Self::MountLost { ended, .. } => {
                ended.as_ref().and_then(Unmounted::warning).unwrap_or_else(|| "Try again.".into())
            }
            Self::MountFailed { .. } => "The ZVM's own log and its tasks say more. Try again, or another VPG with --vpg.".into(),
            Self::NoPath { beside, .. } => {
                let mut sentences = beside.clone();
                sentences.push("`zerto-guard rewind ls TAG:FOLDER` shows what was there, names to copy included.".to_owned());
                sentences.join("\n")
            }
            Self::PinGone { partitions, .. } => {
                let there: Vec<String> = partitions.iter().take(20).map(|name| foreign(name, 100)).collect();
                format!("There are: {}. Correct the setting, or take it out.", there.join(", "))
            }
            Self::SeveralPlaces { path, vm, places } => {
                let path = GuestPath::parse(path).ok();
                let lines = places.iter().take(3).filter_map(|place| path.as_ref().map(|path| path.setting(vm, place)));
                let lines: Vec<String> = lines.map(|line| format!("\n  {line}")).collect();
                format!("Say which one counts in [paths] of the config, with one of:{}", lines.concat())
            }
            Self::IsFolder { .. } => "--recursive brings the whole folder; or name one of its files.".into(),
            Self::NoFile { .. } => {
                "`zerto-guard rewind ls` lists it, and `zerto-guard rewind recover --recursive` brings it.".into()
            }
            Self::NoDownload { .. } => {
                "Where it is a link, name the file that it leads to; `zerto-guard rewind ls` shows what can be had.".into()
            }
            Self::TooMany { .. } => "Bring the folders in it one by one.".into(),
            Self::Save(error) => error.hint.clone(),
            Self::Incomplete { .. } => "Name one of them alone to try it again.".into(),
            Self::Turn { .. } => "Try again when it has ended.".into(),
            Self::State(error) => error.hint(),
            Self::Stopped => String::new(),
            Self::Signal { unmounted, .. } => unmounted.as_ref().and_then(Unmounted::warning).unwrap_or_default(),
            Self::Machine { .. } => "See what limits the process (`ulimit -a`) and what else runs here, then try again.".into(),
            Self::Fault { .. } => "Please report it. `zerto-guard rewind sessions` shows whether anything is mounted.".into(),
            Self::MaybeTag { warnings, .. } => format!("It may be there all the same: {}", warnings.join(" ")),
            Self::MaybeLatest { warnings, .. } => {
                format!("Narrow it with --vm or --vpg, or name the tag itself. {}", warnings.join(" "))
            }
            Self::Tag(Unsure::Nothing { .. }) => "`zerto-guard rewind log` lists the tags.".into(),
            Self::Tag(Unsure::Several { .. }) => {
                "Name one of them: the whole tag in quotes, or a checkpoint's number; --vm and --vpg narrow it.".into()
            }
        }
    }
}
