//! Programs that run something as another user: `sudo`, `doas`, `su`, `runuser`, `pkexec`. Pure.

use super::carry::{assignment, first, name, only_tells, report, shell_file, shell_on_stdin, words, writes};
use super::options::{Parsed, Spec, parse};
use super::shells::is_shell;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, What};
use crate::classify::word::Word;

const SUDO: Spec = Spec {
    flags: "AbBEeHiKklNnPSsVv",
    values: "CDgpRrtTUu",
    glued: "h",
    long_flags: &[
        "askpass",
        "background",
        "bell",
        "edit",
        "help",
        "list",
        "login",
        "no-update",
        "non-interactive",
        "preserve-env",
        "preserve-groups",
        "remove-timestamp",
        "reset-timestamp",
        "set-home",
        "shell",
        "stdin",
        "validate",
        "version",
    ],
    long_values: &[
        "chdir",
        "chroot",
        "close-from",
        "command-timeout",
        "group",
        "host",
        "other-user",
        "prompt",
        "role",
        "type",
        "user",
    ],
    ..Spec::CARRIER
};

const DOAS: Spec = Spec { flags: "Lns", values: "aCu", long_flags: &[], ..Spec::CARRIER };

const SU: Spec = Spec {
    flags: "lfmpPhV",
    values: "cgGsw",
    long_flags: &["fast", "login", "preserve-environment", "pty", "help", "version"],
    long_values: &["command", "session-command", "group", "supp-group", "shell", "whitelist-environment"],
    ..Spec::MIXED
};

const RUNUSER: Spec = Spec {
    flags: "lfmpPhV",
    values: "cgGswu",
    long_values: &["command", "session-command", "group", "supp-group", "shell", "whitelist-environment", "user"],
    ..SU
};

const PKEXEC: Spec = Spec {
    long_flags: &["help", "version", "disable-internal-agent", "keep-cwd"],
    long_values: &["user"],
    ..Spec::CARRIER
};

/// Judges `sudo` and `sudoedit`.
#[must_use]
pub fn sudo(command: &Command, _: &Facts) -> Report {
    read_sudo(command).unwrap_or_else(Report::unknown)
}

fn read_sudo(command: &Command) -> Result<Report, String> {
    let mut parsed = parse(command.arguments(), &SUDO)?;
    let mut effects = vec![];
    // Variables to set may stand among the options.
    while !parsed.ended {
        let (Some(word), rest) = first(&parsed.operands) else { break };
        if word.begins_with("/") {
            break;
        }
        let Some((name, value)) = assignment(word)? else { break };
        effects.push(Effect::Sets { name, value });
        let mut more = parse(rest, &SUDO)?;
        parsed.options.append(&mut more.options);
        parsed = Parsed { options: parsed.options, ..more };
    }
    if name(command) == "sudoedit" || parsed.has(&["e", "edit"]) {
        return Ok(report(parsed.operands.iter().filter_map(writes)));
    }
    // `-h` takes the next word for a host if there is one, and is help if there is none.
    if parsed.options.iter().any(|(name, value)| name == "h" && value.is_none()) {
        return if parsed.operands.is_empty() {
            Ok(Report::reads())
        } else {
            Err("`sudo -h` names another machine".to_owned())
        };
    }
    let looks = ["help", "V", "version", "l", "list", "v", "validate", "K", "remove-timestamp"];
    if parsed.has(&looks) {
        return Ok(Report::reads());
    }
    let at = match (parsed.values(&["R", "chroot"]).last(), parsed.values(&["D", "chdir"]).last()) {
        (Some(_), _) => At::Inside,
        (None, Some(folder)) => At::Folder(folder.clone()),
        // A login shell begins in the user's home.
        (None, None) if parsed.has(&["i", "login"]) => At::Folder(Word::unknown()),
        (None, None) => At::Child,
    };
    let shell = parsed.has(&["i", "login", "s", "shell"]);
    let carried = if shell { parsed.operands.iter().map(seen_by_shell).collect() } else { parsed.operands.clone() };
    match words(&carried, at.clone(), command.stdin.clone()) {
        Some(run) => effects.push(run),
        None if shell => effects.push(shell_on_stdin(at, command.stdin.clone())),
        None => {}
    }
    // Where the rules allow it, it runs on that machine; where they don't, nowhere.
    for host in parsed.values(&["h", "host"]) {
        let host = host.known().map_or_else(|| Host::Unknown("its name is not known".into()), Host::named);
        let elsewhere = words(&carried, At::Hosts(vec![host]), command.stdin.clone());
        effects.extend(elsewhere);
    }
    Ok(report(effects))
}

/// The shell of `sudo -s` gets the words with all but letters, digits, `_`, `-` and `$` quoted: it fills variables in.
fn seen_by_shell(word: &Word) -> Word {
    if word.stretches().any(|stretch| stretch.contains('$')) { Word::unknown() } else { word.clone() }
}

/// Judges `doas`.
#[must_use]
pub fn doas(command: &Command, _: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &DOAS) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    // -C only checks what its rules say, -L forgets who has proved himself.
    if parsed.has(&["C", "L"]) {
        return Report::reads();
    }
    let shell = parsed.has(&["s"]).then(|| shell_on_stdin(At::Child, command.stdin.clone()));
    report(words(&parsed.operands, At::Child, command.stdin.clone()).or(shell))
}

/// Judges `su`.
#[must_use]
pub fn su(command: &Command, _: &Facts) -> Report {
    match parse(command.arguments(), &SU) {
        Ok(parsed) => shell_of(command, &parsed),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `runuser`.
#[must_use]
pub fn runuser(command: &Command, _: &Facts) -> Report {
    // With -u it runs words like sudo, and only then does an operand end its options.
    let carrier = parse(command.arguments(), &Spec { stops: true, ..RUNUSER });
    match carrier {
        Ok(parsed) if parsed.has(&["u", "user"]) => report(words(&parsed.operands, At::Child, command.stdin.clone())),
        _ => match parse(command.arguments(), &RUNUSER) {
            Ok(parsed) if !parsed.has(&["u", "user"]) => shell_of(command, &parsed),
            Ok(_) => Report::unknown("its words can be read in two ways"),
            Err(why) => Report::unknown(why),
        },
    }
}

/// What the user's shell is given: `[-] [USER [ARGUMENT…]]`.
fn shell_of(command: &Command, parsed: &Parsed) -> Report {
    if only_tells(parsed) || parsed.has(&["h", "V"]) {
        return Report::reads();
    }
    if let Some(shell) = parsed.values(&["s", "shell"]).find(|shell| !shell.known().is_some_and(is_shell)) {
        return Report::unknown(format!("`{}` is no shell that is known", shell.shown()));
    }
    let operands: Vec<Word> = parsed.operands.clone();
    let (login, operands) = match first(&operands) {
        (Some(word), rest) if word.known() == Some("-") => (true, rest),
        _ => (parsed.has(&["l", "login"]), &operands[..]),
    };
    let at = if login { At::Folder(Word::unknown()) } else { At::Child };
    if operands.iter().any(Word::is_many) {
        return Report::unknown("what its words are can't be told before it runs");
    }
    let stdin = command.stdin.clone();
    let arguments = operands.get(1..).unwrap_or_default();
    let text = parsed.values(&["c", "command", "session-command"]).last();
    report([match (text, first(arguments)) {
        (Some(text), _) => {
            Effect::Runs(Run { what: What::Shell { text: text.clone(), arguments: arguments.to_vec() }, at, stdin })
        }
        (None, (Some(script), arguments)) => {
            // They are the shell's own words, options first.
            let shell = Word::known_as("sh");
            let mut all = vec![shell, script.clone()];
            all.extend(arguments.iter().cloned());
            if script.may_begin_with("-") {
                Effect::Runs(Run { what: What::Words(all), at, stdin })
            } else {
                shell_file(script, arguments, at, stdin)
            }
        }
        (None, (None, _)) => shell_on_stdin(at, stdin),
    }])
}

/// Judges `pkexec`.
#[must_use]
pub fn pkexec(command: &Command, _: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &PKEXEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if only_tells(&parsed) {
        return Report::reads();
    }
    let at = if parsed.has(&["keep-cwd"]) { At::Child } else { At::Folder(Word::unknown()) };
    let run = words(&parsed.operands, at.clone(), command.stdin.clone());
    report([run.unwrap_or_else(|| shell_on_stdin(at, command.stdin.clone()))])
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn sudo_carries() {
        check(
            sudo,
            &[
                ("sudo systemctl restart nginx", "[systemctl|restart|nginx]"),
                ("sudo -u root -- sh -c 'rm x'", "[sh|-c|rm x]"),
                ("sudo -nEu postgres psql <<< drop", "[psql] <<< drop"),
                ("sudo -uroot rm -l", "[rm|-l]"),
                ("sudo --user=root --non-interactive rm x", "[rm|x]"),
                ("sudo PATH=/tmp A=…b rm x", "sets PATH=/tmp; sets A=…b; [rm|x]"),
                ("sudo A=b -u root C=d rm x", "sets A=b; sets C=d; [rm|x]"),
                ("sudo -- A=b rm x", "[A=b|rm|x]"),
                ("sudo -E", "reads"),
                ("sudo -i", "stdin in …"),
                ("sudo -s <<< 'rm x'", "stdin <<< 'rm x'"),
                ("sudo -i rm x", "[rm|x] in …"),
                ("sudo -s echo '$x' y", "[echo|…|y]"),
                ("sudo -l", "reads"),
                ("sudo -l rm x", "reads"),
                ("sudo -nv", "reads"),
                ("sudo -k", "reads"),
                ("sudo -k rm x", "[rm|x]"),
                ("sudo -K", "reads"),
                ("sudo -h", "reads"),
                ("sudo --version", "reads"),
                ("sudo -e /etc/hosts", "writes /etc/hosts"),
                ("sudoedit /etc/hosts /etc/x", "writes /etc/hosts; writes /etc/x"),
                ("sudo -D /srv ./x", "[./x] in /srv"),
                ("sudo -R /mnt rm x", "[rm|x] inside"),
                ("sudo --host=web01 reboot", "[reboot]; [reboot] at web01"),
                ("sudo -hweb01 reboot", "[reboot]; [reboot] at web01"),
            ],
        );
        check_unknown(
            sudo,
            &["sudo -h web01 reboot", "sudo --nope rm", "sudo -Z rm", "sudo … rm", "sudo $*", "sudo x… ls"],
        );
    }

    #[test]
    fn the_others_carry_too() {
        check(
            doas,
            &[
                ("doas -u www rm x", "[rm|x]"),
                ("doas -n rm -C", "[rm|-C]"),
                ("doas -s <<< rm", "stdin <<< rm"),
                ("doas -C /etc/doas.conf rm x", "reads"),
            ],
        );
        check(
            su,
            &[
                ("su -c 'rm x'", "sh {rm x}"),
                ("su - postgres -c 'rm x'", "sh {rm x} in …"),
                ("su root -c 'rm $1' sh y <<< z", "sh {rm $1} [sh|y] <<< z"),
                ("su -l root --command='rm x'", "sh {rm x} in …"),
                ("su -s /bin/bash -c 'rm x' www", "sh {rm x}"),
                ("su - <<< reboot", "stdin in … <<< reboot"),
                ("su root /tmp/x.sh a", "file [/tmp/x.sh|a]"),
                ("su root -- -c 'rm x'", "[sh|-c|rm x]"),
                ("su --help", "reads"),
            ],
        );
        check_unknown(su, &["su -s /tmp/x -c ls", "su -s /tmp/sh -c ls", "su -s … -c ls", "su -z", "su $* -c ls"]);
        check(
            runuser,
            &[
                ("runuser -u www -- rm x", "[rm|x]"),
                ("runuser -u www rm -c x", "[rm|-c|x]"),
                ("runuser -l www -c 'rm x'", "sh {rm x} in …"),
                ("runuser www -c 'rm x'", "sh {rm x}"),
            ],
        );
        check(
            pkexec,
            &[
                ("pkexec rm x", "[rm|x] in …"),
                ("pkexec --user www --keep-cwd rm x", "[rm|x]"),
                ("pkexec <<< reboot", "stdin in … <<< reboot"),
            ],
        );
    }
}
