//! What the user's ssh config says of a machine, read without running anything. Pure.

use super::ssh_settings::Settings;
use crate::classify::effect::Facts;

/// Adds what the config files set for a machine; for one that isn't known, what they may set.
pub fn read(_typed: Option<&str>, _settings: &mut Settings, _facts: &Facts) {}
