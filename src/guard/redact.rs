//! Takes secrets out of the text of an action before it becomes part of a tag, which everybody who may see the VPG
//! can read and nobody can take back.
//!
//! Rules by shape, not by tool: `name=value`, `name value` and headers where the name says secret, options whose next
//! word is one, logins in URLs, tokens that can be told by their prefix, and the few programs that take a password under
//! a short option, at a place of its own, or from a pipe. When in doubt more is taken out: a tag is a label, nobody runs it again.
//!
//! Must not: know a file, clock, network or environment (pure); be relied on to hide a secret that has no shape.

mod commands;
mod names;
mod prose;
mod scan;

use commands::Mentions;
use names::{Short, is_a_switch, is_key_name, is_secret_name, may_be_token, short_option, token_length};
use prose::Behind;
use scan::Scan;

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
    let mut scan = Scan::new(text);
    let mentions = Mentions::of(text);
    while scan.peek(0).is_some() {
        // Each rule answers whether it has read on.
        let found = scan.at_word_start()
            && (scan.pem()
                || scan.known_token()
                || scan.url_login()
                || scan.header()
                || scan.option()
                || scan.named_value()
                || scan.after_words()
                || scan.commands(mentions)
                || scan.setting()
                || (mentions.chpasswd && scan.colon_login()));
        if !found {
            scan.copy_to(scan.at + 1);
        }
    }
    scan.done()
}

/// The longest name of a value, an option or a header.
const NAME: usize = 128;
/// The longest token: JSON web tokens hold some KiB.
const TOKEN: usize = 16 * 1024;
/// The longest value of a header that is masked as one.
const HEADER: usize = 4 * 1024;
/// How far back a command's name is looked for.
const COMMAND: usize = 512;

/// The rules.
impl Scan {
    /// `-----BEGIN … PRIVATE KEY-----` up to its end.
    fn pem(&mut self) -> bool {
        if !self.starts_with(self.at, "-----BEGIN ") || !self.word(self.at, NAME, |_| true).contains("PRIVATE KEY-----")
        {
            return false;
        }
        let block: String = self.rest(self.at).collect();
        let end = block
            .split_once("-----END ")
            .and_then(|(body, tail)| Some((body, tail.split_once("-----")?.0)))
            .map_or(block.chars().count(), |(body, name)| {
                body.chars().count() + name.chars().count() + "-----END -----".len()
            });
        self.mask_to(self.at + end);
        true
    }

    /// A token that its prefix gives away, wherever it stands.
    fn known_token(&mut self) -> bool {
        let belongs = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if !may_be_token(&self.word(self.at, 12, belongs)) {
            return false;
        }
        let Some(length) = token_length(&self.word(self.at, TOKEN, belongs)) else {
            return false;
        };
        self.mask_to(self.at + length);
        true
    }

    /// `scheme://user:password@host`.
    fn url_login(&mut self) -> bool {
        let name = self.word(self.at, NAME, |c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        let scheme = self.at + name.len();
        if name.is_empty() || !self.starts_with(scheme, "://") {
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
        let name = self.word(self.at, NAME, |c| c.is_ascii_alphabetic() || c == '-');
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
            return self.mask_value_at(start);
        }
        // Inside quotes the header ends with them, else with the line: a scheme, a space and the value.
        let open: Vec<char> = "\"'".chars().filter(|q| self.inside(*q)).collect();
        let value = self.word(start, HEADER, |c| {
            !open.contains(&c) && !"\r\n".contains(c) && (!open.is_empty() || !"\"'".contains(c))
        });
        let end = start + value.chars().count();
        if end == start {
            return true;
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
        let name = self.word(name_start, NAME, |c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if let Some(start) = short_option(&self.command_before(), &self.word(self.at, NAME, |c| !c.is_whitespace())) {
            return self.short_option(start);
        }
        if self.peek(0) != Some('-') || !is_secret_name(&name) || is_a_switch(&name) {
            return false;
        }
        let end = name_start + name.chars().count();
        let mut value = self.next_word(end);
        if value == end {
            value = self.next_item(end);
        }
        // Neither an option nor a separator is a value; `--password=x` is the business of `named_value`.
        if value == end || self.char_at(value).is_none_or(|c| "-<>|&;".contains(c)) {
            return false;
        }
        if self.char_at(value) == Some('(') {
            // `-Password (ConvertTo-SecureString 'x' …)`: what is in the brackets has rules of its own.
            self.copy_to(value);
            return true;
        }
        self.mask_value_at(value)
    }

    /// A short option whose value starts `attached` characters on, or with the next word.
    fn short_option(&mut self, option: Short) -> bool {
        let mut start = self.at + option.length;
        if !option.attached {
            let next = self.next_word(start);
            if next == start || self.char_at(next).is_none_or(|c| "-<>|&;".contains(c)) {
                return false;
            }
            start = next;
        }
        let Some(separator) = option.login_separator else {
            return self.mask_value_at(start);
        };
        self.copy_to(start);
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
        self.read(COMMAND)
            .rsplit([';', '|', '&', '\n', '('])
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'', '`']).to_owned())
            .collect()
    }

    /// `name=value`, `name: value`, `"name": "value"`.
    fn named_value(&mut self) -> bool {
        let name = self.word(self.at, NAME, |c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        let end = self.at + name.chars().count();
        // `primary key: id` is prose; `key=` is a setting.
        let is_key = || self.char_at(end) == Some('=') && is_key_name(&name) && !self.in_a_name();
        if !is_secret_name(&name) && !is_key() {
            return false;
        }
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
        self.mask_value_at(at)
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
            return self.mask_value_at(value);
        }
        if self.starts_with(self.at, "set password for ") {
            // SQL: an equals sign behind the user, then the value.
            let user = self.skip(self.at + 17, |c| !c.is_whitespace() && c != '=');
            let equals = self.skip(user, |c| c == ' ');
            let value = self.skip(equals + 1, |c| c == ' ');
            if self.char_at(equals) == Some('=') && self.char_at(value).is_some() {
                return self.mask_value_at(value);
            }
        }
        if self.starts_with(self.at, "password(") {
            let value = self.skip(self.at + 9, |c| c == ' ');
            if self.char_at(value).is_some_and(|c| "\"'\\".contains(c)) {
                return self.mask_value_at(value);
            }
        }
        false
    }

    /// `requirepass secret`, `set password secret for bob`: a name and the word behind it.
    fn setting(&mut self) -> bool {
        if !self.at_argument_start() && self.before() != Some(':') {
            return false;
        }
        let name = self.word(self.at, NAME, |c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        if name.starts_with('-') || !is_secret_name(&name) {
            return false;
        }
        let end = self.at + name.chars().count();
        let value = |scan: &Self, end: usize| {
            let start = scan.skip(end, |c| c == ' ' || c == '\t');
            let word = scan.word(start, NAME, |c| !c.is_whitespace());
            let fits = start > end && !word.is_empty() && !word.starts_with(|c: char| "-<>|&;=:()[]{}#".contains(c));
            fits.then_some((start, word))
        };
        let Some((start, word)) = value(self, end) else {
            return false;
        };
        let before = self.command_before();
        let next = value(self, start + word.chars().count());
        match prose::behind(&before, &name, &word) {
            Behind::Plain => false,
            Behind::After => match next {
                Some((start, next)) if prose::behind_lead(&before, &word, &next) => self.mask_value_at(start),
                _ => false,
            },
            Behind::Secret => {
                self.mask_value_at(start);
                // `password 7 0822455D0A16`: the kind of hash, as routers write it.
                if let Some((start, _)) =
                    next.filter(|_| word.len() == 1 && word.starts_with(|c: char| c.is_ascii_digit()))
                {
                    self.mask_value_at(start);
                }
                true
            }
        }
    }

    /// `root:secret` as chpasswd reads it.
    fn colon_login(&mut self) -> bool {
        if !self.at_argument_start() {
            return false;
        }
        let name = self.word(self.at, NAME, |c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        let user = self.at + name.len();
        if name.is_empty() || self.char_at(user) != Some(':') || self.starts_with(user, "://") {
            return false;
        }
        self.mask_value_at(user + 1)
    }
}

#[cfg(test)]
#[path = "tests/redact.rs"]
mod tests;
