//! `screen`: a session that runs a program, and commands that are sent to one (`-X`). Pure.

use super::carry::{self, words, writes};
use super::options::{self, Spec};
use super::typed;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

/// What its options ask for.
#[derive(Default)]
struct Asked {
    tells: bool,
    config: bool,
    shell: Option<Word>,
    logs: Option<Word>,
    into: Option<Word>,
    /// `-X` or `-Q`.
    sends: Option<char>,
}

/// Judges a command of it.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let mut asked = Asked::default();
    let all = command.arguments();
    let mut at = 0;
    while let Some(word) = all.get(at) {
        let Some(text) = word.known() else {
            if word.may_be_option() {
                return Report::unknown(format!(
                    "whether `{}` is an option can't be told before it runs",
                    word.shown()
                ));
            }
            break;
        };
        if text == "-wipe" {
            return Report::changes("removes sessions that ended");
        }
        let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            break;
        };
        at += 1;
        match letters {
            "-" => break,
            "ls" | "list" | "-version" | "-help" | "help" => asked.tells = true,
            "Logfile" => {
                asked.logs = Some(all.get(at).cloned().unwrap_or_else(Word::unknown));
                at += 1;
            }
            _ => match asked.letters(letters, all, &mut at) {
                Ok(()) if asked.sends.is_some() => break,
                Ok(()) => {}
                Err(why) => return Report::unknown(why),
            },
        }
    }
    let rest = all.get(at..).unwrap_or_default();
    let mut effects = Vec::new();
    if asked.config {
        effects.push(Effect::Unknown("what its config file runs is not read".to_owned()));
    }
    effects.extend(asked.logs.as_ref().and_then(writes));
    effects.extend(asked.shell.and_then(|shell| words(&[shell], At::Child, Stdin::Nothing)));
    match asked.sends {
        Some('X') => sent(rest, asked.into.as_ref(), &mut effects),
        Some(_) => {
            const ASKS: &[&str] = &["windows", "title", "number", "info", "lastmsg", "time", "version", "echo"];
            if !rest.first().and_then(Word::known).is_some_and(|asks| ASKS.contains(&asks)) {
                effects.push(Effect::Unknown("what it asks the session for is not known".to_owned()));
            }
        }
        None if asked.tells => {}
        None => effects.extend(words(rest, At::Child, Stdin::Nothing)),
    }
    carry::report(effects)
}

impl Asked {
    /// Takes the letters of one word, and the values behind it.
    fn letters(&mut self, letters: &str, all: &[Word], at: &mut usize) -> Result<(), String> {
        // What resumes or detaches a session takes its name, should one follow.
        let mut names = false;
        let mut rest = letters;
        while let Some(letter) = rest.chars().next() {
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            match letter {
                'X' | 'Q' => {
                    self.sends = Some(letter);
                    return Ok(());
                }
                'S' | 'p' | 'c' | 's' | 'e' | 'h' | 't' | 'T' => {
                    let value = if rest.is_empty() {
                        *at += 1;
                        all.get(*at - 1).filter(|word| !word.is_many()).cloned()
                    } else {
                        Some(rest.into())
                    };
                    let value = value.ok_or_else(|| format!("the value of `-{letter}` can't be told"))?;
                    match letter {
                        'S' => self.into = Some(value),
                        'c' => self.config = value.known() != Some("/dev/null"),
                        's' => self.shell = Some(value),
                        _ => {}
                    }
                    return Ok(());
                }
                'v' => self.tells = true,
                'r' | 'R' | 'x' => names = true,
                'd' | 'D' => names = !letters.contains('m'),
                'm' => names = false,
                'a' | 'A' | 'U' | 'i' | 'O' | 'q' | 'l' | 'L' | 'n' | 'f' | '4' | '6' => {}
                _ => return Err(format!("its option `-{letter}` is not known")),
            }
        }
        // Alone it detaches; with `-m` behind it, it starts one.
        let next = all.get(*at);
        if names && next.is_some_and(|word| !word.may_be_option()) {
            *at += 1;
        }
        Ok(())
    }
}

/// A command that is sent to a session.
fn sent(all: &[Word], into: Option<&Word>, effects: &mut Vec<Effect>) {
    let (name, rest) = match all.split_first() {
        Some((name, rest)) => (name.known().unwrap_or_default(), rest),
        None => return,
    };
    let into = into.map_or_else(|| "that is typed into".to_owned(), |name| format!("`{}`", name.shown()));
    match name {
        "stuff" => {
            let mut text = Word::default();
            rest.iter().for_each(|word| text.push_word(&unescaped(word)));
            effects.extend(typed::text(&text, &into));
        }
        "paste" | "process" | "readreg" | "register" | "exec" => effects.extend(typed::text(&Word::unknown(), &into)),
        "hardcopy" => effects.extend(rest.iter().filter(|word| word.known() != Some("-h")).filter_map(writes)),
        "quit" | "kill" => effects.push(Effect::Changes("ends what runs in a terminal".to_owned())),
        "screen" => match options::parse(rest, &Spec { flags: "afAlLnmM", values: "thTeSp", ..Spec::CARRIER }) {
            Ok(parsed) => effects.extend(words(&parsed.operands, At::Child, Stdin::Nothing)),
            Err(why) => effects.push(Effect::Unknown(why)),
        },
        "title" | "width" | "height" | "detach" | "select" | "number" | "log" | "next" | "prev" | "other" | "focus"
        | "split" | "only" | "remove" | "resize" | "fit" | "clear" | "redisplay" | "monitor" | "silence"
        | "scrollback" | "wrap" | "deflog" | "multiuser" | "caption" => {}
        "logfile" => effects.extend(rest.last().and_then(writes)),
        _ => effects.push(Effect::Unknown(format!("what its command `{name}` runs can't be told"))),
    }
}

/// A text in which `^M`, `\n` and octal numbers stand for what a keyboard sends.
fn unescaped(word: &Word) -> Word {
    let mut all = Word::default();
    for (nr, stretch) in word.stretches().enumerate() {
        if nr > 0 {
            all.push_hole();
        }
        let mut letters = stretch.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '^' => match letters.next() {
                    Some('I' | 'i') => all.push_text("\t"),
                    Some(_) | None => all.push_text("\n"),
                },
                '\\' => match letters.next() {
                    Some('n' | 'r') => all.push_text("\n"),
                    Some(digit @ '0'..='7') => {
                        let mut number = digit.to_digit(8).unwrap_or_default();
                        for _ in 0..2 {
                            if let Some(next) = letters.peek().and_then(|next| next.to_digit(8)) {
                                number = number * 8 + next;
                                letters.next();
                            }
                        }
                        let text = char::from_u32(number).filter(|c| !c.is_control()).unwrap_or('\n');
                        all.push_text(text.encode_utf8(&mut [0; 4]));
                    }
                    // A variable's dollar, or itself.
                    Some(other) => all.push_text(other.encode_utf8(&mut [0; 4])),
                    None => {}
                },
                // It puts its own variables in.
                '$' => all.push_hole(),
                other => all.push_text(other.encode_utf8(&mut [0; 4])),
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn sessions() {
        check(
            judge,
            &[
                ("screen -ls", "reads"),
                ("screen -list", "reads"),
                ("screen", "reads"),
                ("screen -v", "reads"),
                ("screen -r x", "reads"),
                ("screen -d -r x", "reads"),
                ("screen -dmS x make test", "[make|test] <nothing"),
                ("screen -d -m -S x make -j 4 test", "[make|-j|4|test] <nothing"),
                ("screen -dm ssh web01 reboot", "[ssh|web01|reboot] <nothing"),
                ("screen -L -Logfile /tmp/l -dmS x ls", "writes /tmp/l; [ls] <nothing"),
                ("screen -S x -Q windows", "reads"),
                ("screen -S x -X quit", "changes"),
                ("screen -wipe", "changes"),
                ("screen -S x -X hardcopy -h /tmp/out", "writes /tmp/out"),
                ("screen -S x -X screen -t y rm z", "[rm|z] <nothing"),
                ("screen -S x -X title y", "reads"),
                ("screen -s /bin/bash", "[/bin/bash] <nothing"),
            ],
        );
    }

    #[test]
    fn what_is_typed() {
        check(
            judge,
            &[
                ("screen -S x -X stuff 'ls -l\n'", "unknown; sh {ls -l\n} <nothing"),
                ("screen -S x -p 0 -X stuff 'ls^M'", "unknown; sh {ls\n} <nothing"),
                ("screen -S x -X stuff 'ls\\015'", "unknown; sh {ls\n} <nothing"),
                ("screen -x -S x -X stuff 'rm $x\\n'", "unknown; sh {rm …x\n} <nothing"),
                ("screen -X stuff …", "unknown; sh {…} <nothing"),
                ("screen -X paste .", "unknown; sh {…} <nothing"),
            ],
        );
    }

    #[test]
    fn what_can_not_be_told() {
        check_unknown(
            judge,
            &[
                "screen -c x.rc ls",
                "screen -X source x.rc",
                "screen -X eval 'stuff x'",
                "screen -X exec rm x",
                "screen -X setenv PATH /tmp",
                "screen -X shell /tmp/x",
                "screen -X …",
                "screen -Z ls",
                "screen … ls",
                "screen -S x -Q stuff ls",
                "screen -X bind k exec x",
            ],
        );
    }
}
