//! The verbs of recovery against the simulator: real HTTPS, sessions from their mount to their end, downloads of every
//! kind, a long journal, two sites.

use crate::guard_machine::{Machine, demo};
use sha2::{Digest as _, Sha256};
use std::io::Read as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use zerto_guard::deadline::Deadline;
use zerto_guard::zvm::error::ChangeError;
use zerto_guard::zvm::model::{FlrItemKind, FlrSession, TaskState};
use zerto_guard::zvm::{Zvm, ZvmError, ZvmErrorKind, broken_download};
use zvm_sim::{
    Casing, Content, DateForm, Fault, Guest, InsertOutcome, ItemPaths, LinkForm, MountOutcome, PastEnd, Role, Sim,
    Step, Times, UnmountOutcome, VmSpec, VpgSpec,
};

const GO: ControlFlow<()> = ControlFlow::Continue(());

/// A client, and what it works on: the VM, its VPG, the newest checkpoint.
struct Desk {
    zvm: Zvm,
    vm: String,
    vpg: String,
    checkpoint: String,
    _machine: Machine,
}

impl Desk {
    fn at(sim: &Sim, vm: &str, vpg: &str) -> Self {
        let machine = Machine::new();
        Self {
            zvm: machine.zvm(sim, Deadline::after(Duration::from_secs(60))),
            vm: sim.with_state(|s| s.vms.iter().find(|v| v.name == vm).unwrap().identifier.clone()),
            vpg: sim.vpg_id(vpg).unwrap(),
            checkpoint: sim.journal(vpg).pop().unwrap().id,
            _machine: machine,
        }
    }

    /// Mounts and waits; the session.
    fn mounted(&self) -> FlrSession {
        let id = self.zvm.mount(&self.vm, &self.vpg, &self.checkpoint).unwrap();
        self.until(&id, FlrSession::is_ready)
    }

    fn until(&self, id: &str, holds: impl Fn(&FlrSession) -> bool) -> FlrSession {
        let started = Instant::now();
        loop {
            let session = self.zvm.flr_session(id).unwrap().unwrap();
            if holds(&session) {
                return session;
            }
            assert!(started.elapsed() < Duration::from_secs(10), "{session:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn task(&self, id: &str) -> (TaskState, String) {
        let started = Instant::now();
        loop {
            let task = self.zvm.task(id).unwrap().unwrap();
            if task.state.is_over() {
                return (task.state, task.reason);
            }
            assert!(started.elapsed() < Duration::from_secs(10), "{task:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn paths(&self, session: &FlrSession, path: &str) -> Vec<String> {
        let mut paths = Vec::new();
        let main = self.zvm.browse(&session.identifier, path, |item| {
            paths.push(item.path);
            GO
        });
        assert_eq!(main.unwrap().unwrap().path, path);
        paths
    }

    fn fetch(&self, session: &FlrSession, path: &str) -> Result<Vec<u8>, ZvmError> {
        let link = self.zvm.download_link(&session.identifier, &[path])?;
        let mut bytes = Vec::new();
        let read = self.zvm.download(&link)?.read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| broken_download(error).unwrap())
    }
}

fn small(guest: Guest) -> Sim {
    Sim::builder().vm(VmSpec::new("box").vpg(VpgSpec::local("gold")).guest(guest)).start()
}

#[test]
fn a_file_comes_back_and_nothing_stays_mounted() {
    let sim = demo().start();
    let mut desk = Desk::at(&sim, "web01", "web01-local");
    let file = "partition#1 Ext4/etc/app.yaml";
    sim.put_file("web01", file, "broken");
    let before = desk.fetch(&desk.mounted(), file).unwrap();
    assert_eq!(before, b"listen: 8080\nworkers: 4\n", "as it was at the checkpoint");
    let live = desk.zvm.flr_sessions_of(&desk.vm).unwrap().remove(0);
    assert_eq!((live.vpg_identifier.as_str(), live.checkpoint.as_str()), (desk.vpg.as_str(), desk.checkpoint.as_str()));
    let task = desk.zvm.unmount(&live.identifier).unwrap().unwrap();
    assert_eq!(desk.task(&task).0, TaskState::Completed);
    assert!(!desk.until(&live.identifier, |s| !s.is_live()).is_ready());
    assert!(sim.live_sessions().is_empty());
    assert_eq!(desk.zvm.flr_sessions().unwrap().len(), 1, "history");
    let now = sim.insert_elsewhere("web01-local", "now").unwrap();
    assert_eq!(desk.task(&now).0, TaskState::Completed);
    std::thread::sleep(Duration::from_millis(50));
    desk.checkpoint = sim.checkpoint("web01-local", "now").unwrap();
    assert_eq!(desk.fetch(&desk.mounted(), file).unwrap(), b"broken");
}

#[test]
fn the_answers_other_forms_are_understood() {
    let guest = Guest::linux("box").file("partition#2 XFS/d/d", "x");
    for number in 0..8 {
        let sim = small(guest.clone());
        sim.with_state(|s| {
            s.settings.casing = if number & 1 == 0 { Casing::Pascal } else { Casing::Camel };
            s.settings.dates = if number & 2 == 0 { DateForm::Iso } else { DateForm::Ticks };
            s.settings.sparse = number & 4 != 0;
            s.settings.flr.single_as_array = number & 1 != 0;
            s.settings.flr.item_paths = if number & 2 == 0 { ItemPaths::Whole } else { ItemPaths::Name };
            s.settings.flr.lists_itself = number & 1 == 0;
        });
        let desk = Desk::at(&sim, "box", "gold");
        let session = desk.mounted();
        assert!(session.started.is_some());
        assert_eq!(desk.paths(&session, ""), ["partition#0 Ext4", "partition#1 Ext4", "partition#2 XFS"], "{number}");
        assert_eq!(desk.paths(&session, "partition#1 Ext4/tmp"), [""; 0], "{number}");
        assert_eq!(desk.paths(&session, "partition#1 Ext4/var"), ["partition#1 Ext4/var/log"], "{number}");
        if number & 3 != 2 {
            // A name alone, and the folder among what it holds: which of the two is meant only their size tells.
            assert_eq!(desk.paths(&session, "partition#2 XFS/d"), ["partition#2 XFS/d/d"], "{number}");
        }
        let mut seen = Vec::new();
        desk.zvm
            .browse(&session.identifier, "partition#1 Ext4/etc", |item| {
                seen.push((item.name().to_owned(), item.kind, item.downloadable, item.size));
                GO
            })
            .unwrap();
        assert_eq!(seen[0], ("app.yaml".to_owned(), FlrItemKind::File, true, Some(24)), "{number}");
        assert_eq!(seen[2], ("mtab".to_owned(), FlrItemKind::File, false, None), "{number}");
        let points = desk.zvm.points_in_time(
            &desk.vm,
            &desk.vpg,
            jiff::Timestamp::now() - jiff::SignedDuration::from_secs(60),
            jiff::Timestamp::now() + jiff::SignedDuration::from_secs(60),
        );
        let points = points.unwrap();
        assert!(points.iter().all(|p| p.can_mount == Some(false) && p.reason.contains("mounted")), "{points:?}");
        let row = desk.zvm.vms_named("box").unwrap().remove(0);
        assert_eq!((row.flr_enabled, row.guest_os.as_str()), (Some(true), "Ubuntu Linux (64-bit)"));
    }
}

#[test]
fn a_folder_of_thousands_page_by_page() {
    let guest = (0..2500).fold(Guest::new(), |g, n| g.file(&format!("partition#0 XFS/d/f{n:04}"), "x"));
    for (base, size, past_end, pages) in [
        (0, 1000, PastEnd::Empty, true),
        (1, 1000, PastEnd::Empty, true),
        (0, 700, PastEnd::LastAgain, true),
        (1, 1250, PastEnd::Status(400), true),
        (0, 1250, PastEnd::Status(404), true),
        (1, 5000, PastEnd::Status(500), false),
    ] {
        let sim = small(guest.clone());
        sim.with_state(|s| {
            (s.settings.flr.page_base, s.settings.flr.page_size) = (base, size);
            (s.settings.flr.past_end, s.settings.flr.pages) = (past_end, pages);
        });
        let desk = Desk::at(&sim, "box", "gold");
        let paths = desk.paths(&desk.mounted(), "partition#0 XFS/d");
        assert_eq!(paths.len(), 2500, "{base} {size} {past_end:?}");
        assert!(paths.is_sorted());
    }
}

#[test]
fn links_of_every_form_are_fetched_from_the_zvm() {
    let sim = small(Guest::linux("box"));
    let desk = Desk::at(&sim, "box", "gold");
    let session = desk.mounted();
    for link in [
        LinkForm::Relative,
        LinkForm::Rooted,
        LinkForm::Absolute,
        LinkForm::OwnAddress,
        LinkForm::At("https://evil.example".to_owned()),
    ] {
        sim.with_state(|s| s.settings.flr.link = link.clone());
        assert_eq!(desk.fetch(&session, "partition#1 Ext4/etc/hostname").unwrap(), b"box\n", "{link:?}");
    }
    sim.with_state(|s| s.settings.flr.link = LinkForm::At("gopher://evil.example".to_owned()));
    let error = desk.fetch(&session, "partition#1 Ext4/etc/hostname").unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Nonsense, "{error}");
    let error = desk.fetch(&session, "partition#1 Ext4/etc/mtab").unwrap_err();
    assert!(error.message.contains("Links are not supported"), "{error}");
}

#[test]
fn a_download_that_goes_wrong_is_an_error() {
    let content = Content::generated(3_000_000, 4);
    let sim = small(Guest::new().file("partition#0 XFS/f", content.clone()));
    let desk = Desk::at(&sim, "box", "gold");
    let session = desk.mounted();
    let fetch = |fault: Fault, declares: bool| {
        sim.with_state(|s| s.settings.flr.declares_length = declares);
        sim.fault(Step::Download, fault, Times::Next(1));
        desk.fetch(&session, "partition#0 XFS/f")
    };
    for declares in [true, false] {
        for fault in [Fault::Truncated, Fault::ResetMidBody, Fault::ResetAfter(0), Fault::ResetAfter(1_000_000)] {
            let error = fetch(fault.clone(), declares).unwrap_err();
            assert_eq!(error.kind, ZvmErrorKind::Unreachable, "{fault:?} {declares}: {error}");
        }
        for fault in [Fault::Status(404, String::new()), Fault::Redirect("https://evil.example/".to_owned())] {
            assert!(fetch(fault.clone(), declares).is_err(), "{fault:?}");
        }
        let slow = Fault::SlowDrip { bytes: 300_000, every: Duration::from_millis(10) };
        assert_eq!(fetch(slow, declares).unwrap().len(), 3_000_000);
        // Well-formed and too short: only the size that browsing told shows it.
        assert_eq!(fetch(Fault::Shortened(1_000_000), declares).unwrap().len(), 1_000_000);
    }
    assert_eq!(fetch(Fault::Unauthorized, true).unwrap().len(), 3_000_000, "a new token, once");
}

/// How long the long file is, and what its bytes come from.
const LONG: (u64, u64) = (192 * 1024 * 1024 + 5, 8);

/// Not a test of its own: what [`a_long_download_takes_no_memory`] runs in a process of its own.
#[test]
fn reader() {
    let Ok(place) = std::env::var("ZERTO_GUARD_TEST_READER") else {
        return;
    };
    let [url, username, password_file, pin, session] = place.split('|').collect::<Vec<_>>().try_into().unwrap();
    let deadline = Deadline::after(Duration::from_secs(60));
    let zvm = Machine::new().zvm_at(url, username, password_file.as_ref(), pin, deadline);
    let link = zvm.download_link(session, &["partition#0 XFS/big"]).unwrap();
    let started = Instant::now();
    let mut download = zvm.download(&link).unwrap();
    assert_eq!(download.length(), Some(LONG.0));
    let (mut buffer, mut digest) = (vec![0; 128 * 1024], Sha256::new());
    loop {
        let count = download.read(&mut buffer).unwrap();
        if count == 0 {
            break;
        }
        digest.update(&buffer[..count]);
    }
    let hex: String = digest.finalize().iter().map(|b| format!("{b:02x}")).collect();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap().trim().trim_end_matches(" kB");
    println!("\nread {hex} {peak} {}", started.elapsed().as_millis());
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_download_takes_no_memory() {
    let content = Content::generated(LONG.0, LONG.1);
    let sim = small(Guest::new().file("partition#0 XFS/big", content.clone()));
    let desk = Desk::at(&sim, "box", "gold");
    let session = desk.mounted().identifier;
    let place =
        [sim.url(), sim.username(), &sim.password_file().to_string_lossy(), &sim.pin(), &session].map(str::to_owned);
    let ran = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["restore_flow::reader", "--exact", "--nocapture"])
        .env("ZERTO_GUARD_TEST_READER", place.join("|"))
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let line = said.lines().find_map(|l| l.strip_prefix("read ")).unwrap_or_else(|| panic!("{said}"));
    let [hex, peak, millis] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(hex, content.sha256());
    assert!(peak.parse::<u64>().unwrap() < 50 * 1024, "{peak} KiB, in {millis} ms");
}

#[test]
fn a_download_can_be_broken_off_from_another_thread() {
    let sim = small(Guest::new().file("partition#0 XFS/big", Content::generated(LONG.0, LONG.1)));
    let desk = Desk::at(&sim, "box", "gold");
    let session = desk.mounted();
    let link = || desk.zvm.download_link(&session.identifier, &["partition#0 XFS/big"]).unwrap();
    // As a signal's handler does it: the reader is freed at once, and the end of the session takes another client.
    sim.fault(Step::Download, Fault::StallAfter(100_000), Times::Next(1));
    let mut download = desk.zvm.download(&link()).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            desk.zvm.hang_up();
        });
        let started = Instant::now();
        let error = std::io::copy(&mut download, &mut std::io::sink()).unwrap_err();
        assert!(started.elapsed() < Duration::from_secs(5));
        assert!(broken_download(error).unwrap().message.contains("It broke off after"));
    });
    assert!(desk.zvm.unmount(&session.identifier).is_err(), "this one is done with");
    let other = Machine::new().zvm(&sim, Deadline::after(Duration::from_secs(10)));
    assert!(other.unmount(&session.identifier).unwrap().is_some());
    assert!(sim.wait_until(Duration::from_secs(5), |s| s.live_sessions().is_empty()));
}

#[test]
fn how_mounts_and_unmounts_may_end() {
    let sim = demo().start();
    let desk = Desk::at(&sim, "web01", "web01-local");
    sim.next_mounts(1, &MountOutcome::Failed);
    let id = desk.zvm.mount(&desk.vm, &desk.vpg, &desk.checkpoint).unwrap();
    assert!(!desk.until(&id, |s| s.status != "MountInProgress").is_live());
    sim.next_mounts(1, &MountOutcome::As("MountReady".to_owned()));
    let session = desk.mounted();
    let again = desk.zvm.mount(&desk.vm, &desk.vpg, &desk.checkpoint);
    assert!(matches!(&again, Err(ChangeError::Refused(e)) if e.message.contains("mounted already")), "{again:?}");
    sim.next_unmounts(1, &UnmountOutcome::Failed("A file is open.".to_owned()));
    let task = desk.zvm.unmount(&session.identifier).unwrap().unwrap();
    assert_eq!(desk.task(&task), (TaskState::Failed, "A file is open.".to_owned()));
    assert!(desk.until(&session.identifier, |s| s.status == "UnmountFailed").is_live());
    sim.next_unmounts(1, &UnmountOutcome::Refused(500));
    assert!(matches!(desk.zvm.unmount(&session.identifier), Err(ChangeError::Doubtful(_))));
    assert!(desk.zvm.unmount(&session.identifier).is_ok());
    assert!(matches!(desk.zvm.unmount("none"), Err(ChangeError::Refused(e)) if e.kind == ZvmErrorKind::NotFound));
    assert!(sim.wait_until(Duration::from_secs(5), |s| s.live_sessions().is_empty()));
    for fault in [
        Fault::ResetAfterProcessing,
        Fault::Truncated,
        Fault::AfterProcessing(Box::new(Fault::Html)),
        Fault::AfterProcessing(Box::new(Fault::Status(502, String::new()))),
    ] {
        sim.fault(Step::FlrMount, fault.clone(), Times::Next(1));
        let lost = desk.zvm.mount(&desk.vm, &desk.vpg, &desk.checkpoint);
        assert!(matches!(&lost, Err(ChangeError::AnswerLost(_))), "{fault:?}: {lost:?}");
        let mut live = desk.zvm.flr_sessions_of(&desk.vm).unwrap();
        live.retain(FlrSession::is_live);
        assert_eq!((live.len(), sim.live_sessions().len()), (1, 1), "{fault:?}");
        desk.zvm.unmount(&live[0].identifier).unwrap();
        assert!(sim.wait_until(Duration::from_secs(5), |s| s.live_sessions().is_empty()));
    }
}

#[test]
fn clones_and_tests_to_their_end() {
    let sim = demo().settings(|s| s.recovery.clone_time = Duration::from_millis(400)).start();
    let desk = Desk::at(&sim, "web01", "web01-local");
    let task = desk.zvm.start_clone(&desk.vpg, &desk.checkpoint, None).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let progress = desk.zvm.task(&task).unwrap().unwrap().progress.unwrap();
    assert!((1..100).contains(&progress), "{progress}");
    assert_eq!(desk.task(&task).0, TaskState::Completed);
    assert_eq!(sim.created()[0].checkpoint, desk.checkpoint);
    let task = desk.zvm.start_failover_test(&desk.vpg, &desk.checkpoint).unwrap();
    assert_eq!(desk.task(&task).0, TaskState::Completed);
    let stage = || desk.zvm.vpgs().unwrap().into_iter().find(|v| v.identifier == desk.vpg).unwrap().test_stage;
    assert_eq!(stage().as_deref(), Some("Testing"));
    let refused = desk.zvm.mount(&desk.vm, &desk.vpg, &desk.checkpoint).unwrap_err();
    assert!(refused.error().message.contains("A failover test is running"), "{refused}");
    let task = desk.zvm.stop_failover_test(&desk.vpg, true, "").unwrap();
    assert_eq!((desk.task(&task).0, stage()), (TaskState::Completed, None));
    sim.next_recoveries(1, &InsertOutcome::failed("The datastore is full."));
    let task = desk.zvm.start_clone(&desk.vpg, &desk.checkpoint, None).unwrap();
    assert_eq!(desk.task(&task), (TaskState::Failed, "The datastore is full.".to_owned()));
}

#[test]
fn a_journal_of_fifty_thousand_in_windows() {
    let vpg = VpgSpec::local("gold").history_minutes(6000, 60).checkpoints(50_000).tag(45, "new").tag(4000, "old");
    let sim = Sim::builder().vm(VmSpec::new("box").vpg(vpg)).start();
    let desk = Desk::at(&sim, "box", "gold");
    sim.with_state(|s| s.settings.auto_checkpoint_every = Duration::ZERO);
    let (oldest, newest) = desk.zvm.journal_span(&desk.vpg).unwrap().unwrap();
    let (from, until) = (oldest.time.unwrap(), newest.time.unwrap());
    let (mut longest, mut times, mut tags) = (0, Vec::new(), Vec::new());
    for window in desk.zvm.journal(&desk.vpg, from, until) {
        let window = window.unwrap();
        longest = longest.max(window.len());
        tags.extend(window.iter().filter_map(|c| c.tag.clone()));
        times.extend(window.iter().map(|c| c.time.unwrap()));
    }
    assert_eq!(times.len(), sim.journal("gold").len(), "each once");
    assert!(times.is_sorted_by(|a, b| a >= b), "newest first, across windows too");
    assert!(longest < 5000, "{longest}");
    assert_eq!(tags, ["new", "old"]);
}

#[test]
fn the_recovery_sites_zvm_mounts_and_the_protected_ones_does_not() {
    let nyc = demo().start();
    let bos = nyc.peer_zvm("bos").unwrap().start();
    let (here, there) = (Desk::at(&nyc, "web01", "web01-dr"), Desk::at(&bos, "web01", "web01-dr"));
    assert_eq!((&here.vm, &here.vpg), (&there.vm, &there.vpg));
    let peers = here.zvm.peer_sites().unwrap();
    let site = there.zvm.local_site().unwrap();
    let peer = peers.iter().find(|p| p.name == "bos").unwrap();
    assert_eq!((peer.identifier.as_deref(), site.name.as_str()), (site.identifier.as_deref(), "bos"));
    assert_eq!(here.zvm.vpg(&here.vpg).unwrap().recovery_site.identifier, site.identifier);
    assert_eq!(there.zvm.vpg(&here.vpg).unwrap().recovery_site.local, Some(true));
    let refused = here.zvm.mount(&here.vm, &here.vpg, &here.checkpoint).unwrap_err();
    assert!(refused.error().message.contains("recovery site"), "{refused}");
    let session = there.mounted();
    assert_eq!(there.fetch(&session, "partition#1 Ext4/etc/hostname").unwrap(), b"web01\n");
}

#[test]
fn the_operators_role_is_refused_by_a_10_9() {
    let sim =
        demo().user("guard", "correct horse", Role::FlrOperator).settings(|s| s.flr.refuses_operator = true).start();
    let desk = Desk::at(&sim, "web01", "web01-local");
    let refused = desk.zvm.mount(&desk.vm, &desk.vpg, &desk.checkpoint).unwrap_err();
    assert!(refused.error().kind == ZvmErrorKind::Forbidden && refused.error().hint.contains("10.9"), "{refused:?}");
}
