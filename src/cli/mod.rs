//! The command line of everything but `hook`: one file a command, arguments in, a library call, output out.
//!
//! clap ends here. Must not: hold logic that another front end would need too.

mod catalog;
mod check;
mod doctor;
mod find;
mod guard;
mod install;
mod trust;

use crate::config::Config;
use crate::config::files::{Files, Given};
use crate::ui::{Failure, Printer};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Stops an AI agent's change to a server until a Zerto tagged checkpoint stands.
#[derive(Debug, Parser)]
#[command(name = "zerto-guard", version, propagate_version = true, max_term_width = 100, after_help = EXIT_CODES)]
struct CommandLine {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 failed; 3 nothing matched; 4 more than one matched; 5 not confirmed, or refused by a rule of this \
tool; 6 the ZVM can't be reached, is not trusted, or refused the login or the right; 64 usage. `hook` alone ends with 0 \
(the call may run) or 2 (it is stopped) and nothing else.";

#[derive(Debug, Args)]
struct Global {
    /// The config file [default: ~/.config/zerto-guard/config.toml]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Your catalog [default: ~/.config/zerto-guard/catalog.toml]
    #[arg(long, global = true, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Tokens, locks and questions [default: ~/.local/state/zerto-guard]
    #[arg(long, global = true, value_name = "DIR")]
    state_dir: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long, global = true)]
    json: bool,
    /// No colours
    #[arg(long, global = true)]
    no_color: bool,
    /// Say more
    #[arg(short, long, global = true)]
    verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The enforcer: an agent host's hook JSON on stdin, exit 0 or 2
    #[command(
        long_about = "The enforcer. An agent host starts it before each tool call, with the call as JSON on stdin. \
        It ends with 0 (the call may run) or 2 (it is stopped; stderr says why and what to do), and with nothing else.",
        after_help = "Example:\n  zerto-guard hook --host claude-code --host-timeout 180s < call.json"
    )]
    Hook(HookHelp),
    /// The verdict for a command or a tool call, and which entry decided
    Check(check::Check),
    /// Which VPGs protect a VM, and which of them can be tagged (no change made)
    Find(find::Find),
    /// Tag a VM's VPGs by hand, for scripts and CI
    Guard(guard::Guard),
    /// Read and edit the catalog
    Catalog(catalog::Catalog),
    /// Show a ZVM's certificate fingerprint and pin it after a yes
    Trust(trust::Trust),
    /// Make an agent host start the guard before each tool call
    Install(install::Install),
    /// Take the guard out of an agent host's settings
    Uninstall(install::Uninstall),
    /// Whether the guard is on, and what keeps it from being
    Doctor(doctor::Doctor),
}

/// Only for `--help`: `hook` reads its arguments itself, so that no mistake in them can end it with another code than 2.
#[derive(Debug, Args)]
struct HookHelp {
    /// The agent host that calls [default: told by the fields of its input]
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    /// How long the host waits; the deadline is kept below it
    #[arg(long, value_name = "SPAN")]
    host_timeout: Option<String>,
    /// Config and catalog from /etc/zerto-guard alone
    #[arg(long)]
    managed: bool,
}

/// What every command is given.
struct Context {
    files: Files,
    printer: Printer,
}

impl Context {
    fn config(&self) -> Result<Config, Failure> {
        self.files.config().map_err(|fault| Failure::new(1, fault.0, ""))
    }

    fn catalog(&self, cwd: Option<&str>) -> Result<crate::catalog::Catalog, Failure> {
        self.files.catalog(cwd).map_err(|fault| Failure::new(1, fault.0, ""))
    }
}

/// Runs the command and gives its exit code.
#[must_use]
pub fn run(arguments: Vec<OsString>) -> u8 {
    let name = std::iter::once(OsString::from("zerto-guard"));
    let parsed = match CommandLine::try_parse_from(name.chain(arguments)) {
        Ok(parsed) => parsed,
        Err(error) => {
            let _ = error.print();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => 0,
                _ => 64,
            };
        }
    };
    let mut printer = Printer::standard(parsed.global.json, parsed.global.no_color);
    let files = match Files::find(given(&parsed.global)) {
        Ok(files) => files,
        Err(fault) => {
            printer.failure(&Failure::new(1, fault.0, ""));
            return 1;
        }
    };
    let mut context = Context { files, printer };
    let done = match parsed.command {
        // `main` takes it before clap sees it.
        Command::Hook(_) => Err(Failure::new(64, "`hook` is the first word of its command line", "")),
        Command::Check(check) => check.run(&mut context),
        Command::Find(find) => find.run(&mut context),
        Command::Guard(guard) => guard.run(&mut context),
        Command::Catalog(catalog) => catalog.run(&mut context),
        Command::Trust(trust) => trust.run(&mut context),
        Command::Install(install) => install.run(&mut context),
        Command::Uninstall(uninstall) => uninstall.run(&mut context),
        Command::Doctor(doctor) => doctor.run(&mut context),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            context.printer.failure(&failure);
            failure.code
        }
    }
}

/// The places from the command line, then from the environment.
fn given(global: &Global) -> Given {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    Given {
        config: global.config.clone().or_else(|| variable("ZERTO_GUARD_CONFIG")),
        catalog: global.catalog.clone().or_else(|| variable("ZERTO_GUARD_CATALOG")),
        state: global.state_dir.clone().or_else(|| variable("ZERTO_GUARD_STATE_DIR")),
        managed: false,
        home: variable("HOME"),
        xdg_config: variable("XDG_CONFIG_HOME"),
        xdg_state: variable("XDG_STATE_HOME"),
    }
}

/// The folder in which the command was started.
fn cwd() -> Option<String> {
    std::env::current_dir().ok().and_then(|folder| folder.to_str().map(str::to_owned))
}
