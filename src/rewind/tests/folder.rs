//! What a guest may call its files, and where none of it may lead.

use super::*;
use crate::zvm::model::FlrItemKind;
use std::os::unix::fs::symlink;

fn item(path: &str, kind: FlrItemKind) -> FlrItem {
    let is_file = kind == FlrItemKind::File;
    FlrItem {
        path: path.to_owned(),
        kind,
        browsable: !is_file,
        downloadable: is_file,
        remark: String::new(),
        size: is_file.then_some(7),
        modified: None,
    }
}

fn words(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn only_what_lies_in_the_folder_under_a_name_is_taken() {
    let folder = "partition#1 Ext4/etc";
    for (path, taken) in [
        ("partition#1 Ext4/etc/app.yaml", true),
        ("partition#1 Ext4/etc/a b*?.", true),
        ("partition#1 Ext4/etc/a\\b", true),
        ("partition#1 Ext4/etc/..", false),
        ("partition#1 Ext4/etc/.", false),
        ("partition#1 Ext4/etc/", false),
        ("partition#1 Ext4/etc", false),
        ("partition#1 Ext4/etc/../../root/.ssh/authorized_keys", false),
        ("partition#1 Ext4/etc/a/b", false),
        ("partition#1 Ext4/etc//a", false),
        ("partition#1 Ext4/etcetera/a", false),
        ("/etc/cron.d/x", false),
        ("partition#1 Ext4/etc/a\nb", false),
        ("partition#1 Ext4/etc/a\u{1b}[2J", false),
        ("partition#1 Ext4/etc/a\0b", false),
    ] {
        for kind in [FlrItemKind::File, FlrItemKind::Folder] {
            let mut survey = Survey::default();
            let below = survey.take(folder, &words(&["x"]), item(path, kind.clone()));
            let found = survey.files.len() + survey.folders.len();
            assert_eq!((found == 1, survey.failed.is_empty()), (taken, taken), "{path:?}");
            assert_eq!(below.is_some(), taken && kind == FlrItemKind::Folder, "{path:?}");
        }
    }
}

#[test]
fn what_can_not_be_had_is_left_out_with_its_reason() {
    let mut survey = Survey::default();
    let link =
        FlrItem { downloadable: false, remark: "Links.".into(), size: None, ..item("p/link", FlrItemKind::File) };
    let silent = FlrItem { remark: String::new(), ..link.clone() };
    let locked = FlrItem { browsable: false, ..item("p/locked", FlrItemKind::Folder) };
    for item in [link, silent, locked] {
        assert_eq!(survey.take("p", &[], item), None);
    }
    let left: Vec<(&str, &str)> = survey.left_out.iter().map(|out| (out.path.as_str(), out.why.as_str())).collect();
    assert_eq!(left, [("link", "Links"), ("link", "it can't be downloaded"), ("locked/", "it can't be looked into")]);
    let deep = vec!["d".to_owned(); DEEPEST];
    assert_eq!(survey.take("p", &deep, item("p/d", FlrItemKind::Folder)), None);
    assert!(survey.failed[0].contains("100 folders deep"), "{:?}", survey.failed);
}

#[test]
fn links_in_the_goal_lead_nowhere() {
    let place = tempfile::tempdir().unwrap();
    let (goal, outside) = (place.path().join("goal"), place.path().join("outside"));
    fs::create_dir_all(goal.join("real")).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "precious").unwrap();
    symlink(&outside, goal.join("link")).unwrap();
    symlink(outside.join("file"), goal.join("file")).unwrap();
    let tree = TreeGoal::new(&goal, true).unwrap();
    for names in [&["link"][..], &["link", "below"]] {
        assert!(tree.make(&words(names)).is_err() || names.len() > 1, "{names:?}");
        assert!(tree.file(&[words(names), words(&["x"])].concat()).is_err(), "{names:?}");
    }
    assert_eq!(tree.file(&words(&["file"])).unwrap_err().exit_code(), 5);
    assert!(!tree.make(&words(&["real"])).unwrap() && tree.make(&words(&["new"])).unwrap());
    assert!(tree.file(&words(&["real", "x"])).is_ok());
    // The folder that was named may be a link itself.
    symlink("goal", place.path().join("named")).unwrap();
    assert!(TreeGoal::new(&place.path().join("named"), true).unwrap().file(&words(&["x"])).is_ok());
    // A file where a folder goes, and the other way round.
    fs::write(goal.join("plain"), "").unwrap();
    assert!(tree.make(&words(&["plain"])).is_err() && tree.file(&words(&["plain", "x"])).is_err());
    assert!(tree.file(&words(&["real"])).unwrap_err().message.contains("is a folder"));
}

#[test]
fn where_a_tree_may_go() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir(at("empty")).unwrap();
    fs::create_dir(at("full")).unwrap();
    fs::write(at("full/x"), "").unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    for (path, force, code) in [
        (at("new"), false, None),
        (at("empty"), false, None),
        (at("full"), false, Some(5)),
        (at("full"), true, None),
        (at("full/x"), true, Some(5)),
        (at("dangling"), true, Some(5)),
        (at("nowhere/new"), true, Some(1)),
        (at("full/x/new"), true, Some(1)),
    ] {
        let made = TreeGoal::new(&path, force).and_then(|goal| goal.probe());
        assert_eq!(made.as_ref().err().map(SaveError::exit_code), code, "{path:?}: {made:?}");
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 3, "nothing was made by looking");
}

#[test]
fn folders_in_which_nothing_came_go_again() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir_all(at("a/b")).unwrap();
    fs::create_dir_all(at("a/c")).unwrap();
    fs::write(at("a/c/file"), "x").unwrap();
    drop(Made(vec![at("a"), at("a/b"), at("a/c")]));
    assert!(!at("a/b").exists() && at("a/c/file").exists());
}
