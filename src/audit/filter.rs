//! Which rows are wanted. Pure.

use super::{Call, Story};
use crate::text::host_key;
use jiff::Timestamp;

/// What a person asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Not older than this.
    pub since: Option<Timestamp>,
    /// Not younger than this.
    pub until: Option<Timestamp>,
    /// Calls that change this VM, or may change it: as it was typed, or as Zerto calls it.
    pub vm: Option<String>,
    /// Calls of this agent: its name in a tag, or the host's name.
    pub agent: Option<String>,
    /// Calls with this verdict.
    pub verdict: Option<String>,
}

impl Filter {
    /// Whether it is about calls: what humans did then is not shown.
    fn is_of_calls(&self) -> bool {
        self.vm.is_some() || self.agent.is_some() || self.verdict.is_some()
    }

    /// Whether the row is wanted.
    #[must_use]
    pub fn wants(&self, story: &Story) -> bool {
        let time = story.time();
        let inside = self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time <= until);
        inside
            && match story {
                Story::Call(call, _) | Story::ByHand(call) => self.wants_call(call),
                Story::Answer(_) | Story::Pause(_) | Story::PauseEnded(_) => !self.is_of_calls(),
            }
    }

    fn wants_call(&self, call: &Call) -> bool {
        let vm = self.vm.as_ref().is_none_or(|vm| {
            let vm = host_key(vm);
            call.guests.iter().chain(&call.vms).any(|name| host_key(name) == vm)
        });
        let is = |name: &str, wanted: &String| name.eq_ignore_ascii_case(wanted);
        let agent = self.agent.as_ref().is_none_or(|agent| is(&call.agent, agent) || is(&call.host, agent));
        let verdict = self.verdict.as_ref().is_none_or(|verdict| call.verdict.as_ref() == Some(verdict));
        vm && agent && verdict
    }
}
