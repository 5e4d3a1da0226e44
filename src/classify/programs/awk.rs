//! `awk`: its program is read for what runs, writes or loads something. Pure.

use super::carry::{report, shell, writes};
use super::options::{Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

const AWK: Spec = Spec {
    flags: "bcCgIkMnOPrsStVY",
    values: "FvfeEilW",
    glued: "dDLop",
    long_flags: &[
        "characters-as-bytes",
        "copyright",
        "csv",
        "debug",
        "dump-variables",
        "gen-pot",
        "help",
        "lint",
        "lint-old",
        "non-decimal-data",
        "no-optimize",
        "optimize",
        "posix",
        "pretty-print",
        "profile",
        "re-interval",
        "sandbox",
        "traditional",
        "trace",
        "use-lc-numeric",
        "version",
    ],
    long_values: &["assign", "exec", "field-separator", "file", "include", "load", "source"],
    ..Spec::CARRIER
};

/// Judges `awk`, `gawk`, `mawk` and `nawk`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &AWK)?;
    if parsed.has(&["help", "version", "V"]) {
        return Ok(Report::reads());
    }
    let odd = ["f", "file", "E", "exec", "e", "source", "l", "load", "W", "D", "debug"];
    if let Some((name, _)) = parsed.options.iter().find(|(name, _)| odd.contains(&name.as_str())) {
        return Err(format!("what its option `{name}` brings in is not read"));
    }
    let mut effects = vec![];
    for (options, file) in [
        (["o", "pretty-print"], "awkprof.out"),
        (["p", "profile"], "awkprof.out"),
        (["d", "dump-variables"], "awkvars.out"),
    ] {
        for (_, value) in parsed.options.iter().filter(|(name, _)| options.contains(&name.as_str())) {
            effects.extend(writes(value.as_ref().unwrap_or(&file.into())));
        }
    }
    let Some((program, files)) = parsed.operands.split_first() else { return Ok(Report::reads()) };
    let Some(program) = program.known() else {
        return Err("its program can't be told before it runs".into());
    };
    for extension in parsed.values(&["i", "include"]) {
        if extension.known() != Some("inplace") {
            return Err(format!("what `{}` brings in is not read", extension.shown()));
        }
        effects.extend(files.iter().filter_map(writes));
    }
    effects.extend(found(program, &command.stdin)?);
    Ok(report(effects))
}

/// A piece of the program.
#[derive(Debug, Clone, PartialEq)]
enum Token<'t> {
    Name(&'t str),
    /// A number.
    Number,
    /// Its text, if it holds nothing escaped.
    String(Option<&'t str>),
    Expression,
    /// An operator or bracket.
    Mark(&'t str),
    End,
}

/// Operators and brackets, the longer ones first. `|&` is gawk's way to talk with a command.
const MARKS: &[&str] = &[
    "**=", ">>", "||", "|&", "&&", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "==", "<=", ">=", "!=", "!~",
    "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^", "!", ">", "<", "|", "?", ":", "~", "$", "=",
];

/// Names behind which something begins, so that a slash there begins an expression.
const OPENING: &[&str] = &["print", "printf", "return", "in", "case", "else", "do", "exit"];

fn tokens(program: &str) -> Result<Vec<Token<'_>>, String> {
    let odd = || Err("its program can't be understood".to_owned());
    let mut tokens: Vec<Token<'_>> = vec![];
    let mut rest = program;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r']);
        let Some(c) = rest.chars().next() else { break };
        if c == '\n' {
            rest = rest.trim_start_matches('\n');
            // Behind these a line goes on.
            if !matches!(tokens.last(), Some(Token::Mark("," | "&&" | "||" | "{"))) {
                tokens.push(Token::End);
            }
        } else if c == '#' {
            rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or_default();
        } else if let Some(after) = rest.strip_prefix("\\\n") {
            rest = after;
        } else if c == '"' {
            let Some(end) = closing(rest, '"') else { return odd() };
            let text = rest.get(1..end).unwrap_or_default();
            if text.contains("/inet") {
                return Err("its program may reach another machine".into());
            }
            tokens.push(Token::String((!text.contains('\\')).then_some(text)));
            rest = rest.get(end + 1..).unwrap_or_default();
        } else if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(rest.len());
            let word = rest.get(..end).unwrap_or_default();
            let number = c.is_ascii_digit() || c == '.';
            tokens.push(if number { Token::Number } else { Token::Name(word) });
            rest = rest.get(end..).unwrap_or_default();
        } else if c == '/' && begins_expression(tokens.last(), rest)? {
            let Some(end) = closing(rest, '/') else { return odd() };
            tokens.push(Token::Expression);
            rest = rest.get(end + 1..).unwrap_or_default();
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            tokens.push(Token::Mark(mark));
            rest = rest.get(mark.len()..).unwrap_or_default();
        } else {
            return odd();
        }
    }
    tokens.push(Token::End);
    Ok(tokens)
}

/// Where what begins with the mark ends on the same line; nothing if that depends on the awk.
fn closing(text: &str, mark: char) -> Option<usize> {
    let mut bracket = false;
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == mark => return (!bracket).then_some(at),
            '\\' => {
                chars.next();
            }
            '\n' => return None,
            '[' if mark == '/' => bracket = true,
            ']' if mark == '/' => bracket = false,
            _ => {}
        }
    }
    None
}

/// Whether a slash begins an expression or divides.
fn begins_expression(before: Option<&Token>, rest: &str) -> Result<bool, String> {
    match before {
        None | Some(Token::End) => Ok(true),
        Some(Token::Mark(")" | "++" | "--" | "$")) => divides(rest).map(|divides| !divides),
        Some(Token::Mark("]")) => Ok(false),
        Some(Token::Mark(_)) => Ok(true),
        Some(Token::Name(name)) if OPENING.contains(name) => Ok(true),
        Some(Token::Name("getline" | "length" | "next" | "nextfile" | "delete")) => {
            divides(rest).map(|divides| !divides)
        }
        Some(Token::Name(_) | Token::Number | Token::String(_) | Token::Expression) => Ok(false),
    }
}

/// A slash surely divides if no other follows on its line; else it could be either.
fn divides(rest: &str) -> Result<bool, String> {
    let line = rest.lines().next().unwrap_or_default();
    if line.matches('/').count() == 1 { Ok(true) } else { Err("its program can be read in two ways".into()) }
}

/// What the program runs and writes.
fn found(program: &str, stdin: &Stdin) -> Result<Vec<Effect>, String> {
    let tokens = tokens(program)?;
    let mut effects = vec![];
    // The depth of brackets at which a print statement stands.
    let mut printing: Option<usize> = None;
    let mut depth = 0_usize;
    for (nr, token) in tokens.iter().enumerate() {
        let at = |step: usize| tokens.get(nr + step).unwrap_or(&Token::End);
        let before = |step: usize| nr.checked_sub(step).and_then(|nr| tokens.get(nr));
        let ends = |token: &Token| matches!(token, Token::End | Token::Mark(";" | "}"));
        match token {
            Token::Name("print" | "printf") => printing = Some(depth),
            Token::Name("system") => {
                let text = match (at(1), at(2), at(3)) {
                    (Token::Mark("("), Token::String(Some(text)), Token::Mark(")")) => Word::from(*text),
                    _ => return Err("its program runs a command that can't be told before".into()),
                };
                effects.push(shell(text, At::Child, stdin.clone()));
            }
            Token::Name("extension") => return Err("its program loads something".into()),
            Token::Mark("(" | "[") => depth += 1,
            Token::Mark(")" | "]") => depth = depth.saturating_sub(1),
            Token::End | Token::Mark(";" | "{" | "}") => printing = None,
            Token::Mark(mark @ ("|" | "|&")) => {
                // To a command behind a print, from one before a getline.
                let text = match (printing == Some(depth), before(1), at(1)) {
                    (true, _, Token::String(Some(text))) if ends(at(2)) && *mark == "|" => *text,
                    (false, Some(Token::String(Some(text))), Token::Name("getline")) if *mark == "|" => {
                        match before(2) {
                            None | Some(Token::End | Token::Mark("(" | "{" | "}" | ";" | "!" | "&&" | "||")) => text,
                            _ => return Err("its program runs a command that can't be told before".into()),
                        }
                    }
                    _ => return Err("its program runs a command that can't be told before".into()),
                };
                let stdin = if printing.is_some() { Stdin::Unknown } else { stdin.clone() };
                effects.push(shell(Word::from(text), At::Child, stdin));
            }
            Token::Mark(">" | ">>") if printing == Some(depth) => match (at(1), ends(at(2))) {
                (Token::String(Some(text)), true) => effects.extend(writes(&Word::from(*text))),
                _ => effects.push(Effect::Writes(Word::unknown())),
            },
            // Only behind a print it writes.
            Token::Mark(">>") => return Err("its program can't be understood".into()),
            _ => {}
        }
    }
    Ok(effects)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn filters() {
        for line in [
            "awk '{print $1}' x",
            "awk -F: '$3 > 80 {print $1, $3}' /etc/passwd",
            "awk -F '|' -v n=… '/a|b > c/ {print \"x > y | z\"; next}' x",
            "awk 'NR>1 && $5+0 > 90 {printf \"%s\\n\", $1}'",
            "awk '{s+=$1} END {print s/NR}'",
            "awk '{print ($1 > 5)}'",
            "awk '{print ($1+$2)/2}'",
            "awk 'BEGIN{while ((getline line < \"/etc/x\") > 0) n++; print n}'",
            "awk '!seen[$0]++' x",
            "awk '{ a[$1] = $2 > 3 ? 1 : 0 } # system(x)\nEND { for (k in a) print k, a[k] }'",
            "awk '{print \"a\"}' …",
            "awk '$1 ~ /x/ || /y/' x",
            "awk '{print $1 > \"/dev/stderr\"}'",
            "gawk --version",
            "awk 'length > 80'",
            "awk 'BEGIN{OFS=\"\\\"\"} {print $1, \\\n $2}' x",
            "awk '{ gsub(/\\//, \"-\"); print }'",
        ] {
            // My splitter keeps backslashes in single quotes.
            check(judge, &[(line, "reads")]);
        }
    }

    #[test]
    fn what_runs_or_writes() {
        check(
            judge,
            &[
                ("awk 'BEGIN{system(\"rm x\")}'", "sh {rm x}"),
                ("awk '{print > \"/etc/x\"}'", "writes /etc/x"),
                ("awk '{print $1, $2 >> \"/etc/x\"; print}'", "writes /etc/x"),
                ("awk '{printf(\"%s\", $1) > \"/etc/x\"}'", "writes /etc/x"),
                ("awk '{print $1,\n$2 > $3}'", "writes …"),
                ("awk '{print > $1\".txt\"}'", "writes …"),
                ("awk '{print (1)(2) > \"x\"}'", "writes x"),
                ("awk '{print | \"sort -o /etc/x\"}'", "sh {sort -o /etc/x} <unknown"),
                ("awk 'BEGIN{\"rm x\" | getline y; print y}'", "sh {rm x}"),
                ("awk 'BEGIN{while ((\"ls\" | getline) > 0) print}'", "sh {ls}"),
                ("gawk -i inplace '{print}' /etc/x", "writes /etc/x"),
                ("gawk -o/etc/x '{print}'", "writes /etc/x"),
                ("awk 'a / b; BEGIN{system(\"rm\")} c / d'", "sh {rm}"),
            ],
        );
        check_unknown(
            judge,
            &[
                "awk '{system($1)}'",
                "awk 'BEGIN{system(\"rm \" x)}'",
                "awk 'BEGIN{system(\"rm\\x20y\")}'",
                "awk '{print | $1}'",
                "awk '{print |& \"nc x 1\"}'",
                "awk 'BEGIN{x \"rm\" | getline}'",
                "awk 'BEGIN{print \"x\" |& \"/inet/tcp/0/h/1\"}'",
                "awk '@load \"x\"; {print}'",
                "awk 'BEGIN{f=\"system\"; @f(\"rm\")}'",
                "awk -f x.awk y",
                "awk … x",
                "awk \"{print …}\" x",
                "gawk -l x '{print}'",
                "gawk -i other '{print}' x",
                "awk 'if (x) /\"/; system(\"rm\") #\" /'",
                "awk '/[/]/; {system(\"x\")} /]/'",
                "awk '{print \"x}'",
                "awk $*",
                "mawk -W exec x",
                "awk -h 1 x",
            ],
        );
    }
}
