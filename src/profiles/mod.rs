//! Workloads with a name: where their numbers come from, and what they come to on this machine.
//!
//! A [`Profile`] is a TOML file, embedded here or in the user's configuration folder ([`find`]).
//! [`Profile::resolve`] turns it into time spans over files that have a [`Role`] instead of a path;
//! whoever asked gives them paths.

mod check;
mod embedded;
mod facts;
mod find;
pub mod format;
mod machine;
mod marks;
mod options;
mod resolve;
#[cfg(test)]
mod tests;
mod wanted;

use serde::Deserialize;

pub use self::{
    facts::GroupFacts,
    find::{FindError, Nearest, Own, distance, find, names, nearest, own},
    format::Profile,
    machine::max_dop,
    marks::{Mark, Question, Verdict},
    wanted::{Generation, Rate, SqlFlush, Wanted},
};
use crate::{plan::TimeSpan, units::ByteSize};

/// What a file of a workload is to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Its pages.
    Data,
    /// Its log.
    Log,
    /// A backup of it.
    Backup,
}

impl Role {
    /// In a word, as options and file names have it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Log => "log",
            Self::Backup => "backup",
        }
    }
}

/// A workload for one machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Its name: `sqlserver/checkpoint`.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// The files that it needs, in the order of the time spans' targets. A file whose parts are used
    /// apart is here once for each part, with the same role and number.
    pub files: Vec<NeededFile>,
    /// What is run. Target i is `files[i]`, with everything but label and path.
    pub spans: Vec<TimeSpan>,
    /// The numbers that were resolved, as title and text: "threads", "16 (MAXDOP of 32 logical CPUs ...)".
    pub numbers: Vec<(String, String)>,
    /// What is assumed or lost, a sentence each.
    pub notes: Vec<String>,
    /// What its figures are judged by.
    pub marks: Vec<Mark>,
    /// A question that its figures answer in a sentence.
    pub question: Question,
    /// What a rate of it counts: "transactions", "I/Os" ...
    pub rate_unit: String,
}

/// A file that a workload needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededFile {
    /// What it is.
    pub role: Role,
    /// Its number among those of its role, from 0.
    pub number: u32,
    /// Bytes, where nobody says otherwise.
    pub size: u64,
    /// Bytes below which the workload has no meaning.
    pub size_min: u64,
}

impl NeededFile {
    /// Why a file of so many bytes is too small; `None` if it is not.
    pub fn too_small(&self, size: u64, label: &str) -> Option<String> {
        (size < self.size_min).then(|| {
            format!(
                "{label} has {} ({size} bytes), and this workload needs {} ({} bytes) of its {} \
                 file: four times the largest I/O for each one in flight. Try a larger --size, a \
                 smaller --qd or fewer --threads",
                ByteSize(size),
                ByteSize(self.size_min),
                self.size_min,
                self.role.word()
            )
        })
    }
}
