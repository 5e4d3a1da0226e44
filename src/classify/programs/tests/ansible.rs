use super::super::remote_cases::{Files, command, own};
use super::super::testing::{Set, shown};
use super::*;

fn check(judge: super::super::Judge, cases: &[(&str, &str)]) {
    let files = Files::default();
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(line, expected)| {
            let got = shown(&judge(&command(line), &own(&files)));
            (got != *expected).then(|| format!("{line}\n  expected {expected}\n  got      {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn modules_and_machines() {
    check(
        judge,
        &[
            ("ansible web01 -i web01, -m ping", "reads"),
            ("ansible all -i web01,web02, -m setup", "reads"),
            ("ansible all -i web01, -m setup -a fact_path=/tmp/x", "unknown at web01"),
            ("ansible all -i web01, -m setup -a filter=x", "reads"),
            ("ansible all -i web01, -m debug -a var=hostvars", "reads"),
            ("ansible all -i web01, -m debug -a 'msg=x(y)'", "reads"),
            ("ansible all -i web01, -m debug -a \"var=lookup('pipe','reboot')\"", "unknown"),
            ("ansible all -i web01, -m assert -a \"that=q('pipe','reboot')\"", "unknown"),
            ("ansible all -i web01, -C -m include_role -a name=x", "unknown at web01"),
            ("ansible all -i web01, -m ping --ssh-common-args '-o StrictHostKeyChecking=no -C'", "reads"),
            ("ansible all -i web01, -m ping --ssh-common-args '-o proxycommand=reboot'", "unknown"),
            ("ansible all -i web01, -m ping --ssh-common-args '-o hostname=db02'", "unknown"),
            ("ansible all -i web01, -m ping --ssh-extra-args '-J db02'", "unknown"),
            ("ansible all -i web01,web02, -b -m apt -a name=nginx", "changes at web01,web02"),
            ("ansible all -i web01,web02, -l web02 -m service -a 'name=x state=restarted'", "changes at web02"),
            ("ansible all -i web01, -a uptime", "[uptime] at web01 <nothing"),
            ("ansible all -i web01, -m shell -a 'df -h | tail'", "sh {df -h | tail} at web01 <nothing"),
            (
                "ansible all -i web01, -m ansible.builtin.command -a 'systemctl restart nginx'",
                "[systemctl|restart|nginx] at web01 <nothing",
            ),
            ("ansible all -i web01, -m raw -a reboot", "sh {reboot} at web01 <nothing"),
            ("ansible all -i web01, -m shell -a 'chdir=/x ls'", "sh {…} at web01 <nothing"),
            ("ansible all -i web01, -m shell -a '{{ x }}'", "unknown at web01"),
            ("ansible all -i web01, -m debug -a 'msg={{ lookup(1) }}'", "unknown at web01"),
            ("ansible all -i web01, -C -m apt -a name=nginx", "reads"),
            ("ansible all -i web01, -C -m raw -a reboot", "sh {reboot} at web01 <nothing"),
            ("ansible all -i web01, -C -m shell -a reboot", "reads"),
            ("ansible localhost -m apt -a name=nginx", "changes"),
            ("ansible localhost -m uri -a 'url=http://web01/x method=DELETE'", "unknown at same; unknown"),
            ("ansible localhost -m postgresql_query -a 'login_host=db01 query=x'", "changes at same; unknown; unknown"),
            (
                "ansible localhost -m community.vmware.vmware_guest -a 'name=web01 state=absent'",
                "changes at same; unknown",
            ),
            ("ansible localhost -m synchronize -a 'src=/x dest=web01:/x'", "changes at same; unknown"),
            (
                "ansible localhost -m copy -a \"src=a dest=b validate='ssh web01 reboot %s'\"",
                "changes at same; unknown",
            ),
            ("ansible localhost -m template -a 'src=a dest=b'", "unknown; changes"),
            ("ansible localhost -m script -a x.sh", "unknown at same; unknown"),
            ("ansible localhost -m include_role -a name=x", "unknown at same; unknown"),
            ("ansible localhost,web01 -i web01, -m apt -a name=x", "changes at web01; changes"),
            ("ansible all -i web01, -m mysql_db -a 'login_host=db01 name=x'", "changes at web01; unknown"),
            ("ansible all -i web01, -m get_url -a 'url=http://x/y dest=/y'", "changes at web01"),
            ("ansible all -i web01, -c local -a reboot", "[reboot] at same <nothing"),
            ("ansible web -m ping", "reads"),
            ("ansible web -m apt -a name=x", "changes at ?"),
            ("ansible web -i hosts -m apt -a name=x", "changes at ?"),
            ("ansible … -i web01, -m apt", "unknown"),
            ("ansible all -i web01, -m … -a x", "unknown at web01"),
            ("ansible all -i web01, -m script -a x.sh", "unknown at web01"),
            ("ansible all -i web01, -m win_shell -a x", "unknown at web01"),
            ("ansible all -i web01, -m fetch -a 'src=/x dest=out'", "writes out"),
            ("ansible all -i web01, -m uri -a url=x", "unknown at web01"),
            ("ansible all -i web01, -e ansible_host=db01 -m ping", "unknown"),
            ("ansible all -i web01, -e @x.yml -m ping", "unknown"),
            ("ansible all -i web01, --ssh-common-args '-o ProxyCommand=x' -m ping", "unknown"),
            ("ansible all -i web01, --list-hosts", "reads"),
            ("ansible all -i 'web[01:03],' -m apt -a name=x", "changes at web01,web02,web03"),
            ("ansible all -i 'web[1:900],' -m apt -a name=x", "changes at ?"),
        ],
    );
    check(judge, &[("ansible all -i x --list-hosts", "unknown"), ("ansible --frob", "unknown")]);
    let files = Files(
        [
            ("/home/me/src/hosts", "[web]\nweb01\nweb02 ansible_host=10.0.0.2\n[db]\ndb01\n"),
            ("/home/me/src/x.sh", "#!/bin/sh\nreboot\n"),
            ("/home/me/src/site.yml", "- hosts: web\n  tasks:\n    - apt: name=nginx\n"),
            ("/home/me/src/far.yml", "- hosts: web\n  tasks:\n    - apt: name=nginx\n      delegate_to: db01\n"),
            ("/home/me/src/here.yml", "- hosts: localhost\n  tasks:\n    - shell: ssh web01 reboot\n"),
            ("/home/me/src/all.yml", "- hosts: all\n  tasks:\n    - shell: ssh web02 reboot\n"),
            ("/home/me/src/any.yml", "- hosts: '{{ target }}'\n  tasks: []\n"),
            ("/home/me/src/dyn", "#!/usr/bin/env python3\n"),
            ("/home/me/src/inv/hosts", "[web]\nweb01\n"),
            ("/home/me/src/inv/host_vars/web01.yml", "ansible_host: 10.0.0.7\n"),
            ("/home/me/.ssh/config", "Host web02\n  HostName 10.9.9.9\n"),
        ]
        .into(),
    );
    for (line, expected) in [
        ("ansible web -i hosts -m apt -a name=x", "changes at web01,web02"),
        ("ansible web -i inv/hosts -m apt -a name=x", "changes at ?"),
        ("ansible web:!web01 -i hosts -m apt -a name=x", "changes at web02"),
        ("ansible all -i hosts -m script -a x.sh", "sh {#!/bin/sh\nreboot\n} at db01,web01,web02 <nothing"),
    ] {
        assert_eq!(shown(&judge(&command(line), &own(&files))), expected, "{line}");
    }
    for (line, expected) in [
        ("ansible-playbook -i hosts site.yml", "changes at web01,web02"),
        ("ansible-playbook -i hosts -l web01 site.yml", "changes at web01"),
        ("ansible-playbook -i hosts far.yml", "changes at web01,web02; unknown"),
        ("ansible-playbook -i hosts any.yml", "changes at ?"),
        ("ansible-playbook site.yml", "changes at ?"),
        ("ansible-playbook -i hosts --check site.yml", "reads"),
        ("ansible-playbook -i hosts -C far.yml", "unknown"),
        ("ansible-playbook -i hosts --syntax-check any.yml", "reads"),
        ("ansible-playbook -i dyn --list-hosts site.yml", "unknown"),
        ("ansible-playbook -i hosts none.yml", "unknown"),
        // From this machine its tasks reach any other.
        ("ansible-playbook here.yml", "changes at same; unknown"),
        ("ansible-playbook -i localhost, here.yml", "changes at same; unknown"),
        ("ansible-playbook -i web01, -c local all.yml", "changes at same; unknown"),
    ] {
        assert_eq!(shown(&playbook(&command(line), &own(&files))), expected, "{line}");
    }
}

#[test]
fn settings_and_environment_name_the_inventory() {
    let files = Files(
        [
            ("/home/me/src/ansible.cfg", "[defaults]\ninventory = hosts\nforks = 5\n"),
            ("/home/me/src/hosts", "[web]\nweb01\nweb02 ansible_host=10.0.0.2\n[db]\ndb01 ansible_connection=ssh\n"),
            ("/home/me/src/site.yml", "- hosts: web\n  tasks:\n    - apt: name=nginx\n"),
            ("/home/me/src/pick.yml", "- hosts: '{{ target }}'\n  tasks:\n    - apt: name=nginx\n"),
            ("/home/me/src/two.yml", "- hosts: web\n  tasks: []\n- {hosts: db, tasks: []}\n"),
            ("/home/me/src/roles.yml", "- hosts: web\n  roles: [x]\n"),
            ("/home/me/src/own/site.yml", "- hosts: web\n  tasks:\n    - mine: name=nginx\n"),
            ("/home/me/src/own/library/mine.py", "import os"),
            ("/home/me/other.cfg", "[defaults]\ninventory = far\nlibrary = ./x\n"),
            ("/home/me/far", "db09\n"),
            ("/home/me/inv/a", "[web]\nweb01\n"),
            ("/home/me/inv/b.yml", "web:\n  hosts:\n    web05:\n"),
            ("/home/me/inv/README.md", "no inventory"),
            ("/home/me/inv/group_vars/web/main.yml", "http_port: 80\nurl: \"http://{{ ansible_host }}:80\"\n"),
            ("/home/me/dyn/a", "[web]\nweb01\n"),
            ("/home/me/dyn/b.yml", "plugin: aws_ec2\n"),
            ("/home/me/secret/a", "[web]\nweb01\n"),
            ("/home/me/secret/group_vars/web.yml", "$ANSIBLE_VAULT;1.1;AES256\n3132\n"),
            ("/home/me/sly/a", "[web]\nweb01\n"),
            ("/home/me/sly/group_vars/all.yml", "{\"ansible_host\": \"db09\"}\n"),
            ("/home/me/quoted", "web01 \"ansible_host=db09\"\n"),
            ("/home/me/pass", "secret\n"),
            ("/home/me/pass.sh", "#!/bin/sh\nssh db01 reboot\n"),
        ]
        .into(),
    );
    for (set, line, expected) in [
        ("", "ansible web -m apt -a name=x", "changes at web01,web02"),
        ("", "ansible web -l web01 -l web02 -m apt -a name=x", "changes at web02"),
        ("", "ansible web -l '!web01' -m apt -a name=x", "changes at web02"),
        ("", "ansible web -l @x -m apt -a name=x", "changes at web01,web02"),
        ("", "ansible all -c local -m apt -a name=x", "changes at db01; changes"),
        ("", "ansible localhost -m apt -a name=x", "changes"),
        ("", "ansible none -m apt -a name=x", "changes at ?"),
        ("", "ansible web -i ~/inv -m apt -a name=x", "changes at web01,web05"),
        ("", "ansible web -i ~/inv/a -i ~/inv/b.yml -m apt -a name=x", "changes at web01,web05"),
        ("", "ansible web -i ~/dyn -m apt -a name=x", "changes at ?"),
        ("", "ansible web -i ~/secret -m apt -a name=x", "changes at ?"),
        ("", "ansible web -i ~/sly -m apt -a name=x", "changes at ?"),
        ("", "ansible all -i ~/quoted -m apt -a name=x", "changes at ?"),
        ("ANSIBLE_INVENTORY=/home/me/far", "ansible all -m apt -a name=x", "changes at db09"),
        ("ANSIBLE_INVENTORY=…", "ansible all -m apt -a name=x", "changes at ?"),
        ("ANSIBLE_CONFIG=/home/me/other.cfg", "ansible all -m apt -a name=x", "unknown; changes at db09"),
        ("ANSIBLE_CONFIG=/home/me/other.cfg", "ansible all -m ping", "unknown"),
        ("ANSIBLE_CONFIG=…", "ansible all -m ping", "unknown"),
        ("ANSIBLE_VAULT_PASSWORD_FILE=/home/me/pass", "ansible all -m ping", "reads"),
        ("ANSIBLE_VAULT_PASSWORD_FILE=/home/me/pass.sh", "ansible all -m ping", "unknown"),
        ("", "ansible all -m ping --vault-password-file ~/pass.sh", "unknown"),
        ("", "ansible all -m ping --vault-id dev@~/pass", "reads"),
        ("", "ansible all -e ansible_user=x -m ping", "reads"),
        ("", "ansible all -e x=1 -e ansible_ssh_host=y -m ping", "unknown"),
        ("", "ansible web01 -m shell -a '{\"cmd\": \"reboot\"}'", "unknown at web01"),
        ("", "ansible web01 -a \"argv='reboot'\"", "sh {…} at web01 <nothing"),
        ("", "ansible web01 -a \"find / # '-delete'\"", "unknown at web01"),
        ("", "ansible web01 -a 'df -h | tail'", "[df|-h|||tail] at web01 <nothing"),
    ] {
        let got = with(judge, set, line, &files);
        assert_eq!(got, expected, "{set} {line}");
    }
    for (set, line, expected) in [
        ("", "ansible-playbook site.yml", "changes at web01,web02"),
        ("", "ansible-playbook -l web01 site.yml", "changes at web01"),
        ("", "ansible-playbook -e target=web01 pick.yml", "changes at web01"),
        ("", "ansible-playbook pick.yml", "changes at ?"),
        ("", "ansible-playbook two.yml", "changes at ?"),
        ("", "ansible-playbook roles.yml", "changes at web01,web02; unknown"),
        ("", "ansible-playbook own/site.yml", "changes at web01,web02; unknown"),
        ("", "ansible-playbook -C own/site.yml", "unknown"),
        ("", "ansible-playbook -C site.yml", "reads"),
        ("", "ansible-playbook -C roles.yml", "unknown"),
        ("", "ansible-playbook --start-at-task x site.yml", "changes at web01,web02"),
        ("", "ansible-playbook --list-hosts site.yml", "reads"),
        ("ANSIBLE_INVENTORY=/home/me/dyn", "ansible-playbook --list-hosts site.yml", "unknown"),
        ("ANSIBLE_INVENTORY=/home/me/far", "ansible-playbook site.yml", "changes at ?"),
    ] {
        let got = with(playbook, set, line, &files);
        assert_eq!(got, expected, "{set} {line}");
    }
}

fn with(judge: super::super::Judge, set: &str, line: &str, files: &Files) -> String {
    let pairs: Vec<(&str, &str)> = set.split_once('=').into_iter().collect();
    let variables = Set(&pairs);
    shown(&judge(&command(line), &Facts { variables: &variables, ..own(files) }))
}

#[test]
fn sisters_that_reach_nobody() {
    check(
        sisters,
        &[
            ("ansible-doc -l", "reads"),
            ("ansible-config dump", "reads"),
            ("ansible-vault view x", "reads"),
            ("ansible-vault encrypt x", "changes"),
            ("ansible-galaxy collection list", "reads"),
            ("ansible-galaxy install x", "works"),
            ("ansible-pull -U x", "unknown"),
            ("ansible-console web", "unknown"),
        ],
    );
    check(inventory, &[("ansible-inventory --list", "reads"), ("ansible-inventory -i x --list", "unknown")]);
}
