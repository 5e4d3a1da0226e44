//! Statements that PowerShell sends to SQL Server, by its cmdlets and by the programs.

use super::{POWERSHELL, check};

#[test]
fn statements_decide_at_the_server_that_is_named() {
    check(
        POWERSHELL,
        &[
            ("Invoke-Sqlcmd -ServerInstance db01 -Query 'SELECT 1'", "read_only"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Query 'DROP TABLE t'", "mutating db01"),
            ("invoke-sqlcmd 'DROP TABLE t' -serveri db01", "mutating db01"),
            ("Invoke-Sqlcmd -ServerInstance db01\\SQL -Query 'DROP TABLE t'", "mutating db01"),
            ("Invoke-Sqlcmd -ServerInstance 'tcp:db01,1433' -Query 'DROP TABLE t'", "mutating db01"),
            ("SqlServer\\Invoke-Sqlcmd -ServerInstance db01 -Query 'DROP TABLE t'", "mutating db01"),
            ("Invoke-Sqlcmd -Query 'DROP TABLE t'", "read_only"),
            ("Invoke-Sqlcmd -ServerInstance . -Query 'DROP TABLE t'", "read_only"),
            ("Invoke-Sqlcmd -ServerInstance $s -Query 'SELECT 1'", "read_only"),
            ("Invoke-Sqlcmd -ServerInstance $s -Query 'DROP TABLE t'", "unknown"),
            ("$s = 'db01'; Invoke-Sqlcmd -ServerInstance $s -Query 'DROP TABLE t'", "mutating db01"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Query $q", "unknown db01"),
            ("$q = @'\nSELECT 1\nGO\nDELETE FROM t\n'@\nInvoke-Sqlcmd -ServerInstance db01 -Query $q", "mutating db01"),
            ("$p = @{ ServerInstance = 'db01'; Query = 'DROP TABLE t' }; Invoke-Sqlcmd @p", "mutating db01"),
            ("Invoke-Sqlcmd @p", "unknown"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Query 'SELECT dbo.f(1)'", "unknown db01"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Query 'EXEC sp_who2'", "read_only"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Query 'SELECT $(x)' -Variable 'x=1'", "unknown db01"),
            ("Invoke-Sqlcmd -ServerInstance db01 -InputFile read.sql", "read_only"),
            ("Invoke-Sqlcmd -ServerInstance db01 -InputFile .\\change.sql", "mutating db01"),
            ("Invoke-Sqlcmd -ServerInstance db01 -InputFile none.sql", "unknown db01"),
            ("cd sub; Invoke-Sqlcmd -ServerInstance db01 -InputFile read.sql", "mutating db01"),
            ("'db01','db02' | % { Invoke-Sqlcmd -ServerInstance $_ -Query 'DELETE FROM t' }", "mutating db01,db02"),
            ("'db01' | Invoke-Sqlcmd -Query 'DELETE FROM t'", "unknown"),
            ("Invoke-Sqlcmd -ConnectionString 'Server=db01;Database=x' -Query 'DELETE FROM t'", "mutating db01"),
            (
                "Invoke-Sqlcmd -ConnectionString \"Data Source=tcp:db01,1433;Uid=x\" -Query 'DELETE FROM t'",
                "mutating db01",
            ),
            ("Invoke-Sqlcmd -ConnectionString $c -Query 'DELETE FROM t'", "unknown"),
            ("Invoke-Sqlcmd -ConnectionString 'Server=a;Server=db01' -Query 'DELETE FROM t'", "unknown"),
            ("Invoke-Sqlcmd -ConnectionString 'Server=db01;Failover Partner=db02' -Query 'DELETE FROM t'", "unknown"),
            ("cd SQLSERVER:\\SQL\\db01; Invoke-Sqlcmd -Query 'DELETE FROM t'", "unknown"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Query 'SELECT 1' -NewPassword x", "unknown db01"),
            ("Invoke-Sqlcmd -ServerInstance db01", "unknown db01"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Frob x -Query 'SELECT 1'", "unknown db01"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Query (Get-Content x.sql -Raw)", "unknown db01"),
            ("Invoke-Sqlcmd -ServerInstance db01 -Query 'SELECT a FROM t' | Format-Table", "read_only"),
            ("(Invoke-Sqlcmd -ServerInstance db01 -Query 'SELECT a FROM t').a | Restart-Computer", "unknown"),
            ("Invoke-Command web01 { Invoke-Sqlcmd -Query 'DELETE FROM t' }", "mutating web01"),
            ("Invoke-Command web01 { Invoke-Sqlcmd -Query 'SELECT 1' }", "read_only"),
            ("Invoke-Command web01 { Invoke-Sqlcmd -ServerInstance db01 -Query 'DELETE FROM t' }", "mutating db01"),
            ("function Invoke-Sqlcmd { Restart-Computer web01 }; Invoke-Sqlcmd -Query 'SELECT 1'", "mutating web01"),
        ],
    );
    check(
        POWERSHELL,
        &[
            ("Invoke-DbaQuery -SqlInstance db01 -Query 'SELECT 1'", "read_only"),
            ("Invoke-DbaQuery -SqlInstance db01,db02 -Query 'DELETE FROM t'", "mutating db01,db02"),
            ("Invoke-DbaQuery db01 'DELETE FROM t'", "mutating db01"),
            ("Invoke-DbaQuery -SqlInstance db01 -File change.sql", "mutating db01"),
            ("Invoke-DbaQuery -SqlInstance db01 -CommandType StoredProcedure -Query x", "mutating db01 +"),
            ("Invoke-DbaQuery -SqlInstance db01 -SqlObject $o", "unknown db01"),
            ("sqlcmd -S db01 -Q 'SELECT 1'", "read_only"),
            ("sqlcmd -S db01 -Q 'DROP TABLE t'", "mutating db01"),
            ("sqlcmd.exe -S db01 -i change.sql", "mutating db01"),
            (
                "& 'C:\\Program Files\\Microsoft SQL Server\\110\\Tools\\Binn\\sqlcmd.exe' -S db01 -Q 'DROP TABLE t'",
                "unknown",
            ),
            ("Invoke-Command web01 { sqlcmd -Q 'DROP TABLE t' }", "mutating web01"),
            ("Invoke-Command web01 { sqlcmd -E -Q 'SELECT 1' }", "read_only"),
        ],
    );
}
