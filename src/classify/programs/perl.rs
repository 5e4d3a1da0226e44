//! `perl`: where its program is, and whether it is a filter that passes text through. Pure.

use super::carry;
use super::python::{file_or_stdin, program};
use crate::classify::code::{filter, knows_module};
use crate::classify::effect::{Code, Command, Effect, Facts, Language, Report};
use crate::classify::word::Word;

/// Options without a value.
const FLAGS: &str = "acfhnpsStTuUvwWX";

/// What Perl's words were read as.
#[derive(Default)]
struct Parsed {
    /// The letters, each with its value.
    options: Vec<(char, Word)>,
    operands: Vec<Word>,
}

impl Parsed {
    fn has(&self, letters: &str) -> bool {
        self.options.iter().any(|(letter, _)| letters.contains(*letter))
    }

    fn values<'p>(&'p self, letters: &'p str) -> impl Iterator<Item = &'p Word> {
        self.options.iter().filter(|(letter, _)| letters.contains(*letter)).map(|(_, value)| value)
    }
}

/// Reads the words as Perl does: digits may stand behind some letters, and others behind them.
fn parse(words: &[Word]) -> Result<Parsed, String> {
    let mut parsed = Parsed::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let doubt = || Err(format!("whether `{}` is an option can't be told before it runs", word.shown()));
        if word.known() == Some("--") {
            parsed.operands.extend(words.cloned());
            break;
        }
        if !word.begins_with("-") || word.known() == Some("-") {
            if word.may_be_option() && word.known() != Some("-") {
                return doubt();
            }
            parsed.operands.push(word.clone());
            parsed.operands.extend(words.cloned());
            break;
        }
        let mut rest = word.strip_prefix("-").unwrap_or_default();
        while let Some(letter) = rest.beginning().chars().next() {
            rest = rest.strip_prefix(letter.to_string().as_str()).unwrap_or_default();
            let value = match letter {
                'l' | '0' => {
                    let digit = |c: char| {
                        c.is_digit(8) || (letter == '0' && (c == 'x' || c.is_ascii_hexdigit() && rest.begins_with("x")))
                    };
                    let digits: String = rest.beginning().chars().take_while(|c| digit(*c)).collect();
                    rest = rest.strip_prefix(&digits).unwrap_or_default();
                    Word::from(digits.as_str())
                }
                'e' | 'E' | 'I' | 'M' | 'm' => {
                    if rest.known() == Some("") {
                        match words.next() {
                            Some(next) if !next.is_many() => next.clone(),
                            _ => return Err(format!("its option `-{letter}` has no value")),
                        }
                    } else {
                        std::mem::take(&mut rest)
                    }
                }
                'C' | 'D' | 'F' | 'V' | 'd' | 'i' | 'x' => std::mem::take(&mut rest),
                letter if FLAGS.contains(letter) => Word::default(),
                letter => return Err(format!("its option `-{letter}` is not known")),
            };
            parsed.options.push((letter, value));
        }
        if rest.known().is_none() {
            return doubt();
        }
    }
    Ok(parsed)
}

/// Judges `perl`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    if matches!(command.arguments(), [word] if matches!(word.known(), Some("--version" | "--help"))) {
        return Ok(Report::reads());
    }
    let parsed = parse(command.arguments())?;
    if parsed.has("vVh") && parsed.options.len() == 1 {
        return Ok(Report::reads());
    }
    if let Some((name, _)) = parsed.options.iter().find(|(name, _)| "dDIsSuxV".contains(*name)) {
        return Err(format!("what its option `-{name}` brings in is not read"));
    }
    let modules = modules(&parsed)?;
    // A pattern between the fields may hold code.
    if let Some(value) = parsed.values("F").find(|value| value.known().is_none_or(|value| value.contains(['{', '`']))) {
        return Err(format!("what its option `-F{}` does is not known", value.shown()));
    }
    let texts: Vec<&Word> = parsed.values("eE").collect();
    if texts.is_empty() {
        if parsed.has("npi") {
            return Err("it runs a file for each line, which is not followed".into());
        }
        let code = parsed.operands.first().map_or(Code::Stdin, file_or_stdin);
        commands(parsed.operands.get(1..).unwrap_or_default())?;
        return Ok(program(Language::Perl, code, command.stdin.clone()));
    }
    commands(&parsed.operands)?;
    let mut whole = Word::known_as(modules.iter().map(|name| format!("use {name};")).collect::<String>());
    for text in &texts {
        whole.push_word(text);
        whole.push_text("\n");
    }
    if whole.known().is_none() {
        return Err(format!("what `{}` runs is only known when it runs", whole.shown().trim_end()));
    }
    let in_place = parsed.has("i");
    if modules.is_empty()
        && let Some(text) = whole.known()
        && filter(text)
        && parsed.operands.iter().all(Word::is_fitting)
    {
        // Its files are written anew, and what they were kept beside them.
        let written = parsed.operands.iter().filter(|_| in_place && parsed.has("np"));
        return Ok(carry::report(written.filter_map(carry::writes)));
    }
    let mut report = program(Language::Perl, Code::Text(whole), command.stdin.clone());
    if in_place {
        report.effects.insert(0, Effect::Works("changes its files in place".into()));
        report.effects.extend(parsed.operands.iter().filter_map(carry::writes));
    }
    Ok(report)
}

/// The modules that `-M` brings in.
fn modules(parsed: &Parsed) -> Result<Vec<String>, String> {
    let mut modules = vec![];
    for value in parsed.values("Mm") {
        let Some(text) = value.known() else {
            return Err(format!("which module `{}` is can only be told when it runs", value.shown()));
        };
        let name = text.split('=').next().unwrap_or_default().trim_start_matches('-');
        if !knows_module(name) || text.contains([';', '\n', '(']) {
            return Err(format!("it uses the module `{name}`, which is not known to be harmless"));
        }
        modules.push(name.to_owned());
    }
    Ok(modules)
}

/// Perl opens what it is given with its old `open`, which takes some names for commands.
fn commands(operands: &[Word]) -> Result<(), String> {
    for word in operands {
        let last = word.stretches().last().unwrap_or_default().trim_end();
        if word.beginning().trim_start().starts_with('|') || last.ends_with('|') {
            return Err(format!("`{}` is a command to Perl, and no file", word.shown()));
        }
    }
    Ok(())
}
