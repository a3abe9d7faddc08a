//! A workload as its TOML file says it. The same format serves the embedded profiles and the user's
//! own.

mod group;
mod values;

use serde::Deserialize;

pub use self::{
    group::{
        Checkpoints, Copies, Data, FlushCall, FlushSpec, GroupSpec, Part, Pattern, RateSpec,
        StreamSpec, Threads, Variant,
    },
    values::{Bytes, Span},
};
use super::{Question, Role};
use crate::plan::Direction;

/// A workload with a name.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// `sqlserver/checkpoint`.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// On what it rests.
    #[serde(default)]
    pub basis: Basis,
    /// What its figures answer.
    #[serde(default)]
    pub question: Question,
    /// Whether it has a meaning without a rate.
    #[serde(default)]
    pub load: Load,
    /// What `--rate` counts.
    #[serde(default = "ios")]
    pub rate_unit: String,
    /// The run ends after so many bytes, and no sooner.
    pub ends_after: Option<Bytes>,
    /// Its row in the operations table.
    pub row: Option<Row>,
    /// Files that it needs.
    #[serde(rename = "file")]
    pub files: Vec<FileSpec>,
    /// Who makes the load.
    #[serde(rename = "group")]
    pub groups: Vec<GroupSpec>,
    /// What its figures are judged by.
    #[serde(default, rename = "mark")]
    pub marks: Vec<MarkSpec>,
    /// Where its numbers come from.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
    /// Numbers that no source gives, a sentence each.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// What else should be known, a sentence each.
    #[serde(default)]
    pub notes: Vec<String>,
}

fn ios() -> String {
    "I/Os".to_owned()
}

/// On what a workload rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The operations table of the SQL Server paper.
    Table,
    /// SQL Server, but not that table.
    BeyondTable,
    /// The sources that it names.
    #[default]
    Sources,
}

/// Whether a workload has a meaning without a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Load {
    /// As fast as I/Os complete.
    #[default]
    Closed,
    /// Only at a rate.
    AtRate,
}

/// The six columns of the operations table, in its own words.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// File type.
    pub file: String,
    /// Operation.
    pub operation: String,
    /// READ pattern.
    pub read: String,
    /// WRITE pattern.
    pub write: String,
    /// Threads used.
    pub threads: String,
    /// I/O type.
    pub io: String,
}

/// A file, or files of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FileSpec {
    /// What it is.
    pub role: Role,
    /// Bytes, where nobody says otherwise.
    pub size: Bytes,
    /// How many.
    #[serde(default)]
    pub count: Count,
    /// Page cache or not.
    #[serde(default)]
    pub cache: Cache,
    /// When a write counts as done.
    #[serde(default)]
    pub sync: Sync,
    /// What is there before the load.
    #[serde(default)]
    pub content: Before,
}

/// How many files there are of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// One.
    #[default]
    One,
    /// As many as were named.
    Named,
    /// As many as `--stripes` says, else one.
    Stripes,
    /// As many as were named, and at least one a core up to 8: files of tempdb.
    Tempdb,
}

/// Page cache or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cache {
    /// Past it.
    #[default]
    Direct,
    /// Through it.
    Buffered,
}

/// When a write counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sync {
    /// When the system has taken it.
    #[default]
    None,
    /// When its data is on stable storage.
    Dsync,
    /// As `--sql-flush` says.
    Sql,
}

/// What is in a file before the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Before {
    /// Data everywhere.
    #[default]
    Written,
    /// Nothing yet: the file is made anew.
    Unwritten,
}

/// What a latency is judged by.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MarkSpec {
    /// The group that it judges.
    pub group: String,
    /// Reads or writes.
    pub direction: Word,
    /// At most this is good.
    pub good_ms: f64,
    /// At most this is acceptable.
    pub acceptable_ms: f64,
    /// At most this is slow.
    pub slow_ms: f64,
    /// A percentile (0.99) and its limit in milliseconds.
    pub percentile: Option<(f64, f64)>,
    /// Where the numbers come from.
    pub source: String,
}

/// A direction as a file says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

impl From<Word> for Direction {
    fn from(word: Word) -> Self {
        match word {
            Word::Read => Self::Read,
            Word::Write => Self::Write,
        }
    }
}

/// Where numbers come from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Who says it, and where.
    pub title: String,
    /// Where it can be read.
    pub link: Option<String>,
    /// What it says.
    pub says: String,
}
