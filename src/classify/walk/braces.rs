//! `{a,b}` and `{1..3}`. Pure.

use crate::classify::shell::tree::Piece;

/// More words than a person writes in braces.
const MOST: usize = 256;

/// A word with more braces is not followed: each is looked for to the end of the word.
const MOST_BRACES: usize = 40;

/// A longer word with braces is not followed either.
const LONGEST: usize = 4 * 1024;

/// A character outside of quotes, or any other piece.
#[derive(Clone)]
enum Token<'p> {
    Char(char),
    Piece(&'p Piece),
}

/// The words that come of a word's braces; none if they are too many to follow.
pub(super) fn expanded(pieces: &[Piece]) -> Option<Vec<Vec<Piece>>> {
    let texts =
        || pieces.iter().filter_map(|piece| if let Piece::Text(text) = piece { Some(text.as_str()) } else { None });
    let braces: usize = texts().map(|text| text.matches('{').count()).sum();
    if braces == 0 {
        return Some(vec![pieces.to_vec()]);
    }
    if braces > MOST_BRACES || texts().map(str::len).sum::<usize>() > LONGEST {
        return None;
    }
    let tokens: Vec<Token> = pieces
        .iter()
        .flat_map(|piece| match piece {
            Piece::Text(text) => text.chars().map(Token::Char).collect(),
            other => vec![Token::Piece(other)],
        })
        .collect();
    Some(words(&tokens)?.iter().map(|word| pieces_of(word)).collect())
}

fn words<'p>(tokens: &[Token<'p>]) -> Option<Vec<Vec<Token<'p>>>> {
    let mut from = 0;
    while let Some(start) = position(tokens, from, '{') {
        from = start + 1;
        let Some((end, alternatives)) = alternatives(tokens, start) else { continue };
        let before = tokens.get(..start).unwrap_or_default();
        let behind = words(tokens.get(end + 1..).unwrap_or_default())?;
        let mut all = Vec::new();
        for alternative in &alternatives {
            for middle in words(alternative)? {
                for end in &behind {
                    if all.len() >= MOST {
                        return None;
                    }
                    all.push([before, middle.as_slice(), end.as_slice()].concat());
                }
            }
        }
        return Some(all);
    }
    Some(vec![tokens.to_vec()])
}

fn position(tokens: &[Token], from: usize, wanted: char) -> Option<usize> {
    tokens
        .iter()
        .enumerate()
        .skip(from)
        .find(|(_, token)| matches!(token, Token::Char(c) if *c == wanted))
        .map(|(at, _)| at)
}

/// Where the brace that is opened at `start` ends, and what stands in it for choice.
fn alternatives<'p>(tokens: &[Token<'p>], start: usize) -> Option<(usize, Vec<Vec<Token<'p>>>)> {
    let (mut depth, mut list, mut one) = (0_usize, Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate().skip(start + 1) {
        match token {
            Token::Char('}') if depth == 0 => {
                if list.is_empty() {
                    return Some((at, range(&one)?));
                }
                list.push(one);
                return Some((at, list));
            }
            Token::Char(',') if depth == 0 => {
                list.push(std::mem::take(&mut one));
                continue;
            }
            Token::Char('{') => depth += 1,
            Token::Char('}') => depth -= 1,
            Token::Char(_) | Token::Piece(_) => {}
        }
        one.push(token.clone());
    }
    None
}

/// `1..5`, `01..10`, `a..e`, `1..9..2`
fn range<'p>(tokens: &[Token<'p>]) -> Option<Vec<Vec<Token<'p>>>> {
    let text: Option<String> =
        tokens.iter().map(|token| if let Token::Char(c) = token { Some(*c) } else { None }).collect();
    let text = text?;
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?.unsigned_abs().max(1)),
        _ => return None,
    };
    let step = usize::try_from(step).ok()?;
    let single = |text: &str| text.chars().next().filter(|c| c.is_ascii_alphabetic() && text.len() == 1);
    let names: Vec<String> = if let (Some(first), Some(last)) = (single(first), single(last)) {
        let (low, high) = (first.min(last), first.max(last));
        let mut names: Vec<String> = (low..=high).map(String::from).collect();
        if first > last {
            names.reverse();
        }
        names.into_iter().step_by(step).collect()
    } else {
        let (low, high): (i64, i64) = (first.parse().ok()?, last.parse().ok()?);
        let down = low > high;
        let (low, high) = (low.min(high), low.max(high));
        let padded = [first, last]
            .iter()
            .any(|text| text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0'));
        let width = if padded { first.len().max(last.len()) } else { 0 };
        // One more than may be: enough to be refused.
        let numbers: Vec<i64> = if down {
            (low..=high).rev().step_by(step).take(MOST + 1).collect()
        } else {
            (low..=high).step_by(step).take(MOST + 1).collect()
        };
        numbers.into_iter().map(|nr| format!("{nr:0width$}")).collect()
    };
    Some(names.iter().map(|name| name.chars().map(Token::Char).collect()).collect())
}

fn pieces_of(tokens: &[Token]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for token in tokens {
        match token {
            Token::Char(c) => match pieces.last_mut() {
                Some(Piece::Text(text)) => text.push(*c),
                _ => pieces.push(Piece::Text(c.to_string())),
            },
            Token::Piece(piece) => pieces.push((*piece).clone()),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let list = expanded(&[Piece::Text(text.into())]).unwrap();
        let words = list.iter().map(|pieces| {
            pieces
                .iter()
                .map(|piece| if let Piece::Text(text) = piece { text.as_str() } else { "?" })
                .collect::<String>()
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_and_ranges() {
        for (text, expected) in [
            ("web{01,02}", "web01 web02"),
            ("{rm,-rf,/x}", "rm -rf /x"),
            ("a{b,c{d,e}}f", "abf acdf acef"),
            ("web{1..3}.x", "web1.x web2.x web3.x"),
            ("{01..03}", "01 02 03"),
            ("{a..c}{1,2}", "a1 a2 b1 b2 c1 c2"),
            ("{3..1}", "3 2 1"),
            ("{c..a}", "c b a"),
            ("{5..1..2}", "5 3 1"),
            ("{}", "{}"),
            ("{a}", "{a}"),
            ("{a,b", "{a,b"),
            ("a{,b}", "a ab"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn too_many_are_not_followed() {
        assert!(expanded(&[Piece::Text("{1..1000}".into())]).is_none());
        assert!(expanded(&[Piece::Text("{a,b}".repeat(20))]).is_none());
        assert!(expanded(&[Piece::Text("{".repeat(60_000))]).is_none());
    }
}
