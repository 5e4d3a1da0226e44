//! A large site: what is read and what it takes of memory does not grow with it, but where the whole inventory has to be listed.

use crate::guard_story::{home, home_with};
use std::collections::BTreeMap;
use zvm_sim::{Sim, Step, VmSpec, VpgSpec};

/// The most that a process may have resident, in KiB.
const MEMORY: u64 = 64 * 1024;

const ADDRESS: &str = "10.250.1.1";
const IDENTIFIER: &str = "0f6d3c5e-1111-2222-3333-444455556666.vm-77";

/// `web01` in the VPG `gold`, and these many others.
fn world(others: usize, vpgs: usize, checkpoints: u32) -> Sim {
    let tag = |number: u32| format!("ai:claude | step {number} | vm=web01 | change=c{number} | 20260921T150405Z");
    let gold = VpgSpec::local("gold").history_minutes(10_080, 60).checkpoints(checkpoints);
    let gold = gold.tag(5, &tag(2)).tag(30, &tag(1));
    let web01 = VmSpec::new("web01").identifier(IDENTIFIER).ip(ADDRESS).vpg(gold);
    let others = (0..others).map(|nr| {
        let vm = VmSpec::new(&format!("vm{nr}")).ip(&format!("10.{}.{}.{}", nr / 40_000, nr / 200 % 200, nr % 200 + 1));
        vm.vpg(VpgSpec::local(&format!("vpg{}", nr % vpgs)))
    });
    others.fold(Sim::builder().vm(web01), |sim, vm| sim.vm(vm)).start()
}

/// Of each question how long the longest answer was, whether the whole inventory was asked for, and the memory it took.
struct Read {
    answers: BTreeMap<String, u64>,
    inventories: usize,
    memory: u64,
}

fn read(sim: &Sim, arguments: &[&str]) -> Read {
    let env = home_with(sim, "[guard]\ndeadline = '60s'\n");
    sim.clear_log();
    let (ran, memory) = env.run_measured(arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    let (mut answers, mut inventories) = (BTreeMap::new(), 0);
    for request in sim.requests().iter().filter(|request| request.path.starts_with("/v1/")) {
        let step = Step::of(&request.method, &request.path);
        if step == Some(Step::VmList) && request.query.is_empty() {
            inventories += 1;
            continue;
        }
        let most: &mut u64 = answers.entry(format!("{step:?}")).or_default();
        *most = request.answer_bytes.unwrap().max(*most);
    }
    Read { answers, inventories, memory }
}

#[test]
fn a_site_of_5_000_vms_1_500_vpgs_and_100_000_checkpoints() {
    let large = world(5_000, 1_499, 100_000);
    let small = world(5, 5, 20);
    assert!(large.journal("gold").len() >= 100_000);
    let mut figures = Vec::new();
    for (name, inventories) in [("web01", 0), (IDENTIFIER, 0), (ADDRESS, 1)] {
        for arguments in [
            &["find", name][..],
            &["guard", "--vm", name, "--action", "x"],
            &["rewind", "log", name, "--since", "1h", "--json"],
        ] {
            let (few, many) = (read(&small, arguments), read(&large, arguments));
            figures.push(format!("{arguments:?}: {} KiB, {} in a small site", many.memory, few.memory));
            assert!(few.memory > 1024 && many.memory < MEMORY, "{figures:#?}");
            assert_eq!((few.inventories, many.inventories), (inventories, inventories), "{arguments:?}");
            assert_eq!(few.answers.keys().collect::<Vec<_>>(), many.answers.keys().collect::<Vec<_>>());
            for (step, bytes) in &many.answers {
                // A name or a number may be a few characters longer. An hour of a journal holds 720 checkpoints, of which the
                // small one has 20.
                let more = if step.contains("CheckpointList") && arguments[0] == "rewind" { 150_000 } else { 1_000 };
                assert!(*bytes <= few.answers[step] + more, "{arguments:?} {step}: {} and {bytes}", few.answers[step]);
            }
        }
    }
    figures.push(format!("the log of a VM, all of it: {} KiB", its_whole_log(&large)));
    eprintln!("{figures:#?}");
}

/// The log of a VM reads that VM's journals, and them in parts. The memory that it took.
fn its_whole_log(sim: &Sim) -> u64 {
    let gold = sim.vpg_id("gold").unwrap();
    let env = home(sim);
    sim.clear_log();
    let (ran, memory) = env.run_measured(&["rewind", "log", "web01", "--json"]);
    // Two that stood there, and one of each guard.
    assert_eq!(ran.json().as_array().unwrap().len(), 2 + 3, "{}", ran.stderr);
    assert!(memory < MEMORY, "{memory} KiB");
    for request in sim.requests().iter().filter(|request| request.path.starts_with("/v1/")) {
        let of_it = request.path.contains(&gold)
            || request.query.contains("vmName=web01")
            || request.query.contains("vmIdentifier=");
        assert!(of_it, "{} ?{}", request.line(), request.query);
        // Half a day of checkpoints: what is read at once is bounded by time.
        assert!(request.answer_bytes.unwrap() < 2_000_000, "{}: {:?}", request.line(), request.answer_bytes);
    }
    // All VMs' tags have to be looked through for a change, but of a VPG that is named no other journal is read.
    sim.clear_log();
    let (ran, most) = env.run_measured(&["rewind", "show", "c2", "--vpg", "gold"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for request in sim.requests().iter().filter(|request| request.path.starts_with("/v1/vpgs/")) {
        assert!(request.path.contains(&gold), "{}", request.line());
    }
    assert!(most < MEMORY, "{most} KiB");
    memory.max(most)
}
