//! A measurement of a claim, how far it is, and which of them are asked for.

use std::path::Path;

use super::file::{Claim, MeasureKind};

/// What of the file is asked for; empty lists ask for all.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Claims whose ids begin so.
    pub only: Vec<String>,
    pub personalities: Vec<String>,
    pub measures: Vec<MeasureKind>,
}

/// One measurement of one claim.
#[derive(Debug, Clone, Copy)]
pub struct Measurement<'a> {
    pub claim: &'a Claim,
    pub personality: &'a str,
    pub measure: MeasureKind,
}

impl<'a> Measurement<'a> {
    /// The match of which it is more.
    pub(super) fn first(self) -> Measurement<'a> {
        Measurement { measure: MeasureKind::Match, ..self }
    }

    /// What it goes on with, if it is a match.
    pub(super) fn more(self) -> Measurement<'a> {
        Measurement { measure: MeasureKind::More, ..self }
    }

    /// The name of its folder.
    pub fn name(&self) -> String {
        format!("{}-{}-{}", self.claim.id, self.personality, self.measure)
    }

    /// The book of its match, where it is not there.
    pub fn missing_book(&self) -> Option<&Path> {
        let elo = self.claim.elo.as_ref().filter(|_| self.measure.is_match())?;
        elo.openings.as_deref().filter(|book| !book.is_file())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum MeasurementState {
    /// Nothing is there, or the beginning.
    #[strum(to_string = "to do")]
    ToDo,
    Done,
    /// Both players search alike: a match would say nothing.
    Alike,
    /// What is there was measured with another engine, other parameters or other conditions.
    Stale,
    /// More pairs of a match that did not leave its claim unclear, or not yet.
    #[strum(to_string = "not needed")]
    NotNeeded,
}

impl MeasurementState {
    pub fn is_done(self) -> bool {
        use MeasurementState::{Alike, Done, NotNeeded};
        matches!(self, Done | Alike | NotNeeded)
    }
}
