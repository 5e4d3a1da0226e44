//! Inventories of Ansible: hosts and groups of INI and YAML files, and the patterns that pick from them. Pure.

use super::host;
use std::collections::{BTreeMap, BTreeSet};

/// No pattern names more machines.
pub const MOST: usize = 256;

/// No inventory holds more.
const MOST_HOSTS: usize = 4096;

/// The hosts and groups of an inventory.
#[derive(Debug, Default)]
pub struct Inventory {
    /// Each host, and the machine that is reached under its name; none: how it is reached can't be told.
    pub hosts: BTreeMap<String, Option<String>>,
    /// Hosts of which it says that they are reached by a login.
    pub connected: BTreeSet<String>,
    groups: BTreeMap<String, BTreeSet<String>>,
    children: BTreeMap<String, BTreeSet<String>>,
}

impl Inventory {
    /// A list of hosts between commas (`-i 'web01,web02,'`).
    pub fn add_list(&mut self, list: &str) -> Result<(), String> {
        for item in host::parts(list).map(str::trim).filter(|item| !item.is_empty()) {
            self.add_hosts(item, "ungrouped", &[])?;
        }
        Ok(())
    }

    /// A file, in INI or YAML as Ansible tells them apart.
    ///
    /// # Errors
    /// Why it can't be read, in words that follow a "since".
    pub fn add_file(&mut self, path: &str, text: &str) -> Result<(), String> {
        if text.starts_with("#!") {
            return Err(format!("the inventory {path} is a program"));
        }
        if text.contains("{{") {
            return Err(format!("the inventory {path} holds variables"));
        }
        if text.starts_with("$ANSIBLE_VAULT") {
            return Err(format!("the inventory {path} is encrypted"));
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        if name.ends_with(".toml") {
            return Err(format!("the inventory {path} is in TOML, which is not read"));
        }
        let yaml = [".yml", ".yaml", ".json"].iter().any(|end| name.ends_with(end))
            || text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')) == Some("---");
        if yaml { self.add_yaml(path, text) } else { self.add_ini(path, text) }
    }

    fn add_ini(&mut self, path: &str, text: &str) -> Result<(), String> {
        let odd = |line: &str| {
            format!("the line `{}` of the inventory {path} can't be read", line.chars().take(60).collect::<String>())
        };
        let (mut group, mut kind) = ("ungrouped".to_owned(), "hosts");
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            // `[web01]` alone names a group, `[fe80::1]:22` a host.
            if let Some(inner) =
                line.strip_prefix('[').and_then(|rest| rest.split('#').next()?.trim().strip_suffix(']'))
            {
                let (name, what) = inner.split_once(':').unwrap_or((inner, "hosts"));
                kind = match what {
                    "hosts" => "hosts",
                    "children" => "children",
                    "vars" => "vars",
                    _ => return Err(odd(line)),
                };
                name.clone_into(&mut group);
                self.groups.entry(group.clone()).or_default();
                continue;
            }
            match kind {
                "hosts" => {
                    // Quotes hold several words together.
                    let whole = |word: &str| {
                        ['"', '\''].iter().all(|quote| word.matches(*quote).count() % 2 == 0)
                            && !word.split('=').next().is_some_and(|key| key.contains(['"', '\'', '\\']))
                    };
                    if line.contains("ansible_") && !line.split_whitespace().all(whole) {
                        return Err(odd(line));
                    }
                    let mut words = line.split_whitespace();
                    let first = words.next().unwrap_or_default();
                    if first.contains(['"', '\'']) {
                        return Err(odd(line));
                    }
                    let vars: Vec<(&str, &str)> = words
                        .take_while(|word| !word.starts_with('#'))
                        .filter_map(|word| word.split_once('='))
                        .collect();
                    self.add_hosts(first, &group, &vars)?;
                }
                "children" => {
                    let child = line.split([' ', '#']).next().unwrap_or_default();
                    self.children.entry(group.clone()).or_default().insert(child.to_owned());
                    self.groups.entry(child.to_owned()).or_default();
                }
                _ => {
                    let key = line.split('=').next().unwrap_or_default().trim();
                    if redirects(key) {
                        return Err(format!("a group of the inventory {path} sets `{key}`"));
                    }
                }
            }
        }
        Ok(())
    }

    /// Mappings by their indentation; anything more than plain mappings is refused.
    fn add_yaml(&mut self, path: &str, text: &str) -> Result<(), String> {
        let odd = |line: &str| {
            format!(
                "the line `{}` of the inventory {path} can't be read",
                line.trim().chars().take(60).collect::<String>()
            )
        };
        // The keys that are open, with their indentation.
        let mut open: Vec<(usize, String)> = vec![];
        let mut vars: Vec<(String, String, String)> = vec![];
        for line in text.lines() {
            let bare = line.trim();
            if bare.is_empty() || bare.starts_with('#') || bare == "---" || bare == "..." {
                continue;
            }
            let indent = line.len() - line.trim_start_matches(' ').len();
            if line.contains('\t') || open.len() > 64 {
                return Err(odd(line));
            }
            while open.last().is_some_and(|(at, _)| *at >= indent) {
                open.pop();
            }
            if bare.starts_with("? ") || bare.starts_with(": ") {
                return Err(odd(line));
            }
            let in_vars = open.iter().any(|(_, key)| key == "vars");
            let (key, value) = match bare.split_once(": ") {
                Some((key, value)) => (key, value.trim()),
                None => match bare.strip_suffix(':') {
                    Some(key) => (key, ""),
                    // What a variable holds may be a list.
                    None if in_vars || host_of(&open).is_some() => continue,
                    None => return Err(odd(line)),
                },
            };
            let key = key.trim().trim_matches(['"', '\'']);
            let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
            if key.contains(['{', '&', '*', '<', '!', '\\'])
                || (!in_vars && value.starts_with(['{', '&', '*', '!']) && value != "{}")
            {
                return Err(odd(line));
            }
            let keys: Vec<&str> = open.iter().map(|(_, key)| key.as_str()).collect();
            if in_vars {
                if redirects(key) {
                    return Err(format!("a group of the inventory {path} sets `{key}`"));
                }
            } else if let Some((group, host)) = host_of(&open) {
                vars.push((format!("{group}\n{host}"), key.to_owned(), value.to_owned()));
            } else {
                let empty = ["", "{}", "null", "~"].contains(&value);
                match keys.as_slice() {
                    // `plugin: aws_ec2` asks a program, and `hosts: web01` is one in short.
                    _ if !empty => return Err(odd(line)),
                    [] => {
                        self.groups.entry(key.to_owned()).or_default();
                    }
                    [.., group, "hosts"] => {
                        self.add_hosts(key, group, &[])?;
                    }
                    [.., group, "children"] => {
                        self.children.entry((*group).to_owned()).or_default().insert(key.to_owned());
                        self.groups.entry(key.to_owned()).or_default();
                    }
                    _ if ["hosts", "children", "vars"].contains(&key) => {}
                    _ => return Err(odd(line)),
                }
            }
            open.push((indent, key.to_owned()));
        }
        for (at, key, value) in vars {
            let host = at.split_once('\n').map_or("", |(_, host)| host);
            let names = host::list_of(&range(host), MOST_HOSTS).map_err(|why| format!("{why} in {path}"))?;
            for name in names {
                self.set(&name, &key, &value);
            }
        }
        Ok(())
    }

    fn add_hosts(&mut self, item: &str, group: &str, vars: &[(&str, &str)]) -> Result<(), String> {
        // `web01:2222`, but no address of IP version 6.
        let item = match item.rsplit_once(':') {
            Some((name, port))
                if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) && !name.contains(':') =>
            {
                name
            }
            _ => item,
        };
        let names = host::list_of(&range(item), MOST_HOSTS)?;
        for name in names {
            if self.hosts.len() > MOST_HOSTS {
                return Err("its inventory names more machines than are followed".into());
            }
            self.hosts.entry(name.clone()).or_insert_with(|| Some(name.clone()));
            self.groups.entry(group.to_owned()).or_default().insert(name.clone());
            for (key, value) in vars {
                self.set(&name, key, value);
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, key: &str, value: &str) {
        match key {
            "ansible_host" | "ansible_ssh_host" => {
                self.hosts.insert(name.to_owned(), Some(value.trim_matches(['"', '\'']).to_owned()));
            }
            key if redirects(key) => {
                let local = key == "ansible_connection" && value == "local";
                let plain =
                    key == "ansible_connection" && ["ssh", "smart", "paramiko", "winrm", "psrp"].contains(&value);
                if plain {
                    self.connected.insert(name.to_owned());
                }
                if local {
                    self.hosts.insert(name.to_owned(), Some("localhost".to_owned()));
                } else if !plain {
                    self.hosts.insert(name.to_owned(), None);
                }
            }
            _ => {}
        }
    }

    /// The hosts that a pattern picks.
    ///
    /// # Errors
    /// Why it can't be told, in words that follow a "since".
    pub fn pick(&self, pattern: &str) -> Result<BTreeSet<String>, String> {
        let parts: Vec<&str> = host::parts(pattern)
            .flat_map(|part| if part.contains('[') { vec![part] } else { part.split(':').collect() })
            .collect();
        let mut picked = BTreeSet::new();
        // Those that are added come first, whatever their order.
        for part in parts.iter().filter(|part| !part.starts_with(['!', '&'])) {
            picked.extend(self.matching(part.trim())?);
        }
        if parts.iter().all(|part| part.starts_with(['!', '&'])) {
            picked = self.hosts.keys().cloned().collect();
        }
        for part in &parts {
            if let Some(only) = part.strip_prefix('&') {
                let only = self.matching(only)?;
                picked.retain(|name| only.contains(name));
            } else if let Some(out) = part.strip_prefix('!') {
                let out = self.matching(out)?;
                picked.retain(|name| !out.contains(name));
            }
        }
        if picked.len() > MOST {
            return Err(format!("its pattern picks more than {MOST} machines"));
        }
        Ok(picked)
    }

    fn matching(&self, part: &str) -> Result<BTreeSet<String>, String> {
        let odd = || format!("which machines `{part}` names can't be told");
        match part {
            "" => return Ok(BTreeSet::new()),
            "all" | "*" => return Ok(self.hosts.keys().cloned().collect()),
            // They are there without an inventory.
            "localhost" | "127.0.0.1" | "::1" => return Ok(BTreeSet::from([part.to_owned()])),
            _ if part.starts_with('~') || part.contains(['[', '?', '{', '@']) => return Err(odd()),
            _ => {}
        }
        let mut found = BTreeSet::new();
        if part.contains('*') {
            found.extend(self.hosts.keys().filter(|name| fits(part, name)).cloned());
            for group in self.groups.keys().filter(|group| fits(part, group)) {
                self.of_group(group, &mut BTreeSet::new(), &mut found);
            }
        } else {
            if self.groups.contains_key(part) {
                self.of_group(part, &mut BTreeSet::new(), &mut found);
            } else if self.hosts.contains_key(part) {
                found.insert(part.to_owned());
            } else {
                // Not there: nothing happens, or its inventory is another one than was read.
                return Err(odd());
            }
        }
        Ok(found)
    }

    fn of_group(&self, group: &str, seen: &mut BTreeSet<String>, found: &mut BTreeSet<String>) {
        let mut todo = vec![group.to_owned()];
        while let Some(group) = todo.pop() {
            if seen.insert(group.clone()) {
                found.extend(self.groups.get(&group).into_iter().flatten().cloned());
                todo.extend(self.children.get(&group).into_iter().flatten().cloned());
            }
        }
    }
}

/// The group and host among the open keys whose variables follow.
fn host_of(open: &[(usize, String)]) -> Option<(&str, &str)> {
    let at = open.iter().position(|(_, key)| key == "hosts")?;
    Some((open.get(at.checked_sub(1)?)?.1.as_str(), open.get(at + 1)?.1.as_str()))
}

/// Whether a variable may lead to another machine than the host's name says, or runs something.
#[must_use]
pub fn redirects(key: &str) -> bool {
    const HARMLESS: &[&str] = &[
        "ansible_user",
        "ansible_ssh_user",
        "ansible_port",
        "ansible_ssh_port",
        "ansible_password",
        "ansible_ssh_pass",
        "ansible_ssh_private_key_file",
        "ansible_private_key_file",
        "ansible_become",
        "ansible_become_user",
        "ansible_become_method",
        "ansible_become_password",
        "ansible_become_pass",
        "ansible_python_interpreter",
        "ansible_winrm_transport",
        "ansible_winrm_server_cert_validation",
        "ansible_winrm_scheme",
        "ansible_winrm_port",
        "ansible_ssh_pipelining",
        "ansible_shell_type",
        "ansible_timeout",
        "ansible_sudo_pass",
    ];
    key.starts_with("ansible_") && !HARMLESS.contains(&key)
}

/// Whether a file of variables sets one that leads to another machine, or runs something.
#[must_use]
pub fn leads(text: &str) -> bool {
    const START: &str = "ansible_";
    // A key may be written in odd ways.
    if text
        .lines()
        .any(|line| line.trim_start().starts_with("? ") || line.split(':').next().is_some_and(|key| key.contains('\\')))
    {
        return true;
    }
    text.match_indices(START).any(|(at, _)| {
        let inside =
            text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        let rest = text.get(at..).unwrap_or_default();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (key, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let behind = behind.trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']);
        let sets = behind.starts_with(':') || (behind.starts_with('=') && !behind.starts_with("=="));
        !inside && sets && redirects(key)
    })
}

/// Ansible writes ranges with a colon.
fn range(item: &str) -> String {
    let mut inside = false;
    let colon = item.contains('[') && !item.starts_with('[');
    item.chars()
        .map(|c| {
            inside = match c {
                '[' => true,
                ']' => false,
                _ => inside,
            };
            if inside && colon && c == ':' { '-' } else { c }
        })
        .collect()
}

/// Whether a name fits a pattern with `*`.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (nr, part) in parts.iter().enumerate() {
        if nr + 1 == parts.len() {
            return rest.ends_with(part);
        }
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
#[path = "tests/ansible_inventory.rs"]
mod tests;
