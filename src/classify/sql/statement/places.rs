//! What a word is by its place: an alias, a lock, the beginning of a statement. Pure.

use crate::classify::sql::lex::Token;

/// Without brackets before it, and without a label.
pub(super) fn strip<'t, 'a>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let from = tokens.iter().position(|token| *token != Token::Mark('(')).unwrap_or(tokens.len());
    tokens.get(from..).unwrap_or_default()
}

/// Whether a word before a bracket only names: a CTE or an alias with its columns.
pub(super) fn is_alias(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    match before {
        // `FROM (SELECT …) x(a)`, but `DISTINCT ON (a) f(b)` and `TOP (1) f(b)` call.
        Some(Token::Mark(')')) => {
            let open = at.checked_sub(1).and_then(|close| opening(tokens, close));
            let word = |back: usize| open.and_then(|open| open.checked_sub(back)).and_then(|at| tokens.get(at));
            let distinct = word(1).is_some_and(|w| w.is("on")) && word(2).is_some_and(|w| w.is("distinct"));
            !distinct && !word(1).is_some_and(|w| w.is("top"))
        }
        Some(token) if token.is("as") => !tokens.get(at).is_some_and(|name| name.is_any(&["materialized"])),
        Some(token) if token.is_any(&["with", "recursive"]) || *token == Token::Mark(',') => {
            // Its columns are plain names, and a query follows.
            let behind = tokens.get(at + 2..).unwrap_or_default();
            let names = behind
                .iter()
                .take_while(|token| matches!(token, Token::Word(_) | Token::Quoted(_) | Token::Mark(',')))
                .count();
            // `FROM t, f(a) AS (b int)` calls, and has no query behind it.
            matches!(
                behind.get(names..),
                Some([Token::Mark(')'), next, Token::Mark('('), query, ..])
                    if next.is("as")
                        && (query.is_any(&["select", "with", "table", "insert", "update", "delete", "merge"])
                            || *query == Token::Mark('(')
                            || (query.is("values") && behind.get(names + 4) == Some(&Token::Mark('('))))
            )
        }
        _ => false,
    }
}

/// Where the bracket opens that closes here.
fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    /// Nobody distinguishes by more, and no text costs more than its length.
    const FARTHEST: usize = 256;
    let mut depth = 0_usize;
    for at in (close.saturating_sub(FARTHEST)..=close).rev() {
        match tokens.get(at) {
            Some(Token::Mark(')')) => depth += 1,
            Some(Token::Mark('(')) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// `FOR UPDATE`, `FOR NO KEY UPDATE`.
pub(super) fn locks(tokens: &[Token], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
    tokens.get(at).is_some_and(|token| token.is("update"))
        && (before(1).is_some_and(|token| token.is("for"))
            || (before(1).is_some_and(|token| token.is("key")) && before(2).is_some_and(|token| token.is("no"))))
}
