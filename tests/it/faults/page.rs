//! `docs/faults.md`: rows written as a table, and compared with the one that stands there.
//!
//! Owns the page's form. Must not: try a fault.

use super::{Row, Wrong};
use std::fs::{self, File};
use std::path::PathBuf;

const UPDATE: &str = "ZERTO_GUARD_UPDATE_GOLDEN";

/// Compares the section of docs/faults.md between `<!-- NAME -->` and `<!-- end of NAME -->` with these rows, and the counts
/// line below its table; with `ZERTO_GUARD_UPDATE_GOLDEN=1` writes it. Rows that are not tried stand in it too, with the
/// reason. What may never be fails the test first, whatever the page says.
pub fn page(section: &str, rows: &[Row], not_tried: &[(&str, &str)]) {
    page_but(section, rows, not_tried, None);
}

/// The same where what is at that place can't be tried on this machine: the rest is compared.
pub fn page_but(section: &str, rows: &[Row], not_tried: &[(&str, &str)], untried: Option<&str>) {
    let wrong: Vec<String> = rows
        .iter()
        .flat_map(|row| {
            row.wrong.iter().map(move |(kind, what)| format!("{} / {}: {kind:?}: {what}", row.at, row.fault))
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    if cfg!(target_env = "musl") {
        // What the system says of a mistake stands in the page in the words of another C library.
        return;
    }
    let made = section_text(rows, not_tried);
    let file = File::open(path()).unwrap();
    // The sections are made by several processes at the same time.
    file.lock().unwrap();
    let text = fs::read_to_string(path()).unwrap();
    let (start, end) = (format!("<!-- {section} -->\n"), format!("<!-- end of {section} -->"));
    let (before, rest) = text.split_once(&start).unwrap_or_else(|| panic!("no {start} in docs/faults.md"));
    let (stands, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end} in docs/faults.md"));
    if std::env::var_os(UPDATE).is_some() {
        assert_eq!(untried, None, "the page is written where all of it can be tried");
        let text = format!("{before}{start}{made}{end}{after}");
        let (head, rest) = text.split_once(TOTAL).unwrap();
        let after = rest.split_once('\n').unwrap().1;
        return fs::write(path(), format!("{head}{}\n{after}", total(&text))).unwrap();
    }
    let (mut stands, mut made) = (stands.to_owned(), made);
    if let Some(at) = untried {
        for text in [&mut stands, &mut made] {
            let compared =
                text.lines().filter(|line| !line.starts_with(&format!("| {at} |")) && !line.starts_with("**"));
            *text = compared.collect::<Vec<_>>().join("\n");
        }
    }
    let differing = differences(&stands, &made);
    assert!(
        differing.is_empty(),
        "docs/faults.md is not what the program does ({UPDATE}=1 writes it anew):\n{}",
        differing.join("\n")
    );
}

/// How the line begins that sums up the counts of all sections.
const TOTAL: &str = "**All in all: ";

/// That line, of the counts below each table.
fn total(text: &str) -> String {
    let mut sums: Vec<(String, u64)> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("**Faults tried: ")) {
        let line = format!("faults tried: {}", line.trim_end_matches(".**"));
        for (at, part) in line.split("; ").enumerate() {
            let (name, count) = part.split_once(": ").unwrap();
            let count: u64 = count.parse().unwrap();
            match sums.get_mut(at) {
                Some(sum) => sum.1 += count,
                None => sums.push((name.to_owned(), count)),
            }
        }
    }
    let sums: Vec<String> = sums.iter().map(|(name, sum)| format!("{name}: {sum}")).collect();
    format!("{TOTAL}{}.**", sums.join("; "))
}

#[test]
fn the_counts_of_all_sections_are_summed_up() {
    let text = fs::read_to_string(path()).unwrap();
    let line = text.lines().find(|line| line.starts_with(TOTAL)).unwrap();
    assert_eq!(line, total(&text));
    assert!(line.contains("fail-opens: 0; hangs past the deadline: 0; partial files: 0; secrets found: 0"), "{line}");
}

/// A sentence within a sentence, or a reason that is missing.
#[test]
fn what_was_said_is_one_text() {
    const BAD: [&str; 13] = [
        "  ",
        "..",
        ": .",
        ":  ",
        ". .",
        "\"\"",
        "()",
        ": While ",
        ": The ",
        ": A ",
        ": Another ",
        "since The ",
        "since Another ",
    ];
    let text = fs::read_to_string(path()).unwrap();
    let said = text.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.split(" | ").nth(4));
    let said: Vec<&str> = said.map(|said| said.trim_start_matches("zerto-guard: ")).collect();
    assert!(said.len() > 1000, "{}", said.len());
    let wrong: Vec<&&str> = said.iter().filter(|said| BAD.iter().any(|bad| said.contains(bad))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether a row stands on the page as it is.
pub fn stands(section: &str, row: &Row) -> bool {
    standing(section).lines().any(|line| line == line_of(row))
}

/// Whether any row stands there.
pub fn has_rows(section: &str) -> bool {
    standing(section).contains('|')
}

fn standing(section: &str) -> String {
    let text = fs::read_to_string(path()).unwrap();
    let rest = text.split_once(&format!("<!-- {section} -->\n")).map(|(_, rest)| rest).unwrap_or_default();
    rest.split_once(&format!("<!-- end of {section} -->")).map(|(table, _)| table.to_owned()).unwrap_or_default()
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/faults.md")
}

fn differences(stands: &str, made: &str) -> Vec<String> {
    let only = |mark: &str, of: &str, not_in: &str| -> Vec<String> {
        let others: std::collections::HashSet<&str> = not_in.lines().collect();
        of.lines().filter(|line| !others.contains(line)).map(|line| format!("{mark} {line}")).collect()
    };
    let mut all = only("page:", stands, made);
    all.extend(only("  is:", made, stands));
    if all.is_empty() && stands != made {
        all.push("the same lines in another order".to_owned());
    }
    all
}

fn section_text(rows: &[Row], not_tried: &[(&str, &str)]) -> String {
    let mut text = String::from(
        "\n| at | fault | exit | stdout | stderr | took | the ZVM saw | left |\n|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        text.push_str(&line_of(row));
        text.push('\n');
    }
    let count = |kind| rows.iter().flat_map(|row| &row.wrong).filter(|(wrong, _)| *wrong == kind).count();
    text.push_str(&format!(
        "\n**Faults tried: {}; fail-opens: {}; hangs past the deadline: {}; partial files: {}; secrets found: {}.**\n",
        rows.len(),
        count(Wrong::FailOpen),
        count(Wrong::Hang),
        count(Wrong::PartialFile),
        count(Wrong::Secret),
    ));
    if !not_tried.is_empty() {
        text.push_str("\nNot tried:\n\n");
        for (what, why) in not_tried {
            text.push_str(&format!("- {what}: {why}\n"));
        }
    }
    text.push('\n');
    text
}

fn line_of(row: &Row) -> String {
    let code = row.code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
    let cells = [
        row.at.as_str(),
        &row.fault,
        &code,
        &row.stdout,
        if row.stderr.is_empty() { "nothing" } else { &row.stderr },
        &row.took.text(),
        &row.zvm,
        &row.left,
    ];
    let mut line = String::from("|");
    for cell in cells {
        line.push_str(&format!(
            " {} |",
            cell.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
        ));
    }
    line
}
