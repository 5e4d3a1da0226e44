//! What is known of cmdlets by their names: verbs, the nouns that exist, and what doesn't do as its verb says. Pure.

/// What a cmdlet does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Reads, or changes nothing but the session.
    Reads,
    /// Changes the machine on which it runs, or the one it is given.
    Changes,
    /// Changes something that a service keeps: a domain, a cloud, a hypervisor.
    ChangesElsewhere,
    /// Changes a virtual machine.
    ChangesVm,
    /// Nobody knows it, or it runs what it is given.
    Unknown,
}

/// Verbs that read, and those that only change the session.
const READING: &str = " \
    find format get join search select show skip split watch enter exit pop push step switch compare convert \
    convertfrom convertto group assert wait measure ping resolve test trace debug connect disconnect read \
    receive write use sort where ";

/// Verbs that change something.
const CHANGING: &str = " \
    add clear close copy hide lock move new open optimize redo remove rename reset resize set undo unlock \
    backup checkpoint compress dismount edit expand export import initialize limit merge mount out publish \
    restore save sync unpublish update approve build complete confirm deny deploy disable enable install invoke \
    register request restart resume start stop submit suspend uninstall unregister repair send block grant \
    protect revoke unblock unprotect ";

/// Cmdlets that don't do as their verbs say, but read or change only the session.
const READS: &str = " \
    set-location set-strictmode set-psdebug set-psbreakpoint set-psreadlineoption set-psreadlinekeyhandler \
    set-tracesource set-clipboard set-pssessionoption new-object new-timespan new-guid new-event \
    new-pssessionoption new-cimsessionoption new-psrolecapabilityfile new-scheduledtaskaction \
    new-scheduledtasktrigger new-scheduledtaskprincipal new-scheduledtasksettingsset new-scheduledtask \
    new-jobtrigger new-scheduledjoboption new-pstransportoption clear-host clear-history \
    clear-variable remove-variable remove-module remove-pssession remove-cimsession remove-job remove-event \
    remove-typedata remove-psdrive remove-psbreakpoint remove-pssnapin unregister-event start-sleep \
    start-transaction stop-transcript stop-job suspend-job resume-job enable-psbreakpoint disable-psbreakpoint \
    add-member add-history add-pssnapin out-null out-string out-host out-default out-gridview update-typedata \
    update-formatdata update-list import-csv import-clixml import-localizeddata import-powershelldatafile \
    export-modulemember write-output write-host write-verbose write-warning write-error \
    write-debug write-information write-progress read-host get-credential test-modulemanifest get-help \
    get-command compare-object protect-cmsmessage unprotect-cmsmessage \
    register-argumentcompleter get-psreadlineoption wait-event wait-job wait-process wait-debugger \
    register-objectevent register-engineevent register-wmievent register-cimindicationevent assert-verifiablemock push-location pop-location connect-pssession disconnect-pssession receive-job \
    exit-pssession connect-viserver disconnect-viserver connect-azaccount disconnect-azaccount \
    connect-zertoserver disconnect-zertoserver connect-mggraph disconnect-mggraph connect-exchangeonline \
    disconnect-exchangeonline set-azcontext select-azcontext test-dscconfiguration get-dscconfiguration ";

/// Cmdlets whose verbs say that they read, and that change the machine.
const CHANGES: &str = " \
    connect-virtualdisk disconnect-virtualdisk get-clusterlog split-windowsimage connect-printer connect-vpns2sinterface \
    invoke-rduserlogoff send-rdusermessage disconnect-vpns2sinterface write-volume convert-partition disconnect-rduser format-volume get-wuinstall out-file out-printer convert-vhd convert-disk convert-physicaldisk \
    write-eventlog write-volumecache debug-process get-windowsupdatelog switch-certificate \
    test-cluster use-windowsunattend join-domain connect-iscsitarget disconnect-iscsitarget read-s3object mkdir \
    ";

/// Cmdlets that run what they are given, or do what can't be told.
const UNKNOWN: &str = " \
    search-mailbox show-command import-pssession new-webserviceproxy new-module add-type invoke-expression invoke-item invoke-history invoke-pester debug-runspace \
    invoke-asworkflow enter-pshostprocess receive-pssession import-dscresource invoke-gpscript \
    invoke-build invoke-psake invoke-plaster install-packageprovider use-transaction debug-job invoke-parallel ";

/// Nouns of the modules that Windows and PowerShell bring along, and of common ones, in the singular.
const HERE: &str = " \
    table wide custom hex networkinterface smbserverclient windowssearch acl alias authenticodesignature autologgerconfig bitlockervolume bitlockerkeyprotector bitstransfer \
    bitsfile calendar certificate certificaterequest certificateenrollmentpolicyserver \
    certificateautoenrollmentpolicy certificatenotificationtask childitem cimassociatedinstance cimclass \
    ciminstance cimsession cimindicationevent clixml clipboard cmsmessage command computer computerinfo \
    computermachinepassword computerrestore computerrestorepoint computersecurechannel connection content \
    controlpanelitem counter credential csv culture customobject date deliveryoptimizationlog \
    deliveryoptimizationstatus device dnsclient dnsclientcache dnsclientglobalsetting dnsclientnrptrule \
    dnsclientserveraddress dnsclientdohserveraddress dnsname disk diskimage diskstoragenodeview \
    dscconfigurationstatus dscresource error errorrecord \
    etwtraceprovider etwtracesession event eventlog eventprovider eventsubscriber executionpolicy \
    experimentalfeature fileacl filehash fileintegrity formatdata gpupdate help history host hotfix html \
    hypervisor initiatorid initiatorport installedmodule installedscript iscsiconnection iscsisession \
    iscsitarget iscsitargetportal iscsichapsecret item itemproperty itempropertyvalue job json list localgroup \
    localgroupmember localuser location member markdown maskingset module modulemanifest mpcomputerstatus \
    mppreference mpscan mpsignature mpthreat mpthreatcatalog mpthreatdetection mpwdoscan msmqqueue netadapter \
    netadapteradvancedproperty netadapterbinding netadapterchecksumoffload netadapterhardwareinfo netadapterlso \
    netadapterpowermanagement netadapterqos netadapterrdma netadapterrss netadaptersriov netadapterstatistics \
    netadaptervmq netadaptervport netconnectionprofile neteventsession netfirewallrule netfirewallprofile \
    netfirewallsetting netfirewalladdressfilter netfirewallapplicationfilter netfirewallportfilter \
    netfirewallservicefilter netfirewallinterfacefilter netfirewallsecurityfilter \
    netfirewalldynamickeywordaddress netipaddress netipconfiguration netipinterface netiphttpsconfiguration \
    netipsecrule netipsecmainmoderule netipsecquickmodesa netipsecmainmodesa netipv4protocol netipv6protocol \
    netisatapconfiguration netlbfoteam netlbfoteammember netlbfoteamnic netnat netnatstaticmapping netneighbor \
    netoffloadglobalsetting netprefixpolicy netqospolicy netroute netcompartment netswitchteam nettcpconnection \
    nettcpsetting nettransportfilter netudpendpoint netudpsetting netteredoconfiguration \
    netadapterencapsulatedpackettaskoffload netview netconnection null object odbcdriver odbcdsn \
    odbcperfcounter package packageprovider packagesource partition partitionsupportedsize supportedsize path \
    physicaldisk physicalextent pmemdisk pnpdevice pnpdeviceproperty prefetch printer printerdriver printerport \
    printjob printconfiguration printerproperty process processmitigation provisioningpackage psbreakpoint \
    pscallstack psdrive pshostprocessinfo psprovider psreadlineoption psreadlinekeyhandler psremoting \
    psresource psresourcerepository psrepository pssession pssessioncapability pssessionconfiguration pssnapin \
    random recyclebin reliabilitycounter runspace runspacedebug scheduledjob scheduledjoboption jobtrigger \
    scheduledtask scheduledtaskinfo clusteredscheduledtask script scriptfileinfo secret secretinfo secretvault \
    securebootuefi securebootpolicy securestring service smbbandwidthlimit smbclientaccesstoserver \
    smbclientconfiguration smbclientnetworkinterface smbconnection smbdelegation smbglobalmapping smbmapping \
    smbmultichannelconnection smbmultichannelconstraint smbopenfile smbserverconfiguration smbsession smbshare \
    smbshareaccess smbpathacl smbwitnessclient startapp startlayout storageadvancedproperty \
    storagediagnosticinfo storageenclosure storagefaultdomain storagefirmwareinformation storagehealthreport \
    storagejob storagenode storagepool storageprovider storagereliabilitycounter storagesetting \
    storagesubsystem storagetier resiliencysetting string stringdata systemlanguage systempreferreduilanguage \
    timespan timezone tlsciphersuite tlseccurve tpm tpmendorsementkeyinfo tpmsupportedfeature tracesource \
    transaction transcript troubleshootingpack trustedprovisioningcertificate typedata uiculture unique uptime \
    uefi variable vhd vhdset verb virtualdisk virtualdisksupportedsize volume volumecorruptioncount \
    volumescrubpolicy vpnconnection vpnconnectiontrigger vpns2sinterface wheamemorypolicy windowscapability \
    windowsdeveloperlicense windowsdriver windowsedition windowserrorreporting windowsfeature windowsimage \
    windowsimagecontent windowsoptionalfeature windowspackage windowsreservedstoragestate windowssearchsetting \
    windowsupdate windowsupdatelog wuhistory wulist wuinstall wuinstallerstatus wurebootstatus wusettings \
    winevent winacceptlanguagefromlanguagelistoptout winculturefromlanguagelistoptout \
    windefaultinputmethodoverride winhomelocation winlanguagebaroption winsystemlocale winuilanguageoverride \
    winuserlanguagelist wmiobject wmievent wmiinstance wmimethod wsmancredssp wsmaninstance wsmanquickconfig \
    wsmansessionoption wsman xml appxpackage appxpackagemanifest appxprovisionedpackage appxvolume \
    appbackgroundtask appvclientpackage applockerpolicy applockerfileinformation archive assignedaccess bcdata \
    bccache bcstatus bchashcache branchcache dacl dataduplication dedupjob dedupmetadata dedupschedule \
    dedupstatus dedupvolume iisapppool iisconfigsection iisserver iissite iissitebinding webapplication \
    webapppoolstate webapppool webbinding webconfiguration webconfigurationlocation webconfigurationproperty \
    webconfigfile webfilepath webglobalmodule webhandler webitemstate webmanagedmodule webrequest \
    webrequesttracing website websitestate webstate weburl webvirtualdirectory webftpsite dnsserver \
    dnsserverzone dnsserverprimaryzone dnsserversecondaryzone dnsserverresourcerecord dnsserverresourcerecorda \
    dnsserverresourcerecordaaaa dnsserverresourcerecordcname dnsserverresourcerecordmx \
    dnsserverresourcerecordptr dnsserverforwarder dnsserverconditionalforwarderzone dnsservercache \
    dnsserverstatistics dnsserverdiagnostics dnsserverscavenging dnsserversetting dnsserverstubzone \
    dnsserverroothint dnsserverrecursion dnsserverzoneaging dnsserverzonetransfer \
    dnsserverqueryresolutionpolicy dhcpserverv4scope dhcpserverv4lease dhcpserverv4reservation \
    dhcpserverv4optionvalue dhcpserverv4exclusionrange dhcpserverv4failover dhcpserverv4statistics \
    dhcpserverv4scopestatistics dhcpserverv4filter dhcpserverv4freeipaddress dhcpserverv4policy \
    dhcpserverv4binding dhcpserverv4class dhcpserverv6scope dhcpserverv6lease dhcpserverv6reservation \
    dhcpserversetting dhcpserverdatabase dhcpserverauditlog dhcpserver dhcpserverversion \
    dhcpserverv4dnssetting dfsnroot dfsnfolder dfsnfoldertarget dfsnroottarget dfsnaccess \
    dfsrbacklog dfsrstate fsrmquota fsrmfilescreen fsrmfilegroup \
    fsrmquotatemplate fsrmclassification fsrmstoragereport nfsshare nfssharepermission nfsserverconfiguration \
    nfssession nfsclientconfiguration nfsmappingstore \
    wbpolicy wbsummary wbbackupset wbjob wbdisk wbvolume wbbackup wbfilerecovery wbvolumerecovery \
    wbsystemstaterecovery \
    hgsserver hnsnetwork \
    sqldatabase sqlinstance sqlagent sqlagentjob sqlagentjobhistory sqlagentschedule sqlbackuphistory \
    sqlerrorlog sqllogin sqlcredential sqlassessmentitem sqlavailabilitygroup sqlavailabilityreplica container \
    containerimage smbserver smartcard servermanagerstandarduserremoting networkcontroller logproperties \
    performancecollector psconfiguration psscriptfileinfo scriptanalyzer temporaryfile mdmpolicy \
    netfirewallhypervrule netfirewallhypervvmsetting netfirewallhypervport netfirewallhypervprofile \
    netfirewallhypervvmcreator markdownoption systemdriver debug output verbose warning information progress \
    default gridview ";

/// The beginnings of nouns whose cmdlets act on what a service keeps.
const ELSEWHERE: &[&str] = &["ad", "az", "zerto", "gp", "mg", "ec2", "ssm", "s3", "rds", "scvm", "dbatools", "azure"];

/// Nouns of such services that are not told by their beginning.
const ELSEWHERE_NOUNS: &str = " \
    clustergroup clusternode clusterresource clustersharedvolume clustersharedvolumestate clusternetwork \
    clusternetworkinterface clusterquorum clusterdisk clusteraccess clusteravailabledisk clusterparameter \
    clusterresourcedependency clusterresourcetype clustervirtualmachinerole clustergroupset clusterownernode \
    clusterfaultdomain clusterstoragespacesdirect clusterlog wsusserver wsusupdate wsuscomputer wsusclassification \
    wsusproduct wsusinstall wsusservercleanup dhcpserverindc dfsreplicationgroup dfsrmember dfsrconnection dfsrmembership \
    rdsession rdusersession rdserver rdsessionhost rdsessioncollection rdsessioncollectionconfiguration rdremoteapp \
    rdlicenseconfiguration rdcertificate rduser gpo dscconfiguration dsclocalconfigurationmanager \
    view viserver datacenter datastore datastorecluster cluster drsrule vmhost vmhostnetwork vmhostservice \
    vmhoststorage vmhostnetworkadapter vmhosthba vmhostfirewallexception vmhostaccount \
    vmhostadvancedconfiguration vmhostprofile vdswitch vdportgroup virtualswitch virtualportgroup resourcepool \
    vapp folder inventory template tag tagassignment tagcategory vipermission virole vievent task stat stattype \
    alarmdefinition esxcli esxtop log oscustomizationspec contentlibraryitem spbmstoragepolicy \
    spbmentityconfiguration vsanclusterconfiguration advancedsetting mailbox mailboxstatistics \
    distributiongroup distributiongroupmember transportrule recipient messagetrace dbadatabase dbainstance \
    vmswitch vmswitchteam vmhostcluster vmhostsupportedversion vmsan vmresourcepool vmmigrationnetwork \
    vmreplicationserver vmswitchextension vmhostassignabledevice vmhostnumanode vmhostpartitionablegpu \
    vmgpupartitionadapter vmsystemswitchextension vmpartitionablegpu vmstoragepath vmgroup ";

/// Nouns of virtual machines.
const VMS: &str = " \
    vm vmguest vmharddiskdrive vmdvddrive vmnetworkadapter vmnetworkadaptervlan vmnetworkadapteracl \
    vmnetworkadapterextendedacl vmsnapshot vmcheckpoint vmmemory vmprocessor vmfirmware vmbios vmscsicontroller \
    vmintegrationservice vmfile vmkeyprotector vmkeystoragedrive vmsecurity vmvideo vmtpm vmcomport \
    vmfloppydiskdrive vmfibrechannelhba vmassignabledevice vmgpupartitionadapter vmreplication vmfailover \
    vmsavedstate vmstorage vmstoragesettings vmconsolesupport vmconnectaccess vmversion vmtrace \
    vmremotefx3dvideoadapter vmrdmasettings vminitialreplication vmreplicationstatistics \
    vmreplicationconnection vmeventingpolicy vmstartpolicy vmresourceconfiguration vmguestfile vmguestdisk \
    vmquestion vmdebug vmnetworkadapterfailoverconfiguration vmnetworkadapterteammapping \
    vmnetworkadapterisolation vmnetworkadapterroutingdomainmapping vmreplicationauthorizationentry snapshot \
    harddisk networkadapter cddrive floppydrive usbdevice passthroughdevice scsicontroller azvm azvmss \
    azvmextension azvmcustomscriptextension azvmdatadisk azvmosdisk ";

/// Whether a list, words with blanks around each, holds a word.
pub(super) fn holds(list: &str, word: &str) -> bool {
    // Each command is looked up in many lists: a search is much faster than to part the list.
    let searched = [" ", word, " "].concat();
    !word.is_empty() && !word.contains(char::is_whitespace) && list.contains(&searched)
}

/// Whether it is known as one of which nobody can tell what it does.
pub(super) fn is_refused(name: &str) -> bool {
    holds(UNKNOWN, name)
}

/// What a cmdlet does, by its name in lower case.
pub(super) fn class(name: &str) -> Class {
    if holds(UNKNOWN, name) {
        return Class::Unknown;
    }
    if holds(READS, name) {
        return Class::Reads;
    }
    if holds(CHANGES, name) {
        return Class::Changes;
    }
    let Some((verb, noun)) = name.split_once('-') else { return Class::Unknown };
    let reads = holds(READING, verb);
    if !reads && !holds(CHANGING, verb) {
        return Class::Unknown;
    }
    let Some(class) = of_noun(noun) else { return Class::Unknown };
    match (reads, verb, class) {
        // A network adapter that is disconnected, a slot that is swapped.
        (true, "connect" | "disconnect" | "convert" | "split" | "debug", Class::ChangesVm) | (true, "switch", _) => {
            class
        }
        // Verbs that only read what is here.
        (true, "write" | "push" | "step" | "join" | "split", Class::ChangesElsewhere) => class,
        (true, ..) => Class::Reads,
        // What it invokes is given with it.
        (_, "invoke", _) if !matches!(noun, "gpupdate" | "wsmanaction" | "ciminstance") => Class::Unknown,
        // A new one is no guest's change, and no guest's name.
        (_, "new" | "register" | "import", Class::ChangesVm) if noun == "vm" || noun == "azvm" => {
            Class::ChangesElsewhere
        }
        (_, _, class) => class,
    }
}

/// What a change of this noun is a change of; none if nobody knows it.
fn of_noun(noun: &str) -> Option<Class> {
    if holds(VMS, noun) {
        return Some(Class::ChangesVm);
    }
    if holds(HERE, noun) {
        return Some(Class::Changes);
    }
    if holds(ELSEWHERE_NOUNS, noun) {
        return Some(Class::ChangesElsewhere);
    }
    let begins = ELSEWHERE.iter().any(|start| noun.strip_prefix(start).is_some_and(|rest| rest.len() > 1));
    begins.then_some(Class::ChangesElsewhere)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_plain_words_only() {
        for list in [READING, CHANGING, READS, CHANGES, UNKNOWN, HERE, ELSEWHERE_NOUNS, VMS] {
            assert!(list.split_ascii_whitespace().all(|word| holds(list, word)));
        }
        for list in [READING, CHANGING, READS, CHANGES, UNKNOWN, HERE, ELSEWHERE_NOUNS, VMS] {
            for word in list.split_ascii_whitespace() {
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                assert!(word.chars().all(plain), "{word}");
            }
        }
    }

    #[test]
    fn what_a_name_says() {
        for (name, expected) in [
            ("get-service", Class::Reads),
            ("restart-service", Class::Changes),
            ("format-volume", Class::Changes),
            ("format-table", Class::Reads),
            ("set-aduser", Class::ChangesElsewhere),
            ("get-azvm", Class::Reads),
            ("stop-vm", Class::ChangesVm),
            ("new-vm", Class::ChangesElsewhere),
            ("get-frobnication", Class::Unknown),
            ("frobnicate-service", Class::Unknown),
            ("invoke-wsmanaction", Class::Unknown),
            ("service", Class::Unknown),
        ] {
            assert_eq!(class(name), expected, "{name}");
        }
    }
}
