//! `zerto-guard rewind ls TAG:PATH`: a guest's folder as it was at the tag.

use super::super::Context;
use super::at_tag::AtTag;
use crate::errands::mounting::{cautions, mount_plan, mounted, with_cautions};
use crate::rewind::error::RewindError;
use crate::rewind::path::GuestPath;
use crate::rewind::session::Mount;
use crate::rewind::tree::is_folder;
use crate::text::{clean, foreign};
use crate::ui::{Failure, Printer, Tone, pager, table, terminal};
use crate::zvm::model::{FlrItem, FlrItemKind};
use clap::Args;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::Arc;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind ls latest:/etc
  zerto-guard rewind ls 'chg-412:C:\\Users\\j' --vm win01 --yes
  zerto-guard rewind ls latest:/ --json

It mounts the disks of the VM as they were at the tag, after a yes on the terminal or with --yes, and unmounts them whatever
happens. A root with several partitions lists these, as Zerto names them: it knows no mount points and no drive letters.
What can't be downloaded, such as a link, is listed with the reason. Times are UTC.
Exit codes: 0 listed; 1 failed; 3 no such tag, VM or folder; 4 more than one; 5 not confirmed; 6 the ZVM can't be reached, is
not trusted, or refused the login or the right; 130 and 143 after a signal, once everything is unmounted.")]
pub struct Ls {
    #[command(flatten)]
    at: AtTag,
}

/// What lies at a path.
struct Listed {
    /// Where, in the FLR name space; empty for the partitions.
    place: String,
    items: Vec<FlrItem>,
    is_folder: bool,
}

impl Ls {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let desk = context.desk()?;
        let front = context.front(self.at.yes);
        let (found, path) = self.at.find(&desk, front.as_ref())?;
        let plan = format!("{}\n{} is listed.", mount_plan(&found, &desk), foreign(&path.typed, 300));
        front.confirm(&with_cautions(plan, &cautions(&found, &path)), "Go on?")?;
        let (inner, vm, wanted) = (Arc::clone(&desk), found.vm.name.clone(), path.clone());
        let (listed, _) = mounted(&front, &desk, &found, move |mount| {
            let places = mount.places(&inner, &vm, &wanted)?;
            list(mount, places, &wanted, &vm)
        })?;
        if context.printer.is_json() {
            context.printer.result("", &Value::Array(listed.items.iter().map(object).collect()))?;
            return Ok(0);
        }
        context.printer.note(&note(&listed, &path, &found.vm.name));
        if !listed.items.is_empty() {
            let text = text(&listed.items, &context.printer);
            pager::show(&text, &mut context.printer)?;
        }
        Ok(0)
    }
}

/// All that is there, by name.
fn list(mount: &Mount, mut places: Vec<FlrItem>, path: &GuestPath, vm: &str) -> Result<Listed, RewindError> {
    let listed = match (places.pop(), places.is_empty()) {
        (Some(item), true) if is_folder(&item) => {
            let mut items = Vec::new();
            mount.list(&item.path, |item| {
                items.push(item);
                if mount.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            Listed { place: item.path, items, is_folder: true }
        }
        (Some(item), true) => Listed { place: item.path.clone(), items: vec![item], is_folder: false },
        (last, _) => {
            places.extend(last);
            if !path.names.is_empty() {
                let places = places.into_iter().map(|item| item.path).collect();
                return Err(RewindError::SeveralPlaces { path: path.typed.clone(), vm: vm.to_owned(), places });
            }
            Listed { place: String::new(), items: places, is_folder: true }
        }
    };
    if mount.is_stopped() {
        return Err(RewindError::Stopped);
    }
    let Listed { place, mut items, is_folder } = listed;
    items.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(Listed { place, items, is_folder })
}

/// Where it is, and what an empty folder may be.
fn note(listed: &Listed, path: &GuestPath, vm: &str) -> String {
    let (shown, vm) = (foreign(&path.typed, 300), foreign(vm, 80));
    match (listed.place.as_str(), listed.items.len()) {
        ("", count) => format!("zerto-guard: {vm} has {count} partitions; any path below them is looked for on each"),
        (place, 0) => {
            // On Linux that is what a mount point looks like without what is mounted there.
            let hint = if path.drive.is_some() {
                ""
            } else {
                ". If the guest mounts another partition there, [paths] of the config can say which"
            };
            format!("zerto-guard: {shown} on {vm} is empty ({}){hint}", foreign(place, 300))
        }
        (place, 1) if !listed.is_folder => format!("zerto-guard: {shown} on {vm} is {}", foreign(place, 300)),
        (place, count) => {
            let entries = if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") };
            format!("zerto-guard: {shown} on {vm} is {}: {entries}", foreign(place, 300))
        }
    }
}

fn kind(item: &FlrItem) -> String {
    match &item.kind {
        FlrItemKind::Disk => "disk".into(),
        FlrItemKind::Partition => "partition".into(),
        FlrItemKind::Folder => "folder".into(),
        FlrItemKind::File => "file".into(),
        FlrItemKind::Other(kind) => clean(kind, 20).to_lowercase(),
    }
}

/// The name as it is shown: of a partition with the disk that it is on.
fn name(item: &FlrItem) -> &str {
    if item.kind == FlrItemKind::Partition { &item.path } else { item.name() }
}

fn text(items: &[FlrItem], printer: &Printer) -> String {
    let rows: Vec<Vec<String>> = items
        .iter()
        .map(|item| {
            let why = match (item.downloadable || is_folder(item), item.remark.trim()) {
                (true, _) => String::new(),
                (false, "") => "  (can't be downloaded)".into(),
                (false, remark) => format!("  ({})", foreign(remark, 200)),
            };
            vec![
                item.size.map_or_else(|| "-".into(), |size| size.to_string()),
                item.modified.map_or_else(|| "-".into(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string()),
                kind(item),
                format!("{}{why}", clean(name(item), 1000)),
            ]
        })
        .collect();
    let whole = table::columns(&["SIZE", "MODIFIED (UTC)", "KIND", "NAME"], &rows);
    let width = terminal::width();
    let mut lines = whole.lines().map(|line| terminal::cut(line, width));
    let head = lines.next().map(|line| printer.paint(Tone::Strong, &line)).unwrap_or_default();
    std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n")
}

fn object(item: &FlrItem) -> Value {
    json!({
        "name": item.name(),
        "path": item.path,
        "kind": kind(item),
        "size": item.size,
        "modified": item.modified,
        "downloadable": item.downloadable,
        "remark": if item.remark.is_empty() { None } else { Some(&item.remark) },
    })
}
