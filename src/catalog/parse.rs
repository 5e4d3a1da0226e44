//! From the text of a `catalog.toml` to its prepared form, or the first mistake with its line.
//!
//! Everything that could make an entry mean something else than its author thought is refused here: unknown keys,
//! wildcards that are none, the same name twice, a script entry that does not say where the script is.

use super::glob;
use super::model::{Entry, Language, Manner, Owner, Rule};
use super::prepared::{Encoder, Prepared};
use crate::document::{Document, Mistake, Table, Value};
use std::collections::BTreeMap;

/// The version of the format that this program reads.
const SCHEMA: i64 = 1;

/// Parses a catalog.
///
/// # Errors
/// The first mistake in it.
pub fn parse(text: &str) -> Result<Prepared, Mistake> {
    let document = Document::parse(text)?;
    let root = document.root();
    root.only(&["schema", "server", "program"])?;
    if let Some(schema) = root.get("schema")
        && schema.integer("schema")? != SCHEMA
    {
        return Err(schema.mistake(format!("this version of zerto-guard reads `schema = {SCHEMA}` and no other")));
    }
    let mut encoder = Encoder::for_text(text.len());
    // One list for all tables, so that there is no new one for each.
    let mut entries = Entries::default();
    for (section, server) in [("server", true), ("program", false)] {
        let Some(owners) = root.get(section) else { continue };
        for (key, value) in owners.table(section)?.items() {
            let name = key.name;
            let is_plain = !name.is_empty() && name.bytes().all(|byte| byte != b'*' && glob::is_plain(byte));
            if !is_plain && name.chars().any(char::is_control) {
                return Err(key.mistake("a name must not hold control characters"));
            }
            // `[server.""]` is the agent host itself.
            if !(is_plain || server && name.is_empty()) {
                let fault = if server { glob::fault(name) } else { program_fault(name) };
                if let Some(fault) = fault {
                    return Err(key.mistake(fault));
                }
            }
            let owner = if server { Owner::Server(name) } else { Owner::Program(name) };
            entries.clear();
            if server {
                server_entries(&value.table(name)?, &mut entries)?;
            } else {
                program_entries(&value.table(name)?, &mut entries)?;
            }
            encoder.add(owner, &entries.all);
        }
    }
    Ok(encoder.finish())
}

fn program_fault(name: &str) -> Option<String> {
    if glob::is_glob(name) {
        return Some(format!("`{name}`: a program's name can't hold wildcards; its sub-commands can"));
    }
    if name.contains('/') {
        return Some(format!("`{name}`: name the program without its folder"));
    }
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Some(format!("`{name}` is no program's name"));
    }
    // No wildcards here, so that `[` is the program of that name.
    None
}

const SERVER_KEYS: [&str; 7] = ["read_only", "local", "unknown", "mutating", "script", "opens", "writes"];

fn server_entries<'d>(table: &Table<'d, '_>, entries: &mut Entries<'d>) -> Result<(), Mistake> {
    // One way through the table: each start goes through all of the user's.
    for (key, list) in table.items() {
        let key = key.name;
        let plain = match key {
            "read_only" => Some(Rule::ReadOnly),
            "local" => Some(Rule::Local),
            "unknown" => Some(Rule::Unknown),
            "mutating" => Some(Rule::Mutating { vm: "", action: "" }),
            "script" | "opens" | "writes" => None,
            _ => {
                table.only(&SERVER_KEYS)?;
                continue;
            }
        };
        for value in list.list(key)? {
            match plain {
                Some(rule) if key != "mutating" || value.is_string() => {
                    entries.add(&value, value.string(key)?, rule)?;
                }
                _ => {
                    let item = value.table(key)?;
                    // A misspelt key says more than that one is missing.
                    let rule = detailed(key, &item, &value)?;
                    entries.add(&value, tool(&item, &value)?, rule)?;
                }
            }
        }
    }
    Ok(())
}

/// What an entry says that is a table.
fn detailed<'d>(key: &str, item: &Table<'d, '_>, value: &Value) -> Result<Rule<'d>, Mistake> {
    Ok(match key {
        "mutating" => {
            item.only(&["tool", "vm", "action"])?;
            let action = item.text("action")?.unwrap_or_default();
            action_fault(action).map_or(Ok(()), |fault| Err(value.mistake(fault)))?;
            Rule::Mutating { vm: path(item, value, "vm", false)?, action }
        }
        "script" => {
            item.only(&["tool", "vm", "script", "language"])?;
            let language = item.text("language")?.ok_or_else(|| {
                value.mistake(format!("a script entry needs `language`, one of: {}", Language::NAMES.join(", ")))
            })?;
            let language = Language::named(language).ok_or_else(|| {
                value.mistake(format!("no such language: `{language}`; known: {}", Language::NAMES.join(", ")))
            })?;
            Rule::Script { vm: path(item, value, "vm", false)?, script: path(item, value, "script", true)?, language }
        }
        "opens" => {
            item.only(&["tool", "vm", "id"])?;
            Rule::Opens { vm: path(item, value, "vm", true)?, id: path(item, value, "id", true)? }
        }
        _ => {
            item.only(&["tool", "path"])?;
            Rule::Writes { path: path(item, value, "path", true)? }
        }
    })
}

/// What can stand for words of a program, with what they say; its manner is another thing.
const PROGRAM_RULES: [Rule<'static>; 6] =
    [Rule::ReadOnly, Rule::Local, Rule::Unknown, Rule::Mutating { vm: "", action: "" }, Rule::DryRun, Rule::Value];

fn program_entries<'d>(table: &Table<'d, '_>, verdicts: &mut Entries<'d>) -> Result<(), Mistake> {
    // An option may have a verdict, be a dry run, and have a value.
    let mut others = Entries::default();
    for (key, value) in table.items() {
        let key = key.name;
        if let Some(rule) = PROGRAM_RULES.into_iter().find(|rule| rule.key() == key) {
            let from = others.all.len();
            for value in value.list(key)? {
                let pattern = value.string(key)?;
                let only_options = matches!(rule, Rule::DryRun | Rule::Value);
                if let Some(fault) = pattern_fault(pattern, only_options) {
                    return Err(value.mistake(fault));
                }
                if only_options {
                    others.add_checked(from, &value, pattern, rule)?;
                } else {
                    verdicts.add_checked(0, &value, pattern, rule)?;
                }
            }
        } else if let Some(manner) = Manner::ALL.into_iter().find(|manner| manner.key() == key) {
            if table.flag(key)? == Some(true) {
                others.all.push(Entry { pattern: "true", rule: Rule::Manner(manner) });
            }
        } else {
            let rules = PROGRAM_RULES.iter().map(Rule::key);
            table.only(&rules.chain(Manner::ALL.map(Manner::key)).collect::<Vec<_>>())?;
        }
    }
    verdicts.all.extend(others.all);
    Ok(())
}

/// Why a pattern can't stand for words of a program, if so.
fn pattern_fault(pattern: &str, only_options: bool) -> Option<String> {
    if pattern.is_empty() {
        return only_options.then(|| "an option can't be empty".into());
    }
    // Most are one word, or words of which none is an option, and have none of the faults below. Each start looks at all of
    // the user's, so a pass for them alone is worth it.
    let (mut before, mut is_plain) = (b' ', true);
    for byte in pattern.bytes() {
        let parts_well = before != b' ' || !matches!(byte, b' ' | b'-');
        is_plain &= parts_well && (byte == b' ' || glob::is_plain(byte));
        before = byte;
    }
    if is_plain && before != b' ' && !only_options {
        return None;
    }
    if let Some(fault) = glob::fault(pattern) {
        return Some(fault);
    }
    if is_option(pattern) && pattern != "--" && pattern.bytes().all(|byte| matches!(byte, b'!'..=b'~')) {
        return None;
    }
    if pattern.chars().any(|c| c != ' ' && (c.is_whitespace() || c.is_control())) || pattern.contains("  ") {
        return Some(format!("`{pattern}`: words are parted by one blank"));
    }
    if pattern.split(' ').any(|word| word == "--") {
        return Some(format!("`{pattern}`: `--` is no option, it ends them"));
    }
    let mut words = pattern.split(' ').rev();
    let option = words.next().is_some_and(is_option);
    if only_options && !option {
        return Some(format!("`{pattern}` is no option: it begins with no `-`"));
    }
    if words.any(is_option) {
        return Some(format!(
            "`{pattern}`: an option can only be the last word, behind the sub-command to which it belongs"
        ));
    }
    None
}

/// Whether a pattern's word is an option; `-` alone is none.
fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// The entries of one table, in which no name may stand twice.
#[derive(Default)]
struct Entries<'d> {
    all: Vec<Entry<'d>>,
    /// Where each pattern stood last, once there are many of them.
    last: BTreeMap<&'d str, usize>,
}

impl<'d> Entries<'d> {
    fn clear(&mut self) {
        self.all.clear();
        self.last.clear();
    }

    fn add(&mut self, value: &Value, pattern: &'d str, rule: Rule<'d>) -> Result<(), Mistake> {
        if let Some(fault) = glob::fault(pattern) {
            return Err(value.mistake(fault));
        }
        self.add_checked(0, value, pattern, rule)
    }

    /// The same for a pattern that is known to be good, and that must not stand among the entries behind `from`.
    fn add_checked(&mut self, from: usize, value: &Value, pattern: &'d str, rule: Rule<'d>) -> Result<(), Mistake> {
        /// So few are compared sooner than they are sorted.
        const FEW: usize = 64;
        let other = if self.all.len() < FEW {
            self.all.iter().skip(from).find(|entry| entry.pattern == pattern)
        } else {
            if self.last.is_empty() {
                self.last.extend(self.all.iter().enumerate().map(|(at, entry)| (entry.pattern, at)));
            }
            let before = self.last.insert(pattern, self.all.len());
            before.filter(|at| *at >= from).and_then(|at| self.all.get(at))
        };
        if let Some(other) = other {
            let (one, two) = (other.rule.key(), rule.key());
            return Err(value.mistake(if one == two {
                format!("`{pattern}` stands twice under `{one}`: remove one")
            } else {
                format!("`{pattern}` stands under `{one}` and under `{two}`: it can only be one of them")
            }));
        }
        self.all.push(Entry { pattern, rule });
        Ok(())
    }
}

fn tool<'d>(item: &Table<'d, '_>, value: &Value) -> Result<&'d str, Mistake> {
    item.text("tool")?.ok_or_else(|| value.mistake("an entry needs `tool`, the name of the tool it is about"))
}

/// A dotted path into the tool's input.
fn path<'d>(item: &Table<'d, '_>, value: &Value, key: &str, needed: bool) -> Result<&'d str, Mistake> {
    match item.text(key)? {
        // The usual case first: one argument.
        Some(path) if !path.is_empty() && path.bytes().all(|byte| byte != b'.' && byte != b'|') => Ok(path),
        Some(path) if !path.is_empty() && path.split(['.', '|']).all(|part| !part.is_empty()) => {
            if path.contains('|') && key != "path" {
                return Err(value.mistake(format!("`{key} = \"{path}\"`: only `path` may name several arguments")));
            }
            Ok(path)
        }
        Some(path) => Err(value.mistake(format!("`{key} = \"{path}\"` is no dotted path into the tool's input"))),
        None if needed => Err(value.mistake(format!(
            "this entry needs `{key}`, the tool's argument that holds it (a dotted path into its input)"
        ))),
        None => Ok(""),
    }
}

/// Why an action's text cannot be filled in, if so.
fn action_fault(action: &str) -> Option<String> {
    let mut rest = action;
    while let Some(at) = rest.find(['{', '}']) {
        let (_, from) = rest.split_at(at);
        let inner = from.strip_prefix('{').and_then(|from| from.split_once('}'));
        match inner {
            Some((path, after)) if !path.contains('{') && path.split('.').all(|part| !part.is_empty()) => rest = after,
            _ => return Some(format!("`action = \"{action}\"`: `{{` and `}}` go in pairs around an argument's name")),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contracts_example_is_read() {
        let prepared = parse(
            r#"
schema = 1

[server.winrm]
read_only = ["get_*", "list_*"]
mutating  = [{ tool = "copy_file", vm = "host", action = "copy {source} to {destination}" }, "reboot"]
script    = [{ tool = "run_ps", vm = "host", script = "script", language = "powershell" }]
opens     = [{ tool = "ssh_connect", vm = "host", id = "session" }]

[server.""]
read_only = ["Read", "Grep", "Glob"]
writes    = [{ tool = "Write", path = "file_path" }]

[program.systemctl]
read_only = ["status", "show", "is-*", "list-*", "cat"]
mutating  = ["start", "stop", "restart", "enable", "disable"]

[program."["]
read_only = ["", "*", "image ls", "-"]
mutating = ["-o", "ls --output=*"]
dry_run = ["-s"]
values = ["-o", "-s"]
single_dash = true
only_listed = false
"#,
        )
        .unwrap();
        assert_eq!(prepared.servers("winrm").flat_map(|block| block.entries()).count(), 6);
        assert_eq!(prepared.programs("systemctl").flat_map(|block| block.entries()).count(), 10);
        assert_eq!(prepared.programs("[").flat_map(|block| block.entries()).count(), 10);
        assert_eq!(parse("").unwrap().blocks().count(), 0);
    }

    #[test]
    fn of_many_entries_none_stands_twice() {
        let list = |from: usize, to: usize| (from..to).map(|at| format!("'-t{at}', ")).collect::<String>();
        // An option may have a verdict, and have a value.
        let good = format!(
            "[program.p]\nread_only = [{}]\nvalues = [{}]\ndry_run = [{}]",
            list(0, 200),
            list(0, 150),
            list(0, 3)
        );
        assert_eq!(parse(&good).unwrap().programs("p").flat_map(|block| block.entries()).count(), 353);
        for (more, part) in [
            ("mutating = ['-t7']", "under `read_only` and under `mutating`"),
            ("unknown = ['-x', '-x']", "twice under `unknown`"),
        ] {
            let mistake = parse(&format!("{good}\n{more}")).unwrap_err();
            assert!(mistake.message.contains(part) && mistake.line == 5, "{mistake}");
        }
        let twice = format!("[program.p]\nvalues = [{}'-t3']", list(0, 100));
        assert!(parse(&twice).unwrap_err().message.contains("twice under `values`"));
    }

    #[test]
    fn every_mistake_names_its_line_and_what_is_wrong() {
        for (text, line, part) in [
            ("schema = 2", 1, "schema = 1"),
            ("[servers.x]", 1, "unknown key `servers`"),
            ("[server.x]\nreadonly = []", 2, "unknown key `readonly`"),
            ("[server.x]\nread_only = 'a'", 2, "must be a list"),
            ("[server.x]\nread_only = [\n  'a',\n  1,\n]", 4, "must be a string"),
            ("[server.x]\nread_only = ['get_[ab]']", 2, "only wildcards"),
            ("[server.x]\nread_only = ['a']\nmutating = ['a']", 3, "stands under `read_only` and under `mutating`"),
            ("[server.x]\nread_only = ['a', 'a']", 2, "stands twice"),
            ("[server.x]\nscript = [{ tool = 'a', language = 'sh' }]", 2, "needs `script`"),
            ("[server.x]\nscript = [{ tool = 'a', script = 's' }]", 2, "needs `language`"),
            ("[server.x]\nscript = [{ tool = 'a', script = 's', language = 'cobol' }]", 2, "no such language"),
            ("[server.x]\nmutating = [{ vm = 'host' }]", 2, "needs `tool`"),
            ("[server.x]\nmutating = [{ tool = 'a', vm = 'a..b' }]", 2, "no dotted path"),
            ("[server.x]\nmutating = [{ tool = 'a', host = 'h' }]", 2, "unknown key `host`"),
            ("[server.x]\nmutating = [{ tol = 'a' }]", 2, "unknown key `tol`"),
            ("[server.x]\nmutating = [{ tool = 'a', action = 'x {y' }]", 2, "go in pairs"),
            ("[server.x]\nopens = [{ tool = 'a', vm = 'h' }]", 2, "needs `id`"),
            ("[server.x]\nwrites = [{ tool = 'a' }]", 2, "needs `path`"),
            ("[server.'a b[']", 1, "only wildcards"),
            ("[program.'sys*']", 1, "can't hold wildcards"),
            ("[program.'/bin/ls']", 1, "without its folder"),
            ("[program.ls]\nscript = []", 2, "unknown key `script`"),
            ("[program.'a b']", 1, "no program's name"),
            ("[program.ls]\nvalues = ['w']", 2, "no option"),
            ("[program.ls]\nvalues = ['-']", 2, "no option"),
            ("[program.ls]\ndry_run = ['']", 2, "can't be empty"),
            ("[program.ls]\nread_only = ['-a -b']", 2, "only be the last word"),
            ("[program.ls]\nread_only = ['a  b']", 2, "one blank"),
            ("[program.ls]\nread_only = ['a', '--']", 2, "ends them"),
            ("[program.ls]\nlocal = ['a']\nmutating = ['a']", 3, "stands under `local` and under `mutating`"),
            ("[program.ls]\nvalues = ['-a', '-a']", 2, "stands twice"),
            ("[program.ls]\nabbreviates = 1", 2, "abbreviates"),
            ("[server.x]\nread_only = []\n[server.x]", 3, "duplicate"),
            ("x =", 1, ""),
        ] {
            let mistake = parse(text).map(|_| ()).unwrap_err();
            assert_eq!(mistake.line, line, "{text}: {mistake}");
            assert!(mistake.message.contains(part), "{text}: {mistake}");
        }
    }
}
