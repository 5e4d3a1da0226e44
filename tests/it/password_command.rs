//! `password_command`: it is started by us alone, says its first line and nothing else, and neither holds us up nor outlives
//! us.

use crate::env::{Env, Ran};
use crate::guard_story::{change, demo};
use crate::trust_command::on_a_terminal;
use std::fs;
use std::time::Duration;
use zvm_sim::Sim;

const PASSWORD: &str = "correct horse";

/// A home whose config has this shell script for a password command, with these arguments, in place of the file.
fn home(sim: &Sim, script: &str, arguments: &str, more: &str) -> Env {
    let env = Env::new();
    let program = env.path("password");
    env.program(&program, &format!("#!/bin/sh\ncd '{}'\n{script}\n", env.path("").display()));
    let command = format!("password_command = ['{}'{arguments}]", program.display());
    let config = sim.config_toml();
    let lines: Vec<&str> =
        config.lines().map(|line| if line.starts_with("password_file") { command.as_str() } else { line }).collect();
    env.config(&format!("{}\n{more}", lines.join("\n")))
}

/// Waits until the process whose number the script has noted is gone.
fn ends(env: &Env, file: &str) -> bool {
    let number = fs::read_to_string(env.path(file)).unwrap();
    // After the name in parentheses comes the state; Z is a process that has ended, and that nobody has asked about.
    let lives = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
    };
    (0..400).any(|_| {
        !lives() || {
            std::thread::sleep(Duration::from_millis(10));
            false
        }
    })
}

fn noted(env: &Env, file: &str) -> bool {
    let is_there = || fs::read_to_string(env.path(file)).is_ok_and(|text| text.ends_with('\n'));
    (0..1000).any(|_| {
        is_there() || {
            std::thread::sleep(Duration::from_millis(10));
            false
        }
    })
}

#[test]
fn one_that_fails_or_never_ends_is_a_deny_that_names_it_and_nothing_of_it_lives_on() {
    // (what it does, what is said, the processes that have to be gone)
    let hangs = "sleep 300 & echo $! > child; echo $$ > own; sleep 300";
    let cases: [(&str, &str, &[&str]); 5] = [
        // Before the deadline: what is said then is that the guard was late.
        (hangs, "did not end in time and was stopped", &["child", "own"]),
        ("sleep 300 & echo $! > child; echo $$ > own; yes 'correct horse'", "more than 64 KiB", &["child", "own"]),
        ("echo 'correct horse'; printf '\\033[2Jcorrect horse\\n' >&2; exit 3", "it ended with 3", &[]),
        ("printf '\\377correct horse\\n'", "is not UTF-8", &[]),
        ("echo 'correct horse' >&2", "is empty", &[]),
    ];
    std::thread::scope(|scope| {
        for (script, words, gone) in cases {
            scope.spawn(move || {
                let sim = demo().start();
                let env = home(&sim, script, "", "[guard]\ndeadline = '5s'\n");
                let ran = env.hook(change(&env, "web01"));
                ran.denied(words).denied("/password");
                assert!(sim.requests().is_empty(), "something was sent");
                let log = fs::read_to_string(env.state_dir().join("audit.jsonl")).unwrap();
                for text in [&ran.stderr, &log] {
                    assert!(!text.contains(PASSWORD) && !text.contains('\u{1b}'), "{text}");
                }
                for file in gone {
                    assert!(ends(&env, file), "{script}: {file} lives on");
                }
            });
        }
    });
}

#[test]
fn what_it_leaves_in_the_background_holds_nobody_up() {
    let sim = demo().start();
    let env = home(&sim, "sleep 300 & echo $! > child; echo 'correct horse'", "", "[guard]\ndeadline = '30s'\n");
    let ran = env.hook(change(&env, "web01"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // An agent that keeps keys for a while is no fault of its: it is left alone.
    let number = fs::read_to_string(env.path("child")).unwrap().trim().parse().unwrap();
    // SAFETY: the process is this test's own.
    assert_eq!(unsafe { libc::kill(number, libc::SIGKILL) }, 0);
}

#[test]
fn no_shell_reads_it_and_it_gets_neither_stdin_nor_a_terminal_nor_the_agents_folder() {
    let sim = demo().start();
    let script = "cat > stdin; printf '%s\\n' \"$@\" > arguments; pwd -P > unused; \
                  if (: < /dev/tty) 2>/dev/null; then echo yes; else echo no; fi > tty; \
                  ps -o pgid=,sid= -p $$ > session; echo $$ > own; echo 'correct horse'";
    let env = home(&sim, script, ", '$(touch sign)', 'a b; touch sign', '*'", "");
    let ran = env.hook(change(&env, "web01"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said = |file: &str| fs::read_to_string(env.path(file)).unwrap();
    assert_eq!((said("stdin").as_str(), said("arguments").as_str()), ("", "$(touch sign)\na b; touch sign\n*\n"));
    assert!(!env.path("sign").exists() && !env.project().join("sign").exists(), "a shell read it");
    let own = said("own").trim().to_owned();
    assert!(said("session").split_whitespace().all(|number| number == own), "{} {own}", said("session"));
    // On a terminal of ours too: it would be stopped there by the kernel, and nobody would know what it waits for.
    fs::remove_dir_all(env.state_dir()).unwrap();
    match on_a_terminal(&env, "find web01", "") {
        None => crate::env::skip("there is no `script` here to make a terminal with"),
        Some(ran) => assert_eq!((ran.code, said("tty").as_str()), (Some(0), "no\n"), "{}", ran.stdout),
    }
}

#[test]
fn its_program_has_a_whole_path_whatever_path_says() {
    let sim = demo().start();
    let env = home(&sim, "touch sign; echo 'correct horse'", "", "");
    let config = fs::read_to_string(env.config_dir().join("config.toml")).unwrap();
    for short in ["password", "./password", "../password"] {
        let text = config.replace(&format!("['{}'", env.path("password").display()), &format!("['{short}'"));
        assert_ne!(text, config);
        env.write(&env.config_dir().join("config.toml"), &text);
        let mut command = env.command(&["hook"]);
        command.env("PATH", env.path("")).current_dir(env.path(""));
        let ran: Ran = command.write_stdin(change(&env, "web01")).output().unwrap().into();
        ran.denied("password_command").denied("path");
        assert!(!env.path("sign").exists(), "{short} was run");
    }
}

#[test]
fn it_ends_with_us_however_we_end() {
    let script = "echo $$ > own; exec sleep 300";
    std::thread::scope(|scope| {
        for (arguments, signal) in [
            (&["hook"][..], libc::SIGTERM),
            (&["hook"], libc::SIGKILL),
            (&["find", "web01"], libc::SIGINT),
            (&["guard", "--vm", "web01", "--action", "x"], libc::SIGTERM),
        ] {
            scope.spawn(move || {
                let sim = demo().start();
                let env = home(&sim, script, "", "");
                let mut child = env.spawn(arguments);
                let call = change(&env, "web01");
                // Dropped at the end of the line, which ends its stdin.
                let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), call.as_bytes());
                assert!(noted(&env, "own"), "it was not started");
                // SAFETY: the child is ours, and has not been waited for.
                assert_eq!(unsafe { libc::kill(i32::try_from(child.id()).unwrap(), signal) }, 0);
                let output = child.wait_with_output().unwrap();
                if arguments == ["hook"] && signal == libc::SIGTERM {
                    Ran::from(output).denied("ended by a signal");
                }
                assert!(ends(&env, "own"), "{arguments:?}, {signal}: it lives on");
                assert!(sim.requests().is_empty());
            });
        }
    });
}

#[test]
fn a_parent_that_hears_of_no_children_changes_nothing() {
    let sim = demo().start();
    let env = home(&sim, "echo 'correct horse'", "", "");
    let ignoring = |arguments: &[&str], stdin: &str| {
        use std::os::unix::process::CommandExt as _;
        let mut command = std::process::Command::new(Env::binary());
        command.args(arguments).env_clear().env("HOME", env.home()).current_dir(env.project());
        // SAFETY: signal may be called between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::signal(libc::SIGCHLD, libc::SIG_IGN);
                Ok(())
            });
        }
        // No token of another run.
        let _ = fs::remove_dir_all(env.state_dir().join("tokens"));
        let mut command = assert_cmd::Command::from_std(command);
        Ran::from(command.write_stdin(stdin).timeout(Duration::from_secs(60)).output().unwrap())
    };
    for (arguments, stdin) in [(&["find", "web01"][..], String::new()), (&["hook"], change(&env, "web01"))] {
        let ran = ignoring(arguments, &stdin);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    }
}
