//! `fd`: options and a pattern, then a command for what is found. Pure.

use super::carry::{only_tells, report, words};
use super::options::{Spec, parse};
use super::xargs::put;
use crate::classify::effect::{At, Command, Effect, Facts, Report};
use crate::classify::word::Word;

const FD: Spec = Spec {
    flags: "HIusigFaLlp01qhV",
    values: "dteEcjSoC",
    long_flags: &[
        "hidden",
        "no-hidden",
        "no-ignore",
        "ignore",
        "unrestricted",
        "no-ignore-vcs",
        "ignore-vcs",
        "no-ignore-parent",
        "ignore-parent",
        "no-global-ignore-file",
        "no-require-git",
        "case-sensitive",
        "ignore-case",
        "glob",
        "regex",
        "fixed-strings",
        "absolute-path",
        "list-details",
        "follow",
        "full-path",
        "print0",
        "quiet",
        "show-errors",
        "strip-cwd-prefix",
        "one-file-system",
        "mount",
        "xdev",
        "prune",
        "relative-path",
        "hyperlink",
        "help",
        "version",
    ],
    long_values: &[
        "max-depth",
        "min-depth",
        "exact-depth",
        "type",
        "extension",
        "exclude",
        "ignore-file",
        "color",
        "threads",
        "size",
        "changed-within",
        "changed-before",
        "change-newer-than",
        "change-older-than",
        "newer",
        "older",
        "changed-after",
        "owner",
        "max-results",
        "base-directory",
        "path-separator",
        "search-path",
        "batch-size",
        "and",
        "format",
        "max-buffer-time",
    ],
    ..Spec::MIXED
};

/// What stands for the path that was found, or a part of it; the longer ones first.
const MARKS: &[&str] = &["{//}", "{/.}", "{/}", "{.}", "{}"];

/// Judges `fd` and `fdfind`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let mut own: Vec<Word> = vec![];
    let mut effects: Vec<Effect> = vec![];
    let mut rest = command.arguments().iter();
    while let Some(word) = rest.next() {
        let batch = match word.known() {
            Some("-x" | "--exec") => false,
            Some("-X" | "--exec-batch") => true,
            _ => {
                own.push(word.clone());
                continue;
            }
        };
        // The command goes up to a `;` or the end.
        let mut carried: Vec<Word> = vec![];
        for word in rest.by_ref().take_while(|word| word.known() != Some(";")) {
            if word.known().is_none() && word.may_be(";") {
                return Err(format!("where the command of fd ends can't be told: `{}`", word.shown()));
            }
            carried.push(word.clone());
        }
        let found = if batch { Word::unknown_many() } else { Word::unknown() };
        let mut replaced = false;
        let mut all: Vec<Word> = vec![];
        for word in carried {
            let mut done = word.clone();
            for mark in MARKS {
                done = put(&done, mark, &found);
            }
            replaced |= done != word;
            all.push(done);
        }
        if !replaced {
            all.push(found);
        }
        effects.extend(words(&all, At::Child, command.stdin.clone()));
    }
    let parsed = parse(&own, &FD)?;
    if only_tells(&parsed) || parsed.has(&["h", "V"]) {
        return Ok(Report::reads());
    }
    Ok(report(effects))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn what_fd_finds_and_runs() {
        check(
            judge,
            &[
                ("fd", "reads"),
                ("fd -HI -e log -tx pattern /srv", "reads"),
                ("fd -etxt --changed-within 2d", "reads"),
                ("fd -e log -x rm", "[rm|…]"),
                ("fd -e log -x rm -f a{/.}b", "[rm|-f|a…b]"),
                ("fd -X rm -x", "[rm|-x|…*]"),
                ("fd . /srv --exec rm {} ';' -x ls ';' -H", "[rm|…]; [ls|…]"),
                ("fdfind x -x sh -c 'rm {}'", "[sh|-c|rm …]"),
            ],
        );
        check_unknown(
            judge,
            &["fd -Hx rm", "fd -xrm", "fd --exec=rm", "fd …", "fd $* -H", "fd --nope", "fd -x ls … -x rm"],
        );
    }
}
