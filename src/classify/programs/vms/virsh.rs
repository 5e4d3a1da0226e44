//! `virsh`: one command by its words, or several in one text or on stdin, each of which is judged by itself. Pure.

use super::guest_agent;
use super::{changes, unknown_in, vm};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::programs::carry::{first, report};
use crate::classify::programs::copied;
use crate::classify::programs::options::{Spec, parse};
use crate::classify::word::Word;

const SPEC: Spec = Spec {
    flags: "qrthvVe",
    values: "cdlkK",
    long_flags: &["quiet", "readonly", "timing", "help", "version", "escape"],
    long_values: &["connect", "debug", "log", "keepalive-interval", "keepalive-count"],
    ..Spec::CARRIER
};

/// Commands that change the domain that stands behind them.
const ON_DOMAIN: &[&str] = &[
    "attach-device",
    "attach-disk",
    "attach-interface",
    "autostart",
    "backup-begin",
    "blkdeviotune",
    "blkiotune",
    "blockcommit",
    "blockcopy",
    "blockjob",
    "blockpull",
    "blockresize",
    "change-media",
    "checkpoint-create",
    "checkpoint-create-as",
    "checkpoint-delete",
    "checkpoint-edit",
    "desc",
    "destroy",
    "detach-device",
    "detach-device-alias",
    "detach-disk",
    "detach-interface",
    "dom-fd-associate",
    "domblkthreshold",
    "domdirtyrate-calc",
    "domfsfreeze",
    "domfsthaw",
    "domfstrim",
    "domif-setlink",
    "domiftune",
    "domjobabort",
    "dompmsuspend",
    "dompmwakeup",
    "domrename",
    "domsetlaunchsecstate",
    "domtime",
    "dump",
    "edit",
    "emulatorpin",
    "guestvcpus",
    "inject-nmi",
    "iothreadadd",
    "iothreaddel",
    "iothreadpin",
    "iothreadset",
    "managedsave",
    "managedsave-define",
    "managedsave-edit",
    "managedsave-remove",
    "memtune",
    "metadata",
    "migrate",
    "migrate-compcache",
    "migrate-postcopy",
    "migrate-setmaxdowntime",
    "migrate-setspeed",
    "numatune",
    "perf",
    "qemu-attach",
    "qemu-monitor-command",
    "reboot",
    "reset",
    "resume",
    "save",
    "schedinfo",
    "send-key",
    "send-process-signal",
    "set-lifecycle-action",
    "set-user-password",
    "set-user-sshkeys",
    "setmaxmem",
    "setmem",
    "setvcpu",
    "setvcpus",
    "shutdown",
    "snapshot-create",
    "snapshot-create-as",
    "snapshot-current",
    "snapshot-delete",
    "snapshot-edit",
    "snapshot-revert",
    "start",
    "suspend",
    "undefine",
    "update-device",
    "update-memory-device",
    "vcpupin",
];

/// Options of its commands that have no value, so that the domain may stand behind them.
const FLAGS: &[&str] = &[
    "--async",
    "--atomic",
    "--autodestroy",
    "--bypass-cache",
    "--checkpoints-metadata",
    "--children",
    "--config",
    "--console",
    "--copy-storage-all",
    "--current",
    "--delete-storage-volume-snapshots",
    "--disable",
    "--disk-only",
    "--force",
    "--force-boot",
    "--graceful",
    "--keep-nvram",
    "--keep-tpm",
    "--live",
    "--managed-save",
    "--metadata",
    "--no-metadata",
    "--nvram",
    "--paused",
    "--persistent",
    "--quiesce",
    "--remove-all-storage",
    "--remove-logs",
    "--running",
    "--snapshots-metadata",
    "--sync",
    "--tpm",
    "--verbose",
    "--wait",
];

/// Judges `virsh`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let Ok(parsed) = parse(command.arguments(), &SPEC) else { return Report::of(Effect::Table) };
    if parsed.has(&["h", "help", "v", "V", "version"]) {
        return Report::reads();
    }
    if let Some(uri) = parsed.values(&["c", "connect"]).find(|uri| !is_plain_address(uri)) {
        return Report::unknown(format!("which program `{}` connects by can't be told", uri.shown()));
    }
    let options = command.arguments().iter().take(command.arguments().len().saturating_sub(parsed.operands.len()));
    let options: Vec<Word> = options.cloned().collect();
    let readonly = parsed.has(&["r", "readonly"]);
    match parsed.operands.as_slice() {
        [] => match &command.stdin {
            Stdin::Inherited | Stdin::Nothing => Report::reads(),
            Stdin::Text(text) => several(text, &options, readonly),
            Stdin::File(path) => match copied::text_of(path, facts) {
                Ok(text) => several(&text.as_str().into(), &options, readonly),
                Err(why) => Report::unknown(why),
            },
            Stdin::Unknown => Report::unknown("the commands that it reads on stdin are not known"),
        },
        [text] if text.known().is_none_or(|text| !is_name(text)) => several(text, &options, readonly),
        [verb, rest @ ..] => one(command, verb, rest, readonly),
    }
}

/// Whether an address of libvirt chooses no program by which it connects.
#[must_use]
pub fn is_plain_address(uri: &Word) -> bool {
    uri.known().is_some_and(|text| {
        let text = text.to_ascii_lowercase();
        let scheme = text.split("://").next().unwrap_or_default();
        let query = text.split_once('?').map_or("", |(_, query)| query);
        let harmless = [
            "no_verify=",
            "no_tty=",
            "keyfile=",
            "known_hosts=",
            "known_hosts_verify=",
            "sshauth=",
            "socket=",
            "pkipath=",
            "mode=",
            "proxy=",
            "auto_answer=",
            "vcenter=",
        ];
        !scheme.contains("+ext")
            && query.split(['&', ';']).all(|part| part.is_empty() || harmless.iter().any(|name| part.starts_with(name)))
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Several commands in one text: each is judged as if it stood alone.
fn several(text: &Word, options: &[Word], readonly: bool) -> Report {
    let Some(commands) = text.known().and_then(split) else {
        return Report::unknown(format!("the commands in `{}` can't be read", text.shown()));
    };
    let mut effects = vec![];
    for words in commands {
        let verb = words.first().map(String::as_str).unwrap_or_default();
        if !is_name(verb) {
            effects.push(Effect::Unknown(format!("`{verb}` is no command of virsh")));
            continue;
        }
        // Another connection need not be one that only reads.
        if readonly && verb == "connect" {
            effects.push(Effect::Unknown("it connects anew".into()));
        }
        let all = std::iter::once(Word::known_as("virsh")).chain(options.iter().cloned());
        let what = What::Words(all.chain(words.into_iter().map(Word::known_as)).collect());
        effects.push(Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Nothing }));
    }
    report(effects)
}

/// The commands of a text and their words: parted by `;` and line ends; quotes as in a shell, `#` begins a comment.
fn split(text: &str) -> Option<Vec<Vec<String>>> {
    let (mut commands, mut words, mut word): (Vec<Vec<String>>, Vec<String>, Option<String>) = Default::default();
    let mut chars = text.chars();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().push(chars.next()?),
            (None, ';' | '\n') => {
                words.extend(word.take());
                commands.push(std::mem::take(&mut words));
            }
            (None, ' ' | '\t' | '\r') => words.extend(word.take()),
            (None, '#') if word.is_none() => {
                // Its release may take the rest for words: then a `;` in it parts commands.
                let rest: String = chars.by_ref().take_while(|c| *c != '\n').collect();
                if rest.contains(';') {
                    return None;
                }
                commands.push(std::mem::take(&mut words));
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    commands.push(words);
    commands.retain(|words| !words.is_empty());
    quote.is_none().then_some(commands)
}

/// One command with its words.
fn one(command: &Command, verb: &Word, rest: &[Word], readonly: bool) -> Report {
    let Some(name) = verb.known() else { return Report::of(Effect::Table) };
    // Such a connection can't change a domain, whatever the command.
    let on_domain = ON_DOMAIN.contains(&name);
    let reading = match name {
        "snapshot-current" => rest.len() < 2 || rest.iter().skip(1).all(|word| word.begins_with("--name")),
        "desc" | "metadata" | "schedinfo" | "guestvcpus" | "memtune" | "numatune" | "blkiotune" | "domtime" => {
            rest.len() < 2
        }
        _ => false,
    };
    if reading && rest.iter().all(|word| word.known().is_some()) {
        return Report::reads();
    }
    if matches!(rest, [word] if word.known() == Some("--help")) {
        return Report::reads();
    }
    let domain = domain(rest);
    match name {
        _ if readonly && on_domain => Report::reads(),
        "qemu-agent-command" if readonly => Report::reads(),
        "qemu-agent-command" => match rest.iter().rfind(|word| word.beginning().trim_start().starts_with('{')) {
            Some(text) => guest_agent::judge(domain, text),
            None => Report::of(unknown_in(domain, "what its agent is told can't be read")),
        },
        "console" => Report::of(unknown_in(domain, "what is typed there can't be seen")),
        _ if on_domain => Report::of(changes(vec![domain], name)),
        _ => {
            let _ = command;
            Report::of(Effect::Table)
        }
    }
}

/// The domain that a command names.
fn domain(rest: &[Word]) -> Host {
    let named = rest.iter().position(|word| word.known() == Some("--domain")).and_then(|at| rest.get(at + 1));
    if let Some(word) = named {
        return vm(word);
    }
    if let Some(word) = rest.iter().find_map(|word| word.strip_prefix("--domain=")) {
        return vm(&word);
    }
    let is_flag = |word: &&Word| word.known().is_some_and(|text| FLAGS.contains(&text));
    match first(&rest.iter().skip_while(is_flag).cloned().collect::<Vec<_>>()) {
        (Some(word), _) if word.may_be_option() => {
            Host::Unknown(format!("whether `{}` is its name can't be told", word.shown()))
        }
        (Some(word), _) => vm(word),
        (None, _) => Host::Unknown("it is not named".into()),
    }
}
