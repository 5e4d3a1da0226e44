//! `rsh`, `rlogin` and `telnet`: logins without ssh. Pure.

use super::host::{self, Place};
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

const SPEC: Spec = Spec {
    flags: "46vnKdxFfA8ELc",
    values: "lpkDe",
    glued: "",
    long_flags: &["ipv4", "ipv6", "help", "version"],
    long_values: &["user"],
    stops: true,
    single_dash: false,
};

/// Judges a command of `rsh`.
#[must_use]
pub fn rsh(command: &Command, _facts: &Facts) -> Report {
    let (host, parsed, words) = match read(command) {
        Ok(read) => read,
        Err(report) => return report,
    };
    let stdin = if parsed.has(&["n"]) { Stdin::Nothing } else { command.stdin.clone() };
    let what = match words.as_slice() {
        [] => What::ShellStdin,
        words => What::Shell { text: Word::joined(words), arguments: vec![] },
    };
    Report::runs(Run { what, at: At::Hosts(vec![host]), stdin })
}

/// Judges a command of `rlogin`.
#[must_use]
pub fn rlogin(command: &Command, _facts: &Facts) -> Report {
    match read(command) {
        Ok((host, _, _)) => {
            let at = At::Hosts(vec![host]);
            Report::runs(Run { what: What::ShellStdin, at, stdin: command.stdin.clone() })
        }
        Err(report) => report,
    }
}

/// The machine, the options, and the words behind both.
fn read(command: &Command) -> Result<(Host, Parsed, Vec<Word>), Report> {
    let mut parsed = options::parse(command.arguments(), &SPEC).map_err(Report::unknown)?;
    if parsed.has(&["help", "version"]) {
        return Err(Report::reads());
    }
    let Some((target, rest)) = parsed.operands.split_first() else {
        return Err(Report::unknown("it names no machine"));
    };
    let Place { host: name, .. } = host::user_at_host(target);
    let mut host = host::host(&name);
    // Options may stand behind the machine too.
    let more =
        options::parse(rest, &SPEC).map_err(|why| Report::of(Effect::UnknownAt { hosts: vec![host.clone()], why }))?;
    parsed.options.extend(more.options);
    if host == Host::Same && parsed.has(&["p"]) {
        host = Host::Unknown("loopback with a port of its own may be a tunnel to another machine".to_owned());
    }
    Ok((host, parsed, more.operands))
}

/// Judges a command of `telnet`, which speaks to whatever listens.
#[must_use]
pub fn telnet(command: &Command, _facts: &Facts) -> Report {
    if matches!(command.stdin, Stdin::Inherited | Stdin::Nothing) {
        // Nothing can be typed; `-n` writes what passes to a file.
        let trace = command.arguments().iter().any(|word| word.may_begin_with("-n") || word.may_begin_with("--tr"));
        return if trace { Report::unknown("it writes what passes to a file") } else { Report::reads() };
    }
    let spec =
        Spec { flags: "468acdEKLrx", values: "belnkXS", long_flags: &[], long_values: &[], stops: false, ..SPEC };
    let why = "what is sent to it is no command of a shell".to_owned();
    match options::parse(command.arguments(), &spec) {
        Ok(parsed) => match parsed.operands.first() {
            Some(target) => Report::of(Effect::UnknownAt { hosts: vec![host::host(target)], why }),
            None => Report::unknown(why),
        },
        Err(why) => Report::unknown(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::check;

    #[test]
    fn logins() {
        check(
            rsh,
            &[
                ("rsh web01 uptime", "web01[uptime]"),
                ("rsh web01 -l root reboot", "web01[reboot]"),
                ("rsh -n web01 sh <<< x", "web01[sh] <nothing"),
                ("rsh web01 <<< reboot", "web01[stdin] <<<reboot"),
                ("rsh -p 5140 localhost id", "?[id]"),
                ("rsh localhost id", "same[id]"),
                ("rsh root@… id", "?[id]"),
                ("rsh web01 …", "unknown@web01"),
                ("rsh -Z web01", "unknown"),
                ("rsh", "unknown"),
            ],
        );
        check(rlogin, &[("rlogin -l root web01", "web01[stdin]"), ("rlogin web01 <<< x", "web01[stdin] <<<x")]);
        check(
            telnet,
            &[
                ("telnet web01 80", "reads"),
                ("telnet web01 80 <<< DELETE", "unknown@web01"),
                ("telnet -l root web01 <-", "unknown@web01"),
                ("telnet <<< 'open x'", "unknown"),
                ("telnet -n /etc/x web01", "unknown"),
            ],
        );
    }
}
