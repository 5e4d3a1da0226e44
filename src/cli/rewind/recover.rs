//! `zerto-guard rewind recover TAG:PATH`: a file, or a folder, as it was at the tag.

use super::super::Context;
use super::mounting::{
    AtTag, Lasting, Told, cautions, confirm, mount_plan, mounted_for_good, unmount_object, with_cautions,
};
use crate::rewind::desk::Desk;
use crate::rewind::ending::Unmounted;
use crate::rewind::error::RewindError;
use crate::rewind::find::Found;
use crate::rewind::goal::shown;
use crate::rewind::put_back;
use crate::rewind::recover::{Order, Recovered, Tell, recover};
use crate::text::{bytes_text, clean, foreign};
use crate::ui::Failure;
use crate::ui::progress::Progress;
use clap::Args;
use serde_json::{Value, json};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// How many files of a folder, and how many of what was left out, are shown to people.
const SHOWN: usize = 20;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind recover latest:/etc/app.yaml
  zerto-guard rewind recover chg-412:/etc/nginx --recursive --output /tmp/nginx-before
  zerto-guard rewind recover 'latest~1:C:\\Users\\j\\app.conf' --vm win01 --output app.conf --force

It mounts the disks of the VM as they were at the tag, after a yes on the terminal or with --yes, and unmounts them whatever
happens. The file comes whole or not at all; nothing is written into the guest: the line that would put it back is shown.
Exit codes: 0 done; 1 the transfer failed; 3 no such tag, VM or file; 4 more than one; 5 not confirmed, or something stands at
the goal; 6 the ZVM can't be reached, is not trusted, or refused the login or the right; 130 and 143 after a signal, once
everything is unmounted.")]
pub struct Recover {
    #[command(flatten)]
    at: AtTag,
    /// Where it goes [default: into this folder, under its own name]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Bring a folder too, file by file
    #[arg(short, long)]
    recursive: bool,
    /// Replace a file that stands there, and keep it beside the new one
    #[arg(short, long)]
    force: bool,
}

impl Recover {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let desk = super::desk(&config, context)?;
        let quiet = context.printer.is_json();
        let (found, path) = self.at.find(&desk, quiet)?;
        let goal = match self.output {
            Some(output) => output,
            None => Order::own_name(&path).map_err(RewindError::Save)?,
        };
        let order = Order { path, goal, recursive: self.recursive, force: self.force };
        // Before anybody is asked, and before anything is mounted.
        let replaces = order.check().map_err(RewindError::Save)?;
        let mut warnings = cautions(&found, &order.path);
        confirm(context, &plan(&found, &desk, &order, replaces, &warnings), "Go on?", self.at.yes)?;

        let told = Told::default();
        let (inner_desk, vm, inner_order, inner_told) =
            (Arc::clone(&desk), found.vm.clone(), order.clone(), told.clone());
        let Lasting { done: recovered, unmounted, .. } = mounted_for_good(context, &desk, &found, move |mount| {
            let progress = Progress::new(quiet);
            let warn = |text: &str| inner_told.warn(text);
            let at = |name: &str, done, whole| progress.at(&clean(name, 60), done, whole);
            recover(mount, &inner_desk, &vm, &inner_order, &Tell { at: &at, warn: &warn })
        })?;
        warnings.splice(0..0, found.warnings.iter().cloned());
        warnings.extend(told.take());
        warnings.extend(unmounted.warning());
        let host = put_back::host(&found.vm, &desk.hosts);
        let line = put_back::line(&order.goal, matches!(recovered, Recovered::Tree(_)), &order.path, host);
        let text = text(&recovered, &order, line.as_deref(), &unmounted);
        let object = object(&recovered, &order, line.as_deref(), &unmounted, &warnings);
        let said = context.printer.result(&text, &object);
        said.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => error.into(),
            _ => Failure::new(
                1,
                format!(
                    "{} has come, but what there is to say of it could not be written: {error}",
                    shown(&order.goal)
                ),
                "",
            ),
        })?;
        Ok(0)
    }
}

/// All that will happen.
fn plan(found: &Found, desk: &Desk, order: &Order, replaces: bool, warnings: &[String]) -> String {
    let (path, goal) = (foreign(&order.path.typed, 300), shown(&order.goal));
    let brings = match (order.recursive, replaces) {
        (true, false) if order.goal.is_dir() && order.force => format!(
            "{path}, with all that is in it if it is a folder, goes into the folder {goal}; each file that it replaces there is \
             kept beside the new one, as NAME.before-TIME."
        ),
        (true, false) => format!("{path}, with all that is in it if it is a folder, goes to {goal}."),
        (_, false) => format!("{path} goes to {goal}, which is a new file."),
        (_, true) => format!("{path} replaces {goal}; what stands there now is kept beside it, as {goal}.before-TIME."),
    };
    let plan = format!("{}\n{brings}", mount_plan(found, desk));
    with_cautions(plan, warnings)
}

fn text(recovered: &Recovered, order: &Order, line: Option<&str>, unmounted: &Unmounted) -> String {
    let mut text = match recovered {
        Recovered::File(file) => {
            let kept = file.kept.as_ref().map(|kept| format!("\nWhat stood there is {}.", shown(kept)));
            let (name, size) = (shown(&file.file), sized(file.size));
            format!("{name}: {size}, SHA-256 {}{}", file.sha256, kept.unwrap_or_default())
        }
        Recovered::Tree(tree) => {
            let mut text = String::new();
            for file in tree.files.iter().take(SHOWN) {
                let kept = file.kept.as_ref().map(|kept| format!(" (what stood there is {})", shown(kept)));
                let (name, size) = (shown(&file.file), sized(file.size));
                text.push_str(&format!("{name}: {size}, SHA-256 {}{}\n", file.sha256, kept.unwrap_or_default()));
            }
            if tree.files.len() > SHOWN {
                text.push_str(&format!("and {} more\n", tree.files.len() - SHOWN));
            }
            for out in tree.left_out.iter().take(SHOWN) {
                text.push_str(&format!("left out: {} ({})\n", foreign(&out.path, 300), clean(&out.why, 200)));
            }
            if tree.left_out.len() > SHOWN {
                text.push_str(&format!("and {} more left out\n", tree.left_out.len() - SHOWN));
            }
            let count = if tree.files.len() == 1 { "1 file".into() } else { format!("{} files", tree.files.len()) };
            text.push_str(&format!("{count} in {}: {}", shown(&tree.folder), sized(tree.size())));
            text
        }
    };
    if unmounted.ok {
        text.push_str("\nThe disks are unmounted again.");
    }
    match line {
        Some(line) => {
            let shell = if order.path.drive.is_some() { ", in PowerShell" } else { "" };
            text.push_str(&format!("\nTo put it back{shell}:\n  {line}"));
        }
        None => text.push_str("\nIts name holds what a terminal does not show, so no line to put it back is shown."),
    }
    text
}

/// Exact, and as people read it.
fn sized(size: u64) -> String {
    if size < 1024 { bytes_text(size) } else { format!("{} ({size} bytes)", bytes_text(size)) }
}

fn object(
    recovered: &Recovered,
    order: &Order,
    line: Option<&str>,
    unmounted: &Unmounted,
    warnings: &[String],
) -> Value {
    let mut object = match recovered {
        Recovered::File(file) => json!({
            "file": file.file.to_string_lossy(),
            "size": file.size,
            "sha256": file.sha256,
            "kept": file.kept.as_ref().map(|kept| kept.to_string_lossy()),
        }),
        Recovered::Tree(tree) => {
            let files: Vec<Value> = tree
                .files
                .iter()
                .map(|file| {
                    json!({
                        "path": file.path,
                        "file": file.file.to_string_lossy(),
                        "size": file.size,
                        "sha256": file.sha256,
                        "kept": file.kept.as_ref().map(|kept| kept.to_string_lossy()),
                    })
                })
                .collect();
            let left_out: Vec<Value> =
                tree.left_out.iter().map(|out| json!({"path": out.path, "why": out.why})).collect();
            json!({
                "file": tree.folder.to_string_lossy(),
                "size": tree.size(),
                "sha256": null,
                "files": files,
                "left_out": left_out,
            })
        }
    };
    let more = json!({
        "ok": true,
        "path": order.path.typed,
        "put_back": line,
        "unmount": unmount_object(unmounted),
        "warnings": warnings,
    });
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}
