//! A catalog in the form in which it is searched: one text and three sorted lists of places in it.
//!
//! The built-in catalog is brought into this form by the build script, so that a start parses nothing and, being text
//! and numbers only, it needs no relocation and costs only the pages that a search touches. Catalogs read from the disk
//! are brought into the same form, so that there is one search. Only `parse` writes it: what is read here is trusted.
//!
//! The text holds one block a table: its first line is the owner's key, a tab and its name, each further line an entry: a
//! letter, the pattern and up to three fields, parted by tabs (which no name can hold).

use super::glob;
use super::model::{Entry, Language, Manner, Owner, Rule};
use std::borrow::Cow;

/// Where the block of a table begins in the text, and where it ends.
pub type Place = (u32, u32);

/// A prepared catalog.
#[derive(Debug, Clone, Default)]
pub struct Prepared {
    /// All tables.
    pub text: Cow<'static, str>,
    /// Where the tables of servers with an exact name are, sorted by key.
    pub servers: Cow<'static, [Place]>,
    /// Where the tables of servers with a glob for a name are.
    pub globs: Cow<'static, [Place]>,
    /// Where the tables of programs are, sorted by key.
    pub programs: Cow<'static, [Place]>,
}

/// A table of a prepared catalog.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    key: &'a str,
    /// Whose it is.
    pub owner: Owner<'a>,
    lines: &'a str,
}

impl<'a> Block<'a> {
    /// The number of its entries.
    #[must_use]
    pub fn size(&self) -> usize {
        lines(self.lines).count()
    }

    /// Its entries, in the order of the file.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        lines(self.lines).filter_map(decode)
    }

    /// The entries whose pattern matches a name. The table of a host's own tools is long, and searched at each call: so
    /// only what matches is read further.
    pub fn entries_for<'k>(&self, name: &'k str) -> impl Iterator<Item = Entry<'a>> + use<'a, 'k> {
        let may_match = move |line: &&str| {
            let pattern = line.as_bytes().get(1..).unwrap_or_default();
            // An entry without wildcards whose first character is another one is most of them.
            match (pattern.first(), name.as_bytes().first()) {
                (Some(b'*' | b'?' | b'\t') | None, _) | (_, None) => true,
                (first, wanted) => first == wanted,
            }
        };
        let matching = move |entry: &Entry| glob::matches(entry.pattern, name);
        lines(self.lines).filter(may_match).filter_map(decode).filter(matching)
    }
}

/// The lines of a block, each of which has an end.
fn lines(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (line, rest) = text.split_at_checked(line_end(text)?)?;
        text = rest.get(1..)?;
        Some(line)
    })
}

/// Where the first line ends. Eight bytes at a time: each call looks through the host's own tools, of which there are many, each
/// with a short line.
fn line_end(text: &str) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let (chunks, rest) = text.as_bytes().as_chunks();
    for (count, chunk) in chunks.iter().enumerate() {
        // The lowest byte that is zero in this has its highest bit set in the next, and none below it has.
        let other = u64::from_le_bytes(*chunk) ^ (ONES * u64::from(b'\n'));
        let zero = other.wrapping_sub(ONES) & !other & (ONES << 7);
        if zero != 0 {
            return Some(count * 8 + zero.trailing_zeros() as usize / 8);
        }
    }
    Some(chunks.len() * 8 + rest.iter().position(|byte| *byte == b'\n')?)
}

/// The server's name as it is compared: hosts write every character but letters, digits, `_` and `-` as `_` when they
/// join a tool's name (measured on Claude Code), so that two spellings of one name must meet.
#[must_use]
pub fn server_key(name: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.chars().all(plain) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.chars().map(|c| if plain(c) { c } else { '_' }).collect())
    }
}

/// Brings tables into this form, one after another.
#[derive(Default)]
pub struct Encoder<'e> {
    text: String,
    servers: Vec<(Cow<'e, str>, Place)>,
    globs: Vec<Place>,
    programs: Vec<(Cow<'e, str>, Place)>,
}

impl<'e> Encoder<'e> {
    /// With room for a catalog whose text is as long as this.
    #[must_use]
    pub fn for_text(length: usize) -> Self {
        Self { text: String::with_capacity(length), ..Self::default() }
    }

    /// Adds a table.
    pub fn add(&mut self, owner: Owner<'e>, entries: &[Entry]) {
        let from = self.text.len();
        let (Owner::Server(name) | Owner::Program(name)) = owner;
        let exact = match owner {
            Owner::Server(name) if glob::is_glob(name) => None,
            Owner::Server(name) => Some((&mut self.servers, server_key(name))),
            Owner::Program(name) => Some((&mut self.programs, Cow::Borrowed(name))),
        };
        match &exact {
            Some((_, key)) => self.text.push_str(key),
            None => {
                // The wildcards have to survive.
                for c in name.chars() {
                    match c {
                        '*' | '?' => self.text.push(c),
                        other => self.text.push_str(&server_key(other.encode_utf8(&mut [0; 4]))),
                    }
                }
            }
        }
        self.text.push('\t');
        self.text.push_str(name);
        self.text.push('\n');
        for entry in entries {
            encode(entry, &mut self.text);
        }
        // A catalog of over 4 GiB is not read in the first place.
        let here = |at| u32::try_from(at).unwrap_or(u32::MAX);
        let place = (here(from), here(self.text.len()));
        match exact {
            Some((list, key)) => list.push((key, place)),
            None => self.globs.push(place),
        }
    }

    /// All of them.
    #[must_use]
    pub fn finish(self) -> Prepared {
        let sorted = |mut list: Vec<(Cow<str>, Place)>| {
            list.sort();
            list.into_iter().map(|(_, at)| at).collect::<Vec<Place>>()
        };
        Prepared {
            text: self.text.into(),
            servers: sorted(self.servers).into(),
            globs: self.globs.into(),
            programs: sorted(self.programs).into(),
        }
    }
}

impl Prepared {
    fn block(&self, (from, to): Place, server: bool) -> Option<Block<'_>> {
        let text = self.text.get(from as usize..to as usize)?;
        let (head, rest) = text.split_at_checked(line_end(text)?)?;
        let (key, name) = head.split_once('\t')?;
        Some(Block {
            key,
            owner: if server { Owner::Server(name) } else { Owner::Program(name) },
            lines: rest.get(1..)?,
        })
    }

    fn equal_range<'s, 'k>(
        &'s self,
        list: &'s [Place],
        key: &'k str,
        server: bool,
    ) -> impl Iterator<Item = Block<'s>> + use<'s, 'k> {
        let is_before = |(from, to): &Place| {
            let text = self.text.as_bytes().get(*from as usize..*to as usize).unwrap_or_default();
            // Behind a table's key stands a tab, and nothing that a key can hold sorts before that.
            let key = key.as_bytes();
            text.get(..key.len()).unwrap_or(text) < key
        };
        let start = list.partition_point(is_before);
        list.iter().skip(start).map_while(move |at| self.block(*at, server).filter(|block| block.key == key))
    }

    /// The tables that stand for the server with this key: of that name, and of a glob that matches.
    pub fn servers<'s, 'k>(&'s self, key: &'k str) -> impl Iterator<Item = Block<'s>> + use<'s, 'k> {
        let exact = self.equal_range(&self.servers, key, true);
        // The host's own tools are no server that a glob could mean.
        let globs = self.globs.iter().filter(move |_| !key.is_empty()).filter_map(|at| self.block(*at, true));
        exact.chain(globs.filter(move |block| glob::matches(block.key, key)))
    }

    /// The table of a program.
    pub fn programs<'s, 'k>(&'s self, name: &'k str) -> impl Iterator<Item = Block<'s>> + use<'s, 'k> {
        self.equal_range(&self.programs, name, false)
    }

    /// Every table, servers first.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let servers = self.servers.iter().chain(self.globs.iter()).filter_map(|at| self.block(*at, true));
        servers.chain(self.programs.iter().filter_map(|at| self.block(*at, false)))
    }
}

fn encode(entry: &Entry, text: &mut String) {
    let (letter, fields) = match entry.rule {
        Rule::ReadOnly => ('R', ["", "", ""]),
        Rule::Unknown => ('U', ["", "", ""]),
        Rule::Local => ('L', ["", "", ""]),
        Rule::Mutating { vm, action } => ('M', [vm, action, ""]),
        Rule::Script { vm, script, language } => ('S', [vm, script, language.name()]),
        Rule::Opens { vm, id } => ('O', [vm, id, ""]),
        Rule::Writes { path } => ('W', [path, "", ""]),
        Rule::DryRun => ('D', ["", "", ""]),
        Rule::Value => ('V', ["", "", ""]),
        Rule::Manner(Manner::SingleDash) => ('1', ["", "", ""]),
        Rule::Manner(Manner::OnlyListed) => ('2', ["", "", ""]),
        Rule::Manner(Manner::Abbreviates) => ('3', ["", "", ""]),
    };
    text.push(letter);
    text.push_str(entry.pattern);
    if fields.iter().all(|field| field.is_empty()) {
        text.push('\n');
        return;
    }
    let given = fields.iter().rposition(|field| !field.is_empty()).map_or(0, |last| last + 1);
    for field in fields.iter().take(given) {
        text.push('\t');
        text.push_str(field);
    }
    text.push('\n');
}

fn decode(line: &str) -> Option<Entry<'_>> {
    let mut fields = line.split('\t');
    let head = fields.next()?;
    let pattern = head.get(1..)?;
    let mut next = || fields.next().unwrap_or_default();
    let (first, second, third) = (next(), next(), next());
    let rule = match head.as_bytes().first()? {
        b'R' => Rule::ReadOnly,
        b'M' => Rule::Mutating { vm: first, action: second },
        b'S' => match Language::named(third) {
            Some(language) => Rule::Script { vm: first, script: second, language },
            None => Rule::Unknown,
        },
        b'O' => Rule::Opens { vm: first, id: second },
        b'L' => Rule::Local,
        b'W' => Rule::Writes { path: first },
        b'D' => Rule::DryRun,
        b'V' => Rule::Value,
        b'1' => Rule::Manner(Manner::SingleDash),
        b'2' => Rule::Manner(Manner::OnlyListed),
        b'3' => Rule::Manner(Manner::Abbreviates),
        // `U`, and whatever cannot be there: to be asked about.
        _ => Rule::Unknown,
    };
    Some(Entry { pattern, rule })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Prepared {
        let mutating = Rule::Mutating { vm: "host", action: "copy {a} to {b}" };
        let script = Rule::Script { vm: "", script: "command", language: Language::Sh };
        let tables = [
            (
                Owner::Server("winrm"),
                vec![Entry { pattern: "get_*", rule: Rule::ReadOnly }, Entry { pattern: "copy_file", rule: mutating }],
            ),
            (Owner::Server(""), vec![Entry { pattern: "Bash", rule: script }]),
            (Owner::Server("empty"), vec![]),
            (Owner::Server("ssh*"), vec![Entry { pattern: "open", rule: Rule::Opens { vm: "h", id: "i" } }]),
            (Owner::Server("a.b"), vec![Entry { pattern: "t", rule: Rule::Unknown }]),
            (
                Owner::Program("systemctl"),
                vec![
                    Entry { pattern: "", rule: Rule::ReadOnly },
                    Entry { pattern: "-H", rule: Rule::Value },
                    Entry { pattern: "--dry-run", rule: Rule::DryRun },
                    Entry { pattern: "true", rule: Rule::Manner(Manner::OnlyListed) },
                ],
            ),
        ];
        let mut encoder = Encoder::default();
        for (owner, entries) in tables {
            encoder.add(owner, &entries);
        }
        encoder.finish()
    }

    #[test]
    fn what_was_put_in_comes_out() {
        let prepared = sample();
        let winrm: Vec<_> = prepared.servers("winrm").flat_map(|block| block.entries()).collect();
        assert_eq!(winrm.len(), 2);
        assert_eq!(winrm[1].rule, Rule::Mutating { vm: "host", action: "copy {a} to {b}" });
        let own: Vec<_> = prepared.servers("").flat_map(|block| block.entries()).collect();
        assert_eq!(
            own,
            [Entry { pattern: "Bash", rule: Rule::Script { vm: "", script: "command", language: Language::Sh } }]
        );
        assert_eq!(prepared.servers("empty").flat_map(|block| block.entries()).count(), 0);
        assert_eq!(prepared.servers("ssh-x").next().unwrap().owner, Owner::Server("ssh*"));
        assert_eq!(prepared.servers("a_b").next().unwrap().owner, Owner::Server("a.b"));
        assert_eq!(prepared.servers("none").count(), 0);
        let program = prepared.programs("systemctl").next().unwrap();
        let keys: Vec<_> = program.entries().map(|entry| (entry.rule.key(), entry.pattern)).collect();
        let expected = [("read_only", ""), ("values", "-H"), ("dry_run", "--dry-run"), ("only_listed", "true")];
        assert_eq!(keys, expected);
        assert_eq!(prepared.blocks().count(), 6);
    }

    #[test]
    fn owners_are_written_as_a_catalog_writes_them() {
        assert_eq!(Owner::Server("winrm").to_string(), "[server.winrm]");
        assert_eq!(Owner::Server("").to_string(), "[server.\"\"]");
        assert_eq!(Owner::Program("apt-get").to_string(), "[program.apt-get]");
    }
}
