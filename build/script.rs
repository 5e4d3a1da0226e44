//! The linker's script that puts side by side what a call usually touches (`called.txt`).
//!
//! That is a twentieth of the program, and each page that is touched for the first time costs as much as thousands of
//! instructions. It is a matter of speed alone: a name that is no longer there is passed over, and without the list the program
//! is the same.

use super::link::Linked;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What the script is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Linker {
    Gnus,
    Llvms,
}

/// Writes the linker's arguments for cargo, for a program that is linked in a way of its own.
pub fn say_which(linked: Linked) {
    println!("cargo::rustc-check-cfg=cfg(own_entry)");
    if linked == Linked::Usually {
        return;
    }
    if let Some((script, linker)) = side_by_side() {
        // An argument of its own, since `-Wl` parts at each comma that a folder's name may hold.
        for argument in ["-Xlinker", "-T", "-Xlinker"] {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
        println!("cargo::rustc-link-arg-bins={}", script.display());
        // Linked dynamically, most of it has been read when the program begins.
        let is_x86 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
        if linked == Linked::Statically && linker == Linker::Llvms && is_x86 {
            println!("cargo::rustc-cfg=own_entry");
            println!("cargo::rustc-link-arg-bins=-Wl,-e,zerto_guard_entry");
        }
    }
    // What lies where, for benches/called.
    println!("cargo::rerun-if-env-changed=ZERTO_GUARD_MAP");
    if let Some(map) = env::var_os("ZERTO_GUARD_MAP") {
        println!("cargo::rustc-link-arg-bins=-Wl,-Map={}", map.display());
    }
}

/// The linker's script, which adds some sections to the usual ones: with what `called.txt` lists, and with the rest of the code; none
/// where it would gain nothing or the linker may not know it.
fn side_by_side() -> Option<(PathBuf, Linker)> {
    let optimised = env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    // Somebody's word may mean any linker, or that `.got.plt` is not among what is made read-only when the program begins: LLVM's
    // refuses to put beside it what is.
    let chosen = env::var_os("RUSTC_LINKER").is_some()
        || env::var("CARGO_ENCODED_RUSTFLAGS")
            .is_ok_and(|flags| ["link", "relro"].iter().any(|word| flags.contains(word)));
    // Of others it is not known whether they have all the sections beside which the script puts its own (`.fini`).
    let arch = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| ["x86_64", "aarch64"].contains(&arch.as_str()));
    if !optimised || chosen || !arch {
        return None;
    }
    let linker = linker()?;
    let called = fs::read_to_string("build/called.txt").ok()?;
    let script = PathBuf::from(env::var_os("OUT_DIR")?).join("called.ld");
    // What every call touches that writes a file, and what others touch besides.
    let (each, others) = called.split_once("\n\n").unwrap_or((&called, ""));
    fs::write(&script, text(each, others, linker)).ok()?;
    Some((script, linker))
}

fn text(each: &str, others: &str, linker: Linker) -> String {
    let (code, alike) = patterns(each, ".text");
    let (code_of_others, alike_of_others) = patterns(others, ".text");
    let (constants, constants_of_others) = (patterns(each, ".rodata").0, patterns(others, ".rodata").0);
    let pointers = patterns(each, ".data.rel.ro").0 + &patterns(others, ".data.rel.ro").0;
    // Which section something belongs to is decided by the first line that fits it, where a section lies by the line at its end.
    match linker {
        Linker::Gnus => format!(
            "SECTIONS {{ .text.called : {{\n{code}{alike}}} }} INSERT AFTER .fini;\n\
             SECTIONS {{ .text.others : {{\n{code_of_others}}} }} INSERT BEFORE .rodata;\n\
             SECTIONS {{ .text.rest : {{\n{alike_of_others}*(.text .text.*)\n}} }} INSERT BEFORE .text.others;\n\
             SECTIONS {{ .rodata.called : {{\n{constants}{constants_of_others}}} }} INSERT AFTER .rodata;\n\
             SECTIONS {{ .gcc_except_table : {{ *(.gcc_except_table .gcc_except_table.*) }} }} INSERT BEFORE .text.rest;\n"
        ),
        // Code, constants, data: what is called of the first two in one piece, so that the program can ask for it when it begins
        // (`src/entry.rs`), and all code on one side of the table for unwinding, since this linker sorts it as if none lay on the
        // other, and then next to nothing is found there. The data end with whole pages: of one that is only in part the file's
        // the kernel clears the rest before the program begins, and reads what lies around it.
        Linker::Llvms => format!(
            "SECTIONS {{ .text.called : {{ zerto_guard_code = .;\n{code}{alike}}} }} INSERT AFTER .fini;\n\
             SECTIONS {{ .text.others : {{\n{code_of_others}}} }} INSERT BEFORE .init;\n\
             SECTIONS {{ .text.rest : {{\n{alike_of_others}*(.text .text.*)\n}} }} INSERT BEFORE .text.others;\n\
             SECTIONS {{ .entry : {{ *(.entry) }} }} INSERT BEFORE .text.rest;\n\
             SECTIONS {{ .rodata.called : {{ zerto_guard_constants = .;\n{constants}*(.rodata.cst* .rodata.str*)\n\
             zerto_guard_constants_end = .;\n{constants_of_others}}} }} INSERT BEFORE .tdata;\n\
             SECTIONS {{ .rodata : {{ *(.rodata .rodata.*) }} }} INSERT AFTER .rodata.called;\n\
             SECTIONS {{ .gcc_except_table : {{ *(.gcc_except_table .gcc_except_table.*) }} }} INSERT AFTER .rodata;\n\
             SECTIONS {{ .eh_frame : {{ KEEP(*(.eh_frame)) }} }} INSERT AFTER .gcc_except_table;\n\
             SECTIONS {{ .eh_frame_hdr : {{ *(.eh_frame_hdr) }} }} INSERT AFTER .gcc_except_table;\n\
             zerto_guard_data = ADDR(.tdata);\n\
             SECTIONS {{ .data.rel.ro : {{\n{pointers}*(.data.rel.ro .data.rel.ro.*)\n\
             . = ALIGN(CONSTANT(MAXPAGESIZE)); }} }} INSERT AFTER .got.plt;\n\
             SECTIONS {{ .data.end : {{ BYTE(0) . = ALIGN(CONSTANT(MAXPAGESIZE)); zerto_guard_end = .; }} }} INSERT BEFORE .bss;\n"
        ),
    }
}

/// The list's sections of a kind as the linker's script names them, and those that differ from them in their hash alone: other
/// functions of the same name or, with another toolchain or other features of a crate, the same ones.
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

/// Which linker the compiler will use; none where it is another one (gold and mold don't know such a script). The compiler
/// brings LLVM's for some targets, and says so in the line with which it links; otherwise it is what `cc` has for its own.
fn linker() -> Option<Linker> {
    let empty = Path::new(&env::var_os("OUT_DIR")?).join("empty.rs");
    fs::write(&empty, "fn main() {}\n").ok()?;
    let said = |command: &mut Command| {
        let output = command.output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let line = said(Command::new(env::var_os("RUSTC")?).args(["--print", "link-args", "--target"]).args([
        env::var_os("TARGET")?,
        "-o".into(),
        empty.with_extension("out").into(),
        empty.into(),
    ]))?;
    if line.contains("-fuse-ld=lld") {
        return Some(Linker::Llvms);
    }
    let version = said(Command::new("cc").arg("-Wl,--version"))?;
    let is_llvms = version.contains("LLD");
    (is_llvms || version.starts_with("GNU ld")).then_some(if is_llvms { Linker::Llvms } else { Linker::Gnus })
}
