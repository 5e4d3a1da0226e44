//! Tests of the built-in tables of developers', containers', clouds', hypervisors' and services' programs.

use super::table::report;
use crate::catalog::Catalog;
use crate::classify::effect::{Command, Effect};
use crate::classify::word::Word;

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
         U ruff rule --config x E501
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
fn containers() {
    check(
        "R docker ps -a
         R docker ps -l
         R docker ps --format {{.Names}}
         R docker logs -f --tail 100 web
         U docker inspect $ x
         R docker image ls
         R docker compose ps
         R docker compose -f x.yml -p web logs -f
         C docker compose -f x.yml up -d
         R docker compose --dry-run up
         R docker compose config
         C docker compose config -o /etc/x
         C docker compose config --output=/etc/x
         C docker compose config --outp x
         C docker compose $
         U docker compose exec web sh
         U docker exec web sh
         C docker run x
         C docker rm -f x
         C docker system prune
         R docker system df
         R docker save x
         C docker save -o /etc/x y
         C docker save x -o/etc/x
         C docker export --output=/etc/x y
         C docker cp x:/a b
         W docker push x
         U docker context use x
         R docker context ls
         U docker attach x
         C docker start -ai x
         C docker start x
         U docker --config x ps
         C docker -H tcp://h rm x
         U docker -H tcp://h ps
         U docker --context=h ps
         U podman --url ssh://h ps
         U podman --odd ps
         U docker buildx use x
         U docker --odd x ps
         R docker --log-level debug ps
         U docker mystery
         R docker buildx ls
         C docker buildx inspect --bootstrap
         R docker swarm join-token worker
         U docker swarm join-token --rotate worker
         U docker service update x
         R docker service ls
         R docker-compose -f x.yml ps
         C docker-compose down
         R podman ps --all
         C podman ps --sync
         R podman --root /x images
         U podman --runtime /tmp/x ps
         C podman --transient-store rm ps
         C podman --transient-store rm ps -f
         C podman kube generate -f x pod
         R podman kube generate pod
         U podman machine ssh x
         C podman mount x
         R nerdctl -n k8s.io ps
         C nerdctl -n k8s.io rm x
         R buildah images
         R skopeo inspect docker://x
         U skopeo copy docker://x dir:y
         R crictl ps
         U crictl -r unix:///x ps
         C crictl stopp x
         R ctr -n k8s.io containers ls
         U ctr shim x
         R lxc list
         U lxc exec x sh
         U lxc config set x y z
         R incus config show x",
    );
}

#[test]
fn clouds_and_clusters() {
    check(
        "R kubectl get pods -A -o wide
         R kubectl -n kube-system get pods
         R kubectl --context=x --namespace y describe pod z
         R kubectl get pods -l app=x
         R kubectl logs -f web --tail=100
         U kubectl delete pod get
         U kubectl -n get delete pod
         U kubectl exec web ls
         U kubectl mystery get
         U kubectl config use-context x
         R kubectl config view
         R kubectl rollout status deploy/x
         U kubectl rollout restart deploy/x
         C kubectl get pods --profile=cpu
         C kubectl get pods --profile cpu --profile-output /etc/x
         C kubectl cluster-info dump --output-directory=/etc/x
         R kubectl cluster-info
         C kubectl kustomize . -o /etc/x
         U kubectl kustomize . --enable-helm
         U kubectl --odd x get pods
         U kubectl apply -f x --dry-run=client
         U kubectl auth reconcile -f x
         R kubectl auth can-i get pods
         U kubectl get pods $
         R oc project
         U oc project x
         R helm list -A
         R helm -n x status web
         U helm install x y
         R helm template x ./chart
         C helm template x ./chart --output-dir /etc
         U helm template x ./chart --post-renderer ./x
         U helm plugin install x
         U helm diff upgrade x
         U argocd app sync x
         U argocd app get x --refresh
         R argocd app get x
         U argocd context x
         U istioctl pc log x --level debug
         R istioctl pc routes x
         R aws ec2 describe-instances --instance-ids i-1
         R aws --region eu-west-1 --output json ec2 describe-instances
         R aws s3 ls s3://x
         U aws s3 cp s3://x/y .
         U aws s3 rm s3://x/y
         U aws ec2 terminate-instances --instance-ids i-1
         U aws --profile get-x ec2 terminate-instances
         U aws --odd ec2 get-x
         R aws ec2 wait instance-running --instance-ids i-1
         R aws s3api get-bucket-acl --bucket x
         C aws s3api get-object --bucket x --key y /etc/z
         C aws glacier get-job-output --job-id x /etc/z
         U aws ec2 get-console-screenshot --instance-id i-1 --wake-up
         U aws ec2 get-console-screenshot --instance-id i-1 --wake
         R aws ec2 get-console-output --instance-id i-1
         U aws cognito-identity get-id
         U aws redshift get-cluster-credentials --auto-create
         U aws redshift get-cluster-credentials-with-iam
         U aws ssm send-command --document-name x
         R aws ssm list-commands
         U aws configure set x y
         U aws lambda invoke --function-name x /etc/z
         U aws ec2 $
         C aws $ get-x
         R az vm list -o table
         R az vm show -g rg -n x
         R az network vnet subnet list -g rg
         U az vm delete -n list
         U az vm delete --ids x list
         U az vm run-command invoke --command-id x --scripts list
         U az vm start --name=list
         U az config set list
         U az acr manifest delete list
         U az storage copy list
         U az storage message get -q x
         U az aks get-credentials -n x -g rg
         R az aks get-upgrades -n x -g rg
         R az rest --url x
         R az rest --method get --url x
         R az rest -m GET -u x
         U az rest --method post --url x
         U az rest -m $ -u x
         U az rest --meth delete --url x
         U az rest --url x --body y
         C az rest --url x --output-file /etc/x
         C az rest --url x --output-f /etc/x
         C az keyvault secret show --name x --file /etc/x
         R gcloud compute instances list --format=json
         R gcloud --project x compute instances describe y --zone z
         R gcloud projects list
         U gcloud compute ssh list
         U gcloud compute ssh list --command x
         U gcloud compute scp list x:
         U gcloud compute instances delete list
         U gcloud compute instances delete x list
         U gcloud projects delete list
         U gcloud sql connect list
         U gcloud secrets delete list
         U gcloud secrets delete describe
         U gcloud run deploy list
         U gcloud builds submit list
         U gcloud kms decrypt list
         U gcloud functions call list
         U gcloud beta compute ssh list
         R gcloud beta compute instances list
         U gcloud --flags-file x compute instances list
         C gcloud container clusters get-credentials x
         C gcloud compute instances list --destination x
         U gcloud odd list
         U gcloud auth login
         R gcloud auth list
         R gsutil ls gs://x
         U gsutil rm gs://x/y
         U gsutil -o x=y ls
         R terraform plan
         C terraform plan -out=x
         C terraform plan --out x
         U terraform apply
         R terraform -chdir=x show
         U terraform -chdir x show
         R terraform state list
         U terraform state rm x
         R terraform providers
         W terraform providers lock
         C terraform fmt
         R terraform fmt -check
         R terraform fmt -check -recursive
         C terraform fmt -check=false
         W terraform init
         U terraform init -migrate-state
         U terraform workspace select x
         U terraform console
         R tofu output -json
         W terragrunt plan
         U pulumi up
         W pulumi preview
         R pulumi config get x
         U pulumi config set x y
         R vault kv get secret/x
         U vault read database/creds/x
         U vault write x y=z
         U vault kv get -wrap-ttl=60 x
         R consul members
         U consul exec x
         R nomad job status web
         U nomad alloc exec x sh
         R openstack server list
         R openstack --os-cloud x server show y
         U openstack server delete list
         U openstack server ssh x
         R hcloud server list
         U hcloud server reboot x
         R doctl compute droplet list
         U doctl compute ssh list
         R linode-cli linodes list
         U linode-cli ssh list
         R rclone ls remote:x
         U rclone sync a remote:x
         U rclone ls :sftp,ssh=sh:x
         U rclone ls remote,ssh=sh:x
         U rclone size --sftp-ssh sh remote:x
         U rclone lsd --password-command sh remote:x
         C rclone ls remote:x --log-file /etc/x
         U rclone check a: :sftp,ssh=sh:
         R restic -r /x snapshots
         U restic -r sftp:h:/x -o sftp.command=sh snapshots
         U restic --password-command=sh snapshots
         U restic --password-com sh snapshots
         C restic dump latest / --target /etc/x
         U restic restore latest
         R borg list /x
         U borg --rsh sh list /x
         U borg list --rs sh /x
         U borg check --repair /x
         R velero backup get
         U velero backup create x
         R kubectx
         U kubectx prod
         U kubectx -d x
         R kind get clusters
         C kind delete cluster
         R minikube status
         U minikube ssh
         C minikube start
         C minikube start --driver ssh
         C minikube logs --file=/etc/x
         R kustomize build .
         U kustomize build --enable-exec .
         R packer validate x.pkr.hcl
         U packer build x.pkr.hcl
         W vagrant status
         U vagrant ssh
         R etcdctl get x
         U etcdctl put x y
         R oci compute instance list
         U oci compute instance terminate --instance-id list
         C oci os object get --file /etc/x",
    );
}

#[test]
fn hypervisors() {
    check(
        "R virsh list --all
         R virsh -c qemu:///system dominfo x
         R virsh --connect qemu+ssh://h/system list
         U virsh -c qemu+ext://h/system?command=/tmp/x list
         U virsh -c qemu+ssh://h/system?command=/tmp/x list
         U virsh --connect=qemu+ssh://h/system?netcat=/tmp/x list
         U virsh --conn=qemu+ext://h/system list
         U virsh -c $ list
         U virsh list;destroy_x
         U virsh destroy x
         R virsh snapshot-current x
         U virsh snapshot-current x y
         U virsh snapshot-current x --snapshotname y
         U virsh dommemstat x --period 5
         C virsh screenshot x /etc/y
         C virsh -l /etc/x list
         U virsh domtime x --now
         U virsh qemu-agent-command x y
         R govc vm.info -json web01
         R govc find / -type m
         U govc vm.power -off web01
         U govc guest.run -vm web01 /bin/ls
         U govc host.storage.info -rescan
         C govc guest.download -vm x /etc/a /etc/b
         R qm config 100
         R qm agent 100 get-fsinfo
         R qm agent 100 ping
         U qm agent 100 shutdown
         U qm guest exec 100 -- ls
         U qm start 100
         R qm status 100
         R pct list
         U pct exec 100 -- ls
         R pvesh get /nodes
         U pvesh create /nodes
         R esxcli storage core device list
         R esxcli network ip interface ipv4 get
         U esxcli vm process kill -w 1
         U esxcli system shutdown reboot --reason list
         R vim-cmd vmsvc/getallvms
         R vim-cmd vmsvc/get.summary 1
         U vim-cmd vmsvc/power.off 1
         R VBoxManage list vms
         R VBoxManage snapshot x list
         U VBoxManage snapshot x delete list
         U VBoxManage controlvm x poweroff
         U VBoxManage guestcontrol x run -- ls
         R xl list
         C xl dmesg -c
         U xl destroy x
         R xe vm-list
         R xe -s h -u root -pw x host-list
         U xe vm-shutdown uuid=x
         R xe vm-param-get uuid=x param-name=y
         U xe vm-param-set uuid=x
         R acli vm.list
         U acli vm.off x
         R virt-df -d x
         U virt-df -c qemu+ext://h/?command=x
         C virt-copy-out -d x /etc /etc
         R vmrun list
         R vmrun -T ws listSnapshots x.vmx
         U vmrun -T ws stop x.vmx
         R ipmitool -I lanplus -H h -U u chassis power status
         U ipmitool -H h chassis power off
         U ipmitool sel clear
         R ipmitool sel list
         U ipmitool raw 0x06
         U racadm serveraction powerdown",
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
