//! Each Zerto Virtual Manager (reachable, trusted, login, site, version, clock), and the VMs that the config names.

use super::{Check, Status};
use crate::config::{Config, Trust, ZvmConfig};
use crate::deadline::Deadline;
use crate::guard::side_by_side::side_by_side;
use crate::guard::{FindOutcome, appliance, find};
use crate::state::StateDir;
use crate::text::foreign;
use crate::zvm::client::Zvm;
use crate::zvm::model::FlrSession;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// How long one ZVM may keep a person waiting.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the look-up of all VMs may take.
const LOOKUPS: Duration = Duration::from_secs(30);

/// By how many seconds a clock may be off.
const SKEW: i64 = 60;

pub(super) fn all(config: &Config, state: &Path) -> Vec<Check> {
    let state = StateDir::at(state.to_owned());
    let failed = || vec![Check::fault("zvm", "a check broke off", "Please report this as a fault of zerto-guard.")];
    let asked = side_by_side(&config.zvms, |zvm| one(zvm, &state));
    let mut checks: Vec<Check> = asked.into_iter().flat_map(|checks| checks.unwrap_or_else(failed)).collect();
    let names = names(config);
    if names.is_empty() {
        return checks;
    }
    if checks.iter().any(|check| check.status == Status::Fault) {
        let text = "the VMs of the config were not looked up, since a ZVM can't be asked";
        checks.push(Check::warning("hosts", text, "Mend what is said of the ZVM first."));
    } else {
        checks.extend(hosts(config, &names, &state));
    }
    checks
}

fn one(config: &ZvmConfig, state: &StateDir) -> Vec<Check> {
    let name = format!("zvm {}", config.name);
    let zvm = match Zvm::new(config, state, Deadline::after(PATIENCE)) {
        Ok(zvm) => zvm,
        Err(error) => return vec![Check::fault(name, error.message, error.hint)],
    };
    let site = match zvm.local_site() {
        Ok(site) => site,
        Err(error) => return vec![Check::fault(name, error.message, error.hint)],
    };
    let trust = match config.trust {
        Trust::Pin(_) => "its certificate is the pinned one",
        Trust::CaFile(_) => "its certificate is signed by your ca_file",
        Trust::PublicRoots => "its certificate is signed by a public authority",
        Trust::Insecure => "its certificate is NOT checked",
    };
    let (place, version) = (foreign(&site.name, 80), foreign(&site.version, 40));
    let version = if version.is_empty() { "of an unknown version".to_owned() } else { format!("version {version}") };
    let text = format!("{}: answers, {trust}, the login works; site {place}, {version}", config.url);
    let text = if config.guards { text } else { format!("{text}; there for recovery only") };
    let major: Option<u32> = site.version.split('.').next().and_then(|major| major.parse().ok());
    let mut checks = vec![if site.public_cloud && config.guards {
        Check::warning(
            name,
            format!("{text}; it is at Azure or AWS, where no checkpoint can be tagged"),
            "Configure the vSphere site's ZVM for the VMs that run there, and set guards = false here.",
        )
    } else if major.is_some_and(|major| major < 10) {
        Check::warning(
            name,
            format!("{text}, which is older than 10.0"),
            "Update the ZVM: 10.x is what this was made for.",
        )
    } else {
        Check::ok(name, text)
    }];
    checks.push(clock(config, &zvm));
    checks.push(sessions(config, &zvm));
    checks
}

fn clock(config: &ZvmConfig, zvm: &Zvm) -> Check {
    let name = format!("clock {}", config.name);
    let before = Timestamp::now();
    let theirs = match zvm.server_time() {
        Ok(theirs) => theirs,
        Err(error) => return Check::warning(name, error.message, error.hint),
    };
    // Its own clock stood somewhere between the question and the answer.
    let (before, after, theirs) = (before.as_second(), Timestamp::now().as_second(), theirs.as_second());
    let (ahead, behind) = (theirs.saturating_sub(after), before.saturating_sub(theirs));
    if ahead > SKEW || behind > SKEW {
        let (by, how) = if ahead > behind { (ahead, "ahead of") } else { (behind, "behind") };
        return Check::warning(
            name,
            format!("the clock of {} is {by} s {how} this machine's", config.url),
            "Let both follow the same time server (NTP): a tag's time stamp is this machine's.",
        );
    }
    Check::ok(name, "agrees with this machine's")
}

/// FLR sessions that may still hold a mount: each blocks the next recovery of its VM.
fn sessions(config: &ZvmConfig, zvm: &Zvm) -> Check {
    let name = format!("sessions {}", config.name);
    let live: Vec<String> = match zvm.flr_sessions() {
        Ok(sessions) => sessions
            .into_iter()
            .filter(FlrSession::is_live)
            .map(|session| {
                let since = session.started.map(|time| format!(", since {}", time.strftime("%Y-%m-%d %H:%M UTC")));
                let (id, vm) = (foreign(&session.identifier, 100), foreign(&session.vm_identifier, 100));
                format!("{id} of VM {vm} ({}{})", foreign(&session.status, 60), since.unwrap_or_default())
            })
            .collect(),
        Err(error) => return Check::warning(name, error.message, error.hint),
    };
    if live.is_empty() {
        return Check::ok(name, "no FLR session holds a mount");
    }
    Check::warning(
        name,
        format!("FLR sessions that may still hold a mount: {}", live.join("; ")),
        "Each blocks the next recovery of its VM. `zerto-guard rewind end-session ID` ends one that nobody uses any more.",
    )
}

/// The names that the config gives to VMs, as an agent would type them, and where they stand.
fn names(config: &Config) -> BTreeMap<String, &'static str> {
    let mut names: BTreeMap<String, &'static str> = BTreeMap::new();
    names.extend(config.mounts.values().map(|vm| (vm.clone(), "[mounts]")));
    names.extend(config.guard.this_vm.iter().map(|vm| (vm.clone(), "this_vm")));
    names.extend(config.hosts.keys().map(|host| (host.clone(), "[hosts]")));
    names
}

fn hosts(config: &Config, names: &BTreeMap<String, &'static str>, state: &StateDir) -> Vec<Check> {
    let deadline = Deadline::after(LOOKUPS);
    let appliances = match appliance::guarding(&config.zvms, state, deadline) {
        Ok(appliances) => appliances,
        Err(error) => return vec![Check::fault("hosts", error.to_string(), error.hint())],
    };
    let mut checks = Vec::new();
    for (name, place) in names {
        let about = match config.hosts.get(name) {
            Some(vm) if vm != name => format!("{} = {} of {place}", foreign(name, 120), foreign(vm, 120)),
            _ => format!("{} of {place}", foreign(name, 120)),
        };
        let found = match find(name, &config.hosts, &appliances) {
            Ok(found) => found,
            Err(error) => {
                checks.push(Check::warning("hosts", format!("{about}: {error}"), error.hint()));
                continue;
            }
        };
        let Some(refusal) = found.refusal else { continue };
        let status = if found.outcome == FindOutcome::NotTaggable { Status::Warning } else { Status::Fault };
        checks.push(Check::bad(status, "hosts", format!("{about}: {refusal}"), refusal.hint()));
    }
    if checks.is_empty() {
        checks.push(Check::ok("hosts", format!("{} of the config: each VM can be tagged now", counted(names.len()))));
    }
    checks
}

fn counted(count: usize) -> String {
    if count == 1 { "1 name".into() } else { format!("{count} names") }
}
