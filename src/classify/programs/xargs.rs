//! `xargs`: a command, and words for it that come from stdin or a file. Pure.

use super::carry::{only_tells, report, words};
use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

const XARGS: Spec = Spec {
    flags: "0oprtx",
    values: "adEIJLnPRSs",
    glued: "eil",
    long_flags: &[
        "null",
        "eof",
        "replace",
        "max-lines",
        "interactive",
        "open-tty",
        "no-run-if-empty",
        "verbose",
        "show-limits",
        "exit",
        "help",
        "version",
    ],
    long_values: &["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "process-slot-var"],
    ..Spec::CARRIER
};

/// How many runs are told apart; more are taken together as one with words that are not known.
const RUNS: usize = 64;

/// Judges `xargs`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &XARGS) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    // Without a command it is echo.
    if only_tells(&parsed) || parsed.operands.is_empty() {
        return Report::reads();
    }
    // A variable that it sets for what it runs: it may be any, `PATH` among them.
    let mut effects = vec![];
    for name in parsed.values(&["process-slot-var"]) {
        match name.known() {
            Some(name) => effects.push(Effect::Sets { name: name.to_owned(), value: Word::unknown() }),
            None => return Report::unknown("which variable it sets for what it runs can't be told"),
        }
    }
    // What it runs finds stdin empty, unless the words come from elsewhere.
    let from_file = parsed.has(&["a", "arg-file"]);
    let stdin = match (from_file, parsed.has(&["o", "open-tty"])) {
        (true, _) => command.stdin.clone(),
        (false, true) => Stdin::Inherited,
        (false, false) => Stdin::Nothing,
    };
    let replaced = match replaced(&parsed) {
        Some(mark) => match mark.known() {
            Some(mark) => Some(mark.to_owned()),
            None => return Report::unknown("what it replaces can't be told before it runs"),
        },
        None => None,
    };
    let lines = if from_file { None } else { known(&command.stdin, &parsed, replaced.is_some()) };
    let carried: Vec<Vec<Word>> = match (&replaced, lines) {
        (Some(mark), Some(lines)) => lines
            .iter()
            .map(|line| parsed.operands.iter().map(|word| put(word, mark, &Word::from(line.as_str()))).collect())
            .collect(),
        (Some(mark), None) => vec![parsed.operands.iter().map(|word| put(word, mark, &Word::unknown())).collect()],
        (None, Some(all)) => {
            let each = parsed.values(&["n", "max-args"]).last().and_then(Word::known).and_then(|n| n.parse().ok());
            let each = each.filter(|each| *each > 0).unwrap_or(all.len().max(1));
            let with = |more: &[String]| {
                parsed.operands.iter().cloned().chain(more.iter().map(|word| Word::from(word.as_str()))).collect()
            };
            if all.is_empty() { vec![with(&[])] } else { all.chunks(each).map(with).collect() }
        }
        (None, None) => {
            vec![parsed.operands.iter().cloned().chain([Word::unknown_many()]).collect()]
        }
    };
    effects.extend(carried.iter().filter_map(|carried| words(carried, At::Child, stdin.clone())));
    report(effects)
}

/// The text that each line replaces.
fn replaced(parsed: &Parsed) -> Option<Word> {
    let value = parsed.options.iter().rfind(|(name, _)| matches!(name.as_str(), "I" | "J" | "i" | "replace"));
    value.map(|(_, value)| value.clone().unwrap_or_else(|| "{}".into()))
}

/// The words on stdin (or its lines, if each replaces something) where they are known and nothing about them is odd.
fn known(stdin: &Stdin, parsed: &Parsed, lines: bool) -> Option<Vec<String>> {
    let text = match stdin {
        Stdin::Text(text) => text.known()?,
        _ => return None,
    };
    let plain = !text.contains(['\'', '"', '\\', '\0', '\r', '\x0b', '\x0c']);
    let odd = ["0", "null", "d", "delimiter", "E", "e", "eof", "L", "l", "max-lines", "s", "max-chars", "x", "exit"];
    if !plain || parsed.has(&odd) {
        return None;
    }
    let found: Vec<String> = if lines {
        text.lines()
            .map(|line| line.trim_start_matches([' ', '\t']).to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    } else {
        text.split_ascii_whitespace().map(str::to_owned).collect()
    };
    (found.len() <= RUNS).then_some(found)
}

/// The word with every mark replaced.
pub(super) fn put(word: &Word, mark: &str, value: &Word) -> Word {
    if mark.is_empty() {
        return Word::unknown();
    }
    word.rewritten(|stretch, done| {
        for (nr, part) in stretch.split(mark).enumerate() {
            if nr > 0 {
                done.push_word(value);
            }
            done.push_text(part);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn words_from_stdin() {
        check(
            judge,
            &[
                ("xargs rm", "[rm|…*] <nothing"),
                ("xargs -0 -r -n 1 -P4 rm -f", "[rm|-f|…*] <nothing"),
                ("xargs", "reads"),
                ("xargs -I{} ssh {} reboot", "[ssh|…|reboot] <nothing"),
                ("xargs -I % sh -c 'rm %; ls %'", "[sh|-c|rm …; ls …] <nothing"),
                ("xargs -i ssh {} reboot", "[ssh|…|reboot] <nothing"),
                ("xargs --replace=X ssh X reboot", "[ssh|…|reboot] <nothing"),
                ("xargs sh -c 'rm \"$@\"' _", "[sh|-c|rm \"$@\"|_|…*] <nothing"),
                ("xargs -a list rm <<< x", "[rm|…*] <<< x"),
                ("xargs -o vi", "[vi|…*]"),
                ("xargs -l rm", "[rm|…*] <nothing"),
                ("xargs -- rm", "[rm|…*] <nothing"),
                ("xargs --help rm", "reads"),
                ("xargs --process-slot-var=SLOT ls", "sets SLOT=…; [ls|…*] <nothing"),
                ("xargs -I{} {} x", "[…|x] <nothing"),
            ],
        );
        check_unknown(judge, &["xargs -Z rm", "xargs … rm", "xargs -I … rm x", "xargs --process-slot-var=… ls"]);
    }

    #[test]
    fn words_that_are_known() {
        check(
            judge,
            &[
                ("xargs rm <<< a b", "[rm|a|b] <nothing"),
                ("xargs -n1 rm <<< a b", "[rm|a] <nothing; [rm|b] <nothing"),
                ("xargs -I{} ssh {} reboot <<< web01", "[ssh|web01|reboot] <nothing"),
                ("xargs -d, rm <<< a,b", "[rm|…*] <nothing"),
                ("xargs rm <<< a' b'", "[rm|…*] <nothing"),
                ("xargs -E b rm <<< a b", "[rm|…*] <nothing"),
                ("xargs rm <<< ", "[rm] <nothing"),
            ],
        );
    }
}
