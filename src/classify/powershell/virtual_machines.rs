//! Cmdlets of hypervisors and clouds: which virtual machine they are about.

use super::commands::Met;
use super::follow::Follow;
use super::value::{Value, add};
use crate::classify::effect::{Effect, Host};

impl Follow<'_> {
    /// The virtual machines that a cmdlet names.
    pub(super) fn machines(&self, met: &Met, noun: &str) -> Vec<Host> {
        let mut hosts = Vec::new();
        let whole = matches!(noun, "vm" | "vmguest" | "azvm");
        for name in ["vmname", "vm", "entity", "name"] {
            // The name of a part is no machine's.
            if !hosts.is_empty() || (name == "name" && !whole) {
                continue;
            }
            for value in met.given.named(name, name.len().min(3)) {
                value.hosts().into_iter().for_each(|host| add(&mut hosts, host));
            }
        }
        if hosts.is_empty() {
            // What stands first is the machine, or the object of one; of its parts that is true of some.
            let first = met.given.bind(PARAMETERS).positional.first().cloned();
            let first =
                first.filter(|_| whole || (noun.starts_with("vm") && !matches!(noun, "vmsnapshot" | "vmcheckpoint")));
            if let Some(first) = first {
                hosts = first.hosts();
            } else if let Some(Value::Object(_, vms)) = &met.input {
                hosts.clone_from(vms);
            } else if let (Some(input @ Value::Text(_)), "vm") = (&met.input, noun) {
                hosts = input.hosts();
            }
        }
        // A pattern names any number of them.
        hosts
    }

    /// A change of a virtual machine.
    pub(super) fn changes_machine(&self, name: &str, met: &Met) -> Effect {
        let noun = name.split_once('-').map_or(name, |(_, noun)| noun);
        let hosts = self.machines(met, noun);
        let named = !hosts.is_empty() && hosts.iter().all(|host| matches!(host, Host::Named { .. }));
        if named && self.facts.own && !met.given.unsure {
            return Effect::ChangesAt {
                hosts,
                how: format!("is changed by `{name}`").replace("is changed by", "runs"),
            };
        }
        let why = if self.facts.own {
            format!("which virtual machine `{name}` changes is not named")
        } else {
            format!("`{name}` changes a virtual machine that this machine holds")
        };
        Effect::Unknown(why)
    }
}

/// Parameters of cmdlets about virtual machines; the switches have to be known to tell what stands first.
const PARAMETERS: &str = "VMName,Name VM,Entity ComputerName CimSession Credential Server ResourceGroupName Force! PassThru! AsJob! TurnOff! Save! \
    Kill! RunAsync! Wait! NoWait! StayProvisioned! DeletePermanently! Snapshot Memory Quiesce! Id ForceDeletion! SnapshotName SnapshotFilePath For \
    MemoryGB MemoryMB NumCpu CoresPerSocket Notes Location Destination Datastore Path GuestUser GuestPassword GuestCredential \
    HostUser HostPassword ScriptText ScriptType ScriptPath CommandId Parameter ScriptString FileSource SourcePath DestinationPath Source \
    LocalToGuest! GuestToLocal! CreateFullPath! MemoryStartupBytes ProcessorCount NewName SwitchName Type Count StartupMemoryBytes";
