//! The agent hosts on this machine: a version, their settings' places, and the path under which they are to start us.
//!
//! Must not: change anything, or judge what it finds.

use crate::install::{Places, Version, recipes};
use crate::process;
use std::ffi::OsStr;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Claude Code starts a JavaScript runtime; a cold one takes seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is known of the version of an agent host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// It said so.
    Version(Version),
    /// It is not on `PATH`.
    NotFound,
    /// It is there, but did not say.
    Silent(PathBuf),
}

impl Known {
    /// The version, if it is known.
    #[must_use]
    pub fn version(&self) -> Option<Version> {
        match self {
            Self::Version(version) => Some(*version),
            _ => None,
        }
    }
}

/// Asks the `claude` on `PATH` for its version.
#[must_use]
pub fn claude_code() -> Known {
    version_of("claude")
}

/// Asks the program of this name on `PATH` for its version.
#[must_use]
pub fn version_of(name: &str) -> Known {
    let Some(program) = on_path(OsStr::new(name)).into_iter().next() else { return Known::NotFound };
    let answer = process::run(Command::new(&program).arg("--version"), b"", PATIENCE);
    let version = answer
        .ok()
        .filter(|ended| ended.status.is_some_and(|status| status.success()))
        .and_then(|ended| Version::find(&ended.stdout));
    version.map_or(Known::Silent(program), Known::Version)
}

/// Where agent hosts look for their settings when they are started here. They heed the variables that their documents name.
#[must_use]
pub fn places(home: Option<&Path>, cwd: PathBuf, root: &Path) -> Places {
    let variables = recipes().flat_map(|recipe| recipe.variables.iter().copied());
    let moved = variables.filter_map(|name| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some((name, path))
    });
    Places { home: home.map(Path::to_owned), project: cwd, root: root.to_owned(), moved: moved.collect() }
}

/// Our own absolute path as it was called: a link in it (of a package manager, say) stays one, since what it leads to
/// goes with the next upgrade.
///
/// # Errors
/// The system doesn't tell.
pub fn own_path() -> std::io::Result<PathBuf> {
    let real = std::env::current_exe()?.canonicalize()?;
    let called = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let candidates: Vec<PathBuf> = if called.components().count() > 1 {
        std::path::absolute(&called).into_iter().collect()
    } else {
        on_path(called.as_os_str())
    };
    let same = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == real);
    Ok(candidates.into_iter().find(same).unwrap_or(real))
}

/// Whether nobody but root can write the program or swap it in its folders.
#[must_use]
pub fn only_roots(program: &Path) -> bool {
    let roots = |path: &Path| path.metadata().is_ok_and(|about| about.uid() == 0 && about.mode() & 0o022 == 0);
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    program.ancestors().chain(real.ancestors()).filter(|path| !path.as_os_str().is_empty()).all(roots)
}

/// The programs of this name in the absolute folders of `PATH`.
fn on_path(name: &OsStr) -> Vec<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let runs =
        |path: &PathBuf| path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0);
    let folders = std::env::split_paths(&folders).filter(|folder| folder.is_absolute());
    if name.is_empty() { Vec::new() } else { folders.map(|folder| folder.join(name)).filter(runs).collect() }
}
