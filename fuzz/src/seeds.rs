//! What each target begins with: the fixtures of the repository's tests, in the form that the target reads, and a few inputs of
//! each kind that no fixture has. The build writes them to `fuzz/seeds`, and the tests run them as they are.
//!
//! Must not: need anything but the standard library, since the build script is made of this file too.

// By its path, since the build script takes this file for a module of another place.
#[path = "seeds/texts.rs"]
mod texts;

use std::fs;
use std::path::{Path, PathBuf};
use texts::{
    CATALOGS, CLIENTS, CODE, CONFIGS, DATES, HYPERVISORS, JSON, LINKS, MORE, PATHS, POWERSHELL, REDACT, SETTINGS, SQL,
    STATE, SURROUNDINGS, TAGS, TARGETS, TEXTS, TOML, WIRE,
};

/// The seeds of a target. `root` is the repository's folder.
pub fn of(target: &str, root: &Path) -> Vec<Vec<u8>> {
    let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
    let scripts = || files(&root.join("tests/shell-scripts"), "sh");
    let catalog = || fs::read(root.join("catalog.toml")).unwrap_or_default();
    // A long catalog would leave no room for what is done with it.
    let tables = || parts_of(&String::from_utf8_lossy(&catalog()), "\n\n");
    match target {
        "answer" => texts(&[
            "{\"sessionId\": \"9f2c\", \"status\": \"connected\"}",
            "Session opened.\nSession ID: 0b6f2c1e-8c84-4777-8540-3c103396518c",
            "connected (session_id=42)",
            "[{\"type\":\"text\",\"text\":\"{\\\"id\\\":\\\"s-1\\\"}\"}]",
        ]),
        "catalog" => {
            let with =
                |table: &String| format!("{table}\n%%\n[server.winrm]\nmutating = [\"get_*\"]\n%%\nwinrm\nget_x");
            tables().iter().map(|table| with(table).into_bytes()).chain(texts(CATALOGS)).collect()
        }
        "certificates" => {
            let pems = files(&root.join("tests/fixtures/tls"), "pem");
            let ders = pems.iter().map(|pem| [&[0][..], &der(pem)].concat());
            ders.chain(pems.iter().map(|pem| [&[1][..], pem].concat())).collect()
        }
        "classify" | "shell_read" => scripts(),
        "clients" => texts(CLIENTS),
        "code" => texts(CODE),
        "config" => texts(CONFIGS),
        "dates" => texts(DATES),
        "diff" => {
            let scripts = scripts();
            let pairs = scripts.iter().zip(scripts.iter().skip(1));
            let mut seeds: Vec<_> = pairs.map(|(one, other)| [&[8][..], one, other].concat()).collect();
            seeds.extend(scripts.iter().map(|one| [&[8][..], one, one].concat()));
            seeds.push(b"\x08a\nb\nc\na\nb\r\nc".to_vec());
            seeds
        }
        "document" => {
            texts(CONFIGS).into_iter().chain(tables().into_iter().map(String::into_bytes)).chain(texts(TOML)).collect()
        }
        "hook" => {
            let call = |which: u8, how: u8, rest: &[u8]| [&[which, how][..], rest].concat();
            let mut seeds: Vec<_> = captures(root).iter().map(|(which, json)| call(*which, 0, json)).collect();
            for which in (0..13).chain(128..141) {
                for (how, more) in MORE.iter().enumerate() {
                    seeds.push(call(which, (how % 3) as u8 + 1, more.as_bytes()));
                }
            }
            let commands = [
                "zerto-guard answer ID guard",
                "echo ID",
                "x=ID; echo $x",
                "cat <<E\nID\nE",
                "# ID",
                "ls",
                "python3 -c 'ID'",
            ];
            seeds.extend((0..13).flat_map(|which| commands.map(|command| call(which, 4, command.as_bytes()))));
            seeds
        }
        "hosts" => captures(root).into_iter().map(|(which, json)| [&[which][..], &json].concat()).collect(),
        "hypervisors" => texts(HYPERVISORS),
        "json" => captures(root).into_iter().map(|(_, json)| json).chain(texts(JSON)).collect(),
        "links" => texts(LINKS),
        "paths" => texts(PATHS),
        "powershell" => texts(POWERSHELL),
        "redact" => {
            let commands = scripts().into_iter().enumerate().map(|(at, script)| [&[at as u8][..], &script].concat());
            commands
                .chain(REDACT.iter().enumerate().map(|(at, text)| [&[at as u8][..], text.as_bytes()].concat()))
                .collect()
        }
        "settings" => {
            let which = (0..36).chain(128..140);
            which
                .flat_map(|which: u8| SETTINGS.iter().map(move |text| [&[which][..], text.as_bytes()].concat()))
                .collect()
        }
        "sql" => texts(SQL),
        "state" => STATE.iter().map(|(which, text)| [&[*which][..], text.as_bytes()].concat()).collect(),
        "surroundings" => SURROUNDINGS.iter().map(|(which, text)| [&[*which][..], text.as_bytes()].concat()).collect(),
        "tag" => texts(TAGS),
        "targets" => texts(TARGETS),
        "text" => texts(TEXTS),
        "wire" => WIRE
            .iter()
            .flat_map(|(verbs, body)| verbs.iter().map(|verb| [&[*verb, 0][..], body.as_bytes()].concat()))
            .chain(refusals())
            .collect(),
        "zip" => zips(),
        _ => vec![],
    }
}

/// The files of a folder that end so, in the order of their names.
fn files(folder: &Path, end: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|is| is == end));
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// The recorded and documented inputs of hooks, each with the number of its host in `Host::ALL`.
fn captures(root: &Path) -> Vec<(u8, Vec<u8>)> {
    const HOSTS: [&str; 12] = [
        "claude-code",
        "codex",
        "gemini-cli",
        "copilot-cli",
        "vscode",
        "cursor",
        "windsurf",
        "qwen",
        "droid",
        "kiro",
        "cline",
        "opencode",
    ];
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root.join("tests/hook-stdin")).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(which) = HOSTS.iter().position(|host| name.starts_with(host)) else { continue };
        let mut paths: Vec<PathBuf> =
            fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| {
            path.to_string_lossy().ends_with(".json") && !path.to_string_lossy().ends_with(".expected.json")
        });
        paths.sort();
        found.extend(paths.iter().filter_map(|path| Some((which as u8, fs::read(path).ok()?))));
    }
    found
}

fn parts_of(text: &str, mark: &str) -> Vec<String> {
    text.split(mark).filter(|part| part.len() < 2000 && part.contains('[')).map(str::to_owned).collect()
}

/// The bytes of a PEM file's first block.
fn der(pem: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = String::from_utf8_lossy(pem);
    let lines = text.lines().skip(1).take_while(|line| !line.starts_with('-'));
    let (mut bits, mut held, mut bytes) = (0_u32, 0, Vec::new());
    for digit in lines.flat_map(str::bytes).filter_map(|byte| ALPHABET.iter().position(|letter| *letter == byte)) {
        bits = bits << 6 | digit as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

fn refusals() -> Vec<Vec<u8>> {
    let bodies = [
        "{\"Message\":\"The VPG is not there TOKEN\"}",
        "{\"error\":\"invalid_grant\",\"error_description\":\"Invalid user credentials\"}",
        "<html><body>503</body></html>",
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "https://elsewhere.example/TOKEN",
        "3600",
    ];
    let each = |body: &&str| (8..16_u8).map(|status| [&[3, status][..], body.as_bytes()].concat()).collect::<Vec<_>>();
    bodies.iter().flat_map(each).collect()
}

/// Zips as writers make them, and what is put into one.
fn zips() -> Vec<Vec<u8>> {
    let stored = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\x85\x11\x4a\x0d\x0b\0\0\0\x0b\0\0\0\x01\0\0\0ahello worldPK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0\x85\x11\x4a\x0d\x0b\0\0\0\x0b\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0aPK\x05\x06\0\0\0\0\x01\0\x01\0/\0\0\0*\0\0\0\0\0";
    let long = b"PK\x03\x04\x2d\0\0\0\0\0\0\0\0\0\x85\x11\x4a\x0d\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0\0ahello worldPK\x01\x02\x2d\0\x2d\0\0\0\0\0\0\0\0\0\x85\x11\x4a\x0d\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0a\x01\0\x10\0\x0b\0\0\0\0\0\0\0\x0b\0\0\0\0\0\0\0PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0C\0\0\0\0\0\0\0*\0\0\0\0\0\0\0PK\x06\x07\0\0\0\0m\0\0\0\0\0\0\0\x01\0\0\0PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0";
    // Three letters, deflated with the fixed codes.
    let deflated = b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\xc2\x41\x24\x35\x05\0\0\0\x03\0\0\0\x01\0\0\0aKLJ\x06\0PK\x01\x02\x14\0\x14\0\0\0\x08\0\0\0\0\0\xc2\x41\x24\x35\x05\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0aPK\x05\x06\0\0\0\0\x01\0\x01\0/\0\0\0\x24\0\0\0\0\0";
    let mut seeds: Vec<Vec<u8>> = [&stored[..], long, deflated].iter().map(|zip| [&[0][..], zip].concat()).collect();
    seeds.extend([&stored[..], b"", b"a", b"PK\x05\x06"].iter().map(|content| [&[0xff][..], content].concat()));
    seeds.extend([&stored[..], long].iter().map(|content| [&[0xfe][..], content].concat()));
    seeds
}
