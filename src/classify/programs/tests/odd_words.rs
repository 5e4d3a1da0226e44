//! Commands with odd words put into them: whatever stands there, no judge may panic.

use crate::classify::effect::{Command, Stdin};
use crate::classify::word::Word;

/// Gives `each` many commands made of this one, cut short and with odd words in it; `…` in one stands for a hole. The same
/// ones at every run.
pub fn with_odd_words(words: &[Word], odd: &[&str], rounds: usize, mut each: impl FnMut(&Command)) {
    let mut seed = 11_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    for _ in 0..rounds {
        let mut words = words.to_vec();
        if next(4) == 0 {
            words.truncate(1 + next(words.len()));
        }
        for _ in 0..=next(3) {
            let mut word = Word::default();
            for (nr, part) in odd[next(odd.len())].split('…').enumerate() {
                if nr > 0 {
                    word.push_hole();
                }
                word.push_text(part);
            }
            let at = 1 + next(words.len());
            words.insert(at, word);
        }
        each(&Command { words, stdin: Stdin::Text(odd[next(odd.len())].into()) });
    }
}
