//! Locks that another process holds, alive or dead.

use super::{Job, Kind, SHORT, World, side_by_side};
use crate::faults::{Row, Wrong, page};
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Duration;
use zvm_sim::{Fault, Route, Times};

/// The locks that a guard takes, in the order of their names.
fn locks(world: &World) -> Vec<PathBuf> {
    let folder = world.env.state_dir().join("locks");
    let mut all: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn name(lock: &std::path::Path) -> String {
    lock.file_name().unwrap().to_string_lossy().split(['-', '.']).next().unwrap().to_owned()
}

/// A call while somebody else holds this lock.
fn held(which: &str) -> Vec<Row> {
    let world = World::within(SHORT);
    // It may be late on a busy machine, and has made the locks all the same.
    world.run(Kind::Change);
    fs::remove_dir_all(world.env.state_dir().join("tokens")).unwrap();
    world.forget();
    let lock = locks(&world).into_iter().find(|lock| name(lock) == which).unwrap();
    let file = File::open(&lock).unwrap();
    file.lock().unwrap();
    let end = world.run(Kind::Change);
    let mut row = world.row(&format!("the lock `{which}`"), "another process holds it", Kind::Change, &end);
    if row.code == Some(2) && !end.ran.stderr.contains("zerto-guard") {
        row.wrong.push((Wrong::Contract, "the deny does not say who holds it".into()));
    }
    vec![row]
}

/// Kills a guard that holds what it needs, at each request of it, and then guards anew.
fn left_by_the_dead() -> Vec<Row> {
    let mut first: Option<Row> = None;
    for nr in 1.. {
        let world = World::new();
        world.sim.fault(Route::Any, Fault::Hang, Times::Nth(nr));
        let mut command = world.command(Kind::Change);
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), world.call(Kind::Change).as_bytes()).unwrap();
        let came = || world.sim.requests().len() >= nr as usize;
        let mut over = false;
        while !came() && !over {
            over = child.try_wait().unwrap().is_some();
            std::thread::sleep(Duration::from_millis(1));
        }
        if over && !came() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        world.sim.clear_faults();
        world.forget();
        let end = world.run(Kind::Change);
        let row =
            world.row("all locks", "held by a process that was killed, at each of its requests", Kind::Change, &end);
        match &mut first {
            None => first = Some(row),
            Some(first) => first.wrong.extend(row.wrong),
        }
    }
    first.into_iter().collect()
}

#[test]
fn locks_of_others() {
    let world = World::new();
    world.run(Kind::Change);
    let mut names: Vec<String> = locks(&world).iter().map(|lock| name(lock)).collect();
    names.dedup();
    let mut jobs: Vec<Job> = vec![Box::new(left_by_the_dead)];
    jobs.extend(names.iter().map(|name| -> Job { Box::new(move || held(name)) }));
    page("machine: locks", &side_by_side(&jobs), &[]);
}
