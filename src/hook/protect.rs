//! The guard's own files and the host's hook settings: a tool call that would change them is stopped, in every mode.
//!
//! File tools are judged by the path that they write, tools that no catalog knows as reading by every path that they are
//! given. Shell text is stopped where a command that was followed may change one of these files, and where the text names
//! one and not all of its commands only read.

use super::Hook;
use crate::call::ToolCall;
use crate::catalog::glob::{is_glob, matches};
use crate::catalog::model::Rule;
use crate::classify::own::{scripts_of, with_variables, without_quoting};
use crate::classify::{Classification, UPROOTING, rules};
use crate::hosts::{self, Answer};
use crate::json::Json;
use crate::path::{joined, normal};
use crate::protected::{Asked, Unknown, expand, paths};
use crate::text::foreign;
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
        Err(unknown) => format!(
            "stopped {name}: {unknown}, so it is not known whether this would change them.\nAsk the human to {}.",
            Unknown::MEND
        ),
    };
    Some(Answer::Deny(text))
}

/// The protected path that a call would change; none for every other call.
fn found(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<Option<String>, Unknown> {
    let rules = rules(&hook.catalog, &call.tool);
    let texts = scripts_of(call, &rules);
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
        let protected = paths(&hook.files)?;
        return Ok(written.iter().find_map(|path| asked(hook, call, path).hit(&protected, false)));
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
    let protected = paths(&hook.files)?;
    let uproots = words.iter().any(|word| UPROOTING.contains(&program(word)));
    let mut hits = words.iter().filter(|word| word.contains(['/', '~', '$'])).filter_map(|word| {
        let below = uproots && !word.trim_matches(['.', '/']).is_empty();
        if is_glob(word) {
            return stands_for(hook, call, word, &protected, below);
        }
        asked(hook, call, word).hit(&protected, below)
    });
    Ok(hits.next())
}

/// The protected path among the files that the text's commands may change, as they were followed: whatever names them.
fn followed(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<Option<String>, Unknown> {
    if known.touched.is_empty() {
        return Ok(None);
    }
    let protected = paths(&hook.files)?;
    // More than a person writes: a text full of names must not take long.
    let touched = known.touched.iter().take(500);
    Ok(touched.into_iter().find_map(|touched| asked(hook, call, &touched.path).hit(&protected, touched.whole)))
}

/// The protected path that a word with wildcards can stand for, or a folder above it if that is taken away.
fn stands_for(hook: &Hook, call: &ToolCall, word: &str, protected: &[String], below: bool) -> Option<String> {
    let pattern = normal(&joined(&expand(&hook.files, word), call.cwd.as_deref())?);
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

fn asked(hook: &Hook, call: &ToolCall, path: &str) -> Asked {
    Asked::new(&hook.files, call.cwd.as_deref(), path)
}

fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
