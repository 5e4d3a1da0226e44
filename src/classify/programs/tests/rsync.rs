use super::*;
use crate::classify::programs::remote_cases::check;

#[test]
fn directions() {
    check(
        judge,
        &[
            ("rsync -av src/ web01:/srv/", "changes@web01"),
            ("rsync -avz --delete src root@web01:/srv", "changes@web01"),
            ("rsync -av web01:/srv/ backup/", "writes backup/"),
            ("rsync web01:/srv/", "reads"),
            ("rsync --list-only web01:/srv/ x", "reads"),
            ("rsync -avn src/ web01:/srv/", "reads"),
            ("rsync --dry-run --delete src/ web01:/srv/", "reads"),
            ("rsync -a h:a :b h:c dest/", "writes dest/"),
            ("rsync src :dest", "changes@same"),
            ("rsync src localhost:dest", "changes@same"),
            ("rsync a/ b/", "writes b/"),
            ("rsync -a --backup-dir=/old a/ b/", "writes b/; writes /old"),
            ("rsync -a src rsync://web01/mod/x", "changes@web01"),
            ("rsync -a src web01::mod", "changes@web01"),
            ("rsync rsync://web01:8873/mod/x .", "writes ."),
            ("rsync -a src rsync://localhost:8873/mod", "changes@?"),
            ("rsync -a --port 8873 src localhost::mod", "changes@?"),
            ("rsync -a src u@[fe80::1]:x", "changes@fe80::1"),
            ("rsync src web01: -n", "reads"),
            ("rsync -a --no-perms --exclude -n src web01:", "changes@web01"),
            ("rsync --help", "reads"),
            ("rsync -V", "reads"),
            ("rsync", "unknown"),
        ],
    );
}

#[test]
fn what_else_is_written() {
    check(
        judge,
        &[
            ("rsync -a --remove-source-files web01:/x .", "changes@web01; writes ."),
            ("rsync -an --remove-source-files web01:/x .", "reads"),
            ("rsync -a --remove-source-files x web01:", "writes x; changes@web01"),
            ("rsync -a --log-file=/tmp/l web01:/x .", "writes /tmp/l; writes ."),
            ("rsync -a --write-batch=b src web01:", "writes b; changes@web01"),
            ("rsync -a --only-write-batch=b src web01:", "writes b"),
            ("rsync -a --read-batch=b web01:/x", "changes@web01"),
            ("rsync -a --read-batch=b x", "writes x"),
            ("rsync -a --files-from=web01:/l web01:/ .", "writes ."),
            ("rsync -a --files-from=- / web01:", "changes@web01"),
        ],
    );
}

#[test]
fn what_runs_on_both_sides() {
    let far = |text: &str| format!("web01[{text} --server . /y] <nothing; changes@web01");
    check(
        judge,
        &[
            ("rsync -e ssh src web01:", "changes@web01"),
            ("rsync -e 'ssh -p 22 -i k -o StrictHostKeyChecking=no' src web01:", "changes@web01"),
            ("rsync --rsh='ssh -J b' src root@web01:", "changes@web01"),
            ("rsync -e 'ssh -o ProxyCommand=evil' src web01:", "local[evil] <nothing; changes@?"),
            ("rsync -e 'ssh -o HostName=prod' src test:", "changes@test=prod"),
            ("rsync -e 'ssh -p 2222' src localhost:", "changes@?"),
            ("rsync -e 'ssh -L 1:a:2' src web01:", "unknown; changes@web01"),
            ("rsync -e 'ssh b ssh' x web01:y", "local[words:ssh|b|ssh|web01|rsync|--server|.|y] <?; changes@?"),
            (
                "rsync -e '/tmp/evil -x' u@web01:y .",
                "local[words:/tmp/evil|-x|-l|u|web01|rsync|--server|--sender|.|y] <?; writes .",
            ),
            ("rsync -ne /tmp/evil x web01:y", "local[words:/tmp/evil|web01|rsync|--server|--dry-run|.|y] <?"),
            ("rsync -e … src web01:", "unknown; changes@?"),
            ("rsync --rsync-path='sudo rsync' src web01:/y", "changes@web01"),
            ("rsync --rsync-path=/opt/bin/rsync src web01:/y", "changes@web01"),
            ("rsync --rsync-path='mkdir -p /y && rsync' src web01:/y", &far("mkdir -p /y && rsync")),
            ("rsync -n --rsync-path='x; rsync' src web01:/y", "web01[x; rsync --server --dry-run . /y] <nothing"),
            ("rsync --rsync-path='x; rsync' web01:/y .", "web01[x; rsync --server --sender . /y] <nothing; writes ."),
            ("rsync 'web01:$(x)' .", "web01[rsync --server --sender . $(x)] <nothing; writes ."),
            ("rsync -M--log-file=/x src web01:", "unknown@web01; changes@web01"),
            ("rsync -M --fake-super src web01:", "changes@web01"),
        ],
    );
}

#[test]
fn the_far_side() {
    check(
        judge,
        &[
            ("rsync --server --sender -vlogDtpre.iLsfxCIvu . /srv", "reads"),
            ("rsync --server -vlogDtpre.iLsfxCIvu . /srv", "changes"),
            ("rsync --server -vnlogDtpre.iLsfxCIvu . /srv", "reads"),
            ("rsync --server --sender --remove-source-files -e.L . /srv", "changes"),
            ("rsync --server -Tn . /srv", "changes"),
            ("rsync --server --daemon .", "unknown"),
            ("rsync --server … . /srv", "unknown"),
            ("rsync --daemon", "unknown"),
        ],
    );
}

#[test]
fn what_is_not_known() {
    check(
        judge,
        &[
            ("rsync …* web01:", "unknown; changes@web01"),
            ("rsync -a … web01:", "unknown; changes@web01"),
            ("rsync ./… web01:", "changes@web01"),
            ("rsync x …", "unknown; writes ./…"),
            ("rsync x a…", "unknown"),
            ("rsync x root@…:/y", "local[words:ssh|…|rsync|--server|.|…] <?; changes@?"),
            ("rsync --nope x web01:", "unknown@web01"),
            ("rsync -a --remove-source-files a… .", "unknown; writes ."),
        ],
    );
}
