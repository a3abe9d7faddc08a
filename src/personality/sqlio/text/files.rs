//! The lines of each file: how large it must be, how it is made so, how much of it is used.

/// What the report says of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::personality::sqlio) struct FileHead {
    /// As typed.
    pub(in crate::personality::sqlio) label: String,
    /// How much of it is used.
    pub(in crate::personality::sqlio) usage: Use,
}

/// How much of a file is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::personality::sqlio) enum Use {
    /// What the grid needs.
    Striped {
        /// Bytes.
        needed: u64,
    },
    /// What the parameter file gives.
    Specified {
        /// MiB.
        mib: u64,
    },
    /// All of it.
    Current {
        /// Bytes, as far as was known before it was made.
        size: u64,
    },
}

impl FileHead {
    /// Of a file that is large enough.
    pub(in crate::personality::sqlio) fn ready(&self) -> String {
        match self.usage {
            Use::Striped { needed } => self.needs(needed),
            Use::Specified { .. } | Use::Current { .. } => self.used(),
        }
    }

    /// Of a file that grows; its line ends with [`FileHead::grown`] once that is done.
    pub(in crate::personality::sqlio) fn growing(&self, kept: u64, missing: u64) -> String {
        format!(
            "{}current file size:\t{kept} bytes\nneed to expand by:\t{missing} bytes\nexpanding \
             {} ...",
            self.needs(kept.saturating_add(missing)),
            self.label
        )
    }

    /// Of a file that has grown.
    pub(in crate::personality::sqlio) fn grown(&self) -> String {
        format!(" done.\n{}", self.used())
    }

    fn needs(&self, bytes: u64) -> String {
        format!("size of file {} needs to be: {bytes} bytes\n", self.label)
    }

    /// Striped files have said it with what they need.
    fn used(&self) -> String {
        let (which, mib) = match self.usage {
            Use::Striped { .. } => return String::new(),
            Use::Specified { mib } => ("specified", mib),
            Use::Current { size } => ("current", size >> 20),
        };
        format!("using {which} size: {mib} MB for file: {}\n", self.label)
    }
}
