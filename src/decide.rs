//! From what is known of a call to what is done about it. Pure.
//!
//! Must not: talk to a ZVM, print, or know a host's JSON.

use crate::classify::{Classification, Verdict};
use crate::config::{Mode, UnknownPolicy};
use serde::{Deserialize, Serialize};

/// What a person has set about verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// What happens to an unknown call.
    pub unknown: UnknownPolicy,
    /// Whether calls are stopped at all.
    pub mode: Mode,
}

/// What is done about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It may run, and there is nothing to say.
    Pass,
    /// It may run once a tag stands in every taggable VPG of these guests.
    Guard,
    /// It is stopped with a question for the human.
    Ask,
    /// It may run; the user is told what would have been done.
    Observe(Would),
}

/// What would be done about a call, were it not only observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Would {
    /// It would be guarded, or stopped if it can't be.
    Guard,
    /// It would be stopped with a question.
    Ask,
}

/// Decides.
#[must_use]
pub fn decide(call: &Classification, policy: Policy) -> Decision {
    let wanted = match call.verdict {
        Verdict::ReadOnly => Decision::Pass,
        // A change of a guest that can't be named can't be guarded.
        Verdict::Mutating if call.targets.is_empty() => Decision::Ask,
        Verdict::Mutating => match &call.doubt {
            Some(doubt) if policy.unknown == UnknownPolicy::Ask || doubt.targets.is_empty() || call.open => {
                Decision::Ask
            }
            Some(_) | None => Decision::Guard,
        },
        // To guard those that are named would let the others be changed unguarded.
        Verdict::Unknown if policy.unknown == UnknownPolicy::Guard && !call.targets.is_empty() && !call.open => {
            Decision::Guard
        }
        Verdict::Unknown => Decision::Ask,
    };
    match (policy.mode, &wanted) {
        (Mode::Enforce, _) | (Mode::Observe, Decision::Pass) => wanted,
        (Mode::Observe, Decision::Guard) => Decision::Observe(Would::Guard),
        (Mode::Observe, _) => Decision::Observe(Would::Ask),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Doubt;

    #[test]
    fn the_table_of_decisions() {
        use Mode::{Enforce, Observe};
        use UnknownPolicy::{Ask, Guard};
        use Verdict::{Mutating, ReadOnly, Unknown};
        let named = ["web01"].as_slice();
        for (verdict, targets, unknown, mode, expected) in [
            (ReadOnly, &[][..], Ask, Enforce, Decision::Pass),
            (ReadOnly, &[], Guard, Observe, Decision::Pass),
            (Mutating, named, Ask, Enforce, Decision::Guard),
            (Mutating, &[], Ask, Enforce, Decision::Ask),
            (Mutating, &[], Guard, Enforce, Decision::Ask),
            (Unknown, named, Ask, Enforce, Decision::Ask),
            (Unknown, named, Guard, Enforce, Decision::Guard),
            (Unknown, &[], Guard, Enforce, Decision::Ask),
            (Mutating, named, Ask, Observe, Decision::Observe(Would::Guard)),
            (Unknown, named, Ask, Observe, Decision::Observe(Would::Ask)),
        ] {
            let targets: Vec<String> = targets.iter().map(|name| (*name).to_owned()).collect();
            let call = Classification::of(verdict, "", targets.clone());
            assert_eq!(
                decide(&call, Policy { unknown, mode }),
                expected,
                "{verdict:?} {targets:?} {unknown:?} {mode:?}"
            );
        }
    }

    #[test]
    fn a_change_with_an_unknown_part_is_asked_about() {
        let call = |doubtful: &[&str]| {
            let targets = doubtful.iter().map(|name| (*name).to_owned()).collect();
            let doubt = Some(Doubt { reason: String::new(), targets });
            Classification { doubt, ..Classification::of(Verdict::Mutating, "", vec!["web01".into()]) }
        };
        let policy = |unknown| Policy { unknown, mode: Mode::Enforce };
        assert_eq!(decide(&call(&["db01"]), policy(UnknownPolicy::Ask)), Decision::Ask);
        assert_eq!(decide(&call(&["db01"]), policy(UnknownPolicy::Guard)), Decision::Guard);
        assert_eq!(decide(&call(&[]), policy(UnknownPolicy::Guard)), Decision::Ask, "it may change any guest");
        assert_eq!(call(&["db01"]).guests(), ["web01", "db01"]);
        let open = Classification { open: true, ..call(&["db01"]) };
        assert_eq!(decide(&open, policy(UnknownPolicy::Guard)), Decision::Ask, "it may change others besides");
        let open = Classification { verdict: Verdict::Unknown, doubt: None, ..open };
        assert_eq!(decide(&open, policy(UnknownPolicy::Guard)), Decision::Ask);
    }
}
