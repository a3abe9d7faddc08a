//! From a profile to time spans for one machine.

mod deal;
mod files;
mod group;
mod numbers;
mod pacing;
mod sizes;

use std::time::Duration;

use self::{files::Files, group::Grouping};
use super::{Mark, NeededFile, Profile, Resolved, Wanted, format::MarkSpec};
use crate::plan::{
    Counting, Generator, Polling, Stop, Target, ThrottleSleep, TimeSpan, WorkerGroup,
};

impl Profile {
    /// What it comes to for these wishes: one time span, with files that have no path yet.
    ///
    /// # Errors
    /// A wish that is out of range or changes nothing here, as a sentence.
    pub fn resolve(&self, wanted: &Wanted<'_>) -> Result<Resolved, String> {
        self.check_wanted(wanted)?;
        let mut files = Files::new(self, wanted);
        let mut groups: Vec<WorkerGroup> = Vec::new();
        let mut numbers = numbers::machine(self, wanted);
        let mut notes = Vec::new();
        for spec in &self.groups {
            let grouping = Grouping::new(self, spec, wanted, &files)?;
            groups.extend(grouping.groups(&mut files)?);
            numbers.extend(grouping.numbers());
            for note in grouping.notes() {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        numbers.extend(numbers::whole(self, wanted, &files));
        notes.extend(self.assumed.iter().chain(&self.notes).cloned());
        let (needed, targets): (Vec<NeededFile>, Vec<_>) = files.into_targets();
        Ok(Resolved {
            name: self.name.clone(),
            summary: self.summary.clone(),
            files: needed,
            spans: vec![self.span(wanted, targets, groups)],
            numbers,
            notes,
            marks: self.marks.iter().map(mark).collect(),
            question: self.question,
            rate_unit: self.rate_unit.clone(),
        })
    }

    fn span(
        &self,
        wanted: &Wanted<'_>,
        targets: Vec<Target>,
        groups: Vec<WorkerGroup>,
    ) -> TimeSpan {
        // What ends after so many bytes is a check from its first byte to its last.
        let bytes = self.ends_after.map(|bytes| bytes.0);
        let (warmup, after, counting) = if bytes.is_none() {
            let after = Some(wanted.duration);
            (wanted.warmup, after, Counting::CompletedInWindow)
        } else {
            (Duration::ZERO, None, Counting::DrainAndCount)
        };
        let name = match wanted.rate {
            None => String::new(),
            Some(rate) => format!("rate {}", rate.per_second),
        };
        TimeSpan {
            name,
            pause_before: Duration::ZERO,
            warmup,
            stop: Stop {
                after,
                bytes,
                ..Stop::default()
            },
            cooldown: Duration::ZERO,
            counting,
            interval: wanted.interval,
            targets,
            groups,
            sequence: None,
            visits: None,
            generator: Generator::Xoshiro { seed: wanted.seed },
            polling: Polling::Interrupt,
            throttle_sleep: ThrottleSleep::UntilDue,
            initiation: false,
            whole_milliseconds: false,
            verify: false,
        }
    }
}

fn mark(spec: &MarkSpec) -> Mark {
    Mark {
        group: spec.group.clone(),
        direction: spec.direction.into(),
        good_ms: spec.good_ms,
        acceptable_ms: spec.acceptable_ms,
        slow_ms: spec.slow_ms,
        percentile: spec.percentile,
        source: spec.source.clone(),
    }
}
