//! An insert is sent once, and whatever happens afterwards is told apart: refused, or nobody knows.

use super::*;

enum Outcome {
    Task,
    Refused(ZvmErrorKind),
    Doubtful(ZvmErrorKind),
    Lost(ZvmErrorKind),
}
use Outcome::*;

#[test]
fn what_became_of_it() {
    use ZvmErrorKind::*;
    let cases: Vec<(Replies, Outcome)> = vec![
        (|| ok("\"t.1\""), Task),
        (|| Reply::Json(201, "\"t.1\"".to_owned()), Task),
        (|| Reply::JsonThenClose("\"t.1\"".to_owned()), Task),
        (|| Reply::Raw(String::new()), Lost(Unreachable)),
        (|| Reply::Raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n\"t.".to_owned()), Lost(Unreachable)),
        (|| Reply::Raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\"t.".to_owned()), Lost(Nonsense)),
        (|| Reply::Raw("garbage\r\n\r\n".to_owned()), Lost(Nonsense)),
        (|| ok(""), Lost(Nonsense)),
        (|| ok("null"), Lost(Nonsense)),
        (|| ok("<html>"), Lost(Nonsense)),
        (|| ok("{}"), Lost(Nonsense)),
        (|| Reply::Silence, Lost(Unreachable)),
        (|| Reply::Json(408, String::new()), Lost(Outcome::status(408))),
        (|| Reply::Json(502, String::new()), Lost(Outcome::status(502))),
        (|| Reply::Json(504, String::new()), Lost(Outcome::status(504))),
        (|| Reply::Json(400, String::new()), Outcome::Refused(Outcome::status(400))),
        (|| Reply::Json(403, String::new()), Outcome::Refused(Forbidden)),
        (|| Reply::Json(404, String::new()), Outcome::Refused(NotFound)),
        (|| Reply::Json(409, String::new()), Outcome::Refused(Outcome::status(409))),
        (|| Reply::Json(429, String::new()), Doubtful(Outcome::status(429))),
        (|| Reply::Json(500, String::new()), Doubtful(Outcome::status(500))),
        (|| Reply::Json(503, String::new()), Doubtful(Outcome::status(503))),
        (|| Reply::Json(520, String::new()), Doubtful(Outcome::status(520))),
        (
            || Reply::With(307, "Location: /v1/vpgs/v/checkpoints\r\n".to_owned(), String::new()),
            Outcome::Refused(Outcome::status(307)),
        ),
    ];
    std::thread::scope(|s| {
        for (number, (reply, expected)) in cases.into_iter().enumerate() {
            s.spawn(move || {
                let (server, home) = answering(vec![reply]);
                let mut zvm = home.zvm();
                zvm.http.patience = Duration::from_secs(3);
                let result = zvm.insert_checkpoint("v-1", "tag");
                match (&result, expected) {
                    (Ok(id), Task) => assert_eq!(id, "t.1"),
                    (Err(ChangeError::Refused(e)), Outcome::Refused(kind))
                    | (Err(ChangeError::Doubtful(e)), Doubtful(kind))
                    | (Err(ChangeError::AnswerLost(e)), Lost(kind)) => {
                        assert_eq!(e.kind, kind, "{number}")
                    }
                    _ => panic!("{number}: {result:?}"),
                }
                assert_eq!(server.count("POST /v1/"), 1, "{number}");
            });
        }
    });
}

impl Outcome {
    fn status(status: u16) -> ZvmErrorKind {
        ZvmErrorKind::Refused(status)
    }
}

#[test]
fn what_was_never_sent_is_refused() {
    // A good login first, so that the insert itself meets the dead port.
    let (server, mut home) = answering(vec![|| ok(SITE)]);
    home.zvm().local_site().unwrap();
    let token = std::fs::read_dir(home.state.path().join("tokens")).unwrap().next().unwrap().unwrap().path();
    for (url, reset) in [
        (format!("http://127.0.0.1:{}", dead_port()), false),
        (format!("https://127.0.0.1:{}", server.port), false),
        ("http://no-such-host.invalid".to_owned(), false),
        (format!("http://127.0.0.1:{}", resetting()), true),
    ] {
        home.config.url = url.clone();
        // The cache has a name of its own for each URL.
        let zvm = home.zvm();
        let name = crate::state::file_name(&format!("{url}\npassword guard\npublic"));
        std::fs::copy(&token, token.with_file_name(format!("{name}.json"))).unwrap();
        let result = zvm.insert_checkpoint("v-1", "tag");
        match (&result, reset) {
            (Err(ChangeError::Refused(e)), false) | (Err(ChangeError::AnswerLost(e)), true) => {
                assert_eq!(e.kind, ZvmErrorKind::Unreachable, "{url}");
            }
            _ => panic!("{url}: {result:?}"),
        }
    }
}

#[test]
fn a_connection_that_died_in_the_pool_is_not_used_for_it() {
    let server = Server::start(|asked| match asked.line.as_str() {
        TOKEN => ok(r#"{"access_token":"t0ken","expires_in":300}"#),
        "GET /v1/localsite" => Reply::JsonThenClose(SITE.to_owned()),
        _ => ok("\"t.1\""),
    });
    let home = Home::at(&server.url());
    let zvm = home.zvm();
    for _ in 0..20 {
        zvm.local_site().unwrap();
        assert_eq!(zvm.insert_checkpoint("v-1", "tag").unwrap(), "t.1");
    }
    assert_eq!(server.count("POST /v1/"), 20);
}

#[test]
fn after_a_401_it_is_not_sent_again_before_someone_has_looked() {
    let tokens = AtomicUsize::new(0);
    let server = Server::start(move |asked| {
        if asked.line == TOKEN {
            let number = tokens.fetch_add(1, Ordering::SeqCst);
            return ok(&format!(r#"{{"access_token":"t{number}","expires_in":300}}"#));
        }
        match (asked.head.contains("Bearer t1\r\n"), asked.line.starts_with("GET ")) {
            (true, true) => ok("[]"),
            (true, false) => ok("\"t.1\""),
            (false, _) => Reply::Json(401, String::new()),
        }
    });
    let home = Home::at(&server.url());
    let zvm = home.zvm();
    let result = zvm.insert_checkpoint("v-1", "tag");
    assert!(matches!(&result, Err(ChangeError::Doubtful(e)) if e.kind == ZvmErrorKind::Login), "{result:?}");
    assert_eq!((server.count("POST /v1/"), server.count(TOKEN)), (1, 1));
    // The look gets a new token.
    zvm.insert_tasks_since(Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(zvm.insert_checkpoint("v-1", "tag").unwrap(), "t.1");
    assert_eq!((server.count("POST /v1/"), server.count(TOKEN)), (2, 2));
}

#[test]
fn an_answer_is_not_waited_for_until_there_is_no_time_left_to_look() {
    let (_server, home) = answering(vec![|| Reply::Silence]);
    let mut zvm = home.zvm();
    zvm.http.deadline = Deadline::after(Duration::from_secs(4));
    let result = zvm.insert_checkpoint("v-1", "tag");
    assert!(matches!(&result, Err(ChangeError::AnswerLost(e)) if e.kind == ZvmErrorKind::Unreachable), "{result:?}");
    assert!(!zvm.http.deadline.passed());
}

/// A proxy that answers CONNECT with `status`, and tunnels where that is 200.
fn proxy(status: u16) -> u16 {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).unwrap_or(0) == 1 {
                head.push(byte[0]);
            }
            client.write_all(format!("HTTP/1.1 {status} X\r\n\r\n").as_bytes()).unwrap();
            if status != 200 {
                continue;
            }
            let head = String::from_utf8(head).unwrap();
            let target = head.split_whitespace().nth(1).unwrap();
            let server = std::net::TcpStream::connect(target).unwrap();
            for (mut from, mut to) in [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)] {
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut to);
                    let _ = to.shutdown(std::net::Shutdown::Write);
                });
            }
        }
    });
    port
}

#[test]
fn through_a_proxy_only_where_one_is_set() {
    let (server, mut home) = answering(vec![|| ok("\"t.1\"")]);
    home.config.proxy = Some(format!("http://127.0.0.1:{}", proxy(200)));
    assert_eq!(home.zvm().insert_checkpoint("v-1", "tag").unwrap(), "t.1");
    // What a proxy refuses never reached the ZVM.
    home.config.proxy = Some(format!("http://127.0.0.1:{}", proxy(502)));
    let result = home.zvm().insert_checkpoint("v-1", "tag");
    assert!(matches!(&result, Err(ChangeError::Refused(_))), "{result:?}");
    assert_eq!(server.count("POST /v1/"), 1);
    home.config.proxy = Some("socks5://127.0.0.1:1".to_owned());
    assert!(Zvm::new(&home.config, &home.state, Deadline::after(Duration::from_secs(1))).is_err());
}

/// Not a test of its own: what [`the_environments_proxy_is_not_heeded`] runs with a proxy in its environment.
#[test]
fn asker() {
    let Ok(url) = std::env::var("ZERTO_GUARD_TEST_URL") else {
        return;
    };
    assert!(Home::at(&url).zvm().local_site().is_ok());
}

#[test]
fn the_environments_proxy_is_not_heeded() {
    let (server, _home) = answering(vec![|| ok(SITE)]);
    let mut asker = std::process::Command::new(std::env::current_exe().unwrap());
    asker.args(["zvm::client::tests::inserts::asker", "--exact"]).env("ZERTO_GUARD_TEST_URL", server.url());
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        asker.env(name, format!("http://127.0.0.1:{}", dead_port()));
    }
    assert!(asker.output().unwrap().status.success());
    assert_eq!(server.count("GET /v1/localsite"), 1);
}
