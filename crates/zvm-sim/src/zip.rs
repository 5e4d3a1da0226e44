//! Zip files, made as they are sent.
//!
//! Owns the format as far as two common writers use it: entries deflated with their sizes behind them, or stored with
//! their sizes before. No Zip64: what is 4 GiB or longer has no place in one.

use std::io::Write as _;

use axum::body::Bytes;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use crate::content::Content;

const DATE: u16 = (46 << 9) | (9 << 5) | 21;
const UTF8: u16 = 1 << 11;
const SIZES_BEHIND: u16 = 1 << 3;

/// One entry of the directory at the end.
struct Entry {
    name: String,
    crc: u32,
    packed: u32,
    size: u32,
    at: u32,
}

/// The pieces of a zip of these files, by their names in it.
pub(crate) fn pieces(files: Vec<(String, Content)>, deflated: bool) -> impl Iterator<Item = Bytes> + Send + 'static {
    let mut writer = Writer { deflated, entries: Vec::new(), sent: 0 };
    let mut files = files.into_iter();
    let mut current: Option<Box<dyn Iterator<Item = Bytes> + Send>> = None;
    let mut open: Option<Packing> = None;
    let mut ended = false;
    std::iter::from_fn(move || {
        loop {
            if let Some(chunks) = current.as_mut() {
                let packing = open.as_mut()?;
                let piece = match chunks.next() {
                    Some(chunk) => packing.pack(&chunk),
                    None => {
                        current = None;
                        writer.close(open.take()?)
                    }
                };
                if piece.is_empty() {
                    continue;
                }
                return Some(writer.count(piece));
            }
            match files.next() {
                Some((name, content)) => {
                    let (head, packing) = writer.open(name, &content);
                    current = Some(Box::new(content.chunks()));
                    open = Some(packing);
                    return Some(writer.count(head));
                }
                None if ended => return None,
                None => {
                    ended = true;
                    return Some(Bytes::from(writer.directory()));
                }
            }
        }
    })
}

struct Writer {
    deflated: bool,
    entries: Vec<Entry>,
    sent: u32,
}

/// An entry whose content is on its way.
struct Packing {
    encoder: Option<DeflateEncoder<Vec<u8>>>,
    crc: Crc,
    packed: u32,
}

impl Packing {
    fn pack(&mut self, chunk: &[u8]) -> Vec<u8> {
        self.crc.update(chunk);
        let out = match &mut self.encoder {
            // Into memory: it can't fail.
            Some(encoder) => {
                let _ = encoder.write_all(chunk);
                std::mem::take(encoder.get_mut())
            }
            None => chunk.to_vec(),
        };
        self.packed = self.packed.wrapping_add(short(out.len()));
        out
    }
}

impl Writer {
    fn count(&mut self, piece: Vec<u8>) -> Bytes {
        self.sent = self.sent.wrapping_add(short(piece.len()));
        Bytes::from(piece)
    }

    fn open(&mut self, name: String, content: &Content) -> (Vec<u8>, Packing) {
        let (mut crc, mut size) = (0, 0);
        if !self.deflated {
            let mut whole = Crc::new();
            content.chunks().for_each(|chunk| whole.update(&chunk));
            (crc, size) = (whole.sum(), u32::try_from(content.len()).unwrap_or(u32::MAX));
        }
        let mut head = Vec::new();
        put32(&mut head, 0x0403_4b50);
        self.common(&mut head, crc, size, size, &name);
        head.extend(name.as_bytes());
        self.entries.push(Entry { name, crc, packed: size, size, at: self.sent });
        let encoder = self.deflated.then(|| DeflateEncoder::new(Vec::new(), Compression::fast()));
        (head, Packing { encoder, crc: Crc::new(), packed: 0 })
    }

    /// What the head of an entry and its place in the directory have alike.
    fn common(&self, out: &mut Vec<u8>, crc: u32, packed: u32, size: u32, name: &str) {
        put16(out, 20);
        put16(out, if self.deflated { UTF8 | SIZES_BEHIND } else { UTF8 });
        put16(out, if self.deflated { 8 } else { 0 });
        put16(out, 0);
        put16(out, DATE);
        put32(out, crc);
        put32(out, packed);
        put32(out, size);
        put16(out, u16::try_from(name.len()).unwrap_or(u16::MAX));
        put16(out, 0);
    }

    /// The rest of an entry.
    fn close(&mut self, mut packing: Packing) -> Vec<u8> {
        let mut rest = packing.encoder.take().and_then(|encoder| encoder.finish().ok()).unwrap_or_default();
        let packed = packing.packed.wrapping_add(short(rest.len()));
        let (crc, size) = (packing.crc.sum(), packing.crc.amount());
        if self.deflated {
            put32(&mut rest, 0x0807_4b50);
            for number in [crc, packed, size] {
                put32(&mut rest, number);
            }
        }
        if let Some(entry) = self.entries.last_mut() {
            (entry.crc, entry.packed, entry.size) = (crc, packed, size);
        }
        rest
    }

    fn directory(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for entry in &self.entries {
            put32(&mut out, 0x0201_4b50);
            put16(&mut out, 20);
            self.common(&mut out, entry.crc, entry.packed, entry.size, &entry.name);
            // No comment, the first disk, no attributes.
            put16(&mut out, 0);
            put16(&mut out, 0);
            put16(&mut out, 0);
            put32(&mut out, 0);
            put32(&mut out, entry.at);
            out.extend(entry.name.as_bytes());
        }
        let length = short(out.len());
        let count = u16::try_from(self.entries.len()).unwrap_or(u16::MAX);
        put32(&mut out, 0x0605_4b50);
        for number in [0, 0, count, count] {
            put16(&mut out, number);
        }
        put32(&mut out, length);
        put32(&mut out, self.sent);
        put16(&mut out, 0);
        out
    }
}

fn short(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

fn put16(out: &mut Vec<u8>, number: u16) {
    out.extend(number.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}
