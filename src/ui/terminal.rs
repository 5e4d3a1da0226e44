//! How wide the terminal is, and lines that fit it.

use std::io::IsTerminal as _;

/// Whether stdout is a terminal, where bytes of others must not go as they are.
#[must_use]
pub fn is_out() -> bool {
    std::io::stdout().is_terminal()
}

/// The terminal's width in columns; none where stdout is no terminal, or it does not tell.
#[must_use]
pub fn width() -> Option<usize> {
    size().map(|(columns, _)| columns)
}

/// The width of the terminal that stderr goes to, in columns; none where it is no terminal, or it does not tell.
#[must_use]
pub fn err_width() -> Option<usize> {
    size_of(libc::STDERR_FILENO).map(|(columns, _)| columns)
}

/// The terminal's width and height; none where stdout is no terminal, or it does not tell.
#[must_use]
pub fn size() -> Option<(usize, usize)> {
    std::io::stdout().is_terminal().then(|| size_of(libc::STDOUT_FILENO)).flatten()
}

fn size_of(stream: libc::c_int) -> Option<(usize, usize)> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the call fills the structure, which outlives it, and keeps no pointer to it.
    let done = unsafe { libc::ioctl(stream, libc::TIOCGWINSZ, &raw mut size) };
    (done == 0 && size.ws_col > 0 && size.ws_row > 0).then(|| (size.ws_col.into(), size.ws_row.into()))
}

/// The line, or as much of it as fits with an ellipsis behind it. Whole where there is no width.
#[must_use]
pub fn cut(line: &str, width: Option<usize>) -> String {
    match width {
        Some(width) if line.chars().count() > width => {
            line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
        }
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_line_fits_or_is_cut() {
        assert_eq!(super::cut("abcdef", Some(6)), "abcdef");
        assert_eq!(super::cut("äöüabc", Some(4)), "äöü…");
        assert_eq!(super::cut("abcdef", None), "abcdef");
        assert_eq!(super::cut("abc", Some(0)), "…");
    }
}
