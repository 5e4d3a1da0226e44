//! Tests of the built-in tables of developers' and services' programs.

use super::table::report;
use crate::catalog::Catalog;
use crate::classify::effect::{Command, Effect};
use crate::classify::word::Word;

#[path = "tables_clouds.rs"]
mod clouds;

/// `$` is a word of which nothing is known.
fn command(text: &str) -> Command {
    let word = |text: &str| if text == "$" { Word::unknown() } else { Word::from(text) };
    Command { words: text.split(' ').map(word).collect(), ..Command::default() }
}

/// One letter: it reads, is a developer's work, is unknown, changes the machine; `-` if there is no table.
fn letter(text: &str) -> char {
    let Some(report) = report(&Catalog::default(), &command(text)) else { return '-' };
    let worst = report.effects.iter().map(|effect| match effect {
        Effect::Works(_) => (1, 'W'),
        Effect::Unknown(_) | Effect::UnknownOnGuest(_) => (2, 'U'),
        Effect::Changes(_) => (3, 'C'),
        other => panic!("{other:?}"),
    });
    worst.max().map_or('R', |(_, letter)| letter)
}

/// Each line: the letter and a command.
fn check(cases: &str) {
    let cases: Vec<(char, &str)> = cases
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| (line.chars().next().unwrap(), line.get(2..).unwrap()))
        .collect();
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|(expected, text)| {
            let found = letter(text);
            (found != *expected).then(|| format!("{text}: {found}, not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn developers_programs() {
    check(
        "R cargo --version
         R cargo -V
         R cargo search serde
         W cargo build --release
         W cargo +nightly clippy -- -D warnings
         U cargo +nightly odd
         U cargo --config build.rustc-wrapper=x version
         U cargo --config=x version
         U cargo $
         U cargo test $
         U cargo mystery
         U cargo -Z unstable version
         W rustc -o x x.rs
         C rustfmt src/main.rs
         R rustfmt --check src/main.rs
         U rustfmt --check --config-path x src/main.rs
         R rustup toolchain list
         W rustup update
         U rustup odd
         R go version
         R go env GOPATH
         W go env -w GOFLAGS=x
         W go env -u GOFLAGS
         W go test ./...
         U go test -exec x ./...
         U go vet -vettool=x ./...
         W go run .
         U go odd
         R gofmt -l .
         C gofmt -w .
         C gofmt --w .
         C gofmt -l -cpuprofile p .
         R npm ls --all
         R npm view react versions
         R npm audit
         W npm audit fix
         W npm audit --fix
         W npm ci
         W npm i -g x
         R npm run
         U npm run build
         U npm run $
         U npm run -w web build
         U npm run --color build
         U npm test
         U npm start
         U npm init vite
         W npm init
         U npm exec eslint
         U npm view x --viewer sh
         U npm help x --view sh
         R npm config get registry
         W npm config set registry x
         R npm version
         W npm version patch
         W npm pkg set x=y
         R npm pkg get name
         W yarn
         W yarn install
         W yarn why x
         U yarn build
         U yarn run build
         U pnpm build
         R pnpm why x
         W pnpm -r up
         U bun run x
         U deno run x.ts
         W deno check x.ts
         W eslint --fix .
         W jest
         W tsc --noEmit
         R pip list --outdated
         R pip show requests
         W pip install -r requirements.txt
         C pip list --log /etc/x
         C pip list --local-log=/etc/x
         U pip --python /tmp/x list
         U pip list --pyth x
         R pip config list
         W pip config set x.y z
         U pip config edit --editor sh
         R pip3 freeze
         C black src
         R black --diff src
         C black --check src
         C black src -- --diff
         R isort --check-only src
         R isort -c src
         C isort src
         W ruff check
         R ruff rule E501
         W ruff rule --config x E501
         R uv pip list
         R uv --directory web pip freeze
         W uv tree
         W uv sync
         U uv run x
         - uvx x
         R uv version
         W uv version 1.2.3
         R poetry show
         W poetry add x
         U poetry run x
         R poetry version
         W poetry version major
         W bundle install
         U bundle exec x
         R gem list
         W gem install x
         W composer install
         U composer global exec x
         R gh pr view 12
         R gh pr list -R o/r
         R gh -R o/r pr list
         R gh api repos/o/r
         R gh api -X GET repos/o/r
         W gh api -X DELETE repos/o/r
         W gh api -XDELETE repos/o/r
         W gh api --method=PATCH repos/o/r
         W gh api --meth=PATCH repos/o/r
         W gh api repos/o/r -f name=x
         U gh api $ --input x
         W gh api repos/o/r -X $
         W gh pr merge 12
         W gh pr view 12 --web
         U gh alias set x !sh
         U gh codespace ssh
         U gh my-extension
         R svn log -r 1:2
         U svn diff --diff-cmd x
         U svn diff --diff x
         W svn update
         U hg log --config hooks.x=y
         W hg log
         W mvn test
         - ./gradlew build
         W gcc -o x x.c
         C strip x
         U nm --plugin x.so y
         W cmake --build .
         U cmake -E rm x
         W ctest
         U make -n
         U make
         U just --list
         U rake -T
         R ag x
         U ag --pager sh x
         R bat x.rs
         U bat --pager=sh x.rs
         C bat cache --build
         R shellcheck x.sh
         C shfmt -w x.sh
         R shfmt -d x.sh
         C yapf -i x.py
         R tokei
         U cloc --extract-with x .
         C cloc --out=/etc/x .
         R nvm ls
         W nvm use 18
         U nvm exec 18 x
         R pyenv versions
         U pyenv exec x
         U direnv exec . x
         U code tunnel
         W code x
         U code --remote ssh-remote+h x",
    );
}

#[test]
fn services() {
    check(
        "R pg_dump -h db -U u shop
         C pg_dump -f /etc/x shop
         C pg_dump -Fc -f/etc/x shop
         C pg_dump --fil=/etc/x shop
         R pg_isready -h db
         R pg_ctl -D /x status
         C pg_ctl -D /x restart
         R mysqldump --single-transaction shop
         C mysqldump --result-file=/etc/x shop
         C mysqldump --result-f /etc/x shop
         C mysqldump -r /etc/x shop
         C mysqldump -T /etc shop
         U mysqldump --init-command=x shop
         U mysqldump --init-command-add=x shop
         U mysqldump --flush-logs shop
         U mysqldump --dump-slave shop
         U mysqldump --plugin-dir=/tmp shop
         R kafka-topics --bootstrap-server b:9092 --list
         R kafka-topics.sh --bootstrap-server b:9092 --describe --topic x
         U kafka-topics --bootstrap-server b:9092 --delete --topic x
         U kafka-topics --bootstrap-server b:9092 --list --create --topic x
         U kafka-topics --bootstrap-server b:9092 --del --topic x
         U kafka-topics --bootstrap-server b:9092 --list $
         U kafka-consumer-groups --bootstrap-server b:9092 --group x --reset-offsets --dry-run
         R kafka-consumer-groups --bootstrap-server b:9092 --describe --group x
         - kafka-console-producer --topic x
         R rabbitmq-diagnostics check_running
         R varnishadm vcl.list
         U varnishadm vcl.load x y
         C varnishlog -w /etc/x
         R varnishstat -1
         R pm2 ls
         C pm2 restart x
         U pm2 start x.js
         U pm2 deploy production
         R squid -k parse
         R squid -kparse
         C squid -k reconfigure
         C squid
         R promtool check config x
         C promtool debug all http://h
         U promtool tsdb create-blocks-from x
         R caddy validate --config x
         C caddy fmt --overwrite x
         R caddy fmt x
         R wg show
         C wg set wg0 peer x
         C wg-quick up wg0
         R zabbix_get -s h -k agent.ping
         U zabbix_get -s h -k system.run[reboot]
         U zabbix_get -s h --key=system.run[reboot]
         U zabbix_get -s h -k $
         U zabbix_get -s h -ksystem.run[reboot]
         R ceph -s
         R ceph -s -f json
         R ceph osd tree
         U ceph osd out 1
         U ceph -s osd out 1
         C ceph
         C ceph osd tree -o /etc/x
         R rbd ls pool
         U rbd rm x
         R gluster volume info
         U gluster volume stop x
         R pcs status
         R pcs resource
         U pcs resource disable x
         R drbdadm status
         C drbdadm primary r0
         R squeue -u x
         R jenkins-cli -s http://h list-jobs
         U jenkins-cli -s http://h build x
         R influx bucket list
         U influx -execute x",
    );
}

/// On the agent's own machine a change of it is no question, so what may reach another one has to be one of its own.
#[test]
fn what_may_reach_another_machine_asks_on_the_agents_own() {
    for text in [
        "docker -H tcp://web01 rm x",
        "docker --host=tcp://web01 rm x",
        "docker --context web01 restart x",
        "docker --config=/tmp/x restart y",
        "docker-compose -H tcp://web01 down",
        "podman --url ssh://web01 rm x",
        "podman --connection=web01 rm x",
        "podman --remote rm x",
        "nerdctl -H tcp://web01 rm x",
        "crictl -r tcp://web01 rm x",
        "minikube start --driver ssh",
        "minikube start --ssh-ip-address=web01",
        "rabbitmq-plugins -n rabbit@web01 enable x",
        "caddy reload --address web01:2019",
        "mysqldump -h web01 --flush-logs shop -r x",
        "docker start -ai x",
        "cargo --config x test",
        "go test -exec ssh ./...",
        "composer global exec ssh",
        "coverage run x.py",
    ] {
        let report = report(&Catalog::default(), &command(text)).unwrap();
        assert!(report.effects.iter().any(|effect| matches!(effect, Effect::Unknown(_))), "{text}: {report:?}");
    }
}

#[test]
fn readers_with_an_option_that_does_more() {
    check(
        "R nvidia-smi
         R nvidia-smi -q -d MEMORY -i 0
         R nvidia-smi --query-gpu=name --format=csv -l 1
         R nvidia-smi dmon -s pucm -c 1
         R nvidia-smi topo -m
         R nvidia-smi nvlink -s
         C nvidia-smi -pl=150
         C nvidia-smi -c 1
         C nvidia-smi --reset-gpu-clocks
         C nvidia-smi --lock-memory-clocks=100
         C nvidia-smi --gom=0
         C nvidia-smi --auto-boost-default=0
         C nvidia-smi nvlink -sc 0
         C nvidia-smi conf-compute -srs 1
         C nvidia-smi mig -cgi 9
         U nvidia-smi --odd
         R mysqlbinlog binlog.000001
         C mysqlbinlog --raw -R -h db1 binlog.000001
         C mariadb-binlog --raw x
         R qemu-img bench x.img
         C qemu-img bench -w x.img
         C qemu-img check --repair=all x.img
         R perldoc -f open
         U perldoc -n x y
         R misspell x
         C misspell -o x y
         R fastfetch
         U fastfetch --structure command --command-text x
         R checksec --file=/bin/ls
         C checksec --update
         R pod2usage x.pl
         C pod2usage -output x y
         C pod2usage --out=x y
         U pod2usage -formatter Foo y
         R json_pp
         R json_pp -json_opt pretty,canonical
         U json_pp -f eval
         R lz4cat x.lz4
         C lz4cat --rm x.lz4
         R cdecl explain
         C cdecl -o x
         C xcbeautify --report junit
         R pcre2grep -n foo x
         R pcre2grep foo x
         U pcre2grep (?C\"/bin/sh|-c|x\")a x
         U pcre2grep -e (?C\"/bin/sh|-c|x\")a x
         U pcre2grep -n (?C\"/bin/sh|-c|x\")a x
         U pcre2grep -f x y
         R mokutil --sb-state
         R mokutil --list-enrolled
         C mokutil --disable-validation
         C mokutil --import x
         R update-java-alternatives -l
         C update-java-alternatives -s x
         R xcode-select -p
         C xcode-select -s x
         R keytool -list -keystore x
         C keytool -delete -alias x
         R jcmd
         R jcmd 1 VM.flags
         R jcmd 1 Thread.print
         C jcmd 1 GC.heap_dump /x
         C jcmd 1 Thread.dump_to_file /x
         C jcmd -f x 1
         R jmap -histo 1
         C jmap -dump:file=x 1
         C jmap -histo:file=x 1
         R jinfo 1
         R jinfo -flags 1
         C jinfo -flag +HeapDumpOnOutOfMemoryError 1
         R jar tf x.jar
         R jar -tf x.jar
         C jar xf x.jar
         R unsquashfs -ll x
         C unsquashfs x
         R lsinitrd
         C lsinitrd --unpack x
         R systemd-mount --list
         C systemd-mount /dev/sdb /mnt
         R needrestart -r l
         C needrestart -r a
         R ollama list
         W ollama run llama3 hi
         R ipconfig /all
         R ipconfig getifaddr en0
         C ipconfig set en0 DHCP
         W latexmk -pdf x.tex
         U latexmk -e system(1) x
         U latexmk -pdflatex=x y
         W air
         U air --build.cmd x",
    );
}
