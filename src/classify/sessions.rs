//! Sessions that one call opens on a guest, and that later calls name by an id. Pure.
//!
//! Owns: which argument of a call holds an id, which guest it stands for, and what an answer has opened. An id is never
//! taken for a guest's name: one that nobody noted, or that was noted for different guests, names none. Must not: keep
//! what was noted, or know how a host tells an answer.

use super::{Session, Surroundings, answer, meant};
use crate::call::ToolCall;
use crate::catalog::Catalog;
use crate::catalog::model::Rule;
use crate::json::Json;

/// No name of a guest, and no id, is longer.
const LONGEST: usize = 512;

/// A session that a call has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The server, as the host writes its name.
    pub server: String,
    /// The session's id.
    pub id: String,
    /// The guests on which it is open, as they were typed.
    pub guests: Vec<String>,
}

/// The guests that an argument of a call names, or on which the sessions are open whose ids it holds.
///
/// # Errors
/// Why they can't be named, in words that follow a "but".
pub(super) fn guests(
    call: &ToolCall,
    argument: &str,
    catalog: &Catalog,
    around: &dyn Surroundings,
) -> Result<Vec<String>, String> {
    let names = named(call, argument)?;
    let servers = meant::servers(catalog, &call.tool);
    let Some(opener) = servers.iter().find_map(|(server, _)| catalog.openers(server, argument).next()) else {
        return Ok(names);
    };
    let [(server, tool)] = servers.as_slice() else {
        return Err(format!("its argument `{argument}` is a session's id, and which server's is not known"));
    };
    let server = as_written(call, server, tool);
    let mut guests: Vec<String> = Vec::new();
    for id in names {
        match around.session(server, &id) {
            Session::On(known) => guests.extend(known),
            Session::Doubtful => {
                return Err(format!(
                    "its argument `{argument}` is the id of sessions on different guests, or may be by now, since a later \
                     call of `{opener}` was not seen to answer (one that is opened anew can be told)"
                ));
            }
            Session::Unseen => {
                return Err(format!(
                    "its argument `{argument}` is a session's id, and no answer of `{opener}` was seen to give it (if \
                     there was one, see `zerto-guard doctor`; to open one anew makes it known)"
                ));
            }
        }
    }
    guests.sort();
    guests.dedup();
    Ok(guests)
}

/// A call that opens a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening<'c> {
    /// The server, as the host writes its name.
    pub server: String,
    /// The guests on which it will be open, as they were typed; none: they can't be named.
    pub guests: Option<Vec<String>>,
    /// Under which name the answer has the id.
    id: &'c str,
}

impl Opening<'_> {
    /// What it has opened, by its answer: none if no guest can be named, or no one id is found.
    #[must_use]
    pub fn opened(&self, response: &Json) -> Option<Opened> {
        let guests = self.guests.clone()?;
        let id = answer::id_in(response, self.id).filter(|id| id.len() <= LONGEST)?;
        Some(Opened { server: self.server.clone(), id, guests })
    }
}

/// What the call opens, if it opens something.
#[must_use]
pub fn opening<'c>(call: &'c ToolCall, catalog: &'c Catalog, around: &dyn Surroundings) -> Option<Opening<'c>> {
    let Rule::Opens { vm, id } = meant::find(catalog, &call.tool).ok()?.base?.entry.rule else { return None };
    let servers = meant::servers(catalog, &call.tool);
    let [(server, tool)] = servers.as_slice() else { return None };
    // What begins with a dash is no host, and an address with a scheme may hold a password.
    let odd = |guest: &String| guest.len() > LONGEST || guest.starts_with('-') || guest.contains("://");
    let guests = guests(call, vm, catalog, around).ok().filter(|guests| !guests.iter().any(odd));
    Some(Opening { server: as_written(call, server, tool).to_owned(), guests, id })
}

/// Whether an argument of the call holds a session's id.
#[must_use]
pub fn is_id(call: &ToolCall, argument: &str, catalog: &Catalog) -> bool {
    // Most calls have none, and need no search.
    !argument.is_empty()
        && meant::servers(catalog, &call.tool)
            .iter()
            .any(|(server, _)| catalog.openers(server, argument).next().is_some())
}

/// The server as the host writes it before the tool's name: two plugins may have a server of one name.
fn as_written<'c>(call: &'c ToolCall, server: &'c str, tool: &str) -> &'c str {
    call.name.strip_suffix(tool).filter(|written| !written.is_empty()).unwrap_or(server)
}

/// The names, or ids, that an argument holds.
fn named(call: &ToolCall, argument: &str) -> Result<Vec<String>, String> {
    if argument.is_empty() {
        return Err("does not say which argument names it".into());
    }
    let values = call.input.at(argument);
    let flat = values.into_iter().flat_map(|value| match value {
        Json::List(items) => items.iter().collect::<Vec<_>>(),
        value => vec![value],
    });
    let mut names: Vec<String> = Vec::new();
    for value in flat {
        // One that can't be named makes the whole call unknown: to guard the others only would leave it unguarded.
        let name = answer::scalar(value).ok_or_else(|| format!("its argument `{argument}` names none"))?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() { Err(format!("its argument `{argument}` names none")) } else { Ok(names) }
}

#[cfg(test)]
#[path = "tests/sessions.rs"]
mod tests;
