//! A cluster's programs that are told to change nothing: `kubectl apply --dry-run=server`, `helm upgrade --dry-run`. Pure.
//!
//! What they change without it can't be told by a table, where a dry run only speaks for what changes the machine itself.

use super::options::{self, Spec};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::word::Word;

/// What a program does with `--dry-run`.
struct Program {
    name: &'static str,
    /// Options before the sub-command.
    global: Spec,
    /// The sub-commands that heed it.
    subs: &'static [&'static str],
    /// The beginnings of options that run something, or with which a dry run is none.
    never: &'static [&'static str],
}

const KUBECTL: Spec = Spec {
    flags: "",
    values: "nsv",
    glued: "",
    long_flags: &["insecure-skip-tls-verify", "match-server-version", "warnings-as-errors", "disable-compression"],
    long_values: &[
        "namespace",
        "context",
        "cluster",
        "user",
        "server",
        "kubeconfig",
        "token",
        "as",
        "as-group",
        "as-uid",
        "certificate-authority",
        "client-certificate",
        "client-key",
        "tls-server-name",
        "request-timeout",
        "v",
    ],
    stops: true,
    single_dash: false,
};

/// `create --raw` sends what it is given all the same; `replace` is left out, since with `--force` it deletes first.
const KUBECTL_SUBS: &[&str] = &[
    "annotate",
    "apply",
    "autoscale",
    "cordon",
    "create",
    "delete",
    "drain",
    "expose",
    "label",
    "patch",
    "run",
    "scale",
    "set",
    "taint",
    "uncordon",
];

const KUBECTL_NEVER: &[&str] = &["--raw", "--edit", "--force", "--profile", "--attach", "-i", "--stdin", "--log"];

const PROGRAMS: &[Program] = &[
    Program { name: "kubectl", global: KUBECTL, subs: KUBECTL_SUBS, never: KUBECTL_NEVER },
    Program { name: "oc", global: KUBECTL, subs: KUBECTL_SUBS, never: KUBECTL_NEVER },
    Program {
        name: "helm",
        global: Spec {
            flags: "",
            values: "n",
            long_flags: &["debug", "kube-insecure-skip-tls-verify"],
            long_values: &["namespace", "kube-context", "kubeconfig", "kube-apiserver", "kube-token", "kube-as-user"],
            ..KUBECTL
        },
        subs: &["install", "rollback", "uninstall", "upgrade", "delete", "un", "del"],
        never: &["--post-renderer", "--dependency-update", "--output-dir"],
    },
];

/// Whether a program is one of these.
#[must_use]
pub fn knows(program: &str) -> bool {
    PROGRAMS.iter().any(|known| known.name == program)
}

/// Judges a command of one of them: it reads if it is surely a dry run, else the catalog says.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let name = command.program().map_or("", |program| program.rsplit('/').next().unwrap_or_default());
    let program = PROGRAMS.iter().find(|known| known.name == name);
    if program.is_some_and(|program| program.is_dry(command.arguments())) {
        return Report::reads();
    }
    Report::of(Effect::Table)
}

impl Program {
    fn is_dry(&self, words: &[Word]) -> bool {
        let Ok(parsed) = options::parse(words, &self.global) else { return false };
        let Some((sub, rest)) = parsed.operands.split_first() else { return false };
        if parsed.ended || !sub.known().is_some_and(|sub| self.subs.contains(&sub)) {
            return false;
        }
        let mut dry = false;
        let mut before = sub;
        for word in rest {
            if word.known() == Some("--") {
                break;
            }
            if self.never.iter().any(|start| word.may_begin_with(start)) {
                return false;
            }
            match word.known().and_then(|text| text.strip_prefix("--dry-run")) {
                // As the word behind an option it may be that one's value.
                Some("" | "=client" | "=server") if !may_want_a_value(before) => dry = true,
                Some(_) => return false,
                // Another `--dry-run` may hide in it, and the last one counts.
                None if word.known().is_none() && word.may_begin_with("--dry-run") => return false,
                None => {}
            }
            before = word;
        }
        dry
    }
}

fn may_want_a_value(word: &Word) -> bool {
    word.may_begin_with("-") && !word.known().is_some_and(|text| text.starts_with("--") && text.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Nowhere;
    use crate::classify::effect::Unset;

    fn command(text: &str) -> Command {
        let word = |text: &str| if text == "$" { Word::unknown() } else { Word::from(text) };
        Command { words: text.split(' ').map(word).collect(), ..Command::default() }
    }

    #[test]
    fn a_dry_run_reads_if_it_surely_is_one() {
        for text in [
            "kubectl apply -f x.yaml --dry-run=server",
            "kubectl -n web create deployment x --image=y --dry-run=client -o yaml",
            "kubectl run x --image=y --dry-run=client -- rm -rf /",
            "kubectl delete pod x --dry-run=client",
            "kubectl drain node1 --grace-period=0 --dry-run",
            "oc apply --filename=x --dry-run=server",
            "helm upgrade web ./chart --dry-run",
            "helm -n x uninstall web --dry-run",
            "helm install web ./chart --dry-run=server",
        ] {
            assert_eq!(judge(&command(text), &FACTS), Report::reads(), "{text}");
        }
    }

    #[test]
    fn anything_else_is_the_catalogs() {
        for text in [
            "kubectl apply -f x.yaml",
            "kubectl apply -f x.yaml --dry-run=none",
            "kubectl apply -f x.yaml --dry-run=client --dry-run=none",
            "kubectl apply -f x.yaml --dry-run=client $",
            "kubectl apply $ --dry-run=client",
            "kubectl delete pod x -l --dry-run=client",
            "kubectl delete pod x -- --dry-run=client",
            "kubectl delete --raw=/api/v1/pods/x --dry-run=client",
            "kubectl create --raw /api -f x --dry-run=client",
            "kubectl create -f x --edit --dry-run=client",
            "kubectl replace -f x --force --dry-run=client",
            "kubectl exec x --dry-run=client",
            "kubectl rollout restart deploy/x --dry-run=client",
            "kubectl get pods",
            "kubectl --odd x apply --dry-run=client",
            "kubectl -- apply --dry-run=client",
            "helm upgrade web ./chart --dry-run=false",
            "helm upgrade web ./chart --dry-run=none",
            "helm upgrade web ./chart --dry-run --post-renderer ./x",
            "helm upgrade web ./chart --set --dry-run",
            "helm test web --dry-run",
            "helm",
        ] {
            assert_eq!(judge(&command(text), &FACTS), Report::of(Effect::Table), "{text}");
        }
    }

    const FACTS: Facts = Facts { around: &Nowhere, home: None, cwd: None, own: true, variables: &Unset };
}
