//! From a word as it was typed to the words that a program gets, as far as the text tells.
//!
//! What a word runs on the way (`$(…)`, `<(…)`) is walked here, once for each time it is expanded.

use super::braces::expanded;
use super::{Shell, Walk};
use crate::classify::shell::tree::{Form, Name, Piece, Source};
use crate::classify::word::Word;
use std::borrow::Cow;

/// Words in the making.
#[derive(Default)]
struct Fields {
    done: Vec<Word>,
    open: Option<Word>,
}

impl Fields {
    fn word(&mut self) -> &mut Word {
        self.open.get_or_insert_default()
    }

    fn close(&mut self) {
        self.done.extend(self.open.take());
    }
}

impl Walk<'_> {
    /// The words that come of these, each split and its braces and wildcards expanded.
    pub(super) fn fields(&mut self, sources: &[Source], shell: &mut Shell) -> Vec<Word> {
        let mut words = Vec::with_capacity(sources.len());
        for source in sources {
            // Nearly every word is one piece of plain text.
            if let [Piece::Text(text)] = source.pieces.as_slice()
                && !text.contains(['*', '?', '[', '{', '('])
            {
                self.spend(text.len());
                words.push(Word::known_as(text.as_str()));
                continue;
            }
            match expanded(&source.pieces) {
                Some(lists) => {
                    for pieces in lists {
                        self.split(&pieces, shell, &mut words);
                    }
                }
                None => {
                    // Too many to follow; what runs in it runs all the same.
                    self.split(&source.pieces, shell, &mut words);
                    words.push(Word::unknown_many());
                }
            }
        }
        words
    }

    fn split(&mut self, pieces: &[Piece], shell: &mut Shell, words: &mut Vec<Word>) {
        let mut fields = Fields::default();
        for piece in pieces {
            self.piece(piece, shell, Some(&mut fields));
        }
        fields.close();
        words.append(&mut fields.done);
    }

    /// The one word that comes of this where nothing is split: a value, a redirection's file, a here-document.
    pub(super) fn one(&mut self, source: &Source, shell: &mut Shell) -> Word {
        if self.nested >= super::MOST_NESTED {
            self.too_deep();
            return Word::unknown();
        }
        self.nested += 1;
        let mut word = Word::default();
        for piece in &source.pieces {
            word.push_word(&self.piece(piece, shell, None));
        }
        self.nested -= 1;
        word.as_one()
    }

    /// Expands a piece, into the fields if it may be split, else into the word returned.
    fn piece(&mut self, piece: &Piece, shell: &mut Shell, fields: Option<&mut Fields>) -> Word {
        let (value, quoted) = match piece {
            Piece::Text(text) => {
                self.spend(text.len());
                let Some(fields) = fields else {
                    return Word::known_as(text.as_str());
                };
                self.wildcards(text, fields.word(), shell);
                return Word::default();
            }
            Piece::Quoted(text) => {
                self.spend(text.len());
                (Word::known_as(text.as_str()), true)
            }
            Piece::Tilde(user) => (self.tilde(user, shell), true),
            Piece::Variable { name: name @ (Name::All | Name::Joined), form, quoted } => {
                self.form_words(form, shell);
                let list = shell.env.positional.clone().filter(|_| *form == Form::Plain);
                return all(list.as_deref(), *name == Name::Joined, *quoted, shell, fields);
            }
            Piece::Variable { name: Name::Element { name, index }, form: Form::Plain, quoted } => {
                self.arithmetic(index, shell);
                if matches!(index.raw.as_str(), "@" | "*") {
                    let list = shell.env.list(name);
                    return all(list.as_deref(), index.raw == "*", *quoted, shell, fields);
                }
                let spelling = format!("${{{name}[…]}}");
                let Some(fields) = fields else { return Word::unknown_as(spelling) };
                if *quoted {
                    fields.word().push_hole_as(spelling)
                } else {
                    fields.word().push_word(&Word::unknown_many().spelled(|| spelling.clone().into()))
                }
                return Word::default();
            }
            // bash takes the first element, zsh all of them.
            Piece::Variable { name: Name::Named(name), form: Form::Plain, quoted }
                if shell.env.list(name).is_some_and(|list| list.len() > 1) =>
            {
                let value = if *quoted { Word::unknown() } else { Word::unknown_many() };
                (value.spelled(|| format!("${name}").into()), *quoted)
            }
            Piece::Variable { name, form, quoted } => {
                (self.variable(name, form, shell).spelled(|| spelling(name, form)), *quoted)
            }
            Piece::Command { script, quoted } => {
                self.apart(shell.sub(), |walk, inner| walk.script(script, inner));
                (Word::unknown_as("$(…)"), *quoted)
            }
            Piece::Process { script, .. } => {
                self.apart(shell.sub(), |walk, inner| walk.script(script, inner));
                let mut word = Word::known_as(super::judge::PROCESS);
                word.push_hole();
                (word, true)
            }
            Piece::Arithmetic(text) => {
                self.arithmetic(text, shell);
                (Word::unknown_as(format!("$(({}))", short(&text.raw))), true)
            }
        };
        let Some(fields) = fields else {
            return value;
        };
        if quoted {
            fields.word().push_word(&value.as_one())
        } else {
            split_value(&value, shell, fields)
        }
        Word::default()
    }

    /// Text outside of quotes: a name in brackets that finds nothing in the shell's folder stands for itself, as bash has it
    /// and as everyone who writes `pdsh -w web[01-03]` means it.
    fn wildcards(&self, text: &str, word: &mut Word, shell: &Shell) {
        let bracketed = || {
            let (before, from) = text.split_once('[')?;
            let (_, behind) = from.split_once(']')?;
            let plain =
                !text.contains(['*', '?', '/', '!', '^']) && !behind.contains('[') && shell.place.has_own_files();
            plain.then_some((before, behind))
        };
        if let Some((before, behind)) = bracketed()
            && word.is_empty()
            && let Some(names) = shell.env.cwd.as_deref().and_then(|cwd| self.around.folder(cwd))
            && !names.iter().any(|name| name.starts_with(before) && name.ends_with(behind))
        {
            word.push_text(text);
            return;
        }
        with_wildcards(text, word);
    }

    fn tilde(&self, user: &str, shell: &Shell) -> Word {
        // Of others the home is not known.
        let own = user.is_empty().then(|| shell.env.variable("HOME").or_else(|| self.home(shell)));
        own.flatten().unwrap_or_else(Word::unknown)
    }

    /// The home folder, where the agent's user is the one who runs this.
    fn home(&self, shell: &Shell) -> Option<Word> {
        shell.place.has_own_files().then_some(self.home.as_deref()).flatten().map(Word::from)
    }

    fn variable(&mut self, name: &Name, form: &Form, shell: &mut Shell) -> Word {
        let value = match name {
            Name::Named(name) => shell.env.variable(name).or_else(|| match name.as_str() {
                "HOME" => self.home(shell),
                "PWD" => shell.env.cwd.as_deref().map(Word::from),
                _ => None,
            }),
            Name::Positional(nr) => {
                let at = (*nr as usize).checked_sub(1);
                // Beyond the last one there is nothing.
                shell.env.positional.as_ref().and_then(|list| at.map(|at| list.get(at).cloned().unwrap_or_default()))
            }
            Name::Element { index, .. } => {
                self.arithmetic(index, shell);
                None
            }
            Name::All | Name::Joined | Name::Special(_) => None,
        };
        let known = value.as_ref().and_then(Word::known).map(str::is_empty);
        match form {
            Form::Plain => value.unwrap_or_else(Word::unknown),
            Form::Default(other) | Form::Assign(other) => {
                let other_value = self.one(other, shell);
                if let (Form::Assign(_), Name::Named(name), None | Some(true)) = (form, name, known) {
                    self.chooses(name, &other_value, other, shell);
                    shell.env.forget(name);
                }
                match (known, value) {
                    (Some(false), Some(value)) => value,
                    // Set to nothing: with `:-` the other one, with `-` nothing.
                    (Some(true), _) if other_value.known().is_some_and(str::is_empty) => other_value,
                    (_, value) => {
                        // Whatever else it may be, it is one of two words: only if both are the same is it known.
                        value.filter(|value| *value == other_value).unwrap_or_else(Word::unknown)
                    }
                }
            }
            Form::Alternative(other) => {
                let other = self.one(other, shell);
                if known == Some(false) { other } else { Word::unknown() }
            }
            Form::Error(other) => {
                self.one(other, shell);
                value.unwrap_or_else(Word::unknown)
            }
            Form::Length => Word::unknown(),
            Form::Other(_) => {
                self.form_words(form, shell);
                Word::unknown()
            }
        }
    }

    /// Walks the words of a form for what they run.
    fn form_words(&mut self, form: &Form, shell: &mut Shell) {
        match form {
            Form::Plain | Form::Length => {}
            Form::Default(word) | Form::Assign(word) | Form::Alternative(word) | Form::Error(word) => {
                self.one(word, shell);
            }
            Form::Other(words) => {
                for word in words {
                    self.one(word, shell);
                }
            }
        }
    }

    /// Walks an arithmetic text for what it runs; the variables that it may set are not known afterwards.
    pub(super) fn arithmetic(&mut self, text: &Source, shell: &mut Shell) {
        self.one(text, shell);
        if text.raw.contains('=') || text.raw.contains("++") || text.raw.contains("--") {
            let names = text.raw.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            for name in names.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
                shell.env.forget(name);
            }
        }
    }
}

/// All parameters, or all elements of an array, if they are known.
fn all(list: Option<&[Word]>, joined: bool, quoted: bool, shell: &Shell, fields: Option<&mut Fields>) -> Word {
    // They are joined by the first character of `IFS`.
    let together = |list: &[Word]| if shell.env.odd_splitting { Word::unknown() } else { Word::joined(list) };
    let Some(fields) = fields else {
        return list.map_or_else(Word::unknown, together);
    };
    match list {
        Some(list) if joined && quoted => fields.word().push_word(&together(list)),
        Some(list) if quoted || !shell.env.odd_splitting => {
            for (nr, word) in list.iter().enumerate() {
                if nr > 0 {
                    fields.close();
                }
                if quoted { fields.word().push_word(word) } else { split_value(word, shell, fields) }
            }
        }
        // Any number of words, in quotes too, unless it is one.
        None if joined && quoted => fields.word().push_hole_as("$*"),
        _ => fields.word().push_word(&Word::unknown_many().spelled(|| "$@".into())),
    }
    Word::default()
}

/// How a text spells a parameter, for people.
fn spelling(name: &Name, form: &Form) -> Cow<'static, str> {
    let name = match name {
        Name::Named(name) => name.clone(),
        Name::Positional(nr) => nr.to_string(),
        Name::Special(sign) => sign.to_string(),
        Name::Element { name, .. } => format!("{name}[…]"),
        Name::All | Name::Joined => "@".to_owned(),
    };
    match form {
        Form::Plain if !name.ends_with(']') => format!("${name}").into(),
        Form::Plain => format!("${{{name}}}").into(),
        Form::Length => format!("${{#{name}}}").into(),
        _ => format!("${{{name}…}}").into(),
    }
}

/// As much of a text as tells which one it is.
fn short(text: &str) -> String {
    const SHOWN: usize = 20;
    if text.chars().count() > SHOWN { "…".into() } else { text.into() }
}

/// A value outside of quotes: split at blanks, its wildcards expanded.
fn split_value(value: &Word, shell: &Shell, fields: &mut Fields) {
    let Some(text) = value.known().filter(|_| !shell.env.odd_splitting) else {
        let mut value = value.clone();
        value.push_hole();
        value.set_many();
        fields.word().push_word(&value);
        return;
    };
    let blank = |c: char| matches!(c, ' ' | '\t' | '\n');
    if text.starts_with(blank) {
        fields.close();
    }
    for (nr, part) in text.split(blank).filter(|part| !part.is_empty()).enumerate() {
        if nr > 0 {
            fields.close();
        }
        with_wildcards(part, fields.word());
    }
    if text.ends_with(blank) {
        fields.close();
    }
}

/// Text in which `*`, `?` and `[…]` stand for what is found.
fn with_wildcards(text: &str, word: &mut Word) {
    let mut rest = text;
    while let Some(at) = rest.find(['*', '?', '[', '(']) {
        let (before, from) = rest.split_at(at);
        word.push_text(before);
        let mut spelling = from.get(..1).unwrap_or_default();
        let behind = if from.starts_with('[') {
            match from.find(']') {
                Some(end) => {
                    spelling = from.get(..=end).unwrap_or_default();
                    from.get(end + 1..)
                }
                // Nothing that could be found: it stands for itself.
                None => {
                    word.push_text(from);
                    return;
                }
            }
        } else {
            from.get(1..)
        };
        word.push_hole_as(spelling.to_owned());
        word.set_several();
        rest = behind.unwrap_or_default();
    }
    word.push_text(rest);
}
