//! `scp` and its like: which machine is read, and which one is written. Pure.

use super::copied::{self, File};
use super::host::{self, Place};
use super::options::Spec;
use super::ssh_settings::{Setting, Settings};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

/// `-d`, `-f` and `-t` are for the far side.
const SPEC: Spec = Spec {
    flags: "346ABCOpqRrsTvdft",
    values: "cDFiJloPSX",
    glued: "",
    long_flags: &[],
    long_values: &[],
    stops: false,
    single_dash: false,
};

/// Judges a command of `scp`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let (parsed, doubt) = match copied::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return unclear(command, why),
    };
    // The far side of a copy: it sends files, or takes them.
    if parsed.has(&["t"]) {
        let written = parsed.operands.into_iter().map(Effect::Writes);
        return Report { effects: written.chain(doubt).collect(), by: None };
    }
    if parsed.has(&["f"]) {
        return Report { effects: doubt.into_iter().collect(), by: None };
    }
    // What scp itself tells ssh, before anything of the user's.
    let mut settings = without_commands();
    let mut effects: Vec<Effect> = doubt.into_iter().collect();
    let mut program: Option<&Word> = None;
    for (name, value) in &parsed.options {
        let taken = match (name.as_str(), value) {
            ("S", Some(value)) => {
                program = Some(value);
                Ok(())
            }
            ("D", Some(value)) => {
                effects.push(copied::child(vec![value.clone()]));
                Ok(())
            }
            ("P", Some(value)) => settings.letter("p", Some(value)),
            ("o" | "F" | "J", Some(value)) => settings.letter(name, Some(value)),
            _ => Ok(()),
        };
        if let Err(why) = taken {
            return unclear(command, why);
        }
    }
    let program = program.filter(|program| !copied::is_ssh(program)).cloned();
    let mut reach = |place: &Place, effects: &mut Vec<Effect>| {
        let host = copied::reach(place, &settings, facts, effects);
        match &program {
            None => host,
            Some(program) => {
                copied::reach_by(std::slice::from_ref(program), place, &[Word::unknown_many()], facts, effects)
            }
        }
    };
    copy(&parsed.operands, parsed.has(&["R"]), &mut reach, &mut effects);
    Report { effects, by: None }
}

/// What copying programs tell ssh before anything of the user's: to run nothing but their own far side.
#[must_use]
pub fn without_commands() -> Settings {
    let mut settings = Settings::default();
    settings.set("permitlocalcommand", Setting::Is("no".into()));
    settings.set("remotecommand", Setting::Is("none".into()));
    settings
}

/// A copy that can't be read: of the machine that stands last, if one does.
pub fn unclear(command: &Command, why: String) -> Report {
    match command.arguments().last().map(named_file) {
        Some(File::Remote { place, .. }) => Report::of(Effect::UnknownAt { hosts: vec![host::host(&place.host)], why }),
        _ => Report::unknown(why),
    }
}

/// A file with the machine before its path, or as `scp://machine/path`.
fn named_file(word: &Word) -> File {
    match host::url(word, "scp").or_else(|| host::url(word, "sftp")) {
        Some((place, path)) => File::Remote { place, path: path.unwrap_or_default() },
        None => copied::file(word, false),
    }
}

/// A copy of all operands but the last to the last; `through` says that the first machine does the copying itself.
pub fn copy(
    operands: &[Word],
    through: bool,
    reach: &mut dyn FnMut(&Place, &mut Vec<Effect>) -> Host,
    effects: &mut Vec<Effect>,
) {
    let Some((target, sources)) = operands.split_last().filter(|(_, sources)| !sources.is_empty()) else {
        effects.push(Effect::Unknown("it names nothing to copy, or nowhere to copy to".to_owned()));
        return;
    };
    if let Some(word) = operands.iter().find(|word| word.is_many() && word.beginning().is_empty()) {
        effects.push(Effect::Unknown(format!("what `{}` names is only known when it runs", word.shown())));
    }
    let target = named_file(target);
    for source in sources {
        match named_file(source) {
            File::Local(_) => {}
            // A file that is read, wherever it lies.
            File::Unclear(word) => {
                if copied::is_shell_text(&word) {
                    effects.push(Effect::Unknown(format!("what `{}` names can't be told", word.shown())));
                }
            }
            File::Remote { place, path } => {
                let host = reach(&place, effects);
                let text = match &target {
                    File::Remote { place: to, path: to_path } if through => {
                        // The first machine runs a copy of its own to the second one, as that sees it.
                        let to = to
                            .user
                            .iter()
                            .flat_map(|user| [user.clone(), "@".into()])
                            .chain([to.host.clone(), ":".into()]);
                        let mut word = Word::default();
                        to.chain([to_path.clone()]).for_each(|part| word.push_word(&part));
                        Some(Word::joined(&["scp".into(), path.clone(), word]))
                    }
                    // The older protocol gives the path to the shell there.
                    _ => copied::is_shell_text(&path).then(|| Word::joined(&["scp".into(), "-f".into(), path.clone()])),
                };
                copied::add(effects, text.map(|text| copied::shell_there(text, vec![host])));
            }
        }
    }
    match target {
        File::Local(path) => effects.push(Effect::Writes(path)),
        File::Unclear(word) => {
            effects.push(Effect::Unknown(format!("which machine `{}` is on can't be told", word.shown())));
        }
        File::Remote { place, path } => {
            let host = reach(&place, effects);
            if copied::is_shell_text(&path) {
                let text = Word::joined(&["scp".into(), "-t".into(), path]);
                copied::add(effects, [copied::shell_there(text, vec![host.clone()])]);
            }
            effects.push(Effect::ChangesAt { hosts: vec![host], how: "copies files to it".to_owned() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::check;

    #[test]
    fn directions() {
        check(
            judge,
            &[
                ("scp a.conf web01:/etc/", "changes@web01"),
                ("scp -r -P 2222 -i k a b root@web01:", "changes@web01"),
                ("scp web01:/var/log/x .", "writes ."),
                ("scp web01:/x db01:/y /tmp/", "writes /tmp/"),
                ("scp -3 web01:/x db01:/y", "changes@db01"),
                ("scp -R web01:/x root@db01:/y", "web01[scp /x root@db01:/y] <nothing; changes@db01"),
                ("scp ./a:b /tmp/c:d", "writes /tmp/c:d"),
                ("scp scp://root@web01:2222//etc/x scp://db01/y", "changes@db01"),
                ("scp x [fe80::1]:/y", "changes@fe80::1"),
                ("scp x localhost:/y", "changes@same"),
                ("scp -P 2222 x localhost:/y", "changes@?"),
                ("scp -o HostName=prod x test:/y", "changes@test=prod"),
                ("scp x web01", "writes web01"),
                ("scp x", "unknown"),
                ("scp -- x web01:", "changes@web01"),
                ("scp x web01: -r", "changes@web01"),
            ],
        );
    }

    #[test]
    fn what_is_not_known() {
        check(
            judge,
            &[
                ("scp ./… web01:/x", "changes@web01"),
                ("scp …* web01:/x", "unknown; changes@web01"),
                ("scp … web01:/x", "unknown; changes@web01"),
                ("scp x root@…:/y", "changes@?"),
                ("scp x web01:…", "changes@web01"),
                ("scp x a…", "unknown"),
                ("scp x …", "unknown; writes ./…"),
                ("scp -…x web01:/y", "unknown@web01"),
                ("scp -f …", "unknown"),
                ("scp web01:… .", "writes ."),
                ("scp -Z x web01:/y", "unknown@web01"),
                ("scp -o NoSuch=1 x web01:/y", "unknown@web01"),
            ],
        );
    }

    #[test]
    fn what_else_runs() {
        check(
            judge,
            &[
                ("scp -O web01:'$(reboot)' .", "web01[scp -f $(reboot)] <nothing; writes ."),
                ("scp 'web01:x;reboot' .", "web01[scp -f x;reboot] <nothing; writes ."),
                ("scp web01:/var/log/x? .", "writes ."),
                ("scp x 'web01:`reboot`'", "web01[scp -t `reboot`] <nothing; changes@web01"),
                ("scp -S /tmp/evil x web01:/y", "local[words:/tmp/evil|web01|…] <?; changes@?"),
                ("scp -S /usr/bin/ssh x web01:/y", "changes@web01"),
                ("scp -D /tmp/evil x web01:/y", "local[words:/tmp/evil] <?; changes@web01"),
                ("scp -o ProxyCommand=evil web01:/x .", "local[evil] <nothing; writes ."),
                ("scp -oProxyCommand='ssh -W %h:%p b' x web01:/y", "changes@web01"),
                ("scp -o PermitLocalCommand=yes -o LocalCommand=evil x web01:/y", "changes@web01"),
                ("scp -t /etc/x", "writes /etc/x"),
                ("scp -f /etc/x", "reads"),
            ],
        );
    }
}
