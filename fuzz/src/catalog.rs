//! Any text is a catalog: the user's, the project's. What is read of it is what stands there, an edit changes one entry and keeps
//! the rest, and a project's catalog makes nothing less strict, whatever it says.

use super::ground::{parts, text, within};
use std::collections::BTreeSet;
use zerto_guard::call::{Tool, ToolCall};
use zerto_guard::catalog::edit::{add, remove};
use zerto_guard::catalog::model::{Language, Owner, Rule};
use zerto_guard::catalog::parse::parse;
use zerto_guard::catalog::prepared::Prepared;
use zerto_guard::catalog::{Catalog, Layer, Project, glob};
use zerto_guard::classify::targets::Places;
use zerto_guard::classify::{Classification, Nowhere, Verdict, classify};
use zerto_guard::json::Json;

/// Runs one input: the user's catalog, the project's, and a server or program and a tool or sub-command on a line each, parted by
/// lines of `%%`.
pub fn run(bytes: &[u8]) {
    within(5, || any(text(bytes)));
}

fn any(text: &str) {
    let [user, project, names] = parts(text);
    let mut names = names.lines();
    let (server, tool) = (names.next().unwrap_or("winrm"), names.next().unwrap_or("run_ps"));
    globs(server, tool);
    let user_layer = match parse(user) {
        Ok(layer) => {
            as_it_stands(user, &layer);
            edits(user, &layer, Owner::Server(server), tool);
            edits(user, &layer, Owner::Program(server), tool);
            Some(layer)
        }
        Err(mistake) => {
            assert!((1..=user.matches('\n').count() + 1).contains(&mistake.line) && !mistake.message.is_empty());
            assert!(add(user, Owner::Server(server), tool, Rule::ReadOnly).is_err());
            None
        }
    };
    let without = Catalog { user: user_layer, ..Catalog::default() };
    let fault = |fault: String| Project::Broken { path: "/project/.zerto-guard/catalog.toml".into(), fault };
    let layer = match parse(project) {
        Ok(layer) => Project::Read(layer),
        Err(mistake) => fault(mistake.to_string()),
    };
    let is_broken = matches!(layer, Project::Broken { .. });
    let with = Catalog { project: layer, ..without.clone() };
    for call in calls(server, tool) {
        let (before, after) = (judged(&call, &without), judged(&call, &with));
        no_looser(&before, &after, is_broken);
    }
}

fn judged(call: &ToolCall, catalog: &Catalog) -> Classification {
    classify(call, catalog, &Places::default(), &Nowhere)
}

fn no_looser(before: &Classification, after: &Classification, is_broken: bool) {
    match before.verdict {
        Verdict::ReadOnly => {}
        Verdict::Unknown => assert!(after.verdict == Verdict::Unknown || after.doubt.is_some(), "{before:?}\n{after:?}"),
        Verdict::Mutating if is_broken => assert_ne!(after.verdict, Verdict::ReadOnly),
        Verdict::Mutating => {
            assert_eq!(after.verdict, Verdict::Mutating, "{before:?}\n{after:?}");
            assert_eq!(before.targets, after.targets);
            assert!(before.doubt.is_none() || after.doubt.is_some());
        }
    }
}

fn calls(server: &str, tool: &str) -> Vec<ToolCall> {
    let field = |name: &str, value: &str| (name.to_owned(), Json::Text(value.to_owned()));
    let input = Json::Object(vec![
        field("host", "web01"),
        field("vm", "web02"),
        field("command", "ssh web01 reboot"),
        field("script", "Restart-Computer"),
        field("path", "/etc/x"),
    ]);
    let call = |tool: Tool, input: Json| ToolCall {
        tool,
        name: "x".into(),
        input,
        cwd: Some("/project".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    };
    let shell = |command: String| call(Tool::Own("Bash".into()), Json::Object(vec![field("command", &command)]));
    let word = zerto_guard::text::shell_word;
    vec![
        call(Tool::OfServer { server: server.into(), tool: tool.into() }, input.clone()),
        call(Tool::Own(tool.into()), input.clone()),
        call(Tool::OfSomeServer(tool.into()), input.clone()),
        call(Tool::Joined(format!("{server}__{tool}")), input),
        shell(format!("ssh web01 {} {}", word(server), word(tool))),
        shell(format!("{} {}", word(server), word(tool))),
        shell("ssh web01 reboot".into()),
    ]
}

/// Every entry of the text, by the toml crate; and what was made of it.
fn as_it_stands(text: &str, layer: &Prepared) {
    let table: toml::Table = text.parse().unwrap();
    let mut wanted = BTreeSet::new();
    for (section, kind) in [("server", "s"), ("program", "p")] {
        for (name, entries) in table.get(section).and_then(toml::Value::as_table).into_iter().flatten() {
            for (key, value) in entries.as_table().unwrap() {
                let patterns: Vec<String> = match value {
                    toml::Value::Boolean(true) => vec!["true".into()],
                    toml::Value::Array(list) => list.iter().map(|item| pattern(item).to_owned()).collect(),
                    _ => vec![],
                };
                wanted.extend(patterns.into_iter().map(|pattern| format!("{kind} {name} {key} {pattern}")));
            }
        }
    }
    assert_eq!(entries(layer), wanted);
}

fn pattern(item: &toml::Value) -> &str {
    item.as_str().or_else(|| item.get("tool")?.as_str()).unwrap()
}

fn entries(layer: &Prepared) -> BTreeSet<String> {
    let of = |owner: Owner| match owner {
        Owner::Server(name) => format!("s {name}"),
        Owner::Program(name) => format!("p {name}"),
    };
    let blocks = layer.blocks().flat_map(|block| block.entries().map(move |entry| (block.owner, entry)));
    blocks.map(|(owner, entry)| format!("{} {} {}", of(owner), entry.rule.key(), entry.pattern)).collect()
}

const RULES: [Rule; 5] = [
    Rule::ReadOnly,
    Rule::Unknown,
    Rule::Mutating { vm: "host", action: "do {x}" },
    Rule::Script { vm: "host", script: "script", language: Language::PowerShell },
    Rule::Opens { vm: "host", id: "session" },
];

fn edits(text: &str, layer: &Prepared, owner: Owner, name: &str) {
    let before = entries(layer);
    // The keys whose entries are no verdict stay.
    let (Owner::Server(whose) | Owner::Program(whose)) = owner;
    let kind = if matches!(owner, Owner::Server(_)) { "s" } else { "p" };
    let is_verdict = |key: &str| !["dry_run", "values", "single_dash", "only_listed", "abbreviates"].contains(&key);
    let rest: BTreeSet<String> = before
        .iter()
        .filter(|entry| {
            let about = entry.strip_prefix(&format!("{kind} {whose} ")).and_then(|rest| rest.split_once(' '));
            !about.is_some_and(|(key, pattern)| is_verdict(key) && pattern == name)
        })
        .cloned()
        .collect();
    let is_new = rest.len() == before.len();
    let comments = |text: &str| text.lines().filter(|line| line.trim_start().starts_with('#')).count();
    // One of them for each text: an edit parses everything several times.
    let rule = RULES[text.len() % if kind == "s" { RULES.len() } else { 2 }];
    if let Ok(added) = add(text, owner, name, rule) {
        let layer = parse(&added).unwrap_or_else(|why| panic!("{why}: {added}"));
        let mut wanted = rest.clone();
        wanted.insert(format!("{kind} {whose} {} {name}", rule.key()));
        assert_eq!(entries(&layer), wanted, "{added}");
        assert!(!is_new || comments(&added) >= comments(text), "{added}");
        if kind == "s" && !glob::is_glob(whose) && !glob::is_glob(name) {
            let catalog = Catalog { user: Some(layer), ..Catalog::default() };
            let hit = catalog.find(whose, name).base.unwrap();
            // Another spelling of the server's name may say something else of it, which counts if it is stricter.
            assert!(hit.layer == Layer::User && hit.entry.rule.strictness() >= rule.strictness(), "{hit:?}");
        }
        let (gone, was_there) = remove(&added, owner, name).unwrap();
        assert!(was_there);
        assert_eq!(entries(&parse(&gone).unwrap()), rest, "{gone}");
    }
    let (gone, was_there) = remove(text, owner, name).unwrap();
    assert_eq!((was_there, entries(&parse(&gone).unwrap())), (!is_new, rest), "{gone}");
}

/// A pattern matches what the same pattern as a regular expression would: by another way, letter by letter.
fn globs(pattern: &str, name: &str) {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().take(40).collect(), name.chars().take(40).collect());
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for wanted in &pattern {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            match wanted {
                '*' => next[at] = reached[at] || at > 0 && next[at - 1],
                wanted => next[at] = at > 0 && reached[at - 1] && (*wanted == '?' || name[at - 1] == *wanted),
            }
        }
        reached = next;
    }
    let text = |letters: &[char]| letters.iter().collect::<String>();
    assert_eq!(glob::matches(&text(&pattern), &text(&name)), reached[name.len()], "{pattern:?} {name:?}");
}
