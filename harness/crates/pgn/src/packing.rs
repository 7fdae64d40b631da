//! Compressed files: told by their first bytes, unpacked as a stream.

use std::io::{self, Chain, Cursor, Read};

/// The most bytes that a decompressor may ask for, however small the file: as much as `zstd
/// --long=29` needs, and more than any preset of xz.
const MOST_WINDOW: u64 = 512 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Gzip,
    Bzip2,
    Zstd,
    Xz,
    /// `.zip`: an archive of files, not one stream.
    Zip,
}

impl Packing {
    /// Bytes that are enough for [`Packing::of`].
    pub const HEAD: u64 = 6;

    /// As the first bytes of a file say.
    pub fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1f, 0x8b, ..] => Some(Packing::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Packing::Bzip2),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Packing::Zstd),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packing::Xz),
            [b'P', b'K', 3, 4, ..] => Some(Packing::Zip),
            _ => None,
        }
    }

    /// What it adds to a file's name.
    pub fn suffix(self) -> &'static str {
        match self {
            Packing::Gzip => ".gz",
            Packing::Bzip2 => ".bz2",
            Packing::Zstd => ".zst",
            Packing::Xz => ".xz",
            Packing::Zip => ".zip",
        }
    }

    /// What the file holds. Streams that follow each other in one file are read as one; an archive
    /// is an error.
    pub fn unpack<'a, R: Read + Send + 'a>(
        self,
        packed: R,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(packed)),
            Packing::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(packed)),
            Packing::Zstd => {
                let mut decoder = zstd::Decoder::new(packed)?;
                decoder.window_log_max(MOST_WINDOW.ilog2())?;
                Box::new(decoder)
            }
            Packing::Xz => {
                let flags = liblzma::stream::CONCATENATED;
                let stream = liblzma::stream::Stream::new_stream_decoder(MOST_WINDOW, flags)?;
                Box::new(liblzma::read::XzDecoder::new_stream(packed, stream))
            }
            Packing::Zip => return Err(io::Error::other("expected a stream, found an archive")),
        })
    }
}

/// A reader behind the bytes already taken from it.
pub type Again<R> = Chain<Cursor<Vec<u8>>, R>;

/// Takes up to `len` bytes from the front of a reader; the second part reads them again.
pub fn peek<R: Read>(mut reader: R, len: u64) -> io::Result<(Vec<u8>, Again<R>)> {
    let mut head = Vec::new();
    reader.by_ref().take(len).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(reader)))
}

/// What is wrong with a text that begins so, if it is in an encoding that nobody here reads.
pub fn check_encoding(head: &[u8]) -> io::Result<()> {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Err(io::Error::other("UTF-16 text; expected ASCII, UTF-8 or Latin-1"));
    }
    Ok(())
}
