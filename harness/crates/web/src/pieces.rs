//! Drawings of the pieces, as SVG paths in a square of ten units.

use shakmaty::Role;

/// The outline.
pub(crate) fn outline(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "M5 1.9A1.4 1.4 0 0 1 5.9 4.4C6.7 5 7.1 6 7.2 7.2H2.8C2.9 6 3.3 5 4.1 4.4A1.4 1.4 0 0 1 5 1.9Z\
             M2.3 7.7H7.7V8.9H2.3Z"
        }
        Role::Knight => {
            "M2.9 7.2C2.9 5.8 3.9 5.1 4.6 4.2C4 4.6 3.3 4.8 2.6 5.3L1.9 4.5L3.3 2.6L3.5 1.1L4.4 1.9\
             C6.6 2 7.7 4.2 7.5 7.2ZM2 7.7H8V8.9H2Z"
        }
        Role::Bishop => {
            "M5 0.8A0.7 0.7 0 0 1 5.4 2.1C6.5 3 7.1 4 7.1 5C7.1 5.9 6.6 6.6 6 7.2H4C3.4 6.6 2.9 5.9 2.9 5\
             C2.9 4 3.5 3 4.6 2.1A0.7 0.7 0 0 1 5 0.8ZM2 7.7H8V8.9H2Z"
        }
        Role::Rook => {
            "M2.3 1.4H3.7V2.3H4.3V1.4H5.7V2.3H6.3V1.4H7.7V3.4L6.9 4.1V6.5L7.4 7.2H2.6L3.1 6.5V4.1L2.3 3.4Z\
             M2 7.7H8V8.9H2Z"
        }
        Role::Queen => {
            "M1.3 2.5L3.1 4.3L3.4 1.6L5 4L6.6 1.6L6.9 4.3L8.7 2.5L7.5 7.2H2.5ZM2 7.7H8V8.9H2Z"
        }
        Role::King => {
            "M4.6 0.6H5.4V1.3H6.1V2.1H5.4V3C7.2 2.4 8.7 3 8.7 4.6C8.7 5.6 8 6.5 7.3 7.2H2.7C2 6.5 1.3 5.6 1.3 4.6\
             C1.3 3 2.8 2.4 4.6 3V2.1H3.9V1.3H4.6ZM2 7.7H8V8.9H2Z"
        }
    }
}

/// Lines inside the outline.
pub(crate) fn lines(role: Role) -> &'static str {
    match role {
        Role::Pawn | Role::Rook => "",
        Role::Knight => "M4.1 3.1h0",
        Role::Bishop => "M5 3.7V5.5M4.1 4.5H5.9",
        Role::Queen => "M2.8 6.2H7.2",
        Role::King => "M5 3.9V6.2M3.2 6.4H6.8",
    }
}
