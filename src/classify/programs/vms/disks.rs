//! Programs on disks of machines: `guestfish`, `virt-customize` and its like, `virt-install`, `virt-clone`, `virt-xml`. Pure.

use super::{changes, is_plain_address, vm};
use crate::classify::effect::{Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::programs::carry::{name, report};
use crate::classify::programs::copied;
use crate::classify::programs::options::{Parsed, Spec, parse};
use crate::classify::word::Word;

/// Judges programs that write into the disks of a machine, or into an image.
#[must_use]
pub fn on_disks(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    if words.iter().all(|word| matches!(word.known(), Some("--help" | "--version" | "-V"))) {
        return Report::reads();
    }
    // Only these have a rehearsal; `-n` of the others is something else.
    let rehearses = matches!(name(command), "virt-customize" | "virt-sysprep");
    let is_rehearsal = |word: &Word| matches!(word.known(), Some("-n" | "--dry-run" | "--dryrun"));
    if rehearses && words.first().is_some_and(is_rehearsal) {
        return Report::reads();
    }
    if name(command) == "virt-win-reg" && !words.iter().any(|word| word.may_begin_with("--m")) {
        // Without --merge it prints.
        return Report::reads();
    }
    let named = match name(command) {
        // `virt-copy-in -d VM FILE… FOLDER`, and without options an image or a machine first.
        "virt-win-reg" => words.iter().find(|word| !word.may_be_option()).cloned(),
        _ => option(words, &["-d", "--domain"]),
    };
    match named {
        Some(word) => Report::of(changes(vec![vm(&word)], name(command))),
        None => Report::unknown("whose disks it writes can't be told"),
    }
}

/// The value of an option, in the next word or glued to it.
fn option(words: &[Word], names: &[&str]) -> Option<Word> {
    words.iter().enumerate().find_map(|(at, word)| {
        let is = |name: &&str| word.known() == Some(*name);
        if names.iter().any(is) {
            return words.get(at + 1).cloned();
        }
        names.iter().filter(|name| name.starts_with("--")).find_map(|name| word.strip_prefix(&format!("{name}=")))
    })
}

/// An address of libvirt that may name a program to connect by.
fn odd_address(words: &[Word]) -> Option<&Word> {
    words.iter().enumerate().find_map(|(at, word)| {
        let behind = at.checked_sub(1).and_then(|at| words.get(at)).and_then(Word::known);
        let uri = match behind {
            Some("-c" | "--connect") => Some(word.clone()),
            _ => word.strip_prefix("--connect=").or_else(|| word.strip_prefix("-c")),
        };
        uri.filter(|uri| uri.known() != Some("") && !is_plain_address(uri)).map(|_| word)
    })
}

/// Judges programs that make a new machine: it is only shown, or asked about.
#[must_use]
pub fn new_machine(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let is = |texts: &[&str]| words.iter().any(|word| word.known().is_some_and(|text| texts.contains(&text)));
    if let Some(word) = odd_address(words) {
        return Report::unknown(format!("which program `{}` connects by can't be told", word.shown()));
    }
    let shows = is(&["--print-xml", "--dry-run", "--help", "-h", "--version"])
        || words.iter().any(|word| word.begins_with("--osinfo=list") || word.begins_with("--os-variant=list"));
    if shows { Report::reads() } else { Report::unknown("it makes a new machine") }
}

/// Judges `virt-xml`: it changes the machine that is named unless it only prints.
#[must_use]
pub fn xml(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let is = |texts: &[&str]| words.iter().any(|word| word.known().is_some_and(|text| texts.contains(&text)));
    if let Some(word) = odd_address(words) {
        return Report::unknown(format!("which program `{}` connects by can't be told", word.shown()));
    }
    let shows = ["--print-diff", "--print-xml", "--build-xml", "--help", "--version"];
    if is(&shows) {
        // Printing can be asked for together with a change.
        return if is(&["--define", "--update"]) {
            Report::unknown("it may change more than it prints")
        } else {
            Report::reads()
        };
    }
    // Options in front of the name have a value.
    let mut rest = words;
    while let [first, _, behind @ ..] = rest
        && matches!(first.known(), Some("-c" | "--connect"))
    {
        rest = behind;
    }
    match rest.first() {
        Some(word) if !word.may_be_option() => Report::of(changes(vec![vm(word)], "virt-xml")),
        _ => Report::unknown("the machine that it changes can't be told"),
    }
}

const GUESTFISH: Spec = Spec {
    flags: "irwnvxVNh",
    values: "adcfmk",
    long_flags: &[
        "inspector",
        "ro",
        "rw",
        "no-sync",
        "verbose",
        "help",
        "version",
        "live",
        "progress-bars",
        "no-progress-bars",
        "keys-from-stdin",
        "echo-keys",
        "network",
        "no-dest-paths",
    ],
    long_values: &["add", "domain", "connect", "file", "mount", "format", "key", "blocksize"],
    ..Spec::CARRIER
};

/// Commands of guestfish that change nothing in the disks and write no file beside them.
const SHOWS: &[&str] = &[
    "blkid",
    "cat",
    "checksum",
    "df",
    "df-h",
    "du",
    "echo",
    "exists",
    "file",
    "file-architecture",
    "find",
    "grep",
    "grep-lines",
    "head",
    "head-n",
    "hexdump",
    "inspect-get-arch",
    "inspect-get-distro",
    "inspect-get-hostname",
    "inspect-get-mountpoints",
    "inspect-get-product-name",
    "inspect-get-roots",
    "inspect-list-applications",
    "inspect-os",
    "is-dir",
    "is-file",
    "list-devices",
    "list-dm-devices",
    "list-filesystems",
    "list-md-devices",
    "list-partitions",
    "ll",
    "ls",
    "lvs",
    "lvs-full",
    "most-recent",
    "part-get-parttype",
    "part-list",
    "pvs",
    "pvs-full",
    "read-file",
    "read-lines",
    "readdir",
    "readlink",
    "run",
    "launch",
    "add",
    "add-ro",
    "add-domain",
    "mount-ro",
    "mountpoints",
    "mounts",
    "stat",
    "statns",
    "statvfs",
    "strings",
    "tail",
    "tail-n",
    "umount",
    "umount-all",
    "vfs-label",
    "vfs-type",
    "vfs-uuid",
    "vgs",
    "vgs-full",
    "wc-l",
    "wc-w",
    "quit",
    "exit",
    "help",
    "version",
    "sync",
    "mount",
];

/// Judges `guestfish`: its commands stand behind its options, parted by `:`, in a file or on stdin.
#[must_use]
pub fn guestfish(command: &Command, facts: &Facts) -> Report {
    read_guestfish(command, facts).unwrap_or_else(Report::unknown)
}

fn read_guestfish(command: &Command, facts: &Facts) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &GUESTFISH)?;
    if parsed.has(&["h", "help", "V", "version"]) {
        return Ok(Report::reads());
    }
    if let Some(uri) = parsed.values(&["c", "connect"]).find(|uri| !is_plain_address(uri)) {
        return Err(format!("which program `{}` connects by can't be told", uri.shown()));
    }
    let readonly = parsed.has(&["r", "ro"]) && !parsed.has(&["w", "rw", "live"]);
    let script = match parsed.values(&["f", "file"]).last() {
        Some(path) => Some(copied::text_of(path, facts)?),
        None if parsed.operands.is_empty() => match &command.stdin {
            Stdin::Inherited | Stdin::Nothing => return Ok(Report::reads()),
            Stdin::Text(text) => Some(text.known().ok_or("its commands are only known when it runs")?.to_owned()),
            Stdin::File(path) => Some(copied::text_of(path, facts)?),
            Stdin::Unknown => return Err("the commands that it reads on stdin are not known".into()),
        },
        None => None,
    };
    let commands: Vec<Vec<String>> = match script {
        Some(text) => text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect(),
        None => {
            let words: Option<Vec<&str>> = parsed.operands.iter().map(Word::known).collect();
            let words = words.ok_or("its commands are only known when it runs")?;
            words
                .split(|word| *word == ":")
                .map(|words| words.iter().map(|word| (*word).to_owned()).collect())
                .collect()
        }
    };
    let mut effects = vec![];
    for words in commands {
        effects.extend(fish_command(&words, &parsed, readonly));
    }
    Ok(report(effects))
}

/// One command of guestfish.
fn fish_command(words: &[String], parsed: &Parsed, readonly: bool) -> Option<Effect> {
    // A dash in front ignores its failure.
    let verb = words.first()?.trim_start_matches('-');
    if verb.is_empty() || verb.starts_with('#') {
        return None;
    }
    // Programs of this side: `!command`, `<!command`, and a pipe behind any command.
    if verb.starts_with(['!', '<']) || words.iter().any(|word| word.contains('|')) {
        return Some(Effect::Unknown(format!("what `{}` runs on this side is not read", words.join(" "))));
    }
    // Other disks may be taken, for writing, whatever the options say.
    let opens = matches!(verb, "add" | "add-drive" | "add-domain" | "domain" | "add-drive-with-if" | "mount-local");
    let reads_only = words.iter().any(|word| word == "readonly:true");
    if matches!(verb, "download" | "copy-out" | "tar-out" | "tgz-out" | "txz-out" | "base64-out" | "hivex-open") {
        return Some(Effect::Writes(words.last().map(|path| Word::known_as(path.as_str())).unwrap_or_default()));
    }
    if opens && !reads_only {
        return Some(Effect::Unknown(format!("`{verb}` opens a disk for writing")));
    }
    if readonly || SHOWS.contains(&verb) {
        return None;
    }
    match parsed.values(&["d", "domain"]).last() {
        Some(domain) => Some(changes(vec![vm(domain)], verb)),
        None => Some(Effect::ChangesVm {
            vms: vec![Host::Unknown("whose disk it is can't be told".into())],
            how: format!("does `{verb}`"),
        }),
    }
}
