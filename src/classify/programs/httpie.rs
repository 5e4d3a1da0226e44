//! `http`, `https` and `xh`: what is asked for stands in words, and some of them make a request one that sends. Pure.

use super::carry::{only_tells, report, writes};
use super::options::{Spec, parse};
use super::web_place::{behind_proxy, has_proxy, hosts, sends};
use crate::classify::effect::{Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::word::Word;

/// The options of HTTPie 3 and xh 0.2x; those that are left out change what the others mean.
const SPEC: Spec = Spec {
    flags: "jfxvhmbSdcqFI46",
    values: "psoaAP",
    long_flags: &[
        "json",
        "form",
        "multipart",
        "compress",
        "unsorted",
        "sorted",
        "verbose",
        "headers",
        "meta",
        "body",
        "all",
        "stream",
        "download",
        "continue",
        "quiet",
        "ignore-netrc",
        "offline",
        "follow",
        "check-status",
        "path-as-is",
        "chunked",
        "ignore-stdin",
        "help",
        "manual",
        "version",
        "traceback",
        "debug",
        "curl",
        "curl-long",
        "https",
        "native-tls",
        "ipv4",
        "ipv6",
    ],
    long_values: &[
        "pretty",
        "style",
        "format-options",
        "response-charset",
        "response-mime",
        "print",
        "output",
        "session",
        "session-read-only",
        "auth",
        "auth-type",
        "proxy",
        "max-redirects",
        "max-headers",
        "timeout",
        "verify",
        "ssl",
        "ciphers",
        "cert",
        "cert-key",
        "cert-key-pass",
        "raw",
        "boundary",
        "default-scheme",
        "history-print",
        "http-version",
        "resolve",
        "interface",
    ],
    ..Spec::MIXED
};

/// Judges `http` and its like.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if only_tells(&parsed) || parsed.has(&["manual"]) || parsed.operands.is_empty() {
        return Report::reads();
    }
    let mut effects: Vec<Effect> = parsed.values(&["o", "output"]).filter_map(writes).collect();
    if parsed.has(&["d", "download"]) && effects.is_empty() {
        effects.push(Effect::Writes(".".into()));
    }
    if parsed.has(&["session"]) {
        effects.push(Effect::Changes("keeps a session".into()));
    }
    // They only print what would be sent.
    if parsed.has(&["offline", "curl", "curl-long"]) {
        return report(effects);
    }
    if let Some(word) = parsed.operands.iter().take(2).find(|word| word.is_many()) {
        return Report::unknown(format!("what `{}` asks for is only known when it runs", word.shown()));
    }
    let is_method = |word: &Word| {
        word.known().is_some_and(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphabetic()))
            || word.known().is_none() && !word.beginning().contains(['/', '.', ':'])
    };
    let (method, rest) = match parsed.operands.as_slice() {
        [method, rest @ ..] if !rest.is_empty() && is_method(method) => (Some(method), rest),
        rest => (None, rest),
    };
    let Some((url, items)) = rest.split_first() else { return report(effects) };
    let sent = match method {
        Some(method) => {
            let name = method.known().unwrap_or_default().to_ascii_uppercase();
            !matches!(name.as_str(), "GET" | "HEAD" | "OPTIONS")
        }
        None => {
            // What is not a terminal is a body, though nothing be in it.
            let stdin = command.stdin != Stdin::Inherited && !parsed.has(&["I", "ignore-stdin"]);
            stdin || parsed.has(&["raw"]) || items.iter().any(is_data)
        }
    };
    let overrides = |word: &Word| {
        let text = word.beginning().to_ascii_lowercase();
        text.contains("method-override") || text.contains("x-http-method")
    };
    if sent || items.iter().any(overrides) {
        let all = match parsed.has(&["resolve"]) {
            true => vec![Host::Unknown("its options say which machine is really reached".into())],
            false => machines(url),
        };
        let proxied = parsed.has(&["proxy"]) || has_proxy(facts);
        effects.extend(sends(if proxied { behind_proxy(all) } else { all }));
    }
    report(effects)
}

/// The machines of a URL: without a name it is this one, as in `:8080/path`.
fn machines(url: &Word) -> Vec<Host> {
    let beginning = url.beginning();
    let rest = beginning.strip_prefix("http://").or_else(|| beginning.strip_prefix("https://")).unwrap_or(beginning);
    if rest.starts_with("http+unix://") {
        return vec![Host::Same];
    }
    let port: &str = rest.strip_prefix(':').unwrap_or("-");
    let digits = port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len());
    let behind = port.get(digits..).unwrap_or("-");
    let whole = url.known().is_some() || !behind.is_empty();
    if whole && (behind.is_empty() || behind.starts_with('/')) {
        return vec![Host::Same];
    }
    hosts(url)
}

/// Whether a word is data that is sent: the first of these marks says what it is, the longest of those at one place.
fn is_data(word: &Word) -> bool {
    const MARKS: &[(&str, bool)] = &[
        (":=@", true),
        ("==@", false),
        (":=", true),
        ("=@", true),
        ("==", false),
        (":@", false),
        (":", false),
        ("=", true),
        ("@", true),
        (";", false),
    ];
    let text = word.beginning();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(c) = rest.chars().next() else { break };
        if c == '\\' {
            // What stands behind it is no mark.
            at += 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
            continue;
        }
        if let Some((_, data)) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark)) {
            // A longer mark may follow where the text is not known.
            return *data || (word.known().is_none() && rest.len() < 3);
        }
        at += c.len_utf8();
    }
    true
}

#[cfg(test)]
#[path = "tests/httpie.rs"]
mod tests;
