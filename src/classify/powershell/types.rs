//! What types of .NET do: casts to them, new ones of them, and what they bring along.

use super::follow::Follow;
use super::items::Lies;
use super::value::{Value, add};
use crate::classify::effect::{Effect, Host};

/// Types that hold values only, by their last names or in full: casting to them, making them and calling what they bring along
/// reads.
const HARMLESS: &str = " string char int int16 int32 int64 uint16 uint32 uint64 long short byte sbyte uint ulong ushort float single double decimal bool boolean \
    bigint numerics.biginteger datetime datetimeoffset timespan guid version uri ipaddress net.ipaddress mailaddress net.mail.mailaddress regex text.regularexpressions.regex \
    array object void switch hashtable ordered pscustomobject psobject nullstring math convert bitconverter text.encoding text.utf8encoding \
    text.stringbuilder io.path enum globalization.cultureinfo cultureinfo stringcomparison stringsplitoptions timezoneinfo \
    collections.arraylist collections.hashtable collections.specialized.ordereddictionary collections.queue collections.stack \
    system.string net.networkinformation.ping net.dns security.principal.windowsidentity security.principal.windowsprincipal \
    security.principal.windowsbuiltinrole security.principal.securityidentifier security.principal.ntaccount psobject pscredential \
    management.automation.pscredential securestring security.securestring net.networkcredential management.automation.semanticversion semver \
    diagnostics.stopwatch random system.random security.cryptography.sha256 security.cryptography.md5 security.cryptography.sha1 \
    web.httputility net.webutility net.securityprotocoltype runtime.interopservices.runtimeinformation \
    gc threading.thread linq.enumerable tuple valuetuple system.array io.fileinfo io.directoryinfo io.searchoption io.fileattributes io.filemode \
    net.networkinformation.ipglobalproperties net.networkinformation.networkinterface stringcomparer consolecolor console dbnull \
    validateset validatenotnull validatenotnullorempty validaterange validatepattern validatecount validatelength allownull \
    allowemptystring allowemptycollection parameter alias cmdletbinding outputtype supportswildcards psdefaultvalue xml xml.xmldocument \
    fileinfo directoryinfo collections.generic.list collections.generic.dictionary collections.generic.hashset \
    collections.generic.queue collections.generic.stack collections.objectmodel.collection dayofweek ref net.ipendpoint \
    nullable diagnostics.fileversioninfo erroractionpreference actionpreference ";

/// Types whose static methods change files: the type, and what of it only reads.
const FILES: &[(&str, &str)] = &[
    (
        "io.file",
        " readalltext readalllines readallbytes readlines exists openread getattributes getlastwritetime getcreationtime getlastaccesstime opentext ",
    ),
    (
        "io.directory",
        " getfiles getdirectories getfilesystementries exists enumeratefiles enumeratedirectories getcurrentdirectory getparent getlastwritetime getlogicaldrives getdirectoryroot ",
    ),
    ("io.compression.zipfile", " openread "),
    ("microsoft.win32.registry", " getvalue "),
];

impl Follow<'_> {
    /// A value of another type.
    pub(super) fn cast(&mut self, kind: &str, value: &Value, text: &str) -> Value {
        let plain = plain(kind);
        match plain {
            "scriptblock" | "management.automation.scriptblock" => {
                return match value {
                    Value::Block(block) => Value::Block(block.clone()),
                    Value::Text(word) => match word.known().map(|text| {
                        self.spend(text.len());
                        super::reader::read(text)
                    }) {
                        Some(Ok(block)) => Value::Block(block.into()),
                        _ => Value::Unknown,
                    },
                    _ => Value::Unknown,
                };
            }
            "pscustomobject" | "hashtable" | "ordered" | "object" | "array" | "psobject" => return value.clone(),
            "string" if matches!(value, Value::Text(_)) => return value.clone(),
            "string" if kind == "string[]" => return value.clone(),
            "wmi" | "wmiclass" | "adsi" | "wmisearcher" | "adsisearcher" | "cimsession" | "ciminstance" => {
                return Value::Unknown;
            }
            "io.fileinfo" | "fileinfo" | "io.directoryinfo" | "directoryinfo" => return self.file_object(value),
            "serviceprocess.servicecontroller" if matches!(value, Value::Text(_)) => {
                return Value::Object(vec![], vec![]);
            }
            _ => {}
        }
        self.settle(value, text);
        if !is_harmless(kind) {
            self.doubt(text, format!("what making a `{kind}` does is not known"));
            return Value::Unknown;
        }
        match value {
            Value::Text(_) if matches!(plain, "int" | "long" | "int32" | "int64" | "ipaddress") => value.clone(),
            Value::Nothing => Value::Nothing,
            _ => Value::Data,
        }
    }

    /// The object of a file.
    pub(super) fn file_object(&self, path: &Value) -> Value {
        let mut hosts: Vec<Host> = Vec::new();
        for lies in self.lies(path) {
            match lies {
                Lies::There(there) => there.into_iter().for_each(|host| add(&mut hosts, host)),
                Lies::Here(_) => add(&mut hosts, Host::Same),
                Lies::Unclear | Lies::Nowhere => return Value::Unknown,
            }
        }
        if hosts.iter().all(|host| *host == Host::Same) {
            hosts.clear();
        }
        Value::Object(hosts, vec![])
    }

    /// A new object of a type.
    pub(super) fn makes(&mut self, kind: &str, arguments: &[Value], text: &str) -> Value {
        for argument in arguments {
            self.settle(argument, text);
        }
        let plain = plain(kind);
        if is_harmless(kind) {
            self.say(text, vec![]);
            return match plain {
                "io.fileinfo" | "io.directoryinfo" | "fileinfo" | "directoryinfo" => {
                    arguments.first().map_or(Value::Unknown, |path| self.file_object(path))
                }
                _ => Value::Data,
            };
        }
        match plain {
            "serviceprocess.servicecontroller" => {
                // A service, and the machine on which it runs.
                let arguments: Vec<&Value> = arguments.iter().flat_map(Value::each).collect();
                self.say(text, vec![]);
                match arguments.as_slice() {
                    [Value::Text(_)] => Value::Object(vec![], vec![]),
                    [_, machine] => Value::Object(machine.hosts(), vec![]),
                    _ => Value::Unknown,
                }
            }
            "io.streamreader" => {
                self.say(text, vec![]);
                Value::Data
            }
            "io.streamwriter" | "io.filestream" => {
                let effects = arguments.first().map_or_else(
                    || vec![Effect::Unknown("which file it opens is not seen".into())],
                    |path| self.writes(path),
                );
                self.say(text, effects);
                Value::Data
            }
            "net.webclient" => {
                self.say(text, vec![]);
                Value::Unknown
            }
            _ => {
                self.doubt(text, format!("what making a `{kind}` does is not known"));
                Value::Unknown
            }
        }
    }

    pub(super) fn static_property(&mut self, kind: &str, name: &str) -> Value {
        match (plain(kind), name) {
            ("environment", "machinename") => Value::text("localhost"),
            _ => Value::Data,
        }
    }

    pub(super) fn static_method(&mut self, kind: &str, name: &str, values: &[Value], text: &str) -> Value {
        let plain = plain(kind);
        for value in values {
            self.settle(value, text);
            if plain == "array" {
                // It may put the elements in another order, or take them away.
                value.each().into_iter().chain([value]).for_each(|value| self.forget_same(value, None));
            }
        }
        if name == "new" {
            return self.makes(kind, values, text);
        }
        if let Some((_, reading)) = FILES.iter().find(|(known, _)| *known == plain) {
            if super::verbs::holds(reading, name) {
                self.say(text, vec![]);
                return Value::Data;
            }
            let mut effects = Vec::new();
            if plain == "microsoft.win32.registry" {
                effects.push(Effect::Changes("changes the registry".into()));
            } else {
                for value in values.iter().take(2) {
                    // What is written may look like anything.
                    let content = name.starts_with("write") || name.starts_with("append");
                    if content && !std::ptr::eq(value, values.first().unwrap_or(value)) {
                        continue;
                    }
                    effects.extend(self.writes(value));
                }
                if values.is_empty() {
                    effects.push(Effect::Unknown("which file it changes is not seen".into()));
                }
            }
            self.say(text, effects);
            return Value::Data;
        }
        match (plain, name) {
            ("io.path", "combine" | "join") => {
                let mut word = crate::classify::word::Word::default();
                for (nr, value) in values.iter().enumerate() {
                    if nr > 0 {
                        word.push_text("\\");
                    }
                    word.push_word(&value.word());
                }
                Value::Text(word)
            }
            ("io.path", "gettemppath" | "gettempfilename") => {
                let mut word = crate::classify::word::Word::known_as("./");
                word.push_hole();
                Value::Text(word)
            }
            ("scriptblock" | "management.automation.scriptblock", "create") => {
                let block = self.cast("scriptblock", values.first().unwrap_or(&Value::Unknown), text);
                self.settle(&block, text);
                block
            }
            ("environment", "setenvironmentvariable") => {
                let target = values.get(2).and_then(Value::known).map(str::to_lowercase);
                let effect = match (values.get(2), target.as_deref()) {
                    (None, _) | (_, Some("process")) => match values.first().and_then(Value::known) {
                        Some(name) if name.eq_ignore_ascii_case(super::FOLDER) => {
                            Effect::Unknown("it sets what says where programs run".into())
                        }
                        Some(name) => self.sets_in_environment(name, values.get(1).unwrap_or(&Value::Nothing)),
                        None => Effect::Unknown("which variable it sets is only known when it runs".into()),
                    },
                    _ => Effect::Changes("sets a variable for all programs".into()),
                };
                self.say(text, vec![effect]);
                Value::Nothing
            }
            (
                "environment",
                "getenvironmentvariable"
                | "getfolderpath"
                | "expandenvironmentvariables"
                | "exit"
                | "getcommandlineargs",
            ) => Value::Data,
            ("diagnostics.process", "getprocesses" | "getprocessesbyname" | "getprocessbyid" | "getcurrentprocess") => {
                match values.iter().all(|value| value.known().is_some()) && values.len() < 2 {
                    true => Value::Object(vec![], vec![]),
                    false => Value::Unknown,
                }
            }
            ("console", name) if name.starts_with("set") && name != "settitle" => {
                self.doubt(text, "what it writes to goes elsewhere");
                Value::Unknown
            }
            ("gc" | "threading.thread", "collect" | "sleep") => Value::Nothing,
            ("threading.thread", _) => {
                self.doubt(text, format!("what `[{kind}]::{name}` does is not known"));
                Value::Unknown
            }
            _ if is_harmless(kind) => Value::Data,
            _ => {
                self.doubt(text, format!("what `[{kind}]::{name}` does is not known"));
                Value::Unknown
            }
        }
    }
}

/// The type's name without what every type may leave out.
fn plain(kind: &str) -> &str {
    let kind = kind.split(['[', ',', '<']).next().unwrap_or(kind);
    kind.strip_prefix("system.").unwrap_or(kind)
}

fn is_harmless(kind: &str) -> bool {
    // What stands in a generic type's brackets is a type as well, and makes nothing.
    super::verbs::holds(HARMLESS, plain(kind))
}
