//! The machine of a URL, and what a request that may change something means there. Pure.

use super::host;
use crate::classify::Found;
use crate::classify::effect::{Effect, Facts, Host};
use crate::classify::word::Word;

/// A request that may change something, at each of the machines.
#[must_use]
pub fn sends(hosts: impl IntoIterator<Item = Host>) -> Vec<Effect> {
    let (own, others): (Vec<Host>, Vec<Host>) = hosts.into_iter().partition(|host| *host == Host::Same);
    let mut effects = vec![];
    if !own.is_empty() {
        effects.push(Effect::Changes("sends something to a service of its own machine".into()));
    }
    if !others.is_empty() {
        effects.push(Effect::UnknownAt { hosts: others, why: "what the request changes there is not known".into() });
    }
    effects
}

/// The machines with this one made doubtful: behind a proxy its name means the proxy's own machine.
#[must_use]
pub fn behind_proxy(hosts: Vec<Host>) -> Vec<Host> {
    let doubt = |host| match host {
        Host::Same => Host::Unknown("behind a proxy it means another machine".into()),
        host => host,
    };
    hosts.into_iter().map(doubt).collect()
}

/// Whether the text may have changed the options that the user has put into a file in the home folder.
#[must_use]
pub fn is_disturbed(file: &str, facts: &Facts) -> bool {
    let path = facts.home.map(|home| format!("{home}/{file}"));
    facts.own && path.is_some_and(|path| facts.around.file(&path) == Found::Unreadable)
}

/// Whether the text has set a proxy in the environment.
#[must_use]
pub fn has_proxy(facts: &Facts) -> bool {
    let names = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
    names.iter().any(|name| facts.variables.by_name(name).is_some_and(|value| value.known() != Some("")))
}

/// The machines of a URL; a range in its name stands for several.
#[must_use]
pub fn hosts(url: &Word) -> Vec<Host> {
    let unknown = || vec![Host::Unknown(format!("which machine `{}` is on can't be told", url.shown()))];
    let Some(rest) = behind_scheme(url.beginning()) else { return unknown() };
    let end = rest.find(['/', '?', '#']);
    // Something unknown may still belong to the name.
    if end.is_none() && url.known().is_none() {
        return unknown();
    }
    let authority = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    // Programs differ in where a name begins behind these.
    if authority.contains(['\\', '{', '}', '%', ' ', '\t', '\n', '\r']) {
        return unknown();
    }
    let place = authority.rsplit('@').next().unwrap_or_default();
    let name = match place.strip_prefix('[') {
        Some(rest) if rest.contains(':') => rest.split(']').next().unwrap_or_default(),
        _ => place.split(':').next().unwrap_or_default(),
    };
    match name.contains('[') {
        true => {
            host::list(name).map_or_else(|_| unknown(), |names| names.iter().map(|name| host::named(name)).collect())
        }
        false => vec![host::named(name)],
    }
}

/// What stands behind the scheme and its slashes; none if those are written oddly.
fn behind_scheme(url: &str) -> Option<&str> {
    if url.starts_with(['/', '\\', '@', ' ', '\t']) {
        return None;
    }
    let scheme = url.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(url.len());
    match url.get(scheme..).unwrap_or_default() {
        rest if rest.starts_with("://") => {
            let rest = rest.get(3..).unwrap_or_default();
            (!rest.starts_with(['/', '\\'])).then_some(rest)
        }
        rest if rest.starts_with(":/") || rest.starts_with(":\\") => None,
        _ => Some(url),
    }
}
