//! Changes a catalog's text and keeps everything else in it: comments, order, white space. Pure.

use super::model::{Owner, Rule};
use super::parse::parse;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// The keys of a table whose entries are verdicts.
const LISTS: &[&str] = &["read_only", "local", "unknown", "mutating", "script", "opens", "writes"];

/// The text with an entry for `pattern`; what stood for it under any verdict before is taken out.
///
/// # Errors
/// If the text is no catalog, or would be none afterwards.
pub fn add(text: &str, owner: Owner, pattern: &str, rule: Rule) -> Result<String, String> {
    let mut document = open(text)?;
    if !document.contains_key("schema") {
        document.insert("schema", Item::Value(Value::from(1)));
    }
    let table = table(&mut document, owner)?;
    take_out(table, pattern)?;
    let list = table.entry(rule.key()).or_insert_with(|| Item::Value(Value::Array(Array::new())));
    let list = list.as_array_mut().ok_or_else(|| format!("`{}` is no list", rule.key()))?;
    push(list, entry(pattern, rule));
    checked(document)
}

/// The text without any entry for `pattern`, and whether there was one.
///
/// # Errors
/// If the text is no catalog.
pub fn remove(text: &str, owner: Owner, pattern: &str) -> Result<(String, bool), String> {
    let mut document = open(text)?;
    let (section, name) = names(owner);
    let found = document.get(section).and_then(|item| item.get(name)).is_some();
    if !found {
        return Ok((text.to_owned(), false));
    }
    let table = table(&mut document, owner)?;
    let removed = take_out(table, pattern)?;
    if table.is_empty()
        && let Some(section) = document.get_mut(section).and_then(Item::as_table_like_mut)
    {
        section.remove(name);
    }
    Ok((if removed { checked(document)? } else { text.to_owned() }, removed))
}

fn open(text: &str) -> Result<DocumentMut, String> {
    // The catalog's own rules first: their errors name the line.
    parse(text).map_err(|mistake| mistake.to_string())?;
    text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())
}

fn checked(document: DocumentMut) -> Result<String, String> {
    let text = document.to_string();
    parse(&text).map_err(|mistake| mistake.message)?;
    Ok(text)
}

fn names(owner: Owner<'_>) -> (&'static str, &str) {
    match owner {
        Owner::Server(name) => ("server", name),
        Owner::Program(name) => ("program", name),
    }
}

fn table<'d>(document: &'d mut DocumentMut, owner: Owner) -> Result<&'d mut dyn TableLike, String> {
    let (section, name) = names(owner);
    let outer = document.entry(section).or_insert_with(|| {
        let mut table = Table::new();
        // `[server]` itself need not be written.
        table.set_implicit(true);
        Item::Table(table)
    });
    let outer = outer.as_table_like_mut().ok_or_else(|| format!("`{section}` is no table"))?;
    let inner = outer.entry(name).or_insert_with(|| Item::Table(Table::new()));
    inner.as_table_like_mut().ok_or_else(|| format!("{owner} is no table"))
}

/// Takes every entry for the pattern out of the table's lists; a list that is empty then goes too.
fn take_out(table: &mut dyn TableLike, pattern: &str) -> Result<bool, String> {
    let mut removed = false;
    for key in LISTS {
        let Some(item) = table.get_mut(key) else { continue };
        let list = item.as_array_mut().ok_or_else(|| format!("`{key}` is no list"))?;
        let before = list.len();
        list.retain(|value| named(value) != Some(pattern));
        if list.len() < before {
            removed = true;
            if list.is_empty() {
                table.remove(key);
            }
        }
    }
    Ok(removed)
}

/// The pattern that an element of a list is about.
fn named(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.as_inline_table().and_then(|table| table.get("tool")).and_then(Value::as_str))
}

fn entry(pattern: &str, rule: Rule) -> Value {
    let fields: &[(&str, &str)] = match &rule {
        Rule::ReadOnly | Rule::Local | Rule::Unknown | Rule::DryRun | Rule::Value | Rule::Manner(_) => &[],
        Rule::Mutating { vm, action } => &[("vm", vm), ("action", action)],
        Rule::Script { vm, script, language } => &[("vm", vm), ("script", script), ("language", language.name())],
        Rule::Opens { vm, id } => &[("vm", vm), ("id", id)],
        Rule::Writes { path } => &[("path", path)],
    };
    let given: Vec<_> = fields.iter().filter(|(_, value)| !value.is_empty()).collect();
    if given.is_empty() {
        return Value::from(pattern);
    }
    let mut table = InlineTable::new();
    table.insert("tool", Value::from(pattern));
    for (key, value) in given {
        table.insert(*key, Value::from(*value));
    }
    Value::InlineTable(table)
}

/// Appends in the manner of the list: a line of its own where the others have one.
fn push(list: &mut Array, mut value: Value) {
    let manner = list.iter().last().and_then(|last| last.decor().prefix()).and_then(|prefix| prefix.as_str());
    match manner.map(str::to_owned) {
        Some(prefix) if prefix.contains('\n') => {
            // A comment before the last element belongs to that one alone.
            let indent = prefix.rsplit('\n').next().unwrap_or_default();
            value.decor_mut().set_prefix(format!("\n{indent}"));
            list.push_formatted(value);
        }
        _ => list.push(value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Language;
    use super::*;

    const MUTATING: Rule = Rule::Mutating { vm: "", action: "" };

    #[test]
    fn an_empty_file_becomes_a_catalog() {
        let text = add("", Owner::Server("winrm"), "get_x", Rule::ReadOnly).unwrap();
        assert_eq!(text, "schema = 1\n\n[server.winrm]\nread_only = [\"get_x\"]\n");
        let text = add(&text, Owner::Program("systemctl"), "image prune", MUTATING).unwrap();
        assert!(text.ends_with("[program.systemctl]\nmutating = [\"image prune\"]\n"), "{text}");
        let rule = Rule::Script { vm: "h.n", script: "s", language: Language::Sh };
        let text = add(&text, Owner::Server(""), "run", rule).unwrap();
        assert!(
            text.contains(
                "[server.\"\"]\nscript = [{ tool = \"run\", vm = \"h.n\", script = \"s\", language = \"sh\" }]"
            ),
            "{text}"
        );
    }

    #[test]
    fn comments_and_layout_stay() {
        let text = "# mine\nschema = 1 # one\n\n[server.x] # the x\nread_only = [\n    # first\n    \"a\",\n    \"b\", # second\n]\n# end\n";
        let added = add(text, Owner::Server("x"), "c", Rule::ReadOnly).unwrap();
        for part in ["# mine", "# one", "# the x", "    # first\n    \"a\"", "\n    \"c\"", "# end"] {
            assert!(added.contains(part), "{part}\n{added}");
        }
    }

    #[test]
    fn an_entry_moves_from_one_verdict_to_the_other() {
        let text = "[server.x]\nread_only = ['a', 'b']\nmutating = [{ tool = 'c', vm = 'h' }]\n";
        let moved = add(text, Owner::Server("x"), "c", Rule::ReadOnly).unwrap();
        assert!(!moved.contains("mutating"), "{moved}");
        let moved = add(&moved, Owner::Server("x"), "a", MUTATING).unwrap();
        assert!(moved.contains("mutating = [\"a\"]") && !moved.contains("'a'"), "{moved}");
    }

    #[test]
    fn what_is_removed_leaves_nothing_behind() {
        let text = "[server.x]\nread_only = ['a']\n[server.y]\nread_only = ['b', 'a']\n";
        assert_eq!(
            remove(text, Owner::Server("x"), "a").unwrap(),
            ("[server.y]\nread_only = ['b', 'a']\n".into(), true)
        );
        assert!(!remove(text, Owner::Server("x"), "z").unwrap().1);
        assert!(!remove(text, Owner::Server("none"), "a").unwrap().1);
    }

    #[test]
    fn how_a_programs_words_are_read_stays_when_a_verdict_moves() {
        let text = "[program.sort]\nread_only = ['*']\nmutating = ['-o']\nvalues = ['-o', '-k']\n";
        let moved = add(text, Owner::Program("sort"), "-o", Rule::ReadOnly).unwrap();
        assert!(moved.contains("values = ['-o', '-k']") && !moved.contains("mutating"), "{moved}");
        let (left, removed) = remove(text, Owner::Program("sort"), "-o").unwrap();
        assert!(removed && left.contains("values = ['-o', '-k']") && !left.contains("mutating"), "{left}");
        assert!(!remove(text, Owner::Program("sort"), "-k").unwrap().1, "a value is no verdict");
        let text = add("", Owner::Program("mount"), "", Rule::ReadOnly).unwrap();
        assert!(text.ends_with("read_only = [\"\"]\n"), "{text}");
    }

    #[test]
    fn a_broken_text_or_name_is_refused() {
        assert!(
            add("[server.x]\nread_onl = []", Owner::Server("x"), "a", Rule::ReadOnly).unwrap_err().contains("line 2")
        );
        assert!(add("", Owner::Server("x"), "a[b]", Rule::ReadOnly).unwrap_err().contains("wildcards"));
        assert!(add("", Owner::Program("a*"), "x", Rule::ReadOnly).is_err());
    }
}
