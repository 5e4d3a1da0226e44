//! Perl: which functions and modules a program uses, and whether it is a filter that only passes text through. Pure.

mod lexer;
mod library;

use super::Found;
use super::token::{Kind, Lexed, fault, hidden, listed};
use library::{DENIED, MODULES, OF_FILTERS, WRITES, WRITING_MODULES};

/// What a text may do.
///
/// # Errors
/// Why it can't be told.
pub fn judge(text: &str) -> Result<Found, String> {
    let lexed = read(text)?;
    let mut packages: Vec<&str> = (0..lexed.tokens.len())
        .filter(|nr| lexed.before(*nr, 1) == Kind::Name("package"))
        .filter_map(|nr| lexed.name(nr))
        .collect();
    packages.sort_unstable();
    let mut look = Look { text, lexed: &lexed, packages, found: Found::default() };
    for text in &lexed.texts {
        look.found.text(text);
    }
    for nr in 0..lexed.tokens.len() {
        look.token(nr)?;
    }
    look.diamond()?;
    Ok(look.found)
}

fn read(text: &str) -> Result<Lexed<'_>, String> {
    let lexed = lexer::read(text)?;
    if let Some(at) = lexed.doubt
        && (hidden(text, &lexed, is_outward).is_some() || text.contains('`'))
    {
        return Err(fault(text, at, "it can be read in two ways"));
    }
    Ok(lexed)
}

/// Whether a word may run, load or open something.
fn is_outward(word: &str) -> bool {
    listed(DENIED, word) || matches!(word, "do" | "eval" | "open" | "require" | "use" | "no" | "INC")
}

/// Whether a module is known to be harmless.
#[must_use]
pub fn knows_module(name: &str) -> bool {
    listed(MODULES, name) || listed(WRITING_MODULES, name)
}

/// A variable's name without its sign, and without the package in which those that mean something are.
fn bare(name: &str) -> &str {
    let name = name.trim_start_matches(['@', '$', '%', '*']);
    name.strip_prefix("main::").or_else(|| name.strip_prefix("::")).unwrap_or(name)
}

/// Whether a text is a filter: made of nothing but what looks at, changes and prints the text that it is given.
#[must_use]
pub fn filter(text: &str) -> bool {
    let Ok(lexed) = read(text) else { return false };
    if lexed.doubt.is_some() && text.contains("qx") {
        return false;
    }
    (0..lexed.tokens.len()).all(|nr| match lexed.kind(nr) {
        Kind::Name(name) => listed(OF_FILTERS, name) && lexed.before(nr, 1) != Kind::Mark("->"),
        // `$ARGV` itself is the name of the file that is being read.
        Kind::Variable("$ARGV") => !lexed.is(nr + 1, "["),
        Kind::Variable(name) => !matches!(bare(name), "ARGV" | "INC" | "^I" | "^X"),
        Kind::Mark("&" | "->") => false,
        Kind::Symbol(name) => name != "<file>",
        _ => true,
    })
}

struct Look<'t> {
    text: &'t str,
    lexed: &'t Lexed<'t>,
    /// Packages of the text's own.
    packages: Vec<&'t str>,
    found: Found,
}

impl Look<'_> {
    fn bad<T>(&self, nr: usize, what: impl Into<String>) -> Result<T, String> {
        Err(fault(self.text, self.lexed.place(nr), what))
    }

    fn token(&mut self, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        match lexed.kind(nr) {
            Kind::Name(name) => self.name(name, nr),
            Kind::Variable(name) if matches!(bare(name), "INC" | "^I" | "^P" | "INPLACE_EDIT" | "PERLDB") => {
                self.bad(nr, "it changes what code is loaded, or which files are written")
            }
            Kind::Variable(name)
                if lexed.before(nr, 1) == Kind::Mark("->") && name.starts_with('$') && name != "$*" && name != "$#" =>
            {
                self.bad(nr, "which method it calls is only known when it runs")
            }
            Kind::Mark("$") if lexed.before(nr, 1) == Kind::Mark("->") => {
                self.bad(nr, "which method it calls is only known when it runs")
            }
            _ => Ok(()),
        }
    }

    fn name(&mut self, written: &str, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        let name = written.rsplit("::").next().unwrap_or(written);
        let method = lexed.before(nr, 1) == Kind::Mark("->");
        if lexed.before(nr, 1) == Kind::Name("sub") {
            return Ok(());
        }
        if written.contains("::") && !self.is_known_package(written, nr) {
            return self.bad(nr, format!("it uses `{written}`, which is not known to be harmless"));
        }
        if listed(DENIED, name) {
            return self.bad(nr, format!("it uses `{name}`, which can start a process or reach another machine"));
        }
        match name {
            "open" => return self.open(nr, method),
            "do" | "eval" if method || !lexed.is(nr + 1, "{") => {
                return self.bad(nr, format!("what its `{name}` runs is only known when it runs"));
            }
            "use" | "no" | "require" if !method => return self.module(name, nr),
            _ => {}
        }
        if listed(WRITES, name) {
            self.found.writes = true;
            self.found.uproots |=
                matches!(name, "rename" | "rmdir" | "chmod" | "chown" | "remove_tree" | "rmtree" | "move" | "mv");
        }
        Ok(())
    }

    /// Whether a name with its package is one of a module that is known, or of the text's own. Perl loads some classes by
    /// itself, `IO::File` among them.
    fn is_known_package(&self, written: &str, nr: usize) -> bool {
        let lexed = self.lexed;
        let package = written.rsplit_once("::").map_or("", |(package, _)| package);
        let known = |name: &str| knows_module(name) || matches!(name, "" | "main" | "CORE" | "UNIVERSAL");
        // Where a module is loaded, it is judged by itself.
        let loads = matches!(lexed.before(nr, 1), Kind::Name("use" | "no" | "require" | "package"));
        let own = |name| self.packages.binary_search(&name).is_ok();
        loads || known(written) || known(package) || own(written) || own(package)
    }

    fn module(&mut self, word: &str, nr: usize) -> Result<(), String> {
        match self.lexed.kind(nr + 1) {
            Kind::Number => Ok(()),
            Kind::Name(version)
                if version.strip_prefix('v').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit())) =>
            {
                Ok(())
            }
            Kind::Name(module) if knows_module(module) => {
                self.found.writes |= listed(WRITING_MODULES, module);
                Ok(())
            }
            // It takes away, and loads what is there anyway.
            Kind::Name("strict" | "warnings" | "utf8") => Ok(()),
            Kind::Name(module) => {
                self.bad(nr, format!("it uses the module `{module}`, which is not known to be harmless"))
            }
            _ => self.bad(nr, format!("what its `{word}` loads is only known when it runs")),
        }
    }

    /// `open`: whether what is opened is a file, and only read.
    fn open(&mut self, nr: usize, method: bool) -> Result<(), String> {
        let lexed = self.lexed;
        let odd = "its `open` may run a command";
        if method {
            return self.bad(nr, odd);
        }
        let arguments = if lexed.is(nr + 1, "(") { lexed.arguments(nr + 1) } else { self.bare_arguments(nr + 1) };
        let arguments = arguments.unwrap_or_default();
        let mode = match (arguments.get(1), arguments.len()) {
            (Some(range), 2) => match (range.len(), lexed.kind(range.start), lexed.only_text(range)) {
                (_, _, Some(text)) if !text.contains('|') && !text.trim().is_empty() && text.trim() != "-" => text,
                // `"<$file"` is a file, whatever its name.
                (1, Kind::Text(None), _) => {
                    let written = self.text.get(lexed.place(range.start) + 1..).unwrap_or_default();
                    let sign = written.get(..1).filter(|sign| matches!(*sign, "<" | ">"));
                    match sign {
                        Some(sign)
                            if self.text.get(lexed.place(range.start)..).is_some_and(|text| text.starts_with('"')) =>
                        {
                            sign
                        }
                        _ => return self.bad(nr, odd),
                    }
                }
                _ => return self.bad(nr, odd),
            },
            (Some(range), 3..) => match lexed.only_text(range) {
                Some(text) if text.trim_start().starts_with(['<', '>', '+']) && !text.contains('|') => text,
                _ => return self.bad(nr, odd),
            },
            _ => return self.bad(nr, odd),
        };
        let mode = mode.trim_start();
        self.found.writes |= mode.starts_with(['>', '+']);
        Ok(())
    }

    /// The arguments of a call without brackets.
    fn bare_arguments(&self, from: usize) -> Option<Vec<std::ops::Range<usize>>> {
        let lexed = self.lexed;
        let (mut depth, mut start, mut found) = (0_usize, from, vec![]);
        for nr in from..from + 200 {
            match lexed.kind(nr) {
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") if depth > 0 => depth -= 1,
                Kind::Mark(",") if depth == 0 => {
                    found.push(start..nr);
                    start = nr + 1;
                }
                Kind::End | Kind::Name("or" | "and" | "if" | "unless") | Kind::Mark("||" | "&&" | ")" | "}" | "]")
                    if depth == 0 =>
                {
                    found.push(start..nr);
                    return Some(found);
                }
                _ => {}
            }
        }
        None
    }

    /// `<>` opens what stands in `@ARGV`, and runs it if it is a command.
    fn diamond(&self) -> Result<(), String> {
        let lexed = self.lexed;
        let reads = lexed.tokens.iter().any(|token| {
            matches!(token.kind, Kind::Symbol("<>") | Kind::Name("readline" | "ARGV") | Kind::Variable("*ARGV"))
        });
        for nr in 0..lexed.tokens.len() {
            let Kind::Variable(name) = lexed.kind(nr) else { continue };
            if bare(name) != "ARGV" {
                continue;
            }
            // `$ARGV[0]` is one of them.
            let at =
                if lexed.is(nr + 1, "[") { (nr + 2..nr + 8).find(|nr| lexed.is(*nr, "]")).unwrap_or(nr) } else { nr };
            let set = lexed.is(at + 1, "=")
                || lexed.is(at + 1, ".=")
                || matches!(
                    lexed.before(nr, 1),
                    Kind::Name("push" | "unshift" | "splice" | "for" | "foreach" | "map" | "grep")
                        | Kind::Mark("(" | "\\")
                );
            if reads && set && !matches!(lexed.before(nr, 2), Kind::Name("scalar" | "shift")) {
                return self.bad(nr, "it sets which files `<>` opens, and that may run a command");
            }
        }
        Ok(())
    }
}
