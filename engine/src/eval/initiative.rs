//! STUB initiative

use super::context::Context;
use super::trace::{Sum, Trace};
use crate::types::ByColor;

pub(super) fn evaluate<T: Trace>(
    _cx: &Context<'_>,
    _sum: &mut Sum<'_, T>,
    _king_danger: &ByColor<i32>,
    _passed: &ByColor<i32>,
    _mobility: &ByColor<i32>,
) {
}
