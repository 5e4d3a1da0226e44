//! What is typed into a terminal that is already open: `tmux send-keys`, `screen -X stuff` and their like. Pure.
//!
//! What is seen is judged as a text that a shell here would read. Whether a shell here reads it can't be told: the terminal may
//! hold a login on another machine.

use super::carry::shell;
use crate::classify::effect::{At, Effect, Stdin};
use crate::classify::word::Word;

/// What a key's name stands for in a text; none if it is no key's name.
fn key(name: &str) -> Option<&'static str> {
    Some(match name {
        "Enter" | "KPEnter" | "C-m" | "C-j" | "C-M" | "C-J" | "^M" | "^J" => "\n",
        "Space" => " ",
        "Tab" | "BTab" | "C-i" => "\t",
        // What stands on the line so far is given up.
        "C-c" | "C-C" | "C-u" | "C-U" | "C-d" | "C-D" | "^C" | "^U" | "^D" => "\n",
        "Escape" | "Up" | "Down" | "Left" | "Right" | "Home" | "End" | "PageUp" | "PageDown" | "PPage" | "NPage"
        | "BSpace" | "DC" | "IC" | "Any" => "\n",
        _ if is_other_key(name) => "\n",
        _ => return None,
    })
}

/// `C-x`, `M-Left`, `F5` and their like.
fn is_other_key(name: &str) -> bool {
    let rest = ["C-", "M-", "S-", "^"].iter().find_map(|start| name.strip_prefix(start));
    let function =
        name.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok_and(|nr| (1..=20).contains(&nr)));
    function || rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(' ') && rest.chars().count() <= 8)
}

/// Words of which some may be keys' names, joined to what is typed.
#[must_use]
pub fn keys(words: &[Word]) -> Word {
    let mut all = Word::default();
    for word in words {
        match word.known().and_then(key) {
            Some(text) => all.push_text(text),
            None => all.push_word(word),
        }
    }
    all
}

/// What typing a text does.
#[must_use]
pub fn text(text: &Word, into: &str) -> Vec<Effect> {
    let why = format!("what runs in the terminal {into}, perhaps a login on another machine, can't be seen");
    let mut effects = vec![Effect::Unknown(why)];
    if text.known().is_none_or(|text| !text.trim().is_empty()) {
        effects.push(shell(text.clone(), At::Child, Stdin::Nothing));
    }
    effects
}
