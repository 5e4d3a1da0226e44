//! Any bytes are what a ZVM answers to any of the client's verbs: no row is lost, nothing is taken for done that does not say so,
//! identifiers and texts are fit for a URL and a terminal, and no message holds a secret, though the answer may.

use super::ground::{first, within};
use super::server::{self, PASSWORD, Reply, Server, TOKEN, check};
use jiff::Timestamp;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::io::Read as _;
use std::ops::ControlFlow;
use zerto_guard::text::is_clean;
use zerto_guard::zvm::model::{Checkpoint, Task, TaskState, Vpg};
use zerto_guard::zvm::{ChangeError, Zvm, ZvmError};

/// Most answers are successes, else little of a body is read.
const STATUSES: [u16; 16] = [200, 200, 200, 200, 200, 200, 201, 202, 302, 400, 401, 403, 404, 429, 500, 503];

/// Runs one input: a byte for the verb, one for the status, then the body; `TOKEN` in it is the client's own, or its
/// password.
pub fn run(bytes: &[u8]) {
    let (verb, bytes) = first(bytes);
    let (status, body) = first(bytes);
    let status = STATUSES[usize::from(status % 16)];
    let body = match std::str::from_utf8(body) {
        // Who logs in knows no token yet, and has a password.
        Ok(text) if verb % 28 == 27 => text.replace("TOKEN", PASSWORD).into_bytes(),
        Ok(text) => text.replace("TOKEN", TOKEN).into_bytes(),
        Err(_) => body.to_vec(),
    };
    // Nothing that it says of where else to go or when to come again changes what is asked.
    let head = match std::str::from_utf8(&body) {
        Ok(text) if status >= 300 => {
            let line: String = text.chars().filter(|c| matches!(c, ' '..='~')).take(200).collect();
            format!("Location: {line}\r\nRetry-After: {line}\r\n")
        }
        _ => String::new(),
    };
    within(5, || server::with(|server| any(server, verb, Reply { status, head, body })));
}

fn any(server: &Server, verb: u8, reply: Reply) {
    let (status, body) = (reply.status, reply.body.clone());
    let bare = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body);
    let json: Option<Value> = serde_json::from_slice(bare).ok();
    // What is in a field that nobody reads need not even be text.
    let rows = serde_json::from_slice::<Vec<IgnoredAny>>(bare).ok().map(|rows| rows.len());
    if verb % 28 == 27 {
        let zvm = server.client_without_token(reply);
        if let Err(error) = zvm.local_site() {
            check(&error);
        }
        return;
    }
    let zvm = server.client(reply);
    let now: Timestamp = "2026-09-21T15:04:05Z".parse().unwrap();
    read_or_change(&zvm, verb % 28, status, now, json.as_ref(), rows);
    for head in server.asked() {
        assert!(head.starts_with(&format!("{} /v1/", head.split(' ').next().unwrap())), "{head}");
    }
}

fn read_or_change(zvm: &Zvm, verb: u8, status: u16, now: Timestamp, json: Option<&Value>, rows: Option<usize>) {
    match verb {
        0 => {
            let Some(vms) = read(zvm.all_vms(), status) else { return };
            assert_eq!(Some(vms.len()), rows, "a VM was lost");
            for vm in &vms {
                identifiers(&[&vm.identifier, &vm.vpg_identifier]);
                texts(vm.addresses.iter().chain([&vm.name, &vm.vpg_name, &vm.guest_os]));
            }
        }
        1 => drop(read(zvm.vms_named("web01"), status).map(|vms| {
            assert!(vms.iter().all(|vm| vm.name.eq_ignore_ascii_case("web01")));
        })),
        2 => drop(read(zvm.vms_identified("id.vm-1"), status).map(|vms| {
            assert!(vms.iter().all(|vm| vm.identifier.eq_ignore_ascii_case("id.vm-1")));
        })),
        3 => drop(read(zvm.vpg("v"), status).iter().map(vpg).count()),
        4 => drop(read(zvm.vpgs(), status).map(|vpgs| {
            assert_eq!(Some(vpgs.len()), rows, "a VPG was lost");
            vpgs.iter().for_each(vpg);
        })),
        5 => drop(read(zvm.local_site(), status).map(|site| {
            assert!(!site.name.is_empty() || site.identifier.is_some());
            texts([&site.name, &site.site_type, &site.version]);
        })),
        6 => drop(read(zvm.server_time(), status)),
        7 => drop(read(zvm.task("t"), status).flatten().map(|found| task(&found, json))),
        8 => drop(read(zvm.insert_tasks_since(now), status).map(|tasks| {
            assert!(tasks.len() <= rows.unwrap_or_default());
            tasks.iter().for_each(|found| task(found, None));
        })),
        9 => drop(read(zvm.mount_tasks_since(now), status)),
        10 => drop(read(zvm.tasks_of("v", now), status).map(|tasks| {
            assert!(tasks.iter().all(|task| task.vpgs.iter().any(|vpg| vpg.eq_ignore_ascii_case("v"))));
        })),
        11 => drop(read(zvm.checkpoints("v", now, Some(now)), status).map(|found| {
            assert_eq!(Some(found.len()), rows, "a checkpoint was lost");
            found.iter().for_each(checkpoint);
        })),
        12 => drop(read(zvm.journal_span("v"), status).flatten().map(|(one, other)| {
            checkpoint(&one);
            checkpoint(&other);
        })),
        13 => drop(read(zvm.points_in_time("m", "v", now, now), status).map(|points| {
            assert!(points.len() <= rows.unwrap_or_default());
            points.iter().for_each(|point| checkpoint(&point.checkpoint));
        })),
        14 => drop(read(zvm.peer_sites(), status).map(|sites| assert_eq!(Some(sites.len()), rows))),
        15 => drop(read(zvm.unprotected_vms("s"), status).map(|found| assert_eq!(Some(found.len()), rows))),
        16 => drop(read(zvm.datastores("s"), status).map(|found| assert_eq!(Some(found.len()), rows))),
        17 => drop(read(zvm.flr_sessions(), status).map(|found| {
            assert_eq!(Some(found.len()), rows, "a session was lost");
            found.iter().for_each(|session| identifiers(&[&session.identifier]));
        })),
        18 => drop(read(zvm.flr_session("s"), status).flatten().map(|session| {
            assert!(session.identifier.eq_ignore_ascii_case("s"), "another session");
        })),
        19 => drop(read(zvm.browse_page("s", "partition#0 Ext4/etc", None), status).map(|page| {
            assert!(page.items.iter().all(|item| !item.path.is_empty()));
        })),
        20 => {
            // The same page again and again comes to an end.
            let mut seen = std::collections::HashSet::new();
            let each = |item: zerto_guard::zvm::model::FlrItem| {
                assert!(seen.insert(item.path.clone()), "{} is told twice", item.path);
                ControlFlow::Continue(())
            };
            if let Err(error) = zvm.browse("s", "partition#0 Ext4", each) {
                check(&error);
            }
        }
        21 => changed(zvm.insert_checkpoint("v", "ai:claude"), status, json),
        22 => changed(zvm.mount("m", "v", "1"), status, json),
        23 => changed(zvm.start_clone("v", "1", None), status, json),
        24 => changed(zvm.start_failover_test("v", "1"), status, json),
        25 => changed(zvm.stop_failover_test("v", true, "x"), status, json),
        _ => match zvm.unmount("s") {
            Ok(task) => assert!(status < 300 && task.is_none_or(|task| is_clean(&task, 300))),
            Err(error) => lost(&error, status),
        },
    }
}

/// What a read brought; a failure has to be one that may be told.
fn read<T>(result: Result<T, ZvmError>, status: u16) -> Option<T> {
    match result {
        Ok(value) => {
            assert!(status < 300 || status == 404 || status >= 400, "{status} taken for an answer");
            Some(value)
        }
        Err(error) => {
            check(&error);
            None
        }
    }
}

/// A change that brought an identifier was told one, and one that did not is only taken for refused where the ZVM refused it.
fn changed(result: Result<String, ChangeError>, status: u16, json: Option<&Value>) {
    match result {
        Ok(id) => {
            assert!(status < 300 && json.is_some_and(|json| json.is_string() || json.is_number() || json.is_boolean()), "{id}");
            identifiers(&[&id]);
        }
        Err(error) => lost(&error, status),
    }
}

fn lost(error: &ChangeError, status: u16) {
    check(error.error());
    if let ChangeError::Refused(error) = error {
        assert!(status >= 300, "{status} taken for a refusal: {error}");
    }
}

fn identifiers(ids: &[&String]) {
    for id in ids {
        assert!(!id.trim().is_empty() && is_clean(id, 300), "{id:?}");
    }
}

fn texts<'t>(texts: impl IntoIterator<Item = &'t String>) {
    for text in texts {
        assert!(is_clean(text, 300), "{text:?}");
    }
}

fn vpg(vpg: &Vpg) {
    identifiers(&[&vpg.identifier]);
    texts([&vpg.name, &vpg.protected_site.name, &vpg.recovery_site.name]);
    assert!(is_clean(&vpg.description, 700), "{vpg:?}");
}

fn checkpoint(checkpoint: &Checkpoint) {
    identifiers(&[&checkpoint.identifier]);
    texts(&checkpoint.tag);
}

/// Nothing is done that the answer does not call so: by its number, or its word.
fn task(task: &Task, json: Option<&Value>) {
    identifiers(&[&task.identifier]);
    texts([&task.kind, &task.reason, &task.initiated_by]);
    let Some(json) = json.filter(|_| task.state == TaskState::Completed) else { return };
    let text = json.to_string().to_ascii_lowercase();
    assert!(text.contains('6') || text.contains("completed"), "{text}");
}

/// The bytes of a download, read to their end.
pub fn drain(zvm: &Zvm, link: &zerto_guard::zvm::model::DownloadLink) -> Result<Vec<u8>, ZvmError> {
    let mut bytes = Vec::new();
    let mut download = zvm.download(link)?;
    match download.read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(zerto_guard::zvm::broken_download(error).unwrap()),
    }
}
