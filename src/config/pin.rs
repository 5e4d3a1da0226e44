//! Writes a certificate's pin into the text of a `config.toml`, and keeps everything else in it. Pure.

use super::read::{canonical_url, parse};
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// What became of the text.
#[derive(Debug, PartialEq, Eq)]
pub enum Pinned {
    /// No entry has that URL.
    NoEntry,
    /// The entry had this pin already.
    Already,
    /// The entry has it now.
    Written {
        /// The new text.
        text: String,
        /// What the entry trusted before, as it was written; empty if nothing.
        before: String,
    },
}

/// Puts the pin into the `[[zvm]]` with that URL, in place of any other way to trust.
///
/// # Errors
/// If the text is no config.
pub fn set(text: &str, url: &str, pin: &str, home: Option<&std::path::Path>) -> Result<Pinned, String> {
    parse(text, home).map_err(|mistake| mistake.to_string())?;
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let Some(entry) = entry(&mut document, url) else {
        return Ok(Pinned::NoEntry);
    };
    let mut before = String::new();
    for key in ["tls_pin", "ca_file", "insecure_skip_verify"] {
        if let Some(value) = entry.get(key).and_then(Item::as_value) {
            if key == "tls_pin" && value.as_str().and_then(super::read::pin) == super::read::pin(pin) {
                return Ok(Pinned::Already);
            }
            before = format!("{key} = {}", value.to_string().trim());
        }
    }
    entry.remove("ca_file");
    entry.remove("insecure_skip_verify");
    match entry.get_mut("tls_pin").and_then(Item::as_value_mut) {
        Some(value) => {
            let decor = value.decor().clone();
            *value = Value::from(pin);
            *value.decor_mut() = decor;
        }
        None => {
            entry.insert("tls_pin", Item::Value(Value::from(pin)));
        }
    }
    let text = document.to_string();
    parse(&text, home).map_err(|mistake| mistake.to_string())?;
    Ok(Pinned::Written { text, before })
}

fn entry<'d>(document: &'d mut DocumentMut, url: &str) -> Option<&'d mut dyn TableLike> {
    let wanted = canonical_url(url)?;
    let is_it = |table: &dyn TableLike| {
        table.get("url").and_then(Item::as_str).and_then(canonical_url).is_some_and(|found| found == wanted)
    };
    match document.get_mut("zvm")? {
        Item::ArrayOfTables(tables) => {
            tables.iter_mut().map(|table| table as &mut dyn TableLike).find(|table| is_it(&**table))
        }
        Item::Value(Value::Array(tables)) => {
            let tables = tables.iter_mut().filter_map(Value::as_inline_table_mut);
            tables.map(|table| table as &mut dyn TableLike).find(|table| is_it(&**table))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pin(byte: &str) -> String {
        format!("sha256:{}", vec![byte; 32].join(":"))
    }

    #[test]
    fn the_pin_goes_into_its_own_entry_and_nothing_else_moves() {
        let text = "# mine\n[[zvm]]\nname = 'a'\nurl = 'https://a'\nusername = 'u'\n\n[[zvm]] # second\nname = 'b'\n\
                    url = 'HTTPS://B/' # here\nusername = 'u'\nca_file = '/x'\n[guard]\nreuse = '1m'\n";
        let Pinned::Written { text, before } = set(text, "https://b:443", &pin("AB"), None).unwrap() else { panic!() };
        assert_eq!(before, "ca_file = '/x'");
        assert!(
            text.starts_with("# mine\n[[zvm]]\nname = 'a'\nurl = 'https://a'\nusername = 'u'\n\n[[zvm]] # second"),
            "{text}"
        );
        assert!(text.contains(&format!("username = 'u'\ntls_pin = \"{}\"\n[guard]\nreuse", pin("AB"))), "{text}");
        assert_eq!(set(&text, "https://b", &pin("ab"), None).unwrap(), Pinned::Already);
        let Pinned::Written { text: again, before } = set(&text, "https://b", &pin("CD"), None).unwrap() else {
            panic!()
        };
        assert!(before.contains("AB:AB"), "{before}");
        assert!(again.contains("CD:CD") && !again.contains("AB:AB"), "{again}");
        assert_eq!(set(&text, "https://c", &pin("AB"), None).unwrap(), Pinned::NoEntry);
        assert!(set("x = 1", "https://c", &pin("AB"), None).is_err());
    }
}
