//! How many reading calls were seen while the guard only observes: one byte a call, in one file a day.
//!
//! To append a byte needs no lock and no reading, and the file's length is the count. Must not: know a call.

use super::{FLAGS, StateDir, StateError, own_user, unfit};
use jiff::civil::Date;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};

const FOLDER: &str = "read_only";

/// How many days are kept.
const MOST: usize = 400;

/// Counts one call on this day.
///
/// # Errors
/// It can't be written.
pub fn count(state: &StateDir, day: Date) -> Result<(), StateError> {
    let folder = state.folder(FOLDER)?;
    let path = folder.join(day.to_string());
    let fresh = !path.exists();
    let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(FLAGS).open(&path);
    let written = file.and_then(|mut file| match unfit(&file.metadata()?) {
        Some(why) => Err(io::Error::other(why)),
        None => file.write_all(b"."),
    });
    written.map_err(|error| StateError::io(&path, "written", &error))?;
    if fresh {
        let mut days: Vec<_> = super::files(&folder).collect();
        days.sort();
        for old in days.iter().take(days.len().saturating_sub(MOST)) {
            let _ = fs::remove_file(old);
        }
    }
    Ok(())
}

/// The days on which calls were counted, and how many, in the days' order. Makes nothing.
#[must_use]
pub fn counted(state: &StateDir) -> Vec<(Date, u64)> {
    let Ok(Some(folder)) = state.existing(FOLDER) else { return vec![] };
    let mut days: Vec<(Date, u64)> = super::files(&folder)
        .filter_map(|path| {
            let day = path.file_name()?.to_str()?.parse().ok()?;
            let about = path.symlink_metadata().ok()?;
            (about.is_file() && about.uid() == own_user()).then_some((day, about.len()))
        })
        .collect();
    days.sort();
    days
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn calls_are_counted_by_the_day() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("state"));
        assert_eq!(counted(&state), []);
        assert!(!state.path().exists(), "looking makes nothing");
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| count(&state, date(2026, 9, 21)).unwrap());
            }
        });
        count(&state, date(2026, 9, 20)).unwrap();
        fs::write(state.path().join(FOLDER).join("no day"), "x").unwrap();
        assert_eq!(counted(&state), [(date(2026, 9, 20), 1), (date(2026, 9, 21), 16)]);
    }

    #[test]
    fn only_so_many_days_are_kept() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("state"));
        let first = date(2026, 1, 1);
        for n in 0..i64::try_from(MOST).unwrap() + 3 {
            count(&state, first + jiff::Span::new().days(n)).unwrap();
        }
        let days = counted(&state);
        assert_eq!((days.len(), days[0].0), (MOST, date(2026, 1, 4)));
    }
}
