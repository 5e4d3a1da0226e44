//! Open questions and their answers: what stopped a call until a human decides, and the one retry that an answer serves.
//!
//! A question lies under the digest of its id, so that nobody who reads the folder can answer it; an answer lies under
//! the digest of the call it is for, and serves whoever takes the file away first. Must not: judge a call, or know who
//! a human is.

use super::{StateDir, StateError, files, hex, is_younger, read_record, thin_out, write_record};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long after it was given an answer serves.
pub const SERVES: Duration = Duration::from_secs(600);

/// How long a question that nobody answers is kept.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// More open questions than this are no use to anybody: the oldest go.
const MOST: usize = 200;

/// No record is longer.
const LONGEST: u64 = 256 * 1024;

/// What binds an answer to one call: each field has to be the same in the retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call<'a> {
    /// The agent host.
    pub host: &'a str,
    /// The agent's session, or the host's name where it sends none.
    pub session: &'a str,
    /// The tool's name as the host writes it, its server included.
    pub tool: &'a str,
    /// The folder in which it runs.
    pub cwd: &'a str,
    /// Its input in canonical form, without fields that have no effect.
    pub input: &'a str,
    /// The bytes of every script that was read to judge it, one after another.
    pub scripts: &'a [Vec<u8>],
}

impl Call<'_> {
    /// The digest under which an answer to it lies.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        let texts = [self.host, self.session, self.tool, self.cwd, self.input];
        for part in texts.iter().map(|text| text.as_bytes()).chain(self.scripts.iter().map(Vec::as_slice)) {
            // The length first: no two lists of parts are then one text.
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        hex(&digest.finalize())
    }
}

/// A question that waits for a human.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// When it was asked.
    pub asked: Timestamp,
    /// The digest of the call it is about.
    pub call: String,
    /// The tool or command, for people.
    pub what: String,
    /// What it would do: its input, cut, secrets taken out.
    pub input: String,
    /// The guests that are known, as they were typed.
    pub guests: Vec<String>,
    /// Why it is unknown.
    pub reason: String,
    /// The folder in which the call runs.
    pub cwd: String,
    /// What `--remember` would write; none if nothing narrow enough can be said.
    pub remember: Option<Remember>,
}

/// An entry for the user's catalog that would answer a question for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remember {
    /// The MCP server; empty for the host's own tools.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// The argument that names the guest, if the catalog knows it.
    pub vm: Option<String>,
    /// The call's arguments that are a text, to find the one that names the guest that a human gives.
    pub texts: Vec<(String, String)>,
}

/// What a human said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// When.
    pub given: Timestamp,
    /// Guarded (with the VMs that the human named, if any) or not.
    pub guard: bool,
    /// The VMs that the human named.
    pub vms: Vec<String>,
}

/// The questions and answers of a state folder.
#[derive(Debug, Clone)]
pub struct Questions {
    questions: PathBuf,
    answers: PathBuf,
}

impl Questions {
    /// Those of this state folder, which is made if need be.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn of(state: &StateDir) -> Result<Self, StateError> {
        Ok(Self { questions: state.folder("questions")?, answers: state.folder("answers")? })
    }

    /// Notes a question under its id. Only the id's digest is kept.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn ask(&self, id: &str, question: &Question) -> Result<(), StateError> {
        self.forget_old(question.asked);
        // A call that is asked about again has one open question, not two that both could be answered.
        self.forget(&question.call)?;
        write_record(&self.questions.join(file(id)), question)
    }

    /// The open question with this id.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn find(&self, id: &str, now: Timestamp) -> Result<Option<Question>, StateError> {
        self.read_question(&self.questions.join(file(id)), now)
    }

    /// All open questions, the oldest first, each with the name under which it lies.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn open(&self, now: Timestamp) -> Result<Vec<(String, Question)>, StateError> {
        let mut open = Vec::new();
        for path in self.all() {
            if let Some(question) = self.read_question(&path, now)? {
                open.push((name_of(&path), question));
            }
        }
        open.sort_by_key(|(_, question)| question.asked);
        Ok(open)
    }

    /// Gives the answer to the question with this id, or to the one that lies under this name. False if it is not open
    /// (any more): of several that answer at once one wins.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn answer(&self, named: Named, question: &Question, answer: &Answer) -> Result<bool, StateError> {
        let path = match named {
            Named::Id(id) => self.questions.join(file(id)),
            Named::File(name) => self.questions.join(name),
        };
        // Who takes the question away is the one that answers it.
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(StateError::io(&path, "answered", &error)),
        }
        self.forget(&question.call)?;
        self.give(&question.call, answer)?;
        Ok(true)
    }

    /// Puts an answer where the call's retry finds it: the first time, or again when the retry could not be guarded.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn give(&self, call: &str, answer: &Answer) -> Result<(), StateError> {
        write_record(&self.answers.join(call), answer)
    }

    /// The questions' files; one that another process is about to put there (its name begins with a dot) is none yet.
    fn all(&self) -> impl Iterator<Item = PathBuf> + use<> {
        files(&self.questions).filter(|path| !name_of(path).starts_with('.'))
    }

    /// Removes the open questions about a call.
    fn forget(&self, call: &str) -> Result<(), StateError> {
        for path in self.all() {
            if read_record::<Question>(&path, LONGEST)?.is_some_and(|question| question.call == call) {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// Takes the answer for this call, if a human gave one in the last ten minutes. Of any number of processes that want
    /// it one gets it, and it serves once.
    ///
    /// # Errors
    /// It is there, but cannot be taken.
    pub fn take(&self, call: &str, now: Timestamp) -> Result<Option<Answer>, StateError> {
        let path = self.answers.join(call);
        // A rename succeeds for one process alone; to read first and delete then would serve two.
        let taken = self.answers.join(format!(".taken-{}-{}", std::process::id(), unique()));
        match fs::rename(&path, &taken) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StateError::io(&path, "taken", &error)),
        }
        let answer = read_record::<Answer>(&taken, LONGEST);
        fs::remove_file(&taken).map_err(|error| StateError::io(&taken, "removed", &error))?;
        Ok(answer?.filter(|answer| is_younger(answer.given, now, SERVES)))
    }

    fn read_question(&self, path: &Path, now: Timestamp) -> Result<Option<Question>, StateError> {
        Ok(read_record::<Question>(path, LONGEST)?.filter(|question| is_younger(question.asked, now, KEPT)))
    }

    /// Removes what is too old to matter.
    fn forget_old(&self, now: Timestamp) {
        for (folder, kept) in [(&self.questions, KEPT), (&self.answers, SERVES)] {
            thin_out(folder, kept, MOST, now);
        }
    }
}

/// How a question is named.
#[derive(Debug, Clone, Copy)]
pub enum Named<'a> {
    /// By its id, as the agent's message has it.
    Id(&'a str),
    /// By the name under which it lies.
    File(&'a str),
}

fn file(id: &str) -> String {
    hex(&Sha256::digest(id.as_bytes()))
}

fn unique() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn question(call: &str, asked: Timestamp) -> Question {
        Question {
            asked,
            call: call.into(),
            what: "x".into(),
            input: String::new(),
            guests: vec!["web01".into()],
            reason: "r".into(),
            cwd: "/".into(),
            remember: None,
        }
    }

    fn answer(given: Timestamp) -> Answer {
        Answer { given, guard: true, vms: vec![] }
    }

    fn questions() -> (tempfile::TempDir, Questions) {
        let folder = tempfile::tempdir().unwrap();
        let state = StateDir::at(folder.path().join("state"));
        let questions = Questions::of(&state).unwrap();
        (folder, questions)
    }

    #[test]
    fn an_answer_serves_its_call_once() {
        let (_folder, questions) = questions();
        let asked = question("c1", at(0));
        questions.ask("zgq-1", &asked).unwrap();
        assert_eq!(questions.find("zgq-2", at(1)).unwrap(), None);
        assert_eq!(questions.find("zgq-1", at(1)).unwrap().as_ref(), Some(&asked));
        assert!(questions.answer(Named::Id("zgq-1"), &asked, &answer(at(5))).unwrap());
        assert!(!questions.answer(Named::Id("zgq-1"), &asked, &answer(at(5))).unwrap(), "it is answered");
        assert_eq!(questions.take("c2", at(6)).unwrap(), None);
        assert_eq!(questions.take("c1", at(6)).unwrap(), Some(answer(at(5))));
        assert_eq!(questions.take("c1", at(6)).unwrap(), None);
    }

    #[test]
    fn an_answer_serves_ten_minutes_and_no_clock_makes_it_serve_longer() {
        for (now, served) in [(5, true), (600, true), (605, true), (606, false), (86_400, false), (-60, false)] {
            let (_folder, questions) = questions();
            let asked = question("c", at(0));
            questions.ask("i", &asked).unwrap();
            questions.answer(Named::Id("i"), &asked, &answer(at(5))).unwrap();
            assert_eq!(questions.take("c", at(now)).unwrap().is_some(), served, "{now}");
        }
    }

    #[test]
    fn only_the_ids_digest_is_kept_and_names_are_no_ids() {
        let (folder, questions) = questions();
        questions.ask("zgq-secretsecret1", &question("c", at(0))).unwrap();
        let listed = questions.open(at(1)).unwrap();
        let [(name, _)] = listed.as_slice() else { panic!() };
        assert!(!name.contains("zgq-"));
        let mut texts = String::new();
        for path in files(&folder.path().join("state/questions")) {
            texts.push_str(&fs::read_to_string(path).unwrap());
        }
        assert!(!texts.contains("secretsecret1"), "{texts}");
        assert_eq!(questions.find(name, at(1)).unwrap(), None, "the name is no id");
    }

    #[test]
    fn old_and_surplus_questions_are_forgotten() {
        let (_folder, questions) = questions();
        questions.ask("old", &question("c", at(0))).unwrap();
        assert!(questions.open(at(90_000)).unwrap().is_empty());
        let now = Timestamp::now();
        for n in 0..MOST + 20 {
            questions.ask(&format!("id{n}"), &question(&format!("c{n}"), now)).unwrap();
        }
        assert!(files(&questions.questions).count() <= MOST);
        assert!(questions.find(&format!("id{}", MOST + 19), now).unwrap().is_some());
    }

    #[test]
    fn a_call_has_one_open_question() {
        let (_folder, questions) = questions();
        questions.ask("first", &question("c", at(0))).unwrap();
        let asked = question("c", at(1));
        questions.ask("second", &asked).unwrap();
        assert_eq!(questions.find("first", at(2)).unwrap(), None);
        assert!(questions.answer(Named::Id("second"), &asked, &answer(at(2))).unwrap());
        assert!(questions.open(at(3)).unwrap().is_empty());
    }

    #[test]
    fn what_was_tampered_with_is_no_answer() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, questions) = questions();
        let path = questions.answers.join("c");
        for (text, mode) in [("garbage", 0o600), (r#"{"given":"2027-01-15T08:00:05Z","guard":false,"vms":[]}"#, 0o644)]
        {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(questions.take("c", at(6)).unwrap(), None, "{text}");
        }
    }

    #[test]
    fn each_field_binds() {
        let base = Call { host: "h", session: "s", tool: "t", cwd: "/", input: "{}", scripts: &[] };
        let script = [b"x".to_vec()];
        let others = [
            Call { host: "g", ..base },
            Call { session: "r", ..base },
            Call { tool: "u", ..base },
            Call { cwd: "/a", ..base },
            Call { input: "[]", ..base },
            Call { scripts: &script, ..base },
            Call { host: "hs", session: "", ..base },
        ];
        for other in others {
            assert_ne!(base.digest(), other.digest(), "{other:?}");
        }
    }

    #[test]
    fn of_a_hundred_that_race_one_gets_it() {
        let (_folder, questions) = questions();
        let asked = question("c", at(0));
        questions.ask("i", &asked).unwrap();
        questions.answer(Named::Id("i"), &asked, &answer(at(0))).unwrap();
        let winners = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..100 {
                scope.spawn(|| {
                    if questions.take("c", at(1)).unwrap().is_some() {
                        winners.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(winners.into_inner(), 1);
    }
}
