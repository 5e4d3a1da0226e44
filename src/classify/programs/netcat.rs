//! `nc`, `ncat` and `netcat`: a port is asked whether it is open, listened at, or sent what comes on stdin. Pure.

use super::carry::{self, writes};
use super::host;
use super::options::{self, Spec};
use crate::classify::effect::{Command, Effect, Facts, Report, Stdin};

/// The options of OpenBSD's and of the traditional one together; those of nmap's stand beside, since some systems install it
/// under this name. Where they disagree (`-d`, `-c`) nothing but the machine's place among the words hangs on it.
const NC: Spec = Spec { flags: "46abCDdFhkKlLNnrStUuvZz", values: "ceGgIiMmoOPpqsTVWwXx", ..NCAT };

const NCAT: Spec = Spec {
    flags: "46CUhklntuvz",
    values: "cegGmdoxipsw",
    glued: "",
    long_flags: &[
        "unixsock",
        "vsock",
        "crlf",
        "help",
        "listen",
        "keep-open",
        "nodns",
        "telnet",
        "udp",
        "sctp",
        "verbose",
        "append-output",
        "send-only",
        "recv-only",
        "no-shutdown",
        "broker",
        "chat",
        "ssl",
        "ssl-verify",
        "version",
    ],
    long_values: &[
        "sh-exec",
        "exec",
        "lua-exec",
        "max-conns",
        "delay",
        "output",
        "hex-dump",
        "idle-timeout",
        "source-port",
        "source",
        "wait",
        "allow",
        "allowfile",
        "deny",
        "denyfile",
        "proxy",
        "proxy-type",
        "proxy-auth",
        "proxy-dns",
        "ssl-cert",
        "ssl-key",
        "ssl-trustfile",
        "ssl-ciphers",
        "ssl-servername",
        "ssl-alpn",
    ],
    stops: false,
    single_dash: false,
};

/// Judges a command of one of them.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let ncat = carry::name(command) == "ncat";
    let parsed = match options::parse(command.arguments(), if ncat { &NCAT } else { &NC }) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help", "version"]) {
        return Report::reads();
    }
    if parsed.has(&["e", "c", "exec", "sh-exec", "lua-exec"]) {
        return Report::unknown("it gives a program to whoever is at the other end");
    }
    let files = if ncat { ["o", "output", "x", "hex-dump"] } else { ["o", "output", "hex-dump", "hex-dump"] };
    let mut effects: Vec<Effect> = parsed.values(&files).filter_map(writes).collect();
    let silent = parsed.has(&["z", "recv-only"]) || matches!(command.stdin, Stdin::Inherited | Stdin::Nothing);
    // What listens sends its stdin to whoever comes.
    if !silent && !parsed.has(&["l", "L", "listen"]) {
        let why = "what is sent to a port is no command of a shell".to_owned();
        effects.push(match parsed.operands.first() {
            _ if parsed.has(&["U", "unixsock", "vsock"]) => {
                Effect::Unknown("what is sent to a socket is no command of a shell".to_owned())
            }
            Some(target) => Effect::UnknownAt { hosts: vec![host::host(target)], why },
            None => Effect::Unknown(why),
        });
    }
    if parsed.has(&["l", "L", "listen"]) {
        effects.push(Effect::UnknownOnGuest("it opens a port, and gives what it has to whoever comes".into()));
    }
    Report { effects, by: None }
}

#[cfg(test)]
mod tests {
    use super::super::remote_cases::check;
    use super::*;

    #[test]
    fn what_is_sent_is_not_known() {
        check(
            judge,
            &[
                ("nc -zv web01 22", "reads"),
                ("nc -z -w 3 web01 20-30", "reads"),
                ("nc -vz -w3 web01 22 <-", "reads"),
                ("nc web01 80", "reads"),
                ("nc web01 80 <<< DELETE", "unknown@web01"),
                ("nc -w 3 web01 6379 < cmds", "unknown@web01"),
                ("nc -N -q 1 10.0.0.5 25 <-", "unknown@10.0.0.5"),
                ("nc localhost 80 <<< x", "unknown@same"),
                ("nc -x proxy:1080 web01 22 <<< x", "unknown@web01"),
                ("nc … 80 <<< x", "unknown"),
                ("nc -U /run/docker.sock <<< x", "unknown"),
                ("nc -l 1234", "unknown on a guest"),
                ("nc -lk -p 1234 < file", "unknown on a guest"),
                ("nc -l -e /bin/sh 1234", "unknown"),
                ("nc -c sh web01 1", "unknown"),
                ("nc --sh-exec=sh web01 1", "unknown"),
                ("nc -h", "reads"),
                ("nc -o /etc/x web01 1", "writes /etc/x"),
                ("nc <<< x", "unknown"),
                ("nc -Y web01", "unknown"),
                ("ncat --ssl web01 443 <<< x", "unknown@web01"),
                ("ncat -z web01 443", "reads"),
                ("ncat --recv-only web01 443 <-", "reads"),
                ("ncat -x dump web01 443", "writes dump"),
                ("ncat -lk 8080", "unknown on a guest"),
                ("ncat -e /bin/sh web01 1", "unknown"),
                ("ncat --lua-exec x.lua web01 1", "unknown"),
                ("netcat web01 80 <<< x", "unknown@web01"),
            ],
        );
    }
}
