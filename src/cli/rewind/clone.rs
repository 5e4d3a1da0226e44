//! `zerto-guard rewind clone`: copies of a VPG's VMs as they were at a tag, beside the VMs themselves.

use super::super::Context;
use super::super::guard::while_waiting;
use super::mounting::{Which, confirm};
use super::whole::{checkpoint_lines, count, created_lines, created_object, object, ordered, warning_lines, with};
use crate::rewind::find;
use crate::rewind::whole::error::WholeError;
use crate::rewind::whole::plan::{Plan, plan};
use crate::text::foreign;
use crate::ui::Failure;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use jiff::Timestamp;
use serde_json::json;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind clone latest --vpg web01-dr
  zerto-guard rewind clone chg-412 --vm web01 --vpg web01-local --datastore fast-1

It is done to a whole VPG, so a tag that stands, or may stand, in several needs --vpg.
The clones come up at the VPG's recovery site, powered
off and unprotected, and stay until somebody deletes them in the hypervisor; the VMs themselves run on untouched. What will
happen is shown first, and asked for unless --yes is given; the task is followed to its end. Ctrl-C ends the following only.
Exit codes: 0 cloned; 1 the ZVM's task failed, or what became of it is not known; 3 no such tag, VM, VPG or datastore; 4 more
than one tag or VPG; 5 not confirmed, or no ZVM is local to the recovery site; 6 the ZVM can't be reached, is not trusted, or
refused the login or the right; 130, 143 interrupted.")]
pub struct Clones {
    /// The tag
    tag: String,
    #[command(flatten)]
    which: Which,
    /// The datastore for the clones: its identifier, or its name [default: as the VPG's settings have it]
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    datastore: Option<String>,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
}

impl Clones {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let desk = super::desk(&config, context)?;
        let quiet = context.printer.is_json();
        let plan = while_waiting(quiet, "looking up what would be cloned", None, || {
            let found = find::tag(&desk, &self.tag, &self.which.narrow())?;
            plan(&desk, &found, self.datastore.as_deref(), false)
        })?;
        confirm(context, &text(&plan, Timestamp::now()), "Clone them?", self.yes)?;
        let target = &plan.target;
        let task = ordered(context, &desk, target, plan.act(false))?;
        let client = desk.zvm(target.zvm).map_err(WholeError::from)?;
        let created = while_waiting(quiet, "looking for the clones", None, || target.created(client));
        let otherwise =
            "The ZVM does not tell their names; Zerto names a clone after its VM and the time of the checkpoint.";
        let text = format!(
            "Cloned: VPG {} as it was at checkpoint {}. At site {}, powered off and unprotected:\n{}\
             They stay until somebody deletes them in the hypervisor.",
            foreign(&target.vpg.name, 80),
            foreign(&plan.place.checkpoint, 40),
            foreign(&target.site, 80),
            created_lines(created.as_deref(), otherwise),
        );
        let more = json!({
            "tag": plan.tagged.tag,
            "checkpoint": plan.place.checkpoint,
            "time": plan.place.time,
            "datastore": plan.datastore.as_ref().map(|store| &store.identifier),
            "created": created_object(created.as_deref()),
            "warnings": plan.warnings,
        });
        context.printer.result(&text, &with(object("clone", target, client.name(), &task), more))?;
        Ok(0)
    }
}

fn text(plan: &Plan, now: Timestamp) -> String {
    let datastore = match &plan.datastore {
        None => "as the VPG's own settings have it".to_owned(),
        Some(store) if store.name.is_empty() => foreign(&store.identifier, 120),
        Some(store) => format!("{} ({})", foreign(&store.name, 80), foreign(&store.identifier, 120)),
    };
    format!(
        "This clones a whole VPG as it was at a checkpoint:\n{}\
         \x20 datastore   {datastore}\n\
         \x20 afterwards  {} there, powered off and unprotected, named after the VM and the checkpoint's time;\n\
         \x20             the protected VMs run on, untouched\n\
         \x20 meanwhile   Zerto restores no files from this VPG until the clone is done\n\
         \x20 to undo     delete what is new in the hypervisor of that site: neither Zerto nor zerto-guard does\n{}",
        checkpoint_lines(plan, now),
        count(plan.target.vms.len(), "new VM"),
        warning_lines(&plan.warnings),
    )
}
