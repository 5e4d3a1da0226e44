//! Which answer names which session, and which guest a call with an id means.

use super::*;
use crate::call::Tool;
use crate::catalog::parse::parse;
use crate::catalog::{Project, prepared::Prepared};
use crate::classify::targets::Places;
use crate::classify::{Classification, Found, Verdict, classify};

/// Surroundings in which sessions were opened: server, id, guests.
#[derive(Default)]
struct Noted(Vec<(&'static str, &'static str, Vec<String>)>);

impl Surroundings for Noted {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, _path: &str) -> Found {
        Found::Nothing
    }

    fn session(&self, server: &str, id: &str) -> Session {
        match self.0.iter().find(|(at, known, _)| (*at, *known) == (server, id)) {
            None => Session::Unseen,
            Some((_, _, guests)) if guests.is_empty() => Session::Doubtful,
            Some((_, _, guests)) => Session::On(guests.clone()),
        }
    }
}

const USER: &str = r#"
[server.acme]
read_only = ["list"]
mutating = [
    { tool = "put", vm = "session", action = "put {path}" },
    { tool = "put_many", vm = "sessions" },
    { tool = "put_all", vm = "targets.session" },
    { tool = "reboot", vm = "host" },
]
script = [
    { tool = "exec", vm = "session", script = "command", language = "sh" },
    { tool = "ps", vm = "session", script = "command", language = "powershell" },
    { tool = "query", vm = "session", script = "sql", language = "sql" },
]
opens = [
    { tool = "connect", vm = "host", id = "session" },
    { tool = "connect_deep", vm = "target.host", id = "targets.session" },
    { tool = "connect_many", vm = "hosts", id = "sessions" },
    { tool = "channel", vm = "session", id = "channel_id" },
]
[server."glob*"]
opens = [{ tool = "open*", vm = "host", id = "sid" }]
mutating = [{ tool = "run", vm = "sid" }]
"#;

fn opened(call: &ToolCall, response: &Json, catalog: &Catalog, around: &dyn Surroundings) -> Option<Opened> {
    opening(call, catalog, around)?.opened(response)
}

fn layer(text: &str) -> Prepared {
    parse(text).unwrap()
}

fn catalog() -> Catalog {
    Catalog { user: Some(layer(USER)), ..Catalog::default() }
}

fn json(text: &str) -> Json {
    Json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn call_of(tool: Tool, name: &str, input: &str) -> ToolCall {
    ToolCall {
        tool,
        name: name.into(),
        input: json(input),
        cwd: Some("/proj".into()),
        session: Some("s".into()),
        id: None,
        prompt: None,
        asks_human: false,
    }
}

fn call(server: &str, tool: &str, input: &str) -> ToolCall {
    let of = Tool::OfServer { server: server.into(), tool: tool.into() };
    call_of(of, &format!("mcp__{server}__{tool}"), input)
}

const ACME: &str = "mcp__acme__";

fn noted() -> Noted {
    let on = |guests: &[&str]| guests.iter().map(|guest| (*guest).to_owned()).collect::<Vec<_>>();
    Noted(vec![
        (ACME, "s1", on(&["web01"])),
        (ACME, "s2", on(&["db01"])),
        (ACME, "7", on(&["web01"])),
        (ACME, "both", on(&["web01", "db01"])),
        (ACME, "twice", vec![]),
        (ACME, "gh", on(&["github.com"])),
        ("mcp__globby__", "x", on(&["web01"])),
        ("mcp__ssh-mcp__", "ssh-1-1", on(&["web01"])),
        ("mcp__ssh-manager__", "ssh_1_ab", on(&["web01"])),
        ("mcp__ssh-bridge__", "u-u", on(&["web01"])),
    ])
}

fn judged(call: &ToolCall) -> Classification {
    judged_by(call, &catalog())
}

fn judged_by(call: &ToolCall, catalog: &Catalog) -> Classification {
    let places = Places { unguarded: vec!["github.com".into()], ..Places::default() };
    classify(call, catalog, &places, &noted())
}

#[test]
fn what_a_call_opens() {
    let opens = |server: &str, tool: &str, input: &str| {
        let call = call(server, tool, input);
        opened(&call, &json(r#"{"session":"s9"}"#), &catalog(), &noted())
    };
    let on = |server: &str, guests: &[&str]| {
        let guests = guests.iter().map(|guest| (*guest).to_owned()).collect();
        Some(Opened { server: server.into(), id: "s9".into(), guests })
    };
    assert_eq!(opens("acme", "connect", r#"{"host":"web09"}"#), on(ACME, &["web09"]));
    assert_eq!(opens("acme", "connect", r#"{"host":" web09 "}"#), on(ACME, &["web09"]));
    assert_eq!(opens("acme", "connect_deep", r#"{"target":{"host":"web09"}}"#), on(ACME, &["web09"]));
    // One session may be opened through another.
    let channel =
        |input: &str| opened(&call("acme", "channel", input), &json(r#"{"channel":"s9"}"#), &catalog(), &noted());
    assert_eq!(channel(r#"{"session":"s1"}"#), on(ACME, &["web01"]));
    assert_eq!(channel(r#"{"session":"nobody's"}"#), None);
    assert_eq!(channel(r#"{"session":"twice"}"#), None);
    for (tool, input) in [
        ("list", r#"{"host":"web09"}"#),
        ("exec", r#"{"host":"web09","session":"s1"}"#),
        ("no_such", r#"{"host":"web09"}"#),
        ("connect", "{}"),
        ("connect", r#"{"host":""}"#),
        ("connect", r#"{"host":null}"#),
        ("connect", r#"{"host":["web09",null]}"#),
        ("connect", r#"{"host":"-oProxyCommand=x"}"#),
        ("connect", r#"{"host":"postgres://u:p@web09/db"}"#),
        ("connect", r#"{"hostname":"web09"}"#),
    ] {
        assert_eq!(opens("acme", tool, input), None, "{tool} {input}");
    }
    let long = format!(r#"{{"host":"{}"}}"#, "x".repeat(600));
    assert_eq!(opens("acme", "connect", &long), None);
    let call = call("acme", "connect", r#"{"host":"web09"}"#);
    let long = format!(r#"{{"session":"{}"}}"#, "x".repeat(600));
    assert_eq!(opened(&call, &json(&long), &catalog(), &noted()), None);
}

#[test]
fn the_guest_of_a_call_with_an_id() {
    use Verdict::{Mutating, ReadOnly, Unknown};
    for (server, tool, input, verdict, guests) in [
        ("acme", "put", r#"{"session":"s1","path":"/etc/x"}"#, Mutating, &["web01"][..]),
        ("acme", "put", r#"{"session":" s1 "}"#, Mutating, &["web01"]),
        ("acme", "put", r#"{"session":"s2"}"#, Mutating, &["db01"]),
        ("acme", "put", r#"{"session":7}"#, Mutating, &["web01"]),
        ("acme", "put", r#"{"session":"7"}"#, Mutating, &["web01"]),
        ("acme", "put", r#"{"session":"both"}"#, Mutating, &["db01", "web01"]),
        ("acme", "put", r#"{"session":["s1","s2"]}"#, Mutating, &["db01", "web01"]),
        ("acme", "put", r#"{"session":"gh"}"#, ReadOnly, &[]),
        ("acme", "put", r#"{"session":["gh","s2"]}"#, Mutating, &["db01"]),
        // Never a guest of the id's own name.
        ("acme", "put", r#"{"session":"web01"}"#, Unknown, &[]),
        ("acme", "put", r#"{"session":"s3"}"#, Unknown, &[]),
        ("acme", "put", r#"{"session":"S1"}"#, Unknown, &[]),
        ("acme", "put", r#"{"session":["s1","s3"]}"#, Unknown, &[]),
        ("acme", "put", r#"{"session":["s1",null]}"#, Unknown, &[]),
        ("acme", "put", r#"{"session":"twice"}"#, Unknown, &[]),
        ("acme", "put", r#"{"session":null}"#, Unknown, &[]),
        ("acme", "put", r#"{"session":{}}"#, Unknown, &[]),
        ("acme", "put", "{}", Unknown, &[]),
        ("acme", "put_all", r#"{"targets":[{"session":"s1"},{"session":"s2"}]}"#, Mutating, &["db01", "web01"]),
        ("acme", "put_all", r#"{"targets":[{"session":"s1"},{}]}"#, Unknown, &[]),
        ("acme", "put_many", r#"{"sessions":["s1"]}"#, Mutating, &["web01"]),
        // An argument that is no id is what it was.
        ("acme", "reboot", r#"{"host":"s1"}"#, Mutating, &["s1"]),
        ("acme", "exec", r#"{"session":"s1","command":"uptime"}"#, ReadOnly, &[]),
        ("acme", "exec", r#"{"session":"s1","command":"systemctl restart nginx"}"#, Mutating, &["web01"]),
        ("acme", "exec", r#"{"session":"s1","command":"ssh db01 reboot"}"#, Mutating, &["web01", "db01"]),
        ("acme", "exec", r#"{"session":"both","command":"reboot"}"#, Mutating, &["db01", "web01"]),
        ("acme", "exec", r#"{"session":"gh","command":"rm x"}"#, ReadOnly, &[]),
        ("acme", "exec", r#"{"session":"s3","command":"systemctl restart nginx"}"#, Unknown, &[]),
        ("acme", "exec", r#"{"session":"twice","command":"reboot"}"#, Unknown, &[]),
        ("acme", "exec", r#"{"command":"systemctl restart nginx"}"#, Unknown, &[]),
        ("acme", "exec", r#"{"session":"s1"}"#, Unknown, &["web01"]),
        ("acme", "exec", r#"{"session":"s3"}"#, Unknown, &[]),
        ("acme", "ps", r#"{"session":"s1","command":"Restart-Service W3SVC"}"#, Mutating, &["web01"]),
        ("acme", "ps", r#"{"session":"s1","command":"Get-Service"}"#, ReadOnly, &[]),
        ("acme", "query", r#"{"session":"s3","sql":"drop table x"}"#, Unknown, &[]),
        ("acme", "connect", r#"{"host":"web01"}"#, ReadOnly, &[]),
        ("acme", "connect", "{}", ReadOnly, &[]),
        ("acme", "connect", r#"{"host":"-oProxyCommand=x"}"#, Unknown, &[]),
        ("globby", "run", r#"{"sid":"x"}"#, Mutating, &["web01"]),
        // The same id of another server's session.
        ("glob2", "run", r#"{"sid":"x"}"#, Unknown, &[]),
        // Built in.
        ("ssh-mcp", "ssh.openSession", r#"{"host":"web01","username":"u"}"#, ReadOnly, &[]),
        ("ssh-mcp", "fs.write", r#"{"sessionId":"ssh-1-1","path":"/x","data":"y"}"#, Mutating, &["web01"]),
        ("ssh-mcp", "ensure_service", r#"{"sessionId":"ssh-1-1","name":"x","state":"started"}"#, Mutating, &["web01"]),
        ("ssh-mcp", "proc.exec", r#"{"sessionId":"ssh-1-1","command":"ls"}"#, Mutating, &["web01"]),
        ("ssh-mcp", "proc.exec", r#"{"sessionId":"ssh-1-2","command":"ls"}"#, Unknown, &[]),
        ("ssh-mcp", "executeCommand", r#"{"connectionId":"ssh-1-1","command":"ls"}"#, Mutating, &["web01"]),
        ("ssh-mcp", "uploadFile", r#"{"connectionId":"none","localPath":"a","remotePath":"b"}"#, Unknown, &[]),
        ("ssh-mcp", "run-command", r#"{"profile":"web01","command":"ls"}"#, Mutating, &["web01"]),
        ("ssh-manager", "ssh_session_send", r#"{"session":"ssh_1_ab","command":"ls"}"#, Mutating, &["web01"]),
        ("ssh-manager", "ssh_session_send", r#"{"session":"web01","command":"ls"}"#, Unknown, &[]),
        ("ssh-bridge", "ssh_session_exec", r#"{"session_id":"u-u","command":"ls"}"#, Mutating, &["web01"]),
        ("ssh-bridge", "ssh_session_exec", r#"{"session_id":"v-v","command":"ls"}"#, Unknown, &[]),
        ("windows-cli", "ssh_execute", r#"{"connectionId":"web01","command":"reboot"}"#, Mutating, &["web01"]),
    ] {
        let known = judged(&call(server, tool, input));
        assert_eq!(
            (known.verdict, known.targets.as_slice()),
            (verdict, as_texts(guests).as_slice()),
            "{server} {tool} {input}: {}",
            known.reason
        );
    }
}

fn as_texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn the_reason_says_what_would_make_it_known() {
    let reason = |input: &str| judged(&call("acme", "put", input)).reason;
    assert_eq!(
        reason(r#"{"session":"s3"}"#),
        "[server.acme] mutating put says that it changes a guest, but its argument `session` is a session's id, and no answer \
         of `connect` was seen to give it (if there was one, see `zerto-guard doctor`; to open one anew makes it known)"
    );
    let twice = reason(r#"{"session":"twice"}"#);
    assert!(twice.contains("the id of sessions on different guests"), "{twice}");
}

#[test]
fn however_the_host_names_the_server() {
    let input = r#"{"session":"s1"}"#;
    for (tool, name, guests) in [
        (Tool::Joined("acme__put".into()), "mcp__acme__put", &["web01"][..]),
        // A plugin's server of that name is another one, with ids of its own.
        (Tool::Joined("plugin_p_acme__put".into()), "mcp__plugin_p_acme__put", &[]),
        (Tool::OfServer { server: "acme".into(), tool: "put".into() }, "mcp__plugin_p_acme__put", &[]),
        // Which server's session it is can't be told.
        (Tool::OfSomeServer("put".into()), "put", &[]),
    ] {
        let known = judged(&call_of(tool.clone(), name, input));
        let verdict = if guests.is_empty() { Verdict::Unknown } else { Verdict::Mutating };
        assert_eq!((known.verdict, known.targets), (verdict, as_texts(guests)), "{tool:?} {name}");
    }
    for (tool, name, server) in [
        (Tool::Joined("acme__connect".into()), "mcp__acme__connect", ACME),
        (Tool::Joined("plugin_p_acme__connect".into()), "mcp__plugin_p_acme__connect", "mcp__plugin_p_acme__"),
        (Tool::OfServer { server: "acme".into(), tool: "connect".into() }, "connect", "acme"),
    ] {
        let call = call_of(tool, name, r#"{"host":"web09"}"#);
        let found = opened(&call, &json(r#"{"session":"s9"}"#), &catalog(), &noted()).unwrap();
        assert_eq!(found.server, server, "{name}");
    }
}

#[test]
fn a_projects_catalog_opens_nothing_and_points_at_no_other_guest() {
    let project = |text: &str| Catalog { project: Project::Read(layer(text)), ..catalog() };
    // It says that something opens a session: nothing is learnt from it.
    let mine = project("[server.other]\nopens = [{ tool = 'go', vm = 'host', id = 'sid' }]");
    let go = call("other", "go", r#"{"host":"web01"}"#);
    assert_eq!(opened(&go, &json(r#"{"sid":"s9"}"#), &mine, &noted()), None);
    assert_eq!(judged_by(&go, &mine).verdict, Verdict::Unknown, "nobody else knows the tool");
    // And it can't point a known one at another guest.
    let mine = project("[server.acme]\nopens = [{ tool = 'connect', vm = 'decoy', id = 'session' }]");
    let connect = call("acme", "connect", r#"{"host":"web01","decoy":"db01"}"#);
    let found = opened(&connect, &json(r#"{"session":"s9"}"#), &mine, &noted()).unwrap();
    assert_eq!(found.guests, ["web01"]);
    // What it makes stricter means the guest of the session, or none.
    let mine = project("[server.acme]\nmutating = [{ tool = 'list', vm = 'session' }]");
    let list = |id: &str| judged_by(&call("acme", "list", &format!(r#"{{"session":"{id}"}}"#)), &mine);
    assert_eq!(list("s1").targets, ["web01"]);
    assert_eq!((list("web01").verdict, list("web01").targets.len()), (Verdict::Unknown, 0));
    // It can't make a guest's name an id, for which a server could then answer another guest.
    let mine = project("[server.acme]\nopens = [{ tool = 'x', vm = 'host', id = 'host' }]");
    let reboot = judged_by(&call("acme", "reboot", r#"{"host":"s1"}"#), &mine);
    assert_eq!((reboot.verdict, reboot.targets), (Verdict::Mutating, as_texts(&["s1"])));
}

#[test]
fn a_layer_that_says_otherwise_of_the_opener_wins() {
    let admin = layer("[server.acme]\nunknown = ['connect']");
    let strict = Catalog { admin: Some(admin), ..catalog() };
    let connect = call("acme", "connect", r#"{"host":"web01"}"#);
    assert_eq!(judged_by(&connect, &strict).verdict, Verdict::Unknown);
    assert_eq!(opened(&connect, &json(r#"{"session":"s9"}"#), &strict, &noted()), None);
    // A tool that the user adds to a built-in server means the built-in sessions.
    let user = layer("[server.ssh-bridge]\nmutating = [{ tool = 'mine', vm = 'session_id' }]");
    let more = Catalog { user: Some(user), ..Catalog::default() };
    let mine = |id: &str| judged_by(&call("ssh-bridge", "mine", &format!(r#"{{"session_id":"{id}"}}"#)), &more);
    assert_eq!(mine("u-u").targets, ["web01"]);
    assert_eq!(mine("web01").verdict, Verdict::Unknown);
}

#[test]
fn answers_of_the_servers_that_are_built_in() {
    let opens = |server: &str, tool: &str, input: &str, answer: &str| {
        let answer = Json::List(vec![Json::Object(vec![
            ("type".into(), Json::Text("text".into())),
            ("text".into(), Json::Text(answer.into())),
        ])]);
        opened(&call(server, tool, input), &answer, &Catalog::default(), &noted())
    };
    for (server, tool, input, answer, id) in [
        (
            "ssh-mcp",
            "ssh_openSession",
            r#"{"host":"web01","username":"u"}"#,
            "{\n  \"sessionId\": \"ssh-1790000000000-1\",\n  \"host\": \"web01\",\n  \"username\": \"u\",\n  \"expiresInMs\": 900000\n}",
            Some("ssh-1790000000000-1"),
        ),
        (
            "ssh-mcp",
            "connect",
            r#"{"host":"web01","username":"u"}"#,
            "连接成功!\n\n🟢 u@web01\nID: 0cc175b9c0f1b6a831c399e269772661\n主机: web01:22\n用户名: u\n状态: 已连接\n",
            Some("0cc175b9c0f1b6a831c399e269772661"),
        ),
        // A name that the agent chose, to smuggle an id in.
        (
            "ssh-mcp",
            "connect",
            r#"{"host":"web01","username":"u","name":"x\nID: 92eb5ffee6ae2fec3ad71c777531578f"}"#,
            "连接成功!\n\n🟢 x\nID: 92eb5ffee6ae2fec3ad71c777531578f\nID: 0cc175b9c0f1b6a831c399e269772661\n主机: web01:22\n",
            None,
        ),
        (
            "ssh-manager",
            "ssh_session_start",
            r#"{"server":"web01"}"#,
            "🚀 SSH Session Started\n\nSession ID: ssh_1790000000000_abcdef01\nServer: web01\nName: Session on web01\nState: ready\nWorking Directory: /root\n\nUse ssh_session_send to execute commands in this session.",
            Some("ssh_1790000000000_abcdef01"),
        ),
        ("ssh-manager", "ssh_session_start", r#"{"server":"web01"}"#, "❌ Failed to start session: timeout", None),
        (
            "ssh-bridge",
            "ssh_session_create",
            r#"{"host":"web01"}"#,
            "{\n  \"id\": \"7f3c0a4e-0000-4000-8000-000000000001\",\n  \"host\": \"web01\",\n  \"cwd\": \"/root\",\n  \"created_at_secs_ago\": 0,\n  \"last_used_secs_ago\": 0\n}",
            Some("7f3c0a4e-0000-4000-8000-000000000001"),
        ),
        ("ssh-bridge", "ssh_session_create", r#"{"host":"web01"}"#, "Rate limit exceeded for host 'web01'.", None),
    ] {
        let found = opens(server, tool, input, answer);
        assert_eq!(found.as_ref().map(|found| found.id.as_str()), id, "{server} {tool} {answer}");
        assert!(found.is_none_or(|found| found.guests == ["web01"]));
    }
}

/// A tool that changes its guest whatever its text says, and a text that goes on from there.
#[test]
fn what_a_text_does_on_further_machines_is_added() {
    let known = |server: &str, tool: &str, id: &str, command: &str| {
        let name = if server == "ssh-mcp" { "sessionId" } else { "session" };
        let input =
            Json::Object(vec![(name.into(), Json::Text(id.into())), ("command".into(), Json::Text(command.into()))]);
        judged(&call(server, tool, &input.shown()))
    };
    for (command, guests, doubt) in [
        ("ls", &["web01"][..], &[][..]),
        ("systemctl restart nginx", &["web01"], &[]),
        ("unheard-of --x", &["web01"], &[]),
        ("Get-Service | Where-Object {$_.Name}", &["web01"], &[]),
        ("if (Test-Path C:) { Remove-Item x }", &["web01"], &[]),
        ("", &["web01"], &[]),
        ("cat /etc/hosts | grep x", &["web01"], &[]),
        ("ssh db01 uptime", &["web01"], &[]),
        ("ssh db01 systemctl restart nginx", &["web01", "db01"], &[]),
        ("cd /x && ssh db01 'ssh app01 reboot'", &["web01", "db01", "app01"], &[]),
        ("scp x db01:/etc/x", &["web01", "db01"], &[]),
        ("ssh github.com rm x", &["web01"], &[]),
        // What is typed next goes there.
        ("ssh db01", &["web01"], &["web01", "db01"]),
        ("sudo ssh -t db01", &["web01"], &["web01", "db01"]),
        ("ssh \"$host\" reboot", &["web01"], &["web01"]),
        ("ssh db01 unheard-of", &["web01"], &["web01", "db01"]),
    ] {
        for (server, tool, id) in [("ssh-mcp", "proc.exec", "ssh-1-1"), ("ssh-manager", "ssh_session_send", "ssh_1_ab")]
        {
            let known = known(server, tool, id, command);
            assert_eq!(
                (known.verdict, known.targets.as_slice()),
                (Verdict::Mutating, as_texts(guests).as_slice()),
                "{command}"
            );
            let unsure = known.doubt.map(|doubt| doubt.targets).unwrap_or_default();
            assert_eq!(unsure, as_texts(doubt), "{command}");
        }
    }
    // Nothing is added to what is not known anyway, or to what has no text.
    assert_eq!(known("ssh-mcp", "proc.exec", "none", "ssh db01 reboot").targets.len(), 0);
    let list = call("acme", "put", r#"{"session":"s1","commands":["ls",["x"],7,"ssh db01 reboot"]}"#);
    assert_eq!(judged(&list).targets, ["web01", "db01"]);
}

/// The shell of a session may stay open: what starts another one there takes the texts of later calls to it.
#[test]
fn a_shell_within_a_session_is_not_read_only() {
    for (command, verdict) in [
        ("uptime", Verdict::ReadOnly),
        ("cat /etc/hosts", Verdict::ReadOnly),
        ("cat", Verdict::ReadOnly),
        ("ssh db01 uptime", Verdict::ReadOnly),
        ("ssh db01", Verdict::Unknown),
        ("bash", Verdict::Unknown),
        ("sudo -s", Verdict::Unknown),
        ("docker exec -it x sh", Verdict::Unknown),
    ] {
        let input = Json::Object(vec![
            ("session".into(), Json::Text("s1".into())),
            ("command".into(), Json::Text(command.into())),
        ]);
        let known = judged(&call("acme", "exec", &input.shown()));
        assert_eq!(known.verdict, verdict, "{command}: {}", known.reason);
    }
}
