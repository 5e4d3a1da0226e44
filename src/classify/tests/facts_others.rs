//! The rest of `facts.rs`: programs of which the text is in a language of its own, or which reach a hypervisor, a cloud or a
//! cluster. It stands beside that file and uses its `check`.

use super::facts::check;

#[test]
fn playbooks() {
    check(&[
        ("ansible web01 -i web01, -m ping", "read_only"),
        ("ansible all -i web01,web02, -m setup", "read_only"),
        ("ansible web01 -i web01, -m stat -a path=/etc", "read_only"),
        ("ansible web01 -i web01, -m apt -a name=x", "mutating web01"),
        ("ansible web01 -i web01, -a reboot", "mutating web01"),
        ("ansible web01 -i web01, -a uptime", "read_only"),
        ("ansible web01 -i web01, -m shell -a 'rm x'", "mutating web01"),
        ("ansible web01 -i web01, -m fetch -a 'src=/x dest=y'", "read_only"),
        ("ansible web01 -i web01, -m script -a changes.sh", "unknown web01"),
        ("ansible web01 -i web01, --list-hosts", "read_only"),
        ("ansible web01 -i web01, -C -m apt -a name=x", "read_only"),
        ("ansible localhost -c local -m apt -a name=x", "read_only"),
        ("ansible-playbook site.yml --syntax-check", "read_only"),
        ("ansible-playbook site.yml --list-tasks", "read_only"),
        ("ansible-pull -U https://git.example/x", "unknown"),
        ("ansible-doc -l", "read_only"),
        ("ansible-galaxy list", "read_only"),
        ("salt 'web01' test.ping", "read_only"),
        ("salt 'web01' state.apply", "mutating web01"),
        ("salt 'web01' cmd.run 'reboot'", "mutating web01"),
        ("salt '*' state.apply", "unknown"),
        ("salt -L web01,web02 service.restart nginx", "mutating web01,web02"),
        ("puppet agent -t --noop", "read_only"),
        ("puppet parser validate x.pp", "read_only"),
        ("bolt command run reboot -t web01", "unknown"),
        ("knife node list", "read_only"),
        ("knife ssh 'role:web' reboot", "unknown"),
        ("fab -l", "read_only"),
        ("fab -H web01 deploy", "unknown"),
    ]);
}

#[test]
fn windows() {
    check(&[
        ("pwsh -Command 'Invoke-Command -ComputerName web01 { Restart-Service x }'", "mutating web01"),
        ("pwsh -Command 'Invoke-Command -ComputerName web01 { Get-Service }'", "read_only"),
        ("pwsh -Command 'Get-CimInstance -ComputerName web01 Win32_OperatingSystem'", "read_only"),
        ("pwsh -Command 'Restart-Computer -ComputerName web01'", "mutating web01"),
        ("pwsh -Command 'Copy-Item x -Destination C:\\ -ToSession $s'", "unknown"),
        ("evil-winrm -i web01 -u jo", "read_only"),
        ("echo 'net stop x' | evil-winrm -i web01 -u jo", "mutating web01"),
        ("winrs -r:web01 net stop x", "mutating web01"),
        ("winrs -r:web01 ipconfig", "read_only"),
        ("psexec '\\\\web01' net stop x", "mutating web01"),
        ("wmic /node:web01 os get name", "read_only"),
        ("wmic /node:web01 process call create x", "mutating web01"),
        ("winrm get -r:web01 x", "unknown"),
    ]);
}

#[test]
fn databases() {
    check(&[
        ("psql -h db01 -c 'SELECT 1'", "read_only"),
        ("psql -h db01 -c 'DROP TABLE x'", "mutating db01"),
        ("psql postgresql://jo@db01/x -c 'DELETE FROM x'", "mutating db01"),
        ("PGHOST=db01 psql -c 'UPDATE x SET y=1'", "mutating db01"),
        ("psql -h db01 -l", "read_only"),
        ("psql -h db01 -c '\\d x'", "read_only"),
        ("psql -h db01 -c '\\! ssh web01 reboot'", "mutating web01"),
        ("psql -h localhost -c 'DROP TABLE x'", "read_only"),
        ("ssh db01 \"psql -c 'DROP TABLE x'\"", "mutating db01"),
        ("ssh -fNL 5433:db01:5432 bast; psql -h localhost -p 5433 -c 'DROP TABLE x'", "unknown db01"),
        ("pg_dump -h db01 x", "read_only"),
        ("pg_restore -h db01 -d x y.dump", "mutating db01"),
        ("dropdb -h db01 x", "mutating db01"),
        ("mysql -hdb01 -uroot -ppw -e 'SELECT 1'", "read_only"),
        ("mysql -h db01 -e 'DROP DATABASE x'", "mutating db01"),
        ("mariadb --host=db01 -e 'SET GLOBAL x=1'", "mutating db01"),
        ("mysqladmin -h db01 status", "read_only"),
        ("mysqladmin -h db01 shutdown", "mutating db01"),
        ("sqlcmd -S db01 -Q 'SELECT 1'", "read_only"),
        ("sqlcmd -S 'db01\\inst,1433' -Q 'EXEC xp_cmdshell x'", "mutating db01"),
        ("mongosh --host db01 --eval 'db.x.find()'", "read_only"),
        ("mongosh mongodb://db01/x --eval 'db.x.drop()'", "mutating db01"),
        ("mongodump --host db01", "read_only"),
        ("mongorestore --host db01 dump", "mutating db01"),
        ("redis-cli -h db01 GET x", "read_only"),
        ("redis-cli -h db01 FLUSHALL", "mutating db01"),
        ("redis-cli -u redis://db01:6379 SET a b", "mutating db01"),
        ("redis-cli -h db01 --bigkeys", "read_only"),
        ("redis-cli -h db01 MONITOR", "read_only"),
    ]);
}

#[test]
fn hypervisors() {
    check(&[
        ("govc vm.info web01", "read_only"),
        ("govc vm.power -off web01", "mutating web01"),
        ("govc guest.run -vm web01 /bin/rm x", "mutating web01"),
        ("govc guest.ls -vm web01 /etc", "read_only"),
        ("govc snapshot.revert -vm web01 x", "mutating web01"),
        ("govc vm.keystrokes -vm web01 -s reboot", "mutating web01"),
        ("vmrun list", "read_only"),
        ("virsh list --all", "read_only"),
        ("virsh destroy web01", "mutating web01"),
        ("virsh -c qemu+ssh://root@hv01/system shutdown web01", "mutating web01"),
        ("virsh dominfo web01", "read_only"),
        ("virsh qemu-agent-command web01 '{\"execute\":\"guest-ping\"}'", "read_only"),
        ("virt-cat -d web01 /etc/hosts", "read_only"),
        ("virt-customize -d web01 --run-command reboot", "mutating web01"),
        ("qm list", "read_only"),
        ("qm stop 100", "mutating 100"),
        ("qm guest exec 100 -- reboot", "mutating 100"),
        ("pct list", "read_only"),
        ("VBoxManage list vms", "read_only"),
        ("VBoxManage controlvm web01 poweroff", "mutating web01"),
        ("xl list", "read_only"),
        ("esxcli vm process list", "read_only"),
    ]);
}

#[test]
fn clouds_and_clusters() {
    check(&[
        ("az vm show -g g -n web01", "read_only"),
        ("az vm restart -g g -n web01", "mutating web01"),
        ("aws ec2 describe-instances", "read_only"),
        ("aws ec2 terminate-instances --instance-ids i-1", "mutating i-1"),
        ("aws ssm list-commands", "read_only"),
        ("gcloud compute instances list", "read_only"),
        ("gcloud compute instances reset web01", "mutating web01"),
        ("gcloud compute ssh web01 --command=reboot", "mutating web01"),
        ("openstack server list", "read_only"),
        ("openstack server reboot web01", "mutating web01"),
        ("kubectl get pods", "read_only"),
        ("kubectl delete pod x", "unknown"),
        ("kubectl port-forward svc/x 80", "unknown"),
        ("kubectl apply -f x.yml", "unknown"),
        ("kubectl exec x -- ssh web01 reboot", "unknown web01"),
        ("helm list", "read_only"),
        ("helm upgrade x y", "unknown"),
        ("docker -H ssh://root@web01 rm -f x", "mutating web01"),
        ("docker -H ssh://root@web01 ps", "read_only"),
        ("docker exec -i c sh < reads.sh", "read_only"),
        ("podman machine ssh x reboot", "unknown"),
        ("lxc list", "read_only"),
        ("terraform plan", "read_only"),
        ("terraform apply", "unknown"),
        ("vagrant status", "read_only"),
        ("packer inspect x", "read_only"),
        ("nomad status", "read_only"),
        ("nomad job run x", "unknown"),
        ("consul exec -node=web01 reboot", "unknown"),
        // What is read may be made by that: credentials of a database.
        ("vault read x", "unknown"),
        ("vault write x y=z", "unknown"),
        ("curl https://web01/", "read_only"),
        ("curl -X DELETE https://web01/x", "unknown web01"),
        ("curl -XPOST http://localhost:8080/", "read_only"),
        ("curl -d x=y https://db01.corp/", "mutating db01.corp"),
        ("curl -T x ftp://web01/", "unknown web01"),
        ("wget https://web01/x", "read_only"),
        ("wget --post-data=x https://web01/x", "unknown web01"),
        ("http POST web01/x a=b", "unknown web01"),
        ("git push", "read_only"),
        ("git -c core.sshCommand='ssh web01 reboot #' pull", "unknown"),
        ("git clone ext::sh", "unknown"),
        ("make deploy", "unknown"),
    ]);
}
