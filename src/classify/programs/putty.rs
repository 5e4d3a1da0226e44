//! PuTTY's `plink`, `pscp` and `psftp`: where the guest is, and what runs there. Pure.

use super::copied;
use super::host::{self, Place};
use super::options::{self, Parsed, Spec};
use super::sftp::{self, Verb};
use super::{pssh, scp};
use crate::classify::Found;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "",
    values: "",
    glued: "",
    long_flags: &[
        "V", "-version", "pgpfp", "v", "ssh", "telnet", "rlogin", "raw", "serial", "supdup", "ssh-connection", "batch",
        "sanitise-stderr", "sanitise-stdout", "no-sanitise-stderr", "no-sanitise-stdout", "no-antispoof", "X", "x", "A", "a",
        "t", "T", "1", "2", "4", "6", "C", "noagent", "agent", "no-trivial-auth", "noshare", "share", "s", "N",
        "logoverwrite", "logappend", "shareexists", "ls", "p", "q", "r", "unsafe", "scp", "sftp", "bc", "be",
    ],
    long_values: &[
        "load", "proxycmd", "P", "l", "m", "pw", "pwfile", "L", "R", "D", "i", "cert", "hostkey", "nc", "sercfg", "sshlog",
        "sshrawlog", "b",
    ],
    stops: true,
    single_dash: true,
};

/// Judges a command of `plink`.
#[must_use]
pub fn plink(command: &Command, facts: &Facts) -> Report {
    let mut parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    // A session that is loaded has the machine: then the first word is the command's.
    let target = (!parsed.operands.is_empty() && !parsed.has(&["load"])).then(|| parsed.operands.remove(0));
    // Options may stand behind the machine too.
    match options::parse(&parsed.operands, &SPEC) {
        Ok(more) => {
            parsed.options.extend(more.options);
            parsed.operands = more.operands;
        }
        Err(why) => {
            let hosts = target.iter().map(|target| host::host(&host::user_at_host(target).host)).collect();
            return Report::of(Effect::UnknownAt { hosts, why });
        }
    }
    if parsed.has(&["V", "-version", "pgpfp", "shareexists"]) {
        return Report::reads();
    }
    let mut effects = Vec::new();
    let host = match &target {
        Some(target) => reach(&host::user_at_host(target), &parsed, facts, &mut effects),
        None => Host::Unknown("the machine stands in a saved session".to_owned()),
    };
    let hosts = vec![host];
    if parsed.has(&["L", "R", "D", "nc", "N"]) {
        effects.push(Effect::Unknown("what goes through its tunnels can't be seen".to_owned()));
    }
    if parsed.has(&["nc", "N"]) {
        return Report { effects, by: None };
    }
    if parsed.has(&["telnet", "rlogin", "raw", "serial", "supdup", "s"]) {
        effects.push(Effect::UnknownAt { hosts, why: "what is sent to it is no command of a shell".to_owned() });
        return Report { effects, by: None };
    }
    let run = |what, stdin| Effect::Runs(Run { what, at: At::Hosts(hosts.clone()), stdin });
    let script = parsed.values(&["m"]).last();
    if let Some(script) = script {
        // A file of commands from here, which a shell there reads.
        effects.push(run(What::ShellStdin, Stdin::File(script.clone())));
    }
    if !parsed.operands.is_empty() {
        let what = What::Shell { text: Word::joined(&parsed.operands), arguments: vec![] };
        effects.push(run(what, command.stdin.clone()));
    } else if script.is_none() {
        effects.push(run(What::ShellStdin, command.stdin.clone()));
    }
    Report { effects, by: None }
}

/// Judges a command of `pscp`; a program of the same name in the parallel-ssh family takes its machines with `-h` or `-H`.
#[must_use]
pub fn pscp(command: &Command, facts: &Facts) -> Report {
    let parallel = |word: &Word| {
        ["-h", "-H", "--host"].iter().any(|start| word.begins_with(start)) && !word.begins_with("-hostkey")
    };
    if command.arguments().iter().any(parallel) {
        return pssh::scp(command, facts);
    }
    let spec = Spec { stops: false, ..SPEC };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return scp::unclear(command, why),
    };
    if parsed.has(&["V", "-version", "pgpfp"]) {
        return Report::reads();
    }
    let mut effects = Vec::new();
    let mut reach = |place: &Place, effects: &mut Vec<Effect>| reach(place, &parsed, facts, effects);
    if parsed.has(&["ls"]) {
        for word in &parsed.operands {
            if let copied::File::Remote { place, .. } = copied::file(word, false) {
                reach(&place, &mut effects);
            }
        }
    } else {
        scp::copy(&parsed.operands, false, &mut reach, &mut effects);
    }
    Report { effects, by: None }
}

/// Judges a command of `psftp`.
#[must_use]
pub fn psftp(command: &Command, facts: &Facts) -> Report {
    let spec = Spec { stops: false, ..SPEC };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["V", "-version", "pgpfp"]) {
        return Report::reads();
    }
    let mut effects = Vec::new();
    let host = match parsed.operands.first() {
        Some(target) => reach(&host::user_at_host(target), &parsed, facts, &mut effects),
        None => Host::Unknown("the machine is named when it runs".to_owned()),
    };
    let script = parsed.values(&["b"]).last().map_or_else(|| command.stdin.clone(), |file| Stdin::File(file.clone()));
    sftp::batch(&script, &host, facts, verb, &mut effects);
    Report { effects, by: None }
}

fn verb(verb: &str) -> Verb {
    match verb {
        "bye" | "cd" | "close" | "dir" | "exit" | "help" | "lcd" | "lpwd" | "ls" | "pwd" | "quit" => Verb::Reads,
        "get" | "mget" | "reget" => Verb::Fetches,
        "chmod" | "del" | "mkdir" | "mput" | "mv" | "put" | "ren" | "rename" | "reput" | "rm" | "rmdir" => {
            Verb::Changes
        }
        "!" => Verb::Shell,
        // `open` goes to another machine.
        _ => Verb::Unknown,
    }
}

/// Which machine is reached, and what that does here.
fn reach(place: &Place, parsed: &Parsed, facts: &Facts, effects: &mut Vec<Effect>) -> Host {
    copied::add(effects, parsed.values(&["sshlog", "sshrawlog"]).cloned().map(Effect::Writes));
    if let Some(text) = parsed.values(&["proxycmd"]).last() {
        let mut words = Word::default();
        words.push_word(text);
        // `%host` and its like are put in.
        if words.shown().contains('%') {
            words = Word::unknown();
        }
        let what = What::Shell { text: words, arguments: vec![] };
        copied::add(effects, [Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Nothing })]);
        return Host::Unknown("its proxy command chooses the machine that is reached".to_owned());
    }
    if parsed.has(&["load"]) {
        return Host::Unknown("the machine stands in a saved session".to_owned());
    }
    if let (Some(name), Some(home), true) = (place.host.known(), facts.home, facts.own)
        && facts.around.file(&format!("{home}/.putty/sessions/{name}")) != Found::Nothing
    {
        return Host::Unknown(format!("`{name}` is the name of a saved session"));
    }
    match host::host(&place.host) {
        Host::Same if parsed.values(&["P"]).any(|port| port.known() != Some("22")) => {
            Host::Unknown("loopback with a port of its own may be a tunnel to another machine".to_owned())
        }
        host => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::{Files, check, command, own, shown};

    #[test]
    fn plink_runs_there() {
        check(
            plink,
            &[
                ("plink web01 uptime", "web01[uptime]"),
                ("plink -ssh -batch -pw x root@web01 ls -l", "web01[ls -l]"),
                ("plink web01 -P 2222 reboot", "web01[reboot]"),
                ("plink -P 2222 localhost id", "?[id]"),
                ("plink web01 <<< reboot", "web01[stdin] <<<reboot"),
                ("plink -m fix.sh web01", "web01[stdin] <fix.sh"),
                ("plink -load prod id", "?[id]"),
                ("plink -N -L 1:a:2 web01", "unknown"),
                ("plink -nc db:22 web01", "unknown"),
                ("plink -telnet web01", "unknown@web01"),
                ("plink -proxycmd evil web01 id", "local[evil] <nothing; ?[id]"),
                ("plink -sshlog /tmp/l web01 id", "writes /tmp/l; web01[id]"),
                ("plink -V", "reads"),
                ("plink -nope web01 id", "unknown"),
                ("plink web01 …", "unknown@web01"),
            ],
        );
        let files = Files([("/home/me/.putty/sessions/prod", "HostName=x\n")].into());
        assert_eq!(shown(&plink(&command("plink prod id"), &own(&files))), "?[id]");
    }

    #[test]
    fn copies() {
        check(
            pscp,
            &[
                ("pscp -P 22 x root@web01:/y", "changes@web01"),
                ("pscp -r web01:/y .", "writes ."),
                ("pscp -ls web01:/y", "reads"),
                ("pscp -h hosts x /y", "changes@?"),
                ("pscp -H web01 x /y", "changes@web01"),
            ],
        );
        check(
            psftp,
            &[
                ("psftp web01 <<< 'put x'", "changes@web01"),
                ("psftp web01 <<< 'ls'", "reads"),
                ("psftp web01 <<< 'open db01\nput x'", "unknown@web01; changes@web01"),
                ("psftp -b none web01", "unknown@web01"),
                ("psftp <<< 'put x'", "changes@?"),
            ],
        );
    }
}
