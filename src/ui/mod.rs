//! The one voice out: results to stdout as text or JSON, notes to stderr, questions on the terminal.
//!
//! Must not: decide what is said, or be used by `hook`, whose host reads both streams.

pub mod pager;
pub mod passing;
pub mod progress;
pub mod prompt;
pub mod table;
pub mod terminal;

use crate::text::{json_line, printable};
use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};

/// A failure for people and programs: what happened, what to do now, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What happened, to what.
    pub message: String,
    /// What to do now; may be empty.
    pub hint: String,
    /// The exit code of the contract.
    pub code: u8,
}

impl Failure {
    /// A failure of this kind.
    #[must_use]
    pub fn new(code: u8, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), code }
    }
}

impl From<io::Error> for Failure {
    /// A reader that has seen enough (`| head`) is no failure, and there is nobody to tell.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(0, "", ""),
            _ => Self::new(1, format!("the output could not be written: {error}"), ""),
        }
    }
}

/// What the command's own edge could not do: a failure of the general kind, its causes in one line.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::new(1, format!("{error:#}"), "")
    }
}

/// How something is shown where colours are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// To be looked at.
    Doubt,
    /// Wrong, refused.
    Bad,
    /// Beside the point.
    Faint,
    /// A heading.
    Strong,
}

impl Tone {
    const ALL: [Self; 5] = [Self::Good, Self::Doubt, Self::Bad, Self::Faint, Self::Strong];

    fn style(self) -> Style {
        match self {
            Self::Good => AnsiColor::Green.on_default(),
            Self::Doubt => AnsiColor::Yellow.on_default(),
            Self::Bad => AnsiColor::Red.on_default(),
            Self::Faint => Style::new().dimmed(),
            Self::Strong => Style::new().bold(),
        }
    }
}

/// A text as it goes to a terminal: [`printable`], but for the colours of [`Printer::paint`] where there are any.
#[must_use]
pub fn fit(text: &str, colours: bool) -> Cow<'_, str> {
    if !colours || !text.contains('\u{1b}') {
        return printable(text);
    }
    let ours: Vec<String> = Tone::ALL
        .iter()
        .flat_map(|tone| [tone.style().render().to_string(), tone.style().render_reset().to_string()])
        .collect();
    let mut fit = String::with_capacity(text.len());
    let mut rest = text;
    // What stands between two colours is a text of its own, so that a sequence that others began swallows none of ours.
    while let Some((at, colour)) = ours.iter().filter_map(|colour| Some((rest.find(colour)?, colour))).min() {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        fit.push_str(&printable(before));
        fit.push_str(colour);
        rest = after.get(colour.len()..).unwrap_or_default();
    }
    fit.push_str(&printable(rest));
    Cow::Owned(fit)
}

/// Whether there are colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paint(bool);

impl Paint {
    /// No colours.
    pub const NONE: Self = Self(false);

    /// The text in that tone, if there are colours.
    #[must_use]
    pub fn paint(self, tone: Tone, text: &str) -> String {
        if !self.0 || text.is_empty() {
            return text.to_owned();
        }
        let style = tone.style();
        format!("{style}{}{style:#}", printable(text))
    }
}

/// Writes results, notes and errors.
pub struct Printer {
    json: bool,
    colours: Paint,
    out: Box<dyn Write>,
    err: Box<dyn Write>,
}

impl Printer {
    /// For this process's own streams. Colours need a terminal, and neither `--no-color` nor `NO_COLOR`.
    #[must_use]
    pub fn standard(json: bool, no_colour: bool) -> Self {
        let wanted = !no_colour
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let colour = wanted && !json && io::stdout().is_terminal();
        Self { json, colours: Paint(colour), out: Box::new(io::stdout()), err: Box::new(io::stderr()) }
    }

    /// Whether a program reads the result.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Whether there are colours.
    #[must_use]
    pub fn colours(&self) -> Paint {
        self.colours
    }

    /// The text in that tone, if there are colours.
    #[must_use]
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        self.colours.paint(tone, text)
    }

    /// The result: the text for people, or the JSON for programs.
    ///
    /// # Errors
    /// If stdout can't be written.
    pub fn result(&mut self, text: &str, json: &Value) -> io::Result<()> {
        if self.json {
            writeln!(self.out, "{}", json_line(json))?;
        } else if !text.is_empty() {
            writeln!(self.out, "{}", fit(text.trim_end(), self.colours.0))?;
        }
        self.out.flush()
    }

    /// Bytes as they are, to stdout, and nothing else.
    ///
    /// # Errors
    /// If they can't be read, or stdout can't be written.
    pub fn bytes(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        let mut buffer = vec![0; 256 * 1024];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return self.out.flush(),
                Ok(count) => self.out.write_all(buffer.get(..count).unwrap_or_default())?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// A line on stderr.
    pub fn note(&mut self, text: &str) {
        let _ = writeln!(self.err, "{}", fit(text, self.colours.0));
    }

    /// A failure: on stderr, and with `--json` on stdout too.
    pub fn failure(&mut self, failure: &Failure) {
        if failure.message.is_empty() {
            return;
        }
        if self.json {
            let object = json!({
                "ok": false,
                "error": failure.message,
                "hint": failure.hint,
                "exit_code": failure.code,
            });
            let _ = writeln!(self.out, "{}", json_line(&object));
            let _ = self.out.flush();
        }
        let _ = writeln!(self.err, "zerto-guard: {}", fit(failure.message.trim_end(), false));
        if !failure.hint.is_empty() {
            let _ = writeln!(self.err, "{}", fit(failure.hint.trim_end(), false));
        }
    }
}
