//! Compression by zstd with limits: a message from another machine may be a decompression bomb.

use std::io::Read as _;

use super::{Message, Refused, decode, encode, unsent, within};
use process::Error;

const LEVEL: i32 = 3;
/// Largest window that the decoder accepts, as a power of 2: 8 MiB.
const WINDOW_LOG: u32 = 23;
/// How much shorter a message usually gets.
const USUAL: usize = 8;
/// Most bytes of a packed message; the broker takes 1 MiB.
pub(super) const MOST_PACKED: usize = 900 << 10;
/// Most bytes of an unpacked message.
pub(super) const MOST_UNPACKED: usize = 8 << 20;

/// Encodes and compresses a message.
pub(super) fn pack<T: Message>(message: &T) -> Result<Vec<u8>, Error> {
    let packed = pack_bytes(&encode(message)?)?;
    within(packed.len(), MOST_PACKED).map_err(|refused| unsent::<T>(refused.to_string()))?;
    Ok(packed)
}

pub(super) fn pack_bytes(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    Ok(zstd::encode_all(bytes, LEVEL)?)
}

/// The inverse of [`pack`].
pub(super) fn unpack<T: Message>(packed: &[u8]) -> Result<T, Refused> {
    within(packed.len(), MOST_PACKED)?;
    decode(&unpack_bytes(packed, T::MOST)?)
}

/// Decompresses at most `most` bytes.
pub(super) fn unpack_bytes(packed: &[u8], most: usize) -> Result<Vec<u8>, Refused> {
    let damaged = |error: std::io::Error| Refused::Packing(error.to_string());
    let mut decoder = zstd::Decoder::new(packed).map_err(damaged)?;
    decoder.window_log_max(WINDOW_LOG).map_err(damaged)?;
    let mut bytes = Vec::with_capacity(most.min(USUAL * packed.len()));
    let read = decoder.take(most as u64 + 1).read_to_end(&mut bytes).map_err(damaged)?;
    if read > most { Err(Refused::Bomb(most)) } else { Ok(bytes) }
}
