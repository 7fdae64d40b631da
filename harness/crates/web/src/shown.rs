//! State that handlers share.

use tokio_util::sync::CancellationToken;

use crate::site::Site;

/// The site, and the end of its server.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) site: Site,
    pub(crate) stop: CancellationToken,
}
