//! Ruby: what a program brings in, which constants and methods it uses. Pure.

mod lexer;
mod library;

use super::Found;
use super::token::{Kind, Lexed, fault, hidden, listed};
use library::{COMMON, CONSTANTS, DENIED, LIBRARIES, NEVER, READS};

/// What a text may do.
///
/// # Errors
/// Why it can't be told.
pub fn judge(text: &str) -> Result<Found, String> {
    let lexed = lexer::read(text)?;
    if let Some(at) = lexed.doubt {
        let odd = |word: &str| listed(DENIED, word) || matches!(word, "open" | "require" | "Process" | "IO");
        if hidden(text, &lexed, odd).is_some() || text.contains('`') || text.contains("%x") {
            return Err(fault(text, at, "it can be read in two ways"));
        }
    }
    let mut look = Look { text, lexed: &lexed, own: vec![], found: Found::default() };
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
    /// Constants of the text's own.
    own: Vec<&'t str>,
    found: Found,
}

impl<'t> Look<'t> {
    fn definitions(&mut self) {
        let lexed = self.lexed;
        for nr in 0..lexed.tokens.len() {
            let Some(name) = lexed.name(nr).filter(|name| name.starts_with(char::is_uppercase)) else { continue };
            let defined = matches!(lexed.before(nr, 1), Kind::Name("class" | "module"));
            if defined || (lexed.is(nr + 1, "=") && lexed.before(nr, 1) == Kind::End) {
                self.own.push(name);
            }
        }
        // What Ruby has itself stays what it is.
        self.own.retain(|name| !listed(NEVER, name) && !listed(DENIED, name));
        self.own.sort_unstable();
    }

    fn bad<T>(&self, nr: usize, what: impl Into<String>) -> Result<T, String> {
        Err(fault(self.text, self.lexed.place(nr), what))
    }

    fn token(&mut self, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        match lexed.kind(nr) {
            Kind::Name(name) if name.starts_with(char::is_uppercase) => self.constant(name, nr),
            Kind::Name(name) => self.name(name, nr),
            // `send: 1` is the name of an argument.
            Kind::Symbol(name) if listed(DENIED, name) && !listed(COMMON, name) && !lexed.is(nr + 1, "=>") => {
                self.bad(nr, format!("it names `{name}`, which may be called by that"))
            }
            Kind::Variable("$:" | "$\"" | "$LOAD_PATH" | "$LOADED_FEATURES") => {
                self.bad(nr, "it changes where libraries are looked for")
            }
            // `&name` of what is no symbol or block calls what it turns out to be.
            Kind::Mark("&")
                if matches!(lexed.before(nr, 1), Kind::Mark("(" | ","))
                    && (matches!(lexed.kind(nr + 1), Kind::Text(_)) || self.makes_a_name(nr + 1)) =>
            {
                self.bad(nr, "what it calls is only known when it runs")
            }
            _ => Ok(()),
        }
    }

    fn constant(&mut self, name: &str, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        let behind = lexed.before(nr, 1) == Kind::Mark("::") && matches!(lexed.before(nr, 2), Kind::Name(_));
        let next = if matches!(lexed.kind(nr + 1), Kind::Mark("." | "&." | "::")) { lexed.name(nr + 2) } else { None };
        if listed(DENIED, name) {
            return self.bad(nr, format!("it uses `{name}`, which can run code or start a process"));
        }
        match (name, next) {
            ("File" | "Dir", next) if !behind => {
                self.found.writes |= match next {
                    Some("open" | "new") => !self.only_reads(nr + 3, 1),
                    Some(next) => !listed(READS, next),
                    None => true,
                };
                self.found.uproots |=
                    matches!(next, Some("rename" | "chmod" | "chown" | "rmdir" | "delete" | "unlink"));
                return Ok(());
            }
            ("FileUtils" | "Pathname" | "PStore", _) => {
                self.found.writes = true;
                self.found.uproots = true;
            }
            ("Tempfile" | "Logger" | "Zlib" | "ARGF" | "YAML" | "Psych", _) => {
                self.found.writes |= !matches!(
                    next,
                    Some(
                        "load"
                            | "safe_load"
                            | "load_file"
                            | "safe_load_file"
                            | "dump"
                            | "read"
                            | "each_line"
                            | "inflate"
                            | "deflate"
                            | "crc32"
                    )
                );
            }
            ("CSV", next) => {
                self.found.writes |= !matches!(
                    next,
                    Some(
                        "read"
                            | "parse"
                            | "parse_line"
                            | "foreach"
                            | "generate"
                            | "generate_line"
                            | "table"
                            | "Row"
                            | "Table"
                    )
                )
            }
            (
                "Process",
                Some("clock_gettime" | "pid" | "CLOCK_MONOTONIC" | "CLOCK_REALTIME" | "CLOCK_PROCESS_CPUTIME_ID"),
            ) => return Ok(()),
            ("Gem", Some("Version" | "VERSION")) => return Ok(()),
            _ => {}
        }
        // What lies within a known one is known, but for its own processes.
        if (behind && !listed(NEVER, name)) || listed(CONSTANTS, name) || self.own.binary_search(&name).is_ok() {
            return Ok(());
        }
        self.bad(nr, format!("it uses `{name}`, which is not known to be harmless"))
    }

    fn name(&mut self, name: &str, nr: usize) -> Result<(), String> {
        let lexed = self.lexed;
        let method = matches!(lexed.before(nr, 1), Kind::Mark("." | "&."));
        let bare = name.trim_end_matches(['?', '!']);
        match name {
            "require" if !method => {
                let at = nr + 1 + usize::from(lexed.is(nr + 1, "("));
                return match lexed.kind(at) {
                    Kind::Text(Some(library)) if listed(LIBRARIES, library) => Ok(()),
                    Kind::Text(Some(library)) => self.bad(
                        nr,
                        format!("it requires `{library}`, which is no library of Ruby that is known to be harmless"),
                    ),
                    _ => self.bad(nr, "which library it requires is only known when it runs"),
                };
            }
            "open" if !method || lexed.before(nr, 2) == Kind::Name("self") => {
                let at = nr + 1 + usize::from(lexed.is(nr + 1, "("));
                match lexed.kind(at) {
                    Kind::Text(Some(path)) if !path.trim_start().starts_with('|') && !path.contains("://") => {}
                    _ => return self.bad(nr, "its `open` may run a command"),
                }
                self.found.writes |= !self.only_reads(nr + 1, 1);
            }
            "open" => self.found.writes |= !self.is_reading_open(nr),
            "trap" if self.traps_by_text(nr) => {
                return self.bad(nr, "the text that its `trap` is given is run");
            }
            _ if listed(DENIED, bare) && lexed.before(nr, 1) != Kind::Name("def") => {
                return self.bad(nr, format!("it uses `{name}`, which can run code or start a process"));
            }
            // They call what is named to them.
            "alias_method" | "inject" | "reduce" if self.has_text_argument(nr) => {
                return self.bad(nr, format!("what its `{name}` calls is only known when it runs"));
            }
            "write" | "binwrite" | "mkpath" | "mkdir" | "rmtree" if method => {
                let stream = matches!(
                    lexed.before(nr, 2),
                    Kind::Variable("$stdout" | "$stderr") | Kind::Name("STDOUT" | "STDERR")
                );
                self.found.writes |= !stream;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether an argument that begins there is turned into a method's name.
    fn makes_a_name(&self, from: usize) -> bool {
        (from..from + 20)
            .map(|nr| self.lexed.kind(nr))
            .take_while(|kind| !matches!(kind, Kind::End | Kind::Mark(")" | ",")))
            .any(|kind| matches!(kind, Kind::Name("to_sym" | "intern")))
    }

    /// Whether a call of `trap` is given text to run, and no name of what is always there.
    fn traps_by_text(&self, nr: usize) -> bool {
        let from = nr + 1 + usize::from(self.lexed.is(nr + 1, "("));
        let behind = (from..from + 6).find(|nr| self.lexed.is(*nr, ","));
        match behind.map(|nr| self.lexed.kind(nr + 1)) {
            Some(Kind::Text(Some(text))) => {
                !matches!(text, "" | "IGNORE" | "SIG_IGN" | "DEFAULT" | "SIG_DFL" | "SYSTEM_DEFAULT" | "EXIT")
            }
            Some(Kind::Text(None)) => true,
            _ => false,
        }
    }

    /// Whether a string stands among the arguments of a call.
    fn has_text_argument(&self, nr: usize) -> bool {
        let from = nr + 1 + usize::from(self.lexed.is(nr + 1, "("));
        let arguments = (from..from + 20).map(|nr| self.lexed.kind(nr));
        arguments
            .take_while(|kind| !matches!(kind, Kind::End | Kind::Mark(")" | "{" | "|")))
            .any(|kind| matches!(kind, Kind::Text(_)))
    }

    /// Whether the method that is called is that of a class for which the constant has been looked at.
    fn is_reading_open(&self, nr: usize) -> bool {
        match self.lexed.before(nr, 2) {
            Kind::Name("File" | "Dir") => true,
            _ => self.only_reads(nr + 1, 0),
        }
    }

    /// Whether what is opened by the arguments that begin there is surely only read.
    fn only_reads(&self, open: usize, mode: usize) -> bool {
        let Some(arguments) = self.lexed.arguments(open).filter(|_| self.lexed.is(open, "(")) else { return false };
        let only_reads =
            |range| self.lexed.only_text(range).is_some_and(|mode| mode.starts_with('r') && !mode.contains('+'));
        arguments.get(mode).is_none_or(only_reads) && arguments.len() <= mode + 1
    }
}
