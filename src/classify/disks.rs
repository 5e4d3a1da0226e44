//! Which folders of the agent's machine are disks of other machines: what a person has said (`[mounts]`), and what is mounted
//! over the network. Pure: the table of mounts comes from `Surroundings`.
//!
//! Whose a network mount is: `sshfs` logs in to a machine as `ssh` does, so that one is a guest unless `unguarded` leaves it out.
//! A file server (`nfs`, `cifs` and their like) is one only if a person has named it, in `[hosts]` or as a VM of `[mounts]`:
//! homes and shares lie on file servers that are no guests, and a build in a home must not be asked about.

use super::Surroundings;
use super::effect::{Facts, Host, Unset};
use super::programs::{connection, copied, ssh_settings};
use super::targets::Places;
use super::walk::{Changed, Place};
use crate::path::is_inside;
use crate::text::host_key;

/// One entry of the system's table of mounts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MountPoint {
    /// Its number.
    pub id: u64,
    /// The number of the one in whose folder it lies.
    pub parent: u64,
    /// The folder.
    pub folder: String,
    /// The kind of its file system, such as `nfs4`.
    pub kind: String,
    /// What is mounted there, as that kind writes it.
    pub source: String,
    /// The server's address, if the kind says so.
    pub address: Option<String>,
}

/// Whose a mounted folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Whose {
    /// This machine's, or a server's that is no guest.
    Nobodys,
    /// These guests'.
    Guests(Vec<String>),
    /// Whose can't be told; why.
    Unclear(String),
}

/// The guests on whose disks something lies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owners {
    /// Their names.
    pub guests: Vec<String>,
    /// Why not all of them can be told.
    pub doubt: Option<String>,
}

/// Folders that are other machines' disks.
#[derive(Debug, Clone, Default)]
pub struct Disks {
    points: Vec<(MountPoint, Whose)>,
}

impl Disks {
    /// What is mounted now.
    #[must_use]
    pub fn of(places: &Places, around: &dyn Surroundings) -> Self {
        let whose = |point: MountPoint| {
            let whose = whose(&point, places, around);
            (point, whose)
        };
        Self { points: around.mount_points().into_iter().map(whose).collect() }
    }

    /// Whether a folder is known to be a guest's disk: then it matters where each path leads.
    #[must_use]
    pub fn any(&self, places: &Places) -> bool {
        !places.mounts.is_empty() || self.points.iter().any(|(_, whose)| *whose != Whose::Nobodys)
    }

    /// Whether no folder can be a guest's disk.
    #[must_use]
    pub fn none(&self, places: &Places) -> bool {
        places.mounts.is_empty() && self.points.is_empty()
    }

    /// Whether looking at a path may have mounted something since.
    #[must_use]
    pub fn is_automatic(&self, path: &str) -> bool {
        self.innermost(path).is_some_and(|(point, _)| point.kind == "autofs" && point.folder != "/")
    }

    /// Adds the guests on whose disks an absolute path lies, or that lie below it: what is done to a folder may be done to
    /// them.
    pub fn add(&self, path: &str, places: &Places, around: &dyn Surroundings, owners: &mut Owners) {
        let said = places.mount_of_path(path, around);
        let mounted = self.innermost(path);
        let deeper = mounted.filter(|(point, _)| said.is_none_or(|(folder, _)| point.folder.len() > folder.len()));
        match (deeper, said) {
            // What lies on a disk of this machine within a guest's folder is still said to be that guest's.
            (Some((_, Whose::Nobodys)), Some((_, vm))) => owners.guest(vm),
            (Some((point, whose)), _) => match machine_below(point, path) {
                Some(Below::Server(name)) => owners.whose(&of_file_server(&[name], places)),
                Some(Below::Login(name)) => owners.whose(&of_login(&format!("{name}:"), &point.folder, places, around)),
                None => owners.whose(whose),
            },
            (None, Some((_, vm))) => owners.guest(vm),
            (None, None) => {}
        }
        if let (Some(vm), true, None) = (&places.this_vm, owners.guests.is_empty(), &owners.doubt) {
            owners.guest(vm);
        }
        for vm in places.guests_below(path) {
            owners.guest(vm);
        }
        for (point, whose) in &self.points {
            // A person's own word for that very folder counts.
            if is_inside(&point.folder, path) && !places.mounts.contains_key(&point.folder) {
                owners.whose(whose);
            }
        }
    }

    /// Adds the guests whose disks lie where a path may lead of which only this beginning is known, which ends within a name.
    pub fn add_begun(&self, start: &str, places: &Places, owners: &mut Owners) {
        for (folder, vm) in &places.mounts {
            if folder.starts_with(start) {
                owners.guest(vm);
            }
        }
        for (point, whose) in &self.points {
            if point.folder.starts_with(start) && !places.mounts.contains_key(&point.folder) {
                owners.whose(whose);
            }
        }
    }

    /// The names of folders on the way to guests' disks.
    pub fn names<'d>(&'d self, places: &'d Places) -> impl Iterator<Item = &'d str> {
        let mounted = self.points.iter().filter(|(_, whose)| *whose != Whose::Nobodys).map(|(point, _)| &point.folder);
        places.mounts.keys().chain(mounted).flat_map(|folder| folder.split('/')).filter(|name| !name.is_empty())
    }

    /// The mount on which a path lies: from the root downwards, as the system goes, since one mounted later may hide another.
    fn innermost(&self, path: &str) -> Option<&(MountPoint, Whose)> {
        let is_known = |id: u64| self.points.iter().any(|(point, _)| point.id == id);
        let mut at = self.points.iter().find(|(point, _)| {
            is_inside(path, &point.folder) && (point.parent == point.id || !is_known(point.parent))
        })?;
        // Each step goes one mount deeper; nobody stacks more of them.
        for _ in 0..self.points.len().min(1_000) {
            let within = self
                .points
                .iter()
                .filter(|(point, _)| point.parent == at.0.id && point.id != at.0.id && is_inside(path, &point.folder));
            match within.min_by_key(|(point, _)| point.folder.len()) {
                Some(next) => at = next,
                None => break,
            }
        }
        Some(at)
    }
}

impl Owners {
    fn guest(&mut self, vm: &str) {
        if !self.guests.iter().any(|known| known == vm) {
            self.guests.push(vm.to_owned());
        }
    }

    fn whose(&mut self, whose: &Whose) {
        match whose {
            Whose::Nobodys => {}
            Whose::Guests(guests) => guests.iter().for_each(|vm| self.guest(vm)),
            Whose::Unclear(why) => self.doubt = Some(why.clone()),
        }
    }
}

/// Kinds whose source begins with the name of a file server, and a colon.
const SERVERS: &[&str] =
    &["nfs", "nfs4", "ceph", "glusterfs", "fuse.glusterfs", "fuse.ceph", "lustre", "9p", "fuse.juicefs"];

/// Kinds whose source is `//server/share`.
const SHARES: &[&str] = &["cifs", "smb3", "smbfs", "smb2", "ncpfs", "fuse.smbnetfs"];

fn whose(point: &MountPoint, places: &Places, around: &dyn Surroundings) -> Whose {
    let kind = point.kind.as_str();
    let source = point.source.as_str();
    // Where the kind of `fuse` is not told, only a login has a user before its machine.
    let login = kind == "fuse" && source.split_once(':').is_some_and(|(front, _)| front.contains('@'));
    if kind == "fuse.sshfs" || source.starts_with("sshfs#") || login {
        return of_login(source.strip_prefix("sshfs#").unwrap_or(source), &point.folder, places, around);
    }
    let mut names: Vec<&str> = point.address.as_deref().into_iter().collect();
    if SERVERS.contains(&kind) {
        names.extend(servers(source));
    } else if SHARES.contains(&kind) {
        let rest = source.trim_start_matches(['/', '\\']);
        names.extend(rest.split(['/', '\\']).next());
    } else if let Some((_, rest)) = source.split_once("://") {
        // WebDAV, FTP and their like.
        let place = rest.split('/').next().unwrap_or_default();
        let place = place.rsplit('@').next().unwrap_or_default();
        names.extend(without_port(place));
    } else if kind == "fuse.rclone" {
        // A remote of rclone's own config: its name is all that can be seen here.
        names.extend(source.split([':', '{']).next());
    }
    of_file_server(&names, places)
}

/// The machine that `sshfs` logs in to.
fn of_login(source: &str, folder: &str, places: &Places, around: &dyn Surroundings) -> Whose {
    let unclear = || Whose::Unclear(format!("which machine is mounted at {folder} can't be told"));
    let copied::File::Remote { place, .. } = copied::file(&source.into(), false) else {
        return unclear();
    };
    let home = around.home();
    let facts = Facts { around, home: home.as_deref(), cwd: None, own: true, variables: &Unset };
    let connected = connection::Connection::to(&place, ssh_settings::Settings::default(), &facts, 0);
    match &connected.host {
        Host::Same => Whose::Nobodys,
        host => match Place::default().at(host).changed(places) {
            Changed::Nothing(_) => Whose::Nobodys,
            Changed::Guests(guests) => Whose::Guests(guests),
            Changed::Unknown(..) => unclear(),
        },
    }
}

/// A server that a person has named is a guest.
fn of_file_server(names: &[&str], places: &Places) -> Whose {
    let guests: Vec<String> = names
        .iter()
        .filter(|name| !name.is_empty() && is_named(name, places) && !places.is_unguarded(name))
        .map(|name| (*name).to_owned())
        .take(1)
        .collect();
    if guests.is_empty() { Whose::Nobodys } else { Whose::Guests(guests) }
}

/// Whether a person has named a machine: as a host, or as the VM that one stands for. One of both names may be a whole one
/// (`web01.corp.example`) and the other its first part.
fn is_named(name: &str, places: &Places) -> bool {
    let key = host_key(name);
    if places.hosts.contains_key(&key) {
        return true;
    }
    let is_address = |text: &str| text.parse::<std::net::IpAddr>().is_ok();
    let same = |other: &str| {
        let other = other.to_lowercase();
        let first = |text: &str| text.split('.').next().unwrap_or_default().to_owned();
        let part = key.contains('.') != other.contains('.') && !is_address(&key) && !is_address(&other);
        key == other || (part && first(&key) == first(&other))
    };
    places
        .hosts
        .iter()
        .flat_map(|(host, vm)| [host, vm])
        .chain(places.mounts.values())
        .any(|other| same(other) && !places.is_unguarded(other))
}

/// The servers before the export: `server:/x`, `[address]:/x`, `one,two:/x`, `server:volume`.
fn servers(source: &str) -> Vec<&str> {
    if let Some((address, _)) = source.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return vec![address];
    }
    // An address of IP version 6 may stand without brackets: what is exported begins with a slash.
    let front =
        source.split_once(":/").map_or_else(|| source.rsplit_once(':').map(|(front, _)| front), |(f, _)| Some(f));
    let front = front.unwrap_or(source);
    let names = front.split([',', '/']).map(|name| name.rsplit('@').next().unwrap_or_default());
    let whole = front.parse::<std::net::IpAddr>().is_ok();
    names.map(|name| if whole { name } else { name.split([':', '@']).next().unwrap_or_default() }).collect()
}

fn without_port(place: &str) -> Option<&str> {
    match place.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => place.split(':').next(),
    }
}

/// A machine that a part of the path names.
enum Below<'p> {
    /// A file server.
    Server(&'p str),
    /// One that is logged in to.
    Login(&'p str),
}

/// In some folders each machine of the network has one: `/net/web01`, and below that of the desktop `sftp:host=web01`.
fn machine_below<'p>(point: &MountPoint, path: &'p str) -> Option<Below<'p>> {
    let first = || path.strip_prefix(point.folder.trim_end_matches('/'))?.split('/').find(|part| !part.is_empty());
    match point.kind.as_str() {
        "autofs" if matches!(point.source.as_str(), "-hosts" | "/etc/auto.net") => first().map(Below::Server),
        "fuse.gvfsd-fuse" => {
            let (kind, rest) = first()?.split_once(':')?;
            let names = rest.split(',').filter_map(|part| part.split_once('='));
            let name = names.filter(|(key, _)| matches!(*key, "host" | "server")).map(|(_, name)| name).next()?;
            Some(if kind == "sftp" { Below::Login(name) } else { Below::Server(name) })
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "tests/disks.rs"]
mod tests;
