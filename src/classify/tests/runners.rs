//! Tests of the programs that run another one in a project's environment.

use super::*;
use crate::classify::Nowhere;
use crate::classify::effect::{Stdin, Unset};

/// `$` is a word of which nothing is known, `_` stands for a blank within a word.
fn command(text: &str) -> Command {
    let word = |text: &str| if text == "$" { Word::unknown() } else { Word::from(text.replace('_', " ").as_str()) };
    Command { words: text.split(' ').map(word).collect(), stdin: Stdin::File("in".into()) }
}

fn judged(text: &str) -> Report {
    judge(&command(text), &Facts { around: &Nowhere, home: None, cwd: None, own: true, variables: &Unset })
}

/// The effects, in a form to compare.
fn shown(report: &Report) -> String {
    let effect = |effect: &Effect| match effect {
        Effect::Table => "table".into(),
        Effect::Works(_) => "works".into(),
        Effect::Unknown(_) | Effect::UnknownOnGuest(_) => "unknown".into(),
        Effect::Runs(Run { what: What::Words(words), at: At::Child, .. }) => {
            words.iter().map(Word::shown).collect::<Vec<_>>().join(" ")
        }
        Effect::Runs(Run { what: What::Shell { text, .. }, at: At::Child, .. }) => format!("sh: {}", text.shown()),
        other => panic!("{other:?}"),
    };
    report.effects.iter().map(effect).collect::<Vec<_>>().join(" | ")
}

#[test]
fn what_runs_is_the_named_program_with_its_words() {
    for (text, expected) in [
        ("npx eslint .", "works | eslint ."),
        ("npx -y eslint@8.2 --fix .", "works | eslint --fix ."),
        ("npx --package=x -- tool -c y", "works | tool -c y"),
        ("npx -p typescript tsc -p .", "works | tsc -p ."),
        ("npx @scope/tool@1 x", "works | @scope/tool@1 x"),
        ("npx -c ssh_web01_reboot", "works | sh: ssh web01 reboot"),
        ("npx --call=rm_x eslint", "works | sh: rm x"),
        ("npx $ x", "unknown"),
        ("npx -- $ x", "works | … x"),
        ("npx", "unknown"),
        ("npx --shell sh eslint", "unknown"),
        ("npm exec eslint .", "works | eslint ."),
        ("npm exec -- eslint -c x", "works | eslint -c x"),
        ("npm exec eslint -- -c x", "works | eslint -c x"),
        ("npm x -w pkg eslint", "works | eslint"),
        ("npm --prefix web exec eslint", "works | eslint"),
        // npm takes its options anywhere up to `--`.
        ("npm exec eslint -c rm_x", "unknown"),
        ("npm exec eslint --call=rm_x", "unknown"),
        ("npm exec eslint $", "unknown"),
        ("npm ls", "table"),
        ("npm --odd exec eslint", "table"),
        ("pnpm -C web exec tsc -p .", "works | tsc -p ."),
        ("pnpm dlx cowsay@1 hi", "works | cowsay hi"),
        ("pnpm exec -c rm_x", "unknown"),
        ("yarn dlx -p x tool", "works | tool"),
        ("yarn test", "table"),
        ("bunx prettier .", "works | prettier ."),
        ("bun x prettier .", "works | prettier ."),
        ("uv run pytest -q", "works | pytest -q"),
        ("uv run -- ssh web01 reboot", "works | ssh web01 reboot"),
        ("uv run --with httpx -p 3.12 x.py -v", "works | python x.py -v"),
        ("uv run -m pytest", "works | python -m pytest"),
        ("uv run --script tool", "works | python tool"),
        ("uv run -", "works | python -"),
        ("uv --directory web run ruff check", "works | ruff check"),
        ("uv run --odd x pytest", "unknown"),
        ("uv run -p ./x.sh tool", "unknown"),
        ("uv tool run ruff@0.4 check", "works | ruff check"),
        ("uvx --from tool-pkg tool", "works | tool"),
        ("uv pip list", "table"),
        ("pipx run black .", "works | black ."),
        ("pipx run --path x.py", "unknown"),
        ("poetry run ansible all -m ping", "works | ansible all -m ping"),
        ("poetry -C web run pytest", "works | pytest"),
        ("pipenv run ssh web01 id", "works | ssh web01 id"),
        ("pdm run -p . pytest", "works | pytest"),
        ("bundle exec rake db:migrate", "works | rake db:migrate"),
        ("bundle exec", "unknown"),
        ("rbenv exec gem list", "works | gem list"),
        ("mise exec node@20 -- npm ls", "works | npm ls"),
        ("mise x -- ls -la", "works | ls -la"),
        ("mise exec -c rm_x", "unknown"),
        ("mise exec node@20 npm", "unknown"),
        ("mise exec $ -- ls", "unknown"),
        ("direnv exec . ssh web01 reboot", "works | ssh web01 reboot"),
        ("nvm exec 18 npm ci", "works | npm ci"),
        ("rustup run nightly cargo test", "works | cargo test"),
        ("conda run -n env --no-capture-output ls", "works | ls"),
        ("k3s kubectl get pods -A", "kubectl get pods -A"),
        ("microk8s helm3 list", "helm list"),
        ("k3s server", "table"),
        ("/usr/local/bin/npx eslint", "works | eslint"),
    ] {
        assert_eq!(shown(&judged(text)), expected, "{text}");
    }
}

#[test]
fn what_it_reads_goes_to_what_it_runs() {
    let report = judged("poetry run sh");
    let Some(Effect::Runs(run)) = report.effects.last() else { panic!("{report:?}") };
    assert_eq!(run.stdin, Stdin::File("in".into()));
}

#[test]
fn each_of_them_is_known_and_nothing_else() {
    assert!(knows("npx") && knows("uv") && knows("k3s"));
    assert!(!knows("npxx") && !knows("") && !knows("cargo"));
}
