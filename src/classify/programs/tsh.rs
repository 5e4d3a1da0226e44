//! `tsh` of Teleport: `tsh ssh` and `tsh scp`. Pure.

use super::host;
use super::options::{self, Spec};
use super::scp;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "dqAXYtNrRvk",
    values: "lipoLDPcFJ",
    glued: "",
    long_flags: &[
        "debug", "no-debug", "insecure", "no-use-local-ssh-agent", "use-local-ssh-agent", "enable-escape-sequences",
        "no-enable-escape-sequences", "forward-agent", "tty", "local", "no-remote-exec", "x11-untrusted", "x11-trusted",
        "participant-req", "recursive", "quiet", "preserve", "verbose", "help", "skip-version-check", "headless", "resume",
        "no-resume",
    ],
    long_values: &[
        "login", "proxy", "user", "ttl", "identity", "cert-format", "auth", "mfa-mode", "add-keys-to-agent", "port",
        "cluster", "option", "request-reason", "request-mode", "invite", "reason", "bind-addr", "jumphost", "forward",
        "dynamic-forward", "log-dir", "x11-untrusted-timeout", "relay", "piv-slot",
    ],
    stops: true,
    single_dash: false,
};

/// Judges a command of `tsh`.
#[must_use]
pub fn judge(command: &Command, _facts: &Facts) -> Report {
    let parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let Some((verb, rest)) = parsed.operands.split_first() else {
        return Report::reads();
    };
    match verb.known() {
        Some("ls" | "status" | "version" | "clusters" | "help") => Report::reads(),
        Some("login" | "logout") => Report::changes("changes who is logged in"),
        Some("ssh") => ssh(rest, &command.stdin),
        Some("scp") => copy(rest),
        _ => Report::unknown(format!("what `tsh {}` does is not known", verb.shown())),
    }
}

fn ssh(words: &[Word], stdin: &Stdin) -> Report {
    let parsed = match options::parse(words, &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let Some((target, rest)) = parsed.operands.split_first() else {
        return Report::unknown("it names no machine");
    };
    let host = node(&host::user_at_host(target).host);
    let more = match options::parse(rest, &SPEC) {
        Ok(more) => more,
        Err(why) => return Report::of(Effect::UnknownAt { hosts: vec![host], why }),
    };
    let has = |names: &[&str]| parsed.has(names) || more.has(names);
    let mut effects = Vec::new();
    if has(&["L", "D", "R", "N", "forward", "dynamic-forward", "no-remote-exec"]) {
        effects.push(Effect::Unknown("what goes through its tunnels can't be seen".to_owned()));
    }
    if has(&["o", "option"]) {
        effects.push(Effect::Unknown("what its options for ssh do can't be told".to_owned()));
    }
    // `--local` runs the command here, once connected.
    let at = if has(&["local"]) { At::Child } else { At::Hosts(vec![host]) };
    if !has(&["N", "no-remote-exec"]) {
        let what = match more.operands.as_slice() {
            [] => What::ShellStdin,
            words => What::Shell { text: Word::joined(words), arguments: vec![] },
        };
        effects.push(Effect::Runs(Run { what, at, stdin: stdin.clone() }));
    }
    Report { effects, by: None }
}

fn copy(words: &[Word]) -> Report {
    let spec = Spec { flags: "rqpdv", values: "lPic", stops: false, ..SPEC };
    let parsed = match options::parse(words, &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let mut effects = Vec::new();
    scp::copy(&parsed.operands, false, &mut |place, _| node(&place.host), &mut effects);
    Report { effects, by: None }
}

/// A machine by its name in Teleport; a label may stand for many.
fn node(name: &Word) -> Host {
    match name.known() {
        Some(text) if text.contains('=') => {
            Host::Unknown(format!("which machines have the label `{text}` can't be told"))
        }
        // Behind its proxy, loopback is another machine's.
        Some(text) if host::loopback(text) => Host::Unknown(format!("`{text}` is what Teleport makes of it")),
        _ => host::host(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::check;

    #[test]
    fn logins_and_copies() {
        check(
            judge,
            &[
                ("tsh ssh root@web01 uptime", "web01[uptime]"),
                ("tsh --proxy=p.corp ssh -l root web01 -t -- 'sudo reboot'", "web01[sudo reboot]"),
                ("tsh ssh root@env=prod reboot", "?[reboot]"),
                ("tsh ssh web01 <<< reboot", "web01[stdin] <<<reboot"),
                ("tsh ssh -L 1:a:2 web01 id", "unknown; web01[id]"),
                ("tsh ssh -N -L 1:a:2 web01", "unknown"),
                ("tsh ssh --local web01 id", "local[id]"),
                ("tsh ssh root@localhost id", "?[id]"),
                ("tsh ssh root@… id", "?[id]"),
                ("tsh ssh web01 …", "unknown@web01"),
                ("tsh scp -r x root@web01:/y", "changes@web01"),
                ("tsh scp web01:/y .", "writes ."),
                ("tsh ls -v", "reads"),
                ("tsh status", "reads"),
                ("tsh db connect x", "unknown"),
                ("tsh …", "unknown"),
            ],
        );
    }
}
