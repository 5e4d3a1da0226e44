//! `find`: its whole expression, whose actions run, write and delete. Pure.

use super::carry::{report, words, writes};
use super::xargs::put;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

/// Tests and actions without an argument, none of which changes anything. In alphabetic order.
const PLAIN: &[&str] = &[
    "!",
    "(",
    ")",
    ",",
    "-a",
    "-and",
    "-d",
    "-daystart",
    "-depth",
    "-empty",
    "-executable",
    "-false",
    "-follow",
    "-help",
    "-ignore_readdir_race",
    "-ls",
    "-mount",
    "-nogroup",
    "-noignore_readdir_race",
    "-noleaf",
    "-not",
    "-nouser",
    "-nowarn",
    "-o",
    "-or",
    "-print",
    "-print0",
    "-prune",
    "-quit",
    "-readable",
    "-true",
    "-version",
    "-warn",
    "-writable",
    "-x",
    "-xdev",
];

/// Tests and actions with one argument, likewise.
const WITH_ARGUMENT: &[&str] = &[
    "-amin",
    "-anewer",
    "-atime",
    "-cmin",
    "-cnewer",
    "-context",
    "-ctime",
    "-flags",
    "-fstype",
    "-gid",
    "-group",
    "-ilname",
    "-iname",
    "-inum",
    "-ipath",
    "-iregex",
    "-iwholename",
    "-links",
    "-lname",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mtime",
    "-name",
    "-newer",
    "-path",
    "-perm",
    "-printf",
    "-regex",
    "-regextype",
    "-samefile",
    "-size",
    "-type",
    "-uid",
    "-used",
    "-user",
    "-wholename",
    "-xtype",
];

/// Judges `find`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command).unwrap_or_else(Report::unknown)
}

fn doubt(word: &Word) -> String {
    format!("what `{}` means to find can't be told before it runs", word.shown())
}

fn read(command: &Command) -> Result<Report, String> {
    let arguments = command.arguments();
    if let [word] = arguments
        && matches!(word.known(), Some("--help" | "--version"))
    {
        return Ok(Report::reads());
    }
    let (starts, expression) = starts(arguments)?;
    let found = found(starts);
    let mut effects = vec![];
    let mut rest = expression.iter();
    while let Some(word) = rest.next() {
        let Some(name) = word.known() else { return Err(doubt(word)) };
        let mut argument = || match rest.next() {
            Some(word) if word.is_many() => Err(doubt(word)),
            Some(word) => Ok(word),
            None => Err(format!("its `{name}` has no argument")),
        };
        match name {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let carried = carried(&mut rest, &found)?;
                let at = if name.ends_with("dir") { At::Folder(Word::unknown()) } else { At::Child };
                // -ok asks the human on stdin, so what it runs has none.
                let stdin = if name.starts_with("-ok") { Stdin::Nothing } else { command.stdin.clone() };
                effects.extend(words(&carried, at, stdin));
            }
            "-delete" if starts.is_empty() => effects.push(Effect::Writes(".".into())),
            "-delete" => effects.extend(starts.iter().cloned().map(Effect::Writes)),
            "-fprint" | "-fprint0" | "-fls" => effects.extend(writes(argument()?)),
            "-fprintf" => {
                effects.extend(writes(argument()?));
                argument()?;
            }
            name if PLAIN.binary_search(&name).is_ok() => {}
            name if WITH_ARGUMENT.binary_search(&name).is_ok() || newer(name) => {
                argument()?;
            }
            _ => return Err(format!("`{name}` of find is not known")),
        }
    }
    Ok(report(effects))
}

/// `-newerXY`
fn newer(name: &str) -> bool {
    name.strip_prefix("-newer").is_some_and(|kinds| kinds.len() == 2 && kinds.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Where it begins to look, and the expression behind that.
fn starts(arguments: &[Word]) -> Result<(&[Word], &[Word]), String> {
    let mut rest = arguments;
    // Options that stand before everything else; BSD's are grouped letters, and its -f names a starting point.
    while let Some((word, more)) = rest.split_first() {
        match word.known() {
            Some("-H" | "-L" | "-P" | "-E" | "-X" | "-d" | "-s" | "-x" | "--") => rest = more,
            Some("-D") => rest = more.get(1..).unwrap_or_default(),
            Some(text) if text.strip_prefix("-O").is_some_and(|l| l.bytes().all(|b| b.is_ascii_digit())) => rest = more,
            _ => break,
        }
    }
    let mut end = 0;
    for word in rest {
        let known = word.known();
        if word.begins_with("-") || matches!(known, Some("(" | ")" | "!" | ",")) {
            break;
        }
        if known.is_none() && (!word.is_fitting() || word.beginning().is_empty()) {
            return Err(doubt(word));
        }
        end += 1;
    }
    Ok(rest.split_at(end))
}

/// What is known of a file that is found: its path begins with the starting point.
fn found(starts: &[Word]) -> Word {
    let mut common: Option<&str> = None;
    for start in starts {
        let start = start.beginning();
        common = Some(match common {
            None => start,
            Some(common) => {
                let same = common.char_indices().zip(start.chars()).take_while(|((_, a), b)| a == b);
                let end = same.last().map_or(0, |((at, a), _)| at + a.len_utf8());
                common.get(..end).unwrap_or_default()
            }
        });
    }
    let mut word = Word::known_as(common.unwrap_or("."));
    word.push_hole();
    word
}

/// The words of an action up to its end, what is found in its place.
fn carried<'w>(rest: &mut impl Iterator<Item = &'w Word>, found: &Word) -> Result<Vec<Word>, String> {
    let mut carried: Vec<Word> = vec![];
    let mut doubtful = false;
    let mut braces = false;
    for word in rest {
        match word.known() {
            Some(";") => return Ok(carried),
            Some("+") if braces => {
                if let Some(last) = carried.last_mut() {
                    last.set_several();
                }
                return Ok(carried);
            }
            None if word.is_many() => return Err(doubt(word)),
            _ => {}
        }
        // Were an earlier word the end, this would be an action of find's own.
        if doubtful && word.may_begin_with("-") {
            return Err(doubt(word));
        }
        doubtful |= word.known().is_none() && word.may_be(";");
        braces = word.known() == Some("{}");
        carried.push(put(word, "{}", found));
    }
    Err("its command has no end".into())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn an_expression_that_only_looks() {
        for line in [
            "find",
            "find .",
            "find -L /srv /var -xdev -name '*.log' -mtime +7 -print0",
            "find . \\( -type f -o -type d \\) ! -newermt 2020-01-01 -printf '%p\\n'",
            "find / -D tree -size +1G",
            "find -O3 -D tree /x -perm /4000 -ls",
            "find /srv/…/x -name … -quit",
            "find . -name '-delete'",
            "find . -newer -delete",
            "find --help",
        ] {
            let expected = if line.starts_with("find / -D") { "unknown" } else { "reads" };
            check(judge, &[(line, expected)]);
        }
        assert!(PLAIN.is_sorted() && WITH_ARGUMENT.is_sorted());
    }

    #[test]
    fn actions() {
        check(
            judge,
            &[
                ("find . -newer x -exec sh -c 'rm $1' _ {} +", "[sh|-c|rm $1|_|.…*]"),
                ("find /srv -exec rm {} \\; -exec ls a{}b \\;", "[rm|/srv…]; [ls|a/srv…b]"),
                ("find /srv /sys -exec sh -c 'rm {}' ';' <<< x", "[sh|-c|rm /s…] <<< x"),
                ("find a b -exec rm {} ';'", "[rm|…]"),
                ("find . -execdir rm + {} ';'", "[rm|+|.…] in …"),
                ("find . -ok rm {} ';'", "[rm|.…] <nothing"),
                ("find . -okdir rm {} ';'", "[rm|.…] in … <nothing"),
                ("find /srv/a /srv/b -name x -delete", "writes /srv/a; writes /srv/b"),
                ("find -delete", "writes ."),
                ("find . -fprint /etc/x -fls /dev/null", "writes /etc/x"),
                ("find . -fprintf /etc/x %p -fprint0 y", "writes /etc/x; writes y"),
                ("find . -exec grep … {} ';' -print", "[grep|…|.…]"),
                ("find . -exec {} ';'", "[.…]"),
            ],
        );
    }

    #[test]
    fn what_may_mean_something_else_is_not_guessed() {
        check_unknown(
            judge,
            &[
                "find … -name x",
                "find $* -name x",
                "find . …",
                "find . -name $*",
                "find . $*",
                "find . -unheard x",
                "find . -exec rm {}",
                "find . -exec rm $* ';'",
                "find . -exec ls … -delete ';'",
                "find . -name",
                "find -f x -- -delete",
                "find -files0-from list -delete",
            ],
        );
    }
}
