use super::*;
use proptest::prelude::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn now() -> Timestamp {
    at("2026-09-21T15:04:05.987Z")
}

fn tag(agent: &str, action: &str, vms: &[&str], change: &str) -> String {
    Draft::new(agent, action, vms, change).stamped(now())
}

#[test]
fn the_example_of_the_contract() {
    assert_eq!(
        tag("claude", "edit /etc/nginx/nginx.conf", &["web01"], "chg-412"),
        "ai:claude | edit /etc/nginx/nginx.conf | vm=web01 | change=chg-412 | 20260921T150405Z"
    );
}

#[test]
fn several_vms_stand_in_one_tag() {
    let text = tag("claude", "restart nginx", &["web01", "web02"], "c1");
    assert_eq!(text, "ai:claude | restart nginx | vm=web01,web02 | change=c1 | 20260921T150405Z");
    assert_eq!(parse(&text).unwrap().vms, ["web01", "web02"]);
}

#[test]
fn vms_without_room_are_counted() {
    let names: Vec<String> = (1..=40).map(|n| format!("webserver{n:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = tag("claude", &"apt-get upgrade ".repeat(9), &names, "c1");
    let read = parse(&text).unwrap();
    assert!(text.len() <= LONGEST);
    assert_eq!(read.vms.len() + read.more, 40);
    assert!(read.more > 0 && read.action.len() >= ACTION_AT_LEAST - CUT.len(), "{text}");
    assert!(read.action.ends_with(CUT));
}

#[test]
fn what_is_not_printable_ascii_is_replaced() {
    for (field, clean) in [
        ("a|b", "a/b"),
        ("a | b", "a / b"),
        ("a\nb\r\n\tc", "a b c"),
        ("  a   b  ", "a b"),
        ("caf\u{e9} \u{1f600}", "caf? ?"),
        ("a\u{0}b\u{1b}[31mc\u{7f}d\u{202e}e", "a b [31mc d?e"),
        ("a\u{2028}b", "a b"),
        ("", "-"),
        ("\n", "-"),
    ] {
        let text = tag(field, field, &[field], field);
        let read = parse(&text).unwrap();
        assert_eq!([&read.agent, &read.action, &read.vms[0], &read.change], [clean; 4], "{field:?}");
    }
}

#[test]
fn a_vm_name_stays_one_name() {
    let read = parse(&tag("a", "b", &["web,01", "+3"], "c")).unwrap();
    assert_eq!(read.vms, ["web_01", "_3"]);
    assert_eq!(read.more, 0);
}

#[test]
fn a_change_holds_no_colon() {
    assert_eq!(parse(&tag("a", "b", &["c"], "JIRA:12:3")).unwrap().change, "JIRA-12-3");
    assert_eq!(change_id("JIRA:12:3"), "JIRA-12-3");
}

#[test]
fn a_field_that_was_cut_is_found_by_what_was_given() {
    let (agent, change) = ("an-agent-with-a-very-long-name", "c".repeat(200));
    let read = parse(&tag(agent, "b", &["c"], &change)).unwrap();
    assert_eq!((read.agent, read.change), (agent_name(agent), change_id(&change)));
}

#[test]
fn the_action_gives_way_first() {
    let long = "x".repeat(400);
    let text = tag("claude", &long, &["web01"], "chg-412");
    assert_eq!(text.len(), LONGEST);
    assert!(text.ends_with("... | vm=web01 | change=chg-412 | 20260921T150405Z"), "{text}");
}

#[test]
fn everything_too_long_at_once_still_fits() {
    let long = "x".repeat(400);
    let text = tag(&long, &long, &[&long, &long, &long], &long);
    assert!(text.len() <= LONGEST, "{}", text.len());
    let read = parse(&text).unwrap();
    assert_eq!(read.more, 2);
    assert_eq!(read.time, at("2026-09-21T15:04:05Z"));
    assert!(read.change.len() == LONGEST_CHANGE && read.agent.len() == LONGEST_AGENT);
}

#[test]
fn a_vm_name_of_vsphere_is_never_cut() {
    // vSphere allows 80 characters.
    let name = "v".repeat(80);
    let long = "x".repeat(400);
    let read = parse(&tag(&long, &long, &[&name], &long)).unwrap();
    assert_eq!(read.vms, [name]);
}

#[test]
fn no_secret_of_the_action_stands_in_the_tag() {
    for action in [
        "PGPASSWORD=hunter2\npsql -c 'select 1'",
        "curl -H 'Authorization: Bearer hunter2hunter2hunter2' https://web01/",
        "mysql -uroot -phunter2 shop",
        "curl https://joe:hunter2@web01/x",
        "run --password=\"hunter2\" | tee x",
        "run --password 'hunter2|hunter2' x",
        "run --password h\u{e9}hunter2 x",
    ] {
        let text = tag("claude", action, &["web01"], "c1");
        assert!(!text.contains("hunter2"), "{text}");
        assert!(text.contains("***"), "{text}");
    }
}

#[test]
fn a_secret_is_gone_before_the_action_is_cut() {
    // Cut first, and the rule would not see the whole of it.
    for pad in 100..220 {
        let text = tag("claude", &format!("{} --token=hunter2hunter2", "x".repeat(pad)), &["web01"], "c1");
        assert!(!text.contains("hunter"), "{text}");
    }
}

#[test]
fn foreign_names_are_no_tags() {
    for text in [
        "",
        "before upgrade",
        "ai:claude",
        "ai:claude | edit | vm=web01 | change=c",
        "ai:claude | edit | vm=web01 | change=c | 20260921T150405",
        "ai:claude | edit | vm=web01 | change=c | 20261321T150405Z",
        "ai:claude | edit | vm=web01 | change=c | 2026092 T150405Z",
        "ai:claude | edit | vm=web01 | change=c | 20260921T150405Z | more",
        "ai:claude | edit | change=c | vm=web01 | 20260921T150405Z",
        "ai: | edit | vm=web01 | change=c | 20260921T150405Z",
        "ai:claude | edit | vm= | change=c | 20260921T150405Z",
        "ai:claude | edit | vm=a,+x | change=c | 20260921T150405Z",
        "AI:claude | edit | vm=web01 | change=c | 20260921T150405Z",
        "ai:claude | \u{e9}dit | vm=web01 | change=c | 20260921T150405Z",
    ] {
        assert_eq!(parse(text), None, "{text:?}");
    }
}

#[test]
fn a_clock_gone_wild_still_gives_a_stamp() {
    assert_eq!(stamp(Timestamp::MIN), "19700101T000000Z");
    assert_eq!(stamp(Timestamp::MAX), "99991230T000000Z");
}

#[test]
fn the_same_change_is_told_by_vms_agent_and_change() {
    let draft = Draft::new("claude", "restart nginx", &["web01", "web02"], "c1");
    let is_same =
        |agent, action, vms: &[&str], change| draft.is_same_change(&parse(&tag(agent, action, vms, change)).unwrap());
    assert!(is_same("claude", "stop nginx", &["web02", "web01"], "c1"));
    assert!(!is_same("codex", "restart nginx", &["web01", "web02"], "c1"));
    assert!(!is_same("claude", "restart nginx", &["web01"], "c1"));
    assert!(!is_same("claude", "restart nginx", &["web01", "web02", "web03"], "c1"));
    assert!(!is_same("claude", "restart nginx", &["web01", "web02"], "c2"));
}

#[test]
fn what_was_cut_or_replaced_is_never_the_same_change() {
    let long = "x".repeat(200);
    for (agent, vm, change) in
        [("a", "v\u{e9}", "c"), ("a", "v", "c:1"), ("a", "v", long.as_str()), ("a\u{e9}", "v", "c")]
    {
        let draft = Draft::new(agent, "x", &[vm], change);
        assert!(!draft.is_same_change(&parse(&draft.stamped(now())).unwrap()), "{agent} {vm}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_tag_fits_and_reads_back(
        agent in ".{0,60}", action in "(?s).{0,300}", change in ".{0,120}",
        vms in prop::collection::vec(".{0,100}", 0..12),
        second in -100_000_000_000_i64..300_000_000_000,
    ) {
        let names: Vec<&str> = vms.iter().map(String::as_str).collect();
        let draft = Draft::new(&agent, &action, &names, &change);
        let time = Timestamp::from_second(second).unwrap_or(Timestamp::MAX);
        let text = draft.stamped(time);
        prop_assert!(text.len() <= LONGEST);
        prop_assert!(text.chars().all(|c| c == ' ' || c.is_ascii_graphic()));
        let read = parse(&text);
        prop_assert!(read.is_some(), "{}", text);
        let read = read.unwrap();
        prop_assert_eq!(stamp(read.time), stamp(time));
        prop_assert_eq!(read.vms.len() + read.more, vms.len().max(1));
        // What was read back makes the very same tag again, unless VMs were left out of it.
        if read.more == 0 {
            let names: Vec<&str> = read.vms.iter().map(String::as_str).collect();
            let again = Draft::new(&read.agent, &read.action, &names, &read.change);
            prop_assert_eq!(again.stamped(read.time), text);
        }
    }
}
