//! What needs a human: refused without a yes, asked where the client can ask, and done as it was shown.

use crate::client::{Client, DEAF, Home, asking, call, drive, ok, refused};
use crate::tools::{TAG, secret_free, world};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use zvm_sim::{Sim, Step, VpgSpec};

fn recover(home: &Home, confirmed: bool) -> Value {
    let destination = home.path("before.yaml");
    call(
        "zerto_recover_file",
        json!({"tag": TAG, "path": "/etc/app.yaml", "destination": destination, "confirmed": confirmed}),
    )
}

/// Somebody else's, on another VM.
fn colleagues_session(sim: &Sim) -> String {
    sim.add_vm("web02", &[VpgSpec::local("silver")]);
    sim.insert_elsewhere("silver", "somebody's").unwrap();
    sim.mount_elsewhere("web02", "silver", None).unwrap()
}

/// One call of each tool that a flag is not enough for, and the human's command line.
fn each(session: &str) -> Vec<(Value, String)> {
    vec![
        (
            call("zerto_end_flr_session", json!({"session_id": session, "confirmed": true})),
            format!("zerto-guard rewind end-session {session}"),
        ),
        (
            call("zerto_offsite_clone", json!({"tag": "chg-412", "vpg": "gold", "confirmed": true})),
            "zerto-guard rewind clone chg-412 --vpg gold".into(),
        ),
        (
            call("zerto_start_failover_test", json!({"tag": "chg-412", "vpg": "gold", "confirmed": true})),
            "zerto-guard rewind test-failover chg-412 --vpg gold".into(),
        ),
        (
            call(
                "zerto_add_mutating_tool",
                json!({"server": "acme", "tool": "set_x", "vm_argument": "host", "confirmed": true}),
            ),
            "zerto-guard catalog add --server acme --tool set_x --mutating --vm host".into(),
        ),
        (
            call("zerto_add_read_only_tool", json!({"server": "acme", "tool": "get_x", "confirmed": true})),
            "zerto-guard catalog add --server acme --tool get_x --read-only".into(),
        ),
    ]
}

/// What was asked of the ZVM that changes something.
fn orders(sim: &Sim) -> usize {
    [Step::FlrMount, Step::FlrUnmount, Step::Clone, Step::FailoverTest, Step::FailoverTestStop]
        .into_iter()
        .map(|step| sim.requests_of(step).len())
        .sum()
}

#[test]
fn without_a_human_to_ask_a_file_comes_on_the_flag_and_nothing_else_is_done() {
    let sim = world();
    let (home, session) = (Home::new(&sim), colleagues_session(&sim));
    let lines = each(&session);
    let mut steps: Vec<Value> = lines.iter().map(|(step, _)| step.clone()).collect();
    // What an agent writes is one word of one line, or nothing.
    for tool in ["x\nrm -rf ~; \u{1b}[2J", "x; rm -rf ~"] {
        steps.push(call("zerto_add_read_only_tool", json!({"server": "acme", "tool": tool})));
    }
    steps.push(recover(&home, false));
    let Some(came) = home.drive(DEAF, &steps) else { return };
    for ((_, line), result) in lines.iter().zip(&came.results) {
        let said = refused(result, 5);
        assert!(said.contains("a human must run this") && said.ends_with(line), "{said}");
    }
    let said = refused(came.results.last().unwrap(), 5);
    assert!(said.contains("This mounts the disks of VM web01") && said.contains("confirmed: true"), "{said}");
    refused(&came.results[lines.len()], 1);
    let said = refused(&came.results[lines.len() + 1], 5);
    assert!(said.ends_with("\n  zerto-guard catalog add --server acme --tool 'x; rm -rf ~' --read-only"), "{said}");
    assert_eq!((orders(&sim), home.catalog().as_str(), sim.live_sessions().len()), (0, "", 1));

    let sim = world();
    let home = Home::new(&sim);
    let came = home
        .drive(DEAF, &[recover(&home, true), recover(&home, true), call("zerto_list_flr_sessions", json!({}))])
        .unwrap();
    let [there, again, sessions] = came.results.as_slice() else { panic!() };
    assert_eq!(ok(there)["unmount"]["ok"], true);
    assert_eq!(fs::read_to_string(home.path("before.yaml")).unwrap(), "listen: 8080\nworkers: 4\n");
    assert!(
        there["progress"]
            .as_array()
            .unwrap()
            .iter()
            .any(|told| told.as_str().unwrap().starts_with("mounting the disks"))
    );
    assert!(there["text"].as_str().unwrap().contains("To put it back:\n  scp "), "{there:#}");
    refused(again, 5);
    assert_eq!(ok(sessions)["sessions"], json!([]));
    secret_free(&sim, &came.results, &came.stderr);
}

#[test]
fn a_human_who_says_yes_is_shown_what_is_done_and_the_flag_does_not_count() {
    let worlds = [world(), world()];
    let homes: Vec<_> = worlds.iter().map(|sim| (sim, Home::new(sim), colleagues_session(sim))).collect();
    let scenario = |((_, home, session), client): (&(&Sim, Home, String), Client)| {
        let mut steps: Vec<Value> = each(session).into_iter().map(|(step, _)| step).collect();
        steps.push(call("zerto_stop_failover_test", json!({"vpg": "gold"})));
        steps.push(recover(home, false));
        home.scenario(client, &steps)
    };
    let scenarios: Vec<Value> = homes.iter().zip(asking("yes")).map(scenario).collect();
    let Some(all) = drive(&scenarios) else { return };
    for ((sim, home, _), came) in homes.iter().zip(all) {
        let [ended, cloned, started, mutating, reads, stopped, recovered] = came.results.as_slice() else { panic!() };
        assert_eq!(ok(ended)["ended"], true);
        assert_eq!((&ok(cloned)["act"], &ok(cloned)["task_state"]), (&json!("clone"), &json!("Completed")));
        assert!(ok(started)["stop"].as_str().unwrap().ends_with("stop-test gold"));
        assert_eq!((&ok(mutating)["verdict"], &ok(reads)["verdict"]), (&json!("mutating"), &json!("read_only")));
        assert_eq!(ok(stopped)["vpg"], "gold");
        assert_eq!(ok(recovered)["size"], 24);
        let plans = [
            "This ends the FLR session",
            "This clones a whole VPG",
            "This starts a failover test",
            "This writes into the catalog",
            "This writes into the catalog",
            "This stops the failover test",
            "This mounts the disks of VM web01",
        ];
        for (result, plan) in came.results.iter().zip(plans) {
            let [asked] = result["asked"].as_array().unwrap().as_slice() else { panic!("{result:#}") };
            assert!(asked.as_str().unwrap().starts_with(plan), "{asked}");
        }
        let catalog = home.catalog();
        assert!(
            catalog.contains("read_only = [\"get_x\"]") && catalog.contains("tool = \"set_x\", vm = \"host\""),
            "{catalog}"
        );
        assert!(sim.live_sessions().is_empty());
    }
}

#[test]
fn anything_but_a_yes_is_none_whatever_the_flag_says() {
    // A client of the newest protocol whose human can't be reached has nothing to send back.
    let clients = ["no", "unticked", "cancel"].into_iter().flat_map(asking).chain(asking("fails").into_iter().take(1));
    let all: Vec<_> = clients.map(|client| (client, world())).collect();
    let homes: Vec<_> =
        all.iter().map(|(client, sim)| (*client, sim, Home::new(sim), colleagues_session(sim))).collect();
    let scenario = |(client, _, home, session): &(Client, &Sim, Home, String)| {
        let mut steps: Vec<Value> = each(session).into_iter().map(|(step, _)| step).collect();
        steps.push(recover(home, true));
        home.scenario(*client, &steps)
    };
    let Some(came) = drive(&homes.iter().map(scenario).collect::<Vec<_>>()) else { return };
    for ((_, sim, home, _), came) in homes.iter().zip(came) {
        for result in &came.results {
            assert!(refused(result, 5).starts_with("Nothing was done"), "{result:#}");
            assert_eq!(result["asked"].as_array().unwrap().len(), 1);
        }
        assert_eq!((orders(sim), home.catalog().as_str(), sim.live_sessions().len()), (0, "", 1));
    }
}

#[test]
fn a_file_goes_nowhere_where_the_guard_or_a_hook_is_set() {
    let sim = world();
    sim.put_file("web01", "partition#1 Ext4/srv/app/.claude/settings.json", "{}");
    sim.put_file("web01", "partition#1 Ext4/srv/app/main.py", "1");
    // Files are as they are from the next moment on.
    std::thread::sleep(std::time::Duration::from_millis(20));
    sim.insert_elsewhere("gold", "the-app").unwrap();
    let home = Home::new(&sim);
    fs::create_dir_all(home.path(".cursor")).unwrap();
    fs::create_dir_all(home.path(".local/state/zerto-guard")).unwrap();
    fs::set_permissions(home.path(".local/state/zerto-guard"), fs::Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::symlink(home.path(".config/zerto-guard"), home.path("innocent")).unwrap();
    let to = |tag: &str, path: &str, destination: &str, recursive: bool| {
        let destination = format!("{}/{destination}", home.path("").display());
        let with =
            json!({"tag": tag, "path": path, "destination": destination, "recursive": recursive, "confirmed": true});
        call("zerto_recover_file", with)
    };
    let file = |destination| to(TAG, "/etc/app.yaml", destination, false);
    let folder = |destination| to("the-app", "/srv/app", destination, true);
    let mut steps = vec![
        file(".config/zerto-guard/catalog.toml"),
        file("elsewhere/../.config/zerto-guard/catalog.toml"),
        file("innocent/catalog.toml"),
        file(".local/state/zerto-guard/paused"),
        file(".cursor/hooks.json"),
        folder(".claude"),
        folder(".cursor"),
        folder("innocent/new"),
    ];
    let refusals = steps.len();
    steps.push(folder("app"));
    steps.push(file(".cursor/before.yaml"));
    let Some(came) = home.drive(DEAF, &steps) else { return };
    for (result, step) in came.results.iter().zip(&steps).take(refusals) {
        let said = refused(result, 5);
        assert!(said.contains("on which the guard itself depends"), "{step}: {said}");
    }
    let [.., brought, beside] = came.results.as_slice() else { panic!() };
    assert_eq!(ok(brought)["left_out"][0]["path"], ".claude/settings.json", "{brought:#}");
    assert!(home.path("app/main.py").exists() && !home.path("app/.claude/settings.json").exists());
    ok(beside);
    assert_eq!(sim.requests_of(Step::FlrMount).len(), 2);
    assert!(home.catalog().is_empty() && !home.path(".claude").exists());
}

#[test]
fn a_test_that_runs_is_stopped_by_nobody_but_a_human() {
    let sim = world();
    let home = Home::new(&sim);
    let start = call("zerto_start_failover_test", json!({"tag": "chg-412", "vpg": "gold"}));
    let stop = call("zerto_stop_failover_test", json!({"vpg": "gold", "failed": true, "confirmed": true}));
    let Some(came) = home.drive(asking("yes")[0], &[start]) else { return };
    ok(&came.results[0]);
    let came = home.drive(DEAF, &[stop]).unwrap();
    let said = refused(&came.results[0], 5);
    assert!(said.ends_with("\n  zerto-guard rewind stop-test gold --failed"), "{said}");
    assert!(sim.requests_of(Step::FailoverTestStop).is_empty());
}

#[test]
fn what_goes_into_the_catalog_is_shown_with_all_that_follows() {
    let home = Home::with("");
    let catalog = "[server.acme]\nmutating = [\"set_x\"]\n";
    fs::write(home.path(".config/zerto-guard/catalog.toml"), catalog).unwrap();
    let reads = |server: &str, tool: &str| call("zerto_add_read_only_tool", json!({"server": server, "tool": tool}));
    let steps = [
        call("zerto_add_mutating_tool", json!({"server": "acme", "tool": "put_y", "vm_argument": "comment"})),
        reads("acme", "set_x"),
        reads("winrm", "copy_file"),
        reads("*", "*"),
    ];
    let Some(came) = home.drive(DEAF, &steps) else { return };
    let said: Vec<&str> = came.results.iter().map(|result| refused(result, 5)).collect();
    assert!(said[0].contains("The guest is the one that its argument comment names."), "{}", said[0]);
    assert!(said[1].contains("What the catalog says now of set_x goes."), "{}", said[1]);
    assert!(said[1].contains("WARNING: the user catalog knows set_x as mutating now."), "{}", said[1]);
    assert!(said[2].contains("WARNING: the built-in catalog knows copy_file as mutating now."), "{}", said[2]);
    assert!(said[3].contains("each call that fits these wildcards is taken to change no guest"), "{}", said[3]);
    assert_eq!(home.catalog(), catalog);
}
