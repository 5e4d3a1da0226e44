//! From a mount to this machine's disk: one file, or a folder file by file.
//!
//! Owns: what is done with what lies at the path. Must not: mount or unmount, ask a person, or write anything but what was
//! asked for.

mod folder;

pub use folder::{Brought, LeftOut, Tree, TreeGoal};

use super::caution;
use super::desk::Desk;
use super::error::RewindError;
use super::goal::{Goal, LONGEST_NAME, shown};
use super::journals::Member;
use super::path::GuestPath;
use super::save::{Saved, save};
use super::session::Mount;
use super::tree::is_folder;
use super::trouble::{SaveError, SaveErrorKind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How much of a folder is looked at to say what is in it.
const LOOK: usize = 500;

/// What is to be brought, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Of the guest.
    pub path: GuestPath,
    /// On this machine.
    pub goal: PathBuf,
    /// Whether a folder is brought.
    pub recursive: bool,
    /// Whether what stands there may be replaced.
    pub force: bool,
}

/// What was brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovered {
    /// A file.
    File(Saved),
    /// A folder.
    Tree(Tree),
}

/// Whether nothing may be written at a path of this machine, and why.
pub type Barred<'a> = dyn Fn(&Path) -> Option<String> + 'a;

/// Who is told what goes on.
pub struct Tell<'a> {
    /// How many bytes of what has come, and of how many.
    pub at: &'a (dyn Fn(&str, u64, Option<u64>) + 'a),
    /// What should be known now.
    pub warn: &'a (dyn Fn(&str) + 'a),
}

impl Order {
    /// Where it goes if nobody says where: into the current folder, under its own name.
    ///
    /// # Errors
    /// It has no name, or one that can't be used here.
    pub fn own_name(path: &GuestPath) -> Result<PathBuf, SaveError> {
        let refused = |why: &str| {
            let shown = crate::text::foreign(&path.typed, 300);
            SaveError::new(
                SaveErrorKind::Rule,
                format!("{shown}: {why}."),
                "Say with --output under which one it goes.",
            )
        };
        let name = path.name().ok_or_else(|| refused("a root has no name"))?;
        local_name(name).map_err(refused)?;
        // Alone it would stand for stdout.
        Ok(if name == "-" { Path::new(".").join(name) } else { PathBuf::from(name) })
    }

    /// Looks at what stands at the goal, and whether it can be written there, before anything is mounted. What is to be
    /// replaced, if it is known to be a file.
    ///
    /// # Errors
    /// Something stands there that must not be replaced, or the folder can't be written.
    pub fn check(&self) -> Result<bool, SaveError> {
        if self.recursive && !self.goal.is_file() {
            TreeGoal::new(&self.goal, self.force)?.probe()?;
            return Ok(false);
        }
        let goal = Goal::new(&self.goal, self.force).map_err(|mut error| {
            if let (true, Ok(name)) = (self.goal.is_dir(), Self::own_name(&self.path)) {
                error.hint = format!("Name the file: --output {}", shown(&self.goal.join(name)));
            }
            error
        })?;
        drop(goal.part()?);
        Ok(goal.replaces())
    }
}

/// Brings what lies at the path. Of a folder, what is barred is left out; the goal itself is the caller's business.
///
/// # Errors
/// It is not there, on several partitions, a folder that was not asked for, or can't be downloaded; it did not come whole; the
/// goal does not take it.
pub fn recover(
    mount: &Mount,
    desk: &Desk,
    vm: &Member,
    order: &Order,
    barred: &Barred,
    tell: &Tell,
) -> Result<Recovered, RewindError> {
    let item = mount.locate(desk, &vm.name, &order.path)?;
    if is_folder(&item) {
        if !order.recursive {
            return Err(refused_folder(mount, &item.path, order, vm)?);
        }
        return folder::bring(mount, &item.path, vm, order, barred, tell).map(Recovered::Tree);
    }
    if !item.downloadable {
        let (path, vm) = (order.path.typed.clone(), vm.name.clone());
        return Err(RewindError::NoDownload { path, vm, remark: item.remark });
    }
    if let Some(warning) = caution::of_size(&order.path.typed, &vm.guest_os, item.size) {
        (tell.warn)(&warning);
    }
    let goal = Goal::new(&order.goal, order.force).map_err(RewindError::Save)?;
    let watch = |done, whole| {
        (tell.at)(item.name(), done, whole);
        !mount.is_stopped()
    };
    let saved = save(mount.zvm(), mount.id(), &item, &goal, &watch).map_err(|error| broken(mount, error))?;
    for warning in &saved.warnings {
        (tell.warn)(warning);
    }
    Ok(Recovered::File(saved))
}

/// The refusal of a folder, which says what is in it.
fn refused_folder(mount: &Mount, place: &str, order: &Order, vm: &Member) -> Result<RewindError, RewindError> {
    let (mut entries, mut more) = (Vec::new(), false);
    mount.list(place, |item| {
        if entries.len() >= LOOK {
            more = true;
            return ControlFlow::Break(());
        }
        let mark = if is_folder(&item) { "/" } else { "" };
        entries.push(format!("{}{mark}", item.name()));
        ControlFlow::Continue(())
    })?;
    Ok(RewindError::IsFolder { path: order.path.typed.clone(), vm: vm.name.clone(), entries, more })
}

fn broken(mount: &Mount, error: SaveError) -> RewindError {
    // Whoever was told to stop has hung up, which looks like a ZVM that broke off.
    if mount.is_stopped() { RewindError::Stopped } else { RewindError::Save(error) }
}

/// Whether a name of a guest can be one here.
///
/// # Errors
/// Why not.
fn local_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() || name == "." || name == ".." {
        return Err("its name leads to another folder");
    }
    if name.contains(['/', '\0']) {
        return Err("its name can't be one here");
    }
    if name.chars().any(char::is_control) {
        return Err("its name holds control characters");
    }
    // What a guest's disk takes (255 letters of any kind on NTFS) may be more than this one's does.
    if name.len() > LONGEST_NAME {
        return Err("its name is longer than the 255 bytes that a disk takes here");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_goes_under_its_own_name_if_that_can_be_one() {
        for (path, goal) in [
            ("/etc/app.yaml", Some("app.yaml")),
            ("C:\\Users\\j\\app.conf", Some("app.conf")),
            ("/srv/a b*?[x].", Some("a b*?[x].")),
            ("/srv/Größe…", Some("Größe…")),
            ("/srv/a\\b", Some("a\\b")),
            ("/tmp/-", Some("./-")),
            ("/srv/a\nb", None),
            ("/srv/a\u{1b}[31m", None),
            ("/", None),
            ("C:\\", None),
        ] {
            let own = Order::own_name(&GuestPath::parse(path).unwrap());
            assert_eq!(own.clone().ok(), goal.map(PathBuf::from), "{path}");
            assert!(own.is_ok() || own.is_err_and(|error| error.exit_code() == 5 && error.hint.contains("--output")));
        }
        for name in ["..", ".", "", "a/b", "../x", "a\0"] {
            assert!(local_name(name).is_err(), "{name:?}");
        }
        // 128 letters, which NTFS takes.
        assert!(local_name(&"ж".repeat(128)).is_err() && local_name(&"x".repeat(255)).is_ok());
    }
}
