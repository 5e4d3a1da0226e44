//! No secret leaves: not in a tag, a message or a log, and not to a server whose pin did not match.

use crate::env::{Env, Ran};
use crate::guard_story::{change, demo, home};
use serde_json::json;
use std::fs;
use std::path::Path;
use zvm_sim::{CertKind, Sim};

const PASSWORD: &str = "correct horse";

/// Everything that a run left in a folder, but the one file that is there to hold a token.
fn everything_in(folder: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            everything_in(&path, texts);
        } else if path.is_file() && !path.parent().unwrap().ends_with("tokens") {
            texts.push(String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
        }
    }
}

#[test]
fn no_secret_is_in_a_tag_a_message_or_a_file() {
    let sim = demo().start();
    let env = home(&sim);
    let secret = "s3cr3t-of-the-call";
    let call = |vm: &str| {
        env.mcp(
            "winrm",
            "copy_file",
            json!({"host": vm, "source": format!("https://user:{secret}@x.example/a?password={secret}"), "destination": "b", "password": secret}),
        )
    };
    let mut texts = Vec::new();
    for vm in ["web01", "scratch01", "app01", "sync01"] {
        let ran = env.hook(call(vm));
        texts.extend([ran.stdout, ran.stderr]);
    }
    assert!(sim.tags("web01-dr")[0].contains("***"), "{:?}", sim.tags("web01-dr"));
    texts.extend(sim.all_tags().into_iter().map(|(_, tag)| tag));
    everything_in(&env.home().join(".local"), &mut texts);
    let tokens: Vec<String> = sim
        .requests()
        .iter()
        .filter_map(|request| {
            request.header("authorization").map(|value| value.trim_start_matches("Bearer ").to_owned())
        })
        .collect();
    assert!(!tokens.is_empty());
    for text in &texts {
        assert!(!text.contains(PASSWORD) && !text.contains(secret), "{text}");
        assert!(!tokens.iter().any(|token| text.contains(token)), "{text}");
    }
    // The password goes to the login alone, the token into one header alone.
    for request in sim.requests() {
        let login = request.path.ends_with("/token");
        assert_eq!(request.body.contains("correct"), login, "{}", request.line());
        assert!(!request.line().contains("correct") && !tokens.iter().any(|token| request.line().contains(token)));
    }
}

#[test]
fn no_shape_of_a_secret_is_in_a_tag() {
    let sim = demo().start();
    let env = home(&sim);
    let secret = "hunter2hunter2";
    let key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    for (number, action) in [
        format!("aws configure set aws_secret_access_key {secret}"),
        format!("echo {secret} | passwd --stdin bob"),
        format!("htpasswd -b f bob {secret}"),
        format!(r"net use x: \\h\s {secret} /user:bob"),
        format!("openssl enc -k {secret}"),
        format!("set password {secret} for bob"),
        format!("client-secret {secret}"),
        format!("key={secret}"),
        format!("AKIAIOSFODNN7EXAMPLE {key}"),
    ]
    .iter()
    .enumerate()
    {
        let ran = env.run(&["guard", "--vm", "db01", "--action", action, "--change", &format!("c{number}")]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let tag = sim.tags("db01-dr").into_iter().find(|tag| tag.contains(&format!("change=c{number} "))).unwrap();
        assert!(tag.contains("***") && !tag.contains(secret) && !tag.contains(key), "{tag}");
        assert!(!ran.stdout.contains(secret) && !ran.stdout.contains(key), "{}", ran.stdout);
    }
}

#[test]
fn the_token_cache_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let sim = demo().start();
    let env = home(&sim);
    assert_eq!(env.hook(change(&env, "web01")).code, Some(0));
    let mut folders = vec![env.state_dir()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700, "{}", folder.display());
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
                assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{}", path.display());
            }
        }
    }
    assert!(files > 0);
}

#[test]
fn a_wrong_pin_is_noticed_before_anything_is_sent() {
    let sim = demo().start();
    let other = Sim::builder().cert(CertKind::SelfSignedCaTrue).start();
    let config = sim.config_toml().replace(&sim.pin(), &other.pin());
    assert_ne!(config, sim.config_toml());
    let env = Env::new().config(&config);
    let ran = env.hook(change(&env, "web01"));
    ran.denied(&sim.pin()).denied("zerto-guard trust");
    assert!(sim.wait_until(std::time::Duration::from_secs(2), |sim| !sim.connections().is_empty()));
    assert!(sim.requests().is_empty(), "something was sent");
    assert!(sim.connections().iter().all(|connection| connection.bytes_in < 2000), "{:?}", sim.connections());
}

#[test]
fn who_replays_the_pinned_certificate_without_its_key_gets_nothing() {
    let real = demo().start();
    let impostor = Sim::builder().demo_world().impostor(real.cert_pem()).start();
    let config = real.config_toml().replace(real.url(), impostor.url());
    let env = Env::new().config(&config);
    env.hook(change(&env, "web01")).denied("ZVM");
    assert!(impostor.requests().is_empty(), "something was sent");
}

#[test]
fn a_secret_file_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let sim = demo().start();
    let env = home(&sim);
    fs::set_permissions(sim.password_file(), fs::Permissions::from_mode(0o644)).unwrap();
    env.hook(change(&env, "web01")).denied("chmod 600");
    assert!(sim.requests().is_empty());
}

#[test]
fn a_password_command_has_a_clean_environment_and_the_environment_variable_serves_where_nothing_else_is_set() {
    let sim = demo().start();
    let env = Env::new();
    let script = env.path("password");
    env.write(&script, &format!("#!/bin/sh\nenv > '{}'\nprintf '{PASSWORD}\\nrest'\n", env.path("seen").display()));
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let (before, after) =
        sim.config_toml().split_once("password_file").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let rest = after.split_once('\n').unwrap().1.to_owned();
    let env = env.config(&format!("{before}password_command = ['{}']\n{rest}", script.display()));
    let mut command = env.command(&["hook"]);
    command.env("LD_LIBRARY_PATH", "/evil").env("BASH_ENV", "/evil").env("ANTHROPIC_API_KEY", "sk-1");
    let output = command.write_stdin(change(&env, "web01")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let seen = fs::read_to_string(env.path("seen")).unwrap();
    for line in seen.lines() {
        let name = line.split('=').next().unwrap();
        assert!(["HOME", "USER", "LANG", "PATH", "PWD", "_", "SHLVL", "OLDPWD"].contains(&name), "{line}");
    }
    let env = Env::new().config(&format!("{before}{rest}"));
    let run = |password: Option<&str>| {
        let mut command = env.command(&["hook"]);
        if let Some(password) = password {
            command.env("ZERTO_GUARD_PASSWORD", password);
        }
        Ran::from(command.write_stdin(change(&env, "web01")).output().unwrap())
    };
    run(None).denied("ZERTO_GUARD_PASSWORD");
    assert_eq!(run(Some(PASSWORD)).code, Some(0));
}
