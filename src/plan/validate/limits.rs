//! What limits, flushes, open loops and copies need.

use super::{
    super::{Counting, Dispatch, FlushPolicy, Pacing, Stop, Stream, TimeSpan, WorkerGroup},
    Check, PlanError,
};

impl Check<'_> {
    /// Limits of a span of groups, and how it ends.
    pub(super) fn limits(self, span: &TimeSpan) -> Result<(), PlanError> {
        let Stop {
            bytes,
            operations,
            passes,
            ..
        } = span.stop;
        self.watched(span)?;
        for (limit, what) in [
            (bytes, "the limit of bytes"),
            (operations, "the limit of operations"),
            (passes, "the limit of passes"),
        ] {
            if limit == Some(0) {
                return Err(self.zero(what));
            }
            if limit.is_some() && span.counting != Counting::DrainAndCount {
                return Err(self.needs(what, "that what was issued is waited for and counted"));
            }
        }
        let streams = || span.groups.iter().flat_map(|group| &group.streams);
        let largest = streams().map(|stream| stream.sizes.largest()).max();
        if let (Some(bytes), Some(largest)) = (bytes, largest) {
            self.range("the limit of bytes", bytes, largest.into(), u64::MAX)?;
        }
        if passes.is_some() {
            self.passes(span)?;
        }
        let at_end = |stream: &Stream| matches!(stream.mix.flush, FlushPolicy::AtEnd { .. });
        if streams().any(at_end) && span.counting != Counting::DrainAndCount {
            return Err(self.needs(
                "a flush at the end of the measured time",
                "that what was issued is waited for and counted",
            ));
        }
        Ok(())
    }

    fn passes(self, span: &TimeSpan) -> Result<(), PlanError> {
        let what = "the limit of passes";
        if !span.warmup.is_zero() {
            return Err(self.needs(what, "a load without warm-up: passes begin with the load"));
        }
        if !span
            .groups
            .iter()
            .flat_map(|g| &g.streams)
            .any(Stream::makes_passes)
        {
            return Err(self.needs(
                what,
                "a stream that goes over its range: none is sequential or shuffled",
            ));
        }
        if span.groups.iter().all(has_own_slots) {
            Ok(())
        } else {
            Err(self.own(what))
        }
    }

    /// What a stream cannot do where slots are shared.
    pub(super) fn own_slots(self, group: &WorkerGroup, stream: &Stream) -> Result<(), PlanError> {
        let open = matches!(
            stream.pacing,
            Pacing::Arrivals { .. } | Pacing::Waves { .. } | Pacing::Gathered { .. }
        );
        if open && !has_own_slots(group) {
            return Err(self.own("an open loop"));
        }
        Ok(())
    }

    /// A group commit: one write at a time, in which a record has room.
    pub(super) fn gathered(self, stream: &Stream) -> Result<(), PlanError> {
        let Pacing::Gathered { record, unit, .. } = stream.pacing else {
            return Ok(());
        };
        let what = "a group commit";
        if stream.mix.write_percent != 100 {
            return Err(self.needs(what, "a stream that only writes"));
        }
        if stream.queue_depth != 1 {
            return Err(self.needs(what, "a queue depth of 1"));
        }
        let largest = u64::from(stream.sizes.largest());
        let one = u64::from(record).next_multiple_of(u64::from(unit));
        self.range(
            "the size of a record, in whole units,",
            one,
            u64::from(unit),
            largest,
        )
    }

    /// A stream that copies another.
    pub(super) fn copies(self, group: &WorkerGroup, index: usize) -> Result<(), PlanError> {
        let stream = &group.streams[index];
        let Some(source_stream) = stream.copies else {
            return Ok(());
        };
        let source = group
            .streams
            .get(source_stream)
            .filter(|_| source_stream != index)
            .ok_or(PlanError::Copies {
                span: self.span,
                stream: index,
                source_stream,
            })?;
        let what = "a stream that copies";
        if group.dispatch != Dispatch::PerStream {
            return Err(self.own(what));
        }
        if stream.mix.write_percent != 100 || source.mix.write_percent != 0 {
            return Err(self.needs(what, "to write only, what a stream reads that only reads"));
        }
        match stream.pacing {
            Pacing::Arrivals { .. } | Pacing::Waves { .. } | Pacing::Gathered { .. } => {
                Err(self.needs(what, "no schedule of its own: its source sets the pace"))
            }
            Pacing::Unlimited
            | Pacing::CapBytes { .. }
            | Pacing::CapOperations { .. }
            | Pacing::Burst { .. } => Ok(()),
        }
    }

    pub(super) fn needs(self, what: &'static str, needs: &'static str) -> PlanError {
        PlanError::Needs {
            span: self.span,
            what,
            needs,
        }
    }

    fn own(self, what: &'static str) -> PlanError {
        PlanError::OwnSlots {
            span: self.span,
            what,
        }
    }
}

/// Each slot of a worker always works for the same stream.
fn has_own_slots(group: &WorkerGroup) -> bool {
    match group.dispatch {
        Dispatch::PerStream => true,
        Dispatch::Shared { .. } | Dispatch::InTurn => group.streams.len() == 1,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{
        super::super::{
            Affinity, BlockSizes, Distribution, Plan, Step,
            fixtures::{plan, span, stream, target},
            *,
        },
        PlanError,
    };

    /// A span that ends by a count, with a stream that reads and one that writes.
    fn valid() -> TimeSpan {
        let mut streams = [0, 100].map(|write_percent| {
            let mut stream = stream(0, AccessPattern::Append, BlockSizes::One(8192));
            stream.mix.write_percent = write_percent;
            stream
        });
        streams[1].queue_depth = 1;
        let group = WorkerGroup {
            name: String::new(),
            workers: 1,
            affinity: Affinity::None,
            streams: streams.into(),
            dispatch: Dispatch::PerStream,
        };
        let mut span = span(vec![target("d", "d")], vec![group]);
        span.counting = Counting::DrainAndCount;
        span.warmup = Duration::ZERO;
        span
    }

    fn after(change: impl FnOnce(&mut TimeSpan)) -> String {
        let mut span = valid();
        change(&mut span);
        let plan: Plan = plan("native", "run", vec![Step::Run(span)]);
        let said = validate::validate(&plan).map_err(|error: PlanError| error.to_string());
        said.err().unwrap_or_default()
    }

    fn in_turn(span: &mut TimeSpan) {
        span.groups[0].dispatch = Dispatch::InTurn;
    }

    #[test]
    fn limits_are_positive_and_wait_for_what_was_issued() {
        assert_eq!(after(|_| ()), "");
        let limits: [fn(&mut Stop) -> &mut Option<u64>; 3] = [
            |stop| &mut stop.bytes,
            |stop| &mut stop.operations,
            |stop| &mut stop.passes,
        ];
        for limit in limits {
            let set = |number| after(|span| *limit(&mut span.stop) = Some(number));
            assert_eq!(set(u64::MAX), "");
            assert!(set(0).contains("is 0"), "{}", set(0));
            let windowed = after(|span| {
                *limit(&mut span.stop) = Some(8192);
                span.counting = Counting::CompletedInWindow;
            });
            assert!(windowed.contains("waited for"), "{windowed}");
        }
        let bytes = |bytes| after(|span| span.stop.bytes = Some(bytes));
        assert_eq!(bytes(8192), "");
        assert!(bytes(8191).contains("must be from 8192"), "{}", bytes(8191));
    }

    #[test]
    fn passes_need_somebody_to_make_them_from_the_start() {
        let passes = |change: fn(&mut TimeSpan)| {
            after(|span| {
                span.stop.passes = Some(1);
                change(span);
            })
        };
        let warm = passes(|span| span.warmup = Duration::from_secs(1));
        assert!(warm.contains("without warm-up"), "{warm}");
        let drawn = passes(|span| {
            for stream in &mut span.groups[0].streams {
                stream.pattern = AccessPattern::Random {
                    alignment: 512,
                    distribution: Distribution::Uniform,
                };
            }
        });
        assert!(drawn.contains("none is sequential"), "{drawn}");
        assert!(passes(in_turn).contains("queue depth of its own"));
    }

    #[test]
    fn a_flush_at_the_end_is_inside_the_measured_time() {
        let flushed = |counting| {
            after(|span| {
                span.counting = counting;
                span.groups[0].streams[1].mix.flush = FlushPolicy::AtEnd { data_only: true };
            })
        };
        assert_eq!(flushed(Counting::DrainAndCount), "");
        assert!(flushed(Counting::CompletedInWindow).contains("waited for"));
    }

    #[test]
    fn open_loops_have_slots_of_their_own() {
        let arrivals = Pacing::Arrivals {
            per_second: 1e9,
            poisson: true,
        };
        let paced = |change: fn(&mut TimeSpan)| {
            after(|span| {
                span.groups[0].streams[0].pacing = arrivals.clone();
                change(span);
            })
        };
        assert_eq!(paced(|_| ()), "");
        assert!(paced(in_turn).contains("an open loop"));
        let alone = paced(|span| {
            in_turn(span);
            span.groups[0].streams.truncate(1);
        });
        assert_eq!(alone, "");
        let faster = after(|span| {
            span.groups[0].streams[0].pacing = Pacing::Arrivals {
                per_second: 1.1e9,
                poisson: false,
            };
        });
        assert!(faster.contains("1000000000"), "{faster}");
    }

    #[test]
    fn a_group_commit_writes_one_at_a_time_and_a_record_fits() {
        let gathered = |stream: usize, record, unit| {
            after(|span| {
                span.groups[0].streams[stream].pacing = Pacing::Gathered {
                    per_second: 100.0,
                    poisson: false,
                    record,
                    unit,
                };
            })
        };
        assert_eq!(gathered(1, 8192, 512), "");
        assert_eq!(gathered(1, 7681, 512), "");
        assert!(gathered(1, 8193, 512).contains("is 8704, but must be from 512 to 8192"));
        assert!(gathered(1, 512, 16384).contains("to 8192"));
        assert!(gathered(1, u32::MAX, u32::MAX).contains("to 8192"));
        assert!(gathered(0, 512, 512).contains("only writes"));
        let deep = after(|span| {
            let stream = &mut span.groups[0].streams[1];
            stream.queue_depth = 2;
            stream.pacing = Pacing::Gathered {
                per_second: 100.0,
                poisson: false,
                record: 1,
                unit: 1,
            };
        });
        assert!(deep.contains("queue depth of 1"), "{deep}");
    }

    #[test]
    fn copies_are_writes_of_what_another_stream_reads() {
        let copies = |source, change: fn(&mut TimeSpan)| {
            after(|span| {
                span.groups[0].streams[1].copies = Some(source);
                change(span);
            })
        };
        assert_eq!(copies(0, |_| ()), "");
        assert!(copies(1, |_| ()).contains("which it cannot"));
        assert!(copies(2, |_| ()).contains("which it cannot"));
        assert!(copies(usize::MAX, |_| ()).contains("which it cannot"));
        assert!(copies(0, in_turn).contains("a stream that copies"));
        let mixed = copies(0, |span| span.groups[0].streams[0].mix.write_percent = 1);
        assert!(mixed.contains("only reads"), "{mixed}");
        let reading = copies(0, |span| span.groups[0].streams[1].mix.write_percent = 99);
        assert!(reading.contains("write only"), "{reading}");
        let scheduled = copies(0, |span| {
            span.groups[0].streams[1].pacing = Pacing::Arrivals {
                per_second: 1.0,
                poisson: false,
            };
        });
        assert!(scheduled.contains("no schedule"), "{scheduled}");
    }
}
