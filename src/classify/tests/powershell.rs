//! PowerShell texts as calls: what the whole of one is, and which guests it names.

use crate::catalog::Catalog;
use crate::classify::Found;
use crate::classify::script::{self, Seen};
use crate::classify::targets::Places;
use crate::classify::walk::Place;
use crate::classify::{Surroundings, effect};
use std::collections::BTreeMap;

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
        ("/work/reads.ps1", "Get-Service\n"),
        ("/work/reaches.ps1", "Invoke-Command -ComputerName web01 { Restart-Service W3SVC }\n"),
        ("/work/helpers.ps1", "function Get-Thing { Restart-Computer -ComputerName web01 -Force }\n"),
        ("/work/sub/reads.ps1", "Restart-Computer -ComputerName web01\n"),
        ("/work/sub/other.ps1", "Get-Date\n"),
        ("/work/moves.ps1", "cd sub\n"),
        ("/work/x.bat", "net stop spooler\r\nping web01\r\n"),
    ]));
    script::judge_in(
        language,
        &[text],
        &[Place::default()],
        Some("/work"),
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

#[test]
fn what_runs_on_other_machines() {
    check(
        POWERSHELL,
        &[
            ("Invoke-Command -ComputerName web01 { Get-Service }", "read_only"),
            ("Invoke-Command -ComputerName web01 { Restart-Service W3SVC }", "mutating web01"),
            ("icm web01 { Restart-Service W3SVC }", "mutating web01"),
            ("icm -Comp web01,web02 -Scr { rm C:\\x }", "mutating web01,web02"),
            ("iNvOkE-cOmMaNd -cn web01 { ReStArT-sErViCe x }", "mutating web01"),
            ("$s = New-PSSession -ComputerName web01; Invoke-Command -Session $s { Stop-Service x }", "mutating web01"),
            (
                "$s = New-PSSession web01\nicm -Session $s -ScriptBlock { Get-Process }\nRemove-PSSession $s",
                "read_only",
            ),
            ("Invoke-Command -Session $s { Stop-Service x }", "unknown"),
            ("Invoke-Command -ComputerName $h { Stop-Service x }", "unknown"),
            ("$h = 'web01'; Invoke-Command -ComputerName $h { Stop-Service x }", "mutating web01"),
            ("foreach ($h in 'web01','web02') { Restart-Computer -ComputerName $h -Force }", "mutating web01,web02"),
            ("'web01','web02' | % { icm $_ { Stop-Service x } }", "mutating web01,web02"),
            ("'web01' | Restart-Computer -Force", "mutating web01"),
            ("Restart-Computer web01", "mutating web01"),
            ("Restart-Computer -Force web01", "mutating web01"),
            ("Restart-Computer -ComputerName web01 -WhatIf", "read_only"),
            ("Restart-Computer", "read_only"),
            ("Restart-Computer -ComputerName (Get-Content hosts.txt)", "unknown"),
            ("Import-Csv hosts.csv | Restart-Computer", "unknown"),
            ("Get-Service -ComputerName web01", "read_only"),
            ("Get-Service -ComputerName web01 x | Stop-Service", "mutating web01"),
            ("$svc = Get-Service -ComputerName web01 x; $svc.Stop()", "mutating web01"),
            ("$svc = Get-Service -ComputerName web01 x; Stop-Service $svc", "mutating web01"),
            ("Get-Service x | Restart-Service", "read_only"),
            ("Get-WmiObject Win32_Process -ComputerName web01 | Remove-WmiObject", "mutating web01"),
            ("(gwmi Win32_Process -ComputerName web01).Terminate()", "mutating web01"),
            ("Get-CimInstance Win32_OperatingSystem -ComputerName web01", "read_only"),
            (
                "$c = New-CimSession web01; Invoke-CimMethod -CimSession $c -ClassName Win32_Process -MethodName Create -Arguments @{CommandLine='x'}",
                "mutating web01",
            ),
            ("Invoke-CimMethod -ComputerName web01 -ClassName Win32_Process -MethodName GetOwner", "read_only"),
            ("Copy-Item x.txt -Destination C:\\ -ToSession (New-PSSession web01)", "mutating web01"),
            ("Copy-Item C:\\x.txt . -FromSession $s", "read_only"),
            ("Copy-Item x.txt \\\\web01\\c$\\temp", "mutating web01"),
            ("Copy-Item \\\\web01\\c$\\x.txt .", "read_only"),
            ("Remove-Item \\\\web01\\c$\\x", "mutating web01"),
            ("Remove-Item \"\\\\$h\\c$\\x\"", "unknown"),
            ("'x' > \\\\web01\\c$\\x.txt", "mutating web01"),
            ("[IO.File]::Delete('\\\\web01\\c$\\x')", "mutating web01"),
            ("New-PSDrive -Name Z -PSProvider FileSystem -Root \\\\web01\\c$; Remove-Item Z:\\x", "mutating web01"),
            ("cd \\\\web01\\c$; Remove-Item x", "mutating web01"),
            ("cd C:\\x; Remove-Item x", "read_only"),
            ("Enter-PSSession web01\nRestart-Service x\nExit-PSSession", "mutating web01"),
            ("Enter-PSSession -ComputerName web01", "read_only"),
            ("Invoke-Command -HostName root@web01 { rm /x }", "mutating web01"),
            ("Invoke-Command -VMName web01 { Stop-Service x }", "mutating web01"),
            ("Invoke-Command -ConnectionUri http://web01:5985/wsman { Stop-Service x }", "mutating web01"),
            ("Invoke-Command -ComputerName web01 -FilePath .\\reads.ps1", "read_only"),
            ("Invoke-Command -ComputerName web01 -FilePath .\\absent.ps1", "unknown web01"),
            ("Invoke-Command -ComputerName localhost { Stop-Service x }", "read_only"),
            ("Invoke-Command -ComputerName $env:COMPUTERNAME { Stop-Service x }", "read_only"),
            ("Invoke-Command { Stop-Service x }", "read_only"),
            ("$p = @{ComputerName='web01'; ScriptBlock={ Stop-Service x }}; Invoke-Command @p", "mutating web01"),
            ("Invoke-Command @p", "unknown"),
            ("$sb = { Stop-Service x }; Invoke-Command -ComputerName web01 -ScriptBlock $sb", "mutating web01"),
            ("Invoke-Command web01 { Invoke-Command web02 { Stop-Service x } }", "mutating web01,web02"),
            ("Stop-VM -Name web01", "mutating web01"),
            ("Stop-VM web01 -Force", "mutating web01"),
            ("Get-VM web01 | Stop-VM", "mutating web01"),
            ("Get-VM | Stop-VM", "unknown"),
            ("Get-VM", "read_only"),
            ("New-VM -Name x", "unknown"),
            ("Stop-AzVM -Name web01 -ResourceGroupName rg -Force", "mutating web01"),
            (
                "Invoke-AzVMRunCommand -VMName web01 -CommandId RunPowerShellScript -ScriptString 'Stop-Service x'",
                "mutating web01",
            ),
            ("Invoke-VMScript -VM web01 -ScriptType Bash -ScriptText 'systemctl restart nginx'", "mutating web01"),
            ("Invoke-VMScript -VM web01 -ScriptType Powershell -ScriptText 'Get-Date'", "read_only"),
            ("Set-ADUser jo -Title x", "unknown"),
            ("Get-ADUser jo", "read_only"),
            ("Set-ADUser jo -Title x -Server dc01", "mutating dc01"),
            ("icm dc01 { Set-ADUser jo -Title x }", "mutating dc01"),
            ("ssh web01 'systemctl restart nginx'", "mutating web01"),
            ("ssh web01 \"Restart-Service x\"", "unknown web01"),
            ("ssh web01 'powershell -Command Restart-Service x'", "mutating web01"),
            ("'systemctl restart nginx' | ssh web01 sh", "mutating web01"),
            ("winrs -r:web01 net stop w3svc", "mutating web01"),
            ("winrs -r:web01 ipconfig /all", "read_only"),
            ("psexec \\\\web01 cmd /c \"net stop w3svc\"", "mutating web01"),
            ("sc.exe \\\\web01 stop w3svc", "mutating web01"),
            ("shutdown /r /m \\\\web01", "mutating web01"),
            ("wmic /node:web01 process call create notepad", "mutating web01 + web01"),
            ("robocopy C:\\a \\\\web01\\c$\\b /MIR", "mutating web01"),
            ("robocopy \\\\web01\\c$\\b C:\\a", "read_only"),
            ("$PSDefaultParameterValues['*:ComputerName'] = 'web01'; Restart-Service x", "unknown"),
            ("schtasks /run /tn x /s web01", "mutating web01"),
            ("(Get-Item \\\\web01\\c$\\x).Delete()", "mutating web01"),
            ("ls \\\\web01\\c$\\x | Remove-Item", "mutating web01"),
            ("function f($h) { Invoke-Command $h { Stop-Service x } }; f web01", "mutating web01"),
            ("function Restart-Web { icm web01 { Stop-Service x } }\nRestart-Web", "mutating web01"),
            ("Set-Alias x Get-Date; x", "unknown"),
        ],
    );
}

/// Ways on which a change of another machine could look like one of this.
#[test]
fn what_hides_the_machine() {
    check(
        POWERSHELL,
        &[
            ("Get-ChildItem \"$dir\\x\" | Remove-Item", "unknown"),
            ("Get-ChildItem $env:TEMP -Filter *.tmp | Remove-Item", "read_only"),
            ("Remove-Item \"$PSScriptRoot\\x\"", "read_only"),
            ("Remove-Item $x", "unknown"),
            ("$d = Join-Path $HOME x; Remove-Item $d", "read_only"),
            ("([IO.FileInfo]'\\\\web01\\c$\\x').Delete()", "mutating web01"),
            ("(New-Object IO.FileInfo '\\\\web01\\c$\\x').Delete()", "mutating web01"),
            ("Invoke-WmiMethod -Path '\\\\web01\\root\\cimv2:Win32_Process' -Name Create", "mutating web01"),
            ("([wmiclass]'\\\\web01\\root\\cimv2:Win32_Process').Create('x')", "unknown"),
            ("net use Z: \\\\web01\\c$; del Z:\\x", "mutating web01"),
            ("New-SmbMapping -LocalPath Z: -RemotePath \\\\web01\\c$; del Z:\\x", "mutating web01"),
            ("tar -xf x.tar -C \\\\web01\\c$", "unknown"),
            ("icacls \\\\web01\\c$\\x /grant a:F", "mutating web01"),
            ("icacls \\\\web01\\c$\\x", "read_only"),
            ("New-Item -ItemType SymbolicLink -Path x -Value \\\\web01\\c$", "unknown"),
            ("New-Item -ItemType SymbolicLink -Path x -Value C:\\y", "read_only"),
            ("Copy-Item a C:\\ -To (New-PSSession web01)", "mutating web01"),
            ("New-Snapshot -VM web01 -Name before", "mutating web01"),
            ("Checkpoint-VM -Name web01 -SnapshotName before", "mutating web01"),
            ("Restore-VMSnapshot -VMName web01 -Name before -Confirm:$false", "mutating web01"),
            ("Get-VM web01 | Get-Snapshot | Remove-Snapshot", "mutating web01"),
            ("Stop-VM web*", "unknown"),
            ("icm hv01 { Stop-VM web01 }", "unknown hv01"),
            ("function rm { }; rm \\\\web01\\c$\\x", "mutating web01"),
            ("if ($a) { function Restart-Computer { } }; Restart-Computer web01", "mutating web01"),
            ("if ($a) { $h = 'localhost' } else { $h = 'web01' }; Restart-Computer $h", "unknown"),
            ("$h = 'localhost'; foreach ($i in 1..2) { Restart-Computer $h; $h = 'web01' }", "unknown"),
            ("$h = 'localhost'; 1..2 | % { Restart-Computer $h; $h = 'web01' }", "unknown"),
            ("$h = 'localhost'; function f { $script:h = 'web01' }; f; Restart-Computer $h", "unknown"),
            ("$h = 'localhost'; Get-Date -OutVariable h; Restart-Computer $h", "unknown"),
            ("$h = 'localhost'; Set-Variable h web01; Restart-Computer $h", "unknown"),
            ("$h = 'localhost'; [ref]$r = $h; Restart-Computer $r", "unknown"),
            ("$h, $i = 'localhost', 'web01'; Restart-Computer $i", "unknown"),
            ("$b = { Restart-Computer $h }; $h = 'web01'; $b.Invoke()", "mutating web01 +"),
            (
                "$s = New-PSSession web01; icm -Session $s { function Get-Date { rm x } }; icm -Session $s { Get-Date }",
                "unknown web01",
            ),
            ("Set-NetFirewallRule -PolicyStore corp\\gpo -Enabled True", "unknown"),
            ("Get-Process | % Name", "read_only"),
            ("${function:Get-Date} = { }; Get-Date", "unknown"),
            ("Set-Item function:Get-Date { }; Get-Date", "unknown"),
            ("Import-PSSession $s; Get-Date", "unknown"),
            ("$m = 'Dele' + 'te'; (Get-Item x).$m()", "unknown"),
            ("& ('Restart-' + 'Computer') web01", "mutating web01"),
            ("iex ('Restart-Computer ' + 'web01')", "mutating web01"),
            ("iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('eA==')))", "unknown"),
            ("\"web01\" | ForEach-Object -Parallel { Restart-Computer $_ }", "mutating web01"),
            ("Start-Process powershell -ArgumentList '-Command Restart-Computer web01'", "mutating web01"),
            ("Start-Job { Restart-Computer web01 }", "mutating web01"),
            ("cmd /c \"powershell -c Restart-Computer web01\"", "mutating web01"),
            ("sc.exe --% \\\\web01 stop x", "mutating web01"),
            ("Restart-Computer `\n  -ComputerName `\n  web01", "mutating web01"),
            ("$p = @{}; $p.ComputerName = 'web01'; Restart-Computer @p", "mutating web01"),
            ("class X { }; Get-Date", "unknown"),
            ("using module .\\x.psm1; Get-Date", "unknown"),
        ],
    );
}

#[test]
fn where_scripts_lie() {
    check(
        POWERSHELL,
        &[
            ("cd sub; .\\reads.ps1", "mutating web01"),
            ("cd sub; . .\\reads.ps1", "mutating web01"),
            ("Set-Location .\\sub; cd ..; .\\reads.ps1", "read_only"),
            ("Set-Location /work/sub; .\\other.ps1", "read_only"),
            ("Set-Location $x; .\\reads.ps1", "unknown"),
            ("if ($x) { cd sub }; .\\reads.ps1", "unknown"),
            ("foreach ($i in 1..2) { .\\reads.ps1; cd sub }", "unknown"),
            ("Push-Location sub; Pop-Location; .\\reads.ps1", "unknown"),
            (".\\moves.ps1; .\\reads.ps1", "unknown"),
            ("function f { cd sub }; f; .\\reads.ps1", "unknown"),
            ("icm web01 { cd C:\\x; Get-Date }; .\\reads.ps1", "read_only"),
            ("pwsh -WorkingDirectory sub -File reads.ps1", "mutating web01"),
            ("Start-Process pwsh '-File reads.ps1' -WorkingDirectory sub", "mutating web01"),
            ("Invoke-Command web02 -FilePath .\\sub\\other.ps1", "read_only"),
            ("cd sub; Invoke-Command web02 -FilePath .\\reads.ps1", "mutating web01"),
        ],
    );
    check(CMD, &[("cd sub & .\\x.bat", "unknown"), ("cd & .\\x.bat", "read_only")]);
    check(
        None,
        &[
            ("cd sub && pwsh -File reads.ps1", "mutating web01"),
            ("pwsh -c 'cd sub'; pwsh -File reads.ps1", "read_only"),
        ],
    );
}

/// The guard's own files are protected by what a text may change.
#[test]
fn what_is_touched() {
    for (text, path, whole) in [
        ("Set-Content ~/.config/x.toml a", "/home/jo/.config/x.toml", false),
        ("'a' > $HOME/.config/x.toml", "/home/jo/.config/x.toml", false),
        ("Set-Content .\\sub\\x a", "/work/sub/x", false),
        ("cd sub; 'a' > x", "/work/sub/x", false),
        ("Remove-Item -Recurse ~/.config", "/home/jo/.config", true),
        ("rm -Recurse -Force $HOME\\.config", "/home/jo/.config", true),
        ("Move-Item /etc/x /y", "/etc/x", true),
        ("[IO.File]::WriteAllText('/etc/x', 'y')", "/etc/x", false),
        ("chmod 777 /etc/x", "/etc/x", true),
        ("copy a /etc/x", "/etc/x", false),
    ] {
        let seen = seen(POWERSHELL, text);
        let touched = seen.touched.iter().any(|touched| touched.path == path && touched.whole == whole);
        assert!(touched, "{text}: {:?}", seen.touched);
    }
}

#[test]
fn cmd_text() {
    check(
        CMD,
        &[
            ("dir & type x.txt", "read_only"),
            ("net stop spooler", "read_only"),
            ("winrs -r:web01 \"net stop spooler\"", "mutating web01"),
            ("sc \\\\web01 stop x & echo done", "mutating web01"),
            ("n^et stop spooler && sc \\\\web01 qu^ery", "read_only"),
            ("copy x.txt \\\\web01\\c$\\", "mutating web01"),
            ("echo x > \\\\web01\\c$\\x.txt", "mutating web01"),
            ("echo x > x.txt 2>&1", "read_only"),
            ("%X% stop", "unknown"),
            ("if exist x (del x) else (shutdown /r /m \\\\web01)", "mutating web01"),
            ("for %i in (a b) do sc \\\\web01 stop %i", "mutating web01"),
            ("powershell -Command \"Restart-Computer web01\"", "mutating web01"),
            ("call x.bat", "unknown"),
            (".\\x.bat", "read_only"),
            ("rundll32 a,b", "unknown"),
        ],
    );
}

#[test]
fn from_a_shell() {
    check(
        None,
        &[
            ("pwsh -NoProfile -Command 'Get-Service'", "read_only"),
            ("pwsh -nop -noni -c 'Invoke-Command web01 { Stop-Service x }'", "mutating web01"),
            ("powershell.exe -ExecutionPolicy Bypass -File reaches.ps1", "mutating web01"),
            ("pwsh reaches.ps1", "mutating web01"),
            // Restart-Computer web01
            ("powershell -enc UgBlAHMAdABhAHIAdAAtAEMAbwBtAHAAdQB0AGUAcgAgAHcAZQBiADAAMQA=", "mutating web01"),
            ("powershell -EncodedCommand x!", "unknown"),
            ("echo 'Restart-Computer web01' | pwsh -Command -", "mutating web01"),
            ("pwsh", "read_only"),
            ("pwsh -c \"$X\"", "unknown"),
            ("ssh web01 powershell -Command Get-Service", "read_only"),
            ("ssh web01 'powershell -Command \"Restart-Service W3SVC\"'", "mutating web01"),
            ("ssh web01 cmd /c net stop w3svc", "mutating web01"),
            ("ssh web01 ipconfig /flushdns", "mutating web01"),
            ("ssh web01 ipconfig /all", "read_only"),
            ("ssh web01 schtasks /query", "read_only"),
            ("echo 'Stop-Service x' | evil-winrm -i web01 -u a -p b", "mutating web01"),
            ("evil-winrm -i web01 -u a -p b", "read_only"),
            ("psexec '\\\\web01' cmd /c 'net stop w3svc'", "mutating web01"),
        ],
    );
}

#[test]
fn what_reads_on_its_name_and_changes_all_the_same() {
    let changing = [
        "Format-Volume -DriveLetter D",
        "Get-Service x | Stop-Service",
        "Get-Content a | Set-Content b",
        "Get-Date | Tee-Object -FilePath x",
        "Get-Date | tee x",
        "Get-Date > x",
        "Get-Date 2>> x",
        "Get-Date *> x",
        "Get-Date | Out-File x",
        "Get-Process | Export-Csv x.csv",
        "Start-Transcript x",
        "Get-WindowsUpdateLog",
        "Get-WUInstall",
        "Get-WmiObject Win32_Product",
        "(Get-Service x).Stop()",
        "(Get-Process x).Kill()",
        "(Get-Item x).Delete()",
        "(Get-Item x).IsReadOnly = $true",
        "Test-ComputerSecureChannel -Repair",
        "Convert-VHD a b",
        "Limit-EventLog -LogName x -MaximumSize 1MB",
        "Clear-EventLog Application",
        "Merge-VHD a b",
        "Write-EventLog -LogName a -Source b -EventId 1 -Message c",
        "Set-ExecutionPolicy Bypass",
        "[Environment]::SetEnvironmentVariable('a', 'b', 'Machine')",
        "[IO.File]::WriteAllText('C:\\x', 'y')",
        "[IO.Directory]::CreateDirectory('C:\\x')",
        "[Microsoft.Win32.Registry]::SetValue('HKEY_LOCAL_MACHINE\\x', 'a', 1)",
        "Set-ItemProperty HKLM:\\Software\\x -Name a -Value 1",
        "New-Item -Path C:\\x -ItemType Directory",
        "mkdir C:\\x",
        "rm C:\\x -Recurse -Force",
        "ri C:\\x",
        "Rem`ove-Item C:\\x",
        "Microsoft.PowerShell.Management\\Remove-Item C:\\x",
        "Restart\u{2013}Service x",
        "Restart-Service \u{2013}Name x",
        "kill 12",
        "spsv x",
        "sc.exe stop x",
        "net stop x",
        "NET STOP x",
        "net user bob pw /add",
        "reg add HKLM\\Software\\x /v a /d 1 /f",
        "netsh advfirewall set allprofiles state off",
        "bcdedit /set testsigning on",
        "dism /online /enable-feature /featurename:x",
        "wevtutil cl Application",
        "ipconfig /flushdns",
        "route add 10.0.0.0 mask 255.0.0.0 10.0.0.1",
        "icacls C:\\x /grant a:F",
        "takeown /f C:\\x",
        "schtasks /create /tn a /tr b /sc daily",
        "vssadmin delete shadows /all /quiet",
        "iisreset",
        "shutdown /r /t 0",
        "taskkill /im x.exe /f",
        "wmic service where name='x' call stopservice",
        "fsutil file createnew C:\\x 10",
        "certutil -urlcache -f http://x/y z",
        "pnputil /add-driver x.inf",
        "setx A b",
        "robocopy a b",
        "w32tm /resync",
        "Get-Process | Where-Object { $_.Kill() }",
        "1 | % { Restart-Service x }",
        "Measure-Command { Restart-Service x }",
        "\"$(Restart-Service x)\"",
        "@\"\n$(Restart-Service x)\n\"@",
        "@(Restart-Service x)",
        "$x = Restart-Service x",
        "$x = @{ a = (Restart-Service x) }",
        "if ((Restart-Service x)) { }",
        "while ($false) { Restart-Service x }",
        "do { Restart-Service x } until ($true)",
        "for ($i = 0; $i -lt 3; $i++) { Restart-Service x }",
        "foreach ($i in (Restart-Service x)) { }",
        "switch (1) { 1 { Restart-Service x } }",
        "try { Restart-Service x } catch { }",
        "try { } finally { Restart-Service x }",
        "trap { Restart-Service x }; Get-Date",
        "function f { Restart-Service x }; f",
        "function f { param($a = $(Restart-Service x)) }; f",
        "filter f { Restart-Service x }; 1 | f",
        "& { Restart-Service x }",
        ". { Restart-Service x }",
        "$b = { Restart-Service x }; & $b",
        "& 'Restart-Service' x",
        "$c = 'Restart-Service'; & $c x",
        "Start-Job { Restart-Service x }",
        "Get-Date; Restart-Service x",
        "Get-Date && Restart-Service x",
        "Get-Date || Restart-Service x",
        "Get-Date `\n ; Restart-Service x",
        "Get-Date # a\nRestart-Service x",
        "<# a #> Restart-Service x",
        "iex 'Restart-Service x'",
        "'Restart-Service x' | iex",
        "powershell -c 'Restart-Service x'",
        "cmd /c net stop x",
        "cmd /c \"dir & net stop x\"",
        "Start-Process net -ArgumentList 'stop','x'",
        "Start-Process net 'stop x' -Verb RunAs",
        "Get-Date | Select-Object @{ n='a'; e={ Restart-Service x } }",
        "'a' -replace 'a', { Restart-Service x }",
        "@(1).ForEach({ Restart-Service x })",
        "return (Restart-Service x)",
        "[scriptblock]::Create('Restart-Service x').Invoke()",
        "Register-ObjectEvent $x Changed -Action { Restart-Service x }",
        "param([ValidateScript({ Restart-Service x })]$a) Get-Date",
        "process { Restart-Service x }",
        "Restart-Service x &",
        "(Restart-Service x).Status",
        "$y[(Restart-Service x)]",
        "${a b} = Restart-Service x",
        "Restart-Service x -WhatIf:$false",
        "Set-Service x -StartupType Disabled",
        "Enable-PSRemoting -Force",
        "Install-WindowsFeature Web-Server",
        "New-LocalUser bob",
        "Stop-Computer -Force",
        "Move-Item a b",
        "Rename-Item a b",
        "Expand-Archive a.zip b",
    ];
    let wrong: Vec<String> = changing
        .iter()
        .filter_map(|text| {
            // There it is a change, or at least a doubt; here it is nothing or a doubt.
            let quoted = text.to_owned();
            let there = seen(POWERSHELL, &format!("Invoke-Command -ComputerName web01 -ScriptBlock {{\n{quoted}\n}}"));
            (shown(&there) != "mutating web01").then(|| format!("{text}\n  {}: {}", shown(&there), there.reason))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n{} wrong", wrong.join("\n"), wrong.len());
}

#[test]
fn what_changes_on_its_name_and_reads_all_the_same() {
    let reading = [
        "Set-Location C:\\x",
        "cd C:\\x",
        "Set-Variable x 1",
        "$x = New-Object System.Collections.ArrayList; $x.Add(1)",
        "Write-Output x",
        "echo x",
        "Start-Sleep 1",
        "sleep 1",
        "Get-Date | Out-String",
        "Get-Date | Out-Null",
        "Import-Csv x.csv",
        "Import-Module ActiveDirectory",
        "Clear-Host",
        "Remove-Variable x",
        "Restart-Service x -WhatIf",
        "Remove-Item x -Wh",
        "New-TimeSpan -Days 1",
        "New-Guid",
        "Set-StrictMode -Version Latest",
        "Get-Date 2>$null",
        "Get-Date 2>&1",
        "Get-Date > $null",
        "$env:X = 'a'",
        "$ErrorActionPreference = 'Stop'",
        "Set-ExecutionPolicy Bypass -Scope Process",
        "Get-Process | Sort-Object CPU -Descending | Select-Object -First 10",
        "Get-Process | ? { $_.CPU -gt 10 } | ft Name, CPU -AutoSize",
        "gps | % { \"$($_.Name) $($_.Id)\" }",
        "Get-EventLog System -Newest 10",
        "Get-WinEvent -FilterHashtable @{ LogName='System'; Level=2 } -MaxEvents 5",
        "Get-CimInstance Win32_LogicalDisk | Select-Object DeviceID, @{n='GB'; e={ [math]::Round($_.FreeSpace/1GB, 1) }}",
        "Test-Path C:\\x",
        "Test-NetConnection web02 -Port 443",
        "Test-Connection web02 -Count 1",
        "Get-Content C:\\x.log -Tail 50 | Select-String error",
        "gc C:\\x.log | sls error",
        "Get-Service | Format-Table -AutoSize",
        "Get-NetTCPConnection -State Listen",
        "Get-NetIPAddress",
        "Get-NetFirewallRule -Enabled True",
        "Get-Volume; Get-Disk; Get-Partition",
        "Get-ItemProperty HKLM:\\Software\\Microsoft\\Windows\\CurrentVersion",
        "Get-ScheduledTask | Get-ScheduledTaskInfo",
        "Get-HotFix",
        "Get-WindowsFeature | Where-Object Installed",
        "Get-Acl C:\\x",
        "Get-FileHash C:\\x",
        "Get-LocalGroupMember Administrators",
        "systeminfo",
        "whoami /all",
        "hostname",
        "ipconfig /all",
        "net user",
        "net start",
        "net localgroup Administrators",
        "sc.exe query w3svc",
        "sc.exe qc w3svc",
        "reg query HKLM\\Software\\x",
        "netsh interface ip show config",
        "schtasks /query /fo LIST /v",
        "tasklist /svc",
        "wevtutil qe System /c:5 /f:text",
        "bcdedit /enum",
        "dism /online /get-features",
        "vssadmin list shadows",
        "icacls C:\\x",
        "netstat -ano",
        "route print",
        "arp -a",
        "nslookup web02",
        "w32tm /query /status",
        "powercfg /list",
        "wmic os get caption",
        "fsutil volume diskfree C:",
        "certutil -hashfile C:\\x SHA256",
        "quser",
        "gpresult /r",
        "manage-bde -status",
        "iisreset /status",
        "robocopy a b /L",
        "cmd /c dir",
        "cmd /c \"type C:\\x.txt | findstr error\"",
        "powershell -NoProfile -Command Get-Service",
        "[Environment]::OSVersion.Version",
        "[System.Net.Dns]::GetHostEntry('web02')",
        "(Get-Item C:\\x).Length",
        "(Get-Date).ToString('o')",
        "$x = 1; while ($x -lt 3) { $x++ }",
        "'a,b'.Split(',') -join ';'",
        "\"a\" -match 'b' -and $true",
        "$true ? 'a' : 'b'",
        "$a ?? 'b'",
        "@'\nRestart-Service x\n'@",
        "'Restart-Service x'",
        "# Restart-Service x",
        "<# Restart-Service x #>",
        "Write-Host 'Restart-Service x'",
        "function f { Restart-Service x }; Get-Date",
        "param([string]$Name = 'x', [switch]$Force) Get-Service $Name",
        "[CmdletBinding()] param([Parameter(Mandatory=$true)][string]$Name) Get-Service $Name",
        "try { Get-Date } catch [System.Exception] { $_.Exception.Message }",
        "switch -Regex ('a') { '^a' { 'x' } default { 'y' } }",
        "Get-ChildItem C:\\x -Recurse | Group-Object Extension | Sort-Object Count",
        "$h = @{}; $h['a'] = 1; $h.b = 2; $h.Keys",
        "[pscustomobject]@{ a = 1 } | Format-List",
        "Get-Command Get-Date; Get-Help Get-Date",
        "Get-Service -Name 'w3*' | Select-Object -ExpandProperty Status",
        "Invoke-WebRequest http://localhost -UseBasicParsing | Select-Object StatusCode",
        "(Invoke-WebRequest http://localhost).StatusCode",
        "Get-SmbShare; Get-SmbSession",
        "Get-DnsClientServerAddress; Resolve-DnsName web02",
        "Get-Counter '\\Processor(_Total)\\% Processor Time'",
        "Get-IISSite; Get-Website; Get-WebBinding",
        "Get-Cluster; Get-ClusterNode; Get-ClusterResource",
        "Get-ADUser -Filter * | Measure-Object",
        "1..5 | ForEach-Object { Test-Connection \"web0$_\" -Count 1 -Quiet }",
        "$PSVersionTable.PSVersion",
        "Get-Process -Id $PID",
    ];
    let wrong: Vec<String> = reading
        .iter()
        .filter_map(|text| {
            let there = seen(POWERSHELL, &format!("Invoke-Command -ComputerName web01 -ScriptBlock {{\n{text}\n}}"));
            (shown(&there) != "read_only").then(|| format!("{text}\n  {}: {}", shown(&there), there.reason))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n{} wrong", wrong.join("\n"), wrong.len());
}

/// Texts that shall not take long, end the process, or be let pass by their size.
#[test]
fn hostile_texts() {
    let many = |text: &str, times: usize| text.repeat(times);
    let nest = |open: &str, close: &str, times: usize| {
        format!("{}Restart-Computer web01{}", many(open, times), many(close, times))
    };
    let mut texts = vec![
        nest("(", ")", 10_000),
        nest("& { ", " }", 8_000),
        nest("\"$(", ")\"", 8_000),
        nest("if (1) { ", " }", 3_000),
        nest("@{a=", "}", 8_000),
        nest("iex '", "'", 3_000),
        nest("-not ", "", 9_000),
        nest("[int]", "", 9_000),
        nest("!", "", 60_000),
        nest(",", "", 60_000),
        nest("function f { ", " }", 3_000),
        many("Restart-Computer web01;", 2_800),
        many("$a = $a + 'x';", 4_000),
        many("$x;", 20_000),
        many("a,", 30_000),
        many("a|", 30_000),
        many("%", 60_000),
        many("\"", 60_001),
        many("'", 60_001),
        many("`", 60_001),
        many("@'\n", 20_000),
        many("<#", 30_000),
        many("$(", 30_000),
        many("{", 60_000),
        many("}", 60_000),
        many("[", 60_000),
        many("$x.", 20_000),
        many("x.y(", 15_000),
        many("a > b ", 10_000),
        many("% { ", 15_000),
        many("-a ", 20_000),
        many("--% ", 15_000),
        many("\u{1F600}", 16_000),
        many("x", 70_000),
        format!("x{}", "\u{2013}".repeat(20_000)),
        "function f { g }; function g { f }; f".to_owned(),
        "function f { f; f }; f".to_owned(),
        (0..30).map(|nr| format!("function f{nr} {{ f{}; f{} }}\n", nr + 1, nr + 1)).collect::<String>() + "f0",
        (0..12).map(|nr| format!("$b{} = {{ & $b{nr}; & $b{nr} }}\n", nr + 1)).collect::<String>() + "& $b12",
        format!("$a = 'x'; {}", many("$a = \"$a$a\"; ", 40)),
        format!("$a = @(1); {}", many("$a = $a, $a; ", 40)),
        many("$s = New-PSSession web01; ", 2_400),
        many("foreach ($a in $a) { ", 500),
        format!("$p = @{{}}; {}", many("$p.a = $p; ", 60)),
        format!("$x = 1; {}", (0..3_000).map(|nr| format!("$v{nr} = $x; ")).collect::<String>()),
    ];
    for text in [
        "", "\u{feff}", "\u{0}", "$", "@", "&", ".", "-", "&&", "|", "=", "`", "#", "[", "]", "::", "$x =", "x >",
        "@{", "param(", "if", "if (", "& ", ". ", "%", "?",
    ] {
        texts.push(text.to_owned());
    }
    for text in texts {
        for language in [POWERSHELL, CMD, None] {
            let begun = std::time::Instant::now();
            let all = match language {
                None => format!("pwsh -Command {}", crate::text::shell_word(&text)),
                _ => text.clone(),
            };
            let seen = seen(language, &all);
            let short: String = text.chars().take(60).collect();
            assert!(begun.elapsed() < std::time::Duration::from_secs(6), "{short}: {:?}", begun.elapsed());
            if language == POWERSHELL && text.contains("Restart-Computer web01") {
                assert_ne!(seen.verdict, crate::classify::Verdict::ReadOnly, "{short}");
            }
        }
    }
}

mod properties {
    use super::*;
    use crate::classify::Verdict;
    use proptest::prelude::*;

    const AROUND: &[&str] = &[
        "X",
        "Get-Date; X",
        "X; Get-Date",
        "if ($a) { X }",
        "foreach ($i in 1..3) { X }",
        "& { X }",
        "function f { X }; f",
        "try { X } catch { }",
        "$r = X",
        "X | Out-Null",
        "X # a",
        "(X)",
        "\"$(X)\"",
        "1 | % { X }",
        "Start-Job { X }",
        "$b = { X }; & $b",
        "switch (1) { 1 { X } }",
        "Get-Date && X",
        "@{ a = (X) }",
        "do { X } while ($a)",
        "icm localhost { X }",
        "Measure-Command { X }",
        "while ($a) { X; break }",
        "param($a) X",
        "X 2>&1",
        "@(X)",
        "return X",
        "trap { }; X",
        "<# a #> X",
        "Get-Date `\n; X",
    ];

    const WORDS: &[&str] = &[
        "$x",
        "$h",
        "=",
        "'web01'",
        "\"$x\"",
        "{",
        "}",
        "(",
        ")",
        "$(",
        "@(",
        "@{",
        "if",
        "else",
        "foreach",
        "in",
        "function",
        "f",
        "return",
        "&",
        ".",
        "|",
        "&&",
        "||",
        ";",
        "\n",
        ",",
        "-eq",
        "-not",
        "-f",
        "+",
        "[int]",
        "[string]",
        "::",
        ".Trim()",
        ".ForEach",
        "[0]",
        "%",
        "?",
        "iex",
        "icm",
        "gc",
        "rm",
        "Get-Date",
        "Get-Service",
        "Where-Object",
        "-ComputerName",
        "-Session",
        "-Path:",
        "localhost",
        "1",
        "..",
        "x",
        ">",
        "2>&1",
        "$null",
        "$_",
        "$env:X",
        "param(",
        "try",
        "catch",
        "switch",
        "while",
        "do",
        "--%",
        "`",
        "#",
        "@x",
        "!",
        "++",
        "$true",
        "exit",
        "throw",
        "trap",
        "process",
        "\\\\web01\\c$\\x",
        "C:\\x",
        "New-PSSession",
        "cmd /c",
        "sc.exe",
    ];

    const WHAT: &[&str] = &[
        "Restart-Computer web01 -Force",
        "Invoke-Command -ComputerName web01 { Stop-Service x }",
        "Remove-Item \\\\web01\\c$\\x",
        "Copy-Item a \\\\web01\\c$\\b",
        "sc.exe \\\\web01 stop x",
        "Get-Service x -ComputerName web01 | Stop-Service",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Nothing around a change hides it.
        #[test]
        fn nothing_hides_a_change(what in 0..WHAT.len(), one in 0..AROUND.len(), two in 0..AROUND.len()) {
            let text = AROUND[one].replace('X', &AROUND[two].replace('X', WHAT[what]));
            let seen = seen(POWERSHELL, &text);
            prop_assert!(seen.verdict == Verdict::Mutating && seen.targets.contains(&"web01".to_owned()) || seen.verdict == Verdict::Unknown,
                "{text}: {} {:?}", shown(&seen), seen.reason);
            prop_assert_ne!(seen.verdict, Verdict::ReadOnly);
        }

        /// However its words are put together.
        #[test]
        fn any_words_are_judged(words in proptest::collection::vec(0..WORDS.len(), 1..10), gaps in any::<u16>()) {
            let mut text = String::new();
            for (nr, word) in words.iter().enumerate() {
                text.push_str(WORDS[*word]);
                if gaps >> (nr % 16) & 1 == 1 {
                    text.push(' ');
                }
            }
            let alone = seen(POWERSHELL, &text);
            let more = seen(POWERSHELL, &format!("{text}\n;Restart-Computer web01"));
            let hides = ["#", "@'", "@\"", "--%"].iter().any(|part| text.contains(part));
            if alone.verdict == Verdict::ReadOnly && !hides && !text.ends_with('`') {
                prop_assert_ne!(more.verdict, Verdict::ReadOnly, "{}", text);
            }
            seen(CMD, &text);
        }

        /// Any text is judged, and one that is not understood is not let pass for what stands behind it.
        #[test]
        fn any_text_is_judged(text in "[-a-zA-Z$@(){}\\[\\]'\"`;|&.,:=<>% \\n0-9]{0,40}") {
            let alone = seen(POWERSHELL, &text);
            let more = seen(POWERSHELL, &format!("{text}\nRestart-Computer web01"));
            let hides = ["#", "@'", "@\""].iter().any(|part| text.contains(part));
            if alone.verdict == Verdict::ReadOnly && !hides && !text.trim_end().ends_with(['`', '|', ',', '&', '=']) {
                prop_assert_ne!(more.verdict, Verdict::ReadOnly, "{}", text);
            }
            seen(CMD, &text);
        }
    }
}
