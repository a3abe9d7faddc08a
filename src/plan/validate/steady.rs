//! What the limits need that look at figures while a load goes on.

use super::{super::TimeSpan, Check, PlanError};

/// Conditions of a fuse at most.
const CONDITIONS_MAX: u64 = 16;
/// Streams of all workers at most, of which the figures of each window are kept.
const STREAMS_MAX: u64 = 1024;

impl Check<'_> {
    /// A fuse, and a load that ends when it is steady.
    pub(super) fn watched(self, span: &TimeSpan) -> Result<(), PlanError> {
        let conditions = span.stop.fuse.len() as u64;
        self.range("the number of conditions", conditions, 0, CONDITIONS_MAX)?;
        let watched = conditions > 0 || span.stop.steady.is_some();
        let streams = span.workers().map(|(group, _)| group.streams.len() as u64);
        let streams = streams.fold(0, u64::saturating_add);
        if watched {
            let what = "the number of streams whose intervals are looked at";
            self.range(what, streams, 0, STREAMS_MAX)?;
        }
        let Some(steady) = span.stop.steady else {
            return Ok(());
        };
        let what = "the window of a load until it is steady";
        let window = steady.window.as_nanos();
        if !window.is_multiple_of(span.interval.as_nanos().max(1)) {
            return Err(self.needs(
                what,
                "an interval that goes into it a whole number of times",
            ));
        }
        if span.initiation || span.whole_milliseconds {
            return Err(self.needs(
                what,
                "a load without initiation times and whole milliseconds: they are not kept by \
                 window",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::{
        fixtures::{plan, span, stream, target},
        *,
    };

    fn after(change: impl FnOnce(&mut TimeSpan)) -> String {
        let stream = stream(0, AccessPattern::Append, BlockSizes::One(4096));
        let group = WorkerGroup {
            name: String::new(),
            workers: 2,
            affinity: Affinity::None,
            streams: vec![stream],
            dispatch: Dispatch::PerStream,
        };
        let mut span = span(vec![target("d", "d")], vec![group]);
        change(&mut span);
        let said = validate::validate(&plan("native", "run", vec![Step::Run(span)]));
        said.map_err(|error| error.to_string())
            .err()
            .unwrap_or_default()
    }

    #[test]
    fn a_window_is_made_of_whole_intervals() {
        let windows = |window, interval| {
            after(|span| {
                span.interval = Duration::from_millis(interval);
                span.stop.steady = Some(Steady {
                    window: Duration::from_millis(window),
                    ..Steady::default()
                });
            })
        };
        assert_eq!(windows(10_000, 1000), "");
        assert_eq!(windows(1000, 1000), "");
        assert_eq!(windows(1000, 250), "");
        for (window, interval) in [(1500, 1000), (500, 1000), (1000, 300)] {
            let said = windows(window, interval);
            assert!(said.contains("a whole number of times"), "{said}");
        }
    }

    #[test]
    fn what_looks_at_figures_is_no_end_of_its_own() {
        let said = after(|span| {
            span.stop.after = None;
            span.stop.steady = Some(Steady::default());
            span.stop.fuse = vec!["p99>1ms".parse().unwrap()];
        });
        assert!(!said.is_empty());
        let said = after(|span| span.stop.fuse = vec!["p99>1ms".parse().unwrap(); 17]);
        assert!(said.contains("from 0 to 16"), "{said}");
        let said = after(|span| {
            span.stop.fuse = vec!["p99>1ms".parse().unwrap()];
            span.groups[0].workers = 1025;
        });
        assert!(said.contains("from 0 to 1024"), "{said}");
    }

    #[test]
    fn what_is_not_kept_by_window_is_not_measured() {
        let said = after(|span| {
            span.initiation = true;
            span.stop.steady = Some(Steady::default());
        });
        assert!(said.contains("initiation"), "{said}");
    }
}
