//! A file, or a folder, as it was at a tag, to this machine's disk.

use super::front::{Front, while_waiting};
use super::mounting::{Lasting, Told, cautions, looking, mount_plan, mounted_for_good, unmount_object, with_cautions};
use super::{Done, with};
use crate::config::files::Files;
use crate::protected::{self, Asked, Unknown};
use crate::rewind::desk::Desk;
use crate::rewind::ending::Unmounted;
use crate::rewind::error::RewindError;
use crate::rewind::find::{self, Found, Narrow};
use crate::rewind::goal::shown;
use crate::rewind::path::{BadPath, GuestPath};
use crate::rewind::put_back;
use crate::rewind::recover::{self, Order, Recovered, Tell};
use crate::text::{bytes_text, clean, foreign};
use crate::ui::Failure;
use crate::ui::progress::Progress;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// How many files of a folder, and how many of what was left out, are shown to people.
const SHOWN: usize = 20;

/// What a path is at a tag.
///
/// # Errors
/// The tag, the VM or the path is not one.
pub fn find(
    front: &dyn Front,
    desk: &Desk,
    tag: &str,
    path: &str,
    narrow: &Narrow,
) -> Result<(Found, GuestPath), Failure> {
    let bad = |why: BadPath| RewindError::Usage { given: path.to_owned(), why: why.to_string() };
    let path = GuestPath::parse(path).map_err(bad)?;
    let found =
        while_waiting(front, looking(narrow), None, || find::place(desk, &find::tag(desk, tag, narrow)?, narrow))?;
    Ok((found, path))
}

/// What an agent's order must keep off on this machine: the guard's own files and the hosts' hook settings.
#[derive(Debug, Clone)]
pub struct Own {
    files: Files,
    paths: Vec<String>,
}

impl Own {
    /// With these files of the guard.
    ///
    /// # Errors
    /// What is protected is not known, or the goal is protected, or a folder in which that would lie.
    pub fn kept_off(files: &Files, goal: &Path, recursive: bool) -> Result<Self, Failure> {
        let unknown = |why: Unknown| {
            let message = format!("Nothing was done: {why}, so it is not known whether this would write into them.");
            Failure::new(1, message, format!("Ask the human to {}.", Unknown::MEND))
        };
        let own = Self { files: files.clone(), paths: protected::paths(files).map_err(unknown)? };
        match own.hit(goal, recursive) {
            None => Ok(own),
            Some(hit) => Err(Failure::new(
                5,
                format!(
                    "Nothing was done: what goes to {} would change {}, on which the guard itself depends.",
                    shown(goal),
                    foreign(&hit, 300)
                ),
                "Name another destination; a human can have it there with `zerto-guard rewind recover`.",
            )),
        }
    }

    fn hit(&self, path: &Path, is_folder: bool) -> Option<String> {
        Asked::new(&self.files, None, &path.to_string_lossy()).hit_by_new(&self.paths, is_folder)
    }
}

/// Brings what was ordered, once it is confirmed. A human's own order keeps off nothing.
///
/// # Errors
/// Something stands at the goal, it was not confirmed, or it did not come whole.
pub fn run(
    front: &Arc<dyn Front>,
    desk: &Arc<Desk>,
    found: &Found,
    order: &Order,
    own: Option<Own>,
) -> Result<Done, Failure> {
    // Before anybody is asked, and before anything is mounted.
    let replaces = order.check().map_err(RewindError::Save)?;
    let mut warnings = cautions(found, &order.path);
    front.confirm(&plan(found, desk, order, replaces, &warnings), "Go on?")?;

    let told = Told::new(front);
    let (inner_desk, vm, inner_order, inner_told) = (Arc::clone(desk), found.vm.clone(), order.clone(), told.clone());
    let inner_front = Arc::clone(front);
    let Lasting { done: recovered, unmounted, .. } = mounted_for_good(front, desk, found, move |mount| {
        let progress = Progress::new(inner_front.line());
        let warn = |text: &str| inner_told.warn(text);
        let at = |name: &str, done, whole| progress.at(&clean(name, 60), done, whole);
        let barred = |path: &Path| {
            let hit = own.as_ref()?.hit(path, false);
            hit.map(|_| "the guard itself depends on it, so a human has to bring it".to_owned())
        };
        recover::recover(mount, &inner_desk, &vm, &inner_order, &barred, &Tell { at: &at, warn: &warn })
    })?;
    warnings.splice(0..0, found.warnings.iter().cloned());
    warnings.extend(told.take());
    warnings.extend(unmounted.warning());
    let host = put_back::host(&found.vm, &desk.hosts);
    let line = put_back::line(&order.goal, matches!(recovered, Recovered::Tree(_)), &order.path, host);
    Ok(Done {
        text: text(&recovered, order, line.as_deref(), &unmounted),
        object: object(&recovered, order, line.as_deref(), &unmounted, &warnings),
    })
}

/// All that will happen.
fn plan(found: &Found, desk: &Desk, order: &Order, replaces: bool, warnings: &[String]) -> String {
    let (path, goal) = (foreign(&order.path.typed, 300), shown(&order.goal));
    let brings = match (order.recursive, replaces) {
        (true, false) if order.goal.is_dir() && order.force => format!(
            "{path}, with all that is in it if it is a folder, goes into the folder {goal}; each file that it replaces there is \
             kept beside the new one, as NAME.before-TIME."
        ),
        (true, false) => format!("{path}, with all that is in it if it is a folder, goes to {goal}."),
        (_, false) => format!("{path} goes to {goal}, which is a new file."),
        (_, true) => format!("{path} replaces {goal}; what stands there now is kept beside it, as {goal}.before-TIME."),
    };
    let plan = format!("{}\n{brings}", mount_plan(found, desk));
    with_cautions(plan, warnings)
}

fn text(recovered: &Recovered, order: &Order, line: Option<&str>, unmounted: &Unmounted) -> String {
    let mut text = match recovered {
        Recovered::File(file) => {
            let kept = file.kept.as_ref().map(|kept| format!("\nWhat stood there is {}.", shown(kept)));
            let (name, size) = (shown(&file.file), sized(file.size));
            format!("{name}: {size}, SHA-256 {}{}", file.sha256, kept.unwrap_or_default())
        }
        Recovered::Tree(tree) => {
            let mut text = String::new();
            for file in tree.files.iter().take(SHOWN) {
                let kept = file.kept.as_ref().map(|kept| format!(" (what stood there is {})", shown(kept)));
                let (name, size) = (shown(&file.file), sized(file.size));
                text.push_str(&format!("{name}: {size}, SHA-256 {}{}\n", file.sha256, kept.unwrap_or_default()));
            }
            if tree.files.len() > SHOWN {
                text.push_str(&format!("and {} more\n", tree.files.len() - SHOWN));
            }
            for out in tree.left_out.iter().take(SHOWN) {
                text.push_str(&format!("left out: {} ({})\n", foreign(&out.path, 300), clean(&out.why, 200)));
            }
            if tree.left_out.len() > SHOWN {
                text.push_str(&format!("and {} more left out\n", tree.left_out.len() - SHOWN));
            }
            let count = if tree.files.len() == 1 { "1 file".into() } else { format!("{} files", tree.files.len()) };
            text.push_str(&format!("{count} in {}: {}", shown(&tree.folder), sized(tree.size())));
            text
        }
    };
    if unmounted.ok {
        text.push_str("\nThe disks are unmounted again.");
    }
    match line {
        Some(line) => {
            let shell = if order.path.drive.is_some() { ", in PowerShell" } else { "" };
            text.push_str(&format!("\nTo put it back{shell}:\n  {line}"));
        }
        None => text.push_str("\nIts name holds what a terminal does not show, so no line to put it back is shown."),
    }
    text
}

/// Exact, and as people read it.
fn sized(size: u64) -> String {
    if size < 1024 { bytes_text(size) } else { format!("{} ({size} bytes)", bytes_text(size)) }
}

fn object(
    recovered: &Recovered,
    order: &Order,
    line: Option<&str>,
    unmounted: &Unmounted,
    warnings: &[String],
) -> Value {
    let object = match recovered {
        Recovered::File(file) => json!({
            "file": file.file.to_string_lossy(),
            "size": file.size,
            "sha256": file.sha256,
            "kept": file.kept.as_ref().map(|kept| kept.to_string_lossy()),
        }),
        Recovered::Tree(tree) => {
            let files: Vec<Value> = tree
                .files
                .iter()
                .map(|file| {
                    json!({
                        "path": file.path,
                        "file": file.file.to_string_lossy(),
                        "size": file.size,
                        "sha256": file.sha256,
                        "kept": file.kept.as_ref().map(|kept| kept.to_string_lossy()),
                    })
                })
                .collect();
            let left_out: Vec<Value> =
                tree.left_out.iter().map(|out| json!({"path": out.path, "why": out.why})).collect();
            json!({
                "file": tree.folder.to_string_lossy(),
                "size": tree.size(),
                "sha256": null,
                "files": files,
                "left_out": left_out,
            })
        }
    };
    let more = json!({
        "ok": true,
        "path": order.path.typed,
        "put_back": line,
        "unmount": unmount_object(unmounted),
        "warnings": warnings,
    });
    with(object, more)
}
