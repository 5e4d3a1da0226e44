//! What judges of programs read from the disk: noted, and refused where the text itself may have changed it before.

use super::scripts::{Files, is_each_processs_own};
use super::{Shell, Walk};
use crate::classify::disks::MountPoint;
use crate::classify::effect::Facts;
use crate::classify::{Found, Surroundings, Touched};
use crate::path::is_inside;
use std::cell::RefCell;

/// The disk as it will be when it comes to the command that is judged.
struct Watched<'w> {
    around: &'w dyn Surroundings,
    files: &'w Files,
    /// What the commands before it name and may have changed.
    touched: &'w [Touched],
    /// What was read.
    read: RefCell<Vec<Vec<u8>>>,
    /// The descriptions of projects that were asked for.
    projects: RefCell<Vec<String>>,
}

impl Walk<'_> {
    /// Lets something look at the disk for a command of this shell, and notes what it read.
    pub(super) fn looking<T>(&mut self, shell: &Shell, judge: impl FnOnce(&Self, &Facts) -> T) -> T {
        let watched = Watched {
            around: self.around,
            files: &self.files,
            touched: &self.touched,
            read: RefCell::default(),
            projects: RefCell::default(),
        };
        let facts = Facts {
            around: &watched,
            home: self.home.as_deref(),
            cwd: shell.env.cwd.as_deref(),
            own: shell.place.has_own_files(),
            variables: &shell.env,
        };
        let judged = judge(self, &facts);
        let (read, projects) = (watched.read.into_inner(), watched.projects.into_inner());
        self.files.read_projects(projects);
        for bytes in read {
            // Each read costs: a text that makes many of them is not followed to its end.
            self.spend(bytes.len());
            if !self.scripts.contains(&bytes) {
                self.scripts.push(bytes);
            }
        }
        judged
    }
}

impl Watched<'_> {
    fn read(&self, path: &str) -> Found {
        let found = self.around.file(path);
        if let Found::File(bytes) = &found {
            self.read.borrow_mut().push(bytes.clone());
        }
        found
    }

    fn may_be_changed(&self, path: &str) -> bool {
        // Where a path leads costs a look at each of its folders: only if something was changed does it matter.
        if self.touched.is_empty() && !self.files.writes_any() {
            return false;
        }
        let real = self.around.real_path(path);
        let inside = |touched: &Touched| {
            let at = |folder: &str| is_inside(path, folder) || is_inside(&real, folder);
            at(&touched.path) || at(&self.around.real_path(&touched.path))
        };
        self.touched.iter().any(inside) || [path, &real].into_iter().any(|path| self.files.writes(path))
    }
}

impl Surroundings for Watched<'_> {
    fn real_path(&self, path: &str) -> String {
        self.around.real_path(path)
    }

    fn file(&self, path: &str) -> Found {
        if is_each_processs_own(path) || self.may_be_changed(path) {
            return Found::Unreadable;
        }
        self.read(path)
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        if self.may_be_changed(path) { None } else { self.around.folder(path) }
    }

    fn project(&self, path: &str) -> Result<Found, String> {
        self.projects.borrow_mut().push(path.to_owned());
        let real = self.around.real_path(path);
        if let Some(why) = self.files.doubt_project(path).or_else(|| self.files.doubt_project(&real)) {
            return Err(why);
        }
        if is_each_processs_own(&real) {
            return Err(format!("{path} is another file for each process"));
        }
        // What builders name among their words, the folder of the project as often as not, is no reason to doubt.
        Ok(self.read(path))
    }

    fn home(&self) -> Option<String> {
        self.around.home()
    }

    fn mount_points(&self) -> Vec<MountPoint> {
        self.around.mount_points()
    }
}
