//! Charts, tables and pages. Knows no chess and no runs.
//!
//! - [`svg`]: drawing; [`scale`]: axes.
//! - [`lines`], [`bars`], [`curve`], [`heat`]: charts.
//! - [`html`]: text and tables; [`figure`]: a chart with its caption and key; [`frame`]: the whole
//!   page.
//! - [`page`]: paragraphs and tables as Markdown or as text for terminals.
//! - [`numbers`]: numbers as people read them.

pub mod bars;
pub mod curve;
pub mod figure;
pub mod frame;
pub mod heat;
pub mod html;
pub mod lines;
pub mod numbers;
pub mod page;
pub mod scale;
pub mod svg;
