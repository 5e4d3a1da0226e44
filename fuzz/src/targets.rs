//! Any text is judged as a Makefile, a package's scripts, a justfile and a Taskfile: no panic, no stack overflow, no time that grows
//! faster than the text, and a recipe that changes a guest is seen whatever stands before it.

use super::ground::{text, within};
use super::judging::judge_as;
use zerto_guard::classify::{Found, Surroundings, Verdict};

/// A project with one file.
struct Project(&'static str, String);

impl Surroundings for Project {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        if path == format!("/project/{}", self.0) { Found::File(self.1.clone().into_bytes()) } else { Found::Nothing }
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        Some(if path == "/project" { vec![self.0.to_owned()] } else { vec![] })
    }
}

fn judge(file: &'static str, content: String, command: &str) -> Verdict {
    judge_as("Bash", command.to_owned(), &Project(file, content))
}

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(5, || any(text(bytes)));
}

fn any(text: &str) {
    for (file, command) in [("Makefile", "make"), ("Makefile", "make -n x"), ("package.json", "npm test"), ("justfile", "just"), ("Taskfile.yml", "task x")] {
        judge(file, text.to_owned(), command);
    }
    // What a target runs is seen, or nothing of the file is understood, whatever stands before its rule.
    let opens = ["define", "if", "else", "endif", "\\", "#", "RECIPEPREFIX", "include", "SHELL", "MAKE", "zz_target", "eval", "$"];
    if !opens.iter().any(|open| text.contains(open)) {
        let verdict = judge("Makefile", format!("{text}\n\nzz_target:\n\tssh web01 reboot\n"), "make zz_target");
        assert_ne!(verdict, Verdict::ReadOnly, "{text}");
    }
}
