//! `pdsh`, `pdcp`, `rpdcp`, and `dsh`: one command for many machines. Pure.

use super::copied;
use super::host;
use super::machines::Machines;
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, What};
use crate::classify::word::Word;

const SPEC: Spec = Spec {
    flags: "hSsqbNdVLaAivkrp",
    values: "wxRltufMgXFjPCeo",
    glued: "",
    long_flags: &[],
    long_values: &[],
    stops: true,
    single_dash: false,
};

/// Judges a command of `pdsh`.
#[must_use]
pub fn pdsh(command: &Command, facts: &Facts) -> Report {
    let (parsed, machines) = match read(command, facts, &SPEC) {
        Ok(read) => read,
        Err(report) => return report,
    };
    let mut effects = Vec::new();
    let words = Word::joined(&parsed.operands);
    let transport = parsed.values(&["R"]).last();
    if transport.is_some_and(|name| name.known() == Some("exec")) {
        return run_here(&parsed, &machines);
    }
    let plain = |name: &Word| matches!(name.known(), Some("ssh" | "rsh" | "mrsh" | "krb4" | "qsh" | "mqsh" | "xcpu"));
    if let Some(name) = transport.filter(|name| !plain(name)) {
        effects.push(Effect::Unknown(format!("how `{}` reaches machines is not known", name.shown())));
    }
    let hosts = machines.reach(&["ssh".into()], facts, &mut effects);
    let what =
        if parsed.operands.is_empty() { What::ShellStdin } else { What::Shell { text: words, arguments: vec![] } };
    effects.push(Effect::Runs(Run { what, at: At::Hosts(hosts), stdin: command.stdin.clone() }));
    Report { effects, by: None }
}

/// With `-R exec` the command runs here, once for each machine, whose name is put in.
fn run_here(parsed: &Parsed, machines: &Machines) -> Report {
    let run = |name: Option<&str>| {
        let mut text = Word::default();
        for (nr, stretch) in Word::joined(&parsed.operands).stretches().enumerate() {
            if nr > 0 {
                text.push_hole();
            }
            let mut rest = stretch;
            while let Some((before, behind)) = rest.split_once('%') {
                text.push_text(before);
                match (behind.chars().next(), name) {
                    (Some('h'), Some(name)) => text.push_text(name),
                    (Some('%'), _) => text.push_text("%"),
                    _ => text.push_hole(),
                }
                rest = behind.get(1..).unwrap_or_default();
            }
            text.push_text(rest);
        }
        let what = What::Shell { text, arguments: vec![] };
        Effect::Runs(Run { what, at: At::Child, stdin: crate::classify::effect::Stdin::Nothing })
    };
    let plain = |names: &&[String]| names.len() <= 16 && names.iter().all(|name| host::fault(name).is_none());
    let effects = match machines.names().filter(plain) {
        Some(names) => names.iter().map(|name| run(Some(name))).collect(),
        None => vec![run(None)],
    };
    Report { effects, by: None }
}

/// Judges a command of `pdcp`, which copies to all machines.
#[must_use]
pub fn pdcp(command: &Command, facts: &Facts) -> Report {
    copies(command, facts, true)
}

/// Judges a command of `rpdcp`, which copies from all machines.
#[must_use]
pub fn rpdcp(command: &Command, facts: &Facts) -> Report {
    copies(command, facts, false)
}

fn copies(command: &Command, facts: &Facts, there: bool) -> Report {
    let (parsed, machines) = match read(command, facts, &SPEC) {
        Ok(read) => read,
        Err(report) => return report,
    };
    let mut effects = Vec::new();
    let hosts = machines.reach(&["ssh".into()], facts, &mut effects);
    if let Some(path) = parsed.values(&["e"]).last()
        && !path.known().is_some_and(|path| path.ends_with("/pdcp") && !copied::is_shell_text(&path.into()))
    {
        effects.push(copied::shell_there(path.clone(), hosts.clone()));
    }
    match parsed.operands.last() {
        _ if there => effects.push(Effect::ChangesAt { hosts, how: "copies files to it".to_owned() }),
        Some(to) => effects.push(Effect::Writes(to.clone())),
        None => effects.push(Effect::Unknown("it names nowhere to copy to".to_owned())),
    }
    Report { effects, by: None }
}

/// The options, and the machines that they name.
fn read(command: &Command, facts: &Facts, spec: &Spec) -> Result<(Parsed, Machines), Report> {
    let parsed = options::parse(command.arguments(), spec).map_err(Report::unknown)?;
    // `-q` only lists what would be done.
    if parsed.has(&["h", "V", "L", "q"]) {
        return Err(Report::reads());
    }
    let mut machines = Machines::default();
    for value in parsed.values(&["w"]) {
        match value.known() {
            Some(list) => host::parts(list).for_each(|item| target(item, facts, &mut machines)),
            None => machines.add_unknown(value),
        }
    }
    if parsed.has(&["a", "A", "g", "F", "j", "P", "C"]) {
        machines.add_doubt("which machines its groups hold can't be told");
    }
    machines.need("its machines stand in the file that WCOLL names");
    for value in parsed.values(&["x"]) {
        if let Some(list) = value.known() {
            machines.remove_list(list);
        }
    }
    Ok((parsed, machines))
}

/// One item of `-w`: machines, machines to leave out, a file of machines, or a pattern for them.
fn target(item: &str, facts: &Facts, machines: &mut Machines) {
    if item == "-" {
        machines.add_doubt("its machines come on stdin");
    } else if let Some(out) = item.strip_prefix('-') {
        machines.remove_list(out);
    } else if let Some(path) = item.strip_prefix('^') {
        machines.add_file(&path.into(), facts);
    } else if !item.starts_with('/') {
        // A pattern only takes some of them out; `ssh:root@web01` names the way and the user.
        let name = item
            .split_once(':')
            .filter(|(way, _)| way.chars().all(char::is_alphanumeric))
            .map_or(item, |(_, rest)| rest);
        machines.add_list(name.rsplit_once('@').map_or(name, |(_, name)| name));
    }
}

/// Judges a command of `dsh`.
#[must_use]
pub fn dsh(command: &Command, facts: &Facts) -> Report {
    let spec = Spec {
        flags: "vqahwcMHiV",
        values: "mgfrobNF",
        long_flags: &[
            "verbose",
            "quiet",
            "all",
            "help",
            "wait-shell",
            "concurrent-shell",
            "show-machine-names",
            "hide-machine-names",
            "duplicate-input",
            "version",
        ],
        long_values: &[
            "machine",
            "group",
            "file",
            "remoteshell",
            "remoteshellopt",
            "bufsize",
            "num-topology",
            "forklimit",
        ],
        ..SPEC
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help", "V", "version"]) {
        return Report::reads();
    }
    let mut machines = Machines::default();
    for (name, value) in &parsed.options {
        match (name.as_str(), value) {
            ("m" | "machine", Some(value)) => match value.known() {
                Some(list) => list.split(',').for_each(|name| machines.add(name)),
                None => machines.add_unknown(value),
            },
            ("f" | "file", Some(value)) => machines.add_file(value, facts),
            ("a" | "all" | "g" | "group", _) => machines.add_doubt("which machines its groups hold can't be told"),
            _ => {}
        }
    }
    machines.need("it is given no machines");
    let shell = parsed.values(&["r", "remoteshell"]).last().cloned().unwrap_or_else(|| "ssh".into());
    let mut words = vec![shell];
    words.extend(parsed.values(&["o", "remoteshellopt"]).cloned());
    let mut effects = Vec::new();
    let hosts: Vec<Host> = if words.first().and_then(Word::known) == Some("rsh") {
        // Without ssh its config says nothing of the names.
        let names = machines.names().map(<[String]>::to_vec).unwrap_or_default();
        let known = names.iter().map(|name| host::host(&host::user_at_host(&name.as_str().into()).host));
        if names.is_empty() { vec![Host::Unknown("its machines can't be told".to_owned())] } else { known.collect() }
    } else {
        machines.reach(&words, facts, &mut effects)
    };
    let what = match parsed.operands.as_slice() {
        [] => What::ShellStdin,
        words => What::Shell { text: Word::joined(words), arguments: vec![] },
    };
    effects.push(Effect::Runs(Run { what, at: At::Hosts(hosts), stdin: command.stdin.clone() }));
    Report { effects, by: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::{Files, check, command, own, shown};

    #[test]
    fn many_machines() {
        check(
            pdsh,
            &[
                ("pdsh -w web[01-03],db1 uptime", "web01,web02,web03,db1[uptime]"),
                ("pdsh -w web[1-3] -x web2 -l root reboot now", "web1,web3[reboot now]"),
                ("pdsh -w web[1-3],-web1 id", "web2,web3[id]"),
                ("pdsh -Rssh -w ssh:root@web01 id", "web01[id]"),
                ("pdsh -w web01 -w web02 id -a", "web01,web02[id -a]"),
                ("pdsh -a reboot", "?[reboot]"),
                ("pdsh -g web reboot", "?[reboot]"),
                ("pdsh -w web01 -g web reboot", "web01,?[reboot]"),
                ("pdsh reboot", "?[reboot]"),
                ("pdsh -w ^hosts reboot", "?[reboot]"),
                ("pdsh -w - reboot", "?[reboot]"),
                ("pdsh -w … reboot", "?[reboot]"),
                ("pdsh -w h[1-999] reboot", "?[reboot]"),
                ("pdsh -w web01 <<< reboot", "web01[stdin] <<<reboot"),
                (
                    "pdsh -R exec -w a,b ssh -p 1 %h reboot",
                    "local[ssh -p 1 a reboot] <nothing; local[ssh -p 1 b reboot] <nothing",
                ),
                ("pdsh -R exec -a ssh %h %u", "local[ssh … …] <nothing"),
                ("pdsh -R new -w web01 id", "unknown; web01[id]"),
                ("pdsh -q -w web01 reboot", "reads"),
                ("pdsh -w localhost id", "same[id]"),
                ("pdsh -Z -w web01 id", "unknown"),
            ],
        );
        let files = Files([("/home/me/src/hosts", "web01\nweb[02-03]\n")].into());
        assert_eq!(shown(&pdsh(&command("pdsh -w ^hosts id"), &own(&files))), "web01,web02,web03[id]");
    }

    #[test]
    fn copies_to_and_from() {
        check(
            pdcp,
            &[
                ("pdcp -w web[1-2] x /etc/x", "changes@web1,web2"),
                ("pdcp -w web1 -e /usr/bin/pdcp x /y", "changes@web1"),
                ("pdcp -w web1 -e 'rm;/pdcp' x /y", "web1[rm;/pdcp] <nothing; changes@web1"),
            ],
        );
        check(rpdcp, &[("rpdcp -w web[1-2] /etc/x out", "writes out")]);
    }

    #[test]
    fn dsh_asks_each() {
        check(
            dsh,
            &[
                ("dsh -m web01,root@web02 -- uptime", "web01,web02[uptime]"),
                ("dsh -r ssh -m web01 -c id", "web01[id]"),
                ("dsh -r rsh -m web01 id", "web01[id]"),
                ("dsh -r /tmp/evil -m web01 id", "local[words:/tmp/evil|web01|…] <?; ?[id]"),
                ("dsh -r ssh -o -p2222 -m localhost id", "?[id]"),
                ("dsh -a -- reboot", "?[reboot]"),
                ("dsh -g web reboot", "?[reboot]"),
                ("dsh -M -m web01 <<< reboot", "web01[stdin] <<<reboot"),
            ],
        );
    }
}
