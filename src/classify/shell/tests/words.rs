//! Words: quotes, escapes and everything that is expanded.

use super::*;

#[test]
fn quotes_and_escapes() {
    check(&[
        ("", ""),
        ("a", "[a]"),
        (r"'a b'", "['a b']"),
        (r"a\ b\'c", "[a' 'b'''c]"),
        ("''", "['']"),
        ("\"\"", "['']"),
        ("a\"\"", "[a'']"),
        (r#""a\"b\$c\d""#, r#"['a"b$c\d']"#),
        (r#"a"b"'c'd"#, "[a'bc'd]"),
        ("\"a'b\"", "['a'b']"),
        ("a\\\nb", "[ab]"),
        ("\"a\\\nb\"", "['ab']"),
        ("'a\\\nb'", "['a\\\nb']"),
        ("e\\\ncho a\\\n b", "[echo] [a] [b]"),
        (r"a\\", "[a'\\']"),
        ("a#b #c", "[a#b]"),
        ("ls *.[ch] {a,b} x?", "[ls] [*.[ch]] [{a,b}] [x?]"),
        ("a=b", "a=b"),
        ("ä \"ö\" 'ü' \\ß", "[ä] ['ö'] ['ü'] ['ß']"),
        (r#"$"a $b""#, "['a '\"$b\"]"),
    ]);
    refuse(&["'", "\"", "a'b", "\"a", "echo \"$(echo \"\"", "\\", "$'", "$'\\", "`", "\"`\"", "echo `echo \"`\""]);
}

#[test]
fn ansi_c() {
    check(&[
        (r"$'a\nb\tc'", "['a\nb\tc']"),
        (r"$'\x41\101\u00e4\U1F600'", "['AAä😀']"),
        (r"$'it\'s'", "['it's']"),
        (r"$'\e\a\c[\ca\?\q'", "['\u{1b}\u{7}\u{1b}\u{1}?\\q']"),
        (r"$'\xc3\xa4'", "['ä']"),
        (r"a$'b'c", "[a'b'c]"),
        // Nothing of the form if the dollar sign is escaped, stands in quotes, or belongs to `$$`.
        (r"\$'a\'; reboot", "['$a\\']; [reboot]"),
        (r"$$'a\'; reboot", "[$$'a\\']; [reboot]"),
        (r#""$'a'""#, "['$'a'']"),
    ]);
    refuse(&[
        r"$'\xff'",
        r"$'\0'",
        r"$'a\x00b'",
        r"$'\ud800'",
        r"$'\xzz'",
        r"$'\c'",
        r"$'\u'",
        r"$'a\'; reboot; echo \'b'",
    ]);
}

#[test]
fn tildes() {
    check(&[
        ("~", "[~<>]"),
        ("~/x", "[~<>/x]"),
        ("~bob/x", "[~<bob>/x]"),
        ("~+", "[~<+>]"),
        ("a~", "[a~]"),
        ("a/~/b", "[a/~/b]"),
        (r"~\bob", "[~'b'ob]"),
        ("~\"bob\"", "[~'bob']"),
        ("~$x", "[~$x]"),
        ("\"~\"", "['~']"),
        ("PATH=~/bin:~bob/bin:x", "PATH=~<>/bin:~<bob>/bin:x"),
        ("export A=~/x", "[export] [A=~<>/x]"),
        ("x --a=~/x", "[x] [--a=~/x]"),
        ("x ~:y", "[x] [~:y]"),
        ("x ${a:-~/b}", "[x] [${a-~<>/b}]"),
    ]);
}

#[test]
fn variables() {
    check(&[
        ("$x ${x} \"$x\" \"${x}\"", "[$x] [$x] [\"$x\"] [\"$x\"]"),
        ("$1 ${12} $12 $0", "[$1] [$12] [$12] [$0]"),
        ("$@ \"$@\" $* $# $? $$ $! $-", "[$@] [\"$@\"] [$*] [$#] [$?] [$$] [$!] [$-]"),
        ("$ a$ \"$\" $/ $%", "[$] [a$] ['$'] [$/] [$%]"),
        ("${x:-a b} ${x-a} ${x:=a} ${x+a} ${x:?a}", "[${x-a b}] [${x-a}] [${x=a}] [${x+a}] [${x?a}]"),
        ("${x:-$(reboot)}", "[${x-$([reboot])}]"),
        ("\"${x:-$(reboot)}\"", "[\"${x-\"$([reboot])\"}\"]"),
        ("${x:-`reboot`}", "[${x-$([reboot])}]"),
        ("${x:-<(reboot)}", "[${x-<([reboot])}]"),
        ("${x:-'}'}", "[${x-'}'}]"),
        ("${x:-a;b|c}", "[${x-a;b|c}]"),
        ("\"${x:-\"a}b\"}\"", "[\"${x-'a}b'}\"]"),
        (
            "\"${x:-it's 'a' b}\"",
            "error: the shell text can't be read at line 1, column 15: a single quote isn't closed",
        ),
        ("\"${x:-'a'}\"", "[\"${x-''a''}\"]"),
        ("${#x} ${#x[@]} ${#} ${#?} ${##} ${#-} ${#:-a}", "[${#x}] [${#x[@]}] [$#] [${#?}] [${##}] [${#-}] [${#-a}]"),
        ("${#1}", "[${#1}]"),
        ("${x%%.*} ${x#*/} ${x##*(a)}", "[${x…[%.*]}] [${x…[*/]}] [${x…[#*(a)]}]"),
        ("${x/a/$(reboot)} ${x//a/b}", "[${x…[a/$([reboot])]}] [${x…[/a/b]}]"),
        ("\"${x//'}'/$'\\n'}\"", "[\"${x…['/}/\n']}\"]"),
        ("${x:1} ${x:$(reboot):2} ${x: -1}", "[${x…[1]}] [${x…[\"$([reboot])\":2]}] [${x…[ -1]}]"),
        ("${x^^} ${x,} ${x@Q}", "[${x…[^]}] [${x…[]}] [${x…}]"),
        ("${!x} ${!x*} ${!x[@]} ${!x:-a} ${!}", "[${x…}] [${x…}] [${x[@]…}] [${x…[a]}] [$!]"),
        ("${x[0]} ${x[$(reboot)]} \"${x[@]}\"", "[$x[0]] [$x[\"$([reboot])\"]] [\"$x[@]\"]"),
        ("${x[a[1]]:-b}", "[${x[a[1]]-b}]"),
        ("$a$b/${c}d", "[$a$b/$cd]"),
        ("$a\\\nb", "[$ab]"),
    ]);
    refuse(&[
        "${x",
        "${x:-a",
        "${x:-$(}",
        "\"${x:-'}\"; reboot; echo \"'}\"",
        "${x@P}",
        "${ reboot; }",
        "${| reboot; }",
        "${(e)x}",
        "${=x}",
        "${x|y}",
        "${}",
        "${x y}",
        "${:-x}",
        "${x[}",
        "${x@}",
        "\"${x:-<(a)}\"",
        "\"${x#>(a)}\"",
        "${x:1<(2)}",
    ]);
}

#[test]
fn substitutions() {
    check(&[
        ("$(reboot)", "[$([reboot])]"),
        ("\"$(reboot)\"", "[\"$([reboot])\"]"),
        ("\"$(echo \"$(a)\")\"", "[\"$([echo] [\"$([a])\"])\"]"),
        ("`a` \"`b`\"", "[$([a])] [\"$([b])\"]"),
        (r"`echo \`a\``", "[$([echo] [$([a])])]"),
        (r"`echo \$x \\a`", "[$([echo] [$x] ['a'])]"),
        (r#""`echo \"a b\"`""#, "[\"$([echo] ['a b'])\"]"),
        (r#"`echo \"a`"#, "[$([echo] ['\"'a])]"),
        ("$(a # )\n)", "[$([a])]"),
        ("$(case x in x) reboot;; esac)", "[$(case x in [x]) [reboot] esac)]"),
        ("$(case x in (x) reboot; esac)", "[$(case x in [x]) [reboot] esac)]"),
        ("$(echo ')')", "[$([echo] [')'])]"),
        ("$(<file)", "[$( <file)]"),
        ("$()", "[$()]"),
        ("a=$(b)c", "a=$([b])c"),
        ("cat <(a | b) >(c)", "[cat] [<([a] | [b])] [>([c])]"),
        ("x --f=<(a)", "[x] [--f=<([a])]"),
        ("x <<<$(a)", "[x] <<<$([a])"),
        ("$((1+2)) $(( $(reboot) + x ))", "[$((1+2))] [$(( \"$([reboot])\" + x ))]"),
        ("$(((1)+(2)))", "[$(((1)+(2)))]"),
        ("$((a); (b))", "[$(([a]); ([b]))]"),
        ("$((a) | b)", "[$(([a]) | [b])]"),
        ("$(((a); b) | c)", "[$((([a]); [b]) | [c])]"),
        ("$( (a) )", "[$(([a]))]"),
        ("\"$((x))\"", "[$((x))]"),
        ("$((1 << 2))\nx\n2", "[$((1 << 2))]; [x]; [2]"),
        ("$[1+$x]", "[$(('1+'\"$x\"))]"),
        ("$(cat <<E\na\nE\n)", "[$([cat] <<'a\n')]"),
    ]);
    refuse(&[
        "$(",
        "$(a",
        "$((1)",
        "$(a))",
        "`a",
        "<(a",
        "$(a;;)",
        "$[`a`]",
        "$[a;b]",
        "$(cat <<E)\na\nE",
        "$(a\nb;;c)",
        "$(if)",
        "$(echo 'a)",
        "$((1 + ')'))",
        "$((a <<E\nb\nE\n); c)",
    ]);
}

#[test]
fn what_zsh_runs_in_a_pattern_is_refused() {
    for text in [
        "ls *(e:'reboot':)",
        "ls *(+reboot)",
        "ls ?(e{reboot})",
        "ls *(.e'[reboot|x]')",
        "for i in *(e.reboot.); do ls; done",
    ] {
        let why = crate::classify::shell::read(text).unwrap_err();
        assert!(why.contains("runs as code"), "{text}: {why}");
    }
}

#[test]
fn brackets_within_words() {
    check(&[
        ("ls !(keep) *(.)", "[ls] [!(keep)] [*(.)]"),
        ("ls @(a|b c).x", "[ls] [@(a|b c).x]"),
        ("ls +($(a))", "[ls] [+($([a]))]"),
        // Without extended patterns it is a negated subshell.
        ("!(reboot)", "([reboot])"),
        ("a || !(reboot)", "[a] || ([reboot])"),
    ]);
    refuse(&["ls *(a;b)", "ls a(b)", "diff =(a) b", "ls *(\n)", "ls *(a", "f+() { reboot; }; f+"]);
}
