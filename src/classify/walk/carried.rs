//! What a command runs: at the same place, in another folder or root, or on other machines.

use super::finding::{Why, written_out};
use super::shell::Input;
use super::{Shell, Walk};
use crate::classify::effect::{At, Command, Run, Stdin, What};
use crate::classify::word::Word;

impl Walk<'_> {
    /// Follows what a command runs.
    pub(super) fn run(&mut self, run: Run, text: &str, shell: &mut Shell) {
        let Run { what, at, stdin } = run;
        match at {
            At::Here => self.what(what, stdin, text, shell, true),
            At::Child => {
                let mut inner = shell.sub();
                self.what(what, stdin, text, &mut inner, false);
            }
            At::Folder(folder) => {
                let mut inner = shell.sub();
                inner.env.cwd = folder.known().and_then(|path| self.absolute(path, shell)).map(Into::into);
                self.what(what, stdin, text, &mut inner, false);
            }
            At::Inside => self.run_inside(Run { what, at, stdin }, &[], text, shell),
            At::Hosts(hosts) => {
                let stdin = self.sent(stdin, shell);
                for host in &hosts {
                    if self.stopped {
                        return;
                    }
                    if let Some(found) = self.through_tunnels(host, &shell.place) {
                        self.finding(text, found, None, shell);
                    }
                    let place = shell.place.at(host);
                    if place.depth() > super::DEEPEST {
                        return self.doubt(text, "it goes through more machines than are followed", shell);
                    }
                    self.what(what.clone(), stdin.clone(), text, &mut Shell::new(place, None), false);
                }
            }
        }
    }

    /// Follows what runs in another root, with these variables set there and no others.
    pub(super) fn run_inside(&mut self, run: Run, given: &[(String, Word)], text: &str, shell: &Shell) {
        let stdin = self.sent(run.stdin, shell);
        let mut inside = Shell::new(shell.place.inside(), None);
        // Another root keeps the environment, and a container is given some of it.
        inside.env.take_daemon(&shell.env);
        for (name, value) in given {
            inside.env.set(name, value.clone());
            inside.env.export(name);
        }
        self.what(run.what, stdin, text, &mut inside, false);
    }

    fn what(&mut self, what: What, stdin: Stdin, text: &str, shell: &mut Shell, here: bool) {
        match what {
            What::Words(words) => {
                let inner = Command { words, stdin };
                if inner.words.is_empty() || self.stopped {
                    return;
                }
                if self.nested >= super::MOST_NESTED {
                    return self.too_deep();
                }
                // What a person sees is the part that runs.
                let shown = Word::joined(&inner.words).shown();
                // Each of them goes through all words that are left.
                self.spend(shown.len());
                if self.count(&shown) {
                    self.nested += 1;
                    self.plain(&inner, &shown, shell);
                    self.nested -= 1;
                }
            }
            What::Shell { text: script, arguments } => match script.known() {
                Some(script) => self.shell_text(script, arguments, stdin, shell, here),
                None => {
                    let why = "what that says is only known when it runs";
                    let mend = written_out(std::slice::from_ref(&script));
                    self.doubt(&script.shown(), Why::new(why, mend), shell);
                    if here {
                        shell.env.forget_all();
                    }
                }
            },
            What::ShellFile { path, arguments } => self.shell_file(&path, arguments, stdin, text, shell, here),
            What::ShellStdin => self.shell_stdin(stdin, text, shell, here),
            What::Other { language, code } => self.other(language, code, stdin, text, shell),
        }
    }

    /// Follows a text that a shell of its own, or this one, reads.
    pub(super) fn shell_text(
        &mut self,
        script: &str,
        arguments: Vec<Word>,
        stdin: Stdin,
        shell: &mut Shell,
        here: bool,
    ) {
        if here {
            let fed = shell.feed(stdin);
            self.text(script, shell);
            shell.fed(fed);
        } else {
            let positional = if arguments.iter().any(Word::is_many) {
                None
            } else {
                Some(arguments.get(1..).unwrap_or_default().to_vec())
            };
            let mut env = shell.env.child(vec![]);
            env.positional = positional.map(Into::into);
            let mut inner = Shell { env, place: shell.place.clone(), stdin: Input::new(stdin), traps: vec![] };
            self.whole(script, &mut inner);
        }
    }
}
