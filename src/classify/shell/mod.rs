//! Reads shell text into a tree of our own.
//!
//! Reads as bash does, character by character and in one pass, so that no text can take long. Where bash, dash and zsh
//! would group the same text in different ways, or where something would run that the tree has no place for, the answer
//! is why it can't be read. Owns the bounds. Must not: expand or judge anything.

mod ansi;
mod compound;
mod conditional;
mod cursor;
mod dollar;
mod here;
mod list;
mod parameter;
mod redirect;
mod simple;
pub mod tree;
mod word;

use cursor::{Budget, Reader};
use std::borrow::Cow;
use tree::Script;

/// The longest text, in bytes.
const LONGEST: usize = 64 * 1024;
/// How deep brackets, quotes and compound commands may stand in each other.
const DEEPEST: usize = 100;
/// How deep command substitutions may stand in each other.
const DEEPEST_SUBSTITUTION: usize = 16;
/// How many simple commands a text may hold, those in its substitutions included.
const MOST_COMMANDS: usize = 4_000;
/// How many words and parts of words a text may hold: each takes memory, which takes more time than to read it.
const MOST_WORDS: usize = 16_000;
/// How many bytes may be read a second time where only their end tells what they were.
const MOST_READ_AGAIN: usize = LONGEST / 4;

/// Why a text can't be read.
#[derive(Debug)]
struct Fault {
    /// Where, as an offset in bytes; none: it is about the text as a whole.
    at: Option<usize>,
    why: Cow<'static, str>,
}

impl Fault {
    fn whole(why: impl Into<Cow<'static, str>>) -> Self {
        Self { at: None, why: why.into() }
    }

    /// The same, seen from a text in which that one stands at `at`.
    fn within(mut self, at: usize) -> Self {
        self.at = self.at.map(|_| at);
        self
    }
}

type Read<T> = Result<T, Fault>;

/// Reads a text.
///
/// # Errors
/// Why it can't be read, in words that follow a "since".
pub fn read(text: &str) -> Result<Script, String> {
    let mut budget =
        Budget { depth: 0, substitutions: 0, commands: MOST_COMMANDS, words: MOST_WORDS, again: MOST_READ_AGAIN };
    let script = check(text).and_then(|()| Reader::new(text, &mut budget).whole());
    script.map_err(|fault| match fault.at {
        None => fault.why.into_owned(),
        Some(at) => {
            let before = text.get(..at).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            format!("the shell text can't be read at line {line}, column {column}: {}", fault.why)
        }
    })
}

fn check(text: &str) -> Read<()> {
    if text.len() > LONGEST {
        return Err(Fault::whole("the shell text is longer than 64 KiB"));
    }
    if text.contains('\0') {
        return Err(Fault::whole("the shell text holds a NUL character"));
    }
    Ok(())
}

#[cfg(test)]
#[path = "tests/mod.rs"]
mod tests;
