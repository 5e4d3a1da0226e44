//! The guard's own files and the hosts' hook settings, which no agent may change: which they are, and whether a path means one.
//!
//! One list for all who ask: the hook, of a tool call; an errand that an agent has sent, of what it would write. Must not: know a
//! tool call, or say what is done about it.

use crate::classify::Surroundings as _;
use crate::config::files::Files;
use crate::hosts;
use crate::path::{is_inside, joined, normal};
use crate::state::{StateDir, installed};
use crate::surroundings::Disk;
use crate::text::foreign;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What is protected is not known: this should say it, and can't be used for that reason.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("which settings hold the guard's entry is kept in {record}, which can't be used ({why})")]
pub struct Unknown {
    record: String,
    why: String,
}

impl Unknown {
    /// What a human has to do then.
    pub const MEND: &str = "mend that, or to remove it and run `zerto-guard install` again for each host";
}

/// A path that would be written.
#[derive(Debug)]
pub struct Asked {
    /// As it is written down, as it really is, and where it leads for a tool that first takes out each `..` with the name before
    /// it, as many do.
    meant: Vec<String>,
    /// What the real paths and the folders above them are to the system.
    ids: Vec<(u64, u64)>,
    /// What they are themselves, if they are folders.
    folders: Vec<(u64, u64)>,
}

impl Asked {
    /// The path; `cwd` is where a relative one begins.
    #[must_use]
    pub fn new(files: &Files, cwd: Option<&str>, path: &str) -> Self {
        let path = expand(files, path);
        // Without a folder to begin in, the path's own text has to do.
        let whole = joined(&path, cwd).unwrap_or_else(|| format!("/{path}"));
        let written = normal(&whole);
        let mut asked = Self { meant: vec![], ids: vec![], folders: vec![] };
        asked.leads_to(&whole);
        if whole.contains("..") {
            asked.leads_to(&written);
        }
        if let Some(at) = asked.meant.iter().position(|path| *path == written) {
            asked.meant.remove(at);
        }
        asked.meant.insert(0, written);
        asked
    }

    fn leads_to(&mut self, path: &str) {
        let (real, there) = Disk::default().real_place(path);
        for path in there.ancestors() {
            let Ok(about) = path.metadata() else { continue };
            self.ids.push((about.dev(), about.ino()));
            if about.is_dir() && path == Path::new(&real) {
                self.folders.push((about.dev(), about.ino()));
            }
        }
        if !self.meant.contains(&real) {
            self.meant.push(real);
        }
    }

    /// The protected path that is meant, or that it lies behind or, if `below`, in which it lies.
    #[must_use]
    pub fn hit(&self, protected: &[String], below: bool) -> Option<String> {
        if let Some(settings) = self.meant.iter().find(|path| hosts::is_settings(path)) {
            return Some(settings.clone());
        }
        // A folder that holds them: to write into it by name is to write them.
        if !self.folders.is_empty() && self.meant.iter().any(|path| hosts::holds_settings(path)) {
            return self.meant.first().cloned();
        }
        protected.iter().find(|own| self.means(own, below)).cloned()
    }

    /// The protected path that is meant or, where a whole folder is made there, that may come with it.
    #[must_use]
    pub fn hit_by_new(&self, protected: &[String], is_folder: bool) -> Option<String> {
        let with_it = || {
            if self.meant.iter().any(|path| hosts::holds_settings(path)) {
                return self.meant.first().cloned();
            }
            protected.iter().find(|own| self.holds(own)).cloned()
        };
        self.hit(protected, false).or_else(|| if is_folder { with_it() } else { None })
    }

    /// Whether a protected path lies in what is asked for.
    fn holds(&self, own: &str) -> bool {
        let inside = |own: &str| self.meant.iter().any(|path| is_inside(own, path));
        inside(own) || inside(&Disk::default().real_path(own))
    }

    fn means(&self, own: &str, below: bool) -> bool {
        let inside = |own: &str| self.meant.iter().any(|path| is_inside(path, own));
        if inside(own) {
            return true;
        }
        let path = Path::new(own);
        // What the system takes for one file is one file, whatever leads to it; of one that is not there yet, where it
        // would come to be counts.
        match id(path) {
            Some(own) if self.ids.contains(&own) => return true,
            Some(_) => {}
            None if inside(&Disk::default().real_path(own)) => return true,
            None => {}
        }
        let is_its_folder =
            |folder: &Path| !self.folders.is_empty() && id(folder).is_some_and(|id| self.folders.contains(&id));
        path.parent().is_some_and(is_its_folder) || (below && path.exists() && self.holds(own))
    }
}

fn id(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|about| (about.dev(), about.ino()))
}

/// A path with the home folder in place of what stands for it.
#[must_use]
pub fn expand(files: &Files, path: &str) -> String {
    let home = files.home.as_deref().map(|home| home.to_string_lossy().into_owned()).unwrap_or_default();
    for short in ["~", "$HOME", "${HOME}"] {
        if let Some(rest) = path.strip_prefix(short).filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            return format!("{home}{rest}");
        }
    }
    path.strip_prefix("file://").unwrap_or(path).to_owned()
}

/// The guard's own files and folders and the settings that `install` wrote, the usual places included where others are used.
///
/// # Errors
/// Which settings those are can't be read.
pub fn paths(files: &Files) -> Result<Vec<String>, Unknown> {
    let mut paths: Vec<PathBuf> = vec![files.state.clone(), files.admin.clone()];
    if let Some(home) = &files.home {
        paths.extend([home.join(".config/zerto-guard"), home.join(".local/state/zerto-guard")]);
    }
    paths.extend([&files.config, &files.catalog].into_iter().filter_map(|place| place.path().map(Path::to_owned)));
    paths.extend(std::env::current_exe().ok());
    for settings in recorded(files)? {
        // What stands beside it can switch every hook off: Claude Code's local settings, Codex's config.
        let beside = ["settings.local.json", "config.toml"];
        paths.extend(settings.parent().into_iter().flat_map(|folder| beside.map(|name| folder.join(name))));
        paths.push(settings);
    }
    let mut all: Vec<String> = Vec::new();
    for path in paths {
        let path = normal(&path.to_string_lossy());
        // Where the usual places are used they are named twice, and each costs a look at the disk.
        if !all.contains(&path) {
            all.push(path);
        }
    }
    Ok(all)
}

fn recorded(files: &Files) -> Result<Vec<PathBuf>, Unknown> {
    installed::files(&StateDir::at(files.state.clone()))
        .map_err(|(record, why)| Unknown { record: foreign(&record.to_string_lossy(), 300), why })
}
