//! Files in the broker's object store, in NATS's own layout: a record for each file, and its
//! contents in pieces.
//!
//! Workers read them by direct gets. A consumer would let them choose a subject to which the server
//! sends.

use std::fs::File;
use std::io::{Read as _, Write};
use std::path::Path;

use process::{Error, random};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use wire::names::{FILES_BUCKET, FileHash, OBJ_FILES};

use crate::link::{Link, Told};

/// Bytes in a piece.
const PIECE: usize = 512 << 10;
/// Largest file in bytes.
pub(crate) const MOST: u64 = 512 << 20;

/// Record of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ObjectRecord {
    name: String,
    bucket: String,
    /// Identifies its pieces, so that two uploads of one file do not mix.
    nuid: String,
    size: u64,
    chunks: u64,
    digest: String,
    mtime: String,
    #[serde(default)]
    options: ObjectOptions,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ObjectOptions {
    #[serde(default)]
    max_chunk_size: u64,
}

fn record_subject(file: &FileHash) -> String {
    let name = data_encoding::BASE64URL.encode(file.as_str().as_bytes());
    format!("$O.{FILES_BUCKET}.M.{name}")
}

fn pieces_subject(nuid: &str) -> String {
    format!("$O.{FILES_BUCKET}.C.{nuid}")
}

async fn record(link: &Link, file: &FileHash) -> Result<Option<ObjectRecord>, Told> {
    let found = link.last(OBJ_FILES, &record_subject(file)).await?;
    // An unreadable record counts as missing.
    Ok(found.and_then(|(_, body)| serde_json::from_slice(&body).ok()))
}

pub(super) async fn is_there(link: &Link, file: &FileHash) -> Result<bool, Told> {
    Ok(record(link, file).await?.is_some())
}

/// Stores a file unless it is there.
pub(crate) async fn put(link: &Link, hash: &FileHash, path: &Path) -> Result<(), Error> {
    if is_there(link, hash).await? {
        return Ok(());
    }
    let mut file = File::open(path).map_err(Error::io(path, "read"))?;
    let nuid = hex::encode(random::secret()?);
    let (mut size, mut chunks, mut digest) = (0, 0, Sha256::new());
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        (&mut file).take(PIECE as u64).read_to_end(&mut piece).map_err(Error::io(path, "read"))?;
        if piece.is_empty() {
            break;
        }
        size += piece.len() as u64;
        chunks += 1;
        digest.update(&piece);
        link.store(pieces_subject(&nuid), None, piece).await?;
    }
    let digest = digest.finalize();
    if hex::encode(digest) != hash.as_str() {
        link.purge(OBJ_FILES, &pieces_subject(&nuid)).await?;
        return Err(Error::input_output(format!(
            "{} has changed since the run was prepared; expected it to stay as it was",
            path.display()
        )));
    }
    let record = ObjectRecord {
        name: hash.to_string(),
        bucket: FILES_BUCKET.to_owned(),
        nuid,
        size,
        chunks,
        digest: format!("SHA-256={}", data_encoding::BASE64URL.encode(&digest)),
        mtime: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        options: ObjectOptions { max_chunk_size: PIECE as u64 },
    };
    let record = serde_json::to_vec(&record).map_err(Error::fault)?;
    link.purge(OBJ_FILES, &record_subject(hash)).await?;
    link.store(record_subject(hash), None, record).await?;
    Ok(())
}

/// Writes the contents of a file to `to`. The error says what is wrong.
pub(crate) async fn get(
    link: &Link,
    hash: &FileHash,
    bytes: u64,
    to: &mut impl Write,
) -> Result<(), Error> {
    let missing = |why: String| Error::input_output(why);
    let record = record(link, hash).await?;
    let record = record.ok_or_else(|| missing("the broker does not have it".to_owned()))?;
    if record.size != bytes || bytes > MOST {
        return Err(missing(format!("it has {} bytes, expected {bytes}", record.size)));
    }
    let subject = pieces_subject(&record.nuid);
    let (mut from, mut left, mut digest) = (1, bytes, Sha256::new());
    while left > 0 {
        let next = link.next(OBJ_FILES, &subject, from).await?;
        let Some((number, _, piece)) = next else {
            return Err(missing(format!("{left} of its {bytes} bytes are missing")));
        };
        from = number + 1;
        left = left
            .checked_sub(piece.len() as u64)
            .filter(|_| !piece.is_empty())
            .ok_or_else(|| missing(format!("more than its {bytes} bytes came")))?;
        digest.update(&piece);
        to.write_all(&piece)?;
    }
    let found = hex::encode(digest.finalize());
    match found == hash.as_str() {
        true => Ok(()),
        false => Err(missing(format!("its content has another hash, {found}"))),
    }
}

/// All files, with the time of upload by the uploader's clock.
pub(crate) async fn all(link: &Link) -> Result<Vec<(FileHash, jiff::Timestamp)>, Told> {
    let subject = format!("$O.{FILES_BUCKET}.M.*");
    let mut found = Vec::new();
    for body in link.all(OBJ_FILES, &subject).await? {
        let Ok(record) = serde_json::from_slice::<ObjectRecord>(&body) else { continue };
        if let (Ok(hash), Ok(time)) = (record.name.parse(), record.mtime.parse()) {
            found.push((hash, time));
        }
    }
    Ok(found)
}

/// Removes a file.
pub(crate) async fn remove(link: &Link, file: &FileHash) -> Result<(), Told> {
    let pieces = record(link, file).await?;
    link.purge(OBJ_FILES, &record_subject(file)).await?;
    match pieces {
        Some(record) if record.nuid.bytes().all(|c| c.is_ascii_alphanumeric()) => {
            link.purge(OBJ_FILES, &pieces_subject(&record.nuid)).await
        }
        _ => Ok(()),
    }
}
