//! Programs that show text page by page: `man`, `less`, `more`. Pure.
//!
//! Without a terminal they only print; what a human types at their prompt is not the agent's.

use super::carry::{report, writes};
use super::options::{Spec, parse};
use crate::classify::effect::{Command, Facts, Report};
use crate::classify::word::Word;

/// Judges `man`, whose pager, browser and settings are programs that it is told to run.
#[must_use]
pub fn man(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "adDfhiIkKluVwWZ7",
        values: "eLmMRrsS",
        long_flags: &[
            "all",
            "apropos",
            "ascii",
            "debug",
            "default",
            "global-apropos",
            "ignore-case",
            "local-file",
            "location",
            "location-cat",
            "match-case",
            "names-only",
            "no-hyphenation",
            "no-justification",
            "no-subpages",
            "path",
            "regex",
            "update",
            "whatis",
            "where",
            "where-cat",
            "wildcard",
            "help",
            "usage",
            "version",
        ],
        long_values: &["encoding", "extension", "locale", "manpath", "recode", "sections", "systems"],
        ..Spec::MIXED
    };
    match parse(command.arguments(), &spec) {
        Ok(_) => Report::reads(),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `less` and `more`.
#[must_use]
pub fn less(command: &Command, _: &Facts) -> Report {
    // A command behind `+` is what a human would type, and may run something.
    if let Some(word) = command.arguments().iter().find(|word| word.may_begin_with("+") && !plain_start(word)) {
        return Report::unknown(format!("what `{}` does is not known", word.shown()));
    }
    let spec = Spec {
        flags: "?acCdeEfFgGiIJKLmMnNqQrRsSuUVwWXlp0123456789",
        values: "bhjoOPxyz",
        long_flags: &[
            "chop-long-lines",
            "ignore-case",
            "IGNORE-CASE",
            "LINE-NUMBERS",
            "line-numbers",
            "no-init",
            "quit-at-eof",
            "QUIT-AT-EOF",
            "quit-if-one-screen",
            "quit-on-intr",
            "raw-control-chars",
            "RAW-CONTROL-CHARS",
            "squeeze-blank-lines",
            "help",
            "version",
        ],
        long_values: &["log-file", "LOG-FILE"],
        ..Spec::MIXED
    };
    match parse(command.arguments(), &spec) {
        Ok(parsed) => report(parsed.values(&["o", "O", "log-file", "LOG-FILE"]).filter_map(writes)),
        Err(why) => Report::unknown(why),
    }
}

/// `+12`, `+G`, `+F`, `+/text`
fn plain_start(word: &Word) -> bool {
    word.known().is_some_and(|text| {
        !text.starts_with('+')
            || matches!(text, "+G" | "+F" | "+g")
            || text.get(1..).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
            || (text.starts_with("+/") && !text.contains('\n'))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn what_is_shown() {
        check(
            man,
            &[("man ssh", "reads"), ("man 5 crontab", "reads"), ("man -k x", "reads"), ("man -s 8 -a ip", "reads")],
        );
        check_unknown(
            man,
            &["man -P 'rm x' ls", "man --pager=rm ls", "man -Hrm ls", "man -C x ls", "man …", "man -t ls"],
        );
        check(
            less,
            &[
                ("less -NS /var/log/x", "reads"),
                ("less +G x", "reads"),
                ("less +F x", "reads"),
                ("less -o /etc/x", "writes /etc/x"),
                ("less --LOG-FILE=/etc/x", "writes /etc/x"),
                ("more x", "reads"),
            ],
        );
        check_unknown(
            less,
            &["less '+!rm x' y", "less -k keys x", "less --lesskey-src=x y", "less …", "less -t x", "less $*"],
        );
    }
}
