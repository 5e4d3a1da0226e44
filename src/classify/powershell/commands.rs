//! Which command a name means: the text's own function, an alias, a cmdlet, a script, a program.

use super::aliases;
use super::arguments::{Given, Item};
use super::follow::Follow;
use super::tree::{Argument, Block, Call, Expr};
use super::value::Value;
use crate::classify::effect::{At, Code, Effect, Language, Run, Stdin, What};
use crate::classify::windows;
use crate::classify::word::Word;
use std::rc::Rc;

/// A command as it is met.
pub(super) struct Met<'m> {
    /// What it is given.
    pub given: Given,
    /// What comes through the pipeline; none if it is the first.
    pub input: Option<Value>,
    /// Its text.
    pub text: &'m str,
}

/// Modules whose names may stand in front of a cmdlet's.
const MODULES: &[&str] = &[
    "microsoft.powershell.",
    "cimcmdlets",
    "hyper-v",
    "vmware.",
    "activedirectory",
    "nettcpip",
    "netadapter",
    "storage",
    "scheduledtasks",
    "dnsclient",
    "smbshare",
    "servermanager",
    "webadministration",
    "failoverclusters",
    "dism",
];

/// Folders of Windows whose programs are those that their names say.
const SYSTEM: &[&str] = &["c:\\windows\\system32", "c:\\windows", "c:\\windows\\syswow64", "c:\\windows\\sysnative"];

/// Parameters of file cmdlets whose aliases are names of Unix programs as well: in three letters or more they can only be
/// meant for the cmdlet.
const OF_CMDLETS: &str = "path literalpath recurse force filter include exclude name file directory hidden depth destination \
    container confirm whatif erroraction verbose raw tail totalcount encoding property descending unique id passthru seconds \
    milliseconds syncwindow referenceobject differenceobject filepath append variable psprovider root persist scope value \
    nonewline computername uri method body headers outfile usebasicparsing contenttype detailed full examples online \
    ";

impl Follow<'_> {
    /// Follows a command.
    pub(super) fn command(
        &mut self,
        call: Call,
        name: &Expr,
        arguments: &[Argument],
        input: Option<Value>,
        text: &str,
    ) -> Value {
        if !self.count(text) {
            return Value::Unknown;
        }
        let name = self.value(name);
        let given = self.given(arguments);
        let met = Met { given, input, text };
        match &name {
            Value::Block(block) => {
                let block = block.clone();
                self.settle_all(&met);
                self.call_block(&block, call, &met)
            }
            Value::Text(word) if word.known().is_some() => self.named(word.known().unwrap_or_default(), call, met),
            _ => {
                self.settle_all(&met);
                self.unknown(&met, format!("which program `{}` is can only be told when it runs", name.word().shown()))
            }
        }
    }

    /// A line for a command of which it can't be told what it does.
    pub(super) fn unknown(&mut self, met: &Met, why: impl Into<String>) -> Value {
        self.doubt(met.text, why);
        Value::Unknown
    }

    /// Judges every block that a command is given.
    pub(super) fn settle_all(&mut self, met: &Met) {
        let values: Vec<Value> = met.given.values().chain(&met.input).cloned().collect();
        for value in values {
            self.settle(&value, met.text);
        }
    }

    fn call_block(&mut self, block: &Rc<Block>, call: Call, met: &Met) -> Value {
        let mut value = Value::Unknown;
        self.within(met.text, |follow| {
            let before = follow.snapshot();
            follow.bind_parameters(block, &met.given);
            value = follow.block(block);
            if call != Call::Dot {
                follow.env.join(&before);
            }
        });
        value
    }

    /// Sets a block's parameters to what it is called with.
    fn bind_parameters(&mut self, block: &Block, given: &Given) {
        let mut names: Vec<&str> = block.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let mut values = Vec::new();
        let mut waiting: Option<String> = None;
        let sure = !given.unsure && !given.items.iter().any(|item| matches!(item, Item::Raw(_)));
        for item in given.items.iter().filter(|_| sure) {
            match item {
                Item::Named(name, value) => {
                    let lower = name.to_lowercase();
                    let mut fitting = names.iter().filter(|known| known.starts_with(&lower));
                    let full = match (names.iter().find(|known| **known == lower), fitting.next(), fitting.next()) {
                        (Some(full), ..) | (None, Some(full), None) => (*full).to_owned(),
                        // Which parameter gets which value can't be told.
                        _ => {
                            values.clear();
                            break;
                        }
                    };
                    names.retain(|known| *known != full);
                    match value {
                        Some(value) => values.push((full, value.clone())),
                        None => waiting = Some(full),
                    }
                }
                Item::Value(value) => match waiting.take() {
                    Some(name) => values.push((name, value.clone())),
                    None if names.is_empty() => {}
                    None => values.push((names.remove(0).to_owned(), value.clone())),
                },
                Item::Raw(_) => {}
            }
        }
        // A switch may have stood before a value that was for another parameter.
        if given.items.iter().any(|item| matches!(item, Item::Named(_, None))) && values.len() > 1 {
            let positional = given.items.windows(2).any(|pair| {
                matches!(pair, [Item::Value(_), Item::Value(_)])
                    || matches!(pair, [Item::Named(_, None), Item::Named(..)])
            });
            if positional {
                values.clear();
            }
        }
        self.parameters(block, &values);
    }

    fn named(&mut self, name: &str, call: Call, met: Met) -> Value {
        let name = &name.replace(super::reader::is_dash, "-");
        let lower = name.to_lowercase();
        if let Some((body, sure)) = self.env.functions.get(&lower).cloned() {
            self.settle_all(&met);
            let value = self.function(&lower, &body, &met);
            // An alias comes before a function.
            if sure && aliases::cmdlet(&lower).is_none() {
                return value;
            }
        }
        if let Some(why) = &self.env.all_shadowed {
            let why = why.clone();
            self.settle_all(&met);
            return self.unknown(&met, why);
        }
        if self.env.shadowed.contains(&lower) {
            self.settle_all(&met);
            return self.unknown(&met, format!("the text gives `{name}` another meaning"));
        }
        if let Some((cmdlet, program)) = aliases::cmdlet(&lower) {
            if self.env.functions.contains_key(cmdlet) || self.env.shadowed.contains(cmdlet) {
                self.settle_all(&met);
                return self.unknown(&met, format!("the text gives `{cmdlet}` another meaning"));
            }
            if program && self.may_be_program(&lower, &met.given) {
                self.native(name, &met);
            }
            return self.cmdlet(cmdlet, met);
        }
        let plain = match lower.split_once('\\') {
            Some((module, rest)) if MODULES.iter().any(|known| module.starts_with(known)) => rest,
            _ => &lower,
        };
        if super::cmdlets::knows(plain) {
            return self.cmdlet(plain, met);
        }
        self.settle_all(&met);
        if lower.ends_with(".ps1") || lower.ends_with(".psm1") {
            return self.script(name, call, &met);
        }
        self.native(name, &met);
        Value::Unknown
    }

    fn function(&mut self, name: &str, body: &Rc<Block>, met: &Met) -> Value {
        if self.calling.iter().any(|calling| calling == name) {
            return self.unknown(met, format!("the function `{name}` calls itself, which is not followed"));
        }
        self.calling.push(name.to_owned());
        if met.input.is_some() {
            self.env.forget("_");
            self.env.forget("input");
        }
        let value = self.call_block(body, Call::Name, met);
        self.calling.pop();
        value
    }

    /// A script of this machine. One that is read in place may define anything.
    fn script(&mut self, path: &str, call: Call, met: &Met) -> Value {
        let path = path.replace('\\', "/");
        let what = What::Other { language: Language::PowerShell, code: Code::File(Word::known_as(path.clone())) };
        self.say(met.text, vec![Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Unknown })]);
        let text = self.file(&Word::known_as(path.as_str()));
        if call == Call::Dot {
            self.take_over(&path);
        }
        if text.is_none_or(|text| super::value::may_move(&text.to_lowercase())) {
            self.env.folder = Some(Word::unknown());
        }
        Value::Unknown
    }

    /// Takes over what a script defines.
    pub(super) fn take_over(&mut self, path: &str) {
        let text = self.file(&Word::known_as(path));
        self.spend(text.as_ref().map_or(0, String::len));
        match text.as_ref().map(|text| super::reader::read(text)) {
            Some(Ok(block)) => {
                // What it does was said where it was met; here only what it defines counts.
                let (found, told) = (std::mem::take(&mut self.found), self.told.clone());
                let folder = self.env.folder.clone();
                self.within(path, |follow| {
                    follow.env.forget_all();
                    follow.block(&block);
                });
                self.found = found;
                self.told = told;
                self.env.forget_all();
                if !text.is_some_and(|text| super::value::may_move(&text.to_lowercase())) {
                    self.env.folder = folder;
                }
            }
            _ => {
                self.env.all_shadowed = Some(format!("{path} may define anything, and can't be read"));
            }
        }
    }

    /// Whether an alias may be a program of that name, given what it is given.
    fn may_be_program(&self, alias: &str, given: &Given) -> bool {
        let mut options = given.items.iter().filter_map(|item| match item {
            Item::Named(name, _) => Some(name.to_lowercase()),
            Item::Value(value) => value.known().filter(|text| text.starts_with('-')).map(str::to_owned),
            Item::Raw(_) => Some("--%".into()),
        });
        let of_cmdlet = |name: &String| {
            name.len() >= 3 && OF_CMDLETS.split_ascii_whitespace().any(|known| known.starts_with(name.as_str()))
        };
        let mut any = false;
        let all = options.all(|name| {
            any = true;
            of_cmdlet(&name)
        });
        !all || (!any && matches!(alias, "mount" | "compare" | "write" | "curl" | "wget" | "sc" | "lp"))
    }

    /// A program.
    pub(super) fn native(&mut self, name: &str, met: &Met) {
        let words = met.given.words();
        let effects = self.program(name, words, met.input.as_ref());
        self.say(met.text, effects);
    }

    /// What a program does with its words.
    pub(super) fn program(&mut self, name: &str, words: Vec<Word>, input: Option<&Value>) -> Vec<Effect> {
        if !self.env.location.is_empty() {
            return vec![Effect::Unknown("it runs in a folder of another machine".into())];
        }
        let lower = name.to_lowercase();
        if windows::is_of_shells(&lower) {
            return vec![Effect::Unknown(format!("`{name}` is nothing that PowerShell has, but by another's doing"))];
        }
        let (folder, base) =
            lower.rsplit_once('\\').map_or((None, lower.as_str()), |(folder, base)| (Some(folder), base));
        if lower.starts_with("\\\\") || lower.starts_with("//") {
            return vec![Effect::Unknown("it runs a program that lies on another machine".into())];
        }
        let system = folder.is_none_or(|folder| SYSTEM.contains(&folder));
        if matches!(windows::plain(base), "net" | "net1" | "subst") {
            let drive = words.iter().find(|word| word.beginning().ends_with(':') || word.known() == Some("*"));
            let root = words.iter().find(|word| word.begins_with("\\\\"));
            if let Some(root) = root {
                let drive = drive.filter(|drive| drive.known() != Some("*")).cloned().map(Value::Text);
                self.drive(drive.as_ref(), Some(&Value::Text(root.clone())));
            } else if drive.is_some() && words.iter().any(|word| word.known().is_none()) {
                self.drive(None, None);
            }
        }
        let stdin = match input {
            None => Stdin::Inherited,
            Some(Value::Text(word)) => Stdin::Text(word.clone()),
            Some(_) => Stdin::Unknown,
        };
        if [".bat", ".cmd"].iter().any(|end| lower.ends_with(end)) && lower.contains(['\\', '/']) {
            let code = Code::File(Word::known_as(name.replace('\\', "/")));
            let what = What::Other { language: Language::Cmd, code };
            return vec![Effect::Runs(Run { what, at: At::Child, stdin })];
        }
        let mut all = vec![Word::known_as(if system { base.to_owned() } else { name.replace('\\', "/") })];
        if system && !lower.contains('/') {
            let plain = windows::plain(base);
            all = vec![Word::known_as(if plain.len() < base.len() { plain } else { strip_folder(name) })];
            if let Some(report) = windows::judge(plain, &words, &stdin)
                && (plain.len() < base.len()
                    || !report.effects.iter().any(|effect| matches!(effect, Effect::Unknown(_))))
            {
                return report.effects;
            }
        }
        if words.iter().any(windows::names_share) {
            return vec![Effect::Unknown(format!("what `{name}` does with a path of another machine is not known"))];
        }
        all.extend(words);
        vec![Effect::Runs(Run { what: What::Words(all), at: At::Child, stdin })]
    }
}

fn strip_folder(name: &str) -> &str {
    name.rsplit('\\').next().unwrap_or(name)
}
