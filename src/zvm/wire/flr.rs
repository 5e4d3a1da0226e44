//! The JSON of file level restore: sessions, the entries of a mounted disk, links.
//!
//! Field names: OpenAPI 10.0 U6. The path name space (partitions named like `partition#0 Ext3`, one slash between
//! components, no backslash) and the words for links: Zerto's help, 7.0.

use super::fields::{self, Leaf, List, object};
use super::{Parsed, TEXT, identifier, parse_date};
use crate::config::read::canonical_url;
use crate::text::clean;
use crate::zvm::model::{DownloadLink, FlrItem, FlrItemKind, FlrPage, FlrSession};
use serde_json::json;

/// The longest path or link that is taken; a Linux path has 4096 bytes at most, and three letters may stand for each.
const LONGEST: usize = 16 * 1024;

object! { WireFlrSession {
    flr_session_identifier: Leaf = "flrSessionIdentifier",
    flr_session_status: Leaf = "flrSessionStatus",
    vm_identifier: Leaf = "vmIdentifier",
    vpg_identifier: Leaf = "vpgIdentifier",
    checkpoint_identifier: Leaf = "checkpointIdentifier",
    mount_time: Leaf = "mountTime",
}}

object! { DownloadInformation {
    is_downloadable: Leaf = "isDownloadable",
    additional_information: Leaf = "additionalInformation",
}}

object! { WireItem {
    path: Leaf = "path",
    kind: Leaf = "type",
    is_browsable: Leaf = "isBrowsable",
    download_information: DownloadInformation = "downloadInformation",
    size_in_bytes: Leaf = "sizeInBytes",
    last_write_time: Leaf = "lastWriteTime",
}}

object! { WirePage {
    main_path_item: Option<WireItem> = "mainPathItem",
    path_items: Option<List<WireItem>> = "pathItems",
}}

pub fn mount_body(vm: &str, vpg: &str, checkpoint: &str) -> String {
    json!({ "jflr": { "vpgIdentifier": vpg, "vmIdentifier": vm, "checkpointIdentifier": checkpoint } }).to_string()
}

/// A body without a page asks for the first one, whatever its number.
pub fn browse_body(path: &str, page: Option<u32>) -> String {
    match page {
        Some(page) => json!({ "path": path, "pageNumber": page }).to_string(),
        None => json!({ "path": path }).to_string(),
    }
}

pub fn download_body(paths: &[&str]) -> String {
    json!({ "pathList": paths }).to_string()
}

pub fn flr_sessions(body: &[u8]) -> Parsed<Vec<FlrSession>> {
    fields::parse::<Vec<WireFlrSession>>(body)?.into_iter().map(WireFlrSession::into_model).collect()
}

/// The session that was asked for: an array (OpenAPI 10.0 U6) or an object (help, 7.0). None in an array without it.
pub fn flr_session(body: &[u8], wanted: &str) -> Parsed<Option<FlrSession>> {
    let is_list = body.iter().find(|b| !b.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(b)) == Some(&b'[');
    let sessions = match is_list {
        true => flr_sessions(body)?,
        false => vec![fields::parse::<WireFlrSession>(body)?.into_model()?],
    };
    match sessions.iter().any(|s| s.identifier.eq_ignore_ascii_case(wanted)) {
        true => Ok(sessions.into_iter().find(|s| s.identifier.eq_ignore_ascii_case(wanted))),
        false if sessions.is_empty() => Ok(None),
        false => Err("the session in it is another one".to_owned()),
    }
}

impl WireFlrSession {
    fn into_model(self) -> Parsed<FlrSession> {
        Ok(FlrSession {
            identifier: identifier(&self.flr_session_identifier, "a session in it has no identifier")?,
            vm_identifier: self.vm_identifier.shown(),
            vpg_identifier: self.vpg_identifier.shown(),
            checkpoint: self.checkpoint_identifier.shown(),
            status: self.flr_session_status.shown(),
            started: self.mount_time.text().and_then(parse_date),
        })
    }
}

/// What browsing `asked` brought.
pub fn flr_page(body: &[u8], asked: &str) -> Parsed<FlrPage> {
    let page = fields::parse::<WirePage>(body)?;
    if page.main_path_item.is_none() && page.path_items.is_none() {
        return Err("it holds neither an entry nor what is in it".to_owned());
    }
    let main = page.main_path_item.map(WireItem::into_model);
    let mut items = Vec::new();
    for (number, wire) in page.path_items.unwrap_or_default().0.into_iter().enumerate() {
        let has_path = wire.path.0.is_some();
        let mut item = wire.into_model();
        // A recorded answer of 2016 has the folder itself before what it holds.
        if has_path && number == 0 && (item.path == asked || main.as_ref() == Some(&item)) {
            continue;
        }
        if item.path.is_empty() {
            return Err("an entry in it has no path".to_owned());
        }
        item.path = whole(asked, item.path);
        if item.path.len() > LONGEST {
            return Err("a path in it is too long".to_owned());
        }
        items.push(item);
    }
    let main = main.map(|main| FlrItem { path: asked.to_owned(), ..main });
    Ok(FlrPage { main, items })
}

/// The whole path of an entry of `folder`. Whether the field holds that or only the name is not documented (the help
/// shows partitions alone, where both are the same); a name can hold no slash.
fn whole(folder: &str, path: String) -> String {
    let is_whole = folder.is_empty() || path.contains('/');
    if is_whole { path } else { format!("{folder}/{path}") }
}

impl WireItem {
    fn into_model(self) -> FlrItem {
        let kind = match self.kind.shown() {
            k if k.eq_ignore_ascii_case("disk") => FlrItemKind::Disk,
            k if k.eq_ignore_ascii_case("partition") => FlrItemKind::Partition,
            k if ["folder", "directory"].iter().any(|f| k.eq_ignore_ascii_case(f)) => FlrItemKind::Folder,
            k if k.eq_ignore_ascii_case("file") => FlrItemKind::File,
            k => FlrItemKind::Other(k),
        };
        let information = self.download_information;
        FlrItem {
            // As it came, whatever stands in it: a name of blanks is a name.
            path: self.path.0.unwrap_or_default(),
            browsable: self.is_browsable.truth().unwrap_or(!matches!(kind, FlrItemKind::File)),
            downloadable: information.is_downloadable.truth().unwrap_or(matches!(kind, FlrItemKind::File)),
            remark: information.additional_information.shown(),
            size: self.size_in_bytes.text().and_then(|t| t.trim().parse().ok()),
            modified: self.last_write_time.text().and_then(parse_date),
            kind,
        }
    }
}

/// The answer to a download: where the bytes are. `own` is the address that the ZVM is known by.
///
/// A path (`v1/downloads/<id>`, recorded in 2016), with or without a slash before it, or a URL. Of a URL the path alone is
/// kept: an appliance writes its own address into its links, which need not be the one that it is known by, and to any
/// other place the token must not go.
pub fn link(body: &[u8], own: &str) -> Parsed<DownloadLink> {
    let text = fields::parse::<Leaf>(body)?;
    // A Zerto front end takes quotes away from around it.
    let text = text.text().unwrap_or_default().trim().trim_matches('"').trim();
    if text.is_empty() || text.len() > LONGEST || text.chars().any(char::is_control) {
        return Err("the answer is no link".to_owned());
    }
    let text = text.split('#').next().unwrap_or_default();
    let first = text.split(['/', '?']).next().unwrap_or_default();
    let (host, path) = if let Some(rest) = text.strip_prefix("//") {
        split_host("https", rest)?
    } else if let Some(scheme) = first.strip_suffix(':') {
        let rest = text.strip_prefix(first).and_then(|t| t.strip_prefix("//")).unwrap_or_default();
        if !["http", "https"].iter().any(|s| scheme.eq_ignore_ascii_case(s)) {
            return Err(format!("the link is no address of the web: {}", clean(text, 100)));
        }
        split_host(scheme, rest)?
    } else if first.contains(':') {
        return Err(format!("the link is no address of the web: {}", clean(text, 100)));
    } else {
        (None, text)
    };
    let elsewhere = host.filter(|host| canonical_url(host) != canonical_url(own));
    Ok(DownloadLink { path: format!("/{}", sendable(path.trim_start_matches('/'))), elsewhere, of: String::new() })
}

/// `scheme://host` and the path after it.
fn split_host<'a>(scheme: &str, rest: &'a str) -> Parsed<(Option<String>, &'a str)> {
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    // Whoever names a user in a link wants it to be taken for another host.
    let host = host.rsplit('@').next().unwrap_or_default();
    if host.is_empty() || path.trim_matches('/').is_empty() {
        return Err("the link leads to no download".to_owned());
    }
    Ok((Some(format!("{scheme}://{}", clean(host, TEXT))), path))
}

/// What can't stand in a request's line, percent-encoded; the rest as it came.
fn sendable(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests;
