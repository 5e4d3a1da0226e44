//! Programs whose operands decide, in ways that no table can say: `dd`, `sysctl`, `postconf`, `nft`, `parted`, `pacman`, `apt`, `kill`. Pure.

use super::options::{Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, What};
use crate::classify::word::Word;

fn table() -> Report {
    Report::of(Effect::Table)
}

/// `dd` writes to stdout unless it is given `of=`.
pub fn dd(command: &Command, _facts: &Facts) -> Report {
    let mut report = Report::reads();
    for word in command.arguments() {
        if let Some(file) = word.strip_prefix("of=") {
            report.effects.push(Effect::Writes(file));
        } else if word.is_many() || word.may_begin_with("of=") {
            report.effects.push(Effect::Unknown(format!("`{}` may turn out to be `of=` of dd", word.shown())));
        }
    }
    report
}

/// `sysctl` sets where a word holds `=`, wherever that word stands.
pub fn sysctl(command: &Command, _facts: &Facts) -> Report {
    assigns(command, "of the kernel")
}

/// `postconf` edits its file where a word holds `=`.
pub fn postconf(command: &Command, _facts: &Facts) -> Report {
    assigns(command, "of Postfix")
}

fn assigns(command: &Command, whose: &str) -> Report {
    let sets = |word: &Word| {
        let option = word.begins_with("-");
        !option && (word.known().is_none() || word.known().is_some_and(|text| text.contains('=')))
    };
    match command.arguments().iter().find(|word| sets(word)) {
        Some(word) => Report::changes(format!("sets `{}` {whose}", word.shown())),
        None => table(),
    }
}

/// `nft` takes its words for one text, in which a semicolon or a new line begins another command.
pub fn nft(command: &Command, _facts: &Facts) -> Report {
    let arguments = command.arguments();
    let Some(known) = arguments.iter().map(Word::known).collect::<Option<Vec<_>>>() else {
        return Report::unknown("what nft is told can't be told before it runs");
    };
    if known.iter().any(|text| text.contains([';', '\n', '{'])) {
        return Report::changes("changes the firewall by several commands of nft");
    }
    if known.iter().any(|text| text.contains(char::is_whitespace)) {
        let program = command.words.first().cloned().unwrap_or_default();
        let words = known.iter().flat_map(|text| text.split_whitespace()).map(Word::from);
        let words = std::iter::once(program).chain(words).collect();
        return Report::runs(Run { what: What::Words(words), at: At::Child, stdin: command.stdin.clone() });
    }
    table()
}

/// `parted`, whose words behind the device are commands one after another.
pub fn parted(command: &Command, _facts: &Facts) -> Report {
    let spec = Spec {
        flags: "lmsjhv",
        values: "a",
        long_flags: &["list", "machine", "script", "json", "help", "version"],
        long_values: &["align"],
        ..Spec::default()
    };
    let Ok(parsed) = parse(command.arguments(), &spec) else { return table() };
    let Some(words) = parsed.operands.iter().map(Word::known).collect::<Option<Vec<_>>>() else { return table() };
    if words.is_empty() {
        return if parsed.has(&["l", "list", "h", "help", "v", "version"]) { Report::reads() } else { table() };
    }
    let mut words = words.into_iter().skip(1).peekable();
    if words.peek().is_none() {
        return table();
    }
    while let Some(word) = words.next() {
        match word {
            "print" | "p" => {
                words.next_if(|next| {
                    matches!(*next, "devices" | "free" | "list" | "all")
                        || next.bytes().all(|byte| byte.is_ascii_digit())
                });
            }
            "unit" | "u" | "align-check" => {
                words.next();
                if word == "align-check" {
                    words.next();
                }
            }
            "help" | "quit" | "version" => {}
            _ => return table(),
        }
    }
    Report::reads()
}

/// `pacman`, whose small letters mean something else with each operation.
pub fn pacman(command: &Command, _facts: &Facts) -> Report {
    let (mut letters, mut long) = (String::new(), Vec::new());
    for word in command.arguments() {
        match word.known() {
            Some(text) if text.starts_with("--") => long.push(text),
            Some(text) if text.starts_with('-') => letters.push_str(text),
            Some(_) => {}
            None if word.begins_with("-") || word.may_begin_with("-") || word.is_many() => return table(),
            None => {}
        }
    }
    let has = |letter: char, name: &str| letters.contains(letter) || long.contains(&name);
    let known = [
        "--query",
        "--files",
        "--sync",
        "--deptest",
        "--version",
        "--help",
        "--search",
        "--info",
        "--list",
        "--groups",
        "--quiet",
        "--explicit",
        "--deps",
        "--upgrades",
        "--check",
        "--owns",
        "--foreign",
        "--native",
        "--unrequired",
        "--regex",
        "--noconfirm",
        "--print",
    ];
    if !long.iter().all(|name| known.contains(name)) || letters.contains(['U', 'R', 'D', 'y', 'w', 'c', 'b', 'r']) {
        return table();
    }
    let looks = has('Q', "--query") || has('F', "--files") || has('T', "--deptest") || has('V', "--version");
    let of_sync =
        has('s', "--search") || has('i', "--info") || has('l', "--list") || has('g', "--groups") || has('p', "--print");
    let sync = has('S', "--sync");
    let upgrades = letters.contains('u') || long.contains(&"--upgrades");
    if (looks && !sync) || (sync && !looks && of_sync && !upgrades) { Report::reads() } else { table() }
}

/// APT's programs, which take their long options in capitals too.
pub fn apt(command: &Command, _facts: &Facts) -> Report {
    let shouts = |word: &&Word| {
        let name = word.beginning().split('=').next().unwrap_or_default();
        name.starts_with("--") && name.contains(|c: char| c.is_ascii_uppercase())
    };
    match command.arguments().iter().find(shouts) {
        Some(word) => Report::unknown(format!("`{}` is written in capitals, which are not told apart", word.shown())),
        None => table(),
    }
}

/// `kill`, `pkill` and `killall`: signal 0 only asks whether a process is there.
pub fn kill(command: &Command, _facts: &Facts) -> Report {
    // Behind a signal some shells take `-l` for a process, and go on.
    let lists = |word: &Word| matches!(word.known(), Some("-l" | "-L" | "--list" | "--table"));
    if is_kill(command) && command.arguments().iter().skip(1).any(lists) {
        return Report::changes("sends a signal");
    }
    let rest = match command.arguments() {
        [first, rest @ ..] if first.known() == Some("-0") => rest,
        [first, second, rest @ ..] if matches!(first.known(), Some("-s")) && second.known() == Some("0") => rest,
        _ => return table(),
    };
    // Once the signal is given, kill takes whatever follows for processes; the other two take options.
    let plain = is_kill(command);
    let option = |word: &Word| word.begins_with("-") && word.known() != Some("--");
    let asks = if plain {
        !rest.iter().any(option)
    } else {
        rest.iter().all(|word| !word.is_many() && !word.may_begin_with("-"))
    };
    if asks && !rest.is_empty() { Report::reads() } else { table() }
}

fn is_kill(command: &Command) -> bool {
    command.program().is_some_and(|program| program.rsplit('/').next() == Some("kill"))
}

#[cfg(test)]
#[path = "../tests/operands.rs"]
pub(super) mod tests;
