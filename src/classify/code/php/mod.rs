//! PHP: which functions and classes a program uses. Pure.

mod lexer;
mod library;

use super::Found;
use super::token::{Kind, Lexed, fault, hidden, listed};
use library::{CALLBACKS, CLASSES, DENIED, FILE_CLASSES, FUNCTIONS, KEYWORDS, READS, WRITES};

/// What a text may do.
///
/// # Errors
/// Why it can't be told.
pub fn judge(text: &str) -> Result<Found, String> {
    let lexed = lexer::read(text)?;
    if hidden(text, &lexed, |word| listed(DENIED, &word.to_ascii_lowercase())).is_some() {
        return Err(fault(text, lexed.doubt.unwrap_or_default(), "it can be read in two ways"));
    }
    let mut look =
        Look { text, lexed: &lexed, functions: vec![], classes: vec![], closures: vec![], found: Found::default() };
    for text in &lexed.texts {
        look.found.text(text);
    }
    look.definitions();
    for nr in 0..lexed.tokens.len() {
        look.token(nr)?;
    }
    Ok(look.found)
}

struct Look<'t> {
    text: &'t str,
    lexed: &'t Lexed<'t>,
    /// Functions of the text's own, in small letters.
    functions: Vec<String>,
    classes: Vec<String>,
    /// Variables that hold nothing but functions of the text's own.
    closures: Vec<&'t str>,
    found: Found,
}

impl<'t> Look<'t> {
    /// Notes what the text defines.
    fn definitions(&mut self) {
        let lexed = self.lexed;
        let mut others = vec![];
        // A function that PHP has already can't be defined again, but a method may have its name, and what stands under a
        // condition may not come to be.
        let mut depth = 0_usize;
        let conditions = lexed.tokens.iter().any(|token| {
            matches!(token.kind, Kind::Name(name) if name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("end")) && listed(KEYWORDS, &name.to_ascii_lowercase()))
        });
        for nr in 0..lexed.tokens.len() {
            let name = lexed.name(nr).map(str::to_ascii_lowercase);
            match lexed.kind(nr) {
                Kind::Mark("{") => depth += 1,
                Kind::Mark("}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            match (name.as_deref(), lexed.kind(nr + 1), lexed.kind(nr + 2)) {
                (Some("function"), Kind::Name(name), _) | (Some("function"), Kind::Mark("&"), Kind::Name(name))
                    if depth == 0 && !conditions =>
                {
                    self.functions.push(name.to_ascii_lowercase());
                }
                (Some("class" | "interface" | "trait" | "enum"), Kind::Name(name), _) => {
                    self.classes.push(name.to_ascii_lowercase());
                }
                _ => {}
            }
            if let Kind::Variable(name) = lexed.kind(nr) {
                let function = |kind| matches!(kind, Kind::Name(name) if ["function", "fn", "static"].iter().any(|word| name.eq_ignore_ascii_case(word)));
                let set = lexed.is(nr + 1, "=");
                if set && function(lexed.kind(nr + 2)) {
                    self.closures.push(name);
                } else if set
                    || (matches!(lexed.before(nr, 1), Kind::Mark("&" | "," | "=>" | "[" | "(") | Kind::Name(_))
                        && !lexed.is(nr + 1, "("))
                {
                    // It may be set there too: a parameter, a loop, a reference.
                    others.push(name);
                }
            }
        }
        others.sort_unstable();
        self.functions.retain(|name| !listed(DENIED, name));
        self.functions.sort_unstable();
        self.classes.sort_unstable();
        self.closures.retain(|name| others.binary_search(name).is_err());
        self.closures.sort_unstable();
    }

    fn bad<T>(&self, nr: usize, what: impl Into<String>) -> Result<T, String> {
        Err(fault(self.text, self.lexed.place(nr), what))
    }

    fn token(&mut self, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        match lexed.kind(nr) {
            Kind::Name(name) => self.name(name, nr),
            Kind::Mark("$") => self.bad(nr, "a variable's name is only known when it runs"),
            Kind::Variable(_) if lexed.is(nr + 1, "::") => {
                self.bad(nr, "which class it uses is only known when it runs")
            }
            Kind::Text(_) if lexed.is(nr + 1, "::") => self.bad(nr, "which class it uses is only known when it runs"),
            Kind::Mark("(") => match lexed.before(nr, 1) {
                Kind::Variable(name)
                    if self.closures.binary_search(&name).is_ok()
                        && !matches!(lexed.before(nr, 2), Kind::Mark("->" | "?->" | "::")) =>
                {
                    Ok(())
                }
                Kind::Variable(_) | Kind::Text(_) | Kind::Mark(")" | "]" | "}") => {
                    self.bad(nr, "which function it calls is only known when it runs")
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn name(&mut self, written: &str, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        let name = written.trim_start_matches('\\').to_ascii_lowercase();
        let before = lexed.before(nr, 1);
        let word_before = match before {
            Kind::Name(word) => word.to_ascii_lowercase(),
            _ => String::new(),
        };
        if matches!(before, Kind::Mark("->" | "?->")) && matches!(name.as_str(), "uasort" | "uksort") {
            return self.bad(nr, "which function it sorts by is only known when it runs");
        }
        if matches!(before, Kind::Mark("->" | "?->"))
            || matches!(word_before.as_str(), "function" | "const" | "class" | "interface" | "trait" | "enum")
        {
            return Ok(());
        }
        let calls = lexed.is(nr + 1, "(");
        match name.as_str() {
            "eval" | "include" | "include_once" | "require" | "require_once" | "__halt_compiler" => {
                return self.bad(nr, format!("it uses `{name}`, which runs code that is not read"));
            }
            "new" if !matches!(lexed.kind(nr + 1), Kind::Name(_)) => {
                return self.bad(nr, "which class it uses is only known when it runs");
            }
            // Behind a function's parameters it names variables, in a class its parts.
            "use" if !calls => {
                let own = lexed
                    .name(nr + 1)
                    .is_some_and(|name| self.classes.binary_search(&name.to_ascii_lowercase()).is_ok());
                if !own {
                    return self.bad(nr, "what its `use` brings in is not read");
                }
            }
            _ => {}
        }
        if matches!(before, Kind::Mark("::")) {
            return Ok(());
        }
        if word_before == "new" || word_before == "extends" || lexed.is(nr + 1, "::") {
            return self.class(&name, nr);
        }
        if calls && !listed(KEYWORDS, &name) && name != "use" {
            return self.function(&name, nr);
        }
        Ok(())
    }

    fn class(&mut self, name: &str, nr: usize) -> Result<(), String> {
        if listed(CLASSES, name)
            || matches!(name, "self" | "static" | "parent" | "class")
            || self.classes.binary_search(&name.to_owned()).is_ok()
        {
            return Ok(());
        }
        if listed(FILE_CLASSES, name) {
            self.found.writes = true;
            return self.no_address(name, nr);
        }
        self.bad(nr, format!("it uses the class `{name}`, which is not known to be harmless"))
    }

    /// What takes a file's name takes an address as well.
    fn no_address(&self, name: &str, nr: usize) -> Result<(), String> {
        const LOCAL: &[&str] =
            &["php://stdin", "php://stdout", "php://stderr", "php://memory", "php://temp", "file:///"];
        let odd = self
            .lexed
            .texts
            .iter()
            .find(|text| text.contains("://") && !LOCAL.iter().any(|local| text.starts_with(local)));
        match odd {
            Some(text) => self.bad(nr, format!("`{name}` may reach {}", text.chars().take(60).collect::<String>())),
            None => Ok(()),
        }
    }

    fn function(&mut self, name: &str, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        if self.functions.binary_search(&name.to_owned()).is_ok() {
            return Ok(());
        }
        if let Ok(at) = CALLBACKS.binary_search_by_key(&name, |(name, _)| *name) {
            let at = CALLBACKS.get(at).map_or(0, |(_, at)| *at);
            let arguments = lexed.arguments(nr + 1);
            // More arguments than are seen may come of `...`.
            let known = match &arguments {
                Some(all) if all.iter().any(|range| lexed.is(range.start, "...")) => false,
                Some(all) => all.get(at).is_none_or(|range| self.is_known_function(range)),
                // A long function is the first argument, or the call is not looked through.
                None => at == 0 && self.is_known_function(&(nr + 2..nr + 3)),
            };
            return if known {
                Ok(())
            } else {
                self.bad(nr, format!("what `{name}` calls is only known when it runs"))
            };
        }
        if name == "preg_replace" || name == "ini_set" {
            return self.by_first_argument(name, nr);
        }
        if listed(READS, name) {
            if name == "fopen" {
                let arguments = lexed.arguments(nr + 1).unwrap_or_default();
                let mode = arguments.get(1).and_then(|range| lexed.only_text(range));
                self.found.writes |= !mode.is_some_and(|mode| mode.chars().all(|c| "rbt".contains(c)));
            }
            return self.no_address(name, nr);
        }
        if listed(WRITES, name) {
            self.found.writes = true;
            self.found.uproots |= matches!(name, "rename" | "rmdir" | "chmod" | "chown" | "chgrp");
            return self.no_address(name, nr);
        }
        if listed(FUNCTIONS, name) {
            return Ok(());
        }
        self.bad(nr, format!("it calls `{name}`, which is not known to be harmless"))
    }

    /// Functions of which the first argument decides.
    fn by_first_argument(&self, name: &str, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        let first = lexed.arguments(nr + 1).and_then(|arguments| lexed.only_text(arguments.first()?));
        let fine = match (name, first) {
            // Before PHP 7 a pattern could say that its replacement is code.
            ("preg_replace", Some(pattern)) => {
                let flags = pattern.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
                flags.len() == pattern.len() || !flags.contains('e')
            }
            ("preg_replace", None) => true,
            (_, Some(setting)) => [
                "display_errors",
                "error_reporting",
                "memory_limit",
                "max_execution_time",
                "precision",
                "serialize_precision",
            ]
            .contains(&setting),
            _ => false,
        };
        if fine { Ok(()) } else { self.bad(nr, format!("what its `{name}` does is not known")) }
    }

    /// Whether what is given to be called is a function that is known.
    fn is_known_function(&self, range: &std::ops::Range<usize>) -> bool {
        let lexed = self.lexed;
        match lexed.kind(range.start) {
            Kind::Name(word) => {
                let word = word.to_ascii_lowercase();
                // Of `strlen(...)` the call itself is judged.
                let alone = lexed.is(range.start + 2, "...") && lexed.is(range.start + 3, ")") && range.len() == 4;
                let next = lexed.name(range.start + 1).map(str::to_ascii_lowercase);
                match word.as_str() {
                    "function" | "fn" => true,
                    "static" => matches!(next.as_deref(), Some("function" | "fn")),
                    "null" => range.len() == 1,
                    _ => alone,
                }
            }
            Kind::Text(Some(name)) if range.len() == 1 => {
                let name = name.to_ascii_lowercase();
                listed(FUNCTIONS, &name) || self.functions.binary_search(&name).is_ok()
            }
            Kind::Variable(name) => range.len() == 1 && self.closures.binary_search(&name).is_ok(),
            _ => false,
        }
    }
}
