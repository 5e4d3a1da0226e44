//! Reads values of PowerShell. Pure.

use super::reader::{Read, Reader, in_name, is_blank, is_dash, is_double, is_single};
use super::tree::{Expr, Piece};
use std::rc::Rc;

/// Operators with a dash, without `c` and `i` in front of them.
const OPERATORS: &[&str] = &[
    "eq",
    "ne",
    "gt",
    "ge",
    "lt",
    "le",
    "like",
    "notlike",
    "match",
    "notmatch",
    "contains",
    "notcontains",
    "in",
    "notin",
    "replace",
    "split",
    "join",
    "is",
    "isnot",
    "as",
    "and",
    "or",
    "xor",
    "band",
    "bor",
    "bxor",
    "shl",
    "shr",
    "f",
];

/// The same, in front of a value.
const BEFORE: &[&str] = &["not", "bnot", "join", "split", "csplit", "isplit"];

impl Reader<'_> {
    /// Whether what comes is a value and not a command.
    pub fn begins_value(&mut self) -> bool {
        match self.peek() {
            Some('$' | '(' | '[' | '{' | ',' | '!') => true,
            Some('@') => true,
            Some(c) if is_single(c) || is_double(c) => true,
            Some('+') => self.second().is_some_and(|c| c == '+' || c == '$' || c == '(' || c.is_ascii_digit()),
            Some(c) if is_dash(c) => match self.second() {
                Some(c) if is_dash(c) || matches!(c, '$' | '(') || c.is_ascii_digit() => true,
                Some(c) if c.is_ascii_alphabetic() => {
                    let word: String = self.rest().chars().skip(1).take_while(|c| in_name(*c)).collect();
                    BEFORE.contains(&word.to_ascii_lowercase().as_str())
                }
                _ => false,
            },
            Some(c) if c.is_ascii_digit() || (c == '.' && self.second().is_some_and(|c| c.is_ascii_digit())) => {
                let start = self.at;
                let number = self.number().is_some();
                // `7z.exe` is a command, `1..10` is none.
                let ends = self.peek().is_none_or(|c| !(in_name(c) || matches!(c, '\\' | '/' | '-' | ':' | '_')));
                self.at = start;
                number && ends
            }
            _ => false,
        }
    }

    /// A value with its operators.
    pub fn expression(&mut self) -> Read<Expr> {
        let mut operands = vec![self.list()?];
        let mut adds = true;
        loop {
            self.blanks()?;
            let plus = self.peek() == Some('+');
            if !self.operator()? {
                break;
            }
            adds &= plus;
            self.lines()?;
            operands.push(self.list()?);
        }
        Ok(match (operands.len(), operands.pop()) {
            (1, Some(one)) => one,
            (_, last) => {
                operands.extend(last);
                Expr::Operators { operands, adds }
            }
        })
    }

    /// Reads an operator between two values, if one comes.
    fn operator(&mut self) -> Read<bool> {
        let (first, second) = (self.peek(), self.second());
        match first {
            Some('+' | '*' | '/' | '%') => {
                if second == Some('=') || (first == Some('+') && second == Some('+')) {
                    return Ok(false);
                }
                self.at += 1;
                Ok(true)
            }
            Some('.') if second == Some('.') => {
                self.at += 2;
                Ok(true)
            }
            Some('?') => {
                if self.starts("??=") {
                    return Ok(false);
                }
                if !self.take("??") {
                    self.at += 1;
                }
                Ok(true)
            }
            // The other half of `? :`.
            Some(':') if second != Some(':') => {
                self.at += 1;
                Ok(true)
            }
            Some(c) if is_dash(c) => {
                let start = self.at;
                self.next();
                if self.peek() == Some('=') {
                    self.at = start;
                    return Ok(false);
                }
                let word = self.word_ahead().to_ascii_lowercase();
                if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
                    return Ok(true);
                }
                let plain = word.strip_prefix(['c', 'i']).filter(|rest| OPERATORS.contains(rest));
                if plain.is_none() && !OPERATORS.contains(&word.as_str()) {
                    self.at = start;
                    return Err(self.fault("its operator is not known"));
                }
                self.at += word.len();
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Values with commas between them.
    fn list(&mut self) -> Read<Expr> {
        let first = self.unary()?;
        let mut all = Vec::new();
        loop {
            let start = self.at;
            self.blanks()?;
            if self.peek() != Some(',') {
                self.at = start;
                break;
            }
            self.at += 1;
            self.lines()?;
            all.push(self.unary()?);
        }
        if all.is_empty() {
            return Ok(first);
        }
        all.insert(0, first);
        Ok(Expr::List(all))
    }

    fn unary(&mut self) -> Read<Expr> {
        self.blanks()?;
        match self.peek() {
            Some(',') => {
                self.at += 1;
                Ok(Expr::List(vec![self.deeper(Self::unary)?]))
            }
            Some('!') => {
                self.at += 1;
                self.worked()
            }
            Some('+') => {
                let counts = self.take("++");
                if !counts {
                    self.at += 1;
                }
                let inner = self.deeper(Self::unary)?;
                Ok(if counts {
                    Expr::Counts(Box::new(inner))
                } else {
                    Expr::Operators { operands: vec![inner], adds: false }
                })
            }
            Some(c) if is_dash(c) => {
                self.next();
                if self.peek().is_some_and(is_dash) {
                    self.next();
                    return Ok(Expr::Counts(Box::new(self.deeper(Self::unary)?)));
                }
                let word = self.word_ahead().to_ascii_lowercase();
                if BEFORE.contains(&word.as_str()) {
                    self.at += word.len();
                } else if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    return Err(self.fault("its operator is not known"));
                }
                self.worked()
            }
            Some('[') => {
                let start = self.at;
                let kind = self.bracket()?;
                if matches!(kind, Expr::Attribute(_)) {
                    self.lines()?;
                    let value = self.deeper(Self::unary)?;
                    return Ok(Expr::Operators { operands: vec![kind, value], adds: false });
                }
                let begun = self.at;
                self.blanks()?;
                let casts = matches!(self.peek(), Some(c) if matches!(c, '$' | '(' | '[' | '{' | '@' | '!')
                    || is_single(c) || is_double(c) || c.is_ascii_digit())
                    || (self.peek().is_some_and(is_dash)
                        && self.second().is_some_and(|c| c.is_ascii_digit() || c == '$'));
                match kind {
                    Expr::Type(kind) if casts => {
                        let value = Box::new(self.deeper(Self::unary)?);
                        Ok(Expr::Cast { kind, value })
                    }
                    kind => {
                        self.at = begun;
                        self.postfix(kind, start)
                    }
                }
            }
            _ => {
                let start = self.at;
                let base = self.primary()?;
                self.postfix(base, start)
            }
        }
    }

    /// What an operator in front of a value makes of it.
    fn worked(&mut self) -> Read<Expr> {
        let inner = self.deeper(Self::unary)?;
        Ok(Expr::Operators { operands: vec![inner], adds: false })
    }

    pub(super) fn primary(&mut self) -> Read<Expr> {
        match self.peek() {
            Some(c) if is_single(c) => self.single(),
            Some(c) if is_double(c) => self.double(),
            Some('$') if self.second() == Some('(') => {
                self.at += 1;
                self.nested(')')
            }
            Some('$') => match self.variable()? {
                Some(variable) => Ok(variable),
                None => Err(self.fault("a variable has no name")),
            },
            Some('(') => self.nested(')'),
            Some('{') => Ok(Expr::Block(Rc::new(self.braces()?))),
            Some('@') => match self.second() {
                Some('(') => {
                    self.at += 1;
                    self.nested(')')
                }
                Some('{') => self.hash(),
                Some(c) if is_single(c) || is_double(c) => self.here(),
                _ => Err(self.fault("what stands behind `@` is not known")),
            },
            _ => match self.number() {
                Some(number) => Ok(number),
                None => Err(self.fault("a value is missing")),
            },
        }
    }

    /// Statements in parentheses.
    pub fn nested(&mut self, end: char) -> Read<Expr> {
        self.expect("(")?;
        let block = self.deeper(|reader| reader.block_until(Some(end)))?;
        self.expect(")")?;
        Ok(Expr::Nested(block.statements))
    }

    fn hash(&mut self) -> Read<Expr> {
        self.at += 2;
        let mut entries = Vec::new();
        loop {
            self.gaps()?;
            if self.take("}") {
                return Ok(Expr::Hash(entries));
            }
            let start = self.at;
            let word = self.rest().find(|c: char| !(in_name(c) || c == '-')).unwrap_or_default();
            let key = if word > 0 {
                self.at += word;
                Expr::Text(vec![Piece::Known(self.since(start).to_owned())])
            } else {
                self.deeper(Self::unary)?
            };
            self.lines()?;
            self.expect("=")?;
            self.lines()?;
            let value = self.deeper(Self::statement)?;
            entries.push((key, value));
        }
    }

    /// `[type]`, or an attribute.
    pub fn bracket(&mut self) -> Read<Expr> {
        let start = self.at;
        self.expect("[")?;
        let mut open = 1;
        while let Some(c) = self.peek() {
            match c {
                '[' => open += 1,
                ']' => open -= 1,
                '(' if open == 1 => return self.deeper(Self::attribute),
                c if in_name(c) || is_blank(c) || matches!(c, '.' | ',' | '+' | '`' | '=' | '-' | '&' | '*') => {}
                _ => return Err(self.fault("a type's name is not plain")),
            }
            self.next();
            if open == 0 {
                let whole = self.since(start);
                let name = whole.get(1..whole.len() - 1).unwrap_or_default();
                return Ok(Expr::Type(name.split_whitespace().collect::<String>().to_lowercase()));
            }
        }
        Err(self.fault("a type's name has no end"))
    }

    fn attribute(&mut self) -> Read<Expr> {
        self.expect("(")?;
        let mut runs = Vec::new();
        loop {
            self.lines()?;
            if self.take(")") {
                break;
            }
            let word = self.word_ahead();
            if !word.is_empty() && word.starts_with(|c: char| c.is_alphabetic()) {
                self.at += word.len();
                self.lines()?;
                if self.take("=") {
                    self.lines()?;
                    runs.push(self.expression()?);
                }
            } else {
                runs.push(self.expression()?);
            }
            self.lines()?;
            self.take(",");
        }
        self.lines()?;
        self.expect("]")?;
        Ok(Expr::Attribute(runs))
    }
}
