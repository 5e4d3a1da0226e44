//! `zerto-guard rewind cat TAG:PATH`: a guest's file as it was at the tag, to stdout.

use super::super::Context;
use super::at_tag::AtTag;
use super::looking::bring;
use crate::errands::mounting::{cautions, mount_plan, unmount_object, with_cautions};
use crate::rewind::diff::LONGEST;
use crate::rewind::save::Whole;
use crate::text::{foreign, visible};
use crate::ui::{Failure, terminal};
use clap::Args;
use serde_json::json;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind cat latest:/etc/app.yaml
  zerto-guard rewind cat 'chg-412:C:\\Users\\j\\app.conf' --vm win01 --yes > app.conf

It mounts the disks of the VM as they were at the tag, after a yes on the terminal or with --yes, and unmounts them whatever
happens. Stdout gets the file's bytes and nothing else, and only once the whole file is here, of the size that the ZVM lists,
and the disks are unmounted; until then it is kept in TMPDIR. If it does not come whole, stdout gets nothing and the exit code
is 1. On a terminal control characters are shown as ^X, and what is no text is refused.
Exit codes: 0 done, a reader that closes the pipe included; 1 the transfer failed; 3 no such tag, VM or file; 4 more than one;
5 not confirmed, or a folder, or no text and a terminal; 6 the ZVM can't be reached, is not trusted, or refused the login or the
right; 130 and 143 after a signal, once everything is unmounted.")]
pub struct Cat {
    #[command(flatten)]
    at: AtTag,
}

impl Cat {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let desk = context.desk()?;
        let front = context.front(self.at.yes);
        let (found, path) = self.at.find(&desk, front.as_ref())?;
        let goes = if context.printer.is_json() { "is written to stdout as JSON" } else { "is written to stdout" };
        let plan = format!("{}\n{} {goes}.", mount_plan(&found, &desk), foreign(&path.typed, 300));
        front.confirm(&with_cautions(plan, &cautions(&found, &path)), "Go on?")?;
        let brought = bring(&front, &desk, &found, &path)?;
        let mut whole = brought.whole;
        if context.printer.is_json() {
            let object = json!({
                "ok": true,
                "vm": found.vm.name,
                "path": path.typed,
                "tag": found.tagged.tag,
                "checkpoint": found.place.checkpoint,
                "size": whole.size,
                "sha256": whole.sha256,
                "text": as_text(&mut whole)?,
                "unmount": unmount_object(&brought.unmounted),
                "warnings": brought.warnings,
            });
            context.printer.result("", &object)?;
        } else if terminal::is_out() {
            show(&mut whole, &path.typed, context)?;
        } else {
            context.printer.bytes(whole.part.file())?;
        }
        Ok(0)
    }
}

/// The text of a file that is one, and short enough to be kept.
fn as_text(whole: &mut Whole) -> io::Result<Option<String>> {
    if usize::try_from(whole.size).map_or(true, |size| size > LONGEST) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    whole.part.file().read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).ok())
}

/// On a terminal, line by line.
fn show(whole: &mut Whole, path: &str, context: &mut Context) -> Result<(), Failure> {
    /// As much as git looks at to tell a binary file.
    const LOOK: u64 = 8000;
    let mut begins = Vec::new();
    whole.part.file().take(LOOK).read_to_end(&mut begins)?;
    let is_text = match std::str::from_utf8(&begins) {
        Ok(_) => true,
        // A letter may be cut in two where the look ends.
        Err(error) => error.error_len().is_none(),
    };
    if !is_text || begins.contains(&0) {
        let message = format!("{} is no text ({} bytes), and stdout is a terminal.", foreign(path, 300), whole.size);
        let hint = "Send it to a file or a program, or take `zerto-guard rewind recover`.";
        return Err(Failure::new(5, message, hint));
    }
    whole.part.file().rewind()?;
    let mut lines = BufReader::new(whole.part.file());
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line without an end must not be kept whole.
        if (&mut lines).take(64 * 1024).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        context.printer.bytes(&mut visible(&String::from_utf8_lossy(&line)).as_bytes())?;
    }
}
