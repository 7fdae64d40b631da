//! The files that books are in: packed, in archives, named in any way, damaged.

use std::io::{Cursor, Write};

use pgn::{Book, BookError, BookFormat};
use sha2::{Digest, Sha256};

use super::openings_read::{AFTER_E4, INITIAL, openings, read};

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("missing.epd"), folder.path().to_owned()] {
        let error = Book::read(&path).unwrap_err();
        assert!(matches!(error, BookError::Read { .. }), "{error:?}");
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
    let half = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let lines = format!("{INITIAL}\n").repeat(5000);
    let damaged: [(&str, Vec<u8>); 4] = [
        ("book.epd.gz", half(gzip(&lines))),
        ("book.epd.zst", half(zstd::encode_all(lines.as_bytes(), 1).unwrap())),
        ("book.zip", half(zip(&[("book.epd", INITIAL)]))),
        ("book.epd", b"\xff\xfer\0n\0b\0".to_vec()),
    ];
    for (name, bytes) in damaged {
        let error = read(name, bytes).expect_err(name);
        assert!(matches!(error, BookError::Read { .. }), "{name}: {error:?}");
    }
}

#[test]
fn compressed_books() {
    let text = format!("{INITIAL}\n{AFTER_E4}\n");
    let two_members = [gzip(&format!("{INITIAL}\n")), gzip(&format!("{AFTER_E4}\n"))].concat();
    let zst = zstd::encode_all(text.as_bytes(), 3).unwrap();
    let joined = format!("{INITIAL}\n\u{feff}{AFTER_E4}\n");
    let books: [(&str, Vec<u8>); 12] = [
        ("joined.epd.gz", gzip(&joined)),
        ("joined.zip", zip(&[("book.epd", &joined)])),
        ("book.epd", text.clone().into_bytes()),
        ("book.fen", text.clone().into_bytes()),
        ("BOOK.EPD.GZ", gzip(&text)),
        ("book.epd.gz", two_members),
        ("book.fen.zst", zst.clone()),
        ("book", zst),
        ("book.epd.zip", zip(&[("book.epd", &text)])),
        ("book.zip", zip(&[("__MACOSX/._a.epd", "x"), ("a/", ""), ("a/a.epd", &text)])),
        ("book.zip", zip(&[("readme.txt", "hello"), ("Book.FEN", &text)])),
        ("book.zip", zip(&[("positions", &text)])),
    ];
    for (name, bytes) in books {
        let book = read(name, &bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(openings(&book), [INITIAL, AFTER_E4], "{name}");
        let sha256: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(book.sha256(), sha256, "{name}");
    }
}

#[test]
fn bytes_behind_a_compressed_stream_are_hashed_too() {
    // A zip archive whose text is read from its middle, and a book longer than any buffer.
    let long = format!("{INITIAL}\n").repeat(20_000);
    for (name, bytes) in
        [("book.epd.gz", gzip(&long)), ("book.zip", zip(&[("a.epd", &long), ("b", "x")]))]
    {
        let book = read(name, &bytes).unwrap();
        let sha256: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!((book.len(), book.sha256()), (20_000, sha256.as_str()), "{name}");
    }
}

#[test]
fn archives_need_one_book() {
    let cases: [(&[(&str, &str)], &str); 3] = [
        (&[("a.epd", INITIAL), ("b.pgn", "1. e4 *")], "found a.epd, b.pgn"),
        (&[("a.txt", INITIAL), ("b.txt", INITIAL)], "found none among 2 files"),
        (&[("folder/", "")], "found no file"),
    ];
    for (files, expected) in cases {
        let error = read("book.zip", zip(files)).unwrap_err();
        assert!(matches!(error, BookError::Archive { .. }), "{error:?}");
        assert!(error.to_string().ends_with(expected), "{error}");
    }
}

#[test]
fn the_text_tells_the_format_when_the_name_does_not() {
    let cases = [
        ("[Event \"x\"]\n\n1. e4 *\n", BookFormat::Pgn),
        ("\n{comment} 1. e4 *\n", BookFormat::Pgn),
        ("1. e4 *\n", BookFormat::Pgn),
        ("1.e4 *\n", BookFormat::Pgn),
        ("e4 e5\n", BookFormat::Pgn),
        ("\u{feff}e2-e4 e7-e5\n", BookFormat::Pgn),
        (INITIAL, BookFormat::Epd),
        ("# a book\n8/8/4k3/8/8/4K3/4P3/8 w - -\n", BookFormat::Epd),
    ];
    for (text, format) in cases {
        for name in ["book", "book.txt", "book.gz"] {
            assert_eq!(read(name, text).unwrap().format(), format, "{name}: {text}");
        }
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, text) in files {
        if name.ends_with('/') {
            archive.add_directory(*name, options).unwrap();
        } else {
            archive.start_file(*name, options).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
    }
    archive.finish().unwrap().into_inner()
}

/// A few bytes that unpack to more than a book has.
#[test]
fn polyglot_bombs_are_refused() {
    let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
    // Of weight 1: entries of weight 0 are not kept.
    let piece = [[0; 10].as_slice(), &[0, 1], &[0; 4]].concat().repeat((1 << 20) / 16);
    for _ in 0..257 {
        packed.write_all(&piece).unwrap();
    }
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 8 << 20, "{}", packed.len());
    let error = read("book.bin.zst", packed).unwrap_err().to_string();
    assert!(error.contains("at most 16777216 entries"), "{error}");
}
