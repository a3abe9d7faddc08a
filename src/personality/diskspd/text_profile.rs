//! The profile as text.

use super::profile::Profile;

/// What `-Rptext` prints.
pub(super) fn render(_profile: &Profile, command_line: &str) -> String {
    format!("\nCommand Line: {command_line}\n")
}
