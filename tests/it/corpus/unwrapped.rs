//! The labelled commands as they are, on the agent's own machine: of those whose programs reach no other machine at most 3 %
//! may be asked about.
//!
//! What counts as reaching another machine, or as running code that isn't there, is listed here by kind, each with its reason;
//! every other row counts, whatever its label is.

use super::{judged, rows};
use std::collections::BTreeMap;

/// A kind of rows that are left out: why, and the programs whose names make a row one of them.
const KINDS: &[(&str, &[&str])] = &[
    (
        "log in to other machines, or copy there",
        &[
            "ssh",
            "scp",
            "sftp",
            "rsync",
            "mosh",
            "telnet",
            "rsh",
            "rlogin",
            "pdsh",
            "clush",
            "pssh",
            "sshpass",
            "ssh-copy-id",
            "sshfs",
            "autossh",
            "ftp",
            "lftp",
            "tftp",
            "rclone",
            "restic",
            "borg",
            "winrs",
        ],
    ),
    (
        "open connections of their own",
        &["nc", "ncat", "netcat", "socat", "s_client", "nmap", "mail", "sendmail", "nsupdate", "snmpset", "ldapmodify"],
    ),
    (
        "clouds, clusters, hypervisors and services' own programs",
        &[
            "aws",
            "az",
            "gcloud",
            "gsutil",
            "bq",
            "kubectl",
            "oc",
            "helm",
            "terraform",
            "tofu",
            "terragrunt",
            "pulumi",
            "cdk",
            "sam",
            "eksctl",
            "flux",
            "argocd",
            "istioctl",
            "linkerd",
            "velero",
            "vault",
            "consul",
            "nomad",
            "packer",
            "vagrant",
            "virsh",
            "govc",
            "VBoxManage",
            "vmrun",
            "qm",
            "pct",
            "doctl",
            "heroku",
            "fly",
            "flyctl",
            "vercel",
            "netlify",
            "wrangler",
            "firebase",
            "auth0",
            "doppler",
            "op",
            "circleci",
            "gitlab-runner",
            "nats",
            "rabbitmqadmin",
            "rabbitmqctl",
            "kafka-topics",
            "kafka-configs",
            "kafka-acls",
            "supabase",
            "stripe",
            "twilio",
            "sentry-cli",
            "databricks",
            "snow",
            "snowsql",
            "crictl",
            "ctr",
            "k9s",
            "minikube",
            "kind",
            "k3d",
            "skaffold",
            "cloudflared",
            "ngrok",
            "tailscale",
            "docker-machine",
        ],
    ),
    (
        "database clients",
        &[
            "psql",
            "mysql",
            "mariadb",
            "mysqldump",
            "mysqladmin",
            "pg_dump",
            "pg_restore",
            "createdb",
            "dropdb",
            "sqlcmd",
            "sqlplus",
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "redis-cli",
            "clickhouse-client",
            "cqlsh",
            "influx",
        ],
    ),
    (
        "configuration of many machines",
        &[
            "ansible",
            "ansible-playbook",
            "ansible-console",
            "ansible-pull",
            "ansible-inventory",
            "ansible-galaxy",
            "ansible-vault",
            "ansible-doc",
            "ansible-config",
            "ansible-lint",
            "ansible-test",
            "salt",
            "salt-call",
            "salt-ssh",
            "puppet",
            "chef-client",
            "knife",
            "fab",
            "cap",
            "bolt",
        ],
    ),
    ("other agents", &["claude", "codex", "gemini", "copilot", "aider", "cursor-agent", "opencode", "goose"]),
];

/// Words by which a request writes, or sends a file.
const SENDING: &[&str] = &[
    "-d",
    "-F",
    "-T",
    "-X",
    "--data",
    "--data-binary",
    "--data-raw",
    "--data-urlencode",
    "--form",
    "--upload-file",
    "--request",
    "--json",
    "--post-data",
    "--post-file",
    "--method",
    "--body-data",
    "--body-file",
    "-Q",
    "-sF",
    "--quote",
];

/// Words that name no program: they are in the rows as examples of what nobody knows.
const NO_PROGRAMS: &[&str] = &[
    "normal",
    "storm",
    "firmware",
    "thermal",
    "agitation",
    "digital",
    "form",
    "transform",
    "digit",
    "legitimate",
    "unknown-command",
    "notarealwrapper",
    "work",
    "pre-commit-hook",
    "gitstats",
    "STOP",
    "ok",
    "evil",
    "payload",
];

/// The words of a command, without what a shell makes of its marks.
fn words(command: &str) -> Vec<&str> {
    command
        .split(|c: char| c.is_whitespace() || "|&;()<>`'\"{}$=".contains(c))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Why a row is left out; none: it counts.
fn kind(command: &str, verdict: &serde_json::Value) -> Option<&'static str> {
    let words = words(command);
    let base = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    for (kind, programs) in KINDS {
        if words.iter().any(|word| programs.contains(&base(word).as_str())) {
            return Some(kind);
        }
    }
    if command.contains("/dev/tcp/") || command.contains("/dev/udp/") {
        return Some("open connections of their own");
    }
    let web = words.iter().any(|word| matches!(base(word).as_str(), "curl" | "wget" | "http" | "https" | "xh"));
    let sends =
        |word: &&str| SENDING.iter().any(|option| *word == *option || (option.len() == 2 && word.starts_with(option)));
    if web && words.iter().any(sends) {
        return Some("send something to a web server");
    }
    if command.contains("evil.example:") || command.contains("DOCKER_HOST") || command.contains("-H tcp") {
        return Some("name another machine");
    }
    // A swarm is a cluster, a registry and another context are other machines; keys in a registry, too.
    let clusters = [
        "swarm", "node", "service", "stack", "config", "secret", "context", "trust", "manifest", "attach", "buildx",
        "publish",
    ];
    if words.first().is_some_and(|word| word.starts_with("docker"))
        && words.iter().skip(1).take(3).any(|word| clusters.contains(word))
    {
        return Some("docker's clusters, registries and other daemons");
    }
    if words.first().is_some_and(|word| NO_PROGRAMS.contains(word)) || words.contains(&"work") {
        return Some("no program");
    }
    let reason = verdict["reason"].as_str().unwrap_or_default();
    // The rows have no files with them: what runs is not there to be read.
    if ["is not there", "no package.json", "no Makefile", "no justfile", "no Taskfile"]
        .iter()
        .any(|text| reason.contains(text))
    {
        return Some("run code that isn't there");
    }
    if [
        "reads on stdin, and runs, is not known",
        "the same text writes",
        "only known when it runs",
        "can only be told when it runs",
        "may change it",
        "is an option can't be told before it runs",
        "the words of a shell can't be told",
    ]
    .iter()
    .any(|text| reason.contains(text))
    {
        return Some("run what is only made when they run");
    }
    if reason.contains("the shell text can't be read") || reason.contains("its command has no end") {
        return Some("no text that a shell would take");
    }
    None
}

#[test]
fn commands_on_the_agents_own_machine() {
    let Some(folder) = std::env::var_os("ZERTO_GUARD_CORPUS") else {
        eprintln!(
            "skipped: ZERTO_GUARD_CORPUS does not name a folder with dev.jsonl, which is not part of the project"
        );
        return;
    };
    let rows = rows(folder.into());
    let tool = |tool: &str| if tool == "PowerShell" { "PowerShell" } else { "Bash" };
    let verdicts = judged(rows.iter().map(|row| (tool(&row.tool), row.command.clone())));
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    let mut figures: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (row, verdict) in rows.iter().zip(&verdicts) {
        if row.family == "cloud" {
            *left_out.entry("of the family cloud").or_default() += 1;
            continue;
        }
        if let Some(kind) = kind(&row.command, verdict) {
            *left_out.entry(kind).or_default() += 1;
            continue;
        }
        let asked = verdict["verdict"] != "read_only";
        let figure = figures.entry(&row.family).or_default();
        figure.0 += usize::from(asked);
        figure.1 += 1;
        if asked {
            *reasons
                .entry(format!("{}: {}", row.family, verdict["reason"].as_str().unwrap_or_default()))
                .or_default() += 1;
            if std::env::var_os("ZERTO_GUARD_CORPUS_SHOW").is_some() {
                println!("asked: {} | {}", row.command.chars().take(100).collect::<String>(), verdict["reason"]);
            }
        }
    }
    for (kind, count) in &left_out {
        println!("{count:5} rows left out: {kind}");
    }
    let total = figures.values().fold((0, 0), |sum, figure| (sum.0 + figure.0, sum.1 + figure.1));
    let share = |(asked, all): (usize, usize)| 100.0 * asked as f64 / all as f64;
    for (family, figure) in figures.iter().chain([(&"all", &total)]) {
        println!(
            "{family:10} {:4} of {:4} commands that act only here are asked about: {:.1} %",
            figure.0,
            figure.1,
            share(*figure)
        );
    }
    let mut worst: Vec<(usize, String)> = reasons.into_iter().map(|(reason, count)| (count, reason)).collect();
    worst.sort_unstable_by(|a, b| b.cmp(a));
    for (count, reason) in worst.iter().take(20) {
        println!("{count:5} {}", reason.chars().take(120).collect::<String>());
    }
    assert!(share(total) <= 3.0, "{:.1} % are asked about", share(total));
}
