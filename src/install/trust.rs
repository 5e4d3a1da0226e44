//! Whether Codex trusts an entry of its `hooks.json`: it skips one that nobody has trusted, or that was changed since.
//!
//! The key and the digest are those of Codex CLI 0.171.0, measured with `hooks/list` of its app server: SHA-256 of the
//! entry as compact JSON with sorted keys. Pure. Must not: read a file.

use super::inspect::Found;
use crate::document::Document;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// What Codex does with the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// It runs it.
    Trusted,
    /// It skips it: it is another one than was trusted.
    Changed,
    /// It skips it: nobody has trusted it.
    Untrusted,
    /// It skips it: it was switched off.
    Off,
    /// It runs none: hooks are switched off (`features.hooks`, or `codex_hooks` by its older name).
    AllOff,
}

/// Looks it up in the text of Codex's `config.toml`; `file` is the absolute path of the `hooks.json`.
#[must_use]
pub fn of(config: Option<&str>, file: &str, found: &Found) -> Trust {
    let key = key(file, found);
    let document = config.and_then(|text| Document::parse(text).ok());
    let features = document.as_ref().and_then(|document| document.root().get("features")?.table("features").ok());
    let off = |name: &str| features.is_some_and(|features| features.flag(name) == Ok(Some(false)));
    if off("hooks") || off("codex_hooks") {
        return Trust::AllOff;
    }
    let state = document.as_ref().and_then(|document| {
        let states = document.root().get("hooks")?.table("hooks").ok()?.get("state")?.table("state").ok()?;
        let state = states.get(&key)?.table("state").ok()?;
        Some((state.flag("enabled").ok()?, state.text("trusted_hash").ok()?.map(str::to_owned)))
    });
    match state {
        Some((Some(false), _)) => Trust::Off,
        Some((_, Some(hash))) if hash == digest(found) => Trust::Trusted,
        Some((_, Some(_))) => Trust::Changed,
        _ => Trust::Untrusted,
    }
}

fn key(file: &str, found: &Found) -> String {
    let (group, handler) = found.position;
    format!("{file}:{}:{group}:{handler}", label(found.event.name))
}

/// `PreToolUse` as `pre_tool_use`.
fn label(event: &str) -> String {
    let mut label = String::new();
    for c in event.chars() {
        if c.is_ascii_uppercase() && !label.is_empty() {
            label.push('_');
        }
        label.push(c.to_ascii_lowercase());
    }
    label
}

fn digest(found: &Found) -> String {
    let mut handler = found.value.clone();
    if let Some(object) = handler.as_object_mut() {
        object.entry("async").or_insert(Value::Bool(false));
        object.entry("timeout").or_insert(600.into());
    }
    let mut identity = json!({"event_name": label(found.event.name), "hooks": [handler]});
    if let (Some(matcher), Some(object)) = (&found.matcher, identity.as_object_mut()) {
        object.insert("matcher".into(), matcher.as_str().into());
    }
    // serde_json's map is sorted, which the test sees to.
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(identity.to_string()) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::Host;
    use crate::install::inspect::inspect;
    use crate::install::{Kind, recipe};

    /// What Codex CLI 0.171.0 said of these very entries.
    const HOOKS: &str = r#"{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/bin/true || exit 2","timeout":180,"statusMessage":"x"}]}],"PostToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/bin/true || exit 0","timeout":30}]}]}}"#;
    const BEFORE: &str = "sha256:7c341592f23f4094bd8558c2b13a4de4cb3ed78c7de0460199498cb55ead6ee7";
    const AFTER: &str = "sha256:9a12b634d29a05efefbb3eab40f09de2fcfbe3347d324055138c813546643943";

    #[test]
    fn the_digest_is_codexs_own() {
        let seen = inspect(HOOKS, recipe(Host::Codex), Kind::Grouped, "").unwrap();
        // They start /bin/true, and are nobody's; that is looked past here.
        let found = &seen.others[0];
        assert_eq!(digest(found), BEFORE);
        let ours = HOOKS.replace("/bin/true", "/b/zerto-guard hook");
        let seen = inspect(&ours, recipe(Host::Codex), Kind::Grouped, "").unwrap();
        let mut after = seen.ours[1].clone();
        after.value["command"] = "/bin/true || exit 0".into();
        assert_eq!(digest(&after), AFTER);
        assert_eq!(key("/h/hooks.json", &after), "/h/hooks.json:post_tool_use:0:0");
    }

    #[test]
    fn trusted_changed_off_or_never_trusted() {
        let seen = inspect(HOOKS, recipe(Host::Codex), Kind::Grouped, "").unwrap();
        let found = &seen.others[0];
        let state = |body: &str| format!("model = 'x'\n[hooks.state.\"/h/hooks.json:pre_tool_use:0:0\"]\n{body}\n");
        let trusted = format!("trusted_hash = '{BEFORE}'");
        for (config, trust) in [
            (None, Trust::Untrusted),
            (Some("model = 'x'".into()), Trust::Untrusted),
            (Some("[broken".into()), Trust::Untrusted),
            (Some(state(&trusted)), Trust::Trusted),
            (Some(state(&format!("enabled = true\n{trusted}"))), Trust::Trusted),
            (Some(state(&format!("enabled = false\n{trusted}"))), Trust::Off),
            (Some(state(&format!("trusted_hash = '{AFTER}'"))), Trust::Changed),
            (Some(state(&trusted).replace(":0:0", ":1:0")), Trust::Untrusted),
            (Some(format!("features.hooks = false\n{}", state(&trusted))), Trust::AllOff),
            (Some(format!("features.codex_hooks = true\n{}", state(&trusted))), Trust::Trusted),
        ] {
            assert_eq!(of(config.as_deref(), "/h/hooks.json", found), trust, "{config:?}");
        }
    }
}
