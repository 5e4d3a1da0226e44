//! Tasks: what an insert (or a mount, a clone, a test) becomes, and how it ends.
//!
//! A task's end is decided when it begins and comes about by the clock: nothing runs in the background.

use std::time::{Duration, Instant};

use crate::dates::millis;
use crate::flr::FlrEffect;
use crate::recovery::RecoveryEffect;
use crate::settings::Refusal;
use crate::state::State;
use crate::world::{Side, guid};

/// How an insert, a clone or a test shall end, ordered by a test.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InsertOutcome {
    /// The task's last state: 1 InProgress, 2 WaitingForUserInput, 3 Paused, 4 Failed, 5 Stopped, 6 Completed,
    /// 7 Cancelling. Only 4, 5 and 6 are ends.
    pub state: u8,
    /// Its last progress.
    pub progress: u8,
    /// `CompleteReason`; empty on success.
    pub reason: String,
    /// Whether the tag comes to be (or whatever else was asked for).
    pub tags: bool,
}

impl InsertOutcome {
    /// Completed, and the tag is there.
    #[must_use]
    pub fn completed() -> Self {
        Self { state: 6, progress: 100, reason: String::new(), tags: true }
    }

    /// Failed, for that reason.
    #[must_use]
    pub fn failed(reason: &str) -> Self {
        Self { state: 4, progress: 0, reason: reason.to_owned(), tags: false }
    }

    /// Stopped, for that reason.
    #[must_use]
    pub fn stopped(reason: &str) -> Self {
        Self { state: 5, progress: 0, reason: reason.to_owned(), tags: false }
    }

    /// Stays in that state for ever.
    #[must_use]
    pub fn stuck(state: u8) -> Self {
        Self { state, progress: 50, reason: String::new(), tags: false }
    }

    /// Completed, and yet the tag never comes.
    #[must_use]
    pub fn completed_without_tag() -> Self {
        Self { tags: false, ..Self::completed() }
    }
}

/// A task.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Task {
    /// `<taskGuid>.<siteGuid>`.
    pub id: String,
    /// `InsertTaggedCP`, `FlrJournalMount`, `FlrJournalUnmount`, `Clone`, `FailOverTest`, `StopFailOverTest` (the names of
    /// the event types in published clients; that tasks have the same ones is known of the first three).
    pub task_type: String,
    /// The guid of its VPG.
    pub vpg: String,
    /// The name that the checkpoint shall have; empty for what is no insert.
    pub tag: String,
    /// The FLR session that it is about.
    pub flr_session: Option<String>,
    /// Who asked.
    pub initiated_by: String,
    /// See [`InsertOutcome::state`].
    pub state: u8,
    /// 0..100.
    pub progress: u8,
    /// Empty on success.
    pub complete_reason: String,
    /// Milliseconds by the ZVM's clock.
    pub started_ms: i64,
    /// When it ended.
    pub completed_ms: Option<i64>,
    pub(crate) readable_at: Instant,
    begun_at: Instant,
    /// When and how it ends; taken when it does.
    pub(crate) plan: Option<Plan>,
    /// Whether it keeps the VPG busy while it runs.
    holds_vpg: bool,
}

impl Task {
    /// Whether it is over: Failed, Stopped or Completed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.state, 4..=6)
    }

    /// How far it has come: while it runs, by the clock. An insert goes from 0 to 100 at once.
    #[must_use]
    pub fn progress_now(&self) -> u8 {
        let Some(plan) = self.plan.as_ref().filter(|p| !matches!(p.effect, Effect::Tag)) else {
            return self.progress;
        };
        let all = plan.due.saturating_duration_since(self.begun_at).as_millis().max(1);
        u8::try_from(self.begun_at.elapsed().as_millis().saturating_mul(100) / all).unwrap_or(99).min(99)
    }

    /// Whether the API knows its id already.
    #[must_use]
    pub fn readable(&self) -> bool {
        self.readable_at <= Instant::now()
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) due: Instant,
    due_ms: i64,
    outcome: InsertOutcome,
    /// Whether a test ordered it: then the VPG's state doesn't matter.
    ordered: bool,
    effect: Effect,
}

/// What comes of a task.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    Tag,
    Flr(FlrEffect),
    Recovery(RecoveryEffect),
}

/// A task's beginning.
pub(crate) struct Begin {
    pub(crate) task_type: &'static str,
    pub(crate) takes: Duration,
    pub(crate) outcome: InsertOutcome,
    pub(crate) effect: Effect,
    pub(crate) flr_session: Option<String>,
}

/// How an insert begins.
struct Insert {
    outcome: InsertOutcome,
    ordered: bool,
    holds_vpg: bool,
}

/// An insert that gets no task: an HTTP status and a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) u16, pub(crate) String);

impl State {
    /// `POST …/checkpoints`: a task id, which means queued and no more (measured on a live ZVM 10.x).
    pub(crate) fn insert(&mut self, vpg_id: &str, tag: &str, user: &str) -> Result<String, Refused> {
        let Some(vpg) = self.vpg(vpg_id) else {
            return Err(Refused(self.settings.not_found_status, format!("VPG {vpg_id} was not found.")));
        };
        let (vpg_id, name) = (vpg.identifier.clone(), vpg.name.clone());
        if tag.trim().is_empty() {
            return Err(Refused(400, "Checkpoint name is required.".to_owned()));
        }
        let busy = self.tasks.iter().any(|t| t.vpg == vpg_id && t.holds_vpg && !t.is_over());
        if let Some(outcome) = self.ordered_outcome(&vpg_id) {
            return Ok(self.begin_insert(vpg_id, tag, user, Insert { outcome, ordered: true, holds_vpg: true }));
        }
        let insert = if let Some(why) = self.refusal(&vpg_id) {
            let message = cannot_insert(&name, &why);
            if let Refusal::Http(status) = self.settings.refusal {
                return Err(Refused(status, message));
            }
            Insert { outcome: InsertOutcome::failed(&message), ordered: false, holds_vpg: false }
        } else if busy {
            // Measured on a live ZVM 10.x: of two back to back the second ends Failed.
            let why = cannot_insert(&name, "another insert is in progress");
            Insert { outcome: InsertOutcome::failed(&why), ordered: false, holds_vpg: false }
        } else {
            Insert { outcome: InsertOutcome::completed(), ordered: false, holds_vpg: true }
        };
        Ok(self.begin_insert(vpg_id, tag, user, insert))
    }

    fn begin_insert(&mut self, vpg: String, tag: &str, user: &str, insert: Insert) -> String {
        let begin = Begin {
            task_type: "InsertTaggedCP",
            takes: self.settings.insert_time,
            outcome: insert.outcome,
            effect: Effect::Tag,
            flr_session: None,
        };
        let id = self.begin(vpg, user, begin);
        if let Some(task) = self.tasks.last_mut() {
            tag.clone_into(&mut task.tag);
            task.holds_vpg = insert.holds_vpg;
            if let Some(plan) = &mut task.plan {
                plan.ordered = insert.ordered;
            }
        }
        id
    }

    /// Begins a task; its id.
    pub(crate) fn begin(&mut self, vpg: String, user: &str, begin: Begin) -> String {
        self.tasks_made += 1;
        let task = guid(&format!("task {}", self.tasks_made));
        let id = format!("{task}.{}", self.site.identifier);
        let (now, now_ms) = (Instant::now(), self.now_ms());
        let takes = begin.takes;
        let due_ms = now_ms.saturating_add(millis(takes));
        self.tasks.push(Task {
            id: id.clone(),
            task_type: begin.task_type.to_owned(),
            vpg,
            tag: String::new(),
            flr_session: begin.flr_session,
            initiated_by: user.to_owned(),
            state: 1,
            progress: 0,
            complete_reason: String::new(),
            started_ms: now_ms,
            completed_ms: None,
            readable_at: now + self.settings.task_visibility_delay,
            begun_at: now,
            plan: Some(Plan { due: now + takes, due_ms, outcome: begin.outcome, ordered: false, effect: begin.effect }),
            holds_vpg: false,
        });
        id
    }

    /// Why an insert at this ZVM can't work, whatever else goes on.
    fn refusal(&self, vpg_id: &str) -> Option<String> {
        let vpg = self.vpg(vpg_id)?;
        if self.site_of(&vpg.protected).is_some_and(crate::world::Site::refuses_tags) {
            return Some("tagged checkpoints are not supported for this protected site".to_owned());
        }
        if vpg.protected != Side::Local && !self.settings.recovery_side_inserts {
            return Some("the VPG is protected at another site".to_owned());
        }
        vpg.refusal().map(str::to_owned)
    }

    fn ordered_outcome(&mut self, vpg_id: &str) -> Option<InsertOutcome> {
        let at = self.outcomes.iter().position(|(vpg, _)| vpg.as_deref().is_none_or(|v| v == vpg_id))?;
        self.outcomes.remove(at).map(|(_, outcome)| outcome)
    }

    /// Ends the tasks whose time has come, in that order, and brings the journals up to the present.
    pub(crate) fn settle(&mut self) {
        let now = Instant::now();
        let mut due: Vec<(Instant, usize)> = Vec::new();
        for (i, task) in self.tasks.iter().enumerate() {
            due.extend(task.plan.as_ref().filter(|p| p.due <= now).map(|p| (p.due, i)));
        }
        due.sort();
        for (_, i) in due {
            self.end(i);
        }
        let (now_ms, every) = (self.now_ms(), self.settings.auto_checkpoint_every);
        for vpg in &mut self.vpgs {
            vpg.auto(now_ms, every);
        }
    }

    /// Ends one task as planned; unless its VPG, meanwhile, is gone or has stopped protecting.
    fn end(&mut self, index: usize) {
        let Some(task) = self.tasks.get_mut(index) else {
            return;
        };
        let Some(Plan { due, due_ms, mut outcome, ordered, effect }) = task.plan.take() else {
            return;
        };
        if !matches!(effect, Effect::Tag) {
            (task.state, task.progress) = (outcome.state, outcome.progress);
            task.complete_reason = outcome.reason;
            if task.is_over() {
                task.completed_ms = Some(due_ms);
            }
            match effect {
                Effect::Flr(effect) => self.flr_took_effect(effect, outcome.tags),
                Effect::Recovery(effect) if outcome.tags => self.recovery_took_effect(effect),
                Effect::Tag | Effect::Recovery(_) => {}
            }
            return;
        }
        let vpg = self.vpgs.iter_mut().find(|v| v.identifier == task.vpg);
        if outcome.tags && !ordered {
            let why = match &vpg {
                Some(vpg) => vpg.refusal().map(|why| cannot_insert(&vpg.name, why)),
                None => Some("The VPG is gone.".to_owned()),
            };
            if let Some(why) = why {
                outcome = InsertOutcome::failed(&why);
            }
        }
        if let Some(vpg) = vpg.filter(|_| outcome.tags) {
            vpg.auto(due_ms, self.settings.auto_checkpoint_every);
            vpg.push(due_ms, Some(task.tag.clone()), Some(due + self.settings.listing_delay));
        }
        (task.state, task.progress, task.complete_reason) = (outcome.state, outcome.progress, outcome.reason);
        if task.is_over() {
            task.completed_ms = Some(due_ms);
        }
    }
}

/// `CompleteReason` of a failed insert. The real texts are unknown; chosen.
fn cannot_insert(vpg: &str, why: &str) -> String {
    format!("Cannot insert a tagged checkpoint in VPG '{vpg}': {why}.")
}
