//! The JSON of points in time, of a journal's ends, of clones and failover tests, and of sites.
//!
//! Field names: OpenAPI 10.0 U6 (a clone takes `checkpointId`, a test `checkpointIdentifier`).

use super::fields::{self, Leaf, object};
use super::{Link, Parsed, WireCheckpoint, WireVpg, identifier};
use crate::zvm::model::{Checkpoint, PeerSite, PointInTime, Resource, Vpg};
use serde_json::{Map, Value, json};

object! { CanMount {
    is_allowed: Leaf = "isAllowed",
    reason: Leaf = "reason",
}}

object! { WirePoint {
    checkpoint: Option<WireCheckpoint> = "checkpoint",
    can_mount: CanMount = "canMount",
}}

object! { Span {
    earliest: Option<WireCheckpoint> = "earliest",
    latest: Option<WireCheckpoint> = "latest",
}}

object! { WirePeer {
    link: Link = "link",
    site_identifier: Leaf = "siteIdentifier",
    peer_site_name: Leaf = "peerSiteName",
    site_type: Leaf = "siteType",
    host_name: Leaf = "hostName",
}}

object! { WireNativeVm {
    vm_identifier: Leaf = "vmIdentifier",
    vm_name: Leaf = "vmName",
}}

object! { WireDatastore {
    datastore_identifier: Leaf = "datastoreIdentifier",
    datastore_name: Leaf = "datastoreName",
}}

/// The points of the journal; those of a repository, which have no checkpoint, are left out.
pub fn points_in_time(body: &[u8]) -> Parsed<Vec<PointInTime>> {
    let points = fields::parse::<Vec<WirePoint>>(body)?;
    points.into_iter().filter_map(WirePoint::into_model).collect()
}

impl WirePoint {
    fn into_model(self) -> Option<Parsed<PointInTime>> {
        let (can_mount, reason) = (self.can_mount.is_allowed.truth(), self.can_mount.reason.shown());
        let checkpoint = self.checkpoint?.into_model();
        Some(checkpoint.map(|checkpoint| PointInTime { checkpoint, can_mount, reason }))
    }
}

/// The oldest and the newest checkpoint of a journal; none of an empty one.
pub fn journal_span(body: &[u8]) -> Parsed<Option<(Checkpoint, Checkpoint)>> {
    let span = fields::parse::<Span>(body)?;
    match (span.earliest, span.latest) {
        (Some(earliest), Some(latest)) => Ok(Some((earliest.into_model()?, latest.into_model()?))),
        (None, None) => Ok(None),
        _ => Err("one end of the journal is missing in it".to_owned()),
    }
}

pub fn vpgs(body: &[u8]) -> Parsed<Vec<Vpg>> {
    fields::parse::<Vec<WireVpg>>(body)?.into_iter().map(WireVpg::into_model).collect()
}

pub fn peer_sites(body: &[u8]) -> Parsed<Vec<PeerSite>> {
    fields::parse::<Vec<WirePeer>>(body)?.into_iter().map(WirePeer::into_model).collect()
}

pub fn unprotected_vms(body: &[u8]) -> Parsed<Vec<Resource>> {
    let vms = fields::parse::<Vec<WireNativeVm>>(body)?;
    vms.iter().map(|vm| named(&vm.vm_identifier, &vm.vm_name, "a VM in it has no identifier")).collect()
}

pub fn datastores(body: &[u8]) -> Parsed<Vec<Resource>> {
    let stores = fields::parse::<Vec<WireDatastore>>(body)?;
    let missing = "a datastore in it has no identifier";
    stores.iter().map(|store| named(&store.datastore_identifier, &store.datastore_name, missing)).collect()
}

fn named(id: &Leaf, name: &Leaf, missing: &str) -> Parsed<Resource> {
    Ok(Resource { identifier: identifier(id, missing)?, name: name.shown() })
}

impl WirePeer {
    fn into_model(self) -> Parsed<PeerSite> {
        let site = PeerSite {
            name: self.peer_site_name.shown(),
            identifier: identifier(&self.site_identifier.or(&self.link.identifier), "").ok(),
            site_type: self.site_type.shown(),
            host: self.host_name.shown(),
        };
        match site.name.is_empty() && site.identifier.is_none() {
            true => Err("a site in it has neither name nor identifier".to_owned()),
            false => Ok(site),
        }
    }
}

pub fn clone_body(checkpoint: &str, datastore: Option<&str>) -> String {
    let mut body = Map::from_iter([("checkpointId".to_owned(), Value::from(checkpoint))]);
    body.extend(datastore.map(|datastore| ("datastoreIdentifier".to_owned(), Value::from(datastore))));
    Value::Object(body).to_string()
}

pub fn test_body(checkpoint: &str) -> String {
    json!({ "checkpointIdentifier": checkpoint }).to_string()
}

pub fn stop_body(success: bool, summary: &str) -> String {
    json!({ "failoverTestSuccess": success, "failoverTestSummary": summary }).to_string()
}

#[cfg(test)]
mod tests;
