//! Tasks and jobs that are registered to run later: what they run is judged with them.

use super::commands::Met;
use super::follow::Follow;
use super::value::Value;
use crate::classify::effect::{At, Code, Effect, Language, Run, Stdin, What};
use crate::classify::word::Word;
use std::rc::Rc;

/// Under this name the action of a task holds its program.
const PROGRAM: &str = "execute";

impl Follow<'_> {
    /// `New-ScheduledTaskAction`: what a task will run, once it is registered.
    pub(super) fn task_action(&mut self, met: &Met) -> Value {
        let bound = met.given.bind("Execute Argument WorkingDirectory Id CimSession ThrottleLimit AsJob! ClassId Data");
        self.say(met.text, vec![]);
        let Some(program) = bound.at("execute", 0).cloned().filter(|_| bound.fault.is_none()) else {
            return Value::Unknown;
        };
        let words = bound.get("argument").cloned().unwrap_or(Value::Nothing);
        Value::Hash(Rc::new(vec![(PROGRAM.into(), program), ("argument".into(), words)]))
    }

    /// A task or job that is registered: a change where it is, and what is seen of what it runs there.
    pub(super) fn scheduled(&mut self, name: &str, met: &Met) -> Vec<Effect> {
        let how = format!("runs `{name}`");
        let mut effects = vec![self.change_at(&how, met)];
        let unseen = || Effect::Unknown("what the task runs is not seen".into());
        let at = match self.named_machines(met) {
            Some(hosts) => At::Hosts(hosts),
            None => At::Child,
        };
        let actions: Vec<Value> =
            met.given.named("action", 2).chain(met.given.named("inputobject", 3)).cloned().collect();
        if name == "register-scheduledjob" {
            // A block was judged where it stands.
            for path in met.given.named("filepath", 4) {
                let code = Code::File(super::remote::slashed(&path.word()));
                let what = What::Other { language: Language::PowerShell, code };
                effects.push(Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Unknown }));
            }
            if met.given.unsure || met.given.values().flat_map(Value::each).any(|value| matches!(value, Value::Unknown))
            {
                effects.push(unseen());
            }
            return effects;
        }
        if actions.is_empty() && name == "set-scheduledtask" && !met.given.unsure {
            return effects;
        }
        if actions.is_empty() {
            effects.push(unseen());
        }
        for action in actions.iter().flat_map(Value::each) {
            let Value::Hash(entries) = action else {
                effects.push(unseen());
                continue;
            };
            let of = |key: &str| entries.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
            let Some(program) = of(PROGRAM).as_ref().and_then(Value::known).map(str::to_owned) else {
                effects.push(unseen());
                continue;
            };
            let words = match of("argument") {
                Some(Value::Text(text)) if text.known().is_some() => {
                    super::arguments::raw_words(text.known().unwrap_or_default())
                }
                None | Some(Value::Nothing) => vec![],
                _ => vec![Word::unknown_many()],
            };
            for effect in self.program(&program, words, None) {
                effects.push(match effect {
                    Effect::Runs(run) if matches!(run.at, At::Child) => Effect::Runs(Run { at: at.clone(), ..run }),
                    effect => effect,
                });
            }
        }
        effects
    }
}
