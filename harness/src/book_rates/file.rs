//! `book_rates.json`: which books are rated, and in which folders.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use arena::plan::slug;
use arena::record::{FolderKind, Manifest};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RatedBook {
    /// As tables have it; different from the others'.
    pub name: String,
    /// Inside the folder of all.
    pub folder: String,
    /// The plan of its match.
    pub plan: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BookRatesFile {
    pub format: u32,
    /// The first one is what the others are compared with.
    pub books: Vec<RatedBook>,
}

impl BookRatesFile {
    /// Books of these names and plans.
    pub fn new(books: impl IntoIterator<Item = (String, Value)>) -> BookRatesFile {
        let book = |(number, (name, plan)): (usize, (String, Value))| {
            let folder = format!("{number:02}-{}", slug(&name));
            RatedBook { name, folder, plan }
        };
        let books = (1..).zip(books).map(book).collect();
        BookRatesFile { format: BookRatesFile::FORMAT, books }
    }

    /// The folders of its matches.
    pub fn runs(&self, dir: &Path) -> Vec<PathBuf> {
        self.books.iter().map(|book| dir.join(&book.folder)).collect()
    }
}

impl Manifest for BookRatesFile {
    const KIND: FolderKind = FolderKind::BookRates;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }

    fn check(&self) -> Result<(), String> {
        // Each is a folder in this one, whatever the file says.
        let is_inside = |book: &RatedBook| {
            let mut parts = Path::new(&book.folder).components();
            matches!(parts.next(), Some(std::path::Component::Normal(_))) && parts.next().is_none()
        };
        match !self.books.is_empty() && self.books.iter().all(is_inside) {
            true => Ok(()),
            false => Err("books, each with a folder of its own".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_inside() {
        let file = |folder: &str| {
            let book = RatedBook { name: "b".into(), folder: folder.into(), plan: Value::Null };
            BookRatesFile { format: 1, books: vec![book] }
        };
        assert!(file("01-b").check().is_ok());
        for folder in ["", "..", "/tmp", "a/b", "../a", "."] {
            assert!(file(folder).check().is_err(), "{folder:?}");
        }
        assert!(BookRatesFile { format: 1, books: Vec::new() }.check().is_err());
    }
}
