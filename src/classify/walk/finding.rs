//! A verdict with its reason and guests, and how two of them go together. Pure.

use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::programs::Judge;
use crate::classify::word::Word;
use crate::classify::{Missing, Verdict};

/// A verdict with its reason and guests.
#[derive(Clone)]
pub(super) struct Finding {
    pub verdict: Verdict,
    pub reason: String,
    pub targets: Vec<String>,
    /// The entry that no catalog has, if that is why it is unknown.
    pub missing: Option<Missing>,
    /// Whether it may change guests that are not named.
    pub open: bool,
    /// What else of it is unknown, of a change.
    pub doubt: Option<Box<Finding>>,
    /// What to do so that it is understood, if that can be said.
    pub mend: Option<String>,
}

/// Why something can't be told, in words that follow a "since", and what to do so that it can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Why {
    pub reason: String,
    /// An order: "write out `$x`".
    pub mend: Option<String>,
}

impl Why {
    pub fn new(reason: impl Into<String>, mend: Option<String>) -> Self {
        Self { reason: reason.into(), mend }
    }
}

impl From<&str> for Why {
    fn from(reason: &str) -> Self {
        Self::new(reason, None)
    }
}

impl From<String> for Why {
    fn from(reason: String) -> Self {
        Self::new(reason, None)
    }
}

impl From<&String> for Why {
    fn from(reason: &String) -> Self {
        Self::new(reason, None)
    }
}

/// What to do about the first of these words that is not known.
pub(super) fn written_out(words: &[Word]) -> Option<String> {
    words.iter().find_map(Word::unknown_part).map(|part| format!("write out what `{part}` stands for"))
}

impl Finding {
    pub fn new(verdict: Verdict, reason: impl Into<String>, targets: Vec<String>) -> Self {
        let open = verdict == Verdict::Unknown && targets.is_empty();
        Self { verdict, reason: reason.into(), targets, missing: None, open, doubt: None, mend: None }
    }

    pub fn reads(reason: impl Into<String>) -> Self {
        Self::new(Verdict::ReadOnly, reason, vec![])
    }

    /// Both hold: the worse verdict with its reason, and the guests of all that is not harmless.
    pub fn and(self, other: Self) -> Self {
        let (mut worse, mut better) = if other.verdict > self.verdict { (other, self) } else { (self, other) };
        if worse.verdict == Verdict::Mutating {
            let doubts = [worse.doubt.take(), better.doubt.take()].into_iter().flatten();
            let unknown = (better.verdict == Verdict::Unknown).then(|| Box::new(better.clone()));
            worse.doubt = doubts.chain(unknown).reduce(|one, other| Box::new((*one).and(*other)));
            if better.verdict == Verdict::Unknown {
                return worse;
            }
        }
        worse.open |= better.open;
        // An entry for one of two unknown things would not make it known.
        if better.verdict == Verdict::Unknown && better.missing != worse.missing {
            worse.missing = None;
        }
        for target in better.targets {
            if !worse.targets.contains(&target) {
                worse.targets.push(target);
            }
        }
        worse
    }
}

/// Why a command is not understood and what to do about it, if it would be with its words written out.
pub(super) fn mend(judge: Judge, report: &Report, command: &Command, facts: &Facts) -> Option<(String, String)> {
    let unknown = |effect: &Effect| match effect {
        Effect::Unknown(why) | Effect::UnknownOnGuest(why) | Effect::UnknownAt { why, .. } => Some(why.clone()),
        _ => None,
    };
    let reason = report.effects.iter().find_map(unknown)?;
    let mend = written_out(&command.words)?;
    // Any word will do: what is looked for is whether it is the unknown ones that are in the way.
    let any = |word: &Word| Word::known_as(word.stretches().collect::<Vec<_>>().join("x"));
    let plain = Command { words: command.words.iter().map(any).collect(), stdin: command.stdin.clone() };
    judge(&plain, facts).effects.iter().all(|effect| unknown(effect).is_none()).then_some((reason, mend))
}

/// The entry that would make a use of a program known, if a person could write it down.
pub(super) fn missing(command: &Command) -> Option<Missing> {
    let plain = |text: &str| {
        !text.is_empty() && text.len() <= 60 && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+".contains(c))
    };
    let program = command.program().filter(|name| plain(name))?;
    let first = command.arguments().first().and_then(Word::known);
    let sub = first.filter(|word| plain(word) && word.starts_with(|c: char| c.is_ascii_lowercase()));
    Some(Missing { program: program.to_owned(), sub: sub.map(str::to_owned) })
}
