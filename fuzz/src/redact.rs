//! Any text of an action before it becomes part of a tag: taking secrets out twice changes nothing, what is left is what was
//! there, and a secret behind a name that says so never survives, whatever stands around it.

use super::ground::{first, text, within};
use zerto_guard::guard::redact;

/// What is looked for afterwards: no rule knows it by its shape.
const SECRET: &str = "q7Vx2mLw9Tz";

/// Where a secret stands.
const FORMS: &[&str] = &[
    "run --password=SECRET x",
    "run --password 'SECRET' x",
    "DB_PASSWORD=SECRET run",
    "export API_TOKEN='SECRET'",
    "git clone https://joe:SECRET@host/x",
    "curl -H 'Authorization: Bearer SECRET' web01",
    "{\"password\": \"SECRET\"}",
    "mysql -uroot -pSECRET shop",
    "sshpass -p SECRET ssh web01",
    "clientSecret: SECRET",
    "echo ghp_SECRETSECRET",
    "-----BEGIN RSA PRIVATE KEY-----\nSECRET\n-----END RSA PRIVATE KEY-----",
];

/// Runs one input: a byte for the form, then what stands around it, parted by a line break.
pub fn run(bytes: &[u8]) {
    let (form, bytes) = first(bytes);
    within(5, || any(form, text(bytes)));
}

fn any(form: u8, around: &str) {
    let once = redact(around);
    assert!(is_part(&once.replace("***", ""), around), "{once}");
    assert_eq!(redact(&once), once, "twice");
    let form = FORMS[usize::from(form) % FORMS.len()].replace("SECRET", SECRET);
    let (before, after) = around.split_once('\n').unwrap_or(("", around));
    if before.contains(SECRET) || after.contains(SECRET) {
        return;
    }
    // A value in a quote that is never closed goes on to the next one, wherever that is.
    if !redact(&format!("{before}\nx")).ends_with("\nx") {
        return;
    }
    // On lines of its own: what stands before and behind it is another command's.
    let with = redact(&format!("{before}\n{form}\n{after}"));
    assert!(!with.contains(SECRET), "{with}");
}

/// Whether the characters of `part` stand in `whole`, in their order.
fn is_part(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    // A mask of the text's own is taken for one of the program's.
    part.chars().all(|wanted| rest.any(|c| c == wanted))
}
