//! A home, a config and a state folder of its own for each test, and the real binary started in them with nothing else
//! of this machine's environment.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Output, Stdio};
use std::time::Duration;

pub struct Env {
    root: tempfile::TempDir,
}

/// A test that can't be run here says so, and fails where everything has to be run (`.ci/run`).
pub fn skip(why: &str) {
    assert!(std::env::var_os("ZERTO_GUARD_TESTS_MUST_RUN").is_none(), "{why}");
    eprintln!("SKIPPED: {why}");
}

/// What a process left behind.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// The call was stopped as the contract says: exit 2, empty stdout, a text that begins with the program's name.
    #[track_caller]
    pub fn denied(&self, part: &str) -> &Self {
        assert_eq!(self.code, Some(2), "{}\n{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "", "stdout of a deny");
        assert!(self.stderr.starts_with("zerto-guard: "), "{}", self.stderr);
        assert!(self.stderr.contains(part), "no `{part}` in: {}", self.stderr);
        self
    }

    /// The call may run, and nothing was said.
    #[track_caller]
    pub fn passed_silently(&self) -> &Self {
        assert_eq!((self.code, self.stdout.as_str(), self.stderr.as_str()), (Some(0), "", ""));
        self
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }
}

impl Env {
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let env = Self { root };
        fs::create_dir_all(env.config_dir()).unwrap();
        fs::create_dir_all(env.project()).unwrap();
        for folder in [env.home(), env.home().join(".config"), env.config_dir()] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        }
        env
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub fn project(&self) -> PathBuf {
        self.path("project")
    }

    pub fn config_dir(&self) -> PathBuf {
        self.home().join(".config/zerto-guard")
    }

    pub fn state_dir(&self) -> PathBuf {
        self.home().join(".local/state/zerto-guard")
    }

    pub fn config(self, text: &str) -> Self {
        self.write(&self.config_dir().join("config.toml"), text);
        self
    }

    pub fn catalog(self, text: &str) -> Self {
        self.write(&self.config_dir().join("catalog.toml"), text);
        self
    }

    pub fn project_catalog(self, text: &str) -> Self {
        self.write(&self.project().join(".zerto-guard/catalog.toml"), text);
        self
    }

    pub fn write(&self, path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// A file that can be run. Another process copies it: while one of the tests' own has it open to be written, a child that
    /// another test just starts has it open too, and then nobody can run it ("Text file busy").
    pub fn program(&self, path: &Path, text: &str) {
        let source = path.with_extension("source");
        self.write(&source, text);
        fs::set_permissions(&source, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(Process::new("cp").arg("-p").arg(&source).arg(path).status().unwrap().success());
        fs::remove_file(source).unwrap();
    }

    /// The binary with these arguments, in the project's folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(Self::binary());
        command.args(arguments).env_clear().env("HOME", self.home()).env("PATH", "/usr/bin:/bin");
        command.current_dir(self.project()).timeout(Duration::from_secs(60));
        command
    }

    /// The program that is tested: the one built with the tests, or that of `ZERTO_GUARD_TEST_BINARY`, such as a release.
    pub fn binary() -> PathBuf {
        let other = std::env::var_os("ZERTO_GUARD_TEST_BINARY").map(PathBuf::from);
        other.unwrap_or_else(|| cargo_bin!("zerto-guard").to_owned())
    }

    /// The binary started with pipes for all its streams.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = Process::new(Self::binary());
        command.args(arguments).env_clear().env("HOME", self.home()).current_dir(self.project());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// The same, and the most memory that was seen resident, in KiB. What the system counts for a child that has ended
    /// would hold this process's own memory from before the child's program was there.
    pub fn run_measured(&self, arguments: &[&str]) -> (Ran, u64) {
        let mut child = self.spawn(arguments);
        drop(child.stdin.take());
        let status = format!("/proc/{}/status", child.id());
        let watching = std::thread::spawn(move || {
            let mut peak = 0;
            // The file is there until the child is waited for, and has no such line once the child has ended.
            while let Some(line) = fs::read_to_string(&status)
                .ok()
                .and_then(|text| text.lines().find(|line| line.starts_with("VmHWM:")).map(str::to_owned))
            {
                peak = line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap().max(peak);
                std::thread::sleep(Duration::from_millis(2));
            }
            peak
        });
        let ran = child.wait_with_output().unwrap().into();
        (ran, watching.join().unwrap())
    }

    /// `hook` with this on stdin.
    pub fn hook(&self, stdin: impl Into<Vec<u8>>) -> Ran {
        self.hook_with(&[], stdin)
    }

    pub fn hook_with(&self, arguments: &[&str], stdin: impl Into<Vec<u8>>) -> Ran {
        let all: Vec<&str> = std::iter::once("hook").chain(arguments.iter().copied()).collect();
        self.command(&all).write_stdin(stdin).output().unwrap().into()
    }

    /// A pending call as Claude Code sends it.
    pub fn call(&self, tool: &str, input: Value) -> String {
        self.call_of(json!({"tool_name": tool, "tool_input": input}))
    }

    /// A pending call of an MCP server's tool.
    pub fn mcp(&self, server: &str, tool: &str, input: Value) -> String {
        self.call_of(json!({
            "tool_name": format!("mcp__{server}__{tool}"),
            "tool_input": input,
            "mcp_server": {"name": server, "source": "user"},
        }))
    }

    fn call_of(&self, fields: Value) -> String {
        let mut call = json!({
            "session_id": "8f1e4c6f-77a8-4677-8024-9178e8df6a60",
            "transcript_path": self.path("transcript.jsonl"),
            "cwd": self.project(),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_use_id": format!("toolu_{}", self.root.path().file_name().unwrap().to_string_lossy()),
        });
        call.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        format!("{call}\n")
    }
}
