//! Tables that fit what they hold: columns side by side, the last one as long as it likes.
//!
//! Own code: the tables here are small, never wrapped, and a table crate's width rules would have to be switched off.

/// The rows as lines; each column is as wide as its widest cell. A heading goes first.
#[must_use]
pub fn columns(heading: &[&str], rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = heading
        .iter()
        .enumerate()
        .map(|(at, title)| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
            cells.chain([title.chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: Vec<&str>| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| {
            let gap = width.saturating_sub(cell.chars().count());
            format!("{cell}{}", " ".repeat(gap))
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(heading.to_vec())];
    lines.extend(rows.iter().map(|row| line(row.iter().map(String::as_str).collect())));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_aligned_and_nothing_trails() {
        let rows = vec![vec!["a".into(), "bbbb".into()], vec!["cccc".into(), String::new()]];
        assert_eq!(super::columns(&["X", "Y"], &rows), "X     Y\na     bbbb\ncccc");
    }
}
