//! PowerShell texts as calls: what the whole of one is, and which guests it names.

use crate::catalog::Catalog;
use crate::classify::Found;
use crate::classify::script::{self, Seen};
use crate::classify::targets::Places;
use crate::classify::walk::Place;
use crate::classify::{Surroundings, effect};
use std::collections::BTreeMap;

#[path = "powershell/everywhere.rs"]
mod everywhere;
#[path = "powershell/exceptions.rs"]
mod exceptions;
#[path = "powershell/facts.rs"]
mod facts;
#[path = "powershell/hidden.rs"]
mod hidden;
#[path = "powershell/hostile.rs"]
mod hostile;
#[path = "powershell/machines.rs"]
mod machines;
#[path = "powershell/names.rs"]
mod names;
#[path = "powershell/network.rs"]
mod network;
#[path = "powershell/places.rs"]
mod places;
#[path = "powershell/programs.rs"]
mod programs;
#[path = "powershell/properties.rs"]
mod properties;
#[path = "powershell/sql.rs"]
mod sql;
#[path = "powershell/values.rs"]
mod values;
#[path = "powershell/ways.rs"]
mod ways;
#[path = "powershell/windows.rs"]
mod windows;

struct Files(BTreeMap<&'static str, &'static str>);

impl Surroundings for Files {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        self.0.get(path).map_or(Found::Nothing, |text| Found::File(text.as_bytes().to_vec()))
    }

    fn home(&self) -> Option<String> {
        Some("/home/jo".into())
    }
}

fn seen(language: Option<effect::Language>, text: &str) -> Seen {
    let files = Files(BTreeMap::from([
        ("/proj/reads.ps1", "Get-Service\n"),
        ("/proj/reaches.ps1", "Invoke-Command -ComputerName web01 { Restart-Service W3SVC }\n"),
        ("/proj/helpers.ps1", "function Get-Thing { Restart-Computer -ComputerName web01 -Force }\n"),
        ("/proj/sub/reads.ps1", "Restart-Computer -ComputerName web01\n"),
        ("/proj/sub/other.ps1", "Get-Date\n"),
        ("/proj/read.sql", "SELECT name FROM sys.databases\nGO\n"),
        ("/proj/change.sql", "USE app\nGO\nDROP TABLE t\nGO\n"),
        ("/proj/sub/read.sql", "DROP TABLE t\n"),
        ("/proj/moves.ps1", "cd sub\n"),
        ("/proj/x.bat", "net stop spooler\r\nping web01\r\n"),
    ]));
    script::judge_in(
        language,
        &[text],
        &[Place::default()],
        Some("/proj"),
        &Catalog::default(),
        &Places::default(),
        &files,
    )
}

/// `read_only`, `mutating web01,web02`, `unknown web01`, and with a doubt `mutating web01 + web02`.
fn shown(seen: &Seen) -> String {
    let mut text = format!("{} {}", seen.verdict.name(), seen.targets.join(","));
    if let Some(doubt) = &seen.doubt {
        text.push_str(&format!(" + {}", doubt.targets.join(",")));
    }
    text.trim().to_owned()
}

fn check(language: Option<effect::Language>, cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let seen = seen(language, text);
            let got = shown(&seen);
            (got != *expected).then(|| format!("{text}\n  expected {expected}\n  got      {got}: {}", seen.reason))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n{} wrong", wrong.join("\n"), wrong.len());
}

/// The verdict with its guests; that something besides is in doubt doesn't matter here.
fn check_plain(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let seen = seen(POWERSHELL, text);
            let got = shown(&seen);
            let plain = got.split(" +").next().unwrap_or_default();
            (plain != *expected).then(|| format!("{text}\n  expected {expected}\n  got      {got}: {}", seen.reason))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n{} wrong", wrong.join("\n"), wrong.len());
}

const POWERSHELL: Option<effect::Language> = Some(effect::Language::PowerShell);
const CMD: Option<effect::Language> = Some(effect::Language::Cmd);

#[test]
fn what_reads_and_what_acts_here() {
    check(
        POWERSHELL,
        &[
            ("Get-Service", "read_only"),
            ("get-service | where Status -eq 'Running' | select Name, Status", "read_only"),
            ("Get-ChildItem -Recurse -Filter *.log | Measure-Object -Property Length -Sum", "read_only"),
            ("gci env:", "read_only"),
            ("Restart-Service W3SVC", "read_only"),
            ("rm -Recurse -Force build", "read_only"),
            ("Remove-Item .\\build -Recurse", "read_only"),
            ("Set-Content x.txt 'a'", "read_only"),
            ("'a' > x.txt", "read_only"),
            ("'a' | Out-File x.txt", "read_only"),
            ("Get-Content x.txt | Set-Content y.txt", "read_only"),
            ("$x = Get-Date; Write-Output \"now: $x\"", "read_only"),
            ("foreach ($i in 1..3) { Write-Host $i }", "read_only"),
            ("if (Test-Path x) { Remove-Item x } else { New-Item x -ItemType File }", "read_only"),
            ("try { Stop-Service x } catch { Write-Error $_ } finally { 'done' }", "read_only"),
            ("switch ($x) { 1 { 'a' } default { 'b' } }", "read_only"),
            ("git status", "read_only"),
            ("cargo test", "read_only"),
            ("npm run nothing-there", "unknown"),
            ("Get-Frobnication", "unknown"),
            ("Frobnicate-Service x", "unknown"),
            ("Invoke-Expression $x", "unknown"),
            ("iex 'Get-Date'", "read_only"),
            ("& $x", "unknown"),
            ("& 'git' status", "read_only"),
            ("& { Get-Date }", "read_only"),
            (". ./reads.ps1", "read_only"),
            (".\\reads.ps1", "read_only"),
            (".\\absent.ps1", "unknown"),
            (".\\reaches.ps1", "mutating web01"),
            ("powershell -File reaches.ps1", "mutating web01"),
            (". .\\helpers.ps1; Get-Thing", "mutating web01"),
            ("Import-Module ./helpers.ps1; Get-Thing", "mutating web01"),
            ("Add-Type -TypeDefinition 'class X {}'", "unknown"),
            ("[IO.File]::ReadAllText('x')", "read_only"),
            ("[IO.File]::Delete('x')", "read_only"),
            ("[Foo.Bar]::Baz()", "unknown"),
            ("[Diagnostics.Process]::Start('x')", "unknown"),
            ("[math]::Round(1.5)", "read_only"),
            ("(Get-Service x).Stop()", "read_only"),
            ("(Get-Date).AddDays(-1).ToString('yyyy')", "read_only"),
            ("$a = 'x'.Split(','); $a[0]", "read_only"),
            ("@{a=1; b='x'} | ConvertTo-Json", "read_only"),
            ("Get-Process | ForEach-Object { $_.Name }", "read_only"),
            ("Get-Process | % Frobnicate", "unknown"),
            ("1..3 | % { $_ * 2 }", "read_only"),
            ("Get-Content x.json | ConvertFrom-Json | Select-Object -ExpandProperty a", "read_only"),
            ("Start-Process notepad.exe", "unknown"),
            ("Invoke-WebRequest https://example.com", "read_only"),
            ("irm https://example.com -Method Post -Body x", "unknown example.com"),
            ("iwr https://example.com -OutFile x.zip", "read_only"),
        ],
    );
}
