//! The terminal: status lines, and escaping of foreign text.

pub mod escape;
mod shell;
mod status;
mod window;

pub use shell::{shell_path, shell_word};
pub use status::{bounded, print_status, print_status_within};
pub use window::window_width;

/// Prints a line to standard error.
#[macro_export]
macro_rules! status {
    ($($words:tt)*) => {
        $crate::terminal::print_status(format_args!($($words)*))
    };
}
