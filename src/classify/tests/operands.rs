//! Tests of programs whose operands decide.

use super::*;
use crate::classify::Nowhere;
use crate::classify::effect::Unset;
use crate::classify::programs::table::testing::command;

/// The effects in short: `reads`, `table`, or each effect by its name.
pub(in crate::classify::programs) fn shown(report: &Report) -> String {
    let one = |effect: &Effect| match effect {
        Effect::Table => "table".to_owned(),
        Effect::Changes(_) => "changes".to_owned(),
        Effect::Unknown(_) | Effect::UnknownOnGuest(_) => "unknown".to_owned(),
        Effect::Writes(file) => format!("writes {}", file.shown()),
        Effect::Runs(Run { what: What::Words(words), .. }) => {
            format!("runs {}", words.iter().map(Word::shown).collect::<Vec<_>>().join(" "))
        }
        other => panic!("{other:?}"),
    };
    match report.effects.as_slice() {
        [] => "reads".into(),
        effects => effects.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

pub(in crate::classify::programs) fn facts() -> Facts<'static> {
    Facts { around: &Nowhere, home: None, cwd: None, own: false, variables: &Unset }
}

#[test]
fn operands_decide() {
    for (text, expected) in [
        ("dd if=/dev/sda bs=1M count=1", "reads"),
        ("dd if=x of=/dev/sda", "writes /dev/sda"),
        ("dd of=$", "writes …"),
        ("dd if=$", "reads"),
        ("dd $", "unknown"),
        ("dd o$", "unknown"),
        ("dd if=x $*", "unknown"),
        ("sysctl -a", "table"),
        ("sysctl -n vm.swappiness", "table"),
        ("sysctl -w vm.swappiness=1", "changes"),
        ("sysctl vm.swappiness vm.x=1", "changes"),
        ("sysctl $", "changes"),
        ("sysctl vm.$", "changes"),
        ("postconf -n", "table"),
        ("postconf mydomain", "table"),
        ("postconf a b=c", "changes"),
        ("postconf $", "changes"),
        ("nft list ruleset", "table"),
        ("nft list ruleset;flush ruleset", "changes"),
        ("nft list ruleset ; flush ruleset", "changes"),
        ("nft list $", "unknown"),
        ("parted -l", "reads"),
        ("parted -s /dev/sda print", "reads"),
        ("parted /dev/sda unit MiB print free", "reads"),
        ("parted /dev/sda print 1", "reads"),
        ("parted /dev/sda print mklabel gpt", "table"),
        ("parted -l /dev/sda mklabel gpt", "table"),
        ("parted /dev/sda", "table"),
        ("parted /dev/sda $", "table"),
        ("parted", "table"),
        ("parted -s /dev/sda rm 1", "table"),
        ("pacman -Q", "reads"),
        ("pacman -Qi bash", "reads"),
        ("pacman -Ss x", "reads"),
        ("pacman -Si bash", "reads"),
        ("pacman -S --search x", "reads"),
        ("pacman -S bash", "table"),
        ("pacman -Sy", "table"),
        ("pacman -Syu", "table"),
        ("pacman -Su -p", "table"),
        ("pacman -Rs x", "table"),
        ("pacman -R -Q x", "table"),
        ("pacman -U x -Q", "table"),
        ("pacman -Fy", "table"),
        ("pacman -Sc", "table"),
        ("pacman -Q --dbonly x", "table"),
        ("pacman -Q$", "table"),
        ("apt-get -s install x", "table"),
        ("apt list --OPTION APT::Update::Pre-Invoke::=x", "unknown"),
        ("apt-cache --Config-File=/tmp/x search y", "unknown"),
        ("kill -l", "table"),
        ("kill -l 9", "table"),
        ("kill -9 -l 1", "changes"),
        ("kill -s 9 -l 1", "changes"),
        ("kill -0 123", "reads"),
        ("kill -0 $", "reads"),
        ("kill -s 0 1", "reads"),
        ("kill -0", "table"),
        ("kill -9 1", "table"),
        ("kill -0 -9 1", "table"),
        ("kill 1 -0", "table"),
        ("pkill -0 nginx", "reads"),
        ("pkill -0 $", "table"),
        ("killall -0 -u root x", "table"),
    ] {
        let command = command(text);
        let judge = super::super::of(command.program().unwrap()).unwrap();
        assert_eq!(shown(&judge(&command, &facts())), expected, "{text}");
    }
}

#[test]
fn a_text_of_nft_is_read_word_by_word() {
    let command = Command { words: vec!["nft".into(), "list ruleset".into()], ..Command::default() };
    assert_eq!(shown(&nft(&command, &facts())), "runs nft list ruleset");
    let command = Command { words: vec!["nft".into(), "list ruleset\nflush ruleset".into()], ..Command::default() };
    assert_eq!(shown(&nft(&command, &facts())), "changes");
}
