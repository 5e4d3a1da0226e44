//! Any text of a ZVM's, a guest's or an agent's: what is shown of it moves no cursor, hides nothing and is no longer than was
//! asked for; the text as a shell's word is that one word.

use super::ground::{self, within};
use zerto_guard::classify::shell;
use zerto_guard::classify::shell::tree::{Item, Node, Piece, Script, Source};
use zerto_guard::text::{clean, host_key, is_clean, shell_word, visible};

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(1, || any(ground::text(bytes)));
}

fn any(text: &str) {
    for max in [0, 1, 2, 40, 300, usize::MAX] {
        let cleaned = clean(text, max);
        assert!(cleaned.chars().count() <= max);
        assert!(!cleaned.chars().any(is_trouble), "{cleaned:?}");
        assert_eq!(clean(&cleaned, max), cleaned, "twice");
        assert!(is_clean(&cleaned, max));
    }
    // What can be read stays.
    if text.chars().all(|c| matches!(c, ' '..='~')) {
        assert_eq!(clean(text, usize::MAX), text);
        assert_eq!(visible(text), text);
    }
    let shown = visible(text);
    assert!(!shown.chars().any(|c| is_trouble(c) && !matches!(c, '\t' | '\n')), "{shown:?}");
    assert_eq!(shown.matches('\n').count(), text.matches('\n').count());
    let key = host_key(text);
    assert!(key.len() <= text.len() * 3 + 40);
    match shell::read(&format!("a {} b", shell_word(text))) {
        Ok(script) => assert_eq!(words(&script), ["a", text, "b"]),
        Err(why) => assert!(text.contains('\0') || text.len() > 30_000, "{why}: {text:?}"),
    }
}

/// The words of the one command of a script, as far as each is only text.
fn words(script: &Script) -> Vec<String> {
    let [Item { first: Node::Simple(simple), then, background: false }] = script.0.as_slice() else {
        panic!("{script:?}");
    };
    assert!(then.is_empty() && simple.assignments.is_empty() && simple.redirects.is_empty(), "{script:?}");
    let whole = |word: &Source| {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Quoted(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        word.pieces.iter().map(piece).collect()
    };
    simple.words.iter().map(whole).collect()
}

/// What may stand in no text that is shown, told here by its name in Unicode and not by the program's own list.
fn is_trouble(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0x061C | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x2064 | 0x2066..=0x206F | 0xFEFF | 0xE0000..=0xE007F)
}
