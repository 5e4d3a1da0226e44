//! Clouds of which nothing more is to be said than which verbs act on a machine that is named, and which one logs in to it:
//! `openstack`, `doctl`, `hcloud`, `oci`, `linode-cli`, `ibmcloud`. Pure.

use super::azure::by_ssh;
use super::verbs::{self, Names, Verb};
use super::vm;
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::programs::Judge;
use crate::classify::programs::options::{Parsed, Spec, parse};
use crate::classify::word::Word;

/// The judge of one of these programs.
#[must_use]
pub fn of(program: &str) -> Option<Judge> {
    Some(match program {
        "doctl" => doctl,
        "hcloud" => hcloud,
        "ibmcloud" => ibmcloud,
        "linode-cli" => linode,
        "oci" => oci,
        "openstack" => openstack,
        _ => return None,
    })
}

/// The words from the command on, and what the verbs make of them.
fn judge(command: &Command, before: &Spec, verbs: &[Verb]) -> Report {
    match parse(command.arguments(), before) {
        Ok(parsed) => verbs::judge(verbs, &parsed.operands).unwrap_or_else(|| Report::of(Effect::Table)),
        Err(_) => Report::of(Effect::Table),
    }
}

/// The words behind two words of a command; none if others stand there.
fn behind<'w>(words: &'w [Word], first: &str, second: &str) -> Option<&'w [Word]> {
    match words {
        [a, b, rest @ ..] if a.known() == Some(first) && b.known() == Some(second) => Some(rest),
        _ => None,
    }
}

const OPENSTACK: Spec = Spec {
    flags: "vqh",
    long_flags: &["debug", "verbose", "quiet", "insecure", "verify", "timing", "help", "version"],
    long_values: &[
        "os-cloud",
        "os-auth-url",
        "os-project-name",
        "os-project-id",
        "os-username",
        "os-password",
        "os-region-name",
        "os-user-domain-name",
        "os-project-domain-name",
        "os-interface",
        "os-cacert",
        "os-identity-api-version",
        "os-compute-api-version",
        "os-token",
        "os-auth-type",
        "os-domain-name",
    ],
    ..Spec::CARRIER
};

/// Judges `openstack`.
fn openstack(command: &Command, _: &Facts) -> Report {
    const SPEC: Spec = Spec {
        flags: "h",
        long_flags: &[
            "wait",
            "hard",
            "soft",
            "force",
            "confirm",
            "revert",
            "live-migration",
            "block-migration",
            "shared-migration",
            "disk-overcommit",
            "no-disk-overcommit",
            "all-projects",
            "no-property",
            "help",
        ],
        long_values: &[
            "flavor",
            "image",
            "property",
            "name",
            "state",
            "host",
            "reason",
            "tag",
            "description",
            "password",
            "fixed-ip-address",
            "device",
            "availability-zone",
            "hostname",
            "key-name",
            "user-data",
        ],
        ..Spec::MIXED
    };
    const ALL: Names = Names::All(&SPEC);
    const FIRST: Names = Names::First(&SPEC);
    const VERBS: &[Verb] = &[
        Verb { words: "server start", names: ALL },
        Verb { words: "server stop", names: ALL },
        Verb { words: "server pause", names: ALL },
        Verb { words: "server unpause", names: ALL },
        Verb { words: "server suspend", names: ALL },
        Verb { words: "server resume", names: ALL },
        Verb { words: "server lock", names: ALL },
        Verb { words: "server unlock", names: ALL },
        Verb { words: "server shelve", names: ALL },
        Verb { words: "server unshelve", names: ALL },
        Verb { words: "server delete", names: ALL },
        Verb { words: "server restore", names: ALL },
        Verb { words: "server reboot", names: FIRST },
        Verb { words: "server rebuild", names: FIRST },
        Verb { words: "server resize", names: FIRST },
        Verb { words: "server resize confirm", names: FIRST },
        Verb { words: "server resize revert", names: FIRST },
        Verb { words: "server rescue", names: FIRST },
        Verb { words: "server unrescue", names: FIRST },
        Verb { words: "server set", names: FIRST },
        Verb { words: "server unset", names: FIRST },
        Verb { words: "server migrate", names: FIRST },
        Verb { words: "server migrate confirm", names: FIRST },
        Verb { words: "server migrate revert", names: FIRST },
        Verb { words: "server evacuate", names: FIRST },
        Verb { words: "server dump create", names: ALL },
        Verb { words: "server add fixed ip", names: FIRST },
        Verb { words: "server add floating ip", names: FIRST },
        Verb { words: "server add network", names: FIRST },
        Verb { words: "server add port", names: FIRST },
        Verb { words: "server add security group", names: FIRST },
        Verb { words: "server add volume", names: FIRST },
        Verb { words: "server remove fixed ip", names: FIRST },
        Verb { words: "server remove floating ip", names: FIRST },
        Verb { words: "server remove network", names: FIRST },
        Verb { words: "server remove port", names: FIRST },
        Verb { words: "server remove security group", names: FIRST },
        Verb { words: "server remove volume", names: FIRST },
    ];
    const SSH: Spec = Spec {
        flags: "46vh",
        values: "lip",
        long_flags: &["public", "private", "help"],
        long_values: &["login", "port", "identity", "address-type", "option"],
        ..Spec::CARRIER
    };
    if let Ok(parsed) = parse(command.arguments(), &OPENSTACK)
        && let Some(rest) = behind(&parsed.operands, "server", "ssh")
    {
        return match parse(rest, &SSH) {
            Ok(parsed) if parsed.has(&["option"]) => Report::unknown("what its options are to ssh can't be told"),
            Ok(parsed) => logs_in(command, &parsed, &[]),
            Err(why) => Report::unknown(why),
        };
    }
    judge(command, &OPENSTACK, VERBS)
}

/// The first operand is a machine, what stands behind it goes to ssh there.
fn logs_in(command: &Command, parsed: &Parsed, texts: &[&str]) -> Report {
    let Some((name, behind)) = parsed.operands.split_first() else { return Report::reads() };
    let behind = match behind {
        [dashes, rest @ ..] if dashes.known() == Some("--") => rest,
        rest => rest,
    };
    let mut words = behind.to_vec();
    words.extend(parsed.values(texts).last().cloned());
    Report::of(by_ssh(vm(name), name, &words, &command.stdin))
}

/// Judges `doctl`.
fn doctl(command: &Command, _: &Facts) -> Report {
    const SPEC: Spec = Spec {
        flags: "fvh",
        long_flags: &["force", "wait", "no-header", "help", "trace", "verbose", "resize-disk"],
        long_values: &["size", "image", "kernel-id", "snapshot-name", "droplet-name", "format", "context"],
        ..Spec::MIXED
    };
    const SSH: Spec = Spec {
        flags: "vh",
        long_flags: &["ssh-private-ip", "ssh-agent-forwarding", "help", "verbose"],
        long_values: &["ssh-command", "ssh-key-path", "ssh-port", "ssh-user", "ssh-retry-max", "context"],
        ..Spec::MIXED
    };
    const VERBS: &[Verb] = &[
        Verb { words: "compute droplet delete", names: Names::All(&SPEC) },
        Verb { words: "compute droplet rm", names: Names::All(&SPEC) },
        Verb { words: "compute droplet-action change-backup-policy", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action change-kernel", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action disable-backups", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action enable-backups", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action enable-ipv6", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action enable-private-networking", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action password-reset", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action power-cycle", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action power-off", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action power-on", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action reboot", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action rebuild", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action rename", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action resize", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action restore", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action shutdown", names: Names::First(&SPEC) },
        Verb { words: "compute droplet-action snapshot", names: Names::First(&SPEC) },
    ];
    const BEFORE: Spec = Spec {
        flags: "v",
        values: "tuo",
        long_flags: &["trace", "verbose", "interactive"],
        long_values: &["access-token", "api-url", "context", "output"],
        ..Spec::CARRIER
    };
    if let Ok(parsed) = parse(command.arguments(), &BEFORE)
        && let Some(rest) = behind(&parsed.operands, "compute", "ssh")
    {
        return match parse(rest, &SSH) {
            Ok(parsed) => logs_in(command, &parsed, &["ssh-command"]),
            Err(why) => Report::unknown(why),
        };
    }
    judge(command, &BEFORE, VERBS)
}

/// Judges `hcloud`.
fn hcloud(command: &Command, _: &Facts) -> Report {
    const BEFORE: Spec = Spec {
        flags: "h",
        long_flags: &["debug", "quiet", "help", "version"],
        long_values: &["context", "endpoint", "poll-interval"],
        ..Spec::CARRIER
    };
    const SPEC: Spec = Spec {
        flags: "oh",
        values: "lni",
        long_flags: &["keep-disk", "overwrite", "upgrade-disk", "help", "quiet", "no-wait"],
        long_values: &[
            "image",
            "type",
            "ssh-key",
            "network",
            "ip",
            "name",
            "iso",
            "hostname",
            "placement-group",
            "alias-ips",
        ],
        ..Spec::MIXED
    };
    const FIRST: Names = Names::First(&SPEC);
    const ACTS: &[&str] = &[
        "add-label",
        "add-to-placement-group",
        "attach-iso",
        "attach-to-network",
        "change-alias-ips",
        "change-type",
        "delete",
        "detach-from-network",
        "detach-iso",
        "disable-backup",
        "disable-protection",
        "disable-rescue",
        "enable-backup",
        "enable-protection",
        "enable-rescue",
        "poweroff",
        "poweron",
        "reboot",
        "rebuild",
        "remove-from-placement-group",
        "remove-label",
        "reset",
        "reset-password",
        "set-rdns",
        "shutdown",
        "update",
    ];
    const SSH: Spec = Spec {
        flags: "6h",
        values: "pu",
        long_flags: &["ipv6", "help"],
        long_values: &["port", "user"],
        ..Spec::CARRIER
    };
    let Ok(parsed) = parse(command.arguments(), &BEFORE) else { return Report::of(Effect::Table) };
    if let Some(rest) = behind(&parsed.operands, "server", "ssh") {
        return match parse(rest, &SSH) {
            Ok(parsed) => logs_in(command, &parsed, &[]),
            Err(why) => Report::unknown(why),
        };
    }
    let verb = parsed.operands.get(1).and_then(Word::known);
    let acts = ACTS.iter().find(|act| Some(**act) == verb);
    match (parsed.operands.first().and_then(Word::known), acts) {
        (Some("server"), Some(act)) => {
            let verbs = [Verb { words: act, names: if *act == "delete" { Names::All(&SPEC) } else { FIRST } }];
            let rest = parsed.operands.get(1..).unwrap_or_default();
            verbs::judge(&verbs, rest).unwrap_or_else(|| Report::of(Effect::Table))
        }
        _ => Report::of(Effect::Table),
    }
}

/// Judges `oci`.
fn oci(command: &Command, _: &Facts) -> Report {
    const SPEC: Spec = Spec {
        flags: "dh",
        long_flags: &["force", "debug", "help", "preserve-boot-volume"],
        long_values: &[
            "instance-id",
            "action",
            "wait-for-state",
            "max-wait-seconds",
            "wait-interval-seconds",
            "if-match",
            "preserve-boot-volume",
            "display-name",
            "shape",
            "profile",
            "region",
            "output",
            "query",
            "auth",
        ],
        ..Spec::MIXED
    };
    const IDS: Names = Names::By(&["instance-id"], &SPEC);
    const VERBS: &[Verb] = &[
        Verb { words: "compute instance action", names: IDS },
        Verb { words: "compute instance terminate", names: IDS },
        Verb { words: "compute instance update", names: IDS },
    ];
    const BEFORE: Spec = Spec {
        flags: "d",
        long_flags: &["debug"],
        long_values: &["profile", "region", "output", "query", "auth"],
        ..Spec::CARRIER
    };
    judge(command, &BEFORE, VERBS)
}

/// Judges `linode-cli`.
fn linode(command: &Command, _: &Facts) -> Report {
    const BEFORE: Spec =
        Spec { long_flags: &["json", "text", "no-headers"], long_values: &["as-user"], ..Spec::CARRIER };
    const VERBS: &[Verb] = super::verbs::next!(
        "linodes boot",
        "linodes delete",
        "linodes linode-disk-create",
        "linodes migrate",
        "linodes reboot",
        "linodes rebuild",
        "linodes rescue",
        "linodes resize",
        "linodes rm",
        "linodes shutdown",
        "linodes snapshot",
        "linodes update",
        "linodes upgrade",
    );
    judge(command, &BEFORE, VERBS)
}

/// Judges `ibmcloud`.
fn ibmcloud(command: &Command, _: &Facts) -> Report {
    const VERBS: &[Verb] = super::verbs::next!(
        "is instance-delete",
        "is instance-reboot",
        "is instance-start",
        "is instance-stop",
        "is instance-update",
    );
    judge(command, &Spec { flags: "q", ..Spec::CARRIER }, VERBS)
}
