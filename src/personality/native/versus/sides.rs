//! The plans of both sides: planned as `quick` and `run` plan them, from the same options and the same
//! chance, and joined.

use std::path::Path;

use super::{
    asked::{Asked, Own, not_two},
    plan::{InTurn, in_turn},
    text::Said,
};
use crate::{
    personality::{
        Environment, UsageError, Verdict,
        native::{
            NATIVE,
            commands::{quick::QuickArgs, run::RunArgs},
            consent,
            planning::{self, Planned},
            verdict,
        },
    },
    plan::{Caching, Target, TimeSpan},
    report::text::span_of_time,
    results::{Results, Severity},
    units::ByteSize,
};

/// Both sides, ready to be carried out.
#[derive(Debug, Clone)]
pub struct Sides {
    /// The load, in turns.
    pub turns: InTurn,
    /// Lines for standard error before anything starts.
    pub warnings: Vec<String>,
    /// What the page says below the figures.
    pub notes: Vec<String>,
    /// What the page says above them.
    pub above: Vec<Said>,
    /// The load, as the page says it.
    pub load: String,
}

/// Plans both sides.
///
/// # Errors
/// As of `run` and `quick`, and where the sides have nothing in common.
pub fn sides(asked: &Asked, own: &Own, around: &Environment) -> Result<Sides, UsageError> {
    let [a, b] = asked.sides.each_ref();
    let line = format!(
        "{NATIVE} versus {}{} {}",
        what(own),
        a.to_string_lossy(),
        b.to_string_lossy()
    );
    let plan = |side: &Path| match own {
        Own::Quick(quick) => {
            let args = QuickArgs {
                path: Some(side.to_path_buf()),
                ..(**quick).clone()
            };
            planning::corners(&args, around, &line)
        }
        Own::Run { what, options } => {
            let mut words: Vec<_> = what.iter().cloned().collect();
            words.push(side.to_path_buf());
            let args = RunArgs {
                words,
                load: (**options).clone(),
            };
            planning::plan(&args, around, &line)
        }
    };
    let (planned_a, planned_b) = (plan(a)?, plan(b)?);
    if let Own::Run {
        what: Some(what), ..
    } = own
    {
        // A word that is no profile was taken for one more target.
        let plan = what.extension().is_some_and(|ending| ending == "toml");
        if !plan && planned_a.resolved.is_none() {
            let words = [what, a, b].map(Clone::clone);
            return Err(planning::usage_error(&not_two(&words)));
        }
    }
    let sides = join(asked, own, planned_a, planned_b)?;
    consent::check(&sides.turns.plan, around)?;
    Ok(sides)
}

fn join(asked: &Asked, own: &Own, a: Planned, b: Planned) -> Result<Sides, UsageError> {
    if a.search.is_some() {
        return Err(planning::usage_error(
            "versus compares two targets at one load: this profile needs a rate, as in \
             --rate 1000",
        ));
    }
    let notes = merged(a.notes, b.notes);
    let warnings = merged(a.warnings, b.warnings);
    let turns = in_turn(a.plan, b.plan, asked.cycles);
    if turns.rows.is_empty() {
        return Err(planning::usage_error(
            "A and B have no row in common: a device that may not be written has no write rows \
             (--destroy names it)",
        ));
    }
    let mut above = Vec::new();
    if !turns.left_out.is_empty() {
        above.push(format!(
            "left out, since only one side has them: {}",
            turns.left_out.join("; ")
        ));
    }
    above.extend(other_sizes(&turns));
    let above = above.into_iter().map(|text| (Severity::Caution, text));
    let above = above.collect();
    let load = format!("{}; {}", load(own, &turns.rows[0].span), asked.turns());
    Ok(Sides {
        turns,
        warnings,
        notes,
        above,
        load,
    })
}

impl Sides {
    /// What the end of the run means for the shell.
    pub fn verdict(results: &Results) -> Verdict {
        verdict::verdict(results)
    }
}

/// All lines once.
fn merged(mut lines: Vec<String>, more: Vec<String>) -> Vec<String> {
    for line in more {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// `quick `, a profile's name and a blank, or nothing.
fn what(own: &Own) -> String {
    match own {
        Own::Quick(_) => "quick ".to_owned(),
        Own::Run { what, .. } => what
            .as_ref()
            .map_or_else(String::new, |what| format!("{} ", what.to_string_lossy())),
    }
}

/// The load in a few words: what its rows do not say.
fn load(own: &Own, span: &TimeSpan) -> String {
    let mut words = vec![what(own).trim_end().to_owned()];
    let buffered = |target: &Target| target.caching == Caching::Buffered;
    words.push(if span.targets.iter().any(buffered) {
        "through the page cache".to_owned()
    } else {
        "direct".to_owned()
    });
    if let Some(bytes) = used(span) {
        words.push(ByteSize(bytes).words());
    }
    if let Some(time) = span.stop.after {
        words.push(format!("{} a round", span_of_time(time)));
        if !span.warmup.is_zero() {
            words.push(format!("warm-up {}", span_of_time(span.warmup)));
        }
    }
    words.retain(|word| !word.is_empty());
    words.join(", ")
}

/// A sentence where one side uses more of its target than the other: that is not the same load.
fn other_sizes(turns: &InTurn) -> Option<String> {
    let (first_a, first_b) = *turns.rows.first()?.pairs.first()?;
    let used = |number: usize| used(turns.plan.spans().nth(number)?);
    let (a, b) = (used(first_a)?, used(first_b)?);
    (a != b).then(|| {
        format!(
            "A uses {}, B {}: --size makes that alike",
            ByteSize(a).words(),
            ByteSize(b).words()
        )
    })
}

/// Bytes of all targets that a time span uses.
fn used(span: &TimeSpan) -> Option<u64> {
    let of = |target: &Target| {
        let end = target.end.or(target.planned_size)?;
        end.checked_sub(target.base)
    };
    let mut sum: u64 = 0;
    for target in &span.targets {
        sum = sum.checked_add(of(target)?)?;
    }
    Some(sum)
}
