//! Functions of a Makefile (`$(subst …)`, `$(shell …)`, `$(eval …)`). Pure: what one runs is noted, not run.

use super::file::Makefile;
use super::values::{HOLE, Scope, few, product};
use crate::catalog::glob;
use crate::classify::Found;
use crate::path::absolute;

const NAMES: &[&str] = &[
    "abspath",
    "addprefix",
    "addsuffix",
    "and",
    "basename",
    "call",
    "dir",
    "error",
    "eval",
    "file",
    "filter",
    "filter-out",
    "findstring",
    "firstword",
    "flavor",
    "foreach",
    "guile",
    "if",
    "info",
    "intcmp",
    "join",
    "lastword",
    "let",
    "notdir",
    "or",
    "origin",
    "patsubst",
    "realpath",
    "shell",
    "sort",
    "strip",
    "subst",
    "suffix",
    "value",
    "warning",
    "wildcard",
    "word",
    "wordlist",
    "words",
];

/// Whether it is the name of a function.
pub(super) fn knows(name: &str) -> bool {
    NAMES.contains(&name)
}

impl Makefile<'_> {
    pub(super) fn function(
        &mut self,
        name: &str,
        arguments: &str,
        scope: &Scope,
        depth: usize,
    ) -> Result<Vec<String>, String> {
        match name {
            "if" | "or" | "and" => return self.choice(name, arguments, scope, depth),
            "foreach" => return self.foreach(arguments, scope, depth),
            "call" => return self.call(arguments, scope, depth),
            "guile" => return Err("the Makefile runs text of Guile".into()),
            "let" | "intcmp" => {
                for part in split(arguments, usize::MAX) {
                    self.expand(part, scope, depth)?;
                }
                return Ok(vec![HOLE.to_string()]);
            }
            _ => {}
        }
        let most = match name {
            "subst" | "patsubst" | "wordlist" => 3,
            "filter" | "filter-out" | "findstring" | "addprefix" | "addsuffix" | "join" | "word" | "file" => 2,
            _ => 1,
        };
        // Every combination of what the arguments may be.
        let mut rows: Vec<Vec<String>> = vec![vec![]];
        for part in split(arguments, most) {
            let values = self.expand(part, scope, depth)?;
            rows = rows
                .iter()
                .flat_map(|row| {
                    values.iter().map(move |value| row.iter().chain([value]).cloned().collect::<Vec<String>>())
                })
                .collect();
            if rows.len() > 64 {
                return Err("the Makefile's conditions give a text more readings than are followed".into());
            }
        }
        let mut all = vec![];
        for row in rows {
            let at = |nr: usize| row.get(nr).map_or("", String::as_str);
            all.push(match name {
                "shell" => self.shell(at(0)),
                "eval" => {
                    self.parse(at(0), depth + 1)?;
                    String::new()
                }
                "file" => self.file(at(0)),
                "wildcard" => self.wildcard(at(0)),
                "value" => match self.values(at(0).trim())?.as_deref() {
                    Some([one]) => one.text.to_string(),
                    _ => HOLE.to_string(),
                },
                "abspath" | "realpath" => self.paths(at(0)),
                "error" | "warning" | "info" => String::new(),
                _ => words(name, at(0), at(1), at(2)),
            });
        }
        few(all)
    }

    /// A command that runs while the Makefile is read. Of the system's own name the outcome is known.
    fn shell(&mut self, text: &str) -> String {
        self.runs(text);
        match text.trim().trim_end_matches("2>/dev/null").trim() {
            "uname" | "uname -s" => if cfg!(target_os = "macos") { "Darwin" } else { "Linux" }.to_owned(),
            "pwd" => self.folder.clone(),
            _ => HOLE.to_string(),
        }
    }

    fn file(&mut self, what: &str) -> String {
        let what = what.trim();
        match what.strip_prefix(">>").or_else(|| what.strip_prefix('>')) {
            Some(path) => {
                self.writes(path.trim());
                String::new()
            }
            None => HOLE.to_string(),
        }
    }

    fn wildcard(&self, patterns: &str) -> String {
        let mut found: Vec<String> = vec![];
        for pattern in patterns.split_whitespace() {
            let Some(path) = absolute(pattern, Some(&self.folder)).filter(|_| !pattern.contains(HOLE)) else {
                return HOLE.to_string();
            };
            if !pattern.contains(['*', '?', '[']) {
                if self.facts.around.file(&path) != Found::Nothing {
                    found.push(pattern.to_owned());
                }
                continue;
            }
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            let (start, _) = pattern.rsplit_once('/').map_or(("", pattern), |(start, name)| (start, name));
            if start.contains(['*', '?', '[']) || name.contains('[') {
                return HOLE.to_string();
            }
            let Some(names) = self.facts.around.folder(folder) else { return HOLE.to_string() };
            let start = if pattern.contains('/') { format!("{start}/") } else { String::new() };
            let fits = names
                .iter()
                .filter(|each| glob::matches(name, each) && (name.starts_with('.') || !each.starts_with('.')));
            found.extend(fits.map(|each| format!("{start}{each}")));
        }
        found.sort();
        found.join(" ")
    }

    fn paths(&self, words: &str) -> String {
        let each = |word: &str| match absolute(word, Some(&self.folder)) {
            Some(path) if !word.contains(HOLE) => path,
            _ => HOLE.to_string(),
        };
        words.split_whitespace().map(each).collect::<Vec<_>>().join(" ")
    }

    fn choice(&mut self, name: &str, arguments: &str, scope: &Scope, depth: usize) -> Result<Vec<String>, String> {
        let parts = split(arguments, if name == "if" { 3 } else { usize::MAX });
        let mut all = vec![];
        if name == "if" {
            let conditions = self.expand(parts.first().copied().unwrap_or_default().trim(), scope, depth)?;
            let open = |text: &String| text.contains(HOLE);
            if conditions.iter().any(|text| !text.trim().is_empty()) {
                all.extend(self.expand(parts.get(1).copied().unwrap_or_default(), scope, depth)?);
            }
            if conditions.iter().any(|text| text.trim().is_empty() || open(text)) {
                all.extend(self.expand(parts.get(2).copied().unwrap_or_default(), scope, depth)?);
            }
            return few(all);
        }
        for (nr, part) in parts.iter().enumerate() {
            let values = self.expand(part.trim(), scope, depth)?;
            let sure = values.iter().all(|text| !text.trim().is_empty() && !text.contains(HOLE));
            let last = nr + 1 == parts.len();
            match name {
                "or" => {
                    all.extend(values.into_iter().filter(|text| last || !text.trim().is_empty()));
                    if sure {
                        break;
                    }
                }
                _ if last => all.extend(values),
                _ if !sure => all.push(String::new()),
                _ => {}
            }
        }
        few(all)
    }

    fn foreach(&mut self, arguments: &str, scope: &Scope, depth: usize) -> Result<Vec<String>, String> {
        let parts = split(arguments, 3);
        let [name, list, body] = parts.as_slice() else { return Err("a `foreach` of the Makefile is not read".into()) };
        let names = self.expand(name.trim(), scope, depth)?;
        let [name] = names.as_slice() else { return Err("a `foreach` of the Makefile is not read".into()) };
        let mut all = vec![];
        for list in self.expand(list, scope, depth)? {
            let mut texts = vec![String::new()];
            for (nr, word) in list.split_whitespace().enumerate() {
                if nr > 0 {
                    texts = product(texts, &[" ".to_owned()])?;
                }
                self.spend(word.len() + 32)?;
                let values = self.expand(body, &scope.with(name, word), depth)?;
                texts = product(texts, &values)?;
            }
            all.extend(texts);
        }
        few(all)
    }

    fn call(&mut self, arguments: &str, scope: &Scope, depth: usize) -> Result<Vec<String>, String> {
        let parts = split(arguments, usize::MAX);
        let mut names = vec![];
        let mut rows: Vec<Scope> = vec![Scope { names: scope.names.clone(), within: vec![] }];
        for (nr, part) in parts.iter().enumerate() {
            let values = self.expand(if nr == 0 { part.trim() } else { part }, scope, depth)?;
            if nr == 0 {
                names = values;
                continue;
            }
            rows = rows.iter().flat_map(|row| values.iter().map(|value| row.with(&nr.to_string(), value))).collect();
            if rows.len() > 32 {
                return Err("the Makefile's conditions give a text more readings than are followed".into());
            }
        }
        let mut all = vec![];
        for name in &names {
            for row in &rows {
                let mut row = row.clone();
                // A parameter that isn't given is empty, whatever it is further out.
                for nr in parts.len()..10 {
                    row = row.with(&nr.to_string(), "");
                }
                row = row.with("0", name);
                if knows(name) {
                    return Err(format!("a call of `{name}` in the Makefile is not read"));
                }
                all.extend(self.variable(name, &row, depth + 1)?);
            }
        }
        few(all)
    }
}

/// Arguments, at most so many of them.
fn split(text: &str, most: usize) -> Vec<&str> {
    let mut parts = vec![];
    let (mut deep, mut from) = (0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => deep += 1,
            ')' | '}' => deep = deep.saturating_sub(1),
            ',' if deep == 0 && parts.len() + 1 < most => {
                parts.push(text.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(from..).unwrap_or_default());
    parts
}

/// Whether a word fits a pattern with `%`: what that stands for.
pub(super) fn stem<'w>(pattern: &str, word: &'w str) -> Option<&'w str> {
    match pattern.split_once('%') {
        None => (pattern == word).then_some(""),
        Some((start, end)) => {
            let rest = word.strip_prefix(start)?;
            rest.strip_suffix(end)
        }
    }
}

/// Each word that fits replaced.
pub(super) fn patsubst(from: &str, to: &str, text: &str) -> String {
    let hole = HOLE.to_string();
    let each = |word: &str| {
        // What is not known of a word is taken to fit.
        let found = if word.contains(HOLE) { Some(stem(from, word).unwrap_or(&hole)) } else { stem(from, word) };
        found.map_or_else(|| word.to_owned(), |stem| to.replacen('%', stem, 1))
    };
    text.split_whitespace().map(each).collect::<Vec<_>>().join(" ")
}

fn words(name: &str, one: &str, two: &str, three: &str) -> String {
    let open = [one, two, three].iter().any(|text| text.contains(HOLE));
    let each =
        |text: &str, change: &dyn Fn(&str) -> String| text.split_whitespace().map(change).collect::<Vec<_>>().join(" ");
    match name {
        "subst" if one.is_empty() => three.to_owned(),
        "subst" => three.replace(one, two),
        "patsubst" => patsubst(one.trim(), two.trim(), three),
        "strip" => each(one, &str::to_owned),
        "addprefix" => each(two, &|word| format!("{}{word}", one.trim())),
        "addsuffix" => each(two, &|word| format!("{word}{}", one.trim())),
        "join" if !open => {
            let (mut left, mut right) = (one.split_whitespace(), two.split_whitespace());
            let mut all = vec![];
            loop {
                match (left.next(), right.next()) {
                    (None, None) => return all.join(" "),
                    (a, b) => all.push(format!("{}{}", a.unwrap_or_default(), b.unwrap_or_default())),
                }
            }
        }
        // Of what is not known nothing can be told but that it is that.
        _ if open => HOLE.to_string(),
        "filter" | "filter-out" => {
            let patterns: Vec<&str> = one.split_whitespace().collect();
            let fits = |word: &&str| patterns.iter().any(|pattern| stem(pattern, word).is_some()) == (name == "filter");
            two.split_whitespace().filter(fits).collect::<Vec<_>>().join(" ")
        }
        "findstring" => if two.contains(one) { one } else { "" }.to_owned(),
        "sort" => {
            let mut all: Vec<&str> = one.split_whitespace().collect();
            all.sort_unstable();
            all.dedup();
            all.join(" ")
        }
        "word" => one
            .trim()
            .parse::<usize>()
            .ok()
            .and_then(|nr| two.split_whitespace().nth(nr.checked_sub(1)?))
            .unwrap_or_default()
            .to_owned(),
        "wordlist" => {
            let (from, to) = (one.trim().parse::<usize>().unwrap_or(1), two.trim().parse::<usize>().unwrap_or(0));
            let count = to.saturating_add(1).saturating_sub(from);
            three.split_whitespace().skip(from.saturating_sub(1)).take(count).collect::<Vec<_>>().join(" ")
        }
        "words" => one.split_whitespace().count().to_string(),
        "firstword" => one.split_whitespace().next().unwrap_or_default().to_owned(),
        "lastword" => one.split_whitespace().next_back().unwrap_or_default().to_owned(),
        "dir" => each(one, &|word| word.rfind('/').and_then(|at| word.get(..=at)).unwrap_or("./").to_owned()),
        "notdir" => each(one, &|word| word.rsplit('/').next().unwrap_or_default().to_owned()),
        "suffix" => each(one, &|word| word.rfind('.').and_then(|at| word.get(at..)).unwrap_or_default().to_owned()),
        "basename" => each(one, &|word| word.rsplit_once('.').map_or(word, |(start, _)| start).to_owned()),
        _ => HOLE.to_string(),
    }
}
