//! Questions to the person at the terminal, whatever stdin and stdout are.

use super::fit;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};

/// Asks on the terminal; anything but `y` or `yes` is no, its end too (Ctrl-D). None where there is no terminal.
#[must_use]
pub fn confirm(question: &str) -> Option<bool> {
    let line = Terminal::open()?.ask(&format!("{question} [y/N] ")).unwrap_or_default();
    Some(matches!(line.to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// The terminal of the person who started the program.
pub struct Terminal(BufReader<File>);

impl Terminal {
    /// Opens it; none where there is no terminal.
    #[must_use]
    pub fn open() -> Option<Self> {
        OpenOptions::new().read(true).write(true).open("/dev/tty").ok().map(|file| Self(BufReader::new(file)))
    }

    /// Asks, and gives the line that was typed, without the blanks around it; none at its end.
    pub fn ask(&mut self, question: &str) -> Option<String> {
        let file = self.0.get_mut();
        write!(file, "{}", fit(question, true)).ok()?;
        file.flush().ok()?;
        let mut line = String::new();
        (self.0.read_line(&mut line).ok()? > 0).then(|| line.trim().to_owned())
    }
}
