use super::*;
use serde_json::{Value, json};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::fs::PermissionsExt as _;

fn state() -> (tempfile::TempDir, StateDir) {
    let folder = tempfile::tempdir().unwrap();
    let state = StateDir::at(folder.path().join("state"));
    (folder, state)
}

fn numbers(state: &StateDir) -> Vec<i64> {
    read::<Value>(state).unwrap().lines.iter().map(|line| line["n"].as_i64().unwrap()).collect()
}

#[test]
fn lines_come_back_in_their_order_and_nobody_else_can_read_them() {
    let (_folder, state) = state();
    assert_eq!(read::<Value>(&state).unwrap(), Contents { lines: vec![], odd: 0, unread: vec![] });
    assert!(!state.path().exists(), "looking makes nothing");
    for n in 0..3 {
        append(&state, &json!({"n": n})).unwrap();
    }
    assert_eq!(numbers(&state), [0, 1, 2]);
    let path = state.path().join("audit.jsonl");
    assert_eq!(path.metadata().unwrap().mode() & 0o7777, 0o600);
    assert_eq!(fs::read_to_string(path).unwrap(), "{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n");
}

#[test]
fn half_a_line_spoils_no_other() {
    let (_folder, state) = state();
    append(&state, &json!({"n": 0})).unwrap();
    let path = state.path().join("audit.jsonl");
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"n\":1,\"cut").unwrap();
    append(&state, &json!({"n": 2})).unwrap();
    file.write_all(b"\n\n\0\0\0\n\xff\xfe\n[]\n  \n").unwrap();
    append(&state, &json!({"n": 3})).unwrap();
    #[derive(serde::Deserialize)]
    struct Line {
        n: i64,
    }
    let found = read::<Line>(&state).unwrap();
    assert_eq!(found.lines.iter().map(|line| line.n).collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(found.odd, 4, "the half one, NULs after a crash, no UTF-8, and one of another kind");
}

#[test]
fn a_full_file_is_put_aside_and_the_oldest_goes() {
    let (_folder, state) = state();
    let pad = "x".repeat(usize::try_from(FULL / 2).unwrap());
    let mut n = 0;
    let mut more = |times: usize| {
        for _ in 0..times {
            append(&state, &json!({"n": n, "pad": pad})).unwrap();
            n += 1;
        }
    };
    more(2);
    assert_eq!(fs::read_dir(state.path()).unwrap().count(), 2, "the log, and the locks");
    more(1);
    assert!(state.path().join("audit.1.jsonl").exists());
    assert_eq!(numbers(&state), [0, 1, 2]);
    more(2 * FILES);
    let kept = numbers(&state);
    assert_eq!(kept.last(), Some(&(2 * FILES as i64 + 2)));
    assert_eq!(kept.len(), 2 * FILES - 1, "eight files, the last half full: {kept:?}");
    assert!(kept.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{kept:?}");
    let files: Vec<_> = fs::read_dir(state.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), FILES + 1, "{files:?}");
    // What a rotation that broke off has left.
    fs::remove_file(state.path().join("audit.3.jsonl")).unwrap();
    more(2);
    assert_eq!(numbers(&state).len(), 2 * FILES - 1 - 2 + 2, "nothing goes for it");
}

#[test]
fn what_could_be_somebody_elses_is_neither_written_nor_read() {
    let (folder, state) = state();
    append(&state, &json!({"n": 0})).unwrap();
    let path = state.path().join("audit.jsonl");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let error = append(&state, &json!({"n": 1})).unwrap_err().to_string();
    assert!(error.contains("open to others (mode 0644; it has to be 0600)"), "{error}");
    let found = read::<Value>(&state).unwrap();
    assert_eq!((found.lines.len(), found.unread.len()), (0, 1), "{found:?}");
    fs::remove_file(&path).unwrap();
    let target = folder.path().join("target");
    std::os::unix::fs::symlink(&target, &path).unwrap();
    assert!(append(&state, &json!({"n": 1})).is_err());
    assert!(!target.exists());
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(append(&state, &json!({"n": 1})).is_err());
    assert_eq!(read::<Value>(&state).unwrap().unread.len(), 1);
}

#[test]
fn many_at_once_lose_nothing_and_one_that_hangs_with_the_lock_holds_nobody_up() {
    let (_folder, state) = state();
    std::thread::scope(|scope| {
        for n in 0..32 {
            let state = &state;
            scope.spawn(move || append(state, &json!({"n": n})).unwrap());
        }
    });
    let held = state.lock(LOCK, Deadline::after(Duration::from_secs(20))).unwrap();
    append(&state, &json!({"n": 32})).unwrap();
    let mut all = numbers(&state);
    drop(held);
    all.sort_unstable();
    assert_eq!(all, (0..=32).collect::<Vec<_>>());
}
