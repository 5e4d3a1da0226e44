//! The verbs of a ZVM, one method each.
//!
//! Owns: paths and queries, the token's place in a call, and what a status means for a verb. Reads are tried again where
//! that may help; a verb that changes something is sent once. File restore is in `flr`, journals in `journal`, clones and
//! failover tests in `recovery`. Must not: hold a verb for a live failover or a move, know Zerto's field names, or decide
//! what may be tagged.

mod flr;
mod journal;
mod recovery;

pub use flr::{Download, broken_download};
pub use journal::Journal;

use super::auth::Auth;
pub use super::error::ChangeError;
use super::error::{ZvmError, ZvmErrorKind};
use super::http::{Answer, Broken, CALL, Call, Http, SMALL, Sends, encoded};
use super::model::{Checkpoint, LocalSite, ProtectedVm, Task, Vpg};
use super::wire::{self, Parsed, query_date, query_date_after};
use crate::config::ZvmConfig;
use crate::config::secret::Secret;
use crate::deadline::Deadline;
use crate::state::StateDir;
use crate::text::foreign;
use jiff::Timestamp;
use std::time::Duration;

/// A whole inventory: at some 4 KiB a row, more than 16 000 protected VMs.
const INVENTORY: u64 = 64 * 1024 * 1024;
const INVENTORY_TIME: Duration = Duration::from_secs(60);

const INSERT_KIND: &str = "InsertTaggedCP";

/// A configured ZVM. Threads may share it: they share its connections and its one token.
pub struct Zvm {
    http: Http,
    auth: Auth,
}

impl std::fmt::Debug for Zvm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Zvm").field("name", &self.name()).field("url", &self.url()).finish_non_exhaustive()
    }
}

impl Zvm {
    /// The ZVM of this configuration, every call of which ends by `deadline`. Opens no connection and does not touch
    /// the state folder yet; it does read `ca_file`, where one is set.
    ///
    /// # Errors
    /// `ca_file` or `proxy` cannot be used.
    pub fn new(config: &ZvmConfig, state: &StateDir, deadline: Deadline) -> Result<Self, ZvmError> {
        Ok(Self { http: Http::new(config, deadline)?, auth: Auth::new(config, state) })
    }

    /// The same, which does not wait longer than this because the ZVM asks for it (`Retry-After`): for work whose deadline is
    /// not one that anybody would wait for.
    #[must_use]
    pub fn pausing_at_most(mut self, longest: Duration) -> Self {
        self.http.longest_pause = longest;
        self
    }

    /// The user's name for it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.http.zvm.name
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.http.zvm.url
    }

    /// The site that it manages.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn local_site(&self) -> Result<LocalSite, ZvmError> {
        self.read("asking for its site", "/v1/localsite", wire::site)
    }

    /// Its clock. Where it does not answer that question, the time at which it said so.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn server_time(&self) -> Result<Timestamp, ZvmError> {
        let mut said_at = None;
        let asked = Read {
            trying: "asking for its time",
            path: "/v1/serverDateTime/serverDateTimeUtc",
            sends: Sends::Get,
            time: CALL,
            limit: SMALL,
        };
        let time = self.ask(&asked, |answer| {
            if answer.status != 401 && !is_success(answer) {
                said_at = answer.date;
            }
            wire::time(&answer.body)
        });
        match (time, said_at) {
            (Err(error), Some(time))
                if matches!(
                    error.kind,
                    ZvmErrorKind::Forbidden | ZvmErrorKind::NotFound | ZvmErrorKind::Refused(_)
                ) =>
            {
                Ok(time)
            }
            (time, _) => time,
        }
    }

    /// The rows of the VMs with this name: whole and whatever the case. How the ZVM's own filter compares is not
    /// documented, so it only narrows.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn vms_named(&self, name: &str) -> Result<Vec<ProtectedVm>, ZvmError> {
        let wanted = name.to_lowercase();
        let trying = format!("looking for the VM {}", foreign(name, 100));
        self.read(&trying, &format!("/v1/vms?vmName={}", encoded(name)), |body| {
            let mut rows = wire::vms(body)?;
            if rows.iter().any(|row| row.name.is_empty()) {
                // It may be the one that is looked for.
                return Err("a VM in it has no name".to_owned());
            }
            rows.retain(|row| row.name.to_lowercase() == wanted);
            Ok(rows)
        })
    }

    /// The rows of the VM with this identifier.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn vms_identified(&self, identifier: &str) -> Result<Vec<ProtectedVm>, ZvmError> {
        let trying = format!("looking for the VM {}", foreign(identifier, 100));
        self.read(&trying, &format!("/v1/vms?vmIdentifier={}", encoded(identifier)), |body| {
            let mut rows = wire::vms(body)?;
            rows.retain(|row| row.identifier.eq_ignore_ascii_case(identifier));
            Ok(rows)
        })
    }

    /// The whole inventory, up to 64 MiB of it, within a minute.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn all_vms(&self) -> Result<Vec<ProtectedVm>, ZvmError> {
        self.inventory("listing its VMs", "/v1/vms", wire::vms)
    }

    /// A VPG.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn vpg(&self, identifier: &str) -> Result<Vpg, ZvmError> {
        let trying = format!("reading the VPG {}", foreign(identifier, 100));
        self.read(&trying, &format!("/v1/vpgs/{}", encoded(identifier)), wire::vpg)
    }

    /// A task; none where the ZVM does not know it (yet).
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn task(&self, identifier: &str) -> Result<Option<Task>, ZvmError> {
        let trying = format!("reading the task {}", foreign(identifier, 100));
        match self.read(&trying, &format!("/v1/tasks/{}", encoded(identifier)), wire::task) {
            Ok(task) => Ok(Some(task)),
            Err(error) if error.kind == ZvmErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The inserts of tagged checkpoints that began at `since` (by the ZVM's clock) or later.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn insert_tasks_since(&self, since: Timestamp) -> Result<Vec<Task>, ZvmError> {
        let path = format!("/v1/tasks?startedAfterDate={}&type={INSERT_KIND}", encoded(&query_date(since)));
        let mut tasks = self.read("listing its inserts", &path, wire::tasks)?;
        // Should the filter be ignored, other work must not pass for an insert. A kind that is no name says nothing.
        tasks.retain(|task| {
            let kind = task.kind.as_str();
            !kind.chars().any(char::is_alphabetic) || kind.eq_ignore_ascii_case(INSERT_KIND)
        });
        Ok(tasks)
    }

    /// The VPG's checkpoints between two times of the ZVM's clock, in the order of the answer, which means nothing.
    /// A journal holds one every few seconds, so the span should be short.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn checkpoints(
        &self,
        vpg: &str,
        from: Timestamp,
        until: Option<Timestamp>,
    ) -> Result<Vec<Checkpoint>, ZvmError> {
        let trying = format!("listing the checkpoints of the VPG {}", foreign(vpg, 100));
        let mut path = format!("/v1/vpgs/{}/checkpoints?startDate={}", encoded(vpg), encoded(&query_date(from)));
        if let Some(until) = until {
            path.push_str("&endDate=");
            path.push_str(&encoded(&query_date_after(until)));
        }
        self.read(&trying, &path, wire::checkpoints)
    }

    /// Asks for a checkpoint with this tag, and returns the task that makes it. Sent once, after a 401 too: only who has
    /// looked whether it is being made all the same may send it again, and the look gets a new token. For an answer it
    /// waits no longer than half of what the deadline leaves, so that there is time to see what came of it.
    ///
    /// # Errors
    /// Whether nothing was inserted, or nobody knows.
    pub fn insert_checkpoint(&self, vpg: &str, tag: &str) -> Result<String, ChangeError> {
        let trying = format!("inserting a checkpoint into the VPG {}", foreign(vpg, 100));
        let path = format!("/v1/vpgs/{}/checkpoints", encoded(vpg));
        let body = wire::insert_body(tag);
        let call = Call {
            trying: &trying,
            path: &path,
            sends: Sends::json(&body),
            bearer: None,
            time: CALL.min(self.http.deadline.remaining() / 2),
            limit: SMALL,
        };
        self.change(&call, false, wire::new_identifier)
    }

    /// Breaks off the calls of other threads, and refuses new ones: for a signal's handler. What is still to be said to the
    /// ZVM, such as the end of a mount, takes a `Zvm` of its own.
    pub fn hang_up(&self) {
        self.http.hang_up();
    }

    /// A call that changes something: sent once. `again`: a second time after a 401, for what does no harm twice.
    fn change<T>(
        &self,
        call: &Call,
        mut again: bool,
        parse: impl FnOnce(&[u8]) -> Parsed<T>,
    ) -> Result<T, ChangeError> {
        let (answer, token) = self.authorised(call, &mut again).map_err(|broken| match broken.sent {
            true => ChangeError::AnswerLost(broken.error),
            false => ChangeError::Refused(broken.error),
        })?;
        if !is_success(&answer) {
            let error = self.http.refused(call.trying, &answer, &[token.expose()]).error;
            // The first three come from whoever stands in between as often as from the ZVM itself, and say nothing about
            // what it did with the request.
            return Err(match answer.status {
                408 | 502 | 504 => ChangeError::AnswerLost(error),
                401 | 429 | 500..=599 => ChangeError::Doubtful(error),
                _ => ChangeError::Refused(error),
            });
        }
        parse(&answer.body).map_err(|why| ChangeError::AnswerLost(self.http.nonsense(call.trying, &answer, &why).error))
    }

    fn read<T>(&self, trying: &str, path: &str, parse: impl Fn(&[u8]) -> Parsed<T>) -> Result<T, ZvmError> {
        let asked = Read { trying, path, sends: Sends::Get, time: CALL, limit: SMALL };
        self.ask(&asked, |answer| parse(&answer.body))
    }

    /// A read of all that there is of something.
    fn inventory<T>(&self, trying: &str, path: &str, parse: impl Fn(&[u8]) -> Parsed<T>) -> Result<T, ZvmError> {
        let asked = Read { trying, path, sends: Sends::Get, time: INVENTORY_TIME, limit: INVENTORY };
        self.ask(&asked, |answer| parse(&answer.body))
    }

    /// Asks, and asks again where that may help. `parse` sees refusals too, but what it makes of them is not used.
    fn ask<T>(&self, read: &Read, mut parse: impl FnMut(&Answer) -> Parsed<T>) -> Result<T, ZvmError> {
        let mut may_renew = true;
        self.http.retrying(|| {
            let call = Call {
                trying: read.trying,
                path: read.path,
                sends: read.sends,
                bearer: None,
                time: read.time,
                limit: read.limit,
            };
            let (answer, token) = self.authorised(&call, &mut may_renew)?;
            let parsed = parse(&answer);
            if !is_success(&answer) {
                return Err(self.http.refused(read.trying, &answer, &[token.expose()]));
            }
            parsed.map_err(|why| self.http.nonsense(read.trying, &answer, &why))
        })
    }

    /// One exchange with a token, and after a 401 one more with another token, if `may_renew` still says so.
    fn authorised(&self, call: &Call, may_renew: &mut bool) -> Result<(Answer, Secret), Broken> {
        let token = self.auth.token(&self.http)?;
        let answer = self.with_token(call, &token)?;
        if answer.status != 401 || !std::mem::take(may_renew) {
            return Ok((answer, token));
        }
        let token = self.auth.renewed(&self.http, &token)?;
        let answer = self.with_token(call, &token)?;
        Ok((answer, token))
    }

    fn with_token(&self, call: &Call, token: &Secret) -> Result<Answer, Broken> {
        self.http.once(&Call { bearer: Some(token), ..*call })
    }
}

/// What a read asks for.
struct Read<'a> {
    trying: &'a str,
    path: &'a str,
    /// A GET, or a POST that only asks.
    sends: Sends<'a>,
    time: Duration,
    limit: u64,
}

fn is_success(answer: &Answer) -> bool {
    (200..300).contains(&answer.status)
}

#[cfg(test)]
mod tests;
