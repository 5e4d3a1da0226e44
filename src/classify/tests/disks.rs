//! Whose a folder is, and what is done to files in it.

use super::*;
use crate::call::{Tool, ToolCall};
use crate::catalog::Catalog;
use crate::classify::{Found, Nowhere, classify};
use crate::json::Json;
use crate::surroundings::mount_table;
use std::collections::BTreeMap;

const TABLE: &str = "\
22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 0:5 / /proc rw - proc proc rw
30 22 0:40 / /home rw - nfs4 nas.corp:/homes rw,addr=10.0.0.9
31 22 0:41 / /mnt/web rw - fuse.sshfs root@web01:/ rw
32 31 0:42 / /mnt/web/tmp rw - tmpfs tmpfs rw
33 22 0:43 / /mnt/db rw - nfs [10.0.0.5]:/srv rw,addr=10.0.0.5
34 22 0:44 / /mnt/share rw - cifs //file01/data rw,addr=10.0.0.7
35 22 0:45 / /mnt/alias rw - fuse.sshfs prod:/srv rw
36 22 0:46 / /mnt/named rw - fuse.sshfs myfs rw
37 22 0:47 / /mnt/out rw - fuse.sshfs ci.build.example: rw
38 22 0:48 / /net rw - autofs -hosts rw
39 22 0:49 / /run/user/1/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw
40 22 0:50 / /mnt/two\\040words rw - fuse.sshfs u@[fe80::7]:/ rw
41 22 0:51 / /mnt/dav rw - davfs https://file01:8443/dav rw
42 22 0:52 / /mnt/gone rw - fuse.sshfs old01:/ rw
43 42 0:53 / /mnt/gone rw - ext4 /dev/sdb1 rw
44 22 0:54 / /mnt/hid/deep rw - fuse.sshfs hid01:/ rw
45 22 0:55 / /mnt/hid rw - tmpfs tmpfs rw
46 22 0:56 / /mnt/remote rw - fuse.rclone remote:x rw
47 22 0:57 / /mnt/vm rw - nfs vm-db:/x rw
48 22 0:58 / /mnt/self rw - fuse.sshfs localhost:/ rw
49 22 0:59 / /mnt/mine rw - virtiofs mine rw
50 22 0:60 / /mnt/short rw - nfs file01.corp.example:/x rw
51 22 0:61 / /mnt/old rw - fuse jo@web07:/x rw
52 22 0:62 / /mnt/plain rw - fuse /dev/fuse rw
";

struct Mounted(&'static str);

impl Surroundings for Mounted {
    fn real_path(&self, path: &str) -> String {
        path.replace("/live/..", "/far").replace("/link", "/mnt/web")
    }

    fn file(&self, path: &str) -> Found {
        match path {
            "/u/.ssh/config" => Found::File(b"Host prod\n  HostName web01.corp\n".to_vec()),
            _ => Found::Nothing,
        }
    }

    fn home(&self) -> Option<String> {
        Some("/u".into())
    }

    fn mount_points(&self) -> Vec<MountPoint> {
        mount_table::read(self.0)
    }
}

fn places() -> Places {
    Places {
        hosts: BTreeMap::from([("10.0.0.5".into(), "vm-db".into()), ("file01".into(), "files".into())]),
        unguarded: vec!["*.build.example".into()],
        ..Places::default()
    }
}

fn shown(owners: &Owners) -> String {
    format!("{}{}", owners.guests.join(","), if owners.doubt.is_some() { " ?" } else { "" })
}

#[test]
fn whose_a_path_is() {
    let around = Mounted(TABLE);
    let disks = Disks::of(&places(), &around);
    for (path, expected) in [
        ("/etc/x", ""),
        ("/home/jo/x", ""),
        ("/mnt/web", "web01"),
        ("/mnt/web/etc/x", "web01"),
        ("/mnt/webs/etc/x", ""),
        // A local disk within it.
        ("/mnt/web/tmp/x", ""),
        ("/mnt/db/x", "10.0.0.5"),
        ("/mnt/share/x", "file01"),
        ("/mnt/alias/x", "web01.corp"),
        ("/mnt/named/x", " ?"),
        ("/mnt/out/x", ""),
        ("/net/file01/x", "file01"),
        ("/net/other/x", ""),
        ("/run/user/1/gvfs/sftp:host=web02,user=root/etc", "web02"),
        ("/run/user/1/gvfs/smb-share:server=file01,share=x/y", "file01"),
        ("/run/user/1/gvfs/smb-share:server=other,share=x/y", ""),
        ("/run/user/1/gvfs/mtp:host=phone/y", ""),
        ("/mnt/two words/x", "fe80::7"),
        ("/mnt/dav/x", "file01"),
        // Mounted over.
        ("/mnt/gone/x", ""),
        ("/mnt/hid/deep/x", ""),
        ("/mnt/remote/x", ""),
        ("/mnt/vm/x", "vm-db"),
        ("/mnt/self/x", ""),
        ("/mnt/mine/x", ""),
        ("/mnt/short/x", "file01.corp.example"),
        ("/mnt/old/x", "web07"),
        ("/mnt/plain/x", ""),
    ] {
        let mut owners = Owners::default();
        disks.add(path, &places(), &around, &mut owners);
        assert_eq!(shown(&owners), expected, "{path}");
    }
    let mut below = Owners::default();
    disks.add("/mnt", &places(), &around, &mut below);
    below.guests.sort_unstable();
    assert_eq!(shown(&below), "10.0.0.5,fe80::7,file01,file01.corp.example,hid01,old01,vm-db,web01,web01.corp,web07 ?");
}

#[test]
fn what_a_person_says_of_a_folder_counts_before_what_is_mounted_there() {
    let around = Mounted(TABLE);
    let mounts =
        |folder: &str, vm: &str| Places { mounts: BTreeMap::from([(folder.to_owned(), vm.to_owned())]), ..places() };
    for (folder, path, expected) in [
        ("/mnt/web", "/mnt/web/etc", "vm-web"),
        ("/mnt/web/etc", "/mnt/web/etc/x", "vm-web"),
        ("/mnt/web/etc", "/mnt/web/srv", "web01"),
        ("/mnt", "/mnt/web/etc", "web01"),
        ("/mnt", "/mnt/other", "vm-web"),
        ("/home", "/home/jo", "vm-web"),
        // A local disk within the folder.
        ("/mnt/web", "/mnt/web/tmp/x", "vm-web"),
    ] {
        let places = mounts(folder, "vm-web");
        let mut owners = Owners::default();
        Disks::of(&places, &around).add(path, &places, &around, &mut owners);
        assert_eq!(shown(&owners), expected, "{folder}: {path}");
    }
}

#[test]
fn servers_are_found_in_every_way_they_are_written() {
    for (source, expected) in [
        ("nas:/export", "nas"),
        ("nas.corp:/a:b", "nas.corp"),
        ("[fe80::1]:/x", "fe80::1"),
        ("fe80::1:/x", "fe80::1"),
        ("10.0.0.5:/", "10.0.0.5"),
        ("one,two:/vol", "one two"),
        ("gl01:vol", "gl01"),
        ("mon1:6789,mon2:6789:/", "mon1 mon2"),
        ("10.0.0.1@tcp:/fs", "10.0.0.1"),
        ("tag", "tag"),
        ("", ""),
    ] {
        let found: Vec<&str> = servers(source);
        let found: Vec<&str> = if source.contains('@') { vec![expected] } else { found };
        assert_eq!(found.join(" "), expected, "{source}");
    }
}

/// The verdict and the guests of a call in `/proj/project`.
fn judged(text: &str, tool: &str, around: &dyn Surroundings, places: &Places) -> String {
    let field = if tool == "Bash" { "command" } else { "file_path" };
    let call = ToolCall {
        name: tool.into(),
        tool: Tool::Own(tool.into()),
        input: Json::parse(serde_json::json!({ field: text }).to_string().as_bytes()).unwrap(),
        cwd: Some("/proj/project".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: true,
    };
    let known = classify(&call, &Catalog::default(), places, around);
    format!("{} {}", known.verdict.name(), known.guests().join(",")).trim_end().to_owned()
}

#[test]
fn tools_that_write_files() {
    let around = Mounted(TABLE);
    for (path, expected) in [
        ("/proj/project/src/x.rs", "read_only"),
        ("src/x.rs", "read_only"),
        ("/home/jo/x", "read_only"),
        ("/mnt/web/etc/x", "mutating web01"),
        ("/link/etc/x", "mutating web01"),
        ("../../mnt/web/x", "mutating web01"),
        // For the system this leaves a link's target, for a tool that takes out `..` by itself it does not.
        ("/live/../link/x", "mutating web01"),
        ("/live/../x", "read_only"),
        ("/mnt/db/x", "mutating 10.0.0.5"),
        ("/mnt/named/x", "unknown"),
        ("/mnt/out/x", "read_only"),
        // Some folder is a guest's disk, and where this leads is the tool's affair.
        ("~/x", "unknown"),
    ] {
        for tool in ["Write", "Edit"] {
            assert_eq!(judged(path, tool, &around, &places()), expected, "{tool} {path}");
        }
    }
    // With nothing but shares of servers that nobody has named, nothing is asked.
    let homes = Mounted("22 1 8:1 / / rw - ext4 x rw\n30 22 0:40 / /home rw - nfs4 nas.corp:/homes rw,addr=10.0.0.9\n");
    for (path, expected) in [("~/x", "read_only"), ("/home/jo/x", "read_only"), ("x", "read_only")] {
        assert_eq!(judged(path, "Write", &homes, &Places::default()), expected, "{path}");
    }
    let named = Places { hosts: BTreeMap::from([("10.0.0.9".into(), "nas".into())]), ..Places::default() };
    assert_eq!(judged("/home/jo/x", "Write", &homes, &named), "mutating 10.0.0.9");
    assert_eq!(judged("/home/jo/x", "Write", &Nowhere, &named), "read_only");
    let out = Places { unguarded: vec!["10.0.0.9".into(), "nas".into()], ..named };
    assert_eq!(judged("/home/jo/x", "Write", &homes, &out), "read_only");
}

#[test]
fn commands_and_redirections() {
    let around = Mounted(TABLE);
    for (text, expected) in [
        ("echo x > /mnt/web/etc/motd", "mutating web01"),
        ("echo x >> /link/etc/motd", "mutating web01"),
        ("cat /mnt/web/etc/motd", "read_only"),
        ("cat /mnt/web/etc/motd > out.txt", "read_only"),
        ("cd /mnt/web && touch x", "mutating web01"),
        ("cd /mnt/web && git commit -m x", "mutating web01"),
        ("cargo build", "read_only"),
        ("cd /home/jo/src && cargo build", "read_only"),
        ("cp x /mnt/web/srv/", "mutating web01"),
        ("cp /mnt/web/srv/x .", "mutating web01"),
        ("rm -rf /mnt/web/srv", "mutating web01"),
        ("sed -i s/a/b/ /mnt/db/x", "mutating 10.0.0.5"),
        ("tee /mnt/share/x", "mutating file01"),
        ("dd if=x of=/mnt/web/disk", "mutating web01"),
        ("tar xf x.tar -C /mnt/web/srv", "mutating web01"),
        ("find /mnt/web -name x -delete", "mutating web01"),
        ("find /mnt/web -name x", "read_only"),
        ("rsync -a src/ /mnt/web/srv/", "mutating web01"),
        ("touch /mnt/out/x", "read_only"),
        ("touch /mnt/named/x", "unknown"),
        ("touch /net/file01/x", "mutating file01"),
        ("touch /net/other/x", "read_only"),
        ("echo x > \"$f\"", "unknown"),
        ("sed -i s/a/b/ \"$f\"", "unknown"),
        ("curl -so \"$f\" https://example.com/x", "unknown"),
        ("find \"$d\" -name x", "read_only"),
        // What is written by name is the file alone, wherever the command runs.
        ("cd /mnt && echo x > other", "read_only"),
        ("ssh db07 'touch /mnt/web/x'", "mutating db07"),
        // Only the beginning of a name is known.
        ("rm -rf /mnt/we*", "mutating web01"),
        ("rm -rf /mnt/we*/srv", "mutating web01"),
        ("echo x > /mnt/we\"$n\"/x", "mutating web01"),
        ("rm -rf /mnt/x*", "read_only"),
        ("rm -rf /mnt/webs*", "read_only"),
        // Containers and other roots that are shown a guest's disk.
        ("docker run -v /mnt/web:/x alpine rm -rf /x", "mutating web01"),
        ("docker run -v/mnt/web/srv:/x alpine rm -rf /x", "mutating web01"),
        ("docker run --volume=/mnt/web:/x:z alpine ls", "mutating web01"),
        ("docker run --mount type=bind,source=/mnt/web,target=/x alpine ls", "mutating web01"),
        ("docker run -v /mnt/web:/x:ro alpine ls", "read_only"),
        ("docker run --mount type=bind,src=/mnt/web,target=/x,readonly alpine ls", "read_only"),
        ("docker run -v ./mnt:/mnt/web alpine ls", "read_only"),
        ("docker run -v data:/mnt/web alpine ls", "read_only"),
        ("sudo chroot /mnt/web rm /etc/x", "mutating web01"),
        ("sudo chroot /srv/root rm /etc/x", "read_only"),
        ("unshare --root=/mnt/web rm /etc/x", "mutating web01"),
        ("proot -r /mnt/web rm /etc/x", "mutating web01"),
    ] {
        assert_eq!(judged(text, "Bash", &around, &places()), expected, "{text}");
    }
    let homes = Mounted("22 1 8:1 / / rw - ext4 x rw\n30 22 0:40 / /proj rw - nfs4 nas.corp:/homes rw,addr=10.0.0.9\n");
    for text in ["cargo build", "echo x > \"$f\"", "rm -rf target", "git commit -m x", "touch \"$x\""] {
        assert_eq!(judged(text, "Bash", &homes, &Places::default()), "read_only", "{text}");
    }
}

#[test]
fn programs_that_write_are_asked_about_only_if_they_may_write_there() {
    let around = Mounted("22 1 8:1 / / rw - ext4 x rw\n31 22 0:41 / /mnt/web rw - fuse.sshfs root@web01:/ rw\n");
    for (text, expected) in [
        ("python3 -c \"open('x.json','w').write('a')\"", "read_only"),
        ("python3 -c \"import sys; open(sys.argv[1],'w')\" x.json", "read_only"),
        ("node -e \"require('fs').writeFileSync('x','a')\"", "read_only"),
        ("python3 - <<'EOF'\nopen('x','w').write('a')\nEOF", "read_only"),
        ("python3 -c \"import sys; open(sys.argv[1],'w')\" /mnt/web/x", "mutating web01"),
        ("python3 -c \"import sys; open(sys.argv[1],'w')\" /link/x", "mutating web01"),
        ("cd /mnt/web && python3 -c \"open('x','w')\"", "mutating web01"),
        ("cd /mnt && python3 -c \"import sys; open(sys.argv[1],'w')\" web/x", "mutating web01"),
        // A path that is put together, or comes from elsewhere.
        ("python3 -c \"import os; open(os.sep.join(['','mnt','web','x']),'w')\"", "unknown"),
        ("python3 -c \"import os; open(os.environ['X'],'w')\"", "unknown"),
        ("d=/mnt/web; python3 -c \"import sys; open(sys.argv[1],'w')\" $d/x", "unknown"),
        ("python3 -c \"import sys; open(sys.argv[1],'w')\" /m*/w*/x", "unknown"),
        ("find / -name x | python3 -c \"import sys; [open(l.strip(),'w') for l in sys.stdin]\"", "unknown"),
        ("find / -name x | xargs python3 -c \"import sys; open(sys.argv[1],'w')\"", "unknown"),
    ] {
        assert_eq!(judged(text, "Bash", &around, &Places::default()), expected, "{text}");
    }
}

/// Surroundings in which nobody may look at the mounts.
struct Blind;

impl Surroundings for Blind {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, _: &str) -> Found {
        Found::Nothing
    }

    fn mount_points(&self) -> Vec<MountPoint> {
        panic!("the table of mounts was read")
    }
}

#[test]
fn what_only_reads_does_not_look_at_the_mounts() {
    for text in ["ls -la && git status", "cat x | grep y", "ssh web01 uptime", "ssh web01 reboot", "find . -name x"] {
        judged(text, "Bash", &Blind, &places());
    }
    judged("x", "Read", &Blind, &places());
    assert!(std::panic::catch_unwind(|| judged("x", "Write", &Blind, &places())).is_err());
}

#[test]
fn what_the_text_itself_mounts() {
    for (text, expected) in [
        ("sshfs web01:/etc /tmp/w; echo x > /tmp/w/hosts", "mutating web01"),
        ("sshfs web01:/etc /tmp/w; echo x > /tmp/y", "unknown web01"),
        ("mkdir -p m && sshfs -o reconnect root@web01:/ m && cd m && rm -rf srv", "mutating web01"),
        ("sshfs web01:/etc /tmp/w; rm -rf /tmp", "mutating web01"),
        ("sshfs -o ro web01:/etc /tmp/w; cat /tmp/w/hosts", "read_only"),
        ("sshfs ci.build.example:/etc /tmp/w; echo x > /tmp/w/hosts", "read_only"),
        ("sshfs web01:/etc \"/tmp/$d\"; echo x > y", "unknown web01"),
        ("sshfs web01:/etc \"$d\"; echo x > y", "unknown"),
    ] {
        assert_eq!(judged(text, "Bash", &Mounted(""), &places()), expected, "{text}");
    }
}
