//! Any text is a config, the user's or the administrator's: what is taken is safe to use, the administrator's word wins, a pin that
//! is written changes nothing else, and no message repeats a password.

use super::ground::{parts, text, within};
use std::path::Path;
use std::time::Duration;
use zerto_guard::config::pin::{Pinned, set};
use zerto_guard::config::read::{Partial, canonical_url, merge, parse, pin};
use zerto_guard::config::{Config, Trust};
use zerto_guard::zvm::tls::fingerprint_text;

const SECRET: &str = "q7Vx2mLw9Tz";
const HOME: &str = "/home/jo";

/// Runs one input: the user's and the administrator's, parted by a line of `%%`.
pub fn run(bytes: &[u8]) {
    within(2, || any(text(bytes)));
}

fn read(text: &str) -> Option<Config> {
    match parse(text, Some(Path::new(HOME))) {
        Ok(partial) => Some(merge(Partial::default(), partial)),
        Err(mistake) => {
            assert!((1..=text.matches('\n').count() + 1).contains(&mistake.line) && !mistake.message.is_empty());
            None
        }
    }
}

fn any(text: &str) {
    let [user, admin] = parts(text);
    if let Some(pin) = pin(user) {
        assert_eq!(self::pin(&fingerprint_text(&pin)), Some(pin));
    }
    if let Some(url) = canonical_url(user).filter(|url| url.matches('/').count() == 2 && !url.contains(char::is_whitespace)) {
        assert_eq!(canonical_url(&url), Some(url));
    }
    // A password that somebody puts into the file is refused, and not repeated.
    for key in ["password", "client_secret"] {
        let with = format!("{user}\n[[zvm]]\n{key} = \"{SECRET}\"\n");
        if !user.contains(SECRET) {
            let mistake = parse(&with, None).expect_err("a password in the file was taken");
            assert!(!mistake.message.contains(SECRET), "{mistake}");
        }
    }
    let (Some(one), theirs) = (read(user), read(admin)) else { return };
    safe(&one);
    for zvm in &one.zvms {
        pinning(user, &one, &zvm.url);
    }
    let Some(theirs) = theirs else { return };
    let both = merge(parse(admin, Some(Path::new(HOME))).unwrap(), parse(user, Some(Path::new(HOME))).unwrap());
    safe(&both);
    if !theirs.zvms.is_empty() {
        assert_eq!(both.zvms, theirs.zvms);
    }
    for (of, other) in [(&both.hosts, &theirs.hosts), (&both.mounts, &theirs.mounts), (&both.paths, &theirs.paths)] {
        assert!(other.iter().all(|(key, value)| of.get(key) == Some(value)));
    }
    // What the administrator leaves at its default may be unsaid, and only then is it the user's.
    let default = Config::default().guard;
    assert!(theirs.guard.mode == default.mode || both.guard.mode == theirs.guard.mode);
    assert!(theirs.guard.unknown == default.unknown || both.guard.unknown == theirs.guard.unknown);
    assert!(theirs.guard.deadline == default.deadline || both.guard.deadline == theirs.guard.deadline);
    assert!(theirs.unguarded.is_empty() || both.unguarded == theirs.unguarded);
}

fn safe(config: &Config) {
    for zvm in &config.zvms {
        let plain = zvm.url.strip_prefix("http://");
        let is_near = |rest: &str| ["127.", "localhost", "[::1]", "[0:", "[::"].iter().any(|near| rest.starts_with(near));
        assert!(zvm.url.starts_with("https://") || plain.is_some_and(is_near), "{}", zvm.url);
        assert!(!zvm.url.contains('@') && !zvm.name.is_empty());
    }
    let span = Duration::from_secs(1)..=Duration::from_secs(3600);
    assert!(span.contains(&config.guard.deadline));
    assert!(config.mounts.keys().all(|mount| mount.starts_with('/')));
}

fn pinning(text: &str, before: &Config, url: &str) {
    let new = fingerprint_text(&[0xAB; 32]);
    match set(text, url, &new, Some(Path::new(HOME))) {
        Ok(Pinned::Written { text: after, .. }) => {
            let mut wanted = before.clone();
            for zvm in wanted.zvms.iter_mut().filter(|zvm| zvm.url == url) {
                zvm.trust = Trust::Pin([0xAB; 32]);
            }
            assert_eq!(read(&after).expect("it is no config any more"), wanted, "{after}");
            assert_eq!(set(&after, url, &new, Some(Path::new(HOME))), Ok(Pinned::Already));
            let comments = |text: &str| text.lines().filter(|line| line.trim_start().starts_with('#')).count();
            // One that stands before what is taken out goes with it.
            assert!(comments(&after) >= comments(text) || before.zvms.iter().any(|zvm| zvm.trust != Trust::PublicRoots), "{after}");
        }
        Ok(Pinned::Already) => assert!(before.zvms.iter().any(|zvm| zvm.trust == Trust::Pin([0xAB; 32]))),
        Ok(Pinned::NoEntry) => panic!("the entry is not found: {url}"),
        Err(why) => panic!("{why}"),
    }
}
