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

fn at(root: &Path, host: Host, scope: Scope) -> At {
    let places = Places {
        home: Some(root.join("home")),
        project: root.join("project"),
        root: root.to_owned(),
        moved: std::collections::BTreeMap::new(),
    };
    let recipe = recipe(host);
    let file = (recipe.place)(&places, scope).unwrap();
    At { recipe, scope, kind: (recipe.kind)(scope), file, places, dry_run: false }
}

/// The managed scope, with a root of its own: what only root may do on a real machine.
#[test]
fn the_managed_entry_is_for_everybody_and_takes_nobodys_files() {
    for (host, place, timeout) in [
        (Host::ClaudeCode, "etc/claude-code/managed-settings.json", "260s"),
        (Host::Codex, "etc/codex/requirements.toml", "260s"),
        (Host::GeminiCli, "etc/gemini-cli/settings.json", "260s"),
        (Host::CopilotCli, "etc/github-copilot/policy.d/zerto-guard.json", "260s"),
        (Host::Cursor, "etc/cursor/hooks.json", "260s"),
        (Host::Qwen, "etc/qwen-code/settings.json", "260s"),
        (Host::Windsurf, "etc/windsurf/hooks.json", "30s"),
    ] {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        fs::create_dir_all(root.join("etc/zerto-guard")).unwrap();
        fs::write(root.join("etc/zerto-guard/config.toml"), "[guard]\ndeadline = '200s'\n").unwrap();
        let version = Some(Version(2, 1, 332));
        let own = Path::new("/usr/local/bin/zerto-guard");
        let at = at(root, host, Scope::Managed);
        assert_eq!(at.file, root.join(place));
        let planned = planned_entries(&files(root), at.recipe, Scope::Managed, own, version, false).unwrap();
        let arguments = planned.entries[0].arguments.join(" ");
        assert!(
            arguments.ends_with("--managed") && arguments.contains(timeout),
            "60 s above the administrator's: {arguments}"
        );
        let put = || {
            at.job(at.file.clone()).prepare(|text| put_in(text, at.kind, &planned.entries)).unwrap().finish().unwrap()
        };
        assert!(put().changed);
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(
            (mode(&at.file), mode(at.file.parent().unwrap())),
            (0o644, 0o755),
            "each user's session has to read it"
        );
        assert!(!put().changed);
        assert_eq!(others_with_entry(&self::at(root, host, Scope::User), ""), std::slice::from_ref(&at.file));
        let take = |text: Option<&str>| text.map_or(Ok(Change::None), |text| remove(text, at.recipe, at.kind, ""));
        let done = at.job(at.file.clone()).prepare(take).unwrap().finish().unwrap();
        at.clear(&done, Vec::new());
        assert!(done.changed && done.removed && !at.file.exists());
        let left: Vec<_> = fs::read_dir(root.join("etc")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["zerto-guard"], "the folders that were made are gone");
    }
    // A program that a user could swap guards nobody for good.
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let weak = root.join("zerto-guard");
    fs::write(&weak, "").unwrap();
    fs::set_permissions(&weak, fs::Permissions::from_mode(0o777)).unwrap();
    let planned = planned_entries(&files(root), recipe(Host::Codex), Scope::Managed, &weak, None, false).unwrap();
    assert!(planned.notes.iter().any(|note| note.starts_with("WARNING")), "{:?}", planned.notes);
}

#[test]
fn a_file_that_changed_meanwhile_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let at = at(root.path(), Host::ClaudeCode, Scope::User);
    fs::create_dir_all(at.file.parent().unwrap()).unwrap();
    fs::write(&at.file, "{}").unwrap();
    let ready = at.job(at.file.clone()).prepare(|_| Ok(Change::Write("{\"ours\": 1}".into()))).unwrap();
    fs::write(&at.file, "{\"theirs\": 1}").unwrap();
    assert!(ready.finish().err().unwrap().message.contains("another program"));
    assert_eq!(fs::read_to_string(&at.file).unwrap(), "{\"theirs\": 1}");
}
