//! Our own options that may stand before a face, and the IOGAUGE_* variables that say the same.

use std::{collections::BTreeMap, path::PathBuf};

use crate::plan::{Content, EngineChoice, OnError};

/// What options and variables say. Options win over variables.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// `IOGAUGE_ENGINE`, `--engine`.
    pub engine: Option<EngineChoice>,
    /// `IOGAUGE_ON_ERROR`, `--on-error`.
    pub on_error: Option<OnError>,
    /// `IOGAUGE_DESTROY`, `--destroy`: devices or files that may be destroyed.
    pub destroy: Vec<String>,
    /// `IOGAUGE_QUIET`, `-q`: no notes on standard error.
    pub quiet: bool,
    /// `IOGAUGE_DATA`.
    pub data: DataChoice,
    /// `IOGAUGE_DRIVES`: drive letters (upper case) and disk numbers to paths.
    pub drives: BTreeMap<String, PathBuf>,
}

/// Content of files that a face creates, and of write buffers where the line does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DataChoice {
    /// Random bytes, told once on standard error.
    #[default]
    Default,
    /// Random bytes, asked for.
    Random,
    /// Zeros.
    Zeros,
    /// What the original wrote.
    Original,
}

impl DataChoice {
    /// The content of new files, where the original wrote `original`.
    pub fn content(self, original: Content) -> Content {
        match self {
            Self::Default | Self::Random => Content::Random,
            Self::Zeros => Content::Zeros,
            Self::Original => original,
        }
    }
}
