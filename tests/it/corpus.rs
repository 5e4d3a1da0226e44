//! Measures the judge on labelled commands that are not part of the project: their folder is named by `ZERTO_GUARD_CORPUS`.
//!
//! Each command is put as `ssh web01 '…'` and goes through the real binary. What is demanded: nothing that is labelled as
//! changing something is judged as reading, and most of what is labelled as reading is. The same commands as they are, on the
//! agent's own machine: of those that reach no other machine hardly any is asked about (`unwrapped`).

mod unwrapped;

use crate::env::Env;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

/// Rows whose label is plainly wrong, and why.
const WRONG_LABELS: &[(&str, &str)] = &[
    ("safety-net-18626a0fe0f9", "`command -v` looks names up and runs nothing, whatever the names are"),
    ("nah-66ba71f96509", "the text that it holds in base64 is `echo hi`"),
];

struct Row {
    id: String,
    command: String,
    expect: String,
    family: String,
    tool: String,
    remote: bool,
}

fn rows(folder: PathBuf) -> Vec<Row> {
    let file = folder.join("dev.jsonl");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    rows.map(|row| Row {
        id: text(&row, "id"),
        command: text(&row, "command"),
        expect: text(&row, "expect"),
        family: text(&row, "family"),
        tool: text(&row, "tool"),
        remote: row["remote"] == true,
    })
    .collect()
}

/// The verdicts of all commands behind ssh, in their order.
fn verdicts(rows: &[Row]) -> Vec<Value> {
    judged(rows.iter().map(|row| ("Bash", format!("ssh web01 '{}'", row.command))))
}

/// The verdicts of calls: tool and command.
fn judged<'r>(calls: impl Iterator<Item = (&'r str, String)>) -> Vec<Value> {
    let env = Env::new();
    let mut count = 0;
    let calls: Vec<u8> = calls
        .flat_map(|(tool, command)| {
            count += 1;
            let call = json!({"tool_name": tool, "tool_input": {"command": command}, "cwd": "/project"});
            format!("{call}\n").into_bytes()
        })
        .collect();
    let mut child = env.spawn(&["check", "--json", "--stdin"]);
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&calls));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let verdicts: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(verdicts.len(), count);
    verdicts
}

#[test]
fn labelled_commands_on_a_guest() {
    let Some(folder) = std::env::var_os("ZERTO_GUARD_CORPUS") else {
        eprintln!(
            "skipped: ZERTO_GUARD_CORPUS does not name a folder with dev.jsonl, which is not part of the project"
        );
        return;
    };
    let rows: Vec<Row> = rows(folder.into()).into_iter().filter(|row| row.remote).collect();
    let (mut figures, mut wrong): (BTreeMap<&str, (usize, usize)>, Vec<&str>) = (BTreeMap::new(), vec![]);
    for (row, verdict) in rows.iter().zip(verdicts(&rows)) {
        let reads = verdict["verdict"] == "read_only";
        match row.expect.as_str() {
            "read_only" => {
                let figure = figures.entry(&row.family).or_default();
                figure.0 += usize::from(reads);
                figure.1 += 1;
            }
            "not_read_only" if reads && !WRONG_LABELS.iter().any(|(id, _)| *id == row.id) => wrong.push(&row.id),
            _ => {}
        }
    }
    let share = |(good, all): (usize, usize)| 100.0 * good as f64 / all as f64;
    let total = figures.values().fold((0, 0), |sum, figure| (sum.0 + figure.0, sum.1 + figure.1));
    for (family, figure) in figures.iter().chain([(&"all", &total)]) {
        println!(
            "{family:10} {:4} of {:4} commands that read are judged so: {:.1} %",
            figure.0,
            figure.1,
            share(*figure)
        );
    }
    println!(
        "{} of {} rows that do not only read are judged as reading",
        wrong.len(),
        rows.iter().filter(|row| row.expect == "not_read_only").count()
    );
    assert!(wrong.is_empty(), "judged as reading: {wrong:?}");
    assert!(share(figures["os"]) >= 90.0, "of the family os only {:.1} %", share(figures["os"]));
    assert!(share(total) >= 80.0, "overall only {:.1} %", share(total));
}

/// Programs of clouds, clusters and hypervisors, and of what stands in them. The family of the corpus also holds forges and
/// brokers, whose programs are a developer's, or act on their own machine.
const REACH_CLOUDS: &[&str] = &[
    "argocd",
    "auth0",
    "aws",
    "az",
    "bq",
    "cdk",
    "cdktf",
    "circleci",
    "consul",
    "doctl",
    "doppler",
    "eksctl",
    "firebase",
    "flux",
    "fly",
    "flyctl",
    "gcloud",
    "govc",
    "gsutil",
    "hcloud",
    "helm",
    "heroku",
    "ibmcloud",
    "istioctl",
    "kubectl",
    "linode-cli",
    "nats",
    "netlify",
    "nomad",
    "oc",
    "oci",
    "op",
    "openstack",
    "packer",
    "pulumi",
    "qm",
    "rclone",
    "restic",
    "sam",
    "serverless",
    "terraform",
    "terragrunt",
    "tofu",
    "vagrant",
    "vault",
    "velero",
    "vercel",
    "virsh",
    "wrangler",
];

/// What these do is done to files of the machine on which they run, and to nothing else.
const ONLY_FILES: &[(&str, &str)] = &[
    ("cdk init", "makes a project"),
    ("kubectl cp nginx:", "fetches a file from a pod"),
    ("packer fix", "prints a template anew"),
    ("packer fmt", "writes a project's files anew"),
    ("packer hcl2_upgrade", "writes a project's files anew"),
    ("packer init", "fetches plugins"),
    ("terraform fmt", "writes a project's files anew"),
    ("terraform get", "fetches modules"),
];

#[test]
fn labelled_commands_of_clouds_as_local_ones() {
    let Some(folder) = std::env::var_os("ZERTO_GUARD_CORPUS") else {
        eprintln!("skipped: ZERTO_GUARD_CORPUS does not name a folder with dev.jsonl");
        return;
    };
    let reaches =
        |row: &Row| row.command.split_whitespace().next().is_some_and(|program| REACH_CLOUDS.contains(&program));
    let mut rows = rows(folder.into());
    rows.retain(|row| reaches(row) && ["cloud", "container"].contains(&row.family.as_str()));
    let (mut wrong, mut changing, mut good, mut reading) = (vec![], 0, 0, 0);
    for (row, verdict) in rows.iter().zip(judged(rows.iter().map(|row| ("Bash", row.command.clone())))) {
        let reads = verdict["verdict"] == "read_only";
        let only_files = ONLY_FILES.iter().any(|(start, _)| row.command.starts_with(start));
        match row.expect.as_str() {
            "not_read_only" if !only_files => {
                changing += 1;
                if reads {
                    wrong.push(&row.command);
                }
            }
            "read_only" => {
                reading += 1;
                good += usize::from(reads);
            }
            _ => {}
        }
    }
    println!("{} of {changing} rows that change something in a cloud or a cluster are judged as reading", wrong.len());
    println!("{good} of {reading} rows that read there are judged so");
    assert!(wrong.is_empty(), "judged as reading: {wrong:?}");
    assert!(changing > 100, "only {changing} rows");
    assert!(good * 100 >= reading * 95, "only {good} of {reading} rows that read");
}
