//! `tmux`: its own commands, several of them behind `;`. Pure.

use super::carry::{self, shell, words, writes};
use super::options::{self, Parsed, Spec};
use super::typed;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin};
use crate::classify::word::Word;

/// What a command does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// It shows, or arranges what is shown.
    Shows,
    /// It ends what runs in its panes.
    Ends,
    /// It runs what stands behind its options.
    Runs,
    /// The same, and gives it what a pane writes; with `-I` what it writes is typed.
    Pipes,
    /// It types.
    Types,
    /// It runs a text of a shell, or with `-C` its own commands.
    Shell,
    /// It runs one or two texts of its own commands, by a test.
    Tests,
    /// The rest of its words is one of its own commands, after so many.
    Own(usize),
    /// It writes a file.
    Saves,
    /// It can't be told what it runs.
    Unknown,
}

use Does::{Ends, Own, Pipes, Runs, Saves, Shell, Shows, Tests, Types, Unknown};

/// Its commands: name, short name, options without and with a value, and what it does.
#[rustfmt::skip]
const COMMANDS: &[(&str, &str, &str, &str, Does)] = &[
    ("attach-session", "attach", "dErx", "cft", Shows),
    ("bind-key", "bind", "nr", "NT", Own(1)),
    ("break-pane", "breakp", "abdP", "Fnst", Shows),
    ("capture-pane", "capturep", "aepPqCJNMT", "bESt", Shows),
    ("choose-buffer", "", "NZryk", "FfKOt", Own(0)),
    ("choose-client", "", "NZryk", "FfKOt", Own(0)),
    ("choose-tree", "", "GNrswZyk", "FfKOt", Own(0)),
    ("clear-history", "clearhist", "H", "t", Shows),
    ("clear-prompt-history", "clearphist", "", "T", Shows),
    ("clock-mode", "", "", "t", Shows),
    ("command-prompt", "", "1bFeikNlC", "IptT", Own(0)),
    ("confirm-before", "confirm", "by", "cpt", Own(0)),
    ("copy-mode", "", "deHMqSu", "st", Shows),
    ("customize-mode", "", "NZyk", "FfKt", Unknown),
    ("delete-buffer", "deleteb", "", "b", Shows),
    ("detach-client", "detach", "aP", "Est", Unknown),
    ("display-menu", "menu", "OM", "bcCHsStTxy", Unknown),
    ("display-message", "display", "aCIlNpv", "cdtF", Shows),
    ("display-panes", "displayp", "bN", "dt", Own(0)),
    ("display-popup", "popup", "BCEkN", "bcdehsStTwxy", Runs),
    ("find-window", "findw", "iCNrTZ", "t", Shows),
    ("has-session", "has", "", "t", Shows),
    ("if-shell", "if", "bF", "t", Tests),
    ("join-pane", "joinp", "bdfhv", "lpst", Shows),
    ("kill-pane", "killp", "a", "t", Ends),
    ("kill-server", "", "", "", Ends),
    ("kill-session", "", "aC", "t", Ends),
    ("kill-window", "killw", "a", "t", Ends),
    ("last-pane", "lastp", "deZ", "t", Shows),
    ("last-window", "last", "", "t", Shows),
    ("link-window", "linkw", "abdk", "st", Shows),
    ("list-buffers", "lsb", "r", "FfO", Shows),
    ("list-clients", "lsc", "r", "FftO", Shows),
    ("list-commands", "lscm", "", "F", Shows),
    ("list-keys", "lsk", "1aNr", "FOPT", Shows),
    ("list-panes", "lsp", "asr", "FftO", Shows),
    ("list-sessions", "ls", "r", "FfO", Shows),
    ("list-windows", "lsw", "ar", "FftO", Shows),
    ("load-buffer", "loadb", "w", "bt", Shows),
    ("lock-client", "lockc", "", "t", Unknown),
    ("lock-server", "lock", "", "", Unknown),
    ("lock-session", "locks", "", "t", Unknown),
    ("move-pane", "movep", "bdfhv", "lpst", Shows),
    ("move-window", "movew", "abrdk", "st", Shows),
    ("new-session", "new", "AdDEPX", "cefFnstxy", Runs),
    ("new-window", "neww", "abdkPS", "ceFnt", Runs),
    ("next-layout", "nextl", "", "t", Shows),
    ("next-window", "next", "a", "t", Shows),
    ("paste-buffer", "pasteb", "dprS", "bst", Types),
    ("pipe-pane", "pipep", "IOo", "t", Pipes),
    ("previous-layout", "prevl", "", "t", Shows),
    ("previous-window", "prev", "a", "t", Shows),
    ("refresh-client", "refresh", "cDLRSU", "ABCftlr", Shows),
    ("rename-session", "rename", "", "t", Shows),
    ("rename-window", "renamew", "", "t", Shows),
    ("resize-pane", "resizep", "DLMRTUZ", "txy", Shows),
    ("resize-window", "resizew", "aADLRU", "txy", Shows),
    ("respawn-pane", "respawnp", "k", "cet", Runs),
    ("respawn-window", "respawnw", "k", "cet", Runs),
    ("rotate-window", "rotatew", "DUZ", "t", Shows),
    ("run-shell", "run", "bCE", "cdt", Shell),
    ("save-buffer", "saveb", "a", "b", Saves),
    ("select-layout", "selectl", "Enop", "t", Shows),
    ("select-pane", "selectp", "DdeLlMmRUZ", "TtP", Shows),
    ("select-window", "selectw", "lnpT", "t", Shows),
    ("send-keys", "send", "FHKlMRX", "cNt", Types),
    ("send-prefix", "", "2", "t", Types),
    ("server-access", "", "adlrw", "", Unknown),
    ("set-buffer", "setb", "aw", "bnt", Shows),
    ("set-environment", "setenv", "Fghru", "t", Unknown),
    ("set-hook", "", "agpRuw", "t", Own(1)),
    ("set-option", "set", "aFgopqsuUw", "t", Unknown),
    ("set-window-option", "setw", "aFgoqu", "t", Unknown),
    ("show-buffer", "showb", "", "b", Shows),
    ("show-environment", "showenv", "hgs", "t", Shows),
    ("show-hooks", "", "gpw", "t", Shows),
    ("show-messages", "showmsgs", "JT", "t", Shows),
    ("show-options", "show", "AgHpqsvw", "t", Shows),
    ("show-prompt-history", "showphist", "", "T", Shows),
    ("show-window-options", "showw", "gv", "t", Shows),
    ("source-file", "source", "Fnqv", "t", Unknown),
    ("split-window", "splitw", "bdfhIvPZ", "celtFp", Runs),
    ("start-server", "start", "", "", Shows),
    ("suspend-client", "suspendc", "", "t", Shows),
    ("swap-pane", "swapp", "dDUZ", "st", Shows),
    ("swap-window", "swapw", "d", "st", Shows),
    ("switch-client", "switchc", "ElnprZ", "cOtT", Shows),
    ("unbind-key", "unbind", "anq", "T", Shows),
    ("unlink-window", "unlinkw", "k", "t", Shows),
    ("wait-for", "wait", "LSU", "", Shows),
];

/// Options of sessions and windows that run nothing.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "mouse", "status", "history-limit", "base-index", "pane-base-index", "renumber-windows", "remain-on-exit", "mode-keys",
    "status-keys", "escape-time", "display-time", "default-terminal", "set-clipboard", "focus-events", "monitor-activity",
    "monitor-bell", "visual-activity", "visual-bell", "automatic-rename", "allow-rename", "aggressive-resize",
    "synchronize-panes", "status-position", "status-interval", "status-style", "pane-border-style",
    "pane-active-border-style", "message-style", "window-size", "main-pane-width", "main-pane-height", "wrap-search",
    "detach-on-destroy", "exit-empty", "destroy-unattached", "set-titles", "repeat-time", "bell-action", "buffer-limit",
];

const GLOBAL: Spec = Spec { flags: "2CDlNquUvVhd8", values: "cfLST", ..Spec::CARRIER };

/// Texts of its own commands within its own commands are followed no deeper.
const DEEPEST: usize = 4;

/// Judges a command of it, or of `byobu`, which hands its words on.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let parsed = match options::parse(command.arguments(), &GLOBAL) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["V", "h", "version", "help"]) {
        return Report::reads();
    }
    let mut effects = Vec::new();
    if parsed.values(&["f"]).any(|file| file.known() != Some("/dev/null")) {
        effects.push(Effect::Unknown("what its config file runs is not read".to_owned()));
    }
    if parsed.has(&["C"]) && !matches!(command.stdin, Stdin::Inherited | Stdin::Nothing) {
        effects.push(Effect::Unknown("it takes its commands from stdin".to_owned()));
    }
    if let Some(text) = parsed.values(&["c"]).last() {
        effects.push(shell(text.clone(), At::Child, Stdin::Nothing));
    }
    commands(&parsed.operands, 0, &mut effects);
    Report { effects, by: None }
}

/// Commands one behind another: a word that ends with `;` ends one.
fn commands(all: &[Word], depth: usize, effects: &mut Vec<Effect>) {
    let mut one: Vec<Word> = Vec::new();
    for word in all {
        let ends = word.known().filter(|text| text.ends_with(';') && !text.ends_with("\\;"));
        match ends.and_then(|text| text.strip_suffix(';')) {
            Some(before) => {
                if !before.is_empty() {
                    one.push(before.into());
                }
                one_command(&one, depth, effects);
                one.clear();
            }
            None => one.push(word.clone()),
        }
    }
    one_command(&one, depth, effects);
}

/// A text of its own commands, as its config files have them.
fn text_of_commands(text: &Word, depth: usize, effects: &mut Vec<Effect>) {
    let unread = |effects: &mut Vec<Effect>| {
        effects.push(Effect::Unknown(format!("what `{}` runs is in a language of tmux", text.shown())));
    };
    // Quotes, braces and variables are its own; without them words are parted by blanks.
    match text.known() {
        Some("") => {}
        Some(known) if depth < DEEPEST && !known.contains(['\'', '"', '{', '}', '$', '\\', '#', '~', '%', '\n']) => {
            let words: Vec<Word> = known.split_whitespace().map(Word::from).collect();
            commands(&words, depth + 1, effects);
        }
        _ => unread(effects),
    }
}

/// The command that a name stands for: itself, its short name, or the beginning of one name alone.
fn find(name: &str) -> Option<(&'static str, Spec, Does)> {
    let exact = COMMANDS.iter().find(|(full, short, ..)| *full == name || *short == name);
    let found = exact.or_else(|| {
        let mut all = COMMANDS.iter().filter(|(full, ..)| full.starts_with(name));
        all.next().filter(|_| all.next().is_none())
    });
    let (full, _, flags, values, does) = found?;
    let spec = Spec { flags, values, long_flags: &[], ..Spec::CARRIER };
    Some((full, spec, *does))
}

fn one_command(words_: &[Word], depth: usize, effects: &mut Vec<Effect>) {
    let Some((first, rest)) = words_.split_first() else {
        return;
    };
    let Some((name, spec, does)) = first.known().and_then(find) else {
        effects.push(Effect::Unknown(format!("its command `{}` is not known", first.shown())));
        return;
    };
    let parsed = match options::parse(rest, &spec) {
        Ok(parsed) => parsed,
        Err(why) => {
            effects.push(Effect::Unknown(why));
            return;
        }
    };
    // In a format `#(…)` runs a command, and nearly every value may be a format. A word for a program is none.
    let formats = parsed.options.iter().filter_map(|(_, value)| value.as_ref());
    let more: &[Word] = if matches!(does, Runs | Pipes | Types) { &[] } else { &parsed.operands };
    if formats.chain(more).any(|word| word.stretches().any(|text| text.contains("#("))) {
        effects.push(Effect::Unknown("a format of it runs a command".to_owned()));
    }
    let carried = parsed.operands.as_slice();
    match does {
        Shows => {}
        Ends => effects.push(Effect::Changes("ends what runs in a terminal".to_owned())),
        Runs => {
            if parsed.has(&["k"]) && name != "display-popup" {
                effects.push(Effect::Changes("ends what runs in a terminal".to_owned()));
            }
            starts(&parsed, effects);
        }
        Pipes => {
            if let [text, ..] = carried {
                effects.push(shell(text.clone(), At::Child, Stdin::Unknown));
            }
            if parsed.has(&["I"]) && !carried.is_empty() {
                effects.extend(typed::text(&Word::unknown(), &into(&parsed)));
            }
        }
        Types => types(name, &parsed, effects),
        Shell if parsed.has(&["C"]) => carried.iter().for_each(|text| text_of_commands(text, depth, effects)),
        Shell => effects.extend(carried.first().map(|text| shell(text.clone(), At::Child, Stdin::Nothing))),
        Tests => {
            if let Some((test, texts)) = carried.split_first() {
                if !parsed.has(&["F"]) {
                    effects.push(shell(test.clone(), At::Child, Stdin::Nothing));
                }
                texts.iter().for_each(|text| text_of_commands(text, depth, effects));
            }
        }
        Own(skip) => match carried.get(skip..).unwrap_or_default() {
            [text] => text_of_commands(text, depth, effects),
            more if depth < DEEPEST => commands(more, depth + 1, effects),
            _ => effects.push(Effect::Unknown("its commands stand deeper in one another than is followed".to_owned())),
        },
        Saves => effects.extend(carried.first().filter(|path| path.known() != Some("-")).and_then(writes)),
        Unknown => unlisted(name, &parsed, effects),
    }
}

/// What a new window runs: one word is a shell's text, several are a program's.
fn starts(parsed: &Parsed, effects: &mut Vec<Effect>) {
    for setting in parsed.values(&["e"]) {
        match carry::assignment(setting) {
            Ok(Some((name, value))) => effects.push(Effect::Sets { name, value }),
            _ => effects.push(Effect::Unknown(format!("what `-e {}` sets can't be told", setting.shown()))),
        }
    }
    let at = parsed.values(&["c", "d"]).last().map_or(At::Child, |folder| At::Folder(folder.clone()));
    match parsed.operands.as_slice() {
        [] => {}
        [text] => effects.push(shell(text.clone(), at, Stdin::Nothing)),
        more => effects.extend(words(more, at, Stdin::Nothing)),
    }
}

fn types(name: &str, parsed: &Parsed, effects: &mut Vec<Effect>) {
    let into = into(parsed);
    if name != "send-keys" {
        effects.extend(typed::text(&Word::unknown(), &into));
        return;
    }
    let keys = &parsed.operands;
    if parsed.has(&["X"]) {
        // A command for looking back at what was shown; some hand that to a program.
        let pipes = keys.first().is_none_or(|key| key.known().is_none_or(|key| key.contains("pipe")));
        if pipes {
            effects.push(Effect::Unknown("it may hand what a terminal shows to a program".to_owned()));
        }
    } else if parsed.has(&["H"]) {
        effects.extend(typed::text(&Word::unknown(), &into));
    } else if parsed.has(&["l"]) {
        let mut text = Word::default();
        keys.iter().for_each(|key| text.push_word(key));
        effects.extend(typed::text(&text, &into));
    } else if !keys.is_empty() {
        effects.extend(typed::text(&typed::keys(keys), &into));
    }
}

fn into(parsed: &Parsed) -> String {
    parsed.values(&["t"]).last().map_or_else(|| "that is typed into".to_owned(), |pane| format!("`{}`", pane.shown()))
}

fn unlisted(name: &str, parsed: &Parsed, effects: &mut Vec<Effect>) {
    match name {
        "set-option" | "set-window-option" => {
            let option = parsed.operands.first().and_then(Word::known);
            // Taking back what was set leaves what is built in.
            if !option.is_some_and(|option| HARMLESS.contains(&option)) {
                effects.push(Effect::Unknown("the option that it sets may run something".to_owned()));
            }
        }
        "detach-client" => {
            effects.extend(parsed.values(&["E"]).map(|text| shell(text.clone(), At::Child, Stdin::Nothing)));
        }
        _ => effects.push(Effect::Unknown(format!("what `{name}` runs can't be told"))),
    }
}

#[cfg(test)]
#[path = "tests/tmux.rs"]
mod tests;
