//! Variables that choose what runs: what they are set to is judged as well.

use super::choosing::{ANSIBLE, FOLDERS, HOOKS, LANGUAGES, LOADED, OPTIONS, REMOTE_SHELLS, TEXTS, WRITTEN};
use super::{Shell, Walk};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Run, Stdin, Unset, What};
use crate::classify::programs;
use crate::classify::shell::tree::{Name, Piece, Source};
use crate::classify::word::Word;

impl Walk<'_> {
    /// Judges what a variable is set to, if it chooses what runs.
    pub(super) fn chooses(&mut self, name: &str, value: &Word, source: &Source, shell: &mut Shell) {
        let listed = |list: &[&str]| list.contains(&name);
        let text = format!("{name}={}", source.raw.chars().take(200).collect::<String>());
        // Nothing is chosen by nothing.
        if value.known().is_some_and(|value| value.trim().is_empty()) {
            return;
        }
        // Whoever leaves a virtual environment of Python gives back what it has kept, unless the text has put something
        // else there.
        let kept = format!("_OLD_VIRTUAL_{name}");
        let is_kept =
            |piece: &Piece| matches!(piece, Piece::Variable { name: Name::Named(other), .. } if *other == kept);
        if !source.pieces.is_empty() && source.pieces.iter().all(is_kept) && shell.env.variable(&kept).is_none() {
            return;
        }
        if listed(REMOTE_SHELLS) {
            return self.remote_shell(value, &text, shell);
        }
        // A prompt is no command, but may hold some; what it was before may stand in it.
        if matches!(name, "PS0" | "PS1" | "PS2" | "PS4") && runs_nothing(value, source, name) {
            return;
        }
        if listed(TEXTS) || name.starts_with("GIT_CONFIG_VALUE_") {
            return match value.known() {
                Some(script) => self.shell_text(script, vec![], Stdin::Nothing, shell, false),
                None => self.doubt(&text, format!("`{name}` chooses what runs, and its value is not known"), shell),
            };
        }
        if listed(FOLDERS) {
            let known = |other: &str| shell.env.variable(other).is_some_and(|value| value.known().is_some());
            if !folders_are_plain(value, source, name, shell.place.has_own_files(), &known) {
                let why = format!("`{name}` chooses which programs run, and what lies in its folders is not known");
                self.doubt(&text, &why, shell);
            }
            return;
        }
        let is_function = name.starts_with("BASH_FUNC_");
        if listed(WRITTEN) {
            // Else it is a number, or says whether to.
            if value.known().is_none_or(|value| value.contains(['/', '.'])) || !name.starts_with("GIT_") {
                self.opened(value, true, shell);
            }
            return;
        }
        if is_setting_of_npm(name) {
            return self.doubt(&text, format!("`{name}` can name another program for npm to run"), shell);
        }
        if (listed(LANGUAGES) || OPTIONS.iter().any(|start| name.starts_with(start))) && !harmless(name, value) {
            if !shell.place.is_own() || self.places.this_vm.is_some() {
                self.doubt(&text, format!("`{name}` can load code into what runs"), shell);
            }
            return;
        }
        let ansible = name.starts_with("ANSIBLE_") && !listed(ANSIBLE);
        if (listed(LOADED) || listed(HOOKS) || is_function || ansible || name.starts_with("GIT_CONFIG_KEY_"))
            && !harmless(name, value)
        {
            self.doubt(&text, format!("`{name}` can load code, or make programs act elsewhere"), shell);
        }
    }

    /// `ssh` with options is what everyone has there: the machine comes from the program that runs it.
    fn remote_shell(&mut self, value: &Word, text: &str, shell: &mut Shell) {
        let words: Option<Vec<Word>> = value
            .known()
            .and_then(crate::classify::own::simple_words)
            .map(|words| words.iter().map(|word| Word::known_as(word.as_str())).collect());
        let Some(mut words) = words.filter(|words| words.first().and_then(Word::known) == Some("ssh")) else {
            return match value.known() {
                Some(script) => self.shell_text(script, vec![], Stdin::Nothing, shell, false),
                None => self.doubt(text, "it chooses what runs, and its value is not known", shell),
            };
        };
        // Any name: only what ssh itself would do on this side counts.
        words.push("host.invalid".into());
        let facts = Facts { around: self.around, home: None, cwd: None, own: false, variables: &Unset };
        let command = Command { words, stdin: Stdin::Nothing };
        let report = programs::of("ssh").map(|judge| judge(&command, &facts)).unwrap_or_default();
        // A machine or a command of its own takes the place of those that the program gives it.
        let plain = |run: &Run| run.what == What::ShellStdin && run.at == At::Hosts(vec![Host::named("host.invalid")]);
        let harmless = report.effects.iter().all(|effect| matches!(effect, Effect::Runs(run) if plain(run)));
        if harmless {
            self.quiet(text, shell);
        } else {
            self.doubt(text, "its ssh runs more than ssh", shell);
        }
    }
}

/// Settings of npm's and pnpm's that name a program, or other settings: npm reads them in any case of letters.
fn is_setting_of_npm(name: &str) -> bool {
    const CHOOSING: &[&str] = &[
        "scriptshell",
        "shell",
        "nodeoptions",
        "userconfig",
        "globalconfig",
        "git",
        "editor",
        "viewer",
        "browser",
        "onloadscript",
        "prefix",
        "localprefix",
        "workspace",
        "workspaces",
        "dir",
        "filter",
    ];
    let plain = name.to_ascii_lowercase();
    let setting = plain.strip_prefix("npm_config_").or_else(|| plain.strip_prefix("pnpm_config_"));
    setting.is_some_and(|setting| CHOOSING.contains(&setting.replace(['_', '-'], "").as_str()))
}

/// Whether no command stands in a prompt, and nothing of it is unknown but what the prompt was before.
fn runs_nothing(value: &Word, source: &Source, name: &str) -> bool {
    let before = |piece: &Piece| match piece {
        Piece::Variable { name: Name::Named(other), .. } => {
            other == name
                || other.strip_prefix("_OLD_VIRTUAL_").is_some_and(|other| other == name)
                || other == "VIRTUAL_ENV_PROMPT"
        }
        Piece::Text(_) | Piece::Quoted(_) => true,
        _ => false,
    };
    let holds = |text: &str| text.contains('`') || text.contains("$(");
    let seen = value.known().is_some() || source.pieces.iter().all(before) && !source.pieces.is_empty();
    seen && !value.stretches().any(holds)
}

/// Values that are known to do nothing but set a manner.
fn harmless(name: &str, value: &Word) -> bool {
    let Some(value) = value.known() else { return false };
    match name {
        // Letters of options that change how it looks.
        "LESS" | "SYSTEMD_LESS" => value.chars().all(|c| "-FRXSMKiNrcqQ ".contains(c)),
        "LESSSECURE" | "MORE" => value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'),
        "GREP_OPTIONS" => value.starts_with("--color"),
        "LIBVIRT_DEFAULT_URI" | "VIRSH_DEFAULT_CONNECT_URI" => programs::vms::is_plain_address(&Word::known_as(value)),
        "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" | "OPENSSL_CONF" => value == "/dev/null",
        "GIT_CONFIG_COUNT" => value == "0",
        // Which cluster a reading verb asks is no guest's matter, and every other verb is asked about.
        "KUBECONFIG" => true,
        "HOME" => value == "/root" || ["/home/", "/Users/"].iter().any(|start| value.starts_with(start)),
        "PIP_DISABLE_PIP_VERSION_CHECK" | "PIP_NO_CACHE_DIR" | "PIP_NO_COLOR" | "PIP_NO_INPUT" | "PIP_QUIET" => true,
        "XDG_CONFIG_HOME" => false,
        _ => false,
    }
}

/// Whether every folder of a search path is the system's, a person's tools, or what was there before.
fn folders_are_plain(value: &Word, source: &Source, name: &str, own: bool, known: &dyn Fn(&str) -> bool) -> bool {
    let environment =
        |piece: &Piece| matches!(piece, Piece::Variable { name: Name::Named(other), .. } if other == "VIRTUAL_ENV");
    let in_environment = source.pieces.iter().any(environment);
    let before = |piece: &Piece| match piece {
        Piece::Variable { name: Name::Named(other), .. } => {
            // Where a virtual environment lies may depend on the system; its folder of programs is one of a person's tools.
            other == name || other == "HOME" || known(other) || (own && other == "VIRTUAL_ENV")
        }
        Piece::Tilde(user) => user.is_empty(),
        Piece::Text(_) | Piece::Quoted(_) => true,
        _ => false,
    };
    // What a program sets has no source that could show that it holds what was there before.
    let unseen = source.pieces.is_empty() && value.known().is_none();
    if unseen || !source.pieces.iter().all(before) {
        return false;
    }
    let stretches: Vec<&str> = value.stretches().collect();
    let last = stretches.len() - 1;
    stretches.iter().enumerate().all(|(nr, stretch)| {
        stretch.split(':').enumerate().all(|(at, folder)| {
            let behind_hole = nr > 0 && at == 0;
            let before_hole = nr < last && at + 1 == stretch.split(':').count();
            match (folder.is_empty(), behind_hole || before_hole) {
                // What was there before, as a whole.
                (true, true) => true,
                // An empty entry is the folder that it runs in.
                (true, false) => false,
                // Home, where it is not known: `$HOME/.local/bin`.
                (false, true) => {
                    own && behind_hole
                        && (folder.starts_with("/.") && is_tools(folder) || in_environment && folder == "/bin")
                }
                (false, false) => is_systems(folder) || own && is_tools(folder),
            }
        })
    })
}

fn is_systems(folder: &str) -> bool {
    let ours = ["/usr/", "/opt/", "/snap/", "/nix/store/", "/run/current-system/"]
        .iter()
        .any(|start| folder.starts_with(start));
    !folder.contains("..")
        && (ours || matches!(folder.trim_end_matches('/'), "/bin" | "/sbin" | "/lib" | "/lib64" | "/usr"))
}

/// A folder of a person's or a project's tools, on the agent's own machine.
fn is_tools(folder: &str) -> bool {
    let in_home = folder.starts_with("/home/")
        || folder.starts_with("/root/")
        || folder.starts_with("/Users/")
        || folder.starts_with("/.");
    let tools = folder.contains("/.") || folder.contains("/go/bin") || folder.contains("/bin") && in_home;
    !folder.contains("..")
        && (in_home && tools || folder.ends_with("/node_modules/.bin") || folder.ends_with("venv/bin"))
}
