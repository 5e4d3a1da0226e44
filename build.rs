//! Brings `catalog.toml` into the form in which it is searched, so that no start has to parse it.

#![allow(clippy::panic, clippy::expect_used, reason = "a build that cannot go on has to stop, with the reason")]
#![allow(dead_code, missing_docs, reason = "these modules are the library's; the build uses a part of them")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

#[path = "build/link.rs"]
mod link;

#[path = "src/document.rs"]
mod document;

#[path = "src/catalog"]
mod catalog {
    pub mod glob;
    pub mod model;
    pub mod parse;
    pub mod prepared;
}

fn main() {
    for file in ["catalog.toml", "build.rs", "build", "src/document.rs", "src/document", "src/catalog"] {
        println!("cargo::rerun-if-changed={file}");
    }
    link::say_how();
    let text = fs::read_to_string("catalog.toml").expect("catalog.toml is beside Cargo.toml");
    let prepared = catalog::parse::parse(&text).unwrap_or_else(|mistake| panic!("catalog.toml, {mistake}"));
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let folder = Path::new(&folder);
    fs::write(folder.join("built_in.txt"), prepared.text.as_bytes()).expect("OUT_DIR can be written");
    let mut code = String::from(
        "Prepared {\n    text: std::borrow::Cow::Borrowed(include_str!(concat!(env!(\"OUT_DIR\"), \"/built_in.txt\"))),\n",
    );
    for (name, list) in [("servers", &prepared.servers), ("globs", &prepared.globs), ("programs", &prepared.programs)] {
        writeln!(code, "    {name}: std::borrow::Cow::Borrowed(&{list:?}),").expect("a String takes all text");
    }
    code.push('}');
    fs::write(folder.join("built_in.rs"), code).expect("OUT_DIR can be written");
}
