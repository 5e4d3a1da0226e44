//! What each program does with its words: where the guest is, what runs there, what it changes. Pure.
//!
//! One file a program or a family of them; a program that only has sub-commands and options is no code but a table
//! `[program.*]` of the catalog. A judge here says what one command does ([`Report`]); it runs nothing, follows nothing and
//! knows no verdict: what a carrier carries is judged by `walk`.

pub mod carry;
pub mod connection;
mod copied;
mod env;
pub mod host;
pub mod options;
mod passage;
mod prefixes;
#[cfg(test)]
#[path = "tests/remote_cases.rs"]
mod remote_cases;
mod rsync;
mod scp;
mod shells;
mod ssh;
mod ssh_config;
pub mod ssh_line;
pub mod ssh_settings;
pub mod table;
#[cfg(test)]
mod testing;
mod users;
mod xargs;

use super::effect::{Command, Facts, Report};

/// Judges one command of one program.
pub type Judge = fn(&Command, &Facts) -> Report;

/// The judge of a program that needs more than a table.
#[must_use]
pub fn of(program: &str) -> Option<Judge> {
    Some(match program {
        "ssh" | "slogin" => ssh::judge,
        "autossh" => ssh::autossh,
        "." => shells::source,
        "ash" => shells::judge,
        "bash" => shells::judge,
        "builtin" => shells::command,
        "busybox" => shells::busybox,
        "catchsegv" => prefixes::judge,
        "chronic" => prefixes::judge,
        "chrt" => prefixes::judge,
        "command" => shells::command,
        "csh" => shells::other_shell,
        "dash" => shells::judge,
        "dbus-run-session" => prefixes::judge,
        "doas" => users::doas,
        "dumb-init" => prefixes::judge,
        "env" => env::judge,
        "eval" => shells::eval,
        "exec" => shells::exec,
        "fakeroot" => prefixes::judge,
        "fish" => shells::other_shell,
        "gosu" => prefixes::judge,
        "ionice" => prefixes::judge,
        "ksh" => shells::judge,
        "ksh93" => shells::judge,
        "mksh" => shells::judge,
        "nice" => prefixes::judge,
        "nohup" => prefixes::judge,
        "numactl" => prefixes::judge,
        "pkexec" => users::pkexec,
        "posh" => shells::judge,
        "proxychains" => prefixes::judge,
        "proxychains4" => prefixes::judge,
        "rbash" => shells::judge,
        "runuser" => users::runuser,
        "setpriv" => prefixes::judge,
        "setsid" => prefixes::judge,
        "sh" => shells::judge,
        "source" => shells::source,
        "stdbuf" => prefixes::judge,
        "su" => users::su,
        "su-exec" => prefixes::judge,
        "sudo" => users::sudo,
        "sudoedit" => users::sudo,
        "systemd-inhibit" => prefixes::judge,
        "taskset" => prefixes::judge,
        "tcsh" => shells::other_shell,
        "time" => prefixes::judge,
        "timeout" => prefixes::judge,
        "tini" => prefixes::judge,
        "torsocks" => prefixes::judge,
        "toybox" => shells::busybox,
        "unbuffer" => prefixes::judge,
        "xargs" => xargs::judge,
        "xvfb-run" => prefixes::judge,
        "zsh" => shells::judge,
        "scp" => scp::judge,
        "rsync" => rsync::judge,
        _ => return None,
    })
}
