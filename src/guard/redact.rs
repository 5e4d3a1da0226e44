//! Takes secrets out of the text of an action before it becomes part of a tag, which everybody who may see the VPG
//! can read and nobody can take back.
//!
//! Rules by shape, not by tool: `name=value` and headers where the name says secret, options whose next word is one,
//! logins in URLs, tokens that can be told by their prefix, and the few programs that take a password under a short
//! option. When in doubt more is taken out: a tag is a label, nobody runs it again.
//!
//! Must not: know a file, clock, network or environment (pure); be relied on to hide a secret that has no shape.

use super::redact_names::{is_secret_name, token_length};

/// What stands in a secret's place.
pub(crate) const MASK: &str = "***";

/// The text without what looks like a secret. Doing it twice changes nothing.
#[must_use]
pub fn redact(text: &str) -> String {
    let mut text = text.to_owned();
    // A mask can bring a rule's trigger next to something new, so until nothing changes. The bound is for safety.
    for _ in 0..16 {
        let next = pass(&text);
        if next == text {
            break;
        }
        text = next;
    }
    text
}

fn pass(text: &str) -> String {
    let mut scan = Scan { chars: text.chars().collect(), at: 0, out: String::with_capacity(text.len()) };
    // `echo user:password | chpasswd`: the one program whose secrets come before its name.
    let chpasswd = text.contains("chpasswd");
    while let Some(c) = scan.peek(0) {
        let found = scan.at_word_start()
            && (scan.pem()
                || scan.known_token()
                || scan.url_login()
                || scan.header()
                || scan.option()
                || scan.named_value()
                || scan.after_words()
                || (chpasswd && scan.colon_login()));
        if !found {
            scan.out.push(c);
            scan.at += 1;
        }
    }
    scan.out
}

struct Scan {
    chars: Vec<char>,
    at: usize,
    out: String,
}

impl Scan {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at.saturating_add(ahead)).copied()
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    fn before(&self) -> Option<char> {
        self.at.checked_sub(1).and_then(|at| self.char_at(at))
    }

    fn at_word_start(&self) -> bool {
        !self.before().is_some_and(|c| c.is_alphanumeric() || c == '_')
    }

    /// Whether a shell word begins here: after white space, a quote, a bracket, a separator, or nothing.
    fn at_argument_start(&self) -> bool {
        self.before().is_none_or(|c| c.is_whitespace() || "\"'`([{;|&,=".contains(c))
    }

    /// The run of characters from `from` that `belongs` accepts.
    fn run(&self, from: usize, belongs: impl Fn(char) -> bool) -> String {
        self.chars.iter().skip(from).take_while(|c| belongs(**c)).collect()
    }

    fn skip(&self, from: usize, belongs: impl Fn(char) -> bool) -> usize {
        from + self.run(from, belongs).chars().count()
    }

    fn starts_with(&self, from: usize, what: &str) -> bool {
        let mut here = self.chars.iter().skip(from);
        what.chars().all(|c| here.next().is_some_and(|h| h.eq_ignore_ascii_case(&c)))
    }

    /// Whether the text written so far leaves this kind of quote open.
    fn inside(&self, quote: char) -> bool {
        self.out.chars().filter(|c| *c == quote).count() % 2 == 1
    }

    fn copy_to(&mut self, end: usize) {
        let text: String = self.chars.iter().skip(self.at).take(end.saturating_sub(self.at)).collect();
        self.out.push_str(&text);
        self.at = end;
    }

    /// Writes the mask instead of everything up to `end`.
    fn mask_to(&mut self, end: usize) {
        self.out.push_str(MASK);
        self.at = end;
    }

    /// Masks the value that begins here: a quoted string (its quotes stay), or a shell word with its quoted parts.
    /// False, and nothing done, if no value begins here.
    fn mask_value(&mut self) -> bool {
        let escaped = usize::from(self.peek(0) == Some('\\'));
        if let Some(quote) = self.peek(escaped).filter(|c| "\"'`".contains(*c)) {
            if escaped == 0 && self.inside(quote) {
                return false;
            }
            let start = self.at + escaped + 1;
            let end = self.closing(start, quote, escaped == 1);
            if end == start && self.char_at(end).is_some() {
                return false; // ""
            }
            self.copy_to(start);
            self.mask_to(end);
            let after = end + escaped + 1;
            if self.char_at(end).is_some() {
                self.copy_to(after.min(self.chars.len()));
            }
            // `"a"b` is one shell word, and a secret to its end.
            if self.peek(0).is_some_and(|c| c.is_alphanumeric() || "_-$*".contains(c)) {
                self.at = self.word_end(self.at);
            }
            return true;
        }
        let end = self.word_end(self.at);
        if end == self.at {
            return false;
        }
        self.mask_to(end);
        true
    }

    /// Where the quoted string that began before `from` ends: the position of its closing quote, or the text's end.
    fn closing(&self, from: usize, quote: char, escaped: bool) -> usize {
        let mut at = from;
        while let Some(c) = self.char_at(at) {
            if escaped {
                if c == '\\' && self.char_at(at + 1) == Some(quote) {
                    return at;
                }
            } else if c == '\\' && quote == '"' {
                at += 1;
            } else if c == quote {
                return at;
            }
            at += 1;
        }
        self.chars.len()
    }

    /// Where the unquoted word that goes on at `from` ends. Quoted parts belong to it, unless the quote closes one
    /// that was open before the word.
    fn word_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(c) = self.char_at(at) {
            match c {
                c if c.is_whitespace() || "&;|<>)".contains(c) => break,
                '"' | '\'' | '`' => {
                    if self.inside(c) {
                        break;
                    }
                    at = self.closing(at + 1, c, false);
                }
                '\\' if self.char_at(at + 1).is_some_and(|c| "\"'".contains(c)) => break,
                '\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        at.min(self.chars.len())
    }

    /// `-----BEGIN … PRIVATE KEY-----` up to its end.
    fn pem(&mut self) -> bool {
        if !self.starts_with(self.at, "-----BEGIN ") {
            return false;
        }
        let rest: String = self.chars.iter().skip(self.at).collect();
        let Some(head) = rest.find("PRIVATE KEY") else {
            return false;
        };
        let end = rest
            .find("-----END ")
            .filter(|end| *end > head)
            .and_then(|end| rest.get(end + 9..).map(|tail| (end + 9, tail)))
            .and_then(|(start, tail)| tail.find("-----").map(|end| start + end + 5))
            .and_then(|end| rest.get(..end))
            .map_or(self.chars.len(), |block| self.at + block.chars().count());
        self.mask_to(end);
        true
    }

    /// A token that its prefix gives away, wherever it stands.
    fn known_token(&mut self) -> bool {
        let word = self.run(self.at, |c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        let Some(length) = token_length(&word) else {
            return false;
        };
        self.mask_to(self.at + length);
        true
    }

    /// `scheme://user:password@host`.
    fn url_login(&mut self) -> bool {
        let scheme = self.skip(self.at, |c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        if scheme == self.at || !self.starts_with(scheme, "://") {
            return false;
        }
        let start = scheme + 3;
        let authority = self.run(start, |c| !c.is_whitespace() && !"/?#\"'`<>".contains(c));
        // The last @ ends the login; a password may hold others. A slash in a password has to be written %2F.
        let Some((login, _)) = authority.rsplit_once('@') else {
            return false;
        };
        let Some((user, password)) = login.split_once(':') else {
            return false;
        };
        if password.is_empty() {
            return false;
        }
        let colon = start + user.chars().count() + 1;
        self.copy_to(colon);
        self.mask_to(start + login.chars().count());
        true
    }

    /// `Authorization: …`, `Cookie: …`, and a `Bearer` on its own.
    fn header(&mut self) -> bool {
        let name = self.run(self.at, |c| c.is_ascii_alphabetic() || c == '-');
        let after = self.at + name.chars().count();
        let lower = name.to_ascii_lowercase();
        if lower == "bearer" {
            let start = self.skip(after, |c| c == ' ');
            let token = self.run(start, |c| c.is_ascii_alphanumeric() || "._~+/=-".contains(c));
            // Long enough to be no word of a sentence.
            if start == after || token.len() < 16 {
                return false;
            }
            self.copy_to(start);
            self.mask_to(start + token.len());
            return true;
        }
        if !matches!(lower.as_str(), "authorization" | "proxy-authorization" | "cookie" | "set-cookie") {
            return false;
        }
        let quote_after = self.skip(after, |c| "\"'\\ ".contains(c));
        if !self.char_at(quote_after).is_some_and(|c| ":=".contains(c)) {
            return false;
        }
        let start = self.skip(quote_after + 1, |c| c == ' ' || c == '\t');
        let Some(first) = self.char_at(start) else {
            return false;
        };
        self.copy_to(start);
        if "\"'\\".contains(first) && !self.inside(first) {
            return self.mask_value();
        }
        // Inside quotes the header ends with them, else with the line: a scheme, a space and the value.
        let open: Vec<char> = "\"'".chars().filter(|q| self.inside(*q)).collect();
        let end =
            self.skip(start, |c| !open.contains(&c) && !"\r\n".contains(c) && (!open.is_empty() || !"\"'".contains(c)));
        if end == start {
            return false;
        }
        if open.is_empty() {
            self.mask_unquoted_header(end);
        } else {
            self.mask_to(end);
        }
        true
    }

    /// Without quotes what follows may not belong to the header any more: a scheme and one word are taken, and
    /// what has the shape of parameters or of further cookies (`name=value`).
    fn mask_unquoted_header(&mut self, line_end: usize) {
        const SCHEMES: [&str; 9] =
            ["bearer", "basic", "token", "digest", "negotiate", "ntlm", "apikey", "aws4-hmac-sha256", "hawk"];
        let mut end = self.skip(self.at, |c| !c.is_whitespace());
        let first = self.run(self.at, |c| !c.is_whitespace()).to_ascii_lowercase();
        let mut scheme = SCHEMES.contains(&first.as_str());
        loop {
            let next = self.skip(end, |c| c == ' ' || c == '\t');
            let word = self.run(next, |c| !c.is_whitespace());
            if next >= line_end || !(scheme || word.contains('=')) {
                break;
            }
            scheme = false;
            end = next + word.chars().count();
        }
        self.mask_to(end.min(line_end));
    }

    /// `--password value`, `-Token value`, and the short options of programs that are known for them.
    fn option(&mut self) -> bool {
        if !self.at_argument_start() || !self.peek(0).is_some_and(|c| "-/".contains(c)) {
            return false;
        }
        let name_start = self.skip(self.at, |c| c == '-' || c == '/');
        let name = self.run(name_start, |c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if let Some(start) =
            super::redact_names::short_option(&self.command_before(), &self.run(self.at, |c| !c.is_whitespace()))
        {
            return self.short_option(start);
        }
        if self.peek(0) != Some('-') || !is_secret_name(&name) || super::redact_names::is_a_switch(&name) {
            return false;
        }
        let end = name_start + name.chars().count();
        let value = self.skip(end, char::is_whitespace);
        // Neither an option nor a separator is a value; `--password=x` is the business of `named_value`.
        if value == end || self.char_at(value).is_none_or(|c| "-<>|&;".contains(c)) {
            return false;
        }
        self.copy_to(value);
        // `-Password (ConvertTo-SecureString 'x' …)`: what is in the brackets has rules of its own.
        self.peek(0) == Some('(') || self.mask_value()
    }

    /// A short option whose value starts `attached` characters on, or with the next word.
    fn short_option(&mut self, option: super::redact_names::Short) -> bool {
        let mut start = self.at + option.length;
        if !option.attached {
            let next = self.skip(start, char::is_whitespace);
            if next == start || self.char_at(next).is_none_or(|c| "-<>|&;".contains(c)) {
                return false;
            }
            start = next;
        }
        self.copy_to(start);
        let Some(separator) = option.login_separator else {
            return self.mask_value();
        };
        // user:password, quoted or not: the user's name is no secret.
        let quote = self.skip(self.at, |c| "\"'\\".contains(c));
        let user = self.skip(quote, |c| c != separator && !c.is_whitespace() && !"\"'".contains(c));
        if self.char_at(user) != Some(separator) {
            return true;
        }
        self.copy_to(user + 1);
        let end = self.skip(self.at, |c| !"\"'".contains(c) && (quote > start || !c.is_whitespace()));
        if end > self.at {
            self.mask_to(end);
        }
        true
    }

    /// The words of the simple command that this argument belongs to, as far as they have been read.
    fn command_before(&self) -> Vec<String> {
        let text: String = self.chars.iter().take(self.at).collect();
        text.rsplit([';', '|', '&', '\n', '('])
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'', '`']).to_owned())
            .collect()
    }

    /// `name=value`, `name: value`, `"name": "value"`.
    fn named_value(&mut self) -> bool {
        let name = self.run(self.at, |c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        if !is_secret_name(&name) {
            return false;
        }
        let end = self.at + name.chars().count();
        let mut at = self.skip(end, |c| "\"'\\]".contains(c));
        at = self.skip(at, |c| c == ' ');
        if self.char_at(at) == Some('+') || self.char_at(at) == Some(':') && self.char_at(at + 1) == Some('=') {
            at += 1;
        }
        if !self.char_at(at).is_some_and(|c| ":=".contains(c)) {
            return false;
        }
        at += 1;
        if self.char_at(at).is_some_and(|c| "=>".contains(c)) {
            at += 1;
        }
        at = self.skip(at, |c| c == ' ' || c == '\t');
        if self.char_at(at).is_none() {
            return false;
        }
        // The current folder, and a name before a path such as scp's `pass:/etc/x`.
        if matches!(name.as_str(), "PWD" | "OLDPWD")
            || self.char_at(at) == Some('/') && self.char_at(at - 1) == Some(':')
        {
            return false;
        }
        self.copy_to(at);
        self.mask_value()
    }

    /// Values that follow words: `IDENTIFIED BY 'x'`, `PASSWORD 'x'`, `ConvertTo-SecureString x`, `pass:x` of openssl.
    fn after_words(&mut self) -> bool {
        for (words, quoted_only) in [
            ("identified by ", false),
            ("identified by password ", false),
            ("password ", true),
            ("convertto-securestring -string ", false),
            ("convertto-securestring ", false),
        ] {
            if !self.starts_with(self.at, words) {
                continue;
            }
            let value = self.skip(self.at + words.len(), |c| c == ' ');
            let Some(first) = self.char_at(value) else {
                continue;
            };
            if first == '-' || first == '$' || (quoted_only && !"\"'\\".contains(first)) {
                continue;
            }
            self.copy_to(value);
            return self.mask_value();
        }
        if self.starts_with(self.at, "net user ") {
            let name = self.skip(self.at + 9, |c| !c.is_whitespace());
            let value = self.skip(name, |c| c == ' ');
            if self.char_at(value).is_some_and(|c| !"/*|;&".contains(c)) {
                self.copy_to(value);
                return self.mask_value();
            }
        }
        false
    }

    /// `root:secret` as chpasswd reads it.
    fn colon_login(&mut self) -> bool {
        if !self.at_argument_start() {
            return false;
        }
        let user = self.skip(self.at, |c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        if user == self.at || self.char_at(user) != Some(':') || self.starts_with(user, "://") {
            return false;
        }
        self.copy_to(user + 1);
        self.mask_value();
        true
    }
}

#[cfg(test)]
#[path = "tests/redact.rs"]
mod tests;
