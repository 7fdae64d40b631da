//! `--web`: the live page of a match.

#[cfg(not(feature = "web"))]
mod absent;
#[cfg(feature = "web")]
mod page;

#[cfg(not(feature = "web"))]
pub(super) use absent::Page;
#[cfg(feature = "web")]
pub(super) use page::Page;

use clap::Args;
use process::Error;

#[derive(Debug, Clone, Args)]
pub(super) struct WebFlags {
    /// Show the match live in a browser, at this address of this machine [default: 127.0.0.1:8080]. Port 0
    /// takes any free port. At an address that other machines reach, such as 0.0.0.0:8080, the page needs a
    /// token, which is printed.
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, help_heading = "Output")]
    web: Option<Option<String>>,
}

impl WebFlags {
    pub(super) fn is_given(&self) -> bool {
        self.web.is_some()
    }

    /// Binds the address, before anything is played.
    pub(super) fn open(&self) -> Result<Option<Page>, Error> {
        self.web.as_ref().map(|address| Page::open(address.as_deref())).transpose()
    }
}
