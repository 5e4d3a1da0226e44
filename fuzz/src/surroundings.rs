//! Any bytes are a file that a program reads before it does what it was told, and that lies where the agent can write: none of them
//! makes a change of a guest look like reading, unless it says that the guest is another machine.

use super::ground::{first, text, within};
use super::judging::judge_as;
use zerto_guard::classify::{Found, Surroundings, Verdict};

/// A file, and the commands that read it. Each is a change of web01, or may be one.
const FILES: &[(&str, &[&str])] = &[
    ("/home/jo/.ssh/config", &["ssh web01 reboot", "scp x web01:/etc/x", "rsync -a x web01:/etc/"]),
    ("/etc/ssh/ssh_config", &["ssh -l root web01 -- systemctl stop nginx"]),
    ("/project/ansible.cfg", &["ansible web01 -m shell -a reboot"]),
    ("/project/hosts", &["ansible -i hosts web01 -m shell -a reboot", "ansible-playbook -i hosts site.yml"]),
    ("/project/site.yml", &["ansible-playbook -i web01, site.yml"]),
    ("/home/jo/.my.cnf", &["mysql -h web01 -e 'drop table x'"]),
    ("/home/jo/.pgpass", &["psql -h web01 -c 'drop table x'"]),
    ("/home/jo/.psqlrc", &["psql -h web01 -c 'drop table x'"]),
    ("/home/jo/.pg_service.conf", &["psql -h web01 -c 'drop table x'", "psql service=x -c 'drop table x'"]),
    ("/home/jo/.curlrc", &["curl -X DELETE http://web01/x"]),
    ("/home/jo/.gitconfig", &["git status; ssh web01 reboot"]),
    ("/project/.git/config", &["git fetch; ssh web01 reboot"]),
    ("/project/x.sh", &["sh x.sh; ssh web01 reboot", "ssh web01 sh -s < x.sh; ssh web01 reboot"]),
    ("/project/x.py", &["python3 x.py && ssh web01 reboot"]),
    ("/project/x.ps1", &["pwsh x.ps1; ssh web01 reboot"]),
    ("/project/x.sql", &["psql -h web01 -f x.sql; ssh web01 reboot"]),
    ("/project/x.awk", &["ssh web01 reboot | awk -f x.awk"]),
    ("/project/hosts.txt", &["pssh -h hosts.txt reboot", "pdsh -w ^hosts.txt reboot", "parallel-ssh -H web01 -h hosts.txt reboot"]),
    ("/home/jo/.netrc", &["ftp web01 <<< 'put x'"]),
    ("/home/jo/.config/rclone/rclone.conf", &["rclone copy x web01:/etc"]),
    ("/project/Dockerfile", &["docker build . && ssh web01 reboot"]),
    ("/home/jo/.tmux.conf", &["tmux new -d 'ssh web01 reboot'"]),
];

struct Around<'a>(&'static str, &'a [u8]);

impl Surroundings for Around<'_> {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        if path == self.0 { Found::File(self.1.to_vec()) } else { Found::Nothing }
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        let (folder, name) = self.0.rsplit_once('/')?;
        Some(if path == folder { vec![name.to_owned()] } else { vec![] })
    }

    fn home(&self) -> Option<String> {
        Some("/home/jo".into())
    }
}

/// Runs one input: a byte for the file, then its bytes.
pub fn run(bytes: &[u8]) {
    let (which, bytes) = first(bytes);
    within(10, || any(usize::from(which) % FILES.len(), bytes));
}

fn any(which: usize, bytes: &[u8]) {
    let (path, commands) = FILES[which];
    let said = text(bytes).to_ascii_lowercase();
    // What says where a machine is may say that it is this one; a list of machines may hold none.
    let moves = ["host", "service", "canonical", "include", "match", "proxy", "local", "::1", "127", "connect", "url"];
    let may_move = moves.iter().any(|word| said.contains(word)) || path.ends_with("hosts.txt") || path.ends_with("/hosts") || path.ends_with(".yml");
    for command in commands {
        let verdict = judge_as("Bash", (*command).to_owned(), &Around(path, bytes));
        assert!(verdict != Verdict::ReadOnly || may_move && !command.contains("; ssh") && !command.contains("&& ssh"), "{command} with {path}");
    }
}
