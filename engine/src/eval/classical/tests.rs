//! Each family by position.
