//! What the program is made of: licences, sources, and crates that must not be in what ships.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Licences that go with `MIT OR Apache-2.0`, for everything that ships.
const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "Unlicense",
    "MIT-0",
    "CC0-1.0",
    "Unicode-3.0",
    "CDLA-Permissive-2.0",
    "BSL-1.0",
];

/// What tests may be made of besides (a weak copyleft of single files, which nothing that ships contains).
const ONLY_IN_TESTS: &[&str] = &["MPL-2.0"];

/// No async runtime, no other TLS, nothing that needs a C library of the system, in the binary that ships.
const BANNED: &[&str] = &[
    "tokio",
    "async-std",
    "smol",
    "futures-executor",
    "hyper",
    "reqwest",
    "openssl",
    "openssl-sys",
    "native-tls",
    "aws-lc-rs",
    "aws-lc-sys",
    "mio",
    "zvm-sim",
    "mockito",
];

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The names of the crates that the binary is made of, build scripts and macros included.
fn shipped() -> BTreeSet<String> {
    let tree = cargo(&["tree", "--locked", "-p", "zerto-guard", "-e", "normal,build", "--prefix", "none", "-f", "{p}"]);
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Whether an SPDX expression can be met with the licences above and these.
fn acceptable(expression: &str, more: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    // Every `AND` part has to have an alternative that is allowed.
    expression.split(" AND ").all(|part| {
        part.split(" OR ").any(|licence| {
            let licence = licence.trim();
            LICENCES.contains(&licence) || more.contains(&licence)
        })
    })
}

#[test]
fn licences_and_sources_of_everything_that_is_built() {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"];
    let metadata: Value = serde_json::from_str(&cargo(&arguments)).unwrap();
    // Only what is resolved for the platform is built; the list of packages holds more.
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let built: BTreeSet<&str> = nodes.iter().filter_map(|node| node["id"].as_str()).collect();
    let shipped = shipped();
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
        assert!(acceptable(licence, if ships { &[] } else { ONLY_IN_TESTS }), "{name}: {licence}");
        let source = package["source"].as_str().unwrap_or("path");
        let ours = source == "path" || source.starts_with("registry+https://github.com/rust-lang/crates.io-index");
        assert!(ours, "{name}: {source}");
    }
    assert!(seen > seen_shipped && seen_shipped > 50, "{seen} packages, {seen_shipped} of them ship");
}

#[test]
fn the_shipped_binary_has_no_async_runtime_and_one_tls() {
    let names = shipped();
    assert!(names.contains("ureq") && names.contains("rustls"), "{names:?}");
    for banned in BANNED {
        assert!(!names.contains(*banned), "{banned} is in what ships");
    }
}
