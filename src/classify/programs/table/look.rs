//! Looks up a sub-command and options in a program's sheet. Pure.

use super::sheet::{Line, Says, Sheet};
use super::words::{Given, Name, Operand, Value, Words};
use crate::catalog::glob;
use crate::classify::word::Word;

/// What was found for the sub-command.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sub<'c, 's> {
    /// The entry that stands for it whatever the words turn out to be.
    pub sure: Option<&'s Line<'c>>,
    /// Entries that may stand for it besides, one of each verdict.
    pub maybe: [Option<&'s Line<'c>>; 4],
    /// Whether a short word may stand for one for which there is no entry.
    pub gap: bool,
    /// How many words the sub-command has.
    pub length: usize,
}

impl<'c, 's> Sub<'c, 's> {
    /// Whether there are entries that may stand for it.
    pub fn may_be_one(&self) -> bool {
        self.maybe.iter().any(Option::is_some)
    }

    /// All entries that stand or may stand for it.
    pub fn lines(&self) -> impl Iterator<Item = &'s Line<'c>> {
        self.sure.into_iter().chain(self.maybe.into_iter().flatten())
    }

    fn may_be(&mut self, line: &'s Line<'c>) {
        let slot = match line.says {
            Says::Reads => 0,
            Says::Works => 1,
            Says::Unknown => 2,
            Says::Changes => 3,
        };
        if let Some(slot) = self.maybe.get_mut(slot) {
            slot.get_or_insert(line);
        }
    }
}

/// How well a pattern fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    No,
    Maybe,
    /// The number of its words, and of those that are exact.
    Sure(usize, usize),
}

/// Looks the sub-command up, layer by layer.
pub(super) fn sub_command<'c, 's>(sheet: &'s Sheet<'c>, lines: &'s [Line<'c>], words: &Words) -> Sub<'c, 's> {
    let mut sub = Sub::default();
    for layer in lines.chunk_by(|one, other| one.order == other.order) {
        let lines = || layer.iter().filter(|line| line.option.is_empty());
        if sheet.abbreviates {
            best(&lines().collect::<Vec<_>>(), &words.operands, &mut Vec::new(), &mut sub);
        } else {
            plain(lines(), &words.operands, &[], &mut sub);
        }
        if let Some(line) = sub.sure {
            sub.length = if line.scope == "*" { 1 } else { length(line.scope) };
            break;
        }
    }
    sub
}

/// Finds the best entry of a layer. Where a word may be short for several, each is followed in turn, and all that is found
/// counts.
fn best<'c, 's>(lines: &[&'s Line<'c>], operands: &[Operand], fixed: &mut Vec<&'c str>, sub: &mut Sub<'c, 's>) {
    let at = fixed.len();
    let word = operands.get(at).filter(|operand| !operand.loose).and_then(|operand| operand.word.known());
    let mut full: Vec<&'c str> = match word {
        Some(word) if !word.is_empty() => {
            let short = |full: &&str| full.starts_with(word) && !glob::is_glob(full);
            lines.iter().filter_map(|line| line.scope.split(' ').nth(at).filter(short)).collect()
        }
        _ => vec![],
    };
    full.sort_unstable();
    full.dedup();
    if word.is_some_and(|word| full.contains(&word)) {
        full.retain(|one| Some(*one) == word);
    }
    if full.is_empty() {
        plain(lines.iter().copied(), operands, fixed, sub);
        return;
    }
    let (mut found, mut missed) = (false, false);
    for one in full {
        // Those that go on with this word, or have ended before it.
        let goes_on =
            |line: &&&Line| line.scope.split(' ').nth(at).is_none_or(|part| part == one || glob::matches(part, one));
        let rest: Vec<_> = lines.iter().filter(goes_on).copied().collect();
        let before = sub.sure.take();
        fixed.push(one);
        best(&rest, operands, fixed, sub);
        fixed.pop();
        if sub.sure.is_some() {
            found = true
        } else {
            missed = true
        }
        // The stricter one is kept, the other one may be meant.
        let (kept, other) = match (before, sub.sure) {
            (Some(one), Some(other)) if one.says > other.says => (Some(one), Some(other)),
            (one, Some(other)) => (Some(other), one),
            (one, None) => (one, None),
        };
        sub.sure = kept;
        if let Some(other) = other {
            sub.may_be(other);
        }
    }
    sub.gap |= found && missed;
}

fn plain<'c: 's, 's>(
    lines: impl Iterator<Item = &'s Line<'c>>,
    operands: &[Operand],
    fixed: &[&str],
    sub: &mut Sub<'c, 's>,
) {
    let mut sure: Option<((usize, usize, Says), &'s Line<'c>)> = None;
    for line in lines {
        match fit(line.scope, operands, fixed) {
            Fit::No => {}
            Fit::Maybe => sub.may_be(line),
            Fit::Sure(words, exact) => {
                let rank = (words, exact, line.says);
                if sure.is_none_or(|(best, _)| rank > best) {
                    sure = Some((rank, line));
                }
            }
        }
    }
    if let Some((_, line)) = sure {
        sub.sure = Some(line);
    }
}

/// Whether a pattern fits the leading operands, of which the first are `fixed`.
fn fit(pattern: &str, operands: &[Operand], fixed: &[&str]) -> Fit {
    if pattern == "*" {
        return Fit::Sure(0, 0);
    }
    if pattern.is_empty() {
        return match operands {
            [] => Fit::Sure(1, 1),
            // All of them may turn out to be options, or nothing.
            _ if operands.iter().all(|operand| operand.loose) => Fit::Maybe,
            _ => Fit::No,
        };
    }
    let (mut words, mut exact, mut maybe) = (0, 0, false);
    for (at, part) in pattern.split(' ').enumerate() {
        words += 1;
        let text = match (fixed.get(at), operands.get(at)) {
            (Some(text), _) => Some(*text),
            (None, None) => return Fit::No,
            // What it turns out to be shifts everything behind it.
            (None, Some(operand)) if operand.loose => return Fit::Maybe,
            (None, Some(operand)) => match operand.word.known() {
                Some(text) => Some(text),
                None if may_match(part, operand.word) => None,
                None => return Fit::No,
            },
        };
        match text {
            None => maybe |= part != "*",
            Some(text) if part == text => exact += 1,
            Some(text) if glob::is_glob(part) && glob::matches(part, text) => {}
            Some(_) => return Fit::No,
        }
    }
    if maybe { Fit::Maybe } else { Fit::Sure(words, exact) }
}

/// Whether a word of a pattern may match a word that is not wholly known.
fn may_match(part: &str, word: &Word) -> bool {
    if !glob::is_glob(part) {
        // In a program with short words, what is known may be the beginning of it.
        return word.may_be(part) || part.starts_with(word.beginning());
    }
    let start = part.split(['*', '?']).next().unwrap_or_default();
    word.may_begin_with(start)
}

/// The number of a pattern's words.
pub(super) fn length(pattern: &str) -> usize {
    if pattern.is_empty() { 0 } else { pattern.split(' ').count() }
}

/// Whether the sub-command before an option is the given one.
pub(super) fn scope_fits(line: &Line, words: &Words) -> bool {
    line.scope.is_empty() || (line.scope == "*" && !words.operands.is_empty()) || {
        line.scope != "*" && matches!(fit(line.scope, &words.operands, &[]), Fit::Sure(..))
    }
}

/// Whether it may be, with words that are only known when it runs, or that are short for others.
pub(super) fn scope_may_fit(sheet: &Sheet, line: &Line, words: &Words) -> bool {
    let short = |text: &str| {
        let first = words.operands.first().and_then(|operand| operand.word.known());
        first.is_none_or(|first| text.starts_with(first))
    };
    line.scope.is_empty()
        || (sheet.abbreviates && short(line.scope))
        || !matches!(fit(line.scope, &words.operands, &[]), Fit::No)
}

/// What was found for an option.
pub(super) enum Found<'c, 's> {
    /// The entry that stands for it, and one that stands for it with certain values, of which this may be one.
    Entries(Option<&'s Line<'c>>, Option<&'s Line<'c>>),
    /// A human's `*` stands for it.
    Covered(&'s Line<'c>),
    Nothing,
}

/// How well an entry fits an option: the words of its sub-command, whether it names the value, whether it is exact, and what
/// it says.
type OptionRank = (usize, bool, bool, Says);

/// Looks an option up, layer by layer.
pub(super) fn option<'c, 's>(
    sheet: &'s Sheet<'c>,
    lines: &'s [Line<'c>],
    given: &Given,
    words: &Words,
) -> Found<'c, 's> {
    for layer in lines.chunk_by(|one, other| one.order == other.order) {
        let mut sure: Option<(OptionRank, &'s Line<'c>)> = None;
        let mut maybe: Option<&'s Line<'c>> = None;
        for line in layer.iter().filter(|line| !line.option.is_empty()) {
            let Some(exact) = names(sheet, line, given.name) else { continue };
            let in_scope = if sheet.abbreviates { scope_may_fit(sheet, line, words) } else { scope_fits(line, words) };
            if !in_scope {
                if line.says > Says::Reads && scope_may_fit(sheet, line, words) && !scope_is_known(words) {
                    maybe = maybe.filter(|other| other.says >= line.says).or(Some(line));
                }
                continue;
            }
            match (line.wanted, given.value) {
                (Some(_), Value::Hole) => {
                    if line.says > Says::Reads {
                        maybe = maybe.filter(|other| other.says >= line.says).or(Some(line));
                    }
                    continue;
                }
                (Some(wanted), Value::Text(value)) if !glob::matches(wanted, value) => continue,
                (Some(_), Value::None) => continue,
                _ => {}
            }
            let rank = (length(line.scope), line.wanted.is_some(), exact, line.says);
            if sure.is_none_or(|(best, _)| rank > best) {
                sure = Some((rank, line));
            }
        }
        if sure.is_some() || maybe.is_some() {
            return Found::Entries(sure.map(|(_, line)| line), maybe);
        }
        if let Some(cover) = sheet.cover().filter(|cover| layer.first().is_some_and(|line| line.order == cover.order)) {
            return Found::Covered(cover);
        }
    }
    // No entry names it: it may be short for one, of which the strictest counts.
    let Name::Long(name) = given.name else { return Found::Nothing };
    let short = lines.iter().filter(|line| {
        shortens(sheet, line, name)
            && scope_may_fit(sheet, line, words)
            && line.wanted.is_none_or(|wanted| value_may_be(wanted, given.value))
    });
    let exact = sheet.dry_runs.iter().chain(&sheet.values).any(|line| names(sheet, line, given.name) == Some(true));
    match short.max_by_key(|line| line.says) {
        Some(line) if !exact => Found::Entries(Some(line), None),
        _ => Found::Nothing,
    }
}

fn value_may_be(wanted: &str, value: Value) -> bool {
    match value {
        Value::Text(text) => glob::matches(wanted, text),
        Value::Hole => true,
        Value::None => false,
    }
}

/// Whether no operand could turn out to be another sub-command.
fn scope_is_known(words: &Words) -> bool {
    words.operands.iter().all(|operand| operand.word.known().is_some())
}

/// Whether an entry's option is this one; whether exactly, or by a glob.
pub(super) fn names(sheet: &Sheet, line: &Line, name: Name) -> Option<bool> {
    let option = line.option;
    match name {
        Name::Unsure(_) => None,
        Name::Letter(letter) => {
            let mut rest = option.strip_prefix('-')?.chars();
            let first = rest.next()?;
            // `-I*` is the letter with anything glued to it.
            if !matches!(rest.as_str(), "" | "*") {
                return None;
            }
            if first == letter { Some(true) } else { matches!(first, '*' | '?').then_some(false) }
        }
        Name::Long(name) => {
            let (option, name) = if sheet.single_dash { (one_dash(option), one_dash(name)) } else { (option, name) };
            if option == name {
                Some(true)
            } else {
                (glob::is_glob(option) && glob::matches(option, name)).then_some(false)
            }
        }
    }
}

/// Go's programs take two dashes for one.
fn one_dash(option: &str) -> &str {
    option.strip_prefix('-').filter(|rest| rest.starts_with('-')).unwrap_or(option)
}

/// Whether a long option may be short for an entry's. Programs whose long options have one dash take them in full, but for
/// those that shorten everything.
pub(super) fn shortens(sheet: &Sheet, line: &Line, name: &str) -> bool {
    if sheet.single_dash && !sheet.abbreviates {
        return false;
    }
    let (option, name) = if sheet.single_dash { (one_dash(line.option), one_dash(name)) } else { (line.option, name) };
    let least = if sheet.single_dash { 1 } else { 2 };
    name.len() > least && option.len() > name.len() && option.starts_with(name)
}

/// Whether a word that is not wholly known may turn out to be an entry's option.
pub(super) fn may_be(sheet: &Sheet, word: &Word, line: &Line) -> bool {
    let known = word.beginning();
    if word.is_many() || known.is_empty() || known == "-" {
        return true;
    }
    let start = line.option.split(['*', '?']).next().unwrap_or_default();
    let globbed = start.len() < line.option.len();
    let (start, known) = if sheet.single_dash { (one_dash(start), one_dash(known)) } else { (start, known) };
    if sheet.single_dash || known.starts_with("--") {
        start.starts_with(known) || (globbed && known.starts_with(start))
    } else {
        // One more letter of a group.
        !start.starts_with("--")
    }
}

/// Whether an option is that dry run: named in full, in no doubt about being an option, and not switched off.
pub(super) fn is_dry_run(sheet: &Sheet, line: &Line, given: &Given, words: &Words) -> bool {
    let named = names(sheet, line, given.name) == Some(true);
    let switched_on = match line.wanted {
        Some(wanted) => matches!(given.value, Value::Text(value) if glob::matches(wanted, value)),
        None => !given.glued || matches!(given.name, Name::Letter(_)),
    };
    named && switched_on && !given.eaten && scope_fits(line, words)
}

/// Whether an option switches that dry run off again: `--no-simulate`, and `-s=no` or `-s-` as APT takes them.
pub(super) fn takes_back(line: &Line, given: &Given) -> bool {
    match given.name {
        Name::Long(name) => {
            let dry = line.option.trim_start_matches('-');
            let prefix = name.trim_start_matches('-').strip_suffix(dry).and_then(|rest| rest.strip_suffix('-'));
            prefix.is_some_and(|prefix| matches!(prefix, "no" | "false" | "without" | "off" | "disable"))
        }
        Name::Letter(letter) => matches!(letter, '=' | '-'),
        Name::Unsure(_) => false,
    }
}
