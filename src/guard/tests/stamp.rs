use super::*;
use std::os::unix::fs::PermissionsExt;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

fn make(state: &StateDir, change: &str, now: Timestamp) -> String {
    let draft = Draft::new("a", "b", &["c"], change);
    unique(&draft, state, &|| now, Deadline::after(Duration::from_secs(20))).unwrap()
}

fn folder() -> (tempfile::TempDir, StateDir) {
    let outer = tempfile::tempdir().unwrap();
    let state = StateDir::at(outer.path().join("s"));
    (outer, state)
}

#[test]
fn the_stamp_is_now() {
    let (_outer, state) = folder();
    assert_eq!(make(&state, "x", at(0)), "ai:a | b | vm=c | change=x | 20270115T080000Z");
}

#[test]
fn the_same_tag_waits_for_the_next_second_and_another_does_not() {
    let (_outer, state) = folder();
    let half = at(0) + jiff::SignedDuration::from_millis(700);
    assert!(make(&state, "x", half).ends_with("080000Z"));
    let begun = std::time::Instant::now();
    assert!(make(&state, "y", half).ends_with("080000Z"));
    assert!(begun.elapsed() < Duration::from_millis(250));
    assert!(make(&state, "x", half).ends_with("080001Z"));
    assert!(begun.elapsed() >= Duration::from_millis(300));
}

#[test]
fn a_clock_put_back_repeats_nothing_and_waits_for_nothing() {
    let (_outer, state) = folder();
    let begun = std::time::Instant::now();
    let tags = [make(&state, "x", at(9000)), make(&state, "x", at(0)), make(&state, "x", at(0))];
    assert!(tags[0].ends_with("103000Z") && tags[1].ends_with("103001Z") && tags[2].ends_with("103002Z"));
    assert!(begun.elapsed() < Duration::from_millis(900));
}

#[test]
fn a_file_that_means_nothing_costs_a_second() {
    let (_outer, state) = folder();
    let path = state.folder("tags").unwrap().join("last");
    for broken in [&b"nonsense"[..], b"floor x\n", b"floor 1\nabc\n", b"\xff", b""] {
        write_private(&path, broken).unwrap();
        assert!(make(&state, "x", at(0)).ends_with("080001Z"));
    }
    write_private(&path, b"floor 0\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    assert!(make(&state, "x", at(0)).ends_with("080001Z"), "others could have written it");
}

#[test]
fn what_was_forgotten_is_not_repeated_either() {
    let mut memory = Memory::default();
    let mut made = std::collections::BTreeSet::new();
    for round in 0..3 {
        for n in 0..KEPT + 50 {
            let second = memory.next(format!("{n}"), 1000);
            assert!(made.insert((n, second)), "{round} {n} {second}");
            assert!(memory.last.len() <= KEPT);
        }
    }
    assert_eq!(Memory::parse(memory.text().as_bytes()), Some(memory));
}

#[test]
fn the_file_stays_readable() {
    let mut memory = Memory { floor: i64::MAX - 1, last: BTreeMap::new() };
    for n in 0..KEPT * 2 {
        memory.next(format!("{n:032}"), 253_402_128_000);
    }
    assert!((memory.text().len() as u64) < LONGEST_FILE);
}

#[test]
fn many_at_once_make_different_tags() {
    let (_outer, state) = folder();
    let tags: std::collections::BTreeSet<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| make(&state, "x", at(0)))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(tags.len(), 4);
}

#[test]
fn a_state_folder_that_cannot_be_used_is_an_error() {
    let outer = tempfile::tempdir().unwrap();
    let file = outer.path().join("file");
    std::fs::write(&file, "").unwrap();
    let draft = Draft::new("a", "b", &["c"], "d");
    let error = unique(&draft, &StateDir::at(file), &|| at(0), Deadline::after(Duration::from_secs(1)));
    assert!(matches!(error, Err(GuardError::State(_))));
}
