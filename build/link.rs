//! How the program is linked on Linux with the GNU C library: statically, at a fixed address.
//!
//! - Statically, since it is started at every call of an agent: loading the C library and looking up its functions takes
//!   twice as long as all that a call needs which only reads. Nor can a project's settings preload a library into it, and
//!   it runs in a container that has another C library or none.
//! - At a fixed address, since its tables hold some 24,000 pointers: in a program that can lie anywhere each of them has to
//!   be mended at every start. What is given up is that the program's own code lies elsewhere each time; stack, heap and
//!   what is mapped still do.
//!
//! The usual way to the first is the flag `-C target-feature=+crt-static`. A package can't set it for itself: in the
//! settings of a folder it reaches procedural macros too, which can't be built so, unless a target is named, and then the
//! program lies in another folder; and it can't be set for one profile. What the flag changes is which file each library of
//! the system is taken from. Saying that to the linker directly works for every way to build, and where those files are
//! absent the program is linked as usual.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What the standard library asks the linker for by name, as `libNAME.so`.
const LIBRARIES: [&str; 7] = ["c", "m", "rt", "pthread", "util", "dl", "gcc_s"];

/// How the program is linked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    /// As it would be without this.
    Usually,
    Dynamically,
    Statically,
}

/// Writes the linker's arguments for cargo.
pub fn say_how() -> Linked {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let is_static = env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|features| features.contains("crt-static"));
    println!("cargo::rerun-if-env-changed=ZERTO_GUARD_LINK");
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") || is_static {
        return Linked::Usually;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    if is("ZERTO_GUARD_LINK", "dynamic") {
        return Linked::Dynamically;
    }
    // Only for this machine itself: another one's libraries are wherever its compiler is told to look.
    let folder = if env::var_os("HOST") == env::var_os("TARGET") { static_libraries() } else { None };
    let Some(folder) = folder else {
        println!(
            "cargo::warning=linked dynamically, since there is no static C library for this target here (libc.a; Fedora and \
             its like have it in the package glibc-static)"
        );
        return Linked::Dynamically;
    };
    println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
    println!("cargo::rustc-link-arg-bins=-static");
    Linked::Statically
}

/// A folder in which each of the libraries is found under its usual name and stands for the static one.
fn static_libraries() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("OUT_DIR")?).join("static");
    fs::create_dir_all(&folder).ok()?;
    // They use each other, so the linker has to look through all of them until nothing is missing.
    let base = format!("GROUP ( {} {} {} )\n", found("libgcc_eh.a")?, found("libgcc.a")?, found("libc.a")?);
    for name in LIBRARIES {
        let text = match name {
            "c" | "gcc_s" => base.clone(),
            // Newer C libraries hold some of them in libc.a alone.
            _ => found(&format!("lib{name}.a")).map(|file| format!("INPUT ( {file} )\n")).unwrap_or_default(),
        };
        fs::write(folder.join(format!("lib{name}.so")), text).ok()?;
    }
    Some(folder)
}

/// Where the compiler that links has a file; none if it has not.
fn found(file: &str) -> Option<String> {
    let compiler = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let output = Command::new(compiler).arg(format!("-print-file-name={file}")).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    // It says the name as it is where there is no such file.
    (output.status.success() && Path::new(&path).is_file() && !path.contains(' ')).then_some(path)
}
