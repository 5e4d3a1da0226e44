//! Impacket's examples and NetExec: programs that log in to machines of Windows in several ways. Pure.

use super::carry;
use super::copied;
use super::host;
use super::options::{self, Spec};
use crate::classify::effect::{At, Code, Command, Effect, Facts, Host, Language, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// Those that run a text there.
const RUN: &[&str] = &["psexec", "smbexec", "wmiexec", "atexec", "dcomexec"];

/// Those that only ask.
const ASK: &[&str] = &[
    "lookupsid",
    "rpcdump",
    "samrdump",
    "netview",
    "rpcmap",
    "getArch",
    "DumpNTLMInfo",
    "machine_role",
    "GetADUsers",
    "GetADComputers",
    "GetNPUsers",
    "GetUserSPNs",
    "findDelegation",
    "GetLAPSPassword",
    "CheckLDAPStatus",
    "ping",
    "ping6",
    "net-list",
];

/// Others of which the target is known to stand in the first word.
const OTHERS: &[&str] = &[
    "smbclient",
    "mssqlclient",
    "secretsdump",
    "wmiquery",
    "wmipersist",
    "reg",
    "services",
    "addcomputer",
    "changepasswd",
    "smbpasswd",
    "rbcd",
    "dacledit",
    "owneredit",
    "rdp_check",
    "tstool",
    "mqtt_check",
    "raiseChild",
    "goldenPac",
    "net",
    "regsecrets",
    "attrib",
    "filetime",
];

const SPEC: Spec = Spec {
    long_flags: &[
        "h",
        "help",
        "debug",
        "ts",
        "no-pass",
        "k",
        "nooutput",
        "silentcommand",
        "just-dc",
        "just-dc-ntlm",
        "just-dc-user-status",
        "pwd-last-set",
        "history",
        "user-status",
        "windows-auth",
        "show",
        "use-vss",
        "with-s4u2proxy",
        "all",
        "request",
        "domain-sids",
        "named",
        "port-only",
    ],
    long_values: &[
        "hashes",
        "aesKey",
        "dc-ip",
        "target-ip",
        "port",
        "codec",
        "service-name",
        "remote-binary-name",
        "share",
        "shell-type",
        "com-version",
        "mode",
        "path",
        "c",
        "file",
        "inputfile",
        "outputfile",
        "keyName",
        "v",
        "vd",
        "vt",
        "name",
        "display",
        "object",
        "db",
        "command",
        "namespace",
        "rpc-auth-level",
        "keytab",
        "dc-host",
        "target-domain",
        "just-dc-user",
        "csv",
        "session",
        "service",
        "exec-method",
    ],
    single_dash: true,
    stops: false,
    flags: "",
    values: "",
    glued: "",
};

/// The example's name: `impacket-psexec`, `psexec.py`.
fn example(program: &str) -> Option<&str> {
    let name = program.strip_prefix("impacket-").or_else(|| program.strip_suffix(".py"))?;
    [RUN, ASK, OTHERS].concat().contains(&name).then_some(name)
}

/// Whether a program is one of them.
#[must_use]
pub fn knows(program: &str) -> bool {
    example(program).is_some() || program.starts_with("impacket-")
}

/// Judges a command of one of impacket's examples.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let program = carry::name(command);
    let Some(name) = example(program) else {
        return Report::unknown(format!("what `{program}` does to which machine is not known"));
    };
    // Behind the machine stands a text that has options of its own.
    let parsed = match options::parse(command.arguments(), &Spec { stops: RUN.contains(&name), ..SPEC }) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help"]) || ASK.contains(&name) {
        return carry::report(parsed.values(&["outputfile"]).cloned().map(Effect::Writes));
    }
    let Some((target, rest)) = parsed.operands.split_first() else {
        return Report::unknown("it names no machine");
    };
    let place = parsed.values(&["target-ip"]).last().map_or_else(|| machine(target), host::host);
    let hosts = vec![place];
    if RUN.contains(&name) {
        let language = match parsed.values(&["shell-type"]).last().map(Word::known) {
            Some(Some("powershell")) => Language::PowerShell,
            _ => Language::Cmd,
        };
        let mut effects = Vec::new();
        if parsed.has(&["c", "file"]) || name == "psexec" || name == "smbexec" {
            let how = "installs a service that runs what it is told".to_owned();
            effects.push(Effect::ChangesAt { hosts: hosts.clone(), how });
        }
        let (code, stdin) = match rest {
            [] => (Code::Stdin, command.stdin.clone()),
            rest => (Code::Text(Word::joined(rest)), Stdin::Nothing),
        };
        effects.push(Effect::Runs(Run { what: What::Other { language, code }, at: At::Hosts(hosts), stdin }));
        return Report { effects, by: None };
    }
    let verb = rest.first().and_then(Word::known);
    let how = || format!("changes something with `{name}`");
    let changes = |hosts| Report::of(Effect::ChangesAt { hosts, how: how() });
    match (name, verb) {
        ("reg", Some("query")) | ("services", Some("list" | "status" | "config")) => Report::reads(),
        ("reg" | "services", Some(_)) => changes(hosts),
        ("tstool", Some("qwinsta" | "tasklist")) | ("rdp_check" | "mqtt_check", _) => Report::reads(),
        ("net", Some("user" | "computer" | "localgroup" | "group")) if rest.len() == 1 => Report::reads(),
        // It starts a service to read what it reads.
        ("secretsdump" | "regsecrets" | "addcomputer" | "changepasswd" | "smbpasswd" | "wmipersist", _) => {
            changes(hosts)
        }
        ("smbclient" | "mssqlclient" | "wmiquery", _) => {
            let told = parsed.has(&["file", "inputfile", "command"]);
            let silent = matches!(command.stdin, Stdin::Inherited | Stdin::Nothing);
            if silent && !told {
                return Report::reads();
            }
            Report::of(Effect::UnknownAt { hosts, why: "what it is told there is not read".to_owned() })
        }
        _ => Report::of(Effect::UnknownAt { hosts, why: format!("what `{name}` does there is not known") }),
    }
}

/// The machine in `[domain/]user[:password]@machine`.
fn machine(word: &Word) -> Host {
    host::host(&host::user_at_host(word).host)
}

/// Flags of NetExec that only list.
#[rustfmt::skip]
const LISTS: &[&str] = &[
    "shares", "users", "groups", "local-groups", "computers", "sessions", "disks", "loggedon-users", "pass-pol", "rid-brute",
    "active-users", "dir", "interfaces", "qwinsta", "tasklist", "admin-count", "trusted-for-delegation", "password-not-required",
    "get-sid", "dc-list", "find-delegation", "smb-sessions", "ps", "local-auth", "no-bruteforce", "continue-on-success", "kerberos",
    "verbose", "debug", "no-progress", "filter-shares", "kdcHost", "domain", "loggedon-users-filter", "gen-relay-list", "port",
    "timeout", "smb-timeout", "threads", "jitter", "use-kcache", "ls",
];

/// A machine, or a network or range of them.
fn several(text: &str) -> Host {
    let range = text
        .rsplit_once('-')
        .is_some_and(|(front, _)| front.ends_with(|c: char| c.is_ascii_digit()) && front.contains('.'));
    if text.contains('/') || range {
        return Host::Unknown(format!("`{text}` names more machines than one"));
    }
    host::named(text)
}

/// Judges a command of `nxc`, `netexec` or `crackmapexec`: a protocol, machines, and what to do there.
#[must_use]
pub fn netexec(command: &Command, facts: &Facts) -> Report {
    let all = command.arguments();
    let texts: Vec<Option<&str>> = all.iter().map(Word::known).collect();
    if texts
        .iter()
        .flatten()
        .any(|text| matches!(*text, "-h" | "--help" | "--version" | "-L" | "--list-modules" | "--options"))
    {
        return Report::reads();
    }
    let Some((protocol, rest)) = all.split_first() else {
        return Report::reads();
    };
    let at = rest.iter().skip(1).position(Word::may_be_option).map_or(rest.len(), |at| at + 1);
    let (targets, options) = (rest.get(..at).unwrap_or_default(), rest.get(at..).unwrap_or_default());
    let mut hosts: Vec<Host> = Vec::new();
    for target in targets {
        // A file of machines comes first.
        if let Ok(text) = copied::text_of(target, facts) {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.for_each(|line| host::add(several(line), &mut hosts));
            continue;
        }
        host::add(target.known().map_or_else(|| host::host(target), several), &mut hosts);
    }
    if hosts.is_empty() {
        hosts.push(Host::Unknown("it names no machine".to_owned()));
    }
    let mut effects = Vec::new();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let name = word.beginning().trim_start_matches('-').split('=').next().unwrap_or_default();
        let long = word.begins_with("--");
        match (long, name) {
            (false, "u" | "p" | "H" | "d" | "id" | "t" | "k") => {}
            (false, "x" | "X") => {
                let text = words.next().cloned().unwrap_or_else(Word::unknown);
                let what = match (protocol.known(), name) {
                    (Some("ssh"), "x") => What::Shell { text, arguments: vec![] },
                    (_, "x") => What::Other { language: Language::Cmd, code: Code::Text(text) },
                    _ => What::Other { language: Language::PowerShell, code: Code::Text(text) },
                };
                effects.push(Effect::Runs(Run { what, at: At::Hosts(hosts.clone()), stdin: Stdin::Nothing }));
            }
            (true, "put-file" | "sam" | "lsa" | "ntds" | "dpapi" | "clear-obfscripts" | "taskkill" | "local-admin") => {
                let how = format!("changes something with `--{name}`");
                copied::add(&mut effects, [Effect::ChangesAt { hosts: hosts.clone(), how }]);
            }
            (true, name) if LISTS.contains(&name) => {}
            // A value of an option.
            (false, _) if !word.begins_with("-") && word.known().is_some() => {}
            _ => {
                let why = format!("what its option `{}` does there is not known", word.shown());
                copied::add(&mut effects, [Effect::UnknownAt { hosts: hosts.clone(), why }]);
            }
        }
    }
    Report { effects, by: None }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn examples() {
        check(
            judge,
            &[
                ("impacket-wmiexec corp/jo:pw@web01 whoami", "cmd {whoami} at web01 <nothing"),
                ("wmiexec.py -hashes :x jo@10.0.0.5 net stop y -f", "cmd {net stop y -f} at 10.0.0.5 <nothing"),
                ("impacket-psexec jo@web01 ipconfig", "changes at web01; cmd {ipconfig} at web01 <nothing"),
                ("impacket-wmiexec -shell-type powershell jo@web01 ls", "powershell {ls} at web01 <nothing"),
                ("impacket-wmiexec jo@web01", "cmd stdin at web01"),
                ("impacket-atexec -target-ip 10.0.0.5 jo@web01 dir", "cmd {dir} at 10.0.0.5 <nothing"),
                ("impacket-lookupsid jo@web01", "reads"),
                ("rpcdump.py web01", "reads"),
                ("impacket-reg jo@web01 query -keyName HKLM", "reads"),
                ("impacket-reg jo@web01 add -keyName HKLM -v x -vd y", "changes at web01"),
                ("services.py jo@web01 list", "reads"),
                ("services.py jo@web01 stop -name x", "changes at web01"),
                ("impacket-secretsdump jo@web01", "changes at web01"),
                ("impacket-smbclient jo@web01", "reads"),
                ("impacket-smbclient jo@web01 <<< put x", "unknown at web01"),
                ("impacket-mssqlclient jo@web01 -file x.sql", "unknown at web01"),
                ("impacket-dacledit jo@web01", "unknown at web01"),
            ],
        );
        check_unknown(judge, &["impacket-ntlmrelayx -t web01", "impacket-wmiexec … whoami", "impacket-psexec"]);
        assert!(knows("psexec.py") && knows("impacket-foo") && !knows("setup.py"));
    }

    #[test]
    fn many_machines() {
        check(
            netexec,
            &[
                ("nxc smb web01", "reads"),
                ("nxc smb web01 -u jo -p pw --shares", "reads"),
                ("nxc smb web01 -u jo -p pw -x 'net stop y'", "cmd {net stop y} at web01 <nothing"),
                ("nxc winrm web01 db01 -u jo -p pw -X Get-Process", "powershell {Get-Process} at web01,db01 <nothing"),
                ("nxc ssh web01 -u jo -p pw -x uptime", "sh {uptime} at web01 <nothing"),
                ("nxc smb 10.0.0.0/24 -x reboot", "cmd {reboot} at ? <nothing"),
                ("nxc smb 10.0.0.5 -u jo -p pw -M spider_plus", "unknown at 10.0.0.5"),
                ("nxc smb web01 --sam", "changes at web01"),
                ("crackmapexec smb web01 -u jo --put-file a b", "changes at web01"),
                ("nxc smb … -x reboot", "cmd {reboot} at ? <nothing"),
                ("nxc smb web01 $*", "unknown at web01"),
                ("nxc --version", "reads"),
            ],
        );
    }
}
