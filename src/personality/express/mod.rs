//! A plan in another language, with what gets lost on the way named. [`fio`] is a language that we
//! write and do not read; the faces keep their own direction beside their parser.

pub mod fio;

use std::fmt::Write as _;

use crate::plan::{
    BlockSizes, Direction, FilePreparation, Operations, Order, Plan, Policy, SharedSequence, Step,
    TimeSpan,
};

/// A language that a plan can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Our own plan file.
    Toml,
    /// A job file of fio.
    Fio,
    /// A line of DiskSpd, or its XML profile where one line cannot say it.
    Diskspd,
}

/// A plan in another language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expressed {
    /// The line or file; empty where there is nothing that the language can say.
    pub text: String,
    /// How a comment begins and ends in it.
    pub comment: (&'static str, &'static str),
    /// What the language cannot say, or says otherwise: a sentence each.
    pub lost: Vec<String>,
}

impl Expressed {
    /// The text with what is lost as comments above it, so that it can be kept as it is.
    pub fn annotated(&self) -> String {
        let (open, close) = self.comment;
        let mut text = String::new();
        for sentence in &self.lost {
            // `--` would end a comment of XML early.
            let sentence = if close.is_empty() {
                sentence.clone()
            } else {
                sentence.replace("--", "- -")
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{open} lost: {sentence}{close}");
        }
        text + &self.text
    }
}

/// Sentences about what is lost, each once.
#[derive(Debug, Default)]
pub(crate) struct Losses(Vec<String>);

impl Losses {
    pub(crate) fn add(&mut self, sentence: impl Into<String>) {
        let sentence = crate::units::names::escaped(&sentence.into()).replace('\n', "\\n");
        if !self.0.contains(&sentence) {
            self.0.push(sentence);
        }
    }

    /// Adds it if something holds.
    pub(crate) fn when(&mut self, holds: bool, sentence: &str) {
        if holds {
            self.add(sentence);
        }
    }

    pub(crate) fn into_sentences(self) -> Vec<String> {
        self.0
    }
}

/// What no other tool's file has: what surrounds the load.
pub(crate) fn surroundings(plan: &Plan, losses: &mut Losses) {
    losses.when(
        plan.events != crate::plan::Events::default(),
        "events: the files by which the run waits for others and tells them",
    );
    losses.when(
        plan.spans().any(|span| span.verify),
        "verification: what is read is not held against what was written (fio's own verify stands \
         for other blocks, headers and times)",
    );
    losses.when(
        plan.spans().any(|span| !span.pause_before.is_zero()),
        "pause: nothing is done for a time before a load",
    );
    losses.when(
        plan.steps
            .iter()
            .any(|step| matches!(step, Step::Cleanup(_))),
        "cleanup: the files are not removed afterwards",
    );
}

/// The files that are made before a time span: those of the steps behind the span before it.
pub(crate) fn spans_with_files(plan: &Plan) -> Vec<(&TimeSpan, Vec<&FilePreparation>)> {
    let mut files: Vec<&FilePreparation> = Vec::new();
    let mut spans = Vec::new();
    for step in &plan.steps {
        match step {
            Step::Prepare(prepare) => files.extend(&prepare.files),
            Step::Run(span) => spans.push((span, std::mem::take(&mut files))),
            Step::Cleanup(_) => {}
        }
    }
    spans
}

/// How an existing file is treated, for a sentence.
pub(crate) fn policy_word(policy: Policy) -> &'static str {
    match policy {
        Policy::Rebuild => "written anew",
        Policy::Extend => "kept if it is large enough, else extended",
        Policy::Replace => "removed and made anew",
    }
}

/// The percentage of writes that comes nearest to what a sequence does.
pub(crate) fn write_percent(operations: Operations) -> u32 {
    match operations {
        Operations::Reads => 0,
        Operations::Writes => 100,
        Operations::Ratio {
            reads_per_write, ..
        } => (100.0 / (1.0 + reads_per_write)).round().clamp(0.0, 100.0) as u32,
    }
}

/// What of a shared sequence no group of threads of their own can do.
pub(crate) fn sequence_losses(shared: &SharedSequence, losses: &mut Losses) {
    losses.add(match shared.order {
        Order::Sequential { .. } => {
            "order: all threads draw from one sequence over the files; here each thread walks on \
             its own"
        }
        Order::Random { .. } => {
            "order: requests are drawn over all files together by sysbench's generator; here each \
             thread draws a file, then a place in it"
        }
    });
    let flushes = &shared.flushes;
    if let Some(every) = flushes.round_every {
        losses.add(format!(
            "flushes: after every {every} requests all files are flushed"
        ));
    }
    losses.when(
        flushes.at_end != crate::plan::AtEnd::Never,
        "flushes: all files are flushed at the end of the load",
    );
    losses.when(
        shared.verify != crate::plan::Verify::Off,
        "verification: blocks carry a checksum and are judged when they are read",
    );
    if let Some(rate) = shared.arrivals_per_second {
        losses.add(format!(
            "arrivals: {rate} requests a second become due, over all threads, and wait where no \
             thread is free"
        ));
    }
}

/// The one size of blocks: that which most I/Os have, where there are several.
pub(crate) fn usual_size(sizes: &BlockSizes, direction: Direction) -> u32 {
    match sizes {
        BlockSizes::One(bytes) => *bytes,
        BlockSizes::Weighted { read, write } => {
            let entries = match direction {
                Direction::Read => read,
                Direction::Write => write,
            };
            let usual = entries.iter().max_by_key(|entry| entry.weight);
            usual.map_or(sizes.largest(), |entry| entry.bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        personality::diskspd,
        plan::{
            describe,
            fixtures::{self, any},
        },
    };

    proptest! {
        #[test]
        fn no_plan_panics(plan in any::plan(), span in any::span()) {
            let mut plan = plan;
            plan.steps.push(Step::Run(span));
            for step in &mut plan.steps {
                if let Step::Run(span) = step {
                    *span = fixtures::repaired(span.clone());
                }
            }
            let _ = describe::describe(&plan, 80);
            let job = fio::express(&plan).ok();
            for expressed in job.into_iter().chain([diskspd::express::express(&plan)]) {
                for sentence in &expressed.lost {
                    prop_assert!(!sentence.contains(['\n', '\u{1b}']), "{}", sentence);
                }
                if expressed.comment.1.is_empty() {
                    let lost = expressed.lost.len();
                    let annotated = expressed.annotated();
                    prop_assert!(annotated.lines().take(lost).all(|line| line.starts_with('#')));
                }
            }
        }
    }
}
