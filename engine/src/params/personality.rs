//! Personalities: named sets of overrides.

use serde_json::Value as Json;

use super::Params;

/// Name and JSON text of each personality, `default` first.
pub const PERSONALITIES: &[(&str, &str)] = &[
    ("default", include_str!("../../personalities/default.json")),
    ("rebel", include_str!("../../personalities/rebel.json")),
    ("prodeo", include_str!("../../personalities/prodeo.json")),
    ("mediocre", include_str!("../../personalities/mediocre.json")),
    ("winglet", include_str!("../../personalities/winglet.json")),
];

/// There is no personality of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown personality '{name}' (there are: {known})")]
pub struct UnknownPersonality {
    /// As given.
    pub name: String,
    /// The names there are.
    pub known: String,
}

impl Params {
    /// What the engine plays by unless told otherwise: personality `default`. The table's own
    /// defaults, [`Params::default`], are what personalities differ from.
    #[must_use]
    pub fn standard() -> Params {
        Params::personality(PERSONALITIES[0].0).unwrap_or_default()
    }

    /// The parameters of a personality: the table's defaults with its overrides.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn personality(name: &str) -> Result<Params, UnknownPersonality> {
        let text = PERSONALITIES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        text.and_then(|text| overridden(text).ok()).ok_or_else(|| UnknownPersonality {
            name: name.to_owned(),
            known: PERSONALITIES.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", "),
        })
    }
}

/// The defaults with the overrides of a JSON object: `{"search.pvs": false, …}`.
fn overridden(text: &str) -> Result<Params, String> {
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut params = Params::default();
    for (name, value) in json.as_object().ok_or("expected an object")? {
        let value = match value {
            Json::Array(cells) => {
                cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
            }
            other => other.to_string(),
        };
        params.set(name, &value).map_err(|error| error.to_string())?;
    }
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_can_be_read() {
        for (name, text) in PERSONALITIES {
            assert_eq!(overridden(text), Ok(Params::personality(name).expect(name)));
        }
        assert_eq!(Params::personality("default"), Ok(Params::standard()));
        assert!(Params::personality("fritz").is_err());
    }

    #[test]
    fn rebel_is_the_page() {
        let rebel = Params::personality("rebel").expect("known");
        assert!(!rebel.search.pvs && !rebel.phase.taper && !rebel.order.history);
        let material = &rebel.material;
        assert_eq!(
            [material.pawn, material.knight, material.bishop, material.rook, material.queen],
            [256, 768, 768, 1280, 2304]
        );
        let aspiration = &rebel.aspiration;
        assert_eq!([aspiration.half_window, aspiration.reopen], [128, 512]);
        assert_eq!([aspiration.narrow_small, aspiration.narrow_big], [26, 64]);
    }
}
