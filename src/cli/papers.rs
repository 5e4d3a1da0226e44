//! `zerto-guard completions` and `zerto-guard man`: what a shell and a reader of manuals want, from the same definitions as
//! the command line itself.

use super::{CommandLine, Context};
use crate::ui::Failure;
use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use std::io;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  zerto-guard completions bash > ~/.local/share/bash-completion/completions/zerto-guard\n\n\
    Exit codes: 0 written; 1 it can't be written; 64 usage."
)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  zerto-guard man ~/.local/share/man/man1\n\n\
    Exit codes: 0 written; 1 they can't be written; 64 usage.")]
pub struct Man {
    /// The folder into which the pages are written
    dir: PathBuf,
}

impl Completions {
    pub(super) fn run(self) -> Result<u8, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "zerto-guard", &mut script);
        io::Write::write_all(&mut io::stdout(), &script)?;
        Ok(0)
    }
}

impl Man {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        std::fs::create_dir_all(&self.dir).with_context(|| format!("{} can't be made", self.dir.display()))?;
        clap_mangen::generate_to(CommandLine::command(), &self.dir)
            .with_context(|| format!("the pages can't be written to {}", self.dir.display()))?;
        let text = format!("written to {}", self.dir.display());
        context.printer.result(&text, &serde_json::json!({"ok": true, "dir": self.dir}))?;
        Ok(0)
    }
}
