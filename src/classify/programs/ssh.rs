//! `ssh` and `autossh`: where the guest is, and what runs there. Pure.

use super::connection::{self, Connection};
use super::host;
use super::ssh_line::{self, Line, Read};
use super::ssh_settings::Setting;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// Judges a command of `ssh`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    report(ssh_line::read(command.arguments()), &command.stdin, facts)
}

/// Judges a command of `autossh`, which starts `ssh` again and again.
#[must_use]
pub fn autossh(command: &Command, facts: &Facts) -> Report {
    report(ssh_line::read_autossh(command.arguments()), &command.stdin, facts)
}

fn report(read: Read, stdin: &Stdin, facts: &Facts) -> Report {
    let line = match read {
        Read::Line(line) => line,
        Read::Ends => return Report::reads(),
        Read::Unclear(why, None) => return Report::unknown(why),
        Read::Unclear(why, Some(line)) => {
            let Connection { host, local: mut effects, .. } = Connection::to(&line.place, line.settings, facts, 0);
            effects.push(Effect::UnknownAt { hosts: vec![host], why });
            return Report { effects, by: None };
        }
    };
    let connection = Connection::to(&line.place, line.settings.clone(), facts, 0);
    let mut effects: Vec<Effect> = line.logs.iter().cloned().map(Effect::Writes).collect();
    if line.prints || line.control.is_some() {
        // No connection is made, but what decides about a block of the config runs all the same.
        effects.extend(connection::tests(&connection.settings, &connection.tokens));
        if let Some(control) = line.control.as_ref().filter(|_| !line.prints) {
            control_command(control, &mut effects);
        }
        return Report { effects, by: None };
    }
    effects.extend(connection.local.iter().cloned());
    known_hosts(&line, &connection, facts, &mut effects);
    tunnels(&connection, &mut effects);
    session(&line, &connection, stdin, &mut effects);
    Report { effects, by: None }
}

/// What `-O` tells an open connection.
fn control_command(control: &Word, effects: &mut Vec<Effect>) {
    match control.known() {
        // What is open is asked, or closed.
        Some("check" | "conninfo" | "channels" | "exit" | "stop" | "cancel") => {}
        _ => effects.push(Effect::Unknown(format!(
            "what goes through the connection after `-O {}` can't be seen",
            control.shown()
        ))),
    }
}

/// Tunnels: what goes through one later can't be seen; of a port that is opened here it is known where it leads.
fn tunnels(connection: &Connection, effects: &mut Vec<Effect>) {
    for tunnel in &connection.settings.tunnels {
        let why = format!("what goes through the tunnel `{}` can't be seen", tunnel.shown);
        effects.push(match &tunnel.leads_to {
            None => Effect::Unknown(why),
            Some(end) => {
                // What the far side calls itself is the far side.
                let host = match host::host(end) {
                    Host::Same => connection.host.clone(),
                    host => host,
                };
                Effect::Forwards { hosts: vec![host], why }
            }
        });
    }
}

/// A file named on the command line for the keys of machines gets the new ones.
fn known_hosts(line: &Line, connection: &Connection, facts: &Facts, effects: &mut Vec<Effect>) {
    let Some(Setting::Is(path)) = line.settings.get("userknownhostsfile") else {
        return;
    };
    if matches!(path.known(), Some("/dev/null" | "none")) {
        return;
    }
    let path = connection.tokens.expand(path);
    let home = facts.home.zip(path.strip_prefix("~/"));
    effects.push(Effect::Writes(match home {
        Some((home, rest)) => {
            let mut path = Word::known_as(format!("{home}/"));
            path.push_word(&rest);
            path
        }
        None => path,
    }));
}

/// What runs on the machine.
fn session(line: &Line, connection: &Connection, stdin: &Stdin, effects: &mut Vec<Effect>) {
    let hosts = vec![connection.host.clone()];
    let unclear = |effects: &mut Vec<Effect>, hosts: Vec<Host>, why: String| {
        effects.push(Effect::UnknownAt { hosts, why });
    };
    let settings = &connection.settings;
    match settings.get("sessiontype") {
        None => {}
        Some(Setting::Unclear(why)) => return unclear(effects, hosts, why.clone()),
        Some(Setting::Is(word)) => match word.known() {
            Some("default") => {}
            Some("none") => {
                let tunnels = &settings.tunnels;
                // What is held open for such ports alone was said of them.
                let master = settings.may_be_yes("controlmaster") || settings.get("controlpath").is_some();
                let why = match &line.passed_to {
                    Some(to) => format!("what is sent on to `{}` can't be seen", to.shown()),
                    None if !master && !tunnels.is_empty() && tunnels.iter().all(|one| one.leads_to.is_some()) => {
                        return;
                    }
                    None => "a connection without a command (`-N`) is held for what others send through it".to_owned(),
                };
                return effects.push(Effect::Unknown(why));
            }
            Some("subsystem") => {
                let name = Word::joined(&line.command);
                return unclear(effects, hosts, format!("what the subsystem `{}` is told can't be seen", name.shown()));
            }
            _ => return unclear(effects, hosts, "its SessionType can't be told".to_owned()),
        },
    }
    let cut_off = settings.is_yes("stdinnull") || settings.is_yes("forkafterauthentication");
    let stdin = if cut_off { Stdin::Nothing } else { stdin.clone() };
    let text = match settings.get("remotecommand") {
        None => None,
        Some(Setting::Unclear(why)) => return unclear(effects, hosts, why.clone()),
        Some(Setting::Is(word)) if word.known() == Some("none") => None,
        Some(Setting::Is(word)) => Some(connection.tokens.expand(word)),
    };
    let run =
        |what: What, stdin: Stdin| Effect::Runs(Run { what, at: At::Hosts(vec![connection.host.clone()]), stdin });
    // Nothing but empty words is no command: the shell on the far side reads its stdin.
    let words = Word::joined(&line.command);
    let commanded = words.known() != Some("");
    if commanded {
        // With a command of the config's own ssh refuses; should it ever run both, both are judged.
        let what = What::Shell { text: words, arguments: vec![] };
        effects.push(run(what, stdin.clone()));
    }
    match text {
        Some(text) => effects.push(run(What::Shell { text, arguments: vec![] }, stdin)),
        None if !commanded => effects.push(run(What::ShellStdin, stdin)),
        None => {}
    }
}

#[cfg(test)]
#[path = "tests/ssh.rs"]
mod tests;

#[cfg(test)]
#[path = "tests/ssh_itself.rs"]
mod against_ssh;
