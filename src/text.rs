//! Text that others wrote, made fit to be shown: one function, pure.
//!
//! Owns: what may stand in a message, a prompt or a value that comes from a ZVM. Must not: know where the text is from.

/// `text` without anything that could move a cursor, hide, or turn round what is read, at most `max` characters long
/// (the last one `…` where something was cut off).
///
/// Whole ANSI sequences, the other control characters, bidirectional controls and invisible characters go; a line
/// break or tab becomes a space. Printable text comes back as it was.
#[must_use]
pub fn clean(text: &str, max: usize) -> String {
    let mut kept = String::with_capacity(text.len().min(max.saturating_mul(4)));
    let mut count = 0_usize;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let c = match c {
            '\u{1b}' => {
                skip_sequence(&mut rest);
                continue;
            }
            '\u{9b}' => {
                skip_csi(&mut rest);
                continue;
            }
            '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
            c if c.is_control() || is_unseen(c) => continue,
            c => c,
        };
        if count == max {
            kept.pop();
            if max > 0 {
                kept.push('…');
            }
            return kept;
        }
        kept.push(c);
        count = count.saturating_add(1);
    }
    kept
}

/// Whether `clean` would leave `text` as it is.
#[must_use]
pub fn is_clean(text: &str, max: usize) -> bool {
    clean(text, max) == text
}

/// `text` with everything that [`clean`] takes out made visible instead: `^[` for an escape, `<U+202E>` for what turns text
/// round. Tabs and line breaks stay; a carriage return is `^M`.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' => shown.push(c),
            '\u{7f}' => shown.push_str("^?"),
            '\0'..='\u{1f}' => {
                shown.push('^');
                shown.push(char::from_u32(u32::from(c) + 0x40).unwrap_or('?'));
            }
            c if c.is_control() || is_unseen(c) || matches!(c, '\u{2028}' | '\u{2029}') => {
                shown.push_str(&format!("<U+{:04X}>", u32::from(c)));
            }
            c => shown.push(c),
        }
    }
    shown
}

/// What follows an ESC: a CSI up to its final byte, an OSC (or DCS, SOS, PM, APC) up to its end, or one character.
fn skip_sequence(rest: &mut std::str::Chars<'_>) {
    match rest.next() {
        Some('[') => skip_csi(rest),
        Some(']' | 'P' | 'X' | '^' | '_') => {
            let mut last = ' ';
            for c in rest.by_ref() {
                if c == '\u{7}' || c == '\u{9c}' || (last == '\u{1b}' && c == '\\') {
                    break;
                }
                last = c;
            }
        }
        _ => {}
    }
}

fn skip_csi(rest: &mut std::str::Chars<'_>) {
    for c in rest.by_ref() {
        if ('\u{40}'..='\u{7e}').contains(&c) {
            break;
        }
    }
}

/// Characters that take no room or change the direction of others.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// A host name or address in the one form in which it is compared: an address as the system writes it (an IPv4 address in
/// IPv6 clothes is that IPv4 address, brackets go), a name in lower case without the dot that ends a full domain name.
#[must_use]
pub fn host_key(name: &str) -> String {
    let name = name.trim();
    let inner = name.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(name);
    match inner.parse::<std::net::IpAddr>() {
        Ok(address) => address.to_canonical().to_string(),
        Err(_) => name.strip_suffix('.').unwrap_or(name).to_lowercase(),
    }
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

/// A number of bytes as people read it.
#[must_use]
pub fn bytes_text(bytes: u64) -> String {
    const STEPS: [(u64, &str); 4] = [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match STEPS.iter().find(|(step, _)| bytes >= *step) {
        None => format!("{bytes} bytes"),
        Some((step, name)) => {
            let tenths = u128::from(bytes) * 10 / u128::from(*step);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_and_what_goes() {
        for (text, cleaned) in [
            ("", ""),
            ("web01  Ω\"<&>|\\", "web01  Ω\"<&>|\\"),
            ("a\r\nb\tc", "a  b c"),
            ("a\u{1b}[31;1mred\u{1b}[0m", "ared"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            ("a\u{1b}]8;;http://x\u{1b}\\b", "ab"),
            ("a\u{1b}(b", "ab"),
            ("a\u{1b}", "a"),
            ("a\u{9b}2Jb", "ab"),
            ("a\0\u{8}\u{7f}\u{90}b", "ab"),
            ("gnp\u{202e}exe", "gnpexe"),
            ("a\u{2066}\u{2069}\u{200f}\u{200b}\u{feff}b", "ab"),
            ("a\u{e0041}\u{fe0f}b", "ab"),
            ("a\u{2028}b", "a b"),
        ] {
            assert_eq!(clean(text, 100), cleaned, "{text:?}");
        }
    }

    #[test]
    fn what_is_hidden_is_made_visible() {
        for (text, shown) in [
            ("a\tb\nü", "a\tb\nü"),
            ("a\r\n", "a^M\n"),
            ("\u{1b}[31m\0\u{7f}", "^[[31m^@^?"),
            ("\u{9b}2J\u{202e}x\u{2028}\u{e0041}", "<U+009B>2J<U+202E>x<U+2028><U+E0041>"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn length_is_counted_in_characters_after_cleaning() {
        assert_eq!(clean("abc", 3), "abc");
        assert_eq!(clean("abcd", 3), "ab…");
        assert_eq!(clean("äöüß", 3), "äö…");
        assert_eq!(clean("a\0\0\0bc", 3), "abc");
        assert_eq!(clean("abc\0", 3), "abc");
        assert_eq!(clean("abc", 0), "");
    }

    #[test]
    fn hosts_have_one_spelling() {
        for (typed, key) in [
            ("Web01.Corp.example.", "web01.corp.example"),
            ("10.0.0.5", "10.0.0.5"),
            ("::ffff:10.0.0.5", "10.0.0.5"),
            ("[FE80:0::0001]", "fe80::1"),
            (" web01 ", "web01"),
            ("010.0.0.5", "010.0.0.5"),
        ] {
            assert_eq!(host_key(typed), key);
        }
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(shell_word("web01"), "web01");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
    }

    #[test]
    fn sizes() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (1_500_000_000, "1.3 GiB"),
            (u64::MAX, "16777215.9 TiB"),
        ] {
            assert_eq!(bytes_text(bytes), text);
        }
    }
}
