//! What comes, and what is made of it: the file, or an error, and no part left behind.

use super::super::unzip::tests::Zip;
use super::*;
use crate::zvm::model::FlrItemKind;
use std::ffi::OsStr;
use std::io::Cursor;

const TEXT: &[u8] = b"listen: 8080\nworkers: 4\n";

fn item(name: &str, size: Option<u64>) -> FlrItem {
    FlrItem {
        path: format!("partition#1 Ext4/etc/{name}"),
        kind: FlrItemKind::File,
        browsable: false,
        downloadable: true,
        remark: String::new(),
        size,
        modified: None,
    }
}

/// What is made of these bytes.
fn made(bytes: &[u8], length: Option<u64>, item: &FlrItem) -> Result<(Vec<u8>, Vec<String>), SaveError> {
    let folder = tempfile::tempdir().unwrap();
    let part = Part::beside(folder.path(), OsStr::new("app.yaml")).unwrap();
    let made = receive(&mut Cursor::new(bytes), length, item, part, &|_, _| true)
        .and_then(|came| finish(came, length, item, &|_, _| true))
        .map(|mut whole| {
            let mut out = Vec::new();
            whole.part.file().read_to_end(&mut out).unwrap();
            assert_eq!(whole.size, out.len() as u64);
            assert_eq!(whole.sha256, hex(Sha256::new_with_prefix(&out)));
            (out, whole.warnings)
        });
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a part stayed");
    made
}

fn size(bytes: &[u8]) -> Option<u64> {
    Some(bytes.len() as u64)
}

#[test]
fn the_file_as_it_is_and_in_every_wrapper() {
    let forms = [Zip::default(), Zip { stored: true, long: true, ..Zip::default() }];
    for content in [&b""[..], TEXT, &[7; 700_000]] {
        let file = item("app.yaml", size(content));
        assert_eq!(made(content, size(content), &file).unwrap(), (content.to_vec(), vec![]));
        assert_eq!(made(content, None, &file).unwrap(), (content.to_vec(), vec![]));
        for zip in &forms {
            for name in ["app.yaml", "partition#1 Ext4/etc/app.yaml"] {
                let wrapper = zip.of(&[(name, content)]);
                for (length, reported) in [(None, size(content)), (size(&wrapper), size(content)), (None, None)] {
                    let came = made(&wrapper, length, &item("app.yaml", reported));
                    assert_eq!(came.unwrap(), (content.to_vec(), vec![]), "{name}");
                }
            }
        }
    }
}

#[test]
fn a_file_that_is_a_zip_comes_back_as_it_is_wrapped_or_not() {
    for zip in [Zip::default(), Zip { stored: true, ..Zip::default() }] {
        for files in [
            &[("x", TEXT)][..],
            &[("a.zip", b"another one of the name")],
            &[],
            &[("x", b"1"), ("y", b"2")],
            &[("d/", b"")],
        ] {
            let archive = zip.of(files);
            let file = item("a.zip", size(&archive));
            assert_eq!(made(&archive, size(&archive), &file).unwrap().0, archive);
            let wrapper = Zip::default().of(&[("a.zip", &archive)]);
            assert_eq!(made(&wrapper, None, &file).unwrap().0, archive);
        }
        // Nothing but the length of the answer: the name decides.
        let archive = zip.of(&[("x", TEXT)]);
        assert_eq!(made(&archive, size(&archive), &item("a.zip", None)).unwrap().0, archive);
    }
    // A zip that is damaged is a file like any other.
    let mut archive = Zip::default().of(&[("a.zip", TEXT)]);
    archive.truncate(40);
    assert_eq!(made(&archive, None, &item("a.zip", size(&archive))).unwrap().0, archive);
}

#[test]
fn a_wrapper_as_long_as_its_file_is_still_a_wrapper() {
    // What it saves is what a zip adds: found by trying.
    let noise: Vec<u8> = (0..40_u8).flat_map(|nr| Sha256::new_with_prefix([nr]).finalize()).collect();
    let found = (100..400).find_map(|count| {
        let content = [&vec![b'x'; count], noise.as_slice()].concat();
        let wrapper = Zip::default().of(&[("app.yaml", &content)]);
        (wrapper.len() == content.len()).then_some((content, wrapper))
    });
    let (content, wrapper) = found.unwrap();
    assert_eq!(made(&wrapper, size(&wrapper), &item("app.yaml", size(&content))).unwrap().0, content);
}

#[test]
fn what_is_not_whole_is_an_error_that_says_why() {
    let wrapper = Zip::default().of(&[("app.yaml", TEXT)]);
    let damaged = Zip { wrong_crc: true, ..Zip::default() }.of(&[("app.yaml", TEXT)]);
    let other = Zip::default().of(&[("other.yaml", TEXT)]);
    let two = Zip::default().of(&[("app.yaml", TEXT), ("b", b"")]);
    let cut = wrapper.get(..60).unwrap();
    for (bytes, reported, words) in [
        (&TEXT[..10], size(TEXT), "lists it with 24 bytes, and 10 bytes have come"),
        (b"", size(TEXT), "and 0 bytes have come"),
        (&[TEXT, b"x"].concat(), size(TEXT), "longer than the 24 bytes"),
        (cut, size(TEXT), "and 60 bytes have come"),
        (cut, None, "begins as a zip does and has no end"),
        (&damaged, size(TEXT), "damaged: its checksum is not that of the bytes in it"),
        (&damaged, None, "damaged: its checksum"),
        (&other, size(TEXT), "a zip with \"other.yaml\" of 24 bytes in it has come"),
        (&wrapper, Some(25), "a zip with \"app.yaml\" of 24 bytes in it has come"),
        (&two, size(TEXT), "and 280 bytes have come"),
        (&[MAGIC, &vec![0; 1024 * 1024 + 100]].concat(), Some(24), "longer than the 24 bytes"),
    ] {
        let error = made(bytes, None, &item("app.yaml", reported)).unwrap_err();
        assert!(error.message.contains(words), "{words}: {error}");
        assert!(error.message.starts_with("\"partition#1 Ext4/etc/app.yaml\" did not come whole. "), "{error}");
        assert_eq!(error.exit_code(), 1);
    }
}

#[test]
fn a_name_in_a_code_page_that_nobody_knows_is_no_reason_to_refuse_the_file() {
    let wrapper = Zip::default().of(&[("Gr\u{f3}\u{e1}e.txt", TEXT)]);
    assert_eq!(made(&wrapper, None, &item("Größe.txt", size(TEXT))).unwrap().0, TEXT);
    assert!(made(&wrapper, None, &item("Groesse.txt", size(TEXT))).is_err());
    let says = Zip { says_utf8: true, ..Zip::default() }.of(&[("Gr\u{f3}\u{e1}e.txt", TEXT)]);
    assert!(made(&says, None, &item("Größe.txt", size(TEXT))).is_err());
}

#[test]
fn what_nobody_told_is_said() {
    let (bytes, warnings) = made(TEXT, None, &item("app.yaml", None)).unwrap();
    assert_eq!((bytes.as_slice(), warnings.len()), (TEXT, 1));
    assert!(warnings[0].contains("only the end of the connection tells"), "{warnings:?}");
    assert_eq!(made(TEXT, size(TEXT), &item("app.yaml", None)).unwrap().1, [""; 0]);
}

#[test]
fn bytes_are_told_as_they_come() {
    let told = std::cell::RefCell::new(Vec::new());
    let folder = tempfile::tempdir().unwrap();
    let part = Part::beside(folder.path(), OsStr::new("a")).unwrap();
    let content = vec![1; PIECE + 10];
    let file = item("a", size(&content));
    let watch = |count, whole| {
        told.borrow_mut().push((count, whole));
        true
    };
    receive(&mut Cursor::new(&content), None, &file, part, &watch).unwrap();
    let all = Some(content.len() as u64);
    assert_eq!(*told.borrow(), [(PIECE as u64, all), (PIECE as u64 + 10, all)]);
}

#[test]
fn what_is_told_to_stop_stops_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let part = || Part::beside(folder.path(), OsStr::new("a")).unwrap();
    let content = vec![1; 2 * PIECE];
    let wrapper = Zip::default().of(&[("a", &content)]);
    let file = item("a", size(&content));
    let error = receive(&mut Cursor::new(&content), None, &file, part(), &|count, _| count < 2).unwrap_err();
    assert_eq!(error.kind, SaveErrorKind::Stopped);
    let came = receive(&mut Cursor::new(&wrapper), None, &file, part(), &|_, _| true).unwrap();
    let error = finish(came, None, &file, &|count, _| count < PIECE as u64).unwrap_err();
    assert_eq!(error.kind, SaveErrorKind::Stopped);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn names_that_file_restore_may_refuse() {
    for (path, doubtful) in [
        ("partition#1 Ext4/etc/a b (1).csv", false),
        ("partition#0 NTFS/Größe – Übersicht.txt", false),
        ("p/a\\b", true),
        ("p/a*", true),
        ("p/a\nb", true),
    ] {
        assert_eq!(has_doubtful_name(path), doubtful, "{path}");
    }
}
