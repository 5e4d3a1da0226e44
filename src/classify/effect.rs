//! What one command of a shell text does, in words that hold for every program. Pure.

use super::word::Word;
use super::{DecidedBy, Surroundings};

/// A command as it will run: a program, its words, and what comes to its stdin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// What it reads on stdin.
    pub stdin: Stdin,
}

/// What a command reads on stdin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stdin {
    /// What the agent's shell has there: nothing that could be a script.
    #[default]
    Inherited,
    /// Nothing (`/dev/null`, `ssh -n`).
    Nothing,
    /// This text: a here-document, a here-string, or the output of a command that is known.
    Text(Word),
    /// A file's content.
    File(Word),
    /// Something that is not known.
    Unknown,
}

impl Command {
    /// The program as it is called, if it is known.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        self.words.first()?.known()
    }

    /// The words behind the program.
    #[must_use]
    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }
}

/// What a judge of a program may know besides the command.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The disk of the agent's machine.
    pub around: &'a dyn Surroundings,
    /// The home folder of the agent's user.
    pub home: Option<&'a str>,
    /// The folder in which the command runs, if it runs on the agent's own machine and it is known.
    pub cwd: Option<&'a str>,
    /// Whether it runs on the agent's own machine, so that its files are those that `around` shows.
    pub own: bool,
    /// What the text has set in its environment.
    pub variables: &'a dyn Variables,
}

/// Variables of the environment that the text itself has set before it comes to a command.
pub trait Variables {
    /// What a command finds in a variable; none: whatever the text was started with. A value may be unknown, also since it
    /// can't be told whether the variable is exported.
    fn variable(&self, name: &str) -> Option<Word>;

    /// The same for one that the text has set by its name: what may have been set together with any others, by words that
    /// can't be told (`export $(…)`), is taken for what the text was started with.
    fn by_name(&self, name: &str) -> Option<Word> {
        self.variable(name)
    }
}

/// The text has set nothing.
pub struct Unset;

impl Variables for Unset {
    fn variable(&self, _: &str) -> Option<Word> {
        None
    }
}

/// What a command does: everything that holds at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// What it does; nothing in it: it only reads.
    pub effects: Vec<Effect>,
    /// The catalog's entry that says so, if one does.
    pub by: Option<DecidedBy>,
}

impl Report {
    /// It only reads.
    #[must_use]
    pub fn reads() -> Self {
        Self::default()
    }

    /// One thing.
    #[must_use]
    pub fn of(effect: Effect) -> Self {
        Self { effects: vec![effect], by: None }
    }

    /// It can't be told; why, in words that follow a "since".
    #[must_use]
    pub fn unknown(why: impl Into<String>) -> Self {
        Self::of(Effect::Unknown(why.into()))
    }

    /// It changes the machine on which it runs; how, in words that follow "it".
    #[must_use]
    pub fn changes(how: impl Into<String>) -> Self {
        Self::of(Effect::Changes(how.into()))
    }

    /// It runs this and does nothing else of note.
    #[must_use]
    pub fn runs(run: Run) -> Self {
        Self::of(Effect::Runs(run))
    }
}

/// One thing that a command does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// What the catalog's table `[program.*]` of the program says of its words, and if there is none: that it can't be told.
    Table,
    /// It changes the machine on which it runs: on the agent's own that is no guest's change, unless that is a guest.
    Changes(String),
    /// Work of a developer's (builds, tests, packages of a project): nothing to ask on the agent's own machine, but what
    /// it runs depends on the project, so it is unknown on a guest.
    Works(String),
    /// It changes these machines, whatever machine it runs on.
    ChangesAt {
        /// The machines.
        hosts: Vec<Host>,
        /// How.
        how: String,
    },
    /// It changes these virtual machines, which a hypervisor or a cloud is asked to do: from a guest nobody knows which
    /// hypervisor that is.
    ChangesVm {
        /// The machines, as they are called there.
        vms: Vec<Host>,
        /// How.
        how: String,
    },
    /// It can't be told what it changes.
    Unknown(String),
    /// It can't be told what it changes on a guest, since a word may turn out to be an option. On the agent's own machine
    /// nobody would put an option there that reaches another one.
    UnknownOnGuest(String),
    /// It can't be told what it changes on these machines.
    UnknownAt {
        /// The machines.
        hosts: Vec<Host>,
        /// Why.
        why: String,
    },
    /// From now on a folder of the machine on which it runs is a disk of another one.
    Mounts {
        /// The folder.
        folder: Word,
        /// The other machine.
        host: Host,
    },
    /// From now on a port of the machine on which it runs leads to these ones: what is called loopback there may be one of
    /// them, and what goes to it later, in another call, can't be seen.
    Forwards {
        /// The machines.
        hosts: Vec<Host>,
        /// Why it can't be told what it changes.
        why: String,
    },
    /// It writes, moves or deletes this file or folder of the machine on which it runs.
    Writes(Word),
    /// It sets a variable in the environment of what it runs.
    Sets {
        /// The variable.
        name: String,
        /// Its value.
        value: Word,
    },
    /// It runs something.
    Runs(Run),
}

/// Something that a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What.
    pub what: What,
    /// Where.
    pub at: At,
    /// What that reads on stdin.
    pub stdin: Stdin,
}

/// What runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A program with its words, as they are.
    Words(Vec<Word>),
    /// Text that a shell reads.
    Shell {
        /// The text.
        text: Word,
        /// `$0`, `$1` and so on.
        arguments: Vec<Word>,
    },
    /// A file that a shell reads.
    ShellFile {
        /// The file.
        path: Word,
        /// `$1` and so on.
        arguments: Vec<Word>,
    },
    /// A shell that reads its commands on the run's stdin; on a terminal or without stdin it runs nothing by itself.
    ShellStdin,
    /// Code in another language than that of shells.
    Other {
        /// Which.
        language: Language,
        /// Where it is from.
        code: Code,
    },
}

/// A language other than that of shells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// PowerShell, of any release.
    PowerShell,
    /// What the command processor of Windows reads, on its command line or in a batch file.
    Cmd,
    /// A program for Python 3.
    Python,
    /// A program for Node.js, Deno or Bun, TypeScript included.
    JavaScript,
    /// A program for Ruby.
    Ruby,
    /// A program for Perl 5.
    Perl,
    /// A program for PHP, which begins outside of `<?php`.
    Php,
}

/// Where code is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// This text.
    Text(Word),
    /// A file.
    File(Word),
    /// The run's stdin; on a terminal or without stdin it runs nothing by itself.
    Stdin,
}

/// Where something runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// Where the command itself runs, in the same shell: what it sets stays set (`eval`, `source`).
    Here,
    /// Where the command itself runs, as a process of its own: functions of the shell mean nothing to it.
    Child,
    /// The same, in another folder.
    Folder(Word),
    /// On the same machine, in a container or another root: its files and functions are others.
    Inside,
    /// On these machines.
    Hosts(Vec<Host>),
}

/// A machine as a command names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    /// By name or address: as it was typed, and, where the user's ssh config says that another one is reached, that one.
    Named {
        /// As it was typed, without user and port.
        typed: String,
        /// What is really reached, if that differs.
        real: Option<String>,
    },
    /// The machine on which the command runs (loopback).
    Same,
    /// One that can't be told; why.
    Unknown(String),
}

impl Host {
    /// A machine by the name that was typed.
    #[must_use]
    pub fn named(typed: impl Into<String>) -> Self {
        Self::Named { typed: typed.into(), real: None }
    }
}
