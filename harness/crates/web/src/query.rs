//! The query of an address, for values that need no decoding.

/// `name=value&name=value`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<'a>(pub(crate) &'a str);

impl<'a> Query<'a> {
    pub(crate) fn of(uri: &'a axum::http::Uri) -> Query<'a> {
        Query(uri.query().unwrap_or_default())
    }

    /// The first value with this name.
    pub(crate) fn get(self, name: &str) -> Option<&'a str> {
        let words = self.0.split('&').filter_map(|word| word.split_once('='));
        words.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    pub(crate) fn number(self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn values_are_found_by_their_names() {
        let query = Query("from=12&x&token=ab=c&from=3");
        assert_eq!(query.number("from"), Some(12));
        assert_eq!(
            (query.get("token"), query.get("x"), query.number("token")),
            (Some("ab=c"), None, None)
        );
        assert_eq!(Query("").get(""), None);
    }
}
