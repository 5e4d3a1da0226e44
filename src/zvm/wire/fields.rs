//! JSON objects whose names are compared without case, and leaves that may be text, a number or nothing.
//!
//! Owns: the one way in which Zerto's two spellings are read. Must not: know a field's name.

use crate::text::clean;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// A text, number or truth value as text; none for null, for what is missing, and for an object or list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leaf(pub Option<String>);

impl Leaf {
    pub fn from(text: Option<&str>) -> Self {
        Self(text.map(str::to_owned))
    }

    /// The text as it came, if there is any.
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref().filter(|t| !t.trim().is_empty())
    }

    /// The text as it may be shown; empty if there is none.
    pub fn shown(&self) -> String {
        clean(self.text().unwrap_or_default(), super::TEXT)
    }

    /// A truth value, whether it came as one, as a text or as a number.
    pub fn truth(&self) -> Option<bool> {
        match self.text()?.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }

    /// This, or `other` where it holds no text.
    pub fn or(&self, other: &Self) -> Self {
        if self.text().is_some() { self.clone() } else { other.clone() }
    }
}

impl<'de> Deserialize<'de> for Leaf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Leaf;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a number")
            }
            fn visit_str<E>(self, v: &str) -> Result<Leaf, E> {
                Ok(Leaf(Some(v.to_owned())))
            }
            fn visit_i64<E>(self, v: i64) -> Result<Leaf, E> {
                Ok(Leaf(Some(v.to_string())))
            }
            fn visit_u64<E>(self, v: u64) -> Result<Leaf, E> {
                Ok(Leaf(Some(v.to_string())))
            }
            fn visit_f64<E>(self, v: f64) -> Result<Leaf, E> {
                Ok(Leaf(Some(v.to_string())))
            }
            fn visit_bool<E>(self, v: bool) -> Result<Leaf, E> {
                Ok(Leaf(Some(v.to_string())))
            }
            fn visit_unit<E>(self) -> Result<Leaf, E> {
                Ok(Leaf(None))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Leaf, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Leaf(None))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Leaf, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Leaf(None))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Null, and a text, number or truth value where an object or list should be: as if nothing were there.
macro_rules! anything_else {
    ($value:ty) => {
        fn visit_unit<E>(self) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_str<E>(self, _: &str) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_i64<E>(self, _: i64) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_u64<E>(self, _: u64) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_f64<E>(self, _: f64) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_bool<E>(self, _: bool) -> Result<$value, E> {
            Ok(<$value>::default())
        }
    };
}
pub(in crate::zvm::wire) use anything_else;

/// A list; empty where something else stands in its place.
#[derive(Debug)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rows<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Rows<T> {
            type Value = List<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }
            anything_else!(List<T>);
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
                let mut rows = Vec::new();
                while let Some(row) = seq.next_element()? {
                    rows.push(row);
                }
                Ok(List(rows))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<List<T>, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(List::default())
            }
        }
        deserializer.deserialize_any(Rows(PhantomData))
    }
}

/// Declares an object: its fields, their types and their names (any case will match). A field that is missing or null
/// keeps its default, another name is skipped. Anything but an object is one with nothing in it: what has to be there is
/// asked for by whoever makes a value of it.
macro_rules! object {
    ($object:ident { $($(#[doc = $doc:literal])* $field:ident : $type:ty = $name:literal),* $(,)? }) => {
        #[derive(Debug, Default)]
        struct $object {
            $($field: $type),*
        }

        impl<'de> serde::Deserialize<'de> for $object {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Object;
                impl<'de> serde::de::Visitor<'de> for Object {
                    type Value = $object;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }
                    $crate::zvm::wire::fields::anything_else!($object);
                    fn visit_seq<A: serde::de::SeqAccess<'de>>(
                        self,
                        mut seq: A,
                    ) -> Result<$object, A::Error> {
                        while seq.next_element::<serde::de::IgnoredAny>()?.is_some() {}
                        Ok($object::default())
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$object, A::Error> {
                        let mut object = $object::default();
                        while let Some(name) = map.next_key::<String>()? {
                            $(if name.eq_ignore_ascii_case($name) {
                                if let Some(value) = map.next_value::<Option<$type>>()? {
                                    object.$field = value;
                                }
                                continue;
                            })*
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                        Ok(object)
                    }
                }
                deserializer.deserialize_any(Object)
            }
        }
    };
}
pub(super) use object;

/// Parses a whole answer. What serde_json says of a broken one names a place and no content.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    serde_json::from_slice(body).map_err(|e| {
        use serde_json::error::Category;
        match e.classify() {
            Category::Eof => "the answer breaks off".to_owned(),
            Category::Syntax | Category::Io => {
                format!("the answer is not JSON (line {}, column {})", e.line(), e.column())
            }
            Category::Data => {
                format!("the answer is not what this call answers (line {}, column {})", e.line(), e.column())
            }
        }
    })
}
