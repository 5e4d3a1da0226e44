//! A state folder that is not there, is something else, or is open to others.

use super::{ALL, Job, World, mode, side_by_side, tried};
use crate::faults::page;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

/// What may be wrong with the folder of that name in the state folder.
type Damage = (&'static str, fn(&World, &str));

fn state(world: &World) -> PathBuf {
    world.env.state_dir()
}

fn made(world: &World) -> PathBuf {
    let state = state(world);
    fs::create_dir_all(&state).unwrap();
    mode(&state, 0o700);
    state
}

/// This inside of it, made and closed to others.
fn inside(world: &World, name: &str) -> PathBuf {
    let path = made(world).join(name);
    fs::create_dir(&path).unwrap();
    mode(&path, 0o700);
    path
}

#[test]
fn state_folders() {
    let mut jobs: Vec<Job> = Vec::new();
    let mut job = |fault: &'static str, fit: fn() -> World, breaks: fn(&World)| {
        jobs.push(Box::new(move || tried("the state folder", fault, &ALL, fit, breaks)));
    };
    let mine = || World::new().without_rights();
    job("not there yet", World::new, |_| {});
    job("a file in its place", World::new, |world| world.env.write(&state(world), "x"));
    job("a file in its parent's place", World::new, |world| world.env.write(state(world).parent().unwrap(), "x"));
    job("a link to nothing", World::new, |world| {
        fs::create_dir_all(state(world).parent().unwrap()).unwrap();
        symlink("/nowhere/state", state(world)).unwrap();
    });
    job("a link to a fit folder", World::new, |world| {
        let there = world.outside.path().join("there");
        fs::create_dir(&there).unwrap();
        mode(&there, 0o700);
        fs::create_dir_all(state(world).parent().unwrap()).unwrap();
        symlink(there, state(world)).unwrap();
    });
    job("others can look into it", World::new, |world| mode(&made(world), 0o755));
    job("others can write it", World::new, |world| mode(&made(world), 0o777));
    job("no right to write it", mine, |world| mode(&made(world), 0o500));
    job("no right to enter it", mine, |world| mode(&made(world), 0));
    job("no right to write its parent", mine, |world| mode(&world.env.home(), 0o555));
    for name in ["locks", "tokens", "tags", "running"] {
        let parts: [Damage; 3] = [
            ("a file in its place", |world, name| world.env.write(&made(world).join(name), "x")),
            ("a link to nothing", |world, name| symlink("nothing", made(world).join(name)).unwrap()),
            ("others can write it", |world, name| mode(&inside(world, name), 0o777)),
        ];
        for (fault, breaks) in parts {
            jobs.push(Box::new(move || {
                tried(&format!("the state folder's `{name}`"), fault, &[super::Kind::Change], World::new, |world| {
                    breaks(world, name);
                })
            }));
        }
    }
    page("machine: the state folder", &side_by_side(&jobs), &[]);
}
