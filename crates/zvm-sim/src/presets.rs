//! Worlds that are ready-made.

use crate::builder::SimBuilder;
use crate::world::{Site, VmSpec, VpgSpec};

impl SimBuilder {
    /// A vSphere site `nyc`, paired with `bos` (vSphere) and `azure-east`, and a VM for each case:
    ///
    /// | VM | VPGs | what for |
    /// |---|---|---|
    /// | web01 | `web01-local` (here), `web01-dr` (to bos) | two taggable VPGs |
    /// | db01 | `db01-dr` (to bos) | one |
    /// | scratch01 | none | unprotected: not in `GET /v1/vms` |
    /// | sync01 | `sync01-dr`, NotMeetingSLA and DeltaSync | its VPG takes no checkpoint |
    /// | app01, twice | `app01-a-dr`, `app01-b-dr` | two VMs of one name |
    /// | azvm01 | `azvm01-home`, from azure-east to here | protected at an Azure site |
    /// | remote01 | `remote01-dr`, from bos to here | seen from its recovery side |
    pub fn demo_world(self) -> Self {
        let dr = |name: &str| VpgSpec::remote(name, "bos");
        let mut sim = self
            .site(Site::vcenter("nyc"))
            .peer(Site::vcenter("bos"))
            .peer(Site::azure("azure-east"));
        for vm in [
            VmSpec::new("web01")
                .ip("10.20.0.11")
                .vpg(VpgSpec::local("web01-local"))
                .vpg(dr("web01-dr")),
            VmSpec::new("db01").ip("10.20.0.12").vpg(dr("db01-dr")),
            VmSpec::new("scratch01").ip("10.20.0.13"),
            VmSpec::new("sync01")
                .ip("10.20.0.14")
                .vpg(dr("sync01-dr").status(2, 6)),
            VmSpec::new("app01").ip("10.20.0.15").vpg(dr("app01-a-dr")),
            VmSpec::new("app01").ip("10.20.0.16").vpg(dr("app01-b-dr")),
            VmSpec::new("azvm01")
                .ip("10.30.0.11")
                .vpg(VpgSpec::recovered_here("azvm01-home", "azure-east")),
            VmSpec::new("remote01")
                .ip("10.40.0.11")
                .vpg(VpgSpec::recovered_here("remote01-dr", "bos")),
        ] {
            sim = sim.vm(vm);
        }
        sim
    }

    /// A ZVM in Azure, `azure-east`, that protects `azvm02` (to nyc): inserts there fail, whatever the VPG's state.
    pub fn azure_world(self) -> Self {
        self.site(Site::azure("azure-east"))
            .peer(Site::vcenter("nyc"))
            .vm(VmSpec::new("azvm02")
                .ip("10.30.0.12")
                .vpg(VpgSpec::remote("azvm02-home", "nyc")))
    }
}
