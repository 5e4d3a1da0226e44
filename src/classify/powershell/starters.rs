//! Cmdlets that start something, load code, or send something elsewhere.

use super::commands::Met;
use super::follow::Follow;
use super::value::Value;
use super::verbs;
use crate::classify::effect::{At, Code, Effect, Language, Run, Stdin, What};
use crate::classify::word::Word;

impl Follow<'_> {
    pub(super) fn invoke_expression(&mut self, met: &Met) -> Value {
        let bound = met.given.bind("Command");
        let text = bound.at("command", 0).or(met.input.as_ref()).cloned();
        match text.as_ref().and_then(Value::known) {
            Some(text) => self.text(text, met),
            None => self.unknown(met, "the text that it runs is only known when it runs"),
        }
    }

    /// Runs a text in place.
    pub(super) fn text(&mut self, text: &str, met: &Met) -> Value {
        self.spend(text.len());
        match super::reader::read(text) {
            Ok(block) => {
                let mut value = Value::Unknown;
                self.within(met.text, |follow| value = follow.block(&block));
                value
            }
            Err(why) => self.unknown(met, why),
        }
    }

    pub(super) fn import_module(&mut self, met: &Met) -> Value {
        const KNOWN: &str = " activedirectory hyper-v failoverclusters webadministration iisadministration dnsserver dnsclient dhcpserver \
            sqlserver sqlps grouppolicy servermanager scheduledtasks netadapter nettcpip netsecurity smbshare storage dism \
            defender bitlocker printmanagement cimcmdlets pki psreadline packagemanagement powershellget dfsn dfsr \
            updateservices windowsupdate pswindowsupdate bitstransfer applocker appx az az.accounts az.compute az.resources az.network \
            az.storage vmware.powercli vmware.vimautomation.core zertoapiwrapper \
            microsoft.powershell.utility microsoft.powershell.management microsoft.powershell.security \
            microsoft.powershell.archive microsoft.powershell.diagnostics threadjob remotedesktop \
            windowsserverbackup deduplication nfs exchangeonlinemanagement microsoft.graph ";
        let bound = met.given.bind("Name,LiteralPath FullyQualifiedName Force! PassThru! Global! Scope MinimumVersion,Version RequiredVersion \
            DisableNameChecking! SkipEditionCheck! Prefix Function Cmdlet Variable Alias AsCustomObject! NoClobber! UseWindowsPowerShell! \
            ArgumentList,Args PSSession CimSession Assembly ModuleInfo MaximumVersion");
        let names: Vec<Value> =
            bound.at("name", 0).map(|value| value.each().into_iter().cloned().collect()).unwrap_or_default();
        if bound.get("prefix").is_some()
            || bound.get("pssession").is_some()
            || bound.get("cimsession").is_some()
            || bound.fault.is_some()
        {
            self.env.all_shadowed = Some("a module gives names another meaning".into());
        }
        if names.is_empty() {
            return self.unknown(met, "which module it loads is not seen");
        }
        let (mut effects, mut scripts) = (Vec::new(), Vec::new());
        for name in names {
            let lower = name.known().map(str::to_lowercase);
            match lower.as_deref() {
                Some(known) if verbs::holds(KNOWN, known) => {}
                Some(path) if path.ends_with(".psm1") || path.ends_with(".ps1") => {
                    let path = name.known().unwrap_or_default().replace('\\', "/");
                    let what =
                        What::Other { language: Language::PowerShell, code: Code::File(Word::known_as(path.clone())) };
                    effects.push(Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Unknown }));
                    scripts.push(path);
                }
                _ => effects
                    .push(Effect::Unknown(format!("what the module `{}` does is not known", name.word().shown()))),
            }
        }
        self.say(met.text, effects);
        for path in scripts {
            self.take_over(&path);
        }
        Value::Nothing
    }

    pub(super) fn start_process(&mut self, met: &Met) -> Vec<Effect> {
        let bound = met.given.bind(
            "FilePath,Path,PSPath ArgumentList,Args Credential WorkingDirectory LoadUserProfile,Lup! NoNewWindow,nnw! PassThru! \
             RedirectStandardError,RSE RedirectStandardInput,RSI RedirectStandardOutput,RSO WindowStyle Wait! UseNewEnvironment! Verb Environment",
        );
        let Some(program) = bound.at("filepath", 0).and_then(Value::known).map(str::to_owned) else {
            return vec![Effect::Unknown("which program it starts is only known when it runs".into())];
        };
        let odd = bound.fault.or_else(|| {
            match bound.named.iter().any(|(name, _)| matches!(name.as_str(), "environment" | "redirectstandardinput")) {
                true => Some("what it gives the program is not followed".to_owned()),
                false => None,
            }
        });
        if let Some(fault) = odd {
            return vec![Effect::Unknown(fault)];
        }
        let place = usize::from(!bound.named.iter().any(|(name, _)| name == "filepath"));
        let mut words = Vec::new();
        for value in bound
            .named
            .iter()
            .find(|(name, _)| name == "argumentlist")
            .and_then(|(_, value)| value.as_ref())
            .or_else(|| bound.positional.get(place))
            .map(Value::each)
            .unwrap_or_default()
        {
            match value.known() {
                Some(text) => words.extend(super::arguments::raw_words(text)),
                None => words.push(Word::unknown_many()),
            }
        }
        let mut effects = self.program(&program, words, None);
        if let Some((_, Some(folder))) = bound.named.iter().find(|(known, _)| known == "workingdirectory") {
            for effect in &mut effects {
                if let Effect::Runs(run) = effect {
                    run.at = At::Folder(super::remote::slashed(&folder.word()));
                }
            }
        }
        for name in ["redirectstandarderror", "redirectstandardoutput"] {
            if let Some((_, Some(file))) = bound.named.iter().find(|(known, _)| known == name) {
                effects.extend(self.writes(file));
            }
        }
        effects
    }

    pub(super) fn start_job(&mut self, met: &Met) -> Vec<Effect> {
        let bound = met.given.bind(
            "ScriptBlock,Command FilePath InitializationScript ArgumentList,Args Name InputObject Credential Authentication RunAs32! PSVersion \
             LiteralPath DefinitionName DefinitionPath Type WorkingDirectory StreamingHost ThrottleLimit",
        );
        if let Some(path) = bound.get("filepath") {
            let code = Code::File(super::remote::slashed(&path.word()));
            let what = What::Other { language: Language::PowerShell, code };
            return vec![Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Unknown })];
        }
        // Its block was judged where it stands.
        match (bound.at("scriptblock", 0), bound.fault.clone()) {
            (Some(Value::Block(_)), None) => vec![],
            (_, fault) => {
                vec![Effect::Unknown(fault.unwrap_or_else(|| "what it runs is only known when it runs".into()))]
            }
        }
    }

    /// `Invoke-WebRequest`, `Invoke-RestMethod`
    pub(super) fn web(&mut self, met: &Met) -> Vec<Effect> {
        let bound = met.given.bind(
            "Uri Method Body Headers OutFile InFile ContentType Credential UseBasicParsing! UserAgent SessionVariable,SV WebSession TimeoutSec \
             MaximumRedirection Proxy ProxyCredential ProxyUseDefaultCredentials! PassThru! CertificateThumbprint Certificate \
             UseDefaultCredentials! TransferEncoding DisableKeepAlive! SkipCertificateCheck! Authentication Token Form SkipHttpErrorCheck! \
             FollowRelLink! MaximumFollowRelLink MaximumRetryCount RetryIntervalSec Resume! CustomMethod,CM NoProxy! SslProtocol HttpVersion \
             SkipHeaderValidation! PreserveAuthorizationOnRedirect! AllowUnencryptedAuthentication! ResponseHeadersVariable,RHV StatusCodeVariable \
             OperationTimeoutSeconds ConnectionTimeoutSeconds AllowInsecureRedirect! PreserveHttpMethodOnRedirect! UnixSocket",
        );
        let mut effects = Vec::new();
        for name in ["sessionvariable", "responseheadersvariable", "statuscodevariable"] {
            if let Some(variable) = bound.get(name) {
                match variable.known() {
                    Some(variable) => self.env.forget(variable),
                    None => self.env.forget_any(),
                }
            }
        }
        if let Some(file) = bound.get("outfile") {
            effects.extend(self.writes(file));
        }
        let method = bound.get("custommethod").or_else(|| bound.get("method"));
        let reads = method.is_none_or(|method| {
            method.known().is_some_and(|text| {
                ["get", "head", "options", "default"].iter().any(|known| text.eq_ignore_ascii_case(known))
            })
        });
        let sends = ["infile", "form", "unixsocket"].iter().any(|name| bound.has(name));
        if let Some(fault) = bound.fault.clone() {
            effects.push(Effect::Unknown(fault));
        } else if !reads || sends {
            let url = bound.at("uri", 0).map(Value::word).unwrap_or_else(Word::unknown);
            let rest = ["http", "https"].iter().find_map(|scheme| crate::classify::programs::host::url(&url, scheme));
            let host = match rest {
                Some((place, _)) => super::value::named(&place.host),
                None => super::value::unnamed(),
            };
            effects.push(Effect::UnknownAt { hosts: vec![host], why: "what that request changes is not known".into() });
        }
        effects
    }

    /// `Invoke-VMScript`, `Invoke-AzVMRunCommand`: text that runs in a virtual machine.
    pub(super) fn vm_script(&mut self, name: &str, met: &Met) -> Vec<Effect> {
        let bound = met.given.bind(
            "VM,VMName,Name ScriptText,ScriptString ScriptType ScriptPath CommandId GuestUser GuestPassword GuestCredential HostUser HostPassword \
             HostCredential ToolsWaitSecs RunAsync! Server ResourceGroupName,ResourceGroup Parameter AsJob! ResourceId VMObject DefaultProfile",
        );
        let hosts = match (bound.get("vm"), &met.input) {
            (Some(vm), _) => vm.hosts(),
            (None, Some(Value::Object(_, vms))) if !vms.is_empty() => vms.clone(),
            (None, None) => bound.positional.get(1).map_or_else(|| vec![super::value::unnamed()], Value::hosts),
            _ => vec![super::value::unnamed()],
        };
        let text = match (bound.get("scripttext").or_else(|| bound.positional.first()), bound.get("scriptpath")) {
            (_, Some(path)) => self.file(&path.word()).map_or_else(Word::unknown, Word::known_as),
            (Some(text), None) => text.word(),
            (None, None) => Word::unknown(),
        };
        let kind =
            bound.get("scripttype").or_else(|| bound.get("commandid")).and_then(Value::known).map(str::to_lowercase);
        let what = match kind.as_deref() {
            Some("bash" | "runshellscript") => What::Shell { text, arguments: vec![] },
            Some("bat") => What::Other { language: Language::Cmd, code: Code::Text(text) },
            Some("powershell" | "runpowershellscript") => {
                What::Other { language: Language::PowerShell, code: Code::Text(text) }
            }
            // Its guest decides.
            _ => What::Other { language: Language::PowerShell, code: Code::Text(Word::unknown()) },
        };
        let mut effects = vec![Effect::Runs(Run { what, at: At::Hosts(hosts), stdin: Stdin::Nothing })];
        effects.extend(bound.fault.map(|fault| Effect::Unknown(format!("of `{name}`: {fault}"))));
        effects
    }

    /// `Restart-Computer`, `Stop-Computer`: names come in many ways.
    pub(super) fn computer(&mut self, met: &Met) -> Effect {
        let bound = met.given.bind(
            "ComputerName,CN,Server,IPAddress,__SERVER Credential Force! Wait! Timeout For Delay AsJob! WsmanAuthentication Protocol \
             DcomAuthentication,Authentication Impersonation ThrottleLimit",
        );
        let how = "shuts down".to_owned();
        if let Some(fault) = bound.fault {
            return Effect::Unknown(fault);
        }
        let names = bound.at("computername", 0).or(met.input.as_ref());
        match names.map(Value::hosts) {
            None => Effect::Changes(how),
            Some(hosts) => Effect::ChangesAt { hosts, how },
        }
    }

    pub(super) fn new_object(&mut self, met: &Met) -> Value {
        let bound = met.given.bind("TypeName ArgumentList,Args ComObject Property Strict!");
        let kind = bound.at("typename", 0).and_then(Value::known).map(str::to_lowercase);
        match kind {
            Some(kind) if bound.get("comobject").is_none() && bound.fault.is_none() => {
                let mut arguments: Vec<Value> = bound.get("argumentlist").into_iter().cloned().collect();
                arguments.extend(bound.positional.iter().skip(1).cloned());
                self.makes(&kind, &arguments, met.text)
            }
            _ => self.unknown(met, "what can be done with such an object is not followed"),
        }
    }
}
