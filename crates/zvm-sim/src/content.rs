//! What a file of a guest holds: bytes, or bytes that are made as they are sent.
//!
//! Owns the making: a file of many GiB takes no memory.

use std::sync::Arc;

use axum::body::Bytes;
use sha2::{Digest as _, Sha256};

/// How much is made at a time.
const CHUNK: usize = 64 * 1024;

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Bytes(Bytes),
    Made { len: u64, block: Arc<Vec<u8>> },
}

impl Content {
    /// So many bytes that look like chance and are always the same for the same seed; no two chunks of 64 KiB are
    /// alike, so that one that is lost, doubled or moved changes the digest.
    #[must_use]
    pub fn generated(len: u64, seed: u64) -> Self {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let block = (0..CHUNK)
            .map(|_| {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                x.to_le_bytes()[0]
            })
            .collect();
        Self(Kind::Made { len, block: Arc::new(block) })
    }

    /// How many bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.0 {
            Kind::Bytes(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            Kind::Made { len, .. } => *len,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes, some at a time.
    pub fn chunks(&self) -> impl Iterator<Item = Bytes> + Send + 'static {
        let content = self.clone();
        let mut at = 0;
        std::iter::from_fn(move || {
            let next = content.at(at)?;
            at += 1;
            Some(next)
        })
    }

    /// The n-th chunk; none past the end, and none that is empty.
    fn at(&self, n: u64) -> Option<Bytes> {
        match &self.0 {
            Kind::Bytes(bytes) => {
                let from = usize::try_from(n).ok()?.checked_mul(CHUNK)?;
                let to = from.checked_add(CHUNK)?.min(bytes.len());
                (from < to).then(|| bytes.slice(from..to))
            }
            Kind::Made { len, block } => {
                let from = n.checked_mul(u64::try_from(CHUNK).ok()?)?;
                let size = CHUNK.min(usize::try_from(len.checked_sub(from)?).unwrap_or(usize::MAX));
                let mut chunk = block.get(..size).filter(|c| !c.is_empty())?.to_vec();
                for (byte, stamp) in chunk.iter_mut().zip(n.to_le_bytes()) {
                    *byte ^= stamp;
                }
                Some(Bytes::from(chunk))
            }
        }
    }

    /// Its SHA-256 in lower-case hex, to compare what arrived with.
    #[must_use]
    pub fn sha256(&self) -> String {
        let mut digest = Sha256::new();
        self.chunks().for_each(|chunk| digest.update(&chunk));
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Kind::Bytes(Bytes::from(bytes)))
    }
}

impl From<&[u8]> for Content {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(content: &Content) -> Vec<u8> {
        content.chunks().flatten().collect()
    }

    #[test]
    fn chunks_make_up_the_whole() {
        for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7] {
            let made = Content::generated(len as u64, 7);
            assert_eq!((whole(&made).len(), made.len()), (len, len as u64));
            let bytes = Content::from(whole(&made));
            assert_eq!((whole(&bytes), bytes.sha256()), (whole(&made), made.sha256()));
        }
    }

    #[test]
    fn no_two_chunks_are_alike() {
        let made = whole(&Content::generated(2 * CHUNK as u64, 7));
        assert_ne!(made[..CHUNK], made[CHUNK..]);
        assert_ne!(made, whole(&Content::generated(2 * CHUNK as u64, 8)));
        assert_eq!(Content::from("abc").sha256(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
