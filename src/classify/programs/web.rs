//! `curl` and `wget`: which machines are asked for what, and what is written here. Pure.

use super::carry::{only_tells, report, writes};
use super::curl_config;
use super::options::{Parsed, parse};
use super::web_options::{CURL, WGET};
use super::web_place::{behind_proxy, has_proxy, hosts, is_disturbed, sends};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

/// Judges `curl`.
#[must_use]
pub fn curl(command: &Command, facts: &Facts) -> Report {
    let words = match curl_config::with_files(command, facts) {
        Ok(words) => words,
        Err(why) => return Report::unknown(why),
    };
    let parsed = match parse(&words, &CURL) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if only_tells(&parsed) || parsed.has(&["h", "V", "M", "manual"]) {
        return Report::reads();
    }
    if parsed.has(&["K", "config"]) {
        return Report::unknown("its options stand in a file");
    }
    // It says what a URL without a scheme means.
    if parsed.values(&["proto-default"]).any(|scheme| !matches!(scheme.known(), Some("http" | "https"))) {
        return Report::unknown("what its URLs ask for can't be told");
    }
    let first = words.first().and_then(Word::known);
    if !matches!(first, Some("-q" | "--disable")) && is_disturbed(".curlrc", facts) {
        return Report::unknown("what its file of options holds can't be told");
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
    let folder = parsed.values(&["output-dir"]).last().cloned();
    if parsed.has(&["O", "remote-name", "remote-name-all"]) || folder.is_some() {
        effects.push(Effect::Writes(folder.unwrap_or_else(|| ".".into())));
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
        let (files, urls): (Vec<&Word>, Vec<&Word>) =
            urls.into_iter().partition(|url| url.beginning().to_ascii_lowercase().starts_with("file:"));
        if !files.is_empty() {
            effects.push(Effect::Writes(file_of(&files)));
        }
        // What is really reached may be another machine.
        let moved = parsed.has(&["resolve", "connect-to"]);
        let local = parsed.has(&["unix-socket", "abstract-unix-socket"]);
        if !urls.is_empty() {
            let proxies = ["x", "proxy", "preproxy", "proxy1.0", "socks4", "socks4a", "socks5", "socks5-hostname"];
            let mut all = machines(&urls, moved, local);
            if !local && (parsed.has(&proxies) || has_proxy(facts)) {
                all = behind_proxy(all);
            }
            effects.extend(sends(all));
        }
    }
    report(effects)
}

/// The file of URLs that name files of this machine; of several, any.
fn file_of(urls: &[&Word]) -> Word {
    let path = |url: &&Word| url.strip_prefix("file://").filter(|path| path.begins_with("/"));
    match urls {
        [url] => Some(url).and_then(path).unwrap_or_else(Word::unknown),
        _ => Word::unknown(),
    }
}

/// Whether it asks for more than to be shown something.
fn curl_writes(parsed: &Parsed) -> bool {
    // Folders are made there even for what is only fetched.
    let sent = ["T", "upload-file", "Q", "quote", "ftp-create-dirs"];
    let body =
        ["d", "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "F", "form", "form-string", "json"];
    let methods: Vec<&Word> = parsed.values(&["X", "request"]).collect();
    let reading = |word: &&Word| matches!(word.known(), Some("GET" | "HEAD" | "OPTIONS"));
    // Some services take the method from a header.
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

/// No more machines are named of one command.
const MOST: usize = 256;

/// The machines that are asked, whatever the URLs say where something else says it.
fn machines(urls: &[&Word], moved: bool, local: bool) -> Vec<Host> {
    if local {
        return vec![Host::Same];
    }
    if moved {
        return vec![Host::Unknown("its options say which machine is really reached".into())];
    }
    let mut all: Vec<Host> = vec![];
    for host in urls.iter().flat_map(|url| hosts(url)) {
        if all.len() >= MOST {
            all.push(Host::Unknown(format!("it asks more than {MOST} machines")));
            break;
        }
        if !all.contains(&host) {
            all.push(host);
        }
    }
    all
}

/// Whether a header hands the service another method.
fn overrides(header: &Word) -> bool {
    // A file may hold any header.
    header.may_begin_with("@") && header.known().is_none_or(|text| text.starts_with('@'))
        || header.stretches().any(|text| {
            let text = text.to_ascii_lowercase();
            text.contains("method-override") || text.contains("x-http-method")
        })
}

/// Judges `wget`.
#[must_use]
pub fn wget(command: &Command, facts: &Facts) -> Report {
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
    if is_disturbed(".wgetrc", facts) {
        return Report::unknown("what its file of options holds can't be told");
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
    if !methods || parsed.has(&["post-data", "post-file"]) || parsed.values(&["header"]).any(overrides) {
        let listed = parsed.has(&["i", "input-file"]);
        let urls: Vec<&Word> = parsed.operands.iter().collect();
        let mut all = machines(&urls, false, false);
        if listed {
            all.push(Host::Unknown("its URLs stand in a file".into()));
        }
        if has_proxy(facts) {
            all = behind_proxy(all);
        }
        effects.extend(sends(all));
    }
    report(effects)
}

#[cfg(test)]
#[path = "tests/web.rs"]
mod tests;
