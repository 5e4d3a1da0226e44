use super::*;
use crate::guard::fake::{Fake, vpg};
use crate::zvm::error::ZvmErrorKind;
use std::sync::Arc;

fn draft() -> Draft {
    Draft::new("claude", "restart nginx", &["web01"], "c1")
}

fn tag_of(agent: &str, vm: &str, change: &str, second: i64) -> String {
    Draft::new(agent, "something else", &[vm], change)
        .stamped(jiff::Timestamp::from_second(1_800_000_000 + second).unwrap())
}

fn look(fake: &Arc<Fake>, vpgs: &[&str]) -> Option<(String, Vec<String>)> {
    let vpgs: Vec<Vpg> = vpgs.iter().map(|name| vpg(name)).collect();
    let places: Vec<(&dyn Appliance, &Vpg, Clock)> =
        vpgs.iter().map(|vpg| (fake as &dyn Appliance, vpg, Clock::says(fake.now()))).collect();
    standing(&draft(), &places, Duration::from_secs(120))
}

#[test]
fn a_younger_tag_in_every_vpg() {
    let fake = Fake::with_web01(&["a", "b"]);
    let (old, new) = (tag_of("claude", "web01", "c1", 0), tag_of("claude", "web01", "c1", 60));
    fake.stood("a", "1", &old, 100);
    fake.stood("b", "2", &old, 100);
    fake.stood("a", "3", &new, 40);
    assert_eq!(
        look(&fake, &["a", "b"]),
        Some((old, vec!["1".to_owned(), "2".to_owned()])),
        "the newer is missing in b"
    );
    fake.stood("b", "4", &new, 39);
    assert_eq!(look(&fake, &["a", "b"]), Some((new, vec!["3".to_owned(), "4".to_owned()])));
    assert_eq!(look(&fake, &["a", "b", "c"]), None);
}

#[test]
fn neither_an_older_one_nor_one_from_the_future() {
    for (ago, fits) in [(121, false), (118, true), (0, true), (-60, false)] {
        let fake = Fake::with_web01(&["a"]);
        fake.change(|world| world.whole_journal = true);
        fake.stood("a", "1", &tag_of("claude", "web01", "c1", 0), ago);
        assert_eq!(look(&fake, &["a"]).is_some(), fits, "{ago}");
    }
    let fake = Fake::with_web01(&["a"]);
    fake.stood("a", "1", &tag_of("claude", "web01", "c1", 0), 5);
    fake.change(|world| world.journal[0].1.time = None);
    assert_eq!(look(&fake, &["a"]), None, "its age is not known");
}

#[test]
fn only_of_the_same_agent_vm_and_change() {
    for (agent, vm, change) in [("codex", "web01", "c1"), ("claude", "web02", "c1"), ("claude", "web01", "c2")] {
        let fake = Fake::with_web01(&["a"]);
        fake.stood("a", "1", &tag_of(agent, vm, change, 0), 5);
        assert_eq!(look(&fake, &["a"]), None);
    }
}

#[test]
fn no_listing_no_reuse() {
    let fake = Fake::with_web01(&["a"]);
    fake.stood("a", "1", &tag_of("claude", "web01", "c1", 0), 5);
    fake.change(|world| world.faults.insert("list", ZvmErrorKind::Unreachable));
    assert_eq!(look(&fake, &["a"]), None);
    assert_eq!(look(&fake, &[]), None);
}
