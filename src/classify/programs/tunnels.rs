//! Ways to other machines' ports that are no ssh: `sshuttle`, `tailscale`, `cloudflared`, `ngrok`, `chisel` and their like. Pure.

use super::carry;
use super::host;
use super::options::{self, Spec};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// Words with which each of them only shows something.
#[rustfmt::skip]
const SHOWS: &[(&str, &[&[&str]])] = &[
    ("bore", &[]),
    ("chisel", &[]),
    ("cloudflared", &[&["tunnel", "list"], &["tunnel", "info"], &["tunnel", "ls"], &["access", "token"]]),
    ("frpc", &[&["verify"], &["status"]]),
    ("frps", &[&["verify"]]),
    ("ngrok", &[&["config", "check"], &["diagnose"], &["credits"]]),
    ("zerotier-cli", &[&["info"], &["status"], &["listnetworks"], &["listpeers"], &["peers"], &["listmoons"], &["get"]]),
];

/// Whether a program is one of them.
#[must_use]
pub fn knows(program: &str) -> bool {
    SHOWS.iter().any(|(name, _)| *name == program)
}

/// Judges a command of one of them: which port then leads where stands in their config, or on the far side.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let name = carry::name(command);
    let words: Vec<&str> = command.arguments().iter().map_while(Word::known).collect();
    let whole = words.len() == command.arguments().len();
    let shows = match words.as_slice() {
        ["--version" | "-v" | "version" | "--help" | "-h" | "help"] => whole,
        words => SHOWS
            .iter()
            .filter(|(known, _)| *known == name)
            .flat_map(|(_, shows)| *shows)
            .any(|show| words.starts_with(show)),
    };
    if shows {
        return Report::reads();
    }
    Report::unknown(format!("what goes through the tunnel of `{name}` can't be seen"))
}

/// Judges a command of `sshuttle`, which sends the traffic for some networks through another machine.
#[must_use]
pub fn sshuttle(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    if all.iter().any(|word| matches!(word.known(), Some("-V" | "--version" | "-h" | "--help"))) {
        return Report::reads();
    }
    // `-e` is the ssh that it runs.
    let runs = all.iter().any(|word| {
        let text = word.beginning();
        ["-e", "--ssh-cmd", "--python", "--sudoers"].iter().any(|option| text.starts_with(option))
            || text.starts_with('@')
    });
    if runs {
        return Report::unknown("the program that it is given chooses the machine");
    }
    let at = all.iter().enumerate().find_map(|(at, word)| match word.known() {
        Some("-r" | "--remote") => all.get(at + 1).cloned(),
        _ => word.strip_prefix("--remote=").or_else(|| word.strip_prefix("-r")),
    });
    let why = "what goes through it later can't be seen".to_owned();
    match at {
        Some(target) => {
            let host = host::host(&host::with_port(&target).host);
            Report {
                effects: vec![
                    Effect::Changes("changes the network".to_owned()),
                    Effect::UnknownAt { hosts: vec![host], why },
                ],
                by: None,
            }
        }
        None => Report::unknown(why),
    }
}

/// Judges a command of `tailscale`.
#[must_use]
pub fn tailscale(command: &Command, _: &Facts) -> Report {
    let spec =
        Spec { long_flags: &["help", "h", "version"], long_values: &["socket"], single_dash: true, ..Spec::CARRIER };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["help", "h", "version"]) {
        return Report::reads();
    }
    let (sub, rest) = carry::first(&parsed.operands);
    match (sub.and_then(Word::known), rest) {
        (None, _) if sub.is_none() => Report::reads(),
        (
            Some(
                "status" | "ip" | "ping" | "netcheck" | "version" | "whois" | "bugreport" | "help" | "licenses"
                | "metrics",
            ),
            _,
        ) => Report::reads(),
        (Some("exit-node" | "dns" | "switch" | "lock"), [verb, ..])
            if matches!(verb.known(), Some("list" | "status" | "--list" | "log" | "query")) =>
        {
            Report::reads()
        }
        (Some("up" | "down" | "set" | "login" | "logout" | "switch" | "update" | "cert" | "configure"), _) => {
            Report::changes("changes the machine's network")
        }
        (Some("ssh"), [target, words @ ..]) if !target.may_be_option() => {
            let host = host::host(&host::user_at_host(target).host);
            let what = match words {
                [] => What::ShellStdin,
                words => What::Shell { text: Word::joined(words), arguments: vec![] },
            };
            Report::runs(Run { what, at: At::Hosts(vec![host]), stdin: command.stdin.clone() })
        }
        (Some("nc"), [target, ..]) => {
            if matches!(command.stdin, Stdin::Inherited | Stdin::Nothing) {
                return Report::reads();
            }
            let why = "what is sent to a port is no command of a shell".to_owned();
            Report::of(Effect::UnknownAt { hosts: vec![host::host(target)], why })
        }
        (Some("file"), [verb, rest @ ..]) => match (verb.known(), rest.last()) {
            (Some("cp"), Some(target)) => {
                let name = target.known().and_then(|text| text.strip_suffix(':'));
                let host = name
                    .map_or_else(|| Host::Unknown("to which machine it copies can't be told".to_owned()), host::named);
                Report::of(Effect::ChangesAt { hosts: vec![host], how: "sends files there".to_owned() })
            }
            (Some("get"), _) => Report::changes("fetches files"),
            _ => Report::unknown("what tailscale is told to do is not known"),
        },
        _ => Report::unknown("what tailscale is told to do is not known"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn ways_elsewhere() {
        check(
            sshuttle,
            &[
                ("sshuttle -r jo@bastion 10.0.0.0/8", "changes; unknown at bastion"),
                ("sshuttle -r bastion:2222 0/0 --dns -D", "changes; unknown at bastion"),
                ("sshuttle --remote=bastion 0/0", "changes; unknown at bastion"),
                ("sshuttle -V", "reads"),
                ("sshuttle -e 'ssh -i x' -r bastion 0/0", "unknown"),
                ("sshuttle 10.0.0.0/8", "unknown"),
                ("sshuttle @conf", "unknown"),
            ],
        );
        check(
            tailscale,
            &[
                ("tailscale status --json", "reads"),
                ("tailscale ip -4", "reads"),
                ("tailscale up --accept-routes", "changes"),
                ("tailscale ssh root@web01 reboot now", "sh {reboot now} at web01"),
                ("tailscale file cp x web01:", "changes at web01"),
                ("tailscale nc web01 80 <<< x", "unknown at web01"),
                ("tailscale nc web01 22", "reads"),
            ],
        );
        check_unknown(tailscale, &["tailscale serve 80", "tailscale funnel 80", "tailscale …", "tailscale ssh … x"]);
        check(
            judge,
            &[
                ("cloudflared --version", "reads"),
                ("cloudflared tunnel list", "reads"),
                ("ngrok help", "reads"),
                ("zerotier-cli info", "reads"),
            ],
        );
        check_unknown(
            judge,
            &[
                "cloudflared tunnel run x",
                "cloudflared access tcp --hostname db01 --url localhost:1",
                "ngrok http 80",
                "chisel client s 5433:db01:5432",
                "frpc -c x",
                "bore local 80",
                "ngrok …",
            ],
        );
    }
}
