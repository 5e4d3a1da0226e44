//! Any bytes are what a download brought: a zip with one file in it, or not. What comes out of one is as long as it says and has
//! its checksum, whatever stands around it; its name leads nowhere. And a zip that is whole is found whole.

use super::ground::{first, folder, within};
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::sync::{Mutex, OnceLock};
use zerto_guard::rewind::unzip::{Method, Wrapped, is_cut, only_file};

/// Runs one input: a byte that says whether the rest is a download, or what is put into a zip; then the rest.
pub fn run(bytes: &[u8]) {
    static DOWNLOAD: OnceLock<Mutex<File>> = OnceLock::new();
    let open = || {
        let path = folder().join("download");
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path);
        Mutex::new(file.unwrap())
    };
    let (kind, bytes) = first(bytes);
    let mut file = DOWNLOAD.get_or_init(open).lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    within(5, || match kind {
        0..=127 => any(&mut file, bytes),
        _ => made(&mut file, kind, bytes),
    });
}

fn put(file: &mut File, bytes: &[u8]) {
    file.set_len(0).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.write_all(bytes).unwrap();
}

fn any(file: &mut File, bytes: &[u8]) {
    put(file, bytes);
    let found = only_file(file).unwrap();
    let cut = is_cut(file).unwrap();
    let Some(wrapped) = found else { return };
    assert!(!cut, "a zip without an end");
    assert!(!wrapped.name.iter().any(|byte| b"/\\".contains(byte)));
    if let Ok(out) = unpacked(&wrapped, file) {
        assert_eq!(out.len() as u64, wrapped.size);
        let crc = crc(&out).to_le_bytes();
        assert!(bytes.windows(4).any(|four| four == crc), "a checksum that stands nowhere");
        if wrapped.method == Method::Stored {
            assert!(out.is_empty() || bytes.windows(out.len()).any(|part| part == out));
        }
    }
}

fn unpacked(wrapped: &Wrapped, file: &mut File) -> Result<Vec<u8>, ()> {
    let mut out = Vec::new();
    let done = wrapped.unpack(file, |piece| {
        out.extend_from_slice(piece);
        assert!(out.len() as u64 <= wrapped.size, "more than it says");
        Ok(())
    });
    done.map(|()| out).map_err(|_| ())
}

/// A zip that holds these bytes, stored, with a comment.
fn made(file: &mut File, kind: u8, content: &[u8]) {
    let comment = &content[..content.len() / 4 * usize::from(kind & 1)];
    let name = b"etc/app.yaml";
    let (crc, size) = (crc(content).to_le_bytes(), u32::try_from(content.len()).unwrap().to_le_bytes());
    let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &crc, &size, &size, &[12, 0, 0, 0]].concat();
    let mut zip = [&b"PK\x03\x04"[..], &common, name, content].concat();
    let begins = u32::try_from(zip.len()).unwrap().to_le_bytes();
    let entry = [&b"PK\x01\x02\x14\0"[..], &common, &[0; 14], name].concat();
    let length = u32::try_from(entry.len()).unwrap().to_le_bytes();
    zip.extend(&entry);
    zip.extend([&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &length, &begins].concat());
    zip.extend(u16::try_from(comment.len()).unwrap().to_le_bytes());
    zip.extend(comment);
    put(file, &zip);
    // A comment that looks like the end of a zip may be taken for it, and then there is none.
    if comment.windows(4).any(|four| four == b"PK\x05\x06") || zip[..zip.len() - comment.len()].windows(4).filter(|four| *four == b"PK\x06\x07").count() > 0 {
        let _ = only_file(file).unwrap();
        return;
    }
    let wrapped = only_file(file).unwrap().expect("the file in it is not found");
    assert_eq!((wrapped.name.as_slice(), wrapped.size), (&b"app.yaml"[..], content.len() as u64));
    assert_eq!(unpacked(&wrapped, file), Ok(content.to_vec()));
    // What lacks its end is none.
    put(file, &zip[..zip.len() - comment.len() - 1]);
    if !content.windows(4).any(|four| four == b"PK\x05\x06") {
        assert!(is_cut(file).unwrap());
    }
}

/// The checksum of zips, bit by bit: not the program's own.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}
