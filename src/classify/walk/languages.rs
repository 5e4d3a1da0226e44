//! Follows texts of other languages than that of shells: their rooms say what each command does, and what that means is said
//! where it is for shells.

use super::watched::Watched;
use super::{DEEPEST, Shell, Walk};
use crate::classify::effect::{Code, Command, Effect, Facts, Language, Report, Stdin};
use crate::classify::word::Word;
use crate::classify::{powershell, windows};

impl Walk<'_> {
    /// Follows code, wherever it is from.
    pub(super) fn other(&mut self, language: Language, code: Code, stdin: Stdin, text: &str, shell: &mut Shell) {
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
                Some(inner) => self.text_in(language, inner, shell),
                None => {
                    let why = format!("what `{}` runs is only known when it runs", word.shown());
                    self.doubt(text, &why, shell);
                }
            },
            Code::File(path) => match self.script_file(&path, shell) {
                Ok(inner) => self.text_in(language, &inner, shell),
                Err(why) => self.doubt(text, &why, shell),
            },
            Code::Stdin => {}
        }
    }

    /// Follows a text in a language.
    pub(in crate::classify) fn text_in(&mut self, language: Language, text: &str, shell: &mut Shell) {
        if self.texts >= DEEPEST {
            return self.doubt(text, "it is a text within more texts than are followed", shell);
        }
        self.spend(text.len().saturating_mul(8));
        if self.bytes == 0 {
            return self.doubt(text, "it holds more texts than are followed", shell);
        }
        let watched = Watched {
            around: self.around,
            files: &self.files,
            touched: &self.touched,
            read: std::cell::RefCell::default(),
            projects: std::cell::RefCell::default(),
        };
        let facts = Facts {
            around: &watched,
            home: self.home.as_deref(),
            cwd: shell.env.cwd.as_deref(),
            own: shell.place.has_own_files(),
            variables: &shell.env,
        };
        let found = match language {
            Language::PowerShell => powershell::judge(text, &facts),
            Language::Cmd => windows::cmd::judge(text, &facts),
        };
        let (read, projects) = (watched.read.into_inner(), watched.projects.into_inner());
        self.files.read_projects(projects);
        for bytes in read {
            self.spend(bytes.len());
            if !self.scripts.contains(&bytes) {
                self.scripts.push(bytes);
            }
        }
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
