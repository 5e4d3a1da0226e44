//! Shell texts: what a person has said of machines, what the agent may change, and where following ends.

use super::*;

#[test]
fn what_a_person_has_said_of_machines() {
    let places = Places {
        unguarded: vec!["lab*".into()],
        this_vm: Some("dev01".into()),
        mounts: BTreeMap::from([("/mnt/db01".into(), "db01".into())]),
        ..Places::default()
    };
    for (text, expected) in [
        ("ssh lab1 changes", "read_only"),
        ("ssh lab1 nobody-knows", "read_only"),
        ("ssh lab1 ssh web01 changes", "mutating web01"),
        ("changes x", "mutating dev01"),
        ("works x", "unknown dev01"),
        ("reads > x", "mutating dev01"),
        ("reads", "read_only"),
    ] {
        assert_eq!(shown(&seen_in(text, &places, &[])), expected, "{text}");
    }
    let places = Places { this_vm: None, ..places };
    for (text, expected) in [
        ("changes /mnt/db01/etc/x", "mutating db01"),
        ("changes --output=/mnt/db01/x", "mutating db01"),
        ("cd /mnt/db01; changes x", "mutating db01"),
        ("cd /mnt; works", "mutating db01"),
        ("reads > /mnt/db01/x", "mutating db01"),
        ("reads > ../mnt/db01/x", "mutating db01"),
        ("changes /tmp/x", "read_only"),
        ("changes \"$x\"", "unknown"),
        ("reads /mnt/db01/x", "read_only"),
    ] {
        assert_eq!(shown(&seen_in(text, &places, &[])), expected, "{text}");
    }
}

#[test]
fn what_is_not_followed_is_asked_about_wherever_it_stops() {
    let places = Places { unguarded: vec!["lab*".into()], ..Places::default() };
    let many = "reads;".repeat(3_990);
    for text in [
        format!("ssh lab1 '{many}'; ssh lab1 '{many}'; ssh web01 changes"),
        "ssh lab1 'select x in a; do ssh web01 changes; done'".to_owned(),
        "ssh lab1 'reads \"'".to_owned(),
    ] {
        let seen = seen_in(&text, &places, &[]);
        assert_eq!(seen.verdict, Verdict::Unknown, "{}", text.chars().take(60).collect::<String>());
        assert!(seen.open);
    }
    assert_eq!(shown(&seen_in("ssh lab1 \"reads $x\"", &places, &[])), "read_only");
}

#[test]
fn whether_all_guests_of_what_is_unknown_are_named() {
    for (text, open) in [
        ("ssh web01 nobody-knows", false),
        ("ssh web01 nobody-knows; ssh web02 works", false),
        ("ssh web01 changes", false),
        ("reads", false),
        ("nobody-knows", true),
        ("ssh web01 nobody-knows; nobody-knows", true),
        ("ssh web01 changes; nobody-knows", true),
        ("ssh \"$h\" nobody-knows; ssh web01 nobody-knows", true),
        ("ssh web01 'ssh \"$h\" changes'", true),
    ] {
        assert_eq!(seen_in(text, &Places::default(), &[]).open, open, "{text}");
    }
    let here = Places { this_vm: Some("dev01".into()), ..Places::default() };
    let seen = seen_in("nobody-knows", &here, &[]);
    assert!(seen.open && seen.targets == ["dev01"], "it may reach others from there");
}

#[test]
fn what_the_agent_may_change_is_known() {
    let seen = seen_in("cd /etc; changes a/b ~/c; rm -rf /x; reads > d; ssh web01 changes e", &Places::default(), &[]);
    let touched: Vec<_> = seen.touched.iter().map(|touched| touched.path.as_str()).collect();
    for path in ["/etc/a/b", "/home/jo/c", "/etc/d"] {
        assert!(touched.contains(&path), "{path}: {touched:?}");
    }
    assert!(!touched.contains(&"/etc/e"), "that is a file of another machine");
}

#[test]
fn nesting_is_bounded() {
    // Texts, functions and groups, each within its own bound, that together would take more stack than there is.
    let groups = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(70), close.repeat(70));
    let text: String = (0..15)
        .map(|nr| {
            let calls = groups("if a; then ", &format!("g{}; ", nr + 1), "fi; ");
            format!("g{nr}() {{ {}; }}; v{nr}='{calls}'; ", groups("( ", &format!("eval \"$v{nr}\""), " )"))
        })
        .collect();
    let seen = seen_in(&format!("{text}g15() {{ ssh web01 changes; }}; g0"), &Places::default(), &[]);
    assert_eq!(seen.verdict, Verdict::Unknown);
    assert!(seen.open);
}

#[test]
fn bounds() {
    for text in [
        "changes;".repeat(5_000),
        format!("for i in {}; do {} done", "a ".repeat(1_000), "ssh web01 changes; ".repeat(50)),
        format!("{}ssh web01 changes", "eval ".repeat(3)),
        "f() { g; g; }; g() { h; h; }; h() { i; i; }; i() { j; j; }; j() { k; k; }; k() { l; l; }; l() { m; m; }; m() { n; n; }; \
         n() { o; o; }; o() { p; p; }; p() { reads; reads; }; f"
            .to_owned(),
        "bash -c ".to_owned() + &"\"bash -c ".repeat(20),
        "x=aaaaaaaaaa; ".to_owned() + &"x=$x$x; ".repeat(100),
    ] {
        let start = std::time::Instant::now();
        let _ = seen_in(&text, &Places::default(), &[]);
        // A bound that is missing takes minutes; what it takes exactly is the benchmarks' matter.
        assert!(start.elapsed().as_secs() < 20, "{}", &text[..50]);
    }
    let many = format!("{}ssh web01 changes", "reads;".repeat(4_500));
    assert_eq!(seen_in(&many, &Places::default(), &[]).verdict, Verdict::Unknown);
}
