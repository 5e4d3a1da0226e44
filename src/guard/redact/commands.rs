//! Commands whose secrets have no name: told by their place among the words, or by who reads them behind the pipe.

use super::scan::Scan;
use super::{COMMAND, HEADER};

/// Which of these rules a text can need at all, so that most texts are spared them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mentions {
    /// `user:password` lines.
    pub chpasswd: bool,
    /// A program that reads a secret from its standard input.
    reader: bool,
    /// A program that takes one at a certain place.
    place: bool,
    /// The public half of an AWS key.
    aws: bool,
}

impl Mentions {
    pub fn of(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        let any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        Self {
            chpasswd: any(&["chpasswd"]),
            reader: any(&["stdin", "passw", "sudo", "with-token", "su", "kinit", "crypt", "passphrase-fd", "secret"]),
            place: any(&["htpasswd", "net"]),
            aws: text.contains("AKIA") || text.contains("ASIA"),
        }
    }
}

impl Scan {
    pub(super) fn commands(&mut self, mentions: Mentions) -> bool {
        (mentions.aws && self.aws_secret())
            || (mentions.reader && (self.piped() || self.here_string()))
            || (mentions.place && self.at_its_place())
    }

    /// The secret half of an AWS key: 40 characters of base64, in a text that holds the public half too.
    fn aws_secret(&mut self) -> bool {
        const LENGTH: usize = 40;
        let belongs = |c: char| c.is_ascii_alphanumeric() || c == '/' || c == '+';
        if self.before().is_some_and(belongs) {
            return false;
        }
        let word = self.word(self.at, LENGTH + 1, belongs);
        let has = |is: fn(&char) -> bool| word.chars().any(|c| is(&c));
        if word.len() != LENGTH || !has(char::is_ascii_uppercase) || !has(char::is_ascii_lowercase) {
            return false;
        }
        self.mask_to(self.at + LENGTH);
        true
    }

    /// `echo secret | passwd --stdin bob`.
    fn piped(&mut self) -> bool {
        if !self.at_argument_start() {
            return false;
        }
        let name = self.word(self.at, 16, |c| c.is_ascii_alphabetic() || c == '-');
        if !["echo", "printf", "write-output", "write-host"].iter().any(|known| name.eq_ignore_ascii_case(known)) {
            return false;
        }
        let mut start = self.skip_blanks(self.at + name.len());
        while ["-n", "-e", "-E", "-ne", "-en", "--"].contains(&self.word(start, 4, |c| !c.is_whitespace()).as_str()) {
            start = self.skip_blanks(self.skip(start, |c| !c.is_whitespace()));
        }
        let Some(pipe) = self.pipe_after(start) else {
            return false;
        };
        let text = self.word(start, pipe.saturating_sub(start), |_| true);
        let end = start + text.trim_end().chars().count();
        let next: Vec<String> = words(&self.word(pipe + 1, COMMAND, |c| !"|;&\n".contains(c)));
        if end <= start || !reads_a_secret(&next) {
            return false;
        }
        self.copy_to(start);
        self.mask_to(end);
        true
    }

    /// Where the pipe is that ends the command going on here: not one in quotes, and no further than a header is long.
    fn pipe_after(&self, start: usize) -> Option<usize> {
        let mut quote = None;
        let mut escaped = false;
        for (ahead, c) in self.rest(start).take(HEADER).enumerate() {
            match (quote, c) {
                _ if escaped => escaped = false,
                (None | Some('"'), '\\') => escaped = true,
                (Some(open), c) if c == open => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(c),
                (None, '|') => return Some(start + ahead).filter(|at| self.char_at(at + 1) != Some('|')),
                (None, ';' | '&' | '\n') => return None,
                _ => {}
            }
        }
        None
    }

    /// `passwd --stdin bob <<< secret`.
    fn here_string(&mut self) -> bool {
        if !self.starts_with(self.at, "<<<") || !reads_a_secret(&self.command_before()) {
            return false;
        }
        let start = self.skip_blanks(self.at + 3);
        self.char_at(start).is_some() && self.mask_value_at(start)
    }

    /// The password at its place: `htpasswd -b FILE USER password`, `net user USER password`, `net use X: SHARE password`.
    fn at_its_place(&mut self) -> bool {
        let first = self.peek(0);
        if !self.at_argument_start() || first.is_none_or(|c| c.is_whitespace() || "-/*|;&<>)".contains(c)) {
            return false;
        }
        let before = self.command_before();
        if !is_htpasswd_place(&before) && !is_net_place(&before) {
            return false;
        }
        // A quote that closes here is no value, and then nothing was read.
        let at = self.at;
        self.mask_value_at(at);
        self.at > at
    }

    fn skip_blanks(&self, from: usize) -> usize {
        self.skip(from, |c| c == ' ' || c == '\t')
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(|word| word.trim_matches(['"', '\'', '`']).to_owned()).collect()
}

/// The words behind the program of this name.
fn behind<'w>(words: &'w [String], program: &str) -> Option<&'w [String]> {
    let at = words.iter().position(|word| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
        name.strip_suffix(".exe").unwrap_or(&name) == program
    })?;
    words.get(at + 1..)
}

/// Whether an argument is a cluster of short options with this one in it.
fn cluster(word: &str, option: char) -> bool {
    word.strip_prefix('-').is_some_and(|rest| !rest.starts_with('-') && rest.contains(option))
}

fn reads_a_secret(command: &[String]) -> bool {
    let has = |program: &str, fits: &dyn Fn(&str) -> bool| {
        behind(command, program).is_some_and(|rest| rest.iter().any(|word| fits(word)))
    };
    let plain = |program: &str| behind(command, program).is_some();
    command.iter().any(|word| {
        let option = word.trim_start_matches('-');
        option.len() < word.len()
            && (option == "with-token"
                || option == "passphrase-fd"
                || option.strip_suffix("-stdin").is_some_and(super::names::is_secret_name))
    }) || has("passwd", &|word| word == "--stdin")
        || has("sudo", &|word| word == "--stdin" || cluster(word, 'S'))
        || has("smbpasswd", &|word| cluster(word, 's'))
        || has("openssl", &|word| word == "stdin" || word == "fd:0")
        || has("secret", &|word| word == "create" || word == "add")
        || ["su", "kinit", "cryptsetup", "htpasswd", "vncpasswd", "gpg-preset-passphrase"]
            .iter()
            .any(|name| plain(name))
}

/// `-b` says that the password is the last argument: after file and user, or with `-n` after the user alone.
fn is_htpasswd_place(before: &[String]) -> bool {
    let Some(rest) = behind(before, "htpasswd") else {
        return false;
    };
    let mut places = 0;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if cluster(word, 'C') {
            words.next();
        } else if !word.starts_with('-') {
            places += 1;
        }
    }
    let wanted = if rest.iter().any(|word| cluster(word, 'n')) { 1 } else { 2 };
    places == wanted && rest.iter().any(|word| cluster(word, 'b'))
}

fn is_net_place(before: &[String]) -> bool {
    let Some([verb, rest @ ..]) = behind(before, "net").or_else(|| behind(before, "net1")) else {
        return false;
    };
    match verb.to_ascii_lowercase().as_str() {
        "user" => rest.iter().filter(|word| !word.starts_with('/')).count() == 1,
        // Everything behind the share but the options.
        "use" => rest.iter().any(|word| word.starts_with("\\\\") || word.starts_with("//")),
        _ => false,
    }
}
