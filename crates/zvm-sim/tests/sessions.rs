//! File restore sessions: how they come to be, what they stand in the way of, and how they end.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use std::time::Duration;

use common::Client;
use serde_json::json;
use zvm_sim::{
    Colleague, Fault, Guest, InsertOutcome, MountOutcome, MountRefusal, Role, Sim, Since, Step, Times, UnmountOutcome,
};

/// The demo world, slow enough to look at what is in progress.
fn slow() -> Sim {
    Sim::builder()
        .demo_world()
        .settings(|s| (s.flr.mount_time, s.flr.unmount_time) = (Duration::from_millis(400), Duration::from_millis(400)))
        .start()
}

fn newest(sim: &Sim, vpg: &str) -> String {
    sim.journal(vpg).pop().unwrap().id
}

#[test]
fn a_session_mounts_is_listed_and_ends() {
    let sim = slow();
    let client = Client::new(&sim);
    let checkpoint = newest(&sim, "web01-local");
    let (status, id) = client.mount(&sim, "web01", "web01-local", &checkpoint);
    let id = id.as_str().unwrap();
    assert_eq!((status, id.split('.').count(), id.len()), (200, 2, 73));
    let (_, session) = client.get(&format!("/v1/flrs/{id}"));
    assert_eq!(session["FlrSessionStatus"], "MountInProgress");
    assert_eq!(
        (&session["CheckpointIdentifier"], &session["NumberOfRelatedRunningTasks"]),
        (&json!(checkpoint), &json!(1))
    );
    assert_eq!((&session["FlrSessionType"], &session["VmVolumeIdentifier"]), (&json!("jflr"), &json!(null)));
    let (_, tasks) = client.get("/v1/tasks?type=FlrJournalMount");
    assert_eq!(tasks[0]["RelatedEntities"]["FlrSessions"][0]["identifier"], id);
    assert_eq!(client.browse(id, &json!({ "path": "" })).0, 400, "not yet");
    assert_eq!(client.until(id, |s| s != "MountInProgress"), "MountCompletedSuccessfully");
    let vm = session["VmIdentifier"].as_str().unwrap();
    assert_eq!(client.get(&format!("/v1/flrs?vmIdentifier={vm}")).1.as_array().unwrap().len(), 1);
    assert_eq!(client.get("/v1/flrs?vmIdentifier=none").1, json!([]));
    assert_eq!(client.get("/v1/flrs/none").0, 404);
    assert_eq!(sim.live_sessions().len(), 1);

    let (status, task) = client.delete(&format!("/v1/flrs/{id}"));
    assert_eq!(status, 200);
    assert_eq!(client.until(id, |s| s != "MountCompletedSuccessfully"), "UnmountInProgress");
    assert_eq!(sim.live_sessions().len(), 1, "it holds its mount until it is over");
    assert_eq!(client.delete(&format!("/v1/flrs/{id}")).0, 400, "twice");
    assert_eq!(client.wait(task.as_str().unwrap())["Status"]["State"], 6);
    assert_eq!(client.until(id, |s| s != "UnmountInProgress"), "UnmountCompletedSuccessfully");
    assert_eq!((sim.live_sessions().len(), sim.sessions().len()), (0, 1), "history");
    assert_eq!(client.browse(id, &json!({ "path": "" })).0, 400);
    assert_eq!(client.delete(&format!("/v1/flrs/{id}")).0, 400, "it is over");
}

#[test]
fn a_single_session_may_be_an_array_and_ended_ones_may_go() {
    let sim = Sim::builder().demo_world().settings(|s| s.flr.single_as_array = true).start();
    sim.with_state(|s| s.settings.flr.ended_linger = false);
    let client = Client::new(&sim);
    let (_, id) = client.mount(&sim, "web01", "web01-local", &newest(&sim, "web01-local"));
    let path = format!("/v1/flrs/{}", id.as_str().unwrap());
    assert!(client.get(&path).1[0]["FlrSessionStatus"].is_string());
    let (_, task) = client.delete(&path);
    client.wait(task.as_str().unwrap());
    assert_eq!((client.get(&path).0, sim.sessions().len()), (404, 0));
}

#[test]
fn what_is_not_mounted() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let mount = |vm: &str, vpg: &str, checkpoint: &str| client.mount(&sim, vm, vpg, checkpoint).0;
    assert_eq!(mount("web01", "web01-local", "1"), 404, "no such checkpoint");
    assert_eq!(mount("db01", "web01-local", &newest(&sim, "web01-local")), 404, "not in that VPG");
    assert_eq!(mount("web01", "web01-dr", &newest(&sim, "web01-dr")), 400, "it recovers elsewhere");
    assert_eq!(mount("azvm01", "azvm01-home", &newest(&sim, "azvm01-home")), 200, "it recovers here");
    for body in [json!([]), json!({}), json!({ "bflr": {} }), json!({ "jflr": { "vmIdentifier": "x" } })] {
        assert_eq!(client.post("/v1/flrs", &body).0, 400, "{body}");
    }
    sim.with_state(|s| s.settings.flr.protected_side_mounts = true);
    assert_eq!(mount("web01", "web01-dr", &newest(&sim, "web01-dr")), 200);
    let (_, vpg) = (0, newest(&sim, "web01-local"));
    assert_eq!(mount("web01", "web01-local", &vpg), 400, "that VM has a session");
    sim.with_state(|s| s.settings.flr.parallel_sessions = true);
    assert_eq!(mount("web01", "web01-local", &vpg), 200);
    assert!(sim.refuse_mount_of("db01-dr", &newest(&sim, "db01-dr"), "It is locked."));
    assert_eq!(mount("db01", "db01-dr", &newest(&sim, "db01-dr")), 400);
    sim.with_state(|s| s.settings.flr.refusal = MountRefusal::MountFailed);
    let id = client.mount_whole(&sim, "db01", "db01-dr", &newest(&sim, "db01-dr"));
    assert_eq!(client.until(&id, |_| true), "MountFailed");
    assert!(sim.live_sessions().iter().all(|s| s.identifier != id));
}

#[test]
fn how_mounts_and_unmounts_end_can_be_ordered() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let checkpoint = newest(&sim, "web01-local");
    let mount = || client.mount(&sim, "web01", "web01-local", &checkpoint).1.as_str().unwrap().to_owned();
    let end = |id: &str| client.delete(&format!("/v1/flrs/{id}"));
    sim.next_mounts(1, &MountOutcome::Failed);
    assert_eq!(client.until(&mount(), |s| s != "MountInProgress"), "MountFailed");
    sim.next_mounts(1, &MountOutcome::As("MountReady".to_owned()));
    let odd = mount();
    assert_eq!(client.until(&odd, |s| s != "MountInProgress"), "MountReady");
    assert_eq!(client.browse(&odd, &json!({})).0, 200);
    sim.next_unmounts(1, &UnmountOutcome::Refused(500));
    assert_eq!(end(&odd).0, 500);
    sim.next_unmounts(1, &UnmountOutcome::Failed("A file is open.".to_owned()));
    let task = client.wait(end(&odd).1.as_str().unwrap());
    assert_eq!((&task["Status"]["State"], &task["CompleteReason"]), (&json!(4), &json!("A file is open.")));
    assert_eq!(client.until(&odd, |s| s != "UnmountInProgress"), "UnmountFailed");
    assert_eq!(sim.live_sessions().len(), 1);
    assert_eq!(client.wait(end(&odd).1.as_str().unwrap())["Status"]["State"], 6, "at the second try");
    sim.next_mounts(1, &MountOutcome::Stuck);
    let stuck = mount();
    std::thread::sleep(Duration::from_millis(150));
    assert_eq!(client.until(&stuck, |_| true), "MountInProgress");
    sim.next_unmounts(1, &UnmountOutcome::Stuck);
    assert_eq!(end(&stuck).0, 200, "a mount that never ends can be ended");
    std::thread::sleep(Duration::from_millis(150));
    assert_eq!(client.until(&stuck, |_| true), "UnmountInProgress");
    assert_eq!(sim.live_sessions().len(), 1);
}

#[test]
fn others_mount_too() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let theirs = sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    assert_eq!(client.mount(&sim, "web01", "web01-local", &newest(&sim, "web01-local")).0, 400);
    client.until(&theirs, |s| s == "MountCompletedSuccessfully");
    let (_, task) = client.delete(&format!("/v1/flrs/{theirs}"));
    client.wait(task.as_str().unwrap());
    let checkpoint = newest(&sim, "web01-local");
    for (first, at) in [(true, None), (false, None), (true, Some("1201".to_owned()))] {
        let before = sim.sessions().len();
        sim.with_next_mount(Colleague { checkpoint: at.clone(), first });
        let (_, id) = client.mount(&sim, "web01", "web01-local", &checkpoint);
        let new = sim.sessions().split_off(before);
        let ours = usize::from(first);
        assert_eq!((new.len(), new[ours].identifier.as_str()), (2, id.as_str().unwrap()));
        assert_eq!(new[1 - ours].checkpoint, at.unwrap_or(checkpoint.clone()));
        for session in new {
            let (_, task) = client.delete(&format!("/v1/flrs/{}", session.identifier));
            client.wait(task.as_str().unwrap());
        }
    }
    let missing = sim.mount_elsewhere("web01", "none", None);
    assert_eq!((missing, sim.live_sessions().len()), (None, 0));
}

#[test]
fn a_mount_whose_answer_cannot_be_read_stands_all_the_same() {
    let lost = [
        Fault::ResetAfterProcessing,
        Fault::Truncated,
        Fault::AfterProcessing(Box::new(Fault::Html)),
        Fault::AfterProcessing(Box::new(Fault::Status(502, String::new()))),
    ];
    for fault in lost {
        let sim = Sim::builder().demo_world().fault(Step::FlrMount, fault.clone(), Times::Next(1)).start();
        let client = Client::new(&sim);
        let vm = sim.with_state(|s| s.vms[0].identifier.clone());
        let jflr = json!({ "vmIdentifier": vm, "vpgIdentifier": sim.vpg_id("web01-local").unwrap(),
            "checkpointIdentifier": newest(&sim, "web01-local") });
        let answer = client.try_post("/v1/flrs", &json!({ "jflr": jflr }));
        assert!(!matches!(&answer, Ok((200, id)) if id.is_string()), "{fault:?}: {answer:?}");
        assert_eq!(sim.live_sessions().len(), 1, "{fault:?}");
    }
}

#[test]
fn what_runs_stands_in_the_way_and_says_so() {
    let sim = Sim::builder().demo_world().settings(|s| s.recovery.clone_time = Duration::from_millis(400)).start();
    let client = Client::new(&sim);
    let vpg = sim.vpg_id("web01-local").unwrap();
    let vm = sim.with_state(|s| s.vms[0].identifier.clone());
    let mount = || client.mount(&sim, "web01", "web01-local", &newest(&sim, "web01-local"));
    let can = || {
        let stats = client.get(&format!("/v1/vms/{vm}/pointsInTime/stats?vpgIdentifier={vpg}")).1;
        assert_eq!(stats["Earliest"]["CanMount"], stats["Latest"]["CanMount"]);
        let can = &stats["Latest"]["CanMount"];
        (can["IsAllowed"].as_bool().unwrap(), can["Reason"].as_str().unwrap().to_owned())
    };
    assert_eq!(can(), (true, String::new()));
    assert!(sim.set_journal_copy("web01-local", true));
    assert_eq!(can(), (false, "An extended journal copy is running.".to_owned()));
    assert_eq!(mount().0, 400);
    sim.set_journal_copy("web01-local", false);
    let (_, task) = client.post(&format!("/v1/vpgs/{vpg}/CloneStart"), &json!({}));
    assert_eq!((mount().0, can().1.as_str()), (400, "A clone is running."));
    client.wait(task.as_str().unwrap());
    assert!(can().0);
    let (_, task) = client.post(&format!("/v1/vpgs/{vpg}/FailoverTest"), &json!({}));
    client.wait(task.as_str().unwrap());
    assert_eq!((mount().0, can().1.as_str()), (400, "A failover test is running."));
    let (_, task) = client.post(&format!("/v1/vpgs/{vpg}/FailoverTestStop"), &json!({}));
    client.wait(task.as_str().unwrap());
    let id = client.mount_whole(&sim, "web01", "web01-local", &newest(&sim, "web01-local"));
    assert!(!can().0, "a session of this VM");
    // And the other way round: a session left mounted blocks the next recovery.
    for call in ["CloneStart", "FailoverTest"] {
        let (_, task) = client.post(&format!("/v1/vpgs/{vpg}/{call}"), &json!({}));
        assert_eq!(client.wait(task.as_str().unwrap())["Status"]["State"], 4, "{call}");
    }
    client.delete(&format!("/v1/flrs/{id}"));
    sim.with_state(|s| s.vms[0].flr_enabled = false);
    assert_eq!(can().1, "File level restore is not enabled for this VM.");
    assert_eq!(client.get("/v1/vms?vmName=web01").1[0]["EnabledActions"]["IsFlrEnabled"], false);
}

#[test]
fn points_in_time_may_have_one_without_a_checkpoint() {
    let sim = Sim::builder().demo_world().settings(|s| s.flr.repository_points = true).start();
    let client = Client::new(&sim);
    let vm = sim.with_state(|s| s.vms[1].identifier.clone());
    let (_, points) = client.get(&format!("/v1/vms/{vm}/pointsInTime?startDate=2099-01-01T00:00:00Z"));
    assert_eq!((points.as_array().unwrap().len(), points[0]["Checkpoint"].is_null()), (1, true));
}

#[test]
fn clones_and_tests_name_what_they_make() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let vpg = sim.vpg_id("web01-local").unwrap();
    let checkpoint = newest(&sim, "web01-local");
    let run = |call: &str, body: serde_json::Value| {
        let (status, task) = client.post(&format!("/v1/vpgs/{vpg}/{call}"), &body);
        if status != 200 {
            return (u64::from(status), String::new());
        }
        let task = client.wait(task.as_str().unwrap());
        (task["Status"]["State"].as_u64().unwrap(), task["Type"].as_str().unwrap().to_owned())
    };
    let site = client.get("/v1/localsite").1["SiteIdentifier"].as_str().unwrap().to_owned();
    let (_, stores) = client.get(&format!("/v1/virtualizationsites/{site}/datastores"));
    let store = stores[1]["DatastoreIdentifier"].as_str().unwrap();
    assert_eq!(
        run("CloneStart", json!({ "checkpointId": checkpoint, "datastoreIdentifier": store })),
        (6, "Clone".into())
    );
    let made = &sim.created()[0];
    assert_eq!((made.checkpoint.as_str(), made.datastore.as_deref()), (checkpoint.as_str(), Some(store)));
    let (_, free) = client.get(&format!("/v1/virtualizationsites/{site}/vms"));
    assert!(free.as_array().unwrap().iter().any(|v| v["VmName"] == made.name.as_str()), "{free}");
    assert!(made.name.starts_with("web01 - 20"), "{made:?}");
    assert_eq!(run("CloneStart", json!({ "datastoreIdentifier": "none" })).0, 4);
    assert_eq!(run("CloneStart", json!({ "checkpointId": "1" })).0, 404);
    assert_eq!(run("FailoverTestStop", json!({})).0, 4, "none runs");
    assert_eq!(run("FailoverTest", json!({ "checkpointIdentifier": checkpoint })), (6, "FailOverTest".into()));
    let stage = || client.get(&format!("/v1/vpgs/{vpg}")).1["ActiveProcessesApi"]["RunningFailOverTestApi"].clone();
    assert_eq!(stage()["Stage"], "Testing");
    assert_eq!(run("FailoverTest", json!({})).0, 4, "one runs");
    assert_eq!(sim.created().last().unwrap().name, "web01 - testing recovery");
    assert_eq!(run("FailoverTestStop", json!({ "failoverTestSuccess": true })), (6, "StopFailOverTest".into()));
    assert!(stage().is_null() && sim.created().len() == 1);
    sim.next_recoveries(1, &InsertOutcome::failed("The datastore is full."));
    assert_eq!(run("CloneStart", json!({})).0, 4);
    assert_eq!(
        client.try_post(&format!("/v1/vpgs/{vpg}/FailoverTest"), &json!(null)).unwrap().0,
        400,
        "a body is needed"
    );
    for path in ["Failover", "Move"] {
        assert_eq!(client.post(&format!("/v1/vpgs/{vpg}/{path}"), &json!({})).0, 404, "not simulated");
    }
}

#[test]
fn a_recoverys_task_has_progress() {
    let sim = Sim::builder().demo_world().settings(|s| s.recovery.clone_time = Duration::from_millis(500)).start();
    let client = Client::new(&sim);
    let vpg = sim.vpg_id("web01-local").unwrap();
    let (_, task) = client.post(&format!("/v1/vpgs/{vpg}/CloneStart"), &json!({}));
    let progress = || client.get(&format!("/v1/tasks/{}", task.as_str().unwrap())).1["Status"]["Progress"].as_u64();
    std::thread::sleep(Duration::from_millis(150));
    let early = progress().unwrap();
    std::thread::sleep(Duration::from_millis(150));
    assert!(early > 10 && progress().unwrap() > early, "{early}");
}

#[test]
fn roles() {
    let sim = Sim::builder()
        .demo_world()
        .user("zerto-guard", "correct horse", Role::FlrOperator)
        .user("reader", "correct horse", Role::Viewer)
        .start();
    let client = Client::new(&sim);
    let checkpoint = newest(&sim, "web01-local");
    let mount = || client.mount(&sim, "web01", "web01-local", &checkpoint).0;
    sim.with_state(|s| s.settings.flr.refuses_operator = true);
    assert_eq!(mount(), 403, "10.9");
    sim.with_state(|s| s.settings.flr.refuses_operator = false);
    assert_eq!(mount(), 200);
    let vpg = sim.vpg_id("web01-local").unwrap();
    assert_eq!(client.post(&format!("/v1/vpgs/{vpg}/CloneStart"), &json!({})).0, 403);
    assert_eq!(client.insert(&sim, "web01-local", "t").0, 403);
    let mut reader = Client::anonymous(&sim);
    let fields = [
        ("grant_type", "password"),
        ("client_id", "zerto-client"),
        ("username", "reader"),
        ("password", "correct horse"),
    ];
    reader.token = reader.form(&fields).1["access_token"].as_str().unwrap().to_owned();
    let id = sim.live_sessions()[0].identifier.clone();
    assert_eq!(reader.get("/v1/flrs").0, 200);
    assert_eq!(reader.browse(&id, &json!({})).0, 403);
    assert_eq!(reader.delete(&format!("/v1/flrs/{id}")).0, 403);
}

#[test]
fn two_sites_of_one_world() {
    let nyc = Sim::builder().demo_world().start();
    let bos = nyc.peer_zvm("bos").unwrap().start();
    assert!(nyc.peer_zvm("none").is_none());
    let (here, there) = (Client::new(&nyc), Client::new(&bos));
    assert!(bos.config_toml().contains("name = \"bos\""));
    assert_eq!(
        there.get("/v1/localsite").1["SiteIdentifier"],
        here.get("/v1/peersites?peerName=bos").1[0]["SiteIdentifier"]
    );
    let row = |client: &Client| client.get("/v1/vms?vmName=web01&vpgName=web01-dr").1[0].clone();
    assert_eq!(
        (&row(&here)["VmIdentifier"], &row(&here)["VpgIdentifier"]),
        (&row(&there)["VmIdentifier"], &row(&there)["VpgIdentifier"])
    );
    assert!(row(&here)["RecoverySite"]["href"].as_str().unwrap().contains("/peersites/"));
    assert!(row(&there)["RecoverySite"]["href"].as_str().unwrap().ends_with("/localsite"));
    assert_eq!(there.get("/v1/vms?vpgName=web01-local").1, json!([]), "that one stays at nyc");
    here.insert_whole(&nyc, "web01-dr", "before");
    nyc.put_file("web01", "partition#1 Ext4/etc/app.yaml", "broken");
    here.insert_whole(&nyc, "web01-dr", "after");
    assert_eq!(bos.tags("web01-dr"), ["before", "after"]);
    assert_eq!(there.insert_whole(&bos, "web01-dr", "t")["Status"]["State"], 4, "protected elsewhere");
    let (before, after) = (bos.checkpoint("web01-dr", "before").unwrap(), bos.checkpoint("web01-dr", "after").unwrap());
    assert_eq!(here.mount(&nyc, "web01", "web01-dr", &before).0, 400, "the wrong site");
    for (checkpoint, content) in [(before, "listen: 8080\nworkers: 4\n"), (after, "broken")] {
        let id = there.mount_whole(&bos, "web01", "web01-dr", &checkpoint);
        assert_eq!(there.bytes(&id, &["partition#1 Ext4/etc/app.yaml"]), content.as_bytes());
        let (_, task) = there.delete(&format!("/v1/flrs/{id}"));
        there.wait(task.as_str().unwrap());
    }
    assert!(nyc.resync("web01-dr"));
    assert_eq!((bos.tags("web01-dr").len(), row(&there)["SubStatus"].as_u64()), (0, Some(4)));
    nyc.set_vpg_status("web01-dr", 1, 0);
    let vpg = nyc.vpg_id("web01-dr").unwrap();
    here.insert_whole(&nyc, "web01-dr", "again");
    while here.listed(&nyc, "web01-dr").is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let (_, task) = here.post(&format!("/v1/vpgs/{vpg}/FailoverTest"), &json!({}));
    here.wait(task.as_str().unwrap());
    assert_eq!(there.mount(&bos, "web01", "web01-dr", &bos.checkpoint("web01-dr", "again").unwrap()).0, 400, "a test");
    here.post(&format!("/v1/vpgs/{vpg}/FailoverTestStop"), &json!({}));
    assert!(nyc.wait_until(Duration::from_secs(5), |s| s.created().is_empty()));
    nyc.set_guest("web01", &Guest::new().file_since(Since::Always, "partition#0 XFS/x", "1"));
    let id = there.mount_whole(&bos, "web01", "web01-dr", &bos.checkpoint("web01-dr", "again").unwrap());
    assert_eq!(there.paths(&id, ""), ["partition#0 XFS"]);
}
