//! The verbs of file level restore: sessions, looking into them, downloads.
//!
//! Owns: how pages follow one another, and where a download's link may be fetched. Must not: decide which session is ours,
//! or whether one is ended.

use super::{CALL, INVENTORY, INVENTORY_TIME, Read, SMALL, Zvm};
use crate::text::foreign;
use crate::zvm::error::{ChangeError, ZvmError, ZvmErrorKind};
use crate::zvm::http::{Broken, Call, Opened, Sends, Stream, encoded};
use crate::zvm::model::{DownloadLink, FlrItem, FlrPage, FlrSession, Task};
use crate::zvm::wire;
use jiff::Timestamp;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

/// A mount and its end are answered when they have begun; a ZVM that is busy may take its time.
const BEGIN: Duration = Duration::from_secs(60);

/// What to do where the right is missing (10.9 refuses the role by a fault of its own; measured).
const ROLES: &str = "Restoring files takes an account with the role Administrator or File Level Restore operator; a ZVM 10.9 \
                     refuses the second one by a fault of its own, and an Administrator is the way round.";

impl Zvm {
    /// The file level restore sessions that it lists, those that are over included.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn flr_sessions(&self) -> Result<Vec<FlrSession>, ZvmError> {
        self.read("listing its FLR sessions", "/v1/flrs", wire::flr_sessions).map_err(with_roles)
    }

    /// Those of one VM, and those of which the ZVM does not say of which VM they are.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn flr_sessions_of(&self, vm: &str) -> Result<Vec<FlrSession>, ZvmError> {
        let trying = format!("listing the FLR sessions of the VM {}", foreign(vm, 100));
        self.read(&trying, &format!("/v1/flrs?vmIdentifier={}", encoded(vm)), |body| {
            let mut sessions = wire::flr_sessions(body)?;
            sessions.retain(|s| s.vm_identifier.is_empty() || s.vm_identifier.eq_ignore_ascii_case(vm));
            Ok(sessions)
        })
        .map_err(with_roles)
    }

    /// A session; none where the ZVM does not know it (any more).
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn flr_session(&self, identifier: &str) -> Result<Option<FlrSession>, ZvmError> {
        let trying = format!("reading the FLR session {}", foreign(identifier, 100));
        let path = format!("/v1/flrs/{}", encoded(identifier));
        match self.read(&trying, &path, |body| wire::flr_session(body, identifier)) {
            Err(error) if error.kind == ZvmErrorKind::NotFound => Ok(None),
            session => session.map_err(with_roles),
        }
    }

    /// Begins to mount a VM's disks as they were at a checkpoint of that VPG, and returns the session's identifier. It is
    /// mounted once the session [is ready](FlrSession::is_ready). Sent once, after a 401 too, as an insert is.
    ///
    /// # Errors
    /// Whether nothing was mounted, or nobody knows.
    pub fn mount(&self, vm: &str, vpg: &str, checkpoint: &str) -> Result<String, ChangeError> {
        let trying =
            format!("mounting the VM {} as it was at checkpoint {}", foreign(vm, 100), foreign(checkpoint, 40));
        let body = wire::mount_body(vm, vpg, checkpoint);
        let sends = Sends::json(&body);
        let call = Call { trying: &trying, path: "/v1/flrs", sends, bearer: None, time: BEGIN, limit: SMALL };
        self.change(&call, false, wire::new_identifier).map_err(|error| match error {
            ChangeError::Refused(error) => ChangeError::Refused(with_roles(error)),
            lost => lost,
        })
    }

    /// The mounts that began at `since` (by the ZVM's clock) or later: the tasks of the kind `FlrJournalMount` (event names
    /// of Zerto's Python SDK), each with its session and whose it is.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn mount_tasks_since(&self, since: Timestamp) -> Result<Vec<Task>, ZvmError> {
        let path = format!("/v1/tasks?startedAfterDate={}&type=FlrJournalMount", encoded(&wire::query_date(since)));
        self.read("listing its mounts", &path, wire::tasks)
    }

    /// Begins to end a session, and returns the task that does it; none where the ZVM took the order and named no task
    /// (that it names one is inferred).
    ///
    /// # Errors
    /// Whether nothing was begun, or nobody knows.
    pub fn unmount(&self, session: &str) -> Result<Option<String>, ChangeError> {
        let trying = format!("ending the FLR session {}", foreign(session, 100));
        let path = format!("/v1/flrs/{}", encoded(session));
        let call = Call { trying: &trying, path: &path, sends: Sends::Delete, bearer: None, time: BEGIN, limit: SMALL };
        let task = self.change(&call, true, |body| Ok(wire::new_identifier(body).ok()));
        task.map_err(|error| match error {
            ChangeError::Refused(error) => ChangeError::Refused(with_roles(error)),
            lost => lost,
        })
    }

    /// One page of what a path holds; the empty path holds the partitions. Without a number it is the first page: whether
    /// that is 0 or 1 is not documented, nor how long a page is.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn browse_page(&self, session: &str, path: &str, page: Option<u32>) -> Result<FlrPage, ZvmError> {
        let trying = match path {
            "" => "listing the partitions".to_owned(),
            path => format!("looking into {}", foreign(path, 200)),
        };
        let body = wire::browse_body(path, page);
        let asked = Read {
            trying: &trying,
            path: &format!("/v1/flrs/{}/browse", encoded(session)),
            sends: Sends::Ask(&body),
            time: INVENTORY_TIME,
            limit: INVENTORY,
        };
        self.ask(&asked, |answer| wire::flr_page(&answer.body, path)).map_err(with_roles)
    }

    /// All that a path holds, each entry once, page by page, until `each` has had enough; and the entry itself, where the
    /// ZVM describes it.
    ///
    /// No answer says how many there are, and a short page may only be a ZVM's own limit: so it is read until a page
    /// brings nothing new.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn browse(
        &self,
        session: &str,
        path: &str,
        mut each: impl FnMut(FlrItem) -> ControlFlow<()>,
    ) -> Result<Option<FlrItem>, ZvmError> {
        let first = self.browse_page(session, path, None)?;
        // Digests and not the paths: a folder may hold hundreds of thousands. Two of 64 bits with keys of chance each make it
        // as good as impossible that one is taken for another.
        let keys = (RandomState::new(), RandomState::new());
        let mut seen = HashSet::new();
        // Whether a page brings something new; none if `each` has had enough.
        let mut take = |items: Vec<FlrItem>| -> Option<bool> {
            let mut is_new = false;
            for item in items {
                if seen.insert((keys.0.hash_one(&item.path), keys.1.hash_one(&item.path))) {
                    is_new = true;
                    if each(item).is_break() {
                        return None;
                    }
                }
            }
            Some(is_new)
        };
        if take(first.items) != Some(true) {
            return Ok(first.main);
        }
        for number in 1.. {
            let page = match self.browse_page(session, path, Some(number)) {
                Ok(page) => page.items,
                // Past the end, if the first page can still be had; else something is wrong.
                Err(error) if matches!(error.kind, ZvmErrorKind::NotFound | ZvmErrorKind::Refused(_)) => {
                    self.browse_page(session, path, None).map_err(|_| error)?;
                    break;
                }
                Err(error) => return Err(error),
            };
            let is_empty = page.is_empty();
            match take(page) {
                Some(true) => {}
                // Where the first page is number 1, that one is the same again.
                Some(false) if number == 1 && !is_empty => {}
                _ => break,
            }
        }
        Ok(first.main)
    }

    /// Asks for a link to these files and folders of a session.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn download_link(&self, session: &str, paths: &[&str]) -> Result<DownloadLink, ZvmError> {
        let of = match paths {
            [path] => foreign(path, 200),
            _ => format!("{} files", paths.len()),
        };
        let trying = format!("asking for the download of {of}");
        let body = wire::download_body(paths);
        let asked = Read {
            trying: &trying,
            path: &format!("/v1/flrs/{}/download", encoded(session)),
            sends: Sends::Ask(&body),
            time: INVENTORY_TIME,
            limit: SMALL,
        };
        let link = self.ask(&asked, |answer| wire::link(&answer.body, self.url())).map_err(with_roles)?;
        Ok(DownloadLink { of, ..link })
    }

    /// Begins a download. The bytes may be the file's or those of a zip: no source says which.
    ///
    /// Whatever host the link names, it is this ZVM that is asked for its path, and that the token goes to. The deadline
    /// does not count from here on: a byte has to come within a minute of the one before.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`].
    pub fn download(&self, link: &DownloadLink) -> Result<Download<'_>, ZvmError> {
        let trying = format!("downloading {}", link.of);
        let call =
            Call { trying: &trying, path: &link.path, sends: Sends::Get, bearer: None, time: CALL, limit: SMALL };
        let led_away = |mut error: ZvmError| {
            if let Some(elsewhere) = &link.elsewhere {
                error.message.push_str(&format!(
                    " Its link leads to {elsewhere}, which is not the address that this ZVM is configured with; only the \
                     latter is asked, since the token goes with it."
                ));
            }
            with_roles(error)
        };
        let token = self.auth.token(&self.http)?;
        let mut opened = self.open(&call, &token).map_err(led_away)?;
        let mut token = token;
        if matches!(&opened, Opened::Answer(answer) if answer.status == 401) {
            token = self.auth.renewed(&self.http, &token)?;
            opened = self.open(&call, &token).map_err(led_away)?;
        }
        match opened {
            Opened::Stream(stream) => Ok(Download { zvm: self, trying, stream }),
            Opened::Answer(answer) => Err(led_away(self.http.refused(&trying, &answer, &[token.expose()]).error)),
        }
    }

    fn open(&self, call: &Call, token: &crate::config::secret::Secret) -> Result<Opened, ZvmError> {
        let opened = self.http.open(&Call { bearer: Some(token), ..*call });
        opened.map_err(|Broken { error, .. }| error)
    }
}

fn with_roles(mut error: ZvmError) -> ZvmError {
    if error.kind == ZvmErrorKind::Forbidden {
        ROLES.clone_into(&mut error.hint);
    }
    error
}

/// The bytes of a download, to be read in constant memory. An answer that breaks off is an error and never an end, as far
/// as the answer tells: where it does not say how long it is, and ends with its connection, only the file's size does.
///
/// What is wrong stands in the error: see [`broken_download`].
pub struct Download<'a> {
    zvm: &'a Zvm,
    trying: String,
    stream: Stream,
}

impl std::fmt::Debug for Download<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Download")
            .field("zvm", &self.zvm.name())
            .field("length", &self.length())
            .finish_non_exhaustive()
    }
}

impl Download<'_> {
    /// How many bytes will come, where the answer says so. For a zip that is not the file's size.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        self.stream.length()
    }
}

impl io::Read for Download<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                Err(io::Error::other(self.zvm.http.stream_broke(&self.trying, error, &self.stream)))
            }
            read => read,
        }
    }
}

/// What a download's error says, if that is where this error comes from (and not from the disk, say).
///
/// # Errors
/// The error as it was.
pub fn broken_download(error: io::Error) -> Result<ZvmError, io::Error> {
    error.downcast::<ZvmError>()
}
