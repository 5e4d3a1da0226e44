//! Expressions of a justfile: strings, variables, backticks, calls. Pure.

use super::Reader;
use crate::text::shell_word;

/// A variable of the shell that no text sets: what is not known of a line.
pub(super) const HOLE: &str = "${_not_known}";

/// No expression is deeper.
const DEEPEST: usize = 32;

/// An expression that is being read.
pub(super) struct Expression<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl<'t> Expression<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    pub fn eat(&mut self, text: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Whether nothing but a comment is left.
    pub fn is_done(&mut self) -> bool {
        self.blanks();
        self.rest().is_empty() || self.rest().starts_with('#')
    }

    pub fn name(&mut self) -> Option<&'t str> {
        self.blanks();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(rest.len());
        let name = rest.get(..end).filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))?;
        self.at += end;
        Some(name)
    }

    /// What stands up to a mark, which is passed.
    fn until(&mut self, mark: &str) -> Result<&'t str, String> {
        let (inner, _) = self.rest().split_once(mark).ok_or("a string in the justfile has no end")?;
        self.at += inner.len() + mark.len();
        Ok(inner)
    }

    /// A string, whatever its quotes; none: there is none.
    pub fn string(&mut self) -> Result<Option<String>, String> {
        self.blanks();
        if self.rest().starts_with("x'")
            || self.rest().starts_with("x\"")
            || self.rest().starts_with("f'")
            || self.rest().starts_with("f\"")
        {
            // The environment, or expressions, fill such strings.
            self.at += 1;
            return self
                .string()
                .map(|text| text.map(|text| if text.contains(['$', '~', '{']) { HOLE.to_owned() } else { text }));
        }
        for (mark, cooked) in [("'''", false), ("\"\"\"", true), ("'", false), ("\"", true)] {
            if self.rest().starts_with(mark) {
                self.at += mark.len();
                return if cooked {
                    self.cooked(mark).map(Some)
                } else {
                    self.until(mark).map(|text| Some(text.to_owned()))
                };
            }
        }
        Ok(None)
    }

    fn cooked(&mut self, mark: &str) -> Result<String, String> {
        let mut text = String::new();
        loop {
            let rest = self.rest();
            if rest.starts_with(mark) {
                self.at += mark.len();
                return Ok(text);
            }
            let mut chars = rest.chars();
            let c = chars.next().ok_or("a string in the justfile has no end")?;
            self.at += c.len_utf8();
            if c != '\\' {
                text.push(c);
                continue;
            }
            let c = chars.next().ok_or("a string in the justfile has no end")?;
            self.at += c.len_utf8();
            match c {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '\n' => {}
                '"' | '\\' => text.push(c),
                _ => return Err("an escape in a string of the justfile is not read".into()),
            }
        }
    }

    /// The value of an expression; what it runs goes to the reader.
    pub fn value(&mut self, reader: &mut Reader, scope: &[(String, String)], depth: usize) -> Result<String, String> {
        if depth > DEEPEST {
            return Err("an expression of the justfile is deeper than is followed".into());
        }
        let mut value = self.condition(reader, scope, depth)?;
        loop {
            self.blanks();
            if self.rest().starts_with("&&") || self.rest().starts_with("||") {
                self.at += 2;
                self.condition(reader, scope, depth + 1)?;
                value = HOLE.to_owned();
            } else if self.eat("+") {
                value.push_str(&self.condition(reader, scope, depth + 1)?);
            } else if self.rest().starts_with('/') {
                self.at += 1;
                value = format!("{value}/{}", self.condition(reader, scope, depth + 1)?);
            } else {
                return Ok(value);
            }
            if value.len() > 1 << 16 {
                return Err("an expression of the justfile makes more text than is followed".into());
            }
        }
    }

    fn condition(&mut self, reader: &mut Reader, scope: &[(String, String)], depth: usize) -> Result<String, String> {
        self.blanks();
        if self.rest().starts_with('/') {
            self.at += 1;
            return Ok(format!("/{}", self.condition(reader, scope, depth + 1)?));
        }
        if let Some(text) = self.string()? {
            return Ok(text);
        }
        for mark in ["```", "`"] {
            if self.eat(mark) {
                let text = self.until(mark)?;
                reader.runs_text(text);
                return Ok(HOLE.to_owned());
            }
        }
        if self.eat("(") {
            let value = self.value(reader, scope, depth + 1)?;
            return if self.eat(")") { Ok(value) } else { Err("an expression of the justfile is not read".into()) };
        }
        let Some(name) = self.name() else { return Err("an expression of the justfile is not read".into()) };
        match name {
            "if" => self.choice(reader, scope, depth),
            "assert" => {
                if !self.eat("(") {
                    return Err("an expression of the justfile is not read".into());
                }
                self.comparison(reader, scope, depth)?;
                let ended = self.eat(",") && self.value(reader, scope, depth + 1).is_ok() && self.eat(")");
                if ended { Ok(String::new()) } else { Err("an expression of the justfile is not read".into()) }
            }
            name if self.eat("(") => {
                let mut arguments = vec![];
                while !self.eat(")") {
                    arguments.push(self.value(reader, scope, depth + 1)?);
                    if !self.eat(",") && !self.rest().starts_with(')') {
                        return Err("an expression of the justfile is not read".into());
                    }
                }
                call(name, &arguments, reader)
            }
            name => match scope.iter().rev().find(|(known, _)| known == name) {
                Some((_, value)) => Ok(value.clone()),
                None => reader.variable(name, depth),
            },
        }
    }

    fn comparison(&mut self, reader: &mut Reader, scope: &[(String, String)], depth: usize) -> Result<(), String> {
        self.value(reader, scope, depth + 1)?;
        if ["==", "!=", "=~", "!~"].iter().any(|mark| self.eat(mark)) {
            self.value(reader, scope, depth + 1)?;
        }
        Ok(())
    }

    /// Which way it goes is not told: what both run counts.
    fn choice(&mut self, reader: &mut Reader, scope: &[(String, String)], depth: usize) -> Result<String, String> {
        let fault = || "a condition of the justfile is not read".to_owned();
        self.comparison(reader, scope, depth)?;
        if !self.eat("{") {
            return Err(fault());
        }
        let one = self.value(reader, scope, depth + 1)?;
        if !self.eat("}") || self.name() != Some("else") {
            return Err(fault());
        }
        let other = if self.eat("{") {
            let other = self.value(reader, scope, depth + 1)?;
            if !self.eat("}") {
                return Err(fault());
            }
            other
        } else if self.name() == Some("if") {
            self.choice(reader, scope, depth + 1)?
        } else {
            return Err(fault());
        };
        Ok(if one == other { one } else { HOLE.to_owned() })
    }
}

fn call(name: &str, arguments: &[String], reader: &mut Reader) -> Result<String, String> {
    let first = arguments.first().map_or("", String::as_str);
    Ok(match name {
        "justfile_directory" | "justfile_dir" | "source_directory" | "source_dir" => reader.base.to_owned(),
        "invocation_directory" | "invocation_dir" | "invocation_directory_native" => reader.from.to_owned(),
        "just_executable" => "just".to_owned(),
        "quote" if !first.contains(HOLE) => shell_word(first),
        "trim" if !first.contains(HOLE) => first.trim().to_owned(),
        "shell" => {
            reader.runs_text(first);
            HOLE.to_owned()
        }
        "env" | "env_var" | "env_var_or_default" => match reader.facts.variables.variable(first) {
            None => HOLE.to_owned(),
            Some(value) => match value.known() {
                Some(text) => text.to_owned(),
                None => return Err(format!("what `{first}` holds, of which the justfile makes text, is not known")),
            },
        },
        _ => HOLE.to_owned(),
    })
}
