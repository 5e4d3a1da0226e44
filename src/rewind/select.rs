//! Which tag a person means: `latest`, `latest~2`, a change id, a checkpoint's identifier, or a whole tag. Pure.
//!
//! Owns: the spellings of a tag on the command line, and joining what several VPGs list. Must not: ask a ZVM.

use crate::guard::tag::{self, Tag};
use jiff::Timestamp;

/// A tag in the journal of one VPG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The VPG's name.
    pub vpg: String,
    /// Its identifier.
    pub vpg_identifier: String,
    /// The checkpoint's identifier in that VPG: other VPGs have the same numbers.
    pub checkpoint: String,
    /// When the checkpoint was made, by the ZVM's clock; none where the ZVM did not say.
    pub time: Option<Timestamp>,
    /// The checkpoint's name.
    pub tag: String,
}

/// A tag with every VPG that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    /// The checkpoint's name.
    pub tag: String,
    /// What it says; none where somebody else's tool made it.
    pub says: Option<Tag>,
    /// The first of its checkpoints; else what the tag says; none where neither is known.
    pub time: Option<Timestamp>,
    /// Where it stands, in no order.
    pub places: Vec<Listed>,
}

/// A tag as a person spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The newest, or the one N before it.
    Latest(usize),
    /// The change it belongs to, and nothing else: `change=ID`.
    Change(String),
    /// A whole tag, a change id, or a checkpoint's identifier.
    Named(String),
}

/// Why no tag can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsure {
    /// None of these.
    Nothing {
        /// As it was typed.
        wanted: String,
    },
    /// It may be any of these.
    Several {
        /// As it was typed.
        wanted: String,
        /// What fits, newest first.
        tags: Vec<Tagged>,
    },
}

impl Wanted {
    /// Reads what a person typed.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if let Some(change) = text.strip_prefix("change=") {
            return Self::Change(change.to_owned());
        }
        let back = match text.strip_prefix("latest") {
            Some("") => Some(0),
            Some(rest) => rest.strip_prefix('~').and_then(|nr| nr.parse().ok()),
            None => None,
        };
        back.map_or_else(|| Self::Named(text.to_owned()), Self::Latest)
    }

    /// As it is typed.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Latest(0) => "latest".to_owned(),
            Self::Latest(back) => format!("latest~{back}"),
            Self::Change(change) => format!("change={change}"),
            Self::Named(text) => text.clone(),
        }
    }

    /// What of a tag is meant, if any of it is: all, or the checkpoints that have the number. Other VPGs have the same name at
    /// another checkpoint, and where somebody else gave it, of another moment.
    fn of(&self, tagged: &Tagged) -> Option<Tagged> {
        let change = |wanted: &str| tagged.says.as_ref().is_some_and(|says| says.change == tag::change_id(wanted));
        match self {
            // It is not what the tag says that counts, but its place.
            Self::Latest(_) => None,
            Self::Change(wanted) => change(wanted).then(|| tagged.clone()),
            Self::Named(text) if tagged.tag == *text || change(text) => Some(tagged.clone()),
            Self::Named(text) => {
                let mut part = tagged.clone();
                part.places.retain(|place| place.checkpoint == *text);
                (!part.places.is_empty()).then_some(part)
            }
        }
    }
}

impl Tagged {
    /// The same tag once for each of its checkpoints.
    #[must_use]
    pub fn apart(&self) -> Vec<Self> {
        let one = |place: &Listed| Self { time: place.time.or(self.time), places: vec![place.clone()], ..self.clone() };
        self.places.iter().map(one).collect()
    }

    /// Whether a VPG has it at two checkpoints.
    fn is_twice(&self) -> bool {
        let vpgs: std::collections::HashSet<&str> =
            self.places.iter().map(|place| place.vpg_identifier.as_str()).collect();
        vpgs.len() < self.places.len()
    }
}

/// Puts together what the journals list, newest first. The same name in two VPGs is one tag.
#[must_use]
pub fn joined(listed: Vec<Listed>) -> Vec<Tagged> {
    let mut tags: Vec<Tagged> = Vec::new();
    let mut at = std::collections::HashMap::new();
    for place in listed {
        let nr = *at.entry(place.tag.clone()).or_insert(tags.len());
        if nr == tags.len() {
            let says = tag::parse(&place.tag);
            tags.push(Tagged { tag: place.tag.clone(), says, time: None, places: vec![] });
        }
        if let Some(tagged) = tags.get_mut(nr) {
            tagged.places.push(place);
        }
    }
    for tagged in &mut tags {
        let first = tagged.places.iter().filter_map(|place| place.time).min();
        tagged.time = first.or(tagged.says.as_ref().map(|says| says.time));
    }
    // Of one second, the order is that of the names: the same each time.
    tags.sort_by(|one, other| other.time.cmp(&one.time).then_with(|| one.tag.cmp(&other.tag)));
    tags
}

/// The tag that is meant, among those that are listed, newest first.
///
/// # Errors
/// None fits, several do, or a VPG has it at two checkpoints.
pub fn select(tags: &[Tagged], wanted: &Wanted) -> Result<Tagged, Unsure> {
    let nothing = || Unsure::Nothing { wanted: wanted.shown() };
    let mut fitting: Vec<Tagged> = match wanted {
        // What somebody else's tool has tagged is no change of an agent's.
        Wanted::Latest(back) => {
            tags.iter().filter(|tagged| tagged.says.is_some()).nth(*back).cloned().into_iter().collect()
        }
        _ => tags.iter().filter_map(|tagged| wanted.of(tagged)).collect(),
    };
    match (fitting.pop(), fitting.is_empty()) {
        (None, _) => Err(nothing()),
        (Some(one), true) if one.is_twice() => Err(Unsure::Several { wanted: wanted.shown(), tags: one.apart() }),
        (Some(one), true) => Ok(one),
        (Some(last), false) => {
            fitting.push(last);
            Err(Unsure::Several { wanted: wanted.shown(), tags: fitting })
        }
    }
}

/// Parts `TAG:PATH`. A tag of this tool's form ends with its time stamp, the short forms hold no colon; a name that somebody
/// else gave may hold any, so the names that are listed decide.
///
/// Returns the tag and the guest's path; none where there is no colon or one side of it is empty.
#[must_use]
pub fn parted<'a>(text: &'a str, tags: &[Tagged]) -> Option<(&'a str, &'a str)> {
    let colons = || text.match_indices(':').map(|(at, _)| at);
    let sides = |at: usize| Some((text.get(..at)?, text.get(at + 1..)?));
    let whole = colons().filter_map(sides).find(|(name, _)| tag::parse(name).is_some());
    let known = || colons().rev().filter_map(sides).find(|(name, _)| tags.iter().any(|tagged| tagged.tag == *name));
    let short = || colons().next().and_then(sides);
    let (name, path) = whole.or_else(known).or_else(short)?;
    (!name.is_empty() && !path.is_empty()).then_some((name, path))
}

#[cfg(test)]
#[path = "tests/select.rs"]
mod tests;
