//! `tar`: what it does to files, where its archive is, and the commands that its options carry. Pure.

use super::carry::{only_tells, report, shell, writes};
use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::word::Word;

const TAR: Spec = Spec {
    flags: "AcdrtuxGnSkUWOmpMBiajJzZhPlRvwo0123456789",
    values: "gFLbHVICKNTXf",
    long_flags: &[
        "catenate",
        "concatenate",
        "create",
        "diff",
        "compare",
        "delete",
        "append",
        "list",
        "test-label",
        "update",
        "extract",
        "get",
        "show-defaults",
        "help",
        "usage",
        "version",
        "check-device",
        "incremental",
        "ignore-failed-read",
        "seek",
        "no-check-device",
        "no-seek",
        "occurrence",
        "restrict",
        "sparse",
        "keep-old-files",
        "keep-newer-files",
        "keep-directory-symlink",
        "no-overwrite-dir",
        "one-top-level",
        "overwrite",
        "overwrite-dir",
        "recursive-unlink",
        "remove-files",
        "skip-old-files",
        "unlink-first",
        "verify",
        "ignore-command-error",
        "no-ignore-command-error",
        "to-stdout",
        "atime-preserve",
        "delay-directory-restore",
        "touch",
        "no-delay-directory-restore",
        "no-same-owner",
        "no-same-permissions",
        "numeric-owner",
        "preserve-permissions",
        "same-permissions",
        "same-owner",
        "preserve-order",
        "same-order",
        "acls",
        "no-acls",
        "selinux",
        "no-selinux",
        "xattrs",
        "no-xattrs",
        "force-local",
        "multi-volume",
        "read-full-records",
        "ignore-zeros",
        "old-archive",
        "portability",
        "posix",
        "auto-compress",
        "no-auto-compress",
        "bzip2",
        "xz",
        "lzip",
        "lzma",
        "lzop",
        "gzip",
        "gunzip",
        "ungzip",
        "compress",
        "uncompress",
        "zstd",
        "backup",
        "exclude-backups",
        "exclude-caches",
        "exclude-caches-all",
        "exclude-caches-under",
        "exclude-vcs",
        "exclude-vcs-ignores",
        "dereference",
        "hard-dereference",
        "no-null",
        "no-recursion",
        "no-unquote",
        "no-verbatim-files-from",
        "null",
        "one-file-system",
        "absolute-names",
        "recursion",
        "unquote",
        "verbatim-files-from",
        "anchored",
        "ignore-case",
        "no-anchored",
        "no-ignore-case",
        "no-wildcards",
        "no-wildcards-match-slash",
        "wildcards",
        "wildcards-match-slash",
        "checkpoint",
        "clamp-mtime",
        "full-time",
        "check-links",
        "block-number",
        "show-omitted-dirs",
        "show-transformed-names",
        "show-stored-names",
        "totals",
        "utc",
        "verbose",
        "interactive",
        "confirmation",
    ],
    long_values: &[
        "listed-incremental",
        "hole-detection",
        "level",
        "sparse-version",
        "to-command",
        "group",
        "group-map",
        "mode",
        "mtime",
        "owner",
        "owner-map",
        "sort",
        "xattrs-exclude",
        "xattrs-include",
        "file",
        "info-script",
        "new-volume-script",
        "tape-length",
        "rmt-command",
        "rsh-command",
        "volno-file",
        "blocking-factor",
        "record-size",
        "format",
        "pax-option",
        "label",
        "use-compress-program",
        "add-file",
        "directory",
        "exclude",
        "exclude-ignore",
        "exclude-ignore-recursive",
        "exclude-tag",
        "exclude-tag-all",
        "exclude-tag-under",
        "starting-file",
        "newer-mtime",
        "newer",
        "after-date",
        "suffix",
        "files-from",
        "exclude-from",
        "strip-components",
        "transform",
        "xform",
        "checkpoint-action",
        "index-file",
        "no-quote-chars",
        "quote-chars",
        "quoting-style",
        "warning",
    ],
    ..Spec::MIXED
};

/// Judges `tar`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let arguments = with_dashes(command.arguments())?;
    let parsed = parse(&arguments, &TAR)?;
    if only_tells(&parsed) || parsed.has(&["usage", "show-defaults"]) {
        return Ok(Report::reads());
    }
    let mut effects = carried(&parsed)?;
    let extracts = parsed.has(&["x", "extract", "get"]);
    let creates = parsed.has(&["c", "create"]);
    let changes = parsed.has(&["r", "append", "u", "update", "A", "catenate", "concatenate", "delete"]);
    let looks = parsed.has(&["t", "list", "d", "diff", "compare", "test-label"]);
    if [extracts, creates, changes, looks].iter().filter(|mode| **mode).count() != 1 {
        return Err("what it does with its archive can't be told".into());
    }
    // It asks on stdin for the next volume, and an answer may be a command.
    let asks = parsed.has(&["M", "multi-volume", "L", "tape-length"]);
    if asks && !parsed.has(&["F", "info-script", "new-volume-script"]) {
        return Err("what it is answered when it asks for the next volume can't be told".into());
    }
    let out = parsed.has(&["O", "to-stdout", "to-command"]);
    if extracts && !out {
        let folders: Vec<&Word> = parsed.values(&["C", "directory"]).collect();
        effects.extend(folders.iter().map(|folder| Effect::Writes((*folder).clone())));
        if folders.is_empty() {
            effects.push(Effect::Writes(".".into()));
        }
        if parsed.has(&["P", "absolute-names"]) {
            effects.push(Effect::Changes("writes files wherever its archive says".into()));
        }
    }
    if creates || changes {
        effects.extend(parsed.values(&["f", "file"]).filter_map(|archive| to_archive(archive, &parsed)));
    }
    if parsed.has(&["remove-files"]) {
        effects.push(Effect::Changes("removes what it has put into its archive".into()));
    }
    let kept = ["g", "listed-incremental", "index-file", "volno-file"];
    effects.extend(parsed.values(&kept).filter_map(writes));
    Ok(report(effects))
}

/// Where an archive is written.
fn to_archive(archive: &Word, parsed: &Parsed) -> Option<Effect> {
    let beginning = archive.beginning();
    let local = parsed.has(&["force-local"]) || beginning.contains('/');
    match (archive.known(), beginning.split_once(':')) {
        (Some("-"), _) => None,
        // `user@host:file`, if no slash stands before the colon.
        (_, Some((host, _))) if !parsed.has(&["force-local"]) && !host.contains('/') => {
            let name = host.rsplit('@').next().unwrap_or_default();
            Some(Effect::ChangesAt { hosts: vec![Host::named(name)], how: "writes an archive there".into() })
        }
        (None, None) if !local => Some(Effect::UnknownAt {
            hosts: vec![Host::Unknown("where its archive is can't be told before it runs".into())],
            why: "its archive may be on another machine".into(),
        }),
        _ => writes(archive),
    }
}

/// The commands that its options carry.
fn carried(parsed: &Parsed) -> Result<Vec<Effect>, String> {
    let mut effects = vec![];
    let texts = ["to-command", "F", "info-script", "new-volume-script"];
    effects.extend(parsed.values(&texts).map(|text| shell(text.clone(), At::Child, Stdin::Unknown)));
    for program in parsed.values(&["I", "use-compress-program"]) {
        let mut text = program.clone();
        if !parsed.has(&["c", "create"]) {
            text.push_text(" -d");
        }
        effects.push(shell(text, At::Child, Stdin::Unknown));
    }
    for action in parsed.values(&["checkpoint-action"]) {
        match action.strip_prefix("exec=") {
            Some(text) => effects.push(shell(text, At::Child, Stdin::Unknown)),
            None if action.may_begin_with("exec") => {
                return Err(format!("what `{}` does can't be told before it runs", action.shown()));
            }
            None => {}
        }
    }
    if parsed.has(&["rsh-command", "rmt-command"]) {
        return Err("it is told with which program to reach another machine".into());
    }
    // A line that begins with a dash is an option, unless it is told otherwise.
    if parsed.has(&["T", "files-from"]) && !parsed.has(&["verbatim-files-from", "null"]) {
        return Err("its list of files may hold options".into());
    }
    Ok(effects)
}

/// The first word may be letters without a dash; their values follow in the order of the letters.
fn with_dashes(arguments: &[Word]) -> Result<Vec<Word>, String> {
    let Some((first, rest)) = arguments.split_first() else { return Ok(vec![]) };
    let Some(letters) = first.known() else {
        return Err(format!("what `{}` means can't be told before it runs", first.shown()));
    };
    if letters.starts_with('-') {
        return Ok(arguments.to_vec());
    }
    let mut words = vec![];
    let mut rest = rest.iter();
    for letter in letters.chars() {
        words.push(Word::known_as(format!("-{letter}")));
        if TAR.values.contains(letter) {
            words.extend(rest.next().cloned());
        }
    }
    words.extend(rest.cloned());
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn archives() {
        check(
            judge,
            &[
                ("tar tzf x.tgz", "reads"),
                ("tar -tvf x.tar --wildcards '*.log'", "reads"),
                ("tar --list --file=h:x", "reads"),
                ("tar -df x.tar", "reads"),
                ("tar czf - /etc", "reads"),
                ("tar cz /etc", "reads"),
                ("tar -c -f /srv/x.tar /etc", "writes /srv/x.tar"),
                ("tar cfz /srv/x.tar /etc", "writes /srv/x.tar"),
                ("tar cbf 20 /srv/x.tar /etc", "writes /srv/x.tar"),
                ("tar -czf /dev/null /etc", "reads"),
                ("tar xf x.tar", "writes ."),
                ("tar -xzf x.tar -C /srv", "writes /srv"),
                ("tar xOf x.tar etc/passwd", "reads"),
                ("tar -xPf x.tar --to-stdout", "reads"),
                ("tar xPf x.tar", "writes .; changes"),
                ("tar rf x.tar y", "writes x.tar"),
                ("tar --delete -f x.tar y", "writes x.tar"),
                ("tar cf - x --remove-files", "changes"),
                ("tar -cg /srv/s -f - x", "writes /srv/s"),
                ("tar --help", "reads"),
            ],
        );
    }

    #[test]
    fn what_options_carry() {
        check(
            judge,
            &[
                ("tar cf x --checkpoint=1 --checkpoint-action=exec=sh", "sh {sh} <unknown; writes x"),
                ("tar tf x --checkpoint-action 'exec=rm x'", "sh {rm x} <unknown"),
                ("tar tf x --checkpoint-action=dot", "reads"),
                ("tar xf x --to-command='rm y'", "sh {rm y} <unknown"),
                ("tar -I 'zstd -T0' -tf x", "sh {zstd -T0 -d} <unknown"),
                ("tar cIf 'rm x' - y", "sh {rm x} <unknown"),
                ("tar --use-comp='rm x' -tf y", "sh {rm x -d} <unknown"),
                ("tar tMF 'rm x' -f y", "sh {rm x} <unknown"),
                ("tar cf u@web01:/srv/x y", "changes at web01"),
                ("tar cf ./a:b y", "writes ./a:b"),
                ("tar cf a:b --force-local y", "writes a:b"),
                ("tar cf … y", "unknown at ?"),
                ("tar cf /srv/… y", "writes /srv/…"),
                ("tar cf x --null -T list", "writes x"),
            ],
        );
        check_unknown(
            judge,
            &[
                "tar cf x -T list",
                "tar tf x --rsh-command=rm",
                "tar cf x *$*",
                "tar … x",
                "tar tf x --checkpoint-action=…",
                "tar tf x --nope",
                "tar xtf x",
                "tar cf - x -M -L 1",
                "tar tf x --multi-volume",
                "tar -f x",
                "tar",
                "tar -s /a/b/ -xf x",
            ],
        );
    }
}
