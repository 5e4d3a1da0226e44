//! What a command on the agent's own machine does if its variables hold what such a program works on: names of files. Pure.

use crate::classify::effect::{At, Code, Command, Effect, Report, What};
use crate::classify::word::Word;

/// Programs that work on files, of which a variable in a word is, on the agent's own machine, taken for a file's name or a
/// piece of a script, and not for an option that reaches another machine.
pub(super) const ON_FILES: &[&str] = &[
    "find", "fd", "sed", "awk", "gawk", "mawk", "nawk", "tar", "gzip", "gunzip", "zcat", "bzip2", "bunzip2", "xz",
    "unxz", "zstd", "unzstd", "zip", "unzip", "7z", "cpio", "ar", "curl", "wget", "git", "docker", "podman", "nerdctl",
    "tee", "dd", "scp", "rsync", "vi", "vim", "nvim", "view", "vimdiff", "nano", "emacs", "less", "more", "perl",
];

/// What stands for what is not known: nothing that a script of sed or awk could be made of, or that a person would write.
const SOMETHING: &str = "@zg-unknown";

/// The same for what may turn out to be several words; it holds the other one.
const SOME_WORDS: &str = "@zg-unknown-words";

/// Whether something can't be told of a command, or is left to what runs on another machine.
pub(super) fn is_in_doubt(report: &Report) -> bool {
    report.effects.iter().any(|effect| match effect {
        Effect::Unknown(_) | Effect::UnknownAt { .. } => true,
        Effect::Runs(run) => matches!(run.at, At::Hosts(_)) || is_guess(&run.what),
        _ => false,
    })
}

/// Whether it writes a file whose name is what is not known.
pub(super) fn writes_somewhere(report: &Report) -> bool {
    let guess = |word: &Word| word.stretches().any(|text| text.contains(SOMETHING));
    report.effects.iter().any(|effect| matches!(effect, Effect::Writes(path) if guess(path)))
}

/// Whether what runs would be what is not known.
fn is_guess(what: &What) -> bool {
    let guess = |word: &Word| word.stretches().any(|text| text.contains(SOMETHING));
    // What another program would take for options of its own.
    let several = |word: &Word| word.stretches().any(|text| text.contains(SOME_WORDS));
    match what {
        What::Words(words) => words.iter().take(1).any(guess) || words.iter().any(several),
        What::Shell { text, .. } => guess(text),
        What::ShellFile { path, .. } => guess(path),
        What::Other { code: Code::Text(word) | Code::File(word), .. } => guess(word),
        What::ShellStdin | What::Other { .. } => false,
    }
}

/// The command with a file's name in the place of each word that is not known, and some text within words.
pub(super) fn as_files(command: &Command) -> Option<Command> {
    let (program, arguments) = command.words.split_first()?;
    // Before the sub-command a container program is told which machine it is about.
    let containers = matches!(program.known(), Some("docker" | "podman" | "nerdctl"));
    if containers && arguments.first().is_some_and(Word::may_be_option) {
        return None;
    }
    // Where files are copied to is a machine as often as not.
    let copies = matches!(program.known(), Some("scp" | "rsync"));
    if copies && arguments.last().is_none_or(|word| word.beginning().is_empty()) {
        return None;
    }
    let file = format!("./{SOMETHING}");
    // Docker is told that nowhere else: whatever stands behind the sub-command is about this machine's containers.
    let docker = program.known() == Some("docker");
    // Of a new container such a word may hold all that it runs.
    let new = arguments.iter().any(|word| matches!(word.known(), Some("run" | "create")));
    let likely = |word: &Word| match word.known() {
        Some(_) => Some(word.clone()),
        None if docker && new && !word.is_fitting() && word.is_empty() => None,
        None if docker && word.begins_with("-") && !word.beginning().contains('=') => None,
        None if docker && !word.is_fitting() => {
            let text = word.stretches().collect::<Vec<_>>().join(SOME_WORDS);
            Some(Word::known_as(if word.is_empty() { format!("./{SOME_WORDS}") } else { text }))
        }
        // A part of a word that names a program or a machine is no file's name.
        None if copies && !word.is_empty() => None,
        None => word.filled_with(if word.is_empty() { &file } else { SOMETHING }),
    };
    let words = std::iter::once(Some(program.clone())).chain(arguments.iter().map(likely)).collect::<Option<_>>()?;
    Some(Command { words, stdin: command.stdin.clone() })
}
