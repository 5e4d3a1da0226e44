//! Whose files they are, who else can read or write them, and what stands in their place: links, pipes, devices.

use crate::env::{Env, Ran};
use crate::guard_story::{change, demo, home};
use crate::search::searched;
use serde_json::json;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use zvm_sim::{Sim, Step};

const NOBODY: u32 = 65_534;

/// What is done to a file so that it is no longer to be trusted, and its name.
type Spoilt = (&'static str, fn(&Env, &Path));

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// A home in which everything of the state folder that a guard and a question make is there.
fn used(sim: &Sim) -> Env {
    let env = home(sim);
    assert_eq!(env.hook(change(&env, "db01")).code, Some(0));
    env.hook(unknown(&env)).denied("answer zgq-");
    sim.clear_log();
    env
}

fn unknown(env: &Env) -> String {
    env.mcp("winrm", "run_ps", json!({"host": "db01", "script": "& $upkeep"}))
}

fn only_file_in(folder: &Path) -> PathBuf {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

/// Moves it out of the state folder and puts a link in its place; gives where it is now.
fn linked(env: &Env, path: &Path) -> PathBuf {
    let moved = env.path("moved");
    fs::rename(path, &moved).unwrap();
    symlink(&moved, path).unwrap();
    moved
}

/// Everything below a folder (or the file itself), and what it holds.
fn below(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if !path.is_dir() {
        return vec![(path.to_owned(), fs::read(path).unwrap())];
    }
    let mut all: Vec<_> = fs::read_dir(path).unwrap().flat_map(|entry| below(&entry.unwrap().path())).collect();
    all.sort();
    all
}

/// Nothing was sent but what only asks, and no tag was made since.
#[track_caller]
fn nothing_was_changed(sim: &Sim, ran: &Ran) {
    assert!(sim.requests_of(Step::Insert).is_empty(), "{}", ran.stderr);
}

#[test]
fn a_link_in_the_state_folder_is_not_followed() {
    std::thread::scope(|scope| {
        for (place, call) in [
            ("", 'c'),
            ("", 'u'),
            ("tokens", 'c'),
            ("locks", 'c'),
            ("audit.jsonl", 'c'),
            ("audit.jsonl", 'u'),
            ("questions", 'u'),
            ("answers", 'u'),
        ] {
            scope.spawn(move || {
                let sim = demo().start();
                let env = used(&sim);
                let place = if place.is_empty() { env.state_dir() } else { env.state_dir().join(place) };
                let moved = linked(&env, &place);
                let before = below(&moved);
                let ran = env.hook(if call == 'c' { change(&env, "db01") } else { unknown(&env) });
                ran.denied(&env.state_dir().display().to_string());
                // What can't be written down is asked about all the same.
                assert!(place.ends_with("audit.jsonl") || !ran.stderr.contains("answer zgq-"), "{}", ran.stderr);
                assert_eq!(below(&moved), before, "{}: written through the link", place.display());
                // The tag is made before it is written down; that it can't be is a deny all the same.
                if !place.ends_with("audit.jsonl") {
                    nothing_was_changed(&sim, &ran);
                }
                assert!(place.is_symlink());
                searched(&env, &[&sim], &[&ran]);
            });
        }
    });
}

#[test]
fn what_is_in_files_behind_links_or_open_to_others_counts_for_nothing() {
    let spoil: [Spoilt; 5] = [
        ("a link", |env, path| drop(linked(env, path))),
        ("others can read it", |_, path| mode(path, 0o640)),
        ("others can write it", |_, path| mode(path, 0o602)),
        ("a pipe", |_, path| {
            fs::remove_file(path).unwrap();
            assert!(Command::new("mkfifo").args(["-m", "600"]).arg(path).status().unwrap().success());
        }),
        ("somebody else's", |_, path| chown(path, Some(NOBODY), None).unwrap()),
    ];
    std::thread::scope(|scope| {
        for (what, spoil) in spoil {
            if what == "somebody else's" && !is_root() {
                continue;
            }
            scope.spawn(move || {
                let sim = demo().start();
                let env = used(&sim);
                // A token: another one is fetched, and put in its place.
                let token = only_file_in(&env.state_dir().join("tokens"));
                spoil(&env, &token);
                let ran = env.hook(change(&env, "db01"));
                assert_eq!((ran.code, sim.requests_of(Step::Token).len()), (Some(0), 1), "{what}: {}", ran.stderr);
                let about = token.symlink_metadata().unwrap();
                assert!(about.is_file() && about.permissions().mode() & 0o7777 == 0o600, "{what}");
                // A pause: what would run in it does not.
                let pause = env.state_dir().join("pause.json");
                let now = jiff::Timestamp::now();
                let span = jiff::SignedDuration::from_mins(5);
                let text = json!({"from": now.checked_sub(span).unwrap(), "until": now.checked_add(span).unwrap(), "reason": "x"});
                env.write(&pause, &text.to_string());
                assert_eq!(env.hook(unknown(&env)).code, Some(0), "a pause that is in order serves");
                let _ = fs::remove_file(env.path("moved"));
                spoil(&env, &pause);
                env.hook(unknown(&env)).denied("answer zgq-");
                // An answer: the call is asked about again.
                let question = only_file_in(&env.state_dir().join("questions"));
                let call = serde_json::from_slice::<serde_json::Value>(&fs::read(&question).unwrap()).unwrap()["call"].clone();
                let answer = env.state_dir().join("answers").join(call.as_str().unwrap());
                env.write(&answer, &json!({"given": now, "guard": false, "vms": []}).to_string());
                assert_eq!(env.hook(unknown(&env)).code, Some(0), "an answer that is in order serves");
                env.write(&answer, &json!({"given": now, "guard": false, "vms": []}).to_string());
                let _ = fs::remove_file(env.path("moved"));
                spoil(&env, &answer);
                env.hook(unknown(&env)).denied("answer zgq-");
                searched(&env, &[&sim], &[&ran]);
            });
        }
    });
}

fn is_root() -> bool {
    // SAFETY: takes nothing and can't fail.
    let is_root = unsafe { libc::geteuid() } == 0;
    if !is_root {
        eprintln!("not tried: files of somebody else, which root alone can make");
    }
    is_root
}

#[test]
fn a_lock_or_a_log_that_is_none_is_a_deny_and_holds_nobody_up() {
    let spoil: [Spoilt; 4] = [
        ("a link", |env, path| drop(linked(env, path))),
        ("a pipe", |_, path| {
            fs::remove_file(path).unwrap();
            assert!(Command::new("mkfifo").args(["-m", "600"]).arg(path).status().unwrap().success());
        }),
        // Of a file that is open to others: theirs is it as well.
        ("a second name", |env, path| {
            fs::remove_file(path).unwrap();
            env.write(&env.path("precious"), "precious");
            mode(&env.path("precious"), 0o644);
            fs::hard_link(env.path("precious"), path).unwrap();
        }),
        ("a folder", |_, path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        }),
    ];
    std::thread::scope(|scope| {
        for (what, spoil) in spoil {
            scope.spawn(move || {
                let sim = demo().start();
                let env = used(&sim);
                let locks: Vec<PathBuf> =
                    fs::read_dir(env.state_dir().join("locks")).unwrap().map(|entry| entry.unwrap().path()).collect();
                let vpg = sim.vpg_id("db01-dr").unwrap();
                let lock = locks.iter().find(|path| path.to_string_lossy().contains(&vpg[..30])).unwrap();
                let at = lock.with_extension("kept");
                for path in [lock, &env.state_dir().join("audit.jsonl")] {
                    let bytes = fs::read(path).unwrap();
                    spoil(&env, path);
                    sim.clear_log();
                    let ran = env.hook(change(&env, "db01"));
                    ran.denied(&path.display().to_string());
                    if path == lock {
                        nothing_was_changed(&sim, &ran);
                    }
                    for (file, kept) in [("precious", b"precious".to_vec()), ("moved", bytes.clone())] {
                        let now = fs::read(env.path(file));
                        assert!(now.is_err() || now.unwrap() == kept, "{what}: {file} was written");
                        let _ = fs::remove_file(env.path(file));
                    }
                    let _ = fs::rename(path, &at);
                    let _ = fs::remove_file(&at);
                    let _ = fs::remove_dir(&at);
                    env.write(path, &String::from_utf8(bytes).unwrap());
                }
            });
        }
    });
}

#[test]
fn a_state_folder_that_others_can_open_or_own_is_refused() {
    let sim = demo().start();
    let env = used(&sim);
    for folder in [env.state_dir(), env.state_dir().join("tokens"), env.state_dir().join("locks")] {
        for bits in [0o750, 0o705, 0o702, 0o777] {
            mode(&folder, bits);
            env.hook(change(&env, "db01")).denied(&format!("chmod 700 '{}'", folder.display()));
        }
        mode(&folder, 0o700);
        if is_root() {
            chown(&folder, Some(NOBODY), None).unwrap();
            env.hook(change(&env, "db01")).denied("belongs to the user with the number 65534");
            chown(&folder, Some(0), None).unwrap();
        }
    }
    assert!(sim.requests_of(Step::Insert).is_empty());
    assert_eq!(env.hook(change(&env, "db01")).code, Some(0), "and all is well again");
}

#[test]
fn a_config_a_catalog_or_a_secret_that_others_can_write_is_refused() {
    let sim = demo().start();
    let env = home(&sim).catalog("schema = 1\n[server.x]\nread_only = ['y']\n");
    let password = env.path("secret/password");
    env.write(&password, "correct horse\n");
    let config = env.config_dir().join("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    let own = sim.password_file().display().to_string();
    env.write(&config, &text.replace(&own, &password.display().to_string()));
    mode(&env.path("secret"), 0o700);
    let call = || env.hook(change(&env, "db01"));
    assert_eq!(call().code, Some(0));
    fs::remove_dir_all(env.state_dir().join("tokens")).unwrap();
    for file in [config, env.config_dir().join("catalog.toml"), password.clone()] {
        let (folder, secret) = (file.parent().unwrap(), file == password);
        let named = |ran: &Ran| {
            ran.denied(&file.display().to_string());
        };
        for bits in [0o602, 0o666, 0o620] {
            mode(&file, bits);
            // The group of a user of its own may write what is not secret.
            let ran = call();
            if secret || bits & 0o002 != 0 {
                named(&ran);
                ran.denied("chmod");
            }
        }
        mode(&file, 0o600);
        let before = folder.metadata().unwrap().permissions().mode() & 0o7777;
        mode(folder, 0o757);
        call().denied(&format!("chmod go-w '{}'", folder.display()));
        mode(folder, before);
        let listed = Command::new("setfacl").args(["-m", "u:12345:rw"]).arg(&file).status();
        match listed {
            Ok(status) if status.success() => {
                named(&call());
                assert!(Command::new("setfacl").arg("-b").arg(&file).status().unwrap().success());
                mode(&file, 0o600);
            }
            _ => crate::env::skip("access lists can't be set here"),
        }
        if is_root() {
            chown(&file, Some(NOBODY), None).unwrap();
            named(&call());
            chown(&file, Some(0), None).unwrap();
            chown(folder, Some(NOBODY), None).unwrap();
            call().denied(&folder.display().to_string());
            chown(folder, Some(0), None).unwrap();
        }
        // Of a link its target counts, and the folders on the way.
        let (there, between) = (env.path("there"), env.path("between"));
        for made in [&there, &between] {
            fs::create_dir_all(made).unwrap();
            mode(made, 0o755);
        }
        fs::rename(&file, there.join("f")).unwrap();
        symlink(there.join("f"), between.join("l")).unwrap();
        symlink(between.join("l"), &file).unwrap();
        assert_eq!(call().code, Some(0), "a link that nobody else can turn is followed");
        fs::remove_dir_all(env.state_dir().join("tokens")).unwrap();
        for made in [&there, &between] {
            mode(made, 0o777);
            call().denied(&format!("chmod go-w '{}'", made.display()));
            mode(made, 0o755);
        }
        mode(&there.join("f"), 0o606);
        call().denied("chmod");
        mode(&there.join("f"), 0o600);
        fs::remove_file(&file).unwrap();
        fs::rename(there.join("f"), &file).unwrap();
        fs::remove_file(between.join("l")).unwrap();
        // What is no file holds nobody up.
        for device in ["/dev/zero", "/dev/tty", "/dev/stdin"] {
            fs::rename(&file, there.join("f")).unwrap();
            symlink(device, &file).unwrap();
            call().denied("");
            fs::remove_file(&file).unwrap();
            assert!(Command::new("mkfifo").args(["-m", "600"]).arg(&file).status().unwrap().success());
            named(&call());
            fs::remove_file(&file).unwrap();
            fs::rename(there.join("f"), &file).unwrap();
        }
        assert_eq!(call().code, Some(0), "{}: all is well again", file.display());
        fs::remove_dir_all(env.state_dir().join("tokens")).unwrap();
    }
    mode(&password, 0o640);
    call().denied("chmod 600");
    mode(&password, 0o604);
    call().denied("chmod 600");
}
