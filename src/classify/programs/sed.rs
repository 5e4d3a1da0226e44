//! `sed`: its script is read for the commands that write files or run something. Pure.

use super::carry::{only_tells, report, shell, writes};
use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

const SED: Spec = Spec {
    flags: "nErsuzbh",
    values: "efl",
    glued: "i",
    long_flags: &[
        "binary",
        "debug",
        "follow-symlinks",
        "in-place",
        "null-data",
        "posix",
        "quiet",
        "regexp-extended",
        "sandbox",
        "separate",
        "silent",
        "unbuffered",
        "zero-terminated",
        "help",
        "version",
    ],
    long_values: &["expression", "file", "line-length"],
    ..Spec::MIXED
};

/// Judges `sed`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &SED) {
        Ok(parsed) => parsed,
        Err(why) => {
            // What else it may do, this it surely does.
            let edits = |word: &Word| word.begins_with("-i") || word.begins_with("--in-p");
            let edits = command.arguments().iter().any(edits).then(|| Effect::Changes("edits files".into()));
            return report(edits.into_iter().chain([Effect::Unknown(why)]));
        }
    };
    if only_tells(&parsed) || parsed.has(&["h"]) {
        return Report::reads();
    }
    // BSD's -l has no value: its script would be taken for one.
    let length = |word: &Word| word.known().is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit()));
    if !parsed.values(&["l"]).all(length) {
        return Report::unknown("whether its `-l` has a value can't be told");
    }
    let given = parsed.has(&["e", "expression", "f", "file"]);
    let files = if given { parsed.operands.as_slice() } else { parsed.operands.get(1..).unwrap_or_default() };
    let mut effects = vec![];
    if parsed.has(&["i", "in-place"]) {
        effects.extend(files.iter().filter_map(writes));
        if files.is_empty() {
            effects.push(Effect::Changes("edits files".into()));
        }
    }
    // It refuses scripts that run or write.
    if !parsed.has(&["sandbox"]) {
        match script(&parsed, given).and_then(|text| found(&text)) {
            Ok(found) => effects.extend(found),
            Err(why) => effects.push(Effect::Unknown(why)),
        }
    }
    report(effects)
}

/// The text of its script.
fn script(parsed: &Parsed, given: bool) -> Result<String, String> {
    if parsed.has(&["f", "file"]) {
        return Err("its script stands in a file".into());
    }
    let first = parsed.operands.first();
    let pieces: Vec<&Word> =
        if given { parsed.values(&["e", "expression"]).collect() } else { first.into_iter().collect() };
    let texts: Option<Vec<&str>> = pieces.iter().map(|word| word.known()).collect();
    texts.map(|texts| texts.join("\n")).ok_or_else(|| "its script can't be told before it runs".into())
}

fn odd() -> String {
    "its script can't be understood".into()
}

/// What its commands write and run.
fn found(script: &str) -> Result<Vec<Effect>, String> {
    let mut effects = vec![];
    let mut text = Text { rest: script };
    loop {
        text.skip(|c| c.is_ascii_whitespace() || c == ';');
        if text.rest.is_empty() {
            return Ok(effects);
        }
        text.address()?;
        let Some(letter) = text.next() else { return Err(odd()) };
        match letter {
            '{' => continue,
            '#' => {
                text.line();
                continue;
            }
            '}' | '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => {}
            'l' | 'L' | 'q' | 'Q' => {
                text.skip(|c| c == ' ' || c == '\t');
                text.skip(|c| c.is_ascii_digit());
            }
            'a' | 'i' | 'c' => {
                text.continued_line();
                continue;
            }
            ':' | 'b' | 't' | 'T' | 'v' => {
                text.skip(|c| c == ' ' || c == '\t');
                text.skip(|c| !c.is_ascii_whitespace() && c != ';' && c != '}');
            }
            'r' | 'R' => {
                text.line();
                continue;
            }
            'w' | 'W' => {
                effects.extend(text.file());
                continue;
            }
            'e' => {
                let line = text.continued_line();
                let command = line.trim_matches([' ', '\t', '\n']);
                if command.is_empty() {
                    return Err("its script runs what it reads".into());
                }
                let known = !command.contains('\\');
                let word = if known { Word::from(command) } else { Word::unknown() };
                effects.push(shell(word, At::Child, Stdin::Unknown));
                continue;
            }
            's' => {
                let mark = text.next().ok_or_else(odd)?;
                text.part(mark, true)?;
                text.part(mark, false)?;
                loop {
                    let flag = text.rest.chars().next();
                    match flag {
                        Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                            text.next();
                        }
                        Some('e') => return Err("its script runs what it reads".into()),
                        _ => break,
                    }
                }
                if text.rest.starts_with('w') {
                    text.next();
                    effects.extend(text.file());
                    continue;
                }
            }
            'y' => {
                let mark = text.next().ok_or_else(odd)?;
                text.part(mark, false)?;
                text.part(mark, false)?;
            }
            _ => return Err(odd()),
        }
        // What may stand behind a command.
        text.skip(|c| c == ' ' || c == '\t' || c == '\r');
        match text.rest.chars().next() {
            None | Some(';' | '\n' | '}' | '#') => {}
            Some(_) if matches!(letter, '}' | ':') => {}
            Some(_) => return Err(odd()),
        }
    }
}

/// What is left to read.
struct Text<'t> {
    rest: &'t str,
}

impl<'t> Text<'t> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        c
    }

    fn skip(&mut self, what: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(what);
    }

    /// The rest of the line.
    fn line(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        line
    }

    /// The file that the rest of the line names.
    fn file(&mut self) -> Option<Effect> {
        self.skip(|c| c == ' ' || c == '\t');
        writes(&self.line().into())
    }

    /// The rest of the line and those behind it that a backslash at the end adds.
    fn continued_line(&mut self) -> &'t str {
        let all = self.rest;
        while let Some(c) = self.next() {
            match c {
                '\\' => {
                    self.next();
                }
                '\n' => break,
                _ => {}
            }
        }
        all.get(..all.len() - self.rest.len()).unwrap_or_default()
    }

    /// An address, two, or none, and what stands before the command.
    fn address(&mut self) -> Result<(), String> {
        if self.one_address(false)? {
            self.skip(|c| c == ' ' || c == '\t');
            if self.rest.starts_with(',') {
                self.next();
                self.skip(|c| c == ' ' || c == '\t');
                if !self.one_address(true)? {
                    return Err(odd());
                }
            }
        }
        self.skip(|c| c == ' ' || c == '\t' || c == '!');
        Ok(())
    }

    fn one_address(&mut self, second: bool) -> Result<bool, String> {
        match self.rest.chars().next() {
            Some('0'..='9') => self.skip(|c| c.is_ascii_digit() || c == '~'),
            Some('+' | '~') if second => {
                self.next();
                self.skip(|c| c.is_ascii_digit());
            }
            Some('$') => {
                self.next();
            }
            Some(first @ ('/' | '\\')) => {
                self.next();
                let mark = if first == '/' { '/' } else { self.next().ok_or_else(odd)? };
                self.part(mark, true)?;
                self.skip(|c| c == 'I' || c == 'M');
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Text up to the mark. Whether a mark in brackets ends an expression depends on the sed: that isn't guessed.
    fn part(&mut self, mark: char, expression: bool) -> Result<(), String> {
        if mark == '\n' || mark == '\\' {
            return Err(odd());
        }
        let mut bracket = false;
        let mut before = ['\0', '\0'];
        while let Some(c) = self.next() {
            match c {
                c if c == mark => return if bracket { Err(odd()) } else { Ok(()) },
                '\\' => {
                    self.next().ok_or_else(odd)?;
                }
                '\n' if expression => return Err(odd()),
                '[' if expression && !bracket => {
                    bracket = true;
                    before = ['\0', '['];
                    continue;
                }
                // The first character in brackets stands for itself.
                ']' if bracket && before[1] != '[' && before != ['[', '^'] => bracket = false,
                _ => {}
            }
            before = [before[1], c];
        }
        Err(odd())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn scripts_that_only_filter() {
        for line in [
            "sed -n 1,5p x",
            "sed -n '5p;7,$p' x",
            "sed 's/a/b/g' x",
            "sed -E 's|/x/e|/y/w|;s/(w)/e/2' x",
            "sed -e 's/x/[]/' -e '/^#/d;/^$/d'",
            "sed '/start/,/end/{/x/!d;=}' x",
            "sed ':a;N;$!ba;s/\\n/ /g' x",
            "sed 's/[^]/]*x/y/' x",
            "sed '1~2d;0,/x/s//y/;$!{h;d;}' x",
            "sed '/x/a\\e rm x' y",
            "sed '1i e reboot\\\nw /etc/x' y",
            "sed 'y/abc/wex/' x",
            "sed -n '\\,e rm,p' x",
            "sed 's/a/b/w /dev/stdout' x",
            "sed --quiet --expression=p x",
            "sed --sandbox -f x.sed y",
            "sed '# e rm\np' x",
            "sed 5q /var/log/…",
            "sed 's/\\/e/x/' x",
            "sed 2r/etc/x y",
        ] {
            if line.contains("[^]/]") {
                check_unknown(judge, &[line]);
            } else {
                check(judge, &[(line, "reads")]);
            }
        }
    }

    #[test]
    fn what_writes_or_runs() {
        check(
            judge,
            &[
                ("sed -i s/a/b/ /etc/x y", "writes /etc/x; writes y"),
                ("sed -i.bak -e s/a/b/ /etc/x", "writes /etc/x"),
                ("sed -ni p /etc/x", "writes /etc/x"),
                ("sed --in-place=.b p /etc/x", "writes /etc/x"),
                ("sed --in-pl p /etc/x", "writes /etc/x"),
                ("sed p /etc/x -i", "writes /etc/x"),
                ("sed -n '$!N;w /etc/x' y", "writes /etc/x"),
                ("sed 's/a/b/gw /etc/x' y", "writes /etc/x"),
                ("sed '/x/W/etc/x' y", "writes /etc/x"),
                ("sed '1e rm x' y", "sh {rm x} <unknown"),
                ("sed '/a/,/b/!{e rm x\n}' y", "sh {rm x} <unknown"),
                ("sed -e '1{' -e 'e rm x' -e '}' y", "sh {rm x} <unknown"),
                ("sed 's/x/y/;1e rm x' y", "sh {rm x} <unknown"),
                ("sed -i p $*", "changes; unknown"),
            ],
        );
        check_unknown(
            judge,
            &[
                "sed 's/x/id/e' y",
                "sed 's/x/id/ge' y",
                "sed 's,x,id,pe' y",
                "sed e y",
                "sed 's/[/]/x/e' y",
                "sed -f x.sed y",
                "sed … y",
                "sed -e p -e … y",
                "sed -n …p y",
                "sed 's/x/y/;;k' y",
                "sed -I x p y",
                "sed p $*",
                "sed -l 'w /etc/x' p",
                "sed 's/x' y",
                "sed 'p e rm' y",
                "sed '1,e rm' y",
            ],
        );
    }
}
