cp ~/.bashrc ~deploy/.bashrc
PATH=~/bin:/usr/bin:~/go/bin
export GOPATH=~/go KUBECONFIG=$HOME/.kube/config
cd ~- && cat '~/not' "~"
