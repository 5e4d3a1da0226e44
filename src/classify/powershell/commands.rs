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
    "sqlserver",
    "sqlps",
    "dbatools",
];

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
            let given = follow.bound_parameters(block, met);
            follow.parameters(block, given.as_deref());
            value = follow.block(block);
            if call != Call::Dot {
                follow.env.join(&before);
            }
        });
        value
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
        if let Some((body, _)) = self.env.functions.get(&format!("get-{lower}")).cloned() {
            // A noun alone means its `Get-`, if nothing else has that name.
            self.settle_all(&met);
            self.function(&lower, &body, &met);
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
        // ImageMagick's `compare` writes what it is given third.
        let many = alias == "compare" && given.items.len() > 2;
        !all || (!any && (many || matches!(alias, "mount" | "curl" | "wget" | "sc" | "lp")))
    }

    /// A program.
    pub(super) fn native(&mut self, name: &str, met: &Met) {
        let words = met.given.words();
        let effects = self.program(name, words, met.input.as_ref());
        self.say(met.text, effects);
    }

    /// `net use z: \\\\name\\share`, `subst z: folder`: what lies on that drive lies there from then on.
    fn connects(&mut self, program: &str, words: &[Word]) {
        let of_net = matches!(program, "net" | "net1");
        if !of_net && program != "subst" {
            return;
        }
        let all_known = words.iter().all(|word| word.known().is_some());
        let first = words.first().map(|word| word.known().map(str::to_lowercase));
        if of_net && !matches!(first, Some(None)) && first.flatten().as_deref() != Some("use") {
            return;
        }
        let is_drive = |word: &&Word| word.known().is_some_and(|text| text.len() == 2 && text.ends_with(':'));
        let is_far = |word: &&Word| word.begins_with("\\\\") || word.begins_with("//");
        let drive = words.iter().find(is_drive).cloned().map(Value::Text);
        let root = words.iter().skip(usize::from(of_net)).find(|word| is_far(word) || (!of_net && !is_drive(word)));
        match (drive, root.cloned().map(Value::Text)) {
            // A drive that is listed or given up, or none at all.
            (_, None) if all_known && !words.iter().any(|word| word.known() == Some("*")) => {}
            (None, Some(_)) if all_known && !words.iter().any(|word| word.known() == Some("*")) => {}
            (drive, root) => self.drive(drive.as_ref(), root.as_ref()),
        }
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
        let system = folder.is_none_or(windows::is_system_folder);
        if system {
            self.connects(windows::plain(base), &words);
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
        let mut effects: Vec<Effect> = windows::far_files(base, &words).into_iter().collect();
        if !effects.iter().any(|effect| matches!(effect, Effect::Unknown(_))) {
            all.extend(words);
            effects.push(Effect::Runs(Run { what: What::Words(all), at: At::Child, stdin }));
        }
        effects
    }
}

fn strip_folder(name: &str) -> &str {
    name.rsplit('\\').next().unwrap_or(name)
}
