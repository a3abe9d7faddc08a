//! What differs between the text reports of DiskSpd's versions. A script keeps its parser by asking
//! for the version that it was written for (`IOGAUGE_DISKSPD`).
//!
//! Only the wording changes: what 2.2 can say and an older version could not is said in the words
//! of 2.2.

use crate::{personality::DiskSpdVersion, units::ByteSize};

/// The wording of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Form(pub(crate) DiskSpdVersion);

impl Form {
    /// 2.0 in the state of 2015.
    pub(super) fn is_2_0(self) -> bool {
        self.0 == DiskSpdVersion::V2_0
    }

    /// Before the machine's topology: 2.0 and 2.1.
    pub(super) fn is_before_2_2(self) -> bool {
        self.0 < DiskSpdVersion::V2_2
    }

    /// A size among the parameters: 2.0 has bytes.
    pub(super) fn size(self, bytes: u64) -> String {
        if self.is_2_0() {
            bytes.to_string()
        } else {
            ByteSize(bytes).to_string()
        }
    }

    /// A file's size behind its name. 2.0 names units as powers of ten, means powers of two, cuts
    /// decimals, and takes a unit only above ten of it.
    pub(super) fn file_size(self, bytes: u64) -> String {
        if !self.is_2_0() {
            return ByteSize(bytes).to_string();
        }
        [(30, "GB"), (20, "MB"), (10, "KB")]
            .iter()
            .find(|(shift, _)| bytes > 10 << shift)
            .map_or_else(
                || format!("{bytes}B"),
                |(shift, unit)| format!("{}{unit}", bytes >> shift),
            )
    }

    /// The heading of the bandwidth's column, 12 wide.
    pub(super) fn bandwidth(self) -> &'static str {
        if self.is_2_0() {
            "     MB/s   "
        } else {
            "    MiB/s   "
        }
    }

    /// Blank lines before the results of a time span.
    pub(super) fn before_results(self) -> &'static str {
        if self.is_before_2_2() { "\n\n" } else { "\n" }
    }
}

#[cfg(test)]
mod tests {
    use super::Form;
    use crate::personality::DiskSpdVersion;

    #[test]
    fn sizes_of_files_as_old_reports_have_them() {
        // 1024MB is in published reports of 2.0; 10240KiB in the tests of the original.
        let old = |bytes| Form(DiskSpdVersion::V2_0).file_size(bytes);
        assert_eq!(old(1 << 30), "1024MB");
        assert_eq!(old(10 << 20), "10240KB");
        assert_eq!(old(64 << 30), "64GB");
        assert_eq!(old(10_240), "10240B");
        assert_eq!(Form::default().file_size(1 << 30), "1GiB");
        assert_eq!(Form(DiskSpdVersion::V2_1).file_size(10 << 30), "10GiB");
    }
}
