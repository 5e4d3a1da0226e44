//! Whether the text of `(( … ))` can be arithmetic, and only that. Pure.

/// What makes a text arithmetic that is worth a command of its own: it sets or compares something.
const TELLING: &[&str] = &["=", "++", "--", "<", ">", "&&", "||", "!", "?"];

/// Operators, the longer ones first.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "**", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=",
    "+", "-", "*", "/", "%", "<", ">", "=", "&", "^", "|", "?", ":", ",",
];

/// Whether it is surely arithmetic: operands and operators in turn, and something that it sets or compares.
pub(super) fn is_plain(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text.chars().all(|c| c.is_ascii_digit()) {
        return true;
    }
    TELLING.iter().any(|sign| text.contains(sign)) && is_expression(text)
}

fn is_expression(text: &str) -> bool {
    // Whether an operand may stand here; else an operator has to.
    let mut wanted = true;
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return !wanted;
        };
        let behind = |count: usize| rest.get(count..).unwrap_or_default();
        if let Some(sign) = ["++", "--"].iter().find(|sign| rest.starts_with(**sign)) {
            rest = behind(sign.len());
            continue;
        }
        if wanted && matches!(first, '!' | '~' | '+' | '-' | '(') {
            rest = behind(1);
            continue;
        }
        if !wanted && first == ')' {
            rest = behind(1);
            continue;
        }
        if wanted {
            let length = operand(rest);
            if length == 0 {
                return false;
            }
            rest = behind(length);
            wanted = false;
            continue;
        }
        let Some(sign) = OPERATORS.iter().find(|sign| rest.starts_with(**sign)) else { return false };
        rest = behind(sign.len());
        wanted = true;
    }
}

/// How long the number, name or expansion at the beginning is.
fn operand(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            '(' if text.get(..at).is_some_and(|before| before.ends_with('$')) || depth > 0 => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 || c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '@' | '"') => {}
            _ => return at,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_and_what_only_looks_like_it() {
        for text in [
            "i++",
            "i += 1",
            "x = y * 2",
            "a < b",
            "${#list[@]} > 0",
            "$# >= 2",
            "i<10",
            "n = (a + b) / 2",
            "!x",
            "1",
            "x[i]=3",
            "--i",
            "a && b",
            "$(date +%s) > t",
        ] {
            assert!(is_plain(text), "{text}");
        }
        for text in [
            "reboot",
            "rm -rf /",
            "rm -rf x",
            "ssh web01 reboot",
            "reboot --force",
            "systemctl restart nginx",
            "ls > /etc/x y",
            "a - b",
            "rm -rf /x; a=1",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
