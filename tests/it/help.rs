//! Every page of `--help` as it is: a change of the command line shows in the review (`ZERTO_GUARD_UPDATE_GOLDEN=1` writes
//! the record anew).

use crate::env::Env;
use std::fs;
use std::path::Path;

/// The commands below one, by the list in its help.
fn commands(help: &str) -> Vec<String> {
    let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

fn pages(env: &Env, path: &[String], all: &mut String) {
    let mut arguments = vec!["help"];
    arguments.extend(path.iter().map(String::as_str));
    let ran = env.run(&arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{path:?}");
    all.push_str(&format!("$ zerto-guard help {}\n{}\n", path.join(" "), ran.stdout));
    let below = commands(&ran.stdout);
    // `hook` says by which two codes it ends.
    let codes = ran.stdout.to_lowercase().contains("exit codes") || path == ["hook"];
    assert!(codes, "no exit codes in the help of {path:?}");
    assert!(ran.stdout.contains("Example"), "no example in the help of {path:?}");
    for command in below {
        pages(env, &[path, &[command]].concat(), all);
    }
}

#[test]
fn every_page_is_as_recorded_and_has_an_example_and_exit_codes() {
    let mut all = String::new();
    pages(&Env::new(), &[], &mut all);
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help.txt");
    if std::env::var_os("ZERTO_GUARD_UPDATE_GOLDEN").is_some() {
        fs::write(&record, &all).unwrap();
    }
    assert!(fs::read_to_string(&record).unwrap_or_default() == all, "not as recorded in tests/help.txt:\n{all}");
}

#[test]
fn completions_and_manual_pages_come_from_the_same_definitions() {
    let env = Env::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = env.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout.contains("catalog") && ran.stdout.contains("questions"), "{shell}");
    }
    let dir = env.path("man1");
    assert_eq!(env.run(&["man", dir.to_str().unwrap()]).code, Some(0));
    assert!(
        fs::read_to_string(dir.join("zerto-guard-find.1")).unwrap().contains("taggable")
            || dir.join("zerto-guard-find.1").exists()
    );
    assert!(fs::read_dir(&dir).unwrap().count() > 10);
}
