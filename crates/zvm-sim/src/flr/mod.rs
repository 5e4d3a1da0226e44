//! File restore sessions: how one comes to be, and how it ends.
//!
//! Owns the sessions and what is mounted in them; the answers are in `routes::flrs` and `routes::downloads`.

pub(crate) mod settings;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::content::Content;
use crate::guest::Tree;
use crate::state::State;
use crate::tasks::{Begin, Effect, InsertOutcome, Refused};
use crate::world::{Side, guid};
use settings::MountRefusal;

/// The statuses that say that a session is over, beside the one that is set. Of them `MountFailed` is documented.
const OVER: [&str; 4] = ["MountFailed", "UnmountCompletedSuccessfully", "Unmounted", "Ended"];

/// A file level restore session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlrSession {
    /// `<guid>.<guid>`.
    pub identifier: String,
    /// Of which VM.
    pub vm_identifier: String,
    /// Of which VPG.
    pub vpg_identifier: String,
    /// The checkpoint that is mounted.
    pub checkpoint: String,
    /// Such as `MountCompletedSuccessfully`.
    pub status: String,
    /// When it was mounted, by the ZVM's clock, in milliseconds since 1970.
    pub mounted_ms: i64,
}

/// How a mount shall end, ordered by a test.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MountOutcome {
    /// `MountCompletedSuccessfully`.
    Completed,
    /// `MountFailed`.
    Failed,
    /// Mounted, with that status: a version that says it in another way.
    As(String),
    /// `MountInProgress` for ever.
    Stuck,
}

/// How an unmount shall end, ordered by a test.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnmountOutcome {
    /// The session is over.
    Completed,
    /// The task fails for that reason, and the session is `UnmountFailed` and holds its mount.
    Failed(String),
    /// Refused at once, with that status.
    Refused(u16),
    /// The task never ends.
    Stuck,
}

/// A colleague who mounts the same VM in the moment of somebody's mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colleague {
    /// The checkpoint; `None`: the same one.
    pub checkpoint: Option<String>,
    /// Whether theirs comes first in the list.
    pub first: bool,
}

/// What becomes of a session when its task ends.
#[derive(Debug, Clone)]
pub(crate) enum FlrEffect {
    Mounted { session: String, status: String },
    Unmounted { session: String },
}

/// What is mounted.
#[derive(Debug)]
struct Mount {
    session: String,
    tree: Arc<Tree>,
    is_ready: bool,
    is_over: bool,
}

/// A link that was given out.
#[derive(Debug)]
struct Link {
    id: String,
    session: String,
    paths: Vec<String>,
    until: Instant,
}

/// A path that was chosen for a download, and the files there.
pub(crate) type Chosen = (String, Vec<(String, Content)>);

/// What the state knows about file restore beyond the sessions.
#[derive(Debug, Default)]
pub(crate) struct Flr {
    mounts: Vec<Mount>,
    links: Vec<Link>,
    made: u64,
    pub(crate) next_mounts: VecDeque<MountOutcome>,
    pub(crate) next_unmounts: VecDeque<UnmountOutcome>,
    pub(crate) colleagues: VecDeque<Colleague>,
    /// VPG, checkpoint, reason.
    pub(crate) unmountable: Vec<(String, String, String)>,
}

impl State {
    /// Whether a session may hold a mount, as the ZVM itself knows it.
    #[must_use]
    pub fn is_live(&self, session: &FlrSession) -> bool {
        match self.flr.mounts.iter().find(|m| m.session == session.identifier) {
            Some(mount) => !mount.is_over,
            None => !OVER.contains(&session.status.as_str()) && session.status != self.settings.flr.ended_status,
        }
    }

    /// Why no files can be restored from a VPG's VM now, whatever the site. The texts are unknown; chosen.
    pub(crate) fn flr_refusal(&self, vm: &str, vpg: &str) -> Option<String> {
        if self.vm(vm).is_some_and(|v| !v.flr_enabled) {
            return Some("File level restore is not enabled for this VM.".to_owned());
        }
        if let Some(why) = self.busy_with_recovery(vpg) {
            return Some(why);
        }
        let mounted = self.flr_sessions.iter().any(|s| s.vm_identifier == vm && self.is_live(s));
        (mounted && !self.settings.flr.parallel_sessions).then(|| "A disk of this VM is mounted already.".to_owned())
    }

    /// Why that one checkpoint can't be mounted.
    pub(crate) fn unmountable(&self, vpg: &str, checkpoint: &str) -> Option<&str> {
        let is = |(v, c, _): &&(String, String, String)| v == vpg && c == checkpoint;
        self.flr.unmountable.iter().find(is).map(|(_, _, why)| why.as_str())
    }

    /// `POST /v1/flrs`: the session's identifier.
    pub(crate) fn mount(&mut self, vm: &str, vpg: &str, checkpoint: &str, user: &str) -> Result<String, Refused> {
        let missing = |what: String| Refused(self.settings.not_found_status, what);
        let held = self.vm(vm).ok_or_else(|| missing(format!("VM {vm} was not found.")))?;
        let vm = held.identifier.clone();
        let group =
            self.vpgs.iter().find(|v| v.identifier.eq_ignore_ascii_case(vpg) && held.vpgs.contains(&v.identifier));
        let group = group.ok_or_else(|| missing(format!("VPG {vpg} does not protect VM {vm}.")))?;
        let vpg = group.identifier.clone();
        let point = group.listed().find(|c| c.id == checkpoint);
        let point = point.ok_or_else(|| missing(format!("Checkpoint {checkpoint} was not found.")))?.clone();
        let elsewhere = (group.recovery != Side::Local && !self.settings.flr.protected_side_mounts)
            .then(|| "Files can be restored at the recovery site only.".to_owned());
        let refusal = elsewhere
            .or_else(|| self.flr_refusal(&vm, &vpg))
            .or_else(|| self.unmountable(&vpg, &point.id).map(str::to_owned));
        let outcome = match (refusal, self.settings.flr.refusal) {
            (Some(why), MountRefusal::Http(status)) => return Err(Refused(status, why)),
            (Some(_), MountRefusal::MountFailed) => MountOutcome::Failed,
            (None, _) => self.flr.next_mounts.pop_front().unwrap_or(MountOutcome::Completed),
        };
        let theirs = self.flr.colleagues.pop_front();
        let their_mount = |state: &mut Self, theirs: &Colleague| {
            let checkpoint = theirs.checkpoint.as_deref().unwrap_or(&point.id).to_owned();
            state.open(&vm, &vpg, &checkpoint, "someone-else", MountOutcome::Completed);
        };
        if let Some(theirs) = theirs.as_ref().filter(|t| t.first) {
            their_mount(self, theirs);
        }
        let session = self.open(&vm, &vpg, &point.id, user, outcome);
        if let Some(theirs) = theirs.as_ref().filter(|t| !t.first) {
            their_mount(self, theirs);
        }
        Ok(session)
    }

    /// Opens a session, whatever speaks against it.
    pub(crate) fn open(&mut self, vm: &str, vpg: &str, checkpoint: &str, user: &str, outcome: MountOutcome) -> String {
        self.flr.made += 1;
        let session = format!("{}.{}", guid(&format!("flr {}", self.flr.made)), self.site.identifier);
        let time_ms = self.vpg(vpg).and_then(|v| v.journal.iter().find(|c| c.id == checkpoint)).map(|c| c.time_ms);
        let tree = self.vm(vm).map(|v| v.guest.at(checkpoint.parse().unwrap_or(0), time_ms.unwrap_or(i64::MAX)));
        self.flr_sessions.push(FlrSession {
            identifier: session.clone(),
            vm_identifier: vm.to_owned(),
            vpg_identifier: vpg.to_owned(),
            checkpoint: checkpoint.to_owned(),
            status: "MountInProgress".to_owned(),
            mounted_ms: self.now_ms(),
        });
        let tree = Arc::new(tree.unwrap_or_default());
        self.flr.mounts.push(Mount { session: session.clone(), tree, is_ready: false, is_over: false });
        let (outcome, status) = match outcome {
            MountOutcome::Completed => (InsertOutcome::completed(), "MountCompletedSuccessfully".to_owned()),
            MountOutcome::As(status) => (InsertOutcome::completed(), status),
            MountOutcome::Failed => (InsertOutcome::failed("The mount failed."), "MountFailed".to_owned()),
            MountOutcome::Stuck => (InsertOutcome::stuck(1), "MountInProgress".to_owned()),
        };
        let begin = Begin {
            task_type: "FlrJournalMount",
            takes: self.settings.flr.mount_time,
            outcome,
            effect: Effect::Flr(FlrEffect::Mounted { session: session.clone(), status }),
            flr_session: Some(session.clone()),
        };
        self.begin(vpg.to_owned(), user, begin);
        session
    }

    /// `DELETE /v1/flrs/{id}`: the task's identifier.
    pub(crate) fn unmount(&mut self, id: &str, user: &str) -> Result<String, Refused> {
        let missing = || Refused(self.settings.not_found_status, format!("FLR session {id} was not found."));
        let session = self.flr_sessions.iter().find(|s| s.identifier.eq_ignore_ascii_case(id)).ok_or_else(missing)?;
        if !self.is_live(session) {
            // Unknown; chosen.
            return Err(Refused(400, "The session is not mounted.".to_owned()));
        }
        if self.has_task(&session.identifier, "FlrJournalUnmount") {
            return Err(Refused(400, "The session is being unmounted.".to_owned()));
        }
        let (id, vpg) = (session.identifier.clone(), session.vpg_identifier.clone());
        let outcome = match self.flr.next_unmounts.pop_front().unwrap_or(UnmountOutcome::Completed) {
            UnmountOutcome::Completed => InsertOutcome::completed(),
            UnmountOutcome::Failed(why) => InsertOutcome::failed(&why),
            UnmountOutcome::Stuck => InsertOutcome::stuck(1),
            UnmountOutcome::Refused(status) => return Err(Refused(status, "The disk cannot be unmounted.".to_owned())),
        };
        let status = self.settings.flr.unmounting_status.clone();
        self.set_status(&id, &status);
        let begin = Begin {
            task_type: "FlrJournalUnmount",
            takes: self.settings.flr.unmount_time,
            outcome,
            effect: Effect::Flr(FlrEffect::Unmounted { session: id.clone() }),
            flr_session: Some(id),
        };
        Ok(self.begin(vpg, user, begin))
    }

    /// `works` is whether the task did; one that is stuck doesn't.
    pub(crate) fn flr_took_effect(&mut self, effect: FlrEffect, works: bool) {
        let (session, status, is_ready, is_over) = match effect {
            FlrEffect::Mounted { session, status } => {
                if self.has_task(&session, "FlrJournalUnmount") {
                    return;
                }
                let is_over = !works && OVER.contains(&status.as_str());
                (session, status, works, is_over)
            }
            FlrEffect::Unmounted { session } if works => (session, self.settings.flr.ended_status.clone(), false, true),
            FlrEffect::Unmounted { session } if self.has_task(&session, "FlrJournalUnmount") => return,
            FlrEffect::Unmounted { session } => (session, "UnmountFailed".to_owned(), true, false),
        };
        self.set_status(&session, &status);
        if let Some(mount) = self.flr.mounts.iter_mut().find(|m| m.session == session) {
            (mount.is_ready, mount.is_over) = (is_ready, is_over);
            if is_over {
                mount.tree = Arc::default();
            }
        }
        if is_over && !self.settings.flr.ended_linger {
            self.flr_sessions.retain(|s| s.identifier != session);
        }
    }

    /// Whether a task of that kind runs for a session.
    fn has_task(&self, session: &str, task_type: &str) -> bool {
        let is = |t: &crate::tasks::Task| t.flr_session.as_deref() == Some(session) && t.task_type == task_type;
        self.tasks.iter().any(|t| is(t) && !t.is_over())
    }

    /// How many tasks run for a session.
    pub(crate) fn tasks_of(&self, session: &str) -> usize {
        self.tasks.iter().filter(|t| t.flr_session.as_deref() == Some(session) && !t.is_over()).count()
    }

    fn set_status(&mut self, session: &str, status: &str) {
        if let Some(session) = self.flr_sessions.iter_mut().find(|s| s.identifier == session) {
            status.clone_into(&mut session.status);
        }
    }

    /// What is mounted in a session, once it is.
    pub(crate) fn mounted(&self, id: &str) -> Result<(String, Arc<Tree>), Refused> {
        let missing = || Refused(self.settings.not_found_status, format!("FLR session {id} was not found."));
        let session = self.flr_sessions.iter().find(|s| s.identifier.eq_ignore_ascii_case(id)).ok_or_else(missing)?;
        let mount = self.flr.mounts.iter().find(|m| m.session == session.identifier && m.is_ready);
        // Unknown; chosen.
        let mount = mount.ok_or_else(|| Refused(400, "The session is not mounted.".to_owned()))?;
        Ok((session.identifier.clone(), Arc::clone(&mount.tree)))
    }

    /// A link to these paths of a session; its id.
    pub(crate) fn link(&mut self, session: &str, paths: Vec<String>) -> String {
        self.flr.made += 1;
        let id = format!("{}.{}", self.site.identifier, guid(&format!("download {}", self.flr.made)));
        let until = Instant::now() + self.settings.flr.link_life.min(Duration::from_secs(86_400));
        self.flr.links.push(Link { id: id.clone(), session: session.to_owned(), paths, until });
        id
    }

    /// What a link leads to: for each path that was chosen, the files there.
    pub(crate) fn linked(&self, id: &str) -> Result<Vec<Chosen>, Refused> {
        let missing = || Refused(self.settings.not_found_status, "The download was not found.".to_owned());
        let link = self.flr.links.iter().find(|l| l.id == id && l.until > Instant::now()).ok_or_else(missing)?;
        let (_, tree) = self.mounted(&link.session).map_err(|_| missing())?;
        Ok(link.paths.iter().map(|path| (path.clone(), tree.files(path))).collect())
    }
}
