//! The zip in which a ZVM may wrap a file: which file is in it, and its bytes.
//!
//! Owns the format as far as one file needs it (PKWARE's APPNOTE 6.3: the directory at the end, Zip64, stored and deflated
//! entries), in constant memory: what is read may as well be a guest's own archive of a million files. Must not: write a
//! file, or make a path of a name in a zip.

use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// How a zip with something in it begins.
pub const MAGIC: &[u8] = b"PK\x03\x04";

/// More than a wrapper has: the file, and perhaps the folders that lead to it.
const MOST_ENTRIES: u64 = 64;

const END: u32 = 0x0605_4b50;
const END_LENGTH: usize = 22;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
const LOCATOR64_LENGTH: usize = 20;
const ENTRY: u32 = 0x0201_4b50;
const ENTRY_LENGTH: usize = 46;
const HEAD: u32 = 0x0403_4b50;
const HEAD_LENGTH: usize = 30;

const ENCRYPTED: u16 = 1;
const SAYS_UTF8: u16 = 1 << 11;

/// The one file of a zip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapped {
    /// Its name without the folders before it, as the zip spells it.
    pub name: Vec<u8>,
    /// Whether the zip says that the name is UTF-8; else it is in a code page that nobody told.
    pub says_utf8: bool,
    /// Its length, unpacked.
    pub size: u64,
    /// How it is packed.
    pub method: Method,
    crc: u32,
    begins: u64,
    packed: u64,
}

/// How an entry is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// As it is.
    Stored,
    /// Deflated.
    Deflated,
    /// With a password.
    Encrypted,
    /// Another way, by its number.
    Other(u16),
}

/// Why the file of a zip did not come out whole.
#[derive(Debug)]
pub enum Damage {
    /// The zip could not be read.
    Read(io::Error),
    /// What came out could not be taken.
    Taken(io::Error),
    /// It is not what the zip says it is.
    Wrong(String),
}

/// The only file in a zip; none where `file` is no zip, is a part of one, or holds none or several files. Folders in it
/// don't count.
///
/// # Errors
/// The disk can't be read.
pub fn only_file(file: &mut File) -> io::Result<Option<Wrapped>> {
    let length = file.seek(SeekFrom::End(0))?;
    let Some(directory) = directory(file, length)? else { return Ok(None) };
    if !(1..=MOST_ENTRIES).contains(&directory.count) {
        return Ok(None);
    }
    if directory.begins > length {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(directory.begins))?;
    let mut entries = BufReader::new(&mut *file);
    let mut found: Option<(Wrapped, u64)> = None;
    for _ in 0..directory.count {
        match entry(&mut entries) {
            Ok(Some((wrapped, _))) if wrapped.name.is_empty() && wrapped.size == 0 => {}
            Ok(Some(one)) if found.is_none() => found = Some(one),
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    drop(entries);
    let Some((mut wrapped, head)) = found else { return Ok(None) };
    Ok(data_begins(file, head, length)?.and_then(|begins| {
        wrapped.begins = begins;
        (begins.checked_add(wrapped.packed)? <= length).then_some(wrapped)
    }))
}

/// Whether these bytes have no end as a zip has one.
///
/// # Errors
/// The disk can't be read.
pub fn is_cut(file: &mut File) -> io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    Ok(directory(file, length)?.is_none())
}

impl Wrapped {
    /// Unpacks it piece by piece. What comes out is at most as long as the zip says, and its checksum is right once this
    /// is done.
    ///
    /// # Errors
    /// It is damaged, or can't be read, or `take` fails.
    pub fn unpack(&self, file: &mut File, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> Result<(), Damage> {
        file.seek(SeekFrom::Start(self.begins)).map_err(Damage::Read)?;
        let packed = BufReader::with_capacity(256 * 1024, file).take(self.packed);
        let mut reader: Box<dyn Read> = match self.method {
            Method::Stored => Box::new(packed),
            Method::Deflated => Box::new(DeflateDecoder::new(packed)),
            Method::Encrypted => return Err(Damage::Wrong("it is encrypted".to_owned())),
            Method::Other(method) => {
                return Err(Damage::Wrong(format!("it is packed in a way that can't be unpacked here ({method})")));
            }
        };
        let mut buffer = vec![0; 256 * 1024];
        let mut crc = Crc::new();
        let mut size = 0_u64;
        loop {
            let piece = match reader.read(&mut buffer) {
                Ok(count) => buffer.get(..count).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // What the decoder says of bytes that are not deflated.
                Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => {
                    return Err(Damage::Wrong("its packed bytes are damaged".to_owned()));
                }
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(Damage::Wrong("its packed bytes break off".to_owned()));
                }
                Err(error) => return Err(Damage::Read(error)),
            };
            if piece.is_empty() {
                break;
            }
            size = size.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
            if size > self.size {
                return Err(Damage::Wrong(format!("more comes out of it than the {} bytes that it says", self.size)));
            }
            crc.update(piece);
            take(piece).map_err(Damage::Taken)?;
        }
        if size != self.size {
            return Err(Damage::Wrong(format!("{size} bytes come out of it, and it says {}", self.size)));
        }
        if crc.sum() != self.crc {
            return Err(Damage::Wrong("its checksum is not that of the bytes in it".to_owned()));
        }
        Ok(())
    }
}

/// Where the directory is, and how many entries it has.
struct Directory {
    count: u64,
    begins: u64,
}

fn directory(file: &mut File, length: u64) -> io::Result<Option<Directory>> {
    // Behind the end there is nothing but a comment.
    let longest = END_LENGTH + LOCATOR64_LENGTH + usize::from(u16::MAX);
    let tail_length = u64::try_from(longest).unwrap_or(u64::MAX).min(length);
    file.seek(SeekFrom::Start(length - tail_length))?;
    let mut tail = Vec::new();
    Read::take(&mut *file, tail_length).read_to_end(&mut tail)?;
    let ends = |at: &usize| {
        let comment = u16_at(&tail, at + 20).map(usize::from);
        u32_at(&tail, *at) == Some(END) && comment.is_some_and(|comment| at + END_LENGTH + comment == tail.len())
    };
    let Some(at) = (0..tail.len()).rev().find(ends) else { return Ok(None) };
    let (Some(count), Some(begins)) = (u16_at(&tail, at + 10), u32_at(&tail, at + 16)) else { return Ok(None) };
    let locator = at.checked_sub(LOCATOR64_LENGTH).filter(|at| u32_at(&tail, *at) == Some(LOCATOR64));
    let Some(record) = locator.and_then(|at| u64_at(&tail, at + 8)) else {
        return Ok(Some(Directory { count: count.into(), begins: begins.into() }));
    };
    let mut record64 = [0; 56];
    if !read_at(file, record, length, &mut record64)? || u32_at(&record64, 0) != Some(END64) {
        return Ok(None);
    }
    Ok(u64_at(&record64, 32).zip(u64_at(&record64, 48)).map(|(count, begins)| Directory { count, begins }))
}

/// The next entry of the directory, and where its head is; none where this is no entry. A folder's name is empty here.
fn entry(entries: &mut impl Read) -> io::Result<Option<(Wrapped, u64)>> {
    let mut fixed = [0; ENTRY_LENGTH];
    entries.read_exact(&mut fixed)?;
    let mut next = |at| {
        let mut bytes = vec![0; usize::from(u16_at(&fixed, at).unwrap_or_default())];
        entries.read_exact(&mut bytes).map(|()| bytes)
    };
    let (name, extra, _comment) = (next(28)?, next(30)?, next(32)?);
    Ok(read_entry(&fixed, &name, &extra))
}

fn read_entry(fixed: &[u8], name: &[u8], extra: &[u8]) -> Option<(Wrapped, u64)> {
    if u32_at(fixed, 0)? != ENTRY {
        return None;
    }
    let flags = u16_at(fixed, 8)?;
    let method = match (flags & ENCRYPTED != 0, u16_at(fixed, 10)?) {
        (true, _) => Method::Encrypted,
        (false, 0) => Method::Stored,
        (false, 8) => Method::Deflated,
        (false, other) => Method::Other(other),
    };
    // What does not fit into four bytes stands in the extra field, in this order and only then.
    let mut long = extra_field(extra, 1).unwrap_or_default();
    let mut whole = |short: u32| -> Option<u64> {
        if short != u32::MAX {
            return Some(short.into());
        }
        let (number, rest) = long.split_at_checked(8)?;
        long = rest;
        u64_at(number, 0)
    };
    let size = whole(u32_at(fixed, 24)?)?;
    let packed = whole(u32_at(fixed, 20)?)?;
    let head = whole(u32_at(fixed, 42)?)?;
    // Some writers part folders with backslashes.
    let name = name.rsplit(|byte| b"/\\".contains(byte)).next().unwrap_or_default().to_vec();
    let crc = u32_at(fixed, 16)?;
    Some((Wrapped { name, says_utf8: flags & SAYS_UTF8 != 0, size, method, crc, begins: 0, packed }, head))
}

fn extra_field(mut extra: &[u8], wanted: u16) -> Option<&[u8]> {
    loop {
        let (id, length) = (u16_at(extra, 0)?, usize::from(u16_at(extra, 2)?));
        let (field, rest) = extra.get(4..)?.split_at_checked(length)?;
        if id == wanted {
            return Some(field);
        }
        extra = rest;
    }
}

/// Where the bytes of the entry with its head there begin: the head has a name and an extra field of its own.
fn data_begins(file: &mut File, head: u64, length: u64) -> io::Result<Option<u64>> {
    let mut fixed = [0; HEAD_LENGTH];
    if !read_at(file, head, length, &mut fixed)? || u32_at(&fixed, 0) != Some(HEAD) {
        return Ok(None);
    }
    let (name, extra) = (u16_at(&fixed, 26).unwrap_or_default(), u16_at(&fixed, 28).unwrap_or_default());
    Ok(head.checked_add(30 + u64::from(name) + u64::from(extra)))
}

/// Whether a file of that length has that many bytes there.
fn read_at(file: &mut File, at: u64, length: u64, buffer: &mut [u8]) -> io::Result<bool> {
    if at > length {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(at))?;
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at.checked_add(8)?)?.try_into().ok().map(u64::from_le_bytes)
}

#[cfg(test)]
#[path = "tests/unzip.rs"]
pub(super) mod tests;
