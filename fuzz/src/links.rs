//! Any text is the link that a ZVM answers to a download: only this ZVM is asked, for a path that stands in the link, in one line,
//! and the token goes nowhere else; that a link leads elsewhere is told.

use super::ground::{text, within};
use super::server::{self, Reply, Server, check};
use super::wire::drain;

/// Runs one input: the link; with a byte beyond ASCII before it, the whole answer.
pub fn run(bytes: &[u8]) {
    within(5, || server::with(|server| any(server, bytes)));
}

fn any(server: &Server, bytes: &[u8]) {
    let link = text(bytes).replace("OWN", &format!("127.0.0.1:{}", server.port));
    let body = match bytes.first() {
        Some(0x80..) => bytes.to_vec(),
        _ => serde_json::Value::from(link.as_str()).to_string().into_bytes(),
    };
    let zvm = server.client(Reply::ok(&body));
    let found = match zvm.download_link("s", &["partition#0 Ext4/x"]) {
        Ok(found) => found,
        Err(error) => return check(&error),
    };
    let said = format!("{found:?}");
    // Of what begins with another machine's address, it says so.
    let lower = link.trim().trim_matches('"').trim().to_ascii_lowercase();
    for scheme in ["https://", "http://"] {
        if let Some(rest) = lower.strip_prefix(scheme) {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default().rsplit('@').next().unwrap_or_default();
            let is_own = scheme == "http://" && host == format!("127.0.0.1:{}", server.port);
            assert_eq!(said.contains("elsewhere: None"), is_own, "{said}");
        }
    }
    let before = server.asked().len();
    let came = drain(&zvm, &found);
    let asked = server.asked();
    assert!(asked.len() <= before + 1);
    if let Some(head) = asked.get(before) {
        let mut lines = head.split("\r\n");
        let line = lines.next().unwrap();
        let path = line.strip_prefix("GET ").and_then(|line| line.strip_suffix(" HTTP/1.1")).unwrap();
        assert!(path.starts_with('/') && !path.starts_with("//") && path.bytes().all(|byte| byte.is_ascii_graphic()), "{line}");
        assert!(said.contains(path), "{said} {line}");
        let count = |name: &str| head.to_ascii_lowercase().matches(name).count();
        assert_eq!((count("\r\nhost: 127.0.0.1:"), count("\r\nauthorization: ")), (1, 1), "{head}");
    }
    match came {
        Ok(bytes) => assert_eq!(bytes, body),
        Err(error) => check(&error),
    }
}
