//! `aws`: instances of EC2 by their identifiers, and what Systems Manager sends to them. Pure.

use super::arguments::{self, Arguments};
use super::{changes, other_in, shell_in, unknown_in, vm};
use crate::classify::effect::{Command, Effect, Facts, Host, Language, Report, Stdin};
use crate::classify::programs::carry::report;
use crate::classify::programs::copied;
use crate::classify::word::Word;
use crate::json::Json;

const GLOBAL: &[&str] = &[
    "--profile",
    "--region",
    "--output",
    "--query",
    "--endpoint-url",
    "--color",
    "--ca-bundle",
    "--cli-read-timeout",
    "--cli-connect-timeout",
    "--cli-binary-format",
];

/// Operations of EC2 that act on the instances that are named.
const EC2: &[&str] = &[
    "associate-iam-instance-profile",
    "attach-volume",
    "modify-instance-attribute",
    "modify-instance-capacity-reservation-attributes",
    "modify-instance-cpu-options",
    "modify-instance-credit-specification",
    "modify-instance-maintenance-options",
    "modify-instance-metadata-options",
    "modify-instance-placement",
    "monitor-instances",
    "reboot-instances",
    "reset-instance-attribute",
    "send-diagnostic-interrupt",
    "start-instances",
    "stop-instances",
    "terminate-instances",
    "unmonitor-instances",
];

const IDS: &[&str] = &["--instance-ids", "--instance-id", "--target", "--targets"];

/// Judges `aws`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let Ok(all) = arguments::read(command.arguments(), GLOBAL) else { return Report::of(Effect::Table) };
    match all.path.as_slice() {
        [_, _, "help"] if all.options.is_empty() => Report::reads(),
        ["ec2", verb] if EC2.contains(verb) => {
            let takes_back = |(name, _): &(String, Vec<Word>)| name.starts_with("--no-d");
            if all.has(&["--dry-run"]) && !all.options.iter().any(takes_back) {
                return Report::reads();
            }
            Report::of(changes(machines(&all), verb))
        }
        ["ssm", "send-command"] => send_command(&all, facts),
        ["ssm", "start-session"] => start_session(command, &all),
        _ => Report::of(Effect::Table),
    }
}

/// The instances that the options name.
fn machines(all: &Arguments) -> Vec<Host> {
    let doubt = |why: String| vec![Host::Unknown(why)];
    if let Some(option) = all.short_for(IDS) {
        return doubt(format!("what `{option}` is short for can't be told"));
    }
    if all.has(&["--cli-input-json", "--cli-input-yaml"]) {
        return doubt("its words stand in a document".into());
    }
    if let Some(word) = all.options.iter().flat_map(|(_, values)| values).find(|word| !word.is_fitting()) {
        return doubt(format!("what `{}` holds is only known when it runs", word.shown()));
    }
    let mut vms = vec![];
    for word in all.values(&["--targets"]) {
        match word.known().and_then(|text| text.strip_prefix("Key=InstanceIds,Values=")) {
            Some(ids) => vms.extend(ids.split(',').map(super::named)),
            None => return doubt("machines are chosen by their tags".into()),
        }
    }
    for word in all.values(&["--instance-ids", "--instance-id", "--target"]) {
        match word.known() {
            // A list may be written as JSON.
            Some(text) if text.starts_with('[') => match Json::parse(text.as_bytes()) {
                Ok(Json::List(list)) => vms.extend(list.iter().map(|item| match item.as_text() {
                    Some(id) => super::named(id),
                    None => Host::Unknown("its identifier is no text".into()),
                })),
                _ => return doubt(format!("the list `{text}` can't be read")),
            },
            Some(text) => vms.extend(text.split(',').map(super::named)),
            None => vms.push(vm(word)),
        }
    }
    if vms.is_empty() { doubt("it is not named".into()) } else { vms }
}

/// `ssm send-command --document-name D --parameters commands=…`.
fn send_command(all: &Arguments, facts: &Facts) -> Report {
    let machines = machines(all);
    let document = all.values(&["--document-name"]).last().and_then(Word::known);
    let language = match document {
        Some("AWS-RunShellScript") => None,
        Some("AWS-RunPowerShellScript") => Some(Language::PowerShell),
        _ => {
            let why = "what its document does is not known";
            return report(machines.into_iter().map(|vm| unknown_in(vm, why)));
        }
    };
    let text = match text(all, facts) {
        Ok(text) => text,
        Err(why) => return report(machines.into_iter().map(|vm| unknown_in(vm, why.clone()))),
    };
    // The agent in the machine keeps the script and what it printed.
    let kept = changes(machines.clone(), "ssm send-command");
    let runs = machines.into_iter().map(|vm| match language {
        Some(language) => other_in(vm, language, text.clone()),
        None => shell_in(vm, text.clone(), Stdin::Nothing),
    });
    report(std::iter::once(kept).chain(runs))
}

/// The lines that `--parameters` holds.
fn text(all: &Arguments, facts: &Facts) -> Result<Word, String> {
    let words: Vec<&Word> = all.values(&["--parameters"]).collect();
    let unread = || "what it runs there can't be read".to_owned();
    let mut lines: Option<Vec<Word>> = None;
    for word in words {
        if let Some(path) = word.strip_prefix("file://") {
            let text = copied::text_of(&path, facts)?;
            lines = Some(by_json(&text).ok_or_else(unread)?);
        } else if word.known().is_some_and(|text| text.trim_start().starts_with('{')) {
            lines = Some(by_json(word.known().unwrap_or_default()).ok_or_else(unread)?);
        } else if let Some(value) = word.strip_prefix("commands=") {
            lines = Some(by_shorthand(&value).ok_or_else(unread)?);
        } else if !["workingDirectory=", "executionTimeout="].iter().any(|start| word.begins_with(start))
            || word.known().is_none_or(|text| text.contains("commands"))
        {
            return Err(unread());
        }
    }
    let mut text = Word::default();
    for line in lines.ok_or_else(unread)? {
        text.push_word(&line);
        text.push_text("\n");
    }
    Ok(text.as_one())
}

fn by_json(text: &str) -> Option<Vec<Word>> {
    let json = Json::parse(text.as_bytes()).ok()?;
    let Json::Object(fields) = &json else { return None };
    if !fields.iter().all(|(key, _)| matches!(key.as_str(), "commands" | "workingDirectory" | "executionTimeout")) {
        return None;
    }
    match json.get("commands")? {
        Json::List(list) => list.iter().map(|item| item.as_text().map(Word::known_as)).collect(),
        Json::Text(text) => Some(vec![Word::known_as(text.as_str())]),
        _ => None,
    }
}

/// `commands=TEXT`, `commands=["TEXT",…]`, `commands=[TEXT,…]`, `commands="TEXT","TEXT"`.
fn by_shorthand(value: &Word) -> Option<Vec<Word>> {
    let Some(text) = value.known() else {
        return Some(vec![value.as_one()]);
    };
    if text.starts_with('[') {
        if let Ok(Json::List(list)) = Json::parse(text.as_bytes()) {
            return list.iter().map(|item| item.as_text().map(Word::known_as)).collect();
        }
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        return shorthand_list(inner);
    }
    // A further name behind a comma begins the next parameter.
    shorthand_list(text)
}

fn shorthand_list(text: &str) -> Option<Vec<Word>> {
    let (mut items, mut item, mut quote) = (vec![], String::new(), None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') if item.trim().is_empty() => quote = Some(c),
            (None, ',') => items.push(Word::known_as(std::mem::take(&mut item))),
            (None, '[' | ']' | '{' | '}' | '\'' | '"' | '\\') | (Some(_), '\\') => return None,
            (_, c) => item.push(c),
        }
    }
    items.push(Word::known_as(item));
    let is_parameter =
        |word: &Word| ["workingDirectory=", "executionTimeout="].iter().any(|start| word.begins_with(start));
    items.retain(|item| !is_parameter(item));
    quote.is_none().then_some(items)
}

/// `ssm start-session --target ID`: a shell, unless a document says otherwise.
fn start_session(command: &Command, all: &Arguments) -> Report {
    let vm = machines(all).into_iter().next().unwrap_or_else(|| Host::Unknown("it is not named".into()));
    match all.values(&["--document-name"]).last().map(Word::known) {
        None => super::carried_to(command, vm, &[]),
        Some(Some("AWS-StartInteractiveCommand" | "AWS-StartNonInteractiveCommand")) => {
            let words: Vec<&Word> = all.values(&["--parameters"]).collect();
            let lines = match words.as_slice() {
                [word] => match word.strip_prefix("command=") {
                    Some(value) => by_shorthand(&value),
                    None => None,
                },
                _ => None,
            };
            match lines.as_deref() {
                Some([line]) => Report::of(shell_in(vm, line.clone(), Stdin::Nothing)),
                _ => Report::of(unknown_in(vm, "what it runs there can't be read")),
            }
        }
        // A tunnel to a port: what goes through it can't be seen.
        _ => Report::of(unknown_in(vm, "what goes through its tunnel can't be seen")),
    }
}
