//! Any bytes are what a file of the state folder holds: nothing of it makes a token, a pause, an answer or an open session that
//! this moment does not allow, and a broken line of the log hides no other.

use super::ground::{first, folder, text, within};
use jiff::{SignedDuration, Timestamp};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;
use zerto_guard::audit;
use zerto_guard::state::pause::{self, Pause};
use zerto_guard::state::questions::Questions;
use zerto_guard::state::tokens::{TokenCache, is_token};
use zerto_guard::state::{StateDir, counts, file_name, installed};

/// Runs one input: a byte for the file, then its bytes.
pub fn run(bytes: &[u8]) {
    static STATE: OnceLock<StateDir> = OnceLock::new();
    let state = STATE.get_or_init(|| StateDir::at(folder().join("state")));
    let (which, bytes) = first(bytes);
    within(5, || any(state, which % 6, bytes));
}

fn put(path: &Path, bytes: &[u8]) {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path.parent().unwrap()).unwrap();
    let file = std::fs::File::options().write(true).create(true).truncate(true).mode(0o600).open(path);
    file.unwrap().write_all(bytes).unwrap();
}

fn any(state: &StateDir, which: u8, bytes: &[u8]) {
    let now: Timestamp = "2026-09-21T15:04:05Z".parse().unwrap();
    let at = |name: &str| state.path().join(name);
    match which {
        0 => {
            put(&at("tokens").join(format!("{}.json", file_name("login"))), bytes);
            if let Some(token) = TokenCache::new(state, "login").load(now).unwrap() {
                assert!(is_token(token.secret.expose()) && token.is_usable(now));
                assert!(token.issued <= now && now < token.expires);
            }
        }
        1 => {
            put(&at("tokens").join(format!("{}.refused", file_name("login"))), bytes);
            let _ = TokenCache::new(state, "login").refused_ago(now).unwrap();
        }
        2 => {
            put(&at("pause.json"), bytes);
            if let Some(pause) = Pause::current(state, now).unwrap() {
                assert!(pause.from <= now && now < pause.until);
                assert!(pause.until.duration_since(pause.from) <= SignedDuration::try_from(pause::LONGEST).unwrap());
            }
        }
        3 => {
            let questions = Questions::of(state).unwrap();
            put(&at("questions").join("0".repeat(64)), bytes);
            put(&at("answers").join("call"), bytes);
            let second = SignedDuration::from_secs(1);
            for (_, question) in questions.open(now).unwrap() {
                assert!(question.asked <= now + second);
            }
            if let Some(answer) = questions.take("call", now).unwrap() {
                let age = now.duration_since(answer.given);
                assert!(age >= -second && age <= SignedDuration::from_mins(10), "{answer:?}");
            }
            assert!(questions.take("call", now).unwrap().is_none(), "it serves twice");
        }
        4 => {
            put(&at("audit.jsonl"), bytes);
            let read = audit::read(state).unwrap();
            let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
            assert_eq!(read.lines.len() + read.odd, lines, "a line is hidden");
            let stories = audit::stories(read.lines);
            let _ = audit::fates(&stories);
            let _ = audit::summary(&stories);
        }
        _ => {
            put(&at("installed").join("x"), bytes);
            // The record is not under the name that belongs to it, so that it has to be noticed.
            assert!(installed::files(state).is_err());
            put(&at("read_only").join(text(&bytes[..bytes.len().min(40)]).lines().next().unwrap_or_default().replace(['/', '\0'], "_") + "x"), bytes);
            let _ = counts::counted(state);
            let _ = std::fs::remove_dir_all(at("read_only"));
        }
    }
}
