//! Tests of copies and backups elsewhere.

use super::super::testing::check;
use super::*;

#[test]
fn repositories() {
    check(
        restic,
        &[
            ("restic -r sftp:jo@backup01:/srv backup /home", "changes at backup01"),
            ("restic -r sftp://jo@backup01:22/srv forget --keep-daily 7 --prune", "changes at backup01"),
            ("restic -r rest:https://jo@backup01:8000/ backup x", "unknown at backup01"),
            ("restic -r /srv/repo backup x", "changes"),
            ("restic -r s3:s3.amazonaws.com/x backup y", "unknown"),
            ("restic backup x", "unknown"),
            ("restic -r /srv restore latest --target /tmp/x", "changes"),
            ("restic -r /srv snapshots", "table"),
            ("restic -r sftp:h:/x backup -n y", "reads"),
            ("restic -o sftp.command='ssh x' -r /srv backup y", "table"),
            ("restic -r … backup x", "unknown"),
            ("restic key list", "table"),
            ("rustic -r /srv backup x", "changes"),
        ],
    );
    check(
        borg,
        &[
            ("borg create --stats ssh://jo@backup01:22/./x::a /home", "changes at backup01"),
            ("borg create jo@backup01:x::a /home", "changes at backup01"),
            ("borg create /srv/repo::a /home", "changes"),
            ("borg create ::a /home", "unknown"),
            ("borg prune -v --keep-daily 7 backup01:x", "changes at backup01"),
            ("borg delete -n backup01:x::a", "reads"),
            ("borg extract backup01:x::a", "changes"),
            ("borg list backup01:x", "table"),
            ("borg compact", "unknown"),
            ("borg --rsh 'ssh x' create a::b c", "table"),
        ],
    );
}
