//! The line with which a person puts a recovered file back into its guest. Pure: it is shown, and never run.
//!
//! Must not: guess a user's name, or write a line that would do something else where a name is odd.

use super::journals::Member;
use super::path::GuestPath;
use crate::text::{is_clean, shell_word};
use std::collections::BTreeMap;
use std::path::Path;

/// Where nobody knows how the guest is reached.
const SOMEWHERE: &str = "HOST";

/// The host under which a VM is reached: the one that `[hosts]` maps to it, else its name if that can be a host's.
#[must_use]
pub fn host<'a>(vm: &'a Member, hosts: &'a BTreeMap<String, String>) -> &'a str {
    let is_it =
        |to: &str| to.to_lowercase() == vm.name.to_lowercase() || to.eq_ignore_ascii_case(vm.identifier.as_str());
    let mapped = hosts.iter().find(|(host, to)| is_it(to) && is_host(host)).map(|(host, _)| host.as_str());
    mapped.unwrap_or(if is_host(&vm.name) { &vm.name } else { SOMEWHERE })
}

fn is_host(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    !name.is_empty() && !name.starts_with('-') && name.chars().all(plain)
}

/// The line that copies `local` to `path` on `host`; none where a name holds what can't be shown.
#[must_use]
pub fn line(local: &Path, is_folder: bool, path: &GuestPath, host: &str) -> Option<String> {
    let local = local.to_str()?;
    let is_shown = |text: &str| is_clean(text, usize::MAX);
    if !is_shown(local) || !path.names.iter().all(|name| is_shown(name)) {
        return None;
    }
    // With a dot before it a name is neither an option nor HOST:FILE.
    let local = if local.starts_with(['/', '.']) { local.to_owned() } else { format!("./{local}") };
    let local = local.trim_end_matches('/');
    let same_name = path.name().is_some_and(|name| local.rsplit('/').next() == Some(name));
    Some(match path.drive {
        Some(drive) => windows(local, is_folder, same_name, drive, &path.names, host),
        None => linux(local, is_folder, same_name, &path.names, host),
    })
}

fn linux(local: &str, is_folder: bool, same_name: bool, names: &[String], host: &str) -> String {
    let whole = format!("/{}", names.join("/"));
    // A folder goes into the one above it, or what it holds goes into it.
    let (from, to) = match (is_folder, same_name) {
        (false, _) => (local.to_owned(), whole),
        (true, true) => {
            let above = names.split_last().map(|(_, above)| above.join("/")).unwrap_or_default();
            (local.to_owned(), if above.is_empty() { "/".to_owned() } else { format!("/{above}/") })
        }
        (true, false) => (format!("{local}/."), format!("{}/", whole.trim_end_matches('/'))),
    };
    let to = format!("{host}:{to}");
    let mut options = String::new();
    if is_folder {
        options.push_str(" -r");
    }
    // Before OpenSSH 9 a shell of the guest would read the path once more, unless it is told not to (8.7).
    if shell_word(&to) != to {
        options.push_str(" -s");
    }
    format!("scp{options} {} {}", shell_word(&from), shell_word(&to))
}

fn windows(local: &str, is_folder: bool, same_name: bool, drive: char, names: &[String], host: &str) -> String {
    let whole = format!("{drive}:\\{}", names.join("\\"));
    let session = format!("$s = New-PSSession -ComputerName {host}");
    let (from, whole) = (powershell_word(local), powershell_word(&whole));
    match (is_folder, same_name) {
        (false, _) => format!("{session}; Copy-Item -LiteralPath {from} -Destination {whole} -ToSession $s"),
        (true, true) => {
            let above = names.split_last().map(|(_, above)| above.join("\\")).unwrap_or_default();
            let above = powershell_word(&format!("{drive}:\\{above}"));
            format!("{session}; Copy-Item -LiteralPath {from} -Destination {above} -Recurse -Force -ToSession $s")
        }
        (true, false) => format!(
            "{session}; Get-ChildItem -LiteralPath {from} -Force | Copy-Item -Destination {whole} -Recurse -Force -ToSession $s"
        ),
    }
}

/// The text as one word of PowerShell, which takes typographic quotes for quotes too.
fn powershell_word(text: &str) -> String {
    let mut word = String::from("'");
    for c in text.chars() {
        if matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}') {
            word.push(c);
        }
        word.push(c);
    }
    word.push('\'');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(local: &str, is_folder: bool, path: &str) -> Option<String> {
        line(Path::new(local), is_folder, &GuestPath::parse(path).unwrap(), "web01")
    }

    #[test]
    fn files_go_where_they_were() {
        for (local, path, expected) in [
            ("app.yaml", "/etc/app.yaml", "scp ./app.yaml web01:/etc/app.yaml"),
            ("./old.yaml", "/etc//app.yaml", "scp ./old.yaml web01:/etc/app.yaml"),
            ("/tmp/x", "/etc/app.yaml", "scp /tmp/x web01:/etc/app.yaml"),
            ("-rf", "/tmp/-rf", "scp ./-rf web01:/tmp/-rf"),
            ("a:b", "/tmp/a:b", "scp ./a:b web01:/tmp/a:b"),
            ("my file", "/srv/my file", "scp -s './my file' 'web01:/srv/my file'"),
            ("it's", "/srv/it's $(x)", r"scp -s './it'\''s' 'web01:/srv/it'\''s $(x)'"),
            ("Größe*.txt", "/srv/Größe*.txt", "scp -s './Größe*.txt' 'web01:/srv/Größe*.txt'"),
            (
                "app.conf",
                "c:/Users/j/app.conf",
                r"$s = New-PSSession -ComputerName web01; Copy-Item -LiteralPath './app.conf' -Destination 'C:\Users\j\app.conf' -ToSession $s",
            ),
            (
                "it's ‘a’",
                "C:\\it's ‘a’",
                r"$s = New-PSSession -ComputerName web01; Copy-Item -LiteralPath './it''s ‘‘a’’' -Destination 'C:\it''s ‘‘a’’' -ToSession $s",
            ),
        ] {
            assert_eq!(shown(local, false, path).as_deref(), Some(expected));
        }
    }

    #[test]
    fn folders_go_into_the_one_above_or_what_they_hold_into_them() {
        for (local, path, expected) in [
            ("nginx", "/etc/nginx", "scp -r ./nginx web01:/etc/"),
            ("etc/", "/etc", "scp -r ./etc web01:/"),
            ("old", "/etc/nginx", "scp -r ./old/. web01:/etc/nginx/"),
            ("old", "/", "scp -r ./old/. web01:/"),
            ("a b", "/srv/x y", "scp -r -s './a b/.' 'web01:/srv/x y/'"),
            (
                "j",
                "C:/Users/j",
                r"$s = New-PSSession -ComputerName web01; Copy-Item -LiteralPath './j' -Destination 'C:\Users' -Recurse -Force -ToSession $s",
            ),
            (
                "old",
                "C:/Users/j",
                r"$s = New-PSSession -ComputerName web01; Get-ChildItem -LiteralPath './old' -Force | Copy-Item -Destination 'C:\Users\j' -Recurse -Force -ToSession $s",
            ),
        ] {
            assert_eq!(shown(local, true, path).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_cannot_be_shown_makes_no_line() {
        assert_eq!(shown("a\nb", false, "/a\nb"), None);
        assert_eq!(shown("a", false, "/tmp/\u{202e}a"), None);
        use std::os::unix::ffi::OsStrExt as _;
        let odd = Path::new(std::ffi::OsStr::from_bytes(b"\xff"));
        assert_eq!(line(odd, false, &GuestPath::parse("/a").unwrap(), "web01"), None);
    }

    #[test]
    fn how_a_guest_is_reached() {
        let vm = |name: &str| Member {
            name: name.to_owned(),
            identifier: "guid.vm-7".to_owned(),
            guest_os: String::new(),
            flr_enabled: None,
        };
        let hosts = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        for (name, pairs, expected) in [
            ("web01", &[][..], "web01"),
            ("web01", &[("other", "db01"), ("web01.corp.example", "WEB01")], "web01.corp.example"),
            ("web01", &[("10.0.0.5", "guid.vm-7")], "10.0.0.5"),
            ("Web Server 01", &[], "HOST"),
            ("-oProxyCommand=x", &[("-o", "-oProxyCommand=x")], "HOST"),
        ] {
            assert_eq!(host(&vm(name), &hosts(pairs)), expected);
        }
    }
}
