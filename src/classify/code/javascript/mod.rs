//! JavaScript and TypeScript for Node.js, Deno and Bun: what a program brings in and which names it uses. Pure.

mod lexer;
mod library;

use super::token::{Kind, Lexed, fault, hidden, listed};
use super::{Found, Source};
use crate::classify::Found as OnDisk;
use crate::classify::effect::Facts;
use crate::path::normal;
use library::{BUN, DENIED, DENO_READS, DENO_WRITES, FS_WRITES, MODULES, PROCESS, UPROOTS};

/// What a text may do.
///
/// # Errors
/// Why it can't be told.
pub fn judge(text: &str, source: Source, facts: &Facts) -> Result<Found, String> {
    if let Some(options) = facts.variables.variable("NODE_OPTIONS") {
        let plain = |option: &str| {
            [
                "--max-old-space-size=",
                "--max_old_space_size=",
                "--no-warnings",
                "--no-deprecation",
                "--enable-source-maps",
                "--stack-trace-limit=",
            ]
            .iter()
            .any(|known| option.starts_with(known))
        };
        if !options.known().is_some_and(|options| options.split_whitespace().all(plain)) {
            return Err("`NODE_OPTIONS` can load code into Node".into());
        }
    }
    let read = source.file.map(str::to_owned).into_iter().collect();
    let mut program = Program { facts, read, found: Found::default() };
    program.text(text, source.folder)?;
    Ok(program.found)
}

/// Modules of the program's own are followed no further.
const MOST_READ: usize = 30;

/// A program and the modules of its own that are read with it.
struct Program<'f> {
    facts: &'f Facts<'f>,
    /// The files that were read, or are being read.
    read: Vec<String>,
    found: Found,
}

/// A text at work.
struct Look<'t> {
    text: &'t str,
    lexed: Lexed<'t>,
    /// The folder in which it lies.
    folder: Option<&'t str>,
    /// Whether it has the module for files, and under which names.
    fs: Option<Vec<&'t str>>,
}

/// Names that have rules of their own.
const RULED: &[&str] =
    &["Bun", "Deno", "constructor", "from", "global", "globalThis", "import", "module", "process", "require", "with"];

impl Program<'_> {
    fn text(&mut self, text: &str, folder: Option<&str>) -> Result<(), String> {
        let lexed = lexer::read(text)?;
        if let Some(name) = hidden(text, &lexed, |word| listed(DENIED, word) || listed(RULED, word)) {
            let at = lexed.doubt.unwrap_or_default();
            return Err(fault(text, at, format!("it can be read in two ways, and in one of them it uses `{name}`")));
        }
        for text in &lexed.texts {
            self.found.text(text);
        }
        let mut look = Look { text, lexed, folder, fs: None };
        for nr in 0..look.lexed.tokens.len() {
            match look.lexed.kind(nr) {
                Kind::Name(name) => self.name(name, nr, &mut look)?,
                Kind::Text(Some("constructor")) => {
                    return Err(bad(&look, nr, "it uses `constructor`, by which code can be run"));
                }
                Kind::Text(Some(name))
                    if (listed(DENIED, name) || name == "require")
                        && look.lexed.before(nr, 1) == Kind::Mark("[")
                        && look.lexed.is(nr + 1, "]") =>
                {
                    return Err(bad(&look, nr, &format!("it uses `{name}`, which can run code or start a process")));
                }
                _ => {}
            }
        }
        if look.fs.is_some() {
            self.files(&look);
        }
        Ok(())
    }

    fn name<'t>(&mut self, name: &'t str, nr: usize, look: &mut Look<'t>) -> Result<(), String> {
        let lexed = &look.lexed;
        // What hangs at the global object is what has no name before it.
        let attribute = matches!(lexed.before(nr, 1), Kind::Mark("." | "?."))
            && !matches!(lexed.before(nr, 2), Kind::Name("global" | "globalThis" | "window" | "self"));
        // The name of an entry or an argument, and no use.
        let key = lexed.is(nr + 1, ":") && matches!(lexed.before(nr, 1), Kind::Mark("{" | ","));
        let next = if matches!(lexed.kind(nr + 1), Kind::Mark("." | "?.")) { lexed.name(nr + 2) } else { None };
        let is_typeof = lexed.before(nr, 1) == Kind::Name("typeof");
        if listed(DENIED, name) {
            return Err(bad(
                look,
                nr,
                &format!("it uses `{name}`, which can run code, start a process or reach another machine"),
            ));
        }
        match name {
            "constructor" if (attribute && next != Some("name")) || key => {
                Err(bad(look, nr, "it uses `constructor`, by which code can be run"))
            }
            "from" if !attribute => match lexed.kind(nr + 1) {
                Kind::Text(module) => self.module(module, nr, look),
                _ => Ok(()),
            },
            "import" if !attribute && !key => self.import(nr, look),
            // `module.parent.require`, `require.main.require`: each module has one.
            "require" if attribute && !lexed.is(nr + 1, "=") => {
                Err(bad(look, nr, "it uses the `require` of a module, by which code can be loaded"))
            }
            "require" if !attribute && !key => match (lexed.kind(nr + 1), lexed.kind(nr + 2), lexed.kind(nr + 3)) {
                (Kind::Mark("("), Kind::Text(module), Kind::Mark(")")) => self.module(module, nr, look),
                (Kind::Mark("." | "?."), Kind::Name("main" | "resolve"), _)
                    if lexed.kind(nr + 3) != Kind::Mark(".") =>
                {
                    Ok(())
                }
                _ if is_typeof => Ok(()),
                _ => Err(bad(look, nr, "it loads a module that can't be told before it runs")),
            },
            "module" if !attribute && !key => match (lexed.before(nr, 1), lexed.kind(nr + 1), next) {
                (_, _, Some("exports" | "filename" | "id" | "parent" | "path")) => Ok(()),
                (Kind::Mark("="), Kind::Mark(")" | "?" | "&"), _) => Ok(()),
                _ if is_typeof => Ok(()),
                _ => Err(bad(look, nr, "it uses `module`, by which code can be loaded")),
            },
            "process" if !attribute && !key => match next {
                Some(next) if listed(PROCESS, next) => Ok(()),
                Some("chdir" | "kill") => {
                    self.found.writes = true;
                    Ok(())
                }
                Some(next) => {
                    Err(bad(look, nr, &format!("it uses `process.{next}`, which is not known to be harmless")))
                }
                None if is_typeof => Ok(()),
                None => Err(bad(look, nr, "it uses `process` as a value, by which anything can be reached")),
            },
            "global" | "globalThis" if !attribute && !key && next.is_none() && !is_typeof => {
                Err(bad(look, nr, &format!("it uses `{name}` as a value, by which anything can be reached")))
            }
            "Deno" => match next {
                Some(next) if listed(DENO_READS, next) => Ok(()),
                Some(next) if listed(DENO_WRITES, next) => {
                    self.found.writes = true;
                    self.found.uproots |= next.starts_with("re") || next.starts_with("ch");
                    Ok(())
                }
                _ if is_typeof => Ok(()),
                _ => Err(bad(look, nr, "what it uses of `Deno` is not known to be harmless")),
            },
            "Bun" => match next {
                Some(next) if listed(BUN, next) && !lexed.texts.iter().any(|text| text.contains("://")) => {
                    self.found.writes |= matches!(next, "file" | "write");
                    Ok(())
                }
                _ if is_typeof => Ok(()),
                _ => Err(bad(look, nr, "what it uses of `Bun` is not known to be harmless")),
            },
            "with" if !attribute && lexed.is(nr + 1, "(") => {
                Err(bad(look, nr, "it uses `with`, so that names mean something else"))
            }
            _ => Ok(()),
        }
    }

    fn import<'t>(&mut self, nr: usize, look: &mut Look<'t>) -> Result<(), String> {
        let lexed = &look.lexed;
        match (lexed.kind(nr + 1), lexed.kind(nr + 2), lexed.kind(nr + 3)) {
            (Kind::Text(module), _, _) => self.module(module, nr, look),
            (Kind::Mark("."), Kind::Name("meta"), _) => Ok(()),
            (Kind::Mark("("), Kind::Text(module), Kind::Mark(")" | ",")) => self.module(module, nr, look),
            (Kind::Mark("("), ..) => Err(bad(look, nr, "it loads a module that can't be told before it runs")),
            _ => {
                // `from` brings its module, and so does `= require()`.
                let mut behind = (nr + 1..nr + 400).map(|nr| lexed.kind(nr));
                let known = behind.find(|kind| matches!(kind, Kind::Name("from" | "require") | Kind::End));
                match known {
                    Some(Kind::Name(_)) => Ok(()),
                    _ => Err(bad(look, nr, "what it imports is not understood")),
                }
            }
        }
    }

    fn module<'t>(&mut self, module: Option<&'t str>, nr: usize, look: &mut Look<'t>) -> Result<(), String> {
        let Some(module) = module else {
            return Err(bad(look, nr, "it loads a module that can't be told before it runs"));
        };
        if ["./", "../", "/"].iter().any(|start| module.starts_with(start)) || module == "." || module == ".." {
            return self
                .own_module(module, look)
                .map_err(|why| bad(look, nr, &format!("it loads `{module}`, and {why}")));
        }
        let name = module.strip_prefix("node:").unwrap_or(module);
        if name == "process" {
            // By its usual name it is followed like the one that is there anyway.
            let bound = [look.lexed.before(nr, 1), look.lexed.before(nr, 2)];
            if bound.contains(&Kind::Name("process")) {
                return Ok(());
            }
        }
        if !listed(MODULES, name) {
            return Err(bad(
                look,
                nr,
                &format!("it loads `{module}`, which is no module of Node that is known to be harmless"),
            ));
        }
        if matches!(name, "fs" | "fs/promises") {
            self.has_files(nr, look);
        }
        Ok(())
    }

    /// Notes under which name a text has the module for files.
    fn has_files<'t>(&mut self, nr: usize, look: &mut Look<'t>) {
        let lexed = &look.lexed;
        let bound = match (lexed.name(nr), lexed.before(nr, 1), lexed.before(nr, 2)) {
            (Some("from"), Kind::Name(name), _) | (Some("require"), Kind::Mark("="), Kind::Name(name)) => Some(name),
            (Some("from"), Kind::Mark("}"), _) | (Some("require"), Kind::Mark("="), Kind::Mark("}")) => None,
            // `require('fs').readFileSync(…)`
            (Some("require"), ..) if lexed.is(nr + 4, ".") => None,
            _ => {
                self.found.writes = true;
                None
            }
        };
        look.fs.get_or_insert_default().extend(bound);
    }

    /// What is used of the module for files.
    fn files(&mut self, look: &Look) {
        let lexed = &look.lexed;
        let bound = look.fs.as_deref().unwrap_or_default();
        for nr in 0..lexed.tokens.len() {
            let Some(name) = lexed.name(nr) else { continue };
            let base = name.strip_suffix("Sync").unwrap_or(name);
            if listed(FS_WRITES, base) {
                self.found.writes = true;
                self.found.uproots |= listed(UPROOTS, base);
            }
            let used = matches!(lexed.kind(nr + 1), Kind::Mark("." | "?.") | Kind::Name("from") | Kind::Mark("="));
            if bound.contains(&name) && !used && !matches!(lexed.before(nr, 1), Kind::Mark(".")) {
                self.found.writes = true;
            }
        }
    }

    /// Reads a module of the program's own.
    fn own_module(&mut self, module: &str, look: &Look) -> Result<(), String> {
        let Some(folder) = look.folder.filter(|_| self.facts.own) else {
            return Err("where that lies is not known".into());
        };
        let path = if module.starts_with('/') { normal(module) } else { normal(&format!("{folder}/{module}")) };
        if self.facts.around.file(&format!("{path}/package.json")) != OnDisk::Nothing {
            return Err("that is a package, which is not read".into());
        }
        let ends = [
            "",
            ".js",
            ".ts",
            ".tsx",
            ".cjs",
            ".mjs",
            ".mts",
            ".cts",
            ".json",
            ".node",
            "/index.js",
            "/index.ts",
            "/index.json",
        ];
        let script = path.strip_suffix(".js").map(|stem| format!("{stem}.ts"));
        let candidates = ends.iter().map(|end| format!("{path}{end}")).chain(script);
        for file in candidates {
            if self.read.contains(&file) {
                return Ok(());
            }
            match self.facts.around.file(&file) {
                OnDisk::Nothing => {}
                // A folder of that name.
                OnDisk::Unreadable if file == path && !file.rsplit('/').next().unwrap_or_default().contains('.') => {}
                OnDisk::Unreadable => return Err(format!("{file} can't be read")),
                OnDisk::File(_) if file.ends_with(".node") => {
                    return Err(format!("{file} is machine code, which is not read"));
                }
                OnDisk::File(_) if file.ends_with(".json") => return Ok(()),
                OnDisk::File(bytes) => {
                    if self.read.len() >= MOST_READ {
                        return Err("it loads more files than are read".into());
                    }
                    self.read.push(file.clone());
                    let text = std::str::from_utf8(&bytes).map_err(|_| format!("{file} is no text"))?;
                    let folder = file.rsplit_once('/').map(|(folder, _)| folder);
                    return self.text(text, folder).map_err(|why| format!("there {why}"));
                }
            }
        }
        Err("it is not there".into())
    }
}

fn bad(look: &Look, nr: usize, what: &str) -> String {
    fault(look.text, look.lexed.place(nr), what)
}
