//! Files and other items that cmdlets change: on which machine they lie.

use super::commands::Met;
use super::follow::Follow;
use super::value::{Value, add, unnamed};
use crate::classify::effect::{At, Effect, Host, Run, Stdin, What};
use crate::classify::programs::host;
use crate::classify::word::Word;

/// Where an item lies.
pub(super) enum Lies {
    /// Nowhere: it is a variable, or nothing at all.
    Nowhere,
    /// On the machine on which the text runs.
    Here(Word),
    /// On these.
    There(Vec<Host>),
    /// It can't be told.
    Unclear,
}

impl Follow<'_> {
    /// Where a path leads.
    pub(super) fn lies(&self, value: &Value) -> Vec<Lies> {
        match value {
            Value::Nothing => vec![Lies::Nowhere],
            Value::Text(word) => vec![self.path(word)],
            Value::List(values) | Value::Any(values) if !values.is_empty() => {
                values.iter().flat_map(|value| self.lies(value)).collect()
            }
            Value::Object(hosts, vms) if vms.is_empty() && hosts.is_empty() => vec![Lies::Here(Word::unknown())],
            Value::Object(hosts, _) if !hosts.is_empty() => vec![Lies::There(hosts.clone())],
            _ => vec![Lies::Unclear],
        }
    }

    fn path(&self, word: &Word) -> Lies {
        // A provider's name in front of a path.
        const PROVIDERS: &[&str] = &[
            "microsoft.powershell.core\\filesystem::",
            "filesystem::",
            "microsoft.powershell.core\\registry::",
            "registry::",
        ];
        let beginning = word.beginning();
        let lower = beginning.to_lowercase();
        for provider in PROVIDERS {
            if lower.starts_with(provider) {
                let rest = word.strip_prefix(beginning.get(..provider.len()).unwrap_or_default());
                return self.path(&rest.unwrap_or_else(Word::unknown));
            }
        }
        let slash = |c: char| c == '\\' || c == '/';
        if beginning.len() < 2 && word.known().is_none() {
            return Lies::Unclear;
        }
        let mut chars = beginning.chars();
        if chars.next().is_some_and(slash) && chars.next().is_some_and(slash) {
            return self.share(word);
        }
        if lower.contains("::") {
            // Of a provider that is not known.
            return Lies::Unclear;
        }
        match lower.split_once(':') {
            // These drives have machines below their roots.
            Some(("wsman", path)) => below(path, 0),
            Some(("sqlserver", path)) => below(path, 1),
            Some((drive, _)) if !drive.is_empty() && !drive.contains(slash) => match self.env.drives.get(drive) {
                Some(hosts) => Lies::There(hosts.clone()),
                None if matches!(drive, "variable" | "env" | "alias" | "function" | "temp") => Lies::Nowhere,
                None if drive.len() == 1
                    || matches!(drive, "hklm" | "hkcu" | "hku" | "hkcr" | "registry" | "cert" | "iis") =>
                {
                    Lies::Here(word.clone())
                }
                // A datastore, a domain, a drive that nobody has seen being made.
                None => Lies::Unclear,
            },
            _ if word.known().is_none() && !beginning.contains(slash) => {
                // `name$x` can turn out to be a drive's name.
                Lies::Unclear
            }
            _ if beginning.starts_with(slash) || self.env.location.is_empty() => Lies::Here(word.clone()),
            _ => Lies::There(self.env.location.clone()),
        }
    }

    /// `\\machine\share\…`
    fn share(&self, word: &Word) -> Lies {
        let slashes = |c: char| c == '\\' || c == '/';
        let beginning = word.beginning();
        let rest = beginning.get(2..).unwrap_or_default();
        let lower = rest.to_lowercase();
        if let Some(device) = lower.strip_prefix("?\\").or_else(|| lower.strip_prefix(".\\")) {
            if !device.starts_with("unc\\") {
                // A drive or a volume; any other device may lead to the network.
                let of_drive = device.get(1..2) == Some(":") || device.starts_with("volume{");
                return if of_drive { Lies::Here(word.clone()) } else { Lies::Unclear };
            }
            let start = beginning.len().saturating_sub(device.len()) + "unc\\".len();
            let inner = beginning.get(..start).and_then(|start| word.strip_prefix(start)).unwrap_or_else(Word::unknown);
            let mut whole = Word::known_as("\\\\");
            whole.push_word(&inner);
            return self.share(&whole);
        }
        match rest.split_once(slashes) {
            Some((name, _)) if !name.is_empty() => Lies::There(vec![share_host(name)]),
            None if word.known().is_some() && !rest.is_empty() => Lies::There(vec![share_host(rest)]),
            _ => Lies::There(vec![unnamed()]),
        }
    }

    /// What writing, moving or deleting what lies there means.
    pub(super) fn writes(&self, value: &Value) -> Vec<Effect> {
        let mut effects = Vec::new();
        for lies in self.lies(value) {
            effects.push(match lies {
                Lies::Nowhere
                    if value.each().iter().any(|one| one.known().is_none() && matches!(one, Value::Text(_))) =>
                {
                    Effect::Unknown(format!("what `{}` sets can only be told when it runs", value.word().shown()))
                }
                Lies::Nowhere => continue,
                Lies::Here(path) => {
                    let mut plain = Word::default();
                    for (nr, text) in path.stretches().enumerate() {
                        if nr > 0 {
                            plain.push_hole();
                        }
                        plain.push_text(&text.replace('\\', "/"));
                    }
                    if let (true, Some(home), Some(rest)) = (self.facts.own, self.facts.home, plain.strip_prefix("~/"))
                    {
                        plain = Word::known_as(format!("{home}/"));
                        plain.push_word(&rest);
                    }
                    Effect::Writes(plain)
                }
                Lies::There(hosts) => {
                    let same = hosts.iter().all(|host| *host == Host::Same);
                    let how = format!("changes {}", value.word().shown());
                    if same { Effect::Changes(how) } else { Effect::ChangesAt { hosts, how } }
                }
                Lies::Unclear => Effect::Unknown(format!(
                    "on which machine `{}` lies can only be told when it runs",
                    value.word().shown()
                )),
            });
        }
        effects
    }

    /// A cmdlet that changes items: by the paths that it is given, or what comes through the pipeline.
    pub(super) fn items(&mut self, name: &str, met: &Met) -> Vec<Effect> {
        const PARAMETERS: &str = "Path,LiteralPath,PSPath,LP,FilePath,FullName,OutFile Destination,DestinationPath,Target Value,InputObject Name \
            NewName ItemType,Type PropertyType Filter Include Exclude Credential Encoding Stream ToSession FromSession Delimiter \
            AclObject,Aclobj Width CompressionLevel Update! Recurse! Force! PassThru! Container! NoNewline! Append! NoClobber,NoOverwrite! \
            AsByteStream! UseTransaction! IncludeInvocationHeader! NoTypeInformation,nti! UseCulture! As Variable Text Depth \
            UseQuotes QuoteFields Hidden! Attributes ClearCentralAccessPolicy! Cert Password FriendlyName ChainOption MinimalHeader!";
        let bound = met.given.bind(PARAMETERS);
        let first_is_new = matches!(name, "new-item");
        let mut targets: Vec<Value> = Vec::new();
        let path = bound.at("path", 0).cloned();
        let named_path = bound.get("path").is_some();
        let second = bound.get("destination").or_else(|| bound.positional.get(usize::from(!named_path))).cloned();
        match name {
            // The source is only read.
            "copy-item" | "expand-archive" | "compress-archive" | "copy-itemproperty" => {
                targets.extend(second.clone().or_else(|| Some(Value::text("."))));
            }
            "move-item" | "move-itemproperty" => targets.extend(path.clone().into_iter().chain(second.clone())),
            _ => targets.extend(path.clone()),
        }
        if first_is_new && let (Some(folder), Some(name)) = (&path, bound.get("name")) {
            // A name may be a path of its own.
            targets = vec![folder.clone(), name.clone()];
        } else if first_is_new && path.is_none() {
            targets.extend(bound.get("name").cloned());
        }
        if name == "start-transcript" && path.is_none() && bound.fault.is_none() {
            return vec![Effect::Changes("writes a transcript".into())];
        }
        let needs_input = path.is_none() && !matches!(name, "copy-item" | "expand-archive" | "compress-archive");
        let moves = matches!(name, "move-item" | "move-itemproperty");
        if (needs_input || (moves && path.is_none())) && !first_is_new {
            match &met.input {
                Some(input) => targets.push(input.clone()),
                None => targets.push(Value::Unknown),
            }
        }
        let mut effects = Vec::new();
        let links = bound.get("itemtype").is_some_and(|kind| {
            let kind = kind.known().map(str::to_lowercase);
            kind.is_none_or(|kind| ["sym", "jun", "hard"].iter().any(|start| kind.starts_with(start)))
        });
        if links {
            // What is written through a link is written to where it leads.
            match bound.get("value").or(bound.get("destination")) {
                Some(to) => {
                    effects.extend(self.writes(to).into_iter().filter(|effect| !matches!(effect, Effect::Writes(_))));
                }
                None => effects.push(Effect::Unknown("where the link that it makes leads is not seen".into())),
            }
        }
        if let Some(fault) = bound.fault.clone() {
            // A release that knows the parameter may do more than is seen here.
            effects.push(Effect::Unknown(fault));
        }
        if name == "rename-item"
            && let Some((drive, _)) = path.as_ref().and_then(Value::known).and_then(|path| path.split_once(':'))
        {
            let to = bound.get("newname").or(second.as_ref()).and_then(Value::known).unwrap_or("*");
            self.redefines(&format!("{drive}:{to}").to_lowercase(), None);
        }
        for target in &targets {
            if let Some(word) = target.known().map(str::to_lowercase) {
                self.redefines(&word, bound.at("value", 1));
            }
            for effect in self.writes(target) {
                let effect = match effect {
                    // All that lies below goes with it.
                    Effect::Writes(path) if self.facts.own && takes_all_away(name) => {
                        let words = vec!["rm".into(), "-r".into(), "--".into(), path];
                        Effect::Runs(Run { what: What::Words(words), at: At::Child, stdin: Stdin::Nothing })
                    }
                    effect => effect,
                };
                if !effects.contains(&effect) {
                    effects.push(effect);
                }
            }
        }
        effects
    }

    /// `Set-Item alias:x`, `function:x`, `variable:x`, `env:x`.
    fn redefines(&mut self, path: &str, value: Option<&Value>) {
        let Some((drive, name)) = path.split_once(':') else { return };
        let name = name.trim_start_matches(['\\', '/']);
        match drive {
            "alias" | "function" if name.contains(['*', '?']) || name.is_empty() => {
                self.env.all_shadowed = Some("the text gives commands another meaning".into());
            }
            "alias" | "function" => {
                self.env.shadowed.insert(name.to_owned());
            }
            "variable" if name.contains(['*', '?']) => self.env.forget_any(),
            "variable" => self.env.forget(name),
            "env" if name.eq_ignore_ascii_case(super::FOLDER) => {}
            "env" => {
                let effect = self.sets_in_environment(name, value.unwrap_or(&Value::Unknown));
                self.say(path, vec![effect]);
            }
            _ => {}
        }
    }

    /// `New-PSDrive`, `New-SmbMapping`
    pub(super) fn new_drive(&mut self, name: &str, met: &Met) -> Vec<Effect> {
        let bound = met.given.bind(
            "Name,LocalPath PSProvider Root,RemotePath Description Scope Persist! Credential UserName Password Persistent \
             SaveCredentials! Server Location Force! PassThru! GlobalCatalog! AuthType FormatType",
        );
        let of_files = name != "new-psdrive";
        let provider = bound.at("psprovider", 1).and_then(Value::known).map(str::to_lowercase);
        let root = bound.get("root").or_else(|| bound.positional.get(usize::from(!of_files) + 1)).cloned();
        let name = bound.at("name", 0).cloned();
        let root = match provider.as_deref() {
            _ if of_files => root,
            Some("filesystem") => root,
            Some("registry" | "certificate" | "environment" | "variable") => Some(Value::text("C:\\")),
            // A domain, a datastore: of a machine that may be named.
            _ => bound.get("server").and_then(Value::known).map(|server| Value::text(&format!("\\\\{server}\\x"))),
        };
        self.drive(name.as_ref(), root.as_ref());
        if bound.has("persist") { vec![Effect::Changes("connects a drive".into())] } else { vec![] }
    }

    /// A drive that is made.
    pub(super) fn drive(&mut self, name: Option<&Value>, root: Option<&Value>) {
        let hosts = match root.map(|root| self.lies(root)) {
            Some(lies) => {
                let mut hosts = Vec::new();
                for one in lies {
                    match one {
                        Lies::There(there) => there.into_iter().for_each(|host| add(&mut hosts, host)),
                        Lies::Unclear => add(&mut hosts, unnamed()),
                        Lies::Here(_) | Lies::Nowhere => add(&mut hosts, Host::Same),
                    }
                }
                hosts
            }
            None => vec![unnamed()],
        };
        match name.and_then(Value::known) {
            Some(name) => {
                self.env.drives.insert(name.trim_end_matches(':').to_lowercase(), hosts);
            }
            None => {
                for letter in 'a'..='z' {
                    self.env.drives.insert(letter.to_string(), vec![unnamed()]);
                }
            }
        }
    }

    /// Goes to a folder.
    pub(super) fn goes_to(&mut self, folder: Option<&Value>) {
        let path = folder.and_then(Value::known).map(|path| path.replace('\\', "/"));
        let path = path.filter(|path| !path.contains([':', '*', '?']) && !matches!(path.as_str(), "-" | "+"));
        let path = match path.as_deref() {
            Some("~") => self.facts.home.map(str::to_owned),
            Some(path) if path.starts_with("~/") => None,
            path => path.map(str::to_owned),
        };
        let whole = path.and_then(|path| crate::path::joined(&path, self.folder().as_deref()));
        self.env.folder = Some(whole.map_or_else(Word::unknown, |path| Word::known_as(crate::path::normal(&path))));
        let Some(folder) = folder.filter(|folder| !matches!(folder.known(), Some("-" | "+"))) else {
            // Back to a folder in which it has been, whichever.
            if !self.env.been.is_empty() {
                add(&mut self.env.location, Host::Same);
                self.env.been.iter().for_each(|host| add(&mut self.env.location, host.clone()));
            }
            return;
        };
        let mut hosts = Vec::new();
        for lies in self.lies(folder) {
            match lies {
                Lies::There(there) => there.into_iter().for_each(|host| add(&mut hosts, host)),
                // What is written in a folder of variables, functions or aliases sets them.
                Lies::Unclear | Lies::Nowhere => add(&mut hosts, unnamed()),
                Lies::Here(_) => {}
            }
        }
        // From a folder of another machine a relative path leads to that again; what was left may be come back to.
        let relative = folder.known().is_some_and(|path| !path.contains(':') && !path.starts_with(['/', '\\']));
        if !relative {
            std::mem::replace(&mut self.env.location, hosts).into_iter().for_each(|host| add(&mut self.env.been, host));
        }
    }
}

/// Whether a cmdlet takes a folder away with all that lies in it.
fn takes_all_away(name: &str) -> bool {
    matches!(name, "remove-item" | "move-item" | "rename-item" | "set-acl" | "clear-item")
}

/// A path of a drive that names a machine below so many folders.
fn below(path: &str, folders: usize) -> Lies {
    let mut parts = path.trim_start_matches(['\\', '/']).split(['\\', '/']).skip(folders);
    match (parts.next(), parts.next()) {
        (Some(name), Some(_)) if !name.is_empty() => Lies::There(vec![share_host(name)]),
        _ => Lies::Unclear,
    }
}

fn share_host(name: &str) -> Host {
    // `\\web01@SSL@8443\DavWWWRoot`
    let name = name.split('@').next().unwrap_or_default();
    if matches!(name, "localhost" | "." | "127.0.0.1") { Host::Same } else { host::host(&Word::known_as(name)) }
}
