//! On which guest a session is open that an MCP server's answer called by an id, for the later calls that carry it.
//!
//! A note lies under the digest of the agent's session, the server and the id, so that nobody who reads the folder learns
//! an id, and no other session of an agent finds it. An id that was answered for different guests stands for none of them, nor
//! does one that was noted before a session on another guest was opened whose answer nobody has seen: it may be that one's by
//! now. Must not: know a call or an answer.

use super::{StateDir, StateError, hex, is_younger, read_record, thin_out, write_record};
use crate::deadline::Deadline;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::path::PathBuf;
use std::time::Duration;

/// How long after it was opened a session is known.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// The notes of all sessions of agents; of more, the oldest go.
const MOST: usize = 500;

/// No note is longer.
const LONGEST: u64 = 64 * 1024;

/// The folder of the notes, and the name of their lock.
const FOLDER: &str = "sessions";

/// What was noted of one id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    /// When.
    noted: Timestamp,
    /// The guests, as they were typed; none: it was answered for different ones.
    guests: Vec<String>,
}

/// A session that is about to be opened, or was without that its answer was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The key of the call that opens it.
    pub call: String,
    /// When.
    pub began: Timestamp,
    /// On which guests; none: nobody knows.
    pub guests: Vec<String>,
}

/// More openings of one server at once are taken together as one on guests that nobody knows.
const MOST_OPENINGS: usize = 32;

/// The sessions that were opened in one session of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sessions {
    state: StateDir,
    agent: &'static str,
    session: String,
}

impl Sessions {
    /// Those of this agent host's session; does no I/O. Where a host sends no session, its name stands for it.
    #[must_use]
    pub fn of(state: StateDir, agent: &'static str, session: Option<&str>) -> Self {
        Self { state, agent, session: session.unwrap_or(agent).to_owned() }
    }

    /// Notes that the server's session of this id is open on these guests.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn note(
        &self,
        server: &str,
        id: &str,
        guests: &[String],
        call: &str,
        now: Timestamp,
        deadline: Deadline,
    ) -> Result<(), StateError> {
        let path = self.state.folder(FOLDER)?.join(self.name(&[server, id]));
        // Two that note one id at the same time must see each other.
        let _lock = self.state.lock(FOLDER, deadline)?;
        let known = read_record::<Note>(&path, LONGEST)?.filter(|note| is_younger(note.noted, now, KEPT));
        let same = known.is_none_or(|note| note.guests == guests);
        let note = Note { noted: now, guests: if same { guests.to_vec() } else { vec![] } };
        if let Some(folder) = path.parent() {
            thin_out(folder, KEPT, MOST, now);
        }
        write_record(&path, &note)?;
        let path = self.openings(server);
        let mut openings = read_record::<Vec<Opening>>(&path, LONGEST)?.unwrap_or_default();
        let all = openings.len();
        openings.retain(|opening| opening.call != call);
        match openings.len() {
            0 if all > 0 => std::fs::remove_file(&path).map_err(|error| StateError::io(&path, "removed", &error)),
            left if left < all => write_record(&path, &openings),
            _ => Ok(()),
        }
    }

    /// Notes that a session of this server is about to be opened. `note` with the same call ends it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin(&self, server: &str, opening: Opening, deadline: Deadline) -> Result<(), StateError> {
        self.state.folder(FOLDER)?;
        let path = self.openings(server);
        let _lock = self.state.lock(FOLDER, deadline)?;
        let now = opening.began;
        // One that can't be read any more stands for any guest.
        let lost = path.exists().then(|| vec![Opening { call: String::new(), began: now, guests: vec![] }]);
        let known = read_record::<Vec<Opening>>(&path, LONGEST)?.or(lost);
        let mut openings = known.unwrap_or_default();
        openings.retain(|known| known.call != opening.call && is_younger(known.began, now, KEPT));
        openings.push(opening);
        let size: usize = openings.iter().flat_map(|opening| &opening.guests).map(String::len).sum();
        if openings.len() > MOST_OPENINGS || size as u64 > LONGEST / 8 {
            openings = vec![Opening { call: String::new(), began: now, guests: vec![] }];
        }
        write_record(&path, &openings)
    }

    /// Whether anything was noted, in any session of an agent.
    #[must_use]
    pub fn are_any(&self) -> bool {
        self.state.path().join(FOLDER).symlink_metadata().is_ok()
    }

    /// The guests on which the server's session of this id is open: an empty list if that was answered for different ones, or
    /// may be another's by now, and none if nothing was noted that can be trusted. Looks, and makes nothing.
    #[must_use]
    pub fn find(&self, server: &str, id: &str, now: Timestamp) -> Option<Vec<String>> {
        // What others could have noted is as good as nothing: the call is asked about.
        let path = self.state.existing(FOLDER).ok().flatten()?.join(self.name(&[server, id]));
        let note = read_record::<Note>(&path, LONGEST).ok().flatten()?;
        if !is_younger(note.noted, now, KEPT) {
            return None;
        }
        Some(if self.may_be_anothers(server, id, &note) { vec![] } else { note.guests })
    }

    /// Whether a session of this server was opened since, on another guest, whose answer nobody has seen.
    fn may_be_anothers(&self, server: &str, id: &str, note: &Note) -> bool {
        if is_given_once(id) {
            return false;
        }
        let path = self.openings(server);
        if !path.exists() {
            return false;
        }
        // One that is there and can't be trusted may say so.
        let Ok(Some(openings)) = read_record::<Vec<Opening>>(&path, LONGEST) else { return true };
        openings.iter().any(|opening| {
            let elsewhere = || opening.guests.iter().any(|guest| !note.guests.contains(guest));
            opening.began >= note.noted && (opening.guests.is_empty() || elsewhere())
        })
    }

    fn openings(&self, server: &str) -> PathBuf {
        self.state.path().join(FOLDER).join(self.name(&[server, "", "openings"]))
    }

    fn name(&self, parts: &[&str]) -> String {
        let mut digest = Sha256::new();
        for part in [self.agent, &self.session].iter().chain(parts) {
            // The length first: no two lists of parts are then one text.
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        hex(&digest.finalize())
    }
}

/// Whether the id has the form of those that no server gives out twice: 32 hex digits, as UUIDs have.
fn is_given_once(id: &str) -> bool {
    let id = id.replace('-', "");
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) && id.bytes().any(|byte| byte != b'0')
}

#[cfg(test)]
mod tests {
    use super::super::files;
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn state() -> (tempfile::TempDir, StateDir) {
        let folder = tempfile::tempdir().unwrap();
        let state = StateDir::at(folder.path().join("state"));
        (folder, state)
    }

    fn note(sessions: &Sessions, server: &str, id: &str, guest: &str, now: Timestamp) {
        let deadline = Deadline::from(std::time::Instant::now(), Duration::from_secs(20));
        sessions.note(server, id, &[guest.to_owned()], "", now, deadline).unwrap();
    }

    fn begin(sessions: &Sessions, call: &str, guests: &[&str], now: Timestamp) {
        let deadline = Deadline::from(std::time::Instant::now(), Duration::from_secs(20));
        let guests = guests.iter().map(|guest| (*guest).to_owned()).collect();
        sessions.begin("ssh", Opening { call: call.into(), began: now, guests }, deadline).unwrap();
    }

    #[test]
    fn an_id_may_be_anothers_once_an_opening_was_not_seen_to_answer() {
        let (_folder, state) = state();
        let sessions = Sessions::of(state.clone(), "claude-code", Some("s"));
        // Notes are thinned out by their files' time, which is the clock's.
        let begin_of_all = Timestamp::now();
        let at = |step: i64| begin_of_all + jiff::SignedDuration::from_millis(step);
        let known = |id: &str, second| sessions.find("ssh", id, at(second));
        let web01 = || Some(vec!["web01".to_owned()]);
        assert!(!sessions.are_any());
        note(&sessions, "ssh", "1", "web01", at(0));
        note(&sessions, "ssh", "0f8fad5b-d9cb-469f-a165-70867728950e", "web01", at(0));
        assert!(sessions.are_any());
        begin(&sessions, "a", &["web01"], at(1));
        assert_eq!(known("1", 2), web01(), "the same guest, whichever it is");
        begin(&sessions, "b", &["db01"], at(2));
        assert_eq!(known("1", 3), Some(vec![]));
        assert_eq!(known("0f8fad5b-d9cb-469f-a165-70867728950e", 3), web01(), "nobody gives that out again");
        assert_eq!(Sessions::of(state, "claude-code", Some("t")).find("ssh", "1", at(3)), None);
        // It is seen to answer.
        let deadline = || Deadline::from(std::time::Instant::now(), Duration::from_secs(20));
        sessions.note("ssh", "2", &["db01".to_owned()], "b", at(3), deadline()).unwrap();
        assert_eq!((known("1", 4), known("2", 4)), (web01(), Some(vec!["db01".to_owned()])));
        // What is noted afterwards is known.
        begin(&sessions, "c", &["app01"], at(5));
        assert_eq!(known("1", 6), Some(vec![]));
        note(&sessions, "ssh", "1", "web01", at(6));
        assert_eq!(known("1", 7), web01());
        begin(&sessions, "d", &[], at(8));
        assert_eq!(known("1", 9), Some(vec![]), "on a guest that nobody can name");
    }

    #[test]
    fn of_too_many_openings_one_is_left_that_may_be_anywhere() {
        let (folder, state) = state();
        let sessions = Sessions::of(state, "claude-code", Some("s"));
        note(&sessions, "ssh", "1", "web01", at(0));
        for n in 0..MOST_OPENINGS + 1 {
            begin(&sessions, &n.to_string(), &["web01"], at(1));
        }
        assert_eq!(sessions.find("ssh", "1", at(2)), Some(vec![]));
        note(&sessions, "ssh", "1", "web01", at(3));
        begin(&sessions, "long", &["web01", &"x".repeat(20_000)], at(4));
        assert_eq!(sessions.find("ssh", "1", at(5)), Some(vec![]));
        note(&sessions, "ssh", "1", "web01", at(6));
        let spoilt = sessions.openings("ssh");
        fs::write(&spoilt, "garbage").unwrap();
        assert_eq!(sessions.find("ssh", "1", at(7)), Some(vec![]), "{}", folder.path().display());
        begin(&sessions, "a", &["web01"], at(8));
        assert_eq!(sessions.find("ssh", "1", at(9)), Some(vec![]), "what it said is not known any more");
    }

    #[test]
    fn each_part_of_the_name_keeps_notes_apart() {
        let (_folder, state) = state();
        let sessions = Sessions::of(state.clone(), "claude-code", Some("s"));
        assert_eq!(sessions.find("ssh", "1", at(0)), None);
        assert!(!state.path().exists(), "looking makes nothing");
        note(&sessions, "ssh", "1", "web01", at(0));
        assert_eq!(sessions.find("ssh", "1", at(1)), Some(vec!["web01".to_owned()]));
        assert_eq!(sessions.find("ssh", "2", at(1)), None);
        assert_eq!(sessions.find("ssh2", "1", at(1)), None);
        assert_eq!(sessions.find("ssh1", "", at(1)), None);
        for other in [
            Sessions::of(state.clone(), "claude-code", Some("t")),
            Sessions::of(state.clone(), "claude-code", None),
            Sessions::of(state.clone(), "codex", Some("s")),
        ] {
            assert_eq!(other.find("ssh", "1", at(1)), None, "{other:?}");
        }
    }

    #[test]
    fn without_a_session_the_hosts_name_stands_for_it() {
        let (_folder, state) = state();
        let sessions = Sessions::of(state, "claude-code", None);
        note(&sessions, "ssh", "1", "web01", at(0));
        assert_eq!(sessions.find("ssh", "1", at(1)), Some(vec!["web01".to_owned()]));
    }

    #[test]
    fn an_id_for_different_guests_stands_for_none_of_them() {
        let (_folder, state) = state();
        let sessions = Sessions::of(state, "claude-code", Some("s"));
        note(&sessions, "ssh", "1", "web01", at(0));
        note(&sessions, "ssh", "1", "web01", at(1));
        assert_eq!(sessions.find("ssh", "1", at(2)), Some(vec!["web01".to_owned()]));
        note(&sessions, "ssh", "1", "db01", at(2));
        assert_eq!(sessions.find("ssh", "1", at(3)), Some(vec![]));
        note(&sessions, "ssh", "1", "db01", at(3));
        assert_eq!(sessions.find("ssh", "1", at(4)), Some(vec![]), "it stays doubtful");
    }

    #[test]
    fn a_note_ends_by_itself_and_no_clock_makes_it_last() {
        let (_folder, state) = state();
        let sessions = Sessions::of(state, "claude-code", Some("s"));
        note(&sessions, "ssh", "1", "web01", at(0));
        for (now, known) in [(0, true), (86_400, true), (86_401, false), (-60, false)] {
            assert_eq!(sessions.find("ssh", "1", at(now)).is_some(), known, "{now}");
        }
        note(&sessions, "ssh", "1", "db01", at(90_000));
        assert_eq!(sessions.find("ssh", "1", at(90_001)), Some(vec!["db01".to_owned()]), "the old one is forgotten");
    }

    #[test]
    fn nothing_but_the_guest_is_kept_and_nobody_else_can_read_it() {
        let (folder, state) = state();
        let sessions = Sessions::of(state.clone(), "claude-code", Some("agent-session"));
        note(&sessions, "ssh", "secret-id", "web01", at(0));
        let kept = folder.path().join("state/sessions");
        assert_eq!(kept.metadata().unwrap().mode() & 0o7777, 0o700);
        let all: Vec<PathBuf> = files(&kept).collect();
        let [file] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(file.metadata().unwrap().mode() & 0o7777, 0o600);
        let text = format!("{} {}", file.display(), fs::read_to_string(file).unwrap());
        assert!(text.contains("web01") && !text.contains("secret-id") && !text.contains("agent-session"), "{text}");
    }

    #[test]
    fn what_was_tampered_with_names_no_guest() {
        let (folder, state) = state();
        let sessions = Sessions::of(state, "claude-code", Some("s"));
        note(&sessions, "ssh", "1", "web01", at(0));
        let file = files(&folder.path().join("state/sessions")).next().unwrap();
        let good = fs::read_to_string(&file).unwrap();
        for (text, mode) in [
            (good.as_str(), 0o644),
            ("garbage", 0o600),
            ("", 0o600),
            ("{}", 0o600),
            (r#"{"noted":"2027-01-15T08:00:00Z"}"#, 0o600),
            (r#"{"noted":"2027-01-15T08:00:00Z","guests":"web01"}"#, 0o600),
        ] {
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(sessions.find("ssh", "1", at(1)), None, "{text} {mode:o}");
        }
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/null", &file).unwrap();
        assert_eq!(sessions.find("ssh", "1", at(1)), None);
    }

    #[test]
    fn a_thousand_are_bounded_and_the_newest_stay() {
        let (folder, state) = state();
        let sessions = Sessions::of(state, "claude-code", Some("s"));
        note(&sessions, "ssh", "first", "web01", Timestamp::now());
        let kept = folder.path().join("state/sessions");
        let first = files(&kept).next().unwrap();
        // As notes are, without the time that it takes to make each last.
        for n in 0..1000 {
            fs::copy(&first, kept.join(n.to_string())).unwrap();
        }
        note(&sessions, "ssh", "last", "web01", Timestamp::now());
        assert_eq!(files(&kept).count(), MOST);
        assert!(sessions.find("ssh", "last", Timestamp::now()).is_some());
        assert_eq!(sessions.find("ssh", "first", Timestamp::now()), None);
        for n in 0..10 {
            note(&sessions, "ssh", &n.to_string(), "web01", Timestamp::now());
        }
        assert_eq!(files(&kept).count(), MOST);
        assert!(sessions.find("ssh", "last", Timestamp::now()).is_some());
    }

    #[test]
    fn two_that_note_one_id_at_once_make_it_doubtful() {
        for round in 0..20 {
            let (_folder, state) = state();
            let sessions = Sessions::of(state, "claude-code", Some("s"));
            std::thread::scope(|scope| {
                for guest in ["web01", "db01"] {
                    let sessions = &sessions;
                    scope.spawn(move || note(sessions, "ssh", "1", guest, at(0)));
                }
            });
            assert_eq!(sessions.find("ssh", "1", at(1)), Some(vec![]), "{round}");
        }
    }
}
