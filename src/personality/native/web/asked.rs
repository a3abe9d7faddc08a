//! The options of `web` as values, with their defaults.

use std::{path::PathBuf, time::Duration};

use super::super::{commands::web::WebArgs, line::Typed};
use crate::{
    personality::Environment,
    plan::{Cached, EXPONENTS, OnError, Popularity},
    units::number,
};

/// Visitors at most: the plan's limit of threads.
const VISITORS_MAX: u32 = 1 << 16;

/// Files that are visited at most.
pub(super) const FILES_MAX: u64 = 1_000_000;

/// Files that are made at most: each is flushed to the disk, which takes some milliseconds.
const MADE_MAX: u64 = 100_000;

/// A measured time at least.
const DURATION_MIN: Duration = Duration::from_millis(1);

/// What a line of `web` asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub(super) folder: PathBuf,
    pub(super) crowd: Crowd,
    pub(super) make: Option<Make>,
    pub(super) popularity: Popularity,
    /// `None`: what fits the site.
    pub(super) cached: Option<Cached>,
    pub(super) duration: Duration,
    pub(super) warmup: Duration,
    pub(super) seed: u64,
    pub(super) on_error: OnError,
    /// Readings that a person might not expect.
    pub(super) notes: Vec<String>,
}

/// How many visitors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crowd {
    /// So many.
    Fixed(u32),
    /// One, and then twice as many each time.
    Growing,
}

/// Files that are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Make {
    pub(super) count: u64,
    pub(super) size: u64,
    /// They stay after the run.
    pub(super) keep: bool,
}

impl Asked {
    /// Reads all options.
    ///
    /// # Errors
    /// A sentence with the option as typed, its value and what would be right.
    pub(super) fn read(args: &WebArgs, around: &Environment) -> Result<Self, String> {
        if around.settings.engine.is_some() {
            return Err(
                "web opens, reads and closes files as a web server does, by no engine: leave \
                 --engine and IOGAUGE_ENGINE out"
                    .to_owned(),
            );
        }
        let time = |name, value, least, default| {
            let typed = Typed::new(name, value);
            typed.map_or(Ok(default), |typed| typed.time(least))
        };
        let visitors = Typed::new("--visitors", args.visitors.as_ref());
        let seed = Typed::new("--seed", args.seed.as_ref());
        let make = Typed::new("--make", args.make.as_ref());
        let dist = Typed::new("--dist", args.dist.as_ref());
        let mut notes = Vec::new();
        Ok(Self {
            folder: args.folder.clone(),
            crowd: match visitors {
                Some(typed) => Crowd::Fixed(typed.small(1, VISITORS_MAX)?),
                None => Crowd::Growing,
            },
            make: make
                .map(|typed| files(typed, args.keep, &mut notes))
                .transpose()?,
            popularity: dist.map_or(Ok(Popularity::Uniform), popularity)?,
            cached: match (args.cold, args.warm) {
                (true, _) => Some(Cached::Dropped),
                (false, true) => Some(Cached::Filled),
                (false, false) => None,
            },
            duration: time(
                "--duration",
                args.duration.as_ref(),
                DURATION_MIN,
                Duration::from_secs(10),
            )?,
            warmup: time(
                "--warmup",
                args.warmup.as_ref(),
                Duration::ZERO,
                Duration::from_secs(2),
            )?,
            seed: match seed {
                Some(typed) => typed.number(0, u64::MAX)?,
                None => around.clock_seed.into(),
            },
            on_error: around.settings.on_error.unwrap_or(OnError::Stop),
            notes,
        })
    }
}

/// `4096x64k`.
fn files(typed: Typed<'_>, keep: bool, notes: &mut Vec<String>) -> Result<Make, String> {
    let form = || {
        typed.wrong(&format!(
            "a number of files from 1 to {MADE_MAX}, an x, and the size of each, as in 4096x64k"
        ))
    };
    let (count, size) = typed.value.split_once('x').ok_or_else(form)?;
    let part = |value| Typed { value, ..typed };
    let count = part(count).number(1, MADE_MAX).map_err(|_| form())?;
    if let Some(sentence) = part(size).doubtful() {
        return Err(sentence);
    }
    let size = part(size).size(1, notes).map_err(|_| form())?;
    // So many bytes are no file system's, and their sum must be a number.
    if count
        .checked_mul(size)
        .is_none_or(|all| all > i64::MAX as u64)
    {
        return Err(form());
    }
    Ok(Make { count, size, keep })
}

/// `uniform`, `zipf:0.99`.
fn popularity(typed: Typed<'_>) -> Result<Popularity, String> {
    let (least, most) = (*EXPONENTS.start(), *EXPONENTS.end());
    let wrong = || {
        typed.wrong(&format!(
            "uniform, or zipf: and an exponent from {least} to {most}, as in zipf:0.99"
        ))
    };
    if typed.value == "uniform" {
        return Ok(Popularity::Uniform);
    }
    let exponent = typed.value.strip_prefix("zipf:").ok_or_else(wrong)?;
    let exponent = number::decimal(exponent, least, most).map_err(|_| wrong())?;
    Ok(Popularity::Zipf(exponent))
}
