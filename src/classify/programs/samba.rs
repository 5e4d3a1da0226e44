//! Clients of Windows' own protocols: `smbclient`, `net`, `rpcclient`, `winexe`. Pure.

use super::batch::{self, Verbs};
use super::host;
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{At, Code, Command, Effect, Facts, Host, Language, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// Options that all of samba's programs have.
const LONG_FLAGS: &[&str] = &[
    "help",
    "usage",
    "version",
    "no-pass",
    "machine-pass",
    "kerberos",
    "signing",
    "encrypt",
    "pw-nt-hash",
    "debug-stdout",
    "use-ccache",
    "use-winbind-ccache",
    "list",
    "grepable",
    "stderr",
    "quiet",
    "verbose",
    "long",
    "force",
    "reboot",
    "uninstall",
    "runas-elevated",
];
const LONG_VALUES: &[&str] = &[
    "debuglevel",
    "option",
    "configfile",
    "log-basename",
    "name-resolve",
    "socket-options",
    "max-protocol",
    "netbiosname",
    "netbios-scope",
    "workgroup",
    "realm",
    "user",
    "password",
    "authentication-file",
    "use-kerberos",
    "use-krb5-ccache",
    "client-protection",
    "simple-bind-dn",
    "message",
    "port",
    "ip-address",
    "ipaddress",
    "send-buffer",
    "browse",
    "timeout",
    "tar",
    "directory",
    "command",
    "server",
    "target-workgroup",
    "myname",
    "comment",
    "dest-ip",
    "system",
    "interactive",
    "ostype",
    "runas",
    "credentials-file",
];

const SMB: Spec = Spec {
    flags: "NPkgEqeV?L",
    values: "pmItbBTDcdlRORWrUAnisM",
    glued: "",
    long_flags: LONG_FLAGS,
    long_values: LONG_VALUES,
    stops: false,
    single_dash: false,
};

const SMB_COMMANDS: Verbs = Verbs {
    reads: &[
        "?",
        "help",
        "ls",
        "dir",
        "l",
        "cd",
        "pwd",
        "du",
        "allinfo",
        "altname",
        "stat",
        "volume",
        "list",
        "listconnect",
        "showacls",
        "getfacl",
        "geteas",
        "queue",
        "lcd",
        "mask",
        "recurse",
        "prompt",
        "lowercase",
        "translate",
        "case_sensitive",
        "timeout",
        "iosize",
        "archive",
        "history",
        "backup",
        "echo",
        "vuid",
        "utimeout",
        "q",
        "quit",
        "exit",
        "showconnect",
        "..",
        "readlink",
        "notify",
        "more",
        "posix",
        "tcon",
        "tdis",
        "tid",
        "logoff",
        "blocksize",
        "tarmode",
        "hash",
    ],
    saves: &["get", "mget", "reget"],
    changes: &[
        "put",
        "mput",
        "reput",
        "del",
        "rm",
        "deltree",
        "wdel",
        "mkdir",
        "md",
        "rmdir",
        "rd",
        "rename",
        "mv",
        "chmod",
        "chown",
        "setmode",
        "setea",
        "link",
        "hardlink",
        "symlink",
        "scopy",
        "print",
        "cancel",
        "utimes",
        "posix_mkdir",
        "posix_rmdir",
        "posix_unlink",
        "posix_open",
        "close",
        "lock",
        "unlock",
    ],
};

/// The machine in `//machine/share`, with slashes of either kind.
fn share(word: &Word) -> Option<Host> {
    let text = word.beginning();
    let rest = word.strip_prefix("//").or_else(|| word.strip_prefix("\\\\"))?;
    let name = rest.split_once('/').or_else(|| rest.split_once('\\')).map_or(rest, |(name, _)| name);
    (text.len() >= 2).then(|| host::host(&name))
}

/// Options that set anything else than who logs in may choose another machine, or another program's config.
fn is_odd(parsed: &Parsed) -> bool {
    parsed.has(&["option", "configfile", "s"])
}

/// Judges a command of `smbclient`.
#[must_use]
pub fn smbclient(command: &Command, facts: &Facts) -> Report {
    let parsed = match options::parse(command.arguments(), &SMB) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["help", "usage", "version", "?", "V"]) {
        return Report::reads();
    }
    let named = parsed.operands.first();
    let host = match (parsed.values(&["I", "ip-address"]).last(), named.and_then(share)) {
        (Some(address), _) => host::host(address),
        (None, Some(host)) => host,
        (None, None) => match named {
            Some(name) => host::host(name),
            None => Host::Unknown("it names no machine".to_owned()),
        },
    };
    let hosts = vec![host];
    let mut effects = Vec::new();
    if is_odd(&parsed) {
        effects.push(Effect::Unknown("what the config that it is given sets can't be told".to_owned()));
    }
    if let Some(name) = parsed.values(&["M", "message"]).last() {
        effects.push(Effect::UnknownAt { hosts: vec![host::host(name)], why: "it sends a message".to_owned() });
        return Report { effects, by: None };
    }
    for tar in parsed.values(&["T", "tar"]) {
        effects.push(match tar.known() {
            Some(letters) if letters.starts_with('c') || letters.contains('c') && !letters.contains('x') => {
                Effect::Changes("fetches files into an archive".to_owned())
            }
            Some(letters) if letters.contains('x') => {
                Effect::ChangesAt { hosts: hosts.clone(), how: "unpacks an archive".to_owned() }
            }
            _ => Effect::UnknownAt { hosts: hosts.clone(), why: "what `-T` does can't be told".to_owned() },
        });
    }
    if parsed.has(&["L", "list"]) {
        return Report { effects, by: None };
    }
    let told: Vec<&Word> = parsed.values(&["c", "command"]).collect();
    for text in &told {
        SMB_COMMANDS.all(text, &[';', '\n'], &hosts, &mut effects);
    }
    if told.is_empty() {
        match batch::stdin(&command.stdin, facts) {
            Ok(None) => {}
            Ok(Some(text)) => SMB_COMMANDS.all(&text, &[';', '\n'], &hosts, &mut effects),
            Err(why) => effects.push(Effect::UnknownAt { hosts, why }),
        }
    }
    Report { effects, by: None }
}

/// Judges a command of samba's `net`; the one of Windows is read with the other programs of Windows.
#[must_use]
pub fn net(command: &Command, _: &Facts) -> Report {
    let spec = Spec { flags: "NPkV?lfvr", values: "SIwUdpnWsiCtA", ..SMB };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let words: Option<Vec<String>> =
        parsed.operands.iter().map(|word| word.known().map(str::to_ascii_lowercase)).collect();
    let words = words.unwrap_or_default();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if parsed.has(&["help", "usage", "version", "?", "V"]) || words.first() == Some(&"help") {
        return Report::reads();
    }
    let reads = match words.as_slice() {
        ["rpc", rest @ ..] => matches!(
            rest,
            ["info" | "testjoin" | "getsid"]
                | ["user" | "group" | "share" | "file" | "printer" | "alias"]
                | ["user", "info", _]
                | ["group" | "alias", "list" | "members", ..]
                | ["share", "list"]
                | ["service", "list" | "status", ..]
                | ["registry", "enumerate" | "enumerate_recursive" | "getvalue" | "getvalueraw" | "getsd", ..]
                | ["trustdom" | "rights" | "printer", "list", ..]
                | ["user", "list"]
        ),
        ["ads", rest @ ..] => matches!(
            rest,
            ["info" | "status" | "testjoin" | "workgroup" | "lookup" | "search" | "sid" | "dn", ..]
                | ["user" | "group"]
                | ["user", "info", _]
                | ["gpo", "list" | "listall" | "getgpo" | "linkget", ..]
                | ["printer", "info" | "search", ..]
                | ["enctypes" | "setspn", "list", ..]
        ),
        ["time"] | ["time", "system" | "zone"] => true,
        ["lookup", ..] | ["getlocalsid", ..] | ["getdomainsid"] | ["status", ..] | ["cache", "list" | "search", ..] => {
            true
        }
        ["conf", "list" | "listshares" | "showshare" | "getparm" | "getincludes", ..] | ["groupmap", "list", ..] => {
            true
        }
        ["registry", "enumerate" | "enumerate_recursive" | "getvalue" | "getvalueraw" | "getsd", ..] => true,
        ["sam", "list" | "listmem" | "show", ..] | ["usershare", "list" | "info", ..] | ["version"] => true,
        _ => false,
    };
    if reads {
        return Report::reads();
    }
    let server = parsed.values(&["I", "ipaddress"]).last().or_else(|| parsed.values(&["S", "server"]).last());
    let what = words.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    let how = format!("changes something with `net {what}`");
    match (server, words.first().copied()) {
        (Some(server), Some("rpc" | "rap" | "ads" | "time" | "user" | "group" | "share" | "file" | "session")) => {
            Report::of(Effect::ChangesAt { hosts: vec![host::host(server)], how })
        }
        (None, Some("cache" | "conf" | "groupmap" | "sam" | "usershare" | "registry" | "setlocalsid" | "idmap")) => {
            Report::changes(how)
        }
        _ => Report::unknown("which machine it changes can't be told"),
    }
}

/// Judges a command of `rpcclient`.
#[must_use]
pub fn rpcclient(command: &Command, facts: &Facts) -> Report {
    let spec = Spec { flags: "NPkV?e", values: "cIpUdlnWsASOmiR", ..SMB };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["help", "usage", "version", "?", "V"]) {
        return Report::reads();
    }
    let Some(name) = parsed.operands.first() else {
        return Report::unknown("it names no machine");
    };
    let name = parsed.values(&["I", "dest-ip", "ip-address"]).last().unwrap_or(name);
    let hosts = vec![host::host(name)];
    let mut effects = Vec::new();
    if is_odd(&parsed) {
        effects.push(Effect::Unknown("what the config that it is given sets can't be told".to_owned()));
    }
    let mut texts: Vec<Word> = parsed.values(&["c", "command"]).cloned().collect();
    if texts.is_empty() {
        match batch::stdin(&command.stdin, facts) {
            Ok(text) => texts.extend(text),
            Err(why) => effects.push(Effect::UnknownAt { hosts: hosts.clone(), why }),
        }
    }
    for text in texts {
        match batch::commands(&text, &[';', '\n']) {
            Ok(commands) => commands.iter().for_each(|words| rpc(words, &hosts, &mut effects)),
            Err(why) => effects.push(Effect::UnknownAt { hosts: hosts.clone(), why }),
        }
    }
    Report { effects, by: None }
}

/// One command of `rpcclient`: its name begins with what it does.
fn rpc(words: &[String], hosts: &[Host], effects: &mut Vec<Effect>) {
    let verb = words.first().map(|verb| verb.to_ascii_lowercase()).unwrap_or_default();
    let reads =
        ["enum", "query", "lookup", "get", "srvinfo", "netshareenum", "netsharegetinfo", "netsessenum", "netfileenum"];
    let reads = reads.iter().any(|start| verb.starts_with(start))
        || [
            "dsroledominfo",
            "netconnenum",
            "netdiskenum",
            "netremotetod",
            "netnamevalidate",
            "netfilegetsec",
            "lsaquery",
            "lsaenumsid",
            "lsalookupprivvalue",
            "samlookupnames",
            "samlookuprids",
            "dfsenum",
            "dfsversion",
            "dfsexist",
            "dfsgetinfo",
            "wkssvc_wkstagetinfo",
            "wkssvc_enumerateusers",
            "querydispinfo",
            "help",
            "?",
            "quit",
            "exit",
            "debuglevel",
            "list",
            "fetch_properties",
            "winreg_enumkey",
            "epmmap",
            "epmlookup",
            "logonctrl",
            "dsgetdcname",
        ]
        .contains(&verb.as_str());
    if reads {
        return;
    }
    let changes = [
        "set",
        "create",
        "delete",
        "add",
        "del",
        "shutdown",
        "abortshutdown",
        "netshareadd",
        "netsharedel",
        "netsharesetinfo",
        "chgpasswd",
        "writeprinter",
        "rffpcnex",
        "eventlog_clearlog",
        "dfsadd",
        "dfsremove",
        "lsaaddacctrights",
        "lsaremoveacctrights",
        "lsacreateaccount",
        "lsadelpriv",
        "lsaaddpriv",
        "samlogon",
    ];
    let hosts = hosts.to_vec();
    effects.push(if changes.iter().any(|start| verb.starts_with(start)) {
        Effect::ChangesAt { hosts, how: format!("changes something with `{verb}`") }
    } else {
        Effect::UnknownAt { hosts, why: format!("what its command `{verb}` does is not known") }
    });
}

/// Judges a command of `winexe`: a text for the command processor of another machine.
#[must_use]
pub fn winexe(command: &Command, _: &Facts) -> Report {
    let spec = Spec { flags: "NPkV?he", values: "UAdlnWsi", stops: true, ..SMB };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["help", "usage", "version", "?", "V", "h"]) {
        return Report::reads();
    }
    let Some((target, rest)) = parsed.operands.split_first() else {
        return Report::unknown("it names no machine");
    };
    let host = share(target).unwrap_or_else(|| host::host(target));
    let (code, stdin) = match rest {
        [] => (Code::Stdin, command.stdin.clone()),
        rest => (Code::Text(Word::joined(rest)), Stdin::Nothing),
    };
    Report::runs(Run { what: What::Other { language: Language::Cmd, code }, at: At::Hosts(vec![host]), stdin })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use super::*;

    #[test]
    fn shares() {
        check(
            smbclient,
            &[
                ("smbclient -L web01 -N", "reads"),
                ("smbclient -L //web01 -U jo", "reads"),
                ("smbclient //web01/c -c 'ls; cd x; du'", "reads"),
                ("smbclient //web01/c -U jo%pw -c 'get x'", "changes"),
                ("smbclient //web01/c -c 'cd x; put y'", "changes at web01"),
                ("smbclient -c 'prompt OFF; recurse ON; mput *' //web01/c", "changes at web01"),
                ("smbclient '\\\\web01\\c' -c 'del x'", "changes at web01"),
                ("smbclient //web01/c -c '!rm x'", "sh {rm x} <nothing"),
                ("smbclient //web01/c -c 'frob'", "unknown at web01"),
                ("smbclient //web01/c -c …", "unknown at web01"),
                ("smbclient //web01/c <<< put x", "changes at web01"),
                ("smbclient //web01/c", "reads"),
                ("smbclient //x/c -I 10.0.0.5 -c 'rm y'", "changes at 10.0.0.5"),
                ("smbclient //web01/c -Tc x.tar", "changes"),
                ("smbclient //web01/c -Tx x.tar", "changes at web01"),
                ("smbclient -M web01 <<< hi", "unknown at web01"),
                ("smbclient //…/c -c 'put x'", "changes at ?"),
                ("smbclient --option='client min protocol=NT1' //web01/c -c ls", "unknown"),
                ("smbclient -Z //web01/c", "unknown"),
            ],
        );
    }

    #[test]
    fn rpc_calls() {
        check(
            net,
            &[
                ("net rpc info -S web01 -U jo", "reads"),
                ("net rpc user -S web01", "reads"),
                ("net rpc group list -S web01", "reads"),
                ("net rpc service status spooler -S web01", "reads"),
                ("net rpc user add x -S web01", "changes at web01"),
                ("net rpc service stop spooler -I 10.0.0.5", "changes at 10.0.0.5"),
                ("net rpc shutdown -S web01", "changes at web01"),
                ("net rpc registry setvalue x y -S web01", "changes at web01"),
                ("net rpc user delete x", "unknown"),
                ("net ads info", "reads"),
                ("net ads join -U x", "unknown"),
                ("net cache flush", "changes"),
                ("net time", "reads"),
                ("net time set -S web01", "changes at web01"),
                ("net …", "unknown"),
            ],
        );
        check(
            rpcclient,
            &[
                ("rpcclient -U jo web01 -c 'enumdomusers; queryuser 500'", "reads"),
                ("rpcclient web01 -c srvinfo", "reads"),
                ("rpcclient web01 -c 'setuserinfo2 x 23 pw'", "changes at web01"),
                ("rpcclient web01 -c 'enumdomusers; deletedomuser x'", "changes at web01"),
                ("rpcclient web01 -c frob", "unknown at web01"),
                ("rpcclient web01 <<< createdomuser x", "changes at web01"),
                ("rpcclient web01", "reads"),
                ("rpcclient -c enumdomusers", "unknown"),
            ],
        );
        check(
            winexe,
            &[
                ("winexe -U jo //web01 'cmd /c dir'", "cmd {cmd /c dir} at web01 <nothing"),
                ("winexe //web01 net stop x", "cmd {net stop x} at web01 <nothing"),
                ("winexe //web01", "cmd stdin at web01"),
                ("winexe", "unknown"),
            ],
        );
    }
}
