//! `mount` and its helpers: a folder that is another machine's disk from then on. Pure.
//!
//! What the same text writes there is a change of that machine; what a later call writes there can be told from the system's
//! table of mounts, but only for machines that a person has named. So a server that may be written to is asked about.

use super::carry;
use super::copied::{self, File};
use super::host;
use super::options::{self, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

const SPEC: Spec = Spec {
    flags: "acfFhilnrsvVwBMRm",
    values: "toOTLUN",
    glued: "",
    long_flags: &[
        "all",
        "no-canonicalize",
        "fake",
        "fork",
        "help",
        "internal-only",
        "show-labels",
        "no-mtab",
        "options-source-force",
        "read-only",
        "verbose",
        "version",
        "read-write",
        "rw",
        "bind",
        "move",
        "rbind",
        "make-shared",
        "make-slave",
        "make-private",
        "make-unbindable",
        "make-rshared",
        "make-rslave",
        "make-rprivate",
        "make-runbindable",
        "mkdir",
        "onlyonce",
        "exclusive",
        "beneath",
    ],
    long_values: &[
        "types",
        "options",
        "test-opts",
        "fstab",
        "label",
        "uuid",
        "source",
        "target",
        "namespace",
        "options-mode",
        "options-source",
        "target-prefix",
    ],
    stops: false,
    single_dash: false,
};

/// Judges a command of `mount`, or of one of its helpers (`mount.nfs`, `mount_smbfs`), which are named for the kind.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let mut helper = carry::name(command).strip_prefix("mount").unwrap_or_default();
    helper = helper.strip_prefix(['.', '_']).unwrap_or_default();
    let otherwise =
        || if helper.is_empty() { Report::of(Effect::Table) } else { Report::changes("mounts a file system") };
    let parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(_) if helper.is_empty() => return Report::of(Effect::Table),
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["help", "version", "h", "V", "f", "fake"]) && !parsed.has(&["a", "all"]) {
        return if helper.is_empty() { Report::of(Effect::Table) } else { Report::reads() };
    }
    let kinds: Vec<&Word> = parsed.values(&["t", "types"]).collect();
    let mut reads = parsed.has(&["r", "read-only"]);
    for options in parsed.values(&["o", "options"]) {
        for option in options.known().unwrap_or_default().split(',') {
            reads = option == "ro" || reads && option != "rw";
        }
    }
    let given = |names: &'static [&'static str]| parsed.values(names).next();
    let source = given(&["source"]).or(parsed.operands.first());
    let folder = given(&["target"]).or(parsed.operands.get(1));
    let mut found: Vec<(Word, Host)> = Vec::new();
    if let (Some(source), Some(folder)) = (source, folder) {
        let kind = kinds.first().and_then(|kind| kind.known()).unwrap_or(helper);
        if let Some(host) = server(source, kind) {
            found.push((folder.clone(), host));
        }
    } else if facts.own && !parsed.has(&["B", "M", "R", "bind", "move", "rbind"]) {
        // The rest stands in the system's own list.
        let all = parsed.has(&["a", "all"]);
        let wanted = source.or(folder).and_then(Word::known);
        found.extend(listed(facts, |line: &Listed| {
            !line.reads && (all || wanted.is_some_and(|name| name == line.folder || name == line.source))
        }));
    }
    if found.is_empty() || reads {
        return otherwise();
    }
    let mut effects = otherwise().effects;
    for (folder, host) in found {
        effects.push(Effect::Mounts { folder, host: host.clone() });
        let why = "what is written to the folder that it mounts can't be seen later".to_owned();
        effects.push(Effect::UnknownAt { hosts: vec![host], why });
    }
    Report { effects, by: None }
}

/// The machine on which a source lies, if it comes over the network.
fn server(source: &Word, kind: &str) -> Option<Host> {
    const LOCAL: &[&str] = &["9p", "virtiofs", "tmpfs", "overlay", "proc", "sysfs", "ext4", "xfs", "btrfs", "vfat"];
    if LOCAL.contains(&kind) {
        return None;
    }
    let text = source.beginning();
    if let Some(rest) = source.strip_prefix("//").or_else(|| source.strip_prefix("\\\\")) {
        let name = rest.split_once('/').or_else(|| rest.split_once('\\')).map_or(rest, |(name, _)| name);
        return Some(host::host(&host::with_port(&name).host));
    }
    if let Some((_, rest)) = text.split_once("://") {
        let place = rest.split('/').next().unwrap_or_default();
        return Some(host::host(&host::with_port(&place.into()).host));
    }
    let source = source.strip_prefix("sshfs#").unwrap_or_else(|| source.clone());
    match copied::file(&source, false) {
        File::Remote { place, .. } => Some(host::host(&place.host)),
        File::Local(_) => None,
        File::Unclear(_) if ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "sshfs"].contains(&kind) => {
            Some(Host::Unknown(format!("the machine `{}` is only known when it runs", source.shown())))
        }
        File::Unclear(_) => None,
    }
}

/// A line of the system's list of what to mount.
struct Listed<'t> {
    source: &'t str,
    folder: &'t str,
    kind: &'t str,
    reads: bool,
}

/// What the list holds of other machines.
fn listed(facts: &Facts, wanted: impl Fn(&Listed) -> bool) -> Vec<(Word, Host)> {
    let Ok(text) = copied::text_of(&"/etc/fstab".into(), facts) else {
        return vec![];
    };
    let line = |line: &str| {
        let mut fields = line.split_whitespace();
        let (source, folder, kind) = (fields.next()?, fields.next()?, fields.next()?);
        let reads = fields.next().unwrap_or_default().split(',').any(|option| option == "ro");
        let listed = Listed { source, folder, kind, reads };
        if source.starts_with('#') || !wanted(&listed) {
            return None;
        }
        Some((Word::from(folder), server(&source.into(), listed.kind)?))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::remote_cases::{Files, check, command, own, shown};
    use super::*;

    #[test]
    fn servers() {
        check(
            judge,
            &[
                ("mount", "table"),
                ("mount -l -t nfs4", "table"),
                ("mount /dev/sdb1 /mnt", "table"),
                ("mount --bind /a /b", "table"),
                ("mount -t nfs web01:/srv /mnt", "table; mounts /mnt@web01; unknown@web01"),
                ("mount web01:/srv /mnt -o vers=4.2", "table; mounts /mnt@web01; unknown@web01"),
                ("mount -o ro,soft web01:/srv /mnt", "table"),
                ("mount -r web01:/srv /mnt", "table"),
                ("mount -o ro,rw web01:/srv /mnt", "table; mounts /mnt@web01; unknown@web01"),
                ("mount -t cifs -o user=x //file01/c /mnt", "table; mounts /mnt@file01; unknown@file01"),
                ("mount -t nfs [fe80::1]:/srv /mnt", "table; mounts /mnt@fe80::1; unknown@fe80::1"),
                ("mount -t fuse.sshfs root@web01:/ /mnt", "table; mounts /mnt@web01; unknown@web01"),
                (
                    "mount -t davfs https://cloud.example/x /mnt",
                    "table; mounts /mnt@cloud.example; unknown@cloud.example",
                ),
                ("mount -t nfs …:/srv /mnt", "table"),
                ("mount -t nfs 'srv'…:/srv /mnt", "table; mounts /mnt@?; unknown@?"),
                ("mount -t 9p host0:x /mnt", "table"),
                ("mount --source web01:/x --target /mnt", "table; mounts /mnt@web01; unknown@web01"),
                ("mount.nfs web01:/srv /mnt -o rw", "changes; mounts /mnt@web01; unknown@web01"),
                ("mount.cifs //file01/c /mnt", "changes; mounts /mnt@file01; unknown@file01"),
                ("mount_smbfs //jo@file01/c /mnt", "changes; mounts /mnt@file01; unknown@file01"),
                ("mount.nfs localhost:/srv /mnt", "changes; mounts /mnt@same; unknown@same"),
                ("mount.nfs --help", "reads"),
                ("mount.nfs web01:/srv /mnt -Z", "unknown"),
            ],
        );
    }

    #[test]
    fn what_the_systems_list_holds() {
        let fstab = "# web09:/x /never nfs rw 0 0\nUUID=1 / ext4 defaults 0 1\nweb01:/srv /mnt/web nfs rw 0 0\n\
            db01:/srv /mnt/db nfs ro 0 0\n//file01/c /mnt/c cifs credentials=/x 0 0\n";
        let files = Files(std::collections::BTreeMap::from([("/etc/fstab", fstab)]));
        for (line, expected) in [
            ("mount /mnt/web", "table; mounts /mnt/web@web01; unknown@web01"),
            ("mount web01:/srv", "table; mounts /mnt/web@web01; unknown@web01"),
            ("mount /mnt/db", "table"),
            ("mount /", "table"),
            ("mount /never", "table"),
            ("mount -a", "table; mounts /mnt/web@web01; unknown@web01; mounts /mnt/c@file01; unknown@file01"),
        ] {
            assert_eq!(shown(&judge(&command(line), &own(&files))), expected, "{line}");
        }
    }
}
