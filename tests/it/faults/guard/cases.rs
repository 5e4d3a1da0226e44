//! The faults that are tried while `hook` guards a call: of the way to the ZVM, and of each of its answers.
//!
//! Must not: try one, or say what comes of it.

use super::super::listed::{self, BESIDE, Listed};
use super::super::network::{Does, Then};
use super::{Case, Scene, case};
use crate::env::{Env, skip};
use crate::guard_story::demo;
use crate::managed::with_etc;
use std::net::{Ipv4Addr, UdpSocket};
use std::time::Duration;
use zvm_sim::{CertKind, Fault, InsertOutcome, Route, Sim, Step, Times};

pub fn network() -> Vec<Case> {
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
pub fn with_ca(fault: &str, kind: CertKind, ca: fn(&Sim) -> String) -> Case {
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
pub fn names() -> Option<Vec<Case>> {
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
pub fn answers(step: Step, name: &str) -> Vec<Case> {
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
pub fn at_one_of_two() -> Vec<Case> {
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
