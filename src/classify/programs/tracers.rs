//! Programs that run another one and look at how it does: `strace`, `ltrace`, `perf`, `valgrind`. Pure.

use super::carry::{assignment, first, only_tells, report, shell, words, writes};
use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report};
use crate::classify::word::Word;

const STRACE: Spec = Spec {
    flags: "ACcdDfFhiknNqrtTvVwxyYzZ",
    values: "abeEIoOpPsSuUX",
    long_flags: &[
        "absolute-timestamps",
        "daemonize",
        "debug",
        "decode-fds",
        "failed-only",
        "follow-forks",
        "instruction-pointer",
        "no-abbrev",
        "output-append-mode",
        "output-separately",
        "quiet",
        "relative-timestamps",
        "seccomp-bpf",
        "silent",
        "stack-traces",
        "strings-in-hex",
        "successful-only",
        "summary",
        "summary-only",
        "summary-wall-clock",
        "syscall-number",
        "syscall-times",
        "tips",
        "help",
        "version",
    ],
    long_values: &[
        "abbrev",
        "attach",
        "columns",
        "const-print-style",
        "detach-on",
        "env",
        "interruptible",
        "output",
        "raw",
        "read",
        "signal",
        "status",
        "string-limit",
        "summary-columns",
        "summary-sort-by",
        "summary-syscall-overhead",
        "trace",
        "trace-path",
        "user",
        "verbose",
        "write",
    ],
    ..Spec::CARRIER
};

const LTRACE: Spec = Spec {
    flags: "bcCfhiLrStTV",
    values: "aADelnopsuwx",
    long_flags: &["no-signals", "demangle", "help", "version"],
    long_values: &["align", "debug", "library", "indent", "output", "where"],
    ..Spec::CARRIER
};

const PERF: Spec = Spec {
    flags: "aABcdDgivqnSTN",
    values: "eFCrxIMjoG",
    long_flags: &[
        "all-cpus",
        "all-user",
        "all-kernel",
        "big-num",
        "call-graph",
        "detailed",
        "no-inherit",
        "per-core",
        "per-socket",
        "per-thread",
        "quiet",
        "sync",
        "verbose",
        "append",
        "no-buildid",
    ],
    long_values: &["event", "freq", "count", "cpu", "repeat", "field-separator", "interval-print", "output", "timeout"],
    ..Spec::CARRIER
};

/// Judges `strace`.
#[must_use]
pub fn strace(command: &Command, _: &Facts) -> Report {
    match parse(command.arguments(), &STRACE) {
        Ok(parsed) => trace(command, &parsed).unwrap_or_else(Report::unknown),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `ltrace`.
#[must_use]
pub fn ltrace(command: &Command, _: &Facts) -> Report {
    match parse(command.arguments(), &LTRACE) {
        Ok(parsed) => trace(command, &parsed).unwrap_or_else(Report::unknown),
        Err(why) => Report::unknown(why),
    }
}

fn trace(command: &Command, parsed: &Parsed) -> Result<Report, String> {
    if only_tells(parsed) || parsed.has(&["h", "V"]) {
        return Ok(Report::reads());
    }
    if parsed.has(&["p", "attach"]) {
        return Err("what it does to a process that runs already can't be told".into());
    }
    // An expression may make calls of the traced program fail or answer something else.
    if let Some(value) = parsed
        .values(&["e"])
        .find(|value| ["inject", "fault"].iter().any(|kind| value.may_begin_with(kind)) || value.known().is_none())
    {
        return Err(format!("what `{}` does to the traced program is not known", value.shown()));
    }
    let mut effects = vec![];
    for word in parsed.values(&["E", "env"]) {
        if let Some((name, value)) = assignment(word)? {
            effects.push(Effect::Sets { name, value });
        }
    }
    for file in parsed.values(&["o", "output"]) {
        // What begins with a bar or an exclamation mark is a command that gets the output.
        match file.strip_prefix("|").or_else(|| file.strip_prefix("!")) {
            Some(text) => effects.push(shell(text, At::Child, command.stdin.clone())),
            None if file.beginning().is_empty() => {
                return Err(format!("where `{}` is can't be told before it runs", file.shown()));
            }
            None => effects.extend(writes(file)),
        }
    }
    effects.extend(words(&parsed.operands, At::Child, command.stdin.clone()));
    Ok(report(effects))
}

/// Judges `perf`: `stat` and `record` run a command; what only reports reads.
#[must_use]
pub fn perf(command: &Command, _: &Facts) -> Report {
    let (Some(verb), rest) = first(command.arguments()) else { return Report::reads() };
    let records = match verb.known() {
        Some("stat") => false,
        Some("record") => true,
        Some("list" | "--version" | "--help" | "version") => return Report::reads(),
        _ => return Report::unknown(format!("what `perf {}` does is not known", verb.shown())),
    };
    let parsed = match parse(rest, &PERF) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let mut effects: Vec<Effect> = parsed.values(&["o", "output"]).filter_map(writes).collect();
    if records && effects.is_empty() {
        effects.push(Effect::Writes("perf.data".into()));
    }
    effects.extend(words(&parsed.operands, At::Child, command.stdin.clone()));
    report(effects)
}

/// Judges `valgrind`, whose options have their values glued.
#[must_use]
pub fn valgrind(command: &Command, _: &Facts) -> Report {
    let mut rest = command.arguments();
    while let Some((word, more)) = rest.split_first() {
        if !word.may_begin_with("-") {
            break;
        }
        let harmless = [
            "--tool=memcheck",
            "--tool=helgrind",
            "--tool=drd",
            "--leak-check=",
            "--show-leak-kinds=",
            "--track-origins=",
            "--trace-children=",
            "--error-exitcode=",
            "--num-callers=",
        ];
        let plain = matches!(word.known(), Some("-q" | "-v" | "--quiet" | "--verbose"));
        let known = !word.is_many() && (plain || harmless.iter().any(|option| word.begins_with(option)));
        if !known {
            return match word.known() {
                Some("--help" | "--version") => Report::reads(),
                _ => Report::unknown(format!("its option `{}` is not known", word.shown())),
            };
        }
        rest = more;
    }
    if rest.first().is_some_and(Word::is_many) {
        return Report::unknown("its words can't be told before it runs");
    }
    report(words(rest, At::Child, command.stdin.clone()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn what_is_traced_runs() {
        check(
            strace,
            &[
                ("strace -f -e trace=open rm x", "[rm|x]"),
                ("strace -ff -o /var/log/x ls", "writes /var/log/x; [ls]"),
                ("strace -o '|rm y' ls", "sh {rm y}; [ls]"),
                ("strace -o '!rm y' ls", "sh {rm y}; [ls]"),
                ("strace -E LD_PRELOAD=x ls", "sets LD_PRELOAD=x; [ls]"),
                ("strace -V", "reads"),
            ],
        );
        check_unknown(
            strace,
            &[
                "strace -p 1",
                "strace -e inject=all:error=EPERM ls",
                "strace -e … ls",
                "strace -o … ls",
                "strace --nope ls",
            ],
        );
        check(ltrace, &[("ltrace -S -o /etc/x rm y", "writes /etc/x; [rm|y]")]);
        check_unknown(ltrace, &["ltrace -p 1", "ltrace -F conf ls"]);
        check(
            perf,
            &[
                ("perf stat -e cycles -r 3 rm x", "[rm|x]"),
                ("perf record -g rm x", "writes perf.data; [rm|x]"),
                ("perf record -o /etc/x -- rm x", "writes /etc/x; [rm|x]"),
                ("perf list", "reads"),
            ],
        );
        check_unknown(perf, &["perf stat --pre rm ls", "perf trace ls", "perf …"]);
        check(valgrind, &[("valgrind --leak-check=full -q rm x", "[rm|x]")]);
        check_unknown(valgrind, &["valgrind --log-file=/etc/x ls", "valgrind …", "valgrind $*"]);
    }
}
