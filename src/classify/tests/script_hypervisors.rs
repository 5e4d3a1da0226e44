//! Hypervisors: the machine that is changed, and what is carried into one.

use super::*;

#[test]
fn vmware() {
    check(
        r#"
        govc about => read_only
        govc vm.info web01 => read_only
        govc snapshot.tree -vm web01 => read_only
        govc guest.ls -vm web01 /etc => read_only
        govc vm.power -off web01 => mutating web01
        govc vm.power -off -force web01 web02 => mutating web01,web02
        govc vm.power -s=true /DC0/vm/prod/web01 => mutating web01
        govc vm.power -off "web*" => unknown
        govc vm.power -off $(govc find / -type m -name 'web*') => unknown
        govc find . -type m | xargs govc vm.destroy => unknown
        govc vm.destroy -vm.ip 10.0.0.5 => mutating 10.0.0.5
        govc vm.destroy -vm.uuid 4213 => unknown
        govc vm.change -vm web01 -m 4096 -c 2 => mutating web01
        govc vm.change -vm web01 -e guestinfo.x=y => mutating web01
        govc vm.clone -vm web01 web02 => unknown
        govc vm.create x => unknown
        govc snapshot.create -vm web01 before => mutating web01
        govc snapshot.revert -vm=web01 before => mutating web01
        govc snapshot.remove -vm web01 '*' => mutating web01
        govc device.remove -vm web01 disk-1 => mutating web01
        govc vm.keystrokes -vm web01 -s "root" => mutating web01
        govc guest.upload -vm web01 -l root:x a /etc/a => mutating web01
        govc guest.download -vm web01 -l root:x /etc/a b => read_only
        govc guest.rm -vm web01 /etc/a => mutating web01
        govc guest.run -vm web01 /bin/ls /etc => read_only
        govc guest.run -vm web01 -l root:x /bin/bash -c 'systemctl restart nginx' => mutating web01
        govc guest.run -vm web01 -l root:x "uptime" => read_only
        govc guest.run -vm web01 "cat /etc/x > /etc/y" => mutating web01
        govc guest.run -vm web01 -d 'rm -rf /x' /bin/sh => mutating web01
        echo 'rm -rf /x' | govc guest.run -vm web01 -d - /bin/sh => mutating web01
        govc guest.run -vm web01 -e LD_PRELOAD=/tmp/x /bin/ls => unknown web01
        govc guest.run -vm win01 'C:\Windows\System32\ipconfig.exe' => read_only
        govc guest.run -vm win01 'C:\Windows\System32\cmd.exe' /c 'del C:\x' => mutating win01
        govc guest.start -vm web01 /usr/bin/systemctl stop nginx => mutating web01
        govc guest.run /bin/rm x => unknown
        GOVC_VM=web01 govc guest.run /bin/rm x => mutating web01
        export GOVC_VM=web01; govc vm.change -m 1024 => mutating web01
        GOVC_VM=web01 govc vm.change -vm web02 -m 1024 => mutating web02
        GOVC_URL=https://vc govc vm.power -on web01 => mutating web01
        govc host.esxcli network firewall set => unknown
        govc object.destroy /DC0/vm/web01 => unknown
        govc vm.power -mystery web01 => unknown
        govc $V web01 => unknown
        ssh jump govc vm.power -off web01 => unknown jump
        ssh jump govc vm.info web01 => read_only
        vmrun list => read_only
        vmrun -T ws listSnapshots /vms/web01.vmx => read_only
        vmrun -T ws stop /vms/web01/web01.vmx hard => mutating web01
        vmrun -T esx -h https://esx/sdk -u root -p x reset "[ds] web01/web01.vmx" => mutating web01
        vmrun -gu u -gp p runProgramInGuest web01.vmx /bin/ls /etc => read_only
        vmrun -gu u -gp p runProgramInGuest web01.vmx -noWait /sbin/reboot => mutating web01
        vmrun -gu u -gp p runScriptInGuest web01.vmx /bin/bash "systemctl stop nginx" => mutating web01
        vmrun -gu u -gp p runScriptInGuest web01.vmx /bin/bash uptime => read_only
        vmrun -gu u -gp p runScriptInGuest win01.vmx "C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe" "Restart-Service x" => mutating win01
        vmrun runScriptInGuest web01.vmx /usr/bin/perl "unlink 1" => unknown web01
        vmrun CopyFileFromGuestToHost web01.vmx /etc/x x => read_only
        vmrun CopyFileFromHostToGuest web01.vmx x /etc/x => mutating web01
        vmrun clone web01.vmx web02.vmx full => unknown
        vmrun revertToSnapshot "$vmx" s1 => unknown
        ssh esx01 vim-cmd vmsvc/getallvms => read_only
        ssh esx01 vim-cmd vmsvc/power.off 12 => unknown esx01
        vim-cmd vmsvc/power.off 12 => mutating 12
        vim-cmd vmsvc/snapshot.create 12 before => mutating 12
        vim-cmd vmsvc/power.getstate 12 => read_only
        vim-cmd hostsvc/maintenance_mode_enter => unknown
        ssh esx01 esxcli network ip interface list => read_only
        ssh esx01 esxcli vm process kill --type=soft --world-id=123 => unknown esx01
        "#,
        &Places::default(),
        &[],
    );
}

#[test]
fn libvirt() {
    check(
        r#"
        virsh list --all => read_only
        virsh dominfo web01 => read_only
        virsh shutdown web01 => mutating web01
        virsh -c qemu+ssh://root@kvm01/system shutdown web01 => mutating web01
        virsh --connect qemu:///system destroy --graceful web01 => mutating web01
        virsh undefine --remove-all-storage web01 => mutating web01
        virsh start --domain web01 => mutating web01
        virsh reboot --mode agent web01 => unknown
        virsh destroy 5 => mutating 5
        virsh destroy "$vm" => unknown
        virsh -c 'qemu+ssh://kvm01/system?command=/tmp/x' shutdown web01 => unknown
        virsh -c qemu+ext:///system shutdown web01 => unknown
        virsh -c "$URI" shutdown web01 => unknown
        virsh 'shutdown web01; start web02' => mutating web01,web02
        virsh 'list --all; dominfo web01' => read_only
        virsh "dominfo web01\ndestroy web01" => mutating web01
        virsh <<EOF\nlist\ndestroy 'web01'\nEOF => mutating web01
        echo "destroy web01" | virsh => mutating web01
        virsh -r destroy web01 => read_only
        virsh -r 'connect qemu:///system; destroy web01' => unknown
        virsh < cmds.txt => mutating web01
        virsh snapshot-create-as web01 before => mutating web01
        virsh snapshot-revert web01 before => mutating web01
        virsh snapshot-list web01 => read_only
        virsh snapshot-current web01 => read_only
        virsh snapshot-current web01 --name => read_only
        virsh snapshot-current web01 s1 => mutating web01
        virsh set-user-password web01 root x => mutating web01
        virsh send-key web01 KEY_ENTER => mutating web01
        virsh console web01 => unknown web01
        virsh net-destroy default => unknown
        virsh vol-delete --pool default x => unknown
        virsh define web01.xml => unknown
        virsh migrate --live web01 qemu+ssh://kvm02/system => mutating web01
        virsh qemu-agent-command web01 '{"execute":"guest-ping"}' => read_only
        virsh qemu-agent-command web01 '{"execute":"guest-get-osinfo"}' => read_only
        virsh qemu-agent-command web01 '{"execute":"guest-exec","arguments":{"path":"/bin/ls","arg":["/etc"],"capture-output":true}}' => read_only
        virsh qemu-agent-command web01 '{"execute":"guest-exec","arguments":{"path":"/sbin/reboot"}}' => mutating web01
        virsh qemu-agent-command web01 '{"execute":"guest-exec","arguments":{"path":"/bin/sh","arg":["-c","rm -rf /srv"]}}' => mutating web01
        virsh qemu-agent-command web01 '{"execute":"guest-exec","arguments":{"path":"/bin/sh","input-data":"cm0="}}' => unknown web01
        virsh qemu-agent-command web01 '{"execute":"guest-exec","arguments":{"path":"/bin/ls","env":["LD_PRELOAD=/x"]}}' => unknown web01
        virsh qemu-agent-command web01 '{"execute":"guest-ping","execute":"guest-shutdown"}' => unknown web01
        virsh qemu-agent-command web01 '{"execute":"guest-shutdown"}' => mutating web01
        virsh qemu-agent-command web01 '{"execute":"guest-file-open","arguments":{"path":"/etc/x","mode":"w"}}' => mutating web01
        virsh qemu-agent-command web01 '{"execute":"guest-file-open","arguments":{"path":"/etc/x"}}' => read_only
        virsh qemu-agent-command web01 "$JSON" => unknown web01
        virsh "qemu-agent-command web01 '{\"execute\":\"guest-exec\",\"arguments\":{\"path\":\"/sbin/reboot\"}}'" => mutating web01
        LIBGUESTFS_HV=/tmp/x virt-cat -d web01 /etc/x => unknown
        virsh qemu-monitor-command web01 --hmp system_reset => mutating web01
        ssh kvm01 virsh list => read_only
        ssh kvm01 virsh shutdown web01 => unknown kvm01
        ssh kvm01 "virsh qemu-agent-command web01 '{\"execute\":\"guest-exec\",\"arguments\":{\"path\":\"/sbin/reboot\"}}'" => mutating kvm01,web01
        LIBVIRT_DEFAULT_URI=qemu+ssh://kvm01/system virsh shutdown web01 => mutating web01
        LIBVIRT_DEFAULT_URI=qemu+ssh://kvm01/system virsh list => read_only
        LIBVIRT_DEFAULT_URI='qemu+ext:///system?command=/tmp/x' virsh list => unknown
        virt-install --name x --memory 1 => unknown
        virt-install --name x --print-xml => read_only
        virt-clone -o web01 -n web02 --auto-clone => unknown
        virt-xml web01 --edit --memory 4096 => mutating web01
        virt-xml web01 --edit --memory 4096 --print-diff => read_only
        virt-customize -d web01 --run-command 'rm x' => mutating web01
        virt-customize -a disk.qcow2 --run-command 'rm x' => unknown
        virt-sysprep -n -d web01 => read_only
        virt-sysprep -d web01 => mutating web01
        virt-edit -d web01 /etc/x -e s/a/b/ => mutating web01
        virt-copy-in -d web01 x /etc => mutating web01
        virt-copy-out -d web01 /etc/x . => read_only
        virt-cat -d web01 /etc/x => read_only
        virt-df => read_only
        guestfish --ro -d web01 -i cat /etc/passwd => read_only
        guestfish -d web01 -i write /etc/x y => mutating web01
        guestfish -d web01 -i ls / : rm /etc/x => mutating web01
        guestfish --ro -i -d web01 download /etc/x x => read_only
        guestfish -a disk.img -i rm /x => unknown
        guestfish --ro -d web01 -i '!reboot' => unknown
        guestfish --ro -d web01 -i add /dev/vg/db01 : write /x y => unknown
        guestfish --ro -d web01 -i 'cat /x | sh' => unknown
        guestfish -c 'qemu+ext:///system?command=/tmp/x' --ro -d web01 ls / => unknown
        virt-install --connect 'qemu+ext:///system?command=/tmp/x' --print-xml => unknown
        virsh $V web01 => unknown
        virsh "$V" web01 => unknown
        guestfish -d web01 -i <<EOF\nls /\nEOF => read_only
        guestfish -d web01 -i <<EOF\nsh 'rm /x'\nEOF => mutating web01
        "#,
        &Places::default(),
        &[("/project/cmds.txt", "list\ndestroy web01\n")],
    );
}

#[test]
fn others() {
    check(
        r#"
        qm list => read_only
        qm config 101 => read_only
        qm stop 101 => mutating 101
        qm shutdown 101 --timeout 60 => mutating 101
        qm set 101 --memory 4096 => mutating 101
        qm snapshot 101 before => mutating 101
        qm rollback 101 before => mutating 101
        qm clone 101 102 => unknown
        qm create 103 => unknown
        qm --skiplock 101 stop => unknown
        qm stop --skiplock 101 => unknown
        for id in 101 102; do qm stop $id; done => mutating 101,102
        qm guest exec 101 -- ls /etc => read_only
        qm guest exec 101 -- systemctl restart nginx => mutating 101
        qm guest exec 101 --timeout 30 -- bash -c 'rm -rf /x' => mutating 101
        qm guest exec 101 --synchronous 0 reboot => mutating 101
        echo reboot | qm guest exec 101 --pass-stdin 1 -- sh => mutating 101
        qm guest exec 101 -- 'C:\Windows\System32\shutdown.exe' /r => mutating 101
        qm guest exec-status 101 5 => read_only
        qm guest passwd 101 root => mutating 101
        qm guest cmd 101 ping => read_only
        qm guest cmd 101 shutdown => mutating 101
        qm agent 101 get-osinfo => read_only
        qm agent 101 fsfreeze-freeze => mutating 101
        qm sendkey 101 ctrl-alt-delete => mutating 101
        qm monitor 101 => mutating 101
        qm disk resize 101 scsi0 +10G => mutating 101
        ssh pve01 qm list => read_only
        ssh pve01 qm stop 101 => unknown pve01
        ssh root@pve01 qm guest exec 101 -- reboot => mutating pve01,101
        pct list => read_only
        pct exec 201 -- ls => read_only
        pct exec 201 -- apt-get install -y x => mutating 201
        pct push 201 x /etc/x => mutating 201
        pct pull 201 /etc/x x => read_only
        pct enter 201 => unknown 201
        lxc exec web01 bash => unknown web01
        multipass shell web01 => unknown web01
        vagrant ssh web => unknown web
        echo reboot | pct enter 201 => mutating 201
        pct stop 201 => mutating 201
        pvesh get /nodes => read_only
        pvesh create /nodes/pve/qemu/101/status/stop => mutating 101
        pvesh set /nodes/pve/qemu/101/config --memory 1 => mutating 101
        pvesh delete /nodes/pve/lxc/201 => mutating 201
        pvesh create /nodes/pve/qemu/101/clone --newid 102 => unknown
        pvesh create /nodes/pve/qemu --vmid 102 => unknown
        pvesh create /nodes/pve/qemu/101/../102/status/stop => unknown
        qm $V 101 => unknown
        VBoxManage list vms => read_only
        VBoxManage controlvm web01 poweroff => mutating web01
        VBoxManage -q startvm web01 --type headless => mutating web01
        VBoxManage startvm web01 web02 => mutating web01,web02
        vboxmanage snapshot web01 take before => mutating web01
        VBoxManage snapshot web01 list => read_only
        VBoxManage modifyvm web01 --memory 4096 => mutating web01
        VBoxManage unregistervm web01 --delete => mutating web01
        VBoxManage guestcontrol web01 run --exe /bin/ls --username u --password p -- ls /etc => read_only
        VBoxManage guestcontrol web01 run --exe /bin/rm --username u --password p -- rm -rf /x => mutating web01
        VBoxManage guestcontrol web01 run --exe /bin/sh --username u --passwordfile p -- sh -c 'reboot' => mutating web01
        VBoxManage guestcontrol web01 copyto --target-directory /etc x => mutating web01
        VBoxManage guestcontrol web01 copyfrom --target-directory . /etc/x => read_only
        VBoxManage guestproperty get web01 x => read_only
        VBoxManage guestproperty set web01 x y => mutating web01
        VBoxManage clonevm web01 --name x => unknown
        xl list => read_only
        xl shutdown -w web01 => mutating web01
        xl destroy web01 => mutating web01
        xl create web01.cfg => unknown
        xe vm-list => read_only
        xe vm-reboot vm=web01 force=true => mutating web01
        xe vm-shutdown uuid=1234-5 => mutating 1234-5
        xe vm-shutdown --multiple power-state=running => unknown
        xe vm-shutdown power-state=running multiple=true => unknown
        xe vm-param-set uuid=1234-5 name-label=x => mutating 1234-5
        xe vm-install template=x new-name-label=y => unknown
        xe host-reboot host=x => unknown
        acli vm.list => read_only
        acli vm.off web01 => mutating web01
        acli vm.off web01,web02 => mutating web01,web02
        acli vm.off 'web*' => unknown
        acli vm.update web01 memory=4G => mutating web01
        acli vm.clone web02 clone_from_vm=web01 => unknown
        ncli cluster info => read_only
        ncli vm delete id=x => unknown
        lxc list => read_only
        lxc exec web01 -- ls => read_only
        lxc exec web01 -- apt-get install -y x => mutating web01
        incus exec web01 -- sh -c 'rm x' => mutating web01
        lxc exec prod:web01 -- rm x => unknown
        lxc exec prod:web01 -- ls => read_only
        lxc stop web01 --force => mutating web01
        lxc stop --all => unknown
        lxc exec --env LD_PRELOAD=/tmp/x web01 -- ls => unknown web01
        lxc delete -f web01 => mutating web01
        lxc file push x web01/etc/x => mutating web01
        lxc file pull web01/etc/x . => read_only
        lxc restore web01 s1 => mutating web01
        lxc launch ubuntu:22.04 x => unknown
        lxc config set web01 limits.cpu 2 => mutating web01
        multipass list => read_only
        multipass exec web01 -- uptime => read_only
        multipass exec web01 -- sudo reboot => mutating web01
        multipass stop web01 web02 => mutating web01,web02
        multipass stop --all => unknown
        multipass transfer x web01:/tmp/x => mutating web01
        multipass transfer web01:/tmp/x . => read_only
        multipass launch -n x => unknown
        limactl shell web01 uname -a => read_only
        limactl shell web01 sudo reboot => mutating web01
        limactl stop web01 => mutating web01
        prlctl list => read_only
        prlctl exec web01 reboot => mutating web01
        prlctl stop web01 => mutating web01
        vagrant status => read_only
        vagrant ssh web -c uptime => read_only
        vagrant ssh web -c 'sudo reboot' => mutating web
        vagrant ssh -c 'sudo reboot' => unknown
        vagrant ssh -c 'uptime' => read_only
        vagrant ssh web -- sudo reboot => mutating web
        vagrant ssh web -- ls -la => read_only
        vagrant ssh web -- -o ProxyCommand=x ls => unknown
        vagrant halt web => mutating web
        vagrant halt => unknown
        vagrant halt /web/ => unknown
        vagrant destroy -f web db => mutating web,db
        vagrant up => unknown
        vagrant snapshot restore web before => mutating web
        vagrant winrm -c 'Restart-Service x' win => mutating win
        vagrant upload a /tmp/a web => mutating web
        "#,
        &Places::default(),
        &[],
    );
}
