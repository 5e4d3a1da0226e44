//! Editors: they are called to change files, and most of them can be told to run something. Pure.

use super::carry::{name, report};
use crate::classify::effect::{Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

/// Options that only say how something is shown or opened. An editor's command lines are not among them.
const HARMLESS: &[&str] = &["-R", "-b", "-d", "-n", "-nw", "-o", "-O", "-p", "-v", "--"];

/// Judges an editor.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let editor = name(command);
    if let [word] = command.arguments()
        && matches!(word.known(), Some("--version" | "--help" | "-V"))
    {
        return Report::reads();
    }
    let mut effects = vec![Effect::Changes(format!("changes files by {editor}"))];
    let mut rest = command.arguments().iter();
    let mut ended = false;
    for word in rest.by_ref() {
        if ended || !(word.may_be_option() || word.may_begin_with("+")) {
            effects.push(Effect::Writes(word.clone()));
            continue;
        }
        ended = word.known() == Some("--");
        // `+12` is a line.
        let line = word.known().and_then(|text| text.strip_prefix('+'));
        let line = line.is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit() || b == b','));
        if !line && !word.known().is_some_and(|text| HARMLESS.contains(&text)) {
            effects.push(Effect::Unknown(doubt(editor, word)));
        }
    }
    // It takes for typed what comes to its stdin.
    if !matches!(command.stdin, Stdin::Inherited | Stdin::Nothing) {
        effects.push(Effect::Unknown(format!("what {editor} is told on stdin is in a language that is not read")));
    }
    report(effects)
}

fn doubt(editor: &str, word: &Word) -> String {
    format!("what `{}` makes {editor} do is not known", word.shown())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn an_editor_changes_files() {
        check(
            judge,
            &[
                ("vim /etc/hosts", "changes; writes /etc/hosts"),
                ("vim +12 -R /etc/hosts y", "changes; writes /etc/hosts; writes y"),
                ("nano x", "changes; writes x"),
                ("vi -- -c", "changes; writes -c"),
                ("vim --version", "reads"),
            ],
        );
        check_unknown(
            judge,
            &[
                "vim -c '!rm x' y",
                "vim '+!rm x' y",
                "vim -es x",
                "vim -S x.vim",
                "emacs -l x.el",
                "emacs --eval '(shell-command \"rm\")'",
                "vim …",
                "vim $*",
                "ed x <<< !rm y",
            ],
        );
    }
}
