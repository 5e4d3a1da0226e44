//! `python`: where its program is, and which of its modules are programs themselves. Pure.

use super::carry;
use super::options::{Parsed, Spec, parse};
use super::versions;
use crate::classify::effect::{At, Code, Command, Effect, Facts, Language, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// `-c` and `-m` end the options: what stands behind their value is the program's.
const PYTHON: Spec = Spec {
    flags: "bBdEhiIOPqsSuvV?",
    values: "cmWX",
    long_flags: &["help", "version", "help-env", "help-xoptions", "help-all"],
    long_values: &["check-hash-based-pycs"],
    ..Spec::CARRIER
};

/// Modules of the library that are programs which only read, whatever they are given.
const READ: &[&str] = &[
    "base64",
    "calendar",
    "locale",
    "mimetypes",
    "pickletools",
    "platform",
    "pyclbr",
    "quopri",
    "site",
    "sysconfig",
    "tabnanny",
    "this",
    "tokenize",
    "uuid",
    "ast",
    "dis",
];

/// Those that build, test, pack or serve what lies here.
const WORK: &[&str] = &[
    "compileall",
    "doctest",
    "ensurepip",
    "gzip",
    "http.server",
    "py_compile",
    "sqlite3",
    "tarfile",
    "unittest",
    "venv",
    "virtualenv",
    "zipapp",
    "zipfile",
];

/// Modules that are programs of their own, and what those are called.
const PROGRAMS: &[(&str, &str)] = &[
    ("autopep8", "autopep8"),
    ("bandit", "bandit"),
    ("black", "black"),
    ("build", "pyproject-build"),
    ("coverage", "coverage"),
    ("flake8", "flake8"),
    ("hatch", "hatch"),
    ("isort", "isort"),
    ("mkdocs", "mkdocs"),
    ("mypy", "mypy"),
    ("nox", "nox"),
    ("pdm", "pdm"),
    ("pip", "pip"),
    ("pip_audit", "pip-audit"),
    ("pipenv", "pipenv"),
    ("pipx", "pipx"),
    ("poetry", "poetry"),
    ("pre_commit", "pre-commit"),
    ("pylint", "pylint"),
    ("pyright", "pyright"),
    ("pytest", "pytest"),
    ("ruff", "ruff"),
    ("tox", "tox"),
    ("twine", "twine"),
    ("uv", "uv"),
    ("yamllint", "yamllint"),
    ("yapf", "yapf"),
];

/// Whether a program is Python 3, of any release.
#[must_use]
pub fn knows(program: &str) -> bool {
    let release =
        |rest: &str| rest.is_empty() || (rest.starts_with('.') && rest.chars().all(|c| c.is_ascii_digit() || c == '.'));
    ["python3", "pypy3", "python", "pypy"].iter().any(|name| program.strip_prefix(name).is_some_and(release))
        && !program.starts_with("python2")
        && !program.starts_with("python.")
        && !program.starts_with("pypy.")
}

/// Judges `python`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let told = versions::judge(command, facts);
    if told == Report::reads() {
        return told;
    }
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let (options, words) = options_and_words(command.arguments());
    let parsed = parse(&options, &PYTHON)?;
    if parsed.has(&["help", "version", "help-env", "help-xoptions", "help-all", "h", "?", "V"]) {
        return Ok(Report::reads());
    }
    check(&parsed, &command.stdin)?;
    let runs = |code: Code| Ok(program(Language::Python, code, command.stdin.clone()));
    if let Some(text) = parsed.values(&["c"]).next() {
        return runs(Code::Text(text.clone()));
    }
    if let Some(module) = parsed.values(&["m"]).next() {
        return module_run(module, &words, &command.stdin);
    }
    match parsed.operands.first().or(words.first()) {
        None => runs(Code::Stdin),
        Some(word) => runs(file_or_stdin(word)),
    }
}

/// A file that is a program, or stdin by one of its names.
#[must_use]
pub fn file_or_stdin(word: &Word) -> Code {
    match word.known() {
        Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => Code::Stdin,
        _ => Code::File(word.clone()),
    }
}

/// Runs a program of a language.
#[must_use]
pub fn program(language: Language, code: Code, stdin: Stdin) -> Report {
    Report::runs(Run { what: What::Other { language, code }, at: At::Child, stdin })
}

/// Parts the words behind `-c TEXT` and `-m MODULE` from the options.
fn options_and_words(words: &[Word]) -> (Vec<Word>, Vec<Word>) {
    let mut nr = 0;
    while let Some(word) = words.get(nr) {
        let text = word.beginning();
        if !text.starts_with('-') || text == "-" || text == "--" {
            break;
        }
        nr += 1;
        if text.starts_with("--") {
            nr += usize::from(text == "--check-hash-based-pycs");
            continue;
        }
        // The first letter with a value ends the word.
        let Some(at) = text.find(|c| PYTHON.values.contains(c)) else { continue };
        let glued = text.len() > at + 1 || word.known().is_none();
        nr += usize::from(!glued);
        if text.get(at..).is_some_and(|rest| rest.starts_with(['c', 'm'])) {
            let (options, behind) = words.split_at_checked(nr).unwrap_or((words, &[]));
            return (options.to_vec(), behind.to_vec());
        }
    }
    (words.to_vec(), vec![])
}

/// Options that load code, or make of stdin what is run.
fn check(parsed: &Parsed, stdin: &Stdin) -> Result<(), String> {
    if parsed.has(&["i"]) && !matches!(stdin, Stdin::Inherited | Stdin::Nothing) {
        return Err("behind its program it runs what comes on stdin".into());
    }
    for value in parsed.values(&["W"]) {
        // A category with a dot is looked for in a module.
        if value.known().is_none_or(|value| value.contains('.')) {
            return Err(format!("its option `-W {}` may load a module", value.shown()));
        }
    }
    for value in parsed.values(&["X"]) {
        let known = [
            "dev",
            "utf8",
            "importtime",
            "faulthandler",
            "tracemalloc",
            "no_debug_ranges",
            "frozen_modules",
            "int_max_str_digits",
            "gil",
        ];
        if !value.known().is_some_and(|value| known.contains(&value.split('=').next().unwrap_or_default())) {
            return Err(format!("its option `-X {}` is not known", value.shown()));
        }
    }
    Ok(())
}

fn module_run(module: &Word, words: &[Word], stdin: &Stdin) -> Result<Report, String> {
    let Some(name) = module.known() else {
        return Err(format!("which module `{}` is can only be told when it runs", module.shown()));
    };
    if let Some((_, program)) = PROGRAMS.iter().find(|(module, _)| *module == name) {
        let words = std::iter::once(Word::from(*program)).chain(words.iter().cloned()).collect();
        return Ok(Report::runs(Run { what: What::Words(words), at: At::Child, stdin: stdin.clone() }));
    }
    if READ.contains(&name) {
        return Ok(Report::reads());
    }
    if WORK.contains(&name) {
        return Ok(Report::of(Effect::Works(format!("runs Python's `{name}`"))));
    }
    match name {
        "json.tool" | "json" => json_tool(words),
        "timeit" => timeit(words, stdin),
        _ => Err(format!("it runs the module `{name}`, which is not read")),
    }
}

/// Writes its second operand.
fn json_tool(words: &[Word]) -> Result<Report, String> {
    const TOOL: Spec = Spec {
        flags: "h",
        long_flags: &["help", "sort-keys", "no-ensure-ascii", "json-lines", "tab", "no-indent", "compact"],
        long_values: &["indent"],
        ..Spec::MIXED
    };
    let parsed = parse(words, &TOOL)?;
    Ok(carry::report(parsed.operands.get(1..).unwrap_or_default().iter().filter_map(carry::writes)))
}

/// Runs the lines it is given.
fn timeit(words: &[Word], stdin: &Stdin) -> Result<Report, String> {
    const TIMEIT: Spec = Spec {
        flags: "pvh",
        values: "nrsu",
        long_flags: &["process", "verbose", "help"],
        long_values: &["number", "repeat", "setup", "unit"],
        ..Spec::CARRIER
    };
    let parsed = parse(words, &TIMEIT)?;
    let mut whole = Word::default();
    for line in parsed.values(&["s", "setup"]).chain(&parsed.operands) {
        whole.push_word(line);
        whole.push_text("\n");
    }
    Ok(program(Language::Python, Code::Text(whole), stdin.clone()))
}

/// Judges `ipython`: a text of Python, in which lines may be commands of its own.
#[must_use]
pub fn ipython(command: &Command, _: &Facts) -> Report {
    match command.arguments() {
        [word] if matches!(word.known(), Some("--version" | "--help" | "-h")) => Report::reads(),
        [option, text] if option.known() == Some("-c") => {
            program(Language::Python, Code::Text(text.clone()), command.stdin.clone())
        }
        _ => Report::unknown("its words are not understood"),
    }
}
