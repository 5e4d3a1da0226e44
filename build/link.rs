//! How the program is linked on Linux with the GNU C library: statically, at a fixed address, what is usually called together.
//!
//! - Statically, since it is started at every call of an agent: loading the C library and looking up its functions takes
//!   twice as long as all that a call needs which only reads. Nor can a project's settings preload a library into it, and
//!   it runs in a container that has another C library or none.
//! - At a fixed address, since its tables hold some 24,000 pointers: in a program that can lie anywhere each of them has to
//!   be mended at every start. What is given up is that the program's own code lies elsewhere each time; stack, heap and
//!   what is mapped still do.
//! - What a call usually touches (`called.txt`) side by side, since it is a twentieth of the program, and each page that is touched
//!   for the first time costs as much as thousands of instructions. All else that can be run lies before it in the file: the end
//!   of a file is where the system begins to read a program, and from there it reads backwards too. It is a matter of speed alone:
//!   a name that is no longer there is passed over, and without the list the program is the same.
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

/// Writes the linker's arguments for cargo.
pub fn say_how() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let is_static = env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|features| features.contains("crt-static"));
    println!("cargo::rerun-if-env-changed=ZERTO_GUARD_LINK");
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") || is_static {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    if let Some(script) = side_by_side() {
        // An argument of its own, since `-Wl` parts at each comma that a folder's name may hold.
        for argument in ["-Xlinker", "-T", "-Xlinker"] {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
        println!("cargo::rustc-link-arg-bins={}", script.display());
    }
    // What lies where, for benches/called.
    println!("cargo::rerun-if-env-changed=ZERTO_GUARD_MAP");
    if let Some(map) = env::var_os("ZERTO_GUARD_MAP") {
        println!("cargo::rustc-link-arg-bins=-Wl,-Map={}", map.display());
    }
    if is("ZERTO_GUARD_LINK", "dynamic") {
        return;
    }
    // Only for this machine itself: another one's libraries are wherever its compiler is told to look.
    let folder = if env::var_os("HOST") == env::var_os("TARGET") { static_libraries() } else { None };
    match folder {
        Some(folder) => {
            println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
            println!("cargo::rustc-link-arg-bins=-static");
        }
        None => println!(
            "cargo::warning=linked dynamically, since there is no static C library for this target here (libc.a; Fedora and \
             its like have it in the package glibc-static)"
        ),
    }
}

/// A linker's script that adds some sections to the usual ones, with what `called.txt` lists and with the rest of the code; none
/// where it would gain nothing or the linker may not know it.
fn side_by_side() -> Option<PathBuf> {
    let optimised = env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    // Somebody's word may mean any linker.
    let chosen = env::var_os("RUSTC_LINKER").is_some()
        || env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("link"));
    // Of others it is not known whether they have all the sections beside which the script puts its own (`.fini`).
    let arch = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| ["x86_64", "aarch64"].contains(&arch.as_str()));
    if !optimised || chosen || !arch || !is_gnus_or_llvms() {
        return None;
    }
    let called = fs::read_to_string("build/called.txt").ok()?;
    let script = PathBuf::from(env::var_os("OUT_DIR")?).join("called.ld");
    // What every call touches that writes a file, and what others touch besides.
    let (each, others) = called.split_once("\n\n").unwrap_or((&called, ""));
    let (code, alike) = patterns(each, ".text");
    let (code_of_others, alike_of_others) = patterns(others, ".text");
    let constants = patterns(each, ".rodata").0 + &patterns(others, ".rodata").0;
    // Which section something belongs to is decided by the first line that fits it, where a section lies by the line at its end.
    let text = format!(
        "SECTIONS {{ .text.called : {{\n{code}}} }} INSERT AFTER .fini;\n\
         SECTIONS {{ .rodata.called : {{\n{constants}}} }} INSERT AFTER .rodata;\n\
         SECTIONS {{ .text.others : {{\n{code_of_others}}} }} INSERT BEFORE .rodata;\n\
         SECTIONS {{ .text.rest : {{\n{alike}{alike_of_others}*(.text .text.*)\n}} }} INSERT BEFORE .text.others;\n\
         SECTIONS {{ .gcc_except_table : {{ *(.gcc_except_table .gcc_except_table.*) }} }} INSERT BEFORE .text.rest;\n"
    );
    fs::write(&script, text).ok()?;
    Some(script)
}

/// The list's sections of a kind as the linker's script names them, and those that differ from them in their hash alone: other
/// functions of the same name or, with another toolchain, the same ones.
fn patterns(called: &str, kind: &str) -> (String, String) {
    // A comment, or a line that was damaged and would break the script, is no name.
    let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "_.$*:+-".contains(c));
    let (mut exact, mut alike) = (String::new(), String::new());
    for line in called.lines() {
        let words: Vec<&str> = line.split(' ').filter(is_name).collect();
        let (file, section) = match words.as_slice() {
            [section] => (String::new(), *section),
            [file, section] => ((*file).to_owned(), *section),
            _ => continue,
        };
        if section.starts_with(kind) {
            exact += &format!("*{file}({section})\n");
            if let Some((name, _)) = section.rsplit_once("17h") {
                alike += &format!("*{file}({name}17h*)\n");
            }
        }
    }
    (exact, alike)
}

/// Whether the compiler that links has GNU's linker or LLVM's for its own, which know such a script; gold and mold don't.
fn is_gnus_or_llvms() -> bool {
    let said = Command::new("cc").arg("-Wl,--version").output().ok().map(|output| output.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    said.starts_with("GNU ld") || said.contains("LLD")
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
