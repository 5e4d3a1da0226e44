//! What is read of the program's own file when it is in no cache.

use crate::elf;
use crate::env::Env;
use serde_json::json;
use std::fs;
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::process::{Command, Stdio};

/// Where the program begins by asking for what it needs (`src/entry.rs`), a start reads that and a few pages more, whatever the disk's
/// read-ahead is, and so a program that is many times as large.
#[test]
fn of_a_program_that_is_in_no_cache_a_call_reads_a_part() {
    let env = Env::new();
    // Other tests run the program itself, and what is mapped stays. The system's folder for what is passing may be memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = folder.path().join("zerto-guard");
    assert!(Command::new("cp").args([&Env::binary(), &program]).status().unwrap().success());
    let file = fs::File::open(&program).unwrap();
    // `mov r8, rdx` and `lea rdi, [rip + …]`. The C library's own beginning is another.
    if !elf::beginning(&fs::read(&program).unwrap()).starts_with(&[0x49, 0x89, 0xd0, 0x48, 0x8d, 0x3d]) {
        return eprintln!("NOT LOOKED AT: this build begins as the C library does");
    }
    file.sync_all().unwrap();
    let call = env.call("Write", json!({"file_path": env.path("a"), "content": "x"}));
    // A text that ends with the call's last bytes is read by other code than others.
    for blanks in [0, 8] {
        let before = kib_in_the_page_cache(&file, true);
        if before > 0 {
            return eprintln!(
                "NOT LOOKED AT: {before} KiB of a file stay in this file system's page cache, whatever is asked"
            );
        }
        let mut hook = Command::new(&program)
            .arg("hook")
            .env_clear()
            .env("HOME", env.home())
            .current_dir(env.project())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        hook.stdin.take().unwrap().write_all((call.clone() + &" ".repeat(blanks)).as_bytes()).unwrap();
        assert!(hook.wait().unwrap().success());
        let read = kib_in_the_page_cache(&file, false);
        assert!(
            (500..2500).contains(&read),
            "{blanks}: {read} KiB of {} were read. Is build/called.txt old? benches/called makes it anew.",
            file.metadata().unwrap().len() / 1024
        );
    }
}

/// How much of a file is in the page cache, after it was asked to be sent away or as it is.
fn kib_in_the_page_cache(file: &fs::File, send_away: bool) -> usize {
    let length = usize::try_from(file.metadata().unwrap().len()).unwrap();
    let mut pages = vec![0_u8; length.div_ceil(4096)];
    // SAFETY: the file is open; the mapping is as long as the file, is only asked about, and is taken down again; the list has
    // one byte for each of its pages.
    unsafe {
        if send_away {
            libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED);
        }
        let at = libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
        assert!(at != libc::MAP_FAILED);
        assert_eq!(libc::mincore(at, length, pages.as_mut_ptr()), 0);
        libc::munmap(at, length);
    }
    pages.iter().filter(|page| **page & 1 == 1).count() * 4
}
