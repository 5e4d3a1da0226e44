//! Logging in: grants, lives, and the race of two token requests.

mod common;

use std::time::Duration;

use common::Client;
use zvm_sim::{Role, Sim};

#[test]
fn a_token_ends_and_refreshes() {
    let sim = Sim::builder()
        .demo_world()
        .token_life(Duration::from_millis(800))
        .start();
    let client = Client::anonymous(&sim);
    let (status, answer) = client.log_in("openid");
    assert_eq!(
        (
            status,
            answer["expires_in"].as_u64(),
            answer["token_type"].as_str()
        ),
        (200, Some(0), Some("Bearer"))
    );
    let mut client = client;
    client.token = answer["access_token"].as_str().unwrap().to_owned();
    assert_eq!(client.get("/v1/localsite").0, 200);
    std::thread::sleep(Duration::from_millis(820));
    assert_eq!(client.get("/v1/localsite").0, 401);
    let refresh = answer["refresh_token"].as_str().unwrap();
    let (status, answer) = client.form(&[
        ("grant_type", "refresh_token"),
        ("client_id", "zerto-client"),
        ("refresh_token", refresh),
    ]);
    assert_eq!(status, 200, "{answer}");
    client.token = answer["access_token"].as_str().unwrap().to_owned();
    assert_eq!(client.get("/v1/localsite").0, 200);
    sim.end_tokens(true);
    assert_eq!(client.get("/v1/localsite").0, 401);
}

#[test]
fn wrong_credentials_are_refused_in_keycloaks_words() {
    let sim = Sim::builder()
        .client("guard", "s3cret", Role::Admin)
        .start();
    let client = Client::anonymous(&sim);
    let password = |user, password| {
        client.form(&[
            ("grant_type", "password"),
            ("client_id", "zerto-client"),
            ("username", user),
            ("password", password),
        ])
    };
    assert_eq!(password("zerto-guard", "correct horse").0, 200);
    let (status, answer) = password("zerto-guard", "wrong");
    assert_eq!(
        (status, answer["error"].as_str()),
        (401, Some("invalid_grant"))
    );
    assert_eq!(password("nobody", "correct horse").0, 401);
    let credentials = |id, secret| {
        client.form(&[
            ("grant_type", "client_credentials"),
            ("client_id", id),
            ("client_secret", secret),
        ])
    };
    let (status, answer) = credentials("guard", "s3cret");
    assert_eq!(
        (status, answer.get("refresh_token")),
        (200, None),
        "no refresh token for a service account"
    );
    assert_eq!(credentials("guard", "wrong").0, 401);
    assert_eq!(credentials("other", "s3cret").0, 401);
    assert_eq!(client.form(&[("client_id", "zerto-client")]).0, 400);
    assert_eq!(
        client
            .form(&[("client_id", "zerto-client"), ("grant_type", "magic")])
            .0,
        400
    );
}

#[test]
fn of_two_token_requests_at_the_same_time_one_gets_401() {
    let statuses = |sim: &Sim| {
        let mut statuses: Vec<u16> = std::thread::scope(|scope| {
            let ask = || Client::anonymous(sim).log_in("openid").0;
            let asks = [scope.spawn(ask), scope.spawn(ask)];
            asks.into_iter().map(|a| a.join().unwrap()).collect()
        });
        statuses.sort_unstable();
        statuses
    };
    // Long enough for both to be in flight on a busy machine.
    let slow = |s: &mut zvm_sim::Settings| s.token_time = Duration::from_millis(500);
    assert_eq!(statuses(&Sim::builder().settings(slow).start()), [200, 401]);
    let sim = Sim::builder()
        .settings(slow)
        .settings(|s| s.token_race = false)
        .start();
    assert_eq!(statuses(&sim), [200, 200]);
    let client = Client::anonymous(&sim);
    assert_eq!(
        (client.log_in("openid").0, client.log_in("openid").0),
        (200, 200),
        "one after the other is fine"
    );
}

#[test]
fn a_token_without_the_scope_may_be_refused_by_the_api() {
    let sim = Sim::builder()
        .settings(|s| s.requires_openid_scope = true)
        .start();
    let mut client = Client::new(&sim);
    assert_eq!(client.get("/v1/localsite").0, 200);
    let (status, answer) = client.log_in("profile");
    assert_eq!(status, 200);
    client.token = answer["access_token"].as_str().unwrap().to_owned();
    assert_eq!(client.get("/v1/localsite").0, 401);
}

#[test]
fn a_viewer_reads_and_inserts_nothing() {
    let sim = Sim::builder()
        .demo_world()
        .user("zerto-guard", "correct horse", Role::Viewer)
        .start();
    let client = Client::new(&sim);
    assert_eq!(client.get("/v1/vms").0, 200);
    let (status, answer) = client.insert(&sim, "web01-dr", "t");
    assert_eq!(status, 403);
    assert!(answer["Message"].is_string());
    assert!(sim.tasks().is_empty());
}

#[test]
fn without_a_bearer_nothing_is_told() {
    let sim = Sim::builder().demo_world().start();
    let client = Client::anonymous(&sim);
    assert_eq!(client.get("/v1/vms").0, 401);
    assert_eq!(client.get("/v1/nothing").0, 404);
    assert_eq!(
        client
            .agent
            .get(format!("{}/v1/vms", sim.url()))
            .call()
            .unwrap()
            .status(),
        401
    );
    assert!(!sim.requests().last().unwrap().had_bearer);
}
