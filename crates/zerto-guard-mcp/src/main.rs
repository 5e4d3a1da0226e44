//! `zerto-guard-mcp`: zerto-guard's loop as MCP tools over stdio, for agent hosts that have no hook. Advice, not enforcement.
//!
//! `server` (what MCP asks), `tools` (one file a tool or two that belong together: its schema, its words, and the call of
//! `zerto_guard::errands`), `call` (who it is done for), `consent` (how a human is asked), `running` (what has to be seen to
//! its end), `answer` (a result or a failure as MCP has it), `stdio` (the client's end, and signals). Must not: hold logic
//! that the command line has too, or write to stdout anything but protocol.

mod answer;
mod call;
mod consent;
mod running;
mod server;
mod stdio;
mod tools;

use clap::Parser;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use zerto_guard::config::files::Files;
use zerto_guard::errands::places::given;

/// zerto-guard's loop as MCP tools, for agent hosts that have no hook. An MCP client starts it and speaks to it over stdio.
#[derive(Debug, Parser)]
#[command(
    name = "zerto-guard-mcp",
    version,
    max_term_width = 100,
    after_help = "\
Its tools are advice: the agent has to ask for them itself. Where the host has hooks, `zerto-guard install HOST` enforces.
`zerto-guard install HOST --mcp` writes this server into the host's settings.

Example:
  { \"mcpServers\": { \"zerto-guard\": { \"command\": \"/usr/local/bin/zerto-guard-mcp\" } } }

Exit codes: 0 the client has closed stdin; 1 it could not be served; 64 usage; 128 and its number after a signal (SIGTERM: 143).
Whatever ends it, it first ends what it has mounted, and sees a guard that has begun to its end."
)]
struct Arguments {
    /// The config file [default: ~/.config/zerto-guard/config.toml]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Your catalog [default: ~/.config/zerto-guard/catalog.toml]
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
    /// Tokens, locks and the audit log [default: ~/.local/state/zerto-guard]
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
    /// The agent's name in a tag [default: guard.agent of the config, else the client's own name]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

impl Arguments {
    /// The options that have to stand in a command line of `zerto-guard` for it to mean the same files.
    fn places(&self) -> Vec<String> {
        [("--config", &self.config), ("--catalog", &self.catalog), ("--state-dir", &self.state_dir)]
            .into_iter()
            .filter_map(|(option, path)| Some([option.to_owned(), path.as_ref()?.to_string_lossy().into_owned()]))
            .flatten()
            .collect()
    }
}

fn main() -> ExitCode {
    zerto_guard::signals::hear_of_children();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(asked) => {
            let _ = asked.print();
            return ExitCode::from(if asked.use_stderr() { 64 } else { 0 });
        }
    };
    let places = arguments.places();
    match Files::find(given(arguments.config, arguments.catalog, arguments.state_dir)) {
        Ok(files) => ExitCode::from(stdio::serve(server::Server::new(files, places, arguments.agent))),
        Err(fault) => {
            let _ = writeln!(std::io::stderr(), "zerto-guard-mcp: {fault}");
            ExitCode::from(1)
        }
    }
}
