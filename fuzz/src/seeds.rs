//! What each target begins with: the fixtures of the repository's tests, in the form that the target reads, and a few inputs of
//! each kind that no fixture has. The build writes them to `fuzz/seeds`, and the tests run them as they are.
//!
//! Must not: need anything but the standard library, since the build script is made of this file too.

use std::fs;
use std::path::{Path, PathBuf};

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

const CATALOGS: &[&str] = &[
    "schema = 1\n\n# mine\n[server.winrm] # the one\nread_only = [\"get_*\", \"list_*\"]\nmutating = [{ tool = \"copy_file\", vm = \"host\", action = \"copy {source} to {destination}\" }]\nscript = [{ tool = \"run_ps\", vm = \"host\", script = \"script\", language = \"powershell\" }]\n%%\n[server.\"*\"]\nread_only = [\"*\"]\nunknown = [\"run_ps\"]\n[program.ssh]\nread_only = [\"*\"]\n%%\nwinrm\nrun_ps",
    "[program.systemctl]\nread_only = [\n  # look\n  \"status\", # at it\n  \"is-*\",\n]\nmutating = [\"start\", \"-f\"]\nvalues = [\"-t\"]\nsingle_dash = true\n%%\n[program.systemctl]\nread_only = [\"restart\"]\nmutating = [\"status\"]\n%%\nsystemctl\nstatus",
    "[server.x]\nread_only = ['a']\n[server.'x*']\nopens = [{ tool = 'b', vm = 'h', id = 's' }]\n%%\nx\n%%\nx.y\nb",
    "",
];

const CLIENTS: &[&str] = &[
    "*/5 * * * * root ssh web01 reboot\n@reboot /x\n",
    "new-session -d 'ssh web01 reboot'",
    "send-keys -t 0 'reboot' Enter ; kill-server",
    "TCP:web01:22 EXEC:/bin/sh",
    "put x /etc/x; ls",
    "web01:/srv /mnt/a nfs4 rw,relatime 0 0\n//web01/c$ /mnt/b cifs rw 0 0\njo@web01:/ /mnt/c fuse.sshfs rw 0 0\n",
    "8080:localhost:80",
];

const CODE: &[&str] = &[
    "import sys\nfor line in sys.stdin:\n    print(line.strip())\n",
    "import json, re\nwith open('x') as f:\n    print(json.load(f)['a'])\n",
    "const fs = require('fs');\nconsole.log(fs.readFileSync('x', 'utf8').split(/\\n/).length);",
    "puts ARGF.read.lines.map(&:strip).sort.uniq\n",
    "while (<>) { s/a/b/g; print if /x/ }",
    "$x = json_decode(file_get_contents('x'), true); echo count($x);",
    "print(f\"{1 + 2}\")",
    "`x`; qx(y); system('z')",
];

const CONFIGS: &[&str] = &[
    "# mine\n[[zvm]] # one\nname = \"nyc\"\nurl = \"https://zvm.nyc.example\"\nusername = \"zerto-guard\"\npassword_command = [\"/usr/bin/pass\", \"show\", \"zvm\"]\ntls_pin = \"sha256:ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB\"\nguards = false\nproxy = \"http://proxy.example:3128\"\n\n[guard]\ndeadline = \"120s\"\nunknown = \"ask\"\nmode = \"enforce\"\nagent = \"claude\"\nreuse = \"2m\"\nthis_vm = \"dev01\"\n%%\n[guard]\nmode = \"observe\"\n",
    "[[zvm]]\nname = 'a'\nurl = 'http://127.0.0.1:8080'\nclient_id = 'c'\nclient_secret_file = '~/s'\nallow_plain_http = true\nca_file = '/x' # ours\n[[zvm]]\nname = 'b'\nurl = 'HTTPS://B/'\nusername = 'u'\ninsecure_skip_verify = true\n%%\nzvm = [{ name = 'x', url = 'https://x', username = 'u' }]\n",
    "[hosts]\n\"web01.corp.example\" = \"web01\"\nunguarded = [\"github.com\", \"*.build.example\"]\n[mounts]\n\"/mnt/web01\" = \"web01\"\n[paths]\n\"web01:/data\" = \"partition#2 Ext4\"\n%%\n[hosts]\nunguarded = []\n",
    "sha256:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB",
    "https://ZVM.example:443/",
    "zvm = [{ name = 'x', url = 'https://x', username = 'u' }, { name = 'y', url = 'https://[::1]:8', username = 'u', ca_file = '/y' }]\n%%\n",
];

const TOML: &[&str] = &[
    "a = \"\\u00e4\\n\"\nb = '''x\ny'''\nc = 0x1F\nd = 1_000\ne = -1\nf = 1.5e3\ng = 2026-01-01T00:00:00Z\nh.i.j = true\n",
    "[a]\nb = {c = [1, 'x', {d = 1}]}\n[[e]]\n[e.f]\n[[e]]\n[\"g h\".'i']\n",
    "a = [\n 1, # x\n 2,\n]\r\nb = \"\"\n",
    "a.b = 1\n[a.c]\nd = 9223372036854775807\n",
];

const DATES: &[&str] = &[
    "/Date(1520423877045)/",
    "/Date(928142400000+0300)/",
    "/Date(-1000)/",
    "/Date(-62135596800000)/",
    "2019-07-20T19:30:19Z",
    "2026-09-21T15:04:05.1234567Z",
    "2026-09-21T15:04:05",
    "2026-09-21T15:04:05+02:00",
    "0001-01-01T00:00:00",
    "9999-12-31T23:59:59.9999999Z",
    "20260921T150405Z",
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Mon, 30 Nov 2026 08:00:00 +0000",
    "3",
    "18446744073709551615",
    "500ms",
    "90m",
    "2d",
    "1h",
    "9999999999999999999d",
    "2026-09-21 15:04:05Z",
    "2026-W39-1",
    "2026-09-21T24:00:00Z",
    "2026-02-30T00:00:00Z",
];

/// What is added to a call's fields.
const MORE: &[&str] = &[
    "\"x\": 1",
    "\"tool_input\": {\"command\": \"ls\"}",
    "\"description\": \"x\", \"timeout\": 5, \"run_in_background\": true",
    "\"hook_event_name\": \"PostToolUse\", \"tool_response\": {}",
    "\"tool_name\": \"Read\", \"toolName\": \"read\", \"mcp_server\": {\"name\": \"x\"}",
    "\"command\": \"ls\", \"cwd\": null, \"host\": \"x\"",
    "\"hookEventName\": \"SessionStart\", \"source\": \"startup\", \"timestamp\": 1",
    "\"conversation_id\": \"1\", \"agent_action_name\": \"post_run_command\", \"hookName\": \"TaskStart\", \"plugin\": \"zerto-guard\"",
    "\"toolResult\": null, \"error\": null, \"tool_result\": {\"result_type\": \"success\"}",
    "\"permission_mode\": \"plan\", \"tool_use_id\": \"1\", \"session_id\": \"1\", \"cwd\": \"/\"",
];

const HYPERVISORS: &[&str] = &[
    "list --all",
    "domstate web01; dominfo web01",
    "{\"execute\":\"guest-exec\",\"arguments\":{\"path\":\"/bin/sh\"}}",
    "cat /etc/passwd\n! rm x",
    "commands=[\"systemctl restart nginx\"]",
    "url = http://web01/x\nrequest = DELETE\n",
    "a=b c:=1 X:y",
];

const JSON: &[&str] = &[
    "{\"a\":1,\"a\":2}",
    "{\"a\":1e400}",
    "[1,2.50,-0,1E2]",
    "{\"b\":{\"a\":\"\\ud83d\\ude00\\u0000\"},\"a\":[{}]}",
    "\"{\\\"a\\\":1}\"",
    "{\"a\":\"{\\\"b\\\":1}\"}",
    "\u{feff}{}",
    "{} {}",
    "9007199254740993",
    "-9223372036854775809",
    "[[[[[[[[[[]]]]]]]]]]",
];

const LINKS: &[&str] = &[
    "v1/downloads/5f2c",
    "/v1/downloads/5f2c?a=b",
    "http://OWN/v1/downloads/1",
    "https://10.0.0.9:669/v1/downloads/1",
    "//elsewhere.example/v1/x",
    "http://OWN@elsewhere.example/x",
    "\"v1/downloads/1\"",
    "file:///etc/passwd",
    "javascript:x",
    "http://OWN",
    "v1/a b\u{e4}#c",
    "http:/x",
    "?x",
    "/..//x",
    "HTTP://OWN/x",
];

const PATHS: &[&str] = &[
    "/etc/app.yaml\n%%\nweb01\n%%\npartition#0 Ext4/etc/app.yaml\npartition#1 XFS/app.yaml",
    "C:\\Users\\j\\App.conf\n%%\nweb01\n%%\npartition#0 NTFS/Users/j/app.CONF\npartition#0 NTFS/Windows/x\npartition#1 NTFS/users/J/App.conf",
    "/var/log/messages\n%%\nweb:01\n%%\npartition#0 XFS/var/log/messages\npartition#1 XFS/log/messages\npartition#0 XFS/etc/x\npartition#0 XFS/proc/x\npartition#0 XFS/dev/x",
    "c:/a/./b\n%%\nlatest~2\n%%\nDisk#1/partition#0 NTFS/A/b",
    "ai:claude | x | vm=web01 | change=c1 | 20260921T150405Z:/etc/x\n%%\nc1",
    "change=c1\n%%\nc1",
    "latest\n%%\n",
    "C:x",
    "/../x",
    "/\n%%\na\n%%\npartition#0 x/y",
];

const POWERSHELL: &[&str] = &[
    "Get-Process | Where-Object { $_.CPU -gt 10 } | Sort-Object CPU",
    "Invoke-Command -ComputerName web01 -ScriptBlock { Restart-Service nginx }",
    "$x = @{ a = 1; b = @(1, 2) }\nforeach ($i in $x.b) { Write-Output \"$i $($i + 1)\" }",
    "@'\nRestart-Computer\n'@ | Out-Null",
    "[System.IO.File]::ReadAllText('x').Length",
    "dir c:\\ & if exist x (echo y) else del z",
    "Get-Content x -Raw | ConvertFrom-Json | Select-Object -ExpandProperty a",
];

const REDACT: &[&str] = &[
    "echo it's\nls",
    "mysql -uroot -pabc shop\nx",
    "curl -u joe:abc https://web01\n",
    "Authorization: Bearer\n",
    "echo 'root:abc' | chpasswd\n-----END",
    "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    "https://joe@host\n@",
    "--password\n=x",
    "set password abc for bob\n\\",
    "\"\n\"",
];

const SETTINGS: &[&str] = &[
    "",
    "{}",
    "{\n}\n",
    "\u{feff}{\r\n  \"model\": \"opus\"\r\n}",
    "// mine\n{}\n// the end",
    "{ // nothing yet\n}\n",
    "{\"model\":\"opus\",}",
    "{\n  \"model\": \"opus\" /* a */ , /* b */ // c\n  // d\n}",
    "{\"hooks\":{}}",
    "{\n  \"version\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      // later\n    ],\n    \"preToolUse\": [],\n    \"Stop\": []\n  }\n}\n",
    "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}",
    "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/old/zerto-guard hook\"}]}]}}",
    "{\"hooks\": [{\"trigger\": \"preToolUse\", \"action\": {\"command\": \"x\"}}]}",
    "[hooks]\n# x\n[[hooks.PreToolUse]]\nmatcher = \"x\"\n",
    "a = 1",
    "a = 1\r\n[b]\r\n",
    "#!/bin/sh\n",
];

const SQL: &[&str] = &[
    "SELECT a, count(*) FROM t WHERE b = 'x''y' GROUP BY a; -- z",
    "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
    "EXPLAIN ANALYZE DELETE FROM t",
    "SHOW TABLES; DESCRIBE t",
    "\\d t\n\\! ls\n\\copy t to 'x'",
    "SELECT $$a;b$$, \"c\", `d`, [e] /* f */",
    "SELECT * INTO OUTFILE '/x' FROM t",
    "PRAGMA table_info(t);\n.tables\n.shell x",
    "EXEC xp_cmdshell 'x'\nGO",
    "!! host x\nexit",
];

const STATE: &[(u8, &str)] = &[
    (0, "{\"token\":\"eyJ.x.y\",\"issued\":\"2026-09-21T15:04:00Z\",\"expires\":\"2026-09-21T15:10:00Z\"}"),
    (1, "2026-09-21T15:04:00Z"),
    (2, "{\"from\":\"2026-09-21T15:00:00Z\",\"until\":\"2026-09-21T15:30:00Z\",\"reason\":\"x\"}"),
    (
        3,
        "{\"asked\":\"2026-09-21T15:00:00Z\",\"call\":\"call\",\"what\":\"x\",\"input\":\"y\",\"guests\":[\"web01\"],\"reason\":\"z\",\"cwd\":\"/\",\"remember\":null}",
    ),
    (3, "{\"given\":\"2026-09-21T15:00:00Z\",\"guard\":true,\"vms\":[\"web01\"]}"),
    (
        4,
        "{\"event\":\"call\",\"time\":\"2026-09-21T15:00:00Z\",\"host\":\"claude-code\",\"agent\":\"claude\",\"key\":\"k\",\"tool\":\"Bash\",\"decision\":\"guarded\",\"tag\":\"t\"}\n{\"event\":\"outcome\",\"time\":\"2026-09-21T15:00:01Z\",\"key\":\"k\",\"how\":\"succeeded\"}\n\nx\n{\"event\":\"pause_ended\",\"time\":\"2026-09-21T15:00:00Z\"}\n",
    ),
    (5, "/home/jo/.claude/settings.json\0/home/jo/.claude"),
];

const SURROUNDINGS: &[(u8, &str)] = &[
    (0, "Host web01\n  Port 22\n  User root\nMatch exec \"x\"\n  ProxyCommand y\n"),
    (0, "Host *\n HostName 127.0.0.1\nInclude other\n"),
    (1, "Match final host web01\n ProxyJump bastion\n"),
    (2, "[defaults]\ninventory = hosts\n"),
    (3, "[web]\nweb01 ansible_host=10.0.0.1 ansible_connection=local\n[web:vars]\na=b\n"),
    (4, "- hosts: all\n  tasks:\n    - shell: reboot\n"),
    (5, "[client]\nuser=root\ninit-command=drop table x\n"),
    (7, "\\! reboot\n"),
    (8, "[x]\nhost=web01\n"),
    (9, "-X GET\nurl = http://x\n"),
    (12, "set -e\nexit 0\n"),
    (13, "import os\nos.system('x')\n"),
    (17, "web01\nweb02\n"),
    (19, "[x]\ntype = sftp\nhost = web01\n"),
];

const TAGS: &[&str] = &[
    "claude\n%%\nedit /etc/nginx/nginx.conf\n%%\nweb01\n%%\nchg-412",
    "an agent with a name that is long\n%%\nrun --password=x | y\n%%\nweb01\nweb02\n+3\na,b\n%%\nJIRA:12:3",
    "ai:claude | edit /etc/nginx/nginx.conf | vm=web01,web02,+3 | change=chg-412 | 20260921T150405Z",
    "",
    "\u{e9}\n%%\n\u{1b}[31m\n%%\n\n\n%%\n",
];

const TARGETS: &[&str] = &[
    "all: x\n\techo a\nx:\n\t@ssh web01 uptime\n.PHONY: all\n",
    "{\"scripts\": {\"test\": \"jest && ssh web01 reboot\", \"pretest\": \"x\"}}",
    "set shell := [\"bash\", \"-c\"]\ndefault:\n  echo {{x}}\n",
    "version: '3'\ntasks:\n  x:\n    deps: [y]\n    cmds:\n      - ssh web01 reboot\n  y: echo\n",
];

const TEXTS: &[&str] = &[
    "a\u{1b}[31;1mred\u{1b}[0m",
    "a\u{1b}]8;;http://x\u{1b}\\b",
    "gnp\u{202e}exe",
    "a\u{9b}2Jb\u{2028}",
    "[FE80:0::0001]",
    "it's $HOME\n`x`",
    "\u{e0041}\u{200b}",
    "Web01.Corp.example.",
    "!a*?[b]{c,d}~#",
];

/// Bodies, and the verbs whose answers they are.
const WIRE: &[(&[u8], &str)] = &[
    (
        &[0, 1, 2],
        "[{\"VmIdentifier\":\"id.vm-1\",\"VmName\":\"web01\",\"VpgIdentifier\":\"v\",\"VpgName\":\"x\",\"ProtectedSite\":{\"href\":\"https://z/v1/localsite\"},\"vmNetworkInformation\":{\"networkAdapters\":[{\"ipAddresses\":[\"10.0.0.1\"]}]},\"EnabledActions\":{\"IsFlrEnabled\":true}}]",
    ),
    (
        &[0, 2],
        "[{\"Link\":{\"identifier\":\"id.vm-1?VpgIdentifier=v\",\"href\":\"https://z/v1/vms/1\"},\"VmName\":\"web01\"}]",
    ),
    (
        &[3],
        "{\"VpgIdentifier\":\"v\",\"VpgName\":\"web\",\"Status\":1,\"SubStatus\":0,\"ProtectedSite\":{\"identifier\":\"s\",\"href\":\"https://z/v1/localsite\"},\"RecoverySite\":{\"href\":\"https://z/v1/peersites/p\"},\"Entities\":{\"Protected\":0},\"HistoryStatusApi\":{\"ConfiguredHistoryInMinutes\":60}}",
    ),
    (
        &[4],
        "[{\"vpgIdentifier\":\"v\",\"status\":\"NotMeetingSLA\",\"subStatus\":\"None\",\"activeProcessesApi\":{\"runningFailOverTestApi\":{\"stage\":\"Testing\"}}}]",
    ),
    (
        &[5, 27],
        "{\"SiteIdentifier\":\"s\",\"SiteName\":\"nyc\",\"SiteType\":\"VCenter\",\"Version\":\"10.0\",\"PlatformInformation\":{\"Azure\":{\"RegionName\":null}}}",
    ),
    (&[6], "\"2026-09-21T15:04:05.123Z\""),
    (
        &[7],
        "{\"TaskIdentifier\":\"t\",\"Type\":\"InsertTaggedCP\",\"Status\":{\"State\":6,\"Progress\":100},\"CompleteReason\":\"\",\"Started\":\"/Date(1520423877045)/\",\"RelatedEntities\":{\"Vpgs\":[{\"identifier\":\"v\"}]}}",
    ),
    (
        &[8, 9, 10],
        "[{\"Link\":{\"identifier\":\"t\"},\"Type\":5,\"Status\":{\"State\":\"InProgress\"},\"RelatedEntities\":{\"Vpgs\":[{\"identifier\":\"V\"}],\"FlrSessions\":[]}}]",
    ),
    (
        &[11, 13],
        "[{\"CheckpointIdentifier\":7,\"TimeStamp\":\"2026-09-21T15:04:05Z\",\"Tag\":\"ai:claude\"},{\"checkpoint\":{\"checkpointIdentifier\":\"8\"},\"canMount\":{\"isAllowed\":false,\"reason\":\"x\"}}]",
    ),
    (&[12], "{\"Earliest\":{\"CheckpointIdentifier\":\"1\"},\"Latest\":{\"CheckpointIdentifier\":\"2\"}}"),
    (
        &[14, 15, 16],
        "[{\"SiteIdentifier\":\"s\",\"PeerSiteName\":\"x\",\"VmIdentifier\":\"m\",\"VmName\":\"n\",\"DatastoreIdentifier\":\"d\",\"DatastoreName\":\"e\",\"HostName\":\"h\"}]",
    ),
    (
        &[17, 18],
        "[{\"FlrSessionIdentifier\":\"s\",\"FlrSessionStatus\":\"Mounted\",\"VmIdentifier\":\"m\",\"VpgIdentifier\":\"v\",\"CheckpointIdentifier\":\"7\",\"MountTime\":\"2026-09-21T15:04:05Z\"}]",
    ),
    (&[18], "{\"flrSessionIdentifier\":\"S\",\"flrSessionStatus\":0}"),
    (
        &[19, 20],
        "{\"MainPathItem\":{\"Path\":\"partition#0 Ext4/etc\",\"Type\":\"Folder\"},\"PathItems\":[{\"Path\":\"app.yaml\",\"Type\":\"File\",\"SizeInBytes\":12,\"LastWriteTime\":\"2026-09-21T15:04:05Z\",\"DownloadInformation\":{\"IsDownloadable\":true}},{\"Path\":\"partition#0 Ext4/etc/x\",\"Type\":\"Folder\",\"IsBrowsable\":true}]}",
    ),
    (&[21, 22, 23, 24, 25, 26], "\"5f2c-task\""),
    (&[21, 26], ""),
    (&[27], "{\"access_token\":\"eyJ.x.y\",\"expires_in\":60}"),
    (&[27], "{\"access_token\":\"a b\",\"expires_in\":\"NaN\"}"),
];
