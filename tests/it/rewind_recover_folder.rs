//! `rewind recover --recursive`: a guest's folder, file by file, each whole, and nothing outside of where it goes.

use crate::env::{Env, Ran};
use crate::guard_story::home;
use crate::rewind_recover::{ROOT, left_nothing, names, recover, world};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use zvm_sim::{Content, DownloadForm, Fault, Guest, ItemPaths, PastEnd, Sim, Step, Times};

fn nginx() -> Guest {
    let at = |name: &str| format!("{ROOT}/etc/nginx/{name}");
    Guest::linux("web01")
        .file(&at("nginx.conf"), "user www;\n")
        .file(&at("conf.d/a b.conf"), Content::generated(70_000, 3))
        .file(&at("conf.d/Größe*.conf"), "x")
        .file(&at("conf.d/empty"), "")
        .folder(&at("modules"))
        .link(&at("sites-enabled"))
        .locked(&at("lock"), "x", "The file is in use by the system.")
}

fn tree(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let mark = if path.is_dir() { "/" } else { "" };
            found.push(format!("{}{mark}", path.strip_prefix(folder).unwrap().display()));
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            }
        }
    }
    found.sort();
    found
}

const WHOLE: [&str; 6] = ["conf.d/", "conf.d/Größe*.conf", "conf.d/a b.conf", "conf.d/empty", "modules/", "nginx.conf"];

#[test]
fn a_folder_is_refused_with_what_is_in_it() {
    let many = (0..30).fold(nginx(), |guest, nr| guest.file(&format!("{ROOT}/etc/many/{nr:02}"), "x"));
    let sim = world(many);
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/nginx"]);
    left_nothing(
        &sim,
        &env,
        &ran,
        5,
        "/etc/nginx on web01 is a folder with:\n  conf.d/\n  lock\n  modules/\n  nginx.conf\n",
    );
    assert!(ran.stderr.contains("--recursive brings the whole folder"), "{}", ran.stderr);
    let ran = recover(&env, &["latest:/etc/many", "--json"]);
    assert_eq!((ran.code, ran.json()["exit_code"].clone()), (Some(5), json!(5)));
    assert!(ran.stderr.contains("\n  19\n  and more\n") && !ran.stderr.contains("\n  20\n"), "{}", ran.stderr);
    left_nothing(
        &sim,
        &env,
        &recover(&env, &["latest:/tmp"]),
        5,
        "/tmp on web01 is a folder, and there is nothing in it.",
    );
}

#[test]
fn the_whole_tree_comes_and_what_can_not_be_had_is_named() {
    for (number, form) in [DownloadForm::Raw, DownloadForm::Zip].into_iter().enumerate() {
        let sim = world(nginx());
        sim.with_state(|s| {
            s.settings.flr.form = form;
            s.settings.flr.page_size = 2;
            s.settings.flr.past_end = if number == 0 { PastEnd::Empty } else { PastEnd::Status(404) };
            s.settings.flr.item_paths = if number == 0 { ItemPaths::Whole } else { ItemPaths::Name };
        });
        let env = home(&sim);
        let ran = recover(&env, &["latest:/etc/nginx", "--recursive"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(names(&env), ["nginx"]);
        let folder = env.project().join("nginx");
        assert_eq!(tree(&folder), WHOLE);
        assert_eq!(fs::read(folder.join("conf.d/a b.conf")).unwrap().len(), 70_000);
        for line in [
            "nginx/nginx.conf: 10 bytes, SHA-256 ",
            "left out: lock (\"The file is in use by the system\")",
            "left out: sites-enabled (\"Cannot restore. Links are not supported\")",
            "4 files in nginx: 68.3 KiB (70011 bytes)",
            "The disks are unmounted again.",
            "  scp -r ./nginx web01:/etc/",
        ] {
            assert!(ran.stdout.lines().any(|found| found.starts_with(line)), "no `{line}` in {}", ran.stdout);
        }
        assert!(
            ran.stderr.contains("/etc/nginx, with all that is in it if it is a folder, goes to nginx."),
            "{}",
            ran.stderr
        );
        assert!(sim.live_sessions().is_empty());
        assert_eq!(sim.sessions().len(), 1, "one mount for all");
    }
}

#[test]
fn as_json_each_file_has_its_digest() {
    let sim = world(nginx());
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/nginx", "-r", "--json", "--output", "before"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let told = ran.json();
    assert_eq!((&told["ok"], &told["file"], &told["size"]), (&json!(true), &json!("before"), &json!(70_011)));
    let mut files = told["files"].as_array().unwrap().clone();
    files.sort_by_key(|file| file["path"].to_string());
    assert_eq!((&files[1]["path"], &files[1]["file"]), (&json!("conf.d/a b.conf"), &json!("before/conf.d/a b.conf")));
    assert_eq!(
        (&files[1]["size"], &files[1]["sha256"]),
        (&json!(70_000), &json!(Content::generated(70_000, 3).sha256()))
    );
    assert_eq!((files.len(), told["left_out"].as_array().unwrap().len()), (4, 2));
    assert_eq!(told["put_back"], "scp -r ./before/. web01:/etc/nginx/");
    assert_eq!(told["unmount"]["ok"], true);
}

#[test]
fn a_file_with_recursive_is_a_file() {
    let sim = world(nginx());
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/nginx/nginx.conf", "--recursive"]);
    assert_eq!((ran.code, names(&env)), (Some(0), vec!["nginx.conf".to_owned()]), "{}", ran.stderr);
    let ran = recover(&env, &["latest:/etc/nginx/nginx.conf", "--recursive"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    let ran = recover(&env, &["latest:/etc/nginx/nginx.conf", "--recursive", "--force"]);
    assert_eq!((ran.code, names(&env).len()), (Some(0), 2), "{}", ran.stderr);
    // And a folder does not go where a file stands.
    let ran = recover(&env, &["latest:/etc/nginx", "--recursive", "--force", "--output", "nginx.conf"]);
    assert_eq!((ran.code, names(&env).len()), (Some(5), 2), "{}", ran.stderr);
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn what_stands_in_the_folder_is_the_reason_not_to_begin_or_kept() {
    let sim = world(nginx());
    let env = home(&sim);
    let folder = env.project().join("nginx");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("nginx.conf"), "mine").unwrap();
    fs::write(folder.join("other"), "mine too").unwrap();
    let ran = recover(&env, &["latest:/etc/nginx", "--recursive"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(ran.stderr.contains("The folder nginx is not empty."), "{}", ran.stderr);
    assert!(sim.requests_of(Step::FlrMount).is_empty());
    let ran = recover(&env, &["latest:/etc/nginx", "--recursive", "--force"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let found = tree(&folder);
    let kept: Vec<&String> = found.iter().filter(|name| name.contains(".before-")).collect();
    assert_eq!((found.len(), kept.len()), (WHOLE.len() + 2, 1), "{found:?}");
    assert_eq!(fs::read_to_string(folder.join(kept[0])).unwrap(), "mine");
    assert!(ran.stdout.contains(&format!("(what stood there is nginx/{})", kept[0])), "{}", ran.stdout);
    assert_eq!(fs::read_to_string(folder.join("other")).unwrap(), "mine too");
}

#[test]
fn links_that_stand_there_lead_no_file_away() {
    let sim = world(nginx());
    let env = home(&sim);
    let (folder, outside) = (env.project().join("nginx"), env.path("outside"));
    fs::create_dir(&folder).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("nginx.conf"), "precious").unwrap();
    symlink(&outside, folder.join("conf.d")).unwrap();
    symlink(outside.join("nginx.conf"), folder.join("nginx.conf")).unwrap();
    let ran = recover(&env, &["latest:/etc/nginx", "--recursive", "--force"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("nginx/conf.d stands where a folder of the guest goes."), "{}", ran.stderr);
    assert_eq!(tree(&outside), ["nginx.conf"]);
    assert_eq!(fs::read_to_string(outside.join("nginx.conf")).unwrap(), "precious");
}

#[test]
fn names_that_would_lead_out_or_can_not_be_shown_bring_the_rest_and_an_error() {
    let guest = nginx().file(&format!("{ROOT}/etc/nginx/a\nb"), "x").file(&format!("{ROOT}/etc/nginx/../../evil"), "x");
    let sim = world(guest);
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/nginx", "--recursive"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("4 of 6 files were brought to nginx, each of them whole. These were not:\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("its name leads to another folder"), "{}", ran.stderr);
    assert!(ran.stderr.contains("etc/nginx/a b: its name holds control characters"), "{}", ran.stderr);
    assert_eq!(tree(&env.project())[1..3], ["nginx/conf.d/".to_owned(), "nginx/conf.d/Größe*.conf".to_owned()]);
    assert!(!tree(&env.path("")).iter().any(|name| name.contains("evil")));
    assert!(sim.live_sessions().is_empty());
}

/// Recovers the folder while the downloads that are not the first fail like that.
fn with_fault(fault: Fault, times: Times) -> (Sim, Env, Ran) {
    let sim = world(nginx());
    sim.fault(Step::Download, fault, times);
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/nginx", "--recursive"]);
    assert!(sim.live_sessions().is_empty());
    (sim, env, ran)
}

#[test]
fn a_file_that_fails_does_not_keep_the_others() {
    let (_, env, ran) = with_fault(Fault::Status(500, String::new()), Times::Nth(2));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("3 of 4 files were brought to nginx, each of them whole."), "{}", ran.stderr);
    let files = tree(&env.project().join("nginx")).iter().filter(|name| !name.ends_with('/')).count();
    assert_eq!(files, 3);
    let (_, env, ran) = with_fault(Fault::Truncated, Times::Always);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains(" of 4 files were brought"), "{}", ran.stderr);
    for name in tree(&env.project()).iter().filter(|name| !name.ends_with('/')) {
        // An empty one is whole however little of it comes.
        assert_eq!(name, "nginx/conf.d/empty");
    }
    let (sim, env, ran) = with_fault(Fault::ResetBefore, Times::Always);
    assert_eq!(ran.code, Some(6), "{}", ran.stderr);
    assert!(ran.stderr.contains("0 of 4 files were brought"), "{}", ran.stderr);
    assert_eq!((names(&env), sim.requests_of(Step::Download).len()), (vec![], 1), "no folder stays for nothing");
}
