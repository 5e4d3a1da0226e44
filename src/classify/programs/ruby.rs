//! `ruby` and `php`: where their programs are. Pure.

use super::options::{Spec, parse};
use super::python::{file_or_stdin, program};
use super::{carry, versions};
use crate::classify::effect::{Code, Command, Effect, Facts, Language, Report};
use crate::classify::word::Word;

const RUBY: Spec = Spec {
    flags: "acdhlnpsSuUvwy",
    values: "eCEIr",
    glued: "0FiKTWx",
    long_flags: &[
        "copyright",
        "debug",
        "disable",
        "disable-all",
        "disable-gems",
        "enable",
        "help",
        "jit",
        "verbose",
        "version",
        "yjit",
    ],
    long_values: &["encoding", "external-encoding", "internal-encoding"],
    ..Spec::CARRIER
};

/// Judges `ruby`.
#[must_use]
pub fn ruby(command: &Command, facts: &Facts) -> Report {
    let told = versions::judge(command, facts);
    if told == Report::reads() {
        return told;
    }
    read_ruby(command).unwrap_or_else(Report::unknown)
}

fn read_ruby(command: &Command) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &RUBY)?;
    if parsed.has(&["help", "version", "copyright", "h"])
        || (parsed.has(&["v"]) && parsed.options.len() == 1 && parsed.operands.is_empty())
    {
        return Ok(Report::reads());
    }
    // It only looks whether it can be read.
    if parsed.has(&["c"]) && !parsed.has(&["r", "I", "x"]) {
        return Ok(Report::reads());
    }
    let odd = ["C", "I", "S", "x", "s", "d", "debug"];
    if let Some((name, _)) = parsed.options.iter().find(|(name, _)| odd.contains(&name.as_str())) {
        return Err(format!("what its option `-{name}` brings in is not read"));
    }
    let mut whole = Word::default();
    for library in parsed.values(&["r"]) {
        let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "/_-".contains(c));
        let Some(name) = library.known().filter(|name| plain(name)) else {
            return Err(format!("what `-r{}` loads is not read", library.shown()));
        };
        whole.push_text(&format!("require '{name}'\n"));
    }
    let texts: Vec<&Word> = parsed.values(&["e"]).collect();
    if texts.is_empty() {
        if parsed.has(&["n", "p", "i"]) || !whole.is_empty() {
            return Err("it runs a file with more than that file says".into());
        }
        let code = parsed.operands.first().map_or(Code::Stdin, file_or_stdin);
        return Ok(program(Language::Ruby, code, command.stdin.clone()));
    }
    for text in texts {
        whole.push_word(text);
        whole.push_text("\n");
    }
    let mut report = program(Language::Ruby, Code::Text(whole), command.stdin.clone());
    if parsed.has(&["i"]) {
        report.effects.insert(0, Effect::Works("changes its files in place".into()));
        report.effects.extend(parsed.operands.iter().filter_map(carry::writes));
    }
    Ok(report)
}

const PHP: Spec = Spec {
    flags: "aChHilmnqsvw",
    values: "cdfrBRFEtSz",
    long_flags: &[
        "help",
        "info",
        "ini",
        "interactive",
        "modules",
        "no-php-ini",
        "syntax-check",
        "version",
        "strip",
        "syntax-highlight",
    ],
    long_values: &[
        "define",
        "file",
        "run",
        "rf",
        "rc",
        "re",
        "rz",
        "ri",
        "process-begin",
        "process-code",
        "process-end",
        "process-file",
        "php-ini",
    ],
    ..Spec::CARRIER
};

/// Judges `php`.
#[must_use]
pub fn php(command: &Command, facts: &Facts) -> Report {
    let told = versions::judge(command, facts);
    if told == Report::reads() {
        return told;
    }
    read_php(command, facts).unwrap_or_else(Report::unknown)
}

fn read_php(command: &Command, facts: &Facts) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &PHP)?;
    for variable in ["PHPRC", "PHP_INI_SCAN_DIR"] {
        if facts.variables.variable(variable).is_some_and(|value| value.known() != Some("")) {
            return Err(format!("`{variable}` can load code into PHP"));
        }
    }
    for setting in parsed.values(&["d", "define"]) {
        let known = [
            "memory_limit",
            "display_errors",
            "error_reporting",
            "max_execution_time",
            "xdebug.mode",
            "opcache.enable_cli",
            "date.timezone",
            "zend.assertions",
            "phar.readonly",
        ];
        let name = setting.beginning().split('=').next().unwrap_or_default();
        if setting.known().is_none() || !known.contains(&name) {
            return Err(format!("what its setting `{}` does is not known", setting.shown()));
        }
    }
    if parsed.has(&["help", "version", "h", "v", "info", "i", "modules", "m", "ini", "rf", "rc", "re", "rz", "ri"]) {
        return Ok(Report::reads());
    }
    // Looks whether it can be read, or shows it.
    if parsed.has(&["l", "syntax-check", "w", "strip", "s", "syntax-highlight"]) {
        return Ok(Report::reads());
    }
    if parsed.has(&["S"]) {
        return Ok(Report::of(Effect::Works("serves the project".into())));
    }
    let odd = ["a", "interactive", "c", "php-ini", "z", "t", "F", "process-file"];
    if let Some((name, _)) = parsed.options.iter().find(|(name, _)| odd.contains(&name.as_str())) {
        return Err(format!("what its option `-{name}` brings in is not read"));
    }
    let mut whole = Word::default();
    for text in parsed.values(&["r", "run", "B", "process-begin", "R", "process-code", "E", "process-end"]) {
        whole.push_text(if whole.is_empty() { "<?php " } else { "\n?><?php " });
        whole.push_word(text);
    }
    let code = if whole.is_empty() {
        parsed.values(&["f", "file"]).next().or(parsed.operands.first()).map_or(Code::Stdin, file_or_stdin)
    } else {
        Code::Text(whole)
    };
    Ok(program(Language::Php, code, command.stdin.clone()))
}
