//! Machines' own controllers: `ipmitool`, `racadm`, `redfishtool`, `ilorest`. Pure.
//!
//! A controller's address is not that of the guests on its machine, so which of them a change reaches can't be told.

use super::host;
use super::options::{self, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

/// A change at a controller; without an address it is that of the machine itself.
fn change(address: Option<&Word>, what: &str) -> Report {
    match address {
        None => Report::changes(format!("changes something with `{what}`")),
        Some(address) => {
            let why =
                format!("`{what}` changes the machine of that controller, and which guests run on it can't be told");
            Report::of(Effect::UnknownAt { hosts: vec![host::host(&host::with_port(address).host)], why })
        }
    }
}

/// Judges a command of `ipmitool`. What only reads stands in the catalog.
#[must_use]
pub fn ipmitool(command: &Command, _: &Facts) -> Report {
    let spec = Spec { flags: "hVvcaEKYs", values: "IHpfkyNRdLAPtTbBloCmUSeDz", long_flags: &[], ..Spec::CARRIER };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let words: Vec<&str> = parsed.operands.iter().map_while(Word::known).collect();
    let changes = match words.as_slice() {
        ["power", verb, ..] | ["chassis", "power", verb, ..] => *verb != "status",
        ["chassis", verb, ..] => matches!(*verb, "bootdev" | "bootparam" | "policy" | "identify"),
        ["mc" | "bmc", verb, ..] => matches!(*verb, "reset" | "setenables" | "watchdog"),
        ["sel", verb, ..] => matches!(*verb, "clear" | "delete" | "add"),
        ["user", verb, ..] => matches!(*verb, "set" | "disable" | "enable" | "priv"),
        ["lan" | "sol" | "pef" | "channel" | "dcmi", verb, ..] => {
            matches!(*verb, "set" | "activate" | "deactivate" | "setaccess")
        }
        ["raw" | "i2c" | "spd" | "event" | "session" | "hpm" | "ekanalyzer" | "fru" | "sensor", verb, ..] => {
            match words.first() {
                Some(&"raw" | &"i2c") => true,
                Some(&"fru") => matches!(*verb, "write" | "edit" | "upgEkey"),
                Some(&"sensor") => *verb == "thresh",
                _ => false,
            }
        }
        _ => false,
    };
    if !changes {
        return Report::of(Effect::Table);
    }
    let what = words.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    change(parsed.values(&["H"]).last(), &format!("ipmitool {what}"))
}

/// Judges a command of `racadm`. What only reads stands in the catalog.
#[must_use]
pub fn racadm(command: &Command, _: &Facts) -> Report {
    const CHANGES: &[&str] = &[
        "set",
        "config",
        "serveraction",
        "jobqueue",
        "racreset",
        "racresetcfg",
        "clrsel",
        "clrraclog",
        "setniccfg",
        "setled",
        "update",
        "systemerase",
        "storage",
        "closessn",
        "clrasrscreen",
        "sslkeyupload",
        "sslcertupload",
        "vmdisconnect",
        "remoteimage",
        "fwupdate",
        "lclog",
        "license",
        "raid",
        "techsupreport",
        "coredumpdelete",
        "eventfilters",
        "sslcertdelete",
        "usercertupload",
    ];
    let spec =
        Spec { long_flags: &["S", "help"], long_values: &["r", "u", "p", "m"], single_dash: true, ..Spec::CARRIER };
    let Ok(parsed) = options::parse(command.arguments(), &spec) else {
        return Report::of(Effect::Table);
    };
    match parsed.operands.first().and_then(Word::known) {
        Some("lclog" | "license") if parsed.operands.get(1).and_then(Word::known) == Some("view") => {
            Report::of(Effect::Table)
        }
        Some("jobqueue" | "storage" | "raid")
            if parsed.operands.get(1).and_then(Word::known).is_some_and(|verb| verb == "view" || verb == "get") =>
        {
            Report::reads()
        }
        Some(sub) if CHANGES.contains(&sub) => change(parsed.values(&["r"]).last(), &format!("racadm {sub}")),
        _ => Report::of(Effect::Table),
    }
}

/// Judges a command of `redfishtool`.
#[must_use]
pub fn redfishtool(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "VhvsqFaE1iDH0",
        values: "rucpALIMPSTCmfdkoXlNgBWRt",
        long_flags: &["Version", "help", "verbose", "status", "quiet", "First", "all", "One", "Entries", "Details"],
        long_values: &[
            "rhost",
            "user",
            "password",
            "config",
            "Auth",
            "Link",
            "IdLevel2",
            "Match",
            "Prop",
            "Secure",
            "Timeout",
            "ConfigFile",
            "data",
            "request",
            "Id",
            "token",
            "Wait",
            "Headers",
            "name",
        ],
        ..Spec::CARRIER
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["V", "h", "Version", "help"]) || parsed.operands.is_empty() {
        return Report::reads();
    }
    let words: Option<Vec<&str>> = parsed.operands.iter().map(Word::known).collect();
    let words = words.unwrap_or_default();
    let verbs: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let reads = match verbs.as_slice() {
        ["raw", method, ..] => matches!(*method, "GET" | "HEAD"),
        ["Systems" | "Chassis" | "Managers" | "AccountService" | "SessionService", rest @ ..] => {
            const READS: &[&str] = &[
                "get",
                "list",
                "examples",
                "Processors",
                "Memory",
                "EthernetInterfaces",
                "SimpleStorage",
                "Logs",
                "Power",
                "Thermal",
                "NetworkProtocol",
                "SerialInterface",
                "Roles",
                "Accounts",
                "collection",
                "hello",
                "PowerSupplies",
            ];
            rest.first().is_none_or(|verb| READS.contains(verb))
                && rest.iter().skip(1).all(|word| *word != "clearLog" && !word.starts_with("set"))
        }
        ["versions" | "odata" | "root" | "about" | "hello" | "redfish", ..] => true,
        _ => false,
    };
    if reads {
        return Report::reads();
    }
    let what = verbs.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    match parsed.values(&["r", "rhost"]).last() {
        Some(address) => change(Some(address), &format!("redfishtool {what}")),
        None => Report::unknown("which controller it reaches can't be told"),
    }
}

/// Judges a command of `ilorest`.
#[must_use]
pub fn ilorest(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    let address = all.iter().enumerate().find_map(|(at, word)| match word.known() {
        Some("--url") => all.get(at + 1).cloned(),
        _ => word.strip_prefix("--url="),
    });
    let mut words = all.iter();
    let mut sub = None;
    while let Some(word) = words.next() {
        match word.known() {
            Some("--url" | "-u" | "--user" | "-p" | "--password" | "-c" | "--config" | "--cache-dir" | "--logdir") => {
                words.next();
            }
            Some("-h" | "--help" | "--version" | "-V") => return Report::reads(),
            Some(text) if text.starts_with('-') => {}
            Some(text) => {
                sub = Some(text);
                break;
            }
            None => break,
        }
    }
    // What is read may be saved.
    if let Some(
        "get" | "list" | "types" | "info" | "select" | "status" | "systeminfo" | "serverinfo" | "serverstate"
        | "rawget" | "rawhead" | "login" | "logout" | "help" | "bootorderlist" | "pending" | "smartarraylist"
        | "fwpkglist" | "biosdefaultslist",
    ) = sub
    {
        let saves = words.clone().any(|word| {
            word.beginning().starts_with("-f") || word.beginning().starts_with("--f") || word.begins_with("--response")
        });
        return if saves { Report::changes("saves what it reads") } else { Report::reads() };
    }
    let what = format!("ilorest {}", sub.unwrap_or_default());
    match address {
        Some(address) => {
            let text = address.beginning().split_once("://").map_or_else(|| address.clone(), |(_, rest)| rest.into());
            change(Some(&text), what.trim_end())
        }
        None => Report::unknown("which controller it reaches can't be told"),
    }
}

/// Judges a command of a program that shows a machine's screen and types there: `xfreerdp`, `rdesktop`, `vncviewer` and their
/// like.
#[must_use]
pub fn screens(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    if all
        .iter()
        .any(|word| matches!(word.known(), Some("--version" | "/version" | "--help" | "/help" | "/?" | "-h" | "-V")))
    {
        return Report::reads();
    }
    let named = all.iter().find_map(|word| word.strip_prefix("/v:").or_else(|| word.strip_prefix("--host=")));
    let named = named.or_else(|| {
        all.iter().rfind(|word| !word.begins_with("-") && !word.begins_with("/") && !word.begins_with("+")).cloned()
    });
    let host = named.map_or_else(
        || Host::Unknown("it names no machine".to_owned()),
        |name| {
            let place = name.beginning().split_once("://").map_or_else(|| name.clone(), |(_, rest)| rest.into());
            host::host(&host::with_port(&place).host)
        },
    );
    Report::of(Effect::UnknownAt { hosts: vec![host], why: "what is done on its screen can't be seen".to_owned() })
}

/// Judges a command of `vncdo`, whose words are commands: some only look.
#[must_use]
pub fn vncdo(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "vhq",
        values: "sdpltuC",
        long_flags: &["verbose", "help", "version", "nocursor", "localcursor", "force-caps", "incremental-refreshes"],
        long_values: &[
            "server", "display", "password", "logfile", "delay", "timeout", "username", "viewer", "listen", "host",
        ],
        ..Spec::CARRIER
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help", "version"]) {
        return Report::reads();
    }
    let host = match parsed.values(&["s", "server"]).last() {
        Some(name) => {
            let name = name.split_once(':').map_or_else(|| name.clone(), |(name, _)| name);
            host::host(&name)
        }
        None => Host::Same,
    };
    let mut effects: Vec<Effect> = parsed.values(&["l", "logfile"]).cloned().map(Effect::Writes).collect();
    let mut words = parsed.operands.iter();
    while let Some(word) = words.next() {
        let skip = match word.known() {
            Some("capture") => {
                effects.extend(words.next().cloned().map(Effect::Writes));
                0
            }
            Some("rcapture") => {
                effects.extend(words.next().cloned().map(Effect::Writes));
                4
            }
            Some("expect") => 2,
            Some("rexpect") => 4,
            Some("pause" | "sleep") => 1,
            _ => {
                let why = "what is typed and clicked on its screen can't be judged".to_owned();
                effects.push(Effect::UnknownAt { hosts: vec![host], why });
                break;
            }
        };
        for _ in 0..skip {
            words.next();
        }
    }
    Report { effects, by: None }
}

#[cfg(test)]
#[path = "tests/controllers.rs"]
mod tests;
