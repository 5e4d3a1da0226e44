//! Programs with sub-commands that print their help for `--help` behind any of them, and do nothing else then. Pure.
//!
//! A program that runs plug-ins, or hands its words to another one, is none of these but for the sub-commands of its own.

use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::word::Word;

/// Programs, and the sub-commands that are surely theirs; none named: all of them.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("argocd", &[]),
    ("auth0", &[]),
    ("az", &[]),
    ("cdk", &[]),
    ("consul", &[]),
    ("doctl", &[]),
    ("eksctl", &[]),
    ("flux", &[]),
    ("flyctl", &[]),
    ("gcloud", &[]),
    ("hcloud", &[]),
    (
        "helm",
        &[
            "completion",
            "create",
            "dependency",
            "env",
            "get",
            "history",
            "install",
            "lint",
            "list",
            "package",
            "plugin",
            "pull",
            "push",
            "registry",
            "repo",
            "rollback",
            "search",
            "show",
            "status",
            "template",
            "test",
            "uninstall",
            "upgrade",
            "verify",
        ],
    ),
    ("istioctl", &[]),
    ("kind", &[]),
    ("kubectl", KUBECTL),
    ("linode-cli", &[]),
    ("minikube", &[]),
    ("multipass", &[]),
    ("nomad", &[]),
    ("oc", KUBECTL),
    ("packer", &[]),
    ("pulumi", &[]),
    ("terraform", &[]),
    ("tofu", &[]),
    ("vagrant", &[]),
    ("vault", &[]),
    ("velero", &[]),
    ("virtctl", &[]),
];

const KUBECTL: &[&str] = &[
    "annotate",
    "apply",
    "attach",
    "auth",
    "autoscale",
    "config",
    "cordon",
    "cp",
    "create",
    "debug",
    "delete",
    "describe",
    "diff",
    "drain",
    "edit",
    "exec",
    "expose",
    "get",
    "label",
    "logs",
    "patch",
    "port-forward",
    "replace",
    "rollout",
    "run",
    "scale",
    "set",
    "taint",
    "top",
    "uncordon",
    "wait",
];

/// Whether a program is one of these.
#[must_use]
pub fn knows(program: &str) -> bool {
    PROGRAMS.iter().any(|(name, _)| *name == program)
}

/// Sub-commands that hand what stands behind them to another program, its options too.
const CARRY: &[&str] =
    &["attach", "connect", "console", "debug", "enter", "exec", "kubectl", "rsh", "run", "shell", "ssh"];

/// Whether all that is asked for is help: it is the last word and the only option.
#[must_use]
pub fn asks(command: &Command) -> bool {
    let Some((last, rest)) = command.arguments().split_last() else { return false };
    if !matches!(last.known(), Some("--help" | "-help" | "-h")) {
        return false;
    }
    let program = command.program().unwrap_or_default();
    let Some((_, own)) = PROGRAMS.iter().find(|(name, _)| *name == program) else { return false };
    let words: Option<Vec<&str>> = rest.iter().map(Word::known).collect();
    let Some(words) = words else { return false };
    let Some((_, before)) = words.split_last() else { return false };
    words.first().is_some_and(|sub| own.is_empty() || own.contains(sub))
        && words.iter().all(|word| !word.is_empty() && !word.starts_with('-'))
        && !before.iter().any(|word| CARRY.contains(word))
}

/// Judges a program of which nothing more than that is known in code.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    if asks(command) { Report::reads() } else { Report::of(Effect::Table) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_the_last_word_and_the_only_option() {
        let asks = |text: &str| {
            super::asks(&Command { words: text.split(' ').map(Word::from).collect(), ..Command::default() })
        };
        for text in
            ["helm install --help", "az vm create -h", "kubectl create deployment --help", "terraform apply -help"]
        {
            assert!(asks(text), "{text}");
        }
        for text in [
            "helm mystery --help",
            "kubectl neat --help",
            "kubectl delete pod x -n --help",
            "helm --help",
            "terraform apply --help -auto-approve",
            "kubectl exec x -- rm --help",
            "docker run x --help",
            "hcloud server ssh web01 reboot --help",
            "nomad alloc exec x halt -h",
        ] {
            assert!(!asks(text), "{text}");
        }
    }
}
