//! The machines that an inventory and a pattern name. Pure.

use super::super::ansible_inventory::{self, Inventory};
use super::super::copied;
use super::super::host;
use super::super::options::Parsed;
use crate::classify::effect::{Effect, Facts, Host, Report};
use crate::classify::word::Word;
use crate::path::joined;

/// The machines that the words name.
pub(super) fn hosts(parsed: &Parsed, pattern: Option<&Word>, facts: &Facts, effects: &mut Vec<Effect>) -> Vec<Host> {
    let unknown = |why: String| vec![Host::Unknown(why)];
    if let Some(way) = parsed.values(&["c", "connection"]).last() {
        match way.known() {
            Some("local" | "ansible.builtin.local") => return vec![Host::Same],
            Some("ssh" | "smart" | "paramiko" | "winrm" | "psrp" | "ansible.builtin.ssh") => {}
            _ => return unknown("how it reaches its machines can't be told".into()),
        }
    }
    let Some(pattern) = pattern else { return unknown("it is given no machines".into()) };
    let Some(pattern) = pattern.known() else {
        return unknown(format!("which machines `{}` names is only known when it runs", pattern.shown()));
    };
    // These need no inventory, unless it says more of them.
    let inventory = match read(parsed, facts) {
        Ok(inventory) => inventory,
        Err(why)
            if ["localhost", "127.0.0.1", "::1"].contains(&pattern)
                && parsed.values(&["i", "inventory", "inventory-file"]).next().is_none() =>
        {
            let _ = why;
            return vec![Host::Same];
        }
        Err(why) => return unknown(why),
    };
    let picked = inventory.pick(pattern).and_then(|mut names| {
        for limit in parsed.values(&["l", "limit"]) {
            let text = limit.known().filter(|text| !text.starts_with('@'));
            // A limit only takes some of them out.
            if let Some(text) = text {
                let only = inventory.pick(text)?;
                names.retain(|name| only.contains(name));
            }
        }
        Ok(names)
    });
    match picked {
        Err(why) => unknown(why),
        Ok(names) if names.is_empty() => unknown("its pattern picks no machine that could be told".into()),
        Ok(names) => names.iter().map(|name| reached(name, &inventory, parsed, facts, effects)).collect(),
    }
}

/// The machine behind a host's name: what the inventory says of it, and then ssh's own config.
fn reached(name: &str, inventory: &Inventory, parsed: &Parsed, facts: &Facts, effects: &mut Vec<Effect>) -> Host {
    let real = match inventory.hosts.get(name) {
        Some(Some(real)) => real.as_str(),
        Some(None) => return Host::Unknown(format!("how `{name}` is reached can't be told")),
        None => name,
    };
    let plain = host::named(real);
    if !matches!(plain, Host::Named { .. }) {
        return plain;
    }
    let other_way =
        parsed.values(&["c", "connection"]).last().is_some_and(|way| matches!(way.known(), Some("winrm" | "psrp")));
    let through = if other_way {
        plain
    } else {
        let place = host::Place { host: real.into(), ..host::Place::default() };
        copied::reach_by(&["ssh".into()], &place, &[Word::unknown()], facts, effects)
    };
    match through {
        Host::Named { typed, real } => {
            let real = real.unwrap_or(typed);
            Host::Named { typed: name.to_owned(), real: (real != name).then_some(real) }
        }
        other => other,
    }
}

/// Folders in which Ansible looks for variables of hosts and groups.
fn variables(parsed: &Parsed, facts: &Facts) -> Result<(), String> {
    let mut folders = vec![String::new()];
    let files = parsed.values(&["i", "inventory", "inventory-file"]).chain(&parsed.operands);
    for path in files.filter_map(Word::known).filter(|path| !path.contains(',')) {
        if let Some((folder, _)) = path.rsplit_once('/') {
            folders.push(format!("{folder}/"));
        }
    }
    for folder in folders {
        for kind in ["host_vars", "group_vars"] {
            let path = format!("{folder}{kind}");
            let whole = joined(&path, facts.cwd).ok_or("in which folder its variables lie is not known")?;
            let names = facts.around.folder(&whole).ok_or_else(|| format!("the folder {whole} can't be read"))?;
            if names.len() > 64 {
                return Err(format!("the folder {whole} holds more files than are read"));
            }
            for name in names {
                let text = copied::text_of(&format!("{whole}/{name}").as_str().into(), facts)?;
                let leads = |line: &str| {
                    let key = line.trim().split(':').next().unwrap_or_default().trim_matches(['"', '\'']);
                    ansible_inventory::redirects(key)
                };
                if text.lines().any(leads) {
                    return Err(format!("{whole}/{name} says how machines are reached"));
                }
            }
        }
    }
    Ok(())
}

/// The inventories that are given; without one its settings name it.
fn read(parsed: &Parsed, facts: &Facts) -> Result<Inventory, String> {
    let mut inventory = Inventory::default();
    let mut given = false;
    for value in parsed.values(&["i", "inventory", "inventory-file"]) {
        given = true;
        let text = value.known().ok_or("which inventory it reads is only known when it runs")?;
        if text.contains(',') {
            inventory.add_list(text)?;
        } else {
            let content = copied::text_of(value, facts)?;
            inventory.add_file(text, &content)?;
        }
    }
    if given && facts.own {
        variables(parsed, facts)?;
    }
    if given { Ok(inventory) } else { Err("its machines stand in an inventory that its settings name".into()) }
}

/// What only lists may run the programs of an inventory.
pub(super) fn inventory_only(parsed: &Parsed, facts: &Facts) -> Report {
    if parsed.values(&["i", "inventory", "inventory-file"]).next().is_none() {
        // That of its settings is the person's own.
        return Report::reads();
    }
    let mut effects = vec![];
    for value in parsed.values(&["i", "inventory", "inventory-file"]) {
        let list = value.known().is_some_and(|text| text.contains(','));
        let program = || match copied::text_of(value, facts) {
            Ok(text) => text.starts_with("#!") || text.contains("{{"),
            // Folders and files that can't be read may hold programs.
            Err(_) => true,
        };
        if !list && program() {
            effects.push(Effect::Unknown(format!("the inventory {} may be a program", value.shown())));
        }
    }
    Report { effects, by: None }
}
