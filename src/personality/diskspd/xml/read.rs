//! Reads an XML profile (`-X`) by the rules of `DiskSpd`'s schema: elements in any order, each at
//! most once unless it is a list, unknown ones refused.

mod target;

use super::{
    fields::{attribute, boolean, check_children, leaf, number, required, unknown, word},
    tree::{self, Element, Fault},
};
use crate::personality::diskspd::profile::{Etw, Events, Format, Precreate, Profile, TimeSpan};

/// What is wrong with a profile, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct XmlError {
    /// A sentence without its end.
    pub(crate) message: String,
    /// Counted from 1.
    pub(crate) line: u64,
    /// Counted from 1, in characters.
    pub(crate) column: u64,
}

impl XmlError {
    fn of(fault: Fault, text: &str) -> Self {
        let mut end = fault.at.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            message: fault.message,
            line: before.matches('\n').count() as u64 + 1,
            column: before[line_start..].chars().count() as u64 + 1,
        }
    }
}

/// Reads a profile. Checks that concern several fields are those of the command line, made
/// elsewhere; only what a profile cannot hold is refused here.
pub(crate) fn read(text: &str) -> Result<Profile, XmlError> {
    tree::parse(text)
        .and_then(|root| profile(&root))
        .map_err(|fault| XmlError::of(fault, text))
}

fn profile(root: &Element) -> Result<Profile, Fault> {
    if root.name != "Profile" {
        let message = format!("the root is <{}>, not <Profile>", root.name);
        return Err(Fault::new(root.at, message));
    }
    check_children(root, &[])?;
    let mut profile = Profile {
        progress: 0,
        experiment_flags: 0,
        format: Format::Text,
        profile_only: false,
        verbose: false,
        verbose_stats: false,
        precreate: None,
        etw: None,
        events: Events::default(),
        spans: Vec::new(),
    };
    required(root, "TimeSpans")?;
    for child in &root.children {
        match child.name.as_str() {
            "Progress" => profile.progress = number(child)?,
            "ExperimentFlags" => profile.experiment_flags = number(child)?,
            "ResultFormat" => {
                profile.format = word(child, &[("text", Format::Text), ("xml", Format::Xml)])?;
            }
            "Verbose" => profile.verbose = boolean(child)?,
            "VerboseStats" => profile.verbose_stats = boolean(child)?,
            "PrecreateFiles" => profile.precreate = Some(precreate(child)?),
            "ETW" => profile.etw = etw(child)?,
            "TimeSpans" => profile.spans = list(child, "TimeSpan", span)?,
            _ => return Err(unknown(child, root)),
        }
    }
    Ok(profile)
}

fn precreate(element: &Element) -> Result<Precreate, Fault> {
    use Precreate::{OnlyConstantOrZeroSizes, OnlyConstantSizes, UseMaxSize};
    word(
        element,
        &[
            ("UseMaxSize", UseMaxSize),
            ("CreateOnlyFilesWithConstantSizes", OnlyConstantSizes),
            (
                "CreateOnlyFilesWithConstantOrZeroSizes",
                OnlyConstantOrZeroSizes,
            ),
        ],
    )
}

/// Any child present turns the tracing on.
fn etw(element: &Element) -> Result<Option<Etw>, Fault> {
    check_children(element, &[])?;
    let mut etw = Etw::default();
    for child in &element.children {
        let field = match child.name.as_str() {
            "Process" => &mut etw.process,
            "Thread" => &mut etw.thread,
            "ImageLoad" => &mut etw.image_load,
            "DiskIO" => &mut etw.disk_io,
            "MemoryPageFaults" => &mut etw.memory_page_faults,
            "MemoryHardFaults" => &mut etw.memory_hard_faults,
            "Network" => &mut etw.network,
            "Registry" => &mut etw.registry,
            "UsePagedMemory" => &mut etw.use_paged_memory,
            "UsePerfTimer" => &mut etw.use_perf_timer,
            "UseSystemTimer" => &mut etw.use_system_timer,
            "UseCyclesCounter" => &mut etw.use_cycles_counter,
            _ => return Err(unknown(child, element)),
        };
        *field = boolean(child)?;
    }
    Ok((!element.children.is_empty()).then_some(etw))
}

/// A list that holds one kind of element, at least once.
pub(crate) fn list<T>(
    element: &Element,
    name: &str,
    item: impl Fn(&Element) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    check_children(element, &[name])?;
    required(element, name)?;
    element
        .children
        .iter()
        .map(|child| {
            if child.name == name {
                item(child)
            } else {
                Err(unknown(child, element))
            }
        })
        .collect()
}

fn span(element: &Element) -> Result<TimeSpan, Fault> {
    check_children(element, &[])?;
    required(element, "Targets")?;
    let mut span = TimeSpan::default();
    for child in &element.children {
        match child.name.as_str() {
            "CompletionRoutines" => span.completion_routines = boolean(child)?,
            "MeasureLatency" => span.measure_latency = boolean(child)?,
            "CalculateIopsStdDev" => span.iops_stddev = boolean(child)?,
            "DisableAffinity" => span.disable_affinity = boolean(child)?,
            "RandomWriteData" => span.random_write_data = boolean(child)?,
            // Of an old version; means nothing any more.
            "GroupAffinity" => {
                boolean(child)?;
            }
            "Duration" => span.duration = number(child)?,
            "Warmup" => span.warmup = number(child)?,
            "Cooldown" => span.cooldown = number(child)?,
            "ThreadCount" => span.thread_count = number(child)?,
            "RequestCount" => span.request_count = number(child)?,
            "IoBucketDuration" => span.interval_ms = interval(child)?,
            "RandSeed" => span.seed = number(child)?,
            "Affinity" => span.affinity = affinity(child)?,
            "Targets" => span.targets = list(child, "Target", target::target)?,
            _ => return Err(unknown(child, element)),
        }
    }
    Ok(span)
}

/// 0 takes the default, as `-D0` does.
fn interval(element: &Element) -> Result<u32, Fault> {
    let given = number(element)?;
    Ok(if given == 0 {
        TimeSpan::default().interval_ms
    } else {
        given
    })
}

fn affinity(element: &Element) -> Result<Vec<(u16, u8)>, Fault> {
    check_children(element, &["AffinityAssignment", "AffinityGroupAssignment"])?;
    let assignments = element
        .children
        .iter()
        .map(|child| match child.name.as_str() {
            "AffinityAssignment" => Ok((0, number(child)?)),
            "AffinityGroupAssignment" => {
                leaf(child, &["Group", "Processor"])?;
                Ok((attribute(child, "Group")?, attribute(child, "Processor")?))
            }
            _ => Err(unknown(child, element)),
        });
    assignments.collect()
}

#[cfg(test)]
mod tests;
