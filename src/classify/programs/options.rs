//! Reads a program's words the way getopt does: options, their values, and what stands behind them. Pure.

use crate::classify::effect::Effect;
use crate::classify::word::Word;
use std::borrow::Cow;

/// How a program's words are read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spec {
    /// Short options without a value, one letter each.
    pub flags: &'static str,
    /// Short options with a value, glued or in the next word.
    pub values: &'static str,
    /// Short options whose value can only be glued (`-i[SUFFIX]`).
    pub glued: &'static str,
    /// Long options without a value, without their dashes; an optional value may be glued with `=`.
    pub long_flags: &'static [&'static str],
    /// Long options with a value, glued with `=` or in the next word.
    pub long_values: &'static [&'static str],
    /// Whether an operand ends the options (as for all programs that run another one).
    pub stops: bool,
    /// Whether long options stand behind a single dash (`-name`), and letters are not grouped.
    pub single_dash: bool,
}

impl Spec {
    /// Of a program that runs another one and has no options: a base for others.
    pub const CARRIER: Self = Self {
        flags: "",
        values: "",
        glued: "",
        long_flags: &["help", "version"],
        long_values: &[],
        stops: true,
        single_dash: false,
    };
    /// Of a program whose options and operands may stand in any order: a base for others.
    pub const MIXED: Self = Self { stops: false, ..Self::CARRIER };
}

/// What a program's words were read as.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parsed {
    /// Options in their order: a letter or a long name, without dashes, and the value if it has one.
    pub options: Vec<(String, Option<Word>)>,
    /// The operands; with `stops` everything from the first operand on.
    pub operands: Vec<Word>,
    /// Whether `--` was there.
    pub ended: bool,
}

impl Parsed {
    /// Whether one of these options is given.
    #[must_use]
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    /// The values of these options, in their order.
    pub fn values<'p>(&'p self, names: &'p [&'p str]) -> impl Iterator<Item = &'p Word> + use<'p> {
        self.options.iter().filter(|(name, _)| names.contains(&name.as_str())).filter_map(|(_, value)| value.as_ref())
    }
}

/// Reads the words behind the program.
///
/// # Errors
/// Why they can't be read: an option that is not listed, a value that is missing, or a word of which it can't be told
/// whether it is an option.
pub fn parse(words: &[Word], spec: &Spec) -> Result<Parsed, String> {
    read(words, spec, &mut Guess::default())
}

/// The same for a client whose server only the environment knows (`"$DATABASE_URL"`, `-p$PASSWORD`): such a word is taken for
/// what its place says, and the doubt whether it holds an option comes back beside.
///
/// # Errors
/// As above.
pub fn parse_guessing(words: &[Word], spec: &Spec) -> Result<(Parsed, Option<Effect>), String> {
    let mut guess = Guess { allowed: true, why: None };
    let parsed = read(words, spec, &mut guess)?;
    Ok((parsed, guess.why.map(Effect::UnknownOnGuest)))
}

/// Whether words that may turn out to be options are taken for none.
#[derive(Default)]
struct Guess {
    allowed: bool,
    why: Option<String>,
}

impl Guess {
    /// Whether this one is: a word of its own, or a variable that is named like one thing.
    fn takes(&mut self, word: &Word) -> bool {
        let takes = self.allowed && (!word.is_many() || of_one_thing(word));
        if takes && self.why.is_none() {
            self.why = Some(doubt(word));
        }
        takes
    }

    /// A word that is not split, by a guess if need be.
    fn whole<'w>(&mut self, word: &'w Word) -> Cow<'w, Word> {
        if word.is_many() && self.takes(word) { Cow::Owned(word.as_one()) } else { Cow::Borrowed(word) }
    }
}

/// Whether nothing of a word but the value of one variable is not known, whose name is none of several options.
fn of_one_thing(word: &Word) -> bool {
    const SEVERAL: &[&str] = &["arg", "cmd", "command", "flag", "opt", "param", "query", "sql"];
    let shown = word.shown();
    let Some((_, name)) = shown.split_once('$') else { return false };
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name).to_ascii_lowercase();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && !SEVERAL.iter().any(|part| name.contains(part))
}

fn read(words: &[Word], spec: &Spec, guess: &mut Guess) -> Result<Parsed, String> {
    let mut parsed = Parsed::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let word = &*guess.whole(word);
        if parsed.ended {
            parsed.operands.push(word.clone());
            continue;
        }
        let Some(text) = option_text(word, guess)? else {
            parsed.operands.push(word.clone());
            if spec.stops {
                parsed.operands.extend(words.cloned());
                break;
            }
            continue;
        };
        if text == "--" {
            parsed.ended = true;
            if spec.stops {
                parsed.operands.extend(words.cloned());
                break;
            }
            continue;
        }
        if spec.single_dash || text.starts_with("--") {
            long(word, spec, &mut words, &mut parsed, guess)?;
        } else {
            letters(word, spec, &mut words, &mut parsed, guess)?;
        }
    }
    Ok(parsed)
}

/// What is known of the word's beginning if it is an option; none if it is an operand.
fn option_text<'w>(word: &'w Word, guess: &mut Guess) -> Result<Option<&'w str>, String> {
    let beginning = word.beginning();
    if word.known() == Some("-") {
        return Ok(None);
    }
    if beginning.starts_with('-') {
        return if word.is_many() { Err(doubt(word)) } else { Ok(Some(beginning)) };
    }
    if word.may_be_option() && !guess.takes(word) { Err(doubt(word)) } else { Ok(None) }
}

fn doubt(word: &Word) -> String {
    format!("whether `{}` is an option can't be told before it runs", word.shown())
}

fn long<'w>(
    word: &Word,
    spec: &Spec,
    words: &mut impl Iterator<Item = &'w Word>,
    parsed: &mut Parsed,
    guess: &mut Guess,
) -> Result<(), String> {
    let dashes = if word.begins_with("--") { 2 } else { 1 };
    let (head, glued) = match word.split_once('=') {
        Some((head, value)) => (head, Some(value)),
        None => (word.clone(), None),
    };
    let Some(name) = head.known().and_then(|text| text.get(dashes..)) else {
        return Err(doubt(word));
    };
    let all =
        || spec.long_flags.iter().map(|name| (*name, false)).chain(spec.long_values.iter().map(|name| (*name, true)));
    // An exact name wins; else what it is short for has to be one option only.
    let exact = all().find(|(known, _)| *known == name);
    let found = match exact {
        Some(found) => found,
        None => {
            let mut starts = all().filter(|(known, _)| !name.is_empty() && known.starts_with(name));
            match (starts.next(), starts.next()) {
                (Some(found), None) => found,
                _ => return Err(format!("its option `{}` is not known", head.shown())),
            }
        }
    };
    let value = match (found.1, glued) {
        (true, None) => Some(next(words, head.shown().as_str(), guess)?),
        (_, glued) => glued,
    };
    parsed.options.push((found.0.to_owned(), value));
    Ok(())
}

fn letters<'w>(
    word: &Word,
    spec: &Spec,
    words: &mut impl Iterator<Item = &'w Word>,
    parsed: &mut Parsed,
    guess: &mut Guess,
) -> Result<(), String> {
    let mut at = 1;
    while let Some(letter) = word.beginning().get(at..).and_then(|rest| rest.chars().next()) {
        at += letter.len_utf8();
        let head = word.beginning().get(..at).unwrap_or_default();
        if spec.flags.contains(letter) {
            parsed.options.push((letter.to_string(), None));
            continue;
        }
        let rest = word.strip_prefix(head).filter(|rest| rest.known() != Some(""));
        if spec.values.contains(letter) {
            let value = match rest {
                Some(rest) => rest,
                None => next(words, &format!("-{letter}"), guess)?,
            };
            parsed.options.push((letter.to_string(), Some(value)));
            return Ok(());
        }
        if spec.glued.contains(letter) {
            parsed.options.push((letter.to_string(), rest));
            return Ok(());
        }
        return Err(format!("its option `-{letter}` is not known"));
    }
    // What is left is not known: more letters, perhaps.
    if word.known().is_none() { Err(doubt(word)) } else { Ok(()) }
}

fn next<'w>(words: &mut impl Iterator<Item = &'w Word>, option: &str, guess: &mut Guess) -> Result<Word, String> {
    match words.next().map(|word| guess.whole(word)) {
        Some(word) if word.is_many() => Err(format!("the value of `{option}` can't be told before it runs")),
        Some(word) => Ok(word.into_owned()),
        None => Err(format!("its option `{option}` has no value")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: Spec = Spec {
        flags: "vt",
        values: "pol",
        glued: "i",
        long_flags: &["verbose", "version"],
        long_values: &["port", "output"],
        stops: true,
        single_dash: false,
    };

    fn words(text: &str) -> Vec<Word> {
        text.split(' ').map(Word::from).collect()
    }

    fn shown(parsed: &Parsed) -> String {
        let options = parsed
            .options
            .iter()
            .map(|(name, value)| value.as_ref().map_or(name.clone(), |value| format!("{name}={}", value.shown())));
        let operands = parsed.operands.iter().map(Word::shown);
        options.chain(["|".to_owned()]).chain(operands).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_as_getopt_reads_them() {
        for (text, expected) in [
            ("-vvp22 host ls -l", "v v p=22 | host ls -l"),
            ("-tto Port=22 host", "t t o=Port=22 | host"),
            ("--port 22 --out=x host", "port=22 output=x | host"),
            ("-i.bak -- -x y", "i=.bak | -x y"),
            ("-i x", "i | x"),
            ("- -v", "| - -v"),
        ] {
            assert_eq!(shown(&parse(&words(text), &SPEC).unwrap()), expected, "{text}");
        }
        for text in ["-z host", "--ver", "-p", "--port", "--nope x"] {
            assert!(parse(&words(text), &SPEC).is_err(), "{text}");
        }
    }

    #[test]
    fn a_word_that_may_be_an_option_is_none_to_guess_about() {
        assert!(parse(&[Word::unknown()], &SPEC).is_err());
        assert!(parse(&[Word::unknown_many(), "host".into()], &SPEC).is_err());
        let mut path = Word::from("/srv/");
        path.push_hole();
        assert_eq!(parse(&[path.clone()], &SPEC).unwrap().operands, [path]);
        let parsed = parse(&["-p".into(), Word::unknown(), "host".into()], &SPEC).unwrap();
        assert_eq!(shown(&parsed), "p=… | host");
    }

    #[test]
    fn single_dash_names_are_not_grouped() {
        let spec = Spec { long_flags: &["name", "n"], long_values: &["vm"], single_dash: true, ..Spec::default() };
        let parsed = parse(&words("-n -vm x -name y"), &spec).unwrap();
        assert_eq!(shown(&parsed), "n vm=x name | y");
    }
}
