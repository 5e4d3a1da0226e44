//! The parts of a recovery's errors that take more than a line to say. Pure.

use super::Elsewhere;
use crate::rewind::ending::Unmounted;
use crate::rewind::select::{Tagged, Unsure};
use crate::text::{beginning, foreign, inside};

pub(super) fn listed(vms: &[(String, String)]) -> String {
    vms.iter()
        .map(|(name, identifier)| format!("{} ({})", foreign(name, 80), foreign(identifier, 100)))
        .collect::<Vec<_>>()
        .join(", ")
}

pub(super) fn vm_text(named: &str) -> String {
    if named.is_empty() { "no VM".into() } else { format!("\"{}\"", inside(named, 200)) }
}

pub(super) fn sites(vpgs: &[Elsewhere]) -> String {
    let line =
        |vpg: &Elsewhere| format!("VPG {} recovers to site \"{}\"", foreign(&vpg.vpg, 80), inside(&vpg.site, 100));
    vpgs.iter().map(line).collect::<Vec<_>>().join(", ")
}

pub(super) fn live_text(live: &[String]) -> String {
    match live {
        [] => String::new(),
        _ => format!(" The VM is mounted already, by FLR session {}.", live.join(", ")),
    }
}

pub(super) fn lost_text(ended: Option<&Unmounted>) -> String {
    match ended {
        None => "No new session came of it.".into(),
        Some(ended) if ended.ok => {
            format!("The session that came of it, {}, was ended.", foreign(&ended.session_id, 100))
        }
        Some(_) => "What came of it, if anything did, was not ended.".into(),
    }
}

pub(super) fn after_signal(ended: Option<&Unmounted>) -> String {
    match ended {
        None => "; nothing was mounted".into(),
        Some(ended) if ended.ok => "; nothing stays mounted".into(),
        Some(_) => String::new(),
    }
}

pub(super) fn on_vm(vm: &str, exists: Option<&str>) -> String {
    let vm = if vm.is_empty() { String::new() } else { format!(" on {}", foreign(vm, 80)) };
    let exists = exists.map(|folder| format!("; {} is", foreign(folder, 300))).unwrap_or_default();
    format!("{vm}{exists}")
}

pub(super) fn lines(places: &[String]) -> String {
    places.iter().take(20).map(|place| format!("\n  {}", beginning(place, 300))).collect()
}

/// What a folder holds, as the end of a sentence.
pub(super) fn holds(entries: &[String], more: bool) -> String {
    match entries {
        [] => ", and there is nothing in it.".into(),
        _ => format!(" with:{}{}", lines(entries), if more || entries.len() > 20 { "\n  and more" } else { "" }),
    }
}

pub(super) fn because(remark: &str) -> String {
    match remark.trim().trim_end_matches('.') {
        "" => ".".into(),
        remark => format!(": {}.", foreign(remark, 300)),
    }
}

pub(super) fn some_lines(failed: &[String]) -> String {
    const SHOWN: usize = 20;
    let lines: String = failed.iter().take(SHOWN).map(|line| format!("\n  {}", beginning(line, 800))).collect();
    let more = failed.len().saturating_sub(SHOWN);
    if more > 0 { format!("{lines}\n  and {more} more") } else { lines }
}

pub(super) fn unsure(unsure: &Unsure) -> String {
    match unsure {
        Unsure::Nothing { wanted } => format!("No tag is \"{}\".", inside(wanted, 300)),
        Unsure::Several { wanted, tags } => {
            const SHOWN: usize = 20;
            let line = |tagged: &Tagged| {
                let places = tagged.places.iter().map(|place| {
                    let time = place.time.map(|time| time.strftime(", %Y-%m-%d %H:%M:%S UTC").to_string());
                    let (vpg, checkpoint) = (foreign(&place.vpg, 60), foreign(&place.checkpoint, 30));
                    format!("{vpg} checkpoint {checkpoint}{}", time.unwrap_or_default())
                });
                format!("\n  {}  ({})", beginning(&tagged.tag, 300), places.collect::<Vec<_>>().join("; "))
            };
            let lines: String = tags.iter().take(SHOWN).map(line).collect();
            let more = tags.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
            format!("\"{}\" is more than one tag:{lines}{more}", inside(wanted, 300))
        }
    }
}
