//! The MCP server's entry in an agent host's settings: where it stands, as data, and how it is put in and taken out again.
//!
//! Pure, as all of `install`. A new host is a line in [`RECIPES`], with the document that says so. Must not: know the hook.

mod edit;

pub use edit::{add, remove};

use super::recipe::NoPlace;
use super::{Places, Scope};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The name of the server's program, and of its file beside ours.
pub const PROGRAM: &str = "zerto-guard-mcp";

/// The name under which hosts know the server.
pub const NAME: &str = "zerto-guard";

/// How a host keeps its MCP servers.
pub struct Recipe {
    /// The host, as `install` names it.
    pub host: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The file of that scope.
    pub place: fn(&Places, Scope) -> Result<PathBuf, NoPlace>,
    /// The names of the objects, one in the other, that hold the servers.
    pub keys: &'static [&'static str],
    /// The entry, from the program and its arguments.
    pub entry: fn(&str, &[String]) -> Value,
    /// What a person has still to do.
    pub by_hand: &'static str,
}

impl std::fmt::Debug for Recipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recipe").field("host", &self.host).finish_non_exhaustive()
    }
}

/// The hosts whose settings are known.
pub static RECIPES: &[Recipe] = &[
    // modelcontextprotocol.io, "Connect to local MCP servers": below ~/Library on macOS; on Linux below ~/.config.
    Recipe {
        host: "claude-desktop",
        title: "Claude Desktop",
        place: |places, scope| match scope {
            Scope::User => of_program(places, "Claude/claude_desktop_config.json"),
            _ => none("Claude Desktop has its user's settings alone."),
        },
        keys: SERVERS,
        entry: plain,
        by_hand: "Quit Claude Desktop and start it again: it reads its servers when it starts.",
    },
    // code.claude.com/docs, "MCP": the user's servers are in ~/.claude.json, a project's in .mcp.json.
    Recipe {
        host: "claude-code",
        title: "Claude Code",
        place: |places, scope| match scope {
            Scope::User => places.folder("CLAUDE_CONFIG_DIR", "").map(|folder| folder.join(".claude.json")),
            Scope::Project => Ok(places.project.join(".mcp.json")),
            Scope::Managed => {
                none("A managed file of servers would shut out all others. Install it for the user or the project.")
            }
        },
        keys: SERVERS,
        entry: typed,
        by_hand: "Start Claude Code again; `/mcp` lists the server.",
    },
    // microsoft/vscode-docs, docs/agent-customization/mcp-servers.md.
    Recipe {
        host: "vscode",
        title: "VS Code",
        place: |places, scope| match scope {
            Scope::User => of_program(places, "Code/User/mcp.json"),
            Scope::Project => Ok(places.project.join(".vscode/mcp.json")),
            Scope::Managed => none(NO_MANAGED),
        },
        keys: &["servers"],
        entry: typed,
        by_hand: "VS Code asks once whether the server is trusted; `MCP: List Servers` shows it.",
    },
    // cursor.com/docs/context/mcp.
    Recipe {
        host: "cursor",
        title: "Cursor",
        place: |places, scope| below(places, scope, ".cursor/mcp.json"),
        keys: SERVERS,
        entry: plain,
        by_hand: "In Cursor's settings, under MCP, switch the server on if it is not.",
    },
    // opencode.ai/docs/mcp-servers, of version 1; version 2 has the servers one object deeper.
    Recipe {
        host: "opencode",
        title: "OpenCode",
        place: |places, scope| match scope {
            Scope::User => {
                places.folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("opencode/opencode.json"))
            }
            Scope::Project => Ok(places.project.join("opencode.json")),
            Scope::Managed => none(NO_MANAGED),
        },
        keys: &["mcp"],
        entry: |program, arguments| {
            let words: Vec<&str> = std::iter::once(program).chain(arguments.iter().map(String::as_str)).collect();
            json!({"type": "local", "command": words})
        },
        by_hand: "Start OpenCode again; `opencode mcp list` shows the server.",
    },
    // google-gemini/gemini-cli, docs/tools/mcp-server.md.
    Recipe {
        host: "gemini-cli",
        title: "Gemini CLI",
        place: |places, scope| below(places, scope, ".gemini/settings.json"),
        keys: SERVERS,
        entry: plain,
        by_hand: "`/mcp` in Gemini CLI lists the server.",
    },
    // QwenLM/qwen-code, docs: the same as Gemini CLI, from which it comes.
    Recipe {
        host: "qwen",
        title: "Qwen Code",
        place: |places, scope| below(places, scope, ".qwen/settings.json"),
        keys: SERVERS,
        entry: plain,
        by_hand: "`/mcp` in Qwen Code lists the server.",
    },
    // docs.windsurf.com, "Model Context Protocol".
    Recipe {
        host: "windsurf",
        title: "Windsurf",
        place: |places, scope| match scope {
            Scope::User => places.folder("", ".codeium/windsurf/mcp_config.json"),
            _ => none("Windsurf has its user's servers alone."),
        },
        keys: SERVERS,
        entry: plain,
        by_hand: "Refresh the servers in Windsurf's settings.",
    },
    // docs.factory.ai, "MCP".
    Recipe {
        host: "droid",
        title: "Droid",
        place: |places, scope| below(places, scope, ".factory/mcp.json"),
        keys: SERVERS,
        entry: typed,
        by_hand: "`/mcp` in Droid lists the server.",
    },
    // kiro.dev/docs/mcp/configuration.
    Recipe {
        host: "kiro",
        title: "Kiro",
        place: |places, scope| below(places, scope, ".kiro/settings/mcp.json"),
        keys: SERVERS,
        entry: plain,
        by_hand: "Kiro reads the file when it is saved; its MCP panel shows the server.",
    },
];

/// Hosts that have MCP servers and whose settings are no JSON of a known place, and what a person does there.
pub static BY_HAND: &[(&str, &str)] = &[
    ("codex", "Codex writes it itself: codex mcp add zerto-guard -- PROGRAM"),
    ("copilot-cli", "In Copilot CLI: /mcp add, a local server with the command PROGRAM"),
    ("cline", "In Cline: MCP Servers, Configure, and there under mcpServers an entry with the command PROGRAM"),
];

/// What most call it.
const SERVERS: &[&str] = &["mcpServers"];

const NO_MANAGED: &str =
    "There is no machine-wide file of servers that its documents name. Install it for the user or the project.";

fn plain(program: &str, arguments: &[String]) -> Value {
    json!({"command": program, "args": arguments})
}

fn typed(program: &str, arguments: &[String]) -> Value {
    json!({"type": "stdio", "command": program, "args": arguments})
}

fn none(why: &str) -> Result<PathBuf, NoPlace> {
    Err(NoPlace::None(why.to_owned()))
}

/// Where a program with windows keeps its user's settings.
fn of_program(places: &Places, file: &str) -> Result<PathBuf, NoPlace> {
    let folder = if cfg!(target_os = "macos") {
        places.folder("", "Library/Application Support")
    } else {
        places.folder("XDG_CONFIG_HOME", ".config")
    };
    folder.map(|folder| folder.join(file))
}

/// A file that has the same place below the home folder and below a project.
fn below(places: &Places, scope: Scope, file: &str) -> Result<PathBuf, NoPlace> {
    match scope {
        Scope::User => places.folder("", file),
        Scope::Project => Ok(places.project.join(file)),
        Scope::Managed => none(NO_MANAGED),
    }
}
