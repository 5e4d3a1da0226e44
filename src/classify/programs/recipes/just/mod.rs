//! `just`: the recipes of a justfile, with those that they depend on. Pure.
//!
//! Expressions are worked out as far as they are written down; what the environment or a command adds is a stretch that is
//! not known.

mod expressions;
mod file;

use super::{elsewhere, folder, inside, judged, line, program, read, sets, shell_line};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::programs::options::{Parsed, Spec, parse};
use crate::classify::programs::shells;
use crate::classify::word::Word;
use crate::path::absolute;
use expressions::{Expression, HOLE};
use file::{Parameter, Recipe};

const SPEC: Spec = Spec {
    flags: "nqvuhVle",
    values: "fdscE",
    long_flags: &[
        "dry-run",
        "quiet",
        "verbose",
        "unstable",
        "help",
        "version",
        "list",
        "yes",
        "no-deps",
        "no-dotenv",
        "no-highlight",
        "highlight",
        "summary",
        "dump",
        "evaluate",
        "variables",
        "groups",
        "changelog",
        "man",
        "fmt",
        "check",
        "init",
        "edit",
        "choose",
        "one",
        "timestamp",
        "no-aliases",
        "list-submodules",
        "unsorted",
        "explain",
        "clear-shell-args",
        "shell-command",
        "global-justfile",
        "usage",
    ],
    long_values: &[
        "justfile",
        "working-directory",
        "show",
        "command",
        "set",
        "shell",
        "shell-arg",
        "dotenv-path",
        "dotenv-filename",
        "color",
        "chooser",
        "completions",
        "dump-format",
        "list-heading",
        "list-prefix",
        "tempdir",
        "timestamp-format",
        "command-color",
        "alias-style",
        "ceiling",
    ],
    stops: true,
    glued: "",
    single_dash: false,
};

/// No recipe stands deeper in others.
const DEEPEST: usize = 24;

/// Judges `just`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    just(command, facts).unwrap_or_else(Report::unknown)
}

fn just(command: &Command, facts: &Facts) -> Result<Report, String> {
    // `--set NAME VALUE` takes two words.
    let mut given: Vec<(String, String)> = vec![];
    let mut words = vec![];
    let mut left = command.arguments().iter();
    while let Some(word) = left.next() {
        if word.known() == Some("--set") {
            let mut next = || left.next().and_then(Word::known).map(str::to_owned).ok_or("what it sets is not known");
            given.push((next()?, next()?));
        } else {
            words.push(word.clone());
        }
    }
    let parsed = parse(&words, &SPEC)?;
    if parsed.has(&[
        "help",
        "h",
        "version",
        "V",
        "list",
        "l",
        "summary",
        "dump",
        "show",
        "s",
        "variables",
        "groups",
        "changelog",
        "man",
        "completions",
        "usage",
    ]) {
        return Ok(Report::reads());
    }
    if parsed.has(&["init", "fmt"]) {
        return Ok(Report::changes("writes the justfile"));
    }
    for (option, what) in [
        ("edit", "which editor it opens"),
        ("e", "which editor it opens"),
        ("choose", "which recipe is chosen"),
        ("shell", "which shell it uses"),
        ("shell-arg", "how its shell is called"),
        ("global-justfile", "what the user's own justfile says"),
    ] {
        if parsed.has(&[option]) {
            return Err(format!("{what} is not known"));
        }
    }
    for name in ["JUST_JUSTFILE", "JUST_WORKING_DIRECTORY", "JUST_SHELL", "JUST_CHOOSER", "JUST_TEMPDIR"] {
        if facts.variables.variable(name).is_some() {
            return Err(format!("the text sets `{name}`"));
        }
    }
    if !facts.own {
        return Ok(elsewhere(command));
    }
    let (base, path, text) = find(&parsed, facts)?;
    let from = folder(facts, [])?;
    let file = file::read(&text).map_err(|why| format!("{path}: {why}"))?;
    let mut reader = Reader {
        file: &file,
        facts,
        command,
        base: base.clone(),
        from,
        given,
        values: vec![],
        asked: vec![],
        effects: vec![],
        done: vec![],
        dry: parsed.has(&["dry-run", "n"]),
        left: 400,
    };
    reader.settings()?;
    let mut words = parsed.operands.as_slice();
    while let Some((name, value)) = words.first().and_then(Word::known).and_then(|word| word.split_once('=')) {
        reader.given.push((name.to_owned(), value.to_owned()));
        words = words.get(1..).unwrap_or_default();
    }
    for (name, _) in &file.variables {
        reader.variable(name, 0)?;
    }
    reader.exports()?;
    if let Some(first) = parsed.values(&["command", "c"]).next() {
        let mut all = vec![first.clone()];
        all.extend(parsed.operands.iter().cloned());
        reader.effects.push(program(all, &base, command));
        return Ok(judged(reader.effects, command));
    }
    if parsed.has(&["evaluate"]) {
        return Ok(judged(reader.effects, command));
    }
    if words.is_empty() {
        let first = file.recipes.iter().find(|recipe| recipe.is_default).or(file.recipes.first());
        let first = first.ok_or("the justfile has no recipe")?;
        reader.recipe(first, &[], 0)?;
    }
    while let Some((name, rest)) = words.split_first() {
        let name =
            name.known().ok_or_else(|| format!("which recipe `{}` is can only be told when it runs", name.shown()))?;
        let recipes = file.named(name)?;
        let takes = |recipe: &&Recipe| {
            recipe.parameters.iter().map(|one| if one.many { usize::MAX } else { 1 }).fold(0, usize::saturating_add)
        };
        let most = recipes.iter().map(takes).max().unwrap_or(0);
        let (arguments, behind) = rest.split_at(most.min(rest.len()));
        let known: Result<Vec<String>, String> = arguments.iter().map(argument).collect();
        let known = known?;
        for recipe in recipes {
            reader.recipe(recipe, &known, 0)?;
        }
        words = behind;
    }
    Ok(judged(reader.effects, command))
}

/// An argument as text that is put into lines.
fn argument(word: &Word) -> Result<String, String> {
    match word.known() {
        Some(text) => Ok(text.to_owned()),
        None => Err(format!("what `{}` puts into the recipe can only be told when it runs", word.shown())),
    }
}

/// The justfile: its folder, path and text.
fn find(parsed: &Parsed, facts: &Facts) -> Result<(String, String, String), String> {
    let told: Vec<&Word> = parsed.values(&["working-directory", "d"]).collect();
    if let Some(path) = parsed.values(&["justfile", "f"]).last() {
        let path = path.known().ok_or("which justfile it reads can only be told when it runs")?;
        let path = absolute(path, facts.cwd).ok_or("in which folder its justfile lies is not known")?;
        let text = read(facts, &path)?.ok_or_else(|| format!("{path} is not there"))?;
        let own = path.rsplit_once('/').map_or("/", |(base, _)| base).to_owned();
        let base = if told.is_empty() { own } else { folder(facts, told)? };
        return Ok((base, path, text));
    }
    if !told.is_empty() {
        return Err("with a folder it takes a justfile, too".into());
    }
    let from = folder(facts, [])?;
    for here in super::above(&from) {
        // Its name may be written in any case.
        let names = facts.around.folder(here).unwrap_or_default();
        let fits = |name: &&String| name.eq_ignore_ascii_case("justfile") || name.eq_ignore_ascii_case(".justfile");
        let listed = names.iter().filter(fits).map(String::as_str);
        let usual = ["justfile", "Justfile", ".justfile", "JUSTFILE"].into_iter();
        for name in listed.chain(usual) {
            let path = inside(here, name);
            if let Some(text) = read(facts, &path)? {
                return Ok((here.to_owned(), path, text));
            }
        }
    }
    Err(format!("no justfile is in {from} or above it"))
}

/// What works out a justfile.
pub(super) struct Reader<'r> {
    file: &'r file::File,
    pub facts: &'r Facts<'r>,
    command: &'r Command,
    pub base: String,
    pub from: String,
    given: Vec<(String, String)>,
    values: Vec<(String, String)>,
    asked: Vec<String>,
    effects: Vec<Effect>,
    done: Vec<(String, Vec<String>)>,
    dry: bool,
    left: usize,
}

impl Reader<'_> {
    fn settings(&mut self) -> Result<(), String> {
        for (name, value) in &self.file.settings {
            match name.as_str() {
                "allow-duplicate-recipes"
                | "allow-duplicate-variables"
                | "export"
                | "ignore-comments"
                | "positional-arguments"
                | "quiet"
                | "unstable"
                | "no-exit-message"
                | "windows-powershell"
                | "windows-shell"
                | "shell"
                | "dotenv-required"
                | "lazy" => {}
                "dotenv-load" => self.dotenv(value)?,
                other => return Err(format!("what the justfile's setting `{other}` does is not followed")),
            }
        }
        Ok(())
    }

    /// What a file of variables sets.
    fn dotenv(&mut self, value: &str) -> Result<(), String> {
        if value == "false" {
            return Ok(());
        }
        super::dotenv(self.facts, &inside(&self.base, ".env"), &mut self.effects)?;
        Ok(())
    }

    fn is_set(&self, setting: &str) -> bool {
        self.file.settings.iter().any(|(name, value)| name == setting && value != "false")
    }

    fn exports(&mut self) -> Result<(), String> {
        let all = self.is_set("export");
        for (name, value) in &self.values.clone() {
            if all || self.file.exported.contains(name) {
                let value = if value.contains(HOLE) { Word::unknown() } else { Word::known_as(value.as_str()) };
                sets(&mut self.effects, name, value);
            }
        }
        Ok(())
    }

    /// Notes a text that is run while the justfile is read.
    pub fn runs_text(&mut self, text: &str) {
        if !self.dry {
            let base = self.base.clone();
            self.shell(text.to_owned(), &base, vec![]);
        }
    }

    /// The value of a variable.
    pub fn variable(&mut self, name: &str, depth: usize) -> Result<String, String> {
        if let Some((_, value)) = self.given.iter().chain(&self.values).find(|(known, _)| known == name) {
            return Ok(value.clone());
        }
        if self.asked.iter().any(|asked| asked == name) {
            return Err(format!("the justfile's `{name}` depends on itself"));
        }
        let Some((_, text)) = self.file.variables.iter().find(|(known, _)| known == name) else {
            // Constants such as HEX, and what later releases add.
            return Ok(HOLE.to_owned());
        };
        self.asked.push(name.to_owned());
        let mut expression = Expression::new(text);
        let value = expression.value(self, &[], depth + 1)?;
        if !expression.is_done() {
            return Err(format!("the justfile's `{name}` is not read"));
        }
        self.values.push((name.to_owned(), value.clone()));
        Ok(value)
    }

    fn recipe(&mut self, recipe: &Recipe, arguments: &[String], depth: usize) -> Result<(), String> {
        self.left = self.left.checked_sub(1).ok_or("its recipes call more recipes than are followed")?;
        if depth > DEEPEST {
            return Err("its recipes call each other deeper than is followed".into());
        }
        let seen = (recipe.name.clone(), arguments.to_vec());
        if self.file.recipes.iter().filter(|one| one.name == recipe.name).count() == 1 && self.done.contains(&seen) {
            return Ok(());
        }
        self.done.push(seen);
        let scope = self.scope(recipe, arguments)?;
        for dependency in &recipe.before {
            self.dependency(dependency, &scope, depth)?;
        }
        let base = match &recipe.folder {
            Some(folder) => absolute(folder, Some(&self.base)).ok_or("in which folder a recipe runs is not known")?,
            None if recipe.stays => self.from.clone(),
            None => self.base.clone(),
        };
        let positional = if self.is_set("positional-arguments") || recipe.positional {
            std::iter::once(recipe.name.as_str()).chain(arguments.iter().map(String::as_str)).map(Word::from).collect()
        } else {
            vec![]
        };
        for (parameter, (_, value)) in recipe.parameters.iter().zip(&scope) {
            if parameter.exported || self.is_set("export") {
                let value = if value.contains(HOLE) { Word::unknown() } else { Word::known_as(value.as_str()) };
                sets(&mut self.effects, &parameter.name, value);
            }
        }
        self.body(recipe, &scope, &base, &positional)?;
        for dependency in &recipe.after {
            self.dependency(dependency, &scope, depth)?;
        }
        Ok(())
    }

    /// What the parameters of a recipe stand for.
    fn scope(&mut self, recipe: &Recipe, arguments: &[String]) -> Result<Vec<(String, String)>, String> {
        let mut scope: Vec<(String, String)> = vec![];
        let mut left = arguments;
        for Parameter { name, default, many, .. } in &recipe.parameters {
            let value = if *many && !left.is_empty() {
                let all = left.join(" ");
                left = &[];
                all
            } else if let Some((first, rest)) = left.split_first() {
                left = rest;
                first.clone()
            } else {
                match default {
                    Some(text) => Expression::new(text).value(self, &scope, 0)?,
                    None => String::new(),
                }
            };
            scope.push((name.clone(), value));
        }
        Ok(scope)
    }

    fn dependency(&mut self, text: &str, scope: &[(String, String)], depth: usize) -> Result<(), String> {
        let mut expression = Expression::new(text);
        let name = expression.name().ok_or("what a recipe depends on is not read")?;
        let mut arguments = vec![];
        while !expression.is_done() {
            arguments.push(expression.value(self, scope, 0)?);
        }
        let file = self.file;
        for recipe in file.named(name)? {
            self.recipe(recipe, &arguments, depth + 1)?;
        }
        Ok(())
    }

    fn body(
        &mut self,
        recipe: &Recipe,
        scope: &[(String, String)],
        base: &str,
        positional: &[Word],
    ) -> Result<(), String> {
        let mut lines = vec![];
        for text in &recipe.body {
            lines.push(self.filled(text, scope)?);
        }
        if self.dry {
            return Ok(());
        }
        let shebang = lines.first().and_then(|first| first.strip_prefix("#!")).map(str::to_owned);
        let interpreter = shebang.or_else(|| recipe.script.clone());
        if let Some(interpreter) = interpreter {
            let name = interpreter.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or_default());
            let name = { name }.find(|word| !matches!(*word, "env" | "-S")).unwrap_or_default();
            if !shells::is_shell(name) {
                return Err(format!("the recipe `{}` is a program for {interpreter}, which is not read", recipe.name));
            }
            self.effects.push(shell_line(Word::known_as(lines.join("\n")), positional.to_vec(), base, self.command));
            return Ok(());
        }
        let mut rest = lines.iter();
        while let Some(first) = rest.next() {
            let mut text = first.trim_start_matches(['@', '-']).to_owned();
            while text.ends_with('\\') {
                let Some(next) = rest.next() else { break };
                text.push('\n');
                text.push_str(next);
            }
            // A comment is given to the shell, too.
            if !text.trim().is_empty() {
                self.shell(text, base, positional.to_vec());
            }
        }
        Ok(())
    }

    /// Runs a line as the justfile says that lines are run.
    fn shell(&mut self, text: String, base: &str, positional: Vec<Word>) {
        let shell = self.file.settings.iter().rev().find(|(name, _)| name == "shell").map(|(_, value)| value.clone());
        let effect = match shell {
            None if positional.is_empty() => line(text, base, self.command),
            None => shell_line(Word::known_as(text), positional, base, self.command),
            Some(list) => match file::list(&list) {
                Some(words) => {
                    let words = words.iter().map(|word| Word::from(word.as_str()));
                    program(words.chain([Word::known_as(text)]).chain(positional).collect(), base, self.command)
                }
                None => Effect::Unknown("which shell the justfile sets is not read".into()),
            },
        };
        self.effects.push(effect);
    }

    /// A line with its expressions worked out.
    fn filled(&mut self, text: &str, scope: &[(String, String)]) -> Result<String, String> {
        let mut done = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("{{") {
            done.push_str(before);
            if let Some(after) = behind.strip_prefix("{{") {
                done.push_str("{{");
                rest = after;
                continue;
            }
            let mut expression = Expression::new(behind);
            done.push_str(&expression.value(self, scope, 0)?);
            if !expression.eat("}}") {
                return Err("an expression within a recipe is not read".into());
            }
            rest = expression.rest();
            if done.len() > 1 << 16 {
                return Err("a recipe makes more text than is followed".into());
            }
        }
        done.push_str(rest);
        Ok(done)
    }
}
