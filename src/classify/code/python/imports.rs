//! What a Python text imports, and the modules of its own beside it. Pure.

use super::library::BESIDE;
use super::{Program, takes_a_modules_place};
use crate::classify::Found as OnDisk;
use crate::classify::code::token::{Kind, Lexed, fault, listed};
use std::ops::Range;

/// One module, or one name of a module, that is imported.
#[derive(Debug, PartialEq, Eq)]
pub struct Import<'t> {
    /// The module by its whole name.
    pub module: String,
    /// The name that is taken from it; none: the module itself.
    pub name: Option<&'t str>,
    /// Under what it is known then.
    pub bound: Option<&'t str>,
    /// Where it stands.
    pub at: usize,
}

/// What a text imports, and which of its pieces are part of that.
///
/// # Errors
/// Why it can't be told.
pub fn all<'t>(text: &str, lexed: &Lexed<'t>) -> Result<(Vec<Import<'t>>, Vec<Range<usize>>), String> {
    let mut found = vec![];
    let mut within = vec![];
    let mut reach = 0;
    for nr in 0..lexed.tokens.len() {
        if nr < reach || lexed.name(nr) != Some("import") {
            continue;
        }
        let at = lexed.place(nr);
        let odd = || fault(text, at, "what it imports is not understood");
        // Backwards to `from`, over a module's name.
        let mut start = nr;
        while start > 0 && nr - start < 40 && matches!(lexed.before(start, 1), Kind::Name(_) | Kind::Mark("." | "..."))
        {
            start -= 1;
            if lexed.name(start) == Some("from") {
                break;
            }
        }
        let from = (start < nr && lexed.name(start) == Some("from"))
            .then(|| dotted(lexed, start + 1).filter(|(_, end)| *end == nr).map(|(module, _)| module));
        let mut next = nr + 1;
        match from {
            Some(None) => return Err(fault(text, at, "it imports a module of its own package, which is not read")),
            Some(Some(module)) => {
                let brackets = lexed.is(next, "(");
                next += usize::from(brackets);
                loop {
                    let name = match lexed.kind(next) {
                        Kind::Name(name) => name,
                        Kind::Mark("*") => "*",
                        Kind::Mark(")") if brackets => break,
                        _ => return Err(odd()),
                    };
                    let (bound, end) = renamed(lexed, next + 1, name);
                    found.push(Import { module: module.clone(), name: Some(name), bound: Some(bound), at });
                    next = end;
                    if !lexed.is(next, ",") {
                        break;
                    }
                    next += 1;
                }
                if brackets && !lexed.is(next, ")") {
                    return Err(odd());
                }
                next += usize::from(brackets);
            }
            None => {
                start = nr;
                loop {
                    let (module, end) = dotted(lexed, next).ok_or_else(odd)?;
                    let top = lexed.name(next).unwrap_or_default();
                    let (bound, end) = renamed(lexed, end, top);
                    found.push(Import { module, name: None, bound: Some(bound), at });
                    next = end;
                    if !lexed.is(next, ",") {
                        break;
                    }
                    next += 1;
                }
            }
        }
        if lexed.kind(next) != Kind::End {
            return Err(odd());
        }
        within.push(start..next);
        reach = next;
    }
    Ok((found, within))
}

/// A module's name and where it ends.
fn dotted(lexed: &Lexed, from: usize) -> Option<(String, usize)> {
    let mut whole = lexed.name(from)?.to_owned();
    let mut nr = from + 1;
    while lexed.is(nr, ".") {
        whole.push('.');
        whole.push_str(lexed.name(nr + 1)?);
        nr += 2;
        if whole.len() > 200 {
            return None;
        }
    }
    Some((whole, nr))
}

/// `as NAME`, and where that ends.
fn renamed<'t>(lexed: &Lexed<'t>, nr: usize, name: &'t str) -> (&'t str, usize) {
    match (lexed.name(nr), lexed.name(nr + 1)) {
        (Some("as"), Some(new)) => (new, nr + 2),
        _ => (name, nr),
    }
}

/// Modules of the program's own are followed no further.
const MOST_READ: usize = 30;

impl Program<'_> {
    /// Reads a module that lies beside the program; false: there is none.
    ///
    /// # Errors
    /// Why it is not known.
    pub(super) fn own_module(&mut self, module: &str, name: Option<&str>) -> Result<bool, String> {
        if !self.facts.own {
            return Ok(false);
        }
        for folder in self.folders.clone() {
            let mut at = folder;
            let mut any = false;
            for part in module.split('.') {
                any = self.own_part(&at, part)?;
                at = format!("{at}/{part}");
            }
            let named = match name {
                Some("*") | None => false,
                // What is taken from it may be a module below it.
                Some(name) => self.own_part(&at, name)?,
            };
            if any || named {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the module or package of that name in a folder; false: there is none.
    fn own_part(&mut self, folder: &str, name: &str) -> Result<bool, String> {
        self.no_binary(folder, name)?;
        Ok(self.own_file(&format!("{folder}/{name}/__init__.py"))? || self.own_file(&format!("{folder}/{name}.py"))?)
    }

    /// Reads one file of a module; false: it is not there.
    fn own_file(&mut self, path: &str) -> Result<bool, String> {
        if self.read.iter().any(|read| read == path) {
            return Ok(true);
        }
        if self.read.len() >= MOST_READ {
            return Err("it imports more files than are read".into());
        }
        match self.facts.around.file(path) {
            OnDisk::Nothing => Ok(false),
            OnDisk::Unreadable => Err(format!("{path} can't be read")),
            OnDisk::File(bytes) => {
                self.read.push(path.to_owned());
                let text = std::str::from_utf8(&bytes).map_err(|_| format!("{path} is no text"))?;
                self.text(text).map_err(|why| format!("there {why}"))?;
                Ok(true)
            }
        }
    }

    /// A library of machine code comes before a module of that name.
    fn no_binary(&self, folder: &str, module: &str) -> Result<(), String> {
        let names = self.facts.around.folder(folder).unwrap_or_default();
        let odd = |name: &String| {
            name.split_once('.')
                .is_some_and(|(stem, end)| stem == module && (end.ends_with("so") || end.ends_with("pyc")))
        };
        match names.iter().find(|name| odd(name)) {
            Some(name) => Err(format!("{name} is machine code, which is not read")),
            None => Ok(()),
        }
    }

    /// Looks for files beside the program that take the place of a module of Python's own.
    pub(super) fn beside(&mut self) -> Result<(), String> {
        if !self.facts.own {
            return Ok(());
        }
        for folder in self.folders.clone() {
            let names = self.facts.around.folder(&folder).unwrap_or_default();
            for name in names {
                let path = format!("{folder}/{name}");
                if self.read.contains(&path) {
                    continue;
                }
                if takes_a_modules_place(&name) {
                    return Err(format!("{path} takes the place of a module of Python"));
                }
                let package = format!("{path}/__init__.py");
                if !name.contains('.') && listed(BESIDE, &name) && self.facts.around.file(&package) != OnDisk::Nothing {
                    return Err(format!("{path} takes the place of a module of Python"));
                }
            }
        }
        Ok(())
    }
}
