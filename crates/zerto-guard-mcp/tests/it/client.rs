//! A home with the simulator's config, and the SDK's client with a scenario (tests/client/driver.py).

use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use zvm_sim::Sim;

pub const SERVER: &str = env!("CARGO_BIN_EXE_zerto-guard-mcp");

/// Where a machine's files of the guard are.
pub struct Home {
    root: tempfile::TempDir,
}

/// What a scenario came to.
pub struct Came {
    pub version: String,
    pub results: Vec<Value>,
    /// How long the client took to be rid of the server, in seconds.
    pub closing: f64,
    pub stderr: String,
}

/// The scenario's client.
#[derive(Clone, Copy)]
pub struct Client {
    /// `legacy` (a handshake) or `auto` (the newest protocol).
    pub mode: &'static str,
    /// What the human says; none: the client can't ask one.
    pub human: Option<&'static str>,
}

/// A client that can't ask its human.
pub const DEAF: Client = Client { mode: "legacy", human: None };

/// A client of either protocol whose human says that.
pub fn asking(human: &'static str) -> [Client; 2] {
    ["legacy", "auto"].map(|mode| Client { mode, human: Some(human) })
}

/// The interpreter that has the SDK. A test that can't be run says so, and fails where everything has to be run (`.ci/run`).
pub fn python() -> Option<PathBuf> {
    let found = std::env::var_os("ZERTO_GUARD_MCP_PYTHON").map(PathBuf::from);
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/mcp-client/bin/python");
    let found = found.or_else(|| made.exists().then_some(made));
    if found.is_none() {
        let why = "no MCP client: run crates/zerto-guard-mcp/tests/client/install";
        assert!(std::env::var_os("ZERTO_GUARD_TESTS_MUST_RUN").is_none(), "{why}");
        eprintln!("SKIPPED: {why}");
    }
    found
}

impl Home {
    pub fn new(sim: &Sim) -> Self {
        Self::with(&sim.config_toml())
    }

    pub fn with(config: &str) -> Self {
        let home = Self { root: tempfile::tempdir().unwrap() };
        fs::create_dir_all(home.config().parent().unwrap()).unwrap();
        for folder in [".config", ".config/zerto-guard"] {
            fs::set_permissions(home.path(folder), fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(home.config(), config).unwrap();
        fs::set_permissions(home.config(), fs::Permissions::from_mode(0o600)).unwrap();
        home
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    pub fn config(&self) -> PathBuf {
        self.path(".config/zerto-guard/config.toml")
    }

    pub fn catalog(&self) -> String {
        fs::read_to_string(self.path(".config/zerto-guard/catalog.toml")).unwrap_or_default()
    }

    /// The lines of the audit log.
    pub fn audit(&self) -> Vec<Value> {
        let folder = self.path(".local/state/zerto-guard");
        let files = fs::read_dir(folder).map(|files| files.flatten().map(|file| file.path()).collect::<Vec<_>>());
        let logs = files.unwrap_or_default().into_iter().filter(|file| file.extension().is_some_and(|e| e == "jsonl"));
        let texts: Vec<String> = logs.map(|log| fs::read_to_string(log).unwrap()).collect();
        texts.iter().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The server, started here.
    pub fn server(&self) -> Command {
        let mut command = Command::new(SERVER);
        command.env_clear().env("HOME", self.root.path()).current_dir(self.root.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the scenario; none where there is no client.
    pub fn drive(&self, client: Client, steps: &[Value]) -> Option<Came> {
        drive(&[self.scenario(client, steps)])?.pop()
    }

    /// A client that takes these steps with a server of this home.
    pub fn scenario(&self, client: Client, steps: &[Value]) -> Value {
        json!({
            "server": [SERVER], "env": {"HOME": self.root.path()}, "mode": client.mode, "human": client.human, "steps": steps,
        })
    }
}

/// Runs scenarios side by side, in one process of the SDK, which takes a second to start; none where there is no client.
pub fn drive(scenarios: &[Value]) -> Option<Vec<Came>> {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client/driver.py");
    let mut command = Command::new(python()?);
    command.arg(driver).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(json!(scenarios).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    let all: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    let came = |came: Value| Came {
        version: came["version"].as_str().unwrap().to_owned(),
        results: came["results"].as_array().unwrap().clone(),
        closing: came["closing"].as_f64().unwrap(),
        stderr: stderr.clone(),
    };
    Some(all.into_iter().map(came).collect())
}

/// A step: a call of the tool.
pub fn call(tool: &str, with: Value) -> Value {
    json!({"call": tool, "with": with})
}

/// What a call answered, which was no refusal.
#[track_caller]
pub fn ok(result: &Value) -> &Value {
    assert_eq!(result["is_error"], false, "{result:#}");
    assert_eq!(result["structured"]["ok"], true, "{result:#}");
    let (text, next) = (result["text"].as_str().unwrap(), result["structured"]["next"].as_str().unwrap());
    assert!(text.ends_with(&format!("Next: {next}")), "{text}");
    &result["structured"]
}

/// The text of a refusal with that exit code.
#[track_caller]
pub fn refused(result: &Value, code: u8) -> &str {
    assert_eq!(result["is_error"], true, "{result:#}");
    let structured = &result["structured"];
    assert_eq!((&structured["ok"], &structured["exit_code"]), (&json!(false), &json!(code)), "{result:#}");
    result["text"].as_str().unwrap()
}
