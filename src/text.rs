//! Text that others wrote, made fit to be shown. Pure.
//!
//! Owns: what may stand in a message, a prompt or a value that comes from a ZVM, and how it is told from our own words: it is
//! one word ([`foreign`]), or stands between quotation marks and holds none ([`foreign`], [`inside`]), or is the rest of its
//! line behind a label ([`clean`]); what begins a line never begins like ours ([`beginning`]). Whatever is printed goes through
//! [`printable`] (or [`json_line`]) at the very end, should one of these have been forgotten. Must not: know where the text is
//! from.

use std::borrow::Cow;

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
            c if is_break(c) => ' ',
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

/// [`clean`], and set apart from the sentence around it: as it is where it is one word that says nothing, else between
/// quotation marks, of which it then holds none itself.
#[must_use]
pub fn foreign(text: &str, max: usize) -> String {
    let cleaned = clean(text, max);
    if text.is_empty() {
        return cleaned;
    }
    let is_word =
        !cleaned.is_empty() && !cleaned.contains(|c: char| is_blank(c) || is_quotation(c)) && !is_like_ours(&cleaned);
    if is_word { cleaned } else { format!("\"{}\"", cleaned.replace(is_quotation, "'")) }
}

/// [`clean`], for a place that has its quotation marks already: those in the text become simple ones.
#[must_use]
pub fn inside(text: &str, max: usize) -> String {
    clean(text, max).replace(is_quotation, "'")
}

/// [`clean`], for a text of several words that begins a line: between quotation marks where it begins like a line of ours.
#[must_use]
pub fn beginning(text: &str, max: usize) -> String {
    let cleaned = clean(text, max);
    if is_like_ours(cleaned.trim_start_matches(is_blank)) { foreign(text, max) } else { cleaned }
}

/// Whether a text could be taken for the guard's own words, or for the id of a question.
fn is_like_ours(text: &str) -> bool {
    ["zerto-guard", "zgq-"].iter().any(|ours| begins_like(text, ours))
}

/// Whether a text begins with these letters as far as an eye can tell: a character beyond ASCII may be drawn like any (`е` and
/// `‑` are), but half of the letters are the same, lest every name in another script is taken for it.
fn begins_like(text: &str, ours: &str) -> bool {
    let mut letters = text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).map(narrow);
    let mut same = 0_usize;
    for wanted in ours.chars() {
        match letters.next() {
            Some(c) if c.eq_ignore_ascii_case(&wanted) => same += 1,
            Some(c) if !c.is_ascii() => {}
            _ => return false,
        }
    }
    same * 2 >= ours.len()
}

/// The wide forms of ASCII as ASCII.
fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    }
}

/// What looks like a gap between two words; some are drawn as nothing and count as no white space.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{1d159}' | '\u{13441}' | '\u{13442}')
}

/// What looks like the marks between which others' words stand.
fn is_quotation(c: char) -> bool {
    matches!(c,
        '"' | '\u{2ba}' | '\u{2dd}' | '\u{2ee}' | '\u{2f6}' | '\u{5f4}' | '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{2036}'
        | '\u{275d}' | '\u{275e}' | '\u{301d}'..='\u{301f}' | '\u{ff02}')
}

/// Lines as they may go to a terminal or a model: what [`clean`] takes out is gone, but line breaks and tabs stay.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    let stays = |c: char| matches!(c, '\n' | '\t');
    let is_odd = |c: char| !stays(c) && (is_break(c) || c.is_control() || is_unseen(c));
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let part = |part: &str| match part.strip_suffix(stays) {
        Some(before) => format!("{}{}", clean(before, usize::MAX), part.get(before.len()..).unwrap_or_default()),
        None => clean(part, usize::MAX),
    };
    Cow::Owned(text.split_inclusive(stays).map(part).collect())
}

/// The value as JSON on one line, in which everything that [`clean`] would take out is escaped: a terminal may well obey it,
/// and a program reads it as it was.
#[must_use]
pub fn json_line(value: &serde_json::Value) -> String {
    let text = value.to_string();
    // Below DEL the serializer has escaped what has to be.
    let is_odd = |c: char| c == '\u{7f}' || (!c.is_ascii() && (is_break(c) || c.is_control() || is_unseen(c)));
    if !text.contains(is_odd) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_odd(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
        } else {
            escaped.push(c);
        }
    }
    escaped
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

/// What begins a new line or a new column somewhere.
fn is_break(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Characters that take no room or change the direction of others (those that Unicode calls default-ignorable, and the
/// marks around interlinear notes).
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
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

/// A path as it may stand in a message: [`clean`], and whole.
#[must_use]
pub fn path_text(path: &std::path::Path) -> String {
    clean(&path.to_string_lossy(), 8192)
}

/// As in "1 VM", "3 VMs".
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A sentence as a part of another: its first word begins small unless it is a name, and the stop at its end is gone.
#[must_use]
pub fn midway(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches(['.', ' ']);
    let mut rest = sentence.chars();
    match (rest.next(), rest.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(rest).collect(),
        (Some('A'), Some(' ')) => format!("a{}", rest.as_str()),
        _ => sentence.to_owned(),
    }
}

/// What the system says of a file that could not be used. The file is named by whoever says it, and that of an unfinished file,
/// which tempfile adds, is nobody's business.
#[must_use]
pub fn io_text(error: &std::io::Error) -> String {
    let text = error.to_string();
    clean(text.split_once(" at path \"").map_or(text.as_str(), |(said, _)| said), 300)
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
    fn a_sentence_as_a_part_of_another() {
        for (sentence, part) in [
            ("The folder x is a link.", "the folder x is a link"),
            ("A link is there.", "a link is there"),
            ("ZVM nyc is silent.", "ZVM nyc is silent"),
            (
                "/home/jo/x cannot be read: Is a directory (os error 21).",
                "/home/jo/x cannot be read: Is a directory (os error 21)",
            ),
            ("HOME is unset", "HOME is unset"),
            ("", ""),
        ] {
            assert_eq!(midway(sentence), part);
        }
    }

    #[test]
    fn an_unfinished_file_is_not_named() {
        let error = tempfile::NamedTempFile::new_in("/no/such/folder").unwrap_err();
        assert_eq!(io_text(&error), "No such file or directory (os error 2)");
    }

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
    fn what_others_say_is_set_apart() {
        for (text, shown) in [
            ("web01", "web01"),
            ("grün-Ω_1.corp(2)", "grün-Ω_1.corp(2)"),
            ("", ""),
            ("\u{200b}", "\"\""),
            ("Exchange Server", "\"Exchange Server\""),
            ("a\nzerto-guard: go on", "\"a zerto-guard: go on\""),
            ("a\u{3000}b", "\"a\u{3000}b\""),
            ("a\" is tagged", "\"a' is tagged\""),
            ("a\"b", "\"a'b\""),
            ("Zerto-Guard:x", "\"Zerto-Guard:x\""),
            ("zgq-0123456789abc", "\"zgq-0123456789abc\""),
            ("z\u{200b}erto-guard:x", "\"zerto-guard:x\""),
            ("z\u{435}rt\u{43e}\u{2011}guard:x", "\"z\u{435}rt\u{43e}\u{2011}guard:x\""),
            (
                "\u{ff3a}\u{ff45}\u{ff52}\u{ff54}\u{ff4f}\u{ff0d}guard",
                "\"\u{ff3a}\u{ff45}\u{ff52}\u{ff54}\u{ff4f}\u{ff0d}guard\"",
            ),
            ("ze\u{301}rto-guard", "\"ze\u{301}rto-guard\""),
            ("東京の本番データ基盤一号機", "東京の本番データ基盤一号機"),
            ("zerto-gu", "zerto-gu"),
            ("db01\u{2800}is\u{2800}tagged", "\"db01\u{2800}is\u{2800}tagged\""),
            ("a\u{201d} is tagged, \u{201c}b", "\"a' is tagged, 'b\""),
        ] {
            assert_eq!(foreign(text, 100), shown, "{text:?}");
        }
        assert_eq!(foreign("ab cdef", 5), "\"ab c…\"");
        assert_eq!(inside("a\nb\"c\u{201d}", 100), "a b'c'");
        for (text, shown) in [
            ("ai:claude | x | y", "ai:claude | x | y"),
            (" zerto-guard: all is well", "\" zerto-guard: all is well\""),
            ("\u{2800}zerto-guard: all is well", "\"\u{2800}zerto-guard: all is well\""),
            ("zerto\u{2010}guard: all is well", "\"zerto\u{2010}guard: all is well\""),
            ("before an \"upgrade\"", "before an \"upgrade\""),
        ] {
            assert_eq!(beginning(text, 100), shown, "{text:?}");
        }
    }

    #[test]
    fn the_last_gate_keeps_lines_and_nothing_else() {
        assert!(matches!(printable("a\n\t b ü \"\n"), Cow::Borrowed(_)));
        assert_eq!(printable("a\n\u{1b}[2Jb\tc\r\u{202e}\n\u{1b}]0;x\ny"), "a\nb\tc \n\ny");
        let value = serde_json::json!({"a": "x\u{9b}2J\u{202e}\u{e0041}\u{7f}\u{2028}\u{1b}\tü😀"});
        let line = json_line(&value);
        assert_eq!(printable(&line), line);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), value);
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
