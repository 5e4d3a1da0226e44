//! Copies and backups elsewhere: `rclone`, `restic`, `rustic`, `borg`. Their reading sub-commands stand in the catalog. Pure.

use super::carry;
use super::copied::{self, File};
use super::host;
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

/// Options of rclone that take a value, and those of them that name a program or another way.
const RCLONE: Spec = Spec {
    flags: "cCiLlnPquvMx",
    values: "",
    glued: "",
    long_flags: &[
        "checksum",
        "dry-run",
        "interactive",
        "progress",
        "quiet",
        "update",
        "verbose",
        "fast-list",
        "ignore-existing",
        "ignore-times",
        "immutable",
        "inplace",
        "metadata",
        "no-traverse",
        "size-only",
        "stats-one-line",
        "use-json-log",
        "delete-after",
        "delete-before",
        "delete-during",
        "delete-excluded",
        "ignore-errors",
        "create-empty-src-dirs",
        "copy-links",
        "links",
        "skip-links",
        "one-file-system",
        "no-check-certificate",
        "ignore-size",
        "ignore-case",
        "track-renames",
        "human-readable",
        "rmdirs",
        "resync",
        "force",
        "check-first",
        "no-update-modtime",
        "refresh-times",
        "use-mmap",
        "use-server-modtime",
        "help",
        "version",
        "auto-confirm",
        "leave-root",
        "delete-empty-src-dirs",
        "s3-no-check-bucket",
        "drive-shared-with-me",
        "daemon",
        "read-only",
        "allow-other",
    ],
    long_values: &[
        "config",
        "transfers",
        "checkers",
        "bwlimit",
        "log-level",
        "include",
        "exclude",
        "filter",
        "filter-from",
        "include-from",
        "exclude-from",
        "files-from",
        "files-from-raw",
        "max-depth",
        "min-age",
        "max-age",
        "min-size",
        "max-size",
        "retries",
        "low-level-retries",
        "timeout",
        "contimeout",
        "stats",
        "buffer-size",
        "backup-dir",
        "suffix",
        "compare-dest",
        "copy-dest",
        "tpslimit",
        "max-transfer",
        "max-delete",
        "order-by",
        "s3-chunk-size",
        "s3-upload-concurrency",
        "vfs-cache-mode",
        "log-file",
        "cutoff-mode",
        "multi-thread-streams",
        "drive-chunk-size",
        "exclude-if-present",
    ],
    stops: false,
    single_dash: false,
};

/// Judges a command of `rclone`.
#[must_use]
pub fn rclone(command: &Command, _: &Facts) -> Report {
    const ACTS: &[&str] = &[
        "copy",
        "sync",
        "move",
        "copyto",
        "moveto",
        "bisync",
        "delete",
        "deletefile",
        "purge",
        "mkdir",
        "rmdir",
        "rmdirs",
        "rcat",
        "touch",
        "dedupe",
        "cleanup",
        "settier",
        "copyurl",
        "mount",
        "nfsmount",
        "cmount",
    ];
    let all = command.arguments();
    let Some(at) = all.iter().position(|word| word.known().is_some_and(|word| ACTS.contains(&word))) else {
        return Report::of(Effect::Table);
    };
    // Of another sub-command it is an operand.
    if all.get(..at).unwrap_or_default().iter().any(|word| !word.begins_with("-")) && at > 2 {
        return Report::of(Effect::Table);
    }
    let parsed = match options::parse(all, &RCLONE) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let Some((sub, ends)) = parsed.operands.split_first() else {
        return Report::of(Effect::Table);
    };
    let Some(sub) = sub.known().filter(|sub| ACTS.contains(sub)) else {
        return Report::of(Effect::Table);
    };
    if carry::only_tells(&parsed) {
        return Report::reads();
    }
    let mut effects: Vec<Effect> = parsed.values(&["log-file"]).cloned().map(Effect::Writes).collect();
    if parsed.has(&["n", "dry-run"]) {
        return Report { effects, by: None };
    }
    for backup in parsed.values(&["backup-dir"]) {
        changes(backup, "moves what it replaces there", &mut effects);
    }
    let what = format!("changes files with `rclone {sub}`");
    match (sub, ends) {
        ("copy" | "copyto" | "sync", [_, to]) => changes(to, &what, &mut effects),
        ("move" | "moveto" | "bisync", [from, to]) => {
            changes(from, &what, &mut effects);
            changes(to, &what, &mut effects);
        }
        ("copyurl", [_, to, ..]) => changes(to, &what, &mut effects),
        ("mount" | "nfsmount" | "cmount", [from, folder]) => {
            let reads = parsed.has(&["read-only"]);
            match remote(from) {
                Ok(Some(host)) if !reads => {
                    effects.push(Effect::Mounts { folder: folder.clone(), host: host.clone() });
                    let why = "what is written to its folder later can't be seen".to_owned();
                    effects.push(Effect::UnknownAt { hosts: vec![host], why });
                }
                Err(why) if !reads => {
                    effects.push(Effect::Mounts { folder: folder.clone(), host: Host::Unknown(why.clone()) });
                    effects.push(Effect::Unknown(why));
                }
                _ => effects.push(Effect::Changes("mounts a folder".to_owned())),
            }
        }
        (_, [to]) => changes(to, &what, &mut effects),
        _ => effects.push(Effect::Unknown("between which folders it copies can't be told".to_owned())),
    }
    Report { effects, by: None }
}

/// Adds a change of what an end of rclone's names.
fn changes(end: &Word, how: &str, effects: &mut Vec<Effect>) {
    let effect = match remote(end) {
        Ok(None) => Effect::Changes(how.to_owned()),
        Ok(Some(host)) => Effect::ChangesAt { hosts: vec![host], how: how.to_owned() },
        Err(why) => Effect::Unknown(why),
    };
    copied::add(effects, [effect]);
}

/// The machine that an end names: `:sftp,host=web01:/srv`; none for a folder here.
///
/// # Errors
/// Why it can't be told.
fn remote(end: &Word) -> Result<Option<Host>, String> {
    let text = end.beginning();
    let odd = || format!("which machine stands behind `{}` is in the config of rclone", end.shown());
    if let Some(rest) = text.strip_prefix(':') {
        let front = rest.split_once(':').map_or(rest, |(front, _)| front);
        let (kind, settings) = front.split_once(',').unwrap_or((front, ""));
        if settings.contains(['"', '\'']) || settings.contains("ssh") || settings.contains("command") {
            return Err(odd());
        }
        let host = settings.split(',').find_map(|setting| setting.strip_prefix("host="));
        return match (kind, host) {
            ("local", _) => Ok(None),
            ("sftp" | "ftp" | "smb", Some(name)) => Ok(Some(host::named(name))),
            _ => Err(odd()),
        };
    }
    match (text.find(':'), text.find('/')) {
        (Some(colon), slash) if slash.is_none_or(|slash| colon < slash) => Err(odd()),
        (None, None) if end.known().is_none() => Err(odd()),
        _ => Ok(None),
    }
}

const RESTIC: Spec = Spec {
    flags: "hqvnxHt",
    values: "rpoeidlmwyg",
    glued: "",
    long_flags: &[
        "help",
        "quiet",
        "verbose",
        "json",
        "no-lock",
        "no-cache",
        "insecure-tls",
        "cleanup-cache",
        "dry-run",
        "prune",
        "one-file-system",
        "force",
        "exclude-caches",
        "with-atime",
        "ignore-inode",
        "ignore-ctime",
        "stdin",
        "verify",
        "remove-all",
        "compact",
        "no-scan",
        "skip-if-unchanged",
        "insecure-no-password",
        "delete",
        "sparse",
        "read-data",
        "group-by-host",
        "no-extra-verify",
    ],
    long_values: &[
        "repo",
        "repository-file",
        "password-file",
        "cacert",
        "cache-dir",
        "tls-client-cert",
        "key-hint",
        "compression",
        "limit-download",
        "limit-upload",
        "retry-lock",
        "pack-size",
        "tag",
        "host",
        "exclude",
        "iexclude",
        "exclude-file",
        "files-from",
        "target",
        "include",
        "iinclude",
        "path",
        "keep-last",
        "keep-hourly",
        "keep-daily",
        "keep-weekly",
        "keep-monthly",
        "keep-yearly",
        "keep-within",
        "keep-tag",
        "group-by",
        "max-unused",
        "parent",
        "stdin-filename",
        "time",
        "read-concurrency",
        "max-repack-size",
        "exclude-larger-than",
        "exclude-if-present",
        "overwrite",
        "from-repo",
        "from-password-file",
    ],
    stops: false,
    single_dash: false,
};

/// Judges a command of `restic` or `rustic`.
#[must_use]
pub fn restic(command: &Command, facts: &Facts) -> Report {
    const WRITES: &[&str] = &[
        "backup",
        "copy",
        "forget",
        "init",
        "key",
        "merge",
        "migrate",
        "prune",
        "rebuild-index",
        "recover",
        "repair",
        "rewrite",
        "tag",
        "unlock",
    ];
    let parsed = match options::parse(command.arguments(), &RESTIC) {
        Ok(parsed) => parsed,
        Err(_) => return Report::of(Effect::Table),
    };
    let sub = parsed.operands.first().and_then(Word::known).unwrap_or_default();
    let listing = sub == "key" && parsed.operands.get(1).and_then(Word::known) == Some("list");
    if carry::only_tells(&parsed) || parsed.has(&["h", "o"]) || listing {
        return Report::of(Effect::Table);
    }
    if sub == "restore" {
        return Report::changes("restores files");
    }
    if !WRITES.contains(&sub) {
        return Report::of(Effect::Table);
    }
    if parsed.has(&["n", "dry-run"]) {
        return Report::reads();
    }
    let from_environment = facts.variables.variable("RESTIC_REPOSITORY");
    let given = parsed.values(&["r", "repo"]).last().or(from_environment.as_ref());
    repository(given, &format!("writes to the repository with `{} {sub}`", carry::name(command)))
}

/// What a change of a repository is a change of.
fn repository(place: Option<&Word>, how: &str) -> Report {
    let Some(place) = place else {
        return Report::unknown("where its repository lies can't be told");
    };
    let text = place.beginning();
    let far = |host: Host| Report::of(Effect::ChangesAt { hosts: vec![host], how: how.to_owned() });
    for scheme in ["sftp", "ssh"] {
        if let Some((place, _)) = host::url(place, scheme) {
            return far(host::host(&place.host));
        }
    }
    if let Some(rest) = place.strip_prefix("sftp:") {
        let name = rest.split_once(':').map_or_else(|| rest.clone(), |(name, _)| name);
        return far(host::host(&host::user_at_host(&name).host));
    }
    if let Some(rest) = text.strip_prefix("rest:").and_then(|rest| rest.split_once("://")) {
        let name = rest.1.split('/').next().unwrap_or_default();
        let host = host::host(&host::with_port(&name.into()).host);
        let why = "whether the server of its repository is a guest can't be told".to_owned();
        return Report::of(Effect::UnknownAt { hosts: vec![host], why });
    }
    match copied::file(place, false) {
        File::Local(_) if !text.contains(':') => Report::changes(how),
        _ => Report::unknown(format!("where the repository `{}` lies can't be told", place.shown())),
    }
}

const BORG: Spec = Spec {
    flags: "hvpqnsx",
    values: "",
    glued: "",
    long_flags: &[
        "help",
        "version",
        "verbose",
        "info",
        "debug",
        "progress",
        "log-json",
        "stats",
        "list",
        "dry-run",
        "critical",
        "error",
        "warning",
        "show-version",
        "show-rc",
        "bypass-lock",
        "json",
        "exclude-caches",
        "one-file-system",
        "numeric-ids",
        "numeric-owner",
        "noatime",
        "nobirthtime",
        "nocompression",
        "append-only",
        "make-parent-dirs",
        "keep-exclude-tags",
        "save-space",
        "force",
        "cache-only",
        "sparse",
        "stdout",
        "consider-part-files",
        "keep-security-info",
        "cleanup-commits",
        "read-special",
        "noctime",
        "noflags",
        "noacls",
        "noxattrs",
        "no-cache-sync",
        "no-files-cache",
    ],
    long_values: &[
        "lock-wait",
        "umask",
        "upload-ratelimit",
        "remote-ratelimit",
        "upload-buffer",
        "remote-buffer",
        "encryption",
        "comment",
        "compression",
        "exclude",
        "exclude-from",
        "pattern",
        "patterns-from",
        "keep-within",
        "keep-last",
        "keep-daily",
        "keep-weekly",
        "keep-monthly",
        "keep-yearly",
        "keep-hourly",
        "keep-minutely",
        "prefix",
        "glob-archives",
        "checkpoint-interval",
        "chunker-params",
        "files-cache",
        "strip-components",
        "storage-quota",
        "timestamp",
        "threshold",
        "stdin-name",
        "format",
        "exclude-if-present",
        "target",
        "first",
        "last",
        "sort-by",
    ],
    stops: false,
    single_dash: false,
};

/// Judges a command of `borg`.
#[must_use]
pub fn borg(command: &Command, facts: &Facts) -> Report {
    const WRITES: &[&str] = &[
        "create",
        "init",
        "delete",
        "prune",
        "compact",
        "break-lock",
        "recreate",
        "rename",
        "import-tar",
        "upgrade",
        "config",
    ];
    let spec = Spec { values: "eCaP", ..BORG };
    let parsed: Parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(_) => return Report::of(Effect::Table),
    };
    let sub = parsed.operands.first().and_then(Word::known).unwrap_or_default();
    if carry::only_tells(&parsed) || parsed.has(&["h"]) {
        return Report::of(Effect::Table);
    }
    match sub {
        _ if WRITES.contains(&sub) && parsed.has(&["n", "dry-run"]) => Report::reads(),
        "extract" | "mount" | "umount" | "export-tar" => {
            if parsed.has(&["n", "dry-run"]) {
                return Report::reads();
            }
            Report::changes("restores files")
        }
        _ if WRITES.contains(&sub) || sub == "key" => {
            let from_environment = facts.variables.variable("BORG_REPO");
            let given = parsed.operands.iter().skip(if sub == "key" { 2 } else { 1 }).find(|word| {
                let text = word.beginning();
                !text.starts_with("::") && (text.contains(':') || text.contains('/') || word.known().is_none())
            });
            let given = if parsed.operands.iter().any(|word| word.begins_with("::")) { None } else { given };
            let place = given.or(from_environment.as_ref());
            // What stands behind `::` is the archive.
            let place = place.map(|word| match word.known().and_then(|text| text.split_once("::")) {
                Some((place, _)) => place.into(),
                None => word.clone(),
            });
            let place = place.map(|word| match copied::file(&word, false) {
                File::Remote { place, .. } if !word.beginning().contains("://") => {
                    let mut sftp = Word::known_as("ssh://");
                    sftp.push_word(&place.host);
                    sftp
                }
                _ => word,
            });
            repository(place.as_ref(), &format!("writes to the repository with `borg {sub}`"))
        }
        _ => Report::of(Effect::Table),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use super::*;

    #[test]
    fn rclone_by_direction() {
        check(
            rclone,
            &[
                ("rclone ls remote:x", "table"),
                ("rclone copy remote:x /srv", "changes"),
                ("rclone copy -P /srv remote:x", "unknown"),
                ("rclone sync /srv :sftp,host=web01,user=root:/srv", "changes at web01"),
                ("rclone copy :sftp,host=web01:/srv /tmp", "changes"),
                ("rclone move :sftp,host=web01:/srv /tmp", "changes at web01; changes"),
                ("rclone move a b", "changes"),
                ("rclone delete remote:x", "unknown"),
                ("rclone purge /tmp/x", "changes"),
                ("rclone rcat :sftp,host=web01:/x", "changes at web01"),
                ("rclone sync -n /srv remote:x", "reads"),
                ("rclone copy --dry-run /srv remote:x", "reads"),
                ("rclone mount :sftp,host=web01:/ /mnt", "mounts /mnt of web01; unknown at web01"),
                ("rclone mount --read-only remote:x /mnt", "changes"),
                ("rclone mount remote:x /mnt", "mounts /mnt of ?; unknown"),
                ("rclone copy /srv ':sftp,host=web01,ssh=\"ssh x\":/'", "unknown"),
                ("rclone copy --sftp-ssh 'ssh x' a b", "unknown"),
                ("rclone copy /srv …", "unknown"),
                ("rclone copy a", "changes"),
                ("rclone --config x copy remote:x y", "changes"),
            ],
        );
    }

    #[test]
    fn repositories() {
        check(
            restic,
            &[
                ("restic -r sftp:jo@backup01:/srv backup /home", "changes at backup01"),
                ("restic -r sftp://jo@backup01:22/srv forget --keep-daily 7 --prune", "changes at backup01"),
                ("restic -r rest:https://jo@backup01:8000/ backup x", "unknown at backup01"),
                ("restic -r /srv/repo backup x", "changes"),
                ("restic -r s3:s3.amazonaws.com/x backup y", "unknown"),
                ("restic backup x", "unknown"),
                ("restic -r /srv restore latest --target /tmp/x", "changes"),
                ("restic -r /srv snapshots", "table"),
                ("restic -r sftp:h:/x backup -n y", "reads"),
                ("restic -o sftp.command='ssh x' -r /srv backup y", "table"),
                ("restic -r … backup x", "unknown"),
                ("restic key list", "table"),
                ("rustic -r /srv backup x", "changes"),
            ],
        );
        check(
            borg,
            &[
                ("borg create --stats ssh://jo@backup01:22/./x::a /home", "changes at backup01"),
                ("borg create jo@backup01:x::a /home", "changes at backup01"),
                ("borg create /srv/repo::a /home", "changes"),
                ("borg create ::a /home", "unknown"),
                ("borg prune -v --keep-daily 7 backup01:x", "changes at backup01"),
                ("borg delete -n backup01:x::a", "reads"),
                ("borg extract backup01:x::a", "changes"),
                ("borg list backup01:x", "table"),
                ("borg compact", "unknown"),
                ("borg --rsh 'ssh x' create a::b c", "table"),
            ],
        );
    }
}
