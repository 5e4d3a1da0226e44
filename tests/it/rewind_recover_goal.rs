//! `rewind recover`: what stands at the goal, disks that do not take a file, and names of every kind.

use crate::env::{Env, Ran};
use crate::guard_story::{home, home_with};
use crate::rewind_recover::{GOOD, ROOT, TAG, left_nothing, linux, names, recover, world};
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::process::Command;
use std::time::Duration;
use zvm_sim::{Content, DownloadForm, Fault, Guest, Sim, Step, Times, VmSpec, VpgSpec};

#[test]
fn what_stands_there_is_kept_or_the_reason_not_to_begin() {
    let sim = linux();
    let env = home(&sim);
    let file = env.project().join("app.yaml");
    fs::write(&file, "mine").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let ran = recover(&env, &["latest:/etc/app.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(5), ""));
    assert!(ran.stderr.contains("app.yaml exists.") && ran.stderr.contains("--force"), "{}", ran.stderr);
    for (name, words) in [
        ("folder", "folder is a folder.\nName the file: --output folder/app.yaml"),
        ("dangling", "is a link to something that does not exist"),
        ("/dev/null", "/dev/null is a device, and no file."),
        ("-", "`zerto-guard rewind cat` writes a file's bytes to stdout"),
        ("folder/nowhere/x", "There is no folder folder/nowhere."),
    ] {
        let _ = fs::create_dir(env.project().join("folder"));
        let _ = symlink("nowhere", env.project().join("dangling"));
        let ran = recover(&env, &["latest:/etc/app.yaml", "--force", "--output", name]);
        assert!(ran.code == Some(5) || name.contains("nowhere") && ran.code == Some(1), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{name}: {}", ran.stderr);
    }
    assert!(sim.requests_of(Step::FlrMount).is_empty(), "nothing is mounted for nothing");
    let ran = recover(&env, &["latest:/etc/app.yaml", "--force", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let kept = ran.json()["kept"].as_str().unwrap().to_owned();
    assert!(kept.starts_with("app.yaml.before-20") && kept.ends_with('Z'), "{kept}");
    assert_eq!(fs::read_to_string(env.project().join(&kept)).unwrap(), "mine");
    assert_eq!(
        (fs::read_to_string(&file).unwrap().as_str(), fs::metadata(&file).unwrap().mode() & 0o777),
        (GOOD, 0o640)
    );
    let ran = recover(&env, &["latest:/etc/app.yaml", "--force"]);
    assert!(ran.stderr.contains("/etc/app.yaml replaces app.yaml; what stands there now is kept"), "{}", ran.stderr);
    assert!(ran.stdout.contains("\nWhat stood there is app.yaml.before-20"), "{}", ran.stdout);
    assert_eq!(names(&env).len(), 5, "the file, two kept ones, the folder and the link");
}

#[test]
fn a_transfer_that_fails_leaves_what_stood_there_as_it_was() {
    let sim = linux();
    sim.fault(Step::Download, Fault::Truncated, Times::Always);
    let env = home(&sim);
    fs::write(env.project().join("app.yaml"), "mine").unwrap();
    let ran = recover(&env, &["latest:/etc/app.yaml", "--force"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert_eq!(
        (names(&env), fs::read_to_string(env.project().join("app.yaml")).unwrap()),
        (vec!["app.yaml".into()], "mine".into())
    );
}

#[test]
fn a_file_that_comes_to_stand_there_meanwhile_is_not_written_over() {
    let sim = linux();
    sim.fault(Step::Download, Fault::Delay(Duration::from_millis(800)), Times::Always);
    let env = home(&sim);
    let child = env.spawn(&["rewind", "recover", "latest:/etc/app.yaml", "--yes"]);
    assert!(sim.wait_until(Duration::from_secs(30), |sim| {
        sim.requests_of(Step::FlrLink).iter().any(|request| request.finished.is_some())
    }));
    fs::write(env.project().join("app.yaml"), "somebody's").unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(ran.stderr.contains("app.yaml exists."), "{}", ran.stderr);
    assert_eq!(names(&env), ["app.yaml"]);
    assert_eq!(fs::read_to_string(env.project().join("app.yaml")).unwrap(), "somebody's");
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn a_disk_that_does_not_take_it_is_told_and_left_clean() {
    let huge = world(Guest::linux("web01").file(&format!("{ROOT}/srv/huge"), Content::generated(1 << 50, 5)));
    let env = home(&huge);
    let ran = recover(&env, &["latest:/srv/huge"]);
    left_nothing(&huge, &env, &ran, 1, "has 1125899906842624 bytes, and the disk of ");
    assert!(huge.requests_of(Step::Download).is_empty());
    // Nobody may write there, root neither; and it is known before anything is mounted.
    let sim = linux();
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/app.yaml", "--output", "/proc/app.yaml"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("The folder /proc can't be written"), "{}", ran.stderr);
    assert!(sim.requests_of(Step::FlrMount).is_empty());
    // A write that fails in the middle: here, at a limit for the size of files.
    let sim = world(Guest::linux("web01").file(&format!("{ROOT}/srv/blob"), Content::generated(900_000, 5)));
    for form in [DownloadForm::Raw, DownloadForm::Zip] {
        sim.with_state(|s| s.settings.flr.form = form);
        let env = home(&sim);
        let line = format!(
            "trap '' XFSZ; ulimit -f 512; exec '{}' rewind recover latest:/srv/blob --yes",
            Env::binary().display()
        );
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &line]).env_clear().env("HOME", env.home()).current_dir(env.project());
        let ran = Ran::from(command.output().unwrap());
        left_nothing(&sim, &env, &ran, 1, "could not be written into");
    }
}

#[test]
fn names_of_every_kind_come_back_under_their_own_name() {
    let odd = [
        "report 2026 (final).csv",
        "Größe – Übersicht.txt",
        "a*b?[c].d",
        "dots...",
        "it's \"quoted\" $(x) `y`",
        "-rf",
        "a:b",
        ".hidden",
        "日本語",
        "x ",
        " y",
    ];
    let guest = odd.iter().fold(Guest::linux("web01"), |guest, name| guest.file(&format!("{ROOT}/srv/{name}"), *name));
    let sim = world(guest);
    let env = home(&sim);
    for name in odd {
        let ran = recover(&env, &[&format!("latest:/srv/{name}"), "--json"]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        assert_eq!(fs::read_to_string(env.project().join(name)).unwrap(), name);
        assert!(ran.json()["put_back"].as_str().unwrap().starts_with("scp "), "{}", ran.stdout);
    }
    let ran = recover(&env, &["latest:/srv/it's \"quoted\" $(x) `y`", "--output", "q"]);
    assert!(ran.stdout.contains(r#"  scp -s ./q 'web01:/srv/it'\''s "quoted" $(x) `y`'"#), "{}", ran.stdout);
}

#[test]
fn a_windows_guests_file() {
    let sim = Sim::builder()
        .vm(VmSpec::new("win01")
            .guest_os("Microsoft Windows Server 2022 (64-bit)")
            .vpg(VpgSpec::local("gold"))
            .guest(Guest::windows("win01")))
        .start();
    sim.put_tag("gold", Duration::from_secs(120), &TAG.replace("web01", "win01")).unwrap();
    let env = home_with(&sim, "[hosts]\n\"win01.corp.example\" = \"win01\"\n");
    let ran = recover(&env, &["latest:C:\\Users\\j\\Documents\\Größe – Übersicht.txt"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read(env.project().join("Größe – Übersicht.txt")).unwrap(), b"42\r\n");
    let line = "To put it back, in PowerShell:\n  $s = New-PSSession -ComputerName win01.corp.example; Copy-Item -LiteralPath \
                './Größe – Übersicht.txt' -Destination 'C:\\Users\\j\\Documents\\Größe – Übersicht.txt' -ToSession $s\n";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    let ran = recover(&env, &["latest:c:/users/J/APP.CONF"]);
    assert_eq!(
        (ran.code, fs::read(env.project().join("APP.CONF")).unwrap()),
        (Some(0), b"listen=8080\r\nworkers=4\r\n".to_vec())
    );
    let ran = recover(&env, &["latest:C:\\pagefile.sys"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("on win01 can't be downloaded: \"The file is in use by the system\"."),
        "{}",
        ran.stderr
    );
}
