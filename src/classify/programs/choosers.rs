//! `fzf` and `sk`, which let a person choose lines: what they run over a line that is looked at or chosen. Pure.

use super::carry::{self, report, shell, writes};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

/// Options whose value is a command.
const COMMANDS: &[&str] = &["--preview", "--info-command", "--cmd"];
/// Options whose value binds keys to what is done.
const BINDINGS: &[&str] = &["--bind"];
/// Actions that run what stands in their parentheses.
const RUNNING: &[&str] = &[
    "execute-silent",
    "execute-multi",
    "execute",
    "become",
    "reload-sync",
    "reload",
    "change-preview",
    "preview",
    "bg-transform",
    "transform",
    "if-query-empty",
    "if-non-matched",
];

/// Judges one of them.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    for name in ["FZF_DEFAULT_OPTS", "FZF_DEFAULT_OPTS_FILE", "SKIM_DEFAULT_OPTIONS"] {
        if facts.variables.variable(name).is_some() {
            return Report::unknown(format!("the text sets `{name}`"));
        }
    }
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let mut effects = vec![];
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        if word.is_many() {
            return Err(format!("which options `{}` holds can't be told before it runs", word.shown()));
        }
        if word.known().is_none() && word.may_begin_with("-") && !word.begins_with("-") {
            effects.push(Effect::UnknownOnGuest(format!("`{}` may turn out to be an option", word.shown())));
            continue;
        }
        let (name, glued) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.clone(), None),
        };
        let Some(name) = name.known() else {
            return Err(format!("what `{}` is can't be told before it runs", word.shown()));
        };
        let mut value =
            || glued.clone().or_else(|| words.next().cloned()).ok_or_else(|| format!("`{name}` has no value"));
        match name {
            "--listen-unsafe" | "--with-shell" | "--tmux-popup" => {
                return Err(format!("what `{name}` lets others run is not known"));
            }
            "--history" => effects.extend(writes(&value()?)),
            "-c" if carry::name(command) == "sk" => effects.push(runs(&value()?)?),
            name if COMMANDS.contains(&name) => effects.push(runs(&value()?)?),
            name if BINDINGS.contains(&name) => bound(&value()?, &mut effects)?,
            // The value of any other option is none that runs.
            _ => {}
        }
    }
    Ok(report(effects))
}

/// What stands for a line is put in quotes.
fn runs(text: &Word) -> Result<Effect, String> {
    let text = text.known().ok_or("what it runs over a line can only be told when it runs")?;
    let mut done = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        done.push_str(before);
        let place = behind.split_once('}').filter(|(inner, _)| {
            inner.len() < 16
                && inner
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-' | ',' | '*' | '_' | ':'))
        });
        match place {
            Some((_, after)) => {
                done.push_str("\"${_not_known}\"");
                rest = after;
            }
            None => {
                done.push('{');
                rest = behind;
            }
        }
    }
    done.push_str(rest);
    Ok(shell(Word::known_as(done), At::Child, Stdin::Nothing))
}

/// `key:action(argument)+action,key:action:argument to the end`.
fn bound(value: &Word, effects: &mut Vec<Effect>) -> Result<(), String> {
    let mut rest = value.known().ok_or("what a key runs can only be told when it runs")?;
    while let Some(at) = next(rest) {
        let action = rest.get(at..).unwrap_or_default();
        let end = action.find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(action.len());
        let behind = action.get(end..).unwrap_or_default();
        let Some(open) = behind.chars().next().filter(|c| !matches!(c, '+' | ',')) else {
            rest = behind;
            continue;
        };
        let inner = behind.get(open.len_utf8()..).unwrap_or_default();
        if open == ':' {
            effects.push(runs(&inner.into())?);
            return Ok(());
        }
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        // It ends where nothing, or the next action or key, stands behind it.
        let ends = |at: &usize| {
            inner.get(at + close.len_utf8()..).is_some_and(|rest| rest.is_empty() || rest.starts_with(['+', ',']))
        };
        let at = inner.match_indices(close).map(|(at, _)| at).find(ends).ok_or("what a key runs has no end")?;
        effects.push(runs(&inner.get(..at).unwrap_or_default().into())?);
        rest = inner.get(at + close.len_utf8()..).unwrap_or_default();
    }
    Ok(())
}

/// Where the next action stands that runs something.
fn next(text: &str) -> Option<usize> {
    let begins = |at: usize| {
        at == 0 || text.get(..at).is_some_and(|before| before.ends_with([':', '+', ',', ')', ']', '}', '>']))
    };
    let starts = RUNNING.iter().flat_map(|name| text.match_indices(name).map(|(at, _)| at).filter(|at| begins(*at)));
    // `preview-up`, `toggle-preview` run nothing; `transform-header` and its like run what they are given.
    let harmless = |at: &usize| {
        let action = text.get(*at..).unwrap_or_default();
        ["preview-", "reload-nothing"].iter().any(|start| action.starts_with(start))
            || !action.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-')
    };
    starts.filter(|at| !harmless(at)).min()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::judge;

    #[test]
    fn what_runs_over_a_line() {
        check(
            judge,
            &[
                ("fzf", "reads"),
                ("fzf -m --height 40% --query foo", "reads"),
                ("fzf --bind=ctrl-a:select-all,ctrl-e:preview-down", "reads"),
                ("fzf --bind ctrl-/:toggle-preview", "reads"),
                ("fzf --listen=6266", "reads"),
                ("fzf --history=h", "writes h"),
                ("fzf --query …", "unknown on a guest"),
                ("fzf --preview 'cat {}'", "sh {cat \"${_not_known}\"} <nothing"),
                ("fzf --preview='awk {print} x'", "sh {awk \"${_not_known}\" x} <nothing"),
                ("fzf --bind 'enter:become(vim {+})'", "sh {vim \"${_not_known}\"} <nothing"),
                (
                    "fzf --bind 'x:execute-silent(ssh {1} reboot)+abort,y:up'",
                    "sh {ssh \"${_not_known}\" reboot} <nothing",
                ),
                ("fzf --bind 'x:execute:ssh web01 reboot'", "sh {ssh web01 reboot} <nothing"),
                ("fzf --bind 'x:up+execute[a (b)],y:reload(c)'", "sh {a (b)} <nothing; sh {c} <nothing"),
                ("fzf --bind 'focus:transform-header:echo {}'", "sh {echo \"${_not_known}\"} <nothing"),
                ("fzf --bind 'start:preview(ls)'", "sh {ls} <nothing"),
                ("sk -c 'rg {}'", "sh {rg \"${_not_known}\"} <nothing"),
                ("fzf -c x", "reads"),
            ],
        );
        check_unknown(
            judge,
            &[
                "fzf $*",
                "fzf --bind …",
                "fzf --preview …",
                "fzf --bin…",
                "fzf --listen-unsafe",
                "fzf --with-shell=x",
                "fzf --bind 'x:execute(a'",
                "fzf --preview",
            ],
        );
    }
}
