//! What the built-in tables say of common commands, and what holds for all tables.

use super::report;
use super::testing::{command, letters};
use crate::catalog::model::{Manner, Owner, Rule};
use crate::catalog::{Catalog, built_in};
use crate::classify::word::Word;
use std::collections::BTreeSet;

/// Each line: verdict and command.
const CASES: &str = include_str!("table_cases.txt");

fn verdict(letters: &str) -> &'static str {
    match letters {
        "R" => "read_only",
        "W" => "local",
        "-" => "no table",
        _ if letters.contains('C') => "mutating",
        _ => "unknown",
    }
}

#[test]
fn common_commands() {
    let catalog = Catalog::default();
    let mut wrong = vec![];
    let mut number = 0;
    for line in CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        number += 1;
        let (expected, text) = line.split_once(": ").unwrap();
        let report = report(&catalog, &command(text));
        let found = verdict(&letters(report.as_ref()));
        if found != expected {
            wrong.push(format!("{text}: {found}, not {expected}: {report:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(number >= 250, "{number}");
}

#[test]
fn what_may_change_or_run_something_asks_even_on_the_agents_own_machine() {
    let catalog = Catalog::default();
    for text in [
        "sort --compress-program=sh x -o y",
        "apt-get install x -o Dpkg::Pre-Invoke::=sh",
        "apt-get -s install x -o Dpkg::Pre-Invoke::=sh",
        "ip netns exec a reboot",
        "rpm -qa --pipe sh",
        "lvs --config x",
    ] {
        let report = report(&catalog, &command(text));
        assert!(letters(report.as_ref()).contains('U'), "{text}: {report:?}");
    }
}

#[test]
fn what_is_not_known_never_makes_a_command_milder() {
    let catalog = Catalog::default();
    let mut wrong = vec![];
    for line in CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (expected, text) = line.split_once(": ").unwrap();
        if matches!(expected, "read_only" | "no table") {
            continue;
        }
        let known = command(text);
        for at in 1..known.words.len() {
            let word = known.words[at].clone();
            let Some(whole) = word.known() else { continue };
            let mut variants = vec![Word::unknown(), Word::unknown_many()];
            for (end, _) in whole.char_indices().skip(1) {
                let mut variant = Word::known_as(&whole[..end]);
                variant.push_hole();
                variants.push(variant.clone());
                variant.set_many();
                variants.push(variant);
            }
            for variant in variants {
                let mut changed = known.clone();
                changed.words[at] = variant.clone();
                if report(&catalog, &changed).is_some_and(|report| report.effects.is_empty()) {
                    wrong.push(format!("{text}: word {at} as {variant:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_short_form_of_an_option_counts_as_much() {
    let catalog = Catalog::default();
    let mut wrong = vec![];
    for line in CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (expected, text) = line.split_once(": ").unwrap();
        let known = command(text);
        for (at, word) in known.words.iter().enumerate().skip(1) {
            let Some(whole) = word.known().filter(|whole| whole.starts_with("--")) else { continue };
            let (name, value) = whole.split_once('=').map_or((whole, None), |(name, value)| (name, Some(value)));
            for end in 3..name.len() {
                let short = value.map_or(name[..end].to_owned(), |value| format!("{}={value}", &name[..end]));
                let mut changed = known.clone();
                changed.words[at] = Word::known_as(short);
                let passes = report(&catalog, &changed).is_some_and(|report| report.effects.is_empty());
                // It may be an option of its own: `--cursor` beside `--cursor-file`.
                let program = known.program().unwrap();
                let mut entries = built_in().programs(program).flat_map(|block| block.entries());
                let own = entries.any(|entry| entry.pattern == &name[..end]);
                if passes && !own && !matches!(expected, "read_only" | "no table") {
                    wrong.push(format!("{text}: {:?}", changed.words[at]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_table_is_sound() {
    let mut faults = vec![];
    for block in built_in().blocks() {
        let Owner::Program(name) = block.owner else { continue };
        let option = |pattern: &str| {
            let last = pattern.rsplit(' ').next().unwrap();
            last.len() > 1 && last.starts_with('-')
        };
        let entries: Vec<_> = block.entries().collect();
        let of =
            |rule: fn(&Rule) -> bool| entries.iter().filter(move |entry| rule(&entry.rule)).map(|entry| entry.pattern);
        let subs = entries
            .iter()
            .filter(|entry| matches!(entry.rule, Rule::ReadOnly | Rule::Local | Rule::Unknown | Rule::Mutating { .. }))
            .filter(|entry| !option(entry.pattern))
            .count();
        if subs == 0 {
            faults.push(format!("{name}: nothing stands for its words"));
        }
        let has_manner = |wanted: Manner| entries.iter().any(|entry| entry.rule == Rule::Manner(wanted));
        // What only looks must not be reached by a glob over sub-commands that change.
        for pattern in of(|rule| matches!(rule, Rule::ReadOnly)) {
            let first = pattern.split(' ').next().unwrap();
            if !option(pattern) && pattern.contains('*') && pattern != "*" && first.starts_with('*') && first.len() > 1
            {
                faults.push(format!("{name}: `{pattern}` may stand for too much"));
            }
        }
        // A dry run makes no sense where nothing would change.
        let dry: BTreeSet<_> = of(|rule| matches!(rule, Rule::DryRun)).collect();
        if !dry.is_empty() && of(|rule| matches!(rule, Rule::Mutating { .. })).next().is_none() {
            faults.push(format!("{name}: a dry run of nothing"));
        }
        // A scope has to be a sub-command of the table.
        for entry in &entries {
            if let Some((scope, _)) = entry.pattern.rsplit_once(' ')
                && option(entry.pattern)
                && scope != "*"
                && !entries.iter().any(|other| other.pattern == scope || other.pattern == format!("{scope} *"))
                && !entries
                    .iter()
                    .any(|other| crate::catalog::glob::matches(other.pattern, scope) && other.pattern != "*")
            {
                faults.push(format!("{name}: `{}` belongs to no sub-command", entry.pattern));
            }
        }
        // Letters stand alone unless long options have one dash.
        for entry in &entries {
            let last = entry.pattern.rsplit(' ').next().unwrap();
            let letters = last
                .strip_prefix('-')
                .filter(|rest| !rest.starts_with('-'))
                .map(|rest| rest.split('=').next().unwrap());
            if let Some(rest) = letters.filter(|_| option(entry.pattern))
                && rest.trim_end_matches('*').chars().count() > 1
                && !has_manner(Manner::SingleDash)
                && !["-ee", "-nn", "-nnn"].contains(&last)
            {
                faults.push(format!("{name}: `{last}` is no option of one letter"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_program_that_only_reads_has_no_words_to_fear() {
    let catalog = Catalog::default();
    for name in ["cat", "ls", "grep", "tail", "head", "wc", "df", "du", "ps", "stat", "cut", "ss", "lsblk"] {
        let found = letters(report(&catalog, &command(&format!("{name} -- $*"))).as_ref());
        assert_eq!(found, "R", "{name}");
    }
}
