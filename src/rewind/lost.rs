//! Which session a mount has made whose answer could not be read.
//!
//! It is the one new live session of the same VM, VPG and checkpoint. If there are several, or the ZVM says that the one is
//! somebody else's, none is: ending a colleague's session would be worse than leaving one. After an answer that says no, which
//! a colleague's session may be the reason of, it is ours only if the ZVM says so. Must not: end anything.

use super::ending::look;
use super::session::sessions_text;
use super::sessions::begun_by;
use crate::deadline::Deadline;
use crate::zvm::model::FlrSession;
use crate::zvm::{Zvm, ZvmError, ZvmErrorKind};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// A mount that was asked for.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// The position of the ZVM.
    pub zvm: usize,
    pub vm: String,
    pub vpg: String,
    pub checkpoint: String,
    /// The sessions of the VM that were live before.
    pub noted: Vec<String>,
    /// When it was asked for, by the ZVM's clock; none where it did not tell.
    pub since: Option<Timestamp>,
    /// What the ZVM answered.
    pub heard: Heard,
}

/// What is known of the answer to a mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// Nothing, or nothing that can be read.
    Nothing,
    /// That it was refused, and yet something has come of it, or may have.
    No,
    /// That it makes this session.
    Session(String),
}

impl Order {
    /// Whether that session was live before.
    pub(super) fn is_older(&self, session: &str) -> bool {
        self.noted.iter().any(|noted| noted.eq_ignore_ascii_case(session))
    }
}

impl Heard {
    /// As the beginning of a sentence's part.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Nothing => "the ZVM's answer to the mount was lost",
            Self::No => "the ZVM refused the mount, and may have begun it all the same",
            Self::Session(_) => "the ZVM does not show the session that it answered the mount with",
        }
    }
}

/// What came of the mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Session {
    /// No session.
    None,
    /// This one.
    Ours(String),
    /// There is something new, but what is not plain: why, for people.
    Unsure(String),
}

/// Whether the ZVM says that no mount of the VM has begun since the order. What it has begun may come into sight a moment after
/// a no; an answer about the login alone was given before anything was.
pub(super) fn nothing_came(zvm: &Zvm, order: &Order, error: &ZvmError) -> bool {
    const LATER: Duration = Duration::from_secs(2);
    let is_new = |session: &FlrSession| session.is_live() && !order.is_older(&session.identifier);
    let nothing = || zvm.flr_sessions_of(&order.vm).is_ok_and(|listed| !listed.iter().any(is_new));
    if error.kind == ZvmErrorKind::Login {
        return nothing();
    }
    nothing() && {
        std::thread::sleep(LATER);
        nothing()
    }
}

/// How long one new session is watched before it is taken for ours: a colleague's may come into sight before it.
const SETTLES: Duration = Duration::from_secs(2);

/// Looks for it, for so long.
pub(super) fn find(zvm: &Zvm, order: &Order, user: &str, patience: Duration) -> Result<Session, ZvmError> {
    if let Heard::Session(named) = &order.heard
        && let Some(session) = look(zvm, named)?
        && may_be_ours(&session, order)
    {
        return Ok(Session::Ours(session.identifier));
    }
    let deadline = Deadline::after(patience);
    let mut settled: Option<Deadline> = None;
    loop {
        let new = new_sessions(zvm, order)?;
        match new.as_slice() {
            [] if deadline.passed() => return Ok(Session::None),
            [] => settled = None,
            [one] => {
                let until = *settled.get_or_insert_with(|| Deadline::after(SETTLES.min(patience)));
                if until.passed() {
                    return Ok(judged(zvm, order, user, one));
                }
            }
            several => return Ok(Session::Unsure(unsure(order, "more than one new session is there", several))),
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The live sessions that were not there before and may be ours. What a ZVM does not say of one, it may have.
fn new_sessions(zvm: &Zvm, order: &Order) -> Result<Vec<FlrSession>, ZvmError> {
    let is_new = |session: &FlrSession| session.is_live() && may_be_ours(session, order);
    Ok(zvm.flr_sessions_of(&order.vm)?.into_iter().filter(is_new).collect())
}

/// Whether nothing that the ZVM says of a session speaks against its being the one that was ordered.
pub(super) fn may_be_ours(session: &FlrSession, order: &Order) -> bool {
    let same = |theirs: &str, ours: &str| theirs.is_empty() || theirs.eq_ignore_ascii_case(ours);
    !order.is_older(&session.identifier)
        && same(&session.vm_identifier, &order.vm)
        && same(&session.vpg_identifier, &order.vpg)
        && same(&session.checkpoint, &order.checkpoint)
}

/// The one new session, and who the ZVM's tasks say began it.
fn judged(zvm: &Zvm, order: &Order, user: &str, session: &FlrSession) -> Session {
    const BEFORE: SignedDuration = SignedDuration::from_secs(5);
    let by = order.since.and_then(|since| begun_by(zvm, &session.identifier, since.checked_sub(BEFORE).ok()?));
    judge(order, session, by.as_deref(), user)
}

/// Ours, unless somebody else began it or the ZVM does not say what it mounts: then it may be anybody's.
fn judge(order: &Order, session: &FlrSession, by: Option<&str>, user: &str) -> Session {
    let stated = [&session.vm_identifier, &session.vpg_identifier, &session.checkpoint];
    let why = match by {
        _ if stated.iter().any(|told| told.is_empty()) => {
            "a new session is there of which it does not say whose VM, VPG and checkpoint it mounts".into()
        }
        Some(by) if !names(by, user) => {
            format!("a new session is there, which {} began", crate::text::foreign(by, 60))
        }
        None if order.heard == Heard::No => "a new session is there of which it does not say who began it".into(),
        _ => return Session::Ours(session.identifier.clone()),
    };
    Session::Unsure(unsure(order, &why, std::slice::from_ref(session)))
}

/// Whether what a ZVM says of somebody names this user: `admin` is in `CORP\admin`, `admin@corp.example` and
/// `admin (local)`, and neither in `zerto-admin` nor in `admin2`. A client's own account has a prefix of Keycloak's.
pub(super) fn names(by: &str, user: &str) -> bool {
    const ACCOUNT: &str = "service-account-";
    let (by, user) = (by.to_lowercase(), user.to_lowercase());
    let is_of_a_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    !user.is_empty()
        && by.match_indices(user.as_str()).any(|(at, _)| {
            let before = by.get(..at).unwrap_or_default();
            let before = before.strip_suffix(ACCOUNT).unwrap_or(before);
            let after = by.get(at + user.len()..).unwrap_or_default();
            !before.ends_with(is_of_a_name) && !after.starts_with(is_of_a_name)
        })
}

fn unsure(order: &Order, what: &str, sessions: &[FlrSession]) -> String {
    format!(
        "{}, and {what}, so none was ended, lest it be a colleague's: {}.",
        order.heard.words(),
        sessions_text(sessions).join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::{Heard, Order, Session, judge, names};
    use crate::zvm::model::FlrSession;

    #[test]
    fn a_session_is_ours_only_if_all_of_it_is_known() {
        let whole = FlrSession {
            identifier: "s".into(),
            vm_identifier: "vm".into(),
            vpg_identifier: "vpg".into(),
            checkpoint: "7".into(),
            status: "MountInProgress".into(),
            started: None,
        };
        let ours = Session::Ours("s".into());
        let order = |heard| Order {
            zvm: 0,
            vm: "vm".into(),
            vpg: "vpg".into(),
            checkpoint: "7".into(),
            noted: vec![],
            since: None,
            heard,
        };
        let (lost, no) = (order(Heard::Nothing), order(Heard::No));
        assert_eq!(judge(&lost, &whole, None, "me"), ours);
        for order in [&lost, &no] {
            assert_eq!(judge(order, &whole, Some("CORP\\me"), "me"), ours);
        }
        // A colleague's session may be why the answer was no.
        assert!(matches!(judge(&no, &whole, None, "me"), Session::Unsure(why) if why.contains("s (")));
        assert!(
            matches!(judge(&lost, &whole, Some("bob"), "me"), Session::Unsure(why) if why.contains("bob") && why.contains("s ("))
        );
        for (vm, vpg, checkpoint) in [("", "vpg", "7"), ("vm", "", "7"), ("vm", "vpg", "")] {
            let [vm, vpg, checkpoint] = [vm, vpg, checkpoint].map(str::to_owned);
            let part = FlrSession { vm_identifier: vm, vpg_identifier: vpg, checkpoint, ..whole.clone() };
            assert!(matches!(judge(&lost, &part, Some("me"), "me"), Session::Unsure(_)), "{part:?}");
        }
    }

    #[test]
    fn a_name_is_ours_only_as_a_whole() {
        for (by, user, ours) in [
            ("admin", "admin", true),
            ("CORP\\Admin", "admin", true),
            ("admin@corp.example", "admin", true),
            ("Admin (local)", "admin", true),
            ("admin@corp.example", "admin@corp.example", true),
            ("service-account-guard", "guard", true),
            ("zerto-admin", "admin", false),
            ("administrator", "admin", false),
            ("admin2", "admin", false),
            ("admin.bob", "admin", false),
            ("bob", "admin", false),
            ("bob", "", false),
        ] {
            assert_eq!(names(by, user), ours, "{by} {user}");
        }
    }
}
