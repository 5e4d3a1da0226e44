//! Which entries of the catalog the tool of a call can mean, however the host named it. Pure.

use crate::call::Tool;
use crate::catalog::model::Rule;
use crate::catalog::prepared::server_key;
use crate::catalog::{Catalog, Found, Hit, Project};
use std::borrow::Cow;

/// What the layers say of the tool, however the host named it. What the project's says does not count when it is told what the
/// others mean: it could make a change doubtful that they know. Of several things that it says, the strictest counts.
pub(super) fn find<'c>(catalog: &'c Catalog, tool: &Tool) -> Result<Found<'c>, String> {
    let base = agreeing(candidates(catalog, tool).into_iter().filter_map(|found| found.base));
    let base = base.map_err(|()| match tool {
        Tool::OfSomeServer(tool) => format!(
            "the host does not say which server's `{tool}` this is, and the servers that have one are judged differently"
        ),
        Tool::Own(name)
        | Tool::Joined(name)
        | Tool::Underscored(name)
        | Tool::OfServer { tool: name, .. } => {
            format!("`{name}` can be parted into server and tool in several ways that are judged differently")
        }
    })?;
    let mut project: Option<Hit> = None;
    // Most projects have none, and this would be another search.
    let named = if matches!(catalog.project, Project::Read(_)) { names(catalog, tool, Layers::All) } else { vec![] };
    for (server, tool) in named {
        if let Some(hit) = catalog.find(&server, tool).project
            && project.is_none_or(|strictest| hit.entry.rule.strictness() > strictest.entry.rule.strictness())
        {
            project = Some(hit);
        }
    }
    Ok(Found { base, project })
}

/// Everything that the layers say of the tools that the call can mean by all layers but the project's.
pub(super) fn candidates<'c>(catalog: &'c Catalog, tool: &Tool) -> Vec<Found<'c>> {
    names(catalog, tool, Layers::ButTheProjects).iter().map(|(server, tool)| catalog.find(server, tool)).collect()
}

/// The rules of the tools that the call can mean, but for the project's layer.
pub fn rules<'c>(catalog: &'c Catalog, tool: &Tool) -> Vec<Rule<'c>> {
    candidates(catalog, tool).into_iter().filter_map(|found| Some(found.base?.entry.rule)).collect()
}

/// The keys of the servers that the call can mean and that have an entry for the tool, each with the tool's name there; but for
/// those that only the project's layer has.
pub(super) fn servers<'t>(catalog: &Catalog, tool: &'t Tool) -> Vec<(String, &'t str)> {
    let mut servers: Vec<(String, &str)> = Vec::new();
    for (server, tool) in names(catalog, tool, Layers::ButTheProjects) {
        let found = catalog.find(&server, tool);
        let key = server_key(&server);
        if found.base.is_some() && !servers.iter().any(|(known, _)| *known == key) {
            servers.push((key.into_owned(), tool));
        }
    }
    servers
}

/// Whose servers are looked through, where the host names none.
#[derive(Clone, Copy)]
enum Layers {
    ButTheProjects,
    All,
}

/// The servers and tools that the call can mean.
fn names<'t>(catalog: &Catalog, tool: &'t Tool, layers: Layers) -> Vec<(Cow<'t, str>, &'t str)> {
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
            let mut servers = catalog.servers_with(tool);
            if matches!(layers, Layers::All) {
                servers.extend(catalog.servers_of_the_project_with(tool));
            }
            servers.into_iter().map(|server| (server.into(), tool.as_str())).collect()
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

/// The one thing that all of them say; nothing if there is none.
fn agreeing<'c>(hits: impl Iterator<Item = Hit<'c>>) -> Result<Option<Hit<'c>>, ()> {
    let mut one: Option<Hit<'c>> = None;
    for next in hits {
        match one {
            None => one = Some(next),
            Some(first) if first.entry.rule != next.entry.rule => return Err(()),
            Some(_) => {}
        }
    }
    Ok(one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::parse::parse;

    /// A name that only the project knows must not make a change doubtful: what is doubtful a human may let run unguarded.
    #[test]
    fn a_project_takes_nothing_away_by_another_server_of_the_tool() {
        let user =
            parse("[server.acme]\nmutating = [{ tool = 'put__x', vm = 'host' }]\nread_only = ['get__x']").unwrap();
        let says = |project: &str, tool: &Tool| {
            let project = Project::Read(parse(project).unwrap());
            let catalog = Catalog { user: Some(user.clone()), project, ..Catalog::default() };
            let key = |hit: Option<Hit>| hit.map(|hit| hit.entry.rule.key());
            find(&catalog, tool).map(|found| (key(found.base), key(found.project)))
        };
        for server in ["other", "'*'", "acme__put", "'acm*'"] {
            for (tool, base) in [("put__x", "mutating"), ("get__x", "read_only")] {
                let more =
                    format!("[server.{server}]\nread_only = ['{tool}']\nunknown = ['x', 'pu*']\nmutating = ['get*']");
                for tool in [Tool::OfSomeServer(tool.into()), Tool::Joined(format!("acme__{tool}"))] {
                    assert_eq!(says(&more, &tool).map(|(found, _)| found), Ok(Some(base)), "{more} {tool:?}");
                }
            }
        }
        let two = "[server.a]\nread_only = ['get__x']\n[server.b]\nmutating = ['get__x']";
        let found = says(two, &Tool::OfSomeServer("get__x".into()));
        assert_eq!(found, Ok((Some("read_only"), Some("mutating"))));
    }
}
