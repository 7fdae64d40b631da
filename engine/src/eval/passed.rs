//! STUB passed

use super::context::Context;
use super::trace::{Sum, Trace};
use crate::types::ByColor;

pub(super) fn evaluate<T: Trace>(_cx: &Context<'_>, _sum: &mut Sum<'_, T>) -> ByColor<i32> {
    ByColor::default()
}
