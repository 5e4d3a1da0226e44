//! `guard.reuse`: a younger tag of the same VM, agent and change serves, if it is listed in every VPG that would be tagged now.

use crate::env::{Env, Ran};
use crate::guard_story::{change, demo, home, home_with, told};
use std::fs;

const REUSE: &str = "[guard]\nreuse = '2m'\n";

fn of_change(env: &Env, vm: &str, id: &str) -> Ran {
    env.command(&["hook"]).env("ZERTO_GUARD_CHANGE", id).write_stdin(change(env, vm)).output().unwrap().into()
}

#[test]
fn the_same_vm_agent_and_change_and_nothing_else() {
    let sim = demo().start();
    let env = home_with(&sim, REUSE);
    told(&of_change(&env, "web01", "chg-1"));
    let (model, user) = told(&of_change(&env, "WEB01.corp.example", "chg-1"));
    let tags = sim.tags("web01-dr");
    assert_eq!(tags.len(), 1);
    for text in [&model, &user] {
        assert!(text.contains("an earlier tagged checkpoint stands") && text.contains(&tags[0]), "{text}");
        assert_eq!(text.matches("kept about").count(), 2, "how long each journal keeps it: {text}");
    }
    let line = crate::audit::lines(&env).pop().unwrap();
    assert_eq!((&line["reused"], line["tag"].as_str().unwrap()), (&serde_json::json!(true), tags[0].as_str()));
    told(&of_change(&env, "db01", "chg-1"));
    assert_eq!(sim.tags("db01-dr").len(), 1, "another VM");
    told(&of_change(&env, "web01", "chg-2"));
    assert_eq!(sim.tags("web01-dr").len(), 2, "another change");
    // Without a change of the user's each call is a change of its own.
    for _ in 0..2 {
        told(&env.hook(crate::audit::numbered(&change(&env, "web01"), &sim.tags("web01-dr").len().to_string())));
    }
    assert_eq!(sim.tags("web01-dr").len(), 4);
    let config = fs::read_to_string(env.config_dir().join("config.toml")).unwrap();
    env.write(&env.config_dir().join("config.toml"), &format!("{config}agent = 'other'\n"));
    told(&of_change(&env, "web01", "chg-1"));
    assert_eq!(sim.tags("web01-dr").len(), 5, "another agent");
}

#[test]
fn it_has_to_stand_in_every_vpg_that_would_be_tagged_now() {
    let sim = demo().start();
    let env = home_with(&sim, REUSE);
    sim.set_vpg_status("web01-local", 2, 25);
    told(&of_change(&env, "web01", "chg-1"));
    let (model, _) = told(&of_change(&env, "web01", "chg-1"));
    assert!(model.contains("an earlier tagged checkpoint") && model.contains("not in VPG web01-local"), "{model}");
    assert_eq!(sim.tags("web01-dr").len(), 1, "it stands wherever it could be made");
    sim.set_vpg_status("web01-local", 1, 0);
    let (model, _) = told(&of_change(&env, "web01", "chg-1"));
    assert!(model.contains("a tagged checkpoint stands"), "{model}");
    assert_eq!((sim.tags("web01-local").len(), sim.tags("web01-dr").len()), (1, 2));
    told(&of_change(&env, "web01", "chg-1"));
    assert_eq!((sim.tags("web01-local").len(), sim.tags("web01-dr").len()), (1, 2));
}

#[test]
fn off_unless_it_is_set() {
    let sim = demo().start();
    let env = home(&sim);
    told(&of_change(&env, "web01", "chg-1"));
    told(&of_change(&env, "web01", "chg-1"));
    assert_eq!(sim.tags("web01-dr").len(), 2);
}
