//! What every target stands on: text out of bytes, a folder to work in, and a limit on the time that an input takes.

use std::path::PathBuf;
use std::time::Duration;

/// As much of the bytes as is text.
pub fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// The first byte, and the rest.
pub fn first(bytes: &[u8]) -> (u8, &[u8]) {
    bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest))
}

/// The parts of a text between lines that hold nothing but `%%`, so many of them; those that are not there are empty.
pub fn parts<const COUNT: usize>(text: &str) -> [&str; COUNT] {
    let mut parts = text.splitn(COUNT, "\n%%\n");
    [(); COUNT].map(|()| parts.next().unwrap_or_default())
}

/// The processor time that this thread has used.
fn used() -> Duration {
    // SAFETY: clock_gettime gets a pointer to a structure on this stack, and fills it in.
    let spent = unsafe {
        let mut spent: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut spent);
        spent
    };
    Duration::new(spent.tv_sec.try_into().unwrap_or_default(), spent.tv_nsec.try_into().unwrap_or_default())
}

/// Fails where an input takes longer than that: a short text that takes long would take minutes at its longest. Processor
/// time of this thread, so that a machine that is busy makes no finding; and only when it is fuzzed, since a test's
/// unoptimised build is no measure.
pub fn within<T>(seconds: u64, run: impl FnOnce() -> T) -> T {
    let begun = used();
    let done = run();
    let took = used().saturating_sub(begun);
    let is_fuzzed = env!("CARGO_PKG_NAME") != "zerto-guard";
    assert!(!is_fuzzed || took < Duration::from_secs(seconds), "it took {took:?}");
    done
}

/// A folder of this process alone, in memory where there is such a disk: what is synced there costs nothing. It has to outlive
/// what is never dropped, so those of processes that are gone are taken away by the next one.
pub fn folder() -> PathBuf {
    const NAME: &str = "zerto-guard-fuzz-";
    let memory = PathBuf::from("/dev/shm");
    let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
    for entry in std::fs::read_dir(&base).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(NAME).and_then(|rest| rest.split('-').next());
        if process.is_some_and(|process| !std::path::Path::new("/proc").join(process).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    tempfile::Builder::new().prefix(&format!("{NAME}{}-", std::process::id())).tempdir_in(base).unwrap().keep()
}
