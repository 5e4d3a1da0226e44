use super::super::Document;
use super::super::tree::{Node, Row, Tree};
use super::read;
use proptest::prelude::*;

/// What can be seen of a tree from outside.
fn seen(tree: &Tree, row: Row) -> String {
    let of = |node: &Node| match node {
        Node::List(row) | Node::Table(row) => seen(tree, *row),
        Node::Text(part) => format!("{:?}", tree.said(*part)),
        Node::Integer(part) => tree.said(*part).to_owned(),
        Node::TextWithControls(part) => format!("controls {:?}", tree.said(*part)),
        other => format!("{other:?}"),
    };
    let entries = tree.row(row).map(|entry| format!("{}@{}={}", tree.said(entry.name), entry.at, of(&entry.node)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(" "))
}

/// Whether the text was plain; if so, it has to mean what the toml crate makes of it.
#[track_caller]
fn agrees(text: &str) -> bool {
    let Some(plain) = read(text) else { return false };
    match Document::parse_any(text) {
        Ok(document) => assert_eq!(seen(&plain, plain.root), seen(&document.0, document.0.root), "{text}"),
        Err(mistake) => panic!("accepted, but {mistake}: {text}"),
    }
    true
}

const CONFIG: &str = r#"
# config.toml
[[zvm]]                                   # one or more
name = "nyc"
url = "https://zvm.nyc.example"
password_command = ["/usr/bin/pass", 'show', "zvm"]
guards = false

[[zvm]]
name = "ü"

[guard]
deadline = "120s"
[hosts]
"web01.corp.example" = "web01"
unguarded = ["github.com", "*.build.example"]
[mounts]
"/mnt/web01" = "web01"
"#;

const CATALOG: &str = r#"schema = 1

[server.winrm]
read_only = ["get_*", "list_*"]
mutating  = [{ tool = "copy_file", vm = "host", action = "copy {source} to {destination}" }, "reboot"]
opens = [
  { tool = "a", vm = "host", id = "session" },   # one
  # two
  { tool = "b", vm = "host", id = "session" },
]

[server.""]
read_only = []
[program.'[']
single_dash = true
values = ["-o"]
"#;

#[test]
fn what_people_write_is_plain() {
    for text in [CONFIG, CATALOG, "", "\n# x\n", "a=1", "[a]\n[a.b]\nx=1\n[a.c]"] {
        assert!(agrees(text), "{text}");
    }
}

#[test]
fn with_many_keys_at_the_top_a_text_is_left_to_the_crate() {
    let tables = |count: usize| (0..count).map(|number| format!("[a{number}]\n")).collect::<String>();
    assert!(agrees(&tables(100)));
    assert!(!agrees(&tables(101)));
    let started = std::time::Instant::now();
    assert!(read(&tables(500_000)).is_none());
    assert!(started.elapsed() < std::time::Duration::from_secs(2), "{:?}", started.elapsed());
}

#[test]
fn all_else_is_left_to_the_crate() {
    for text in [
        "a = 1\na = 2",
        "[a]\n[a]",
        "[a.b]\n[a.b]",
        "[a.b]\n[a]",
        "[a]\nb = 1\n[a.b]",
        "a = {}\n[a.b]",
        "a = []\n[[a]]",
        "[a]\n[[a]]",
        "[[a]]\n[a]",
        "[[a]]\n[a.b]",
        "[a.b.c]",
        "[[a.b]]",
        "a.b = 1",
        "a = \"x\\n\"",
        "a = \"\"\"x\"\"\"",
        "a = ''''''",
        "a = 1_000",
        "a = +1",
        "a = -1",
        "a = 01",
        "a = 0x1",
        "a = 1.0",
        "a = 2026-01-01",
        "a = 99999999999999999999",
        "a = truex",
        "a = \"x",
        "a = 'x\ny'",
        "a = 'x\ty'",
        "a = '\u{7f}'",
        "# \u{1}",
        "a = 1 b = 2",
        "a = {x = 1,}",
        "a = {x = 1\n}",
        "a = {x = 1, x = 2}",
        "a = [1 2]",
        "a = [,]",
        "a = [[[[[[[1]]]]]]]",
        "a =",
        "= 1",
        "[a",
        "[a]]",
        "[]",
        "[a] x = 1",
        "\u{feff}a = 1",
        "a = 1\r\n",
        "ä = 1",
    ] {
        assert!(read(text).is_none(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_text_means_two_things(text in pieces()) {
        agrees(&text);
    }

    #[test]
    fn nor_does_one_with_a_slip(at in 0..CONFIG.len() + CATALOG.len(), cut in 0_usize..3, put in piece()) {
        let (whole, at) = if at < CONFIG.len() { (CONFIG, at) } else { (CATALOG, at - CONFIG.len()) };
        if let (Some(front), Some(back)) = (whole.get(..at), whole.get((at + cut).min(whole.len())..)) {
            agrees(&format!("{front}{put}{back}"));
        }
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "a",
        "b",
        "c",
        "\"a\"",
        "'b'",
        "\"",
        "'",
        ".",
        ",",
        "=",
        " = ",
        "\n",
        "\n",
        "\n[",
        "]\n",
        " ",
        "\t",
        "#",
        "# x\n",
        "1",
        "0",
        "12",
        "true",
        "false",
        "\\",
        "\r\n",
        "-",
        "\"\"",
        "''",
        "ü",
        "a = 1\n",
        "[a]\n",
        "[b.a]\n",
        "[[c]]\n",
        "b = [1, 'x']\n",
        "c = {a = 1, b = ''}\n",
        "\u{85}",
        "\u{7f}",
    ])
}

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..14).prop_map(|pieces| pieces.concat())
}
