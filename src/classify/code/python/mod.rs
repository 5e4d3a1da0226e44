//! Python: what a program brings in and which names it uses. Pure.

mod imports;
mod lexer;
mod library;

use super::token::{Kind, Lexed, fault, listed};
use super::{Found, Source};
use crate::classify::effect::Facts;
use imports::Import;
use library::{DENIED, MODULES, Module, OS_WRITES, PATH_WRITES, SPECIAL, UPROOTS};

/// What a Python text may do.
///
/// # Errors
/// Why it can't be told.
pub fn judge(text: &str, source: Source, facts: &Facts) -> Result<Found, String> {
    for variable in ["PYTHONWARNINGS", "PYTHONINSPECT", "PYTHONUSERBASE", "HOME"] {
        if facts.variables.variable(variable).is_some_and(|value| value.known() != Some("")) {
            return Err(format!("`{variable}` can load code into Python"));
        }
    }
    let mut folders: Vec<String> = source.folder.map(str::to_owned).into_iter().collect();
    if let Some(value) = facts.variables.variable("PYTHONPATH") {
        let known = value.known().and_then(|value| {
            value
                .split(':')
                .filter(|part| !part.is_empty())
                .map(|part| crate::path::absolute(part, facts.cwd))
                .collect()
        });
        let Some(more): Option<Vec<String>> = known else {
            return Err("in which folders `PYTHONPATH` looks for modules is not known".into());
        };
        folders.extend(more);
    }
    let mut program = Program {
        facts,
        folders,
        read: source.file.map(str::to_owned).into_iter().collect(),
        found: Found::default(),
        looked_beside: false,
        xml: false,
    };
    if facts.variables.variable("PYTHONPATH").is_some() {
        // What lies there may be loaded whatever the program imports.
        program.looked_beside = true;
        program.beside()?;
    }
    program.text(text)?;
    Ok(program.found)
}

/// Whether a file, by its path, would be taken for a module of Python's own by a program beside it.
#[must_use]
pub fn takes_a_modules_place(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let (stem, end) = name.split_once('.').unwrap_or_default();
    listed(library::BESIDE, stem) && ["py", "pyc", "so", "pyd"].iter().any(|known| end.ends_with(known))
}

/// A program and the modules of its own that are read with it.
struct Program<'f> {
    facts: &'f Facts<'f>,
    /// Where modules are looked for before Python's own.
    folders: Vec<String>,
    /// The files that were read, or are being read.
    read: Vec<String>,
    found: Found,
    /// Whether the files beside it were looked at.
    looked_beside: bool,
    /// Whether it has trees of XML, which write files by themselves.
    xml: bool,
}

/// What lies below these modules is not all alike.
const NOT_BELOW: &[&str] = &["concurrent", "logging", "os", "sys", "urllib", "xml"];

/// What is known of a module by its whole name.
fn module(name: &str) -> Option<Module> {
    let mut name = name;
    let mut below = false;
    loop {
        if let Ok(at) = MODULES.binary_search_by_key(&name, |(known, _)| *known) {
            return MODULES.get(at).filter(|_| !below || !NOT_BELOW.contains(&name)).map(|(_, module)| *module);
        }
        name = name.rsplit_once('.')?.0;
        below = true;
    }
}

/// A text at work.
struct Look<'t> {
    text: &'t str,
    lexed: Lexed<'t>,
    /// The names under which modules are known, with the module.
    bound: Vec<(&'t str, String)>,
    /// Whether a module is handed on as a value, so that another name may stand for it.
    hands_on: bool,
}

impl Program<'_> {
    fn text(&mut self, text: &str) -> Result<(), String> {
        let lexed = lexer::read(text)?;
        for text in &lexed.texts {
            self.found.text(text);
        }
        let (imports, within) = imports::all(text, &lexed)?;
        let mut look = Look { text, lexed, bound: vec![], hands_on: false };
        for import in &imports {
            self.import(import, &mut look)?;
        }
        if !imports.is_empty() && !std::mem::replace(&mut self.looked_beside, true) {
            self.beside()?;
        }
        look.bound.sort();
        look.hands_on = hands_on(&look);
        let mut skipped = within.into_iter().peekable();
        for nr in 0..look.lexed.tokens.len() {
            while skipped.next_if(|range| range.end <= nr).is_some() {}
            if skipped.peek().is_some_and(|range| range.contains(&nr)) {
                continue;
            }
            if let Some(name) = look.lexed.name(nr) {
                self.name(name, nr, &look)?;
            }
        }
        Ok(())
    }

    fn import<'t>(&mut self, import: &Import<'t>, look: &mut Look<'t>) -> Result<(), String> {
        let at = import.at;
        let bad = |what: String| Err(fault(look.text, at, what));
        self.xml |= import.module.starts_with("xml");
        let Some(module) = module(&import.module) else {
            // `from xml import etree`
            if let Some(name) = import.name
                && let Some(found) = self::module(&format!("{}.{name}", import.module))
            {
                self.found.writes |= found != Module::Pure;
                return Ok(());
            }
            return match self.own_module(&import.module, import.name) {
                Ok(true) => Ok(()),
                Ok(false) => bad(format!(
                    "it imports `{}`, which is no module of Python that is known to be harmless",
                    import.module
                )),
                Err(why) => bad(format!("it imports `{}`, and {why}", import.module)),
            };
        };
        let top = import.module.split('.').next().unwrap_or_default();
        match import.name {
            None => {
                if module == Module::Writes {
                    self.found.writes = true;
                }
                let name = import.bound.unwrap_or_default();
                let whole = if name == top { top.to_owned() } else { import.module.clone() };
                look.bound.push((name, whole));
                Ok(())
            }
            Some("*") => {
                self.found.writes |= module != Module::Pure;
                Ok(())
            }
            Some(name) => {
                let whole = import.module.as_str();
                let is_part = matches!(whole, "urllib" | "xml" | "concurrent") || matches!(name, "handlers" | "config");
                if is_part && NOT_BELOW.contains(&whole) && self::module(&format!("{whole}.{name}")).is_none() {
                    return bad(format!("it imports `{whole}.{name}`, which is not known to be harmless"));
                }
                if whole == "sys" && matches!(name, "path" | "modules") {
                    return bad(format!("it imports `sys.{name}`, by which code can be loaded"));
                }
                if listed(DENIED, name) && !matches!((top, name), ("re", "compile") | ("platform", "system")) {
                    return bad(denied(name));
                }
                self.member(top, whole, name).or_else(bad)
            }
        }
    }

    /// Notes that a name of a module is used.
    fn member(&mut self, top: &str, module: &str, name: &str) -> Result<(), String> {
        match self::module(module) {
            Some(Module::Mixed(reads)) if !listed(reads, name) => {
                if top == "os" && !listed(OS_WRITES, name) {
                    return Err(format!("it uses `os.{name}`, which is not known to be harmless"));
                }
                self.found.writes = true;
            }
            Some(Module::Writes) => self.found.writes = true,
            _ => {}
        }
        self.found.uproots |= listed(UPROOTS, name);
        Ok(())
    }

    fn name(&mut self, name: &str, nr: usize, look: &Look) -> Result<(), String> {
        let lexed = &look.lexed;
        let bad = |what: String| Err(fault(look.text, lexed.place(nr), what));
        let attribute = lexed.before(nr, 1) == Kind::Mark(".");
        let receiver = match lexed.before(nr, 2) {
            Kind::Name(name) if attribute => Some(name),
            _ => None,
        };
        if name.len() > 4 && name.starts_with("__") && name.ends_with("__") && !listed(SPECIAL, name) {
            return bad(format!("it uses `{name}`, by which anything can be reached"));
        }
        if !attribute {
            let first = look.bound.partition_point(|(bound, _)| *bound < name);
            for (_, whole) in look.bound.iter().skip(first).take_while(|(bound, _)| *bound == name) {
                self.module_used(whole, nr, look)?;
            }
        }
        if attribute && name == "modules" {
            return bad("it uses `modules`, by which anything can be reached".into());
        }
        if listed(DENIED, name) && !self.is_harmless(name, receiver, nr, look) {
            return bad(denied(name));
        }
        if name == "open" {
            self.found.writes |= !only_reads(lexed, nr, attribute, receiver, look);
        } else if attribute && listed(PATH_WRITES, name) {
            // A string has `replace` too, with two arguments.
            let text = name == "replace" && lexed.arguments(nr + 1).is_some_and(|arguments| arguments.len() >= 2);
            self.found.writes |= !text;
            self.found.uproots |= !text && listed(UPROOTS, name);
        } else if matches!(name, "FileType" | "FileIO") || (name == "write" && self.xml && attribute) {
            self.found.writes = true;
        }
        Ok(())
    }

    /// A module's name stands in the code.
    fn module_used(&mut self, whole: &str, nr: usize, look: &Look) -> Result<(), String> {
        let lexed = &look.lexed;
        let bad = |what: String| Err(fault(look.text, lexed.place(nr), what));
        let next = if lexed.is(nr + 1, ".") { lexed.name(nr + 2) } else { None };
        if whole == "sys" && next == Some("path") {
            // Where it is only looked at, it stands among arguments or behind `in`.
            let before = matches!(lexed.before(nr, 1), Kind::Mark("(" | "," | "*") | Kind::Name("in"));
            let behind = matches!(lexed.kind(nr + 3), Kind::Mark(")" | "," | ":" | "]"));
            if !(before && behind) {
                return bad("it changes where modules are looked for".into());
            }
        }
        match (self::module(whole), next) {
            (Some(Module::Mixed(_)), Some(name)) => {
                let top = whole.split('.').next().unwrap_or_default();
                self.member(top, whole, name).or_else(bad)
            }
            (Some(Module::Mixed(_)), None) => {
                // As a value it may be used in any way.
                self.found.writes = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether one of the names that lead out is used in a way that doesn't.
    fn is_harmless(&self, name: &str, receiver: Option<&str>, nr: usize, look: &Look) -> bool {
        let lexed = &look.lexed;
        let is_module =
            |name: &str, module: &str| look.bound.iter().any(|(bound, whole)| *bound == name && whole == module);
        match name {
            "compile" => receiver.is_some_and(|receiver| is_module(receiver, "re")),
            "system" => receiver.is_some_and(|receiver| is_module(receiver, "platform")),
            "Formatter" => receiver.is_some_and(|receiver| is_module(receiver, "logging")),
            "importlib" => lexed.is(nr + 1, ".") && lexed.name(nr + 2) == Some("metadata"),
            // As the name of an argument it is a text for people.
            "help" => !lexed.is(nr + 1, "("),
            "getattr" => {
                let arguments = lexed.arguments(nr + 1).filter(|_| lexed.is(nr + 1, "("));
                // Behind a `*` what stands second in the text is not what comes second.
                let arguments = arguments
                    .filter(|all| !all.iter().any(|range| matches!(lexed.kind(range.start), Kind::Mark("*" | "**"))));
                let named = arguments.as_ref().and_then(|all| lexed.only_text(all.get(1)?));
                named.is_some_and(|named| {
                    !listed(DENIED, named) && named != "modules" && !named.starts_with("__") && named.is_ascii()
                })
            }
            "vars" => match (lexed.kind(nr + 1), lexed.kind(nr + 2), lexed.kind(nr + 3)) {
                (Kind::Mark("("), Kind::Name(value), Kind::Mark(")")) => {
                    !look.bound.iter().any(|(bound, _)| *bound == value) && !look.hands_on
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a module is handed on as a value.
fn hands_on(look: &Look) -> bool {
    let lexed = &look.lexed;
    (0..lexed.tokens.len()).any(|nr| {
        let handed = matches!(
            lexed.before(nr, 1),
            Kind::Mark("=" | ":=" | "(" | "[" | "{" | ":")
                | Kind::Name("return" | "in" | "else" | "or" | "and" | "lambda")
        );
        let name = lexed.name(nr).filter(|_| handed && !lexed.is(nr + 1, ".") && !lexed.is(nr + 1, "="));
        name.is_some_and(|name| look.bound.binary_search_by_key(&name, |(bound, _)| *bound).is_ok())
    })
}

/// Whether a call of `open` surely only reads.
fn only_reads(lexed: &Lexed, nr: usize, attribute: bool, receiver: Option<&str>, look: &Look) -> bool {
    let Some(arguments) = lexed.arguments(nr + 1).filter(|_| lexed.is(nr + 1, "(")) else { return false };
    let reading = |text: Option<&str>| text.is_some_and(|mode| mode.chars().all(|c| "rbtU".contains(c)));
    let keyword =
        |range: &std::ops::Range<usize>| lexed.is(range.start + 1, "=").then(|| lexed.name(range.start)).flatten();
    // More arguments than are seen may come of these.
    if arguments.iter().any(|range| matches!(lexed.kind(range.start), Kind::Mark("*" | "**"))) {
        return false;
    }
    for range in &arguments {
        match keyword(range) {
            Some("mode") if !reading(lexed.only_text(&(range.start + 2..range.end))) => return false,
            Some("opener") => return false,
            _ => {}
        }
    }
    let plain: Vec<_> = arguments.iter().filter(|range| keyword(range).is_none()).collect();
    let of_module = receiver
        .and_then(|receiver| look.bound.iter().find(|(bound, _)| *bound == receiver))
        .is_some_and(|(_, whole)| matches!(whole.as_str(), "io" | "gzip" | "bz2" | "lzma" | "codecs" | "tarfile"));
    let at = if attribute && !of_module { 0 } else { 1 };
    // `os.open` has numbers for modes.
    plain.get(at).is_none_or(|mode| reading(lexed.only_text(mode)))
}

fn denied(name: &str) -> String {
    format!("it uses `{name}`, which can run code, start a process or reach another machine")
}
