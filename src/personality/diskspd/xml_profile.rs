//! The profile as XML.

use super::profile::Profile;

/// What `-Rpxml` prints.
pub(super) fn render(_profile: &Profile) -> String {
    "<Profile>\n</Profile>\n".to_owned()
}
