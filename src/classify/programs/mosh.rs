//! `mosh`: a login that ssh only starts. Pure.

use super::copied;
use super::host;
use super::options::{self, Spec};
use super::ssh_settings;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, What};
use crate::classify::word::Word;

const SPEC: Spec = Spec {
    flags: "ano46h",
    values: "p",
    glued: "",
    long_flags: &["ssh-pty", "no-ssh-pty", "predict-overwrite", "no-init", "local", "help", "version"],
    long_values: &["client", "server", "ssh", "predict", "family", "port", "bind-server", "experimental-remote-ip"],
    stops: true,
    single_dash: false,
};

/// Judges a command of `mosh`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["help", "h", "version"]) {
        return Report::reads();
    }
    let Some((target, words)) = parsed.operands.split_first() else {
        return Report::unknown("it names no machine");
    };
    // A second `--` may stand between the machine and its command.
    let words = words.strip_prefix(&["--".into()]).unwrap_or(words);
    let mut effects = Vec::new();
    if let Some(client) = parsed.values(&["client"]).last().filter(|client| !is_program(client, "mosh-client")) {
        effects.push(copied::child(vec![client.clone(), Word::unknown_many()]));
    }
    let place = host::user_at_host(target);
    let host = match parsed.values(&["ssh"]).last() {
        _ if parsed.has(&["local"]) => Host::Same,
        None => copied::reach_by(&["ssh".into()], &place, &[Word::unknown_many()], facts, &mut effects),
        Some(ssh) => match ssh.known().and_then(ssh_settings::words).filter(|words| !words.is_empty()) {
            Some(ssh) => {
                let ssh: Vec<Word> = ssh.iter().map(|word| Word::from(word.as_str())).collect();
                copied::reach_by(&ssh, &place, &[Word::unknown_many()], facts, &mut effects)
            }
            None => {
                let why = format!("the program `{}` that makes its connection can't be told", ssh.shown());
                effects.push(Effect::Unknown(why.clone()));
                Host::Unknown(why)
            }
        },
    };
    if let Some(server) = parsed.values(&["server"]).last().filter(|server| !is_program(server, "mosh-server")) {
        effects.push(copied::shell_there(server.clone(), vec![host.clone()]));
    }
    let what = if words.is_empty() { What::ShellStdin } else { What::Words(words.to_vec()) };
    effects.push(Effect::Runs(Run { what, at: At::Hosts(vec![host]), stdin: command.stdin.clone() }));
    Report { effects, by: None }
}

/// Whether a text is plainly this program, by its name or path.
fn is_program(text: &Word, name: &str) -> bool {
    text.known().is_some_and(|text| {
        text.rsplit('/').next() == Some(name) && text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::check;

    #[test]
    fn logins() {
        check(
            judge,
            &[
                ("mosh web01", "web01[stdin]"),
                ("mosh root@web01 -- systemctl restart nginx", "web01[words:systemctl|restart|nginx]"),
                ("mosh -a -p 60001 --ssh='ssh -p 2222' web01 htop", "web01[words:htop]"),
                ("mosh --ssh='ssh -p 2222' localhost", "?[stdin]"),
                ("mosh --ssh=/tmp/evil web01", "local[words:/tmp/evil|web01|…] <?; ?[stdin]"),
                ("mosh --server='rm x; mosh-server' web01", "web01[rm x; mosh-server] <nothing; web01[stdin]"),
                ("mosh --server=/usr/local/bin/mosh-server web01", "web01[stdin]"),
                ("mosh --client=/tmp/x web01", "local[words:/tmp/x|…] <?; web01[stdin]"),
                ("mosh --local x -- id", "same[words:id]"),
                ("mosh …", "unknown"),
            ],
        );
    }
}
