//! What each program does with its words: where the guest is, what runs there, what it changes. Pure.
//!
//! One file a program or a family of them; a program that only has sub-commands and options is no code but a table
//! `[program.*]` of the catalog. A judge here says what one command does ([`Report`]); it runs nothing, follows nothing and
//! knows no verdict: what a carrier carries is judged by `walk`.

mod agents;
mod ansible;
mod ansible_inventory;
mod archives;
mod awk;
mod backups;
mod batch;
#[cfg(test)]
#[path = "tests/carriers_hostile.rs"]
mod carriers_hostile;
pub mod carry;
mod choosers;
mod clush;
mod config_tools;
pub mod connection;
mod containers;
mod controllers;
pub mod copied;
mod crontab;
mod curl_config;
mod daemon;
pub mod database;
#[cfg(test)]
#[path = "../tests/databases.rs"]
mod databases;
pub mod dry_runs;
mod duckdb;
mod editors;
mod env;
mod fd;
mod find;
mod ftp;
mod git;
mod git_settings;
pub mod helps;
pub mod host;
#[cfg(test)]
#[path = "tests/hostile.rs"]
mod hostile;
mod httpie;
mod impacket;
mod machines;
mod media;
pub mod modes;
mod mongo;
mod mosh;
mod mounts;
mod mysql;
mod mysql_settings;
mod netcat;
pub mod node;
#[cfg(test)]
#[path = "tests/odd_words.rs"]
mod odd_words;
mod openers;
pub mod operands;
pub mod options;
mod pagers;
mod parallel;
mod passage;
mod pdsh;
mod perl;
mod places;
mod postgres;
mod prefixes;
mod probes;
mod psql;
mod pssh;
mod putty;
pub mod python;
mod rclone;
mod recipes;
mod redis;
#[cfg(test)]
#[path = "tests/remote_cases.rs"]
mod remote_cases;
mod rsh;
mod rsync;
mod ruby;
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
pub mod sqlcmd;
mod sqlite;
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
pub mod vms;
mod web;
mod web_options;
mod web_place;
mod wrappers;
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
        "ansible" => ansible::judge,
        "ansible-config" | "ansible-console" | "ansible-doc" | "ansible-galaxy" | "ansible-lint" | "ansible-pull"
        | "ansible-vault" => ansible::sisters,
        "ansible-inventory" => ansible::inventory,
        "ansible-playbook" => ansible::playbook,
        "apt" | "apt-cache" | "apt-config" | "apt-get" | "apt-mark" => operands::apt,
        "ar" => archives::ar,
        "arch" => prefixes::judge,
        "ash" | "bash" | "dash" | "ksh" | "ksh93" | "mksh" | "posh" | "rbash" | "sh" | "zsh" => shells::judge,
        "at" | "batch" => sessions::at,
        "autoexpect" | "expect" | "gdb" => sessions::unread,
        "autossh" => ssh::autossh,
        "awk" | "gawk" | "mawk" | "nawk" => awk::judge,
        "bcp" => sqlcmd::bcp,
        "bolt" => config_tools::bolt,
        "borg" => backups::borg,
        "builtin" | "command" => shells::command,
        "bun" => node::bun,
        "bunzip2" | "bzcat" | "bzip2" | "gunzip" | "gzcat" | "gzip" | "lzcat" | "lzma" | "pigz" | "unlzma"
        | "unpigz" | "unxz" | "unzstd" | "xz" | "xzcat" | "zcat" | "zstd" | "zstdcat" | "zstdmt" => archives::packer,
        "busybox" | "toybox" => shells::busybox,
        "byobu" | "tmux" => tmux::judge,
        "caffeinate" | "catchsegv" | "chronic" | "chrt" | "dbus-run-session" | "dumb-init" | "fakeroot" | "gosu"
        | "ionice" | "nice" | "nohup" | "numactl" | "proxychains" | "proxychains4" | "setpriv" | "setsid"
        | "stdbuf" | "su-exec" | "systemd-cat" | "systemd-inhibit" | "taskset" | "time" | "timeout" | "tini"
        | "torsocks" | "unbuffer" | "xvfb-run" => prefixes::judge,
        "chroot" => places::chroot,
        "clush" => clush::judge,
        "clusterdb" | "createdb" | "createuser" | "dropdb" | "dropuser" | "reindexdb" | "vacuumdb" => postgres::tool,
        "compare" | "composite" | "convert" | "ffmpeg" | "ffplay" | "ffprobe" | "identify" | "libreoffice"
        | "localc" | "lowriter" | "magick" | "mogrify" | "montage" | "pandoc" | "play" | "rec" | "soffice" | "sox" => {
            media::judge
        }
        "cpio" => archives::cpio,
        "crackmapexec" | "netexec" | "nxc" => impacket::netexec,
        "crontab" => crontab::judge,
        "csh" | "fish" | "tcsh" => shells::other_shell,
        "curl" => web::curl,
        "dd" => operands::dd,
        "deno" => node::deno,
        "doas" => users::doas,
        "docker" | "docker-compose" | "nerdctl" | "podman" | "podman-compose" => containers::judge,
        "dsh" => pdsh::dsh,
        "dtach" => terminals::dtach,
        "duckdb" => duckdb::judge,
        "ed" | "emacs" | "ex" | "joe" | "mcedit" | "micro" | "nano" | "nvim" | "pico" | "vi" | "view" | "vim"
        | "vimdiff" => editors::judge,
        "entr" => sessions::entr,
        "env" => env::judge,
        "eval" => shells::eval,
        "exec" => shells::exec,
        "fab" => config_tools::fab,
        "fd" | "fdfind" => fd::judge,
        "find" | "gfind" => find::judge,
        "flock" => places::flock,
        "ftp" | "ncftp" | "pftp" | "tnftp" => ftp::ftp,
        "fzf" | "sk" => choosers::judge,
        "git" => git::judge,
        "gmake" | "gnumake" | "make" => recipes::make::judge,
        "gnmic" => probes::gnmic,
        "gpg" | "gpg2" => modes::gpg,
        "gsed" | "sed" => sed::judge,
        "gtar" | "tar" => tar::judge,
        "http" | "https" | "xh" | "xhs" => httpie::judge,
        "ilorest" => controllers::ilorest,
        "ip" => wrappers::ip,
        "ipmitool" => controllers::ipmitool,
        "ipython" | "ipython3" => python::ipython,
        "just" => recipes::just::judge,
        "keydb-cli" | "redis-cli" | "valkey-cli" => redis::judge,
        "kill" | "killall" | "pkill" => operands::kill,
        "kitten" | "kitty" => terminals::kitty,
        "knife" => config_tools::knife,
        "kubectl" | "oc" => vms::kubectl,
        "less" | "more" => pagers::less,
        "lftp" => ftp::lftp,
        "logrotate" => modes::logrotate,
        "ltrace" => tracers::ltrace,
        "machinectl" => places::machinectl,
        "man" => pagers::man,
        "mariadb" | "mysql" => mysql::judge,
        "mariadb-admin" | "mysqladmin" => mysql::admin,
        "mariadb-check" | "mariadb-import" | "mariadb-slap" | "mysqlcheck" | "mysqlimport" | "mysqlslap" => {
            mysql::changing
        }
        "mariadb-dump" | "mysqldump" => mysql::dump,
        "mongo" | "mongosh" => mongo::judge,
        "mongodump" | "mongoexport" | "mongoimport" | "mongorestore" => mongo::tool,
        "mosh" => mosh::judge,
        "mount" | "mount.cifs" | "mount.davfs" | "mount.glusterfs" | "mount.nfs" | "mount.nfs4" | "mount.smb3"
        | "mount.sshfs" | "mount_nfs" | "mount_smbfs" | "mount_webdav" => mounts::judge,
        "nc" | "nc.openbsd" | "nc.traditional" | "ncat" | "netcat" => netcat::judge,
        "ncftpget" | "ncftpls" | "ncftpput" => ftp::ncftp_batch,
        "net" => samba::net,
        "netconf-console" | "netconf-console2" => probes::netconf,
        "nft" => operands::nft,
        "nmap" => probes::nmap,
        "node" | "nodejs" | "ts-node" | "tsx" => node::node,
        "npm" | "pnpm" | "yarn" | "yarnpkg" => recipes::packages::judge,
        "nsenter" => places::nsenter,
        "ntpq" => modes::ntpq,
        "open" | "xdg-open" => openers::judge,
        "openssl" => modes::openssl,
        "osql" | "sqlcmd" => sqlcmd::judge,
        "pacman" => operands::pacman,
        "parallel" => parallel::judge,
        "parted" => operands::parted,
        "pdcp" => pdsh::pdcp,
        "pdsh" => pdsh::pdsh,
        "perf" => tracers::perf,
        "perl" => perl::judge,
        "pg_restore" => postgres::restore,
        "php" => ruby::php,
        "pkexec" => users::pkexec,
        "plink" => putty::plink,
        "postconf" => operands::postconf,
        "proot" => places::proot,
        "pscp" => putty::pscp,
        "psftp" => putty::psftp,
        "psql" => psql::judge,
        "puppet" => config_tools::puppet,
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
        "rtk" => wrappers::rtk,
        "ruby" => ruby::ruby,
        "runuser" => users::runuser,
        "salt" | "salt-call" => config_tools::salt,
        "scp" => scp::judge,
        "screen" => screen::judge,
        "script" => sessions::script,
        "sftp" => sftp::judge,
        "slogin" | "ssh" => ssh::judge,
        "smbclient" => samba::smbclient,
        "snmpset" => probes::snmpset,
        "socat" => socat::judge,
        "sponge" => writers::sponge,
        "sqlite3" => sqlite::judge,
        "sqlplus" => sqlcmd::sqlplus,
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
        "task" | "go-task" => recipes::taskfile::judge,
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
        program if python::knows(program) => python::judge,
        program if recipes::node_tools::knows(program) => recipes::node_tools::judge,
        program if runners::knows(program) => runners::judge,
        program if dry_runs::knows(program) => dry_runs::judge,
        program if versions::knows(program) => versions::judge,
        program if super::windows::is_only_here(program) => super::windows::program,
        program if agents::knows(program) => agents::judge,
        program if impacket::knows(program) => impacket::judge,
        program if tunnels::knows(program) => tunnels::judge,
        _ => {
            return pssh::of(program)
                .or_else(|| systemd::of(program))
                .or_else(|| vms::of(program))
                .or_else(|| helps::knows(program).then_some(helps::judge as Judge));
        }
    })
}
