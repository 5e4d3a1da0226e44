//! `rsync`: which side is read and which one is written, and everything that it can be told to run. Pure.

use super::copied::{self, File};
use super::host::{self, Place};
use super::options::{Parsed, Spec};
use super::ssh_settings;
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "vqcarRbudlLkKHpEAXogDtUNOJSnWxIyzCF0s48hPim6V",
    values: "BeT@fM",
    glued: "",
    long_flags: &[
        "verbose", "quiet", "no-motd", "checksum", "archive", "recursive", "inc-recursive", "i-r",
        "no-inc-recursive", "no-i-r", "relative", "no-implied-dirs", "backup", "update", "inplace", "append",
        "append-verify", "dirs", "old-dirs", "old-d", "mkpath", "links", "copy-links", "copy-unsafe-links",
        "safe-links", "insecure-links", "munge-links", "copy-dirlinks", "keep-dirlinks", "hard-links",
        "perms", "executability", "acls", "xattrs", "owner", "group", "devices", "copy-devices",
        "write-devices", "specials", "drop-D", "times", "atimes", "open-noatime", "crtimes", "omit-dir-times",
        "omit-link-times", "super", "fake-super", "sparse", "preallocate", "dry-run", "whole-file",
        "no-whole-file", "no-W", "one-file-system", "existing", "ignore-non-existing", "ignore-existing",
        "remove-source-files", "remove-sent-files", "del", "delete", "delete-before", "delete-during",
        "delete-delay", "delete-after", "delete-excluded", "ignore-missing-args", "delete-missing-args",
        "ignore-errors", "force", "partial", "delay-updates", "prune-empty-dirs", "numeric-ids",
        "ignore-times", "size-only", "fuzzy", "compress", "old-compress", "new-compress", "cvs-exclude",
        "from0", "old-args", "secluded-args", "protect-args", "trust-sender", "blocking-io", "stats",
        "8-bit-output", "human-readable", "progress", "itemize-changes", "list-only", "fsync", "ipv4", "ipv6",
        "version", "help", "daemon", "no-detach", "msgs2stderr", "no-msgs2stderr", "implied-dirs", "no-8",
        "no-8-bit-output", "no-A", "no-D", "no-H", "no-J", "no-N", "no-O", "no-R", "no-S", "no-U", "no-X",
        "no-acls", "no-append", "no-atimes", "no-backup", "no-blocking-io", "no-bwlimit", "no-c",
        "no-checksum", "no-compress", "no-contimeout", "no-crtimes", "no-d", "no-delay-updates", "no-devices",
        "no-dirs", "no-drop-D", "no-force", "no-from0", "no-fuzzy", "no-g", "no-group", "no-h",
        "no-hard-links", "no-human-readable", "no-i", "no-i-d", "no-iconv", "no-ignore-errors", "no-inplace",
        "no-insecure-links", "no-itemize-changes", "no-l", "no-links", "no-m", "no-mkpath", "no-munge-links",
        "no-numeric-ids", "no-o", "no-old-args", "no-omit-dir-times", "no-omit-link-times",
        "no-one-file-system", "no-open-noatime", "no-owner", "no-p", "no-partial", "no-perms", "no-progress",
        "no-protect-args", "no-prune-empty-dirs", "no-r", "no-recursive", "no-relative", "no-s",
        "no-secluded-args", "no-sparse", "no-specials", "no-super", "no-t", "no-timeout", "no-times", "no-v",
        "no-verbose", "no-write-devices", "no-x", "no-xattrs", "no-y", "no-z",
    ],
    long_values: &[
        "info", "debug", "stderr", "backup-dir", "suffix", "confine-root", "chmod", "checksum-choice", "cc",
        "block-size", "rsh", "rsync-path", "max-delete", "max-size", "min-size", "max-alloc", "partial-dir",
        "usermap", "groupmap", "chown", "timeout", "contimeout", "modify-window", "temp-dir", "compare-dest",
        "copy-dest", "link-dest", "compress-choice", "zc", "compress-level", "zl", "compress-threads", "zt",
        "skip-compress", "filter", "exclude", "exclude-from", "include", "include-from", "files-from",
        "copy-as", "address", "port", "sockopts", "outbuf", "remote-option", "out-format", "log-format",
        "log-file", "log-file-format", "password-file", "early-input", "bwlimit", "stop-after", "time-limit",
        "stop-at", "write-batch", "only-write-batch", "read-batch", "protocol", "iconv", "checksum-seed",
        "config", "dparam",
    ],
    stops: false,
    single_dash: false,
};

/// Judges a command of `rsync`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let words = command.arguments();
    if words.first().and_then(Word::known) == Some("--server") {
        return server(words);
    }
    if let [only] = words
        && matches!(only.known(), Some("-h" | "--help" | "-V" | "--version"))
    {
        return Report::reads();
    }
    let (parsed, doubt) = match copied::parse(words, &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return unclear(words, why),
    };
    if parsed.has(&["daemon"]) {
        return Report::unknown("what others do through an rsync daemon can't be seen");
    }
    if parsed.has(&["version", "V", "help"]) && doubt.is_none() {
        return Report::reads();
    }
    let written = parsed.values(&["log-file", "write-batch", "only-write-batch"]).cloned().map(Effect::Writes);
    let mut effects: Vec<Effect> = doubt.into_iter().chain(written).collect();
    let mut copy = Copy { parsed: &parsed, facts, effects: &mut effects, first: None };
    copy.judge();
    Report { effects, by: None }
}

/// The far side of a copy, which the near side starts.
fn server(words: &[Word]) -> Report {
    let known: Option<Vec<&str>> = words.iter().map(Word::known).collect();
    let Some(known) = known else {
        return Report::unknown("what the far side of an rsync is told is only known when it runs");
    };
    if known.contains(&"--daemon") {
        return Report::unknown("what others do through an rsync daemon can't be seen");
    }
    let dry = known.iter().any(|word| {
        let letters = word.strip_prefix('-').and_then(|letters| letters.split_once('n'));
        *word == "--dry-run" || letters.is_some_and(|(before, _)| before.chars().all(|c| SPEC.flags.contains(c)))
    });
    let writes = known.iter().any(|word| {
        ["--log-file", "--remove-s", "--write-batch", "--only-write-batch", "--read-batch"]
            .iter()
            .any(|name| word.starts_with(name))
    });
    if !writes && (dry || known.get(1) == Some(&"--sender")) {
        return Report::reads();
    }
    Report::changes("takes the files that an rsync sends it")
}

fn unclear(words: &[Word], why: String) -> Report {
    match words.last().map(file) {
        Some(File::Remote { place, .. }) => Report::of(Effect::UnknownAt { hosts: vec![host::host(&place.host)], why }),
        _ => Report::unknown(why),
    }
}

/// A file as rsync names it, `rsync://machine/module/path` and `machine::module/path` included.
fn file(word: &Word) -> File {
    match host::url(word, "rsync") {
        Some((place, path)) => File::Remote { place, path: path.unwrap_or_default() },
        None => copied::file(word, true),
    }
}

/// Whether a file's name leads to a daemon and not through a remote shell.
fn by_daemon(word: &Word, path: &Word) -> bool {
    word.begins_with("rsync://") || path.begins_with(":")
}

struct Copy<'a> {
    parsed: &'a Parsed,
    facts: &'a Facts<'a>,
    effects: &'a mut Vec<Effect>,
    /// The machine that was named first: `:path` behind it is another file there.
    first: Option<Place>,
}

impl Copy<'_> {
    fn judge(&mut self) {
        let parsed = self.parsed;
        let dry = parsed.has(&["n", "dry-run", "list-only"]);
        let removes = parsed.has(&["remove-source-files", "remove-sent-files"]) && !dry;
        let (target, sources) = match parsed.operands.split_last() {
            None => return self.effects.push(Effect::Unknown("it names nothing to copy".to_owned())),
            // A batch holds what was read.
            Some((target, [])) if parsed.has(&["read-batch"]) => (Some(target), &[][..]),
            // A single file is listed.
            Some((_, [])) => (None, parsed.operands.as_slice()),
            Some((target, sources)) => (Some(target), sources),
        };
        if let Some(word) = parsed.operands.iter().find(|word| word.is_many() && word.beginning().is_empty()) {
            let why = format!("what `{}` names is only known when it runs", word.shown());
            self.effects.push(Effect::Unknown(why));
        }
        // A list on another machine is read there.
        let lists = parsed.values(&["files-from"]).filter(|word| matches!(file(word), File::Remote { .. }));
        for list in lists {
            // `:list` lies on the machine that is read.
            if !list.begins_with(":") {
                self.read(list, false);
            }
        }
        for source in sources {
            self.read(source, removes && target.is_some());
        }
        if let Some(target) = target {
            self.write(target, dry || parsed.has(&["only-write-batch"]));
        }
    }

    fn read(&mut self, source: &Word, removes: bool) {
        match file(source) {
            File::Local(path) | File::Unclear(path) if removes => {
                // A name that may be another machine's is one that can't be told.
                let effect = match file(source) {
                    File::Unclear(word) => {
                        Effect::Unknown(format!("which machine `{}` is on can't be told", word.shown()))
                    }
                    _ => Effect::Writes(path),
                };
                self.effects.push(effect);
            }
            File::Local(_) | File::Unclear(_) => {}
            File::Remote { place, path } => {
                let host = self.reach(source, place, &path, Some("--sender"));
                if removes {
                    let how = "deletes the files that were copied from it".to_owned();
                    copied::add(self.effects, [Effect::ChangesAt { hosts: vec![host], how }]);
                }
            }
        }
    }

    fn write(&mut self, target: &Word, dry: bool) {
        match file(target) {
            File::Local(path) => {
                if !dry {
                    self.effects.push(Effect::Writes(path));
                    let folders = self.parsed.values(&["backup-dir", "T", "temp-dir", "partial-dir"]);
                    self.effects.extend(folders.cloned().map(Effect::Writes));
                }
            }
            File::Unclear(word) => {
                let why = format!("which machine `{}` is on can't be told", word.shown());
                self.effects.push(Effect::Unknown(why));
            }
            File::Remote { place, path } => {
                let host = self.reach(target, place, &path, dry.then_some("--dry-run"));
                if !dry {
                    let how = "copies files to it".to_owned();
                    self.effects.push(Effect::ChangesAt { hosts: vec![host], how });
                }
            }
        }
    }

    /// Which machine is reached, and what runs on both sides for that; `role` is what the far side is told to be.
    fn reach(&mut self, word: &Word, mut place: Place, path: &Word, role: Option<&str>) -> Host {
        if place.host.known() == Some("") {
            // Behind a machine's name, `:path` is one more file of that machine.
            place = self.first.clone().unwrap_or_else(|| Place { host: "localhost".into(), ..place });
        } else if self.first.is_none() {
            self.first = Some(place.clone());
        }
        let rsh = self.parsed.values(&["e", "rsh"]).last();
        let daemon = by_daemon(word, path);
        let there = self.parsed.values(&["rsync-path"]).last();
        if daemon && rsh.is_none() {
            let port = self.parsed.values(&["port"]).last().or(place.port.as_ref());
            return match host::host(&place.host) {
                Host::Same if port.is_some_and(|port| port.known() != Some("873")) => {
                    Host::Unknown("loopback with a port of its own may be a tunnel to another machine".to_owned())
                }
                host => host,
            };
        }
        let mut words: Vec<Word> = ["rsync", "--server"].into_iter().chain(role).chain(["."]).map(Word::from).collect();
        words.push(path.clone());
        let host = match rsh {
            None => copied::reach_by(&["ssh".into()], &place, &words, self.facts, self.effects),
            Some(rsh) => match rsh.known().and_then(ssh_settings::words).filter(|words| !words.is_empty()) {
                Some(program) => {
                    let program: Vec<Word> = program.iter().map(|word| Word::from(word.as_str())).collect();
                    copied::reach_by(&program, &place, &words, self.facts, self.effects)
                }
                None => {
                    let why = format!("the remote shell `{}` that it runs is only known when it runs", rsh.shown());
                    copied::add(self.effects, [Effect::Unknown(why.clone())]);
                    Host::Unknown(why)
                }
            },
        };
        let mut far = words;
        if let Some(there) = there
            && let Some(first) = far.first_mut()
        {
            *first = there.clone();
        }
        let odd = there.is_some_and(|there| !is_rsync(there)) || copied::is_shell_text(path);
        if odd {
            copied::add(self.effects, [copied::shell_there(Word::joined(&far), vec![host.clone()])]);
        }
        for option in self.parsed.values(&["M", "remote-option"]) {
            if !matches!(option.known(), Some("--fake-super" | "--super" | "--no-super" | "--numeric-ids")) {
                let why = format!("what the far side does when told `{}` can't be told", option.shown());
                copied::add(self.effects, [Effect::UnknownAt { hosts: vec![host.clone()], why }]);
            }
        }
        host
    }
}

/// Whether the text that starts the far side is plainly an rsync.
fn is_rsync(text: &Word) -> bool {
    let Some(text) = text.known() else {
        return false;
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let mut words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    for front in [&["sudo", "-n"][..], &["sudo"], &["doas"], &["ionice", "-c3"], &["nice"]] {
        if let Some(rest) = words.strip_prefix(front) {
            words = rest.to_vec();
        }
    }
    matches!(words.as_slice(), [only] if only.chars().all(plain) && (*only == "rsync" || only.ends_with("/rsync")))
}

#[cfg(test)]
#[path = "tests/rsync.rs"]
mod tests;
