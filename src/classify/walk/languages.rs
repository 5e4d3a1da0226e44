//! Follows texts of other languages than that of shells: their rooms say what each command does, and what that means is said
//! where it is for shells.

use super::finding::{Why, written_out};
use super::projects::names_descriptions;
use super::{DEEPEST, Shell, Walk};
use crate::classify::effect::{Code, Command, Effect, Language, Report, Stdin};
use crate::classify::word::Word;
use crate::classify::{code, powershell, windows};

/// Whether a language is that of an interpreter, whose programs are judged as a whole.
fn is_interpreters(language: Language) -> bool {
    !matches!(language, Language::PowerShell | Language::Cmd)
}

impl Walk<'_> {
    /// Follows code, wherever it is from.
    pub(super) fn other(&mut self, language: Language, code: Code, stdin: Stdin, text: &str, shell: &mut Shell) {
        // Nothing comes to it from elsewhere that may name files.
        let alone = code == Code::Stdin || matches!(stdin, Stdin::Inherited | Stdin::Nothing);
        let code = match (code, stdin) {
            (Code::Stdin, Stdin::Inherited | Stdin::Nothing) => return self.quiet(text, shell),
            (Code::Stdin, Stdin::Text(word)) => Code::Text(word),
            (Code::Stdin, Stdin::File(path)) => Code::File(path),
            (Code::Stdin, Stdin::Unknown) => {
                return self.doubt(text, "what it reads on stdin, and runs, is not known", shell);
            }
            (code, _) => code,
        };
        match code {
            Code::Text(word) => match word.known() {
                Some(inner) if is_interpreters(language) => {
                    self.program_text(language, inner, None, (text, alone), shell)
                }
                Some(inner) => self.text_in(language, inner, shell),
                None => {
                    let why = "what that says is only known when it runs";
                    self.doubt(text, Why::new(why, written_out(std::slice::from_ref(&word))), shell);
                }
            },
            Code::File(path) => match self.script_file(&path, shell) {
                Ok(inner) if is_interpreters(language) => {
                    self.program_text(language, &inner, Some(&path), (text, alone), shell)
                }
                Ok(inner) => self.text_in(language, &inner, shell),
                Err(why) => self.doubt(text, why, shell),
            },
            Code::Stdin => {}
        }
    }

    /// Follows a text in a language.
    pub(in crate::classify) fn text_in(&mut self, language: Language, text: &str, shell: &mut Shell) {
        if is_interpreters(language) {
            return self.program_text(language, text, None, (text, false), shell);
        }
        if self.texts >= DEEPEST {
            return self.doubt(text, "it is a text within more texts than are followed", shell);
        }
        self.spend(text.len().saturating_mul(8));
        if self.bytes == 0 {
            return self.doubt(text, "it holds more texts than are followed", shell);
        }
        let found = self.looking(shell, |_, facts| match language {
            Language::PowerShell => powershell::judge(text, facts),
            _ => windows::cmd::judge(text, facts),
        });
        let found = match found {
            Ok(found) => found,
            Err(why) => return self.doubt(text, &why, shell),
        };
        self.texts += 1;
        let before = self.parts.len();
        for (line, report) in found {
            if !self.count(&line) {
                break;
            }
            self.line(report, &line, shell);
        }
        if self.parts.len() == before {
            self.quiet(text, shell);
        }
        self.texts -= 1;
    }

    /// Judges a program's text as a whole: what it does is said of the command that runs it, which may be `alone` in what it
    /// gives it.
    fn program_text(
        &mut self,
        language: Language,
        inner: &str,
        path: Option<&Word>,
        (text, alone): (&str, bool),
        shell: &mut Shell,
    ) {
        let language_shown = code::shown(language);
        if !shell.place.is_own() || self.places.this_vm.is_some() {
            let why =
                format!("it is a program in {language_shown}, and what such a one changes on a guest is not told");
            return self.doubt(text, &why, shell);
        }
        self.spend(inner.len().saturating_mul(2));
        if self.bytes == 0 {
            return self.doubt(text, "it holds more texts than are followed", shell);
        }
        let file = path.and_then(Word::known).and_then(|path| self.absolute(path, shell));
        let file = file.map(|file| self.around.real_path(&file));
        let folder = match &file {
            Some(file) => file.rsplit_once('/').map(|(folder, _)| folder.to_owned()),
            None => shell.env.cwd.as_deref().map(str::to_owned),
        };
        let source = code::Source { file: file.as_deref(), folder: folder.as_deref() };
        let mut found = self.looking(shell, |_, facts| code::judge(language, inner, source, facts));
        if language == Language::Python
            && let Some(written) = self.touched.iter().find(|touched| code::takes_a_modules_place(&touched.path))
        {
            found = Err(format!("the same text may change {}, by whose name Python has a module", written.path));
        }
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                let command = Command { words: vec![Word::known_as(language_shown)], stdin: Stdin::Nothing };
                return self.report(Report::unknown(why), &command, text, shell);
            }
        };
        if !found.writes {
            return self.quiet_program(text, shell);
        }
        // What it writes may stand in its strings, or be put together: no path is the only one.
        let home = self.home.clone().unwrap_or_default();
        let path = |path: &String| match path.strip_prefix("~/") {
            Some(rest) => Word::known_as(format!("{home}/{rest}")),
            None => Word::known_as(path.as_str()),
        };
        let mut words = vec![Word::known_as(language_shown)];
        words.extend(found.paths.iter().map(path));
        // `Path.home() / '.config'`
        let hidden = found
            .paths
            .iter()
            .filter(|path| path.starts_with('.') && !path.starts_with("./") && !path.starts_with(".."));
        words.extend(hidden.map(|path| Word::known_as(format!("{home}/{path}"))));
        let given = text.replacen(inner, "", 1);
        let given = given.split("<<").next().unwrap_or_default();
        let bounded = alone && self.keeps_off_disks(inner, given);
        if bounded {
            words.extend(given.split_whitespace().skip(1).map(|word| Word::known_as(word.trim_matches(['\'', '"']))));
        }
        words.push(Word::unknown());
        let before = self.touched.len();
        let how = format!("runs a program in {language_shown} that may write files");
        let outer = std::mem::replace(&mut self.reached.bounded, bounded);
        self.report(Report::of(Effect::Works(how)), &Command { words, stdin: Stdin::Nothing }, text, shell);
        if names_descriptions(inner) || names_descriptions(text) {
            self.files.rewritten_by(language_shown);
        }
        self.reached.bounded = outer;
        if found.uproots {
            self.touched.iter_mut().skip(before).for_each(|touched| touched.whole = true);
        }
    }

    /// Whether neither a program nor what it is given names a part of a path to a guest's disk, or takes one from where it
    /// can't be seen.
    fn keeps_off_disks(&mut self, program: &str, given: &str) -> bool {
        let hidden = ["environ", "getenv", "ENV", "process.env", "_SERVER"];
        if given.contains(['$', '`', '*', '?', '[', '{', '<', '…']) || hidden.iter().any(|name| program.contains(name))
        {
            return false;
        }
        let disks = self.disks(&[]);
        !disks.names(self.places).any(|name| program.contains(name))
    }

    fn line(&mut self, report: Report, line: &str, shell: &mut Shell) {
        let mut words: Vec<Word> = line.split_whitespace().take(1).map(Word::known_as).collect();
        if report.effects.iter().any(|effect| matches!(effect, Effect::Changes(_) | Effect::Unknown(_))) {
            // What stands in the line may be a file that it changes.
            words.extend(
                line.split_whitespace()
                    .skip(1)
                    .map(|word| Word::known_as(word.trim_matches(['\'', '"']).replace('\\', "/"))),
            );
        }
        // What it sets holds for what comes behind it, too.
        let mut report = report;
        report.effects.retain(|effect| match effect {
            Effect::Sets { name, value } if name == powershell::FOLDER => {
                shell.env.cwd = value.known().filter(|_| shell.place.has_own_files()).map(Into::into);
                false
            }
            Effect::Sets { name, value } => {
                shell.env.set(name, value.clone());
                shell.env.export(name);
                true
            }
            _ => true,
        });
        self.report(report, &Command { words, stdin: Stdin::Nothing }, line, shell);
    }
}
