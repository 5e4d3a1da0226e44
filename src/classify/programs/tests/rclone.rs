//! Tests of rclone.

use super::super::testing::check;
use super::*;

#[test]
fn rclone_by_direction() {
    check(
        judge,
        &[
            ("rclone ls remote:x", "table"),
            ("rclone copy remote:x /srv", "changes"),
            ("rclone copy -P /srv remote:x", "unknown"),
            ("rclone sync /srv :sftp,host=web01,user=root:/srv", "changes at web01"),
            ("rclone copy :sftp,host=web01:/srv /tmp", "changes"),
            ("rclone move :sftp,host=web01:/srv /tmp", "changes at web01; changes"),
            ("rclone move a b", "changes"),
            ("rclone delete remote:x", "unknown"),
            ("rclone purge /tmp/x", "changes"),
            ("rclone rcat :sftp,host=web01:/x", "changes at web01"),
            ("rclone sync -n /srv remote:x", "reads"),
            ("rclone copy --dry-run /srv remote:x", "reads"),
            ("rclone mount :sftp,host=web01:/ /mnt", "mounts /mnt of web01; unknown at web01"),
            ("rclone mount --read-only remote:x /mnt", "changes"),
            ("rclone mount remote:x /mnt", "mounts /mnt of ?; unknown"),
            ("rclone copy /srv ':sftp,host=web01,ssh=\"ssh x\":/'", "unknown"),
            ("rclone copy --sftp-ssh 'ssh x' a b", "unknown"),
            ("rclone copy /srv …", "unknown"),
            ("rclone copy a", "changes"),
            ("rclone --config x copy remote:x y", "changes"),
        ],
    );
}
