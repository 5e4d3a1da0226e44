//! On which machine the containers are: by options, by variables that the text has set, and by the context that `docker` is
//! set to use. Pure.

use super::host;
use crate::classify::Found;
use crate::classify::effect::{Facts, Host};
use crate::classify::word::Word;
use crate::json::Json;
use sha2::{Digest as _, Sha256};

/// How a command names the machine of its containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By<'w> {
    /// By an address (`-H`, `--url`).
    Address(&'w Word),
    /// By the name of a context.
    Context(&'w Word),
    /// In a way that only its settings say (podman's connections).
    Settings(&'w str),
    /// Not at all.
    Nothing,
}

/// The machine of docker's containers, if it is another one.
#[must_use]
pub fn of_docker(by: By, facts: &Facts) -> Option<Host> {
    match by {
        By::Address(address) => at(address),
        By::Context(name) => context(name, facts),
        By::Settings(what) => Some(unknown(what)),
        By::Nothing => {
            let set = |name: &str| facts.variables.by_name(name).filter(|value| value.known() != Some(""));
            if let Some(address) = set("DOCKER_HOST") {
                return at(&address);
            }
            if let Some(name) = set("DOCKER_CONTEXT") {
                return context(&name, facts);
            }
            if !facts.own {
                return None;
            }
            let config = read(&format!("{}/.docker/config.json", facts.home?), facts);
            match config {
                Ok(None) => None,
                Ok(Some(json)) => {
                    let name = json.text("currentContext").filter(|name| !name.is_empty())?;
                    context(&Word::known_as(name), facts)
                }
                Err(why) => Some(Host::Unknown(why)),
            }
        }
    }
}

/// The machine of podman's containers, if it is another one.
#[must_use]
pub fn of_podman(by: By, facts: &Facts) -> Option<Host> {
    match by {
        By::Address(address) => at(address),
        By::Context(name) => Some(unknown(&name.shown())),
        _ => {
            let set = |name: &str| facts.variables.by_name(name).filter(|value| value.known() != Some(""));
            match (set("CONTAINER_HOST"), set("CONTAINER_CONNECTION"), by) {
                (Some(address), _, _) => at(&address),
                (None, Some(name), _) => Some(unknown(&name.shown())),
                (None, None, By::Settings(what)) => Some(unknown(what)),
                (None, None, _) => None,
            }
        }
    }
}

fn unknown(what: &str) -> Host {
    Host::Unknown(format!("on which machine the containers of `{what}` are can't be told"))
}

/// The machine of an address; none for a socket of the own one.
fn at(word: &Word) -> Option<Host> {
    let Some(text) = word.known() else { return Some(unknown(&word.shown())) };
    let own = ["unix://", "npipe://", "fd://"];
    if own.iter().any(|scheme| text.starts_with(scheme)) || text.starts_with('/') {
        return None;
    }
    let schemes = ["tcp://", "ssh://", "http://", "https://"];
    let rest = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
    // Without a scheme it is that of a port.
    let rest = rest.or_else(|| (!text.contains("://")).then_some(text));
    let Some(rest) = rest else { return Some(unknown(text)) };
    let place = host::with_port(&rest.split('/').next().unwrap_or_default().into());
    Some(match host::host(&place.host) {
        // A tunnel to another machine looks the same.
        Host::Same => unknown(text),
        host => host,
    })
}

/// The machine of a context of docker's.
fn context(word: &Word, facts: &Facts) -> Option<Host> {
    let name = match word.known() {
        Some("default") => return None,
        Some(name) => name,
        None => return Some(unknown(&word.shown())),
    };
    let (true, Some(home)) = (facts.own, facts.home) else { return Some(unknown(name)) };
    let folder: String = Sha256::digest(name.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let meta = match read(&format!("{home}/.docker/contexts/meta/{folder}/meta.json"), facts) {
        Ok(Some(meta)) => meta,
        Ok(None) => return Some(unknown(name)),
        Err(why) => return Some(Host::Unknown(why)),
    };
    match meta.at("Endpoints.docker.Host").as_slice() {
        [Json::Text(address)] => at(&Word::known_as(address.as_str())),
        _ => Some(unknown(name)),
    }
}

/// A file of docker's settings; none if it is not there.
fn read(path: &str, facts: &Facts) -> Result<Option<Json>, String> {
    let why = || format!("on which machine the containers are can't be told, as {path} can't be read");
    match facts.around.file(path) {
        Found::Nothing => Ok(None),
        Found::File(bytes) => Json::parse(&bytes).map(Some).map_err(|_| why()),
        Found::Unreadable => Err(why()),
    }
}
