//! What a test asks of file restore, clones, failover tests and a second site.

use std::time::Duration;

use crate::builder::SimBuilder;
use crate::content::Content;
use crate::dates::millis;
use crate::flr::{Colleague, FlrSession, MountOutcome, UnmountOutcome};
use crate::guest::{Guest, Since};
use crate::recovery::{Created, Wanted};
use crate::sim::Sim;
use crate::tasks::InsertOutcome;
use crate::world::Vm;

/// Files and the past.
impl Sim {
    /// Puts a file into the guests of that name, now: checkpoints that stand keep what they have. The path is one of the
    /// FLR name space: `partition#1 Ext4/etc/app.yaml`.
    pub fn put_file(&self, vm: &str, path: &str, content: impl Into<Content>) {
        self.with_state(|s| s.put_file(vm, path, content));
    }

    /// Takes a file, or a folder and what it holds, out of the guests of that name, now.
    pub fn remove_file(&self, vm: &str, path: &str) {
        self.with_state(|s| s.remove_file(vm, path));
    }

    /// Gives the VMs of that name other files altogether, at every checkpoint. `false`: there is no such VM.
    pub fn set_guest(&self, vm: &str, guest: &Guest) -> bool {
        self.with_state(|s| {
            let vms = s.vms.iter_mut().filter(|v| v.name == vm);
            vms.map(|v| v.guest = guest.clone()).count() > 0
        })
    }

    /// Adds a tagged checkpoint of the past to a VPG's journal; its id, which is higher than those before it all the
    /// same. Files by [`Since::Checkpoint`] don't go well with it.
    pub fn tag_of_the_past(&self, vpg: &str, tag: &str, ago: Duration) -> Option<String> {
        self.with_state(|s| {
            let time = s.now_ms().saturating_sub(millis(ago));
            let vpg = s.vpg_mut(vpg)?;
            vpg.push(time, Some(tag.to_owned()), None);
            let id = vpg.journal.last().map(|c| c.id.clone());
            vpg.journal.sort_by_key(|c| c.time_ms);
            id
        })
    }

    /// Adds a checkpoint without a tag to a VPG's journal, at once and not when it is its time; its id. It has what
    /// [`put_file`](Self::put_file) has put until now.
    pub fn automatic_checkpoint(&self, vpg: &str) -> Option<String> {
        self.with_state(|s| {
            // What was put holds from the millisecond after.
            let time = s.now_ms().saturating_add(1);
            let vpg = s.vpg_mut(vpg)?;
            vpg.push(time, None, None);
            vpg.journal.last().map(|c| c.id.clone())
        })
    }

    /// The checkpoint of that tag in a VPG's journal; the newest, if there are several.
    #[must_use]
    pub fn checkpoint(&self, vpg: &str, tag: &str) -> Option<String> {
        self.journal(vpg).into_iter().rev().find(|c| c.tag.as_deref() == Some(tag)).map(|c| c.id)
    }

    /// From now on, for files: see [`Guest::file_since`].
    #[must_use]
    pub fn since_now(&self) -> Since {
        Since::Ms(self.with_state(|s| s.now_ms()))
    }
}

/// File restore.
impl Sim {
    /// All FLR sessions that are listed, oldest first.
    #[must_use]
    pub fn sessions(&self) -> Vec<FlrSession> {
        self.with_state(|s| s.flr_sessions.clone())
    }

    /// Those that hold a mount.
    #[must_use]
    pub fn live_sessions(&self) -> Vec<FlrSession> {
        self.with_state(|s| s.flr_sessions.iter().filter(|session| s.is_live(session)).cloned().collect())
    }

    /// Mounts as another operator would, whatever speaks against it; the session's identifier. The newest checkpoint, if
    /// none is named. `None`: there is no such VM or VPG.
    pub fn mount_elsewhere(&self, vm: &str, vpg: &str, checkpoint: Option<&str>) -> Option<String> {
        self.with_state(|s| {
            let vm = s.vms.iter().find(|v: &&Vm| v.name == vm)?.identifier.clone();
            let group = s.vpg(vpg)?;
            let newest = || group.journal.iter().max_by_key(|c| c.time_ms).map(|c| c.id.clone());
            let checkpoint = checkpoint.map(str::to_owned).or_else(newest)?;
            let vpg = group.identifier.clone();
            Some(s.open(&vm, &vpg, &checkpoint, "someone-else", MountOutcome::Completed))
        })
    }

    /// With the next mount, a colleague mounts the same VM of the same VPG in the same moment.
    pub fn with_next_mount(&self, colleague: Colleague) {
        self.with_state(|s| s.flr.colleagues.push_back(colleague));
    }

    /// How the next so many mounts end.
    pub fn next_mounts(&self, count: usize, outcome: &MountOutcome) {
        self.with_state(|s| s.flr.next_mounts.extend(std::iter::repeat_n(outcome.clone(), count)));
    }

    /// How the next so many unmounts end.
    pub fn next_unmounts(&self, count: usize, outcome: &UnmountOutcome) {
        self.with_state(|s| s.flr.next_unmounts.extend(std::iter::repeat_n(outcome.clone(), count)));
    }

    /// Refuses to mount one checkpoint of a VPG, for that reason; its `CanMount` says so too. `false`: no such VPG.
    pub fn refuse_mount_of(&self, vpg: &str, checkpoint: &str, reason: &str) -> bool {
        self.with_state(|s| {
            let id = s.vpg(vpg).map(|v| v.identifier.clone());
            let refused = id.map(|id| s.flr.unmountable.push((id, checkpoint.to_owned(), reason.to_owned())));
            refused.is_some()
        })
    }
}

/// Clones, tests, and the other site.
impl Sim {
    /// How the next so many clones, tests and ends of tests go.
    pub fn next_recoveries(&self, count: usize, outcome: &InsertOutcome) {
        self.with_state(|s| s.recoveries.extend(std::iter::repeat_n(outcome.clone(), count)));
    }

    /// Clones a VPG as it is now, as another operator would; the task. `None`: it is refused.
    pub fn clone_elsewhere(&self, vpg: &str) -> Option<String> {
        self.with_state(|s| {
            let vpg = s.vpg(vpg)?.identifier.clone();
            let wanted = Wanted { vpg, checkpoint: None, datastore: None, vms: vec![] };
            s.recover(&wanted, false, "someone-else").ok()
        })
    }

    /// What clones and tests have made and is still there.
    #[must_use]
    pub fn created(&self) -> Vec<Created> {
        self.with_state(|s| s.created.clone())
    }

    /// Begins or ends an extended journal copy. `false`: there is no such VPG.
    pub fn set_journal_copy(&self, vpg: &str, runs: bool) -> bool {
        self.with_state(|s| s.vpg_mut(vpg).map(|v| v.journal_copy = runs).is_some())
    }

    /// Describes the ZVM of a peer, named as its site is: it recovers the VPGs that this one protects and that recover
    /// there, and sees their checkpoints and files as they come. `None`: there is no such peer.
    #[must_use]
    pub fn peer_zvm(&self, site: &str) -> Option<SimBuilder> {
        let peer = self.with_state(|s| s.peers.iter().find(|p| p.name == site).cloned())?;
        Some(Self::builder().name(site).recovers(&self.shared, peer))
    }
}
