//! The least of PNG: an RGB picture, compressed.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// A picture of `width` × `height` pixels from rows of red, green and blue.
pub(super) fn encode(width: u32, height: u32, rgb: &[[u8; 3]]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(rgb.len() * 3 + height as usize);
    for row in rgb.chunks_exact(width as usize) {
        // No filter.
        lines.push(0);
        lines.extend(row.iter().flatten());
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = match encoder.write_all(&lines).and_then(|()| encoder.finish()) {
        Ok(packed) => packed,
        Err(error) => unreachable!("memory can be written to: {error}"),
    };
    let mut header = Vec::new();
    header.extend_from_slice(&width.to_be_bytes());
    header.extend_from_slice(&height.to_be_bytes());
    // Eight bits a colour, true colour, the only ways to compress and filter, not interlaced.
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", packed), (b"IEND", Vec::new())] {
        png.extend_from_slice(&(data.len() as u32).to_be_bytes());
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(&data);
        png.extend_from_slice(kind);
        png.extend_from_slice(&data);
        png.extend_from_slice(&crc.sum().to_be_bytes());
    }
    png
}
