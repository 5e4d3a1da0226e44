//! Disks that are full or can't be written, in a mount namespace of the test's own.

use super::{ALL, Job, Kind, World, side_by_side};
use crate::env::{Env, skip};
use crate::faults::{Row, page};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A recovery to the place that follows.
const TO: [&str; 6] = ["rewind", "recover", "latest:/srv/big.bin", "--yes", "--json", "--output"];

/// Whether this user may make one.
pub fn namespaces_work() -> bool {
    let script = "mount -t tmpfs none /mnt && mount --bind /mnt /mnt";
    let status =
        Command::new("unshare").args(["--mount", "--map-root-user", "sh", "-c", script]).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

impl World {
    /// The program in a mount namespace in which this shell text has run.
    pub(super) fn inside(&self, kind: Kind, text: &str) -> Command {
        self.inside_with(kind.arguments(), text)
    }

    fn inside_with(&self, arguments: &[&str], text: &str) -> Command {
        let mut command = Command::new("unshare");
        let script = format!("{text} && exec \"$@\"");
        command.args(["--mount", "--map-root-user", "sh", "-c", &script, "sh"]).arg(Env::binary()).args(arguments);
        let mut command = self.prepared(command);
        command.env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        command
    }
}

/// An empty disk of that many pages of 4 KiB and that many files, its own folder included, at the path.
fn disk(at: &Path, pages: u32, files: u32) -> String {
    // A size of 0 would be no limit, and the least is a page: which is taken at once.
    let fill =
        if pages == 0 { format!(" && head -c 4096 /dev/zero > '{}/filler'", at.display()) } else { String::new() };
    let files = if pages == 0 { files + 1 } else { files };
    format!("mount -t tmpfs -o mode=0700,size={}k,nr_inodes={files} none '{}'{fill}", pages.max(1) * 4, at.display())
}

fn on_read_only_state(kind: Kind) -> Vec<Row> {
    let world = World::new();
    fs::create_dir_all(world.env.state_dir()).unwrap();
    super::mode(&world.env.state_dir(), 0o700);
    let state = world.env.state_dir();
    let state = state.display();
    let end = world.ended(
        world.inside(kind, &format!("mount --bind '{state}' '{state}' && mount -o remount,ro,bind '{state}'")),
        kind,
    );
    vec![world.row("the state folder", "its disk is read-only", kind, &end)]
}

/// The state folder on a disk of every size from nothing until the call goes through.
fn on_small_state(kind: Kind, fault: &str, sizes: impl Iterator<Item = (u32, u32)>) -> Vec<Row> {
    let mut sweep = super::Sweep::new("the state folder", kind);
    for (pages, files) in sizes {
        let world = World::new();
        fs::create_dir_all(world.env.state_dir()).unwrap();
        let end = world.ended(world.inside(kind, &disk(&world.env.state_dir(), pages, files)), kind);
        assert!(!end.ran.stderr.contains("mount:") && !end.ran.stderr.contains("head:"), "{}", end.ran.stderr);
        if sweep.add(&world, end) {
            break;
        }
    }
    sweep.rows(fault)
}

#[test]
fn disks_that_are_full_or_cannot_be_written() {
    if !namespaces_work() {
        return skip("no mount namespace can be made here");
    }
    let mut jobs: Vec<Job> = Vec::new();
    for kind in ALL {
        jobs.push(Box::new(move || on_read_only_state(kind)));
        jobs.push(Box::new(move || {
            on_small_state(kind, "its disk is full, after 0, 1, 2, … pages", (0..40).map(|pages| (pages, 100)))
        }));
        jobs.push(Box::new(move || {
            on_small_state(kind, "its disk has no room for 0, 1, 2, … more files", (1..60).map(|files| (100, files)))
        }));
    }
    for (fault, pages, files) in [
        ("the disk is too small for the file", 60, 100),
        ("the disk takes no file", 200, 1),
        ("the disk is full to the last page", 0, 100),
    ] {
        jobs.push(Box::new(move || {
            let world = World::new();
            let goal = world.env.path("goal");
            fs::create_dir(&goal).unwrap();
            let file = goal.join(super::FILE);
            // What is left there is listed by the one who sees that disk.
            let mut command = Command::new("unshare");
            let script = format!(
                "{} && \"$@\"; code=$?; ls -A '{}' | grep -v filler > '{}'; exit $code",
                disk(&goal, pages, files),
                goal.display(),
                world.env.path("listed").display()
            );
            command.args(["--mount", "--map-root-user", "sh", "-c", &script, "sh"]).arg(Env::binary());
            command.args(TO).arg(&file);
            let mut command = world.prepared(command);
            command.env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
            let end = world.ended(command, Kind::Recover);
            let mut row = world.row("the goal's folder", fault, Kind::Recover, &end);
            let listed = fs::read_to_string(world.env.path("listed")).unwrap();
            row.wrong.extend(listed.lines().map(|name| (crate::faults::Wrong::PartialFile, name.to_owned())));
            vec![row]
        }));
    }
    jobs.push(Box::new(|| {
        let world = World::new();
        let goal = world.env.path("goal");
        fs::create_dir(&goal).unwrap();
        let text = format!("mount --bind '{0}' '{0}' && mount -o remount,ro,bind '{0}'", goal.display());
        let mut command = world.inside_with(&TO, &text);
        command.arg(goal.join(super::FILE));
        let end = world.ended(command, Kind::Recover);
        vec![world.row("the goal's folder", "its disk is read-only", Kind::Recover, &end)]
    }));
    page("machine: disks", &side_by_side(&jobs), &[]);
}
