//! Compressed files: recognised by their first bytes, decompressed as a stream, by several threads
//! where a file has parts that do not depend on each other.

mod bzip2_blocks;
mod bzip2_marks;
mod gzip;
mod pool;
#[cfg(test)]
mod tests;
mod whole;
mod zstd_frames;

use std::io::{self, Chain, Cursor, Read};
use std::num::NonZeroUsize;

/// Maximum window of a decompressor, in bytes: enough for `zstd --long=29` and every preset of xz.
const MAX_WINDOW: u64 = 512 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Bzip2,
    Zstd,
    Xz,
    /// `.zip`: an archive of files, not one stream.
    Zip,
}

impl Compression {
    /// How many first bytes [`Compression::of`] needs.
    pub const HEAD: u64 = 6;

    /// Recognises the format by the first bytes of a file.
    pub fn of(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Compression::Bzip2),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            [b'P', b'K', 3, 4, ..] => Some(Compression::Zip),
            _ => None,
        }
    }

    /// The usual file name extension.
    pub fn suffix(self) -> &'static str {
        match self {
            Compression::Gzip => ".gz",
            Compression::Bzip2 => ".bz2",
            Compression::Zstd => ".zst",
            Compression::Xz => ".xz",
            Compression::Zip => ".zip",
        }
    }

    /// Decompresses a file. Concatenated streams are read as one; a zip archive is an error.
    pub fn decompress<'a, R: Read + Send + 'a>(
        self,
        compressed: R,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(compressed)),
            Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(compressed)),
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::new(compressed)?;
                decoder.window_log_max(MAX_WINDOW.ilog2())?;
                Box::new(decoder)
            }
            Compression::Xz => {
                let flags = liblzma::stream::CONCATENATED;
                let stream = liblzma::stream::Stream::new_stream_decoder(MAX_WINDOW, flags)?;
                Box::new(liblzma::read::XzDecoder::new_stream(compressed, stream))
            }
            Compression::Zip => {
                return Err(io::Error::other("expected a stream, found an archive"));
            }
        })
    }

    /// The same text by up to `threads` threads besides the one that reads it: blocks of bzip2,
    /// gzip members with bgzip's lengths and zstd frames, each of at most 8 MiB packed; the rest is
    /// unpacked as it is read. The text, and at which byte an error comes, do not depend on the
    /// number of threads.
    pub fn decompress_on<'a, R: Read + Send + 'a>(
        self,
        threads: NonZeroUsize,
        compressed: R,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        let measure = match self {
            Compression::Gzip => gzip::measure,
            Compression::Zstd => zstd_frames::measure,
            Compression::Bzip2 => {
                return Ok(Box::new(bzip2_blocks::Blocks::new(threads, compressed)));
            }
            Compression::Xz | Compression::Zip => return self.decompress(compressed),
        };
        Ok(Box::new(whole::Whole::new(self, measure, threads, compressed)))
    }
}

/// The bytes already read, then the rest of the reader.
pub type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

/// Takes up to `len` bytes from the front of a reader; the second part reads them again.
pub fn peek<R: Read>(mut reader: R, len: u64) -> io::Result<(Vec<u8>, Peeked<R>)> {
    let mut head = Vec::new();
    reader.by_ref().take(len).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(reader)))
}

/// Refuses UTF-16, which begins with a byte order mark.
pub fn check_encoding(head: &[u8]) -> io::Result<()> {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Err(io::Error::other("UTF-16 text; expected ASCII, UTF-8 or Latin-1"));
    }
    Ok(())
}
