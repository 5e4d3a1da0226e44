//! `/v1/vms`: one row for each pair of VM and VPG.
//!
//! Fields: OpenAPI 10.0 U6, and those that recorded bodies have beyond it.

use axum::extract::{Path, State as Extract};
use serde_json::{Value, json};

use super::{Answer, App, Values};
use crate::dates;
use crate::journal::Checkpoint;
use crate::json::{ApiError, answer, link, self_link};
use crate::settings::NameMatch;
use crate::state::State;
use crate::world::{Side, Vm, Vpg, guid};

/// The link to the site on one side.
pub(super) fn site_link(state: &State, side: &Side) -> Value {
    match side {
        Side::Local => link(&state.site.identifier, "/v1/localsite", "LocalSiteApi"),
        Side::Peer(id) => link(id, &format!("/v1/peersites/{id}"), "PeerSiteApi"),
    }
}

/// The members that a VM's row and a VPG have alike.
pub(super) fn common(state: &State, vpg: &Vpg) -> Value {
    let name = |side| state.site_of(side).map(|s| s.name.clone());
    let entity = |side| state.site_of(side).map_or(0, |s| s.entity_type);
    json!({
        "VpgIdentifier": vpg.identifier,
        "VpgName": vpg.name,
        "OrganizationName": "",
        "Priority": 1,
        "ActualRPO": vpg.actual_rpo,
        "LastTest": null,
        "Status": vpg.status,
        "SubStatus": vpg.sub_status,
        "IOPs": 12,
        "ThroughputInMB": 0.5,
        "ProvisionedStorageInMB": 40960,
        "UsedStorageInMB": 18204,
        "SourceSite": name(&vpg.protected),
        "TargetSite": name(&vpg.recovery),
        "ProtectedSiteName": name(&vpg.protected),
        "RecoverySiteName": name(&vpg.recovery),
        "ProtectedSite": site_link(state, &vpg.protected),
        "RecoverySite": site_link(state, &vpg.recovery),
        "Entities": {
            "Protected": entity(&vpg.protected),
            "Recovery": entity(&vpg.recovery),
            // As in recorded bodies; not in the OpenAPI file.
            "Source": entity(&vpg.protected),
            "Target": entity(&vpg.recovery),
        },
    })
}

/// Adds the members of one object to another.
pub(super) fn merge(mut into: Value, more: Value) -> Value {
    if let (Some(into), Value::Object(more)) = (into.as_object_mut(), more) {
        into.extend(more);
    }
    into
}

fn row(state: &State, vm: &Vm, vpg: &Vpg) -> Value {
    // Not clean: the query is part of the identifier (recorded bodies).
    let dirty = format!("{}?VpgIdentifier={}", vm.identifier, vpg.identifier);
    let href = format!("/v1/vms/{dirty}");
    let azure = state
        .site_of(&vpg.protected)
        .is_some_and(|s| s.entity_type == 5)
        .then(|| json!({ "ResourceGroup": "app-rg", "MachineSize": "Standard_D2s_v5", "Tags": [] }));
    let own = json!({
        "VmIdentifier": vm.identifier,
        "VmName": vm.name,
        "Link": link(&dirty, &href, "VmApi"),
        // A second link with this very name is in recorded bodies.
        "Link_{0}": self_link(&href, "VmApi"),
        "CpuCoresNum": 2,
        "MemorySizeInMB": 4096,
        "JournalUsedStorageMb": 512,
        "JournalHardLimit": { "LimitType": 2, "LimitValue": 150 },
        "JournalWarningThreshold": { "LimitType": 2, "LimitValue": 112 },
        "OutgoingBandWidthInMbps": 0.25,
        "Volumes": [{ "VmVolumeIdentifier": "scsi:0:0", "PublicCloudVolumeIdentifier": null }],
        "Nics": [{ "NicIdentifier": "Network adapter 1" }],
        "EnabledActions": { "IsFlrEnabled": vm.flr_enabled },
        "IsVmExists": true,
        "RecoveryHostIdentifier": null,
        "RecoveryHostName": null,
        "OwningHostIdentifier": null,
        "OwningHostName": null,
        "OwningDatastoreIdentifier": null,
        "OwningDatastoreName": null,
        "GuestOs": vm.guest_os,
        "VmNetworkInformation": { "NetworkAdapters": [{
            "DisplayName": "Network adapter 1",
            "NetworkIdentifier": null,
            "IpAddresses": vm.ip_addresses,
        }] },
        "HardwareVersion": "vmx-19",
        "IsAgentInstalled": false,
        "PlatformInformation": { "Azure": azure },
    });
    merge(common(state, vpg), own)
}

/// Whether a VPG passes the filters that VMs and VPGs have alike.
pub(super) fn passes(state: &State, vpg: &Vpg, query: &Values) -> bool {
    let side = |which: &str, side: &Side| {
        let Some(site) = state.site_of(side) else {
            return true;
        };
        let entity = site.entity_type.to_string();
        let site_key = if which == "protected" { "sourceSite" } else { "targetSite" };
        query.allows(&format!("{which}SiteIdentifier"), &[&site.identifier])
            && query.allows(&format!("{which}SiteType"), &[&site.site_type, &entity])
            && query.allows(site_key, &[&site.name])
    };
    let number = |n: u8| n.to_string();
    query.allows("status", &[&number(vpg.status), super::vpgs::status_name(vpg.status)])
        && query.allows("subStatus", &[&number(vpg.sub_status), &super::vpgs::sub_status_name(vpg.sub_status)])
        && query.allows("priority", &["1", "Medium"])
        && query.get("organizationName").is_none()
        && side("protected", &vpg.protected)
        && side("recovery", &vpg.recovery)
}

fn rows<'a>(state: &'a State, query: &'a Values) -> impl Iterator<Item = (&'a Vm, &'a Vpg)> {
    let named = |vm: &Vm| {
        let Some(wanted) = query.get("vmName") else {
            return true;
        };
        let (name, wanted) = (vm.name.to_lowercase(), wanted.to_lowercase());
        match state.settings.name_match {
            NameMatch::Substring => name.contains(&wanted),
            NameMatch::Whole => name == wanted,
            NameMatch::Ignored => true,
        }
    };
    state
        .vms
        .iter()
        .filter(move |vm| named(vm) && query.allows("vmIdentifier", &[&vm.identifier]))
        .flat_map(|vm| vm.vpgs.iter().filter_map(|id| state.vpg(id)).map(move |vpg| (vm, vpg)))
        .filter(|(_, vpg)| query.allows("vpgName", &[&vpg.name]) && passes(state, vpg, query))
}

/// `GET /v1/vms`
pub(super) async fn list(Extract(shared): App, query: Values) -> Answer {
    let state = shared.state();
    let found: Vec<Value> = rows(&state, &query).map(|(vm, vpg)| row(&state, vm, vpg)).collect();
    Ok(answer(&state.settings, found.into(), &[]))
}

/// The one VPG that a call about a VM means.
fn pick<'a>(state: &'a State, id: &str, query: &Values) -> Result<(&'a Vm, &'a Vpg), ApiError> {
    let missing = || ApiError::new(state.settings.not_found_status, format!("VM {id} was not found."));
    let vm = state.vm(id).ok_or_else(missing)?;
    let mut vpgs =
        vm.vpgs.iter().filter_map(|v| state.vpg(v)).filter(|v| query.allows("vpgIdentifier", &[&v.identifier]));
    let vpg = vpgs.next().ok_or_else(missing)?;
    if vpgs.next().is_some() {
        // Zerto's help: without vpgIdentifier this works only where the VM is in exactly one VPG.
        let text = format!("VM {id} is protected by several VPGs: vpgIdentifier is required.");
        return Err(ApiError::new(state.settings.ambiguous_vm_status, text));
    }
    Ok((vm, vpg))
}

/// `GET /v1/vms/{id}`
pub(super) async fn one(Extract(shared): App, Path(id): Path<String>, query: Values) -> Answer {
    let state = shared.state();
    let (vm, vpg) = pick(&state, &id, &query)?;
    Ok(answer(&state.settings, row(&state, vm, vpg), &[]))
}

/// `GET /v1/vms/{id}/pointsInTime`: for each checkpoint the ZVM's own word on whether files can be restored from it.
/// Whether the protected site's ZVM says no to all is unknown; chosen: it speaks of the point, not of the site.
pub(super) async fn points_in_time(Extract(shared): App, Path(id): Path<String>, query: Values) -> Answer {
    let mut state = shared.state();
    let (vm, vpg) = pick(&state, &id, &query)?;
    let (vm, vpg) = (vm.identifier.clone(), vpg.identifier.clone());
    let offset = state.settings.utc_offset_minutes;
    let (from, to) = (query.date("startDate", offset)?, query.date("endDate", offset)?);
    let listed = super::vpgs::listing(&mut state, &vpg, from, to);
    let mut points: Vec<Value> = listed.iter().map(|c| point(&state, &vm, &vpg, c)).collect();
    if state.settings.flr.repository_points {
        points.push(json!({
            "Checkpoint": null,
            "RetentionSet": {
                "RepositoryIdentifier": guid("repository"),
                "RetentionSetIdentifier": guid("retention set"),
                "TimeStamp": dates::value(state.now_ms(), state.settings.dates),
                "IsApplicationAware": false,
                "ZorgIdentifier": null,
                "NumberOfVolumes": 1,
                "RepositorySiteIdentifier": state.site.identifier,
                "Tier": 0,
            },
            "CanMount": { "IsAllowed": true, "Reason": null },
        }));
    }
    Ok(answer(&state.settings, points.into(), &[]))
}

/// `GET /v1/vms/{id}/pointsInTime/stats`
pub(super) async fn points_in_time_stats(Extract(shared): App, Path(id): Path<String>, query: Values) -> Answer {
    let state = shared.state();
    let (vm, vpg) = pick(&state, &id, &query)?;
    let of = |c: Option<&Checkpoint>| c.map(|c| point(&state, &vm.identifier, &vpg.identifier, c));
    let (earliest, latest) = (vpg.listed().min_by_key(|c| c.time_ms), vpg.listed().max_by_key(|c| c.time_ms));
    Ok(answer(&state.settings, json!({ "Earliest": of(earliest), "Latest": of(latest) }), &[]))
}

fn point(state: &State, vm: &str, vpg: &str, checkpoint: &Checkpoint) -> Value {
    let reason = state.flr_refusal(vm, vpg).or_else(|| state.unmountable(vpg, &checkpoint.id).map(str::to_owned));
    json!({
        "Checkpoint": super::vpgs::checkpoint(checkpoint, state.settings.dates),
        "RetentionSet": null,
        "CanMount": { "IsAllowed": reason.is_none(), "Reason": reason.unwrap_or_default() },
    })
}
