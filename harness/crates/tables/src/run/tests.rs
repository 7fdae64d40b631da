//! Packed files give the same counts as the text in them, by any number of threads.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use super::*;
use crate::input::list;

struct Silent;

impl Watcher for Silent {
    fn progress(&mut self, _: u64, _: u64) {}
    fn bad_game(&mut self, _: &Input, _: &BadGame) {}
}

/// What a run says of a text, apart from its name.
type Said = (MinedCounts, GameTally, InputInfo);

fn mined(path: &Path, threads: usize) -> Said {
    let inputs = list(&[path.to_owned()]).expect("a file of games");
    let plan = MinePlan {
        wants: CountSettings { mit: true, pst: true, ..CountSettings::usual() },
        filter: Filter::default(),
        threads: NonZeroUsize::new(threads).expect("not 0"),
        resolver: Resolver::Masks,
        scratch: Scratch::default(),
    };
    let Mined { counts, tally, read_state, complete, .. } =
        mine(&inputs, &plan, None, &AtomicBool::new(false), &mut Silent)
            .expect("no file is needed");
    assert!(complete);
    let [info] = read_state.inputs.try_into().expect("one text");
    (counts, tally, InputInfo { name: String::new(), ..info })
}

/// The same by any number of threads; returns it.
fn mined_on_threads(path: &Path) -> Said {
    let [one, two, five] = [1, 2, 5].map(|threads| mined(path, threads));
    assert!(one == two && one == five, "{path:?}: {:?}, {:?}, {:?}", one.2, two.2, five.2);
    one
}

fn games() -> Vec<u8> {
    let mut text = Vec::new();
    for number in 0..30_000 {
        let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
        let moves = ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1. d4 d5 2. c4 dxc4 3. Nf3", "1. e4 e9"];
        writeln!(
            text,
            "[Event \"{number}\"]\n[Result \"{result}\"]\n\n{} {result}\n",
            moves[number % 7 % 3]
        )
        .expect("memory");
    }
    text
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

/// A member as bgzip makes it.
fn bgzip_member(text: &[u8]) -> Vec<u8> {
    let header = flate2::GzBuilder::new().extra(b"BC\x02\0\0\0".to_vec());
    let mut encoder = header.write(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).expect("memory");
    let mut member = encoder.finish().expect("memory");
    let len = u16::try_from(member.len() - 1).expect("a short member");
    member[16..18].copy_from_slice(&len.to_le_bytes());
    member
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).expect("memory")
}

type Pack = fn(&[u8]) -> Vec<u8>;

const PACKERS: [(&str, Pack); 3] =
    [("games.pgn.bz2", bzip2), ("games.pgn.gz", bgzip_member), ("games.pgn.zst", zstd)];

#[test]
fn games_go_on_from_part_to_part() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = games();
    let plain = dir.path().join("games.pgn");
    fs::write(&plain, &text).expect("written");
    let expected = mined_on_threads(&plain);
    assert_eq!(expected.2.games, 30_000);
    for (name, pack) in PACKERS {
        let path = dir.path().join(name);
        for bytes in [9_973, 60_000] {
            let parts: Vec<_> = text.chunks(bytes).map(pack).collect();
            fs::write(&path, parts.concat()).expect("written");
            assert!(mined_on_threads(&path) == expected, "{name}, parts of {bytes}");
        }
    }
}

#[test]
fn broken_parts_end_a_text_at_the_same_byte() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = games();
    for (name, pack) in PACKERS {
        let path = dir.path().join(name);
        let mut parts: Vec<_> = text.chunks(60_000).map(pack).collect();
        let whole = parts.concat();
        let len = parts[20].len();
        parts[20][len / 2] ^= 1;
        let cut_off = &whole[..whole.len() * 2 / 3];
        for packed in [parts.concat().as_slice(), cut_off] {
            fs::write(&path, packed).expect("written");
            let (_, _, info) = mined_on_threads(&path);
            let broken = info.broken.expect("an error");
            assert!(broken.contains(&format!("beyond byte {}", info.bytes)), "{name}: {broken}");
            assert!((1_200_000..2_000_000).contains(&info.bytes), "{name}: {broken}");
        }
    }
}
