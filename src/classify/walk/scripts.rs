//! Files of the agent's own machine: scripts that are read to judge them, and what the text itself may do to files.

use super::finding::{Why, written_out};
use super::projects::{Leaves, is_output, leaves};
use super::{Shell, Walk};
use crate::classify::Found;
use crate::classify::effect::{Command, Stdin};
use crate::classify::programs;
use crate::classify::word::Word;
use crate::path::{is_inside, joined, normal};

/// Programs whose changes leave every file's content as it was.
const KEEPING: &[&str] = &[
    "at", "batch", "chmod", "chown", "chgrp", "crontab", "kill", "killall", "mkdir", "pkill", "renice", "sleep",
    "touch",
];

/// What the text does to files while it runs.
#[derive(Default)]
pub(super) struct Files {
    /// What may have changed any file.
    disturbed: Option<String>,
    /// The files that were written.
    written: Vec<String>,
    /// The files and folders that stand among the words of what writes such files.
    named: Vec<String>,
    /// What has built something, or installed it.
    built: Option<String>,
    /// What may have rewritten a project's own descriptions.
    rewritten: Option<String>,
    /// The scripts that were read.
    read: Vec<String>,
    /// The descriptions of projects that were read.
    projects: Vec<String>,
    /// Whether something runs an unknown number of times: then the order of reading and writing says nothing.
    looped: bool,
}

impl Files {
    /// Notes that something runs an unknown number of times.
    pub fn in_loop(&mut self) {
        self.looped = true;
    }

    /// Notes a command that may have changed files; `works`: by a developer's work; `named`: those that its words may mean, if it has to name them.
    pub fn disturbed_by(&mut self, command: &Command, works: bool, named: impl FnOnce() -> Option<Vec<String>>) {
        let name = command.program().unwrap_or("?");
        if KEEPING.contains(&name) {
            return;
        }
        let leaves = leaves(command, works);
        match leaves {
            Leaves::All => self.built = Some(name.to_owned()),
            _ => self.disturbed = Some(name.to_owned()),
        }
        match leaves {
            Leaves::All | Leaves::Descriptions => {}
            Leaves::Others => match named() {
                Some(paths) => self.named.extend(paths),
                None => self.rewritten = Some(name.to_owned()),
            },
            Leaves::Nothing => self.rewritten = Some(name.to_owned()),
        }
    }

    /// Notes what may have rewritten the descriptions of projects.
    pub fn rewritten_by(&mut self, what: &str) {
        self.rewritten = Some(what.to_owned());
    }

    /// Notes descriptions of projects that were read.
    pub fn read_projects(&mut self, paths: Vec<String>) {
        self.projects.extend(paths);
    }

    /// Why a project's own description may not be what it is now.
    pub fn doubt_project(&self, path: &str) -> Option<String> {
        if let Some(program) = &self.rewritten {
            return Some(format!("`{program}` runs before {path} is read and may change it"));
        }
        let written = self.named.iter().chain(&self.written).any(|written| is_inside(path, written));
        written.then(|| format!("the same text writes {path}"))
    }

    /// What may have changed any file.
    pub fn disturbance(&self) -> Option<String> {
        self.disturbed.clone()
    }

    /// Puts what may have changed any file in the place of what was noted of that before.
    pub fn disturb(&mut self, by: Option<String>) -> Option<String> {
        std::mem::replace(&mut self.disturbed, by)
    }

    /// Notes a file that was written; none: it is not known which.
    pub fn written(&mut self, path: Option<String>) {
        match path {
            Some(path) => self.written.push(path),
            None => {
                self.disturbed = Some("a redirection".into());
                self.rewritten = Some("a redirection".into());
            }
        }
    }

    /// Whether the text writes any file by name.
    pub fn writes_any(&self) -> bool {
        !self.written.is_empty()
    }

    /// Whether a file is one that the text writes by name.
    pub fn writes(&self, path: &str) -> bool {
        self.written.iter().any(|written| is_inside(path, written))
    }

    /// Why a file may not be what it is now when it comes to it.
    fn doubt(&self, path: &str) -> Option<String> {
        if let Some(program) = &self.disturbed {
            return Some(format!("`{program}` runs before {path} and may change it"));
        }
        if let Some(program) = self.built.as_ref().filter(|_| is_output(path)) {
            return Some(format!("`{program}` runs before {path} and may write it"));
        }
        self.writes(path).then(|| format!("the same text writes {path}"))
    }

    /// Why what was read may not have been what ran.
    pub fn fault(&self) -> Option<String> {
        if !self.looped {
            return None;
        }
        let scripts = self.read.iter().find_map(|path| self.doubt(path));
        scripts.or_else(|| self.projects.iter().find_map(|path| self.doubt_project(path)))
    }
}

impl Walk<'_> {
    /// A path of the agent's own machine as it is, absolute.
    pub(super) fn absolute(&self, path: &str, shell: &Shell) -> Option<String> {
        if path.is_empty() {
            return None;
        }
        joined(path, shell.env.cwd.as_deref()).map(|path| normal(&path))
    }

    /// Every path that the words of a command may mean; none: the folder in which it runs is not known.
    pub(super) fn paths_named(&self, command: &Command, shell: &Shell) -> Option<Vec<String>> {
        let mut paths = Vec::new();
        for word in command.arguments() {
            let text = word.beginning();
            // What a wildcard finds lies in the folder before it.
            let text =
                if word.known().is_some() { text } else { text.rsplit_once('/').map_or("", |(folder, _)| folder) };
            let glued = text.find('/').filter(|_| text.starts_with('-')).and_then(|at| text.get(at..));
            let starts = [Some(text), text.split_once('=').map(|(_, rest)| rest), glued];
            for start in starts.into_iter().flatten().filter(|start| !start.is_empty()) {
                let path = self.absolute(start, shell)?;
                paths.push(self.around.real_path(&path));
                paths.push(path);
            }
        }
        Some(paths)
    }

    /// Reads a file of the agent's own machine that is about to be run.
    ///
    /// # Errors
    /// Why it can't be judged.
    pub(super) fn script_file(&mut self, path: &Word, shell: &Shell) -> Result<String, Why> {
        let Some(name) = path.known() else {
            if path.begins_with(super::judge::PROCESS) {
                return Err("what it runs is the output of another command, which is only known when it runs".into());
            }
            let why = format!("which file `{}` is can only be told when it runs", path.shown());
            return Err(Why::new(why, written_out(std::slice::from_ref(path))));
        };
        if !shell.place.has_own_files() {
            return Err(format!("{name} is a file of that machine, which can't be read from here").into());
        }
        let whole = self.absolute(name, shell).ok_or_else(|| format!("in which folder {name} lies is not known"))?;
        // Behind a link `..` leads elsewhere than the path says.
        let typed = joined(name, shell.env.cwd.as_deref()).unwrap_or_default();
        if name.contains("..") && normal(&self.around.real_path(&typed)) != self.around.real_path(&whole) {
            return Err(format!("`..` in {name} leads through a link").into());
        }
        if is_each_processs_own(&whole) || is_each_processs_own(&self.around.real_path(&whole)) {
            return Err(format!("{whole} is another file for each process").into());
        }
        if let Some(why) = self.files.doubt(&whole).or_else(|| self.files.doubt(&self.around.real_path(&whole))) {
            return Err(Why::new(why, Some("run it in a call of its own, when the file is what it will be".into())));
        }
        let bytes = match self.around.file(&whole) {
            Found::File(bytes) => bytes,
            Found::Nothing => return Err(format!("{whole} is not there").into()),
            Found::Unreadable => {
                return Err(format!("{whole} can't be read, or is no file, or too long to be judged").into());
            }
        };
        self.files.read.push(whole.clone());
        let text = std::str::from_utf8(&bytes).map(str::to_owned).map_err(|_| format!("{whole} is no text"))?;
        self.scripts.push(bytes);
        Ok(text)
    }

    /// A file that a shell reads.
    pub(super) fn shell_file(
        &mut self,
        path: &Word,
        arguments: Vec<Word>,
        stdin: Stdin,
        text: &str,
        shell: &mut Shell,
        here: bool,
    ) {
        match self.script_file(path, shell) {
            Ok(script) => {
                let arguments = std::iter::once(path.clone()).chain(arguments).collect();
                self.shell_text(&script, arguments, stdin, shell, here);
            }
            Err(why) => {
                self.doubt(text, why, shell);
                if here {
                    shell.env.forget_all();
                }
            }
        }
    }

    /// A shell that reads its commands on stdin: one of its own, or this one (`source /dev/stdin`).
    pub(super) fn shell_stdin(&mut self, stdin: Stdin, text: &str, shell: &mut Shell, here: bool) {
        // Which parameters it was given (`bash -s a b`) is not followed: so they are not known, and not empty.
        let arguments = vec![Word::unknown(), Word::unknown_many()];
        let why = match stdin {
            Stdin::Inherited | Stdin::Nothing => return self.quiet(text, shell),
            Stdin::Text(script) => match script.known() {
                Some(script) => return self.shell_text(script, arguments, Stdin::Unknown, shell, here),
                None => "what it reads on stdin, and runs, is only known when it runs",
            },
            Stdin::File(path) => {
                return self.shell_file(&path, vec![Word::unknown_many()], Stdin::Unknown, text, shell, here);
            }
            Stdin::Unknown => "what it reads on stdin, and runs, is not known",
        };
        self.doubt(text, why, shell);
        if here {
            shell.env.forget_all();
        }
    }

    /// What another machine gets on stdin: a file here is read here.
    pub(super) fn sent(&mut self, stdin: Stdin, shell: &Shell) -> Stdin {
        match stdin {
            Stdin::File(path) => {
                self.script_file(&path, shell).map_or(Stdin::Unknown, |text| Stdin::Text(Word::known_as(text)))
            }
            other => other,
        }
    }

    /// The interpreter that a path leads to, if that is one of the machine's or the user's own: `.venv/bin/python`.
    fn interpreter_at(&self, path: &str, shell: &Shell) -> Option<String> {
        let name =
            path.rsplit('/').next().filter(|name| INTERPRETERS.contains(name) || programs::python::knows(name))?;
        let whole = self
            .absolute(path, shell)
            .filter(|whole| shell.place.has_own_files() && self.files.doubt(whole).is_none())?;
        let real = self.around.real_path(&whole);
        let (folder, real_name) = real.rsplit_once('/')?;
        // Where programs that manage the releases of a language put them.
        const MANAGED: &[&str] = &[
            ".pyenv/versions",
            ".nvm/versions",
            ".local/share/uv/python",
            ".rbenv/versions",
            ".asdf/installs",
            ".local/share/mise/installs",
        ];
        let home = self.home.as_deref()?;
        let managed =
            MANAGED.iter().any(|below| is_inside(folder, &format!("{home}/{below}"))) && folder.ends_with("/bin");
        let same = real_name == name || programs::python::knows(real_name) && programs::python::knows(name);
        (same && (managed || super::judge::SYSTEM.contains(&folder))).then(|| name.to_owned())
    }

    /// A program that is called by its path: a script is read, anything else is not known.
    pub(super) fn file_as_program(&mut self, path: &str, command: &Command, text: &str, shell: &mut Shell) {
        if let Some(name) = self.interpreter_at(path, shell) {
            let words = std::iter::once(Word::known_as(name)).chain(command.arguments().iter().cloned());
            let command = Command { words: words.collect(), stdin: command.stdin.clone() };
            return self.program(&command, text, shell);
        }
        let script = self.script_file(&Word::known_as(path), shell);
        let result = script.and_then(|script| match interpreter(&script) {
            Some(Interpreter::Shell) => Ok((script, vec![])),
            Some(Interpreter::Other(words)) => Ok((script, words)),
            None => Err(format!("{path} is in no catalog, and no shell script").into()),
        });
        let result = result.and_then(|(script, interpreter)| match interpreter.first() {
            Some(name) if !INTERPRETERS.contains(&name.as_str()) && !programs::python::knows(name) => {
                Err(format!("{path} is a program for {name}, which is not read").into())
            }
            _ => Ok((script, interpreter)),
        });
        let result = match result {
            Ok((_, interpreter)) if !interpreter.is_empty() => {
                let own = interpreter.iter().map(|word| Word::known_as(word.as_str()));
                let words = own.chain(std::iter::once(Word::known_as(path))).chain(command.arguments().iter().cloned());
                let command = Command { words: words.collect(), stdin: command.stdin.clone() };
                return self.program(&command, text, shell);
            }
            Ok((script, _)) => Ok(script),
            Err(why) => Err(why),
        };
        match result {
            Ok(script) => {
                self.shell_text(&script, command.words.clone(), command.stdin.clone(), shell, false);
            }
            Err(why) => {
                if shell.place.has_own_files() {
                    self.files.disturbed_by(command, false, || None);
                }
                self.doubt(text, why, shell);
            }
        }
    }
}

/// Whether what a path means depends on who opens it: what the guard would read there is not what the command does.
pub(super) fn is_each_processs_own(path: &str) -> bool {
    is_inside(path, "/proc") || is_inside(path, "/dev")
}

/// Programs that a script's first line may name, beside shells: each is judged as if it were called with the script.
const INTERPRETERS: &[&str] =
    &["bun", "deno", "node", "nodejs", "perl", "php", "pypy3", "ruby", "ts-node", "tsx", "uv"];

enum Interpreter {
    Shell,
    /// The program and its options.
    Other(Vec<String>),
}

/// What a script's first line says that it is for.
fn interpreter(script: &str) -> Option<Interpreter> {
    let line = script.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_ascii_whitespace();
    let first = words.next()?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let program = if name(first) == "env" { words.find(|word| !word.starts_with('-')).map(name)? } else { name(first) };
    if matches!(program.as_str(), "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "mksh") {
        Some(Interpreter::Shell)
    } else {
        Some(Interpreter::Other(std::iter::once(program).chain(words.map(str::to_owned)).collect()))
    }
}
