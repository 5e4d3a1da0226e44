//! Why a whole VPG was not cloned or tested: data, a text, a hint and an exit code.

use super::Act;
use super::task::Standing;
use crate::rewind::error::RewindError;
use crate::text::{clean, foreign, inside, shell_word};
use crate::zvm::ZvmError;
use crate::zvm::model::{Resource, Task};
use thiserror::Error;

/// What is done, to which VPG, and at which ZVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doing {
    /// What.
    pub act: Act,
    /// The VPG's name.
    pub vpg: String,
    /// The ZVM's name and address.
    pub zvm: String,
}

/// Why it was not done.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WholeError {
    /// The tag could not be found, or the ZVMs can't be asked.
    #[error(transparent)]
    Rewind(#[from] RewindError),
    /// More than one VPG is meant.
    #[error("\"{}\" means more than one VPG: {}.", inside(wanted, 260), vpgs.join(", "))]
    SeveralVpgs {
        /// As it was typed, or the tag.
        wanted: String,
        /// The VPGs.
        vpgs: Vec<String>,
    },
    /// One VPG is known, and not all could be read.
    #[error(
        "VPG {} has the tag, and whether others have it too is not known, since not every journal could be read.",
        foreign(vpg, 80)
    )]
    MaybeSeveral {
        /// The VPG that has it.
        vpg: String,
        /// What could not be asked.
        unread: Vec<String>,
    },
    /// Two datastores of the recovery site have that name.
    #[error("\"{}\" is more than one datastore: {}.", inside(wanted, 120), resources(stores))]
    SeveralDatastores {
        /// As it was typed.
        wanted: String,
        /// Those of that name.
        stores: Vec<Resource>,
    },
    /// No ZVM is local to the recovery site.
    #[error("VPG {} recovers to site {}, and no configured ZVM is local to it.", foreign(vpg, 80), foreign(site, 80))]
    NoLocalZvm {
        /// The VPG.
        vpg: String,
        /// Its recovery site.
        site: String,
        /// What could not be asked.
        unread: Vec<String>,
    },
    /// A test runs already.
    #[error("A failover test of VPG {} runs already ({}).", foreign(vpg, 80), foreign(stage, 60))]
    TestRuns {
        /// The VPG.
        vpg: String,
        /// How far it is.
        stage: String,
    },
    /// No test runs.
    #[error("No failover test of VPG {} runs.", foreign(vpg, 80))]
    NoTest {
        /// The VPG.
        vpg: String,
    },
    /// Whether a test runs is not known.
    #[error("No ZVM that answered shows a failover test of VPG {}, and not all did: {}", foreign(vpg, 80), silent.message)]
    MaybeTest {
        /// The VPG.
        vpg: String,
        /// Why one did not answer.
        silent: ZvmError,
    },
    /// The recovery site has no such datastore.
    #[error("Site {} has no datastore {}.", foreign(site, 80), foreign(wanted, 120))]
    NoDatastore {
        /// As it was typed.
        wanted: String,
        /// The site.
        site: String,
        /// Those that it has.
        known: Vec<Resource>,
    },
    /// The ZVM refused the order.
    #[error("{} Nothing was begun.", error.message)]
    Refused {
        /// What it said.
        error: ZvmError,
    },
    /// The task ended without success.
    #[error(
        "{} of VPG {} did not come about: task {} at ZVM {} ended as {}: {}",
        capital(doing.act.noun()), foreign(&doing.vpg, 80), foreign(&task.identifier, 100), clean(&doing.zvm, 120), task.state.name(),
        reason(task)
    )]
    Failed {
        /// What was to be done.
        doing: Box<Doing>,
        /// The task.
        task: Box<Task>,
    },
    /// The answer to the order was lost, and the task that came of it, if any, can't be told.
    #[error(
        "The answer to the order was lost, so it is not known whether {} of VPG {} has begun; nothing was sent again. {}{}",
        doing.act.noun(), foreign(&doing.vpg, 80), error.message, candidates(tasks)
    )]
    Lost {
        /// What was to be done.
        doing: Box<Doing>,
        /// How.
        error: ZvmError,
        /// Tasks that may be it.
        tasks: Vec<Task>,
    },
    /// The task can't be read any more.
    #[error(
        "{} of VPG {} has begun as task {}, and what becomes of it can't be told: {}",
        capital(doing.act.noun()), foreign(&doing.vpg, 80), foreign(task, 100), error.message
    )]
    Unread {
        /// What was to be done.
        doing: Box<Doing>,
        /// The task.
        task: String,
        /// Why.
        error: ZvmError,
    },
    /// A signal came.
    #[error("Interrupted; {}", interrupted(doing, standing))]
    Interrupted {
        /// What was to be done.
        doing: Box<Doing>,
        /// How far it was.
        standing: Standing,
        /// The signal.
        signal: i32,
    },
}

impl WholeError {
    /// The exit code of the contract.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Rewind(error) => error.exit_code(),
            Self::SeveralVpgs { .. } | Self::SeveralDatastores { .. } => 4,
            Self::NoLocalZvm { .. } | Self::TestRuns { .. } => 5,
            Self::NoTest { .. } | Self::NoDatastore { .. } => 3,
            Self::MaybeTest { .. } | Self::MaybeSeveral { .. } => 6,
            Self::Refused { error } | Self::Unread { error, .. } => error.exit_code(),
            Self::Failed { .. } | Self::Lost { .. } => 1,
            Self::Interrupted { signal, .. } => u8::try_from(128 + signal).unwrap_or(130),
        }
    }

    /// What to do now.
    #[must_use]
    pub fn hint(&self) -> String {
        let stop = |vpg: &str| format!("zerto-guard rewind stop-test {}", shell_word(&clean(vpg, 100)));
        match self {
            Self::Rewind(error) => error.hint(),
            Self::SeveralVpgs { .. } => {
                "It is done to a whole VPG, and which one is not guessed: narrow a tag with --vpg; two VPGs \
                                         of one name are told apart by their identifiers."
                    .into()
            }
            Self::MaybeSeveral { vpg, unread } => format!(
                "Say which VPG is meant, if it is this one: --vpg {}. Not read: {}",
                shell_word(&clean(vpg, 100)),
                unread.join(" ")
            ),
            Self::SeveralDatastores { .. } => "Name it by its identifier.".into(),
            Self::NoLocalZvm { unread, .. } => {
                let silent = match unread.as_slice() {
                    [] => String::new(),
                    _ => format!(" Or its ZVM is one that did not answer: {}", unread.join(" ")),
                };
                format!(
                    "Add that site's ZVM to the config as a [[zvm]], with guards = false if it protects nothing.{silent}"
                )
            }
            Self::TestRuns { vpg, .. } => format!("Stop it first, if nobody needs it any more: {}", stop(vpg)),
            Self::NoTest { .. } => "The ZVM's own interface shows the tests that run.".into(),
            Self::MaybeTest { silent, .. } => silent.hint.clone(),
            Self::NoDatastore { known, .. } => format!("It has: {}.", resources(known)),
            Self::Refused { error } => error.hint.clone(),
            Self::Failed { doing, .. } => match doing.act {
                Act::Clone { .. } => {
                    "The VMs themselves are as they were. Look in the hypervisor for clones that were begun, and at \
                     `zerto-guard rewind sessions`: what is mounted keeps a VPG from being cloned."
                        .into()
                }
                Act::Test { .. } => format!(
                    "The VMs themselves are as they were. `zerto-guard rewind sessions` shows what is mounted, which keeps a VPG \
                     from being tested; should a part of the test run, `{}` ends it.",
                    stop(&doing.vpg)
                ),
                Act::StopTest { .. } => {
                    "The test may still run: look at the VPG in the ZVM's own interface, then try again.".into()
                }
            },
            Self::Lost { doing, .. } => format!(
                "Look at the tasks of VPG {} in the ZVM {} for {} before it is asked for again{}.",
                foreign(&doing.vpg, 80),
                clean(&doing.zvm, 120),
                doing.act.noun(),
                match doing.act {
                    Act::Clone { .. } => ": a second clone would be a second set of VMs",
                    Act::Test { .. } | Act::StopTest { .. } => "",
                }
            ),
            Self::Unread { task, doing, .. } => format!(
                "It goes on without zerto-guard. Look at task {} in the ZVM {}; nothing has to be asked for again.",
                foreign(task, 100),
                clean(&doing.zvm, 120)
            ),
            Self::Interrupted { standing: Standing::NotSent, .. } => String::new(),
            Self::Interrupted { doing, .. } => {
                let zvm = clean(&doing.zvm, 120);
                match doing.act {
                    Act::Test { .. } => {
                        format!("The ZVM {zvm} shows its tasks. Once the test runs, `{}` ends it.", stop(&doing.vpg))
                    }
                    Act::Clone { .. } | Act::StopTest { .. } => format!("The ZVM {zvm} shows its tasks."),
                }
            }
        }
    }
}

/// Names and identifiers, the first 20.
fn resources(known: &[Resource]) -> String {
    const SHOWN: usize = 20;
    let line = |it: &Resource| match it.name.as_str() {
        "" => foreign(&it.identifier, 120),
        name => format!("{} ({})", foreign(&it.identifier, 120), foreign(name, 60)),
    };
    let mut lines: Vec<String> = known.iter().take(SHOWN).map(line).collect();
    if known.len() > SHOWN {
        lines.push(format!("and {} more", known.len() - SHOWN));
    }
    if lines.is_empty() { "none that the ZVM lists".into() } else { lines.join(", ") }
}

fn reason(task: &Task) -> String {
    match task.reason.trim_end_matches('.') {
        "" => "the ZVM gives no reason.".into(),
        reason => format!("{}.", foreign(reason, 300)),
    }
}

fn candidates(tasks: &[Task]) -> String {
    let line = |task: &Task| {
        format!(" {} ({}, {})", foreign(&task.identifier, 100), foreign(&task.kind, 40), task.state.name())
    };
    match tasks {
        [] => " No task that could be it came into sight.".into(),
        [one] => format!(" A new task is there, which {} began:{}.", foreign(&one.initiated_by, 60), line(one)),
        _ => format!(" More than one task may be it:{}.", tasks.iter().map(line).collect::<Vec<_>>().join(",")),
    }
}

fn interrupted(doing: &Doing, standing: &Standing) -> String {
    let (noun, vpg, zvm) = (doing.act.noun(), foreign(&doing.vpg, 80), clean(&doing.zvm, 120));
    match standing {
        Standing::NotSent => "nothing was begun.".into(),
        Standing::Sent => format!(
            "{noun} of VPG {vpg} was asked for and not answered yet, so it may have begun at ZVM {zvm}. Nothing is sent again."
        ),
        Standing::Task(task) => {
            format!("{noun} of VPG {vpg} goes on at ZVM {zvm}, as task {}.", foreign(task, 100))
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
