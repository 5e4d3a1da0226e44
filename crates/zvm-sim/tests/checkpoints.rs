//! Inserting tagged checkpoints, and what becomes of them.

mod common;

use std::time::{Duration, Instant};

use common::{Client, checkpoints};
use serde_json::json;
use zvm_sim::{InsertOutcome, Refusal, Sim};

#[test]
fn a_tag_is_queued_completed_and_listed_in_that_order() {
    let sim = Sim::builder()
        .demo_world()
        .insert_time(Duration::from_millis(600))
        .listing_delay(Duration::from_millis(600))
        .start();
    let client = Client::new(&sim);
    let begun = Instant::now();
    let (status, task) = client.insert(&sim, "web01-dr", "t1");
    let id = task.as_str().unwrap();
    assert_eq!(
        (status, id.split('.').count(), id.len()),
        (200, 2, 73),
        "<taskGuid>.<siteGuid>"
    );
    let (_, first) = client.get(&format!("/v1/tasks/{id}"));
    assert_eq!(
        (
            first["Status"]["State"].as_u64(),
            first["Completed"].is_null()
        ),
        (Some(1), true)
    );
    let done = client.wait(id);
    assert_eq!(
        (&done["Status"]["State"], &done["Status"]["Progress"]),
        (&json!(6), &json!(100))
    );
    assert_eq!(
        (&done["CompleteReason"], &done["TaskIdentifier"]),
        (&json!(""), &json!(id))
    );
    assert!(begun.elapsed() >= Duration::from_millis(600));
    assert_eq!(
        client.listed(&sim, "web01-dr"),
        [""; 0],
        "completed, and not listed yet"
    );
    assert_eq!(sim.tags("web01-dr"), ["t1"]);
    while client.listed(&sim, "web01-dr").is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(begun.elapsed() >= Duration::from_millis(1200));
    assert_eq!(sim.all_tags(), [("web01-dr".to_owned(), "t1".to_owned())]);
}

#[test]
fn a_second_insert_at_a_busy_vpg_fails() {
    let sim = Sim::builder()
        .demo_world()
        .insert_time(Duration::from_millis(700))
        .start();
    let client = Client::new(&sim);
    let first = client.insert(&sim, "web01-dr", "t1").1;
    let second = client.insert(&sim, "web01-dr", "t2").1;
    let elsewhere = client.insert(&sim, "web01-local", "t3").1;
    let state = |task: &serde_json::Value| {
        client.wait(task.as_str().unwrap())["Status"]["State"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(
        [state(&first), state(&second), state(&elsewhere)],
        [6, 4, 6]
    );
    assert!(
        !client.wait(second.as_str().unwrap())["CompleteReason"]
            .as_str()
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        (sim.tags("web01-dr"), sim.tags("web01-local")),
        (vec!["t1".into()], vec!["t3".into()])
    );
    assert_eq!(
        client.insert_whole(&sim, "web01-dr", "t4")["Status"]["State"],
        6,
        "free again"
    );
}

#[test]
fn inserts_that_the_vpgs_state_does_not_allow_fail() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let state = |vpg| {
        client.insert_whole(&sim, vpg, "t")["Status"]["State"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(state("sync01-dr"), 4);
    assert_eq!(state("azvm01-home"), 4, "protected at an Azure site");
    assert_eq!(state("remote01-dr"), 4, "protected elsewhere");
    sim.with_state(|s| s.settings.recovery_side_inserts = true);
    assert_eq!((state("remote01-dr"), state("azvm01-home")), (6, 4));
    assert!(sim.set_vpg_status("web01-dr", 1, 25));
    assert_eq!(state("web01-dr"), 4, "paused");
    sim.with_state(|s| s.settings.refusal = Refusal::Http(409));
    assert_eq!(client.insert(&sim, "web01-dr", "t").0, 409);
    let azure = Sim::builder().azure_world().start();
    let task = Client::new(&azure).insert_whole(&azure, "azvm02-home", "t");
    assert_eq!(task["Status"]["State"], 4);
}

#[test]
fn how_the_next_inserts_end_can_be_ordered() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    sim.next_inserts(1, &InsertOutcome::stopped("Stopped by an administrator."));
    assert!(sim.next_inserts_at("db01-dr", 1, &InsertOutcome::failed("No.")));
    assert_eq!(
        client.insert_whole(&sim, "web01-dr", "t")["Status"]["State"],
        5
    );
    assert_eq!(
        client.insert_whole(&sim, "db01-dr", "t")["CompleteReason"],
        "No."
    );
    assert_eq!(
        client.insert_whole(&sim, "db01-dr", "t")["Status"]["State"],
        6
    );
    sim.next_inserts(1, &InsertOutcome::completed_without_tag());
    assert_eq!(
        client.insert_whole(&sim, "web01-dr", "t")["Status"]["State"],
        6
    );
    assert!(sim.tags("web01-dr").is_empty());
    sim.next_inserts(1, &InsertOutcome::stuck(3));
    let task = client.insert(&sim, "web01-dr", "t").1;
    std::thread::sleep(Duration::from_millis(150));
    let (_, stuck) = client.get(&format!("/v1/tasks/{}", task.as_str().unwrap()));
    assert_eq!(
        (&stuck["Status"]["State"], &stuck["Completed"]),
        (&json!(3), &json!(null))
    );
}

#[test]
fn a_task_fails_whose_vpg_begins_to_sync() {
    let sim = Sim::builder()
        .demo_world()
        .insert_time(Duration::from_millis(300))
        .start();
    let client = Client::new(&sim);
    let task = client.insert(&sim, "web01-dr", "t").1;
    assert!(sim.resync("web01-dr"));
    let ended = client.wait(task.as_str().unwrap());
    assert_eq!(
        (&ended["Status"]["State"], sim.tags("web01-dr").len()),
        (&json!(4), 0)
    );
    assert!(sim.set_vpg_status("web01-dr", 1, 0));
    assert_eq!(
        client.insert_whole(&sim, "web01-dr", "t")["Status"]["State"],
        6
    );
}

#[test]
fn a_new_task_may_be_unknown_for_a_while() {
    let sim = Sim::builder()
        .demo_world()
        .task_visibility_delay(Duration::from_millis(700))
        .start();
    let client = Client::new(&sim);
    let task = client.insert(&sim, "web01-dr", "t").1;
    assert_eq!(
        client
            .get(&format!("/v1/tasks/{}", task.as_str().unwrap()))
            .0,
        404
    );
    assert_eq!(client.get("/v1/tasks").1, json!([]));
    assert_eq!(client.wait(task.as_str().unwrap())["Status"]["State"], 6);
}

#[test]
fn tasks_by_filter() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    client.insert_whole(&sim, "web01-dr", "t");
    client.insert_whole(&sim, "sync01-dr", "t");
    let count = |query: &str| {
        client
            .get(&format!("/v1/tasks?{query}"))
            .1
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(
        (
            count(""),
            count("status=Failed"),
            count("status=6"),
            count("type=inserttaggedcp")
        ),
        (2, 1, 1, 2)
    );
    let at = sim.tasks()[1].started_ms;
    assert_eq!(
        (
            count(&format!("startedAfterDate={at}")),
            count(&format!("startedBeforeDate={}", at - 1))
        ),
        (1, 1)
    );
    assert_eq!(count("type=Other"), 0);
    sim.with_state(|s| s.settings.insert_time = Duration::from_secs(60));
    assert!(sim.insert_elsewhere("web01-dr", "theirs").is_some());
    assert_eq!(count("status=InProgress"), 1);
}

#[test]
fn the_names_key_counts_whatever_its_case() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    for key in ["checkpointName", "CheckpointName", "checkpointname"] {
        let path = checkpoints(&sim, "db01-dr").replace("checkpoints", "Checkpoints");
        let (status, task) = client.try_post(&path, &json!({ key: key })).unwrap();
        assert_eq!(status, 200, "{task}");
        client.wait(task.as_str().unwrap());
    }
    assert_eq!(
        sim.tags("db01-dr"),
        ["checkpointName", "CheckpointName", "checkpointname"]
    );
    assert_eq!(
        client
            .try_post(&checkpoints(&sim, "db01-dr"), &json!({}))
            .unwrap()
            .0,
        400
    );
    assert_eq!(
        client
            .try_post(
                "/v1/vpgs/none/checkpoints",
                &json!({ "checkpointName": "t" })
            )
            .unwrap()
            .0,
        404
    );
}

#[test]
fn checkpoints_come_unordered_and_within_the_dates() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    // No new ones between two listings that are compared.
    sim.with_state(|s| s.settings.auto_checkpoint_every = Duration::ZERO);
    let times = |query: &str| -> Vec<jiff::Timestamp> {
        let (status, list) = client.get(&format!("{}?{query}", checkpoints(&sim, "web01-dr")));
        assert_eq!(status, 200);
        list.as_array()
            .unwrap()
            .iter()
            .map(|c| c["TimeStamp"].as_str().unwrap().parse().unwrap())
            .collect()
    };
    let all = times("");
    assert!(all.len() > 5 && !all.is_sorted(), "{all:?}");
    let oldest = *all.iter().min().unwrap();
    let end = oldest + jiff::SignedDuration::from_secs(60);
    assert_eq!(
        times(&format!("endDate={end}")),
        [oldest],
        "the oldest is two hours ago, the others of the last minute"
    );
    // Without Z the date is the ZVM's local time, four hours behind: the same digits mean a later moment.
    let local = end.to_string().replace('Z', "");
    assert_eq!(times(&format!("endDate={local}")).len(), times("").len());
    assert_eq!(
        client
            .get(&format!("{}?startDate=soon", checkpoints(&sim, "web01-dr")))
            .0,
        400
    );
    let (_, stats) = client.get(&format!("{}/stats", checkpoints(&sim, "web01-dr")));
    assert_eq!(
        stats["Earliest"]["TimeStamp"]
            .as_str()
            .unwrap()
            .parse::<jiff::Timestamp>()
            .unwrap(),
        oldest
    );
    assert!(stats["Earliest"]["Tag"].is_null());
    sim.with_state(|s| s.settings.ordered_checkpoints = true);
    assert!(times("").is_sorted());
}

#[test]
fn points_in_time_say_whether_files_can_be_restored() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let (_, vms) = client.get("/v1/vms?vmName=db01");
    let path = format!(
        "/v1/vms/{}/pointsInTime",
        vms[0]["VmIdentifier"].as_str().unwrap()
    );
    assert_eq!(client.get(&path).1[0]["CanMount"]["IsAllowed"], true);
    sim.with_state(|s| {
        s.vpg_mut("db01-dr").unwrap().failover_test_stage = Some("Testing".to_owned())
    });
    assert_eq!(client.get(&path).1[0]["CanMount"]["IsAllowed"], false);
}
