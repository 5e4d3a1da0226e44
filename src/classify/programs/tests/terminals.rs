//! Tests of other terminals.

use super::super::testing::{check, check_unknown};
use super::*;

#[test]
fn others() {
    check(
        zellij,
        &[
            ("zellij ls", "reads"),
            ("zellij --version", "reads"),
            ("zellij kill-session x", "changes"),
            ("zellij run -- rm x", "[rm|x] <nothing"),
            ("zellij run -f -- ssh web01 reboot", "[ssh|web01|reboot] <nothing"),
            ("zellij -s x action new-pane -- rm y", "[rm|y] <nothing"),
            ("zellij action new-pane", "reads"),
            ("zellij action write-chars 'rm x'", "unknown; sh {rm x} <nothing"),
            ("zellij action dump-screen /tmp/x", "writes /tmp/x"),
        ],
    );
    check_unknown(
        zellij,
        &[
            "zellij action write 10",
            "zellij run",
            "zellij …",
            "zellij --layout x",
            "zellij action new-tab --layout x",
            "zellij plugin x",
        ],
    );
    check(
        wezterm,
        &[
            ("wezterm cli list --format json", "reads"),
            ("wezterm cli get-text", "reads"),
            ("wezterm cli kill-pane", "changes"),
            ("wezterm cli send-text --no-paste 'rm x'", "unknown; sh {rm x} <nothing"),
            ("wezterm cli send-text --pane-id 3 <<< ls", "unknown; sh {ls} <nothing"),
            ("wezterm cli spawn --cwd /x -- rm y", "[rm|y] <nothing"),
            ("wezterm start -- ssh web01 reboot", "[ssh|web01|reboot] <nothing"),
            ("wezterm ssh root@web01 reboot now", "sh {reboot now} at web01 <nothing"),
        ],
    );
    check_unknown(wezterm, &["wezterm cli spawn --domain-name ssh:web01 x", "wezterm connect x", "wezterm …"]);
    check(
        kitty,
        &[
            ("kitty --version", "reads"),
            ("kitty @ ls", "reads"),
            ("kitty @ --to unix:/x get-text", "reads"),
            ("kitten @ send-text -m id:1 'rm x'", "unknown; sh {rm x} <nothing"),
            ("kitty @ send-text --from-file x", "unknown; sh {…} <nothing"),
            ("kitty @ close-window", "changes"),
        ],
    );
    check_unknown(kitty, &["kitty @ launch ssh web01", "kitty +kitten ssh web01 reboot", "kitty ssh web01", "kitty"]);
}

#[test]
fn small_ones() {
    check(
        dtach,
        &[
            ("dtach -n /tmp/s -z rm x", "[rm|x] <nothing"),
            ("dtach -A /tmp/s -r winch ssh web01 reboot", "[ssh|web01|reboot] <nothing"),
            ("dtach -a /tmp/s", "reads"),
            ("dtach -p /tmp/s <<< reboot", "unknown; sh {…} <nothing"),
        ],
    );
    check_unknown(dtach, &["dtach", "dtach -n /tmp/s -Q x", "dtach … x"]);
    check(abduco, &[("abduco", "reads"), ("abduco -n x rm y", "[rm|y] <nothing"), ("abduco -a x", "reads")]);
    check_unknown(abduco, &["abduco -p x", "abduco -Z x rm"]);
}
