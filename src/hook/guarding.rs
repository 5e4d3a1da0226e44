//! A call that changes a guest: guarded, and what the model and the user are told.
use crate::call::ToolCall;
use crate::classify::Classification;
use crate::config::Config;
use crate::config::files::Files;
use crate::deadline::Deadline;
use crate::hosts::Answer;

pub(super) fn guard(
    _call: &ToolCall,
    known: &Classification,
    _config: &Config,
    _files: &Files,
    _agent: &str,
    _change: Option<&str>,
    _deadline: Deadline,
) -> Answer {
    Answer::Deny(format!("stopped: {}", known.reason))
}
