//! The faults that are tried while a file is recovered: of each answer, of a download, and of one of two ZVMs; and how long each
//! may take.
//!
//! Must not: try one, or say what comes of it.

use super::super::listed::{self, Listed};
use super::{Case, LONGER, Meanwhile, SIZE, Scene, USUAL};
use std::time::Duration;
use zvm_sim::{Fault, Sim, Step, Times};

/// Whether a fault of that step takes minutes until the program gives up: a ZVM that is silent is given its time, and the end
/// of a mount is tried for three minutes.
pub fn is_long(step: Step, fault: &Fault) -> bool {
    use Step::{Download, FlrBrowse, FlrLink, FlrUnmount, Task, TaskList};
    let is_mounted = matches!(step, TaskList | FlrBrowse | FlrLink | Download | FlrUnmount | Task);
    if is_mounted && is_down(fault) {
        return true;
    }
    let lasts = |fault: &Fault| matches!(fault, Fault::Hang | Fault::SlowDrip { .. });
    let lost = matches!(fault, Fault::AfterProcessing(inner) if lasts(inner));
    (lasts(fault) || lost) && !(step == Download && matches!(fault, Fault::SlowDrip { .. }))
}

fn is_down(fault: &Fault) -> bool {
    match fault {
        Fault::AfterProcessing(inner) => is_down(inner),
        fault => *fault == Fault::GoDown,
    }
}

pub fn scene_of(step: Step, fault: Fault, times: Times) -> Scene {
    let scene = Scene::of_one();
    if step == Step::TaskList {
        // Asked for only where the mount's answer was lost.
        scene.mounting().fault(Step::FlrMount, Fault::ResetAfterProcessing, Times::Next(1));
    }
    if step == Step::Task {
        // Asked for only while the session is not over.
        scene.mounting().with_state(|state| state.settings.flr.unmount_time = Duration::from_millis(700));
    }
    scene.mounting().fault(step, fault, times);
    scene
}

/// A fault of each answer to a step.
pub fn answers(step: Step, name: &str) -> Vec<Case> {
    let changes = matches!(step, Step::FlrMount | Step::FlrUnmount);
    let lost = if changes { listed::lost() } else { vec![] };
    let slow = matches!(step, Step::FlrMount | Step::FlrSession | Step::FlrUnmount | Step::TaskList);
    let limit = if slow { LONGER } else { USUAL };
    let mut cases = Vec::new();
    for Listed { name: fault_name, mut fault, times } in listed::answers().into_iter().chain(lost) {
        let (mut meanwhile, mut times, mut fault_name) = (None, times, fault_name);
        if is_long(step, &fault) {
            if is_down(&fault) {
                let back = Meanwhile::ComesBack(Duration::from_millis(1600));
                (meanwhile, times) = (Some((step, back)), Times::Next(1));
                fault_name = format!("{fault_name}, and is back a moment later");
            } else if step == Step::FlrUnmount || matches!(fault, Fault::SlowDrip { .. }) {
                // A human who waits for the end of a mount is not let go before it has come.
                continue;
            } else {
                (meanwhile, times) = (Some((step, Meanwhile::CtrlC)), Times::Next(1));
                fault_name = format!("{fault_name}, and Ctrl-C");
            }
        }
        if step == Step::Download && matches!(fault, Fault::SlowDrip { .. }) {
            fault = Fault::SlowDrip { bytes: 5_000, every: Duration::from_millis(100) };
            fault_name = "slow drip, 50 kB a second".to_owned();
        }
        let scene = Box::new(move || scene_of(step, fault.clone(), times));
        cases.push(Case { at: name.to_owned(), fault: fault_name, scene, meanwhile, more: &[], limit });
    }
    cases
}

/// What a download can be besides.
pub fn downloads() -> Vec<Case> {
    let case = |fault: &str, what: Fault, ctrl_c: bool| {
        let scene = Box::new(move || scene_of(Step::Download, what.clone(), Times::Always));
        let meanwhile = ctrl_c.then_some((Step::Download, Meanwhile::CtrlC));
        Case { at: "download".into(), fault: fault.into(), scene, meanwhile, more: &[], limit: USUAL }
    };
    vec![
        case("in good order, and shorter than the file", Fault::Shortened(SIZE / 2), false),
        case("in good order, and one byte shorter", Fault::Shortened(SIZE - 1), false),
        case("reset after the last byte but one", Fault::ResetAfter(SIZE - 1), false),
        case("slow drip, 2 bytes a second, and Ctrl-C", listed::drip(), true),
        case("stalls in the middle, and Ctrl-C", Fault::StallAfter(SIZE / 2), true),
    ]
}

/// One of two ZVMs.
pub fn sites() -> Vec<Case> {
    let case = |at: String, fault: &str, break_it: fn(&Sim), which: usize, more| {
        let scene = Box::new(move || {
            let scene = Scene::of_two();
            break_it(&scene.sims[which]);
            scene
        });
        Case { at, fault: fault.into(), scene, meanwhile: None, more, limit: USUAL }
    };
    let mut cases = Vec::new();
    for (which, site) in ["protected", "recovery"].into_iter().enumerate() {
        // Of all VMs, the newest tag may stand where nobody can look; of one, all its VPGs have it.
        for (which_tag, more) in [("the newest tag of all", &[][..]), ("the newest of --vm", &["--vm", "web01"])] {
            let at = format!("the {site} site's ZVM, {which_tag}");
            let status = |sim: &Sim| sim.fault("/v1/**", Fault::Status(503, "{}".into()), Times::Always);
            cases.push(case(at.clone(), "refused", Sim::go_down, which, more));
            cases.push(case(
                at.clone(),
                "401 for ever",
                |sim| sim.fault("/v1/**", Fault::Unauthorized, Times::Always),
                which,
                more,
            ));
            cases.push(case(at, "503", status, which, more));
        }
    }
    cases
}

/// How long each step is waited for, and asked again.
pub fn patience(step: Step) -> Duration {
    Duration::from_secs(match step {
        // Twice fifteen seconds.
        Step::Token | Step::Vpg | Step::CheckpointList | Step::FlrList | Step::ServerTime => 45,
        // Twice a minute.
        Step::VmList | Step::PointsInTime | Step::FlrBrowse | Step::FlrLink => 140,
        // A minute, and what comes of it is looked for.
        Step::FlrMount | Step::TaskList => 100,
        // While it is mounted and while it is unmounted; the list tells in its place.
        Step::FlrSession => 180,
        Step::FlrUnmount | Step::Task => 200,
        // Five minutes until the first byte.
        _ => 330,
    })
}
