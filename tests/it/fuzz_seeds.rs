//! The fuzz targets keep compiling, and hold for what they begin with. They are run for minutes by `.ci/long`.

#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

use std::fs;
use std::path::Path;

/// A file named by this variable is run as well: what a fuzzer has found, `TARGET:FILE`.
const FOUND: &str = "ZERTO_GUARD_FUZZ_INPUT";

#[test]
fn every_target_holds_for_its_seeds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = Vec::new();
    let found = std::env::var(FOUND).ok();
    let found = found.as_deref().and_then(|found| found.split_once(':'));
    for (target, run) in fuzz::TARGETS {
        let mut seeds = fuzz::seeds::of(target, root);
        assert!(seeds.len() >= 3, "{target} has {} seeds", seeds.len());
        seeds.push(vec![]);
        seeds.extend(found.filter(|(of, _)| of == target).map(|(_, file)| fs::read(file).unwrap()));
        for seed in seeds {
            if std::panic::catch_unwind(|| run(&seed)).is_err() {
                broken.push(format!("{target}: {:?}", String::from_utf8_lossy(&seed)));
            }
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

/// A target that is not listed is never run.
#[test]
fn every_target_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let [manifest, readme] = ["Cargo.toml", "README.md"].map(|file| fs::read_to_string(folder.join(file)).unwrap());
    let mut known = 0;
    for entry in fs::read_dir(folder.join("fuzz_targets")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(manifest.contains(&format!("\nname = \"{name}\"\n")), "{name} is not in fuzz/Cargo.toml");
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in fuzz/README.md");
        assert!(fuzz::TARGETS.iter().any(|(target, _)| *target == name), "{name} is not in fuzz/src/lib.rs");
        known += 1;
    }
    assert_eq!(known, fuzz::TARGETS.len());
}
