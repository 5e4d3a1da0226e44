//! The files that a patch names, of the form that several hosts' tools take (`*** Update File: …`; the form is Codex CLI's,
//! openai/codex, codex-rs/apply-patch). They are put beside the patch in the call's input, under [`FILES`], where the
//! catalog's entries look for them.

use crate::call::{Tool, ToolCall};
use crate::json::Json;

/// The argument that the files are put under. One that the call itself has by that name is taken out.
const FILES: &str = "files_of_patch";

/// Tools that take a patch, under the names that hosts give them. An `edit` may be one that its host renamed.
const TOOLS: &[&str] = &["apply_patch", "ApplyPatch", "patch", "Edit", "edit", "copilot_applyPatch"];

/// What an edit of one file takes out and puts in: that may look like a patch, and is none.
const PIECES: &[&str] = &["old_string", "new_string", "oldString", "newString", "old_str", "new_str"];

/// Tells the files of the call's patch, if it is of a tool that takes one. Whatever else the call holds: an argument that the
/// tool ignores must not hide the patch.
pub(super) fn name_files(call: &mut ToolCall) {
    let (Tool::Own(name), Json::Object(fields)) = (&call.tool, &mut call.input) else { return };
    if !TOOLS.contains(&name.as_str()) {
        return;
    }
    fields.retain(|(name, _)| name != FILES);
    let texts = fields.iter().filter(|(name, _)| !PIECES.contains(&name.as_str()));
    let texts = texts.filter_map(|(_, value)| value.as_text());
    let files: Vec<Json> = texts.flat_map(files).map(|file| Json::Text(file.to_owned())).collect();
    if !files.is_empty() {
        fields.push((FILES.into(), Json::List(files)));
    }
}

/// The files that a patch adds, changes, deletes or moves to. A line that only may be such a heading counts too: one file
/// more is the safe mistake.
fn files(patch: &str) -> impl Iterator<Item = &str> {
    const HEADINGS: &[&str] = &["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];
    patch.lines().filter_map(|line| {
        let line = line.trim();
        let file = HEADINGS.iter().find_map(|heading| line.strip_prefix(heading))?.trim();
        (!file.is_empty()).then_some(file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(tool: &str, input: &str) -> Vec<String> {
        let input = Json::parse(input.as_bytes()).unwrap();
        let mut call = super::super::fields::call(Tool::Own(tool.into()), tool.into(), input);
        name_files(&mut call);
        let files = call.input.at_any(FILES);
        files.into_iter().map(|file| file.as_text().unwrap().to_owned()).collect()
    }

    #[test]
    fn every_file_of_a_patch_counts() {
        let patch = r"*** Begin Patch\n*** Add File: a.sh\n+*** Add File: text\n *** Update File: b c.py\r\n*** Move to: ../c\n@@\n-x\n*** Delete File: /etc/d\n*** Add File:\n*** End Patch";
        let all = ["a.sh", "b c.py", "../c", "/etc/d"];
        assert_eq!(named("apply_patch", &format!(r#"{{"command":"{patch}"}}"#)), all);
        assert_eq!(named("ApplyPatch", &format!(r#"{{"input":"{patch}","files_of_patch":["x"]}}"#)), all);
        assert_eq!(named("Edit", &format!(r#"{{"patch":"{patch}"}}"#)), all);
        assert!(named("Edit", &format!(r#"{{"file_path":"/x","new_string":"{patch}"}}"#)).is_empty());
        // Nothing that stands beside it hides a patch.
        for tool in ["apply_patch", "Edit"] {
            assert_eq!(named(tool, &format!(r#"{{"path":"/x","file_path":"/y","patch":"{patch}"}}"#)), all, "{tool}");
        }
        assert!(named("apply_patch", r#"{"command":"no patch","files_of_patch":["/x"]}"#).is_empty());
        assert!(named("Bash", &format!(r#"{{"command":"{patch}"}}"#)).is_empty());
    }
}
