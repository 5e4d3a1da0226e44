//! `zerto-guard pause`: for a while, what would be guarded or asked about runs. On a terminal only.

use super::Context;
use crate::audit::{self, Line};
use crate::config::read::parse_duration;
use crate::guard::report::span_text;
use crate::state::pause::{LONGEST, Pause as Ordered};
use crate::state::{StateDir, StateError};
use crate::text::clean;
use crate::ui::{Failure, prompt};
use clap::Args;
use serde_json::json;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard pause --for 30m --reason \"migrating the lab, snapshots are made by hand\"
  zerto-guard pause --end

It needs a terminal, ends by itself, is told at each call that runs, and is not heard by `hook --managed`.

Exit codes: 0 paused, or no longer; 1 the state folder can't be used; 5 there is no terminal, or no yes on it; 64 usage.")]
pub struct Pause {
    /// How long: 30m, 2h; at most 24h
    #[arg(long = "for", value_name = "SPAN", required_unless_present = "end")]
    span: Option<String>,
    /// Why, for the log and for whoever is told
    #[arg(long, value_name = "TEXT", required_unless_present = "end")]
    reason: Option<String>,
    /// End the pause that is on
    #[arg(long, conflicts_with_all = ["span", "reason"])]
    end: bool,
}

impl Pause {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let state = StateDir::at(context.files.state.clone());
        if self.end {
            let ended = Ordered::end(&state).map_err(failed)?;
            if ended {
                audit::append(&state, &Line::PauseEnded { time: audit::now() }).map_err(failed)?;
            }
            let text = if ended { "The pause is over: calls are guarded." } else { "There is no pause." };
            context.printer.result(text, &json!({"ok": true, "paused": false}))?;
            return Ok(0);
        }
        let (Some(span), Some(reason)) = (self.span, self.reason) else {
            return Err(Failure::new(64, "a pause needs --for and --reason", "Try `zerto-guard pause --help`."));
        };
        let usable = |span: &Duration| !span.is_zero() && *span <= LONGEST;
        let span = parse_duration(&span).filter(usable).ok_or_else(|| {
            Failure::new(64, format!("--for {}: write it as 30m or 2h, at most 24h", clean(&span, 40)), "")
        })?;
        let reason = clean(&reason, 300);
        if reason.is_empty() {
            return Err(Failure::new(64, "--reason is empty", ""));
        }
        let question = format!(
            "For {} calls that change guests run WITHOUT a checkpoint, and unknown ones without a question.\nReason: {reason}\nPause?",
            span_text(span)
        );
        match prompt::confirm(&question) {
            None => return Err(Failure::new(5, "a pause is ordered on a terminal, and there is none", "")),
            Some(false) => return Err(Failure::new(5, "not paused", "")),
            Some(true) => {}
        }
        let from = audit::now();
        let until = from + jiff::SignedDuration::try_from(span).unwrap_or_default();
        let pause = Ordered { from, until, reason };
        let line = audit::Pause { time: from, until, reason: audit::text(&pause.reason) };
        audit::append(&state, &Line::Pause(line)).map_err(failed)?;
        pause.begin(&state).map_err(failed)?;
        let text = format!("paused for {}. `zerto-guard pause --end` ends it earlier.", span_text(span));
        context.printer.result(&text, &json!({"ok": true, "paused": true, "until": until, "reason": pause.reason}))?;
        Ok(0)
    }
}

fn failed(error: StateError) -> Failure {
    let hint = error.hint();
    Failure::new(1, error.to_string(), hint)
}
