//! Zips of every form that a writer makes, and of forms that none should.

use super::*;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write as _;

/// A zip as a writer of this kind makes it.
#[derive(Clone, Default)]
pub struct Zip {
    pub stored: bool,
    pub long: bool,
    pub says_utf8: bool,
    pub comment: &'static [u8],
    pub wrong_crc: bool,
    pub wrong_size: bool,
    pub flags: u16,
    pub method: Option<u16>,
}

impl Zip {
    pub fn of(&self, files: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut out, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            let packed = match self.stored {
                true => bytes.to_vec(),
                false => {
                    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
                    encoder.write_all(bytes).unwrap();
                    encoder.finish().unwrap()
                }
            };
            let mut crc = Crc::new();
            crc.update(bytes);
            let crc = crc.sum() ^ u32::from(self.wrong_crc);
            let size = bytes.len() as u64 + u64::from(self.wrong_size);
            let head = out.len() as u64;
            let behind = !self.stored;
            let flags = self.flags | u16::from(behind) << 3 | u16::from(self.says_utf8) << 11;
            let method = self.method.unwrap_or(if self.stored { 0 } else { 8 });
            let mut common = Vec::new();
            for number in [20, flags, method, 0, 0] {
                common.extend(number.to_le_bytes());
            }
            let short = |number: u64| if self.long { u32::MAX } else { u32::try_from(number).unwrap() };
            let numbers = |numbers: [u32; 3]| numbers.map(u32::to_le_bytes).concat();
            let length = u16::try_from(name.len()).unwrap().to_le_bytes();
            // The head's own extra field is longer than that of the directory, as it is with some writers.
            out.extend(HEAD.to_le_bytes());
            out.extend(&common);
            out.extend(if behind { numbers([0; 3]) } else { numbers([crc, short(packed.len() as u64), short(size)]) });
            out.extend([length, [9, 0]].concat());
            out.extend(name.as_bytes());
            out.extend([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0]);
            out.extend(&packed);
            if behind {
                out.extend(b"PK\x07\x08");
                out.extend(numbers([crc, packed.len() as u32, size as u32]));
            }
            let mut extra = vec![0x55, 0x54, 1, 0, 0];
            if self.long {
                extra.extend([1, 0, 24, 0]);
                extra.extend([size, packed.len() as u64, head].map(u64::to_le_bytes).concat());
            }
            directory.extend(ENTRY.to_le_bytes());
            directory.extend([20, 0]);
            directory.extend(&common);
            directory.extend(numbers([crc, short(packed.len() as u64), short(size)]));
            directory.extend([length, (extra.len() as u16).to_le_bytes()].concat());
            directory.extend([0; 10]);
            directory.extend(short(head).to_le_bytes());
            directory.extend(name.as_bytes());
            directory.extend(extra);
        }
        let (begins, count) = (out.len() as u64, files.len() as u64);
        out.extend(&directory);
        if self.long {
            let record = out.len() as u64;
            out.extend(END64.to_le_bytes());
            out.extend(44_u64.to_le_bytes());
            out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            out.extend([count, count, directory.len() as u64, begins].map(u64::to_le_bytes).concat());
            out.extend(LOCATOR64.to_le_bytes());
            out.extend([0; 4]);
            out.extend(record.to_le_bytes());
            out.extend([1, 0, 0, 0]);
        }
        out.extend(END.to_le_bytes());
        out.extend([0; 4]);
        let count = if self.long { [0xff; 2] } else { u16::try_from(count).unwrap().to_le_bytes() };
        out.extend([count, count].concat());
        out.extend((directory.len() as u32).to_le_bytes());
        out.extend(if self.long { u32::MAX } else { begins as u32 }.to_le_bytes());
        out.extend((self.comment.len() as u16).to_le_bytes());
        out.extend(self.comment);
        out
    }
}

fn on_disk(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn unpacked(bytes: &[u8]) -> Option<(String, Result<Vec<u8>, String>)> {
    let mut file = on_disk(bytes);
    let wrapped = only_file(&mut file).unwrap()?;
    let mut out = Vec::new();
    let done = wrapped.unpack(&mut file, |piece| {
        out.extend(piece);
        Ok(())
    });
    let out = match done {
        Ok(()) => Ok(out),
        Err(Damage::Wrong(why)) => Err(why),
        Err(other) => panic!("{other:?}"),
    };
    Some((String::from_utf8_lossy(&wrapped.name).into_owned(), out))
}

fn forms() -> Vec<Zip> {
    (0..16)
        .map(|nr| Zip {
            stored: nr & 1 != 0,
            long: nr & 2 != 0,
            says_utf8: nr & 4 != 0,
            comment: if nr & 8 == 0 { b"" } else { b"made by PK\x05\x06 somebody" },
            ..Zip::default()
        })
        .collect()
}

#[test]
fn the_one_file_of_a_zip_comes_out_of_every_form() {
    let long = (0..150_000_u32).flat_map(|n| (n / 7).to_le_bytes()).collect::<Vec<u8>>();
    for zip in forms() {
        for (name, wanted) in
            [("a", "a"), ("etc/app.yaml", "app.yaml"), ("C:\\x\\Größe.txt", "Größe.txt"), ("../../a", "a")]
        {
            for bytes in [&b""[..], b"x", &long] {
                let (found, out) = unpacked(&zip.of(&[(name, bytes)])).unwrap();
                assert_eq!((found.as_str(), out.as_deref()), (wanted, Ok(bytes)));
            }
        }
        let with_folders = zip.of(&[("etc/", b""), ("etc/nginx/", b""), ("etc/nginx/a", b"1")]);
        assert_eq!(unpacked(&with_folders), Some(("a".to_owned(), Ok(b"1".to_vec()))));
    }
}

#[test]
fn what_holds_no_file_or_several_is_none() {
    for zip in forms() {
        for files in [&[][..], &[("a/", &b""[..])], &[("a", &b"1"[..]), ("b", b"2")], &[("a", b""), ("b/c", b"")]] {
            assert_eq!(unpacked(&zip.of(files)), None, "{files:?}");
        }
        let many: Vec<(&str, &[u8])> = vec![("d/", b""); 64];
        assert_eq!(unpacked(&zip.of(&[&many[..], &[("a", b"1")]].concat())), None, "too many to be a wrapper");
    }
}

#[test]
fn every_part_of_a_zip_is_none_or_damaged() {
    for zip in forms() {
        let whole = zip.of(&[("d/", b""), ("d/a", b"some text, and some text, and some text")]);
        for end in 0..whole.len() {
            let bytes = whole.get(..end).unwrap();
            assert!(unpacked(bytes).is_none(), "{end} of {}", whole.len());
            assert!(is_cut(&mut on_disk(bytes)).unwrap(), "{end}");
        }
        assert!(!is_cut(&mut on_disk(&whole)).unwrap());
        // A byte that changed gives an error, or another name, or the same bytes: no other ones, and no panic.
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xff;
            if let Some((_, Ok(out))) = unpacked(&bytes) {
                assert_eq!(out, b"some text, and some text, and some text", "{at}");
            }
        }
    }
}

#[test]
fn what_does_not_come_out_right_is_said() {
    let text: &[u8] = b"some text, and some text";
    for (zip, words) in [
        (Zip { wrong_crc: true, ..Zip::default() }, "its checksum is not that of the bytes"),
        (Zip { wrong_crc: true, stored: true, ..Zip::default() }, "its checksum is not that of the bytes"),
        (Zip { wrong_size: true, ..Zip::default() }, "24 bytes come out of it, and it says 25"),
        (Zip { flags: ENCRYPTED, ..Zip::default() }, "it is encrypted"),
        (Zip { method: Some(9), ..Zip::default() }, "can't be unpacked here (9)"),
    ] {
        let (_, out) = unpacked(&zip.of(&[("a", text)])).unwrap();
        let why = out.unwrap_err();
        assert!(why.contains(words), "{why}");
    }
    // A bomb: it says one byte, and a million come.
    let mut bomb = Zip::default().of(&[("a", &[0; 1_000_000])]);
    let at = bomb.windows(4).rposition(|four| four == 1_000_000_u32.to_le_bytes()).unwrap();
    bomb[at..at + 4].copy_from_slice(&1_u32.to_le_bytes());
    let (_, out) = unpacked(&bomb).unwrap();
    assert!(out.unwrap_err().contains("more comes out of it than the 1 bytes"));
}
