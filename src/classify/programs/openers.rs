//! `open` of macOS and `xdg-open`: what a person's desktop has for a file or an address. Pure.

use super::carry::report;
use super::options::{Spec, parse};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::word::Word;

/// Files that are shown or edited, and not run.
const SHOWN: &[&str] = &[
    "txt", "md", "log", "pdf", "png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "tiff", "heic", "html", "htm", "csv",
    "tsv", "json", "xml", "yaml", "yml", "toml", "mp3", "mp4", "m4a", "mov", "wav", "avi", "mkv", "doc", "docx", "xls",
    "xlsx", "ppt", "pptx", "odt", "ods", "odp", "rtf", "key", "epub",
];

const OPEN: Spec = Spec {
    flags: "eEtfFWRnghju",
    values: "absu",
    long_flags: &["fresh", "wait-apps", "reveal", "new", "background", "header", "hide", "help", "version", "manual"],
    long_values: &[],
    ..Spec::MIXED
};

/// Judges one of them.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &OPEN)?;
    if parsed.has(&["help", "version", "manual"]) {
        return Ok(Report::reads());
    }
    if parsed.has(&["a", "b"]) {
        return Err("what the program does that it opens a file with is not known".into());
    }
    // An editor shows any file, and a folder's window does.
    let shows = parsed.has(&["e", "t", "f", "R", "reveal"]);
    if let Some(word) = parsed.operands.iter().find(|word| !shows && !is_shown(word)) {
        return Err(format!("what opening `{}` runs is not known", word.shown()));
    }
    Ok(report([Effect::Works("opens it on the desktop".into())]))
}

fn is_shown(word: &Word) -> bool {
    // The end of a name says what it is.
    let end = word.stretches().last().unwrap_or_default();
    if word.begins_with("http://") || word.begins_with("https://") || word.begins_with("mailto:") {
        return true;
    }
    if end.contains("://") || word.beginning().contains("://") {
        return false;
    }
    let folder = word
        .known()
        .is_some_and(|path| matches!(path, "." | ".." | "~") || path.ends_with('/') && !path.contains(".app"));
    folder || end.rsplit_once('.').is_some_and(|(_, kind)| SHOWN.contains(&kind.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::judge;

    #[test]
    fn what_is_shown_and_what_may_run() {
        for line in [
            "open .",
            "open a.pdf",
            "open ./out/…/a.HTML",
            "open https://x.example",
            "open -R a.app",
            "open -e run.sh",
            "xdg-open x.png",
            "open out/",
        ] {
            check(judge, &[(line, "works")]);
        }
        check(judge, &[("open --help", "reads")]);
        check_unknown(
            judge,
            &[
                "open x.command",
                "open run.sh",
                "open a.app",
                "open -a Terminal x.sh",
                "open ssh://web01",
                "open run",
                "open …",
                "open x.app/",
                "open --args x",
                "xdg-open vnc://web01",
            ],
        );
    }
}
