use super::*;

const INI: &str = "
lone ansible_host=10.0.0.9
[web]
web[01:03].x ansible_user=root
[db]
db01:2222
far ansible_connection=docker
[prod:children]
web
db
[web:vars]
http_port=80
";
const YAML: &str = "
all:
  hosts:
    lone:
      ansible_host: 10.0.0.9
  children:
    web:
      hosts:
        web[01:02]:
        web09: {}
    prod:
      children:
        web:
      vars:
        list:
          - a
";

fn picked(text: &str, path: &str, pattern: &str) -> String {
    let mut inventory = Inventory::default();
    match inventory.add_file(path, text).and_then(|()| inventory.pick(pattern)) {
        Ok(names) => {
            let real = |name: &String| match inventory.hosts.get(name) {
                Some(Some(real)) => real.clone(),
                Some(None) => "?".into(),
                None => name.clone(),
            };
            names.iter().map(real).collect::<Vec<_>>().join(",")
        }
        Err(_) => "unknown".into(),
    }
}

#[test]
fn hosts_by_patterns() {
    for (pattern, expected) in [
        ("web", "web01.x,web02.x,web03.x"),
        ("db", "db01,?"),
        ("prod:!web", "db01,?"),
        ("web:&prod", "web01.x,web02.x,web03.x"),
        ("web01.x,lone", "10.0.0.9,web01.x"),
        ("web*", "web01.x,web02.x,web03.x"),
        ("all", "db01,?,10.0.0.9,web01.x,web02.x,web03.x"),
        ("localhost", "localhost"),
        ("none", "unknown"),
        ("~web.*", "unknown"),
        ("web[0]", "unknown"),
    ] {
        assert_eq!(picked(INI, "hosts", pattern), expected, "{pattern}");
    }
    for (pattern, expected) in [("web", "web01,web02,web09"), ("prod", "web01,web02,web09"), ("lone", "10.0.0.9")] {
        assert_eq!(picked(YAML, "hosts.yml", pattern), expected, "{pattern}");
    }
}

#[test]
fn what_can_not_be_told() {
    for (text, path) in [
        ("#!/usr/bin/python3\n", "hosts"),
        ("[web:vars]\nansible_host=db01\n[web]\nweb01", "hosts"),
        ("[web]\nweb01 ansible_host={{ x }}", "hosts"),
        ("web:\n  hosts: &a\n    web01:\n", "hosts.yml"),
        ("plugin: aws_ec2\nweb:\n  hosts:\n    web01:\n  x: y", "hosts.yml"),
        ("[web]\nweb[1:900]", "hosts"),
        ("[web]\nweb01\n[big]\nn[1:9000]", "hosts"),
    ] {
        assert_eq!(picked(text, path, "web"), "unknown", "{text}");
    }
    // A long inventory says all the same which machines a short group has.
    let long = "[web]\nweb01\n[big]\nn[001:300]\n";
    assert_eq!(picked(long, "hosts", "web"), "web01");
    assert_eq!(picked(long, "hosts", "n007"), "n007");
    assert_eq!(picked(long, "hosts", "big"), "unknown");
    assert_eq!(picked(long, "hosts", "all"), "unknown");
}
