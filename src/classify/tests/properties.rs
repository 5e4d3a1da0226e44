//! What must hold for every text: nothing harmless around a command, and nothing that carries it, makes it look harmless or
//! hides a guest.

use super::*;
use crate::classify::Nowhere;
use crate::text::shell_word;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn seen(text: &str) -> Seen {
    judge(&[text], &[Place::default()], Some("/project"), &Catalog::default(), &Places::default(), &Nowhere)
}

fn guests(seen: &Seen) -> BTreeSet<String> {
    seen.targets.iter().chain(seen.doubt.iter().flat_map(|doubt| &doubt.targets)).cloned().collect()
}

/// A command as its words.
fn command() -> impl Strategy<Value = Vec<String>> {
    let host =
        prop_oneof![Just("web01"), Just("root@web02"), Just("10.0.0.5"), Just("-p 22 db01"), Just("-J bastion db02")];
    let payload = prop_oneof![
        Just("systemctl restart nginx"),
        Just("rm -rf /srv/app"),
        Just("uptime"),
        Just("cat /etc/hosts > /etc/hosts.new"),
        Just("nobody-knows --this"),
        Just("sudo sh -c 'reboot'"),
        Just("sed -i s/a/b/ /etc/x"),
        Just("echo $(touch /x)"),
    ];
    let on_guest = (host, payload).prop_map(|(host, payload)| {
        let mut words = vec!["ssh".to_owned()];
        words.extend(host.split(' ').map(str::to_owned));
        words.push(payload.to_owned());
        words
    });
    let plain = prop_oneof![
        Just("scp app.tar web01:/srv/"),
        Just("scp web01:/etc/hosts ."),
        Just("rsync -a build/ web02:/srv/app"),
        Just("nobody-knows --this"),
        Just("ls -l /etc"),
        Just("cargo test"),
        Just("pdsh -w web[01-03] systemctl restart nginx"),
    ]
    .prop_map(|text| text.split(' ').map(str::to_owned).collect::<Vec<String>>());
    prop_oneof![3 => on_guest, 2 => plain]
}

/// A word in one of the ways in which it can be quoted.
fn quoted(word: &str, how: usize) -> String {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./@:=[]".contains(c));
    match how % 4 {
        0 => shell_word(word),
        1 => format!("'{}'", word.replace('\'', "'\\''")),
        2 if !word.contains(['$', '`', '"', '\\', '!']) => format!("\"{word}\""),
        3 if plain && !word.starts_with('~') => {
            word.chars().enumerate().map(|(nr, c)| if nr % 2 == 0 { format!("\\{c}") } else { c.to_string() }).collect()
        }
        _ => shell_word(word),
    }
}

fn text(words: &[String], how: usize, gap: &str) -> String {
    words.iter().enumerate().map(|(nr, word)| quoted(word, how + nr)).collect::<Vec<_>>().join(gap)
}

const AROUND: &[&str] = &[
    "X",
    " X ",
    "true; X",
    "X; true",
    "X && echo done",
    "true && X",
    "X || true",
    "X | cat",
    "true | X",
    "X # and a comment",
    "# a comment\nX",
    "X\n\n",
    "\n\tX",
    "X &",
    "X & wait",
    "echo 'ssh web09 reboot'; X",
    "( X )",
    "{ X; }",
    "if true; then X; fi",
    "while true; do X; done",
    "for i in 1 2; do X; done",
    "case a in a) X;; esac",
    "f() { X; }; f",
    "! X",
    "time X",
    "X 2>&1",
    "X > /dev/null",
    "X >> out.log",
    "a=b; X",
    "x=$(X)",
    "echo \"$(X)\"",
    "cd /tmp && X",
    "set -e; X",
    "set -euo pipefail\nX",
    "export A=b; X",
    "trap 'X' EXIT",
];

const CARRIERS: &[&str] = &[
    "sudo X",
    "sudo -n -u root X",
    "env A=b X",
    "env -i X",
    "nohup X",
    "timeout 5 X",
    "timeout -k 5 10s X",
    "nice -n 5 X",
    "ionice -c 3 X",
    "stdbuf -oL X",
    "setsid X",
    "command X",
    "exec X",
    "doas X",
    "time -p X",
    "bash -c Q",
    "sh -c Q",
    "bash -lc Q",
    "eval Q",
    "sudo bash -c Q",
    "su -c Q",
    "flock /tmp/l X",
    "flock /tmp/l -c Q",
    "watch Q",
    "script -qc Q /dev/null",
    "find . -maxdepth 0 -exec X \\;",
    "systemd-run X",
    "echo Q | bash",
    "bash <<< Q",
    "bash <<'END'\nX\nEND",
    "nice timeout 5 sudo env A=b X",
    "unshare X",
    "strace -f X",
    "busybox sh -c Q",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_around_a_command_makes_it_look_harmless(words in command(), how in 0_usize..4, gap in "[ \t]{1,3}", nr in 0..AROUND.len()) {
        let plain = seen(&text(&words, 0, " "));
        let wrapped = AROUND[nr].replace('X', &text(&words, how, &gap));
        let after = seen(&wrapped);
        prop_assert!(plain.verdict == Verdict::ReadOnly || after.verdict != Verdict::ReadOnly, "{wrapped}");
        prop_assert!(guests(&after).is_superset(&guests(&plain)), "{wrapped}: {:?}", guests(&after));
    }

    #[test]
    fn no_carrier_makes_a_command_look_harmless(words in command(), how in 0_usize..4, nr in 0..CARRIERS.len(), outer in 0..CARRIERS.len()) {
        let inner = text(&words, 0, " ");
        let plain = seen(&inner);
        let wrap = |carrier: &str, text: &str, how: usize| {
            let quoted = format!("'{}'", text.replace('\'', "'\\''"));
            let _ = how;
            carrier.replace('X', text).replace('Q', &quoted)
        };
        let once = wrap(CARRIERS[nr], &text(&words, how, " "), how);
        // What stands behind a pipe, a here-document or a `;` can't be carried by a prefix.
        let twice = if once.contains(['|', '<', ';', '\n']) { once.clone() } else { wrap(CARRIERS[outer], &once, how) };
        for wrapped in [once, twice] {
            let after = seen(&wrapped);
            prop_assert!(plain.verdict == Verdict::ReadOnly || after.verdict != Verdict::ReadOnly, "{wrapped}");
            // A carrier that is not understood is asked about as a whole.
            let lost = !guests(&after).is_superset(&guests(&plain));
            prop_assert!(!lost || after.verdict == Verdict::Unknown || after.doubt.is_some(), "{wrapped}: {:?}", guests(&after));
        }
    }

    #[test]
    fn of_two_commands_the_worse_counts(one in command(), two in command(), nr in 0_usize..5) {
        let (one, two) = (text(&one, 0, " "), text(&two, 0, " "));
        let both = seen(&format!("{one} {} {two}", [";", "&&", "||", "|", "\n"][nr]));
        let (one, two) = (seen(&one), seen(&two));
        prop_assert!(both.verdict >= one.verdict.max(two.verdict));
        prop_assert!(guests(&both).is_superset(&guests(&one)) && guests(&both).is_superset(&guests(&two)));
    }

    #[test]
    fn any_text_has_a_verdict(text in "[a-z $`'\"(){}<>|&;\\n=\\\\*\\[\\]!#~]{0,200}") {
        let _ = seen(&text);
        let _ = seen(&format!("ssh web01 {}", shell_word(&text)));
    }
}
