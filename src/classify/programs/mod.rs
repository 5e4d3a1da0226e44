//! What each program does with its words: where the guest is, what runs there, what it changes. Pure.
//!
//! One file a program or a family of them; a program that only has sub-commands and options is no code but a table
//! `[program.*]` of the catalog. A judge here says what one command does ([`Report`]); it runs nothing, follows nothing and
//! knows no verdict: what a carrier carries is judged by `walk`.

pub mod dry_runs;
pub mod options;
pub mod runners;
pub mod table;
pub mod versions;

use super::effect::{Command, Facts, Report};

/// Judges one command of one program.
pub type Judge = fn(&Command, &Facts) -> Report;

/// The judge of a program that needs more than a table.
#[must_use]
pub fn of(program: &str) -> Option<Judge> {
    if runners::knows(program) {
        return Some(runners::judge);
    }
    if dry_runs::knows(program) {
        return Some(dry_runs::judge);
    }
    if versions::knows(program) {
        return Some(versions::judge);
    }
    None
}

#[cfg(test)]
#[path = "../tests/tables_dev.rs"]
mod tables_dev;
