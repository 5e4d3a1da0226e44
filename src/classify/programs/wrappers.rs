//! `rtk`, which shortens what other programs print, and `ip netns exec`: what stands behind them runs. Pure.

use super::carry;
use crate::classify::effect::{At, Command, Effect, Facts, Report};
use crate::classify::word::Word;

/// What rtk does itself: it looks at files, or keeps figures of its own.
const OF_RTK: &[&str] = &[
    "config",
    "deps",
    "discover",
    "env",
    "gain",
    "help",
    "init",
    "json",
    "learn",
    "log",
    "read",
    "session",
    "smart",
    "tree",
    "trust",
    "untrust",
    "verify",
    "version",
    "--help",
    "-h",
    "--version",
    "-V",
];

/// Judges `rtk`: any other word is a program, or stands before one.
#[must_use]
pub fn rtk(command: &Command, _: &Facts) -> Report {
    let mut words = command.arguments();
    while let Some((first, rest)) = words.split_first()
        && matches!(first.known(), Some("-v" | "-vv" | "-vvv" | "-u" | "--verbose" | "--ultra-compact" | "--skip-env"))
    {
        words = rest;
    }
    let Some((first, rest)) = words.split_first() else { return Report::reads() };
    let run = match first.known() {
        Some(own) if OF_RTK.contains(&own) => return Report::of(Effect::Works("looks at the project".into())),
        Some("proxy" | "test" | "err" | "summary") => rest,
        Some(option) if option.starts_with('-') => {
            return Report::unknown(format!("its option `{option}` is not known"));
        }
        _ => words,
    };
    carry::report(carry::words(run, At::Child, command.stdin.clone()))
}

/// Judges `ip`: on the agent's own machine a program in another name space of the network, else what the catalog says.
#[must_use]
pub fn ip(command: &Command, facts: &Facts) -> Report {
    let options = command.arguments().iter().take_while(|word| word.begins_with("-")).count();
    let words: Vec<&Word> = command.arguments().iter().skip(options).collect();
    match words.as_slice() {
        [net, exec, name, rest @ ..]
            if facts.own
                && matches!((net.known(), exec.known()), (Some("netns" | "vrf"), Some("exec")))
                && !name.is_many()
                && !name.may_begin_with("-") =>
        {
            let rest: Vec<Word> = rest.iter().map(|word| (*word).clone()).collect();
            carry::report(carry::words(&rest, At::Child, command.stdin.clone()))
        }
        _ => Report::of(Effect::Table),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::{ip, rtk};

    #[test]
    fn what_stands_behind_them_runs() {
        check(
            rtk,
            &[
                ("rtk", "reads"),
                ("rtk gain --history", "works"),
                ("rtk git status", "[git|status]"),
                ("rtk proxy ssh web01 reboot", "[ssh|web01|reboot]"),
                ("rtk -v ls", "[ls]"),
                ("rtk test cargo test", "[cargo|test]"),
                ("rtk …", "[…]"),
                ("rtk proxy", "reads"),
            ],
        );
        check_unknown(rtk, &["rtk --odd"]);
        check(
            ip,
            &[
                ("ip netns exec x ssh web01 reboot", "[ssh|web01|reboot]"),
                ("ip -4 vrf exec x ls", "[ls]"),
                ("ip netns list", "table"),
                ("ip -n x addr", "table"),
                ("ip netns exec … ls", "table"),
            ],
        );
    }
}
