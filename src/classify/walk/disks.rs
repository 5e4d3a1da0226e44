//! Local changes that may be changes of a guest after all: its disk may be a folder here (`[mounts]`, mounts over the network),
//! and what is called loopback may be the end of a tunnel.

use super::finding::Finding;
use super::{Changed, Place, Shell, Walk};
use crate::classify::disks::{Disks, Owners};
use crate::classify::effect::{Command, Host};
use crate::classify::word::Word;
use crate::classify::{Touched, UPROOTING, Verdict};
use crate::path::{is_inside, normal};
use std::rc::Rc;

/// What of other machines is reached under names of this one.
#[derive(Default)]
pub(super) struct Reached {
    /// What was mounted before the text runs; none: nobody has looked yet, since only what writes files has to know.
    disks: Option<Rc<Disks>>,
    /// The folders that the text itself mounts; none: it is not known which.
    mounts: Vec<(Option<String>, Host)>,
    /// The machines to which the text itself has opened ports, with the machine that has them.
    tunnels: Vec<(Place, Host)>,
    /// Whether what is being judged writes nowhere but where its words and its folder lead.
    pub bounded: bool,
}

/// No text makes more of them than are told apart.
const MOST: usize = 64;

impl Reached {
    /// Notes a folder that is mounted from now on.
    pub fn mounts(&mut self, folder: Option<String>, host: Host) {
        if self.mounts.len() < MOST {
            self.mounts.push((folder, host));
        } else {
            let why = "more folders are mounted than are followed".to_owned();
            self.mounts.truncate(MOST);
            self.mounts.push((Some("/".into()), Host::Unknown(why)));
        }
    }

    fn opens(&mut self, place: &Place, host: Host) {
        let host = if self.tunnels.len() < MOST { host } else { Host::Unknown("it opens too many tunnels".into()) };
        if !self.tunnels.iter().any(|(at, known)| at == place && *known == host) {
            self.tunnels.push((place.clone(), host));
        }
    }
}

impl Walk<'_> {
    /// What a change of files on the agent's own machine means, with guests' disks mounted in its folders; notes what may be
    /// changed, too.
    pub(super) fn on_disks(&mut self, command: &Command, how: &str, found: Finding, shell: &Shell) -> Finding {
        self.acts_here = true;
        let mut doubt = None;
        let mut begun = Vec::new();
        // What names no path may act on the folder in which it runs.
        let mut paths: Vec<String> = shell.env.cwd.iter().map(|cwd| cwd.to_string()).collect();
        for word in command.arguments() {
            let text = word.beginning();
            // A path may stand behind an option or a name: `--output=x`, `of=x`, `-C/x`.
            let glued = text.find('/').filter(|_| text.starts_with('-')).and_then(|at| text.get(at..));
            let starts = [Some(text), text.split_once('=').map(|(_, rest)| rest), glued];
            for start in starts.into_iter().flatten().filter(|start| !start.is_empty() && !start.starts_with('-')) {
                match self.absolute(start, shell) {
                    Some(path) => paths.push(path),
                    None => doubt = Some(word.shown()),
                }
            }
            paths.extend(shown_to_containers(text).map(normal));
            if word.known().is_none() {
                begun.extend(self.begun(text, shell));
                if !text.starts_with('/') && !self.reached.bounded {
                    doubt = Some(word.shown());
                }
            }
        }
        if shell.env.cwd.is_none() {
            doubt.get_or_insert_with(|| "its folder".to_owned());
        }
        let found = self.owned(&paths, &begun, doubt, how, found);
        let program = command.program().unwrap_or_default();
        let whole = UPROOTING.contains(&program);
        // What is moved goes; where it goes to stays.
        let kept = if program == "mv" { paths.len().saturating_sub(1) } else { paths.len() };
        let named = paths.into_iter().take(kept.max(1)).skip(usize::from(shell.env.cwd.is_some()));
        self.touched.extend(named.map(|path| Touched { path, whole }));
        found
    }

    /// What a change of one file on the agent's own machine means; which program it is says whether folders go with it.
    pub(super) fn on_disk(&mut self, program: Option<&Word>, path: &Word, found: Finding, shell: &Shell) -> Finding {
        self.acts_here = true;
        let start = path.beginning();
        let paths: Vec<String> = self.absolute(start, shell).into_iter().collect();
        let begun: Vec<String> = self.begun(start, shell).filter(|_| path.known().is_none()).into_iter().collect();
        let doubt = (paths.is_empty() || (path.known().is_none() && !start.starts_with('/'))).then(|| path.shown());
        let found = self.owned(&paths, &begun, doubt, &format!("writes {}", path.shown()), found);
        let whole = program.and_then(Word::known).is_some_and(|program| UPROOTING.contains(&program));
        self.touched.extend(paths.into_iter().map(|path| Touched { path, whole }));
        found
    }

    /// How each path begins that a word may turn out to be of which only the beginning is known, if that ends within a name.
    fn begun(&self, start: &str, shell: &Shell) -> Option<String> {
        let (folder, name) = start.rsplit_once('/').unwrap_or((".", start));
        let folder = if folder.is_empty() { "/" } else { folder };
        let folder = self.absolute(folder, shell).filter(|_| !name.is_empty())?;
        Some(format!("{}/{name}", folder.trim_end_matches('/')))
    }

    /// Whose disks these paths lie on, and those that begin like these; `doubt` is what leads nobody knows where.
    fn owned(
        &mut self,
        paths: &[String],
        begun: &[String],
        doubt: Option<String>,
        how: &str,
        found: Finding,
    ) -> Finding {
        let mut owners = Owners::default();
        let real: Vec<String> = paths.iter().map(|path| self.around.real_path(path)).collect();
        let disks = self.disks(&real);
        let any = disks.any(self.places);
        if !disks.none(self.places) {
            for path in paths.iter().map(|path| normal(path)).chain(real.iter().cloned()) {
                disks.add(&path, self.places, self.around, &mut owners);
            }
            begun.iter().for_each(|start| disks.add_begun(start, self.places, &mut owners));
        }
        owners.guests.retain(|vm| !self.places.is_unguarded(vm));
        for (folder, host) in &self.reached.mounts {
            let at = |path: &String| {
                folder.as_deref().is_some_and(|folder| is_inside(path, folder) || is_inside(folder, path))
            };
            if !paths.iter().chain(&real).any(at) {
                continue;
            }
            match Place::default().at(host).changed(self.places) {
                Changed::Nothing(_) => {}
                Changed::Guests(guests) => owners.guests.extend(guests),
                Changed::Unknown(guests, why) => {
                    owners.guests.extend(guests);
                    owners.doubt = Some(why);
                }
            }
        }
        let mut found = found;
        if let Some(why) = owners.doubt {
            let doubt = Finding { open: true, ..Finding::new(Verdict::Unknown, why, vec![]) };
            found = found.and(doubt);
        }
        match (owners.guests.is_empty(), doubt.filter(|_| any)) {
            (false, _) => {
                let mut guests: Vec<String> = Vec::new();
                for vm in owners.guests {
                    if !guests.contains(&vm) {
                        guests.push(vm);
                    }
                }
                let why = format!("it {how} on a disk of {}", guests.join(", "));
                found.and(Finding::new(Verdict::Mutating, why, guests))
            }
            (true, Some(word)) => {
                let why = format!("where `{word}` leads can't be told, with guests' disks mounted here");
                found.and(Finding::new(Verdict::Unknown, why, vec![]))
            }
            (true, None) => found,
        }
    }

    /// Whether a folder of this machine may be a guest's disk.
    pub(super) fn has_disks(&self) -> bool {
        let any = |disks: &Disks| disks.any(self.places);
        let looked = || Disks::of(self.places, self.around);
        !self.reached.mounts.is_empty()
            || self.reached.disks.as_ref().map_or_else(|| any(&looked()), |disks| any(disks))
    }

    /// What is mounted on this machine.
    pub(super) fn disks(&mut self, paths: &[String]) -> Rc<Disks> {
        let known = self.reached.disks.take().filter(|disks| !paths.iter().any(|path| disks.is_automatic(path)));
        let disks = known.unwrap_or_else(|| Rc::new(Disks::of(self.places, self.around)));
        self.reached.disks = Some(disks.clone());
        disks
    }

    /// Ports that lead to other machines from now on.
    pub(super) fn forwards(&mut self, hosts: Vec<Host>, why: &str, shell: &Shell) -> Finding {
        let mut found: Option<Finding> = None;
        for host in hosts {
            let one = match Place::default().at(&host).changed(self.places) {
                // What a person has left out may be changed in any way.
                Changed::Nothing(left_out) => Finding::reads(left_out),
                Changed::Guests(guests) => Finding { open: true, ..Finding::new(Verdict::Unknown, why, guests) },
                Changed::Unknown(guests, _) => Finding { open: true, ..Finding::new(Verdict::Unknown, why, guests) },
            };
            self.reached.opens(&shell.place, host);
            found = Some(match found {
                None => one,
                Some(found) => found.and(one),
            });
        }
        found.unwrap_or_else(|| Finding { open: true, ..Finding::new(Verdict::Unknown, why, vec![]) })
    }

    /// What is not known of loopback at a place, where ports of it lead elsewhere.
    pub(super) fn through_tunnels(&self, host: &Host, place: &Place) -> Option<Finding> {
        if *host != Host::Same {
            return None;
        }
        let mut guests: Vec<String> = Vec::new();
        let mut any = false;
        for (_, host) in self.reached.tunnels.iter().filter(|(at, _)| at == place) {
            any = true;
            match Place::default().at(host).changed(self.places) {
                Changed::Nothing(_) => {}
                Changed::Guests(more) | Changed::Unknown(more, _) => guests.extend(more),
            }
        }
        any.then(|| {
            let why = "a port of loopback leads to another machine, through a tunnel of the same text";
            Finding { open: true, ..Finding::new(Verdict::Unknown, why, guests) }
        })
    }
}

/// Folders that a container is shown (`-v /x:/y`, `--mount type=bind,source=/x,target=/y`), unless it may only read them.
fn shown_to_containers(text: &str) -> impl Iterator<Item = &str> {
    let value = text.strip_prefix("-v").or_else(|| Some(text.split_once('=')?.1)).unwrap_or(text);
    let short = value.split_once(':').filter(|(folder, rest)| {
        let reads = rest.split([':', ',']).skip(1).any(|mode| mode == "ro");
        folder.starts_with('/') && rest.starts_with('/') && !reads
    });
    let listed = text.contains(',') && !text.split(',').any(|part| matches!(part, "ro" | "readonly"));
    let source = |part: &&str| ["source=/", "src=/"].iter().any(|start| part.starts_with(start));
    let sources = text.split(',').filter(move |part| listed && source(part)).filter_map(|part| part.split_once('='));
    short.map(|(folder, _)| folder).into_iter().chain(sources.map(|(_, folder)| folder))
}
