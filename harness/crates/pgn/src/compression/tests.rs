//! Files of many parts give the same text, and errors at the same places, as one decompressor does,
//! whatever the number of threads.

use std::io::{self, Write as _};

use super::*;

const THREADS: [usize; 3] = [1, 2, 5];

/// What was read, and the error behind it.
fn read(mut text: impl Read) -> (Vec<u8>, Option<io::Error>) {
    let mut bytes = Vec::new();
    let error = text.read_to_end(&mut bytes).err();
    (bytes, error)
}

fn alone(compression: Compression, packed: &[u8]) -> (Vec<u8>, Option<io::Error>) {
    read(compression.decompress(packed).expect("a decoder"))
}

/// By any number of threads the same; returns it.
fn on_threads(compression: Compression, packed: &[u8]) -> (Vec<u8>, Option<io::Error>) {
    let mut results = THREADS.map(|threads| {
        let threads = NonZeroUsize::new(threads).expect("not 0");
        read(compression.decompress_on(threads, packed).expect("a decoder"))
    });
    let words = |error: &Option<io::Error>| error.as_ref().map(ToString::to_string);
    for (text, error) in &results[1..] {
        assert!(*text == results[0].0, "{} bytes, {} bytes", text.len(), results[0].0.len());
        assert_eq!(words(error), words(&results[0].1));
    }
    std::mem::take(&mut results[0])
}

/// Whole, and the same as one decompressor reads.
fn whole(compression: Compression, packed: &[u8], expected: &[u8]) {
    for (text, error) in [alone(compression, packed), on_threads(compression, packed)] {
        assert!(error.is_none(), "{compression:?}: {error:?}");
        assert!(text == expected, "{compression:?}: {} bytes", text.len());
    }
}

/// Text that packs to about a third.
fn games(bytes: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut state = 1u64;
    while text.len() < bytes {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        writeln!(text, "[Event \"{}\"]\n\n1. e4 e5 {} *\n", state >> 40, state >> 50)
            .expect("memory");
    }
    text.truncate(bytes);
    text
}

fn bzip2(text: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::new(level));
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

/// A member as bgzip makes it, whose text is at most 64 KiB.
fn bgzip_member(text: &[u8]) -> Vec<u8> {
    let header = flate2::GzBuilder::new().extra(b"BC\x02\0\0\0".to_vec());
    let mut encoder = header.write(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).expect("memory");
    let mut member = encoder.finish().expect("memory");
    let len = u16::try_from(member.len() - 1).expect("a short member");
    member[16..18].copy_from_slice(&len.to_le_bytes());
    member
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 3).expect("memory")
}

type Pack = fn(&[u8]) -> Vec<u8>;

const PACKERS: [(Compression, Pack); 5] = [
    (Compression::Bzip2, |text| bzip2(text, 1)),
    (Compression::Bzip2, |text| bzip2(text, 9)),
    (Compression::Gzip, bgzip_member),
    (Compression::Gzip, gzip),
    (Compression::Zstd, zstd),
];

fn parts(pack: Pack, text: &[u8], bytes: usize) -> Vec<Vec<u8>> {
    text.chunks(bytes).map(pack).collect()
}

#[test]
fn parts_of_any_size_are_one_text() {
    let text = games(3_000_000);
    for (compression, pack) in PACKERS {
        whole(compression, &parts(pack, &text, 60_000).concat(), &text);
        // A text that was cut into parts of a byte, and empty parts among them.
        let mut small = parts(pack, &text[..300], 1);
        (0..300).step_by(7).for_each(|at| small.insert(at, pack(b"")));
        whole(compression, &small.concat(), &text[..300]);
        whole(compression, &pack(b""), b"");
    }
}

#[test]
fn one_part_is_unpacked_as_well() {
    let text = games(5_000_000);
    for level in [1, 9] {
        whole(Compression::Bzip2, &bzip2(&text, level), &text);
    }
    whole(Compression::Gzip, &gzip(&text), &text);
    whole(Compression::Zstd, &zstd(&text), &text);
    // Some of known length, then one of unknown length, then more.
    let mixed = [bgzip_member(&text[..9]), gzip(&text[9..99]), bgzip_member(&text[99..200])];
    whole(Compression::Gzip, &mixed.concat(), &text[..200]);
}

/// Blocks of bzip2 may have far more text than their size, and frames than their bytes.
#[test]
fn long_parts_are_streamed() {
    let text = vec![b'\n'; 20 << 20];
    whole(Compression::Bzip2, &bzip2(&text, 9), &text);
    whole(Compression::Zstd, &zstd(&text), &text);
}

#[test]
fn frames_that_need_much_memory_are_unpacked_alone() {
    let text = games(100_000);
    let mut packed = Vec::new();
    for _ in 0..3 {
        let mut encoder = zstd::Encoder::new(&mut packed, 3).expect("an encoder");
        encoder.window_log(27).expect("a window");
        encoder.write_all(&text).expect("memory");
        encoder.finish().expect("memory");
        packed.extend_from_slice(b"\x5a\x2a\x4d\x18\x03\0\0\0abc");
    }
    whole(Compression::Zstd, &packed, &text.repeat(3));
}

/// The set of bytes that a block uses is in its head as bits; these bytes make marks there.
#[test]
fn marks_within_a_block_are_no_marks() {
    for mark in [bzip2_marks::BLOCK, bzip2_marks::END] {
        let bits = (0..48).filter(|bit| mark >> (47 - bit) & 1 != 0);
        let used: Vec<u8> = bits.map(|bit| bit as u8).collect();
        let text: Vec<u8> = used.iter().cycle().take(50_000).copied().collect();
        let packed = bzip2(&text, 9);
        let mut sections = bzip2_marks::Sections::new(packed.as_slice());
        let count = std::iter::from_fn(|| sections.next().expect("memory")).count();
        assert_eq!(count, 4, "no mark within the block");
        whole(Compression::Bzip2, &packed, &text);
        whole(Compression::Bzip2, &packed.repeat(9), &text.repeat(9));
    }
}

#[test]
fn files_that_were_cut_off_give_the_text_before() {
    let text = games(400_000);
    for (compression, pack) in PACKERS {
        let parts = parts(pack, &text, 60_000);
        let packed = parts.concat();
        let second = parts[0].len() + parts[1].len();
        let places = (6..60).chain(second - 30..second + 60).chain(packed.len() - 30..packed.len());
        for len in places.step_by(7) {
            let (expected, is_broken) = alone(compression, &packed[..len]);
            let (found, error) = on_threads(compression, &packed[..len]);
            assert!(text.starts_with(&found), "{compression:?}, {len}");
            assert_eq!(is_broken.is_some(), error.is_some(), "{compression:?}, {len}: {error:?}");
            assert!(found.len() >= expected.len(), "{compression:?}, {len}");
        }
    }
}

#[test]
fn broken_parts_are_found() {
    let text = games(400_000);
    for (compression, pack) in PACKERS {
        let parts = parts(pack, &text, 60_000);
        let before = parts[0].len() + parts[1].len();
        for at in (0..parts[2].len()).step_by(parts[2].len() / 20) {
            let mut packed = parts.concat();
            packed[before + at] ^= 0x10;
            let (expected, is_broken) = alone(compression, &packed);
            let (found, error) = on_threads(compression, &packed);
            assert_eq!(is_broken.is_some(), error.is_some(), "{compression:?}, {at}");
            if error.is_none() {
                assert!(found == expected, "{compression:?}, {at}");
            }
            assert!(found.len() >= 120_000, "{compression:?}, {at}: {}", found.len());
        }
    }
}

#[test]
fn what_follows_the_last_part_is_as_without_threads() {
    let text = games(100_000);
    for (compression, pack) in PACKERS {
        for garbage in [&b"\0"[..], b"garbage", &[0; 100], b"BZh9", b"BZ", &[0x1f, 0x8b]] {
            let packed = [pack(&text[..50_000]), pack(&text[50_000..]), garbage.to_vec()].concat();
            let (expected, is_broken) = alone(compression, &packed);
            let (found, error) = on_threads(compression, &packed);
            assert!(expected == text && found == text, "{compression:?} {garbage:?}");
            assert_eq!(is_broken.is_some(), error.is_some(), "{compression:?} {garbage:?}");
        }
    }
}

/// An error of the file itself comes behind the text before it.
#[test]
fn errors_of_reading_come_in_their_place() {
    struct Breaks;
    impl Read for Breaks {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk"))
        }
    }
    let text = games(300_000);
    for (compression, pack) in PACKERS {
        let packed = parts(pack, &text, 60_000).concat();
        let reader = packed.as_slice().chain(Breaks);
        let threads = NonZeroUsize::MIN;
        let (found, error) = read(compression.decompress_on(threads, reader).expect("a decoder"));
        assert!(text.starts_with(&found) && found.len() >= 240_000, "{compression:?}");
        assert_eq!(error.map(|e| e.to_string()).as_deref(), Some("the disk"), "{compression:?}");
    }
}
