//! From the text of a `config.toml` to validated values, or the first mistake with its line.
//!
//! Must not: read a file or the environment (the home folder is an argument).

use super::secret::SecretSource;
use super::{Config, GuardConfig, Login, Mode, Trust, UnknownPolicy, ZvmConfig};
use crate::catalog::glob;
use crate::document::{Document, Mistake, Table, Value};
use crate::path::normal;
use crate::text::host_key;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What one file says; what it does not say is none.
#[derive(Debug, Default)]
pub struct Partial {
    zvms: Option<Vec<ZvmConfig>>,
    deadline: Option<Duration>,
    unknown: Option<UnknownPolicy>,
    mode: Option<Mode>,
    agent: Option<String>,
    reuse: Option<Duration>,
    this_vm: Option<String>,
    hosts: BTreeMap<String, String>,
    unguarded: Option<Vec<String>>,
    mounts: BTreeMap<String, String>,
    paths: BTreeMap<String, String>,
}

/// The user's settings and, key by key before them, the administrator's.
#[must_use]
pub fn merge(admin: Partial, user: Partial) -> Config {
    fn both<T>(mut user: BTreeMap<String, T>, admin: BTreeMap<String, T>) -> BTreeMap<String, T> {
        user.extend(admin);
        user
    }
    let defaults = GuardConfig::default();
    Config {
        zvms: admin.zvms.or(user.zvms).unwrap_or_default(),
        guard: GuardConfig {
            deadline: admin.deadline.or(user.deadline).unwrap_or(defaults.deadline),
            unknown: admin.unknown.or(user.unknown).unwrap_or(defaults.unknown),
            mode: admin.mode.or(user.mode).unwrap_or(defaults.mode),
            agent: admin.agent.or(user.agent),
            reuse: admin.reuse.or(user.reuse),
            this_vm: admin.this_vm.or(user.this_vm),
        },
        hosts: both(user.hosts, admin.hosts),
        unguarded: admin.unguarded.or(user.unguarded).unwrap_or_default(),
        mounts: both(user.mounts, admin.mounts),
        paths: both(user.paths, admin.paths),
    }
}

/// Parses one file's text.
///
/// # Errors
/// The first mistake in it.
pub fn parse(text: &str, home: Option<&Path>) -> Result<Partial, Mistake> {
    let document = Document::parse(text)?;
    let root = document.root();
    root.only(&["zvm", "guard", "hosts", "mounts", "paths"])?;
    let mut partial = Partial::default();
    if let Some(list) = root.get("zvm") {
        let mut zvms: Vec<ZvmConfig> = Vec::new();
        for value in list.list("zvm")? {
            let zvm = self::zvm(&value, home)?;
            if let Some(other) =
                zvms.iter().find(|other| other.name == zvm.name || canonical_url(&other.url) == canonical_url(&zvm.url))
            {
                return Err(value.mistake(format!(
                    "two [[zvm]] entries are named `{}` or have the URL {}: each ZVM has one entry",
                    other.name, other.url
                )));
            }
            zvms.push(zvm);
        }
        partial.zvms = Some(zvms);
    }
    if let Some(value) = root.get("guard") {
        guard(&value.table("guard")?, &mut partial)?;
    }
    if let Some(value) = root.get("hosts") {
        hosts(&value.table("hosts")?, &mut partial)?;
    }
    if let Some(value) = root.get("mounts") {
        for (key, value) in value.table("mounts")?.items() {
            if !key.name.starts_with('/') {
                return Err(key.mistake(format!("`{}`: a mount is named by its absolute path", key.name)));
            }
            let folder = normal(key.name);
            if folder != key.name.strip_suffix('/').filter(|name| !name.is_empty()).unwrap_or(key.name) {
                return Err(key.mistake(format!("`{}`: write it without `.`, `..` and `//`", key.name)));
            }
            if partial.mounts.insert(folder, name(&value, key.name)?).is_some() {
                return Err(key.mistake(format!("`{}` stands twice (a slash at the end changes nothing)", key.name)));
            }
        }
    }
    if let Some(value) = root.get("paths") {
        for (key, value) in value.table("paths")?.items() {
            if key.name.split_once(':').is_none_or(|(vm, path)| vm.is_empty() || path.is_empty()) {
                return Err(key.mistake(format!("`{}`: write it as \"VM:/path\"", key.name)));
            }
            partial.paths.insert(key.name.to_owned(), name(&value, key.name)?);
        }
    }
    Ok(partial)
}

fn guard(table: &Table, partial: &mut Partial) -> Result<(), Mistake> {
    table.only(&["deadline", "unknown", "mode", "agent", "reuse", "this_vm"])?;
    if let Some(value) = table.get("deadline") {
        let deadline = duration(&value, "deadline")?;
        if !(Duration::from_secs(1)..=Duration::from_secs(3600)).contains(&deadline) {
            return Err(value.mistake("`deadline` lies between 1s and 1h"));
        }
        partial.deadline = Some(deadline);
    }
    if let Some(value) = table.get("reuse") {
        partial.reuse = Some(duration(&value, "reuse")?);
    }
    if let Some(value) = table.get("unknown") {
        partial.unknown = Some(match value.string("unknown")? {
            "ask" => UnknownPolicy::Ask,
            "guard" => UnknownPolicy::Guard,
            other => return Err(value.mistake(format!("`unknown = \"{other}\"`: it is \"ask\" or \"guard\""))),
        });
    }
    if let Some(value) = table.get("mode") {
        partial.mode = Some(match value.string("mode")? {
            "enforce" => Mode::Enforce,
            "observe" => Mode::Observe,
            other => return Err(value.mistake(format!("`mode = \"{other}\"`: it is \"enforce\" or \"observe\""))),
        });
    }
    partial.agent = table.get("agent").map(|value| name(&value, "agent")).transpose()?;
    partial.this_vm = table.get("this_vm").map(|value| name(&value, "this_vm")).transpose()?;
    Ok(())
}

fn hosts(table: &Table, partial: &mut Partial) -> Result<(), Mistake> {
    for (key, value) in table.items() {
        if key.name == "unguarded" {
            let patterns = value.strings("unguarded")?;
            if let Some(fault) = patterns.iter().find_map(|pattern| glob::fault(pattern)) {
                return Err(value.mistake(fault));
            }
            partial.unguarded = Some(patterns.iter().map(|pattern| pattern.to_lowercase()).collect());
            continue;
        }
        let host = host_key(key.name);
        if host.is_empty() {
            return Err(key.mistake("a host needs a name"));
        }
        if partial.hosts.insert(host, name(&value, key.name)?).is_some() {
            return Err(key.mistake(format!("`{}` stands twice (upper and lower case are the same)", key.name)));
        }
    }
    Ok(())
}

fn zvm(value: &Value, home: Option<&Path>) -> Result<ZvmConfig, Mistake> {
    let table = value.table("zvm")?;
    for key in ["password", "client_secret"] {
        if let Some(value) = table.get(key) {
            return Err(value.mistake(format!(
                "a password doesn't belong in this file: use `{key}_command` or `{key}_file` (mode 0600)"
            )));
        }
    }
    table.only(&[
        "name",
        "url",
        "username",
        "password_command",
        "password_file",
        "client_id",
        "client_secret_command",
        "client_secret_file",
        "tls_pin",
        "ca_file",
        "insecure_skip_verify",
        "allow_plain_http",
        "guards",
        "proxy",
    ])?;
    let url_value = table.get("url").ok_or_else(|| table.mistake("a [[zvm]] needs `url`"))?;
    let plain = table.flag("allow_plain_http")?.unwrap_or(false);
    let url = url(&url_value, plain)?;
    let name = match table.get("name") {
        Some(value) => self::name(&value, "name")?,
        None => return Err(table.mistake("a [[zvm]] needs `name`")),
    };
    let proxy = match table.get("proxy") {
        Some(value) => {
            let text = value.string("proxy")?;
            let host = text.strip_prefix("http://");
            if host.is_none_or(|host| host.is_empty() || host.contains('@')) {
                return Err(value.mistake("`proxy` is a URL such as http://proxy.example:3128, without a password"));
            }
            Some(text.to_owned())
        }
        None => None,
    };
    Ok(ZvmConfig {
        name,
        url,
        login: login(&table, home)?,
        trust: trust(&table, home)?,
        guards: table.flag("guards")?.unwrap_or(true),
        proxy,
    })
}

fn login(table: &Table, home: Option<&Path>) -> Result<Login, Mistake> {
    let one = |command: &str, file: &str| -> Result<SecretSource, Mistake> {
        match (table.get(command), table.get(file)) {
            (Some(_), Some(value)) => {
                Err(value.mistake(format!("`{command}` and `{file}` are two ways to log in: keep one")))
            }
            (Some(value), None) => {
                let words = value.strings(command)?;
                match words.first() {
                    Some(program) if program.starts_with('/') => Ok(SecretSource::Command(words)),
                    Some(program) => Err(value.mistake(format!(
                        "`{command}`: name the program by its absolute path, not `{program}` (PATH isn't heeded)"
                    ))),
                    None => Err(value.mistake(format!("`{command}` names no program"))),
                }
            }
            (None, Some(value)) => Ok(SecretSource::File(path(&value, file, home)?)),
            (None, None) => Ok(SecretSource::Environment),
        }
    };
    match (table.get("username"), table.get("client_id")) {
        (Some(_), Some(value)) => Err(value.mistake("`username` and `client_id` are two ways to log in: keep one")),
        (Some(value), None) => {
            for key in ["client_secret_command", "client_secret_file"] {
                if let Some(value) = table.get(key) {
                    return Err(value.mistake(format!("`{key}` goes with `client_id`, not with `username`")));
                }
            }
            Ok(Login::Password {
                username: name(&value, "username")?,
                password: one("password_command", "password_file")?,
            })
        }
        (None, Some(value)) => {
            for key in ["password_command", "password_file"] {
                if let Some(value) = table.get(key) {
                    return Err(value.mistake(format!("`{key}` goes with `username`, not with `client_id`")));
                }
            }
            Ok(Login::Client {
                client_id: name(&value, "client_id")?,
                secret: one("client_secret_command", "client_secret_file")?,
            })
        }
        (None, None) => Err(table.mistake("a [[zvm]] needs `username` or `client_id`")),
    }
}

fn trust(table: &Table, home: Option<&Path>) -> Result<Trust, Mistake> {
    let insecure = table.flag("insecure_skip_verify")?.unwrap_or(false);
    let given = [table.get("tls_pin").is_some(), table.get("ca_file").is_some(), insecure];
    if given.iter().filter(|given| **given).count() > 1 {
        return Err(table.mistake("`tls_pin`, `ca_file` and `insecure_skip_verify` are ways to trust: keep one"));
    }
    if let Some(value) = table.get("tls_pin") {
        let pin = pin(value.string("tls_pin")?).ok_or_else(|| {
            value.mistake("`tls_pin` is \"sha256:\" and 64 hexadecimal digits; `zerto-guard trust URL` shows it")
        })?;
        return Ok(Trust::Pin(pin));
    }
    if let Some(value) = table.get("ca_file") {
        return Ok(Trust::CaFile(path(&value, "ca_file", home)?));
    }
    Ok(if insecure { Trust::Insecure } else { Trust::PublicRoots })
}

/// The digest of a pin's text: colons and case don't matter.
#[must_use]
pub fn pin(text: &str) -> Option<[u8; 32]> {
    let text = text.trim().to_ascii_lowercase();
    let digits: String = text.strip_prefix("sha256:").unwrap_or(&text).chars().filter(|c| *c != ':').collect();
    if digits.len() != 64 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut pin = [0; 32];
    for (byte, at) in pin.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()?;
    }
    Some(pin)
}

/// A URL in the one form in which two spellings of it are equal: lower case, no slash at its end, no port that goes
/// without saying. None for what has no scheme.
#[must_use]
pub fn canonical_url(url: &str) -> Option<String> {
    let (scheme, rest) = url.trim().split_once("://")?;
    let (scheme, rest) = (scheme.to_ascii_lowercase(), rest.trim_end_matches('/').to_ascii_lowercase());
    let port = if scheme == "https" { ":443" } else { ":80" };
    Some(format!("{scheme}://{}", rest.strip_suffix(port).unwrap_or(&rest)))
}

/// A base URL: `https://host[:port]`, or plain http to this machine where that was allowed.
fn url(value: &Value, plain: bool) -> Result<String, Mistake> {
    let text = value.string("url")?;
    let bad = |why: &str| Err(value.mistake(format!("`url = \"{text}\"`: {why}")));
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest.trim_end_matches('/')),
        None => return bad("write it as https://host"),
    };
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    if rest.is_empty() || !rest.chars().all(legal) {
        return bad("it is a scheme, a host and perhaps a port; no path, user or query");
    }
    let (host, port) = match rest.strip_prefix('[') {
        Some(inner) => match inner.split_once(']') {
            Some((host, after)) => (host, after.strip_prefix(':')),
            None => return bad("the `[` of its address isn't closed"),
        },
        None => match rest.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (rest, None),
        },
    };
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return bad("its port is no number up to 65535 (an IPv6 address goes in brackets)");
    }
    match scheme.as_str() {
        "https" => {}
        "http" => {
            let loopback = host.eq_ignore_ascii_case("localhost")
                || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
            if !loopback {
                return bad("plain http would send the password in the clear: use https");
            }
            if !plain {
                return bad("plain http needs `allow_plain_http = true`");
            }
        }
        _ => return bad("only https is spoken"),
    }
    Ok(format!("{scheme}://{}", rest.to_ascii_lowercase()))
}

fn path(value: &Value, key: &str, home: Option<&Path>) -> Result<PathBuf, Mistake> {
    let text = value.string(key)?;
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Ok(home.join(rest)),
        (None, _) if text.starts_with('/') => Ok(PathBuf::from(text)),
        _ => Err(value.mistake(format!("`{key} = \"{text}\"`: name the file by its absolute path"))),
    }
}

/// A text that is not empty.
fn name(value: &Value, key: &str) -> Result<String, Mistake> {
    let text = value.string(key)?.trim();
    if text.is_empty() { Err(value.mistake(format!("`{key}` is empty"))) } else { Ok(text.to_owned()) }
}

fn duration(value: &Value, key: &str) -> Result<Duration, Mistake> {
    let text = value.string(key)?;
    parse_duration(text).ok_or_else(|| value.mistake(format!("`{key} = \"{text}\"`: write it as 120s, 2m or 1h")))
}

/// A span such as `500ms`, `120s`, `2m`, `1h` or `2d`.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().ok()?;
    let unit = text.get(digits.len()..)?;
    let seconds = match unit {
        "ms" => return Some(Duration::from_millis(number)),
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return None,
    };
    number.checked_mul(seconds).map(Duration::from_secs)
}

#[cfg(test)]
#[path = "tests/read.rs"]
mod tests;
