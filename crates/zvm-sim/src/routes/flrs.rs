//! FLR sessions as they are listed; mounting, browsing and downloading are not simulated yet.

use axum::extract::{RawQuery, State as Extract};
use serde_json::json;

use super::{Answer, App};
use crate::dates;
use crate::json::answer;

/// `GET /v1/flrs`
pub(super) async fn list(Extract(shared): App, RawQuery(query): RawQuery) -> Answer {
    let state = shared.state();
    let vm = query.unwrap_or_default();
    let vm = vm.split('&').find_map(|pair| pair.strip_prefix("vmIdentifier=")).map(str::to_owned);
    let sessions =
        state.flr_sessions.iter().filter(|session| vm.as_ref().is_none_or(|vm| *vm == session.vm_identifier));
    let list: Vec<_> = sessions
        .map(|session| {
            json!({
                "FlrSessionStatus": session.status,
                "FlrSessionIdentifier": session.identifier,
                "FlrSessionType": "jflr",
                "VmIdentifier": session.vm_identifier,
                "VmVolumeIdentifier": null,
                "VpgIdentifier": session.vpg_identifier,
                "CheckpointIdentifier": session.checkpoint,
                "MountTime": dates::value(session.mounted_ms, state.settings.dates),
                "NumberOfRelatedRunningTasks": 0,
            })
        })
        .collect();
    Ok(answer(&state.settings, json!(list), &[]))
}
