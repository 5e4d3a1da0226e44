//! What is fuzzed, one file a target: its `run` takes any bytes, and panics where they break what has to hold of every input.
//!
//! Owns the list of the targets. The files in `fuzz_targets` hand libFuzzer's bytes to these, and the tests of the repository run
//! each over its seeds (`tests/it/fuzz_seeds.rs`), which is also what tells that all of this still compiles. Must not: need
//! more of zerto-guard than its public functions.

mod ground;
mod judging;
pub mod seeds;
mod server;

macro_rules! targets {
    ($($name:ident),+ $(,)?) => {
        $(pub mod $name;)+

        /// All targets: a name, and what runs one input.
        pub const TARGETS: &[(&str, fn(&[u8]))] = &[$((stringify!($name), $name::run)),+];
    };
}

targets! {
    answer,
    catalog,
    certificates,
    classify,
    clients,
    code,
    config,
    dates,
    diff,
    document,
    hook,
    hosts,
    hypervisors,
    json,
    links,
    paths,
    powershell,
    redact,
    settings,
    shell_read,
    sql,
    state,
    surroundings,
    tag,
    targets,
    text,
    wire,
    zip,
}
