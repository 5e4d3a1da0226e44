//! What judging costs: one command, a stream of them, and the longest texts that are judged at all.
//!
//! `cargo bench --bench classify` prints a table. Own harness: a median of many runs is all that is wanted, and no crate
//! more to build.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark that can't go on has to stop")]

use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use zerto_guard::call::{Tool, ToolCall};
use zerto_guard::catalog::Catalog;
use zerto_guard::classify::shell;
use zerto_guard::classify::targets::Places;
use zerto_guard::classify::{Nowhere, classify};
use zerto_guard::json::Json;
use zerto_guard::text::shell_word;

const TYPICAL: &[&str] = &[
    "ls -la /etc/nginx",
    "git status --short && git diff --stat",
    "cargo test --workspace 2>&1 | tail -20",
    "ssh web01 uptime",
    "ssh web01 'sudo systemctl restart nginx'",
    "ssh -o StrictHostKeyChecking=no root@web01 'journalctl -u nginx -n 50 --no-pager | grep -i error'",
    "for h in web01 web02 web03; do ssh \"$h\" 'df -h / && free -m'; done",
    "scp -r build/ deploy@web01:/srv/app/",
    "ssh web01 <<'EOF'\nset -e\ncd /srv/app\ngit pull\nsystemctl restart app\nEOF",
    "rsync -az --delete -e 'ssh -p 2222' dist/ web01:/var/www/html/",
];

const LONGEST: usize = 64 * 1024;

fn call(tool: &str, text: &str) -> ToolCall {
    ToolCall {
        tool: Tool::Own(tool.into()),
        name: tool.into(),
        input: Json::Object(vec![("command".into(), Json::Text(text.into()))]),
        cwd: Some("/project".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    }
}

/// The median time of judging a text.
fn time(tool: &str, text: &str, runs: usize) -> Duration {
    let (catalog, places, call) = (Catalog::default(), Places::default(), call(tool, text));
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            black_box(classify(black_box(&call), &catalog, &places, &Nowhere));
            start.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}

fn row(name: &str, time: Duration) {
    let name: String = name.chars().take(70).collect();
    println!("{:>10.1} µs  {}", time.as_secs_f64() * 1e6, name.replace('\n', "⏎"));
}

/// Texts of the greatest length that are as hard as can be.
fn hard() -> Vec<(&'static str, String)> {
    let fill = |unit: &str| unit.repeat(LONGEST / unit.len());
    let loops = |body: &str, rounds: usize| format!("for i in {}; do {body}; done", "a ".repeat(rounds));
    vec![
        ("commands", "a;".repeat(3_999)),
        ("too many commands", fill("a;")),
        ("words", fill("abc ")),
        ("one word", "a".repeat(LONGEST)),
        ("quotes", fill("'a'\"b\"")),
        ("variables", fill("$a ")),
        ("defaults", fill("${a:-b}")),
        ("substitutions", fill("$(a) ")),
        ("backquotes", fill("`a` ")),
        ("arithmetic", fill("$((1+2)) ")),
        ("open parentheses", fill("(")),
        ("open substitutions", fill("$(")),
        ("open quotes", fill("\"$(")),
        ("braces", fill("{a,b}")),
        ("open braces", fill("{")),
        ("here-documents", fill("cat <<E\nE\n")),
        ("cases", fill("case a in b) c;; esac\n")),
        ("tests", fill("[[ a ]]\n")),
        ("functions", fill("f() { a; }\n")),
        ("assignments", fill("a=b ")),
        (
            "many variables",
            (0..8_000).map(|nr| format!("v{nr}=x;")).collect::<String>().chars().take(LONGEST).collect(),
        ),
        ("redirections", format!("x {}", ">a ".repeat(20_000))),
        ("pipes", fill("a|") + "b"),
        ("and", fill("a&&") + "b"),
        ("growing value", format!("x=aaaaaaaaaa;{}", "x=$x$x;".repeat(500))),
        ("a loop over many", loops("ssh h$i 'systemctl restart x; rm -rf /y'", 2_000)),
        ("loops in loops", loops(&loops(&loops("ssh $i x", 30), 30), 30)),
        ("payloads", (0..500).map(|nr| format!("ssh h{nr} 'rm -rf /{nr}; sudo sh -c \"reboot {nr}\"'; ")).collect()),
        ("nested payloads", format!("ssh a \"{}\"", "sh -c 'ls; ".repeat(2_000))),
        ("sed scripts", format!("ssh a 'sed \"{}\"'", "s/a/b/;".repeat(5_000))),
        ("awk programs", format!("ssh a \"awk '{{{}}}'\"", "print $1; ".repeat(5_000))),
        ("find", format!("ssh a 'find / {}'", "-name x ".repeat(6_000))),
        ("options", format!("ssh a 'ls {}'", "-l ".repeat(18_000))),
        ("statements", format!("psql -h db01 <<'E'\n{}\nE", "SELECT a FROM t WHERE b = 'c';\n".repeat(1_900))),
        ("changes of a database", format!("mysql -h db01 <<'E'\n{}\nE", "UPDATE t SET a = f(b);\n".repeat(2_500))),
        ("batches", format!("sqlcmd -S db01 <<'E'\n{}\nE", "EXEC p\nGO\n".repeat(6_000))),
        ("nested queries", format!("psql -h db01 -c '{}'", "SELECT (".repeat(8_000))),
        ("commands of psql", format!("psql -h db01 <<'E'\n{}\nE", "\\! ls\n".repeat(3_999))),
        ("commands of Redis", format!("redis-cli -h db01 <<'E'\n{}\nE", "SET a b\n".repeat(8_000))),
        ("JavaScript", format!("mongosh mongodb://db01 --eval '{}'", "db.c.find({a: 1});".repeat(3_500))),
        ("hosts", format!("pdsh -w {} uptime", "h[1-9],".repeat(8_000))),
    ]
}

/// The same as PowerShell text, and as what the command processor of Windows reads.
fn hard_for_windows() -> Vec<(&'static str, String)> {
    let fill = |unit: &str| unit.repeat(LONGEST / unit.len());
    let numbered = |text: &dyn Fn(usize) -> String| (0..4_000).map(text).collect::<String>();
    vec![
        ("commands", "Restart-Computer web01;".repeat(2_800)),
        ("natives", fill("net stop x;")),
        ("joined", fill("net stop x&")),
        ("values", fill("$a,")),
        ("operators", fill("$a+'x'+") + "1"),
        ("growing text", format!("$a='x';{}", fill("$a=\"$a$a\";"))),
        ("growing list", format!("$a=@(1);{}", fill("$a=$a,$a;"))),
        ("growing table", format!("$p=@{{}};{}", fill("$p.a=$p;"))),
        ("added to a table", format!("$p=@{{}};{}", numbered(&|nr| format!("$p.Add('k{nr}','v');")))),
        ("tables that are the same", format!("$p=@{{}};{}", numbered(&|nr| format!("$q{nr}=$p;$q{nr}.Add('k','v');")))),
        ("many variables", numbered(&|nr| format!("$v{nr}='x';"))),
        ("blocks", fill("& { $a } ;")),
        ("kept blocks", numbered(&|nr| format!("$b{nr}={{ $using:v{nr} }};"))),
        ("blocks that are sent", numbered(&|nr| format!("icm web01 {{ $using:v{nr} }};"))),
        ("functions", numbered(&|nr| format!("function f{nr} {{ x }};"))),
        ("functions in functions", numbered(&|nr| format!("function f{nr}{{f{0};f{0}}};", nr + 1)) + "f0"),
        ("lists of lists", format!("{}rm x{}", "'a','b','c','d'|%{".repeat(35), "}".repeat(35))),
        ("a list in a loop", format!("foreach($i in {}'x'){{rm \\\\$i\\c}}", "'a',".repeat(12_000))),
        ("loops", fill("foreach($a in 'a','b'){rm $a};")),
        ("parentheses", "(".repeat(LONGEST)),
        ("substitutions", fill("\"$(a)\" ")),
        ("here-strings", fill("@'\n'@\n")),
        ("hashes", fill("@{a=1};")),
        ("backticks", fill("`a")),
        ("members", fill("$x.y().")),
        ("indexes", fill("$x[0]")),
        ("splats", format!("$p=@{{a=1}};{}", fill("x @p;"))),
        ("redirections", format!("x {}", fill(">a "))),
        ("parameters", format!("Get-Item {}", fill("-a b "))),
        ("paths", format!("rm {}", fill("\\\\h\\c,") + "x")),
        ("hosts", format!("Restart-Computer {}x", numbered(&|nr| format!("h{nr},")))),
        ("carets", fill("^a")),
        ("percents", fill("%a%")),
        ("ifs", fill("if 1==1 if 1==1 ")),
        ("sent text", format!("icm web01 {{ {} }}", "Stop-Service x;".repeat(4_000))),
        ("encoded", format!("powershell -enc {}", "A".repeat(60_000))),
        ("one word", "x".repeat(LONGEST)),
        ("jobs", fill("Start-Job { x };")),
        ("tasks", fill("$t=New-ScheduledTaskAction x;")),
        ("folders", fill("cd \\\\a\\b;")),
        ("drives", numbered(&|nr| format!("net use z: \\\\h{nr}\\c;"))),
    ]
}

/// How many commands a second `check --stdin` judges.
fn stream() -> f64 {
    const ROUNDS: usize = 5_000;
    let lines: String = (0..ROUNDS)
        .flat_map(|_| TYPICAL)
        .map(|text| serde_json::json!({"tool_name": "Bash", "tool_input": {"command": text}}).to_string() + "\n")
        .collect();
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_zerto-guard"))
        .args(["check", "--json", "--stdin"])
        .env_clear()
        .env("HOME", std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let count = output.stdout.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(count, ROUNDS * TYPICAL.len());
    count as f64 / start.elapsed().as_secs_f64()
}

fn main() {
    println!("typical commands (median of 2,000)");
    for text in TYPICAL {
        row(text, time("Bash", text, 2_000));
    }
    println!("\nreading alone (median of 2,000)");
    for text in TYPICAL {
        let mut times: Vec<Duration> = (0..2_000)
            .map(|_| {
                let start = Instant::now();
                let _ = black_box(shell::read(black_box(text)));
                start.elapsed()
            })
            .collect();
        times.sort();
        row(text, times[1_000]);
    }
    println!("\nhard texts of up to 64 KiB (median of 5)");
    let mut worst = Duration::ZERO;
    let shell = hard().into_iter().map(|(name, text)| ("Bash", name, text));
    let windows = hard_for_windows().into_iter().flat_map(|(name, text)| {
        let cmd = format!("cmd.exe /c {}", shell_word(&text.chars().take(LONGEST - 1_000).collect::<String>()));
        [("PowerShell", name, text), ("Bash", name, cmd)]
    });
    for (tool, name, text) in shell.chain(windows) {
        let text: String = text.chars().take(LONGEST).collect();
        let taken = time(tool, &text, 5);
        worst = worst.max(taken);
        let kind = match (tool, text.starts_with("cmd.exe")) {
            ("Bash", true) => "cmd: ",
            ("Bash", false) => "",
            _ => "PowerShell: ",
        };
        row(&format!("{kind}{name}"), taken);
    }
    println!("worst: {:.1} ms of 50 allowed", worst.as_secs_f64() * 1e3);
    println!("\ncheck --stdin: {:.0} commands a second, 10,000 wanted", stream());
}
