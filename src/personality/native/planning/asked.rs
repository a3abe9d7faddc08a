//! The options of a line together with what variables and the configuration file say.

use std::{path::PathBuf, time::Duration};

use super::{DURATION, INTERVAL};
use crate::{
    personality::{
        DataChoice, Environment,
        native::{
            commands::{load::CommonArgs, run::RunArgs},
            config::{self, Config},
            line::{self, Asked, Data},
        },
    },
    plan::{EngineChoice, Steady, steady::WINDOWS},
    units::{names::shown as name, time},
};

/// What a line asks for, and the settings around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Settled {
    /// The options of the line.
    pub(super) asked: Asked,
    /// The configuration file.
    pub(super) config: Config,
    /// Chance begins with it.
    pub(super) seed: u64,
    /// Test files stay.
    pub(super) keep: bool,
    /// What is written.
    pub(super) data: Data,
    /// Size of test files, where it was said.
    pub(super) size: Option<u64>,
}

impl Settled {
    /// Of a line of `run`.
    pub(super) fn new(args: &RunArgs, around: &Environment) -> Result<Self, String> {
        Self::of(line::read(&args.load)?, around)
    }

    /// Of a line that has nothing but what every load has.
    pub(super) fn common(args: &CommonArgs, around: &Environment) -> Result<Self, String> {
        let asked = Asked {
            seed: line::seed(args, None)?,
            keep: line::keep(args)?,
            ..Asked::default()
        };
        Self::of(asked, around)
    }

    fn of(asked: Asked, around: &Environment) -> Result<Self, String> {
        let settings = &around.settings;
        let config = config::load(settings.config_folder.as_deref(), &around.files)?;
        let variable = match settings.data {
            DataChoice::Default => None,
            DataChoice::Zeros => Some(Data::Zeros),
            // What we write ourselves is random.
            DataChoice::Random | DataChoice::Original => Some(Data::Random),
        };
        let data = asked.data.clone().or(variable).or(config.data.clone());
        check_intervals(&asked)?;
        check_clocks(&asked, around)?;
        check_cpus(&asked, around)?;
        Ok(Self {
            seed: asked.seed.unwrap_or(u64::from(around.clock_seed)),
            keep: asked.keep.or(config.keep).unwrap_or(false),
            data: data.unwrap_or(Data::Random),
            size: asked.size.or(config.size),
            config,
            asked,
        })
    }

    /// How long a load until it is steady takes, where nobody said.
    pub(super) fn until_steady(&self) -> Vec<String> {
        let limits = self.asked.limits;
        let told = limits.steady.filter(|_| limits.duration.is_none());
        told.map(|steady| {
            format!(
                "until steady: {WINDOWS} windows of {} at least, {} at most (--duration)",
                time::words(steady.window),
                time::words(LONGEST)
            )
        })
        .into_iter()
        .collect()
    }

    /// Notes of the report: how the same offsets are had again, and what is left behind.
    pub(super) fn notes(&self, made: &[PathBuf]) -> Vec<String> {
        let mut notes = self.asked.notes.clone();
        if self.asked.seed.is_none() {
            notes.push(format!("--seed {} gives the same offsets again", self.seed));
        }
        if self.keep && !made.is_empty() {
            let shown: Vec<String> = made.iter().map(|path| name(path.as_os_str())).collect();
            notes.push(format!("kept: {}", shown.join(", ")));
        }
        notes
    }
}

/// The measured time at most of a load until it is steady, where nobody says otherwise.
const LONGEST: Duration = Duration::from_hours(1);

/// The measured time at most, where nobody says otherwise.
pub(super) fn longest(steady: Option<Steady>) -> Duration {
    steady.map_or(DURATION, |_| LONGEST)
}

/// Length of an interval: what was said, else one that goes into a window of `--until-steady`.
pub(super) fn interval(asked: &Asked) -> Duration {
    let usual = match asked.limits.steady.map(|steady| steady.window) {
        Some(window) if !window.as_nanos().is_multiple_of(INTERVAL.as_nanos()) => window,
        _ => INTERVAL,
    };
    asked.interval.unwrap_or(usual)
}

/// More intervals than these are not kept.
const INTERVALS_MAX: u128 = 1 << 22;

/// Figures of every interval must be kept.
fn check_intervals(asked: &Asked) -> Result<(), String> {
    let duration = asked
        .limits
        .duration
        .unwrap_or(longest(asked.limits.steady));
    let interval = interval(asked);
    if let Some(steady) = asked.limits.steady
        && !steady
            .window
            .as_nanos()
            .is_multiple_of(interval.as_nanos().max(1))
    {
        return Err(format!(
            "--interval {} does not go into a window of --until-steady, {}, a whole number of times",
            time::words(interval),
            time::words(steady.window)
        ));
    }
    let count = duration.as_nanos().div_ceil(interval.as_nanos().max(1));
    if count <= INTERVALS_MAX {
        return Ok(());
    }
    Err(format!(
        "--interval {} cuts {} into {count} intervals, and {INTERVALS_MAX} are kept at most: use \
         a longer --interval",
        time::words(interval),
        time::words(duration)
    ))
}

/// Threads of a simulated device have clocks of their own.
fn check_clocks(asked: &Asked, around: &Environment) -> Result<(), String> {
    let watched = asked.limits.steady.is_some() || !asked.fuse.is_empty();
    if watched && matches!(around.settings.engine, Some(EngineChoice::Simulated(_))) {
        return Err(
            "--until-steady and --stop-if look at the same moment of all threads, which there is \
             not on a simulated device: leave them out, or --engine sim"
                .to_owned(),
        );
    }
    Ok(())
}

/// CPUs that this process may not use are told before anything is made.
fn check_cpus(asked: &Asked, around: &Environment) -> Result<(), String> {
    let usable = &around.machine.usable;
    let missing = asked
        .cpus
        .iter()
        .flatten()
        .find(|cpu| !usable.contains(cpu));
    match missing {
        // Nothing is known of this machine, or it is another one that will run the line.
        _ if usable.is_empty() || around.explaining => Ok(()),
        None => Ok(()),
        Some(cpu) => Err(format!(
            "--cpus names CPU {cpu}, which this process may not use: it may use {} of them, from \
             {} to {}",
            usable.len(),
            usable.iter().min().unwrap_or(&0),
            usable.iter().max().unwrap_or(&0)
        )),
    }
}
