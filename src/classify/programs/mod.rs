//! What each program does with its words: where the guest is, what runs there, what it changes. Pure.
//!
//! One file a program or a family of them; a program that only has sub-commands and options is no code but a table
//! `[program.*]` of the catalog. A judge here says what one command does ([`Report`]); it runs nothing, follows nothing and
//! knows no verdict: what a carrier carries is judged by `walk`.

mod archives;
mod awk;
pub mod carry;
mod clush;
pub mod connection;
mod copied;
pub mod dry_runs;
mod env;
mod fd;
mod find;
pub mod host;
mod machines;
mod mosh;
pub mod options;
mod parallel;
mod passage;
mod pdsh;
mod places;
mod prefixes;
mod pssh;
mod putty;
#[cfg(test)]
#[path = "tests/remote_cases.rs"]
mod remote_cases;
mod rsh;
mod rsync;
pub mod runners;
mod scp;
mod sed;
mod sessions;
mod sftp;
mod shells;
mod ssh;
mod ssh_config;
mod ssh_helpers;
pub mod ssh_line;
pub mod ssh_settings;
mod systemd;
pub mod table;
mod tar;
#[cfg(test)]
mod testing;
mod tracers;
mod tsh;
mod users;
mod web;
mod writers;
mod xargs;
pub mod versions;

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
        "7z" => archives::verbs,
        "7za" => archives::verbs,
        "7zr" => archives::verbs,
        "7zz" => archives::verbs,
        "ar" => archives::ar,
        "ash" => shells::judge,
        "at" => sessions::at,
        "autoexpect" => sessions::unread,
        "awk" => awk::judge,
        "bash" => shells::judge,
        "batch" => sessions::at,
        "builtin" => shells::command,
        "bunzip2" => archives::packer,
        "busybox" => shells::busybox,
        "bzcat" => archives::packer,
        "bzip2" => archives::packer,
        "catchsegv" => prefixes::judge,
        "chronic" => prefixes::judge,
        "chroot" => places::chroot,
        "chrt" => prefixes::judge,
        "command" => shells::command,
        "cpio" => archives::cpio,
        "csh" => shells::other_shell,
        "curl" => web::curl,
        "dash" => shells::judge,
        "dbus-run-session" => prefixes::judge,
        "dd" => writers::dd,
        "doas" => users::doas,
        "dumb-init" => prefixes::judge,
        "entr" => sessions::entr,
        "env" => env::judge,
        "eval" => shells::eval,
        "exec" => shells::exec,
        "expect" => sessions::unread,
        "fakeroot" => prefixes::judge,
        "fd" => fd::judge,
        "fdfind" => fd::judge,
        "find" => find::judge,
        "fish" => shells::other_shell,
        "flock" => places::flock,
        "gawk" => awk::judge,
        "gdb" => sessions::unread,
        "gfind" => find::judge,
        "gosu" => prefixes::judge,
        "gsed" => sed::judge,
        "gtar" => tar::judge,
        "gunzip" => archives::packer,
        "gzcat" => archives::packer,
        "gzip" => archives::packer,
        "incus" => places::container_exec,
        "ionice" => prefixes::judge,
        "ksh" => shells::judge,
        "ksh93" => shells::judge,
        "ltrace" => tracers::ltrace,
        "lxc" => places::container_exec,
        "lzcat" => archives::packer,
        "lzma" => archives::packer,
        "machinectl" => places::machinectl,
        "mawk" => awk::judge,
        "mksh" => shells::judge,
        "nawk" => awk::judge,
        "nice" => prefixes::judge,
        "nohup" => prefixes::judge,
        "nsenter" => places::nsenter,
        "numactl" => prefixes::judge,
        "parallel" => parallel::judge,
        "pct" => places::container_exec,
        "perf" => tracers::perf,
        "pigz" => archives::packer,
        "pkexec" => users::pkexec,
        "posh" => shells::judge,
        "proot" => places::proot,
        "proxychains" => prefixes::judge,
        "proxychains4" => prefixes::judge,
        "pv" => writers::pv,
        "rar" => archives::verbs,
        "rbash" => shells::judge,
        "runuser" => users::runuser,
        "script" => sessions::script,
        "sed" => sed::judge,
        "setpriv" => prefixes::judge,
        "setsid" => prefixes::judge,
        "sh" => shells::judge,
        "source" => shells::source,
        "sponge" => writers::sponge,
        "ssh-agent" => writers::ssh_agent,
        "stdbuf" => prefixes::judge,
        "strace" => tracers::strace,
        "su" => users::su,
        "su-exec" => prefixes::judge,
        "sudo" => users::sudo,
        "sudoedit" => users::sudo,
        "systemd-inhibit" => prefixes::judge,
        "systemd-run" => places::systemd_run,
        "tar" => tar::judge,
        "taskset" => prefixes::judge,
        "tcsh" => shells::other_shell,
        "tee" => writers::tee,
        "time" => prefixes::judge,
        "timeout" => prefixes::judge,
        "tini" => prefixes::judge,
        "torsocks" => prefixes::judge,
        "toybox" => shells::busybox,
        "ts" => writers::ts,
        "unbuffer" => prefixes::judge,
        "unlzma" => archives::packer,
        "unpigz" => archives::packer,
        "unrar" => archives::verbs,
        "unshare" => places::unshare,
        "unxz" => archives::packer,
        "unzip" => archives::unzip,
        "unzstd" => archives::packer,
        "valgrind" => tracers::valgrind,
        "watch" => sessions::watch,
        "wget" => web::wget,
        "xargs" => xargs::judge,
        "xvfb-run" => prefixes::judge,
        "xz" => archives::packer,
        "xzcat" => archives::packer,
        "zcat" => archives::packer,
        "zip" => archives::zip,
        "zsh" => shells::judge,
        "zstd" => archives::packer,
        "zstdcat" => archives::packer,
        "zstdmt" => archives::packer,
        "scp" => scp::judge,
        "rsync" => rsync::judge,
        program if runners::knows(program) => runners::judge,
        program if dry_runs::knows(program) => dry_runs::judge,
        _ => return None,
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
    if runners::knows(program) {
        return Some(runners::judge);
    }
    if dry_runs::knows(program) {
        return Some(dry_runs::judge);
    if versions::knows(program) {
        return Some(versions::judge);
    None
}

#[cfg(test)]
#[path = "../tests/tables_dev.rs"]
mod tables_dev;
