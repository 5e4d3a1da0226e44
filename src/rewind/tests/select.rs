//! Spellings of a tag, and what fits them.

use super::*;

fn listed(tag: &str, vpg: &str, checkpoint: &str, second: i64) -> Listed {
    Listed {
        vpg: vpg.into(),
        vpg_identifier: format!("{vpg}-id"),
        checkpoint: checkpoint.into(),
        time: Some(Timestamp::from_second(second).unwrap()),
        tag: tag.into(),
    }
}

const FIRST: &str = "ai:claude | edit /etc/a: b | vm=web01 | change=chg-412 | 20260921T150405Z";
const SECOND: &str = "ai:codex | restart nginx | vm=web01,db01 | change=c7 | 20260921T160000Z";
const THIRD: &str = "ai:claude | rm x | vm=web01 | change=chg-412 | 20260921T170000Z";
const FOREIGN: &str = "backup of db: nightly";

fn tags() -> Vec<Tagged> {
    joined(vec![
        listed(FIRST, "web", "38", 100),
        listed(THIRD, "web", "60", 300),
        listed(SECOND, "web", "51", 201),
        listed(SECOND, "db", "60", 200),
        listed(FOREIGN, "db", "99", 400),
    ])
}

fn chosen(text: &str) -> Result<String, Unsure> {
    select(&tags(), &Wanted::parse(text)).map(|tagged| tagged.tag)
}

#[test]
fn the_newest_is_first_and_a_tag_on_two_vpgs_is_one() {
    let tags = tags();
    assert_eq!(tags.iter().map(|tagged| tagged.tag.as_str()).collect::<Vec<_>>(), [FOREIGN, THIRD, SECOND, FIRST]);
    let second = &tags[2];
    assert_eq!(second.places.len(), 2);
    assert_eq!(second.time, Some(Timestamp::from_second(200).unwrap()), "the first of its checkpoints");
    assert!(tags[0].says.is_none());
}

#[test]
fn where_no_time_is_listed_the_tag_tells() {
    let tags = joined(vec![Listed { time: None, ..listed(FIRST, "web", "1", 0) }]);
    assert_eq!(tags[0].time.unwrap().to_string(), "2026-09-21T15:04:05Z");
}

#[test]
fn every_spelling_finds_its_tag() {
    for (text, tag) in [
        ("latest", THIRD),
        ("latest~0", THIRD),
        ("latest~1", SECOND),
        ("latest~2", FIRST),
        ("c7", SECOND),
        ("change=c7", SECOND),
        ("38", FIRST),
        ("99", FOREIGN),
        (FIRST, FIRST),
        (FOREIGN, FOREIGN),
    ] {
        assert_eq!(chosen(text).as_deref(), Ok(tag), "{text}");
    }
}

#[test]
fn what_fits_nothing_or_several_is_no_tag() {
    for text in ["latest~3", "latest~x", "latest~-1", "c8", "change=38", "", "37", "change="] {
        assert_eq!(chosen(text), Err(Unsure::Nothing { wanted: text.into() }), "{text}");
    }
    for (text, several) in [("chg-412", [THIRD, FIRST]), ("60", [THIRD, SECOND])] {
        let Err(Unsure::Several { tags, .. }) = chosen(text) else { panic!("{text}") };
        assert_eq!(tags.iter().map(|tagged| tagged.tag.as_str()).collect::<Vec<_>>(), several, "{text}");
    }
}

#[test]
fn a_tag_ends_where_its_path_begins() {
    let tags = tags();
    for (text, name, path) in [
        ("latest:/etc/app.yaml", "latest", "/etc/app.yaml"),
        ("latest~2:C:\\Users\\j\\app.conf", "latest~2", "C:\\Users\\j\\app.conf"),
        ("change=c7:C:/x", "change=c7", "C:/x"),
        ("38:/a:b", "38", "/a:b"),
        ("backup of db: nightly:/etc/x:y", FOREIGN, "/etc/x:y"),
    ] {
        assert_eq!(parted(text, &tags), Some((name, path)), "{text}");
    }
    let whole = format!("{FIRST}:/etc/a: b");
    assert_eq!(parted(&whole, &[]), Some((FIRST, "/etc/a: b")));
    let both = format!("{FIRST}:C:\\x | 20260921T150405Z:y");
    assert_eq!(parted(&both, &[]).unwrap().0, FIRST);
    for text in ["latest", "latest:", ":/etc/x", "", FOREIGN.split_once(':').unwrap().0] {
        assert_eq!(parted(text, &tags), None, "{text}");
    }
}

#[test]
fn a_change_id_is_found_as_it_was_given() {
    // In a tag its colon is a dash.
    let tags = joined(vec![listed("ai:cli | x | vm=a | change=JIRA-7-1 | 20260921T150405Z", "a", "1", 1)]);
    assert!(select(&tags, &Wanted::parse("JIRA-7:1")).is_ok());
}
