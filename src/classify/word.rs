//! A word as it will reach a program, as far as the text tells. Pure.

use std::borrow::Cow;

/// A word of which some stretches are only known when the command runs.
///
/// What a shell puts in their place is any text: the value of a variable, the output of a command, the names that a
/// wildcard finds. "Not known" is never taken for empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// What is known of it, the unknown stretches left out.
    text: String,
    /// Where in `text` something unknown stands, in rising order.
    holes: Vec<Hole>,
    /// How many words it may turn out to be.
    many: Many,
}

/// A stretch that is not known.
#[derive(Debug, Clone)]
struct Hole {
    /// Where in the word's text it stands.
    at: usize,
    /// How the text spells it, for people; empty where it has no short spelling.
    spelling: Cow<'static, str>,
}

/// What is not known is alike, however it is spelled.
impl PartialEq for Hole {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Eq for Hole {}

/// How many words may come of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Many {
    /// One.
    #[default]
    One,
    /// One or more, each of which fits what is known of it: what a wildcard finds.
    Fitting,
    /// Any number, none too, and only together do they begin and end as is known: what is split at blanks.
    Any,
}

impl Word {
    /// A word that is known.
    #[must_use]
    pub fn known_as(text: impl Into<String>) -> Self {
        Self { text: text.into(), holes: vec![], many: Many::One }
    }

    /// One word of which nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Self::unknown_as("")
    }

    /// The same, with how the text spells what is not known.
    #[must_use]
    pub fn unknown_as(spelling: impl Into<Cow<'static, str>>) -> Self {
        let mut word = Self::default();
        word.push_hole_as(spelling);
        word
    }

    /// Any number of words of which nothing is known.
    #[must_use]
    pub fn unknown_many() -> Self {
        Self { many: Many::Any, ..Self::unknown() }
    }

    /// Adds text that is known.
    pub fn push_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a stretch that is not known.
    pub fn push_hole(&mut self) {
        self.push_hole_as("");
    }

    /// The same, with how the text spells what is not known.
    pub fn push_hole_as(&mut self, spelling: impl Into<Cow<'static, str>>) {
        let at = self.text.len();
        match self.holes.last_mut().filter(|last| last.at == at) {
            Some(last) if last.spelling.is_empty() => last.spelling = spelling.into(),
            Some(_) => {}
            None => self.holes.push(Hole { at, spelling: spelling.into() }),
        }
    }

    /// Says that it may turn out to be several words, or none.
    pub fn set_many(&mut self) {
        self.many = Many::Any;
    }

    /// Says that it may turn out to be several words, each of which fits what is known of it: what a wildcard finds.
    pub fn set_several(&mut self) {
        self.many = self.many.max(Many::Fitting);
    }

    /// Adds another word's text and holes.
    pub fn push_word(&mut self, other: &Self) {
        let mut from = 0;
        for hole in &other.holes {
            self.push_text(other.text.get(from..hole.at).unwrap_or_default());
            self.push_hole_as(hole.spelling.clone());
            from = hole.at;
        }
        self.push_text(other.text.get(from..).unwrap_or_default());
        self.many = self.many.max(other.many);
    }

    /// Its text, if all of it is known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        (self.holes.is_empty() && self.many == Many::One).then_some(self.text.as_str())
    }

    /// Whether it may turn out to be several words, or none.
    #[must_use]
    pub fn is_many(&self) -> bool {
        self.many != Many::One
    }

    /// Whether each word that it may turn out to be fits what is known of it: so of one word, and of what a wildcard finds.
    #[must_use]
    pub fn is_fitting(&self) -> bool {
        self.many != Many::Any
    }

    /// Whether it may turn out to be an option, or to hold one among its words.
    #[must_use]
    pub fn may_be_option(&self) -> bool {
        !self.is_fitting() || self.may_begin_with("-")
    }

    /// The same, as one word: in double quotes nothing is split.
    #[must_use]
    pub fn as_one(&self) -> Self {
        Self { many: Many::One, ..self.clone() }
    }

    /// How many bytes of it are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether nothing of it is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What is known of its beginning: all of it, or up to the first unknown stretch.
    #[must_use]
    pub fn beginning(&self) -> &str {
        let end = self.holes.first().map_or(self.text.len(), |hole| hole.at);
        self.text.get(..end).unwrap_or_default()
    }

    /// Whether it could turn out to be this text.
    #[must_use]
    pub fn may_be(&self, text: &str) -> bool {
        if self.holes.is_empty() {
            return self.text == text;
        }
        self.fits(text, true)
    }

    /// Whether it could turn out to begin with this text.
    #[must_use]
    pub fn may_begin_with(&self, start: &str) -> bool {
        let beginning = self.beginning();
        if self.holes.is_empty() {
            beginning.starts_with(start)
        } else {
            start.starts_with(beginning) || beginning.starts_with(start)
        }
    }

    /// Whether it surely begins with this text.
    #[must_use]
    pub fn begins_with(&self, start: &str) -> bool {
        self.beginning().starts_with(start)
    }

    /// Whether the stretches that are known, in their order, fit into the text.
    fn fits(&self, text: &str, whole: bool) -> bool {
        let mut rest = text;
        let mut from = 0;
        for (nr, hole) in self.holes.iter().enumerate() {
            let stretch = self.text.get(from..hole.at).unwrap_or_default();
            from = hole.at;
            if nr == 0 {
                match rest.strip_prefix(stretch) {
                    Some(after) => rest = after,
                    None => return false,
                }
            } else {
                match rest.split_once(stretch) {
                    Some((_, after)) => rest = after,
                    None => return false,
                }
            }
        }
        let last = self.text.get(from..).unwrap_or_default();
        if whole { rest.ends_with(last) } else { true }
    }

    /// What stands behind a beginning that is known.
    #[must_use]
    pub fn strip_prefix(&self, start: &str) -> Option<Self> {
        self.begins_with(start).then(|| self.from(start.len()))
    }

    /// What stands before and behind the first `mark`, if the text up to there is known.
    #[must_use]
    pub fn split_once(&self, mark: char) -> Option<(Self, Self)> {
        let at = self.beginning().find(mark)?;
        let before = Self::known_as(self.beginning().get(..at).unwrap_or_default());
        Some((before, self.from(at + mark.len_utf8())))
    }

    fn from(&self, start: usize) -> Self {
        Self {
            text: self.text.get(start..).unwrap_or_default().to_owned(),
            holes: self.holes.iter().map(|hole| Hole { at: hole.at.saturating_sub(start), ..hole.clone() }).collect(),
            many: self.many,
        }
    }

    /// The stretches of known text, an unknown one between each two.
    pub fn stretches(&self) -> impl Iterator<Item = &str> {
        let mut from = 0;
        let ends = self.holes.iter().map(|hole| hole.at).chain(std::iter::once(self.text.len()));
        ends.map(move |end| {
            let stretch = self.text.get(from..end).unwrap_or_default();
            from = end;
            stretch
        })
    }

    /// Words joined by single blanks, as `ssh` and `eval` do.
    #[must_use]
    pub fn joined(words: &[Self]) -> Self {
        let mut all = Self::default();
        for (nr, word) in words.iter().enumerate() {
            if nr > 0 {
                all.push_text(" ");
            }
            all.push_word(word);
        }
        // As part of one text, several words are as unknown as one.
        all.many = Many::One;
        all
    }

    /// The word with each stretch of known text written anew, the unknown ones in their places.
    #[must_use]
    pub fn rewritten(&self, mut each: impl FnMut(&str, &mut Self)) -> Self {
        let mut done = Self::default();
        let mut holes = self.holes.iter();
        for (nr, stretch) in self.stretches().enumerate() {
            if nr > 0 {
                done.push_hole_as(holes.next().map(|hole| hole.spelling.clone()).unwrap_or_default());
            }
            each(stretch, &mut done);
        }
        done.many = done.many.max(self.many);
        done
    }

    /// The word with this text in the place of everything that is not known; none if it may be any number of words.
    #[must_use]
    pub fn filled_with(&self, text: &str) -> Option<Self> {
        self.is_fitting().then(|| Self::known_as(self.stretches().collect::<Vec<_>>().join(text)))
    }

    /// For people: what is not known as the text spells it, or `…`.
    #[must_use]
    pub fn shown(&self) -> String {
        let mut shown = String::with_capacity(self.text.len());
        let mut holes = self.holes.iter();
        for (nr, stretch) in self.stretches().enumerate() {
            if nr > 0 {
                shown.push_str(
                    holes.next().map(|hole| hole.spelling.as_ref()).filter(|own| !own.is_empty()).unwrap_or("…"),
                );
            }
            shown.push_str(stretch);
        }
        shown
    }

    /// The same, with how the text spells what is not known of it: a word of which nothing is known is called by that.
    #[must_use]
    pub fn spelled(mut self, spelling: impl Fn() -> Cow<'static, str>) -> Self {
        let whole = self.text.is_empty();
        for hole in &mut self.holes {
            if whole || hole.spelling.is_empty() {
                hole.spelling = spelling();
            }
        }
        self
    }

    /// How the text spells the first stretch that is not known, if it has a short spelling.
    #[must_use]
    pub fn unknown_part(&self) -> Option<&str> {
        self.holes.iter().map(|hole| hole.spelling.as_ref()).find(|spelling| !spelling.is_empty())
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self::known_as(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_hole(before: &str, after: &str) -> Word {
        let mut word = Word::known_as(before);
        word.push_hole();
        word.push_text(after);
        word
    }

    #[test]
    fn what_a_word_with_a_hole_can_be() {
        let word = with_hole("--out", ".log");
        for (text, fits) in [("--output=x.log", true), ("--out.log", true), ("--output", false), ("-o.log", false)] {
            assert_eq!(word.may_be(text), fits, "{text}");
        }
        assert!(word.may_begin_with("-"));
        assert!(word.may_begin_with("--output="));
        assert!(!word.may_begin_with("-o"));
        assert!(Word::unknown().may_be("") && Word::unknown().may_begin_with("-"));
        assert!(!with_hole("/var/", "").may_begin_with("-"));
        assert_eq!(word.known(), None);
        assert_eq!(with_hole("a", "").shown(), "a…");
    }

    #[test]
    fn parts_keep_their_holes() {
        let word = with_hole("--host=web", ".example");
        let host = word.strip_prefix("--host=").unwrap();
        assert_eq!(host, with_hole("web", ".example"));
        assert_eq!(word.split_once('=').unwrap().0.known(), Some("--host"));
        assert_eq!(Word::unknown().split_once('='), None);
        let joined = Word::joined(&["ls".into(), Word::unknown_many(), "x".into()]);
        assert_eq!(joined.stretches().collect::<Vec<_>>(), ["ls ", " x"]);
        assert!(!joined.is_many());
    }

    #[test]
    fn what_is_not_known_is_called_what_the_text_calls_it() {
        let mut word = Word::known_as("/srv/");
        word.push_hole_as("$a");
        word.push_hole_as("$b");
        word.push_text("/x");
        word.push_hole();
        assert_eq!(word.shown(), "/srv/$a/x…");
        assert_eq!(word.unknown_part(), Some("$a"));
        assert_eq!(word.strip_prefix("/srv").unwrap().shown(), "/$a/x…");
        assert_eq!(word.rewritten(|text, to| to.push_text(&text.to_uppercase())).shown(), "/SRV/$a/X…");
        assert_eq!(Word::joined(&["ls".into(), word.clone()]).shown(), "ls /srv/$a/x…");
        assert_eq!(word.clone().spelled(|| "$c".into()).shown(), "/srv/$a/x$c");
        assert_eq!(Word::unknown_as("$a").spelled(|| "$c".into()).shown(), "$c");
        assert_eq!(Word::unknown_as("$a"), Word::unknown(), "what is not known is alike, however it is spelled");
    }
}
