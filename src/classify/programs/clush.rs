//! `clush` of ClusterShell: one command, or one copy, for many machines. Pure.

use super::host;
use super::machines::Machines;
use super::options::{self, Spec};
use super::ssh_settings;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, Stdin, What};
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "hnaqvdGLNPbBrScpE",
    values: "swgxXOflotumR",
    glued: "",
    long_flags: &[
        "version", "help", "nostdin", "sudo", "all", "quiet", "verbose", "debug", "groupbase", "progress", "dshbak", "regroup",
        "maxrc", "diff", "copy", "rcopy",
    ],
    long_values: &[
        "groupsource", "groupsconf", "conf", "option", "group", "hostfile", "machinefile", "topology", "pick", "color",
        "outdir", "errdir", "dest", "fanout", "user", "options", "connect_timeout", "command_timeout", "mode", "worker",
        "remote",
    ],
    stops: true,
    single_dash: false,
};

/// Judges a command of `clush`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let mut parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help", "version"]) {
        return Report::reads();
    }
    let copies = parsed.has(&["c", "copy", "rcopy"]);
    if copies {
        // Behind the files of a copy more options may stand.
        match options::parse(&parsed.operands, &Spec { stops: false, ..SPEC }) {
            Ok(more) => {
                parsed.options.extend(more.options);
                parsed.operands = more.operands;
            }
            Err(why) => return Report::unknown(why),
        }
    }
    let mut machines = Machines::default();
    let mut effects = Vec::new();
    let mut ssh: Vec<Word> = vec!["ssh".into()];
    for (name, value) in &parsed.options {
        let known = value.as_ref().and_then(Word::known);
        match (name.as_str(), value) {
            ("w", Some(value)) => match known {
                Some(list) => host::parts(list).for_each(|item| nodes(item, &mut machines)),
                None => machines.add_unknown(value),
            },
            ("hostfile" | "machinefile", Some(value)) => machines.add_file(value, facts),
            ("a" | "all" | "g" | "group", _) => machines.add_doubt("which machines its groups hold can't be told"),
            ("outdir" | "errdir", Some(value)) => effects.push(Effect::Writes(value.clone())),
            ("o" | "options", Some(value)) => match known.and_then(ssh_settings::words) {
                Some(words) => ssh.extend(words.iter().map(|word| Word::from(word.as_str()))),
                None => effects.push(Effect::Unknown(format!("the options `{}` for ssh can't be told", value.shown()))),
            },
            ("l" | "user", Some(value)) => ssh.extend(["-l".into(), value.clone()]),
            ("R" | "worker", Some(value))
                if matches!(known, Some("ssh" | "rsh" | "pdsh")) || value.known() == Some("") => {}
            ("m" | "mode", Some(_)) if matches!(known, Some("sudo" | "ssh")) => {}
            ("R" | "worker" | "m" | "mode" | "conf" | "topology" | "remote" | "groupsconf", Some(value)) => {
                effects.push(Effect::Unknown(format!("what `{}` makes it run or reach can't be told", value.shown())));
            }
            ("O" | "option", Some(value)) if !known.is_some_and(harmless) => {
                effects.push(Effect::Unknown(format!("what its setting `{}` does can't be told", value.shown())));
            }
            _ => {}
        }
    }
    machines.need("it is given no machines");
    for value in parsed.values(&["x"]) {
        if let Some(list) = value.known().filter(|list| !list.contains('@')) {
            machines.remove_list(list);
        }
    }
    let hosts = machines.reach(&ssh, facts, &mut effects);
    let to = parsed.values(&["dest"]).last().cloned();
    if parsed.has(&["rcopy"]) {
        effects.push(Effect::Writes(to.unwrap_or_else(|| ".".into())));
    } else if copies {
        effects.push(Effect::ChangesAt { hosts, how: "copies files to it".to_owned() });
    } else {
        let stdin = if parsed.has(&["n", "nostdin"]) { Stdin::Nothing } else { command.stdin.clone() };
        let what = match parsed.operands.as_slice() {
            [] => What::ShellStdin,
            words => What::Shell { text: Word::joined(words), arguments: vec![] },
        };
        // Without a command it reads lines itself, whatever it sends on.
        let stdin = if matches!(what, What::ShellStdin) { command.stdin.clone() } else { stdin };
        effects.push(Effect::Runs(Run { what, at: At::Hosts(hosts), stdin }));
    }
    Report { effects, by: None }
}

/// One item of a node set; groups and set arithmetic can't be told.
fn nodes(item: &str, machines: &mut Machines) {
    if item.contains(['@', '!', '&', '^', '*', '%']) {
        machines.add_doubt(format!("which machines `{item}` names can't be told"));
    } else {
        machines.add_list(item);
    }
}

/// Settings that only say how much runs at once, or what is shown.
fn harmless(setting: &str) -> bool {
    let name = setting.split('=').next().unwrap_or_default().trim();
    [
        "fanout",
        "connect_timeout",
        "command_timeout",
        "color",
        "fd_max",
        "history_size",
        "node_count",
        "maxrc",
        "verbosity",
    ]
    .contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::check;

    #[test]
    fn many_machines() {
        check(
            judge,
            &[
                ("clush -w node[3-5,62] uname -r", "node3,node4,node5,node62[uname -r]"),
                ("clush -bw node[1-3] -x node2 -l root reboot", "node1,node3[reboot]"),
                ("clush -a uname -r", "?[uname -r]"),
                ("clush -g oss modprobe lustre", "?[modprobe lustre]"),
                ("clush -w @oss,web01 id", "web01,?[id]"),
                ("clush -w 'node[1-9]!node3' id", "?[id]"),
                ("clush -w node[0-10/2] id", "?[id]"),
                ("clush -w … id", "?[id]"),
                ("clush id", "?[id]"),
                ("clush -w web01 <<< reboot", "web01[stdin] <<<reboot"),
                ("clush -n -w web01 sh <<< reboot", "web01[sh] <nothing"),
                ("clush -o '-p 2222' -w localhost id", "?[id]"),
                ("clush -o '-oProxyCommand=evil' -w web01 id", "local[evil] <nothing; ?[id]"),
                ("clush -R exec -w web01 reboot", "unknown; web01[reboot]"),
                ("clush -O ssh_path=/tmp/evil -w web01 id", "unknown; web01[id]"),
                ("clush -O fanout=2 -w web01 id", "web01[id]"),
                ("clush --conf=/tmp/x -w web01 id", "unknown; web01[id]"),
            ],
        );
    }

    #[test]
    fn copies() {
        check(
            judge,
            &[
                ("clush -w node[3-4] --copy /etc/motd --dest /tmp/motd2", "changes@node3,node4"),
                ("clush -w node3 -c /usr/share/doc", "changes@node3"),
                ("clush -w node3 --rcopy /etc/motd --dest /tmp", "writes /tmp"),
                ("clush -w node3 --rcopy /etc/motd", "writes ."),
            ],
        );
    }
}
