//! What the errands that mount a disk have in common: what is asked before, and the mount itself.
//!
//! Must not: know what is done in the mount.

use super::front::Front;
use crate::rewind::caution;
use crate::rewind::desk::Desk;
use crate::rewind::ending::Unmounted;
use crate::rewind::error::RewindError;
use crate::rewind::find::{Found, Narrow};
use crate::rewind::path::GuestPath;
use crate::rewind::session::{Held, Mount, Patience};
use crate::rewind::watch::{Watched, watched};
use crate::text::{clean, foreign};
use crate::ui::Failure;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// What is done while a tag is looked for.
#[must_use]
pub fn looking(narrow: &Narrow) -> &'static str {
    if narrow.vm.is_some() || narrow.vpg.is_some() {
        return "looking for the tag";
    }
    // A change's id does not say when it was, so that every journal is read.
    "looking for the tag in all VPGs; with --vm or --vpg it takes less"
}

/// What should be known before a path of a VPG's VM is looked at.
#[must_use]
pub fn cautions(found: &Found, path: &GuestPath) -> Vec<String> {
    [caution::of_vpg(&found.vpg), caution::of_name(&path.typed)].into_iter().flatten().collect()
}

/// A plan, and what should be known beforehand.
#[must_use]
pub fn with_cautions(mut plan: String, cautions: &[String]) -> String {
    for caution in cautions {
        plan.push_str(&format!("\nWarning: {caution}"));
    }
    plan
}

/// What should be known of what goes on, from its own thread: said at once, and kept for the result.
#[derive(Clone)]
pub struct Told {
    front: Arc<dyn Front>,
    all: Arc<Mutex<Vec<String>>>,
}

impl Told {
    /// Nothing yet.
    #[must_use]
    pub fn new(front: &Arc<dyn Front>) -> Self {
        Self { front: Arc::clone(front), all: Arc::default() }
    }

    /// Says it.
    pub fn warn(&self, text: &str) {
        self.front.note(text);
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    /// All that was said.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.all.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How a mount ended, for programs.
#[must_use]
pub fn unmount_object(unmounted: &Unmounted) -> Value {
    json!({"ok": unmounted.ok, "session_id": unmounted.session_id, "error": unmounted.error})
}

/// Which disks are mounted, as a plan says it.
#[must_use]
pub fn mount_plan(found: &Found, desk: &Desk) -> String {
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
///
/// # Errors
/// What the mount or the work fails with, or that it was broken off.
pub fn mounted<T: Send + 'static>(
    front: &Arc<dyn Front>,
    desk: &Arc<Desk>,
    found: &Found,
    work: impl FnOnce(&Mount) -> Result<T, RewindError> + Send + 'static,
) -> Result<(T, Unmounted), Failure> {
    let Lasting { done, unmounted, signal } = mounted_for_good(front, desk, found, work)?;
    match signal {
        Some(signal) => Err(RewindError::Signal { signal, unmounted: Some(unmounted) }.into()),
        None => Ok((done, unmounted)),
    }
}

/// What work has done that lasts.
pub struct Lasting<T> {
    /// What it has done.
    pub done: T,
    /// How its mount ended.
    pub unmounted: Unmounted,
    /// The signal that came too late to break it off.
    pub signal: Option<i32>,
}

/// As [`mounted`], of work whose result stands once it is done, whatever signal comes after it.
///
/// # Errors
/// As [`mounted`].
pub fn mounted_for_good<T: Send + 'static>(
    front: &Arc<dyn Front>,
    desk: &Arc<Desk>,
    found: &Found,
    work: impl FnOnce(&Mount) -> Result<T, RewindError> + Send + 'static,
) -> Result<Lasting<T>, Failure> {
    let say = {
        let front = Arc::clone(front);
        move |text: &str| front.say(text)
    };
    // For people the plan has said it.
    for warning in found.warnings.iter().filter(|_| front.is_quiet()) {
        front.note(warning);
    }
    let held = Held::new(desk, Patience::default());
    front.begins()?;
    let (inner, found) = (Arc::clone(&held), found.clone());
    let interrupted = say.clone();
    let Watched { result, unmounted, signal } = watched(&held, &front.listen(), interrupted, move || {
        let mount = Mount::open(&inner, &found, &say)?;
        work(&mount)
    });
    let warning = unmounted.as_ref().and_then(Unmounted::warning);
    match result {
        Ok(done) => {
            if let Some(warning) = warning {
                front.note(&warning);
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
