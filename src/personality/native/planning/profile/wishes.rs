//! What a profile is resolved for, kept for the time spans of a search.

use std::time::Duration;

use super::homes::Homes;
use crate::{
    host::Machine,
    personality::{
        Environment,
        native::{
            line::Asked,
            planning::{DURATION, INTERVAL, WARMUP, asked::Settled},
        },
    },
    profiles::{Rate, Wanted},
};

/// The wishes of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wishes {
    asked: Asked,
    machine: Machine,
    data_files: u32,
    data_size: Option<u64>,
    log_sector: u32,
    seed: u64,
    /// Load before the measured time.
    pub(super) warmup: Duration,
    /// Measured time.
    pub(super) duration: Duration,
}

impl Wishes {
    pub(super) fn new(
        settled: &Settled,
        homes: &Homes<'_>,
        around: &Environment,
    ) -> Result<Self, String> {
        let asked = &settled.asked;
        let named = around.settings.machine.as_ref();
        let machine = asked.workload.machine.as_ref().or(named);
        Ok(Self {
            machine: machine.unwrap_or(&around.machine).clone(),
            data_files: homes.data_files(),
            data_size: homes.data_size(settled, around)?,
            log_sector: homes.log_sector(),
            seed: settled.seed,
            warmup: asked.limits.warmup.unwrap_or(WARMUP),
            duration: asked.limits.duration.unwrap_or(DURATION),
            asked: asked.clone(),
        })
    }

    /// The wishes at a rate.
    pub(super) fn wanted(&self, rate: Option<Rate>) -> Wanted<'_> {
        let workload = &self.asked.workload;
        Wanted {
            machine: &self.machine,
            max_dop: workload.max_dop,
            generation: workload.generation.unwrap_or_default(),
            flush: workload.flush.unwrap_or_default(),
            transfer: workload.transfer,
            stripes: workload.stripes,
            compression: workload.compression.unwrap_or(1.0),
            rate,
            queue_depth: self.asked.depth,
            threads: self.asked.threads,
            data_files: self.data_files,
            data_size: self.data_size,
            log_sector: self.log_sector,
            warmup: self.warmup,
            duration: self.duration,
            interval: self.asked.interval.unwrap_or(INTERVAL),
            seed: self.seed,
        }
    }
}
