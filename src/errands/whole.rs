//! What a clone, a failover test and the end of one have in common: the order, its progress, and what came of it.
//!
//! Must not: give an order that was not confirmed.

use super::front::{Front, while_waiting};
use super::with;
use super::words::time_and_age;
use crate::guard::VmRef;
use crate::guard::taggable::state_name;
use crate::rewind::desk::Desk;
use crate::rewind::error::RewindError;
use crate::rewind::session::{Held, Patience};
use crate::rewind::watch::watched;
use crate::rewind::whole::Act;
use crate::rewind::whole::error::WholeError;
use crate::rewind::whole::plan::{Plan, Target};
use crate::rewind::whole::task::{Order, Progress, carry_out};
use crate::text::{clean, foreign, is_clean, shell_word};
use crate::ui::Failure;
use crate::ui::passing::Line;
use crate::zvm::model::{Resource, Task};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

impl From<WholeError> for Failure {
    fn from(error: WholeError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}

/// Gives the order and follows its task, with progress; the task once it is completed. A signal ends the following
/// and not the task.
///
/// # Errors
/// The ZVM refused, the task failed, or what became of it is not known.
pub fn ordered(front: &dyn Front, desk: &Arc<Desk>, target: &Target, act: Act) -> Result<Task, Failure> {
    let held = Held::new(desk, Patience::default());
    let order = Order::default();
    let progress = Teller::new(&act, &target.vpg.name, front.line());
    let client = Arc::clone(desk.zvm(target.zvm)?);
    let (vpg, doing) = (target.vpg.identifier.clone(), target.doing(act));
    let (watching, ours, what) = (Arc::clone(&held), order.clone(), doing.clone());
    let user = desk.user(target.zvm).to_owned();
    front.begins()?;
    let ended = watched(
        &held,
        &front.listen(),
        |_| (),
        move || {
            let done = carry_out(&client, &vpg, &what, &ours, &watching, &user, &|news: Progress| progress.tell(&news));
            drop(progress);
            match done {
                Ok(task) => Ok(Ok(task)),
                Err(_) if watching.is_stopped() => Err(RewindError::Stopped),
                Err(error) => Ok(Err(error)),
            }
        },
    );
    match ended.result {
        Ok(done) => Ok(done?),
        Err(RewindError::Signal { signal, .. }) => {
            Err(WholeError::Interrupted { doing: Box::new(doing), standing: order.standing(), signal }.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// What was made of a checkpoint.
pub struct Made {
    /// The VMs that came to be; none where the ZVM does not tell.
    pub created: Option<Vec<Resource>>,
    /// For programs.
    pub object: Value,
}

/// As [`ordered`], of a clone or a test; `looking` says what is done while the VMs that it has made are looked for.
///
/// # Errors
/// As [`ordered`].
pub fn made(front: &dyn Front, desk: &Arc<Desk>, plan: &Plan, is_test: bool, looking: &str) -> Result<Made, Failure> {
    let target = &plan.target;
    let task = ordered(front, desk, target, plan.act(is_test))?;
    let client = desk.zvm(target.zvm).map_err(WholeError::from)?;
    let created = while_waiting(front, looking, None, || target.created(client));
    let name = if is_test { "test-failover" } else { "clone" };
    let more = json!({
        "tag": plan.tagged.tag,
        "checkpoint": plan.place.checkpoint,
        "time": plan.place.time,
        "created": created_object(created.as_deref()),
        "warnings": plan.warnings,
    });
    Ok(Made { created, object: with(object(name, target, client.name(), &task), more) })
}

/// Says how far a task is.
struct Teller {
    what: String,
    line: Box<dyn Line>,
}

impl Teller {
    fn new(act: &Act, vpg: &str, line: Box<dyn Line>) -> Self {
        Self { what: format!("{} of VPG {}", act.noun(), foreign(vpg, 80)), line }
    }

    fn tell(&self, news: &Progress) {
        let what = &self.what;
        match news {
            Progress::LookingFor => self.line.say(&format!(
                "the answer to the order was lost: nothing is sent again, the tasks of the ZVM are looked through for {what}"
            )),
            Progress::Begun { task, found } => {
                let found = if *found { " (it came into sight after the answer was lost)" } else { "" };
                self.line.say(&format!("{what} has begun: task {}{found}", foreign(task, 100)));
            }
            Progress::At { percent, state, waited } => self.line.show(&|| {
                let percent = percent.map_or_else(|| state.name().to_owned(), |percent| format!("{percent} %"));
                format!("{what}: {percent} ({} s)", waited.as_secs())
            }),
            Progress::Silent { why } => {
                self.line.show(&|| format!("{what} goes on, and the ZVM does not answer: {}", clean(why, 300)));
            }
        }
    }
}

/// The first lines of what is asked about: which checkpoint of what, where.
#[must_use]
pub fn checkpoint_lines(plan: &Plan, now: Timestamp) -> String {
    let time = plan.place.time.map_or_else(|| "? (the ZVM does not say)".to_owned(), |time| time_and_age(time, now));
    format!(
        "  tag         {}\n  checkpoint  {}, made {time}\n{}",
        clean(&plan.tagged.tag, 260),
        foreign(&plan.place.checkpoint, 40),
        vpg_lines(&plan.target),
    )
}

/// Which VPG, with every VM of it, and where.
#[must_use]
pub fn vpg_lines(target: &Target) -> String {
    format!(
        "  VPG         {} ({})\n  VMs         {} (all of it: {})\n  at          site {}, by ZVM {}\n",
        foreign(&target.vpg.name, 80),
        clean(&state_name(&target.vpg), 80),
        vms(&target.vms),
        target.vms.len(),
        foreign(&target.site, 80),
        clean(&target.zvm_name, 120),
    )
}

/// Their names.
#[must_use]
pub fn vms(vms: &[VmRef]) -> String {
    let names: Vec<String> = vms.iter().map(|vm| foreign(&vm.name, 80)).collect();
    if names.is_empty() { "none that the ZVM lists".to_owned() } else { names.join(", ") }
}

/// What should be known beforehand, each in a line of its own.
#[must_use]
pub fn warning_lines(warnings: &[String]) -> String {
    warnings.iter().map(|warning| format!("  WARNING     {warning}\n")).collect()
}

/// The command that ends the VPG's test.
#[must_use]
pub fn stop_command(target: &Target) -> String {
    // A line to be copied has to work, so that a name which can't be shown as it is gives way.
    let name = Some(&target.vpg.name).filter(|name| is_clean(name, 100)).unwrap_or(&target.vpg.identifier);
    format!("zerto-guard rewind stop-test {}", shell_word(name))
}

/// What was created, for people.
#[must_use]
pub fn created_lines(created: Option<&[Resource]>, otherwise: &str) -> String {
    match created {
        Some(created) => created
            .iter()
            .map(|vm| format!("  {}  {}\n", foreign(&vm.name, 100), foreign(&vm.identifier, 120)))
            .collect(),
        None => format!("  {otherwise}\n"),
    }
}

/// What was done, for programs.
#[must_use]
pub fn object(act: &str, target: &Target, zvm: &str, task: &Task) -> Value {
    let vms: Vec<Value> = target.vms.iter().map(|vm| json!({"name": vm.name, "identifier": vm.identifier})).collect();
    json!({
        "ok": true,
        "act": act,
        "vpg": target.vpg.name,
        "vpg_identifier": target.vpg.identifier,
        "vms": vms,
        "site": target.site,
        "zvm": zvm,
        "task_id": task.identifier,
        "task_state": task.state.name(),
    })
}

/// What was created, for programs: null where the ZVM does not tell.
fn created_object(created: Option<&[Resource]>) -> Value {
    let one = |vm: &Resource| json!({"name": vm.name, "identifier": vm.identifier});
    created.map_or(Value::Null, |created| created.iter().map(one).collect())
}
