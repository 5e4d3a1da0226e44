//! How the name of a ZVM is looked up, by the program as it ships: linked statically, where the C library's own ways are
//! not the usual ones.

use crate::env::{Env, skip};
use crate::guard_story::demo;
use crate::managed::{with_etc, with_etc_and};
use std::net::{Ipv4Addr, UdpSocket};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zvm_sim::Sim;

const NAME: &str = "zvm.corp.example";

/// A home whose config names the simulator by a name that only this test knows.
fn home(sim: &Sim) -> Env {
    let url = sim.url().replace("127.0.0.1", NAME).replace("localhost", NAME);
    assert!(url.contains(NAME), "{url}");
    Env::new().config(&sim.config_toml().replace(sim.url(), &url))
}

#[test]
fn a_name_of_etc_hosts_is_found() {
    let sim = demo().start();
    let env = home(&sim);
    let find = |hosts: &str| {
        let etc = [("../hosts", hosts), ("../nsswitch.conf", "hosts: files\n")];
        with_etc(&env, &etc, &["find", "web01"], "")
    };
    let Some(found) = find(&format!("127.0.0.1 localhost\n127.0.0.1 other.example {NAME}\n")) else {
        return skip("no mount namespace can be made here");
    };
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    assert!(found.stdout.contains("web01-dr"), "{}", found.stdout);
    let unknown = find("127.0.0.1 localhost\n").unwrap();
    assert_eq!(unknown.code, Some(6), "{}", unknown.stderr);
    assert!(unknown.stderr.contains(NAME), "{}", unknown.stderr);
}

#[test]
fn a_name_of_a_name_server_is_found() {
    // No port but this one can be named in resolv.conf.
    let server = Ipv4Addr::new(127, 9, 5, 3);
    let Ok(socket) = UdpSocket::bind((server, 53)) else {
        eprintln!("SKIPPED: port 53 can't be listened at by this user");
        return;
    };
    std::thread::spawn(move || answer_forever(&socket, &AtomicUsize::new(0)));
    let sim = demo().start();
    let env = home(&sim);
    let resolver = format!("nameserver {server}\noptions timeout:2 attempts:3\n");
    // The usual line of a desktop too: what can't be loaded is passed over.
    for services in ["files dns", "mymachines mdns4_minimal [NOTFOUND=return] resolve [!UNAVAIL=return] files dns"] {
        let services = format!("hosts: {services}\n");
        let etc =
            [("../hosts", "127.0.0.1 localhost\n"), ("../nsswitch.conf", &services), ("../resolv.conf", &resolver)];
        let Some(found) = with_etc(&env, &etc, &["find", "web01"], "") else {
            return skip("no mount namespace can be made here");
        };
        assert_eq!(found.code, Some(0), "{services}{}", found.stderr);
        assert!(found.stdout.contains("web01-dr"), "{}", found.stdout);
    }
}

/// What the C library heeds where it looks up a name is no project's to say: another name, or lines of a file that it prints.
#[test]
fn no_variable_changes_how_it_is_looked_up() {
    let server = Ipv4Addr::new(127, 9, 5, 6);
    let Ok(socket) = UdpSocket::bind((server, 53)) else {
        eprintln!("SKIPPED: port 53 can't be listened at by this user");
        return;
    };
    let strange = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&strange);
    std::thread::spawn(move || answer_forever(&socket, &counted));
    let sim = demo().start();
    let env = home(&sim);
    let resolver = format!("nameserver {server}\noptions timeout:2 attempts:3\n");
    let etc = [
        ("../hosts", "127.0.0.1 localhost\n"),
        ("../nsswitch.conf", "hosts: files dns\n"),
        ("../resolv.conf", &resolver),
    ];
    let secret = env.path("secret");
    env.write(&secret, "hunter2 is not of this file\n");
    let of_secret = format!("RESOLV_HOST_CONF={}", secret.display());
    let cases: [&[&str]; 3] = [
        &["LOCALDOMAIN=evil.example", "RES_OPTIONS=ndots:9"],
        &["LOCALDOMAIN=evil.example", "RES_OPTIONS=ndots:9", "LD_LIBRARY_PATH=/nowhere"],
        &[&of_secret],
    ];
    for variables in cases {
        let change = crate::guard_story::change(&env, "web01");
        let Some(hook) = with_etc_and(&env, &etc, variables, &["hook"], &change) else {
            return skip("no mount namespace can be made here");
        };
        assert_eq!((hook.code, hook.stderr.as_str()), (Some(0), ""), "{variables:?}");
        assert_eq!(strange.load(Ordering::SeqCst), 0, "{variables:?}: another name was asked for");
    }
}

/// A name server that knows one name: 127.0.0.1 for it, and no address of another kind (RFC 1035, 4.1). `strange`: how often
/// another name was asked for.
fn answer_forever(socket: &UdpSocket, strange: &AtomicUsize) {
    let name: Vec<u8> =
        NAME.split('.').flat_map(|part| [&[u8::try_from(part.len()).unwrap()], part.as_bytes()].concat()).collect();
    let mut question = [0; 512];
    while let Ok((length, from)) = socket.recv_from(&mut question) {
        let asked = &question[..length];
        if !asked[12..].starts_with(&[&name[..], &[0]].concat()) {
            strange.fetch_add(1, Ordering::SeqCst);
        }
        let end = 12 + asked[12..].iter().position(|byte| *byte == 0).unwrap() + 5;
        let is_for_v4 = asked[end - 4..end - 2] == [0, 1];
        let mut answer = asked[..end].to_vec();
        answer[2..12].copy_from_slice(&[0x85, 0x80, 0, 1, 0, u8::from(is_for_v4), 0, 0, 0, 0]);
        if is_for_v4 {
            // The name of the question, class and type, a life of a minute, and four bytes of address.
            answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
        }
        let _ = socket.send_to(&answer, from);
    }
}

/// A library that the C library would load to look up a name, and that ends the program as if all were well.
const ENDS_WELL: &str = "#include <unistd.h>\n__attribute__((constructor)) static void end(void) { _exit(0); }\n";

#[test]
fn a_library_of_the_project_is_not_loaded_to_look_one_up() {
    let sim = demo().start();
    let env = home(&sim);
    let (source, library) = (env.project().join("x.c"), env.project().join("libnss_resolve.so.2"));
    env.write(&source, ENDS_WELL);
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    if !built.is_ok_and(|status| status.success()) {
        return skip("there is no C compiler here");
    }
    let etc = [("../hosts", "127.0.0.1 localhost\n"), ("../nsswitch.conf", "hosts: files resolve\n")];
    for folders in [".".to_owned(), env.project().display().to_string()] {
        let hook = |stdin: &str| {
            let variable = format!("LD_LIBRARY_PATH={folders}");
            with_etc_and(&env, &etc, &[&variable], &["hook"], stdin)
        };
        let Some(change) = hook(&crate::guard_story::change(&env, "web01")) else {
            return skip("no mount namespace can be made here");
        };
        change.denied(NAME);
        hook(&env.call("Read", serde_json::json!({"file_path": "x.c"}))).unwrap().passed_silently();
    }
}
