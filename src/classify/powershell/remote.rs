//! Cmdlets that reach other machines: sessions, `Invoke-Command`, CIM, and parameters that name a machine.

use super::arguments::Item;
use super::commands::Met;
use super::follow::Follow;
use super::value::{Value, add, named, unnamed};
use crate::classify::effect::{At, Code, Effect, Host, Language, Run, Stdin, What};
use crate::classify::programs::host;
use crate::classify::word::Word;

/// Parameters of `Invoke-Command` and of what makes sessions.
const PARAMETERS: &str = "ComputerName,Cn HostName SSHConnection Session VMName VMId,VMGuid ContainerId ConnectionUri,Uri,Cu ScriptBlock,Command \
    FilePath,PSPath ArgumentList,Args InputObject Credential Port UseSSL! ConfigurationName ApplicationName ThrottleLimit AsJob! JobName \
    SessionName SessionOption Authentication CertificateThumbprint EnableNetworkAccess! AllowRedirection! HideComputerName,hcn! \
    InDisconnectedSession,Disconnected! RemoteDebug! NoNewScope! KeyFilePath,IdentityFilePath UserName Subsystem SSHTransport! \
    ConnectingTimeout Options RunAsAdministrator! Name Id InstanceId UseWindowsPowerShell! ComputerNameX";

/// Text that runs as PowerShell on other machines.
pub(super) fn runs_there(text: Word, hosts: Vec<Host>) -> Effect {
    let what = What::Other { language: Language::PowerShell, code: Code::Text(text) };
    Effect::Runs(Run { what, at: At::Hosts(hosts), stdin: Stdin::Unknown })
}

impl Follow<'_> {
    /// The machines that a session's parameters name, and how many of what stands first were used up for that; none: it is
    /// none but this one.
    fn reached(&mut self, met: &Met, first_is_host: bool) -> (Option<Vec<Host>>, super::arguments::Bound) {
        let bound = met.given.bind(PARAMETERS);
        let mut hosts: Vec<Host> = Vec::new();
        let mut any = false;
        for name in ["computername", "session", "vmname", "vmid", "sshconnection"] {
            if let Some(value) = bound.get(name) {
                any = true;
                value.hosts().into_iter().for_each(|host| add(&mut hosts, host));
            }
        }
        if let Some(value) = bound.get("hostname") {
            any = true;
            for one in value.each() {
                let host = match one {
                    Value::Text(word) => {
                        let word = word.strip_prefix("ssh://").unwrap_or_else(|| word.clone());
                        named(&host::with_port(&word).host)
                    }
                    _ => unnamed(),
                };
                add(&mut hosts, host);
            }
        }
        if let Some(value) = bound.get("connectionuri") {
            any = true;
            for one in value.each() {
                let word = one.word();
                let place = ["http", "https", "HTTP", "HTTPS"].iter().find_map(|scheme| host::url(&word, scheme));
                add(&mut hosts, place.map_or_else(unnamed, |(place, _)| named(&place.host)));
            }
        }
        if !any
            && first_is_host
            && let Some(first) = bound.positional.first()
        {
            any = true;
            first.hosts().into_iter().for_each(|host| add(&mut hosts, host));
        }
        if met.given.unsure || bound.fault.is_some() {
            // What is not known may name others.
            any = true;
            add(&mut hosts, unnamed());
        }
        // What comes through the pipeline may name it.
        if !any
            && matches!(met.input, Some(Value::Text(_) | Value::List(_) | Value::Any(_)))
            && first_is_host
            && let Some(input) = &met.input
        {
            any = true;
            input.hosts().into_iter().for_each(|host| add(&mut hosts, host));
        }
        // So may the object of a virtual machine, and what can't be told may be one.
        if !any && bound.get("containerid").is_none() {
            match &met.input {
                Some(Value::Object(_, vms)) if !vms.is_empty() => {
                    any = true;
                    hosts.clone_from(vms);
                }
                Some(Value::Session(of)) => {
                    any = true;
                    hosts.clone_from(of);
                }
                Some(Value::Unknown) => {
                    any = true;
                    hosts.push(unnamed());
                }
                _ => {}
            }
        }
        (any.then_some(hosts), bound)
    }

    /// `Invoke-Command`
    pub(super) fn invoke_command(&mut self, met: &Met) -> Value {
        let first_is_block =
            met.given.bind(PARAMETERS).positional.first().is_some_and(|first| matches!(first, Value::Block(_)));
        let named_block = met.given.has("scriptblock", 2) || met.given.has("filepath", 1);
        let (hosts, bound) = self.reached(met, !first_is_block && !named_block_only(met, named_block));
        let code = bound.get("scriptblock").cloned().or_else(|| {
            let place = usize::from(!first_is_block && hosts.is_some());
            bound.positional.get(place).or_else(|| bound.positional.first()).cloned()
        });
        for value in
            bound.positional.iter().chain(bound.get("argumentlist")).chain(bound.get("inputobject")).chain(&met.input)
        {
            // Code that is handed over as data may be run there.
            if code.as_ref() != Some(value) {
                self.settle(&value.clone(), met.text);
            }
        }
        let Some(hosts) = hosts else {
            if bound.get("containerid").is_some() {
                let text = code.as_ref().map_or_else(Word::unknown, raw);
                let what = What::Other { language: Language::PowerShell, code: Code::Text(text) };
                self.say(met.text, vec![Effect::Runs(Run { what, at: At::Inside, stdin: Stdin::Unknown })]);
                return Value::Unknown;
            }
            return match code {
                Some(Value::Block(block)) => self.run_block(&block, Value::Unknown, met.text),
                _ => self.unknown(met, "what it runs is only known when it runs"),
            };
        };
        if self.env.session_defines && bound.get("session").is_some() {
            let why = "code that ran in the session before may have given commands another meaning".to_owned();
            self.say(met.text, vec![Effect::UnknownAt { hosts: hosts.clone(), why }]);
        }
        let text = match (bound.get("filepath"), &code) {
            (Some(path), _) => self.file(&path.word()).map_or_else(Word::unknown, Word::known_as),
            (None, Some(code)) => self.sent(code, bound.get("argumentlist")),
            (None, None) => Word::unknown(),
        };
        if text.known().is_none_or(defines) {
            self.env.session_defines = true;
        }
        self.say(met.text, vec![runs_there(text, hosts.clone())]);
        Value::Object(hosts, vec![])
    }

    /// `New-PSSession`, `New-CimSession`
    pub(super) fn new_session(&mut self, met: &Met) -> Value {
        let (hosts, _) = self.reached(met, true);
        self.say(met.text, vec![]);
        Value::Session(hosts.unwrap_or_else(|| vec![Host::Same]))
    }

    /// `Enter-PSSession`
    pub(super) fn enter_session(&mut self, met: &Met) -> Value {
        let (hosts, _) = self.reached(met, true);
        self.say(met.text, vec![]);
        self.entered = Some(hosts.unwrap_or_else(|| vec![unnamed()]));
        Value::Nothing
    }

    /// `Invoke-CimMethod`, `Invoke-WmiMethod`: by the name of the method.
    pub(super) fn cim_method(&mut self, met: &Met) -> Vec<Effect> {
        const READING: &[&str] = &["get", "enum", "check", "find", "query", "test", "is"];
        let bound = met.given.bind(
            "ClassName,Class MethodName,Name Arguments,ArgumentList,Property Query Namespace ComputerName,Cn CimSession InputObject,CimInstance \
             ResourceUri Key OperationTimeoutSec QueryDialect Path Credential Authentication Impersonation CimClass AsJob! EnableAllPrivileges! ThrottleLimit",
        );
        let method = bound.at("methodname", usize::from(bound.get("classname").is_none()));
        let known = method.and_then(Value::known).map(str::to_lowercase);
        if known.is_some_and(|name| READING.iter().any(|start| name.starts_with(start))) && bound.fault.is_none() {
            return vec![];
        }
        vec![self.change_at("runs a method of WMI", met)]
    }

    /// A change of the machine that a cmdlet names, or of the one on which it runs.
    pub(super) fn change_at(&self, how: &str, met: &Met) -> Effect {
        if self.named_machines(met).is_none()
            && let Some(effect) = self.of_objects(how, met)
        {
            return effect;
        }
        for store in met.given.named("policystore", 7).chain(met.given.named("gposession", 3)) {
            if !store.known().is_some_and(|name| {
                ["persistentstore", "activestore"].iter().any(|known| name.eq_ignore_ascii_case(known))
            }) {
                return Effect::Unknown("it changes a policy that another machine keeps".into());
            }
        }
        let how = how.to_owned();
        match self.named_machines(met) {
            Some(hosts) if hosts.iter().all(|host| *host == Host::Same) => Effect::Changes(how),
            Some(hosts) => Effect::ChangesAt { hosts, how },
            None if met.given.unsure => Effect::Unknown("what its parameters are is not known before it runs".into()),
            None => match &met.input {
                None => Effect::Changes(how),
                Some(input) => self.change_of_input(&how, input),
            },
        }
    }

    /// A change of the objects that a cmdlet is given, if they are of other machines, or may be.
    fn of_objects(&self, how: &str, met: &Met) -> Option<Effect> {
        let mut hosts: Vec<Host> = Vec::new();
        const OBJECTS: &[(&str, usize)] = &[
            ("inputobject", 2),
            ("path", 3),
            ("literalpath", 4),
            ("filepath", 5),
            ("destination", 4),
            ("ciminstance", 4),
        ];
        let objects = OBJECTS.iter().flat_map(|(name, least)| met.given.named(name, *least));
        for one in objects.chain(unnamed_values(met)).flat_map(Value::each) {
            if matches!(one, Value::Unknown) {
                return Some(Effect::Unknown(format!("it {how}, on which machine can only be told when it runs")));
            }
        }
        for one in met.given.values().flat_map(Value::each) {
            if let Value::Text(word) = one
                && (word.begins_with("\\\\") || word.begins_with("//"))
            {
                for lies in self.lies(one) {
                    match lies {
                        super::items::Lies::There(there) => there.into_iter().for_each(|host| add(&mut hosts, host)),
                        super::items::Lies::Here(_) | super::items::Lies::Nowhere => {}
                        super::items::Lies::Unclear => add(&mut hosts, unnamed()),
                    }
                }
            }
            if let Value::Object(of, _) | Value::Session(of) = one {
                of.iter().for_each(|host| add(&mut hosts, host.clone()));
            }
        }
        (!hosts.is_empty()).then(|| Effect::ChangesAt { hosts, how: how.to_owned() })
    }

    /// A change of what comes through the pipeline: objects remember the machine from which they come.
    fn change_of_input(&self, how: &str, input: &Value) -> Effect {
        let mut hosts: Vec<Host> = Vec::new();
        let mut here = false;
        for one in input.each() {
            match one {
                Value::Object(of, vms) if vms.is_empty() => {
                    here |= of.is_empty();
                    of.iter().for_each(|host| add(&mut hosts, host.clone()));
                }
                Value::Session(of) => of.iter().for_each(|host| add(&mut hosts, host.clone())),
                // A name of something here, as most cmdlets take it.
                Value::Text(word) if word.known().is_some() => here = true,
                Value::Nothing => here = true,
                _ => return Effect::Unknown(format!("it {how}, on which machine can only be told when it runs")),
            }
        }
        if hosts.is_empty() {
            return Effect::Changes(how.to_owned());
        }
        if here {
            add(&mut hosts, Host::Same);
        }
        Effect::ChangesAt { hosts, how: how.to_owned() }
    }
}

/// The values that stand behind no parameter, or behind one that takes none.
fn unnamed_values<'m>(met: &'m Met) -> impl Iterator<Item = &'m Value> {
    const SWITCHES: &[&str] = &[
        "force", "passthru", "confirm", "wait", "nowait", "asjob", "verbose", "debug", "whatif", "recurse", "restart",
    ];
    let takes_none = |name: &str| {
        let lower = name.to_lowercase();
        lower.len() > 1 && SWITCHES.iter().any(|known| known.starts_with(&lower))
    };
    let items = &met.given.items;
    items.iter().enumerate().filter_map(move |(nr, item)| {
        let before = nr.checked_sub(1).and_then(|before| items.get(before));
        match (item, before) {
            (Item::Value(_), Some(Item::Named(name, None))) if !takes_none(name) => None,
            (Item::Value(value), _) => Some(value),
            _ => None,
        }
    })
}

fn named_block_only(met: &Met, named_block: bool) -> bool {
    named_block && met.given.bind(PARAMETERS).positional.is_empty()
}

/// Whether a text gives commands another meaning.
fn defines(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "function",
        "filter",
        "alias",
        "sal ",
        "nal ",
        "invoke-expression",
        "iex",
        "import-module",
        "ipmo",
        "defaultparametervalues",
        ". ",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// The text of code.
fn raw(code: &Value) -> Word {
    match code {
        Value::Block(block) => Word::known_as(block.raw.as_str()),
        _ => Word::unknown(),
    }
}

/// A path with slashes.
pub(super) fn slashed(path: &Word) -> Word {
    path.known().map_or_else(|| path.clone(), |path| Word::known_as(path.replace('\\', "/")))
}
