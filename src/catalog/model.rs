//! What a catalog can say of one tool or sub-command.

use std::fmt;

/// Whose table it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner<'a> {
    /// An MCP server by the name under which clients configure it, or `""` for the agent host's own tools.
    Server(&'a str),
    /// A program of the command line.
    Program(&'a str),
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name) = match self {
            Owner::Server(name) => ("server", name),
            Owner::Program(name) => ("program", name),
        };
        let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if bare { write!(f, "[{kind}.{name}]") } else { write!(f, "[{kind}.\"{name}\"]") }
    }
}

/// What is said of the tools that a name or glob stands for. Arguments are dotted paths into the tool's input;
/// an empty one was not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule<'a> {
    /// Changes no guest.
    ReadOnly,
    /// To be asked about, whatever a lower layer says.
    Unknown,
    /// Changes the guest that `vm` names.
    Mutating {
        /// Where the guest's name is: a string or a list of strings.
        vm: &'a str,
        /// A text with `{argument}`s for the tag.
        action: &'a str,
    },
    /// Does what a text says.
    Script {
        /// Where the guest's name is; not given: the agent's own machine, or one that the server fixes.
        vm: &'a str,
        /// Where the text is.
        script: &'a str,
        /// What it is written in.
        language: Language,
    },
    /// Changes nothing, but names the guest for later calls of the session.
    Opens {
        /// Where the guest's name is.
        vm: &'a str,
        /// The argument of later calls that holds the id this call answers.
        id: &'a str,
    },
    /// Changes something on the agent's own machine: a change of a guest only where that machine is one (`this_vm`).
    /// Of a program: a developer's work, which depends on the project.
    Local,
    /// Writes a file of the agent's own machine: a change of a guest only where that folder is a guest's disk.
    Writes {
        /// Where the file's path is.
        path: &'a str,
    },
    /// A program's option that turns what would change something into reading.
    DryRun,
    /// A program's option whose value is the next word.
    Value,
    /// How a program's words are read; the entry's pattern is `true`.
    Manner(Manner),
}

/// How a program's words are read, where that differs from what most programs do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Long options stand behind one dash, and letters are not grouped.
    SingleDash,
    /// An option that is not listed makes the command unknown.
    OnlyListed,
    /// Sub-commands may be shortened.
    Abbreviates,
}

impl Manner {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::SingleDash, Self::OnlyListed, Self::Abbreviates];

    /// The key of a catalog that says so.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::SingleDash => "single_dash",
            Self::OnlyListed => "only_listed",
            Self::Abbreviates => "abbreviates",
        }
    }
}

impl Rule<'_> {
    /// The key of the catalog under which such an entry stands.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::Unknown => "unknown",
            Self::Mutating { .. } => "mutating",
            Self::Script { .. } => "script",
            Self::Opens { .. } => "opens",
            Self::Local => "local",
            Self::Writes { .. } => "writes",
            Self::DryRun => "dry_run",
            Self::Value => "values",
            Self::Manner(manner) => manner.key(),
        }
    }

    /// How strict it is: of two entries that fit equally well, the higher one wins.
    #[must_use]
    pub fn strictness(&self) -> u8 {
        match self {
            Self::ReadOnly | Self::DryRun | Self::Value | Self::Manner(_) => 0,
            Self::Opens { .. } => 1,
            Self::Local => 2,
            Self::Writes { .. } => 3,
            // May turn out to be anything.
            Self::Script { .. } => 4,
            Self::Unknown => 5,
            Self::Mutating { .. } => 6,
        }
    }
}

/// A rule and the name or glob it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The tool, or a program's sub-command or option; may be a glob. Of a program it may be empty: no sub-command.
    pub pattern: &'a str,
    /// What is said of it.
    pub rule: Rule<'a>,
}

macro_rules! languages {
    ($($variant:ident $name:literal,)+) => {
        /// What the text of a script entry is written in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Language {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
        }

        impl Language {
            /// The names that a catalog may use.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The language of that name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// Its name in a catalog.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

languages! {
    Sh "sh",
    PowerShell "powershell",
    Cmd "cmd",
    Sql "sql",
    Redis "redis",
    MongoDb "mongodb",
    Python "python",
    JavaScript "javascript",
    Ruby "ruby",
    Perl "perl",
    Php "php",
    Ansible "ansible",
    Kubectl "kubectl",
    Aws "aws",
    Gcloud "gcloud",
    Helm "helm",
}
