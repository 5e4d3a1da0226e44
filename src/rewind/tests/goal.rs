//! What may stand at a goal, and what becomes of it.

use super::*;
use std::io::Write as _;
use std::os::unix::fs::symlink;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(self.0.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn now() -> Timestamp {
    "2026-09-21T15:04:05Z".parse().unwrap()
}

fn part(goal: &Goal, text: &str) -> Part {
    let mut part = goal.part().unwrap();
    part.file().write_all(text.as_bytes()).unwrap();
    part
}

#[test]
fn a_new_file_has_the_mode_of_any_new_file_and_its_part_is_closed() {
    let place = Place::new();
    let goal = Goal::new(&place.path("app.yaml"), false).unwrap();
    let part = part(&goal, "new");
    let names = place.names();
    assert!(names[0].starts_with(".app.yaml.") && names[0].ends_with(PART), "{names:?}");
    assert_eq!(fs::metadata(place.path(&names[0])).unwrap().mode() & 0o777, 0o600);
    assert_eq!(goal.publish(part, now()).unwrap(), None);
    fs::File::create(place.path("any")).unwrap();
    let mode = |name| fs::metadata(place.path(name)).unwrap().mode();
    assert_eq!((place.read("app.yaml"), mode("app.yaml")), ("new".to_owned(), mode("any")));
    assert_eq!(place.names(), ["any", "app.yaml"]);
    drop(goal.part().unwrap());
    assert_eq!(place.names(), ["any", "app.yaml"]);
}

#[test]
fn what_stands_there_is_refused_or_kept() {
    let place = Place::new();
    let file = place.write("app.yaml", "old");
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    let error = Goal::new(&file, false).unwrap_err();
    assert_eq!((error.exit_code(), error.message), (5, format!("{} exists.", file.display())));
    assert!(error.hint.contains("--force"));
    for (text, kept) in [
        ("one", "app.yaml.before-20260921T150405Z"),
        ("two", "app.yaml.before-20260921T150405Z-2"),
        ("three", "app.yaml.before-20260921T150405Z-3"),
    ] {
        let old = place.read("app.yaml");
        let goal = Goal::new(&file, true).unwrap();
        assert!(goal.replaces());
        assert_eq!(goal.publish(part(&goal, text), now()).unwrap(), Some(place.path(kept)));
        assert_eq!((place.read("app.yaml").as_str(), place.read(kept)), (text, old));
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640, "as what it replaces");
    }
    assert_eq!(place.names().len(), 4);
}

#[test]
fn what_comes_while_the_bytes_come_is_not_written_over() {
    let place = Place::new();
    let goal = Goal::new(&place.path("a"), false).unwrap();
    let coming = part(&goal, "new");
    place.write("a", "somebody's");
    let error = goal.publish(coming, now()).unwrap_err();
    assert_eq!((error.exit_code(), place.read("a").as_str()), (5, "somebody's"));
    assert_eq!(place.names(), ["a"], "and no part stays");
    // With force it is kept, also where nothing stood there at first.
    let place = Place::new();
    let goal = Goal::new(&place.path("a"), true).unwrap();
    let coming = part(&goal, "new");
    place.write("a", "somebody's");
    let kept = goal.publish(coming, now()).unwrap().unwrap();
    assert_eq!((place.read("a").as_str(), fs::read_to_string(kept).unwrap().as_str()), ("new", "somebody's"));
    // What was to be replaced and is gone leaves nothing to keep.
    let goal = Goal::new(&place.path("a"), true).unwrap();
    fs::remove_file(place.path("a")).unwrap();
    assert_eq!(goal.publish(part(&goal, "newer"), now()).unwrap(), None);
    assert_eq!(place.read("a"), "newer");
    // What has become a folder or a link stays.
    let goal = Goal::new(&place.path("a"), true).unwrap();
    fs::remove_file(place.path("a")).unwrap();
    fs::create_dir(place.path("a")).unwrap();
    assert!(goal.publish(part(&goal, "x"), now()).unwrap_err().message.contains("something else"));
    fs::remove_dir(place.path("a")).unwrap();
    symlink(place.path("b"), place.path("a")).unwrap();
    assert!(goal.publish(part(&goal, "x"), now()).is_err());
    assert!(!place.path("b").exists());
}

#[test]
fn where_no_second_name_can_be_given_the_old_file_is_moved() {
    let place = Place::new();
    let (from, to, taken) = (place.write("from", "old"), place.path("to"), place.write("taken", "x"));
    assert_eq!(move_to_new(&from, &taken).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(place.names(), ["from", "taken"], "and it is still there");
    move_to_new(&from, &to).unwrap();
    assert_eq!((place.read("to").as_str(), place.names().join(" ").as_str()), ("old", "taken to"));
}

#[test]
fn places_that_are_no_file_are_refused_with_or_without_force() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    place.write("file", "x");
    symlink(place.path("nowhere"), place.path("dangling")).unwrap();
    symlink(place.path("loop"), place.path("loop")).unwrap();
    symlink(place.path("folder"), place.path("to-folder")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(place.path("socket")).unwrap();
    for (path, code, words) in [
        (place.path("folder"), 5, "is a folder."),
        (place.path("folder/"), 5, "is a folder."),
        (place.path("to-folder"), 5, "is a folder."),
        (place.path("dangling"), 5, "is a link to something that does not exist."),
        (place.path("loop"), 1, "can't be looked at"),
        (place.path("socket"), 5, "is a socket, and no file."),
        ("/dev/null".into(), 5, "/dev/null is a device, and no file."),
        ("-".into(), 5, "`-` is no name"),
        (PathBuf::new(), 5, "is empty"),
        ("..".into(), 5, "is a folder"),
        ("/".into(), 5, "is a folder"),
        (place.path("new/"), 5, "is no name for a file"),
        (place.path("nowhere/a"), 1, "There is no folder"),
        (place.path("file/a"), 1, "can't be looked at"),
        (place.path(&"n".repeat(300)), 1, "can't be looked at"),
    ] {
        for force in [false, true] {
            let error = Goal::new(&path, force).unwrap_err();
            assert_eq!(error.exit_code(), code, "{path:?}: {error}");
            assert!(error.message.contains(words), "{path:?}: {error}");
        }
    }
}

#[test]
fn a_link_to_a_file_stays_and_what_it_leads_to_is_replaced() {
    let place = Place::new();
    let file = place.write("real", "old");
    symlink("real", place.path("link")).unwrap();
    assert_eq!(Goal::new(&place.path("link"), false).unwrap_err().exit_code(), 5);
    let goal = Goal::new(&place.path("link"), true).unwrap();
    let kept = goal.publish(part(&goal, "new"), now()).unwrap().unwrap();
    assert_eq!(fs::read_to_string(kept).unwrap(), "old");
    assert_eq!(
        (fs::read_link(place.path("link")).unwrap(), fs::read_to_string(file).unwrap()),
        ("real".into(), "new".into())
    );
    assert_eq!(place.names(), ["link", "real", "real.before-20260921T150405Z"]);
}

#[test]
fn the_longest_names_have_a_part_and_are_kept() {
    let place = Place::new();
    for name in ["n".repeat(255), "ä".repeat(127)] {
        let path = place.write(&name, "old");
        let goal = Goal::new(&path, true).unwrap();
        let kept = goal.publish(part(&goal, "new"), now()).unwrap().unwrap();
        assert_eq!(
            (fs::read_to_string(path).unwrap(), fs::read_to_string(kept).unwrap()),
            ("new".into(), "old".into())
        );
    }
}

#[test]
fn what_is_replaced_leaves_its_owner() {
    let place = Place::new();
    let file = place.write("a", "old");
    // Only root can make this file somebody else's, here and in the program.
    let owner = match std::os::unix::fs::chown(&file, Some(65_534), Some(65_534)) {
        Ok(()) => (65_534, 65_534),
        Err(_) => (fs::metadata(&file).unwrap().uid(), fs::metadata(&file).unwrap().gid()),
    };
    let goal = Goal::new(&file, true).unwrap();
    goal.publish(part(&goal, "new"), now()).unwrap();
    let entry = fs::metadata(&file).unwrap();
    assert_eq!((place.read("a").as_str(), (entry.uid(), entry.gid())), ("new", owner));
}

#[test]
fn room_is_told() {
    let place = Place::new();
    assert!(free(place.0.path()).is_some_and(|bytes| bytes > 0));
    assert_eq!(free(&place.path("nowhere")), None);
}
