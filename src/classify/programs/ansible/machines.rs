//! The machines that an inventory and a pattern name. Pure.

use super::super::ansible_inventory::{self, Inventory};
use super::super::copied;
use super::super::host;
use super::super::options::Parsed;
use super::settings::Settings;
use crate::classify::Found;
use crate::classify::effect::{Effect, Facts, Host, Report};
use crate::classify::word::Word;
use crate::path::joined;

/// The machines that the words name.
pub(super) fn hosts(parsed: &Parsed, pattern: Option<&Word>, facts: &Facts, effects: &mut Vec<Effect>) -> Vec<Host> {
    let unknown = |why: String| vec![Host::Unknown(why)];
    let mut local = false;
    if let Some(way) = parsed.values(&["c", "connection"]).last() {
        match way.known() {
            Some("local" | "ansible.builtin.local") => local = true,
            Some("ssh" | "smart" | "paramiko" | "winrm" | "psrp" | "ansible.builtin.ssh") => {}
            _ => return unknown("how it reaches its machines can't be told".into()),
        }
    }
    let Some(pattern) = pattern else { return unknown("it is given no machines".into()) };
    let Some(pattern) = pattern.known() else {
        return unknown(format!("which machines `{}` names is only known when it runs", pattern.shown()));
    };
    let inventory = match read(parsed, facts) {
        Ok(inventory) => inventory,
        // A guest's own settings are taken to say nothing of itself.
        Err(_)
            if !facts.own
                && ["localhost", "127.0.0.1", "::1"].contains(&pattern)
                && parsed.values(&["i", "inventory", "inventory-file"]).next().is_none()
                && facts.variables.variable("ANSIBLE_INVENTORY").is_none() =>
        {
            return vec![Host::Same];
        }
        Err(why) => return unknown(why),
    };
    let picked = inventory.pick(pattern).and_then(|mut names| {
        if let Some(limit) = parsed.values(&["l", "limit"]).last() {
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
        // What the inventory says of a machine counts more.
        Ok(names) if local => {
            let mut hosts = vec![];
            for name in &names {
                let host = if inventory.connected.contains(name) {
                    reached(name, &inventory, parsed, facts, effects)
                } else {
                    Host::Same
                };
                if !hosts.contains(&host) {
                    hosts.push(host);
                }
            }
            hosts
        }
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

/// The folders in which Ansible looks for variables of hosts and groups may say how those are reached.
fn variables(sources: &[String], parsed: &Parsed, facts: &Facts) -> Result<(), String> {
    let mut folders = vec![String::new()];
    let playbooks = parsed.operands.iter().filter_map(Word::known);
    for path in sources.iter().map(String::as_str).chain(playbooks) {
        folders.push(format!("{path}/"));
        if let Some((folder, _)) = path.rsplit_once('/') {
            folders.push(format!("{folder}/"));
        }
    }
    let mut files = 0;
    for folder in folders {
        for kind in ["host_vars", "group_vars"] {
            let path = format!("{folder}{kind}");
            let whole = joined(&path, facts.cwd).ok_or("in which folder its variables lie is not known")?;
            of_folder(&whole, 0, &mut files, facts)?;
        }
    }
    Ok(())
}

fn of_folder(whole: &str, depth: usize, files: &mut usize, facts: &Facts) -> Result<(), String> {
    let names = facts.around.folder(whole).ok_or_else(|| format!("the folder {whole} can't be read"))?;
    *files += names.len();
    if *files > 128 || depth > 3 {
        return Err(format!("the folder {whole} holds more files than are read"));
    }
    for name in names {
        let path = format!("{whole}/{name}");
        match copied::text_of(&path.as_str().into(), facts) {
            Ok(text) if text.starts_with("$ANSIBLE_VAULT") => {
                return Err(format!("{path} is encrypted, and may say how machines are reached"));
            }
            Ok(text) if ansible_inventory::leads(&text) => {
                return Err(format!("{path} says how machines are reached"));
            }
            Ok(_) => {}
            Err(why) => match facts.around.folder(&path) {
                Some(inside) if !inside.is_empty() => of_folder(&path, depth + 1, files, facts)?,
                _ => return Err(why),
            },
        }
    }
    Ok(())
}

/// The inventories that are given; without one those that the environment or the settings name.
fn read(parsed: &Parsed, facts: &Facts) -> Result<Inventory, String> {
    let mut inventory = Inventory::default();
    let mut sources = vec![];
    let mut given = false;
    for value in parsed.values(&["i", "inventory", "inventory-file"]) {
        given = true;
        let text = value.known().ok_or("which inventory it reads is only known when it runs")?;
        if text.contains(',') {
            inventory.add_list(text)?;
        } else {
            let folder = facts.cwd.unwrap_or_default();
            sources.push(if text.starts_with("~/") { in_folder(text, folder, facts)? } else { text.to_owned() });
        }
    }
    if !given {
        sources = of_settings(facts)?;
    }
    for source in &sources {
        add_source(source, 0, &mut inventory, facts)?;
    }
    if facts.own {
        variables(&sources, parsed, facts)?;
    }
    Ok(inventory)
}

fn of_settings(facts: &Facts) -> Result<Vec<String>, String> {
    if let Some(value) = facts.variables.variable("ANSIBLE_INVENTORY") {
        let text = value.known().ok_or("which inventory `ANSIBLE_INVENTORY` names is only known when it runs")?;
        return Ok(text.split(',').map(|path| path.trim().to_owned()).filter(|path| !path.is_empty()).collect());
    }
    if !facts.own {
        return Err("its machines stand in an inventory that its settings name".into());
    }
    let settings = Settings::of(facts);
    match (settings.inventory, settings.odd) {
        (Some((list, folder)), _) => {
            let paths = list.split(',').map(str::trim).filter(|path| !path.is_empty());
            paths.map(|path| in_folder(path, &folder, facts)).collect()
        }
        (None, Some(why)) => Err(why),
        (None, None) => Ok(match facts.around.file("/etc/ansible/hosts") {
            Found::Nothing => vec![],
            _ => vec!["/etc/ansible/hosts".into()],
        }),
    }
}

fn in_folder(path: &str, folder: &str, facts: &Facts) -> Result<String, String> {
    if let Some(rest) = path.strip_prefix("~/") {
        return facts
            .home
            .map(|home| format!("{home}/{rest}"))
            .ok_or_else(|| "where the home folder is is not known".into());
    }
    joined(path, Some(folder)).ok_or_else(|| format!("where `{path}` is is not known"))
}

/// A file, or a folder of them.
fn add_source(source: &str, depth: usize, inventory: &mut Inventory, facts: &Facts) -> Result<(), String> {
    /// Ends of names that are no inventories in a folder.
    const LEFT_OUT: &[&str] =
        &[".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".ini", ".cfg", ".retry"];
    let why = match copied::text_of(&source.into(), facts) {
        Ok(text) => return inventory.add_file(source, &text),
        Err(why) => why,
    };
    let whole = joined(source.trim_end_matches('/'), facts.cwd).filter(|_| facts.own).ok_or_else(|| why.clone())?;
    let mut names = facts.around.folder(&whole).filter(|names| !names.is_empty()).ok_or(why)?;
    if depth > 3 || names.len() > 128 {
        return Err(format!("the folder {whole} holds more than is followed"));
    }
    names.sort();
    for name in names {
        let out = name.starts_with('.') || ["host_vars", "group_vars", "vars_plugins"].contains(&name.as_str());
        if !out && !LEFT_OUT.iter().any(|end| name.ends_with(end)) {
            add_source(&format!("{whole}/{name}"), depth + 1, inventory, facts)?;
        }
    }
    Ok(())
}

/// What only lists may run the programs of an inventory.
pub(super) fn inventory_only(parsed: &Parsed, facts: &Facts) -> Report {
    // Plugins run even so.
    if let Some(why) = Settings::of(facts).odd {
        return Report::unknown(why);
    }
    if parsed.values(&["i", "inventory", "inventory-file"]).next().is_none() {
        // That of the settings: one that can't be read may be a program.
        let sources = match of_settings(facts) {
            Ok(sources) => sources,
            Err(_) if !facts.own => return Report::reads(),
            Err(why) => return Report::unknown(why),
        };
        let mut inventory = Inventory::default();
        let read = sources.iter().try_for_each(|source| add_source(source, 0, &mut inventory, facts));
        return read.map_or_else(Report::unknown, |()| Report::reads());
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
