use super::*;
use crate::config::files::{Files, Place};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

fn files(root: &Path) -> Files {
    Files {
        config: Place::Usual(root.join("home/.config/zerto-guard/config.toml")),
        catalog: Place::Named(root.join("mine.toml")),
        admin: root.join("etc/zerto-guard"),
        state: root.join("home/.local/state/zerto-guard"),
        home: Some(root.join("home")),
    }
}

fn places(root: &Path) -> Places {
    Places { user: root.join("home/.claude"), project: root.join("project"), root: root.to_owned() }
}

/// The managed scope, with a root of its own: what only root may do on a real machine.
#[test]
fn the_managed_entry_is_for_everybody_and_takes_nobodys_files() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    fs::create_dir_all(root.join("etc/zerto-guard")).unwrap();
    fs::write(root.join("etc/zerto-guard/config.toml"), "[guard]\ndeadline = '200s'\n").unwrap();
    let version = Some(Version(2, 1, 332));
    let own = Path::new("/usr/local/bin/zerto-guard");
    let planned = planned_entries(&files(root), Scope::Managed, own, version, false).unwrap();
    assert_eq!(
        planned.entry.arguments,
        ["hook", "--host", "claude-code", "--host-timeout", "260s", "--managed"],
        "60 s above the administrator's deadline"
    );
    assert_eq!((planned.entry.timeout, planned.entry.form), (260, Form::Exec));
    let file = places(root).file(Scope::Managed);
    assert_eq!(file, root.join("etc/claude-code/managed-settings.json"));
    let job = Job { file: file.clone(), scope: Scope::Managed, dry_run: false };
    assert!(job.change(|text| add(text, std::slice::from_ref(&planned.entry))).unwrap().changed);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o644, 0o755), "each user's session has to read it");
    assert!(!job.change(|text| add(text, std::slice::from_ref(&planned.entry))).unwrap().changed);
    assert_eq!(others_with_entry(&places(root), Scope::User, ""), std::slice::from_ref(&file));
    assert!(job.change(|text| text.map_or(Ok(Change::None), |text| remove(text, ""))).unwrap().changed);
    assert!(!file.exists());
    // A program that a user could swap guards nobody for good.
    let weak = root.join("zerto-guard");
    fs::write(&weak, "").unwrap();
    fs::set_permissions(&weak, fs::Permissions::from_mode(0o777)).unwrap();
    let planned = planned_entries(&files(root), Scope::Managed, &weak, version, false).unwrap();
    assert!(planned.notes.iter().any(|note| note.starts_with("WARNING")), "{:?}", planned.notes);
}

#[test]
fn a_file_that_changed_meanwhile_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("settings.json");
    fs::write(&file, "{}").unwrap();
    let job = Job { file: file.clone(), scope: Scope::User, dry_run: false };
    let failure = job.change(|_| {
        fs::write(&file, "{\"theirs\": 1}").unwrap();
        Ok(Change::Write("{\"ours\": 1}".into()))
    });
    assert!(failure.err().unwrap().message.contains("another program"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"theirs\": 1}");
}
