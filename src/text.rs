//! Text that came from somewhere else, made fit for a message, a terminal and a tag. Pure.

/// The text on one line, without control, ANSI and bidirectional characters, cut to `max` characters.
///
/// What is taken away becomes a space, runs of white space become one, and a cut is marked by `...`. Text of a remote
/// machine or of the agent can then neither steer a terminal nor start a line that looks like the guard's own.
#[must_use]
pub fn clean(text: &str, max: usize) -> String {
    let mut clean = String::with_capacity(text.len().min(max));
    let mut length = 0;
    let mut gap = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if c == '\u{1b}' && characters.next_if_eq(&'[').is_some() {
            // A terminal sequence goes as a whole: its letters would be noise.
            while characters.next_if(|c| ('\u{20}'..='\u{3f}').contains(c)).is_some() {}
            characters.next_if(|c| ('\u{40}'..='\u{7e}').contains(c));
            gap = true;
            continue;
        }
        if c.is_whitespace() || c.is_control() || is_invisible(c) {
            gap = true;
            continue;
        }
        let space = usize::from(gap && length > 0);
        if length + space + 1 > max {
            let keep = max.saturating_sub(3);
            let mut cut: String = clean.chars().take(keep).collect();
            cut.push_str("...");
            return cut.chars().take(max).collect();
        }
        if space == 1 {
            clean.push(' ');
        }
        clean.push(c);
        length += space + 1;
        gap = false;
    }
    clean
}

/// Characters that change how others are shown, or are not shown themselves.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text as one word of a POSIX shell.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | '=' | '@' | '%' | '+' | ',');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_or_hides_is_taken_away() {
        for (text, expected) in [
            ("plain text", "plain text"),
            ("a\r\nzerto-guard: allowed", "a zerto-guard: allowed"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}x", "]0;title x"),
            ("a\u{202e}b\u{200b}c", "a b c"),
            ("  a \t b  ", "a b"),
            ("\u{9b}31mx", "31mx"),
            ("grün €", "grün €"),
        ] {
            assert_eq!(clean(text, 100), expected, "{text:?}");
        }
    }

    #[test]
    fn long_text_is_cut_to_its_length() {
        assert_eq!(clean("abcdef", 6), "abcdef");
        assert_eq!(clean("abcdefg", 6), "abc...");
        assert_eq!(clean("ab cdefg", 6), "ab ...");
        assert_eq!(clean("abc", 2), "..");
        assert_eq!(clean("", 0), "");
        assert_eq!(clean(&"€".repeat(50), 10).chars().count(), 10);
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(shell_word("web01"), "web01");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
    }
}
