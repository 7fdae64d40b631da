//! `verdict bisect`: a planted loss is found, whatever happens on the way.

mod found;
mod killed;
mod night;
mod place;
mod usage;
