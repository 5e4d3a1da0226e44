use super::*;
use crate::classify::programs::remote_cases::{Files, command, own, shown};
use crate::classify::programs::ssh;

const USER: &str = "/home/me/.ssh/config";

fn judged(config: &'static str, line: &str) -> String {
    let files = Files([(USER, config)].into());
    shown(&ssh::judge(&command(line), &own(&files)))
}

fn check(config: &'static str, table: &[(&str, &str)]) {
    for (line, expected) in table {
        assert_eq!(judged(config, line), *expected, "{line} with\n{config}");
    }
}

#[test]
fn names_stand_for_other_names() {
    check(
        "Host web db !db9\n  HostName %h.corp\nHost lab*\n\tHostName=10.0.0.7\n Port 2222\nHost *\n HostName other\n",
        &[
            ("ssh web id", "web=web.corp[id]"),
            ("ssh root@db id", "db=db.corp[id]"),
            ("ssh lab3 id", "lab3=10.0.0.7[id]"),
            ("ssh x id", "x=other[id]"),
            ("ssh -o HostName=y web id", "web=y[id]"),
            ("ssh -F none web id", "web[id]"),
            ("ssh -F /dev/null web id", "web[id]"),
            ("ssh root@… id", "?[id]"),
        ],
    );
    check("HostName first\nHost web\nHostName second\n", &[("ssh web id", "web=first[id]")]);
    check("Host \"web\" # the web\n HostName \"prod\"\n", &[("ssh web id", "web=prod[id]")]);
    check(
        "Host vm\n HostName 127.0.0.1\n Port 2222\nHost me\n HostName ::1\n",
        &[("ssh vm id", "?[id]"), ("ssh me id", "same[id]"), ("ssh -p 22 vm id", "same[id]")],
    );
}

#[test]
fn conditions_that_can_be_told() {
    check(
        "Match host web,db* user root\n HostName prod\n",
        &[
            ("ssh root@web id", "web=prod[id]"),
            ("ssh -l root db7 id", "db7=prod[id]"),
            ("ssh joe@web id", "web[id]"),
            ("ssh root@x id", "x[id]"),
            // Who the agent's user is isn't known here.
            ("ssh web id", "?[id]"),
        ],
    );
    check(
        "Host web\n HostName a.corp\nMatch host *.corp\n ProxyCommand evil\n",
        &[("ssh web id", "local[evil] <nothing; ?[id]"), ("ssh db id", "db[id]")],
    );
    check(
        "Match originalhost web\n HostName prod\nMatch all\n HostName rest\n",
        &[("ssh web id", "web=prod[id]"), ("ssh db id", "db=rest[id]")],
    );
    check("Match !host web\n HostName prod\n", &[("ssh web id", "web[id]"), ("ssh db id", "db=prod[id]")]);
    check(
        "Match final host *.corp\n ProxyCommand evil\nHost web\n HostName web.corp\n",
        &[("ssh web id", "local[evil] <nothing; ?[id]")],
    );
    check("Match tagged x\n HostName prod\n", &[("ssh web id", "web[id]")]);
    check("Match localuser *\n HostName prod\n", &[("ssh web id", "web=prod[id]")]);
}

#[test]
fn conditions_that_cannot() {
    let exec = "Match host web exec \"test -e %h\"\n HostName prod\n";
    check(
        exec,
        &[
            ("ssh web id", "local[test -e …] <nothing; ?[id]"),
            ("ssh db id", "db[id]"),
            ("ssh -o HostName=x web id", "web=x[id]"),
            ("ssh -G web", "local[test -e …] <nothing"),
            ("ssh -O check web", "local[test -e …] <nothing"),
            ("ssh -V", "reads"),
        ],
    );
    check("Match localuser me\n RemoteCommand reboot\n", &[("ssh web", "unknown@web")]);
    check("Match localuser me\n ProxyJump b\n", &[("ssh web id", "web[id]")]);
    check("Match localuser me\n ProxyJump b\nMatch all\n ProxyCommand evil\n", &[("ssh web id", "unknown; ?[id]")]);
    check("Match nonsense\n HostName prod\n", &[("ssh web id", "?[id]")]);
    check("Match localuser me\n User joe\n", &[("ssh web id", "web[id]")]);
    check("Match !localuser me\n HostName x\n", &[("ssh web id", "?[id]")]);
}

#[test]
fn what_the_config_runs() {
    check(
        "Host web\n RemoteCommand tmux new -A\n",
        &[("ssh web", "web[tmux new -A]"), ("ssh -o RemoteCommand=none web", "web[stdin]")],
    );
    check("Host *\n ProxyCommand ssh -W %h:%p bastion\nHost x\n", &[("ssh -F none web id", "web[id]")]);
    check("Host web\n ProxyCommand ssh -q -W %h:%p bastion\n", &[("ssh web id", "web[id]")]);
    check(
        "Host web\n ProxyCommand ssh -W prod:22 bastion\n",
        &[("ssh web id", "local[ssh -W prod:22 bastion] <nothing; ?[id]")],
    );
    check(
        "Host bastion\n ProxyCommand evil\nHost web\n ProxyJump bastion\n",
        &[
            ("ssh web id", "local[evil] <nothing; web[id]"),
            ("ssh -J bastion db id", "local[evil] <nothing; db[id]"),
            ("ssh -J none web id", "web[id]"),
            ("ssh -J x,bastion db id", "db[id]"),
        ],
    );
    check("PermitLocalCommand yes\nLocalCommand notify %n\n", &[("ssh web id", "local[notify web] <nothing; web[id]")]);
    check("LocalCommand notify\n", &[("ssh web id", "web[id]")]);
    check("KnownHostsCommand /x %H\n", &[("ssh web id", "local[/x …] <nothing; web[id]")]);
    check("LocalForward 1 a:2\nControlPath /tmp/s\n", &[("ssh web id", "web[id]")]);
    check("Host *\n ProxyJump a\n", &[("ssh web id", "unknown; web[id]")]);
}

#[test]
fn names_found_in_other_domains() {
    check(
        "CanonicalizeHostname yes\nCanonicalDomains a.corp b.corp\n",
        &[
            ("ssh web id", "?[id]"),
            ("ssh web.x.y id", "web.x.y[id]"),
            ("ssh 10.0.0.7 id", "10.0.0.7[id]"),
            ("ssh -o CanonicalizeHostname=no web id", "web[id]"),
        ],
    );
    check("CanonicalizeHostname yes\n", &[("ssh web id", "web[id]")]);
}

fn with(files: &[(&'static str, &'static str)], line: &str) -> String {
    let files = Files(files.iter().copied().collect());
    shown(&ssh::judge(&command(line), &own(&files)))
}

#[test]
fn other_files() {
    let all = [
        (USER, "Host db\n Include db.conf\nHost *\n Include conf.d/*.conf ~/more /etc/none\n"),
        ("/home/me/.ssh/db.conf", "HostName dbprod\nHost never\n HostName no\n"),
        ("/home/me/.ssh/conf.d/2.conf", "Host web\n HostName second\n"),
        ("/home/me/.ssh/conf.d/1.conf", "Host web\n HostName first\n"),
        ("/home/me/.ssh/conf.d/x.txt", "Host web x\n HostName zero\n"),
        ("/home/me/more", "Host more\n HostName most\n"),
        ("/etc/ssh/ssh_config", "Host web sys\n HostName system\n"),
        ("/tmp/f", "Host web\n HostName tmp\n LocalForward 1 a:2\n"),
    ];
    for (line, expected) in [
        ("ssh db id", "db=dbprod[id]"),
        ("ssh never id", "never[id]"),
        ("ssh web id", "web=first[id]"),
        ("ssh x id", "x[id]"),
        ("ssh more id", "more=most[id]"),
        ("ssh sys id", "sys=system[id]"),
        ("ssh -F /tmp/f web id", "unknown; web=tmp[id]"),
        ("ssh -F /tmp/f sys id", "sys[id]"),
        ("ssh -F /tmp/none sys", "?[id]"),
        ("ssh -F … sys", "?[id]"),
    ] {
        let judged = with(&all, line);
        if expected == "?[id]" {
            assert!(judged.contains('?') || judged.contains("unknown"), "{line}: {judged}");
        } else {
            assert_eq!(judged, expected, "{line}");
        }
    }
    for include in ["Include /x/*/y\n", "Include ${HOME}/x\n", "Include x/[ab]\n"] {
        assert!(with(&[(USER, include)], "ssh web id").contains("?"), "{include}");
    }
    // In the last pass the name is what it is by then; a block that doesn't hold may ask for that pass.
    for ask in ["Match final all\n", "Host never\nMatch final host never\n"] {
        let config: &'static str = format!("{ask}Host prod\n RemoteCommand x\nHost web\n HostName prod\n").leak();
        assert_eq!(with(&[(USER, config)], "ssh web"), "web=prod[x]", "{config}");
    }
    assert_eq!(with(&[(USER, "Match host web\n HostName prod\n")], "ssh WEB id"), "WEB=prod[id]");
    // A file that includes itself ends.
    assert!(with(&[(USER, "Include config\nHost web\n")], "ssh web id").contains('?'));
    assert!(with(&[(USER, "Include config\nInclude config\n")], "ssh web id").contains('?'));
}

#[test]
fn on_another_machine_names_stay_as_they_are() {
    let files = Files([(USER, "Host web\n HostName prod\n")].into());
    let facts = Facts { own: false, ..own(&files) };
    assert_eq!(shown(&ssh::judge(&command("ssh web id"), &facts)), "web[id]");
    assert_ne!(shown(&ssh::judge(&command("ssh -F /x web id"), &facts)), "web[id]");
    let facts = Facts { home: None, ..own(&files) };
    assert!(shown(&ssh::judge(&command("ssh web id"), &facts)).contains('?'));
}
