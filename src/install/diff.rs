//! A small unified diff of a text before and after one edit, for people.
//!
//! An edit of settings lies in one place, so the lines that differ are one block between a common beginning and a common
//! end; no general algorithm is needed.

use crate::text::clean;

/// Lines shown around the change.
const AROUND: usize = 3;

/// The lines that change, with a few around them. Empty if none does.
#[must_use]
pub fn unified(name: &str, old: Option<&str>, new: Option<&str>) -> String {
    if old == new {
        return String::new();
    }
    let (before, after) = (lines(old.unwrap_or_default()), lines(new.unwrap_or_default()));
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = before.iter().zip(&after).take_while(same).count();
    let most = before.len().min(after.len()).saturating_sub(head);
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(same).count().min(most);
    let start = head.saturating_sub(AROUND);
    let (old_end, new_end) = (before.len().saturating_sub(tail), after.len().saturating_sub(tail));
    let (old_stop, new_stop) =
        (before.len().min(old_end.saturating_add(AROUND)), after.len().min(new_end.saturating_add(AROUND)));
    let shown = |sign: char, lines: Option<&[&str]>| -> Vec<String> {
        lines.unwrap_or_default().iter().map(|line| format!("{sign}{}", line_text(line))).collect()
    };
    let range = |lines: usize| {
        let count = lines.saturating_sub(start);
        format!("{},{count}", if count == 0 { start } else { start.saturating_add(1) })
    };
    let label = |side: Option<&str>| if side.is_some() { name.to_owned() } else { "/dev/null".to_owned() };
    let mut diff = vec![
        format!("--- {}", label(old)),
        format!("+++ {}", label(new)),
        format!("@@ -{} +{} @@", range(old_stop), range(new_stop)),
    ];
    diff.extend(shown(' ', before.get(start..head)));
    diff.extend(shown('-', before.get(head..old_end)));
    diff.extend(shown('+', after.get(head..new_end)));
    diff.extend(shown(' ', before.get(old_end..old_stop)));
    diff.join("\n")
}

/// The lines with their ends, so that one without an end differs from the same with one.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn line_text(line: &str) -> String {
    match line.strip_suffix('\n') {
        Some(whole) => clean(whole.strip_suffix('\r').unwrap_or(whole), 400),
        None => format!("{}\n\\ No newline at end of file", clean(line, 400)),
    }
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn one_block_with_a_few_lines_around() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nfive\nand more\n6\n7\n8\n9\n";
        let expected = "--- f\n+++ f\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+and more\n 6\n 7\n 8";
        assert_eq!(unified("f", Some(old), Some(new)), expected);
        assert_eq!(unified("f", Some(old), Some(old)), "");
        assert_eq!(
            unified("f", None, Some("a\nb")),
            "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file"
        );
        assert_eq!(unified("f", Some("a\n"), None), "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a");
        assert_eq!(unified("f", Some("a\na\n"), Some("a\n")), "--- f\n+++ f\n@@ -1,2 +1,1 @@\n a\n-a");
    }
}
