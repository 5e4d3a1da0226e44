//! The verbs of recovery, exchange by exchange: what is asked, and what is made of each answer.

use super::*;
use crate::zvm::model::FlrItem;
use std::io::Read;
use std::ops::ControlFlow;

const GO: ControlFlow<()> = ControlFlow::Continue(());

/// A server with a good login that answers by the request's line and body.
fn telling(answer: impl Fn(&str, &str) -> Reply + Send + Sync + 'static) -> (Server, Home) {
    let server = Server::start(move |asked| match asked.line == TOKEN {
        true => ok(r#"{"access_token":"t0ken","expires_in":300}"#),
        false => answer(&asked.line, &asked.body),
    });
    let home = Home::at(&server.url());
    (server, home)
}

#[test]
fn every_verb_of_recovery_asks_what_it_should() {
    let (server, home) = telling(|line, _| match line.split('?').next().unwrap() {
        "GET /v1/flrs" => ok(r#"[{"FlrSessionIdentifier":"s.1","VmIdentifier":"g.vm-1"},
            {"FlrSessionIdentifier":"s.2","VmIdentifier":"other"},{"FlrSessionIdentifier":"s.3"}]"#),
        "GET /v1/flrs/s.1" => ok(r#"{"FlrSessionIdentifier":"s.1","FlrSessionStatus":"MountInProgress"}"#),
        "POST /v1/flrs" => ok("\"s.1\""),
        "POST /v1/flrs/s%2F1/browse" => ok(r#"{"MainPathItem":{"Path":"p","Type":"Folder"},"PathItems":[]}"#),
        "POST /v1/flrs/s.1/download" => ok("\"v1/downloads/d.1\""),
        "GET /v1/downloads/d.1" => ok("bytes"),
        "DELETE /v1/flrs/s.1" => ok("\"t.1\""),
        "DELETE /v1/flrs/s.2" => ok(""),
        "GET /v1/vpgs" => ok(r#"[{"VpgIdentifier":"v-1"}]"#),
        "GET /v1/peersites" => ok(r#"[{"PeerSiteName":"bos"}]"#),
        "GET /v1/vpgs/v-1/checkpoints/stats" => ok(r#"{"Earliest":null,"Latest":null}"#),
        "GET /v1/vms/g.vm-1/pointsInTime" => ok("[]"),
        "POST /v1/vpgs/v-1/CloneStart" | "POST /v1/vpgs/v-1/FailoverTest" | "POST /v1/vpgs/v-1/FailoverTestStop" => {
            ok("\"t.2\"")
        }
        _ => Reply::Json(404, "{}".to_owned()),
    });
    let zvm = home.zvm();
    let (from, until) = ("2026-09-21T15:04:05Z".parse().unwrap(), "2026-09-21T15:05:05.0001Z".parse().unwrap());
    assert_eq!(zvm.flr_sessions().unwrap().len(), 3);
    let of_vm: Vec<String> = zvm.flr_sessions_of("G.VM-1").unwrap().into_iter().map(|s| s.identifier).collect();
    assert_eq!(of_vm, ["s.1", "s.3"], "and the one of which nobody knows");
    assert_eq!(zvm.flr_session("s.1").unwrap().unwrap().status, "MountInProgress");
    assert_eq!(zvm.flr_session("s.9").unwrap(), None);
    assert_eq!(zvm.mount("g.vm-1", "v-1", "38").unwrap(), "s.1");
    assert_eq!(zvm.browse("s/1", "p", |_| GO).unwrap().unwrap().path, "p");
    let link = zvm.download_link("s.1", &["p/a", "p/b"]).unwrap();
    let mut bytes = String::new();
    let mut download = zvm.download(&link).unwrap();
    assert_eq!(download.length(), Some(5));
    download.read_to_string(&mut bytes).unwrap();
    assert_eq!(bytes, "bytes");
    assert_eq!(zvm.unmount("s.1").unwrap().as_deref(), Some("t.1"));
    assert_eq!(zvm.unmount("s.2").unwrap(), None, "taken, and no task named");
    assert_eq!((zvm.vpgs().unwrap().len(), zvm.peer_sites().unwrap().len()), (1, 1));
    assert_eq!(zvm.journal_span("v-1").unwrap(), None);
    assert_eq!(zvm.points_in_time("g.vm-1", "v-1", from, until).unwrap(), []);
    assert_eq!(zvm.start_clone("v-1", "38", Some("d-1")).unwrap(), "t.2");
    assert_eq!(zvm.start_failover_test("v-1", "38").unwrap(), "t.2");
    assert_eq!(zvm.stop_failover_test("v-1", true, "ok").unwrap(), "t.2");
    let asked: Vec<(String, String)> =
        server.asked().into_iter().filter(|a| a.line != TOKEN).map(|a| (a.line, a.body)).collect();
    let said: Vec<String> = asked.iter().map(|(line, body)| format!("{line} {body}").trim_end().to_owned()).collect();
    assert_eq!(
        said,
        [
            "GET /v1/flrs",
            "GET /v1/flrs?vmIdentifier=G.VM-1",
            "GET /v1/flrs/s.1",
            "GET /v1/flrs/s.9",
            r#"POST /v1/flrs {"jflr":{"checkpointIdentifier":"38","vmIdentifier":"g.vm-1","vpgIdentifier":"v-1"}}"#,
            r#"POST /v1/flrs/s%2F1/browse {"path":"p"}"#,
            r#"POST /v1/flrs/s.1/download {"pathList":["p/a","p/b"]}"#,
            "GET /v1/downloads/d.1",
            "DELETE /v1/flrs/s.1",
            "DELETE /v1/flrs/s.2",
            "GET /v1/vpgs",
            "GET /v1/peersites",
            "GET /v1/vpgs/v-1/checkpoints/stats",
            "GET /v1/vms/g.vm-1/pointsInTime?vpgIdentifier=v-1&startDate=2026-09-21T15%3A04%3A05.000Z&endDate=2026-09-21T15%3A05%3A05.001Z",
            r#"POST /v1/vpgs/v-1/CloneStart {"checkpointId":"38","datastoreIdentifier":"d-1"}"#,
            r#"POST /v1/vpgs/v-1/FailoverTest {"checkpointIdentifier":"38"}"#,
            r#"POST /v1/vpgs/v-1/FailoverTestStop {"failoverTestSuccess":true,"failoverTestSummary":"ok"}"#,
        ]
    );
    assert!(server.asked().iter().skip(1).all(|a| a.head.contains("Bearer t0ken\r\n")));
    let of = |line: &str| server.asked().into_iter().find(|a| a.line.starts_with(line)).unwrap().connection;
    assert!(of("POST /v1/flrs/s%2F1/browse") <= of("POST /v1/flrs"), "what only asks takes one that is there");
    assert_ne!(of("POST /v1/flrs"), of("GET /v1/flrs"), "what changes something has its own");
    assert_ne!(of("DELETE /v1/flrs"), of("GET /v1/flrs"));
}

#[test]
fn what_changes_something_is_sent_once() {
    let cases: Vec<(Replies, Option<bool>)> = vec![
        (|| ok("\"x.1\""), None),
        (|| Reply::Raw(String::new()), Some(true)),
        (|| Reply::Raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n\"t.".to_owned()), Some(true)),
        (|| Reply::Silence, Some(true)),
        (|| Reply::Json(502, String::new()), Some(true)),
        (|| Reply::Json(504, String::new()), Some(true)),
        (|| Reply::Json(400, String::new()), Some(false)),
        (|| Reply::Json(403, String::new()), Some(false)),
        (|| Reply::Json(404, String::new()), Some(false)),
        (|| Reply::Json(409, String::new()), Some(false)),
        (|| Reply::Json(500, String::new()), Some(false)),
        (|| Reply::With(307, "Location: https://evil/\r\n".to_owned(), String::new()), Some(false)),
    ];
    type Verb = fn(&Zvm) -> Result<(), ChangeError>;
    let verbs: [Verb; 5] = [
        |z| z.mount("vm", "v", "1").map(drop),
        |z| z.unmount("s").map(drop),
        |z| z.start_clone("v", "1", None).map(drop),
        |z| z.start_failover_test("v", "1").map(drop),
        |z| z.stop_failover_test("v", false, "").map(drop),
    ];
    std::thread::scope(|s| {
        for (number, (reply, lost)) in cases.into_iter().enumerate() {
            for (which, verb) in verbs.into_iter().enumerate() {
                s.spawn(move || {
                    let (server, home) = answering(vec![reply]);
                    let mut zvm = home.zvm();
                    zvm.http.patience = Duration::from_secs(3);
                    let result = verb(&zvm);
                    match (&result, lost) {
                        (Ok(()), None)
                        | (Err(ChangeError::AnswerLost(_)), Some(true))
                        | (Err(ChangeError::Refused(_) | ChangeError::Doubtful(_)), Some(false)) => {}
                        _ => panic!("{number} {which}: {result:?}"),
                    }
                    assert_eq!(asked_but_login(&server).len(), 1, "{number} {which}");
                });
            }
        }
    });
    // An answer without an identifier is lost, but for the end of a session, which was taken.
    for reply in [(|| ok("")) as Replies, || ok("null"), || ok("<html>"), || ok("{}")] {
        let (_server, home) = answering(vec![reply]);
        let zvm = home.zvm();
        assert!(matches!(zvm.mount("vm", "v", "1"), Err(ChangeError::AnswerLost(_))));
        assert_eq!(zvm.unmount("s"), Ok(None));
    }
}

#[test]
fn a_missing_right_says_which_roles_have_it() {
    let (_server, home) = answering(vec![|| Reply::Json(403, r#"{"Message":"no"}"#.to_owned())]);
    let zvm = home.zvm();
    let errors = [
        zvm.mount("vm", "v", "1").unwrap_err().error().clone(),
        zvm.unmount("s").unwrap_err().error().clone(),
        zvm.browse("s", "", |_| GO).unwrap_err(),
        zvm.download_link("s", &["x"]).unwrap_err(),
    ];
    for error in errors {
        assert!(error.kind == ZvmErrorKind::Forbidden && error.hint.contains("10.9"), "{error:?}");
    }
    let clone = zvm.start_clone("v", "1", None).unwrap_err();
    assert!(!clone.error().hint.contains("10.9"));
}

/// A page of these entries.
fn page(names: std::ops::Range<u32>) -> Reply {
    let rows: Vec<String> = names.map(|n| format!(r#"{{"Path":"p/{n}","Type":"File"}}"#)).collect();
    ok(&format!(r#"{{"MainPathItem":{{"Path":"p","Type":"Folder"}},"PathItems":[{}]}}"#, rows.join(",")))
}

fn number(body: &str) -> Option<u32> {
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    body["pageNumber"].as_u64().map(|n| n as u32)
}

#[test]
fn pages_of_every_kind_of_zvm() {
    type Pages = fn(Option<u32>) -> Reply;
    let kinds: Vec<(&str, Pages, usize)> = vec![
        ("from 0", |n| page(n.unwrap_or(0).min(3) * 10..(n.unwrap_or(0) * 10 + 10).min(25)), 4),
        ("from 1", |n| page((n.unwrap_or(1).clamp(1, 4) - 1) * 10..(n.unwrap_or(1) * 10).min(25)), 5),
        ("from 0, full to the end", |n| if n.unwrap_or(0) < 1 { page(0..25) } else { page(0..0) }, 2),
        ("the last one again", |n| page(n.unwrap_or(0).min(2) * 10..(n.unwrap_or(0).min(2) * 10 + 10).min(25)), 4),
        ("none at all", |_| page(0..25), 3),
        (
            "refused past the end",
            |n| match n.unwrap_or(0) {
                n @ 0..=2 => page(n * 10..(n * 10 + 10).min(25)),
                _ => Reply::Json(400, String::new()),
            },
            5,
        ),
        (
            "not found past the end",
            |n| match n.unwrap_or(1) {
                n @ 1..=3 => page((n - 1) * 10..(n * 10).min(25)),
                _ => Reply::Json(404, String::new()),
            },
            6,
        ),
    ];
    for (kind, pages, calls) in kinds {
        let (server, home) = telling(move |_, body| pages(number(body)));
        let mut found: Vec<FlrItem> = Vec::new();
        let main = home.zvm().browse("s", "p", |item| {
            found.push(item);
            GO
        });
        assert_eq!(main.unwrap().unwrap().path, "p", "{kind}");
        let names: Vec<String> = found.iter().map(|i| i.name().to_owned()).collect();
        assert_eq!(names, (0..25).map(|n| n.to_string()).collect::<Vec<_>>(), "{kind}");
        assert_eq!(asked_but_login(&server).len(), calls, "{kind}");
    }
}

#[test]
fn a_listing_that_breaks_off_is_no_short_listing() {
    // The session goes away in the middle: then the first page can't be had any more either.
    let asked = AtomicUsize::new(0);
    let (_server, home) = telling(move |_, body| match (asked.fetch_add(1, Ordering::SeqCst), number(body)) {
        (0, _) => page(0..10),
        (1, _) => page(10..20),
        _ => Reply::Json(400, r#"{"Message":"The session is not mounted."}"#.to_owned()),
    });
    let error = home.zvm().browse("s", "p", |_| GO).unwrap_err();
    assert!(error.kind == ZvmErrorKind::Refused(400) && error.message.contains("not mounted"), "{error:?}");
    // Whoever has enough gets no more pages.
    let (server, home) = telling(|_, body| page(number(body).unwrap_or(0) * 10..number(body).unwrap_or(0) * 10 + 10));
    let mut count = 0;
    let main = home.zvm().browse("s", "p", |_| {
        count += 1;
        if count == 15 { ControlFlow::Break(()) } else { GO }
    });
    assert!(main.is_ok());
    assert_eq!((count, asked_but_login(&server).len()), (15, 2));
    let (_server, home) = telling(|_, _| Reply::Json(404, String::new()));
    assert_eq!(home.zvm().browse("s", "p", |_| GO).unwrap_err().kind, ZvmErrorKind::NotFound);
}

#[test]
fn the_token_goes_to_the_zvm_and_nowhere_else() {
    let evil = Server::start(|_| ok("evil"));
    let evil_url = evil.url();
    let (server, home) = telling(move |line, _| match line {
        "POST /v1/flrs/s/download" => ok(&format!("\"{evil_url}/v1/downloads/d\"")),
        "GET /v1/downloads/d" => ok("good"),
        _ => Reply::Json(404, String::new()),
    });
    let zvm = home.zvm();
    let link = zvm.download_link("s", &["x"]).unwrap();
    let mut bytes = String::new();
    zvm.download(&link).unwrap().read_to_string(&mut bytes).unwrap();
    assert_eq!((bytes.as_str(), evil.connections()), ("good", 0));
    assert_eq!(server.count("GET /v1/downloads/d"), 1);
    // Where this ZVM knows nothing of it, the error says where the link led.
    let evil_url = evil.url();
    let (_server, home) = telling(move |line, _| match line {
        "POST /v1/flrs/s/download" => ok(&format!("\"{evil_url}/v1/downloads/d\"")),
        _ => Reply::Json(404, String::new()),
    });
    let zvm = home.zvm();
    let error = zvm.download(&zvm.download_link("s", &["x"]).unwrap()).unwrap_err();
    assert!(error.kind == ZvmErrorKind::NotFound && error.message.contains(&evil.url()), "{error:?}");
    // A redirect is not followed either.
    let evil_url = evil.url();
    let (_server, home) = telling(move |line, _| match line {
        "POST /v1/flrs/s/download" => ok("\"v1/downloads/d\""),
        _ => Reply::With(302, format!("Location: {evil_url}/x\r\n"), String::new()),
    });
    let zvm = home.zvm();
    let error = zvm.download(&zvm.download_link("s", &["x"]).unwrap()).unwrap_err();
    assert_eq!((error.kind, evil.connections()), (ZvmErrorKind::Refused(302), 0), "{error}");
}

#[test]
fn a_download_is_whole_or_an_error() {
    let head = |rest: &str| Reply::Raw(format!("HTTP/1.1 200 OK\r\n{rest}"));
    type Case = (&'static str, fn(&dyn Fn(&str) -> Reply) -> Reply, Option<&'static str>);
    let cases: Vec<Case> = vec![
        ("whole", |h| h("Content-Length: 5\r\n\r\nbytes"), Some("bytes")),
        ("nothing", |h| h("Content-Length: 0\r\n\r\n"), Some("")),
        ("chunks", |h| h("Transfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n0\r\n\r\n"), Some("bytes")),
        ("to the end of the connection", |h| h("Connection: close\r\n\r\nbytes"), Some("bytes")),
        ("cut", |h| h("Content-Length: 9\r\n\r\nbytes"), None),
        ("cut at once", |h| h("Content-Length: 9\r\n\r\n"), None),
        ("a chunk cut", |h| h("Transfer-Encoding: chunked\r\n\r\n9\r\nbytes"), None),
        ("between chunks", |h| h("Transfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n"), None),
    ];
    for (name, reply, expected) in cases {
        let (_server, home) = telling(move |line, _| match line {
            "POST /v1/flrs/s/download" => ok("\"v1/downloads/d\""),
            _ => reply(&head),
        });
        let zvm = home.zvm();
        let mut download = zvm.download(&zvm.download_link("s", &["x"]).unwrap()).unwrap();
        let mut bytes = Vec::new();
        let read = download.read_to_end(&mut bytes);
        match (read, expected) {
            (Ok(_), Some(expected)) => assert_eq!(bytes, expected.as_bytes(), "{name}"),
            (Err(error), None) => {
                let error = broken_download(error).unwrap();
                assert_eq!(error.kind, ZvmErrorKind::Unreachable, "{name}: {error}");
                assert!(error.message.contains("It broke off after "), "{name}: {error}");
            }
            (read, _) => panic!("{name}: {read:?}"),
        }
    }
    let other = broken_download(std::io::Error::other("the disk is full")).unwrap_err();
    assert_eq!(other.to_string(), "the disk is full");
}

#[test]
fn a_download_that_stalls_or_never_begins() {
    let (_server, home) = telling(|line, _| match line {
        "POST /v1/flrs/s/download" => ok("\"v1/downloads/d\""),
        _ => Reply::Silence,
    });
    let mut zvm = home.zvm();
    let link = zvm.download_link("s", &["x"]).unwrap();
    zvm.http.patience = Duration::from_millis(300);
    let started = Instant::now();
    let error = zvm.download(&link).unwrap_err();
    assert!(error.kind == ZvmErrorKind::Unreachable && started.elapsed() < Duration::from_secs(5), "{error:?}");
}

#[test]
fn a_token_that_ended_is_renewed_before_a_download() {
    let tokens = AtomicUsize::new(0);
    let server = Server::start(move |asked| {
        if asked.line == TOKEN {
            let number = tokens.fetch_add(1, Ordering::SeqCst);
            return ok(&format!(r#"{{"access_token":"t{number}","expires_in":300}}"#));
        }
        match (asked.line.as_str(), asked.head.contains("Bearer t1\r\n")) {
            ("POST /v1/flrs/s/download", _) => ok("\"v1/downloads/d\""),
            (_, true) => ok("bytes"),
            _ => Reply::Json(401, String::new()),
        }
    });
    let home = Home::at(&server.url());
    let zvm = home.zvm();
    let link = zvm.download_link("s", &["x"]).unwrap();
    assert_eq!(zvm.download(&link).unwrap().length(), Some(5));
    assert_eq!((server.count("GET /v1/downloads"), server.count(TOKEN)), (2, 2));
    let (server, home) = telling(|line, _| match line {
        "POST /v1/flrs/s/download" => ok("\"v1/downloads/d\""),
        _ => Reply::Json(401, String::new()),
    });
    let zvm = home.zvm();
    let link = zvm.download_link("s", &["x"]).unwrap();
    assert_eq!(zvm.download(&link).unwrap_err().kind, ZvmErrorKind::Login);
    assert_eq!(server.count("GET /v1/downloads"), 2);
}

#[test]
fn a_journal_is_read_in_windows() {
    let (server, home) = telling(|line, _| {
        // One at each end of the window, one in its middle, and one that no window asked for.
        let dates: Vec<Timestamp> = line
            .split(['?', '&'])
            .skip(1)
            .map(|p| p.split_once('=').unwrap().1.replace("%3A", ":").parse().unwrap())
            .collect();
        let middle = dates[0] + (dates[1] - dates[0]) / 2;
        let rows: Vec<String> = [dates[0], middle, dates[1], Timestamp::UNIX_EPOCH]
            .iter()
            .map(|t| format!(r#"{{"CheckpointIdentifier":"{}","TimeStamp":"{t}"}}"#, t.as_second()))
            .collect();
        ok(&format!("[{}]", rows.join(",")))
    });
    let zvm = home.zvm();
    let until: Timestamp = "2026-09-21T15:00:00Z".parse().unwrap();
    let hours = |h: i64| until - jiff::SignedDuration::from_hours(h);
    let mut times = Vec::new();
    let mut windows = 0;
    for window in zvm.journal("v-1", hours(13), until) {
        windows += 1;
        times.extend(window.unwrap().into_iter().map(|c| c.time.unwrap()));
    }
    let half = jiff::SignedDuration::from_mins(30);
    let expected = [hours(0), hours(3), hours(6), hours(9), hours(12), hours(12) - half, hours(13)];
    assert_eq!((windows, times), (3, expected.to_vec()));
    assert_eq!(server.count("GET /v1/vpgs/v-1/checkpoints?startDate=2026-09-21T02%3A00"), 1);
    assert_eq!(zvm.journal("v-1", until, hours(1)).count(), 0, "an empty span");
    assert_eq!(zvm.journal("v-1", until, until).count(), 1);
    let (server, home) = answering(vec![|| Reply::Json(400, String::new())]);
    let zvm = home.zvm();
    let results: Vec<bool> = zvm.journal("v-1", hours(100), until).map(|w| w.is_ok()).collect();
    assert_eq!((results, asked_but_login(&server).len()), (vec![false], 1), "an error ends it");
}
