//! The inputs that no fixture has, one list a kind.
//!
//! Must not: hold anything but these.

pub const CATALOGS: &[&str] = &[
    "schema = 1\n\n# mine\n[server.winrm] # the one\nread_only = [\"get_*\", \"list_*\"]\nmutating = [{ tool = \"copy_file\", vm = \"host\", action = \"copy {source} to {destination}\" }]\nscript = [{ tool = \"run_ps\", vm = \"host\", script = \"script\", language = \"powershell\" }]\n%%\n[server.\"*\"]\nread_only = [\"*\"]\nunknown = [\"run_ps\"]\n[program.ssh]\nread_only = [\"*\"]\n%%\nwinrm\nrun_ps",
    "[program.systemctl]\nread_only = [\n  # look\n  \"status\", # at it\n  \"is-*\",\n]\nmutating = [\"start\", \"-f\"]\nvalues = [\"-t\"]\nsingle_dash = true\n%%\n[program.systemctl]\nread_only = [\"restart\"]\nmutating = [\"status\"]\n%%\nsystemctl\nstatus",
    "[server.x]\nread_only = ['a']\n[server.'x*']\nopens = [{ tool = 'b', vm = 'h', id = 's' }]\n%%\nx\n%%\nx.y\nb",
    "",
];

pub const CLIENTS: &[&str] = &[
    "*/5 * * * * root ssh web01 reboot\n@reboot /x\n",
    "new-session -d 'ssh web01 reboot'",
    "send-keys -t 0 'reboot' Enter ; kill-server",
    "TCP:web01:22 EXEC:/bin/sh",
    "put x /etc/x; ls",
    "web01:/srv /mnt/a nfs4 rw,relatime 0 0\n//web01/c$ /mnt/b cifs rw 0 0\njo@web01:/ /mnt/c fuse.sshfs rw 0 0\n",
    "8080:localhost:80",
];

pub const CODE: &[&str] = &[
    "import sys\nfor line in sys.stdin:\n    print(line.strip())\n",
    "import json, re\nwith open('x') as f:\n    print(json.load(f)['a'])\n",
    "const fs = require('fs');\nconsole.log(fs.readFileSync('x', 'utf8').split(/\\n/).length);",
    "puts ARGF.read.lines.map(&:strip).sort.uniq\n",
    "while (<>) { s/a/b/g; print if /x/ }",
    "$x = json_decode(file_get_contents('x'), true); echo count($x);",
    "print(f\"{1 + 2}\")",
    "`x`; qx(y); system('z')",
];

pub const CONFIGS: &[&str] = &[
    "# mine\n[[zvm]] # one\nname = \"nyc\"\nurl = \"https://zvm.nyc.example\"\nusername = \"zerto-guard\"\npassword_command = [\"/usr/bin/pass\", \"show\", \"zvm\"]\ntls_pin = \"sha256:ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB\"\nguards = false\nproxy = \"http://proxy.example:3128\"\n\n[guard]\ndeadline = \"120s\"\nunknown = \"ask\"\nmode = \"enforce\"\nagent = \"claude\"\nreuse = \"2m\"\nthis_vm = \"dev01\"\n%%\n[guard]\nmode = \"observe\"\n",
    "[[zvm]]\nname = 'a'\nurl = 'http://127.0.0.1:8080'\nclient_id = 'c'\nclient_secret_file = '~/s'\nallow_plain_http = true\nca_file = '/x' # ours\n[[zvm]]\nname = 'b'\nurl = 'HTTPS://B/'\nusername = 'u'\ninsecure_skip_verify = true\n%%\nzvm = [{ name = 'x', url = 'https://x', username = 'u' }]\n",
    "[hosts]\n\"web01.corp.example\" = \"web01\"\nunguarded = [\"github.com\", \"*.build.example\"]\n[mounts]\n\"/mnt/web01\" = \"web01\"\n[paths]\n\"web01:/data\" = \"partition#2 Ext4\"\n%%\n[hosts]\nunguarded = []\n",
    "sha256:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB",
    "https://ZVM.example:443/",
    "zvm = [{ name = 'x', url = 'https://x', username = 'u' }, { name = 'y', url = 'https://[::1]:8', username = 'u', ca_file = '/y' }]\n%%\n",
];

pub const TOML: &[&str] = &[
    "a = \"\\u00e4\\n\"\nb = '''x\ny'''\nc = 0x1F\nd = 1_000\ne = -1\nf = 1.5e3\ng = 2026-01-01T00:00:00Z\nh.i.j = true\n",
    "[a]\nb = {c = [1, 'x', {d = 1}]}\n[[e]]\n[e.f]\n[[e]]\n[\"g h\".'i']\n",
    "a = [\n 1, # x\n 2,\n]\r\nb = \"\"\n",
    "a.b = 1\n[a.c]\nd = 9223372036854775807\n",
];

pub const DATES: &[&str] = &[
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
pub const MORE: &[&str] = &[
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

pub const HYPERVISORS: &[&str] = &[
    "list --all",
    "domstate web01; dominfo web01",
    "{\"execute\":\"guest-exec\",\"arguments\":{\"path\":\"/bin/sh\"}}",
    "cat /etc/passwd\n! rm x",
    "commands=[\"systemctl restart nginx\"]",
    "url = http://web01/x\nrequest = DELETE\n",
    "a=b c:=1 X:y",
];

pub const JSON: &[&str] = &[
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

pub const LINKS: &[&str] = &[
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

pub const PATHS: &[&str] = &[
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

pub const POWERSHELL: &[&str] = &[
    "Get-Process | Where-Object { $_.CPU -gt 10 } | Sort-Object CPU",
    "Invoke-Command -ComputerName web01 -ScriptBlock { Restart-Service nginx }",
    "$x = @{ a = 1; b = @(1, 2) }\nforeach ($i in $x.b) { Write-Output \"$i $($i + 1)\" }",
    "@'\nRestart-Computer\n'@ | Out-Null",
    "[System.IO.File]::ReadAllText('x').Length",
    "dir c:\\ & if exist x (echo y) else del z",
    "Get-Content x -Raw | ConvertFrom-Json | Select-Object -ExpandProperty a",
];

pub const REDACT: &[&str] = &[
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

pub const SETTINGS: &[&str] = &[
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

pub const SQL: &[&str] = &[
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

pub const STATE: &[(u8, &str)] = &[
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

pub const SURROUNDINGS: &[(u8, &str)] = &[
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

pub const TAGS: &[&str] = &[
    "claude\n%%\nedit /etc/nginx/nginx.conf\n%%\nweb01\n%%\nchg-412",
    "an agent with a name that is long\n%%\nrun --password=x | y\n%%\nweb01\nweb02\n+3\na,b\n%%\nJIRA:12:3",
    "ai:claude | edit /etc/nginx/nginx.conf | vm=web01,web02,+3 | change=chg-412 | 20260921T150405Z",
    "",
    "\u{e9}\n%%\n\u{1b}[31m\n%%\n\n\n%%\n",
];

pub const TARGETS: &[&str] = &[
    "all: x\n\techo a\nx:\n\t@ssh web01 uptime\n.PHONY: all\n",
    "{\"scripts\": {\"test\": \"jest && ssh web01 reboot\", \"pretest\": \"x\"}}",
    "set shell := [\"bash\", \"-c\"]\ndefault:\n  echo {{x}}\n",
    "version: '3'\ntasks:\n  x:\n    deps: [y]\n    cmds:\n      - ssh web01 reboot\n  y: echo\n",
];

pub const TEXTS: &[&str] = &[
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
pub const WIRE: &[(&[u8], &str)] = &[
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
