//! `rewind sessions` and `rewind end-session`: every live session once, by name, and none ended without a yes.

use crate::env::{Env, Ran, skip};
use crate::guard_story::{demo, home, home_with};
use crate::trust_command::on_a_terminal;
use serde_json::json;
use std::process::{Command, Stdio};
use std::time::Duration;
use zvm_sim::{Fault, Role, Sim, Step, Times, UnmountOutcome};

/// A home whose config names both sites' ZVMs.
pub fn home_of_two(nyc: &Sim, bos: &Sim) -> Env {
    home_with(nyc, &format!("{}guards = false\n", bos.config_toml()))
}

/// The entry of a ZVM that does not answer.
pub fn lost(sim: &Sim) -> String {
    format!(
        "[[zvm]]\nname = \"lost\"\nurl = \"{}\"\nusername = \"x\"\npassword_file = \"{}\"\ninsecure_skip_verify = true\n",
        Sim::refused_url(),
        sim.password_file().display()
    )
}

/// The binary without a terminal, whatever the test itself has; none where that can't be had.
pub fn without_a_terminal(env: &Env, arguments: &[&str]) -> Option<Ran> {
    let mut command = Command::new("setsid");
    command.arg("--wait").arg(Env::binary()).args(arguments);
    command.env_clear().env("HOME", env.home()).env("PATH", "/usr/bin:/bin").current_dir(env.project());
    match command.stdin(Stdio::null()).output() {
        Ok(output) => Some(output.into()),
        Err(error) => {
            skip(&format!("there is no `setsid` here to be without a terminal: {error}"));
            None
        }
    }
}

/// The binary on a terminal, with this typed; none where there is no `script` to make one.
pub fn typed(env: &Env, arguments: &str, typed: &str) -> Option<Ran> {
    let ran = on_a_terminal(env, arguments, typed);
    if ran.is_none() {
        skip("there is no `script` here to make a terminal with");
    }
    ran
}

#[test]
fn only_what_holds_a_mount_is_listed_unless_all_are_asked_for() {
    let sim = demo().start();
    let env = home(&sim);
    let none = env.run(&["rewind", "sessions"]);
    assert_eq!((none.code, none.stdout.as_str(), none.stderr.as_str()), (Some(0), "0 live sessions\n", ""));
    assert_eq!(env.run(&["rewind", "sessions", "--json"]).json(), json!([]));
    let old = sim.mount_elsewhere("db01", "db01-dr", None).unwrap();
    assert_eq!(env.run(&["rewind", "end-session", &old, "--yes"]).code, Some(0));
    let live = sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    assert!(sim.wait_until(Duration::from_secs(5), |s| s.sessions()[1].status == "MountCompletedSuccessfully"));
    let checkpoint = sim.sessions()[1].checkpoint.clone();

    let listed = env.run(&["rewind", "sessions", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let one = &listed[0];
    assert_eq!((&one["id"], &one["vm"], &one["vpg"]), (&json!(live), &json!("web01"), &json!("web01-local")));
    assert_eq!((&one["checkpoint"], &one["live"]), (&json!(checkpoint), &json!(true)));
    assert_eq!(one["status"], "MountCompletedSuccessfully");
    assert!(one["started"].as_str().unwrap().ends_with('Z'), "{one}");

    let all = env.run(&["rewind", "sessions", "--all", "--json"]).json();
    let ids: Vec<_> = all.as_array().unwrap().iter().map(|s| (s["id"].clone(), s["live"].clone())).collect();
    assert_eq!(ids, [(json!(live), json!(true)), (json!(old), json!(false))]);

    let text = env.run(&["rewind", "sessions", "--all"]).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("MOUNTED (UTC)") && lines[1].contains("LIVE  web01"), "{text}");
    assert!(lines[2].contains("over  db01") && lines[3] == "1 live session", "{text}");
}

#[test]
fn a_session_that_two_zvms_list_is_listed_once_and_a_silent_zvm_is_said() {
    let nyc = demo().start();
    let bos = nyc.peer_zvm("bos").unwrap().start();
    let id = bos.mount_elsewhere("web01", "web01-dr", None).unwrap();
    assert!(bos.wait_until(Duration::from_secs(5), |s| s.sessions()[0].status == "MountCompletedSuccessfully"));
    // The other site's ZVM lists it too, and does not know yet whether it is mounted.
    let theirs = bos.sessions();
    nyc.with_state(|s| s.flr_sessions = theirs);
    let env = home_of_two(&nyc, &bos);
    let listed = env.run(&["rewind", "sessions", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(
        (&listed[0]["id"], &listed[0]["vm"], &listed[0]["vpg"]),
        (&json!(id), &json!("web01"), &json!("web01-dr"))
    );
    assert_eq!(listed[0]["zvms"].as_array().unwrap().len(), 2);

    assert_eq!(Env::new().config(&lost(&nyc)).run(&["rewind", "sessions"]).code, Some(6));
    assert_eq!(Env::new().config("").run(&["rewind", "sessions"]).code, Some(6));
    let ran = home_with(&bos, &lost(&nyc)).run(&["rewind", "sessions"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.ends_with("1 live session at the ZVMs that answered\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("not all could be read: ZVM lost"), "{}", ran.stderr);
}

#[test]
fn a_session_of_a_vm_that_nobody_lists_is_shown_by_its_identifiers() {
    let sim = demo().start();
    sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    assert!(sim.wait_until(Duration::from_secs(5), |s| s.sessions()[0].status == "MountCompletedSuccessfully"));
    sim.with_state(|s| {
        s.flr_sessions[0].vm_identifier = "gone.vm-1".to_owned();
        s.flr_sessions[0].vpg_identifier = String::new();
        s.flr_sessions[0].status = "Something\u{1b}[31m new".to_owned();
    });
    let env = home(&sim);
    let one = env.run(&["rewind", "sessions", "--json"]).json()[0].clone();
    assert_eq!((&one["vm"], &one["vpg"], &one["live"]), (&json!("gone.vm-1"), &json!(null), &json!(true)));
    let text = env.run(&["rewind", "sessions"]).stdout;
    assert!(text.contains("Something new") && text.contains("gone.vm-1  ?"), "{text:?}");
    // Names that can't be had are no reason to hide a session.
    sim.fault(Step::VmList, Fault::Html, Times::Always);
    let ran = env.run(&["rewind", "sessions"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("LIVE") && ran.stderr.contains("names are missing"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn without_a_yes_no_session_is_ended() {
    let sim = demo().start();
    let env = home(&sim);
    let id = sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    let checkpoint = sim.sessions()[0].checkpoint.clone();
    if let Some(ran) = without_a_terminal(&env, &["rewind", "end-session", &id, "--json"]) {
        assert_eq!((ran.code, ran.json()["exit_code"].clone()), (Some(5), json!(5)), "{}", ran.stderr);
    }
    let Some(ran) = typed(&env, &format!("rewind end-session {id}"), "n\n") else { return };
    assert_eq!(ran.code, Some(5), "{}", ran.stdout);
    for shown in [
        id.as_str(),
        "VM          web01",
        "VPG         web01-local",
        &format!("checkpoint  {checkpoint}"),
        "mounted     20",
        "by          someone-else",
        "may be another operator's",
        "End it? [y/N]",
    ] {
        assert!(ran.stdout.contains(shown), "no `{shown}` in: {}", ran.stdout);
    }
    assert_eq!((sim.live_sessions().len(), sim.requests_of(Step::FlrUnmount).len()), (1, 0));
    let ran = typed(&env, &format!("rewind end-session {id}"), "yes\n").unwrap();
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.contains("has ended: the disks of VM web01 are unmounted"), "{}", ran.stdout);
    assert!(sim.live_sessions().is_empty(), "its end was waited for");
    let over = env.run(&["rewind", "end-session", &id]);
    assert_eq!(over.code, Some(0), "nothing to ask about: {}", over.stderr);
    assert!(over.stdout.contains("is over already (UnmountCompletedSuccessfully)"), "{}", over.stdout);
    assert_eq!(env.run(&["rewind", "end-session", &id, "--json"]).json()["ended"], false);
}

#[test]
fn a_session_that_is_not_there_and_one_that_may_be_where_nobody_answered() {
    let sim = demo().start();
    let ran = home(&sim).run(&["rewind", "end-session", "nosuch", "--yes"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("sessions --all"), "{}", ran.stderr);
    let ran = home_with(&sim, &lost(&sim)).run(&["rewind", "end-session", "nosuch", "--yes"]);
    assert_eq!(ran.code, Some(6), "{}", ran.stderr);
    assert!(ran.stderr.contains("not all did: ZVM lost"), "{}", ran.stderr);
}

#[test]
fn an_end_that_fails_is_said_and_one_that_passes_is_tried_again() {
    let sim = demo().start();
    let env = home(&sim);
    let id = sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    sim.next_unmounts(10, &UnmountOutcome::Failed("A file is open.".to_owned()));
    let ran = env.run(&["rewind", "end-session", &id, "--yes", "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let error = ran.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("is still live, or may be") && error.contains("A file is open."), "{error}");
    assert!(ran.json()["hint"].as_str().unwrap().contains("neither clone nor test VPG web01-local"), "{}", ran.stdout);
    assert_eq!(sim.live_sessions().len(), 1);

    let again = demo().start();
    let env = home(&again);
    let id = again.mount_elsewhere("web01", "web01-local", None).unwrap();
    again.next_unmounts(1, &UnmountOutcome::Failed("A file is open.".to_owned()));
    again.fault(Step::FlrUnmount, Fault::ResetAfterProcessing, Times::Nth(2));
    let ran = env.run(&["rewind", "end-session", &id, "--yes", "--json"]);
    assert_eq!((ran.code, ran.json()["ended"].clone()), (Some(0), json!(true)), "{}", ran.stderr);
    assert!(again.live_sessions().is_empty());
}

#[test]
fn a_signal_while_the_end_is_waited_for_does_not_take_it_back() {
    let sim = demo().settings(|s| s.flr.unmount_time = Duration::from_secs(8)).start();
    let env = home(&sim);
    let id = sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    let child = env.spawn(&["rewind", "end-session", &id, "--yes", "--json"]);
    assert!(sim.wait_until(Duration::from_secs(20), |s| !s.requests_of(Step::FlrUnmount).is_empty()));
    // SAFETY: the child is ours and has not been waited for.
    assert_eq!(unsafe { libc::kill(i32::try_from(child.id()).unwrap(), libc::SIGTERM) }, 0);
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(143), "{}", ran.stderr);
    assert!(ran.json()["error"].as_str().unwrap().contains("it goes on at ZVM sim"), "{}", ran.stdout);
    assert!(sim.wait_until(Duration::from_secs(20), |s| s.live_sessions().is_empty()));
    assert_eq!(sim.requests_of(Step::FlrUnmount).len(), 1);
}

#[test]
fn who_may_not_end_it_is_told_so() {
    let sim = demo().user("guard", "correct horse", Role::Viewer).start();
    let env = home(&sim);
    let id = sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    let ran = env.run(&["rewind", "end-session", &id, "--yes"]);
    assert_eq!(ran.code, Some(6), "{}", ran.stderr);
    assert!(ran.stderr.contains("403"), "{}", ran.stderr);
    assert_eq!(sim.live_sessions().len(), 1);
}
