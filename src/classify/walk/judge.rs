//! What a command's effects mean where it runs: a verdict, the guests, and a line for people.

use super::daemon::starts_containers;
use super::finding::{Finding, Why, mend, missing, written_out};
use super::likely::{ON_FILES, as_files, is_in_doubt, writes_somewhere};
use super::place::Changed;
use super::projects;
use super::{Place, Shell, Walk};
use crate::catalog::Layer;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin};
use crate::classify::own;
use crate::classify::programs;
use crate::classify::shell::tree::{Piece, Source};
use crate::classify::word::Word;
use crate::classify::{DecidedBy, Part, Verdict};
use crate::text::host_key;

/// Folders of which the programs are those that their names say.
pub(super) const SYSTEM: &[&str] =
    &["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/snap/bin"];

impl Walk<'_> {
    /// Judges a program with its words.
    pub(super) fn program(&mut self, command: &Command, text: &str, shell: &mut Shell) {
        let Some(called) = command.program() else {
            let what = command.words.first().map(Word::shown).unwrap_or_default();
            let why = format!("which program `{what}` is can only be told when it runs");
            return self.doubt(text, Why::new(why, written_out(&command.words)), shell);
        };
        let (name, is_system) = match called.rsplit_once('/') {
            None => (called, true),
            Some((folder, name)) => (name, SYSTEM.contains(&folder)),
        };
        if own::is_us(called) {
            self.ours.push(command.words.clone());
        }
        let mut plain = command.clone();
        if name != called
            && let Some(first) = plain.words.first_mut()
        {
            *first = Word::known_as(name);
        }
        if let Some(report) = programs::table::of_people(self.catalog, &plain) {
            return self.report(report, &plain, text, shell);
        }
        // In a project's own folder of tools a name says what it is, as for what finds it there by its name.
        if !is_system && !self.is_tool_of_project(called, name, shell) {
            return self.file_as_program(called, command, text, shell);
        }
        let (report, mend) = self.looking(shell, |walk, facts| walk.judged(name, &plain, facts));
        let at = self.parts.len();
        self.report(report, &plain, text, shell);
        if let Some((reason, mend)) = mend
            && let Some(part) = self.parts.iter_mut().skip(at).find(|part| part.reason == reason)
        {
            part.mend.get_or_insert(mend);
        }
    }

    /// What the judge of a program says of a command; and if that isn't understood, why and what would mend it.
    fn judged(&self, name: &str, command: &Command, facts: &Facts) -> (Report, Option<(String, String)>) {
        let Some(judge) = programs::of(name) else { return (Report::of(Effect::Table), None) };
        let mut report = if programs::helps::asks(command) { Report::reads() } else { judge(command, facts) };
        if facts.own
            && self.places.this_vm.is_none()
            && ON_FILES.contains(&name)
            && self.looked_up(&report, command).is_none_or(|report| is_in_doubt(&report))
            && let Some(likely) = as_files(command)
            && let Some(found) = self.looked_up(&judge(&likely, facts), &likely)
            && !is_in_doubt(&found)
            // Where it writes is what nobody knows: it matters where a folder may be a guest's disk.
            && !(writes_somewhere(&found) && self.has_disks())
        {
            report = found;
        }
        if report.by.is_none() && !report.effects.contains(&Effect::Table) {
            let entry = format!("the rules for {name}");
            report.by = Some(DecidedBy { layer: Layer::BuiltIn, entry, key: "script" });
        }
        let mend = mend(judge, &report, command, facts);
        (report, mend)
    }

    /// A report with what the catalog's table says in the place where it is left to that; none: no table says anything.
    fn looked_up(&self, report: &Report, command: &Command) -> Option<Report> {
        if !report.effects.contains(&Effect::Table) {
            return Some(report.clone());
        }
        let table = programs::table::report(self.catalog, command)?;
        let others = report.effects.iter().filter(|effect| **effect != Effect::Table).cloned();
        let effects = table.effects.into_iter().chain(others).collect();
        Some(Report { effects, by: report.by.clone().or(table.by) })
    }

    /// Whether a path is that of a tool which a package manager has put into a project, or of a builder's own start script,
    /// and the name one that is known.
    fn is_tool_of_project(&self, path: &str, name: &str, shell: &Shell) -> bool {
        if !shell.place.has_own_files() || self.places.this_vm.is_some() {
            return false;
        }
        let Some(whole) = self.absolute(path, shell) else { return false };
        let is_known = programs::of(name).is_some() || {
            let command = Command { words: vec![Word::from(name)], stdin: Stdin::Nothing };
            programs::table::report(self.catalog, &command).is_some()
        };
        is_known && projects::is_tool(&whole, name) && self.files.doubt_project(&whole).is_none()
    }

    pub(super) fn report(&mut self, report: Report, command: &Command, text: &str, shell: &mut Shell) {
        let Report { effects, mut by } = report;
        let mut found: Option<Finding> = None;
        let (mut runs, mut sets) = (Vec::new(), Vec::new());
        // What a runner prepares for the program that it runs is no file of the project's.
        let runner = command.program().is_some_and(programs::runners::knows);
        let disturbed = self.files.disturbance();
        for effect in effects {
            let one = match effect {
                Effect::Runs(run) => {
                    runs.push(run);
                    continue;
                }
                Effect::Sets { name, value } => {
                    sets.push((name, value));
                    continue;
                }
                Effect::Table => {
                    let (finding, entry) = self.table(command, shell);
                    by = by.or(entry);
                    finding
                }
                effect => self.effect(effect, command, shell),
            };
            found = Some(match found {
                None => one,
                Some(found) => found.and(one),
            });
        }
        let disturbs = if runner && !runs.is_empty() { self.files.disturb(disturbed) } else { None };
        // What only carries another command that runs at the same place is not worth a line of its own.
        let here = |run: &Run| matches!(run.at, At::Here | At::Child | At::Folder(_));
        let carries = found.is_none() && !runs.is_empty() && runs.iter().all(here);
        let at = self.parts.len();
        if !carries {
            let found = found.unwrap_or_else(|| Finding::reads("it only reads"));
            self.finding(text, found, by, shell);
            self.depth += 1;
        }
        if sets.is_empty() {
            for run in runs {
                self.run(run, text, shell);
            }
        } else {
            let mut inner = shell.sub();
            let given = sets.clone();
            for (name, value) in sets {
                let piece = value.known().map(|text| Piece::Quoted(text.to_owned()));
                let source = Source { raw: value.shown(), pieces: piece.into_iter().collect() };
                self.chooses(&name, &value, &source, &mut inner);
                inner.env.set(&name, value);
                inner.env.export(&name);
            }
            for run in runs {
                // In a container only what is set there is set.
                if run.at == At::Inside {
                    self.run_inside(run, &given, text, &inner);
                } else {
                    self.run(run, text, &mut inner);
                }
            }
        }
        if disturbs.is_some() {
            self.files.disturb(disturbs);
        }
        if carries {
            if self.parts.len() == at {
                self.quiet(text, shell);
            }
            return;
        }
        self.depth -= 1;
        self.sum_up(at);
    }

    /// A command is no better than what it runs.
    fn sum_up(&mut self, at: usize) {
        let worst = self.parts.iter().skip(at + 1).max_by_key(|part| part.verdict);
        let Some((verdict, reason)) = worst.map(|part| (part.verdict, part.reason.clone())) else { return };
        if let Some(part) = self.parts.get_mut(at)
            && verdict > part.verdict
        {
            part.verdict = verdict;
            part.reason = reason;
        }
    }

    /// What the catalog's table of the program says.
    fn table(&mut self, command: &Command, shell: &Shell) -> (Finding, Option<DecidedBy>) {
        let Some(report) = programs::table::report(self.catalog, command) else {
            let name = command.program().unwrap_or_default();
            let found = self.unknown(&format!("`{name}` is in no catalog"), &shell.place);
            return (Finding { missing: missing(command), ..found }, None);
        };
        let mut found = Finding::reads(match &report.by {
            Some(by) => format!("{} says that it only reads", by.entry),
            None => "it only reads".to_owned(),
        });
        for effect in report.effects {
            let one = match effect {
                // A table runs nothing, and points to no other.
                Effect::Runs(_) | Effect::Table | Effect::Sets { .. } => {
                    self.unknown("its table says what no table can say", &shell.place)
                }
                effect => self.effect(effect, command, shell),
            };
            found = if one.verdict == Verdict::ReadOnly && found.verdict == Verdict::ReadOnly {
                one
            } else {
                found.and(one)
            };
        }
        if found.verdict == Verdict::Unknown && report.by.is_none() {
            found.missing = missing(command).filter(|missing| missing.sub.is_some());
        }
        (found, report.by)
    }

    fn effect(&mut self, effect: Effect, command: &Command, shell: &Shell) -> Finding {
        match effect {
            Effect::Changes(how) => self.changes(&how, Some(command), shell),
            Effect::Works(how) => self.works(&how, command, shell),
            Effect::Writes(path) => self.writes(&path, Some(command), shell),
            Effect::Unknown(why) => {
                if shell.place.has_own_files() {
                    self.disturbed_by(command, false, shell);
                }
                let found = self.unknown(&why, &shell.place);
                let reaches = command.program().is_some_and(programs::reaches);
                let open = found.open || (found.verdict == Verdict::Unknown && reaches);
                Finding { open, ..found }
            }
            Effect::UnknownOnGuest(why) => {
                if shell.place.is_own() && self.places.this_vm.is_none() {
                    return Finding::reads("it reads, or acts on the agent's own machine");
                }
                self.unknown(&why, &shell.place)
            }
            Effect::Mounts { folder, host } => {
                let folder = folder.known().and_then(|folder| self.absolute(folder, shell));
                if shell.place.has_own_files() {
                    self.reached.mounts(folder, host);
                }
                Finding::reads("what is mounted is there from now on")
            }
            Effect::Forwards { hosts, why } => self.forwards(hosts, &why, shell),
            Effect::ChangesAt { hosts, how } => hosts
                .iter()
                .map(|host| match self.through_tunnels(host, &shell.place) {
                    Some(found) => found,
                    None => self.changed(&how, &reached(&shell.place, host)),
                })
                .reduce(Finding::and)
                .unwrap_or_else(|| self.unknown("the machine that it changes is not named", &shell.place)),
            Effect::ChangesVm { vms, how } if shell.place.is_own() => vms
                .iter()
                .map(|vm| self.changed(&how, &reached(&Place::default(), vm)))
                .reduce(Finding::and)
                .unwrap_or_else(|| self.unknown("the virtual machine that it changes is not named", &shell.place)),
            Effect::ChangesVm { how, .. } => {
                let why = format!("it {how}, and which virtual machine that is can't be told from here");
                self.unknown(&why, &shell.place)
            }
            Effect::UnknownAt { hosts, why } => hosts
                .iter()
                .map(|host| self.unknown_at(&why, host, &shell.place))
                .reduce(Finding::and)
                .unwrap_or_else(|| self.unknown(&why, &shell.place)),
            Effect::Table | Effect::Runs(_) | Effect::Sets { .. } => {
                self.unknown("it can't be told what it does", &shell.place)
            }
        }
    }

    /// A change of the machine on which the command runs.
    fn changes(&mut self, how: &str, command: Option<&Command>, shell: &Shell) -> Finding {
        if command.and_then(Command::program).is_some_and(starts_containers)
            && let Some(name) = self.other_daemon(shell)
        {
            return self
                .unknown(&format!("`{name}` may make it act on the containers of another machine"), &shell.place);
        }
        if shell.place.has_own_files()
            && let Some(command) = command
        {
            self.disturbed_by(command, false, shell);
            let found = self.changed(how, &shell.place);
            return self.on_disks(command, how, found, shell);
        }
        self.changed(how, &shell.place)
    }

    /// Notes that a command may have changed files.
    fn disturbed_by(&mut self, command: &Command, works: bool, shell: &Shell) {
        let mut files = std::mem::take(&mut self.files);
        files.disturbed_by(command, works, || self.paths_named(command, shell));
        self.files = files;
    }

    /// A developer's work.
    fn works(&mut self, how: &str, command: &Command, shell: &Shell) -> Finding {
        if let Some(name) = self.other_daemon(shell) {
            return self
                .unknown(&format!("`{name}` may make it act on the containers of another machine"), &shell.place);
        }
        if shell.place.is_own() && self.places.this_vm.is_none() {
            if shell.place.has_own_files() {
                self.disturbed_by(command, true, shell);
                let found = Finding::reads("it is work on the agent's own machine");
                return self.on_disks(command, how, found, shell);
            }
            return Finding::reads("it is work on the agent's own machine");
        }
        self.unknown(&format!("it {how}, and what that does depends on the project"), &shell.place)
    }

    /// A file that is written.
    fn writes(&mut self, path: &Word, by: Option<&Command>, shell: &Shell) -> Finding {
        if is_no_file(path) {
            return Finding::reads("what it writes goes to no file");
        }
        let how = format!("writes {}", path.shown());
        if shell.place.has_own_files() {
            // What takes whole folders away does so by this path, too; `mv` leaves where it moves to.
            let program =
                by.filter(|command| command.program() != Some("mv")).and_then(|command| command.words.first());
            self.files.written(path.known().and_then(|path| self.absolute(path, shell)));
            let found = self.changed(&how, &shell.place);
            return self.on_disk(program, path, found, shell);
        }
        self.changed(&how, &shell.place)
    }

    /// What a change at a place means.
    fn changed(&self, how: &str, place: &Place) -> Finding {
        match place.changed(self.places) {
            Changed::Nothing(why) => Finding::reads(why),
            Changed::Guests(targets) => {
                Finding::new(Verdict::Mutating, format!("it {how} on {}", targets.join(", ")), targets)
            }
            Changed::Unknown(targets, why) => {
                let reason = format!("it {how} on a guest that can't be named: {why}");
                Finding { open: true, ..Finding::new(Verdict::Unknown, reason, targets) }
            }
        }
    }

    /// What is not known of something at a place.
    fn unknown(&self, why: &str, place: &Place) -> Finding {
        let targets = match place.changed(self.places) {
            // What a human has left out may be changed in any way.
            Changed::Nothing(why) if !place.is_own() => return Finding::reads(why),
            Changed::Nothing(_) => vec![],
            Changed::Guests(targets) => {
                // From the agent's machine it may reach any other, whatever guest that is itself.
                let open = place.is_own();
                return Finding { open, ..Finding::new(Verdict::Unknown, why, targets) };
            }
            Changed::Unknown(targets, _) => targets,
        };
        Finding { open: true, ..Finding::new(Verdict::Unknown, why, targets) }
    }

    /// What is not known of something at a machine that a command names without logging in to it.
    fn unknown_at(&self, why: &str, host: &Host, place: &Place) -> Finding {
        match host {
            Host::Same => match self.through_tunnels(host, place) {
                Some(found) => found,
                None => self.changed("changes what runs there", place),
            },
            Host::Named { typed, .. } => {
                let there = reached(&Place::default(), host);
                // One that a person has named a guest is one.
                if place.is_own() && self.places.hosts.contains_key(&host_key(typed)) {
                    return self.changed("changes it", &there);
                }
                let mend =
                    format!("name {typed} in [hosts] of the config if it is a guest, in unguarded if it is none");
                Finding { mend: Some(mend), ..self.unknown(why, &there) }
            }
            Host::Unknown(doubt) => Finding { open: true, ..self.unknown(&format!("{why}: {doubt}"), place) },
        }
    }

    /// A line for a command that changes nothing but what the shell knows.
    pub(super) fn quiet(&mut self, text: &str, shell: &Shell) {
        self.finding(text, Finding::reads("it changes nothing but the shell"), None, shell);
    }

    /// A line for a program that was read and only computes.
    pub(super) fn quiet_program(&mut self, text: &str, shell: &Shell) {
        self.finding(text, Finding::reads("its program changes nothing"), None, shell);
    }

    /// A line for something that can't be told.
    pub(super) fn doubt(&mut self, text: &str, why: impl Into<Why>, shell: &Shell) {
        let Why { reason, mend } = why.into();
        let found = Finding { mend, ..self.unknown(&reason, &shell.place) };
        self.finding(text, found, None, shell);
    }

    /// A redirection's file is opened.
    pub(super) fn opened(&mut self, file: &Word, write: bool, shell: &mut Shell) {
        if ["/dev/tcp/", "/dev/udp/"].iter().any(|network| file.begins_with(network)) {
            return self.doubt(&file.shown(), "it talks to another machine through the shell", shell);
        }
        if !write || is_no_file(file) {
            return;
        }
        let found = self.writes(file, None, shell);
        self.finding(&format!("> {}", file.shown()), found, None, shell);
    }

    pub(super) fn finding(&mut self, text: &str, mut found: Finding, by: Option<DecidedBy>, shell: &Shell) {
        let doubt = found.doubt.take();
        self.push(Part {
            text: text.to_owned(),
            location: shell.place.shown(),
            verdict: found.verdict,
            reason: found.reason,
            targets: found.targets,
            by,
            depth: self.depth,
            missing: found.missing,
            open: found.open,
            mend: found.mend.filter(|_| found.verdict == Verdict::Unknown),
        });
        if let Some(doubt) = doubt {
            self.depth += 1;
            self.finding(text, *doubt, None, shell);
            self.depth -= 1;
        }
    }

    pub(super) fn push(&mut self, part: Part) {
        self.parts.push(part);
    }
}

/// The machine that a command at a place names, which it changes without logging in.
fn reached(place: &Place, host: &Host) -> Place {
    match host {
        Host::Same => place.clone(),
        host => Place::default().at(host),
    }
}

/// How the name begins that the shell gives to a process substitution; the rest is a number.
pub(super) const PROCESS: &str = "/dev/fd/";

/// What looks like a file and is none.
fn is_no_file(file: &Word) -> bool {
    // Other descriptors, stdin among them, may stand for a file that was opened to be read, and opening them again
    // writes it. What `-` means to a program, its judge knows; to a shell it is a file.
    const NO_FILES: &[&str] =
        &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2", "/dev/tty", "/dev/zero"];
    match file.known() {
        Some(file) => NO_FILES.contains(&file),
        // What a process substitution stands for.
        None => file.beginning() == PROCESS && file.stretches().nth(1) == Some(""),
    }
}
