//! Whether what has to be undone at a panic is found in the program as it was linked.

use crate::elf;
use crate::env::Env;
use std::fs;

/// The table (`.eh_frame_hdr`) is searched by halves, in the order of numbers with a sign: where code lies from the table. LLVM's
/// linker puts them in the order of numbers without one, which is the same only where all code lies on one side of the table.
/// Where the C library does not look there (linked statically, the whole is registered as the program begins), tools do.
#[test]
fn the_table_for_unwinding_is_in_the_order_in_which_it_is_searched() {
    let file = fs::read(Env::binary()).unwrap();
    let segment = elf::segments(&file).find(|segment| segment.kind == elf::UNWINDING).unwrap();
    let table = &file[segment.offset..][..segment.size];
    // Version 1; pairs of four bytes, with a sign, from where the table begins.
    assert_eq!((table[0], table[2], table[3]), (1, 0x03, 0x3b));
    let starts: Vec<i32> =
        table[12..].chunks_exact(8).map(|pair| i32::from_le_bytes(pair[..4].try_into().unwrap())).collect();
    assert!(starts.len() > 1000, "{}", starts.len());
    assert!(starts.is_sorted());
}
