//! Salt, Puppet, Bolt, Chef's `knife`, Fabric: what runs on the machines that they manage. Pure.

use super::copied;
use super::host;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// Functions of Salt that only look.
#[rustfmt::skip]
const SALT: &[&str] = &[
    "test.ping", "test.version", "test.versions", "test.echo", "grains.get", "grains.items", "grains.item", "grains.ls", "status.uptime",
    "status.loadavg", "status.diskusage", "status.meminfo", "status.cpuinfo", "status.all_status", "status.procs", "pkg.list_pkgs", "pkg.version",
    "pkg.latest_version", "pkg.list_upgrades", "service.status", "service.get_all", "service.get_enabled", "service.enabled", "network.interfaces",
    "network.ip_addrs", "network.netstat", "disk.usage", "disk.percent", "sys.doc", "sys.list_functions", "sys.list_modules", "pillar.get", "pillar.items",
    "pillar.item", "file.exists", "file.file_exists", "file.directory_exists", "file.stats", "file.read", "file.readdir", "user.info", "user.list_users",
    "group.info", "saltutil.running", "saltutil.find_job", "cmd.which", "cmd.has_exec", "ps.top", "ps.get_pid_list", "system.get_system_time",
];

/// Options of Salt with a value.
const SALT_VALUES: &[&str] = &[
    "-t",
    "--timeout",
    "-c",
    "--config-dir",
    "-b",
    "--batch-size",
    "--out",
    "--output",
    "-l",
    "--log-level",
    "-u",
    "--user",
    "--username",
    "--out-file",
    "--output-file",
    "--out-indent",
    "--output-indent",
    "--log-file",
    "--log-file-level",
    "--batch-wait",
    "--state-output",
];

/// Modules of Salt that change nothing but the minion on which they run.
#[rustfmt::skip]
const SALT_STAYS: &[&str] = &[
    "aptpkg", "archive", "chocolatey", "file", "grains", "group", "iptables", "kmod", "locale", "lowpkg", "mount", "pip", "pkg", "ps", "selinux",
    "service", "shadow", "sysctl", "system", "systemd_service", "timezone", "user", "yumpkg",
];

/// Judges a command of `salt` or `salt-call`.
#[must_use]
pub fn salt(command: &Command, facts: &Facts) -> Report {
    copied::from_here(of_salt(command), facts, "what it reaches from this machine can't be told")
}

fn of_salt(command: &Command) -> Report {
    let own = command.program() == Some("salt-call");
    let mut operands: Vec<&Word> = vec![];
    let (mut list, mut pattern) = (false, false);
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        match word.known() {
            None if word.may_be_option() => {
                return Report::unknown(format!("what `{}` is can't be told", word.shown()));
            }
            Some("--help" | "-h" | "--version" | "-d" | "--doc") => return Report::reads(),
            Some("-L" | "--list") => list = true,
            Some(
                "-E" | "--pcre" | "-G" | "--grain" | "-C" | "--compound" | "-N" | "--nodegroup" | "-S" | "--ipcidr"
                | "-I" | "--pillar" | "-R",
            ) => {
                pattern = true;
            }
            Some(
                "--local" | "-v" | "--verbose" | "--async" | "--static" | "--no-color" | "--force-color" | "--show-jid"
                | "-q",
            ) => {}
            Some(text) if SALT_VALUES.contains(&text) => {
                words.next();
            }
            // Only with its value glued on: else what follows would be taken for its target.
            Some(text)
                if (text.starts_with("--out") && text.contains('='))
                    || text.starts_with("--timeout=")
                    || text.starts_with("--log-level=") => {}
            Some(text) if text.starts_with('-') => return Report::unknown(format!("its option `{text}` is not known")),
            _ => operands.push(word),
        }
    }
    let mut operands = operands.into_iter();
    let hosts = if own {
        vec![Host::Same]
    } else {
        let Some(target) = operands.next() else { return Report::reads() };
        match target.known() {
            Some(names) if list => names.split(',').map(|name| host::named(name.trim())).collect(),
            Some(name) if !pattern => vec![host::named(name)],
            _ => vec![Host::Unknown(format!("which minions `{}` picks can't be told", target.shown()))],
        }
    };
    let Some(function) = operands.next() else { return Report::reads() };
    let rest: Vec<&Word> = operands.collect();
    let Some(name) = function.known() else {
        return at(hosts, "which function it runs is only known then");
    };
    let tests = rest.iter().any(|word| matches!(word.known(), Some("test=True" | "test=true")));
    match name {
        "cmd.run" | "cmd.shell" | "cmd.run_all" | "cmd.run_stdout" | "cmd.run_stderr" | "cmd.retcode" => {
            match rest.as_slice() {
                [text] if !text.stretches().any(|part| part.contains("{{")) => {
                    Report::of(copied::shell_there((*text).clone(), hosts))
                }
                _ => at(hosts, "what the arguments do to its command is not followed"),
            }
        }
        name if SALT.contains(&name) || name.starts_with("state.show_") => Report::reads(),
        name if name.starts_with("state.") && tests => Report::reads(),
        name if name.starts_with("cmd.")
            || name.contains(',')
            || name.starts_with("saltutil.")
            || name.starts_with("publish.") =>
        {
            at(hosts, &format!("what `{name}` runs is not followed"))
        }
        name => {
            let how = format!("is changed by `{name}` of Salt");
            let stays = name.split_once('.').is_some_and(|(module, _)| SALT_STAYS.contains(&module));
            if stays && hosts == [Host::Same] {
                Report::changes(how)
            } else {
                Report::of(Effect::ChangesAt { hosts, how })
            }
        }
    }
}

fn at(hosts: Vec<Host>, why: &str) -> Report {
    // Where only the machine itself is meant, it is unknown as anything else there.
    if hosts == [Host::Same] {
        Report::unknown(why)
    } else {
        Report::of(Effect::UnknownAt { hosts, why: why.to_owned() })
    }
}

/// Judges a command of `puppet`.
#[must_use]
pub fn puppet(command: &Command, facts: &Facts) -> Report {
    let words = command.arguments();
    let known: Vec<&str> = words.iter().filter_map(Word::known).collect();
    let has = |option: &str| known.contains(&option);
    let all_known = known.len() == words.len();
    let plain: Vec<&str> = known.iter().copied().filter(|word| !word.starts_with('-')).collect();
    if has("--help") || has("-h") || has("--version") || has("-V") {
        return Report::reads();
    }
    // What stands behind an option may be its value.
    let before_noop = known.iter().position(|word| *word == "--noop").and_then(|at| known.get(at.checked_sub(1)?));
    let takes_no_value = |word: &&str| {
        !word.starts_with('-')
            || ["-t", "--test", "-v", "--verbose", "-d", "--debug", "--onetime", "--no-daemonize", "--show_diff"]
                .contains(word)
    };
    let noop = has("--noop") && !has("--no-noop") && before_noop.is_none_or(takes_no_value);
    match plain.as_slice() {
        ["agent" | "apply", ..] if noop && all_known => Report::reads(),
        // Its resources run programs, which reach other machines from here.
        ["apply", ..] if facts.own => Report::unknown("what its manifest runs is not read"),
        ["agent" | "apply", ..] => Report::changes("applies a catalog of Puppet"),
        ["resource", kind, ..] if *kind == "exec" => Report::unknown("what it runs can't be told"),
        ["resource", rest @ ..] if all_known => {
            if rest.iter().any(|word| word.contains('=')) || has("--edit") || has("-e") {
                Report::changes("sets a resource with Puppet")
            } else {
                Report::reads()
            }
        }
        ["lookup" | "help" | "describe" | "doc", ..]
        | ["facts"]
        | ["facts", "find" | "show" | "diff", ..]
        | ["parser", "validate" | "dump", ..]
        | ["config", "print", ..]
        | ["module", "list" | "search", ..]
        | ["catalog", "find" | "compile", ..]
        | ["ssl", "show" | "verify", ..] => Report::reads(),
        _ => Report::unknown("what `puppet` does can't be told"),
    }
}

/// Judges a command of `bolt`.
#[must_use]
pub fn bolt(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let mut hosts = vec![];
    let mut operands = vec![];
    let mut all = words.iter();
    while let Some(word) = all.next() {
        match word.known() {
            Some("--help" | "-h" | "--version") => return Report::reads(),
            Some("-t" | "--targets" | "-n" | "--nodes") => hosts.extend(all.next().into_iter().flat_map(targets)),
            Some(
                "-u" | "--user" | "-p" | "--password" | "--private-key" | "--transport" | "--run-as" | "--format"
                | "-c" | "--concurrency",
            ) => {
                all.next();
            }
            Some("--no-host-key-check" | "--verbose" | "-v" | "--no-color" | "--tty") => {}
            Some(text) if text.starts_with("--targets=") => {
                hosts.extend(targets(&text.trim_start_matches("--targets=").into()));
            }
            Some(text) if text.starts_with('-') => return Report::unknown(format!("its option `{text}` is not known")),
            None if word.may_be_option() => return Report::unknown("its words are only known when it runs"),
            _ => operands.push(word),
        }
    }
    if hosts.is_empty() {
        hosts.push(Host::Unknown("its machines stand in an inventory".into()));
    }
    match operands.as_slice() {
        [kind, verb, text, ..] if kind.known() == Some("command") && verb.known() == Some("run") => {
            Report::of(copied::shell_there((*text).clone(), hosts))
        }
        [kind, verb, ..] if verb.known() == Some("show") || kind.known() == Some("inventory") => Report::reads(),
        _ => at(hosts, "what `bolt` runs is not read"),
    }
}

fn targets(list: &Word) -> Vec<Host> {
    let Some(list) = list.known() else { return vec![host::host(list)] };
    // A name may be a group of its inventory.
    let one = |name: &str| {
        let name = name.trim();
        if name.starts_with('@') || name == "-" {
            return Host::Unknown("its machines stand in a file".into());
        }
        let bare = name.split_once("://").map_or(name, |(_, rest)| rest);
        let dotted = bare.contains('.') || name.contains("://") || host::loopback(bare);
        if dotted {
            host::named(&host::with_port(&bare.into()).host.shown())
        } else {
            Host::Unknown(format!("`{name}` may be a group"))
        }
    };
    list.split(',').map(one).collect()
}

/// Judges a command of `knife`.
#[must_use]
pub fn knife(command: &Command, _: &Facts) -> Report {
    const FLAGS: &[&str] = &[
        "-m",
        "--manual-list",
        "-y",
        "--yes",
        "--no-color",
        "--no-host-key-verify",
        "-V",
        "--verbose",
        "-VV",
        "-r",
        "-l",
        "--long",
    ];
    const VALUES: &[&str] = &[
        "-x",
        "--ssh-user",
        "-P",
        "--ssh-password",
        "-i",
        "--ssh-identity-file",
        "--identity-file",
        "-p",
        "--ssh-port",
        "-C",
        "--concurrency",
        "-a",
        "--attribute",
        "-c",
        "--config",
        "-E",
        "--environment",
        "-F",
        "--format",
        "-k",
        "--key",
        "-s",
        "--server-url",
        "-u",
        "--user",
        "-N",
        "--node-name",
        "-R",
        "--rows",
        "-U",
        "--connection-user",
    ];
    let words = command.arguments();
    let has = |names: &[&str]| words.iter().any(|word| word.known().is_some_and(|word| names.contains(&word)));
    if has(&["--help", "-h", "--version", "-v"]) {
        return Report::reads();
    }
    let mut plain: Vec<&str> = vec![];
    let mut odd = false;
    let mut all = words.iter();
    while let Some(word) = all.next() {
        match word.known() {
            Some(text) if VALUES.contains(&text) => odd |= all.next().is_none_or(Word::is_many),
            Some(text) if text.starts_with('-') => odd |= !FLAGS.contains(&text),
            Some(text) => plain.push(text),
            None => odd |= word.may_be_option() || plain.len() < 2,
        }
    }
    match plain.as_slice() {
        ["status" | "search" | "diff" | "list" | "show", ..] => Report::reads(),
        ["data", "bag", "list" | "show", ..] => Report::reads(),
        // `knife exec` runs a script of that name.
        [what, "list" | "show", ..] if !["exec", "ssh", "winrm", "bootstrap", "edit", "delete"].contains(what) => {
            Report::reads()
        }
        // What runs where has to be known.
        ["ssh" | "bootstrap", ..] if odd => Report::unknown("its options are not known"),
        ["ssh", query, text] => {
            let hosts = if has(&["-m", "--manual-list"]) {
                query.split_whitespace().map(host::named).collect()
            } else {
                vec![Host::Unknown(format!("which nodes `{query}` finds can't be told"))]
            };
            let what = What::Shell { text: (*text).into(), arguments: vec![] };
            Report::of(Effect::Runs(Run { what, at: At::Hosts(hosts), stdin: Stdin::Nothing }))
        }
        ["bootstrap", name, ..] => {
            let hosts = vec![host::named(&host::with_port(&(*name).into()).host.shown())];
            Report::of(Effect::ChangesAt { hosts, how: "is set up with Chef".into() })
        }
        _ => Report::unknown("what `knife` does can't be told"),
    }
}

/// Judges a command of `fab`, which runs a program of the project's.
#[must_use]
pub fn fab(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let asks = |word: &Word| matches!(word.known(), Some("--help" | "-h" | "--version" | "-V"));
    if words.iter().take_while(|word| word.known() != Some("--")).any(asks) {
        return Report::reads();
    }
    // Even to list its tasks it loads `fabfile.py`, which is harmless by custom only.
    if matches!(words, [word] if matches!(word.known(), Some("-l" | "--list"))) {
        return Report::reads();
    }
    // Without a task what stands behind `--` is a shell's text there.
    let hosts = match words {
        [option, list, end, text @ ..] if is_hosts(option) && end.known() == Some("--") => Some((list.clone(), text)),
        [glued, end, text @ ..] if end.known() == Some("--") => {
            glued.strip_prefix("--hosts=").or_else(|| glued.strip_prefix("-H")).map(|list| (list, text))
        }
        _ => None,
    };
    let Some((list, text)) = hosts.filter(|(_, text)| !text.is_empty()) else {
        return Report::unknown("what the tasks of its fabfile do is not read");
    };
    let hosts = match list.known() {
        Some(list) => list.split(',').map(|name| host::host(&host::with_port(&name.trim().into()).host)).collect(),
        None => vec![host::host(&list)],
    };
    Report::of(copied::shell_there(Word::joined(text), hosts))
}

fn is_hosts(option: &Word) -> bool {
    matches!(option.known(), Some("-H" | "--hosts"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use super::*;

    #[test]
    fn what_runs_on_minions() {
        check(
            salt,
            &[
                ("salt web01 test.ping", "reads"),
                ("salt '*' test.ping", "reads"),
                ("salt web01 pkg.install nginx", "changes at web01"),
                ("salt '*' state.apply", "changes at ?"),
                ("salt '*' state.apply test=True", "reads"),
                ("salt -L web01,web02 service.restart nginx", "changes at web01,web02"),
                ("salt -G os:Debian pkg.upgrade", "changes at ?"),
                ("salt web01 cmd.run 'df -h'", "sh {df -h} at web01 <nothing"),
                ("salt web01 cmd.run reboot cwd=/x", "unknown at web01"),
                ("salt web01 cmd.script salt://x", "unknown at web01"),
                ("salt web01 test.ping,cmd.run ,reboot", "unknown at web01"),
                ("salt-call pkg.install x", "changes"),
                ("salt-call --local http.query http://web01/x method=DELETE", "changes at same; unknown"),
                ("salt-call postgres.db_remove x host=db01", "changes at same; unknown"),
                ("salt-call state.apply", "changes at same; unknown"),
                ("salt localhost state.apply", "changes at same; unknown"),
                ("salt-call grains.items", "reads"),
                ("salt --frob x", "unknown"),
                ("salt web01 …", "unknown"),
                ("salt --out-file web01 db01 pkg.install x", "changes at db01"),
                ("salt --out=json db01 pkg.install x", "changes at db01"),
                ("salt --out-frob web01 db01 pkg.install x", "unknown"),
            ],
        );
    }

    #[test]
    fn the_others() {
        check(
            puppet,
            &[
                ("puppet agent -t", "changes"),
                ("puppet agent -t --noop", "reads"),
                ("puppet resource service nginx", "reads"),
                ("puppet resource service nginx ensure=stopped", "changes"),
                ("puppet parser validate x.pp", "reads"),
                ("puppet node clean x", "unknown"),
                ("puppet agent -t --noop --no-noop", "changes"),
                ("puppet apply x.pp --logdest --noop", "unknown"),
                ("puppet apply -e 'exec { \"/usr/bin/ssh web01 reboot\": }'", "unknown"),
                ("puppet apply x.pp --noop", "reads"),
                ("puppet agent --test --noop --tags x", "reads"),
                ("puppet resource exec /sbin/reboot", "unknown"),
                ("puppet facts upload", "unknown"),
                ("puppet facts show os", "reads"),
            ],
        );
        check(
            bolt,
            &[
                ("bolt command run reboot -t web01.x,web02.x", "sh {reboot} at web01.x,web02.x <nothing"),
                ("bolt command run reboot -t web", "sh {reboot} at ? <nothing"),
                ("bolt script run x.sh -t web01.x", "unknown at web01.x"),
                ("bolt plan show", "reads"),
                ("bolt command run reboot -t web01.x -t web02.x", "sh {reboot} at web01.x,web02.x <nothing"),
                ("bolt command run reboot -t @web.txt", "sh {reboot} at ? <nothing"),
            ],
        );
        check(
            knife,
            &[
                ("knife node list", "reads"),
                ("knife data bag show x", "reads"),
                ("knife ssh 'role:web' 'reboot'", "sh {reboot} at ? <nothing"),
                ("knife ssh 'web01 web02' reboot -m", "sh {reboot} at web01,web02 <nothing"),
                ("knife ssh -m 'web01 web02' -x root 'uptime'", "sh {uptime} at web01,web02 <nothing"),
                ("knife ssh --frob x role:web reboot", "unknown"),
                ("knife ssh -m web01 …", "unknown"),
                ("knife bootstrap root@web01", "changes at web01"),
                ("knife node delete x", "unknown"),
                ("knife node delete list", "unknown"),
                ("knife ssh role:web show", "sh {show} at ? <nothing"),
                ("knife exec list", "unknown"),
            ],
        );
        check(
            fab,
            &[
                ("fab -l", "reads"),
                ("fab -H web01 deploy", "unknown"),
                ("fab -H web01 -- reboot", "sh {reboot} at web01 <nothing"),
                ("fab -H root@web01:22,web02 -- 'df -h'", "sh {df -h} at web01,web02 <nothing"),
                ("fab --hosts=web01 -- uptime --help", "sh {uptime --help} at web01 <nothing"),
                ("fab -H … -- reboot", "sh {reboot} at ? <nothing"),
                ("fab -H web01 deploy -- reboot", "unknown"),
                ("fab -- reboot", "unknown"),
            ],
        );
    }
}
