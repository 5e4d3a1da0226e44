//! Any fields of a tag: it is at most 255 characters of printable ASCII, is read back as what was put in, and holds no secret; any
//! name of a checkpoint is read or is somebody else's.

use super::ground::{parts, text, within};
use jiff::Timestamp;
use zerto_guard::guard::tag::{self, Draft};

const SECRET: &str = "q7Vx2mLw9Tz";

/// Runs one input: agent, action, VMs (a line each) and change, parted by lines of `%%`.
pub fn run(bytes: &[u8]) {
    within(2, || any(text(bytes)));
}

fn any(text: &str) {
    if let Some(read) = tag::parse(text) {
        assert!(text.len() <= tag::LONGEST && !read.vms.is_empty());
        let stamp = text.rsplit(" | ").next().unwrap();
        assert_eq!(tag::stamp(read.time), stamp);
    }
    let [agent, action, vms, change] = parts(text);
    let vms: Vec<&str> = vms.lines().collect();
    let seconds = i64::from(action.len() as u32) * 7_919 + 1_700_000_000;
    let time = Timestamp::from_second(seconds).unwrap();
    let draft = Draft::new(agent, action, &vms, change);
    let made = draft.stamped(time);
    assert!(made.len() <= tag::LONGEST && made.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{made}");
    let read = tag::parse(&made).unwrap_or_else(|| panic!("not read back: {made}"));
    assert_eq!((&read.agent, &read.change), (&tag::agent_name(agent), &tag::change_id(change)), "{made}");
    assert_eq!(read.time, time);
    assert_eq!(read.vms.len() + read.more, vms.len().max(1), "{made}");
    assert!(!read.change.contains(':'));
    let count = if read.more > 0 { format!(",+{}", read.more) } else { String::new() };
    let again = format!(
        "ai:{} | {} | vm={}{count} | change={} | {}",
        read.agent,
        read.action,
        read.vms.join(","),
        read.change,
        tag::stamp(read.time)
    );
    assert_eq!(again, made);
    // What is the same is the same; what was cut or replaced says so.
    if draft.is_same_change(&read) {
        assert_eq!((read.agent.as_str(), read.change.as_str()), (agent, change));
    } else {
        let plain = |field: &str| tag::agent_name(field) == field || tag::change_id(field) == field;
        let faithful = plain(agent) && plain(change) && read.more == 0 && vms.iter().all(|vm| tag::vm_name(vm) == *vm);
        assert!(!faithful || made.contains("...") || agent.len() > 24 || vms.is_empty() || change.contains(':'), "{made}");
    }
    if !action.contains(&SECRET[..6]) {
        let with = Draft::new(agent, &format!("run --password={SECRET} {action}"), &["web01"], change).stamped(time);
        assert!(!with.contains(&SECRET[..6]) || [agent, change].iter().any(|field| field.contains(&SECRET[..6])), "{with}");
    }
}
