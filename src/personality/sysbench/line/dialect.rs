//! Whose rules a line is read by: a name that only one of them has tells.

use super::words::Words;
use crate::personality::{
    settings::SysbenchVersion,
    sysbench::{
        flags::{self, Era},
        options::Dialect,
    },
};

/// Whose rules hold, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Whose.
    pub(crate) dialect: Dialect,
    /// Why.
    pub(crate) because: Because,
}

/// What tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Because {
    /// `IOGAUGE_SYSBENCH`.
    Asked,
    /// This option, as typed.
    Option(String),
    /// Nothing.
    Default,
}

impl Decision {
    /// True if the version was asked for by name: then it knows nothing of the other's options.
    pub(crate) fn asked(&self) -> bool {
        self.because == Because::Asked
    }
}

/// Decides: what is asked for, else a name that only 1.0 has, else one that only 0.4 has.
pub(crate) fn decide(words: &Words, asked: Option<SysbenchVersion>) -> Decision {
    if let Some(version) = asked {
        return Decision {
            dialect: match version {
                SysbenchVersion::V0_4 => Dialect::V04,
                SysbenchVersion::V1_0 => Dialect::V10,
            },
            because: Because::Asked,
        };
    }
    let first = |era: Era| {
        words
            .options
            .iter()
            .find(|typed| flags::find(&typed.name).is_some_and(|row| row.era == era))
    };
    let (dialect, telling) = match (first(Era::New), first(Era::Old)) {
        (Some(typed), _) => (Dialect::V10, Some(typed)),
        (None, Some(typed)) => (Dialect::V04, Some(typed)),
        (None, None) => (Dialect::V10, None),
    };
    Decision {
        dialect,
        because: telling.map_or(Because::Default, |typed| {
            Because::Option(typed.shown.clone())
        }),
    }
}
