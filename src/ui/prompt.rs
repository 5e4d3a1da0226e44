//! Questions to the person at the terminal, whatever stdin and stdout are.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};

/// Asks on the terminal; anything but `y` or `yes` is no. None where there is no terminal.
#[must_use]
pub fn confirm(question: &str) -> Option<bool> {
    let mut terminal = terminal()?;
    write!(terminal, "{question} [y/N] ").ok()?;
    terminal.flush().ok()?;
    let mut line = String::new();
    BufReader::new(terminal).read_line(&mut line).ok()?;
    Some(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn terminal() -> Option<File> {
    OpenOptions::new().read(true).write(true).open("/dev/tty").ok()
}
