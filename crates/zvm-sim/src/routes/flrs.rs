//! `/v1/flrs`: mounting a VM's disks as they were, looking into them, and links to their files.
//!
//! Fields: OpenAPI 10.0 U6; item types: a Zerto front end; the path name space: Zerto's help.

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, State as Extract};
use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::{Answer, App, Values};
use crate::dates;
use crate::flr::FlrSession;
use crate::flr::settings::{FlrSettings, ItemPaths, LinkForm, PastEnd};
use crate::guest::{Entry, EntryKind};
use crate::json::{ApiError, answer, body};
use crate::state::State;
use crate::tokens::Grant;

/// What a sparse answer keeps, since the OpenAPI file has it here.
const KEEP: [&str; 3] = ["VmIdentifier", "VpgIdentifier", "SiteIdentifier"];

/// The time of every file: what a mount shows need not be true to the second for any test.
const WRITTEN_MS: i64 = 1_767_225_600_000;

fn object(state: &State, session: &FlrSession) -> Value {
    json!({
        "FlrSessionStatus": session.status,
        "FlrSessionIdentifier": session.identifier,
        "FlrSessionType": "jflr",
        "VmIdentifier": session.vm_identifier,
        "VmVolumeIdentifier": null,
        "VpgIdentifier": session.vpg_identifier,
        "CheckpointIdentifier": session.checkpoint,
        "MountTime": dates::value(session.mounted_ms, state.settings.dates),
        "SelectedPath": null,
        "NumberOfRelatedRunningTasks": state.tasks_of(&session.identifier),
        "RepositoryIdentifier": null,
        "RetentionSetIdentifier": null,
        "SiteIdentifier": state.site.identifier,
    })
}

/// A body that is an object; names count whatever their case, as with inserts (inferred for these calls).
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn read(text: &[u8]) -> Result<Self, ApiError> {
        match serde_json::from_slice(text) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            _ => Err(ApiError::new(400, "The request body is not valid.")),
        }
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(k, v)| k.eq_ignore_ascii_case(name) && !v.is_null()).map(|(_, v)| v)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.value(name)?.as_str().filter(|t| !t.is_empty()).map(str::to_owned)
    }

    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let list = self.value(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
    }

    fn number(&self, name: &str) -> Option<u32> {
        u32::try_from(self.value(name)?.as_u64()?).ok()
    }
}

/// Who may restore files; 403 for who may not: inferred.
fn may_restore(state: &State, who: &Grant) -> Result<(), ApiError> {
    if super::auth::may_restore(who.role, &state.settings.flr) {
        return Ok(());
    }
    Err(ApiError::new(403, "User does not have the required permissions for this operation."))
}

/// `GET /v1/flrs`
pub(super) async fn list(Extract(shared): App, query: Values) -> Answer {
    let state = shared.state();
    let sessions = state.flr_sessions.iter().filter(|s| query.allows("vmIdentifier", &[&s.vm_identifier]));
    let list: Vec<Value> = sessions.map(|s| object(&state, s)).collect();
    Ok(answer(&state.settings, list.into(), &KEEP))
}

/// `GET /v1/flrs/{id}`
pub(super) async fn one(Extract(shared): App, Path(id): Path<String>) -> Answer {
    let state = shared.state();
    let session = state.flr_sessions.iter().find(|s| s.identifier.eq_ignore_ascii_case(&id));
    let Some(session) = session else {
        return Err(ApiError::new(state.settings.not_found_status, format!("FLR session {id} was not found.")));
    };
    let value = object(&state, session);
    let value = if state.settings.flr.single_as_array { json!([value]) } else { value };
    Ok(answer(&state.settings, value, &KEEP))
}

/// `POST /v1/flrs`: answers with a session's identifier as a JSON string. 200 means begun.
pub(super) async fn mount(Extract(shared): App, Extension(who): Extension<Grant>, text: Bytes) -> Answer {
    let mut state = shared.state();
    may_restore(&state, &who)?;
    let fields = Fields::read(&text)?;
    let Some(Value::Object(jflr)) = fields.value("jflr") else {
        return Err(ApiError::new(400, "The request body holds no jflr."));
    };
    let jflr = Fields(jflr.clone());
    let needed = |name: &str| jflr.text(name).ok_or_else(|| ApiError::new(400, format!("{name} is required.")));
    let (vm, vpg) = (needed("vmIdentifier")?, needed("vpgIdentifier")?);
    let session = state.mount(&vm, &vpg, &needed("checkpointIdentifier")?, &who.name)?;
    Ok(body(StatusCode::OK, &Value::String(session)))
}

/// `DELETE /v1/flrs/{id}`: answers with a task id as a JSON string (inferred: the file says no more than string).
pub(super) async fn unmount(Extract(shared): App, Extension(who): Extension<Grant>, Path(id): Path<String>) -> Answer {
    let mut state = shared.state();
    may_restore(&state, &who)?;
    let task = state.unmount(&id, &who.name)?;
    Ok(body(StatusCode::OK, &Value::String(task)))
}

fn item(entry: &Entry, settings: &FlrSettings, dates: crate::settings::DateForm) -> Value {
    let path = match settings.item_paths {
        ItemPaths::Whole => entry.path.as_str(),
        ItemPaths::Name => entry.path.rsplit('/').next().unwrap_or_default(),
    };
    let (kind, browsable, refusal, size) = match &entry.kind {
        EntryKind::Disk => ("Disk", true, None, None),
        EntryKind::Partition => ("Partition", true, None, None),
        EntryKind::Folder => ("Folder", true, None, None),
        EntryKind::File(content) => ("File", false, None, Some(content.len())),
        EntryKind::Locked(content, reason) => ("File", false, Some(reason.as_str()), Some(content.len())),
        // The words of Zerto's help.
        EntryKind::Link => ("File", false, Some("Cannot restore. Links are not supported."), None),
    };
    let time = dates::value(WRITTEN_MS, dates);
    json!({
        "Path": path,
        "Type": kind,
        "IsBrowsable": browsable,
        "DownloadInformation": { "IsDownloadable": refusal.is_none(), "AdditionalInformation": refusal },
        "SizeInBytes": size,
        "CreationTime": time,
        "LastAccessTime": time,
        "LastWriteTime": time,
    })
}

/// The items of one page.
fn page<'a>(settings: &FlrSettings, all: &'a [Entry], fields: &Fields) -> Result<&'a [Entry], ApiError> {
    if !settings.pages {
        return Ok(all);
    }
    let longest = settings.page_size.max(1);
    let size = usize::try_from(fields.number("pageSize").filter(|n| *n > 0).unwrap_or(longest).min(longest));
    let size = size.unwrap_or(usize::MAX);
    let number = fields.number("pageNumber").unwrap_or(settings.page_base);
    let Some(number) = number.checked_sub(settings.page_base) else {
        return Err(ApiError::new(400, format!("The page {number} does not exist.")));
    };
    let mut pages = all.chunks(size);
    let last = pages.len().saturating_sub(1);
    match (pages.nth(usize::try_from(number).unwrap_or(usize::MAX)), settings.past_end) {
        (Some(page), _) => Ok(page),
        (None, _) if number == 0 => Ok(&[]),
        (None, PastEnd::Empty) => Ok(&[]),
        (None, PastEnd::LastAgain) => Ok(all.chunks(size).nth(last).unwrap_or_default()),
        (None, PastEnd::Status(status)) => Err(ApiError::new(status, "The page does not exist.")),
    }
}

/// `POST /v1/flrs/{id}/browse`
pub(super) async fn browse(
    Extract(shared): App,
    Extension(who): Extension<Grant>,
    Path(id): Path<String>,
    text: Bytes,
) -> Answer {
    let state = shared.state();
    may_restore(&state, &who)?;
    let fields = Fields::read(&text)?;
    let path = fields.text("path").unwrap_or_default();
    let (_, tree) = state.mounted(&id)?;
    let missing = || ApiError::new(state.settings.not_found_status, format!("The path '{path}' was not found."));
    let main = tree.entry(&path).ok_or_else(missing)?;
    let mut all = tree.children(&path);
    if state.settings.flr.lists_itself {
        all.insert(0, main.clone());
    }
    let (settings, dates) = (&state.settings.flr, state.settings.dates);
    let items: Vec<Value> = page(settings, &all, &fields)?.iter().map(|e| item(e, settings, dates)).collect();
    let value = json!({ "MainPathItem": item(&main, settings, dates), "PathItems": items });
    Ok(answer(&state.settings, value, &[]))
}

/// `POST /v1/flrs/{id}/download`: answers with a link as a JSON string.
pub(super) async fn download(
    Extract(shared): App,
    Extension(who): Extension<Grant>,
    Path(id): Path<String>,
    text: Bytes,
) -> Answer {
    let mut state = shared.state();
    may_restore(&state, &who)?;
    let paths = Fields::read(&text)?.texts("pathList");
    if paths.is_empty() {
        return Err(ApiError::new(400, "pathList is required."));
    }
    let (session, tree) = state.mounted(&id)?;
    for path in &paths {
        let refused = |why: &str| ApiError::new(400, format!("The path '{path}' cannot be downloaded: {why}"));
        if path.chars().any(|c| state.settings.flr.refused_characters.contains(c)) {
            return Err(refused("a character in it is not supported."));
        }
        match tree.entry(path).map(|e| e.kind) {
            None => {
                let status = state.settings.not_found_status;
                return Err(ApiError::new(status, format!("The path '{path}' was not found.")));
            }
            Some(EntryKind::Locked(_, why)) => return Err(refused(&why)),
            Some(EntryKind::Link) => return Err(refused("Links are not supported.")),
            Some(_) => {}
        }
    }
    let id = state.link(&session, paths);
    let link = match &state.settings.flr.link {
        LinkForm::Relative => format!("v1/downloads/{id}"),
        LinkForm::Rooted => format!("/v1/downloads/{id}"),
        LinkForm::Absolute => format!("{}/v1/downloads/{id}", shared.url),
        LinkForm::OwnAddress => format!("{}/v1/downloads/{id}", crate::json::OWN_ADDRESS),
        LinkForm::At(place) => format!("{place}/v1/downloads/{id}"),
    };
    Ok(body(StatusCode::OK, &Value::String(link)))
}
