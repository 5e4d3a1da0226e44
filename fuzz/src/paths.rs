//! Any text is a guest's path, a tag's short form, both joined by a colon, or the beginning that a person has set: each is read
//! back as what it was made of, and what a session shows is only found where it stands.

use super::ground::{parts, text, within};
use jiff::Timestamp;
use std::ops::ControlFlow;
use zerto_guard::config;
use zerto_guard::guard::tag::Draft;
use zerto_guard::path::{absolute, is_inside, normal};
use zerto_guard::rewind::path::{GuestPath, pinned};
use zerto_guard::rewind::search::{Shows, search};
use zerto_guard::rewind::select::{Listed, Wanted, joined, parted, select};
use zerto_guard::text::is_clean;
use zerto_guard::zvm::model::{FlrItem, FlrItemKind};

/// Runs one input: a path, a name (of a VM, and of a tag), and the files that a session shows (a line each), parted by
/// lines of `%%`.
pub fn run(bytes: &[u8]) {
    within(5, || any(text(bytes)));
}

fn any(text: &str) {
    let [path, name, files] = parts(text);
    plain(path, name);
    colons(path, name);
    let Ok(guest) = GuestPath::parse(path) else { return };
    assert!(guest.names.iter().all(|name| !name.is_empty() && !name.contains('/') && name != "." && name != ".."));
    assert!(guest.drive.is_none_or(|drive| drive.is_ascii_uppercase() && !guest.names.iter().any(|name| name.contains('\\'))));
    let again = GuestPath::parse(&guest.beginning(guest.names.len())).unwrap();
    assert_eq!((&again.names, again.drive), (&guest.names, guest.drive));
    set(&guest, name);
    let mut session = Session { files: files.lines().collect(), looks: 0 };
    let Ok(found) = search(&mut session, &guest, None);
    for item in found.found.iter().chain(&found.partitions) {
        let stands = files.lines().any(|file| file == item.path || is_inside(file, &item.path));
        assert!(stands, "{item:?}");
    }
    if let Some(wanted) = guest.name() {
        for item in &found.found {
            let same = item.name() == wanted || guest.drive.is_some() && item.name().to_lowercase() == wanted.to_lowercase();
            assert!(same || item.name().to_uppercase() == wanted.to_uppercase(), "{item:?}");
        }
    }
    assert!(found.reached <= guest.names.len());
}

fn plain(path: &str, cwd: &str) {
    let whole = normal(path);
    assert!(whole.starts_with('/') && !whole.contains("//") && (whole == "/" || !whole.ends_with('/')));
    assert!(whole.split('/').all(|part| part != ".." && part != "."));
    assert_eq!(normal(&whole), whole);
    if let Some(absolute) = absolute(path, Some(cwd)) {
        assert_eq!(normal(&absolute), absolute);
    }
}

/// What is joined by a colon is parted again, where the tag is one of this tool's.
fn colons(path: &str, name: &str) {
    if let Some((tag, rest)) = parted(path, &[]) {
        assert_eq!(format!("{tag}:{rest}"), path);
        assert!(!tag.is_empty() && !rest.is_empty());
    }
    let time = Timestamp::from_second(1_789_000_000).unwrap();
    let tag = Draft::new(name, path, &[name, path], name).stamped(time);
    let place = Listed { vpg: "v".into(), vpg_identifier: "1".into(), checkpoint: "7".into(), time: Some(time), tag: tag.clone() };
    let tags = joined(vec![place]);
    if !path.is_empty() {
        assert_eq!(parted(&format!("{tag}:{path}"), &tags), Some((tag.as_str(), path)));
    }
    let one = select(&tags, &Wanted::parse(&tag)).unwrap();
    assert_eq!(one.tag, tag);
    let change = one.says.unwrap().change;
    assert_eq!(select(&tags, &Wanted::parse(&format!("change={change}"))).unwrap().tag, tag);
    if let Ok(found) = select(&tags, &Wanted::parse(path)) {
        assert_eq!(found.tag, tag);
    }
}

/// The line that is shown for `[paths]` is one that the config takes, and means that path.
fn set(guest: &GuestPath, vm: &str) {
    let place = "partition#2 Ext4/data/x";
    // The config asks for something before the colon.
    if vm.trim().is_empty() || vm.starts_with(':') || !is_clean(vm, 200) || guest.names.is_empty() {
        return;
    }
    let line = guest.setting(vm, place);
    if guest.names.iter().any(|name| !is_clean(name, 200)) || guest.typed.len() > 700 {
        return;
    }
    let read = config::read::parse(&format!("[paths]\n{line}\n"), None);
    let config = config::read::merge(config::read::Partial::default(), read.unwrap_or_else(|why| panic!("{why}: {line}")));
    let settings = config.paths.iter().map(|(key, place)| (key.as_str(), place.as_str()));
    let pin = pinned(settings, vm, guest);
    assert_eq!(pin, Some(("partition#2 Ext4/data", guest.names.len() - 1)), "{line}");
}

struct Session<'a> {
    files: Vec<&'a str>,
    looks: usize,
}

impl Shows for Session<'_> {
    type Error = std::convert::Infallible;

    fn look(&mut self, folder: &str, each: &mut dyn FnMut(FlrItem) -> ControlFlow<()>) -> Result<(), Self::Error> {
        self.looks += 1;
        assert!(self.looks < 20_000, "it looks and looks");
        let mut told = std::collections::HashSet::new();
        for file in &self.files {
            let below = if folder.is_empty() { Some(*file) } else { file.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) };
            let Some(name) = below.and_then(|rest| rest.split('/').next()).filter(|name| !name.is_empty()) else { continue };
            let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            let is_folder = below.is_some_and(|rest| rest.contains('/'));
            let kind = match name {
                name if name.starts_with("Disk#") => FlrItemKind::Disk,
                name if name.starts_with("partition#") => FlrItemKind::Partition,
                _ if is_folder => FlrItemKind::Folder,
                _ => FlrItemKind::File,
            };
            if told.insert(path.clone()) {
                let (browsable, downloadable) = (kind != FlrItemKind::File, !name.ends_with('@'));
                let item = FlrItem { path, kind, browsable, downloadable, remark: String::new(), size: None, modified: None };
                if each(item).is_break() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn is_of_the_partition(_: &Self::Error) -> bool {
        true
    }
}
