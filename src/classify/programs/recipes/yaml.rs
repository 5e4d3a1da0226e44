//! As much of YAML as people write in task files: mappings, lists, quoted and block texts. Whatever else stands in one
//! (anchors, tags, several documents) is refused. Pure.

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Yaml {
    /// A text, a number, a word: as it stands there.
    Text(String),
    /// A list.
    List(Vec<Yaml>),
    /// A mapping, in its order; no key stands twice.
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Self::Map(items) => items.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a mapping; of anything else none.
    pub fn items(&self) -> &[(String, Yaml)] {
        match self {
            Self::Map(items) => items,
            _ => &[],
        }
    }
}

/// Nothing stands deeper.
const DEEPEST: usize = 24;

struct Line<'t> {
    indent: usize,
    text: &'t str,
    number: usize,
}

struct Reader<'t> {
    /// Every line as it stands in the file.
    raw: Vec<&'t str>,
    /// Those that say something, comments taken off at their ends only where they can't be text.
    lines: Vec<Line<'t>>,
    at: usize,
}

/// Reads a document.
///
/// # Errors
/// What can't be read.
pub fn read(text: &str) -> Result<Yaml, String> {
    let raw: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let mut lines = vec![];
    for (number, line) in raw.iter().enumerate() {
        let rest = line.trim_start_matches(' ');
        if rest.trim().is_empty() || rest.starts_with('#') || (lines.is_empty() && rest.trim_end() == "---") {
            continue;
        }
        lines.push(Line { indent: line.len() - rest.len(), text: rest.trim_end(), number });
    }
    let mut reader = Reader { raw, lines, at: 0 };
    let Some(first) = reader.lines.first() else { return Ok(Yaml::Map(vec![])) };
    let indent = first.indent;
    let value = reader.block(indent, 0)?;
    match reader.lines.get(reader.at) {
        None => Ok(value),
        Some(line) => Err(reader.fault(line.number)),
    }
}

impl<'t> Reader<'t> {
    fn fault(&self, number: usize) -> String {
        format!("its line {} can't be read", number + 1)
    }

    /// What stands at this indent.
    fn block(&mut self, indent: usize, depth: usize) -> Result<Yaml, String> {
        let Some(line) = self.lines.get(self.at) else { return Ok(Yaml::Text(String::new())) };
        let number = line.number;
        if depth > DEEPEST || line.text.starts_with('\t') {
            return Err(self.fault(number));
        }
        if is_item(line.text) { self.list(indent, depth) } else { self.map(indent, depth) }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Result<Yaml, String> {
        let mut items = vec![];
        while let Some(line) = self.lines.get(self.at).filter(|line| line.indent == indent && is_item(line.text)) {
            let (number, text) = (line.number, line.text);
            let rest = text.get(1..).unwrap_or_default();
            let inner = rest.trim_start_matches(' ');
            if inner.is_empty() || inner.starts_with('#') {
                self.at += 1;
                items.push(self.below(indent + 1, depth)?);
            } else if is_item(inner) || key(inner).is_some() {
                // A mapping or a list begins on the line of the dash.
                let deeper = indent + text.len() - inner.len();
                if let Some(line) = self.lines.get_mut(self.at) {
                    *line = Line { indent: deeper, text: inner, number };
                }
                items.push(self.block(deeper, depth + 1)?);
            } else {
                self.at += 1;
                items.push(self.value(inner, indent, number, depth)?);
            }
        }
        Ok(Yaml::List(items))
    }

    fn map(&mut self, indent: usize, depth: usize) -> Result<Yaml, String> {
        let mut items: Vec<(String, Yaml)> = vec![];
        while let Some(line) = self.lines.get(self.at).filter(|line| line.indent == indent) {
            let number = line.number;
            let Some((name, rest)) = key(line.text) else { return Err(self.fault(number)) };
            if items.iter().any(|(known, _)| *known == name) || name == "<<" {
                return Err(self.fault(number));
            }
            self.at += 1;
            let value = if rest.is_empty() || rest.starts_with('#') {
                // A list may stand as far left as its key.
                let list = self.lines.get(self.at).is_some_and(|line| line.indent == indent && is_item(line.text));
                self.below(if list { indent } else { indent + 1 }, depth)?
            } else {
                self.value(rest, indent, number, depth)?
            };
            items.push((name, value));
        }
        Ok(Yaml::Map(items))
    }

    /// What stands on the lines that are indented at least so far; else an empty text.
    fn below(&mut self, least: usize, depth: usize) -> Result<Yaml, String> {
        match self.lines.get(self.at) {
            Some(line) if line.indent >= least => {
                let indent = line.indent;
                self.block(indent, depth + 1)
            }
            _ => Ok(Yaml::Text(String::new())),
        }
    }

    /// A value that begins on its line.
    fn value(&mut self, text: &str, indent: usize, number: usize, depth: usize) -> Result<Yaml, String> {
        if text.starts_with(['|', '>']) {
            return self.block_text(text, indent, number);
        }
        let goes_on = self.lines.get(self.at).is_some_and(|line| line.indent > indent);
        let flow = text.starts_with(['[', '{', '"', '\'']);
        // A text in several lines: the lines that follow are folded into it.
        let mut whole = text.to_owned();
        if goes_on {
            let plain = !flow && !text.starts_with(['&', '*', '!', '%', '@', '`']);
            if !plain && !flow {
                return Err(self.fault(number));
            }
            while let Some(line) = self.lines.get(self.at).filter(|line| line.indent > indent) {
                if plain && (line.text.contains(": ") || line.text.ends_with(':') || line.text.contains(" #")) {
                    return Err(self.fault(line.number));
                }
                whole.push(' ');
                whole.push_str(line.text);
                self.at += 1;
            }
        }
        let mut flow = Flow { text: &whole, at: 0 };
        let value = flow.value(depth, false).filter(|_| flow.is_done());
        value.ok_or_else(|| self.fault(number))
    }

    fn block_text(&mut self, mark: &str, indent: usize, number: usize) -> Result<Yaml, String> {
        let mark = mark.split(" #").next().unwrap_or_default().trim_end();
        let folded = mark.starts_with('>');
        if !matches!(mark, "|" | "|-" | "|+" | ">" | ">-" | ">+") {
            return Err(self.fault(number));
        }
        let mut lines: Vec<&str> = vec![];
        let mut own: Option<usize> = None;
        let mut next = number + 1;
        while let Some(line) = self.raw.get(next) {
            let text = line.trim_start_matches(' ');
            let deep = line.len() - text.len();
            if text.trim().is_empty() {
                lines.push("");
            } else {
                let own = *own.get_or_insert(deep);
                if deep <= indent && !(indent == 0 && deep > 0) || deep < own {
                    break;
                }
                lines.push(line.get(own..).unwrap_or_default());
            }
            next += 1;
        }
        while self.lines.get(self.at).is_some_and(|line| line.number < next) {
            self.at += 1;
        }
        // What folding makes of lines that are indented deeper is left as lines of their own.
        let flat = folded && !lines.iter().any(|line| line.is_empty() || line.starts_with(' '));
        Ok(Yaml::Text(lines.join(if flat { " " } else { "\n" }).trim_end().to_owned()))
    }
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// A key and what stands behind its colon.
fn key(text: &str) -> Option<(String, &str)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inner = text.get(1..)?;
        let (name, rest) = inner.split_once(quote)?;
        let rest = rest.trim_start().strip_prefix(':')?;
        let plain = !name.contains('\\') && (rest.is_empty() || rest.starts_with(' '));
        return plain.then(|| (name.to_owned(), rest.trim()));
    }
    let (name, rest) = match text.split_once(": ") {
        Some((name, rest)) => (name, rest.trim()),
        None => (text.strip_suffix(':')?, ""),
    };
    let odd = name.is_empty() || name.starts_with(['\t', '[', '{', '&', '*', '!', '|', '>', '%', '@', '`', '?', '#']);
    (!odd && !name.contains(" #")).then(|| (name.trim_end().to_owned(), rest))
}

/// Values within a line.
struct Flow<'t> {
    text: &'t str,
    at: usize,
}

impl Flow<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Whether only a comment is left.
    fn is_done(&mut self) -> bool {
        let before = self.at;
        self.blanks();
        self.rest().is_empty() || (self.rest().starts_with('#') && self.at > before)
    }

    fn eat(&mut self, c: char) -> bool {
        self.blanks();
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn value(&mut self, depth: usize, inner: bool) -> Option<Yaml> {
        if depth > DEEPEST {
            return None;
        }
        self.blanks();
        match self.rest().chars().next()? {
            '[' => {
                self.at += 1;
                let mut items = vec![];
                while !self.eat(']') {
                    items.push(self.value(depth + 1, true)?);
                    if !self.eat(',') {
                        return self.eat(']').then_some(Yaml::List(items));
                    }
                }
                Some(Yaml::List(items))
            }
            '{' => {
                self.at += 1;
                let mut items: Vec<(String, Yaml)> = vec![];
                while !self.eat('}') {
                    let Yaml::Text(name) = self.value(depth + 1, true)? else { return None };
                    let value = if self.eat(':') { self.value(depth + 1, true)? } else { return None };
                    if items.iter().any(|(known, _)| *known == name) {
                        return None;
                    }
                    items.push((name, value));
                    if !self.eat(',') {
                        return self.eat('}').then_some(Yaml::Map(items));
                    }
                }
                Some(Yaml::Map(items))
            }
            '"' => self.double(),
            '\'' => self.single(),
            '&' | '*' | '!' | '%' | '@' | '`' | '|' | '>' => None,
            _ => {
                let rest = self.rest();
                let ends = |at: &usize| {
                    let (before, behind) = (rest.get(..*at).unwrap_or_default(), rest.get(*at..).unwrap_or_default());
                    behind.is_empty()
                        || (inner && behind.starts_with([',', ']', '}', '[', '{']))
                        || (inner
                            && behind.starts_with(':')
                            && behind.get(1..).is_none_or(|next| next.is_empty() || next.starts_with(' ')))
                        || (behind.starts_with('#') && before.ends_with([' ', '\t']))
                };
                let end = (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).find(ends)?;
                let text = rest.get(..end).unwrap_or_default().trim_end().to_owned();
                // A colon with a blank makes a mapping of it, which can't stand here.
                if text.is_empty() || (!inner && text.contains(": ")) {
                    return None;
                }
                self.at += text.len();
                Some(Yaml::Text(text))
            }
        }
    }

    fn single(&mut self) -> Option<Yaml> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let (before, _) = self.rest().split_once('\'')?;
            text.push_str(before);
            self.at += before.len() + 1;
            if !self.rest().starts_with('\'') {
                return Some(Yaml::Text(text));
            }
            text.push('\'');
            self.at += 1;
        }
    }

    fn double(&mut self) -> Option<Yaml> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Some(Yaml::Text(text));
                }
                '\\' => match chars.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    c @ ('"' | '\\' | '/' | ' ') => text.push(c),
                    _ => return None,
                },
                c => text.push(c),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Yaml) -> String {
        match value {
            Yaml::Text(text) => format!("{text:?}"),
            Yaml::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Yaml::Map(items) => {
                let items: Vec<String> =
                    items.iter().map(|(name, value)| format!("{name}: {}", shown(value))).collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    #[test]
    fn what_people_write() {
        for (text, expected) in [
            ("a: 1\nb:\n  - x y\n  - 'it''s'\n  - \"a\\\"b\"\n", r#"{a: "1", b: ["x y", "it's", "a\"b"]}"#),
            ("---\na:\n- x\n- y # z\nc: d#e\n", r#"{a: ["x", "y"], c: "d#e"}"#),
            ("a:\n  - cmd: x\n    silent: true\n  - task: y\n", r#"{a: [{cmd: "x", silent: "true"}, {task: "y"}]}"#),
            ("a: |\n  x\n    y\n\n  z\nb: >-\n  p\n  q\n", r#"{a: "x\n  y\n\nz", b: "p q"}"#),
            ("a: [x, 'y', {p: q}]\nb: {c: d, e: [f]}\n", r#"{a: ["x", "y", {p: "q"}], b: {c: "d", e: ["f"]}}"#),
            ("a:\n  - |\n    x\n    y\n  - z\n", r#"{a: ["x\ny", "z"]}"#),
            ("'a b': x\n\"c:d\":\n  e: f\nt:sub:\n  g: h\n", r#"{a b: "x", c:d: {e: "f"}, t:sub: {g: "h"}}"#),
            ("a: x\n  y\nb: z\n", r#"{a: "x y", b: "z"}"#),
            ("a: >\n  # x\n  y\n", r##"{a: "# x y"}"##),
            ("", "{}"),
        ] {
            assert_eq!(read(text).map(|value| shown(&value)), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_refused() {
        for text in [
            "a: &x 1\nb: *x\n",
            "a: !!str 1\n",
            "a: 1\na: 2\n",
            "<<: x\n",
            "a: {{.X}}\n",
            "a: [x\n",
            "a: 'x\n",
            "a:\n\tb: c\n",
            "a: x: y\n",
            "a: 1\n---\nb: 2\n",
            "? a\n: b\n",
            "a: \"\\x41\"\n",
            "x\n",
            "a: |2\n   x\n",
        ] {
            assert!(read(text).is_err(), "{text}\n{:?}", read(text));
        }
    }
}
