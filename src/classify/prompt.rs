//! Judges a call that expands a file of instructions (a skill, a slash command): the file's inline commands run without a
//! hook of their own, so they are the call. Pure.
//!
//! Until shell text is judged, a file with any inline command is unknown.

use super::Surroundings;

/// What the file makes of the call: why it is unknown, or none if nothing in it runs; and the file's bytes.
pub(super) fn judge(places: &[String], around: &dyn Surroundings) -> (Option<String>, Vec<Vec<u8>>) {
    let Some((path, bytes)) = places.iter().find_map(|path| Some((path, around.file(path)?))) else {
        return (
            Some(
                "the file that it expands is in none of the usual places, so its inline commands are not known".into(),
            ),
            vec![],
        );
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return (Some(format!("{path} is no text")), vec![]);
    };
    let why = if let Some(command) = inline_command(text) {
        Some(format!("{path} runs `{command}` by itself, and such commands can't be judged yet"))
    } else if front_matter(text).lines().any(|line| line.trim_start().starts_with("hooks")) {
        Some(format!("{path} sets hooks of its own, which run without this one"))
    } else {
        None
    };
    (why, vec![bytes])
}

/// The first inline command: ``!`command` ``, or a fenced block that is marked with `!`.
fn inline_command(text: &str) -> Option<&str> {
    let quoted = text.split_once("!`").map(|(_, rest)| rest.split('`').next().unwrap_or(rest));
    let fenced = || {
        let mut lines = text.lines();
        let opens = |line: &str| line.trim_start().trim_start_matches(['`', '~']).trim_start().starts_with('!');
        let fence = |line: &str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        lines.find(|line| fence(line) && opens(line))?;
        Some(lines.next().unwrap_or_default())
    };
    quoted.or_else(fenced).map(|command| command.lines().next().unwrap_or_default())
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

        fn file(&self, path: &str) -> Option<Vec<u8>> {
            self.0.iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_bytes().to_vec())
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
            ("```sh\n! true\n```", None),
        ] {
            let files = [("/b", text)];
            let (why, scripts) = judge(&["/a".into(), "/b".into()], &Files(Box::leak(Box::new(files))));
            assert_eq!(why.is_some(), part.is_some(), "{text}: {why:?}");
            assert!(part.is_none_or(|part| why.unwrap().contains(part)), "{text}");
            assert_eq!(scripts, [text.as_bytes()]);
        }
        assert!(judge(&["/none".into()], &Files(&[])).0.unwrap().contains("none of the usual places"));
    }
}
