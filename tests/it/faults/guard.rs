//! The faults of a ZVM and of the way to it while `hook` guards a call: each is a deny by the deadline, or survived with the
//! tag in every VPG.
//!
//! Owns the section `guard` of docs/faults.md. Must not: try what is the machine's own.

mod cases;

use super::listed::{self, read_too_much};
use super::network::{Does, Listener};
use super::{Row, Took, Wrong, first_line, kind_of_stdout, page_but, secrets_of, trying, way, wrong_of_hook};
use crate::env::{Env, Ran};
use crate::guard_story::{change, demo};
use crate::managed::with_etc;
use cases::{answers, at_one_of_two, names, network, with_ca};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use zvm_sim::{CertKind, Fault, Sim, SimBuilder, Step, Times};

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
    wrong.extend(secrets_of(&env, &[&scene.sim], &ran));
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
    format!("{inserts}; {}", way(&steps, &usual))
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
