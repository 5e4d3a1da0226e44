//! What is known of a value while a PowerShell text is followed. Pure.

use super::tree::Block;
use crate::classify::effect::Host;
use crate::classify::programs::host;
use crate::classify::word::Word;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Nothing.
    Nothing,
    /// A text, or a number as it is written.
    Text(Word),
    /// Several values.
    List(Rc<Vec<Value>>),
    /// One of these.
    Any(Rc<Vec<Value>>),
    /// Code.
    Block(Rc<Block>),
    /// Names and values.
    Hash(Rc<Vec<(String, Value)>>),
    /// Sessions at these machines.
    Session(Vec<Host>),
    /// Objects that stand for something on these machines, or, if there are none, on the machine where it runs; and the
    /// virtual machines that they are, if they are such.
    Object(Vec<Host>, Vec<Host>),
    /// Text, numbers and the like that are worked out.
    Data,
    /// Anything.
    Unknown,
}

impl Value {
    pub fn text(text: &str) -> Self {
        Self::Text(Word::known_as(text))
    }

    /// Several values.
    pub fn list(values: Vec<Self>) -> Self {
        Self::List(Rc::new(values))
    }

    /// Counts its parts, up to a number.
    pub fn parts(&self, count: &mut usize, most: usize) {
        *count += 1;
        if *count >= most {
            return;
        }
        match self {
            Self::List(values) | Self::Any(values) => {
                for value in values.iter() {
                    if *count >= most {
                        return;
                    }
                    value.parts(count, most);
                }
            }
            Self::Hash(entries) => {
                for (_, value) in entries.iter() {
                    if *count >= most {
                        return;
                    }
                    value.parts(count, most);
                }
            }
            Self::Session(hosts) | Self::Object(hosts, _) => *count += hosts.len(),
            _ => {}
        }
    }

    /// Whether it is this very table or list, or has it in itself.
    pub fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Hash(one), Self::Hash(other)) if Rc::ptr_eq(one, other) => true,
            (Self::List(one), Self::List(other)) if Rc::ptr_eq(one, other) => true,
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::Hash(entries), _) => entries.iter().any(|(_, value)| value.holds(other)),
            (Self::List(values) | Self::Any(values), _) => values.iter().any(|value| value.holds(other)),
            _ => false,
        }
    }

    /// The text, if it is known.
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Text(word) => word.known(),
            _ => None,
        }
    }

    /// As one word.
    pub fn word(&self) -> Word {
        match self {
            Self::Text(word) => word.clone(),
            Self::List(values) | Self::Any(values) if values.len() == 1 => {
                values.first().map(Self::word).unwrap_or_default()
            }
            _ => Word::unknown(),
        }
    }

    /// As words of a program.
    pub fn words(&self) -> Vec<Word> {
        match self {
            Self::Nothing => vec![],
            Self::Text(word) => vec![word.clone()],
            Self::List(values) => values.iter().flat_map(Self::words).collect(),
            _ => vec![Word::unknown_many()],
        }
    }

    /// One of its elements.
    pub fn element(&self) -> Self {
        match self {
            Self::List(values) => Self::Any(values.clone()),
            Self::Hash(_) | Self::Block(_) | Self::Nothing => Self::Unknown,
            one => one.clone(),
        }
    }

    /// Every value that it may be.
    pub fn each(&self) -> Vec<&Self> {
        match self {
            Self::List(values) | Self::Any(values) => values.iter().flat_map(Self::each).collect(),
            one => vec![one],
        }
    }

    /// The machines that it names.
    pub fn hosts(&self) -> Vec<Host> {
        match self {
            Self::Text(word) => vec![named(word)],
            Self::List(values) | Self::Any(values) if !values.is_empty() => {
                let mut hosts = Vec::new();
                values.iter().flat_map(Self::hosts).for_each(|host| add(&mut hosts, host));
                hosts
            }
            Self::Session(hosts) => hosts.clone(),
            // What is read in is not known before it runs, but for a virtual machine's own object.
            Self::Object(_, vms) if !vms.is_empty() => vms.clone(),
            Self::Hash(entries) => {
                let name = entries.iter().find(|(key, _)| matches!(key.as_str(), "hostname" | "computername"));
                name.map_or_else(|| vec![unnamed()], |(_, value)| value.hosts())
            }
            _ => vec![unnamed()],
        }
    }

    /// The blocks in it.
    pub fn blocks(&self) -> Vec<Rc<Block>> {
        match self {
            Self::Block(block) => vec![block.clone()],
            Self::List(values) | Self::Any(values) => values.iter().flat_map(Self::blocks).collect(),
            Self::Hash(entries) => entries.iter().flat_map(|(_, value)| value.blocks()).collect(),
            _ => vec![],
        }
    }
}

/// A machine that can't be told.
pub(super) fn unnamed() -> Host {
    Host::Unknown("which machine it is can only be told when it runs".into())
}

/// Adds a machine that isn't there yet.
pub(super) fn add(hosts: &mut Vec<Host>, host: Host) {
    if !hosts.contains(&host) {
        hosts.push(host);
    }
}

/// The machine that a text names.
pub(super) fn named(word: &Word) -> Host {
    match word.known().map(str::trim) {
        None => unnamed(),
        Some("" | "." | "localhost" | "(local)" | "127.0.0.1" | "::1") => Host::Same,
        // A list in one text is a name to some programs, and a list to others.
        Some(name) if name.contains([',', ';', '*', '?', '(', '$', '{']) || name.contains(char::is_whitespace) => {
            Host::Unknown(format!("`{name}` is no machine's name"))
        }
        Some(name) => host::host(&Word::known_as(name)),
    }
}

/// The variable that gives parameters to commands which don't show them.
pub(super) const DEFAULTS: &str = "psdefaultparametervalues";

/// What is known while a text is followed.
#[derive(Debug, Clone, Default)]
pub(super) struct Env {
    /// Variables that the text has set.
    pub variables: BTreeMap<String, Value>,
    /// Functions that it has defined, and whether a call is surely one of them.
    pub functions: BTreeMap<String, (Rc<Block>, bool)>,
    /// Names of commands that it has given another meaning, which is not followed.
    pub shadowed: BTreeSet<String>,
    /// Why no name of a command means what it says any more.
    pub all_shadowed: Option<String>,
    /// Drives that lead to other machines.
    pub drives: BTreeMap<String, Vec<Host>>,
    /// The folder in which programs run, absolute; none: that in which the text began.
    pub folder: Option<Word>,
    /// The machines on which a relative path lies, if not only on the own one.
    pub location: Vec<Host>,
    /// The machines of the folders in which it has been: it may come back to them.
    pub been: Vec<Host>,
    /// Whether code in a session has defined something.
    pub session_defines: bool,
    /// Whether commands may have parameters that don't show, by `$PSDefaultParameterValues`.
    pub defaults: bool,
}

impl Env {
    /// How much it takes to copy it.
    pub fn size(&self) -> usize {
        let of = |value: &Value| {
            let mut parts = 0;
            value.parts(&mut parts, 1_000);
            match value {
                Value::Text(word) => 1 + word.len() / 32,
                _ => parts,
            }
        };
        let variables: usize = self.variables.values().map(of).sum();
        1 + variables + self.functions.len() + self.shadowed.len() + self.drives.len()
    }

    /// Takes everything for unknown that may have been set since then.
    pub fn join(&mut self, before: &Self) {
        for (name, value) in &mut self.variables {
            if before.variables.get(name) != Some(value) {
                *value = Value::Unknown;
            }
        }
        for (name, value) in &before.variables {
            if !self.variables.contains_key(name) {
                self.variables.insert(name.clone(), value.clone());
            }
        }
        for (name, function) in &mut self.functions {
            function.1 &= before.functions.get(name).is_some_and(|known| known.0 == function.0);
        }
        for (name, function) in &before.functions {
            self.functions.entry(name.clone()).or_insert_with(|| (function.0.clone(), false));
        }
        if self.folder != before.folder {
            self.folder = Some(Word::unknown());
        }
        for (name, hosts) in &before.drives {
            let all = self.drives.entry(name.clone()).or_default();
            hosts.iter().for_each(|host| add(all, host.clone()));
        }
        before.location.iter().for_each(|host| add(&mut self.location, host.clone()));
        self.shadowed.extend(before.shadowed.iter().cloned());
        self.all_shadowed = self.all_shadowed.take().or_else(|| before.all_shadowed.clone());
        before.been.iter().for_each(|host| add(&mut self.been, host.clone()));
        self.session_defines |= before.session_defines;
        self.defaults |= before.defaults;
    }

    /// Forgets what every variable holds.
    pub fn forget_all(&mut self) {
        self.variables.values_mut().for_each(|value| *value = Value::Unknown);
        self.folder = Some(Word::unknown());
    }

    pub fn forget(&mut self, name: &str) {
        let name = name.to_lowercase();
        self.defaults |= name == DEFAULTS;
        self.variables.insert(name, Value::Unknown);
    }

    /// Forgets what every variable holds, since any of them may have been set by its name.
    pub fn forget_any(&mut self) {
        self.forget_all();
        self.defaults = true;
    }

    /// Forgets the variables that a text which runs again and again may set.
    pub fn forget_set_in(&mut self, raw: &str) {
        let raw = raw.to_lowercase();
        if may_move(&raw) {
            self.folder = Some(Word::unknown());
        }
        for (name, value) in &mut self.variables {
            if may_set(&raw, name) {
                *value = Value::Unknown;
            }
        }
    }
}

/// Whether a text may go to another folder.
pub(super) fn may_move(raw: &str) -> bool {
    ["location", "cd", "sl", "chdir", "pushd", "popd", "currentdirectory"].iter().any(|word| raw.contains(word))
}

/// Whether a text may set a variable.
fn may_set(raw: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    raw.match_indices(name).any(|(at, _)| {
        let before = raw.get(..at).and_then(|text| text.chars().next_back());
        let after = raw.get(at + name.len()..).unwrap_or_default();
        if before.is_some_and(part) || after.starts_with(part) {
            return false;
        }
        match before {
            Some('$' | '{' | ':' | '@') => {
                let after = after.trim_start_matches(['}', ' ', '\t', '`', '\n', '\r']);
                let signs = ["=", "+=", "-=", "*=", "/=", "%=", "??=", "++", "--", ",", "in", "[", ".", ")"];
                // `[ref]$x`, `++$x`; what is read may be written over as well, if that is not to be seen.
                let sign = signs.iter().find(|sign| after.starts_with(**sign));
                match sign {
                    Some(&")") => raw.contains("[ref]"),
                    Some(&("[" | ".")) => after.contains('='),
                    Some(_) => true,
                    None => raw.contains("++") || raw.contains("--") || raw.contains("[ref]"),
                }
            }
            // A parameter or part of a cmdlet's name.
            Some('-') => false,
            _ => true,
        }
    })
}
