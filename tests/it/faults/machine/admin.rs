//! The administrator's files in /etc/zerto-guard, broken and doubtful, in a mount namespace of the test's own.

use super::{HOOK, Job, World, joined, mode, side_by_side};
use crate::env::skip;
use crate::faults::page;
use std::fs;
use std::path::{Path, PathBuf};

const FILES: [(&str, &str, &str); 2] = [
    ("the administrator's config", "config.toml", "[guard]\nmode = 'enforce'\n"),
    ("the administrator's catalog", "catalog.toml", "[server.x]\nread_only = ['y']\n"),
];

type Damage = (&'static str, fn(&Path));

const DAMAGES: [Damage; 6] = [
    ("a folder in its place", |file| {
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
    }),
    ("others can write it", |file| mode(file, 0o666)),
    ("others can write its folder", |file| mode(file.parent().unwrap(), 0o777)),
    ("a link to nothing", |file| {
        fs::remove_file(file).unwrap();
        std::os::unix::fs::symlink("nothing", file).unwrap();
    }),
    ("no TOML", |file| fs::write(file, "x\n").unwrap()),
    ("an unknown key", |file| fs::write(file, "[guards]\n").unwrap()),
];

fn folder(world: &World) -> PathBuf {
    world.env.path("etc/zerto-guard")
}

/// Makes the administrator's folder, with this one file in it.
fn with_file(world: &World, name: &str, text: &str) -> PathBuf {
    let file = folder(world).join(name);
    world.env.write(&file, text);
    mode(&folder(world), 0o755);
    file
}

#[test]
fn the_administrators_files() {
    if !super::disks::namespaces_work() {
        return skip("no mount namespace can be made here");
    }
    let mut jobs: Vec<Job> = Vec::new();
    for (at, name, text) in FILES {
        for (fault, damage) in DAMAGES {
            jobs.push(Box::new(move || {
                let rows = HOOK.map(|kind| {
                    let world = World::new();
                    damage(&with_file(&world, name, text));
                    let etc = format!("mount --bind '{}' /etc", world.env.path("etc").display());
                    let end = world.ended(world.inside(kind, &etc), kind);
                    world.row(at, fault, kind, &end)
                });
                joined(at, rows.into())
            }));
        }
    }
    page("machine: the administrator's files", &side_by_side(&jobs), &[]);
}
