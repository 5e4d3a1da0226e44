//! A call that runs shell text: its commands' verdicts together. Pure.

use super::effect::Language;
use super::targets::Places;
use super::walk::{Place, Shell, Walk};
use super::word::Word;
use super::{DecidedBy, Doubt, Part, Surroundings, Touched, Verdict};
use crate::catalog::Catalog;

/// What is known of a call's shell texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub verdict: Verdict,
    pub reason: String,
    pub targets: Vec<String>,
    pub doubt: Option<Doubt>,
    pub by: Option<DecidedBy>,
    pub open: bool,
    pub mend: Option<String>,
    pub parts: Vec<Part>,
    pub scripts: Vec<Vec<u8>>,
    pub touched: Vec<Touched>,
    pub acts_here: bool,
    pub ours: Vec<Vec<Word>>,
}

/// Judges texts of a shell that run one after another, each in a shell of its own, at each of these places.
#[cfg(test)]
pub(super) fn judge(
    texts: &[&str],
    at: &[Place],
    cwd: Option<&str>,
    catalog: &Catalog,
    places: &Places,
    around: &dyn Surroundings,
) -> Seen {
    judge_in(None, texts, at, cwd, catalog, places, around)
}

/// The same for texts in any language; none: in that of shells.
#[cfg(test)]
pub(super) fn judge_in(
    language: Option<Language>,
    texts: &[&str],
    at: &[Place],
    cwd: Option<&str>,
    catalog: &Catalog,
    places: &Places,
    around: &dyn Surroundings,
) -> Seen {
    judge_kind(Kind { language, typed: false }, texts, at, cwd, catalog, places, around)
}

/// What the texts are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// Their language; none: that of shells.
    pub language: Option<Language>,
    /// Whether they may be typed into a shell that stays open: what starts another shell there, on whatever machine, hands
    /// the texts of later calls to it.
    pub typed: bool,
}

/// The same for texts of any kind.
pub(super) fn judge_kind(
    kind: Kind,
    texts: &[&str],
    at: &[Place],
    cwd: Option<&str>,
    catalog: &Catalog,
    places: &Places,
    around: &dyn Surroundings,
) -> Seen {
    let mut walk = Walk::new(catalog, places, around);
    for place in at {
        for text in texts {
            let shell = Shell::new(place.clone(), cwd.filter(|_| place.has_own_files()));
            let mut shell = if kind.typed { shell.typed_into() } else { shell };
            match kind.language {
                None => walk.whole(text, &mut shell),
                Some(language) => walk.text_in(language, text, &mut shell),
            }
        }
    }
    walk.finish();
    sum_up(walk)
}

fn sum_up(walk: Walk) -> Seen {
    let Walk { parts, scripts, touched, acts_here, ours, .. } = walk;
    let verdict = parts.iter().map(|part| part.verdict).max().unwrap_or(Verdict::ReadOnly);
    // A command that runs others has their verdict; what decided is the innermost one.
    let decisive = |wanted: Verdict| {
        let mut of_it = parts.iter().enumerate().filter(move |(_, part)| part.verdict == wanted);
        let innermost = of_it.clone().find(|(at, part)| {
            let below = parts.get(at + 1).filter(|next| next.depth > part.depth);
            below.is_none()
        });
        innermost.or_else(|| of_it.next()).map(|(_, part)| part)
    };
    let reason = match decisive(verdict) {
        None => "it runs nothing".to_owned(),
        Some(part) if verdict == Verdict::ReadOnly && parts.len() == 1 => part.reason.clone(),
        Some(_) if verdict == Verdict::ReadOnly => "every command of it only reads, or acts on no guest".to_owned(),
        Some(part) if parts.len() == 1 || part.text.is_empty() => part.reason.clone(),
        Some(part) => format!("in `{}`, {}", cut(&part.text), part.reason),
    };
    let targets = |wanted: Verdict| {
        let mut targets: Vec<String> = Vec::new();
        for target in parts.iter().filter(|part| part.verdict == wanted).flat_map(|part| &part.targets) {
            if !targets.contains(target) {
                targets.push(target.clone());
            }
        }
        targets
    };
    let doubt = (verdict == Verdict::Mutating).then(|| decisive(Verdict::Unknown)).flatten().map(|part| Doubt {
        reason: format!("in `{}`, {}", cut(&part.text), part.reason),
        targets: targets(Verdict::Unknown),
    });
    let by = decisive(verdict).and_then(|part| part.by.clone());
    let open = parts.iter().any(|part| part.open);
    let mend = decisive(Verdict::Unknown).and_then(|part| part.mend.clone());
    Seen { verdict, reason, targets: targets(verdict), doubt, by, open, mend, parts, scripts, touched, acts_here, ours }
}

/// Enough of a command to find it.
fn cut(text: &str) -> String {
    const SHOWN: usize = 80;
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}

#[cfg(test)]
#[path = "tests/script.rs"]
mod tests;

#[cfg(test)]
#[path = "tests/properties.rs"]
mod properties;

#[cfg(test)]
#[path = "tests/explained.rs"]
mod explained;

#[cfg(test)]
#[path = "tests/recipes.rs"]
mod recipes;
