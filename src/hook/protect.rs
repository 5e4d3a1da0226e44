//! The guard's own files and the host's hook settings: a tool call that would change them is stopped, in every mode.
//!
//! File tools are judged by the path that they write. Shell text is not read as a shell reads it yet: a text that names one
//! of these files and is not plainly a command that reads is stopped.

use super::Hook;
use crate::call::ToolCall;
use crate::catalog::model::Rule;
use crate::classify::Surroundings as _;
use crate::classify::own::{script, simple_words};
use crate::hosts::Answer;
use crate::path::{is_inside, joined, normal};
use crate::surroundings::Disk;
use crate::text::clean;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Programs that only read the files they are given.
const READERS: &[&str] = &[
    "cat",
    "less",
    "more",
    "head",
    "tail",
    "ls",
    "stat",
    "file",
    "wc",
    "grep",
    "diff",
    "cmp",
    "md5sum",
    "sha256sum",
    "readlink",
];

/// Programs that can take a whole folder away, or change who may write in it.
const UPROOTERS: &[&str] =
    &["rm", "rmdir", "mv", "unlink", "shred", "chmod", "chown", "chgrp", "chattr", "setfacl", "find", "ln", "rsync"];

/// The answer to a call that would change a protected file; none for every other call.
pub(super) fn answer(hook: &Hook, call: &ToolCall) -> Option<Answer> {
    let written = written(hook, call);
    let text = if written.is_empty() { script(call, &hook.catalog)? } else { "" };
    let named = named(hook, text);
    if written.is_empty() && named.is_empty() {
        return None;
    }
    let protected = protected(hook, call);
    let cwd = call.cwd.as_deref();
    let uproots = named.iter().any(|word| UPROOTERS.contains(&program(word)));
    let reads =
        || simple_words(text).is_some_and(|words| words.first().is_some_and(|word| READERS.contains(&program(word))));
    let found = written.iter().find_map(|path| hit(&Asked::new(path, cwd)?, &protected, false)).or_else(|| {
        // Whether a text only reads is asked once, and only if it names anything.
        let mut hits = named.iter().filter_map(|word| hit(&Asked::new(word, cwd)?, &protected, uproots));
        hits.next().filter(|_| !reads())
    })?;
    Some(Answer::Deny(format!(
        "stopped {}: it would change or take away {}, on which the guard itself depends, and a human must do that.\n\
         Ask the human to make the change in a terminal. Reading it is let through.",
        clean(&call.name, 120),
        clean(&found, 300)
    )))
}

/// A path of a call, as it is written and as it really is.
struct Asked {
    written: String,
    real: String,
    /// What the real path and the folders above it are to the system.
    ids: Vec<(u64, u64)>,
}

impl Asked {
    fn new(path: &str, cwd: Option<&str>) -> Option<Self> {
        let whole = joined(path, cwd)?;
        let real = Disk.real_path(&whole);
        let ids = Path::new(&real).ancestors().filter_map(id).collect();
        Some(Self { written: normal(&whole), real, ids })
    }
}

fn id(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|about| (about.dev(), about.ino()))
}

/// The protected path that is meant, or that lies behind it or, if `below`, in it. What the system takes for one file is
/// one file, whatever links lead to it; for one that is not there yet its folder and name count.
fn hit(asked: &Asked, protected: &[String], below: bool) -> Option<String> {
    let same = |own: &Path| {
        let name = |path: &Path| path.file_name().map(std::ffi::OsStr::to_owned);
        match id(own) {
            Some(own) => asked.ids.contains(&own),
            None => {
                let real = Path::new(&asked.real);
                name(own) == name(real)
                    && own.parent().and_then(id).is_some_and(|folder| real.parent().and_then(id) == Some(folder))
            }
        }
    };
    let is_meant = |own: &&String| {
        is_inside(&asked.written, own)
            || is_inside(&asked.real, own)
            || same(Path::new(own))
            || (below && (is_inside(own, &asked.written) || is_inside(&Disk.real_path(own), &asked.real)))
    };
    protected.iter().find(is_meant).cloned()
}

/// The paths that a file tool writes, by the catalog's entry for it.
fn written(hook: &Hook, call: &ToolCall) -> Vec<String> {
    use crate::call::Tool;
    let found = match &call.tool {
        Tool::Own(name) => hook.catalog.find("", name),
        Tool::OfServer { server, tool } => hook.catalog.find(server, tool),
        Tool::Joined(_) | Tool::OfSomeServer(_) => return vec![],
    };
    match found.base.map(|hit| hit.entry.rule) {
        Some(Rule::Writes { path }) => {
            call.input.at(path).into_iter().filter_map(|path| path.as_text()).map(|path| expand(hook, path)).collect()
        }
        _ => vec![],
    }
}

/// Everything in a text that could be a path or a program.
fn named(hook: &Hook, text: &str) -> Vec<String> {
    let ends = |c: char| c.is_whitespace() || "\"'`;|&()<>=,{}[]".contains(c);
    let text = text.replace("${HOME}", "$HOME");
    text.split(ends).filter(|word| !word.is_empty()).map(|word| expand(hook, word)).collect()
}

/// A path with the home folder in place of what stands for it.
fn expand(hook: &Hook, path: &str) -> String {
    let home = hook.files.home.as_deref().map(|home| home.to_string_lossy().into_owned()).unwrap_or_default();
    for short in ["~", "$HOME"] {
        if let Some(rest) = path.strip_prefix(short).filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            return format!("{home}{rest}");
        }
    }
    path.strip_prefix("file://").unwrap_or(path).to_owned()
}

fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// The files and folders that no agent may change.
fn protected(hook: &Hook, call: &ToolCall) -> Vec<String> {
    let mut paths = vec![hook.files.state.clone(), hook.files.admin.clone()];
    paths.extend(
        [&hook.files.config, &hook.files.catalog].into_iter().filter_map(|place| place.path().map(Path::to_owned)),
    );
    paths.extend(std::env::current_exe().ok());
    paths.extend(hook.host.settings(hook.files.home.as_deref(), call.cwd.as_deref().map(Path::new)));
    paths.iter().map(|path| normal(&path.to_string_lossy())).collect()
}
