//! What is read of the program's own file when it is in no cache.

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
    if !begins_by_asking(&fs::read(&program).unwrap()) {
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
        assert!((500..2500).contains(&read), "{blanks}: {read} KiB of {}", file.metadata().unwrap().len() / 1024);
    }
}

/// Whether an ELF file of 64 bits begins (`e_entry`) with what `src/entry.rs` begins with, `mov r8, rdx` and `lea rdi, [rip + …]`.
/// Where it begins would not tell: GNU's linker puts the C library's beginning among the first pages too.
fn begins_by_asking(file: &[u8]) -> bool {
    let number = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let (table, entry) = (usize::try_from(number(32)).unwrap(), number(24));
    let segments = (0..usize::from(file[56])).map(|index| table + index * 56);
    // Of each that is loaded: where it lies in memory, and how much of it is in the file.
    let mut loaded = segments.filter(|at| file[*at..*at + 4] == [1, 0, 0, 0]);
    let segment = loaded.find(|at| (number(at + 16)..number(at + 16) + number(at + 32)).contains(&entry)).unwrap();
    let begins = usize::try_from(entry - number(segment + 16) + number(segment + 8)).unwrap();
    file[begins..].starts_with(&[0x49, 0x89, 0xd0, 0x48, 0x8d, 0x3d])
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
