//! From a PowerShell text to what each of its commands does. Pure.
//!
//! Owns: reading such text into a tree (`reader`, `statements`, `pipelines`, `words`, `expressions`, `members`, `strings`), following
//! its variables, blocks and functions (`follow`, `values`, `commands`, `called`, `loops`), and what cmdlets do (`verbs`, `cmdlets`, `starters`,
//! `remote`, `hosts`, `taken`, `tasks`, `items`, `dotnet`, `types`). What that means for a verdict
//! is said where all commands are judged. Must not: run anything, or read a file but through `Facts`.

mod aliases;
mod arguments;
mod called;
mod cmdlets;
mod commands;
mod dotnet;
mod expressions;
mod follow;
mod hosts;
mod items;
mod loops;
mod members;
mod pipelines;
mod reader;
mod remote;
mod sql;
mod starters;
mod statements;
mod strings;
mod taken;
mod tasks;
pub mod tree;
mod types;
mod value;
mod values;
mod verbs;
mod virtual_machines;
mod words;

use super::effect::{Facts, Report};

pub use reader::read;

/// What stands for the folder in which programs run, among what a command sets.
pub const FOLDER: &str = "PWD";

/// No text runs more commands, those of its functions and blocks counted each time they run.
const MOST_COMMANDS: usize = 3_000;

/// What each command of a text does, in their order, with its text.
///
/// # Errors
/// Why the text can't be read, in words that follow a "since".
pub fn judge(text: &str, facts: &Facts) -> Result<Vec<(String, Report)>, String> {
    let block = reader::read(text)?;
    Ok(follow::follow(&block, facts))
}

#[cfg(test)]
#[path = "../tests/powershell.rs"]
mod tests;
