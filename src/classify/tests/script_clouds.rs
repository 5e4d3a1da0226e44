//! Calls of programs of hypervisors, clouds and clusters, of containers and of the web: verdicts and the machines they name.

use super::*;

#[path = "script_containers.rs"]
mod containers;
#[path = "script_hypervisors.rs"]
mod hypervisors;
#[path = "script_web.rs"]
mod web;

/// Checks lines `text => verdict machines`; `\n` in a text stands for a line's end.
fn check(cases: &str, places: &Places, files: &[(&'static str, &'static str)]) {
    let mut wrong = vec![];
    let mut count = 0;
    for line in cases.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        let (text, expected) = line.rsplit_once(" => ").unwrap_or_else(|| panic!("no case: {line}"));
        count += 1;
        let got = shown(&seen_in(&text.replace("\\n", "\n"), places, files));
        if got != expected {
            wrong.push(format!("{text}\n  expected {expected}\n  got      {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn clouds() {
    check(
        r#"
        az vm list -o table => read_only
        az vm show -g rg -n web01 => read_only
        az vm get-instance-view -g rg -n web01 => read_only
        az vm restart -g rg -n web01 => mutating web01
        az vm start --name web01 --resource-group rg => mutating web01
        az vm deallocate --name=web01 -g rg --no-wait => mutating web01
        az vm delete -g rg -n web01 --yes => mutating web01
        az vm stop --ids /subscriptions/1/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/web01 /subscriptions/1/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/web02 => mutating web01,web02
        az vm stop --ids $(az vm list -g rg --query '[].id' -o tsv) => unknown
        az vm stop --ids web01 => unknown
        az vm stop -g rg => unknown
        az vm restart -g rg --na web01 => unknown
        az vm restart -g rg -n "$VM" => unknown
        VM=web01; az vm restart -g rg -n "$VM" => mutating web01
        az vm create -n web09 -g rg --image x => unknown
        az vm extension set --vm-name web01 -g rg -n customScript --publisher x => mutating web01
        az vm extension set -g rg -n customScript --publisher x => unknown
        az vm disk attach --vm-name web01 -g rg --name d1 => mutating web01
        az vm user update -n web01 -g rg -u jo -p x => mutating web01
        az vm run-command list --vm-name web01 -g rg => read_only
        az vm run-command invoke -g rg -n web01 --command-id RunShellScript --scripts uptime => mutating web01
        az vm run-command invoke -g rg -n web01 --command-id RunShellScript --scripts "df -h" "free -m" => mutating web01
        az vm run-command invoke -g rg -n web01 --command-id RunShellScript --scripts "systemctl restart nginx" => mutating web01
        az vm run-command invoke -g rg -n web01 --command-id RunShellScript --scripts "cd /tmp" "rm -rf x" => mutating web01
        az vm run-command invoke -g rg -n web01 --command-id RunShellScript --scripts 'cat $1' --parameters /etc/x => unknown web01
        az vm run-command invoke -g rg -n win01 --command-id RunPowerShellScript --scripts "Get-Service" => mutating win01
        az vm run-command invoke -g rg -n win01 --command-id RunPowerShellScript --scripts "Restart-Service w3svc" => mutating win01
        az vm run-command invoke -g rg -n win01 --command-id EnableRemotePS => unknown win01
        az vm run-command invoke -g rg -n web01 --command-id RunShellScript --scripts @fix.sh => mutating web01
        az vm run-command invoke -g rg -n web01 --command-id RunShellScript --scripts @gone.sh => unknown web01
        az vm run-command create --vm-name web01 -g rg -n fix --script "uptime" => mutating web01
        az vm run-command create --vm-name web01 -g rg -n fix --script-uri https://x/y.sh => unknown web01
        az vmss run-command invoke -g rg -n set1 --command-id RunShellScript --scripts "uptime" --instance-id 0 => unknown
        az ssh vm -n web01 -g rg -- uptime => read_only
        az ssh vm -n web01 -g rg -- sudo reboot => mutating web01
        az ssh vm --ip 10.0.0.5 -- rm -rf /srv => mutating 10.0.0.5
        az ssh vm -n web01 -g rg -- -o ProxyCommand='sh -c x' uptime => unknown
        az ssh vm --ip 127.0.0.1 --port 50022 -- sudo reboot => unknown
        az vm --help => read_only
        az vm restart --help => read_only
        az vm restart $x => unknown
        az rest --method put --url x => unknown
        az group delete -n rg => unknown
        az aks get-credentials -n x -g rg => unknown
        ssh jump az vm restart -g rg -n web01 => unknown jump
        ssh jump az vm list => read_only
        aws ec2 describe-instances => read_only
        aws ec2 get-console-output --instance-id i-1 => read_only
        aws --output=json ec2 reboot-instances --instance-ids i-1 => mutating i-1
        aws ec2 reboot-instances --instance-ids i-0abc => mutating i-0abc
        aws --region eu-west-1 --profile p ec2 stop-instances --instance-ids i-1 i-2 => mutating i-1,i-2
        aws ec2 stop-instances --instance-ids '["i-1","i-2"]' => mutating i-1,i-2
        aws ec2 terminate-instances --instance-ids i-1 --dry-run => read_only
        aws ec2 terminate-instances --instance-id i-1 => mutating i-1
        aws ec2 terminate-instances --instance-i i-1 => unknown
        aws ec2 terminate-instances --cli-input-json file://x.json => unknown
        aws ec2 terminate-instances --instance-ids $(aws ec2 describe-instances --query x) => unknown
        aws ec2 start-instances => unknown
        aws ec2 terminate-instances --instance-ids i-1 --dry-run --no-dry => mutating i-1
        aws ec2 stop-instances --instance-ids i-1 $MORE => unknown
        aws $V --instance-ids i-1 => unknown
        az vm $V -n web01 -g rg => unknown
        az vm stop -n web01 -g rg $MORE => unknown
        gcloud compute instances $V web01 => unknown
        aws ec2 modify-instance-attribute --instance-id i-1 --instance-type t3.large => mutating i-1
        aws ec2 run-instances --image-id x => unknown
        aws ec2 create-tags --resources i-1 --tags Key=a,Value=b => unknown
        aws ssm describe-instance-information => read_only
        aws ssm send-command --document-name AWS-RunShellScript --instance-ids i-1 --parameters 'commands=["uptime"]' => mutating i-1
        aws ssm send-command --document-name AWS-RunShellScript --instance-ids i-1 --parameters commands=uptime => mutating i-1
        aws ssm send-command --document-name "AWS-RunShellScript" --instance-ids "i-1" --parameters 'commands=["systemctl restart nginx","uptime"]' => mutating i-1
        aws ssm send-command --document-name AWS-RunShellScript --instance-ids i-1 i-2 --parameters '{"commands":["uptime","reboot"]}' => mutating i-1,i-2
        aws ssm send-command --document-name AWS-RunShellScript --instance-ids i-1 --parameters 'commands=[uptime,reboot]' => mutating i-1
        aws ssm send-command --document-name AWS-RunShellScript --targets Key=tag:role,Values=web --parameters commands=reboot => unknown
        aws ssm send-command --document-name AWS-RunShellScript --targets Key=tag:role,Values=web --parameters commands=uptime => unknown
        aws ssm send-command --document-name AWS-RunPowerShellScript --instance-ids i-1 --parameters 'commands=["Restart-Computer"]' => mutating i-1
        aws ssm send-command --document-name AWS-RunPowerShellScript --instance-ids i-1 --parameters 'commands=["Get-Process"]' => mutating i-1
        aws ssm send-command --document-name AWS-RunShellScript --targets Key=InstanceIds,Values=i-1,i-2 --parameters commands=reboot => mutating i-1,i-2
        aws ssm send-command --document-name arn:aws:ssm:eu-west-1:1:document/AWS-RunShellScript --instance-ids i-1 --parameters commands=uptime => unknown i-1
        aws ssm send-command --document-name AWS-ApplyPatchBaseline --instance-ids i-1 => unknown i-1
        aws ssm send-command --document-name AWS-RunShellScript --instance-ids i-1 --cli-input-json file://x => unknown
        aws ssm send-command --document-name AWS-RunShellScript --instance-ids i-1 --parameters file://p.json => mutating i-1
        aws ssm send-command --document-name AWS-RunShellScript --instance-ids i-1 --parameters commands="$CMD" => mutating i-1 + i-1
        aws ssm start-session --target i-1 => unknown i-1
        aws ssm start-session --target i-1 < /dev/null => read_only
        gcloud compute ssh web01 => unknown web01
        gcloud compute ssh web01 -- bash -l => unknown web01
        az ssh vm -n web01 -g rg => unknown web01
        echo reboot | aws ssm start-session --target i-1 => mutating i-1
        aws ssm start-session --target i-1 --document-name AWS-StartInteractiveCommand --parameters command="sudo reboot" => mutating i-1
        aws ssm start-session --target i-1 --document-name AWS-StartPortForwardingSession --parameters portNumber=22 => unknown i-1
        aws rds reboot-db-instance --db-instance-identifier x => unknown
        aws ecs execute-command --cluster c --task t --command sh --interactive => unknown
        aws s3 cp x s3://y => unknown
        aws ec2 run-instances help => read_only
        gcloud compute instances create --help => read_only
        aws secretsmanager get-secret-value --secret-id x => read_only
        gcloud compute instances list => read_only
        gcloud compute instances get-serial-port-output web01 => read_only
        gcloud compute instances stop web01 --zone=z => mutating web01
        gcloud compute instances stop --zone z web01 web02 => mutating web01,web02
        gcloud --project p compute instances reset web01 --zone z => mutating web01
        gcloud compute instances stop projects/p/zones/z/instances/web01 => mutating web01
        gcloud beta compute instances suspend web01 => mutating web01
        gcloud compute instances delete $(gcloud compute instances list --format='value(name)') => unknown
        gcloud compute instances add-metadata web01 --metadata startup-script=x => mutating web01
        gcloud compute instances create web09 => unknown
        gcloud compute reset-windows-password win01 => mutating win01
        gcloud compute ssh web01 --zone=z --command=uptime => read_only
        gcloud compute ssh jo@web01 --zone=z --command="sudo reboot" => mutating web01
        gcloud compute ssh web01 --zone z -- sudo reboot => mutating web01
        gcloud compute ssh web01 --command "sudo reboot" --dry-run => read_only
        gcloud compute ssh web01 --ssh-flag="-oProxyCommand=/tmp/x" --command=uptime => unknown
        gcloud compute ssh web01 --command="$CMD" => unknown web01
        gcloud compute scp web01:/var/log/x . => read_only
        gcloud compute scp --recurse conf web01:/etc/app --zone z => mutating web01
        gcloud compute scp app jo@web01:/tmp => mutating web01
        gcloud compute start-iap-tunnel web01 22 => unknown
        gcloud sql instances restart db => unknown
        oci compute instance list => read_only
        oci compute instance action --action STOP --instance-id ocid1.instance.oc1..x => mutating ocid1.instance.oc1..x
        oci instance-agent command create --content file://x.json => unknown
        openstack server list => read_only
        openstack console log show web01 => read_only
        openstack server reboot --hard web01 => mutating web01
        openstack --os-cloud prod server stop web01 web02 => mutating web01,web02
        openstack server delete web01 => mutating web01
        openstack server create --image x web09 => unknown
        openstack server ssh web01 -- uptime => read_only
        openstack server add volume web01 v1 => mutating web01
        doctl compute droplet-action reboot 12345 => mutating 12345
        doctl compute droplet delete web01 -f => mutating web01
        doctl compute ssh web01 --ssh-command 'systemctl stop nginx' => mutating web01
        hcloud server poweroff web01 => mutating web01
        hcloud server ssh web01 uptime => read_only
        hcloud server ssh web01 reboot => mutating web01
        hcloud server create --name x => unknown
        linode-cli linodes reboot 123 => mutating 123
        ibmcloud is instance-stop web01 => mutating web01
        "#,
        &Places::default(),
        &[("/project/fix.sh", "systemctl restart nginx\n"), ("/project/p.json", "{\"commands\":[\"reboot\"]}")],
    );
}

#[test]
fn clusters() {
    check(
        r#"
        kubectl get pods -A => read_only
        kubectl describe pod web => read_only
        kubectl logs -f deploy/web => read_only
        kubectl exec web -- ls /etc => read_only
        kubectl exec -it web -c app -- cat /etc/hosts => read_only
        kubectl -n prod exec web-0 -- rm -rf /data => unknown
        kubectl exec web -- sh -c 'cat /x > /y' => unknown
        kubectl exec web ls => unknown
        kubectl $V pod web => unknown
        kubectl exec -it web -- bash => unknown
        kubectl exec web -- bash => read_only
        echo 'rm x' | kubectl exec -i web -- sh => unknown
        kubectl exec web -- ssh db01 reboot => unknown db01
        kubectl cp web:/var/log/x . => read_only
        kubectl cp ./x web:/tmp => unknown
        kubectl apply -f x.yaml => unknown
        kubectl apply -f x.yaml --dry-run=client => read_only
        kubectl apply -f x.yaml --dry-run=server -o yaml => read_only
        kubectl apply -f x.yaml --dry-run=none => unknown
        kubectl apply -f x.yaml --dry-run=client --dry-run=none => unknown
        kubectl apply -f x.yaml --dry-run=client $EXTRA => unknown
        kubectl create deployment x --image y --dry-run=client -o yaml > x.yaml => read_only
        kubectl run x --image y --dry-run=client -- rm --dry-run=none => read_only
        kubectl run x --image y -- rm --dry-run=client => unknown
        kubectl delete pod x --dry-run=client => read_only
        kubectl diff -f x.yaml => read_only
        KUBECTL_EXTERNAL_DIFF='ssh web01 reboot' kubectl diff -f x => mutating web01
        kubectl get --raw /healthz => read_only
        kubectl config view => read_only
        kubectl config use-context prod => unknown
        ssh web01 kubectl config use-context prod => unknown web01
        kubectl config set-credentials x --exec-command=/tmp/x => unknown
        kubectl port-forward svc/x 8080:80 => unknown
        kubectl port-forward svc/x 5432:5432 & psql -h localhost -c 'select 1' => unknown
        kubectl proxy => unknown
        kubectl proxy => unknown
        kubectl debug node/x -it --image y => unknown
        kubectl drain node1 => unknown
        kubectl rollout restart deploy/x => unknown
        kubectl rollout status deploy/x => read_only
        kubectl neat get => unknown
        kubectl neat --help => unknown
        kubectl create deployment --help => read_only
        helm install --help => read_only
        terraform apply -help => read_only
        kubectl attach web => unknown
        oc rsh web ls => read_only
        oc rsh web rm x => unknown
        oc exec web -- ls => read_only
        oc adm drain x => unknown
        virtctl start web01 => mutating web01
        virtctl -n prod restart web01 => mutating web01
        virtctl pause vm web01 => mutating web01
        virtctl ssh root@vmi/web01 --command 'reboot' => mutating web01
        virtctl ssh vm/web01.prod -c uptime => read_only
        virtctl console web01 => unknown web01
        virtctl image-upload dv x => unknown
        helm list => read_only
        helm upgrade x y => unknown
        helm upgrade x y --dry-run => read_only
        helm template x . > out.yaml => read_only
        argocd app sync x => unknown
        flux get all => read_only
        flux reconcile source git x => unknown
        nomad job status => read_only
        nomad alloc exec x sh => unknown
        consul kv get x => read_only
        consul exec reboot => unknown
        vault kv get secret/x => read_only
        vault ssh jo@web01 => unknown
        terraform plan => read_only
        terraform apply plan.out => unknown
        terraform destroy -auto-approve => unknown
        terraform state rm x => unknown
        terraform import x y => unknown
        terraform fmt => read_only
        tofu apply => unknown
        terragrunt apply => unknown
        terragrunt run-all destroy => unknown
        pulumi up -y => unknown
        pulumi preview => read_only
        cdk deploy => unknown
        cdk diff => read_only
        packer build x.pkr.hcl => unknown
        packer validate x.pkr.hcl => read_only
        kind create cluster => read_only
        minikube start => read_only
        minikube ssh 'ls' => unknown
        k9s => unknown
        "#,
        &Places::default(),
        &[],
    );
}
