//! Passwords, client secrets and tokens: a type that cannot be printed, and where one comes from.
//!
//! Must not: write a secret to a log, a message or a `Debug` output; read one before it is needed.

mod command;

pub use command::RUNNING_COMMAND;

use super::permissions::open_secret;
use crate::deadline::Deadline;
use crate::text::path_text;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use thiserror::Error;
use zeroize::Zeroizing;

/// The variable that [`SecretSource::Environment`] reads.
pub const VARIABLE: &str = "ZERTO_GUARD_PASSWORD";

/// No secret is longer; what is, is the wrong file or a program that does not stop.
const LONGEST: usize = 64 * 1024;

/// A password, client secret or token. It has no `Display` and no `Serialize`, and its `Debug` shows `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes the text as a secret.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The secret itself: for a request's body or header and nothing else.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where a secret is to be had when it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretSource {
    /// The first line that this program prints (absolute path and arguments; no shell).
    Command(Vec<String>),
    /// The first line of this file, which nobody else may read.
    File(PathBuf),
    /// `ZERTO_GUARD_PASSWORD`.
    Environment,
}

/// Why a secret could not be had; holds nothing of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SecretError {
    /// What went wrong, as a sentence.
    pub message: String,
    /// What to do now.
    pub hint: String,
}

impl SecretError {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

impl SecretSource {
    /// Reads the secret.
    ///
    /// # Errors
    /// The file is open to others or unreadable, the program failed or took too long, or nothing was there.
    pub fn read(&self, deadline: Deadline) -> Result<Secret, SecretError> {
        match self {
            Self::Command(words) => command::read(words, deadline),
            Self::File(path) => from_file(path),
            Self::Environment => from_environment(std::env::var_os(VARIABLE)),
        }
    }
}

fn from_file(path: &Path) -> Result<Secret, SecretError> {
    let file =
        open_secret(path).map_err(|unfit| SecretError::new(format!("The secret's file {unfit}."), unfit.hint()))?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(256));
    file.take(LONGEST as u64 + 1).read_to_end(&mut bytes).map_err(|e| {
        SecretError::new(
            format!("The secret's file {} cannot be read: {e}.", path_text(path)),
            "See that it is a regular file of yours.",
        )
    })?;
    first_line(&bytes, &format!("the file {}", path_text(path)))
}

fn from_environment(value: Option<std::ffi::OsString>) -> Result<Secret, SecretError> {
    let hint = format!(
        "Set password_command or password_file for this ZVM in config.toml (or {VARIABLE} in the environment)."
    );
    match value.map(std::ffi::OsString::into_string) {
        None => Err(SecretError::new(format!("{VARIABLE} is not set."), hint)),
        Some(Err(_)) => Err(SecretError::new(format!("{VARIABLE} is not UTF-8 text."), hint)),
        Some(Ok(text)) if text.is_empty() => Err(SecretError::new(format!("{VARIABLE} is empty."), hint)),
        Some(Ok(text)) => Ok(Secret::new(text)),
    }
}

/// The first line of what `origin` gave, without its line end.
fn first_line(bytes: &[u8], origin: &str) -> Result<Secret, SecretError> {
    let hint = "The secret has to be the first line, as plain UTF-8 text.";
    if bytes.len() > LONGEST {
        return Err(SecretError::new(
            format!("What came from {origin} is longer than 64 KiB and cannot be a secret."),
            hint,
        ));
    }
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() {
        return Err(SecretError::new(format!("The first line of {origin} is empty."), hint));
    }
    match std::str::from_utf8(line) {
        Ok(text) => Ok(Secret::new(text.to_owned())),
        Err(_) => Err(SecretError::new(format!("The first line of {origin} is not UTF-8 text."), hint)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    fn soon() -> Deadline {
        Deadline::after(Duration::from_secs(20))
    }

    #[test]
    fn a_secret_is_never_printed() {
        let secret = Secret::new("hunter2".to_owned());
        assert_eq!(format!("{secret:?} {:#?}", Some(&secret)), "*** Some(\n    ***,\n)");
    }

    #[test]
    fn the_first_line_without_its_end() {
        for (bytes, secret) in [
            (&b"hunter2\n"[..], Some("hunter2")),
            (b"hunter2\r\n", Some("hunter2")),
            (b"hunter2", Some("hunter2")),
            (b" with spaces \nuser: x\n", Some(" with spaces ")),
            (b"\nhunter2\n", None),
            (b"", None),
            (b"\xff\xfe\n", None),
        ] {
            let read = first_line(bytes, "the test");
            assert_eq!(read.as_ref().ok().map(Secret::expose), secret, "{bytes:?}");
        }
        assert!(first_line(&vec![b'a'; LONGEST + 1], "the test").is_err());
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pw");
        fs::write(&path, "hunter2\n").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        let source = SecretSource::File(path.clone());
        let error = source.read(soon()).unwrap_err();
        assert_eq!(error.hint, format!("Run: chmod 600 '{}'", path.display()));
        assert!(!format!("{error} {error:?}").contains("hunter2"));
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(source.read(soon()).unwrap().expose(), "hunter2");
    }

    #[test]
    fn the_environment() {
        use std::os::unix::ffi::OsStringExt;
        assert_eq!(from_environment(Some("a b".into())).unwrap().expose(), "a b");
        for bad in [None, Some("".into()), Some(std::ffi::OsString::from_vec(vec![0xff]))] {
            assert!(from_environment(bad).unwrap_err().hint.contains("password_command"));
        }
    }
}
