//! Many cases side by side, each with a ZVM of its own.
//!
//! Must not: know what a case is.

use super::{Row, page};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many at once. Most of them wait.
const AT_ONCE: usize = 24;

/// Tries all cases, in any order; the rows in theirs.
///
/// What a machine that is too busy makes of a case is not what the page is about: a row that does not stand there as it came
/// is tried again by itself. What was wrong in any of the tries stays wrong.
pub fn try_all<C: Sync>(section: &str, cases: &[C], run: impl Fn(&C) -> Row + Sync) -> Vec<Row> {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(cases.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(at) else { break };
                    let row = run(case);
                    rows.lock().unwrap().push((at, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(at, _)| *at);
    for (at, row) in rows.iter_mut().filter(|_| !page::is_written()) {
        for _ in 0..2 {
            if !page::stands(section, row) {
                let again = run(&cases[*at]);
                let wrong = std::mem::take(&mut row.wrong);
                *row = again;
                row.wrong.extend(wrong);
            }
        }
    }
    rows.into_iter().map(|(_, row)| row).collect()
}
