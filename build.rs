//! Brings `catalog.toml` into the form in which it is searched, so that no start has to parse it.

#![allow(clippy::panic, clippy::expect_used, reason = "a build that cannot go on has to stop, with the reason")]
#![allow(dead_code, missing_docs, reason = "these modules are the library's; the build uses a part of them")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

#[path = "build/link.rs"]
mod link;

#[path = "build/script.rs"]
mod script;

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
    script::say_which(link::say_how());
    let text = fs::read_to_string("catalog.toml").expect("catalog.toml is beside Cargo.toml");
    let prepared = catalog::parse::parse(&text).unwrap_or_else(|mistake| panic!("catalog.toml, {mistake}"));
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let folder = Path::new(&folder);
    fs::write(folder.join("built_in.txt"), prepared.text.as_bytes()).expect("OUT_DIR can be written");
    let mut code = String::from(
        "pub static BUILT_IN: Prepared = Prepared {\n    \
         text: Cow::Borrowed(include_str!(concat!(env!(\"OUT_DIR\"), \"/built_in.txt\"))),\n    \
         servers: Cow::Borrowed(&SERVERS),\n    globs: Cow::Borrowed(&GLOBS),\n    programs: Cow::Borrowed(&PROGRAMS),\n};\n",
    );
    // With names of their own, by which the linker can put them where the rest is that each call reads (script.rs).
    for (name, list) in [("SERVERS", &prepared.servers), ("GLOBS", &prepared.globs), ("PROGRAMS", &prepared.programs)] {
        writeln!(code, "static {name}: [Place; {}] = {list:?};", list.len()).expect("a String takes all text");
    }
    fs::write(folder.join("built_in.rs"), code).expect("OUT_DIR can be written");
}
