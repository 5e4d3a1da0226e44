//! Tests of programs of which some options only look.

use super::super::operands::tests::{facts, shown};
use crate::classify::effect::Stdin;
use crate::classify::programs::of;
use crate::classify::programs::table::testing::command;

#[test]
fn what_only_looks_and_what_does_not() {
    for (text, expected) in [
        ("logrotate -d /etc/logrotate.conf", "reads"),
        ("logrotate -vd x", "reads"),
        ("logrotate --debug x", "reads"),
        ("logrotate -f x", "changes, unknown"),
        ("logrotate -d -m sh x", "changes, unknown"),
        ("ssh-keygen -lf key.pub", "reads"),
        ("ssh-keygen -l -E md5 -f key", "reads"),
        ("ssh-keygen -y -f key", "reads"),
        ("ssh-keygen -H -F web01", "reads"),
        ("ssh-keygen -H", "table"),
        ("ssh-keygen -R web01", "table"),
        ("ssh-keygen -l -R web01", "table"),
        ("ssh-keygen -l -H", "table"),
        ("ssh-keygen -t ed25519 -f key", "table"),
        ("ssh-keygen -lf $", "reads"),
        ("ssh-keygen -l $", "table"),
        ("ssh-keygen -D lib.so -l", "table"),
        ("gpg --list-keys", "reads"),
        ("gpg -K --with-colons", "reads"),
        ("gpg --verify a.sig a", "reads"),
        ("gpg --list-keys --delete-keys x", "table"),
        ("gpg -o x --list-keys", "table"),
        ("gpg --agent-program x --list-keys", "table"),
        ("gpg --import x", "table"),
        ("gpg file", "table"),
        ("ntpq -p", "reads"),
        ("ntpq -pn time.example", "reads"),
        ("ntpq -c rv", "reads"),
        ("ntpq -c peers -c :config", "unknown"),
        ("ntpq -c $", "unknown"),
        ("openssl version", "table"),
        ("openssl s_client -connect web01:443 -servername web01", "reads"),
        ("openssl s_client -connect web01:443 -keylogfile x", "unknown"),
        ("openssl s_client -connect web01:443 -engine x", "unknown"),
    ] {
        let command = command(text);
        let judge = of(command.program().unwrap()).unwrap();
        assert_eq!(shown(&judge(&command, &facts())), expected, "{text}");
    }
}

#[test]
fn what_is_sent_on_stdin_counts() {
    for (stdin, expected) in [
        (Stdin::Nothing, "reads"),
        (Stdin::Text("\n".into()), "reads"),
        (Stdin::Text("Q".into()), "reads"),
        (Stdin::Text("MAIL FROM:<x>".into()), "unknown"),
        (Stdin::File("/dev/null".into()), "reads"),
        (Stdin::File("x".into()), "unknown"),
        (Stdin::Unknown, "unknown"),
    ] {
        let mut command = command("openssl s_client -connect web01:25");
        command.stdin = stdin.clone();
        assert_eq!(shown(&of("openssl").unwrap()(&command, &facts())), expected, "{stdin:?}");
    }
    let mut command = command("ntpq time.example");
    command.stdin = Stdin::Text(":config x".into());
    assert_eq!(shown(&of("ntpq").unwrap()(&command, &facts())), "unknown");
}
