//! Single exchanges with a ZVM, each answer written by hand: what is asked, and what is made of an answer that no
//! well-behaved ZVM would give.

use mockito::{Matcher, Server, ServerGuard};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;
use zerto_guard::config::secret::SecretSource;
use zerto_guard::config::{Login, Trust, ZvmConfig};
use zerto_guard::deadline::Deadline;
use zerto_guard::state::StateDir;
use zerto_guard::zvm::{ChangeError, Zvm, ZvmErrorKind};

struct Desk {
    server: ServerGuard,
    folder: tempfile::TempDir,
}

impl Desk {
    /// A server that gives out the token `tok`.
    fn new() -> Self {
        let mut desk = Self::without_login();
        let token = r#"{"access_token":"tok","expires_in":300,"token_type":"Bearer"}"#;
        desk.server.mock("POST", "/auth/realms/zerto/protocol/openid-connect/token").with_body(token).create();
        desk
    }

    fn without_login() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let password = folder.path().join("password");
        fs::write(&password, "p&w=1 ü\n").unwrap();
        fs::set_permissions(&password, fs::Permissions::from_mode(0o600)).unwrap();
        Self { server: Server::new(), folder }
    }

    fn zvm(&self, login: Login) -> Zvm {
        let config = ZvmConfig {
            name: "nyc".into(),
            url: self.server.url(),
            login,
            trust: Trust::PublicRoots,
            guards: true,
            proxy: None,
        };
        let state = StateDir::at(self.folder.path().join("state"));
        Zvm::new(&config, &state, Deadline::after(Duration::from_secs(10))).unwrap()
    }

    fn secret(&self) -> SecretSource {
        SecretSource::File(self.folder.path().join("password"))
    }

    fn user(&self) -> Zvm {
        self.zvm(Login::Password { username: "guard user".into(), password: self.secret() })
    }
}

#[test]
fn both_grants_ask_for_openid_and_encode_what_they_send() {
    for client in [false, true] {
        let mut desk = Desk::without_login();
        let grant = if client { "client_credentials" } else { "password" };
        let mut fields = vec![
            Matcher::UrlEncoded("grant_type".into(), grant.into()),
            Matcher::UrlEncoded("scope".into(), "openid".into()),
        ];
        fields.extend(if client {
            vec![
                Matcher::UrlEncoded("client_id".into(), "own client".into()),
                Matcher::UrlEncoded("client_secret".into(), "p&w=1 ü".into()),
            ]
        } else {
            vec![
                Matcher::UrlEncoded("client_id".into(), "zerto-client".into()),
                Matcher::UrlEncoded("username".into(), "guard user".into()),
                Matcher::UrlEncoded("password".into(), "p&w=1 ü".into()),
            ]
        });
        let login = desk
            .server
            .mock("POST", "/auth/realms/zerto/protocol/openid-connect/token")
            .match_header("content-type", "application/x-www-form-urlencoded")
            .match_body(Matcher::AllOf(fields))
            .with_body(r#"{"access_token":"tok","expires_in":60}"#)
            .create();
        let site = desk
            .server
            .mock("GET", "/v1/localsite")
            .match_header("authorization", "Bearer tok")
            .match_header("accept", "application/json")
            .with_body(r#"{"SiteName":"New York","SiteType":"VCenter"}"#)
            .create();
        let zvm = if client {
            desk.zvm(Login::Client { client_id: "own client".into(), secret: desk.secret() })
        } else {
            desk.user()
        };
        assert_eq!(zvm.local_site().unwrap().name, "New York");
        login.assert();
        site.assert();
    }
}

#[test]
fn either_case_ids_out_of_links_and_both_date_forms_are_read() {
    let mut desk = Desk::new();
    desk.server
        .mock("GET", "/v1/vms")
        .match_query(Matcher::UrlEncoded("vmName".into(), "web 01&x".into()))
        .with_body(
            r#"[{"vmName":"WEB 01&x","link":{"identifier":"6a6e1b1c-0000-4000-8000-000000000001.vm-7?VpgIdentifier=aa-bb"},
                 "protectedSite":{"href":"https://192.0.2.1/v1/localsite"},"unknown":[1]},
                {"VmName":"web 01&x too","VmIdentifier":"i","VpgIdentifier":"v"}]"#,
        )
        .create();
    let rows = desk.user().vms_named("web 01&x").unwrap();
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!(row.identifier, "6a6e1b1c-0000-4000-8000-000000000001.vm-7");
    assert_eq!((row.vpg_identifier.as_str(), row.protected_here), ("aa-bb", Some(true)));
    desk.server
        .mock("GET", "/v1/vpgs/a%2Fb/checkpoints")
        .match_query(Matcher::Regex("startDate=.*Z".into()))
        .with_body(
            r#"[{"CheckpointIdentifier":"38","TimeStamp":"/Date(1520423877045)/","Tag":"t"},
                {"checkpointIdentifier":39,"timeStamp":"2018-03-07T11:57:57.045Z","tag":null}]"#,
        )
        .create();
    let checkpoints = desk.user().checkpoints("a/b", jiff::Timestamp::UNIX_EPOCH, None).unwrap();
    assert_eq!(checkpoints[0].time, checkpoints[1].time);
    assert_eq!((checkpoints[1].identifier.as_str(), &checkpoints[1].tag), ("39", &None));
}

#[test]
fn statuses_have_their_kinds_and_the_zvms_own_words() {
    for (status, body, kind, part) in [
        (403, r#"{"Message":"Not for you"}"#, ZvmErrorKind::Forbidden, "Not for you"),
        (404, "", ZvmErrorKind::NotFound, "404"),
        (409, r#"{"message":"in use\u001b[31m"}"#, ZvmErrorKind::Refused(409), "in use"),
        (418, "<html>teapot</html>", ZvmErrorKind::Refused(418), "418"),
    ] {
        let mut desk = Desk::new();
        let vpg = desk.server.mock("GET", "/v1/vpgs/x").with_status(status).with_body(body).expect(1).create();
        let error = desk.user().vpg("x").unwrap_err();
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(part) && error.message.contains("nyc"), "{error}");
        assert!(!error.message.contains('\u{1b}'), "{error}");
        vpg.assert();
    }
}

#[test]
fn a_redirect_is_not_followed_with_a_token() {
    let mut elsewhere = Server::new();
    let trap = elsewhere.mock("GET", Matcher::Any).expect(0).create();
    let mut desk = Desk::new();
    let location = format!("{}/v1/localsite", elsewhere.url());
    desk.server.mock("GET", "/v1/localsite").with_status(307).with_header("location", &location).create();
    let error = desk.user().local_site().unwrap_err();
    assert!(error.message.contains("307") || error.message.contains("redirect"), "{error}");
    trap.assert();
}

#[test]
fn an_insert_is_sent_once_and_its_quoted_answer_is_the_task() {
    let mut desk = Desk::new();
    let insert = desk
        .server
        .mock("POST", "/v1/vpgs/v/checkpoints")
        .match_body(Matcher::JsonString(r#"{"checkpointName":"a | b"}"#.into()))
        .with_body("\"task.site\"")
        .expect(1)
        .create();
    assert_eq!(desk.user().insert_checkpoint("v", "a | b").unwrap(), "task.site");
    insert.assert();
    for (status, body, lost) in
        [(200, "", true), (200, "<html>", true), (504, "", true), (503, "", false), (400, "{}", false)]
    {
        let mut desk = Desk::new();
        let insert =
            desk.server.mock("POST", "/v1/vpgs/v/checkpoints").with_status(status).with_body(body).expect(1).create();
        let error = desk.user().insert_checkpoint("v", "t").unwrap_err();
        assert_eq!(matches!(error, ChangeError::AnswerLost(_)), lost, "{status} {body:?}: {error}");
        insert.assert();
    }
}
