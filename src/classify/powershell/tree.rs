//! What a PowerShell text was read as. Pure.

use std::rc::Rc;

/// Statements with the parameters in front of them: a whole text, a script block, a body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// Its text, without braces.
    pub raw: String,
    /// What `param(…)` names, in its order.
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub statements: Vec<Statement>,
    /// Where in `raw` each statement ends.
    pub ends: Vec<usize>,
}

/// A parameter of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What stands in its attributes.
    pub runs: Vec<Expr>,
    /// What it is if nothing is given.
    pub default: Option<Expr>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Pipelines joined by `&&` and `||`.
    Chain(Vec<Pipeline>),
    /// An assignment.
    Assign {
        /// What is set.
        targets: Vec<Expr>,
        /// Whether it is a plain `=`.
        plain: bool,
        /// To what.
        value: Box<Statement>,
        /// Its text.
        text: String,
    },
    /// Conditions that are worked out, and bodies that may run, any number of times if it is a loop.
    Flow {
        /// Conditions.
        heads: Vec<Statement>,
        /// Bodies.
        bodies: Vec<Block>,
        /// Whether it is a loop.
        loops: bool,
    },
    /// `foreach ($name in list) { }`.
    Each {
        /// The variable.
        name: String,
        /// The list.
        list: Box<Statement>,
        /// The body.
        body: Block,
    },
    /// A function.
    Function {
        /// Its name.
        name: String,
        /// Its body.
        body: Rc<Block>,
    },
    /// `return`, `throw`, `exit`, `break`.
    Ends(Option<Box<Statement>>),
    /// Something that isn't followed: its text, and why.
    Odd(String, &'static str),
}

/// Commands of which each gets what the one before it writes.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    /// The commands.
    pub elements: Vec<Element>,
    /// Its text.
    pub text: String,
    /// Whether it runs as a job.
    pub background: bool,
}

/// One part of a pipeline.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// What it is.
    pub what: Step,
    /// Files that it writes to.
    pub redirects: Vec<Expr>,
    /// Its text.
    pub text: String,
}

/// What a part of a pipeline is.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A value.
    Value(Expr),
    /// A command.
    Command {
        /// How it is called.
        call: Call,
        /// What.
        name: Expr,
        /// With what.
        arguments: Vec<Argument>,
    },
}

/// How a command is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// By its name.
    Name,
    /// `&`.
    Ampersand,
    /// `.`.
    Dot,
}

/// An argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// `-Name`, or `-Name:value`.
    Named {
        /// Without its dash.
        name: String,
        /// What was glued to it.
        value: Option<Expr>,
    },
    /// A value.
    Value(Expr),
    /// `@name`.
    Splat(String),
    /// What stands behind `--%`.
    Raw(String),
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// Text.
    Text(Vec<Piece>),
    /// `$name`, in lower case, without a scope.
    Variable(String),
    /// `{ }`.
    Block(Rc<Block>),
    /// `( )`, `$( )`, `@( )`.
    Nested(Vec<Statement>),
    /// `@{ }`.
    Hash(Vec<(Expr, Statement)>),
    /// `a, b`.
    List(Vec<Expr>),
    /// Operators between values, without regard to which binds closer.
    Operators {
        /// The values.
        operands: Vec<Expr>,
        /// Whether every operator is `+`.
        adds: bool,
    },
    /// `[type]value`.
    Cast {
        /// The type, in lower case.
        kind: String,
        /// The value.
        value: Box<Expr>,
    },
    /// `[type]`, in lower case.
    Type(String),
    /// What stands in an attribute's parentheses.
    Attribute(Vec<Expr>),
    /// `base.name`, `base::name`, with arguments if it is a call.
    Member {
        /// Of what.
        base: Box<Expr>,
        /// The name, if it is plain, in lower case.
        name: Option<String>,
        /// What works out the name if it isn't.
        works_out: Option<Box<Expr>>,
        /// Whether it is a type's own.
        is_static: bool,
        /// The arguments.
        arguments: Option<Vec<Expr>>,
        /// The text.
        text: String,
    },
    /// `base[index]`.
    Index {
        /// Of what.
        base: Box<Expr>,
        /// Where.
        index: Vec<Statement>,
    },
    /// `++$x`, `$x--`.
    Counts(Box<Expr>),
}

/// A stretch of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Known.
    Known(String),
    /// Worked out.
    Worked(Expr),
}

impl Expr {
    /// A text that is known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Text(pieces) => match pieces.as_slice() {
                [] => Some(""),
                [Piece::Known(text)] => Some(text),
                _ => None,
            },
            _ => None,
        }
    }
}
