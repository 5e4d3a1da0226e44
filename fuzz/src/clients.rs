//! Judges any text as what programs with a language of their own are told: tables of cron jobs, commands of `tmux`, `screen` and
//! of clients that move files; and any text as the system's table of mounts.

use super::ground::{text, within};
use super::judging::judge_as;
use zerto_guard::classify::disks::{Disks, MountPoint, Owners};
use zerto_guard::classify::targets::Places;
use zerto_guard::classify::{Found, Surroundings};
use zerto_guard::surroundings::mount_table;
use zerto_guard::text::shell_word;

struct Mounted(Vec<MountPoint>);

impl Surroundings for Mounted {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, _: &str) -> Found {
        Found::Nothing
    }

    fn home(&self) -> Option<String> {
        Some("/home/jo".into())
    }

    fn mount_points(&self) -> Vec<MountPoint> {
        self.0.clone()
    }
}

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(12, || any(text(bytes)));
}

fn any(text: &str) {
    let around = Mounted(mount_table::read(text));
    let places = Places::default();
    let disks = Disks::of(&places, &around);
    for path in ["/", "/mnt/a", text] {
        disks.add(path, &places, &around, &mut Owners::default());
    }
    let word = shell_word(text);
    for command in [
        format!("crontab - <<< {word}; echo x > /mnt/x"),
        format!("tmux {text}"),
        format!("tmux send-keys -t x {word} Enter"),
        format!("tmux if-shell {word} {word}"),
        format!("screen -S x -X stuff {word}"),
        format!("socat {text}"),
        format!("lftp -c {word} web01"),
        format!("ftp web01 <<< {word}"),
        format!("smbclient //web01/c -c {word}"),
        format!("rpcclient web01 -c {word}"),
        format!("mount {text}"),
        format!("ssh -L {word} web01"),
    ] {
        judge_as("Bash", command, &around);
    }
}
