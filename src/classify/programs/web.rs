//! `curl` and `wget`: which machines are asked for what, and what is written here. Pure.

use super::carry::{only_tells, report, writes};
use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

const CURL: Spec = Spec {
    flags: "012346aBfGgiIjJklLMnNOpqRsSvVZ#:",
    values: "AbcCdDeEFHKmoPQrtTuUwxXyYz",
    glued: "h",
    long_flags: &[
        "anyauth",
        "append",
        "basic",
        "cert-status",
        "compressed",
        "compressed-ssh",
        "create-dirs",
        "crlf",
        "digest",
        "disable",
        "disable-eprt",
        "disable-epsv",
        "disallow-username-in-url",
        "doh-cert-status",
        "doh-insecure",
        "fail",
        "fail-early",
        "fail-with-body",
        "false-start",
        "form-escape",
        "ftp-create-dirs",
        "ftp-pasv",
        "ftp-pret",
        "ftp-skip-pasv-ip",
        "get",
        "globoff",
        "haproxy-protocol",
        "head",
        "help",
        "http0.9",
        "http1.0",
        "http1.1",
        "http2",
        "http2-prior-knowledge",
        "http3",
        "http3-only",
        "ignore-content-length",
        "include",
        "insecure",
        "ipv4",
        "ipv6",
        "junk-session-cookies",
        "list-only",
        "location",
        "location-trusted",
        "manual",
        "negotiate",
        "netrc",
        "netrc-optional",
        "next",
        "no-alpn",
        "no-buffer",
        "no-clobber",
        "no-keepalive",
        "no-progress-meter",
        "no-sessionid",
        "ntlm",
        "ntlm-wb",
        "parallel",
        "parallel-immediate",
        "path-as-is",
        "post301",
        "post302",
        "post303",
        "progress-bar",
        "proxy-anyauth",
        "proxy-basic",
        "proxy-digest",
        "proxy-insecure",
        "proxy-negotiate",
        "proxy-ntlm",
        "proxytunnel",
        "raw",
        "remote-header-name",
        "remote-name",
        "remote-name-all",
        "remote-time",
        "remove-on-error",
        "retry-all-errors",
        "retry-connrefused",
        "sasl-ir",
        "show-error",
        "show-headers",
        "silent",
        "ssl",
        "ssl-allow-beast",
        "ssl-auto-client-cert",
        "ssl-no-revoke",
        "ssl-reqd",
        "ssl-revoke-best-effort",
        "sslv2",
        "sslv3",
        "styled-output",
        "suppress-connect-headers",
        "tcp-fastopen",
        "tcp-nodelay",
        "tlsv1",
        "tlsv1.0",
        "tlsv1.1",
        "tlsv1.2",
        "tlsv1.3",
        "tr-encoding",
        "trace-time",
        "trace-ids",
        "use-ascii",
        "verbose",
        "version",
        "xattr",
    ],
    long_values: &[
        "alt-svc",
        "aws-sigv4",
        "cacert",
        "capath",
        "cert",
        "cert-type",
        "ciphers",
        "config",
        "connect-timeout",
        "connect-to",
        "continue-at",
        "cookie",
        "cookie-jar",
        "create-file-mode",
        "crlfile",
        "curves",
        "data",
        "data-ascii",
        "data-binary",
        "data-raw",
        "data-urlencode",
        "delegation",
        "dns-interface",
        "dns-ipv4-addr",
        "dns-ipv6-addr",
        "dns-servers",
        "doh-url",
        "dump-header",
        "etag-compare",
        "etag-save",
        "expect100-timeout",
        "form",
        "form-string",
        "ftp-method",
        "ftp-port",
        "happy-eyeballs-timeout-ms",
        "header",
        "hostpubmd5",
        "hostpubsha256",
        "hsts",
        "interface",
        "json",
        "keepalive-time",
        "key",
        "key-type",
        "libcurl",
        "limit-rate",
        "local-port",
        "login-options",
        "max-filesize",
        "max-redirs",
        "max-time",
        "netrc-file",
        "noproxy",
        "oauth2-bearer",
        "output",
        "output-dir",
        "parallel-max",
        "pass",
        "pinnedpubkey",
        "preproxy",
        "proto",
        "proto-redir",
        "proxy",
        "proxy-cacert",
        "proxy-header",
        "proxy-user",
        "proxy1.0",
        "pubkey",
        "quote",
        "range",
        "rate",
        "referer",
        "request",
        "request-target",
        "resolve",
        "retry",
        "retry-delay",
        "retry-max-time",
        "socks4",
        "socks4a",
        "socks5",
        "socks5-hostname",
        "speed-limit",
        "speed-time",
        "stderr",
        "time-cond",
        "tls-max",
        "tls13-ciphers",
        "tlspassword",
        "tlsuser",
        "trace",
        "trace-ascii",
        "unix-socket",
        "upload-file",
        "url",
        "url-query",
        "user",
        "user-agent",
        "write-out",
    ],
    ..Spec::MIXED
};

const WGET: Spec = Spec {
    flags: "VhbdqvFcNS46xErkKmpHL",
    values: "oaietOTwQPUlARDIXB",
    glued: "n",
    long_flags: &[
        "adjust-extension",
        "ask-password",
        "auth-no-challenge",
        "background",
        "backup-converted",
        "content-disposition",
        "content-on-error",
        "continue",
        "convert-file-only",
        "convert-links",
        "debug",
        "delete-after",
        "follow-ftp",
        "force-directories",
        "force-html",
        "ftps-implicit",
        "help",
        "https-only",
        "ignore-case",
        "ignore-length",
        "inet4-only",
        "inet6-only",
        "keep-session-cookies",
        "mirror",
        "no-cache",
        "no-check-certificate",
        "no-clobber",
        "no-config",
        "no-cookies",
        "no-directories",
        "no-dns-cache",
        "no-glob",
        "no-host-directories",
        "no-hsts",
        "no-http-keep-alive",
        "no-if-modified-since",
        "no-iri",
        "no-netrc",
        "no-parent",
        "no-passive-ftp",
        "no-proxy",
        "no-remove-listing",
        "no-use-server-timestamps",
        "no-verbose",
        "page-requisites",
        "preserve-permissions",
        "protocol-directories",
        "quiet",
        "random-wait",
        "recursive",
        "relative",
        "retr-symlinks",
        "retry-connrefused",
        "retry-on-host-error",
        "save-headers",
        "server-response",
        "show-progress",
        "span-hosts",
        "spider",
        "strict-comments",
        "timestamping",
        "trust-server-names",
        "unlink",
        "verbose",
        "version",
        "xattr",
    ],
    long_values: &[
        "accept",
        "accept-regex",
        "append-output",
        "base",
        "bind-address",
        "body-data",
        "body-file",
        "ca-certificate",
        "ca-directory",
        "certificate",
        "certificate-type",
        "ciphers",
        "compression",
        "connect-timeout",
        "cut-dirs",
        "default-page",
        "directory-prefix",
        "dns-timeout",
        "domains",
        "exclude-directories",
        "exclude-domains",
        "follow-tags",
        "ftp-password",
        "ftp-user",
        "header",
        "hsts-file",
        "http-password",
        "http-user",
        "ignore-tags",
        "include-directories",
        "input-file",
        "level",
        "limit-rate",
        "load-cookies",
        "local-encoding",
        "max-redirect",
        "method",
        "output-document",
        "output-file",
        "password",
        "pinnedpubkey",
        "post-data",
        "post-file",
        "prefer-family",
        "private-key",
        "private-key-type",
        "progress",
        "proxy-password",
        "proxy-user",
        "quota",
        "read-timeout",
        "referer",
        "regex-type",
        "reject",
        "reject-regex",
        "rejected-log",
        "remote-encoding",
        "report-speed",
        "restrict-file-names",
        "retry-on-http-error",
        "save-cookies",
        "secure-protocol",
        "start-pos",
        "timeout",
        "tries",
        "user",
        "user-agent",
        "wait",
        "waitretry",
        "warc-file",
    ],
    ..Spec::MIXED
};

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
        None if parsed.has(&["spider"]) => {}
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
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn curl_that_only_asks() {
        for line in [
            "curl https://web01/x",
            "curl -sSfL -H 'A: b' -u u:p https://web01/x",
            "curl -I web01",
            "curl -XGET -d '{}' http://web01:9200/_search",
            "curl -G -d a=b http://web01",
            "curl -so /dev/null -w '%{http_code}' http://web01",
            "curl -o - http://web01",
            "curl -k --max-time 5 --resolve a:443:1.2.3.4 https://a/",
            "curl https://web01/… -s",
            "curl --version",
            "curl -X HEAD http://web01",
        ] {
            check(curl, &[(line, "reads")]);
        }
    }

    #[test]
    fn curl_that_writes_or_sends() {
        check(
            curl,
            &[
                ("curl -o /etc/x http://web01", "writes /etc/x"),
                ("curl -sLO http://web01/x", "writes ."),
                ("curl -OJ --output-dir /srv http://web01/x", "writes /srv"),
                ("curl -D /etc/x -c y http://web01", "writes /etc/x; writes y"),
                ("curl --trace /etc/x http://web01", "writes /etc/x"),
                ("curl -w '%output{/etc/x}a' http://web01", "writes …"),
                ("curl -XPOST http://u:p@web01:80/x?y", "unknown at web01"),
                ("curl -X DELETE http://[fe80::1]:80/", "unknown at fe80::1"),
                ("curl -d x http://web01 https://web02", "unknown at web01,web02"),
                ("curl --json '{}' localhost:8080/x", "changes"),
                ("curl -F a=@b http://127.0.0.1/ http://web01/", "changes; unknown at web01"),
                ("curl -T x sftp://web01/x", "unknown at web01"),
                ("curl -Q 'DELE x' ftp://web01/", "unknown at web01"),
                ("curl -d x http://web…/", "unknown at ?"),
                ("curl -d x http://web01/…", "unknown at web01"),
                ("curl -X … http://web01/", "unknown at web01"),
                ("curl -d x --connect-to ::web02: http://web01", "unknown at ?"),
                ("curl -d x --unix-socket /run/x http://x/", "changes"),
                ("curl http://a -X GET --next -d x http://web01", "unknown at a,web01"),
                ("curl -d x 'http://{a,b}/'", "unknown at ?"),
                ("curl -H 'X-HTTP-Method-Override: DELETE' http://web01", "unknown at web01"),
                ("curl --data-b x http://web01", "unknown at web01"),
            ],
        );
        check_unknown(
            curl,
            &[
                "curl -K x",
                "curl gopher://127.0.0.1:6379/_x",
                "curl telnet://web01",
                "curl …",
                "curl $*",
                "curl --engine x http://a",
                "curl dict.web01",
            ],
        );
    }

    #[test]
    fn wget_writes_unless_told_otherwise() {
        check(
            wget,
            &[
                ("wget http://web01/x", "writes ."),
                ("wget -qO- http://web01/x", "reads"),
                ("wget -nv -O /etc/x http://web01", "writes /etc/x"),
                ("wget -q --spider http://web01", "reads"),
                ("wget -P /srv -nc http://web01/x", "writes /srv"),
                ("wget -O - -o /etc/x http://web01/x", "writes /etc/x"),
                ("wget -qO- --post-data=x http://web01", "unknown at web01"),
                ("wget -qO- --method=DELETE http://localhost", "changes"),
                ("wget -qO- --method=HEAD http://web01", "reads"),
                ("wget -bO- http://web01", "writes wget-log"),
            ],
        );
        check_unknown(
            wget,
            &["wget -e use_askpass=rm http://a", "wget --use-askpass=rm http://a", "wget --config=x http://a"],
        );
    }
}
