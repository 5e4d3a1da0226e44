//! Writes the seeds of each target to `seeds/<target>`, so that a run needs nothing but its command.

#[path = "src/seeds.rs"]
mod seeds;

use std::path::Path;

fn main() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.parent().unwrap_or(here);
    for path in ["src/seeds.rs", "src/seeds", "fuzz_targets", "../tests/hook-stdin", "../tests/shell-scripts", "../tests/fixtures", "../catalog.toml"] {
        println!("cargo::rerun-if-changed={}", here.join(path).display());
    }
    for entry in std::fs::read_dir(here.join("fuzz_targets")).into_iter().flatten().flatten() {
        let path = entry.path();
        let Some(target) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        let folder = here.join("seeds").join(target);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (number, seed) in seeds::of(target, root).iter().enumerate() {
            std::fs::write(folder.join(format!("{number:03}")), seed).unwrap();
        }
    }
}
