//! What the commands that mount a disk have in common: which VM and VPG, what they ask before, and the mount itself.
//!
//! Must not: know what is done in the mount.

use super::super::Context;
use crate::rewind::desk::Desk;
use crate::rewind::ending::Unmounted;
use crate::rewind::error::RewindError;
use crate::rewind::find::{Found, Narrow};
use crate::rewind::session::{Held, Mount, Patience};
use crate::rewind::watch::{Watched, watched};
use crate::text::clean;
use crate::ui::passing::make_way;
use crate::ui::{Failure, prompt};
use clap::Args;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;

/// What narrows a tag.
#[derive(Debug, Args)]
pub(super) struct Which {
    /// The VM, where the tag is of several: a name, a vmIdentifier, or a host name or address
    #[arg(long, value_name = "VM")]
    vm: Option<String>,
    /// The VPG, where the tag stands in several: a name or an identifier
    #[arg(long, value_name = "VPG")]
    vpg: Option<String>,
}

impl Which {
    pub(super) fn narrow(&self) -> Narrow {
        Narrow { vm: self.vm.clone(), vpg: self.vpg.clone() }
    }
}

/// Shows what will happen, and asks. Nothing has happened where this fails.
pub(super) fn confirm(context: &mut Context, plan: &str, question: &str, yes: bool) -> Result<(), Failure> {
    if !context.printer.is_json() || !yes {
        context.printer.note(plan.trim_end());
    }
    if yes {
        return Ok(());
    }
    // Whoever has stderr in a file is shown on the terminal what the question is about.
    let seen = std::io::stderr().is_terminal();
    let question = if seen { question.to_owned() } else { format!("{}\n{question}", plan.trim_end()) };
    match prompt::confirm(&question) {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::new(5, "Nothing was done, since it was not confirmed.", "")),
        None => Err(Failure::new(
            5,
            "Nothing was done: there is no terminal to confirm it on.",
            "Run it in a terminal, or with --yes if that is what shall happen.",
        )),
    }
}

/// Which disks are mounted, as a plan says it.
pub(super) fn mount_plan(found: &Found, desk: &Desk) -> String {
    let time = found.place.time.map(|time| format!(" of {}", time.strftime("%Y-%m-%d %H:%M:%S UTC")));
    let zvm = desk.zvms.get(found.zvm).map(|zvm| clean(zvm.name(), 60)).unwrap_or_default();
    let site = match found.vpg.recovery_site.name.as_str() {
        "" => String::new(),
        site => format!(", at its recovery site {}", clean(site, 80)),
    };
    // Known before the yes: what could not be read may hold a newer tag, or one of the same name.
    let unread: String = found.warnings.iter().map(|warning| format!("\n  Not all could be read: {warning}")).collect();
    format!(
        "This mounts the disks of VM {} as they were at checkpoint {}{} of VPG {}\n  (tag: {}),\n  \
         through ZVM {zvm}{site}, and unmounts them at the end. The VM itself is not touched.{unread}",
        clean(&found.vm.name, 80),
        clean(&found.place.checkpoint, 40),
        time.unwrap_or_default(),
        clean(&found.place.vpg, 80),
        clean(&found.tagged.tag, 260),
    )
}

/// Mounts, does the work, and ends the mount whatever becomes of it. A mount that could not be ended is a warning here, and
/// the result says so.
pub(super) fn mounted<T: Send + 'static>(
    context: &mut Context,
    desk: &Arc<Desk>,
    found: &Found,
    work: impl FnOnce(&Mount) -> Result<T, RewindError> + Send + 'static,
) -> Result<(T, Unmounted), Failure> {
    let quiet = context.printer.is_json();
    let say = move |text: &str| {
        if !quiet {
            make_way();
            let _ = writeln!(std::io::stderr(), "zerto-guard: {text}");
        }
    };
    // For people the plan has said it.
    for warning in found.warnings.iter().filter(|_| quiet) {
        context.printer.note(&format!("zerto-guard: {warning}"));
    }
    let held = Held::new(desk, Patience::default());
    let (inner, found) = (Arc::clone(&held), found.clone());
    let Watched { result, unmounted } = watched(&held, say, move || {
        let mount = Mount::open(&inner, &found, &say)?;
        work(&mount)
    });
    let warning = unmounted.as_ref().and_then(Unmounted::warning);
    match result {
        Ok(done) => {
            if let Some(warning) = warning {
                context.printer.note(&format!("zerto-guard: {warning}"));
            }
            let unmounted = unmounted.unwrap_or(Unmounted { ok: true, session_id: String::new(), error: None });
            Ok((done, unmounted))
        }
        Err(error) => {
            let mut failure = Failure::from(error);
            // What stays mounted is not lost behind what else went wrong.
            if let Some(warning) = warning.filter(|warning| !failure.hint.contains(warning.as_str())) {
                failure.hint = format!("{}\n{warning}", failure.hint).trim().to_owned();
            }
            Err(failure)
        }
    }
}
