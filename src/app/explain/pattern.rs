//! Where I/Os go, as facts for programs.

use serde::Serialize;

use crate::plan::{AccessPattern, Distribution, Ranks, Share, Skew};

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Pattern {
    Sequential {
        stride_bytes: u64,
        thread_offset_bytes: u64,
    },
    Interlocked {
        stride_bytes: u64,
    },
    Parallel {
        stride_bytes: u64,
        thread_offset_bytes: u64,
    },
    Random {
        alignment_bytes: u64,
        distribution: Law,
    },
    Mixed {
        alignment_bytes: u64,
        random_percent: u32,
        distribution: Law,
    },
    Shuffled {
        alignment_bytes: u64,
    },
    Regions {
        alignment_bytes: u64,
    },
    Grid {
        rows: u64,
        columns: u64,
        first_run_again: bool,
    },
    Append,
}

#[derive(Serialize)]
#[serde(tag = "law", rename_all = "snake_case")]
pub(super) enum Law {
    Uniform,
    Percent {
        shares: Vec<PercentShare>,
    },
    Absolute {
        shares: Vec<ByteShare>,
    },
    Zipf {
        exponent: f64,
        ranks: &'static str,
        first_rank_percent: Option<f64>,
    },
    Pareto {
        share: f64,
        ranks: &'static str,
        first_rank_percent: Option<f64>,
    },
    Normal {
        deviation_percent: f64,
        centre_percent: f64,
    },
}

#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "keys carry their units")]
pub(super) struct PercentShare {
    io_percent: u32,
    from_percent: u64,
    length_percent: u64,
}

/// A length of 0 goes to the end.
#[derive(Serialize)]
pub(super) struct ByteShare {
    io_percent: u32,
    from_bytes: u64,
    length_bytes: u64,
}

impl Pattern {
    /// The facts of a pattern.
    pub(super) fn of(pattern: &AccessPattern) -> Self {
        match *pattern {
            AccessPattern::Sequential {
                stride,
                worker_offset,
            } => Self::Sequential {
                stride_bytes: stride,
                thread_offset_bytes: worker_offset,
            },
            AccessPattern::Interlocked { stride } => Self::Interlocked {
                stride_bytes: stride,
            },
            AccessPattern::Parallel {
                stride,
                worker_offset,
            } => Self::Parallel {
                stride_bytes: stride,
                thread_offset_bytes: worker_offset,
            },
            AccessPattern::Random {
                alignment,
                ref distribution,
            } => Self::Random {
                alignment_bytes: alignment,
                distribution: Law::of(distribution),
            },
            AccessPattern::Mixed {
                alignment,
                random_percent,
                ref distribution,
            } => Self::Mixed {
                alignment_bytes: alignment,
                random_percent,
                distribution: Law::of(distribution),
            },
            AccessPattern::Shuffled { alignment } => Self::Shuffled {
                alignment_bytes: alignment,
            },
            AccessPattern::Regions { alignment } => Self::Regions {
                alignment_bytes: alignment,
            },
            AccessPattern::Grid {
                rows,
                columns,
                again,
            } => Self::Grid {
                rows,
                columns,
                first_run_again: again,
            },
            AccessPattern::Append => Self::Append,
        }
    }
}

impl Law {
    fn of(distribution: &Distribution) -> Self {
        match distribution {
            Distribution::Uniform => Self::Uniform,
            Distribution::Percent(shares) => Self::Percent {
                shares: shares.iter().map(percent).collect(),
            },
            Distribution::Absolute(shares) => Self::Absolute {
                shares: shares.iter().map(absolute).collect(),
            },
            Distribution::Ranked { skew, ranks } => {
                let (ranks, first_rank_percent) = match *ranks {
                    Ranks::Scattered => ("scattered", None),
                    Ranks::ScatteredFrom(percent) => ("scattered", Some(percent)),
                    Ranks::InOrder => ("in_order", None),
                };
                match *skew {
                    Skew::Zipf(exponent) => Self::Zipf {
                        exponent,
                        ranks,
                        first_rank_percent,
                    },
                    Skew::Pareto(share) => Self::Pareto {
                        share,
                        ranks,
                        first_rank_percent,
                    },
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

fn percent(share: &Share) -> PercentShare {
    PercentShare {
        io_percent: share.io_percent,
        from_percent: share.from,
        length_percent: share.length,
    }
}

fn absolute(share: &Share) -> ByteShare {
    ByteShare {
        io_percent: share.io_percent,
        from_bytes: share.from,
        length_bytes: share.length,
    }
}
