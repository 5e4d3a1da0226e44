//! What methods, types and casts of .NET do.

use super::follow::Follow;
use super::tree::Expr;
use super::value::Value;
use crate::classify::effect::Effect;

/// Methods of values: of texts, lists, dates.
const VALUES: &str = " tostring split trim trimstart trimend substring startswith endswith contains toupper tolower toupperinvariant tolowerinvariant padleft padright \
    indexof lastindexof gettype equals compareto getenumerator containskey containsvalue tochararray adddays addhours addminutes \
    addseconds addmonths addyears addmilliseconds subtract tolocaltime touniversaltime toshortdatestring toshorttimestring tolongdatestring \
    gethashcode format trygetvalue getvalue item get_item matches ismatch match isinrole getaddressbytes getnetworkcredential \
    selectnodes selectsinglenode getattribute getelementsbytagname tofiletime toarray binarysearch exists find findall \
    isnullorempty getbytes getstring count getlength getupperbound getsubkeynames getvaluenames getvaluekind \
    parse tryparse getlifetimeservice getowner getownersid getrelated getservice enumeratefiles getfiles getdirectories getfilesysteminfos \
    normalize remainder get_count get_length elapsed totalseconds clone copyto toint32 getresponseheader where foreach ";

/// Methods that change a value and nothing else, if it is one that holds data.
const KEPT: &str = " add addrange remove removeat removeall insert clear sort reverse append appendline appendformat enqueue dequeue push pop replace \
    appendchild createelement setattribute removechild createattribute createtextnode importnode insertbefore insertafter removeattribute \
    set_item setvalue loadxml appendchar makereadonly start restart reset wait union unionwith exceptwith intersectwith next nextdouble \
    send computehash transformfinalblock dispose close foreach where ";

/// Methods that change what an object stands for.
const CHANGING: &str = " delete kill stop start pause continue restart terminate create put setinfo commitchanges rename moveto copyto copyhere movehere \
    invokemethod change changestartmode startservice stopservice setpassword save saveas replace encrypt decrypt setaccesscontrol \
    createsubdirectory createtext appendtext openwrite deletesubkey deletesubkeytree createsubkey setvalue deletevalue add remove clear \
    reboot shutdown win32shutdown recycle setspeed write writeline regwrite regdelete uninstall install eject enable disable format chkdsk \
    closemainwindow executecommand reset setproperty removeproperty commit update ";

impl Follow<'_> {
    /// `base.name`, `base.name(…)`, `[type]::name(…)`.
    pub(super) fn member(
        &mut self,
        base: &Expr,
        name: Option<&str>,
        is_static: bool,
        arguments: Option<&[Expr]>,
        text: &str,
    ) -> Value {
        let base_value = match base {
            Expr::Type(_) => Value::Data,
            base => self.value(base),
        };
        let values: Option<Vec<Value>> = arguments.map(|all| all.iter().map(|one| self.value(one)).collect());
        let Some(name) = name else {
            return match values {
                // A property, whichever it is.
                None => property(&base_value, ""),
                Some(_) => {
                    self.doubt(text, "which method it calls is only known when it runs");
                    Value::Unknown
                }
            };
        };
        let kind = match base {
            Expr::Type(kind) if is_static => Some(kind.as_str()),
            _ => None,
        };
        match (kind, values) {
            (Some(kind), None) => self.static_property(kind, name),
            (Some(kind), Some(values)) => self.static_method(kind, name, &values, text),
            (None, None) if is_static => Value::Unknown,
            (None, None) => property(&base_value, name),
            (None, Some(_)) if is_static => {
                self.doubt(text, "of which type it calls a method is only known when it runs");
                Value::Unknown
            }
            (None, Some(values)) => {
                // The name of something is a text, whatever it is the name of.
                let text_like = is_text(base);
                let base_value = if text_like && matches!(base_value, Value::Object(..) | Value::Unknown) {
                    Value::Data
                } else {
                    base_value
                };
                if super::verbs::holds(KEPT, name) && !matches!(name, "foreach" | "where") {
                    if let (Value::Hash(_), "add" | "set_item", [key, value]) = (&base_value, name, values.as_slice())
                        && let Expr::Variable(_) = base
                    {
                        let key = key.known().map(str::to_lowercase);
                        self.settle(value, text);
                        self.set_member(base, key, value.clone(), text);
                        return Value::Nothing;
                    }
                    self.forget_same(&base_value, None);
                }
                self.method(&base_value, name, &values, text)
            }
        }
    }

    /// A method of a value.
    pub(super) fn method(&mut self, base: &Value, name: &str, values: &[Value], text: &str) -> Value {
        let lower = name.to_lowercase();
        let name = lower.as_str();
        if matches!(name, "invoke" | "invokereturnasis" | "invokewithcontext" | "begininvoke" | "invokescript") {
            for value in values {
                self.settle(value, text);
            }
            if let Value::Block(block) = base {
                return self.run_block(block, Value::Unknown, text);
            }
            self.doubt(text, "what it invokes is only known when it runs");
            return Value::Unknown;
        }
        if let (Value::Block(_), "getnewclosure") = (base, name) {
            return base.clone();
        }
        if matches!(name, "foreach" | "where") {
            let item = base.element();
            for value in values {
                match value {
                    Value::Block(block) => {
                        self.run_block(block, item.clone(), text);
                    }
                    // A method or property by its name, for each.
                    Value::Text(word) if word.known().is_some() && name == "foreach" => {
                        let inner = word.known().unwrap_or_default();
                        self.method(&item, inner, &[], text);
                    }
                    Value::Text(_) | Value::Data if name == "where" => {}
                    _ => self.doubt(text, "what it runs is only known when it runs"),
                }
            }
            return if name == "where" { item } else { Value::Unknown };
        }
        for value in values {
            self.settle(value, text);
        }
        let held = matches!(base, Value::Text(_) | Value::Data | Value::Hash(_) | Value::List(_) | Value::Nothing);
        if super::verbs::holds(VALUES, name) && (held || !matches!(name, "copyto" | "getrelated")) {
            return Value::Data;
        }
        if matches!(base, Value::Text(_)) {
            return Value::Data;
        }
        let downloads = matches!(name, "downloadstring" | "downloaddata");
        if downloads {
            return Value::Data;
        }
        if name == "save" && held {
            let effects = values.first().map_or_else(
                || vec![Effect::Unknown("which file it writes is not seen".into())],
                |path| self.writes(path),
            );
            self.say(text, effects);
            return Value::Nothing;
        }
        if name == "downloadfile" && values.len() == 2 {
            let effects = values.get(1).map(|path| self.writes(path)).unwrap_or_default();
            self.say(text, effects);
            return Value::Nothing;
        }
        if held
            && super::verbs::holds(KEPT, name)
            && !matches!(base, Value::List(values) if values.iter().any(|v| matches!(v, Value::Object(..) | Value::Unknown)))
        {
            return Value::Data;
        }
        if super::verbs::holds(CHANGING, name) && matches!(base, Value::Object(..)) {
            self.acts_on(base, &format!("calls the method `{name}`"), text);
            return Value::Unknown;
        }
        if matches!(base, Value::Object(..))
            && matches!(
                name,
                "refresh"
                    | "waitforexit"
                    | "waitforstatus"
                    | "dispose"
                    | "close"
                    | "getaccesscontrol"
                    | "openread"
                    | "opentext"
            )
        {
            return Value::Data;
        }
        self.doubt(text, format!("what the method `{name}` of something does is not known"));
        Value::Unknown
    }
}

/// Whether a method of that name changes what some objects stand for.
pub(super) fn changes(name: &str) -> bool {
    super::verbs::holds(CHANGING, name) || super::verbs::holds(KEPT, name)
}

/// A property of a value.
pub(super) fn property(base: &Value, name: &str) -> Value {
    match base {
        Value::Hash(entries) => {
            let found = entries.iter().find(|(known, _)| known == name);
            found.map_or(Value::Unknown, |(_, value)| value.clone())
        }
        Value::Text(_) | Value::Data if !name.is_empty() => Value::Data,
        Value::Object(hosts, vms) if matches!(name, "name" | "vmname") && !vms.is_empty() && hosts.is_empty() => {
            Value::Object(vec![], vms.clone())
        }
        Value::Object(..) if is_text_property(name) => Value::Data,
        Value::Object(hosts, vms) => Value::Object(hosts.clone(), vms.clone()),
        _ => Value::Unknown,
    }
}

pub(super) fn is_text_property(name: &str) -> bool {
    matches!(
        name,
        "basename"
            | "extension"
            | "value"
            | "line"
            | "message"
            | "displayname"
            | "length"
            | "count"
            | "status"
            | "version"
            | "content"
            | "lastwritetime"
            | "creationtime"
            | "cpu"
            | "ws"
            | "id"
            | "state"
            | "caption"
            | "description"
            | "starttype"
    )
}

/// Whether what works out a value makes a text of it, as far as can be seen.
fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::Member { name: Some(name), arguments: None, is_static: false, .. } => {
            matches!(name.as_str(), "name" | "fullname" | "path" | "directoryname" | "computername")
                || is_text_property(name)
        }
        Expr::Member { name: Some(name), arguments: Some(_), .. } => {
            matches!(
                name.as_str(),
                "tostring"
                    | "split"
                    | "trim"
                    | "substring"
                    | "toupper"
                    | "tolower"
                    | "replace"
                    | "trimstart"
                    | "trimend"
                    | "padleft"
                    | "padright"
            )
        }
        Expr::Index { base, .. } => is_text(base),
        Expr::Cast { kind, .. } => {
            matches!(kind.as_str(), "string" | "datetime" | "timespan" | "version" | "int" | "char")
        }
        _ => false,
    }
}
