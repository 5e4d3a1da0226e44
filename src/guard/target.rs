//! A target as it was typed, and what to look for in its stead. Pure.

use crate::text::inside;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// A look-up that a ZVM can answer. Spelled as typed: whether a ZVM heeds the case is its own business.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Query {
    /// A VM by its identifier.
    Identified(String),
    /// A VM by its whole name.
    Named(String),
    /// All of them, to be searched for addresses.
    Inventory,
}

/// One way to understand a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// As a VM's identifier.
    Identifier(String),
    /// As a VM's name.
    Name(String),
    /// As an address of a guest.
    Address(IpAddr),
}

impl Step {
    pub(crate) fn query(&self) -> Query {
        match self {
            Self::Identifier(identifier) => Query::Identified(identifier.clone()),
            Self::Name(name) => Query::Named(name.clone()),
            Self::Address(_) => Query::Inventory,
        }
    }

    /// For the text that says what was looked for.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Identifier(identifier) => format!("the vmIdentifier \"{}\"", inside(identifier, 200)),
            Self::Name(name) => format!("the VM name \"{}\"", inside(name, 200)),
            Self::Address(address) => format!("the guest address {address}"),
        }
    }
}

/// The ways to understand a target, in the contract's order: `[hosts]`, identifier, name, short host name, address.
/// What `[hosts]` maps to is an identifier or a name, and is not mapped again.
pub(crate) fn steps(target: &str, hosts: &BTreeMap<String, String>) -> Vec<Step> {
    let target = without_dot(target);
    if let Some(mapped) = hosts.iter().find(|(host, _)| same_host(host, target)).map(|(_, vm)| vm.trim()) {
        let mut steps = Vec::new();
        if mapped.is_empty() {
            return steps;
        }
        if is_identifier(mapped) {
            steps.push(Step::Identifier(mapped.to_owned()));
        }
        steps.push(Step::Name(mapped.to_owned()));
        return steps;
    }
    if target.is_empty() {
        return Vec::new();
    }
    if is_identifier(target) {
        return vec![Step::Identifier(target.to_owned()), Step::Name(target.to_owned())];
    }
    let mut steps = vec![Step::Name(target.to_owned())];
    if let Some(address) = address(target) {
        steps.push(Step::Address(address));
    } else if let Some((short, _)) = target.split_once('.').filter(|(short, _)| !short.is_empty()) {
        steps.push(Step::Name(short.to_owned()));
    }
    steps
}

/// An address, in brackets or not. An IPv4 address in IPv6 clothes is that IPv4 address.
pub(super) fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    inner.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

/// The form of a target that is more than a host's name, and the host in it: for a question, never to be used instead.
pub(super) fn typed_as(target: &str) -> Option<(&'static str, String)> {
    let target = target.trim();
    let (mut form, mut host) = (None, target);
    if let Some((scheme, rest)) = target.split_once("://") {
        if scheme.is_empty() || !scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) {
            return None;
        }
        form = Some("a URL");
        host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    }
    if let Some((_, behind)) = host.rsplit_once('@') {
        form = form.or(Some("user@host"));
        host = behind;
    }
    // An IPv6 address has colons of its own, and ends with its bracket.
    if let Some((name, port)) = host.rsplit_once(':')
        && (name.ends_with(']') || !name.contains(':'))
        && !port.is_empty()
        && port.len() <= 5
        && port.chars().all(|c| c.is_ascii_digit())
    {
        form = form.or(Some("host:port"));
        host = name;
    }
    let host = host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(host);
    let fits = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || "/\\@[]".contains(c));
    form.filter(|_| fits).map(|form| (form, host.to_owned()))
}

/// How many of these targets differ: in more than case and a full stop at the end.
pub(super) fn different(targets: &[String]) -> usize {
    targets.iter().map(|target| without_dot(target).to_lowercase()).collect::<BTreeSet<_>>().len()
}

fn same_host(a: &str, b: &str) -> bool {
    let a = without_dot(a);
    a.to_lowercase() == b.to_lowercase() || address(a).is_some_and(|a| Some(a) == address(b))
}

fn without_dot(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix('.').unwrap_or(text)
}

/// `<server guid>.<something>`.
fn is_identifier(text: &str) -> bool {
    let Some((guid, rest)) = text.split_once('.') else {
        return false;
    };
    let groups: Vec<usize> = guid.split('-').map(str::len).collect();
    !rest.is_empty() && groups == [8, 4, 4, 4, 12] && guid.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

#[cfg(test)]
#[path = "tests/target.rs"]
mod tests;
