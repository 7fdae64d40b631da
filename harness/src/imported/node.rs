//! Values of a JSON file, each with the keys that lead to it: an error names them.

use process::Error;
use serde_json::Value;

/// Counts beyond this are no games that anyone has played, and would overflow sums.
const MOST: u64 = 1 << 40;

#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    pub(super) value: &'a Value,
    path: String,
}

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Node<'a> {
        Node { value, path: String::new() }
    }

    /// The value of a key, if it is there and not null.
    pub(super) fn find(&self, key: &str) -> Option<Node<'a>> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        let path =
            if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Some(Node { value, path })
    }

    pub(super) fn get(&self, key: &str) -> Result<Node<'a>, Error> {
        self.find(key).ok_or_else(|| {
            let keys: Vec<&str> =
                self.value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
            let near = keys
                .iter()
                .max_by(|a, b| likeness(a, key).total_cmp(&likeness(b, key)))
                .filter(|near| likeness(near, key) >= 0.6);
            let near = near.map_or(String::new(), |near| format!(", found '{near}'"));
            let place =
                if self.path.is_empty() { String::new() } else { format!("key {}: ", self.path) };
            Error::input_output(format!("{place}expected a key '{key}'{near}"))
        })
    }

    pub(super) fn wrong(&self, expected: &str) -> Error {
        let mut found = self.value.to_string();
        if found.chars().count() > 60 {
            found = found.chars().take(60).collect::<String>() + "…";
        }
        let place =
            if self.path.is_empty() { String::new() } else { format!("key {}: ", self.path) };
        Error::input_output(format!("{place}expected {expected}, found {found}"))
    }

    pub(super) fn count(&self) -> Result<u64, Error> {
        let count = self.value.as_u64().filter(|count| *count <= MOST);
        count.ok_or_else(|| self.wrong("a number of games or pairs"))
    }

    pub(super) fn number(&self) -> Result<f64, Error> {
        self.value.as_f64().ok_or_else(|| self.wrong("a number"))
    }

    pub(super) fn text(&self) -> Result<&'a str, Error> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    /// The elements of a list.
    pub(super) fn list(&self) -> Result<Vec<Node<'a>>, Error> {
        let list = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let nodes = list.iter().zip(0..);
        Ok(nodes.map(|(value, at)| Node { value, path: format!("{}[{at}]", self.path) }).collect())
    }

    /// The keys and values of an object.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Node<'a>)>, Error> {
        let object = self.value.as_object().ok_or_else(|| self.wrong("an object"))?;
        let entries = object.iter().map(|(key, value)| {
            let path =
                if self.path.is_empty() { key.clone() } else { format!("{}.{key}", self.path) };
            (key.as_str(), Node { value, path })
        });
        Ok(entries.collect())
    }

    /// So many counts.
    pub(super) fn counts<const N: usize>(&self) -> Result<[u64; N], Error> {
        let counts = self.list()?.iter().map(Node::count).collect::<Result<Vec<u64>, _>>()?;
        counts.try_into().map_err(|_| self.wrong(&format!("a list of {N} numbers")))
    }

    /// The text of a key; nothing where there is none.
    pub(super) fn text_of(&self, key: &str) -> Result<&'a str, Error> {
        self.find(key).map_or(Ok(""), |node| node.text())
    }

    pub(super) fn number_of(&self, key: &str) -> Result<Option<f64>, Error> {
        self.find(key).map(|node| node.number()).transpose()
    }

    /// The count of a key; 0 where there is none.
    pub(super) fn count_of(&self, key: &str) -> Result<u64, Error> {
        self.find(key).map_or(Ok(0), |node| node.count())
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        self.find(key).is_some_and(|node| node.value.as_bool() == Some(true))
    }

    pub(super) fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.value.get(key).is_some())
    }
}

fn likeness(one: &str, other: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(one, other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_name_the_keys() {
        let value = json!({"a": {"counts": [1, -2], "wims": 3}, "b": u64::MAX});
        let root = Node::root(&value);
        for (told, error) in [
            (
                "a.counts[1]",
                root.get("a").unwrap().get("counts").unwrap().counts::<2>().unwrap_err(),
            ),
            ("a.counts", root.get("a").unwrap().get("counts").unwrap().counts::<3>().unwrap_err()),
            ("found 'wims'", root.get("a").unwrap().get("wins").unwrap_err()),
            ("key b", root.get("b").unwrap().count().unwrap_err()),
        ] {
            assert!(error.to_string().contains(told), "{error}");
            assert_eq!(error.kind(), process::ErrorKind::InputOutput);
        }
        assert_eq!(root.count_of("c").unwrap(), 0);
    }
}
