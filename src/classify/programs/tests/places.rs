//! How `chroot`, `systemd-run` and their like are judged.

use super::super::testing::{check, check_unknown};
use super::*;

#[test]
fn other_roots_and_namespaces() {
    check(
        chroot,
        &[
            ("chroot /mnt rm x", "[rm|x] inside; writes /mnt"),
            ("chroot / rm x", "[rm|x] inside"),
            ("chroot --userspec=a:b /mnt sh -c 'rm x' <<< y", "[sh|-c|rm x] inside <<< y; writes /mnt"),
            ("chroot /mnt <<< reboot", "stdin inside <<< reboot; writes /mnt"),
            ("chroot --help", "reads"),
        ],
    );
    check(
        unshare,
        &[
            ("unshare -rn rm x", "[rm|x]"),
            ("unshare -r --mount --fork rm x", "[rm|x]"),
            ("unshare --root=/mnt rm x", "[rm|x] inside; writes /mnt"),
            ("unshare -n", "stdin"),
            ("unshare --net=/run/x ls", "[ls]; changes"),
        ],
    );
    check(
        nsenter,
        &[
            ("nsenter -t 1 -m -u -i -n -p rm x", "[rm|x]"),
            ("nsenter --target 123 --all rm x", "[rm|x] inside"),
            ("nsenter -t 1 -m --root=/x rm x", "[rm|x] inside"),
            ("nsenter -t 123 -n <<< rm", "stdin inside <<< rm"),
        ],
    );
    check(proot, &[("proot -r /x -b /y rm x", "[rm|x] inside; writes /x")]);
    check_unknown(proot, &["proot -q rm ls"]);
    check_unknown(chroot, &["chroot $* ls", "chroot -x / ls"]);
}

#[test]
fn units_and_containers() {
    check(
        systemd_run,
        &[
            ("systemd-run rm x", "[rm|x] in / <nothing"),
            ("systemd-run --user --scope -p MemoryMax=1G rm x <<< y", "[rm|x] <<< y"),
            ("systemd-run --on-active=5m -E A=b rm x", "sets A=b; [rm|x] in / <nothing"),
            ("systemd-run -H u@web01:22 reboot", "[reboot] at web01 <nothing"),
            ("systemd-run -M box rm x", "[rm|x] inside <nothing"),
            ("systemd-run -S <<< rm", "stdin in / <<< rm"),
            ("systemd-run -d --wait --pipe cat <<< y", "[cat] <<< y"),
        ],
    );
    check_unknown(
        systemd_run,
        &["systemd-run -p ExecStartPre=rm ls", "systemd-run --property=… ls", "systemd-run --unit x", "systemd-run"],
    );
    check(
        machinectl,
        &[
            ("machinectl shell root@box /bin/rm x", "[/bin/rm|x] inside"),
            ("machinectl -q shell --uid=u box <<< rm", "stdin inside <<< rm"),
            ("machinectl list", "table"),
            ("machinectl -H root@web01 poweroff box", "[machinectl|poweroff|box] at web01"),
            ("machinectl --host=web01 shell box /bin/rm x", "[machinectl|shell|box|/bin/rm|x] at web01"),
        ],
    );
}

#[test]
fn a_lock_and_a_command() {
    check(
        flock,
        &[
            ("flock /run/x rm y", "writes /run/x; [rm|y]"),
            ("flock -n -w 5 /run/x -c 'rm y'", "writes /run/x; sh {rm y}"),
            ("flock -xn 9", "reads"),
            ("flock /dev/null ls -c", "[ls|-c]"),
        ],
    );
    check_unknown(flock, &["flock $* ls", "flock x -c", "flock x -c a b", "flock -c 'rm' x"]);
}
