//! Configs, catalogs and password files that can't be read, can't be trusted or are broken; and a home that is none.

use super::{ALL, HOOK, Job, Kind, World, mode, side_by_side, tried};
use crate::faults::page;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// What may be wrong with a file whose word counts. It is there and fit; its path comes in.
type Damage = (&'static str, fn(&World, &Path));

type Breaks = Box<dyn Fn(&World) + Send + Sync>;

/// A fit file elsewhere, with a link to it in its place.
fn linked(world: &World, file: &Path) -> PathBuf {
    let there = world.env.path("elsewhere").join("file.toml");
    world.env.write(&there, &fs::read_to_string(file).unwrap());
    mode(there.parent().unwrap(), 0o755);
    fs::remove_file(file).unwrap();
    symlink(&there, file).unwrap();
    there
}

const DAMAGES: [Damage; 12] = [
    ("a folder in its place", |_, file| {
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
    }),
    ("a pipe in its place", |_, file| {
        fs::remove_file(file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    }),
    ("others can write it", |_, file| mode(file, 0o666)),
    ("others can write its folder", |_, file| mode(file.parent().unwrap(), 0o777)),
    ("a link; others can write its target", |world, file| mode(&linked(world, file), 0o666)),
    ("a link; others can write its target's folder", |world, file| {
        mode(linked(world, file).parent().unwrap(), 0o777);
    }),
    ("a link to nothing", |world, file| fs::remove_file(linked(world, file)).unwrap()),
    ("not UTF-8", |_, file| fs::write(file, b"# \xff\n").unwrap()),
    ("longer than 4 MiB", |_, file| fs::write(file, vec![b'#'; (4 << 20) + 1]).unwrap()),
    ("no TOML", |_, file| fs::write(file, "x\n").unwrap()),
    ("cut off in the middle", |_, file| fs::write(file, "[guard]\nmode = \"obs").unwrap()),
    ("an unknown key", |_, file| fs::write(file, "[guards]\n").unwrap()),
];

fn with_catalog() -> World {
    let world = World::new();
    world.env.write(&world.catalog_file(), "[server.x]\nread_only = ['y']\n");
    world
}

fn rights(path: impl Fn(&World) -> PathBuf + Send + Sync + 'static, what: u32) -> impl Fn(&World) + Send + Sync {
    move |world| mode(&path(world), what)
}

#[test]
fn configs_and_catalogs() {
    let mut jobs: Vec<Job> = Vec::new();
    let mut job =
        |at: &'static str, fault: &'static str, kinds: &'static [Kind], world: fn() -> World, breaks: Breaks| {
            jobs.push(Box::new(move || tried(at, fault, kinds, world, &breaks)));
        };
    // The config counts in a recovery too, the catalog does not.
    for (fault, damage) in DAMAGES {
        job("the config", fault, &ALL, World::new, Box::new(move |world| damage(world, &world.config_file())));
    }
    let unfit = || with_catalog().without_rights();
    let fit = || World::new().without_rights();
    job("the config", "no right to read it", &ALL, fit, Box::new(rights(World::config_file, 0)));
    job("the config", "no right to enter its folder", &ALL, fit, Box::new(rights(|world| world.env.config_dir(), 0)));
    for (fault, damage) in DAMAGES {
        job(
            "the user's catalog",
            fault,
            &HOOK,
            with_catalog,
            Box::new(move |world| damage(world, &world.catalog_file())),
        );
    }
    job("the user's catalog", "no right to read it", &HOOK, unfit, Box::new(rights(World::catalog_file, 0)));
    for (fault, text) in
        [("no TOML", "x\n"), ("an unknown key", "[server.x]\nbad = 1\n"), ("made for a later version", "schema = 2\n")]
    {
        let file = |world: &World| world.env.project().join(".zerto-guard/catalog.toml");
        let breaks = Box::new(move |world: &World| world.env.write(&file(world), text));
        job("the project's catalog", fault, &HOOK, World::new, breaks);
    }
    let folder = |world: &World| world.env.project().join(".zerto-guard/catalog.toml");
    let breaks = Box::new(move |world: &World| fs::create_dir_all(folder(world)).unwrap());
    job("the project's catalog", "a folder in its place", &HOOK, World::new, breaks);
    let unreadable = Box::new(move |world: &World| {
        world.env.write(&folder(world), "");
        mode(&folder(world), 0);
    });
    job("the project's catalog", "no right to read it", &HOOK, fit, unreadable);
    page(
        "machine: config and catalogs",
        &side_by_side(&jobs),
        &[
            ("the built-in catalog", "it is a part of the program"),
            (
                "a file that belongs to another user",
                "only root can give files away; a unit test does where it runs as root",
            ),
        ],
    );
}

#[test]
fn secrets_and_homes() {
    let mut jobs: Vec<Job> = Vec::new();
    let secret = |fault: &'static str, breaks: fn(&World, &Path)| -> Job<'static> {
        Box::new(move || {
            tried("the password file", fault, &ALL, World::new, |world| breaks(world, world.sim.password_file()))
        })
    };
    jobs.push(secret("everybody can read it", |_, file| mode(file, 0o644)));
    jobs.push(secret("its group can read it", |_, file| mode(file, 0o640)));
    jobs.push(secret("it is not there", |_, file| fs::remove_file(file).unwrap()));
    jobs.push(secret("empty", |_, file| fs::write(file, "").unwrap()));
    jobs.push(secret("a folder in its place", |_, file| {
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
    }));
    jobs.push(secret("a pipe in its place", |_, file| {
        fs::remove_file(file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    }));
    for option in ["--config", "--catalog"] {
        jobs.push(Box::new(move || {
            let rows = HOOK.map(|kind| {
                let world = World::new();
                let end = world.run_with(kind, |command| {
                    command.args([option, "/nowhere/c.toml"]);
                });
                world.row(option, "it names a file that is not there", kind, &end)
            });
            super::joined(option, rows.into())
        }));
    }
    let home = |fault: &'static str, value: fn(&World) -> Option<PathBuf>| -> Job<'static> {
        Box::new(move || {
            let rows = ALL.map(|kind| {
                let world = World::new();
                let end = world.run_with(kind, |command| {
                    match value(&world) {
                        Some(path) => command.env("HOME", path),
                        None => command.env_remove("HOME"),
                    };
                });
                world.row("HOME", fault, kind, &end)
            });
            super::joined("HOME", rows.into())
        })
    };
    jobs.push(home("unset", |_| None));
    jobs.push(home("empty", |_| Some(PathBuf::new())));
    jobs.push(home("a relative path", |_| Some("home".into())));
    jobs.push(home("a file", |world| Some(world.config_file())));
    jobs.push(home("a folder that is not there", |world| Some(world.env.path("nowhere"))));
    jobs.push(home("a link to nothing", |world| {
        symlink("/nowhere/home", world.env.path("link")).unwrap();
        Some(world.env.path("link"))
    }));
    jobs.push(home("a loop of links", |world| {
        symlink("loop", world.env.path("loop")).unwrap();
        Some(world.env.path("loop"))
    }));
    jobs.push(Box::new(|| {
        tried(
            "HOME",
            "no right to enter it",
            &ALL,
            || World::new().without_rights(),
            |world| mode(&world.env.home(), 0),
        )
    }));
    page("machine: secrets and homes", &side_by_side(&jobs), &[]);
}
