//! What an MCP client asks: which tools there are, and that one is called. A call runs in a thread of its own.
//!
//! Must not: know what a tool does.

use crate::answer::{Refused, result};
use crate::call::Call;
use crate::consent::{Open, Way, Without, can_ask};
use crate::running::Running;
use crate::tools;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use zerto_guard::config::files::Files;
use zerto_guard::errands;
use zerto_guard::text::clean;
use zerto_guard::ui::Failure;

/// What a client is told of the server as a whole.
const INSTRUCTIONS: &str = "\
zerto-guard makes an agent's changes to servers reversible with Zerto tagged checkpoints. Before a call that may change a guest VM: \
zerto_check_tool tells whether it does. read_only: go on. mutating: zerto_guard_before_mutate first, and the call only once that \
answers ok. unknown: put the question of the answer to the human. If a change has to be undone: zerto_list_tags, then \
zerto_recover_file. Never answer for the human, and never set confirmed without a yes.";

/// How long the last news may take to be told.
const NEWS: Duration = Duration::from_secs(1);

/// The server.
pub struct Server {
    files: Files,
    places: Vec<String>,
    agent: Option<String>,
    running: Arc<Running>,
    open: Arc<Open>,
}

impl Server {
    /// With the guard's files, the options that name them, and the agent's name.
    pub fn new(files: Files, places: Vec<String>, agent: Option<String>) -> Self {
        Self { files, places, agent, running: Arc::default(), open: Arc::default() }
    }

    /// The calls that run.
    pub fn running(&self) -> Arc<Running> {
        Arc::clone(&self.running)
    }

    /// The agent's name in a tag: as it was given, as the config has it, or as the client calls itself.
    fn agent(&self, context: &RequestContext<RoleServer>) -> String {
        let configured = || errands::config(&self.files).ok()?.guard.agent;
        // One word, as the names of other agents are.
        let word = |name: &str| clean(name, 40).to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
        let client = || Some(word(&context.client_info()?.name));
        let named = self.agent.clone().or_else(configured).or_else(client);
        named.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "mcp".to_owned())
    }

    fn way(request: &mut CallToolRequestParams, context: &RequestContext<RoleServer>) -> Way {
        if !can_ask(context.client_capabilities().as_ref()) {
            return Way::None;
        }
        match context.protocol_version() {
            Some(version) if version >= ProtocolVersion::V_2026_07_28 => {
                Way::Rounds { state: request.request_state.take(), answers: request.input_responses.take() }
            }
            _ => Way::Request { peer: context.peer.clone(), runtime: Handle::current(), ended: context.ct.clone() },
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("zerto-guard", env!("CARGO_PKG_VERSION"));
        info.server_info.title = Some("zerto-guard".to_owned());
        info.with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools::ALL.iter().map(|tool| tool.described()).collect::<Result<Vec<Tool>, _>>();
        Ok(ListToolsResult::with_all_items(tools.map_err(|why| ErrorData::internal_error(why, None))?))
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::ALL.iter().find(|tool| tool.name == request.name) else {
            let why = format!("there is no tool {}", clean(&request.name, 100));
            return Err(ErrorData::invalid_params(why, None));
        };
        let (progress, telling) = told(&context);
        let call = Arc::new(Call {
            files: self.files.clone(),
            places: self.places.clone(),
            agent: self.agent(&context),
            way: Self::way(&mut request, &context),
            open: Arc::clone(&self.open),
            progress,
            ticket: self.running.enter(),
            notes: Mutex::default(),
            pending: Mutex::default(),
            without: Mutex::new(Without::Flag(false)),
        });
        let stop = call.ticket.stop().clone();
        let arguments = request.arguments.unwrap_or_default();
        let work = tokio::task::spawn_blocking(move || {
            let came = (tool.run)(&call, arguments);
            call.ticket.end();
            (came, call.notes(), call.pending())
        });
        let mut work = std::pin::pin!(work);
        let done = tokio::select! {
            done = &mut work => done,
            () = context.ct.cancelled() => {
                stop.stop();
                work.await
            }
        };
        // What goes on is told before what came of it.
        if let Some(telling) = telling {
            let _ = tokio::time::timeout(NEWS, telling).await;
        }
        let (came, notes) = match done {
            Ok((_, _, Some(pending))) => return Ok((*pending).into()),
            Ok((came, notes, None)) => (came, notes),
            Err(error) => (Err(fault(&error.to_string())), vec![]),
        };
        Ok(result(came, notes).into())
    }
}

fn fault(why: &str) -> Refused {
    let message = format!("A fault of zerto-guard-mcp broke off the work: {}.", clean(why, 300));
    Failure::new(1, message, "Please report it. zerto_list_flr_sessions shows whether anything is mounted.").into()
}

/// Where the client is told what goes on, and the task that tells it, if it asked for that.
fn told(
    context: &RequestContext<RoleServer>,
) -> (Option<mpsc::UnboundedSender<String>>, Option<tokio::task::JoinHandle<()>>) {
    let Some(token) = context.meta.get_progress_token() else { return (None, None) };
    let (send, mut news) = mpsc::unbounded_channel::<String>();
    let peer = context.peer.clone();
    let telling = tokio::spawn(async move {
        let mut number = 0.0;
        while let Some(text) = news.recv().await {
            number += 1.0;
            let told = ProgressNotificationParam::new(token.clone(), number).with_message(clean(&text, 500));
            if peer.notify_progress(told).await.is_err() {
                return;
            }
        }
    });
    (Some(send), Some(telling))
}
