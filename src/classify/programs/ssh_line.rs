//! Reads ssh's own command line: options before and behind the machine, then the command. Pure.

use super::host::{self, Place};
use super::options::{self, Spec};
use super::ssh_settings::{Setting, Settings};
use crate::classify::word::Word;

/// The options of ssh. `-P` is left out: up to release 9.3 it is a flag, later it takes a tag.
const SPEC: Spec = Spec {
    flags: "1246AaCfGgKkMNnqsTtVvXxYy",
    values: "BbcDEeFIiJLlmOopQRSWw",
    glued: "",
    long_flags: &[],
    long_values: &[],
    stops: true,
    single_dash: false,
};

/// What a command line of ssh says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The machine.
    pub place: Place,
    /// What the options set.
    pub settings: Settings,
    /// The words behind the machine.
    pub command: Vec<Word>,
    /// `-W`: what its stdin and stdout are passed on to.
    pub passed_to: Option<Word>,
    /// `-O`: what an open connection is told.
    pub control: Option<Word>,
    /// `-G`: it only prints its settings.
    pub prints: bool,
    /// `-E`: files that it writes its log to.
    pub logs: Vec<Word>,
}

/// What became of reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// A connection.
    Line(Box<Line>),
    /// It says something about itself and ends.
    Ends,
    /// It can't be told; why, and what stood before it if the machine did.
    Unclear(String, Option<Box<Line>>),
}

/// Reads the words behind `ssh`.
#[must_use]
pub fn read(words: &[Word]) -> Read {
    read_as(words, &SPEC, &SPEC)
}

/// Reads the words behind `autossh`, which takes a port with `-M`, and `-f` for itself.
#[must_use]
pub fn read_autossh(words: &[Word]) -> Read {
    let before = Spec { flags: "1246AaCfGgKkNnqsTtVvXxYy", values: "BbcDEeFIiJLlmOopQRSWwM", ..SPEC };
    read_as(words, &before, &Spec { flags: "1246AaCGgKkNnqsTtVvXxYy", ..SPEC })
}

/// Reads with these options before the machine, and those behind it.
fn read_as(words: &[Word], before: &Spec, behind: &Spec) -> Read {
    let mut line = Line::default();
    let parsed = match options::parse(words, before) {
        Ok(parsed) => parsed,
        Err(why) => return Read::Unclear(why, None),
    };
    match line.take(&parsed.options) {
        Ok(true) => return Read::Ends,
        Ok(false) => {}
        Err(why) => return Read::Unclear(why, None),
    }
    let Some((target, rest)) = parsed.operands.split_first() else {
        return Read::Unclear("it names no machine".to_owned(), None);
    };
    if target.is_many() {
        return Read::Unclear(format!("how many words `{}` becomes is only known when it runs", target.shown()), None);
    }
    line.place = place(target);
    // Who and which port stand with the machine count before the options behind it.
    for (name, value) in [("l", &line.place.user), ("p", &line.place.port)] {
        if let Some(value) = value
            && let Err(why) = line.settings.letter(name, Some(value))
        {
            return Read::Unclear(why, None);
        }
    }
    if parsed.ended {
        line.command = rest.to_vec();
        return Read::Line(Box::new(line));
    }
    // Options may stand behind the machine too.
    let parsed = match options::parse(rest, behind) {
        Ok(parsed) => parsed,
        Err(why) => return Read::Unclear(why, Some(Box::new(line))),
    };
    match line.take(&parsed.options) {
        Ok(true) => return Read::Ends,
        Ok(false) => {}
        Err(why) => return Read::Unclear(why, Some(Box::new(line))),
    }
    line.command = parsed.operands;
    Read::Line(Box::new(line))
}

/// A machine as ssh takes it: `user@host` or `ssh://user@host:port`.
#[must_use]
pub fn place(word: &Word) -> Place {
    match host::url(word, "ssh") {
        Some((place, _)) => place,
        None => host::user_at_host(word),
    }
}

impl Line {
    /// Takes options; whether ssh ends at one of them.
    fn take(&mut self, options: &[(String, Option<Word>)]) -> Result<bool, String> {
        for (name, value) in options {
            match (name.as_str(), value) {
                ("V" | "Q", _) => return Ok(true),
                ("G", _) => self.prints = true,
                ("W", Some(value)) => {
                    self.passed_to = Some(value.clone());
                    self.settings.set("sessiontype", Setting::Is("none".into()));
                }
                ("O", Some(value)) => self.control = Some(value.clone()),
                ("E", Some(value)) => self.logs.push(value.clone()),
                (letter, value) => self.settings.letter(letter, value.as_ref())?,
            }
        }
        Ok(false)
    }
}
