//! From what a person types to one checkpoint of one VM in one VPG, at the ZVM that can mount it.

use std::sync::Arc;
use std::time::Duration;
use zerto_guard::config::read;
use zerto_guard::rewind::desk::Desk;
use zerto_guard::rewind::error::RewindError;
use zerto_guard::rewind::find::{Found, FoundTag, Narrow, place, split, tag};
use zerto_guard::state::StateDir;
use zvm_sim::{Sim, VmSpec, VpgSpec};

const OLD: &str = "ai:claude | edit /etc/app.yaml | vm=web01 | change=chg-412 | 20260921T150405Z";
const NEW: &str = "ai:codex | restart nginx | vm=web01,db01 | change=c7 | 20260921T160000Z";
const REMOTE: &str = "ai:cli | upgrade: step 2 | vm=remote01 | change=c8 | 20260921T170000Z";
const FOREIGN: &str = "nightly backup: db";

struct Machine {
    sims: Vec<Sim>,
    desk: Arc<Desk>,
    _outer: tempfile::TempDir,
}

impl Machine {
    fn with(sims: Vec<Sim>) -> Self {
        let outer = tempfile::tempdir().unwrap();
        let text: String = sims.iter().map(|sim| sim.config_toml() + "\n").collect();
        let config = read::merge(read::Partial::default(), read::parse(&text, None).unwrap());
        let desk = Desk::new(&config, StateDir::at(outer.path().join("state"))).unwrap();
        Self { sims, desk, _outer: outer }
    }

    /// One ZVM, at nyc.
    fn one() -> Self {
        Self::with(vec![world()])
    }

    /// That of bos too.
    fn two() -> Self {
        let sim = world();
        let peer = sim.peer_zvm("bos").unwrap().start();
        Self::with(vec![sim, peer])
    }

    fn tag(&self, text: &str, vm: &str, vpg: &str) -> Result<FoundTag, RewindError> {
        tag(&self.desk, text, &narrow(vm, vpg))
    }

    fn place(&self, text: &str, vm: &str, vpg: &str) -> Result<Found, RewindError> {
        place(&self.desk, &self.tag(text, vm, vpg)?, &narrow(vm, vpg))
    }
}

fn narrow(vm: &str, vpg: &str) -> Narrow {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Narrow { vm: given(vm), vpg: given(vpg) }
}

fn world() -> Sim {
    let sim = Sim::builder().demo_world().start();
    sim.with_state(|s| s.vpg_mut("remote01-dr").unwrap().configured_history_minutes = 6_000);
    for (vpg, ago, tag) in [
        ("web01-local", 7_200, OLD),
        ("web01-dr", 7_201, OLD),
        ("web01-dr", 600, NEW),
        ("web01-local", 600, NEW),
        ("db01-dr", 601, NEW),
        ("remote01-dr", 200_000, REMOTE),
        ("db01-dr", 60, FOREIGN),
    ] {
        sim.put_tag(vpg, Duration::from_secs(ago), tag).unwrap();
    }
    sim
}

#[test]
fn every_spelling_of_a_tag() {
    let machine = Machine::one();
    for (typed, vm, vpg, meant) in [
        ("latest", "", "", NEW),
        ("latest~0", "", "", NEW),
        ("latest~1", "", "", OLD),
        // Older than a day: the first look is at the last one only.
        ("latest~2", "", "", REMOTE),
        ("latest", "remote01", "", REMOTE),
        ("latest~1", "web01", "", OLD),
        ("latest", "", "remote01-dr", REMOTE),
        ("chg-412", "", "", OLD),
        ("change=c7", "", "", NEW),
        ("c7", "10.20.0.12", "", NEW),
        (OLD, "", "", OLD),
        (FOREIGN, "", "", FOREIGN),
        (FOREIGN, "DB01", "DB01-dr", FOREIGN),
        // The other VM of that checkpoint.
        (FOREIGN, "db01", "", FOREIGN),
    ] {
        let found = machine.tag(typed, vm, vpg).unwrap();
        assert_eq!(found.tagged.tag, meant, "{typed} {vm} {vpg}");
    }
    let two = machine.tag("latest", "web01", "").unwrap().tagged;
    assert_eq!(two.places.len(), 2, "both of its VPGs");
    assert_eq!(machine.tag("latest", "", "web01-DR").unwrap().tagged.places.len(), 1);
}

#[test]
fn a_checkpoints_identifier_tagged_or_not() {
    let vpg = |name: &str| VpgSpec::local(name).history_minutes(600, 60).checkpoints(40);
    let vms = Sim::builder().vm(VmSpec::new("a1").vpg(vpg("a"))).vm(VmSpec::new("b1").vpg(vpg("b").tag(30, REMOTE)));
    let machine = Machine::with(vec![vms.start()]);
    let sim = &machine.sims[0];
    let tagged = sim.checkpoint("b", REMOTE).unwrap();
    let found = machine.tag(&tagged, "", "b").unwrap().tagged;
    assert_eq!((found.tag.as_str(), found.places[0].checkpoint.as_str()), (REMOTE, tagged.as_str()));
    let plain = sim.journal("a").into_iter().find(|made| made.tag.is_none()).unwrap().id;
    let found = machine.tag(&plain, "a1", "").unwrap().tagged;
    assert_eq!((found.places.len(), found.places[0].checkpoint.as_str()), (1, plain.as_str()));
    assert!(found.tag.contains("without a tag"), "{}", found.tag);
    let placed = machine.place(&plain, "a1", "").unwrap();
    assert_eq!((placed.vm.name.as_str(), placed.vpg.name.as_str()), ("a1", "a"));
    // Other VPGs have the same numbers.
    let error = machine.tag(&plain, "", "").unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
    assert!(error.to_string().contains(&format!("b checkpoint {plain}")) && error.hint().contains("--vpg"), "{error}");
}

#[test]
fn what_means_nothing_or_several() {
    let machine = Machine::one();
    for (typed, vm, vpg, code, words) in [
        ("latest~9", "", "", 3, "No tag is \"latest~9\""),
        ("nosuch", "", "", 3, "No tag is \"nosuch\""),
        ("987654321", "", "", 3, "No tag is"),
        ("latest", "nosuch", "", 3, "No VM for \"nosuch\""),
        ("latest", "", "nosuch", 3, "No VPG that was looked at is called \"nosuch\""),
        ("latest", "app01", "", 4, "more than one VM"),
    ] {
        let error = machine.tag(typed, vm, vpg).unwrap_err();
        assert_eq!(error.exit_code(), code, "{typed}: {error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(!error.hint().is_empty(), "{error}");
    }
    // One change that was tried twice.
    let sim = &machine.sims[0];
    sim.put_tag("web01-dr", Duration::from_secs(30), &OLD.replace("150405", "150407")).unwrap();
    let error = machine.tag("chg-412", "", "").unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("150405Z") && error.to_string().contains("150407Z"), "{error}");
}

#[test]
fn a_tag_and_a_path_are_parted_where_they_should_be() {
    let machine = Machine::one();
    for (typed, meant, path) in [
        ("latest:/etc/app.yaml".to_owned(), NEW, "/etc/app.yaml"),
        ("c7:C:\\Users\\j\\app.conf".to_owned(), NEW, "C:\\Users\\j\\app.conf"),
        (format!("{OLD}:/etc/a:b"), OLD, "/etc/a:b"),
        (format!("{REMOTE}:/x"), REMOTE, "/x"),
        (format!("{FOREIGN}:/srv/x"), FOREIGN, "/srv/x"),
        (format!("{FOREIGN}:C:/x"), FOREIGN, "C:/x"),
    ] {
        let (found, guest) = split(&machine.desk, &typed, &Narrow::default()).unwrap();
        assert_eq!((found.tagged.tag.as_str(), guest.typed.as_str()), (meant, path), "{typed}");
    }
    for (typed, code) in
        [("latest", 64), ("latest:", 64), ("latest:etc/x", 64), ("latest:/a/../b", 64), ("nosuch:/x", 3)]
    {
        let error = split(&machine.desk, typed, &Narrow::default()).unwrap_err();
        assert_eq!(error.exit_code(), code, "{typed}: {error}");
    }
}

#[test]
fn files_come_from_the_recovery_site_of_a_configured_zvm() {
    let machine = Machine::one();
    // Of its two VPGs one recovers here.
    let found = machine.place("chg-412", "", "").unwrap();
    assert_eq!((found.place.vpg.as_str(), found.vm.name.as_str(), found.zvm), ("web01-local", "web01", 0));
    let found = machine.place("c8", "", "").unwrap();
    assert_eq!((found.place.vpg.as_str(), found.zvm), ("remote01-dr", 0));
    for (text, vm, vpg) in [("c7", "db01", ""), ("chg-412", "", "web01-dr"), (FOREIGN, "", "")] {
        let error = machine.place(text, vm, vpg).unwrap_err();
        assert_eq!(error.exit_code(), 5, "{error}");
        assert!(error.to_string().contains("recovers to site \"bos\""), "{error}");
        assert!(error.hint().contains("guards = false"), "{}", error.hint());
    }
    let machine = Machine::two();
    for (text, vm, vpg, chosen, zvm) in [
        ("c7", "db01", "", "db01-dr", 1),
        ("chg-412", "", "web01-dr", "web01-dr", 1),
        ("chg-412", "", "", "web01-local", 0),
    ] {
        let found = machine.place(text, vm, vpg).unwrap();
        assert_eq!((found.place.vpg.as_str(), found.zvm), (chosen, zvm), "{text}");
        let sim = &machine.sims[zvm];
        assert_eq!(found.vpg.recovery_site.local, Some(true));
        assert!(sim.journal(chosen).iter().any(|made| made.id == found.place.checkpoint), "{text}");
    }
}

#[test]
fn which_vm_is_never_guessed() {
    let machine = Machine::two();
    let error = machine.place("c7", "", "").unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
    assert!(error.to_string().contains("web01 (") && error.to_string().contains("db01 ("), "{error}");
    assert!(error.hint().contains("--vm"), "{}", error.hint());
    assert_eq!(machine.place("c7", "web01", "").unwrap().vm.name, "web01");
    // A tag of a VM that is not in the VPG (any more).
    let gone = "ai:claude | x | vm=gone01 | change=c9 | 20260921T180000Z";
    machine.sims[0].put_tag("web01-local", Duration::from_secs(5), gone).unwrap();
    let error = machine.place("c9", "", "").unwrap_err();
    assert_eq!(error.exit_code(), 3, "{error}");
    assert!(error.to_string().contains("gone01") && error.hint().contains("--vm"), "{error}");
    assert_eq!(machine.place(gone, "web01", "").unwrap().vm.name, "web01");
}

#[test]
fn a_checkpoint_that_cannot_be_mounted_is_not_tried() {
    let machine = Machine::two();
    let refuse = |sim: &Sim, vpg: &str| {
        let checkpoint = sim.checkpoint(vpg, OLD).unwrap();
        assert!(sim.refuse_mount_of(vpg, &checkpoint, "The datastore is gone."));
    };
    refuse(&machine.sims[0], "web01-local");
    assert_eq!(machine.place("chg-412", "", "").unwrap().place.vpg, "web01-dr", "the other VPG");
    refuse(&machine.sims[1], "web01-dr");
    let error = machine.place("chg-412", "", "").unwrap_err();
    assert_eq!(error.exit_code(), 1, "{error}");
    let text = error.to_string();
    assert!(text.contains("VPG web01-local: The datastore is gone; VPG") && text.contains("VPG web01-dr"), "{text}");
    for sim in &machine.sims {
        assert!(sim.sessions().is_empty());
    }
}

#[test]
fn a_name_that_was_given_twice_is_not_guessed_at() {
    let machine = Machine::two();
    let sim = &machine.sims[0];
    // Somebody's nightly job gives the same name every night, in both VPGs.
    let nightly = "nightly";
    let old = sim.put_tag("web01-local", Duration::from_secs(9_000), nightly).unwrap();
    let new = sim.put_tag("web01-local", Duration::from_secs(900), nightly).unwrap();
    for vpg in ["", "web01-local"] {
        let error = machine.tag(nightly, "web01", vpg).unwrap_err();
        assert_eq!(error.exit_code(), 4, "{error}");
        for checkpoint in [&old, &new] {
            assert!(error.to_string().contains(&format!("web01-local checkpoint {checkpoint},")), "{error}");
        }
        assert!(error.hint().contains("checkpoint"), "{}", error.hint());
    }
    for checkpoint in [&old, &new] {
        let found = machine.place(checkpoint, "web01", "web01-local").unwrap();
        assert_eq!((&found.place.checkpoint, found.tagged.places.len()), (checkpoint, 1));
    }
}

#[test]
fn what_is_no_tag_of_ours_is_of_another_moment_in_each_vpg() {
    let machine = Machine::two();
    let sim = &machine.sims[0];
    let local = sim.put_tag("web01-local", Duration::from_secs(9_000), "nightly").unwrap();
    // So that the two are of different numbers.
    sim.put_tag("web01-dr", Duration::from_secs(2_000), "weekly").unwrap();
    let remote = sim.put_tag("web01-dr", Duration::from_secs(900), "nightly").unwrap();
    assert_ne!(local, remote);
    let error = machine.place("nightly", "web01", "").unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
    assert!(error.to_string().contains("web01-local checkpoint") && error.to_string().contains("web01-dr checkpoint"));
    assert_eq!(machine.place("nightly", "web01", "web01-dr").unwrap().place.checkpoint, remote);
    // A number names the checkpoint that has it, and not what another VPG has under the same name.
    let numbered = machine.tag(&remote, "web01", "").unwrap().tagged.places;
    assert_eq!(numbered.iter().map(|place| place.vpg.as_str()).collect::<Vec<_>>(), ["web01-dr"]);
}

#[test]
fn a_number_is_not_that_of_the_vpg_alone_that_has_a_tag_there() {
    let vpg = |name: &str| VpgSpec::local(name).history_minutes(600, 60).checkpoints(40);
    let vms = Sim::builder().vm(VmSpec::new("a1").vpg(vpg("a"))).vm(VmSpec::new("b1").vpg(vpg("b").tag(30, REMOTE)));
    let machine = Machine::with(vec![vms.start()]);
    let number = machine.sims[0].checkpoint("b", REMOTE).unwrap();
    assert!(machine.sims[0].journal("a").iter().any(|made| made.id == number), "the world has it twice");
    let error = machine.tag(&number, "", "").unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
    assert_eq!(machine.tag(&number, "", "b").unwrap().tagged.tag, REMOTE);
}

/// A machine whose second ZVM, that of bos, does not answer.
fn half_lost() -> Machine {
    let sim = world();
    let lost = sim.config_toml().replace(sim.url(), &Sim::refused_url()).replace("name = \"sim\"", "name = \"bos\"");
    let outer = tempfile::tempdir().unwrap();
    let text = format!("{}\n{lost}", sim.config_toml());
    let config = read::merge(read::Partial::default(), read::parse(&text, None).unwrap());
    let desk = Desk::new(&config, StateDir::at(outer.path().join("state"))).unwrap();
    Machine { sims: vec![sim], desk, _outer: outer }
}

#[test]
fn with_a_silent_zvm_nothing_is_taken_for_the_newest_or_for_not_configured() {
    let machine = half_lost();
    // Of all VMs the newest tag may be one that can't be read; of one VM each of its VPGs has it.
    let error = machine.tag("latest", "", "").unwrap_err();
    assert_eq!(error.exit_code(), 6, "{error}");
    assert!(error.to_string().contains("can't be told") && error.hint().contains("--vm"), "{error}");
    assert_eq!(machine.tag("latest", "web01", "").unwrap().tagged.tag, NEW);
    assert_eq!(machine.tag("chg-412", "", "").unwrap().tagged.tag, OLD);
    // The ZVM that could mount it may be the one that is silent.
    let error = machine.place("c7", "db01", "").unwrap_err();
    assert_eq!(error.exit_code(), 6, "{error}");
    assert!(error.to_string().contains("no configured ZVM that answered is local"), "{error}");
    assert!(error.hint().contains("did not answer"), "{}", error.hint());
}
