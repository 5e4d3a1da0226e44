//! Programs that run another one in a project's environment: `npx X`, `uv run X`, `bundle exec X`. Pure.
//!
//! What they find by that name is what the project, or a registry of packages, has under it. So it is a developer's work in
//! any case, and what the program of that name does counts besides. Their other sub-commands are in the catalog.

use super::options::{self, Parsed, Spec};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, What};
use crate::classify::word::Word;

/// One way to run something.
struct Runner {
    /// The program.
    program: &'static str,
    /// The sub-command's words; none for a program that does nothing else.
    sub: &'static [&'static str],
    /// Options before the sub-command.
    global: Spec,
    /// Options behind it.
    own: Spec,
    /// How many operands stand before the program that is run.
    skip: usize,
    /// How the program that is run is named.
    named: Named,
    /// Whether what runs depends on the project.
    works: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    /// By its first word.
    First,
    /// By its first word, perhaps with a version: `eslint@8`.
    Versioned,
    /// As `Versioned`, and the runner's options may stand behind it too, up to `--`.
    Anywhere,
    /// By its first word; a Python script is run by Python.
    Python,
    /// By what stands behind `--`.
    BehindDashes,
    /// By the sub-command.
    Sub(&'static str),
}

const NONE: Spec =
    Spec { flags: "", values: "", glued: "", long_flags: &[], long_values: &[], stops: true, single_dash: false };

const NODE: Spec = Spec {
    flags: "yq",
    values: "pcw",
    long_flags: &[
        "yes",
        "no",
        "quiet",
        "silent",
        "offline",
        "prefer-offline",
        "prefer-online",
        "no-install",
        "ignore-existing",
        "workspaces",
    ],
    long_values: &["package", "call", "workspace", "registry", "cache", "prefix", "loglevel"],
    ..NONE
};

const NPM: Spec = Spec { values: "wC", long_values: &["workspace", "prefix", "registry", "loglevel"], ..NONE };

const UV_GLOBAL: Spec = Spec {
    flags: "qvn",
    long_flags: &["quiet", "verbose", "offline", "no-cache", "no-config", "no-progress", "native-tls"],
    long_values: &["directory", "project", "config-file", "cache-dir", "color", "allow-insecure-host"],
    ..NONE
};

const UV_RUN: Spec = Spec {
    flags: "qvnms",
    values: "pw",
    long_flags: &[
        "quiet",
        "verbose",
        "offline",
        "no-cache",
        "no-config",
        "no-progress",
        "native-tls",
        "no-sync",
        "frozen",
        "locked",
        "isolated",
        "active",
        "no-project",
        "all-extras",
        "dev",
        "no-dev",
        "only-dev",
        "all-groups",
        "no-default-groups",
        "exact",
        "no-env-file",
        "managed-python",
        "no-managed-python",
        "all-packages",
        "no-editable",
        "module",
        "script",
        "refresh",
        "upgrade",
    ],
    long_values: &[
        "with",
        "with-requirements",
        "with-editable",
        "extra",
        "no-extra",
        "group",
        "no-group",
        "only-group",
        "env-file",
        "python",
        "directory",
        "project",
        "package",
        "index",
        "default-index",
        "index-url",
        "extra-index-url",
        "find-links",
        "color",
        "config-file",
        "cache-dir",
        "link-mode",
        "resolution",
        "from",
        "constraints",
    ],
    ..NONE
};

const CONDA: Spec = Spec {
    flags: "v",
    values: "np",
    long_flags: &["no-capture-output", "live-stream", "verbose"],
    long_values: &["name", "prefix", "cwd"],
    ..NONE
};

const fn runner(program: &'static str, sub: &'static [&'static str], own: Spec, named: Named) -> Runner {
    Runner { program, sub, global: NONE, own, skip: 0, named, works: true }
}

/// A cluster's program that has another one in it, under its name.
const fn holds(program: &'static str, sub: &'static [&'static str], inner: &'static str) -> Runner {
    Runner { program, sub, global: NONE, own: NONE, skip: 0, named: Named::Sub(inner), works: false }
}

const RUNNERS: &[Runner] = &[
    runner("npx", &[], NODE, Named::Versioned),
    Runner { global: NPM, ..runner("npm", &["exec"], NODE, Named::Anywhere) },
    Runner { global: NPM, ..runner("npm", &["x"], NODE, Named::Anywhere) },
    Runner {
        global: Spec { flags: "rw", values: "CF", long_flags: &["recursive"], long_values: &["dir", "filter"], ..NONE },
        ..runner("pnpm", &["exec"], Spec { flags: "r", long_flags: &["recursive", "parallel"], ..NONE }, Named::First)
    },
    Runner {
        global: Spec { values: "C", long_values: &["dir"], ..NONE },
        ..runner("pnpm", &["dlx"], Spec { long_values: &["package", "allow-build"], ..NONE }, Named::Versioned)
    },
    runner("pnpx", &[], Spec { long_values: &["package", "allow-build"], ..NONE }, Named::Versioned),
    Runner {
        global: Spec { long_values: &["cwd"], ..NONE },
        ..runner(
            "yarn",
            &["dlx"],
            Spec { flags: "q", values: "p", long_values: &["package"], ..NONE },
            Named::Versioned,
        )
    },
    Runner { global: Spec { long_values: &["cwd"], ..NONE }, ..runner("yarn", &["exec"], NONE, Named::First) },
    runner(
        "bunx",
        &[],
        Spec { values: "p", long_flags: &["bun"], long_values: &["package"], ..NONE },
        Named::Versioned,
    ),
    runner(
        "bun",
        &["x"],
        Spec { values: "p", long_flags: &["bun"], long_values: &["package"], ..NONE },
        Named::Versioned,
    ),
    Runner { global: UV_GLOBAL, ..runner("uv", &["run"], UV_RUN, Named::Python) },
    Runner { global: UV_GLOBAL, ..runner("uv", &["tool", "run"], Spec { flags: "qvn", ..UV_RUN }, Named::Versioned) },
    runner("uvx", &[], Spec { flags: "qvn", ..UV_RUN }, Named::Versioned),
    runner(
        "pipx",
        &["run"],
        Spec {
            long_flags: &["no-cache", "verbose", "quiet", "pypackages", "system-site-packages"],
            long_values: &["spec", "index-url", "pip-args", "with"],
            ..NONE
        },
        Named::Versioned,
    ),
    Runner {
        global: Spec {
            flags: "qvn",
            values: "CP",
            long_flags: &["quiet", "verbose", "no-interaction", "no-ansi", "no-plugins"],
            long_values: &["directory", "project"],
            ..NONE
        },
        ..runner("poetry", &["run"], NONE, Named::First)
    },
    runner("pipenv", &["run"], NONE, Named::First),
    runner("pdm", &["run"], Spec { flags: "s", values: "p", long_values: &["venv", "project"], ..NONE }, Named::First),
    runner("bundle", &["exec"], Spec { long_values: &["gemfile"], ..NONE }, Named::First),
    runner("rbenv", &["exec"], NONE, Named::First),
    runner("pyenv", &["exec"], NONE, Named::First),
    runner("asdf", &["exec"], NONE, Named::First),
    runner("volta", &["run"], Spec { long_values: &["node", "npm", "yarn", "pnpm", "env"], ..NONE }, Named::First),
    runner("mise", &["exec"], NONE, Named::BehindDashes),
    runner("mise", &["x"], NONE, Named::BehindDashes),
    Runner { skip: 1, ..runner("direnv", &["exec"], NONE, Named::First) },
    Runner { skip: 1, ..runner("nvm", &["exec"], Spec { long_flags: &["silent"], ..NONE }, Named::First) },
    Runner { skip: 1, ..runner("rustup", &["run"], Spec { long_flags: &["install"], ..NONE }, Named::First) },
    runner("conda", &["run"], CONDA, Named::First),
    runner("mamba", &["run"], CONDA, Named::First),
    runner("micromamba", &["run"], CONDA, Named::First),
    holds("k3s", &["kubectl"], "kubectl"),
    holds("k3s", &["crictl"], "crictl"),
    holds("k3s", &["ctr"], "ctr"),
    holds("microk8s", &["kubectl"], "kubectl"),
    holds("microk8s", &["helm"], "helm"),
    holds("microk8s", &["helm3"], "helm"),
    holds("microk8s", &["ctr"], "ctr"),
];

/// Whether a program is one of these.
#[must_use]
pub fn knows(program: &str) -> bool {
    RUNNERS.iter().any(|runner| runner.program == program)
}

/// Judges a command of one of them.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let program = command.program().map_or("", |program| program.rsplit('/').next().unwrap_or_default());
    for runner in RUNNERS.iter().filter(|runner| runner.program == program) {
        if let Some(behind) = runner.behind(command.arguments()) {
            return runner.run(&behind, command).unwrap_or_else(Report::unknown);
        }
    }
    // No table has their running sub-commands, so an option before one that isn't known here can't hide it.
    Report::of(Effect::Table)
}

impl Runner {
    /// What stands behind the sub-command, if it is this one.
    fn behind(&self, words: &[Word]) -> Option<Vec<Word>> {
        let mut words = words.to_vec();
        for sub in self.sub {
            let parsed = options::parse(&words, &self.global).ok()?;
            let (first, rest) = parsed.operands.split_first()?;
            if first.known() != Some(*sub) {
                return None;
            }
            words = rest.to_vec();
        }
        Some(words)
    }

    /// What it runs.
    fn run(&self, behind: &[Word], command: &Command) -> Result<Report, String> {
        let what = match self.named {
            Named::Sub(inner) => {
                What::Words(std::iter::once(Word::from(inner)).chain(behind.iter().cloned()).collect())
            }
            Named::BehindDashes => {
                let at = behind.iter().position(|word| word.known() == Some("--"));
                // What stands before is the tools that are wanted; an option there may hold a text to run.
                let before = behind.get(..at.unwrap_or(behind.len())).unwrap_or_default();
                if let Some(word) = before.iter().find(|word| word.may_begin_with("-") || word.is_many()) {
                    return Err(format!("what `{}` means to {} is not known", word.shown(), self.program));
                }
                let at = at.ok_or_else(|| self.no_program())?;
                What::Words(self.program_and_words(behind.get(at + 1..).unwrap_or_default())?)
            }
            _ => {
                let parsed = options::parse(behind, &self.own)?;
                self.what(&parsed)?
            }
        };
        let run = Effect::Runs(Run { what, at: At::Child, stdin: command.stdin.clone() });
        let works =
            self.works.then(|| Effect::Works(format!("runs what the project has under a name by `{}`", self.shown())));
        Ok(Report { effects: works.into_iter().chain([run]).collect(), by: None })
    }

    fn what(&self, parsed: &Parsed) -> Result<What, String> {
        if let Some(text) = parsed.values(&["c", "call"]).last() {
            return Ok(What::Shell { text: text.clone(), arguments: vec![] });
        }
        if self.program.starts_with("uv")
            && let Some(python) =
                parsed.values(&["p", "python"]).find(|value| value.known().is_none_or(|v| v.contains('/')))
        {
            return Err(format!("which interpreter `{}` is can't be told", python.shown()));
        }
        let words = parsed.operands.get(self.skip..).unwrap_or_default();
        if self.named == Named::Anywhere && !parsed.ended {
            let option = |word: &&Word| word.known() != Some("--") && (word.may_begin_with("-") || word.is_many());
            let own = words.iter().take_while(|word| word.known() != Some("--"));
            if let Some(word) = own.skip(1).find(option) {
                return Err(format!("whether `{}` is meant for {} itself can't be told", word.shown(), self.program));
            }
        }
        let mut words = self.program_and_words(words)?;
        if self.named == Named::Anywhere && !parsed.ended {
            // The first `--` is npm's own.
            if let Some(at) = words.iter().position(|word| word.known() == Some("--")) {
                words.remove(at);
            }
        }
        if self.named == Named::Python {
            let module = parsed.has(&["m", "module"]);
            let script = |word: &Word| match word.known() {
                Some(name) => name == "-" || name.ends_with(".py") || name.ends_with(".pyw"),
                None => word.stretches().last().is_some_and(|end| end.ends_with(".py")),
            };
            if module {
                words.splice(0..0, [Word::from("python"), Word::from("-m")]);
            } else if parsed.has(&["s", "script"]) || words.first().is_some_and(script) {
                words.insert(0, Word::from("python"));
            }
        }
        Ok(What::Words(words))
    }

    /// The program that is run and its words.
    fn program_and_words(&self, words: &[Word]) -> Result<Vec<Word>, String> {
        let (first, rest) = words.split_first().ok_or_else(|| self.no_program())?;
        let mut first = first.clone();
        if matches!(self.named, Named::Versioned | Named::Anywhere)
            && let Some(text) = first.known()
            && !text.starts_with('@')
            && let Some((name, _)) = text.split_once('@')
        {
            first = Word::from(name);
        }
        Ok(std::iter::once(first).chain(rest.iter().cloned()).collect())
    }

    fn no_program(&self) -> String {
        format!("`{}` names no program to run", self.shown())
    }

    fn shown(&self) -> String {
        std::iter::once(self.program).chain(self.sub.iter().copied()).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
#[path = "../tests/runners.rs"]
mod tests;
