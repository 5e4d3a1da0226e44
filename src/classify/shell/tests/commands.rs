//! Simple commands, assignments, redirections and here-documents.

use super::*;

#[test]
fn assignments() {
    check(&[
        ("a=1 b=2 c d=3", "a=1 b=2 [c] [d=3]"),
        ("a=", "a="),
        ("a= b", "a= [b]"),
        ("a+=b", "a+=b"),
        ("a=(b 'c' $(d) # x\n e)", "a=([b] ['c'] [$([d])] [e])"),
        ("a+=()", "a+=()"),
        ("a=([x]=1 [y]=2)", "a=([[x]=1] [[y]=2])"),
        ("a[1]=b", "a[1]=b"),
        ("a[$(reboot)]+=b c", "a[\"$([reboot])\"]+=b [c]"),
        ("a[b] c", "[a[b]] [c]"),
        ("'a'=b", "['a'=b]"),
        ("a\"b\"=c", "[a'b'=c]"),
        ("1a=b", "[1a=b]"),
        ("a=b=c", "a=b=c"),
        ("export A=b", "[export] [A=b]"),
        ("declare -a x=(a $(b) 'c')", "[declare] [-a] [x=(a $([b]) 'c')]"),
        ("a=<(b)", "a=<([b])"),
        ("a=$x$y", "a=$x$y"),
        ("a= \\\n b", "a= [b]"),
    ]);
    refuse(&["a=(", "a=(b;c)", "a=(b", "a[1]=(b)", "a=b(c)", "a[ b", "a[b c] d", "a[b; c]=d", "a[b|c]=d", "a=(b)c(d)"]);
}

#[test]
fn redirections() {
    check(&[
        ("a >b 2>c <d", "[a] >b 2>c <d"),
        ("a >>b >|c <>d", "[a] >b >c <>d"),
        (">a", " >a"),
        (">a b", "[b] >a"),
        ("a 2>&1 >&2 <&3 >&- 2>&3-", "[a] 2&1 &2 &3 &- 2&3-"),
        ("a >&b &>c &>>d", "[a] >b >c >d"),
        ("a >&$x", "[a] &$x"),
        ("a >&\"$f.log\"", "[a] >\"$f\"'.log'"),
        ("a {fd}>b {fd}<&-", "[a] >b &-"),
        ("a {x} {x}y", "[a] [{x}] [{x}y]"),
        ("a 2 >b", "[a] [2] >b"),
        ("a b2>c", "[a] [b2] >c"),
        ("a 2\\>b", "[a] [2'>'b]"),
        ("a < <(b) > >(c)", "[a] <<([b]) >>([c])"),
        ("a 2>(b)", "[a] [2>([b])]"),
        ("a<<<b", "[a] <<<b"),
        ("a 3<<<'b c'", "[a] 3<<<'b c'"),
        ("{ a; } >b 2>&1", "{[a]} >b 2&1"),
        ("(a) <b", "([a]) <b"),
        ("while a; do b; done <c", "loop [a] do [b] done <c"),
        ("a |& b", "[a] 2&1 | [b]"),
        ("{ a; } |& b", "{[a]} 2&1 | [b]"),
        ("a & >b", "[a] &;  >b"),
        ("a &>b", "[a] >b"),
    ]);
    refuse(&[
        "a >",
        "a > ;",
        "a >>>b",
        "a 99999999999>b",
        "a >>(b)",
        "{fd[$(b)]}>c",
        "a &>(b)",
        "a >&-b",
        "a >& -b",
        "a <&-b",
    ]);
}

#[test]
fn here_documents() {
    check(&[
        ("cat <<E\na $x\nE\nb", "[cat] <<'a '\"$x\"'\n'; [b]"),
        ("cat <<'E'\na $x\nE\n", "[cat] <<'a $x\n'"),
        ("cat <<\\E\n$x\nE", "[cat] <<'$x\n'"),
        ("cat <<\"E\"\n`a`\nE", "[cat] <<'`a`\n'"),
        ("cat <<-E\n\ta\n\t\tE\nb", "[cat] <<'a\n'; [b]"),
        ("cat <<-'E'\n\ta\n\tE\nb", "[cat] <<'a\n'; [b]"),
        ("cat <<E\n\tE\nE\nb", "[cat] <<'\tE\n'; [b]"),
        ("cat <<E >f; b\na\nE\nc", "[cat] <<'a\n' >f; [b]; [c]"),
        ("a <<A; b <<B\n1\nA\n2\nB\nc", "[a] <<'1\n'; [b] <<'2\n'; [c]"),
        ("a <<A <<B\n1\nA\n2\nB", "[a] <<'1\n' <<'2\n'"),
        ("a <<A |\n1\nA\nb", "[a] <<'1\n' | [b]"),
        ("a <<A &&\n1\nA\nb", "[a] <<'1\n' && [b]"),
        ("if a <<A; then\n1\nA\nb; fi", "if [a] <<'1\n' then [b] fi"),
        ("for x in $(cat <<A\n1\nA\n); do b <<B\n2\nB\ndone", "for x in [$([cat] <<'1\n')] do [b] <<'2\n' done"),
        ("f() { a <<A\n1\nA\n}", "f() {[a] <<'1\n'}"),
        (
            "cat <<E\n$(reboot) `b` \"$(c)\" \\$x \\\" '$y'\nE",
            "[cat] <<\"$([reboot])\"' '\"$([b])\"' \"'\"$([c])\"'\" $x \\\" ''\"$y\"''\n'",
        ),
        // A backslash joins lines, so the first `E` is no mark.
        ("cat <<E\na\\\nE\nE\nb", "[cat] <<'aE\n'; [b]"),
        ("cat <<'E'\na\\\nE\nb", "[cat] <<'a\\\n'; [b]"),
        ("cat <<E\na\\\\\nE\nb", "[cat] <<'a\\\n'; [b]"),
        ("cat <<E\nE ", "[cat] <<'E '"),
        ("cat <<E", "[cat] <<"),
        ("cat <<''\na\n\nb", "[cat] <<'a\n'; [b]"),
        ("cat <<E; echo \"a\nb\"\n1\nE\nc", "[cat] <<'1\n'; [echo] ['a\nb']; [c]"),
        ("cat <<E # x\n1\nE\nb", "[cat] <<'1\n'; [b]"),
        ("ssh h <<E\nsudo reboot\nE", "[ssh] [h] <<'sudo reboot\n'"),
        ("(cat <<E\n1\nE\n)", "([cat] <<'1\n')"),
    ]);
    refuse(&[
        "cat <<",
        "cat <<;",
        "cat <<$(a)\nE",
        "cat <<$'E'\nE",
        "cat <<E\n$(\nE\n)",
        "cat <<E\n`\nE\n`",
        "cat <<E $(a\nb)\nE",
        "cat <<E\n${x\nE\n}",
    ]);
}

#[test]
fn the_text_of_a_command() {
    let text_of = |text: &str| match read(text).unwrap().0.remove(0).first {
        Node::Simple(simple) => simple.text,
        other => panic!("{other:?}"),
    };
    assert_eq!(text_of("  A=1 ls -l  'a b' 2>&1 ; x"), "A=1 ls -l  'a b' 2>&1");
    assert_eq!(text_of("ls # x"), "ls");
    assert_eq!(text_of("a &"), "a");
    let long = format!("echo {}", "ä".repeat(400));
    assert!(text_of(&long).len() < 310 && text_of(&long).ends_with("ä…"));
}

#[test]
fn words_keep_their_raw_text() {
    let script = read("scp 'a b' \"$x\"~ h:${y:-z} export a=(1  2)").unwrap();
    let Node::Simple(simple) = &script.0[0].first else { panic!() };
    let raws: Vec<_> = simple.words.iter().map(|word| word.raw.as_str()).collect();
    assert_eq!(raws, ["scp", "'a b'", "\"$x\"~", "h:${y:-z}", "export", "a=(1  2)"]);
}
