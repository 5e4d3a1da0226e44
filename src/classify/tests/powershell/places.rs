//! Where scripts and files lie, and texts of other languages around PowerShell.

use super::{CMD, POWERSHELL, check, seen};

#[test]
fn where_scripts_lie() {
    check(
        POWERSHELL,
        &[
            ("cd sub; .\\reads.ps1", "mutating web01"),
            ("cd sub; . .\\reads.ps1", "mutating web01"),
            ("Set-Location .\\sub; cd ..; .\\reads.ps1", "read_only"),
            ("Set-Location /proj/sub; .\\other.ps1", "read_only"),
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
        ("Set-Content .\\sub\\x a", "/proj/sub/x", false),
        ("cd sub; 'a' > x", "/proj/sub/x", false),
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
