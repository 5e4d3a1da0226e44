//! Tests of the built-in tables of containers', clouds', clusters' and hypervisors' programs.

use super::check;

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
