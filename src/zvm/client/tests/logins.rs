//! One token for everybody, renewed in time and once after a 401, and no login tried over and over.

use super::*;
use crate::config::Login;

/// A server that gives out t0, t1, … with this life, and takes those that `accepts` says.
fn numbered(life: &'static str, accepts: fn(usize) -> bool) -> Server {
    let tokens = AtomicUsize::new(0);
    Server::start(move |asked| {
        if asked.line == TOKEN {
            let number = tokens.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(30));
            return ok(&format!(r#"{{"access_token":"t{number}","expires_in":{life}}}"#));
        }
        let (_, token) = asked.head.split_once("Bearer t").unwrap();
        let number = token.split('\r').next().unwrap().parse().unwrap();
        if accepts(number) { ok(SITE) } else { Reply::Json(401, String::new()) }
    })
}

#[test]
fn one_token_for_all_threads_and_all_processes() {
    let server = numbered("300", |_| true);
    let home = Home::at(&server.url());
    // Each Zvm is a process of its own as far as tokens go: they share the state folder alone.
    let zvms: Vec<Zvm> = (0..3).map(|_| home.zvm()).collect();
    std::thread::scope(|s| {
        for zvm in zvms.iter().cycle().take(9) {
            s.spawn(move || zvm.local_site().unwrap());
        }
    });
    assert_eq!((server.count(TOKEN), server.count("GET")), (1, 9));
    home.zvm().local_site().unwrap();
    assert_eq!(server.count(TOKEN), 1);
}

/// Not a test of its own: one of the processes of [`processes_that_start_at_once_share_one_login`].
#[test]
fn starter() {
    let (Ok(url), Ok(state)) = (std::env::var("ZERTO_GUARD_TEST_URL"), std::env::var("ZERTO_GUARD_TEST_STATE")) else {
        return;
    };
    let mut home = Home::at(&url);
    home.state = StateDir::at(state.into());
    home.zvm().local_site().unwrap();
}

#[test]
fn processes_that_start_at_once_share_one_login() {
    let server = numbered("300", |_| true);
    let folder = tempfile::tempdir().unwrap();
    let starters: Vec<_> = (0..4)
        .map(|_| {
            std::process::Command::new(std::env::current_exe().unwrap())
                .args(["zvm::client::tests::logins::starter", "--exact"])
                .env("ZERTO_GUARD_TEST_URL", server.url())
                .env("ZERTO_GUARD_TEST_STATE", folder.path().join("state"))
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut starter in starters {
        assert!(starter.wait().unwrap().success());
    }
    assert_eq!((server.count(TOKEN), server.count("GET")), (1, 4));
}

#[test]
fn a_token_is_for_one_url_login_and_way_of_trusting() {
    let server = numbered("300", |_| true);
    let mut home = Home::at(&server.url());
    home.zvm().local_site().unwrap();
    home.config.trust = crate::config::Trust::Insecure;
    home.zvm().local_site().unwrap();
    if let Login::Password { username, .. } = &mut home.config.login {
        *username = "other".to_owned();
    }
    home.zvm().local_site().unwrap();
    assert_eq!(server.count(TOKEN), 3);
}

#[test]
fn renewed_before_its_end_however_short_its_life() {
    let server = numbered("3", |_| true);
    let home = Home::at(&server.url());
    let zvm = home.zvm();
    zvm.local_site().unwrap();
    zvm.local_site().unwrap();
    assert_eq!(server.count(TOKEN), 1);
    std::thread::sleep(Duration::from_millis(2100));
    zvm.local_site().unwrap();
    assert_eq!(server.count(TOKEN), 2);
    for life in ["0", "-5", "0.001"] {
        let server = numbered(life, |_| true);
        let home = Home::at(&server.url());
        home.zvm().local_site().unwrap();
        home.zvm().local_site().unwrap();
        assert_eq!(server.count(TOKEN), 2, "{life}");
    }
    for life in ["null", "\"300\"", "1e300", "99999999999999"] {
        let server = numbered(life, |_| true);
        let home = Home::at(&server.url());
        home.zvm().local_site().unwrap();
        home.zvm().local_site().unwrap();
        assert_eq!(server.count(TOKEN), 1, "{life}");
    }
}

#[test]
fn a_401_renews_the_token_once() {
    let server = numbered("300", |number| number >= 1);
    let home = Home::at(&server.url());
    let zvm = home.zvm();
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| zvm.local_site().unwrap());
        }
    });
    assert_eq!(server.count(TOKEN), 2);

    let server = numbered("300", |_| false);
    let home = Home::at(&server.url());
    let error = home.zvm().local_site().unwrap_err();
    assert_eq!((error.kind, error.exit_code()), (ZvmErrorKind::Login, 6));
    assert!(error.hint.contains("password_command"), "{}", error.hint);
    assert_eq!((server.count(TOKEN), server.count("GET")), (2, 2));
}

#[test]
fn a_token_that_another_process_has_renewed_is_taken_over() {
    let revoked = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let tokens = AtomicUsize::new(0);
    let is_revoked = revoked.clone();
    let server = Server::start(move |asked| {
        if asked.line == TOKEN {
            let number = tokens.fetch_add(1, Ordering::SeqCst);
            return ok(&format!(r#"{{"access_token":"t{number}","expires_in":300}}"#));
        }
        let first = asked.head.contains("Bearer t0\r\n");
        if first && is_revoked.load(Ordering::SeqCst) { Reply::Json(401, String::new()) } else { ok(SITE) }
    });
    let home = Home::at(&server.url());
    let (one, other) = (home.zvm(), home.zvm());
    one.local_site().unwrap();
    other.local_site().unwrap();
    revoked.store(true, Ordering::SeqCst);
    one.local_site().unwrap();
    other.local_site().unwrap();
    assert_eq!(server.count(TOKEN), 2);
}

#[test]
fn what_is_sent_to_log_in() {
    let server = numbered("300", |_| true);
    let mut home = Home::at(&server.url());
    home.zvm().local_site().unwrap();
    let Login::Password { password, .. } = home.config.login.clone() else { panic!() };
    home.config.login = Login::Client { client_id: "my guard".to_owned(), secret: password };
    home.zvm().local_site().unwrap();
    let asked: Vec<Asked> = server.asked().into_iter().filter(|a| a.line == TOKEN).collect();
    assert_eq!(
        [asked[0].body.as_str(), asked[1].body.as_str()],
        [
            "grant_type=password&client_id=zerto-client&scope=openid&username=guard&password=p4ss%20w%26rd",
            "grant_type=client_credentials&scope=openid&client_id=my%20guard&client_secret=p4ss%20w%26rd",
        ]
    );
    assert!(asked[0].head.to_lowercase().contains("content-type: application/x-www-form-urlencoded\r\n"));
    assert!(!asked[0].head.to_lowercase().contains("authorization"));
}

/// A server whose logins are answered by `replies` in turn.
fn logins(replies: Vec<Replies>) -> (Server, Home) {
    let next = AtomicUsize::new(0);
    let server = Server::start(move |asked| {
        if asked.line != TOKEN {
            return ok(SITE);
        }
        let turn = next.fetch_add(1, Ordering::SeqCst);
        replies[turn.min(replies.len() - 1)]()
    });
    let home = Home::at(&server.url());
    (server, home)
}

const BAD_GRANT: &str = r#"{"error":"invalid_grant","error_description":"Invalid user credentials"}"#;

#[test]
fn a_refused_login_is_tried_again_by_chance_and_then_by_nobody_for_a_while() {
    let refused: Replies = || Reply::Json(401, BAD_GRANT.to_owned());
    let good: Replies = || ok(r#"{"access_token":"t0","expires_in":300}"#);
    let (server, home) = logins(vec![refused, refused, good]);
    home.zvm().local_site().unwrap();
    assert_eq!(server.count(TOKEN), 3);

    let (server, home) = logins(vec![refused]);
    let zvm = home.zvm();
    std::thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| {
                let error = zvm.local_site().unwrap_err();
                assert_eq!(error.kind, ZvmErrorKind::Login);
                assert!(error.message.contains("invalid_grant: Invalid user credentials"), "{error}");
            });
        }
    });
    assert_eq!(server.count(TOKEN), 4, "more would lock the account");
    // Another process of the same user.
    let error = home.zvm().local_site().unwrap_err();
    assert!(error.kind == ZvmErrorKind::Login && error.message.contains("before 30 s have passed"), "{error}");
    assert_eq!(server.count(TOKEN), 4);
}

#[test]
fn what_can_go_wrong_with_a_login() {
    let cases: Vec<(Replies, usize, ZvmErrorKind, &str)> = vec![
        (|| Reply::Json(400, r#"{"error":"invalid_client"}"#.to_owned()), 1, ZvmErrorKind::Login, "invalid_client"),
        (|| Reply::Json(401, r#"{"error":"unauthorized_client"}"#.to_owned()), 1, ZvmErrorKind::Login, "unauthorized"),
        (|| Reply::Json(404, "<html>".to_owned()), 1, ZvmErrorKind::NotFound, "(404)"),
        (|| Reply::Json(503, String::new()), 4, ZvmErrorKind::Refused(503), "(503)"),
        (|| Reply::Raw(String::new()), 4, ZvmErrorKind::Unreachable, "closed"),
        (|| ok("{}"), 2, ZvmErrorKind::Nonsense, "no access_token"),
        (
            || Reply::Json(400, format!(r#"{{"error":"x","error_description":"{PASSWORD} p4ss%20w%26rd"}}"#)),
            1,
            ZvmErrorKind::Login,
            "x: *** ***",
        ),
    ];
    std::thread::scope(|s| {
        for (reply, times, kind, text) in cases {
            s.spawn(move || {
                let (server, home) = logins(vec![reply]);
                let error = home.zvm().local_site().unwrap_err();
                assert_eq!(error.kind, kind, "{error}");
                assert!(error.message.contains(text) && error.message.contains("logging in failed"), "{error}");
                assert!(!format!("{error:?}").contains("p4ss"), "{error:?}");
                assert_eq!(server.count(TOKEN), times, "{error}");
                assert_eq!(server.count("GET"), 0);
            });
        }
    });
}

#[test]
fn without_a_secret_or_a_state_folder_nothing_is_asked() {
    let (server, mut home) = answering(vec![|| ok(SITE)]);
    std::fs::remove_file(home.folder.path().join("password")).unwrap();
    assert_eq!(home.zvm().local_site().unwrap_err().kind, ZvmErrorKind::Secret);
    std::fs::write(home.folder.path().join("file"), "").unwrap();
    home.state = StateDir::at(home.folder.path().join("file"));
    assert_eq!(home.zvm().local_site().unwrap_err().kind, ZvmErrorKind::State);
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_login_waits_for_another_machines_process_no_longer_than_the_deadline() {
    let (server, home) = answering(vec![|| ok(SITE)]);
    let zvm = home.zvm_within(Duration::from_millis(300));
    let cache =
        crate::state::tokens::TokenCache::new(&home.state, &format!("{}\npassword guard\npublic", server.url()));
    let _held = cache.lock(Deadline::after(Duration::from_secs(1))).unwrap();
    assert_eq!(zvm.local_site().unwrap_err().kind, ZvmErrorKind::Deadline);
    assert_eq!(server.connections(), 0);
}
