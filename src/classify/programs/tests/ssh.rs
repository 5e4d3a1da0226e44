use super::*;
use crate::classify::programs::remote_cases::{check, judged};

#[test]
fn the_machine_and_what_runs_there() {
    check(
        judge,
        &[
            ("ssh web01 uptime", "web01[uptime]"),
            ("ssh root@web01 'sudo systemctl restart nginx'", "web01[sudo systemctl restart nginx]"),
            ("ssh -l root web01 ls -l /", "web01[ls -l /]"),
            ("ssh web01 -p 2222 uptime -p 33", "web01[uptime -p 33]"),
            ("ssh web01 -l root -- uptime", "web01[uptime]"),
            ("ssh -- web01 uptime", "web01[uptime]"),
            ("ssh -- web01 -p 3", "web01[-p 3]"),
            ("ssh -- web01 …", "web01[…]"),
            ("ssh -vvp22 -tt web01 id", "web01[id]"),
            ("ssh -tto Port=22 web01 id", "web01[id]"),
            ("ssh ssh://root@web01:2222 id", "web01[id]"),
            ("ssh ssh://root@[fe80::1]:22 id", "fe80::1[id]"),
            ("ssh root@fe80::1 id", "fe80::1[id]"),
            ("ssh -J bastion web01 id", "web01[id]"),
            ("ssh -oProxyJump=a,b web01 id", "web01[id]"),
            ("ssh -o HostName=prod test id", "test=prod[id]"),
            ("ssh -o hostname=%h.corp web01 id", "web01=web01.corp[id]"),
            ("ssh -o HostName=a -o HostName=b test id", "test=a[id]"),
            ("ssh a ssh b reboot", "a[ssh b reboot]"),
            ("ssh web01 cat '…'", "web01[cat …]"),
            ("ssh web01 '' <<< reboot", "web01[stdin] <<<reboot"),
            ("ssh -i ~/.ssh/k -F none web01 id", "web01[id]"),
        ],
    );
}

#[test]
fn what_comes_on_stdin() {
    check(
        judge,
        &[
            ("ssh web01", "web01[stdin]"),
            ("ssh web01 <<< reboot", "web01[stdin] <<<reboot"),
            ("ssh web01 < fix.sh", "web01[stdin] <fix.sh"),
            ("ssh web01 bash -s < fix.sh", "web01[bash -s] <fix.sh"),
            ("ssh web01 <-", "web01[stdin] <?"),
            ("ssh -n web01 <<< reboot", "web01[stdin] <nothing"),
            ("ssh -f web01 sh <<< reboot", "web01[sh] <nothing"),
            ("ssh -o StdinNull=yes web01 sh <<< reboot", "web01[sh] <nothing"),
            ("ssh -o StdinNull=no web01 sh <<< reboot", "web01[sh] <<<reboot"),
        ],
    );
}

#[test]
fn loopback_and_what_only_looks_like_it() {
    check(
        judge,
        &[
            ("ssh localhost id", "same[id]"),
            ("ssh -p 22 root@127.0.0.1 id", "same[id]"),
            ("ssh -p 2222 localhost id", "?[id]"),
            ("ssh -o Port=2222 vagrant@127.0.0.1 id", "?[id]"),
            ("ssh ssh://localhost:2200 id", "?[id]"),
            ("ssh -p … localhost id", "?[id]"),
            ("ssh -J web01 localhost id", "?[id]"),
            ("ssh -o HostName=127.0.0.1 web01 id", "same[id]"),
            ("ssh -o HostName=prod localhost id", "localhost=prod[id]"),
        ],
    );
}

#[test]
fn machines_that_cannot_be_told() {
    check(
        judge,
        &[
            ("ssh root@… id", "?[id]"),
            ("ssh -o HostName=… web01 id", "?[id]"),
            ("ssh -o HostName=%k web01 id", "?[id]"),
            ("ssh 'web01;x' id", "?[id]"),
            ("ssh … id", "unknown"),
            ("ssh …* web01 id", "unknown"),
            ("ssh web01 …", "unknown@web01"),
            ("ssh web01 …*", "unknown@web01"),
            ("ssh -o …=x web01 id", "unknown"),
            ("ssh -P x web01 id", "unknown"),
            ("ssh -o Include=/tmp/x web01 id", "unknown"),
            ("ssh -o NoSuchThing=1 web01 id", "unknown"),
            ("ssh", "unknown"),
            ("ssh -S /tmp/prod.sock test id", "?[id]"),
            ("ssh -o ControlPath=/tmp/s test id", "?[id]"),
        ],
    );
}

#[test]
fn commands_in_options() {
    check(
        judge,
        &[
            ("ssh -o RemoteCommand='reboot now' web01", "web01[reboot now]"),
            ("ssh -o RemoteCommand='echo %h %% %i' web01", "web01[echo web01 % …]"),
            ("ssh -o RemoteCommand=none web01 id", "web01[id]"),
            ("ssh -o RemoteCommand=reboot web01 id", "web01[id]; web01[reboot]"),
            ("ssh -o RemoteCommand=… web01", "web01[…]"),
            ("ssh -s web01 sftp", "unknown@web01"),
            ("ssh -o SessionType=subsystem web01 netconf", "unknown@web01"),
            ("ssh -o SessionType=default web01 id", "web01[id]"),
        ],
    );
}

#[test]
fn what_only_looks() {
    check(
        judge,
        &[
            ("ssh -V", "reads"),
            ("ssh -Q cipher", "reads"),
            ("ssh -G web01", "reads"),
            ("ssh web01 -G", "reads"),
            ("ssh web01 'ls -G'", "web01[ls -G]"),
            ("ssh web01 ls -V", "web01[ls -V]"),
            ("ssh -O check web01", "reads"),
            ("ssh -S /tmp/s -O exit web01", "reads"),
            ("ssh -O forward -L 1:a:2 web01", "unknown"),
            ("ssh -O … web01", "unknown"),
            ("ssh -E /tmp/log web01 id", "writes /tmp/log; web01[id]"),
        ],
    );
}

#[test]
fn tunnels() {
    check(
        judge,
        &[
            ("ssh -N -L 5432:db:5432 bastion", "forwards@db"),
            ("ssh -N bastion", "unknown"),
            ("ssh -o SessionType=none bastion", "unknown"),
            ("ssh -W db:22 bastion", "unknown"),
            ("ssh -L 8080:localhost:80 web01 uptime", "forwards@web01; web01[uptime]"),
            (
                "ssh -L 127.0.0.1:8080:[fe80::1]:80 -L /tmp/s:/run/x.sock web01 uptime",
                "forwards@fe80::1; forwards@web01; web01[uptime]",
            ),
            ("ssh -fNL …:db:1 web01", "forwards@?"),
            ("ssh -fNL 1:…:1 web01", "forwards@?"),
            ("ssh -fNL 1:db:1 -R 2:x:3 web01", "forwards@db; unknown; unknown"),
            ("ssh -fNML 1:db:1 -S s web01", "forwards@db; unknown"),
            ("ssh -fND 1080 bastion", "unknown; unknown"),
            ("ssh -R 1:localhost:2 web01 id", "unknown; web01[id]"),
            ("ssh -o LocalForward='1 a:2' web01 id", "forwards@a; web01[id]"),
            ("ssh -o LocalForward='1 [::1]:2' web01 id", "forwards@web01; web01[id]"),
            ("ssh -w 0:0 web01 id", "unknown; web01[id]"),
            ("ssh -MNf -S ~/.ssh/%C bastion", "unknown"),
            // A socket with the machine's name in it leads to no other machine.
            ("ssh -o ControlMaster=auto -o ControlPath=~/.ssh/%r@%h:%p web01 id", "web01[id]"),
        ],
    );
}

#[test]
fn what_runs_on_the_near_side() {
    check(
        judge,
        &[
            ("ssh -o ProxyCommand='ssh -W %h:%p bastion' web01 id", "web01[id]"),
            ("ssh -o ProxyCommand='ssh -q -W [%h]:%p -p 2222 u@bastion' web01 id", "web01[id]"),
            ("ssh -o ProxyCommand='exec nc -X 5 -x proxy:1080 %h %p' web01 id", "web01[id]"),
            ("ssh -o ProxyCommand='/usr/bin/nc %h %p' web01 id", "web01[id]"),
            ("ssh -o ProxyCommand='ssh bastion nc %h %p' web01 id", "web01[id]"),
            ("ssh -o ProxyCommand=none web01 id", "web01[id]"),
            ("ssh -o ProxyCommand='ssh bastion nc prod 22' web01 id", "local[ssh bastion nc prod 22] <nothing; ?[id]"),
            ("ssh -o ProxyCommand='nc prod 22' web01 id", "local[nc prod 22] <nothing; ?[id]"),
            ("ssh -o ProxyCommand='nc web01 22' web01 id", "web01[id]"),
            ("ssh -o ProxyCommand='nc -e /bin/sh %h %p' web01 id", "local[nc -e /bin/sh web01 22] <nothing; ?[id]"),
            ("ssh -o ProxyCommand='nc %h %p; x' web01 id", "local[nc web01 22; x] <nothing; ?[id]"),
            ("ssh -o ProxyCommand='/tmp/nc %h %p' web01 id", "local[/tmp/nc web01 22] <nothing; ?[id]"),
            ("ssh -o ProxyCommand='sh -c x' web01 id", "local[sh -c x] <nothing; ?[id]"),
            ("ssh -o ProxyCommand='evil %r %i' web01", "local[evil … …] <nothing; ?[stdin]"),
            ("ssh -o ProxyCommand='ssh -o ProxyCommand=evil -W %h:%p b' web01 id", "local[evil] <nothing; web01[id]"),
            ("ssh -o ProxyCommand='socat - PROXY:p:%h:%p,proxyport=3128' web01 id", "web01[id]"),
            (
                "ssh -o ProxyCommand='gcloud compute start-iap-tunnel %h %p --listen-on-stdin --zone=z' web01 id",
                "web01[id]",
            ),
            ("ssh -o KnownHostsCommand='/usr/bin/sss_ssh_knownhosts %H' web01 id", "web01[id]"),
            // The near side's shell reads what is put in.
            ("ssh -o ProxyCommand='ssh -W %h:%p %r@b' 'x$(y)@web01' id", "local[ssh -W web01:22 …@b] <nothing; ?[id]"),
            ("ssh -o ProxyCommand='ssh -W %h:%p %r@b' root@web01 id", "web01[id]"),
            ("ssh -o ProxyCommand='ssh -W %h:%p b' 'web01;x' id", "local[ssh -W …:22 b] <nothing; ?[id]"),
            ("ssh -J 'b;x' web01 id", "unknown; web01[id]"),
            ("ssh -J 'u$(x)@b' web01 id", "unknown; web01[id]"),
            ("ssh -J a,u@b:22,ssh://c:1 web01 id", "web01[id]"),
            ("ssh -o SetEnv=BASH_ENV=/tmp/x web01 id", "unknown"),
            ("ssh -o SetEnv='LC_ALL=C TERM=x' web01 id", "web01[id]"),
            ("ssh -o SendEnv=LC_* web01 id", "web01[id]"),
            ("ssh -o LocalCommand='touch x' web01 id", "web01[id]"),
            ("ssh -o PermitLocalCommand=yes -o LocalCommand='x %h' web01 id", "local[x web01] <nothing; web01[id]"),
            ("ssh -o PermitLocalCommand=no -o PermitLocalCommand=yes -o LocalCommand=x web01 id", "web01[id]"),
            ("ssh -o KnownHostsCommand=/x/y web01 id", "local[/x/y] <nothing; web01[id]"),
            ("ssh -I /tmp/x.so web01 id", "unknown; web01[id]"),
            ("ssh -I /usr/lib/opensc-pkcs11.so web01 id", "web01[id]"),
            ("ssh -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no web01 id", "web01[id]"),
            ("ssh -o UserKnownHostsFile=~/kh web01 id", "writes /home/me/kh; web01[id]"),
        ],
    );
}

#[test]
fn passages_with_more_quotes() {
    for (proxy, expected) in [
        (
            r#"sh -c "aws ssm start-session --target %h --document-name AWS-StartSSHSession --parameters 'portNumber=%p'""#,
            "web01[id]",
        ),
        ("sh -c 'nc %h %p'", "web01[id]"),
        ("sh -c 'nc prod %p'", "local[sh -c 'nc prod 22'] <nothing; ?[id]"),
        ("sh -c \"nc %h %p; evil\"", "local[sh -c \"nc web01 22; evil\"] <nothing; ?[id]"),
        ("aws ssm start-session --target i-1", "local[aws ssm start-session --target i-1] <nothing; ?[id]"),
        ("socat - EXEC:sh", "local[socat - EXEC:sh] <nothing; ?[id]"),
        ("socat - TCP:%h:%p,exec=x", "local[socat - TCP:web01:22,exec=x] <nothing; ?[id]"),
        ("gcloud compute start-iap-tunnel prod %p", "local[gcloud compute start-iap-tunnel prod 22] <nothing; ?[id]"),
    ] {
        let option = Word::known_as(format!("ProxyCommand={proxy}"));
        let words = vec!["ssh".into(), "-o".into(), option, "web01".into(), "id".into()];
        let files = crate::classify::programs::remote_cases::Files::default();
        let facts = crate::classify::programs::remote_cases::own(&files);
        let report = judge(&Command { words, stdin: Stdin::Inherited }, &facts);
        assert_eq!(crate::classify::programs::remote_cases::shown(&report), expected, "{proxy}");
    }
}

#[test]
fn autossh_starts_ssh() {
    check(
        autossh,
        &[
            ("autossh -M 0 web01 uptime", "web01[uptime]"),
            ("autossh -M0 -f web01 sh <<< reboot", "web01[sh] <nothing"),
            ("autossh -M 20000 -f -N -L 1:a:2 bastion", "forwards@a"),
            ("autossh -q -M 0 web01 reboot", "web01[reboot]"),
            ("autossh -M 0 web01 -M 0 reboot", "unknown@web01"),
            ("autossh -NM 0 web01", "unknown"),
            ("autossh -V", "reads"),
            ("autossh -M …* web01 id", "unknown"),
        ],
    );
}

#[test]
fn proxy_commands_within_proxy_commands_end() {
    let mut line = "evil".to_owned();
    for _ in 0..20 {
        line = format!("ssh -o ProxyCommand=\"{}\" -W %h:%p b", line.replace('"', "'"));
    }
    assert!(judged(judge, &format!("ssh -o ProxyCommand={} web01 id", "x")).contains('?'));
    let command = Command {
        words: vec!["ssh".into(), "-o".into(), Word::known_as(format!("ProxyCommand={line}")), "web01".into()],
        stdin: Stdin::Inherited,
    };
    let files = crate::classify::programs::remote_cases::Files::default();
    assert!(!judge(&command, &crate::classify::programs::remote_cases::own(&files)).effects.is_empty());
}
