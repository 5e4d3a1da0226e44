//! Programs that run something again and again, later, or in a terminal of its own: `watch`, `entr`, `at`, `script`,
//! `expect`. Pure.

use super::carry::{self, first, only_tells, report, shell, shell_file, shell_on_stdin, words, writes};
use super::options::{Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

/// Judges `watch`: its words are joined to a text for a shell, unless `-x` leaves them as they are.
#[must_use]
pub fn watch(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "ptbegcCxwrfhv",
        values: "nqs",
        glued: "d",
        long_flags: &[
            "differences",
            "precise",
            "no-title",
            "beep",
            "errexit",
            "chgexit",
            "color",
            "no-color",
            "exec",
            "no-wrap",
            "no-rerun",
            "follow",
            "help",
            "version",
        ],
        long_values: &["interval", "equexit"],
        ..Spec::CARRIER
    };
    match parse(command.arguments(), &spec) {
        Ok(parsed) if only_tells(&parsed) || parsed.has(&["h", "v"]) || parsed.operands.is_empty() => Report::reads(),
        Ok(parsed) if parsed.has(&["x", "exec"]) => report(words(&parsed.operands, At::Child, Stdin::Nothing)),
        Ok(parsed) => report([shell(Word::joined(&parsed.operands), At::Child, Stdin::Nothing)]),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `entr`: the first `/_` becomes the file that changed.
#[must_use]
pub fn entr(command: &Command, _: &Facts) -> Report {
    let spec = Spec { flags: "acdnprsxz", long_flags: &[], ..Spec::CARRIER };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["s"]) {
        return match first(&parsed.operands) {
            (Some(text), _) => report([shell(text.clone(), At::Child, Stdin::Nothing)]),
            (None, _) => Report::reads(),
        };
    }
    let mut carried = parsed.operands;
    if let Some(word) = carried.iter_mut().find(|word| word.known() == Some("/_")) {
        let mut path = Word::known_as("/");
        path.push_hole();
        *word = path;
    }
    report(words(&carried, At::Child, Stdin::Nothing))
}

/// Judges `at` and `batch`: a text from stdin or a file, run later on the same machine.
#[must_use]
pub fn at(command: &Command, _: &Facts) -> Report {
    let spec = Spec { flags: "VmMlvkrdcb", values: "qfuto", long_flags: &[], ..Spec::MIXED };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["V", "l", "c"]) {
        return Report::reads();
    }
    if parsed.has(&["r", "d"]) {
        return Report::changes("removes jobs that wait");
    }
    let later = match parsed.values(&["f"]).last() {
        Some(file) => shell_file(file, &[], At::Child, Stdin::Nothing),
        None => shell_on_stdin(At::Child, command.stdin.clone()),
    };
    report([Effect::Changes(format!("leaves a job to {}", carry::name(command))), later])
}

/// Judges `script`, which writes down what a terminal shows.
#[must_use]
pub fn script(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "aefqhV",
        values: "cEIOBTmo",
        glued: "t",
        long_flags: &["append", "return", "flush", "force", "quiet", "timing", "help", "version"],
        long_values: &[
            "command",
            "echo",
            "log-in",
            "log-out",
            "log-io",
            "log-timing",
            "logging-format",
            "output-limit",
        ],
        ..Spec::MIXED
    };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if only_tells(&parsed) || parsed.has(&["h", "V"]) {
        return Report::reads();
    }
    let logs = ["I", "O", "B", "T", "log-in", "log-out", "log-io", "log-timing", "t", "timing"];
    let mut effects: Vec<Effect> = parsed.values(&logs).filter_map(writes).collect();
    let (file, carried) = first(&parsed.operands);
    match file {
        Some(file) if file.is_many() => return Report::unknown("its words can't be told before it runs"),
        Some(file) => effects.extend(writes(file)),
        None if parsed.has(&["I", "O", "B", "log-in", "log-out", "log-io"]) => {}
        None => effects.push(Effect::Writes("typescript".into())),
    }
    let stdin = command.stdin.clone();
    match (parsed.values(&["c", "command"]).last(), carried.is_empty()) {
        (Some(text), true) => effects.push(shell(text.clone(), At::Child, stdin)),
        (None, true) => effects.push(shell_on_stdin(At::Child, stdin)),
        // BSD's takes the command's words behind the file, where nothing is an option of its own.
        _ => match parse(command.arguments(), &Spec { stops: true, ..spec }) {
            Ok(strict) if !strict.has(&["c", "command"]) => {
                let (_, carried) = first(&strict.operands);
                let carried = match first(carried) {
                    (Some(word), rest) if word.known() == Some("--") => rest,
                    _ => carried,
                };
                effects.extend(words(carried, At::Child, stdin));
            }
            _ => return Report::unknown("what it runs can't be told from its words"),
        },
    }
    report(effects)
}

/// Programs that are given a program in a language that isn't read.
#[must_use]
pub fn unread(command: &Command, _: &Facts) -> Report {
    let tells = ["--version", "--help", "-V", "-v", "-h"];
    match command.arguments() {
        [word] if word.known().is_some_and(|word| tells.contains(&word)) => Report::reads(),
        _ => Report::unknown(format!("what it is told to do is in a language of `{}`", carry::name(command))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn again_and_again() {
        check(
            watch,
            &[
                ("watch -n 5 -d systemctl status x", "sh {systemctl status x} <nothing"),
                ("watch -n5 'ls; rm x'", "sh {ls; rm x} <nothing"),
                ("watch -x rm 'a b'", "[rm|a b] <nothing"),
                ("watch --interval=1 ls …", "sh {ls …} <nothing"),
                ("watch -dt rm x", "sh {rm x} <nothing"),
                ("watch", "reads"),
            ],
        );
        check_unknown(watch, &["watch -Z ls", "watch $*"]);
        check(
            entr,
            &[("entr -r rm /_ /_", "[rm|/…|/_] <nothing"), ("entr -s 'rm x'", "sh {rm x} <nothing"), ("entr", "reads")],
        );
    }

    #[test]
    fn later() {
        check(
            at,
            &[
                ("at now + 5 minutes <<< reboot", "changes; stdin <<< reboot"),
                ("at -f x.sh midnight", "changes; file [x.sh] <nothing"),
                ("batch <<< reboot", "changes; stdin <<< reboot"),
                ("at -l", "reads"),
                ("at -c 5", "reads"),
                ("at -r 5", "changes"),
                ("at -d 5", "changes"),
            ],
        );
        check_unknown(at, &["at -Z", "at $*"]);
    }

    #[test]
    fn in_a_terminal_of_its_own() {
        check(
            script,
            &[
                ("script -q -c 'rm x' /dev/null", "sh {rm x}"),
                ("script -qc 'rm x' /etc/x", "writes /etc/x; sh {rm x}"),
                ("script /dev/null -c 'rm x'", "sh {rm x}"),
                ("script <<< reboot", "writes typescript; stdin <<< reboot"),
                ("script -q /dev/null rm x", "[rm|x]"),
                ("script -B /etc/x -c ls", "writes /etc/x; sh {ls}"),
                ("script -q /dev/null -- rm x", "[rm|x]"),
            ],
        );
        check_unknown(script, &["script -q -c ls /dev/null rm x", "script /dev/null find . -exec rm x", "script $*"]);
        check_unknown(unread, &["expect -c 'spawn ssh x'", "gdb -p 1"]);
    }
}
