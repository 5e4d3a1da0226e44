//! The loop of docs/mcp.md, recorded: what the server answers to the official client, as it stands there.
//!
//! Numbers and what differs from run to run (ids, folders) are compared as one sign. With ZERTO_GUARD_UPDATE_GOLDEN=1 it is written.

use crate::client::{Client, Home, call};
use crate::tools::world;
use serde_json::{Value, json};
use std::path::Path;

const BEGIN: &str = "<!-- the loop, recorded -->\n```text\n";
const END: &str = "```\n<!-- end of the loop -->";

#[test]
fn the_loop_is_as_the_page_shows_it() {
    let (sim, page) = (world(), Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mcp.md"));
    let home = Home::new(&sim);
    let destination = home.path("app.yaml");
    let recover = |confirmed: bool| {
        let with =
            json!({"tag": "chg-413", "path": "/etc/app.yaml", "destination": destination, "confirmed": confirmed});
        call("zerto_recover_file", with)
    };
    let steps = [
        call("zerto_check_tool", json!({"server": "acme-ops", "tool": "rotate_logs", "vm": "web01"})),
        call("zerto_guard_before_mutate", json!({"vm": "web01", "change_id": "chg-413", "action": "rotate the logs"})),
        call("zerto_list_tags", json!({"vm": "web01"})),
        recover(false),
        recover(true),
    ];
    let Some(came) = home.drive(Client { mode: "auto", human: None }, &steps) else { return };
    let mut told = String::new();
    for (step, result) in steps.iter().zip(&came.results) {
        let (tool, with) = (step["call"].as_str().unwrap(), inline(&step["with"]));
        told.push_str(&format!("> {tool} {with}\n{}\n\n", result["text"].as_str().unwrap()));
    }
    let told = told.replace(&home.path("").to_string_lossy().into_owned(), "/home/jo/");
    let told = format!("{}\n", told.trim_end());
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (recorded, after) = rest.split_once(END).unwrap();
    if std::env::var_os("ZERTO_GUARD_UPDATE_GOLDEN").is_some() && plain(recorded) != plain(&told) {
        std::fs::write(&page, format!("{before}{BEGIN}{told}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(plain(recorded), plain(&told));
}

/// With a space after each colon and comma, as people write it.
fn inline(with: &Value) -> String {
    let fields = with.as_object().unwrap().iter().map(|(name, value)| format!("\"{name}\": {value}"));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

/// Runs of digits as one sign, and hexadecimal ids too.
fn plain(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n', '"', '.']).map(|word| {
        let bare = word.trim_end_matches([' ', '\n', '"', '.']);
        let is_hex = bare.len() > 12 && bare.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        if is_hex { word.replace(bare, "#") } else { word.to_owned() }
    });
    let mut plain = String::new();
    for c in words.collect::<String>().chars() {
        match c {
            '0'..='9' if plain.ends_with('#') => {}
            '0'..='9' => plain.push('#'),
            // A table's columns are as wide as what differs.
            ' ' if plain.ends_with("  ") => {}
            c => plain.push(c),
        }
    }
    plain
}
