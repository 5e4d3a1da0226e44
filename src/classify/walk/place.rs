//! Where a command runs: on the agent's own machine, or on a guest behind one or several logins. Pure.

use crate::classify::effect::Host;
use crate::classify::targets::Places;
use crate::text::host_key;

/// Where a command runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::classify) struct Place {
    /// The machines logged in to, one from the other, the last being where it runs; none: the agent's own machine.
    hops: Vec<Hop>,
    /// Whether it runs in a container or another root of that machine.
    pub inside: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hop {
    Guest(Guest),
    /// One that can't be told; why.
    Unknown(String),
}

/// A machine by its names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Guest {
    typed: String,
    real: Option<String>,
}

/// What a change at a place is a change of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::classify) enum Changed {
    /// No guest: why.
    Nothing(String),
    /// These guests.
    Guests(Vec<String>),
    /// A guest that can't be told, beside these; why.
    Unknown(Vec<String>, String),
}

impl Place {
    /// A guest that a call names.
    pub fn of_guest(name: &str) -> Self {
        Self { hops: vec![Hop::Guest(Guest { typed: name.to_owned(), real: None })], inside: false }
    }

    /// A guest that can't be told.
    pub fn of_unknown(why: &str) -> Self {
        Self { hops: vec![Hop::Unknown(why.to_owned())], inside: false }
    }

    /// Whether this is the agent's own machine, containers of it included.
    pub fn is_own(&self) -> bool {
        self.hops.is_empty()
    }

    /// Whether the files there are those of the agent's own machine.
    pub fn has_own_files(&self) -> bool {
        self.is_own() && !self.inside
    }

    /// The same machine, in a container or another root.
    pub fn inside(&self) -> Self {
        Self { inside: true, ..self.clone() }
    }

    /// The machine that is reached from here.
    pub fn at(&self, host: &Host) -> Self {
        let mut hops = self.hops.clone();
        match host {
            Host::Same => return self.clone(),
            Host::Named { typed, real } => {
                hops.push(Hop::Guest(Guest { typed: typed.clone(), real: real.clone() }));
            }
            Host::Unknown(why) => hops.push(Hop::Unknown(why.clone())),
        }
        Self { hops, inside: false }
    }

    /// How many logins away it is.
    pub fn depth(&self) -> usize {
        self.hops.len()
    }

    /// For people: the machine on which it runs, empty for the agent's own.
    pub fn shown(&self) -> String {
        match self.hops.last() {
            None => String::new(),
            Some(Hop::Guest(guest)) => guest.name(&Places::default()).to_owned(),
            Some(Hop::Unknown(_)) => "?".to_owned(),
        }
    }

    /// What a change here is a change of: the machine itself and every one on the way to it, since whoever logs in leaves
    /// something there too.
    pub fn changed(&self, places: &Places) -> Changed {
        if self.is_own() {
            return match &places.this_vm {
                Some(vm) if places.is_unguarded(vm) => left_out(std::slice::from_ref(vm)),
                Some(vm) => Changed::Guests(vec![vm.clone()]),
                None => Changed::Nothing("it acts on the agent's own machine".into()),
            };
        }
        let (mut guests, mut out, mut doubt) = (Vec::new(), Vec::new(), None);
        for hop in &self.hops {
            match hop {
                Hop::Unknown(why) => doubt = Some(why.clone()),
                Hop::Guest(guest) => {
                    let list = if guest.is_unguarded(places) { &mut out } else { &mut guests };
                    let name = guest.name(places).to_owned();
                    if !list.contains(&name) {
                        list.push(name);
                    }
                }
            }
        }
        match (doubt, guests.is_empty()) {
            (Some(why), _) => Changed::Unknown(guests, why),
            (None, true) => left_out(&out),
            (None, false) => Changed::Guests(guests),
        }
    }
}

fn left_out(out: &[String]) -> Changed {
    Changed::Nothing(format!("`unguarded` of the config leaves out {}", out.join(", ")))
}

impl Guest {
    /// The name under which it is looked for: a person's own mapping of what was typed comes before ssh's.
    fn name(&self, places: &Places) -> &str {
        match &self.real {
            Some(real) if !places.hosts.contains_key(&host_key(&self.typed)) => real,
            _ => &self.typed,
        }
    }

    fn is_unguarded(&self, places: &Places) -> bool {
        places.is_unguarded(&self.typed) && self.real.as_ref().is_none_or(|real| places.is_unguarded(real))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn places() -> Places {
        Places {
            hosts: BTreeMap::from([("prod".into(), "web01".into())]),
            unguarded: vec!["*.build.example".into(), "bastion".into()],
            ..Places::default()
        }
    }

    #[test]
    fn every_machine_on_the_way_is_changed() {
        let place = Place::default().at(&Host::named("a")).at(&Host::named("b"));
        assert_eq!(place.changed(&places()), Changed::Guests(vec!["a".into(), "b".into()]));
        assert_eq!(place.shown(), "b");
        let place = Place::default().at(&Host::named("bastion")).at(&Host::named("b"));
        assert_eq!(place.changed(&places()), Changed::Guests(vec!["b".into()]));
        let place = Place::default().at(&Host::named("a")).at(&Host::Unknown("why".into()));
        assert_eq!(place.changed(&places()), Changed::Unknown(vec!["a".into()], "why".into()));
    }

    #[test]
    fn an_alias_is_the_machine_that_is_reached_unless_a_person_maps_it() {
        let named = |typed: &str, real: &str| {
            let host = Host::Named { typed: typed.into(), real: Some(real.into()) };
            Place::default().at(&host).changed(&places())
        };
        assert_eq!(named("w", "10.0.0.5"), Changed::Guests(vec!["10.0.0.5".into()]));
        assert_eq!(named("prod", "10.0.0.5"), Changed::Guests(vec!["prod".into()]));
        assert_eq!(named("x.build.example", "db01"), Changed::Guests(vec!["db01".into()]));
        assert!(matches!(named("x.build.example", "bastion"), Changed::Nothing(_)));
    }

    #[test]
    fn the_own_machine_is_a_guest_only_if_a_person_says_so() {
        assert!(matches!(Place::default().changed(&places()), Changed::Nothing(_)));
        let here = Places { this_vm: Some("dev01".into()), ..places() };
        assert_eq!(Place::default().inside().changed(&here), Changed::Guests(vec!["dev01".into()]));
    }
}
