//! What holds for every carrier and filter: no words make its judge panic, and not knowing a word never makes a command
//! look harmless.

use super::odd_words::with_odd_words;
use super::testing::{shown, split};
use super::{Judge, of};
use crate::classify::Nowhere;
use crate::classify::effect::{Command, Facts, Stdin, Unset};
use crate::classify::word::Word;

/// Commands that run something, change something, or of which that can't be told.
const CHANGING: &[&str] = &[
    "sudo -u root A=b rm x",
    "sudo -e /etc/hosts",
    "doas -u root rm x",
    "su - root -c reboot",
    "runuser -u www -- rm x",
    "pkexec --user root rm x",
    "env -i A=b rm x",
    "env -S 'rm x'",
    "timeout -k 5 10 rm x",
    "nice -n 5 rm x",
    "ionice -c 3 rm x",
    "chrt -f 10 rm x",
    "taskset -c 0 rm x",
    "stdbuf -oL rm x",
    "nohup rm x",
    "time -o x rm y",
    "bash -o pipefail -c 'rm x' y",
    "sh x.sh y",
    "eval rm x",
    "source x y",
    "exec -a n rm x",
    "command -p rm x",
    "busybox rm x",
    "xargs -n 1 -I {} rm {}",
    "find . -name x -exec rm {} ;",
    "find /srv -delete",
    "fd -e log -x rm",
    "parallel -j 4 rm ::: a b",
    "watch -n 5 rm x",
    "flock -n /run/x rm y",
    "chroot /mnt rm x",
    "unshare -r rm x",
    "nsenter -t 1 -m rm x",
    "systemd-run --on-active 5 rm x",
    "script -q -c 'rm x' /dev/null",
    "strace -o x -f rm y",
    "perf stat -e x rm y",
    "tee -a x",
    "sed -i s/a/b/ x",
    "sed -n 'w x' y",
    "awk -F : '{system(\"rm\")}' x",
    "awk '{print > \"x\"}' y",
    "tar -x -f x -C y",
    "tar cf x y",
    "gzip -9 x",
    "zip -r x y",
    "unzip -o x -d y",
    "curl -X POST http://web01",
    "curl -s -o x http://web01",
    "wget -q http://web01",
    "docker exec -u root web rm x",
    "docker -H ssh://web01 exec x rm",
    "git -c core.pager='rm x' log",
    "git rebase -x 'rm x' main",
    "git config core.pager rm",
];

fn facts(own: bool) -> Facts<'static> {
    Facts { around: &Nowhere, home: Some("/home/u"), cwd: Some("/project"), own, variables: &Unset }
}

fn judge_of(words: &[Word]) -> Judge {
    of(words[0].known().unwrap()).unwrap_or_else(|| panic!("{words:?} has no judge"))
}

fn judged(judge: Judge, words: Vec<Word>, own: bool) -> String {
    shown(&judge(&Command { words, stdin: Stdin::Inherited }, &facts(own)))
}

#[test]
fn what_is_not_known_is_not_harmless() {
    for line in CHANGING {
        let words = split(line);
        let judge = judge_of(&words);
        for own in [true, false] {
            assert_ne!(judged(judge, words.clone(), own), "reads", "{line}");
            for at in 1..words.len() {
                let text = words[at].shown();
                let mut half = Word::default();
                let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
                half.push_text(&text[..middle]);
                half.push_hole();
                half.push_text(&text[middle..]);
                for word in [Word::unknown(), Word::unknown_many(), half] {
                    let mut holed = words.clone();
                    holed[at] = word.clone();
                    assert_ne!(judged(judge, holed, own), "reads", "{line} with word {at} as {word:?}");
                }
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
        "-é",
        "é",
        "--é=é",
        "-S",
        "-S'",
        "-I",
        "-c",
        "-e",
        "-x",
        "{}",
        "{",
        "}",
        "{=",
        ":::",
        ";",
        "+",
        "=",
        "a=",
        "=b",
        "a=é",
        "…",
        "-…",
        "--x=…",
        "x…",
        "'",
        "\"",
        "\\",
        "/",
        "[/",
        "s/",
        "s/a",
        "s/a/b/w",
        "y/é/",
        "1,",
        "\\é",
        "a\\",
        "{print",
        "\"",
        "/x",
        "a/b/",
        "|",
        "print |",
        "http://",
        "http://[",
        "http://@:/",
        "exec=",
        "-C",
        "-H",
        "tcp://[",
        "ssh://@",
        "alias.x=!",
        "alias.x=x",
        "a\u{0}b",
        "of",
        "-TT",
        "-nO",
        "xf",
        "é…",
        "::",
    ];
    for line in CHANGING {
        let words = split(line);
        let judge = judge_of(&words);
        with_odd_words(&words, odd, 500, |command| {
            let _ = judge(command, &facts(true));
        });
    }
}
