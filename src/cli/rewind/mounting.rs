//! What the commands that mount a disk have in common: which VM and VPG, what they ask before, and the mount itself.
//!
//! Must not: know what is done in the mount.

use super::super::Context;
use super::super::guard::while_waiting;
use crate::rewind::caution;
use crate::rewind::desk::Desk;
use crate::rewind::ending::Unmounted;
use crate::rewind::error::RewindError;
use crate::rewind::find::{self, Found, Narrow};
use crate::rewind::path::GuestPath;
use crate::rewind::session::{Held, Mount, Patience};
use crate::rewind::watch::{Watched, watched};
use crate::text::{clean, foreign, printable};
use crate::ui::passing::make_way;
use crate::ui::{Failure, prompt};
use clap::Args;
use serde_json::{Value, json};
use std::io::{IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

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
    /// What is done while the tag is looked for.
    pub(super) fn looking(&self) -> &'static str {
        if self.vm.is_some() || self.vpg.is_some() {
            return "looking for the tag";
        }
        // A change's id does not say when it was, so that every journal is read.
        "looking for the tag in all VPGs; with --vm or --vpg it takes less"
    }

    pub(super) fn narrow(&self) -> Narrow {
        Narrow { vm: self.vm.clone(), vpg: self.vpg.clone() }
    }
}

/// What a command is given that looks at one path of a guest at a tag.
#[derive(Debug, Args)]
pub(super) struct AtTag {
    /// The tag and the guest's own path: latest:/etc/app.yaml, 'chg-412:C:\Users\j\app.conf'
    #[arg(value_name = "TAG:PATH")]
    what: String,
    /// Don't ask
    #[arg(short, long)]
    pub(super) yes: bool,
    #[command(flatten)]
    which: Which,
}

impl AtTag {
    /// As it was typed.
    pub(super) fn what(&self) -> &str {
        &self.what
    }

    /// The checkpoint that is meant, and the path.
    pub(super) fn find(&self, desk: &Desk, quiet: bool) -> Result<(Found, GuestPath), Failure> {
        Ok(while_waiting(quiet, self.which.looking(), None, || self.another(&self.what, desk))?)
    }

    /// The same of another `TAG:PATH`, of the same VM and VPG.
    pub(super) fn another(&self, what: &str, desk: &Desk) -> Result<(Found, GuestPath), RewindError> {
        let narrow = self.which.narrow();
        let (tag, path) = find::split(desk, what, &narrow)?;
        Ok((find::place(desk, &tag, &narrow)?, path))
    }
}

/// What should be known before a path of a VPG's VM is looked at.
pub(super) fn cautions(found: &Found, path: &GuestPath) -> Vec<String> {
    [caution::of_vpg(&found.vpg), caution::of_name(&path.typed)].into_iter().flatten().collect()
}

/// A plan, and what should be known beforehand.
pub(super) fn with_cautions(mut plan: String, cautions: &[String]) -> String {
    for caution in cautions {
        plan.push_str(&format!("\nWarning: {caution}"));
    }
    plan
}

/// What is said while the work goes on, from its own thread: on stderr at once, and kept for the result.
#[derive(Clone, Default)]
pub(super) struct Told(Arc<Mutex<Vec<String>>>);

impl Told {
    /// Says it.
    pub(super) fn warn(&self, text: &str) {
        make_way();
        let _ = writeln!(std::io::stderr(), "zerto-guard: {}", printable(text));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    /// All that was said.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How a mount ended, for programs.
pub(super) fn unmount_object(unmounted: &Unmounted) -> Value {
    json!({"ok": unmounted.ok, "session_id": unmounted.session_id, "error": unmounted.error})
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
    let zvm = desk.zvms.get(found.zvm).map(|zvm| foreign(zvm.name(), 60)).unwrap_or_default();
    let site = match found.vpg.recovery_site.name.as_str() {
        "" => String::new(),
        site => format!(", at its recovery site {}", foreign(site, 80)),
    };
    // Known before the yes: what could not be read may hold a newer tag, or one of the same name.
    let unread: String = found.warnings.iter().map(|warning| format!("\n  Not all could be read: {warning}")).collect();
    format!(
        "This mounts the disks of VM {} as they were at checkpoint {}{} of VPG {}\n  (tag: {}),\n  \
         through ZVM {zvm}{site}, and unmounts them at the end. The VM itself is not touched.{unread}",
        foreign(&found.vm.name, 80),
        foreign(&found.place.checkpoint, 40),
        time.unwrap_or_default(),
        foreign(&found.place.vpg, 80),
        clean(&found.tagged.tag, 260),
    )
}

/// Mounts, does the work, and ends the mount whatever becomes of it. A mount that could not be ended is a warning here, and
/// the result says so. Whoever breaks it off at the last moment wants nothing of it any more.
pub(super) fn mounted<T: Send + 'static>(
    context: &mut Context,
    desk: &Arc<Desk>,
    found: &Found,
    work: impl FnOnce(&Mount) -> Result<T, RewindError> + Send + 'static,
) -> Result<(T, Unmounted), Failure> {
    let Lasting { done, unmounted, signal } = mounted_for_good(context, desk, found, work)?;
    match signal {
        Some(signal) => Err(RewindError::Signal { signal, unmounted: Some(unmounted) }.into()),
        None => Ok((done, unmounted)),
    }
}

/// What work has done that lasts.
pub(super) struct Lasting<T> {
    pub done: T,
    pub unmounted: Unmounted,
    /// The signal that came too late to break it off.
    pub signal: Option<i32>,
}

/// As [`mounted`], of work whose result stands once it is done, whatever signal comes after it.
pub(super) fn mounted_for_good<T: Send + 'static>(
    context: &mut Context,
    desk: &Arc<Desk>,
    found: &Found,
    work: impl FnOnce(&Mount) -> Result<T, RewindError> + Send + 'static,
) -> Result<Lasting<T>, Failure> {
    let quiet = context.printer.is_json();
    let say = move |text: &str| {
        if !quiet {
            make_way();
            let _ = writeln!(std::io::stderr(), "zerto-guard: {}", printable(text));
        }
    };
    // For people the plan has said it.
    for warning in found.warnings.iter().filter(|_| quiet) {
        context.printer.note(&format!("zerto-guard: {warning}"));
    }
    let held = Held::new(desk, Patience::default());
    let (inner, found) = (Arc::clone(&held), found.clone());
    let Watched { result, unmounted, signal } = watched(&held, say, move || {
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
            Ok(Lasting { done, unmounted, signal })
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
