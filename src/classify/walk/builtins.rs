//! Commands that a shell runs itself and that only change what the shell knows.

use super::assigned::Assigned;
use super::{Shell, Walk, indices};
use crate::classify::effect::{Command, Report};
use crate::classify::shell::tree::{Piece, Source};
use crate::classify::word::Word;
use crate::path::{joined, normal};

/// Builtins that take assignments as arguments.
pub(super) fn is_declaration(name: &str) -> bool {
    matches!(name, "export" | "declare" | "typeset" | "local" | "readonly")
}

/// Builtins that change nothing which is followed here, and nothing else.
const HARMLESS: &[&str] = &[
    ":", "fg", "bg", "disown", "times", "suspend", "caller", "umask", "ulimit", "shopt", "type", "help", "dirs",
    "complete", "compopt", "bindkey", "setopt", "unsetopt", "rehash", "sleep", "usleep",
];

/// Signals whose traps run between commands.
const BEHIND_COMMANDS: &[&str] = &["DEBUG", "ERR", "RETURN", "ZERR", "CHLD", "17"];

impl Walk<'_> {
    /// Follows a builtin; false: it is none, or one that is judged like a program.
    pub(super) fn builtin(&mut self, command: &Command, text: &str, shell: &mut Shell) -> bool {
        let Some((name, arguments)) = command.program().map(|name| (name, command.arguments())) else {
            return false;
        };
        if indices::names(name, arguments).iter().any(indices::runs) {
            self.doubt(text, "an index in it may run a command", shell);
            return true;
        }
        match name {
            "jobs" if arguments.iter().any(|word| may_hold(word, &['x'])) => {
                self.doubt(text, "its option -x runs a command", shell);
                return true;
            }
            "jobs" => {}
            "wait" => {
                for name in arguments.iter().filter_map(Word::known) {
                    shell.env.forget(name);
                }
            }
            "cd" | "chdir" => shell.env.cwd = self.folder(arguments, shell).map(Into::into),
            "pushd" | "popd" => shell.env.cwd = None,
            "exit" | "return" | "break" | "continue" | "logout" => {
                for frame in &mut self.exits {
                    frame.push(shell.env.clone());
                }
            }
            "unset" => {
                for word in arguments {
                    match word.known() {
                        Some(name) => {
                            shell.env.unset(name);
                            shell.env.doubt_function(name);
                        }
                        None => shell.env.forget_all(),
                    }
                }
            }
            "read" | "mapfile" | "readarray" | "getopts" => {
                shell.env.forget(if name == "read" { "REPLY" } else { "MAPFILE" });
                shell.env.forget("OPTARG");
                // `mapfile -C` runs a text for every few lines.
                if name != "read" && arguments.iter().any(|word| !word.is_fitting() || word.may_begin_with("-C")) {
                    self.doubt(text, "its option -C runs a text", shell);
                    return true;
                }
                for word in arguments {
                    match word.known() {
                        Some(name) => self.fills(name, shell),
                        None => shell.env.forget_all(),
                    }
                }
            }
            "let" => {
                for word in arguments {
                    match word.known() {
                        Some(text) => {
                            for name in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
                                shell.env.forget(name);
                            }
                        }
                        None => shell.env.forget_all(),
                    }
                }
            }
            "printf" => {
                if let [option, name, ..] = arguments
                    && option.may_begin_with("-v")
                {
                    match name.known() {
                        Some(name) => self.fills(name, shell),
                        None => shell.env.forget_all(),
                    }
                }
                return false;
            }
            "set" => {
                let keyword = |word: &Word| match word.known() {
                    Some(text) => text == "keyword" || (text.starts_with('-') && text.contains('k')),
                    None => false,
                };
                if arguments.iter().take_while(|word| word.known() != Some("--")).any(keyword) {
                    self.doubt(text, "with its option -k words set variables wherever they stand", shell);
                }
                set(arguments, shell);
            }
            "shift" => {
                let by = match arguments {
                    [] => Some(1),
                    [word] => word.known().and_then(|text| text.parse::<usize>().ok()),
                    _ => None,
                };
                shell.env.positional = match (&shell.env.positional, by) {
                    (Some(list), Some(by)) if !list.iter().take(by).any(Word::is_many) => {
                        list.get(by..).map(Into::into)
                    }
                    _ => None,
                };
            }
            "alias" => {
                // zsh's options: one that stands for a word anywhere, or for a kind of file.
                if arguments.iter().any(|word| word.may_begin_with("+") || may_hold(word, &['g', 's', 'm'])) {
                    self.doubt(text, "it may define an alias that stands for any word", shell);
                    return true;
                }
                for word in arguments {
                    match (word.split_once('='), word.known()) {
                        (Some((name, text)), _) => match name.known() {
                            Some(name) => shell.env.alias(name, text.known()),
                            None => self.doubt(
                                text.known().unwrap_or("alias"),
                                "it defines an alias that is not known",
                                shell,
                            ),
                        },
                        (None, Some(_)) => {}
                        (None, None) => self.doubt(text, "it may define an alias that is not known", shell),
                    }
                }
            }
            // A function or a program may make the list, and the words of one are expanded.
            "compgen" if arguments.iter().any(|word| may_hold(word, &['C', 'F', 'W'])) => {
                self.doubt(text, "what makes its list may run anything", shell);
                return true;
            }
            "compgen" => {}
            // Whatever it stood for may still hold: both count.
            "unalias" => {}
            "trap" => self.trap(arguments, shell),
            "command" | "builtin" => return self.command_builtin(name, arguments, command, text, shell),
            "exec" if arguments.is_empty() => shell.reopen(command.stdin.clone()),
            "hash" if !arguments.iter().any(|word| word.may_be_option() && word.known() != Some("-r")) => {}
            "hash" | "enable" | "fc" | "bind" | "zmodload" | "autoload" | "emulate" => {
                self.doubt(text, format!("`{name}` can change what a name means, or run what was run before"), shell);
                return true;
            }
            "history" if arguments.is_empty() => {}
            // What runs in the background goes on when the shell has ended.
            "disown" => {
                let report = Report::changes("leaves what runs in the background running");
                self.report(report, command, text, shell);
                return true;
            }
            name if HARMLESS.contains(&name) => {}
            _ => return false,
        }
        self.quiet(text, shell);
        true
    }

    /// Sets a variable to something that is not known.
    pub(super) fn fills(&mut self, name: &str, shell: &mut Shell) {
        let counted = Source { raw: "…".into(), pieces: vec![] };
        let source = Source { raw: "…".into(), pieces: vec![Piece::Arithmetic(counted)] };
        self.chooses(name, &Word::unknown(), &source, shell);
        shell.env.forget(name);
    }

    /// `command` and `builtin` leave functions and aliases aside.
    fn command_builtin(
        &mut self,
        name: &str,
        arguments: &[Word],
        command: &Command,
        text: &str,
        shell: &mut Shell,
    ) -> bool {
        let mut rest = arguments;
        while let Some((first, behind)) = rest.split_first() {
            match first.known() {
                Some("-p" | "--") if name == "command" => rest = behind,
                Some("-v" | "-V" | "-pv" | "-pV" | "-vp" | "-Vp") if name == "command" => {
                    self.quiet(text, shell);
                    return true;
                }
                _ => break,
            }
        }
        if rest.is_empty() {
            self.quiet(text, shell);
            return true;
        }
        if rest.first().is_some_and(Word::may_be_option) || rest.first().and_then(Word::known).is_none() {
            self.doubt(text, "which program that is can only be told when it runs", shell);
            return true;
        }
        let inner = Command { words: rest.to_vec(), stdin: command.stdin.clone() };
        self.plain(&inner, text, shell);
        true
    }

    /// The folder that `cd` goes to.
    fn folder(&self, arguments: &[Word], shell: &Shell) -> Option<String> {
        // Only the system knows where `..` leads behind a link.
        let option = |word: &Word| word.known().is_some_and(|text| text.starts_with('-') && text.len() > 1);
        let physical = arguments.iter().any(|word| option(word) && word.known().is_some_and(|text| text.contains('P')));
        if physical && arguments.iter().any(|word| word.known().is_none_or(|path| path.contains(".."))) {
            return None;
        }
        let mut words = arguments.iter().filter(|word| !matches!(word.known(), Some("--" | "-P" | "-L" | "-e" | "-@")));
        match (words.next(), words.next()) {
            (None, _) => shell.env.variable("HOME").map_or_else(
                || shell.place.has_own_files().then(|| self.home.clone()).flatten(),
                |home| home.known().map(str::to_owned),
            ),
            (Some(word), None) => {
                let path = word.known().filter(|path| !path.is_empty() && !path.starts_with('-'))?;
                // `CDPATH` may lead elsewhere.
                if shell.env.variable("CDPATH").is_some() {
                    return None;
                }
                joined(path, shell.env.cwd.as_deref()).map(|path| normal(&path))
            }
            _ => None,
        }
    }
}

/// Whether a word may be a group of letters with one of these in it.
fn may_hold(word: &Word, letters: &[char]) -> bool {
    word.may_be_option() && (word.known().is_none() || word.beginning().contains(letters))
}

/// `set -- a b` sets the positional parameters.
fn set(arguments: &[Word], shell: &mut Shell) {
    let mut rest = arguments;
    while let Some((first, behind)) = rest.split_first() {
        match first.known() {
            Some("--") => {
                shell.env.positional = if behind.iter().any(Word::is_many) { None } else { Some(behind.into()) };
                return;
            }
            // These take the next word along.
            Some(option) if option.starts_with(['-', '+']) && option.ends_with('o') && option.len() > 1 => {
                rest = behind.get(1..).unwrap_or_default();
            }
            Some(option) if option.starts_with(['-', '+']) && option.len() > 1 => rest = behind,
            _ => {
                shell.env.positional = None;
                return;
            }
        }
    }
}

impl Walk<'_> {
    /// `trap 'text' SIGNAL…`
    fn trap(&mut self, arguments: &[Word], shell: &mut Shell) {
        let mut words = arguments.iter().filter(|word| word.known() != Some("--"));
        let Some(first) = words.next() else { return };
        match first.known() {
            // Takes one back, ignores the signal, or only lists.
            Some("-" | "" | "-p" | "-l" | "-P") => {}
            // One word names a signal whose trap is taken back.
            _ if !first.is_many() && words.next().is_none() => {}
            text => {
                // One that runs behind commands may run before what stands below is defined.
                let behind = |word: &Word| {
                    word.known().is_none_or(|name| BEHIND_COMMANDS.contains(&name.trim_start_matches("SIG")))
                };
                if let Some(text) = text
                    && arguments.iter().skip(1).any(behind)
                {
                    let mut inner = shell.sub();
                    inner.env.forget_values();
                    self.whole(text, &mut inner);
                    // What it sets, it may set between any two commands.
                    if let Ok(script) = self.parse(text) {
                        Assigned::of(&[&script], &shell.env).keep_unknown(&mut shell.env);
                    }
                }
                shell.traps.push(first.clone());
            }
        }
    }
}
