//! Clients of Windows' own protocols: `smbclient` and `net`. Pure.

use super::batch::{self, Verbs};
use super::host;
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
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

/// The options of most of samba's programs.
pub(super) const SMB: Spec = Spec {
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
pub(super) fn share(word: &Word) -> Option<Host> {
    let text = word.beginning();
    let rest = word.strip_prefix("//").or_else(|| word.strip_prefix("\\\\"))?;
    let name = rest.split_once('/').or_else(|| rest.split_once('\\')).map_or(rest, |(name, _)| name);
    (text.len() >= 2).then(|| host::host(&name))
}

/// Options that set anything else than who logs in may choose another machine, or another program's config.
pub(super) fn is_odd(parsed: &Parsed) -> bool {
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

/// Whether `net` is the program of Windows: its first word is none that samba's alone has, and samba's options are not there.
fn is_of_windows(words: &[Word]) -> bool {
    const BOTH: &[&str] = &["file", "group", "help", "session", "share", "time", "user", "view"];
    const WINDOWS: &[&str] = &[
        "accounts",
        "computer",
        "config",
        "continue",
        "helpmsg",
        "localgroup",
        "name",
        "pause",
        "print",
        "send",
        "sessions",
        "start",
        "statistics",
        "stats",
        "stop",
        "use",
        "users",
    ];
    let first = words.first().and_then(Word::known).map(str::to_ascii_lowercase);
    let dashes = words.iter().any(|word| word.may_begin_with("-"));
    first.is_some_and(|first| {
        WINDOWS.contains(&first.as_str()) || BOTH.contains(&first.as_str()) && !dashes && words.len() > 1
    })
}

/// Judges a command of `net`: samba's, or that of Windows.
#[must_use]
pub fn net(command: &Command, facts: &Facts) -> Report {
    if is_of_windows(command.arguments()) {
        return crate::classify::windows::program(command, facts);
    }
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

#[cfg(test)]
#[path = "tests/samba.rs"]
mod tests;
