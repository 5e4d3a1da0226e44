//! Tests of tmux's commands.

use super::super::testing::{check, check_unknown};
use super::*;

#[test]
fn what_shows_and_what_runs() {
    check(
        judge,
        &[
            ("tmux ls", "reads"),
            ("tmux", "reads"),
            ("tmux -V", "reads"),
            ("tmux list-panes -a -F '#{pane_id}'", "reads"),
            ("tmux capture-pane -p -t x -S -100", "reads"),
            ("tmux capturep -pt x", "reads"),
            ("tmux has-session -t x", "reads"),
            ("tmux -L other -f /dev/null has -t x", "reads"),
            ("tmux display-message -p '#S'", "reads"),
            ("tmux attach -t x", "reads"),
            ("tmux rename-window -t x y", "reads"),
            ("tmux set -g mouse on", "reads"),
            ("tmux send-keys -t x -X cancel", "reads"),
            ("tmux kill-session -t x", "changes"),
            ("tmux kill-server", "changes"),
            ("tmux new-session -d -s x", "reads"),
            ("tmux new -d -s x 'rm -rf /x; ls'", "sh {rm -rf /x; ls} <nothing"),
            ("tmux new-session -d -s x -c /srv make test", "[make|test] in /srv <nothing"),
            ("tmux new-window -t x -n y -- ssh web01 reboot", "[ssh|web01|reboot] <nothing"),
            ("tmux split-window -h 'ssh web01'", "sh {ssh web01} <nothing"),
            ("tmux neww -e A=b 'x'", "sets A=b; sh {x} <nothing"),
            ("tmux respawn-pane -k -t x 'rm y'", "changes; sh {rm y} <nothing"),
            ("tmux popup -E 'rm x'", "sh {rm x} <nothing"),
            ("tmux run-shell -b 'rm x'", "sh {rm x} <nothing"),
            ("tmux run 'rm x'", "sh {rm x} <nothing"),
            ("tmux pipe-pane -t x -o 'cat >> log'", "sh {cat >> log} <unknown"),
            ("tmux pipe-pane -t x", "reads"),
            ("tmux save-buffer /tmp/x", "writes /tmp/x"),
            ("tmux saveb -", "reads"),
            ("tmux detach -E 'rm x'", "sh {rm x} <nothing"),
            ("tmux -c 'rm x'", "sh {rm x} <nothing"),
            ("tmux if-shell 'test -f x' 'new -d y' 'kill-server'", "sh {test -f x} <nothing; sh {y} <nothing; changes"),
            ("tmux bind-key x kill-server", "changes"),
            ("tmux bind x run-shell 'rm x'", "sh {rm x} <nothing"),
            ("tmux confirm-before 'kill-server'", "changes"),
            ("tmux new -d -s x \\; neww 'rm y'\\; killw", "sh {rm y} <nothing; changes"),
            ("tmux ls; kill-server", "changes"),
        ],
    );
}

#[test]
fn what_is_typed_is_judged_and_still_not_known() {
    check(
        judge,
        &[
            ("tmux send-keys -t x 'ls -l' Enter", "unknown; sh {ls -l\n} <nothing"),
            ("tmux send -t x ls Space -l C-m", "unknown; sh {ls -l\n} <nothing"),
            ("tmux send-keys -t x C-c", "unknown"),
            ("tmux send-keys -lt x 'Enter'", "unknown; sh {Enter} <nothing"),
            ("tmux send-keys -t x C-u 'reboot' KPEnter", "unknown; sh {\nreboot\n} <nothing"),
            ("tmux send-keys -H 61", "unknown; sh {…} <nothing"),
            ("tmux send-keys -t x", "reads"),
            ("tmux paste-buffer -t x", "unknown; sh {…} <nothing"),
            ("tmux pipe-pane -I -t x 'cat y'", "sh {cat y} <unknown; unknown; sh {…} <nothing"),
        ],
    );
}

#[test]
fn what_can_not_be_told() {
    check_unknown(
        judge,
        &[
            "tmux source-file x.conf",
            "tmux source ~/.tmux.conf",
            "tmux -f x.conf ls",
            "tmux nope",
            "tmux l",
            "tmux …",
            "tmux ls -Z",
            "tmux display-message -p '#(reboot)'",
            "tmux list-windows -F '#(ssh web01 reboot)'",
            "tmux set -g status-right '#(reboot)'",
            "tmux set -g default-command 'ssh web01'",
            "tmux set -g default-shell /tmp/x",
            "tmux set-environment -g PATH /tmp",
            "tmux send-keys -X copy-pipe 'ssh web01'",
            "tmux if-shell true 'run \"rm x\"'",
            "tmux run-shell -C 'run \"rm x\"'",
            "tmux bind x { run 'rm x' }",
            "tmux rename-window '#(reboot)'",
            "tmux -C <<< kill-server",
            "tmux lock-server",
            "tmux new -e $* x",
        ],
    );
}

#[test]
fn names_stand_once_and_in_order() {
    assert!(COMMANDS.is_sorted_by_key(|(name, ..)| name));
    for (name, short, ..) in COMMANDS {
        assert!(find(name).is_some_and(|(found, ..)| found == *name), "{name}");
        assert!(short.is_empty() || find(short).is_some_and(|(found, ..)| found == *name), "{short}");
    }
}
