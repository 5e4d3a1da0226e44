//! Calls to machines of Windows through samba: `rpcclient`, and `winexe`, which starts a program there. Pure.

use super::batch;
use super::host;
use super::options::{self, Spec};
use super::samba::{SMB, is_odd, share};
use crate::classify::effect::{At, Code, Command, Effect, Facts, Host, Language, Report, Run, Stdin, What};
use crate::classify::word::Word;

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
