//! Reads and follows what the command processor of Windows reads. Pure.

use super::{files, judge as windows, plain};
use crate::classify::effect::{At, Code, Effect, Facts, Language, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// The longest text, in bytes.
const LONGEST: usize = 64 * 1024;
/// Commands within commands are followed no deeper.
const DEEPEST: usize = 16;
/// No text runs more of them.
const MOST_COMMANDS: usize = 4_000;

/// What each command of a text does, in their order, with its text.
///
/// # Errors
/// Why it can't be read, in words that follow a "since".
pub fn judge(text: &str, _facts: &Facts) -> Result<Vec<(String, Report)>, String> {
    if text.len() > LONGEST {
        return Err(format!("it is longer than {} KiB", LONGEST / 1024));
    }
    let mut found = Vec::new();
    // What stands in quotes as a whole is the text.
    let trimmed = text.trim();
    let inner = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let inner = inner.filter(|inner| {
        inner.contains([' ', '&', '|']) && (!inner.contains('"') || inner.matches('"').count() % 2 == 0)
    });
    follow(inner.unwrap_or(trimmed), &mut found, 0)?;
    Ok(found)
}

/// A stretch of a line.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(Word),
    /// `&`, `&&`, `|`, `||`, a line break, a parenthesis.
    Break,
    /// `>` or `>>`, and where to.
    Write(Word),
    /// `<`, and where from.
    Read,
}

fn follow(text: &str, found: &mut Vec<(String, Report)>, depth: usize) -> Result<(), String> {
    if depth > DEEPEST {
        return Err("it is nested more deeply than is followed".into());
    }
    let mut words = Vec::new();
    let mut writes = Vec::new();
    // What stands in the parentheses of a loop is a list.
    let mut list = false;
    for token in tokens(text)?.into_iter().chain([Token::Break]) {
        match token {
            Token::Word(word) => words.push(word),
            Token::Write(file) => writes.push(file),
            Token::Read => words.push(Word::unknown()),
            Token::Break => {
                let command = std::mem::take(&mut words);
                let line = Word::joined(&command).shown();
                for file in std::mem::take(&mut writes) {
                    let nul = file
                        .known()
                        .is_some_and(|name| name.eq_ignore_ascii_case("nul") || name.eq_ignore_ascii_case("con"));
                    if !nul {
                        let report = files::judge("md", std::slice::from_ref(&file)).unwrap_or_default();
                        found.push((format!("> {}", file.shown()), report));
                    }
                }
                let is = |word: Option<&Word>, name: &str| {
                    word.and_then(Word::known).is_some_and(|word| word.eq_ignore_ascii_case(name))
                };
                let loops = is(command.first(), "for") && is(command.last(), "in");
                let skipped = std::mem::replace(&mut list, loops) && !is(command.first(), "do");
                if !command.is_empty() && !skipped {
                    run(&command, &line, found, depth)?;
                }
                if found.len() > MOST_COMMANDS {
                    return Err("it runs more commands than are followed".into());
                }
            }
        }
    }
    Ok(())
}

/// The words and signs of a text: `^` takes a sign's meaning away, quotes too, `%…%` and `!…!` are not known.
fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut all = Vec::new();
    let mut word: Option<Word> = None;
    let mut target = false;
    let mut quoted = false;
    let mut rest = text;
    let end = |word: &mut Option<Word>, target: &mut bool, all: &mut Vec<Token>| {
        if let Some(word) = word.take() {
            all.push(if std::mem::take(target) { Token::Write(word) } else { Token::Word(word) });
        }
    };
    while let Some(c) = rest.chars().next() {
        let mut after = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '%' | '!' => {
                // `%VAR%`, `%VAR:~0,1%`, `%1`, `%%i`
                let name = after.split_once(c).filter(|(name, _)| {
                    !name.is_empty()
                        && !name.contains(['\n', ' ', '"', '&', '|'])
                        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                });
                match name {
                    Some((_, behind)) => {
                        word.get_or_insert_default().push_hole();
                        after = behind;
                    }
                    // One that no other follows stays as it is: `| % { … }` of PowerShell.
                    None if c == '%' && is_alone(after) => word.get_or_insert_default().push_text("%"),
                    None if c == '%' => {
                        word.get_or_insert_default().push_hole();
                        let skipped = after.trim_start_matches('%');
                        after = skipped
                            .strip_prefix(|c: char| c.is_ascii_alphanumeric() || c == '*' || c == '~')
                            .unwrap_or(skipped);
                    }
                    None => word.get_or_insert_default().push_text("!"),
                }
            }
            '^' if !quoted => {
                if let Some(next) = after.chars().next() {
                    let behind = after.get(next.len_utf8()..).unwrap_or_default();
                    match next {
                        '\n' => {}
                        '\r' => {
                            after = behind.strip_prefix('\n').unwrap_or(behind);
                            rest = after;
                            continue;
                        }
                        next => word.get_or_insert_default().push_text(next.encode_utf8(&mut [0; 4])),
                    }
                    after = behind;
                }
            }
            '\n' | '\r' => {
                if quoted {
                    quoted = false;
                }
                end(&mut word, &mut target, &mut all);
                all.push(Token::Break);
            }
            c if quoted => word.get_or_insert_default().push_text(c.encode_utf8(&mut [0; 4])),
            ' ' | '\t' | ',' | ';' | '=' if c == ' ' || c == '\t' => end(&mut word, &mut target, &mut all),
            '&' | '|' | '(' | ')' => {
                end(&mut word, &mut target, &mut all);
                target = false;
                all.push(Token::Break);
                after = after.strip_prefix(c).filter(|_| c == '&' || c == '|').unwrap_or(after);
            }
            '>' => {
                // A number in front of it is the stream's.
                if word
                    .as_ref()
                    .and_then(Word::known)
                    .is_some_and(|text| text.len() == 1 && text.chars().all(|c| c.is_ascii_digit()))
                {
                    word = None;
                }
                end(&mut word, &mut target, &mut all);
                after = after.strip_prefix('>').unwrap_or(after);
                match after.strip_prefix('&') {
                    Some(behind) => after = behind.strip_prefix(|c: char| c.is_ascii_digit()).unwrap_or(behind),
                    None => {
                        target = true;
                        after = after.trim_start_matches([' ', '\t']);
                    }
                }
            }
            '<' => {
                end(&mut word, &mut target, &mut all);
                all.push(Token::Read);
                after = after.trim_start_matches([' ', '\t']);
                let stop = after.find([' ', '\t', '&', '|', '>', '\n']).unwrap_or(after.len());
                after = after.get(stop..).unwrap_or_default();
            }
            c => word.get_or_insert_default().push_text(c.encode_utf8(&mut [0; 4])),
        }
        rest = after;
    }
    end(&mut word, &mut target, &mut all);
    Ok(all)
}

fn is_number(text: &str) -> bool {
    text.parse::<i32>().is_ok()
}

/// Whether a percent sign, with this behind it, is no part of a variable's name.
fn is_alone(after: &str) -> bool {
    let line = after.split('\n').next().unwrap_or_default();
    line.starts_with([' ', '{']) && !line.contains('%')
}

/// Follows one command.
fn run(words: &[Word], line: &str, found: &mut Vec<(String, Report)>, depth: usize) -> Result<(), String> {
    let Some((first, rest)) = words.split_first() else { return Ok(()) };
    let Some(name) = first.known() else {
        found.push((
            line.to_owned(),
            Report::unknown(format!("which program `{}` is can only be told when it runs", first.shown())),
        ));
        return Ok(());
    };
    let name = name.trim_start_matches('@');
    if name.is_empty() || name.starts_with(':') {
        return Ok(());
    }
    let lower = name.to_lowercase();
    // `cmd/c`, `ipconfig/all`: a switch may be glued to a name.
    if let Some((name, _)) =
        lower.split_once('/').filter(|(name, _)| windows(plain(name), &[], &Stdin::Unknown).is_some())
    {
        let (start, switch) = first
            .known()
            .unwrap_or_default()
            .split_at(first.known().unwrap_or_default().len() - lower.len() + name.len());
        let all: Vec<Word> = [start, switch].into_iter().map(Word::known_as).chain(rest.iter().cloned()).collect();
        return run(&all, line, found, depth);
    }
    let say = |found: &mut Vec<(String, Report)>, report| found.push((line.to_owned(), report));
    match lower.as_str() {
        "rem" | "echo" | "echo." | "cls" | "title" | "color" | "prompt" | "pause" | "ver" | "verify" | "vol"
        | "setlocal" | "endlocal" | "exit" | "goto" | "shift" | "break" | "date" | "time" | "path"
            if !matches!(lower.as_str(), "date" | "time" | "path")
                || rest.iter().all(|word| word.known().is_some_and(|text| text.eq_ignore_ascii_case("/t"))) =>
        {
            say(found, Report::reads());
        }
        // `timeout /t 5 /nobreak` waits; a program of that name elsewhere runs what it is given.
        "timeout"
            if rest.iter().filter_map(Word::known).filter(|text| text.starts_with('/') || is_number(text)).count()
                == rest.len() =>
        {
            say(found, Report::reads());
        }
        "date" | "time" => say(found, Report::changes("sets the clock")),
        "cd" | "chdir" | "pushd" | "popd" => {
            let far = rest.iter().any(|word| word.begins_with("\\\\") || word.begins_with("//"));
            say(
                found,
                match (far, lower == "popd" || !rest.is_empty()) {
                    (true, _) => Report::unknown("it goes to a folder of another machine"),
                    (false, true) => Report::of(Effect::Sets {
                        name: crate::classify::powershell::FOLDER.into(),
                        value: Word::unknown(),
                    }),
                    (false, false) => Report::reads(),
                },
            );
        }
        "set" => match rest.first().map(Word::beginning) {
            Some(text) if text.eq_ignore_ascii_case("/p") => say(found, Report::unknown("it reads what it sets")),
            Some(text) if text.eq_ignore_ascii_case("/a") => say(found, Report::reads()),
            _ => match Word::joined(rest).split_once('=') {
                Some((name, value)) => {
                    let name = name.known().unwrap_or_default().to_uppercase();
                    // A folder's name is no folder.
                    let name = if name == crate::classify::powershell::FOLDER { "OLDPWD".to_owned() } else { name };
                    say(found, Report::of(Effect::Sets { name, value }));
                }
                None => say(found, Report::reads()),
            },
        },
        "path" => say(found, Report::of(Effect::Sets { name: "PATH".into(), value: Word::joined(rest) })),
        "if" => return condition(rest, line, found, depth),
        "else" | "do" => return run(rest, line, found, depth),
        "for" => return loop_(rest, line, found, depth),
        "in" => say(found, Report::reads()),
        "call" => match rest.first().and_then(Word::known) {
            Some(label) if label.starts_with(':') => say(found, Report::reads()),
            _ => return run(rest, line, found, depth),
        },
        "start" => {
            // `start "title" /wait program`
            let mut rest = rest;
            while let Some((word, behind)) = rest.split_first() {
                let text = word.known();
                let title = text.is_some_and(|text| text.is_empty() || text.contains(' '));
                match text {
                    Some(text)
                        if ["/d", "/affinity", "/node", "/machine"]
                            .iter()
                            .any(|one| text.eq_ignore_ascii_case(one)) =>
                    {
                        rest = behind.get(1..).unwrap_or_default();
                    }
                    Some(text) if text.starts_with('/') || title => rest = behind,
                    _ => break,
                }
            }
            return run(rest, line, found, depth);
        }
        "net" | "net1" | "subst"
            if lower == "subst"
                || rest.first().and_then(Word::known).is_some_and(|word| word.eq_ignore_ascii_case("use")) =>
        {
            // What is written to that drive later is written there.
            let far = rest.iter().any(|word| word.begins_with("\\\\") || word.begins_with("\\"));
            say(
                found,
                if rest.len() < 2 && lower != "subst" {
                    Report::reads()
                } else if far {
                    Report::unknown("a drive leads to another machine from then on")
                } else {
                    Report::changes("connects a drive")
                },
            );
        }
        _ => say(found, program(name, &lower, rest)),
    }
    Ok(())
}

/// A program.
fn program(name: &str, lower: &str, rest: &[Word]) -> Report {
    let (folder, base) = lower.rsplit_once('\\').map_or((None, lower), |(folder, base)| (Some(folder), base));
    if folder.is_some_and(|folder| !super::is_system_folder(folder)) || name.contains('/') {
        if base.ends_with(".bat") || base.ends_with(".cmd") {
            let code = Code::File(Word::known_as(name.replace('\\', "/")));
            let what = What::Other { language: Language::Cmd, code };
            return Report::runs(Run { what, at: At::Child, stdin: Stdin::Unknown });
        }
        return Report::unknown(format!("what {name} does is not known"));
    }
    match windows(plain(base), rest, &Stdin::Unknown) {
        Some(report) => report,
        None if super::is_of_shells(base) => Report::unknown(format!("what `{name}` does is not known")),
        None => {
            let mut effects: Vec<Effect> = super::far_files(base, rest).into_iter().collect();
            if !effects.iter().any(|effect| matches!(effect, Effect::Unknown(_))) {
                let words = std::iter::once(Word::known_as(plain(base))).chain(rest.iter().cloned()).collect();
                effects.push(Effect::Runs(Run { what: What::Words(words), at: At::Child, stdin: Stdin::Unknown }));
            }
            Report { effects, by: None }
        }
    }
}

/// `if [/i] [not] exist file command`, and its like; what stands in parentheses comes as commands of its own.
fn condition(words: &[Word], line: &str, found: &mut Vec<(String, Report)>, depth: usize) -> Result<(), String> {
    let text = |at: usize| words.get(at).and_then(Word::known).map(str::to_lowercase).unwrap_or_default();
    let mut at = 0;
    while matches!(text(at).as_str(), "/i" | "not") {
        at += 1;
    }
    at += match text(at).as_str() {
        "exist" | "defined" | "errorlevel" | "cmdextversion" => 2,
        _ if matches!(text(at + 1).as_str(), "==" | "equ" | "neq" | "lss" | "leq" | "gtr" | "geq") => 3,
        _ => 1,
    };
    run(words.get(at..).unwrap_or_default(), line, found, depth)
}

/// `for %i in (…) do command`; the parentheses have parted it already.
fn loop_(words: &[Word], line: &str, found: &mut Vec<(String, Report)>, _depth: usize) -> Result<(), String> {
    // With `/f` what stands in the parentheses may be a command: they were read as one, quotes and all.
    let runs = words.first().and_then(Word::known).is_some_and(|word| word.eq_ignore_ascii_case("/f"));
    let report = if runs { Report::unknown("what it loops over may be a command") } else { Report::reads() };
    found.push((line.to_owned(), report));
    Ok(())
}
