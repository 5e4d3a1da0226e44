//! Judges a call that expands a file of instructions (a skill, a slash command): the file's inline commands run without a
//! hook of their own, so they are the call. Pure.
//!
//! Until shell text is judged, a file with any inline command is unknown.

use super::{Found, Surroundings};
use crate::json::Json;

/// What the files make of the call: why it is unknown, or none if nothing in it runs; and the files' bytes. Which of several
/// the host takes is its own affair, so all count, and so does what the call itself puts into their text.
pub(super) fn judge(places: &[String], input: &Json, around: &dyn Surroundings) -> (Option<String>, Vec<Vec<u8>>) {
    let (mut why, mut scripts) = (None, Vec::new());
    for path in places {
        let bytes = match around.file(path) {
            Found::Nothing => continue,
            Found::File(bytes) => bytes,
            Found::Unreadable => {
                why.get_or_insert(format!("{path} can't be read, or is too long to be judged"));
                continue;
            }
        };
        match std::str::from_utf8(&bytes) {
            Ok(text) => {
                if let Some(found) = runs(text) {
                    why.get_or_insert(format!("{path} {found}"));
                }
            }
            Err(_) => {
                why.get_or_insert(format!("{path} is no text"));
            }
        }
        scripts.push(bytes);
    }
    if why.is_none() && scripts.is_empty() {
        why = Some(
            "the file that it expands is in none of the usual places, so its inline commands are not known".into(),
        );
    }
    if let Some(command) = inline_command(&input.shown()) {
        why.get_or_insert(format!("its own arguments run `{command}`"));
    }
    (why, scripts)
}

/// What in a file's text runs by itself.
fn runs(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}').replace('\r', "\n");
    if let Some(command) = inline_command(&text) {
        return Some(format!("runs `{command}` by itself, and such commands can't be judged yet"));
    }
    front_matter(&text).contains("hooks").then(|| "sets hooks of its own, which run without this one".to_owned())
}

/// The first inline command: ``!`command` ``, or a fenced block that is marked with `!`, wherever it begins.
fn inline_command(text: &str) -> Option<&str> {
    let behind = |mark: &str| text.split_once(mark).map(|(_, rest)| rest);
    let command = ["!`", "```!", "~~~!", "``` !", "~~~ !"].iter().find_map(|mark| behind(mark))?;
    let command = command.trim_start().split(['`', '\n']).next().unwrap_or_default();
    Some(command.trim())
}

/// What stands between the two `---` at the top.
fn front_matter(text: &str) -> &str {
    text.strip_prefix("---").and_then(|rest| rest.split_once("\n---")).map_or("", |(head, _)| head)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files(&'static [(&'static str, &'static str)]);

    impl Surroundings for Files {
        fn real_path(&self, path: &str) -> String {
            path.to_owned()
        }

        fn file(&self, path: &str) -> Found {
            let found = self.0.iter().find(|(name, _)| *name == path);
            found.map_or(Found::Nothing, |(_, text)| match *text {
                "unreadable" => Found::Unreadable,
                text => Found::File(text.as_bytes().to_vec()),
            })
        }
    }

    #[test]
    fn only_a_file_that_runs_nothing_is_let_through() {
        for (text, part) in [
            ("---\nname: x\n---\nDo this. Surprise! `code` and more", None),
            ("Status: !`ssh web01 reboot`", Some("ssh web01 reboot")),
            ("text\n```!\nrm -rf /\n```\n", Some("rm -rf /")),
            ("text\n~~~ !\nls\n~~~\n", Some("ls")),
            ("---\nhooks:\n  PreToolUse: x\n---\nhi", Some("hooks of its own")),
            ("Status: ```! ssh web01 reboot ```", Some("ssh web01 reboot")),
            ("> ```!\nls\n> ```", Some("ls")),
            ("\u{feff}---\r\n\"hooks\": {}\r\n---\r\nhi", Some("hooks of its own")),
            ("---\n{name: t, hooks: {}}\n---\n", Some("hooks of its own")),
            ("```sh\n! true\n```", None),
        ] {
            let files = [("/b", text)];
            let (why, scripts) = judge(&["/a".into(), "/b".into()], &Json::Null, &Files(Box::leak(Box::new(files))));
            assert_eq!(why.is_some(), part.is_some(), "{text}: {why:?}");
            assert!(part.is_none_or(|part| why.unwrap().contains(part)), "{text}");
            assert_eq!(scripts, [text.as_bytes()]);
        }
        assert!(judge(&["/none".into()], &Json::Null, &Files(&[])).0.unwrap().contains("none of the usual places"));
        let both = Files(&[("/a", "plain"), ("/b", "!`id`")]);
        let (why, scripts) = judge(&["/a".into(), "/b".into()], &Json::Null, &both);
        assert!(why.unwrap().contains("/b runs `id`") && scripts.len() == 2, "whichever of them the host takes");
        let long = Files(&[("/a", "unreadable"), ("/b", "plain")]);
        assert!(judge(&["/a".into(), "/b".into()], &Json::Null, &long).0.is_some());
        let arguments = Json::parse(br#"{"skill":"t","args":"!`ssh web01 reboot`"}"#).unwrap();
        assert!(judge(&["/b".into()], &arguments, &Files(&[("/b", "plain")])).0.unwrap().contains("its own arguments"));
    }
}
