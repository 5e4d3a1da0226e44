//! Programs that ask machines over a protocol of administrators', of which some also set: `nmap`, `snmpset`, `gnmic`,
//! `netconf-console`. Pure.

use super::carry::writes;
use super::host;
use super::options::{self, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

/// Kinds of nmap's scripts that only look.
const LOOKS: &[&str] = &["default", "safe", "discovery", "version", "banner"];

/// Endings and beginnings of the names of nmap's scripts that only look.
#[rustfmt::skip]
const LOOKING: &[&str] = &[
    "http-title", "http-headers", "http-methods", "http-server-header", "http-robots.txt", "http-favicon", "ssl-cert",
    "ssl-enum-ciphers", "ssl-date", "ssl-dh-params", "ssl-heartbleed", "ssh-hostkey", "ssh2-enum-algos", "ssh-auth-methods",
    "smb-os-discovery", "smb-protocols", "smb-security-mode", "smb2-security-mode", "smb2-capabilities", "smb2-time",
    "smb-enum-shares", "smb-enum-users", "nfs-showmount", "nfs-ls", "rpcinfo", "dns-nsid", "dns-recursion", "dns-service-discovery",
    "ntp-info", "mysql-info", "ms-sql-info", "mongodb-info", "redis-info", "rdp-enum-encryption", "rdp-ntlm-info", "snmp-info",
    "snmp-sysdescr", "vmware-version", "ldap-rootdse", "nbstat", "whois-ip", "asn-query", "traceroute-geolocation", "tls-alpn",
    "sshv1", "finger", "upnp-info", "docker-version", "tls-nextprotoneg", "fingerprint-strings",
];

/// Judges a command of `nmap`.
#[must_use]
pub fn nmap(command: &Command, _: &Facts) -> Report {
    let mut effects = Vec::new();
    let mut targets: Vec<Host> = Vec::new();
    let mut odd: Option<String> = None;
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        let text = word.beginning();
        if !word.may_be_option() {
            host::add(host::host(word), &mut targets);
            continue;
        }
        let (name, glued) = text.split_once('=').map_or((text, None), |(name, _)| (name, word.split_once('=')));
        let glued = glued.map(|(_, value)| value);
        match name.trim_start_matches('-') {
            "h" | "V" | "help" | "version" | "script-help" | "iflist" => return Report::reads(),
            "script" => {
                let value = glued.or_else(|| words.next().cloned()).unwrap_or_else(Word::unknown);
                let looks = value.known().is_some_and(|text| {
                    text.split(',').map(str::trim).all(|part| LOOKS.contains(&part) || LOOKING.contains(&part))
                });
                if !looks {
                    odd = Some(format!("what its scripts `{}` do there is not known", value.shown()));
                }
            }
            "oN" | "oX" | "oS" | "oG" | "oA" | "oM" | "resume" => {
                let value = glued.or_else(|| words.next().cloned()).unwrap_or_else(Word::unknown);
                effects.extend(Some(&value).filter(|value| value.known() != Some("-")).and_then(writes));
            }
            "datadir" | "servicedb" | "versiondb" | "script-args-file" | "script-args" | "script-updatedb" => {
                odd = Some("scripts of its own, or what they are given, may do anything there".to_owned());
                if glued.is_none() {
                    words.next();
                }
            }
            "p"
            | "iL"
            | "iR"
            | "e"
            | "S"
            | "D"
            | "g"
            | "exclude"
            | "excludefile"
            | "dns-servers"
            | "top-ports"
            | "host-timeout"
            | "max-retries"
            | "min-rate"
            | "max-rate"
            | "min-parallelism"
            | "max-parallelism"
            | "min-hostgroup"
            | "max-hostgroup"
            | "scan-delay"
            | "max-scan-delay"
            | "source-port"
            | "ttl"
            | "mtu"
            | "data-length"
            | "data"
            | "data-string"
            | "stats-every"
            | "version-intensity"
            | "port-ratio"
            | "exclude-ports"
            | "initial-rtt-timeout"
            | "min-rtt-timeout"
            | "max-rtt-timeout"
            | "proxies"
            | "spoof-mac"
            | "sI"
            | "b"
            | "script-timeout"
            | "stylesheet"
            | "ip-options" => skip(glued.is_some(), &mut words),
            // Long options may be cut short.
            name if ["scr", "datad", "serviced", "versiond", "res"].iter().any(|start| name.starts_with(start)) => {
                odd = Some(format!("what `{}` makes it run is not known", word.shown()));
            }
            _ if word.known().is_none() => odd = Some(format!("what `{}` is can't be told", word.shown())),
            _ => {}
        }
    }
    if let Some(why) = odd {
        if targets.is_empty() {
            targets.push(Host::Unknown("it names no machine".to_owned()));
        }
        effects.push(Effect::UnknownAt { hosts: targets, why });
    }
    Report { effects, by: None }
}

/// Goes past an option's value.
fn skip<'w>(glued: bool, words: &mut impl Iterator<Item = &'w Word>) {
    if !glued {
        words.next();
    }
}

/// Judges a command of `snmpset`.
#[must_use]
pub fn snmpset(command: &Command, _: &Facts) -> Report {
    let spec = Spec { flags: "hHVd", values: "vcaAeElnuxXZtrmMPOILC3D", ..Spec::MIXED };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "H", "V"]) {
        return Report::reads();
    }
    // `-Lf` and `-LF` log to a file, which is the next word.
    let logs = parsed.values(&["L"]).filter(|value| matches!(value.known(), Some("f" | "F"))).count();
    let (files, rest) = parsed.operands.split_at_checked(logs).unwrap_or((&[], &[]));
    let Some(agent) = rest.first() else {
        return Report::unknown("it names no machine");
    };
    let mut effects: Vec<Effect> = files.iter().filter_map(writes).collect();
    effects.push(Effect::ChangesAt { hosts: vec![agent_of(agent)], how: "sets a value with snmpset".to_owned() });
    Report { effects, by: None }
}

/// The machine in `udp:machine:161`, or without what stands around it.
fn agent_of(word: &Word) -> Host {
    const CARRIERS: &[&str] = &["udp", "tcp", "udp6", "tcp6", "ssh", "tlstcp", "dtlsudp", "udpipv6", "tcpipv6"];
    let rest = match word.split_once(':') {
        Some((front, rest)) if front.known().is_some_and(|front| CARRIERS.contains(&front)) => rest,
        _ => word.clone(),
    };
    host::host(&host::with_port(&rest).host)
}

/// Judges a command of `gnmic`.
#[must_use]
pub fn gnmic(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    const SUBS: &[&str] = &[
        "capabilities",
        "cap",
        "get",
        "subscribe",
        "sub",
        "set",
        "version",
        "path",
        "generate",
        "gen",
        "help",
        "completion",
        "getset",
        "listen",
        "diff",
        "processor",
        "proxy",
        "prompt",
        "tunnel-server",
    ];
    let sub = all.iter().filter_map(Word::known).find(|word| SUBS.contains(word));
    let mut hosts = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let value = match word.beginning() {
            "-a" | "--address" => all.get(at + 1).cloned(),
            text if text.starts_with("--address=") => word.strip_prefix("--address="),
            _ => None,
        };
        let names: Vec<Word> = match value {
            Some(value) => match value.known() {
                Some(text) => text.split(',').map(Word::from).collect(),
                None => vec![Word::unknown()],
            },
            None => vec![],
        };
        hosts.extend(names.iter().map(|name| host::host(&host::with_port(name).host)));
    }
    if hosts.is_empty() {
        hosts.push(Host::Unknown("it names no machine".to_owned()));
    }
    match sub {
        Some("capabilities" | "cap" | "get" | "version" | "path" | "help" | "completion" | "diff") => Report::reads(),
        Some("subscribe" | "sub")
            if !all.iter().any(|word| word.begins_with("--config") || word.begins_with("--output")) =>
        {
            Report::reads()
        }
        Some("generate" | "gen") => Report::changes("generates files"),
        Some("set") => Report::of(Effect::ChangesAt { hosts, how: "sets values with gnmic".to_owned() }),
        _ => Report::of(Effect::UnknownAt { hosts, why: "what gnmic is told to do is not known".to_owned() }),
    }
}

/// Judges a command of `netconf-console`.
#[must_use]
pub fn netconf(command: &Command, _: &Facts) -> Report {
    let all = command.arguments();
    let mut hosts = Vec::new();
    let mut reads = false;
    let mut other = false;
    let mut words = all.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.known() else {
            other = true;
            continue;
        };
        let name = text.split('=').next().unwrap_or_default();
        match name {
            "--host" => hosts.extend(match text.strip_prefix("--host=") {
                Some(name) => Some(host::named(name)),
                None => words.next().map(host::host),
            }),
            "--hello" | "--get" | "--get-config" | "--get-schema" | "-h" | "--help" | "--version" => reads = true,
            "-u" | "-p" | "--user" | "--password" | "--port" | "--privKeyFile" | "--ns" | "-x" | "--xpath" | "-s"
            | "--style" | "--db" | "--with-defaults" | "--timeout" => {
                if !text.contains('=') {
                    words.next();
                }
            }
            "-v" | "--tcp" | "--raw" | "--wrap" => {}
            _ => other = text.starts_with('-') || other || !text.starts_with('/'),
        }
    }
    if reads && !other {
        return Report::reads();
    }
    if hosts.is_empty() {
        hosts.push(Host::Same);
    }
    Report::of(Effect::UnknownAt { hosts, why: "what it is told there is not read".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use super::*;

    #[test]
    fn what_asks_and_what_sets() {
        check(
            nmap,
            &[
                ("nmap web01", "reads"),
                ("nmap -sV -p 22,80 -A 10.0.0.0/24", "reads"),
                ("nmap -sC web01", "reads"),
                ("nmap --script ssl-cert,http-title -p 443 web01", "reads"),
                ("nmap --script=default,safe web01", "reads"),
                ("nmap --script vuln web01", "unknown at web01"),
                ("nmap --script=ssh-brute -p 22 web01 db01", "unknown at web01,db01"),
                ("nmap --script 'not intrusive' web01", "unknown at web01"),
                ("nmap --script ./x.nse web01", "unknown at web01"),
                ("nmap --script ssl-cert --script-args x=y web01", "unknown at web01"),
                ("nmap --datadir /tmp/x web01", "unknown at web01"),
                ("nmap -oN out.txt web01", "writes out.txt"),
                ("nmap -oX - web01", "reads"),
                ("nmap --script … web01", "unknown at web01"),
                ("nmap --scrip vuln web01", "unknown at vuln,web01"),
                ("nmap -V", "reads"),
            ],
        );
        check(
            snmpset,
            &[
                ("snmpset -v2c -c private web01 sysContact.0 s x", "changes at web01"),
                ("snmpset -v 3 -u jo -l authPriv udp:web01:161 x i 1", "changes at web01"),
                ("snmpset -v2c -cprivate [fe80::1] x i 1", "changes at fe80::1"),
                ("snmpset -v2c -c x … y i 1", "unknown"),
                ("snmpset -v2c -c x -Lf /tmp/log web01 x i 1", "writes /tmp/log; changes at web01"),
                ("snmpset -V", "reads"),
                ("snmpset", "unknown"),
            ],
        );
        check(
            gnmic,
            &[
                ("gnmic -a sw01:57400 -u x get --path /y", "reads"),
                ("gnmic -a sw01 capabilities", "reads"),
                ("gnmic -a sw01,sw02 set --update-path x", "changes at sw01,sw02"),
                ("gnmic set --config x", "changes at ?"),
                ("gnmic -a sw01 proxy", "unknown at sw01"),
                ("gnmic version", "reads"),
            ],
        );
        check(
            netconf,
            &[
                ("netconf-console --host sw01 --get", "reads"),
                ("netconf-console --host=sw01 -u x --get-config -x /y", "reads"),
                ("netconf-console --host sw01 --edit-config=x.xml", "unknown at sw01"),
                ("netconf-console --host sw01 --rpc=x.xml --get", "unknown at sw01"),
                ("netconf-console --host sw01 rpc.xml", "unknown at sw01"),
                ("netconf-console --hello", "reads"),
            ],
        );
    }
}
