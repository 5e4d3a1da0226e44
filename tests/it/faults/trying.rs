//! Many cases side by side, each with a ZVM of its own.
//!
//! Must not: know what a case is.

use super::{Row, page};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many at once. Most of them wait.
const AT_ONCE: usize = 24;

/// How many of those that are tried again.
const AGAIN_AT_ONCE: usize = 3;

/// Tries all cases, in any order; the rows in theirs.
///
/// What a machine that is too busy makes of a case is not what the page is about: rows that do not stand there as they came are
/// tried again, a few at a time. What may never be is not: it stays wrong.
pub fn try_all<C: Sync>(section: &str, cases: &[C], run: impl Fn(&C) -> Row + Sync) -> Vec<Row> {
    let mut rows = side_by_side(AT_ONCE, cases, &run);
    // A section that is made for the first time has none.
    for _ in 0..if page::has_rows(section) { 2 } else { 0 } {
        let is_to_be_tried = |row: &Row| row.wrong.is_empty() && !page::stands(section, row);
        let differing: Vec<usize> = (0..rows.len()).filter(|at| is_to_be_tried(&rows[*at])).collect();
        let again: Vec<&C> = differing.iter().map(|at| &cases[*at]).collect();
        for (at, row) in differing.into_iter().zip(side_by_side(AGAIN_AT_ONCE, &again, |case| run(case))) {
            rows[at] = row;
        }
    }
    rows
}

/// Runs them all, so many at once; what came of them, in their order.
pub fn side_by_side<C: Sync, R: Send>(at_once: usize, cases: &[C], run: impl Fn(&C) -> R + Sync) -> Vec<R> {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(cases.len()) {
            scope.spawn(|| {
                while let Some((at, case)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, cases.get(at)?)))
                {
                    let row = run(case);
                    rows.lock().unwrap().push((at, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}
