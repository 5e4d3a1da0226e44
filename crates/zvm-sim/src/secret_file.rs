//! The password file that a client's configuration names: in a folder of its own, readable by its owner alone.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Removed when dropped.
#[derive(Debug)]
pub(crate) struct SecretFile {
    folder: PathBuf,
    file: PathBuf,
}

impl SecretFile {
    /// Writes the secret into a new folder below the system's temporary one.
    pub(crate) fn new(secret: &str) -> io::Result<Self> {
        let unique = RandomState::new().hash_one(std::process::id());
        let folder =
            std::env::temp_dir().join(format!("zvm-sim-{}-{unique:016x}", std::process::id()));
        let mut builder = fs::DirBuilder::new();
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
            builder.mode(0o700);
            options.mode(0o600);
        }
        builder.create(&folder)?;
        let file = folder.join("password");
        options.open(&file)?.write_all(secret.as_bytes())?;
        Ok(Self { folder, file })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.file
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        // Nobody is left to tell; the system clears its temporary folder some day.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
