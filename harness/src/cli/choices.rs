//! Flags whose value is one of a few words.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use strum::{EnumMessage, IntoEnumIterator};

/// Reads a variant by its name; help lists all of them with their descriptions.
pub(super) fn one_of<T>() -> impl TypedValueParser<Value = T>
where
    T: IntoEnumIterator
        + EnumMessage
        + FromStr
        + Into<&'static str>
        + Clone
        + Send
        + Sync
        + 'static,
{
    let values = T::iter().map(|variant| {
        let help = variant.get_documentation().unwrap_or_default();
        PossibleValue::new(variant.into()).help(help)
    });
    // PossibleValuesParser has refused every other name.
    PossibleValuesParser::new(values.collect::<Vec<_>>())
        .try_map(|name| name.parse::<T>().map_err(|_| format!("expected a value, found {name}")))
}
