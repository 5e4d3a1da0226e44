//! Nothing around a change hides it, and any text is judged.

use super::{CMD, POWERSHELL, seen, shown};
use crate::classify::Verdict;
use proptest::prelude::*;

const AROUND: &[&str] = &[
    "X",
    "Get-Date; X",
    "X; Get-Date",
    "if ($a) { X }",
    "foreach ($i in 1..3) { X }",
    "& { X }",
    "function f { X }; f",
    "try { X } catch { }",
    "$r = X",
    "X | Out-Null",
    "X # a",
    "(X)",
    "\"$(X)\"",
    "1 | % { X }",
    "Start-Job { X }",
    "$b = { X }; & $b",
    "switch (1) { 1 { X } }",
    "Get-Date && X",
    "@{ a = (X) }",
    "do { X } while ($a)",
    "icm localhost { X }",
    "Measure-Command { X }",
    "while ($a) { X; break }",
    "param($a) X",
    "X 2>&1",
    "@(X)",
    "return X",
    "trap { }; X",
    "<# a #> X",
    "Get-Date `\n; X",
];

const WORDS: &[&str] = &[
    "$x",
    "$h",
    "=",
    "'web01'",
    "\"$x\"",
    "{",
    "}",
    "(",
    ")",
    "$(",
    "@(",
    "@{",
    "if",
    "else",
    "foreach",
    "in",
    "function",
    "f",
    "return",
    "&",
    ".",
    "|",
    "&&",
    "||",
    ";",
    "\n",
    ",",
    "-eq",
    "-not",
    "-f",
    "+",
    "[int]",
    "[string]",
    "::",
    ".Trim()",
    ".ForEach",
    "[0]",
    "%",
    "?",
    "iex",
    "icm",
    "gc",
    "rm",
    "Get-Date",
    "Get-Service",
    "Where-Object",
    "-ComputerName",
    "-Session",
    "-Path:",
    "localhost",
    "1",
    "..",
    "x",
    ">",
    "2>&1",
    "$null",
    "$_",
    "$env:X",
    "param(",
    "try",
    "catch",
    "switch",
    "while",
    "do",
    "--%",
    "`",
    "#",
    "@x",
    "!",
    "++",
    "$true",
    "exit",
    "throw",
    "trap",
    "process",
    "\\\\web01\\c$\\x",
    "C:\\x",
    "New-PSSession",
    "cmd /c",
    "sc.exe",
];

const WHAT: &[&str] = &[
    "Restart-Computer web01 -Force",
    "Invoke-Command -ComputerName web01 { Stop-Service x }",
    "Remove-Item \\\\web01\\c$\\x",
    "Copy-Item a \\\\web01\\c$\\b",
    "sc.exe \\\\web01 stop x",
    "Get-Service x -ComputerName web01 | Stop-Service",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing around a change hides it.
    #[test]
    fn nothing_hides_a_change(what in 0..WHAT.len(), one in 0..AROUND.len(), two in 0..AROUND.len()) {
        let text = AROUND[one].replace('X', &AROUND[two].replace('X', WHAT[what]));
        let seen = seen(POWERSHELL, &text);
        prop_assert!(seen.verdict == Verdict::Mutating && seen.targets.contains(&"web01".to_owned()) || seen.verdict == Verdict::Unknown,
            "{text}: {} {:?}", shown(&seen), seen.reason);
        prop_assert_ne!(seen.verdict, Verdict::ReadOnly);
    }

    /// However its words are put together.
    #[test]
    fn any_words_are_judged(words in proptest::collection::vec(0..WORDS.len(), 1..10), gaps in any::<u16>()) {
        let mut text = String::new();
        for (nr, word) in words.iter().enumerate() {
            text.push_str(WORDS[*word]);
            if gaps >> (nr % 16) & 1 == 1 {
                text.push(' ');
            }
        }
        let alone = seen(POWERSHELL, &text);
        let more = seen(POWERSHELL, &format!("{text}\n;Restart-Computer web01"));
        let hides = ["#", "@'", "@\"", "--%"].iter().any(|part| text.contains(part));
        if alone.verdict == Verdict::ReadOnly && !hides && !text.ends_with('`') {
            prop_assert_ne!(more.verdict, Verdict::ReadOnly, "{}", text);
        }
        seen(CMD, &text);
    }

    /// Any text is judged, and one that is not understood is not let pass for what stands behind it.
    #[test]
    fn any_text_is_judged(text in "[-a-zA-Z$@(){}\\[\\]'\"`;|&.,:=<>% \\n0-9]{0,40}") {
        let alone = seen(POWERSHELL, &text);
        let more = seen(POWERSHELL, &format!("{text}\nRestart-Computer web01"));
        let hides = ["#", "@'", "@\""].iter().any(|part| text.contains(part));
        if alone.verdict == Verdict::ReadOnly && !hides && !text.trim_end().ends_with(['`', '|', ',', '&', '=']) {
            prop_assert_ne!(more.verdict, Verdict::ReadOnly, "{}", text);
        }
        seen(CMD, &text);
    }
}
