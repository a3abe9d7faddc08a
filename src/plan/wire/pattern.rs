//! In which order a stream walks its target.
//!
//! A pattern is a word with its numbers, `{ random = { alignment = "4KiB" } }`, or the word alone
//! where all numbers are left out.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::{
    is_default,
    values::{Bytes, Count},
};
use crate::plan::{AccessPattern, Distribution, Ranks, Share, Skew};

/// A pattern; distances that are left out are the stream's largest block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum Form {
    Sequential {
        stride: Option<Bytes<u64>>,
        #[serde(default, skip_serializing_if = "is_default")]
        worker_offset: Bytes<u64>,
    },
    Interlocked {
        stride: Option<Bytes<u64>>,
    },
    Parallel {
        stride: Option<Bytes<u64>>,
        #[serde(default, skip_serializing_if = "is_default")]
        worker_offset: Bytes<u64>,
    },
    Random {
        alignment: Option<Bytes<u64>>,
        #[serde(default, skip_serializing_if = "is_default")]
        distribution: DistributionWire,
    },
    Mixed {
        alignment: Option<Bytes<u64>>,
        random_percent: Count<u32>,
        #[serde(default, skip_serializing_if = "is_default")]
        distribution: DistributionWire,
    },
    Shuffled {
        alignment: Option<Bytes<u64>>,
    },
    Regions {
        alignment: Option<Bytes<u64>>,
    },
    Grid {
        rows: Count<u64>,
        columns: Count<u64>,
        #[serde(default, skip_serializing_if = "is_default")]
        again: bool,
    },
    Append,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum DistributionWire {
    #[default]
    Uniform,
    Percent(Vec<PercentShare>),
    Absolute(Vec<ByteShare>),
    Zipf {
        exponent: f64,
        #[serde(default, skip_serializing_if = "is_default")]
        ranks: RanksWire,
    },
    Pareto {
        h: f64,
        #[serde(default, skip_serializing_if = "is_default")]
        ranks: RanksWire,
    },
    Normal {
        deviation_percent: f64,
        #[serde(default = "middle")]
        centre_percent: f64,
    },
}

fn middle() -> f64 {
    50.0
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RanksWire {
    #[default]
    Scattered,
    ScatteredFrom(f64),
    InOrder,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PercentShare {
    io_percent: Count<u32>,
    from: Count<u64>,
    length: Count<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct ByteShare {
    io_percent: Count<u32>,
    from: Bytes<u64>,
    length: Bytes<u64>,
}

/// A pattern, as a word or with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct Pattern(Form);

/// Random over the whole range, by blocks.
impl Default for Pattern {
    fn default() -> Self {
        Self(Form::Random {
            alignment: None,
            distribution: DistributionWire::Uniform,
        })
    }
}

impl From<&AccessPattern> for Pattern {
    fn from(pattern: &AccessPattern) -> Self {
        let some = |bytes: u64| Some(Bytes(bytes));
        Self(match pattern {
            AccessPattern::Sequential {
                stride,
                worker_offset,
            } => Form::Sequential {
                stride: some(*stride),
                worker_offset: Bytes(*worker_offset),
            },
            AccessPattern::Interlocked { stride } => Form::Interlocked {
                stride: some(*stride),
            },
            AccessPattern::Parallel {
                stride,
                worker_offset,
            } => Form::Parallel {
                stride: some(*stride),
                worker_offset: Bytes(*worker_offset),
            },
            AccessPattern::Random {
                alignment,
                distribution,
            } => Form::Random {
                alignment: some(*alignment),
                distribution: distribution.into(),
            },
            AccessPattern::Mixed {
                alignment,
                random_percent,
                distribution,
            } => Form::Mixed {
                alignment: some(*alignment),
                random_percent: Count(*random_percent),
                distribution: distribution.into(),
            },
            AccessPattern::Shuffled { alignment } => Form::Shuffled {
                alignment: some(*alignment),
            },
            AccessPattern::Regions { alignment } => Form::Regions {
                alignment: some(*alignment),
            },
            AccessPattern::Grid {
                rows,
                columns,
                again,
            } => Form::Grid {
                rows: Count(*rows),
                columns: Count(*columns),
                again: *again,
            },
            AccessPattern::Append => Form::Append,
        })
    }
}

impl Pattern {
    /// The pattern of a stream whose largest block has so many bytes.
    pub(super) fn into_plan(self, block: u32) -> AccessPattern {
        let or_block = |bytes: Option<Bytes<u64>>| bytes.map_or(u64::from(block), |bytes| bytes.0);
        match self.0 {
            Form::Sequential {
                stride,
                worker_offset,
            } => AccessPattern::Sequential {
                stride: or_block(stride),
                worker_offset: worker_offset.0,
            },
            Form::Interlocked { stride } => AccessPattern::Interlocked {
                stride: or_block(stride),
            },
            Form::Parallel {
                stride,
                worker_offset,
            } => AccessPattern::Parallel {
                stride: or_block(stride),
                worker_offset: worker_offset.0,
            },
            Form::Random {
                alignment,
                distribution,
            } => AccessPattern::Random {
                alignment: or_block(alignment),
                distribution: distribution.into(),
            },
            Form::Mixed {
                alignment,
                random_percent,
                distribution,
            } => AccessPattern::Mixed {
                alignment: or_block(alignment),
                random_percent: random_percent.0,
                distribution: distribution.into(),
            },
            Form::Shuffled { alignment } => AccessPattern::Shuffled {
                alignment: or_block(alignment),
            },
            Form::Regions { alignment } => AccessPattern::Regions {
                alignment: or_block(alignment),
            },
            Form::Grid {
                rows,
                columns,
                again,
            } => AccessPattern::Grid {
                rows: rows.0,
                columns: columns.0,
                again,
            },
            Form::Append => AccessPattern::Append,
        }
    }
}

impl From<&Distribution> for DistributionWire {
    fn from(distribution: &Distribution) -> Self {
        match distribution {
            Distribution::Uniform => Self::Uniform,
            Distribution::Percent(shares) => Self::Percent(
                shares
                    .iter()
                    .map(|share| PercentShare {
                        io_percent: Count(share.io_percent),
                        from: Count(share.from),
                        length: Count(share.length),
                    })
                    .collect(),
            ),
            Distribution::Absolute(shares) => Self::Absolute(
                shares
                    .iter()
                    .map(|share| ByteShare {
                        io_percent: Count(share.io_percent),
                        from: Bytes(share.from),
                        length: Bytes(share.length),
                    })
                    .collect(),
            ),
            Distribution::Ranked { skew, ranks } => {
                let ranks = (*ranks).into();
                match *skew {
                    Skew::Zipf(exponent) => Self::Zipf { exponent, ranks },
                    Skew::Pareto(h) => Self::Pareto { h, ranks },
                }
            }
            Distribution::Normal {
                deviation_percent,
                centre_percent,
            } => Self::Normal {
                deviation_percent: *deviation_percent,
                centre_percent: *centre_percent,
            },
        }
    }
}

impl From<DistributionWire> for Distribution {
    fn from(wire: DistributionWire) -> Self {
        match wire {
            DistributionWire::Uniform => Self::Uniform,
            DistributionWire::Percent(shares) => Self::Percent(
                shares
                    .into_iter()
                    .map(|share| Share {
                        io_percent: share.io_percent.0,
                        from: share.from.0,
                        length: share.length.0,
                    })
                    .collect(),
            ),
            DistributionWire::Absolute(shares) => Self::Absolute(
                shares
                    .into_iter()
                    .map(|share| Share {
                        io_percent: share.io_percent.0,
                        from: share.from.0,
                        length: share.length.0,
                    })
                    .collect(),
            ),
            DistributionWire::Zipf { exponent, ranks } => Self::Ranked {
                skew: Skew::Zipf(exponent),
                ranks: ranks.into(),
            },
            DistributionWire::Pareto { h, ranks } => Self::Ranked {
                skew: Skew::Pareto(h),
                ranks: ranks.into(),
            },
            DistributionWire::Normal {
                deviation_percent,
                centre_percent,
            } => Self::Normal {
                deviation_percent,
                centre_percent,
            },
        }
    }
}

impl From<Ranks> for RanksWire {
    fn from(ranks: Ranks) -> Self {
        match ranks {
            Ranks::Scattered => Self::Scattered,
            Ranks::ScatteredFrom(percent) => Self::ScatteredFrom(percent),
            Ranks::InOrder => Self::InOrder,
        }
    }
}

impl From<RanksWire> for Ranks {
    fn from(wire: RanksWire) -> Self {
        match wire {
            RanksWire::Scattered => Self::Scattered,
            RanksWire::ScatteredFrom(percent) => Self::ScatteredFrom(percent),
            RanksWire::InOrder => Self::InOrder,
        }
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(PatternVisitor).map(Self)
    }
}

struct PatternVisitor;

impl<'de> Visitor<'de> for PatternVisitor {
    type Value = Form;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pattern such as \"random\" or { random = { alignment = \"4KiB\" } }")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Form, E> {
        let worker_offset = Bytes(0);
        let distribution = DistributionWire::Uniform;
        Ok(match word {
            "sequential" => Form::Sequential {
                stride: None,
                worker_offset,
            },
            "interlocked" => Form::Interlocked { stride: None },
            "parallel" => Form::Parallel {
                stride: None,
                worker_offset,
            },
            "random" => Form::Random {
                alignment: None,
                distribution,
            },
            "shuffled" => Form::Shuffled { alignment: None },
            "regions" => Form::Regions { alignment: None },
            "append" => Form::Append,
            "mixed" => {
                return Err(E::custom(
                    "a mixed pattern needs a share: { mixed = { random-percent = 50 } }",
                ));
            }
            "grid" => {
                return Err(E::custom(
                    "a grid needs its size: { grid = { rows = 64, columns = 1000 } }",
                ));
            }
            _ => {
                return Err(E::custom(format_args!(
                    "'{}' is no pattern: sequential, interlocked, parallel, random, mixed, \
                     shuffled, regions, grid and append are",
                    crate::units::names::shown(word.as_ref())
                )));
            }
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Form, A::Error> {
        Form::deserialize(MapAccessDeserializer::new(map))
    }
}
