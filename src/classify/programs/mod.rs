//! What each program does with its words: where the guest is, what runs there, what it changes. Pure.
//!
//! One file a program or a family of them; a program that only has sub-commands and options is no code but a table
//! `[program.*]` of the catalog. A judge here says what one command does ([`Report`]); it runs nothing, follows nothing and
//! knows no verdict: what a carrier carries is judged by `walk`.

pub mod modes;
pub mod operands;
pub mod options;
pub mod table;

use super::effect::{Command, Facts, Report};

/// Judges one command of one program.
pub type Judge = fn(&Command, &Facts) -> Report;

/// The judge of a program that needs more than a table.
#[must_use]
pub fn of(program: &str) -> Option<Judge> {
    let judge: Judge = match program {
        "crontab" => modes::crontab,
        "dd" => operands::dd,
        "gpg" | "gpg2" => modes::gpg,
        "kill" | "killall" | "pkill" => operands::kill,
        "logrotate" => modes::logrotate,
        "nft" => operands::nft,
        "ntpq" => modes::ntpq,
        "openssl" => modes::openssl,
        "pacman" => operands::pacman,
        "parted" => operands::parted,
        "postconf" => operands::postconf,
        "ssh-keygen" => modes::ssh_keygen,
        "sysctl" => operands::sysctl,
        _ => return None,
    };
    Some(judge)
}
