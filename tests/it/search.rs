//! The search for secrets: the password and the tokens, in everything that a run has left or said.
//!
//! Owns where each may be: the password in the login's body, the token in one header and in the state folder's `tokens`. Must
//! not: be told what a run was. One search for all tests.

use crate::env::{Env, Ran};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use zvm_sim::{Sim, Step};

/// The simulator's password as it is, and as it is in a form, in base64 and in quotes of JSON.
const PASSWORD: [&str; 4] = ["correct horse", "correct%20horse", "correct+horse", "Y29ycmVjdCBob3JzZQ"];

/// What every token of the simulator begins with.
const TOKEN: [&str; 2] = ["sim-access-", "sim-refresh-"];

/// Nothing is found after these runs, in the home and the project.
#[track_caller]
pub fn searched(env: &Env, sims: &[&Sim], rans: &[&Ran]) {
    let texts: Vec<_> = rans.iter().flat_map(|ran| [("stdout", &*ran.stdout), ("stderr", &*ran.stderr)]).collect();
    let found = found_below(&[env.home(), env.project()], sims, &texts);
    assert!(found.is_empty(), "{found:#?}");
}

/// Where a secret was found that has no business there: in `texts` (what the run said, by name), all files of the test, the tags,
/// the requests that the simulators recorded.
pub fn found_in(env: &Env, sims: &[&Sim], texts: &[(&str, &str)]) -> Vec<String> {
    found_below(&[env.path("")], sims, texts)
}

fn found_below(folders: &[PathBuf], sims: &[&Sim], texts: &[(&str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    let mut look = |place: &str, text: &str, for_what: &[&[&str]]| {
        found.extend(
            for_what
                .iter()
                .copied()
                .flatten()
                .filter(|secret| text.contains(**secret))
                .map(|secret| format!("`{secret}` in {place}")),
        );
    };
    let both: &[&[&str]] = &[&PASSWORD, &TOKEN];
    for (name, text) in texts {
        look(name, text, both);
    }
    for folder in folders {
        files_of(folder, &mut |path, text| {
            let cache = path.parent().is_some_and(|folder| folder.ends_with("tokens"));
            look(&path.display().to_string(), text, if cache { &both[..1] } else { both });
        });
    }
    for sim in sims {
        for (vpg, tag) in sim.all_tags() {
            look(&format!("a tag of {vpg}"), &tag, both);
        }
        for request in sim.requests() {
            let line = format!("{}?{}", request.line(), request.query);
            look(&line, &line, both);
            let is_login = Step::of(&request.method, &request.path) == Some(Step::Token);
            look(&format!("the body of {line}"), &request.body, if is_login { &both[1..] } else { both });
            for (name, value) in &request.headers {
                let rest = if name == "authorization" { &both[..1] } else { both };
                look(&format!("the header {name} of {line}"), value, rest);
            }
            if is_login && request.had_bearer {
                look(&format!("the header of {line}"), TOKEN[0], both);
            }
        }
    }
    found
}

/// Whether the search finds what it looks for: the password did go out with each login, and a token with everything else.
fn is_password_sent_to_login_alone(sim: &Sim) -> bool {
    let has_password = |text: &str| PASSWORD.iter().any(|form| text.contains(form));
    sim.requests().iter().all(|request| {
        let is_login = Step::of(&request.method, &request.path) == Some(Step::Token);
        has_password(&request.body) == is_login && request.had_bearer != is_login
    })
}

fn files_of(folder: &Path, each: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            files_of(&path, each);
        } else if kind.is_file()
            && let Ok(bytes) = fs::read(&path)
        {
            each(&path, &String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn the_search_finds_each_secret_wherever_it_lies() {
    let sim = crate::guard_story::demo().start();
    let env = crate::guard_story::home(&sim);
    assert_eq!(env.hook(crate::guard_story::change(&env, "db01")).code, Some(0));
    assert!(is_password_sent_to_login_alone(&sim), "the search knows what was sent");
    assert_eq!(found_in(&env, &[&sim], &[("stdout", "nothing")]), Vec::<String>::new());
    let header = sim.requests_of(Step::VmList)[0].header("authorization").unwrap().to_owned();
    let token = header.trim_start_matches("Bearer ");
    for secret in ["correct horse", "correct%20horse", token] {
        assert_eq!(found_in(&env, &[&sim], &[("stderr", &format!("x{secret}x"))]).len(), 1, "{secret}");
        let file = env.state_dir().join("audit/x.json");
        env.write(&file, secret);
        assert_eq!(found_in(&env, &[&sim], &[]).len(), 1, "{secret}");
        std::fs::remove_file(file).unwrap();
    }
    // The cache is there for tokens, and for nothing else.
    env.write(&env.state_dir().join("tokens/x"), "correct horse");
    assert_eq!(found_in(&env, &[&sim], &[]).len(), 1);
    std::fs::remove_file(env.state_dir().join("tokens/x")).unwrap();
    sim.insert_elsewhere("db01-dr", token).unwrap();
    assert!(sim.wait_until(Duration::from_secs(5), |sim| sim.tags("db01-dr").len() == 2));
    assert_eq!(found_in(&env, &[&sim], &[]).len(), 1, "in a tag");
}
