//! Tests of clients that fetch and bring files without ssh.

use super::super::testing::check;
use super::*;

#[test]
fn by_direction() {
    check(
        lftp,
        &[
            ("lftp -c 'open sftp://jo@web01; ls /etc'", "reads"),
            ("lftp -e 'get x; bye' web01", "changes"),
            ("lftp -e 'put x; bye' ftp://web01:2121/srv", "changes at web01"),
            ("lftp -u jo,pw -e 'mirror -R src /srv; quit' sftp://web01", "changes at web01"),
            ("lftp -e 'mirror /srv dst; quit' web01", "changes"),
            ("lftp -e 'mirror --Remove-source-files /srv dst' web01", "changes at web01"),
            ("lftp -e 'glob -a rm *.log' web01", "changes at web01"),
            ("lftp web01 <<< rm x", "changes at web01"),
            ("lftp -c 'open web01 && rm x'", "changes at web01"),
            ("lftp -c 'put x -o sftp://web01/y'", "changes at web01"),
            ("lftp -c 'open web01; !rm x'", "sh {rm x} <nothing"),
            ("lftp -c 'set sftp:connect-program \"ssh -l x\"; open sftp://web01; ls'", "unknown"),
            ("lftp -c 'set ssl:verify-certificate no; open web01; ls'", "reads"),
            ("lftp -c 'source x'", "unknown"),
            ("lftp -f x", "unknown"),
            ("lftp -c …", "unknown at ?"),
            ("lftp -c 'frob' web01", "unknown at web01"),
            ("lftp -c 'rm x'", "changes at ?"),
            ("lftp -c 'open web01; cat x > y'", "changes"),
            ("lftp web01", "reads"),
            ("lftp --version", "reads"),
            ("lftp -Z", "unknown"),
        ],
    );
    check(
        ftp,
        &[
            ("ftp web01", "reads"),
            ("ftp -n web01 <<< put x", "changes at web01"),
            ("ftp -inv web01 <<< get x", "changes"),
            ("ftp -n <<< open web01", "reads"),
            ("ftp web01 <<< !rm x", "sh {rm x} <nothing"),
            ("ftp web01 <<< site exec x", "unknown at web01"),
            ("ftp web01 <<< frob", "unknown at web01"),
            ("ftp web01 <<< get x |sh", "unknown"),
            ("ftp -s:x.txt web01", "unknown"),
            ("ftp web01 <<< ls / out", "changes"),
            ("ftp -u ftp://web01/x y", "changes at web01"),
            ("ftp ftp://web01/x", "changes"),
            ("ncftp web01", "reads"),
        ],
    );
    check(
        ncftp_batch,
        &[
            ("ncftpget -u jo web01 . /x", "changes"),
            ("ncftpget -DD web01 . /x", "changes at web01"),
            ("ncftpput -R web01 /srv x", "changes at web01"),
            ("ncftpls ftp://web01/srv", "reads"),
            ("ncftpput -f login.cfg /srv x", "changes at ?"),
        ],
    );
    check(
        tftp,
        &[
            ("tftp web01 -c get x", "changes"),
            ("tftp -m binary web01 -c put x y", "changes at web01"),
            ("tftp web01 <<< put x", "changes at web01"),
            ("tftp <<< connect web01", "unknown"),
            ("tftp web01", "reads"),
            ("tftp web01 -c …", "unknown at web01"),
        ],
    );
}
