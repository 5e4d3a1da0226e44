//! What is known of tools and programs, in layers, and which entry wins.
//!
//! The administrator's layer comes before the user's, and that before the built-in one; within a layer an exact name
//! beats a glob, and on a tie the stricter entry wins, of two alike the first. The project's layer can only make a call stricter.
//! Must not: read a file (a layer comes as text), or know what a call is.

pub mod edit;
pub mod glob;
pub mod model;
pub mod parse;
pub mod prepared;

use model::{Entry, Owner, Rule};
use prepared::{Prepared, server_key};
use std::collections::BTreeSet;

/// The catalog that comes with the program, prepared by the build script.
mod built_in {
    use super::prepared::{Place, Prepared};
    use std::borrow::Cow;

    include!(concat!(env!("OUT_DIR"), "/built_in.rs"));
}
use built_in::BUILT_IN;

/// Whose word an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// `/etc/zerto-guard/catalog.toml`.
    Admin,
    /// The user's `catalog.toml`.
    User,
    /// The one that comes with the program.
    BuiltIn,
    /// `.zerto-guard/catalog.toml` of the project.
    Project,
}

impl Layer {
    /// Its name in `--json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::User => "user",
            Self::BuiltIn => "built-in",
            Self::Project => "project",
        }
    }
}

/// An entry and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit<'c> {
    /// The layer it is of.
    pub layer: Layer,
    /// The table it is in.
    pub owner: Owner<'c>,
    /// The entry itself.
    pub entry: Entry<'c>,
}

impl Hit<'_> {
    /// The entry as people find it in the file: `[server.winrm] script run_ps`.
    #[must_use]
    pub fn describe(&self) -> String {
        let pattern = if self.entry.pattern.is_empty() { "\"\"" } else { self.entry.pattern };
        format!("{} {} {pattern}", self.owner, self.entry.rule.key())
    }

    /// How many of its two names are exact.
    fn exactness(&self) -> u8 {
        let owner = match self.owner {
            Owner::Server(name) | Owner::Program(name) => name,
        };
        u8::from(!glob::is_glob(owner)) + u8::from(!glob::is_glob(self.entry.pattern))
    }

    fn rank(&self) -> (u8, u8) {
        (self.exactness(), self.entry.rule.strictness())
    }
}

/// What the layers say of one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Found<'c> {
    /// The winning entry of the administrator's, the user's and the built-in layer.
    pub base: Option<Hit<'c>>,
    /// The project's, which can only make it stricter.
    pub project: Option<Hit<'c>>,
}

/// The project's layer: the one file of which a fault does not stop everything.
#[derive(Debug, Clone, Default)]
pub enum Project {
    /// There is none.
    #[default]
    Absent,
    /// It was read.
    Read(Prepared),
    /// It cannot be read, so every call is unknown but for reading and mending it.
    Broken {
        /// The file.
        path: String,
        /// What is wrong with it, with the line, as the end of a sentence that the file begins.
        fault: String,
    },
}

/// All layers together.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// The administrator's.
    pub admin: Option<Prepared>,
    /// The user's.
    pub user: Option<Prepared>,
    /// The project's.
    pub project: Project,
}

impl Catalog {
    /// The layers but the project's, in the order in which they are asked.
    pub fn layers(&self) -> impl Iterator<Item = (Layer, &Prepared)> {
        let admin = self.admin.iter().map(|layer| (Layer::Admin, layer));
        let user = self.user.iter().map(|layer| (Layer::User, layer));
        admin.chain(user).chain(std::iter::once((Layer::BuiltIn, &BUILT_IN)))
    }

    /// What the layers say of a server's tool; the server `""` is the agent host itself.
    #[must_use]
    pub fn find<'c>(&'c self, server: &str, tool: &str) -> Found<'c> {
        let key = server_key(server);
        let base = self.layers().find_map(|(layer, prepared)| best(layer, prepared, &key, tool));
        let project = match &self.project {
            Project::Read(prepared) => best(Layer::Project, prepared, &key, tool),
            Project::Absent | Project::Broken { .. } => None,
        };
        Found { base, project }
    }

    /// The tools of a server, by the key of its name, that open a session whose id later calls carry in this argument. What
    /// the project's layer says of that counts for nothing: it could point a change at another guest.
    pub fn openers<'c>(&'c self, server_key: &str, argument: &str) -> impl Iterator<Item = &'c str> {
        let blocks = self.layers().flat_map(move |(_, prepared)| prepared.servers(server_key));
        blocks.flat_map(|block| block.entries()).filter_map(move |entry| match entry.rule {
            Rule::Opens { id, .. } if id == argument => Some(entry.pattern),
            _ => None,
        })
    }

    /// The keys of all servers that have an entry for the tool in a layer but the project's, for a host that does not name the
    /// server.
    #[must_use]
    pub fn servers_with(&self, tool: &str) -> BTreeSet<String> {
        servers_with(self.layers().map(|(_, prepared)| prepared), tool)
    }

    /// The same for the project's layer alone.
    #[must_use]
    pub fn servers_of_the_project_with(&self, tool: &str) -> BTreeSet<String> {
        let project = match &self.project {
            Project::Read(prepared) => Some(prepared),
            Project::Absent | Project::Broken { .. } => None,
        };
        servers_with(project.into_iter(), tool)
    }
}

fn servers_with<'c>(layers: impl Iterator<Item = &'c Prepared>, tool: &str) -> BTreeSet<String> {
    let servers = layers.flat_map(Prepared::blocks).filter_map(|block| match block.owner {
        Owner::Server(name) if !name.is_empty() => Some((name, block)),
        _ => None,
    });
    let having = servers.filter(|(_, block)| block.entries_for(tool).next().is_some());
    having.map(|(name, _)| server_key(name).into_owned()).collect()
}

fn best<'c>(layer: Layer, prepared: &'c Prepared, key: &str, tool: &str) -> Option<Hit<'c>> {
    let mut best: Option<Hit<'c>> = None;
    for block in prepared.servers(key) {
        for entry in block.entries_for(tool) {
            let hit = Hit { layer, owner: block.owner, entry };
            if best.is_none_or(|best| hit.rank() > best.rank()) {
                best = Some(hit);
            }
        }
    }
    best
}

/// The built-in catalog by itself, for `catalog list`.
#[must_use]
pub fn built_in() -> &'static Prepared {
    &BUILT_IN
}

#[cfg(test)]
mod tests {
    use super::model::Rule;
    use super::*;

    fn layer(text: &str) -> Prepared {
        parse::parse(text).unwrap()
    }

    fn verdict(catalog: &Catalog, server: &str, tool: &str) -> Option<(Layer, &'static str)> {
        catalog.find(server, tool).base.map(|hit| (hit.layer, hit.entry.rule.key()))
    }

    #[test]
    fn within_a_layer_exact_beats_glob_and_a_tie_goes_to_the_stricter() {
        let user = layer(
            "[server.x]\nread_only = ['get_*', 'delete_all', '*']\nmutating = ['*_all', 'get_and_set', 'get_?']\n\
             [server.'x*']\nmutating = ['read_me']\nread_only = ['write_me']\n[server.xy]\nread_only=['read_*']",
        );
        let catalog = Catalog { user: Some(user), ..Catalog::default() };
        for (server, tool, key) in [
            ("x", "get_vm", "read_only"),
            ("x", "delete_all", "read_only"), // exact beats the glob *_all
            ("x", "get_all", "mutating"),     // two globs: the stricter
            ("x", "get_and_set", "mutating"), // exact beats get_*
            ("x", "get_x", "mutating"),       // get_? against get_*
            ("x", "read_me", "mutating"),     // exact tool of a glob server ties with a glob tool of an exact server
            ("xy", "read_me", "mutating"),
            ("xyz", "write_me", "read_only"),
        ] {
            assert_eq!(verdict(&catalog, server, tool), Some((Layer::User, key)), "{server} {tool}");
        }
    }

    #[test]
    fn a_higher_layer_wins_whatever_its_exactness() {
        let catalog = Catalog {
            admin: Some(layer("[server.'x*']\nmutating = ['danger*']")),
            user: Some(layer("[server.x]\nread_only = ['danger1', 'fine']\n[server.'']\nmutating = ['Read']")),
            ..Catalog::default()
        };
        assert_eq!(verdict(&catalog, "x", "danger1"), Some((Layer::Admin, "mutating")));
        assert_eq!(verdict(&catalog, "x", "fine"), Some((Layer::User, "read_only")));
        assert_eq!(verdict(&catalog, "", "Read"), Some((Layer::User, "mutating")));
        assert_eq!(verdict(&catalog, "", "Grep"), Some((Layer::BuiltIn, "read_only")));
    }

    #[test]
    fn no_glob_means_the_hosts_own_tools() {
        let catalog = Catalog { user: Some(layer("[server.'*']\nread_only = ['*']")), ..Catalog::default() };
        assert_eq!(verdict(&catalog, "", "Workflow"), None);
        assert_eq!(verdict(&catalog, "anything", "x"), Some((Layer::User, "read_only")));
    }

    #[test]
    fn the_built_in_catalog_is_what_its_text_says() {
        let text = include_str!("../../catalog.toml");
        let parsed = layer(text);
        let all = |prepared: &Prepared| {
            let blocks =
                prepared.blocks().map(|block| format!("{} {:?}", block.owner, block.entries().collect::<Vec<_>>()));
            blocks.collect::<Vec<_>>()
        };
        assert_eq!(all(&parsed), all(built_in()));
        assert!(all(built_in()).len() > 50);
        let catalog = Catalog::default();
        let hit = catalog.find("winrm", "run_ps").base.unwrap();
        assert!(matches!(hit.entry.rule, Rule::Script { vm: "host", .. }), "{hit:?}");
        assert_eq!(hit.describe(), "[server.winrm] script run_ps");
    }

    #[test]
    fn servers_that_have_a_tool_are_found_in_every_layer() {
        let catalog = Catalog {
            user: Some(layer("[server.a]\nread_only = ['shared']\n[server.b]\nmutating = ['sha*']")),
            ..Catalog::default()
        };
        let servers: Vec<_> = catalog.servers_with("shared").into_iter().collect();
        assert_eq!(servers, ["a", "b"]);
    }
}
