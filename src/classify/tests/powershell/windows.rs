//! Programs of Windows that name another machine, and what they do where they run.

use super::{CMD, POWERSHELL, check};

#[test]
fn what_else_names_another_machine() {
    check(
        POWERSHELL,
        &[
            ("net use Z: \\\\web01\\c$; rm Z:\\x", "mutating web01"),
            ("net use Z: /delete", "read_only"),
            ("net use; rm x", "read_only"),
            ("net use \\\\web01\\c$; rm C:\\x", "read_only"),
            ("net use * \\\\web01\\c$; rm Z:\\x", "unknown"),
            ("net use @x; rm Z:\\x", "unknown"),
            ("subst Z: \\\\web01\\c$; rm Z:\\x", "mutating web01"),
            ("subst Z: C:\\x; rm Z:\\x", "read_only"),
            ("New-Item -ItemType SymbolicLink -Path x -Target \\\\web01\\c$; rm x\\y", "mutating web01"),
            ("New-Item -ItemType $kind -Path x -Target \\\\web01\\c$", "mutating web01"),
            ("New-Item -ItemType Junction -Path x -Target $to", "unknown"),
            ("New-Item -ItemType File -Path x -Value '\\\\web01\\c$'", "read_only"),
            ("$p = @{}; $p.Add('ComputerName', 'web01'); Restart-Computer @p", "mutating web01"),
            ("$p = @{ComputerName='web01'}; $q = $p; $q.ComputerName = 'web02'; Restart-Computer @p", "unknown"),
            ("$p = @{}; $q = $p; $q.Add('ComputerName', 'web01'); Restart-Computer @p", "unknown"),
            ("$p = @{a=1}; $q = @{p=$p}; $q.p.Add('ComputerName', 'web01'); Restart-Computer @p", "unknown"),
            ("icm web01 { ([io.fileinfo]'C:\\x').Delete() }", "mutating web01"),
            ("icm web01 { [IO.DirectoryInfo]::new('C:\\x').Create() }", "mutating web01"),
            ("icm web01 { ([io.fileinfo]'C:\\x').IsReadOnly = $true }", "mutating web01"),
            ("([io.fileinfo]'\\\\web01\\c$\\x').Delete()", "mutating web01"),
            ("([io.fileinfo]'x').Delete(); ([io.fileinfo]'x').Length", "read_only"),
            ("Disconnect-VMNetworkAdapter -VMName web01", "mutating web01"),
            ("Connect-VMNetworkAdapter -VMName web01 -SwitchName x", "mutating web01"),
            ("icm web01 { Disconnect-VirtualDisk x }", "mutating web01"),
            ("icm web01 { Get-ClusterLog -Destination C:\\x }", "mutating web01"),
            ("Search-Mailbox x -DeleteContent", "unknown"),
            ("icm web01 { Get-GPOReport -All -ReportType Html }", "read_only"),
            ("icm web01 { Get-GPOReport -All -ReportType Html -Path C:\\x.html }", "mutating web01"),
            ("Get-GPOReport -All -ReportType Html -Path \\\\web01\\c$\\x.html", "mutating web01"),
            ("Disconnect-RDUser web01 2 -Force", "mutating web01"),
            ("Disconnect-RDUser -HostServer web01 -UnifiedSessionID 2", "mutating web01"),
            ("Invoke-RDUserLogoff -HostServer web01 -UnifiedSessionID 2", "mutating web01"),
            ("Disconnect-RDUser $x 2", "unknown"),
            ("curl.exe -o \\\\web01\\c$\\x https://example.com/x", "mutating web01"),
            ("curl.exe --output \\\\web01\\c$\\x https://example.com/x", "mutating web01"),
            ("iwr https://example.com/x -OutFile \\\\web01\\c$\\x", "mutating web01"),
        ],
    );
}

#[test]
fn machines_behind_switches() {
    check(
        CMD,
        &[
            ("iisreset web01 /restart", "mutating web01"),
            ("iisreset web01 /status", "read_only"),
            ("iisreset", "read_only"),
            ("logoff 2 /server:web01", "mutating web01"),
            ("reset session 2 /server:web01", "mutating web01"),
            ("w32tm /config /computer:web01 /update", "mutating web01"),
            ("nltest /server:web01 /sc_reset:dom", "mutating web01"),
            ("takeown /s web01 /f C:\\x", "mutating web01"),
            ("icacls \\\\web01\\c$\\x /grant a:F", "mutating web01"),
            ("expand a.cab \\\\web01\\c$\\b", "mutating web01"),
            ("icacls C:\\x /grant a:F", "read_only"),
            ("wmic /output:\\\\web01\\c$\\x os get name", "mutating web01"),
            ("wmic /output:x os get name", "read_only"),
            ("winrs -r:web01 wmic /output:C:\\x os get name", "mutating web01"),
            ("winrs -r:web01 wmic /output:clipboard os get name", "read_only"),
            ("winrs -r:web01 certutil -user -addstore Root x.cer", "mutating web01"),
            ("winrs -r:web01 certutil -f -store My", "read_only"),
            ("curl -o \\\\web01\\c$\\x https://example.com/x", "mutating web01"),
        ],
    );
}

#[test]
fn what_else_the_tables_hid() {
    check(
        CMD,
        &[
            ("dcdiag /s:web01 /fix", "mutating web01"),
            ("certutil -revoke 1 -config web01\\CA", "mutating web01"),
            ("robocopy a b /L /log:\\\\web01\\c$\\x", "mutating web01"),
            ("robocopy a b /L /unilog+:\\\\web01\\c$\\x", "mutating web01"),
            ("robocopy a b /save:\\\\web01\\c$\\x", "mutating web01"),
            ("schtasks /create /s web01 /tn x /tr \"net stop x\" /sc once /st 00:00", "mutating web01"),
            ("schtasks /create /tn x /xml x.xml", "unknown"),
            ("schtasks /change /tn x /tr \"shutdown /r /m \\\\web01\"", "mutating web01"),
            ("sort x /o %P%", "unknown"),
            ("bitsadmin /transfer x /upload http://web01/x C:\\x", "unknown"),
            ("wsl ls -la", "read_only"),
            ("wsl -d Ubuntu -u jo -- rm x", "read_only"),
            ("wsl ssh web01 reboot", "mutating web01"),
            ("wsl -e ssh web01 uptime", "read_only"),
            ("wsl -l -v", "read_only"),
            ("wsl bash -c \"ssh web01 reboot\"", "mutating web01"),
            ("wsl --unregister x", "unknown"),
        ],
    );
}

/// What can't be seen may be a path of another machine, or an object of one.
#[test]
fn what_is_not_seen() {
    check(
        POWERSHELL,
        &[
            ("Set-Item \"env:$x\" '\\\\web01\\c$'; rm $env:TEMP\\x", "unknown"),
            ("Set-Item \"variable:$x\" web01", "unknown"),
            ("reg add $k /v a /d 1", "unknown"),
            ("reg add HKLM\\x /v a /d $d", "read_only"),
            ("reg query $k", "read_only"),
            ("icacls $p /grant a:F", "unknown"),
            ("icacls \"$p\\x\" /grant a:F", "unknown"),
            ("icacls x /grant $u", "read_only"),
            ("takeown /f $p", "unknown"),
            ("auditpol /backup /file:$p", "unknown"),
            ("taskkill /pid $id /f", "read_only"),
            ("taskkill /s $h /pid 1", "unknown"),
            ("Stop-Service -Force $svc", "unknown"),
            ("Stop-Service $svc -Force", "unknown"),
            ("Stop-Service -Name $svc", "read_only"),
            ("Stop-Process -Id $id", "read_only"),
            ("Remove-WmiObject -Path $p", "unknown"),
            ("Restart-Service -Force -Name $n", "read_only"),
            ("New-NetFirewallRule -DisplayName $n -Action Allow", "read_only"),
            ("Get-Process | Where-Object Name -eq $n | Stop-Process -Force", "read_only"),
            ("sc.exe $h stop x", "unknown"),
            ("sc.exe stop $svc", "read_only"),
        ],
    );
}
