//! Judges a call that expands a file of instructions (a skill, a slash command): the file's inline commands run without a
//! hook of their own, so they are the call. Pure.
//!
//! Owns: finding those commands. What each does is judged like every shell text.

use super::{Found, Surroundings};
use crate::json::Json;

/// What the files of a call hold.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prompt {
    /// Why it can't be told what the call runs.
    pub fault: Option<String>,
    /// The commands that run by themselves.
    pub commands: Vec<String>,
    /// The files' bytes.
    pub files: Vec<Vec<u8>>,
}

/// Reads the files. Which of several the host takes is its own affair, so all count, and so does what the call itself puts
/// into their text.
pub(super) fn judge(places: &[String], input: &Json, around: &dyn Surroundings) -> Prompt {
    let mut read = Prompt::default();
    for path in places {
        let bytes = match around.file(path) {
            Found::Nothing => continue,
            Found::File(bytes) => bytes,
            Found::Unreadable => {
                read.fault.get_or_insert(format!("{path} can't be read, or is too long to be judged"));
                continue;
            }
        };
        let found = std::str::from_utf8(&bytes).map_err(|_| "is no text".to_owned()).and_then(commands);
        match found {
            Ok(mut found) => read.commands.append(&mut found),
            Err(why) => {
                read.fault.get_or_insert(format!("{path} {why}"));
            }
        }
        read.files.push(bytes);
    }
    if read.files.is_empty() {
        read.fault.get_or_insert(
            "the file that it expands is in none of the usual places, so its inline commands are not known".into(),
        );
    }
    // What the arguments hold is put into the text before the commands in it run.
    let arguments = input.shown();
    if MARKS.iter().any(|(mark, _)| arguments.contains(mark)) {
        read.fault.get_or_insert("its own arguments hold a command that would run".into());
    }
    read
}

/// What begins a command that runs by itself, and what ends it.
const MARKS: &[(&str, &str)] = &[("!`", "`"), ("```!", "```"), ("~~~!", "~~~"), ("``` !", "```"), ("~~~ !", "~~~")];

/// The commands of a file's text that run by themselves.
fn commands(text: &str) -> Result<Vec<String>, String> {
    let text = text.trim_start_matches('\u{feff}').replace('\r', "\n");
    if front_matter(&text).contains("hooks") {
        return Err("sets hooks of its own, which run without this one".into());
    }
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((at, mark, end)) =
        MARKS.iter().filter_map(|(mark, end)| Some((rest.find(mark)?, *mark, *end))).min_by_key(|(at, _, _)| *at)
    {
        let from = rest.get(at + mark.len()..).unwrap_or_default();
        let Some((command, after)) = from.split_once(end) else {
            return Err(format!("runs `{}` by itself, and where that ends can't be told", first_line(from)));
        };
        // The host puts the call's arguments and folders in their place before a shell reads it.
        if command.contains("$ARGUMENTS") || command.contains("${") || has_number(command) {
            return Err(format!("runs `{}` by itself, with arguments put into its text", first_line(command)));
        }
        found.push(command.trim().to_owned());
        rest = after;
    }
    Ok(found)
}

/// `$1` and the like.
fn has_number(command: &str) -> bool {
    command.as_bytes().windows(2).any(|pair| matches!(pair, [b'$', digit] if digit.is_ascii_digit()))
}

fn first_line(text: &str) -> &str {
    text.trim_start().lines().next().unwrap_or_default()
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
    fn what_runs_by_itself_is_found() {
        for (text, expected) in [
            ("---\nname: x\n---\nDo this. Surprise! `code` and more", Ok(vec![])),
            ("Status: !`ssh web01 reboot` and !`id`", Ok(vec!["ssh web01 reboot", "id"])),
            ("text\n```!\nrm -rf /\nls\n```\n", Ok(vec!["rm -rf /\nls"])),
            ("text\n~~~ !\nls\n~~~\n", Ok(vec!["ls"])),
            ("Status: ```! ssh web01 reboot ```", Ok(vec!["ssh web01 reboot"])),
            ("> ```!\nls\n> ```", Ok(vec!["ls\n>"])),
            ("```sh\n! true\n```", Ok(vec![])),
            ("---\nhooks:\n  PreToolUse: x\n---\nhi", Err("hooks of its own")),
            ("\u{feff}---\r\n\"hooks\": {}\r\n---\r\nhi", Err("hooks of its own")),
            ("---\n{name: t, hooks: {}}\n---\n", Err("hooks of its own")),
            ("!`git log $ARGUMENTS`", Err("arguments put into its text")),
            ("!`ssh $1 uptime`", Err("arguments put into its text")),
            ("!`${CLAUDE_PLUGIN_ROOT}/x.sh`", Err("arguments put into its text")),
            ("!`ls", Err("can't be told")),
        ] {
            let files = [("/b", text)];
            let read = judge(&["/a".into(), "/b".into()], &Json::Null, &Files(Box::leak(Box::new(files))));
            match expected {
                Ok(commands) => assert_eq!(
                    (read.commands, read.fault),
                    (commands.iter().map(|c| (*c).to_owned()).collect(), None),
                    "{text}"
                ),
                Err(part) => assert!(read.fault.unwrap().contains(part), "{text}"),
            }
            assert_eq!(read.files, [text.as_bytes()]);
        }
    }

    #[test]
    fn what_can_not_be_read_is_a_fault() {
        assert!(judge(&["/none".into()], &Json::Null, &Files(&[])).fault.unwrap().contains("none of the usual places"));
        let both = Files(&[("/a", "plain"), ("/b", "!`id`")]);
        let read = judge(&["/a".into(), "/b".into()], &Json::Null, &both);
        assert!(read.commands == ["id"] && read.files.len() == 2, "whichever of them the host takes");
        let long = Files(&[("/a", "unreadable"), ("/b", "plain")]);
        assert!(judge(&["/a".into(), "/b".into()], &Json::Null, &long).fault.is_some());
        let arguments = Json::parse(br#"{"skill":"t","args":"!`ssh web01 reboot`"}"#).unwrap();
        assert!(
            judge(&["/b".into()], &arguments, &Files(&[("/b", "plain")])).fault.unwrap().contains("its own arguments")
        );
    }
}
