//! What is read, in a short form that tests can compare.

mod bounds;
mod commands;
mod shapes;
mod words;

use super::read;
use super::tree::{
    Assigned, Assignment, Form, Item, Joint, Name, Node, Piece, Redirect, Redirection, Script, Simple, Source,
};

/// The whole tree but for raw texts: `;` joins, words in brackets, `'…'` quoted, `"…"` expanded within double quotes.
fn shape(text: &str) -> String {
    match read(text) {
        Ok(script) => show(&script),
        Err(why) => format!("error: {why}"),
    }
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(shape(text), *expected, "{text}");
    }
}

/// None of these can be read.
fn refuse(texts: &[&str]) {
    for text in texts {
        assert!(read(text).is_err(), "{text}: {}", shape(text));
    }
}

fn show(script: &Script) -> String {
    script.0.iter().map(show_item).collect::<Vec<_>>().join("; ")
}

fn show_item(item: &Item) -> String {
    let mut out = show_node(&item.first);
    for (joint, node) in &item.then {
        out += if *joint == Joint::And { " && " } else { " || " };
        out += &show_node(node);
    }
    if item.background { out + " &" } else { out }
}

fn show_node(node: &Node) -> String {
    match node {
        Node::Simple(simple) => show_simple(simple),
        Node::Pipeline(nodes) => nodes.iter().map(show_node).collect::<Vec<_>>().join(" | "),
        Node::Group { body, subshell: true, redirects } => format!("({}){}", show(body), show_redirects(redirects)),
        Node::Group { body, redirects, .. } => format!("{{{}}}{}", show(body), show_redirects(redirects)),
        Node::For { name, values, body, redirects } => {
            let values = values.as_ref().map_or("args".into(), |values| sources(values));
            format!("for {name} in {values} do {} done{}", show(body), show_redirects(redirects))
        }
        Node::Loop { arithmetic, condition, body, redirects } => {
            let arithmetic = sources(arithmetic);
            format!("loop {arithmetic}{} do {} done{}", show(condition), show(body), show_redirects(redirects))
        }
        Node::If { arms, redirects } => {
            let arms = arms.iter().map(|(condition, body)| format!("{} then {}", show(condition), show(body)));
            format!("if {} fi{}", arms.collect::<Vec<_>>().join(" else "), show_redirects(redirects))
        }
        Node::Case { word, arms, redirects } => {
            let arms = arms.iter().map(|(patterns, body)| format!("{}) {}", sources(patterns), show(body)));
            format!(
                "case {} in {} esac{}",
                source(word),
                arms.collect::<Vec<_>>().join(";; "),
                show_redirects(redirects)
            )
        }
        Node::Function { name, body } => format!("{name}() {}", show_node(body)),
        Node::Test { words, redirects } => format!("[[{}]]{}", sources(words), show_redirects(redirects)),
        Node::Arithmetic { text, redirects } => format!("(({})){}", source(text), show_redirects(redirects)),
        Node::Coprocess(node) => format!("coproc {}", show_node(node)),
    }
}

fn show_simple(simple: &Simple) -> String {
    let mut parts: Vec<String> = simple.assignments.iter().map(show_assignment).collect();
    parts.extend(simple.words.iter().map(|word| format!("[{}]", source(word))));
    parts.join(" ") + &show_redirects(&simple.redirects)
}

fn show_assignment(assignment: &Assignment) -> String {
    let index = assignment.index.as_ref().map(|index| format!("[{}]", source(index))).unwrap_or_default();
    let sign = if assignment.append { "+=" } else { "=" };
    let value = match &assignment.value {
        Assigned::One(value) => source(value),
        Assigned::Array(values) => format!("({})", sources(values)),
    };
    format!("{}{index}{sign}{value}", assignment.name)
}

fn show_redirects(redirects: &[Redirect]) -> String {
    let mut out = String::new();
    for Redirect { descriptor, what } in redirects {
        let number = descriptor.map(|number| number.to_string()).unwrap_or_default();
        let (sign, word) = match what {
            Redirection::Read(word) => ("<", word),
            Redirection::Write(word) => (">", word),
            Redirection::ReadWrite(word) => ("<>", word),
            Redirection::Copy(word) => ("&", word),
            Redirection::HereDocument(word) => ("<<", word),
            Redirection::HereString(word) => ("<<<", word),
        };
        out += &format!(" {number}{sign}{}", source(word));
    }
    out
}

fn sources(words: &[Source]) -> String {
    words.iter().map(|word| format!("[{}]", source(word))).collect::<Vec<_>>().join(" ")
}

fn source(word: &Source) -> String {
    word.pieces.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    let in_quotes = |quoted: bool, text: String| if quoted { format!("\"{text}\"") } else { text };
    match piece {
        Piece::Text(text) => text.clone(),
        Piece::Quoted(text) => format!("'{text}'"),
        Piece::Tilde(user) => format!("~<{user}>"),
        Piece::Variable { name, form, quoted } => in_quotes(*quoted, variable(name, form)),
        Piece::Command { script, quoted } => in_quotes(*quoted, format!("$({})", show(script))),
        Piece::Process { script, output } => format!("{}({})", if *output { "<" } else { ">" }, show(script)),
        Piece::Arithmetic(text) => format!("$(({}))", source(text)),
    }
}

fn variable(name: &Name, form: &Form) -> String {
    let name = match name {
        Name::Named(name) => name.clone(),
        Name::Positional(number) => number.to_string(),
        Name::All => "@".into(),
        Name::Joined => "*".into(),
        Name::Element { name, index } => format!("{name}[{}]", source(index)),
        Name::Special(char) => char.to_string(),
    };
    match form {
        Form::Plain => format!("${name}"),
        Form::Default(word) => format!("${{{name}-{}}}", source(word)),
        Form::Assign(word) => format!("${{{name}={}}}", source(word)),
        Form::Alternative(word) => format!("${{{name}+{}}}", source(word)),
        Form::Error(word) => format!("${{{name}?{}}}", source(word)),
        Form::Length => format!("${{#{name}}}"),
        Form::Other(words) => format!("${{{name}…{}}}", sources(words)),
    }
}
