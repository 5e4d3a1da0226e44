//! What is kept in the state folder, damaged: tokens, tags, locks, questions and their answers, a pause, the audit log.

use super::{End, Job, Kind, World, mode, side_by_side};
use crate::faults::{Row, page};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Instant;
use zerto_guard::state::pause::Pause;
use zerto_guard::state::{StateDir, installed};

type Damage = (&'static str, fn(&World, &Path));

/// What may have become of a file, which is there.
const DAMAGES: [Damage; 9] = [
    ("empty", |_, file| fs::write(file, "").unwrap()),
    ("garbage", |_, file| fs::write(file, b"\0\xff{\"\n\n").unwrap()),
    ("half of it", |_, file| {
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("JSON of another kind", |_, file| fs::write(file, "[42]").unwrap()),
    ("1 MiB of it", |_, file| fs::write(file, vec![b'1'; 1 << 20]).unwrap()),
    ("a folder", |_, file| {
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
    }),
    ("a pipe", |_, file| {
        fs::remove_file(file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    }),
    ("a link to a copy", |world, file| {
        let copy = world.outside.path().join("copy");
        fs::rename(file, &copy).unwrap();
        symlink(&copy, file).unwrap();
    }),
    ("others can write it", |_, file| mode(file, 0o666)),
];

/// A world in which everything has been used once.
fn used() -> World {
    let world = World::new();
    let ran = world.run(Kind::Change).ran;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let state = StateDir::at(world.env.state_dir());
    installed::remember(&state, installed::What::Hook, &world.env.path("settings.json"), &[]).unwrap();
    let now = Timestamp::now();
    let before = |minutes| now - SignedDuration::from_mins(minutes);
    Pause { from: before(20), until: before(10), reason: "over".into() }.begin(&state).unwrap();
    world.forget();
    world
}

impl World {
    /// No tag of a guard stands any more, and the ZVM was asked nothing.
    pub(super) fn forget(&self) {
        self.sim.with_state(|state| {
            for vpg in &mut state.vpgs {
                vpg.journal.retain(|checkpoint| checkpoint.tag.as_deref() == Some(super::TAG));
            }
        });
        self.sim.clear_log();
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.symlink_metadata().unwrap().is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// What a file is, without what tells it from others of its kind.
fn kind_of(file: &Path, state: &Path) -> String {
    let name = file.strip_prefix(state).unwrap().to_string_lossy().into_owned();
    match name.split_once('/') {
        Some((folder @ ("tags" | "running" | "installed"), _)) => folder.to_owned(),
        Some(("tokens", _)) => "tokens".to_owned(),
        Some((_, rest)) => format!("the lock `{}`", rest.split(['-', '.']).next().unwrap()),
        None => name,
    }
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    assert!(std::process::Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
}

/// The ends of a call after each of the damages, those that say the same in one row.
fn rows_of(at: &str, ends: Vec<(&'static str, Row)>) -> Vec<Row> {
    let mut alike: BTreeMap<(Option<i32>, String), Row> = BTreeMap::new();
    for (fault, row) in ends {
        let key = (row.code, row.stderr.clone());
        match alike.get_mut(&key) {
            None => drop(alike.insert(key, Row { at: format!("{at}, a change"), fault: fault.to_owned(), ..row })),
            Some(first) => {
                first.fault = format!("{}; {fault}", first.fault);
                first.wrong.extend(row.wrong);
            }
        }
    }
    alike.into_values().collect()
}

/// One kind of file, damaged in each way.
fn damaged(nr: usize) -> Vec<Row> {
    let world = used();
    let state = world.env.state_dir();
    let Some(file) = kinds(&world).into_iter().nth(nr) else { return vec![] };
    let at = format!("in the state folder: {}", kind_of(&file, &state));
    let whole = world.outside.path().join("whole");
    copy(&state, &whole);
    let ends = DAMAGES.map(|(fault, damage)| {
        world.forget();
        damage(&world, &file);
        let end = world.run(Kind::Change);
        let row = world.row(&at, fault, Kind::Change, &end);
        copy(&whole, &state);
        (fault, row)
    });
    rows_of(&at, ends.into())
}

/// One file of each kind.
fn kinds(world: &World) -> Vec<PathBuf> {
    let state = world.env.state_dir();
    let mut seen = std::collections::BTreeSet::new();
    files_below(&state).into_iter().filter(|file| seen.insert(kind_of(file, &state))).collect()
}

/// A question, answered, and then damaged: it is asked again.
fn answers() -> Vec<Row> {
    let world = World::new();
    let call = world.env.call("Workflow", json!({}));
    let hook = || {
        let began = Instant::now();
        let ran = world.env.hook(call.clone());
        End { ran, signal: None, took: began.elapsed() }
    };
    let asked = hook().ran.stderr;
    let id =
        asked.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').find(|word| word.starts_with("zgq-")).unwrap();
    let ran = world.env.run(&["answer", id, "unguarded"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let state = world.env.state_dir();
    let whole = world.outside.path().join("whole");
    copy(&state, &whole);
    let answers: Vec<PathBuf> =
        files_below(&state).into_iter().filter(|file| file.to_string_lossy().contains("answers")).collect();
    assert!(!answers.is_empty(), "{:?}", files_below(&state));
    let ends = DAMAGES.map(|(fault, damage)| {
        answers.iter().for_each(|file| damage(&world, file));
        let end = hook();
        let mut row = world.row("", fault, Kind::Change, &end);
        row.left = "nothing".to_owned();
        copy(&whole, &state);
        (fault, row)
    });
    let mut rows = rows_of("in the state folder: a human's answer", ends.into());
    rows.iter_mut()
        .for_each(|row| row.at = "in the state folder: a human's answer, the call that was asked about".into());
    // What was put back serves once.
    assert_eq!(hook().ran.code, Some(0));
    assert_eq!(hook().ran.code, Some(2));
    rows
}

/// Which settings hold the hook's entry, damaged: a call that would change them is stopped all the same.
fn protected_settings() -> Vec<Row> {
    let at = "in the state folder: where `install` wrote, a call that would change that file";
    let mut rows = Vec::new();
    for (fault, damage) in [("whole", (|_, _| {}) as fn(&World, &Path))].into_iter().chain(DAMAGES) {
        let world = World::new();
        let settings = world.env.path("elsewhere.json");
        let state = world.env.state_dir();
        installed::remember(&StateDir::at(state.clone()), installed::What::Hook, &settings, &[]).unwrap();
        files_below(&state).iter().for_each(|record| damage(&world, record));
        let began = Instant::now();
        let ran = world.env.hook(world.env.call("Write", json!({"file_path": settings, "content": "{}"})));
        let mut row = world.row(at, fault, Kind::Change, &End { ran, signal: None, took: began.elapsed() });
        row.left = "nothing".to_owned();
        rows.push((fault, row));
    }
    let mut rows = rows_of(at, rows);
    rows.iter_mut().for_each(|row| row.at = at.to_owned());
    rows
}

/// What was written while the clock was an hour ahead of what it says now, or will not be again.
fn from_the_future() -> Vec<Row> {
    let world = used();
    for file in files_below(&world.env.state_dir()) {
        let text = fs::read_to_string(&file).unwrap();
        let later: Vec<String> =
            text.split_inclusive(|c: char| c == '"' || c.is_whitespace()).map(an_hour_later).collect();
        fs::write(&file, later.concat()).unwrap();
    }
    let end = world.run(Kind::Change);
    let mut row = world.row("the machine's clock", "set back by an hour since the last call", Kind::Change, &end);
    let logins = world.sim.requests_of(zvm_sim::Step::Token).len();
    if logins != 1 {
        row.wrong.push((crate::faults::Wrong::Contract, format!("{logins} logins with a token from the future")));
    }
    vec![row]
}

/// A moment in a record, an hour later; any other piece as it is.
fn an_hour_later(piece: &str) -> String {
    let (word, end) = piece.split_at(piece.len() - piece.chars().last().map_or(0, char::len_utf8));
    let hour = SignedDuration::from_hours(1);
    if let Ok(moment) = word.parse::<Timestamp>() {
        return format!("{}{end}", moment + hour);
    }
    match word.parse::<i64>() {
        Ok(second) if second > 1_000_000_000 => format!("{}{end}", second + 3600),
        _ => piece.to_owned(),
    }
}

#[test]
fn damaged_records() {
    let many = kinds(&used()).len();
    let mut jobs: Vec<Job> = (0..many).map(|nr| -> Job { Box::new(move || damaged(nr)) }).collect();
    jobs.push(Box::new(answers));
    jobs.push(Box::new(protected_settings));
    jobs.push(Box::new(from_the_future));
    page("machine: records", &side_by_side(&jobs), &[]);
}
