//! What each cmdlet does with what it is given.

use super::arguments::Item;
use super::commands::Met;
use super::follow::Follow;
use super::hosts::with_host;
use super::items::Lies;
use super::value::{Value, add};
use super::verbs::{self, Class};
use crate::classify::effect::{Effect, Host};
use crate::classify::word::Word;

/// Cmdlets that write, move or delete items by path.
const ITEMS: &str = " remove-item set-content add-content clear-content new-item copy-item move-item rename-item set-item clear-item \
    set-itemproperty new-itemproperty remove-itemproperty clear-itemproperty rename-itemproperty copy-itemproperty \
    move-itemproperty out-file export-csv export-clixml export-alias set-acl expand-archive compress-archive start-transcript \
    unblock-file set-authenticodesignature export-counter export-startlayout export-certificate export-pfxcertificate ";

/// Cmdlets whose blocks run where they are, once or for each element.
const BLOCKS: &str = " foreach-object where-object sort-object select-object group-object measure-object measure-command format-table \
    format-list format-wide format-custom compare-object trace-command get-unique tee-object out-string ";

/// Cmdlets that read and, given a path, write what they found to it.
const REPORTS: &str = " get-gporeport get-gpresultantsetofpolicy ";

/// Cmdlets that are judged by code of their own.
const OWN: &str = " invoke-command new-pssession new-cimsession enter-pssession exit-pssession invoke-expression set-location \
    push-location pop-location set-variable new-variable clear-variable remove-variable set-alias new-alias remove-alias import-alias import-module start-process \
    start-job start-threadjob invoke-webrequest invoke-restmethod invoke-cimmethod invoke-wmimethod invoke-vmscript \
    invoke-azvmruncommand new-psdrive new-smbmapping new-smbglobalmapping new-object set-executionpolicy get-pssession get-cimsession \
    copy-vmfile copy-vmguestfile invoke-gpupdate get-vm get-azvm restart-computer stop-computer join-path write-output get-item \
    get-content convertfrom-json invoke-dscresource tee-object register-objectevent register-engineevent register-wmievent \
    get-wmiobject get-ciminstance test-computersecurechannel mkdir \
    add-type new-temporaryfile register-scheduledtask set-scheduledtask register-scheduledjob \
    invoke-sqlcmd invoke-dbaquery new-scheduledtaskaction set-date add-member update-list import-localizeddata start-bitstransfer add-bitsfile ";

/// Whether a name is a cmdlet that is known.
pub(super) fn knows(name: &str) -> bool {
    // Every other cmdlet has a dash; a program is told from them without a look at the lists.
    if !name.contains('-') {
        return name == "mkdir";
    }
    verbs::holds(OWN, name)
        || verbs::holds(ITEMS, name)
        || verbs::holds(BLOCKS, name)
        || verbs::class(name) != Class::Unknown
        || verbs::is_refused(name)
}

impl Follow<'_> {
    /// Follows a cmdlet, and says what comes of it.
    pub(super) fn cmdlet(&mut self, name: &str, met: Met) -> Value {
        let met = with_host(name, met);
        match name {
            "invoke-command" => return self.invoke_command(&met),
            "foreach-object" => return self.for_each(&met),
            _ => {}
        }
        if verbs::holds(BLOCKS, name) {
            self.run_all(&met);
        } else {
            self.settle_all(&met);
        }
        let what_if = met.given.what_if();
        let effects = match name {
            "new-pssession" | "new-cimsession" => return self.new_session(&met),
            "enter-pssession" => return self.enter_session(&met),
            "invoke-expression" => return self.invoke_expression(&met),
            "get-pssession" | "get-cimsession" => {
                let hosts = self.named_machines(&met);
                self.say(met.text, vec![]);
                return hosts.map_or(Value::Unknown, Value::Session);
            }
            "set-location" | "push-location" => {
                let folder = met.given.bind("Path,LiteralPath,PSPath StackName PassThru!").at("path", 0).cloned();
                self.goes_to(folder.as_ref());
                vec![]
            }
            "pop-location" => {
                self.goes_to(None);
                vec![]
            }
            "set-variable" | "new-variable" | "clear-variable" | "remove-variable" => {
                let bound =
                    met.given.bind("Name Value Scope Option Visibility Description Force! PassThru! Include Exclude");
                match bound.at("name", 0).and_then(Value::known) {
                    Some(name) if !name.contains(['*', '?']) && bound.fault.is_none() => self.env.forget(name),
                    _ => self.env.forget_any(),
                }
                vec![]
            }
            "set-alias" | "new-alias" | "remove-alias" => {
                let name =
                    met.given.bind("Name Value Scope Option Description Force! PassThru!").at("name", 0).cloned();
                match name.as_ref().and_then(Value::known) {
                    Some(name) => {
                        self.env.shadowed.insert(name.to_lowercase());
                    }
                    None => self.env.all_shadowed = Some("the text gives commands another meaning".into()),
                }
                vec![]
            }
            "new-scheduledtaskaction" => return self.task_action(&met),
            "register-scheduledtask" | "set-scheduledtask" | "register-scheduledjob" if !what_if => {
                self.scheduled(name, &met)
            }
            "import-alias" => {
                self.env.all_shadowed = Some("the text gives commands another meaning".into());
                vec![]
            }
            "import-module" => return self.import_module(&met),
            "start-process" => self.start_process(&met),
            "start-job" | "start-threadjob" => self.start_job(&met),
            "invoke-webrequest" | "invoke-restmethod" => self.web(&met),
            "invoke-cimmethod" | "invoke-wmimethod" if what_if => vec![],
            "invoke-cimmethod" | "invoke-wmimethod" => self.cim_method(&met),
            "invoke-vmscript" | "invoke-azvmruncommand" => self.vm_script(name, &met),
            "add-type" if loads_system(&met) => vec![],
            "invoke-sqlcmd" | "invoke-dbaquery" => self.sql(name, &met),
            "copy-vmguestfile" if met.given.has("guesttolocal", 6) => vec![],
            "copy-vmfile" | "copy-vmguestfile" => vec![self.changes_machine("copy-vmfile", &met)],
            "invoke-dscresource" => {
                let bound = met.given.bind("Name Method Property ModuleName");
                match bound.get("method").and_then(Value::known).map(str::to_lowercase).as_deref() {
                    Some("get" | "test") => vec![],
                    _ => vec![Effect::Changes("applies a configuration".into())],
                }
            }
            "new-psdrive" | "new-smbmapping" | "new-smbglobalmapping" => self.new_drive(name, &met),
            "new-object" => return self.new_object(&met),
            "set-executionpolicy" => {
                let bound = met.given.bind("ExecutionPolicy Scope Force!");
                match bound.at("scope", 1).and_then(Value::known) {
                    Some(scope) if scope.eq_ignore_ascii_case("process") => vec![],
                    _ => vec![Effect::Changes("sets which scripts may run".into())],
                }
            }
            "restart-computer" | "stop-computer" if what_if => vec![],
            "restart-computer" | "stop-computer" => vec![self.computer(&met)],
            "join-path" => {
                self.say(met.text, vec![]);
                return joined(&met);
            }
            "write-output" => {
                let values: Vec<Value> = met.given.values().cloned().collect();
                self.say(met.text, vec![]);
                return match <[Value; 1]>::try_from(values) {
                    Ok([one]) => one,
                    Err(values) => Value::list(values),
                };
            }
            "get-vm" | "get-azvm" => {
                let noun = "vm";
                let vms = self.machines(&met, noun);
                self.say(met.text, vec![]);
                let known = !vms.is_empty() && vms.iter().all(|host| matches!(host, Host::Named { .. }));
                return if known { Value::Object(vec![], vms) } else { Value::Unknown };
            }
            "get-wmiobject" | "get-ciminstance" if names_product(&met) => {
                vec![self.change_at("starts a check that may repair installed packages", &met)]
            }
            "tee-object" => match met.given.has("variable", 1) {
                true => {
                    self.env.forget_any();
                    vec![]
                }
                false => self.items("out-file", &Met { input: None, given: met.given.clone(), text: met.text }),
            },
            "start-bitstransfer" | "add-bitsfile" if self.uploads(&met) => {
                vec![Effect::Unknown("what it sends may change another machine".into())]
            }
            "add-member" | "update-list" => {
                let values: Vec<Value> = met.given.values().chain(&met.input).cloned().collect();
                values.iter().flat_map(Value::each).for_each(|value| self.forget_same(value, None));
                vec![]
            }
            "import-localizeddata" => {
                let bound =
                    met.given.bind("BindingVariable,Variable UICulture FileName BaseDirectory SupportedCommand");
                match bound.at("bindingvariable", 0).map(|name| name.known().map(str::to_owned)) {
                    None => {}
                    Some(Some(name)) if bound.fault.is_none() => self.env.forget(&name),
                    Some(_) => self.env.forget_any(),
                }
                vec![]
            }
            // A date is no machine's.
            "set-date" if !what_if => vec![Effect::Changes("sets the clock".into())],
            "new-temporaryfile" | "mkdir" => vec![Effect::Changes("makes a file".into())],
            "copy-item" if met.given.has("tosession", 2) => {
                let hosts: Vec<Host> = met.given.named("tosession", 2).flat_map(Value::hosts).collect();
                vec![Effect::ChangesAt { hosts, how: "copies files".into() }]
            }
            _ if verbs::holds(ITEMS, name) && what_if => vec![],
            _ if verbs::holds(ITEMS, name) => self.items(name, &met),
            _ if verbs::holds(BLOCKS, name) => self.filter(name, &met),
            _ => self.by_class(name, &met, what_if),
        };
        let value = self.outcome(name, &met);
        self.say(met.text, effects);
        value
    }

    /// By the cmdlet's verb and noun.
    fn by_class(&mut self, name: &str, met: &Met, what_if: bool) -> Vec<Effect> {
        let class = verbs::class(name);
        match class {
            Class::Reads
                if met.given.has("repair", 3) || met.given.has("install", 4) || met.given.has("forcebootstrap", 6) =>
            {
                vec![self.change_at("repairs or installs", met)]
            }
            Class::Reads => {
                // What it found may go to a file.
                let mut files: Vec<&Value> = Vec::new();
                for (parameter, least) in [
                    ("outfile", 4),
                    ("outputfile", 6),
                    ("outputpath", 6),
                    ("destinationpath", 4),
                    ("localpath", 6),
                    ("localdestination", 6),
                    ("reportname", 7),
                ] {
                    files.extend(met.given.named(parameter, least));
                }
                if verbs::holds(REPORTS, name) {
                    files.extend(met.given.named("path", 2));
                }
                files.into_iter().flat_map(|file| self.writes(file)).collect()
            }
            _ if what_if && class != Class::Unknown => vec![],
            Class::Changes => {
                let how = format!("runs `{name}`");
                vec![self.change_at(&how, met)]
            }
            Class::ChangesVm => vec![self.changes_machine(name, met)],
            Class::ChangesElsewhere => match self.named_machines(met) {
                Some(hosts) => vec![Effect::ChangesAt { hosts, how: format!("runs `{name}`") }],
                None if self.facts.own => {
                    vec![Effect::Unknown(format!("`{name}` changes what another machine keeps, which is not named"))]
                }
                None => vec![Effect::Changes(format!("runs `{name}`"))],
            },
            Class::Unknown => vec![Effect::Unknown(format!("what `{name}` does depends on what it is given"))],
        }
    }

    /// What comes out of a cmdlet.
    fn outcome(&self, name: &str, met: &Met) -> Value {
        const DATA: &str = " convertfrom-json convertfrom-csv convertto-json convertto-csv convertto-html convertto-xml import-csv \
            import-powershelldatafile import-clixml get-content select-string measure-object get-date get-random new-guid new-timespan out-string \
            split-path test-path get-filehash format-table format-list \
            invoke-sqlcmd invoke-dbaquery convertfrom-stringdata get-culture get-location resolve-path convert-path get-command get-help get-clipboard \
            get-executionpolicy read-host convertto-securestring convertfrom-securestring test-connection \
            ";
        if verbs::holds(DATA, name) {
            return match name {
                // As a path these stay what they are.
                "resolve-path" | "convert-path" | "get-location" => match met.given.values().next() {
                    Some(Value::Text(word)) => Value::Text(word.clone()),
                    _ if name == "get-location" => {
                        let mut word = Word::known_as("./");
                        word.push_hole();
                        Value::Text(word)
                    }
                    _ => Value::Unknown,
                },
                _ => Value::Data,
            };
        }
        if matches!(
            name,
            "out-null"
                | "clear-host"
                | "start-sleep"
                | "write-host"
                | "set-location"
                | "push-location"
                | "pop-location"
        ) {
            return Value::Nothing;
        }
        let keeps = matches!(
            name,
            "where-object" | "sort-object" | "select-object" | "tee-object" | "get-unique" | "group-object"
        );
        if keeps && let Some(input) = &met.input {
            return input.element();
        }
        if verbs::class(name) == Class::Unknown || met.given.unsure {
            return Value::Unknown;
        }
        // A variable's own object sets it.
        if matches!(name, "get-variable" | "get-psprovider" | "get-host" | "compare-object")
            || matches!(verbs::class(name), Class::ChangesVm)
            || name.starts_with("get-ad")
            || name.starts_with("import-")
        {
            return Value::Unknown;
        }
        let mut hosts = self.named_machines(met).unwrap_or_default();
        let mut paths = Vec::new();
        for value in met.given.values() {
            for one in value.each() {
                match one {
                    Value::Text(word) if word.begins_with("\\\\") || word.begins_with("//") => paths.push(one.clone()),
                    Value::Text(word) if !self.env.drives.is_empty() && word.beginning().contains(':') => {
                        paths.push(one.clone())
                    }
                    // Which machine's they are then can't be told.
                    Value::Unknown | Value::Data if name.ends_with("item") => return Value::Unknown,
                    _ => {}
                }
            }
        }
        if name.ends_with("item") {
            let path = met.given.bind("Path,LiteralPath,PSPath Filter Include Exclude Depth Name! Recurse! Force! File! Directory! Hidden! ReadOnly! System! Attributes FollowSymlink! Credential Stream");
            if path.fault.is_some()
                || path.at("path", 0).is_some_and(|path| {
                    self.lies(path).iter().any(|lies| matches!(lies, Lies::Unclear | Lies::Nowhere))
                })
            {
                return Value::Unknown;
            }
            self.env.location.iter().for_each(|host| add(&mut hosts, host.clone()));
        }
        for path in &paths {
            for lies in self.lies(path) {
                match lies {
                    Lies::There(there) => there.into_iter().for_each(|host| add(&mut hosts, host)),
                    Lies::Unclear => add(&mut hosts, super::value::unnamed()),
                    _ => {}
                }
            }
        }
        match (&met.input, hosts.is_empty()) {
            (Some(input), true) => input.element(),
            _ => {
                if hosts.iter().all(|host| *host == Host::Same) {
                    hosts.clear();
                }
                Value::Object(hosts, vec![])
            }
        }
    }

    /// Runs every block that a cmdlet is given, for what comes through the pipeline.
    fn run_all(&mut self, met: &Met) {
        let item = met.input.as_ref().map_or(Value::Unknown, Value::element);
        let blocks: Vec<_> = met.given.values().flat_map(Value::blocks).collect();
        for block in blocks {
            self.run_block(&block, item.clone(), met.text);
        }
        if let Some(input) = met.input.clone() {
            self.settle(&input, met.text);
        }
    }

    /// Cmdlets whose blocks were judged as they stand; a variable in a block's place is none.
    fn filter(&mut self, name: &str, met: &Met) -> Vec<Effect> {
        let code = matches!(name, "where-object" | "measure-command" | "trace-command");
        let first = met.given.items.first();
        if code && let Some(Item::Value(Value::Unknown | Value::Any(_))) = first {
            return vec![Effect::Unknown("what it runs is only known when it runs".into())];
        }
        vec![]
    }
}

impl Follow<'_> {
    /// Whether a transfer goes to a web server.
    fn uploads(&self, met: &Met) -> bool {
        let bound = met.given.bind(
            "Source Destination TransferType Asynchronous! Authentication Credential Description DisplayName Priority Dynamic! \
             CustomHeaders Suspended! BitsJob RetryInterval RetryTimeout MaxDownloadTime ProxyUsage ProxyList ProxyBypass ProxyCredential",
        );
        let download = |kind: &Value| kind.known().is_some_and(|kind| kind.eq_ignore_ascii_case("download"));
        let far = |to: &Value| to.each().iter().any(|to| to.known().is_none_or(|to| to.contains("://")));
        bound.get("transfertype").is_some_and(|kind| !download(kind)) || bound.at("destination", 1).is_some_and(far)
    }
}

fn names_product(met: &Met) -> bool {
    met.given.values().any(|value| value.known().is_some_and(|text| text.to_lowercase().contains("win32_product")))
}

/// Whether nothing but libraries that come with .NET are loaded, by their plain names.
fn loads_system(met: &Met) -> bool {
    let bound = met.given.bind("AssemblyName,AN PassThru!");
    let plain = |name: &Value| {
        name.known().is_some_and(|name| {
            let name = name.to_lowercase();
            ["system", "system.", "microsoft.visualbasic", "presentationcore", "presentationframework", "windowsbase"]
                .iter()
                .any(|known| if known.ends_with('.') { name.starts_with(known) } else { name == *known })
                && !name.contains(['\\', '/', ','])
        })
    };
    bound.fault.is_none()
        && bound.positional.is_empty()
        && bound.get("assemblyname").is_some_and(|names| names.each().into_iter().all(plain))
}

/// The path that `Join-Path` makes.
fn joined(met: &Met) -> Value {
    let bound = met.given.bind("Path,PSPath ChildPath AdditionalChildPath Resolve! Credential");
    let Some(Value::Text(path)) = bound.at("path", 0) else { return Value::Unknown };
    let child = bound.get("childpath").or_else(|| bound.positional.get(usize::from(bound.get("path").is_none())));
    let mut word = path.clone();
    word.push_text("\\");
    match child {
        Some(Value::Text(child)) => word.push_word(child),
        _ => word.push_hole(),
    }
    Value::Text(word)
}
