//! `$'…'`: the escapes of ANSI C, decoded as bash does.

/// Decodes what stands between the quotes; the reason, if that is no text.
pub(super) fn decode(text: &str) -> Result<String, &'static str> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        rest = escape(after, &mut bytes)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    if bytes.contains(&0) {
        return Err("`$'…'` holds a NUL character");
    }
    String::from_utf8(bytes).map_err(|_| "`$'…'` holds bytes that are no text")
}

/// One escape behind its backslash; what stands behind it.
fn escape<'t>(text: &'t str, bytes: &mut Vec<u8>) -> Result<&'t str, &'static str> {
    let mut chars = text.chars();
    let Some(kind) = chars.next() else { return Err("`$'…'` ends with a backslash") };
    let rest = chars.as_str();
    let simple = match kind {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        '\\' | '\'' | '"' | '?' => kind as u8,
        '0'..='7' => {
            let (value, rest) = number(text, 8, 3);
            // What doesn't fit into a byte loses its upper bits.
            bytes.push((value & 0xff) as u8);
            return Ok(rest);
        }
        'x' => {
            // `\x{…}` has more digits in some versions of bash and none in others.
            let (value, after) = number(rest, 16, 2);
            if after.len() == rest.len() {
                return Err("`$'…'` holds `\\x` without digits");
            }
            bytes.push((value & 0xff) as u8);
            return Ok(after);
        }
        'u' | 'U' => {
            let (value, after) = number(rest, 16, if kind == 'u' { 4 } else { 8 });
            if after.len() == rest.len() {
                return Err("`$'…'` holds `\\u` without digits");
            }
            let Some(char) = char::from_u32(value) else { return Err("`$'…'` holds bytes that are no text") };
            bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            return Ok(after);
        }
        'c' => {
            let mut chars = rest.chars();
            let Some(char) = chars.next().filter(char::is_ascii) else {
                return Err("`$'…'` holds `\\c` without a letter");
            };
            let mut after = chars.as_str();
            if char == '\\' {
                // `\c\\` takes both.
                after = after.strip_prefix('\\').unwrap_or(after);
            }
            bytes.push(if char == '?' { 127 } else { (char.to_ascii_uppercase() as u8) & 0x1f });
            return Ok(after);
        }
        // Not an escape: the backslash stays.
        _ => {
            bytes.push(b'\\');
            return Ok(if kind.is_ascii() { push(kind as u8, rest, bytes) } else { text });
        }
    };
    Ok(push(simple, rest, bytes))
}

fn push<'t>(byte: u8, rest: &'t str, bytes: &mut Vec<u8>) -> &'t str {
    bytes.push(byte);
    rest
}

/// At most so many digits; the rest behind them.
fn number(text: &str, base: u32, most: usize) -> (u32, &str) {
    let digits = text.chars().take(most).take_while(|char| char.is_digit(base)).count();
    let (digits, rest) = text.split_at_checked(digits).unwrap_or(("", text));
    (u32::from_str_radix(digits, base).unwrap_or(0), rest)
}
