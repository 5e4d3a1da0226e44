//! Programs and commands of Windows that copy, move and delete files; a path of another machine is that machine's. Pure.

use super::{share, switch};
use crate::classify::effect::{Effect, Host, Report};
use crate::classify::word::Word;

pub(super) fn judge(name: &str, words: &[Word]) -> Option<Report> {
    let paths: Vec<&Word> = words.iter().filter(|word| switch(word).is_none()).collect();
    let switches: Vec<String> = words.iter().filter_map(switch).collect();
    let last = paths.last().copied();
    Some(match name {
        "robocopy" if switches.iter().any(|name| name == "l") => Report::reads(),
        "robocopy" => {
            // The first is the source, and is emptied by `/MOV` and `/MOVE`.
            let moved = switches.iter().any(|name| name.starts_with("mov"));
            let job = switches.iter().any(|name| matches!(name.as_str(), "job" | "if" | "save" | "unilog" | "log"));
            let mut written: Vec<&Word> = paths.get(1).into_iter().copied().collect();
            if moved {
                written.extend(paths.first());
            }
            let mut report = writes(name, &written);
            if job && switches.iter().any(|name| name == "job") {
                report.effects.push(Effect::Unknown("the job that it reads is not read".into()));
            }
            report
        }
        "xcopy" if switches.iter().any(|name| name == "l") => Report::reads(),
        "copy" | "xcopy" => match paths.len() {
            0 | 1 => writes(name, &[]),
            _ => writes(name, &last.into_iter().collect::<Vec<_>>()),
        },
        "move" | "ren" | "rename" | "del" | "erase" | "rd" | "rmdir" | "md" | "mkdir" | "mklink" | "replace"
        | "attrib" | "subst" => {
            if name == "attrib" && !words.iter().any(|word| word.may_begin_with("+") || word.begins_with("-")) {
                return Some(Report::reads());
            }
            writes(name, &paths)
        }
        "type" | "dir" => Report::reads(),
        _ => return None,
    })
}

/// Writes what lies at these paths.
fn writes(name: &str, paths: &[&Word]) -> Report {
    let mut hosts: Vec<Host> = Vec::new();
    let mut effects = Vec::new();
    let mut here = paths.is_empty();
    for path in paths {
        let text = path.beginning();
        if text.starts_with("\\\\") || text.starts_with("//") {
            hosts.extend(share(path));
        } else if path.known().is_none() && text.len() < 2 {
            effects
                .push(Effect::Unknown(format!("on which machine `{}` lies is only known when it runs", path.shown())));
        } else {
            here = true;
        }
    }
    let how = format!("runs `{name}`");
    if here || hosts.contains(&Host::Same) {
        effects.push(Effect::Changes(how.clone()));
    }
    if !hosts.is_empty() {
        effects.push(Effect::ChangesAt { hosts, how });
    }
    Report { effects, by: None }
}
