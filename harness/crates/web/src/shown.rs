//! What handlers are given.

use tokio_util::sync::CancellationToken;

use crate::site::Site;

/// The site, and when its server ends.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) site: Site,
    pub(crate) stop: CancellationToken,
}
