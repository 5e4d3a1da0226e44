//! A settings file that is to be changed: read, changed, shown, written, with the folders that it needs.

use crate::config::trusted_file::{Whose, read};
use crate::config::write::{Fresh, replace_as};
use crate::install::change::Change;
use crate::install::{Kind, Scope, diff};
use crate::ui::Failure;
use std::path::PathBuf;

/// A settings file.
pub(super) struct Job {
    pub file: PathBuf,
    pub scope: Scope,
    pub kind: Kind,
    pub dry_run: bool,
}

/// What is to become of it.
pub(super) struct Ready {
    job: Job,
    old: Option<String>,
    change: Change,
}

/// What became of it.
pub(super) struct Done {
    pub file: PathBuf,
    pub changed: bool,
    /// It is not there any more.
    pub removed: bool,
    pub diff: String,
    /// The folders that were made for it, the innermost first.
    pub made: Vec<PathBuf>,
}

impl Job {
    /// Reads the file and makes out what its text has to be.
    pub fn prepare(self, work: impl FnOnce(Option<&str>) -> Result<Change, String>) -> Result<Ready, Failure> {
        let old = self.read()?;
        let change = work(old.as_deref()).map_err(|why| {
            Failure::new(
                1,
                format!("{}, {why}", self.file.display()),
                "Nothing was changed. Mend that file first, then run this again.",
            )
        })?;
        Ok(Ready { job: self, old, change })
    }

    fn read(&self) -> Result<Option<String>, Failure> {
        read(&self.file, Whose::Projects).map_err(|fault| Failure::new(1, fault.to_string(), ""))
    }

    /// A managed file that the user's own session can't read guards nobody, and a program has to be one.
    fn fresh(&self) -> Fresh {
        match (self.scope, self.kind) {
            (Scope::User, Kind::Script) => Fresh { file: 0o700, ..Fresh::PRIVATE },
            (Scope::User, _) => Fresh::PRIVATE,
            (Scope::Project | Scope::Managed, Kind::Script) => Fresh { file: 0o755, ..Fresh::PUBLIC },
            (Scope::Project | Scope::Managed, _) => Fresh::PUBLIC,
        }
    }
}

impl Ready {
    /// Writes the file, unless it is a dry run.
    pub fn finish(self) -> Result<Done, Failure> {
        let Self { job, old, change } = self;
        let shown = job.file.display();
        let new = match &change {
            Change::None => {
                return Ok(Done {
                    file: job.file,
                    changed: false,
                    removed: false,
                    diff: String::new(),
                    made: Vec::new(),
                });
            }
            // What a link leads to is not ours to remove.
            Change::Remove if job.file.is_symlink() => Some(if job.kind == Kind::Toml { "" } else { "{}\n" }),
            Change::Remove => None,
            Change::Write(text) => Some(text.as_str()),
        };
        if job.kind == Kind::Script && change == Change::Remove && job.file.is_symlink() {
            return Err(Failure::new(
                1,
                format!("{shown} is a link, and what it leads to is not ours to remove"),
                "Remove it.",
            ));
        }
        let diff = diff::unified(&shown.to_string(), old.as_deref(), new);
        let mut made = Vec::new();
        if !job.dry_run {
            // The host writes this file too.
            if job.read()? != old {
                return Err(Failure::new(
                    1,
                    format!("{shown} was changed by another program just now"),
                    "Run this again.",
                ));
            }
            let above = job.file.ancestors().skip(1).take_while(|folder| !folder.exists());
            made.extend(above.map(std::path::Path::to_owned));
            let written = match new {
                Some(text) => replace_as(&job.file, text, job.fresh()),
                None => std::fs::remove_file(&job.file),
            };
            written.map_err(|error| {
                let hint = match job.scope {
                    Scope::Managed => "It takes root: run it with sudo.",
                    _ => "See that the file and its folder are yours.",
                };
                Failure::new(1, format!("{shown} can't be written: {error}"), hint)
            })?;
        }
        let removed = new.is_none() && !job.dry_run;
        Ok(Done { changed: true, removed, diff, made, file: job.file })
    }
}
