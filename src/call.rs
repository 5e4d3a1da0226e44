//! What is about to happen, in no agent host's words. Pure.

use crate::json::Json;

/// A pending call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Which tool.
    pub tool: Tool,
    /// The tool's name as the host wrote it, for messages.
    pub name: String,
    /// Its input: a JSON object.
    pub input: Json,
    /// The folder in which the call runs, if the host told it.
    pub cwd: Option<String>,
    /// The agent's session, if the host told it.
    pub session: Option<String>,
    /// The host's identifier of the call, if it told one.
    pub id: Option<String>,
    /// For a call that expands a file of instructions, whose inline commands run without a hook of their own: where that
    /// file may be.
    pub prompt: Option<Vec<String>>,
    /// Whether the host would put a prompt of its own before a human, should it be told to ask.
    pub asks_human: bool,
}

/// Which tool is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tool {
    /// One of the host's own.
    Own(String),
    /// An MCP server's, both names known.
    OfServer {
        /// The server as the client's configuration names it.
        server: String,
        /// The tool.
        tool: String,
    },
    /// An MCP server's, whose server and tool are joined by `__`, which may be part of either.
    Joined(String),
    /// An MCP server's, whose server and tool are joined by one `_`, which may be part of either.
    Underscored(String),
    /// An MCP tool of which the host does not name the server.
    OfSomeServer(String),
}
