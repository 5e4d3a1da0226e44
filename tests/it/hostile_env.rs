//! A hostile environment changes nothing: the verdict, what the ZVM sees and what is said are the same, byte for byte, but for
//! times and what is drawn by lot.

use crate::elsewhere::Trap;
use crate::env::{Env, Ran};
use crate::guard_story::{change, demo, home};
use crate::search::searched;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use zvm_sim::Sim;

/// Every name of a hook's environment that could mean something to somebody, and what it is set to.
fn hostile(env: &Env, trap: &Trap) -> Vec<(&'static str, String)> {
    let proxy = format!("http://{}", trap.place());
    let touch = format!("touch '{}'", env.path("sign").display());
    let path = |name: &str| env.path(name).display().to_string();
    // Whatever would be started by a bare name leaves a sign.
    for name in ["sh", "bash", "less", "more", "git", "ssh", "cat", "id", "env", "stty", "pass", "zerto-guard", "cc"] {
        let program = env.path("evil/bin").join(name);
        env.program(&program, &format!("#!/bin/sh\n{touch}\n"));
    }
    env.write(&env.path("evil/rc"), &touch);
    env.write(&env.path("evil/aliases"), "127 evil.example\nlocalhost evil.example\n");
    env.write(&env.path("evil/ca.pem"), "no certificate");
    // Another guard's files, which let everything run.
    env.write(&env.path("evil/xdg/zerto-guard/config.toml"), "[guard]\nmode = 'observe'\n[hosts]\nunguarded = ['*']\n");
    let catalog = "schema = 1\n[server.\"*\"]\nread_only = ['*']\n[program.frobnicate]\nread_only = ['*']\n";
    env.write(&env.path("evil/xdg/zerto-guard/catalog.toml"), catalog);
    let mut all: Vec<(&str, String)> =
        ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "ftp_proxy"]
            .map(|name| (name, proxy.clone()))
            .into();
    all.extend([
        ("no_proxy", String::new()),
        ("NO_PROXY", "example".into()),
        ("SSL_CERT_FILE", path("evil/ca.pem")),
        ("SSL_CERT_DIR", path("evil")),
        ("SSLKEYLOGFILE", path("keylog")),
        ("CURL_CA_BUNDLE", path("evil/ca.pem")),
        ("RUST_LOG", "trace".into()),
        ("RUST_BACKTRACE", "full".into()),
        ("RUST_LIB_BACKTRACE", "full".into()),
        ("RUST_MIN_STACK", "1".into()),
        ("CLAP_COMPLETE", "bash".into()),
        ("COMPLETE", "bash".into()),
        ("MALLOC_ARENA_MAX", "1".into()),
        ("MALLOC_CHECK_", "3".into()),
        ("MALLOC_PERTURB_", "165".into()),
        ("MALLOC_TRACE", path("mtrace")),
        ("MALLOC_CONF", "junk:true".into()),
        ("GLIBC_TUNABLES", "glibc.malloc.check=3:glibc.malloc.perturb=165".into()),
        ("LOCALDOMAIN", "evil.example".into()),
        ("RES_OPTIONS", "ndots:9 attempts:1 timeout:1".into()),
        ("HOSTALIASES", path("evil/aliases")),
        ("NSS_WRAPPER_HOSTS", path("evil/aliases")),
        ("TMPDIR", path("nowhere")),
        ("TZ", "Pacific/Kiritimati".into()),
        ("TZDIR", path("evil")),
        ("LANG", "tr_TR.UTF-8".into()),
        ("LC_ALL", "tr_TR.UTF-8".into()),
        ("LANGUAGE", "tr".into()),
        ("TERM", "xterm-256color".into()),
        ("COLORTERM", "truecolor".into()),
        ("COLUMNS", "20".into()),
        ("LINES", "2".into()),
        ("NO_COLOR", String::new()),
        ("CLICOLOR_FORCE", "1".into()),
        ("FORCE_COLOR", "1".into()),
        ("PAGER", touch.clone()),
        ("EDITOR", touch.clone()),
        ("SHELL", path("evil/bin/sh")),
        ("BASH_ENV", path("evil/rc")),
        ("ENV", path("evil/rc")),
        ("PROMPT_COMMAND", touch),
        ("PATH", path("evil/bin")),
        ("PWD", path("evil")),
        ("OLDPWD", path("evil")),
        ("USER", "evil".into()),
        ("LOGNAME", "evil".into()),
        ("CLAUDE_PROJECT_DIR", path("evil")),
        ("ANTHROPIC_API_KEY", "correct horse".into()),
    ]);
    all
}

/// What other commands than the hook obey, as the contract says.
fn moving(env: &Env) -> Vec<(&'static str, String)> {
    let path = |name: &str| env.path(name).display().to_string();
    vec![
        ("XDG_CONFIG_HOME", path("evil/xdg")),
        ("XDG_STATE_HOME", path("evil/state")),
        ("XDG_CACHE_HOME", path("evil/cache")),
        ("XDG_DATA_HOME", path("evil/data")),
        ("XDG_RUNTIME_DIR", path("evil/run")),
        ("ZERTO_GUARD_CONFIG", path("evil/xdg/zerto-guard/config.toml")),
        ("ZERTO_GUARD_CATALOG", path("evil/xdg/zerto-guard/catalog.toml")),
        ("ZERTO_GUARD_STATE_DIR", path("evil/state")),
        ("ZERTO_GUARD_MODE", "observe".into()),
        ("ZERTO_GUARD_DEADLINE", "1s".into()),
        ("ZERTO_GUARD_HOST", "cline".into()),
        ("ZERTO_GUARD_URL", "https://evil.example".into()),
        ("ZERTO_GUARD_PROXY", "http://evil.example".into()),
        ("ZERTO_GUARD_LOG", "trace".into()),
    ]
}

/// The text without what differs from one run to the next: numbers, and words with numbers in them that are drawn by lot.
fn masked(text: &str) -> String {
    let word = |word: &str| match word {
        "" => String::new(),
        // Drawn with a digit in it or none.
        _ if word.starts_with("zgq-") => "zgq-".to_owned(),
        _ if word.len() > 7 && word.contains(|c: char| c.is_ascii_digit()) => "#".to_owned(),
        _ => word.replace(|c: char| c.is_ascii_digit(), "#"),
    };
    // A word goes on over dashes: an identifier is one.
    let is_apart = |c: char| !c.is_ascii_alphanumeric() && c != '-';
    let mut masked = String::new();
    for part in text.split_inclusive(is_apart) {
        match part.strip_suffix(is_apart) {
            Some(bare) => masked.push_str(&format!("{}{}", word(bare), &part[bare.len()..])),
            None => masked.push_str(&word(part)),
        }
    }
    while masked.contains("##") {
        masked = masked.replace("##", "#");
    }
    masked
}

/// What was asked of the ZVM, each question once: how often is polled depends on the machine's load.
fn asked(sim: &Sim) -> BTreeSet<String> {
    let requests = sim.requests();
    let asked = requests.iter().map(|request| {
        let headers: Vec<String> = request
            .headers
            .iter()
            .filter(|(name, _)| !name.eq_ignore_ascii_case("authorization"))
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        masked(&format!("{}\n{}\n{}", request.line(), headers.join("\n"), request.body))
    });
    let asked = asked.collect();
    sim.clear_log();
    asked
}

/// Whether the tested program needs a loader, which obeys the environment before the program begins.
fn is_dynamic(binary: &Path) -> bool {
    let head = fs::read(binary).unwrap();
    head.windows(7).take(4096).any(|window| window == b"/ld-lin" || window == b"/ld-mus")
}

#[test]
fn the_hook_and_the_recovery_are_the_same_in_it() {
    let (trap, sim) = (Trap::new(), demo().start());
    let env = home(&sim);
    sim.put_tag("web01-local", std::time::Duration::from_secs(60), crate::rewind_recover::TAG).unwrap();
    let mut hostile = hostile(&env, &trap);
    hostile.extend(preloading(&env));
    let hook: Vec<String> = vec![
        change(&env, "db01"),
        env.call("Bash", json!({"command": "ls -la"})),
        env.call("Bash", json!({"command": "ssh db01 'systemctl restart nginx'"})),
        env.call("Bash", json!({"command": "ssh db01 frobnicate"})),
        env.mcp("someone", "something", json!({"x": 1})),
        change(&env, "scratch01"),
        "garbage".to_owned(),
    ];
    let commands: [&[&str]; 7] = [
        &["find", "db01"],
        &["find", "db01", "--json"],
        &["rewind", "log", "--all-tags"],
        &["rewind", "show", "chg-412"],
        &["rewind", "ls", "--yes", "chg-412:/etc"],
        &["rewind", "cat", "--yes", "chg-412:/etc/app.yaml"],
        &["check", "--", "ssh db01 reboot"],
    ];
    let run = |arguments: &[&str], stdin: &str, variables: &[(&str, String)]| -> Ran {
        let mut command = env.command(arguments);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        command.write_stdin(stdin).output().unwrap().into()
    };
    // A token for both.
    assert_eq!(env.hook(change(&env, "db01")).code, Some(0));
    sim.clear_log();
    let all: Vec<(&str, String)> = hostile.iter().cloned().chain(moving(&env)).collect();
    // Where `cat` keeps a file while it is looked at is a person's to say.
    hostile.retain(|(name, _)| *name != "TMPDIR");
    let cases = hook.iter().map(|call| (&["hook"][..], call.as_str(), &all));
    for (arguments, stdin, variables) in cases.chain(commands.iter().map(|command| (*command, "", &hostile))) {
        let plain = run(arguments, stdin, &[]);
        let seen = asked(&sim);
        let hostile = run(arguments, stdin, variables);
        let what = format!("{arguments:?} {stdin}");
        assert_eq!(plain.code, hostile.code, "{what}: {}", hostile.stderr);
        assert_eq!(masked(&plain.stdout), masked(&hostile.stdout), "{what}");
        assert_eq!(masked(&plain.stderr), masked(&hostile.stderr), "{what}");
        searched(&env, &[&sim], &[&plain, &hostile]);
        assert_eq!(seen, asked(&sim), "{what}");
        trap.saw_nobody(&what);
    }
    for left in ["sign", "keylog", "mtrace", "nowhere", "loaded", "evil/state", "evil/cache", "evil/run", "evil/data"] {
        assert!(!env.path(left).exists(), "{left} is there");
    }
}

/// `LD_*` with a library that leaves a sign where it is loaded: for a static program alone, since no other has a say in it.
fn preloading(env: &Env) -> Vec<(&'static str, String)> {
    if is_dynamic(&Env::binary()) {
        eprintln!(
            "LD_* are not tried: this program is loaded by ld.so, which obeys them; the one that ships is static"
        );
        return vec![];
    }
    let (source, library) = (env.path("sign.c"), env.path("evil/libsign.so"));
    let sign = env.path("loaded");
    env.write(
        &source,
        &format!(
            "#include <fcntl.h>\n__attribute__((constructor)) static void s(void) {{ open(\"{0}\", O_CREAT | O_WRONLY, 0600); }}\n\
             unsigned la_version(unsigned v) {{ s(); return v; }}\n",
            sign.display()
        ),
    );
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("LD_* are not tried: there is no C compiler to build a library with");
        return vec![];
    }
    let library = library.display().to_string();
    // It does leave a sign.
    assert!(Command::new("/bin/true").env("LD_PRELOAD", &library).status().unwrap().success());
    assert!(sign.exists());
    fs::remove_file(&sign).unwrap();
    vec![
        ("LD_PRELOAD", library.clone()),
        ("LD_AUDIT", library),
        ("LD_LIBRARY_PATH", env.path("evil").display().to_string()),
        ("LD_BIND_NOW", "1".into()),
        ("LD_DEBUG", "all".into()),
        ("LD_DEBUG_OUTPUT", env.path("loaded").display().to_string()),
    ]
}

#[test]
fn what_is_masked_is_what_is_drawn_by_lot() {
    assert_eq!(
        masked("20260921T150405Z zgq-0123456789abc zgq-abcdefghijklm guard t-12 web01 (7f3c2a10-dfff.cd-e1)"),
        "# zgq- zgq- guard t-# web# (#.cd-e#)"
    );
}
