//! Filters that write what goes through them to files: `tee`, `sponge`, `pv`. Pure.

use super::carry::{only_tells, report, writes};
use super::options::{Spec, parse};
use crate::classify::effect::{Command, Effect, Facts, Report};

/// Judges `tee`.
#[must_use]
pub fn tee(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "aip",
        long_flags: &["append", "ignore-interrupts", "output-error", "help", "version"],
        ..Spec::MIXED
    };
    match parse(command.arguments(), &spec) {
        Ok(parsed) if only_tells(&parsed) => Report::reads(),
        Ok(parsed) => report(parsed.operands.iter().filter_map(writes)),
        // Whatever the word is, a file is written.
        Err(_) => Report::changes("writes files"),
    }
}

/// Judges `sponge`.
#[must_use]
pub fn sponge(command: &Command, _: &Facts) -> Report {
    match parse(command.arguments(), &Spec { flags: "a", long_flags: &[], ..Spec::MIXED }) {
        Ok(parsed) => report(parsed.operands.iter().filter_map(writes)),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `pv`.
#[must_use]
pub fn pv(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "pteIrabTnqWl0fcCEShVvk",
        values: "AFDsiwHNLBdm",
        long_flags: &[
            "progress",
            "timer",
            "eta",
            "fineta",
            "rate",
            "average-rate",
            "bytes",
            "buffer-percent",
            "numeric",
            "quiet",
            "wait",
            "line-mode",
            "null",
            "force",
            "cursor",
            "no-splice",
            "skip-errors",
            "stop-at-size",
            "help",
            "version",
        ],
        long_values: &[
            "last-written",
            "format",
            "delay-start",
            "size",
            "interval",
            "width",
            "height",
            "name",
            "rate-limit",
            "buffer-size",
            "watchfd",
        ],
        ..Spec::MIXED
    };
    match parse(command.arguments(), &spec) {
        Ok(_) => Report::reads(),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `ts`, which only puts the time before each line.
#[must_use]
pub fn ts(command: &Command, _: &Facts) -> Report {
    match parse(command.arguments(), &Spec { flags: "rism", long_flags: &[], ..Spec::MIXED }) {
        Ok(_) => Report::reads(),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `ssh-agent`, which may run a command that finds it.
#[must_use]
pub fn ssh_agent(command: &Command, _: &Facts) -> Report {
    let spec = Spec { flags: "csdDk", values: "aEtOP", long_flags: &[], ..Spec::CARRIER };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let run = super::carry::words(&parsed.operands, crate::classify::effect::At::Child, command.stdin.clone());
    report(parsed.values(&["a"]).cloned().map(Effect::Writes).chain(run))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn what_is_written() {
        check(
            tee,
            &[
                ("tee", "reads"),
                ("tee -a /etc/x y", "writes /etc/x; writes y"),
                ("tee /dev/null", "reads"),
                ("tee …", "changes"),
                ("tee $*", "changes"),
                ("tee --output-error=warn /srv/…", "writes /srv/…"),
            ],
        );
        check(sponge, &[("sponge /etc/x", "writes /etc/x"), ("sponge", "reads")]);
        check(pv, &[("pv -L 1m x", "reads")]);
        check_unknown(pv, &["pv -P /etc/x y", "pv -o /etc/x y"]);
        check(ts, &[("ts -s %T", "reads")]);
        check(
            ssh_agent,
            &[
                ("ssh-agent sh -c 'rm x'", "[sh|-c|rm x]"),
                ("ssh-agent -s", "reads"),
                ("ssh-agent -a /etc/x rm -k", "writes /etc/x; [rm|-k]"),
            ],
        );
    }
}
