//! The results.

use std::io;

use super::profile::Profile;
use crate::{report::Renderer, results::Results};

/// DiskSpd's own report.
pub(super) struct XmlReport {
    /// What was asked.
    pub(super) profile: Profile,
}

impl Renderer for XmlReport {
    fn render(&self, _results: &Results, out: &mut dyn io::Write) -> io::Result<()> {
        write!(out, "{} time spans", self.profile.spans.len())
    }
}
