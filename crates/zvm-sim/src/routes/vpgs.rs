//! `/v1/vpgs` and the checkpoints beneath it.
//!
//! Fields: OpenAPI 10.0 U6, and those that recorded bodies have beyond it.

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, State as Extract};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::vms::{common, merge, passes};
use super::{Answer, App, Values};
use crate::dates;
use crate::journal::Checkpoint;
use crate::json::{ApiError, answer, body, link};
use crate::settings::DateForm;
use crate::state::State;
use crate::tokens::Grant;
use crate::world::Vpg;

/// In the order of the numbers (that the call lists them so is inferred). 3 and 4 are the other way round in Zerto's
/// SDK and in old help; this is the order of current help.
const STATUSES: [&str; 9] = [
    "Initializing",
    "MeetingSLA",
    "NotMeetingSLA",
    "RpoNotMeetingSLA",
    "HistoryNotMeetingSLA",
    "FailingOver",
    "Moving",
    "Deleting",
    "Recovered",
];

/// The names that Zerto's SDK knows; the OpenAPI file has ten more numbers.
const SUB_STATUSES: [&str; 33] = [
    "None",
    "InitialSync",
    "Creating",
    "VolumeInitialSync",
    "Sync",
    "RecoveryPossible",
    "DeltaSync",
    "NeedsConfiguration",
    "Error",
    "EmptyProtectionGroup",
    "DisconnectedFromPeerNoRecoveryPoints",
    "FullSync",
    "VolumeDeltaSync",
    "VolumeFullSync",
    "FailingOverCommitting",
    "FailingOverBeforeCommit",
    "FailingOverRollingBack",
    "Promoting",
    "MovingCommitting",
    "MovingBeforeCommit",
    "MovingRollingBack",
    "Deleting",
    "PendingRemove",
    "BitmapSync",
    "DisconnectedFromPeer",
    "ReplicationPausedUserInitiated",
    "ReplicationPausedSystemInitiated",
    "RecoveryStorageProfileError",
    "Backup",
    "RollingBack",
    "RecoveryStorageError",
    "JournalStorageError",
    "VmNotProtectedError",
];

pub(super) fn status_name(status: u8) -> &'static str {
    STATUSES.get(usize::from(status)).copied().unwrap_or("Unknown")
}

pub(super) fn sub_status_name(sub_status: u8) -> String {
    // 33..42: unknown; chosen: a name that says so.
    SUB_STATUSES.get(usize::from(sub_status)).map_or_else(|| format!("SubStatus{sub_status}"), |&n| n.to_owned())
}

pub(super) fn checkpoint(c: &Checkpoint, dates: DateForm) -> Value {
    json!({
        "CheckpointIdentifier": c.id,
        "TimeStamp": dates::value(c.time_ms, dates),
        "Tag": c.tag,
        "Type": c.kind,
    })
}

fn object(state: &State, vpg: &Vpg) -> Value {
    let dates = state.settings.dates;
    let earliest = vpg.listed().min_by_key(|c| c.time_ms).map(|c| checkpoint(c, dates));
    let own = json!({
        "Link": link(&vpg.identifier, &format!("/v1/vpgs/{}", vpg.identifier), "VpgApi"),
        "VpgDescription": "",
        "VpgType": "Regular",
        "VmsCount": state.vms.iter().filter(|vm| vm.vpgs.contains(&vpg.identifier)).count(),
        "ProgressPercentage": 0,
        "Zorg": null,
        "ConfiguredRpoSeconds": 300,
        "StatusDescription": status_name(vpg.status),
        "SubStatusDescription": sub_status_name(vpg.sub_status),
        "ActiveProcessesApi": {
            "RunningFailOverTestApi": vpg.failover_test_stage.as_ref().map(|stage| json!({ "Stage": stage })),
        },
        "ServiceProfile": null,
        "ServiceProfileIdentifier": null,
        "ServiceProfileName": null,
        "BackupEnabled": false,
        "FailSafeHistory": {
            "ActualFailSafeHistory": -1,
            "ConfiguredFailSafeHistory": -1,
            "FailSafeDescription": null,
        },
        "HistoryStatusApi": {
            "ActualHistoryInMinutes": vpg.actual_history(state.now_ms()),
            "ConfiguredHistoryInMinutes": vpg.configured_history_minutes,
            "EarliestCheckpoint": earliest,
        },
        "AlertStatus": 0,
    });
    merge(common(state, vpg), own)
}

fn find<'a>(state: &'a State, id: &str) -> Result<&'a Vpg, ApiError> {
    // By guid alone: a name in the path is not an identifier.
    state
        .vpgs
        .iter()
        .find(|v| v.identifier.eq_ignore_ascii_case(id))
        .ok_or_else(|| ApiError::new(state.settings.not_found_status, format!("VPG {id} was not found.")))
}

/// `GET /v1/vpgs`
pub(super) async fn list(Extract(shared): App, query: Values) -> Answer {
    let state = shared.state();
    let passing = |v: &&Vpg| query.allows("name", &[&v.name]) && passes(&state, v, &query);
    let found: Vec<Value> = state.vpgs.iter().filter(passing).map(|v| object(&state, v)).collect();
    Ok(answer(&state.settings, found.into(), &[]))
}

/// `GET /v1/vpgs/{id}`
pub(super) async fn one(Extract(shared): App, Path(id): Path<String>) -> Answer {
    let state = shared.state();
    let vpg = find(&state, &id)?;
    Ok(answer(&state.settings, object(&state, vpg), &[]))
}

/// `GET /v1/vpgs/statuses`
pub(super) async fn statuses() -> Answer {
    Ok(body(StatusCode::OK, &json!(STATUSES)))
}

/// `GET /v1/vpgs/substatuses`
pub(super) async fn sub_statuses() -> Answer {
    let names: Vec<String> = (0..=42).map(sub_status_name).collect();
    Ok(body(StatusCode::OK, &json!(names)))
}

/// `GET /v1/vpgs/entitytypes`. 5 is unknown; chosen: Azure.
pub(super) async fn entity_types() -> Answer {
    Ok(body(StatusCode::OK, &json!(["VCVpg", "VCvApp", "VCDvApp", "PublicCloud", "HyperV", "Azure"])))
}

/// What the API lists of a journal, within these times (both included), in no order.
pub(super) fn listing(state: &mut State, vpg: &str, from: Option<i64>, to: Option<i64>) -> Vec<Checkpoint> {
    state.listings += 1;
    let seed = state.listings;
    let ordered = state.settings.ordered_checkpoints;
    let Some(vpg) = state.vpg(vpg) else {
        return Vec::new();
    };
    let within = |c: &&Checkpoint| from.is_none_or(|f| c.time_ms >= f) && to.is_none_or(|t| c.time_ms <= t);
    let mut found: Vec<Checkpoint> = vpg.listed().filter(within).cloned().collect();
    found.sort_by_key(|c| c.time_ms);
    if !ordered {
        shuffle(&mut found, seed);
        // By chance it may come out sorted, and a test that counts on disorder would then fail now and then.
        if found.is_sorted_by_key(|c| c.time_ms) {
            found.reverse();
        }
    }
    found
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for i in (1..items.len()).rev() {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        let other = usize::try_from(x % (u64::try_from(i).unwrap_or(u64::MAX - 1) + 1)).unwrap_or(0);
        items.swap(i, other);
    }
}

/// `GET /v1/vpgs/{id}/checkpoints`
pub(super) async fn checkpoints(Extract(shared): App, Path(id): Path<String>, query: Values) -> Answer {
    let mut state = shared.state();
    let vpg = find(&state, &id)?.identifier.clone();
    let offset = state.settings.utc_offset_minutes;
    let (from, to) = (query.date("startDate", offset)?, query.date("endDate", offset)?);
    let dates = state.settings.dates;
    let found: Vec<Value> = listing(&mut state, &vpg, from, to).iter().map(|c| checkpoint(c, dates)).collect();
    Ok(answer(&state.settings, found.into(), &[]))
}

/// `GET /v1/vpgs/{id}/checkpoints/stats`
pub(super) async fn stats(Extract(shared): App, Path(id): Path<String>) -> Answer {
    let state = shared.state();
    let vpg = find(&state, &id)?;
    let dates = state.settings.dates;
    let earliest = vpg.listed().min_by_key(|c| c.time_ms).map(|c| checkpoint(c, dates));
    let latest = vpg.listed().max_by_key(|c| c.time_ms).map(|c| checkpoint(c, dates));
    Ok(answer(&state.settings, json!({ "Earliest": earliest, "Latest": latest }), &[]))
}

/// `POST /v1/vpgs/{id}/checkpoints`: answers with a task id as a JSON string. 200 means queued.
pub(super) async fn insert(
    Extract(shared): App,
    Extension(who): Extension<Grant>,
    Path(id): Path<String>,
    text: Bytes,
) -> Answer {
    let mut state = shared.state();
    if !super::auth::may_insert(who.role) {
        // 403 for a role that may not: inferred.
        return Err(ApiError::new(403, "User does not have the required permissions for this operation."));
    }
    let Ok(Value::Object(fields)) = serde_json::from_slice(&text) else {
        return Err(ApiError::new(400, "The request body is not valid."));
    };
    find(&state, &id)?;
    // checkpointName, CheckpointName and checkpointname are all in use against real ZVMs.
    let name = fields.iter().find(|(k, _)| k.eq_ignore_ascii_case("checkpointName")).and_then(|(_, v)| v.as_str());
    let task = state.insert(&id, name.unwrap_or_default(), &who.name)?;
    Ok(body(StatusCode::OK, &Value::String(task)))
}
