//! A folder of a guest, brought file by file, each whole.
//!
//! Owns: that no name of a guest leads out of the folder that it goes to, through a link there either, and that no file is
//! written over one that has just been brought. Must not: follow a guest's links.

use super::super::caution;
use super::super::error::RewindError;
use super::super::goal::{Goal, Part, disk, free, shown};
use super::super::journals::Member;
use super::super::save::save;
use super::super::session::Mount;
use super::super::tree::is_folder;
use super::super::trouble::{SaveError, SaveErrorKind};
use super::{Barred, Order, Tell, broken, local_name};
use crate::text::{bytes_text, foreign};
use crate::zvm::error::ZvmErrorKind;
use crate::zvm::model::FlrItem;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// How many files and folders are brought at once: their list is kept in memory.
const MOST: usize = 50_000;

/// What to do about something that stands in the way.
const AWAY: &str = "Move it away, or give another folder with --output.";

/// How deep folders may lie in one another.
const DEEPEST: usize = 100;

/// A folder that was brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Where.
    pub folder: PathBuf,
    /// Its files.
    pub files: Vec<Brought>,
    /// What can't be had.
    pub left_out: Vec<LeftOut>,
}

/// A file of a folder that was brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brought {
    /// Its path below the folder, as the guest has it.
    pub path: String,
    /// Where it is now.
    pub file: PathBuf,
    /// Its length in bytes.
    pub size: u64,
    /// In lower-case hex.
    pub sha256: String,
    /// Where the file is that stood there before.
    pub kept: Option<PathBuf>,
}

/// What can't be had: a link, a file that the system holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path below the folder.
    pub path: String,
    /// Why, in the ZVM's words or ours.
    pub why: String,
}

impl Tree {
    /// The length of all its files in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).fold(0, u64::saturating_add)
    }
}

/// The folder that a folder of a guest becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeGoal {
    given: PathBuf,
    force: bool,
}

impl TreeGoal {
    /// Looks at what stands there: nothing, or an empty folder, or with `force` any folder.
    ///
    /// # Errors
    /// Something else stands there.
    pub fn new(given: &Path, force: bool) -> Result<Self, SaveError> {
        let name = shown(given);
        let rule = |message: String, hint: &str| Err(SaveError::new(SaveErrorKind::Rule, message, hint));
        let fails = |error: &io::Error| disk(format!("{name} can't be looked at"), error);
        match fs::metadata(given) {
            Ok(entry) if entry.is_dir() => {
                if !force && fs::read_dir(given).map_err(|error| fails(&error))?.next().is_some() {
                    let hint = "--output FOLDER brings it elsewhere; --force brings it into this one, and keeps each file \
                                that it replaces beside the new one.";
                    return rule(format!("The folder {name} is not empty."), hint);
                }
            }
            Ok(_) => return rule(format!("{name} exists and is no folder."), "Give another one with --output."),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(given).is_ok() {
                    let hint = "Remove the link, or give another folder with --output.";
                    return rule(format!("{name} is a link to something that does not exist."), hint);
                }
                let above = above(given);
                if !above.is_dir() {
                    let message = format!("There is no folder {}.", shown(above));
                    let hint = "Make it first, or give another one with --output.";
                    return Err(SaveError::new(SaveErrorKind::Disk, message, hint));
                }
            }
            Err(error) => return Err(fails(&error)),
        }
        Ok(Self { given: given.to_owned(), force })
    }

    /// Whether it can be written there.
    ///
    /// # Errors
    /// It can't.
    pub fn probe(&self) -> Result<(), SaveError> {
        let folder = if self.given.is_dir() { self.given.as_path() } else { above(&self.given) };
        Part::beside(folder, OsStr::new("recover")).map(drop)
    }

    /// Makes the folder at these names, if it is not there; says whether it was made.
    fn make(&self, names: &[String]) -> Result<bool, SaveError> {
        let path = self.at(names);
        match fs::create_dir(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.is_real(names)?;
                Ok(false)
            }
            Err(error) => Err(disk(format!("The folder {} can't be made", shown(&path)), &error)),
        }
    }

    /// A link below the folder could lead anywhere.
    fn is_real(&self, names: &[String]) -> Result<(), SaveError> {
        let path = self.at(names);
        // The folder itself may be one: whoever asked for it has named it.
        let entry = if names.is_empty() { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        match entry {
            Ok(entry) if entry.is_dir() => Ok(()),
            Ok(_) => Err(SaveError::new(
                SaveErrorKind::Rule,
                format!("{} stands where a folder of the guest goes.", shown(&path)),
                AWAY,
            )),
            Err(error) => Err(disk(format!("The folder {} can't be used", shown(&path)), &error)),
        }
    }

    /// Where the file with these names goes.
    fn file(&self, names: &[String]) -> Result<Goal, SaveError> {
        for depth in 0..names.len() {
            self.is_real(names.get(..depth).unwrap_or_default())?;
        }
        let path = self.at(names);
        if fs::symlink_metadata(&path).is_ok_and(|entry| entry.is_symlink()) {
            let message = format!("{} is a link, and stands where a file of the guest goes.", shown(&path));
            return Err(SaveError::new(SaveErrorKind::Rule, message, AWAY));
        }
        Goal::new(&path, self.force)
    }

    fn at(&self, names: &[String]) -> PathBuf {
        let mut path = self.given.clone();
        path.extend(names);
        path
    }
}

fn above(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What a folder of a guest holds, all the way down.
#[derive(Default)]
struct Survey {
    folders: Vec<Vec<String>>,
    files: Vec<(Vec<String>, FlrItem)>,
    left_out: Vec<LeftOut>,
    failed: Vec<String>,
    size: u64,
}

/// Brings a folder of the session.
pub(super) fn bring(
    mount: &Mount,
    place: &str,
    vm: &Member,
    order: &Order,
    barred: &Barred,
    tell: &Tell,
) -> Result<Tree, RewindError> {
    let Survey { folders, files, left_out, mut failed, size } = survey(mount, place, order)?;
    let goal = TreeGoal::new(&order.goal, order.force).map_err(RewindError::Save)?;
    let folder = if order.goal.is_dir() { order.goal.as_path() } else { above(&order.goal) };
    if let Some(free) = free(folder).filter(|free| *free < size) {
        let message = format!(
            "{} holds {}, and the disk of {} has {} left.",
            foreign(&order.path.typed, 300),
            bytes_text(size),
            shown(folder),
            bytes_text(free)
        );
        let hint = "Make room, or give a folder on another disk with --output.";
        return Err(RewindError::Save(SaveError::new(SaveErrorKind::Disk, message, hint)));
    }
    let mut made = Made(Vec::new());
    let mut tree = Tree { folder: order.goal.clone(), files: Vec::new(), left_out };
    // A disk for which two names are one must not lose the first for the second.
    let mut ours: HashSet<(u64, u64)> = HashSet::new();
    let mut code = 1;
    for names in std::iter::once(&Vec::new()).chain(&folders) {
        match goal.make(names) {
            Ok(true) => made.0.push(goal.at(names)),
            Ok(false) => {}
            Err(error) if error.kind == SaveErrorKind::Rule => failed.push(error.message),
            Err(error) => return Err(RewindError::Save(error)),
        }
    }
    let of = files.len() + failed.len();
    let mut before = 0_u64;
    for (names, item) in files {
        let path = names.join("/");
        if let Some(why) = barred(&goal.at(&names)) {
            tree.left_out.push(LeftOut { path, why });
            continue;
        }
        if let Some(warning) = caution::of_size(&path, &vm.guest_os, item.size) {
            (tell.warn)(&warning);
        }
        let watch = |done: u64, _| {
            (tell.at)(&path, before.saturating_add(done), Some(size));
            !mount.is_stopped()
        };
        let saved = goal.file(&names).and_then(|goal| {
            let stands = fs::symlink_metadata(goal.path()).ok();
            if stands.is_some_and(|entry| ours.contains(&(entry.dev(), entry.ino()))) {
                let message = format!(
                    "{} is, on this disk, a file that has just been brought: two of the guest's names are one here.",
                    shown(goal.path())
                );
                return Err(SaveError::new(
                    SaveErrorKind::Rule,
                    message,
                    "Bring it alone, to another folder (--output).",
                ));
            }
            save(mount.zvm(), mount.id(), &item, &goal, &watch)
        });
        match saved {
            Ok(saved) => {
                if let Ok(entry) = fs::symlink_metadata(&saved.file) {
                    ours.insert((entry.dev(), entry.ino()));
                }
                for warning in &saved.warnings {
                    (tell.warn)(warning);
                }
                before = before.saturating_add(saved.size);
                let (file, size, sha256, kept) = (saved.file, saved.size, saved.sha256, saved.kept);
                tree.files.push(Brought { path, file, size, sha256, kept });
            }
            Err(error) if mount.is_stopped() => return Err(broken(mount, error)),
            Err(error) => {
                failed.push(format!("{path}: {}", error.message));
                // What is wrong with one file need not be so with the next.
                if matches!(error.kind, SaveErrorKind::Disk | SaveErrorKind::Zvm(6)) {
                    code = error.exit_code();
                    break;
                }
            }
        }
    }
    if failed.is_empty() {
        made.0.clear();
        return Ok(tree);
    }
    Err(RewindError::Incomplete { folder: shown(&order.goal), brought: tree.files.len(), of, failed, code })
}

/// The folders that were made. Dropped, those in which there is nothing go again.
struct Made(Vec<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn survey(mount: &Mount, place: &str, order: &Order) -> Result<Survey, RewindError> {
    let mut survey = Survey::default();
    let mut open = vec![(place.to_owned(), Vec::new())];
    let mut count = 0;
    while let Some((folder, names)) = open.pop() {
        let listed = mount.list(&folder, |item| {
            count += 1;
            if count > MOST {
                return ControlFlow::Break(());
            }
            if let Some(below) = survey.take(&folder, &names, item) {
                open.push(below);
            }
            ControlFlow::Continue(())
        });
        match listed {
            Ok(()) if count > MOST => {
                return Err(RewindError::TooMany { path: order.path.typed.clone(), most: MOST });
            }
            Ok(()) => {}
            Err(RewindError::Zvm(error))
                if !names.is_empty() && matches!(error.kind, ZvmErrorKind::NotFound | ZvmErrorKind::Refused(_)) =>
            {
                survey.failed.push(format!("{}/: {}", names.join("/"), error.message));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(survey)
}

impl Survey {
    /// Takes an entry of `folder`, which lies at these names; a folder that is to be looked into comes back.
    fn take(&mut self, folder: &str, names: &[String], item: FlrItem) -> Option<(String, Vec<String>)> {
        // A path that is not the folder's and a name would lead elsewhere, here too.
        let name = item.path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or_default();
        if let Err(why) = local_name(name) {
            self.failed.push(format!("{}: {why}", item.path));
            return None;
        }
        let names: Vec<String> = names.iter().cloned().chain([name.to_owned()]).collect();
        let path = names.join("/");
        if is_folder(&item) {
            if names.len() > DEEPEST {
                self.failed.push(format!("{path}/: it lies more than {DEEPEST} folders deep"));
                return None;
            }
            if !item.browsable {
                self.left_out.push(LeftOut { path: format!("{path}/"), why: why(&item, "it can't be looked into") });
                return None;
            }
            self.folders.push(names.clone());
            return Some((item.path, names));
        }
        if item.downloadable {
            self.size = self.size.saturating_add(item.size.unwrap_or(0));
            self.files.push((names, item));
        } else {
            self.left_out.push(LeftOut { path, why: why(&item, "it can't be downloaded") });
        }
        None
    }
}

fn why(item: &FlrItem, ours: &str) -> String {
    match item.remark.trim().trim_end_matches('.') {
        "" => ours.to_owned(),
        remark => foreign(remark, 200),
    }
}

#[cfg(test)]
#[path = "../tests/folder.rs"]
mod tests;
