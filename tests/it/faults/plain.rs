//! A message with all taken out of it that differs from run to run.
//!
//! Must not: take out what a reader needs to see, such as the words for what happened.

use crate::env::Env;
use zvm_sim::Sim;

/// The first line that says something, with addresses, pins, paths, ids, spans and stamps replaced.
pub fn first_line(text: &str, env: &Env, sims: &[&Sim]) -> String {
    let mut line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    for sim in sims {
        let mut replace = |what: &str, by: &str| {
            if !what.is_empty() {
                line = line.replace(what, by);
            }
        };
        replace(sim.url(), "https://ZVM");
        replace(&sim.addr().to_string(), "ZVM");
        replace(&sim.pin(), "sha256:PIN");
        replace(&sim.password_file().to_string_lossy(), "PASSWORD-FILE");
    }
    line = line.replace(&*env.project().to_string_lossy(), "PROJECT");
    line = line.replace(&*env.home().to_string_lossy(), "~");
    line = line.replace(&*env.path("").to_string_lossy(), "TEMP/");
    line.split(' ').map(word).collect::<Vec<_>>().join(" ").replace("N ms", "N s")
}

/// A word whose digits are a number, a date or an id, with `N`, `DATE` or `ID` in their place.
fn word(word: &str) -> String {
    const KEPT: [&str; 14] =
        ["400", "401", "403", "404", "408", "409", "429", "500", "502", "503", "504", "301", "302", "307"];
    let core = word.trim_matches(|c: char| !c.is_alphanumeric());
    if core.is_empty() || !core.contains(|c: char| c.is_ascii_digit()) {
        return word.to_owned();
    }
    let is_guid = |part: &str| part.len() == 36 && part.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let by = match core {
        _ if core.contains("sha256:") => "sha256:PIN",
        _ if core.split('.').any(is_guid) => "ID",
        _ if core.len() == 16 && core.ends_with('Z') && core.contains('T') => "DATE",
        _ if core.contains("127.0.0.1") => "ADDRESS",
        _ if core.starts_with("https://") => "https://NAME",
        _ if core.starts_with("change=") => "change=ID",
        _ if KEPT.contains(&core) => return word.to_owned(),
        _ if core.chars().all(|c| c.is_ascii_digit() || c == '.') => "N",
        _ => return word.to_owned(),
    };
    word.replace(core, by)
}
