//! The binary: what it prints, and what it leaves behind (nothing).

#![allow(clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

const BIN: &str = env!("CARGO_BIN_EXE_zvm-sim");

#[test]
fn help_and_wrong_options() {
    let help = Command::new(BIN).arg("--help").output().unwrap();
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("--config-out FILE"));
    let no_peer = Command::new(BIN).args(["--with-peer", "none"]).output().unwrap();
    assert_eq!(no_peer.status.code(), Some(1));
    for args in [&["--bogus"][..], &["--port"], &["--port", "70000"]] {
        let wrong = Command::new(BIN).args(args).output().unwrap();
        assert_eq!((wrong.status.code(), wrong.stdout.len()), (Some(2), 0), "{args:?}");
        assert!(String::from_utf8_lossy(&wrong.stderr).starts_with("zvm-sim: "));
    }
}

#[cfg(unix)]
#[test]
fn it_prints_a_config_and_clears_up() {
    use std::os::unix::fs::PermissionsExt as _;

    let config = std::env::temp_dir().join(format!("zvm-sim-test-{}.toml", std::process::id()));
    let mut child = Command::new(BIN)
        .args(["--with-peer", "bos", "--config-out"])
        .arg(&config)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut printed: Vec<String> = Vec::new();
    for line in lines {
        printed.push(line);
        if printed.last().is_some_and(|l| l.starts_with("Ctrl-C")) {
            break;
        }
    }
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(printed.join("\n").contains(text.trim_end()), "the same as was printed");
    assert_eq!(std::fs::metadata(&config).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(text.matches("[[zvm]]").count() == 2 && text.contains("name = \"bos\""));
    let password = text.lines().find_map(|l| l.strip_prefix("password_file = ")).unwrap().trim_matches('"').to_owned();
    assert_eq!(std::fs::read_to_string(&password).unwrap(), "correct horse");
    let ended = Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(ended.success() && child.wait().unwrap().success());
    assert!(!std::path::Path::new(&password).exists());
    std::fs::remove_file(config).unwrap();
}
