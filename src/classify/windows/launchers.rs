//! Programs that run PowerShell, the command processor of Windows, or a Linux beside it. Pure.

use super::switch;
use crate::classify::effect::{At, Code, Effect, Language, Report, Run, Stdin, What};
use crate::classify::word::Word;

pub(super) fn judge(name: &str, words: &[Word], stdin: &Stdin) -> Option<Report> {
    Some(match name {
        "powershell" | "pwsh" | "pwsh-preview" | "powershell_ise" => in_folder(powershell(name, words, stdin), words),
        "cmd" => cmd(words, stdin),
        "wsl" => wsl(words),
        _ => return None,
    })
}

pub(super) fn runs(language: Language, code: Code, at: At, stdin: Stdin) -> Report {
    Report::runs(Run { what: What::Other { language, code }, at, stdin })
}

/// `powershell` and `pwsh`: every parameter may be as short as it likes.
fn powershell(program: &str, words: &[Word], stdin: &Stdin) -> Report {
    /// Parameters with a value, and those without; in the order in which a short form is taken for one.
    const VALUES: &[&str] = &[
        "executionpolicy",
        "ep",
        "ex",
        "inputformat",
        "if",
        "outputformat",
        "of",
        "windowstyle",
        "workingdirectory",
        "wd",
        "configurationname",
        "settingsfile",
        "psconsolefile",
        "custompipename",
        "encodedarguments",
        "ea",
        "configurationfile",
    ];
    const FLAGS: &[&str] = &[
        "noprofile",
        "noninteractive",
        "nologo",
        "noexit",
        "sta",
        "mta",
        "login",
        "interactive",
        "noprofileloadtime",
        "nop",
        "noni",
        "nol",
        "noe",
    ];
    let mut rest = words;
    loop {
        let Some((word, behind)) = rest.split_first() else {
            return runs(Language::PowerShell, Code::Stdin, At::Child, stdin.clone());
        };
        let Some(text) = word.known() else {
            if rest.iter().all(|word| word.known().is_none()) || word.may_be_option() {
                return Report::unknown("what it runs is only known when it runs");
            }
            return bare(program, rest);
        };
        let dash =
            text.strip_prefix("--").or_else(|| text.strip_prefix(['-', '/', '\u{2013}', '\u{2014}', '\u{2015}']));
        let Some(name) =
            dash.filter(|_| !text.starts_with('/') || !text.get(1..).is_some_and(|rest| rest.contains('/')))
        else {
            return bare(program, rest);
        };
        if text == "-" {
            return runs(Language::PowerShell, Code::Stdin, At::Child, stdin.clone());
        }
        let (name, glued) = match name.split_once(':') {
            Some((name, value)) => (name.to_lowercase(), Some(value)),
            None => (name.to_lowercase(), None),
        };
        let short = |full: &str| !name.is_empty() && full.starts_with(&name);
        if glued.is_some() {
            return Report::unknown("its parameters are not understood");
        }
        match name.as_str() {
            "c" | "command" => return command(behind, stdin),
            "commandwithargs" | "cwa" => {
                return match behind.first() {
                    Some(text) => runs(Language::PowerShell, Code::Text(text.clone()), At::Child, stdin.clone()),
                    None => Report::unknown("what it runs is not given"),
                };
            }
            "v" | "version" | "h" | "help" | "?"
                if program == "pwsh" || behind.is_empty() || name == "h" || name == "?" || name == "help" =>
            {
                return Report::reads();
            }
            "version" | "v" => {
                rest = behind.get(1..).unwrap_or_default();
                continue;
            }
            "e" | "ec" => return encoded(behind),
            _ => {}
        }
        if short("command") && name.len() > 1 {
            return command(behind, stdin);
        }
        if short("file") {
            return match behind.first() {
                Some(path) if path.known() == Some("-") => {
                    runs(Language::PowerShell, Code::Stdin, At::Child, stdin.clone())
                }
                Some(path) => file(path),
                None => Report::unknown("which file it runs is not given"),
            };
        }
        if short("encodedcommand") {
            return encoded(behind);
        }
        if FLAGS.iter().any(|full| short(full)) {
            rest = behind;
        } else if let Some(full) = VALUES.iter().find(|full| short(full)) {
            if matches!(
                *full,
                "configurationname"
                    | "settingsfile"
                    | "psconsolefile"
                    | "custompipename"
                    | "configurationfile"
                    | "encodedarguments"
                    | "ea"
            ) {
                return Report::unknown("its settings are not read");
            }
            rest = behind.get(1..).unwrap_or_default();
        } else {
            return Report::unknown(format!("its parameter `{text}` is not known"));
        }
    }
}

/// With `-WorkingDirectory` it runs there.
fn in_folder(mut report: Report, words: &[Word]) -> Report {
    let given = |word: &Word| {
        let name = switch(word).unwrap_or_default();
        name == "wd" || (name.starts_with("wo") && "workingdirectory".starts_with(&name))
    };
    if let Some(at) = words.iter().position(given) {
        let folder = words.get(at + 1).cloned().unwrap_or_else(Word::unknown);
        for effect in &mut report.effects {
            if let Effect::Runs(run) = effect {
                run.at = At::Folder(folder.clone());
            }
        }
    }
    report
}

fn command(words: &[Word], stdin: &Stdin) -> Report {
    match words {
        [] => Report::unknown("what it runs is not given"),
        [word] if word.known() == Some("-") => runs(Language::PowerShell, Code::Stdin, At::Child, stdin.clone()),
        words => runs(Language::PowerShell, Code::Text(Word::joined(words)), At::Child, stdin.clone()),
    }
}

/// Words without a parameter in front of them: a file to the newer one, text to the older.
fn bare(program: &str, words: &[Word]) -> Report {
    match words.first() {
        Some(path) if program.starts_with("pwsh") => file(path),
        _ => runs(Language::PowerShell, Code::Text(Word::joined(words)), At::Child, Stdin::Unknown),
    }
}

fn file(path: &Word) -> Report {
    let path = path.known().map_or_else(|| path.clone(), |text| Word::known_as(text.replace('\\', "/")));
    runs(Language::PowerShell, Code::File(path), At::Child, Stdin::Unknown)
}

fn encoded(words: &[Word]) -> Report {
    match words.first().and_then(Word::known).and_then(decoded) {
        Some(text) => runs(Language::PowerShell, Code::Text(Word::known_as(text)), At::Child, Stdin::Unknown),
        None => Report::unknown("the encoded text that it runs can't be read"),
    }
}

/// The text in base64 of UTF-16.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for c in text.trim_end_matches('=').bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    let units: Vec<u16> = bytes
        .chunks(2)
        .map(|pair| match pair {
            [low, high] => Some(u16::from_le_bytes([*low, *high])),
            _ => None,
        })
        .collect::<Option<_>>()?;
    String::from_utf16(&units).ok()
}

/// `cmd /c text`
fn cmd(words: &[Word], stdin: &Stdin) -> Report {
    for (nr, word) in words.iter().enumerate() {
        let Some(text) = word.known() else { return Report::unknown("what it runs is only known when it runs") };
        let lower = text.to_lowercase();
        match lower.get(..2) {
            Some("/c" | "/k" | "/r" | "-c") => {
                let mut all: Vec<Word> = Vec::new();
                let glued = text.get(2..).unwrap_or_default();
                if !glued.is_empty() {
                    all.push(Word::known_as(glued));
                }
                all.extend_from_slice(words.get(nr + 1..).unwrap_or_default());
                if all.is_empty() {
                    return runs(Language::Cmd, Code::Stdin, At::Child, stdin.clone());
                }
                return runs(Language::Cmd, Code::Text(Word::joined(&all)), At::Child, stdin.clone());
            }
            Some("/s" | "/q" | "/d" | "/a" | "/u" | "/e" | "/f" | "/v" | "/t") => {}
            _ => return Report::unknown("what it runs is not clear"),
        }
    }
    runs(Language::Cmd, Code::Stdin, At::Child, stdin.clone())
}

/// `wsl [options] command`: a shell of a Linux on the same machine, with files of its own.
fn wsl(words: &[Word]) -> Report {
    let mut rest = words.iter();
    let mut text = Vec::new();
    while let Some(word) = rest.next() {
        match word.known() {
            None => return Report::unknown("its options are only known when it runs"),
            Some("-d" | "--distribution" | "--distribution-id" | "-u" | "--user" | "--cd" | "--shell-type") => {
                rest.next();
            }
            Some("--system" | "~") => {}
            Some("-e" | "--exec" | "--") => {
                text.extend(rest.cloned());
                break;
            }
            Some("-l" | "--list" | "--status" | "--version" | "-v" | "--help") => return Report::reads(),
            Some(option) if option.starts_with('-') => {
                return Report::unknown(format!("what `wsl` does with `{option}` is not known"));
            }
            Some(_) => {
                text.push(word.clone());
                text.extend(rest.cloned());
                break;
            }
        }
    }
    if text.is_empty() {
        return Report::reads();
    }
    let quoted = |word: &Word| match word.known() {
        Some(text) if text.contains(char::is_whitespace) => Word::known_as(crate::text::shell_word(text)),
        _ => word.clone(),
    };
    let text: Vec<Word> = text.iter().map(quoted).collect();
    let what = What::Shell { text: Word::joined(&text), arguments: vec![] };
    Report::runs(Run { what, at: At::Inside, stdin: Stdin::Unknown })
}
