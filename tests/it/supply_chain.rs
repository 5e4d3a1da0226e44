//! What the program is made of: licences, sources, and crates that must not be in what ships.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The programs that ship. The server has an async runtime, and its crates are in no list.
const HOOK: &str = "zerto-guard";
const SERVER: &str = "zerto-guard-mcp";

/// What `cargo deny` is told too, so that there is one list.
struct Rules {
    targets: Vec<String>,
    licences: Vec<String>,
    crates: BTreeSet<String>,
}

fn rules() -> Rules {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml")).unwrap();
    let rules: toml::Table = text.parse().unwrap();
    let list = |table: &str, key: &str| -> Vec<String> {
        let values = rules[table][key].as_array().unwrap();
        values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
    };
    Rules {
        targets: list("graph", "targets"),
        licences: list("licenses", "allow"),
        crates: list("bans", "allow").into_iter().collect(),
    }
}

/// What tests may be made of besides (a weak copyleft of single files, which nothing that ships contains).
const ONLY_IN_TESTS: &[&str] = &["MPL-2.0"];

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The names of the crates that a program is made of there, build scripts and macros included.
fn made_of(program: &str, target: &str) -> BTreeSet<String> {
    let tree = cargo(&[
        "tree",
        "--locked",
        "-p",
        program,
        "-e",
        "normal,build",
        "--prefix",
        "none",
        "-f",
        "{p}",
        "--target",
        target,
    ]);
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Whether an SPDX expression can be met with the licences above and these.
fn acceptable(expression: &str, licences: &[String], more: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    // Every `AND` part has to have an alternative that is allowed.
    expression.split(" AND ").all(|part| {
        part.split(" OR ").any(|licence| {
            let licence = licence.trim();
            licences.iter().any(|one| one == licence) || more.contains(&licence)
        })
    })
}

#[test]
fn licences_and_sources_of_everything_that_is_built() {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET];
    let metadata: Value = serde_json::from_str(&cargo(&arguments)).unwrap();
    // Only what is resolved for the platform is built; the list of packages holds more.
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let built: BTreeSet<&str> = nodes.iter().filter_map(|node| node["id"].as_str()).collect();
    let rules = rules();
    let shipped: BTreeSet<String> = [HOOK, SERVER].iter().flat_map(|program| made_of(program, TARGET)).collect();
    let (mut seen, mut seen_shipped) = (0, 0);
    for package in metadata["packages"].as_array().unwrap() {
        if !built.contains(package["id"].as_str().unwrap()) {
            continue;
        }
        let name = package["name"].as_str().unwrap();
        let ships = shipped.contains(name);
        seen += 1;
        seen_shipped += usize::from(ships);
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(acceptable(licence, &rules.licences, if ships { &[] } else { ONLY_IN_TESTS }), "{name}: {licence}");
        let source = package["source"].as_str().unwrap_or("path");
        let ours = source == "path" || source.starts_with("registry+https://github.com/rust-lang/crates.io-index");
        assert!(ours, "{name}: {source}");
    }
    assert!(seen > seen_shipped && seen_shipped > 50, "{seen} packages, {seen_shipped} of them ship");
}

#[test]
fn what_ships_is_made_of_the_crates_of_the_list_and_each_of_them_is_needed() {
    let rules = rules();
    let needed: BTreeSet<String> = rules.targets.iter().flat_map(|target| made_of(HOOK, target)).collect();
    let unseen: Vec<&String> = needed.difference(&rules.crates).collect();
    assert!(unseen.is_empty(), "look at these, and put them into deny.toml: {unseen:?}");
    let left: Vec<&String> = rules.crates.difference(&needed).collect();
    assert!(left.is_empty(), "no longer needed, so take them out of deny.toml: {left:?}");
    // No async runtime, no other TLS: what must not come in by somebody adding a name.
    for banned in ["tokio", "async-std", "smol", "hyper", "reqwest", "openssl", "native-tls", "aws-lc-rs", "zvm-sim"] {
        assert!(!rules.crates.contains(banned), "{banned} is in what ships");
    }
}
