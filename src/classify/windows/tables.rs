//! Programs whose first word, or whose switches, say what they do. Pure.

use super::machines::{is_machine, machines};
use super::{changes, share, switch};
use crate::classify::effect::Report;
use crate::classify::word::Word;

/// How a program's words say what it does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// By the first word, switch or not.
    First,
    /// By all switches; the strictest counts.
    Switches,
}

use By::{First, Switches};

/// A program: its names, how it is told, what reads, what changes, and the switches that name a machine. `()` stands for no
/// word at all, `*` at an end for anything that begins so, a lone `*` for everything that isn't named elsewhere.
type Row = (&'static str, By, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    (
        "sc",
        First,
        "() query queryex qc qdescription qfailure qfailureflag qtriggerinfo qsidtype qprivs enumdepend sdshow getkeyname getdisplayname querylock",
        "config start stop pause continue create delete description failure failureflag sdset triggerinfo control privs sidtype interrogate",
        "\\",
    ),
    ("reg", First, "query compare", "add delete copy save load unload restore import export flags", "\\"),
    (
        "schtasks",
        Switches,
        "() query fo v nh xml tn s u p hresult",
        "create delete run end change sc mo d m i tr st ri et du k sd ed ec np z f rl delay ru rp it enable disable",
        "s",
    ),
    ("at", First, "", "", "\\"),
    ("bcdedit", First, "() enum v", "*", ""),
    ("bootrec", First, "scanos", "*", ""),
    ("bcdboot", First, "", "*", ""),
    ("reagentc", First, "info", "*", ""),
    (
        "wevtutil",
        First,
        "el gl qe gli gp ep enum-logs get-log query-events get-log-info get-publisher enum-publishers",
        "cl sl im um epl al clear-log set-log install-manifest uninstall-manifest export-log archive-log",
        "r remote",
    ),
    ("vssadmin", First, "list", "create delete resize add revert", ""),
    ("diskshadow", First, "", "", ""),
    ("wbadmin", First, "get list", "start stop delete enable disable restore", ""),
    ("auditpol", First, "get list", "set clear restore remove resourcesacl backup", ""),
    ("secedit", First, "", "configure import analyze export generaterollback validate refreshpolicy", ""),
    ("gpresult", Switches, "() r z v scope user s u p", "h x f", "s"),
    ("gpupdate", First, "", "() *", ""),
    (
        "certutil",
        First,
        "() dump store verify hashfile view ping verifystore viewstore cainfo dumppfx error",
        "addstore delstore importpfx setreg delreg repairstore revoke urlcache decode encode decodehex encodehex exportpfx installcert publishcrl crl pulse backup restore shutdown mergepfx viewdelstore",
        "config",
    ),
    ("certreq", First, "", "new retrieve accept policy sign", ""),
    (
        "w32tm",
        First,
        "() query stripchart monitor ntte ntpte tz dumpreg",
        "config resync register unregister debug",
        "computer",
    ),
    ("tzutil", First, "g l", "s", ""),
    (
        "powercfg",
        First,
        "() q query list l a availablesleepstates devicequery requests waketimers lastwake aliases getactivescheme",
        "*",
        "",
    ),
    ("pnputil", First, "enum-* e", "add-* delete-* disable-* enable-* restart-* remove-* scan-* export-* a d i", ""),
    (
        "nltest",
        Switches,
        "dsgetdc sc_query dclist domain_trusts dsgetsite whowill parentdomain server trusted_domains all_trusts kdc pdc force",
        "sc_reset sc_change_pwd shutdown shutdown_abort repl sync cdigest dsregdns dsderegdns",
        "server",
    ),
    ("setspn", First, "l q x", "", ""),
    ("klist", First, "() tickets tgt sessions query_bind", "purge purge_bind get add_bind", ""),
    ("cmdkey", First, "() list list*", "add generic delete smartcard", ""),
    (
        "dism",
        Switches,
        "online image get-* checkhealth scanhealth analyzecomponentstore cleanup-image english format limitaccess packagename featurename driver index name mountdir imagefile wimfile scratchdir logpath loglevel quiet norestart source all",
        "enable-* disable-* add-* remove-* set-* apply-* capture-* mount-* unmount-* commit-* restorehealth startcomponentcleanup export-* append-* split-* delete-* optimize-* resetbase spsuperseded import-* initialize-* start-* cleanup-wim cleanup-mountpoints revertpendingactions",
        "",
    ),
    ("sfc", Switches, "verifyonly verifyfile", "scannow scanfile offbootdir offwindir", ""),
    (
        "ipconfig",
        Switches,
        "() all allcompartments displaydns showclassid showclassid6",
        "release renew flushdns registerdns setclassid release6 renew6 setclassid6",
        "",
    ),
    ("route", First, "print", "add delete change f p", ""),
    ("arp", First, "() a g v n", "s d", ""),
    ("nbtstat", First, "a n c s", "r rr", ""),
    (
        "chkdsk",
        Switches,
        "() v",
        "f r x b c i l scan spotfix offlinescanandfix perf sdcleanup forceofflinefix freeorphanedchains markclean",
        "",
    ),
    ("defrag", Switches, "a", "() * v u c d b g h k l m o t x", ""),
    ("mountvol", Switches, "() l", "d p r n e", ""),
    (
        "manage-bde",
        First,
        "() status s",
        "on off pause resume lock unlock autounlock protectors tpm setidentifier changepassword changepin changekey forcerecovery keypackage upgrade wipefreespace",
        "computername cn",
    ),
    ("shutdown", Switches, "", "r s p h l a g sg fw o i e hybrid f t d c m", "m"),
    ("logoff", First, "", "() *", "server"),
    ("tsdiscon", First, "", "() *", "server"),
    ("msg", First, "", "*", "server"),
    ("taskkill", Switches, "", "pid im fi f t s u p", "s"),
    ("tskill", First, "", "*", "server"),
    ("tasklist", Switches, "* ()", "", ""),
    ("systeminfo", Switches, "* ()", "", ""),
    ("driverquery", Switches, "* ()", "", ""),
    ("getmac", Switches, "* ()", "", ""),
    ("netstat", Switches, "* ()", "", ""),
    ("whoami", Switches, "* ()", "", ""),
    ("hostname", First, "()", "", ""),
    ("ver", First, "()", "", ""),
    ("chcp", First, "* ()", "", ""),
    ("choice", Switches, "* ()", "", ""),
    ("clip", First, "* ()", "", ""),
    ("vol", First, "* ()", "", ""),
    ("quser", First, "* ()", "", ""),
    ("qwinsta", First, "* ()", "", ""),
    ("qprocess", First, "* ()", "", ""),
    ("query", First, "user session process termserver", "", ""),
    ("reset", First, "", "session", "server"),
    ("rwinsta", First, "", "*", "server"),
    ("nslookup", First, "* ()", "", ""),
    ("ping", First, "* ()", "", ""),
    ("tracert", First, "* ()", "", ""),
    ("pathping", First, "* ()", "", ""),
    ("where", First, "*", "", ""),
    ("findstr", First, "*", "", ""),
    ("find", Switches, "() v c n i off offline", "", ""),
    ("fc", Switches, "* ()", "", ""),
    ("comp", Switches, "* ()", "", ""),
    ("tree", Switches, "() f a", "", ""),
    ("more", Switches, "() e c p s t1 t2 t4 t8", "", ""),
    ("sort", Switches, "() r rec m l +1", "o output t temporary", ""),
    ("openfiles", Switches, "query fo nh v s u p", "disconnect local", "s"),
    ("dsquery", First, "* ()", "", ""),
    ("dsget", First, "* ()", "", ""),
    ("dsadd", First, "", "", ""),
    ("dsmod", First, "", "", ""),
    ("dsrm", First, "", "", ""),
    ("dsmove", First, "", "", ""),
    ("ntdsutil", First, "", "", ""),
    ("repadmin", First, "show* replsummary queue bridgeheads istg latency", "", ""),
    ("dcdiag", Switches, "() s v q e a c test skip n u p i", "fix f x", "s"),
    ("netdom", First, "query verify", "", ""),
    ("ldifde", Switches, "", "", ""),
    ("csvde", Switches, "", "", ""),
    ("gpfixup", First, "", "", ""),
    ("lgpo", First, "", "*", ""),
    ("iisreset", Switches, "status", "() restart start stop reboot rebootonerror noforce timeout enable disable", "()"),
    (
        "appcmd",
        First,
        "list",
        "set add delete start stop recycle clear reset migrate unlock lock install uninstall configure backup restore",
        "",
    ),
    (
        "bitsadmin",
        First,
        "list info monitor util",
        "transfer create addfile resume complete cancel setnotifycmdline suspend reset",
        "",
    ),
    ("diskpart", First, "", "", ""),
    ("format", First, "", "*", ""),
    ("label", First, "", "*", ""),
    ("convert", First, "", "*", ""),
    ("fsutil", First, "fsinfo", "", ""),
    (
        "icacls",
        Switches,
        "() verify findsid t c l q",
        "grant deny remove reset setowner inheritance restore save setintegritylevel substitute grant* remove* inheritance*",
        "",
    ),
    ("cacls", Switches, "() t l m s c", "e g r p d", ""),
    ("takeown", Switches, "", "*", "s"),
    ("cipher", Switches, "() c", "e d w k r u x y", ""),
    ("compact", Switches, "() q s a", "c u f i exe compactos", ""),
    ("setx", Switches, "", "* ()", "s"),
    ("assoc", First, "()", "*", ""),
    ("ftype", First, "()", "*", ""),
    ("msiexec", Switches, "", "* ()", ""),
    ("wusa", Switches, "", "* ()", ""),
    ("usoclient", First, "", "*", ""),
    (
        "winget",
        First,
        "list search show --info --version features",
        "install upgrade uninstall update import export configure pin source settings repair",
        "",
    ),
    (
        "choco",
        First,
        "list search info outdated find --version",
        "install upgrade uninstall pin source config feature sync export push",
        "",
    ),
    (
        "scoop",
        First,
        "list search info status which home cat prefix",
        "install update uninstall bucket cleanup cache reset hold unhold alias",
        "",
    ),
    ("lodctr", First, "", "*", ""),
    ("unlodctr", First, "", "*", ""),
    ("typeperf", Switches, "* ()", "o", ""),
    ("logman", First, "query", "create start stop delete update import export", "s"),
    ("tzsync", First, "", "*", ""),
    ("expand", First, "", "*", ""),
    ("makecab", First, "", "*", ""),
    ("slmgr", First, "dli dlv xpr", "ipk ato upk rearm skms ckms cpky", ""),
    ("servermanagercmd", First, "query", "install remove", ""),
    ("oclist", First, "()", "", ""),
    ("ocsetup", First, "", "*", ""),
    ("dnscmd", First, "", "", ""),
    ("dsacls", First, "", "", ""),
    ("vmconnect", First, "", "", ""),
    ("mstsc", First, "", "", ""),
    ("hvc", First, "", "", ""),
    ("rundll32", First, "", "", ""),
    ("regsvr32", First, "", "", ""),
    ("mshta", First, "", "", ""),
    ("cscript", First, "", "", ""),
    ("wscript", First, "", "", ""),
    ("cmstp", First, "", "", ""),
    ("installutil", First, "", "", ""),
    ("regasm", First, "", "", ""),
    ("forfiles", First, "", "", ""),
    ("pcalua", First, "", "", ""),
    ("hh", First, "", "", ""),
    ("odbcconf", First, "", "", ""),
];

/// Names of these that programs of other systems have as well.
pub(super) const ELSEWHERE: &str = "at route arp netstat whoami hostname ping nslookup find fc comp tree more sort format label convert shutdown \
    where expand reset vol compact msg copy move ren del type dir echo md set start call \
    mkdir rmdir date time path open cls title ver exit replace if for pause prompt color pushd popd cd \
    verify break assoc rem ipconfig klist rename";

/// Switches of `certutil` that may stand in front of what it is to do, and take no value.
const MODIFIERS: &[&str] =
    &["user", "split", "f", "v", "silent", "enterprise", "grouppolicy", "gmt", "seconds", "privatekey"];

/// Switches that make a program write a file, or send one, whatever else it does.
const WRITING: &[(&str, &str)] =
    &[("certutil", "split"), ("wevtutil", "sbm"), ("wevtutil", "savebookmark"), ("bitsadmin", "upload")];

/// What a program of the tables does.
pub(super) fn judge(name: &str, words: &[Word]) -> Option<Report> {
    let (_, by, reads, changing, hosts) = ROWS.iter().find(|(known, ..)| *known == name)?;
    let machines = machines(words, hosts);
    let rest: Vec<&Word> =
        words.iter().filter(|word| !(hosts.contains('\\') && share(word).is_some_and(|_| is_machine(word)))).collect();
    let said_before =
        |word: &&Word| name == "certutil" && switch(word).is_some_and(|name| MODIFIERS.contains(&name.as_str()));
    let rest: Vec<&Word> = rest.into_iter().skip_while(said_before).collect();
    let unknown = || Some(Report::unknown(format!("what `{name}` does with these words is not known")));
    let class = match by {
        First => {
            let first = match rest.first() {
                None => Some("()".to_owned()),
                Some(word) => word.known().map(|text| {
                    text.trim_start_matches(['/', '-'])
                        .split([':', '='])
                        .next()
                        .unwrap_or_default()
                        .to_ascii_lowercase()
                }),
            };
            let Some(first) = first else { return unknown() };
            // With a machine and nothing else, nothing was said.
            match (fits(reads, &first), fits(changing, &first)) {
                (Some(true), _) => Some(false),
                (_, Some(true)) => Some(true),
                (Some(false), _) => Some(false),
                (_, Some(false)) => Some(true),
                _ => None,
            }
        }
        Switches => {
            let mut class = Some(false);
            let mut any = false;
            for word in &rest {
                if word.known().is_none()
                    && (word.is_many() || word.beginning().is_empty() || word.beginning().starts_with(['/', '-']))
                {
                    // It may be any switch.
                    if switch(word).is_none_or(|name| fits(reads, &name).is_none() && fits(changing, &name).is_none())
                        && reads.trim() != "* ()"
                    {
                        // What changes already does so whatever comes besides.
                        class = class.filter(|changes| *changes);
                        any = true;
                        continue;
                    }
                }
                let Some(name) = switch(word) else { continue };
                any = true;
                class = match (fits(reads, &name), fits(changing, &name), class) {
                    (Some(true), ..) => class,
                    (_, Some(true), _) => Some(true),
                    (Some(false), ..) => class,
                    (_, Some(false), _) => Some(true),
                    (None, None, Some(true)) => Some(true),
                    (None, None, _) => None,
                };
            }
            match any {
                true => class,
                false if fits(reads, "()").is_some() => Some(false),
                false if fits(changing, "()").is_some() => Some(true),
                false => None,
            }
        }
    };
    let writing = |word: &Word| {
        switch(word).is_some_and(|switch| WRITING.iter().any(|(known, one)| *known == name && *one == switch))
    };
    let operands = words.iter().filter(|word| switch(word).is_none()).count();
    // A third word behind `-store` is a file; two of `mountvol` are a folder and what is mounted there.
    let many = match name {
        "certutil" => operands > 2,
        "mountvol" => operands > 1,
        _ => false,
    };
    if name == "bitsadmin" && words.iter().any(writing) {
        return Some(Report::unknown("what it sends changes another machine"));
    }
    match class {
        Some(false) if many || words.iter().any(writing) => Some(changes(name, machines)),
        Some(true) => Some(changes(name, machines)),
        Some(false) => Some(Report::reads()),
        None => unknown(),
    }
}

/// Whether a word is in a list: by its own name, or by what stands for all.
fn fits(list: &str, word: &str) -> Option<bool> {
    let mut all = false;
    for entry in list.split_ascii_whitespace() {
        if entry == word || entry.strip_suffix('*').is_some_and(|start| !start.is_empty() && word.starts_with(start)) {
            return Some(true);
        }
        all |= entry == "*";
    }
    (all && word != "()").then_some(false)
}
