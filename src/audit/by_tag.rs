//! How the calls ended that a tag was made for. Pure.

use super::{Decision, Ending, How, Story};
use std::collections::HashMap;

/// How the call, or the calls (`guard.reuse`), of one tag ended. The order is that of what a person wants to know first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// No call was let run on it: not all VPGs could be tagged.
    Stopped,
    /// It was made by hand, for a change that nobody watches.
    ByHand,
    /// All succeeded, as the host tells it.
    Succeeded,
    /// Nobody told how one ended.
    NotSeen,
    /// The user broke one off.
    Interrupted,
    /// One failed.
    Failed,
}

impl Fate {
    /// For people.
    #[must_use]
    pub fn shown(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::ByHand => "by hand",
            Self::Succeeded => "succeeded",
            Self::NotSeen => "not seen",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }

    /// For programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ByHand => "by_hand",
            Self::NotSeen => "not_seen",
            other => other.shown(),
        }
    }
}

/// The fates of all tags that this machine's log knows.
#[must_use]
pub fn fates(stories: &[Story]) -> HashMap<&str, Fate> {
    let mut fates: HashMap<&str, Fate> = HashMap::new();
    for story in stories {
        let (call, fate) = match story {
            Story::Call(call, ending) => (call, fate(*ending)),
            Story::ByHand(call) if call.decision == Decision::Guarded => (call, Fate::ByHand),
            Story::ByHand(call) => (call, Fate::Stopped),
            Story::Answer(_) | Story::Pause(_) | Story::PauseEnded(_) => continue,
        };
        if let Some(tag) = call.tag.as_deref() {
            let known = fates.entry(tag).or_insert(fate);
            *known = fate.max(*known);
        }
    }
    fates
}

fn fate(ending: Ending) -> Fate {
    match ending {
        Ending::NotRun => Fate::Stopped,
        Ending::NotSeen => Fate::NotSeen,
        Ending::Seen(How::Succeeded, _) => Fate::Succeeded,
        Ending::Seen(How::Failed, _) => Fate::Failed,
        Ending::Seen(How::Interrupted, _) => Fate::Interrupted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Call;
    use crate::audit::tests::call;

    #[test]
    fn of_several_calls_on_one_tag_the_worst_end_is_told() {
        let of = |tag: &str| Box::new(Call { tag: Some(tag.into()), ..call(jiff::Timestamp::UNIX_EPOCH) });
        let seen = |how| Ending::Seen(how, None);
        let rows = [
            Story::Call(of("a"), seen(How::Succeeded)),
            Story::Call(of("a"), seen(How::Failed)),
            Story::Call(of("a"), Ending::NotSeen),
            Story::Call(of("b"), Ending::NotRun),
            Story::Call(of("c"), Ending::NotRun),
            Story::Call(of("c"), seen(How::Succeeded)),
            Story::ByHand(of("d")),
            Story::Call(Box::new(call(jiff::Timestamp::UNIX_EPOCH)), seen(How::Failed)),
        ];
        let found = fates(&rows);
        let mut found: Vec<(&str, &str)> = found.iter().map(|(tag, fate)| (*tag, fate.shown())).collect();
        found.sort_unstable();
        assert_eq!(found, [("a", "failed"), ("b", "stopped"), ("c", "succeeded"), ("d", "by hand")]);
    }
}
