//! Reads a machine's name as programs are given it: users, ports, brackets, lists and ranges. Pure.

use crate::classify::effect::Host;
use crate::classify::word::Word;
use std::net::IpAddr;

/// A machine as a word of a command line names it, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// Who logs in, if the word says so.
    pub user: Option<Word>,
    /// The machine, without brackets.
    pub host: Word,
    /// The port, if the word says so.
    pub port: Option<Word>,
}

/// Takes `user@host` apart; the last `@` counts, as for ssh.
#[must_use]
pub fn user_at_host(word: &Word) -> Place {
    let (user, host) = match split_last(word, '@') {
        Some((user, host)) => (Some(user), host),
        None => (None, word.clone()),
    };
    Place { user, host: without_brackets(&host), port: None }
}

/// Takes `user@host:port` or `user@[address]:port` apart; an address of IP version 6 without brackets has no port.
#[must_use]
pub fn with_port(word: &Word) -> Place {
    let mut place = user_at_host(word);
    let host = split_last(word, '@').map_or_else(|| word.clone(), |(_, host)| host);
    let Some(known) = host.known() else {
        // A port behind a name that is not known.
        if let Some((name, port)) = split_last(&host, ':') {
            place = Place { host: name, port: Some(port), ..place };
        } else if let Some((name, port)) = host.split_once(':') {
            place = Place { host: without_brackets(&name), port: Some(port), ..place };
        }
        return place;
    };
    if let Some((address, rest)) = known.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        place.host = address.into();
        place.port = rest.strip_prefix(':').filter(|port| !port.is_empty()).map(Word::from);
    } else if known.matches(':').count() == 1
        && let Some((name, port)) = known.split_once(':')
    {
        place.host = name.into();
        place.port = (!port.is_empty()).then(|| port.into());
    }
    place
}

/// What stands behind `scheme://`: the machine, and the path without its leading slash if there is one.
#[must_use]
pub fn url(word: &Word, scheme: &str) -> Option<(Place, Option<Word>)> {
    let rest = word.strip_prefix(scheme)?;
    let rest = rest.strip_prefix("://")?;
    Some(match rest.split_once('/') {
        Some((place, path)) => (with_port(&place), Some(path)),
        None => (with_port(&rest), None),
    })
}

/// What stands before and behind the last `mark`, if nothing unknown stands behind it.
fn split_last(word: &Word, mark: char) -> Option<(Word, Word)> {
    let stretches: Vec<&str> = word.stretches().collect();
    let (last, front) = stretches.split_last()?;
    let (before, behind) = last.rsplit_once(mark)?;
    let mut head = Word::default();
    for stretch in front {
        head.push_text(stretch);
        head.push_hole();
    }
    head.push_text(before);
    Some((head, behind.into()))
}

fn without_brackets(host: &Word) -> Word {
    host.known().and_then(|text| text.strip_prefix('[')?.strip_suffix(']')).map_or_else(|| host.clone(), Word::from)
}

/// The machine behind a name or address, if nothing but the name counts.
#[must_use]
pub fn host(name: &Word) -> Host {
    match name.known() {
        Some(name) => named(name),
        None => Host::Unknown(format!("the machine `{}` is only known when it runs", name.shown())),
    }
}

/// The machine behind a name or address that is known.
#[must_use]
pub fn named(name: &str) -> Host {
    if let Some(why) = fault(name) {
        Host::Unknown(why)
    } else if loopback(name) {
        Host::Same
    } else {
        Host::named(name)
    }
}

/// Why a name is none for a machine.
#[must_use]
pub fn fault(name: &str) -> Option<String> {
    let odd = |c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%'));
    if name.is_empty() {
        return Some("the machine's name is empty".to_owned());
    }
    if name.starts_with('-') || name.contains(odd) || (name.contains([':', '%']) && address(name).is_none()) {
        return Some(format!("`{name}` is no name of a machine"));
    }
    // `0x7f.1` and `2130706433` are addresses to the resolver, though nobody writes them so.
    let numbers = name.split('.').all(|part| {
        let part = part.trim_start_matches("0x").trim_start_matches("0X");
        part.chars().all(|c| c.is_ascii_hexdigit())
            && (part.is_empty() || part.starts_with(|c: char| c.is_ascii_digit()))
    });
    let all_digits = name.split('.').all(|part| part.chars().all(|c| c.is_ascii_digit()));
    let hex = name.split('.').any(|part| part.starts_with("0x") || part.starts_with("0X"));
    if numbers && (all_digits || hex) && address(name).is_none() && !loopback(name) {
        return Some(format!("`{name}` is an oddly written address"));
    }
    None
}

fn address(name: &str) -> Option<IpAddr> {
    // The zone of a link-local address names an interface.
    name.split_once('%').map_or(name, |(address, _)| address).parse().ok()
}

/// Whether a name or address is the machine itself.
#[must_use]
pub fn loopback(name: &str) -> bool {
    let plain = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    if let Some(address) = address(&plain) {
        let address = address.to_canonical();
        return address.is_loopback() || address.is_unspecified();
    }
    let short = plain.strip_prefix("127.").is_some_and(|rest| {
        rest.split('.').count() < 3
            && rest
                .split('.')
                .all(|part| !part.is_empty() && part.len() < 9 && part.bytes().all(|b| b.is_ascii_digit()))
    });
    let names =
        ["localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback", "0"];
    short || names.contains(&plain.as_str()) || plain.ends_with(".localhost")
}

/// No list names more machines.
const MOST: usize = 256;

/// No name in a list holds more ranges.
const MOST_RANGES: usize = 8;

/// Adds a machine to those that a command names, as long as they can be told apart at a glance.
pub fn add(host: Host, all: &mut Vec<Host>) {
    if all.len() > MOST || all.contains(&host) {
        return;
    }
    let full = all.len() == MOST;
    all.push(if full { Host::Unknown(format!("it names more than {MOST} machines")) } else { host });
}

/// The names of a list as pdsh and clush write it: `web[01-03,7],db1`; leading zeros are kept.
///
/// # Errors
/// Why it can't be told, in words that follow a "since".
pub fn list(text: &str) -> Result<Vec<String>, String> {
    list_of(text, MOST)
}

/// The same, of a list that may hold so many names: what is picked from is longer than what is picked.
///
/// # Errors
/// Why it can't be told, in words that follow a "since".
pub fn list_of(text: &str, most: usize) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for item in parts(text) {
        if item.matches('[').count() > MOST_RANGES {
            return Err(format!("a name in the list holds more than {MOST_RANGES} ranges"));
        }
        if !item.is_empty() {
            spread(item, most, &mut all)?;
        }
    }
    Ok(all)
}

/// The parts between the commas outside brackets, as `pdsh` and `clush` part a list.
pub fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

fn spread(item: &str, most: usize, all: &mut Vec<String>) -> Result<(), String> {
    let Some((front, rest)) = item.split_once('[') else {
        if all.len() >= most {
            return Err(format!("the list names more than {most} machines"));
        }
        all.push(item.to_owned());
        return Ok(());
    };
    let odd = || format!("the range in `{item}` can't be read");
    let (inside, back) = rest.split_once(']').ok_or_else(odd)?;
    // An address in brackets is no range.
    if front.is_empty() && inside.contains(':') {
        all.push(inside.to_owned());
        return Ok(());
    }
    for part in inside.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let digits = |text: &str| !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(from) || !digits(to) {
            return Err(odd());
        }
        let (first, last): (usize, usize) = (from.parse().map_err(|_| odd())?, to.parse().map_err(|_| odd())?);
        if last < first {
            return Err(odd());
        }
        if last - first >= most {
            return Err(format!("the list names more than {most} machines"));
        }
        for number in first..=last {
            spread(&format!("{front}{number:0width$}{back}", width = from.len()), most, all)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(host: &Host) -> String {
        match host {
            Host::Named { typed, .. } => typed.clone(),
            Host::Same => "same".to_owned(),
            Host::Unknown(_) => "?".to_owned(),
        }
    }

    #[test]
    fn names_and_addresses() {
        for (name, expected) in [
            ("web01", "web01"),
            ("10.0.0.7", "10.0.0.7"),
            ("fe80::1%eth0", "fe80::1%eth0"),
            ("localhost", "same"),
            ("LOCALHOST.", "same"),
            ("app.localhost", "same"),
            ("127.0.0.1", "same"),
            ("127.8.9.1", "same"),
            ("127.1", "same"),
            ("::1", "same"),
            ("::ffff:127.0.0.1", "same"),
            ("0.0.0.0", "same"),
            ("128.0.0.1", "128.0.0.1"),
            ("127.0.0.1.example.com", "127.0.0.1.example.com"),
            ("localhost.example.com", "localhost.example.com"),
            ("127.evil.com", "127.evil.com"),
            ("-oProxyCommand=x", "?"),
            ("", "?"),
            ("a b", "?"),
            ("web01;reboot", "?"),
            ("web01:22", "?"),
            ("2130706433", "?"),
            ("0x7f000001", "?"),
            ("0x7f.1", "?"),
            ("10.1", "?"),
            ("web*", "?"),
            ("beef", "beef"),
            ("3com", "3com"),
        ] {
            assert_eq!(shown(&named(name)), expected, "{name}");
        }
        assert_eq!(shown(&host(&Word::unknown())), "?");
    }

    #[test]
    fn users_and_ports() {
        for (word, expected) in [
            ("web01", "-|web01|-"),
            ("root@web01", "root|web01|-"),
            ("a@b@web01:2222", "a@b|web01|2222"),
            ("[::1]:22", "-|::1|22"),
            ("u@[fe80::2]", "u|fe80::2|-"),
            ("fe80::2", "-|fe80::2|-"),
        ] {
            let place = with_port(&word.into());
            let part = |part: Option<&Word>| part.map_or_else(|| "-".to_owned(), Word::shown);
            let all = format!("{}|{}|{}", part(place.user.as_ref()), place.host.shown(), part(place.port.as_ref()));
            assert_eq!(all, expected, "{word}");
        }
        let mut hole = Word::known_as("root@");
        hole.push_hole();
        assert_eq!(user_at_host(&hole).host.known(), None);
        let mut hole = Word::unknown();
        hole.push_text("@web01");
        assert_eq!(user_at_host(&hole).host.known(), Some("web01"));
        let mut hole = Word::known_as("root@");
        hole.push_hole();
        hole.push_text(":22");
        assert_eq!(with_port(&hole).host.known(), None);
        let (place, path) = url(&"scp://u@h:2/etc/x".into(), "scp").unwrap();
        assert_eq!((place.host.known(), path.unwrap().known()), (Some("h"), Some("etc/x")));
    }

    #[test]
    fn lists_and_ranges() {
        for (text, expected) in [
            ("a,b", "a b"),
            ("web[01-03]", "web01 web02 web03"),
            ("h[2-4,7].x,db", "h2.x h3.x h4.x h7.x db"),
            ("r[1-2]n[09-10]", "r1n09 r1n10 r2n09 r2n10"),
            ("[fe80::1],x", "fe80::1 x"),
        ] {
            assert_eq!(list(text).unwrap().join(" "), expected, "{text}");
        }
        assert!(list(&"[1-1]".repeat(20_000)).is_err());
        for text in ["h[1-300]", "h[3-1]", "h[1-2", "h[a-b]", "r[1-99]n[1-99]", "h[1-]"] {
            assert!(list(text).is_err(), "{text}");
        }
    }
}
