//! Small programs around ssh: `sshpass`, `ssh-copy-id`, `ssh-keyscan`, `sshfs`. Pure.

use super::copied::{self, File};
use super::options::{self, Spec};
use super::ssh_line;
use super::ssh_settings::Settings;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, What};
use crate::classify::word::Word;

/// Judges a command of `sshpass`, which types a password for another one.
#[must_use]
pub fn sshpass(command: &Command, _facts: &Facts) -> Report {
    let spec = Spec { flags: "evhV", values: "pfdP", stops: true, ..Spec::default() };
    match options::parse(command.arguments(), &spec) {
        Ok(parsed) if parsed.operands.is_empty() => Report::reads(),
        Ok(parsed) => {
            Report::runs(Run { what: What::Words(parsed.operands), at: At::Child, stdin: command.stdin.clone() })
        }
        Err(why) => Report::unknown(why),
    }
}

/// Judges a command of `ssh-copy-id`, which adds a key to those that may log in.
#[must_use]
pub fn copy_id(command: &Command, facts: &Facts) -> Report {
    let spec = Spec { flags: "fnshx?", values: "ipoFt", ..Spec::default() };
    let words = command.arguments();
    let parsed = match options::parse(words, &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "?"]) {
        return Report::reads();
    }
    let mut settings = Settings::default();
    for (name, value) in &parsed.options {
        if matches!(name.as_str(), "p" | "o" | "F")
            && let Err(why) = settings.letter(name, value.as_ref())
        {
            return Report::unknown(why);
        }
    }
    // Behind `-i` a key's file may be left out: the machine always stands last.
    let Some(target) = parsed.operands.last().or_else(|| words.last()) else {
        return Report::unknown("it names no machine");
    };
    let mut effects = Vec::new();
    let host = copied::reach(&ssh_line::place(target), &settings, facts, &mut effects);
    if !parsed.has(&["n"]) {
        effects.push(Effect::ChangesAt { hosts: vec![host], how: "adds a key that may log in".to_owned() });
    }
    Report { effects, by: None }
}

/// Judges a command of `ssh-keyscan`, which asks machines for their keys.
#[must_use]
pub fn keyscan(_command: &Command, _facts: &Facts) -> Report {
    Report::reads()
}

/// Judges a command of `sshfs`: what is written under the folder later can't be seen here.
#[must_use]
pub fn sshfs(command: &Command, facts: &Facts) -> Report {
    let spec =
        Spec { flags: "hVdfsC12346", values: "opF", long_flags: &["help", "version", "debug"], ..Spec::default() };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help", "V", "version"]) {
        return Report::reads();
    }
    let mut settings = Settings::default();
    let mut effects = Vec::new();
    let mut reads = false;
    for (name, value) in &parsed.options {
        let Some(value) = value else { continue };
        if name != "o" {
            if let Err(why) = settings.letter(name, Some(value)) {
                return Report::unknown(why);
            }
            continue;
        }
        let Some(text) = value.known() else {
            return Report::unknown(format!("what `-o {}` says is only known when it runs", value.shown()));
        };
        for option in text.split(',') {
            reads = option == "ro" || reads && option != "rw";
            if let Err(why) = mount_option(option, &mut settings) {
                copied::add(&mut effects, [Effect::Unknown(why)]);
            }
        }
    }
    let Some(File::Remote { place, .. }) = parsed.operands.first().map(|word| copied::file(word, false)) else {
        effects.push(Effect::Unknown("which machine it mounts from can't be told".to_owned()));
        return Report { effects, by: None };
    };
    let host = copied::reach(&place, &settings, facts, &mut effects);
    if !reads {
        if let Some(folder) = parsed.operands.get(1) {
            effects.push(Effect::Mounts { folder: folder.clone(), host: host.clone() });
        }
        let why = "what is written to its folder later can't be seen".to_owned();
        effects.push(Effect::UnknownAt { hosts: vec![host], why });
    }
    Report { effects, by: None }
}

/// Takes one option of a mount: its own, or one that goes on to ssh.
fn mount_option(option: &str, settings: &mut Settings) -> Result<(), String> {
    let name = option.split('=').next().unwrap_or_default();
    #[rustfmt::skip]
    let own = [
        "ro", "rw", "reconnect", "delay_connect", "sshfs_sync", "no_readahead", "sync_readdir", "workaround", "idmap",
        "uidfile", "gidfile", "nomap", "disable_hardlink", "transform_symlinks", "contain_symlinks", "follow_symlinks",
        "no_check_root", "password_stdin", "dir_cache", "direct_io", "max_conns", "cache", "cache_timeout", "allow_other",
        "allow_root", "default_permissions", "fsname", "subtype", "uid", "gid", "umask", "auto_unmount", "nonempty",
        "kernel_cache", "auto_cache", "volname", "noauto", "_netdev", "user", "users", "debug", "sshfs_debug", "exec",
        "noexec", "suid", "nosuid", "dev", "nodev", "noatime", "big_writes", "max_read", "max_write", "entry_timeout",
        "attr_timeout", "negative_timeout", "compression",
    ];
    if own.contains(&name) || name.starts_with("dcache_") || name.starts_with("cache_") {
        return Ok(());
    }
    // `ssh_command` and `sftp_server` run what they say, `directport` goes past ssh.
    if ["ssh_command", "sftp_server", "directport", "passive", "slave", "vsock"].contains(&name) {
        return Err(format!("what its option `{option}` runs or reaches can't be told"));
    }
    settings.option(&Word::from(option))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::check;

    #[test]
    fn passwords() {
        check(
            sshpass,
            &[
                ("sshpass -ppw ssh web01 reboot", "local[words:ssh|web01|reboot]"),
                ("sshpass -p pw -v scp -r x web01:", "local[words:scp|-r|x|web01:]"),
                ("sshpass -e ssh web01 <<< x", "local[words:ssh|web01] <<<x"),
                ("sshpass -f … ssh web01", "local[words:ssh|web01]"),
                ("sshpass -V", "reads"),
                ("sshpass -x ssh web01", "unknown"),
                ("sshpass …* ssh web01", "unknown"),
            ],
        );
    }

    #[test]
    fn keys() {
        check(
            copy_id,
            &[
                ("ssh-copy-id root@web01", "changes@web01"),
                ("ssh-copy-id -i ~/.ssh/k.pub -p 2222 web01", "changes@web01"),
                ("ssh-copy-id -i web01", "changes@web01"),
                ("ssh-copy-id -n web01", "reads"),
                ("ssh-copy-id -o ProxyCommand=evil web01", "local[evil] <nothing; changes@?"),
                ("ssh-copy-id", "unknown"),
            ],
        );
        check(keyscan, &[("ssh-keyscan -t rsa web01", "reads")]);
    }

    #[test]
    fn mounts() {
        check(
            sshfs,
            &[
                ("sshfs root@web01:/srv /mnt", "mounts /mnt@web01; unknown@web01"),
                ("sshfs -o ro,reconnect web01:/srv /mnt", "reads"),
                ("sshfs web01:/srv /mnt -o ro -p 22", "reads"),
                ("sshfs web01:/srv /mnt -o ro -o rw", "mounts /mnt@web01; unknown@web01"),
                ("sshfs -o ro,ssh_command=evil web01:/srv /mnt", "unknown"),
                ("sshfs -o ro,ProxyCommand=evil web01:/srv /mnt", "local[evil] <nothing"),
                ("sshfs -o ro,sftp_server=/x web01:/ /mnt", "unknown"),
                ("sshfs -o … web01:/ /mnt", "unknown"),
                ("sshfs /srv /mnt", "unknown"),
                ("sshfs -V", "reads"),
            ],
        );
    }
}
