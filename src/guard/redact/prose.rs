//! A secret's name and the word behind it: a setting (`requirepass hunter2`), or a sentence ("the password policy")?
//!
//! A name of several parts is a setting. A bare "password" or "token" may be either, so the words around it decide, and
//! in doubt it is a setting: a tag that says too little does less harm than one that says too much. Lists and pure.

use super::names::{is_a_switch, is_secret_name};

/// Words of a sentence that are no value: what follows them may be one.
const LEAD: [&str; 6] = ["to", "is", "as", "was", "are", "be"];

/// Words that stand behind a secret's name and are none: of a sentence, of SQL, and what is done to a secret.
const WORDS: &str = " a an the this that these those its his her their your my our of for from in on at by and or not no \
    with without has have had will can may must should would if when then than so but were been via per into until only \
    policy policies file files manager management prompt expiry expiration expire expires rotation reset change changes \
    changed hash hashes store stores storage page length rule rules setting settings authentication auth field fields \
    database databases service services server servers table column bucket key keys ring api endpoint cache config option \
    options parameter lookup renew revoke generate create delete remove rm list ls get set put show view add edit update \
    describe inspect rotate import export enable disable check verify generic tls docker-registry null never interval \
    require protected based less provider vault name names ";

/// What goes before a name in a sentence.
const DETERMINERS: &str = " a an the this that these those its his her their your my our each every any no of for ";

/// What is done to a secret that is called by its name: `kubectl get secret web`.
const READS: &str =
    " get describe delete edit inspect rm remove read list ls view show label annotate patch lookup revoke ";

/// Programs called like a secret: what follows them is a user or a file.
const PROGRAMS: &str =
    " passwd gpasswd smbpasswd chpasswd htpasswd ldappasswd vncpasswd kpasswd yppasswd sshpass pwd pass ";

/// What a name is followed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// The next word is the secret.
    Secret,
    /// The word after the next one may be the secret.
    After,
    /// Nothing secret.
    Plain,
}

/// What the word behind the name is; `before` are the words of the command in front of the name.
pub(super) fn behind(before: &[String], name: &str, word: &str) -> Behind {
    let reads = ["get", "list", "read", "describe", "delete", "remove", "find"];
    let first = name.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    if is_a_switch(name) || (first.len() < name.len() && reads.contains(&first.as_str())) {
        return Behind::Plain;
    }
    let lower = bare(word).to_ascii_lowercase();
    let last = before.last().map(|word| word.to_ascii_lowercase()).unwrap_or_default();
    let flat = name.trim_start_matches('_').to_ascii_lowercase();
    if among(PROGRAMS, &flat) && (before.is_empty() || matches!(last.as_str(), "sudo" | "doas")) {
        return Behind::Plain;
    }
    // Who puts quotes around it means a value.
    if word.starts_with(['"', '\'', '\\']) {
        return Behind::Secret;
    }
    if LEAD.contains(&lower.as_str()) {
        return Behind::After;
    }
    if among(WORDS, &lower) {
        return Behind::Plain;
    }
    if !is_bare(&flat) {
        return Behind::Secret;
    }
    let sentence = among(DETERMINERS, &last) || matches!(flat.as_str(), "pass" | "pwd" | "credentials");
    let called = among(READS, &last) && !flat.starts_with("pass");
    if called || (sentence && is_ordinary(word)) { Behind::Plain } else { Behind::Secret }
}

/// Whether `password to X` or `token is X` names a secret: always where it is set, else if X is no ordinary word.
pub(super) fn behind_lead(before: &[String], lead: &str, word: &str) -> bool {
    let set = ["set", "change", "reset", "update", "changed", "setting", "make"];
    let sets = lead.eq_ignore_ascii_case("to")
        && before.iter().any(|word| set.contains(&word.to_ascii_lowercase().as_str()))
        && !among(WORDS, &bare(word).to_ascii_lowercase());
    sets || !is_ordinary(word)
}

/// One word that says secret and nothing more.
fn is_bare(name: &str) -> bool {
    const BARE: &str = " password passwd passphrase passcode pwd pass secret token credential credentials ";
    is_secret_name(name) && among(BARE, name)
}

/// A word as sentences hold them: letters, at most the first one a capital.
fn is_ordinary(word: &str) -> bool {
    let word = bare(word);
    let mut letters = word.chars();
    letters.next().is_none_or(char::is_alphabetic) && letters.all(|c| c.is_lowercase() || c == '-' || c == '\'')
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| ".,;:!?()[]\"'`".contains(c))
}

fn among(list: &str, word: &str) -> bool {
    !word.is_empty() && !word.contains(' ') && list.contains(&format!(" {word} "))
}
