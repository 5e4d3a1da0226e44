use super::*;

const CONTRACT: &str = r#"
[[zvm]]
name = "nyc"
url = "https://zvm.nyc.example"
username = "zerto-guard"
password_command = ["/usr/bin/pass", "show", "zvm"]
tls_pin = "sha256:AA:bb:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:01"
[[zvm]]
name = "dr"
url = "https://ZVM.dr.example:443/"
client_id = "guard"
client_secret_file = "~/secret"
guards = false
proxy = "http://proxy.example:3128"
[guard]
deadline = "120s"
unknown = "ask"
mode = "enforce"
agent = "claude"
reuse = "2m"
this_vm = "dev01"
[hosts]
"Web01.corp.example" = "web01"
unguarded = ["github.com", "*.build.example"]
[mounts]
"/mnt/web01/" = "web01"
[paths]
"web01:/data" = "partition#2 Ext4"
"#;

fn config(text: &str) -> Config {
    merge(Partial::default(), parse(text, Some(Path::new("/home/jo"))).unwrap())
}

#[test]
fn the_contracts_example_is_read() {
    let config = config(CONTRACT);
    let [nyc, dr] = config.zvms.as_slice() else { panic!("{config:?}") };
    assert_eq!(nyc.url, "https://zvm.nyc.example");
    assert!(matches!(nyc.trust, Trust::Pin(pin) if pin[0] == 0xaa && pin[31] == 1));
    assert!(nyc.guards);
    assert_eq!(dr.url, "https://zvm.dr.example:443");
    assert_eq!(
        dr.login,
        Login::Client { client_id: "guard".into(), secret: SecretSource::File("/home/jo/secret".into()) }
    );
    assert_eq!(dr.trust, Trust::PublicRoots);
    assert!(!dr.guards);
    assert_eq!(config.guard.reuse, Some(Duration::from_secs(120)));
    assert_eq!(config.hosts.get("web01.corp.example").map(String::as_str), Some("web01"));
    assert_eq!(config.mounts.get("/mnt/web01").map(String::as_str), Some("web01"));
    assert_eq!(config.unguarded.len(), 2);
    assert_eq!(config.paths.len(), 1);
}

#[test]
fn the_administrators_keys_win_one_by_one() {
    let admin = "[guard]\nunknown = 'guard'\n[hosts]\nb = 'B'\nunguarded = []\n";
    let admin = parse(admin, None).unwrap();
    let user = "[guard]\nunknown = 'ask'\nagent = 'me'\n[hosts]\na = 'A'\nb = 'x'\nunguarded = ['*']\n";
    let merged = merge(admin, parse(user, None).unwrap());
    assert_eq!(merged.guard.unknown, UnknownPolicy::Guard);
    assert_eq!(merged.guard.agent.as_deref(), Some("me"));
    assert_eq!(merged.hosts.get("a").map(String::as_str), Some("A"));
    assert_eq!(merged.hosts.get("b").map(String::as_str), Some("B"));
    assert!(merged.unguarded.is_empty());
    assert_eq!(merge(Partial::default(), Partial::default()).guard.deadline, Duration::from_secs(120));
}

#[test]
fn every_mistake_names_its_line_and_what_is_wrong() {
    let zvm = |lines: &str| format!("[[zvm]]\nname = 'a'\n{lines}");
    let good = "url = 'https://a'\nusername = 'u'\n";
    for (text, line, part) in [
        ("zvms = 1".to_owned(), 1, "unknown key `zvms`"),
        (zvm("url = 'https://a'"), 1, "needs `username` or `client_id`"),
        (zvm("username = 'u'"), 1, "needs `url`"),
        (zvm(&format!("{good}password = 'x'")), 5, "doesn't belong in this file"),
        (zvm(&format!("{good}password_command = 'pass'")), 5, "must be a list"),
        (zvm(&format!("{good}password_command = ['pass']")), 5, "absolute path"),
        (zvm(&format!("{good}password_command = []")), 5, "names no program"),
        (zvm(&format!("{good}password_command = ['/p']\npassword_file = '/f'")), 6, "two ways to log in"),
        (zvm(&format!("{good}client_id = 'c'")), 5, "two ways to log in"),
        (zvm(&format!("{good}client_secret_file = '/f'")), 5, "goes with `client_id`"),
        (zvm(&format!("{good}password_file = 'f'")), 5, "absolute path"),
        (zvm(&format!("{good}tls_pin = 'sha256:00'")), 5, "64 hexadecimal digits"),
        (zvm(&format!("{good}ca_file = '/f'\ninsecure_skip_verify = true")), 1, "keep one"),
        (zvm(&format!("{good}proxy = 'proxy:3128'")), 5, "`proxy` is a URL"),
        (zvm(&format!("{good}guards = 'no'")), 5, "true or false"),
        (zvm("url = 'http://zvm'\nusername = 'u'"), 3, "in the clear"),
        (zvm("url = 'http://127.0.0.1:80'\nusername = 'u'"), 3, "allow_plain_http"),
        (zvm("url = 'https://u:p@zvm'\nusername = 'u'"), 3, "no path, user or query"),
        (zvm("url = 'https://zvm/x'\nusername = 'u'"), 3, "no path"),
        (zvm("url = 'zvm'\nusername = 'u'"), 3, "https://host"),
        (zvm("url = 'ftp://zvm'\nusername = 'u'"), 3, "only https"),
        (zvm("url = 'https://zvm:port'\nusername = 'u'"), 3, "port"),
        (format!("{}{}", zvm(good), zvm("url = 'https://b'\nusername = 'u'")), 5, "each ZVM has one entry"),
        ("[guard]\ndeadline = 120".into(), 2, "must be a string"),
        ("[guard]\ndeadline = '2 minutes'".into(), 2, "write it as 120s"),
        ("[guard]\ndeadline = '0s'".into(), 2, "between 1s and 1h"),
        ("[guard]\nunknown = 'allow'".into(), 2, "\"ask\" or \"guard\""),
        ("[guard]\nmode = 'off'".into(), 2, "\"enforce\" or \"observe\""),
        ("[guard]\nthis_vm = ' '".into(), 2, "is empty"),
        ("[hosts]\na = 'x'\nA = 'y'".into(), 3, "stands twice"),
        ("[hosts]\nunguarded = '*'".into(), 2, "must be a list"),
        ("[hosts]\nunguarded = ['[a]']".into(), 2, "only wildcards"),
        ("[mounts]\n'mnt' = 'x'".into(), 2, "absolute path"),
        ("[mounts]\n'/mnt/' = 'x'\n'/mnt' = 'y'".into(), 3, "stands twice"),
        ("[mounts]\n'/m//x' = 'x'".into(), 2, "without `.`"),
        ("[mounts]\n'/m/../x' = 'x'".into(), 2, "without `.`"),
        (zvm(&format!("{good}proxy = 'https://proxy'")), 5, "`proxy` is a URL"),
        ("[paths]\n'web01' = 'x'".into(), 2, "VM:/path"),
    ] {
        let mistake = parse(&text, None).map(|_| ()).unwrap_err();
        assert!(mistake.message.contains(part), "{text}: {mistake}");
        assert_eq!(mistake.line, line, "{text}: {mistake}");
    }
}

#[test]
fn plain_http_only_to_this_machine() {
    for host in ["127.0.0.1:8080", "localhost:1", "[::1]:80"] {
        let text = format!("[[zvm]]\nname='a'\nurl='http://{host}'\nusername='u'\nallow_plain_http=true");
        assert_eq!(config(&text).zvms[0].url, format!("http://{host}"));
    }
}

#[test]
fn spans() {
    for (text, seconds) in [("120s", 120), ("2m", 120), ("1h", 3600), ("2d", 172_800)] {
        assert_eq!(parse_duration(text), Some(Duration::from_secs(seconds)));
    }
    for bad in ["", "s", "1", "-1s", "1.5m", "1 m", "99999999999999999999s", "20000000000000000000d", "1min"] {
        assert_eq!(parse_duration(bad), None, "{bad}");
    }
}
