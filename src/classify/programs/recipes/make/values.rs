//! Variables of a Makefile, and what their references come to. Pure.
//!
//! A conditional's branches all count, so a variable may have several values, and a text several readings. What only the run
//! can tell (the environment, the output of a command) is a hole within a text.

use super::file::Makefile;
use super::functions;
use std::rc::Rc;

/// Stands for a stretch that is not known.
pub(super) const HOLE: char = '\u{1}';

/// No text has more readings.
const MOST: usize = 16;

/// No reference is deeper in others.
const DEEPEST: usize = 40;

/// One value that a variable may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub text: Rc<str>,
    /// Whether references in it are worked out each time it is used.
    pub recursive: bool,
}

impl Value {
    pub fn plain(text: &str) -> Self {
        Self { text: text.into(), recursive: false }
    }
}

/// What a text stands in: a target's automatic variables, a function's parameters.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub names: Vec<(String, String)>,
    /// The variables that are being worked out.
    pub within: Vec<String>,
}

impl Scope {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut inner = self.clone();
        inner.names.push((name.to_owned(), value.to_owned()));
        inner
    }
}

/// What make itself sets. Flags that are empty unless someone sets them are left to the environment.
const BUILT_IN: &[(&str, &str)] = &[
    ("AR", "ar"),
    ("ARFLAGS", "rv"),
    ("AS", "as"),
    ("CC", "cc"),
    ("CPP", "cc -E"),
    ("CXX", "g++"),
    ("FC", "f77"),
    ("LD", "ld"),
    ("LEX", "lex"),
    ("MAKE", "make"),
    ("MAKE_COMMAND", "make"),
    ("RM", "rm -f"),
    ("SHELL", "/bin/sh"),
    (".SHELLFLAGS", "-c"),
    ("YACC", "yacc"),
    ("ASFLAGS", ""),
    ("CFLAGS", ""),
    ("CPPFLAGS", ""),
    ("CXXFLAGS", ""),
    ("FFLAGS", ""),
    ("LDFLAGS", ""),
    ("LDLIBS", ""),
    ("LFLAGS", ""),
    ("LIBS", ""),
    ("LOADLIBES", ""),
    ("TARGET_ARCH", ""),
    ("YFLAGS", ""),
    ("OS", ""),
    ("DESTDIR", ""),
    ("COMPILE.c", "$(CC) $(CFLAGS) $(CPPFLAGS) -c"),
    ("LINK.c", "$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS)"),
    ("LINK.o", "$(CC) $(LDFLAGS)"),
    ("OUTPUT_OPTION", "-o $@"),
    ("COMPILE.cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) -c"),
    ("COMPILE.cpp", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) -c"),
    ("LINK.cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS)"),
    ("LINK.cpp", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS)"),
];

/// What every pair of a reading here and one there comes to.
pub(super) fn product(heads: Vec<String>, tails: &[String]) -> Result<Vec<String>, String> {
    if let [tail] = tails {
        let mut heads = heads;
        for head in &mut heads {
            head.push_str(tail);
        }
        return Ok(heads);
    }
    let mut all: Vec<String> = vec![];
    for head in &heads {
        for tail in tails {
            let whole = format!("{head}{tail}");
            if !all.contains(&whole) {
                all.push(whole);
            }
        }
    }
    if all.len() > MOST {
        Err("the Makefile's conditions give a text more readings than are followed".into())
    } else {
        Ok(all)
    }
}

impl Makefile<'_> {
    /// The readings of a text.
    pub(super) fn expand(&mut self, text: &str, scope: &Scope, depth: usize) -> Result<Vec<String>, String> {
        if depth > DEEPEST {
            return Err("the Makefile's variables are deeper in one another than is followed".into());
        }
        let mut all = vec![String::new()];
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('$') {
            all = product(all, &[before.to_owned()])?;
            let (values, after) = self.reference(behind, scope, depth)?;
            all = product(all, &values)?;
            rest = after;
            self.spend(all.iter().map(String::len).sum::<usize>() / 8 + 16)?;
        }
        product(all, &[rest.to_owned()])
    }

    /// The readings of a text, or one that is not known.
    pub(super) fn expand_or_hole(&mut self, text: &str, scope: &Scope, depth: usize) -> Result<Vec<String>, String> {
        let before = self.budget();
        match self.expand(text, scope, depth) {
            Err(why) if self.budget() == 0 || before == 0 => Err(why),
            Err(why) if why.contains("more readings") => Ok(vec![HOLE.to_string()]),
            other => other,
        }
    }

    /// What stands behind a dollar sign, and the text behind that.
    fn reference<'t>(&mut self, text: &'t str, scope: &Scope, depth: usize) -> Result<(Vec<String>, &'t str), String> {
        let Some(first) = text.chars().next() else { return Ok((vec![String::new()], "")) };
        let behind = text.get(first.len_utf8()..).unwrap_or_default();
        let close = match first {
            '$' => return Ok((vec!["$".to_owned()], behind)),
            '(' => ')',
            '{' => '}',
            _ => return Ok((self.variable(&first.to_string(), scope, depth)?, behind)),
        };
        let end = balanced(behind, first, close).ok_or("a reference in the Makefile has no end")?;
        let inner = behind.get(..end).unwrap_or_default();
        let after = behind.get(end + 1..).unwrap_or_default();
        let trimmed = inner.trim_start();
        if let Some((name, arguments)) = trimmed.split_once([' ', '\t'])
            && functions::knows(name)
        {
            return Ok((self.function(name, arguments.trim_start(), scope, depth + 1)?, after));
        }
        // A substitution: `$(OBJS:.c=.o)`.
        if let Some(at) = colon(inner)
            && let Some((from, to)) = inner.get(at + 1..).unwrap_or_default().split_once('=')
        {
            let (from, to) = if from.contains('%') {
                (from.to_owned(), to.to_owned())
            } else {
                (format!("%{from}"), format!("%{to}"))
            };
            let mut all = vec![];
            for name in self.expand(inner.get(..at).unwrap_or_default(), scope, depth + 1)? {
                for value in self.variable(&name, scope, depth + 1)? {
                    for from in self.expand(&from, scope, depth + 1)? {
                        for to in self.expand(&to, scope, depth + 1)? {
                            all.push(functions::patsubst(&from, &to, &value));
                        }
                    }
                }
            }
            return Ok((few(all)?, after));
        }
        let mut all = vec![];
        for name in self.expand(inner, scope, depth + 1)? {
            all.extend(self.variable(name.trim(), scope, depth + 1)?);
        }
        Ok((few(all)?, after))
    }

    /// The values of a variable.
    pub(super) fn variable(&mut self, name: &str, scope: &Scope, depth: usize) -> Result<Vec<String>, String> {
        if let Some(value) = scope.get(name) {
            return Ok(vec![value.to_owned()]);
        }
        if name.contains(HOLE) || depth > DEEPEST {
            return Ok(vec![HOLE.to_string()]);
        }
        let mut inner = scope.clone();
        if inner.within.iter().any(|known| known == name) {
            return Err(format!("the Makefile's `{name}` stands in itself"));
        }
        let Some(values) = self.values(name)? else { return Ok(vec![HOLE.to_string()]) };
        inner.within.push(name.to_owned());
        let mut all = vec![];
        for value in values {
            if value.recursive {
                all.extend(self.expand(&value.text, &inner, depth + 1)?);
            } else {
                all.push(value.text.to_string());
            }
            self.spend(value.text.len() / 8 + 16)?;
        }
        few(all)
    }

    /// What a variable may be set to; none: nobody has set it.
    pub(super) fn values(&self, name: &str) -> Result<Option<Vec<Value>>, String> {
        if let Some((_, value)) = self.given.iter().rev().find(|(known, _)| known == name) {
            return Ok(Some(vec![Value { text: value.as_str().into(), recursive: true }]));
        }
        if let Some(values) = self.variables.get(name) {
            return Ok(Some(values.clone()));
        }
        // Make takes no shell from the environment.
        if name != "SHELL"
            && let Some(value) = self.facts.variables.variable(name)
        {
            return match value.known() {
                Some(text) => Ok(Some(vec![Value { text: text.into(), recursive: true }])),
                None => Err(format!("what `{name}` holds, of which the Makefile makes text, is not known")),
            };
        }
        let known = match name {
            "CURDIR" => Some(self.folder.clone()),
            "PWD" => Some(self.folder.clone()),
            // What was there before stands for itself: which folders are added is what counts.
            "PATH" => Some("/usr/bin".to_owned()),
            "HOME" => self.facts.home.map(str::to_owned),
            "MAKEFILE_LIST" => Some(self.read.join(" ")),
            "MAKECMDGOALS" => Some(self.goals.join(" ")),
            name => BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()),
        };
        Ok(known.map(|text| vec![Value { text: text.as_str().into(), recursive: true }]))
    }
}

/// Values without those that stand there twice.
pub(super) fn few(all: Vec<String>) -> Result<Vec<String>, String> {
    let mut few: Vec<String> = vec![];
    for value in all {
        if !few.contains(&value) {
            few.push(value);
        }
    }
    if few.len() > MOST {
        Err("the Makefile's conditions give a text more readings than are followed".into())
    } else {
        Ok(few)
    }
}

/// Where the bracket ends that has been opened.
pub(super) fn balanced(text: &str, open: char, close: char) -> Option<usize> {
    let mut deep = 0_usize;
    for (at, c) in text.char_indices() {
        if c == close {
            if deep == 0 {
                return Some(at);
            }
            deep -= 1;
        } else if c == open {
            deep += 1;
        }
    }
    None
}

/// The first colon that stands in no reference.
fn colon(text: &str) -> Option<usize> {
    let mut deep = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => deep += 1,
            ')' | '}' => deep = deep.saturating_sub(1),
            ':' if deep == 0 => return Some(at),
            _ => {}
        }
    }
    None
}
