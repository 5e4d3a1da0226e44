//! Zerto's JSON, and how it becomes values of our own. Nothing else in the house knows these field names.
//!
//! The OpenAPI file of 10.0 U6 writes names in camelCase, live answers are in PascalCase, and the file leaves out
//! fields that real answers have (identifiers among them): so names are compared without case, every field may be
//! missing or null, and what is not known is skipped. What has to be there and is not makes the whole answer nonsense:
//! a row dropped in silence would be a VPG left untagged.

mod date;
mod fields;
mod flr;
mod names;
mod recovery;

use date::parse_date;
pub(super) use date::{http_date, query_date, query_date_after};
pub(super) use flr::{browse_body, download_body, flr_page, flr_session, flr_sessions, link, mount_body};
pub(super) use recovery::{
    clone_body, datastores, journal_span, peer_sites, points_in_time, stop_body, test_body, unprotected_vms, vpgs,
};

use super::model::{Checkpoint, LocalSite, ProtectedVm, SiteRef, Task, Vpg};
use crate::state::tokens::is_token;
use crate::text::{clean, is_clean};
use fields::{Leaf, List, object};
use jiff::Timestamp;

/// The longest text of a ZVM that is kept; longer ones are cut.
pub(super) const TEXT: usize = 300;

/// What is said of an answer that is a page for people; our own words.
pub(super) const PAGE: &str = "an HTML or XML page";

/// What stands before a peer's identifier in its link.
const PEERS: &str = "/peersites/";

/// What a parser returns: a value, or what is wrong with the answer.
pub(super) type Parsed<T> = Result<T, String>;

object! { Link {
    identifier: Leaf = "identifier",
    href: Leaf = "href",
    // Swagger, VM links only.
    vpg_identifier: Leaf = "vpg_identifier",
}}

object! { Entities {
    protected: Leaf = "protected",
}}

object! { Adapter {
    ip_addresses: List<Leaf> = "ipAddresses",
}}

object! { Network {
    network_adapters: List<Adapter> = "networkAdapters",
}}

object! { VmAzure {
    resource_group: Leaf = "resourceGroup",
    machine_size: Leaf = "machineSize",
}}

object! { VmPlatform {
    azure: VmAzure = "azure",
}}

object! { EnabledActions {
    is_flr_enabled: Leaf = "isFlrEnabled",
}}

object! { Vm {
    link: Link = "link",
    vm_identifier: Leaf = "vmIdentifier",
    vm_name: Leaf = "vmName",
    vpg_identifier: Leaf = "vpgIdentifier",
    vpg_name: Leaf = "vpgName",
    protected_site: Link = "protectedSite",
    vm_network_information: Network = "vmNetworkInformation",
    platform_information: VmPlatform = "platformInformation",
    guest_os: Leaf = "guestOs",
    enabled_actions: EnabledActions = "enabledActions",
}}

object! { History {
    configured_history_in_minutes: Leaf = "configuredHistoryInMinutes",
}}

object! { FailoverTest {
    stage: Leaf = "stage",
}}

object! { Processes {
    running_fail_over_test_api: FailoverTest = "runningFailOverTestApi",
}}

object! { WireVpg {
    link: Link = "link",
    vpg_identifier: Leaf = "vpgIdentifier",
    vpg_name: Leaf = "vpgName",
    status: Leaf = "status",
    status_description: Leaf = "statusDescription",
    sub_status: Leaf = "subStatus",
    sub_status_description: Leaf = "subStatusDescription",
    protected_site: Link = "protectedSite",
    protected_site_name: Leaf = "protectedSiteName",
    source_site: Leaf = "sourceSite",
    recovery_site: Link = "recoverySite",
    recovery_site_name: Leaf = "recoverySiteName",
    target_site: Leaf = "targetSite",
    entities: Entities = "entities",
    history_status_api: History = "historyStatusApi",
    active_processes_api: Processes = "activeProcessesApi",
}}

object! { Azure {
    region_name: Leaf = "regionName",
    subscription: Leaf = "subscription",
    resource_group: Leaf = "resourceGroup",
}}

object! { Platform {
    azure: Azure = "azure",
}}

object! { Site {
    link: Link = "link",
    site_identifier: Leaf = "siteIdentifier",
    site_name: Leaf = "siteName",
    site_type: Leaf = "siteType",
    version: Leaf = "version",
    display_version: Leaf = "displayVersion",
    platform_information: Platform = "platformInformation",
}}

object! { WireCheckpoint {
    checkpoint_identifier: Leaf = "checkpointIdentifier",
    time_stamp: Leaf = "timeStamp",
    tag: Leaf = "tag",
}}

object! { TaskStatus {
    state: Leaf = "state",
    progress: Leaf = "progress",
}}

object! { Related {
    vpgs: List<Link> = "vpgs",
    flr_sessions: List<Link> = "flrSessions",
}}

object! { WireTask {
    link: Link = "link",
    task_identifier: Leaf = "taskIdentifier",
    kind: Leaf = "type",
    status: TaskStatus = "status",
    complete_reason: Leaf = "completeReason",
    initiated_by: Leaf = "initiatedBy",
    started: Leaf = "started",
    completed: Leaf = "completed",
    related_entities: Related = "relatedEntities",
}}

object! { Refusal {
    // The ZVM's own, then those of its neighbours: Keycloak, ASP.NET, a gateway.
    message: Leaf = "message",
    error_message: Leaf = "errorMessage",
    error_description: Leaf = "error_description",
    detail: Leaf = "detail",
    title: Leaf = "title",
    error: Leaf = "error",
}}

object! { WireToken {
    access_token: Leaf = "access_token",
    expires_in: Leaf = "expires_in",
}}

pub(super) fn vms(body: &[u8]) -> Parsed<Vec<ProtectedVm>> {
    fields::parse::<Vec<Vm>>(body)?.into_iter().map(Vm::into_model).collect()
}

pub(super) fn vpg(body: &[u8]) -> Parsed<Vpg> {
    fields::parse::<WireVpg>(body)?.into_model()
}

pub(super) fn site(body: &[u8]) -> Parsed<LocalSite> {
    fields::parse::<Site>(body)?.into_model()
}

pub(super) fn checkpoints(body: &[u8]) -> Parsed<Vec<Checkpoint>> {
    fields::parse::<Vec<WireCheckpoint>>(body)?.into_iter().map(WireCheckpoint::into_model).collect()
}

pub(super) fn task(body: &[u8]) -> Parsed<Task> {
    fields::parse::<WireTask>(body)?.into_model()
}

pub(super) fn tasks(body: &[u8]) -> Parsed<Vec<Task>> {
    fields::parse::<Vec<WireTask>>(body)?.into_iter().map(WireTask::into_model).collect()
}

/// The body of an insert. The tag is the only thing that it takes.
pub(super) fn insert_body(tag: &str) -> String {
    serde_json::json!({ "checkpointName": tag }).to_string()
}

/// The answer to a call that changes something: the identifier of a task (or of a session), a JSON string.
pub(super) fn new_identifier(body: &[u8]) -> Parsed<String> {
    // A number or a truth value is somebody else's answer.
    identifier(&Leaf(Some(fields::parse(body)?)), "the answer has no identifier in it")
}

/// The ZVM's clock: a JSON string.
pub(super) fn time(body: &[u8]) -> Parsed<Timestamp> {
    let text = fields::parse::<Leaf>(body)?;
    text.text().and_then(parse_date).ok_or_else(|| "the answer is not a date".to_owned())
}

/// A token and the seconds that it lives.
pub(super) fn token(body: &[u8]) -> Parsed<(String, Option<f64>)> {
    let token = fields::parse::<WireToken>(body)?;
    let life = token.expires_in.text().and_then(|t| t.trim().parse::<f64>().ok());
    match token.access_token.0 {
        Some(text) if is_token(&text) => Ok((text, life)),
        _ => Err("the answer holds no access_token".to_owned()),
    }
}

/// `error` of a Keycloak refusal, such as `invalid_grant`.
pub(super) fn login_error(body: &[u8]) -> String {
    fields::parse::<Refusal>(body).map(|r| r.error.shown()).unwrap_or_default()
}

/// What an error's body says, for people: its own words, or nothing where it holds none. Not yet cleaned.
pub(super) fn message(body: &[u8]) -> String {
    if let Ok(Leaf(Some(text))) = fields::parse::<Leaf>(body) {
        return text;
    }
    if let Ok(r) = fields::parse::<Refusal>(body) {
        let words = [r.message, r.error_message, r.error_description, r.detail, r.title];
        let said = words.iter().find_map(Leaf::text).unwrap_or_default();
        return match r.error.text() {
            Some(error) if said.is_empty() => error.to_owned(),
            Some(error) => format!("{error}: {said}"),
            None => said.to_owned(),
        };
    }
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    if text.starts_with('<') {
        return PAGE.to_owned();
    }
    text.to_owned()
}

/// An identifier as it came: it is used in URLs and compared, so one that cleaning would change is refused.
fn identifier(leaf: &Leaf, missing: &str) -> Parsed<String> {
    match leaf.text().map(str::trim) {
        Some(text) if !text.is_empty() && is_clean(text, TEXT) => Ok(text.to_owned()),
        Some(text) if !text.is_empty() => Err("an identifier holds what none can hold".to_owned()),
        _ => Err(missing.to_owned()),
    }
}

impl Link {
    /// Where a site's link leads: true for the local site, false for a peer, none if it does not tell.
    fn is_local(&self) -> Option<bool> {
        let path = self.path()?.to_ascii_lowercase();
        if path.contains(PEERS) {
            Some(false)
        } else if path.ends_with("/localsite") {
            Some(true)
        } else {
            None
        }
    }

    fn path(&self) -> Option<&str> {
        let path = self.href.text()?.split(['?', '#']).next()?;
        Some(path.trim().trim_end_matches('/'))
    }

    fn site(self, name: &Leaf, old_name: &Leaf) -> SiteRef {
        let from_path = || {
            let path = self.path()?;
            let start = path.to_ascii_lowercase().find(PEERS)?.checked_add(PEERS.len())?;
            let id = path.get(start..)?.to_owned();
            Some(id).filter(|id| is_clean(id, TEXT) && !id.contains('/'))
        };
        SiteRef {
            name: name.or(old_name).shown(),
            identifier: identifier(&self.identifier, "").ok().or_else(from_path),
            local: self.is_local(),
        }
    }
}

impl Vm {
    fn into_model(self) -> Parsed<ProtectedVm> {
        // A VM's link holds `<server guid>.<moref>?VpgIdentifier=<guid>` as its identifier (recorded answers of 7.x).
        let linked = self.link.identifier.text().unwrap_or_default();
        let (linked_vm, query) = linked.split_once('?').unwrap_or((linked, ""));
        let linked_vpg = query.split('&').find_map(|pair| {
            let (key, value) = pair.split_once('=')?;
            key.eq_ignore_ascii_case("VpgIdentifier").then_some(value)
        });
        let vm = self.vm_identifier.text().and_then(|id| id.split('?').next());
        let vm = Leaf::from(vm).or(&Leaf::from(Some(linked_vm)));
        let vpg = self.vpg_identifier.or(&Leaf::from(linked_vpg)).or(&self.link.vpg_identifier);
        // As with sites: the object may well be there, with nothing in it.
        let azure = &self.platform_information.azure;
        Ok(ProtectedVm {
            guest_os: self.guest_os.shown(),
            flr_enabled: self.enabled_actions.is_flr_enabled.truth(),
            in_azure: [&azure.resource_group, &azure.machine_size].iter().any(|leaf| leaf.text().is_some()),
            name: self.vm_name.shown(),
            identifier: identifier(&vm, "a VM in it has no identifier")?,
            vpg_identifier: identifier(&vpg, "a VM in it has no VPG identifier")?,
            vpg_name: self.vpg_name.shown(),
            protected_here: self.protected_site.is_local(),
            addresses: self
                .vm_network_information
                .network_adapters
                .0
                .iter()
                .flat_map(|adapter| &adapter.ip_addresses.0)
                .map(Leaf::shown)
                .filter(|address| !address.is_empty())
                .collect(),
        })
    }
}

impl WireVpg {
    fn into_model(self) -> Parsed<Vpg> {
        let id = self.vpg_identifier.or(&self.link.identifier);
        let words = [self.status_description.shown(), self.sub_status_description.shown()];
        let words: Vec<String> = words.into_iter().filter(|w| !w.is_empty()).collect();
        Ok(Vpg {
            identifier: identifier(&id, "the VPG in it has no identifier")?,
            name: self.vpg_name.shown(),
            status: names::vpg_status(&self.status.shown()),
            sub_status: names::vpg_sub_status(&self.sub_status.shown()),
            description: words.join("; "),
            protected_site: self.protected_site.site(&self.protected_site_name, &self.source_site),
            recovery_site: self.recovery_site.site(&self.recovery_site_name, &self.target_site),
            test_stage: self.active_processes_api.running_fail_over_test_api.stage.text().map(|t| clean(t, TEXT)),
            protected_entity: self.entities.protected.text().map(|t| names::entity(&clean(t, TEXT))),
            journal_minutes: self
                .history_status_api
                .configured_history_in_minutes
                .text()
                .and_then(|t| t.trim().parse().ok()),
        })
    }
}

impl Site {
    fn into_model(self) -> Parsed<LocalSite> {
        let site_type = self.site_type.shown();
        // A vCenter site may well carry an `azure` object, with nothing in it.
        let azure = &self.platform_information.azure;
        let in_azure = [&azure.region_name, &azure.subscription, &azure.resource_group];
        let site = LocalSite {
            name: self.site_name.shown(),
            identifier: identifier(&self.site_identifier.or(&self.link.identifier), "").ok(),
            public_cloud: names::is_public_cloud(&site_type) || in_azure.iter().any(|l| l.text().is_some()),
            site_type,
            version: self.display_version.or(&self.version).shown(),
        };
        if site.name.is_empty() && site.identifier.is_none() {
            return Err("the site in it has neither name nor identifier".to_owned());
        }
        Ok(site)
    }
}

impl WireCheckpoint {
    fn into_model(self) -> Parsed<Checkpoint> {
        Ok(Checkpoint {
            identifier: identifier(&self.checkpoint_identifier, "a checkpoint in it has no identifier")?,
            time: self.time_stamp.text().and_then(parse_date),
            tag: self.tag.text().map(|tag| clean(tag, TEXT)),
        })
    }
}

fn identifiers(links: &List<Link>) -> Vec<String> {
    links.0.iter().filter_map(|link| identifier(&link.identifier, "").ok()).collect()
}

impl WireTask {
    fn into_model(self) -> Parsed<Task> {
        let id = self.task_identifier.or(&self.link.identifier);
        Ok(Task {
            identifier: identifier(&id, "a task in it has no identifier")?,
            kind: self.kind.shown(),
            state: names::task_state(&self.status.state.shown()),
            progress: self.status.progress.text().and_then(|t| t.trim().parse().ok()),
            reason: self.complete_reason.shown(),
            started: self.started.text().and_then(parse_date),
            completed: self.completed.text().and_then(parse_date),
            vpgs: identifiers(&self.related_entities.vpgs),
            flr_sessions: identifiers(&self.related_entities.flr_sessions),
            initiated_by: self.initiated_by.shown(),
        })
    }
}

#[cfg(test)]
mod tests;
