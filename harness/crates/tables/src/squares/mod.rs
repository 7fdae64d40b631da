//! Piece-square tables from counts (PRO-21), and everything they are written as.
//!
//! [`SquareTables`] holds numbers for six roles and two phases, from White's side; Black's are the
//! same with the board turned upside down. They come from how often men stood where ([`occupancy`])
//! or from what standing there was worth ([`fit`]).

pub mod fit;
pub mod occupancy;
mod picture;
mod source;

use serde_json::{Map, Value, json};

use super::count::pst::Phase;
pub use picture::{heat_map_html, heat_map_png, heat_map_svg};
pub use source::{c_source, pst_txt, rust_source};

/// Names of the roles, as the engine's parameters have them.
pub const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// A number for each role on each square in each phase, White's view, a1 = 0 to h8 = 63.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SquareTables {
    /// What the numbers mean, for people.
    pub meaning: String,
    values: [[[i32; 64]; 6]; 2],
}

impl SquareTables {
    /// Numbers by phase, role (0 pawn to 5 king) and square.
    pub(super) fn new(meaning: String, value: impl Fn(Phase, usize, usize) -> i32) -> SquareTables {
        let values = Phase::ALL.map(|phase| {
            std::array::from_fn(|role| std::array::from_fn(|square| value(phase, role, square)))
        });
        SquareTables { meaning, values }
    }

    /// A role's table in a phase. Panics when there is no such role.
    pub fn table(&self, phase: Phase, role: usize) -> &[i32; 64] {
        &self.values[phase as usize][role]
    }

    /// A personality with the engine's twelve evaluation tables (MISS-18), 1/256 pawn.
    pub fn evaluation_parameters(&self) -> Value {
        Value::Object(self.both_phases("pst"))
    }

    /// A personality that reduces and prunes late moves by twelve such tables, 1/256 pawn.
    pub fn decision_parameters(&self) -> Value {
        let mut object = self.both_phases("move_squares");
        for switch in ["reduce", "prune"] {
            object.insert(format!("move_squares.{switch}"), Value::Bool(true));
        }
        Value::Object(object)
    }

    fn both_phases(&self, group: &str) -> Map<String, Value> {
        let mut object = Map::new();
        for (phase, suffix) in Phase::ALL.into_iter().zip(["mg", "eg"]) {
            for (role, name) in ROLES.iter().enumerate() {
                let table = self.table(phase, role).map(|value| value.clamp(-1024, 1024));
                object.insert(format!("{group}.{name}_{suffix}"), json!(table.as_slice()));
            }
        }
        object
    }

    /// A personality with the engine's six ordering tables (MISS-08), of the middle game.
    pub fn ordering_parameters(&self) -> Value {
        let mut object = Map::new();
        for (role, name) in ROLES.iter().enumerate() {
            let table = self.table(Phase::Middlegame, role).map(|value| value.clamp(-64, 63));
            object.insert(format!("order.{name}"), json!(table.as_slice()));
        }
        object.insert("order.pst".to_owned(), Value::Bool(true));
        Value::Object(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn sample() -> SquareTables {
        SquareTables::new("square numbers".to_owned(), |phase, role, square| {
            (phase as i32 * 100 + role as i32 * 10) - square as i32
        })
    }

    /// The engine knows all names and takes all numbers.
    #[test]
    fn parameters_can_be_loaded() {
        let dir = tempfile::tempdir().expect("a folder");
        for (file, json) in [
            ("evaluation.json", sample().evaluation_parameters()),
            ("ordering.json", sample().ordering_parameters()),
            ("decisions.json", sample().decision_parameters()),
        ] {
            let path = dir.path().join(file);
            std::fs::write(&path, json.to_string()).expect("written");
            let params = engine::Params::load(&path.display().to_string()).expect(file);
            assert_ne!(params, engine::Params::default());
        }
    }
}
