//! Local changes that may be changes of a guest after all: its disk may be a folder here (`[mounts]`).

use super::finding::Finding;
use super::{Shell, Walk};
use crate::classify::effect::Command;
use crate::classify::{Touched, UPROOTING, Verdict};
use crate::path::normal;

impl Walk<'_> {
    /// What a change of files on the agent's own machine means, with guests' disks mounted in its folders; notes what may be
    /// changed, too.
    pub(super) fn on_disks(&mut self, command: &Command, how: &str, found: Finding, shell: &Shell) -> Finding {
        self.acts_here = true;
        let mut doubt = None;
        let mut targets: Vec<String> = Vec::new();
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
            if word.known().is_none() && !text.starts_with('/') {
                doubt = Some(word.shown());
            }
        }
        if !self.places.mounts.is_empty() {
            for path in &paths {
                for path in [normal(path), self.around.real_path(path)] {
                    let there = self.places.guest_of_path(&path, self.around).into_iter();
                    for vm in there.chain(self.places.guests_below(&path)) {
                        if !targets.iter().any(|known| known == vm) && !self.places.is_unguarded(vm) {
                            targets.push(vm.to_owned());
                        }
                    }
                }
            }
            if shell.env.cwd.is_none() {
                doubt.get_or_insert_with(|| "its folder".to_owned());
            }
        }
        let program = command.program().unwrap_or_default();
        let whole = UPROOTING.contains(&program);
        // What is moved goes; where it goes to stays.
        let kept = if program == "mv" { paths.len().saturating_sub(1) } else { paths.len() };
        let named = paths.into_iter().take(kept.max(1)).skip(usize::from(shell.env.cwd.is_some()));
        self.touched.extend(named.map(|path| Touched { path, whole }));
        if self.places.mounts.is_empty() {
            return found;
        }
        match (targets.is_empty(), doubt) {
            (false, _) => {
                let why = format!("it {how} on a disk of {}", targets.join(", "));
                found.and(Finding::new(Verdict::Mutating, why, targets))
            }
            (true, Some(word)) => {
                let why = format!("where `{word}` leads can't be told, with [mounts] set");
                found.and(Finding::new(Verdict::Unknown, why, vec![]))
            }
            (true, None) => found,
        }
    }
}
