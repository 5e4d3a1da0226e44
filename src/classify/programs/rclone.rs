//! `rclone`: copies between folders here and what its config, or a word on the spot, calls a remote. What only reads stands in
//! the catalog. Pure.

use super::carry;
use super::copied;
use super::host;
use super::options::{self, Spec};
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
pub fn judge(command: &Command, _: &Facts) -> Report {
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

#[cfg(test)]
#[path = "tests/rclone.rs"]
mod tests;
