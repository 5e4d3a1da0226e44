//! What holds for every judge: no words make it panic, and not knowing a word never makes a command look harmless.

use super::odd_words::with_odd_words;
use super::remote_cases::{Files, command, own, shown};
use super::{Judge, of};
use crate::classify::effect::{Command, Facts};
use crate::classify::word::Word;

/// Commands that change a machine, or of which that can't be told.
const CHANGING: &[&str] = &[
    "ssh -p 22 -o BatchMode=yes root@web01 -t reboot",
    "ssh -J b -l root web01 <<< reboot",
    "ssh -o ProxyCommand=evil web01",
    "ssh -N -L 1:a:2 web01",
    "autossh -M 0 web01 reboot",
    "scp -r -P 22 x web01:/y",
    "scp -S /tmp/evil web01:/x .",
    "sftp -b - web01 <<< 'put x'",
    "rsync -av --delete x web01:/y",
    "rsync -e /tmp/evil web01:/x .",
    "rsync --rsync-path='x; rsync' web01:/x .",
    "mosh web01 -- reboot",
    "sshpass -p x ssh web01 reboot",
    "ssh-copy-id -i k web01",
    "sshfs web01:/ /mnt -o reconnect",
    "plink -ssh -pw x web01 reboot",
    "pscp -pw x f web01:/y",
    "psftp -b none web01",
    "pdsh -w web[1-3] -x web2 reboot",
    "pdcp -w web1 x /y",
    "dsh -m web01 reboot",
    "clush -w web01 -n reboot",
    "clush -w web01 --copy x --dest y",
    "parallel-ssh -H web01 -i reboot",
    "parallel-scp -H web01 x /y",
    "parallel-nuke -H web01 java",
    "rsh -l root web01 reboot",
    "tsh ssh root@web01 reboot",
    "tsh scp x web01:/y",
    "systemctl -H web01 stop nginx",
];

fn judge_of(command: &Command) -> Judge {
    of(command.program().unwrap()).unwrap()
}

#[test]
fn what_is_not_known_is_not_harmless() {
    let files = Files::default();
    for own_machine in [true, false] {
        let facts = Facts { own: own_machine, ..own(&files) };
        for line in CHANGING {
            let whole = command(line);
            let judge = judge_of(&whole);
            assert_ne!(shown(&judge(&whole, &facts)), "reads", "{line}");
            for at in 1..whole.words.len() {
                for word in [Word::unknown(), Word::unknown_many()] {
                    let mut holed = whole.clone();
                    holed.words[at] = word.clone();
                    assert_ne!(shown(&judge(&holed, &facts)), "reads", "{line} with word {at} as {word:?}");
                    holed.words.truncate(at + 1);
                    let _ = judge(&holed, &facts);
                }
                let mut holed = whole.clone();
                let mut word = Word::default();
                let text = whole.words[at].shown();
                let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
                word.push_text(&text[..half]);
                word.push_hole();
                word.push_text(&text[half..]);
                holed.words[at] = word;
                assert_ne!(shown(&judge(&holed, &facts)), "reads", "{line} with a hole in word {at}");
            }
        }
    }
}

#[test]
fn no_words_make_a_judge_panic() {
    let odd = &[
        "",
        "-",
        "--",
        "---",
        "-o",
        "-oX",
        "-o=",
        "--host",
        "--host=",
        "-H",
        "-w",
        "[",
        "]",
        "[]:",
        "a[",
        "a[1-",
        "a[9-1]",
        "@",
        "u@",
        "@h",
        ":",
        "::",
        "h::",
        "[::1]:x",
        "ssh://",
        "ssh://@:/",
        "scp://h",
        "rsync://",
        "%",
        "%h%",
        "é",
        "-é",
        "--é=é",
        "a\u{0}b",
        "…",
        "x…",
        "-…",
        "--x=…",
        "'",
        "!",
        "^",
        "web[1-99999999999999999999]",
        "ProxyCommand=%",
        "-e",
        "-e ssh",
    ];
    let files = Files::default();
    for line in CHANGING {
        let base = command(line);
        with_odd_words(&base.words, odd, 300, |command| {
            let _ = judge_of(&base)(command, &own(&files));
        });
    }
}
