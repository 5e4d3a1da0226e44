//! Each fault, as a client notices it, and whether the request was processed.

mod common;

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use common::{Client, checkpoints};
use serde_json::json;
use zvm_sim::{Fault, Sim, Step, Times};

const ONCE: Times = Times::Next(1);

/// What a client's error comes from, if it comes from the connection.
fn io_kind(error: &ureq::Error) -> Option<ErrorKind> {
    match error {
        ureq::Error::Io(e) => Some(e.kind()),
        _ => None,
    }
}

/// Both with TLS and without.
fn each(test: impl Fn(&Sim, &Client)) {
    for http in [false, true] {
        let builder = Sim::builder().demo_world();
        let sim = if http { builder.http() } else { builder }.start();
        let client = Client::new(&sim);
        test(&sim, &client);
    }
}

#[test]
fn resets_before_and_after_processing() {
    each(|sim, client| {
        for (fault, processed) in [(Fault::ResetBefore, 0), (Fault::ResetAfterProcessing, 1)] {
            sim.fault(Step::Insert, fault.clone(), ONCE);
            let body = json!({ "checkpointName": "t" });
            let error = client.try_post(&checkpoints(sim, "web01-dr"), &body).unwrap_err();
            assert_eq!(io_kind(&error), Some(ErrorKind::ConnectionReset), "{fault:?}: {error}");
            assert_eq!(sim.tasks().len(), processed, "{fault:?}");
            let last = sim.requests().pop().unwrap();
            assert_eq!((last.line(), last.status, last.finished), (format!("POST {}", last.path), None, None));
        }
    });
}

#[test]
fn it_goes_down_in_the_middle_of_a_call_and_comes_back() {
    each(|sim, client| {
        for (fault, processed) in [(Fault::GoDown, 0), (Fault::AfterProcessing(Box::new(Fault::GoDown)), 1)] {
            sim.fault(Step::Insert, fault, ONCE);
            let body = json!({ "checkpointName": "t" });
            let error = client.try_post(&checkpoints(sim, "web01-dr"), &body).unwrap_err();
            assert_eq!(io_kind(&error), Some(ErrorKind::ConnectionReset), "{error}");
            assert_eq!(sim.tasks().len(), processed);
            let error = client.try_get("/v1/vms").unwrap_err();
            assert_eq!(io_kind(&error), Some(ErrorKind::ConnectionRefused), "{error}");
            sim.come_back().unwrap();
            assert_eq!(client.get("/v1/vms").0, 200);
        }
    });
}

#[test]
fn an_answer_that_breaks_off() {
    each(|sim, client| {
        for fault in [Fault::ResetMidBody, Fault::Truncated] {
            sim.fault(Step::VmList, fault.clone(), ONCE);
            let mut answer = client
                .agent
                .get(format!("{}/v1/vms", sim.url()))
                .header("Authorization", format!("Bearer {}", client.token))
                .call()
                .unwrap();
            assert_eq!(answer.status(), 200, "the head came");
            assert!(answer.body_mut().read_to_string().is_err(), "{fault:?}");
        }
        assert_eq!(client.get("/v1/vms").0, 200);
        sim.fault(Step::Insert, Fault::Truncated, ONCE);
        assert!(client.try_post(&checkpoints(sim, "web01-dr"), &json!({ "checkpointName": "t" })).is_err());
        assert_eq!(sim.tasks().len(), 1, "and was processed");
    });
}

#[test]
fn answers_that_are_not_what_was_asked_for() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let next = |fault: Fault| {
        sim.fault("GET /v1/vms", fault, ONCE);
        client.try_get("/v1/vms").unwrap()
    };
    assert_eq!(next(Fault::Empty), (200, String::new()));
    assert_eq!(next(Fault::Status(503, "busy".to_owned())), (503, "busy".to_owned()));
    assert!(next(Fault::Html).1.starts_with("<!DOCTYPE html>"));
    assert_eq!(next(Fault::WrongType), (200, "42".to_owned()));
    assert_eq!(next(Fault::DeepJson(100_000)).1.len(), 200_000);
    let (status, huge) = next(Fault::HugeJson(20_000_000));
    assert_eq!((status, huge.len() > 20_000_000), (200, true));
    assert!(serde_json::from_str::<Vec<String>>(&huge).is_ok());
    assert_eq!(next(Fault::Unauthorized).0, 401);
    assert_eq!(client.get("/v1/vms").0, 200, "all used up");
}

#[test]
fn headers_of_redirects_and_of_later() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let next = |fault: Fault, header: &str| {
        sim.fault(Step::LocalSite, fault, ONCE);
        let answer = client.agent.get(format!("{}/v1/localsite", sim.url())).call().unwrap();
        (answer.status().as_u16(), answer.headers()[header].to_str().unwrap().to_owned())
    };
    assert_eq!(next(Fault::StatusWithRetryAfter(429, 3), "retry-after"), (429, "3".to_owned()));
    let evil = "https://evil.example/v1/localsite".to_owned();
    assert_eq!(next(Fault::Redirect(evil.clone()), "location"), (307, evil.clone()));
    assert_eq!(next(Fault::RedirectWith(302, evil.clone()), "location"), (302, evil));
}

#[test]
fn waits_and_hangs() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    sim.fault(Step::ServerTime, Fault::Delay(Duration::from_millis(200)), Times::Always);
    let timed = || {
        let begun = Instant::now();
        assert_eq!(client.get("/v1/serverDateTime/serverDateTimeUtc").0, 200);
        begun.elapsed() >= Duration::from_millis(200)
    };
    assert!(timed() && timed());
    sim.clear_faults();
    sim.fault(Step::ServerTime, Fault::SlowDrip { bytes: 5, every: Duration::from_millis(50) }, ONCE);
    assert!(timed(), "26 bytes");
    sim.fault(Step::ServerTime, Fault::Hang, ONCE);
    let short = client
        .agent
        .get(format!("{}/v1/serverDateTime/serverDateTimeUtc", sim.url()))
        .config()
        .timeout_global(Some(Duration::from_millis(200)))
        .build()
        .call();
    assert!(matches!(short, Err(ureq::Error::Timeout(_))), "{short:?}");
    assert_eq!(sim.requests().last().unwrap().status, None);
    timed();
}

#[test]
fn a_lost_answer_of_another_kind() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let bad_gateway = Fault::Status(502, "<h1>Bad Gateway</h1>".to_owned());
    sim.fault(Step::Insert, Fault::AfterProcessing(Box::new(bad_gateway)), ONCE);
    assert_eq!(client.insert(&sim, "web01-dr", "t").0, 502);
    client.wait(&sim.tasks()[0].id);
    assert_eq!(sim.tags("web01-dr"), ["t"]);
}

#[test]
fn counts_of_faults() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    let bad = || Fault::Status(500, String::new());
    let status = || client.get("/v1/localsite").0;
    sim.fault(Step::LocalSite, bad(), Times::Nth(2));
    assert_eq!([status(), status(), status()], [200, 500, 200]);
    sim.fault("/v1/local*", bad(), Times::Next(2));
    assert_eq!([status(), status(), status()], [500, 500, 200]);
    sim.fault(zvm_sim::Route::Any, bad(), Times::Always);
    assert_eq!([status(), status()], [500, 500]);
}

#[test]
fn a_zvm_that_is_down_and_comes_back() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    sim.go_down();
    for _ in 0..2 {
        let error = client.try_get("/v1/localsite").unwrap_err();
        assert_eq!(io_kind(&error), Some(ErrorKind::ConnectionRefused), "{error}");
    }
    sim.come_back().unwrap();
    assert_eq!(client.get("/v1/localsite").0, 200);
    let nothing = common::agent().get(Sim::refused_url()).call().unwrap_err();
    assert_eq!(io_kind(&nothing), Some(ErrorKind::ConnectionRefused));
}

#[test]
fn a_simulator_that_is_dropped_is_gone() {
    let sim = Sim::builder().demo_world().fault(Step::LocalSite, Fault::Hang, Times::Always).start();
    let client = Client::new(&sim);
    std::thread::scope(|scope| {
        let hangs = scope.spawn(|| client.try_get("/v1/localsite").is_err());
        assert!(sim.wait_until(Duration::from_secs(5), |s| { !s.requests_of(Step::LocalSite).is_empty() }));
        let url = sim.url().to_owned();
        drop(sim);
        assert!(hangs.join().unwrap(), "and doesn't wait for a request that hangs");
        assert!(common::agent().get(url).call().is_err());
    });
}

#[test]
fn connections_that_die_before_tls() {
    let sim = Sim::builder().demo_world().fault(Step::Connection, Fault::ResetBefore, ONCE).start();
    let error = common::agent().get(sim.url()).call().unwrap_err();
    assert_eq!(io_kind(&error), Some(ErrorKind::ConnectionReset), "{error}");
    assert!(sim.requests().is_empty());
    assert_eq!((sim.connections().len(), sim.handshakes()), (1, 0));
}

#[test]
fn the_record_tells_what_came() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    client.get("/v1/vms?vmName=web01");
    client.insert(&sim, "web01-dr", "a tag");
    let all = sim.requests();
    let [token, vms, insert] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(token.line(), format!("POST {}", common::TOKEN_PATH));
    assert!(token.body.contains("client_id=zerto-client") && !token.had_bearer);
    assert_eq!(token.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!((vms.query_value("VMNAME").as_deref(), vms.status, vms.had_bearer), (Some("web01"), Some(200), true));
    let body: serde_json::Value = serde_json::from_str(&insert.body).unwrap();
    assert_eq!(body, json!({ "checkpointName": "a tag" }));
    assert!(insert.at >= vms.finished.unwrap() && insert.answer_bytes > Some(70));
    assert_eq!((vms.connection, insert.connection), (token.connection, token.connection), "kept alive");
    assert_eq!((sim.connections().len(), sim.handshakes()), (1, 1));
    sim.cut_connections();
    let connection = &sim.connections()[0];
    assert!(connection.closed && connection.bytes_out > 3000 && connection.bytes_in > 500, "{connection:?}");
    sim.clear_log();
    assert!(sim.requests().is_empty() && sim.connections().is_empty());
}

#[test]
fn retry_after_may_be_any_text() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::new(&sim);
    for (text, there) in [("Sun, 06 Nov 1994 08:49:37 GMT", true), ("-1", true), ("a\nb", false)] {
        sim.fault("GET /v1/vms", Fault::StatusWithRetryAfterText(429, text.to_owned()), ONCE);
        let url = format!("{}/v1/vms", sim.url());
        let answer = client.agent.get(url).header("Authorization", format!("Bearer {}", client.token)).call().unwrap();
        let told = answer.headers().get("retry-after").map(|told| told.to_str().unwrap());
        assert_eq!((answer.status().as_u16(), told), (429, there.then_some(text)));
    }
}
