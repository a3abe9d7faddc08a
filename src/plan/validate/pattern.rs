//! Orders and distributions of offsets.

use super::{
    super::{
        AccessPattern, BlockSizes, Distribution, EXPONENTS, Pacing, Ranks, Share, Skew, Stream,
        WorkerGroup,
    },
    Check, PlanError,
};

impl Check<'_> {
    pub(super) fn pattern(self, stream: &Stream) -> Result<(), PlanError> {
        match &stream.pattern {
            AccessPattern::Sequential { stride: 0, .. }
            | AccessPattern::Interlocked { stride: 0 }
            | AccessPattern::Parallel { stride: 0, .. } => Err(self.zero("stride")),
            AccessPattern::Random { alignment: 0, .. }
            | AccessPattern::Mixed { alignment: 0, .. }
            | AccessPattern::Shuffled { alignment: 0 }
            | AccessPattern::Regions { alignment: 0 } => Err(self.zero("alignment")),
            AccessPattern::Random { distribution, .. } => self.distribution(distribution),
            AccessPattern::Mixed {
                random_percent,
                distribution,
                ..
            } => {
                let percent = u64::from(*random_percent);
                self.range("the percentage of random I/Os", percent, 1, 100)?;
                self.distribution(distribution)
            }
            AccessPattern::Shuffled { .. } => match (&stream.sizes, &stream.pacing) {
                (BlockSizes::Weighted { .. }, _) | (_, Pacing::Gathered { .. }) => {
                    Err(self.one_size("a shuffled order"))
                }
                (BlockSizes::One(_), _) => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn distribution(self, distribution: &Distribution) -> Result<(), PlanError> {
        let shares = match distribution {
            Distribution::Uniform => return Ok(()),
            Distribution::Ranked { skew, ranks } => return self.ranked(*skew, *ranks),
            Distribution::Normal {
                deviation_percent,
                centre_percent,
            } => {
                let (deviation, centre) = (*deviation_percent, *centre_percent);
                let right = deviation > 0.0 && deviation <= 100.0;
                let what = "the standard deviation, in percent of the range,";
                self.figure(what, deviation, right, "above 0 and up to 100")?;
                return self.place("the middle, in percent of the range,", centre);
            }
            Distribution::Percent(shares) => {
                for share in shares {
                    let to = share.from.saturating_add(share.length);
                    self.range("the end of a part, in percent,", to, 1, 100)?;
                }
                if shares.iter().any(|share| share.length == 0) {
                    return Err(self.zero("the length of a part"));
                }
                shares
            }
            Distribution::Absolute(shares) => {
                let before_last = shares.len().saturating_sub(1);
                if shares
                    .iter()
                    .take(before_last)
                    .any(|share| share.length == 0)
                {
                    return Err(self.zero("the length of a part before the last"));
                }
                shares
            }
        };
        let sum = |shares: &[Share]| shares.iter().map(|share| u64::from(share.io_percent)).sum();
        self.range(
            "the sum of the shares of I/O, in percent,",
            sum(shares),
            100,
            100,
        )
    }

    fn ranked(self, skew: Skew, ranks: Ranks) -> Result<(), PlanError> {
        match skew {
            Skew::Zipf(exponent) => {
                let (least, most) = (EXPONENTS.start(), EXPONENTS.end());
                let right = format!("from {least} to {most}");
                let what = "the exponent of Zipf's law";
                self.figure(what, exponent, EXPONENTS.contains(&exponent), &right)?;
            }
            Skew::Pareto(h) => {
                let right = h > 0.0 && h < 1.0;
                self.figure("Pareto's share h", h, right, "above 0 and below 1")?;
            }
        }
        match ranks {
            Ranks::Scattered | Ranks::InOrder => Ok(()),
            Ranks::ScatteredFrom(percent) => self.place(
                "the place of the first rank, in percent of the range,",
                percent,
            ),
        }
    }

    fn place(self, what: &'static str, percent: f64) -> Result<(), PlanError> {
        let right = (0.0..=100.0).contains(&percent);
        self.figure(what, percent, right, "from 0 to 100")
    }

    fn figure(
        self,
        what: &'static str,
        value: f64,
        is_right: bool,
        right: &str,
    ) -> Result<(), PlanError> {
        if is_right {
            return Ok(());
        }
        Err(PlanError::Distribution {
            span: self.span,
            what,
            value: value.to_string(),
            right: right.to_owned(),
        })
    }

    fn one_size(self, what: &'static str) -> PlanError {
        PlanError::OneSize {
            span: self.span,
            what,
        }
    }

    pub(super) fn grid(self, group: &WorkerGroup, stream: &Stream) -> Result<(), PlanError> {
        let AccessPattern::Grid { rows, columns, .. } = stream.pattern else {
            return Ok(());
        };
        if rows == 0 {
            return Err(self.zero("the number of I/Os of a run"));
        }
        let workers = u64::from(group.workers);
        self.range(
            "the number of columns of a grid",
            columns,
            workers,
            u64::MAX,
        )?;
        match stream.sizes {
            BlockSizes::One(_) => Ok(()),
            BlockSizes::Weighted { .. } => Err(self.one_size("a grid")),
        }
    }
}
