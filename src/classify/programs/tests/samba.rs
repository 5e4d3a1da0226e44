//! Tests of the clients of Windows' own protocols.

use super::super::testing::check;
use super::*;
use crate::classify::programs::samba_rpc::{rpcclient, winexe};

#[test]
fn shares() {
    check(
        smbclient,
        &[
            ("smbclient -L web01 -N", "reads"),
            ("smbclient -L //web01 -U jo", "reads"),
            ("smbclient //web01/c -c 'ls; cd x; du'", "reads"),
            ("smbclient //web01/c -U jo%pw -c 'get x'", "changes"),
            ("smbclient //web01/c -c 'cd x; put y'", "changes at web01"),
            ("smbclient -c 'prompt OFF; recurse ON; mput *' //web01/c", "changes at web01"),
            ("smbclient '\\\\web01\\c' -c 'del x'", "changes at web01"),
            ("smbclient //web01/c -c '!rm x'", "sh {rm x} <nothing"),
            ("smbclient //web01/c -c 'frob'", "unknown at web01"),
            ("smbclient //web01/c -c …", "unknown at web01"),
            ("smbclient //web01/c <<< put x", "changes at web01"),
            ("smbclient //web01/c", "reads"),
            ("smbclient //x/c -I 10.0.0.5 -c 'rm y'", "changes at 10.0.0.5"),
            ("smbclient //web01/c -Tc x.tar", "changes"),
            ("smbclient //web01/c -Tx x.tar", "changes at web01"),
            ("smbclient -M web01 <<< hi", "unknown at web01"),
            ("smbclient //…/c -c 'put x'", "changes at ?"),
            ("smbclient --option='client min protocol=NT1' //web01/c -c ls", "unknown"),
            ("smbclient -Z //web01/c", "unknown"),
        ],
    );
}

#[test]
fn rpc_calls() {
    check(
        net,
        &[
            ("net rpc info -S web01 -U jo", "reads"),
            ("net rpc user -S web01", "reads"),
            ("net rpc group list -S web01", "reads"),
            ("net rpc service status spooler -S web01", "reads"),
            ("net rpc user add x -S web01", "changes at web01"),
            ("net rpc service stop spooler -I 10.0.0.5", "changes at 10.0.0.5"),
            ("net rpc shutdown -S web01", "changes at web01"),
            ("net rpc registry setvalue x y -S web01", "changes at web01"),
            ("net rpc user delete x", "unknown"),
            ("net ads info", "reads"),
            ("net ads join -U x", "unknown"),
            ("net cache flush", "changes"),
            ("net time", "reads"),
            ("net time set -S web01", "changes at web01"),
            ("net …", "unknown"),
        ],
    );
    check(
        rpcclient,
        &[
            ("rpcclient -U jo web01 -c 'enumdomusers; queryuser 500'", "reads"),
            ("rpcclient web01 -c srvinfo", "reads"),
            ("rpcclient web01 -c 'setuserinfo2 x 23 pw'", "changes at web01"),
            ("rpcclient web01 -c 'enumdomusers; deletedomuser x'", "changes at web01"),
            ("rpcclient web01 -c frob", "unknown at web01"),
            ("rpcclient web01 <<< createdomuser x", "changes at web01"),
            ("rpcclient web01", "reads"),
            ("rpcclient -c enumdomusers", "unknown"),
        ],
    );
    check(
        winexe,
        &[
            ("winexe -U jo //web01 'cmd /c dir'", "cmd {cmd /c dir} at web01 <nothing"),
            ("winexe //web01 net stop x", "cmd {net stop x} at web01 <nothing"),
            ("winexe //web01", "cmd stdin at web01"),
            ("winexe", "unknown"),
        ],
    );
}
