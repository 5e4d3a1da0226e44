//! Backups to a repository: `restic`, `rustic`, `borg`. Their reading sub-commands stand in the catalog. Pure.

use super::carry;
use super::copied::{self, File};
use super::host;
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

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
#[path = "tests/backups.rs"]
mod tests;
