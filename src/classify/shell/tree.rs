//! Shell text as it was understood: our own types, which hold nothing of the parser's.

use std::rc::Rc;

/// A text: its commands, one after another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script(pub Vec<Item>);

/// One list of commands joined by `&&` and `||`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The first one.
    pub first: Node,
    /// The others, each of which runs only if it comes to it.
    pub then: Vec<(Joint, Node)>,
    /// Whether it ends with `&`, and so runs in a shell of its own.
    pub background: bool,
}

/// What stands between two commands of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A program, builtin or function with its words.
    Simple(Simple),
    /// Commands joined by `|`, at least two; each runs in a shell of its own.
    Pipeline(Vec<Node>),
    /// `{ …; }` or `( … )`
    Group {
        /// What stands in it.
        body: Script,
        /// `( … )`: in a shell of its own.
        subshell: bool,
        /// For all of it.
        redirects: Vec<Redirect>,
    },
    /// `for x in words; do …; done`
    For {
        /// The variable.
        name: String,
        /// Its values; none: the positional parameters.
        values: Option<Vec<Source>>,
        /// What is done with each.
        body: Script,
        /// For all of it.
        redirects: Vec<Redirect>,
    },
    /// `while`, `until`, and `for ((…))`
    Loop {
        /// Arithmetic that is worked out on the way.
        arithmetic: Vec<Source>,
        /// Run before each round.
        condition: Script,
        /// Run in each round.
        body: Script,
        /// For all of it.
        redirects: Vec<Redirect>,
    },
    /// `if`
    If {
        /// Conditions and what runs if they hold, in their order; the last may have an empty condition (`else`).
        arms: Vec<(Script, Script)>,
        /// For all of it.
        redirects: Vec<Redirect>,
    },
    /// `case`
    Case {
        /// What is compared.
        word: Source,
        /// The patterns of each arm and what runs then.
        arms: Vec<(Vec<Source>, Script)>,
        /// For all of it.
        redirects: Vec<Redirect>,
    },
    /// A function is defined; nothing of it runs yet.
    Function {
        /// Its name.
        name: String,
        /// What a call of it runs.
        body: Rc<Node>,
    },
    /// `[[ … ]]`: its words.
    Test {
        /// The words, expanded to be compared.
        words: Vec<Source>,
        /// For all of it.
        redirects: Vec<Redirect>,
    },
    /// `(( … ))`
    Arithmetic {
        /// The expression's text.
        text: Source,
        /// For all of it.
        redirects: Vec<Redirect>,
    },
    /// `coproc`: in a shell of its own, with pipes that the text can read and write.
    Coprocess(Box<Node>),
}

/// A simple command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Simple {
    /// `name=value` before the words.
    pub assignments: Vec<Assignment>,
    /// The words; the first names what runs.
    pub words: Vec<Source>,
    /// In their order.
    pub redirects: Vec<Redirect>,
    /// As it stands in the text, or near enough for people to find it.
    pub text: String,
}

/// `name=value`, `name+=value`, `name[index]=value`, `name=(values)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The index, if one element of an array is set: expanded, and may run commands.
    pub index: Option<Source>,
    /// The value.
    pub value: Assigned,
    /// `+=`
    pub append: bool,
}

/// What is assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assigned {
    /// One value.
    One(Source),
    /// An array: its values (keys and values of an associative one alike, each expanded).
    Array(Vec<Source>),
}

/// A redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The file descriptor, if it is written: `2` of `2> x`. `{name}` counts as none.
    pub descriptor: Option<u32>,
    /// What is done.
    pub what: Redirection,
}

/// What a redirection does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirection {
    /// `< file`
    Read(Source),
    /// `> file`, `>> file`, `>| file`, `&> file`, `&>> file`
    Write(Source),
    /// `<> file`
    ReadWrite(Source),
    /// `<& 3`, `>& 2`, `>&-`: a descriptor is copied, moved or closed. The word may be a variable.
    Copy(Source),
    /// `<< END`: its body, expanded unless the end mark is quoted.
    HereDocument(Source),
    /// `<<< word`
    HereString(Source),
}

/// A word as it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// As it was typed.
    pub raw: String,
    /// What it is made of.
    pub pieces: Vec<Piece>,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Plain text outside of quotes: braces, wildcards and blanks from expansions mean something here.
    Text(String),
    /// Text that stands for itself: quoted or escaped, ANSI-C escapes decoded.
    Quoted(String),
    /// `~` (empty), `~user`, `~+` and the like, at the beginning of the word or behind `=` or `:` of an assignment.
    Tilde(String),
    /// `$x`, `${x…}`
    Variable {
        /// Which.
        name: Name,
        /// What is made of its value.
        form: Form,
        /// Whether it stands in double quotes.
        quoted: bool,
    },
    /// `$( … )` or backquotes
    Command {
        /// What runs.
        script: Script,
        /// Whether it stands in double quotes.
        quoted: bool,
    },
    /// `<( … )`, `>( … )`
    Process {
        /// What runs.
        script: Script,
        /// `<( … )`: the command reads what it writes.
        output: bool,
    },
    /// `$(( … ))`: what its text is made of, which may run commands.
    Arithmetic(Source),
}

/// Which parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Name {
    /// `$x`
    Named(String),
    /// `$1`
    Positional(u32),
    /// `$@`: each by itself when quoted.
    All,
    /// `$*`: one word when quoted.
    Joined,
    /// `${x[0]}`, `${x[@]}`, `${x[*]}`: an element or all of an array.
    Element {
        /// The array.
        name: String,
        /// The index: expanded, and may run commands.
        index: Source,
    },
    /// `$?`, `$$`, `$!`, `$-`, `$#`, `$0`: never known, and harmless.
    Special(char),
}

/// What is made of a parameter's value. Every word in it is expanded where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The value itself.
    Plain,
    /// `${x:-word}`, `${x-word}`
    Default(Source),
    /// `${x:=word}`, `${x=word}`
    Assign(Source),
    /// `${x:+word}`, `${x+word}`
    Alternative(Source),
    /// `${x:?word}`, `${x?word}`
    Error(Source),
    /// `${#x}`: a number.
    Length,
    /// Anything else (`${x%y}`, `${x/y/z}`, `${x:1:2}`, `${!x}`, `${x@Q}`, …): a value that is not worked out, and the
    /// words in it, which may run commands.
    Other(Vec<Source>),
}
