//! A shared sequence of requests.

use std::time::Duration;

use super::{
    super::{Operations, Order, Payload, SharedSequence, Verify, Watch},
    Check, JUDGED_MIN, PlanError, SLOTS_MAX,
};

impl Check<'_> {
    pub(super) fn sequence(self, shared: &SharedSequence) -> Result<(), PlanError> {
        if shared.file_size == 0 {
            return Err(self.zero("the size of a file"));
        }
        let length = u64::from(shared.order.length());
        if length == 0 {
            return Err(self.zero("block size"));
        }
        if let Order::Random { span: 0, .. } = shared.order {
            return Err(self.zero("the size of all files together"));
        }
        if shared.verify != Verify::Off {
            let most = u64::from(u32::MAX);
            self.range(
                "the size of a block with a checksum",
                length,
                JUDGED_MIN,
                most,
            )?;
        }
        if let Operations::Ratio {
            reads_per_write, ..
        } = shared.operations
            && (reads_per_write.is_nan() || reads_per_write < 0.0)
        {
            return Err(PlanError::Ratio(self.span));
        }
        if let Some(backlog) = shared.backlog {
            let what = "the number of requests in flight";
            self.range(what, u64::from(backlog), 1, SLOTS_MAX)?;
        }
        if shared.flushes.round_every == Some(0) {
            return Err(self.zero("the number of requests between rounds of flushes"));
        }
        if shared.arrivals_per_second == Some(0) {
            return Err(self.zero("the rate of arrivals"));
        }
        if let Payload::Source { size, .. } = shared.payload {
            self.range("the size of the write source", size, length, u64::MAX)?;
        }
        self.watch(&shared.watch)
    }

    fn watch(self, watch: &Watch) -> Result<(), PlanError> {
        if watch.intervals == Some(Duration::ZERO) {
            return Err(self.zero("the interval of figures that are told"));
        }
        let mut before = Duration::ZERO;
        for checkpoint in &watch.checkpoints {
            if *checkpoint <= before {
                return Err(PlanError::Checkpoints(self.span));
            }
            before = *checkpoint;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::{
                Step, TimeSpan, WorkerGroup,
                fixtures::{self, plan, shared_span},
                load::{Affinity, Dispatch},
            },
            validate,
        },
        *,
    };

    /// What validation says to a good span after this change.
    fn after(change: impl FnOnce(&mut TimeSpan)) -> Result<(), PlanError> {
        let mut span = shared_span();
        change(&mut span);
        validate(&plan("sysbench", "run", vec![Step::Run(span)]))
    }

    fn shared_after(change: impl FnOnce(&mut SharedSequence)) -> Result<(), PlanError> {
        after(|span| change(span.sequence.as_mut().unwrap()))
    }

    fn zero(what: &'static str) -> Result<(), PlanError> {
        Err(PlanError::Zero { span: 1, what })
    }

    #[test]
    fn a_sequence_has_workers_files_and_no_groups() {
        assert_eq!(after(|_| ()), Ok(()));
        assert_eq!(
            after(|span| span.stop = crate::plan::Stop::default()),
            Ok(())
        );
        let missing = |what| Err(PlanError::Missing { span: 1, what });
        assert_eq!(after(|span| span.targets.clear()), missing("target"));
        assert_eq!(shared_after(|shared| shared.workers = 0), missing("worker"));
        assert!(shared_after(|shared| shared.workers = 65536).is_ok());
        assert!(matches!(
            shared_after(|shared| shared.workers = 65537),
            Err(PlanError::OutOfRange { value: 65537, .. })
        ));
        let group = WorkerGroup {
            name: String::new(),
            workers: 1,
            affinity: Affinity::None,
            streams: Vec::new(),
            dispatch: Dispatch::PerStream,
        };
        assert_eq!(
            after(|span| span.groups.push(group)),
            Err(PlanError::GroupsBesideSequence(1))
        );
        let interval = after(|span| span.interval = Duration::ZERO);
        assert_eq!(interval, zero("the interval"));
    }

    #[test]
    fn its_numbers_are_positive() {
        let with_order = |order| shared_after(|shared| shared.order = order);
        assert_eq!(
            shared_after(|shared| shared.file_size = 0),
            zero("the size of a file")
        );
        assert_eq!(
            with_order(Order::Sequential {
                length: 0,
                once: true
            }),
            zero("block size")
        );
        let random = |block, span| Order::Random {
            block,
            span,
            draws: fixtures::DRAWS,
        };
        assert_eq!(with_order(random(0, 5)), zero("block size"));
        assert!(with_order(random(1, 0)).is_err() && with_order(random(1, 1)).is_ok());
        assert!(shared_after(|shared| shared.backlog = Some(0)).is_err());
        assert!(shared_after(|shared| shared.backlog = Some(128)).is_ok());
        assert!(shared_after(|shared| shared.flushes.round_every = Some(0)).is_err());
        assert!(shared_after(|shared| shared.arrivals_per_second = Some(0)).is_err());
        for ratio in [f64::NAN, -1.0] {
            assert_eq!(
                shared_after(|shared| {
                    shared.operations = Operations::Ratio {
                        reads_per_write: ratio,
                        counted: super::super::super::Counted::HandedOut,
                    };
                }),
                Err(PlanError::Ratio(1))
            );
        }
    }

    #[test]
    fn what_is_told_comes_in_order() {
        assert!(shared_after(|shared| shared.watch.intervals = Some(Duration::ZERO)).is_err());
        let checkpoints = |seconds: &[u64]| {
            shared_after(|shared| {
                let times = seconds.iter().copied().map(Duration::from_secs);
                shared.watch.checkpoints = times.collect();
            })
        };
        assert_eq!(checkpoints(&[1, 2, 5]), Ok(()));
        for bad in [&[0_u64][..], &[2, 2], &[3, 1]] {
            assert_eq!(checkpoints(bad), Err(PlanError::Checkpoints(1)));
        }
    }

    #[test]
    fn a_judged_block_has_room_for_what_it_is_judged_by() {
        let judged = |length| {
            shared_after(|shared| {
                shared.verify = Verify::InsideLatency;
                shared.order = Order::Sequential {
                    length,
                    once: false,
                };
            })
        };
        assert!(judged(12).is_err() && judged(13).is_ok());
    }
}
