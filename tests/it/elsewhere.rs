//! Nothing goes anywhere but to the ZVM that was configured and proved itself: not by a redirect, by a link, or to whoever
//! takes its place meanwhile.

use crate::env::Ran;
use crate::guard_story::{change, demo, home, home_with};
use crate::rewind_recover::linux;
use crate::rewind_sessions::home_of_two;
use crate::search::searched;
use std::net::TcpListener;
use std::time::Duration;
use zvm_sim::{CertKind, Fault, Route, Sim, Step, Times};

/// A place where nobody may come.
pub struct Trap(TcpListener);

impl Trap {
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    /// `127.0.0.1:PORT`.
    pub fn place(&self) -> String {
        self.0.local_addr().unwrap().to_string()
    }

    /// Whoever connects stands in the kernel's queue, whether or not the connection was given up since.
    #[track_caller]
    pub fn saw_nobody(&self, what: &str) {
        let came = self.0.accept();
        assert!(came.is_err(), "{what}: {came:?}");
    }
}

/// All that was asked of the ZVM was meant for it.
#[track_caller]
fn meant_for(sim: &Sim, what: &str) {
    let own = sim.url().strip_prefix("https://").unwrap();
    for request in sim.requests() {
        assert_eq!(request.header("host"), Some(own), "{what}: {}", request.line());
        assert!(!request.path.starts_with("http"), "{what}: {}", request.line());
    }
}

const RECOVER: [&str; 5] = ["rewind", "recover", "latest:/etc/app.yaml", "--yes", "--json"];

#[test]
fn no_redirect_is_followed_at_any_step() {
    const STATUSES: [u16; 5] = [301, 302, 303, 307, 308];
    let guard =
        [Step::LocalSite, Step::ServerTime, Step::VmList, Step::Vpg, Step::Insert, Step::Task, Step::CheckpointList];
    let recovery = [
        Step::FlrList,
        Step::FlrMount,
        Step::FlrSession,
        Step::FlrBrowse,
        Step::FlrLink,
        Step::Download,
        Step::FlrUnmount,
    ];
    // With every status where a body with a secret or a change in it goes, else with one after another.
    let all = |step: Step| STATUSES.into_iter().map(move |status| (step, status));
    let mut cases: Vec<(Step, u16)> = [Step::Token, Step::Insert, Step::Download].into_iter().flat_map(all).collect();
    cases.extend(guard.into_iter().chain(recovery).zip(STATUSES.into_iter().cycle()));
    let cases: Vec<(usize, (Step, u16))> = cases.into_iter().enumerate().collect();
    std::thread::scope(|scope| {
        for part in cases.chunks(cases.len().div_ceil(4)) {
            scope.spawn(move || {
                for (number, (step, status)) in part {
                    let (trap, what) = (Trap::new(), format!("{step:?} {status}"));
                    let recovers = format!("{step:?}").starts_with("Flr") || *step == Step::Download;
                    let sim = if recovers { linux() } else { demo().start() };
                    let scheme = if number % 2 == 0 { "https" } else { "http" };
                    let target = format!("{scheme}://{}/v1/vms?token", trap.place());
                    sim.fault(*step, Fault::RedirectWith(*status, target), Times::Always);
                    let env = home_with(&sim, "[guard]\ndeadline = '4s'\n");
                    let ran = if recovers { env.run(&RECOVER) } else { env.hook(change(&env, "db01")) };
                    // Where the list serves as well, the file comes; and it has come before its mount is ended.
                    let may_pass =
                        matches!(step, Step::FlrUnmount | Step::ServerTime | Step::FlrList | Step::FlrSession);
                    assert!(may_pass || ran.code != Some(0), "{what}: {}{}", ran.stdout, ran.stderr);
                    trap.saw_nobody(&what);
                    meant_for(&sim, &what);
                    searched(&env, &[&sim], &[&ran]);
                }
            });
        }
    });
}

#[test]
fn no_link_leads_a_download_elsewhere() {
    let links = [
        "https://TRAP/v1/downloads/x",
        "HTTP://TRAP/x",
        "//TRAP/x",
        "\\\\TRAP\\x",
        "/\\TRAP/x",
        "https:\\\\TRAP\\x",
        "https:/TRAP/x",
        "https://OWN@TRAP/x",
        "https://zvm:pw@TRAP/x?y",
        "https://TRAP#@OWN/x",
        "https://TRAP%2F@OWN/x",
        "@TRAP/x",
        "%2F%2FTRAP/x",
        "https://T\u{200b}RAP/x",
        "\"https://TRAP/x\"",
        "x\r\nHost: TRAP\r\n\r\n",
        "x HTTP/1.1%0d%0aHost:%20TRAP",
        "file:///etc/passwd",
        "?https://TRAP/x",
    ];
    let (trap, sim) = (Trap::new(), linux());
    let env = home(&sim);
    let own = sim.url().strip_prefix("https://").unwrap();
    for link in links {
        let link = link.replace("TRAP", &trap.place()).replace("OWN", own);
        sim.clear_faults();
        sim.fault(Step::FlrLink, Fault::Status(200, serde_json::json!(link).to_string()), Times::Always);
        let ran = env.run(&RECOVER);
        assert_eq!(ran.code, Some(1), "{link}: {}{}", ran.stdout, ran.stderr);
        trap.saw_nobody(&link);
        meant_for(&sim, &link);
        assert!(!env.project().join("app.yaml").exists() && sim.live_sessions().is_empty(), "{link}");
        searched(&env, &[&sim], &[&ran]);
    }
}

#[test]
fn a_cached_token_goes_to_nobody_whose_pin_does_not_match() {
    let (sim, other) = (demo().start(), Sim::builder().cert(CertKind::SelfSignedCaTrue).start());
    let env = home(&sim);
    assert_eq!(env.hook(change(&env, "db01")).code, Some(0));
    sim.clear_log();
    let wrong = sim.config_toml().replace(&sim.pin(), &other.pin());
    env.write(&env.config_dir().join("config.toml"), &wrong);
    for ran in [env.hook(change(&env, "db01")), env.run(&["find", "db01"]), env.run(&["rewind", "log"])] {
        assert!(matches!(ran.code, Some(2 | 6)), "{}", ran.stderr);
        assert!(sim.requests().is_empty(), "something was sent");
    }
    // The same address, and the token is for it: but another answers there now.
    env.write(&env.config_dir().join("config.toml"), &sim.config_toml());
    let port = sim.addr().port();
    sim.go_down();
    let thief = demo().cert(CertKind::SelfSignedCaTrue).port(port).start();
    env.hook(change(&env, "db01")).denied(&thief.pin());
    assert!(
        thief.requests().is_empty()
            && thief.wait_until(Duration::from_secs(5), |thief| !thief.connections().is_empty())
    );
}

/// Who takes the ZVM's place in the middle of the work.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Thief {
    /// With a certificate of its own.
    Other,
    /// With the ZVM's certificate, and without its key: what a resumed session would not look at.
    Replaying,
}

#[test]
fn whoever_takes_the_zvms_place_in_the_middle_of_the_work_gets_nothing() {
    std::thread::scope(|scope| {
        for thief in [Thief::Other, Thief::Replaying] {
            for (step, recovers) in [
                (Step::Vpg, false),
                (Step::Insert, false),
                (Step::Task, false),
                (Step::FlrSession, true),
                (Step::Download, true),
            ] {
                scope.spawn(move || taken_over(thief, step, recovers));
            }
        }
    });
}

fn taken_over(thief: Thief, step: Step, recovers: bool) {
    let what = format!("{thief:?} at {step:?}");
    let sim = if recovers { linux() } else { demo().start() };
    // The work stands still at this step, and goes on with whoever is there then.
    sim.fault(Route::Step(step), Fault::Hang, Times::Always);
    let env = home_with(&sim, "[guard]\ndeadline = '6s'\n");
    let ran: Ran = std::thread::scope(|scope| {
        let working = scope.spawn(|| if recovers { env.run(&RECOVER) } else { env.hook(change(&env, "db01")) });
        assert!(sim.wait_until(Duration::from_secs(20), |sim| !sim.requests_of(step).is_empty()), "{what}");
        let port = sim.addr().port();
        sim.go_down();
        let builder = if recovers { Sim::builder() } else { demo() };
        let builder = match thief {
            Thief::Other => builder.cert(CertKind::SelfSignedCaTrue),
            Thief::Replaying => builder.impostor(sim.cert_pem()),
        };
        let thief = builder.port(port).start();
        let ran = working.join().unwrap();
        assert!(thief.requests().is_empty(), "{what}: something was sent: {:?}", thief.requests());
        assert!(!thief.connections().is_empty(), "{what}: it was not even tried");
        ran
    });
    assert!(ran.code != Some(0), "{what}: {}", ran.stdout);
    searched(&env, &[&sim], &[&ran]);
}

#[test]
fn the_pin_counts_at_the_recovery_site_too() {
    let nyc = demo().start();
    let bos = nyc.peer_zvm("bos").unwrap().start();
    let other = Sim::builder().cert(CertKind::SelfSignedCaTrue).start();
    nyc.put_tag("db01-dr", Duration::from_secs(60), crate::rewind_recover::TAG).unwrap();
    let env = home_of_two(&nyc, &bos);
    let config = std::fs::read_to_string(env.config_dir().join("config.toml")).unwrap();
    env.write(&env.config_dir().join("config.toml"), &config.replace(&bos.pin(), &other.pin()));
    for command in ["ls", "cat", "recover"] {
        let ran = env.run(&["rewind", command, "--vm", "db01", "--yes", "chg-412:/etc/app.yaml"]);
        assert!(ran.code == Some(6) && ran.stderr.contains(&bos.pin()), "{:?} {}", ran.code, ran.stderr);
    }
    assert!(bos.requests().is_empty(), "something was sent");
}
