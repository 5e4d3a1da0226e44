//! The parallel-ssh family: `parallel-ssh`, `-scp`, `-slurp`, `-rsync`, `-nuke`. Pure.

use super::machines::Machines;
use super::options::{self, Parsed, Spec};
use super::ssh_settings;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "AivIPraz",
    values: "hHglptoexXOLS",
    glued: "",
    long_flags: &[
        "askpass", "inline", "inline-stdout", "verbose", "send-input", "print", "recursive", "archive", "compress", "version",
        "help",
    ],
    long_values: &[
        "hosts", "host", "host-glob", "user", "par", "timeout", "outdir", "errdir", "extra-args", "extra-arg", "options",
        "localdir", "ssh-args",
    ],
    stops: true,
    single_dash: false,
};

/// Judges a command of `parallel-ssh`.
#[must_use]
pub fn ssh(command: &Command, facts: &Facts) -> Report {
    with_machines(command, facts, |parsed, hosts, effects| {
        // Only with `-I` does anything come to the commands.
        let sends = parsed.has(&["I", "send-input"]);
        let stdin = if sends { command.stdin.clone() } else { Stdin::Nothing };
        let what = match parsed.operands.as_slice() {
            [] => What::ShellStdin,
            words => What::Shell { text: Word::joined(words), arguments: vec![] },
        };
        effects.push(Effect::Runs(Run { what, at: At::Hosts(hosts), stdin }));
    })
}

/// Judges a command of `parallel-scp` or `parallel-rsync`.
#[must_use]
pub fn scp(command: &Command, facts: &Facts) -> Report {
    with_machines(command, facts, |_, hosts, effects| {
        effects.push(Effect::ChangesAt { hosts, how: "copies files to it".to_owned() });
    })
}

/// Judges a command of `parallel-slurp`.
#[must_use]
pub fn slurp(command: &Command, facts: &Facts) -> Report {
    with_machines(command, facts, |parsed, _, effects| {
        let to = parsed.values(&["L", "localdir"]).last().cloned().or_else(|| parsed.operands.last().cloned());
        effects.push(Effect::Writes(to.unwrap_or_else(|| ".".into())));
    })
}

/// Judges a command of `parallel-nuke`.
#[must_use]
pub fn nuke(command: &Command, facts: &Facts) -> Report {
    with_machines(command, facts, |_, hosts, effects| {
        effects.push(Effect::ChangesAt { hosts, how: "kills processes on it".to_owned() });
    })
}

fn with_machines(command: &Command, facts: &Facts, judge: impl FnOnce(&Parsed, Vec<Host>, &mut Vec<Effect>)) -> Report {
    let parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["version", "help"]) {
        return Report::reads();
    }
    let folders = parsed.values(&["o", "outdir", "e", "errdir"]);
    let mut effects: Vec<Effect> = folders.cloned().map(Effect::Writes).collect();
    let mut machines = Machines::default();
    for (name, value) in &parsed.options {
        let Some(value) = value else { continue };
        match name.as_str() {
            "H" | "host" => match value.known() {
                Some(text) => text.split_whitespace().for_each(|name| machines.add(name)),
                None => machines.add_unknown(value),
            },
            "h" | "hosts" => machines.add_file(value, facts),
            _ => {}
        }
    }
    machines.need("it is given no machines");
    match ssh_words(&parsed) {
        Ok(words) => {
            let hosts = machines.reach(&words, facts, &mut effects);
            judge(&parsed, hosts, &mut effects);
        }
        Err(why) => {
            effects.push(Effect::Unknown(why));
            let hosts = machines.reach(&["ssh".into()], facts, &mut effects);
            judge(&parsed, hosts, &mut effects);
        }
    }
    Report { effects, by: None }
}

/// The ssh that it runs, with the options that it passes on.
fn ssh_words(parsed: &Parsed) -> Result<Vec<Word>, String> {
    let mut words = vec![Word::from("ssh")];
    for (name, value) in &parsed.options {
        let Some(value) = value else { continue };
        match name.as_str() {
            "O" | "options" => words.extend(["-o".into(), value.clone()]),
            "l" | "user" => words.extend(["-l".into(), value.clone()]),
            "X" | "extra-arg" => words.push(value.clone()),
            "x" | "extra-args" | "S" | "ssh-args" => {
                let args = value.known().and_then(ssh_settings::words);
                let args = args.ok_or_else(|| format!("the options `{}` for ssh can't be told", value.shown()))?;
                words.extend(args.iter().map(|word| Word::from(word.as_str())));
            }
            _ => {}
        }
    }
    Ok(words)
}

/// Whether a name is one of this family.
#[must_use]
pub fn of(program: &str) -> Option<super::Judge> {
    Some(match program {
        "parallel-ssh" | "pssh" => ssh,
        "parallel-scp" | "pscp.pssh" | "parallel-rsync" | "prsync" => scp,
        "parallel-slurp" | "pslurp" => slurp,
        "parallel-nuke" | "pnuke" => nuke,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::{Files, check, command, own, shown};

    #[test]
    fn machines_and_commands() {
        check(
            ssh,
            &[
                ("parallel-ssh -H 'web01 root@web02:22' -i uptime", "web01,web02[uptime] <nothing"),
                ("pssh -H web01 -H web02 -- ls -l", "web01,web02[ls -l] <nothing"),
                ("pssh -I -H web01 <<< reboot", "web01[stdin] <<<reboot"),
                ("pssh -H web01 sh <<< reboot", "web01[sh] <nothing"),
                ("pssh -h hosts reboot", "?[reboot] <nothing"),
                ("pssh -H … reboot", "?[reboot] <nothing"),
                ("pssh reboot", "?[reboot] <nothing"),
                ("pssh -o /out -H web01 id", "writes /out; web01[id] <nothing"),
                ("pssh -O HostName=prod -H web01 id", "web01=prod[id] <nothing"),
                ("pssh -x '-o ProxyCommand=evil' -H web01 id", "local[evil] <nothing; ?[id] <nothing"),
                ("pssh -X -p -X 2222 -H localhost id", "?[id] <nothing"),
                ("pssh -x … -H web01 id", "unknown; web01[id] <nothing"),
            ],
        );
        check(scp, &[("parallel-scp -H web01 x /y", "changes@web01"), ("prsync -H web01 -a x /y", "changes@web01")]);
        check(
            slurp,
            &[("pslurp -H web01 -L out /etc/hosts h", "writes out"), ("pslurp -H web01 /etc/hosts h", "writes h")],
        );
        check(nuke, &[("parallel-nuke -H web01 java", "changes@web01")]);
        let files = Files([("/home/me/src/hosts", "# all\nweb01\nroot@web02:22 x\n\n")].into());
        assert_eq!(shown(&ssh(&command("pssh -h hosts id"), &own(&files))), "web01,web02[id] <nothing");
    }
}
