//! Sites, the ZVM's clock, and the VMs that no VPG holds.
//!
//! Fields: OpenAPI 10.0 U6; `SiteIdentifier` beyond it (published clients).

use axum::extract::{Path, State as Extract};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Answer, App, Values};
use crate::dates;
use crate::json::{ApiError, answer, body, link};
use crate::world::{Platform, Site};

const PAIRING: [&str; 3] = ["Paired", "Pairing", "Unpaired"];

fn platform(site: &Site) -> Value {
    match &site.platform {
        Platform::VCenter { ip } => json!({ "Azure": null, "VCenter": { "Ip": ip } }),
        Platform::Azure {
            region,
            subscription,
            resource_group,
        } => json!({
            "Azure": { "RegionName": region, "Subscription": subscription, "ResourceGroup": resource_group },
            "VCenter": null,
        }),
        Platform::None => json!({ "Azure": null, "VCenter": null }),
    }
}

/// `GET /v1/localsite`
pub(super) async fn local(Extract(shared): App) -> Answer {
    let state = shared.state();
    let site = &state.site;
    let value = json!({
        "SiteIdentifier": site.identifier,
        "SiteName": site.name,
        "Link": link(&site.identifier, "/v1/localsite", "LocalSiteApi"),
        "Location": site.name,
        "Version": site.version,
        "DisplayVersion": "10.0 Update 6",
        "ZvmApiVersion": site.version,
        "ContactEmail": "",
        "ContactName": "",
        "ContactPhone": "",
        "IsReplicationToSelfEnabled": true,
        "UtcOffsetInMinutes": state.settings.utc_offset_minutes,
        "SiteType": site.site_type,
        "SiteTypeVersion": "8.0.2",
        "IpAddress": "192.0.2.2",
        "BandwidthThrottlingInMBs": -1,
        "PlatformInformation": platform(site),
        "IsLoginBannerEnabled": false,
        "LoginBanner": "",
    });
    Ok(answer(&state.settings, value, &[]))
}

fn peer_object(peer: &Site) -> Value {
    json!({
        "SiteIdentifier": peer.identifier,
        "PeerSiteName": peer.name,
        "Link": link(&peer.identifier, &format!("/v1/peersites/{}", peer.identifier), "PeerSiteApi"),
        "PairingStatus": peer.pairing_status,
        "Location": peer.name,
        "HostName": "192.0.2.3",
        "Port": 9081,
        "ProvisionedStorage": 0,
        "UsedStorage": 0,
        "IncomingThroughputInMb": 0.0,
        "OutgoingBandWidth": 0.0,
        "Version": peer.version,
        "SiteType": peer.site_type,
        "RegionName": peer.region,
    })
}

/// `GET /v1/peersites`
pub(super) async fn peers(Extract(shared): App, query: Values) -> Answer {
    let state = shared.state();
    let found: Vec<Value> = state
        .peers
        .iter()
        // The one filter that is case-sensitive (OpenAPI 10.0 U6).
        .filter(|p| query.get("peerName").is_none_or(|n| n == p.name))
        .filter(|p| {
            let name = PAIRING
                .get(usize::from(p.pairing_status))
                .copied()
                .unwrap_or_default();
            query.allows("pairingStatus", &[&p.pairing_status.to_string(), name])
        })
        .map(peer_object)
        .collect();
    Ok(answer(&state.settings, found.into(), &[]))
}

/// `GET /v1/peersites/{id}`
pub(super) async fn peer(Extract(shared): App, Path(id): Path<String>) -> Answer {
    let state = shared.state();
    match state
        .peers
        .iter()
        .find(|p| p.identifier.eq_ignore_ascii_case(&id))
    {
        Some(peer) => Ok(answer(&state.settings, peer_object(peer), &[])),
        None => Err(ApiError::new(
            state.settings.not_found_status,
            format!("Site {id} was not found."),
        )),
    }
}

/// `GET /v1/peersites/pairingstatuses`
pub(super) async fn pairing_statuses() -> Answer {
    Ok(body(StatusCode::OK, &json!(PAIRING)))
}

/// `GET /v1/serverDateTime/serverDateTimeUtc`: a JSON string.
pub(super) async fn server_time(Extract(shared): App) -> Answer {
    let state = shared.state();
    Ok(body(
        StatusCode::OK,
        &dates::value(state.now_ms(), state.settings.dates),
    ))
}

/// `GET /v1/virtualizationsites`
pub(super) async fn virtualization_sites(Extract(shared): App) -> Answer {
    let state = shared.state();
    let found: Vec<Value> = std::iter::once(&state.site)
        .chain(&state.peers)
        .map(|s| json!({ "SiteIdentifier": s.identifier, "VirtualizationSiteName": s.name }))
        .collect();
    Ok(answer(&state.settings, found.into(), &["SiteIdentifier"]))
}

/// `GET /v1/virtualizationsites/{id}/vms`: those that no VPG holds.
pub(super) async fn unprotected_vms(Extract(shared): App, Path(id): Path<String>) -> Answer {
    let state = shared.state();
    let known = std::iter::once(&state.site)
        .chain(&state.peers)
        .any(|s| s.identifier.eq_ignore_ascii_case(&id));
    if !known {
        return Err(ApiError::new(
            state.settings.not_found_status,
            format!("Site {id} was not found."),
        ));
    }
    let here = state.site.identifier.eq_ignore_ascii_case(&id);
    let found: Vec<Value> = state
        .vms
        .iter()
        .filter(|vm| here && vm.vpgs.is_empty())
        .map(|vm| json!({ "VmIdentifier": vm.identifier, "VmName": vm.name, "GuestOs": vm.guest_os }))
        .collect();
    Ok(answer(&state.settings, found.into(), &["VmIdentifier"]))
}
