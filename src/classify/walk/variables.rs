//! Variables that choose what runs: what they are set to is judged as well.

use super::{Shell, Walk};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Run, Stdin, Unset, What};
use crate::classify::programs;
use crate::classify::shell::tree::{Name, Piece, Source};
use crate::classify::word::Word;

/// Programs run what these say, as text of a shell or as its words.
const TEXTS: &[&str] = &[
    "PAGER",
    "GIT_PAGER",
    "MANPAGER",
    "SYSTEMD_PAGER",
    "AWS_PAGER",
    "GH_PAGER",
    "DELTA_PAGER",
    "BAT_PAGER",
    "PSQL_PAGER",
    "EDITOR",
    "VISUAL",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "KUBE_EDITOR",
    "SUDO_EDITOR",
    "SYSTEMD_EDITOR",
    "HGEDITOR",
    "SVN_EDITOR",
    "PSQL_EDITOR",
    "CRONTAB_EDITOR",
    "BROWSER",
    "LESSOPEN",
    "LESSCLOSE",
    "GIT_EXTERNAL_DIFF",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "GIT_PROXY_COMMAND",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "FZF_DEFAULT_COMMAND",
    "KUBECTL_EXTERNAL_DIFF",
    "BORG_PASSCOMMAND",
    "RESTIC_PASSWORD_COMMAND",
    "RCLONE_PASSWORD_COMMAND",
    "MTR_PACKET",
    "MAILER",
    "MAKESHELL",
    "RUSTC_WRAPPER",
    "RUSTC",
    "CC",
    "CXX",
    "SHELL",
];

/// Programs run what these say with the machine's name behind it.
const REMOTE_SHELLS: &[&str] = &["GIT_SSH_COMMAND", "GIT_SSH", "RSYNC_RSH", "SVN_SSH", "CVS_RSH", "HGSSH", "BORG_RSH"];

/// Folders in which programs and their parts are looked for.
const FOLDERS: &[&str] = &["PATH", "LD_LIBRARY_PATH", "fpath", "FPATH"];

/// What these hold is loaded into every program, or into every one of a kind, or makes them act elsewhere.
const LOADED: &[&str] = &[
    "LD_PRELOAD",
    "LD_AUDIT",
    "GCONV_PATH",
    "BASH_ENV",
    "ENV",
    "ZDOTDIR",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PERL5OPT",
    "RUBYOPT",
    "RUBYLIB",
    "PERL5LIB",
    "PERLLIB",
    "NODE_PATH",
    "GIT_EXEC_PATH",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_COUNT",
    "GIT_TEMPLATE_DIR",
    "SHELLOPTS",
    "BASHOPTS",
    "RSYNC_CONNECT_PROG",
    "TAR_OPTIONS",
    "TAPE",
    "TAR_RSH",
    "RMT",
    "GREP_OPTIONS",
    "LS_OPTIONS",
    "LESS",
    "MORE",
    "VIMINIT",
    "EXINIT",
    "PSQLRC",
    "CDPATH",
    "TERMINFO",
    "TERMCAP",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "WCOLL",
    "PDSH_RCMD_TYPE",
    "SCREENRC",
    "SYSSCREENRC",
    "LFTP_HOME",
    "NMAPDIR",
    "SMB_CONF_PATH",
    "LIBSMB_PROG",
    "RCLONE_SFTP_SSH",
    "RCLONE_CONFIG",
    "ZELLIJ_CONFIG_FILE",
    "ZELLIJ_CONFIG_DIR",
    "WEZTERM_CONFIG_FILE",
    "KITTY_CONFIG_DIRECTORY",
    "BYOBU_CONFIG_DIR",
    "PROXYCHAINS_CONF_FILE",
    "DOCKER_CONFIG",
    "DSHPATH",
    "AUTOSSH_PATH",
    "PDSH_SSH_ARGS",
    "PDSH_SSH_ARGS_APPEND",
    "PDSH_MODULE_DIR",
    "CLUSTERSHELL_CFGDIR",
    "BASH_FUNC_",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH",
    "GIT_SSH_VARIANT",
    "SYSTEMD_LESS",
    "LESSSECURE",
    "LESSKEY",
    "LESSKEYIN",
    "LESSKEY_CONTENT",
    "LESSKEY_SYSTEM",
    "LESSKEYIN_SYSTEM",
    "LESS_ADVANCED_PREPROCESSOR",
    "MANOPT",
    "MANROFFOPT",
    "SSH_SK_PROVIDER",
    "XDG_CONFIG_HOME",
    "KUBECONFIG",
    "CURL_HOME",
    "BORG_REMOTE_PATH",
    "BORG_LOGGING_CONF",
    "WGETRC",
    "SYSTEM_WGETRC",
    "HOSTALIASES",
    "LOCALDOMAIN",
    "CONTAINERS_CONF",
    "CONTAINERS_CONF_OVERRIDE",
    "PODMAN_CONNECTIONS_CONF",
    "LIBGUESTFS_HV",
    "LIBGUESTFS_PATH",
    "LIBGUESTFS_QEMU",
    "LIBVIRT_DEFAULT_URI",
    "VIRSH_DEFAULT_CONNECT_URI",
    "LOCPATH",
    "NLSPATH",
    "TERMINFO_DIRS",
    "LUA_INIT",
    "LUA_PATH",
    "LUA_CPATH",
    "TCLLIBPATH",
];

/// Programs write what they do to the files that these name.
const WRITTEN: &[&str] = &[
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
    "GIT_TRACE_CURL",
    "GIT_TRACE_FSMONITOR",
    "GIT_TRACE_PACKET",
    "GIT_TRACE_PACKFILE",
    "GIT_TRACE_PACK_ACCESS",
    "GIT_TRACE_PERFORMANCE",
    "GIT_TRACE_REFS",
    "GIT_TRACE_SETUP",
    "GIT_TRACE_SHALLOW",
    "LD_DEBUG_OUTPUT",
    "LD_PROFILE_OUTPUT",
    "LESSHISTFILE",
    "HISTFILE",
    "MALLOC_TRACE",
    "NODE_V8_COVERAGE",
    "PIP_LOG",
    "PIP_LOG_FILE",
    "PKG_CONFIG_LOG",
    "PYTHONPYCACHEPREFIX",
    "SSLKEYLOGFILE",
    "TF_LOG_PATH",
];

/// What these hold is loaded into programs of a language: a developer's work.
const LANGUAGES: &[&str] = &[
    "PYTHONPATH",
    "NODE_OPTIONS",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "CLASSPATH",
    "RUSTFLAGS",
    "GOFLAGS",
    "MAKEFLAGS",
    "GNUMAKEFLAGS",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "COMPOSER_HOME",
    "JAVA_OPTS",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PYTHONBREAKPOINT",
    "PYTHONINSPECT",
    "PYTHONUSERBASE",
    "PYTHONWARNINGS",
    "R_PROFILE",
    "R_PROFILE_USER",
    // Whose settings are read, and where they lie: a setting may name a program.
    "HOME",
    "ANSIBLE_CONFIG",
    "APT_CONFIG",
    "AWS_CONFIG_FILE",
    "AZURE_CONFIG_DIR",
    "AZURE_EXTENSION_DIR",
    "AWS_SHARED_CREDENTIALS_FILE",
    "BAT_CONFIG_DIR",
    "BAT_CONFIG_PATH",
    "BUNDLE_GEMFILE",
    "CLOUDSDK_CONFIG",
    "CLOUDSDK_PYTHON",
    "DPKG_ADMINDIR",
    "GEM_HOME",
    "GEM_PATH",
    "GNUPGHOME",
    "HELM_BIN",
    "HELM_PLUGINS",
    "HGRCPATH",
    "LVM_SYSTEM_DIR",
    "PIP_CONFIG_FILE",
    "RIPGREP_CONFIG_PATH",
    "RPM_CONFIGDIR",
    "TF_CLI_CONFIG_FILE",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
];

/// How Ansible shows things or waits, and what its judge looks at itself; whatever else it is told may choose machines, or
/// load code.
const ANSIBLE: &[&str] = &[
    "ANSIBLE_BECOME",
    "ANSIBLE_BECOME_METHOD",
    "ANSIBLE_BECOME_USER",
    "ANSIBLE_COMMAND_WARNINGS",
    "ANSIBLE_CONFIG",
    "ANSIBLE_DEPRECATION_WARNINGS",
    "ANSIBLE_DISPLAY_OK_HOSTS",
    "ANSIBLE_DISPLAY_SKIPPED_HOSTS",
    "ANSIBLE_FORCE_COLOR",
    "ANSIBLE_FORKS",
    "ANSIBLE_GATHERING",
    "ANSIBLE_HOST_KEY_CHECKING",
    "ANSIBLE_INVENTORY",
    "ANSIBLE_LOCALHOST_WARNING",
    "ANSIBLE_NOCOLOR",
    "ANSIBLE_NOCOWS",
    "ANSIBLE_PIPELINING",
    "ANSIBLE_PRIVATE_KEY_FILE",
    "ANSIBLE_REMOTE_USER",
    "ANSIBLE_RETRY_FILES_ENABLED",
    "ANSIBLE_SSH_PIPELINING",
    "ANSIBLE_SSH_RETRIES",
    "ANSIBLE_SYSTEM_WARNINGS",
    "ANSIBLE_TIMEOUT",
    "ANSIBLE_VAULT_PASSWORD_FILE",
    "ANSIBLE_VERBOSITY",
];

/// Functions that zsh calls without being told to.
const HOOKS: &[&str] = &[
    "chpwd_functions",
    "periodic_functions",
    "precmd_functions",
    "preexec_functions",
    "zshaddhistory_functions",
    "zshexit_functions",
];

/// How the names begin of variables that are options and settings of programs of a language or a cloud.
const OPTIONS: &[&str] =
    &["npm_config_", "NPM_CONFIG_", "PIP_", "TF_CLI_ARGS", "CLOUDSDK_PYTHON_", "BUNDLE_", "UV_", "RCLONE_"];

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
