//! What each program does with its words: where the guest is, what runs there, what it changes. Pure.
//!
//! One file a program or a family of them; a program that only has sub-commands and options is no code but a table
//! `[program.*]` of the catalog. A judge here says what one command does ([`Report`]); it runs nothing, follows nothing and
//! knows no verdict: what a carrier carries is judged by `walk`.

mod agents;
mod archives;
mod awk;
mod backups;
mod batch;
#[cfg(test)]
#[path = "tests/carriers_hostile.rs"]
mod carriers_hostile;
pub mod carry;
mod clush;
pub mod connection;
mod containers;
mod controllers;
pub mod copied;
mod crontab;
pub mod dry_runs;
mod editors;
mod env;
mod fd;
mod find;
mod ftp;
mod git;
mod git_settings;
pub mod host;
#[cfg(test)]
#[path = "tests/hostile.rs"]
mod hostile;
mod impacket;
mod machines;
pub mod modes;
mod mosh;
mod mounts;
mod netcat;
#[cfg(test)]
#[path = "tests/odd_words.rs"]
mod odd_words;
pub mod operands;
pub mod options;
mod pagers;
mod parallel;
mod passage;
mod pdsh;
mod places;
mod prefixes;
mod probes;
mod pssh;
mod putty;
mod rclone;
#[cfg(test)]
#[path = "tests/remote_cases.rs"]
mod remote_cases;
mod rsh;
mod rsync;
pub mod runners;
mod samba;
mod samba_rpc;
mod scp;
mod screen;
mod sed;
mod sessions;
mod sftp;
mod shells;
mod socat;
mod ssh;
mod ssh_config;
mod ssh_helpers;
pub mod ssh_line;
pub mod ssh_settings;
mod systemd;
pub mod table;
#[cfg(test)]
#[path = "../tests/tables_dev.rs"]
mod tables_dev;
mod tar;
mod terminals;
#[cfg(test)]
mod testing;
mod tmux;
mod tracers;
mod tsh;
mod tunnels;
mod typed;
mod users;
pub mod versions;
mod web;
mod web_options;
mod writers;
mod xargs;

use super::effect::{Command, Facts, Report};

/// Judges one command of one program.
pub type Judge = fn(&Command, &Facts) -> Report;

/// Whether a program logs in to machines that it is given: where its words aren't understood, it isn't known which.
#[must_use]
pub fn reaches(program: &str) -> bool {
    const LOG_IN: &[&str] = &[
        "ssh",
        "slogin",
        "autossh",
        "sshpass",
        "scp",
        "sftp",
        "rsync",
        "mosh",
        "plink",
        "pscp",
        "psftp",
        "rsh",
        "remsh",
        "rlogin",
        "telnet",
        "pdsh",
        "pdcp",
        "rpdcp",
        "dsh",
        "clush",
        "tsh",
        "ssh-copy-id",
        "sshfs",
        "parallel",
    ];
    LOG_IN.contains(&program) || pssh::of(program).is_some()
}

/// The judge of a program that needs more than a table.
#[must_use]
pub fn of(program: &str) -> Option<Judge> {
    Some(match program {
        "." | "source" => shells::source,
        "7z" | "7za" | "7zr" | "7zz" | "rar" | "unrar" => archives::verbs,
        "abduco" => terminals::abduco,
        "apt" | "apt-cache" | "apt-config" | "apt-get" | "apt-mark" => operands::apt,
        "ar" => archives::ar,
        "ash" | "bash" | "dash" | "ksh" | "ksh93" | "mksh" | "posh" | "rbash" | "sh" | "zsh" => shells::judge,
        "at" | "batch" => sessions::at,
        "autoexpect" | "expect" | "gdb" => sessions::unread,
        "autossh" => ssh::autossh,
        "awk" | "gawk" | "mawk" | "nawk" => awk::judge,
        "borg" => backups::borg,
        "builtin" | "command" => shells::command,
        "bunzip2" | "bzcat" | "bzip2" | "gunzip" | "gzcat" | "gzip" | "lzcat" | "lzma" | "pigz" | "unlzma"
        | "unpigz" | "unxz" | "unzstd" | "xz" | "xzcat" | "zcat" | "zstd" | "zstdcat" | "zstdmt" => archives::packer,
        "busybox" | "toybox" => shells::busybox,
        "byobu" | "tmux" => tmux::judge,
        "catchsegv" | "chronic" | "chrt" | "dbus-run-session" | "dumb-init" | "fakeroot" | "gosu" | "ionice"
        | "nice" | "nohup" | "numactl" | "proxychains" | "proxychains4" | "setpriv" | "setsid" | "stdbuf"
        | "su-exec" | "systemd-inhibit" | "taskset" | "time" | "timeout" | "tini" | "torsocks" | "unbuffer"
        | "xvfb-run" => prefixes::judge,
        "chroot" => places::chroot,
        "clush" => clush::judge,
        "cpio" => archives::cpio,
        "crackmapexec" | "netexec" | "nxc" => impacket::netexec,
        "crontab" => crontab::judge,
        "csh" | "fish" | "tcsh" => shells::other_shell,
        "curl" => web::curl,
        "dd" => operands::dd,
        "doas" => users::doas,
        "docker" | "docker-compose" | "nerdctl" | "podman" | "podman-compose" => containers::judge,
        "dsh" => pdsh::dsh,
        "dtach" => terminals::dtach,
        "ed" | "emacs" | "ex" | "joe" | "mcedit" | "micro" | "nano" | "nvim" | "pico" | "vi" | "view" | "vim"
        | "vimdiff" => editors::judge,
        "entr" => sessions::entr,
        "env" => env::judge,
        "eval" => shells::eval,
        "exec" => shells::exec,
        "fd" | "fdfind" => fd::judge,
        "find" | "gfind" => find::judge,
        "flock" => places::flock,
        "ftp" | "ncftp" | "pftp" | "tnftp" => ftp::ftp,
        "git" => git::judge,
        "gnmic" => probes::gnmic,
        "gpg" | "gpg2" => modes::gpg,
        "gsed" | "sed" => sed::judge,
        "gtar" | "tar" => tar::judge,
        "ilorest" => controllers::ilorest,
        "incus" | "lxc" | "pct" => places::container_exec,
        "ipmitool" => controllers::ipmitool,
        "kill" | "killall" | "pkill" => operands::kill,
        "kitten" | "kitty" => terminals::kitty,
        "lftp" => ftp::lftp,
        "less" | "more" => pagers::less,
        "logrotate" => modes::logrotate,
        "ltrace" => tracers::ltrace,
        "machinectl" => places::machinectl,
        "man" => pagers::man,
        "mosh" => mosh::judge,
        "mount" | "mount.cifs" | "mount.davfs" | "mount.glusterfs" | "mount.nfs" | "mount.nfs4" | "mount.smb3"
        | "mount.sshfs" | "mount_nfs" | "mount_smbfs" | "mount_webdav" => mounts::judge,
        "nc" | "nc.openbsd" | "nc.traditional" | "ncat" | "netcat" => netcat::judge,
        "ncftpget" | "ncftpls" | "ncftpput" => ftp::ncftp_batch,
        "net" => samba::net,
        "netconf-console" | "netconf-console2" => probes::netconf,
        "nft" => operands::nft,
        "nmap" => probes::nmap,
        "nsenter" => places::nsenter,
        "ntpq" => modes::ntpq,
        "openssl" => modes::openssl,
        "pacman" => operands::pacman,
        "parallel" => parallel::judge,
        "parted" => operands::parted,
        "pdcp" => pdsh::pdcp,
        "pdsh" => pdsh::pdsh,
        "perf" => tracers::perf,
        "pkexec" => users::pkexec,
        "plink" => putty::plink,
        "postconf" => operands::postconf,
        "proot" => places::proot,
        "pscp" => putty::pscp,
        "psftp" => putty::psftp,
        "pv" => writers::pv,
        "racadm" => controllers::racadm,
        "rclone" => rclone::judge,
        "rdesktop" | "remmina" | "virt-viewer" | "remote-viewer" | "vncviewer" | "xfreerdp" | "xfreerdp3" => {
            controllers::screens
        }
        "redfishtool" => controllers::redfishtool,
        "remsh" | "rsh" => rsh::rsh,
        "restic" | "rustic" => backups::restic,
        "rlogin" => rsh::rlogin,
        "rpcclient" => samba_rpc::rpcclient,
        "rpdcp" => pdsh::rpdcp,
        "rsync" => rsync::judge,
        "runuser" => users::runuser,
        "scp" => scp::judge,
        "screen" => screen::judge,
        "script" => sessions::script,
        "sftp" => sftp::judge,
        "slogin" | "ssh" => ssh::judge,
        "smbclient" => samba::smbclient,
        "snmpset" => probes::snmpset,
        "socat" => socat::judge,
        "sponge" => writers::sponge,
        "ssh-agent" => writers::ssh_agent,
        "ssh-copy-id" => ssh_helpers::copy_id,
        "ssh-keygen" => modes::ssh_keygen,
        "ssh-keyscan" => ssh_helpers::keyscan,
        "sshfs" => ssh_helpers::sshfs,
        "sshpass" => ssh_helpers::sshpass,
        "sshuttle" => tunnels::sshuttle,
        "strace" => tracers::strace,
        "su" => users::su,
        "sudo" | "sudoedit" => users::sudo,
        "sysctl" => operands::sysctl,
        "systemd-run" => places::systemd_run,
        "tailscale" => tunnels::tailscale,
        "tee" => writers::tee,
        "telnet" => rsh::telnet,
        "tftp" => ftp::tftp,
        "ts" => writers::ts,
        "tsh" => tsh::judge,
        "unshare" => places::unshare,
        "unzip" => archives::unzip,
        "valgrind" => tracers::valgrind,
        "vncdo" | "vncdotool" => controllers::vncdo,
        "watch" => sessions::watch,
        "wezterm" => terminals::wezterm,
        "wget" => web::wget,
        "winexe" => samba_rpc::winexe,
        "xargs" => xargs::judge,
        "zellij" => terminals::zellij,
        "zip" => archives::zip,
        program if agents::knows(program) => agents::judge,
        program if impacket::knows(program) => impacket::judge,
        program if runners::knows(program) => runners::judge,
        program if dry_runs::knows(program) => dry_runs::judge,
        program if tunnels::knows(program) => tunnels::judge,
        program if versions::knows(program) => versions::judge,
        program if super::windows::is_only_here(program) => super::windows::program,
        _ => return pssh::of(program).or_else(|| systemd::of(program)),
    })
}
