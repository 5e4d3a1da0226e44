//! Verbs that act on a virtual machine, as lists: where behind the verb its name stands. Pure.

use super::{changes, last_part, vm};
use crate::classify::effect::{Effect, Host, Report};
use crate::classify::programs::options::{Spec, parse};
use crate::classify::word::Word;

/// A verb of one word or several.
pub struct Verb {
    /// Its words, parted by blanks.
    pub words: &'static str,
    /// Where the names are.
    pub names: Names,
}

/// Where the names of the virtual machines are that a verb acts on.
pub enum Names {
    /// The word behind the verb, these flags left out.
    Next(&'static [&'static str]),
    /// Every operand behind the verb.
    All(&'static Spec),
    /// The first operand behind the verb.
    First(&'static Spec),
    /// The values of these options.
    By(&'static [&'static str], &'static Spec),
}

/// Verbs that have the machine's name behind them.
macro_rules! next {
    ($($words:literal),* $(,)?) => {
        &[$(crate::classify::programs::vms::verbs::Verb {
            words: $words,
            names: crate::classify::programs::vms::verbs::Names::Next(&[]),
        }),*]
    };
}
pub(super) use next;

/// What the verb does that these words begin with; none if it is in no list.
#[must_use]
pub fn judge(verbs: &[Verb], words: &[Word]) -> Option<Report> {
    let fits = |verb: &&Verb| {
        let mut words = words.iter();
        verb.words.split(' ').all(|part| words.next().and_then(Word::known) == Some(part))
    };
    let verb = verbs.iter().filter(fits).max_by_key(|verb| verb.words.len())?;
    let rest = words.get(verb.words.split(' ').count()..).unwrap_or_default();
    Some(match verb.names.of(rest) {
        Ok(vms) if vms.is_empty() => Report::unknown("the virtual machine that it changes is not named"),
        Ok(vms) => Report::of(changes(vms, verb.words)),
        Err(_) if asks_for_help(rest) => Report::reads(),
        Err(why) => {
            Report::of(Effect::ChangesVm { vms: vec![Host::Unknown(why)], how: format!("does `{}`", verb.words) })
        }
    })
}

/// Whether the only words are those that ask for help.
fn asks_for_help(rest: &[Word]) -> bool {
    matches!(rest, [word] if matches!(word.known(), Some("--help" | "-h")))
}

impl Names {
    /// The virtual machines behind the verb.
    ///
    /// # Errors
    /// Why they can't be told.
    fn of(&self, rest: &[Word]) -> Result<Vec<Host>, String> {
        match self {
            Self::Next(flags) => {
                let is_flag = |word: &&Word| word.known().is_some_and(|text| flags.contains(&text));
                match rest.iter().find(|word| !is_flag(word)) {
                    Some(word) if word.may_be_option() => {
                        Err(format!("whether `{}` is its name can't be told", word.shown()))
                    }
                    Some(word) => Ok(vec![vm(word)]),
                    None => Ok(vec![]),
                }
            }
            Self::All(spec) => Ok(behind(rest, spec)?.iter().map(operand).collect()),
            Self::First(spec) => Ok(behind(rest, spec)?.first().map(operand).into_iter().collect()),
            Self::By(options, spec) => Ok(parse(rest, spec)?.values(options).map(last_part).collect()),
        }
    }
}

/// A name, or a long identifier that ends with it; what begins with a slash may be a pattern.
fn operand(word: &Word) -> Host {
    if word.begins_with("/") { vm(word) } else { last_part(word) }
}

fn behind(rest: &[Word], spec: &Spec) -> Result<Vec<Word>, String> {
    let parsed = parse(rest, spec)?;
    if parsed.has(&["all"]) {
        return Err("it acts on all of them".into());
    }
    Ok(parsed.operands)
}
