//! A cursor over the text of an action: what is copied, what is masked, and where a shell word or quoted string ends.
//!
//! Must not: know what a secret looks like.

use super::MASK;

/// A text as far as it was read, and what has become of it.
pub(super) struct Scan {
    chars: Vec<char>,
    pub(super) at: usize,
    out: String,
    /// The quotes that `out` leaves open.
    open: Vec<char>,
}

impl Scan {
    pub(super) fn new(text: &str) -> Self {
        Self { chars: text.chars().collect(), at: 0, out: String::with_capacity(text.len()), open: Vec::new() }
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at.saturating_add(ahead)).copied()
    }

    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    pub(super) fn before(&self) -> Option<char> {
        self.at.checked_sub(1).and_then(|at| self.char_at(at))
    }

    pub(super) fn at_word_start(&self) -> bool {
        !self.before().is_some_and(|c| c.is_alphanumeric() || c == '_')
    }

    /// Whether a shell word begins here: after white space, a quote, a bracket, a separator, or nothing.
    pub(super) fn at_argument_start(&self) -> bool {
        self.before().is_none_or(|c| c.is_whitespace() || "\"'`([{;|&,=".contains(c))
    }

    /// Whether what begins here is the rest of a name with parts (`sort-key`), and not what stands behind dashes.
    pub(super) fn in_a_name(&self) -> bool {
        let before = |far: usize| self.at.checked_sub(far).and_then(|at| self.char_at(at));
        before(1).is_some_and(|c| c == '-' || c == '.') && before(2).is_some_and(char::is_alphanumeric)
    }

    /// The run of characters from `from` that `belongs` accepts.
    pub(super) fn run(&self, from: usize, belongs: impl Fn(char) -> bool) -> String {
        self.rest(from).take_while(|c| belongs(*c)).collect()
    }

    /// Where that run ends.
    pub(super) fn skip(&self, from: usize, belongs: impl Fn(char) -> bool) -> usize {
        from + self.rest(from).take_while(|c| belongs(*c)).count()
    }

    /// Where the next word of a command begins: behind blanks, and line breaks that a backslash (or PowerShell's backtick) takes
    /// away. What stands on another line is another command, and to take its first word for a value hides what it says.
    pub(super) fn next_word(&self, from: usize) -> usize {
        let mut at = self.skip(from, |c| c == ' ' || c == '\t');
        while at > from && self.char_at(at).is_some_and(|c| "\\`".contains(c)) {
            let line = at + 1 + usize::from(self.char_at(at + 1) == Some('\r'));
            if self.char_at(line) != Some('\n') {
                break;
            }
            at = self.skip(line + 1, |c| c == ' ' || c == '\t');
        }
        at
    }

    /// Where the next string of a list begins, if what ends at `from` is one: `["--password", "x"]`.
    pub(super) fn next_item(&self, from: usize) -> usize {
        let quote = from + usize::from(self.char_at(from) == Some('\\'));
        if !self.char_at(quote).is_some_and(|c| "\"'".contains(c)) {
            return from;
        }
        let comma = self.skip(quote + 1, |c| c == ' ');
        let item = self.skip(comma + 1, char::is_whitespace);
        let same = self.rest(item).take(quote + 1 - from).eq(self.rest(from).take(quote + 1 - from));
        if self.char_at(comma) == Some(',') && same { item } else { from }
    }

    /// A run that is no longer than a name or token: a rule that looks ahead must not read the whole text each time.
    pub(super) fn word(&self, from: usize, longest: usize, belongs: impl Fn(char) -> bool) -> String {
        self.rest(from).take(longest).take_while(|c| belongs(*c)).collect()
    }

    pub(super) fn rest(&self, from: usize) -> impl Iterator<Item = char> + '_ {
        self.chars.get(from..).unwrap_or_default().iter().copied()
    }

    /// Up to so many of the characters before this one.
    pub(super) fn read(&self, longest: usize) -> String {
        let read = self.chars.get(..self.at).unwrap_or_default();
        read.iter().skip(read.len().saturating_sub(longest)).collect()
    }

    pub(super) fn starts_with(&self, from: usize, what: &str) -> bool {
        let mut here = self.rest(from);
        what.chars().all(|c| here.next().is_some_and(|h| h.eq_ignore_ascii_case(&c)))
    }

    /// Whether the text written so far leaves this kind of quote open.
    pub(super) fn inside(&self, quote: char) -> bool {
        self.open.contains(&quote)
    }

    /// Whether the quote there ends a string that was open before: as far as they are counted, and by what stands behind it.
    fn closes_at(&self, at: usize, quote: char) -> bool {
        let is_end = |c: char| c.is_whitespace() || "&;|<>()[]{},:".contains(c);
        self.inside(quote) && self.char_at(at + 1).is_none_or(is_end)
    }

    /// Copies everything up to `end`.
    pub(super) fn copy_to(&mut self, end: usize) {
        while self.at < end.min(self.chars.len()) {
            if let Some(c) = self.peek(0) {
                if "\"'`".contains(c) {
                    match self.open.iter().position(|open| *open == c) {
                        Some(at) => drop(self.open.remove(at)),
                        None => self.open.push(c),
                    }
                }
                self.out.push(c);
            }
            self.at += 1;
        }
    }

    /// Writes the mask instead of everything up to `end`.
    pub(super) fn mask_to(&mut self, end: usize) {
        self.out.push_str(MASK);
        self.at = end.min(self.chars.len());
    }

    /// Copies up to `start` and masks the value there, if there is one. Always true: the text was read on.
    pub(super) fn mask_value_at(&mut self, start: usize) -> bool {
        self.copy_to(start);
        self.mask_value();
        true
    }

    /// Masks the value that begins here: a quoted string (its quotes stay), or a shell word with its quoted parts.
    /// Nothing is done if no value begins here.
    fn mask_value(&mut self) {
        while self.mask_part() {}
    }

    /// Masks what begins here; whether the value is still to come.
    fn mask_part(&mut self) -> bool {
        let escaped = usize::from(self.peek(0) == Some('\\'));
        let Some(quote) = self.peek(escaped).filter(|c| "\"'`".contains(*c)) else {
            let end = self.word_end(self.at);
            if end == self.at {
                return false;
            }
            // A name, and not yet the value: that is what stands behind it.
            let is_name = self.char_at(end - 1).is_some_and(|c| ":=".contains(c));
            self.mask_to(end);
            let next = self.skip(self.at, |c| c == ' ' || c == '\t');
            let goes_on = is_name && next > self.at && self.char_at(next).is_some_and(|c| !"-<>|&;*".contains(c));
            if goes_on {
                self.copy_to(next);
            }
            return goes_on;
        };
        if escaped == 0 && self.inside(quote) {
            if self.closes_at(self.at, quote) {
                return false;
            }
            // Quotes are counted, and an apostrophe before (`don't`) makes them odd: what goes on behind this one is a value.
            if self.peek(1).is_some_and(|c| "\"'`".contains(c)) {
                self.copy_to(self.at + 1);
                return true;
            }
        }
        let start = self.at + escaped + 1;
        let end = self.closing(start, quote, escaped == 1);
        if end == start {
            return false; // ""
        }
        self.copy_to(start);
        self.mask_to(end);
        self.copy_to(end + escaped + 1);
        if escaped == 0 {
            self.skip_parts(quote);
        }
        // `"a"b` is one shell word, and a secret to its end.
        if self.peek(0).is_some_and(|c| c.is_alphanumeric() || "_-$*".contains(c)) {
            self.at = self.word_end(self.at);
        }
        false
    }

    /// Leaves out the quoted parts that go on a value right behind one in this quote: `'it'\''s'` and `'a'"b"` are one word of a
    /// shell, `'it''s'` is one string of SQL.
    fn skip_parts(&mut self, quote: char) {
        loop {
            let escaped = quote == '\'' && self.starts_with(self.at, "\\'");
            let goes_on = |c: char| "\"'".contains(c) && !self.closes_at(self.at, c) && (c == quote || !self.inside(c));
            match self.peek(0) {
                _ if escaped => self.at += 2,
                Some(c) if goes_on(c) => self.at = (self.closing(self.at + 1, c, false) + 1).min(self.chars.len()),
                _ => break,
            }
        }
    }

    /// Where the quoted string that began before `from` ends: the position of its closing quote, or the text's end.
    fn closing(&self, from: usize, quote: char, escaped: bool) -> usize {
        let mut at = from;
        while let Some(c) = self.char_at(at) {
            if escaped {
                if c == '\\' && self.char_at(at + 1) == Some(quote) {
                    return at;
                }
            } else if c == '\\' && quote == '"' {
                at += 1;
            } else if c == quote {
                return at;
            }
            at += 1;
        }
        self.chars.len()
    }

    /// Where the unquoted word that goes on at `from` ends. Quoted parts belong to it, unless the quote closes one
    /// that was open before the word.
    fn word_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(c) = self.char_at(at) {
            match c {
                c if c.is_whitespace() || "&;|<>)".contains(c) => break,
                '"' | '\'' | '`' => {
                    if self.closes_at(at, c)
                        || self.inside(c) && self.char_at(at + 1).is_some_and(|c| "\"'`".contains(c))
                    {
                        break;
                    }
                    at = self.closing(at + 1, c, false);
                }
                '\\' if self.char_at(at + 1).is_some_and(|c| "\"'".contains(c)) => break,
                '\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        at.min(self.chars.len())
    }

    /// What the text has become.
    pub(super) fn done(self) -> String {
        self.out
    }
}
