//! Where the program begins: before the C library has run, it asks the kernel for what a call usually touches, in one piece.
//!
//! Of a program that is not in the page cache the kernel reads, at each page that is missing, what lies around it: as much as the
//! disk's read-ahead says, which is megabytes on some, and mostly what no call needs; or, where it is little, a piece at a time.
//! What a call needs lies side by side (`build/script.rs`), so that it can be named.
//!
//! All this has to be done by what the kernel read already: the first page of the file, when it was told to run it. It is
//! nothing but a hint to the kernel. Whatever comes of it, the C library's own beginning is next, and it finds what it would
//! have found: its arguments on the stack, and in `rdx` what is to be called at the end.

use std::arch::global_asm;

global_asm!(
    ".pushsection .entry, \"ax\", @progbits",
    ".globl zerto_guard_entry",
    ".type zerto_guard_entry, @function",
    "zerto_guard_entry:",
    "mov r8, rdx", // a call to the kernel changes rax, rcx and r11 alone
    // Of constants (what a call needs, the rest, tables for unwinding, of which a start reads a word) and data each page is read
    // by itself. These are whole segments: of less the kernel would make two.
    "lea rdi, [rip + zerto_guard_constants]",
    "lea rsi, [rip + zerto_guard_end]",
    "mov edx, {random}",
    "call 2f",
    // The first page is missing?
    "cmp byte ptr [rip + zerto_guard_constants], 0",
    "sub rsp, {rusage}",
    "mov edi, {myself}",
    "mov rsi, rsp",
    "mov eax, {getrusage}",
    "syscall",
    "mov rax, [rsp + {faults}]",
    "add rsp, {rusage}",
    "test rax, rax",
    "jz 3f",
    // Then the rest will be too. To ask for what is there costs some 70 µs, as where this process missed a page of what it ran before.
    "mov edx, {needed}",
    "lea rdi, [rip + zerto_guard_code]",
    "lea rsi, [rip + zerto_guard_constants_end]",
    "call 2f",
    "lea rdi, [rip + zerto_guard_data]",
    "lea rsi, [rip + zerto_guard_end]",
    "call 2f",
    "3:",
    "mov rdx, r8",
    "jmp _start",
    // Tells the kernel about the pages from rdi to rsi.
    "2:",
    "and rdi, -4096",
    "sub rsi, rdi",
    "mov eax, {madvise}",
    "syscall",
    "ret",
    ".size zerto_guard_entry, . - zerto_guard_entry",
    ".popsection",
    madvise = const libc::SYS_madvise,
    random = const libc::MADV_RANDOM,
    needed = const libc::MADV_WILLNEED,
    getrusage = const libc::SYS_getrusage,
    myself = const libc::RUSAGE_SELF,
    rusage = const size_of::<libc::rusage>(),
    faults = const std::mem::offset_of!(libc::rusage, ru_majflt),
);
