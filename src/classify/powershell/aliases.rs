//! The aliases that PowerShell brings along. Pure.

/// Aliases and what each stands for. One with a `!` is not there on Linux and macOS (or not in every release), where a program
/// of that name runs.
const ALIASES: &str = "
gci get-childitem|ls! get-childitem|dir get-childitem|gc get-content|cat! get-content|type get-content
gi get-item|gp get-itemproperty|gpv get-itempropertyvalue|gl get-location|pwd get-location|gm get-member|gv get-variable
gal get-alias|gcm get-command|gdr get-psdrive|gcb get-clipboard|gps get-process|ps! get-process|gsv get-service
gjb get-job|ghy get-history|h get-history|history get-history|gu get-unique|gin get-computerinfo|gtz get-timezone
gwmi get-wmiobject|gcim get-ciminstance|gcms get-cimclass|gcai get-cimassociatedinstance|gcls get-cimclass|gerr get-error
gcs get-pscallstack|gbp get-psbreakpoint|gmo get-module|gsn get-pssession|gsnp get-pssnapin|gcb get-clipboard
ft format-table|fl format-list|fw format-wide|fc format-custom|fhx format-hex|oh out-host|select select-object
sort! sort-object|where where-object|? where-object|group group-object|measure measure-object|sls select-string
compare! compare-object|diff! compare-object|% foreach-object|foreach foreach-object
rm! remove-item|ri remove-item|del remove-item|erase remove-item|rd remove-item|rmdir! remove-item
rp remove-itemproperty|rv remove-variable|rbp remove-psbreakpoint|rdr remove-psdrive|rsn remove-pssession|rsnp remove-pssnapin
cp! copy-item|copy copy-item|cpi copy-item|cpp! copy-itemproperty|mv! move-item|move move-item|mi move-item
mp move-itemproperty|ren rename-item|rni rename-item|rnp rename-itemproperty|ni new-item|md new-item|mount! new-psdrive|ndr new-psdrive
si set-item|sp set-itemproperty|sc! set-content|sv set-variable|set set-variable|ac add-content|clc clear-content
cli clear-item|clp clear-itemproperty|clv clear-variable|iex invoke-expression|icm invoke-command|ii invoke-item
ihy invoke-history|r invoke-history|iwr invoke-webrequest|wget! invoke-webrequest|curl! invoke-webrequest
irm invoke-restmethod|saps start-process|start start-process|spps stop-process|kill! stop-process|sasv start-service
spsv stop-service|sajb start-job|spjb stop-job|rcjb receive-job|rjb remove-job|rujb resume-job|sujb suspend-job|wjb wait-job
nsn new-pssession|etsn enter-pssession|exsn exit-pssession|cnsn connect-pssession|dnsn disconnect-pssession
rcsn receive-pssession|ipsn import-pssession|epsn export-pssession|npssc new-pssessionconfigurationfile
sl set-location|cd set-location|chdir set-location|pushd push-location|popd pop-location|cls clear-host|clear! clear-host
clhy clear-history|echo write-output|write! write-output|sleep! start-sleep|nal new-alias|sal set-alias|nv new-variable
nmo new-module|ipmo import-module|rmo remove-module|ipcsv import-csv|epcsv export-csv|ipal import-alias|epal export-alias
tee! tee-object|oss out-string|ogv out-gridview|lp! out-printer|swmi set-wmiinstance|rwmi remove-wmiobject
iwmi invoke-wmimethod|icim invoke-cimmethod|rcim remove-ciminstance|scim set-ciminstance|ncim new-ciminstance
ncms new-cimsession|gcms get-cimsession|rcms remove-cimsession|rcie register-cimindicationevent|ncso new-cimsessionoption
man! get-help|help get-help|shcm show-command|scb set-clipboard|stz set-timezone|cvpa convert-path|rvpa resolve-path
asnp add-pssnapin|ebp enable-psbreakpoint|dbp disable-psbreakpoint|sbp set-psbreakpoint|trcm trace-command
upfd update-formatdata|uptd update-typedata|cfs convertfrom-string|cvpa convert-path|mkdir! new-item|ise! ise
";

/// No alias is longer.
const LONGEST: usize = 8;

/// The cmdlet for which an alias stands, and whether it may be a program instead.
pub(super) fn cmdlet(name: &str) -> Option<(&'static str, bool)> {
    if name.is_empty() || name.len() > LONGEST || name.contains(['|', '\n', ' ', '!']) {
        return None;
    }
    ["|", "\n"].iter().find_map(|before| {
        [" ", "! "].iter().find_map(|after| {
            let searched = [before, name, after].concat();
            let at = ALIASES.find(&searched)?;
            let rest = ALIASES.get(at + searched.len()..)?;
            let cmdlet = rest.split(['|', '\n']).next()?;
            (cmdlet != "ise").then_some((cmdlet, *after == "! "))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_alias_is_too_long_to_be_found() {
        for entry in ALIASES.split(['|', '\n']).filter(|entry| !entry.is_empty()) {
            let alias = entry.split([' ', '!']).next().unwrap_or_default();
            assert!(alias == "ise" || cmdlet(alias).is_some(), "{alias}");
        }
    }

    #[test]
    fn what_stands_for_what() {
        for (alias, expected) in [
            ("gc", Some(("get-content", false))),
            ("rm", Some(("remove-item", true))),
            ("%", Some(("foreach-object", false))),
            ("?", Some(("where-object", false))),
            ("md", Some(("new-item", false))),
            ("iex", Some(("invoke-expression", false))),
            ("kill", Some(("stop-process", true))),
            ("get-content", None),
            ("", None),
        ] {
            assert_eq!(cmdlet(alias), expected, "{alias}");
        }
    }
}
