//! Clocks that do not agree.

use super::{Job, Kind, World, side_by_side};
use crate::faults::{Wrong, page};
use zvm_sim::Step;

#[test]
fn clocks() {
    let mut jobs: Vec<Job> = Vec::new();
    let hour = 3_600_000;
    for (fault, offset) in [
        ("an hour ahead", hour),
        ("an hour behind", -hour),
        ("a day ahead", 24 * hour),
        ("a day behind", -24 * hour),
        ("ten years ahead", 87_600 * hour),
        ("ten years behind", -87_600 * hour),
    ] {
        for kind in [Kind::Change, Kind::Recover] {
            jobs.push(Box::new(move || {
                let world = World::made(super::AMPLE, |sim| sim.clock_offset_ms(offset));
                let end = world.run(kind);
                let mut row = world.row("the ZVM's clock, against the machine's", fault, kind, &end);
                // A journal is read where it is, and not from its beginning to whatever the machine takes for now.
                let asked = world.sim.requests_of(Step::CheckpointList).len();
                if asked > 60 {
                    row.wrong.push((Wrong::Contract, format!("{asked} listings of checkpoints")));
                }
                vec![row]
            }));
        }
    }
    page(
        "machine: clocks",
        &side_by_side(&jobs),
        &[(
            "the machine's clock, set while a guard runs",
            "it is one for the whole machine (a time namespace has no clock of the \
          day), and a test may not set it; every wait is measured by the clock that nobody can set",
        )],
    );
}
