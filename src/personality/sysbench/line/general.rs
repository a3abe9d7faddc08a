//! Options that stand beside any test, checked.

use super::{
    checks::{INT_MAX, Label, SIZE_MAX, size, within},
    refused::Fatal,
    values::Values,
    words::escaped,
};
use crate::personality::{
    flags::Support,
    sysbench::{
        flags::{self, Kind},
        options::{Dialect, Options, Seed},
    },
};

/// Threads at most: more than any system starts.
const THREADS_MAX: u32 = 1 << 16;
/// Checkpoints at most, as in the original.
const CHECKPOINTS_MAX: usize = 256;
/// What `--rand-type` may be.
const DISTRIBUTIONS: &[&str] = &["uniform", "gaussian", "special", "pareto", "zipfian"];

/// What is told beside the options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// Lines for standard output before the header.
    pub(super) prelude: Vec<String>,
    /// Lines for standard error.
    pub(super) notes: Vec<String>,
}

/// Takes the general options in.
///
/// # Errors
/// The first value that is not accepted.
pub(super) fn general(
    values: &Values,
    clock_seed: u32,
    options: &mut Options,
    told: &mut Told,
) -> Result<(), Fatal> {
    options.debug = values.switch("debug", false);
    let verbosity = u32::from(options.verbosity);
    options.verbosity = within(values, Label::dotted("verbosity"), verbosity, 0, 5)? as u8;
    if options.debug {
        options.verbosity = 5;
    }
    limits(values, options, told)?;
    distribution(values)?;
    options.seed = seed(values, clock_seed, options.dialect)?;
    options.validate = values.switch("validate", false);
    options.histogram = values.switch("histogram", false);
    let least = u32::from(options.dialect == Dialect::V04);
    let percentile = Label {
        end: "",
        ..Label::dotted("percentile")
    };
    options.percentile = within(values, percentile, options.percentile, least, 100)?;
    if options.histogram && options.percentile == 0 {
        return Err(Fatal::plain(
            "--histogram cannot be used with --percentile=0",
        ));
    }
    options.rate = limit(values, options, Limit::RATE, told)?;
    options.warmup = within(values, Label::dotted("warmup-time"), 0, 0, INT_MAX)?;
    let interval = Label::dotted("report-interval");
    options.report_interval = within(values, interval, 0, 0, INT_MAX)?;
    options.checkpoints = checkpoints(values)?;
    options.grace = grace(values, options.time, told)?;
    idle(values)
}

/// Options without effect: their values must be some all the same, or a mistake in one of them
/// would show only where the line is run by the original.
fn idle(values: &Values) -> Result<(), Fatal> {
    let idle = flags::rows().filter(|row| row.flag.support == Support::WithoutEffect);
    for row in idle {
        let label = Label::dotted(row.bare_name());
        match row.kind {
            Kind::Number => drop(within(values, label, 0, 0, INT_MAX)?),
            Kind::Size => drop(size(values, label, 0, SIZE_MAX)?),
            Kind::Float => {
                let number = values.float(label.name).unwrap_or_default();
                if number < 0.0 {
                    let hint = format!("--{} is a number, 0 or more", label.name);
                    return Err(label.fatal(&format!("{number:.6}"), hint));
                }
            }
            Kind::Switch | Kind::List | Kind::Text => {}
        }
    }
    Ok(())
}

/// Threads, events, time.
fn limits(values: &Values, options: &mut Options, told: &mut Told) -> Result<(), Fatal> {
    options.threads = limit(values, options, Limit::THREADS, told)?;
    options.events = limit(values, options, Limit::EVENTS, told)?;
    options.time = limit(values, options, Limit::TIME, told)?;
    Ok(())
}

/// A number that 0.4 and 1.0 have different names for.
#[derive(Clone, Copy)]
struct Limit {
    new: &'static str,
    old: &'static str,
    /// By the rules of 1.0 the older name counts only above this.
    idle: i64,
    least: u32,
    most: u32,
    end: &'static str,
    default: fn(&Options) -> u32,
}

impl Limit {
    const THREADS: Self = Self {
        new: "threads",
        old: "num-threads",
        idle: 1,
        least: 1,
        most: THREADS_MAX,
        // The original has an empty line behind it.
        end: ".\n",
        default: |options| options.threads,
    };
    const EVENTS: Self = Self {
        new: "events",
        old: "max-requests",
        default: |options| options.events,
        ..Self::TIME
    };
    const TIME: Self = Self {
        new: "time",
        old: "max-time",
        idle: 0,
        least: 0,
        most: INT_MAX,
        end: ".",
        default: |options| options.time,
    };
    const RATE: Self = Self {
        new: "rate",
        old: "tx-rate",
        default: |options| options.rate,
        ..Self::TIME
    };
}

fn limit(values: &Values, options: &Options, limit: Limit, told: &mut Told) -> Result<u32, Fatal> {
    let label = |name| Label {
        end: limit.end,
        ..Label::dotted(name)
    };
    let default = (limit.default)(options);
    let read = |name| within(values, label(name), default, limit.least, limit.most);
    if options.dialect == Dialect::V04 {
        return read(limit.old);
    }
    match values.number(limit.old) {
        Some(number) if number > limit.idle => {
            told.prelude.push(format!(
                "WARNING: --{} is deprecated, use --{} instead",
                limit.old, limit.new
            ));
            read(limit.old)
        }
        // The original drops it without a word.
        Some(number) if number < 0 => read(limit.old),
        // The original takes no notice of it; that is told where it is not what is so anyway.
        Some(number) => {
            let number = u32::try_from(number).ok();
            let value = read(limit.new)?;
            if number != Some(value) {
                told.notes.push(format!(
                    "WARNING: --{}={} has no effect by the rules of 1.0, and --{} is {value}; \
                     IOGAUGE_SYSBENCH=0.4 takes those of 0.4",
                    limit.old,
                    escaped(values.typed(limit.old).unwrap_or_default()),
                    limit.new
                ));
            }
            Ok(value)
        }
        None => read(limit.new),
    }
}

fn distribution(values: &Values) -> Result<(), Fatal> {
    let Some(name) = values.text("rand-type") else {
        return Ok(());
    };
    if DISTRIBUTIONS.contains(&name) {
        return Ok(());
    }
    Err(Fatal::new(
        format!("Invalid random numbers distribution: {}.", escaped(name)),
        format!("--rand-type is one of {}", DISTRIBUTIONS.join(", ")),
    ))
}

fn seed(values: &Values, clock_seed: u32, dialect: Dialect) -> Result<Seed, Fatal> {
    let number = |name| within(values, Label::dotted(name), 0, 0, INT_MAX);
    let (newer, older) = (number("rand-seed")?, number("seed-rng")?);
    let clock = Seed::Clock { seed: clock_seed };
    let asked = values.switch("init-rng", false) || values.switch("rand-init", false);
    Ok(match (newer, older) {
        (0, 0) if dialect == Dialect::V04 && !asked => Seed::Fixed,
        (0, 0) => clock,
        (0, seed) | (seed, _) => Seed::Given { seed },
    })
}

fn checkpoints(values: &Values) -> Result<Vec<u32>, Fatal> {
    let words = values.list("report-checkpoints");
    let wrong = |what: &str, hint: String| {
        Fatal::new(
            format!("Invalid value for --report-checkpoints: {}.", escaped(what)),
            hint,
        )
    };
    if words.len() > CHECKPOINTS_MAX {
        let hint = format!("at most {CHECKPOINTS_MAX} times are told");
        return Err(wrong(&format!("{} times", words.len()), hint));
    }
    let mut times = Vec::new();
    for word in words {
        let time: Option<u32> = word.parse().ok();
        let Some(time) = time.filter(|time| (1..=INT_MAX).contains(time)) else {
            let hint = format!("a checkpoint is a number of seconds from 1 to {INT_MAX}");
            return Err(wrong(word, hint));
        };
        times.push(time);
    }
    times.sort_unstable();
    times.dedup();
    Ok(times)
}

/// Seconds after the time limit.
fn grace(values: &Values, time: u32, told: &mut Told) -> Result<Option<u32>, Fatal> {
    let text = values.text("forced-shutdown").unwrap_or("off");
    if text == "off" {
        return Ok(None);
    }
    let (digits, percent) = match text.strip_suffix('%') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let number: Option<u32> = digits.parse().ok();
    let seconds = number.and_then(|number| {
        let seconds = if percent {
            u64::from(time) * u64::from(number) / 100
        } else {
            u64::from(number)
        };
        u32::try_from(seconds)
            .ok()
            .filter(|seconds| *seconds <= INT_MAX)
    });
    let Some(seconds) = seconds else {
        return Err(Fatal::new(
            format!("Invalid value for --forced-shutdown: {}.", escaped(text)),
            format!("--forced-shutdown is off, seconds from 0 to {INT_MAX}, or a percentage"),
        ));
    };
    if time == 0 {
        told.notes.push(
            "WARNING: --forced-shutdown has no effect: there is no time limit that it could follow"
                .to_owned(),
        );
        return Ok(None);
    }
    Ok(Some(seconds))
}
