//! The plays of a playbook: which machines each is for, and whether its tasks may run elsewhere. Pure.

use super::super::options::Parsed;
use crate::classify::word::Word;

/// What a playbook's tasks may hold that runs elsewhere or something that is not in the file.
const ELSEWHERE: &[&str] = &[
    "add_host",
    "ansible_",
    "connection:",
    "delegate_to",
    "import_",
    "include",
    "local_action",
    "lookup",
    "q(",
    "query",
    "roles",
    "strategy:",
    "vars_files",
    "with_",
];

/// What runs in spite of a check, or may.
const IN_CHECK: &[&str] = &["always_run", "check_mode", "raw", "script"];

/// Which of what a playbook holds may run elsewhere, if something does.
#[must_use]
pub(super) fn elsewhere(text: &str) -> Option<&'static str> {
    ELSEWHERE.iter().copied().find(|word| text.contains(word))
}

/// Which of what a playbook holds may run although it is only checked, if something does.
#[must_use]
pub(super) fn in_check(text: &str) -> Option<&'static str> {
    IN_CHECK.iter().copied().find(|word| text.contains(word)).or_else(|| elsewhere(text))
}

/// The patterns of the machines of a playbook's plays.
///
/// # Errors
/// Why they can't be told: anything but plain lists of plain mappings is refused, since a play that isn't seen would be
/// one whose machines are not named.
pub(super) fn patterns(text: &str, parsed: &Parsed) -> Result<Vec<String>, String> {
    let odd = |line: &str| {
        format!("the line `{}` of its playbook can't be read", line.trim().chars().take(60).collect::<String>())
    };
    let mut found: Vec<String> = vec![];
    // Where the list of plays and the keys of the play stand, and whether that has its machines.
    let mut list: Option<usize> = None;
    let mut play: Option<(usize, bool)> = None;
    // The key of machines that are listed on the lines behind it.
    let mut listed: Option<usize> = None;
    for line in text.lines() {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with('#') || (bare == "---" && list.is_none()) {
            continue;
        }
        if line.starts_with('\t') || line.contains('\u{feff}') || bare.starts_with("--- ") {
            return Err(odd(line));
        }
        let mut indent = line.len() - line.trim_start_matches(' ').len();
        let mut bare = bare;
        if let Some(at) = listed {
            match bare.strip_prefix("- ") {
                Some(item) if indent >= at && list.is_some_and(|list| indent > list) => {
                    found.push(pattern(item, parsed).ok_or_else(|| odd(line))?);
                    continue;
                }
                _ => listed = None,
            }
        }
        let begin = *list.get_or_insert(indent);
        if indent < begin {
            return Err(odd(line));
        }
        if indent == begin {
            let Some(rest) = bare.strip_prefix('-').filter(|rest| rest.starts_with(' ')) else { return Err(odd(line)) };
            if play.is_some_and(|(_, has)| !has) {
                return Err("one of its plays names no machines".into());
            }
            bare = rest.trim_start_matches(' ');
            indent += 1 + rest.len() - bare.len();
            play = Some((indent, false));
        }
        let Some((keys, has)) = play else { return Err(odd(line)) };
        if indent < keys {
            return Err(odd(line));
        }
        // What lies deeper, or is an item of the key before it.
        if indent > keys || bare == "-" || bare.starts_with("- ") {
            continue;
        }
        // Only keys that are written plainly are compared.
        let plain = bare.starts_with(|c: char| c.is_ascii_alphabetic());
        let Some((key, value)) = bare.split_once(':').filter(|(key, _)| plain && !key.contains([' ', '"', '\'']))
        else {
            return Err(odd(line));
        };
        match key {
            "hosts" => {
                let value = value.split(" #").next().unwrap_or_default().trim();
                match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    Some(items) => {
                        for item in items.split(',') {
                            found.push(pattern(item, parsed).ok_or_else(|| odd(line))?);
                        }
                    }
                    None if value.is_empty() => listed = Some(indent),
                    None => found.push(pattern(value, parsed).ok_or_else(|| odd(line))?),
                }
                if has {
                    return Err("one of its plays names its machines twice".into());
                }
                play = Some((keys, true));
            }
            // Another playbook's plays have machines of their own.
            "import_playbook" | "ansible.builtin.import_playbook" | "include" => {
                return Err("it takes in another playbook, which is not followed".into());
            }
            _ => {}
        }
    }
    if play.is_none_or(|(_, has)| !has) || found.is_empty() {
        return Err("one of its plays names no machines".into());
    }
    Ok(found)
}

/// A play's machines, if they are written plainly, or are the value of a variable that the command sets.
fn pattern(value: &str, parsed: &Parsed) -> Option<String> {
    let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    if let Some(inner) = value.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")) {
        let (name, filter) = inner.split_once('|').unwrap_or((inner, ""));
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let filter = filter.trim();
        let default = filter.strip_prefix("default(").and_then(|rest| rest.strip_suffix(')'));
        if !is_name || !(filter.is_empty() || default.is_some_and(|text| !text.contains(['(', '|', '{']))) {
            return None;
        }
        return given(name, parsed);
    }
    let plain = !value.is_empty()
        && !value.contains(['{', '[', '|', '>', '"', '\'', '\\'])
        && !value.starts_with(['&', '*', '!', '?']);
    (plain || value == "*").then(|| value.to_owned())
}

/// The value that the command gives a variable.
fn given(name: &str, parsed: &Parsed) -> Option<String> {
    let mut found = None;
    for text in parsed.values(&["e", "extra-vars"]).map(Word::known) {
        let text = text?;
        // Files and JSON may set it as well.
        if text.starts_with(['@', '{', '[']) || text.contains(['"', '\'', '\\', '{']) {
            return None;
        }
        for pair in text.split_whitespace() {
            let (key, value) = pair.split_once('=')?;
            if key == name {
                found = Some(value.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, extra: &str) -> String {
        let mut parsed = Parsed::default();
        if !extra.is_empty() {
            parsed.options.push(("e".into(), Some(extra.into())));
        }
        patterns(text, &parsed).map_or_else(|_| "?".into(), |found| found.join(","))
    }

    #[test]
    fn machines_of_plays() {
        for (text, extra, expected) in [
            ("- hosts: web\n  tasks: []\n", "", "web"),
            ("---\n# x\n- name: a\n  hosts: web # all\n  tasks:\n    - ping:\n- hosts: db\n", "", "web,db"),
            ("- hosts: [web, db]\n", "", "web,db"),
            ("- hosts:\n    - web\n    - db\n  tasks: []\n", "", "web,db"),
            ("- hosts:\n  - web\n  - db\n  tasks:\n  - ping:\n", "", "web,db"),
            ("- hosts: 'web*:!web03'\n", "", "web*:!web03"),
            ("- hosts: \"{{ target }}\"\n", "target=web01", "web01"),
            ("- hosts: \"{{ target | default('all') }}\"\n", "target=web01 x=y", "web01"),
            ("- hosts: \"{{ target | default('all') }}\"\n", "", "?"),
            ("- hosts: \"{{ target }}\"\n", "@x.yml", "?"),
            ("- hosts: \"{{ target }}\"\n", "target='web01'", "?"),
            ("- hosts: \"{{ lookup('env','X') }}\"\n", "", "?"),
            ("- hosts: web\n- {hosts: db, tasks: []}\n", "", "?"),
            ("- hosts: web\n- \"hosts\": db\n", "", "?"),
            ("- hosts: web\n-\n  hosts: db\n", "", "?"),
            ("- hosts: web\n- name: x\n  tasks:\n    - hosts: no\n", "", "?"),
            ("- hosts: web\n- ? hosts\n  : db\n", "", "?"),
            ("- hosts: web\n- <<: *x\n", "", "?"),
            ("- hosts: web\n- import_playbook: x.yml\n", "", "?"),
            ("- hosts: web\n  hosts: db\n", "", "?"),
            ("[{\"hosts\": \"web\"}]", "", "?"),
            ("hosts: web\n", "", "?"),
            ("- hosts: web\n---\n- hosts: db\n", "", "?"),
            ("- hosts: |\n    web\n", "", "?"),
            ("- hosts: *x\n", "", "?"),
            ("", "", "?"),
        ] {
            assert_eq!(shown(text, extra), expected, "{text} {extra}");
        }
    }
}
