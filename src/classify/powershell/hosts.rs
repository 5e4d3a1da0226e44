//! Which machines the parameters of a cmdlet name.

use super::arguments::Item;
use super::commands::Met;
use super::follow::Follow;
use super::value::{Value, add, named, unnamed};
use crate::classify::effect::Host;
use crate::classify::programs::host;

/// Cmdlets that take a machine's name without a parameter in front of it: at which place, and what parameters they have
/// besides.
const PLACES: &[(&str, usize, &str)] = &[
    ("clear-eventlog", 1, "LogName,LN ComputerName,Cn"),
    ("remove-eventlog", 1, "LogName,LN ComputerName,Cn Source"),
    (
        "new-eventlog",
        2,
        "LogName,LN Source ComputerName,Cn CategoryResourceFile MessageResourceFile ParameterResourceFile",
    ),
    ("invoke-gpupdate", 0, "Computer RandomDelayInMinutes Target Boot! Force! LogOff! AsJob!"),
    ("disconnect-rduser", 0, "HostServer UnifiedSessionID Force!"),
    ("invoke-rduserlogoff", 0, "HostServer UnifiedSessionID Force!"),
    ("send-rdusermessage", 0, "HostServer UnifiedSessionID MessageTitle MessageBody"),
    ("test-cluster", 0, "Node ReportName InputObject Cluster Disk Pool Ignore Include List! Force!"),
    ("start-cluster", 0, "Name InputObject IgnorePersistentState!"),
    ("stop-cluster", 0, "Cluster InputObject Force! Wait"),
    ("remove-cluster", 0, "Cluster InputObject Force! CleanupAD!"),
    ("add-rdserver", 0, "Server Role ConnectionBroker GatewayExternalFqdn CreateVirtualSwitch!"),
    ("remove-rdserver", 0, "Server Role ConnectionBroker Force!"),
];

/// The same with the machine's name behind a parameter.
pub(super) fn with_host<'m>(name: &str, met: Met<'m>) -> Met<'m> {
    let Some((_, place, parameters)) = PLACES.iter().find(|(known, ..)| *known == name) else { return met };
    let mut met = met;
    let bound = met.given.bind(parameters);
    if let Some(host) = bound.positional.get(*place) {
        met.given.items.push(Item::Named("ComputerName".into(), Some(host.clone())));
    }
    if let Some(host) = bound.get("name").or(bound.get("server")).filter(|_| name == "start-cluster") {
        met.given.items.push(Item::Named("ComputerName".into(), Some(host.clone())));
    }
    // A name that stands elsewhere is not seen.
    met.given.unsure |= bound.fault.is_some();
    met
}

/// The machine of an instance of SQL Server: `machine\\instance`, `tcp:machine,port`.
fn machine_of(instance: &str) -> &str {
    let rest = instance.split_once(':').map_or(instance, |(_, rest)| rest);
    rest.split(['\\', ',']).next().unwrap_or(rest)
}

impl Follow<'_> {
    /// The machines that a cmdlet's own parameters name; none: this one.
    pub(super) fn named_machines(&self, met: &Met) -> Option<Vec<Host>> {
        // `-Server` of a domain, `-Cluster` of a cluster.
        const NAMES: &[(&str, usize)] = &[
            ("computername", 2),
            ("cn", 2),
            ("machinename", 3),
            ("cimsession", 2),
            ("session", 3),
            ("server", 4),
            ("cluster", 3),
            ("serverinstance", 7),
            ("sqlinstance", 4),
            ("dnsserver", 4),
            ("dhcpserver", 3),
            ("hostname", 5),
            ("hostserver", 5),
            // What CIM calls it as well, and what nearly every cmdlet of a workflow has.
            ("servername", 7),
            ("pscomputername", 4),
            ("__server", 8),
            ("ipaddress", 9),
            ("node", 4),
            ("pssession", 3),
            ("connectionbroker", 5),
            ("collectorname", 6),
            ("tosession", 3),
            ("targetcomputer", 6),
            ("remotecomputer", 7),
        ];
        let mut hosts = Vec::new();
        let mut any = false;
        for (name, least) in NAMES {
            let of_sql = matches!(*name, "serverinstance" | "sqlinstance");
            for value in met.given.named(name, *least) {
                any = true;
                let instance = value.known().filter(|_| of_sql).map(|text| Value::text(machine_of(text)));
                instance.as_ref().unwrap_or(value).hosts().into_iter().for_each(|host| add(&mut hosts, host));
            }
        }
        for (name, least) in [("connectionuri", 3), ("curi", 4), ("cu", 2)] {
            for one in met.given.named(name, least).flat_map(Value::each) {
                any = true;
                let word = one.word();
                let place = ["http", "https", "HTTP", "HTTPS"].iter().find_map(|scheme| host::url(&word, scheme));
                add(&mut hosts, place.map_or_else(unnamed, |(place, _)| named(&place.host)));
            }
        }
        any.then_some(hosts)
    }
}
