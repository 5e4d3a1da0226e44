//! A long result goes through the person's pager, as git has it: `PAGER`, else `less`, and only on a terminal.

use super::{Printer, fit, terminal};
use serde_json::Value;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

/// Shows a text for people: through a pager where it is longer than the terminal.
///
/// # Errors
/// If stdout can't be written.
pub fn show(text: &str, printer: &mut Printer) -> io::Result<()> {
    let too_long = terminal::size().is_some_and(|(_, rows)| text.lines().count() >= rows);
    if !too_long || !paged(text) {
        return printer.result(text, &Value::Null);
    }
    Ok(())
}

/// Whether a pager has shown it.
fn paged(text: &str) -> bool {
    let wanted = std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    // As git does: a shell reads it, since people write options there.
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(wanted.as_deref().unwrap_or("less"));
    if std::env::var_os("LESS").is_none() {
        // Colours as they are, nothing waited for if it fits, and it stays on the screen.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut pipe) = child.stdin.take() {
        // Whoever has seen enough quits the pager.
        let _ = writeln!(pipe, "{}", fit(text.trim_end(), true));
    }
    // 127: there is no such program, and nothing was shown.
    child.wait().is_ok_and(|status| status.code() != Some(127))
}
