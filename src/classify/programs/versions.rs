//! Interpreters that are only asked for their version (`java -version`, `node -v`). Pure.
//!
//! Anything else they are given is a program, and no table can tell what that does.

use crate::classify::effect::{Command, Effect, Facts, Report};

/// The programs, and what asks them for their version and nothing else when it is their only word.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("java", &["-version", "--version", "-fullversion", "--full-version", "--help", "-help"]),
    ("jshell", &["--version", "--help"]),
    ("lua", &["-v"]),
    ("luajit", &["-v"]),
    ("node", &["-v", "--version", "-h", "--help"]),
    ("nodejs", &["-v", "--version", "-h", "--help"]),
    ("php", &["-v", "--version", "-m", "-i", "--ini", "-h", "--help"]),
    ("pypy3", &["-V", "--version", "-h", "--help"]),
    ("python", &["-V", "--version", "-VV", "-h", "--help"]),
    ("python2", &["-V", "--version", "-h", "--help"]),
    ("python3", &["-V", "--version", "-VV", "-h", "--help"]),
    ("ruby", &["-v", "--version", "-h", "--help"]),
];

/// Whether a program is one of these.
#[must_use]
pub fn knows(program: &str) -> bool {
    options(program).is_some()
}

/// Judges a command of one of them.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let program = command.program().map_or("", |program| program.rsplit('/').next().unwrap_or_default());
    let asked = match command.arguments() {
        [word] => word.known().is_some_and(|word| options(program).is_some_and(|options| options.contains(&word))),
        _ => false,
    };
    if asked { Report::reads() } else { Report::of(Effect::Table) }
}

/// What asks the program for its version; `python3.11` is Python too.
fn options(program: &str) -> Option<&'static [&'static str]> {
    let version = |rest: &str| rest.starts_with('.') && rest.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is = |name: &str| program.strip_prefix(name).is_some_and(|rest| rest.is_empty() || version(rest));
    PROGRAMS.iter().find(|(name, _)| is(name)).map(|(_, options)| *options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Nowhere;
    use crate::classify::effect::Unset;
    use crate::classify::word::Word;

    #[test]
    fn only_what_asks_for_a_version_reads() {
        for (text, reads) in [
            ("java -version", true),
            ("node -v", true),
            ("python3.11 -V", true),
            ("/usr/bin/python3 --version", true),
            ("ruby -v", true),
            // A second word is a program.
            ("ruby -v x.rb", false),
            ("java -showversion Main", false),
            ("python3", false),
            ("python3 -V x.py", false),
            ("node -e x", false),
            ("python3 $", false),
            ("php x.php", false),
        ] {
            let word = |text: &str| if text == "$" { Word::unknown() } else { Word::from(text) };
            let command = Command { words: text.split(' ').map(word).collect(), ..Command::default() };
            let facts = Facts { around: &Nowhere, home: None, cwd: None, own: true, variables: &Unset };
            assert_eq!(judge(&command, &facts) == Report::reads(), reads, "{text}");
        }
        assert!(knows("python3.11") && !knows("python3x"));
        assert!(!knows("javac") && !knows("pythonista"));
    }
}
