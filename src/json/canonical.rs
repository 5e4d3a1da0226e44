//! A JSON value in the one form in which two spellings of it are equal: keys sorted, strings without needless escapes,
//! numbers as they were written, so that no two big numbers are taken for one.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The canonical form of the value at a path of keys, without the keys `left_out` of that value itself; none if it is not
/// there. A text that holds a JSON object is that object: some hosts send arguments so.
///
/// # Errors
/// If the bytes are no JSON object, or one on the way is none, or it is nested too deeply.
pub fn canonical(bytes: &[u8], path: &[&str], left_out: &[&str]) -> Result<Option<String>, serde_json::Error> {
    let mut here: &RawValue = serde_json::from_slice(bytes)?;
    for key in path {
        let fields: Fields = serde_json::from_str(here.get())?;
        let Some((_, value)) = fields.0.into_iter().find(|(name, _)| name == key) else { return Ok(None) };
        here = value;
    }
    let mut text = String::new();
    match held(here) {
        Some(object) => write(serde_json::from_str(&object)?, left_out, 0, &mut text)?,
        None => write(here, left_out, 0, &mut text)?,
    }
    Ok(Some(text))
}

/// The text of a JSON object that a JSON text holds.
fn held(value: &RawValue) -> Option<String> {
    let text: String = serde_json::from_str(value.get()).ok()?;
    serde_json::from_str::<Fields>(&text).is_ok().then_some(text)
}

/// No input that was parsed is deeper.
const DEEPEST: usize = 128;

fn write(value: &RawValue, left_out: &[&str], depth: usize, text: &mut String) -> Result<(), serde_json::Error> {
    let raw = value.get();
    if depth > DEEPEST {
        return Err(serde::de::Error::custom("nested too deeply"));
    }
    match raw.bytes().next() {
        Some(b'{') => {
            let mut fields: Fields = serde_json::from_str(raw)?;
            fields.0.retain(|(name, _)| !left_out.contains(&name.as_str()));
            fields.0.sort_by(|(a, _), (b, _)| a.cmp(b));
            text.push('{');
            for (at, (name, value)) in fields.0.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(&serde_json::to_string(name)?);
                text.push(':');
                write(value, &[], depth + 1, text)?;
            }
            text.push('}');
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(raw)?;
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write(item, &[], depth + 1, text)?;
            }
            text.push(']');
        }
        Some(b'"') => text.push_str(&serde_json::to_string(&serde_json::from_str::<String>(raw)?)?),
        _ => text.push_str(raw),
    }
    Ok(())
}

/// An object's fields, each value as it was written.
struct Fields<'j>(Vec<(String, &'j RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Fields<'de>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = access.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &str) -> String {
        canonical(format!("{{\"a\": 1, \"in\" : {value} }}").as_bytes(), &["in"], &["description"]).unwrap().unwrap()
    }

    #[test]
    fn spellings_of_one_value_are_equal_and_others_are_not() {
        let one = of(r#"{ "b":[1, {"y":"\u0041","x":null}], "a" : true , "description":"x"}"#);
        assert_eq!(one, r#"{"a":true,"b":[1,{"x":null,"y":"A"}]}"#);
        assert_eq!(one, of(r#"{"a":true,"description":"other","b":[1,{"x":null,"y":"A"}]}"#));
        for (a, b) in [
            ("123456789012345678901234567890", "123456789012345678901234567891"),
            ("1", "\"1\""),
            ("[1,2]", "[2,1]"),
            (r#"{"x":{"description":"a"}}"#, r#"{"x":{"description":"b"}}"#),
            ("null", "{}"),
        ] {
            assert_ne!(of(a), of(b), "{a} {b}");
        }
        assert_eq!(canonical(b"{}", &["in"], &[]).unwrap(), None);
        assert!(canonical(b"[]", &["in"], &[]).is_err());
    }

    #[test]
    fn the_way_to_the_value_and_a_text_that_holds_it() {
        let at = |json: &str, path: &[&str]| canonical(json.as_bytes(), path, &["description"]).unwrap();
        let same = Some(r#"{"a":12345678901234567890123}"#.to_owned());
        assert_eq!(at(r#"{"x":{"y":{"a":12345678901234567890123,"description":1}}}"#, &["x", "y"]), same);
        assert_eq!(at(r#"{"x":"{\"description\":1, \"a\":12345678901234567890123}"}"#, &["x"]), same);
        assert_eq!(at(r#"{"x":"no object"}"#, &["x"]), Some(r#""no object""#.into()));
        assert_eq!(at(r#"{"x":{}}"#, &["x", "y"]), None);
        assert!(canonical(br#"{"x":1}"#, &["x", "y"], &[]).is_err());
    }
}
