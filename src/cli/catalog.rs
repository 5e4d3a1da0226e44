//! `zerto-guard catalog`: lists, edits, validates and tests what is known of tools and programs.

use super::Context;
use crate::catalog::model::{Entry, Language, Owner, Rule};
use crate::catalog::{Project, built_in, edit, parse::parse};
use crate::config::files::project_catalog;
use crate::config::trusted_file::{Whose, read};
use crate::errands::catalog::{self, Addition, broken, listed, save, shown};
use crate::text::{clean, foreign, path_text};
use crate::ui::{Failure, Tone, table};
use clap::{ArgGroup, Args, Subcommand};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

mod golden;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard catalog list
  zerto-guard catalog add --server winrm --tool get_event_log --read-only

`zerto-guard help catalog COMMAND` has the exit codes of each.")]
pub struct Catalog {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// The entries of your catalog, the administrator's and the project's
    #[command(after_help = "Examples:\n  zerto-guard catalog list\n  zerto-guard catalog list --all winrm\n\n\
        Exit codes: 0 listed; 1 a catalog can't be read; 3 nothing has that name.")]
    List {
        /// The built-in catalog too
        #[arg(long)]
        all: bool,
        /// Only this server or program
        name: Option<String>,
    },
    /// Write an entry into your catalog; one that stood for it under another verdict moves
    #[command(after_help = "Examples:\n  zerto-guard catalog add --server winrm --tool get_event_log --read-only\n  \
        zerto-guard catalog add --server winrm --tool reboot --mutating --vm host\n  \
        zerto-guard catalog add --program docker ps \"image ls\" --read-only\n\n\
        Exit codes: 0 it stands there; 1 the catalog can't be read or written; 64 usage.")]
    Add(Add),
    /// Take an entry out of your catalog
    #[command(after_help = "Example:\n  zerto-guard catalog remove --server winrm --tool reboot\n\n\
        Exit codes: 0 it is gone; 1 the catalog can't be read or written; 3 there is no such entry; 64 usage.")]
    Remove(Names),
    /// Look for mistakes in a catalog: yours, the administrator's and the project's, or the file named
    #[command(after_help = "Example:\n  zerto-guard catalog validate .zerto-guard/catalog.toml\n\n\
        Exit codes: 0 no mistake; 1 at least one, or a file can't be read.")]
    Validate {
        /// The file
        file: Option<PathBuf>,
    },
    /// Judge each X.json (hook input) of a folder and compare with X.expected.json (part of a verdict object)
    #[command(after_help = "Example:\n  zerto-guard catalog test ci/guard-cases\n\n\
        Exit codes: 0 all as expected, or written; 1 at least one is not, or a file can't be used; 3 there is no case.")]
    Test {
        /// The folder
        dir: PathBuf,
        /// Write what was judged into the expected files
        #[arg(long)]
        update: bool,
    },
}

#[derive(Debug, Args)]
struct Names {
    /// The MCP server, by the name under which clients configure it; "" for the agent host's own tools
    #[arg(long, value_name = "S", required_unless_present = "program", conflicts_with = "program", requires = "tool")]
    server: Option<String>,
    /// Its tool; * and ? are wildcards
    #[arg(long, value_name = "T", requires = "server")]
    tool: Option<String>,
    /// The program
    #[arg(long, value_name = "P")]
    program: Option<String>,
    /// Its sub-commands or options; none: whatever it is given
    #[arg(value_name = "SUB", requires = "program")]
    subs: Vec<String>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("verdict").required(true))]
struct Add {
    #[command(flatten)]
    names: Names,
    /// It changes no guest
    #[arg(long, group = "verdict", conflicts_with_all = ["vm", "language"])]
    read_only: bool,
    /// It changes a guest
    #[arg(long, group = "verdict", conflicts_with = "language")]
    mutating: bool,
    /// It does what this argument of it says
    #[arg(long, group = "verdict", value_name = "ARG", requires = "language", conflicts_with = "program")]
    script: Option<String>,
    /// What that is written in
    #[arg(long, value_name = "L", requires = "script", value_parser = clap::builder::PossibleValuesParser::new(Language::NAMES))]
    language: Option<String>,
    /// The argument that names the guest
    #[arg(long, value_name = "ARG", conflicts_with = "program")]
    vm: Option<String>,
}

impl Catalog {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        match self.action {
            Action::List { all, name } => list(context, all, name.as_deref()),
            Action::Add(add) => add.run(context),
            Action::Remove(names) => names.remove(context),
            Action::Validate { file } => validate(context, file.as_deref()),
            Action::Test { dir, update } => golden::run(context, &dir, update),
        }
    }
}

impl Names {
    fn owner(&self) -> Owner<'_> {
        match (&self.server, &self.program) {
            (Some(server), _) => Owner::Server(server),
            (None, program) => Owner::Program(program.as_deref().unwrap_or_default()),
        }
    }

    fn patterns(&self) -> Vec<&str> {
        match &self.tool {
            Some(tool) => vec![tool],
            None if self.subs.is_empty() => vec!["*"],
            None => self.subs.iter().map(String::as_str).collect(),
        }
    }

    fn remove(self, context: &mut Context) -> Result<u8, Failure> {
        let (path, mut text) = catalog::users(&context.files)?;
        let owner = self.owner();
        let mut absent = Vec::new();
        for pattern in self.patterns() {
            let (changed, found) = edit::remove(&text, owner, pattern).map_err(|why| broken(&path, &why))?;
            text = changed;
            if !found {
                absent.push(pattern);
            }
        }
        if !absent.is_empty() {
            let message = format!("{}: {} has no entry for {}", path_text(&path), shown(owner), listed(&absent));
            return Err(Failure::new(3, message, "`zerto-guard catalog list` shows what is there."));
        }
        save(&path, &text)?;
        let said = format!("removed {} {} from {}", shown(owner), listed(&self.patterns()), path_text(&path));
        context.printer.result(
            &said,
            &json!({"ok": true, "file": path, "table": owner.to_string(), "removed": self.patterns()}),
        )?;
        Ok(0)
    }
}

impl Add {
    fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let vm = self.vm.as_deref().unwrap_or_default();
        let rule = match (&self.script, self.language.as_deref().and_then(Language::named)) {
            (Some(script), Some(language)) => Rule::Script { vm, script, language },
            _ if self.mutating => Rule::Mutating { vm, action: "" },
            _ => Rule::ReadOnly,
        };
        let (owner, patterns) = (self.names.owner(), self.names.patterns());
        let done = catalog::add(&context.files, &Addition { owner, patterns: &patterns, rule })?;
        context.show(&done)
    }
}

fn list(context: &mut Context, all: bool, name: Option<&str>) -> Result<u8, Failure> {
    let catalog = context.catalog(super::cwd().as_deref())?;
    let mut layers: Vec<(&str, &crate::catalog::prepared::Prepared)> = Vec::new();
    layers.extend(catalog.admin.iter().map(|layer| ("admin", layer)));
    layers.extend(catalog.user.iter().map(|layer| ("user", layer)));
    match &catalog.project {
        Project::Read(layer) => layers.push(("project", layer)),
        Project::Broken { path, fault } => context.printer.note(&format!("zerto-guard: {path} {fault}")),
        Project::Absent => {}
    }
    if all {
        layers.push(("built-in", built_in()));
    }
    let mut rows = Vec::new();
    let mut objects: Vec<Value> = Vec::new();
    for (layer, prepared) in layers {
        for block in prepared.blocks() {
            let (Owner::Server(owner) | Owner::Program(owner)) = block.owner;
            if name.is_some_and(|name| name != owner) {
                continue;
            }
            for entry in block.entries() {
                let details = details(&entry);
                objects.push(json!({
                    "layer": layer, "table": block.owner.to_string(), "verdict": entry.rule.key(), "name": entry.pattern, "details": details,
                }));
                let table = clean(&block.owner.to_string(), 60);
                rows.push(vec![
                    layer.to_owned(),
                    table,
                    entry.rule.key().to_owned(),
                    clean(entry.pattern, 60),
                    details,
                ]);
            }
        }
    }
    if rows.is_empty() {
        let hint = if all { "" } else { " The built-in catalog is shown with --all." };
        let what = name.map(|name| format!(" for {}", foreign(name, 80))).unwrap_or_default();
        context.printer.result(&format!("No entries{what}.{hint}"), &Value::Array(objects))?;
        return Ok(if name.is_some() { 3 } else { 0 });
    }
    let text = table::columns(&["LAYER", "TABLE", "VERDICT", "NAME", "ARGUMENTS"], &rows);
    context.printer.result(&text, &Value::Array(objects))?;
    Ok(0)
}

fn counted(entries: usize, tables: usize) -> String {
    let one = |number: usize, one: &str, more: &str| format!("{number} {}", if number == 1 { one } else { more });
    format!("{} in {}", one(entries, "entry", "entries"), one(tables, "table", "tables"))
}

fn details(entry: &Entry) -> String {
    let named = |name: &str, value: &str| if value.is_empty() { String::new() } else { format!("{name}={value} ") };
    let text = match entry.rule {
        Rule::ReadOnly | Rule::Local | Rule::Unknown | Rule::DryRun | Rule::Value | Rule::Manner(_) => String::new(),
        Rule::Mutating { vm, action } => named("vm", vm) + &named("action", action),
        Rule::Script { vm, script, language } => {
            named("vm", vm) + &named("script", script) + &named("language", language.name())
        }
        Rule::Opens { vm, id } => named("vm", vm) + &named("id", id),
        Rule::Writes { path } => named("path", path),
    };
    clean(&text, 120)
}

fn validate(context: &mut Context, file: Option<&Path>) -> Result<u8, Failure> {
    let project = super::cwd().and_then(|cwd| project_catalog(Path::new(&cwd)));
    let files = match file {
        Some(file) => vec![(file.to_owned(), Whose::Projects)],
        None => {
            let admin = (context.files.admin.join("catalog.toml"), Whose::Ours);
            let user = context.files.catalog.path().map(|path| (path.to_owned(), Whose::Ours));
            let project = project.map(|path| (path, Whose::Projects));
            std::iter::once(admin).chain(user).chain(project).collect()
        }
    };
    let (mut lines, mut objects, mut bad) = (Vec::new(), Vec::new(), false);
    for (path, whose) in files {
        let shown = path_text(&path);
        let outcome = read(&path, whose).map_err(|fault| fault.fault).and_then(|text| match text {
            None if file.is_some() => Err("there is no such file".into()),
            None => Ok(None),
            Some(text) => parse(&text).map(Some).map_err(|mistake| mistake.to_string()),
        });
        match outcome {
            Ok(None) => {
                lines.push(format!("{}  {shown}: not there", context.printer.paint(Tone::Faint, "-  ")));
                objects.push(json!({"file": shown, "ok": true, "present": false}));
            }
            Ok(Some(prepared)) => {
                let tables = prepared.blocks().count();
                let entries: usize = prepared.blocks().map(|block| block.entries().count()).sum();
                lines.push(format!(
                    "{}  {shown}: {}",
                    context.printer.paint(Tone::Good, "ok "),
                    counted(entries, tables)
                ));
                objects.push(json!({"file": shown, "ok": true, "present": true, "tables": tables, "entries": entries}));
            }
            Err(why) => {
                bad = true;
                lines.push(format!("{}  {shown}: {why}", context.printer.paint(Tone::Bad, "BAD")));
                objects.push(json!({"file": shown, "ok": false, "error": why}));
            }
        }
    }
    context.printer.result(&lines.join("\n"), &Value::Array(objects))?;
    Ok(u8::from(bad))
}
