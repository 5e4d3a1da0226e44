//! Compares what is read here with what ssh itself says it reads (`ssh -G`).

use super::*;
use crate::classify::effect::Unset;
use crate::classify::programs::remote_cases::command;
use crate::classify::{Found, Surroundings};
use std::process;

/// The disk of this machine.
struct Disk;

impl Surroundings for Disk {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        std::fs::read(path).map_or(Found::Nothing, Found::File)
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        let entries = std::fs::read_dir(path).ok()?;
        entries.map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
    }
}

const NAMES: [&str; 6] = ["hostname", "port", "user", "proxycommand", "proxyjump", "remotecommand"];

/// What ssh prints for these words; nothing where it refuses them.
fn printed(words: &[Word], folder: &str) -> Option<Vec<(String, String)>> {
    let words = words.iter().skip(1).map(|word| word.known().unwrap());
    let output = process::Command::new("ssh").arg("-G").args(words).current_dir(folder).output().ok()?;
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    output.status.success().then(|| lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

fn compare(line: &str, folder: &str, faults: &mut Vec<String>) {
    let command = command(line);
    let Read::Line(read) = ssh_line::read(command.arguments()) else {
        panic!("{line} is not read");
    };
    let facts = Facts { around: &Disk, home: Some(folder), cwd: Some(folder), own: true, variables: &Unset };
    let connection = Connection::to(&read.place, read.settings.clone(), &facts, 0);
    let Some(printed) = printed(&command.words, folder) else {
        return faults.push(format!("ssh refuses {line}"));
    };
    for name in NAMES {
        let theirs = printed.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let ours = match name {
            "hostname" => connection.tokens.real.as_deref().map(str::to_ascii_lowercase),
            "port" => connection.tokens.port.clone(),
            _ => connection.settings.get(name).map(|setting| match setting {
                Setting::Is(word) if name == "remotecommand" => connection.tokens.expand(word).shown(),
                Setting::Is(word) => word.shown(),
                Setting::Unclear(why) => format!("unclear: {why}"),
            }),
        };
        // ssh knows the user's name, which isn't told here, and says nothing of what is switched off.
        let ours = ours.filter(|text| text != "none");
        if (name != "user" || ours.is_some()) && ours.as_deref() != theirs {
            faults.push(format!("{line}: {name} is {ours:?} here and {theirs:?} for ssh"));
        }
    }
}

const CONFIG: &str = "\
# Names
Host web web2 !web9
  HostName %h.corp
  Port=2200
Host \"db*\" !db9
  HostName = 10.0.0.7   # of the database
  ProxyCommand ssh -W %h:%p bastion # no comment
Host jump
\tProxyJump a,b:22
  ProxyCommand late
Host cmd
  RemoteCommand echo \"a b\" %h
  User   joe
Match host *.corp user root
  Port 1
  ProxyJump x
Match originalhost web2
  ProxyCommand nc %h %p
Match final host final.corp
  RemoteCommand at last
Host fin
  HostName final.corp
Match !host web*,*.corp,10.* all
  Port 77
Match host=eq* user=joe
  HostName equal
Host *
  Include inc/*.conf
Include INC/more
Host late
  HostName never
";

#[test]
fn as_ssh_reads_it() {
    if process::Command::new("ssh").arg("-V").output().is_err() {
        eprintln!("skipped: there is no ssh here to compare with");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().to_string_lossy().into_owned();
    std::fs::create_dir(folder.path().join("inc")).unwrap();
    let config = CONFIG.replace("INC", &format!("{path}/inc")).replace("inc/*.conf", &format!("{path}/inc/*.conf"));
    std::fs::write(folder.path().join("config"), config).unwrap();
    std::fs::write(folder.path().join("inc/2.conf"), "Host late\n HostName second\n").unwrap();
    std::fs::write(folder.path().join("inc/1.conf"), "Host late\n HostName first\nHost *\n Port 9\n").unwrap();
    std::fs::write(folder.path().join("inc/more"), "Host more\n HostName most\nHostName x\n").unwrap();
    let mut faults = Vec::new();
    for line in [
        "ssh web01",
        "ssh root@web01 -p 2222 uptime -p 33",
        "ssh ssh://u@h:77",
        "ssh -vvp22 h",
        "ssh -tto Port=44 h",
        "ssh -p 1 -p 2 h",
        "ssh u@h -l v",
        "ssh -l v u@h",
        "ssh a@b@h",
        "ssh -oProxyJump=b h",
        "ssh -J a -o ProxyCommand=c h",
        "ssh -J none h",
        "ssh -o HostName=prod test cmd",
        "ssh -o 'HostName = prod' test cmd",
        "ssh -o 'hostname prod' test cmd",
        "ssh -o HOSTNAME=%h.x%%y test",
        "ssh -o 'ProxyCommand=a \"b c\" = %h' h",
        "ssh -o 'RemoteCommand=echo  a=b' h",
        "ssh h -o Port=1 -- cmd",
        "ssh -- h -p 3",
        "ssh UPPER",
    ] {
        // The config of whoever runs the test has no part in it.
        compare(&line.replacen("ssh ", "ssh -F none ", 1), &path, &mut faults);
    }
    for host in [
        "web",
        "web9",
        "root@web",
        "root@web2",
        "web2",
        "db1",
        "db9",
        "jump",
        "cmd",
        "fin",
        "joe@eq1",
        "u@eq1",
        "late",
        "more",
        "joe@web2",
        "-p 5 web",
        "-o HostName=y web",
        "-J z db1",
        "-o User=root web",
    ] {
        // Who the user is isn't known here, so `Match user` wants one named.
        let user = if host.contains('@') || host.contains("User=") { "" } else { "-l someone " };
        compare(&format!("ssh -F config {user}{host}"), &path, &mut faults);
        compare(&format!("ssh {user}{host} -F {path}/config"), &path, &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn as_ssh_reads_whatever_is_put_together() {
    if process::Command::new("ssh").arg("-V").output().is_err() {
        eprintln!("skipped: there is no ssh here to compare with");
        return;
    }
    let blocks = [
        "Host web",
        "Host web*",
        "Host *",
        "Host !web *",
        "Host db,web",
        "Host \"web\" db",
        "Host Web",
        "Host w?b !db",
        "Match all",
        "Match host web",
        "Match host *.corp",
        "Match host !web,*",
        "Match originalhost web,db",
        "Match !host web",
        "Match originalhost web host *.corp",
        "Match user joe",
        "Match !user joe",
        "Match final all",
        "Match final host *.corp",
        "Match host=web",
        "match HOST web",
        "Match canonical all",
        "Match !final host web",
        "Host = web",
        "host\tweb",
    ];
    let settings = [
        "HostName %h.corp",
        "HostName other",
        "hostname=x.corp",
        "HostName \"quoted\"",
        "HostName a%%b",
        "Port 1",
        "Port=2",
        "Port = 3",
        "User joe",
        "User root",
        "ProxyJump j1",
        "ProxyJump none",
        "ProxyJump u@j2:22,j3",
        "ProxyCommand none",
        "ProxyCommand a  %h \"b\" # c",
        "ProxyCommand=ssh -W %h:%p b",
        "RemoteCommand echo  \"x  y\"",
        "RemoteCommand none",
        "RemoteCommand=a=b",
        "  # Port 9",
        "",
        "Include INC",
    ];
    let lines = [
        "web",
        "db",
        "Web",
        "joe@web",
        "root@db",
        "-l joe x.corp",
        "-p 7 web",
        "-o HostName=y db",
        "-J z web",
        "-o User=joe db",
        "-o ProxyCommand=none web",
        "ssh://joe@web:5",
        "-o RemoteCommand=none web",
        "web -l joe",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let mut seed = 20_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let mut faults = Vec::new();
    for _ in 0..25 {
        let mut texts = [String::new(), String::new()];
        for text in &mut texts {
            for _ in 0..3 + next(9) {
                let line = if next(3) == 0 { blocks[next(blocks.len())] } else { settings[next(settings.len())] };
                text.push_str(&line.replace("INC", &format!("{path}/more")));
                text.push('\n');
            }
        }
        let [config, more] = texts;
        // A file that includes itself is none that ssh takes.
        std::fs::write(folder.path().join("more"), more.replace("Include", "# Include")).unwrap();
        std::fs::write(folder.path().join("config"), &config).unwrap();
        for _ in 0..4 {
            let line = lines[next(lines.len())];
            let user = if line.contains("joe") || line.contains("root") { "" } else { "-l someone " };
            let before = faults.len();
            compare(&format!("ssh -F config {user}{line}"), &path, &mut faults);
            if faults.len() > before {
                faults.push(format!("with\n{config}--- and more:\n{more}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
