//! What is known of programs that reach another machine, program by program: each way of reading, of changing, and of hiding
//! either, with its verdict and the guests.

use super::targets::Places;
use super::{Found, Surroundings, classify};
use crate::call::{Tool, ToolCall};
use crate::catalog::Catalog;
use crate::json::Json;
use std::collections::BTreeMap;

/// The disk on which the cases are judged.
struct Disk;

const FILES: &[(&str, &str)] = &[
    ("/home/jo/.ssh/config", "Host prod\n  HostName web01.corp\nHost jumped\n  ProxyJump bast\n"),
    ("/p/reads.sh", "uptime\ndf -h\n"),
    ("/p/changes.sh", "systemctl restart nginx\n"),
    ("/p/batch.sftp", "ls /srv\nput x /srv/x\n"),
    ("/p/reads.sftp", "ls /srv\nget /srv/x\n"),
    ("/p/hosts", "web01\nweb02 # old\n"),
    ("/p/jobs.cron", "0 5 * * * /usr/bin/df -h\n"),
    ("/p/far.cron", "MAILTO=jo\n@daily ssh web01 reboot\n"),
    ("/p/commands.lftp", "open sftp://web01\nput x\n"),
    ("/etc/fstab", "web01:/srv /mnt/web nfs rw 0 0\n"),
];

impl Surroundings for Disk {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        let found = FILES.iter().find(|(name, _)| *name == path);
        found.map_or(Found::Nothing, |(_, text)| Found::File(text.as_bytes().to_vec()))
    }

    fn home(&self) -> Option<String> {
        Some("/home/jo".into())
    }

    fn folder(&self, _: &str) -> Option<Vec<String>> {
        Some(vec![])
    }
}

/// The verdict and the guests of a text.
fn judged(text: &str) -> String {
    let call = ToolCall {
        name: "Bash".into(),
        tool: Tool::Own("Bash".into()),
        input: Json::parse(serde_json::json!({ "command": text }).to_string().as_bytes()).unwrap(),
        cwd: Some("/p".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: true,
    };
    let places = Places {
        hosts: BTreeMap::from([("db01.corp".into(), "db01".into())]),
        unguarded: vec!["ci.build.example".into()],
        ..Places::default()
    };
    let known = classify(&call, &Catalog::default(), &places, &Disk);
    let mut guests = known.guests();
    guests.sort_unstable();
    format!("{} {}", known.verdict.name(), guests.join(",")).trim_end().to_owned()
}

/// Checks one program's cases; every wrong one is shown.
pub(in crate::classify) fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let got = judged(text);
            (got != *expected).then(|| format!("{text}\n  expected {expected}\n  got      {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn machines_as_they_are_named() {
    check(&[
        ("ssh web01 reboot", "mutating web01"),
        ("ssh root@web01 reboot", "mutating web01"),
        ("scp x web01:/etc/", "mutating web01"),
        ("scp x root@web01:/etc/", "mutating web01"),
        ("scp x '[fe80::1]:/etc/'", "mutating fe80::1"),
        ("scp x 'root@[fe80::1]:/etc/'", "mutating fe80::1"),
        // Without quotes a shell looks for files of that name first.
        ("scp x [fe80::1]:/etc/", "unknown"),
        ("scp x scp://root@web01:2222//etc/x", "mutating web01"),
        ("ssh prod reboot", "mutating web01.corp"),
        ("scp ./a:b /tmp/", "read_only"),
        ("scp /a:b /tmp/", "read_only"),
        ("rsync -a ./a:b /tmp/", "read_only"),
        ("ssh -p22 -lroot -oPort=22 -oProxyJump=bast -i~/.ssh/k -Jbast web01 reboot", "mutating web01"),
        ("ssh -tto Port=22 web01 reboot", "mutating web01"),
        ("ssh -vvp22 web01 reboot", "mutating web01"),
        ("ssh -- web01 reboot", "mutating web01"),
        ("ssh web01 -- reboot", "mutating web01"),
        ("ssh localhost reboot", "read_only"),
        ("ssh ci.build.example reboot", "read_only"),
        ("ssh db01.corp reboot", "mutating db01.corp"),
    ]);
}

#[test]
fn where_a_script_is_from() {
    check(&[
        ("ssh web01 < reads.sh", "read_only"),
        ("ssh web01 < changes.sh", "mutating web01"),
        ("cat changes.sh | ssh web01", "mutating web01"),
        ("gen | ssh web01", "unknown web01"),
        ("ssh web01 <<'EOF'\nsystemctl restart nginx\nEOF", "mutating web01"),
        ("ssh web01 <<'EOF'\nuptime\nEOF", "read_only"),
        ("ssh web01 'bash -s' < changes.sh", "mutating web01"),
        ("ssh web01 'bash -s' <<EOF\nreboot\nEOF", "mutating web01"),
        ("ssh web01 sh -c 'reboot'", "mutating web01"),
        ("ssh web01 'bash -lc \"reboot\"'", "mutating web01"),
        ("ssh web01 sudo -i reboot", "mutating web01"),
        ("ssh web01 'su - -c reboot'", "mutating web01"),
        ("ssh web01 'echo x | xargs rm'", "mutating web01"),
        ("ssh web01 'echo cmVib290 | base64 -d | sh'", "unknown web01"),
        ("sftp -b - web01 <<< 'put x'", "mutating web01"),
        ("ssh web01 < absent.sh", "unknown web01"),
        // ssh joins its words, and the shell there reads them again.
        ("ssh web01 echo ok ';' reboot", "mutating web01"),
        ("ssh web01 'echo ok' '&&' 'rm x'", "mutating web01"),
    ]);
}

#[test]
fn hops_and_prefixes() {
    check(&[
        ("ssh a ssh b reboot", "mutating a,b"),
        ("ssh -J a b reboot", "mutating b"),
        ("ssh -J a,c b uptime", "read_only"),
        ("ssh jumped reboot", "mutating jumped"),
        ("ssh a 'docker exec c sh -c \"rm x\"'", "mutating a"),
        ("sudo ssh web01 reboot", "mutating web01"),
        ("doas ssh web01 reboot", "mutating web01"),
        ("env A=b ssh web01 reboot", "mutating web01"),
        ("nohup ssh web01 reboot &", "mutating web01"),
        ("nice ssh web01 reboot", "mutating web01"),
        ("timeout 5 ssh web01 reboot", "mutating web01"),
        ("time ssh web01 reboot", "mutating web01"),
        ("stdbuf -oL ssh web01 reboot", "mutating web01"),
        ("setsid ssh web01 reboot", "mutating web01"),
        ("torsocks ssh web01 reboot", "mutating web01"),
        ("proxychains4 -q ssh web01 reboot", "mutating web01"),
        ("unbuffer ssh web01 reboot", "mutating web01"),
        ("script -qc 'ssh web01 reboot' /dev/null", "mutating web01"),
        ("watch -n 5 ssh web01 uptime", "read_only"),
        ("watch ssh web01 reboot", "mutating web01"),
        ("parallel ssh {} reboot ::: web01 web02", "mutating web01,web02"),
        ("echo web01 | xargs -I{} ssh {} reboot", "mutating web01"),
        ("gen | xargs -I{} ssh {} reboot", "unknown"),
        ("sshpass -p pw ssh web01 reboot", "mutating web01"),
        ("expect -c 'spawn ssh web01'", "unknown"),
        ("ssh -V", "read_only"),
        ("rsync --version", "read_only"),
        ("scp --help", "unknown"),
    ]);
}

#[test]
fn variables_that_choose() {
    check(&[
        ("RSYNC_RSH='ssh -l root' rsync -a x web01:/etc", "mutating web01"),
        ("RSYNC_RSH='ssh web02 reboot' rsync -a web01:/etc /tmp", "unknown"),
        ("export RSYNC_RSH='ssh web02'; rsync -a web01:/etc /tmp", "unknown"),
        ("RSYNC_RSH='sh -c \"ssh web02 reboot\"' rsync -a web01:/etc /tmp", "mutating web02"),
        ("GIT_SSH_COMMAND='ssh -i k' git pull", "read_only"),
        ("GIT_SSH_COMMAND='ssh web01 reboot #' git pull", "mutating web01"),
        ("LD_PRELOAD=/tmp/x.so ls", "unknown"),
        ("SCREENRC=/tmp/x screen -dm ls", "unknown"),
        ("LFTP_HOME=/tmp/x lftp -c 'open web01; ls'", "unknown"),
        ("LIBSMB_PROG='sh -c x' smbclient -L web01", "unknown"),
        ("RESTIC_REPOSITORY=sftp:bak01:/r restic backup x", "mutating bak01"),
        ("export RESTIC_REPOSITORY=sftp:bak01:/r; restic forget --prune", "mutating bak01"),
        ("BORG_REPO=ssh://bak01/r borg prune --keep-last 1", "mutating bak01"),
        ("PATH=/tmp:$PATH ls", "unknown"),
    ]);
}

#[test]
fn ssh() {
    check(&[
        ("ssh web01 -p 22 uptime", "read_only"),
        ("ssh web01 -p 2222 reboot", "mutating web01"),
        ("ssh web01 uptime -p 33", "read_only"),
        ("ssh ssh://root@web01:22 reboot", "mutating web01"),
        ("ssh -l root web01 reboot", "mutating web01"),
        ("ssh -o HostName=prod2 test reboot", "mutating prod2"),
        ("ssh -o ProxyCommand='ssh -W %h:%p bast' web01 uptime", "read_only"),
        ("ssh -o ProxyCommand='ssh web02 reboot' web01 uptime", "mutating web02"),
        ("ssh -o PermitLocalCommand=yes -o LocalCommand='ssh web02 reboot' web01 uptime", "mutating web02"),
        ("ssh -Q cipher", "read_only"),
        ("ssh -G web01", "read_only"),
        ("ssh -O check web01", "read_only"),
        ("ssh -S /tmp/s -O exit web01", "read_only"),
        ("ssh -O stop web01", "read_only"),
        ("ssh -O forward -L 5433:db01:5432 web01", "unknown"),
        ("ssh -O cancel -L 5433:db01:5432 web01", "read_only"),
        ("ssh -S /tmp/sock web01 reboot", "unknown"),
        ("ssh web01", "read_only"),
        ("ssh -n web01 < changes.sh", "read_only"),
        ("ssh -f web01 reboot", "mutating web01"),
        ("ssh -s web01 sftp", "unknown web01"),
        ("ssh -s web01 netconf", "unknown web01"),
        ("ssh -o RemoteCommand=reboot web01", "mutating web01"),
        ("ssh -o RemoteCommand=uptime web01", "read_only"),
        ("ssh -o SessionType=none web01", "unknown"),
        ("ssh -t web01 'sudo reboot'", "mutating web01"),
        ("ssh -T web01 df -h", "read_only"),
        ("ssh $HOST reboot", "unknown"),
        ("ssh web01 \"$CMD\"", "unknown web01"),
    ]);
}

#[test]
fn tunnels() {
    check(&[
        ("ssh -fNL 5433:db01:5432 bast", "unknown db01"),
        ("ssh -N -L 8080:localhost:80 web01", "unknown web01"),
        ("ssh -NL 127.0.0.1:8080:[fe80::1]:80 bast", "unknown fe80::1"),
        ("ssh -o LocalForward='5433 db01:5432' -N bast", "unknown db01"),
        ("ssh -NL 8080:ci.build.example:80 bast", "read_only"),
        ("ssh -D 1080 bast uptime", "unknown"),
        ("ssh -R 2222:localhost:22 web01 uptime", "unknown"),
        ("ssh -w 0:0 web01", "unknown"),
        ("ssh -W db01:22 bast", "unknown"),
        ("ssh -MNf -S /tmp/s web01", "unknown"),
        // What is called loopback is another machine then.
        ("ssh -fNL 5433:db01:5432 bast; nc localhost 5433 < changes.sh", "unknown db01"),
        ("socat TCP-LISTEN:80,fork TCP:web01:80 & nc 127.0.0.1 80 <<< 'DELETE /'", "unknown web01"),
        ("ssh -fNL 2222:web01:22 bast; ssh -p 2222 localhost reboot", "unknown web01"),
        ("autossh -M 0 -f -N -L 5433:db01:5432 bast", "unknown db01"),
        ("autossh -V", "read_only"),
        ("autossh web01 reboot", "mutating web01"),
        ("sshuttle -r jo@bast 10.0.0.0/8", "unknown bast"),
        ("sshuttle --version", "read_only"),
        ("ngrok http 80", "unknown"),
        ("cloudflared tunnel run x", "unknown"),
        ("cloudflared --version", "read_only"),
        ("chisel client s 5433:db01:5432", "unknown"),
        ("tailscale status", "read_only"),
        ("tailscale ssh root@web01 reboot", "mutating web01"),
        ("tailscale file cp x web01:", "mutating web01"),
        ("wg show", "read_only"),
        ("exec 3<>/dev/tcp/web01/80; echo x >&3", "unknown"),
    ]);
}

#[test]
fn scp_and_sftp() {
    check(&[
        ("scp web01:/etc/hosts .", "read_only"),
        ("scp x web01:/etc/hosts", "mutating web01"),
        ("scp -r a b root@web01:/srv", "mutating web01"),
        ("scp -3 web01:/x web02:/y", "mutating web02"),
        ("scp -P 2222 -i k x web01:", "mutating web01"),
        ("scp -p x web01:", "mutating web01"),
        ("scp -S ./evil x web01:", "unknown"),
        ("scp -O web01:'$(reboot)' .", "mutating web01"),
        ("scp -o ProxyCommand='ssh web02 reboot' web01:x .", "mutating web02"),
        ("sftp web01", "read_only"),
        ("sftp web01:/etc/hosts /tmp/", "read_only"),
        ("sftp -b batch.sftp web01", "mutating web01"),
        ("sftp -b reads.sftp web01", "read_only"),
        ("sftp web01 <<< 'get x'", "read_only"),
        ("sftp web01 <<< '-rm x'", "mutating web01"),
        ("sftp web01 <<< 'rename a b'", "mutating web01"),
        ("sftp web01 <<< '!ssh web02 reboot'", "mutating web02"),
        ("sftp sftp://root@web01:22/srv", "read_only"),
        ("pscp x web01:/srv", "mutating web01"),
        ("pscp -ls web01:/srv", "read_only"),
        ("psftp web01 -b batch.sftp", "mutating web01"),
    ]);
}

#[test]
fn rsync() {
    check(&[
        ("rsync -a web01:/srv/ /tmp/x/", "read_only"),
        ("rsync -a x/ web01:/srv/", "mutating web01"),
        ("rsync -a x/ root@web01::module", "mutating web01"),
        ("rsync -a x/ rsync://root@web01:873/module", "mutating web01"),
        ("rsync -a x/ '[fe80::1]:/srv/'", "mutating fe80::1"),
        ("rsync web01:/srv/", "read_only"),
        ("rsync --list-only web01:/srv/", "read_only"),
        ("rsync -n -a x/ web01:/srv/", "read_only"),
        ("rsync -an --delete x/ web01:/srv/", "read_only"),
        ("rsync -a --delete x/ web01:/srv/", "mutating web01"),
        ("rsync -a --remove-source-files web01:/srv/ /tmp/x/", "mutating web01"),
        ("rsync -a -e 'ssh -p 2222' x/ web01:/srv/", "mutating web01"),
        ("rsync -a -e 'ssh web02 reboot;' x/ web01:/srv/", "mutating web02"),
        ("rsync -a --rsync-path='sudo rsync' web01:/etc/ /tmp/", "read_only"),
        ("rsync -a --rsync-path='reboot; rsync' web01:/etc/ /tmp/", "mutating web01"),
        ("rsync -a web01:/a web01:/b /tmp/", "read_only"),
        ("ssh web01 rsync --server -e.LsfxCIvu . /srv", "mutating web01"),
        ("ssh web01 rsync --server --sender -e.LsfxCIvu . /srv", "read_only"),
    ]);
}

#[test]
fn other_logins() {
    check(&[
        ("mosh web01 -- reboot", "mutating web01"),
        ("mosh web01 -- uptime", "read_only"),
        ("mosh --ssh='ssh -p 22' root@web01 -- reboot", "mutating web01"),
        ("mosh --server='reboot; mosh-server' web01 -- uptime", "mutating web01"),
        ("plink -batch root@web01 reboot", "mutating web01"),
        ("plink -ssh web01 -P 22 -l root uptime", "read_only"),
        ("plink web01 -m changes.sh", "mutating web01"),
        ("plink -load session reboot", "unknown"),
        ("telnet web01 23", "read_only"),
        ("echo reboot | telnet web01", "unknown web01"),
        ("rsh web01 reboot", "mutating web01"),
        ("rsh web01 uptime", "read_only"),
        ("rlogin web01 <<< reboot", "mutating web01"),
        ("dsh -m web01 reboot", "mutating web01"),
        ("tsh ssh root@web01 reboot", "mutating web01"),
        ("tsh ls", "read_only"),
        ("tsh status", "read_only"),
        ("tsh scp x web01:/srv", "mutating web01"),
        ("ssh-copy-id root@web01", "mutating web01"),
        ("ssh-copy-id -n web01", "read_only"),
        ("ssh-keyscan web01", "read_only"),
        ("ssh-keygen -R web01", "read_only"),
        ("ssh-add -l", "read_only"),
    ]);
}

#[test]
fn many_machines_at_once() {
    check(&[
        ("pdsh -w web0[1-2] reboot", "mutating web01,web02"),
        ("pdsh -w web01,web02 -x web02 reboot", "mutating web01"),
        ("pdsh -w web01 uptime", "read_only"),
        ("pdsh -w ssh:root@web01 reboot", "mutating web01"),
        ("pdsh -a reboot", "unknown"),
        ("pdsh -g web reboot", "unknown"),
        ("pdsh -w web01 <<< reboot", "mutating web01"),
        ("WCOLL=hosts pdsh reboot", "unknown"),
        ("pdcp -w web01 x /etc", "mutating web01"),
        ("rpdcp -w web01 /etc/hosts .", "read_only"),
        ("clush -w web[01-02] reboot", "mutating web01,web02"),
        ("clush -w web01 uptime", "read_only"),
        ("clush -w web01 --copy x --dest /etc", "mutating web01"),
        ("clush -w web01 --rcopy /etc/hosts", "read_only"),
        ("clush -w @web reboot", "unknown"),
        ("parallel-ssh -H web01 -H root@web02 reboot", "mutating web01,web02"),
        ("pssh -h hosts reboot", "mutating web01,web02"),
        ("parallel-ssh -H web01 -I reboot < x", "mutating web01"),
        ("parallel-scp -H web01 x /etc/x", "mutating web01"),
        ("parallel-slurp -H web01 /etc/hosts x", "read_only"),
        ("parallel-nuke -H web01 nginx", "mutating web01"),
        ("parallel-rsync -H web01 x /srv", "mutating web01"),
    ]);
}

#[test]
fn services_of_another_machine() {
    check(&[
        ("systemctl -H root@web01 status nginx", "read_only"),
        ("systemctl -H root@web01 restart nginx", "mutating web01"),
        ("systemctl --host=web01 edit nginx", "mutating web01"),
        ("systemctl -H web01 list-timers", "read_only"),
        ("systemctl restart nginx", "read_only"),
        ("systemd-run -H web01 reboot", "mutating web01"),
        ("systemd-run --on-calendar=daily ssh web01 reboot", "mutating web01"),
        ("systemd-run --user df -h", "read_only"),
        ("hostnamectl -H web01 set-hostname x", "mutating web01"),
        ("loginctl -H web01 list-sessions", "read_only"),
        ("timedatectl -H web01 set-time 12:00", "mutating web01"),
        ("journalctl -M box", "read_only"),
        ("nmcli device", "read_only"),
        ("ip addr", "read_only"),
        ("ssh web01 ip link set eth0 down", "mutating web01"),
        ("hostnamectl", "read_only"),
        ("vmstat 1 2", "read_only"),
        ("ps aux", "read_only"),
    ]);
}

#[test]
fn schedulers() {
    check(&[
        ("crontab -l", "read_only"),
        ("crontab -r", "read_only"),
        ("ssh web01 crontab -l", "read_only"),
        ("ssh web01 crontab -r", "mutating web01"),
        ("crontab jobs.cron", "read_only"),
        ("crontab far.cron", "mutating web01"),
        ("crontab - < far.cron", "mutating web01"),
        ("echo '0 5 * * * ssh web01 reboot' | crontab -", "mutating web01"),
        ("(crontab -l; echo '0 5 * * * x') | crontab -", "unknown"),
        ("ssh web01 'echo \"0 5 * * * df -h\" | crontab -'", "mutating web01"),
        ("crontab -e", "unknown"),
        ("echo 'ssh web01 reboot' | at now + 5 minutes", "mutating web01"),
        ("at -f changes.sh midnight", "read_only"),
        ("at -l", "read_only"),
        ("batch <<< 'ssh web01 reboot'", "mutating web01"),
        ("ssh web01 'echo reboot | at now'", "mutating web01"),
        ("anacron -n", "unknown"),
        ("launchctl list", "read_only"),
        ("launchctl load x.plist", "unknown"),
        ("launchctl submit -l x -- ssh web01 reboot", "unknown"),
    ]);
}

#[test]
fn terminals() {
    check(&[
        ("tmux ls", "read_only"),
        ("tmux capture-pane -p -t x", "read_only"),
        ("tmux list-windows", "read_only"),
        ("tmux display-message -p '#S'", "read_only"),
        ("tmux has-session -t x", "read_only"),
        ("tmux show-options -g", "read_only"),
        ("tmux kill-session -t x", "read_only"),
        ("ssh web01 tmux kill-server", "mutating web01"),
        ("tmux send-keys -t x 'ls' Enter", "unknown"),
        ("tmux send-keys -t x 'ssh web01 reboot' Enter", "mutating web01"),
        ("tmux send-keys -t x 'ssh web01 re' 'boot' C-m", "mutating web01"),
        ("tmux send-keys -lt x 'ssh web01 reboot'", "mutating web01"),
        ("tmux new-session -d 'ssh web01 reboot'", "mutating web01"),
        ("tmux new-session -d -s x ssh web01 reboot", "mutating web01"),
        ("tmux new -d df", "read_only"),
        ("tmux run-shell 'ssh web01 reboot'", "mutating web01"),
        ("tmux pipe-pane -t x 'ssh web01 \"cat >> /etc/x\"'", "mutating web01"),
        ("tmux respawn-pane -k 'ssh web01 reboot'", "mutating web01"),
        ("tmux if-shell true 'run-shell x' ", "unknown"),
        ("tmux source-file x", "unknown"),
        ("tmux paste-buffer -t x", "unknown"),
        ("tmux new -d -s x \\; send-keys 'ssh web01 reboot' Enter", "mutating web01"),
        ("tmux ls \\; new-window 'ssh web01 reboot'", "mutating web01"),
        ("for p in 1 2; do tmux send-keys -t $p 'ssh web01 reboot' Enter; done", "mutating web01"),
        ("tmux new -d -s x; tmux send-keys -t x 'ssh web01' Enter; tmux send-keys -t x reboot Enter", "unknown"),
        ("ssh web01 tmux send-keys -t x reboot Enter", "mutating web01"),
        ("tmux() { ssh web01 reboot; }; tmux ls", "mutating web01"),
        ("tmux ls $(ssh web01 reboot)", "mutating web01"),
        ("tmux set -g status-right '#(ssh web01 reboot)'", "unknown"),
        ("screen -ls", "read_only"),
        ("screen -S x -X hardcopy /tmp/h", "read_only"),
        ("screen -S x -p 0 -X stuff 'ls\\n'", "unknown"),
        ("screen -S x -X stuff $'ssh web01 reboot\\n'", "mutating web01"),
        ("screen -dmS x ssh web01 reboot", "mutating web01"),
        ("screen -dm df -h", "read_only"),
        ("screen -S x -X quit", "read_only"),
        ("zellij ls", "read_only"),
        ("zellij run -- ssh web01 reboot", "mutating web01"),
        ("zellij action write-chars 'ssh web01 reboot'", "mutating web01"),
        ("byobu ls", "read_only"),
        ("byobu send-keys 'ls' Enter", "unknown"),
        ("wezterm cli list", "read_only"),
        ("wezterm cli send-text --no-paste 'ls'", "unknown"),
        ("wezterm cli spawn -- ssh web01 reboot", "mutating web01"),
        ("wezterm ssh web01 reboot", "mutating web01"),
        ("kitty @ ls", "read_only"),
        ("kitty @ send-text ls", "unknown"),
        ("dtach -n /tmp/s ssh web01 reboot", "mutating web01"),
        ("abduco -n x ssh web01 reboot", "mutating web01"),
        ("expect -f x.exp", "unknown"),
        ("expect - <<< 'spawn ssh web01'", "unknown"),
        ("autoexpect ssh web01", "unknown"),
    ]);
}

#[test]
fn ports() {
    check(&[
        ("nc -z web01 22", "read_only"),
        ("nc -zv -w 3 web01 20-30", "read_only"),
        ("nc web01 80 < changes.sh", "unknown web01"),
        ("echo QUIT | nc web01 25", "unknown web01"),
        ("nc -e /bin/sh web01 1", "unknown"),
        ("ncat -c sh web01 1", "unknown"),
        ("nc -l 8080", "read_only"),
        ("ncat --ssl web01 443 <<< x", "unknown web01"),
        ("socat - TCP:web01:80 <<< x", "unknown web01"),
        ("socat - OPENSSL:web01:443 <<< x", "unknown web01"),
        ("socat - UNIX-CONNECT:/run/x.sock <<< x", "unknown"),
        ("socat - EXEC:'ssh web01 reboot'", "mutating web01"),
        ("socat TCP:web01:1 SYSTEM:sh", "unknown web01"),
        ("ssh web01 socat -u TCP:a:1 OPEN:/etc/x,creat", "mutating web01"),
        ("openssl s_client -connect web01:443 < /dev/null", "read_only"),
        ("echo x | openssl s_client -connect web01:443", "unknown"),
        ("ping -c 1 web01", "read_only"),
        ("traceroute web01", "read_only"),
        ("dig web01", "read_only"),
        ("nmap -sV web01", "read_only"),
        ("nmap --script ssl-cert web01", "read_only"),
        ("nmap --script ssh-brute web01", "unknown web01"),
        ("nmap --script exploit web01", "unknown web01"),
        ("nmap --script dos web01", "unknown web01"),
    ]);
}

#[test]
fn shares_and_mounts() {
    check(&[
        ("smbclient -L web01", "read_only"),
        ("smbclient //web01/c -c 'ls; get x'", "read_only"),
        ("smbclient //web01/c -c 'put x'", "mutating web01"),
        ("smbclient //web01/c -c 'deltree x'", "mutating web01"),
        ("smbclient //x/c -I 10.0.0.5 -c 'mkdir y'", "mutating 10.0.0.5"),
        ("smbclient //web01/c -Tx x.tar", "mutating web01"),
        ("smbclient //web01/c -c '!ssh web02 reboot'", "mutating web02"),
        ("smbclient -M web01 <<< hi", "unknown web01"),
        ("net rpc info -S web01", "read_only"),
        ("net rpc user add x -S web01", "mutating web01"),
        ("net rpc shutdown -I 10.0.0.5", "mutating 10.0.0.5"),
        ("rpcclient web01 -c enumdomusers", "read_only"),
        ("rpcclient web01 -c 'setuserinfo2 x 23 y'", "mutating web01"),
        ("sshfs web01:/srv /tmp/m", "unknown web01"),
        ("sshfs -o ro web01:/srv /tmp/m", "read_only"),
        ("sshfs web01:/srv /tmp/m && rm -rf /tmp/m/x", "mutating web01"),
        ("mount -t nfs web01:/srv /tmp/m", "unknown web01"),
        ("mount -t nfs -o ro web01:/srv /tmp/m", "read_only"),
        ("mount -t cifs //web01/c /tmp/m && cp x /tmp/m/", "mutating web01"),
        ("sudo mount /mnt/web && touch /mnt/web/x", "mutating web01"),
        ("mount.nfs web01:/srv /tmp/m", "unknown web01"),
        ("umount /mnt", "read_only"),
        ("fusermount -u /mnt", "read_only"),
        ("ssh web01 umount /srv", "mutating web01"),
    ]);
}

#[test]
fn files_without_ssh() {
    check(&[
        ("lftp -c 'open sftp://web01; mirror /srv x'", "read_only"),
        ("lftp -e 'put x; bye' -u jo,pw sftp://web01", "mutating web01"),
        ("lftp -f commands.lftp", "mutating web01"),
        ("lftp -c 'open web01; mirror -R x /srv'", "mutating web01"),
        ("lftp -c 'open web01; mirror --Remove-source-files /srv x'", "mutating web01"),
        ("lftp -c 'open web01; !ssh web02 reboot'", "mutating web02"),
        ("ftp -n web01 <<< 'put x'", "mutating web01"),
        ("ftp web01 <<< 'get x'", "read_only"),
        ("ftp web01 <<< 'quote SITE EXEC x'", "unknown web01"),
        ("ncftpput web01 /srv x", "mutating web01"),
        ("ncftpget web01 . x", "read_only"),
        ("tftp web01 -c put x", "mutating web01"),
        ("tftp web01 -c get x", "read_only"),
        ("rclone ls remote:x", "read_only"),
        ("rclone copy remote:x /tmp/y", "read_only"),
        ("rclone copy x remote:y", "unknown"),
        ("rclone copy x :sftp,host=web01:/srv", "mutating web01"),
        ("rclone sync -n x :sftp,host=web01:/srv", "read_only"),
        ("rclone move :sftp,host=web01:/srv x", "mutating web01"),
        ("rclone purge remote:x", "unknown"),
        ("rclone mount remote:x /tmp/m", "unknown"),
        ("restic -r sftp:jo@bak01:/r snapshots", "read_only"),
        ("restic -r sftp:jo@bak01:/r backup x", "mutating bak01"),
        ("restic -r rest:http://bak01:8000/ forget --keep-last 1", "unknown bak01"),
        ("restic -r /r restore latest --target /tmp/x", "read_only"),
        ("ssh web01 restic -r /r restore latest --target /", "mutating web01"),
        ("restic -o sftp.command='ssh web01 reboot' -r /r ls latest", "unknown"),
        ("borg list ssh://bak01/r", "read_only"),
        ("borg create ssh://bak01/r::x y", "mutating bak01"),
        ("borg delete jo@bak01:r::x", "mutating bak01"),
    ]);
}

#[test]
fn controllers_and_screens() {
    check(&[
        ("ipmitool -I lanplus -H bmc01 power status", "read_only"),
        ("ipmitool -H bmc01 sdr", "read_only"),
        ("ipmitool -H bmc01 sel list", "read_only"),
        ("ipmitool -H bmc01 chassis status", "read_only"),
        ("ipmitool -H bmc01 power cycle", "unknown bmc01"),
        ("ipmitool -H bmc01 chassis bootdev pxe", "unknown bmc01"),
        ("ipmitool -H bmc01 raw 6 1", "unknown bmc01"),
        ("ipmitool -H bmc01 sel clear", "unknown bmc01"),
        ("ipmitool exec x", "unknown"),
        ("ipmitool shell", "unknown"),
        ("racadm -r bmc01 getsysinfo", "read_only"),
        ("racadm -r bmc01 set x y", "unknown bmc01"),
        ("racadm -r bmc01 serveraction hardreset", "unknown bmc01"),
        ("redfishtool -r bmc01 Systems", "read_only"),
        ("redfishtool -r bmc01 Systems reset ForceOff", "unknown bmc01"),
        ("redfishtool -r bmc01 raw POST /redfish", "unknown bmc01"),
        ("ilorest get --select Bios", "read_only"),
        ("ilorest reboot --url bmc01", "unknown bmc01"),
        ("snmpget -v2c -c public web01 sysDescr.0", "read_only"),
        ("snmpwalk -v2c -c public web01", "read_only"),
        ("snmpbulkwalk -v2c -c public web01", "read_only"),
        ("snmptable -v2c -c public web01 ifTable", "read_only"),
        ("snmpset -v2c -c private web01 sysName.0 s x", "mutating web01"),
        ("snmpset -v2c -c private udp:web01:161 sysName.0 s x", "mutating web01"),
        ("gnmic -a sw01 get --path /x", "read_only"),
        ("gnmic -a sw01 set --update-path /x", "mutating sw01"),
        ("netconf-console --host sw01 --get-config", "read_only"),
        ("netconf-console --host sw01 --edit-config x.xml", "unknown sw01"),
        ("xfreerdp /v:web01 /app:notepad", "unknown web01"),
        ("rdesktop web01", "unknown web01"),
        ("vncdo -s web01 capture x.png", "read_only"),
        ("vncdo -s web01 type x", "unknown web01"),
        ("vncdo -s web01 key enter", "unknown web01"),
    ]);
}

#[test]
fn logins_to_windows() {
    check(&[
        ("impacket-lookupsid jo@web01", "read_only"),
        ("impacket-rpcdump web01", "read_only"),
        ("impacket-reg jo@web01 query -keyName HKLM", "read_only"),
        ("impacket-reg jo@web01 add -keyName HKLM -v x", "mutating web01"),
        ("impacket-services jo@web01 stop -name x", "mutating web01"),
        ("impacket-psexec corp/jo:pw@web01 ipconfig", "mutating web01"),
        ("impacket-wmiexec jo@web01 ipconfig", "read_only"),
        ("wmiexec.py jo@web01 'net stop x'", "mutating web01"),
        ("impacket-secretsdump jo@web01", "mutating web01"),
        ("nxc smb web01 -u jo -p pw --shares", "read_only"),
        ("nxc smb web01 -u jo -p pw -x 'net stop x'", "mutating web01"),
        ("nxc smb web01 -M x", "unknown web01"),
        ("winexe //web01 'net stop x'", "mutating web01"),
        ("winexe //web01 'ipconfig'", "read_only"),
    ]);
}

#[test]
fn other_agents() {
    check(&[
        ("claude -p 'fix it'", "unknown"),
        ("claude --version", "read_only"),
        ("claude mcp list", "read_only"),
        ("claude mcp add x -- y", "unknown"),
        ("claude plugin install x", "unknown"),
        ("codex exec 'fix it'", "unknown"),
        ("codex --version", "read_only"),
        ("gemini -p x", "unknown"),
        ("copilot -p x", "unknown"),
        ("opencode run x", "unknown"),
        ("aider --message x", "unknown"),
        ("cursor-agent -p x", "unknown"),
        ("goose run -t x", "unknown"),
        ("amp -x y", "unknown"),
        ("qwen -p x", "unknown"),
        ("droid exec x", "unknown"),
        ("kiro-cli chat x", "unknown"),
        ("crush run x", "unknown"),
        ("llm 'do it'", "unknown"),
        ("ollama run llama3 'hello'", "read_only"),
        ("ollama list", "read_only"),
        ("ssh web01 claude -p x", "unknown web01"),
    ]);
}

#[test]
fn directions() {
    check(&[
        ("scp a web01:b", "mutating web01"),
        ("scp web01:a b", "read_only"),
        ("rsync -a --remove-source-files web01:a b", "mutating web01"),
        ("scp web01:a web02:b", "mutating web02"),
        ("rsync web01:a", "read_only"),
        ("rsync --dry-run a web01:b", "read_only"),
    ]);
}

#[test]
fn texts_that_are_hidden() {
    check(&[
        ("ssh web01 \"$(cat x.sh)\"", "unknown web01"),
        ("ssh web01 \"$CMD\"", "unknown web01"),
        ("ssh web01 'bash -s' < <(gen)", "unknown web01"),
        ("echo cmVib290 | base64 -d | ssh web01 sh", "unknown web01"),
        ("echo 7265626f6f74 | xxd -r -p | ssh web01 sh", "unknown web01"),
        ("ssh web01 'eval \"$X\"'", "unknown web01"),
        ("scp x.sh web01:/t && ssh web01 sh /t/x.sh", "mutating web01"),
        ("ssh web01 sudo tee /etc/x <<EOF\nx\nEOF", "mutating web01"),
        ("ssh web01 'df > /tmp/x'", "mutating web01"),
        ("ssh web01 'df >> /tmp/x'", "mutating web01"),
        ("ssh web01 'df 2> /tmp/x'", "mutating web01"),
        ("ssh web01 'df | tee /tmp/x'", "mutating web01"),
        ("ssh web01 'df > /dev/null 2>&1'", "read_only"),
        ("ssh web01 df > /tmp/x", "read_only"),
        ("ssh web01 find /srv -delete", "mutating web01"),
        ("ssh web01 'find /srv -exec rm {} +'", "mutating web01"),
        ("ssh web01 sed -i s/a/b/ /etc/x", "mutating web01"),
        ("ssh web01 'awk \"BEGIN{system(\\\"reboot\\\")}\"'", "mutating web01"),
        ("ssh web01 'ls | xargs rm'", "mutating web01"),
        ("ssh web01 tar xf /tmp/x.tar -C /", "mutating web01"),
        ("ssh web01 dd if=/dev/zero of=/dev/sda", "mutating web01"),
        ("ssh web01 vi -c ':!reboot' /etc/x", "mutating web01"),
        ("ssh web01 git -c alias.x='!reboot' x", "mutating web01"),
        ("ssh web01 journalctl --vacuum-size=1M", "mutating web01"),
        ("ssh web01 journalctl --rotate", "mutating web01"),
        ("ssh web01 dmesg -C", "mutating web01"),
        ("ssh web01 ip link set eth0 up", "mutating web01"),
        ("ssh web01 ss -K dst 10.0.0.1", "mutating web01"),
        ("ssh web01 date -s 12:00", "mutating web01"),
        ("ssh web01 hostname x", "mutating web01"),
        ("ssh web01 sysctl -w a=b", "mutating web01"),
        ("ssh web01 mount /srv", "mutating web01"),
        ("ssh web01 crontab -", "mutating web01"),
        ("ssh web01 history -c", "unknown web01"),
        ("ssh web01 top -b -n 1", "read_only"),
        ("ssh web01 ping -f -c 1 db01", "read_only"),
    ]);
}
