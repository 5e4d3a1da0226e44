//! `rewind clone`, `test-failover` and `stop-test`: shown, confirmed, followed to the end, and never sent twice.

use crate::env::{Env, Ran};
use crate::guard_story::{demo, home, home_with};
use crate::rewind_sessions::{home_of_two, lost, typed, without_a_terminal};
use serde_json::{Value, json};
use std::process::Child;
use std::time::{Duration, Instant};
use zvm_sim::{Fault, InsertOutcome, Refusal, Role, Sim, SimBuilder, Step, Times, VmSpec, VpgSpec};

const EDIT: &str = "ai:claude | edit /etc/nginx/nginx.conf | vm=web01 | change=chg-412 | 20260921T150405Z";
const SOON: Duration = Duration::from_secs(20);

/// Both VPGs of web01 have the tag.
fn tagged(sim: SimBuilder) -> Sim {
    let sim = sim.start();
    for vpg in ["web01-local", "web01-dr"] {
        sim.put_tag(vpg, Duration::from_secs(7_200), EDIT).unwrap();
    }
    sim
}

fn clone_local(env: &Env) -> Ran {
    env.run(&["rewind", "clone", "chg-412", "--vpg", "web01-local", "--yes", "--json"])
}

fn nothing_was_sent(sim: &Sim) {
    for step in [Step::Clone, Step::FailoverTest, Step::FailoverTestStop] {
        assert!(sim.requests_of(step).is_empty());
    }
    assert!(sim.created().is_empty());
}

fn body(sim: &Sim, step: Step) -> Value {
    let requests = sim.requests_of(step);
    assert_eq!(requests.len(), 1, "sent once");
    serde_json::from_slice(requests[0].body.as_ref()).unwrap()
}

#[test]
fn a_clone_is_made_at_the_recovery_site_and_named() {
    let nyc = tagged(demo());
    let bos = nyc.peer_zvm("bos").unwrap().start();
    let env = home_of_two(&nyc, &bos);
    let checkpoint = nyc.checkpoint("web01-dr", EDIT).unwrap();
    let ran = env.run(&["rewind", "clone", "chg-412", "--vpg", "web01-dr", "--yes", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let made = bos.created();
    assert_eq!((made.len(), made[0].by_test, made[0].checkpoint.as_str()), (1, false, checkpoint.as_str()));
    nothing_was_sent(&nyc);
    assert_eq!(body(&bos, Step::Clone), json!({"checkpointId": checkpoint}));
    let done = ran.json();
    for (field, value) in [
        ("ok", json!(true)),
        ("act", json!("clone")),
        ("tag", json!(EDIT)),
        ("vpg", json!("web01-dr")),
        ("checkpoint", json!(checkpoint)),
        ("site", json!("bos")),
        ("zvm", json!("bos")),
        ("task_state", json!("Completed")),
        ("warnings", json!([])),
    ] {
        assert_eq!(done[field], value, "{field}");
    }
    assert_eq!(done["created"][0]["name"], made[0].name.as_str());
    assert!(bos.tasks().iter().any(|task| done["task_id"] == task.id.as_str() && task.task_type == "Clone"));
    // For people, with what is about to be done and how it goes on stderr.
    let ran = env.run(&["rewind", "clone", "chg-412", "--vpg", "web01-dr", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains(&made[0].name) && ran.stdout.contains("until somebody deletes them"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("This clones a whole VPG") && ran.stderr.contains("has begun: task "),
        "{}",
        ran.stderr
    );
}

#[test]
fn every_vm_of_the_vpg_is_shown_and_nothing_is_sent_without_a_yes() {
    let sim = Sim::builder()
        .vm(VmSpec::new("web01").vpg(VpgSpec::local("shop").tag(30, EDIT)))
        .vm(VmSpec::new("db01").vpg(VpgSpec::local("shop")))
        .start();
    let env = home(&sim);
    let checkpoint = sim.checkpoint("shop", EDIT).unwrap();
    if let Some(ran) = without_a_terminal(&env, &["rewind", "clone", "latest", "--json"]) {
        assert_eq!((ran.code, ran.json()["exit_code"].clone()), (Some(5), json!(5)), "{}", ran.stderr);
        assert!(ran.stderr.contains("(all of it: 2)"), "what it would have been: {}", ran.stderr);
    }
    if let Some(ran) = without_a_terminal(&env, &["rewind", "test-failover", "latest"]) {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(5), ""), "{}", ran.stderr);
    }
    let Some(ran) = typed(&env, "rewind clone latest", "n\n") else { return };
    assert_eq!(ran.code, Some(5), "{}", ran.stdout);
    for shown in [
        EDIT,
        &format!("checkpoint  {checkpoint}, made 20"),
        " UTC, 30 minutes ago",
        "VPG         shop (MeetingSLA)",
        "VMs         web01, db01 (all of it: 2)",
        "at          site nyc, by ZVM sim (https://127.0.0.1:",
        "datastore   as the VPG's own settings have it",
        "afterwards  2 new VMs there, powered off and unprotected",
        "the protected VMs run on, untouched",
        "to undo     delete what is new",
        "Clone them? [y/N]",
    ] {
        assert!(ran.stdout.contains(shown), "no `{shown}` in: {}", ran.stdout);
    }
    nothing_was_sent(&sim);
    let ran = typed(&env, "rewind clone latest", "y\n").unwrap();
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert_eq!(sim.created().len(), 2);
    assert!(sim.created().iter().all(|made| ran.stdout.contains(&made.name)), "{}", ran.stdout);
}

#[test]
fn which_vpg_is_never_guessed() {
    let sim = tagged(demo());
    let env = home(&sim);
    for act in ["clone", "test-failover"] {
        for arguments in [&["latest"][..], &["chg-412", "--vm", "web01"]] {
            let ran = env.run(&[&["rewind", act, "--yes"], arguments].concat());
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{act} {arguments:?}: {}", ran.stderr);
            assert!(ran.stderr.contains("web01-local (") && ran.stderr.contains("web01-dr ("), "{}", ran.stderr);
            assert!(ran.stderr.contains("--vpg"), "{}", ran.stderr);
        }
        let ran = env.run(&["rewind", act, "latest", "--vpg", "web01-dr", "--yes"]);
        assert_eq!(ran.code, Some(5), "{}", ran.stderr);
        assert!(ran.stderr.contains("recovers to site bos, and no configured ZVM is local to it"), "{}", ran.stderr);
        assert!(ran.stderr.contains("guards = false"), "{}", ran.stderr);
        assert_eq!(env.run(&["rewind", act, "nosuch", "--yes"]).code, Some(3));
        assert_eq!(env.run(&["rewind", act, "latest", "--vpg", "nosuch", "--yes"]).code, Some(3));
    }
    nothing_was_sent(&sim);
}

#[test]
fn the_only_vpg_that_could_be_read_is_not_taken_for_the_only_one() {
    let sim = Sim::builder().vm(VmSpec::new("web01").vpg(VpgSpec::local("shop").tag(30, EDIT))).start();
    let env = home_with(&sim, &lost(&sim));
    for act in ["clone", "test-failover"] {
        let ran = env.run(&["rewind", act, "latest", "--vm", "web01", "--yes", "--json"]);
        assert_eq!((ran.code, &ran.json()["exit_code"]), (Some(6), &json!(6)), "{act}: {}", ran.stderr);
        let hint = ran.json()["hint"].as_str().unwrap().to_owned();
        assert!(hint.contains("--vpg shop.") && hint.contains("lost"), "{hint}");
    }
    nothing_was_sent(&sim);
    let ran = env.run(&["rewind", "clone", "latest", "--vpg", "shop", "--yes", "--json"]);
    assert_eq!((ran.code, sim.created().len()), (Some(0), 1), "{}", ran.stderr);
}

#[test]
fn a_datastore_is_looked_up_by_identifier_or_name() {
    let sim = tagged(demo());
    let env = home(&sim);
    let clone = |store: &str| {
        env.run(&["rewind", "clone", "latest", "--vpg", "web01-local", "--datastore", store, "--yes", "--json"])
    };
    let ran = clone("nosuch");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.json()["hint"].as_str().unwrap().contains("(datastore-1)"), "{}", ran.stdout);
    let ran = clone("SHARED");
    assert_eq!(ran.code, Some(4), "{}", ran.stdout);
    let error = ran.json()["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains(".a (shared)") && error.contains(".b (shared)") && !error.contains("datastore-1"),
        "{error}"
    );
    nothing_was_sent(&sim);
    let ran = clone("datastore-2");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let sent = body(&sim, Step::Clone)["datastoreIdentifier"].as_str().unwrap().to_owned();
    assert!(sent.ends_with(".datastore-2"), "{sent}");
    assert_eq!((ran.json()["datastore"].as_str(), sim.created()[0].datastore.as_deref()), (Some(&*sent), Some(&*sent)));
    assert_eq!(clone(&sent).code, Some(0));
}

#[test]
fn a_task_that_fails_gives_the_zvms_reason() {
    let sim = tagged(demo());
    let env = home(&sim);
    for (outcome, words) in [
        (InsertOutcome::failed("The datastore is\u{1b}[31m full."), "ended as Failed: \"The datastore is full\"."),
        (InsertOutcome::stopped(""), "ended as Stopped: the ZVM gives no reason."),
    ] {
        sim.next_recoveries(1, &outcome);
        let ran = clone_local(&env);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let error = ran.json()["error"].as_str().unwrap().to_owned();
        assert!(error.starts_with("The clone of VPG web01-local did not come about: task "), "{error}");
        assert!(error.ends_with(words), "{error}");
    }
    assert_eq!(sim.requests_of(Step::Clone).len(), 2, "once each");
    // What is mounted is in the way, which is known and said beforehand.
    let session = sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    let ran = env.run(&["rewind", "test-failover", "latest", "--vpg", "web01-local", "--yes"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("WARNING     FLR session {session}")), "{}", ran.stderr);
    assert!(ran.stderr.contains("is mounted for file level restore"), "{}", ran.stderr);
    assert!(sim.created().is_empty());

    let sim = tagged(demo().settings(|s| s.recovery.refusal = Refusal::Http(409)));
    sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    let ran = clone_local(&home(&sim));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let error = ran.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("is mounted for file level restore") && error.ends_with("Nothing was begun."), "{error}");

    let sim = tagged(demo().user("guard", "correct horse", Role::Viewer));
    let ran = clone_local(&home(&sim));
    assert_eq!(ran.code, Some(6), "{}", ran.stderr);
}

#[test]
fn an_answer_that_is_lost_is_not_asked_for_again() {
    for fault in [
        Fault::ResetAfterProcessing,
        Fault::Truncated,
        Fault::AfterProcessing(Box::new(Fault::Status(502, String::new()))),
        Fault::AfterProcessing(Box::new(Fault::Html)),
    ] {
        let sim = tagged(demo().settings(|s| s.recovery.clone_time = Duration::from_millis(500)));
        sim.fault(Step::Clone, fault.clone(), Times::Next(1));
        let env = home(&sim);
        let ran = env.run(&["rewind", "clone", "chg-412", "--vpg", "web01-local", "--yes"]);
        assert_eq!(ran.code, Some(0), "{fault:?}: {}", ran.stderr);
        assert_eq!((sim.requests_of(Step::Clone).len(), sim.created().len()), (1, 1), "{fault:?}");
        assert!(ran.stderr.contains("the answer to the order was lost: nothing is sent again"), "{}", ran.stderr);
        assert!(ran.stderr.contains("came into sight after the answer was lost"), "{}", ran.stderr);
    }
}

#[test]
fn what_came_of_a_lost_answer_may_not_be_known() {
    // The ZVM never got it: nothing comes into sight.
    let sim = tagged(demo());
    sim.fault(Step::Clone, Fault::Status(504, String::new()), Times::Next(1));
    let ran = clone_local(&home(&sim));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let error = ran.json()["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains("not known whether the clone of VPG web01-local has begun; nothing was sent again"),
        "{error}"
    );
    assert!(error.contains("No task that could be it came into sight"), "{error}");
    assert!(ran.json()["hint"].as_str().unwrap().contains("a second clone would be a second set of VMs"));
    assert_eq!(sim.requests_of(Step::Clone).len(), 1);
    // Somebody else's came in the same moment: none is taken for ours.
    let sim = tagged(demo().settings(|s| s.recovery.clone_time = Duration::from_secs(60)));
    sim.fault(Step::Clone, Fault::ResetAfterProcessing, Times::Next(1));
    let child = home(&sim).spawn_it(&["rewind", "clone", "chg-412", "--vpg", "web01-local", "--yes", "--json"]);
    assert!(sim.wait_until(SOON, |s| s.tasks().iter().any(|task| task.task_type == "Clone")));
    let ours = sim.tasks().into_iter().find(|task| task.task_type == "Clone").unwrap().id;
    sim.with_state(|s| {
        let mut theirs = s.tasks.iter().find(|task| task.id == ours).unwrap().clone();
        theirs.id = format!("theirs-{ours}");
        s.tasks.push(theirs);
    });
    let ran = child.ran();
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let error = ran.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("More than one task may be it") && error.contains(&format!("theirs-{ours}")), "{error}");
}

/// A child and the home it runs in.
struct Running {
    child: Child,
    _env: Env,
}

impl Env {
    fn spawn_it(self, arguments: &[&str]) -> Running {
        Running { child: self.spawn(arguments), _env: self }
    }
}

impl Running {
    fn signal(&self, signal: i32) {
        // SAFETY: the child is ours and has not been waited for.
        assert_eq!(unsafe { libc::kill(i32::try_from(self.child.id()).unwrap(), signal) }, 0);
    }

    fn ran(self) -> Ran {
        self.child.wait_with_output().unwrap().into()
    }
}

#[test]
fn a_signal_ends_the_following_and_not_the_task() {
    for (signal, code) in [(libc::SIGINT, 130), (libc::SIGTERM, 143)] {
        let sim = tagged(demo().settings(|s| s.recovery.test_time = Duration::from_secs(3)));
        let child =
            home(&sim).spawn_it(&["rewind", "test-failover", "chg-412", "--vpg", "web01-local", "--yes", "--json"]);
        assert!(sim.wait_until(SOON, |s| !s.requests_of(Step::Task).is_empty()));
        child.signal(signal);
        let ran = child.ran();
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        let task = sim.tasks().into_iter().find(|task| task.task_type == "FailOverTest").unwrap();
        let error = ran.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("the start of the failover test of VPG web01-local goes on at ZVM sim"), "{error}");
        assert!(error.contains(&task.id), "{error}");
        assert!(ran.json()["hint"].as_str().unwrap().contains("rewind stop-test web01-local"), "{}", ran.stdout);
        assert!(sim.wait_until(SOON, |s| s.created().len() == 1), "it went on");
        assert!(sim.requests_of(Step::FailoverTestStop).is_empty());
    }
}

#[test]
fn a_signal_while_the_order_is_on_its_way() {
    let sim = tagged(demo());
    sim.fault(Step::Clone, Fault::AfterProcessing(Box::new(Fault::Hang)), Times::Next(1));
    let child = home(&sim).spawn_it(&["rewind", "clone", "chg-412", "--vpg", "web01-local", "--yes", "--json"]);
    assert!(sim.wait_until(SOON, |s| s.tasks().iter().any(|task| task.task_type == "Clone")));
    let sent = Instant::now();
    child.signal(libc::SIGINT);
    let ran = child.ran();
    assert!(sent.elapsed() < Duration::from_secs(10));
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    let error = ran.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("was asked for and not answered yet, so it may have begun at ZVM sim"), "{error}");
    assert_eq!(sim.requests_of(Step::Clone).len(), 1);
}

#[test]
fn a_zvm_that_is_away_for_a_while_does_not_end_the_following() {
    let sim = tagged(demo().settings(|s| s.recovery.clone_time = Duration::from_secs(2)));
    let child = home(&sim).spawn_it(&["rewind", "clone", "chg-412", "--vpg", "web01-local", "--yes", "--json"]);
    assert!(sim.wait_until(SOON, |s| !s.requests_of(Step::Task).is_empty()));
    sim.go_down();
    std::thread::sleep(Duration::from_millis(2_500));
    sim.come_back().unwrap();
    let ran = child.ran();
    assert_eq!((ran.code, ran.json()["task_state"].clone()), (Some(0), json!("Completed")), "{}", ran.stderr);
    assert_eq!((sim.created().len(), sim.requests_of(Step::Clone).len()), (1, 1));
}

#[test]
fn a_task_that_vanishes_is_not_taken_for_done() {
    let sim = tagged(demo().settings(|s| s.recovery.clone_time = Duration::from_secs(60)));
    sim.fault(Step::Task, Fault::Status(404, String::new()), Times::Nth(3));
    let ran = clone_local(&home(&sim));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let error = ran.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("has begun as task ") && error.contains("what becomes of it can't be told"), "{error}");
    assert!(ran.json()["hint"].as_str().unwrap().contains("It goes on without zerto-guard"), "{}", ran.stdout);
}

#[test]
fn a_test_that_only_the_protected_sites_zvm_shows_is_stopped_there() {
    let sim = tagged(demo());
    sim.with_state(|s| s.vpg_mut("web01-dr").unwrap().failover_test_stage = Some("Testing".to_owned()));
    let env = home(&sim);
    let ran = env.run(&["rewind", "stop-test", "web01-dr", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("at          site bos, by ZVM sim") && ran.stdout.contains("at site bos"),
        "{}",
        ran.stderr
    );
    for arguments in [&["rewind", "stop-test", ""][..], &["rewind", "clone", "latest", "--datastore", ""]] {
        assert_eq!(env.run(arguments).code, Some(64), "{arguments:?}");
    }
}

#[test]
fn a_task_id_that_is_not_known_yet_and_names_that_the_zvm_does_not_tell() {
    let sim = tagged(demo().task_visibility_delay(Duration::from_millis(600)));
    sim.fault("/v1/virtualizationsites/**", Fault::Html, Times::Always);
    let env = home(&sim);
    let ran = env.run(&["rewind", "clone", "chg-412", "--vpg", "web01-local", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("The ZVM does not tell their names"), "{}", ran.stdout);
    assert_eq!(clone_local(&env).json()["created"], json!(null), "none is made up");
    let arguments = ["rewind", "clone", "latest", "--vpg", "web01-local", "--datastore", "x.datastore-9", "--yes"];
    let ran = env.run(&arguments);
    assert!(ran.stderr.contains("WARNING     Whether there is such a datastore could not be told"), "{}", ran.stderr);
}

#[test]
fn on_a_terminal_the_per_cent_of_the_task_are_shown() {
    let sim = tagged(demo().settings(|s| s.recovery.clone_time = Duration::from_millis(1_500)));
    let Some(ran) = typed(&home(&sim), "rewind clone chg-412 --vpg web01-local --yes", "") else { return };
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.contains("\rthe clone of VPG web01-local: "), "{:?}", ran.stdout);
    assert!(ran.stdout.contains(" % ("), "{:?}", ran.stdout);
}

#[test]
fn a_test_runs_until_it_is_stopped() {
    let nyc = tagged(demo());
    let bos = nyc.peer_zvm("bos").unwrap().start();
    let env = home_of_two(&nyc, &bos);
    let start = ["rewind", "test-failover", "chg-412", "--vpg", "web01-dr", "--yes", "--json"];
    let ran = env.run(&start);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let done = ran.json();
    assert_eq!((&done["act"], &done["site"]), (&json!("test-failover"), &json!("bos")));
    assert_eq!(done["created"][0]["name"], "web01 - testing recovery");
    assert_eq!(done["stop"], "zerto-guard rewind stop-test web01-dr");
    assert_eq!(body(&bos, Step::FailoverTest)["checkpointIdentifier"], done["checkpoint"]);
    // One at a time, and no file comes from the VPG meanwhile.
    let again = env.run(&start);
    assert_eq!(again.code, Some(5), "{}", again.stderr);
    assert!(again.json()["error"].as_str().unwrap().contains("runs already (Testing)"), "{}", again.stdout);
    assert!(again.json()["hint"].as_str().unwrap().contains("rewind stop-test web01-dr"), "{}", again.stdout);
    assert_eq!(bos.requests_of(Step::FailoverTest).len(), 1);
    let shown = env.run(&["rewind", "show", "chg-412", "--vpg", "web01-dr", "--json"]).json();
    assert_eq!(shown["vpgs"][0]["files"], false);

    if let Some(ran) = without_a_terminal(&env, &["rewind", "stop-test", "web01-dr"]) {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(5), ""), "{}", ran.stderr);
    }
    if let Some(ran) = typed(&env, "rewind stop-test web01-dr", "n\n") {
        assert_eq!(ran.code, Some(5), "{}", ran.stdout);
        for words in [
            "VPG         web01-dr",
            "VMs         web01 (all of it: 1)",
            "at          site bos, by ZVM bos",
            "goes        \"web01 - testing recovery\", with everything",
            "may be another operator's",
            "stays       web01",
            "will call the test a success",
            "Stop it? [y/N]",
        ] {
            assert!(ran.stdout.contains(words), "no `{words}` in: {}", ran.stdout);
        }
    }
    assert!(bos.requests_of(Step::FailoverTestStop).is_empty());
    let ran = env.run(&["rewind", "stop-test", "WEB01-DR", "--failed", "--yes", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.json()["removed"][0]["name"], "web01 - testing recovery");
    assert_eq!(body(&bos, Step::FailoverTestStop)["failoverTestSuccess"], false);
    assert!(bos.created().is_empty());
    nothing_was_sent(&nyc);
    let none = env.run(&["rewind", "stop-test", "web01-dr", "--yes"]);
    assert_eq!(none.code, Some(3), "{}", none.stderr);
    assert!(none.stderr.contains("No failover test of VPG web01-dr runs."), "{}", none.stderr);
}

#[test]
fn a_test_that_can_not_be_found_or_not_be_stopped() {
    let sim = tagged(demo());
    let env = home(&sim);
    let ran = env.run(&["rewind", "stop-test", "nosuch", "--yes"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("web01-local"), "those that there are: {}", ran.stderr);
    // A site that is silent may be where it runs.
    let two = home_with(&sim, &lost(&sim));
    let ran = two.run(&["rewind", "stop-test", "web01-dr", "--yes"]);
    assert_eq!(ran.code, Some(6), "{}", ran.stderr);
    assert!(ran.stderr.contains("and not all did: ZVM lost"), "{}", ran.stderr);
    assert_eq!(two.run(&["rewind", "stop-test", "nosuch", "--yes"]).code, Some(6));
    // Where it runs at one that answers, another one's VPG may have the name too; an identifier is nobody else's.
    sim.with_state(|s| s.vpg_mut("db01-dr").unwrap().failover_test_stage = Some("Testing".to_owned()));
    let identifier = sim.vpg_id("db01-dr").unwrap();
    for (named, warned) in [("db01-dr", true), (identifier.as_str(), false)] {
        let Some(ran) = without_a_terminal(&two, &["rewind", "stop-test", named]) else { break };
        assert_eq!(ran.code, Some(5), "{}", ran.stderr);
        let warning = "A VPG of the same name may be at a ZVM that did not answer: ZVM lost";
        assert_eq!(ran.stderr.contains(warning), warned, "{}", ran.stderr);
    }
    sim.with_state(|s| s.vpg_mut("web01-local").unwrap().failover_test_stage = Some("Testing".to_owned()));
    sim.next_recoveries(1, &InsertOutcome::failed("A host is gone."));
    let ran = env.run(&["rewind", "stop-test", "web01-local", "--yes"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("\"A host is gone\".") && ran.stderr.contains("The test may still run"),
        "{}",
        ran.stderr
    );
    // A VPG's name at two sites is two VPGs.
    let other = Sim::builder().name("other").vm(VmSpec::new("x").vpg(VpgSpec::local("web01-local"))).start();
    other.with_state(|s| {
        s.vpg_mut("web01-local").unwrap().identifier = "11111111-2222-3333-4444-555555555555".to_owned()
    });
    let ran = home_of_two(&sim, &other).run(&["rewind", "stop-test", "web01-local", "--yes"]);
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains("11111111-2222"), "{}", ran.stderr);
    assert_eq!(sim.requests_of(Step::FailoverTestStop).len(), 1);
}

#[test]
fn the_client_knows_no_other_order_to_a_vpg() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/zvm");
    let mut seen = std::collections::BTreeSet::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.file_stem().is_some_and(|name| name == "tests") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
                let lower = word.to_ascii_lowercase();
                let is_order = lower.starts_with("failover") || lower.starts_with("clone") || lower.starts_with("move");
                if is_order && word.chars().next().is_some_and(char::is_uppercase) {
                    seen.insert(word.to_owned());
                }
            }
        }
    }
    // `Clone` is Rust's own, `FailoverTest` an object of an answer too.
    let known = ["Clone", "CloneStart", "FailoverTest", "FailoverTestStop"];
    assert_eq!(
        seen.iter().map(String::as_str).collect::<Vec<_>>(),
        known,
        "no live failover, no move, and no code for them"
    );
}

#[test]
fn a_colleagues_clone_in_the_same_moment_does_not_pass_for_ours() {
    let sim = tagged(demo());
    let no = Fault::Status(500, "{\"Message\":\"A clone is running.\"}".to_owned());
    // Ours is answered once theirs is there.
    sim.fault(Step::Clone, Fault::Delay(Duration::from_millis(400)), Times::Next(1));
    sim.fault(Step::Clone, no, Times::Next(1));
    let (theirs, ran) = std::thread::scope(|scope| {
        let colleague = scope.spawn(|| {
            assert!(sim.wait_until(Duration::from_secs(20), |sim| !sim.requests_of(Step::Clone).is_empty()));
            sim.clone_elsewhere("web01-local").unwrap()
        });
        let ran = clone_local(&home(&sim));
        (colleague.join().unwrap(), ran)
    });
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let error = ran.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains(&theirs) && error.contains("someone-else"), "{error}");
}
