//! Packers besides tar: those that replace a file by its packed form or the other way round, and those with archives of
//! many files. Pure.

use super::carry::{self, first, only_tells, report, writes};
use super::options::{Spec, parse};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::word::Word;

const PACKER: Spec = Spec {
    flags: "cdfhklLnNqrtvV0123456789ez",
    values: "S",
    long_flags: &[
        "stdout",
        "to-stdout",
        "decompress",
        "uncompress",
        "compress",
        "force",
        "help",
        "keep",
        "list",
        "license",
        "no-name",
        "name",
        "quiet",
        "recursive",
        "test",
        "verbose",
        "version",
        "fast",
        "best",
        "extreme",
        "rsyncable",
        "synchronous",
        "no-sync",
        "robot",
        "no-warn",
        "single-stream",
        "no-sparse",
        "ignore-check",
        "small",
        "repetitive-fast",
        "repetitive-best",
        "ultra",
        "long",
        "adaptive",
        "no-progress",
        "progress",
        "check",
        "no-check",
        "single-thread",
        "sparse",
        "rm",
    ],
    long_values: &["suffix", "threads", "memlimit", "format"],
    ..Spec::MIXED
};

/// Judges `gzip`, `bzip2`, `xz`, `zstd` and those that are another name of them.
#[must_use]
pub fn packer(command: &Command, _: &Facts) -> Report {
    let name = carry::name(command);
    let spec = match name {
        "bzip2" | "bunzip2" | "bzcat" => Spec { flags: "cdfhkLqstvVz0123456789", values: "", ..PACKER },
        "xz" | "unxz" | "xzcat" | "lzma" | "unlzma" | "lzcat" => {
            Spec { flags: "cdefhHklqQtvVz0123456789", values: "STMF", ..PACKER }
        }
        "zstd" | "unzstd" | "zstdcat" | "pzstd" | "zstdmt" => {
            Spec { flags: "cdfhHklqrtvVzC0123456789", values: "oDM", glued: "T", ..PACKER }
        }
        "pigz" | "unpigz" => Spec { values: "Sbp", ..PACKER },
        _ => PACKER,
    };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let mut effects: Vec<Effect> = parsed.values(&["o"]).filter_map(writes).collect();
    let prints = matches!(name, "zcat" | "gzcat" | "bzcat" | "xzcat" | "lzcat" | "zstdcat")
        || parsed.has(&["c", "stdout", "to-stdout", "h", "H", "V", "L"]);
    // Of several things to do the last one counts for some of them.
    let acts = parsed.has(&["d", "decompress", "uncompress", "z", "compress"]);
    let looks = parsed.has(&["l", "list", "t", "test"]) && !acts;
    let removes = parsed.has(&["rm"]);
    if (only_tells(&parsed) || prints || looks) && !removes {
        return report(effects);
    }
    if effects.is_empty() || removes {
        let files = parsed.operands.iter().filter(|word| word.known() != Some("-"));
        effects.extend(files.filter_map(writes));
    }
    report(effects)
}

/// Judges `zip`.
#[must_use]
pub fn zip(command: &Command, _: &Facts) -> Report {
    let arguments = command.arguments();
    if let [word] = arguments
        && matches!(word.known(), Some("-h" | "--help" | "-h2" | "-v" | "--version" | "-L"))
    {
        return Report::reads();
    }
    // It can be told with which program to test an archive.
    let tests = |word: &Word| {
        !word.is_fitting()
            || ["-TT", "--unzip", "--un"].iter().any(|start| word.may_begin_with(start))
            || (word.begins_with("-") && !word.begins_with("--") && word.beginning().contains("TT"))
    };
    if let Some(word) = arguments.iter().find(|word| tests(word)) {
        return Report::unknown(format!("what `{}` runs can't be told", word.shown()));
    }
    let archive = arguments.iter().find(|word| !word.begins_with("-")).filter(|word| word.known() != Some("-"));
    let letters = |word: &Word, letter| word.begins_with("-") && word.beginning().contains(letter);
    let moves = arguments.iter().any(|word| letters(word, 'm'));
    let to_stdout = arguments.iter().any(|word| word.known() == Some("-"));
    if to_stdout && !moves {
        return Report::reads();
    }
    let archive = archive.filter(|_| !to_stdout);
    report(archive.cloned().map(Effect::Writes).into_iter().chain([Effect::Changes("writes an archive".into())]))
}

/// Judges `unzip`.
#[must_use]
pub fn unzip(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "cCfhjKlLMnopqtUuvVWXZz:1amT^2hsB",
        values: "dIOP",
        glued: "x",
        long_flags: &["help"],
        ..Spec::MIXED
    };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let looks = parsed.has(&["c", "h", "help", "l", "p", "t", "v", "z", "Z"]);
    // -T sets the archive's own time.
    if parsed.operands.is_empty() || (looks && !parsed.has(&["T"])) {
        return Report::reads();
    }
    let folder = parsed.values(&["d"]).last().cloned().unwrap_or_else(|| ".".into());
    report([Effect::Writes(folder)])
}

/// Judges `cpio`.
#[must_use]
pub fn cpio(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "0aABbcdfikLlmnoprSstuvV",
        values: "CDEFHIMOR",
        long_flags: &[
            "append",
            "create",
            "dereference",
            "dot",
            "extract",
            "help",
            "link",
            "list",
            "make-directories",
            "no-absolute-filenames",
            "no-preserve-owner",
            "nonmatching",
            "null",
            "numeric-uid-gid",
            "pass-through",
            "preserve-modification-time",
            "quiet",
            "reset-access-time",
            "sparse",
            "to-stdout",
            "unconditional",
            "verbose",
            "version",
        ],
        long_values: &["block-size", "directory", "file", "format", "io-size", "owner", "pattern-file"],
        ..Spec::MIXED
    };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if only_tells(&parsed) {
        return Report::reads();
    }
    let archives = ["F", "file", "I", "O"];
    if let Some(archive) = parsed.values(&archives).find(|word| word.known().is_none_or(|name| name.contains(':'))) {
        return Report::unknown(format!("on which machine `{}` is can't be told", archive.shown()));
    }
    if parsed.has(&["o", "create"]) {
        let written = ["F", "file", "O"];
        return report(parsed.values(&written).filter_map(writes));
    }
    if parsed.has(&["p", "pass-through"]) {
        let folder = parsed.operands.last().cloned().unwrap_or_default();
        return report([Effect::Writes(folder)]);
    }
    if parsed.has(&["t", "list", "to-stdout"]) {
        return Report::reads();
    }
    let folder = parsed.values(&["D", "directory"]).last().cloned().unwrap_or_else(|| ".".into());
    report([Effect::Writes(folder)])
}

/// Judges `ar`.
#[must_use]
pub fn ar(command: &Command, _: &Facts) -> Report {
    let (Some(key), rest) = first(command.arguments()) else { return Report::reads() };
    let Some(key) = key.known() else { return Report::unknown("what it does can't be told before it runs") };
    if key.starts_with("--") {
        let tells = matches!(key, "--help" | "--version") && rest.is_empty();
        return if tells { Report::reads() } else { Report::unknown(format!("its option `{key}` is not known")) };
    }
    let letters = key.trim_start_matches('-');
    let modes: String = letters.chars().filter(|c| "dmpqrstx".contains(*c)).collect();
    // `s` is a command only if no other one is there.
    let plain = !rest.iter().any(|word| word.may_begin_with("--"));
    match modes.as_str() {
        "t" | "p" if plain => Report::reads(),
        _ => match first(rest) {
            (Some(archive), _) if letters.contains('x') => report([archive.clone(), ".".into()].map(Effect::Writes)),
            (Some(archive), _) => report([Effect::Writes(archive.clone())]),
            (None, _) => Report::reads(),
        },
    }
}

/// Switches of `rar` that only say how.
const RAR: &[&str] = &["--", "-c-", "-cfg-", "-id", "-idc", "-idq", "-inul", "-o+", "-o-", "-p-", "-r", "-v", "-y"];

/// Judges `7z` and `unrar`, whose first word says what is done.
#[must_use]
pub fn verbs(command: &Command, _: &Facts) -> Report {
    let rar = matches!(carry::name(command), "rar" | "unrar");
    let (Some(verb), rest) = first(command.arguments()) else { return Report::reads() };
    let Some(text) = verb.known() else { return Report::unknown("what it does can't be told before it runs") };
    let to_stdout = rest.iter().any(|word| word.known() == Some("-so"));
    // Some of rar's write a log.
    let odd = |word: &&Word| {
        !word.is_fitting() || word.may_begin_with("-") && !word.known().is_some_and(|text| RAR.contains(&text))
    };
    if let Some(word) = rest.iter().find(odd).filter(|_| rar) {
        return Report::unknown(format!("what `{}` means can't be told", word.shown()));
    }
    match text {
        "l" | "t" => Report::reads(),
        "lt" | "lb" | "v" | "vt" | "vb" | "p" if rar => Report::reads(),
        "i" | "b" | "h" if !rar => Report::reads(),
        "x" | "e" if to_stdout && !rar => Report::reads(),
        _ if text.starts_with('-') => Report::unknown(format!("its option `{text}` is not known")),
        _ => report([Effect::Changes("unpacks or changes an archive".into())]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn packers() {
        check(
            packer,
            &[
                ("gzip /etc/x", "writes /etc/x"),
                ("gzip -9k /etc/x y", "writes /etc/x; writes y"),
                ("gzip -dc x", "reads"),
                ("gzip -c x", "reads"),
                ("gzip -l x", "reads"),
                ("gzip -t x", "reads"),
                ("gzip", "reads"),
                ("gzip -9 -", "reads"),
                ("gunzip x.gz", "writes x.gz"),
                ("zcat x.gz", "reads"),
                ("xz -T0 x", "writes x"),
                ("xz -l x", "reads"),
                ("xz -l -d x", "writes x"),
                ("xzcat x", "reads"),
                ("bzip2 -dc x", "reads"),
                ("zstd -19 -T0 x", "writes x"),
                ("zstd -c x -o /etc/y", "writes /etc/y"),
                ("zstd -dc --rm x", "writes x"),
                ("unzstd x", "writes x"),
            ],
        );
        check_unknown(packer, &["gzip $*", "gzip …", "xz --files=list", "zstd --train x", "gzip -Z x"]);
    }

    #[test]
    fn archives() {
        check(
            zip,
            &[
                ("zip -r /srv/x.zip y", "writes /srv/x.zip; changes"),
                ("zip -r - y", "reads"),
                ("zip -rm - y", "changes"),
                ("zip -h", "reads"),
            ],
        );
        check_unknown(zip, &["zip x.zip y -T -TT 'rm x'", "zip x y --unzip-command=rm", "zip x -rTT rm", "zip x $*"]);
        check(
            unzip,
            &[
                ("unzip -l x.zip", "reads"),
                ("unzip -p x.zip a", "reads"),
                ("unzip -qt x.zip", "reads"),
                ("unzip x.zip", "writes ."),
                ("unzip -o x.zip -d /srv", "writes /srv"),
                ("unzip -lT x.zip", "writes ."),
            ],
        );
        check(
            cpio,
            &[
                ("cpio -it", "reads"),
                ("cpio -o", "reads"),
                ("cpio -oO /srv/x", "writes /srv/x"),
                ("cpio -idm", "writes ."),
                ("cpio -pd /srv", "writes /srv"),
                ("cpio -i --to-stdout", "reads"),
            ],
        );
        check_unknown(cpio, &["cpio -oF h:x", "cpio --rsh-command=rm -o", "cpio -iI …"]);
        check(
            ar,
            &[
                ("ar t x.a", "reads"),
                ("ar -p x.a y", "reads"),
                ("ar rcs x.a y", "writes x.a"),
                ("ar x x.a", "writes x.a; writes ."),
            ],
        );
        check_unknown(ar, &["ar --plugin x", "ar …"]);
        check(
            verbs,
            &[
                ("7z l x.7z", "reads"),
                ("7z x x.7z", "changes"),
                ("7z x x.7z -so", "reads"),
                ("7z a x.7z y", "changes"),
                ("unrar lb x", "reads"),
                ("unrar x x", "changes"),
            ],
        );
        check_unknown(verbs, &["7z …", "7z -x l"]);
    }
}
