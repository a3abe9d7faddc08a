//! The time spans of a sweep: each point is what `run` would do with the varied option at its value.

use std::time::Duration;

use super::{
    super::{
        commands::{run::RunArgs, sweep::SweepArgs},
        planning::{self, Planned, usage_error},
    },
    asked::{self, Asked},
    axis::Varied,
    edge::{Edge, Kept},
    measured,
};
use crate::{
    personality::{Environment, Next, UsageError},
    plan::{Generator, Plan, Step, Stop, TimeSpan, validate},
    results::{Results, time_needed},
    units::ByteSize,
};

/// Measured time of a point where nobody says otherwise.
const DURATION: Duration = Duration::from_secs(5);
/// Load before it.
const WARMUP: Duration = Duration::from_secs(1);
/// A point whose percentile is not known yet is measured so much longer at most.
const LONGER: u32 = 12;

/// What makes the points of a line.
#[derive(Debug, Clone)]
pub(super) struct Points {
    args: RunArgs,
    around: Environment,
    line: String,
    asked: Asked,
    /// `--duration` or another end was typed.
    ends: bool,
    /// `--warmup` was typed.
    warms: bool,
}

impl Points {
    /// Reads the line.
    ///
    /// # Errors
    /// What is wrong with its axes and limits.
    pub(super) fn new(
        args: &SweepArgs,
        around: &Environment,
        line: &str,
    ) -> Result<Self, UsageError> {
        let mut run = RunArgs {
            words: args.words.clone(),
            load: args.load.clone(),
        };
        // It is not the points that are repeated.
        run.load.repeat = None;
        let max = || room(&run, around).map(|(room, _)| room);
        let asked = Asked::read(args, &max).map_err(|sentence| usage_error(&sentence))?;
        larger(&mut run, around, &asked)?;
        let typed = run.load.typed();
        let given = |names: &[&str]| typed.iter().any(|name| names.contains(name));
        Ok(Self {
            ends: given(&["--duration", "--runtime", "--bytes", "--ops", "--passes"]),
            warms: given(&["--warmup", "--ramp_time"]),
            args: run,
            around: around.clone(),
            line: line.to_owned(),
            asked,
        })
    }

    /// What is varied, and the limits.
    pub(super) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The plan of all points that are known beforehand, and what belongs to the report.
    ///
    /// # Errors
    /// What is wrong with the load at one of them.
    pub(super) fn plan(&self) -> Result<Planned, UsageError> {
        let mut whole: Option<Planned> = None;
        let mut spans = Vec::new();
        for (number, values) in self.asked.points().iter().enumerate() {
            let (planned, span) = self.point(values, number as u64)?;
            if let Some(first) = &whole
                && others(&first.plan) != others(&planned.plan)
            {
                return Err(usage_error(
                    "the test files would differ from point to point: give their --size",
                ));
            }
            whole.get_or_insert(planned);
            spans.push(span);
        }
        let mut planned = whole.ok_or_else(|| usage_error("there is nothing to vary"))?;
        if let Some(span) = spans.first() {
            let fits = self.asked.fits(span);
            fits.map_err(|sentence| usage_error(&sentence))?;
        }
        let steps = std::mem::take(&mut planned.plan.steps);
        for step in steps {
            match step {
                Step::Run(_) => planned
                    .plan
                    .steps
                    .extend(std::mem::take(&mut spans).into_iter().map(Step::Run)),
                other => planned.plan.steps.push(other),
            }
        }
        validate::validate(&planned.plan).map_err(|problem| usage_error(&problem.to_string()))?;
        Ok(planned)
    }

    /// The plan of one point alone, and its time span; each has chance of its own, so that no cache
    /// serves the offsets of the one before.
    fn point(&self, values: &[u64], number: u64) -> Result<(Planned, TimeSpan), UsageError> {
        let mut args = self.args.clone();
        for (axis, value) in self.asked.axes.iter().zip(values) {
            asked::set(&mut args, axis.what, *value);
        }
        let planned = planning::plan(&args, &self.around, &self.line)?;
        let mut spans = planned.plan.spans();
        let (Some(span), None) = (spans.next(), spans.next()) else {
            return Err(usage_error(
                "a sweep is of one load, and this profile or plan has several in turn: name \
                 another one",
            ));
        };
        if planned.search.is_some() {
            return Err(usage_error(
                "this profile has a meaning at a rate only, and run searches the highest by its \
                 own marks: sweep it by --vary rate=1000..16000, or give --rate",
            ));
        }
        let mut span = span.clone();
        drop(spans);
        span.name = self.asked.name(values);
        let by_time = Stop {
            after: span.stop.after,
            ..Stop::default()
        };
        // What ends by something else has no warm-up of its own accord.
        if span.stop == by_time {
            if !self.ends {
                span.stop.after = Some(DURATION);
            }
            if !self.warms {
                span.warmup = WARMUP;
            }
        }
        match &mut span.generator {
            Generator::Xoshiro { seed } => *seed = seed.wrapping_add(number),
            Generator::DiskSpd { seed } => *seed = seed.wrapping_add(number as u32),
        }
        Ok((planned, span))
    }

    /// The time spans behind those of the plan.
    pub(super) fn next(self) -> Box<Next> {
        Box::new(move |results| {
            let (values, after) = self.following(results)?;
            let number = results.spans.len() as u64;
            let (_, mut span) = self.point(&values, number).ok()?;
            if let Some(after) = after {
                span.stop.after = Some(after);
            }
            Some(span)
        })
    }

    /// What is measured next, and for how long where that is longer than usual.
    fn following(&self, results: &Results) -> Option<(Vec<u64>, Option<Duration>)> {
        let [axis] = self.asked.axes.as_slice() else {
            return None;
        };
        if self.asked.limits.is_empty() {
            let mut points = measured::points(results, &self.asked);
            for point in &mut points {
                // What is measured again does not change which one that is.
                let first = point.spans.first();
                point.figures = first.and_then(|span| results.load_figures(*span))?;
            }
            let again = measured::looked_at_again(&points, axis.what)?;
            let point = points.get(again)?;
            let more = point.spans.len() <= self.asked.repeat as usize;
            return more.then(|| (point.values.clone(), None));
        }
        let judged = measured::judged(results, &self.asked);
        if let Some((load, after)) = self.longer(results, &judged) {
            return Some((vec![load], Some(after)));
        }
        let history: Vec<(u64, Kept)> = judged.iter().map(|one| (one.load, one.kept)).collect();
        let load = self.edge()?.next(&history)?;
        // What had too few I/Os once would have too few again.
        let mut few = judged.iter().filter(|one| one.load == load);
        let few = few.find(|one| one.kept == Kept::Unknown);
        let after = few.and_then(|one| self.needed(results, one.span));
        Some((vec![load], after))
    }

    /// The search of the highest load that keeps the limits, on one axis.
    pub(super) fn edge(&self) -> Option<Edge<'_>> {
        let [axis] = self.asked.axes.as_slice() else {
            return None;
        };
        Some(Edge {
            grid: &axis.values,
            fine: axis.what.is_fine(),
            repeat: self.asked.repeat,
        })
    }

    /// A load that had too few I/Os to tell once, and how long it takes until it can; only where it
    /// matters: above what kept the limits and below what broke them.
    fn longer(&self, results: &Results, judged: &[measured::Judged]) -> Option<(u64, Duration)> {
        let told = |kept| {
            let loads = judged.iter().filter(move |one| one.kept == kept);
            loads.map(|one| one.load)
        };
        let (low, high) = (told(Kept::Yes).max(), told(Kept::No).min());
        let mut open = judged.iter().filter(|one| {
            let between =
                low.is_none_or(|low| one.load > low) && high.is_none_or(|high| one.load < high);
            let once = judged.iter().filter(|other| other.load == one.load).count() == 1;
            one.kept == Kept::Unknown && between && once
        });
        open.find_map(|one| Some((one.load, self.needed(results, one.span)?)))
    }

    /// How long such a time span takes until it can tell; `None` where that is too long.
    fn needed(&self, results: &Results, index: usize) -> Option<Duration> {
        let measured = results.spans.get(index)?.measured;
        let rows = results.rows(index);
        let limits = self.asked.limits.iter();
        let needed = limits.filter_map(|limit| time_needed(limit, &rows, measured));
        // Rates are not quite the same again.
        let after = needed.max()?.checked_mul(11)? / 10;
        (after <= measured * LONGER).then_some(after)
    }
}

/// All steps of a plan but its loads.
fn others(plan: &Plan) -> Vec<&Step> {
    let steps = plan.steps.iter();
    steps.filter(|step| !matches!(step, Step::Run(_))).collect()
}

/// How much of the targets can be used from `--offset` on, and whether they are made for this.
fn room(run: &RunArgs, around: &Environment) -> Result<(u64, bool), String> {
    let planned = planning::plan(run, around, "").map_err(|error| {
        let messages = error.messages.join(" ");
        messages.trim_start_matches("iogauge: ").to_owned()
    })?;
    let targets = planned.plan.spans().flat_map(|span| &span.targets);
    let lengths = targets.filter_map(|target| target.end?.checked_sub(target.base));
    let made = others(&planned.plan)
        .iter()
        .any(|step| matches!(step, Step::Prepare(_)));
    Ok((lengths.min().unwrap_or(0), made))
}

/// A file that is made for the sweep is as large as the largest region, unless its size was given.
fn larger(run: &mut RunArgs, around: &Environment, asked: &Asked) -> Result<(), UsageError> {
    let regions = asked.axes.iter().find(|axis| axis.what == Varied::Region);
    let largest = regions.and_then(|axis| axis.values.last().copied());
    let Some(largest) = largest.filter(|_| run.load.size.is_none()) else {
        return Ok(());
    };
    let (room, made) = room(run, around).map_err(|sentence| usage_error(&sentence))?;
    if made && largest > room && run.load.offset.is_none() {
        run.load.size = Some(largest.to_string());
    } else if largest > room {
        return Err(usage_error(&format!(
            "--vary region: {} is more than the target has to use, {}: name smaller regions, or \
             give its --size",
            ByteSize(largest).words(),
            ByteSize(room).words()
        )));
    }
    Ok(())
}
