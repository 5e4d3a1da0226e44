//! The guard's own files: config, catalogs and the state folder.

use super::Check;
use crate::catalog::Project;
use crate::config::files::{Files, Place};
use crate::config::{Config, Mode, Trust, UnknownPolicy};
use crate::state::StateDir;
use crate::state::pause::Pause;
use crate::text::clean;
use jiff::Timestamp;
use std::path::Path;

/// The config, and what of it weakens the guard.
pub(super) fn config(files: &Files) -> (Option<Config>, Vec<Check>) {
    let config = match files.config() {
        Ok(config) => config,
        Err(fault) => {
            let remedy = "Mend it in a terminal, which no hook watches: until then every call is stopped.";
            return (None, vec![Check::fault("config", fault.0, remedy)]);
        }
    };
    let mut read: Vec<String> = Vec::new();
    let admin = files.admin.join("config.toml");
    for path in [Some(admin.as_path()), files.config.path()].into_iter().flatten().filter(|path| path.exists()) {
        read.push(path.display().to_string());
    }
    let mut checks = Vec::new();
    if config.zvms.iter().any(|zvm| zvm.guards) {
        checks.push(Check::ok("config", format!("{}: can be read, and nobody else can write it", read.join(", "))));
    } else {
        let text = match (config.zvms.is_empty(), read.is_empty()) {
            (true, true) => "there is no config, so no ZVM is known".to_owned(),
            (true, false) => format!("{} has no [[zvm]]", read.join(", ")),
            (false, _) => format!("{}: every [[zvm]] has guards = false", read.join(", ")),
        };
        let place = files.config.path().map_or_else(|| admin.display().to_string(), |path| path.display().to_string());
        checks.push(Check::fault(
            "config",
            format!("{text}: every change of a server is refused"),
            format!("Write a [[zvm]] into {place}; zerto-guard trust URL shows the block to add."),
        ));
    }
    if config.guard.mode == Mode::Observe {
        checks.push(Check::warning(
            "mode",
            "mode = \"observe\": calls are judged and told, but nothing is tagged and no change is stopped",
            "Set mode = \"enforce\" under [guard].",
        ));
    }
    if config.guard.unknown == UnknownPolicy::Guard {
        checks.push(Check::ok(
            "unknown",
            "unknown = \"guard\": a call that nobody has classified is guarded without a question",
        ));
    }
    for zvm in config.zvms.iter().filter(|zvm| zvm.trust == Trust::Insecure) {
        checks.push(Check::warning(
            format!("trust {}", zvm.name),
            format!("{}: its certificate is not checked, so anybody in between gets the password", zvm.url),
            format!("Take insecure_skip_verify away and run: zerto-guard trust {}", zvm.url),
        ));
    }
    (Some(config), checks)
}

/// The catalogs of all layers.
pub(super) fn catalogs(files: &Files, cwd: Option<&str>) -> Vec<Check> {
    let catalog = match files.catalog(cwd) {
        Ok(catalog) => catalog,
        Err(fault) => {
            let remedy = "Mend it in a terminal: until then every call is stopped.";
            return vec![Check::fault("catalog", fault.0, remedy)];
        }
    };
    let mut layers = Vec::new();
    if catalog.admin.is_some() {
        layers.push(format!("the administrator's ({})", files.admin.join("catalog.toml").display()));
    }
    if let (Some(_), Place::Usual(path) | Place::Named(path)) = (&catalog.user, &files.catalog) {
        layers.push(format!("yours ({})", path.display()));
    }
    layers.push("the built-in one".into());
    let mut checks = Vec::new();
    match catalog.project {
        Project::Absent => {}
        Project::Read(_) => layers.push("this project's".into()),
        Project::Broken { path, fault } => checks.push(Check::fault(
            "catalog",
            format!("{path} {fault}"),
            "Mend it: until then every call in this project is asked about.",
        )),
    }
    checks.insert(0, Check::ok("catalog", layers.join(", ")));
    checks
}

/// A pause that a person ordered.
pub(super) fn pause(path: &Path) -> Option<Check> {
    let pause = Pause::current(&StateDir::at(path.to_owned()), Timestamp::now()).ok()??;
    let (until, reason) = (pause.until, clean(&pause.reason, 200));
    let text = format!(
        "paused until {until} ({reason}): changes of servers run without a checkpoint, but for `hook --managed`"
    );
    Some(Check::warning("pause", text, "To end it now: zerto-guard pause --end"))
}

/// The state folder.
pub(super) fn state(path: &Path) -> Check {
    let shown = path.display();
    if !path.exists() && !path.is_symlink() {
        // It is made at the first need; that nothing is made here matters to who runs this as another user.
        let above = path.ancestors().find(|above| above.exists()).unwrap_or(Path::new("/"));
        return if can_write(above) {
            Check::ok("state", format!("{shown}: not there yet, and can be made"))
        } else {
            Check::fault(
                "state",
                format!("{shown} can't be made: {} can't be written", above.display()),
                format!("See that {} is yours, or name another folder with --state-dir.", above.display()),
            )
        };
    }
    match StateDir::at(path.to_owned()).folder("locks") {
        Err(error) => Check::fault("state", error.to_string(), error.hint()),
        Ok(folder) => match tempfile::tempfile_in(&folder) {
            Ok(_) => Check::ok("state", format!("{shown}: yours alone")),
            Err(error) => Check::fault(
                "state",
                format!("{shown} can't be written: {error}"),
                "See that its disk is neither full nor read-only.",
            ),
        },
    }
}

fn can_write(folder: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt as _;
    let Ok(path) = std::ffi::CString::new(folder.as_os_str().as_bytes()) else { return false };
    // SAFETY: access reads a text that ends with NUL and outlives the call.
    folder.is_dir() && unsafe { libc::access(path.as_ptr(), libc::W_OK | libc::X_OK) } == 0
}
