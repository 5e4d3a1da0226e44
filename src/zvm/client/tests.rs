//! Each verb against a server that answers well, badly, late or not at all.

use super::*;
use crate::zvm::model::TaskState;
use crate::zvm::testing::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const SITE: &str = r#"{"SiteName":"nyc","SiteIdentifier":"s-1","SiteType":"VCenter"}"#;

/// A server with a good login, whose other answers are `replies` in turn, the last one again and again.
fn answering(replies: Vec<Replies>) -> (Server, Home) {
    let next = AtomicUsize::new(0);
    let server = Server::start(move |asked| {
        if asked.line == TOKEN {
            return ok(r#"{"access_token":"t0ken","expires_in":300}"#);
        }
        let turn = next.fetch_add(1, Ordering::SeqCst);
        replies[turn.min(replies.len() - 1)]()
    });
    let home = Home::at(&server.url());
    (server, home)
}

fn asked_but_login(server: &Server) -> Vec<String> {
    server.asked().into_iter().map(|a| a.line).filter(|line| line != TOKEN).collect()
}

#[test]
fn threads_can_share_it() {
    fn shared<T: Send + Sync>() {}
    shared::<Zvm>();
}

#[test]
fn every_verb_asks_what_it_should() {
    let server = Server::start(|asked| match asked.line.split('?').next().unwrap() {
        line if line == TOKEN => ok(r#"{"access_token":"t0ken","expires_in":300}"#),
        "GET /v1/localsite" => ok(SITE),
        "GET /v1/serverDateTime/serverDateTimeUtc" => ok("\"2026-09-21T15:04:05.5Z\""),
        "GET /v1/vms" => ok(r#"[
            {"VmName":"Web 01","VmIdentifier":"g.vm-1","VpgIdentifier":"v-1"},
            {"VmName":"web 01","VmIdentifier":"g.vm-1","VpgIdentifier":"v-2"},
            {"VmName":"web 010","VmIdentifier":"g.vm-10","VpgIdentifier":"v-3"}]"#),
        "GET /v1/vpgs/v%2F1" => ok(r#"{"VpgIdentifier":"v/1","VpgName":"Gold","Status":1,"SubStatus":0}"#),
        "GET /v1/vpgs/v-1/checkpoints" => ok(r#"[{"CheckpointIdentifier":"7","Tag":"x"}]"#),
        "GET /v1/tasks" => {
            ok(r#"[{"TaskIdentifier":"t.1","Type":"InsertTaggedCP"},{"TaskIdentifier":"t.2","Type":"Move"},
            {"TaskIdentifier":"t.3"}]"#)
        }
        "GET /v1/tasks/t.1" => ok(r#"{"TaskIdentifier":"t.1","Status":{"State":6}}"#),
        "POST /v1/vpgs/v-1/checkpoints" => ok("\"t.1\""),
        _ => Reply::Json(404, "{}".to_owned()),
    });
    let home = Home::at(&server.url());
    let zvm = home.zvm();
    let (from, until) = ("2026-09-21T15:04:05Z".parse().unwrap(), "2026-09-21T15:05:05.0001Z".parse().unwrap());
    assert_eq!((zvm.name(), zvm.url()), ("nyc", server.url().as_str()));
    assert_eq!(zvm.local_site().unwrap().name, "nyc");
    assert_eq!(zvm.server_time().unwrap().to_string(), "2026-09-21T15:04:05.5Z");
    assert_eq!(zvm.vms_named("WEB 01").unwrap().len(), 2);
    assert_eq!(zvm.vms_named("web").unwrap().len(), 0);
    assert_eq!(zvm.vms_identified("g.vm-1").unwrap().len(), 2);
    assert_eq!(zvm.all_vms().unwrap().len(), 3);
    assert_eq!(zvm.vpg("v/1").unwrap().name, "Gold");
    assert_eq!(zvm.checkpoints("v-1", from, Some(until)).unwrap()[0].tag.as_deref(), Some("x"));
    assert_eq!(zvm.checkpoints("v-1", from, None).unwrap().len(), 1);
    assert_eq!(zvm.insert_tasks_since(from).unwrap().len(), 2);
    assert_eq!(zvm.task("t.1").unwrap().unwrap().state, TaskState::Completed);
    assert_eq!(zvm.task("t.9").unwrap(), None);
    assert_eq!(zvm.insert_checkpoint("v-1", "a \"tag\"").unwrap(), "t.1");
    let asked = server.asked();
    let lines: Vec<&str> = asked.iter().map(|a| a.line.as_str()).collect();
    assert_eq!(
        lines,
        [
            TOKEN,
            "GET /v1/localsite",
            "GET /v1/serverDateTime/serverDateTimeUtc",
            "GET /v1/vms?vmName=WEB%2001",
            "GET /v1/vms?vmName=web",
            "GET /v1/vms?vmIdentifier=g.vm-1",
            "GET /v1/vms",
            "GET /v1/vpgs/v%2F1",
            "GET /v1/vpgs/v-1/checkpoints?startDate=2026-09-21T15%3A04%3A05.000Z&endDate=2026-09-21T15%3A05%3A05.001Z",
            "GET /v1/vpgs/v-1/checkpoints?startDate=2026-09-21T15%3A04%3A05.000Z",
            "GET /v1/tasks?startedAfterDate=2026-09-21T15%3A04%3A05.000Z&type=InsertTaggedCP",
            "GET /v1/tasks/t.1",
            "GET /v1/tasks/t.9",
            "POST /v1/vpgs/v-1/checkpoints",
        ]
    );
    let insert = asked.last().unwrap();
    assert_eq!(insert.body, r#"{"checkpointName":"a \"tag\""}"#);
    let head = insert.head.to_lowercase();
    assert!(head.contains("authorization: bearer t0ken\r\n"), "{head}");
    assert!(head.contains("accept: application/json\r\n") && head.contains("content-type: application/json\r\n"));
    assert!(head.contains(concat!("user-agent: zerto-guard/", env!("CARGO_PKG_VERSION"), "\r\n")), "{head}");
    // The reads share a connection; what changes something has its own.
    let reads: Vec<usize> = asked[1..13].iter().map(|a| a.connection).collect();
    assert!(reads.iter().all(|c| *c == reads[0]), "{reads:?}");
    assert_ne!(insert.connection, reads[0]);
}

#[test]
fn nothing_is_touched_before_it_is_needed() {
    let (server, home) = answering(vec![|| ok(SITE)]);
    let zvm = home.zvm_within(Duration::ZERO);
    let error = zvm.local_site().unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Deadline);
    assert!(
        matches!(zvm.insert_checkpoint("v", "t"), Err(ChangeError::Refused(e)) if e.kind == ZvmErrorKind::Deadline)
    );
    assert_eq!(server.connections(), 0);
}

#[test]
fn what_fails_in_passing_is_asked_again() {
    let good: Replies = || ok(SITE);
    let bad: Vec<(&str, Replies)> = vec![
        ("closed", || Reply::Raw(String::new())),
        ("head cut", || Reply::Raw("HTTP/1.1 200 OK\r\nContent-Le".to_owned())),
        ("body cut", || Reply::Raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"Site".to_owned())),
        ("body cut, unsaid", || Reply::Raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"Site".to_owned())),
        ("chunk cut", || Reply::Raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n99\r\n{\"Site".to_owned())),
        ("empty", || ok("")),
        ("no content", || Reply::Raw("HTTP/1.1 204 X\r\n\r\n".to_owned())),
        ("nonsense", || ok("<html>")),
        ("not HTTP", || Reply::Raw("SSH-2.0-x\r\n\r\n".to_owned())),
        ("408", || Reply::Json(408, String::new())),
        ("425", || Reply::Json(425, String::new())),
        ("429", || Reply::Json(429, String::new())),
        ("500", || Reply::Json(500, String::new())),
        ("502", || Reply::Json(502, "<html>".to_owned())),
        ("503", || Reply::With(503, "Retry-After: 0\r\n".to_owned(), String::new())),
        ("504", || Reply::Json(504, String::new())),
    ];
    std::thread::scope(|s| {
        for (name, reply) in bad {
            s.spawn(move || {
                let (server, home) = answering(vec![reply, good]);
                let site = home.zvm().local_site();
                assert_eq!(site.map(|s| s.name), Ok("nyc".to_owned()), "{name}");
                assert_eq!(asked_but_login(&server).len(), 2, "{name}");
            });
        }
    });
}

#[test]
fn and_given_up_in_the_end() {
    let cases: Vec<(Replies, usize, ZvmErrorKind)> = vec![
        (|| Reply::Json(503, r#"{"Message":"busy"}"#.to_owned()), 4, ZvmErrorKind::Refused(503)),
        (|| Reply::Raw(String::new()), 4, ZvmErrorKind::Unreachable),
        (|| ok(""), 4, ZvmErrorKind::Nonsense),
        (|| ok("<html>"), 2, ZvmErrorKind::Nonsense),
        (|| ok("{}"), 2, ZvmErrorKind::Nonsense),
        (|| Reply::Json(400, r#"{"Message":"bad"}"#.to_owned()), 1, ZvmErrorKind::Refused(400)),
        (|| Reply::Json(403, String::new()), 1, ZvmErrorKind::Forbidden),
        (|| Reply::Json(404, String::new()), 1, ZvmErrorKind::NotFound),
        (|| Reply::Json(409, String::new()), 1, ZvmErrorKind::Refused(409)),
        (|| Reply::Json(501, String::new()), 1, ZvmErrorKind::Refused(501)),
        (|| Reply::With(302, "Location: https://evil/\r\n".to_owned(), String::new()), 1, ZvmErrorKind::Refused(302)),
        (|| Reply::With(503, "Retry-After: 3600\r\n".to_owned(), String::new()), 1, ZvmErrorKind::Refused(503)),
    ];
    std::thread::scope(|s| {
        for (number, (reply, times, kind)) in cases.into_iter().enumerate() {
            s.spawn(move || {
                let (server, home) = answering(vec![reply]);
                let error = home.zvm().local_site().unwrap_err();
                assert_eq!(error.kind, kind, "{number}: {error}");
                assert_eq!(asked_but_login(&server).len(), times, "{number}: {error}");
                let start = format!("ZVM nyc ({}): asking for its site failed: ", server.url());
                assert!(error.message.starts_with(&start), "{error}");
            });
        }
    });
}

#[test]
fn errors_say_what_the_zvm_said_and_what_to_do() {
    let cases: Vec<(Replies, &str, &str)> = vec![
        (|| Reply::Json(403, r#"{"Message":"no"}"#.to_owned()), "may not do this (403): no.", "Manage VPG"),
        (
            || Reply::Json(400, r#"{"Message":"a\u001b[2Jb\nc\u202e t0ken"}"#.to_owned()),
            "answered 400: \"ab c ***\".",
            "",
        ),
        (|| Reply::Json(400, r#"{"Message":"t0\u200bk\u001b[0men"}"#.to_owned()), "answered 400: ***.", ""),
        (|| Reply::With(302, "Location: https://else/t0ken\r\n".to_owned(), String::new()), "to https://else/***.", ""),
        (|| Reply::Json(404, "<html>".to_owned()), "(404), with an HTML or XML page as its answer.", "config.toml"),
        (|| Reply::With(307, "Location: https://else/\r\n".to_owned(), String::new()), "to https://else/.", "url"),
        (|| Reply::With(503, "Retry-After: 90\r\n".to_owned(), String::new()), "asks to wait 90 s", ""),
        (|| Reply::Json(400, format!("{{\"Message\":\"{}\"}}", "x".repeat(5000))), "x….", ""),
    ];
    std::thread::scope(|s| {
        for (reply, text, hint) in cases {
            s.spawn(move || {
                let (_server, home) = answering(vec![reply]);
                let error = home.zvm().local_site().unwrap_err();
                assert!(error.message.contains(text), "{error}");
                assert!(error.hint.contains(hint), "{}", error.hint);
                assert!(!format!("{error:?}").contains("t0ken") && error.message.len() < 500);
            });
        }
    });
}

#[test]
fn a_retry_after_that_fits_is_waited_for() {
    let (server, home) =
        answering(vec![|| Reply::With(429, "Retry-After: 1\r\n".to_owned(), String::new()), || ok(SITE)]);
    let started = Instant::now();
    assert!(home.zvm().local_site().is_ok());
    assert!(started.elapsed() >= Duration::from_secs(1));
    assert_eq!(asked_but_login(&server).len(), 2);
}

#[test]
fn a_retry_after_that_nobody_would_wait_for_is_told() {
    // The deadline is far, as a recovery's is.
    let (server, home) = answering(vec![|| Reply::With(503, "Retry-After: 3600\r\n".to_owned(), String::new())]);
    let zvm = home.zvm_within(Duration::from_secs(86_400)).pausing_at_most(Duration::from_secs(30));
    let error = zvm.local_site().unwrap_err();
    assert!(
        error.message.ends_with("It asks to wait 3600 s, which is more than is waited for here; try again after that.")
    );
    assert_eq!(asked_but_login(&server).len(), 1, "{error}");
}

#[test]
fn a_hang_is_cut_off_and_tried_once_more() {
    let (server, home) = answering(vec![|| Reply::Silence]);
    let mut zvm = home.zvm();
    zvm.http.patience = Duration::from_millis(1000);
    let error = zvm.local_site().unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Unreachable);
    assert_eq!(asked_but_login(&server).len(), 2);
}

#[test]
fn the_deadline_cuts_everything_off() {
    for reply in [(|| Reply::Silence) as Replies, || Reply::Json(503, String::new()), || ok("")] {
        let (_server, home) = answering(vec![reply]);
        let started = Instant::now();
        let error = home.zvm_within(Duration::from_millis(600)).local_site().unwrap_err();
        assert!(started.elapsed() < Duration::from_secs(2), "{error}");
    }
    let (_server, home) = answering(vec![|| Reply::Silence]);
    let error = home.zvm_within(Duration::from_millis(600)).local_site().unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Deadline, "{error}");
    // With time enough for an answer, it is the ZVM that is silent.
    let (_server, home) = answering(vec![|| Reply::Silence]);
    let error = home.zvm_within(Duration::from_millis(1300)).local_site().unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Unreachable, "{error}");
    assert!(error.message.contains("no answer within 1 s") && error.hint.contains("guard.deadline"), "{error:?}");
}

#[test]
fn the_date_of_the_refusal_stands_in_for_the_clock() {
    const DATE: &str = "Date: Mon, 21 Sep 2026 15:04:05 GMT\r\n";
    for status in [404, 403, 400, 501] {
        let server = Server::start(move |asked| match asked.line == TOKEN {
            true => ok(r#"{"access_token":"t0ken","expires_in":300}"#),
            false => Reply::With(status, DATE.to_owned(), String::new()),
        });
        let home = Home::at(&server.url());
        assert_eq!(home.zvm().server_time().unwrap().to_string(), "2026-09-21T15:04:05Z", "{status}");
    }
    let (_server, home) = answering(vec![|| Reply::With(401, DATE.to_owned(), String::new())]);
    assert_eq!(home.zvm().server_time().unwrap_err().kind, ZvmErrorKind::Login);
    let (_server, home) = answering(vec![|| Reply::Json(404, String::new())]);
    assert_eq!(home.zvm().server_time().unwrap_err().kind, ZvmErrorKind::NotFound);
}

#[test]
fn a_row_without_a_name_could_be_the_one() {
    let (_server, home) = answering(vec![|| ok(r#"[{"VmIdentifier":"g.vm-1","VpgIdentifier":"v-1"}]"#)]);
    assert_eq!(home.zvm().vms_named("web01").unwrap_err().kind, ZvmErrorKind::Nonsense);
    assert_eq!(home.zvm().all_vms().unwrap().len(), 1);
}

#[test]
fn only_an_inventory_may_be_long() {
    let (server, home) = answering(vec![|| {
        let row = format!(
            r#"{{"VmName":"web01","VmIdentifier":"g.vm-1","VpgIdentifier":"v-1","Filler":"{}"}}"#,
            "x".repeat(1024 * 1024)
        );
        ok(&format!("[{}]", vec![row; 12].join(",")))
    }]);
    let zvm = home.zvm();
    assert_eq!(zvm.all_vms().unwrap().len(), 12);
    let error = zvm.vms_named("web01").unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Nonsense);
    assert!(error.message.contains("longer than 10 MiB"), "{error}");
    assert_eq!(asked_but_login(&server).len(), 2, "it is not asked for again");
}

mod flr;
mod inserts;
mod logins;
