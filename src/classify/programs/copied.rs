//! Files on this machine or another one, as copying programs name them, and how those programs reach the other one. Pure.

use super::connection::Connection;
use super::host::{self, Place};
use super::options::{self, Parsed, Spec};
use super::ssh_line::{self, Read};
use super::ssh_settings::Settings;
use crate::classify::Found;
use crate::classify::effect::{At, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// A file as a copying program names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum File {
    /// On the machine where the program runs.
    Local(Word),
    /// On another one.
    Remote {
        /// Which.
        place: Place,
        /// The path there.
        path: Word,
    },
    /// Which of both can't be told.
    Unclear(Word),
}

/// Reads a file's name: a colon before any slash makes it another machine's. A colon at its very beginning is part of a
/// name for `scp`, and a machine without a name for `rsync`.
#[must_use]
pub fn file(word: &Word, empty_host: bool) -> File {
    let beginning = word.beginning();
    let whole = word.known().is_some();
    // An address in brackets holds colons of its own.
    let bracket = beginning.starts_with('[') || beginning.find("@[").is_some_and(|at| !has_slash(beginning, at));
    let colon = if bracket { beginning.find("]:").map(|at| at + 1) } else { beginning.find(':') };
    if let Some(at) = colon
        && !has_slash(beginning, at)
    {
        if at == 0 && !empty_host {
            return File::Local(word.clone());
        }
        let (before, path) =
            (beginning.get(..at).unwrap_or_default(), word.strip_prefix(beginning.get(..=at).unwrap_or_default()));
        return File::Remote { place: host::user_at_host(&before.into()), path: path.unwrap_or_default() };
    }
    if whole || beginning.contains('/') {
        return File::Local(word.clone());
    }
    // Behind something unknown: `root@…:/etc` is meant for another machine, whichever it is.
    let behind: Vec<&str> = word.stretches().skip(1).collect();
    let known = behind.iter().find_map(|text| text.find([':', '/']).map(|at| text.as_bytes().get(at) == Some(&b':')));
    if known == Some(true) {
        return File::Remote { place: Place { host: Word::unknown(), ..Place::default() }, path: Word::unknown() };
    }
    File::Unclear(word.clone())
}

fn has_slash(text: &str, end: usize) -> bool {
    text.get(..end).is_some_and(|text| text.contains('/'))
}

/// Whether a path means more to a shell than a file's name; wildcards only find files.
#[must_use]
pub fn is_shell_text(path: &Word) -> bool {
    path.stretches()
        .any(|text| text.contains(['$', '`', ';', '&', '|', '<', '>', '(', ')', '\n', '\'', '"', '\\', '#', '!']))
}

/// Text that the shell of other machines reads.
#[must_use]
pub fn shell_there(text: Word, hosts: Vec<Host>) -> Effect {
    let what = What::Shell { text, arguments: vec![] };
    Effect::Runs(Run { what, at: At::Hosts(hosts), stdin: Stdin::Nothing })
}

/// Doubts what is said to change or touch the agent's own machine by something that may reach others from there: a change of
/// that machine is none of a guest's, so it would pass for harmless.
#[must_use]
pub fn from_here(mut report: Report, facts: &Facts, why: &str) -> Report {
    let here = |effect: &Effect| match effect {
        Effect::ChangesAt { hosts, .. } | Effect::UnknownAt { hosts, .. } => hosts.contains(&Host::Same),
        _ => false,
    };
    if facts.own && report.effects.iter().any(here) {
        report.effects.push(Effect::Unknown(why.to_owned()));
    }
    report
}

/// A program with its words, run beside this one.
#[must_use]
pub fn child(words: Vec<Word>) -> Effect {
    Effect::Runs(Run { what: What::Words(words), at: At::Child, stdin: Stdin::Unknown })
}

/// Reads a copying program's words. Where a word that isn't known might be an option it is taken for a file, which it
/// nearly always is, and the doubt comes back beside.
///
/// # Errors
/// Why they can't be read even so.
pub fn parse(words: &[Word], spec: &Spec) -> Result<(Parsed, Option<Effect>), String> {
    let why = match options::parse(words, spec) {
        Ok(parsed) => return Ok((parsed, None)),
        Err(why) => why,
    };
    let as_file = |word: &Word| {
        if word.known().is_some() || !word.may_begin_with("-") || word.begins_with("-") {
            return word.clone();
        }
        let mut file = Word::known_as("./");
        file.push_word(&Word::joined(std::slice::from_ref(word)));
        file
    };
    let guessed: Vec<Word> = words.iter().map(as_file).collect();
    Ok((options::parse(&guessed, spec)?, Some(Effect::Unknown(why))))
}

/// Adds effects that aren't there yet.
pub fn add(effects: &mut Vec<Effect>, more: impl IntoIterator<Item = Effect>) {
    for effect in more {
        if !effects.contains(&effect) {
            effects.push(effect);
        }
    }
}

/// Which machine a program reaches through ssh with these settings; what that runs here is added.
pub fn reach(place: &Place, settings: &Settings, facts: &Facts, effects: &mut Vec<Effect>) -> Host {
    let connection = Connection::to(place, settings.clone(), facts, 0);
    add(effects, connection.local);
    connection.host
}

/// Which machine a program reaches through another one that it is told to run, with the words of that and those that run
/// on the far side; what that runs here is added.
pub fn reach_by(words: &[Word], place: &Place, there: &[Word], facts: &Facts, effects: &mut Vec<Effect>) -> Host {
    let mut all = words.to_vec();
    if let Some(user) = &place.user {
        all.extend(["-l".into(), user.clone()]);
    }
    if let Some(port) = &place.port {
        all.extend(["-p".into(), port.clone()]);
    }
    all.push(place.host.clone());
    if words.first().is_some_and(is_ssh)
        && let Read::Line(line) = ssh_line::read(all.get(1..).unwrap_or_default())
        && line.place.host == place.host
        && line.command.is_empty()
        && !line.prints
        && line.control.is_none()
    {
        add(effects, line.logs.iter().cloned().map(Effect::Writes));
        let connection = Connection::to(&line.place, line.settings.clone(), facts, 0);
        add(effects, connection.local);
        let odd = ["sessiontype", "remotecommand"].iter().any(|name| line.settings.get(name).is_some());
        if odd || !connection.settings.tunnels.is_empty() {
            add(effects, [Effect::Unknown("the ssh that it runs does more than connect".to_owned())]);
        }
        return connection.host;
    }
    let name = words.first().map(Word::shown).unwrap_or_default();
    all.extend_from_slice(there);
    add(effects, [child(all)]);
    Host::Unknown(format!("the program `{name}` that it runs chooses the machine"))
}

/// A file's text, if it lies on the agent's machine and can be read.
///
/// # Errors
/// Why it can't be, in words that follow a "since".
pub fn text_of(path: &Word, facts: &Facts) -> Result<String, String> {
    let why = |what: &str| format!("the file `{}` {what}", path.shown());
    if !facts.own {
        return Err(why("lies on another machine"));
    }
    let known = path.known().ok_or_else(|| why("is only known when it runs"))?;
    let full = match (known.strip_prefix("~/"), facts.home, facts.cwd) {
        (Some(rest), Some(home), _) => format!("{home}/{rest}"),
        _ if known.starts_with('/') => known.to_owned(),
        (None, _, Some(cwd)) => format!("{cwd}/{known}"),
        _ => return Err(why("can't be found")),
    };
    match facts.around.file(&full) {
        Found::File(bytes) => String::from_utf8(bytes).map_err(|_| why("is no text")),
        Found::Nothing => Err(why("is not there")),
        Found::Unreadable => Err(why("can't be read")),
    }
}

/// Whether a program is ssh, as the system installs it.
#[must_use]
pub fn is_ssh(program: &Word) -> bool {
    matches!(
        program.known(),
        Some("ssh" | "/usr/bin/ssh" | "/bin/ssh" | "/usr/local/bin/ssh" | "/opt/homebrew/bin/ssh")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::command;

    #[test]
    fn here_or_there() {
        for (word, empty, expected) in [
            ("web01:/etc/x", false, "- web01 /etc/x"),
            ("root@web01:x", false, "root web01 x"),
            ("root@[fe80::1]:x", false, "root fe80::1 x"),
            ("[::1]:x", false, "- ::1 x"),
            ("web01:", false, "- web01 "),
            ("./a:b", false, "local"),
            ("/a:b", false, "local"),
            ("a", false, "local"),
            (":a", false, "local"),
            (":a", true, "-  a"),
            ("dir/…:b", false, "local"),
            ("web01:…", false, "- web01 …"),
            ("root@…:/x", false, "- … …"),
            ("…:/x", false, "- … …"),
            ("a…", false, "unclear"),
            ("a…/b", false, "unclear"),
        ] {
            let shown = match file(&command(word).words[0], empty) {
                File::Local(_) => "local".to_owned(),
                File::Unclear(_) => "unclear".to_owned(),
                File::Remote { place, path } => {
                    let user = place.user.map_or_else(|| "-".to_owned(), |user| user.shown());
                    format!("{user} {} {}", place.host.shown(), path.shown())
                }
            };
            assert_eq!(shown, expected, "{word}");
        }
    }
}
