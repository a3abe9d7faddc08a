//! What verification needs.

use super::{
    super::{Payload, TargetIndex, TimeSpan},
    Check, PlanError,
};

/// Bytes of a sector, which carries its own label and checksum.
const SECTOR: u64 = 512;

impl Check<'_> {
    pub(super) fn verify(self, span: &TimeSpan) -> Result<(), PlanError> {
        if !span.verify {
            return Ok(());
        }
        if span.sequence.is_some() || span.visits.is_some() {
            return Err(self.needs(
                "verification",
                "a load of groups of threads, not a shared sequence or visits of files",
            ));
        }
        let mut streams = span.groups.iter().flat_map(|group| &group.streams);
        if streams.any(|stream| {
            stream.mix.write_percent > 0
                && !matches!(stream.payload, Payload::Random | Payload::Stamped)
        }) {
            return Err(self.needs(
                "verification",
                "writes of random bytes: it fills their sectors itself",
            ));
        }
        for (index, target) in span.targets.iter().enumerate() {
            let unit = span.unit(TargetIndex(index));
            if !unit.is_multiple_of(SECTOR) {
                return Err(PlanError::Sectors {
                    span: self.span,
                    label: target.label.clone(),
                    unit,
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{super::*, PlanError, validate};

    fn verified(change: impl FnOnce(&mut TimeSpan)) -> Result<(), PlanError> {
        let random = AccessPattern::Random {
            alignment: 4096,
            distribution: Distribution::Uniform,
        };
        let group = WorkerGroup {
            name: String::new(),
            workers: 1,
            affinity: Affinity::None,
            streams: vec![fixtures::stream(0, random, BlockSizes::One(4096))],
            dispatch: Dispatch::PerStream,
        };
        let mut span = fixtures::span(vec![fixtures::target("t", "t")], vec![group]);
        span.verify = true;
        change(&mut span);
        validate(&fixtures::plan("native", "", vec![Step::Run(span)]))
    }

    #[test]
    fn sectors_of_ones_own_are_needed() {
        assert_eq!(verified(|_| ()), Ok(()));
        let error = verified(|span| {
            span.groups[0].streams[0].sizes = BlockSizes::One(4196);
        });
        let error = error.expect_err("no sectors").to_string();
        assert!(error.contains("multiples of 512 bytes"), "{error}");
        assert!(error.contains("have 4 in common"), "{error}");
        let error = verified(|span| {
            span.groups[0].streams[0].payload = Payload::Zeros;
        });
        let error = error.expect_err("no room").to_string();
        assert!(error.contains("random bytes"), "{error}");
    }

    #[test]
    fn a_shared_sequence_is_not_verified() {
        let mut span = fixtures::shared_span();
        span.verify = true;
        let plan = fixtures::plan("sysbench", "", vec![Step::Run(span)]);
        let error = validate(&plan).expect_err("a sequence").to_string();
        assert!(error.contains("shared sequence"), "{error}");
    }
}
