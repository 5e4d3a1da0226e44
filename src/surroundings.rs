//! What judging may look at on the disk, read within bounds.
//!
//! The middle of the house is pure: it asks through `classify::Surroundings`, which `hook` and `check` answer from the disk and tests
//! from tables. Nothing here writes, runs or connects.

use crate::classify::Surroundings;
use std::path::{Path, PathBuf};

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Surroundings for Disk {
    fn real_path(&self, path: &str) -> String {
        let path = Path::new(path);
        let mut behind = PathBuf::new();
        for folder in path.ancestors() {
            if let Ok(real) = folder.canonicalize() {
                let real = if behind.as_os_str().is_empty() { real } else { real.join(&behind) };
                return real.to_string_lossy().into_owned();
            }
            if let Some(name) = folder.file_name() {
                behind = if behind.as_os_str().is_empty() { name.into() } else { Path::new(name).join(&behind) };
            }
        }
        path.to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_and_new_files_kept() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        std::fs::create_dir(real.join("disk")).unwrap();
        std::os::unix::fs::symlink(real.join("disk"), real.join("link")).unwrap();
        let asked = real.join("link/new/file").to_string_lossy().into_owned();
        assert_eq!(Disk.real_path(&asked), real.join("disk/new/file").to_string_lossy());
        assert_eq!(Disk.real_path("/"), "/");
    }
}
