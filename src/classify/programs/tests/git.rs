//! How `git` is judged.

use super::super::testing::{check, check_unknown};
use super::*;

#[test]
fn the_catalog_says_what_sub_commands_do() {
    for line in [
        "git status",
        "git -C /srv --no-pager log --oneline -5",
        "git -c user.name=x -c color.ui=never commit -m 'ssh web01 reboot'",
        "git push origin main",
        "git fetch --all",
        "git clone https://web01/x y",
        "git -c core.sshCommand='ssh -i ~/.ssh/k -o IdentitiesOnly=yes' fetch",
        "git -c core.pager=cat diff",
        "git -c core.editor=true rebase --continue",
        "git rebase main",
        "git grep -n x -- -O",
        "git -c alias.x='!rm y' log",
        "git diff --stat",
    ] {
        check(judge, &[(line, "table")]);
    }
    check(judge, &[("git --version", "reads"), ("git", "reads"), ("git --exec-path", "reads"), ("git -h", "reads")]);
}

#[test]
fn what_options_run_and_write() {
    check(
        judge,
        &[
            ("git -c alias.x='!rm y' x z", "sh {rm y \"$@\"} [rm y|z] in …"),
            ("git -c alias.x='log -1' x", "[git|-c|alias.x=log -1|log|-1]"),
            ("git log …", "unknown on a guest; table"),
            ("git show …", "unknown on a guest; table"),
            ("git stash show --o…", "unknown on a guest; table"),
            ("git diff HEAD $*", "unknown on a guest; table"),
            ("git difftool HEAD", "works; table"),
            ("git filter-branch --msg-filter 'rm x' --subdirectory-filter y HEAD", "works; sh {rm x} <unknown; table"),
            ("git filter-branch --tree-filter='rm x'", "works; sh {rm x} <unknown; table"),
            ("git -c alias.x='-c core.pager=rm log' x", "[git|-c|alias.x=-c core.pager=rm log|-c|core.pager=rm|log]"),
            ("git -c core.pager='rm x' log", "sh {rm x} <unknown; table"),
            ("git -C /srv -c sequence.editor='rm x' rebase -i", "sh {rm x …} in /srv <unknown; table"),
            ("git bisect run rm x", "works; [rm|x]; table"),
            ("git submodule foreach --recursive 'rm x; ls'", "sh {rm x; ls} in … <unknown; works; table"),
            ("git rebase -x 'rm x' main", "sh {rm x} <unknown; table"),
            ("git rebase '--exec=rm x' main", "sh {rm x} <unknown; table"),
            ("git rebase --ex 'rm x' main", "sh {rm x} <unknown; table"),
            ("git rebase -ix 'rm x' main", "sh {…} <unknown; table"),
            ("git log --output=/etc/x", "writes /etc/x; table"),
            ("git diff --output /etc/x", "writes /etc/x; table"),
            ("git archive -o /srv/x.tar HEAD", "writes /srv/x.tar"),
            ("git archive --format=tar HEAD", "reads"),
            ("git branch -avv", "reads"),
            ("git branch --list 'x*'", "reads"),
            ("git branch --contains x", "reads"),
            ("git branch --no-merged", "reads"),
            ("git branch --merged x -d y", "table"),
            ("git lfs ls-files", "[git-lfs|ls-files]"),
            ("git branch x", "table"),
            ("git branch -D x", "table"),
            ("git branch -r -d x/y", "table"),
            ("git tag -n3", "reads"),
            ("git tag -l 'v*' --sort=-v:refname", "reads"),
            ("git tag x", "table"),
            ("git tag -d x", "table"),
            ("git bundle create /srv/x HEAD", "writes /srv/x"),
            ("git bundle verify x", "reads"),
            ("git config --list", "reads"),
            ("git config user.name", "reads"),
            ("git config --get-all x.y", "reads"),
            ("git config user.name x", "works"),
            ("git config set --global user.name x", "works"),
            ("git config --unset alias.x", "works"),
        ],
    );
}

#[test]
fn what_may_run_anything_is_unknown() {
    check_unknown(
        judge,
        &[
            "git --exec-path=/tmp log",
            "git -c core.fsmonitor='rm x' status",
            "git -c core.sshCommand='rm x' fetch",
            "git -c core.sshCommand='ssh -o ProxyCommand=rm' fetch",
            "git -c diff.x.textconv=rm diff",
            "git -c credential.helper='!rm x' fetch",
            "git -c core.hooksPath=/tmp commit",
            "git -c protocol.ext.allow=always fetch 'ext::rm x'",
            "git -c … log",
            "git -c x…=y log",
            "git --config-env=core.pager=X log",
            "git fetch --upload-pack=rm /srv/x",
            "git fetch --upload-pa rm /srv/x",
            "git clone -u rm /srv/x",
            "git clone -c core.fsmonitor=rm x",
            "git push --receive-pack=rm x",
            "git ls-remote 'ext::sh -c rm'",
            "git remote add x 'ext::sh -c rm'",
            "git grep -O x",
            "git grep -nOrm x",
            "git grep --open-files=rm x",
            "git difftool -x rm",
            "git difftool -x rm",
            "git difftool --extcmd=rm",
            "git filter-branch $*",
            "git config alias.x '!rm y'",
            "git config core.pager rm",
            "git config --global core.hooksPath /tmp",
            "git config … x",
            "git …",
            "git $*",
            "git -c alias.x='\"a' x",
            "git archive --exec=rm --remote=x HEAD",
        ],
    );
}
