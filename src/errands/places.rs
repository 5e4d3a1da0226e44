//! Where the files of the guard are, by a program's arguments and its environment. Not for `hook`, which heeds less of that.

use crate::config::files::Given;
use std::path::PathBuf;

/// The places that were named, then those of the environment.
#[must_use]
pub fn given(config: Option<PathBuf>, catalog: Option<PathBuf>, state: Option<PathBuf>) -> Given {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    Given {
        config: config.or_else(|| variable("ZERTO_GUARD_CONFIG")),
        catalog: catalog.or_else(|| variable("ZERTO_GUARD_CATALOG")),
        state: state.or_else(|| variable("ZERTO_GUARD_STATE_DIR")),
        managed: false,
        home: variable("HOME"),
        xdg_config: variable("XDG_CONFIG_HOME"),
        xdg_state: variable("XDG_STATE_HOME"),
    }
}
