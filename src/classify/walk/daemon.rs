//! Variables by which the text makes programs act on the containers of another machine: whoever starts containers by
//! themselves heed them too.

use super::env::Env;
use super::{Shell, Walk};
use crate::classify::effect::Variables;

/// Programs that change containers by way of docker's or podman's daemon.
const START_CONTAINERS: &[&str] = &[
    "act",
    "buildah",
    "ctop",
    "dagger",
    "ddev",
    "devcontainer",
    "dive",
    "earthly",
    "k3d",
    "kind",
    "lando",
    "lazydocker",
    "localstack",
    "minikube",
    "pack",
    "sam",
    "skaffold",
    "supabase",
    "tilt",
];

/// They say on which machine containers are.
const NAMES: &[&str] = &["DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "CONTAINER_CONNECTION"];

impl Env {
    /// Takes back what a text has set of them only for one command.
    pub fn drop_daemon(&mut self, before: &Self) {
        for name in NAMES {
            self.restore(name, before);
        }
    }

    /// Takes over from another environment what it says of containers.
    pub fn take_daemon(&mut self, other: &Self) {
        for name in NAMES {
            if let Some(value) = other.by_name(name) {
                self.set(name, value);
                self.export(name);
            }
        }
    }
}

impl Walk<'_> {
    /// The variable that the text has set to another machine's containers.
    pub(super) fn other_daemon(&self, shell: &Shell) -> Option<&'static str> {
        let elsewhere = |name: &&&'static str| {
            let Some(value) = shell.env.by_name(name) else { return false };
            match value.known() {
                Some("" | "default") => false,
                Some(address) => !address.starts_with("unix://"),
                None => true,
            }
        };
        NAMES.iter().find(elsewhere).copied()
    }
}

/// Whether a program changes containers by way of a daemon.
pub(super) fn starts_containers(program: &str) -> bool {
    START_CONTAINERS.contains(&program)
}

/// Whether a program is no function and no word of the shell, but one that those variables are set for.
pub(super) fn reads_daemon(program: &str) -> bool {
    matches!(program, "docker" | "docker-compose" | "podman" | "podman-compose")
}
