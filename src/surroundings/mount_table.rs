//! Reads the system's table of mounts, as Linux writes it in `/proc/self/mountinfo`. Other systems have no such file, so that
//! nothing is known of their network mounts.

use crate::classify::disks::MountPoint;

/// Where Linux keeps it.
pub const FILE: &str = "/proc/self/mountinfo";

/// Kinds of file systems that come over the network, or whose files are another system's; every `fuse.*` may be one.
const NETWORK: &[&str] = &[
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smb2",
    "smbfs",
    "ncpfs",
    "9p",
    "virtiofs",
    "ceph",
    "glusterfs",
    "lustre",
    "afs",
    "davfs",
    "autofs",
    "fuse",
];

/// The mounts of a table; nothing if none of them comes over the network, which is so on most machines.
#[must_use]
pub fn read(table: &str) -> Vec<MountPoint> {
    // Looked through first without a copy, since this is so for nearly every call that writes a file.
    let network = |line: &str| {
        let Some((kind, source)) = line.split_once(" - ").and_then(|(_, back)| back.split_once(' ')) else {
            return false;
        };
        NETWORK.contains(&kind) || kind.starts_with("fuse.") || source.contains("://")
    };
    if table.lines().any(network) { table.lines().filter_map(line).collect() } else { vec![] }
}

/// `36 35 98:0 /root /folder options optional… - kind source options`; a line that is none is left out.
fn line(line: &str) -> Option<MountPoint> {
    // There may be any number of optional fields before the dash; blanks in names are written as numbers.
    let (front, back) = line.split_once(" - ")?;
    let mut front = front.split(' ');
    let id = front.next()?.parse().ok()?;
    let parent = front.next()?.parse().ok()?;
    let folder = unescaped(front.nth(2)?);
    if !folder.starts_with('/') {
        return None;
    }
    let mut back = back.split(' ');
    let kind = unescaped(back.next()?);
    let source = unescaped(back.next().unwrap_or_default());
    let options = back.next().unwrap_or_default();
    let address = options.split(',').find_map(|option| option.strip_prefix("addr=")).map(unescaped);
    Some(MountPoint { id, parent, folder, kind, source, address })
}

/// Blanks, tabs, line ends, backslashes and `#` are written as three octal digits.
fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let digits = behind.get(..3).filter(|digits| digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit)));
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = behind.get(3..).unwrap_or_default();
            }
            None => {
                bytes.push(b'\\');
                rest = behind;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(table: &str) -> Vec<String> {
        read(table)
            .into_iter()
            .map(|MountPoint { id, parent, folder, kind, source, address }| {
                format!("{id}<{parent} {folder} {kind} {source} {}", address.unwrap_or_default())
            })
            .collect()
    }

    #[test]
    fn fields_are_found_wherever_the_dash_stands() {
        for (line, expected) in [
            (
                "98 29 0:52 / /mnt/nas rw,relatime shared:55 - nfs4 nas:/export rw,vers=4.2,clientaddr=10.0.0.9,addr=10.0.0.5",
                "98<29 /mnt/nas nfs4 nas:/export 10.0.0.5",
            ),
            (
                "98 29 0:52 / /mnt/x rw - fuse.sshfs root@web01:/etc rw,user_id=0",
                "98<29 /mnt/x fuse.sshfs root@web01:/etc ",
            ),
            (
                "98 29 0:52 / /mnt/x rw master:1 propagate_from:2 unbindable - cifs //nas/data\\040two rw",
                "98<29 /mnt/x cifs //nas/data two ",
            ),
            ("7 1 0:2 / /a\\040b\\134c\\011d rw - nfs [fe80::1]:/x rw", "7<1 /a b\\c\td nfs [fe80::1]:/x "),
            ("7 1 0:2 / /\\303\\274 rw - nfs s:/x rw", "7<1 /ü nfs s:/x "),
            // No octal number.
            ("7 1 0:2 / /a\\9\\12 rw - nfs s:/x", "7<1 /a\\9\\12 nfs s:/x "),
            ("7 1 0:2 / /a\\777b rw - nfs s:/x", "7<1 /a\\777b nfs s:/x "),
            ("7 1 0:2 / /a\\ü rw - nfs s:/x", "7<1 /a\\ü nfs s:/x "),
            ("7 1 0:2 / /x rw - davfs https://cloud.example/dav rw", "7<1 /x davfs https://cloud.example/dav "),
            ("7 1 0:2 / /x rw - 9p  rw", "7<1 /x 9p  "),
        ] {
            assert_eq!(shown(line), [expected], "{line}");
        }
    }

    #[test]
    fn what_is_no_entry_is_left_out_and_a_machine_without_network_mounts_has_none() {
        let broken = "\n \nx y z\n1 2 3 / /x rw nfs s:/x rw\n- - -\n1 2 0:1 / rel rw - nfs s:/x rw\n99 1 0:1 /\n";
        assert_eq!(shown(broken), [""; 0]);
        let local = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n23 22 0:5 / /proc rw - proc proc rw\n";
        assert_eq!(shown(local), [""; 0]);
        assert_eq!(shown(&format!("{local}24 22 0:6 / /mnt rw - nfs s:/x rw\n{broken}")).len(), 3);
    }
}
