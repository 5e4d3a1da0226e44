//! The machine's own faults, tried on three calls: a change of a guest, a call that only reads, and a recovery.
//!
//! Owns: the three calls, what each may never leave behind, and how a run becomes a row. The faults themselves are in the
//! files below. Must not: know a fault.

mod admin;
mod clock;
mod disks;
mod files;
mod ids;
mod limits;
mod locks;
mod records;
mod signals;
mod state;
mod streams;
mod sweep;

use super::{Row, Took, Wrong, first_line, kind_of_stdout, secrets_of, trying, wrong_of_hook};
use crate::env::{Env, Ran};
use serde_json::json;
use std::fs;
use std::io::Write as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use sweep::Sweep;
use zerto_guard::config::permissions::own_user;
use zvm_sim::{Content, Sim, Step, VmSpec, VpgSpec};

/// The tag from which the recovery takes its file.
const TAG: &str = "ai:claude | edit /srv/big.bin | vm=web01 | change=chg-412 | 20260921T150405Z";
const FILE: &str = "big.bin";
const SIZE: u64 = 300_000;
const SEED: u64 = 7;

/// The VPGs of the guest: a guard is complete with its tag in both.
const VPGS: [&str; 2] = ["gold", "silver"];

/// For what does not wait: far more than a run takes on a busy machine.
const AMPLE: Duration = Duration::from_secs(40);

/// For what waits until the deadline.
const SHORT: Duration = Duration::from_secs(2);

/// Who has no rights here, where the tests run as root.
const NOBODY: u32 = 65_534;

/// The three calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `hook` with a call that changes a guest.
    Change,
    /// `hook` with a call that only reads.
    Read,
    /// `rewind recover`.
    Recover,
}

const ALL: [Kind; 3] = [Kind::Change, Kind::Read, Kind::Recover];
const HOOK: [Kind; 2] = [Kind::Change, Kind::Read];

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Self::Change => "a change",
            Self::Read => "a read",
            Self::Recover => "a recovery",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Change | Self::Read => &["hook"],
            Self::Recover => &["rewind", "recover", "latest:/srv/big.bin", "--yes", "--json", "--output", FILE],
        }
    }
}

/// A ZVM, and a machine that is configured for it.
struct World {
    sim: Sim,
    env: Env,
    deadline: Duration,
    /// The program, opened: nobody may follow the path to it.
    program: Option<fs::File>,
    /// Where the search for secrets does not go: for a password file, and for copies of what may hold a token.
    outside: tempfile::TempDir,
}

/// How a run ended.
struct End {
    ran: Ran,
    signal: Option<i32>,
    took: Duration,
}

impl World {
    fn new() -> Self {
        Self::within(AMPLE)
    }

    fn within(deadline: Duration) -> Self {
        Self::made(deadline, |sim| sim)
    }

    fn made(deadline: Duration, more: impl FnOnce(zvm_sim::SimBuilder) -> zvm_sim::SimBuilder) -> Self {
        let path = format!("partition#1 Ext4/srv/{FILE}");
        let guest = zvm_sim::Guest::linux("web01").file(&path, Content::generated(SIZE, SEED));
        let vm = VPGS.iter().fold(VmSpec::new("web01"), |vm, vpg| vm.vpg(VpgSpec::local(vpg)));
        let sim = more(Sim::builder().vm(vm.guest(guest))).start();
        sim.put_tag(VPGS[0], Duration::from_secs(60), TAG).unwrap();
        let env = Env::new().config(&config(&sim.config_toml(), deadline));
        Self { sim, env, deadline, program: None, outside: tempfile::tempdir().unwrap() }
    }

    /// All of it belongs to somebody without rights, who will run it; where the tests run without rights, as it is.
    fn without_rights(mut self) -> Self {
        if own_user() != 0 {
            return self;
        }
        let password = self.outside.path().join("password");
        fs::copy(self.sim.password_file(), &password).unwrap();
        chown_all(self.outside.path());
        let text = self.sim.config_toml();
        let there = self.sim.password_file().to_str().unwrap();
        assert!(text.contains(there));
        self.env.write(&self.config_file(), &config(&text.replace(there, password.to_str().unwrap()), self.deadline));
        self.program = Some(fs::File::open(Env::binary()).unwrap());
        self.give_away();
        self
    }

    /// What was made since belongs to the same.
    fn give_away(&self) {
        if self.program.is_some() {
            chown_all(&self.env.path(""));
        }
    }

    fn config_file(&self) -> PathBuf {
        self.env.config_dir().join("config.toml")
    }

    fn catalog_file(&self) -> PathBuf {
        self.env.config_dir().join("catalog.toml")
    }

    /// What the host sends.
    fn call(&self, kind: Kind) -> String {
        match kind {
            Kind::Change => crate::guard_story::change(&self.env, "web01"),
            Kind::Read => self.env.call("Read", json!({"file_path": "/etc/hosts"})),
            Kind::Recover => String::new(),
        }
    }

    /// The program, with pipes for its streams and nothing of this machine's environment.
    fn command(&self, kind: Kind) -> Command {
        let mut command = match &self.program {
            None => Command::new(Env::binary()),
            Some(program) => {
                use std::os::fd::AsRawFd as _;
                let mut command = Command::new(format!("/proc/self/fd/{}", program.as_raw_fd()));
                command.uid(NOBODY).gid(NOBODY);
                command
            }
        };
        command.args(kind.arguments());
        self.prepared(command)
    }

    fn prepared(&self, mut command: Command) -> Command {
        command.env_clear().env("HOME", self.env.home()).current_dir(self.env.project());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, kind: Kind) -> End {
        self.run_with(kind, |_| {})
    }

    fn run_with(&self, kind: Kind, change: impl FnOnce(&mut Command)) -> End {
        let mut command = self.command(kind);
        change(&mut command);
        self.ended(command, kind)
    }

    fn ended(&self, mut command: Command, kind: Kind) -> End {
        let began = Instant::now();
        let mut child = match command.spawn() {
            Ok(child) => child,
            // The system has refused to start it.
            Err(error) => {
                let ran = Ran { code: Some(127), stdout: String::new(), stderr: format!("sh: {error}") };
                return End { ran, signal: None, took: began.elapsed() };
            }
        };
        if let Some(mut stdin) = child.stdin.take() {
            // One that has ended already takes none.
            let _ = stdin.write_all(self.call(kind).as_bytes());
        }
        waited_for(child, began)
    }

    /// Which of the VPGs have a tag that was not there before.
    fn tagged(&self) -> Vec<&'static str> {
        let fresh = |vpg: &str| self.sim.tags(vpg).iter().filter(|tag| *tag != TAG).count();
        VPGS.into_iter().filter(|vpg| fresh(vpg) > 0).collect()
    }

    /// What may never be.
    fn wrong(&self, kind: Kind, end: &End) -> Vec<(Wrong, String)> {
        let mut wrong = match kind {
            Kind::Change => wrong_of_hook(&end.ran, self.tagged().len() == VPGS.len()),
            Kind::Read => wrong_of_hook(&end.ran, true),
            Kind::Recover => vec![],
        };
        let mut contract = |what: String| wrong.push((Wrong::Contract, what));
        if kind == Kind::Read && end.ran.code == Some(0) && !(end.ran.stdout.is_empty() && end.ran.stderr.is_empty()) {
            contract(format!("a read that was not silent: {}{}", end.ran.stdout, end.ran.stderr));
        }
        if !self.sim.live_sessions().is_empty() {
            contract(format!("a session is left: {}{}", end.ran.stdout, end.ran.stderr));
        }
        if kind == Kind::Recover {
            match end.ran.code {
                Some(0) if !self.has_file() => contract("it says that the file is there, and it is not".into()),
                // 64 is a mistake in the test's own command line.
                Some(2 | 64 | 101) => contract(format!("exit code {:?}: {}", end.ran.code, end.ran.stderr)),
                _ => {}
            }
            wrong.extend(self.parts().into_iter().map(|name| (Wrong::PartialFile, name)));
        }
        wrong.extend(secrets_of(&self.env, &[&self.sim], &end.ran));
        if Took::of(end.took, self.limit(kind)) == Took::Late {
            wrong.push((Wrong::Hang, format!("{:?}", end.took)));
        }
        wrong
    }

    fn limit(&self, kind: Kind) -> Duration {
        // A recovery has no deadline of its own.
        if kind == Kind::Recover { AMPLE } else { self.deadline }
    }

    fn has_file(&self) -> bool {
        self.env.project().join(FILE).exists()
    }

    /// What stands in the project's folder that should not: a file that is not whole, or under another name.
    fn parts(&self) -> Vec<String> {
        let mut parts = Vec::new();
        for entry in fs::read_dir(self.env.project()).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let whole = || digest(&fs::read(entry.path()).unwrap()) == Content::generated(SIZE, SEED).sha256();
            if name != ".zerto-guard" && !(name == FILE && whole()) {
                parts.push(name);
            }
        }
        parts
    }

    fn row(&self, at: &str, fault: &str, kind: Kind, end: &End) -> Row {
        Row {
            at: format!("{at}, {}", kind.words()),
            fault: fault.to_owned(),
            code: end.ran.code,
            stdout: kind_of_stdout(&end.ran),
            stderr: ids::without(&first_line(&end.ran.stderr, &self.env, &[&self.sim])),
            took: Took::of(end.took, self.limit(kind)),
            zvm: self.seen(),
            left: self.left(kind),
            wrong: self.wrong(kind, end),
        }
    }

    fn seen(&self) -> String {
        let count = |step, one: &str| match self.sim.requests_of(step).len() {
            0 => None,
            1 => Some(format!("1 {one}")),
            many => Some(format!("{many} {one}s")),
        };
        let counted: Vec<String> = [(Step::Insert, "insert"), (Step::FlrMount, "mount"), (Step::FlrUnmount, "end")]
            .into_iter()
            .filter_map(|(step, one)| count(step, one))
            .collect();
        match (self.sim.requests().is_empty(), counted.is_empty()) {
            (true, _) => "nothing".to_owned(),
            (false, true) => "questions alone".to_owned(),
            (false, false) => counted.join(", "),
        }
    }

    fn left(&self, kind: Kind) -> String {
        match kind {
            Kind::Read => "nothing".to_owned(),
            Kind::Change => match self.tagged().as_slice() {
                [] => "no tag".to_owned(),
                [one] => format!("the tag in {one} alone"),
                _ => "the tag in both VPGs".to_owned(),
            },
            Kind::Recover if self.has_file() => "the file, whole; no session".to_owned(),
            Kind::Recover => "no file, no session".to_owned(),
        }
    }
}

fn chown_all(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    if path.symlink_metadata().unwrap().is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| chown_all(&entry.unwrap().path()));
    }
}

/// Waits for it, but not for ever.
fn waited_for(mut child: Child, began: Instant) -> End {
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > AMPLE * 2 {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let took = began.elapsed();
    let output = child.wait_with_output().unwrap();
    End { signal: output.status.signal(), ran: output.into(), took }
}

fn config(zvm: &str, deadline: Duration) -> String {
    format!("{zvm}\n[guard]\ndeadline = '{}s'\n", deadline.as_secs())
}

fn digest(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    zerto_guard::state::hex(&sha2::Sha256::digest(bytes))
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

/// A fault that is there before the program starts, tried on some of the calls in worlds of their own. Rows of two calls of
/// `hook` that say the same are one.
fn tried(at: &str, fault: &str, kinds: &[Kind], world: impl Fn() -> World, breaks: impl Fn(&World)) -> Vec<Row> {
    let rows = kinds.iter().map(|kind| {
        let world = world();
        breaks(&world);
        world.give_away();
        let end = world.run(*kind);
        world.row(at, fault, *kind, &end)
    });
    joined(at, rows.collect())
}

/// One row for a change and a read that end alike.
fn joined(at: &str, mut rows: Vec<Row>) -> Vec<Row> {
    if let [change, read, ..] = rows.as_slice()
        && (change.code, &change.stdout, &change.stderr, change.took)
            == (read.code, &read.stdout, &read.stderr, read.took)
        && (change.zvm == "nothing" && read.zvm == "nothing")
        && (change.left == "no tag" && read.left == "nothing")
    {
        let read = rows.remove(1);
        rows[0].at = format!("{at}, any call");
        rows[0].wrong.extend(read.wrong);
    }
    rows
}

type Job<'a> = Box<dyn Fn() -> Vec<Row> + Sync + Send + 'a>;

/// All rows, in the jobs' order. Most jobs wait for a process.
fn side_by_side(jobs: &[Job]) -> Vec<Row> {
    trying::side_by_side(6, jobs, |job| job()).into_iter().flatten().collect()
}
