//! How `http` and its like are judged.

use super::super::testing::{check, check_unknown};
use super::*;

#[test]
fn what_is_asked_and_what_is_sent() {
    check(
        judge,
        &[
            ("http web01", "reads"),
            ("http https://web01/x a==b X-A:b", "reads"),
            ("http GET web01/x", "reads"),
            ("http get web01/x a=b", "reads"),
            ("http HEAD web01 a=b", "reads"),
            ("http :8080/x", "reads"),
            ("http --offline POST web01 a=b", "reads"),
            ("http -v --auth u:p --timeout 5 web01", "reads"),
            ("http --version", "reads"),
            ("xh --curl POST web01 a=b", "reads"),
            ("http web01 a=b", "unknown at web01"),
            ("http web01/x a:=1", "unknown at web01"),
            ("http web01/x a:=@f.json", "unknown at web01"),
            ("http -f web01/x a@f", "unknown at web01"),
            ("http web01/x a=@f", "unknown at web01"),
            (r"http web01/x 'a\:b=c'", "unknown at web01"),
            (r"http web01/x 'a\==b'", "unknown at web01"),
            ("http POST web01/x", "unknown at web01"),
            ("http DELETE https://u:p@web01:8443/x", "unknown at web01"),
            ("http PUT :8080/x a=b", "changes"),
            ("http POST :/x", "changes"),
            ("http POST localhost:3000", "changes"),
            ("http POST http+unix://%2Fvar%2Frun%2Fdocker.sock/containers/x/restart", "changes"),
            ("http web01 <<< {}", "unknown at web01"),
            ("http -I web01 <<< {}", "reads"),
            ("http GET web01 <<< {}", "reads"),
            ("http --raw x web01", "unknown at web01"),
            ("http POST http://…/", "unknown at ?"),
            ("http POST web0…", "unknown at ?"),
            ("http POST web01/…", "unknown at web01"),
            ("http GET web01 X-HTTP-Method-Override:DELETE", "unknown at web01"),
            ("http -o /etc/x web01", "writes /etc/x"),
            ("http -d web01/x", "writes ."),
            ("http --session=jo web01", "changes"),
            ("http localhost a=b", "unknown at ?"),
            ("xh --resolve web01:10.0.0.5 post web01", "unknown at ?"),
            ("http web01 a…", "unknown at web01"),
        ],
    );
    check_unknown(judge, &["http --nope web01", "http $*", "http GET $* web01", "http … web01"]);
}
