//! Programs that stand before another one's words and run it where they run themselves: `nohup`, `timeout`, `nice`, …

use super::carry::{self, report, words, writes};
use super::options::{Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report};

/// A program that runs the words behind its own.
struct Prefix {
    program: &'static str,
    spec: Spec,
    /// How many operands of its own stand before the command.
    operands: usize,
    /// Options with which it runs nothing and changes nothing.
    looks: &'static [&'static str],
    /// Options whose value is a file that it writes.
    writes: &'static [&'static str],
    /// Options with which it acts on processes that run already; without the number of operands that says what is set,
    /// it only shows it.
    processes: (&'static [&'static str], usize),
    /// Whether it runs a shell that reads stdin if no command is given.
    shell: bool,
}

const PLAIN: Prefix = Prefix {
    program: "",
    spec: Spec::CARRIER,
    operands: 0,
    looks: &["help", "version", "h", "V"],
    writes: &[],
    processes: (&[], 0),
    shell: false,
};

const fn spec(
    flags: &'static str,
    values: &'static str,
    long_flags: &'static [&'static str],
    long_values: &'static [&'static str],
) -> Spec {
    Spec { flags, values, long_flags, long_values, ..Spec::CARRIER }
}

const fn plain(program: &'static str, spec: Spec) -> Prefix {
    Prefix { program, spec, ..PLAIN }
}

/// In alphabetic order.
const PREFIXES: &[Prefix] = &[
    // On macOS; elsewhere it says what the machine is.
    plain(
        "arch",
        Spec {
            single_dash: true,
            ..spec("", "", &["i386", "x86_64", "x86_64h", "arm64", "arm64e", "64", "32", "c", "h"], &["arch", "d"])
        },
    ),
    plain("caffeinate", spec("dimsu", "tw", &[], &[])),
    plain("catchsegv", Spec::CARRIER),
    Prefix { looks: &["help"], ..plain("chronic", spec("ve", "", &["help"], &[])) },
    Prefix {
        processes: (&["p", "pid"], 1),
        looks: &["help", "version", "h", "V", "m", "max"],
        operands: 1,
        ..plain(
            "chrt",
            spec(
                "ofrbidRamvhVp",
                "TPD",
                &[
                    "other",
                    "fifo",
                    "rr",
                    "batch",
                    "idle",
                    "deadline",
                    "reset-on-fork",
                    "all-tasks",
                    "max",
                    "pid",
                    "verbose",
                    "help",
                    "version",
                ],
                &["sched-runtime", "sched-period", "sched-deadline"],
            ),
        )
    },
    plain("dbus-run-session", Spec::CARRIER),
    plain("dumb-init", spec("cvhV", "r", &["single-child", "verbose", "help", "version"], &["rewrite"])),
    Prefix {
        shell: true,
        ..plain("fakeroot", spec("uhv", "b", &["unknown-is-real", "help", "version"], &["fd-base"]))
    },
    Prefix { operands: 1, ..plain("gosu", Spec::CARRIER) },
    Prefix {
        processes: (&["p", "pid", "P", "pgid", "u", "uid"], 0),
        ..plain(
            "ionice",
            spec("thV", "cnpPu", &["ignore", "help", "version"], &["class", "classdata", "pid", "pgid", "uid"]),
        )
    },
    plain("nice", spec("0123456789", "n", &["help", "version"], &["adjustment"])),
    plain("nohup", Spec::CARRIER),
    Prefix {
        looks: &["show", "hardware", "s", "H"],
        ..plain(
            "numactl",
            spec(
                "alsHbk",
                "imNCpwP",
                &["all", "localalloc", "show", "hardware", "balancing", "cpu-compress"],
                &[
                    "interleave",
                    "membind",
                    "cpunodebind",
                    "physcpubind",
                    "preferred",
                    "preferred-many",
                    "weighted-interleave",
                ],
            ),
        )
    },
    plain("proxychains", spec("q", "", &["help"], &[])),
    plain("proxychains4", spec("q", "", &["help"], &[])),
    Prefix {
        looks: &["help", "version", "h", "V", "d", "dump", "list-caps"],
        ..plain(
            "setpriv",
            spec(
                "dhV",
                "",
                &[
                    "clear-groups",
                    "dump",
                    "init-groups",
                    "keep-groups",
                    "list-caps",
                    "no-new-privs",
                    "nnp",
                    "reset-env",
                    "help",
                    "version",
                ],
                &[
                    "ambient-caps",
                    "apparmor-profile",
                    "bounding-set",
                    "egid",
                    "euid",
                    "groups",
                    "inh-caps",
                    "pdeathsig",
                    "regid",
                    "reuid",
                    "rgid",
                    "ruid",
                    "securebits",
                    "selinux-label",
                ],
            ),
        )
    },
    plain("setsid", spec("cfwhV", "", &["ctty", "fork", "wait", "help", "version"], &[])),
    plain("stdbuf", spec("", "ioe", &["help", "version"], &["input", "output", "error"])),
    Prefix { operands: 1, ..plain("su-exec", Spec::CARRIER) },
    plain(
        "systemd-cat",
        spec(
            "h",
            "tp",
            &["help", "version"],
            &["identifier", "priority", "stderr-priority", "level-prefix", "namespace"],
        ),
    ),
    Prefix {
        looks: &["help", "version", "h", "list"],
        ..plain(
            "systemd-inhibit",
            spec("h", "", &["help", "version", "list", "no-pager", "no-legend"], &["what", "who", "why", "mode"]),
        )
    },
    Prefix {
        processes: (&["p", "pid"], 1),
        operands: 1,
        ..plain("taskset", spec("acphV", "", &["all-tasks", "cpu-list", "pid", "help", "version"], &[]))
    },
    Prefix {
        writes: &["o", "output"],
        ..plain(
            "time",
            spec(
                "apqvV",
                "of",
                &["append", "portability", "quiet", "verbose", "help", "version"],
                &["output", "format"],
            ),
        )
    },
    Prefix {
        operands: 1,
        ..plain(
            "timeout",
            spec(
                "vfp",
                "ks",
                &["preserve-status", "foreground", "verbose", "help", "version"],
                &["kill-after", "signal"],
            ),
        )
    },
    plain("tini", spec("svwglh", "pe", &["version"], &[])),
    plain(
        "torsocks",
        spec("hidq", "upaP", &["help", "version", "isolate", "debug", "quiet"], &["user", "pass", "address", "port"]),
    ),
    plain("unbuffer", spec("p", "", &[], &[])),
    Prefix {
        writes: &["e", "error-file", "f", "auth-file"],
        looks: &["help", "h"],
        ..plain(
            "xvfb-run",
            spec(
                "ahl",
                "efnpsw",
                &["auto-servernum", "help", "listen-tcp"],
                &["error-file", "auth-file", "server-num", "xauth-protocol", "server-args", "wait"],
            ),
        )
    },
];

/// Judges one of them.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let name = carry::name(command);
    let Some(prefix) = PREFIXES.iter().find(|prefix| prefix.program == name) else {
        return Report::unknown(format!("`{name}` is not known"));
    };
    let parsed = match parse(command.arguments(), &prefix.spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(prefix.looks) {
        return Report::reads();
    }
    if parsed.has(prefix.processes.0) {
        let sets = parsed.operands.len() > prefix.processes.1 || parsed.has(&["c", "class", "n", "classdata"]);
        // taskset's -c is the form of its list; ionice's is what it sets.
        let shows = parsed.operands.len() <= prefix.processes.1 && (name == "taskset" || !sets);
        return if shows { Report::reads() } else { Report::changes(format!("sets how a process runs, by {name}")) };
    }
    let written = parsed.values(prefix.writes).filter_map(writes);
    let own = parsed.operands.get(..prefix.operands).unwrap_or(&parsed.operands);
    if let Some(many) = own.iter().find(|word| word.is_many()) {
        return Report::unknown(format!("what `{}` stands for can't be told before it runs", many.shown()));
    }
    let carried = parsed.operands.get(prefix.operands..).unwrap_or_default();
    let run = words(carried, At::Child, command.stdin.clone());
    let shell = || prefix.shell.then(|| carry::shell_on_stdin(At::Child, command.stdin.clone()));
    report(written.chain(run.or_else(shell)).collect::<Vec<Effect>>())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn what_stands_behind_runs() {
        check(
            judge,
            &[
                ("timeout 5 ls -l", "[ls|-l]"),
                ("timeout -k 5 10 ssh web01 reboot", "[ssh|web01|reboot]"),
                ("timeout -k5 -s KILL 10 ls <<< x", "[ls] <<< x"),
                ("timeout --signal=9 --foreground 1m rm x", "[rm|x]"),
                ("timeout --help 5 rm x", "reads"),
                ("timeout 5", "reads"),
                ("timeout 5 …", "[…]"),
                ("nohup rm -rf x", "[rm|-rf|x]"),
                ("nohup -- rm x", "[rm|x]"),
                ("/usr/bin/nohup rm x", "[rm|x]"),
                ("nice rm x", "[rm|x]"),
                ("nice -n 10 rm x", "[rm|x]"),
                ("nice -n10 rm x", "[rm|x]"),
                ("nice -19 rm x", "[rm|x]"),
                ("nice", "reads"),
                ("ionice -c 3 rm x", "[rm|x]"),
                ("ionice -c3 -n 7 -t rm x", "[rm|x]"),
                ("ionice -p 10", "reads"),
                ("ionice -c 3 -p 10", "changes"),
                ("chrt -f 10 rm x", "[rm|x]"),
                ("chrt -p 10", "reads"),
                ("chrt -f -p 10 1234", "changes"),
                ("chrt -m", "reads"),
                ("taskset -c 0,1 rm x", "[rm|x]"),
                ("taskset 0x3 rm -p", "[rm|-p]"),
                ("taskset -p 12", "reads"),
                ("taskset -cp 12", "reads"),
                ("taskset -p 3 12", "changes"),
                ("taskset -cp 0 12", "changes"),
                ("numactl --cpunodebind=0 -m 1 rm x", "[rm|x]"),
                ("numactl --hardware", "reads"),
                ("stdbuf -oL tail -f x", "[tail|-f|x]"),
                ("stdbuf -o L -i 0 rm x", "[rm|x]"),
                ("setsid -f rm x", "[rm|x]"),
                ("setpriv --reuid=1000 --clear-groups rm x", "[rm|x]"),
                ("time -p rm x", "[rm|x]"),
                ("time -o /etc/x -f %e ls", "writes /etc/x; [ls]"),
                ("time -o /dev/null ls", "[ls]"),
                ("gosu postgres rm x", "[rm|x]"),
                ("su-exec u:g rm x", "[rm|x]"),
                ("tini -s -- rm x", "[rm|x]"),
                ("dumb-init -r 15:3 rm x", "[rm|x]"),
                ("fakeroot <<< rm x", "stdin <<< rm x"),
                ("systemd-inhibit --what=sleep rm x", "[rm|x]"),
                ("systemd-inhibit --list", "reads"),
                ("xvfb-run -a -e /var/log/x rm y", "writes /var/log/x; [rm|y]"),
                ("torsocks -q rm x", "[rm|x]"),
                ("proxychains4 -q ssh web01 reboot", "[ssh|web01|reboot]"),
                ("unbuffer rm x", "[rm|x]"),
                ("chronic rm x", "[rm|x]"),
            ],
        );
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        check_unknown(
            judge,
            &[
                "timeout $* ls",
                "timeout … ls",
                "timeout --nope 5 ls",
                "nice --10 ls",
                "stdbuf -x ls",
                "numactl --shm /x ls",
                "proxychains4 -f conf ls",
                "fakeroot -l lib ls",
                "dbus-run-session --config-file=x -- ls",
                "setsid -z ls",
            ],
        );
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(PREFIXES.is_sorted_by_key(|prefix| prefix.program));
        for prefix in PREFIXES {
            assert!(super::super::of(prefix.program).is_some(), "{} is not registered", prefix.program);
        }
    }
}
