//! Lists, pipelines and compound commands: who is grouped with whom.

use super::*;

#[test]
fn lists_and_pipelines() {
    check(&[
        ("a; b\nc\n\n d ;", "[a]; [b]; [c]; [d]"),
        ("a && b || c", "[a] && [b] || [c]"),
        ("a &&\n\n b ||\n# x\nc", "[a] && [b] || [c]"),
        ("a & b &", "[a] &; [b] &"),
        ("a && b & c", "[a] && [b] &; [c]"),
        ("a | b |\n c", "[a] | [b] | [c]"),
        ("! a | b", "[a] | [b]"),
        ("! ! a", "[a]"),
        ("time a | b", "[a] | [b]"),
        ("time -p a", "[a]"),
        ("time -- a", "[a]"),
        ("time -f x a", "[time] [-f] [x] [a]"),
        ("time", ""),
        ("! time a", "[a]"),
        ("a | time b", "[a] | [time] [b]"),
        ("a &! b", "[a] &; [b]"),
        ("a\\\n&\\\n& b", "[a] && [b]"),
        ("a&&b||c&d;e|f", "[a] && [b] || [c] &; [d]; [e] | [f]"),
        ("# only a comment", ""),
        ("a;# x\nb", "[a]; [b]"),
        ("a #b\\\nc", "[a]; [c]"),
        ("echo if then fi }", "[echo] [if] [then] [fi] [}]"),
        ("'if' a", "['if'] [a]"),
        ("\\if a", "['i'f] [a]"),
        ("a\r\nb", "[a\r]; [b]"),
    ]);
    refuse(&[
        ";",
        "&",
        "a;;",
        "a ; ; b",
        "a & ; b",
        "| a",
        "a |",
        "a &&",
        "&& a",
        "a | ! b",
        "a || && b",
        ")",
        "a )",
        "a |;",
        "a &|",
        "a ;& b",
        "a &&& b",
        "then a",
        "a; done",
    ]);
}

#[test]
fn groups() {
    check(&[
        ("(a; b)", "([a]; [b])"),
        ("( (a) )", "(([a]))"),
        ("((a); b)", "(([a]); [b])"),
        ("((a);(b))", "(([a]); ([b]))"),
        ("( (reboot) )", "(([reboot]))"),
        ("((a+b))", "((a+b))"),
        ("(( (a) ))", "(( (a) ))"),
        ("((x=$(reboot)))", "((x=\"$([reboot])\"))"),
        ("((1<<2))\na", "((1<<2)); [a]"),
        ("{ a; }", "{[a]}"),
        ("{ a;}", "{[a]}"),
        ("{ a\n}", "{[a]}"),
        ("{a; }b", "[{a]; [}b]"),
        ("{ (a) }", "{([a])}"),
        ("{ { a; } }", "{{[a]}}"),
        ("{ a & }", "{[a] &}"),
        ("(a) | { b; }", "([a]) | {[b]}"),
        ("(a)&&(b)", "([a]) && ([b])"),
        ("(#x\na)", "([a])"),
        ("{\\\n a; }", "{[a]}"),
    ]);
    refuse(&["(a", "{ a; ", "{ a }", "()", "( )", "{ }", "(a) b", "{ a; } b", "((a)", "(a))", "((a;b", "( (a)"]);
}

#[test]
fn loops() {
    check(&[
        ("for h in a b; do c $h; done", "for h in [a] [b] do [c] [$h] done"),
        ("for h in a\ndo c; done", "for h in [a] do [c] done"),
        ("for h; do c; done", "for h in args do [c] done"),
        ("for h do c; done", "for h in args do [c] done"),
        ("for h\nin a; do c; done", "for h in [a] do [c] done"),
        ("for h in; do c; done", "for h in  do [c] done"),
        ("for h in $(a) *.x; { c; }", "for h in [$([a])] [*.x] do [c] done"),
        ("for ((i=0;i<$(n);i++)); do c; done", "loop [i=0;i<\"$([n])\";i++] do [c] done"),
        ("for ((;;)) { c; }", "loop [;;] do [c] done"),
        ("for ((;;))\ndo c; done", "loop [;;] do [c] done"),
        ("while a; b; do c; done", "loop [a]; [b] do [c] done"),
        ("until a; do c; done", "loop [a] do [c] done"),
        ("while read h; do ssh $h; done <f | x", "loop [read] [h] do [ssh] [$h] done <f | [x]"),
        ("for do in a; do b; done", "for do in [a] do [b] done"),
        ("for h in do done; do b; done", "for h in [do] [done] do [b] done"),
    ]);
    refuse(&[
        "for",
        "for h",
        "for 1 in a; do b; done",
        "for h in a do b; done",
        "for h in a; do done",
        "for h in a; do b",
        "while; do a; done",
        "while a; done",
        "for h (a b) c",
        "for h in a; c",
        "for $h in a; do b; done",
        "select x in a; do b; done",
        "for ((a;b;c) ); do d; done",
        "repeat 3 { a; }",
    ]);
}

#[test]
fn conditions() {
    check(&[
        ("if a; then b; fi", "if [a] then [b] fi"),
        ("if a; then b; elif c; then d; else e; fi", "if [a] then [b] else [c] then [d] else  then [e] fi"),
        ("if (a) then (b) fi", "if ([a]) then ([b]) fi"),
        ("if ! a; then b; fi >f", "if [a] then [b] fi >f"),
        ("if a\nthen\nb\nfi", "if [a] then [b] fi"),
        ("case $x in a|b) c;; (d) e ;; *) f; esac", "case $x in [a] [b]) [c];; [d]) [e];; [*]) [f] esac"),
        ("case x in esac", "case x in  esac"),
        ("case x\nin\n\na)\nb\n;;\nesac", "case x in [a]) [b] esac"),
        ("case x in a) ;; b) esac", "case x in [a]) ;; [b])  esac"),
        ("case x in \"$(a)\") b;; esac", "case x in [\"$([a])\"]) [b] esac"),
        ("case x in a | b ) c;; esac", "case x in [a] [b]) [c] esac"),
        ("case x in (esac) a;; esac", "case x in [esac]) [a] esac"),
        ("[[ a == b* && -f $x || ! ( c < d ) ]]", "[[[a] [==] [b*] [-f] [$x] [!] [c] [d]]]"),
        ("[[ $x =~ ^(a|b c)+$ ]] && d", "[[[$x] [=~] [^(a|b c)+$]]] && [d]"),
        ("[[ $x =~ $(reboot) ]]", "[[[$x] [=~] [$([reboot])]]]"),
        ("[[ -n $(a) ]] >f", "[[[-n] [$([a])]]] >f"),
        ("[[ x == @(a|b) ]]", "[[[x] [==] [@(a|b)]]]"),
        ("[[ x ]]; a", "[[[x]]]; [a]"),
        ("[ a = b ]", "[[] [a] [=] [b] []]"),
    ]);
    refuse(&[
        "if a; fi",
        "if a then b; fi",
        "if a; then b",
        "if; then b; fi",
        "if a; then; fi",
        "case x in a) b;& c) d;; esac",
        "case x in a) b;;& c) d;; esac",
        "case x in a b) c;; esac",
        "case x a) b;; esac",
        "case x in a) b",
        "[[ a",
        "[[ a & b ]]",
        "[[ a; b ]]",
        "[[ a ]] b",
        "if [[ a ]] { b; }",
        "case x in ) b;; esac",
        "[[ ( a ]]",
    ]);
}

#[test]
fn functions_and_coprocesses() {
    check(&[
        ("f() { a; }", "f() {[a]}"),
        ("f () { a; }; f", "f() {[a]}; [f]"),
        ("f()\n{ a; } >b", "f() {[a]} >b"),
        ("function f { a; }", "f() {[a]}"),
        ("function f() { a; }", "f() {[a]}"),
        ("function f\n{ a; }", "f() {[a]}"),
        ("function f (a)", "f() ([a])"),
        ("function f ( ) (a)", "f() ([a])"),
        ("f() (a)", "f() ([a])"),
        ("f() if a; then b; fi", "f() if [a] then [b] fi"),
        ("f() [[ a ]]", "f() [[[a]]]"),
        ("f() ((a))", "f() ((a))"),
        ("a-b.c() { a; }", "a-b.c() {[a]}"),
        ("coproc a b", "coproc [a] [b]"),
        ("coproc { a; }", "coproc {[a]}"),
        ("coproc N { a; }", "coproc {[a]}"),
        ("coproc N (a)", "coproc ([a])"),
        ("coproc while a; do b; done", "coproc loop [a] do [b] done"),
        ("coproc a >b", "coproc [a] >b"),
    ]);
    refuse(&[
        "f()",
        "f() a",
        "f( { a; }",
        "f(a) { b; }",
        "'f'() { a; }",
        "$f() { a; }",
        "a f() { b; }",
        "function",
        "() { a; }",
        "f() { a; } b",
        "f() g() { a; }",
        "f() { a; } |& b",
        "x=1 f() { a; }",
        "function f a",
    ]);
}
