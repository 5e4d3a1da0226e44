use super::super::entry::Form;
use super::super::{Kind, recipe};
use super::*;
use crate::hosts::Host;
use crate::install::When;

fn entries() -> Vec<Entry> {
    let recipe = recipe(Host::Codex);
    let entry = |event| Entry {
        recipe,
        event,
        command: "/opt/a \"b\"/zerto-guard".into(),
        arguments: ["hook", "--host", "codex", "--managed"].map(str::to_owned).to_vec(),
        timeout: if event == recipe.event("PreToolUse").unwrap() { 180 } else { 30 },
        form: Form::Shell,
    };
    recipe.events.iter().map(entry).collect()
}

fn written(change: Result<Change, String>) -> String {
    match change {
        Ok(Change::Write(text)) => text,
        other => panic!("{other:?}"),
    }
}

const FILES: &[&str] = &[
    "",
    "\n",
    "# mine",
    "# mine\n",
    "allow_managed_hooks_only = true\n",
    "allow_managed_hooks_only = true",
    "a = 1\r\n[features]\r\nhooks = true\r\n",
    "a = 1\r\n[features]\r\nhooks = true",
    "[hooks]\nmanaged_dir = \"/x\"\n\n[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"audit\" # theirs\n",
    "[[hooks.Stop]]\n  [[hooks.Stop.hooks]]\n  type = 'command'\n  command = 'x'\n\n\n",
    "\t# odd   \n\n\nx='y'   ",
];

#[test]
fn every_byte_comes_back() {
    for text in FILES {
        let with = written(add(Some(text), &entries()));
        assert!(with.starts_with(text), "{with}");
        if text.contains("\r\n") {
            assert_eq!(with.matches('\n').count(), with.matches("\r\n").count(), "{with:?}");
        }
        let seen = inspect(&with, recipe(Host::Codex), "").unwrap();
        let before: Vec<_> = seen.at(When::Before).collect();
        assert_eq!((before.len(), seen.ours.len(), before[0].timeout), (1, 2, Some(180.0)), "{with}");
        assert_eq!(before[0].words().unwrap()[0], "/opt/a \"b\"/zerto-guard");
        assert_eq!(add(Some(&with), &entries()), Ok(Change::None), "{with}");
        assert_eq!(remove(&with), Ok(Change::Write((*text).to_owned())), "{with}");
        assert_eq!(remove(text), Ok(Change::None));
        // What was written behind it since stays, and so does what stood before.
        let more = format!("{with}b = 2\n");
        let rest = written(remove(&more));
        assert!(rest.starts_with(text) && rest.ends_with("b = 2\n"), "{rest}");
        let old = with.replace("timeout = 180", "timeout = 60");
        assert_eq!(written(add(Some(&old), &entries())), with);
    }
    let fresh = written(add(None, &entries()));
    assert_eq!(remove(&fresh), Ok(Change::Remove));
    assert_eq!(add(Some(&fresh), &entries()), Ok(Change::None));
    assert!(matches!(remove(&format!("# since\n{fresh}")), Ok(Change::Write(text)) if text == "# since\n"));
}

#[test]
fn what_is_not_understood_is_refused() {
    let ours = "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = 'command'\ncommand = '/b/zerto-guard hook'\n";
    for (text, part) in [
        ("a = \n", "line 1"),
        ("a = 1\na = 2\n", "line 2"),
        ("hooks = { PreToolUse = [] }\n", "could not be read"),
        ("hooks = 5\n", "`hooks`"),
        (ours, "line 2: an entry of zerto-guard's stands there"),
        ("# zerto-guard install: begin\n", "no pair"),
        ("# zerto-guard install: end\n# zerto-guard install: begin\n", "no pair"),
    ] {
        let error = add(Some(text), &entries()).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert!(remove("# zerto-guard install: begin\n").is_err());
    assert_eq!(super::super::inspect::inspect(ours, recipe(Host::Codex), Kind::Toml, "").unwrap().ours.len(), 1);
}
