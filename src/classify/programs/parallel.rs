//! GNU `parallel`: a command for each of its arguments, here or on other machines. Pure.

use super::carry::{only_tells, report, shell, shell_on_stdin, words, writes};
use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::word::Word;

const PARALLEL: Spec = Spec {
    flags: "0hkmoqrtuvVxX",
    values: "aCdjnNPsSL",
    glued: "el",
    long_flags: &[
        "null",
        "bar",
        "color",
        "color-failed",
        "dry-run",
        "dryrun",
        "eta",
        "group",
        "halt-soft",
        "keep-order",
        "line-buffer",
        "lb",
        "link",
        "xapply",
        "no-notice",
        "no-run-if-empty",
        "nonall",
        "onall",
        "plus",
        "progress",
        "quote",
        "retry-failed",
        "shuf",
        "silent",
        "tag",
        "ungroup",
        "verbose",
        "will-cite",
        "exit",
        "xargs",
        "help",
        "version",
    ],
    long_values: &[
        "arg-file",
        "colsep",
        "delay",
        "delimiter",
        "halt",
        "halt-on-error",
        "jobs",
        "joblog",
        "jl",
        "load",
        "max-args",
        "max-chars",
        "max-procs",
        "max-replace-args",
        "memfree",
        "nice",
        "results",
        "res",
        "retries",
        "ssh-delay",
        "sshdelay",
        "sshlogin",
        "sshloginfile",
        "slf",
        "tagstring",
        "timeout",
    ],
    ..Spec::CARRIER
};

/// How many runs are told apart.
const RUNS: usize = 64;

/// Judges `parallel`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &PARALLEL)?;
    if only_tells(&parsed) || parsed.has(&["h", "V", "dry-run", "dryrun"]) {
        return Ok(Report::reads());
    }
    // Another program of this name takes its arguments behind `--`.
    if parsed.operands.iter().any(|word| word.known() == Some("--")) {
        return Err("which program `parallel` is can't be told".into());
    }
    if let Some(tag) = parsed.values(&["tagstring"]).find(|tag| tag.known().is_none_or(|tag| tag.contains("{="))) {
        return Err(format!("its tag `{}` may run code", tag.shown()));
    }
    let end = parsed.operands.iter().position(is_source).unwrap_or(parsed.operands.len());
    let (template, sources) = parsed.operands.split_at(end);
    if template.iter().any(|word| word.stretches().any(|text| text.contains("{=") || text.contains("{+"))) {
        return Err("its replacement strings may run code".into());
    }
    let at = hosts(&parsed).map_or(At::Child, At::Hosts);
    let plain_lines = !parsed.has(&["a", "arg-file", "0", "null", "d", "delimiter"]);
    if template.is_empty() && sources.is_empty() && plain_lines {
        // Each line is a command.
        return Ok(report([shell_on_stdin(at, command.stdin.clone())]));
    }
    let values = match &command.stdin {
        Stdin::Text(text) if sources.is_empty() && plain_lines => {
            text.known().map(|text| text.lines().map(Word::from).collect())
        }
        _ if plain_lines => values(sources),
        _ => None,
    };
    let mut effects: Vec<Effect> = parsed.values(&["joblog", "jl", "results", "res"]).filter_map(writes).collect();
    if parsed.has(&["nonall"]) || (parsed.has(&["onall"]) && sources.is_empty()) {
        // The command as it is, once on each machine.
        effects.push(shell(Word::joined(template), at, Stdin::Nothing));
        return Ok(report(effects));
    }
    let unknown = [Word::unknown()];
    let values = values.as_deref().filter(|values| values.len() <= RUNS).unwrap_or(&unknown);
    // With -m and -X a command gets many of them at a time, in any grouping.
    let values = if parsed.has(&["m", "X", "xargs", "n", "N", "max-args", "max-replace-args", "C", "colsep", "L", "l"])
    {
        &unknown
    } else {
        values
    };
    effects.extend(values.iter().map(|value| filled(template, value, parsed.has(&["q", "quote"]), at.clone())));
    Ok(report(effects))
}

fn is_source(word: &Word) -> bool {
    matches!(word.known(), Some(":::" | "::::" | ":::+" | "::::+"))
}

/// The arguments behind one `:::`, if that is all there is.
fn values(sources: &[Word]) -> Option<Vec<Word>> {
    let (first, values) = sources.split_first()?;
    let plain = first.known() == Some(":::") && values.iter().all(|word| word.known().is_some() && !is_source(word));
    plain.then(|| values.to_vec())
}

/// The machines on which it runs, if they are others.
fn hosts(parsed: &Parsed) -> Option<Vec<Host>> {
    let mut hosts = vec![];
    if parsed.has(&["sshloginfile", "slf"]) {
        hosts.push(Host::Unknown("they stand in a file of `parallel`".into()));
    }
    for value in parsed.values(&["S", "sshlogin"]) {
        let Some(text) = value.known() else {
            hosts.push(Host::Unknown("they can't be told before it runs".into()));
            continue;
        };
        for login in text.split([',', '\n']) {
            let login = login.trim();
            // `8/host`: at most 8 at a time.
            let login = match login.split_once('/') {
                Some((cpus, login)) if cpus.bytes().all(|b| b.is_ascii_digit()) => login,
                _ => login,
            };
            let name = login.rsplit('@').next().unwrap_or_default();
            let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
            hosts.push(match name {
                ":" => Host::Same,
                name if plain && !name.is_empty() && !name.starts_with('-') => Host::named(name),
                name => Host::Unknown(format!("`{name}` is more than a name")),
            });
        }
    }
    (!hosts.is_empty()).then_some(hosts)
}

/// One run: the words joined to a text for a shell, the value (which it quotes) in its places.
fn filled(template: &[Word], value: &Word, quoted: bool, at: At) -> Effect {
    // Without a command the arguments are commands.
    if template.is_empty() {
        return shell(value.clone(), at, Stdin::Nothing);
    }
    let replaces = |word: &Word| word.stretches().any(|text| text.contains('{') && text.contains('}'));
    let mut all: Vec<Word> =
        template.iter().map(|word| if replaces(word) { fill(word, value) } else { word.clone() }).collect();
    if !template.iter().any(replaces) {
        all.push(value.clone());
    }
    // Words without anything that means something to the shell stay as they are, and so may hold what is not known.
    let plain = |word: &Word| {
        !word.is_many()
            && word.stretches().all(|text| {
                text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_./:@%+=,-{}".contains(&b))
                    && !text.starts_with('{')
            })
    };
    let known_value = value.known().is_none_or(|_| plain(value));
    let safe = template.iter().all(|word| word.known().is_some() && plain_template(word));
    if (quoted || (safe && known_value && all.iter().all(plain)))
        && let Some(run) = words(&all, at.clone(), Stdin::Nothing)
    {
        return run;
    }
    if value.known().is_some_and(|_| !plain(value)) {
        return shell(
            Word::joined(&template.iter().map(|word| fill(word, &Word::unknown())).collect::<Vec<_>>()),
            at,
            Stdin::Nothing,
        );
    }
    shell(Word::joined(&all), at, Stdin::Nothing)
}

/// Whether a word of the template means nothing to a shell but itself.
fn plain_template(word: &Word) -> bool {
    word.known().is_some_and(|text| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_./:@%+=,-{}#".contains(&b)))
}

/// The word with every replacement string replaced: the value for `{}`, something of it for the others.
fn fill(word: &Word, value: &Word) -> Word {
    word.rewritten(|stretch, done| {
        let mut rest = stretch;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((inner, behind)) = after.split_once('}') else { break };
            done.push_text(before);
            if inner.is_empty() {
                done.push_word(value);
            } else {
                done.push_hole();
            }
            rest = behind;
        }
        done.push_text(rest);
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn a_command_for_each() {
        check(
            judge,
            &[
                ("parallel rm ::: a b", "[rm|a] <nothing; [rm|b] <nothing"),
                ("parallel ssh {} reboot ::: web01", "[ssh|web01|reboot] <nothing"),
                ("parallel -j 4 rm -f x/{.}", "[rm|-f|x/…] <nothing"),
                ("parallel 'rm {}; ls' ::: a", "sh {rm a; ls} <nothing"),
                ("parallel 'rm {}' ::: 'a;b'", "sh {rm …} <nothing"),
                ("parallel ::: 'rm x' ls", "sh {rm x} <nothing; sh {ls} <nothing"),
                ("parallel", "stdin"),
                ("parallel <<< rm x", "stdin <<< rm x"),
                ("parallel rm <<< x", "[rm|x] <nothing"),
                ("parallel -0 <<< rm x", "sh {…} <nothing"),
                ("parallel -a list rm", "[rm|…] <nothing"),
                ("parallel -q rm 'a b' {}", "[rm|a b|…] <nothing"),
                ("parallel -S u@web01,8/web02,: reboot", "[reboot|…] at web01,web02,same <nothing"),
                ("parallel --sshlogin 'ssh -p 22 web01' ls", "[ls|…] at ? <nothing"),
                ("parallel --slf hosts --nonall reboot -f", "sh {reboot -f} at ? <nothing"),
                ("parallel --joblog /var/log/x ls ::: a", "writes /var/log/x; [ls|a] <nothing"),
                ("parallel --dry-run rm ::: a", "reads"),
                ("parallel -X rm ::: a b", "[rm|…] <nothing"),
            ],
        );
    }

    #[test]
    fn what_may_run_more_is_unknown() {
        check_unknown(
            judge,
            &[
                "parallel --rpl '{x} s/x/y/e' ls {x}",
                "parallel ls '{= system(1) =}'",
                "parallel --pipe ls",
                "parallel --limit reboot ls",
                "parallel -i rm {} -- a",
                "parallel --tagstring '{= system(1) =}' ls ::: a",
                "parallel --profile x ls",
                "parallel $* ls",
            ],
        );
    }
}
