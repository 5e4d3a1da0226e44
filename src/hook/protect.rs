//! The guard's own files and the host's hook settings: a tool call that would change them is stopped, in every mode.
//!
//! File tools are judged by the path that they write, tools that no catalog knows as reading by every path that they are
//! given. Shell text is stopped where a command that was followed may change one of these files, and where the text names
//! one and not all of its commands only read.

use super::Hook;
use crate::call::ToolCall;
use crate::catalog::glob::{is_glob, matches};
use crate::catalog::model::Rule;
use crate::classify::own::{scripts, with_variables, without_quoting};
use crate::classify::{Classification, Surroundings as _, UPROOTING, rules};
use crate::hosts::{self, Answer};
use crate::json::Json;
use crate::path::{is_inside, joined, normal};
use crate::state::{StateDir, installed};
use crate::surroundings::Disk;
use crate::text::foreign;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The answer to a call that would change a protected file; none for every other call.
pub(super) fn answer(hook: &Hook, call: &ToolCall, known: &Classification) -> Option<Answer> {
    let name = foreign(&call.name, 120);
    let text = match found(hook, call, known) {
        Ok(None) => return None,
        Ok(Some(found)) => format!(
            "stopped {name}: it would change or take away {}, on which the guard itself depends, and a human must do that.\n\
             Ask the human to make the change in a terminal. Reading it is let through.",
            foreign(&found, 300)
        ),
        Err(Unknown((record, why))) => format!(
            "stopped {name}: which settings hold the guard's entry is kept in {}, which can't be used ({why}), so it is not \
             known whether this would change them.\n\
             Ask the human to mend that, or to remove it and run `zerto-guard install` again for each host.",
            foreign(&record.to_string_lossy(), 300)
        ),
    };
    Some(Answer::Deny(text))
}

/// What is protected is not known: this should say it, and can't be used for that reason.
struct Unknown((PathBuf, String));

/// The protected path that a call would change; none for every other call.
fn found(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<Option<String>, Unknown> {
    let rules = rules(&hook.catalog, &call.tool);
    let texts = scripts(call, &hook.catalog);
    if texts.is_empty() {
        let written =
            if rules.is_empty() || rules.iter().any(|rule| matches!(rule, Rule::Mutating { .. } | Rule::Local)) {
                // What nobody knows as harmless may do anything with a path.
                every_path(&call.input)
            } else {
                rules.iter().flat_map(|rule| written(call, rule)).collect()
            };
        if written.is_empty() {
            return Ok(None);
        }
        let protected = protected(hook)?;
        return Ok(written.iter().find_map(|path| Asked::new(hook, call, path).hit(&protected, false)));
    }
    // A text of which every command only reads may name what it likes.
    let reads = known.is_understood() && !known.acts_here;
    if !reads {
        for text in &texts {
            if let Some(found) = in_script(hook, call, text)? {
                return Ok(Some(found));
            }
        }
    }
    followed(hook, call, known)
}

/// The paths that a file tool writes, by a catalog's entry for it.
fn written(call: &ToolCall, rule: &Rule) -> Vec<String> {
    match rule {
        Rule::Writes { path } => {
            let named = call.input.at_any(path);
            let paths: Vec<String> = named.iter().filter_map(|path| path.as_text()).map(str::to_owned).collect();
            // What it writes is named in another way than the catalog knows.
            if paths.is_empty() || paths.len() < named.len() { every_path(&call.input) } else { paths }
        }
        _ => vec![],
    }
}

/// Every string of the input that has the form of a path.
fn every_path(json: &Json) -> Vec<String> {
    match json {
        Json::Text(text) => {
            let path = text.len() < 4096 && text.contains(['/', '~']) && !text.contains('\n');
            if path { vec![text.clone()] } else { vec![] }
        }
        Json::List(items) => items.iter().flat_map(every_path).collect(),
        Json::Object(fields) => fields.iter().flat_map(|(_, value)| every_path(value)).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) => vec![],
    }
}

/// The protected path that a text would change.
fn in_script(hook: &Hook, call: &ToolCall, text: &str) -> Result<Option<String>, Unknown> {
    let ends = |c: char| c.is_whitespace() || "\"'`;|&()<>=,{}[]".contains(c);
    let bare = without_quoting(text);
    let set = with_variables(&bare);
    let all = text.split(ends).chain(bare.split(ends)).chain(set.split(ends));
    let words: Vec<&str> = all.filter(|word| !word.is_empty()).collect();
    let protected = protected(hook)?;
    let uproots = words.iter().any(|word| UPROOTING.contains(&program(word)));
    let mut hits = words.iter().filter(|word| word.contains(['/', '~', '$'])).filter_map(|word| {
        let below = uproots && !word.trim_matches(['.', '/']).is_empty();
        if is_glob(word) {
            return stands_for(hook, call, word, &protected, below);
        }
        Asked::new(hook, call, word).hit(&protected, below)
    });
    Ok(hits.next())
}

/// The protected path among the files that the text's commands may change, as they were followed: whatever names them.
fn followed(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<Option<String>, Unknown> {
    if known.touched.is_empty() {
        return Ok(None);
    }
    let protected = protected(hook)?;
    // More than a person writes: a text full of names must not take long.
    let touched = known.touched.iter().take(500);
    Ok(touched.into_iter().find_map(|touched| Asked::new(hook, call, &touched.path).hit(&protected, touched.whole)))
}

/// The protected path that a word with wildcards can stand for, or a folder above it if that is taken away.
fn stands_for(hook: &Hook, call: &ToolCall, word: &str, protected: &[String], below: bool) -> Option<String> {
    let pattern = normal(&joined(&expand(hook, word), call.cwd.as_deref())?);
    let folders = [hook.files.home.clone(), call.cwd.clone().map(PathBuf::from)];
    let settings = folders.into_iter().flatten().flat_map(|folder| {
        let folder = folder.to_string_lossy().trim_end_matches('/').to_owned();
        hosts::settings_below().map(move |file| format!("{folder}{file}"))
    });
    protected.iter().cloned().chain(settings).find(|own| {
        // A wildcard stands for no slash.
        let same = |path: &Path| {
            let path = path.to_string_lossy();
            path.matches('/').count() == pattern.matches('/').count() && matches(&pattern, &path)
        };
        Path::new(own).ancestors().any(|part| same(part) && (part == Path::new(own) || (below && part.exists())))
    })
}

fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// A path of a call, as it is written and as it really is.
struct Asked {
    written: String,
    real: String,
    /// What the real path and the folders above it are to the system.
    ids: Vec<(u64, u64)>,
}

impl Asked {
    fn new(hook: &Hook, call: &ToolCall, path: &str) -> Self {
        let path = expand(hook, path);
        // Without a folder to begin in, the path's own text has to do.
        let whole = joined(&path, call.cwd.as_deref()).unwrap_or_else(|| format!("/{path}"));
        let real = Disk::default().real_path(&whole);
        let ids = Path::new(&real).ancestors().filter_map(id).collect();
        Self { written: normal(&whole), real, ids }
    }

    /// The protected path that is meant, or that it lies behind or, if `below`, in which it lies.
    fn hit(&self, protected: &[String], below: bool) -> Option<String> {
        if let Some(settings) = [&self.written, &self.real].into_iter().find(|path| hosts::is_settings(path)) {
            return Some(settings.clone());
        }
        // A folder that holds them: to write into it by name is to write them.
        let folder = Path::new(&self.real).is_dir();
        if folder && [&self.written, &self.real].into_iter().any(|path| hosts::holds_settings(path)) {
            return Some(self.written.clone());
        }
        protected.iter().find(|own| self.means(own, folder, below)).cloned()
    }

    fn means(&self, own: &str, folder: bool, below: bool) -> bool {
        if is_inside(&self.written, own) || is_inside(&self.real, own) {
            return true;
        }
        let path = Path::new(own);
        // What the system takes for one file is one file, whatever leads to it; of one that is not there yet, where it
        // would come to be counts.
        match id(path) {
            Some(own) if self.ids.contains(&own) => return true,
            Some(_) => {}
            None if is_inside(&self.real, &Disk::default().real_path(own)) => return true,
            None => {}
        }
        let holds = |folder: &Path| id(folder).is_some_and(|id| self.ids.first() == Some(&id));
        (folder && path.parent().is_some_and(holds))
            || (below
                && path.exists()
                && (is_inside(own, &self.written) || is_inside(&Disk::default().real_path(own), &self.real)))
    }
}

fn id(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|about| (about.dev(), about.ino()))
}

/// A path with the home folder in place of what stands for it.
fn expand(hook: &Hook, path: &str) -> String {
    let home = hook.files.home.as_deref().map(|home| home.to_string_lossy().into_owned()).unwrap_or_default();
    for short in ["~", "$HOME", "${HOME}"] {
        if let Some(rest) = path.strip_prefix(short).filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            return format!("{home}{rest}");
        }
    }
    path.strip_prefix("file://").unwrap_or(path).to_owned()
}

/// The files and folders that no agent may change, the usual places included where this hook uses others.
fn protected(hook: &Hook) -> Result<Vec<String>, Unknown> {
    let files = &hook.files;
    let mut paths: Vec<PathBuf> = vec![files.state.clone(), files.admin.clone()];
    if let Some(home) = &files.home {
        paths.extend([home.join(".config/zerto-guard"), home.join(".local/state/zerto-guard")]);
    }
    paths.extend([&files.config, &files.catalog].into_iter().filter_map(|place| place.path().map(Path::to_owned)));
    paths.extend(std::env::current_exe().ok());
    for settings in installed::files(&StateDir::at(files.state.clone())).map_err(Unknown)? {
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
