//! The pieces of a program's text, whatever language it is in, and how they are walked. Pure.

/// A piece of a program and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind<'t>,
    /// Where it begins.
    pub at: usize,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'t> {
    /// A word: a keyword, a function, a module.
    Name(&'t str),
    /// A variable with its sigil, where the language has those.
    Variable(&'t str),
    /// A string, with what stands in it if that is all of it and nothing in it stands for something else.
    Text(Option<&'t str>),
    /// A name that stands for itself (`:name` of Ruby).
    Symbol(&'t str),
    /// A number.
    Number,
    /// A regular expression.
    Pattern,
    /// An operator or bracket.
    Mark(&'t str),
    /// The end of a line or of a statement.
    End,
}

/// A text read into its pieces.
#[derive(Debug, Default)]
pub struct Lexed<'t> {
    /// The pieces in their order; code within a string follows the string, in braces.
    pub tokens: Vec<Token<'t>>,
    /// What stands in its strings, as it is written.
    pub texts: Vec<&'t str>,
    /// Where it could be read in another way, too.
    pub doubt: Option<usize>,
}

impl<'t> Lexed<'t> {
    /// The piece at a place; behind the last one the end.
    #[must_use]
    pub fn kind(&self, nr: usize) -> Kind<'t> {
        self.tokens.get(nr).map_or(Kind::End, |token| token.kind)
    }

    /// The piece so many before a place.
    #[must_use]
    pub fn before(&self, nr: usize, steps: usize) -> Kind<'t> {
        nr.checked_sub(steps).map_or(Kind::End, |nr| self.kind(nr))
    }

    /// Whether an operator or bracket stands there.
    #[must_use]
    pub fn is(&self, nr: usize, mark: &str) -> bool {
        matches!(self.kind(nr), Kind::Mark(found) if found == mark)
    }

    /// The word that stands there.
    #[must_use]
    pub fn name(&self, nr: usize) -> Option<&'t str> {
        match self.kind(nr) {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Where in the text a piece begins.
    #[must_use]
    pub fn place(&self, nr: usize) -> usize {
        self.tokens.get(nr).or_else(|| self.tokens.last()).map_or(0, |token| token.at)
    }

    /// The pieces of each argument of a call whose bracket stands there, as ranges; none if it is not closed.
    #[must_use]
    pub fn arguments(&self, open: usize) -> Option<Vec<std::ops::Range<usize>>> {
        let mut depth = 0_usize;
        let mut from = open + 1;
        let mut found = vec![];
        for (nr, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                Kind::Mark("(" | "[" | "{") => depth += 1,
                Kind::Mark(")" | "]" | "}") => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        if nr > from {
                            found.push(from..nr);
                        }
                        return Some(found);
                    }
                }
                Kind::Mark(",") if depth == 1 => {
                    found.push(from..nr);
                    from = nr + 1;
                }
                _ => {}
            }
            // What is longer than any call is none that is understood; each look must end soon.
            if nr - open > MOST_LOOKED_AT {
                return None;
            }
        }
        None
    }

    /// The text that an argument is, if it is one string and nothing else.
    #[must_use]
    pub fn only_text(&self, range: &std::ops::Range<usize>) -> Option<&'t str> {
        match (range.len(), self.kind(range.start)) {
            (1, Kind::Text(text)) => text,
            _ => None,
        }
    }
}

/// A name that the text holds where no code was seen: where it could be read in another way, that may be code.
#[must_use]
pub fn hidden<'t>(text: &'t str, lexed: &Lexed, is_odd: impl Fn(&str) -> bool) -> Option<&'t str> {
    lexed.doubt?;
    let mut seen: Vec<usize> = lexed.tokens.iter().map(|token| token.at).collect();
    seen.sort_unstable();
    let mut words =
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).filter(|word| !word.is_empty());
    words.find(|word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        is_odd(word) && seen.binary_search(&at).is_err()
    })
}

/// Whether a character may stand in a name of Perl or Ruby.
#[must_use]
pub fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What closes what this opens, as Perl and Ruby have it for their quotes.
#[must_use]
pub fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

/// A call of more pieces is not looked through: a text full of open brackets must not take long.
const MOST_LOOKED_AT: usize = 800;

/// Walks a text.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'t> {
    text: &'t str,
    /// Where it stands.
    pub at: usize,
}

impl<'t> Reader<'t> {
    /// At the beginning of a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// What is left.
    #[must_use]
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next character.
    #[must_use]
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character behind the next one.
    #[must_use]
    pub fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    /// Takes the next character.
    pub fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes a text if it comes next.
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Takes characters as long as they are such.
    pub fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Takes an operator: one of these, of which the longer ones come first, or a single character.
    pub fn operator(&mut self, marks: &[&str]) -> &'t str {
        let from = self.at;
        let long = marks.iter().find(|mark| self.rest().starts_with(**mark));
        self.at += long.map_or_else(|| self.peek().map_or(0, char::len_utf8), |mark| mark.len());
        self.slice(from, self.at)
    }

    /// Takes the rest of the line, but not its end.
    pub fn line(&mut self) -> &'t str {
        self.take_while(|c| !matches!(c, '\n' | '\r'))
    }

    /// Takes everything up to and including a text; none if it never comes.
    pub fn through(&mut self, end: &str) -> Option<&'t str> {
        let found = self.rest().find(end)?;
        let taken = self.rest().get(..found)?;
        self.at += found + end.len();
        Some(taken)
    }

    /// What stands between two places.
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Whether it stands at the beginning of a line.
    #[must_use]
    pub fn begins_line(&self) -> bool {
        self.text.get(..self.at).is_none_or(|before| before.is_empty() || before.ends_with(['\n', '\r']))
    }
}

/// What is wrong, with the line if there are several.
#[must_use]
pub fn fault(text: &str, at: usize, what: impl Into<String>) -> String {
    let what = what.into();
    if !text.trim_end().contains('\n') {
        return what;
    }
    let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    format!("in line {line} {what}")
}

/// Whether a sorted list holds a name.
#[must_use]
pub fn listed(list: &[&str], name: &str) -> bool {
    list.binary_search(&name).is_ok()
}
