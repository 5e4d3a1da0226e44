//! Targets of make, scripts of packages, recipes of a justfile, tasks of a Taskfile: the whole of a call, and its guests.

use super::*;
use crate::classify::Found;
use std::collections::BTreeMap;

/// Recipes of a justfile.
#[path = "recipes_just.rs"]
mod just;
/// Targets of a Makefile.
#[path = "recipes_make.rs"]
mod make;
/// What may have rewritten a project's files before they are read.
#[path = "recipes_order.rs"]
mod order;
/// Scripts of `package.json`.
#[path = "recipes_packages.rs"]
mod packages;
/// Tasks of a Taskfile.
#[path = "recipes_task.rs"]
mod task;

struct Files(BTreeMap<String, String>);

impl Surroundings for Files {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        let folder = self.0.keys().any(|file| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')));
        match self.0.get(path) {
            Some(text) => Found::File(text.as_bytes().to_vec()),
            None if folder => Found::Unreadable,
            None => Found::Nothing,
        }
    }

    fn home(&self) -> Option<String> {
        Some("/home/jo".into())
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        let inside = self.0.keys().filter_map(|file| file.strip_prefix(path)?.strip_prefix('/'));
        let mut names: Vec<String> = inside.map(|rest| rest.split('/').next().unwrap_or_default().to_owned()).collect();
        names.dedup();
        Some(names)
    }
}

fn seen(text: &str, files: &[(&str, &str)], places: &Places) -> Seen {
    let whole = |path: &str| if path.starts_with('/') { path.to_owned() } else { format!("/project/{path}") };
    let files = Files(files.iter().map(|(path, text)| (whole(path), (*text).to_owned())).collect());
    judge(&[text], &[Place::default()], Some("/project"), &Catalog::default(), places, &files)
}

/// `read_only`, `mutating web01,web02`, `unknown web01`, and with a doubt `mutating web01 + web02`.
fn shown(seen: &Seen) -> String {
    let mut text = format!("{} {}", seen.verdict.name(), seen.targets.join(","));
    if let Some(doubt) = &seen.doubt {
        text.push_str(&format!(" + {}", doubt.targets.join(",")));
    }
    text.trim().to_owned()
}

/// Checks texts in a project with these files against what they should be judged as.
fn check(files: &[(&str, &str)], cases: &[(&str, &str)]) {
    let mut wrong = vec![];
    for (text, expected) in cases {
        let seen = seen(text, files, &Places::default());
        if shown(&seen) != *expected {
            let parts: Vec<String> = seen
                .parts
                .iter()
                .map(|part| format!("    {} {}: {}", part.verdict.name(), part.text, part.reason))
                .collect();
            wrong.push(format!(
                "{:.120?}\n{text}\n  expected {expected}\n  got      {}\n{}",
                files.first().map(|file| file.1),
                shown(&seen),
                parts.join("\n")
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
