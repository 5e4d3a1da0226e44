//! Which machines the words of a program of Windows name. Pure.

use super::{machine, share, switch};
use crate::classify::effect::Host;
use crate::classify::word::Word;

/// `\\name` and nothing behind it, or a key of another machine's registry.
pub(super) fn is_machine(word: &Word) -> bool {
    let text = word.beginning().trim_start_matches(['\\', '/']);
    word.beginning().starts_with('\\') && !text.contains(['\\', '/'])
}

/// The machines that words name: as `\\name`, or behind a switch.
pub(super) fn machines(words: &[Word], switches: &str) -> Vec<Host> {
    let mut hosts = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if switches.contains('\\') && word.begins_with("\\") {
            hosts.extend(share(word));
            continue;
        }
        let Some(name) = switch(word) else {
            // A word that is no switch may name it.
            if switches == "()" {
                hosts.push(machine(word));
            }
            continue;
        };
        if !switches.split_ascii_whitespace().any(|known| known == name) {
            continue;
        }
        let glued = word.split_once(':').or_else(|| word.split_once('=')).map(|(_, value)| value);
        match glued.as_ref().or_else(|| words.next()) {
            Some(value) => hosts.push(machine(value)),
            None => hosts.push(Host::Unknown("it names no machine".into())),
        }
    }
    hosts
}
