//! `zerto-guard rewind diff TAG:PATH [FILE | TAG:PATH]`: what has changed in a guest's file.

use super::super::Context;
use super::at_tag::AtTag;
use super::looking::{MaybeBrought, bring_if_there};
use crate::errands::mounting::{cautions, mount_plan, unmount_object, with_cautions};
use crate::errands::{Front, while_waiting};
use crate::rewind::desk::Desk;
use crate::rewind::diff::{Content, Diff as Difference, Line, LineKind, Outcome, Side, compare};
use crate::rewind::ending::Unmounted;
use crate::rewind::error::RewindError;
use crate::rewind::find::Found;
use crate::rewind::newest::newest;
use crate::rewind::path::GuestPath;
use crate::rewind::select::parted;
use crate::text::{clean, foreign, visible};
use crate::ui::{Failure, Printer, Tone, pager, terminal};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long the shortest diff is looked for.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind diff latest:/etc/app.yaml
  zerto-guard rewind diff latest:/etc/app.yaml ./app.yaml
  zerto-guard rewind diff chg-412:/etc/app.yaml chg-413:/etc/app.yaml --yes > app.diff

Lines with - are those of the first file, lines with + those of the second one; without a second one that is the same path at
the newest checkpoint of the VPG. A local FILE whose name looks like TAG:PATH is written ./FILE. Stdout gets what `patch`
takes. Files that are no UTF-8 text, have over 16 MiB or over 500,000 lines are compared by size and SHA-256. A file that was not
there at a tag is /dev/null; where it is at neither, the exit code is 3.
It mounts the disks of the VM as they were, after a yes on the terminal or with --yes, for two tags one after the other, and
unmounts them whatever happens.
Exit codes: 0 compared, differences or not; 1 failed; 3 no such tag, VM or file; 4 more than one; 5 not confirmed, or a folder;
6 the ZVM can't be reached, is not trusted, or refused the login or the right; 130 and 143 after a signal, once everything is
unmounted.")]
pub struct Diff {
    #[command(flatten)]
    at: AtTag,
    /// What to compare it with: a local file, or a path at another tag [default: the newest checkpoint]
    #[arg(value_name = "FILE | TAG:PATH")]
    with: Option<String>,
}

/// What the file at the tag is compared with.
enum Other {
    Local(PathBuf, Side),
    Tagged(Box<Found>, GuestPath),
    Newest(Box<Found>),
}

/// A side, why it is not there, and how its mount ended.
struct Brought {
    side: Side,
    missing: Option<RewindError>,
    unmounted: Unmounted,
    warnings: Vec<String>,
}

impl Diff {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let desk = context.desk()?;
        let front = context.front(self.at.yes);
        // Before anything is asked of a ZVM.
        let local = self.with.as_deref().filter(|with| !is_tagged(with)).map(local).transpose()?;
        let looked = while_waiting(front.as_ref(), "looking for the tag", None, || {
            let (found, path) = self.at.another(self.at.what(), &desk)?;
            let other = match (local, &self.with) {
                (Some((file, side)), _) => Some(Other::Local(file, side)),
                (None, Some(with)) => {
                    let (found, path) = self.at.another(with, &desk)?;
                    Some(Other::Tagged(Box::new(found), path))
                }
                (None, None) => newest(&desk, &found)?.map(|found| Other::Newest(Box::new(found))),
            };
            Ok::<_, RewindError>((found, path, other))
        });
        let (found, path, other) = looked?;
        let Some(other) = other else { return nothing_newer(context, &found, &path) };
        front.confirm(&plan(&found, &path, &other, &desk), "Go on?")?;
        self.compared(context, &front, &desk, (&found, &path), other)
    }

    fn compared(
        &self,
        context: &mut Context,
        front: &Arc<dyn Front>,
        desk: &Arc<Desk>,
        (found, path): (&Found, &GuestPath),
        other: Other,
    ) -> Result<u8, Failure> {
        let old = side(front, desk, found, path)?;
        let mut ended = vec![unmount_object(&old.unmounted)];
        let mut warnings = old.warnings;
        let (new, missing) = match other {
            Other::Local(_, side) => (side, None),
            Other::Tagged(second, second_path) => {
                may_mount_again(&old.unmounted)?;
                let new = side(front, desk, &second, &second_path)?;
                ended.push(unmount_object(&new.unmounted));
                warnings.extend(new.warnings);
                (new.side, new.missing)
            }
            Other::Newest(second) => {
                may_mount_again(&old.unmounted)?;
                let new = side(front, desk, &second, path)?;
                ended.push(unmount_object(&new.unmounted));
                warnings.extend(new.warnings);
                (new.side, new.missing)
            }
        };
        let missing = match (old.missing, missing) {
            // It is at neither: most likely it is misspelled.
            (Some(error), Some(_)) => return Err(error.into()),
            (one, other) => one.or(other),
        };
        let diff = compare(&old.side, &new, PATIENCE);
        if let Some(error) = missing {
            let gone = if old.side.content.is_none() { &old.side } else { &new };
            let warning = format!("{}: {error} It is compared with no file. {}", clean(&gone.when, 260), error.hint());
            context.printer.note(&format!("zerto-guard: {warning}"));
            warnings.push(warning.replace('\n', " "));
        }
        show(context, &diff, &old.side, &new, &ended, &warnings)?;
        Ok(0)
    }
}

/// Whether it is a path at a tag, and not a local file: by its form, and where that is not plain, by whether a file of that
/// name is there.
fn is_tagged(text: &str) -> bool {
    if text.starts_with(['.', '/']) {
        return false;
    }
    match parted(text, &[]) {
        Some((_, path)) if GuestPath::parse(path).is_ok() => true,
        Some(_) => !Path::new(text).exists(),
        None => false,
    }
}

/// A local file, read.
fn local(name: &str) -> Result<(PathBuf, Side), Failure> {
    let file = PathBuf::from(name);
    let shown = foreign(name, 300);
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::new(
            3,
            format!("There is no file {shown} here."),
            "A path at another tag is written TAG:PATH; without a second file the newest checkpoint is compared.",
        ),
        _ => Failure::new(1, format!("{shown} can't be read: {error}"), ""),
    };
    let entry = fs::metadata(&file).map_err(failed)?;
    if entry.is_dir() {
        return Err(Failure::new(5, format!("{shown} is a folder."), "Name the file in it."));
    }
    let content = File::open(&file).and_then(Content::read).map_err(failed)?;
    let time = entry.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    let when = time.map(|time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()).unwrap_or_default();
    Ok((file, Side { name: name.to_owned(), when, content: Some(content) }))
}

/// There is one mount at a time, so what is still mounted bars the second one.
fn may_mount_again(ended: &Unmounted) -> Result<(), Failure> {
    match ended.warning() {
        Some(warning) => {
            Err(Failure::new(1, "The first mount could not be ended, so the second one was not begun.", warning))
        }
        None => Ok(()),
    }
}

/// When a side is from: its tag, or that it is the newest checkpoint.
fn when(found: &Found) -> String {
    let time = found.place.time.map(|time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()).unwrap_or_default();
    match found.tagged.says {
        // That ends with its time.
        Some(_) => found.tagged.tag.clone(),
        None if found.tagged.tag.is_empty() => {
            format!("{time} checkpoint {}", found.place.checkpoint).trim().to_owned()
        }
        None => format!("{} {time}", found.tagged.tag).trim().to_owned(),
    }
}

fn side(front: &Arc<dyn Front>, desk: &Arc<Desk>, found: &Found, path: &GuestPath) -> Result<Brought, Failure> {
    let MaybeBrought { whole, unmounted, warnings } = bring_if_there(front, desk, found, path)?;
    let name = format!("{}:{}", found.vm.name, path.typed);
    let (content, missing) = match whole {
        Ok(mut whole) => (Some(Content::read(whole.part.file())?), None),
        Err(error) => (None, Some(error)),
    };
    Ok(Brought { side: Side { name, when: when(found), content }, missing, unmounted, warnings })
}

fn plan(found: &Found, path: &GuestPath, other: &Other, desk: &Desk) -> String {
    let shown = foreign(&path.typed, 300);
    let (more, with) = match other {
        Other::Local(file, _) => (String::new(), format!("the local file {}", clean(&file.to_string_lossy(), 300))),
        Other::Tagged(second, path) => (
            format!("\nAfter that, and after the first mount has ended:\n{}", mount_plan(second, desk)),
            format!("{} there", foreign(&path.typed, 300)),
        ),
        Other::Newest(second) => {
            let time = second.place.time.map(|time| format!(" of {}", time.strftime("%Y-%m-%d %H:%M:%S UTC")));
            (
                format!(
                    "\nAfter that, and after the first mount has ended, it mounts and unmounts them in the same way as they were at \
                     the newest checkpoint of that VPG, {}{}.",
                    foreign(&second.place.checkpoint, 40),
                    time.unwrap_or_default()
                ),
                "the same path there".to_owned(),
            )
        }
    };
    let plan = format!("{}{more}\n{shown} is compared with {with}.", mount_plan(found, desk));
    with_cautions(plan, &cautions(found, path))
}

/// Where the tag is the newest checkpoint, nothing is mounted.
fn nothing_newer(context: &mut Context, found: &Found, path: &GuestPath) -> Result<u8, Failure> {
    let text = format!(
        "The tag is the newest checkpoint of VPG {}, so nothing has changed since as far as Zerto can tell yet. Nothing was mounted.",
        foreign(&found.place.vpg, 80)
    );
    if !context.printer.is_json() {
        context.printer.note(&format!("zerto-guard: {text}"));
    }
    let side = json!({"name": format!("{}:{}", found.vm.name, path.typed), "when": when(found)});
    let object = json!({
        "ok": true, "result": "same", "diff": "", "removed": 0, "added": 0, "old": side, "new": side, "unmounts": [],
        "warnings": [text],
    });
    context.printer.result("", &object)?;
    Ok(0)
}

fn show(
    context: &mut Context,
    diff: &Difference,
    old: &Side,
    new: &Side,
    unmounts: &[Value],
    warnings: &[String],
) -> Result<(), Failure> {
    if context.printer.is_json() {
        let (removed, added) = match diff.outcome {
            Outcome::Text { removed, added } => (Some(removed), Some(added)),
            Outcome::Same => (Some(0), Some(0)),
            Outcome::Binary | Outcome::TooLong => (None, None),
        };
        let bytes: Vec<u8> = diff.lines.iter().flat_map(|line| line.bytes.iter().copied()).collect();
        let object = json!({
            "ok": true,
            "result": diff.outcome.word(),
            "diff": String::from_utf8_lossy(&bytes),
            "removed": removed,
            "added": added,
            "old": object(old),
            "new": object(new),
            "unmounts": unmounts,
            "warnings": warnings,
        });
        context.printer.result("", &object)?;
        return Ok(());
    }
    if diff.outcome == Outcome::Same {
        let size = old.content.as_ref().map(|content| format!(" ({} bytes, SHA-256 {})", content.size, content.sha256));
        let (old, new) = (called(old), called(new));
        context.printer.note(&format!("zerto-guard: {old} and {new} are the same{}", size.unwrap_or_default()));
        return Ok(());
    }
    if diff.hurried {
        context.printer.note("zerto-guard: the files differ so much that the diff is longer than it need be");
    }
    if terminal::is_out() {
        let text: Vec<String> = diff.lines.iter().map(|line| shown(line, &context.printer)).collect();
        pager::show(&text.join("\n"), &mut context.printer)?;
        return Ok(());
    }
    let bytes: Vec<u8> = diff.lines.iter().flat_map(|line| line.bytes.iter().copied()).collect();
    context.printer.bytes(&mut bytes.as_slice())?;
    Ok(())
}

fn called(side: &Side) -> String {
    match side.when.as_str() {
        "" => foreign(&side.name, 300),
        when => format!("{} ({})", foreign(&side.name, 300), clean(when, 260)),
    }
}

/// A line as a terminal may have it.
fn shown(line: &Line, printer: &Printer) -> String {
    let text = visible(&String::from_utf8_lossy(&line.bytes));
    let text = text.trim_end_matches('\n');
    match line.kind {
        LineKind::Head => printer.paint(Tone::Strong, text),
        LineKind::Place => printer.paint(Tone::Faint, text),
        LineKind::Removed => printer.paint(Tone::Bad, text),
        LineKind::Added => printer.paint(Tone::Good, text),
        LineKind::Both | LineKind::Note => text.to_owned(),
    }
}

fn object(side: &Side) -> Value {
    json!({
        "name": side.name,
        "when": side.when,
        "exists": side.content.is_some(),
        "size": side.content.as_ref().map(|content| content.size),
        "sha256": side.content.as_ref().map(|content| &content.sha256),
    })
}
