//! JSON as a hook has to read it: a key given twice is an error at any depth, and nothing is lost on the way.
//!
//! `serde_json::Value` keeps the last of two equal keys in silence; a host and its tool may keep the first. What is
//! judged has to be what runs, so such an input is refused. Pure.

mod canonical;

pub use canonical::canonical;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// A JSON value; objects keep the order of their keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(serde_json::Number),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, in which no key stands twice.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses one document and nothing beside it.
    ///
    /// # Errors
    /// Everything that is not exactly one JSON document in UTF-8 without a byte-order mark and without a key given
    /// twice, or that is nested deeper than 128.
    pub fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// The value of an object's key; none for a key that is absent and for what is no object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Self::Object(items) => items.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of an object's string.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Self::as_text)
    }

    /// The value as JSON text, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::List(items) => format!("[{}]", items.iter().map(Self::shown).collect::<Vec<_>>().join(",")),
            Self::Object(fields) => {
                let field = |(key, value): &(String, Self)| {
                    format!("{}:{}", serde_json::Value::from(key.as_str()), value.shown())
                };
                format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// All values at a dotted path; a list on the way stands for each of its elements. One that is no object, or lacks
    /// the key, counts as `null`: it must not vanish, since it may be the one that names a guest.
    #[must_use]
    pub fn at<'j>(&'j self, path: &str) -> Vec<&'j Json> {
        let mut here = vec![self];
        for part in path.split('.') {
            let mut next = Vec::new();
            for value in here {
                match value {
                    Self::List(items) => next.extend(items.iter().map(|item| item.get(part).unwrap_or(&Self::Null))),
                    _ => next.extend(value.get(part)),
                }
            }
            here = next;
        }
        here
    }
}

impl Json {
    /// All values at any of several dotted paths, parted by `|`; a list at the end of one stands for its elements.
    #[must_use]
    pub fn at_any<'j>(&'j self, paths: &str) -> Vec<&'j Json> {
        let found = paths.split('|').flat_map(|path| self.at(path));
        found
            .flat_map(|value| match value {
                Self::List(items) => items.iter().collect(),
                value => vec![value],
            })
            .collect()
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        serde_json::Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("a number that is none"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        // Few keys are compared one by one; many would make that quadratic.
        const FEW: usize = 32;
        let mut items: Vec<(String, Json)> = Vec::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        while let Some(key) = access.next_key::<String>()? {
            let twice = if items.len() < FEW {
                items.iter().any(|(name, _)| *name == key)
            } else {
                if seen.is_empty() {
                    seen.extend(items.iter().map(|(name, _)| name.clone()));
                }
                !seen.insert(key.clone())
            };
            if twice {
                return Err(A::Error::custom("a key is given twice in one object"));
            }
            items.push((key, access.next_value()?));
        }
        Ok(Json::Object(items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_document_and_nothing_else() {
        for bad in [
            &b""[..],
            b" ",
            b"{",
            b"{} {}",
            b"{}x",
            b"\xef\xbb\xbf{}",
            b"{\"a\": \"\xff\"}",
            b"nope",
            b"{\"a\": \"\\ud800\"}",
            b"{'a': 1}",
            b"[1,]",
        ] {
            assert!(Json::parse(bad).is_err(), "{:?}", String::from_utf8_lossy(bad));
        }
        assert_eq!(Json::parse(b" {} \n").unwrap(), Json::Object(vec![]));
    }

    #[test]
    fn a_key_given_twice_is_refused_at_any_depth() {
        for bad in [r#"{"a":1,"a":2}"#, r#"{"x":[{"b":{"a":1,"a":1}}]}"#, r#"{"a":1,"\u0061":2}"#] {
            assert!(Json::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        let many: String = (0..200).map(|n| format!("\"k{n}\":0,")).collect();
        assert!(Json::parse(format!("{{{many}\"k200\":0}}").as_bytes()).is_ok());
        for twice in [0, 31, 32, 33, 199] {
            assert!(Json::parse(format!("{{{many}\"k{twice}\":0}}").as_bytes()).is_err(), "{twice}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Json::parse(deep(127).as_bytes()).is_ok());
        assert!(Json::parse(deep(200).as_bytes()).is_err());
        assert!(Json::parse("[".repeat(1_000_000).as_bytes()).is_err());
    }

    #[test]
    fn dotted_paths_reach_through_objects_and_lists() {
        let json = Json::parse(br#"{"host":"a","t":{"vms":[{"n":"b"},{"n":"c"},{}]}}"#).unwrap();
        let texts = |path: &str| json.at(path).into_iter().filter_map(Json::as_text).collect::<Vec<_>>();
        assert_eq!(texts("host"), ["a"]);
        assert_eq!(texts("t.vms.n"), ["b", "c"]);
        assert_eq!(json.at("t.vms.n").len(), 3, "the one without a name is not lost");
        assert!(texts("t.none").is_empty());
        assert!(texts("host.x").is_empty());
        let any: Vec<_> = json.at_any("none|host|t.vms|t.vms.n").into_iter().filter_map(Json::as_text).collect();
        assert_eq!(any, ["a", "b", "c"]);
    }
}
