//! The arguments of `zerto-guard hook`, read by hand: a command-line library would end the process in its own way.

use crate::config::files::Given;
use crate::config::read::parse_duration;
use crate::hosts::Host;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

/// The other commands; an argument after one of these is not ours.
const OTHERS: &[&str] = &[
    "check",
    "find",
    "guard",
    "questions",
    "answer",
    "catalog",
    "pause",
    "audit",
    "trust",
    "install",
    "uninstall",
    "doctor",
    "rewind",
    "help",
    "completions",
    "man",
];

/// What `hook` was told.
#[derive(Debug, Clone, Default)]
pub struct Args {
    /// `--host`.
    pub host: Option<Host>,
    /// `--host-timeout`: how long the host waits.
    pub host_timeout: Option<Duration>,
    /// The places of files.
    pub given: Given,
}

/// Whether the arguments mean `hook`: the first that is a command is `hook`, whatever mistakes stand around it. A
/// mistyped option before it must end as a deny, not as a usage error that lets the call run.
#[must_use]
pub fn is_meant(arguments: &[OsString]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "hook" {
            return true;
        }
        if OTHERS.iter().any(|other| word == other) {
            return false;
        }
        // The value of an option may be any word.
        if WITH_VALUE.iter().any(|option| word == option) {
            words.next();
        }
    }
    false
}

/// The host that the arguments name, whatever mistakes stand around it: a deny has to be in words that it understands. Where
/// Cline is named beside another, it is Cline, which alone would take a deny of the others' kind for a pass.
#[must_use]
pub fn host_in(arguments: &[OsString]) -> Option<Host> {
    let mut named = None;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = match split(word) {
            (name, Some(value)) if name == "--host" => Some(value),
            (name, None) if name == "--host" => words.next().cloned(),
            _ => continue,
        };
        let host = value.and_then(|value| Host::named(&value.to_string_lossy()));
        if named != Some(Host::Cline) {
            named = host.or(named);
        }
    }
    named
}

/// The options that take a value behind them.
const WITH_VALUE: &[&str] = &["--config", "--catalog", "--state-dir", "--host", "--host-timeout"];

impl Args {
    /// Reads them.
    ///
    /// # Errors
    /// A sentence that names the argument that is wrong.
    pub fn parse(arguments: &[OsString]) -> Result<Self, String> {
        let mut args = Self::default();
        let mut words = arguments.iter();
        let mut seen: Vec<&str> = Vec::new();
        while let Some(word) = words.next() {
            let shown = || crate::text::clean(&word.to_string_lossy(), 80);
            let (name, mut attached) = split(word);
            let Some(name) = OPTIONS.iter().find(|option| name == **option) else {
                return Err(format!("`hook` doesn't know the argument `{}`; it takes {}", shown(), OPTIONS.join(", ")));
            };
            if seen.contains(name) {
                return Err(format!("`hook` was given `{name}` twice"));
            }
            seen.push(name);
            if matches!(*name, "hook" | "-v" | "--verbose" | "--no-color" | "--managed") {
                if attached.is_some() {
                    return Err(format!("`{name}` takes no value"));
                }
                args.given.managed |= *name == "--managed";
                continue;
            }
            let value = attached.take().or_else(|| words.next().cloned());
            let value = value.filter(|value| !value.is_empty()).ok_or_else(|| format!("`{name}` needs a value"))?;
            let text = value.to_string_lossy().into_owned();
            match *name {
                "--host" => {
                    args.host = Some(Host::named(&text).ok_or_else(|| {
                        format!("`--host {}`: this version knows {}", crate::text::clean(&text, 80), Host::names())
                    })?);
                }
                "--host-timeout" => {
                    args.host_timeout =
                        Some(parse_duration(&text).filter(|span| !span.is_zero()).ok_or_else(|| {
                            format!("`--host-timeout {}`: write it as 180s", crate::text::clean(&text, 80))
                        })?);
                }
                _ => {
                    let path = PathBuf::from(value);
                    // The hook starts in the project's folder: a relative path would mean a file of the project.
                    if !path.is_absolute() {
                        return Err(format!(
                            "`{name} {}`: name it by its absolute path",
                            crate::text::clean(&text, 80)
                        ));
                    }
                    match *name {
                        "--config" => args.given.config = Some(path),
                        "--catalog" => args.given.catalog = Some(path),
                        _ => args.given.state = Some(path),
                    }
                }
            }
        }
        if args.given.managed && (args.given.config.is_some() || args.given.catalog.is_some()) {
            return Err(
                "`--managed` reads config and catalog from /etc/zerto-guard alone: take --config and --catalog away"
                    .into(),
            );
        }
        Ok(args)
    }
}

const OPTIONS: &[&str] = &[
    "hook",
    "--host",
    "--host-timeout",
    "--managed",
    "--config",
    "--catalog",
    "--state-dir",
    "-v",
    "--verbose",
    "--no-color",
];

/// `--name=value` as two.
fn split(word: &OsStr) -> (String, Option<OsString>) {
    match word.to_string_lossy().split_once('=') {
        Some((name, _)) if name.starts_with("--") => {
            // The value is taken from the bytes, since a path need not be UTF-8.
            use std::os::unix::ffi::OsStrExt as _;
            let bytes = word.as_bytes().get(name.len() + 1..).unwrap_or_default();
            (name.to_owned(), Some(OsStr::from_bytes(bytes).to_owned()))
        }
        _ => (word.to_string_lossy().into_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn hook_is_seen_behind_any_mistake_before_it() {
        for (line, meant) in [
            ("hook", true),
            ("--config f hook", true),
            ("--confg f hook", true),
            ("-x hook --y", true),
            ("--state-dir guard hook", true),
            ("--config check hook", true),
            ("--state-dir find hook --host claude-code", true),
            ("--config=check hook", true),
            ("check -- hook", false),
            ("catalog test hook", false),
            ("help hook", false),
            ("", false),
            ("--version", false),
        ] {
            assert_eq!(is_meant(&words(line)), meant, "{line}");
        }
    }

    #[test]
    fn arguments_are_read_in_both_spellings() {
        let args =
            Args::parse(&words("-v --config=/a=b hook --host claude-code --host-timeout 180s --state-dir /s")).unwrap();
        assert_eq!(args.given.config, Some("/a=b".into()));
        assert_eq!(args.given.state, Some("/s".into()));
        assert_eq!(args.host_timeout, Some(Duration::from_secs(180)));
        assert_eq!(args.host, Some(Host::ClaudeCode));
    }

    #[test]
    fn every_mistake_is_named() {
        for (line, part) in [
            ("hook --hst x", "`--hst`"),
            ("hook x", "`x`"),
            ("hook hook", "twice"),
            ("hook --config", "needs a value"),
            ("hook --config=", "needs a value"),
            ("hook --config /a --config /b", "twice"),
            ("hook --config a", "absolute path"),
            ("hook --state-dir ./a", "absolute path"),
            ("hook --managed=yes", "takes no value"),
            ("hook --host emacs", "claude-code"),
            ("hook --host-timeout 3", "180s"),
            ("hook --host-timeout 0s", "180s"),
            ("hook --managed --config /f", "/etc/zerto-guard alone"),
        ] {
            let error = Args::parse(&words(line)).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
