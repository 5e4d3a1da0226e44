//! The rows of VMs that a ZVM lists, by one way to understand a target.
//!
//! Must not: choose among them.

use super::appliance::Appliance;
use super::target::{Query, Step, address};
use crate::text::inside;
use crate::zvm::error::{ZvmError, ZvmErrorKind};
use crate::zvm::model::ProtectedVm;

pub(crate) fn rows(appliance: &dyn Appliance, query: &Query) -> Result<Vec<ProtectedVm>, ZvmError> {
    let rows = match query {
        Query::Identified(identifier) => appliance.vms_identified(identifier)?,
        Query::Named(name) => appliance.vms_named(name)?,
        Query::Inventory => appliance.all_vms()?,
    };
    // Without a VM's identifier two VMs cannot be told apart, without a VPG's nothing can be tagged.
    if let Some(row) = rows.iter().find(|row| row.identifier.is_empty() || row.vpg_identifier.is_empty()) {
        return Err(ZvmError {
            kind: ZvmErrorKind::Nonsense,
            message: format!(
                "ZVM {} lists VM \"{}\" without the identifier of the VM or of its VPG.",
                appliance.name(),
                inside(&row.name, 100)
            ),
            hint: String::new(),
            wait: None,
        });
    }
    Ok(rows)
}

/// The ZVM filters too; whether its filter takes the whole name is not documented.
pub(crate) fn fits(step: &Step, vm: &ProtectedVm) -> bool {
    match step {
        Step::Identifier(identifier) => vm.identifier.eq_ignore_ascii_case(identifier),
        Step::Name(name) => vm.name.to_lowercase() == name.to_lowercase(),
        Step::Address(wanted) => vm.addresses.iter().any(|known| address(known) == Some(*wanted)),
    }
}
