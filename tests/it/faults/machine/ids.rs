//! Names of files that differ from run to run, in what was said.

/// A line without what tells a file of the state folder, or a part beside a goal, from others of its kind.
pub fn without(line: &str) -> String {
    let plain = |word: &str| {
        let (word, stop) = word.strip_suffix(',').map_or((word, ""), |word| (word, ","));
        named(word) + stop
    };
    line.split(' ').map(plain).collect::<Vec<_>>().join(" ")
}

/// A word, with what differs in it replaced.
fn named(word: &str) -> String {
    let Some((folder, name)) = word.rsplit_once('/') else { return word.to_owned() };
    let (kind, end) = match name.rsplit_once('.') {
        Some((before, end @ ("lock" | "json"))) => (before.split('-').next().unwrap_or_default(), format!(".{end}")),
        _ => (name, String::new()),
    };
    match () {
        () if name.contains(".zerto-guard-part") => format!("{folder}/PART"),
        () if !folder.contains("/state/zerto-guard") => word.to_owned(),
        () if folder.ends_with("/installed") => format!("{folder}/ID"),
        () if folder.ends_with("/tokens") || name.starts_with(".taken-") => format!("{folder}/ID{end}"),
        () if folder.ends_with("/locks") => format!("{folder}/{kind}-ID{end}"),
        () => word.to_owned(),
    }
}
