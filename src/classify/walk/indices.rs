//! Whether a text that a shell takes for the name of a variable holds an index that runs something. Pure.

use crate::classify::word::Word;

/// Whether the word, taken for a variable or counted with, runs a command: an index is worked out, and what is substituted
/// in it runs, however it was quoted.
pub(super) fn runs(word: &Word) -> bool {
    let marks = |text: &str| text.contains("$(") || text.contains("${") || text.contains('`');
    word.stretches().any(|text| text.contains('[')) && word.stretches().any(marks)
}

/// The words of a command of the shell that are taken for variables, or counted with.
pub(super) fn names<'w>(program: &str, arguments: &'w [Word]) -> &'w [Word] {
    let asks = |option: &Word| option.known().is_some_and(|text| matches!(text, "-v" | "-R"));
    match program {
        "read" | "mapfile" | "readarray" | "getopts" | "unset" | "let" | "wait" | "vared" => arguments,
        "export" | "declare" | "typeset" | "local" | "readonly" | "integer" | "float" => arguments,
        "printf" if arguments.first().is_some_and(|word| word.begins_with("-v")) => {
            arguments.get(..2).unwrap_or(arguments)
        }
        "test" | "[" if arguments.iter().any(asks) => arguments,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_runs_something() {
        for text in ["a[$(rm x)]", "a[`rm x`]=1", "x=a[${b[$(rm)]}]", "1+a[$(rm)]"] {
            assert!(runs(&text.into()), "{text}");
        }
        for text in ["a", "a[1]", "a[i+1]=3", "$(rm x)", "a[$i]"] {
            assert!(!runs(&text.into()), "{text}");
        }
        assert!(!runs(&Word::unknown()));
    }
}
