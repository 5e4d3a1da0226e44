//! Shells, and what a shell itself does with words that name another command: `eval`, `exec`, `command`, `source`,
//! `busybox`. Pure.

use super::carry::{self, first, report, shell, shell_file, shell_on_stdin, words};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, What};
use crate::classify::word::Word;

/// Shells that read what our reader reads.
const SHELLS: &[&str] = &["ash", "bash", "dash", "ksh", "ksh93", "mksh", "posh", "rbash", "sh", "zsh"];

/// Whether it is a shell whose language is read.
#[must_use]
pub fn is_shell(program: &str) -> bool {
    const FOLDERS: &[&str] = &["/bin/", "/usr/bin/", "/usr/local/bin/"];
    let name = FOLDERS.iter().find_map(|folder| program.strip_prefix(folder)).unwrap_or(program);
    SHELLS.contains(&name)
}

/// The words of a shell.
#[derive(Default)]
struct Words {
    text: bool,
    stdin: bool,
    interactive: bool,
    /// Whether commands are read but not run.
    checks: bool,
    /// Files that an interactive shell reads first.
    start: Vec<Word>,
    tells: bool,
    operands: Vec<Word>,
}

/// Judges a shell.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let parsed = match read(command.arguments()) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.tells || (parsed.checks && !parsed.interactive) {
        return Report::reads();
    }
    if parsed.operands.first().is_some_and(Word::is_many) {
        return Report::unknown("the words of a shell can't be told before it runs");
    }
    let stdin = command.stdin.clone();
    let mut effects = vec![];
    let (operand, rest) = first(&parsed.operands);
    let reads_stdin = !parsed.text && (parsed.stdin || operand.is_none());
    if parsed.interactive || reads_stdin {
        effects.extend(parsed.start.iter().map(|file| shell_file(file, &[], At::Child, stdin.clone())));
    }
    match operand {
        Some(text) if parsed.text => {
            let what = What::Shell { text: text.clone(), arguments: rest.to_vec() };
            effects.push(Effect::Runs(Run { what, at: At::Child, stdin }));
        }
        None if parsed.text => {}
        Some(file) if !reads_stdin => effects.push(shell_file(file, rest, At::Child, stdin)),
        _ => effects.push(shell_on_stdin(At::Child, stdin)),
    }
    report(effects)
}

fn read(arguments: &[Word]) -> Result<Words, String> {
    let mut parsed = Words::default();
    // Whether something may turn reading only off again.
    let mut unsure = false;
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.known() else {
            if word.is_many() || word.may_begin_with("-") || word.may_begin_with("+") {
                return Err(format!("whether `{}` is an option can't be told before it runs", word.shown()));
            }
            parsed.operands.push(word.clone());
            break;
        };
        if text == "-" || text == "--" {
            break;
        }
        let (on, letters) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
            (Some(letters), _) => (true, letters),
            (None, Some(letters)) => (false, letters),
            (None, None) => {
                parsed.operands.push(word.clone());
                break;
            }
        };
        unsure |= !on;
        // bash knows its long options behind one dash too.
        match letters.strip_prefix('-').unwrap_or(letters) {
            "rcfile" | "init-file" => {
                let file = rest.next().ok_or("its option has no value")?;
                parsed.start.push(file.clone());
                continue;
            }
            "help" | "version" => {
                parsed.tells = true;
                continue;
            }
            "login" | "noediting" | "noprofile" | "norc" | "posix" | "restricted" | "verbose" => continue,
            // They print strings and run nothing.
            "dump-strings" | "dump-po-strings" => {
                parsed.checks = true;
                continue;
            }
            _ => {}
        }
        for letter in letters.chars() {
            match letter {
                'c' => parsed.text = true,
                's' => parsed.stdin = true,
                'i' => parsed.interactive = true,
                'n' => parsed.checks = true,
                'o' | 'O' => {
                    unsure = true;
                    rest.next();
                }
                'a' | 'b' | 'B' | 'C' | 'D' | 'e' | 'E' | 'f' | 'h' | 'H' | 'l' | 'm' | 'p' | 'P' | 'r' | 't' | 'T'
                | 'u' | 'v' | 'x' => {}
                _ => return Err(format!("its option `{text}` is not known")),
            }
        }
    }
    parsed.operands.extend(rest.cloned());
    parsed.checks &= !unsure;
    Ok(parsed)
}

/// Shells with another language.
#[must_use]
pub fn other_shell(command: &Command, _: &Facts) -> Report {
    match command.arguments() {
        [word] if matches!(word.known(), Some("--version" | "--help")) => Report::reads(),
        _ => Report::unknown(format!("the language of `{}` is not read", carry::name(command))),
    }
}

/// Judges `eval`.
#[must_use]
pub fn eval(command: &Command, _: &Facts) -> Report {
    let arguments = match command.arguments() {
        [word, rest @ ..] if word.known() == Some("--") => rest,
        all => all,
    };
    report((!arguments.is_empty()).then(|| shell(Word::joined(arguments), At::Here, command.stdin.clone())))
}

/// Judges `source` and `.`.
#[must_use]
pub fn source(command: &Command, _: &Facts) -> Report {
    let arguments = match command.arguments() {
        [word, rest @ ..] if word.known() == Some("--") => rest,
        all => all,
    };
    match first(arguments) {
        (Some(file), _) if file.is_many() || file.may_begin_with("-") => {
            Report::unknown(format!("which file `{}` is can't be told before it runs", file.shown()))
        }
        (Some(file), rest) => report([shell_file(file, rest, At::Here, command.stdin.clone())]),
        (None, _) => Report::reads(),
    }
}

/// Judges `exec`, which puts the command in the shell's place.
#[must_use]
pub fn exec(command: &Command, _: &Facts) -> Report {
    use super::options::{Spec, parse};
    let spec = Spec { flags: "cl", values: "a", long_flags: &[], ..Spec::CARRIER };
    match parse(command.arguments(), &spec) {
        Ok(parsed) => report(words(&parsed.operands, At::Child, command.stdin.clone())),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `command` and `builtin`: the program or builtin itself, whatever functions are called.
#[must_use]
pub fn command(command: &Command, _: &Facts) -> Report {
    use super::options::{Spec, parse};
    let flags = if carry::name(command) == "command" { "pvV" } else { "" };
    match parse(command.arguments(), &Spec { flags, long_flags: &[], ..Spec::CARRIER }) {
        Ok(parsed) if parsed.has(&["v", "V"]) => Report::reads(),
        Ok(parsed) => report(words(&parsed.operands, At::Here, command.stdin.clone())),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `busybox` and `toybox`: the first word is the program.
#[must_use]
pub fn busybox(command: &Command, _: &Facts) -> Report {
    let arguments = command.arguments();
    match arguments.first() {
        None => Report::reads(),
        Some(word) if word.is_many() || word.may_begin_with("-") => match word.known() {
            Some("--help" | "--list" | "--list-full" | "--long") if arguments.len() == 1 => Report::reads(),
            Some("--install") => Report::changes("installs links for its programs"),
            _ => Report::unknown(format!("what `{}` does is not known", word.shown())),
        },
        Some(_) => report(words(arguments, At::Child, command.stdin.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn what_a_shell_reads() {
        check(
            judge,
            &[
                ("sh -c 'rm x'", "sh {rm x}"),
                ("bash -lc 'rm $1' _ y <<< z", "sh {rm $1} [_|y] <<< z"),
                ("bash -euxo pipefail -c 'rm x'", "sh {rm x}"),
                ("bash -euxc 'rm x'", "sh {rm x}"),
                ("bash -c -x 'rm x'", "sh {rm x}"),
                ("bash -ooc a b 'rm x'", "sh {rm x}"),
                ("bash +x -O extglob -c 'rm x'", "sh {rm x}"),
                ("bash -c -- 'rm x'", "sh {rm x}"),
                ("bash -c -- …", "sh {…}"),
                ("bash -c", "reads"),
                ("/bin/sh x.sh a b", "file [x.sh|a|b]"),
                ("bash -x -- x.sh -n", "file [x.sh|-n]"),
                ("sh /dev/stdin <<< rm", "stdin <<< rm"),
                ("bash <<< 'rm x'", "stdin <<< 'rm x'"),
                ("bash -s a b <<< rm", "stdin <<< rm"),
                ("bash - <<< rm", "stdin <<< rm"),
                ("bash -n x.sh", "reads"),
                ("bash -nv x.sh", "reads"),
                ("bash -n +n x.sh", "file [x.sh]"),
                ("bash -ni x.sh", "file [x.sh]"),
                ("bash --version", "reads"),
                ("bash --norc --rcfile r -i", "file [r]; stdin"),
                ("bash --init-file r -ic ls", "file [r]; sh {ls}"),
                ("bash -rcfile r", "file [r]; stdin"),
                ("bash --rcfile r -c ls", "sh {ls}"),
                ("bash --posix /srv/…", "file [/srv/…]"),
            ],
        );
        check_unknown(
            judge,
            &["bash --debugger x", "bash -Z -c ls", "bash …", "bash $*", "bash -k -c ls", "bash -c $*", "bash -c …"],
        );
        check_unknown(other_shell, &["fish -c ls", "csh x"]);
    }

    #[test]
    fn what_the_shell_itself_hands_on() {
        check(eval, &[("eval rm x '$y'", "sh {rm x $y} here"), ("eval -- rm $*", "sh {rm …} here"), ("eval", "reads")]);
        check(source, &[("source ./x a", "file [./x|a] here"), (". /dev/stdin <<< rm", "stdin here <<< rm")]);
        check_unknown(source, &["source -p x y", ". …", ". $*"]);
        check(
            exec,
            &[("exec rm x", "[rm|x]"), ("exec -a n rm x", "[rm|x]"), ("exec -cl rm x", "[rm|x]"), ("exec", "reads")],
        );
        check(
            command,
            &[
                ("command rm x", "[rm|x] here"),
                ("command -p rm -v", "[rm|-v] here"),
                ("command -v rm", "reads"),
                ("command -pV rm", "reads"),
                ("builtin eval 'rm x'", "[eval|rm x] here"),
                ("builtin -- eval 'rm x'", "[eval|rm x] here"),
            ],
        );
        check_unknown(command, &["builtin -v rm", "command …"]);
        check(
            busybox,
            &[
                ("busybox sh -c 'rm x'", "[sh|-c|rm x]"),
                ("busybox --list", "reads"),
                ("busybox", "reads"),
                ("busybox --install -s", "changes"),
            ],
        );
        check_unknown(busybox, &["busybox …", "busybox $*", "busybox --list --install"]);
    }
}
