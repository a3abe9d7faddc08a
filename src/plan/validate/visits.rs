//! Visits of files.

use super::{
    super::{Counting, Popularity, TimeSpan, Visits},
    Check, PlanError, WORKERS_MAX,
};

/// Bytes of a read at most: each visitor holds as much memory.
const CHUNK_MAX: u64 = 1 << 30;

/// Files at most: a table of their popularity is kept in memory.
const FILES_MAX: u64 = 1 << 32;

impl Check<'_> {
    pub(super) fn visits(self, span: &TimeSpan, visits: &Visits) -> Result<(), PlanError> {
        if !span.targets.is_empty() || !span.groups.is_empty() || span.sequence.is_some() {
            return Err(PlanError::BesideVisits(self.span));
        }
        if visits.visitors == 0 {
            return Err(self.missing("visitor"));
        }
        if visits.files.is_empty() {
            return Err(self.missing("file to visit"));
        }
        let (visitors, files) = (u64::from(visits.visitors), visits.files.len() as u64);
        self.range("the number of visitors", visitors, 1, WORKERS_MAX)?;
        self.range("the number of files", files, 1, FILES_MAX)?;
        let chunk = u64::from(visits.chunk);
        self.range("the size of a read", chunk, 1, CHUNK_MAX)?;
        if let Popularity::Zipf(exponent) = visits.popularity
            && !(exponent.is_finite() && exponent > 0.0)
        {
            return Err(PlanError::Popularity(self.span));
        }
        if span.counting != Counting::CompletedInWindow {
            return Err(PlanError::VisitsWaitedFor(self.span));
        }
        if span.stop.after.is_none() {
            return Err(PlanError::Endless(self.span));
        }
        if span.interval.is_zero() {
            return Err(self.zero("the interval"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::{
                Step, Stop,
                fixtures::{self, visits_span},
            },
            validate,
        },
        *,
    };

    fn after(change: impl FnOnce(&mut TimeSpan)) -> Result<(), PlanError> {
        let mut span = visits_span(4);
        change(&mut span);
        validate(&fixtures::plan("iogauge", "web", vec![Step::Run(span)]))
    }

    fn visits_after(change: impl FnOnce(&mut Visits)) -> Result<(), PlanError> {
        after(|span| change(span.visits.as_mut().unwrap()))
    }

    #[test]
    fn visits_have_visitors_files_and_nothing_beside_them() {
        assert_eq!(after(|_| ()), Ok(()));
        let missing = |what| Err(PlanError::Missing { span: 1, what });
        assert_eq!(
            visits_after(|visits| visits.visitors = 0),
            missing("visitor")
        );
        assert_eq!(
            visits_after(|visits| visits.files = [].into()),
            missing("file to visit")
        );
        assert_eq!(
            after(|span| span.targets.push(fixtures::target("x", "x"))),
            Err(PlanError::BesideVisits(1))
        );
        assert!(matches!(
            visits_after(|visits| visits.visitors = 65537),
            Err(PlanError::OutOfRange { value: 65537, .. })
        ));
    }

    #[test]
    fn numbers_that_nothing_can_be_done_with_are_refused() {
        for exponent in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(
                visits_after(|visits| visits.popularity = Popularity::Zipf(exponent)),
                Err(PlanError::Popularity(1)),
                "{exponent}"
            );
        }
        assert!(matches!(
            visits_after(|visits| visits.chunk = 0),
            Err(PlanError::OutOfRange { value: 0, .. })
        ));
        assert_eq!(
            after(|span| span.stop = Stop::default()),
            Err(PlanError::Endless(1))
        );
        assert_eq!(
            after(|span| span.counting = Counting::DrainAndCount),
            Err(PlanError::VisitsWaitedFor(1))
        );
    }
}
