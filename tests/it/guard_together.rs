//! Several guards at one VPG at the same moment, on one machine and on several, against the simulator.

use crate::guard_machine::{Call, Machine, demo};
use std::time::Duration;
use zvm_sim::{Casing, DateForm, Sim};

/// As many guards at the same moment, each on one of these machines.
fn at_the_same_moment(sim: &Sim, machines: &[Machine], guards: usize) {
    // Logged in one after another: what is looked at here are the inserts, not Keycloak's race.
    for machine in machines {
        machine.find(sim, "web01");
    }
    let tags: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..guards)
            .map(|n| {
                let machine = &machines[n % machines.len()];
                scope.spawn(move || {
                    let change = format!("c{n}");
                    machine.guard(&Call { change: &change, ..Call::at(&[sim]) })
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap().tag).collect()
    });
    for vpg in ["web01-local", "web01-dr"] {
        let mut stand = sim.tags(vpg);
        let mut made = tags.clone();
        stand.sort();
        made.sort();
        assert_eq!(stand, made, "each tag once, in {vpg}");
    }
}

fn machines(count: usize) -> Vec<Machine> {
    (0..count).map(|_| Machine::new()).collect()
}

#[test]
fn two_guards_of_one_machine_take_turns() {
    let sim = demo().insert_time(Duration::from_millis(300)).start();
    at_the_same_moment(&sim, &machines(1), 2);
    assert!(sim.tasks().iter().all(|task| task.state == 6), "no insert ran into another");
}

#[test]
fn eight_guards_of_one_machine_take_turns() {
    let sim = demo().insert_time(Duration::from_millis(100)).start();
    at_the_same_moment(&sim, &machines(1), 8);
    assert!(sim.tasks().iter().all(|task| task.state == 6), "no insert ran into another");
    assert_eq!(sim.tasks().len(), 16);
}

#[test]
fn two_machines_at_one_vpg_both_succeed() {
    let sim = demo().insert_time(Duration::from_millis(300)).start();
    at_the_same_moment(&sim, &machines(2), 2);
}

#[test]
fn eight_machines_at_one_vpg_all_succeed() {
    let sim = demo().insert_time(Duration::from_millis(150)).start();
    at_the_same_moment(&sim, &machines(8), 8);
    assert!(sim.tasks().iter().any(|task| task.state == 4), "they did run into each other");
}

#[test]
fn old_dates_and_spare_answers_are_evidence_too() {
    for dates in [DateForm::Iso, DateForm::Ticks] {
        let sim = demo()
            .insert_time(Duration::from_millis(600))
            .settings(|s| (s.dates, s.casing, s.sparse) = (dates, Casing::Camel, true))
            .start();
        assert!(sim.insert_elsewhere("web01-dr", "another").is_some());
        let guarded = Machine::new().web01(&sim).unwrap();
        assert_eq!(sim.tags("web01-dr"), ["another".to_owned(), guarded.tag]);
    }
}

#[test]
fn busy_from_another_machine_is_tried_again_with_the_same_tag() {
    let sim = demo().insert_time(Duration::from_millis(900)).start();
    assert!(sim.insert_elsewhere("web01-dr", "another").is_some());
    let guarded = Machine::new().web01(&sim).unwrap();
    let ours: Vec<_> = sim.tasks().into_iter().filter(|t| t.tag == guarded.tag).collect();
    assert!(ours.len() >= 3 && ours.iter().any(|t| t.state == 4), "{ours:?}");
    assert_eq!(sim.tags("web01-dr").len(), 2);
    assert_eq!(sim.tags("web01-local").len(), 1);
}
