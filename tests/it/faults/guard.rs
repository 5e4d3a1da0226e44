//! The faults of a ZVM and of the way to it while `hook` guards a call: each is a deny by the deadline, or survived with the
//! tag in every VPG.
//!
//! Owns the section `guard` of docs/faults.md. Must not: try what is the machine's own.

use super::listed::read_too_much;
use super::listed::{self, BESIDE, Listed};
use super::network::{Does, Listener, Then};
use super::{Row, Took, Wrong, first_line, found_in, kind_of_stdout, page_but, trying, wrong_of_hook};
use crate::env::{Env, Ran, skip};
use crate::guard_story::{change, demo};
use crate::managed::with_etc;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, UdpSocket};
use std::time::{Duration, Instant};
use zvm_sim::{CertKind, Fault, InsertOutcome, Route, Sim, SimBuilder, Step, Times};

/// Long enough for all that is asked again before it is given up, on a machine that has much else to do.
const DEADLINE: Duration = Duration::from_secs(6);

/// The steps of a guard in their order, and what the page calls them.
const STEPS: [(Step, &str); 9] = [
    (Step::Token, "login"),
    (Step::VmList, "VM list"),
    (Step::LocalSite, "local site"),
    (Step::ServerTime, "server time"),
    (Step::Vpg, "VPG"),
    (Step::Insert, "insert"),
    (Step::Task, "task"),
    (Step::TaskList, "others' inserts"),
    (Step::CheckpointList, "checkpoint listing"),
];

/// What a case begins with.
struct Scene {
    sim: Sim,
    config: String,
    /// The VM that is changed; its VPGs.
    vm: &'static str,
    vpgs: &'static [&'static str],
    _listener: Option<Listener>,
}

impl Scene {
    fn of(builder: SimBuilder) -> Self {
        let sim = builder.start();
        let config = sim.config_toml();
        Self { sim, config, vm: "web01", vpgs: &["web01-local", "web01-dr"], _listener: None }
    }

    /// One VPG alone: what becomes of the others once one has failed depends on which of them was first.
    fn of_one_vpg(builder: SimBuilder) -> Self {
        Self { vm: "db01", vpgs: &["db01-dr"], ..Self::of(builder) }
    }

    fn at(mut self, url: &str) -> Self {
        self.config = self.config.replace(self.sim.url(), url);
        self
    }

    fn behind(self, does: impl FnOnce(&Sim) -> Does) -> Self {
        let listener = Listener::new(does(&self.sim));
        let url = listener.url();
        Self { _listener: Some(listener), ..self.at(&url) }
    }
}

struct Case {
    at: String,
    fault: String,
    scene: Box<dyn Fn() -> Scene + Sync>,
    /// The files of /etc, where they are not the machine's own.
    etc: Vec<(&'static str, String)>,
    deadline: Duration,
    /// One VPG of two is at fault: what became of the other is a matter of which came first.
    is_of_one: bool,
}

fn case(at: &str, fault: &str, scene: impl Fn() -> Scene + Sync + 'static) -> Case {
    Case {
        at: at.to_owned(),
        fault: fault.to_owned(),
        scene: Box::new(scene),
        etc: vec![],
        deadline: DEADLINE,
        is_of_one: false,
    }
}

/// What stands in a journal is looked at once every task is over.
fn settled(sim: &Sim) {
    let is_over = |sim: &Sim| sim.tasks().iter().all(|task| task.is_over() || task.progress == 50);
    assert!(sim.wait_until(Duration::from_secs(20), is_over));
}

fn run(case: &Case) -> Row {
    let scene = (case.scene)();
    let env = Env::new().config(&format!("{}\n[guard]\ndeadline = '{}s'\n", scene.config, case.deadline.as_secs()));
    let stdin = change(&env, scene.vm);
    let began = Instant::now();
    let ran = if case.etc.is_empty() {
        env.hook(stdin)
    } else {
        let etc: Vec<_> = case.etc.iter().map(|(name, text)| (*name, text.as_str())).collect();
        with_etc(&env, &etc, &["hook"], &stdin).expect("a mount namespace was made a moment ago")
    };
    let took = Took::of(began.elapsed(), case.deadline);
    settled(&scene.sim);
    let tags: Vec<Vec<String>> = scene.vpgs.iter().map(|vpg| ours(&scene.sim, vpg)).collect();
    let mut wrong = wrong_of_hook(&ran, is_complete(&tags, &ran));
    if took == Took::Late {
        wrong.push((Wrong::Hang, format!("{:?}", began.elapsed())));
    }
    if let Some(twice) = tags.iter().find(|tags| tags.len() > 1) {
        wrong.push((Wrong::Contract, format!("more than one checkpoint where one was meant: {twice:?}")));
    }
    wrong.extend(sent_again(&scene.sim).map(|what| (Wrong::Contract, what)));
    if case.fault == listed::HUGE_NAME {
        wrong.extend(read_too_much(&scene.sim, 10 << 20).map(|what| (Wrong::Contract, what)));
    }
    wrong.extend(
        found_in(&env, &[&scene.sim], &[("stdout", &ran.stdout), ("stderr", &ran.stderr)])
            .into_iter()
            .map(|what| (Wrong::Secret, what)),
    );
    Row {
        at: case.at.clone(),
        fault: case.fault.clone(),
        code: ran.code,
        stdout: kind_of_stdout(&ran),
        stderr: first_line(&told(case, &scene, &ran.stderr), &env, &[&scene.sim]),
        took,
        zvm: seen(case, &scene),
        left: left(case, &tags),
        wrong,
    }
}

/// The first line without the words with which each deny of a guard begins; where it leads to a list of VPGs, the line of the
/// one at fault too.
fn told(case: &Case, scene: &Scene, stderr: &str) -> String {
    let mut lines = stderr.lines();
    let first = lines.next().unwrap_or_default();
    let begin = format!(
        "zerto-guard: stopped mcp__winrm__copy_file, which changes {}, since it could not be guarded. ",
        scene.vm
    );
    let mut told = first.strip_prefix(&begin).map_or_else(|| first.to_owned(), |rest| format!("… {rest}"));
    if let Some((before, tag)) = told.split_once(" (tag \"").filter(|(_, tag)| tag.ends_with("\"):")) {
        assert!(tag.starts_with("ai:claude | copy a.conf to C:/a.conf | vm="), "{tag}");
        told = format!("{before}:");
    }
    let of = if case.is_of_one { "web01-dr" } else { scene.vpgs[0] };
    if let Some(line) = lines.find(|line| told.ends_with(':') && line.contains(of)) {
        told = format!("{told} {}", line.trim());
    }
    told
}

/// The tags that are not another operator's.
fn ours(sim: &Sim, vpg: &str) -> Vec<String> {
    sim.tags(vpg).into_iter().filter(|tag| tag.starts_with("ai:claude")).collect()
}

/// The same tag, once, in every VPG that can be tagged, and it is the one that the agent is told.
fn is_complete(tags: &[Vec<String>], ran: &Ran) -> bool {
    let Some([tag]) = tags.first().map(Vec::as_slice) else { return false };
    tags.iter().all(|of| of == std::slice::from_ref(tag)) && ran.stdout.contains(tag.as_str())
}

/// An insert whose answer may have been lost is not sent again: only a 401 says that nothing was done.
fn sent_again(sim: &Sim) -> Option<String> {
    let mut sent: BTreeMap<String, usize> = BTreeMap::new();
    for request in sim.requests_of(Step::Insert).iter().filter(|request| request.status != Some(401)) {
        *sent.entry(request.path.clone()).or_default() += 1;
    }
    sent.into_iter().find(|(_, times)| *times > 1).map(|(path, times)| format!("{times} times POST {path}"))
}

/// The inserts, and the steps in the order of the flow.
fn seen(case: &Case, scene: &Scene) -> String {
    let requests = scene.sim.requests();
    if requests.is_empty() {
        return "no request".to_owned();
    }
    let steps: Vec<&str> = STEPS
        .iter()
        .filter(|(step, _)| requests.iter().any(|request| Step::of(&request.method, &request.path) == Some(*step)))
        // With one of two VPGs at fault, how far the other came is not told.
        .filter(|(step, _)| !case.is_of_one || !matches!(step, Step::Task | Step::CheckpointList))
        .map(|(_, name)| *name)
        .collect();
    let inserts = scene.sim.requests_of(Step::Insert);
    let refused = inserts.iter().filter(|request| request.status == Some(401)).count();
    let inserts = match (inserts.len() - refused, refused) {
        _ if case.is_of_one => "at most one insert a VPG".to_owned(),
        (0, 0) => "no insert".to_owned(),
        (0, _) => "no insert but those answered 401".to_owned(),
        (count, 0) if count == scene.vpgs.len() => "one insert a VPG".to_owned(),
        (count, 0) => format!("{count} inserts"),
        (count, _) => format!("{count} inserts, and one answered 401"),
    };
    let usual: Vec<&str> = STEPS.iter().map(|(_, name)| *name).filter(|name| *name != "others' inserts").collect();
    let steps = match steps.as_slice() {
        all if all == usual => "all steps".to_owned(),
        [.., last] if usual.starts_with(&steps) => format!("all to the {last}"),
        some => some.join(", "),
    };
    format!("{inserts}; {steps}")
}

fn left(case: &Case, tags: &[Vec<String>]) -> String {
    let count = tags.iter().filter(|tags| !tags.is_empty()).count();
    match (count, tags.len()) {
        (0, _) => "no tag",
        (_, 1) => "the tag",
        (all, of) if all == of => "the tag in both VPGs",
        _ if case.is_of_one => "no tag in that one",
        _ => "the tag in one of two VPGs",
    }
    .to_owned()
}

fn network() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |at: &str, fault: &str, scene: fn() -> Scene| cases.push(case(at, fault, scene));
    add("connection", "refused", || Scene::of(demo()).at(&Sim::refused_url()));
    add("connection", "accepted, and nothing is said", || {
        Scene::of(demo().fault(Step::Connection, Fault::Hang, Times::Always))
    });
    add("connection", "reset when it is accepted", || {
        Scene::of(demo().fault(Step::Connection, Fault::ResetBefore, Times::Always))
    });
    add("connection", "reset when it is accepted, once", || {
        Scene::of(demo().fault(Step::Connection, Fault::ResetBefore, Times::Next(1)))
    });
    add("connection", "closed when it is accepted", || Scene::of(demo()).behind(|_| Does::Closes));
    add("TLS", "plain HTTP in its place", || {
        let text = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        Scene::of(demo()).behind(|_| Does::Says(text.to_vec()))
    });
    add("TLS", "another protocol in its place", || Scene::of(demo()).behind(|_| Does::Says(b"SSH-2.0-x\r\n".to_vec())));
    add("TLS", "garbage without end", || Scene::of(demo()).behind(|_| Does::Repeats(vec![b'x'; 4096])));
    add("TLS", "an alert: no common version or cipher", || {
        Scene::of(demo()).behind(|_| Does::Says(vec![0x15, 3, 3, 0, 2, 2, 40]))
    });
    add("TLS", "the handshake stalls in the middle", || {
        Scene::of(demo()).behind(|sim| Does::PassesOn(sim.addr(), 200, Then::Stalls))
    });
    add("TLS", "the handshake drips, 20 bytes a second", || {
        Scene::of(demo()).behind(|sim| Does::PassesOn(sim.addr(), 5, Then::Drips(Duration::from_millis(50))))
    });
    add("TLS", "closed in the middle of the handshake", || {
        Scene::of(demo()).behind(|sim| Does::PassesOn(sim.addr(), 200, Then::Closes))
    });
    add("TLS", "reset in the middle of the handshake", || {
        Scene::of(demo()).behind(|sim| Does::PassesOn(sim.addr(), 200, Then::Resets))
    });
    add("TLS", "another certificate than the pinned one", || {
        let (mut scene, other) = (Scene::of(demo()), Sim::builder().start());
        scene.config = scene.config.replace(&scene.sim.pin(), &other.pin());
        scene
    });
    add("TLS", "the pinned certificate, shown by somebody without its key", || {
        let other = Sim::builder().start();
        let mut scene = Scene::of(demo().impostor(other.cert_pem()));
        scene.config = scene.config.replace(&scene.sim.pin(), &other.pin());
        scene
    });
    add("TLS", "an expired certificate, which is pinned", || Scene::of(demo().cert(CertKind::Expired)));
    cases
}

/// Certificates of which the CA is trusted, and not the one that is shown.
fn with_ca(fault: &str, kind: CertKind, ca: fn(&Sim) -> String) -> Case {
    case("TLS", fault, move || {
        let mut scene = Scene::of(demo().cert(kind));
        // Beside the password, in the simulator's own folder.
        let file = scene.sim.password_file().with_file_name("ca.pem");
        std::fs::write(&file, ca(&scene.sim)).unwrap();
        let pin = format!("tls_pin = \"{}\"", scene.sim.pin());
        assert!(scene.config.contains(&pin));
        scene.config = scene.config.replace(&pin, &format!("ca_file = '{}'", file.display()));
        scene
    })
}

/// Names that a name server does not know, or that it says nothing about; none where no such place can be made.
fn names() -> Option<Vec<Case>> {
    const NAME: &str = "zvm.corp.example";
    let env = Env::new();
    if with_etc(&env, &[("../hosts", "")], &["check", "--", "ls"], "").is_none() {
        skip("no mount namespace can be made here");
        return None;
    }
    // No port but this one can be named in resolv.conf. Whatever comes is left lying in it.
    let silent = Ipv4Addr::new(127, 9, 5, 4);
    let Ok(socket) = UdpSocket::bind((silent, 53)) else {
        eprintln!("SKIPPED: port 53 can't be listened at by this user");
        return None;
    };
    std::mem::forget(socket);
    let of = |fault: &str, services: &str| {
        let scene = || {
            let scene = Scene::of(demo());
            let url = scene.sim.url().replace("127.0.0.1", NAME);
            scene.at(&url)
        };
        let etc = vec![
            ("../hosts", "127.0.0.1 localhost\n".to_owned()),
            ("../nsswitch.conf", format!("hosts: {services}\n")),
            ("../resolv.conf", format!("nameserver {silent}\noptions timeout:30 attempts:1\n")),
        ];
        Case { etc, ..case("name", fault, scene) }
    };
    Some(vec![of("it is not known", "files"), of("the name server says nothing", "files dns")])
}

/// A fault of each answer to a step.
fn answers(step: Step, name: &str) -> Vec<Case> {
    let lost = match step {
        Step::Token => listed::logins(),
        Step::Insert => listed::lost(),
        _ => vec![],
    };
    let scene = move |listed: &Listed| match step {
        Step::Insert | Step::Task | Step::CheckpointList => {
            Scene::of_one_vpg(demo().fault(step, listed.fault.clone(), listed.times))
        }
        Step::TaskList => {
            // Another machine's insert runs and runs, ours fails for it, and whether that was why is asked.
            let scene = Scene::of_one_vpg(demo().fault(step, listed.fault.clone(), listed.times));
            scene.sim.next_inserts_at("db01-dr", 1, &InsertOutcome::stuck(1));
            scene.sim.insert_elsewhere("db01-dr", "another's").unwrap();
            scene
        }
        _ => {
            let (mut sim, fault) = (demo(), listed.fault.clone());
            if matches!(fault, Fault::GoDown) {
                sim = sim.fault(step, Fault::Delay(BESIDE), Times::Always);
            }
            Scene::of(sim.fault(step, fault, listed.times))
        }
    };
    let cases = listed::answers().into_iter().chain(lost);
    cases.map(|listed| case(name, &listed.name.clone(), move || scene(&listed))).collect()
}

/// An insert that goes wrong at one VPG of two.
fn at_one_of_two() -> Vec<Case> {
    let cases = listed::answers().into_iter().chain(listed::lost());
    cases
        .filter(|listed| listed.times == Times::Always && !matches!(listed.fault, Fault::GoDown))
        .map(|listed| {
            let scene = move |listed: &Listed| {
                let scene = Scene::of(demo());
                let path = format!("POST /v1/vpgs/{}/checkpoints", scene.sim.vpg_id("web01-dr").unwrap());
                scene.sim.fault(Route::from(path.as_str()), listed.fault.clone(), listed.times);
                scene
            };
            let name = listed.name.clone();
            Case { is_of_one: true, ..case("insert at one VPG of two", &name, move || scene(&listed)) }
        })
        .collect()
}

#[test]
fn what_a_guard_does_about_each_fault_is_what_the_page_says() {
    let named = names();
    let without_names = named.is_none();
    // An answer is waited for so long, and then the tag is looked for. Begun first, since it lasts.
    let hang = Fault::AfterProcessing(Box::new(Fault::Hang));
    let long = move || Scene::of_one_vpg(demo().fault(Step::Insert, hang.clone(), Times::Always));
    let deadline = Duration::from_secs(40);
    let mut cases = vec![Case {
        deadline,
        ..case("insert", "done, then hang for the 15 s that an answer is waited for, of a deadline of 40 s", long)
    }];
    cases.extend(named.into_iter().flatten());
    cases.extend(network());
    cases.push(with_ca("an expired certificate, trusted by ca_file", CertKind::Expired, |sim| {
        sim.cert_pem().to_owned()
    }));
    cases.push(with_ca("a certificate of another CA than that of ca_file", CertKind::SignedByCa, |_| {
        Sim::builder().cert(CertKind::SignedByCa).start().ca_pem().unwrap().to_owned()
    }));
    cases.push(with_ca(
        "a certificate without the host's name, trusted by ca_file",
        CertKind::SelfSignedNoSan,
        |sim| sim.cert_pem().to_owned(),
    ));
    for (step, name) in STEPS {
        cases.extend(answers(step, name));
    }
    cases.extend(at_one_of_two());
    let rows = trying::try_all("guard", &cases, run);
    assert!(!listed::was_redirect_followed(), "a redirect was followed");
    page_but(
        "guard",
        &rows,
        &[(
            "a fault while the name of a ZVM is looked up by another service than `files` and `dns` (NIS, LDAP, systemd)",
            "the system's own resolver asks it, and it is bounded by the same deadline as the silent name server above.",
        )],
        without_names.then_some("name"),
    );
}

#[test]
fn the_matrix_has_every_step_that_a_guard_asks_for() {
    let sim = demo().start();
    let env = crate::guard_story::home(&sim);
    assert_eq!(env.hook(change(&env, "web01")).code, Some(0));
    for request in sim.requests() {
        let step = Step::of(&request.method, &request.path);
        assert!(STEPS.iter().any(|(known, _)| step == Some(*known)), "{} is not in the matrix", request.line());
    }
}
