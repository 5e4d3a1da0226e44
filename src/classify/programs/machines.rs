//! The machines that programs for many of them are given. Pure.

use super::copied;
use super::host;
use crate::classify::effect::{Effect, Facts, Host};
use crate::classify::word::Word;

/// No more of them are named.
const MOST: usize = 256;

/// Machines as they are collected from a command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Machines {
    names: Vec<String>,
    /// Why not all of them can be told.
    unknown: Vec<String>,
}

impl Machines {
    /// Adds one by its name, user and port included.
    pub fn add(&mut self, name: &str) {
        if self.names.len() >= MOST {
            return self.add_doubt(format!("it names more than {MOST} machines"));
        }
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// Adds what a word that is not known names.
    pub fn add_unknown(&mut self, word: &Word) {
        self.add_doubt(format!("which machines `{}` names is only known when it runs", word.shown()));
    }

    /// Adds machines that can't be told; why.
    pub fn add_doubt(&mut self, why: impl Into<String>) {
        self.unknown.push(why.into());
    }

    /// Adds a list with commas and ranges.
    pub fn add_list(&mut self, list: &str) {
        match host::list(list) {
            Ok(names) => names.iter().for_each(|name| self.add(name)),
            Err(why) => self.add_doubt(why),
        }
    }

    /// Adds the machines in a file, one a line.
    pub fn add_file(&mut self, path: &Word, facts: &Facts) {
        match copied::text_of(path, facts) {
            Ok(text) => {
                let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
                lines.filter_map(|line| line.split_whitespace().next()).for_each(|line| self.add_list(line));
            }
            Err(why) => self.add_doubt(why),
        }
    }

    /// Takes machines of a list with commas and ranges out again.
    pub fn remove_list(&mut self, list: &str) {
        // What can't be read takes nothing out.
        for name in host::list(list).unwrap_or_default() {
            self.names.retain(|known| *known != name);
        }
    }

    /// Says why they can't be told if there are none.
    pub fn need(&mut self, why: &str) {
        if self.names.is_empty() && self.unknown.is_empty() {
            self.add_doubt(why);
        }
    }

    /// The machines that are reached through an ssh with these words; what that runs here is added.
    #[must_use]
    pub fn reach(&self, ssh: &[Word], facts: &Facts, effects: &mut Vec<Effect>) -> Vec<Host> {
        let mut hosts = Vec::new();
        for name in &self.names {
            let host =
                copied::reach_by(ssh, &host::with_port(&name.as_str().into()), &[Word::unknown()], facts, effects);
            if !hosts.contains(&host) {
                hosts.push(host);
            }
        }
        hosts.extend(self.unknown.iter().cloned().map(Host::Unknown));
        hosts
    }

    /// Their names, if all of them are known.
    #[must_use]
    pub fn names(&self) -> Option<&[String]> {
        self.unknown.is_empty().then_some(self.names.as_slice())
    }
}
