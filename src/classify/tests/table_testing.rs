//! What tests of the programs need: commands from text, and effects as letters.

use crate::classify::effect::{Command, Effect, Report};
use crate::classify::word::Word;

/// A command from a text: `$` is a stretch that is not known, `$*` any number of words, `''` an empty word.
pub(in crate::classify) fn command(text: &str) -> Command {
    let word = |text: &str| {
        if text == "''" {
            return Word::from("");
        }
        let mut word = Word::default();
        for (nr, part) in text.split('$').enumerate() {
            if nr > 0 {
                word.push_hole();
            }
            let known = if nr > 0 { part.strip_prefix('*').unwrap_or(part) } else { part };
            if known.len() < part.len() {
                word.set_many();
            }
            word.push_text(known);
        }
        word
    };
    Command { words: text.split(' ').map(word).collect(), ..Command::default() }
}

/// The effects of a report, one letter each: `R` none, `W` works, `U` unknown, `C` changes.
pub(in crate::classify) fn letters(report: Option<&Report>) -> String {
    let Some(report) = report else { return "-".into() };
    if report.effects.is_empty() {
        return "R".into();
    }
    let letter = |effect: &Effect| match effect {
        Effect::Changes(_) => 'C',
        Effect::Works(_) => 'W',
        Effect::Unknown(_) | Effect::UnknownOnGuest(_) => 'U',
        other => panic!("{other:?}"),
    };
    report.effects.iter().map(letter).collect()
}
