//! Programs of which some options only look, as long as nothing else stands beside them: `logrotate`, `ssh-keygen`,
//! `gpg`, `ntpq`, `openssl s_client`. Pure.

use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

fn table() -> Report {
    Report::of(Effect::Table)
}

/// The options, if each of them is in the spec and one of them is among those that look.
fn looks(command: &Command, spec: &Spec, names: &[&str]) -> Option<Parsed> {
    parse(command.arguments(), spec).ok().filter(|parsed| parsed.has(names))
}

/// `logrotate`: its configuration names scripts, which a dry run leaves alone.
pub fn logrotate(command: &Command, _facts: &Facts) -> Report {
    let spec = Spec {
        flags: "dfv?",
        values: "s",
        long_flags: &["debug", "force", "verbose", "usage", "help", "version"],
        long_values: &["state"],
        ..Spec::default()
    };
    if looks(command, &spec, &["d", "debug", "usage", "help", "version"]).is_some() {
        return Report::reads();
    }
    let mut report = Report::changes("rotates log files");
    report.effects.push(Effect::Unknown("logrotate runs the scripts of its configuration".into()));
    report
}

/// `ssh-keygen`: shows fingerprints, certificates, public keys and entries of `known_hosts`.
pub fn ssh_keygen(command: &Command, _facts: &Facts) -> Report {
    let spec = Spec { flags: "lyBLevqH", values: "fFEm", ..Spec::default() };
    match looks(command, &spec, &["l", "y", "B", "L", "e", "F"]) {
        // By itself -H rewrites the file; with -F it only shows names as hashes.
        Some(parsed) if !parsed.has(&["H"]) || parsed.has(&["F"]) => Report::reads(),
        _ => table(),
    }
}

/// `gpg`: lists, verifies and prints.
pub fn gpg(command: &Command, _facts: &Facts) -> Report {
    const LOOKS: &[&str] = &[
        "k",
        "K",
        "list-keys",
        "list-public-keys",
        "list-secret-keys",
        "list-sigs",
        "list-signatures",
        "check-sigs",
        "check-signatures",
        "fingerprint",
        "verify",
        "list-packets",
        "show-keys",
        "print-md",
        "version",
        "list-config",
    ];
    let spec = Spec {
        flags: "kKvqn",
        long_flags: &[
            "list-keys",
            "list-public-keys",
            "list-secret-keys",
            "list-sigs",
            "list-signatures",
            "check-sigs",
            "check-signatures",
            "fingerprint",
            "verify",
            "list-packets",
            "show-keys",
            "print-md",
            "version",
            "list-config",
            "with-colons",
            "with-fingerprint",
            "with-subkey-fingerprint",
            "with-keygrip",
            "with-key-data",
            "no-tty",
            "batch",
            "verbose",
            "quiet",
            "dry-run",
            "armor",
            "no-default-keyring",
            "no-auto-check-trustdb",
            "no-options",
        ],
        long_values: &["keyring", "keyid-format", "status-fd"],
        ..Spec::default()
    };
    if looks(command, &spec, LOOKS).is_some() { Report::reads() } else { table() }
}

/// `ntpq` asks a server; some of its commands set something there.
pub fn ntpq(command: &Command, _facts: &Facts) -> Report {
    const READS: &[&str] = &[
        "peers",
        "pe",
        "lpeers",
        "opeers",
        "apeers",
        "as",
        "associations",
        "rv",
        "readvar",
        "readlist",
        "rl",
        "sysinfo",
        "sysstats",
        "kerninfo",
        "iostats",
        "timerstats",
        "monstats",
        "mrulist",
        "ifstats",
        "reslist",
        "clocklist",
        "version",
    ];
    let spec = Spec {
        flags: "46dnpwW",
        values: "c",
        long_flags: &["ipv4", "ipv6", "debug", "numeric", "peers", "wide", "version", "help"],
        long_values: &["command"],
        ..Spec::default()
    };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let reads = |word: &Word| {
        word.known().and_then(|text| text.split_whitespace().next()).is_some_and(|first| READS.contains(&first))
    };
    if !parsed.values(&["c", "command"]).all(reads) {
        return Report::unknown("what ntpq is told to do may set something on the server");
    }
    let told = parsed.has(&["c", "command", "p", "peers", "version", "help"]);
    let nothing_else = matches!(command.stdin, Stdin::Inherited | Stdin::Nothing);
    if told || nothing_else { Report::reads() } else { Report::unknown("ntpq reads its commands on stdin") }
}

/// `openssl s_client` sends what comes on stdin to the server that it is given.
pub fn openssl(command: &Command, _facts: &Facts) -> Report {
    let [sub, rest @ ..] = command.arguments() else { return table() };
    if sub.known() != Some("s_client") {
        return table();
    }
    let spec = Spec {
        long_flags: &[
            "showcerts",
            "brief",
            "quiet",
            "status",
            "debug",
            "msg",
            "state",
            "tls1",
            "tls1_1",
            "tls1_2",
            "tls1_3",
            "no_tls1",
            "no_tls1_1",
            "no_tls1_2",
            "no_tls1_3",
            "no_ssl3",
            "verify_quiet",
            "verify_return_error",
            "prexit",
            "4",
            "6",
            "noservername",
            "no_ign_eof",
            "ign_eof",
            "crlf",
            "ct",
            "noct",
            "no_ticket",
            "trace",
            "security_debug",
        ],
        long_values: &[
            "connect",
            "host",
            "port",
            "servername",
            "CAfile",
            "CApath",
            "cert",
            "certform",
            "key",
            "starttls",
            "alpn",
            "cipher",
            "ciphersuites",
            "verify",
            "verify_hostname",
            "verify_ip",
            "verify_depth",
            "curves",
            "groups",
            "sigalgs",
            "xmpphost",
            "name",
        ],
        single_dash: true,
        ..Spec::default()
    };
    if let Err(why) = parse(rest, &spec) {
        return Report::unknown(why);
    }
    let silent = match &command.stdin {
        Stdin::Inherited | Stdin::Nothing => true,
        // `Q` ends the connection.
        Stdin::Text(text) => text.known().is_some_and(|text| matches!(text.trim(), "" | "Q")),
        Stdin::File(file) => file.known() == Some("/dev/null"),
        Stdin::Unknown => false,
    };
    if silent { Report::reads() } else { Report::unknown("openssl s_client sends its stdin to a server") }
}

#[cfg(test)]
#[path = "../tests/modes.rs"]
mod tests;
