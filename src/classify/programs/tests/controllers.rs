//! Tests of machines' own controllers.

use super::super::testing::{check, check_unknown};
use super::*;

#[test]
fn controllers() {
    check(
        ipmitool,
        &[
            ("ipmitool -I lanplus -H bmc01 -U x power status", "table"),
            ("ipmitool -H bmc01 sdr list", "table"),
            ("ipmitool -I lanplus -H bmc01 -U x -P y power cycle", "unknown at bmc01"),
            ("ipmitool -H bmc01 chassis power off", "unknown at bmc01"),
            ("ipmitool -Hbmc01 chassis bootdev pxe", "unknown at bmc01"),
            ("ipmitool -H bmc01 mc reset cold", "unknown at bmc01"),
            ("ipmitool -H bmc01 sel clear", "unknown at bmc01"),
            ("ipmitool -H bmc01 raw 0x06 0x01", "unknown at bmc01"),
            ("ipmitool -H bmc01 user set password 2 x", "unknown at bmc01"),
            ("ipmitool -H bmc01 sol activate", "unknown at bmc01"),
            ("ipmitool power cycle", "changes"),
            ("ipmitool exec x", "table"),
            ("ipmitool -Q power off", "unknown"),
            ("ipmitool -H … power off", "unknown at ?"),
        ],
    );
    check(
        racadm,
        &[
            ("racadm -r bmc01 -u x -p y getsysinfo", "table"),
            ("racadm -r bmc01 get BIOS", "table"),
            ("racadm -r bmc01 serveraction powercycle", "unknown at bmc01"),
            ("racadm set x y", "changes"),
            ("racadm -r bmc01 jobqueue view", "reads"),
            ("racadm -r bmc01 jobqueue delete", "unknown at bmc01"),
        ],
    );
    check(
        redfishtool,
        &[
            ("redfishtool -r bmc01 -u x -p y Systems", "reads"),
            ("redfishtool -r bmc01 Systems -F get", "reads"),
            ("redfishtool -r bmc01 Systems -F reset ForceOff", "unknown at bmc01"),
            ("redfishtool -r bmc01 raw GET /redfish/v1", "reads"),
            ("redfishtool -r bmc01 raw POST /redfish/v1", "unknown at bmc01"),
            ("redfishtool -r bmc01:8443 Managers reset x", "unknown at bmc01"),
            ("redfishtool -r bmc01 Systems …", "unknown at bmc01"),
        ],
    );
    check(
        ilorest,
        &[
            ("ilorest get Name --select Bios --url bmc01", "reads"),
            ("ilorest list -f x", "changes"),
            ("ilorest set x=y --url bmc01 --commit", "unknown at bmc01"),
            ("ilorest --url=https://bmc01 reboot", "unknown at bmc01"),
            ("ilorest reboot", "unknown"),
        ],
    );
}

#[test]
fn on_a_screen() {
    check(
        screens,
        &[
            ("xfreerdp /v:web01:3389 /u:jo", "unknown at web01"),
            ("rdesktop -u jo web01", "unknown at web01"),
            ("remmina rdp://jo@web01", "unknown at web01"),
            ("xfreerdp /version", "reads"),
        ],
    );
    check(
        vncdo,
        &[
            ("vncdo -s web01::5901 capture x.png", "writes x.png"),
            ("vncdo -s web01 rcapture x.png 0 0 1 1 pause 1", "writes x.png"),
            ("vncdo -s web01 type x", "unknown at web01"),
            ("vncdo -s web01 capture x key enter", "writes x; unknown at web01"),
            ("vncdo -s web01 expect x 0", "reads"),
        ],
    );
    check_unknown(vncdo, &["vncdo -Z x"]);
}
