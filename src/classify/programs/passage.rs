//! Proxy commands that only pass a connection on to the machine that was named, as manuals show them. Pure.
//!
//! Whatever isn't surely one of them is shell text like any other, and chooses the machine.

use super::connection::{self, Connection, DEEPEST, Tokens};
use super::ssh_line::{self, Read};
use crate::classify::effect::{Effect, Facts};
use crate::classify::word::Word;

/// What a passage does besides passing on; none if the text isn't surely one.
#[must_use]
pub fn through(text: &Word, tokens: &Tokens, facts: &Facts, depth: usize) -> Option<Vec<Effect>> {
    // What is put in for the tokens goes through the shell as well.
    if ![&tokens.real, &tokens.port, &tokens.user].into_iter().flatten().all(|value| connection::is_plain(value)) {
        return None;
    }
    let words = words(text.known()?)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = words.strip_prefix(&["exec"]).unwrap_or(&words);
    let (program, rest) = words.split_first()?;
    let end = End { tokens };
    match program_name(program)? {
        "sh" | "bash" => match rest {
            ["-c", text] if depth < DEEPEST => through(&Word::from(*text), tokens, facts, depth + 1),
            _ => None,
        },
        "ssh" => {
            let rest: Vec<Word> = rest.iter().map(|word| Word::from(*word)).collect();
            let Read::Line(line) = ssh_line::read(&rest) else {
                return None;
            };
            let passes = match &line.passed_to {
                Some(to) => line.command.is_empty() && end.is(to.known()?),
                None => {
                    let command: Option<Vec<&str>> = line.command.iter().map(Word::known).collect();
                    let command = command?;
                    let command = command.strip_prefix(&["exec"]).unwrap_or(&command);
                    let (program, rest) = command.split_first()?;
                    netcat(program_name(program)?, rest, &end)
                }
            };
            // Anything else that the inner ssh would do is not a passage's business.
            let plain = !line.prints && line.control.is_none() && line.settings.tunnels.is_empty();
            if !passes || !plain || line.settings.get("remotecommand").is_some() {
                return None;
            }
            let connection = Connection::to(&line.place, line.settings.clone(), facts, depth + 1);
            let logs = line.logs.iter().cloned().map(Effect::Writes);
            Some(connection.local.into_iter().chain(logs).collect())
        }
        program => netcat(program, rest, &end).then(Vec::new),
    }
}

/// A program's name without the folders in which the system keeps programs.
fn program_name(program: &str) -> Option<&str> {
    let folders = ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"];
    let name = folders.iter().find_map(|folder| program.strip_prefix(folder)).unwrap_or(program);
    (!name.contains('/')).then_some(name)
}

/// Programs that join their stdin and stdout to the machine named last.
fn netcat(program: &str, rest: &[&str], end: &End) -> bool {
    match program {
        "nc" | "netcat" | "nc.openbsd" | "nc.traditional" => {
            end.ends(rest, &["-4", "-6", "-n", "-v", "-N", "-t"], &["-X", "-x", "-w", "-q", "-P", "-s", "-T", "-i"])
        }
        "ncat" => end.ends(
            rest,
            &["-4", "-6", "-n", "-v", "--no-shutdown"],
            &["--proxy", "--proxy-type", "--proxy-auth", "-w", "--wait", "-i", "--idle-timeout", "-s", "--source"],
        ),
        "connect" | "connect-proxy" => end.ends(rest, &["-4", "-5", "-n"], &["-S", "-H", "-R", "-w", "-T"]),
        "corkscrew" => matches!(rest, [_, _, host, port] | [_, _, host, port, _] if end.host(host) && end.port(port)),
        "sss_ssh_knownhostsproxy" => matches!(rest, ["-p", port, host] if end.host(host) && end.port(port)),
        "socat" => matches!(rest, ["-" | "STDIO", address] if end.is_address(address)),
        "aws" => end.is_session(rest),
        "gcloud" => match rest {
            ["compute", "start-iap-tunnel", host, port, options @ ..] => {
                let plain = ["--listen-on-stdin", "--zone=", "--project=", "--verbosity="];
                end.host(host) && end.port(port) && options.iter().all(|o| plain.iter().any(|p| o.starts_with(p)))
            }
            _ => false,
        },
        "tailscale" => matches!(rest, ["nc", host, port] if end.host(host) && end.port(port)),
        "cloudflared" => matches!(rest, ["access", "ssh", "--hostname", host] if end.host(host)),
        _ => false,
    }
}

/// The machine that has to stand at the end of a passage.
struct End<'a> {
    tokens: &'a Tokens,
}

impl End<'_> {
    fn host(&self, text: &str) -> bool {
        text == "%h" || self.tokens.real.as_deref() == Some(text)
    }

    fn port(&self, text: &str) -> bool {
        text == "%p" || self.tokens.port.as_deref() == Some(text)
    }

    /// `host:port`, the host perhaps in brackets.
    fn is(&self, text: &str) -> bool {
        let Some((host, port)) = text.rsplit_once(':') else {
            return false;
        };
        let host = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
        self.host(host) && self.port(port)
    }

    /// An address of socat's that is the machine, directly or behind a proxy.
    fn is_address(&self, text: &str) -> bool {
        let mut parts = text.split(',');
        let address = parts.next().unwrap_or_default();
        let options = ["proxyport=", "proxyauth=", "socksport=", "socksuser="];
        let place = match address.split_once(':') {
            Some(("TCP" | "TCP4" | "TCP6", place)) => Some(place),
            Some(("PROXY" | "SOCKS4" | "SOCKS4A", rest)) => rest.split_once(':').map(|(_, place)| place),
            _ => None,
        };
        place.is_some_and(|place| self.is(place)) && parts.all(|part| options.iter().any(|o| part.starts_with(o)))
    }

    /// A session of AWS that carries ssh to the machine.
    fn is_session(&self, words: &[&str]) -> bool {
        let (mut target, mut document, mut port) = (false, false, false);
        let Some(options) = words.strip_prefix(&["ssm", "start-session"]) else {
            return false;
        };
        options.chunks(2).all(|pair| match pair {
            ["--target", host] => {
                target = self.host(host);
                target
            }
            ["--document-name", name] => {
                document = *name == "AWS-StartSSHSession";
                document
            }
            ["--parameters", text] => {
                port = text.strip_prefix("portNumber=").is_some_and(|text| self.port(text));
                port
            }
            ["--region" | "--profile", _] => true,
            _ => false,
        }) && target
            && document
            && port
    }

    /// Whether nothing but these options stands before the machine and its port.
    fn ends(&self, words: &[&str], flags: &[&str], values: &[&str]) -> bool {
        let [front @ .., host, port] = words else {
            return false;
        };
        let mut front = front.iter();
        while let Some(word) = front.next() {
            let glued = word.split_once('=').is_some_and(|(name, _)| name.starts_with("--") && values.contains(&name));
            if values.contains(word) {
                if front.next().is_none() {
                    return false;
                }
            } else if !flags.contains(word) && !glued {
                return false;
            }
        }
        self.host(host) && self.port(port)
    }
}

/// The words of a shell text in which nothing but quotes means anything to the shell.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            ('$' | '`' | '\\', Some('"')) => return None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            (' ' | '\t', None) => words.extend(word.take()),
            // `[` stands before an address, and `~` before a key file; as a pattern it could only name a local file.
            (c, None) if c.is_alphanumeric() || "%:[]@.,/_+=-~^".contains(c) => word.get_or_insert_default().push(c),
            _ => return None,
        }
    }
    words.extend(word);
    (quote.is_none() && !words.is_empty()).then_some(words)
}
