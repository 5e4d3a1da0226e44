//! The parts of a justfile: settings, variables, recipes. Pure.

use super::expressions::Expression;

/// A justfile.
#[derive(Default)]
pub(super) struct File {
    pub settings: Vec<(String, String)>,
    /// Names and the text of their expressions.
    pub variables: Vec<(String, String)>,
    pub exported: Vec<String>,
    pub aliases: Vec<(String, String)>,
    pub recipes: Vec<Recipe>,
}

/// A recipe.
#[derive(Default)]
pub(super) struct Recipe {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// What runs before it, with arguments.
    pub before: Vec<String>,
    /// What runs after it.
    pub after: Vec<String>,
    /// Its lines, without what they are indented by.
    pub body: Vec<String>,
    /// The interpreter that an attribute names.
    pub script: Option<String>,
    /// The folder that an attribute names.
    pub folder: Option<String>,
    /// Whether it runs in the folder in which `just` was called.
    pub stays: bool,
    /// Whether its lines have its arguments as `$1` and so on.
    pub positional: bool,
    /// Whether it is the one that runs where none is named.
    pub is_default: bool,
}

/// A parameter of a recipe.
pub(super) struct Parameter {
    pub name: String,
    pub default: Option<String>,
    pub many: bool,
    pub exported: bool,
}

impl File {
    /// The recipes of that name or alias: which of several counts depends on the system.
    pub fn named(&self, name: &str) -> Result<Vec<&Recipe>, String> {
        let real = self.aliases.iter().find(|(alias, _)| alias == name).map_or(name, |(_, real)| real);
        let all: Vec<&Recipe> = self.recipes.iter().filter(|recipe| recipe.name == real).collect();
        if all.is_empty() { Err(format!("the justfile has no recipe `{real}`")) } else { Ok(all) }
    }
}

/// Reads a justfile.
pub(super) fn read(text: &str) -> Result<File, String> {
    let mut file = File::default();
    let mut attributes: Vec<String> = vec![];
    let text = text.replace("\r\n", "\n");
    // Each line that goes on is looked at again with what stands before it.
    let mut looked_at = 0;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, first)) = lines.next() {
        let fault = || format!("its line {} can't be read", number + 1);
        if first.trim().is_empty() || first.starts_with('#') {
            continue;
        }
        if first.starts_with([' ', '\t']) {
            return Err(fault());
        }
        // Strings in several lines, and lines that go on behind a backslash or within parentheses.
        let mut whole = first.to_owned();
        while is_open(&whole) {
            let Some((_, next)) = lines.next() else { return Err(fault()) };
            if whole.ends_with('\\') {
                whole.pop();
            } else {
                whole.push('\n');
            }
            whole.push_str(next);
            looked_at += whole.len();
            if looked_at > 1 << 18 {
                return Err(fault());
            }
        }
        if let Some(rest) = whole.strip_prefix('[') {
            attributes.push(rest.trim_end().strip_suffix(']').ok_or_else(fault)?.to_owned());
            continue;
        }
        let word = whole.split([' ', '\t']).next().unwrap_or_default();
        let assigned =
            |text: &str| text.split_once(":=").map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
        match word {
            "set" if !whole.trim_start_matches("set").trim_start().starts_with(":=") => {
                let rest = whole.trim_start_matches("set").trim();
                let setting = assigned(rest).unwrap_or_else(|| (rest.to_owned(), "true".into()));
                file.settings.push(setting);
            }
            "alias" if whole.contains(":=") => {
                file.aliases.push(assigned(whole.trim_start_matches("alias")).ok_or_else(fault)?);
            }
            "import" | "import?" | "mod" | "mod?" | "unexport" if !whole.contains(':') => {
                return Err(format!("what its line {} brings in is not followed", number + 1));
            }
            "export" if whole.contains(":=") => {
                let (name, value) = assigned(whole.trim_start_matches("export")).ok_or_else(fault)?;
                file.exported.push(name.clone());
                file.variables.push((name, value));
            }
            _ => match header(&whole) {
                None => {
                    file.variables.push(assigned(&whole).filter(|(name, _)| !name.contains(' ')).ok_or_else(fault)?)
                }
                Some((head, dependencies)) => {
                    let mut body: Vec<&str> = vec![];
                    while let Some((_, next)) = lines.peek() {
                        if !next.trim().is_empty() && !next.starts_with([' ', '\t']) {
                            break;
                        }
                        body.push(next);
                        lines.next();
                    }
                    file.recipes.push(recipe(head, dependencies, &body, &attributes).ok_or_else(fault)?);
                }
            },
        }
        attributes.clear();
    }
    Ok(file)
}

/// Whether a string in it has no end yet, or a line goes on.
fn is_open(text: &str) -> bool {
    if text.ends_with('\\') {
        return true;
    }
    let mut rest = text;
    let mut deep = 0_usize;
    while let Some(c) = rest.chars().next() {
        let marks = ["'''", "\"\"\"", "```", "'", "\"", "`"];
        if c == '#' {
            rest = rest.split_once('\n').map_or("", |(_, next)| next);
            continue;
        }
        if let Some(mark) = marks.into_iter().find(|mark| rest.starts_with(mark)) {
            let mut inner = rest.get(mark.len()..).unwrap_or_default();
            loop {
                let Some((before, behind)) = inner.split_once(mark) else { return true };
                let escaped = before.len() - before.trim_end_matches('\\').len();
                inner = behind;
                if !mark.starts_with('"') || escaped % 2 == 0 {
                    break;
                }
            }
            rest = inner;
            continue;
        }
        match c {
            '(' | '{' | '[' => deep += 1,
            ')' | '}' | ']' => deep = deep.saturating_sub(1),
            _ => {}
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    deep > 0
}

/// A recipe's name and parameters, and what it depends on; none: the line is an assignment.
fn header(line: &str) -> Option<(&str, &str)> {
    let mut quote: Option<char> = None;
    let mut deep = 0_usize;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') => deep += 1,
            (None, ')') => deep = deep.saturating_sub(1),
            (None, ':') if deep == 0 => {
                let rest = line.get(at + 1..)?;
                return if rest.starts_with('=') { None } else { Some((line.get(..at)?, rest)) };
            }
            _ => {}
        }
    }
    None
}

fn recipe(head: &str, dependencies: &str, body: &[&str], attributes: &[String]) -> Option<Recipe> {
    let mut recipe = Recipe::default();
    let mut head = Expression::new(head.strip_prefix('@').unwrap_or(head));
    recipe.name = head.name()?.to_owned();
    while !head.is_done() {
        let mut one = Parameter { name: String::new(), default: None, many: false, exported: false };
        one.many = head.eat("+") || head.eat("*");
        let star = head.text.get(..head.at).is_some_and(|before| before.ends_with('*'));
        one.exported = head.eat("$");
        one.name = head.name()?.to_owned();
        if head.eat("=") {
            let start = head.at;
            head.blanks();
            // A default is a string, a name, a call, or something in parentheses.
            if head.string().ok()?.is_none() {
                match head.rest().chars().next()? {
                    '(' => skip(&mut head, ')')?,
                    '`' => {
                        head.at += 1;
                        head.at += head.rest().find('`')? + 1;
                    }
                    _ => {
                        head.name()?;
                        if head.rest().starts_with('(') {
                            skip(&mut head, ')')?;
                        }
                    }
                }
            }
            one.default = Some(head.text.get(start..head.at)?.to_owned());
        } else if star {
            one.default = Some("''".into());
        }
        recipe.parameters.push(one);
    }
    let mut rest = Expression::new(dependencies);
    let mut after = false;
    while !rest.is_done() {
        let one = if rest.eat("&&") {
            after = true;
            continue;
        } else if rest.rest().starts_with('(') {
            let start = rest.at + 1;
            skip(&mut rest, ')')?;
            rest.text.get(start..rest.at - 1)?.to_owned()
        } else {
            rest.name()?.to_owned()
        };
        if after { recipe.after.push(one) } else { recipe.before.push(one) }
    }
    let indent =
        body.iter().find(|line| !line.trim().is_empty()).map_or(0, |line| line.len() - line.trim_start().len());
    recipe.body = body.iter().map(|line| line.get(indent..).unwrap_or_default().to_owned()).collect();
    while recipe.body.last().is_some_and(|line| line.trim().is_empty()) {
        recipe.body.pop();
    }
    for attribute in attributes.iter().flat_map(|list| list.split(',')).map(str::trim) {
        let name = attribute.split(['(', ':']).next().unwrap_or_default().trim();
        let value =
            || attribute.get(name.len()..).unwrap_or_default().trim_matches(['(', ')', ':', ' ', '\'', '"']).to_owned();
        match name {
            "no-cd" => recipe.stays = true,
            "positional-arguments" => recipe.positional = true,
            "default" => recipe.is_default = true,
            "script" => recipe.script = Some(if value().is_empty() { "sh".into() } else { value() }),
            "working-directory" => recipe.folder = Some(value()),
            "extension" => return None,
            _ => {}
        }
    }
    Some(recipe)
}

/// Passes what stands in parentheses.
fn skip(text: &mut Expression, end: char) -> Option<()> {
    let mut deep = 0_usize;
    loop {
        if text.string().ok()?.is_some() {
            continue;
        }
        let c = text.rest().chars().next()?;
        text.at += c.len_utf8();
        if c == '(' {
            deep += 1;
        } else if c == end {
            deep = deep.checked_sub(1)?;
            if deep == 0 {
                return Some(());
            }
        }
    }
}

/// The words of `["bash", "-c"]`.
pub(super) fn list(text: &str) -> Option<Vec<String>> {
    let mut inner = Expression::new(text.strip_prefix('[')?);
    let mut words = vec![];
    while !inner.eat("]") {
        words.push(inner.string().ok()??);
        inner.eat(",");
    }
    inner.is_done().then_some(words)
}
