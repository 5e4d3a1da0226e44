//! What may rewrite a project's own descriptions (Makefile, package.json, justfile …) while a text runs. Pure.
//!
//! The rule: they are what they were unless something ran that may write any file, as version control, unpacking, and every
//! script and program do of which nobody knows what it writes. What builds, tests and installs a project writes its own
//! outputs, lock files and caches; what names the files that it writes is looked up by those names.

use crate::classify::effect::Command;
use crate::classify::word::Word;

/// What a command that changes files leaves of a project's descriptions.
pub(super) enum Leaves {
    /// All of them, and scripts that lie among them.
    All,
    /// All of them.
    Descriptions,
    /// All but those that it names.
    Others,
    /// None for sure.
    Nothing,
}

/// Programs that leave every file's content as it was, or write only where builds, tests and packages go.
const BUILDERS: &[&str] = &[
    "apt",
    "apt-get",
    "ar",
    "as",
    "autopep8",
    "bandit",
    "bazel",
    "bazelisk",
    "biome",
    "black",
    "brew",
    "bun",
    "bunx",
    "bundle",
    "bundler",
    "c++",
    "cargo",
    "cc",
    "chgrp",
    "chmod",
    "chown",
    "clang",
    "clang++",
    "clang-format",
    "clang-tidy",
    "cmake",
    "composer",
    "conda",
    "corepack",
    "coverage",
    "cpack",
    "ctest",
    "cypress",
    "deno",
    "dnf",
    "docker",
    "docker-compose",
    "dotnet",
    "esbuild",
    "eslint",
    "flake8",
    "g++",
    "gcc",
    "gem",
    "gfortran",
    "go",
    "gofmt",
    "goimports",
    "golangci-lint",
    "gradle",
    "gradlew",
    "hadolint",
    "isort",
    "java",
    "javac",
    "jest",
    "kill",
    "killall",
    "ld",
    "lein",
    "mamba",
    "markdownlint",
    "meson",
    "mix",
    "mkdir",
    "mocha",
    "msbuild",
    "mvn",
    "mvnw",
    "mypy",
    "next",
    "ninja",
    "npm",
    "npx",
    "nx",
    "nyc",
    "objcopy",
    "oxlint",
    "pdm",
    "pip",
    "pip3",
    "pip-compile",
    "pip-sync",
    "pipenv",
    "pipx",
    "pkill",
    "playwright",
    "pnpm",
    "pnpx",
    "podman",
    "podman-compose",
    "poetry",
    "pre-commit",
    "prettier",
    "protoc",
    "pylint",
    "pyright",
    "pytest",
    "py.test",
    "ranlib",
    "rebar3",
    "renice",
    "rm",
    "rmdir",
    "rollup",
    "rspec",
    "rubocop",
    "ruff",
    "rustc",
    "rustdoc",
    "rustfmt",
    "rustup",
    "sbt",
    "shellcheck",
    "shfmt",
    "sleep",
    "stack",
    "strip",
    "stylelint",
    "swift",
    "swiftc",
    "tox",
    "touch",
    "tsc",
    "tsup",
    "turbo",
    "uv",
    "uvx",
    "virtualenv",
    "vite",
    "vitest",
    "webpack",
    "xcodebuild",
    "yarn",
    "yum",
    "zig",
];

/// Sub-commands by which they write such a file as they are told, or make a new project, or run something else.
const WRITING: &[(&str, &[&str])] = &[
    (
        "npm",
        &["config", "set", "init", "create", "innit", "pkg", "version", "edit", "set-script", "explore", "restart"],
    ),
    ("pnpm", &["config", "set", "init", "create", "pkg", "dlx", "patch", "patch-commit", "version"]),
    ("yarn", &["init", "create", "dlx", "version", "set"]),
    ("bun", &["init", "create", "c"]),
    ("deno", &["init"]),
    ("cargo", &["init", "new", "generate"]),
    ("composer", &["config", "create-project", "init"]),
    ("uv", &["init"]),
    ("poetry", &["init", "new"]),
    ("pdm", &["init", "new"]),
    ("docker", &["cp"]),
    ("podman", &["cp"]),
    ("dotnet", &["new"]),
    ("cmake", &["-P"]),
    ("swift", &["package"]),
    ("mix", &["new"]),
    ("stack", &["new"]),
    ("nx", &["generate", "g", "init", "migrate"]),
];

/// Programs that write the files that stand among their words, or in folders that do.
const NAMING: &[&str] = &["cp", "dd", "install", "ln", "mv", "sed", "gsed", "tee", "truncate", "curl", "wget", "perl"];

/// What git does without touching a file of its working tree.
const OF_GIT: &[&str] = &[
    "add",
    "annotate",
    "blame",
    "branch",
    "commit",
    "config",
    "describe",
    "diff",
    "fetch",
    "gc",
    "help",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "notes",
    "prune",
    "push",
    "reflog",
    "remote",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "status",
    "tag",
    "update-index",
    "version",
];

/// What brings other files into a working tree, or makes a new project of a template.
const BRINGING: &[&str] = &[
    "gh",
    "hub",
    "glab",
    "jj",
    "hg",
    "svn",
    "bzr",
    "fossil",
    "repo",
    "cvs",
    "darcs",
    "cookiecutter",
    "copier",
    "degit",
    "tiged",
    "yo",
    "patch",
    "quilt",
    "stg",
    "dh_make",
    "cargo-generate",
];

/// Whether the text of a program that writes files names descriptions of projects among them, as one does that sets a
/// version in package.json.
pub(super) fn names_descriptions(text: &str) -> bool {
    const NAMES: &[&str] = &["makefile", ".mk", "package.json", "justfile", "taskfile", ".just"];
    let text = text.to_ascii_lowercase();
    NAMES.iter().any(|name| text.contains(name))
}

/// What a command leaves of them; `works`: it is known to do a developer's work, and nothing else.
pub(super) fn leaves(command: &Command, works: bool) -> Leaves {
    let name = command.program().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let words = command.arguments();
    if name == "git" {
        // An option with a value in front of the verb is rare enough to be no question of reading options.
        let verb = words.iter().find(|word| !word.begins_with("-"));
        let known = verb.and_then(Word::known).is_some_and(|verb| OF_GIT.contains(&verb));
        return if known { Leaves::All } else { Leaves::Nothing };
    }
    let builder = BUILDERS.contains(&name);
    if builder || (works && !BRINGING.contains(&name)) {
        let writing = WRITING.iter().find(|(program, _)| *program == name).map_or(&[][..], |(_, subs)| subs);
        let may = |word: &Word| writing.iter().any(|sub| word.may_be(sub));
        return match (words.iter().any(may), builder) {
            (true, _) => Leaves::Nothing,
            (false, true) => Leaves::All,
            (false, false) => Leaves::Descriptions,
        };
    }
    let names = NAMING.contains(&name);
    // A wildcard finds names in the folder that stands before it.
    let seen =
        |word: &Word| word.known().is_some() || (word.is_fitting() && word.is_many() && word.beginning().contains('/'));
    if names && words.iter().all(seen) { Leaves::Others } else { Leaves::Nothing }
}

/// Whether a file lies where builders and package managers write.
pub(super) fn is_output(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "target",
        "build",
        "_build",
        "dist",
        "out",
        "output",
        "node_modules",
        "vendor",
        ".venv",
        "venv",
        "env",
        ".tox",
        ".nox",
        "bin",
        "obj",
        "debug",
        "release",
        "coverage",
        ".cache",
        "tmp",
        "gen",
        "generated",
    ];
    let mut parts = path.split('/').rev();
    let name = parts.next().unwrap_or_default();
    // What `autoreconf` and `configure` make.
    let made = matches!(name, "configure" | "config.status" | "libtool" | "install-sh");
    // A project may lie in a folder of such a name: the two next to the file count.
    made || parts.take(3).any(|part| FOLDERS.contains(&part))
}

/// Whether a path is that of a tool which a package manager has put into a project, or of a builder's own start script.
pub(super) fn is_tool(path: &str, name: &str) -> bool {
    const FOLDERS: &[&str] = &["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];
    let folder = path.strip_suffix(name).unwrap_or_default().trim_end_matches('/');
    let in_folder = |end: &str| folder.strip_suffix(end).is_some_and(|before| before.ends_with('/'));
    matches!(name, "gradlew" | "mvnw") || FOLDERS.iter().any(|end| in_folder(end))
}
