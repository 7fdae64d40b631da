//! The papers' own names of parameters: REBEL's, as its personalities write them (PAR-01, PAR-02,
//! PAR-03), and the tables of ProDeo (PRO-19, PRO-25).
//!
//! Each name stands for rows of the table. [`Params::set`] takes these names, too; capitals and
//! blanks in them do not matter.

use super::{MaterialTable, OpeningKeys, ParamError, Params, place_of};

/// A name that the papers have for rows of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaperName {
    /// `[ChessKnowledge = 100]`: the margin of lazy evaluation; 500: no lazy evaluation (LAZ-10).
    ChessKnowledge,
    /// `[Selective Search = 0]`: null moves on all plies, static pruning on none (SEL-12).
    SelectiveSearch,
    /// `[Pruning = MISC_37]`: no PV extension (EXT-13).
    Pruning,
    /// `[M37_VAL = 2.00]`: the margin of the PV extension, pawns (EXT-13).
    M37Val,
    /// `[M37_COUNT = 3]`: how many pairs of hash moves the PV extension counts (EXT-13).
    M37Count,
    /// `[MIT = 3100]`: the material imbalance table within the program (PRO-25).
    Mit,
    /// `[Openings = 2600]`: the table of openings within the program (PRO-19).
    Openings,
}

/// The value of `[ChessKnowledge]` that means no lazy evaluation.
pub(crate) const NO_LAZY: i32 = 500;
/// The least and greatest value of `[Selective Search]`.
pub(crate) const SELECTIVE_RANGE: (i32, i32) = (0, 1);

/// The lazy margin of `[ChessKnowledge = 100]`, 1/256 pawn: 0.50.
const USUAL_MARGIN: i32 = 128;
/// The one value of `[Pruning]`.
const MISC_37: &str = "MISC_37";
/// 1/256 pawn.
const PAWN: f64 = 256.0;

impl PaperName {
    /// All of them, in the order of the papers.
    pub const ALL: [PaperName; 7] = [
        PaperName::ChessKnowledge,
        PaperName::SelectiveSearch,
        PaperName::Pruning,
        PaperName::M37Val,
        PaperName::M37Count,
        PaperName::Mit,
        PaperName::Openings,
    ];

    /// The name as the papers print it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PaperName::ChessKnowledge => "ChessKnowledge",
            PaperName::SelectiveSearch => "Selective Search",
            PaperName::Pruning => "Pruning",
            PaperName::M37Val => "M37_VAL",
            PaperName::M37Count => "M37_COUNT",
            PaperName::Mit => "MIT",
            PaperName::Openings => "Openings",
        }
    }

    /// What its values mean, in a few words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            PaperName::ChessKnowledge => {
                "lazy evaluation: hundredths of its margin of 0.50, 500: off"
            }
            PaperName::SelectiveSearch => {
                "0: null moves on all plies, 1: static pruning in the last plies"
            }
            PaperName::Pruning => "turn off PVS extension",
            PaperName::M37Val => "margin of the PVS extension, pawns",
            PaperName::M37Count => "counter of the PVS extension",
            PaperName::Mit => "material imbalance table, by the least rating of its games",
            PaperName::Openings => "table of openings, by the least rating of its games",
        }
    }

    /// The names that are its values, where its values are names.
    #[must_use]
    pub fn names(self) -> Option<&'static [&'static str]> {
        match self {
            PaperName::Mit => Some(MaterialTable::NAMES),
            PaperName::Openings => Some(OpeningKeys::NAMES),
            _ => None,
        }
    }

    /// The parameter of a name.
    #[must_use]
    pub fn of(name: &str) -> Option<PaperName> {
        let plain = |text: &str| text.split_whitespace().collect::<String>().to_ascii_lowercase();
        let wanted = plain(name);
        PaperName::ALL.into_iter().find(|paper| plain(paper.name()) == wanted)
    }

    /// The switch and the row of such a name.
    fn table_rows(self) -> Option<[&'static str; 2]> {
        match self {
            PaperName::Mit => Some(["imbalance.on", "imbalance.table"]),
            PaperName::Openings => Some(["opening.on", "opening.table"]),
            _ => None,
        }
    }

    /// The row that such a name stands for.
    #[must_use]
    pub fn table_row(self) -> Option<&'static str> {
        self.table_rows().map(|[_, row]| row)
    }

    /// The rows that a value stands for, each with its own value.
    ///
    /// # Errors
    /// A value that the name does not take.
    pub fn rows(self, value: &str) -> Result<Vec<(&'static str, String)>, ParamError> {
        let value = value.trim();
        let on = |row: &'static str, is_on: bool| (row, is_on.to_string());
        Ok(match self {
            PaperName::ChessKnowledge => match self.whole(value, 0, NO_LAZY)? {
                NO_LAZY => vec![on("lazy.on", false)],
                knowledge => {
                    vec![on("lazy.on", true), ("lazy.margin", lazy_margin(knowledge).to_string())]
                }
            },
            PaperName::SelectiveSearch => {
                let (min, max) = SELECTIVE_RANGE;
                match self.whole(value, min, max)? {
                    0 => vec![on("selective.full_null", true), on("selective.null_part", true)],
                    _ => vec![
                        on("selective.full_null", false),
                        on("selective.null_part", true),
                        on("selective.static_part", true),
                    ],
                }
            }
            PaperName::Pruning if value.eq_ignore_ascii_case(MISC_37) => {
                vec![on("pv_ext.on", false)]
            }
            PaperName::Pruning => return Err(self.refused(MISC_37, value)),
            PaperName::M37Val => {
                let (min, max) = row_range("pv_ext.margin")?;
                let margin = value.parse::<f64>().ok().map(|pawns| (pawns * PAWN).round());
                let range = f64::from(min)..=f64::from(max);
                let Some(margin) = margin.filter(|margin| range.contains(margin)) else {
                    let [min, max] = [min, max].map(|end| f64::from(end) / PAWN);
                    return Err(self.refused(&format!("{min:.2} to {max:.2} pawns"), value));
                };
                let margin = margin as i32;
                vec![on("pv_ext.margin_on", true), ("pv_ext.margin", margin.to_string())]
            }
            PaperName::M37Count => {
                let (min, max) = row_range("pv_ext.count")?;
                vec![("pv_ext.count", self.whole(value, min, max)?.to_string())]
            }
            PaperName::Mit | PaperName::Openings => self.table(value)?,
        })
    }

    /// The value that stands for what `params` has in the rows; `None` where no value does.
    #[must_use]
    pub fn value(self, params: &Params) -> Option<String> {
        let value = match self {
            PaperName::ChessKnowledge if !params.lazy.on => NO_LAZY.to_string(),
            PaperName::ChessKnowledge => {
                let hundred = f64::from(params.lazy.margin) * 100.0;
                let knowledge = (hundred / f64::from(USUAL_MARGIN)).round();
                (knowledge < f64::from(NO_LAZY)).then(|| knowledge.to_string())?
            }
            PaperName::SelectiveSearch => i32::from(!params.selective.full_null).to_string(),
            PaperName::Pruning => MISC_37.to_owned(),
            PaperName::M37Val => format!("{:.2}", f64::from(params.pv_ext.margin) / PAWN),
            PaperName::M37Count => params.pv_ext.count.to_string(),
            // Without a table there is nothing to say.
            PaperName::Mit if params.imbalance.table == MaterialTable::None => return None,
            PaperName::Mit => params.imbalance.table.name().to_owned(),
            PaperName::Openings if params.opening.table == OpeningKeys::None => return None,
            PaperName::Openings => params.opening.table.name().to_owned(),
        };
        let rows = self.rows(&value).ok()?;
        rows.iter().all(|(row, own)| params.get(row).as_ref() == Ok(own)).then_some(value)
    }

    /// The rows of a table of that name: it is used, unless there is none.
    fn table(self, value: &str) -> Result<Vec<(&'static str, String)>, ParamError> {
        let names = self.names().unwrap_or_default();
        let place = place_of(self.name(), names, value)?;
        let [on, table] = self.table_rows().unwrap_or_default();
        let table = (table, names.get(place).copied().unwrap_or_default().to_owned());
        Ok(if place == 0 { vec![table] } else { vec![(on, true.to_string()), table] })
    }

    fn whole(self, value: &str, min: i32, max: i32) -> Result<i32, ParamError> {
        let number: Option<i64> = value.parse().ok();
        let number = number.ok_or_else(|| self.refused("a whole number", value))?;
        i32::try_from(number).ok().filter(|number| (min..=max).contains(number)).ok_or_else(|| {
            let (name, value) = (self.name().to_owned(), value.to_owned());
            ParamError::Range { name, min, max, value }
        })
    }

    fn refused(self, wanted: &str, value: &str) -> ParamError {
        let (name, wanted) = (self.name().to_owned(), wanted.to_owned());
        ParamError::Value { name, wanted, value: value.to_owned() }
    }
}

/// The lazy margin of a value of `[ChessKnowledge]` below 500, 1/256 pawn, rounded to the nearest.
fn lazy_margin(knowledge: i32) -> i32 {
    (USUAL_MARGIN * knowledge + 50) / 100
}

/// Least and greatest value of a row.
fn row_range(row: &str) -> Result<(i32, i32), ParamError> {
    super::find(row).map(|(spec, _)| (spec.min, spec.max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Params {
        let mut params = Params::personality("rebel").expect("known");
        params.set(name, value).unwrap_or_else(|error| panic!("{error}"));
        params
    }

    /// LAZ-10: 100 is 0.50, 200 is 1.00, 400 is 2.00, 500 is no lazy evaluation.
    #[test]
    fn chess_knowledge_as_the_page_has_it() {
        for (value, margin) in [("100", 128), ("200", 256), ("400", 512), ("0", 0), ("66", 84)] {
            let params = set("chess knowledge", value);
            assert_eq!((params.lazy.on, params.lazy.margin), (true, margin), "{value}");
            assert_eq!(PaperName::ChessKnowledge.value(&params).as_deref(), Some(value));
        }
        let off = set("CHESSKNOWLEDGE", "500");
        assert!(!off.lazy.on && off.lazy.margin == 128, "the margin stays");
        // A margin between two values has none.
        assert_eq!(PaperName::ChessKnowledge.value(&set("lazy.margin", "85")), None);
        let again = {
            let mut params = off;
            params.set("ChessKnowledge", "100").expect("a value");
            params
        };
        assert_eq!(again, Params::personality("rebel").expect("known"));
    }

    #[test]
    fn the_others_as_the_pages_have_them() {
        let null = set("Selective Search", "0").selective;
        assert!(null.full_null && null.null_part);
        let mut winglet = Params::personality("winglet").expect("known");
        assert_eq!(PaperName::SelectiveSearch.value(&winglet), None, "no null moves at all");
        winglet.set("SelectiveSearch", "1").expect("a value");
        let both = &winglet.selective;
        assert!(!both.full_null && both.null_part && both.static_part);
        assert!(!set("Pruning", "misc_37").pv_ext.on);
        for (value, margin) in [("2.00", 512), ("1", 256), ("0.01", 3), ("10", 2560)] {
            assert_eq!(set("M37_VAL", value).pv_ext.margin, margin, "{value}");
        }
        assert_eq!(set("M37_COUNT", "3").pv_ext.count, 3);
        let mut prodeo = Params::personality("prodeo").expect("known");
        assert_eq!(PaperName::M37Val.value(&prodeo), None, "it has no margin");
        prodeo.set("m37_val", "2.00").expect("pawns");
        assert!(prodeo.pv_ext.margin_on);
        assert_eq!(PaperName::M37Val.value(&prodeo).as_deref(), Some("2.00"));
    }

    /// PRO-19, PRO-25: a table that is named is used, whatever the personality is.
    #[test]
    fn tables_by_name() {
        for (&name, &table) in MaterialTable::NAMES.iter().zip(MaterialTable::ALL) {
            let params = set("Mit", &name.to_ascii_uppercase());
            assert_eq!(params.imbalance.table, table);
            assert_eq!(params.imbalance.on, table != MaterialTable::None, "off in rebel");
            let told = (name != "none").then_some(name);
            assert_eq!(PaperName::Mit.value(&params).as_deref(), told);
        }
        let params = set("openings", "2600");
        assert!(params.opening.on && params.opening.table == OpeningKeys::From2600);
        assert_eq!(PaperName::Openings.value(&params).as_deref(), Some("2600"));
        let mut off = params;
        off.opening.on = false;
        assert_eq!(PaperName::Openings.value(&off), None, "it is not used");
    }

    #[test]
    fn what_they_do_not_take_is_told_and_changes_nothing() {
        let mut params = Params::default();
        for (name, value, told) in [
            ("ChessKnowledge", "501", "expected 0 to 500, found 501"),
            ("ChessKnowledge", "99999999999", "expected 0 to 500, found 99999999999"),
            ("ChessKnowledge", "much", "expected a whole number, found 'much'"),
            ("Selective Search", "2", "expected 0 to 1, found 2"),
            ("Pruning", "MISC_12", "expected MISC_37, found 'MISC_12'"),
            ("M37_VAL", "10.01", "expected 0.00 to 10.00 pawns, found '10.01'"),
            ("M37_VAL", "nan", "expected 0.00 to 10.00 pawns"),
            ("M37_VAL", "-1", "expected 0.00 to 10.00 pawns"),
            ("M37_COUNT", "17", "expected 1 to 16, found 17"),
            (
                "mit",
                "310",
                "'MIT': unknown name '310'; did you mean '3100'? (there are: none, all,",
            ),
            ("mit", "", "unknown name ''"),
            ("openings", "mine.keys", "there are: none, 2600"),
            ("imbalance.table", "al", "'imbalance.table': unknown name 'al'; did you mean 'all'?"),
            ("imbalance.table", "1", "unknown name '1'"),
            ("ChesKnowledge", "100", "did you mean 'ChessKnowledge'"),
            ("M37_COUNTER", "3", "did you mean 'M37_COUNT'"),
            ("Selectiv Search", "0", "did you mean 'Selective Search'"),
        ] {
            let error = params.set(name, value).expect_err(name).to_string();
            assert!(error.contains(told), "{name} = {value}: {error}");
        }
        assert_eq!(params, Params::default());
    }
}
