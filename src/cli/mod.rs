//! The command line of everything but `hook`: one file a command, arguments in, a library call, output out.
//!
//! clap ends here. Must not: hold logic that another front end would need too.

mod answer;
mod audit;
mod catalog;
mod check;
mod doctor;
mod find;
mod front;
mod guard;
mod install;
mod moment;
mod papers;
mod pause;
mod rewind;
mod trust;

use crate::config::Config;
use crate::config::files::{self, Files, Place};
use crate::errands::places::given;
use crate::errands::{self, Done, Front};
use crate::rewind::desk::Desk;
use crate::text::{clean, is_clean, json_line, path_text, printable};
use crate::ui::{Failure, Printer};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
Examples:
  zerto-guard install claude-code
  zerto-guard doctor
  zerto-guard check -- ssh web01 uptime
  zerto-guard rewind log web01

Exit codes:
  0   done
  1   failed
  3   nothing matched (a VM, an entry, a question)
  4   more than one matched
  5   not confirmed, or refused by a rule of this tool
  6   the ZVM can't be reached, is not trusted, or refused the login or the right
  64  usage
  130, 143  after SIGINT, SIGTERM, once everything is unmounted
`hook` alone ends with 0 (the call may run) or 2 (it is stopped), and with nothing else.";

#[derive(Debug, Args)]
struct Global {
    /// The config file [default: ~/.config/zerto-guard/config.toml]
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Your catalog [default: ~/.config/zerto-guard/catalog.toml]
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Tokens, locks, questions and the audit log [default: ~/.local/state/zerto-guard]
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "DIR")]
    state_dir: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long, global = true, help_heading = "Everywhere")]
    json: bool,
    /// No colours
    #[arg(long, global = true, help_heading = "Everywhere")]
    no_color: bool,
    /// Say which files are used
    #[arg(short, long, global = true, help_heading = "Everywhere")]
    verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The enforcer: an agent host's hook JSON on stdin, exit 0 or 2
    #[command(
        long_about = "The enforcer. An agent host starts it before each tool call, with the call as JSON on stdin. \
        It ends with 0 (the call may run) or 2 (it is stopped; stderr says why and what to do), and with nothing else.",
        after_help = "It has no --help, --version and --json of its own, since it ends with 0 or 2 whatever it is given.\n\n\
        Example:\n  zerto-guard hook --host claude-code --host-timeout 180s < call.json"
    )]
    Hook(HookHelp),
    /// The verdict for a command or a tool call, and which entry decided
    Check(check::Check),
    /// Which VPGs protect a VM, and which of them can be tagged (no change made)
    Find(find::Find),
    /// Tag a VM's VPGs by hand, for scripts and CI
    Guard(guard::Guard),
    /// The open questions
    Questions(answer::OpenQuestions),
    /// Answer a question: the call is guarded, or runs without a checkpoint
    Answer(answer::Answer),
    /// Read and edit the catalog
    Catalog(catalog::Catalog),
    /// For a while, let run what would be guarded or asked about (on a terminal only)
    Pause(pause::Pause),
    /// What was decided of the agents' calls, and how each ended
    Audit(audit::Audit),
    /// Get back what an agent's change has broken
    Rewind(rewind::Rewind),
    /// A script that completes command lines in a shell
    Completions(papers::Completions),
    /// Write the manual pages into a folder
    Man(papers::Man),
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
        errands::config(&self.files)
    }

    /// The configured ZVMs, those that are there for recovery only too.
    fn desk(&self) -> Result<Arc<Desk>, Failure> {
        errands::desk(&self.files)
    }

    /// The human who gave the command; `yes`: who has confirmed what it does.
    fn front(&self, yes: bool) -> Arc<dyn Front> {
        Arc::new(front::Human { json: self.printer.is_json(), yes, paint: self.printer.colours() })
    }

    /// Prints what came of an errand.
    fn show(&mut self, done: &Done) -> Result<u8, Failure> {
        self.printer.result(&done.text, &done.object)?;
        Ok(0)
    }

    fn catalog(&self, cwd: Option<&str>) -> Result<crate::catalog::Catalog, Failure> {
        self.files.catalog(cwd).map_err(|fault| Failure::new(1, fault.0, ""))
    }
}

/// Runs the command and gives its exit code.
#[must_use]
pub fn run(arguments: Vec<OsString>) -> u8 {
    let words = arguments.clone();
    let name = std::iter::once(OsString::from("zerto-guard"));
    let parsed = match CommandLine::try_parse_from(name.chain(arguments)) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error, &words),
    };
    let global = &parsed.global;
    let mut printer = Printer::standard(parsed.global.json, parsed.global.no_color);
    let files = match Files::find(given(global.config.clone(), global.catalog.clone(), global.state_dir.clone())) {
        Ok(files) => files,
        Err(fault) => {
            printer.failure(&Failure::new(1, fault.0, ""));
            return 1;
        }
    };
    if parsed.global.verbose {
        say_where(&files, &mut printer);
    }
    let mut context = Context { files, printer };
    let done = match parsed.command {
        // `main` takes it before clap sees it.
        Command::Hook(_) => Err(Failure::new(64, "`hook` is the first word of its command line", "")),
        Command::Check(check) => check.run(&mut context),
        Command::Find(find) => find.run(&mut context),
        Command::Guard(guard) => guard.run(&mut context),
        Command::Questions(questions) => questions.run(&mut context),
        Command::Answer(answer) => answer.run(&mut context),
        Command::Catalog(catalog) => catalog.run(&mut context),
        Command::Pause(pause) => pause.run(&mut context),
        Command::Audit(audit) => audit.run(&mut context),
        Command::Rewind(rewind) => rewind.run(&mut context),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(&mut context),
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

/// The files that count, for `-v`.
fn say_where(files: &Files, printer: &mut Printer) {
    let admin = ["config.toml", "catalog.toml"].map(|file| Some(files.admin.join(file)));
    let [admin_config, admin_catalog] = admin;
    let user = |place: &Place| place.path().map(Path::to_owned);
    let project = cwd().and_then(|cwd| files::project_catalog(Path::new(&cwd)));
    for (what, path) in [
        ("administrator's config", admin_config),
        ("administrator's catalog", admin_catalog),
        ("config", user(&files.config)),
        ("catalog", user(&files.catalog)),
        ("project's catalog", project),
        ("state", Some(files.state.clone())),
    ] {
        if let Some(path) = path {
            let there = if path.exists() { "" } else { " (not there)" };
            printer.note(&format!("{what}: {}{there}", path_text(&path)));
        }
    }
}

/// What is wrong with a command line, or the help that was asked for; and the exit code.
fn usage(error: &clap::Error, words: &[OsString]) -> u8 {
    let has = |word: &str| words.iter().any(|w| w == word);
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let _ = error.print();
        return 0;
    }
    let mut text = error.render().to_string();
    // What was typed stands in it as it was, on as many lines as it has.
    for word in words.iter().map(|word| word.to_string_lossy()).filter(|word| !is_clean(word, usize::MAX)) {
        text = text.replace(word.as_ref(), &clean(&word, usize::MAX));
    }
    let _ = write!(std::io::stderr(), "{}", printable(&text));
    // Whoever meant the hook, whatever stands around the word, must not get a code that lets the call run.
    let code = if has("hook") { 2 } else { 64 };
    if has("--json") && code == 64 {
        let lines = text.lines().take_while(|line| !line.starts_with("Usage") && !line.starts_with("For more"));
        let message = lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let message = message.trim_start_matches("error: ").to_owned();
        let object = serde_json::json!({"ok": false, "error": message, "hint": "Try --help.", "exit_code": code});
        println!("{}", json_line(&object));
    }
    code
}

/// The folder in which the command was started.
fn cwd() -> Option<String> {
    std::env::current_dir().ok().and_then(|folder| folder.to_str().map(str::to_owned))
}
