//! `crontab`: the lines of a new table are commands, each of which runs again and again on the same machine. Pure.

use super::copied;
use super::options::{Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// No table of more lines is followed.
const MOST: usize = 500;

/// Judges a command of it.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let spec = Spec { flags: "lreinsV", values: "uxc", ..Spec::default() };
    let Ok(parsed) = parse(command.arguments(), &spec) else {
        return Report::unknown("crontab's options can't be told");
    };
    if parsed.has(&["V"]) && parsed.options.len() == 1 {
        return Report::reads();
    }
    let acts = parsed.has(&["r", "e"]) || !parsed.operands.is_empty();
    if parsed.has(&["l"]) && !acts {
        return Report::reads();
    }
    let mut report = Report::changes("changes the table of cron jobs");
    if parsed.has(&["r"]) && parsed.operands.is_empty() {
        return report;
    }
    let unclear = |why: String| Effect::Unknown(format!("what the new cron jobs will run is not known: {why}"));
    let file = parsed.operands.first().filter(|file| file.known() != Some("-"));
    let table = match file {
        // An editor, which is told what to do by nobody knows what.
        _ if parsed.has(&["e"]) => Err("an editor writes them".to_owned()),
        None => match &command.stdin {
            Stdin::Text(text) => {
                text.known().map(str::to_owned).ok_or_else(|| "they come from another command".to_owned())
            }
            Stdin::File(file) => copied::text_of(file, facts),
            Stdin::Nothing => Ok(String::new()),
            Stdin::Inherited | Stdin::Unknown => Err("they come from another command".to_owned()),
        },
        Some(file) => copied::text_of(file, facts),
    };
    match table {
        Ok(table) => lines(&table, facts, &mut report.effects),
        Err(why) => report.effects.push(unclear(why)),
    }
    report
}

/// Adds what each line of a table does.
fn lines(table: &str, facts: &Facts, effects: &mut Vec<Effect>) {
    if table.lines().count() > MOST {
        effects.push(Effect::Unknown("it has more cron jobs than are followed".to_owned()));
        return;
    }
    for line in table.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((name, value)) = setting(line) {
            if name == "SHELL"
                && !value.rsplit('/').next().is_some_and(|shell| matches!(shell, "sh" | "bash" | "dash" | "zsh"))
            {
                effects.push(Effect::Unknown("another shell than usual reads its jobs".to_owned()));
            }
            effects.push(Effect::Sets { name: name.to_owned(), value: value.into() });
            continue;
        }
        let Some(job) = job(line) else {
            effects.push(Effect::Unknown(format!("its line `{}` is no cron job", line.trim_end())));
            continue;
        };
        // Behind the first percent sign stands what the job reads; more of them part its lines.
        let (text, input) = parted(job);
        let stdin = input.map_or(Stdin::Nothing, |input| Stdin::Text(Word::known_as(input)));
        let what = What::Shell { text: Word::known_as(text), arguments: vec![] };
        // It begins in the home of its user.
        let at = facts.home.map_or(At::Child, |home| At::Folder(home.into()));
        effects.push(Effect::Runs(Run { what, at, stdin }));
    }
}

/// `NAME=value`, blanks around the sign and quotes around the value allowed.
fn setting(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end().trim_matches(['"', '\'']);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(plain) {
        return None;
    }
    let value = value.trim();
    let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    Some((name, quoted.unwrap_or(value)))
}

/// The command behind the times: `@daily x`, or five fields and `x`.
fn job(line: &str) -> Option<&str> {
    let fields = if line.starts_with('@') { 1 } else { 5 };
    let mut rest = line;
    for nr in 0..fields {
        let (field, behind) = rest.split_once([' ', '\t'])?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "*,-/@~?#".contains(c);
        // Some let a dash stand before the first one: then nothing is written to the log.
        let field = if nr == 0 { field.strip_prefix('-').unwrap_or(field) } else { field };
        if field.is_empty() || !field.chars().all(plain) {
            return None;
        }
        rest = behind.trim_start();
    }
    (!rest.is_empty()).then_some(rest)
}

/// The command, and what it reads.
fn parted(job: &str) -> (String, Option<String>) {
    let mut parts = vec![String::new()];
    let mut letters = job.chars().peekable();
    while let Some(letter) = letters.next() {
        let text = match letter {
            '\\' if letters.peek() == Some(&'%') => letters.next(),
            '%' => {
                parts.push(String::new());
                continue;
            }
            letter => Some(letter),
        };
        if let (Some(last), Some(text)) = (parts.last_mut(), text) {
            last.push(text);
        }
    }
    let mut parts = parts.into_iter();
    let command = parts.next().unwrap_or_default();
    let input: Vec<String> = parts.collect();
    (command, (!input.is_empty()).then(|| input.join("\n") + "\n"))
}

#[cfg(test)]
mod tests {
    use super::super::remote_cases::{Files, check, command, own, shown};
    use super::*;

    #[test]
    fn jobs_are_judged_as_far_as_they_are_seen() {
        check(
            judge,
            &[
                ("crontab -l", "reads"),
                ("crontab -u jo -l", "reads"),
                ("crontab -V", "reads"),
                ("crontab -r", "changes"),
                ("crontab -e", "changes; unknown"),
                ("crontab - <-", "changes; unknown"),
                ("crontab x.cron", "changes; unknown"),
                ("crontab …", "unknown"),
                ("crontab -Z", "unknown"),
                ("crontab - <<< '0 5 * * * /srv/backup.sh -v'", "changes; in /home/me[/srv/backup.sh -v] <nothing"),
                ("crontab <<< '@reboot  ssh web01 reboot'", "changes; in /home/me[ssh web01 reboot] <nothing"),
                ("crontab - <<< '*/5 1-3,7 * JAN mon cat%a%b'", "changes; in /home/me[cat] <<<a\nb\n"),
                ("crontab - <<< '0 0 * * * date +\\%F'", "changes; in /home/me[date +%F] <nothing"),
                ("crontab - <<< 'reboot now'", "changes; unknown"),
                ("crontab - <<< '0 0 * * *'", "changes; unknown"),
                ("crontab - <<< '0 5 * * * ssh …'", "changes; unknown"),
                ("crontab - <<< '# 0 5 * * * reboot'", "changes"),
            ],
        );
        let table = "# jobs\nMAILTO=\"jo\"\nSHELL = /bin/bash\n\n  1 2 3 4 5\tls a\n@daily ls b\n";
        let odd = "SHELL=/usr/bin/python3\n1 2 3 4 5 print()\n";
        let files = Files(std::collections::BTreeMap::from([("/home/me/src/x", table), ("/y", odd)]));
        for (line, expected) in [
            (
                "crontab x",
                "changes; sets MAILTO=jo; sets SHELL=/bin/bash; in /home/me[ls a] <nothing; in /home/me[ls b] <nothing",
            ),
            (
                "crontab - < x",
                "changes; sets MAILTO=jo; sets SHELL=/bin/bash; in /home/me[ls a] <nothing; in /home/me[ls b] <nothing",
            ),
            ("crontab -u root /y", "changes; unknown; sets SHELL=/usr/bin/python3; in /home/me[print()] <nothing"),
            ("crontab z", "changes; unknown"),
        ] {
            assert_eq!(shown(&judge(&command(line), &own(&files))), expected, "{line}");
        }
    }
}
