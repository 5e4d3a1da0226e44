//! git's settings: which are harmless whatever their value, and which name something that git runs. Pure.

use super::git::plain_ssh;
use crate::classify::word::Word;

/// What a setting means.
pub(super) enum Setting {
    /// Nothing runs by it.
    Harmless,
    /// git hands this to a shell.
    Runs(Word),
    /// The name of an alias.
    Alias(String),
}

/// Sections in which no setting names a program, an address or a file.
const SECTIONS: &[&str] = &[
    "add.",
    "advice.",
    "apply.",
    "blame.",
    "branch.sort",
    "clean.",
    "color.",
    "column.",
    "fetch.",
    "format.pretty",
    "gc.",
    "grep.",
    "i18n.",
    "index.",
    "log.",
    "notes.",
    "pack.",
    "pull.",
    "push.",
    "rerere.",
    "safe.",
    "stash.",
    "status.",
    "tag.sort",
    "transfer.",
    "user.",
    "versionsort.",
];

/// Settings elsewhere that name none either.
const NAMES: &[&str] = &[
    "commit.cleanup",
    "commit.gpgsign",
    "commit.status",
    "commit.verbose",
    "core.abbrev",
    "core.autocrlf",
    "core.bare",
    "core.bigfilethreshold",
    "core.checkstat",
    "core.commitgraph",
    "core.compression",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.longpaths",
    "core.multipackindex",
    "core.precomposeunicode",
    "core.preloadindex",
    "core.protectntfs",
    "core.quotepath",
    "core.safecrlf",
    "core.symlinks",
    "core.trustctime",
    "core.untrackedcache",
    "core.whitespace",
    "diff.algorithm",
    "diff.colormoved",
    "diff.colormovedws",
    "diff.context",
    "diff.ignoresubmodules",
    "diff.interhunkcontext",
    "diff.mnemonicprefix",
    "diff.noprefix",
    "diff.renamelimit",
    "diff.renames",
    "diff.statgraphwidth",
    "diff.submodule",
    "diff.wserrorhighlight",
    "feature.manyfiles",
    "http.lowspeedlimit",
    "http.lowspeedtime",
    "http.maxrequests",
    "http.postbuffer",
    "http.sslverify",
    "http.version",
    "init.defaultbranch",
    "merge.conflictstyle",
    "merge.ff",
    "merge.renamelimit",
    "merge.renames",
    "merge.stat",
    "merge.verbosity",
    "rebase.abbreviatecommands",
    "rebase.autosquash",
    "rebase.autostash",
    "rebase.stat",
    "rebase.updaterefs",
    "submodule.fetchjobs",
    "submodule.recurse",
    "tag.gpgsign",
];

/// What a setting means; its name without regard to case.
///
/// # Errors
/// Why it can't be told.
pub(super) fn setting(name: &str, value: &Word) -> Result<Setting, String> {
    let name = name.to_ascii_lowercase();
    if let Some(alias) = name.strip_prefix("alias.") {
        return Ok(Setting::Alias(alias.to_owned()));
    }
    if SECTIONS.iter().any(|section| name.starts_with(section)) || NAMES.binary_search(&name.as_str()).is_ok() {
        return Ok(Setting::Harmless);
    }
    let text = value.known();
    match name.as_str() {
        "core.pager" | "pager.log" | "pager.diff" | "pager.show" | "pager.branch" => match text {
            Some("" | "cat" | "less" | "more" | "true" | "false") => Ok(Setting::Harmless),
            _ => Ok(Setting::Runs(value.clone())),
        },
        "core.editor" | "sequence.editor" => match text {
            Some("true" | ":" | "cat") => Ok(Setting::Harmless),
            _ => {
                // It gets the file to edit as a word.
                let mut text = value.clone();
                text.push_text(" ");
                text.push_hole();
                Ok(Setting::Runs(text))
            }
        },
        "core.sshcommand" if text.is_some_and(plain_ssh) => Ok(Setting::Harmless),
        "credential.helper" if matches!(text, Some("" | "cache" | "store" | "osxkeychain" | "manager")) => {
            Ok(Setting::Harmless)
        }
        "core.fsmonitor" if matches!(text, Some("true" | "false" | "")) => Ok(Setting::Harmless),
        "core.hookspath" if text == Some("/dev/null") => Ok(Setting::Harmless),
        _ => Err(format!("what the setting `{name}` of git does is not known")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order() {
        assert!(NAMES.is_sorted());
        assert!(SECTIONS.iter().all(|section| section.contains('.')));
    }
}
