//! A ZVM out of a script, for the rules one by one. It remembers what it was asked.

use super::Appliance;

use crate::zvm::error::{ChangeError, ZvmError, ZvmErrorKind};
use crate::zvm::model::*;
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How an insert goes.
#[derive(Clone)]
pub(in crate::guard) enum Goes {
    /// Its task is in these states, one a poll; the last one stays. None: not known. The tag is listed from the
    /// given listing on (counted since the insert); none: never.
    Task(Vec<Option<TaskState>>, Option<usize>),
    Refused(ZvmErrorKind),
    /// The answer is lost; the tag is listed from that listing on, or never.
    Lost(Option<usize>),
    /// Refused by a status that may not be the ZVM's own, and made all the same where so.
    Doubtful(ZvmErrorKind, bool),
    Panics,
}

impl Goes {
    pub fn well() -> Self {
        Self::Task(vec![Some(TaskState::Completed)], Some(0))
    }
    pub fn fails() -> Self {
        Self::Task(vec![Some(TaskState::Failed)], None)
    }
    pub fn never_ends() -> Self {
        Self::Task(vec![Some(TaskState::InProgress)], None)
    }
}

struct Running {
    vpg: String,
    tag: String,
    states: VecDeque<Option<TaskState>>,
    started: Timestamp,
    listed_from: Option<usize>,
    listings: usize,
}

#[derive(Default)]
pub(in crate::guard) struct World {
    pub rows: Vec<ProtectedVm>,
    pub vpgs: Vec<Vpg>,
    pub site: Option<LocalSite>,
    /// Per VPG, else it goes well.
    pub inserts: BTreeMap<String, VecDeque<Goes>>,
    /// Verbs that fail.
    pub faults: BTreeMap<&'static str, ZvmErrorKind>,
    /// For how many seconds a verb that fails wants not to be asked again.
    pub wait: Option<std::num::NonZeroU32>,
    /// Other people's inserts; their states, one a poll.
    pub others: Vec<(Task, VecDeque<TaskState>)>,
    /// Checkpoints that stood before.
    pub journal: Vec<(String, Checkpoint)>,
    /// Whether listings ignore the dates they are asked for.
    pub whole_journal: bool,
    /// How long each call takes.
    pub takes: Duration,
    pub calls: Vec<(String, Instant)>,
    running: BTreeMap<String, Running>,
}

pub(in crate::guard) struct Fake {
    pub name: String,
    pub zero: Timestamp,
    pub world: Mutex<World>,
    begun: Instant,
}

pub(in crate::guard) fn error(kind: ZvmErrorKind) -> ZvmError {
    ZvmError { kind, message: format!("ZVM nyc said {kind:?}."), hint: String::new(), wait: None }
}

pub(in crate::guard) fn vpg(name: &str) -> Vpg {
    Vpg {
        identifier: format!("id-{name}"),
        name: name.to_owned(),
        status: VpgStatus::MeetingSla,
        sub_status: VpgSubStatus::Known(0, "None"),
        description: String::new(),
        protected_site: SiteRef { name: "nyc-site".to_owned(), identifier: None, local: Some(true) },
        recovery_site: SiteRef { name: "bos-site".to_owned(), identifier: None, local: Some(false) },
        protected_entity: Some(EntityType::OnPremises("VCenter")),
        journal_minutes: Some(1440),
        test_stage: None,
    }
}

pub(in crate::guard) fn row(name: &str, number: usize, vpg: &str) -> ProtectedVm {
    ProtectedVm {
        name: name.to_owned(),
        identifier: format!("11111111-2222-3333-4444-555555555555.vm-{number}"),
        vpg_identifier: format!("id-{vpg}"),
        vpg_name: vpg.to_owned(),
        protected_here: Some(true),
        addresses: Vec::new(),
        in_azure: false,
        guest_os: String::new(),
        flr_enabled: None,
    }
}

pub(in crate::guard) fn site(name: &str) -> LocalSite {
    LocalSite {
        name: name.to_owned(),
        identifier: Some(format!("site-{name}")),
        site_type: "VCenter".to_owned(),
        public_cloud: false,
        version: "10.0 U6".to_owned(),
    }
}

impl Fake {
    pub fn new(name: &str) -> Arc<Self> {
        let zero = "2026-09-21T15:00:00Z".parse().unwrap();
        Arc::new(Self {
            name: name.to_owned(),
            zero,
            world: Mutex::new(World { site: Some(site(name)), ..World::default() }),
            begun: Instant::now(),
        })
    }

    /// `web01` in these VPGs.
    pub fn with_web01(vpgs: &[&str]) -> Arc<Self> {
        let fake = Self::new("nyc");
        for name in vpgs {
            fake.protect("web01", 1, name);
        }
        fake
    }

    pub fn protect(&self, vm: &str, number: usize, name: &str) {
        self.change(|world| {
            world.rows.push(row(vm, number, name));
            if !world.vpgs.iter().any(|known| known.name == name) {
                world.vpgs.push(vpg(name));
            }
        });
    }

    pub fn change<T>(&self, change: impl FnOnce(&mut World) -> T) -> T {
        change(&mut self.world.lock().unwrap())
    }

    pub fn goes(&self, vpg: &str, how: &[Goes]) {
        self.change(|world| world.inserts.insert(format!("id-{vpg}"), how.iter().cloned().collect()));
    }

    pub fn vpg_is(&self, name: &str, change: impl FnOnce(&mut Vpg)) {
        self.change(|world| change(world.vpgs.iter_mut().find(|vpg| vpg.name == name).unwrap()));
    }

    pub fn now(&self) -> Timestamp {
        self.zero + SignedDuration::try_from(self.begun.elapsed()).unwrap()
    }

    /// An insert of somebody else at that VPG, in these states.
    pub fn other(&self, id: &str, vpg: &str, states: &[TaskState]) {
        let task = Task {
            identifier: id.to_owned(),
            kind: "InsertTaggedCP".to_owned(),
            state: states[0],
            progress: None,
            reason: String::new(),
            started: Some(self.now() - SignedDuration::from_millis(100)),
            completed: None,
            vpgs: vec![format!("id-{vpg}")],
            flr_sessions: vec![],
            initiated_by: String::new(),
        };
        self.change(|world| world.others.push((task, states.iter().copied().collect())));
    }

    pub fn stood(&self, vpg: &str, id: &str, tag: &str, ago: i64) {
        let time = Some(self.now() - SignedDuration::from_secs(ago));
        let checkpoint = Checkpoint { identifier: id.to_owned(), time, tag: Some(tag.to_owned()) };
        self.change(|world| world.journal.push((format!("id-{vpg}"), checkpoint)));
    }

    /// The calls whose text begins like this.
    pub fn calls(&self, beginning: &str) -> Vec<String> {
        self.change(|world| {
            world.calls.iter().map(|(call, _)| call.clone()).filter(|call| call.starts_with(beginning)).collect()
        })
    }

    /// The longest chain of calls of which each began after the one before had taken its time; polls are not counted.
    pub fn round_trips(&self) -> usize {
        self.change(|world| {
            let mut seen = std::collections::BTreeSet::new();
            let (mut trips, mut until) = (0, None);
            for (_, at) in world.calls.iter().filter(|(call, _)| seen.insert(call.clone())) {
                if until.is_none_or(|until| *at >= until) {
                    trips += 1;
                    until = Some(*at + world.takes);
                }
            }
            trips
        })
    }

    fn asked(&self, verb: &'static str, what: &str) -> Result<(), ZvmError> {
        let (takes, fault, wait) = self.change(|world| {
            world.calls.push((format!("{verb} {what}").trim_end().to_owned(), Instant::now()));
            (world.takes, world.faults.get(verb).copied(), world.wait)
        });
        std::thread::sleep(takes);
        fault.map_or(Ok(()), |kind| Err(ZvmError { wait, ..error(kind) }))
    }
}

impl Appliance for Arc<Fake> {
    fn name(&self) -> &str {
        &self.name
    }

    fn local_site(&self) -> Result<LocalSite, ZvmError> {
        self.asked("site", "")?;
        Ok(self.change(|world| world.site.clone()).unwrap())
    }

    fn server_time(&self) -> Result<Timestamp, ZvmError> {
        self.asked("time", "")?;
        Ok(self.now())
    }

    fn vms_named(&self, name: &str) -> Result<Vec<ProtectedVm>, ZvmError> {
        self.asked("named", name)?;
        // As a filter that takes parts of names would.
        let part = name.to_lowercase();
        Ok(self
            .change(|world| world.rows.iter().filter(|row| row.name.to_lowercase().contains(&part)).cloned().collect()))
    }

    fn vms_identified(&self, identifier: &str) -> Result<Vec<ProtectedVm>, ZvmError> {
        self.asked("identified", identifier)?;
        Ok(self.change(|world| {
            world.rows.iter().filter(|row| row.identifier.eq_ignore_ascii_case(identifier)).cloned().collect()
        }))
    }

    fn all_vms(&self) -> Result<Vec<ProtectedVm>, ZvmError> {
        self.asked("inventory", "")?;
        Ok(self.change(|world| world.rows.clone()))
    }

    fn vpg(&self, identifier: &str) -> Result<Vpg, ZvmError> {
        self.asked("vpg", identifier)?;
        self.change(|world| world.vpgs.iter().find(|vpg| vpg.identifier == identifier).cloned())
            .ok_or_else(|| error(ZvmErrorKind::NotFound))
    }

    fn insert_checkpoint(&self, vpg: &str, tag: &str) -> Result<String, ChangeError> {
        self.asked("insert", &format!("{vpg} {tag}")).map_err(ChangeError::Refused)?;
        let now = self.now();
        self.change(|world| {
            let how = world.inserts.get_mut(vpg).and_then(VecDeque::pop_front).unwrap_or_else(Goes::well);
            let id = format!("task-{}", world.running.len() + 1);
            let mut run = |states: Vec<Option<TaskState>>, listed_from| {
                let running = Running {
                    vpg: vpg.to_owned(),
                    tag: tag.to_owned(),
                    states: states.into(),
                    started: now,
                    listed_from,
                    listings: 0,
                };
                world.running.insert(id.clone(), running);
            };
            match how {
                Goes::Task(states, listed_from) => {
                    run(states, listed_from);
                    Ok(id)
                }
                Goes::Refused(kind) => Err(ChangeError::Refused(error(kind))),
                Goes::Lost(listed_from) => {
                    run(Vec::new(), listed_from);
                    Err(ChangeError::AnswerLost(error(ZvmErrorKind::Unreachable)))
                }
                Goes::Doubtful(kind, made) => {
                    if made {
                        run(Vec::new(), Some(2));
                    }
                    Err(ChangeError::Doubtful(error(kind)))
                }
                // Not while the world is locked.
                Goes::Panics => Ok("panics".to_owned()),
            }
        })
        .inspect(|id| assert_ne!(id, "panics", "on purpose"))
    }

    fn task(&self, identifier: &str) -> Result<Option<Task>, ZvmError> {
        self.asked("task", identifier)?;
        let now = self.now();
        Ok(self.change(|world| {
            if let Some((task, states)) = world.others.iter_mut().find(|(task, _)| task.identifier == identifier) {
                if states.len() > 1 {
                    states.pop_front();
                }
                task.state = *states.front().unwrap();
                task.completed = task.state.is_over().then_some(now);
                return Some(task.clone());
            }
            let running = world.running.get_mut(identifier)?;
            let state = if running.states.len() > 1 { running.states.pop_front()? } else { *running.states.front()? };
            Some(Task {
                identifier: identifier.to_owned(),
                kind: "InsertTaggedCP".to_owned(),
                state: state?,
                progress: None,
                reason: if state == Some(TaskState::Failed) { "VPG is busy.".to_owned() } else { String::new() },
                started: Some(running.started),
                completed: state?.is_over().then_some(now),
                vpgs: vec![running.vpg.clone()],
                flr_sessions: vec![],
                initiated_by: String::new(),
            })
        }))
    }

    fn insert_tasks_since(&self, since: Timestamp) -> Result<Vec<Task>, ZvmError> {
        self.asked("inserts", "")?;
        Ok(self.change(|world| {
            let mine = world.running.iter().map(|(id, running)| Task {
                identifier: id.clone(),
                kind: "InsertTaggedCP".to_owned(),
                state: TaskState::Failed,
                progress: None,
                reason: String::new(),
                started: Some(running.started),
                completed: Some(running.started),
                vpgs: vec![running.vpg.clone()],
                flr_sessions: vec![],
                initiated_by: String::new(),
            });
            let others = world.others.iter().map(|(task, _)| task.clone());
            mine.chain(others).filter(|task| task.started.is_none_or(|start| start >= since)).collect()
        }))
    }

    fn checkpoints(&self, vpg: &str, from: Timestamp, until: Option<Timestamp>) -> Result<Vec<Checkpoint>, ZvmError> {
        self.asked("list", vpg)?;
        Ok(self.change(|world| {
            let mut listed: Vec<Checkpoint> =
                world.journal.iter().filter(|(at, _)| at == vpg).map(|(_, checkpoint)| checkpoint.clone()).collect();
            for (id, running) in world.running.iter_mut().filter(|(_, running)| running.vpg == vpg) {
                if running.listed_from.is_some_and(|from| running.listings >= from) {
                    listed.push(Checkpoint {
                        identifier: format!("checkpoint-of-{id}"),
                        time: Some(running.started),
                        tag: Some(running.tag.clone()),
                    });
                }
                running.listings += 1;
            }
            let whole = world.whole_journal;
            listed
                .retain(|c| whole || c.time.is_none_or(|time| time >= from && until.is_none_or(|until| time <= until)));
            listed
        }))
    }
}
