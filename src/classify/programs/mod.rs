//! What each program does with its words: where the guest is, what runs there, what it changes. Pure.
//!
//! One file a program or a family of them; a program that only has sub-commands and options is no code but a table
//! `[program.*]` of the catalog. A judge here says what one command does ([`Report`]); it runs nothing, follows nothing and
//! knows no verdict: what a carrier carries is judged by `walk`.

mod clush;
pub mod connection;
mod copied;
pub mod host;
#[cfg(test)]
#[path = "tests/hostile.rs"]
mod hostile;
mod machines;
mod mosh;
pub mod options;
mod passage;
mod pdsh;
mod pssh;
mod putty;
mod rsh;
mod rsync;
mod scp;
mod sftp;
mod ssh;
mod ssh_config;
mod ssh_helpers;
pub mod ssh_line;
pub mod ssh_settings;
mod systemd;
#[cfg(test)]
#[path = "tests/table.rs"]
mod table;
mod tsh;

use super::effect::{Command, Facts, Report};

/// Judges one command of one program.
pub type Judge = fn(&Command, &Facts) -> Report;

/// The judge of a program that needs more than a table.
#[must_use]
pub fn of(program: &str) -> Option<Judge> {
    Some(match program {
        "ssh" | "slogin" => ssh::judge,
        "autossh" => ssh::autossh,
        "scp" => scp::judge,
        "rsync" => rsync::judge,
        "sftp" => sftp::judge,
        "plink" => putty::plink,
        "pscp" => putty::pscp,
        "psftp" => putty::psftp,
        "rsh" | "remsh" => rsh::rsh,
        "rlogin" => rsh::rlogin,
        "telnet" => rsh::telnet,
        "mosh" => mosh::judge,
        "sshpass" => ssh_helpers::sshpass,
        "ssh-copy-id" => ssh_helpers::copy_id,
        "ssh-keyscan" => ssh_helpers::keyscan,
        "sshfs" => ssh_helpers::sshfs,
        "pdsh" => pdsh::pdsh,
        "pdcp" => pdsh::pdcp,
        "rpdcp" => pdsh::rpdcp,
        "dsh" => pdsh::dsh,
        "clush" => clush::judge,
        "tsh" => tsh::judge,
        _ => return pssh::of(program).or_else(|| systemd::of(program)),
    })
}
