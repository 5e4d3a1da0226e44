//! `zerto-guard catalog test`: a folder of hook inputs and what is expected of each, for a team's CI.

use super::super::Context;
use crate::classify::classify;
use crate::errands::check::verdict_object;
use crate::hosts::{self, Event};
use crate::json::Json;
use crate::surroundings::{Disk, places};
use crate::ui::{Failure, Tone};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Judges every case of the folder and compares.
pub fn run(context: &mut Context, dir: &Path, update: bool) -> Result<u8, Failure> {
    let cases = cases(dir)?;
    if cases.is_empty() {
        let message = format!("{}: no X.json in it", dir.display());
        return Err(Failure::new(
            3,
            message,
            "A case is a hook input X.json beside what is expected of it, X.expected.json.",
        ));
    }
    let (mut lines, mut objects, mut failed) = (Vec::new(), Vec::new(), 0);
    for case in &cases {
        let name = case.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let verdict = judge(context, case)?;
        let expected_file = case.with_extension("expected.json");
        let differences = if update {
            write(&expected_file, &verdict)?;
            vec![]
        } else {
            compare(&expected_file, &verdict)
        };
        let ok = differences.is_empty();
        failed += usize::from(!ok);
        let mark =
            if ok { context.printer.paint(Tone::Good, "ok") } else { context.printer.paint(Tone::Bad, "FAILED") };
        lines.push(format!("{mark}  {name}"));
        lines.extend(differences.iter().map(|difference| format!("    {difference}")));
        // Why it was not judged at all is what has to be mended, in the case and not in what is expected of it.
        if verdict.get("verdict").and_then(Value::as_str) == Some("denied") {
            let why = verdict.get("reason").and_then(Value::as_str).unwrap_or_default();
            lines.push(format!("    denied, since {why}"));
        }
        objects.push(json!({"case": name, "ok": ok, "differences": differences, "verdict": verdict}));
    }
    lines.push(format!("{} passed, {failed} failed", cases.len() - failed));
    context.printer.result(&lines.join("\n"), &Value::Array(objects))?;
    Ok(u8::from(failed > 0))
}

fn cases(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| unreadable(dir))? {
        let path = entry.with_context(|| unreadable(dir))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".json") && !name.ends_with(".expected.json") {
            cases.push(path);
        }
    }
    cases.sort();
    Ok(cases)
}

fn unreadable(path: &Path) -> String {
    format!("{} can't be read", path.display())
}

fn judge(context: &Context, case: &Path) -> Result<Value, Failure> {
    let bytes = fs::read(case).with_context(|| unreadable(case))?;
    let event = Json::parse(&bytes)
        .map_err(|error| error.to_string())
        .and_then(|json| hosts::read(None, json).map_err(|(_, why)| why));
    match event {
        Ok((host, Event::Pending(mut call))) => {
            call.prompt = host.prompt(&call, context.files.home.as_deref());
            // A capture of another machine names a folder that is not here: the project's catalog is then that of this
            // folder, which is the checkout in a CI.
            let there = call.cwd.clone().filter(|cwd| Path::new(cwd).is_dir()).or_else(super::super::cwd);
            let catalog = context.catalog(there.as_deref())?;
            Ok(verdict_object(&classify(
                &call,
                &catalog,
                &places(&context.config()?),
                &Disk { home: context.files.home.clone(), sessions: None },
            )))
        }
        Ok((_, Event::Answered { .. } | Event::Failed { .. } | Event::Started { .. } | Event::Other)) => {
            Ok(json!({"verdict": "none", "reason": "an event that decides nothing"}))
        }
        Err(why) => Ok(json!({"verdict": "denied", "reason": why})),
    }
}

fn compare(file: &Path, verdict: &Value) -> Vec<String> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return vec![format!("{}: {error} (--update writes it)", file.display())],
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(expected)) if expected.is_empty() => vec![format!("{}: it expects nothing", file.display())],
        Ok(expected @ Value::Object(_)) => differences("", &expected, verdict),
        Ok(_) => vec![format!("{}: it is no JSON object", file.display())],
        Err(error) => vec![format!("{}: {error}", file.display())],
    }
}

/// Where the verdict is not what was expected; what is not mentioned there may be anything.
fn differences(at: &str, expected: &Value, found: &Value) -> Vec<String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => expected
            .iter()
            .flat_map(|(key, value)| {
                let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                differences(&at, value, found.get(key).unwrap_or(&Value::Null))
            })
            .collect(),
        _ if expected == found => vec![],
        _ => vec![format!("{at}: expected {expected}, found {found}")],
    }
}

/// Writes the expected file: the keys that it had, or the verdict and its guests where there was none.
fn write(file: &Path, verdict: &Value) -> Result<(), Failure> {
    let old = fs::read_to_string(file).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let keys: Vec<String> = match old {
        Some(Value::Object(old)) => old.keys().cloned().collect(),
        _ => vec!["verdict".into(), "targets".into()],
    };
    let kept = keys.iter().filter_map(|key| Some((key.clone(), verdict.get(key)?.clone()))).collect();
    let text = serde_json::to_string_pretty(&Value::Object(kept)).unwrap_or_default();
    fs::write(file, text + "\n").with_context(|| format!("{} can't be written", file.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_mentioned_is_compared() {
        let found = json!({"verdict": "mutating", "targets": ["a"], "decided_by": {"layer": "user", "entry": "e"}});
        assert!(differences("", &json!({"verdict": "mutating", "decided_by": {"layer": "user"}}), &found).is_empty());
        assert_eq!(
            differences("", &json!({"decided_by": {"layer": "admin"}, "targets": []}), &found),
            ["decided_by.layer: expected \"admin\", found \"user\"", "targets: expected [], found [\"a\"]"]
        );
        assert_eq!(differences("", &json!({"none": 1}), &found).len(), 1);
    }
}
