//! Programs and commands of Windows that copy, move and delete files; a path of another machine is that machine's. Pure.

use super::{share, switch};
use crate::classify::effect::{Effect, Host, Report};
use crate::classify::word::Word;

pub(super) fn judge(name: &str, words: &[Word]) -> Option<Report> {
    let paths: Vec<&Word> = words.iter().filter(|word| switch(word).is_none()).collect();
    let switches: Vec<String> = words.iter().filter_map(switch).collect();
    let last = paths.last().copied();
    Some(match name {
        "robocopy" => robocopy(words, &paths, &switches),
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

/// `robocopy source goal`: what it logs and saves is written even where it only lists.
fn robocopy(words: &[Word], paths: &[&Word], switches: &[String]) -> Report {
    const FILES: &[&str] = &["log", "unilog", "save"];
    let has = |name: &str| switches.iter().any(|switch| switch == name);
    let is_file = |word: &&Word| switch(word).is_some_and(|name| FILES.iter().any(|start| name.starts_with(start)));
    let files: Vec<Word> =
        words.iter().filter(is_file).filter_map(|word| word.split_once(':').map(|(_, value)| value)).collect();
    let mut written: Vec<&Word> = files.iter().collect();
    let lists = has("l");
    if !lists {
        written.extend(paths.get(1));
        // The source is emptied by `/MOV` and `/MOVE`.
        if switches.iter().any(|name| name.starts_with("mov")) {
            written.extend(paths.first());
        }
    }
    let mut report = if lists && written.is_empty() { Report::reads() } else { writes("robocopy", &written) };
    if has("job") {
        report.effects.push(Effect::Unknown("the job that it reads is not read".into()));
    }
    report
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
