//! The pause that a human has ordered: until when calls that would be guarded or asked about run.
//!
//! Must not: begin or lengthen a pause by itself. A pause ends by itself, and one that lies in the future or lasts longer
//! than any that can be ordered is none.

use super::{StateDir, StateError, read_private, write_private};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest pause that can be ordered.
pub const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// A pause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// When it was ordered.
    pub from: Timestamp,
    /// When it ends.
    pub until: Timestamp,
    /// Why, in the human's words.
    pub reason: String,
}

impl Pause {
    /// The pause that is on now. Looks, and makes nothing.
    ///
    /// # Errors
    /// It is there, but cannot be read.
    pub fn current(state: &StateDir, now: Timestamp) -> Result<Option<Self>, StateError> {
        // A pause that others could have put there is none that could be trusted: what then runs would run unguarded.
        let Some(folder) = state.existing("")? else { return Ok(None) };
        let bytes = read_private(&folder.join("pause.json"), 16 * 1024)?;
        let pause = bytes.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        Ok(pause.filter(|pause| {
            let whole = Duration::try_from(pause.until.duration_since(pause.from)).unwrap_or(Duration::MAX);
            pause.from <= now && now < pause.until && whole <= LONGEST
        }))
    }

    /// Begins it, in place of another.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin(&self, state: &StateDir) -> Result<(), StateError> {
        let folder = state.folder("")?;
        let path = folder.join("pause.json");
        let text = serde_json::to_vec(self).map_err(|error| StateError::io(&path, "written", &error.into()))?;
        write_private(&path, &text)
    }

    /// Ends whatever pause there is; false if there is none.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn end(state: &StateDir) -> Result<bool, StateError> {
        let Some(folder) = state.existing("")? else { return Ok(false) };
        let path = folder.join("pause.json");
        match std::fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StateError::io(&path, "removed", &error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn it_ends_by_itself_and_no_clock_makes_it_longer() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateDir::at(folder.path().join("state"));
        assert_eq!(Pause::current(&state, at(0)).unwrap(), None);
        assert!(!state.path().exists(), "looking makes nothing");
        let pause = Pause { from: at(0), until: at(1800), reason: "r".into() };
        pause.begin(&state).unwrap();
        for (now, on) in [(-1, false), (0, true), (1799, true), (1800, false), (90_000, false)] {
            assert_eq!(Pause::current(&state, at(now)).unwrap().is_some(), on, "{now}");
        }
        Pause { until: at(86_401), ..pause.clone() }.begin(&state).unwrap();
        assert_eq!(Pause::current(&state, at(1)).unwrap(), None, "longer than any that can be ordered");
        pause.begin(&state).unwrap();
        assert!(Pause::end(&state).unwrap());
        assert!(!Pause::end(&state).unwrap());
    }
}
