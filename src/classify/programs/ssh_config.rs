//! What the user's and the system's ssh config say of a machine, read without running anything. Pure.
//!
//! As ssh reads them: from top to bottom, the first value of a setting wins. What hangs on a condition that can't be told
//! here (`Match exec` above all) makes the settings behind it unclear.

use super::connection;
use super::ssh_settings::{self, Setting, Settings, Tunnel};
use crate::catalog::glob;
use crate::classify::Found;
use crate::classify::effect::Facts;
use crate::classify::word::Word;

/// Adds what the config files set for a machine; for one that isn't known, what they may set.
pub fn read(typed: Option<&str>, settings: &mut Settings, facts: &Facts) {
    let file = settings.file.clone();
    if matches!(file.as_ref().and_then(Word::known), Some("none" | "/dev/null")) {
        return;
    }
    if !facts.own {
        // The config of another machine can't be seen: a name stays as it was typed.
        if let Some(file) = file {
            settings.blur(&format!("the ssh config `{}` of that machine can't be seen", file.shown()));
        }
        return;
    }
    let mut reader = Reader {
        typed,
        named: typed.map(str::to_owned),
        facts,
        last: false,
        wants_last: false,
        left: MOST_BYTES,
        files: MOST_FILES,
    };
    reader.both(file.as_ref(), settings);
    let canonical =
        settings.may_be_yes("canonicalizehostname") && settings.text("canonicalizehostname") != Some("none");
    if reader.wants_last || canonical {
        // With `Match final` all is read once more, for the machine's name as it is by then.
        reader.last = true;
        reader.named =
            typed.and_then(|typed| connection::host_name(typed, settings).ok()).map(|name| name.to_lowercase());
        if let Some(name) = &reader.named {
            // It is what it is by then.
            settings.set("hostname", Setting::Is(Word::known_as(name.replace('%', "%%"))));
        }
        reader.both(file.as_ref(), settings);
    }
}

/// Not more of all config files is read.
const MOST_BYTES: usize = 512 * 1024;

/// Nor are more files.
const MOST_FILES: usize = 256;

/// Files that include files: ssh follows no more of them in a row.
const DEEPEST: usize = 16;

/// Whether the lines that follow hold.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Holds {
    No,
    /// That can't be told; why.
    Maybe(String),
    Yes,
}

impl Holds {
    /// Both have to hold.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Maybe(why), _) | (_, Self::Maybe(why)) => Self::Maybe(why),
            (Self::Yes, Self::Yes) => Self::Yes,
        }
    }

    fn when(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

struct Reader<'a> {
    /// The machine as it was typed, if it is known.
    typed: Option<&'a str>,
    /// The name for `Host` lines: as it was typed, and in the last pass as it is by then.
    named: Option<String>,
    facts: &'a Facts<'a>,
    /// Whether this is the last pass.
    last: bool,
    /// Whether a `Match final` asks for one.
    wants_last: bool,
    /// How many bytes may still be read.
    left: usize,
    /// How many files may.
    files: usize,
}

impl Reader<'_> {
    fn both(&mut self, file: Option<&Word>, settings: &mut Settings) {
        let Some(home) = self.facts.home else {
            return settings.blur("the home folder with the ssh config is not known");
        };
        let user = format!("{home}/.ssh");
        if let Some(file) = file {
            let path = match (file.known(), self.facts.cwd) {
                (Some(path), _) if path.starts_with('/') => path.to_owned(),
                (Some(path), _) if path.starts_with("~/") => path.replacen('~', home, 1),
                (Some(path), Some(cwd)) => format!("{cwd}/{path}"),
                _ => return settings.blur(&format!("the ssh config `{}` can't be found", file.shown())),
            };
            return match self.facts.around.file(&path) {
                Found::Nothing => settings.blur(&format!("there is no ssh config `{path}`")),
                _ => self.file(&path, &user, &Holds::Yes, 0, settings),
            };
        }
        self.file(&format!("{user}/config"), &user, &Holds::Yes, 0, settings);
        self.file("/etc/ssh/ssh_config", "/etc/ssh", &Holds::Yes, 0, settings);
    }

    /// What follows can't be told; if none of it holds anyway, that is no loss.
    fn lost(why: &str, holds: &Holds, settings: &mut Settings) {
        if *holds != Holds::No {
            settings.blur(why);
        }
    }

    /// Reads one file, which holds as far as `outer` does.
    fn file(&mut self, path: &str, folder: &str, outer: &Holds, depth: usize, settings: &mut Settings) {
        let too_much = "the ssh config is too long, or includes too much";
        self.files = self.files.saturating_sub(1);
        if depth > DEEPEST || self.files == 0 {
            return Self::lost(too_much, outer, settings);
        }
        let bytes = match self.facts.around.file(path) {
            Found::Nothing => return,
            Found::Unreadable => {
                return Self::lost(&format!("the ssh config `{path}` can't be read"), outer, settings);
            }
            Found::File(bytes) => bytes,
        };
        match self.left.checked_sub(bytes.len()) {
            Some(left) => self.left = left,
            None => return Self::lost(too_much, outer, settings),
        }
        let Ok(text) = String::from_utf8(bytes) else {
            return Self::lost(&format!("the ssh config `{path}` is no text"), outer, settings);
        };
        let mut holds = outer.clone();
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((name, value)) = ssh_settings::line(&line.into()) else {
                continue;
            };
            let text = value.known().unwrap_or_default();
            match name.as_str() {
                "host" => holds = self.host(text).and(outer.clone()),
                "match" => holds = self.conditions(text, outer, settings),
                // Even one that doesn't hold may ask for a last pass.
                "include" if holds != Holds::No || !self.last => self.include(text, folder, &holds, depth, settings),
                _ => self.setting(&name, &value, &holds, settings),
            }
        }
    }

    fn setting(&self, name: &str, value: &Word, holds: &Holds, settings: &mut Settings) {
        // Tunnels that the user's own config gives a machine are no part of this command; a file that the command brings is.
        let tunnel = ssh_settings::TUNNELS.contains(&name) && settings.file.is_some() && !self.last;
        match holds {
            Holds::No => {}
            _ if tunnel => {
                settings.tunnels.push(Tunnel { shown: format!("{name} {}", value.shown()), leads_to: None });
            }
            Holds::Maybe(why) => settings.set(name, Setting::Unclear(why.clone())),
            Holds::Yes => settings.set(name, Setting::Is(ssh_settings::plain(name, value))),
        }
    }

    /// `Host`: one of the patterns fits, and none with an exclamation mark does.
    fn host(&self, text: &str) -> Holds {
        let Some(patterns) = ssh_settings::words(text) else {
            return Holds::Maybe("a Host line of the ssh config can't be read".to_owned());
        };
        let Some(name) = self.named.as_deref() else {
            return match patterns.as_slice() {
                [only] if only == "*" => Holds::Yes,
                _ => Holds::Maybe("which block of the ssh config holds is only known when it runs".to_owned()),
            };
        };
        let mut fits = false;
        for pattern in &patterns {
            match pattern.strip_prefix('!') {
                Some(pattern) if glob::matches(pattern, name) => return Holds::No,
                Some(_) => {}
                None => fits |= glob::matches(pattern, name),
            }
        }
        Holds::when(fits)
    }

    /// `Match`: all its conditions hold.
    fn conditions(&mut self, text: &str, outer: &Holds, settings: &mut Settings) -> Holds {
        let odd = || Holds::Maybe("a Match line of the ssh config can't be read".to_owned()).and(outer.clone());
        let Some(words) = ssh_settings::words(text) else {
            return odd();
        };
        let mut holds = outer.clone();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (name, glued) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
            let (name, negated) = name.strip_prefix('!').map_or((name, false), |name| (name, true));
            let name = name.to_ascii_lowercase();
            let one = match name.as_str() {
                "all" => Holds::Yes,
                "final" | "canonical" => {
                    self.wants_last |= name == "final";
                    Holds::when(self.last)
                }
                _ => match glued.or_else(|| words.next()) {
                    Some(value) => self.condition(&name, value, &holds, settings),
                    None => return odd(),
                },
            };
            holds = holds.and(match (one, negated) {
                (Holds::Yes, true) => Holds::No,
                (Holds::No, true) => Holds::Yes,
                (one, _) => one,
            });
        }
        holds
    }

    /// One condition that has a value; `before` is what those before it came to.
    fn condition(&self, name: &str, value: &str, before: &Holds, settings: &mut Settings) -> Holds {
        let maybe = || Holds::Maybe(format!("whether a `Match {name}` of the ssh config holds can't be told"));
        let listed = |text: Option<&str>| match text {
            // Names of machines are compared without regard to upper and lower case, unlike anything else.
            Some(text) if name.ends_with("host") => Holds::when(listed(&text.to_lowercase(), &value.to_lowercase())),
            Some(text) => Holds::when(listed(text, value)),
            None => maybe(),
        };
        match name {
            "host" => match self.typed.map(|typed| connection::host_name(typed, settings)) {
                Some(Ok(name)) => listed(Some(&name)),
                _ => maybe(),
            },
            "originalhost" => listed(self.typed),
            "user" if settings.get("user").is_some() => listed(settings.text("user")),
            "user" | "localuser" if value == "*" => Holds::Yes,
            "tagged" if settings.get("tag").is_none() => listed(Some("")),
            "tagged" => listed(settings.text("tag")),
            "exec" => {
                // ssh runs it only where all before it holds.
                if *before != Holds::No && !settings.runs.iter().any(|text| text.known() == Some(value)) {
                    settings.runs.push(value.into());
                }
                maybe()
            }
            _ => maybe(),
        }
    }

    fn include(&mut self, text: &str, folder: &str, holds: &Holds, depth: usize, settings: &mut Settings) {
        let Some(paths) = ssh_settings::words(text) else {
            return Self::lost("an Include line of the ssh config can't be read", holds, settings);
        };
        for path in paths {
            let path = match (path.strip_prefix("~/"), self.facts.home) {
                (Some(rest), Some(home)) => format!("{home}/{rest}"),
                _ if path.starts_with('/') => path,
                _ => format!("{folder}/{path}"),
            };
            match self.found(&path) {
                Some(files) => {
                    for file in files {
                        self.file(&file, folder, holds, depth + 1, settings);
                    }
                }
                None => Self::lost(&format!("what the ssh config includes as `{path}` can't be told"), holds, settings),
            }
        }
    }

    /// The files that a path with wildcards in its last part means, in their order.
    fn found(&self, path: &str) -> Option<Vec<String>> {
        let special = |text: &str| text.contains(['*', '?', '[', '{', '$', '%', '~', '\\']);
        if !special(path) {
            return Some(vec![path.to_owned()]);
        }
        let (folder, pattern) = path.rsplit_once('/')?;
        if special(folder) || pattern.contains(['[', '{', '$', '%', '~', '\\']) {
            return None;
        }
        let mut names = self.facts.around.folder(folder)?;
        names.retain(|name| glob::matches(pattern, name) && (!name.starts_with('.') || pattern.starts_with('.')));
        names.sort_unstable();
        Some(names.into_iter().map(|name| format!("{folder}/{name}")).collect())
    }
}

/// A list of patterns with commas between: one fits, and none with an exclamation mark does.
fn listed(text: &str, patterns: &str) -> bool {
    let mut fits = false;
    for pattern in patterns.split(',') {
        match pattern.strip_prefix('!') {
            Some(pattern) if glob::matches(pattern, text) => return false,
            Some(_) => {}
            None => fits |= glob::matches(pattern, text),
        }
    }
    fits
}

#[cfg(test)]
#[path = "tests/ssh_config.rs"]
mod tests;
