//! The faults of a ZVM while a file is recovered: the file comes whole or not at all, and what stays mounted is named with the
//! line that ends it.
//!
//! Owns the section `recovery` of docs/faults.md, and that of what takes minutes. Must not: try what is the machine's own, or a
//! signal at every moment (`rewind_trouble` does).

mod cases;

use super::listed::{self, Listed};
use super::{Row, Took, Wrong, first_line, kind_of_stdout, page, secrets_of, trying, way};
use crate::env::{Env, Ran};
use cases::{answers, downloads, is_long, patience, scene_of, sites};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::process::Child;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use zvm_sim::{Content, Fault, Guest, Sim, Site, Step, Times, VmSpec, VpgSpec};

const TAG: &str = "ai:claude | edit /srv/big.bin | vm=web01 | change=chg-412 | 20260921T150405Z";
const SIZE: u64 = 100_000;
const COMMAND: [&str; 5] = ["rewind", "recover", "latest:/srv/big.bin", "--yes", "--json"];

/// The steps of a recovery in their order, and what the page calls them.
const STEPS: [(Step, &str); 15] = [
    (Step::Token, "login"),
    (Step::VmList, "VM list"),
    (Step::Vpg, "VPG"),
    (Step::CheckpointList, "checkpoint listing"),
    (Step::PointsInTime, "points in time"),
    (Step::FlrList, "FLR list"),
    (Step::ServerTime, "server time"),
    (Step::FlrMount, "mount"),
    (Step::FlrSession, "session"),
    (Step::TaskList, "mounts' tasks"),
    (Step::FlrBrowse, "browse"),
    (Step::FlrLink, "link"),
    (Step::Download, "download"),
    (Step::FlrUnmount, "unmount"),
    (Step::Task, "unmount's task"),
];

/// What a usual recovery takes at most; and one that looks for a session whose mount's answer was lost (ten seconds), or asks
/// for an end three times.
const USUAL: Duration = Duration::from_secs(15);
const LONGER: Duration = Duration::from_secs(30);

/// What lies behind that belongs to the machine.
const MARGIN: Duration = Duration::from_secs(8);

struct Scene {
    /// The last one mounts.
    sims: Vec<Sim>,
}

impl Scene {
    /// One ZVM, that of both sites.
    fn of_one() -> Self {
        let sim = Sim::builder().vm(VmSpec::new("web01").vpg(VpgSpec::local("gold")).guest(guest())).start();
        sim.put_tag("gold", Duration::from_secs(60), TAG).unwrap();
        Self { sims: vec![sim] }
    }

    /// The protected site's ZVM, and the recovery site's.
    fn of_two() -> Self {
        let vm = VmSpec::new("web01").vpg(VpgSpec::remote("web01-dr", "bos")).guest(guest());
        let nyc = Sim::builder().name("nyc").peer(Site::vcenter("bos")).vm(vm).start();
        nyc.put_tag("web01-dr", Duration::from_secs(60), TAG).unwrap();
        let bos = nyc.peer_zvm("bos").unwrap().start();
        Self { sims: vec![nyc, bos] }
    }

    fn mounting(&self) -> &Sim {
        self.sims.last().unwrap()
    }

    fn count(&self, step: Step) -> usize {
        self.sims.iter().map(|sim| sim.requests_of(step).len()).sum()
    }
}

fn guest() -> Guest {
    Guest::linux("web01").file("partition#1 Ext4/srv/big.bin", Content::generated(SIZE, 7))
}

#[derive(Clone, Copy)]
enum Meanwhile {
    /// A human has had enough.
    CtrlC,
    /// The ZVM is there again, after so long.
    ComesBack(Duration),
}

struct Case {
    at: String,
    fault: String,
    scene: Box<dyn Fn() -> Scene + Sync>,
    /// What happens once that step was asked for.
    meanwhile: Option<(Step, Meanwhile)>,
    /// Arguments besides the usual ones.
    more: &'static [&'static str],
    limit: Duration,
}

fn run(case: &Case) -> Row {
    let scene = (case.scene)();
    let config: Vec<String> = scene.sims.iter().map(Sim::config_toml).collect();
    let env = Env::new().config(&config.join("\n"));
    let began = Instant::now();
    let child = env.spawn(&[&COMMAND, case.more].concat());
    let watchdog = Watchdog::of(&child, case.limit + MARGIN);
    if let Some((step, meanwhile)) = case.meanwhile {
        assert!(scene.mounting().wait_until(case.limit, |_| scene.count(step) > 0), "{} {}", case.at, case.fault);
        match meanwhile {
            Meanwhile::CtrlC => {
                std::thread::sleep(Duration::from_millis(100));
                // SAFETY: the process is this one's child, and was not waited for.
                assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
            }
            Meanwhile::ComesBack(after) => {
                std::thread::sleep(after);
                scene.mounting().come_back().unwrap();
            }
        }
    }
    let ran = Ran::from(child.wait_with_output().unwrap());
    drop(watchdog);
    let took = began.elapsed();
    // Before what is said to end a session is tried.
    let zvm = seen(case, &scene);
    let (left, mut wrong) = left(&scene, &env, &ran);
    let sims: Vec<&Sim> = scene.sims.iter().collect();
    wrong.extend(secrets_of(&env, &sims, &ran));
    if case.fault == listed::HUGE_NAME && case.at != "download" {
        wrong.extend(listed::read_too_much(scene.mounting(), 64 << 20).map(|what| (Wrong::Contract, what)));
    }
    if took > case.limit + MARGIN {
        wrong.push((Wrong::Hang, format!("{took:?}")));
    }
    if scene.count(Step::FlrMount) > 1 && scene.mounting().requests_of(Step::FlrMount)[0].status != Some(401) {
        wrong.push((Wrong::Contract, "the mount was asked for twice".to_owned()));
    }
    Row {
        at: case.at.clone(),
        fault: case.fault.clone(),
        code: ran.code,
        stdout: kind_of_stdout(&ran),
        stderr: first_line(&ran.stderr, &env, &sims),
        took: Took::Within(case.limit),
        zvm,
        left,
        wrong,
    }
}

/// Ends a process that would go on for ever, so that the other cases are tried too.
struct Watchdog {
    done: Option<mpsc::Sender<()>>,
    waits: Option<JoinHandle<()>>,
}

impl Watchdog {
    fn of(child: &Child, longest: Duration) -> Self {
        let (done, over) = mpsc::channel();
        let process = child.id() as i32;
        let waits = std::thread::spawn(move || {
            if over.recv_timeout(longest) == Err(RecvTimeoutError::Timeout) {
                // SAFETY: the process is waited for only once this thread has ended or been told, but for the moment between
                // its end and the telling, in which no number is given anew.
                unsafe { libc::kill(process, libc::SIGKILL) };
            }
        });
        Self { done: Some(done), waits: Some(waits) }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.done.take());
        let _ = self.waits.take().unwrap().join();
    }
}

/// What stands in the folder and at the ZVM, and what of that may not be. What is said to end a session is done.
fn left(scene: &Scene, env: &Env, ran: &Ran) -> (String, Vec<(Wrong, String)>) {
    let mut wrong = Vec::new();
    let mut names: Vec<String> =
        fs::read_dir(env.project()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let file = names.iter().position(|name| name == "big.bin").map(|at| names.remove(at)).is_some();
    if !names.is_empty() {
        wrong.push((Wrong::PartialFile, format!("{names:?} in the folder")));
    }
    if file {
        let bytes = fs::read(env.project().join("big.bin")).unwrap();
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if digest != Content::generated(SIZE, 7).sha256() || !(ran.code != Some(0) || ran.stdout.contains(&digest)) {
            wrong.push((Wrong::PartialFile, format!("{} bytes that are not the file", bytes.len())));
        }
    }
    let says_ok = serde_json::from_str::<serde_json::Value>(&ran.stdout).ok().map(|json| json["ok"] == true);
    if (ran.code == Some(0)) != (says_ok == Some(true)) || (ran.code == Some(0)) != file {
        wrong.push((Wrong::Contract, format!("exit {:?}, ok {says_ok:?}, a file: {file}", ran.code)));
    }
    if !matches!(ran.code, Some(0 | 1 | 3 | 6 | 130) | None) {
        wrong.push((Wrong::Contract, format!("exit {:?}", ran.code)));
    }
    let error =
        |field: &str| serde_json::from_str::<serde_json::Value>(&ran.stdout).ok().map(|json| json[field].clone());
    if let Some(code) = ran.code.filter(|code| *code != 0)
        && (error("exit_code") != Some(code.into()) || error("error").is_none_or(|text| text == "" || text.is_null()))
    {
        wrong.push((Wrong::Contract, format!("exit {code}, and its JSON is {}", ran.stdout)));
    }
    let said = format!("{}\n{}", ran.stdout, ran.stderr);
    let live = scene.mounting().live_sessions();
    let mounted = match live.as_slice() {
        [] => "nothing mounted",
        [session] if said.contains(&format!("zerto-guard rewind end-session {}", session.identifier)) => {
            scene.mounting().clear_faults();
            scene.mounting().come_back().unwrap();
            let ended = env.run(&["rewind", "end-session", &session.identifier, "--yes"]);
            if ended.code != Some(0) || !scene.mounting().live_sessions().is_empty() {
                wrong.push((Wrong::Contract, format!("what is said to end the session does not: {}", ended.stderr)));
            }
            "the mount, named with the line that ends it"
        }
        [_] if said.contains("`zerto-guard rewind sessions`") => "the mount, and how to find its session is said",
        _ => {
            wrong.push((Wrong::Contract, format!("{} sessions that are not named: {said}", live.len())));
            "THE MOUNT"
        }
    };
    (format!("{}, {mounted}", if file { "the whole file" } else { "no file" }), wrong)
}

/// The mount and its end, and how far it came. What is asked after the unmount is told of no row but its own: whether the end
/// has come at the first look is a matter of time.
fn seen(case: &Case, scene: &Scene) -> String {
    if scene.sims.iter().all(|sim| sim.requests().is_empty()) {
        return "no request".to_owned();
    }
    let refused = |step| {
        let requests = scene.sims.iter().flat_map(|sim| sim.requests_of(step));
        requests.filter(|request| request.status == Some(401)).count()
    };
    let mounts = match (scene.count(Step::FlrMount), refused(Step::FlrMount)) {
        (0, _) => "no mount",
        (all, refused) if all == refused => "no mount but those answered 401",
        _ => "one mount",
    };
    let ends = match scene.count(Step::FlrUnmount) - refused(Step::FlrUnmount) {
        0 => "no end",
        1 => "one end",
        _ => "its end asked for more than once",
    };
    let at_the_end = |step: Step| matches!(step, Step::FlrUnmount | Step::Task);
    let before = STEPS.iter().filter(|(step, _)| !at_the_end(*step));
    let usual: Vec<&str> = before.clone().filter(|(step, _)| *step != Step::TaskList).map(|(_, name)| *name).collect();
    let came: Vec<&str> = before.filter(|(step, _)| scene.count(*step) > 0).map(|(_, name)| *name).collect();
    let mut steps = way(&came, &usual);
    if Some(case.at.as_str()) == STEPS.last().map(|(_, name)| *name) && scene.count(Step::Task) > 0 {
        steps.push_str(" and the unmount's task");
    }
    format!("{mounts}, {ends}; {steps}")
}

#[test]
fn what_a_recovery_does_about_each_fault_is_what_the_page_says() {
    let mut cases = sites();
    for (step, name) in STEPS {
        cases.extend(answers(step, name));
    }
    cases.extend(downloads());
    let rows = trying::try_all("recovery", &cases, run);
    assert!(!listed::was_redirect_followed(), "a redirect was followed");
    page(
        "recovery",
        &rows,
        &[
            ("local site, peer sites", "a recovery does not ask for them: what a VPG recovers to says the VPG itself."),
            (
                "name, connection, TLS",
                "the client is the guard's, and its faults there are those of the section above, with exit 6 in place of 2.",
            ),
            ("hang and slow drip to the end", "see the next section."),
        ],
    );
}

#[test]
#[ignore = "takes six minutes, in which it waits: .ci/long"]
fn what_is_silent_for_ever_is_given_up_as_the_page_says() {
    let mut cases = Vec::new();
    for (step, name) in STEPS {
        let changes = matches!(step, Step::FlrMount | Step::FlrUnmount);
        let lost = if changes { listed::lost() } else { vec![] };
        for Listed { name: fault_name, fault, times } in listed::answers().into_iter().chain(lost) {
            if is_long(step, &fault) {
                let scene = Box::new(move || scene_of(step, fault.clone(), times));
                let at = name.to_owned();
                cases.push(Case { at, fault: fault_name, scene, meanwhile: None, more: &[], limit: patience(step) });
            }
        }
    }
    // More than the minute from piece to piece: it may have to be packed first.
    let late = Box::new(|| {
        let scene = scene_of(Step::Download, Fault::Delay(Duration::from_secs(75)), Times::Always);
        // The simulator looks at the token after the delay.
        scene.mounting().with_state(|state| state.settings.token_life = Duration::from_secs(600));
        scene
    });
    let (at, fault) = ("download".to_owned(), "the first byte after 75 s".to_owned());
    cases.push(Case { at, fault, scene: late, meanwhile: None, more: &[], limit: Duration::from_secs(100) });
    let stall = Box::new(|| scene_of(Step::Download, Fault::StallAfter(SIZE / 2), Times::Always));
    let (at, fault) = ("download".to_owned(), "stalls in the middle".to_owned());
    cases.push(Case { at, fault, scene: stall, meanwhile: None, more: &[], limit: Duration::from_secs(90) });
    let rows = trying::try_all("recovery that waits", &cases, run);
    page(
        "recovery that waits",
        &rows,
        &[(
            "a download that drips for ever",
            "it has no limit, since a file may be of any size: each byte has to come within a minute of the one before, the \
             progress is shown, and Ctrl-C ends it (above).",
        )],
    );
}

#[test]
fn the_matrix_has_every_step_that_a_recovery_asks_for() {
    for scene in [Scene::of_one(), Scene::of_two()] {
        let config: Vec<String> = scene.sims.iter().map(Sim::config_toml).collect();
        let env = Env::new().config(&config.join("\n"));
        assert_eq!(env.run(&COMMAND).code, Some(0));
        for request in scene.sims.iter().flat_map(Sim::requests) {
            let step = Step::of(&request.method, &request.path);
            assert!(STEPS.iter().any(|(known, _)| step == Some(*known)), "{} is not in the matrix", request.line());
        }
    }
}
