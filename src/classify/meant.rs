//! Which entries of the catalog the tool of a call can mean, however the host named it. Pure.

use crate::call::Tool;
use crate::catalog::model::Rule;
use crate::catalog::prepared::server_key;
use crate::catalog::{Catalog, Found, Hit};
use std::borrow::Cow;

/// What the layers say of the tool, however the host named it.
pub(super) fn find<'c>(catalog: &'c Catalog, tool: &Tool) -> Result<Found<'c>, String> {
    agreeing(candidates(catalog, tool).into_iter()).map_err(|()| match tool {
        Tool::OfSomeServer(tool) => format!(
            "the host does not say which server's `{tool}` this is, and the servers that have one are judged differently"
        ),
        Tool::Own(name)
        | Tool::Joined(name)
        | Tool::Underscored(name)
        | Tool::OfServer { tool: name, .. } => {
            format!("`{name}` can be parted into server and tool in several ways that are judged differently")
        }
    })
}

/// Everything that the layers say of the tools that the call can mean.
pub(super) fn candidates<'c>(catalog: &'c Catalog, tool: &Tool) -> Vec<Found<'c>> {
    names(catalog, tool).iter().map(|(server, tool)| catalog.find(server, tool)).collect()
}

/// The rules of the tools that the call can mean, but for the project's layer.
pub fn rules<'c>(catalog: &'c Catalog, tool: &Tool) -> Vec<Rule<'c>> {
    candidates(catalog, tool).into_iter().filter_map(|found| Some(found.base?.entry.rule)).collect()
}

/// The keys of the servers that the call can mean and that have an entry for the tool, each with the tool's name there.
pub(super) fn servers<'t>(catalog: &Catalog, tool: &'t Tool) -> Vec<(String, &'t str)> {
    let mut servers: Vec<(String, &str)> = Vec::new();
    for (server, tool) in names(catalog, tool) {
        let found = catalog.find(&server, tool);
        let key = server_key(&server);
        if (found.base.is_some() || found.project.is_some()) && !servers.iter().any(|(known, _)| *known == key) {
            servers.push((key.into_owned(), tool));
        }
    }
    servers
}

/// The servers and tools that the call can mean.
fn names<'t>(catalog: &Catalog, tool: &'t Tool) -> Vec<(Cow<'t, str>, &'t str)> {
    match tool {
        Tool::Own(name) => vec![("".into(), name)],
        Tool::OfServer { server, tool } => vec![(server.into(), tool)],
        // `_` may be part of either name: every way to part them is tried.
        Tool::Joined(joined) => {
            let places = joined.char_indices().map(|(at, _)| at);
            let named = places.filter_map(|at| Some((joined.get(..at)?, joined.get(at..)?.strip_prefix("__")?)));
            named.flat_map(|(server, tool)| plugin_names(server).map(move |server| (server.into(), tool))).collect()
        }
        Tool::Underscored(joined) => {
            let named =
                joined.match_indices('_').filter_map(|(at, _)| Some((joined.get(..at)?, joined.get(at + 1..)?)));
            let named = named.filter(|(server, tool)| !server.is_empty() && !tool.is_empty());
            named.map(|(server, tool)| (server.into(), tool)).collect()
        }
        Tool::OfSomeServer(tool) => {
            catalog.servers_with(tool).into_iter().map(|server| (server.into(), tool.as_str())).collect()
        }
    }
}

/// The names that a joined server name can mean: a plugin's servers are written `plugin_<plugin>_<server>`
/// (Claude Code), and `_` may be part of the plugin's name too.
fn plugin_names(server: &str) -> impl Iterator<Item = &str> {
    let inner = server.strip_prefix("plugin_").into_iter().flat_map(|rest| {
        rest.match_indices('_').filter_map(move |(at, _)| rest.get(at + 1..)).filter(|name| !name.is_empty())
    });
    std::iter::once(server).filter(|name| !name.is_empty()).chain(inner)
}

/// The one thing that all that was found says; nothing if nothing was found.
fn agreeing<'c>(found: impl Iterator<Item = Found<'c>>) -> Result<Found<'c>, ()> {
    let mut one: Option<Found<'c>> = None;
    for next in found.filter(|found| found.base.is_some() || found.project.is_some()) {
        match one {
            None => one = Some(next),
            Some(first) => {
                let rule = |hit: Option<Hit<'c>>| hit.map(|hit| hit.entry.rule);
                if rule(first.base) != rule(next.base) || rule(first.project) != rule(next.project) {
                    return Err(());
                }
            }
        }
    }
    Ok(one.unwrap_or_default())
}
