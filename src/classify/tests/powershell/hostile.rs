//! Texts that shall not take long, end the process, or be let pass by their size.

use super::{CMD, POWERSHELL, seen};

#[test]
fn hostile_texts() {
    let many = |text: &str, times: usize| text.repeat(times);
    let nest = |open: &str, close: &str, times: usize| {
        format!("{}Restart-Computer web01{}", many(open, times), many(close, times))
    };
    let mut texts = vec![
        nest("(", ")", 10_000),
        nest("& { ", " }", 8_000),
        nest("\"$(", ")\"", 8_000),
        nest("if (1) { ", " }", 3_000),
        nest("@{a=", "}", 8_000),
        nest("iex '", "'", 3_000),
        nest("-not ", "", 9_000),
        nest("[int]", "", 9_000),
        nest("!", "", 60_000),
        nest(",", "", 60_000),
        nest("function f { ", " }", 3_000),
        many("Restart-Computer web01;", 2_800),
        many("$a = $a + 'x';", 4_000),
        many("$x;", 20_000),
        many("a,", 30_000),
        many("a|", 30_000),
        many("%", 60_000),
        many("\"", 60_001),
        many("'", 60_001),
        many("`", 60_001),
        many("@'\n", 20_000),
        many("<#", 30_000),
        many("$(", 30_000),
        many("{", 60_000),
        many("}", 60_000),
        many("[", 60_000),
        many("$x.", 20_000),
        many("x.y(", 15_000),
        many("a > b ", 10_000),
        many("% { ", 15_000),
        many("-a ", 20_000),
        many("--% ", 15_000),
        many("\u{1F600}", 16_000),
        many("x", 70_000),
        format!("x{}", "\u{2013}".repeat(20_000)),
        "function f { g }; function g { f }; f".to_owned(),
        "function f { f; f }; f".to_owned(),
        (0..30).map(|nr| format!("function f{nr} {{ f{}; f{} }}\n", nr + 1, nr + 1)).collect::<String>() + "f0",
        (0..12).map(|nr| format!("$b{} = {{ & $b{nr}; & $b{nr} }}\n", nr + 1)).collect::<String>() + "& $b12",
        format!("$a = 'x'; {}", many("$a = \"$a$a\"; ", 40)),
        format!("$a = @(1); {}", many("$a = $a, $a; ", 40)),
        many("$s = New-PSSession web01; ", 2_400),
        many("foreach ($a in $a) { ", 500),
        format!("$p = @{{}}; {}", many("$p.a = $p; ", 60)),
        format!("$x = 1; {}", (0..3_000).map(|nr| format!("$v{nr} = $x; ")).collect::<String>()),
    ];
    for text in [
        "", "\u{feff}", "\u{0}", "$", "@", "&", ".", "-", "&&", "|", "=", "`", "#", "[", "]", "::", "$x =", "x >",
        "@{", "param(", "if", "if (", "& ", ". ", "%", "?",
    ] {
        texts.push(text.to_owned());
    }
    for text in texts {
        for language in [POWERSHELL, CMD, None] {
            let begun = std::time::Instant::now();
            let all = match language {
                None => format!("pwsh -Command {}", crate::text::shell_word(&text)),
                _ => text.clone(),
            };
            let seen = seen(language, &all);
            let short: String = text.chars().take(60).collect();
            assert!(begun.elapsed() < std::time::Duration::from_secs(6), "{short}: {:?}", begun.elapsed());
            if language == POWERSHELL && text.contains("Restart-Computer web01") {
                assert_ne!(seen.verdict, crate::classify::Verdict::ReadOnly, "{short}");
            }
        }
    }
}
