//! `curl` and `wget`: which machines are asked for what, and what is written here. Pure.

use super::carry::{only_tells, report, writes};
use super::options::{Parsed, parse};
use super::web_options::{CURL, WGET};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

/// Judges `curl`.
#[must_use]
pub fn curl(command: &Command, _: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &CURL) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if only_tells(&parsed) || parsed.has(&["h", "V", "M", "manual"]) {
        return Report::reads();
    }
    if parsed.has(&["K", "config"]) {
        return Report::unknown("its options stand in a file");
    }
    let mut effects = vec![];
    let files = [
        "o",
        "output",
        "D",
        "dump-header",
        "c",
        "cookie-jar",
        "etag-save",
        "libcurl",
        "stderr",
        "trace",
        "trace-ascii",
        "hsts",
        "alt-svc",
    ];
    effects.extend(parsed.values(&files).filter(|file| !matches!(file.known(), Some("-" | "%"))).filter_map(writes));
    if parsed.has(&["O", "remote-name", "remote-name-all"]) {
        let folder = parsed.values(&["output-dir"]).last().cloned().unwrap_or_else(|| ".".into());
        effects.push(Effect::Writes(folder));
    }
    // A format may name a file, and may itself stand in one.
    for format in parsed.values(&["w", "write-out"]) {
        if format.known().is_none_or(|text| text.contains("%output{") || text.starts_with('@')) {
            effects.push(Effect::Writes(Word::unknown()));
        }
    }
    let urls: Vec<&Word> = parsed.operands.iter().chain(parsed.values(&["url"])).collect();
    if let Some(url) = urls.iter().find(|url| !plain_scheme(url)) {
        return report(
            effects.into_iter().chain([Effect::Unknown(format!("what `{}` asks for is not known", url.shown()))]),
        );
    }
    if curl_writes(&parsed) {
        // What is really reached may be another machine.
        let moved = parsed.has(&["resolve", "connect-to"]);
        let local = parsed.has(&["unix-socket"]);
        effects.extend(sends(urls, moved, local));
    }
    report(effects)
}

/// Whether it asks for more than to be shown something.
fn curl_writes(parsed: &Parsed) -> bool {
    let sent = ["T", "upload-file", "Q", "quote"];
    let body =
        ["d", "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "F", "form", "form-string", "json"];
    let methods: Vec<&Word> = parsed.values(&["X", "request"]).collect();
    let reading = |word: &&Word| matches!(word.known(), Some("GET" | "HEAD" | "OPTIONS"));
    // Some services take the method from a header.
    let overrides = |word: &Word| word.stretches().any(|text| text.to_ascii_lowercase().contains("method-override"));
    if parsed.values(&["H", "header"]).any(overrides) {
        return true;
    }
    let several = parsed.has(&["next", ":"]);
    if parsed.has(&sent) || !methods.iter().all(reading) {
        return true;
    }
    // A method that is given is used, body or not; with --next that may hold for another request only.
    let asks = !several && (!methods.is_empty() || parsed.has(&["G", "get", "I", "head"]));
    parsed.has(&body) && !asks
}

/// Whether it is a scheme by which something is only fetched unless an option says otherwise.
fn plain_scheme(url: &Word) -> bool {
    let beginning = url.beginning();
    match beginning.split_once("://") {
        Some((scheme, _)) => {
            let scheme = scheme.to_ascii_lowercase();
            matches!(scheme.as_str(), "http" | "https" | "ftp" | "ftps" | "sftp" | "scp" | "file" | "ldap" | "ldaps")
        }
        // Without a scheme some hosts' names stand for one.
        None => {
            let odd = ["dict.", "imap.", "smtp.", "pop3."];
            let doubtful = url.known().is_none() && !beginning.contains(['/', '.', ':']);
            !doubtful && !odd.iter().any(|start| beginning.to_ascii_lowercase().starts_with(start))
        }
    }
}

/// A request that may change something, at each of the machines.
fn sends(urls: Vec<&Word>, moved: bool, local: bool) -> Vec<Effect> {
    let hosts = urls.into_iter().map(|url| {
        if moved {
            Host::Unknown("its options say which machine is really reached".into())
        } else if local {
            Host::Same
        } else {
            host(url)
        }
    });
    let (own, others): (Vec<Host>, Vec<Host>) = hosts.partition(|host| *host == Host::Same);
    let mut effects = vec![];
    if !own.is_empty() {
        effects.push(Effect::Changes("sends something to a service of its own machine".into()));
    }
    if !others.is_empty() {
        effects.push(Effect::UnknownAt { hosts: others, why: "what the request changes there is not known".into() });
    }
    effects
}

/// The machine of a URL.
fn host(url: &Word) -> Host {
    let unknown = || Host::Unknown(format!("which machine `{}` is on can't be told", url.shown()));
    let beginning = url.beginning();
    let rest = beginning.split_once("://").map_or(beginning, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#', '\\']);
    // Something unknown may still belong to the name.
    if end.is_none() && url.known().is_none() {
        return unknown();
    }
    let authority = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    let place = authority.rsplit('@').next().unwrap_or_default();
    let name = match place.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => place.split(':').next().unwrap_or_default(),
    };
    let loopback = name.eq_ignore_ascii_case("localhost")
        || name == "::1"
        || name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback());
    let plain =
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':'));
    match (loopback, plain) {
        (true, _) => Host::Same,
        (false, true) => Host::named(name),
        (false, false) => unknown(),
    }
}

/// Judges `wget`.
#[must_use]
pub fn wget(command: &Command, _: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &WGET) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if only_tells(&parsed) || parsed.has(&["h", "V"]) {
        return Report::reads();
    }
    // A command of its settings file may be anything that this can do.
    if parsed.has(&["e"]) {
        return Report::unknown("a setting that it is given is not read");
    }
    let mut effects = vec![];
    let logs = ["o", "output-file", "a", "append-output", "rejected-log", "save-cookies", "warc-file", "hsts-file"];
    effects.extend(parsed.values(&logs).filter(|file| file.known() != Some("-")).filter_map(writes));
    let output = parsed.values(&["O", "output-document"]).last();
    match output {
        Some(file) if file.known() == Some("-") => {}
        Some(file) => effects.extend(writes(file)),
        // To follow links it has to keep the pages for a while.
        None if parsed.has(&["spider"]) && !parsed.has(&["r", "recursive", "m", "mirror", "p", "page-requisites"]) => {}
        None => {
            let folder = parsed.values(&["P", "directory-prefix"]).last().cloned().unwrap_or_else(|| ".".into());
            effects.push(Effect::Writes(folder));
        }
    }
    if parsed.has(&["b", "background"]) {
        effects.push(Effect::Writes("wget-log".into()));
    }
    let reading = |word: &Word| matches!(word.known(), Some("GET" | "HEAD" | "OPTIONS"));
    let methods = parsed.values(&["method"]).all(reading);
    if !methods || parsed.has(&["post-data", "post-file"]) {
        let listed = parsed.has(&["i", "input-file"]);
        let urls: Vec<&Word> = parsed.operands.iter().collect();
        effects.extend(sends(urls, listed, false));
    }
    report(effects)
}

#[cfg(test)]
#[path = "tests/web.rs"]
mod tests;
