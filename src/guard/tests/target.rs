use super::*;

const ID: &str = "0a1b2c3d-1111-2222-3333-444455556666.vm-42";

fn texts(target: &str, hosts: &[(&str, &str)]) -> Vec<String> {
    let hosts = hosts.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    steps(target, &hosts)
        .into_iter()
        .map(|step| match step {
            Step::Identifier(text) => format!("id {text}"),
            Step::Name(text) => format!("name {text}"),
            Step::Address(address) => format!("ip {address}"),
        })
        .collect()
}

#[test]
fn the_order_of_the_contract() {
    for (target, expected) in [
        ("web01", vec!["name web01"]),
        ("web01.corp.example", vec!["name web01.corp.example", "name web01"]),
        ("web01.corp.example.", vec!["name web01.corp.example", "name web01"]),
        (" web01. ", vec!["name web01"]),
        ("10.20.0.11", vec!["name 10.20.0.11", "ip 10.20.0.11"]),
        ("[2001:DB8::1]", vec!["name [2001:DB8::1]", "ip 2001:db8::1"]),
        ("::ffff:10.20.0.11", vec!["name ::ffff:10.20.0.11", "ip 10.20.0.11"]),
        (ID, vec![&format!("id {ID}"), &format!("name {ID}")]),
        (".hidden", vec!["name .hidden"]),
        ("", vec![]),
        (".", vec![]),
    ] {
        assert_eq!(texts(target, &[]), expected, "{target}");
    }
}

#[test]
fn hosts_come_first_and_are_mapped_once() {
    let hosts = [
        ("Web01.Corp.Example", "vm-web"),
        ("vm-web", "other"),
        ("10.20.0.12", ID),
        ("2001:db8:0::2", "six"),
        ("short.", "s"),
    ];
    assert_eq!(texts("web01.corp.example.", &hosts), ["name vm-web"]);
    assert_eq!(texts("10.20.0.12", &hosts), [format!("id {ID}"), format!("name {ID}")]);
    assert_eq!(texts("2001:DB8::2", &hosts), ["name six"]);
    assert_eq!(texts("SHORT", &hosts), ["name s"]);
    assert_eq!(texts("x", &[("x", " ")]), [""; 0]);
    assert_eq!(texts("web01", &hosts), ["name web01"], "a key is matched whole");
}

#[test]
fn what_an_identifier_looks_like() {
    for (text, is) in [
        (ID, true),
        ("0A1B2C3D-1111-2222-3333-444455556666.vm.1", true),
        ("0a1b2c3d-1111-2222-3333-444455556666", false),
        ("0a1b2c3d-1111-2222-3333-444455556666.", false),
        ("0a1b2c3g-1111-2222-3333-444455556666.vm-1", false),
        ("web01.vm-42", false),
    ] {
        assert_eq!(is_identifier(text), is, "{text}");
    }
}

#[test]
fn what_looks_like_more_than_a_host() {
    for (target, expected) in [
        ("root@web01", Some(("user@host", "web01"))),
        ("web01:8443", Some(("host:port", "web01"))),
        ("root@web01:22", Some(("user@host", "web01"))),
        ("[fe80::1]:22", Some(("host:port", "fe80::1"))),
        ("https://web01.corp/x?y#z", Some(("a URL", "web01.corp"))),
        ("ssh://joe@web01:22", Some(("a URL", "web01"))),
        ("https://[::1]:8443/", Some(("a URL", "::1"))),
        ("web01", None),
        ("fe80::1", None),
        ("fe80::1:22", None),
        ("[fe80::1]", None),
        ("web01:", None),
        ("web01:/srv", None),
        ("C:\\x", None),
        ("root@", None),
        ("://web01", None),
        ("a b@c d", None),
    ] {
        let expected = expected.map(|(form, host)| (form, host.to_owned()));
        assert_eq!(typed_as(target), expected, "{target}");
    }
}

#[test]
fn how_many_differ() {
    let targets = ["web01", "WEB01", "web01.", " web01 ", "db01"].map(str::to_owned);
    assert_eq!(different(&targets), 2);
}
