//! Where the files of the guard are, and the config and catalogs read from there.
//!
//! Owns: the places of the contract and what an absent, broken or doubtful file means. Must not: read the environment
//! (its caller does, and `hook` heeds less of it than the other commands).

use super::Config;
use super::read::{Partial, merge, parse};
use super::trusted_file::{Whose, read};
use crate::catalog::prepared::Prepared;
use crate::catalog::{self, Catalog, Project};
use crate::text::path_text;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The administrator's folder.
pub const ADMIN_FOLDER: &str = "/etc/zerto-guard";

/// The project's catalog, looked for in `cwd` and the folders above.
pub const PROJECT_CATALOG: &str = ".zerto-guard/catalog.toml";

/// A file that has to be mended before anything can be judged.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ConfigFault(pub String);

/// Where a file is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In its usual place, where it may be absent.
    Usual(PathBuf),
    /// Where somebody said it is, so it has to be there.
    Named(PathBuf),
    /// Nowhere: the administrator's files alone count.
    Nowhere,
}

/// The places of everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The user's config.
    pub config: Place,
    /// The user's catalog.
    pub catalog: Place,
    /// The administrator's folder.
    pub admin: PathBuf,
    /// The state folder.
    pub state: PathBuf,
    /// The user's home, for `~/` in the config.
    pub home: Option<PathBuf>,
}

/// What was said on the command line about the places, and what the environment says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// `--config`, or `ZERTO_GUARD_CONFIG` where that is heeded.
    pub config: Option<PathBuf>,
    /// `--catalog`, or `ZERTO_GUARD_CATALOG` where that is heeded.
    pub catalog: Option<PathBuf>,
    /// `--state-dir`, or `ZERTO_GUARD_STATE_DIR` where that is heeded.
    pub state: Option<PathBuf>,
    /// `--managed`.
    pub managed: bool,
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, where it is heeded.
    pub xdg_config: Option<PathBuf>,
    /// `XDG_STATE_HOME`, where it is heeded.
    pub xdg_state: Option<PathBuf>,
}

impl Files {
    /// Finds the places.
    ///
    /// # Errors
    /// If one depends on `HOME` and that is unset or no absolute path: to take the file for absent would let calls run
    /// that the user's catalog forbids.
    pub fn find(given: Given) -> Result<Self, ConfigFault> {
        let absolute = |path: Option<PathBuf>| path.filter(|path| path.is_absolute());
        let home = absolute(given.home);
        let base = |xdg: Option<PathBuf>, below: &str, option: &str| {
            absolute(xdg).or_else(|| home.as_ref().map(|home| home.join(below))).ok_or_else(|| {
                ConfigFault(format!(
                    "HOME is unset or no absolute path, so your files can't be found; set it, or name them with {option}"
                ))
            })
        };
        let place = |named: Option<PathBuf>, xdg: Option<PathBuf>, file: &str, option: &str| match named {
            Some(path) => Ok(Place::Named(path)),
            None if given.managed => Ok(Place::Nowhere),
            None => Ok(Place::Usual(base(xdg, ".config", option)?.join("zerto-guard").join(file))),
        };
        let (config, catalog) = if given.managed {
            (Place::Nowhere, Place::Nowhere)
        } else {
            (
                place(given.config, given.xdg_config.clone(), "config.toml", "--config, --catalog and --state-dir")?,
                place(given.catalog, given.xdg_config, "catalog.toml", "--config, --catalog and --state-dir")?,
            )
        };
        let state = match given.state {
            Some(path) => path,
            None => base(given.xdg_state, ".local/state", "--state-dir")?.join("zerto-guard"),
        };
        Ok(Self { config, catalog, admin: PathBuf::from(ADMIN_FOLDER), state, home })
    }

    /// Reads the user's and the administrator's config.
    ///
    /// # Errors
    /// If either can't be trusted or is broken, with file and line.
    pub fn config(&self) -> Result<Config, ConfigFault> {
        let home = self.home.as_deref();
        if let (Place::Usual(_), Some(home)) = (&self.config, home)
            && !home.is_dir()
        {
            return Err(ConfigFault(format!("HOME is {}, and there is no such folder", path_text(home))));
        }
        let one = |text: Option<(PathBuf, String)>| match text {
            None => Ok(Partial::default()),
            Some((path, text)) => parse(&text, home).map_err(|mistake| fault(&path, &mistake)),
        };
        let admin = one(self.admins("config.toml")?)?;
        let user = one(self.config.read()?)?;
        Ok(merge(admin, user))
    }

    /// A file of the administrator's.
    fn admins(&self, name: &str) -> Result<Option<(PathBuf, String)>, ConfigFault> {
        let stands = self.admin.parent().is_some_and(Path::is_dir);
        if stands && is_absent(&self.admin) { Ok(None) } else { usual(&self.admin.join(name)) }
    }

    /// Reads the administrator's, the user's and the project's catalog.
    ///
    /// # Errors
    /// If the administrator's or the user's can't be trusted or is broken, with file and line. The project's does not
    /// stop everything: it comes back as broken.
    pub fn catalog(&self, cwd: Option<&str>) -> Result<Catalog, ConfigFault> {
        let one = |text: Option<(PathBuf, String)>| match text {
            None => Ok(None),
            Some((path, text)) => catalog::parse::parse(&text).map(Some).map_err(|mistake| fault(&path, &mistake)),
        };
        Ok(Catalog {
            admin: one(self.admins("catalog.toml")?)?,
            user: one(self.catalog.read()?)?,
            project: cwd.map_or(Project::Absent, |cwd| project(Path::new(cwd))),
        })
    }
}

impl Place {
    /// The path, if there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Usual(path) | Self::Named(path) => Some(path),
            Self::Nowhere => None,
        }
    }

    fn read(&self) -> Result<Option<(PathBuf, String)>, ConfigFault> {
        match self {
            Self::Nowhere => Ok(None),
            Self::Usual(path) => usual(path),
            Self::Named(path) => match usual(path)? {
                Some(found) => Ok(Some(found)),
                None => Err(ConfigFault(format!("{}: there is no such file", path_text(path)))),
            },
        }
    }
}

/// Whether there is nothing by that name in a folder that is there: most files that are looked for are not there, and to tell that
/// no link leads to one takes a look at each folder above it otherwise.
fn is_absent(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

fn usual(path: &Path) -> Result<Option<(PathBuf, String)>, ConfigFault> {
    let text = read(path, Whose::Ours).map_err(|fault| ConfigFault(fault.to_string()))?;
    Ok(text.map(|text| (path.to_owned(), text)))
}

fn fault(path: &Path, mistake: &crate::document::Mistake) -> ConfigFault {
    ConfigFault(format!("{}, {mistake}", path_text(path)))
}

/// The project's catalog that counts in a folder: the nearest one, the folder's own first.
#[must_use]
pub fn project_catalog(cwd: &Path) -> Option<PathBuf> {
    cwd.ancestors().map(|folder| folder.join(PROJECT_CATALOG)).find(|path| path.symlink_metadata().is_ok())
}

/// Reads the project's catalog; the nearest one counts, `cwd`'s own first.
fn project(cwd: &Path) -> Project {
    if !cwd.is_absolute() {
        return Project::Absent;
    }
    // Then each folder above it is one too.
    let stands = cwd.is_dir();
    for folder in cwd.ancestors() {
        let path = folder.join(PROJECT_CATALOG);
        if stands && path.parent().is_some_and(is_absent) {
            continue;
        }
        let broken = |fault: String| Project::Broken { path: path_text(&path), fault };
        match read(&path, Whose::Projects) {
            Ok(None) => {}
            Ok(Some(text)) => {
                return parse_project(&text)
                    .map_or_else(|mistake| broken(format!("is broken ({mistake})")), Project::Read);
            }
            Err(fault) => return broken(fault.fault),
        }
    }
    Project::Absent
}

fn parse_project(text: &str) -> Result<Prepared, String> {
    catalog::parse::parse(text).map_err(|mistake: crate::document::Mistake| mistake.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(home: &Path) -> Given {
        Given { home: Some(home.to_owned()), ..Given::default() }
    }

    #[test]
    fn the_usual_places_and_what_moves_them() {
        let files = Files::find(given(Path::new("/home/jo"))).unwrap();
        assert_eq!(files.config, Place::Usual("/home/jo/.config/zerto-guard/config.toml".into()));
        assert_eq!(files.catalog, Place::Usual("/home/jo/.config/zerto-guard/catalog.toml".into()));
        assert_eq!(files.state, Path::new("/home/jo/.local/state/zerto-guard"));
        let moved = Given {
            xdg_config: Some("/x/c".into()),
            xdg_state: Some("relative".into()),
            config: Some("mine.toml".into()),
            ..given(Path::new("/home/jo"))
        };
        let files = Files::find(moved).unwrap();
        assert_eq!(files.config, Place::Named("mine.toml".into()));
        assert_eq!(files.catalog, Place::Usual("/x/c/zerto-guard/catalog.toml".into()));
        assert_eq!(files.state, Path::new("/home/jo/.local/state/zerto-guard"), "a relative XDG path is ignored");
        let managed = Files::find(Given { managed: true, ..given(Path::new("/home/jo")) }).unwrap();
        assert_eq!((managed.config, managed.catalog), (Place::Nowhere, Place::Nowhere));
    }

    #[test]
    fn without_a_home_nothing_is_taken_for_absent() {
        for home in [None, Some(PathBuf::new()), Some("relative".into())] {
            let fault = Files::find(Given { home, ..Given::default() }).unwrap_err();
            assert!(fault.0.contains("HOME"), "{fault}");
        }
        let named = Given {
            config: Some("/c".into()),
            catalog: Some("/d".into()),
            state: Some("/s".into()),
            ..Given::default()
        };
        assert!(Files::find(named).is_ok());
    }

    #[test]
    fn a_projects_catalog_is_found_upward_and_its_fault_stops_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::create_dir_all(root.join(".zerto-guard")).unwrap();
        std::fs::write(root.join(PROJECT_CATALOG), "[server.x]\nmutating = ['y']\n").unwrap();
        let deep = root.join("a/b");
        assert!(matches!(project(&deep), Project::Read(_)));
        std::fs::write(root.join(PROJECT_CATALOG), "[server.x]\nmutatin = ['y']\n").unwrap();
        let Project::Broken { path, fault } = project(&deep) else { panic!() };
        assert!(path.ends_with(PROJECT_CATALOG));
        assert!(fault.contains("line 2") && fault.contains("mutatin"), "{fault}");
        assert!(matches!(project(Path::new("relative")), Project::Absent));
    }
}
