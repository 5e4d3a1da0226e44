//! `zerto-guard questions` and `zerto-guard answer`: what waits for a human, and what the human says.

use super::Context;
use crate::audit::{self, Answer as Logged, Line};
use crate::catalog::edit;
use crate::catalog::model::{Owner, Rule};
use crate::config::files::Place;
use crate::config::trusted_file::{Whose, read};
use crate::config::write::replace;
use crate::guard::report::span_text;
use crate::state::StateDir;
use crate::state::questions::{Answer as Given, Named, Question, Questions, Remember};
use crate::text::{clean, foreign, host_key, midway, path_text};
use crate::ui::prompt::Terminal;
use crate::ui::{Failure, Tone, table};
use clap::{Args, ValueEnum};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  zerto-guard questions

Exit codes: 0 listed, or there is none; 1 the state folder can't be used.")]
pub struct OpenQuestions {}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard answer                                   # goes through the open questions
  zerto-guard answer zgq-0123456789abc guard
  zerto-guard answer zgq-0123456789abc guard --vm web01 --remember
  zerto-guard answer zgq-0123456789abc unguarded

The answer serves one repetition of the same call, within 10 minutes.

Exit codes: 0 answered, or nothing is asked; 1 failed; 3 no such question is open; 5 no guest is named, it can't be
remembered, or there is no terminal to ask on; 64 usage.")]
pub struct Answer {
    /// The question's id, from the agent's message; without it, on a terminal, all open questions one by one
    #[arg(requires = "answer")]
    id: Option<String>,
    /// Guard the call with a tagged checkpoint, or let it run without one
    #[arg(value_enum)]
    answer: Option<Choice>,
    /// The VM that the call changes, where the question does not name it; may be given more than once
    #[arg(long, value_name = "VM")]
    vm: Vec<String>,
    /// Guard every later call of this tool without asking: writes your catalog
    #[arg(long)]
    remember: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// Insert a tagged checkpoint first
    Guard,
    /// Let it run; Zerto cannot rewind it
    Unguarded,
}

impl OpenQuestions {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let now = Timestamp::now();
        let open = questions(context)?.open(now).map_err(state)?;
        let objects: Vec<Value> = open
            .iter()
            .map(|(_, q)| json!({"asked": q.asked, "what": q.what, "input": q.input, "guests": q.guests, "reason": q.reason, "cwd": q.cwd}))
            .collect();
        let rows: Vec<Vec<String>> = open
            .iter()
            .map(|(_, question)| {
                vec![
                    ago(question, now),
                    foreign(&question.what, 40),
                    guests(question),
                    foreign(&question.cwd, 40),
                    clean(&question.input, 60),
                ]
            })
            .collect();
        let text = if rows.is_empty() {
            "No open questions.".to_owned()
        } else {
            let lines = table::columns(&["ASKED", "CALL", "GUEST", "FOLDER", "WOULD RUN"], &rows);
            format!("{lines}\nThe ids are in the agent's messages; `zerto-guard answer` goes through them without.")
        };
        context.printer.result(&text, &Value::Array(objects))?;
        Ok(0)
    }
}

impl Answer {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let questions = questions(context)?;
        let (Some(id), Some(choice)) = (&self.id, self.answer) else {
            return walk(context, &questions);
        };
        let Some(question) = questions.find(id, Timestamp::now()).map_err(state)? else {
            let message = format!("no open question has the id {}", foreign(id, 40));
            return Err(Failure::new(
                3,
                message,
                "It may have been answered, or asked over a day ago. Let the agent try its call again.",
            ));
        };
        let said = give(context, &questions, Named::Id(id), &question, choice, &self.vm, self.remember)?;
        context.printer.result(&said.text, &said.object)?;
        Ok(0)
    }
}

/// What was said, for people and programs.
struct Said {
    text: String,
    object: Value,
}

/// Gives one answer, and writes the catalog if that was wanted.
fn give(
    context: &Context,
    questions: &Questions,
    named: Named,
    question: &Question,
    choice: Choice,
    vms: &[String],
    remember: bool,
) -> Result<Said, Failure> {
    let guard = choice == Choice::Guard;
    if vms.iter().any(|vm| vm.trim().is_empty()) {
        return Err(Failure::new(64, "--vm is empty", "Name the VM that the call changes."));
    }
    if guard && vms.is_empty() && question.guests.is_empty() {
        return Err(Failure::new(
            5,
            format!("the question about {} names no guest", foreign(&question.what, 120)),
            "Name it with --vm VM.",
        ));
    }
    if !guard && !vms.is_empty() {
        return Err(Failure::new(64, "--vm goes with `guard`", "Try `zerto-guard answer --help`."));
    }
    let entry = match (remember, guard) {
        (false, _) => None,
        (true, false) => {
            let message = "`unguarded` can't be remembered: each such call is asked about";
            return Err(Failure::new(
                5,
                message,
                "For a tool that changes no guest: zerto-guard catalog add … --read-only",
            ));
        }
        (true, true) => Some(entry(context, question, vms)?),
    };
    let given = Given { given: Timestamp::now(), guard, vms: vms.to_vec() };
    if !questions.answer(named, question, &given).map_err(state)? {
        return Err(Failure::new(3, "the question was answered meanwhile", ""));
    }
    let logged = Logged {
        time: audit::now(),
        guard,
        tool: audit::text(&question.what),
        vms: audit::texts(vms),
        remembered: entry.is_some(),
    };
    // The answer is given; the call it is for is written down too, or stopped.
    let unlogged = audit::append(&StateDir::at(context.files.state.clone()), &Line::Answer(logged)).err();
    let what = foreign(&question.what, 120);
    let mut text = if guard {
        let on: Vec<String> = question.guests.iter().chain(vms).map(|vm| foreign(vm, 80)).collect();
        let on = on.join(", ");
        format!("answered: {what} may run once, after a tagged checkpoint of {on}.")
    } else {
        format!("answered: {what} may run once WITHOUT a checkpoint. Zerto cannot rewind what it changes.")
    };
    text.push_str(&format!(
        "\nIt would run: {}\nLet the agent repeat the same call within 10 minutes.",
        clean(&question.input, 300)
    ));
    if let Some(error) = unlogged {
        text.push_str(&format!("\nThis is not in the audit log: {}. {}", midway(&error.to_string()), error.hint()));
    }
    let mut object =
        json!({"ok": true, "answer": if guard { "guard" } else { "unguarded" }, "what": question.what, "vms": vms});
    if let Some(entry) = entry {
        replace(&entry.path, &entry.text)
            .map_err(|error| Failure::new(1, format!("{}: can't be written: {error}", path_text(&entry.path)), ""))?;
        text.push_str(&format!("\nremembered in {}:\n{}", path_text(&entry.path), entry.lines));
        if let Some(object) = object.as_object_mut() {
            object.insert("remembered".into(), json!({"file": entry.path, "entry": entry.lines}));
        }
    }
    Ok(Said { text, object })
}

/// An entry for the user's catalog, and the file's text with it.
struct Entry {
    path: std::path::PathBuf,
    text: String,
    lines: String,
}

/// The narrowest entry that answers the question for good.
fn entry(context: &Context, question: &Question, vms: &[String]) -> Result<Entry, Failure> {
    let remember = question
        .remember
        .as_ref()
        .ok_or_else(|| refuse("no catalog entry could name this call and no other, or its hook is a managed one"))?;
    let (Place::Usual(path) | Place::Named(path)) = &context.files.catalog else {
        return Err(refuse("there is no user's catalog here"));
    };
    let old = read(path, Whose::Ours).map_err(|fault| Failure::new(1, fault.to_string(), ""))?.unwrap_or_default();
    let vm = naming_argument(remember, vms)?;
    let rule = Rule::Mutating { vm: &vm, action: "" };
    let (owner, pattern) = (Owner::Server(&remember.server), remember.tool.as_str());
    let broken = |why: String| Failure::new(1, format!("{}: {why}", path_text(path)), "Nothing was answered.");
    let text = edit::add(&old, owner, pattern, rule).map_err(broken)?;
    let lines = edit::add("schema = 1\n", owner, pattern, rule).map_err(broken)?;
    let lines = lines.trim_start_matches("schema = 1").trim().to_owned();
    Ok(Entry { path: path.clone(), text, lines })
}

fn refuse(why: &str) -> Failure {
    Failure::new(5, format!("this can't be remembered: {why}"), "Answer without --remember.")
}

/// Which argument of the tool names the guest.
fn naming_argument(remember: &Remember, vms: &[String]) -> Result<String, Failure> {
    // The argument that the catalog knows, or the only one that can name a guest and names the VM that the human does. An
    // agent that puts the VM into a comment must not have every later call tag that one.
    Ok(match (&remember.vm, vms) {
        (Some(vm), _) => vm.clone(),
        (None, [vm]) => {
            let hostlike = |name: &str| {
                let name = name.to_lowercase();
                ["host", "server", "target", "vm", "node", "machine", "address", "computer", "guest", "name"]
                    .iter()
                    .any(|part| name.contains(part))
            };
            let naming: Vec<_> =
                remember.texts.iter().filter(|(name, text)| hostlike(name) || host_key(text) == host_key(vm)).collect();
            match naming.as_slice() {
                [(name, text)] if host_key(text) == host_key(vm) => name.clone(),
                [] => return Err(refuse("none of the call's arguments names that VM")),
                _ => return Err(refuse("it can't be told which of the call's arguments names its guest")),
            }
        }
        (None, _) => return Err(refuse("none of the call's arguments is known to name its guest")),
    })
}

/// Goes through the open questions on the terminal.
fn walk(context: &mut Context, questions: &Questions) -> Result<u8, Failure> {
    let Some(mut terminal) = Terminal::open() else {
        return Err(Failure::new(
            5,
            "there is no terminal to go through the questions on",
            "Give the id: zerto-guard answer ID guard",
        ));
    };
    let now = Timestamp::now();
    let open = questions.open(now).map_err(state)?;
    if open.is_empty() {
        context.printer.result("No open questions.", &json!([]))?;
        return Ok(0);
    }
    let mut objects = Vec::new();
    for (name, question) in open {
        let on = if question.guests.is_empty() { String::new() } else { format!(" on {}", guests(&question)) };
        let shown = format!(
            "\n{}{on}, asked {} ago in {}\n  {}\n  It would run: {}\n",
            context.printer.paint(Tone::Doubt, &foreign(&question.what, 120)),
            ago(&question, now),
            foreign(&question.cwd, 200),
            clean(&question.reason, 400),
            clean(&question.input, 300),
        );
        let typed = terminal.ask(&format!("{shown}[g]uard it, let it run [u]nguarded, [s]kip? ")).unwrap_or_default();
        let choice = match typed.to_lowercase().as_str() {
            "g" | "guard" => Choice::Guard,
            "u" | "unguarded" => Choice::Unguarded,
            _ => continue,
        };
        let mut vms = Vec::new();
        if choice == Choice::Guard && question.guests.is_empty() {
            match terminal.ask("Which VM does it change? ").filter(|vm| !vm.is_empty()) {
                Some(vm) => vms.push(vm),
                None => continue,
            }
        }
        match give(context, questions, Named::File(&name), &question, choice, &vms, false) {
            Ok(said) => {
                if !context.printer.is_json() {
                    context.printer.result(&said.text, &Value::Null)?;
                }
                objects.push(said.object);
            }
            Err(failure) => context.printer.note(&failure.message),
        }
    }
    if context.printer.is_json() {
        context.printer.result("", &Value::Array(objects))?;
    }
    Ok(0)
}

fn questions(context: &Context) -> Result<Questions, Failure> {
    Questions::of(&StateDir::at(context.files.state.clone())).map_err(state)
}

fn state(error: crate::state::StateError) -> Failure {
    let hint = error.hint();
    Failure::new(1, error.to_string(), hint)
}

fn guests(question: &Question) -> String {
    question.guests.iter().map(|guest| foreign(guest, 60)).collect::<Vec<_>>().join(", ")
}

fn ago(question: &Question, now: Timestamp) -> String {
    let span = Duration::try_from(now.duration_since(question.asked)).unwrap_or_default();
    if span < Duration::from_secs(120) { format!("{} s", span.as_secs()) } else { span_text(span) }
}
