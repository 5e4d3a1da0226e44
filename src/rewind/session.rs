//! A file level restore session from its mount to its end.
//!
//! Owns: that the session which was begun here is ended in every case, by whoever comes first: the work itself, its panic,
//! or the thread that was told by a signal; and that no other session is. Must not: know what is done in the session.

use super::desk::Desk;
use super::doubt;
use super::ending::{Unmounted, end_session, look};
use super::error::RewindError;
use super::find::Found;
use super::lost::{self, Heard, Order, nothing_came};
use crate::deadline::Deadline;
use crate::state::{Lock, StateDir, StateError};
use crate::text::{foreign, inside};
use crate::zvm::Zvm;
use crate::zvm::error::{ChangeError, ZvmError, ZvmErrorKind};
use crate::zvm::model::FlrSession;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// How long things are waited for.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the disks to be mounted: large VMs take minutes.
    pub mount: Duration,
    /// For the session to end.
    pub unmount: Duration,
    /// For a session to show itself whose mount was asked for and whose answer was lost.
    pub lost: Duration,
    /// For another recovery of the same VM on this machine.
    pub turn: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            mount: Duration::from_secs(600),
            unmount: Duration::from_secs(180),
            lost: Duration::from_secs(10),
            turn: Duration::from_secs(60),
        }
    }
}

/// What is mounted here, for whoever has to end it.
pub struct Held {
    desk: Arc<Desk>,
    /// How long things are waited for.
    pub patience: Patience,
    stage: Mutex<Stage>,
    stopped: AtomicBool,
}

enum Stage {
    Nothing,
    /// The mount was sent; which session it makes is not known, or was answered and not seen yet.
    Asked(Order),
    /// This session is ours.
    Mounted {
        zvm: usize,
        session: String,
    },
    Over(Unmounted),
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Held").field("desk", &self.desk).finish_non_exhaustive()
    }
}

impl Held {
    /// Nothing is mounted yet.
    #[must_use]
    pub fn new(desk: &Arc<Desk>, patience: Patience) -> Arc<Self> {
        let (stage, stopped) = (Mutex::new(Stage::Nothing), AtomicBool::new(false));
        Arc::new(Self { desk: Arc::clone(desk), patience, stage, stopped })
    }

    /// Breaks off what the work is doing at its ZVMs, and refuses what it would begin.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        // A mount that is being asked for is given a moment: once it is answered, which session has to be ended is known, and
        // need not be looked for. Whoever told us to stop may not wait for long.
        let moment = Deadline::after(Duration::from_secs(1));
        while matches!(self.stage.try_lock(), Err(TryLockError::WouldBlock)) && moment.sleep(Duration::from_millis(20))
        {
        }
        for zvm in &self.desk.zvms {
            zvm.hang_up();
        }
    }

    /// Whether [`stop`](Self::stop) was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// The session that is mounted, for people; none where there is none.
    #[must_use]
    pub fn session(&self) -> Option<String> {
        match self.stage.try_lock().as_deref() {
            Ok(Stage::Mounted { session, .. }) => Some(session.clone()),
            _ => None,
        }
    }

    /// The session is one that the ZVM has shown.
    fn is_seen(&self, zvm: usize, session: &str) {
        let mut stage = self.stage();
        if matches!(&*stage, Stage::Asked(_)) {
            *stage = Stage::Mounted { zvm, session: session.to_owned() };
        }
    }

    /// Ends what was begun, and waits for the end. None where nothing was begun, and the same answer each time.
    pub fn end(&self) -> Option<Unmounted> {
        let mut stage = self.stage();
        let ended = match &*stage {
            Stage::Nothing => return None,
            Stage::Over(ended) => return Some(ended.clone()),
            Stage::Asked(order) => Some(self.end_lost(order)),
            Stage::Mounted { zvm, session } => Some(end_session(&self.desk, *zvm, session, self.patience.unmount)),
        };
        *stage = ended.clone().map_or(Stage::Nothing, Stage::Over);
        ended
    }

    /// Ends the session that came of a mount whose answer was lost. That none has shown itself does not say that none comes:
    /// a ZVM that is busy may begin it later.
    fn end_lost(&self, order: &Order) -> Unmounted {
        let failed = |error: String| Unmounted { ok: false, session_id: String::new(), error: Some(error) };
        // Where nothing can be read, what the ZVM has answered is all that is known of it.
        let unread = |error: ZvmError| match &order.heard {
            Heard::Session(named) if !order.is_older(named) => {
                Unmounted { ok: false, session_id: named.clone(), error: Some(error.message) }
            }
            _ => failed(error.message),
        };
        let zvm = match self.desk.another(order.zvm, Deadline::after(self.patience.lost + self.patience.unmount)) {
            Ok(zvm) => zvm,
            Err(error) => return unread(error),
        };
        match lost::find(&zvm, order, self.desk.user(order.zvm), self.patience.lost) {
            Ok(lost::Session::Ours(session)) => end_session(&self.desk, order.zvm, &session, self.patience.unmount),
            Ok(lost::Session::None) => {
                let seconds = self.patience.lost.as_secs();
                failed(format!("{}, and no session of it has shown itself in {seconds} s.", order.heard.words()))
            }
            Ok(lost::Session::Unsure(why)) => failed(why),
            Err(error) => unread(error),
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The disks of a VM as they were, mounted. The session ends with this value.
#[derive(Debug)]
pub struct Mount {
    held: Arc<Held>,
    zvm: Arc<Zvm>,
    session: String,
    /// One recovery of a VM at a time on one machine.
    _turn: Lock,
}

impl Mount {
    /// Mounts, and waits until the disks can be looked into. `say` is told what is waited for.
    ///
    /// # Errors
    /// Another recovery of the VM runs on this machine; the ZVM refused; the mount failed or took too long; the answer was
    /// lost. Whatever it is, what was begun is ended.
    pub fn open(held: &Arc<Held>, found: &Found, say: &dyn Fn(&str)) -> Result<Self, RewindError> {
        let zvm = Arc::clone(held.desk.zvm(found.zvm)?);
        let vm = foreign(&found.vm.name, 80);
        let turn = turn(held, found, say)?;
        let live: Vec<FlrSession> = zvm
            .flr_sessions_of(&found.vm.identifier)
            .map_err(RewindError::Zvm)?
            .into_iter()
            .filter(FlrSession::is_live)
            .collect();
        has_memory()?;
        let order = Order {
            zvm: found.zvm,
            vm: found.vm.identifier.clone(),
            vpg: found.vpg.identifier.clone(),
            checkpoint: found.place.checkpoint.clone(),
            noted: live.iter().map(|session| session.identifier.clone()).collect(),
            since: zvm.server_time().ok(),
            heard: Heard::Nothing,
        };
        say(&format!("mounting the disks of {vm} as they were at checkpoint {}", foreign(&order.checkpoint, 40)));
        // Held while the mount is asked for: a signal that comes meanwhile waits here until it is known what came of it.
        let mut stage = held.stage();
        if held.is_stopped() {
            return Err(RewindError::Stopped);
        }
        *stage = Stage::Asked(order.clone());
        let mount = || zvm.mount(&order.vm, &order.vpg, &order.checkpoint);
        // What was begun although the answer said no would stay mounted.
        let answer = doubt::sent(mount, |error| nothing_came(&zvm, &order, error));
        let session = match answer {
            Ok(session) => {
                *stage = Stage::Asked(Order { heard: Heard::Session(session.clone()), ..order.clone() });
                drop(stage);
                session
            }
            Err(ChangeError::Refused(error)) => {
                *stage = Stage::Nothing;
                return Err(RewindError::MountRefused { error, live: sessions_text(&live) });
            }
            Err(ChangeError::AnswerLost(error)) => {
                drop(stage);
                say("the ZVM's answer to the mount was lost; looking for the session, to end it");
                return Err(RewindError::MountLost { error, ended: held.end() });
            }
            Err(ChangeError::Doubtful(error)) => {
                *stage = Stage::Asked(Order { heard: Heard::No, ..order.clone() });
                drop(stage);
                say(
                    "the ZVM refused the mount, and may have begun it all the same; looking for the session, to end it",
                );
                return Err(RewindError::MountLost { error, ended: held.end() });
            }
        };
        let mount = Self { held: Arc::clone(held), zvm, session, _turn: turn };
        mount.wait(&order, &vm)?;
        Ok(mount)
    }

    fn wait(&self, order: &Order, vm: &str) -> Result<(), RewindError> {
        let deadline = Deadline::after(self.held.patience.mount);
        let failed = |why: String| RewindError::MountFailed { vm: vm.to_owned(), session: self.session.clone(), why };
        let unseen = Deadline::after(self.held.patience.lost);
        let mut pause = Duration::from_millis(100);
        loop {
            if self.held.is_stopped() {
                return Err(RewindError::Stopped);
            }
            let session = look(&self.zvm, &self.session).map_err(|error| self.broken(error))?;
            let session = session.filter(|session| lost::may_be_ours(session, order));
            if session.is_some() {
                self.held.is_seen(order.zvm, &self.session);
            }
            match session {
                Some(session) if session.is_ready() => return Ok(()),
                Some(session) if !session.is_live() => {
                    return Err(failed(format!("its status is {}", foreign(&session.status, 60))));
                }
                Some(_) => {}
                // It may take a moment until the ZVM knows it; after that, what it answered was no session.
                None if unseen.passed() => {
                    return Err(RewindError::MountLost { error: self.not_a_session(), ended: self.held.end() });
                }
                None => {}
            }
            if !deadline.sleep_unless(pause, || self.held.is_stopped()) {
                let seconds = self.held.patience.mount.as_secs();
                return Err(failed(format!("the disks were not there after {seconds} s")));
            }
            pause = (pause * 2).min(Duration::from_secs(2));
        }
    }

    fn not_a_session(&self) -> ZvmError {
        let message = format!(
            "ZVM {} ({}) answered the mount with \"{}\", and knows no such session of this VM.",
            self.zvm.name(),
            self.zvm.url(),
            inside(&self.session, 100)
        );
        ZvmError { kind: ZvmErrorKind::Nonsense, message, hint: String::new(), wait: None }
    }

    /// The ZVM.
    #[must_use]
    pub fn zvm(&self) -> &Zvm {
        &self.zvm
    }

    /// The session's identifier.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.session
    }

    /// Whether the work is to be broken off.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.held.is_stopped()
    }

    /// A failure at the ZVM, unless it comes of having been told to stop.
    #[must_use]
    pub fn broken(&self, error: ZvmError) -> RewindError {
        if self.held.is_stopped() { RewindError::Stopped } else { RewindError::Zvm(error) }
    }

    /// Ends the session, and waits for its end.
    #[must_use]
    pub fn end(self) -> Unmounted {
        let nothing = Unmounted { ok: true, session_id: self.session.clone(), error: None };
        self.held.end().unwrap_or(nothing)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        self.held.end();
    }
}

/// Waits until no other recovery of this VM runs on this machine.
fn turn(held: &Held, found: &Found, say: &dyn Fn(&str)) -> Result<Lock, RewindError> {
    let name = turn_name(&found.vm.identifier);
    let state = &held.desk.state;
    match state.lock(&name, Deadline::after(Duration::ZERO)) {
        Ok(lock) => return Ok(lock),
        Err(StateError::Busy { .. }) => {}
        Err(error) => return Err(RewindError::State(error)),
    }
    let vm = foreign(&found.vm.name, 80);
    say(&format!("another recovery of {vm} runs on this machine; waiting for it to end"));
    let deadline = Deadline::after(held.patience.turn);
    loop {
        if held.is_stopped() {
            return Err(RewindError::Stopped);
        }
        match state.lock(&name, deadline.within(Duration::from_millis(500))) {
            Ok(lock) => return Ok(lock),
            Err(StateError::Busy { .. }) if deadline.passed() => return Err(RewindError::Turn { vm }),
            Err(StateError::Busy { .. }) => {}
            Err(error) => return Err(RewindError::State(error)),
        }
    }
}

fn turn_name(vm: &str) -> String {
    format!("recovery {}", vm.to_lowercase())
}

/// Whether a recovery of this VM runs on this machine, so that a mount that stands now is going to end.
pub(super) fn is_running(state: &StateDir, vm: &str) -> bool {
    matches!(state.lock(&turn_name(vm), Deadline::after(Duration::ZERO)), Err(StateError::Busy { .. }))
}

/// What a recovery takes at its most once it has a mount, with room to spare: a part of a listing and of a file at a time, and
/// threads. Where memory can't be had the runtime ends the process, which leaves the mount up, so that is found out before.
const MEMORY: usize = 16 << 20;

fn has_memory() -> Result<(), RewindError> {
    let mut spare: Vec<u8> = Vec::new();
    let had = spare.try_reserve_exact(MEMORY);
    // What nobody looks at the compiler would leave out.
    std::hint::black_box(&spare);
    let what = || format!("A recovery has to have {} MiB of memory free, and there is less", MEMORY >> 20);
    had.map_err(|_| RewindError::Machine { what: what() })
}

/// Sessions as people read them.
pub(super) fn sessions_text(sessions: &[FlrSession]) -> Vec<String> {
    let line = |session: &FlrSession| {
        let since = session.started.map(|time| format!(" since {}", time.strftime("%Y-%m-%d %H:%M:%S UTC")));
        format!(
            "{} (checkpoint {}, {}{})",
            foreign(&session.identifier, 100),
            foreign(&session.checkpoint, 40),
            foreign(&session.status, 60),
            since.unwrap_or_default()
        )
    };
    sessions.iter().map(line).collect()
}
