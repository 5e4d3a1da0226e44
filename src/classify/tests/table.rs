//! Tests of the judging by tables.

use super::testing::{command, letters};
use super::*;
use crate::catalog::Project;
use crate::catalog::parse::parse;
use crate::classify::word::Word;

fn user(text: &str) -> Catalog {
    Catalog { user: Some(parse(text).unwrap()), ..Catalog::default() }
}

fn check(catalog: &Catalog, cases: &[(&str, &str)]) {
    compare(cases, |command| report(catalog, command));
}

fn compare(cases: &[(&str, &str)], judge: impl Fn(&Command) -> Option<Report>) {
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let report = judge(&command(text));
            let found = letters(report.as_ref());
            (found != *expected).then(|| format!("{text}: {found}, not {expected}: {report:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Judges by tables as if they were built in.
fn check_own(cases: &[(&str, &str)]) {
    let prepared = parse(OWN).unwrap();
    compare(cases, |command| {
        let program = plain(command.program()?);
        let mut sheet = Sheet::default();
        sheet.read(Layer::BuiltIn, 2, &prepared, program).then(|| {
            let words = Words::read(&sheet, command.arguments());
            Judgement::new(program, &sheet, &words).report()
        })
    });
}

/// Programs that no built-in table is about.
const OWN: &str = r#"
[program.own-svc]
read_only = ["", "status", "show", "is-*", "image", "image ls", "cat"]
mutating = ["start", "image *", "show --write"]
unknown = ["edit", "--root", "-e"]
local = ["build"]
dry_run = ["--dry-run", "-n", "start --test"]
values = ["-t", "--type", "--root", "show -p"]

[program.own-sort]
read_only = ["*"]
mutating = ["-o", "--output", "--in-place"]
unknown = ["--compress-program"]
values = ["-o", "--output", "-k", "-t", "--compress-program"]

[program.own-rm]
mutating = ["*"]
read_only = [""]

[program.own-ip]
read_only = ["address", "address show", "address list", "addrlabel", "addrlabel list", "link", "link show"]
mutating = ["address *", "addrlabel *", "link *"]
unknown = ["-batch", "netns exec"]
values = ["-family", "-batch"]
single_dash = true
abbreviates = true

[program.own-go]
read_only = ["list", "-json"]
mutating = ["apply"]
dry_run = ["-dry-run", "-mode=plan"]
single_dash = true
values = ["-mode"]

[program.own-listed]
read_only = ["*", "-a", "--all", "-f=json"]
mutating = ["-f"]
values = ["-f"]
only_listed = true

[program.own-date]
read_only = ["", "-I*"]
mutating = ["*", "-s"]

[program.own-verb]
read_only = ["* status"]
mutating = ["* *"]
"#;

#[test]
fn sub_commands() {
    check_own(&[
        ("own-none status", "-"),
        ("own-svc", "R"),
        ("own-svc status nginx", "R"),
        ("own-svc is-active nginx", "R"),
        ("own-svc start nginx", "C"),
        ("own-svc edit nginx", "U"),
        ("own-svc build", "W"),
        ("own-svc frobnicate", "U"),
        ("own-svc ''", "U"),
        ("own-svc image", "R"),
        ("own-svc image ls", "R"),
        ("own-svc image rm x", "C"),
        ("own-svc image ls rm", "R"),
        ("own-svc -- start", "C"),
        ("own-svc - start", "U"),
        ("own-svc Start", "U"),
        ("own-rm", "R"),
        ("own-rm x", "C"),
        ("own-rm -rf", "R"),
        ("own-rm -- -rf", "C"),
        ("own-verb nginx status", "R"),
        ("own-verb nginx restart", "C"),
        ("own-verb status", "U"),
        ("own-verb status restart", "C"),
    ]);
}

#[test]
fn options() {
    check_own(&[
        ("own-sort file", "R"),
        ("own-sort -nr file", "R"),
        ("own-sort file -o out", "C"),
        ("own-sort -nro out", "C"),
        ("own-sort -oout", "C"),
        ("own-sort --output=out", "C"),
        ("own-sort --output out", "C"),
        ("own-sort --outp out", "C"),
        ("own-sort --in-pl out", "C"),
        ("own-sort --o=out", "C"),
        ("own-sort -- -o out", "R"),
        ("own-sort -k -o file", "R"),
        ("own-sort -k2 -o file", "C"),
        ("own-sort -ko file", "R"),
        ("own-sort -t o", "R"),
        ("own-sort --compress-program=sh x", "U"),
        ("own-sort --compress-program sh -o x", "CU"),
        ("own-sort --comp=sh x", "U"),
        ("own-sort --parallel=4 x", "R"),
        ("own-sort - x", "R"),
        // What may be an option's value ends no options.
        ("own-sort --unlisted -- -o x", "C"),
        ("own-sort -k -- -o x", "C"),
        ("own-sort -k", "R"),
        ("own-svc show x --write", "C"),
        ("own-svc --write show", "CU"),
        ("own-svc status --write", "R"),
        ("own-svc show -p --write", "R"),
        ("own-svc status -p --write", "R"),
        ("own-svc --root /x status", "U"),
        ("own-svc --root=/x status", "U"),
        ("own-svc -e", "U"),
        ("own-svc status -xe", "U"),
    ]);
}

#[test]
fn an_option_before_the_sub_command_may_take_it() {
    check_own(&[
        ("own-svc --frob status start", "U"),
        ("own-svc -x status start", "U"),
        ("own-svc --frob=1 status start", "R"),
        ("own-svc --frob start", "CU"),
        ("own-svc -t status start", "C"),
        ("own-svc -tstatus start", "C"),
        ("own-svc --type service status", "R"),
        ("own-svc --typ start status", "CU"),
        ("own-svc image --frob ls", "U"),
        ("own-svc image ls --frob", "R"),
        ("own-svc status --frob start", "R"),
        ("own-svc --frob", "R"),
        // A value option that belongs to a sub-command takes none before it.
        ("own-svc -p status start", "U"),
    ]);
}

#[test]
fn dry_runs() {
    check_own(&[
        ("own-svc start --dry-run", "R"),
        ("own-svc -n start", "R"),
        ("own-svc start --test x", "R"),
        ("own-svc image rm --test x", "C"),
        ("own-svc start --dry", "C"),
        ("own-svc start --dry-run=false", "C"),
        ("own-svc start -- --dry-run", "C"),
        ("own-svc start -t --dry-run", "C"),
        ("own-svc start --message --dry-run", "C"),
        ("own-svc start --message=x --dry-run", "R"),
        ("own-svc start -mn", "C"),
        ("own-svc start -nm", "R"),
        ("own-svc edit --dry-run", "U"),
        ("own-svc build --dry-run", "W"),
        ("own-svc start --dry-run --root x", "U"),
        ("own-svc start $", "CU"),
        ("own-svc start --dry-run $", "U"),
        ("own-go apply -dry-run", "R"),
        ("own-go apply --dry-run", "R"),
        ("own-go apply -dry-run=false", "C"),
        ("own-go apply -mode=plan", "R"),
        ("own-go apply -mode plan", "R"),
        ("own-go apply -mode=all", "C"),
        ("own-go apply -mode $", "C"),
    ]);
}

#[test]
fn words_that_are_only_known_when_they_run() {
    check_own(&[
        ("$ x", "-"),
        ("own-svc $", "CWU"),
        ("own-svc $ nginx", "CWU"),
        ("own-svc st$ nginx", "CU"),
        ("own-svc stat$ nginx", "U"),
        ("own-svc is-$ nginx", "U"),
        ("own-svc status a$", "R"),
        // It may be `-e` or `--root`.
        ("own-svc status $", "U"),
        ("own-svc status -- $", "R"),
        ("own-svc status -- $*", "R"),
        ("own-svc status --ty$", "R"),
        ("own-svc status --r$", "U"),
        ("own-svc status --root=$", "U"),
        ("own-svc status -$", "U"),
        ("own-svc status --$", "U"),
        ("own-svc image $", "CU"),
        ("own-svc image x$", "C"),
        ("own-svc $* status", "CWU"),
        ("own-svc -t $ status", "R"),
        ("own-svc -t $* status", "CWU"),
        ("own-svc --ty$ status start", "U"),
        ("own-svc -x$ status", "U"),
        ("own-svc -t$ status", "R"),
        ("own-sort a$", "R"),
        ("own-sort $", "U"),
        ("own-sort $*", "U"),
        ("own-sort a$*", "U"),
        ("own-sort -- $*", "R"),
        ("own-sort -n$", "U"),
        ("own-sort -k$", "R"),
        ("own-sort -k $", "R"),
        ("own-sort -k $* x", "U"),
        ("own-sort --k$", "R"),
        ("own-sort --i$", "U"),
        ("own-sort -o $", "C"),
        ("own-rm $", "C"),
        ("own-rm a$*", "C"),
        ("own-verb $ status", "CU"),
        ("own-verb n$ status", "R"),
        ("own-verb n$ $", "CU"),
        ("own-ip a $", "CU"),
        ("own-ip address s $", "U"),
        ("own-ip address s dev e$", "R"),
        ("own-listed $", "U"),
        ("own-listed a$", "R"),
        ("own-listed -- $", "R"),
        // It may be an option that takes the dry run for its value.
        ("own-svc start a$* --dry-run", "CU"),
        ("own-svc start --m$ --dry-run", "C"),
        ("own-svc start --message=$ --dry-run", "R"),
        ("own-listed -f $", "C"),
    ]);
}

#[test]
fn short_words_count_as_the_strictest_that_they_may_be() {
    check_own(&[
        ("own-ip address", "R"),
        ("own-ip a", "R"),
        ("own-ip a show", "C"),
        ("own-ip addre s", "R"),
        ("own-ip a l", "R"),
        ("own-ip a add 1.2.3.4", "C"),
        ("own-ip l", "R"),
        ("own-ip link se", "C"),
        ("own-ip -family inet a l", "R"),
        ("own-ip -f inet a l", "U"),
        ("own-ip -4 a l", "U"),
        ("own-ip -b file", "U"),
        ("own-ip -ba file", "U"),
        ("own-ip netns e x reboot", "U"),
        ("own-ip n e x", "U"),
        ("own-ip ''", "U"),
    ]);
}

#[test]
fn programs_of_which_every_option_has_to_be_listed() {
    check_own(&[
        ("own-listed x", "R"),
        ("own-listed -a x", "R"),
        ("own-listed --al x", "R"),
        ("own-listed -ab x", "U"),
        ("own-listed --other=1 x", "U"),
        ("own-listed -f json", "R"),
        ("own-listed -fjson", "R"),
        ("own-listed -f text", "C"),
        ("own-go list -json", "R"),
    ]);
}

#[test]
fn help_alone_reads() {
    check_own(&[
        ("own-rm --help", "R"),
        ("own-svc --version", "R"),
        ("own-listed --help", "R"),
        ("own-rm --help x", "C"),
        ("own-rm -- --help", "C"),
        ("own-rm --help=x x", "C"),
        ("own-listed -h", "U"),
        ("own-svc start --help", "C"),
    ]);
}

#[test]
fn layers() {
    let admin = "[program.own-svc]\nmutating = ['status']\nread_only = ['--root']\n[program.own-sort]\nread_only=['*']";
    let catalog = Catalog { admin: Some(parse(admin).unwrap()), ..user(OWN) };
    check(
        &catalog,
        &[
            ("own-svc status", "C"),
            // A lower layer's dry run says nothing of a higher layer's entry.
            ("own-svc status --dry-run", "C"),
            ("own-svc start --dry-run", "R"),
            ("own-svc show --root x", "R"),
            ("own-svc show --write", "C"),
            // `*` stands for the options too.
            ("own-sort -o x", "R"),
            ("own-sort $*", "R"),
        ],
    );
    let hit = report(&catalog, &command("own-svc status")).unwrap().by.unwrap();
    assert_eq!(
        (hit.layer, hit.entry.as_str(), hit.key),
        (Layer::Admin, "[program.own-svc] mutating status", "mutating")
    );
    let hit = report(&catalog, &command("own-svc start -n")).unwrap().by.unwrap();
    assert_eq!((hit.layer, hit.entry.as_str(), hit.key), (Layer::User, "[program.own-svc] dry_run -n", "dry_run"));
    let hit = report(&catalog, &command("own-svc")).unwrap().by.unwrap();
    assert_eq!(hit.entry, "[program.own-svc] read_only \"\"");
    assert_eq!(report(&catalog, &command("own-svc frobnicate")).unwrap().by, None);
}

#[test]
fn the_project_only_makes_stricter() {
    let project = "[program.own-svc]\nread_only = ['start', 'edit', 'frobnicate', 'build']\nmutating = ['show', '-q']\n\
                   unknown = ['cat']\ndry_run = ['--yes']\nvalues = ['--write']\n[program.own-only-project]\nread_only = ['*']";
    let catalog = Catalog { project: Project::Read(parse(project).unwrap()), ..user(OWN) };
    check(
        &catalog,
        &[
            ("own-svc start", "C"),
            ("own-svc start --yes", "C"),
            ("own-svc edit", "U"),
            ("own-svc frobnicate", "U"),
            ("own-svc build", "W"),
            ("own-svc show", "C"),
            ("own-svc cat", "U"),
            ("own-svc status -q", "C"),
            ("own-svc status", "R"),
            ("own-only-project x", "-"),
        ],
    );
}

#[test]
fn what_a_human_said_alone() {
    let catalog = user(
        "[program.systemctl]\nread_only = ['restart', '--quiet']\nunknown = ['status']\n[program.own]\nread_only = ['*']\nmutating = ['x']",
    );
    for (text, expected) in [
        ("systemctl restart nginx", "R"),
        ("systemctl --quiet restart nginx", "R"),
        // The entry says nothing of this option.
        ("systemctl --frob restart nginx", "U"),
        ("systemctl restart --now nginx", "-"),
        ("systemctl restart $", "-"),
        ("systemctl status --frob nginx", "U"),
        ("systemctl start nginx", "-"),
        ("own anything --goes $*", "R"),
        ("own x", "C"),
        ("ls", "-"),
    ] {
        assert_eq!(letters(of_people(&catalog, &command(text)).as_ref()), expected, "{text}");
    }
    assert_eq!(of_people(&Catalog::default(), &command("systemctl restart x")), None);
}

#[test]
fn only_the_systems_folders_are_left_out_of_a_name() {
    check(
        &user(OWN),
        &[
            ("/usr/sbin/own-rm x", "C"),
            ("/usr/bin/own-svc status", "R"),
            ("./own-svc status", "-"),
            ("/tmp/own-svc status", "-"),
            ("/usr/bin/../../tmp/own-svc status", "-"),
        ],
    );
}

#[test]
fn hostile_words_are_cheap() {
    let mut command = command("own-ip a s");
    command.words.extend((0..20_000).map(|_| Word::from("-aaaaaaaaaaaaaaaaaaaaaaaa")));
    command.words.extend((0..20_000).map(|_| Word::unknown_many()));
    let start = std::time::Instant::now();
    assert_eq!(letters(report(&user(OWN), &command).as_ref()), "CU");
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
}
