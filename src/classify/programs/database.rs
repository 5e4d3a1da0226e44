//! What SQL clients send to a server, and what comes of it there and here. Pure.

use super::copied;
use super::host;
use crate::classify::effect::{At, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::sql::{self, Client, Dialect, Says, Seen};
use crate::classify::word::Word;

/// No session reads more files.
const MOST_FILES: usize = 16;

/// The statements that one run of a client sends.
pub struct Session<'f> {
    facts: &'f Facts<'f>,
    dialect: Dialect,
    client: Client,
    files: usize,
    seen: Seen,
}

impl<'f> Session<'f> {
    /// One that has sent nothing yet.
    #[must_use]
    pub fn new(dialect: Dialect, client: Client, facts: &'f Facts<'f>) -> Self {
        Self { facts, dialect, client, files: 0, seen: Seen::default() }
    }

    /// A text that the client takes its own commands from as well.
    pub fn script(&mut self, text: &Word) {
        self.text(text, self.client);
    }

    /// A text that goes to the server as it is.
    pub fn plain(&mut self, text: &Word) {
        self.text(text, Client::Plain);
    }

    fn text(&mut self, text: &Word, client: Client) {
        let Some(known) = text.known() else {
            let shown: String = text.shown().chars().take(60).collect();
            // Its beginning may tell that it changes something, whatever else it does.
            let seen = sql::judge(whole_words(text.beginning()), self.dialect, client);
            if matches!(seen.says, Says::Changes(_)) {
                self.seen.says.and(seen.says);
            }
            if client == Client::Plain {
                self.seen.says.and(Says::Unknown(format!("runs `{shown}`, which is only known then, in a database")));
            } else {
                self.seen.doubts.push(format!("the statements `{shown}` are only known when it runs"));
            }
            return;
        };
        let mut seen = sql::judge(known, self.dialect, client);
        let files = std::mem::take(&mut seen.reads);
        self.seen.and(seen);
        for path in files {
            self.file(&Word::known_as(path));
        }
    }

    /// A file of statements on the client's machine.
    pub fn file(&mut self, path: &Word) {
        self.files += 1;
        if self.files > MOST_FILES {
            return self.doubt("it reads more files of statements than are followed");
        }
        match copied::text_of(path, self.facts) {
            Ok(text) => self.script(&Word::known_as(text)),
            Err(why) => self.doubt(why),
        }
    }

    /// What it reads on stdin.
    pub fn stdin(&mut self, stdin: &Stdin) {
        match stdin {
            // Nobody types.
            Stdin::Inherited | Stdin::Nothing => {}
            Stdin::Text(text) => self.script(text),
            Stdin::File(path) => self.file(path),
            Stdin::Unknown => self.doubt("the statements that it reads on stdin are not known"),
        }
    }

    /// What can't be told and may reach anything.
    pub fn doubt(&mut self, why: impl Into<String>) {
        self.seen.doubts.push(why.into());
    }

    /// What it does besides to the database.
    pub fn says(&mut self, says: Says) {
        self.seen.says.and(says);
    }

    /// A file that the client writes, or behind `|` a shell's text that gets what is printed.
    pub fn output(&mut self, to: &Word) {
        match to.known() {
            Some(text) => match text.strip_prefix('|') {
                Some(text) => self.seen.here.push(text.to_owned()),
                None => self.seen.writes.push(text.to_owned()),
            },
            None if to.may_begin_with("|") => self.doubt("where its output goes is only known when it runs"),
            None => self.doubt("which file it writes is only known when it runs"),
        }
    }

    /// A text that a shell runs beside the client.
    pub fn here(&mut self, text: &Word) {
        match text.known() {
            Some(text) => self.seen.here.push(text.to_owned()),
            None => self.doubt("the program that it runs is only known then"),
        }
    }

    /// What was sent, for a client whose database is no server.
    #[must_use]
    pub fn seen(self) -> (Says, Vec<Effect>) {
        let Seen { says, doubts, there, here, writes, .. } = self.seen;
        let mut effects: Vec<Effect> = writes.into_iter().map(|path| Effect::Writes(Word::known_as(path))).collect();
        effects.extend(there.into_iter().chain(here).map(shell_here));
        effects.extend(doubts.into_iter().take(1).map(Effect::Unknown));
        (says, effects)
    }

    /// What comes of it, with the database on these machines.
    #[must_use]
    pub fn report(mut self, hosts: Vec<Host>) -> Report {
        let there = std::mem::take(&mut self.seen.there);
        let doubt = self.seen.doubts.first().cloned();
        let (says, more) = self.seen();
        let mut effects = at_server(says, &hosts);
        // What can't be told is meant for the server, whatever else it reaches.
        if let Some(why) = doubt.filter(|_| effects.is_empty()) {
            let hosts: Vec<Host> = hosts.iter().filter(|host| matches!(host, Host::Named { .. })).cloned().collect();
            if !hosts.is_empty() {
                effects.push(Effect::UnknownAt { hosts, why });
            }
        }
        // What a table holds may come to its stdin.
        effects.extend(there.into_iter().map(|text| {
            let what = What::Shell { text: Word::known_as(text), arguments: vec![] };
            Effect::Runs(Run { what, at: At::Hosts(hosts.clone()), stdin: Stdin::Unknown })
        }));
        effects.extend(more);
        Report { effects, by: None }
    }
}

/// Up to where words and strings are whole.
fn whole_words(beginning: &str) -> &str {
    let end = beginning.find(['\'', '"', '`', '$', '\\']).unwrap_or(beginning.len());
    let text = beginning.get(..end).unwrap_or_default();
    text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_')
}

fn shell_here(text: String) -> Effect {
    let what = What::Shell { text: Word::known_as(text), arguments: vec![] };
    Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Unknown })
}

/// What statements mean for the machines of the database.
#[must_use]
pub fn at_server(says: Says, hosts: &[Host]) -> Vec<Effect> {
    match says {
        Says::Reads => vec![],
        Says::Changes(how) => vec![Effect::ChangesAt { hosts: hosts.to_vec(), how }],
        Says::Unknown(what) => {
            let (same, others): (Vec<Host>, Vec<Host>) =
                hosts.iter().cloned().partition(|host| matches!(host, Host::Same));
            let mut effects = vec![];
            // At worst it changes the machine on which the client runs.
            if !same.is_empty() {
                effects.push(Effect::Works(what.clone()));
            }
            if !others.is_empty() {
                let why = format!("it {what}, and it can't be told what that changes");
                effects.push(Effect::UnknownAt { hosts: others, why });
            }
            effects
        }
    }
}

/// The machine that an option names: a socket's path, a name, an address.
#[must_use]
pub fn machine(name: &Word) -> Host {
    match name.known() {
        Some("") => Host::Same,
        Some(path) if path.starts_with(['/', '@']) => Host::Same,
        _ => host::host(name),
    }
}

/// The machines of a URI (`scheme://user:password@host:port,host/…`); none if the text has no scheme.
#[must_use]
pub fn of_uri(uri: &Word) -> Option<Vec<Host>> {
    let beginning = uri.beginning();
    let (scheme, _) = beginning.split_once("://")?;
    let rest = uri.strip_prefix(scheme)?.strip_prefix("://")?;
    let unclear = || vec![Host::Unknown(format!("the machine of `{}` is only known when it runs", masked(uri)))];
    // What is not known may be a password; behind the last `@` before the path all of it has to be known.
    let stretches: Vec<&str> = rest.stretches().collect();
    let last = stretches.last().copied().unwrap_or_default();
    let authority = if stretches.len() == 1 {
        last
    } else {
        let first = stretches.first().copied().unwrap_or_default();
        match first.split_once(['/', '?']) {
            // Only what stands behind the machine is not known, which may name another one behind a `?`.
            Some((authority, _))
                if !first.contains('?') && !stretches.iter().skip(1).any(|text| text.contains("host")) =>
            {
                authority
            }
            Some(_) => return Some(unclear()),
            None => match last.split_once('@') {
                Some((_, behind)) => behind,
                None => return Some(unclear()),
            },
        }
    };
    let end = authority.find(['/', '?', '#']).unwrap_or(authority.len());
    let (authority, behind) = authority.split_at_checked(end).unwrap_or((authority, ""));
    let query = behind.split_once('?').map_or("", |(_, query)| query).to_ascii_lowercase();
    // A key may be written in percent signs.
    let coded = query.split('&').any(|pair| pair.split('=').next().is_some_and(|key| key.contains('%')));
    if coded || ["host=", "hostaddr=", "service=", "servername="].iter().any(|key| query.contains(key)) {
        return Some(vec![Host::Unknown("its connection string names the machine in an odd place".into())]);
    }
    let hosts = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
    Some(hosts.split(',').map(one_of_uri).collect())
}

fn one_of_uri(text: &str) -> Host {
    if text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%2f")) {
        return Host::Same;
    }
    let place = host::with_port(&text.into());
    machine(&place.host)
}

/// Without what may be a password.
fn masked(uri: &Word) -> String {
    let shown = uri.shown();
    match (shown.split_once("://"), shown.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
        _ => shown,
    }
}
