//! Which machine a connection of ssh really reaches, and what making it runs on the near side. Pure.
//!
//! Shared by every program that lets ssh make its connections (`scp`, `sftp`, `rsync`, `mosh`, `sshfs`, …).

use super::host::{self, Place};
use super::ssh_config;
use super::ssh_settings::{Setting, Settings};
use super::{passage, ssh_line};
use crate::classify::effect::{At, Effect, Facts, Host, Run, Stdin, What};
use crate::classify::word::Word;

/// Connections that make connections: no more of them in a row are followed.
pub const DEEPEST: usize = 8;

/// A connection as it will be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The machine that is reached.
    pub host: Host,
    /// What making it does where ssh runs.
    pub local: Vec<Effect>,
    /// Everything that is set, config files included.
    pub settings: Settings,
    /// The values that stand for `%h` and its like in commands.
    pub tokens: Tokens,
}

/// What the tokens of a setting's text stand for, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tokens {
    /// `%n`: the machine as it was typed.
    pub typed: Option<String>,
    /// `%h`: the machine that is reached.
    pub real: Option<String>,
    /// `%p`.
    pub port: Option<String>,
    /// `%r`.
    pub user: Option<String>,
}

impl Tokens {
    /// A text with its tokens replaced; a hole where it isn't known by what.
    #[must_use]
    pub fn expand(&self, text: &Word) -> Word {
        let mut word = Word::default();
        for (nr, stretch) in text.stretches().enumerate() {
            if nr > 0 {
                word.push_hole();
            }
            let mut letters = stretch.chars();
            while let Some(c) = letters.next() {
                if c != '%' {
                    word.push_text(c.encode_utf8(&mut [0; 4]));
                    continue;
                }
                let value = match letters.next() {
                    Some('%') => Some("%"),
                    Some('h') => self.real.as_deref(),
                    Some('n') => self.typed.as_deref(),
                    Some('p') => self.port.as_deref(),
                    Some('r') => self.user.as_deref(),
                    _ => None,
                };
                // What is put in is read by a shell: only plain names are taken for what they are.
                match value.filter(|value| is_plain(value)) {
                    Some(value) => word.push_text(value),
                    None => word.push_hole(),
                }
            }
        }
        word
    }
}

/// Whether a shell takes a text for what it is.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b"%.-_:@".contains(&b))
}

impl Connection {
    /// The connection to a place with these settings.
    #[must_use]
    pub fn to(place: &Place, mut settings: Settings, facts: &Facts, depth: usize) -> Self {
        if let Some(user) = &place.user {
            settings.set("user", Setting::Is(user.clone()));
        }
        if let Some(port) = &place.port {
            settings.set("port", Setting::Is(port.clone()));
        }
        let mut tokens = Tokens::default();
        let mut local = Vec::new();
        // A socket that the user's own config gives a machine is the user's word for where that machine is.
        let mut socket = fixed_socket(&settings);
        let Some(typed) = place.host.known() else {
            // Some block of the config may hold for it.
            ssh_config::read(None, &mut settings, facts);
            local_effects(&settings, &tokens, facts, depth, &mut local);
            return Self { host: host::host(&place.host), local, settings, tokens };
        };
        ssh_config::read(Some(typed), &mut settings, facts);
        if settings.file.is_some() {
            socket = fixed_socket(&settings);
        }
        tokens.typed = Some(typed.to_owned());
        let real = real_name(typed, &settings);
        let mut host = match &real {
            Ok(_) if socket.is_some() => {
                let path = socket.unwrap_or_default();
                Host::Unknown(format!("the connection behind the control socket `{path}` chooses the machine"))
            }
            Ok(real) => reached(typed, real, &settings),
            Err(why) => Host::Unknown(why.clone()),
        };
        tokens.real = real.ok();
        tokens.port = match settings.get("port") {
            None => Some("22".to_owned()),
            Some(_) => settings.text("port").map(str::to_owned),
        };
        // Of a user that isn't known there is still a name, though no plain one.
        tokens.user = settings.get("user").map(|_| settings.text("user").unwrap_or("?").to_owned());
        if !local_effects(&settings, &tokens, facts, depth, &mut local) {
            host = Host::Unknown("its proxy command chooses the machine that is reached".to_owned());
        }
        Self { host, local, settings, tokens }
    }
}

/// The machine's name with what `HostName` makes of it.
///
/// # Errors
/// Why that can't be told.
pub fn host_name(typed: &str, settings: &Settings) -> Result<String, String> {
    let text = match settings.get("hostname") {
        None => return Ok(typed.to_owned()),
        Some(Setting::Unclear(why)) => return Err(why.clone()),
        Some(Setting::Is(word)) => word.known().ok_or("its HostName is only known when it runs")?,
    };
    let mut real = String::new();
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        match (c, if c == '%' { letters.next() } else { None }) {
            ('%', Some('%')) => real.push('%'),
            ('%', Some('h')) => real.push_str(typed),
            ('%', _) => return Err(format!("its HostName `{text}` can't be told")),
            (c, _) => real.push(c),
        }
    }
    Ok(real)
}

/// The name of the machine that ssh connects to.
fn real_name(typed: &str, settings: &Settings) -> Result<String, String> {
    let real = host_name(typed, settings)?;
    let canonical = settings.get("canonicalizehostname");
    let off = canonical.is_none() || matches!(settings.text("canonicalizehostname"), Some("no" | "none" | "false"));
    // Names with more dots than one are left as they are unless that is set too; without domains all are.
    if !off && settings.get("canonicaldomains").is_some() && !real.contains(':') && real.matches('.').count() < 2 {
        return Err(format!("which of the canonical domains `{real}` is found in is only known when it runs"));
    }
    Ok(real)
}

/// The machine of a name, with what the port and a jump say of loopback.
fn reached(typed: &str, real: &str, settings: &Settings) -> Host {
    if let Some(fault) = host::fault(typed) {
        return Host::Unknown(fault);
    }
    if let Some(fault) = host::fault(real) {
        return Host::Unknown(fault);
    }
    if !host::loopback(real) {
        let real = (!real.eq_ignore_ascii_case(typed)).then(|| real.to_owned());
        return Host::Named { typed: typed.to_owned(), real };
    }
    let none = |name: &str| settings.get(name).is_none() || settings.text(name) == Some("none");
    if !none("proxyjump") || !none("proxycommand") {
        return Host::Unknown(format!("`{typed}` is the loopback of the machine that is jumped through"));
    }
    if settings.get("port").is_some() && settings.text("port") != Some("22") {
        return Host::Unknown(format!(
            "`{typed}` with a port of its own may be a tunnel to another machine or a machine's forwarded port"
        ));
    }
    Host::Same
}

/// A control socket that is the same for every machine: whoever opened it chose the machine.
fn fixed_socket(settings: &Settings) -> Option<String> {
    let Setting::Is(path) = settings.get("controlpath")? else {
        return None;
    };
    let text = path.shown();
    let bound = ["%C", "%h", "%n", "%k"].iter().any(|token| text.contains(token)) || text == "none";
    (path.known().is_none() || !bound).then_some(text)
}

/// What making the connection runs on the near side; whether the machine is still the one that was named.
fn local_effects(settings: &Settings, tokens: &Tokens, facts: &Facts, depth: usize, effects: &mut Vec<Effect>) -> bool {
    if depth >= DEEPEST {
        effects.push(Effect::Unknown("its jumps go through too many machines to be followed".to_owned()));
        return false;
    }
    effects.extend(tests(settings, tokens));
    let mut certain = true;
    match settings.get("proxycommand") {
        None => {}
        Some(Setting::Unclear(why)) => {
            effects.push(Effect::Unknown(why.clone()));
            certain = false;
        }
        Some(Setting::Is(text)) if text.known() == Some("none") => {}
        Some(Setting::Is(text)) => match passage::through(text, tokens, facts, depth) {
            Some(further) => effects.extend(further),
            None => {
                effects.push(shell(tokens.expand(text)));
                certain = false;
            }
        },
    }
    // A jump is made by another ssh, which reads the config for the machine in between.
    if let Some(jumps) = settings.text("proxyjump").filter(|jumps| *jumps != "none") {
        for (nr, jump) in jumps.split(',').take(DEEPEST).enumerate() {
            let mut inner = settings.afresh();
            if nr > 0 {
                // It is told the jumps before it, so its own are not heeded.
                inner.set("proxyjump", Setting::Is("none".into()));
            }
            let place = ssh_line::place(&jump.into());
            // Older releases give the names to a shell as they are.
            if ![Some(&place.host), place.user.as_ref()].into_iter().flatten().filter_map(Word::known).all(is_plain) {
                effects.push(Effect::Unknown(format!("`{jump}` is no name of a machine to jump through")));
            }
            effects.extend(Connection::to(&place, inner, facts, depth + 1).local);
        }
    }
    if settings.may_be_yes("permitlocalcommand") {
        command(settings.get("localcommand"), tokens, effects);
    }
    // What asks the system's directory for keys comes with the system.
    let asks = |text: &str| {
        text.strip_prefix("/usr/bin/sss_ssh_knownhosts ")
            .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"% -_".contains(&b)))
    };
    if !settings.text("knownhostscommand").is_some_and(asks) {
        command(settings.get("knownhostscommand"), tokens, effects);
    }
    for name in ["pkcs11provider", "securitykeyprovider"] {
        match settings.get(name) {
            None => {}
            Some(Setting::Is(path)) if path.known().is_some_and(installed) => {}
            Some(_) => effects.push(Effect::Unknown("it loads a library that can't be looked into".to_owned())),
        }
    }
    if let Some(Setting::Is(path)) = settings.get("xauthlocation")
        && !path.known().is_some_and(|path| path.starts_with("/usr/") && !path.contains("/../"))
    {
        effects.push(Effect::Unknown("it runs a program in place of xauth".to_owned()));
    }
    certain
}

/// What `Match exec` runs to decide about blocks of the config.
pub fn tests(settings: &Settings, tokens: &Tokens) -> impl Iterator<Item = Effect> {
    settings.runs.iter().map(|text| shell(tokens.expand(text)))
}

/// Libraries that the system's packages bring, or that are built in.
fn installed(path: &str) -> bool {
    matches!(path, "none" | "internal" | "$SSH_SK_PROVIDER")
        || (["/usr/", "/lib/", "/lib64/", "/opt/homebrew/"].iter().any(|start| path.starts_with(start))
            && !path.contains("/../"))
}

fn command(setting: Option<&Setting>, tokens: &Tokens, effects: &mut Vec<Effect>) {
    match setting {
        None => {}
        Some(Setting::Unclear(why)) => effects.push(Effect::Unknown(why.clone())),
        Some(Setting::Is(text)) if text.known() == Some("none") => {}
        Some(Setting::Is(text)) => effects.push(shell(tokens.expand(text))),
    }
}

/// Text that the shell of the near side reads.
fn shell(text: Word) -> Effect {
    let what = What::Shell { text, arguments: vec![] };
    Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Nothing })
}
