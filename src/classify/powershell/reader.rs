//! Where the reading of a PowerShell text stands, and what stands between its words. Pure.

use super::tree::Block;

/// The longest text, in bytes.
const LONGEST: usize = 64 * 1024;
/// How deep brackets, quotes and blocks may stand in each other.
const DEEPEST: usize = 40;

/// Reading, or why it can't go on.
pub(super) type Read<T> = Result<T, String>;

/// Reads a text.
pub(super) struct Reader<'t> {
    text: &'t str,
    pub at: usize,
    depth: usize,
}

/// Reads a whole text.
///
/// # Errors
/// Why it can't be read, in words that follow a "since".
pub fn read(text: &str) -> Result<Block, String> {
    if text.len() > LONGEST {
        return Err(format!("it is longer than {} KiB", LONGEST / 1024));
    }
    if text.contains('\0') {
        return Err("it holds a NUL".into());
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { text, at: 0, depth: 0 };
    let block = reader.block_until(None)?;
    Ok(block)
}

/// Whether PowerShell takes it for a blank.
pub(super) fn is_blank(c: char) -> bool {
    c != '\n' && c != '\r' && (c.is_whitespace() || c == '\u{85}' || c == '\u{180e}')
}

/// Whether PowerShell takes it for a dash.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2013}' | '\u{2014}' | '\u{2015}')
}

/// Whether PowerShell takes it for a single quote.
pub(super) fn is_single(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}'..='\u{201b}')
}

/// Whether PowerShell takes it for a double quote.
pub(super) fn is_double(c: char) -> bool {
    matches!(c, '"' | '\u{201c}'..='\u{201e}')
}

/// Whether a name may hold it.
pub(super) fn in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'t> Reader<'t> {
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The one behind the next.
    pub fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub fn third(&self) -> Option<char> {
        self.rest().chars().nth(2)
    }

    pub fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub fn starts(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// Goes on behind this text, if it stands here.
    pub fn take(&mut self, text: &str) -> bool {
        let here = self.starts(text);
        if here {
            self.at += text.len();
        }
        here
    }

    /// What was read since then.
    pub fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The same, as a line for people.
    pub fn shown(&self, start: usize) -> String {
        const SHOWN: usize = 200;
        self.since(start).trim().chars().take(SHOWN).collect()
    }

    pub fn expect(&mut self, text: &str) -> Read<()> {
        if self.take(text) { Ok(()) } else { Err(self.fault(&format!("`{text}` is missing"))) }
    }

    /// Why it can't go on, with where.
    pub fn fault(&self, why: &str) -> String {
        let before = self.text.get(..self.at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let next: String = self.rest().chars().take(20).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let near = if next.is_empty() { "its end".to_owned() } else { format!("`{next}`") };
        format!("as PowerShell text it can't be read (line {line}, at {near}): {why}")
    }

    /// Reads something that stands within something.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return Err(self.fault("it is nested more deeply than is followed"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips blanks, comments, and line breaks that a backtick takes away.
    pub fn blanks(&mut self) -> Read<()> {
        loop {
            match self.peek() {
                Some(c) if is_blank(c) => self.at += c.len_utf8(),
                Some('`') if matches!(self.second(), Some('\n' | '\r')) => {
                    self.at += 1;
                    self.line_break();
                }
                Some('#') => {
                    let rest = self.rest();
                    self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
                }
                Some('<') if self.starts("<#") => match self.rest().find("#>") {
                    Some(end) => self.at += end + 2,
                    None => return Err(self.fault("a comment has no end")),
                },
                _ => return Ok(()),
            }
        }
    }

    fn line_break(&mut self) {
        if !self.take("\r\n") {
            self.next();
        }
    }

    /// Skips blanks and line breaks.
    pub fn lines(&mut self) -> Read<()> {
        loop {
            self.blanks()?;
            if !matches!(self.peek(), Some('\n' | '\r')) {
                return Ok(());
            }
            self.next();
        }
    }

    /// Skips everything that only parts statements.
    pub fn gaps(&mut self) -> Read<()> {
        loop {
            self.lines()?;
            if self.peek() != Some(';') {
                return Ok(());
            }
            self.next();
        }
    }

    /// The plain name that begins here, if one does.
    pub fn word_ahead(&self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| !in_name(c)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }
}
