//! `rewind ls`: a guest's folder as it was, whole, whatever the ZVM's pages are like.

use crate::env::{Env, Ran};
use crate::guard_story::{home, home_with};
use crate::rewind_cat::{TAG, world};
use crate::rewind_sessions::{lost, without_a_terminal};
use serde_json::{Value, json};
use zvm_sim::{Guest, ItemPaths, PastEnd, Sim, Step};

fn ls(env: &Env, what: &str) -> Ran {
    env.run(&["rewind", "ls", "--yes", what])
}

fn names(sim: &Sim, env: &Env, what: &str) -> Vec<String> {
    let ran = env.run(&["rewind", "ls", "--yes", "--json", what]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{what}");
    assert!(sim.live_sessions().is_empty());
    ran.json().as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_folder_as_it_was() {
    let sim = world(Guest::linux("web01").folder("partition#1 Ext4/etc/nginx"));
    sim.put_file("web01", "partition#1 Ext4/etc/new", "x");
    sim.remove_file("web01", "partition#1 Ext4/etc/hostname");
    let env = home(&sim);
    let ran = ls(&env, "latest:/etc");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        ran.stdout,
        "SIZE  MODIFIED (UTC)       KIND    NAME\n\
         24    2026-01-01 00:00:00  file    app.yaml\n\
         6     2026-01-01 00:00:00  file    hostname\n\
         -     2026-01-01 00:00:00  file    mtab  (\"Cannot restore. Links are not supported.\")\n\
         -     2026-01-01 00:00:00  folder  nginx\n\
         14    2026-01-01 00:00:00  file    os-release\n"
    );
    for words in [TAG, "\n/etc is listed.\n", "zerto-guard: /etc on web01 is \"partition#1 Ext4/etc\": 5 entries\n"] {
        assert!(ran.stderr.contains(words), "no `{words}` in {}", ran.stderr);
    }
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn as_json_it_is_a_list() {
    let sim = world(Guest::linux("web01"));
    let env = home(&sim);
    let ran = env.run(&["rewind", "ls", "--yes", "--json", "latest:/etc"]);
    let items: Vec<Value> = ran.json().as_array().unwrap().clone();
    assert_eq!(
        items[0],
        json!({
            "name": "app.yaml",
            "path": "partition#1 Ext4/etc/app.yaml",
            "kind": "file",
            "size": 24,
            "modified": "2026-01-01T00:00:00Z",
            "downloadable": true,
            "remark": null,
        })
    );
    let link = items.iter().find(|item| item["name"] == "mtab").unwrap();
    assert_eq!((&link["downloadable"], &link["size"]), (&json!(false), &json!(null)));
    assert_eq!(link["remark"], "Cannot restore. Links are not supported.");
    assert_eq!(names(&sim, &env, "latest:/tmp"), [""; 0], "an empty folder is an empty list");
}

#[test]
fn every_page_of_a_folder_of_thousands() {
    let guest = (0..2500).fold(Guest::new(), |guest, nr| guest.file(&format!("partition#0 XFS/d/f{nr:04}"), "x"));
    let wanted: Vec<String> = (0..2500).map(|nr| format!("f{nr:04}")).collect();
    for (base, size, past_end, pages) in [
        (0, 1000, PastEnd::Empty, true),
        (1, 1000, PastEnd::LastAgain, true),
        (0, 1250, PastEnd::Status(404), true),
        (1, 2500, PastEnd::Status(400), true),
        (0, 5000, PastEnd::Empty, false),
    ] {
        let sim = world(guest.clone());
        sim.with_state(|s| {
            (s.settings.flr.page_base, s.settings.flr.page_size) = (base, size);
            (s.settings.flr.past_end, s.settings.flr.pages) = (past_end, pages);
            s.settings.flr.item_paths = if base == 0 { ItemPaths::Whole } else { ItemPaths::Name };
        });
        let env = home(&sim);
        assert!(names(&sim, &env, "latest:/d") == wanted, "{base} {size} {past_end:?} {pages}");
        let ran = ls(&env, "latest:/d");
        assert_eq!(ran.stdout.lines().count(), 2501);
        assert!(ran.stderr.contains(": 2500 entries"), "{}", ran.stderr);
    }
}

#[test]
fn a_root_lists_the_partitions() {
    let sim = world(Guest::windows("web01").file("Disk#1/partition#0 NTFS/Data/x", "x"));
    let env = home(&sim);
    let ran = ls(&env, "latest:C:\\");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let kinds: Vec<Vec<&str>> = ran.stdout.lines().skip(1).map(|line| line.split("  ").collect()).collect();
    let [first, ..] = kinds.as_slice() else { panic!("{}", ran.stdout) };
    assert!(first.contains(&"partition") && first.contains(&"Disk#1/partition#0 NTFS"), "{}", ran.stdout);
    assert_eq!(kinds.len(), 3, "{}", ran.stdout);
    assert!(ran.stderr.contains("web01 has 3 partitions"), "{}", ran.stderr);
    assert_eq!(names(&sim, &env, "latest:D:/data"), ["x"]);
    let pinned = home_with(&sim, "[paths]\n'web01:C:\\' = \"partition#1 NTFS\"\n");
    assert_eq!(names(&sim, &pinned, "latest:C:\\"), ["Documents and Settings", "Users", "Windows", "pagefile.sys"]);
    let ran = ls(&pinned, "latest:C:\\");
    assert!(ran.stdout.contains("pagefile.sys  (\"The file is in use by the system.\")"), "{}", ran.stdout);
    // One partition alone is what its root is.
    let single = world(Guest::new().file("partition#0 XFS/a/b", "x"));
    assert_eq!(names(&single, &home(&single), "latest:/"), ["a"]);
}

#[test]
fn what_is_one_file_or_empty_or_not_to_be_told() {
    let sim = world(
        Guest::linux("web01").file("partition#2 XFS/log/x", "x").file("partition#2 XFS/a\u{1b}[31m\u{202e}b", "x"),
    );
    let env = home(&sim);
    assert_eq!(names(&sim, &env, "latest:/etc/app.yaml"), ["app.yaml"]);
    let empty = ls(&env, "latest:/tmp");
    assert_eq!((empty.code, empty.stdout.as_str()), (Some(0), ""));
    assert!(
        empty.stderr.contains("/tmp on web01 is empty (\"partition#1 Ext4/tmp\"). If the guest mounts"),
        "{}",
        empty.stderr
    );
    for (path, code, words) in [
        ("/var/log", 4, "partition#2 XFS/log"),
        ("/nosuch", 3, "/nosuch is not there on web01"),
        ("/etc/../x", 64, "without .."),
        ("etc", 64, "begins with /"),
    ] {
        let ran = ls(&env, &format!("latest:{path}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{path}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        assert!(sim.live_sessions().is_empty());
    }
    let pinned = home_with(&sim, "[paths]\n\"web01:/x\" = \"partition#2 XFS\"\n");
    assert!(ls(&pinned, "latest:/x").stdout.contains("  ab\n"), "a name can do nothing to a terminal");
    assert_eq!(names(&sim, &pinned, "latest:/x")[0], "a\u{1b}[31m\u{202e}b", "and a program gets it as it is");
}

#[test]
fn a_deep_path_costs_few_questions() {
    let mut guest = Guest::new();
    for nr in 0..5 {
        guest = guest.file(&format!("partition#{nr} Ext4/other{nr}/x"), "x");
    }
    let sim = world(guest.file("partition#4 Ext4/a/b/c/d/e/f/g/h", "x"));
    let env = home(&sim);
    assert_eq!(names(&sim, &env, "latest:/a/b/c/d/e/f/g/h"), ["h"]);
    let asked = sim.requests_of(Step::FlrBrowse).len();
    // The partitions, their roots, and the seven folders; a second page of each that was read to its end, which the last ones
    // were not.
    assert!(asked <= 2 * (1 + 5) + 8 + 1, "{asked}");
}

#[test]
fn a_zvm_that_is_silent_is_told_before_the_yes_and_makes_no_tag_a_maybe() {
    let sim = world(Guest::linux("web01"));
    let env = home_with(&sim, &lost(&sim));
    if let Some(ran) = without_a_terminal(&env, &["rewind", "ls", "latest:/etc", "--vm", "web01"]) {
        assert_eq!(ran.code, Some(5), "{}", ran.stderr);
        let plan = ran.stderr.split("/etc is listed.").next().unwrap();
        assert!(plan.contains("Not all could be read: ") && plan.contains("lost"), "{}", ran.stderr);
    }
    let ran = env.run(&["rewind", "ls", "latest:/etc", "--vm", "web01", "--yes"]);
    assert_eq!((ran.code, ran.stderr.matches("Not all could be read: ").count()), (Some(0), 1), "{}", ran.stderr);
    for command in [&["ls", "nosuch:/etc"][..], &["show", "nosuch"], &["clone", "nosuch", "--yes"]] {
        let ran = env.run(&[&["rewind"], command, &["--json"]].concat());
        assert_eq!((ran.code, &ran.json()["exit_code"]), (Some(6), &json!(6)), "{command:?}: {}", ran.stdout);
        assert!(ran.json()["hint"].as_str().unwrap().contains("lost"), "{}", ran.stdout);
    }
    assert!(sim.live_sessions().is_empty());
    let ran = home(&sim).run(&["rewind", "show", "nosuch"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
}
