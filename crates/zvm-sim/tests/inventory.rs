//! What the ZVM tells of VMs, VPGs and sites.

#![allow(clippy::unwrap_used)]

mod common;

use common::Client;
use zvm_sim::{Casing, DateForm, NameMatch, Sim};

fn names(list: &serde_json::Value) -> Vec<(String, String)> {
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
    list.as_array()
        .unwrap()
        .iter()
        .map(|v| (text(&v["VmName"]), text(&v["VpgName"])))
        .collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

#[test]
fn one_row_for_each_vm_and_vpg() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let (_, web) = client.get("/v1/vms?vmname=WEB01");
    assert_eq!(
        names(&web),
        pairs(&[("web01", "web01-local"), ("web01", "web01-dr")])
    );
    assert_eq!(web[0]["VmIdentifier"], web[1]["VmIdentifier"]);
    assert_eq!(
        web[0]["ProtectedSite"]["href"], web[0]["RecoverySite"]["href"],
        "a local VPG"
    );
    let (id, vpg) = (
        web[0]["VmIdentifier"].as_str().unwrap(),
        web[0]["VpgIdentifier"].as_str().unwrap(),
    );
    assert_eq!(
        web[0]["Link"]["identifier"],
        format!("{id}?VpgIdentifier={vpg}"),
        "not clean, as in real answers"
    );
    assert_eq!(
        client.get(&format!("/v1/vms/{id}")).0,
        400,
        "which of its VPGs?"
    );
    let (status, one) = client.get(&format!("/v1/vms/{id}?vpgIdentifier={vpg}"));
    assert_eq!(
        (status, one["VpgName"].as_str()),
        (200, Some("web01-local"))
    );
    let (_, by_id) = client.get(&format!("/v1/vms?vmIdentifier={id}&vpgName=web01-DR"));
    assert_eq!(names(&by_id), pairs(&[("web01", "web01-dr")]));
    assert_eq!(client.get("/v1/vms/no.vm-1").0, 404);
}

#[test]
fn the_demo_world_shows_each_case() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let row = |name: &str| client.get(&format!("/v1/vms?vmName={name}")).1;
    assert_eq!(row("scratch01"), serde_json::json!([]), "unprotected");
    assert_eq!(row("sync01")[0]["SubStatus"], 6);
    let twins = row("app01");
    assert_ne!(twins[0]["VmIdentifier"], twins[1]["VmIdentifier"]);
    let azure = row("azvm01");
    let href = azure[0]["ProtectedSite"]["href"].as_str().unwrap();
    let path = href.strip_prefix("https://192.0.2.2").unwrap();
    let (status, peer) = client.get(path);
    assert_eq!((status, peer["SiteType"].as_str()), (200, Some("Azure")));
    assert!(
        row("remote01")[0]["ProtectedSite"]["href"]
            .as_str()
            .unwrap()
            .contains("/v1/peersites/")
    );
    let (_, site) = client.get("/v1/localsite");
    assert_eq!(
        (
            site["SiteType"].as_str(),
            site["PlatformInformation"]["Azure"].is_null()
        ),
        (Some("VCenter"), true)
    );
    let (_, sites) = client.get("/v1/virtualizationsites");
    let local = sites[0]["SiteIdentifier"].as_str().unwrap();
    let (_, free) = client.get(&format!("/v1/virtualizationsites/{local}/vms"));
    assert_eq!(free[0]["VmName"], "scratch01");
}

#[test]
fn how_the_name_filter_compares_is_a_choice() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let count = || client.get("/v1/vms?vmName=eb0").1.as_array().unwrap().len();
    assert_eq!(count(), 2);
    sim.with_state(|s| s.settings.name_match = NameMatch::Whole);
    assert_eq!(count(), 0);
    sim.with_state(|s| s.settings.name_match = NameMatch::Ignored);
    assert_eq!(count(), 8);
}

#[test]
fn sparse_and_camel_case_answers() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    sim.with_state(|s| s.settings.sparse = true);
    let (_, vms) = client.get("/v1/vms?vmName=db01");
    assert!(vms[0].get("VmIdentifier").is_none() && vms[0].get("VpgIdentifier").is_none());
    assert!(
        vms[0]["Link"]["identifier"]
            .as_str()
            .unwrap()
            .contains("?VpgIdentifier=")
    );
    let (_, sites) = client.get("/v1/virtualizationsites");
    assert!(
        sites[0]["SiteIdentifier"].is_string(),
        "the OpenAPI file has this one"
    );
    sim.with_state(|s| {
        s.settings.casing = Casing::Camel;
        s.settings.dates = DateForm::Ticks;
    });
    let (_, vpgs) = client.get("/v1/vpgs?name=db01-dr");
    assert_eq!(vpgs[0]["vpgName"], "db01-dr");
    assert!(vpgs[0]["ioPs"].is_number());
    let earliest = &vpgs[0]["historyStatusApi"]["earliestCheckpoint"]["timeStamp"];
    assert!(earliest.as_str().unwrap().starts_with("/Date("));
}

#[test]
fn vpgs_by_id_by_filter_and_their_names() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let id = sim.vpg_id("sync01-dr").unwrap();
    let (_, vpg) = client.get(&format!("/v1/vpgs/{id}"));
    assert_eq!(vpg["SubStatusDescription"], "DeltaSync");
    assert_eq!(vpg["HistoryStatusApi"]["ConfiguredHistoryInMinutes"], 1440);
    assert_eq!(
        client
            .get("/v1/vpgs?status=NotMeetingSLA")
            .1
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        client.get("/v1/vpgs/sync01-dr").0,
        404,
        "a name is no identifier"
    );
    assert_eq!(client.get("/v1/vpgs/statuses").1[3], "RpoNotMeetingSLA");
    assert_eq!(
        client
            .get("/v1/vpgs/substatuses")
            .1
            .as_array()
            .unwrap()
            .len(),
        43
    );
    let history = |sim: &Sim| sim.with_state(|s| s.vpg("web01-dr").unwrap().journal.len());
    assert!(history(&sim) > 5);
    assert!(sim.resync("web01-dr"));
    assert_eq!(history(&sim), 0, "a resync deletes checkpoints");
}

#[test]
fn the_clock_may_differ() {
    let sim = Sim::builder().clock_offset_ms(-3_600_000).start();
    let client = Client::new(&sim);
    let (_, time) = client.get("/v1/serverDateTime/serverDateTimeUtc");
    let there: jiff::Timestamp = time.as_str().unwrap().parse().unwrap();
    let behind = jiff::Timestamp::now().as_second() - there.as_second();
    assert!((3595..=3610).contains(&behind), "{behind}");
}
